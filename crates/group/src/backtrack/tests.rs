//! Known answers at degree 200 and more, on chains written down instead of computed, so that these
//! tests are about the search alone; and the parts that the public functions seldom reach.

use num_bigint::BigUint;

use super::base_change::MovableChain;
use super::refiner::{Blocks, Orbitals, PointColours, Refiner, SearchSide};
use super::search::BacktrackProblem;
use super::{add_orbitals, coloured, unordered};
use crate::budget::Budget;
use crate::chain::Group;
use crate::families::factorial;
use crate::perm::{Perm, Point};

fn cycle(degree: usize, points: &[Point]) -> Perm {
    Perm::from_cycles(degree, &[points]).unwrap()
}

/// `S_n` by adjacent transpositions.
fn symmetric(n: usize) -> MovableChain {
    let base: Vec<Point> = (0..n as Point - 1).collect();
    let generators = base.iter().map(|&i| (cycle(n, &[i, i + 1]), i));
    MovableChain::from_strong_generators(n, &base, generators.collect())
}

/// `A_n` by 3-cycles of neighbours.
fn alternating(n: usize) -> MovableChain {
    let base: Vec<Point> = (0..n as Point - 2).collect();
    let generators = base.iter().map(|&i| (cycle(n, &[i, i + 1, i + 2]), i));
    MovableChain::from_strong_generators(n, &base, generators.collect())
}

/// `S_size wr S_n_blocks`; `place` gives the point for a block and a place in it.
fn wreath(size: usize, n_blocks: usize, place: impl Fn(usize, usize) -> Point) -> MovableChain {
    let degree = size * n_blocks;
    let mut base = Vec::new();
    let mut generators = Vec::new();
    for block in 0..n_blocks {
        for i in 0..size - 1 {
            let depth = base.len() as u32;
            base.push(place(block, i));
            let swap = [place(block, i), place(block, i + 1)];
            generators.push((cycle(degree, &swap), depth));
            if i == 0 && block + 1 < n_blocks {
                let pairs: Vec<[Point; 2]> = (0..size)
                    .map(|j| [place(block, j), place(block + 1, j)])
                    .collect();
                let cycles: Vec<&[Point]> = pairs.iter().map(|p| p.as_slice()).collect();
                generators.push((Perm::from_cycles(degree, &cycles).unwrap(), depth));
            }
        }
    }
    MovableChain::from_strong_generators(degree, &base, generators)
}

fn in_rows(size: usize) -> impl Fn(usize, usize) -> Point {
    move |block, i| (block * size + i) as Point
}

fn order_of_stabiliser(chain: MovableChain, mut refiners: Vec<Box<dyn Refiner + '_>>) -> BigUint {
    add_orbitals(&chain, &mut refiners);
    let check = chain.clone();
    let unlimited = Budget::unlimited();
    let found = BacktrackProblem::new(vec![chain], refiners)
        .stabiliser(&unlimited)
        .unwrap();
    assert!(found.generators.iter().all(|g| check.contains(g)));
    found.order
}

fn colours(n: u32, colour: impl Fn(u32) -> u32) -> Vec<u32> {
    (0..n).map(colour).collect()
}

#[test]
fn sets_in_symmetric_and_alternating_groups() {
    let half = colours(200, |x| x % 2);
    let found = order_of_stabiliser(symmetric(200), coloured(&half, &half));
    assert_eq!(found, factorial(100).pow(2));
    let five = colours(200, |x| x * x % 5);
    let found = order_of_stabiliser(symmetric(200), coloured(&five, &five));
    // The squares modulo 5 are 0 (40 of 200), 1 (80) and 4 (80).
    assert_eq!(found, factorial(40) * factorial(80).pow(2));
    let half = colours(100, |x| x % 2);
    let found = order_of_stabiliser(alternating(100), coloured(&half, &half));
    assert_eq!(found, factorial(50).pow(2) / 2u32);
}

#[test]
fn unordered_partitions_in_symmetric_groups() {
    let all = vec![1; 200];
    let pairs = colours(200, |x| x / 2);
    let found = order_of_stabiliser(symmetric(200), unordered(&pairs, &pairs, &all, &all));
    assert_eq!(found, BigUint::from(2u32).pow(100) * factorial(100));
    let scattered = colours(200, |x| x % 10);
    let refiners = unordered(&scattered, &scattered, &all, &all);
    let found = order_of_stabiliser(symmetric(200), refiners);
    assert_eq!(found, factorial(20).pow(10) * factorial(10));
}

#[test]
fn wreath_products() {
    let chain = || wreath(10, 20, in_rows(10));
    let transversal = colours(200, |x| u32::from(x % 10 == 0));
    let found = order_of_stabiliser(chain(), coloured(&transversal, &transversal));
    assert_eq!(found, factorial(9).pow(20) * factorial(20));
    let blocks = colours(200, |x| x / 10 % 2);
    let found = order_of_stabiliser(chain(), coloured(&blocks, &blocks));
    assert_eq!(found, factorial(10).pow(20) * factorial(10).pow(2));
    let two_blocks = colours(250, |x| x / 10);
    let all = vec![1; 250];
    let refiners = unordered(&two_blocks, &two_blocks, &all, &all);
    let found = order_of_stabiliser(wreath(5, 50, in_rows(5)), refiners);
    assert_eq!(
        found,
        factorial(5).pow(50) * BigUint::from(2u32).pow(25) * factorial(25)
    );
}

