//! Cells beside all permutations within cells.

use super::*;
use std::collections::BTreeSet;

fn s() -> SortId {
    SortId::new(0)
}

fn t() -> SortId {
    SortId::new(1)
}

fn member(sort: SortId, index: usize) -> Value {
    Value::member(sort, index)
}

fn set(elements: impl IntoIterator<Item = Value>) -> Value {
    Value::Set(elements.into_iter().collect())
}

/// Blocks `{0 1 2 3}` of the first sort and `{0 2}` of the second.
fn cells() -> ExchangeClasses {
    ExchangeClasses::of_blocks(&[vec![vec![0, 1, 2, 3]], vec![vec![0, 2], vec![1]]])
}

/// All that exchanges make of a list of values.
fn orbit(cells: &ExchangeClasses, values: &[Value]) -> BTreeSet<Vec<Value>> {
    let mut found = BTreeSet::from([values.to_vec()]);
    let mut open = vec![values.to_vec()];
    while let Some(values) = open.pop() {
        for exchange in cells.exchanges() {
            let image = values.iter().map(|value| exchange.of(value));
            let image: Vec<Value> = image.collect::<Option<_>>().expect("listed");
            if found.insert(image.clone()) {
                open.push(image);
            }
        }
    }
    found
}

/// A value of a type with at most one member in an element of a set.
fn simple(rng: &mut fastrand::Rng) -> Value {
    let pick = |rng: &mut fastrand::Rng| match rng.usize(..3) {
        0 => member(t(), rng.usize(..3)),
        _ => member(s(), rng.usize(..5)),
    };
    match rng.usize(..5) {
        0 => Value::Int(rng.i64(..2)),
        1 => pick(rng),
        2 => Value::pair(pick(rng), Value::Bool(rng.bool())),
        3 => set((0..rng.usize(..4)).map(|_| member(s(), rng.usize(..5)))),
        _ => set((0..rng.usize(..4)).map(|_| {
            let first = member(s(), rng.usize(..5));
            Value::pair(first, Value::Int(rng.i64(..2)))
        })),
    }
}

/// A value with any members in it.
fn any(rng: &mut fastrand::Rng) -> Value {
    match rng.usize(..3) {
        0 => simple(rng),
        1 => set((0..rng.usize(..4)).map(|_| {
            let first = member(s(), rng.usize(..5));
            Value::pair(first, member(s(), rng.usize(..5)))
        })),
        _ => set((0..rng.usize(..3)).map(|_| {
            let inner = set((0..rng.usize(..3)).map(|_| member(s(), rng.usize(..5))));
            Value::pair(inner, member(t(), rng.usize(..3)))
        })),
    }
}

#[test]
fn the_least_of_an_orbit_is_never_passed_over() {
    for seed in 0..400 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let values = [any(&mut rng), any(&mut rng)];
        let orbit = orbit(&cells(), &values);
        let least = orbit.first().expect("it has a member");
        let least: Vec<&Value> = least.iter().collect();
        assert!(cells().is_least(&least), "seed {seed}: {least:?}");
    }
}

#[test]
fn what_is_left_of_cells_fixes_what_was_chosen_and_more_does_not() {
    for seed in 0..400 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let values = [any(&mut rng), any(&mut rng)];
        let left = cells().fixing(&values);
        assert_eq!(orbit(&left, &values).len(), 1, "seed {seed}: {values:?}");
        for exchange in cells().exchanges() {
            let fixes = values.iter().all(|value| exchange.fixes(value));
            let is_left = left.exchanges().any(|other| other == exchange);
            assert_eq!(fixes, is_left, "seed {seed}: {exchange:?} of {values:?}");
        }
    }
}

#[test]
fn a_list_of_simple_values_has_one_form_and_the_size_of_its_orbit() {
    for seed in 0..400 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let values = [simple(&mut rng), simple(&mut rng)];
        let orbit = orbit(&cells(), &values);
        let (form, size) = cells().canonical(&values);
        assert!(orbit.contains(&form), "seed {seed}: {form:?}");
        assert_eq!(size, orbit.len() as u64, "seed {seed}: {values:?}");
        for image in &orbit {
            let found = cells().canonical(image);
            assert_eq!(found, (form.clone(), size), "seed {seed}: {image:?}");
        }
    }
}

#[test]
fn one_subset_of_each_orbit_is_made() {
    let all: Set = (0..5)
        .map(|n| member(s(), n))
        .chain([member(t(), 1)])
        .collect();
    let made = cells().subsets(&all).expect("these are members");
    assert_eq!(made.len(), 5 * 2 * 2);
    let mut covered = BTreeSet::new();
    for subset in &made {
        let orbit = orbit(&cells(), &[Value::Set(subset.clone())]);
        let before = covered.len();
        covered.extend(orbit.iter().cloned());
        assert_eq!(covered.len(), before + orbit.len(), "{subset:?}");
    }
    assert_eq!(covered.len(), 1 << 6);
    let pairs = Set::singleton(Value::pair(member(s(), 0), member(s(), 1)));
    assert_eq!(cells().subsets(&pairs), None);
}

#[test]
fn types_with_two_members_in_an_element_are_not_simple() {
    use std::sync::Arc;
    let pair = |a: Type, b: Type| Type::Pair(Arc::new(a), Arc::new(b));
    let set = |of: Type| Type::Set(Arc::new(of));
    let (s, other) = (Type::Member(self::s()), Type::Member(SortId::new(2)));
    let cells = cells();
    assert!(cells.is_simple(&pair(s.clone(), s.clone())));
    assert!(cells.is_simple(&set(pair(s.clone(), Type::Int))));
    assert!(cells.is_simple(&set(pair(s.clone(), other.clone()))));
    assert!(cells.is_simple(&set(pair(set(other), s.clone()))));
    assert!(!cells.is_simple(&set(pair(s.clone(), s.clone()))));
    assert!(!cells.is_simple(&set(set(s))));
}
