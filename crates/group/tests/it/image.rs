//! Canonical and least images: vectors of the literature, laws at larger degrees, planted faults,
//! memory.

use group::image::{
    Canoniser, ImageFault, LeastImages, Object, Scratch, certify_image, certify_least,
};
use group::{Group, Perm, Point};
use num_bigint::BigUint;

use crate::shape::common::perm;

/// The symmetries of the cube of this dimension on its corners.
fn hypercube(dimension: u32) -> Group {
    let n = 1u32 << dimension;
    let flip = Perm::from_bijection((0..n).map(|x| x ^ 1).collect());
    let exchange = |i: u32| {
        let swap = |x: u32| {
            let (low, high) = (x >> i & 1, x >> (i + 1) & 1);
            x & !(3 << i) | high << i | low << (i + 1)
        };
        Perm::from_bijection((0..n).map(swap).collect())
    };
    let mut generators = vec![flip];
    generators.extend((0..dimension - 1).map(exchange));
    Group::new(n as usize, generators)
}

/// `Sm wr Sk` on `k` blocks of `m`.
fn wreath(m: usize, k: usize) -> Group {
    Group::symmetric(m).wreath(&Group::symmetric(k))
}

fn least_tuple(group: &Group, values: &[u64]) -> Vec<u64> {
    let object = Object::tuple(values);
    let g = LeastImages::new(group).least(&object);
    assert!(group.contains(&g));
    object.moved_by(&g).colours().to_vec()
}

/// References counted from 1; 0 is none. The colour is the control part.
fn with_references(parts: &[(u64, Point)]) -> Object {
    let mut object = Object::new(parts.len());
    for (x, &(control, reference)) in (0..).zip(parts) {
        object.set_colour(x, control);
        if reference > 0 {
            object.add_arc(x, reference - 1, 0);
        }
    }
    object
}

fn canonical(canoniser: &Canoniser, object: &Object, scratch: &mut Scratch) -> (Object, BigUint) {
    let image = canoniser.canonical(object, scratch);
    (object.moved_by(&image.perm()), image.stabiliser_order())
}

#[test]
fn least_images_of_the_cube_group_are_those_of_the_digest() {
    let flips = [
        perm(8, &[&[1, 2], &[3, 4], &[5, 6], &[7, 8]]),
        perm(8, &[&[1, 3], &[2, 4], &[5, 7], &[6, 8]]),
        perm(8, &[&[1, 5], &[2, 6], &[3, 7], &[4, 8]]),
    ];
    let turns = [
        perm(8, &[&[2, 3, 5], &[4, 7, 6]]),
        perm(8, &[&[2, 3], &[6, 7]]),
    ];
    let cube = Group::new(8, [&flips[..], &turns[..]].concat());
    assert_eq!(cube.order(), BigUint::from(48u32));
    assert_eq!(
        least_tuple(&cube, &[4, 3, 2, 4, 2, 1, 1, 3]),
        [1, 2, 2, 4, 3, 1, 4, 3]
    );
    let flips_only = Group::new(8, flips.to_vec());
    assert_eq!(
        least_tuple(&flips_only, &[3, 4, 4, 2, 5, 4, 1, 5]),
        [1, 5, 5, 4, 4, 2, 3, 4]
    );
}

/// Two inequivalent actions of one group: orbits of equal length that must not be joined.
fn four_on_fourteen() -> Group {
    let a = perm(14, &[&[1, 2], &[5, 6], &[9, 10], &[13, 14]]);
    let b = perm(
        14,
        &[&[1, 2, 4, 8], &[3, 6, 12, 9], &[5, 10], &[7, 14, 13, 11]],
    );
    Group::new(14, vec![a, b])
}

#[test]
fn inequivalent_actions_are_not_joined() {
    let group = four_on_fourteen();
    assert_eq!(group.order(), BigUint::from(24u32));
    let state = [6, 10, 3, 6, 3, 5, 7, 10, 4, 8, 2, 1, 9, 3];
    assert_eq!(
        least_tuple(&group, &state),
        [6, 6, 3, 10, 1, 4, 9, 10, 5, 3, 7, 8, 3, 2]
    );
    let canoniser = Canoniser::new(&group);
    let mut scratch = Scratch::new();
    for seed in 0..60 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let values: Vec<u64> = (0..14).map(|_| rng.u64(..3)).collect();
        let verdict = certify_image(&group, &Object::tuple(&values), 24, &mut |o| {
            let image = canoniser.canonical(o, &mut scratch);
            (image.perm(), image.stabiliser_order())
        });
        assert_eq!(verdict, Ok(()), "seed {seed}");
    }
}

