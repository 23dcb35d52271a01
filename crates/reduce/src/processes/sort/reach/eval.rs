//! The values of an expression, and what its truth says of places.

use super::{Fact, Known, Name, Reach, Values, name};
use model::processes::expr::{Binary, Expr, ExprId, Owner, Place, Probe, Unary, operands};
use model::processes::layout::{FieldId, KindId};
use model::processes::machine;
use model::processes::program::{Model, ProctypeId};
use std::collections::BTreeSet;

/// The most combinations of operands that are tried.
const N_TRIED_MAX: usize = 512;

/// Where an expression is evaluated.
pub(super) struct Context<'a> {
    pub text: &'a Model,
    pub reach: &'a Reach,
    pub proctype: ProctypeId,
    pub known: &'a Known,
    /// What parts of expressions are, whatever else is known.
    pub fixed: Option<&'a dyn Fn(ExprId) -> Option<i32>>,
}

/// An operand with its values.
struct Column {
    /// `None` if nothing can be known of it; then it is like no other.
    name: Option<Name>,
    /// Where it is.
    all: Vec<ExprId>,
    values: BTreeSet<i32>,
}

impl Context<'_> {
    fn with<'a>(&'a self, known: &'a Known) -> Context<'a> {
        Context { known, ..*self }
    }

    pub fn kind_of(&self, owner: Owner) -> KindId {
        match owner {
            Owner::Globals => KindId::new(0),
            Owner::Own => self.text.proctype(self.proctype).kind,
            Owner::Other(p, _) => self.text.proctype(p).kind,
        }
    }

    /// What a place can hold.
    pub fn held(&self, place: &Place) -> Values {
        if let Some(fact) = name(self.text, place).and_then(|name| self.known.get(&name)) {
            return Some(fact.values.clone());
        }
        let kind = self.kind_of(place.owner);
        let mut values = self.reach.fields[kind.index()][place.field.index()].clone()?;
        if matches!(place.owner, Owner::Other(..)) {
            // What a process that is not there holds reads as 0.
            values.insert(0);
        }
        Some(values)
    }

    /// What an operand can be: something that is read, not computed.
    pub fn leaf(&self, e: ExprId) -> Values {
        match self.text.expr(e) {
            Expr::Const(v) => Some(BTreeSet::from([*v])),
            Expr::Read(place) => self.held(place),
            Expr::Pid => self.reach.pids[self.proctype.index()].clone(),
            Expr::Probe(probe, _) if *probe != Probe::Length => Some(BTreeSet::from([0, 1])),
            Expr::Poll(_) | Expr::Enabled(_) | Expr::AtLocation(..) | Expr::Timeout => {
                Some(BTreeSet::from([0, 1]))
            }
            _ => None,
        }
    }

    /// What an expression can be.
    pub fn values(&self, e: ExprId) -> Values {
        if let Some(value) = self.fixed.and_then(|fixed| fixed(e)) {
            return Some(BTreeSet::from([value]));
        }
        match self.text.expr(e) {
            Expr::Choice([test, a, b]) => {
                let mut all = BTreeSet::new();
                for (branch, truth) in [(*a, true), (*b, false)] {
                    if let Some(known) = self.assume(*test, truth) {
                        all.extend(self.with(&known).values(branch)?);
                    }
                }
                Some(all)
            }
            expr if is_computed(expr) => match self.columns(e) {
                Some(columns) => {
                    let mut all = BTreeSet::new();
                    self.each(&columns, &mut |inputs| {
                        all.extend(self.eval(e, &columns, inputs));
                    });
                    Some(all)
                }
                None if is_truth(expr) => Some(BTreeSet::from([0, 1])),
                None => None,
            },
            _ => self.leaf(e),
        }
    }

    /// What is known where an expression is not 0, or is 0; `None` if it cannot be.
    pub fn assume(&self, e: ExprId, truth: bool) -> Option<Known> {
        let mut known = self.known.clone();
        self.narrow(e, truth, &mut known).then_some(known)
    }

    /// Adds to what is known that an expression is not 0, or is 0; says whether it can be.
    fn narrow(&self, e: ExprId, truth: bool, known: &mut Known) -> bool {
        match self.text.expr(e) {
            Expr::Unary(Unary::Not, a) => self.narrow(*a, !truth, known),
            Expr::And(all) if truth => all.iter().all(|e| self.narrow(*e, true, known)),
            Expr::Or(all) if !truth => all.iter().all(|e| self.narrow(*e, false, known)),
            _ => match self.with(known).tried(e, truth) {
                Some(facts) => {
                    known.extend(facts);
                    true
                }
                None => false,
            },
        }
    }

    /// For each operand the values with which the expression can have a truth; `None` if it cannot.
    fn tried(&self, e: ExprId, truth: bool) -> Option<Vec<(Name, Fact)>> {
        let Some(columns) = self.columns(e) else {
            return Some(Vec::new());
        };
        let mut kept = vec![BTreeSet::new(); columns.len()];
        let mut possible = false;
        self.each(&columns, &mut |inputs| {
            if self
                .eval(e, &columns, inputs)
                .is_some_and(|v| (v != 0) == truth)
            {
                possible = true;
                for (set, value) in kept.iter_mut().zip(inputs) {
                    set.insert(*value);
                }
            }
        });
        let facts = columns
            .into_iter()
            .zip(kept)
            .filter_map(|(column, values)| {
                let Expr::Read(place) = self.text.expr(column.all[0]) else {
                    return None;
                };
                let mentions = self.mentions(place);
                Some((column.name?, Fact { values, mentions }))
            });
        possible.then(|| facts.collect())
    }

    /// The variables that a place and its indices are.
    pub fn mentions(&self, place: &Place) -> Vec<(KindId, FieldId)> {
        let mut all = vec![(self.kind_of(place.owner), place.field)];
        for e in &place.indices {
            if let Expr::Read(index) = self.text.expr(*e) {
                all.push((self.kind_of(index.owner), index.field));
            }
        }
        all
    }

    /// The operands of a computed expression; `None` if one can be anything, or there are too many
    /// combinations.
    fn columns(&self, e: ExprId) -> Option<Vec<Column>> {
        let mut columns = Vec::new();
        self.gather(e, &mut columns)?;
        let sizes = columns.iter().map(|column| column.values.len());
        let n = sizes.fold(1_usize, usize::saturating_mul);
        (n <= N_TRIED_MAX).then_some(columns)
    }

    fn gather(&self, e: ExprId, columns: &mut Vec<Column>) -> Option<()> {
        let expr = self.text.expr(e);
        if self.fixed.is_some_and(|fixed| fixed(e).is_some()) {
            return Some(());
        }
        if is_computed(expr) || matches!(expr, Expr::Choice(_)) {
            let mut fine = Some(());
            operands(expr, &mut |e| {
                fine = fine.and_then(|()| self.gather(e, columns));
            });
            return fine;
        }
        if matches!(expr, Expr::Const(_)) {
            return Some(());
        }
        let name = match expr {
            Expr::Read(place) => name(self.text, place),
            Expr::Pid => Some(Name::new()),
            _ => None,
        };
        let same = |column: &&mut Column| name.is_some() && column.name == name;
        match columns.iter_mut().find(same) {
            Some(column) => column.all.push(e),
            None => columns.push(Column {
                name,
                all: vec![e],
                values: self.leaf(e)?,
            }),
        }
        Some(())
    }

    fn each(&self, columns: &[Column], out: &mut dyn FnMut(&[i32])) {
        fn go(columns: &[Column], inputs: &mut Vec<i32>, out: &mut dyn FnMut(&[i32])) {
            let Some(column) = columns.get(inputs.len()) else {
                return out(inputs);
            };
            for value in &column.values {
                inputs.push(*value);
                go(columns, inputs, out);
                inputs.pop();
            }
        }
        go(columns, &mut Vec::new(), out);
    }

    /// The value with such operands; `None` if that goes wrong.
    fn eval(&self, e: ExprId, columns: &[Column], inputs: &[i32]) -> Option<i32> {
        if let Some(value) = self.fixed.and_then(|fixed| fixed(e)) {
            return Some(value);
        }
        let sub = |e: ExprId| self.eval(e, columns, inputs);
        match self.text.expr(e) {
            Expr::Const(v) => Some(*v),
            Expr::Unary(Unary::Minus, a) => Some(sub(*a)?.wrapping_neg()),
            Expr::Unary(Unary::Complement, a) => Some(!sub(*a)?),
            Expr::Unary(Unary::Not, a) => Some(i32::from(sub(*a)? == 0)),
            Expr::Binary(op, a, b) => machine::binary(*op, sub(*a)?, sub(*b)?).ok(),
            Expr::And(all) => {
                for e in all {
                    if sub(*e)? == 0 {
                        return Some(0);
                    }
                }
                Some(1)
            }
            Expr::Or(all) => {
                for e in all {
                    if sub(*e)? != 0 {
                        return Some(1);
                    }
                }
                Some(0)
            }
            Expr::Choice([test, a, b]) => sub(if sub(*test)? != 0 { *a } else { *b }),
            _ => {
                let column = columns.iter().position(|column| column.all.contains(&e))?;
                inputs.get(column).copied()
            }
        }
    }
}

fn is_computed(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Unary(..) | Expr::Binary(..) | Expr::And(_) | Expr::Or(_)
    )
}

fn is_truth(expr: &Expr) -> bool {
    use Binary::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    match expr {
        Expr::Unary(op, _) => *op == Unary::Not,
        Expr::Binary(op, ..) => matches!(
            op,
            Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual
        ),
        Expr::And(_) | Expr::Or(_) => true,
        _ => false,
    }
}
