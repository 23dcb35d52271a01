//! The rounds of a loop, by following its variable.
//!
//! A loop over ids counts in a variable that starts as a constant. With the value known, the tests
//! of the variable are decided, and what is left of the loop is a sequence of *rounds*, each from
//! the head back to the head, the last of which leaves. It does not matter how the loop is
//! written: which test comes first, whether it counts up or down, by how much, or where in the
//! round, and whether the way back is a `do` or a `goto`.
//!
//! Worked example: `i = 2; do :: i == 255 -> break :: else -> a[i] = 0; i-- od` with a byte `i`.
//! With 2 for `i` the test is false, the `else` can always be taken, and the way leads over `a[2] =
//! 0` back to the head with 1; so do those with 1 and 0, the last with 255. There the test holds,
//! and the loop is left. Three rounds are left: `a[2] = 0`, `a[1] = 0`, `a[0] = 0`.
//!
//! A loop that may go on or leave at each value and does nothing else chooses one of them:
//! `x = 0; do :: x < 2 -> x++ :: break od` is `if :: x = 0 :: x = 1 :: x = 2 fi`.

use super::conditions::exhaustive;
use super::cycles::{Cycle, resets};
use super::loops::Finder;
use super::neutral::writes;
use model::processes::expr::{Expr, ExprId, Owner, Place, Unary};
use model::processes::layout::{FieldId, KindId};
use model::processes::machine;
use model::processes::program::{Action, LocationId, Model, Step, StepId};
use std::collections::{BTreeMap, BTreeSet};

/// The most rounds of a loop that is replaced.
const N_ROUNDS_MAX: usize = 300;
/// The most locations of one round, each counted once for each value of the variable.
const N_NODES_MAX: usize = 1000;

/// Why a loop is not taken in any order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Refusal {
    pub step: StepId,
    pub reason: String,
    /// Whether the loop is one over the variable, with rounds that could be told.
    pub followed: bool,
}

pub(super) fn refuse<T>(step: StepId, reason: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal {
        step,
        reason: reason.into(),
        followed: false,
    })
}

/// A variable of the process, and what it holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    pub variable: FieldId,
    pub value: i32,
}

/// A location with a value of the variable.
#[derive(Debug)]
pub(super) struct Node {
    pub value: i32,
    /// The steps that may be taken there.
    pub steps: Vec<Taken>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Taken {
    pub step: StepId,
    /// Which node comes next; `None` where the round ends.
    pub to: Option<usize>,
    /// Whether the test or `else` with which it begins always lets it pass.
    pub sure: bool,
    /// Whether it leads out of the loop.
    pub leaves: bool,
}

/// What is done between two visits of the head.
#[derive(Debug)]
pub(super) struct Round {
    pub nodes: Vec<Node>,
    /// Which of them comes first.
    pub entry: usize,
}

/// What a loop comes to.
pub(super) enum Unrolled {
    /// Rounds, one after another, and the value of the variable afterwards.
    Rounds(Vec<Round>, i32),
    /// A choice of one of these ways out.
    Choice(BTreeSet<WayOut>),
}

/// A way out of a loop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct WayOut {
    /// The step that leaves.
    pub step: StepId,
    /// The value of the variable before it.
    pub before: i32,
    /// And after it.
    pub after: i32,
    /// Whether its test always holds then.
    pub sure: bool,
}

/// A loop whose variable was followed.
pub(super) struct Followed {
    pub unrolled: Unrolled,
    /// The step that leaves it.
    pub leave: StepId,
}

/// How a round ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum End {
    /// At the head, with a value.
    Again(i32),
    /// By a step out of the loop.
    Left(WayOut),
}

