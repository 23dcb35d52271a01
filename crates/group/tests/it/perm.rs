//! The laws of the action convention, on few points and on many.

use group::Perm;
use num_bigint::BigUint;
use proptest::prelude::*;

/// Permutations of one degree; degree 300 and few moves give the sparse form.
fn perms(count: usize) -> impl Strategy<Value = Vec<Perm>> {
    prop_oneof![dense(count), sparse(count)]
}

fn dense(count: usize) -> impl Strategy<Value = Vec<Perm>> {
    (1usize..12).prop_flat_map(move |n| {
        let image = Just((0..n as u32).collect::<Vec<u32>>()).prop_shuffle();
        let perm = image.prop_map(|image| Perm::from_image(image).unwrap());
        prop::collection::vec(perm, count)
    })
}

fn sparse(count: usize) -> impl Strategy<Value = Vec<Perm>> {
    let moved = prop::collection::btree_set(0u32..300, 0..9);
    let perm = moved.prop_flat_map(|points| {
        let from: Vec<u32> = points.into_iter().collect();
        Just(from.clone())
            .prop_shuffle()
            .prop_map(move |to| Perm::from_moves(300, from.iter().copied().zip(to).collect()))
    });
    prop::collection::vec(perm, count)
}

proptest! {
    #[test]
    fn product_applies_its_right_factor_first(ps in perms(3)) {
        let (p, q, r) = (&ps[0], &ps[1], &ps[2]);
        let pq = p.product(q);
        for x in 0..p.degree() as u32 {
            prop_assert_eq!(pq.at(x), p.at(q.at(x)));
        }
        prop_assert_eq!(pq.product(r), p.product(&q.product(r)));
        prop_assert_eq!(Perm::from_image(pq.image().to_vec()), Some(pq.clone()));
    }

    #[test]
    fn inverse_undoes_from_both_sides(ps in perms(1)) {
        let p = &ps[0];
        prop_assert!(p.product(&p.inverse()).is_identity());
        prop_assert!(p.inverse().product(p).is_identity());
        prop_assert_eq!(p.inverse().inverse(), p.clone());
        let inverse = p.inverse();
        prop_assert_eq!(inverse.support(), p.support());
    }

    #[test]
    fn power_is_the_repeated_product(ps in perms(1), exponent in -20i64..20) {
        let p = &ps[0];
        let factor = if exponent < 0 { p.inverse() } else { p.clone() };
        let mut product = Perm::identity(p.degree());
        for _ in 0..exponent.abs() {
            product = product.product(&factor);
        }
        prop_assert_eq!(p.power(exponent), product);
    }

    #[test]
    fn order_is_the_least_exponent_that_gives_the_identity(ps in perms(1)) {
        let p = &ps[0];
        let mut power = p.clone();
        let mut exponent = 1u32;
        while !power.is_identity() {
            power = power.product(p);
            exponent += 1;
        }
        prop_assert_eq!(p.order(), BigUint::from(exponent));
    }

    #[test]
    fn conjugate_renames_points(ps in perms(3)) {
        let (p, g, h) = (&ps[0], &ps[1], &ps[2]);
        let c = p.conjugate(g);
        prop_assert_eq!(&c, &g.product(p).product(&g.inverse()));
        for x in 0..p.degree() as u32 {
            prop_assert_eq!(c.at(g.at(x)), g.at(p.at(x)));
        }
        prop_assert_eq!(p.conjugate(&g.product(h)), p.conjugate(h).conjugate(g));
    }

    #[test]
    fn moving_values_is_a_left_action(ps in perms(2)) {
        let (p, q) = (&ps[0], &ps[1]);
        let values: Vec<usize> = (0..p.degree()).map(|x| x * x % 7).collect();
        prop_assert_eq!(p.product(q).move_values(&values), p.move_values(&q.move_values(&values)));
        let moved = p.move_values(&values);
        for x in 0..p.degree() {
            prop_assert_eq!(moved[p.at(x as u32) as usize], values[x]);
        }
    }

    #[test]
    fn parity_is_that_of_the_inversions(ps in dense(1)) {
        let image = ps[0].image();
        let inversions = (0..image.len())
            .flat_map(|i| (0..i).map(move |j| (j, i)))
            .filter(|&(j, i)| image[j] > image[i])
            .count();
        prop_assert_eq!(ps[0].is_even(), inversions % 2 == 0);
    }

    #[test]
    fn order_of_permutations_is_that_of_their_images(ps in perms(2)) {
        let (p, q) = (&ps[0], &ps[1]);
        prop_assert_eq!(p.cmp(q), p.image().cmp(q.image()));
        prop_assert_eq!(p == q, p.image() == q.image());
    }

    #[test]
    fn cycles_give_the_permutation_back(ps in perms(1)) {
        let p = &ps[0];
        let cycles = p.cycles();
        let slices: Vec<&[u32]> = cycles.iter().map(Vec::as_slice).collect();
        prop_assert_eq!(Perm::from_cycles(p.degree(), &slices), Some(p.clone()));
    }
}

#[test]
fn bad_images_and_cycles_are_refused() {
    assert_eq!(Perm::from_image(vec![0, 0]), None);
    assert_eq!(Perm::from_image(vec![0, 2]), None);
    assert_eq!(Perm::from_cycles(3, &[&[0, 3]]), None);
    assert_eq!(Perm::from_cycles(3, &[&[0, 1], &[1, 2]]), None);
    assert_eq!(Perm::from_cycles(3, &[&[0, 0]]), None);
    for degree in [10, 1000] {
        assert_eq!(Perm::from_pairs(degree, &[(1, 2)]), None);
        assert_eq!(Perm::from_pairs(degree, &[(1, 2), (2, 2)]), None);
        assert_eq!(Perm::from_pairs(degree, &[(1, 2), (1, 1), (2, 1)]), None);
        let moved = Perm::from_pairs(degree, &[(7, 4), (9, 9), (4, 7)]).unwrap();
        assert_eq!(moved.support(), [4, 7]);
        assert_eq!(moved, Perm::from_cycles(degree, &[&[4, 7]]).unwrap());
    }
    assert_eq!(Perm::from_pairs(7, &[(7, 4), (4, 7)]), None);
}

#[test]
fn the_order_of_a_permutation_can_exceed_a_machine_word() {
    let mut cycles: Vec<Vec<u32>> = Vec::new();
    let mut first = 0;
    for length in [
        2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59,
    ] {
        cycles.push((first..first + length).collect());
        first += length;
    }
    let slices: Vec<&[u32]> = cycles.iter().map(Vec::as_slice).collect();
    let p = Perm::from_cycles(first as usize, &slices).unwrap();
    assert_eq!(p.order().to_string(), "1922760350154212639070");
}
