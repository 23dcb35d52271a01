//! Stabilisers, intersections and single elements against full enumeration, laws and known answers.

use std::collections::HashSet;

use group::backtrack::{
    colour_stabiliser, colour_stabiliser_within, intersection, intersection_within,
    partition_stabiliser, set_stabiliser, set_stabiliser_within, transporter_of_colours,
    transporter_of_colours_within, transporter_of_partitions, transporter_of_sets,
    transporter_of_unordered_partitions, unordered_partition_stabiliser,
};
use group::{Budget, Group, NoAnswer, Perm, Point};
use num_bigint::BigUint;

use crate::sample_groups::{
    cyclic, dihedral, direct_product, elements, hypercube, on_pairs, projective_line, random_group,
    random_perm, symmetric, wreath,
};

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
        let degree = if seed % 25 == 0 { 8 } else { rng.usize(1..8) };
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
        let degree = if seed % 25 == 0 { 8 } else { rng.usize(1..8) };
        let a = random_group(&mut rng, degree);
        let b = random_group(&mut rng, degree);
        let common = intersection(&a, &b);
        let all = elements(&a);
        assert!(agrees(&common, &all, |g| b.contains(g)), "seed {seed}");
    }
}

/// What is wrong with the answer, if anything: what was found must be an element that does what was
/// asked; what was not found must not exist.
fn fault_of_transporter(
    found: Option<Perm>,
    all: &[Perm],
    wanted: impl Fn(&Perm) -> bool,
) -> Option<String> {
    match found {
        Some(g) if !all.contains(&g) => Some(format!("{g:?} is no element")),
        Some(g) if !wanted(&g) => Some(format!("{g:?} does something else")),
        Some(_) => None,
        None => all
            .iter()
            .find(|g| wanted(g))
            .map(|g| format!("missed {g:?}")),
    }
}

fn check_transporter(
    found: Option<Perm>,
    all: &[Perm],
    wanted: impl Fn(&Perm) -> bool,
    context: &str,
) {
    let fault = fault_of_transporter(found, all, wanted);
    assert_eq!(fault, None, "{context}");
}

