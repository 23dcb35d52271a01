//! Random laws and plain twins.

use super::*;
use crate::chain::Group;

fn perm(degree: usize, cycles: &[&[Point]]) -> Perm {
    Perm::from_cycles(degree, cycles).unwrap()
}

fn random_group(degree: usize, rng: &mut fastrand::Rng) -> Group {
    let n_generators = rng.usize(0..4);
    let generators = (0..n_generators).map(|_| {
        let mut image: Vec<Point> = (0..degree as Point).collect();
        // Few swaps make small groups likely, many make the symmetric group likely.
        for _ in 0..rng.usize(1..=3) {
            let (i, j) = (rng.usize(..degree), rng.usize(..degree));
            image.swap(i, j);
        }
        Perm::from_bijection(image)
    });
    Group::new(degree, generators.collect())
}

fn random_object(degree: usize, rng: &mut fastrand::Rng) -> Object {
    let mut object = Object::new(degree);
    let n_colours = rng.u64(1..4);
    for x in 0..degree as Point {
        object.set_colour(x, rng.u64(..n_colours));
    }
    let n_labels = rng.u32(1..3);
    for _ in 0..rng.usize(..=2 * degree) {
        object.add_arc(
            rng.u32(..degree as u32),
            rng.u32(..degree as u32),
            rng.u32(..n_labels),
        );
    }
    for _ in 0..rng.usize(..3) {
        let v = object.add_vertex(rng.u64(..2));
        for _ in 0..rng.usize(..4) {
            object.add_arc(v, rng.u32(..v), rng.u32(..n_labels));
        }
        if rng.bool() {
            object.add_arc(rng.u32(..degree as u32), v, 7);
        }
    }
    object
}

/// Certifies the image of `object`, with tables of transversals and without.
fn check(group: &Group, object: &Object, scratch: &mut Scratch, seed: u64) {
    for table_entries_max in [TABLE_ENTRIES_MAX, 0] {
        let canoniser = Canoniser {
            plan: ImagePlan::new(group, table_entries_max),
            only_search: None,
        };
        let verdict = certify_image(group, object, 1000, &mut |o| {
            let image = canoniser.canonical(o, scratch);
            (image.perm(), image.stabiliser_order())
        });
        assert_eq!(verdict, Ok(()), "seed {seed}: {group:?}\n{object:?}");
    }
}

#[test]
fn random_objects_under_random_groups_have_one_image_per_orbit() {
    let mut scratch = Scratch::new();
    for seed in 0..3000 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let degree = rng.usize(1..=6);
        let group = random_group(degree, &mut rng);
        let object = random_object(degree, &mut rng);
        check(&group, &object, &mut scratch, seed);
    }
}

#[test]
fn however_a_search_is_pruned_an_orbit_has_one_image() {
    use Pruning::{Both, ByAutomorphisms, ByOrder, Neither};
    let mut scratch = Scratch::new();
    let mut n_leaves = [0; 4];
    for seed in 0..1500 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let degree = rng.usize(1..=6);
        let group = random_group(degree, &mut rng);
        let object = random_object(degree, &mut rng);
        for (n, pruning) in [Both, ByOrder, ByAutomorphisms, Neither]
            .into_iter()
            .enumerate()
        {
            let canoniser = Canoniser::by_search(&group, pruning);
            let verdict = certify_image(&group, &object, 1000, &mut |o| {
                let image = canoniser.canonical(o, &mut scratch);
                (image.perm(), image.stabiliser_order())
            });
            assert_eq!(
                verdict,
                Ok(()),
                "seed {seed}, {pruning:?}: {group:?}\n{object:?}"
            );
            n_leaves[n] += canoniser.canonical(&object, &mut scratch).n_leaves();
        }
    }
    let [both, by_order, by_automorphisms, neither] = n_leaves;
    assert!(both <= by_order && by_order <= neither, "{n_leaves:?}");
    assert!(
        both <= by_automorphisms && by_automorphisms < neither,
        "{n_leaves:?}"
    );
}

