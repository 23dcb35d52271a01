//! Exchanges of elements, checked on the typed machine: wrong ones are rejected wherever they are
//! planted, right ones are not, and random machines agree with the finder and with trying it.
//!
//! `ORBIT_SEEDS=FROM..TO` runs other seeds than those that always run.

mod brute;
mod text;

use crate::plain::{Setting, program};
use crate::run::{machine, machine_of};
use bmachine::alike;
use bmachine::exchange::MachineText;
use bmachine::run::Program;
use bmachine::typed::{Machine, SortId};
use bmachine::value::{Member, Set, Value};
use brute::Pair;
use fastrand::Rng;
use model::values::{Ground, Objection, Part, Text};
use std::ops::Range;
use std::sync::Arc;
use text::Maker;

const A: usize = 0;
const B: usize = 1;
const C: usize = 2;

fn sort() -> SortId {
    SortId::new(0)
}

/// A machine over `E = {a, b, c}` in which nothing is named, but for what is given.
fn with(clauses: &str, invariant: &str, start: &str, operation: &str) -> Machine {
    machine(&format!(
        "MACHINE M SETS E = {{a, b, c}}; D {clauses}\n\
         VARIABLES v, f, x INVARIANT v <: E & f : E +-> 0..1 & x : E & {invariant}\n\
         INITIALISATION v, f := {{}}, {{}} || x :: E ; {start}\n\
         OPERATIONS op(l) = PRE l : E THEN {operation} END\nEND"
    ))
}

fn holding(invariant: &str) -> Machine {
    with("", invariant, "skip", "skip")
}

fn doing(operation: &str) -> Machine {
    with("", "0 = 0", "skip", operation)
}

/// Exactly the exchange of `a` and `b` passes.
#[track_caller]
fn assert_a_and_b(machine: &Machine) {
    let text = MachineText::new(machine);
    assert_eq!(text.exchange(sort(), A, B), Ok(()));
    assert_eq!(text.exchange(sort(), B, A), Ok(()));
    assert!(text.exchange(sort(), A, C).is_err());
    assert!(text.exchange(sort(), C, B).is_err());
}

