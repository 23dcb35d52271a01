//! The largest subgroup that passes a test: the worked example, enumeration, budgets.

use group::largest::{Effort, Largest, largest_subgroup, largest_subgroup_while};
use group::{Group, Perm, Point};
use num_bigint::BigUint;

use crate::sample_groups::{elements, random_group, symmetric, wreath};

const NO_CONJUGATES: Effort = Effort {
    n_tests_max: u64::MAX,
    n_conjugators: 0,
    seed: 0,
};

/// The seven clients by adjacent transpositions; the points are `0..7`, so client 4 is point 3.
fn seven_clients() -> Group {
    let swap = |i: Point| Perm::from_cycles(7, &[&[i, i + 1]]).unwrap();
    Group::new(7, (0..6).map(swap).collect())
}

fn order(n: u32) -> BigUint {
    BigUint::from(n)
}

#[test]
fn client_four_without_conjugates() {
    let found = largest_subgroup(&seven_clients(), &NO_CONJUGATES, |g| g.at(3) == 3);
    assert_eq!(found.n_cosets_at_first, order(140));
    assert_eq!(found.n_cosets_after_conjugates, order(140));
    assert!(found.is_largest);
    assert_eq!(found.group.order(), order(720));
}

#[test]
fn client_four_with_conjugates() {
    let effort = Effort {
        n_conjugators: 3,
        seed: 1,
        ..NO_CONJUGATES
    };
    let found = largest_subgroup(&seven_clients(), &effort, |g| g.at(3) == 3);
    assert_eq!(found.n_cosets_at_first, order(140));
    assert_eq!(found.n_cosets_after_conjugates, order(7));
    assert!(found.is_largest);
    assert_eq!(found.group.order(), order(720));
    // Six generators, at most twelve conjugates, one test for each other coset.
    assert!(found.n_tests <= 6 + 12 + 6, "{} tests", found.n_tests);
}

#[test]
fn the_twelve_conjugates_of_the_thesis() {
    let cycles = |c: &[&[Point]]| {
        let from_one: Vec<Vec<Point>> = c
            .iter()
            .map(|c| c.iter().map(|x| x - 1).collect())
            .collect();
        let slices: Vec<&[Point]> = from_one.iter().map(Vec::as_slice).collect();
        Perm::from_cycles(7, &slices).unwrap()
    };
    let generators = [[1, 2], [2, 3], [5, 6], [6, 7]].map(|c| cycles(&[&c]));
    let subgroup = Group::new(7, generators.to_vec());
    assert_eq!(subgroup.order(), order(36));
    let conjugators = [
        cycles(&[&[1, 6, 5], &[2, 7, 3]]),
        cycles(&[&[1, 3, 7, 4, 2, 5]]),
        cycles(&[&[1, 6, 5, 7, 3, 2, 4]]),
    ];
    let (mut n_known, mut n_failing, mut new) = (0, 0, Vec::new());
    for by in &conjugators {
        for conjugate in generators.iter().map(|g| g.conjugate(by)) {
            if subgroup.contains(&conjugate) {
                n_known += 1;
            } else if conjugate.at(3) != 3 {
                n_failing += 1;
            } else {
                new.push(conjugate);
            }
        }
    }
    assert_eq!((n_known, n_failing, new.len()), (3, 3, 6));
    for g in new {
        let enlarged = generators.iter().cloned().chain([g]).collect();
        assert_eq!(Group::new(7, enlarged).order(), order(720));
    }
}

#[test]
fn a_budget_stops_with_a_true_but_smaller_answer() {
    let effort = Effort {
        n_tests_max: 8,
        ..NO_CONJUGATES
    };
    let found = largest_subgroup(&seven_clients(), &effort, |g| g.at(3) == 3);
    assert_eq!(found.n_tests, 8);
    assert!(!found.is_largest);
    assert!(found.n_cosets_left > BigUint::ZERO);
    assert!(found.group.generators().iter().all(|g| g.at(3) == 3));
    let nothing = Effort {
        n_tests_max: 0,
        ..NO_CONJUGATES
    };
    let found = largest_subgroup(&seven_clients(), &nothing, |_| true);
    assert!(!found.is_largest && found.n_tests == 0);
    assert_eq!(found.n_cosets_left, order(5039));
}

