//! Least tuples: vectors of the literature, and strategies against full enumeration.

use group::shape::minimise::{
    MinimisingSet, Transversals, least_by_enumeration, local_search, minimising_set,
};
use group::shape::{RepresentativeMethod, Table, classify, disjoint_factors, wreath};
use group::{Group, Perm, Point};

use super::common::*;

const ENUMERATE_MAX: u64 = 5000;

fn least_plain(elements: &[Perm], values: &[u8]) -> Vec<u8> {
    let images = elements.iter().map(|g| g.move_values(values));
    images.min().expect("the identity is there")
}

fn random_values(n: usize, n_values: u8, rng: &mut fastrand::Rng) -> Vec<u8> {
    (0..n).map(|_| rng.u8(..n_values)).collect()
}

/// What is wrong with an outcome, if anything: the permutation must be an element of the group and
/// lead to the image.
fn fault_of_outcome(g: &Group, values: &[u8], outcome: &(Vec<u8>, Perm)) -> Option<&'static str> {
    if !g.contains(&outcome.1) {
        return Some("no element leads there");
    }
    (outcome.1.move_values(values) != outcome.0).then_some("the element leads elsewhere")
}

fn check_outcome(g: &Group, values: &[u8], outcome: &(Vec<u8>, Perm), seed: u64) {
    let fault = fault_of_outcome(g, values, outcome);
    assert_eq!(fault, None, "seed {seed}: {values:?} {outcome:?}");
}

/// A group with all of its elements.
#[derive(Clone, Copy)]
struct Listed<'a> {
    group: &'a Group,
    elements: &'a [Perm],
}

/// What is wrong with what a strategy makes of a tuple, if anything: the outcome must be right, the
/// same for the tuple moved by an element, and the least one if the strategy says so.
fn fault_of_strategy(
    strategy: &RepresentativeMethod,
    listed: Listed<'_>,
    values: &[u8],
    by: &Perm,
) -> Option<&'static str> {
    let outcome = strategy.representative(values);
    let again = strategy.representative(&by.move_values(values)).0;
    let fault = fault_of_outcome(listed.group, values, &outcome);
    let fault = fault.or((again != outcome.0).then_some("two representatives of one orbit"));
    fault.or_else(|| {
        let is_least = || outcome.0 == least_plain(listed.elements, values);
        (strategy.is_lexicographic() && !is_least()).then_some("not the least")
    })
}

#[test]
fn wrong_least_tuples_are_noticed() {
    let (ring, all) = (cyclic(4), symmetric(4));
    let by = ring.generators()[0].clone();
    let by_ring = RepresentativeMethod::by_factors(&disjoint_factors(&ring));
    let by_all = classify(&all, 0);
    let values = [3, 1, 2, 0];
    let (of_ring, of_all) = (elements_plain(&ring), elements_plain(&all));
    let ring = Listed {
        group: &ring,
        elements: &of_ring,
    };
    let all = Listed {
        group: &all,
        elements: &of_all,
    };
    assert_eq!(fault_of_strategy(&by_ring, ring, &values, &by), None);
    assert_eq!(fault_of_strategy(&by_all, all, &values, &by), None);
    // Strategies of other groups: too large, too small, too small for the least but not for `by`.
    let swap = perm(4, &[&[1, 2]]);
    let fault = fault_of_strategy(&by_all, ring, &values, &by);
    assert_eq!(fault, Some("no element leads there"));
    let fault = fault_of_strategy(&by_ring, all, &values, &swap);
    assert_eq!(fault, Some("two representatives of one orbit"));
    let fault = fault_of_strategy(&by_ring, all, &values, &by);
    assert_eq!(fault, Some("not the least"));
    let fault = fault_of_outcome(all.group, &values, &(values.to_vec(), swap));
    assert_eq!(fault, Some("the element leads elsewhere"));
    // The plain twin itself: a list of elements without the one that is needed.
    assert_eq!(least_plain(&of_all, &values), [0, 1, 2, 3]);
    let even: Vec<Perm> = of_all.into_iter().filter(Perm::is_even).collect();
    assert_ne!(least_plain(&even, &[1, 0, 2, 3]), [0, 1, 2, 3]);
}

