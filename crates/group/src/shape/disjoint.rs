//! Disjoint products: factors that move different points.
//!
//! `G` is the disjoint product of `H1, …, Hk` if it is their product and no point is moved by two
//! of them. There is one finest such decomposition; its factors are the actions of `G` on unions of
//! orbits. Three ways to find it:
//!
//! 1. [`factors_by_generators`]: generators whose supports meet belong together. Always a
//!    decomposition, but `(0 1)(2 3)` beside `(2 3)` hides one.
//! 2. [`disjoint_factors`]: first *rewrite* the generators so that each lives in one factor, then
//!    as before. Polynomial, and always the finest.
//! 3. [`factors_by_partitions`]: try the ways to cut the set of orbits in two. Exponential; kept as
//!    the plain twin of the second.
//!
//! The rewriting: take a stabiliser chain whose base lists the points orbit by orbit. Let `g` be a
//! strong generator whose first moved orbit is `Ω`, inside the (unknown) factor `C`. Walk the base
//! points `b` after `Ω`; whenever `g(b)` is in the basic orbit of `b`, multiply by the transversal
//! element that brings it back. What `g` does outside `C` lies in `G` and fixes all orbits up to
//! `Ω`, hence at every `b` outside `C` the image is in the basic orbit and is brought back, for
//! good, since later transversal elements fix `b`. At the end nothing outside `C` is moved.
//!
//! Worked example: `⟨(0 1)(2 3), (2 3)⟩`, base `0 1 | 2 3`. `g = (0 1)(2 3)` moves `{0,1}` first.
//! At base point 2: `g(2) = 3`, and 3 is in the basic orbit of 2 because `(2 3)` fixes 0 and 1.
//! Multiply by `(2 3)`: left is `(0 1)`. Supports `{0,1}` and `{2,3}` are apart: `S2 x S2`. In
//! `⟨(0 1)(2 3)⟩` the basic orbit of 2 is `{2}`, nothing is rewritten, and there is one factor.
//!
//! Sources: Donaldson 2007, §9.3 (the first and third way, and polynomial time as an open problem);
//! the second is ours. Departures: only one row of each table of columns enters the chain, since
//! orbits that are alike always belong together; nor do orbits that are quotients of others. Where
//! one orbit is left, no chain is needed.

use crate::chain::{Chain, Group};
use crate::orbit::DisjointSets;
use crate::perm::{Perm, Point};

use super::columns::{GeneratorMoves, Table, columns_of};
use super::{GroupFactor, moved_orbits, restricted, restricted_to_each};

/// More classes of orbits than this are not cut by [`factors_by_partitions`].
const PARTITION_CLASSES_MAX: usize = 20;

/// The finest decomposition of `group` as a disjoint product, in order of least points; the trivial
/// group has none.
///
/// # Ensures
/// The parts' points are the moved points of `group`, each once; the product of the orders is the
/// order of `group`; no part is trivial or splits further.
pub fn disjoint_factors(group: &Group) -> Vec<GroupFactor> {
    let coarse = supports_joined(group.degree(), group.generators());
    let actions = restricted_to_each(group.generators(), &coarse);
    let mut classes = Vec::new();
    for (points, generators) in coarse.iter().zip(actions) {
        for class in split_completely(points.len(), &generators) {
            classes.push(class.iter().map(|&i| points[i as usize]).collect());
        }
    }
    parts(group, classes)
}

/// The decomposition that the supports of the generators show: sound, cheap, not always the finest.
pub fn factors_by_generators(group: &Group) -> Vec<GroupFactor> {
    parts(group, supports_joined(group.degree(), group.generators()))
}

/// The finest decomposition by trying all ways to cut the orbits in two, where orbits that depend
/// on one another are kept together; `None` if there are more than a million ways.
///
/// Orbit `A` depends on `B` if fixing `B` pointwise leaves less freedom on `A`.
/// Source: Donaldson 2007, Algorithm 8 and Definition 30.
pub fn factors_by_partitions(group: &Group) -> Option<Vec<GroupFactor>> {
    let orbits = moved_orbits(group.degree(), group.generators());
    let mut sets = DisjointSets::new(orbits.len());
    for (j, b) in orbits.iter().enumerate() {
        let chain = Chain::new(group.degree(), group.generators(), b);
        let fixing = chain.stabiliser_generators(b.len());
        for (i, a) in orbits.iter().enumerate().filter(|&(i, _)| i != j) {
            let order = |gens: &[Perm]| Group::new(a.len(), restricted(gens, a)).order();
            if order(fixing) < order(group.generators()) {
                sets.join(i as Point, j as Point);
            }
        }
    }
    let classes: Vec<Vec<Point>> = sets.sets();
    let points_of = |class: &Vec<Point>| -> Vec<Point> {
        class
            .iter()
            .flat_map(|&i| orbits[i as usize].clone())
            .collect()
    };
    let classes: Vec<Vec<Point>> = classes.iter().map(points_of).collect();
    (classes.len() <= PARTITION_CLASSES_MAX).then(|| parts(group, cut_in_two(group, classes)))
}

fn cut_in_two(group: &Group, classes: Vec<Vec<Point>>) -> Vec<Vec<Point>> {
    if classes.is_empty() {
        return Vec::new();
    }
    // The first class stays on the left, so that no cut is tried twice.
    for mask in 1..1u32 << (classes.len() - 1) {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for (i, class) in classes.iter().enumerate() {
            let on_the_right = i > 0 && mask >> (i - 1) & 1 == 1;
            if on_the_right { &mut right } else { &mut left }.push(class.clone());
        }
        if is_factor(group, &left.concat()) {
            let mut all = cut_in_two(group, left);
            all.extend(cut_in_two(group, right));
            return all;
        }
    }
    vec![classes.concat()]
}

