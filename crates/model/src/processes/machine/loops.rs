//! Chains of steps that come back to where they were.
//!
//! **Problem.** Steps that keep control are followed without storing a state, so a loop inside
//! `atomic` can be followed for ever.
//!
//! **Idea.** What can follow a step that keeps control depends only on the state after it and on
//! who has control. Where both are the same as earlier on the same chain, everything that can
//! follow is tried from there already: the chain ends, and no state, fault or deadlock is missed.
//! Where it has to be looked is known before: on each round of a loop some process takes a step
//! that *closes* a loop of its own locations ([`closing`]). Models whose `atomic` blocks have no
//! loops pay nothing.
//!
//! **Worked example.** `atomic { do :: x = 1 - x :: break od }` from x = 0: the first option closes
//! the loop with x = 1, then with x = 0. The second time it leads to x = 1 again, which is on the
//! chain; there `break` was or will be tried. Moves: leave at once, with x = 1, with x = 0.
//!
//! **Blow-up.** Loops with many options have very many chains without repetition (all paths of a
//! cube, for bits that are flipped). From the first repetition on, states at which loops close are
//! therefore remembered for the rest of the expansion, on the chain or not, and entered once. The
//! set of moves is the same, only chains that lead to equal states are not all counted any more;
//! SPIN's verifiers give no count there either, but run into their limit of depth.
//!
//! **Source.** Depth-first search with a set of visited states, on the graph of one expansion.
//! **Cost.** One hash of the state a round; memory for the states remembered, at most
//! [`MEMORY_BYTES_MAX`].

use super::code::{ActCode, StepCode};
use super::frame::Frame;
use std::collections::{HashMap, HashSet};

/// How much may be remembered in one expansion.
const MEMORY_BYTES_MAX: usize = 64 << 20;

/// Whether a state at which a loop closes was met before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Met {
    New,
    Again,
    /// There is no memory left to tell.
    Full,
}

/// The states of an expansion at which loops close.
#[derive(Default)]
pub(super) struct Rounds {
    /// On the chain: hash, depth, process in control.
    chain: Vec<(u64, usize, usize)>,
    by_hash: HashMap<u64, usize>,
    /// All that were met since the first repetition.
    met: Option<HashSet<(usize, Box<[u8]>)>>,
    n_bytes: usize,
}

impl Rounds {
    /// What the states that were remembered take.
    pub fn bytes(&self) -> usize {
        self.n_bytes
    }

    /// Whether all states at which loops close are remembered.
    pub fn remembers(&self) -> bool {
        self.met.is_some()
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        if self.chain.is_empty() && self.met.is_none() {
            return;
        }
        self.chain.clear();
        self.by_hash.clear();
        self.met = None;
        self.n_bytes = 0;
    }

    /// Notes that the chain comes to the state in frame `depth` with `pid` in control. If it was
    /// not met before it is on the chain until [`Self::leave`].
    pub fn enter(&mut self, frames: &[Frame], depth: usize, pid: usize) -> Met {
        let bytes = &frames[depth].bytes;
        let hash = hash(bytes, pid);
        let earlier = self.by_hash.get(&hash).map(|at| self.chain[*at]);
        let repeated = earlier.is_some_and(|(_, d, p)| p == pid && frames[d].bytes == *bytes);
        if repeated {
            self.remember();
            return Met::Again;
        }
        if let Some(met) = &mut self.met {
            let size = bytes.len() + 64;
            if self.n_bytes + size > MEMORY_BYTES_MAX {
                return Met::Full;
            }
            if !met.insert((pid, bytes.as_slice().into())) {
                return Met::Again;
            }
            self.n_bytes += size;
        }
        // Of two different states with one hash the later is found: the other waits a round.
        self.by_hash.insert(hash, self.chain.len());
        self.chain.push((hash, depth, pid));
        Met::New
    }

    /// From now on all states are remembered.
    pub fn remember(&mut self) {
        self.met.get_or_insert_with(HashSet::new);
    }

    /// Takes the last state off the chain.
    pub fn leave(&mut self) {
        if let Some((hash, ..)) = self.chain.pop()
            && self.by_hash.get(&hash) == Some(&self.chain.len())
        {
            self.by_hash.remove(&hash);
        }
    }
}

fn hash(bytes: &[u8], pid: usize) -> u64 {
    let mix = |h: u64, word: u64| (h.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut words = bytes.chunks_exact(8);
    let mut h = mix(bytes.len() as u64, pid as u64);
    for word in &mut words {
        h = mix(h, u64::from_le_bytes(word.try_into().expect("eight bytes")));
    }
    for byte in words.remainder() {
        h = mix(h, u64::from(*byte));
    }
    h
}

/// Marks steps so that every loop of steps that may follow one another in a chain has one.
///
/// These are steps that keep control, and sends: a sender comes into a chain again when another
/// process hands control back to it. `locations` are the steps from each location.
pub(super) fn closing(steps: &mut [StepCode], locations: &[&[u32]]) {
    const NEW: u8 = 0;
    const OPEN: u8 = 1;
    const DONE: u8 = 2;
    let mut colour = vec![NEW; locations.len()];
    for root in 0..locations.len() {
        if colour[root] != NEW {
            continue;
        }
        colour[root] = OPEN;
        let mut stack = vec![(root, 0)];
        while let Some((at, next)) = stack.pop() {
            let Some(s) = locations[at].get(next) else {
                colour[at] = DONE;
                continue;
            };
            stack.push((at, next + 1));
            let step = &mut steps[*s as usize];
            if !step.keeps_control && !sends(&step.act) {
                continue;
            }
            let target = step.target as usize;
            match colour[target] {
                NEW => {
                    colour[target] = OPEN;
                    stack.push((target, 0));
                }
                OPEN => step.closes = true,
                _ => {}
            }
        }
    }
}

fn sends(act: &ActCode) -> bool {
    match act {
        ActCode::All(all) => sends(&all[0]),
        act => matches!(act, ActCode::Send(_)),
    }
}
