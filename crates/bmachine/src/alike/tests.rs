//! Machines with an enumerated set `{p, q, r, s}`, a deferred set `D`, and a variable for each use.

use super::*;
use crate::typed::{
    AssignedVar, Atom, AtomKind, Binary, Compare, Expr, ExprKind, Formula, Global, GlobalId, Local,
    LocalId, Operation, Pred, PredKind, Settings, Sort, Subst, SubstKind, Target, Temporal, Type,
};
use base::{SourceId, Span};

fn span() -> Span {
    Span::new(SourceId::new(0), 0..0)
}

fn sort_id() -> SortId {
    SortId::new(0)
}

fn e(kind: ExprKind) -> Expr {
    Expr {
        kind,
        ty: Type::Member(sort_id()),
        span: span(),
    }
}

/// The element `p`, `q`, `r` or `s`.
fn el(n: usize) -> Expr {
    e(ExprKind::Element(sort_id(), n))
}

fn set(elements: &[usize]) -> Expr {
    e(ExprKind::SetOf(elements.iter().map(|n| el(*n)).collect()))
}

fn var(n: usize) -> Expr {
    e(ExprKind::Global(GlobalId::new(n)))
}

fn binary(op: Binary, a: Expr, b: Expr) -> Expr {
    e(ExprKind::Binary(op, Box::new(a), Box::new(b)))
}

fn p(kind: PredKind) -> Pred {
    Pred { kind, span: span() }
}

fn compare(op: Compare, a: Expr, b: Expr) -> Pred {
    p(PredKind::Compare(op, Box::new(a), Box::new(b)))
}

/// `p : v`
fn in_var(n: usize) -> Pred {
    compare(Compare::In, el(n), var(0))
}

/// `f(p) = 1`, which is not always defined.
fn applied(n: usize) -> Pred {
    let value = binary(Binary::Apply, var(1), el(n));
    compare(Compare::Equal, value, e(ExprKind::Int(1)))
}

fn s(kind: SubstKind) -> Subst {
    Subst { kind, span: span() }
}

fn assign(var: usize, value: Expr) -> Subst {
    let target = Target {
        var: AssignedVar::Global(GlobalId::new(var)),
        path: Vec::new(),
        span: span(),
    };
    s(SubstKind::Assign(vec![target], vec![value]))
}

fn machine() -> Machine {
    let sort = |name: &str, elements: Option<&[&str]>| Sort {
        name: name.to_owned(),
        elements: elements.map(|all| all.iter().map(|name| (*name).to_owned()).collect()),
        span: span(),
    };
    let global = |name: &str| Global {
        name: name.to_owned(),
        ty: Type::Int,
        span: span(),
    };
    Machine {
        name: "M".to_owned(),
        span: span(),
        sorts: vec![sort("E", Some(&["p", "q", "r", "s"])), sort("D", None)],
        globals: vec![global("v"), global("f"), global("w")],
        n_constants: 0,
        n_abstract: 0,
        locals: Vec::new(),
        properties: Vec::new(),
        invariant: Vec::new(),
        gluing: Vec::new(),
        assertions: Vec::new(),
        initialisation: s(SubstKind::Skip),
        operations: Vec::new(),
        goal: None,
        formulas: Vec::new(),
        settings: Settings::default(),
        refines: None,
    }
}

/// A machine with that invariant.
fn holding(invariant: Vec<Pred>) -> Machine {
    Machine {
        invariant,
        ..machine()
    }
}

/// A machine with that initialisation.
fn doing(initialisation: Subst) -> Machine {
    Machine {
        initialisation,
        ..machine()
    }
}

/// The blocks of the enumerated set, sorted.
#[track_caller]
fn assert_blocks(machine: &Machine, wanted: &[&[usize]]) {
    let grounds = grounds(machine);
    let Ground::Exchanged(mut blocks) = grounds[0].clone() else {
        panic!("{:?}", grounds[0]);
    };
    blocks.sort();
    assert_eq!(blocks, wanted);
}

const P: usize = 0;
const Q: usize = 1;
const R: usize = 2;
const S: usize = 3;

#[test]
fn elements_that_are_never_named_are_alike() {
    assert_blocks(&machine(), &[&[P, Q, R, S]]);
    assert_blocks(&holding(vec![in_var(Q)]), &[&[P, R, S]]);
}

#[test]
fn elements_of_a_set_are_alike() {
    let subset = |elements: &[usize]| compare(Compare::Subset, var(0), set(elements));
    assert_blocks(&holding(vec![subset(&[Q, P])]), &[&[P, Q], &[R, S]]);
    // But not if one is in another place, too.
    let invariant = vec![subset(&[P, Q, R]), in_var(Q)];
    assert_blocks(&holding(invariant), &[&[P, R]]);
    // Two sets that are exchanged with their elements: (p q) passes, (p r) does not.
    let union = binary(Binary::Union, set(&[P, Q]), set(&[R, S]));
    let invariant = vec![compare(Compare::Subset, var(0), union)];
    assert_blocks(&holding(invariant), &[&[P, Q], &[R, S]]);
}

