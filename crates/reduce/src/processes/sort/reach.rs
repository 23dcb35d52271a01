//! Which values can be in a variable, and which can reach an expression.
//!
//! `token = (id + 1) % 4` where `token` may also be 4 for "nobody": all are one class with the
//! members 0 to 4, and a table of `(id + 1) % 4` over all of them would say that 4 is followed by
//! 1, as 0 is. But `id` is never 4. So a table has rows only for what can reach it.
//!
//! **Idea.** For each variable and message field the set of its values, over all elements and
//! records; and for each location what is known beyond that: after `x != 255` the variable `x` is
//! not 255, until it is written. What is known of a variable of the process itself stays; what is
//! known of others stays while control is kept and nothing can block. Sets grow until nothing
//! changes; one that becomes too large counts as all numbers.
//!
//! Worked example: `do :: x != 255 -> x = (x + 1) % 3 :: x == 255 -> x = me od` with a local `x`
//! that is 255 at first, and `me` in {0, 1, 2}. `x` holds 255; the second option adds 0, 1 and 2;
//! after the test of the first option `x` is one of 0, 1 and 2, and so is `(x + 1) % 3`. The table
//! has three rows.
//!
//! **Source.** Cousot and Cousot 1977 (abstract interpretation). **Cost.** Passes over the text, at
//! most [`N_VALUES_MAX`] for each variable, usually three or four.

mod eval;
mod flow;

use super::loops::Replaced;
use eval::Context;
use flow::Flow;
use model::processes::expr::{Expr, ExprId, Owner, Place};
use model::processes::layout::{FieldId, KindId, Role};
use model::processes::population::Population;
use model::processes::program::{Model, ProctypeId};
use std::collections::BTreeMap;
use std::collections::BTreeSet;

/// The most values of a set that is kept.
pub(super) const N_VALUES_MAX: usize = 48;

/// A set of numbers; `None` for all.
pub type Values = Option<BTreeSet<i32>>;

/// A place as numbers: equal names are equal places, in one process.
pub type Name = Vec<i32>;

/// What is known of places at a location.
pub type Known = BTreeMap<Name, Fact>;

/// What is known of a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fact {
    /// What it can hold.
    pub values: BTreeSet<i32>,
    /// The variables that its name mentions.
    pub mentions: Vec<(KindId, FieldId)>,
}

/// Which values can be where.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Reach {
    /// By kind and field.
    pub fields: Vec<Vec<Values>>,
    /// By kind of channel and field of its messages.
    pub messages: Vec<Vec<Values>>,
    /// By process type: the numbers of its processes.
    pub pids: Vec<Values>,
    /// By process type and location, if a process can be there.
    pub at: Vec<Vec<Option<Known>>>,
    /// By expression that is read: what it can be where it is evaluated.
    pub reads: Vec<Values>,
}

/// The name of a place of which something can be known: one of the globals or of the process
/// itself, whose indices are constants, `_pid` or variables.
pub(super) fn name(text: &Model, place: &Place) -> Option<Name> {
    let owner = |place: &Place| match place.owner {
        Owner::Globals => Some(0),
        Owner::Own => Some(1),
        Owner::Other(..) => None,
    };
    let mut name = vec![owner(place)?, place.field.index() as i32];
    for e in &place.indices {
        match text.expr(*e) {
            Expr::Const(v) => name.extend([0, *v]),
            Expr::Pid => name.push(1),
            Expr::Read(index) if index.indices.is_empty() => {
                name.extend([2, owner(index)?, index.field.index() as i32]);
            }
            _ => return None,
        }
    }
    Some(name)
}

impl Reach {
    /// Nothing is known of anything.
    pub fn open(text: &Model) -> Reach {
        let kinds = text.layout.kinds.iter();
        let messages = kinds.clone().map(|kind| match &kind.role {
            Role::Channel(buffer) => vec![None; buffer.fields.len()],
            _ => Vec::new(),
        });
        let locations = text.proctypes.iter().map(|p| p.locations.len());
        Reach {
            fields: kinds
                .clone()
                .map(|kind| vec![None; kind.fields.len()])
                .collect(),
            messages: messages.collect(),
            pids: vec![None; text.proctypes.len()],
            at: locations.map(|n| vec![Some(Known::new()); n]).collect(),
            reads: vec![None; text.exprs.len()],
        }
    }

    /// What can be where in a text whose making led to `population`.
    pub(super) fn new(text: &Model, population: &Population, replaced: &Replaced) -> Reach {
        let mut flow = Flow::new(text, population, replaced);
        flow.solve();
        flow.finish()
    }

    /// As [`Reach::new`], without what is read where.
    pub(super) fn unnoted(text: &Model, population: &Population, replaced: &Replaced) -> Reach {
        let mut flow = Flow::new(text, population, replaced);
        flow.solve();
        flow.reach
    }

    /// What an expression of a process type can be, wherever the process is; `fixed` says what
    /// parts of it are.
    pub(super) fn anywhere(
        &self,
        text: &Model,
        p: ProctypeId,
        e: ExprId,
        fixed: &dyn Fn(ExprId) -> Option<i32>,
    ) -> Values {
        let known = Known::new();
        let context = Context {
            text,
            reach: self,
            proctype: p,
            known: &known,
            fixed: Some(fixed),
        };
        context.values(e)
    }
}