#[test]
fn sizes_of_minimising_sets() {
    let set = minimising_set(&symmetric(6)).expect("symmetric");
    assert_eq!((set.n_swaps(), set.swaps(6).len()), (15, 15));
    // Allocator with 3 + 4 clients, each a process with a channel.
    let columns = |first: Point, n: Point| {
        let swap = move |i: Point| perm(14, &[&[i, i + 1], &[i + 7, i + 8]]);
        (first..first + n - 1).map(swap)
    };
    let allocator = Group::new(14, columns(1, 3).chain(columns(4, 4)).collect());
    let sizes: Vec<usize> = disjoint_factors(&allocator)
        .iter()
        .map(|f| minimising_set(&f.group).expect("symmetric").n_swaps())
        .collect();
    assert_eq!(sizes, [3, 6]);
    let RepresentativeMethod::Sequence(steps) = classify(&allocator, 0) else {
        panic!("a disjoint product");
    };
    assert!(
        steps
            .iter()
            .all(|s| matches!(s, RepresentativeMethod::Sort(_)))
    );
    assert_eq!(classify(&allocator, 0).to_string(), "SEQ(MIN(3), MIN(6))");
}

#[test]
fn the_moves_of_a_strategy_generate_the_group() {
    let generate = |strategy: &RepresentativeMethod, g: &Group| {
        Group::new(g.degree(), strategy.moves(g.degree())).is_equal_to(g)
    };
    for seed in 0..200 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let g = random_group(&mut rng, 10);
        for enumerate_max in [0, ENUMERATE_MAX] {
            assert!(
                generate(&classify(&g, enumerate_max), &g),
                "seed {seed}: {g:?}"
            );
        }
    }
    let (even, all) = (alternating(5), symmetric(5));
    assert!(generate(&classify(&even, 0), &even));
    // The moves of another group.
    assert!(!generate(&classify(&all, 0), &even));
    assert!(!generate(&classify(&even, 0), &all));
}

#[test]
fn descent_is_stuck_where_theorem_16_has_its_gap() {
    let set = MinimisingSet::new(Table::new(vec![vec![3, 5, 0], vec![1, 4, 2]]));
    let swaps: Vec<Perm> = set.swaps(6);
    let expected = [
        perm(6, &[&[4, 6], &[2, 5]]),
        perm(6, &[&[4, 1], &[2, 3]]),
        perm(6, &[&[6, 1], &[5, 3]]),
    ];
    assert_eq!(swaps, expected);
    let g = Group::new(6, swaps);
    let elements = elements_plain(&g);
    assert_eq!(elements.len(), 6);
    let stuck = [0, 0, 1, 0, 0, 1];
    assert_eq!(set.descend_in_place(&stuck).0, stuck);
    assert_eq!(set.descend_by_rounds(&stuck).0, stuck);
    assert_eq!(least_plain(&elements, &stuck), [0, 0, 0, 1, 1, 0]);
    assert_eq!(least_by_enumeration(&g, &stuck).0, [0, 0, 0, 1, 1, 0]);
    // Sorting is canonical whatever the layout: one representative for each of the orbits.
    let found = minimising_set(&g).expect("symmetric on columns");
    assert!(!found.is_lexicographic());
    for values in all_tuples(6, 3) {
        let one = found.sort(&values).0;
        for p in &elements {
            assert_eq!(
                found.sort(&p.move_values(&values)).0,
                one,
                "{values:?} {p:?}"
            );
        }
    }
}

fn all_tuples(n: usize, n_values: u8) -> Vec<Vec<u8>> {
    (0..n).fold(vec![Vec::new()], |tuples, _| {
        let longer = |t: Vec<u8>| (0..n_values).map(move |v| [&t[..], &[v]].concat());
        tuples.into_iter().flat_map(longer).collect()
    })
}

