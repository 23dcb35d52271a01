//! Machines within machines, and refinements.

use crate::run::{check_files, machine_of};
use crate::shown::{pred, subst, ty};
use bmachine::typed::Machine;

const N: (&str, &str) = (
    "N.mch",
    "MACHINE N SETS S; E = {e1, e2} CONSTANTS c PROPERTIES c : S VARIABLES x INVARIANT x : 0..3\n\
     INITIALISATION x := 0 OPERATIONS inc(d) = PRE d : 1..2 THEN x := x + d END;\n\
     r <-- get = r := x; LOCAL = skip DEFINITIONS hidden == 1 END",
);

fn globals(machine: &Machine) -> String {
    let all: Vec<&str> = machine.globals.iter().map(|g| g.name.as_str()).collect();
    all.join(" ")
}

fn public(machine: &Machine) -> String {
    let public = machine.operations.iter().filter(|o| o.is_public);
    public
        .map(|o| o.name.as_str())
        .collect::<Vec<_>>()
        .join(" ")
}

fn preds(machine: &Machine, all: &[bmachine::typed::Pred]) -> Vec<String> {
    all.iter().map(|p| pred(machine, p)).collect()
}

#[track_caller]
fn refused(files: &[(&str, &str)], expected: &[&str]) {
    assert_eq!(check_files(files).errors, expected, "{files:?}");
}

#[test]
fn what_is_included_belongs_to_the_machine() {
    let main = "MACHINE M INCLUDES N PROMOTES inc VARIABLES y INVARIANT y = x + 1\n\
                & c : S & e1 : E\n\
                INITIALISATION y := x + 1 OPERATIONS up = inc(1) || y := y + 1;\n\
                r <-- look = r <-- get END";
    let machine = machine_of(&[("M.mch", main), N]);
    assert_eq!(globals(&machine), "c x y");
    assert_eq!(machine.n_constants, 1);
    assert_eq!(public(&machine), "inc up look");
    assert_eq!(machine.operations.len(), 5);
    assert_eq!(
        subst(&machine, &machine.initialisation),
        "(x := 0 ; y := Add(x, 1))"
    );
    let bodies: Vec<String> = machine.operations[3..]
        .iter()
        .map(|o| subst(&machine, &o.body))
        .collect();
    assert_eq!(bodies, ["( <-- inc(1) || y := Add(y, 1))", "r <-- get()"]);
    let invariant = preds(&machine, &machine.invariant);
    assert_eq!(
        invariant[..2],
        ["In(x, Interval(0, 3))", "Equal(y, Add(x, 1))"]
    );
    assert_eq!(preds(&machine, &machine.properties), ["In(c, S)"]);
}

#[test]
fn prefixes_make_copies_that_share_sets_and_constants() {
    let main = "MACHINE M INCLUDES a.N, b.N PROMOTES a.inc INVARIANT a.x >= b.x & c : S\n\
                OPERATIONS both = a.inc(1) || b.inc(1) END";
    let machine = machine_of(&[("M.mch", main), N]);
    assert_eq!(globals(&machine), "c a.x b.x");
    assert_eq!(machine.sorts.len(), 2);
    assert_eq!(public(&machine), "a.inc both");
    assert_eq!(machine.properties.len(), 1, "once for both copies");
    assert_eq!(machine.invariant.len(), 4);
    assert_eq!(
        subst(&machine, &machine.initialisation),
        "(a.x := 0 ; b.x := 0)"
    );
}

#[test]
fn extending_promotes_all_and_seeing_shares_one() {
    let k = (
        "K.mch",
        "MACHINE K SEES N VARIABLES z INVARIANT z : S INITIALISATION z :: S\n\
                       OPERATIONS q = skip END",
    );
    let main = "MACHINE M EXTENDS K SEES N INVARIANT x : INTEGER & z : S END";
    let machine = machine_of(&[("M.mch", main), k, N]);
    assert_eq!(globals(&machine), "c x z");
    assert_eq!(
        public(&machine),
        "inc get LOCAL q",
        "what is seen can be taken"
    );
    // What K sees is not seen by those who include K.
    let main = "MACHINE M EXTENDS K INVARIANT x > 0 END";
    refused(&[("M.mch", main), k, N], &["1:31: `x` is not declared"]);
}