#[test]
fn rows_and_columns_of_a_grid_meet_in_a_direct_product() {
    let rows = wreath(10, 20, in_rows(10));
    let columns = wreath(20, 10, |block, i| (i * 10 + block) as Point);
    for with_orbitals in [true, false] {
        let mut refiners = Vec::new();
        if with_orbitals {
            add_orbitals(&rows, &mut refiners);
            add_orbitals(&columns, &mut refiners);
        }
        let problem = BacktrackProblem::new(vec![rows.clone(), columns.clone()], refiners);
        let order = problem.stabiliser(&Budget::unlimited()).unwrap().order;
        assert_eq!(
            order,
            factorial(10) * factorial(20),
            "orbitals: {with_orbitals}"
        );
    }
}

#[test]
fn elements_between_sets_in_a_wreath_product() {
    let chain = wreath(10, 20, in_rows(10));
    // As many points in each block on both sides, but the blocks come in another order.
    let left = colours(200, |x| u32::from(x % 10 < x / 20));
    let right = colours(200, |x| u32::from(9 - x % 10 < (199 - x) / 20));
    let refiners = coloured(&left, &right);
    let g = BacktrackProblem::new(vec![chain.clone()], refiners)
        .transporter(&Budget::unlimited())
        .unwrap()
        .unwrap();
    assert!(chain.contains(&g));
    assert_eq!(g.move_values(&left), right);
    // One point moved to another block: same size, another profile.
    let mut other = right.clone();
    other.swap(1, 199);
    assert_ne!(other, right);
    let refiners = coloured(&left, &other);
    let found = BacktrackProblem::new(vec![chain], refiners).transporter(&Budget::unlimited());
    assert_eq!(found, Ok(None));
}

#[test]
fn a_search_that_asks_for_the_stabiliser_agrees_with_one_that_does_not() {
    let mut n_found = 0;
    for seed in 0..400 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let degree = rng.usize(2..8);
        let generators = (0..rng.usize(1..4)).map(|_| random_perm(&mut rng, degree));
        let group = Group::new(degree, generators.collect());
        let left: Vec<u32> = (0..degree).map(|_| rng.u32(0..3)).collect();
        let right = random_perm(&mut rng, degree).move_values(&left);
        let problem = BacktrackProblem::new(
            vec![MovableChain::new(group.chain())],
            coloured(&left, &right),
        );
        let unlimited = Budget::unlimited();
        let with = problem.transporter_asking(0, &unlimited).unwrap();
        let without = problem.transporter(&unlimited).unwrap();
        assert_eq!(with.is_some(), without.is_some(), "seed {seed}");
        for g in [with, without].into_iter().flatten() {
            assert!(
                group.contains(&g) && g.move_values(&left) == right,
                "seed {seed}"
            );
            n_found += 1;
        }
    }
    assert!(n_found > 50, "only {n_found}");
}

fn random_perm(rng: &mut fastrand::Rng, degree: usize) -> Perm {
    let mut image: Vec<Point> = (0..degree as Point).collect();
    rng.shuffle(&mut image);
    Perm::from_bijection(image)
}

#[test]
fn refiners_accept_what_they_stand_for_and_nothing_else() {
    let (left, right) = ([0, 0, 1, 1, 2], [1, 1, 2, 0, 0]);
    let colours = PointColours {
        left: &left,
        right: &right,
    };
    let good = Perm::from_image(vec![3, 4, 0, 1, 2]).unwrap();
    let bad = Perm::from_image(vec![0, 1, 3, 4, 2]).unwrap();
    assert!(colours.accepts(SearchSide::Right, &good) && !colours.accepts(SearchSide::Right, &bad));
    assert!(colours.accepts(SearchSide::Left, &cycle(5, &[0, 1])));
    let blocks = Blocks {
        left: &left,
        right: &right,
    };
    assert!(blocks.accepts(SearchSide::Right, &good) && blocks.accepts(SearchSide::Right, &bad));
    let torn = Perm::from_image(vec![0, 3, 1, 4, 2]).unwrap();
    assert!(!blocks.accepts(SearchSide::Right, &torn));
    // Two blocks of the left in one of the right.
    let coarse = Blocks {
        left: &[0, 1],
        right: &[0, 0],
    };
    assert!(!coarse.accepts(SearchSide::Right, &Perm::identity(2)));
}

#[test]
fn orbitals_are_kept_only_where_they_say_more_than_orbits() {
    assert!(Orbitals::new(&symmetric(6)).is_none());
    assert!(Orbitals::new(&alternating(6)).is_none());
    assert!(Orbitals::new(&wreath(3, 2, in_rows(3))).is_some());
}
