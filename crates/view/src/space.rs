//! What was explored: states by number, and labelled transitions between them.
//!
//! **Problem.** A million states with ten million transitions have to fit in memory, and an
//! abstraction walks over all of them several times.
//!
//! **Idea.** Transitions are sorted by their source, in two flat lists: label and target; a third
//! list says where those of each state begin. Labels are numbers: each operation, each argument and
//! each label is kept once.
//!
//! **Worked example.** States 0 and 1, `add(Name1)` from 0 to 1, `delete(Name1)` back. Labels
//! `[add(Name1), delete(Name1)]`, first `[0, 1, 2]`, label of each transition `[0, 1]`, targets
//! `[1, 0]`.
//!
//! **Cost.** Eight bytes a transition, 17 a state, 25 if orbits are counted.

mod build;
mod words;

pub use build::SpaceBuilder;
pub use words::{LabelNotation, Operation};

use crate::picture::NodeKinds;
use std::ops::Range;
use words::LabelWords;

base::define_id!(LabelId, "Which label of a space.");

/// An explored labelled transition system.
#[derive(Clone, Debug)]
pub struct Space {
    words: LabelWords,
    /// Where the transitions of each state begin, and at last where all end.
    first: Vec<u32>,
    labels: Vec<u32>,
    targets: Vec<u32>,
    /// By state.
    depths: Vec<u32>,
    /// By state.
    kinds: Vec<NodeKinds>,
    /// By state, how many states it represents; empty if each represents itself.
    orbits: Vec<u64>,
    /// By state, its number in the space of which this is a part; empty if it is no part.
    numbers: Vec<u32>,
    /// Whether a limit came before all was explored.
    is_cut: bool,
}

/// A transition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Transition {
    /// Its label.
    pub label: LabelId,
    /// Where it leads.
    pub target: u32,
}

impl Space {
    /// How many states there are.
    pub fn n_states(&self) -> usize {
        self.kinds.len()
    }

    /// How many transitions there are.
    pub fn n_transitions(&self) -> usize {
        self.targets.len()
    }

    /// How many labels there are.
    pub fn n_labels(&self) -> usize {
        self.words.n_labels()
    }