#[test]
fn equivalent_actions_are_joined_into_columns() {
    // Three processes and their channels, and a second kind of both: S3 x S2 on ten points.
    let group = Group::new(
        10,
        vec![
            perm(10, &[&[1, 2], &[6, 7]]),
            perm(10, &[&[1, 2, 3], &[6, 7, 8]]),
            perm(10, &[&[4, 5], &[9, 10]]),
        ],
    );
    let canoniser = Canoniser::new(&group);
    assert_eq!(canoniser.segment_sizes(), [3, 2]);
    assert_eq!(canoniser.n_chain_columns(), 0);
    assert_eq!(
        Canoniser::new(&four_on_fourteen()).segment_sizes(),
        Vec::<usize>::new()
    );
}

#[test]
fn references_are_renamed_with_what_they_refer_to() {
    let s3 = Group::symmetric(3);
    let object = with_references(&[(1, 0), (0, 2), (0, 2)]);
    let g = LeastImages::new(&s3).least(&object);
    assert_eq!(g, perm(3, &[&[1, 3, 2]]));
    assert_eq!(
        object.moved_by(&g).meaning(),
        with_references(&[(0, 1), (0, 1), (1, 0)]).meaning()
    );

    let s4 = Group::symmetric(4);
    let object = with_references(&[(1, 2), (0, 1), (0, 1), (2, 1)]);
    let g = LeastImages::new(&s4).least(&object);
    let least = with_references(&[(0, 3), (0, 3), (1, 1), (2, 3)]);
    assert_eq!(object.moved_by(&g).meaning(), least.meaning());
}

fn random_object(n: usize, rng: &mut fastrand::Rng) -> Object {
    let mut object = Object::new(n);
    let (n_colours, n_arcs) = (rng.u64(1..5), rng.usize(..2 * n));
    for x in 0..n as Point {
        object.set_colour(x, rng.u64(..n_colours));
    }
    for _ in 0..n_arcs {
        object.add_arc(rng.u32(..n as u32), rng.u32(..n as u32), rng.u32(..3));
    }
    for _ in 0..rng.usize(..4) {
        // A tuple, and a set that holds it.
        let tuple = object.add_vertex(100);
        for position in 0..3 {
            object.add_arc(tuple, rng.u32(..n as u32), position);
        }
        let set = object.add_vertex(101);
        object.add_arc(set, tuple, 0);
        object.add_arc(rng.u32(..n as u32), set, 9);
    }
    object
}

/// The same object, built in another order.
fn with_arcs_reversed(object: &Object) -> Object {
    let mut other = Object::tuple(&object.colours()[..object.n_points()]);
    object.colours()[object.n_points()..]
        .iter()
        .for_each(|&c| _ = other.add_vertex(c));
    object
        .arcs()
        .iter()
        .rev()
        .for_each(|a| other.add_arc(a.from, a.to, a.label));
    other
}

#[test]
fn an_object_and_its_image_under_a_random_element_have_one_image() {
    let groups = [
        Group::symmetric(12),
        Group::symmetric(40),
        Group::symmetric(70),
        wreath(3, 4),
        wreath(4, 5),
        wreath(2, 40),
        hypercube(3),
        hypercube(5),
        four_on_fourteen(),
    ];
    let mut scratch = Scratch::new();
    for group in &groups {
        let canoniser = Canoniser::new(group);
        for seed in 0..40 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let object = random_object(group.degree(), &mut rng);
            let (image, stabiliser) = canonical(&canoniser, &object, &mut scratch);
            let other = with_arcs_reversed(&object.moved_by(&group.chain().random(&mut rng)));
            let used = canoniser.canonical(&other, &mut scratch).perm();
            assert!(group.contains(&used), "seed {seed}");
            let (other_image, other_stabiliser) = canonical(&canoniser, &other, &mut scratch);
            assert_eq!(image.meaning(), other_image.meaning(), "seed {seed}");
            assert_eq!(stabiliser, other_stabiliser, "seed {seed}");
            assert_eq!(
                group.order() % stabiliser,
                BigUint::ZERO,
                "seed {seed}: Lagrange"
            );
        }
    }
}

#[test]
fn sets_and_partitions_count_as_binomials() {
    // The stabiliser of a 3-set in S9 has 3! 6! elements, of cells of 2, 3, 4 points 2! 3! 4!.
    let canoniser = Canoniser::new(&Group::symmetric(9));
    let mut scratch = Scratch::new();
    let set = Object::set(9, &[7, 1, 4]);
    assert_eq!(
        canonical(&canoniser, &set, &mut scratch).1,
        BigUint::from(6u32 * 720)
    );
    let cells = Object::ordered_partition(9, &[vec![8, 0], vec![3, 1, 5]]);
    assert_eq!(
        canonical(&canoniser, &cells, &mut scratch).1,
        BigUint::from(2u32 * 6 * 24)
    );
}

