//! What substitutions make of a state, and what cannot be done.

use crate::run::machine;
use bmachine::eval::TroubleKind;
use bmachine::run::{ChosenSetups, Extent, Program, RunOptions, sizes::sizes};
use bmachine::typed::OperationId;
use bmachine::value::Value;
use bmachine::value::show::Sequences;
use std::ops::ControlFlow;

fn program(text: &str) -> Program {
    let machine = machine(text);
    let options = RunOptions {
        sizes: sizes(&machine, &[], 2).expect("sizes"),
        maxint: 3,
        minint: -1,
        work_max: 100_000,
        deadline: Default::default(),
    };
    Program::new(machine, &options).expect("a program")
}

/// A machine over `x`, `y` and `f`, with `x = 1` and `y = 2` at the start.
fn with_operations(operations: &str) -> Program {
    program(&format!(
        "MACHINE m SETS S = {{a, b}} VARIABLES x, y, f INVARIANT x : INTEGER & y : INTEGER &
         f : S +-> INTEGER INITIALISATION x := 1 || y := 2 || f := {{a |-> 5}}
         OPERATIONS {operations} END"
    ))
}

fn first_state(program: &Program) -> Vec<Value> {
    let mut constants = Vec::new();
    let done = program.setups(ChosenSetups::All, &mut |found| {
        constants = found.to_vec();
        ControlFlow::Break(())
    });
    assert!(done.wrong.is_empty(), "{done:?}");
    let mut state = Vec::new();
    let done = program.initialisations(&constants, &mut |found| {
        state = found.to_vec();
        ControlFlow::Break(())
    });
    assert!(done.wrong.is_empty(), "{done:?}");
    state
}

/// All ways to take the operation `op` in the first state: arguments, results, variables.
fn outcomes(program: &Program) -> (Vec<String>, Result<Extent, TroubleKind>) {
    let state = first_state(program);
    let machine = program.machine();
    let which = machine.operations.iter().position(|o| o.name == "op");
    let which = which.expect("an operation op");
    let operation = &machine.operations[which];
    let signature = program.signature();
    let mut shown = Vec::new();
    let extent = program.events(OperationId::new(which), &state, &mut |event| {
        let local = |id: usize, value: &Value| {
            let ty = &machine.locals[id].ty;
            value.show(signature, ty, Sequences::AsSets).to_string()
        };
        let ids = operation.parameters.iter().chain(&operation.results);
        let values = event.arguments.iter().chain(event.results);
        let mut parts: Vec<String> = ids
            .zip(values)
            .map(|(id, v)| local(id.index(), v))
            .collect();
        for ((global, old), new) in machine.globals.iter().zip(&state).zip(event.globals) {
            if old != new {
                let new = new.show(signature, &global.ty, Sequences::AsSets);
                parts.push(format!("{}={new}", global.name));
            }
        }
        shown.push(parts.join(" "));
        ControlFlow::Continue(())
    });
    shown.sort();
    (shown, extent.sound().map_err(|trouble| trouble.kind))
}

#[track_caller]
fn check(operations: &str, expected: &[&str]) {
    let (shown, extent) = outcomes(&with_operations(operations));
    assert_eq!(shown, expected, "{operations}");
    assert!(extent.is_ok_and(|e| e.is_complete()), "{operations}");
}

#[track_caller]
fn trouble(operations: &str) -> TroubleKind {
    let (_, extent) = outcomes(&with_operations(operations));
    extent.expect_err("it cannot be done")
}

#[test]
fn parallel_parts_read_what_was_before() {
    check("op = BEGIN x := y || y := x END", &["x=2 y=1"]);
    check("op = BEGIN x, y := y, x END", &["x=2 y=1"]);
    check(
        "op = BEGIN IF x = 1 THEN y := 7 END || CHOICE x := y OR x := 9 END END",
        &["x=2 y=7", "x=9 y=7"],
    );
    check("op = BEGIN x := 2 ; y := x + 5 END", &["x=2 y=7"]);
    check(
        "op = BEGIN BEGIN x := 5 ; f := {b |-> x} END || y := x END",
        &["x=5 y=1 f={(b|->5)}"],
    );
}

#[test]
fn choices_are_made_in_all_ways_and_equal_ones_are_one() {
    check(
        "op = CHOICE x := 2 OR x := 3 OR x := 2 END",
        &["x=2", "x=3"],
    );
    check(
        "op = ANY z WHERE z : 1..4 THEN x := z / 2 END",
        &["", "x=0", "x=2"],
    );
    check("op = x :: {3, 4}", &["x=3", "x=4"]);
    check("op = x, y : (x + y = 3 & x : 0..1)", &["", "x=0 y=3"]);
    check(
        "op = SELECT x = 1 THEN y := 5 WHEN y = 2 THEN y := 6 ELSE y := 7 END",
        &["y=5", "y=6"],
    );
    check("op = SELECT x = 2 THEN y := 5 END", &[]);
    check("op = SELECT x = 2 THEN y := 5 ELSE y := 7 END", &["y=7"]);
}

#[test]
fn parameters_are_solved_with_the_guards() {
    check("op(p) = PRE p : 1..2 THEN x := p END", &["1", "2 x=2"]);
    check("op(p) = PRE p = x + 4 THEN x := p END", &["5 x=5"]);
    check(
        "op(p, q) = SELECT p |-> q : f THEN x := q END",
        &["a 5 x=5"],
    );
    check(
        "op(p) = PRE p : S THEN SELECT p /: dom(f) THEN f(p) := 1 END END",
        &["b f={(a|->5),(b|->1)}"],
    );
    check(
        "op(p) = LET z BE z = x + 1 IN SELECT p : {z} THEN x := p END END",
        &["2 x=2"],
    );
    check("r <-- op = BEGIN r := x + y || x := 0 END", &["3 x=0"]);
}

