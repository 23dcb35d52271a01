//! Expressions and actions with known values in place of variables, in a form that can be compared.

use crate::processes::sort::Identity;
use model::processes::expr::{
    Binary, Expr, ExprId, Instance, Owner, Pattern, Place, Probe, Receive, Unary, operands,
};
use model::processes::layout::{FieldId, Scalar};
use model::processes::machine;
use model::processes::program::{Action, Model, ProctypeId, Reset, roots};
use std::collections::BTreeMap;

/// A variable is read whose value in the one text is not that in the other.
#[derive(Debug)]
pub(super) struct Unknown;

/// What something is, apart from its parts.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Head {
    Number(i32),
    Pid,
    Simple(&'static str),
    Global(usize),
    Own(usize),
    Other(ProctypeId, usize),
    Unary(Unary),
    Binary(Binary),
    Probe(Probe),
    Run(ProctypeId, Option<i32>),
    At(ProctypeId, usize),
    Receive(bool, bool),
    Send(bool),
    Reset(usize, i32),
}

/// An expression or an action.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Tree {
    head: Head,
    parts: Vec<Tree>,
}

impl Tree {
    fn new(head: Head, parts: Vec<Tree>) -> Tree {
        Tree { head, parts }
    }

    fn number(value: i32) -> Tree {
        Tree::new(Head::Number(value), Vec::new())
    }

    pub fn otherwise() -> Tree {
        Tree::new(Head::Simple("else"), Vec::new())
    }

    pub fn reset(reset: &Reset) -> Tree {
        let head = Head::Reset(reset.field.index(), reset.value);
        Tree::new(head, Vec::new())
    }

    fn value(&self) -> Option<i32> {
        match self.head {
            Head::Number(value) => Some(value),
            _ => None,
        }
    }

    /// The same where only the truth counts.
    fn truth(self) -> Tree {
        let junction = matches!(self.head, Head::Simple("and" | "or"));
        match <[Tree; 1]>::try_from(self.parts) {
            Ok([only]) if junction => only.truth(),
            Ok(parts) => Tree::new(self.head, parts.into()),
            Err(parts) => Tree::new(self.head, parts),
        }
    }

    /// Whether it is 0 or 1.
    fn is_truth(&self) -> bool {
        use Binary::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
        match &self.head {
            Head::Simple(name) => matches!(*name, "and" | "or"),
            Head::Unary(op) => *op == Unary::Not,
            Head::Binary(op) => matches!(
                op,
                Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual
            ),
            _ => false,
        }
    }
}

/// What the variables of a process hold in a text, as far as it is known. A variable that is not
/// here holds the same in both texts; one without a value may hold another than in the other text.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub(super) struct Store {
    pub values: BTreeMap<FieldId, Option<i32>>,
    pid: Option<i32>,
}

impl Store {
    pub fn of(identity: &Identity) -> Store {
        let values = identity.values.iter();
        Store {
            values: values.map(|(f, v)| (*f, Some(*v))).collect(),
            pid: identity.pid,
        }
    }

    pub fn set(&mut self, field: FieldId, value: i32) {
        self.values.insert(field, Some(value));
    }

    /// What the other text knows and this does not is not known here.
    pub fn lag(&mut self, other: &Store) {
        for field in other.values.keys() {
            self.values.entry(*field).or_insert(None);
        }
    }

    pub fn lagging(&self, other: &Store) -> Store {
        let mut store = self.clone();
        store.lag(other);
        store
    }

    /// Whether all variables hold the same.
    pub fn agrees(&self, other: &Store) -> bool {
        let known = self.values.values().all(Option::is_some);
        known && self.values == other.values
    }

    /// Whether a condition is known to hold.
    pub fn is_true(&self, text: &Model, e: ExprId) -> bool {
        self.truth(text, e).is_ok_and(|truth| truth == Some(true))
    }

    pub fn truth(&self, text: &Model, e: ExprId) -> Result<Option<bool>, Unknown> {
        Ok(self.tree(text, e)?.value().map(|v| v != 0))
    }

