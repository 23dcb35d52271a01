//! Processes by the definitions: what states a trace leads to, what is refused, what diverges.
//!
//! Nothing is shared with the checker but the plain account of a process. A set of states is what a
//! trace leads to; refusals are asked for each set of events in turn; divergence is a run of more τ
//! than there are states.

use check::refinement::Model;
use model::network::{Label, Process};
use std::collections::{BTreeMap, BTreeSet};

type States = BTreeSet<usize>;

/// A process as a list of transitions.
pub struct Plain {
    edges: Vec<Vec<(Label, usize)>>,
    /// All labels that may matter, without τ.
    labels: Vec<Label>,
}

/// A set of events, as bits of the labels of a process.
type Bits = u32;

impl Plain {
    pub fn new(process: &dyn Process, n_events: u32) -> Plain {
        let mut numbers = BTreeMap::from([(process.initial(), 0)]);
        let mut states = vec![process.initial()];
        let mut edges = Vec::new();
        while edges.len() < states.len() {
            let moves = process.moves(&states[edges.len()].clone());
            let mut from = Vec::new();
            for step in moves {
                let next = states.len();
                let number = *numbers.entry(step.state.clone()).or_insert(next);
                if number == next {
                    states.push(step.state);
                }
                from.push((step.label, number));
            }
            edges.push(from);
        }
        let events = (0..n_events).map(Label::event);
        Plain {
            edges,
            labels: std::iter::once(Label::TICK).chain(events).collect(),
        }
    }

    fn has(&self, state: usize, label: Label) -> bool {
        self.edges[state].iter().any(|&(other, _)| other == label)
    }

    /// All states that τ lead to.
    fn closed(&self, mut states: States) -> States {
        loop {
            let taus = states.iter().flat_map(|&state| &self.edges[state]);
            let taus = taus.filter(|(label, _)| *label == Label::TAU);
            let more: States = taus.map(|&(_, target)| target).collect();
            let n = states.len();
            states.extend(more);
            if states.len() == n {
                return states;
            }
        }
    }

    pub fn start(&self) -> States {
        self.closed(States::from([0]))
    }

    pub fn after(&self, states: &States, label: Label) -> States {
        let edges = states.iter().flat_map(|&state| &self.edges[state]);
        let fitting = edges.filter(|(other, _)| *other == label);
        self.closed(fitting.map(|&(_, target)| target).collect())
    }

    /// The states that a trace leads to.
    pub fn after_trace(&self, trace: &[Label]) -> States {
        let steps = trace.iter();
        steps.fold(self.start(), |states, &label| self.after(&states, label))
    }

    fn state_diverges(&self, state: usize) -> bool {
        let mut at = States::from([state]);
        for _ in 0..=self.edges.len() {
            let edges = at.iter().flat_map(|&state| &self.edges[state]);
            let taus = edges.filter(|(label, _)| *label == Label::TAU);
            at = taus.map(|&(_, target)| target).collect();
        }
        !at.is_empty()
    }

    pub fn diverges(&self, states: &States) -> bool {
        states.iter().any(|&state| self.state_diverges(state))
    }

    /// Whether a state can refuse all labels of which bits are set.
    fn state_refuses(&self, state: usize, refused: Bits) -> bool {
        let mut labels = self.labels.iter().enumerate();
        let is_refused = |i: usize| refused >> i & 1 == 1;
        let stable = !self.has(state, Label::TAU)
            && labels.all(|(i, &label)| !is_refused(i) || !self.has(state, label));
        // Nobody can keep it from ending, so it may refuse everything else.
        stable || self.has(state, Label::TICK) && !is_refused(0)
    }

    fn refuses(&self, states: &States, refused: Bits) -> bool {
        let mut states = states.iter();
        states.any(|&state| self.state_refuses(state, refused))
    }

    fn all_refusals(&self) -> std::ops::Range<Bits> {
        0..1 << self.labels.len()
    }

    /// All labels but these, as bits.
    fn all_but(&self, offered: &[Label]) -> Bits {
        let labels = self.labels.iter().enumerate();
        let refused = labels.filter(|(_, label)| !offered.contains(label));
        refused.map(|(i, _)| 1 << i).sum()
    }

    /// Whether (trace, everything but what is offered) is a failure.
    pub fn fails(&self, trace: &[Label], offered: &[Label]) -> bool {
        self.refuses(&self.after_trace(trace), self.all_but(offered))
    }

