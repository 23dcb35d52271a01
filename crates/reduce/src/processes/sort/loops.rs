//! Loops over ids that may as well run in any order.
//!
//! `for (j : 0 .. 4) { if :: st[j] == critical -> free = false :: else fi }` inside `atomic` counts
//! and compares, so `j` would be plain, and with it every index and id that `j` meets. But nobody
//! sees the states inside, and the five rounds could be taken in any order. Here such a loop is
//! replaced, in the copy of the text that symmetry looks at, by the set of its rounds: one block
//! for each value, with the value in place of the variable.
//!
//! A loop is replaced if
//! - its variable starts as a constant, and its value alone decides whether there is another round
//!   ([`super::cycles`], [`super::unroll`]);
//! - control is kept throughout, and no round can block, but for sends and receives;
//! - rounds commute: what one writes, the others neither read nor write, but for writes of one
//!   constant, and sums, maxima, conjunctions and the like that all rounds add to, and variables
//!   that each sets for itself ([`super::scratch`]); and each sends to and receives from channels
//!   of its own, and looks at no other ([`super::rounds`]).
//!
//! A loop that does nothing but choose a value for its variable is replaced by one option for each.
//! It may be left where a test holds, if it can always go on instead: `do :: ready[t] -> break
//! :: t < N -> t++ :: t == N -> break od` chooses any that is ready, or none.
//!
//! **Sends** wait while a channel is full, and receives while it is empty. In a deterministic block
//! that is a fault, in whichever round it comes. In `atomic` others go on meanwhile, and see which
//! rounds have been taken: such a loop is replaced only if the caller answers for it that no
//! process is ever seen inside it ([`Sends::Assumed`], [`Replaced::waits`]).
//!
//! Worked example, for the loop above: it writes `free` with the constant 0 only and reads it
//! nowhere; it reads `st` at index `j`. The rounds commute. They become five blocks
//! `if :: st[0] == critical -> free = false :: else fi` and so on, and then `j = 5`.

mod rewriter;

use super::Sends;
use super::conditions::is_comparison;
use super::cycles::Cycle;
use super::neutral::writes;
use super::rounds::{Commuting, Rounds, Surroundings, commute};
use super::unroll::{Refusal, Unrolled, begins_at_channel, refuse};
use model::processes::expr::{Binary, Expr, ExprId, Owner, operands};
use model::processes::layout::{FieldId, KindId};
use model::processes::program::{Action, Location, LocationId, Model, ProctypeId, StepId, roots};
use rewriter::Rewriter;
use std::collections::{BTreeSet, HashSet};

/// What was replaced.
#[derive(Default, Debug)]
pub(super) struct Replaced {
    /// Steps whose actions may be taken in any order.
    pub unordered: HashSet<StepId>,
    /// By process type: the locations that are left, those added included.
    pub removed: Vec<HashSet<usize>>,
    /// Where a process would wait in a loop that was replaced.
    pub waits: Vec<(ProctypeId, LocationId)>,
    /// The steps of each choice that was made one assignment.
    pub branches: Vec<Vec<StepId>>,
    /// Loops over a variable that keep their order, and why.
    pub kept: Vec<Kept>,
    /// Loops whose rounds commute where a test holds in one of them only.
    pub exclusive: Vec<Exclusive>,
}

/// A loop whose rounds may be taken in any order as long as, in every state, a test holds in one of
/// them only.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exclusive {
    /// The step with the rounds.
    pub set: StepId,
    /// The tests, with the round that each is in.
    pub tests: Vec<(usize, ExprId)>,
}

impl Replaced {
    /// Nothing yet.
    pub fn new(text: &Model) -> Replaced {
        Replaced {
            removed: vec![HashSet::new(); text.proctypes.len()],
            ..Replaced::default()
        }
    }

    /// Takes away locations that were put in, if no way leads there any more from those that were
    /// there before.
    pub fn prune(&mut self, text: &Model, n_locations: &[usize]) {
        for (p, proctype) in text.proctypes.iter().enumerate() {
            let gone = &self.removed[p];
            let (mut reached, mut waiting) = (HashSet::new(), Vec::new());
            waiting.extend((0..n_locations[p]).filter(|at| !gone.contains(at)));
            while let Some(at) = waiting.pop() {
                if !reached.insert(at) {
                    continue;
                }
                for step in &proctype.locations[at].steps {
                    let step = text.step(*step);
                    waiting.push(step.target.index());
                    super::walk::blocks(&step.action, &mut |from, to| {
                        waiting.extend([from.index(), to.index()]);
                    });
                }
            }
            let added = n_locations[p]..proctype.locations.len();
            self.removed[p].extend(added.filter(|at| !reached.contains(at)));
        }
    }
}