    /// An expression.
    fn tree(&self, text: &Model, e: ExprId) -> Result<Tree, Unknown> {
        let of = |e: &ExprId| self.tree(text, *e);
        let all = |all: &[ExprId]| -> Result<Vec<Tree>, Unknown> { all.iter().map(of).collect() };
        let simple = |name: &'static str| Tree::new(Head::Simple(name), Vec::new());
        Ok(match text.expr(e) {
            Expr::Const(v) => Tree::number(*v),
            Expr::Pid => self
                .pid
                .map_or(Tree::new(Head::Pid, Vec::new()), Tree::number),
            Expr::Read(place) => self.read(text, place)?,
            Expr::Unary(op, a) => {
                let a = of(a)?;
                match a.value() {
                    Some(v) => Tree::number(unary(*op, v)),
                    None => Tree::new(Head::Unary(*op), vec![a]),
                }
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (of(a)?, of(b)?);
                let known = a.value().zip(b.value());
                match known.and_then(|(a, b)| machine::binary(*op, a, b).ok()) {
                    Some(v) => Tree::number(v),
                    None => Tree::new(Head::Binary(*op), vec![a, b]),
                }
            }
            Expr::And(parts) => self.junction(text, parts, "and")?,
            Expr::Or(parts) => self.junction(text, parts, "or")?,
            Expr::Choice([test, a, b]) => {
                let test = of(test)?;
                match test.value() {
                    Some(v) => of(if v != 0 { a } else { b })?,
                    None => Tree::new(Head::Simple("choice"), vec![test.truth(), of(a)?, of(b)?]),
                }
            }
            Expr::Run(p, parts, priority) => Tree::new(Head::Run(*p, *priority), all(parts)?),
            Expr::Probe(probe, a) => Tree::new(Head::Probe(*probe), vec![of(a)?]),
            Expr::Poll(receive) => self.receive(text, receive)?,
            Expr::AtLocation(p, which, at) => {
                let which = self.instance(text, *which)?;
                Tree::new(Head::At(*p, at.index()), which)
            }
            Expr::Enabled(a) => Tree::new(Head::Simple("enabled"), vec![of(a)?]),
            Expr::LocationOf(a) => Tree::new(Head::Simple("location"), vec![of(a)?]),
            Expr::PriorityOf(a) => Tree::new(Head::Simple("priority"), vec![of(a)?]),
            Expr::NProcesses => simple("processes"),
            Expr::Timeout => simple("timeout"),
            Expr::NonProgress => simple("no progress"),
            Expr::Accepting => simple("accepting"),
        })
    }

    /// A junction: operands that do not decide it are left out, and those after one that does.
    fn junction(
        &self,
        text: &Model,
        parts: &[ExprId],
        name: &'static str,
    ) -> Result<Tree, Unknown> {
        let ends = name == "or";
        let mut kept: Vec<Tree> = Vec::new();
        for e in parts {
            let part = self.tree(text, *e)?.truth();
            match part.value() {
                Some(v) if (v != 0) != ends => {}
                Some(_) if kept.is_empty() => return Ok(Tree::number(i32::from(ends))),
                Some(_) => {
                    kept.push(Tree::number(i32::from(ends)));
                    break;
                }
                None if part.head == Head::Simple(name) => kept.extend(part.parts),
                None => kept.push(part),
            }
        }
        match &kept[..] {
            [] => Ok(Tree::number(i32::from(!ends))),
            [only] if only.is_truth() => Ok(only.clone()),
            _ => Ok(Tree::new(Head::Simple(name), kept)),
        }
    }

    fn read(&self, text: &Model, place: &Place) -> Result<Tree, Unknown> {
        if place.owner == Owner::Own && place.indices.is_empty() {
            return match self.values.get(&place.field) {
                Some(Some(v)) => Ok(Tree::number(*v)),
                Some(None) => Err(Unknown),
                None => Ok(Tree::new(Head::Own(place.field.index()), Vec::new())),
            };
        }
        self.place(text, place)
    }

    fn place(&self, text: &Model, place: &Place) -> Result<Tree, Unknown> {
        let mut parts = Vec::new();
        let head = match place.owner {
            Owner::Globals => Head::Global(place.field.index()),
            Owner::Own => Head::Own(place.field.index()),
            Owner::Other(p, which) => {
                parts = self.instance(text, which)?;
                Head::Other(p, place.field.index())
            }
        };
        for e in &place.indices {
            parts.push(self.tree(text, *e)?);
        }
        Ok(Tree::new(head, parts))
    }

    fn instance(&self, text: &Model, which: Instance) -> Result<Vec<Tree>, Unknown> {
        match which {
            Instance::Numbered(e) => Ok(vec![self.tree(text, e)?]),
            Instance::Any => Ok(Vec::new()),
        }
    }