#[test]
fn standard_tables_are_sorted_to_the_lexicographic_minimum() {
    // Columns side by side, rows side by side, and a mixture of both.
    for rows in [
        vec![vec![0, 2, 4], vec![1, 3, 5]],
        vec![vec![0, 1, 2], vec![3, 4, 5]],
        vec![vec![0, 1, 3], vec![2, 4, 5]],
    ] {
        let set = MinimisingSet::new(Table::new(rows));
        assert!(set.is_lexicographic());
        let elements = closure_plain(6, &set.swaps(6));
        for values in all_tuples(6, 3) {
            assert_eq!(set.sort(&values).0, least_plain(&elements, &values));
            assert_eq!(
                set.descend_in_place(&values).0,
                least_plain(&elements, &values)
            );
            assert_eq!(
                set.descend_by_rounds(&values).0,
                least_plain(&elements, &values)
            );
        }
    }
}

#[test]
fn transposition_images_do_not_minimise_s4_on_14_points() {
    let g = s4_on_14();
    let s = [6, 10, 3, 6, 3, 5, 7, 10, 4, 8, 2, 1, 9, 3];
    let least = [6, 6, 3, 10, 1, 4, 9, 10, 5, 3, 7, 8, 3, 2];
    assert_eq!(least_by_enumeration(&g, &s).0, least);
    // The images of the six transpositions of S4: involutions that move 4 pairs, two of them of
    // weight two, and conjugate to the first generator.
    let swap = &g.generators()[0];
    let mut swaps: Vec<Perm> = elements_plain(&g)
        .iter()
        .map(|p| swap.conjugate(p))
        .collect();
    swaps.sort();
    swaps.dedup();
    assert_eq!(swaps.len(), 6);
    let stuck = [6, 6, 3, 10, 3, 5, 7, 10, 4, 1, 9, 8, 2, 3];
    assert_eq!(local_search(&swaps, &s).0, stuck);
    assert!(stuck > least);
    let strategy = classify(&g, ENUMERATE_MAX);
    assert!(matches!(strategy, RepresentativeMethod::Enumerate(..)));
    assert_eq!(strategy.representative(&s).0, least);
    assert!(matches!(classify(&g, 23), RepresentativeMethod::Local(..)));
}

#[test]
fn factors_that_share_points_do_not_compose() {
    let group = |gens: Vec<Perm>| Group::new(8, gens);
    let (translations, axes) = (group(cube_translations()), group(cube_axes()));
    let cube = group([cube_translations(), cube_axes()].concat());
    assert_eq!(cube.order(), 48u32.into());
    let s = [4, 3, 2, 4, 2, 1, 1, 3];
    let least = |g: &Group, s: &[i32]| least_by_enumeration(g, s).0;
    assert_eq!(least(&cube, &s), [1, 2, 2, 4, 3, 1, 4, 3]);
    assert_eq!(
        least(&axes, &least(&translations, &s)),
        [1, 2, 3, 1, 3, 4, 4, 2]
    );
    assert_eq!(
        least(&translations, &least(&axes, &s)),
        [1, 2, 2, 4, 3, 4, 1, 3]
    );

    let s = [3, 4, 4, 2, 5, 4, 1, 5];
    assert_eq!(least(&translations, &s), [1, 5, 5, 4, 4, 2, 3, 4]);
    for t in cube_translations() {
        assert_eq!(least(&group(vec![t]), &s), s);
    }
    // The strategies do not try it.
    assert!(matches!(
        classify(&cube, 48),
        RepresentativeMethod::Enumerate(..)
    ));
    assert!(matches!(
        classify(&translations, 8),
        RepresentativeMethod::Enumerate(..)
    ));
}