#[test]
fn what_is_greater_than_the_best_is_left_out_unless_that_is_switched_off() {
    // A ring of six beside two of three: refinement tells no points apart, choosing one does.
    let mut object = Object::new(12);
    for (first, size) in [(0, 6), (6, 3), (9, 3)] {
        for i in 0..size {
            object.add_arc(first + i, first + (i + 1) % size, 0);
        }
    }
    let mut scratch = Scratch::new();
    let mut leaves = |pruning| {
        let canoniser = Canoniser::by_search(&Group::symmetric(12), pruning);
        let image = canoniser.canonical(&object, &mut scratch);
        // Turned by six, by three and by three, and the small ones exchanged.
        assert_eq!(image.stabiliser_order(), BigUint::from(6u32 * 3 * 3 * 2));
        image.n_leaves()
    };
    let [neither, by_order] = [Pruning::Neither, Pruning::ByOrder].map(&mut leaves);
    let [by_automorphisms, both] = [Pruning::ByAutomorphisms, Pruning::Both].map(leaves);
    assert!(
        both <= by_automorphisms && by_automorphisms < by_order,
        "{both} {by_order}"
    );
    assert!(by_order < neither, "{by_order} {neither}");
}

#[test]
fn without_pruning_all_arrangements_of_alike_points_are_compared() {
    // Five points that nothing tells apart: 5! leaves, and one where automorphisms are used: each
    // sibling of the best path is confirmed to be an image.
    let object = Object::new(5);
    let mut scratch = Scratch::new();
    let mut leaves = |pruning| {
        let canoniser = Canoniser::by_search(&Group::symmetric(5), pruning);
        canoniser.canonical(&object, &mut scratch).n_leaves()
    };
    assert_eq!(leaves(Pruning::Neither), 120);
    assert_eq!(leaves(Pruning::ByOrder), 120);
    assert_eq!(leaves(Pruning::Both), 1);
    assert_eq!(leaves(Pruning::ByAutomorphisms), 1);
}

#[test]
fn named_groups_have_one_image_per_orbit() {
    let cube = [
        perm(8, &[&[0, 1], &[2, 3], &[4, 5], &[6, 7]]),
        perm(8, &[&[1, 2, 4], &[3, 6, 5]]),
        perm(8, &[&[1, 2], &[5, 6]]),
    ];
    let wreath = [
        perm(6, &[&[0, 1]]),
        perm(6, &[&[0, 1, 2]]),
        perm(6, &[&[0, 3], &[1, 4], &[2, 5]]),
    ];
    let columns = [
        perm(8, &[&[0, 1], &[4, 5]]),
        perm(8, &[&[0, 1, 2, 3], &[4, 5, 6, 7]]),
    ];
    let groups = [
        Group::new(8, cube.to_vec()),
        Group::new(6, wreath.to_vec()),
        Group::new(8, columns.to_vec()),
        Group::new(7, vec![perm(7, &[&[0, 1, 2, 3, 4, 5, 6]])]),
    ];
    let mut scratch = Scratch::new();
    for seed in 0..400 {
        let mut rng = fastrand::Rng::with_seed(seed);
        for group in &groups {
            let object = random_object(group.degree(), &mut rng);
            check(group, &object, &mut scratch, seed);
        }
    }
}

#[test]
fn least_images_are_least() {
    for seed in 0..1500 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let degree = rng.usize(1..=6);
        let group = random_group(degree, &mut rng);
        let mut object = random_object(degree, &mut rng);
        object = without_vertices(&object);
        let g = LeastImages::new(&group).least(&object);
        assert_eq!(
            certify_least(&group, &object, 1000, &g),
            Ok(()),
            "seed {seed}"
        );
    }
}

fn without_vertices(object: &Object) -> Object {
    let n = object.n_points();
    let mut plain = Object::tuple(&object.colours()[..n]);
    for arc in object
        .arcs()
        .iter()
        .filter(|a| (a.from.max(a.to) as usize) < n)
    {
        plain.add_arc(arc.from, arc.to, arc.label);
    }
    plain
}

/// Refinement by rounds alone, the plain twin of splitting cells.
fn refine_by_rounds(plan: &ImagePlan, scratch: &mut Scratch) -> usize {
    let count = |s: &Scratch| {
        s.hash
            .iter()
            .collect::<std::collections::BTreeSet<_>>()
            .len()
    };
    let mut n_classes = count(scratch);
    loop {
        plan.round(scratch, 0);
        let finer = count(scratch);
        if finer == n_classes {
            return n_classes;
        }
        n_classes = finer;
    }
}