    fn receive(&self, text: &Model, receive: &Receive) -> Result<Tree, Unknown> {
        let mut parts = vec![self.tree(text, receive.channel)?];
        for pattern in &receive.fields {
            let (name, inner) = match pattern {
                Pattern::Store(place) => ("store", vec![self.place(text, place)?]),
                Pattern::Drop => ("drop", Vec::new()),
                Pattern::Match(e) => ("match", vec![self.tree(text, *e)?]),
            };
            parts.push(Tree::new(Head::Simple(name), inner));
        }
        Ok(Tree::new(
            Head::Receive(receive.random, receive.keep),
            parts,
        ))
    }

    /// Takes an action; adds what is left of it.
    pub fn run(
        &mut self,
        text: &Model,
        action: &Action,
        scalars: &BTreeMap<FieldId, Scalar>,
        out: &mut Vec<Tree>,
    ) -> Result<(), Unknown> {
        let simple = |name: &'static str, parts: Vec<Tree>| Tree::new(Head::Simple(name), parts);
        match action {
            Action::Skip | Action::Print(_) => {}
            Action::Test(e) | Action::Assert(e) => {
                let tree = self.tree(text, *e)?.truth();
                let name = if matches!(action, Action::Test(_)) {
                    "test"
                } else {
                    "assert"
                };
                if tree.value().is_none_or(|v| v == 0) {
                    out.push(simple(name, vec![tree]));
                }
            }
            Action::Drop(e) => {
                let tree = self.tree(text, *e)?;
                if tree.value().is_none() {
                    out.push(simple("drop", vec![tree]));
                }
            }
            Action::Assign(place, e) => {
                let value = self.tree(text, *e)?;
                let own = place.owner == Owner::Own && place.indices.is_empty();
                match value.value().filter(|_| own) {
                    Some(v) => self.set(place.field, scalars[&place.field].narrow(v)),
                    None => {
                        out.push(simple("assign", vec![self.place(text, place)?, value]));
                        if own {
                            self.values.remove(&place.field);
                        }
                    }
                }
            }
            Action::Send(send) => {
                let mut parts = vec![self.tree(text, send.channel)?];
                for e in &send.fields {
                    parts.push(self.tree(text, *e)?);
                }
                out.push(Tree::new(Head::Send(send.sorted), parts));
            }
            Action::Receive(receive) => {
                out.push(self.receive(text, receive)?);
                for pattern in &receive.fields {
                    if let Pattern::Store(place) = pattern
                        && place.owner == Owner::Own
                    {
                        self.values.remove(&place.field);
                    }
                }
            }
            Action::All(all) => {
                for action in all {
                    self.run(text, action, scalars, out)?;
                }
            }
            Action::Deterministic(..) => out.push(simple("block", Vec::new())),
            Action::Else => out.push(Tree::otherwise()),
            Action::End => out.push(simple("end", Vec::new())),
            Action::SetPriority(..) => return Err(Unknown),
        }
        Ok(())
    }
}

fn unary(op: Unary, v: i32) -> i32 {
    match op {
        Unary::Not => i32::from(v == 0),
        Unary::Complement => !v,
        Unary::Minus => v.wrapping_neg(),
    }
}

/// The action with which one begins.
pub(super) fn first(action: &Action) -> &Action {
    match action {
        Action::All(all) => all.first().map_or(action, first),
        action => action,
    }
}

/// Whether an action begins with a send or receive.
pub(super) fn talks(action: &Action) -> bool {
    matches!(first(action), Action::Send(_) | Action::Receive(_))
}

/// Whether an action reads a variable of its own process, indices included.
pub(super) fn reads(text: &Model, action: &Action, field: FieldId) -> bool {
    fn inside(text: &Model, e: ExprId, field: FieldId) -> bool {
        let own = |place: &Place| place.owner == Owner::Own && place.field == field;
        let mut found = matches!(text.expr(e), Expr::Read(place) if own(place));
        operands(text.expr(e), &mut |part| found |= inside(text, part, field));
        found
    }
    let mut found = false;
    roots(action, &mut |e| found |= inside(text, e, field));
    found
}

/// Whether an action stores into a variable of which `is` says so.
pub(super) fn stores(action: &Action, is: &mut dyn FnMut(Owner, FieldId) -> bool) -> bool {
    match action {
        Action::Assign(place, _) => is(place.owner, place.field),
        Action::Receive(receive) => receive.fields.iter().any(|pattern| match pattern {
            Pattern::Store(place) => is(place.owner, place.field),
            _ => false,
        }),
        Action::All(all) => all.iter().any(|action| stores(action, is)),
        _ => false,
    }
}
