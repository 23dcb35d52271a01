//! Random groups of all sorts: built from families by products, wreath products, diagonal actions
//! and random subgroups, or from random generators; with their points shuffled.

use fastrand::Rng;
use group::{Group, Perm, Point};

use crate::sample_groups::{
    alternating, cyclic, dihedral, direct_product, hypercube, on_pairs, perm_by, projective_line,
    random_perm, symmetric, wreath,
};

/// A random group on at most `degree_max` points (at least one), some of them perhaps fixed.
pub fn random_group(rng: &mut Rng, degree_max: usize) -> Group {
    let degree = rng.usize(1..=degree_max);
    random_group_of_degree(rng, degree)
}

/// A random group on `degree` points.
pub fn random_group_of_degree(rng: &mut Rng, degree: usize) -> Group {
    let moved = if rng.bool() {
        degree
    } else {
        rng.usize(1..=degree)
    };
    let generators = random_generators(rng, moved, 2);
    let padded = generators.iter().map(|g| {
        perm_by(degree, |x| {
            if (x as usize) < g.degree() {
                g.at(x)
            } else {
                x
            }
        })
    });
    let rename = random_perm(rng, degree, degree);
    let generators = padded.map(|g| g.conjugate(&rename)).collect();
    Group::new(degree, generators)
}

/// Generators on at most `degree` points, of nested products up to `depth`.
fn random_generators(rng: &mut Rng, degree: usize, depth: usize) -> Vec<Perm> {
    if degree == 1 {
        return vec![Perm::identity(1)];
    }
    match rng.usize(0..10) {
        0 if depth > 0 => {
            let first = rng.usize(1..degree);
            let a = random_generators(rng, first, depth - 1);
            let b = random_generators(rng, degree - first, depth - 1);
            direct_product(&a, &b)
        }
        1 | 2 if depth > 0 && degree >= 4 => {
            let size = rng.usize(2..=degree / 2);
            let inner = random_generators(rng, size, depth - 1);
            let outer = random_generators(rng, degree / size, depth - 1);
            wreath(inner[0].degree(), &inner, &outer)
        }
        3 if degree >= 4 => diagonal(rng, degree),
        4 if depth > 0 => {
            let around = random_generators(rng, degree, depth - 1);
            let around = Group::new(around[0].degree(), around);
            let n = rng.usize(1..=3);
            (0..n).map(|_| around.chain().random(rng)).collect()
        }
        5 => special(rng, degree),
        6 | 7 => {
            let n = rng.usize(1..=3);
            let support = rng.usize(2..=degree);
            (0..n).map(|_| random_perm(rng, degree, support)).collect()
        }
        _ => family(rng, degree),
    }
}

fn family(rng: &mut Rng, degree: usize) -> Vec<Perm> {
    match rng.usize(0..4) {
        0 if degree >= 3 => dihedral(degree),
        1 if degree >= 3 => alternating(degree),
        2 => cyclic(degree),
        _ => symmetric(degree),
    }
}

/// The same group on several rows, or two cycles turning together.
fn diagonal(rng: &mut Rng, degree: usize) -> Vec<Perm> {
    let width = rng.usize(2..=degree / 2);
    let n_rows = (degree / width) as Point;
    if rng.bool() {
        let w = width as Point;
        let on_rows = |g: Perm| perm_by(width * n_rows as usize, |x| x / w * w + g.at(x % w));
        family(rng, width).into_iter().map(on_rows).collect()
    } else {
        let (a, b) = (cyclic(width), cyclic(degree - width));
        let both = direct_product(&a, &b);
        vec![both[0].product(&both[1])]
    }
}

/// Actions that are neither intransitive nor imprimitive in an obvious way.
fn special(rng: &mut Rng, degree: usize) -> Vec<Perm> {
    let mut fitting: Vec<Vec<Perm>> = vec![cyclic(degree)];
    for p in [3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 61, 127, 199] {
        if (p as usize) < degree && 4 * (p as usize + 1) > degree {
            fitting.push(projective_line(p));
        }
    }
    for d in 2..8u32 {
        if 1 << d <= degree && degree < 4 << d {
            fitting.push(hypercube(d));
        }
    }
    for n in 4..20 {
        if n * (n - 1) / 2 <= degree && degree < 2 * n * n {
            let below = family(rng, n);
            fitting.push(on_pairs(&below));
        }
    }
    let i = rng.usize(0..fitting.len());
    fitting.swap_remove(i)
}

/// An element of the group, or something near one, or anything.
pub fn element_or_not(rng: &mut Rng, group: &Group) -> Perm {
    let n = group.degree();
    let inside = group.chain().random(rng);
    match rng.usize(0..3) {
        0 => inside,
        1 => inside.product(&random_perm(rng, n, 2)),
        _ => random_perm(rng, n, n),
    }
}

/// A random set of points, of a random size.
pub fn random_set(rng: &mut Rng, degree: usize) -> Vec<Point> {
    let mut points: Vec<Point> = (0..degree as Point).collect();
    rng.shuffle(&mut points);
    points.truncate(rng.usize(0..=degree));
    points.sort_unstable();
    points
}

/// Disjoint sets, none of them empty, that need not cover everything.
pub fn random_cells(rng: &mut Rng, degree: usize, n_max: usize) -> Vec<Vec<Point>> {
    let n = rng.usize(1..=n_max);
    let mut cells = vec![Vec::new(); n + 1];
    for x in 0..degree as Point {
        cells[rng.usize(0..=n)].push(x);
    }
    if rng.bool() {
        cells.truncate(n);
    }
    cells.retain(|c| !c.is_empty());
    cells
}

/// The sets that `g` maps the cells to.
pub fn moved_cells(cells: &[Vec<Point>], g: &Perm) -> Vec<Vec<Point>> {
    let moved = |cell: &Vec<Point>| {
        let mut image: Vec<Point> = cell.iter().map(|&x| g.at(x)).collect();
        image.sort_unstable();
        image
    };
    cells.iter().map(moved).collect()
}