#[test]
fn splitting_cells_tells_apart_what_rounds_tell_apart() {
    let (mut by_rounds, mut by_cells) = (Scratch::new(), Scratch::new());
    let mut n_compared = 0;
    for seed in 0..500 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let n = rng.usize(2..=60);
        let mut object = Object::new(n);
        let n_colours = rng.u64(1..3);
        (0..n as Point).for_each(|x| object.set_colour(x, rng.u64(..n_colours)));
        for _ in 0..rng.usize(..2 * n) {
            object.add_arc(rng.u32(..n as u32), rng.u32(..n as u32), rng.u32(..2));
        }
        if rng.bool() {
            (0..n as Point).for_each(|x| object.add_arc(x, (x + 1) % n as Point, 3));
        }
        let plan = ImagePlan::new(&Group::symmetric(n), TABLE_ENTRIES_MAX);
        plan.load(&object, &mut by_rounds);
        plan.load(&object, &mut by_cells);
        let expected = refine_by_rounds(&plan, &mut by_rounds);
        if plan.split_cells(&mut by_cells, 0, None).is_some() {
            let found: std::collections::BTreeSet<_> = by_cells.hash.iter().collect();
            assert_eq!(found.len(), expected, "seed {seed}: {object:?}");
            n_compared += 1;
        }
    }
    assert!(
        n_compared > 250,
        "only {n_compared} objects without repeated arcs"
    );
}

/// Copies of one random part on `n_copies` times `size` points, the points in random order; now and
/// then with a point of its own that some of each copy refer to, or with one reference too many.
fn copies(n_copies: usize, size: usize, rng: &mut fastrand::Rng) -> Object {
    let degree = n_copies * size + 1;
    let mut order: Vec<Point> = (0..degree as Point).collect();
    rng.shuffle(&mut order);
    let mut object = Object::new(degree);
    let n_colours = rng.u64(1..3);
    let colours: Vec<u64> = (0..size).map(|_| rng.u64(..n_colours)).collect();
    let pick = |rng: &mut fastrand::Rng| (rng.usize(..size), rng.usize(..size), rng.u32(..2));
    let arcs: Vec<_> = (0..rng.usize(1..=size + 1)).map(|_| pick(rng)).collect();
    let with_hub = rng.bool();
    let hub = order[degree - 1];
    for copy in order[..degree - 1].chunks(size) {
        for (&x, &colour) in copy.iter().zip(&colours) {
            object.set_colour(x, colour);
        }
        for &(from, to, label) in &arcs {
            object.add_arc(copy[from], copy[to], label);
        }
        if with_hub {
            object.add_arc(copy[0], hub, 5);
        }
    }
    if rng.usize(..4) == 0 {
        object.add_arc(rng.u32(..degree as u32), rng.u32(..degree as u32), 0);
    }
    object
}

#[test]
fn objects_of_like_parts_have_one_image_per_orbit() {
    let mut scratch = Scratch::new();
    for seed in 0..100 {
        let mut rng = fastrand::Rng::with_seed(seed);
        for (n_copies, size) in [(2, 2), (2, 3), (3, 2)] {
            let object = copies(n_copies, size, &mut rng);
            // The whole of S7 is too much to enumerate: one point stays where it is.
            let degree = object.n_points();
            let group = if degree < 7 {
                Group::symmetric(degree)
            } else {
                Group::symmetric(degree - 1).direct_product(&Group::symmetric(1))
            };
            check(&group, &object, &mut scratch, seed);
        }
    }
}

#[test]
fn like_parts_are_counted_without_a_search() {
    let mut object = Object::new(20);
    for x in (0..20).step_by(2) {
        object.add_arc(x, x + 1, 0);
        object.add_arc(x + 1, x, 0);
    }
    let canoniser = Canoniser::new(&Group::symmetric(20));
    let mut scratch = Scratch::new();
    let image = canoniser.canonical(&object, &mut scratch);
    let order = (1..=10u32).fold(BigUint::from(1u32 << 10), |n, k| n * k);
    assert_eq!((image.stabiliser_order(), image.n_leaves()), (order, 1));
    // An arrow through each pair instead: no twins, but still ten like parts.
    object.reset(20);
    (0..20).step_by(2).for_each(|x| object.add_arc(x, x + 1, 0));
    let image = canoniser.canonical(&object, &mut scratch);
    let order = (1..=10u32).fold(BigUint::from(1u32), |n, k| n * k);
    assert_eq!((image.stabiliser_order(), image.n_leaves()), (order, 1));
}