impl Finder<'_> {
    /// Follows a variable through a loop, from a value on.
    pub fn unroll(
        &self,
        cycle: &Cycle,
        variable: FieldId,
        first: i32,
    ) -> Result<Followed, Refusal> {
        let start = self.locations()[cycle.head.index()].steps[0];
        let (mut value, mut seen) = (first, BTreeSet::from([first]));
        let (mut rounds, mut ways) = (Vec::new(), BTreeSet::new());
        loop {
            let (round, ends) = self.round(cycle, variable, value)?;
            let mut next = None;
            for end in &ends {
                match end {
                    End::Again(v) if next.is_none() => next = Some(*v),
                    End::Again(_) => return refuse(start, "it does not always count the same way"),
                    End::Left(way) => {
                        ways.insert(*way);
                    }
                }
            }
            rounds.push(round);
            let Some(again) = next else {
                break;
            };
            if rounds.len() > N_ROUNDS_MAX || !seen.insert(again) {
                return refuse(start, "it has no end that depends on the variable alone");
            }
            value = again;
        }
        let Some(WayOut { step: leave, .. }) = ways.first().copied() else {
            return refuse(start, "it is never left");
        };
        let one = ways.iter().all(|way| way.step == leave && way.sure);
        let after = self.end_value(variable, value, leave, &rounds);
        let chosen: BTreeSet<i32> = ways.iter().map(|way| way.after).collect();
        let unrolled = match after.filter(|after| one && chosen == BTreeSet::from([*after])) {
            Some(after) => Unrolled::Rounds(rounds, after),
            None if rounds.iter().all(|round| self.is_idle(round, variable)) => {
                Unrolled::Choice(ways)
            }
            None if !ways.iter().all(|way| way.step == leave) => {
                return refuse(leave, "it can be left in several ways");
            }
            None => return refuse(leave, "it can be left before the last id"),
        };
        Ok(Followed { unrolled, leave })
    }

    /// The value with which the last round, and no other, leaves.
    fn end_value(
        &self,
        variable: FieldId,
        last: i32,
        leave: StepId,
        rounds: &[Round],
    ) -> Option<i32> {
        let leaves = |round: &&Round| {
            let mut steps = round.nodes.iter().flat_map(|node| &node.steps);
            steps.any(|taken| taken.step == leave && taken.to.is_none())
        };
        let mut leaving = rounds.iter().filter(leaves);
        let round = leaving.next().filter(|_| leaving.next().is_none())?;
        let mut nodes = round.nodes.iter();
        let node = nodes.find(|node| node.steps.iter().any(|taken| taken.step == leave))?;
        let value = self.passed(self.text.step(leave), variable, node.value);
        value.filter(|_| round.nodes[round.entry].value == last)
    }

    /// Whether a round does nothing but count, and see whether the loop may be left.
    fn is_idle(&self, round: &Round, variable: FieldId) -> bool {
        let mut steps = round.nodes.iter().flat_map(|node| &node.steps);
        steps.all(|taken| {
            let step = self.text.step(taken.step);
            let quiet = |action: &Action| match action {
                Action::Skip | Action::Else => true,
                Action::Test(_) => taken.sure || taken.leaves,
                Action::Assign(place, _) => place.owner == Owner::Own && place.field == variable,
                _ => false,
            };
            let idle = match &step.action {
                Action::All(all) => all.iter().all(quiet),
                action => quiet(action),
            };
            idle && (taken.leaves || step.resets.is_empty()) && !step.alone
        })
    }

    /// The round that starts with a value, and how it can end.
    fn round(
        &self,
        cycle: &Cycle,
        variable: FieldId,
        value: i32,
    ) -> Result<(Round, BTreeSet<End>), Refusal> {
        let mut walk = Walk {
            finder: self,
            cycle,
            variable,
            nodes: Vec::new(),
            known: BTreeMap::new(),
            ends: BTreeSet::new(),
        };
        let entry = walk.visit(cycle.head, value)?;
        let round = Round {
            nodes: walk.nodes,
            entry,
        };
        Ok((round, walk.ends))
    }

    /// The value of the variable after a step.
    pub fn passed(&self, step: &Step, variable: FieldId, value: i32) -> Option<i32> {
        let kind = self.text.proctype(self.proctype).kind;
        let value = counted(self.text, kind, &step.action, Held { variable, value })?;
        Some(resets(step, variable).unwrap_or(value))
    }

    /// The value of an expression where that of the variable decides it.
    pub fn folded(&self, e: ExprId, variable: FieldId, value: i32) -> Option<i32> {
        folded(self.text, e, Held { variable, value })
    }
}