#[test]
fn order_counts_in_sequences_and_pairs_and_not_in_unions() {
    let equals = |value: Expr| holding(vec![compare(Compare::Equal, var(0), value)]);
    let sequence = e(ExprKind::SeqOf(vec![el(P), el(Q)]));
    assert_blocks(&equals(sequence), &[&[R, S]]);
    let pair = binary(Binary::Pair, el(P), el(Q));
    assert_blocks(&equals(pair), &[&[R, S]]);
    let sets = binary(
        Binary::Union,
        set(&[P]),
        binary(Binary::Union, set(&[Q]), set(&[R])),
    );
    assert_blocks(&equals(sets), &[&[P, Q, R]]);
    let difference = binary(Binary::Difference, set(&[P]), set(&[Q]));
    assert_blocks(&equals(difference), &[&[R, S]]);
}

#[test]
fn conjuncts_change_places_only_where_all_are_defined() {
    let and = |preds: Vec<Pred>| holding(vec![p(PredKind::Not(Box::new(p(PredKind::And(preds)))))]);
    assert_blocks(&and(vec![in_var(P), in_var(Q)]), &[&[P, Q], &[R, S]]);
    assert_blocks(&and(vec![applied(P), applied(Q)]), &[&[R, S]]);
    // p : v & f(p) = 1 & q : v & f(q) = 1
    let guarded = vec![in_var(P), applied(P), in_var(Q), applied(Q)];
    assert_blocks(&and(guarded), &[&[R, S]]);
    let before = vec![in_var(P), in_var(Q), applied(R)];
    assert_blocks(&and(before), &[&[P, Q]]);
}

#[test]
fn what_may_be_undefined_stays_in_sets_and_unions() {
    let applied = |n: usize| binary(Binary::Apply, var(1), el(n));
    let below = |set: Expr| holding(vec![compare(Compare::Subset, set, var(2))]);
    let elements = e(ExprKind::SetOf(vec![applied(P), applied(Q)]));
    assert_blocks(&below(elements), &[&[R, S]]);
    for op in [Binary::Union, Binary::Intersection] {
        assert_blocks(&below(binary(op, applied(P), applied(Q))), &[&[R, S]]);
    }
    // Before one that stays there is no order.
    let three = e(ExprKind::SetOf(vec![el(Q), el(P), applied(R)]));
    assert_blocks(&below(three), &[&[P, Q]]);
}

#[test]
fn bound_variables_are_known_by_where_they_are_bound() {
    let mut machine = machine();
    let local = |n: usize| Local {
        name: format!("x{n}"),
        ty: Type::Int,
        span: span(),
    };
    machine.locals = vec![local(0), local(1)];
    // #x.(x |-> p : v) or #y.(y |-> q : v)
    let some = |x: usize, element: usize| {
        let x = LocalId::new(x);
        let pair = binary(Binary::Pair, e(ExprKind::Local(x)), el(element));
        let body = compare(Compare::In, pair, var(0));
        p(PredKind::Exists(vec![x], Box::new(body)))
    };
    machine.invariant = vec![p(PredKind::Or(vec![some(0, P), some(1, Q)]))];
    assert_blocks(&machine, &[&[P, Q], &[R, S]]);
}

#[test]
fn parallel_substitutions_have_no_order_unless_they_meet() {
    let apart = vec![assign(0, el(P)), assign(1, el(P)), assign(2, set(&[Q, R]))];
    assert_blocks(&doing(s(SubstKind::Parallel(apart))), &[&[Q, R]]);
    let choice = vec![assign(0, el(P)), assign(0, el(Q))];
    assert_blocks(
        &doing(s(SubstKind::Choice(choice.clone()))),
        &[&[P, Q], &[R, S]],
    );
    // Both assign to v: which of them wins is not asked.
    assert_blocks(&doing(s(SubstKind::Parallel(choice.clone()))), &[&[R, S]]);
    assert_blocks(&doing(s(SubstKind::Sequence(choice))), &[&[R, S]]);
    let call = |element: usize| {
        s(SubstKind::Call {
            operation: crate::typed::OperationId::new(0),
            arguments: vec![el(element)],
            results: Vec::new(),
        })
    };
    assert_blocks(
        &doing(s(SubstKind::Parallel(vec![call(P), call(Q)]))),
        &[&[R, S]],
    );
}

