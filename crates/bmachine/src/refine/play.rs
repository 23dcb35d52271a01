//! A run of a refinement that its machine cannot match.
//!
//! An initial state has lost all its partners. The machine is given the best of them, the one that
//! fell last; the refinement takes the step for which that pair fell, the machine answers with the
//! best pair that answered it, and so on. Every answer fell before what it answered, so this ends:
//! with a step that nothing answers.
//!
//! Then the run is followed once more beside all states in which the machine could be. If none is
//! left after some step, no run of the machine goes along with this one, whatever it does; the run
//! ends there. Otherwise the machine fails in different ways on different runs, and one is shown.
//!
//! Worked example: from the initial state the machine chooses between `a` and `b`, and can then do
//! `A` or `B` only. The refinement does either. The run `A` has a partner that goes along with it
//! (`a`), and so has `B`: no single run shows the violation. What is shown is `B`, with `a`.

use super::simulate::{Move, Simulation, Why};
use super::{Counterexample, Missing};
use crate::typed::OperationId;
use crate::value::Value;
use system::System;

/// How a play ends.
enum End {
    Step(Move),
    Call(OperationId, Vec<Value>),
}

/// The run that shows why an initial state has no partner left.
pub(super) fn play(simulation: &mut Simulation<'_>, start: u32) -> Counterexample {
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
    let mut moves: Vec<Move> = Vec::new();
    let end = loop {
        let (concrete, state) = states(simulation, pair);
        let Some((_, why)) = simulation.pairs[pair as usize].fallen.clone() else {
            unreachable!("a pair of a play has fallen")
        };
        match why {
            Why::Call(operation, arguments) => break End::Call(operation, arguments),
            Why::Step(at) => {
                let step = simulation.moves_of(concrete)[at as usize];
                let answers = simulation.answers(state, &step, 0).unwrap_or_default();
                let Some(next) = best(simulation, &answers) else {
                    break End::Step(step);
                };
                moves.push(step);
                pair = next;
            }
        }
    };
    let (_, beside) = states(simulation, pair);
    found.missing = match &end {
        End::Step(step) => {
            moves.push(*step);
            Missing::BestStep
        }
        End::Call(..) => Missing::Call,
    };
    found.beside = described(simulation, beside);
    if let Some((n, last)) = lonely(simulation, &partners, &moves) {
        moves.truncate(n);
        found.missing = Missing::Step;
        found.beside = described(simulation, last);
    }
    let live = simulation.concrete;
    let (operation, call) = match (&end, found.missing) {
        (End::Call(operation, arguments), Missing::Call) => {
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
fn best(simulation: &Simulation<'_>, pairs: &[u32]) -> Option<u32> {
    let order = |pair: &u32| {
        let fallen = &simulation.pairs[*pair as usize].fallen;
        fallen.as_ref().map(|(order, _)| *order)
    };
    pairs.iter().copied().max_by_key(order)
}

fn states(simulation: &Simulation<'_>, pair: u32) -> (u32, u32) {
    let pair = &simulation.pairs[pair as usize];
    (pair.concrete, pair.state)
}

/// After how many moves the machine can be in no state at all, whatever it did, and one in which it
/// could be before.
fn lonely(simulation: &mut Simulation<'_>, first: &[u32], moves: &[Move]) -> Option<(usize, u32)> {
    let mut beside: Vec<u32> = first.iter().map(|p| states(simulation, *p).1).collect();
    for (n, step) in moves.iter().enumerate() {
        let mut next = Vec::new();
        for state in &beside {
            // Where nothing is owed the machine may go anywhere.
            let answers = simulation.answers(*state, step, 0)?;
            next.extend(answers.iter().map(|pair| states(simulation, *pair).1));
        }
        next.sort_unstable();
        next.dedup();
        if next.is_empty() {
            return Some((n + 1, *beside.first()?));
        }
        beside = next;
    }
    None
}

/// The variables of the machine in a state, in words.
fn described(simulation: &Simulation<'_>, state: u32) -> Vec<(String, String)> {
    let live = simulation.glue.abstraction();
    let machine = live.program().machine();
    let n_constants = live.signature().constants.len();
    let mut all = Vec::new();
    live.describe(simulation.abstracts.get(state), &mut |name, value| {
        all.push((format!("{}.{name}", machine.name), value.to_owned()));
    });
    all.split_off(n_constants)
}
