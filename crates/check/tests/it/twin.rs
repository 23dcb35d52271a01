//! The plainest search there is, and the comparison of ours with it.

use crate::toy::Toy;
use check::{Outcome, Reducer, Violation};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::ops::ControlFlow;
use system::{Rest, System};

/// What a plain search by breadth finds, all errors reported.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Plain {
    pub n_states: u64,
    pub n_transitions: u64,
    pub depth: u64,
    /// How often each thing was seen, and the moves of a shortest run that shows it.
    pub seen: BTreeMap<Violation, (u64, u64)>,
}

/// All reachable states with their depths in moves, and what was seen.
pub fn by_breadth(toy: &Toy) -> (Plain, HashMap<Vec<u8>, u64>) {
    let mut plain = Plain::default();
    let mut depths: HashMap<Vec<u8>, u64> = HashMap::new();
    let mut queue: VecDeque<Vec<u8>> = VecDeque::new();
    let mut see = |violation, n_moves| {
        let seen = plain.seen.entry(violation).or_insert((0, n_moves));
        seen.0 += 1;
    };
    let mut n_transitions = 0;
    toy.initial(&mut toy.scratch(), &mut |initial| match initial {
        Err(fault) => see(Violation::Fault(fault), 0),
        Ok(state) => {
            n_transitions += 1;
            if depths.insert(state.to_vec(), 0).is_none() {
                queue.push_back(state.to_vec());
            }
        }
    });
    while let Some(state) = queue.pop_front() {
        let depth = depths[&state];
        let rest = toy.successors(&state, &mut toy.scratch(), &mut |mv| {
            for &(_, fault) in mv.faults {
                see(Violation::Fault(fault), depth + 1);
            }
            if let Some(state) = mv.state {
                n_transitions += 1;
                if !depths.contains_key(state) {
                    depths.insert(state.to_vec(), depth + 1);
                    queue.push_back(state.to_vec());
                }
            }
            ControlFlow::Continue(())
        });
        if rest == Rest::Deadlock {
            see(Violation::Deadlock, depth);
        }
    }
    plain.n_states = depths.len() as u64;
    plain.n_transitions = n_transitions;
    plain.depth = depths.values().max().copied().unwrap_or(0);
    (plain, depths)
}

/// The deepest stack of a plain recursive search by depth, in steps: `known` states do not count
/// their last step.
pub fn depth_of_stack(toy: &Toy) -> u64 {
    fn visit(toy: &Toy, state: &[u8], depth: u64, known: &mut HashSet<Vec<u8>>) -> u64 {
        if !known.insert(state.to_vec()) {
            return depth.saturating_sub(1);
        }
        let mut moves = Vec::new();
        toy.successors(state, &mut toy.scratch(), &mut |mv| {
            moves.extend(
                mv.state
                    .map(|state| (mv.steps.len() as u64, state.to_vec())),
            );
            ControlFlow::Continue(())
        });
        let deeper = moves
            .iter()
            .map(|(n, state)| visit(toy, state, depth + n, known));
        deeper.max().unwrap_or(0).max(depth)
    }
    // As deep as there are states, and plain: on a stack that is large enough.
    let search = || {
        let mut known = HashSet::new();
        let visits = toy.initial.iter();
        visits
            .map(|state| visit(toy, state, 0, &mut known))
            .max()
            .unwrap_or(0)
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(1 << 30);
        let thread = thread.spawn_scoped(scope, search).expect("a thread");
        thread.join().expect("a plain search")
    })
}

/// What an outcome says, in the terms of [`Plain`].
pub fn said(outcome: &Outcome) -> Plain {
    let seen = outcome.findings.iter().map(|finding| {
        let n_moves = finding.witness.n_moves() as u64;
        (finding.violation, (finding.n_seen, n_moves))
    });
    Plain {
        n_states: outcome.counts.n_states,
        n_transitions: outcome.counts.n_transitions,
        depth: outcome.counts.depth,
        seen: seen.collect(),
    }
}

/// How many representatives the reachable states have.
pub fn n_representatives(toy: &Toy, reducer: &mut dyn Reducer) -> u64 {
    let (_, depths) = by_breadth(toy);
    let mut representatives = HashSet::new();
    for mut state in depths.into_keys() {
        reducer.reduce(&mut state);
        representatives.insert(state);
    }
    representatives.len() as u64
}
