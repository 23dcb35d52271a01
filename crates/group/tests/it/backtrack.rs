//! Stabilisers, intersections and single elements against full enumeration, laws and known answers.

use group::backtrack::{
    colour_stabiliser, intersection, partition_stabiliser, set_stabiliser, transporter_of_colours,
    transporter_of_partitions, transporter_of_sets, transporter_of_unordered_partitions,
    unordered_partition_stabiliser,
};
use group::{Group, Perm, Point};
use num_bigint::BigUint;

use crate::sample_groups::{elements, random_group, random_perm};

/// `found` must be the subgroup of exactly those elements that fulfil `wanted`.
fn agrees(found: &Group, all: &[Perm], wanted: impl Fn(&Perm) -> bool) -> bool {
    let right: Vec<&Perm> = all.iter().filter(|g| wanted(g)).collect();
    found.order() == BigUint::from(right.len()) && right.iter().all(|g| found.contains(g))
}

fn sorted(mut set: Vec<Point>) -> Vec<Point> {
    set.sort_unstable();
    set
}

fn image_of_set(g: &Perm, set: &[Point]) -> Vec<Point> {
    sorted(set.iter().map(|&x| g.at(x)).collect())
}

fn image_of_cells(g: &Perm, cells: &[Vec<Point>]) -> Vec<Vec<Point>> {
    cells.iter().map(|c| image_of_set(g, c)).collect()
}

fn unordered(mut cells: Vec<Vec<Point>>) -> Vec<Vec<Point>> {
    cells.sort_unstable();
    cells
}

fn random_set(rng: &mut fastrand::Rng, degree: usize) -> Vec<Point> {
    (0..degree as Point).filter(|_| rng.bool()).collect()
}

fn random_colours(rng: &mut fastrand::Rng, degree: usize) -> Vec<u32> {
    let n_colours = rng.u32(1..4);
    (0..degree).map(|_| rng.u32(0..n_colours)).collect()
}

/// Disjoint, none empty, not always all points.
fn random_cells(rng: &mut fastrand::Rng, degree: usize) -> Vec<Vec<Point>> {
    let n_cells = rng.usize(1..5);
    let mut cells = vec![Vec::new(); n_cells];
    for x in 0..degree as Point {
        if rng.u32(0..8) > 0 {
            cells[rng.usize(0..n_cells)].push(x);
        }
    }
    cells.retain(|c| !c.is_empty());
    cells
}

#[test]
fn stabilisers_agree_with_enumeration() {
    for seed in 0..2500 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let degree = if seed % 10 == 0 { 8 } else { rng.usize(1..8) };
        let group = random_group(&mut rng, degree);
        let all = elements(&group);
        let set = random_set(&mut rng, degree);
        let found = set_stabiliser(&group, &set);
        assert!(
            agrees(&found, &all, |g| image_of_set(g, &set) == set),
            "set, seed {seed}"
        );
        let colours = random_colours(&mut rng, degree);
        let found = colour_stabiliser(&group, &colours);
        let keeps = |g: &Perm| g.move_values(&colours) == colours;
        assert!(agrees(&found, &all, keeps), "colours, seed {seed}");
        let cells = random_cells(&mut rng, degree);
        let found = partition_stabiliser(&group, &cells);
        let keeps = |g: &Perm| image_of_cells(g, &cells) == cells;
        assert!(agrees(&found, &all, keeps), "partition, seed {seed}");
        let found = unordered_partition_stabiliser(&group, &cells);
        let target = unordered(cells.clone());
        let keeps = |g: &Perm| unordered(image_of_cells(g, &cells)) == target;
        assert!(
            agrees(&found, &all, keeps),
            "unordered partition, seed {seed}"
        );
    }
}

#[test]
fn intersections_agree_with_enumeration() {
    for seed in 0..2000 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let degree = if seed % 10 == 0 { 8 } else { rng.usize(1..8) };
        let a = random_group(&mut rng, degree);
        let b = random_group(&mut rng, degree);
        let common = intersection(&a, &b);
        let all = elements(&a);
        assert!(agrees(&common, &all, |g| b.contains(g)), "seed {seed}");
    }
}

/// What was found must do what was asked; what was not found must not exist.
fn check_transporter(
    found: Option<Perm>,
    all: &[Perm],
    wanted: impl Fn(&Perm) -> bool,
    context: &str,
) {
    match found {
        Some(g) => assert!(all.contains(&g) && wanted(&g), "{g:?} is wrong: {context}"),
        None => assert!(!all.iter().any(wanted), "missed one: {context}"),
    }
}

#[test]
fn transporters_agree_with_enumeration() {
    for seed in 0..2500 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let degree = if seed % 10 == 0 { 8 } else { rng.usize(1..8) };
        let group = random_group(&mut rng, degree);
        let all = elements(&group);
        // Half of the targets are images, so that both answers occur.
        let by = if rng.bool() {
            all[rng.usize(0..all.len())].clone()
        } else {
            random_perm(&mut rng, degree, degree)
        };
        let set = random_set(&mut rng, degree);
        let to = image_of_set(&by, &set);
        let found = transporter_of_sets(&group, &set, &to);
        let context = format!("set, seed {seed}");
        check_transporter(found, &all, |g| image_of_set(g, &set) == to, &context);
        let colours = random_colours(&mut rng, degree);
        let to = by.move_values(&colours);
        let found = transporter_of_colours(&group, &colours, &to);
        let context = format!("colours, seed {seed}");
        check_transporter(found, &all, |g| g.move_values(&colours) == to, &context);
        let cells = random_cells(&mut rng, degree);
        let to = image_of_cells(&by, &cells);
        let found = transporter_of_partitions(&group, &cells, &to);
        let context = format!("partition, seed {seed}");
        check_transporter(found, &all, |g| image_of_cells(g, &cells) == to, &context);
        let to = unordered(to);
        let found = transporter_of_unordered_partitions(&group, &cells, &to);
        let context = format!("unordered partition, seed {seed}");
        let maps = |g: &Perm| unordered(image_of_cells(g, &cells)) == to;
        check_transporter(found, &all, maps, &context);
    }
}

#[test]
fn the_comparison_notices_a_planted_fault() {
    let mut rng = fastrand::Rng::with_seed(1);
    let group = random_group(&mut rng, 6);
    let all = elements(&group);
    let whole = Group::new(6, group.generators().to_vec());
    assert!(agrees(&whole, &all, |_| true));
    assert!(!agrees(&whole, &all, |g| g.is_identity()), "too large");
    assert!(!agrees(&Group::new(6, vec![]), &all, |_| true), "too small");
}