#[test]
fn parameters_are_what_is_given() {
    let p = (
        "P.mch",
        "MACHINE P(SET, most) CONSTRAINTS most : INTEGER & most > 0 VARIABLES s\n\
                       INVARIANT s <: SET & card(s) <= most INITIALISATION s := {}\n\
                       OPERATIONS add(e) = PRE e : SET - s THEN s := s \\/ {e} END END",
    );
    let main = "MACHINE M SETS T CONSTANTS k PROPERTIES k : 1..2\n\
                INCLUDES a.P(T, k + 1), b.P(BOOL, 2) END";
    let machine = machine_of(&[("M.mch", main), p]);
    let shown: Vec<String> = machine
        .globals
        .iter()
        .map(|g| format!("{}:{}", g.name, ty(&machine, &g.ty)))
        .collect();
    assert_eq!(shown, ["k:INTEGER", "a.s:POW(T)", "b.s:POW(BOOL)"]);
    let invariant = preds(&machine, &machine.invariant);
    assert_eq!(invariant[0], "Subset(a.s, T)");
    assert_eq!(invariant[1], "LessEqual(Card(a.s), Add(k, 1))");
    assert_eq!(invariant[2], "Subset(b.s, Bool)");
    // By itself, its parameters are a given set and a constant.
    let machine = machine_of(&[p]);
    assert_eq!(globals(&machine), "most s");
    assert_eq!(
        (machine.sorts[0].name.as_str(), machine.n_constants),
        ("SET", 1)
    );
    refused(
        &[("M.mch", "MACHINE M INCLUDES P(BOOL) END"), p],
        &["1:20: `P` has 2 parameters, not 1"],
    );
}

#[test]
fn a_refinement_is_glued_by_names() {
    let m = (
        "M.mch",
        "MACHINE M SETS S CONSTANTS k PROPERTIES k : S VARIABLES a, b\n\
                       INVARIANT a <: S & b : BOOL & k : a INITIALISATION a := {k} || b := TRUE\n\
                       OPERATIONS put(e) = PRE e : S THEN a := a \\/ {e} END;\n\
                       n <-- count = n := card(a) END",
    );
    let r = "REFINEMENT R REFINES M VARIABLES q, b INVARIANT ran(q) = a & b = b & size(q) > 0\n\
             INITIALISATION q := [k] || b := TRUE OPERATIONS put(e) = q := q <- e;\n\
             n <-- count = n := card(ran(q)) END";
    let machine = machine_of(&[("R.ref", r), m]);
    assert_eq!(globals(&machine), "k q b a");
    assert_eq!((machine.n_constants, machine.n_abstract), (1, 1));
    let gluing = preds(&machine, &machine.gluing);
    assert_eq!(gluing, ["Subset(a, S)", "In(k, a)", "Equal(Ran(q), a)"]);
    let invariant = preds(&machine, &machine.invariant);
    assert_eq!(
        invariant,
        ["In(b, Bool)", "Equal(b, b)", "Greater(Size(q), 0)"]
    );
    assert_eq!(preds(&machine, &machine.properties), ["In(k, S)"]);
    assert_eq!(
        subst(&machine, &machine.initialisation),
        "(q := [k] || b := true)"
    );
    // The parameter has the type of the operation that is refined.
    let put = &machine.operations[0];
    assert_eq!(
        ty(&machine, &machine.locals[put.parameters[0].index()].ty),
        "S"
    );
    let refined = machine.refines.as_ref().expect("what it refines");
    assert_eq!((globals(refined), refined.n_abstract), ("k a b".into(), 0));
    let bad = r.replace("q := q <- e", "a := {e}");
    refused(
        &[("R.ref", &bad), m],
        &["2:58: `a` is a variable of the machine that is refined; it cannot be assigned to"],
    );
    let s = "IMPLEMENTATION I REFINES R VARIABLES b INVARIANT b = TRUE\n\
             INITIALISATION b := TRUE OPERATIONS put(e) = skip; n <-- count = n := 1 END";
    let machine = machine_of(&[("I.imp", s), ("R.ref", r), m]);
    assert_eq!(
        (globals(&machine), machine.n_abstract),
        ("k b q a".into(), 2)
    );
}

