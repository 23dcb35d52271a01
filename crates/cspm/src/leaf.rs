//! Explicit transition systems, explored from terms.
//!
//! A leaf is a process whose states are all known: numbers in the order of a breadth-first search
//! from the first, each with its steps in one long list (the steps of state `s` are those from
//! `first[s]` up to `first[s + 1]`), sorted by label and then by target.
//!
//! ```text
//! P = a -> (P |~| STOP)      0: a 1     1: τ 0, τ 2     2:
//!                            first 0 1 3 3      steps (a,1) (τ,0) (τ,2)
//! ```
//!
//! Which term a state was is kept beside, for messages and counterexamples. A state is a term with
//! its definition unfolded, so `P` and its body are one state; operands are not unfolded for this,
//! and so a process may have a few states more than needed, never fewer.

use std::collections::HashMap;

use crate::operate::{Operator, StepFailure, TermLabel};
use crate::process::{TermId, Terms, Unfold};

/// States with labelled steps; state 0 is the first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lts {
    first: Vec<u32>,
    steps: Vec<(TermLabel, u32)>,
}

/// A transition system and the terms its states were.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leaf {
    /// The states.
    pub lts: Lts,
    /// What each was: the suspended process that led to it first, if there was one.
    pub terms: Vec<TermId>,
}

impl Lts {
    /// From the steps of each state.
    pub fn new(states: Vec<Vec<(TermLabel, u32)>>) -> Lts {
        let n_states = states.len() as u32;
        assert!(n_states > 0, "a transition system has a first state");
        let mut lts = Lts {
            first: vec![0],
            steps: Vec::new(),
        };
        for mut steps in states {
            steps.sort_unstable();
            steps.dedup();
            for step in &steps {
                assert!(step.1 < n_states, "{step:?} leads out of {n_states} states");
            }
            lts.steps.extend(steps);
            lts.first.push(offset(lts.steps.len()));
        }
        lts
    }

    /// How many states there are.
    pub fn n_states(&self) -> usize {
        self.first.len() - 1
    }

    /// How many steps there are.
    pub fn n_steps(&self) -> usize {
        self.steps.len()
    }

    /// What a state can do, sorted.
    pub fn steps(&self, state: u32) -> &[(TermLabel, u32)] {
        let state = state as usize;
        &self.steps[self.first[state] as usize..self.first[state + 1] as usize]
    }

    /// Whether τ leads away from a state, to itself included.
    pub fn is_unstable(&self, state: u32) -> bool {
        // τ is the least label.
        self.steps(state)
            .first()
            .is_some_and(|step| step.0 == TermLabel::Tau)
    }

    /// Where τ leads from a state.
    pub fn taus(&self, state: u32) -> impl Iterator<Item = u32> {
        let steps = self.steps(state).iter();
        steps
            .take_while(|step| step.0 == TermLabel::Tau)
            .map(|step| step.1)
    }

    /// The states, in order.
    pub fn states(&self) -> impl Iterator<Item = u32> + use<> {
        0..self.n_states() as u32
    }

    /// The part that can be reached, numbered breadth first; and which state each was.
    pub fn reachable(&self) -> (Lts, Vec<u32>) {
        let mut number = vec![u32::MAX; self.n_states()];
        let mut order = vec![0];
        number[0] = 0;
        let mut states = Vec::new();
        let mut at = 0;
        while let Some(&state) = order.get(at) {
            at += 1;
            let mut steps = Vec::new();
            for &(label, next) in self.steps(state) {
                if number[next as usize] == u32::MAX {
                    number[next as usize] = order.len() as u32;
                    order.push(next);
                }
                steps.push((label, number[next as usize]));
            }
            states.push(steps);
        }
        (Lts::new(states), order)
    }
}

fn offset(length: usize) -> u32 {
    u32::try_from(length).expect("steps of a leaf are counted in 32 bits")
}

/// Finds all states of `root`. A state of a compressed process has as its term
/// [`crate::process::Term::State`], which [`Operator::origin`] explains.
pub fn explore<U: Unfold>(
    root: TermId,
    operator: &mut Operator,
    terms: &mut Terms,
    unfold: &mut U,
) -> Result<Leaf, StepFailure<U::Error>> {
    let states_max = operator.limits().states_max;
    let (root, name) = operator.resolve_named(root, terms, unfold)?;
    let mut numbers: HashMap<TermId, u32> = HashMap::from([(root, 0)]);
    let mut order = vec![root];
    let mut names = vec![name];
    let mut lts = Lts {
        first: vec![0],
        steps: Vec::new(),
    };
    let mut at = 0;
    while let Some(&state) = order.get(at) {
        at += 1;
        let from = lts.steps.len();
        for &(label, next) in operator.steps(state, terms, unfold)?.iter() {
            let (next, name) = operator.resolve_named(next, terms, unfold)?;
            let number = *numbers.entry(next).or_insert_with(|| {
                order.push(next);
                names.push(name);
                order.len() as u32 - 1
            });
            lts.steps.push((label, number));
        }
        if order.len() > states_max || lts.steps.len() > u32::MAX as usize {
            return Err(StepFailure::States {
                states_max,
                process: operator.last(),
            });
        }
        // Different suspended terms may stand for one state.
        lts.steps[from..].sort_unstable();
        let mut kept = from;
        for i in from..lts.steps.len() {
            if i == from || lts.steps[i] != lts.steps[kept - 1] {
                lts.steps[kept] = lts.steps[i];
                kept += 1;
            }
        }
        lts.steps.truncate(kept);
        lts.first.push(offset(lts.steps.len()));
    }
    Ok(Leaf { lts, terms: names })
}
