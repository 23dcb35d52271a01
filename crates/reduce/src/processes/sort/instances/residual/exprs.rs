//! Expressions with what is known in place of variables.

use super::super::Identity;
use model::processes::expr::{Expr, ExprId, Instance, Owner, Pattern, Place, Receive, Send, Unary};
use model::processes::layout::FieldId;
use model::processes::machine;
use model::processes::program::Model;
use std::collections::{BTreeMap, BTreeSet};

/// What is known of the variables of a process.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in super::super) struct Known {
    /// What they hold in the model.
    pub values: BTreeMap<FieldId, i32>,
    pub pid: Option<i32>,
    /// Those of them that do not hold it in the copy yet.
    pub unwritten: BTreeSet<FieldId>,
    /// Those that are not followed, because a circle sets them.
    pub open: BTreeSet<FieldId>,
}

impl Known {
    pub fn of(identity: &Identity) -> Known {
        Known {
            values: identity.values.clone(),
            pid: identity.pid,
            unwritten: BTreeSet::new(),
            open: BTreeSet::new(),
        }
    }

    /// The same, but for some variables, which are as they are in the model.
    pub fn without(mut self, fields: &BTreeSet<FieldId>) -> Known {
        fields.iter().for_each(|field| self.forget(*field));
        self
    }

    pub fn forget(&mut self, field: FieldId) {
        self.values.remove(&field);
        self.unwritten.remove(&field);
    }

    pub fn set(&mut self, field: FieldId, value: i32) {
        self.values.insert(field, value);
        self.unwritten.insert(field);
    }

    pub fn is_open(&self, field: FieldId) -> bool {
        self.open.contains(&field)
    }
}

/// Copies expressions.
pub(super) struct Copier<'a> {
    text: &'a mut Model,
    known: &'a Known,
}

impl<'a> Copier<'a> {
    pub fn new(text: &'a mut Model, known: &'a Known) -> Copier<'a> {
        Copier { text, known }
    }

    /// The value of an expression where what is known decides it.
    pub fn folded(&self, e: ExprId) -> Option<i32> {
        let sub = |e: ExprId| self.folded(e);
        match self.text.expr(e) {
            Expr::Const(v) => Some(*v),
            Expr::Pid => self.known.pid,
            Expr::Read(place) if place.owner == Owner::Own && place.indices.is_empty() => {
                self.known.values.get(&place.field).copied()
            }
            Expr::Unary(Unary::Not, a) => Some(i32::from(sub(*a)? == 0)),
            Expr::Unary(Unary::Minus, a) => Some(sub(*a)?.wrapping_neg()),
            Expr::Unary(Unary::Complement, a) => Some(!sub(*a)?),
            Expr::Binary(op, a, b) => machine::binary(*op, sub(*a)?, sub(*b)?).ok(),
            Expr::And(all) => self.junction(all, 0),
            Expr::Or(all) => self.junction(all, 1),
            Expr::Choice([test, a, b]) => sub(if sub(*test)? != 0 { *a } else { *b }),
            _ => None,
        }
    }

    /// The value of operands of which the first that is `end`, as a truth value, decides.
    fn junction(&self, all: &[ExprId], end: i32) -> Option<i32> {
        for e in all {
            if i32::from(self.folded(*e)? != 0) == end {
                return Some(end);
            }
        }
        Some(1 - end)
    }

    fn add(&mut self, expr: Expr) -> ExprId {
        self.text.exprs.push(expr);
        ExprId::new(self.text.exprs.len() - 1)
    }

    pub fn copy(&mut self, e: ExprId) -> ExprId {
        if let Some(value) = self.folded(e) {
            return self.add(Expr::Const(value));
        }
        let new = match self.text.expr(e).clone() {
            Expr::Read(place) => Expr::Read(self.place(&place)),
            Expr::Unary(op, a) => Expr::Unary(op, self.copy(a)),
            Expr::Binary(op, a, b) => Expr::Binary(op, self.copy(a), self.copy(b)),
            Expr::And(all) => return self.parts(&all, 0),
            Expr::Or(all) => return self.parts(&all, 1),
            Expr::Choice([test, a, b]) => match self.folded(test) {
                Some(v) => return self.copy(if v != 0 { a } else { b }),
                None => Expr::Choice([self.copy(test), self.copy(a), self.copy(b)]),
            },
            Expr::Run(p, all, priority) => Expr::Run(p, self.copies(&all), priority),
            Expr::Probe(probe, a) => Expr::Probe(probe, self.copy(a)),
            Expr::Poll(receive) => Expr::Poll(Box::new(self.receive(&receive))),
            Expr::Enabled(a) => Expr::Enabled(self.copy(a)),
            Expr::LocationOf(a) => Expr::LocationOf(self.copy(a)),
            Expr::PriorityOf(a) => Expr::PriorityOf(self.copy(a)),
            Expr::AtLocation(p, which, at) => Expr::AtLocation(p, self.instance(which), at),
            other @ (Expr::Const(_)
            | Expr::Pid
            | Expr::NProcesses
            | Expr::Timeout
            | Expr::NonProgress
            | Expr::Accepting) => other,
        };
        self.add(new)
    }

    /// A junction without the operands that do not decide it; after one that does none is looked
    /// at.
    fn parts(&mut self, all: &[ExprId], end: i32) -> ExprId {
        let mut parts = Vec::new();
        for e in all {
            match self.folded(*e) {
                Some(v) if i32::from(v != 0) != end => {}
                Some(_) => {
                    parts.push(self.add(Expr::Const(end)));
                    break;
                }
                None => parts.push(self.copy(*e)),
            }
        }
        if let [only] = parts[..]
            && self.is_truth(only)
        {
            return only;
        }
        let parts = parts.into();
        self.add(if end == 0 {
            Expr::And(parts)
        } else {
            Expr::Or(parts)
        })
    }

    /// Whether an expression is 0 or 1.
    fn is_truth(&self, e: ExprId) -> bool {
        match self.text.expr(e) {
            Expr::And(_) | Expr::Or(_) | Expr::Unary(Unary::Not, _) => true,
            Expr::Binary(op, ..) => crate::processes::sort::conditions::is_comparison(*op),
            _ => false,
        }
    }

    fn copies(&mut self, all: &[ExprId]) -> Box<[ExprId]> {
        all.iter().map(|e| self.copy(*e)).collect()
    }

    fn instance(&mut self, which: Instance) -> Instance {
        match which {
            Instance::Numbered(e) => Instance::Numbered(self.copy(e)),
            Instance::Any => Instance::Any,
        }
    }

    pub fn place(&mut self, place: &Place) -> Place {
        Place {
            owner: match place.owner {
                Owner::Other(p, which) => Owner::Other(p, self.instance(which)),
                owner => owner,
            },
            field: place.field,
            indices: self.copies(&place.indices),
        }
    }

    pub fn send(&mut self, send: &Send) -> Send {
        Send {
            channel: self.copy(send.channel),
            fields: self.copies(&send.fields),
            sorted: send.sorted,
        }
    }

    pub fn receive(&mut self, receive: &Receive) -> Receive {
        let channel = self.copy(receive.channel);
        let fields = receive.fields.iter().map(|pattern| match pattern {
            Pattern::Store(place) => Pattern::Store(self.place(place)),
            Pattern::Drop => Pattern::Drop,
            Pattern::Match(e) => Pattern::Match(self.copy(*e)),
        });
        Receive {
            fields: fields.collect(),
            channel,
            random: receive.random,
            keep: receive.keep,
        }
    }
}
