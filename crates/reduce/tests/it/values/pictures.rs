//! States that the published picture of states of B mixes up, and markers.
//!
//! Each pair of states here is in two orbits and has one published picture: membership and pairs
//! look alike in it (1), pairs of nested relations are shared (2), the ends of nested pairs are not
//! told apart (3), constants alone look like empty variables (4), plain values have no place in it
//! (5). The marker examples are those of Turner 2007, ch. 2.

use super::random::{fields, member, pair, set, sort};
use super::texts::agreed;
use super::twin::{State, Value};
use model::values::{Ground, Signature, SortId, Type};
use reduce::action::{Action, Sketch};
use reduce::canonical::Canonical;
use reduce::reducer::Reducer;
use reduce::values::CertifiedValues;

const A: usize = 0;
const B: usize = 1;
const C: usize = 2;
const D: usize = 3;

fn m(n: usize) -> Value {
    Value::Member(SortId::new(0), n)
}

fn t(left: Value, right: Value) -> Value {
    Value::Tuple(vec![left, right])
}

fn s<const N: usize>(elements: [Value; N]) -> Value {
    Value::Set(elements.into())
}

/// One sort of four members without names.
fn four(types: Vec<Type>) -> (Signature, CertifiedValues) {
    let signature = Signature {
        sorts: vec![sort("S", 4, false)],
        constants: Vec::new(),
        variables: fields(types),
    };
    let certified = agreed(&signature, &[Ground::Unnamed]);
    (signature, certified)
}

fn canonical(certified: &CertifiedValues, state: &[u8]) -> Vec<u8> {
    let mut state = state.to_vec();
    Canonical::new(&certified.certified()).reduce(&mut state);
    state
}

/// That the states are in one orbit or not, and that their canonical states say so; also when they
/// are renamed first.
#[track_caller]
fn assert_canonical(types: Vec<Type>, one: Vec<Value>, other: Vec<Value>, alike: bool) {
    let (signature, certified) = four(types);
    let (one, other) = (State::running(one), State::running(other));
    let bytes = other.bytes(&signature);
    let orbit = one.orbit(&signature, &certified);
    assert_eq!(orbit.contains(&bytes), alike, "the example is wrong");
    let mut moved = Vec::new();
    certified.act().apply(&[2, 0, 3, 1], &bytes, &mut moved);
    let one = canonical(&certified, &one.bytes(&signature));
    assert_eq!(one == canonical(&certified, &bytes), alike);
    assert_eq!(one == canonical(&certified, &moved), alike);
}

/// The same, for states with the same plain values in them: then their pictures say so, too.
#[track_caller]
fn assert_alike(types: Vec<Type>, one: Vec<Value>, other: Vec<Value>, alike: bool) {
    assert_canonical(types.clone(), one.clone(), other.clone(), alike);
    let (signature, certified) = four(types);
    let mut reading = certified.certified().reader();
    let mut picture = |values: Vec<Value>| {
        let state = State::running(values).bytes(&signature);
        reading.object(&canonical(&certified, &state)).meaning()
    };
    assert_eq!(picture(one) == picture(other), alike);
}

#[test]
fn membership_and_pairs_are_told_apart() {
    // w = a, v = {(a, {b})} and w = a, v = {(b, {a})}.
    let types = || vec![member(0), set(pair(member(0), set(member(0))))];
    let one = vec![m(A), s([t(m(A), s([m(B)]))])];
    let other = vec![m(A), s([t(m(B), s([m(A)]))])];
    assert_alike(types(), one.clone(), other, false);
    let like = vec![m(C), s([t(m(C), s([m(A)]))])];
    assert_alike(types(), one, like, true);
    // No function: b has two values.
    let one = vec![m(A), s([t(m(B), s([m(A)])), t(m(B), s([m(C), m(D)]))])];
    let other = vec![m(A), s([t(m(B), s([m(C)])), t(m(B), s([m(A), m(D)]))])];
    assert_alike(types(), one, other, false);
}

#[test]
fn pairs_of_nested_relations_belong_to_them() {
    let types = || vec![set(set(pair(member(0), member(0))))];
    let (ab, cd) = (t(m(A), m(B)), t(m(C), m(D)));
    let (ad, cb) = (t(m(A), m(D)), t(m(C), m(B)));
    let second = s([ad.clone(), cb.clone()]);
    let one = vec![s([s([ab.clone(), cd.clone()]), second.clone()])];
    let other = vec![s([s([ab.clone(), cd, ad]), second])];
    assert_alike(types(), one, other, false);
    // The same pairs, and as many in each relation.
    let ba = t(m(B), m(A));
    let one = vec![s([s([ab.clone(), cb.clone()]), s([ba.clone()])])];
    let other = vec![s([s([ab.clone(), ba.clone()]), s([cb])])];
    assert_alike(types(), one, other, false);
}

#[test]
fn nested_pairs_have_a_first_and_a_second() {
    // w = a, u = c, v = {((a,b),c), ((b,a),d)} and v = {((b,a),c), ((a,b),d)}.
    let relation = set(pair(pair(member(0), member(0)), member(0)));
    let types = || vec![member(0), member(0), relation.clone()];
    let (ab, ba) = (t(m(A), m(B)), t(m(B), m(A)));
    let v = |first: &Value, second: &Value| s([t(first.clone(), m(C)), t(second.clone(), m(D))]);
    let one = vec![m(A), m(C), v(&ab, &ba)];
    let other = vec![m(A), m(C), v(&ba, &ab)];
    assert_alike(types(), one, other, false);
    // Sets for members: two vertices with an arc between them.
    let relation = set(pair(set(member(0)), set(member(0))));
    let types = || vec![member(0), relation.clone()];
    let one = vec![m(A), s([t(s([m(A)]), s([m(B)]))])];
    let other = vec![m(A), s([t(s([m(B)]), s([m(A)]))])];
    assert_alike(types(), one, other, false);
}