#[test]
fn branches_of_select_have_no_order_and_those_of_if_do() {
    let branches = vec![(in_var(P), assign(0, el(P))), (in_var(Q), assign(0, el(Q)))];
    let select = s(SubstKind::Select(branches.clone(), None));
    assert_blocks(&doing(select), &[&[P, Q], &[R, S]]);
    assert_blocks(&doing(s(SubstKind::If(branches, None))), &[&[R, S]]);
}

#[test]
fn alternatives_of_case_have_no_order_if_they_exclude_each_other() {
    let case = |alternatives: Vec<(Vec<Expr>, Subst)>| {
        doing(s(SubstKind::Case(var(0), alternatives, None)))
    };
    let alternative = |n: usize| (vec![el(n)], assign(1, el(n)));
    assert_blocks(
        &case(vec![alternative(P), alternative(Q)]),
        &[&[P, Q], &[R, S]],
    );
    // The value that v has is p or q, and then the first of the two is taken.
    let unclear = vec![
        (vec![var(2)], assign(1, el(P))),
        (vec![var(2)], assign(1, el(Q))),
    ];
    assert_blocks(&case(unclear), &[&[R, S]]);
    let twice = vec![
        alternative(P),
        alternative(Q),
        (vec![el(P)], assign(2, el(Q))),
    ];
    assert_blocks(&case(twice), &[&[R, S]]);
}

#[test]
fn operations_are_not_exchanged_for_each_other() {
    let mut machine = machine();
    let operation = |name: &str, n: usize| Operation {
        name: name.to_owned(),
        parameters: Vec::new(),
        results: Vec::new(),
        body: assign(0, el(n)),
        is_public: true,
        is_seen: false,
        span: span(),
    };
    machine.operations = vec![operation("to_p", P), operation("to_q", Q)];
    assert_blocks(&machine, &[&[R, S]]);
}

#[test]
fn goals_and_what_is_refined_count() {
    let mut with_goal = machine();
    with_goal.goal = Some(in_var(P));
    assert_blocks(&with_goal, &[&[Q, R, S]]);
    let mut gluing = machine();
    gluing.gluing = vec![in_var(S)];
    assert_blocks(&gluing, &[&[P, Q, R]]);
    let mut refining = machine();
    let mut refined = holding(vec![in_var(P)]);
    // There the set has another number, and its elements another order.
    refined.sorts.reverse();
    refined.sorts[1].elements = Some(["q", "p", "r", "s"].map(str::to_owned).to_vec());
    refined.invariant = vec![compare(
        Compare::In,
        e(ExprKind::Element(SortId::new(1), 0)),
        var(0),
    )];
    refining.refines = Some(Box::new(refined));
    assert_blocks(&refining, &[&[P, R, S]]);
}

#[test]
fn atoms_of_formulas_count_beside_them() {
    let atom = |pred: Pred| Atom {
        kind: AtomKind::Pred(pred),
        text: String::new(),
        span: span(),
    };
    let formula = |atoms: Vec<Atom>| Formula {
        name: "ASSERT_LTL_1".to_owned(),
        is_linear: true,
        text: String::new(),
        span: span(),
        body: Ok(Temporal::Constant(true)),
        fair: Vec::new(),
        atoms,
        parts: 0..0,
        members: None,
        is_part: false,
    };
    let machine = machine();
    let beside = |atoms: Vec<Atom>| grounds_beside(&machine, &[4, 3], &formula(atoms));
    let blocks = |all: &[&[usize]]| Ground::Exchanged(all.iter().map(|b| b.to_vec()).collect());
    assert_eq!(beside(Vec::new()), grounds(&machine));
    let one = beside(vec![atom(in_var(R))]);
    assert_eq!(one, [blocks(&[&[P, Q, S]]), Ground::Unnamed]);
    // Both in one atom may be exchanged; each in one of its own may not.
    let or = |kinds: Vec<Pred>| Pred {
        kind: PredKind::Or(kinds),
        span: span(),
    };
    let both = beside(vec![atom(or(vec![in_var(P), in_var(R)]))]);
    assert_eq!(both[0], blocks(&[&[Q, S], &[P, R]]));
    let each = beside(vec![atom(in_var(P)), atom(in_var(R))]);
    assert_eq!(each[0], blocks(&[&[Q, S]]));
    let named = e(ExprKind::Element(SortId::new(1), 1));
    let deferred = beside(vec![atom(compare(Compare::In, named, var(0)))]);
    assert_eq!(deferred[1], blocks(&[&[0, 2]]));
}

#[test]
fn deferred_sets_are_unnamed_unless_the_machine_names_their_elements() {
    assert_eq!(grounds(&machine())[1], Ground::Unnamed);
    let named = e(ExprKind::Element(SortId::new(1), 0));
    let machine = holding(vec![compare(Compare::In, named, var(0))]);
    let apart = Ground::Apart("the machine names its elements".to_owned());
    assert_eq!(grounds(&machine)[1], apart);
}
