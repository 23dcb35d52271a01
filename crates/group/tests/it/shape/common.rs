//! Groups by their generators and as plain lists of elements.

use std::collections::{HashMap, HashSet};

use group::{Group, Perm, Point};

/// Generators of a product of two groups that move different points of `1..=21`.
pub const DISJOINT: &[&[&[Point]]] = &[
    &[
        &[1, 2, 3],
        &[4, 5, 6],
        &[7, 8, 9],
        &[10, 11, 12],
        &[14, 15],
        &[17, 18],
        &[20, 21],
    ],
    &[
        &[2, 3],
        &[5, 6],
        &[8, 9],
        &[11, 12],
        &[13, 14, 15],
        &[16, 17, 18],
        &[19, 20, 21],
    ],
];

/// A permutation of `1..=degree` written in cycles, as in the literature.
pub fn perm(degree: usize, cycles: &[&[Point]]) -> Perm {
    let cycles: Vec<Vec<Point>> = cycles
        .iter()
        .map(|c| c.iter().map(|x| x - 1).collect())
        .collect();
    let cycles: Vec<&[Point]> = cycles.iter().map(Vec::as_slice).collect();
    Perm::from_cycles(degree, &cycles).expect("disjoint cycles")
}

/// The group of these generators, points counted from 1.
pub fn group(degree: usize, generators: &[&[&[Point]]]) -> Group {
    Group::new(degree, generators.iter().map(|g| perm(degree, g)).collect())
}

pub fn symmetric(m: usize) -> Group {
    let cycle: Vec<Point> = (1..=m as Point).collect();
    group(m, &[&[&[1, 2]], &[&cycle]])
}

pub fn cyclic(m: usize) -> Group {
    let cycle: Vec<Point> = (1..=m as Point).collect();
    group(m, &[&[&cycle]])
}

pub fn dihedral(m: usize) -> Group {
    let turn: Vec<Point> = (0..m as Point).map(|x| (x + 1) % m as Point).collect();
    let flip: Vec<Point> = (0..m as Point)
        .map(|x| (m as Point - x) % m as Point)
        .collect();
    Group::new(m, [turn, flip].map(Perm::from_bijection).to_vec())
}

pub fn alternating(m: usize) -> Group {
    let three = |x: Point| perm(m, &[&[x, x + 1, x + 2]]);
    Group::new(m, (1..=m as Point - 2).map(three).collect())
}

/// `G_3T` of the literature: three servers with three clients each, one server with two.
pub fn three_tiered() -> Group {
    group(
        16,
        &[
            &[&[1, 2]],
            &[&[2, 3]],
            &[&[4, 5]],
            &[&[5, 6]],
            &[&[7, 8]],
            &[&[8, 9]],
            &[&[10, 11]],
            &[&[12, 13], &[1, 4], &[2, 5], &[3, 6]],
            &[&[13, 14], &[4, 7], &[5, 8], &[6, 9]],
        ],
    )
}

/// The `S4` of a 4-cube on its vertices but the lowest and the highest.
pub fn s4_on_14() -> Group {
    group(
        14,
        &[
            &[&[1, 2], &[5, 6], &[9, 10], &[13, 14]],
            &[&[1, 2, 4, 8], &[3, 6, 12, 9], &[5, 10], &[7, 14, 13, 11]],
        ],
    )
}

/// The translations of the cube.
pub fn cube_translations() -> Vec<Perm> {
    vec![
        perm(8, &[&[1, 2], &[3, 4], &[5, 6], &[7, 8]]),
        perm(8, &[&[1, 3], &[2, 4], &[5, 7], &[6, 8]]),
        perm(8, &[&[1, 5], &[2, 6], &[3, 7], &[4, 8]]),
    ]
}

/// The permutations of the axes of the cube.
pub fn cube_axes() -> Vec<Perm> {
    vec![
        perm(8, &[&[2, 3, 5], &[4, 7, 6]]),
        perm(8, &[&[2, 3], &[6, 7]]),
    ]
}

/// The vertices of the `d`-cube under exchange of axes and translation.
pub fn hypercube(d: usize) -> Group {
    let n = 1u32 << d;
    let image = |f: &dyn Fn(u32) -> u32| Perm::from_bijection((0..n).map(f).collect());
    let mut generators = vec![image(&|x| x ^ 1)];
    for i in 1..d {
        generators.push(image(&|x| {
            let (a, b) = (x >> (i - 1) & 1, x >> i & 1);
            if a == b { x } else { x ^ (3 << (i - 1)) }
        }));
    }
    Group::new(n as usize, generators)
}