#[test]
fn blocks_moved_out_of_order_go_wrong_for_30_of_81() {
    let inner = [perm(4, &[&[1, 4]]), perm(4, &[&[2, 3]])];
    let wrong = |sigma: Perm| {
        let elements = closure_plain(4, &[&inner[..], std::slice::from_ref(&sigma)].concat());
        assert_eq!(elements.len(), 8);
        let in_steps = |s: &[u8]| {
            let steps = [&inner[0], &inner[1], &sigma];
            steps
                .iter()
                .fold(s.to_vec(), |s, &p| s.clone().min(p.move_values(&s)))
        };
        let tuples = all_tuples(4, 3);
        let wrong = tuples
            .iter()
            .filter(|s| in_steps(s) != least_plain(&elements, s));
        wrong.count()
    };
    assert_eq!(wrong(perm(4, &[&[1, 2], &[4, 3]])), 0);
    assert_eq!(wrong(perm(4, &[&[1, 3], &[4, 2]])), 30);

    let g = group(4, &[&[&[1, 4]], &[&[2, 3]], &[&[1, 3], &[4, 2]]]);
    let w = wreath(&g).expect("a wreath product");
    assert_eq!(w.blocks, [[0, 3], [1, 2]]);
    let (elements, strategy) = (elements_plain(&g), classify(&g, ENUMERATE_MAX));
    for s in all_tuples(4, 3) {
        let least = least_plain(&elements, &s);
        assert_eq!(
            RepresentativeMethod::by_blocks(&w).representative(&s).0,
            least
        );
        // Sorting compares row by row, {1,2} before {4,3}: another representative, but one.
        let sorted = strategy.representative(&s).0;
        assert_eq!(strategy.representative(&least).0, sorted);
    }
    assert!(RepresentativeMethod::by_blocks(&w).is_lexicographic());
    assert!(!strategy.is_lexicographic() && strategy.is_exact());
}

#[test]
fn factors_minimise_one_after_another() {
    for seed in 0..100 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let g = random_group(&mut rng, 8);
        let elements = elements_plain(&g);
        let by_factors = RepresentativeMethod::by_factors(&disjoint_factors(&g));
        assert!(by_factors.is_lexicographic());
        let by_blocks = wreath(&g).map(|w| (w.monotone, RepresentativeMethod::by_blocks(&w)));
        for _ in 0..10 {
            let s = random_values(g.degree(), 3, &mut rng);
            let least = least_plain(&elements, &s);
            assert_eq!(by_factors.representative(&s).0, least, "seed {seed}: {g:?}");
            if let Some((true, by_blocks)) = &by_blocks {
                assert_eq!(by_blocks.representative(&s).0, least, "seed {seed}: {g:?}");
            }
        }
    }
}

#[test]
fn strategies_give_one_representative_an_orbit() {
    let (mut n_wreath, mut n_lexicographic) = (0, 0);
    for seed in 0..500 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let g = random_group(&mut rng, 8);
        let strategy = classify(&g, u64::MAX);
        assert!(strategy.is_exact(), "seed {seed}");
        n_wreath += usize::from(wreath(&g).is_some());
        n_lexicographic += usize::from(strategy.is_lexicographic());
        let elements = elements_plain(&g);
        for _ in 0..10 {
            let s = random_values(g.degree(), 3, &mut rng);
            let by = g.chain().random(&mut rng);
            let listed = Listed {
                group: &g,
                elements: &elements,
            };
            let fault = fault_of_strategy(&strategy, listed, &s, &by);
            assert_eq!(fault, None, "seed {seed}: {g:?} {s:?} {by:?} {strategy:?}");
        }
    }
    assert!(n_wreath > 30, "only {n_wreath} wreath products");
    assert!(
        n_lexicographic > 100,
        "only {n_lexicographic} lexicographic"
    );
}