#[test]
fn a_test_without_an_answer_stops_it() {
    for n_answers in [0, 3, 8, 20] {
        let mut n = 0;
        let found = largest_subgroup_while(&seven_clients(), &NO_CONJUGATES, |g, _| {
            n += 1;
            (n <= n_answers).then(|| g.at(3) == 3)
        });
        assert_eq!(n, n_answers + 1, "it goes on after the end");
        assert!(!found.is_largest && found.n_cosets_left > BigUint::ZERO);
        assert!(found.group.generators().iter().all(|g| g.at(3) == 3));
    }
}

/// Some subgroup, as a test: those that fix a colouring, or the even ones, or both.
fn random_test(rng: &mut fastrand::Rng, degree: usize) -> impl Fn(&Perm) -> bool + use<> {
    let n_colours = rng.u32(1..4);
    let colours: Vec<u32> = (0..degree).map(|_| rng.u32(0..n_colours)).collect();
    let only_even = rng.bool();
    move |g| (!only_even || g.is_even()) && g.move_values(&colours) == colours
}

fn is_right(found: &Largest, all: &[Perm], test: impl Fn(&Perm) -> bool) -> bool {
    let passing: Vec<&Perm> = all.iter().filter(|g| test(g)).collect();
    found.is_largest
        && found.n_cosets_left == BigUint::ZERO
        && found.group.order() == BigUint::from(passing.len())
        && passing.iter().all(|g| found.group.contains(g))
}

#[test]
fn the_subgroup_agrees_with_enumeration() {
    for seed in 0..500 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let degree = rng.usize(1..8);
        let group = random_group(&mut rng, degree);
        let all = elements(&group);
        let test = random_test(&mut rng, degree);
        let effort = Effort {
            n_conjugators: rng.usize(0..4),
            seed,
            ..NO_CONJUGATES
        };
        let found = largest_subgroup(&group, &effort, &test);
        assert!(is_right(&found, &all, &test), "seed {seed}");
        let other = |g: &Perm| test(g) && g.is_identity();
        assert!(found.group.order() == order(1) || !is_right(&found, &all, other));
    }
}

#[test]
fn every_coset_is_tested_once_when_nothing_passes() {
    // Nothing but the identity passes, no generator does: each element is a coset.
    let group = Group::new(6, symmetric(6));
    let mut tested = std::collections::HashSet::new();
    let found = largest_subgroup(&group, &NO_CONJUGATES, |g| {
        tested.insert(g.clone());
        g.is_identity()
    });
    assert_eq!(found.group.order(), order(1));
    assert!(found.is_largest);
    assert_eq!(tested.len(), 719, "all but the identity");
    assert_eq!(found.n_tests, 719 + 2, "the two generators twice");
}

#[test]
fn conjugates_find_a_large_subgroup_in_a_huge_group() {
    // Of S_3 wr S_8 what keeps block 0; the coset walk is eight cosets long.
    let group = Group::new(24, wreath(3, &symmetric(3), &symmetric(8)));
    let swaps = (0..7).map(|b| {
        let cycles: Vec<[Point; 2]> = (0..3).map(|i| [3 * b + i, 3 * b + 3 + i]).collect();
        let slices: Vec<&[Point]> = cycles.iter().map(|c| c.as_slice()).collect();
        Perm::from_cycles(24, &slices).unwrap()
    });
    let lower = wreath(3, &symmetric(3), &symmetric(8));
    let generators: Vec<Perm> = lower.into_iter().take(2).chain(swaps).collect();
    let by_swaps = Group::new(24, generators);
    assert_eq!(by_swaps.order(), group.order());
    let effort = Effort {
        n_tests_max: 2000,
        n_conjugators: 20,
        seed: 7,
    };
    let found = largest_subgroup(&by_swaps, &effort, |g| (0..3).all(|x| g.at(x) < 3));
    assert!(found.is_largest);
    assert_eq!(found.group.order() * 8u32, group.order());
}