#[test]
fn transporters_agree_with_enumeration() {
    for seed in 0..2500 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let degree = if seed % 25 == 0 { 8 } else { rng.usize(1..8) };
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
fn empty_cells_and_repeated_points_mean_nothing() {
    let group = Group::new(4, symmetric(4));
    let found = transporter_of_partitions(&group, &[vec![0]], &[vec![1], vec![]]);
    assert_eq!(found.map(|g| g.at(0)), Some(1));
    let found = transporter_of_partitions(&group, &[vec![0], vec![1]], &[vec![0]]);
    assert!(found.is_none(), "the second cell has nowhere to go");
    let once = partition_stabiliser(&group, &[vec![0, 1]]);
    let twice = partition_stabiliser(&group, &[vec![0, 1, 0], vec![]]);
    assert!(once.is_equal_to(&twice));
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

#[test]
fn wrong_transporters_are_noticed() {
    // The rotations of the square, from the set {0, 1} to {1, 2}.
    let all = elements(&Group::new(4, cyclic(4)));
    let wanted = |g: &Perm| image_of_set(g, &[0, 1]) == [1, 2];
    let fault = |found: Option<Perm>| fault_of_transporter(found, &all, wanted).unwrap_or_default();
    let perm = |image: [Point; 4]| Perm::from_image(image.to_vec());
    assert_eq!(fault(perm([1, 2, 3, 0])), "");
    // A reflection maps the sets as wanted, but is not in the group.
    assert_eq!(fault(perm([2, 1, 0, 3])), "(0 2) is no element");
    assert_eq!(fault(perm([2, 3, 0, 1])), "(0 2)(1 3) does something else");
    assert_eq!(fault(None), "missed (0 1 2 3)");
    assert_eq!(fault_of_transporter(None, &all, |_| false), None);
    let caught = std::panic::catch_unwind(|| check_transporter(None, &all, wanted, "planted"));
    assert!(caught.is_err(), "the check does not fire");
}

#[test]
fn a_spent_budget_is_no_answer() {
    let cube = Group::new(16, hypercube(4));
    let colours: Vec<u32> = (0..16)
        .map(|x| u32::from([0, 3, 5, 9, 14].contains(&x)))
        .collect();
    let moved = cube.generators()[0].move_values(&colours);
    let twin = Group::new(16, dihedral(16));
    let stabiliser = colour_stabiliser(&cube, &colours).order();
    let common = intersection(&cube, &twin).order();
    let mut n_stopped = [0; 3];
    for n_steps in 0..2000 {
        let budget = || Budget::of_steps(n_steps);
        match colour_stabiliser_within(&cube, &colours, &budget()) {
            Ok(found) => assert_eq!(found.order(), stabiliser, "{n_steps} steps"),
            Err(reason) => n_stopped[0] += usize::from(reason == NoAnswer::Steps),
        }
        match intersection_within(&cube, &twin, &budget()) {
            Ok(found) => assert_eq!(found.order(), common, "{n_steps} steps"),
            Err(reason) => n_stopped[1] += usize::from(reason == NoAnswer::Steps),
        }
        match transporter_of_colours_within(&cube, &colours, &moved, &budget()) {
            Ok(found) => assert_eq!(found.map(|g| g.move_values(&colours)), Some(moved.clone())),
            Err(reason) => n_stopped[2] += usize::from(reason == NoAnswer::Steps),
        }
    }
    assert!(
        n_stopped.iter().all(|n| (1..1000).contains(n)),
        "{n_stopped:?}"
    );
    let over = Budget::until(base::Clock::of(Some(std::time::Duration::ZERO)));
    let stopped = set_stabiliser_within(&cube, &[0, 3], &over).map(|g| g.order());
    assert_eq!(stopped, Err(NoAnswer::Time));
}

#[test]
fn the_search_by_hand_of_the_theory_page() {
    let square = Group::new(4, dihedral(4));
    let found = set_stabiliser(&square, &[0, 2]);
    let cycle = |c: &[Point]| Perm::from_cycles(4, &[c]).unwrap();
    assert_eq!(found.generators(), [cycle(&[1, 3]), cycle(&[0, 2])]);
    assert_eq!(found.order(), BigUint::from(4u32));
    assert!(transporter_of_sets(&square, &[0, 2], &[0, 1]).is_none());
}

/// The images of a set under the group, by breadth-first search.
fn orbit_of_set(group: &Group, set: &[Point]) -> Vec<Vec<Point>> {
    let mut orbit = vec![set.to_vec()];
    let mut seen: HashSet<Vec<Point>> = orbit.iter().cloned().collect();
    let mut next = 0;
    while next < orbit.len() {
        for g in group.generators() {
            let image = image_of_set(g, &orbit[next]);
            if seen.insert(image.clone()) {
                orbit.push(image);
            }
        }
        next += 1;
    }
    orbit
}

#[test]
fn orbit_length_times_stabiliser_order_is_the_group_order() {
    let families = [
        hypercube(4),
        hypercube(8),
        projective_line(13),
        projective_line(199),
        on_pairs(&symmetric(7)),
        on_pairs(&symmetric(20)),
        wreath(3, &symmetric(3), &dihedral(5)),
        direct_product(&projective_line(7), &hypercube(3)),
        cyclic(200),
        dihedral(200),
    ];
    for (family, generators) in families.into_iter().enumerate() {
        let degree = generators[0].degree();
        let group = Group::new(degree, generators);
        for size in 0..3 {
            let mut rng = fastrand::Rng::with_seed(size as u64);
            let mut points: Vec<Point> = (0..degree as Point).collect();
            rng.shuffle(&mut points);
            let set = sorted(points[..size].to_vec());
            let stabiliser = set_stabiliser(&group, &set);
            let orbit = orbit_of_set(&group, &set);
            let product = stabiliser.order() * orbit.len();
            assert_eq!(product, group.order(), "family {family}, size {size}");
            let target = &orbit[rng.usize(0..orbit.len())];
            let g = transporter_of_sets(&group, &set, target).expect("same orbit");
            assert_eq!(
                &image_of_set(&g, &set),
                target,
                "family {family}, size {size}"
            );
        }
    }
}

#[test]
fn known_subgroups_at_degree_two_hundred() {
    let cube = Group::new(256, hypercube(8));
    let even: Vec<Point> = (0..256)
        .filter(|x: &u32| x.count_ones().is_multiple_of(2))
        .collect();
    assert_eq!(set_stabiliser(&cube, &even).order() * 2u32, cube.order());
    // A sphere around 0: what fixes it fixes 0, or moves 0 to the antipode if the radius is 4.
    let sphere: Vec<Point> = (0..256).filter(|x: &u32| x.count_ones() == 3).collect();
    assert_eq!(
        set_stabiliser(&cube, &sphere).order(),
        BigUint::from(40320u32)
    );
    let middle: Vec<Point> = (0..256).filter(|x: &u32| x.count_ones() == 4).collect();
    assert_eq!(
        set_stabiliser(&cube, &middle).order(),
        BigUint::from(2 * 40320u32)
    );
    // In S_20 on its 190 pairs: the pairs inside five blocks of four.
    let pairs = Group::new(190, on_pairs(&symmetric(20)));
    let all = (0..20u32).flat_map(|a| (a + 1..20).map(move |b| (a, b)));
    let inside = all.enumerate().filter(|(_, (a, b))| a / 4 == b / 4);
    let set: Vec<Point> = inside.map(|(i, _)| i as Point).collect();
    assert_eq!(
        set_stabiliser(&pairs, &set).order(),
        BigUint::from(24u64.pow(5) * 120)
    );
    // Rotations by an even number of places, and mirrors through two even places or two odd ones.
    let ring = Group::new(200, dihedral(200));
    let evens: Vec<Point> = (0..200).step_by(2).collect();
    assert_eq!(set_stabiliser(&ring, &evens).order(), BigUint::from(200u32));
    assert!(transporter_of_sets(&ring, &[0, 1], &[7, 8]).is_some());
    assert!(transporter_of_sets(&ring, &[0, 1], &[7, 9]).is_none());
    let common = intersection(&ring, &Group::new(200, cyclic(200)));
    assert_eq!(common.order(), BigUint::from(200u32));
}

#[test]
fn stabilisers_in_large_products_of_symmetric_groups_are_written_down() {
    // S300 on two rows beside S400: an element keeps the set if it keeps its share of each.
    let rows: Vec<Perm> = Group::symmetric(300)
        .generators()
        .iter()
        .map(|g| {
            let twice = g.image().iter().copied();
            let shifted = g.image().iter().map(|x| x + 300);
            Perm::from_bijection(twice.chain(shifted).collect())
        })
        .collect();
    let group = Group::new(600, rows).direct_product(&Group::symmetric(400));
    // Columns 0..10 have both points in the set, 10..30 the upper one only; 7 points of the rest.
    let set: Vec<Point> = (0..30).chain(300..310).chain(600..607).collect();
    let found = group::backtrack::set_stabiliser(&group, &set);
    let factorial = group::families::factorial;
    let expected = [10, 20, 270, 7, 393].map(factorial).into_iter().product();
    assert_eq!(found.order(), expected);
    for g in found.generators() {
        assert!(group.contains(g) && set.iter().all(|&x| set.contains(&g.at(x))));
    }
}