#[test]
fn what_belongs_to_another_is_not_assigned_to() {
    let main = "MACHINE M INCLUDES N OPERATIONS op = x := 1; bad = inc(TRUE); few = inc END";
    refused(
        &[("M.mch", main), N],
        &[
            "1:38: `x` is a variable of another machine; it cannot be assigned to",
            "1:56: expected INTEGER, found BOOL",
            "1:69: `inc` has 1 arguments, not 0",
        ],
    );
    let main = "MACHINE M INCLUDES N PROMOTES nothing VARIABLES x INVARIANT x = hidden\n\
                INITIALISATION x := 1 END";
    refused(
        &[("M.mch", main), N],
        &[
            "1:31: `nothing` is no operation that is included",
            "1:49: `x` is declared twice",
            "1:65: `hidden` is not declared",
        ],
    );
}

#[test]
fn missing_and_circular_machines_are_located() {
    refused(
        &[("M.mch", "MACHINE M SEES K END")],
        &["1:16: the machine `K` is not there"],
    );
    let k = ("K.mch", "MACHINE K INCLUDES M END");
    refused(
        &[("M.mch", "MACHINE M SEES K END"), k],
        &["K.mch:1:20: `M` belongs to itself"],
    );
    refused(
        &[("M.mch", "MACHINE M SEES M END")],
        &["1:16: `M` belongs to itself"],
    );
    let k = ("K.mch", "MACHINE L END");
    refused(
        &[("M.mch", "MACHINE M SEES K END"), k],
        &["K.mch:1:9: this machine is called `L`, its file `K`"],
    );
    refused(
        &[("M.mch", "MACHINE M INCLUDES N, N END"), N],
        &["1:23: `N` belongs to another machine already"],
    );
    let bad = ("K.mch", "MACHINE K SETS END");
    refused(
        &[("M.mch", "MACHINE M SEES K END"), bad],
        &["K.mch:1:16: `END` is a word of B; the name of a set is expected here"],
    );
}

#[test]
fn files_of_definitions_are_read() {
    let main =
        "MACHINE M DEFINITIONS \"a.def\"; three == 3 CONSTANTS c PROPERTIES c = five + three END";
    let a = (
        "a.def",
        "DEFINITIONS \"b.def\"; three == 30; five == two + three",
    );
    let b = ("b.def", "DEFINITIONS two == 2; \"a.def\"");
    let machine = machine_of(&[("M.mch", main), a, b]);
    assert_eq!(
        preds(&machine, &machine.properties),
        ["Equal(c, Add(Add(2, 3), 3))"]
    );
    let said = check_files(&[("M.mch", main), a]);
    assert_eq!(said.errors, ["a.def:1:43: `two` is not declared"]);
    assert!(
        said.drawn.contains("`b.def` is not there"),
        "{}",
        said.drawn
    );
    let unused = "MACHINE M DEFINITIONS \"LibraryStrings.def\" END";
    let said = check_files(&[("M.mch", unused)]);
    assert!(said.machine.is_some(), "{}", said.drawn);
    assert_eq!(
        said.warnings,
        ["1:23: `LibraryStrings.def` is not there; nothing of it is used"]
    );
}