/// A loop that could not be taken in any order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kept {
    /// Whose it is.
    pub proctype: ProctypeId,
    /// What it counts.
    pub variable: FieldId,
    /// Where it was seen that it depends on the order.
    pub step: StepId,
    /// Why it does.
    pub reason: String,
    /// Whether control is kept in it.
    pub is_kept: bool,
}

/// Replaces loops in a text.
pub(super) fn replace(
    text: &mut Model,
    surroundings: &Surroundings<'_>,
    sends: Sends,
    replaced: &mut Replaced,
) {
    replace_some(text, surroundings, Wanted::All(sends), replaced);
}

/// Replaces those loops of a text that only choose a value.
pub(super) fn replace_choices(
    text: &mut Model,
    surroundings: &Surroundings<'_>,
    replaced: &mut Replaced,
) {
    replace_some(text, surroundings, Wanted::Choices, replaced);
    replaced.kept.clear();
}

/// Which loops are replaced.
#[derive(Clone, Copy)]
enum Wanted {
    All(Sends),
    /// Those that only choose a value.
    Choices,
}

fn replace_some(
    text: &mut Model,
    surroundings: &Surroundings<'_>,
    wanted: Wanted,
    replaced: &mut Replaced,
) {
    for p in 0..text.proctypes.len() {
        // An inner loop goes first: while it is there, the round around it goes in circles.
        loop {
            let found = match next(text, ProctypeId::new(p), replaced, surroundings, wanted) {
                Ok(found) => found,
                Err(kept) => {
                    replaced.kept.extend(kept);
                    break;
                }
            };
            let here = found.region.iter().filter(|_| found.commuting.waits);
            let waits = here.map(|at| (ProctypeId::new(p), *at));
            replaced.waits.extend(waits);
            replaced.removed[p].extend(found.region.iter().map(|l| l.index()));
            let rewriter = Rewriter {
                text: &mut *text,
                proctype: ProctypeId::new(p),
                found: &found,
                unordered: &mut replaced.unordered,
                tests: Vec::new(),
            };
            replaced.exclusive.extend(rewriter.rewrite());
        }
    }
}

/// The next loop of a process type that can be replaced; if there is none, why.
fn next(
    text: &Model,
    p: ProctypeId,
    replaced: &Replaced,
    surroundings: &Surroundings<'_>,
    wanted: Wanted,
) -> Result<Found, Vec<Kept>> {
    let finder = Finder::new(text, p, replaced);
    let mut kept = Vec::new();
    for cycle in finder.cycles() {
        let mut refused: Option<(FieldId, Refusal)> = None;
        for variable in finder.counters(&cycle) {
            match finder.find(&cycle, variable, surroundings, wanted) {
                Ok(found) => return Ok(found),
                // What is over the variable says more than what is not.
                Err(refusal) if refused.is_none() || refusal.followed => {
                    refused = Some((variable, refusal));
                }
                Err(_) => {}
            }
        }
        kept.extend(refused.map(|(variable, refusal)| Kept {
            proctype: p,
            variable,
            step: refusal.step,
            reason: refusal.reason,
            is_kept: true,
        }));
    }
    kept.extend(finder.outside(&kept));
    Err(kept)
}

/// A loop that may be replaced.
struct Found {
    head: LocationId,
    variable: FieldId,
    unrolled: Unrolled,
    /// The other locations of the loop.
    region: Vec<LocationId>,
    /// The step that leaves the loop.
    leave: StepId,
    /// Whether a round may have to wait, and others see it; and the test of one round only.
    commuting: Commuting,
}

pub(super) struct Finder<'a> {
    pub text: &'a Model,
    pub proctype: ProctypeId,
    pub unordered: &'a HashSet<StepId>,
    /// Loops that rest on tests which hold in one round only.
    exclusive: &'a [Exclusive],
    /// The locations where nobody is any more.
    pub gone: &'a HashSet<usize>,
    /// By location: whether it is inside a deterministic block.
    blocks: Vec<bool>,
}