#[test]
fn the_other_substitutions() {
    check("op = VAR z IN z := x + 1 ; y := z * 2 END", &["y=4"]);
    check(
        "op = CASE x OF EITHER 0 THEN y := 0 OR 1, 2 THEN y := 8 ELSE skip END END",
        &["y=8"],
    );
    check(
        "op = BEGIN f(a) := 6 || x := f(a) END",
        &["x=5 f={(a|->6)}"],
    );
    check(
        "op = BEGIN x := 0 ; WHILE x < 5 DO x := x + 2 INVARIANT x >= 0 VARIANT 10 - x END END",
        &["x=6"],
    );
    check(
        "op = in(4) LOCAL_OPERATIONS in(z) = PRE z : 0..5 THEN x := z END",
        &["x=4"],
    );
    check(
        "op = y <-- get(a) LOCAL_OPERATIONS r <-- get(z) = PRE z : dom(f) THEN r := f(z) END",
        &["y=5"],
    );
}

#[test]
fn what_cannot_be_done_is_said() {
    assert!(matches!(
        trouble("op = x := f(b)"),
        TroubleKind::Undefined(_)
    ));
    assert!(matches!(
        trouble("op = x := 1 / 0"),
        TroubleKind::Undefined(_)
    ));
    assert!(matches!(
        trouble("op = x := 2 ** 9223372036854775807"),
        TroubleKind::TooLarge
    ));
    assert_eq!(
        trouble("op = in(7) LOCAL_OPERATIONS in(z) = PRE z : 0..5 THEN x := z END"),
        TroubleKind::Precondition("in".to_owned())
    );
    assert_eq!(
        trouble("op = ASSERT x = 2 THEN skip END"),
        TroubleKind::Assertion
    );
    assert!(matches!(
        trouble("op = WHILE x > 0 DO y := y + 1 INVARIANT 1 = 1 VARIANT x END"),
        TroubleKind::LoopVariant
    ));
    assert!(matches!(
        trouble("op = WHILE x < 5 DO x := x + 1 INVARIANT x < 3 VARIANT 9 - x END"),
        TroubleKind::LoopInvariant
    ));
}

#[test]
fn an_undefined_guard_is_false_and_is_told() {
    let (shown, extent) = outcomes(&with_operations(
        "op(p) = PRE p : S & f(p) = 5 THEN x := 0 END",
    ));
    assert_eq!(shown, ["a x=0"]);
    assert_eq!(extent.expect("done").undefined.len(), 1);
    // The first conjunct protects the second.
    let protected = "op(p) = PRE p : S & p : dom(f) & f(p) = 5 THEN x := 0 END";
    let (shown, extent) = outcomes(&with_operations(protected));
    assert_eq!(shown, ["a x=0"]);
    assert!(extent.expect("done").undefined.is_empty());
}

#[test]
fn a_number_without_a_bound_is_a_cut() {
    let (shown, extent) = outcomes(&with_operations("op(p) = PRE p : NATURAL THEN x := p END"));
    assert_eq!(shown, ["0 x=0", "1", "2 x=2", "3 x=3"]);
    assert!(!extent.expect("done").is_complete());
}

#[test]
fn an_infinite_constant_is_no_part_of_states_and_computed_again() {
    let program = program(
        "MACHINE m CONSTANTS sq, n PROPERTIES sq = %z.(z : NATURAL | z * z) & n = sq(3)
         VARIABLES x INVARIANT x : NATURAL INITIALISATION x := n
         OPERATIONS op = x := sq(x) END",
    );
    assert_eq!(program.is_stored(), [false, true]);
    let names: Vec<&str> = program
        .signature()
        .constants
        .iter()
        .map(|f| f.name.as_str())
        .collect();
    assert_eq!(names, ["n"]);
    let state = first_state(&program);
    let complete = program.complete(&[Value::Int(9)]).expect("all constants");
    assert_eq!(complete.as_slice(), &state[..2]);
    let (shown, extent) = outcomes(&program);
    assert_eq!(shown, ["x=81"]);
    assert!(extent.is_ok());
}

#[test]
fn too_much_work_is_a_cut_and_no_end() {
    let program = program(
        "MACHINE m CONSTANTS s, t PROPERTIES s <: 1..30 & t <: 1..30 & card(s) = card(t) + 31 END",
    );
    let extent = program.setups(ChosenSetups::All, &mut |_| ControlFlow::Continue(()));
    let cut = extent.cut.expect("not all of it");
    assert_eq!(cut.kind, TroubleKind::TooMuchWork);
}

#[test]
fn an_invariant_that_fails_is_explained() {
    let program = with_operations("op = f := {a |-> 5, b |-> -1}");
    let mut state = first_state(&program);
    let mut violated = Vec::new();
    program.invariant(&state, &mut |which, _| violated.push(which));
    assert!(violated.is_empty());
    state[2] = Value::Set(bmachine::value::Set::from_vec(vec![
        Value::pair(
            Value::member(bmachine::typed::SortId::new(0), 0),
            Value::Int(1),
        ),
        Value::pair(
            Value::member(bmachine::typed::SortId::new(0), 0),
            Value::Int(2),
        ),
    ]));
    program.invariant(&state, &mut |which, _| violated.push(which));
    assert_eq!(violated.len(), 1);
    let shown = program.explain(violated[0], &state);
    assert_eq!(shown[0].0, "f");
}
