//! Whether a round can block, other than at a send or receive.
//!
//! At a location something can always be done if one of its steps needs nothing, or if one of its
//! conditions holds whatever the values of their operands are. To see the latter, all operands get
//! all values near the constants that they are compared with: as far away as there are operands, so
//! that each order of operands and constants comes up.

use super::Verifier;
use crate::processes::sort::conditions::spelled;
use model::processes::expr::{Binary, Expr, ExprId, Probe, Unary};
use model::processes::machine;
use model::processes::program::{Action, LocationId};
use std::collections::{BTreeMap, BTreeSet};

/// The most combinations of values that are tried.
const N_TRIED_MAX: usize = 100_000;

/// The operands of conditions by their texts, and the constants.
#[derive(Default)]
struct Terms {
    names: BTreeSet<String>,
    constants: BTreeSet<i32>,
}

impl Verifier<'_> {
    /// Whether a process at a location may have to wait, but for a send or a receive without an
    /// alternative.
    pub(super) fn can_block(&self, at: LocationId) -> bool {
        let text = &self.sorts.text;
        let steps = &text.proctype(self.proctype).locations[at.index()].steps;
        let first = |action: &Action| -> Action {
            match action {
                Action::All(all) => all.first().cloned().unwrap_or(Action::Skip),
                action => action.clone(),
            }
        };
        let firsts: Vec<Action> = steps.iter().map(|s| first(&text.step(*s).action)).collect();
        if firsts
            .iter()
            .any(|action| matches!(action, Action::Send(_)))
        {
            return firsts.len() > 1;
        }
        if let [Action::Receive(_)] = firsts[..] {
            return false;
        }
        let tests: Option<Vec<ExprId>> = firsts
            .iter()
            .map(|action| match action {
                Action::Test(e) => Some(*e),
                _ => None,
            })
            .collect();
        let waits = |action: &Action| matches!(action, Action::Test(_) | Action::Receive(_));
        match tests {
            Some(tests) => tests.is_empty() || !self.one_holds(&tests),
            None => firsts.iter().all(waits),
        }
    }

    /// Whether a process at a location may have to wait for a channel: there is a send, or a
    /// receive and nothing else.
    pub(super) fn can_wait(&self, at: LocationId) -> bool {
        let text = &self.sorts.text;
        let steps = &text.proctype(self.proctype).locations[at.index()].steps;
        let first = |action: &Action| match action {
            Action::All(all) => all.first().cloned(),
            action => Some(action.clone()),
        };
        let firsts = steps.iter().filter_map(|s| first(&text.step(*s).action));
        let firsts: Vec<Action> = firsts.collect();
        let sends = firsts.iter().any(|a| matches!(a, Action::Send(_)));
        sends || matches!(firsts[..], [Action::Receive(_)])
    }

    /// Whether one of some conditions always holds.
    pub(super) fn one_holds(&self, tests: &[ExprId]) -> bool {
        let mut terms = Terms::default();
        tests.iter().for_each(|e| self.terms(*e, &mut terms));
        let n = i32::try_from(terms.names.len()).unwrap_or(i32::MAX);
        terms.constants.insert(0);
        let mut domain = BTreeSet::new();
        for c in &terms.constants {
            domain.extend(c.saturating_sub(n.min(99))..=c.saturating_add(n.min(99)));
        }
        let domain: Vec<i32> = domain.into_iter().collect();
        let exponent = u32::try_from(terms.names.len()).unwrap_or(u32::MAX);
        let n_cases = domain.len().checked_pow(exponent);
        let Some(n_cases) = n_cases.filter(|n| *n <= N_TRIED_MAX) else {
            return false;
        };
        (0..n_cases).all(|mut case| {
            let mut values = BTreeMap::new();
            for name in &terms.names {
                values.insert(name.as_str(), domain[case % domain.len()]);
                case /= domain.len();
            }
            tests.iter().any(|e| self.is_true(*e, &values))
        })
    }

    fn terms(&self, e: ExprId, out: &mut Terms) {
        let text = &self.sorts.text;
        match text.expr(e) {
            Expr::Const(v) => {
                out.constants.insert(*v);
            }
            Expr::Unary(Unary::Not, a) => self.terms(*a, out),
            Expr::And(all) | Expr::Or(all) => all.iter().for_each(|e| self.terms(*e, out)),
            Expr::Binary(op, a, b) if compares(*op) => {
                self.terms(*a, out);
                self.terms(*b, out);
            }
            Expr::Probe(_, channel) => {
                out.names.insert(self.probed(e, *channel).0);
            }
            _ => {
                out.names.insert(spelled(text, e, ""));
            }
        }
    }

    /// The text of a question about a channel, and whether it is asked the other way round.
    fn probed(&self, e: ExprId, channel: ExprId) -> (String, bool) {
        let text = &self.sorts.text;
        match text.expr(e) {
            Expr::Probe(Probe::Full, _) => (spelled(text, channel, "full"), false),
            Expr::Probe(Probe::NotFull, _) => (spelled(text, channel, "full"), true),
            Expr::Probe(Probe::Empty, _) => (spelled(text, channel, "empty"), false),
            Expr::Probe(Probe::NotEmpty, _) => (spelled(text, channel, "empty"), true),
            _ => (spelled(text, e, ""), false),
        }
    }

    fn is_true(&self, e: ExprId, values: &BTreeMap<&str, i32>) -> bool {
        let of = |e: ExprId| self.number_of(e, values);
        match self.sorts.text.expr(e) {
            Expr::Unary(Unary::Not, a) => !self.is_true(*a, values),
            Expr::And(all) => all.iter().all(|e| self.is_true(*e, values)),
            Expr::Or(all) => all.iter().any(|e| self.is_true(*e, values)),
            Expr::Binary(op, a, b) if compares(*op) => {
                machine::binary(*op, of(*a), of(*b)).is_ok_and(|v| v != 0)
            }
            _ => of(e) != 0,
        }
    }

    fn number_of(&self, e: ExprId, values: &BTreeMap<&str, i32>) -> i32 {
        let text = &self.sorts.text;
        match text.expr(e) {
            Expr::Const(v) => *v,
            Expr::Unary(Unary::Not, _) | Expr::And(_) | Expr::Or(_) => {
                i32::from(self.is_true(e, values))
            }
            Expr::Binary(op, ..) if compares(*op) => i32::from(self.is_true(e, values)),
            Expr::Probe(_, channel) => {
                let (name, turned) = self.probed(e, *channel);
                let value = values.get(name.as_str()).copied().unwrap_or(0);
                if turned { i32::from(value == 0) } else { value }
            }
            _ => values
                .get(spelled(text, e, "").as_str())
                .copied()
                .unwrap_or(0),
        }
    }
}

fn compares(op: Binary) -> bool {
    use Binary::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    matches!(
        op,
        Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual
    )
}
