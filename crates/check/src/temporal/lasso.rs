//! From a cycle of representatives to a run of the system that goes round for ever.
//!
//! The search leaves a path of representatives to a place of a component, and a closed walk from
//! that place, both as moves by number. The run goes beside them, as in [`crate::witness`]: always
//! in what a known symmetry makes of the representative. After one turn of the walk the
//! representative is the same, but the run may be in another state of the orbit: if it was in
//! `h·r` it is now in `h·γ·r`, for one γ that depends on the walk alone. So it goes round until it
//! is where it was, after as many turns as the least power of γ that fixes `r`.
//!
//! Worked example: two processes take turns, and the quotient has one state and one way, with the
//! exchange as symmetry. The run goes from "1 is next" to "2 is next", and after a second turn it
//! is where it began.
//!
//! A [`Lasso`] is made only by taking the run on the unreduced system. Then, without the search:
//! the last state must be the one at which the loop begins, the claim's included, an accepting
//! state must be in the loop, and the loop must be fair if that was asked for.
//!
//! **Loops that are too long.** The least power of γ may be very large. Beyond so many moves one
//! turn is shown, and that after it the run is in what a symmetry makes of the state at which the
//! loop begins: there it can do the like for ever, and atoms do not change under symmetries, so
//! that its word is the one of the turn again and again. The loop does not close
//! ([`Lasso::closes`]), and that it is fair is known from the component alone.

use super::component::Turn;
use super::space::Space;
use super::{Fairness, Found, Strength, Wanted};
use crate::Violation;
use crate::gap::Gap;
use crate::outcome::StopReason;
use crate::store::NodeId;
use crate::witness::{Broken, Replay, Run, Witness};
use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;
use system::{Fault, FaultKind, System, Taken};

/// The most moves that a run may have.
pub const MOVES_MAX: usize = 1_000_000;
/// The most states that are looked at again for a shorter way to the loop.
const AGAIN_MAX: usize = 200_000;

/// A run that goes round for ever.
#[derive(Clone, Debug)]
pub struct Lasso {
    /// The run up to the state at which it has gone round once.
    pub witness: Witness,
    /// How often the walk of representatives is gone round until the run closes.
    pub n_turns: u64,
    /// Whether the last state is the one at which the loop begins, and not only what a symmetry
    /// makes of it.
    pub closes: bool,
    /// The state before each move, and the move at which the loop begins.
    pub states: Vec<Vec<u8>>,
    /// The first move of the loop, a place in `states`.
    pub loop_state: usize,
}

/// A path to the loop and the loop, as moves by number from representatives.
#[derive(Debug)]
pub struct Walk {
    /// The initial state, and the state before each move.
    stem: Vec<(NodeId, u32)>,
    cycle: Vec<(NodeId, u32)>,
    first: NodeId,
}

/// The path and the walk that show what was found.
pub fn walk(
    space: &mut Space<'_>,
    found: &Found,
    fairness: &Fairness<'_>,
) -> Result<Walk, StopReason> {
    let (component, kept) = (&found.component, &found.kept);
    let node = |(place, index): Turn| (component.nodes[place], index);
    let (start, turns) = component.walk(kept, fairness);
    let (mut stem, entry) = stem(space, found)?;
    let first = stem.first().map_or(component.nodes[entry], |step| step.0);
    stem.extend(component.way_to(kept, entry, start).into_iter().map(node));
    Ok(Walk {
        stem,
        cycle: turns.into_iter().map(node).collect(),
        first,
    })
}

/// Moves from an initial state to a place of the part that was found, and that place.
///
/// The shortest, if it can be had by looking at not too many states again; else those of the path
/// of the search.
fn stem(space: &mut Space<'_>, found: &Found) -> Result<(Vec<(NodeId, u32)>, usize), StopReason> {
    let component = &found.component;
    let places: HashMap<NodeId, usize> = found
        .kept
        .iter()
        .map(|&place| (component.nodes[place], place))
        .collect();
    let mut came: HashMap<NodeId, Option<(NodeId, u32)>> = HashMap::new();
    let mut open = VecDeque::new();
    for node in space.initial()? {
        if came.insert(node, None).is_none() {
            open.push_back(node);
        }
    }
    let mut n = 0;
    while let Some(node) = open.pop_front() {
        if let Some(&place) = places.get(&node) {
            let mut moves = Vec::new();
            let mut at = node;
            while let Some(Some(step)) = came.get(&at) {
                moves.push(*step);
                at = step.0;
            }
            moves.reverse();
            return Ok((moves, place));
        }
        n += 1;
        if n > AGAIN_MAX {
            break;
        }
        space.tick()?;
        for way in space.ways(node)? {
            if let std::collections::hash_map::Entry::Vacant(new) = came.entry(way.target) {
                new.insert(Some((node, way.index)));
                open.push_back(way.target);
            }
        }
    }
    along(space, found, &places)
}

