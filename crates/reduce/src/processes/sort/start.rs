//! What the variables of a new process start as: what is said, or 0.

use model::processes::expr::{Expr, ExprId, Owner, Place, operands};
use model::processes::program::{Init, Model, ProctypeId, init_roots};
use std::collections::BTreeSet;

/// By variable of a process type: whether all of it starts as what a parameter or an initial value
/// says, so that nobody sees the 0 that was there before.
pub fn said(model: &Model, p: ProctypeId) -> Vec<bool> {
    let proctype = model.proctype(p);
    let fields = &model.layout.kind(proctype.kind).fields;
    let mut elements = vec![BTreeSet::new(); fields.len()];
    let whole = |elements: &[BTreeSet<Vec<i32>>]| -> Vec<bool> {
        let pairs = elements.iter().zip(fields);
        pairs
            .map(|(set, field)| set.len() == field.n_elements() as usize)
            .collect()
    };
    for place in &proctype.parameters {
        set(model, place, &mut elements);
    }
    for init in &proctype.prologue {
        let known = whole(&elements);
        let mut early = false;
        init_roots(init, &mut |e| early |= reads_unknown(model, e, &known));
        if early {
            return vec![false; fields.len()];
        }
        let (Init::Value(place, _) | Init::Channel(place, _)) = init;
        set(model, place, &mut elements);
    }
    whole(&elements)
}

fn set(model: &Model, place: &Place, elements: &mut [BTreeSet<Vec<i32>>]) {
    let indices = place.indices.iter().map(|e| match model.expr(*e) {
        Expr::Const(v) => Some(*v),
        _ => None,
    });
    if let Some(indices) = indices.collect::<Option<Vec<i32>>>()
        && place.owner == Owner::Own
    {
        elements[place.field.index()].insert(indices);
    }
}

fn reads_unknown(model: &Model, e: ExprId, known: &[bool]) -> bool {
    let mut found = matches!(model.expr(e), Expr::Read(place)
        if place.owner == Owner::Own && !known[place.field.index()]);
    operands(model.expr(e), &mut |e| {
        found |= reads_unknown(model, e, known)
    });
    found
}