impl<'a> Finder<'a> {
    pub fn new(text: &'a Model, proctype: ProctypeId, replaced: &'a Replaced) -> Self {
        let locations = &text.proctype(proctype).locations;
        let mut blocks = vec![false; locations.len()];
        for step in locations.iter().flat_map(|l| &l.steps) {
            super::walk::blocks(&text.step(*step).action, &mut |from, to| {
                let mut waiting = vec![from];
                while let Some(at) = waiting.pop() {
                    if at != to && !std::mem::replace(&mut blocks[at.index()], true) {
                        let steps = locations[at.index()].steps.iter();
                        waiting.extend(steps.map(|s| text.step(*s).target));
                    }
                }
            });
        }
        Finder {
            text,
            proctype,
            unordered: &replaced.unordered,
            exclusive: &replaced.exclusive,
            gone: &replaced.removed[proctype.index()],
            blocks,
        }
    }

    pub fn locations(&self) -> &'a [Location] {
        &self.text.proctype(self.proctype).locations
    }

    /// Loops in which others can come between: a variable of the process is compared with a
    /// constant, and somewhere counted by one.
    fn outside(&self, known: &[Kept]) -> Vec<Kept> {
        let mut all: Vec<Kept> = Vec::new();
        let locations = self.locations().iter().enumerate();
        for (_, location) in locations.filter(|(l, _)| !self.gone.contains(l)) {
            for step in &location.steps {
                let Action::Test(e) = self.text.step(*step).action else {
                    continue;
                };
                let Expr::Binary(op, a, b) = self.text.expr(e) else {
                    continue;
                };
                let (mut fields, bounds) = (BTreeSet::new(), [*a, *b].map(|e| self.constant(e)));
                self.scalars(e, &mut fields);
                let counted = fields.into_iter().find(|field| self.is_counted(*field));
                let Some(variable) = counted.filter(|_| bounds.iter().any(Option::is_some)) else {
                    continue;
                };
                let same = |kept: &Kept| kept.variable == variable;
                if is_comparison(*op) && !known.iter().chain(&all).any(same) {
                    all.push(Kept {
                        proctype: self.proctype,
                        variable,
                        step: *step,
                        reason: "it is not inside atomic or d_step".to_owned(),
                        is_kept: false,
                    });
                }
            }
        }
        all
    }

    /// Whether a step adds one to a variable of the process, or takes one away.
    fn is_counted(&self, variable: FieldId) -> bool {
        let counts = |action: &Action| match action {
            Action::Assign(place, e) if place.owner == Owner::Own && place.field == variable => {
                match self.text.expr(*e) {
                    Expr::Binary(Binary::Add | Binary::Subtract, a, b) => {
                        let one = [*a, *b].iter().any(|e| self.constant(*e) == Some(1));
                        let mut read = BTreeSet::new();
                        [*a, *b].iter().for_each(|e| self.scalars(*e, &mut read));
                        one && read.contains(&variable)
                    }
                    _ => false,
                }
            }
            _ => false,
        };
        let steps = self.locations().iter().flat_map(|l| &l.steps);
        let mut actions = steps.map(|step| &self.text.step(*step).action);
        actions.any(|action| match action {
            Action::All(all) => all.iter().any(counts),
            action => counts(action),
        })
    }

    /// The variables of the process that a loop both sets and tests.
    fn counters(&self, cycle: &Cycle) -> Vec<FieldId> {
        let inside = cycle.inside.iter();
        let steps = inside.flat_map(|at| &self.locations()[at.index()].steps);
        let actions: Vec<&Action> = steps.map(|step| &self.text.step(*step).action).collect();
        let mut tested = BTreeSet::new();
        for action in &actions {
            let guard = super::unroll::guard(action);
            guard.into_iter().for_each(|e| self.scalars(e, &mut tested));
        }
        let set = |field: &FieldId| actions.iter().any(|action| writes(action, *field));
        tested.into_iter().filter(set).collect()
    }

    /// Adds the variables of the process, other than arrays, that an expression reads.
    fn scalars(&self, e: ExprId, out: &mut BTreeSet<FieldId>) {
        if let Expr::Read(place) = self.text.expr(e)
            && place.owner == Owner::Own
            && place.indices.is_empty()
        {
            out.insert(place.field);
        }
        operands(self.text.expr(e), &mut |e| self.scalars(e, out));
    }

    /// The loop over a variable, if it can be replaced.
    fn find(
        &self,
        cycle: &Cycle,
        variable: FieldId,
        surroundings: &Surroundings<'_>,
        wanted: Wanted,
    ) -> Result<Found, Refusal> {
        let head = cycle.head;
        let start = self.locations()[head.index()].steps[0];
        let Some(first) = self.first(cycle, variable) else {
            return refuse(start, "what it starts with is no constant");
        };
        let followed = self.unroll(cycle, variable, first)?;
        let sends = match (wanted, &followed.unrolled) {
            (Wanted::All(sends), _) => sends,
            (Wanted::Choices, Unrolled::Choice(_)) => Sends::Wait,
            (Wanted::Choices, Unrolled::Rounds(..)) => {
                return refuse(start, "it does more than choose a value");
            }
        };
        let sending = match &followed.unrolled {
            Unrolled::Rounds(rounds, _) => {
                let subject = Rounds {
                    variable,
                    rounds,
                    cycle,
                    leave: followed.leave,
                    sends,
                };
                commute(self, &subject, surroundings)
            }
            Unrolled::Choice(_) => Ok(Commuting {
                waits: false,
                test: None,
            }),
        };
        let commuting = sending.and_then(|found| {
            let waits = self.waits(head, found.waits, sends)?;
            Ok(Commuting { waits, ..found })
        });
        let commuting = commuting.map_err(|refusal| Refusal {
            followed: true,
            ..refusal
        })?;
        let others = cycle.inside.iter().filter(|at| **at != head);
        Ok(Found {
            head,
            variable,
            unrolled: followed.unrolled,
            region: others.copied().collect(),
            leave: followed.leave,
            commuting,
        })
    }

    /// Whether a round of a loop may have to wait, which must be allowed, and not at its head.
    fn waits(&self, head: LocationId, sending: bool, sends: Sends) -> Result<bool, Refusal> {
        let steps = &self.locations()[head.index()].steps;
        let mut actions = steps.iter().map(|step| &self.text.step(*step).action);
        let waits = sending && !self.in_block(head);
        if waits && sends == Sends::Wait {
            let why = "it can have to wait for a channel, and others see how far it has come";
            return refuse(steps[0], why);
        }
        if waits && actions.any(begins_at_channel) {
            return refuse(steps[0], "it starts with a send or receive that can wait");
        }
        Ok(waits)
    }

    /// Whether control is kept after a step; inside a deterministic block it always is. Elsewhere
    /// a condition on the process can take it away, and so can somebody of higher priority.
    pub fn keeps(&self, at: LocationId, step: StepId) -> bool {
        let step = self.text.step(step);
        let kept = step.keeps_control && self.holds(at);
        step.rank == 0 && (kept || self.in_block(at))
    }

    /// Whether control that is kept at a location cannot be taken away.
    pub fn holds(&self, at: LocationId) -> bool {
        let provided = self.text.proctype(self.proctype).provided.is_some();
        let alone = !provided && !self.text.rules.priorities;
        alone || self.in_block(at)
    }

    pub fn in_block(&self, at: LocationId) -> bool {
        self.blocks[at.index()]
    }

    pub fn constant(&self, e: ExprId) -> Option<i32> {
        match self.text.expr(e) {
            Expr::Const(v) => Some(*v),
            Expr::Binary(op, a, b) => {
                model::processes::machine::binary(*op, self.constant(*a)?, self.constant(*b)?).ok()
            }
            _ => None,
        }
    }

    /// What the text calls a variable.
    pub fn variable_name(&self, kind: KindId, field: FieldId) -> String {
        let field = &self.text.layout.kind(kind).fields[field.index()];
        field.name.replace("[]", "")
    }

    /// Whether a step does nothing but read and write variables, after a send or receive at most.
    pub fn is_simple(&self, step: StepId) -> bool {
        fn simple(text: &Model, action: &Action) -> bool {
            let mut creates = false;
            roots(action, &mut |e| creates |= has_run(text, e));
            match action {
                Action::Skip | Action::Test(_) | Action::Else | Action::Assert(_) => !creates,
                Action::Assign(..) | Action::Drop(_) | Action::Print(_) => !creates,
                Action::All(all) => all.iter().all(|a| simple(text, a)),
                _ => false,
            }
        }
        let rest = |all: &[Action]| all.iter().all(|action| simple(self.text, action));
        match &self.text.step(step).action {
            _ if self.exclusive.iter().any(|one| one.set == step) => false,
            _ if self.unordered.contains(&step) => true,
            Action::Send(send) => !send.sorted,
            Action::Receive(_) => true,
            Action::All(all) => match all.first() {
                Some(Action::Receive(_)) => rest(&all[1..]),
                Some(Action::Send(send)) => !send.sorted && rest(&all[1..]),
                _ => rest(all),
            },
            action => simple(self.text, action),
        }
    }
}

fn has_run(text: &Model, e: ExprId) -> bool {
    // Whether somebody is enabled depends on all that rounds write.
    let mut found = matches!(text.expr(e), Expr::Run(..) | Expr::Enabled(_));
    operands(text.expr(e), &mut |e| found |= has_run(text, e));
    found
}