/// Whether what the generators do on `points`, and nothing elsewhere, lies in the group. If it does
/// so does what they do elsewhere.
fn is_factor(group: &Group, points: &[Point]) -> bool {
    group.generators().iter().all(|g| {
        let mut image: Vec<Point> = (0..group.degree() as Point).collect();
        for &x in points {
            image[x as usize] = g.at(x);
        }
        group.contains(&Perm::from_bijection(image))
    })
}

fn parts(group: &Group, mut classes: Vec<Vec<Point>>) -> Vec<GroupFactor> {
    if classes.len() == 1 && classes[0].len() == group.degree() {
        let points = (0..group.degree() as Point).collect();
        let group = group.clone();
        return vec![GroupFactor { points, group }];
    }
    classes.iter_mut().for_each(|c| c.sort_unstable());
    classes.sort_unstable();
    let actions = restricted_to_each(group.generators(), &classes);
    let part = |(points, generators): (Vec<Point>, Vec<Perm>)| GroupFactor {
        group: Group::new(points.len(), generators),
        points,
    };
    classes.into_iter().zip(actions).map(part).collect()
}

fn supports_joined(degree: usize, generators: &[Perm]) -> Vec<Vec<Point>> {
    let mut sets = DisjointSets::new(degree);
    for g in generators {
        for pair in g.support().windows(2) {
            sets.join(pair[0], pair[1]);
        }
    }
    let mut classes = sets.sets();
    classes.retain(|c| c.len() > 1);
    classes
}

/// The points of each factor of the finest decomposition.
fn split_completely(degree: usize, generators: &[Perm]) -> Vec<Vec<Point>> {
    let tables = columns_of(degree, generators);
    let (mut sets, kept) = join_quotients(degree, generators, &tables);
    if kept.len() > 1 {
        let rows = kept.iter().map(|&t| tables[t].rows()[0].clone());
        let base: Vec<Point> = rows.flatten().collect();
        let mut starts = vec![0];
        for &t in &kept {
            starts.push(starts[starts.len() - 1] + tables[t].width());
        }
        for class in join_rewritten(&restricted(generators, &base), &starts) {
            for pair in class.windows(2) {
                let [a, b] = [pair[0], pair[1]].map(|i| kept[i as usize] as Point);
                sets.join(a, b);
            }
        }
    }
    let points_of = |class: &Vec<Point>| -> Vec<Point> {
        let tables = class.iter().map(|&t| &tables[t as usize]);
        tables.flat_map(Table::points).collect()
    };
    sets.sets().iter().map(points_of).collect()
}

/// Joins tables where one orbit is a quotient of another (the servers, of their clients): what
/// fixes the larger fixes the smaller, so they belong together, and the smaller adds nothing to the
/// group. Returns the sets of tables and the tables that are no quotients.
fn join_quotients(
    degree: usize,
    generators: &[Perm],
    tables: &[Table],
) -> (DisjointSets, Vec<usize>) {
    let moves = GeneratorMoves::new(degree, generators);
    let mut sets = DisjointSets::new(tables.len());
    let mut by_width: Vec<usize> = (0..tables.len()).collect();
    by_width.sort_by_key(|&t| std::cmp::Reverse(tables[t].width()));
    let mut kept: Vec<usize> = Vec::new();
    for t in by_width {
        let row = &tables[t].rows()[0];
        let is_quotient = |&k: &usize| {
            let larger = &tables[k].rows()[0];
            larger.len().is_multiple_of(row.len())
                && row
                    .iter()
                    .any(|&y| moves.map_to(larger, &moves, y).is_some())
        };
        match kept.iter().copied().find(is_quotient) {
            Some(k) => {
                sets.join(t as Point, k as Point);
            }
            None => kept.push(t),
        }
    }
    (sets, kept)
}

/// The orbits that belong together, where orbit `i` is `starts[i]..starts[i + 1]`.
fn join_rewritten(generators: &[Perm], starts: &[usize]) -> Vec<Vec<Point>> {
    let n = starts[starts.len() - 1];
    let base: Vec<Point> = (0..n as Point).collect();
    let chain = Chain::new(n, generators, &base);
    let orbit_of = |x: Point| starts.partition_point(|&s| s <= x as usize) - 1;
    let mut sets = DisjointSets::new(starts.len() - 1);
    for i in 0..starts.len() - 1 {
        for g in chain.stabiliser_generators(starts[i]) {
            if g.support().first().is_none_or(|&x| orbit_of(x) != i) {
                continue;
            }
            let g = rewritten(&chain, g, starts[i + 1]);
            for &x in g.support() {
                sets.join(i as Point, orbit_of(x) as Point);
            }
        }
    }
    sets.sets()
}

/// `g` times elements of the stabilisers below level `from`, so that no base point from there on is
/// moved that need not be.
fn rewritten(chain: &Chain, g: &Perm, from: usize) -> Perm {
    let mut g = g.clone();
    for level in from..chain.n_levels() {
        let b = chain.base_point(level);
        let y = g.at(b);
        if y != b && chain.in_orbit(level, y) {
            g = chain.transversal(level, y).inverse().product(&g);
        }
    }
    g
}