/// The value of a variable of the process after an action.
pub(super) fn counted(text: &Model, kind: KindId, action: &Action, held: Held) -> Option<i32> {
    match action {
        Action::Receive(_) if writes(action, held.variable) => None,
        Action::Assign(place, e) if place.owner == Owner::Own && place.field == held.variable => {
            let value = folded(text, *e, held)?;
            let field = &text.layout.kind(kind).fields[held.variable.index()];
            Some(field.slot.scalar.narrow(value))
        }
        Action::All(all) => all.iter().try_fold(held.value, |value, action| {
            counted(text, kind, action, Held { value, ..held })
        }),
        _ => Some(held.value),
    }
}

/// The value of an expression where that of a variable of the process decides it.
pub(super) fn folded(text: &Model, e: ExprId, held: Held) -> Option<i32> {
    folded_by(text, e, &|place| {
        let is = place.owner == Owner::Own && place.field == held.variable;
        (is && place.indices.is_empty()).then_some(held.value)
    })
}

/// The value of an expression where those of some places decide it.
pub(super) fn folded_by(
    text: &Model,
    e: ExprId,
    read: &dyn Fn(&Place) -> Option<i32>,
) -> Option<i32> {
    let sub = |e: ExprId| folded_by(text, e, read);
    match text.expr(e) {
        Expr::Const(v) => Some(*v),
        Expr::Read(place) => read(place),
        Expr::Unary(Unary::Not, a) => Some(i32::from(sub(*a)? == 0)),
        Expr::Unary(Unary::Minus, a) => Some(sub(*a)?.wrapping_neg()),
        Expr::Unary(Unary::Complement, a) => Some(!sub(*a)?),
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
        _ => None,
    }
}

/// The test with which an action begins.
pub(super) fn guard(action: &Action) -> Option<ExprId> {
    match action {
        Action::Test(e) => Some(*e),
        Action::All(all) => guard(all.first()?),
        _ => None,
    }
}

struct Walk<'a, 'f> {
    finder: &'a Finder<'f>,
    cycle: &'a Cycle,
    variable: FieldId,
    nodes: Vec<Node>,
    /// The number of each node; `None` while it is being visited.
    known: BTreeMap<(LocationId, i32), Option<usize>>,
    ends: BTreeSet<End>,
}

impl Walk<'_, '_> {
    /// Visits what follows a location with a value; gives its number.
    fn visit(&mut self, at: LocationId, value: i32) -> Result<usize, Refusal> {
        let finder = self.finder;
        let start = finder.locations()[at.index()].steps.first().copied();
        let start = start.unwrap_or(StepId::new(0));
        match self.known.get(&(at, value)) {
            Some(Some(node)) => return Ok(*node),
            Some(None) => return refuse(start, "there is a loop inside that is not over ids"),
            None => {}
        }
        if self.known.len() > N_NODES_MAX {
            return refuse(start, "it is too long");
        }
        self.known.insert((at, value), None);
        let chosen = self.chosen(at, value, start)?;
        let mut steps = Vec::new();
        for (id, sure) in &chosen {
            let step = finder.text.step(*id);
            let Some(next) = finder.passed(step, self.variable, value) else {
                return refuse(*id, "it sets what it counts to something unknown");
            };
            let to = if step.target == self.cycle.head {
                self.ends.insert(End::Again(next));
                None
            } else if !self.cycle.inside.contains(&step.target) {
                let quiet = matches!(step.action, Action::Skip | Action::Else | Action::Test(_));
                let may = *sure || self.can_go_on(at, *id, &chosen);
                if !quiet || !may || step.alone {
                    return refuse(*id, "it can be left before the last id");
                }
                self.ends.insert(End::Left(WayOut {
                    step: *id,
                    before: value,
                    after: next,
                    sure: *sure,
                }));
                None
            } else {
                Some(self.visit(step.target, next)?)
            };
            let leaves = !self.cycle.inside.contains(&step.target);
            let (step, sure) = (*id, *sure);
            steps.push(Taken {
                step,
                to,
                sure,
                leaves,
            });
        }
        self.nodes.push(Node { value, steps });
        self.known.insert((at, value), Some(self.nodes.len() - 1));
        Ok(self.nodes.len() - 1)
    }

