//! Moves of a path that are given by number, not by where they lead.
//!
//! From a state two processes may have moves into the same state, as where each can look at
//! something and stay. Who goes round for ever must say which of them it was: a loop in which only
//! one of them moves may be unfair to the other.
//!
//! Worked example: the path is in `r`, the run in `h·r`, where `h` exchanges processes 1 and 2. The
//! path takes move number 3 from `r`, by process 1, into `s`; so the run takes a move by process 2
//! into `h·s`.

use super::{Chosen, Replay, Run};
use crate::store::NodeId;
use crate::temporal::{Carry, actors};
use reduce::reducer::Symmetry;
use std::ops::ControlFlow;
use system::Taken;

impl Run {
    /// How many steps it has.
    pub(crate) fn n_steps(&self) -> usize {
        self.witness.steps.len()
    }

    /// Where it is.
    pub(crate) fn state(&self) -> &[u8] {
        &self.state
    }
}

impl Replay<'_> {
    /// Whether the run is in what its symmetry makes of a representative.
    pub(crate) fn is_image(&mut self, run: &Run, node: NodeId) -> bool {
        let (mut state, mut image) = (Vec::new(), Vec::new());
        self.store.load(node, &mut state);
        self.reducer.apply(&run.lift, &state, &mut image);
        image == run.state
    }

    /// Takes what `run` makes of the move with that number from a representative, by whoever
    /// `carry` makes of those who take it there: gives the state before it and the steps taken.
    /// What the search stored is kept beside it.
    pub(crate) fn by_number(
        &mut self,
        run: &mut Run,
        (node, index): (NodeId, u32),
        carry: Option<Carry<'_>>,
    ) -> Option<(Vec<u8>, Vec<Taken>)> {
        self.keep_stored(run, node);
        let mut from = Vec::new();
        self.store.load(node, &mut from);
        let (target, by, steps) = self.numbered(&from, index)?;
        let mut wanted = Vec::new();
        self.reducer.apply(&run.lift, &target, &mut wanted);
        let who = carry.map(|carry| {
            let who = actors(self.system, &from, &steps);
            who.iter().map(|actor| carry(&run.lift, *actor)).collect()
        });
        run.lift = run.lift.after_undoing(&by);
        let before = run.state.clone();
        let chosen = self.led_by(&before, &wanted, who)?;
        let steps = chosen.steps.clone();
        self.take(run, chosen)?;
        Some((before, steps))
    }

    /// Where the move with that number leads, the symmetry that represents it, and its steps.
    fn numbered(&mut self, state: &[u8], index: u32) -> Option<(Vec<u8>, Symmetry, Vec<Taken>)> {
        let (mut n, mut found) = (0, None);
        let reducer = &mut *self.reducer;
        self.system.successors(state, &mut self.scratch, &mut |mv| {
            let Some(after) = mv.state else {
                return ControlFlow::Continue(());
            };
            if n < index {
                n += 1;
                return ControlFlow::Continue(());
            }
            let mut represented = after.to_vec();
            reducer.reduce(&mut represented);
            let by = reducer.symmetry();
            found = by.map(|by| (after.to_vec(), by, mv.steps.to_vec()));
            ControlFlow::Break(())
        });
        found
    }

    /// The first move from `state` into `wanted`, by those processes if it matters.
    fn led_by(&mut self, state: &[u8], wanted: &[u8], who: Option<Vec<u32>>) -> Option<Chosen> {
        let (system, mut chosen) = (self.system, None);
        system.successors(state, &mut self.scratch, &mut |mv| {
            let fits = |who: &Vec<u32>| *who == actors(system, state, mv.steps);
            if mv.state != Some(wanted) || !who.as_ref().is_none_or(fits) {
                return ControlFlow::Continue(());
            }
            chosen = Some(Chosen {
                steps: mv.steps.to_vec(),
                state: mv.state.map(<[u8]>::to_vec),
            });
            ControlFlow::Break(())
        });
        chosen
    }
}
