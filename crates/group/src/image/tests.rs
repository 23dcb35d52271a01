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

/// The whole orbit, the slow way.
fn orbit_of(group: &Group, object: &Object) -> (usize, usize, std::collections::BTreeSet<Meaning>) {
    let own = object.meaning();
    let (mut order, mut fixing) = (0, 0);
    let mut orbit = std::collections::BTreeSet::new();
    group.chain().enumerate(&mut |g| {
        let meaning = object.moved_by(g).meaning();
        order += 1;
        fixing += usize::from(meaning == own);
        orbit.insert(meaning);
        true
    });
    (order, fixing, orbit)
}

fn check(
    group: &Group,
    object: &Object,
    scratch: &mut Scratch,
    rng: &mut fastrand::Rng,
    seed: u64,
) {
    let canoniser = Canoniser::new(group);
    let image = canoniser.canonical(object, scratch);
    let (g, stabiliser) = (image.perm(), image.stabiliser_order());
    assert!(group.contains(&g), "seed {seed}: {g:?} is not in the group");
    let meaning = object.moved_by(&g).meaning();
    for _ in 0..4 {
        let h = group.chain().random(rng);
        let other = object.moved_by(&h);
        let image = canoniser.canonical(&other, scratch);
        let other_meaning = other.moved_by(&image.perm()).meaning();
        assert_eq!(
            meaning, other_meaning,
            "seed {seed}: two images of one orbit, {group:?}\n{object:?}"
        );
        assert_eq!(
            stabiliser,
            image.stabiliser_order(),
            "seed {seed}: stabiliser"
        );
    }
    let (order, fixing, orbit) = orbit_of(group, object);
    assert_eq!(
        stabiliser,
        BigUint::from(fixing),
        "seed {seed}: stabiliser {group:?}\n{object:?}"
    );
    assert_eq!(orbit.len() * fixing, order, "seed {seed}: orbit-stabiliser");
}

#[test]
fn random_objects_under_random_groups_have_one_image_per_orbit() {
    let mut scratch = Scratch::new();
    for seed in 0..3000 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let degree = rng.usize(1..=6);
        let group = random_group(degree, &mut rng);
        let object = random_object(degree, &mut rng);
        check(&group, &object, &mut scratch, &mut rng, seed);
    }
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
            check(group, &object, &mut scratch, &mut rng, seed);
        }
    }
}