    /// Whether some start of the trace diverges.
    pub fn has_diverged(&self, trace: &[Label]) -> bool {
        (0..=trace.len()).any(|n| self.diverges(&self.after_trace(&trace[..n])))
    }

    /// Whether the traces of `self` lead to sets all of which are fine.
    fn all_sets(&self, mut is_fine: impl FnMut(&States, bool) -> bool) -> bool {
        let mut seen = BTreeSet::new();
        let mut waiting = vec![(self.start(), false)];
        while let Some((states, is_over)) = waiting.pop() {
            if states.is_empty() || !seen.insert((states.clone(), is_over)) {
                continue;
            }
            if !is_fine(&states, is_over) {
                return false;
            }
            for &label in &self.labels {
                waiting.push((self.after(&states, label), label == Label::TICK));
            }
        }
        true
    }

    pub fn deadlock_free(&self, model: Model) -> bool {
        let everything = (1 << self.labels.len()) - 1;
        let minds = model == Model::FailuresDivergences;
        self.all_sets(|states, is_over| {
            is_over || !(self.refuses(states, everything) || minds && self.diverges(states))
        })
    }

    pub fn divergence_free(&self) -> bool {
        self.all_sets(|states, _| !self.diverges(states))
    }

    pub fn deterministic(&self, model: Model) -> bool {
        let minds = model == Model::FailuresDivergences;
        self.all_sets(|states, _| {
            let mut labels = self.labels.iter().enumerate();
            let both = labels.any(|(i, &label)| {
                !self.after(states, label).is_empty() && self.refuses(states, 1 << i)
            });
            !(both || minds && self.diverges(states))
        })
    }

    pub fn has_trace(&self, trace: &[Label], model: Model) -> bool {
        let fine = |n: usize| {
            let states = self.after_trace(&trace[..n]);
            let place = self.labels.iter().position(|&label| label == trace[n]);
            let refused = place.is_none_or(|i| self.refuses(&states, 1 << i));
            match model {
                Model::Traces => true,
                Model::Failures => !refused,
                Model::FailuresDivergences => !refused && !self.diverges(&states),
            }
        };
        !self.after_trace(trace).is_empty() && (0..trace.len()).all(fine)
    }

    /// Whether `other` refines this, by sets that the same trace leads to in both.
    pub fn refined_by(&self, other: &Plain, model: Model) -> bool {
        assert_eq!(self.labels, other.labels, "the same events");
        let minds = model == Model::FailuresDivergences;
        let mut seen = BTreeSet::new();
        let mut waiting = vec![(self.start(), other.start())];
        while let Some(pair) = waiting.pop() {
            let (spec, states) = &pair;
            if states.is_empty() || minds && self.diverges(spec) || seen.contains(&pair) {
                continue;
            }
            let refusals = || {
                let mut sets = self.all_refusals();
                sets.all(|set| !other.refuses(states, set) || self.refuses(spec, set))
            };
            let is_bad = spec.is_empty()
                || minds && other.diverges(states)
                || model != Model::Traces && !refusals();
            if is_bad {
                return false;
            }
            for &label in &self.labels {
                waiting.push((self.after(spec, label), other.after(states, label)));
            }
            seen.insert(pair);
        }
        true
    }

    /// The fewest transitions of `other` to a state that shows that it does not refine this.
    pub fn distance(&self, other: &Plain, model: Model) -> Option<usize> {
        let minds = model == Model::FailuresDivergences;
        let is_bad = |spec: &States, state: usize| {
            let edges = other.edges[state].iter();
            let mut visible = edges.filter(|(label, _)| *label != Label::TAU);
            let refusals = || {
                let mut sets = self.all_refusals();
                sets.any(|set| other.state_refuses(state, set) && !self.refuses(spec, set))
            };
            visible.any(|&(label, _)| self.after(spec, label).is_empty())
                || minds && other.state_diverges(state)
                || model != Model::Traces && refusals()
        };
        let mut seen = BTreeSet::new();
        let mut level = vec![(self.start(), 0)];
        let mut n = 0;
        while !level.is_empty() {
            let mut next = Vec::new();
            for (spec, state) in std::mem::take(&mut level) {
                if minds && self.diverges(&spec) || !seen.insert((spec.clone(), state)) {
                    continue;
                }
                if is_bad(&spec, state) {
                    return Some(n);
                }
                for &(label, target) in &other.edges[state] {
                    let spec = match label {
                        Label::TAU => spec.clone(),
                        _ => self.after(&spec, label),
                    };
                    next.push((spec, target));
                }
            }
            level = next;
            n += 1;
        }
        None
    }
}