/// The moves of the path of the search up to the part that was found.
fn along(
    space: &mut Space<'_>,
    found: &Found,
    places: &HashMap<NodeId, usize>,
) -> Result<(Vec<(NodeId, u32)>, usize), StopReason> {
    let mut moves = Vec::new();
    for (i, node) in found.path.iter().enumerate() {
        if let Some(&place) = places.get(node) {
            return Ok((moves, place));
        }
        let Some(next) = found.path.get(i + 1) else {
            break;
        };
        let ways = space.ways(*node)?;
        let way = ways.iter().find(|way| way.target == *next);
        moves.push((*node, way.expect("a way of the path").index));
    }
    // The path ends in the component, and what is kept of it can be reached inside.
    let component = &found.component;
    let all: Vec<usize> = (0..component.nodes.len()).collect();
    let last = found.path.last().expect("a path has a state");
    let from = component.nodes.iter().position(|node| node == last);
    let (from, to) = (from.expect("the path ends inside"), found.kept[0]);
    let turns = component.way_to(&all, from, to);
    moves.extend(turns.into_iter().map(|(p, i)| (component.nodes[p], i)));
    Ok((moves, to))
}

/// The run that goes along `walk`, replayed.
pub fn replay(space: &mut Space<'_>, walk: &Walk, wanted: &Wanted<'_>) -> Result<Lasso, Broken> {
    let system = space.system;
    let mut replay = Replay::new(system, space.reducer, &mut space.store);
    let broken = |n_moves, missing| Broken {
        violation: Violation::Fault(Fault {
            kind: FaultKind::Claim,
            site: system::SiteId::new(0),
        }),
        n_moves,
        missing,
    };
    let mut run = replay.begin(walk.first).ok_or(broken(0, Gap::Initial))?;
    let mut states = Vec::new();
    let mut moves: Vec<Vec<Taken>> = Vec::new();
    let carry = wanted.fairness.carry();
    let mut go = |replay: &mut Replay<'_>, run: &mut Run, states: &mut Vec<_>, at| {
        let n_moves = states.len();
        let taken = replay.by_number(run, at, carry);
        let (before, steps) = taken.ok_or(broken(n_moves, Gap::Image))?;
        states.push(before);
        moves.push(steps);
        Ok::<(), Broken>(())
    };
    for &at in &walk.stem {
        go(&mut replay, &mut run, &mut states, at)?;
    }
    let (loop_state, loop_from) = (states.len(), run.n_steps());
    let first = run.clone();
    let (mut n_turns, mut one_turn) = (0, None);
    loop {
        for &at in &walk.cycle {
            go(&mut replay, &mut run, &mut states, at)?;
        }
        n_turns += 1;
        if run.state() == first.state() {
            break;
        }
        let turn = one_turn.get_or_insert_with(|| (run.clone(), states.len()));
        if states.len() > wanted.moves_max {
            let node = walk.cycle.first().map_or(walk.first, |step| step.0);
            if !replay.is_image(&first, node) || !replay.is_image(&turn.0, node) {
                return Err(broken(states.len(), Gap::SameOrbit));
            }
            break;
        }
    }
    let closes = run.state() == first.state();
    if let Some((turn, n_states)) = one_turn.filter(|_| !closes) {
        states.truncate(n_states);
        moves.truncate(n_states);
        run = turn;
    }
    let looped = (&states[loop_state..], &moves[loop_state..]);
    is_wanted(system, looped, wanted, closes).map_err(|missing| broken(states.len(), missing))?;
    Ok(Lasso {
        witness: replay.over(run).looping(loop_from),
        n_turns,
        closes,
        states,
        loop_state,
    })
}

/// Whether a loop of the unreduced system is in accepting states, and fair if that is asked for and
/// all of the loop is there; or what is missing.
fn is_wanted(
    system: &dyn System,
    (states, moves): (&[Vec<u8>], &[Vec<Taken>]),
    wanted: &Wanted<'_>,
    closes: bool,
) -> Result<(), Gap> {
    if !states.iter().any(|state| (wanted.accepting)(state)) {
        return Err(Gap::Accepting);
    }
    if closes && !is_fair(system, states, moves, wanted.fairness) {
        Err(Gap::Fairness)
    } else {
        Ok(())
    }
}

/// Whether a loop of the unreduced system is fair: by definition, process by process.
fn is_fair(
    system: &dyn System,
    states: &[Vec<u8>],
    moves: &[Vec<Taken>],
    fairness: &Fairness<'_>,
) -> bool {
    if matches!(fairness, Fairness::None) {
        return true;
    }
    let mut scratch = system.scratch();
    let enabled: Vec<Vec<u32>> = states
        .iter()
        .map(|state| {
            let mut all = Vec::new();
            system.successors(state, &mut scratch, &mut |mv| {
                if mv.state.is_some() {
                    let actors = super::actors(system, state, mv.steps);
                    all.extend_from_slice(fairness.able(&actors));
                }
                ControlFlow::Continue(())
            });
            all
        })
        .collect();
    let took: Vec<u32> = states
        .iter()
        .zip(moves)
        .flat_map(|(state, steps)| super::actors(system, state, steps))
        .collect();
    let can = |actor: &u32| match fairness.strength(*actor) {
        Some(Strength::Strong) => enabled.iter().any(|all| all.contains(actor)),
        Some(Strength::Weak) => enabled.iter().all(|all| all.contains(actor)),
        None => false,
    };
    let mut all: Vec<u32> = enabled.concat();
    all.sort_unstable();
    all.dedup();
    all.iter().all(|actor| took.contains(actor) || !can(actor))
}