/// Copies of `inner` in `d` consecutive blocks, moved by `outer`.
pub fn wreath_of(inner: &Group, outer: &Group) -> Group {
    let (m, d) = (inner.degree(), outer.degree());
    let n = m * d;
    let points: Vec<Point> = (0..m as Point).collect();
    let mut generators: Vec<Perm> = inner
        .generators()
        .iter()
        .map(|h| group::shape::lifted(h, &points, n))
        .collect();
    generators.extend(outer.generators().iter().map(|k| {
        let place = |x: usize| k.at((x / m) as Point) * m as Point + (x % m) as Point;
        Perm::from_bijection((0..n).map(place).collect())
    }));
    Group::new(n, generators)
}

/// `group` acting on `n` rows at once.
pub fn on_rows(group: &Group, n: usize) -> Group {
    let m = group.degree() as Point;
    let repeated = |g: &Perm| {
        let row = |r: Point| g.image().iter().map(move |&y| r * m + y);
        Perm::from_bijection((0..n as Point).flat_map(row).collect())
    };
    let generators = group.generators().iter().map(repeated).collect();
    Group::new(n * group.degree(), generators)
}

/// Side by side on different points.
pub fn disjoint_of(parts: &[&Group]) -> Group {
    let n = parts.iter().map(|g| g.degree()).sum();
    let mut generators = Vec::new();
    let mut start = 0;
    for g in parts {
        let points: Vec<Point> = (start..start + g.degree() as Point).collect();
        start += g.degree() as Point;
        let lift = |p: &Perm| group::shape::lifted(p, &points, n);
        generators.extend(g.generators().iter().map(lift));
    }
    Group::new(n, generators)
}

/// The same group with its points renamed and its generators mixed.
pub fn disguised(group: &Group, rng: &mut fastrand::Rng) -> Group {
    let renaming = shuffled(group.degree(), rng);
    let mut generators: Vec<Perm> = group
        .generators()
        .iter()
        .map(|g| g.conjugate(&renaming))
        .collect();
    for _ in 0..2 * generators.len() {
        let (i, j) = (rng.usize(..generators.len()), rng.usize(..generators.len()));
        if i != j {
            generators[i] = generators[i].product(&generators[j]);
        }
    }
    Group::new(group.degree(), generators)
}

pub fn shuffled(n: usize, rng: &mut fastrand::Rng) -> Perm {
    let mut image: Vec<Point> = (0..n as Point).collect();
    rng.shuffle(&mut image);
    Perm::from_bijection(image)
}

/// A random group of degree 2 to `degree_max`. Generators are made of few cycles, and are often the
/// same thing done in two places, so that orbits, columns and blocks turn up.
pub fn random_group(rng: &mut fastrand::Rng, degree_max: usize) -> Group {
    let n = rng.usize(2..=degree_max);
    let copies = [1, 1, 2, 2, 3][rng.usize(..5)].min(n / 2);
    let m = n / copies;
    let renaming = shuffled(n, rng);
    let mut generators = Vec::new();
    for _ in 0..rng.usize(1..=3) {
        let mut image: Vec<Point> = (0..n as Point).collect();
        let small = small_perm(m, rng);
        let only_first = rng.u32(..3) == 0;
        for c in 0..copies {
            if c > 0 && only_first || rng.u32(..5) == 0 {
                continue;
            }
            for x in 0..m {
                image[c * m + x] = (c * m) as Point + small.at(x as Point);
            }
        }
        if copies > 1 && rng.u32(..3) == 0 {
            for x in 0..m {
                image.swap(x, m + x);
            }
        }
        generators.push(Perm::from_bijection(image).conjugate(&renaming));
    }
    Group::new(n, generators)
}

fn small_perm(m: usize, rng: &mut fastrand::Rng) -> Perm {
    let mut points: Vec<Point> = (0..m as Point).collect();
    rng.shuffle(&mut points);
    let length = rng.usize(1..=m);
    let first = Perm::from_cycles(m, &[&points[..length]]).expect("one cycle");
    let rest = Perm::from_cycles(m, &[&points[length..]]).expect("one cycle");
    if rng.bool() {
        first.product(&rest)
    } else {
        first
    }
}

/// All elements, by multiplying with generators until nothing new appears.
pub fn elements_plain(group: &Group) -> Vec<Perm> {
    closure_plain(group.degree(), group.generators())
}

pub fn closure_plain(degree: usize, generators: &[Perm]) -> Vec<Perm> {
    let mut all = vec![Perm::identity(degree)];
    let mut seen: HashSet<Perm> = all.iter().cloned().collect();
    let mut next = 0;
    while next < all.len() {
        for g in generators {
            let product = g.product(&all[next]);
            if seen.insert(product.clone()) {
                all.push(product);
            }
        }
        next += 1;
    }
    all
}

/// How many elements there are of each order: different for groups that are not isomorphic, mostly.
pub fn order_statistics(elements: &[Perm]) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for g in elements {
        let order = g.order().to_string();
        *counts.entry(order).or_default() += 1;
    }
    counts
}
