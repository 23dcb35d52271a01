//! Laws of sets and sequences, and what plain Rust says, on random values.

use super::load;
use std::collections::BTreeSet;
use std::fmt::Write;

fn list<T: ToString>(values: impl IntoIterator<Item = T>) -> String {
    let all: Vec<String> = values.into_iter().map(|v| v.to_string()).collect();
    all.join(", ")
}

#[test]
fn sets_and_sequences_of_numbers_agree_with_plain_ones() {
    for seed in 0..150 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut numbers =
            |n: usize| -> Vec<i64> { (0..random.usize(..n)).map(|_| random.i64(-3..6)).collect() };
        let (x, y) = (numbers(7), numbers(7));
        let (a, b) = (
            BTreeSet::from_iter(x.clone()),
            BTreeSet::from_iter(y.clone()),
        );
        let mut cases: Vec<(String, String)> = Vec::new();
        let mut case = |expr: &str, expected: String| cases.push((expr.to_owned(), expected));
        case("union(A, B)", format!("{{{}}}", list(&a | &b)));
        case("inter(A, B)", format!("{{{}}}", list(&a & &b)));
        case("diff(A, B)", format!("{{{}}}", list(&a - &b)));
        case("card(A)", a.len().to_string());
        case("A <= B", a.is_subset(&b).to_string());
        case("A < B", (a.is_subset(&b) && a != b).to_string());
        case("A == B", (a == b).to_string());
        case("empty(A)", a.is_empty().to_string());
        case("seq(A)", format!("<{}>", list(&a)));
        case("set(X)", format!("{{{}}}", list(&a)));
        case("X ^ Y", format!("<{}>", list(x.iter().chain(&y))));
        case("length(X)", x.len().to_string());
        case("X <= Y", y.starts_with(&x).to_string());
        case("elem(2, X)", x.contains(&2).to_string());
        case(
            "concat(<X, Y, X>)",
            format!("<{}>", list(x.iter().chain(&y).chain(&x))),
        );
        case(
            "<n + 1 | n <- X, 0 < n>",
            format!("<{}>", list(x.iter().filter(|n| **n > 0).map(|n| n + 1))),
        );
        let pairs = a
            .iter()
            .flat_map(|p| b.iter().map(move |q| p * q))
            .collect::<BTreeSet<_>>();
        case("{p * q | p <- A, q <- B}", format!("{{{}}}", list(pairs)));
        let mut text = format!(
            "X = < {}>\nY = < {}>\nA = {{ {}}}\nB = {{ {}}}\n",
            list(&x),
            list(&y),
            list(&x),
            list(&y)
        );
        for (i, (expr, _)) in cases.iter().enumerate() {
            writeln!(text, "case{i} = {expr}").expect("writing to a string");
        }
        let mut loaded = load(&text);
        for (i, (expr, expected)) in cases.iter().enumerate() {
            assert_eq!(
                loaded.shown(&format!("case{i}")),
                *expected,
                "seed {seed}: {expr} in\n{text}"
            );
        }
    }
}

/// A random set of a random type, as text: nested sets, tuples, sequences and dotted values.
fn random_set(kind: u32, random: &mut fastrand::Rng) -> String {
    let elements: Vec<String> = (0..random.usize(..6))
        .map(|_| random_value(kind, random))
        .collect();
    format!("{{{}}}", elements.join(", "))
}

fn random_value(kind: u32, random: &mut fastrand::Rng) -> String {
    match kind {
        0 => random.i64(0..4).to_string(),
        1 => format!("({}, {})", random.i64(0..3), random.bool()),
        2 => format!(
            "<{}>",
            list((0..random.usize(..3)).map(|_| random.i64(0..2)))
        ),
        3 => random_set(0, random),
        4 => ["Nil", "One.0", "One.1", "Two.0.Nil", "Two.1.One.0"][random.usize(..5)].to_owned(),
        _ => format!("c.{}.{}", random.i64(0..2), random_value(4, random)),
    }
}

/// Laws that hold for all sets `A`, `B`, `C` of one type.
const LAWS: &[&str] = &[
    "union(A, B) == union(B, A)",
    "union(A, union(B, C)) == union(union(A, B), C)",
    "inter(A, union(B, C)) == union(inter(A, B), inter(A, C))",
    "union(diff(A, B), inter(A, B)) == A",
    "empty(inter(diff(A, B), B))",
    "card(union(A, B)) + card(inter(A, B)) == card(A) + card(B)",
    "set(seq(A)) == A",
    "length(seq(A)) == card(A)",
    "Union({A, B}) == union(A, B)",
    "Inter({A, B}) == inter(A, B)",
    "{x | x <- A} == A",
    "{x | x <- A, member(x, B)} == inter(A, B)",
    "(A <= B) == empty(diff(A, B))",
    "(A == B) == (A <= B and B <= A)",
    "member(A, Set(union(A, B)))",
    "card(Set(inter(A, B))) <= card(Set(A))",
    "Union(Set(A)) == A",
    "seq(A) ^ seq(B) == concat(<seq(A), seq(B)>)",
];

/// Which of the laws hold for random sets of a seed.
fn held(laws: &[&str], seed: u64) -> Vec<bool> {
    let mut random = fastrand::Rng::with_seed(seed);
    let kind = random.u32(0..6);
    let mut text =
        "datatype T = Nil | One.{0..1} | Two.{0..1}.T2\ndatatype T2 = U\nchannel c : {0..1}.T\n"
            .replace("Two.{0..1}.T2\ndatatype T2 = U", "Two.{0..1}.{Nil, One.0}");
    for name in ["A", "B", "C"] {
        writeln!(text, "{name} = {}", random_set(kind, &mut random)).expect("writing to a string");
    }
    for (i, law) in laws.iter().enumerate() {
        writeln!(text, "law{i} = {law}").expect("writing to a string");
    }
    let mut loaded = load(&text);
    let shown = (0..laws.len()).map(|i| loaded.shown(&format!("law{i}")));
    shown.map(|value| value == "true").collect()
}

#[test]
fn laws_of_sets_hold_for_random_sets() {
    for seed in 0..300 {
        for (law, holds) in LAWS.iter().zip(held(LAWS, seed)) {
            assert!(holds, "seed {seed}: {law}");
        }
    }
}

#[test]
fn what_is_no_law_is_found_out() {
    let wrong = [
        "union(A, B) == A",
        "diff(A, B) == diff(B, A)",
        "A <= B or B <= A",
    ];
    let mut ever_failed = [false; 3];
    for seed in 0..60 {
        for (failed, holds) in ever_failed.iter_mut().zip(held(&wrong, seed)) {
            *failed |= !holds;
        }
    }
    assert_eq!(ever_failed, [true; 3]);
}