    /// Whether a limit came before all was explored; some states are then not expanded.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The transitions of a state.
    pub fn transitions(&self, state: u32) -> impl Iterator<Item = Transition> + '_ {
        let range = self.range(state);
        let labels = self.labels[range.clone()].iter();
        let both = labels.zip(&self.targets[range]);
        both.map(|(label, target)| Transition {
            label: LabelId::new(*label as usize),
            target: *target,
        })
    }

    /// How far a state is from an initial one.
    pub fn depth(&self, state: u32) -> u32 {
        self.depths[state as usize]
    }

    /// What a state is.
    pub fn kinds(&self, state: u32) -> NodeKinds {
        self.kinds[state as usize]
    }

    /// Marks a state as the current one, and no other.
    pub fn set_current(&mut self, state: Option<u32>) {
        for (n, kinds) in self.kinds.iter_mut().enumerate() {
            let is = state == Some(n as u32);
            *kinds = kinds.without(NodeKinds::CURRENT);
            if is {
                *kinds = kinds.with(NodeKinds::CURRENT);
            }
        }
    }

    /// Adds to what a state is.
    pub fn mark(&mut self, state: u32, kinds: NodeKinds) {
        let place = &mut self.kinds[state as usize];
        *place = place.with(kinds);
    }

    /// How many states of the unreduced system a state represents; one without symmetry. A number
    /// that exceeds 64 bits is the largest that does not.
    pub fn orbit(&self, state: u32) -> u64 {
        self.orbits.get(state as usize).copied().unwrap_or(1)
    }

    /// Whether states represent orbits.
    pub fn has_orbits(&self) -> bool {
        !self.orbits.is_empty()
    }

    /// The number of a state in the space of which this is a part; its own if it is no part.
    pub fn number(&self, state: u32) -> u32 {
        self.numbers.get(state as usize).copied().unwrap_or(state)
    }

    /// The initial states.
    pub fn initial(&self) -> Vec<u32> {
        self.with_kind(NodeKinds::INITIAL)
    }

    /// The states of a kind.
    pub fn with_kind(&self, kind: NodeKinds) -> Vec<u32> {
        let all = 0..self.n_states() as u32;
        all.filter(|state| self.kinds(*state).has(kind)).collect()
    }

    /// The operations, each once.
    pub fn operations(&self) -> &[Operation] {
        self.words.operations()
    }

    /// The operation of a label, as a place in the list of operations.
    pub fn operation(&self, label: LabelId) -> usize {
        self.words.operation(label)
    }

    /// The arguments of a label.
    pub fn arguments(&self, label: LabelId) -> impl Iterator<Item = &str> {
        self.words.arguments(label)
    }

    /// A label in words: `add(Name1, Code2)`.
    pub fn label_text(&self, label: LabelId) -> String {
        self.words.text(label, &|_| true)
    }

    /// The same, with `_` for the arguments that are not kept, by place; without all of them if
    /// none is.
    pub fn partial_text(&self, label: LabelId, is_kept: &dyn Fn(usize) -> bool) -> String {
        self.words.text(label, is_kept)
    }

    /// How many transitions lead from a state to itself.
    pub fn n_self_loops(&self) -> usize {
        let states = 0..self.n_states() as u32;
        let loops = states.map(|state| {
            let targets = &self.targets[self.range(state)];
            targets.iter().filter(|target| **target == state).count()
        });
        loops.sum()
    }

    /// The transitions the other way round, without labels: who leads to each state.
    pub fn backwards(&self) -> Backwards {
        let n = self.n_states();
        let mut first = vec![0_u32; n + 1];
        for target in &self.targets {
            first[*target as usize + 1] += 1;
        }
        for i in 0..n {
            first[i + 1] += first[i];
        }
        let mut place = first.clone();
        let mut sources = vec![0; self.targets.len()];
        for state in 0..n as u32 {
            for target in &self.targets[self.range(state)] {
                let at = &mut place[*target as usize];
                sources[*at as usize] = state;
                *at += 1;
            }
        }
        Backwards { first, sources }
    }

    /// The same states without the transitions of some labels. Depths and kinds stay.
    pub fn without_labels(&self, is_left_out: &dyn Fn(LabelId) -> bool) -> Space {
        let left_out: Vec<bool> = (0..self.n_labels())
            .map(|label| is_left_out(LabelId::new(label)))
            .collect();
        let mut first = vec![0];
        let (mut labels, mut targets) = (Vec::new(), Vec::new());
        for state in 0..self.n_states() as u32 {
            for i in self
                .range(state)
                .filter(|i| !left_out[self.labels[*i] as usize])
            {
                labels.push(self.labels[i]);
                targets.push(self.targets[i]);
            }
            first.push(targets.len() as u32);
        }
        Space {
            first,
            labels,
            targets,
            ..self.clone()
        }
    }

    /// The states that are chosen, and the transitions between them. Depths and kinds stay.
    ///
    /// # Requires
    /// One truth value a state.
    pub fn restricted(&self, is_chosen: &[bool]) -> Space {
        const NONE: u32 = u32::MAX;
        let mut new_number = vec![NONE; self.n_states()];
        let mut numbers = Vec::new();
        for state in (0..self.n_states() as u32).filter(|s| is_chosen[*s as usize]) {
            new_number[state as usize] = numbers.len() as u32;
            numbers.push(state);
        }
        let mut first = vec![0];
        let (mut labels, mut targets) = (Vec::new(), Vec::new());
        for &state in &numbers {
            for i in self.range(state) {
                let target = new_number[self.targets[i] as usize];
                if target != NONE {
                    labels.push(self.labels[i]);
                    targets.push(target);
                }
            }
            first.push(targets.len() as u32);
        }
        let old = |state: &u32| *state as usize;
        Space {
            words: self.words.clone(),
            first,
            labels,
            targets,
            depths: numbers.iter().map(|s| self.depths[old(s)]).collect(),
            kinds: numbers.iter().map(|s| self.kinds[old(s)]).collect(),
            orbits: if self.has_orbits() {
                numbers.iter().map(|s| self.orbits[old(s)]).collect()
            } else {
                Vec::new()
            },
            numbers: numbers.iter().map(|s| self.number(*s)).collect(),
            is_cut: self.is_cut,
        }
    }

    /// Where the transitions of a state stand.
    pub(crate) fn range(&self, state: u32) -> Range<usize> {
        let state = state as usize;
        self.first[state] as usize..self.first[state + 1] as usize
    }

    /// The labels of all transitions, by place.
    pub(crate) fn all_labels(&self) -> &[u32] {
        &self.labels
    }

    /// The targets of all transitions, by place.
    pub(crate) fn all_targets(&self) -> &[u32] {
        &self.targets
    }
}

/// Who leads to each state.
pub struct Backwards {
    first: Vec<u32>,
    sources: Vec<u32>,
}

impl Backwards {
    /// The states with a transition to `state`, as often as they have one.
    pub fn sources(&self, state: u32) -> &[u32] {
        let state = state as usize;
        &self.sources[self.first[state] as usize..self.first[state + 1] as usize]
    }
}
