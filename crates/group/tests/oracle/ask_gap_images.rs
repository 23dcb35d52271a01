//! Canonical and least images under small random groups, against orbits listed by GAP.
//!
//! An object is given to GAP as a list of cells of equally coloured points and a list of sets of
//! pairs, one for each label; GAP enumerates its orbit.

use fastrand::Rng;
use group::image::{Canoniser, LeastImages, Object, Scratch};
use group::shape::classify;
use group::{Group, Perm, Point};
use num_bigint::BigUint;

use crate::gap::Batch;
use crate::groups::{element_or_not, random_group};
use crate::program::GAP;
use crate::sample_groups::random_perm;

const N_CASES: u64 = 600;
const N_COLOURS: u64 = 3;
const N_LABELS: u32 = 2;
/// Orbits are listed, so groups are small.
const ORDER_MAX: u32 = 2000;

/// How GAP moves an object, a tuple, and how it finds the least of an orbit.
const ACTIONS: &str = r"
OnObjects := function(o, p) return
  [OnTuplesSets(o[1], p), List(o[2], s -> OnSetsTuples(s, p))]; end;;
OnValues := function(v, p) return Permuted(v, p); end;;
";

#[test]
fn stabilisers_and_equality_of_canonical_images() {
    let Some(start) = GAP.seed_of("stabilisers_and_equality_of_canonical_images") else {
        return;
    };
    let mut batch = Batch::new();
    batch.run(ACTIONS);
    let mut scratch = Scratch::new();
    for seed in start..start + N_CASES {
        let rng = &mut Rng::with_seed(seed);
        let group = small_group(rng);
        let n = group.degree();
        let case = format!("seed {seed}, degree {n}");
        batch.set_group("g", &group);
        let a = random_object(rng, n);
        let b = related_object(rng, &group, &a);
        let canoniser = Canoniser::new(&group);
        let (image_a, order) = canonical(&canoniser, &a, &mut scratch, &group);
        let (image_b, _) = canonical(&canoniser, &b, &mut scratch, &group);
        batch.run(&format!("a := {};; b := {};;", text(&a), text(&b)));
        batch.run("o := Orbit(g, a, OnObjects);;");
        batch.ask(&case, "Size(g) / Length(o)", order);
        let same = image_a.meaning() == image_b.meaning();
        batch.ask(&case, "b in o", same);
    }
    batch.check("stabilisers_and_equality_of_canonical_images");
}

#[test]
fn orbit_lengths_of_tuples() {
    let Some(start) = GAP.seed_of("orbit_lengths_of_tuples") else {
        return;
    };
    let mut batch = Batch::new();
    let mut scratch = Scratch::new();
    for seed in start..start + N_CASES {
        let rng = &mut Rng::with_seed(seed);
        let group = random_group(rng, 20);
        let n = group.degree();
        let case = format!("seed {seed}, degree {n}");
        batch.set_group("g", &group);
        let values: Vec<u64> = (0..n).map(|_| rng.u64(0..N_COLOURS)).collect();
        let object = Object::tuple(&values);
        let canoniser = Canoniser::new(&group);
        let (_, order) = canonical(&canoniser, &object, &mut scratch, &group);
        let length = format!("Index(g, Stabilizer(g, {}, OnTuplesSets))", cells(&values));
        batch.ask(&case, &length, group.order() / order);
    }
    batch.check("orbit_lengths_of_tuples");
}

#[test]
fn least_tuples() {
    let Some(start) = GAP.seed_of("least_tuples") else {
        return;
    };
    let mut batch = Batch::new();
    batch.run(ACTIONS);
    for seed in start..start + N_CASES {
        let rng = &mut Rng::with_seed(seed);
        let group = small_group(rng);
        let n = group.degree();
        let case = format!("seed {seed}, degree {n}");
        batch.set_group("g", &group);
        let n_values = rng.u64(2..=n as u64 + 1);
        let values: Vec<u64> = (0..n).map(|_| rng.u64(0..n_values)).collect();
        batch.run(&format!("o := Orbit(g, {values:?}, OnValues);;"));
        let object = Object::tuple(&values);
        let least = object.moved_by(&LeastImages::new(&group).least(&object));
        batch.ask(&case, "Minimum(o)", format!("{:?}", least.colours()));
        let (representative, _) = classify(&group, u64::from(ORDER_MAX)).representative(&values);
        batch.ask(&case, &format!("{representative:?} in o"), true);
    }
    batch.check("least_tuples");
}

fn small_group(rng: &mut Rng) -> Group {
    loop {
        let group = random_group(rng, 12);
        if group.order() <= BigUint::from(ORDER_MAX) {
            return group;
        }
    }
}

fn random_object(rng: &mut Rng, n: usize) -> Object {
    let mut object = Object::new(n);
    let n_colours = rng.u64(1..=N_COLOURS);
    for x in 0..n as Point {
        object.set_colour(x, rng.u64(0..n_colours));
    }
    let density = rng.f64();
    for label in 0..rng.u32(0..=N_LABELS) {
        for from in 0..n as Point {
            if rng.f64() < density {
                object.add_arc(from, rng.u32(0..n as Point), label);
            }
        }
    }
    object
}

/// In the orbit of `a`, or near it: moved by an element or not, perhaps with one arc changed.
fn related_object(rng: &mut Rng, group: &Group, a: &Object) -> Object {
    let n = group.degree();
    if rng.usize(0..4) == 0 {
        return random_object(rng, n);
    }
    let p: Perm = if rng.bool() {
        element_or_not(rng, group)
    } else {
        group.chain().random(rng)
    };
    let moved = a.moved_by(&p);
    if rng.usize(0..3) > 0 || a.arcs().is_empty() {
        return moved;
    }
    let mut changed = Object::tuple(moved.colours());
    let at = rng.usize(0..a.arcs().len());
    let by = random_perm(rng, n, n);
    for (i, arc) in moved.arcs().iter().enumerate() {
        let to = if i == at { by.at(arc.to) } else { arc.to };
        changed.add_arc(arc.from, to, arc.label);
    }
    changed
}

/// The image, and the order of the stabiliser.
fn canonical(
    canoniser: &Canoniser,
    object: &Object,
    scratch: &mut Scratch,
    group: &Group,
) -> (Object, BigUint) {
    let image = canoniser.canonical(object, scratch);
    let g = image.perm();
    assert!(group.contains(&g), "{g:?} is no element");
    (object.moved_by(&g), image.stabiliser_order())
}

fn text(object: &Object) -> String {
    let mut sets = Vec::new();
    for label in 0..N_LABELS {
        let mut pairs: Vec<(Point, Point)> = object
            .arcs()
            .iter()
            .filter(|a| a.label == label)
            .map(|a| (a.from + 1, a.to + 1))
            .collect();
        pairs.sort_unstable();
        let pairs: Vec<String> = pairs.iter().map(|(x, y)| format!("[{x},{y}]")).collect();
        sets.push(format!("[{}]", pairs.join(",")));
    }
    format!("[{},[{}]]", cells(object.colours()), sets.join(","))
}

/// The points of each colour.
fn cells(colours: &[u64]) -> String {
    let mut cells = vec![Vec::new(); N_COLOURS as usize];
    for (x, &colour) in colours.iter().enumerate() {
        cells[colour as usize].push(x as Point);
    }
    crate::gap::lists_text(&cells)
}