#[test]
fn constants_alone_are_no_running_state() {
    let signature = Signature {
        sorts: vec![sort("S", 4, false)],
        constants: fields(vec![set(member(0))]),
        variables: fields(vec![set(pair(member(0), member(0)))]),
    };
    let certified = agreed(&signature, &[Ground::Unnamed]);
    let constants = State {
        constants: vec![s([m(B)])],
        variables: None,
    };
    let running = State {
        variables: Some(vec![s([])]),
        ..constants.clone()
    };
    let constants = canonical(&certified, &constants.bytes(&signature));
    let running = canonical(&certified, &running.bytes(&signature));
    assert_ne!(constants, running);
    // Constants move: the one that is in the set goes to the same place in both.
    assert_eq!(constants[1..], running[1..constants.len()]);
    let like = State {
        constants: vec![s([m(D)])],
        variables: None,
    };
    assert_eq!(canonical(&certified, &like.bytes(&signature)), constants);
}

#[test]
fn plain_values_count() {
    let types = || vec![Type::Int, set(pair(member(0), Type::Int))];
    let f = |x: i64, y: i64| s([t(m(A), Value::Int(x)), t(m(B), Value::Int(y))]);
    let one = vec![Value::Int(1), f(1, 2)];
    assert_canonical(types(), one.clone(), vec![Value::Int(2), f(1, 2)], false);
    assert_canonical(types(), one.clone(), vec![Value::Int(1), f(1, 3)], false);
    assert_canonical(types(), one, vec![Value::Int(1), f(2, 1)], true);
    // Longer than a key: a text.
    let types = || vec![set(pair(member(0), Type::Text))];
    let text = |text: &str| Value::Text(text.to_owned());
    let f = |x: &str, y: &str| vec![s([t(m(A), text(x)), t(m(B), text(y))])];
    let one = f("the first of two", "the second");
    assert_canonical(
        types(),
        one.clone(),
        f("the first of two", "the secund"),
        false,
    );
    assert_canonical(types(), one, f("the second", "the first of two"), true);
}

#[test]
fn the_examples_of_graphs_of_states_are_told_from_their_neighbours() {
    // v1 = {{a}, {b}}; v1 = {({a}, {b})}, v2 = {{c}}; v1 = {{a}}, v2 = {{(b, c)}}.
    let sets = || vec![set(set(member(0)))];
    let one = vec![s([s([m(A)]), s([m(B)])])];
    assert_alike(sets(), one.clone(), vec![s([s([m(A), m(B)])])], false);
    assert_alike(sets(), one, vec![s([s([m(D)]), s([m(C)])])], true);
    let types = || {
        let nested = set(pair(set(member(0)), set(member(0))));
        vec![nested, set(set(member(0)))]
    };
    let two = |x: usize| vec![s([t(s([m(A)]), s([m(B)]))]), s([s([m(x)])])];
    assert_alike(types(), two(C), two(D), true);
    assert_alike(types(), two(C), two(B), false);
    assert_alike(types(), two(A), two(B), false);
    let types = || vec![set(set(member(0))), set(set(pair(member(0), member(0))))];
    let three = |x: usize| vec![s([s([m(x)])]), s([s([t(m(B), m(C))])])];
    assert_alike(types(), three(A), three(D), true);
    assert_alike(types(), three(A), three(B), false);
    assert_alike(types(), three(B), three(C), false);
}

/// By point: a number for what is known of it at once.
fn described(certified: &CertifiedValues, state: &State, signature: &Signature) -> Vec<u64> {
    let mut sketch = Sketch::default();
    let bytes = state.bytes(signature);
    certified.certified().reader().sketch(&bytes, &mut sketch);
    sketch.nodes.truncate(certified.act().degree());
    sketch.nodes
}

#[test]
fn members_are_described_by_where_they_occur() {
    // v1 = a, v2 = {a, b}, v3 = {(a, c)}.
    let relation = set(pair(member(0), member(0)));
    let (signature, certified) = four(vec![member(0), set(member(0)), relation]);
    let state = State::running(vec![m(A), s([m(A), m(B)]), s([t(m(A), m(C))])]);
    let nodes = described(&certified, &state, &signature);
    assert_ne!(nodes[A], nodes[B]);
    assert_ne!(nodes[B], nodes[C]);
    // c is told from d by the arc, not by what it owns.
    assert_eq!(nodes[C], nodes[D]);
    // A stack: {(1, a), (2, b)}, exchanged, and {(1, a), (2, a)}.
    let (signature, certified) = four(vec![set(pair(Type::Int, member(0)))]);
    let stack = |x: usize, y: usize| {
        State::running(vec![s([t(Value::Int(1), m(x)), t(Value::Int(2), m(y))])])
    };
    let one = described(&certified, &stack(A, B), &signature);
    let other = described(&certified, &stack(B, A), &signature);
    assert_eq!((one[A], one[B]), (other[B], other[A]));
    assert_ne!(one[A], one[B]);
    let twice = described(&certified, &stack(A, A), &signature);
    assert!(!one.contains(&twice[A]));
}
