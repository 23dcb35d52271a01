//! A run of a refinement that its machine cannot match.
//!
//! An initial state has lost all its partners. The machine is given the best of them, the one that
//! fell last; the refinement takes the step for which that pair fell, the machine answers with the
//! best pair that answered it, and so on. Every answer fell before what it answered, so this ends:
//! with a step that nothing answers.
//!
//! That shows less than it seems to where the machine has choices: it may go along with this run by
//! choosing otherwise, and fail on another. So a *lonely* run is sought, too: breadth first, with
//! all states in which the machine could be, until none is left. No run of the machine goes along
//! with that one, whatever it does, and it is the shortest of its kind. There need not be one.
//!
//! Worked example: at the start the machine chooses between `a` and `b`, and can then do `A` or `B`
//! only; the refinement does what it likes. `A` has a partner that goes along with it (`a`), and so
//! has `B`. The run `A; B` is lonely: after `A` the machine can be in `a` alone. If the refinement
//! stops after one step, no run is lonely; what is shown is `A` beside `b`.

use super::simulate::{PairFailure, RefinementStep, SimulationGame};
use super::{Counterexample, Missing};
use crate::typed::OperationId;
use crate::value::Value;
use std::collections::HashSet;
use std::ops::Range;
use system::System;

/// How long a lonely run is sought: as many nodes as there are pairs, but within this.
const N_NODES: Range<usize> = 1_000..10_000;

/// How a play ends.
enum PlayEnd {
    Step(RefinementStep),
    Call(OperationId, Vec<Value>),
}

/// The run that shows why an initial state has no partner left.
pub(super) fn play(simulation: &mut SimulationGame<'_>, start: u32) -> Counterexample {
    let start = &simulation.starts[start as usize];
    let (state, first) = (start.state.clone(), start.step);
    let partners = start.partners.clone().unwrap_or_default();
    let mut found = Counterexample {
        start: state,
        steps: first.into_iter().collect(),
        missing: Missing::Start,
        step: None,
        beside: Vec::new(),
    };
    let Some(mut pair) = best(simulation, &partners) else {
        return found;
    };
    let (concrete, _) = states(simulation, pair);
    let mut moves: Vec<RefinementStep> = Vec::new();
    let end = loop {
        let (concrete, state) = states(simulation, pair);
        let Some((_, why)) = simulation.pairs[pair as usize].fallen.clone() else {
            unreachable!("a pair of a play has fallen")
        };
        match why {
            PairFailure::Call(operation, arguments) => break PlayEnd::Call(operation, arguments),
            PairFailure::Step(at) => {
                let step = simulation.moves_of(concrete)[at as usize];
                let answers = simulation.answers(state, &step, 0).unwrap_or_default();
                let Some(next) = best(simulation, &answers) else {
                    break PlayEnd::Step(step);
                };
                moves.push(step);
                pair = next;
            }
        }
    };
    let (_, mut beside) = states(simulation, pair);
    found.missing = match &end {
        PlayEnd::Step(step) => {
            moves.push(*step);
            Missing::BestStep
        }
        PlayEnd::Call(..) => Missing::Call,
    };
    let is_call = found.missing == Missing::Call;
    let lonely = lonely(simulation, concrete, &partners);
    if let Some((run, last)) = lonely.filter(|(run, _)| !is_call || run.len() <= moves.len()) {
        (moves, beside) = (run, last);
        found.missing = Missing::Step;
    }
    found.beside = described(simulation, beside);
    let live = simulation.concrete;
    let (operation, call) = match (&end, found.missing) {
        (PlayEnd::Call(operation, arguments), Missing::Call) => {
            let operation = operation.index() as u64;
            (operation, live.call_of(operation, arguments, &[]))
        }
        _ => {
            let last = moves.last().expect("a run that ends in a step");
            let label = &simulation.labels[last.label as usize];
            let operation = u64::from(label.operation);
            let call = live.call_of(operation, &label.arguments, &label.results);
            (operation, call)
        }
    };
    found.step = Some((call, live.line(live.operation_span(operation))));
    found.steps.extend(moves.iter().map(|step| step.taken));
    found
}

/// The pair that fell last.
fn best(simulation: &SimulationGame<'_>, pairs: &[u32]) -> Option<u32> {
    let order = |pair: &u32| {
        let fallen = &simulation.pairs[*pair as usize].fallen;
        fallen.as_ref().map(|(order, _)| *order)
    };
    pairs.iter().copied().max_by_key(order)
}

fn states(simulation: &SimulationGame<'_>, pair: u32) -> (u32, u32) {
    let pair = &simulation.pairs[pair as usize];
    (pair.concrete, pair.state)
}

/// A state of the refinement, and where the machine could be beside it.
struct GameNode {
    concrete: u32,
    beside: Vec<u32>,
    /// The node before it, and the move from there.
    from: Option<(usize, RefinementStep)>,
}

/// The shortest run after which the machine can be in no state at all, whatever it did, and a state
/// in which it could be before; `None` if there is none among the first.
fn lonely(
    simulation: &mut SimulationGame<'_>,
    concrete: u32,
    partners: &[u32],
) -> Option<(Vec<RefinementStep>, u32)> {
    let n_nodes_max = simulation.pairs.len().clamp(N_NODES.start, N_NODES.end);
    let beside: Vec<u32> = partners.iter().map(|p| states(simulation, *p).1).collect();
    let mut seen = HashSet::from([(concrete, beside.clone())]);
    let mut nodes = vec![GameNode {
        concrete,
        beside,
        from: None,
    }];
    let mut next = 0;
    while next < nodes.len() && nodes.len() < n_nodes_max {
        let before = nodes[next].beside.clone();
        for step in simulation.moves_of(nodes[next].concrete).iter() {
            let answers: Option<Vec<Vec<u32>>> = before
                .iter()
                .map(|state| simulation.answers(*state, step, 0))
                .collect();
            // Where nothing is owed the machine may go anywhere.
            let Some(answers) = answers else { continue };
            let answers = answers.into_iter().flatten();
            let mut beside: Vec<u32> = answers.map(|p| states(simulation, p).1).collect();
            beside.sort_unstable();
            beside.dedup();
            if beside.is_empty() {
                let mut run = vec![*step];
                let mut at = next;
                while let Some((before, step)) = nodes[at].from {
                    run.push(step);
                    at = before;
                }
                run.reverse();
                return Some((run, *before.first()?));
            }
            if seen.insert((step.target, beside.clone())) {
                nodes.push(GameNode {
                    concrete: step.target,
                    beside,
                    from: Some((next, *step)),
                });
            }
        }
        next += 1;
    }
    None
}

/// The variables of the machine in a state, in words.
fn described(simulation: &SimulationGame<'_>, state: u32) -> Vec<(String, String)> {
    let live = simulation.glue.abstraction();
    let machine = live.program().machine();
    let n_constants = live.signature().constants.len();
    let mut all = Vec::new();
    live.describe(simulation.abstracts.get(state), &mut |name, value| {
        all.push((format!("{}.{name}", machine.name), value.to_owned()));
    });
    all.split_off(n_constants)
}
