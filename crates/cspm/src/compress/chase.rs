//! `chase`: of a state with τ, one τ is followed and all else is left out, until there is no τ.
//!
//! Which τ is FDR's own affair, so an answer must not depend on it. [`settle`] finds the states in
//! which it matters; if there are none, following the first τ gives what every choice gives.
//! Otherwise the process can be read in three ways:
//!
//! - [`Chase::every`]: all τ are kept, and nothing else of states with τ. Whatever the choice, the
//!   chased process refines this.
//! - [`Chase::nothing`]: a state in which the choice matters does nothing but diverge. This refines
//!   the chased process in traces and in stable failures, whatever the choice.
//! - [`Chase::chosen`]: one τ for each state, as somebody else chooses.
//!
//! The choice does not matter in a state if all its τ lead to processes that are strongly bisimilar
//! once they are chased themselves. Where τ is followed first, `end(s)` is the state in which that
//! ends: one without τ, or one in which the choice matters. States `s` and `t` are compared by the
//! classes of `end(s)` and `end(t)` under strong bisimulation of the system that has steps
//! `s --a--> end(t)` for `s --a--> t`, where states in which the choice matters are equal to
//! themselves only. There may be more of these then, so it is done again until nothing changes.
//!
//! ```text
//! 0: τ 1, τ 2   1: a 3   2: a 4   3:   4:     1 and 2 are bisimilar: chased it is  0: a 1   1:
//! 0: τ 1, τ 2   1: a 3   2: b 3   3:          it matters in 0
//! ```
//!
//! A state from which τ can go on for ever has no end; [`settle`] says which there is.

use super::tau::diverging;
use super::{Compressed, partition};
use crate::leaf::Lts;
use crate::operate::TermLabel;
use base::{Allowance, Spent};

/// A system to be chased, and where the choice of τ matters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chase<'a> {
    lts: &'a Lts,
    matters: Vec<bool>,
}