/// The exchange of `a` and `b` fails, and this part says so.
#[track_caller]
fn assert_changed(machine: &Machine, part: Part) {
    let text = MachineText::new(machine);
    for (a, b) in [(A, B), (B, A)] {
        match text.exchange(sort(), a, b) {
            Err(Objection::Changed(place)) => {
                assert_eq!(place.part, part);
                assert_eq!(place.refined, None);
                assert!(place.span.is_some());
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_wrong_exchange_is_rejected_in_every_part_of_a_machine() {
    let properties = with(
        "CONSTANTS k PROPERTIES k : E & k /= a",
        "0 = 0",
        "skip",
        "skip",
    );
    assert_changed(&properties, Part::Properties);
    assert_changed(&holding("a : v"), Part::Invariant);
    let assertions = with("ASSERTIONS a : v", "0 = 0", "skip", "skip");
    assert_changed(&assertions, Part::Assertions);
    let goal = with("DEFINITIONS GOAL == (b : v)", "0 = 0", "skip", "skip");
    assert_changed(&goal, Part::Goal);
    let start = with("", "0 = 0", "v := {a}", "skip");
    assert_changed(&start, Part::Initialisation);
    let operation = || Part::Operation("op".to_owned());
    assert_changed(&doing("PRE l = a THEN skip END"), operation());
    assert_changed(&doing("v := {b}"), operation());
    assert_changed(&doing("f(a) := 1"), operation());
    assert_changed(&doing("x : (x = a)"), operation());
    assert_changed(&doing("x :: {b, c}"), operation());
}

#[test]
fn a_wrong_exchange_is_rejected_in_every_kind_of_formula() {
    for wrong in [
        "[a, b](1) = x",
        "rec(k: a, m: b) = rec(k: x, m: x)",
        "rec(k: a, m: b)'k = x",
        "(a |-> b) = (x |-> x)",
        "{a} - {b} = v",
        "a : v => b : v",
        "bool(a : v) = TRUE",
        "{l | l : E & l /= a} = v",
        "%l.(l : E | a)(x) = x",
        "UNION(l).(l : v | {b}) = v",
        "IF x = a THEN b : v ELSE c : v END",
        "LET l BE l = a IN l : v END",
        "!l.(l : v => l = b)",
        "card({a} \\/ v) = 1",
        "{a |-> 1, b |-> 0} = f",
        "f~[{0}] <: {c, a}",
        "{{a}, {b, c}} = {v}",
        // Undefined for other states after the exchange, which order decides.
        "(f(a) = 1 or f(b) = 1)",
        "not(f(a) = 1 & f(b) = 1)",
        "{f(a), f(b)} <: {0}",
        "1 : {f(a)} \\/ {f(b)}",
        "1 : {f(a)} /\\ {f(b)}",
    ] {
        assert_changed(&holding(wrong), Part::Invariant);
    }
}

#[test]
fn a_wrong_exchange_is_rejected_in_every_kind_of_substitution() {
    for wrong in [
        "IF a : v THEN v := {a} ELSIF b : v THEN v := {b} END",
        "SELECT a : v THEN v := {a} WHEN b : v THEN v := {c} END",
        "SELECT a : v THEN v := {a} ELSE v := {b} END",
        "CHOICE v := {a} OR v := {b} OR v := {a} END",
        "CASE l OF EITHER a THEN x := b OR b THEN x := c END END",
        "CASE l OF EITHER a THEN x := b ELSE x := a END END",
        "CASE a OF EITHER x THEN x := a OR l THEN x := b END END",
        "BEGIN v := {a} ; v := {b} END",
        "BEGIN x := a || v := {b} END",
        "ANY k WHERE k : E & k /= a THEN x := k END",
        "LET k BE k = a IN x := k END",
        "VAR k IN k := a ; x := k END",
        "ASSERT a : v THEN skip END",
        "f, x := {a |-> 1}, b",
        "WHILE a : v DO v := v - {a} INVARIANT 0 = 0 VARIANT card(v) END",
    ] {
        assert_changed(&doing(wrong), Part::Operation("op".to_owned()));
    }
}

#[test]
fn what_is_used_alike_passes() {
    for right in [
        "v <: {b, a}",
        "a : v & b : v",
        "(a : v or b : v)",
        "(a : v <=> b : v)",
        "(f(a) = f(b) or c : v)",
        "f = {a |-> 1, c |-> 1, b |-> 1}",
        "v = {a} \\/ ({c} \\/ {b})",
        "card(v /\\ {a, b} /\\ {b, a}) = 1",
        "(#l.(l : v & l = a) or #m.(m : v & m = b))",
        "{{a}, {b}} = {v}",
        "not(a = b & c : v)",
    ] {
        assert_a_and_b(&with("", &format!("{right} & c |-> 1 : f"), "skip", "skip"));
    }
    for right in [
        "SELECT a : v THEN v := {b} WHEN b : v THEN v := {a} END",
        "CHOICE x := a OR x := b END",
        "CASE l OF EITHER a THEN x := b OR b THEN x := a ELSE x := c END END",
        "CASE l OF EITHER b, a THEN x := c OR c THEN skip END END",
    ] {
        assert_a_and_b(&doing(&format!(
            "BEGIN {right} ; SELECT c : v THEN skip END END"
        )));
    }
}

#[test]
fn what_is_refined_counts_under_its_own_numbers() {
    let refined = "MACHINE A SETS D; E = {c, b, a} VARIABLES v INVARIANT v <: E\n\
                   INITIALISATION v := {} OPERATIONS op = v := {a} END";
    let refinement = "REFINEMENT R REFINES A VARIABLES w INVARIANT w <: E & v <: w & 0 = 0\n\
                      INITIALISATION w := {} OPERATIONS op = w := E END";
    let machine = machine_of(&[("R.ref", refinement), ("A.mch", refined)]);
    let sort = machine.sorts.iter().position(|sort| sort.name == "E");
    let sort = SortId::new(sort.expect("a set"));
    let names = machine.sorts[sort.index()].elements.clone();
    let names = names.expect("elements");
    let number = |name: &str| names.iter().position(|n| n == name).expect("an element");
    let text = MachineText::new(&machine);
    assert_eq!(text.exchange(sort, number("b"), number("c")), Ok(()));
    let objection = text.exchange(sort, number("a"), number("c"));
    let objection = objection.expect_err("`a` is named");
    let place = objection.place().expect("a place");
    assert_eq!(place.refined.as_deref(), Some("A"));
    assert_eq!(place.part, Part::Operation("op".to_owned()));
    assert_eq!(
        objection.to_string(),
        "the operation `op` of `A`, which is refined, would not stay the same"
    );
    let glued = refinement.replace("0 = 0", "(a : v => a : w)");
    let machine = machine_of(&[
        ("R.ref", &glued),
        ("A.mch", &refined.replace("{a} END", "{} END")),
    ]);
    let objection = MachineText::new(&machine).exchange(sort, number("a"), number("c"));
    let objection = objection.expect_err("`a` is named");
    assert_eq!(objection.place().expect("a place").part, Part::Gluing);
}

#[test]
fn each_atom_of_a_formula_has_to_stay() {
    let machine = with(
        "DEFINITIONS ASSERT_LTL_1 == \"G {a : v or b : v}\";\n\
         ASSERT_LTL_2 == \"G ({a : v} or {b : v})\";\n\
         ASSERT_LTL_3 == \"G not([op(a)] or [op(b)])\";\n\
         ASSERT_LTL_4 == \"WF(op(a)) => G {0 = 0}\";\n\
         ASSERT_LTL_5 == \"G (e(op(c)) => not deadlock(op(a), op(b)))\"",
        "0 = 0",
        "skip",
        "skip",
    );
    let beside = |n: usize| {
        let formula = &machine.formulas[n];
        assert!(formula.body.is_ok(), "{:?}", formula.body);
        MachineText::beside(&machine, formula).exchange(sort(), A, B)
    };
    assert_eq!(MachineText::new(&machine).exchange(sort(), A, B), Ok(()));
    assert_eq!(beside(0), Ok(()));
    let part = |n: usize| beside(n).expect_err("each by itself").place().cloned();
    assert_eq!(part(1).expect("a place").part, Part::Atom(0));
    assert!(matches!(part(2).expect("a place").part, Part::Atom(_)));
    assert_eq!(part(3).expect("a place").part, Part::Fairness(0));
    assert_eq!(beside(4), Ok(()));
}

#[test]
fn a_set_said_to_be_unnamed_is_rejected_where_a_member_is_named() {
    let nothing = holding("0 = 0");
    assert_eq!(MachineText::new(&nothing).unnamed(sort()), Ok(()));
    let machine = with(
        "DEFINITIONS ASSERT_LTL_1 == \"G {D2 /= D1}\"",
        "0 = 0",
        "skip",
        "v := {a}",
    );
    let objection = MachineText::new(&machine).unnamed(sort());
    match objection.expect_err("`a` is named") {
        Objection::Named(place) => assert_eq!(place.part, Part::Operation("op".to_owned())),
        other => panic!("{other:?}"),
    }
    // A formula may name elements of a deferred set.
    let deferred = SortId::new(1);
    assert_eq!(MachineText::new(&machine).unnamed(deferred), Ok(()));
    let text = MachineText::beside(&machine, &machine.formulas[0]);
    match text.unnamed(deferred).expect_err("`D2` is named") {
        Objection::Named(place) => assert_eq!(place.part, Part::Atom(0)),
        other => panic!("{other:?}"),
    }
    assert!(text.exchange(deferred, 0, 2).is_err());
    assert_eq!(text.exchange(deferred, 2, 3), Ok(()));
}

/// Some of the states that are of the right types.
fn states(rng: &mut Rng, n: usize) -> Vec<Vec<Value>> {
    let member = |index: usize| {
        Value::Member(Member {
            sort: sort(),
            index: index as u32,
        })
    };
    let state = |_| {
        let v = (0..3).filter(|_| rng.bool()).map(member).collect();
        let mut f = Vec::new();
        for e in 0..3 {
            if rng.bool() {
                let number = Value::Int(rng.i64(0..2));
                f.push(Value::Pair(Arc::new((member(e), number))));
            }
        }
        let x = member(rng.usize(..3));
        let fields = [member(rng.usize(..3)), Value::Int(rng.i64(0..2))];
        let r = Value::Record(fields.into_iter().collect());
        vec![
            Value::Set(Set::from_vec(v)),
            Value::Set(Set::from_vec(f)),
            x,
            r,
        ]
    };
    (0..n).map(state).collect()
}

/// What trying says of the exchange of two elements.
fn tried(program: &Program, a: usize, b: usize, seed: u64) -> Option<String> {
    let member = |index: usize| Member {
        sort: sort(),
        index: index as u32,
    };
    let pair = Pair {
        a: member(a),
        b: member(b),
    };
    let states = states(&mut Rng::with_seed(seed), 40);
    brute::difference(program, pair, &states)
}

fn is_found(machine: &Machine, a: usize, b: usize) -> bool {
    let Ground::Exchanged(blocks) = &alike::grounds(machine)[0] else {
        panic!("an enumerated set");
    };
    let both = |block: &&Vec<usize>| block.contains(&a) && block.contains(&b);
    blocks.iter().any(|block| both(&block))
}

fn seeds(usual: Range<u64>) -> Range<u64> {
    let asked = std::env::var("ORBIT_SEEDS").ok();
    let ends = asked.as_deref().and_then(|text| text.split_once(".."));
    ends.map_or(usual, |(from, to)| {
        from.parse().expect("a number")..to.parse().expect("a number")
    })
}

#[test]
fn the_check_agrees_with_the_finder_and_with_trying() {
    let (mut n_passed, mut n_differ, mut wrong) = (0, 0, Vec::new());
    for seed in seeds(0..1000) {
        let text = Maker::new(seed).machine().text();
        let machine = machine(&text);
        let program = program(&machine, &Setting::default()).expect("a program");
        let checked = MachineText::new(&machine);
        for (a, b) in [(A, B), (A, C), (B, C)] {
            let verdict = checked.exchange(sort(), a, b);
            let back = checked.exchange(sort(), b, a);
            assert_eq!(verdict.is_ok(), back.is_ok());
            let is_found = is_found(&machine, a, b);
            let difference = tried(&program, a, b, seed);
            n_passed += usize::from(verdict.is_ok());
            n_differ += usize::from(difference.is_some());
            if verdict.is_ok() && difference.is_some() || verdict.is_ok() != is_found {
                wrong.push(format!(
                    "seed {seed}, {a}, {b}: {verdict:?}, found {is_found}, {difference:?}\n{text}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
    assert!(n_passed > 200 && n_differ > 1000, "{n_passed}, {n_differ}");
}

#[test]
fn elements_without_names_are_alike_whatever_a_machine_does() {
    let mut wrong = Vec::new();
    for seed in seeds(0..1000) {
        let text = Maker::new(seed).machine().text();
        let text = text.replace("E = {aa, bb, cc}", "E").replace("aa", "x");
        let text = text.replace("bb", "r'k").replace("cc", "x");
        let machine = machine(&text);
        assert_eq!(MachineText::new(&machine).unnamed(sort()), Ok(()));
        let setting = Setting {
            default_size: Some(3),
            ..Setting::default()
        };
        let program = program(&machine, &setting).expect("a program");
        for (a, b) in [(A, B), (B, C)] {
            let difference = tried(&program, a, b, seed);
            wrong.extend(difference.map(|d| format!("seed {seed}, {a} and {b}: {d}\n{text}")));
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn one_change_to_a_symmetric_machine_is_noticed() {
    let (mut n_rejected, mut n_still, mut wrong) = (0, 0, Vec::new());
    for seed in seeds(0..1000) {
        let parts = Maker::new(seed).machine();
        let before = machine(&parts.text());
        if MachineText::new(&before).exchange(sort(), A, B).is_err() {
            continue;
        }
        let rng = &mut Rng::with_seed(seed);
        for _ in 0..3 {
            let text = parts.mutated(rng).text();
            let machine = machine(&text);
            if MachineText::new(&machine).exchange(sort(), A, B).is_err() {
                n_rejected += 1;
                continue;
            }
            n_still += 1;
            let program = program(&machine, &Setting::default()).expect("a program");
            let difference = tried(&program, A, B, seed);
            wrong.extend(difference.map(|d| format!("seed {seed}: {d}\n{text}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        n_rejected > 100 && n_rejected > n_still,
        "{n_rejected}, {n_still}"
    );
}