#[test]
fn objects_with_few_ties_under_small_groups_have_one_image_per_orbit() {
    let flip = |x: Point| x ^ 1;
    let turn = |x: Point| (x << 1 | x >> 3) & 15;
    let swap = |x: Point| x & !3 | (x & 1) << 1 | (x & 2) >> 1;
    let corner = |f: &dyn Fn(Point) -> Point| Perm::from_bijection((0..16).map(f).collect());
    let cube = Group::new(16, vec![corner(&flip), corner(&turn), corner(&swap)]);
    assert_eq!(cube.order(), BigUint::from(384u32));
    let groups = [
        cube,
        Group::cyclic(12),
        Group::dihedral(10),
        Group::cyclic(5).direct_product(&Group::symmetric(4)),
        Group::dihedral(4).direct_product(&Group::cyclic(6)),
    ];
    let mut scratch = Scratch::new();
    let mut n_settled = 0;
    for seed in 0..12 {
        let mut rng = fastrand::Rng::with_seed(seed);
        for group in &groups {
            let degree = group.degree();
            let mut object = Object::new(degree);
            let n_busy = rng.usize(..=degree);
            for _ in 0..n_busy {
                object.set_colour(rng.u32(..degree as u32), rng.u64(..3));
            }
            for _ in 0..rng.usize(..3) {
                object.add_arc(rng.u32(..degree as u32), rng.u32(..degree as u32), 0);
            }
            check(group, &object, &mut scratch, seed);
            let image = Canoniser::new(group);
            n_settled += usize::from(image.canonical(&object, &mut scratch).n_leaves() > 1);
        }
    }
    assert!(n_settled > 0, "no object had arrangements to compare");
}

#[test]
fn buckets_count_what_a_set_counts() {
    let mut buckets = scratch::Buckets::default();
    let mut n_shared = 0;
    for seed in 0..2000 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let some: Vec<u64> = (0..rng.usize(1..30)).map(|_| rng.u64(..)).collect();
        let mut numbers: Vec<u64> = (0..rng.usize(..64))
            .map(|_| some[rng.usize(..some.len())])
            .collect();
        if rng.bool() && !numbers.is_empty() {
            let near = numbers[0] ^ 1;
            numbers.push(near);
        }
        let expected: std::collections::BTreeSet<_> = numbers.iter().collect();
        match buckets.count(&numbers) {
            Some(n) => assert_eq!(n, expected.len(), "seed {seed}"),
            None => n_shared += 1,
        }
    }
    assert!((900..1100).contains(&n_shared), "{n_shared} refusals");
}

/// The arrangements of least keys as elements of the group: by column, where it goes.
fn arrangements(canoniser: &Canoniser, keys: &[u64], scratch: &mut Scratch) -> Option<Vec<Perm>> {
    let rows = canoniser.arrangements(Keys::Hashes(keys), scratch)?;
    let element = |row: &[u8]| {
        let by: Vec<Point> = row.iter().map(|&column| Point::from(column)).collect();
        Perm::from_bijection(by).inverse()
    };
    Some(rows.map(element).collect())
}

/// Whether moving keys by `h` leads to the same arrangements after it, by all elements: what
/// brings the keys to places must not depend on which object of the orbit they are of.
fn follows(canoniser: &Canoniser, keys: &[u64], moved: (&Perm, &[u64])) -> bool {
    let mut scratch = Scratch::new();
    let own = arrangements(canoniser, keys, &mut scratch);
    let after = arrangements(canoniser, moved.1, &mut scratch);
    let sorted = |perms: Option<Vec<Perm>>, by: Option<&Perm>| {
        let images = perms?.into_iter().map(|g| {
            let image = (0..g.degree() as Point).map(|x| g.at(by.map_or(x, |h| h.at(x))));
            image.collect::<Vec<_>>()
        });
        let mut images: Vec<_> = images.collect();
        images.sort();
        Some(images)
    };
    sorted(own, None) == sorted(after, Some(moved.0))
}

