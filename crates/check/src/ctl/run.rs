//! From a run through the graph to a run of the system, taken step by step and looked at again.
//!
//! The run is lifted as every run is ([`crate::witness`]): it goes beside the representatives,
//! always in what a known symmetry makes of them, and a cycle of representatives is gone round
//! until it closes. Then, without the graph: what is true along it is evaluated on its own states
//! where it is about single states.
//!
//! Worked example: two processes of which one is at work, in turns; the quotient has a state that
//! leads to itself, with the exchange as symmetry. `EG somebody works` is shown by a loop of two
//! moves: first the one works, then the other.

use super::explain::{Claim, Story};
use crate::Violation;
use crate::gap::Gap;
use crate::outcome::StopReason;
use crate::store::NodeId;
use crate::temporal::past;
use crate::temporal::space::Space;
use crate::witness::{Broken, Replay, Witness};
use std::ops::ControlFlow;
use system::branching::{Formula, Quantifier};
use system::{Fault, FaultKind, System};

/// The most moves that a run may have.
const MOVES_MAX: usize = 1_000_000;

/// A run that was taken.
pub struct Taken {
    /// The run.
    pub witness: Witness,
    /// The last state.
    pub end: Vec<u8>,
}

/// A place of a story with the number of the move from it; none where nothing moves.
type Moves = Vec<(NodeId, Option<u32>)>;

/// The moves between the states of a story, and those that close its loop.
pub fn moves(space: &mut Space<'_>, story: &Story<'_>) -> Result<(Moves, Moves), StopReason> {
    let closing = story.loop_from.map(|from| story.nodes[from]);
    let targets = story.nodes[1..].iter().copied().chain(closing);
    let mut all = Vec::new();
    for (node, target) in story.nodes.iter().zip(targets) {
        let (node, target) = (NodeId::new(*node as usize), NodeId::new(target as usize));
        let ways = space.ways(node)?;
        let way = ways.iter().find(|way| way.target == target);
        let index = match way {
            Some(way) => Some(way.index),
            None if ways.is_empty() && node == target => None,
            // No move has that number, and the replay says so.
            None => Some(u32::MAX),
        };
        all.push((node, index));
    }
    let round = all.split_off(story.loop_from.unwrap_or(all.len()));
    Ok((all, round))
}

/// The run of a story, replayed; what it claims is looked at again where it can be.
pub fn replay(
    space: &mut Space<'_>,
    story: &Story<'_>,
    (stem, round): &(Moves, Moves),
) -> Result<Taken, Broken> {
    let system = space.system;
    let broken = |n_moves, missing| Broken {
        violation: Violation::Fault(Fault {
            kind: FaultKind::Claim,
            site: system::SiteId::new(0),
        }),
        n_moves,
        missing,
    };
    let mut replay = Replay::new(system, space.reducer, &mut space.store);
    let first = NodeId::new(story.nodes[0] as usize);
    let run = replay.begin(first);
    let mut run = run.ok_or(broken(0, Gap::Initial))?;
    let mut states: Vec<Vec<u8>> = Vec::new();
    let mut go = |run: &mut _, states: &mut Vec<Vec<u8>>, (node, index): (NodeId, Option<u32>)| {
        let n_moves = states.len();
        let Some(index) = index else {
            let here = crate::witness::Run::state(run).to_vec();
            let stays = rests(system, &here);
            states.push(here);
            return stays.then_some(()).ok_or(broken(n_moves, Gap::Rest));
        };
        let taken = replay.by_number(run, (node, index), None);
        let (before, _) = taken.ok_or(broken(n_moves, Gap::Image))?;
        states.push(before);
        Ok(())
    };
    for &at in stem {
        go(&mut run, &mut states, at)?;
    }
    let loop_from = run.n_steps();
    if story.loop_from.is_some() {
        let begin = run.state().to_vec();
        loop {
            for &at in round {
                go(&mut run, &mut states, at)?;
            }
            if run.state() == begin {
                break;
            }
            if states.len() > MOVES_MAX {
                return Err(broken(states.len(), Gap::LoopEnd));
            }
        }
    }
    states.push(run.state().to_vec());
    for claim in &story.claims {
        if !is_so(system, claim, &states, story) {
            return Err(broken(states.len(), Gap::Claim));
        }
    }
    let end = run.state().to_vec();
    let witness = replay.over(run);
    let witness = match story.loop_from {
        Some(_) => witness.looping(loop_from),
        None => witness,
    };
    Ok(Taken { witness, end })
}

/// Whether nothing moves in a state.
fn rests(system: &dyn System, state: &[u8]) -> bool {
    let (mut scratch, mut moves) = (system.scratch(), false);
    system.successors(state, &mut scratch, &mut |mv| {
        moves |= mv.state.is_some();
        ControlFlow::Continue(())
    });
    !moves
}

/// Whether a claim about single states is true of a run; what is about more is not looked at. The
/// loop of a run may be longer than that of its story: what is true in all of the one is true in
/// all of the other.
fn is_so(system: &dyn System, claim: &Claim<'_>, states: &[Vec<u8>], story: &Story<'_>) -> bool {
    let goes_round = story.loop_from.is_some() && claim.places.end == story.nodes.len();
    if let (Formula::Runs(quantifier, linear, atoms), true) = (claim.formula, claim.is_of_run)
        && atoms.iter().all(Formula::is_propositional)
    {
        let is_wanted = (*quantifier == Quantifier::Some) == claim.value;
        let letters = letters(system, atoms, &states[claim.places.start..states.len() - 1]);
        let loop_from = story.loop_from.unwrap_or_default() - claim.places.start;
        let holds = |letters: Vec<Vec<bool>>| past::holds(linear, &letters, loop_from);
        return is_wanted && letters.map(holds) == Some(claim.value);
    }
    if !claim.formula.is_propositional() {
        return true;
    }
    let end = if goes_round {
        states.len()
    } else {
        claim.places.end
    };
    let mut scratch = system.scratch();
    states[claim.places.start..end].iter().all(|state| {
        let mut atoms = Vec::new();
        let known = system.atoms(state, &mut scratch, &mut atoms).is_ok();
        known && claim.formula.value(&atoms) == Some(claim.value)
    })
}

/// By state: which of these formulas about single states are true; `None` if one has no value.
fn letters(system: &dyn System, atoms: &[Formula], states: &[Vec<u8>]) -> Option<Vec<Vec<bool>>> {
    let mut scratch = system.scratch();
    let letter = |state: &Vec<u8>| {
        let mut own = Vec::new();
        system.atoms(state, &mut scratch, &mut own).ok()?;
        atoms.iter().map(|atom| atom.value(&own)).collect()
    };
    states.iter().map(letter).collect()
}
