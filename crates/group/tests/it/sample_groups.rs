//! Groups to try things on: named families at any degree, and random ones with all their elements.

use group::{Group, Perm, Point};

/// A permutation from a formula.
pub fn perm_by(degree: usize, image: impl Fn(Point) -> Point) -> Perm {
    Perm::from_image((0..degree as Point).map(image).collect()).expect("a bijection")
}

pub fn cyclic(n: usize) -> Vec<Perm> {
    vec![perm_by(n, |x| (x + 1) % n as Point)]
}

pub fn dihedral(n: usize) -> Vec<Perm> {
    let n_points = n as Point;
    vec![
        perm_by(n, |x| (x + 1) % n_points),
        perm_by(n, |x| (n_points - x) % n_points),
    ]
}

pub fn symmetric(n: usize) -> Vec<Perm> {
    let mut generators = cyclic(n);
    if n > 1 {
        generators.push(Perm::from_cycles(n, &[&[0, 1]]).unwrap());
    }
    generators
}

/// For `n ≥ 3`.
pub fn alternating(n: usize) -> Vec<Perm> {
    let mut long: Vec<Point> = (0..n as Point).collect();
    if n.is_multiple_of(2) {
        long.remove(0);
    }
    vec![
        Perm::from_cycles(n, &[&long]).unwrap(),
        Perm::from_cycles(n, &[&[0, 1, 2]]).unwrap(),
    ]
}

/// `bottom` (on `size` points) in each of the blocks, `top` on the blocks; block `i` holds the
/// points `i·size .. (i+1)·size`.
pub fn wreath(size: usize, bottom: &[Perm], top: &[Perm]) -> Vec<Perm> {
    let n_blocks = top[0].degree();
    let degree = size * n_blocks;
    let s = size as Point;
    let lower = bottom
        .iter()
        .map(|g| perm_by(degree, |x| if x < s { g.at(x) } else { x }));
    let upper = top
        .iter()
        .map(|g| perm_by(degree, |x| g.at(x / s) * s + x % s));
    lower.chain(upper).collect()
}

/// Both act, on disjoint points, `b` behind `a`.
pub fn direct_product(a: &[Perm], b: &[Perm]) -> Vec<Perm> {
    let n = a[0].degree() as Point;
    let degree = a[0].degree() + b[0].degree();
    let first = a
        .iter()
        .map(|g| perm_by(degree, |x| if x < n { g.at(x) } else { x }));
    let second = b
        .iter()
        .map(|g| perm_by(degree, |x| if x < n { x } else { g.at(x - n) + n }));
    first.chain(second).collect()
}

/// The symmetries of the hypercube on its `2^d` corners, order `2^d · d!`.
pub fn hypercube(d: u32) -> Vec<Perm> {
    let degree = 1usize << d;
    let swap = |x: Point, i: u32| {
        let differ = ((x >> i) ^ (x >> (i + 1))) & 1;
        x ^ (differ << i) ^ (differ << (i + 1))
    };
    let mut generators = vec![perm_by(degree, |x| x ^ 1)];
    generators.extend((0..d - 1).map(|i| perm_by(degree, |x| swap(x, i))));
    generators
}

/// `PSL(2, p)` on the projective line of `p + 1` points, `p` an odd prime; the last point is ∞.
pub fn projective_line(p: u32) -> Vec<Perm> {
    let infinity = p;
    let inverse = |x: u32| (1..p).find(|&y| x * y % p == 1).expect("a unit");
    let square = (2..p).map(|a| a * a % p).find(|&s| s != 1).unwrap_or(1);
    let n = p as usize + 1;
    vec![
        perm_by(n, |x| if x == infinity { x } else { (x + 1) % p }),
        perm_by(n, |x| if x == infinity { x } else { x * square % p }),
        perm_by(n, |x| match x {
            0 => infinity,
            _ if x == infinity => 0,
            _ => (p - inverse(x)) % p,
        }),
    ]
}

/// The action of `group` on unordered pairs, in lexicographic order of the pairs.
pub fn on_pairs(generators: &[Perm]) -> Vec<Perm> {
    let n = generators[0].degree() as Point;
    let pairs: Vec<(Point, Point)> = (0..n)
        .flat_map(|a| (a + 1..n).map(move |b| (a, b)))
        .collect();
    let act = |g: &Perm, (a, b): (Point, Point)| {
        let (a, b) = (g.at(a), g.at(b));
        (a.min(b), a.max(b))
    };
    generators
        .iter()
        .map(|g| {
            perm_by(pairs.len(), |i| {
                let image = act(g, pairs[i as usize]);
                pairs.binary_search(&image).expect("a pair") as Point
            })
        })
        .collect()
}

/// A random permutation that moves at most `support` points.
pub fn random_perm(rng: &mut fastrand::Rng, degree: usize, support: usize) -> Perm {
    let mut places: Vec<Point> = (0..degree as Point).collect();
    rng.shuffle(&mut places);
    places.truncate(support);
    let mut targets = places.clone();
    rng.shuffle(&mut targets);
    let mut image: Vec<Point> = (0..degree as Point).collect();
    for (&x, &y) in places.iter().zip(&targets) {
        image[x as usize] = y;
    }
    Perm::from_bijection(image)
}

/// A random group of small degree: random generators, or a named one with its points shuffled.
pub fn random_group(rng: &mut fastrand::Rng, degree: usize) -> Group {
    let named: Vec<Perm> = match rng.usize(0..8) {
        0 if degree >= 3 => dihedral(degree),
        1 if degree >= 3 => alternating(degree),
        2 if degree == 6 => wreath(2, &symmetric(2), &symmetric(3)),
        2 if degree == 8 => hypercube(3),
        3 if degree == 6 => wreath(3, &cyclic(3), &cyclic(2)),
        3 if degree == 8 => wreath(2, &symmetric(2), &symmetric(4)),
        4 if degree == 6 => on_pairs(&symmetric(4)),
        4 if degree == 8 => projective_line(7),
        5 if degree >= 4 => direct_product(&symmetric(degree / 2), &cyclic(degree - degree / 2)),
        _ => (0..rng.usize(0..4))
            .map(|_| {
                let support = rng.usize(0..=degree);
                random_perm(rng, degree, support)
            })
            .collect(),
    };
    let rename = random_perm(rng, degree, degree);
    Group::new(degree, named.iter().map(|g| g.conjugate(&rename)).collect())
}

/// All elements, by enumeration.
pub fn elements(group: &Group) -> Vec<Perm> {
    let mut all = Vec::new();
    group.chain().enumerate(&mut |g| {
        all.push(g.clone());
        true
    });
    all
}