#[test]
fn keys_lead_to_the_same_arrangements_wherever_they_are() {
    let cube = [
        perm(8, &[&[0, 1], &[2, 3], &[4, 5], &[6, 7]]),
        perm(8, &[&[1, 2, 4], &[3, 6, 5]]),
        perm(8, &[&[1, 2], &[5, 6]]),
    ];
    let pairs = [
        perm(8, &[&[0, 1]]),
        perm(8, &[&[0, 2], &[1, 3]]),
        perm(8, &[&[0, 2, 4, 6], &[1, 3, 5, 7]]),
    ];
    let mut n_found = 0;
    for generators in [&cube[..], &cube[..2], &pairs[..]] {
        let group = Group::new(8, generators.to_vec());
        let canoniser = Canoniser::new(&group);
        assert_eq!(canoniser.n_chain_columns(), 8);
        // Columns may be numbered otherwise than points.
        let orbits = canoniser.column_orbits().expect("no point stays");
        let points: Vec<Point> = orbits.iter().flatten().map(|column| column[0]).collect();
        let column = |x: Point| points.iter().position(|&y| y == x).expect("a column");
        for seed in 0..100 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let n_keys = rng.u64(1..9);
            let keys: Vec<u64> = (0..8).map(|_| hash::mix(rng.u64(..n_keys))).collect();
            let mut scratch = Scratch::new();
            let found = arrangements(&canoniser, &keys, &mut scratch);
            n_found += usize::from(found.is_some());
            group.chain().enumerate_images(&mut |image| {
                let to = |c: usize| column(image[points[c] as usize] as Point) as Point;
                let h = Perm::from_bijection((0..8).map(to).collect());
                let mut moved = vec![0; 8];
                (0..8).for_each(|c| moved[h.at(c as Point) as usize] = keys[c]);
                assert!(
                    follows(&canoniser, &keys, (&h, &moved)),
                    "seed {seed}: {keys:?}"
                );
                moved[0] ^= 1 << 40;
                let found = arrangements(&canoniser, &moved, &mut scratch);
                let is_one = found.is_some_and(|found| found.len() == 1);
                // A key that is not carried along is seen where arrangements were several.
                let several = arrangements(&canoniser, &keys, &mut scratch);
                if is_one && several.is_some_and(|all| all.len() > 1) {
                    assert!(!follows(&canoniser, &keys, (&h, &moved)), "seed {seed}");
                }
                true
            });
            for g in found.into_iter().flatten() {
                let to = |x: Point| points[g.at(column(x) as Point) as usize];
                let element = Perm::from_bijection((0..8).map(to).collect());
                assert!(group.contains(&element), "seed {seed}: {element:?}");
            }
        }
    }
    assert!(n_found > 200, "{n_found} of 300");
}

/// What an object of these classes is led to, class by place; or why arrangements of one object
/// differ.
fn led(canoniser: &Canoniser, classes: &[u8], scratch: &mut Scratch) -> Result<Vec<u8>, String> {
    let mut rows = canoniser
        .arrangements(Keys::Classes(classes), scratch)
        .ok_or("too many")?;
    let places = |row: &[u8]| row.iter().map(|&c| classes[c as usize]).collect::<Vec<_>>();
    let first = places(rows.next().ok_or("none")?);
    match rows.find(|row| places(row) != first) {
        Some(other) => Err(format!("{first:?} and {:?}", places(other))),
        None => Ok(first),
    }
}

#[test]
fn classes_are_led_to_the_same_places_wherever_they_are() {
    let corner = |f: &dyn Fn(Point) -> Point| {
        // The corners of a cube, then its three directions, told by where it leads corner 0.
        let to = |d: Point| 8 + (f(0) ^ f(1 << d)).trailing_zeros();
        Perm::from_bijection((0..8).map(f).chain((0..3).map(to)).collect())
    };
    let flip = corner(&|x| x ^ 1);
    let turn = corner(&|x| (x << 1 | x >> 2) & 7);
    let swap = corner(&|x| x & 4 | (x & 1) << 1 | (x & 2) >> 1);
    let group = Group::new(11, vec![flip, turn, swap]);
    assert_eq!(group.order(), 48u32.into());
    let canoniser = Canoniser::new(&group);
    let orbits = canoniser.column_orbits().expect("no point stays");
    let points: Vec<Point> = orbits.iter().flatten().map(|column| column[0]).collect();
    let column = |x: Point| points.iter().position(|&y| y == x).expect("a column");
    let mut scratch = Scratch::new();
    let mut n_wrong = 0;
    for seed in 0..300 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let n_classes = rng.u8(1..8);
        let classes: Vec<u8> = (0..11).map(|_| rng.u8(..n_classes)).collect();
        let expected = led(&canoniser, &classes, &mut scratch);
        assert!(expected.is_ok(), "seed {seed}: {expected:?}");
        group.chain().enumerate_images(&mut |image| {
            let mut moved = vec![0; 11];
            for (c, class) in classes.iter().enumerate() {
                moved[column(image[points[c] as usize])] = *class;
            }
            let found = led(&canoniser, &moved, &mut scratch);
            assert_eq!(found, expected, "seed {seed}: {classes:?} and {moved:?}");
            // Another object: what is said of it may be the same only if it is of the orbit.
            moved.swap(0, 1);
            n_wrong += usize::from(led(&canoniser, &moved, &mut scratch) != expected);
            true
        });
    }
    assert!(n_wrong > 1000, "{n_wrong} objects of other orbits");
}
