//! Loops that copy from the one element with a property.
//!
//! `for (i : 0 .. 2) { if :: st[i] == M -> mem = val[i] :: else fi }` keeps what the last of
//! several caches had. If there is one such cache at most, its rounds can be taken in any order. A
//! test is looked for such that rounds commute if it holds in one of them only; that this is so is
//! assumed, and looked at in every state ([`crate::processes::homes`]).
//!
//! The test must be of global variables with what they held when others could last look: neither
//! another round, nor its own round before it, nor the process since it took control writes them.

use super::Sends;
use super::cycles::Cycle;
use super::loops::Finder;
use super::neutral::{Way, ways};
use super::rounds::{Cell, Effects, Reader, Rounds, Surroundings, effects, meet};
use super::unroll::{Round, guard};
use model::processes::expr::{Expr, ExprId, Owner, Pattern, Place, operands};
use model::processes::layout::{FieldId, RecordKind, Role};
use model::processes::population::Population;
use model::processes::program::{Action, LocationId, Model, StepId};
use std::collections::{BTreeMap, BTreeSet};

/// The test that rounds begin with, such that they commute if it holds in one of them only: of
/// global variables that nothing has changed since others could look. That it does is looked at in
/// every state.
pub(super) fn exclusive(
    finder: &Finder<'_>,
    subject: &Rounds<'_>,
    surroundings: &Surroundings<'_>,
    all: &[Effects],
) -> Option<StepId> {
    if subject.sends == Sends::Wait || !finder.is_assumable(surroundings.population) {
        return None;
    }
    let nodes = subject.rounds.iter().flat_map(|round| &round.nodes);
    let steps = nodes
        .flat_map(|node| &node.steps)
        .filter(|taken| !taken.sure);
    let tests = steps.map(|taken| taken.step);
    let tests: BTreeSet<StepId> = tests
        .filter(|step| guard(&finder.text.step(*step).action).is_some())
        .collect();
    tests.into_iter().find(|test| {
        let mut without = Vec::new();
        for round in subject.rounds {
            without.push(effects(finder, subject, surroundings, (round, Some(*test))));
        }
        let apart = meet(all, &without, finder).is_ok() && meet(&without, all, finder).is_ok();
        apart
            && subject.rounds.iter().all(|round| {
                let tested = Tested {
                    finder,
                    subject,
                    surroundings,
                    round,
                    test: *test,
                };
                tested.is_of_start()
            })
    })
}

/// Whether an expression depends on variables alone.
fn is_of_variables(text: &Model, e: ExprId) -> bool {
    let expr = text.expr(e);
    let operator = matches!(
        expr,
        Expr::Unary(..) | Expr::Binary(..) | Expr::And(_) | Expr::Or(_)
    );
    let mut fine = operator || matches!(expr, Expr::Const(_) | Expr::Read(_));
    operands(expr, &mut |e| fine &= is_of_variables(text, e));
    fine
}

/// A test of a round.
struct Tested<'a> {
    finder: &'a Finder<'a>,
    subject: &'a Rounds<'a>,
    surroundings: &'a Surroundings<'a>,
    round: &'a Round,
    test: StepId,
}