#[test]
fn local_operations_are_called_and_not_taken() {
    let main = "MACHINE M VARIABLES x INVARIANT x = 1 INITIALISATION x := 1\n\
                LOCAL_OPERATIONS one = x := 1; two = skip OPERATIONS a = one END";
    let machine = machine_of(&[("M.mch", main)]);
    assert_eq!(public(&machine), "a");
    let bad = main.replace("two = skip", "two = one");
    refused(
        &[("M.mch", &bad)],
        &["2:38: `one` is an operation of the same machine"],
    );
}

#[test]
fn a_refinement_shares_parameters_and_keeps_concrete_variables() {
    let m = (
        "M.mch",
        "MACHINE M(T, k) CONSTRAINTS k : INTEGER CONCRETE_VARIABLES c ABSTRACT_VARIABLES a\n\
         INVARIANT c : T & a <: T INITIALISATION c :: T || a := {}\n\
         OPERATIONS op(t) = PRE t : T THEN a := a \\/ {t} END END",
    );
    let r = "REFINEMENT R(T, k) REFINES M INVARIANT c : a => k > 0 INITIALISATION c :: T\n\
             OPERATIONS op(t) = c := t END";
    let machine = machine_of(&[("R.ref", r), m]);
    assert_eq!((globals(&machine), machine.n_abstract), ("k c a".into(), 1));
    assert_eq!((machine.sorts.len(), machine.n_constants), (1, 1));
    assert_eq!(preds(&machine, &machine.invariant), ["In(c, T)"]);
    assert_eq!(machine.gluing.len(), 2);
    refused(
        &[("K.mch", "MACHINE K INCLUDES R END"), ("R.ref", r), m],
        &["1:20: `R` is no machine but a refinement"],
    );
}

#[test]
fn what_is_used_is_included_first() {
    let used = (
        "U.mch",
        "MACHINE U(T) VARIABLES u INVARIANT u <: T INITIALISATION u := {} END",
    );
    let user = (
        "V.mch",
        "MACHINE V USES U VARIABLES v INVARIANT v <: u INITIALISATION v := {} END",
    );
    let main = "MACHINE M INCLUDES V, U(1..3) INVARIANT v = u END";
    let machine = machine_of(&[("M.mch", main), user, used]);
    assert_eq!(globals(&machine), "u v");
    assert_eq!(ty(&machine, &machine.globals[1].ty), "POW(INTEGER)");
    assert_eq!(machine.sorts.len(), 0);
}

#[test]
fn prefixes_and_arguments_go_all_the_way_down() {
    let inner = (
        "Y.mch",
        "MACHINE Y(T, start) CONSTRAINTS start : T VARIABLES y INVARIANT y : T\n\
         INITIALISATION y := start OPERATIONS op = skip; r <-- get = r := y END",
    );
    let middle = (
        "X.mch",
        "MACHINE X(T, start) CONSTRAINTS start : T EXTENDS y1.Y(T, start)\n\
         OPERATIONS r <-- look = r <-- y1.get END",
    );
    let main = "MACHINE M INCLUDES a.X(BOOL, TRUE), b.X(1..2, 1) PROMOTES a.y1.op\n\
                INVARIANT a.y1.y = TRUE or b.y1.y > 0 OPERATIONS op = b.y1.op END";
    let machine = machine_of(&[("M.mch", main), inner, middle]);
    let shown: Vec<String> = machine
        .globals
        .iter()
        .map(|g| format!("{}:{}", g.name, ty(&machine, &g.ty)))
        .collect();
    assert_eq!(shown, ["a.y1.y:BOOL", "b.y1.y:INTEGER"]);
    assert_eq!(public(&machine), "a.y1.op op");
    let properties = preds(&machine, &machine.properties);
    let first = ["In(true, Bool)", "In(true, Bool)"];
    assert_eq!(properties[..2], first, "{properties:?}");
    assert_eq!(
        properties[2..],
        ["In(1, Interval(1, 2))", "In(1, Interval(1, 2))"]
    );
}
