//! What no text leads to: limits, and sets that two machines have under one name and not alike.

use super::*;
use crate::typed::{
    Binary, Compare as Comparison, Expr, Pred, PredKind, Settings, Sort, SubstKind,
};
use crate::typed::{GlobalId, Type};
use base::SourceId;
use model::values::Limit;

fn span() -> Span {
    Span::new(SourceId::new(0), 0..0)
}

fn expr(kind: ExprKind) -> Expr {
    Expr {
        kind,
        ty: Type::Bool,
        span: span(),
    }
}

fn pred(kind: PredKind) -> Pred {
    Pred { kind, span: span() }
}

fn element(n: usize) -> Expr {
    expr(ExprKind::Element(SortId::new(0), n))
}

fn set(elements: Vec<Expr>) -> Expr {
    expr(ExprKind::SetOf(elements))
}

/// `e : v`
fn within(e: Expr) -> Pred {
    let variable = expr(ExprKind::Global(GlobalId::new(0)));
    let sides = (Box::new(e), Box::new(variable));
    pred(PredKind::Compare(Comparison::In, sides.0, sides.1))
}

fn not(p: Pred) -> Pred {
    pred(PredKind::Not(Box::new(p)))
}

fn machine(invariant: Vec<Pred>) -> Machine {
    let names: Vec<String> = (0..4000).map(|n| format!("e{n}")).collect();
    Machine {
        name: "M".to_owned(),
        span: span(),
        sorts: vec![Sort {
            name: "E".to_owned(),
            elements: Some(names),
            span: span(),
        }],
        globals: Vec::new(),
        n_constants: 0,
        n_abstract: 0,
        locals: Vec::new(),
        properties: Vec::new(),
        invariant,
        gluing: Vec::new(),
        assertions: Vec::new(),
        initialisation: Subst {
            kind: SubstKind::Skip,
            span: span(),
        },
        operations: Vec::new(),
        goal: None,
        formulas: Vec::new(),
        settings: Settings::default(),
        refines: None,
    }
}

fn exchanged(machine: &Machine) -> Result<(), Objection> {
    MachineText::new(machine).exchange(SortId::new(0), 0, 1)
}

#[test]
fn what_is_nested_too_deep_is_not_certified_and_no_overflow() {
    let nested = |n: usize| {
        let both = within(set(vec![element(0), element(1)]));
        machine(vec![(0..n).fold(both, |p, _| not(p))])
    };
    assert_eq!(exchanged(&nested(900)), Ok(()));
    let objection = exchanged(&nested(3000)).expect_err("too deep");
    assert!(matches!(objection, Objection::Limit(Limit::Depth(_), _)));
    let words = objection.to_string();
    assert_eq!(words, "the invariant is nested more than 1000 levels deep");
    // The level that takes most of the stack.
    let nested = |n: usize| {
        let both = set(vec![element(0), element(1)]);
        let one = |e: Expr, _| {
            let union = ExprKind::Binary(Binary::Union, Box::new(e), Box::new(set(vec![])));
            set(vec![expr(union)])
        };
        machine(vec![within((0..n).fold(both, one))])
    };
    assert_eq!(exchanged(&nested(480)), Ok(()));
    assert!(exchanged(&nested(1500)).is_err());
}

#[test]
fn what_takes_too_long_is_not_certified() {
    // Each fits only the one that is farthest away.
    let chain = |n: usize| {
        let part = |n: usize| {
            let numbers = (0..40).map(|m| expr(ExprKind::Int(m)));
            let last = element(if n < 2000 { 0 } else { 1 });
            let number = expr(ExprKind::Int((n % 2000) as i64));
            let parts = numbers.chain([number, last]);
            within(expr(ExprKind::SeqOf(parts.collect())))
        };
        machine((0..n).map(part).collect())
    };
    let objection = exchanged(&chain(4000)).expect_err("too many comparisons");
    assert!(matches!(
        objection,
        Objection::Limit(Limit::Comparisons(_), _)
    ));
    let few: Vec<Pred> = (0..1000)
        .map(|n| within(set(vec![element(n), element(n + 1)])))
        .collect();
    let text = machine(few);
    assert!(matches!(exchanged(&text), Err(Objection::Changed(_))));
}

#[test]
fn names_that_only_one_of_two_machines_has_are_objected_to() {
    let mut refined = machine(vec![within(element(0))]);
    let mut main = machine(Vec::new());
    main.sorts[0].elements = None;
    main.refines = Some(Box::new(refined.clone()));
    let objection = exchanged(&main).expect_err("names are not known");
    let Objection::Unmatched(place) = &objection else {
        panic!("{objection:?}");
    };
    assert_eq!(place.refined.as_deref(), Some("M"));
    let unnamed = MachineText::new(&main).unnamed(SortId::new(0));
    assert_eq!(unnamed, Err(objection));
    // A set that the main machine does not have is another one.
    refined.sorts[0].name = "F".to_owned();
    main.refines = Some(Box::new(refined));
    assert_eq!(exchanged(&main), Ok(()));
    assert_eq!(MachineText::new(&main).unnamed(SortId::new(0)), Ok(()));
}