/// What [`settle`] finds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ChaseResult<'a> {
    /// The chased system, whatever the choice.
    Same(Compressed),
    /// The choice matters in this state, and perhaps in others.
    Matters(u32, Chase<'a>),
    /// From this state τ can go on for ever.
    Endless(u32, Chase<'a>),
}

/// Finds out whether it matters which τ is followed.
pub fn settle<'a>(lts: &'a Lts, allowance: &mut Allowance<'_>) -> Result<ChaseResult<'a>, Spent> {
    let mut chase = Chase {
        lts,
        matters: vec![false; lts.n_states()],
    };
    let every = chase.every();
    let endless = diverging(&every.lts);
    for (state, &is_endless) in every.lts.states().zip(&endless) {
        chase.matters[every.origin[state as usize] as usize] = is_endless;
    }
    let first_endless = chase.first(&every);
    while chase.grow(&every, allowance)? {}
    Ok(match (first_endless, chase.first(&every)) {
        (Some(state), _) => ChaseResult::Endless(state, chase),
        (None, Some(state)) => ChaseResult::Matters(state, chase),
        (None, None) => ChaseResult::Same(chase.chosen(&mut |_| 0)),
    })
}

impl Chase<'_> {
    /// All τ of states that have some, all steps of the others.
    pub fn every(&self) -> Compressed {
        self.made(|state| {
            if self.lts.is_unstable(state) {
                self.lts.taus(state).map(|t| (TermLabel::Tau, t)).collect()
            } else {
                self.lts.steps(state).to_vec()
            }
        })
    }

    /// States in which the choice matters diverge, and do nothing else.
    pub fn nothing(&self) -> Compressed {
        let ends = self.ends();
        self.made_from(ends[0], |state| {
            if self.matters[state as usize] {
                vec![(TermLabel::Tau, state)]
            } else {
                self.to_ends(state, &ends)
            }
        })
    }

    /// One τ of each state in which it matters, the number of which `choose` says: it gets how many
    /// there are. It is asked once for each such state that is reached.
    pub fn chosen(&self, choose: &mut dyn FnMut(usize) -> usize) -> Compressed {
        let mut ends: Vec<Option<u32>> = vec![None; self.lts.n_states()];
        let first = self.follow(0, choose, &mut ends);
        let mut order = vec![first];
        let mut is_seen = vec![false; self.lts.n_states()];
        is_seen[first as usize] = true;
        let mut states = vec![Vec::new(); self.lts.n_states()];
        let mut at = 0;
        while let Some(&state) = order.get(at) {
            at += 1;
            for &(label, next) in self.lts.steps(state) {
                let end = match label {
                    TermLabel::Tick => next,
                    _ => self.follow(next, choose, &mut ends),
                };
                states[state as usize].push((label, end));
                if !std::mem::replace(&mut is_seen[end as usize], true) {
                    order.push(end);
                }
            }
        }
        self.made_from(first, |state| std::mem::take(&mut states[state as usize]))
    }

    /// Follows τ from a state to one without.
    ///
    /// # Requires
    /// τ ends.
    fn follow(
        &self,
        start: u32,
        choose: &mut dyn FnMut(usize) -> usize,
        ends: &mut [Option<u32>],
    ) -> u32 {
        let mut path = Vec::new();
        let mut state = start;
        let end = loop {
            if let Some(end) = ends[state as usize] {
                break end;
            }
            let taus: Vec<u32> = self.lts.taus(state).collect();
            path.push(state);
            let number = if self.matters[state as usize] {
                choose(taus.len())
            } else {
                0
            };
            match taus.get(number) {
                Some(&next) => state = next,
                None => break state,
            }
        };
        for state in path {
            ends[state as usize] = Some(end);
        }
        end
    }

    /// Where following the first τ ends: without τ, or where the choice matters.
    fn ends(&self) -> Vec<u32> {
        let mut ends: Vec<Option<u32>> = vec![None; self.lts.n_states()];
        for state in self.lts.states() {
            let (mut at, mut path) = (state, Vec::new());
            let end = loop {
                if let Some(end) = ends[at as usize] {
                    break end;
                }
                path.push(at);
                let next = self.lts.taus(at).next();
                match next.filter(|_| !self.matters[at as usize] && path.len() <= ends.len()) {
                    Some(next) => at = next,
                    None => break at,
                }
            };
            for state in path {
                ends[state as usize] = Some(end);
            }
        }
        let end = |end: Option<u32>| end.expect("every state was followed");
        ends.into_iter().map(end).collect()
    }

    fn to_ends(&self, state: u32, ends: &[u32]) -> Vec<(TermLabel, u32)> {
        let steps = self.lts.steps(state).iter();
        steps.map(|&(l, next)| (l, ends[next as usize])).collect()
    }

    /// Adds states in which the choice matters, as far as is known; whether there were some.
    fn grow(&mut self, every: &Compressed, allowance: &mut Allowance<'_>) -> Result<bool, Spent> {
        let ends = self.ends();
        let mut n_classes = 0;
        let initial = self.matters.iter().map(|&matters| {
            n_classes += u32::from(matters);
            if matters { n_classes } else { 0 }
        });
        let initial: Vec<u32> = initial.collect();
        let steps = |state: u32| {
            if self.matters[state as usize] || self.lts.is_unstable(state) {
                Vec::new()
            } else {
                self.to_ends(state, &ends)
            }
        };
        let compared = Lts::new(self.lts.states().map(steps).collect());
        let classes = partition::refine(&compared, initial, allowance)?;
        let class = |state: u32| classes[ends[state as usize] as usize];
        let mut has_grown = false;
        for &state in &every.origin {
            allowance.tick()?;
            let mut taus = self.lts.taus(state);
            let Some(first) = taus.next() else { continue };
            if !self.matters[state as usize] && taus.any(|t| class(t) != class(first)) {
                self.matters[state as usize] = true;
                has_grown = true;
            }
        }
        Ok(has_grown)
    }

    fn first(&self, every: &Compressed) -> Option<u32> {
        let mut states = every.origin.iter();
        states.find(|&&s| self.matters[s as usize]).copied()
    }

    fn made(&self, steps: impl FnMut(u32) -> Vec<(TermLabel, u32)>) -> Compressed {
        self.made_from(0, steps)
    }

    /// The system with these steps that starts in `first`.
    fn made_from(
        &self,
        first: u32,
        mut steps: impl FnMut(u32) -> Vec<(TermLabel, u32)>,
    ) -> Compressed {
        let renamed = |state: u32| match state {
            0 => first,
            state if state == first => 0,
            state => state,
        };
        let moved = |state: u32| -> Vec<(TermLabel, u32)> {
            let steps = steps(renamed(state)).into_iter();
            steps.map(|(l, next)| (l, renamed(next))).collect()
        };
        let states = Lts::new(self.lts.states().map(moved).collect());
        let origin: Vec<u32> = self.lts.states().map(renamed).collect();
        Compressed::reachable(&states, &origin)
    }
}
