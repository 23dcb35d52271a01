//! Loops whose rounds commute where a test holds in one of them only.
//!
//! `for (i : 0 .. 2) { if :: st[i] == M -> mem = val[i] :: else fi }` keeps what the last of
//! several caches had, and all orders are the same if there is one such cache at most. Let a test
//! be given in each round, such that no two of them hold in any state that is seen, which is looked
//! at while states are searched. Then rounds commute if what each does, wherever its test holds or
//! not, commutes with what every other does where its test does not hold; and if a test has in its
//! round the value that it had when others could last look: it is of global variables at constant
//! indices, which neither other rounds, nor its own round before it, nor the process since then
//! writes.

use super::rounds::{Cell, Round, overlap};
use super::{Misuse, Verifier};
use crate::processes::sort::Exclusive;
use crate::processes::sort::walk::blocks;
use model::processes::expr::{Expr, ExprId, Owner, Pattern, Place, operands};
use model::processes::layout::Role;
use model::processes::program::{Action, LocationId, StepId};
use std::collections::BTreeSet;

impl Verifier<'_> {
    /// What the rounds of a step do where their tests do not hold; `None` if they have none.
    pub(super) fn without_tests(
        &self,
        (at, id): (LocationId, StepId),
        all: &[Action],
    ) -> Result<Option<Vec<Round>>, Misuse> {
        let mut claims = self.sorts.exclusive.iter().filter(|one| one.set == id);
        let Some(claim) = claims.next() else {
            return Ok(None);
        };
        self.demand(claims.next().is_none(), "two claims about one loop")?;
        let population = self.population;
        let maker = population.creator.as_ref();
        let made = maker.is_some_and(|maker| maker.proctype == self.proctype);
        let mut kinds = self.sorts.text.layout.kinds.iter();
        let meets = kinds.any(|kind| matches!(&kind.role, Role::Channel(b) if b.capacity == 0));
        self.demand(
            !made && !meets,
            "a state that others do not see is relied on",
        )?;
        let mut rounds = Vec::new();
        for (n, action) in all.iter().enumerate() {
            let Action::Deterministic(from, to) = action else {
                self.misuse("a round that is no block")?;
                continue;
            };
            let mut round = Round::default();
            round.without = tests(claim, n);
            let cells = self.tested(&round.without)?;
            self.demand(
                !self.changes(*from, *to, (&round.without, &cells)),
                "a round changes what it tests",
            )?;
            self.demand(
                !self.changed_before(at, &cells),
                "what is tested was changed",
            )?;
            // What it would set for itself, it sets only where the test holds.
            let mut plain = Round::default();
            plain.without.clone_from(&round.without);
            self.round(*from, *to, &mut plain);
            self.set_aside(*from, *to, (at, id), &mut round);
            let set = |(kind, field, _): &Cell| {
                let mut writes = plain.writes.iter();
                writes.any(|((k, f, _), _)| (k, f) == (kind, field))
            };
            round.writes.retain(|(cell, _)| set(cell));
            self.round(*from, *to, &mut round);
            rounds.push(round);
        }
        Ok(Some(rounds))
    }

    /// The cells that tests read: global variables at constant indices.
    fn tested(&self, tests: &BTreeSet<ExprId>) -> Result<Vec<Cell>, Misuse> {
        let mut read = Round::default();
        for e in tests {
            self.demand(
                self.is_of_globals(*e),
                "a test of something else than variables",
            )?;
            self.read(*e, &mut read);
        }
        let known = |cell: &Cell| cell.0.index() == 0 && cell.2.iter().all(Option::is_some);
        let fine = !read.odd && !read.risky && read.looks.is_empty();
        let fine = fine && read.reads.iter().all(known);
        self.demand(fine, "a test of something that is not known")?;
        Ok(read.reads)
    }

    fn is_of_globals(&self, e: ExprId) -> bool {
        let expr = self.sorts.text.expr(e);
        let mut fine = match expr {
            Expr::Const(_) => true,
            Expr::Read(place) => place.owner == Owner::Globals,
            Expr::Unary(..) | Expr::Binary(..) | Expr::And(_) | Expr::Or(_) => true,
            _ => false,
        };
        operands(expr, &mut |e| fine &= self.is_of_globals(e));
        fine
    }

    /// Whether a block can write one of some cells and then come to one of some tests.
    fn changes(
        &self,
        from: LocationId,
        to: LocationId,
        (tests, cells): (&BTreeSet<ExprId>, &[Cell]),
    ) -> bool {
        let text = &self.sorts.text;
        let locations = &text.proctype(self.proctype).locations;
        let reached = |from: LocationId| {
            let (mut seen, mut waiting) = (BTreeSet::new(), vec![from]);
            while let Some(at) = waiting.pop() {
                if at != to && seen.insert(at) {
                    let steps = locations[at.index()].steps.iter();
                    waiting.extend(steps.map(|step| text.step(*step).target));
                }
            }
            seen
        };
        let is_tested = |at: &LocationId| {
            let mut steps = locations[at.index()].steps.iter();
            steps.any(|step| match &text.step(*step).action {
                Action::Test(e) => tests.contains(e),
                Action::All(all) => {
                    matches!(all.first(), Some(Action::Test(e)) if tests.contains(e))
                }
                _ => false,
            })
        };
        reached(from).iter().any(|at| {
            locations[at.index()].steps.iter().any(|step| {
                let step = text.step(*step);
                let writes = self.writes_any(&step.action, cells);
                writes && reached(step.target).iter().any(is_tested)
            })
        })
    }

    fn writes_any(&self, action: &Action, cells: &[Cell]) -> bool {
        let is = |place: &Place| {
            let cell = self.cell(place);
            cells.iter().any(|read| overlap(&cell, read))
        };
        match action {
            Action::Assign(place, _) => is(place),
            Action::Receive(receive) => {
                let mut patterns = receive.fields.iter();
                patterns.any(|pattern| matches!(pattern, Pattern::Store(place) if is(place)))
            }
            Action::All(all) => all.iter().any(|action| self.writes_any(action, cells)),
            _ => false,
        }
    }

    /// Whether one of some cells was written before a location, on a way on which control was kept.
    fn changed_before(&self, at: LocationId, cells: &[Cell]) -> bool {
        let text = &self.sorts.text;
        let locations = &text.proctype(self.proctype).locations;
        let live = &self.sorts.live[self.proctype.index()];
        let lived = || locations.iter().enumerate().filter(|(l, _)| live[*l]);
        // Where blocks end; whoever is there has left the block, unless one looks at the block.
        let mut ends = BTreeSet::new();
        for step in lived().flat_map(|(_, location)| &location.steps) {
            blocks(&text.step(*step).action, &mut |_, exit| {
                ends.insert(exit);
            });
        }
        let (mut seen, mut waiting) = (BTreeSet::new(), vec![(at, false)]);
        while let Some((here, is_exit)) = waiting.pop() {
            if !seen.insert((here, is_exit)) {
                continue;
            }
            for (from, location) in lived() {
                let from = LocationId::new(from);
                for step in &location.steps {
                    let step = text.step(*step);
                    let mut inside = Vec::new();
                    blocks(&step.action, &mut |entry, exit| inside.push((entry, exit)));
                    if inside.iter().any(|(entry, _)| *entry == here) {
                        // From another block of the same step, or from before it.
                        waiting.push((from, false));
                        let others = inside.iter().filter(|(entry, _)| *entry != here);
                        waiting.extend(others.map(|(_, exit)| (*exit, true)));
                    }
                    let kept = if self.is_in_block(from) {
                        is_exit || !ends.contains(&here)
                    } else {
                        step.keeps_control
                    };
                    if step.target != here || !kept {
                        continue;
                    }
                    if !inside.is_empty() {
                        waiting.extend(inside.iter().map(|(_, exit)| (*exit, true)));
                    } else if self.writes_any(&step.action, cells) {
                        return true;
                    }
                    waiting.push((from, false));
                }
            }
        }
        false
    }
}

/// The tests of a round.
fn tests(claim: &Exclusive, round: usize) -> BTreeSet<ExprId> {
    let all = claim.tests.iter().filter(|(n, _)| *n == round);
    all.map(|(_, e)| *e).collect()
}