#[test]
fn regular_structures_have_the_stabilisers_of_their_graphs() {
    // A cycle of 12 has 24 symmetries; three 4-cycles (4·2)^3 · 3!; the 4-cube 384; K3,3 72.
    type Case = (usize, Vec<(u32, u32)>, u32);
    let cases: [Case; 4] = [
        (12, (0..12).map(|x| (x, (x + 1) % 12)).collect(), 24),
        (
            12,
            (0..12).map(|x| (x, x / 4 * 4 + (x + 1) % 4)).collect(),
            512 * 6,
        ),
        (
            16,
            (0..16)
                .flat_map(|x| (0..4).map(move |i| (x, x ^ 1 << i)))
                .collect(),
            384,
        ),
        (
            6,
            (0..3).flat_map(|x| (3..6).map(move |y| (x, y))).collect(),
            72,
        ),
    ];
    let mut scratch = Scratch::new();
    for (n, edges, expected) in cases {
        let mut object = Object::new(n);
        let mut sorted: Vec<(u32, u32)> =
            edges.iter().map(|&(x, y)| (x.min(y), x.max(y))).collect();
        sorted.sort_unstable();
        sorted.dedup();
        for (x, y) in sorted {
            object.add_arc(x, y, 0);
            object.add_arc(y, x, 0);
        }
        let (_, stabiliser) =
            canonical(&Canoniser::new(&Group::symmetric(n)), &object, &mut scratch);
        assert_eq!(stabiliser, BigUint::from(expected), "{n} points");
    }
}

#[test]
fn image_certifier_fires_on_planted_faults() {
    let group = Group::new(3, vec![perm(3, &[&[1, 2, 3]])]);
    let object = Object::tuple(&[2, 1, 1]);
    let one = || BigUint::from(1u32);
    let outside = perm(3, &[&[1, 2]]);
    let fault = certify_image(&group, &object, 10, &mut |_| (outside.clone(), one()));
    assert_eq!(fault, Err(ImageFault::NotInGroup(outside.clone())));
    let fault = certify_image(&group, &object, 10, &mut |_| (Perm::identity(3), one()));
    assert!(
        matches!(fault, Err(ImageFault::SecondImage(_))),
        "{fault:?}"
    );
    let least = LeastImages::new(&group);
    let fault = certify_image(&group, &object, 10, &mut |o| {
        (least.least(o), BigUint::from(2u32))
    });
    assert!(
        matches!(fault, Err(ImageFault::StabiliserOrder { .. })),
        "{fault:?}"
    );
    let right = certify_image(&group, &object, 10, &mut |o| (least.least(o), one()));
    assert_eq!(right, Ok(()));
    let fault = certify_image(&group, &object, 2, &mut |o| (least.least(o), one()));
    assert_eq!(fault, Err(ImageFault::TooLarge(BigUint::from(3u32))));
}

#[test]
fn least_certifier_fires_on_planted_faults() {
    let group = Group::symmetric(3);
    let object = with_references(&[(1, 0), (0, 2), (0, 2)]);
    // Selection sort stops at (1 3); the least image needs (1 3 2).
    let fault = certify_least(&group, &object, 10, &perm(3, &[&[1, 3]]));
    assert!(matches!(fault, Err(ImageFault::NotLeast(_))), "{fault:?}");
    let cyclic = Group::new(3, vec![perm(3, &[&[1, 2, 3]])]);
    let outside = perm(3, &[&[1, 3]]);
    let fault = certify_least(&cyclic, &object, 10, &outside);
    assert_eq!(fault, Err(ImageFault::NotInGroup(outside)));
}

#[test]
fn no_memory_is_allocated_once_a_scratch_is_warm() {
    for group in [Group::symmetric(16), wreath(3, 4), hypercube(4)] {
        let canoniser = Canoniser::new(&group);
        let mut scratch = Scratch::new();
        let mut rng = fastrand::Rng::with_seed(5);
        let objects: Vec<Object> = (0..200)
            .map(|_| random_object(group.degree(), &mut rng))
            .collect();
        let mut run = || {
            let sum = |o: &Object| u64::from(canoniser.canonical(o, &mut scratch).points()[0]);
            objects.iter().map(sum).sum::<u64>()
        };
        let warm = run();
        let counted = allocation_counter::measure(|| assert_eq!(run(), warm));
        assert_eq!(counted.count_total, 0, "{} points", group.degree());
    }
}