#[test]
fn nested_wreath_products_are_exact_in_disguise() {
    for seed in 0..15 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let small = [symmetric(2), symmetric(3), cyclic(3), cyclic(4)];
        let mut pick = || small[rng.usize(..small.len())].clone();
        let (a, b, c) = (pick(), pick(), pick());
        let g = wreath_of(&wreath_of(&a, &b), &c);
        let g = disguised(&disjoint_of(&[&g, &cyclic(5)]), &mut rng);
        let strategy = classify(&g, 100);
        assert!(strategy.is_exact(), "seed {seed}: {strategy:?}");
        for _ in 0..30 {
            let s = random_values(g.degree(), 3, &mut rng);
            let outcome = strategy.representative(&s);
            check_outcome(&g, &s, &outcome, seed);
            let by = g.chain().random(&mut rng);
            let again = strategy.representative(&by.move_values(&s)).0;
            assert_eq!(again, outcome.0, "seed {seed}");
        }
    }
}

#[test]
fn three_tiers_take_the_published_tree() {
    let g = three_tiered();
    let strategy = classify(&g, 0);
    let RepresentativeMethod::Sequence(factors) = &strategy else {
        panic!("{strategy:?}");
    };
    let RepresentativeMethod::Sequence(steps) = &factors[0] else {
        panic!("{factors:?}");
    };
    // Three copies of S3, then S3 on the blocks.
    assert_eq!(steps.len(), 4);
    assert!(
        steps
            .iter()
            .all(|s| matches!(s, RepresentativeMethod::Sort(_)))
    );
    assert!(matches!(factors[1], RepresentativeMethod::Sort(_)));
    assert!(strategy.is_exact());
}

#[test]
fn three_tiers_agree_with_enumeration() {
    let g = three_tiered();
    let transversals = Transversals::new(g.chain());
    assert!(transversals.n_kept() < 100);
    let strategy = classify(&g, 0);
    let mut rng = fastrand::Rng::with_seed(9);
    for _ in 0..50 {
        let s = random_values(16, 3, &mut rng);
        let (least, p) = strategy.representative(&s);
        check_outcome(&g, &s, &(least.clone(), p), 9);
        assert_eq!(
            strategy.is_lexicographic(),
            least == transversals.least(&s).0
        );
    }
}

#[test]
fn alternating_groups_are_sorted_evenly() {
    let one_row = alternating(5);
    let two_rows = on_rows(&one_row, 2);
    let in_blocks = wreath_of(&alternating(4), &alternating(4));
    for (g, text) in [
        (one_row, "EVEN(10)"),
        (two_rows, "EVEN(10)"),
        (
            in_blocks,
            "SEQ(EVEN(6), EVEN(6), EVEN(6), EVEN(6), EVEN(6))",
        ),
    ] {
        let strategy = classify(&g, 0);
        assert_eq!(strategy.to_string(), text);
        let mut rng = fastrand::Rng::with_seed(11);
        for seed in 0..300 {
            let s = random_values(g.degree(), 6, &mut rng);
            let outcome = strategy.representative(&s);
            check_outcome(&g, &s, &outcome, seed);
            let moved = g.chain().random(&mut rng).move_values(&s);
            assert_eq!(strategy.representative(&moved).0, outcome.0, "{s:?}");
            if strategy.is_lexicographic() && g.degree() == 5 {
                assert_eq!(outcome.0, least_plain(&elements_plain(&g), &s));
            }
        }
    }
}

#[test]
fn local_search_stays_in_the_orbit_and_may_stop_early() {
    let g = symmetric(6);
    let mut rng = fastrand::Rng::with_seed(5);
    let elements = elements_plain(&g);
    let mut n_early = 0;
    for seed in 0..100 {
        let s = random_values(6, 4, &mut rng);
        let outcome = local_search(g.generators(), &s);
        check_outcome(&g, &s, &outcome, seed);
        n_early += usize::from(outcome.0 > least_plain(&elements, &s));
    }
    assert!(n_early > 0, "a swap and a cycle cannot sort by descent");
}

#[test]
fn the_trivial_group_changes_nothing() {
    let strategy = classify(&Group::new(3, Vec::new()), 1);
    assert_eq!(strategy.representative(&[2, 1, 0]).0, [2, 1, 0]);
    assert!(strategy.is_exact() && strategy.is_lexicographic());
}
