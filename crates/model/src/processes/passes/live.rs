//! Which variables of a process can still matter at each of its locations.
//!
//! **Problem.** Two states that differ only in a value nobody will read again are two states for a
//! search. If every such value were always the same, they would be one.
//!
//! **Idea.** A variable is *live* at a location if on some way from there it is read before it is
//! written as a whole; else it is *dead* there. Sets of live variables flow backwards over steps
//! until nothing changes. Two strengths:
//! - [`Strength::Written`]: every read counts. This is what SPIN asks.
//! - [`Strength::Needed`]: a read counts only if what is done with it counts. An assignment to a
//!   variable that is dead after it reads nothing, unless it could go wrong.
//!
//! **Worked example.** Steps from 0 to 3: `x = 1`, `y = x`, `assert(x > 0)`, then the end.
//!
//! ```text
//! location   0      1      2      3
//! live       -      x      x      -        y is never live; x is not live at 0
//! ```
//!
//! With `Written` and without the assertion, x is live at 1; with `Needed` it is not, for y is dead
//! at 2.
//!
//! Variables that others can read at any time are live everywhere: those in remote references, in
//! the condition under which the process takes steps, its priority, and what properties read.
//!
//! **Source.** Aho, Sethi and Ullman 1986, section 10.6 (live variables); Giegerich, Möncke and
//! Wilhelm 1981 (the strong form). **Cost.** Steps times variables times rounds; rounds are at most
//! the depth of nested loops plus two in the order used here.

use super::uses::{Var, globals, places_read, pure_assignment, var};
use crate::processes::expr::{ExprId, Owner, Pattern, Place, place_operands, receive_operands};
use crate::processes::layout::{FieldId, KindId};
use crate::processes::program::{Action, LocationId, Model, Proctype, roots};

/// Which reads count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strength {
    /// All.
    Written,
    /// Those whose result can matter.
    Needed,
}

/// The live variables at each location of a process type.
pub struct Live {
    sets: Vec<Vec<bool>>,
}

/// What the flow needs to know.
pub struct Flow<'a> {
    pub model: &'a Model,
    pub proctype: &'a Proctype,
    pub strength: Strength,
    /// The fields that are live everywhere.
    pub always: Vec<bool>,
    /// The globals whose value can matter.
    pub globals_needed: &'a [bool],
}

impl Live {
    /// Whether a field is live at a location.
    pub fn is(&self, at: LocationId, field: FieldId) -> bool {
        self.sets[at.index()][field.index()]
    }
}

impl Flow<'_> {
    /// The least solution.
    pub fn solve(&self) -> Live {
        let n = self.proctype.locations.len();
        let mut sets = vec![self.always.clone(); n];
        let mut changed = true;
        while changed {
            changed = false;
            for l in (0..n).rev() {
                for s in &self.proctype.locations[l].steps {
                    changed |= self.flow(l, self.model.step(*s), &mut sets);
                }
            }
        }
        Live { sets }
    }

    /// Lets what is live after a step flow to the location before it.
    fn flow(
        &self,
        from: usize,
        step: &crate::processes::program::Step,
        sets: &mut [Vec<bool>],
    ) -> bool {
        // SPIN looks beyond `false` as beyond other conditions.
        let never = super::uses::never(self.model, &step.action);
        if never && self.strength == Strength::Needed {
            return false;
        }
        let mut live = sets[step.target.index()].clone();
        let mut changed = false;
        match &step.action {
            Action::Deterministic(entry, exit) => {
                changed |= join(&mut sets[exit.index()], &live);
                live = sets[entry.index()].clone();
            }
            Action::All(all) => changed |= self.blocks(all, &mut live, sets),
            _ => {}
        }
        self.before(&step.action, &mut live);
        changed | join(&mut sets[from], &live)
    }

    /// Blocks that may be taken in any order: what is live before one is live after each.
    fn blocks(&self, all: &[Action], live: &mut [bool], sets: &mut [Vec<bool>]) -> bool {
        let mut changed = false;
        for action in all {
            if let Action::Deterministic(entry, _) = action {
                join(live, &sets[entry.index()].clone());
            }
        }
        for action in all {
            if let Action::Deterministic(_, exit) = action {
                changed |= join(&mut sets[exit.index()], live);
            }
        }
        changed
    }

    /// Turns what is live after an action into what is live before it.
    fn before(&self, action: &Action, live: &mut [bool]) {
        match action {
            Action::Assign(place, e) => {
                let needed = self.counts(place, *e, live);
                self.kill(place, live);
                if needed {
                    place_operands(place, &mut |o| self.read(o, live));
                    self.read(*e, live);
                }
            }
            Action::Receive(receive) => {
                for pattern in &receive.fields {
                    if let Pattern::Store(place) = pattern {
                        self.kill(place, live);
                    }
                }
                receive_operands(receive, &mut |o| self.read(o, live));
            }
            Action::All(all) => all.iter().rev().for_each(|a| self.before(a, live)),
            Action::End => live.copy_from_slice(&self.always),
            _ => roots(action, &mut |e| self.read(e, live)),
        }
        for (l, always) in live.iter_mut().zip(&self.always) {
            *l |= always;
        }
    }

    /// Whether an assignment needs what it reads.
    fn counts(&self, place: &Place, e: ExprId, live: &[bool]) -> bool {
        let target = var(self.model, self.proctype.kind, place);
        let matters = match place.owner {
            Owner::Own => live[target.field.index()],
            Owner::Globals => self.globals_needed[target.field.index()],
            Owner::Other(..) => true,
        };
        self.strength == Strength::Written
            || matters
            || !pure_assignment(self.model, self.proctype.kind, place, e)
    }

    /// What a write to the whole of a variable does.
    fn kill(&self, place: &Place, live: &mut [bool]) {
        if whole(place) {
            live[place.field.index()] = false;
        }
    }

    fn read(&self, e: ExprId, live: &mut [bool]) {
        places_read(self.model, e, &mut |place| {
            if place.owner == Owner::Own {
                live[place.field.index()] = true;
            }
        });
    }
}

/// Whether a write to a place overwrites a variable of the process itself, all of it.
pub(super) fn whole(place: &Place) -> bool {
    place.owner == Owner::Own && place.indices.is_empty()
}

/// The fields of a process type that are read at times of which its own steps know nothing: by
/// other processes, by properties, by the rules of scheduling.
pub fn always(model: &Model, proctype: &Proctype, watched: &[ExprId]) -> Vec<bool> {
    let kind = proctype.kind;
    let mut is = vec![false; model.layout.kind(kind).fields.len()];
    let mut mark = |from: KindId, e: ExprId, all: bool| {
        places_read(model, e, &mut |place| {
            let Var { kind: of, field } = var(model, from, place);
            if of == kind && (all || matches!(place.owner, Owner::Other(..))) {
                is[field.index()] = true;
            }
        });
    };
    super::uses::all_roots(model, &mut |from, e| mark(from, e, false));
    proctype.provided.iter().for_each(|e| mark(kind, *e, true));
    watched.iter().for_each(|e| mark(globals(), *e, true));
    if let Some((field, _)) = proctype.priority {
        is[field.index()] = true;
    }
    is
}

fn join(into: &mut [bool], from: &[bool]) -> bool {
    let mut changed = false;
    for (a, b) in into.iter_mut().zip(from) {
        changed |= *b && !*a;
        *a |= b;
    }
    changed
}
