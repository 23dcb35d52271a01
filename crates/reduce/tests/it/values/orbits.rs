//! What symmetries do to states, against the twin; canonical states and sizes of orbits.

use super::random;
use super::texts::agreed;
use super::twin::{State, elements};
use fastrand::Rng;
use group::Point;
use group::image::Object;
use model::values::Signature;
use num_bigint::BigUint;
use reduce::action::Action;
use reduce::canonical::Canonical;
use reduce::reducer::Reducer;
use reduce::values::CertifiedValues;
use std::collections::BTreeSet;

fn applied(certified: &CertifiedValues, image: &[Point], state: &[u8]) -> Vec<u8> {
    let mut out = vec![7];
    certified.act().apply(image, state, &mut out);
    out
}

/// A random case: what states are made of, the group, a state.
fn case(seed: u64) -> (Signature, CertifiedValues, State) {
    let mut rng = Rng::with_seed(seed);
    let (signature, grounds) = random::signature(&mut rng);
    let certified = agreed(&signature, &grounds);
    let state = random::state(&mut rng, &signature);
    (signature, certified, state)
}

#[test]
fn states_are_renamed_as_trees_are() {
    let mut n_moved = 0;
    for seed in 0..3000 {
        let (signature, certified, state) = case(seed);
        let points = certified.act().points();
        let bytes = state.bytes(&signature);
        let mut rng = Rng::with_seed(seed);
        let all = elements(&certified);
        for _ in 0..4 {
            let image = &all[rng.usize(0..all.len())];
            let wanted = state.renamed(points, image).bytes(&signature);
            n_moved += usize::from(wanted != bytes);
            let found = applied(&certified, image, &bytes);
            assert_eq!(found, wanted, "seed {seed}, {image:?}, {state:?}");
        }
    }
    assert!(n_moved > 3000, "only {n_moved} states were moved");
}

/// Whether moving by `q` and then by `p` is moving by `p∘q`.
fn is_left_action(
    apply: &impl Fn(&[Point], &[u8]) -> Vec<u8>,
    (p, q): (&[Point], &[Point]),
    state: &[u8],
) -> bool {
    let both: Vec<Point> = q.iter().map(|x| p[*x as usize]).collect();
    apply(p, &apply(q, state)) == apply(&both, state)
}

#[test]
fn the_action_is_a_left_action_and_faults_are_noticed() {
    let (mut n_right, mut n_lazy) = (0, 0);
    for seed in 0..1000 {
        let (signature, certified, state) = case(seed);
        let state = state.bytes(&signature);
        let all = elements(&certified);
        let mut rng = Rng::with_seed(seed);
        let (p, q) = (&all[rng.usize(0..all.len())], &all[rng.usize(0..all.len())]);
        let apply = |image: &[Point], state: &[u8]| applied(&certified, image, state);
        assert!(is_left_action(&apply, (p, q), &state), "seed {seed}");
        // Planted: the inverse is applied.
        let right = |image: &[Point], state: &[u8]| {
            let mut inverse = vec![0; image.len()];
            (0..).zip(image).for_each(|(x, y)| inverse[*y as usize] = x);
            applied(&certified, &inverse, state)
        };
        n_right += usize::from(!is_left_action(&right, (p, q), &state));
        // Planted: the last byte stays.
        let lazy = |image: &[Point], state: &[u8]| {
            let mut out = applied(&certified, image, state);
            let last = state.len() - 1;
            out[last] = state[last];
            out
        };
        let wanted = applied(&certified, p, &state);
        n_lazy += usize::from(lazy(p, &state) != wanted);
    }
    assert!(n_right > 100, "{n_right}");
    assert!(n_lazy > 100, "{n_lazy}");
}

#[test]
fn canonical_states_are_one_an_orbit_and_sizes_are_right() {
    let (mut n_large, mut n_ties) = (0, 0);
    for seed in 0..2000 {
        let (signature, certified, state) = case(seed);
        let orbit = state.orbit(&signature, &certified);
        let mut canonical = Canonical::new(&certified.certified());
        let bytes = state.bytes(&signature);
        assert_eq!(
            canonical.orbit_size(&bytes),
            BigUint::from(orbit.len()),
            "seed {seed}, {state:?}"
        );
        let mut found = BTreeSet::new();
        for image in &orbit {
            let mut representative = image.clone();
            canonical.reduce(&mut representative);
            let symmetry = canonical.symmetry().expect("an element");
            let mut moved = Vec::new();
            canonical.apply(&symmetry, image, &mut moved);
            assert_eq!(moved, representative, "seed {seed}");
            found.insert(representative);
        }
        assert_eq!(found.len(), 1, "seed {seed}, {state:?}");
        assert!(orbit.is_superset(&found), "seed {seed}");
        n_large += usize::from(orbit.len() > 5);
        n_ties += usize::from(orbit.len() < elements(&certified).len());
    }
    assert!(n_large > 300 && n_ties > 300, "{n_large} {n_ties}");
}

/// Whether the image of the picture is the picture of the image, and whether just who fixes the
/// state fixes its picture.
fn is_faithful(
    certified: &CertifiedValues,
    image: &[Point],
    state: &[u8],
    draw: &mut dyn FnMut(&[u8]) -> Object,
) -> (bool, bool) {
    let object = draw(state);
    let moved = applied(certified, image, state);
    let perm = group::Perm::from_bijection(image.to_vec());
    let wanted = object.moved_by(&perm).meaning();
    let fixes = wanted == object.meaning();
    (draw(&moved).meaning() == wanted, fixes == (moved == state))
}

/// A planted fault: the object with one label for all arcs.
fn without_labels(object: &Object) -> Object {
    let mut blurred = Object::new(object.n_points());
    let n = object.n_points();
    for (x, colour) in object.colours().iter().enumerate() {
        if x < n {
            blurred.set_colour(x as Point, *colour)
        } else {
            blurred.add_vertex(*colour);
        }
    }
    for arc in object.arcs() {
        blurred.add_arc(arc.from, arc.to, 0);
    }
    blurred
}

#[test]
fn pictures_move_as_states_do_and_are_fixed_by_who_fixes_the_state() {
    let mut n_blurred = 0;
    for seed in 0..1000 {
        let (signature, certified, state) = case(seed);
        let mut reading = certified.certified().reader();
        let bytes = state.bytes(&signature);
        for image in elements(&certified).iter().take(24) {
            let mut draw = |state: &[u8]| reading.object(state).clone();
            let faithful = is_faithful(&certified, image, &bytes, &mut draw);
            assert_eq!(faithful, (true, true), "seed {seed}, {image:?}, {state:?}");
            let mut draw = |state: &[u8]| without_labels(reading.object(state));
            let faithful = is_faithful(&certified, image, &bytes, &mut draw);
            n_blurred += usize::from(faithful != (true, true));
        }
    }
    assert!(n_blurred > 0, "labels are not needed");
}