impl Tested<'_> {
    /// Whether what it reads are global variables with what they held when others could look.
    fn is_of_start(&self) -> bool {
        let mut cells = Vec::new();
        for node in &self.round.nodes {
            for _ in node.steps.iter().filter(|taken| taken.step == self.test) {
                let mut reader = self.reader(node.value);
                let action = &self.finder.text.step(self.test).action;
                let test = guard(action);
                if !test.is_some_and(|e| is_of_variables(self.finder.text, e)) {
                    return false;
                }
                test.into_iter().for_each(|e| reader.read(e));
                let Effects {
                    reads, looks, odd, ..
                } = reader.effects;
                if odd.is_some() || !looks.is_empty() || reader.effects.faults.is_some() {
                    return false;
                }
                cells.extend(reads.into_iter().map(|(cell, _)| cell));
            }
        }
        let global =
            |cell: &Cell| cell.kind.index() == 0 && cell.indices.iter().all(Option::is_some);
        let fields: BTreeSet<FieldId> = cells.iter().map(|cell| cell.field).collect();
        cells.iter().all(global)
            && self.keeps(&cells)
            && self.finder.is_fresh(self.subject.cycle, &fields)
    }

    /// Whether the round itself writes none of some cells before the test.
    fn keeps(&self, cells: &[Cell]) -> bool {
        let before = self.round.before(self.test);
        before.iter().map(|n| &self.round.nodes[*n]).all(|node| {
            node.steps
                .iter()
                .filter(|taken| taken.step != self.test)
                .all(|taken| {
                    let mut reader = self.reader(node.value);
                    reader.step = taken.step;
                    reader.step(self.finder.text.step(taken.step), taken.sure);
                    let mut writes = reader.effects.writes.iter();
                    !writes.any(|(written, ..)| cells.iter().any(|cell| cell.overlaps(written)))
                })
        })
    }

    fn reader(&self, value: i32) -> Reader<'_, '_> {
        Reader {
            finder: self.finder,
            variable: self.subject.variable,
            surroundings: self.surroundings,
            value,
            step: self.test,
            alone: false,
            scratch: BTreeMap::new(),
            effects: Effects::default(),
        }
    }
}

impl Round {
    /// The nodes from which a step can still come.
    fn before(&self, step: StepId) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        loop {
            let leads = |n: &usize| {
                let mut steps = self.nodes[*n].steps.iter();
                steps.any(|taken| {
                    taken.step == step || taken.to.is_some_and(|to| found.contains(&to))
                })
            };
            let more: BTreeSet<usize> = (0..self.nodes.len()).filter(leads).collect();
            if more.len() == found.len() {
                return found;
            }
            found = more;
        }
    }
}

impl Finder<'_> {
    /// Whether something may be assumed of the states in which a process of the type starts to
    /// move: it has made nobody, and control comes from no partner of a rendezvous.
    fn is_assumable(&self, population: &Population) -> bool {
        let maker = population.creator.as_ref();
        let mut kinds = self.text.layout.kinds.iter();
        let meets = |kind: &RecordKind| matches!(&kind.role, Role::Channel(b) if b.capacity == 0);
        !kinds.any(meets) && maker.is_none_or(|maker| maker.proctype != self.proctype)
    }

    /// Whether global variables hold at the head of a loop what they held when others could look.
    fn is_fresh(&self, cycle: &Cycle, fields: &BTreeSet<FieldId>) -> bool {
        let proctype = self.text.proctype(self.proctype);
        let all = ways(self.text, proctype, self.gone);
        let steps = proctype.locations.iter().flat_map(|l| &l.steps);
        let mut ends = BTreeSet::new();
        for step in steps {
            super::walk::blocks(&self.text.step(*step).action, &mut |_, to| {
                ends.insert(to.index());
            });
        }
        let (mut seen, mut waiting) = (BTreeSet::new(), vec![(cycle.head.index(), false)]);
        // At the end of a block one comes out of it only where the step that it is part of keeps
        // control.
        while let Some((here, within)) = waiting.pop() {
            if !seen.insert((here, within)) {
                continue;
            }
            let outside = |way: &&Way<'_>| !cycle.inside.contains(&LocationId::new(way.from));
            for way in all.iter().filter(|way| way.to == here).filter(outside) {
                let block = way.action.is_some() && self.in_block(LocationId::new(way.from));
                let kept = match way.step {
                    Some(_) if block => within || !ends.contains(&here),
                    step => step.is_none_or(|step| step.keeps_control),
                };
                if kept && way.action.is_some_and(|action| stores(action, fields)) {
                    return false;
                }
                let exits = way.action.is_none() && way.step.is_some();
                waiting.extend(kept.then_some((way.from, exits)));
            }
        }
        true
    }
}

/// Whether an action stores into one of some global variables.
fn stores(action: &Action, fields: &BTreeSet<FieldId>) -> bool {
    let is = |place: &Place| place.owner == Owner::Globals && fields.contains(&place.field);
    match action {
        Action::Assign(place, _) => is(place),
        Action::Receive(receive) => {
            let mut patterns = receive.fields.iter();
            patterns.any(|pattern| matches!(pattern, Pattern::Store(place) if is(place)))
        }
        Action::All(all) => all.iter().any(|action| stores(action, fields)),
        _ => false,
    }
}
