//! Whether symmetries that do not keep the start are worth their cost.
//!
//! Where the start tells processes apart and nothing that is done later makes up for it, a larger
//! group leads no two states that can be reached to one representative, and every image is work
//! for nothing. That cannot be read off the text, so some states are looked at: level by level from
//! the start, under the smaller group, until two of them have one representative under the larger.
//!
//! Worked example: `turn` starts as 0, and two users take turns. After the first steps there are a
//! state with user 0 ahead and one with user 1 ahead, which an exchange carries to each other: the
//! exchange is worth it. If user 0 reads a local number 7 and user 1 an 8, for ever, no exchange
//! carries a state that can be reached to another.
//!
//! Either answer is sound. How much is looked at is counted in states and moves, not in time, so
//! that the answer is the same each time.

use crate::processes::certify::CertifiedProcesses;
use crate::reducer::Reducer;
use model::Machine;
use std::collections::{HashSet, VecDeque};
use std::ops::ControlFlow;
use system::System;

/// How many states are looked at.
const N_STATES_MAX: usize = 1_000;
/// How many moves.
const N_MOVES_MAX: usize = 20_000;
/// How often a system may say that a move takes long.
const N_PULSES_MAX: usize = 1_000;

/// Whether `larger` leads states to one representative that `smaller` keeps apart; also if that
/// does not show within the limits of a look because moves take long.
pub(crate) fn is_worth_it(
    machine: &Machine,
    larger: &CertifiedProcesses,
    smaller: &CertifiedProcesses,
) -> bool {
    let [larger, smaller] = [larger, smaller].map(|group| crate::exact(&group.certified()));
    let mut look = Look {
        larger,
        smaller,
        seen: HashSet::new(),
        known: HashSet::new(),
        queue: VecDeque::new(),
    };
    let mut scratch = machine.scratch();
    let mut is_merged = false;
    machine.initial(&mut scratch, &mut |initial| {
        if let Ok(state) = initial {
            is_merged |= look.meet(state);
        }
    });
    let (mut n_moves, mut n_pulses) = (0, 0);
    while let Some(state) = look.queue.pop_front() {
        let mut pulse = |_: u64| {
            n_pulses += 1;
            if n_pulses > N_PULSES_MAX {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        machine.successors_while(&state, &mut scratch, &mut pulse, &mut |step| {
            n_moves += 1;
            is_merged |= step.state.is_some_and(|state| look.meet(state));
            if is_merged {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        if is_merged || n_pulses > N_PULSES_MAX {
            return true;
        }
        if look.known.len() > N_STATES_MAX || n_moves > N_MOVES_MAX {
            return false;
        }
    }
    is_merged
}

struct Look {
    larger: Box<dyn Reducer>,
    smaller: Box<dyn Reducer>,
    /// Representatives under the larger group.
    seen: HashSet<Vec<u8>>,
    /// Representatives under the smaller.
    known: HashSet<Vec<u8>>,
    queue: VecDeque<Vec<u8>>,
}

impl Look {
    /// Notes a state; whether it is another one to the smaller group and none to the larger, or
    /// the groups do not fit it.
    fn meet(&mut self, state: &[u8]) -> bool {
        let mut own = state.to_vec();
        self.smaller.reduce(&mut own);
        if self.known.contains(&own) {
            return false;
        }
        let mut image = state.to_vec();
        self.larger.reduce(&mut image);
        self.queue.push_back(own.clone());
        self.known.insert(own);
        !self.seen.insert(image)
            || self.larger.given_up().is_some()
            || self.smaller.given_up().is_some()
    }
}