    /// Whether a step with a test may be left aside, whatever the test says: something else can
    /// always be done instead. In a deterministic block the first that can be done is.
    fn can_go_on(&self, at: LocationId, leave: StepId, chosen: &[(StepId, bool)]) -> bool {
        let is_test = matches!(self.finder.text.step(leave).action, Action::Test(_));
        let others = chosen.iter().any(|(id, sure)| *sure && *id != leave);
        is_test && others && !self.finder.in_block(at)
    }

    /// The steps that may be taken at a location with a value, and whether each always can be.
    fn chosen(
        &self,
        at: LocationId,
        value: i32,
        start: StepId,
    ) -> Result<Vec<(StepId, bool)>, Refusal> {
        let finder = self.finder;
        let steps = &finder.locations()[at.index()].steps;
        let block = finder.in_block(at);
        let mut chosen: Vec<(StepId, bool)> = Vec::new();
        let mut sure = false;
        for (n, id) in steps.iter().enumerate() {
            let step = finder.text.step(*id);
            if matches!(step.action, Action::Else) {
                if n + 1 != steps.len() {
                    return refuse(*id, "the `else` is not the last option");
                }
                if !sure {
                    chosen.push((*id, chosen.is_empty()));
                    sure = true;
                }
                continue;
            }
            // In a block the first step that can be taken is.
            if block && sure {
                break;
            }
            let decided = guard(&step.action).map(|e| finder.folded(e, self.variable, value));
            let always = match decided {
                Some(Some(0)) => continue,
                Some(decided) => decided.is_some(),
                // One that stands alone may wait, as a send.
                None => steps.len() == 1 || !begins_with_receive(&step.action),
            };
            chosen.push((*id, always));
            sure |= always;
        }
        self.is_passable(&chosen, sure, start)?;
        for (id, _) in &chosen {
            let step = finder.text.step(*id);
            let leaves = !self.cycle.inside.contains(&step.target);
            let kept = finder.keeps(at, *id) || (leaves && finder.holds(at) && step.rank == 0);
            if !kept {
                return refuse(*id, "others can come between its rounds here");
            }
            if !finder.is_simple(*id) {
                return refuse(*id, "this is more than assigning, sending and receiving");
            }
        }
        Ok(chosen)
    }

    /// Whether nothing blocks but a send or a receive without an alternative.
    fn is_passable(
        &self,
        chosen: &[(StepId, bool)],
        sure: bool,
        start: StepId,
    ) -> Result<(), Refusal> {
        let text = self.finder.text;
        let sends = |id: StepId| begins_with_send(&text.step(id).action);
        if let Some((id, _)) = chosen.iter().find(|(id, _)| sends(*id))
            && chosen.len() > 1
        {
            return refuse(*id, "there is another option beside a send");
        }
        let tests = chosen
            .iter()
            .filter_map(|(id, _)| guard(&text.step(*id).action));
        let tests: Vec<ExprId> = tests.collect();
        if sure || (!chosen.is_empty() && exhaustive(text, &tests)) {
            Ok(())
        } else {
            let (id, _) = chosen.first().copied().unwrap_or((start, false));
            refuse(id, "it can block here")
        }
    }
}

/// Whether an action may have to wait for a channel.
pub(super) fn begins_at_channel(action: &Action) -> bool {
    begins_with_send(action) || begins_with_receive(action)
}

pub(super) fn begins_with_receive(action: &Action) -> bool {
    match action {
        Action::Receive(_) => true,
        Action::All(all) => all.first().is_some_and(begins_with_receive),
        _ => false,
    }
}

fn begins_with_send(action: &Action) -> bool {
    match action {
        Action::Send(_) => true,
        Action::All(all) => all.first().is_some_and(begins_with_send),
        _ => false,
    }
}
