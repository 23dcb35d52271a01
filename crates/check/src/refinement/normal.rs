//! Normal forms: specifications in which a trace leads to one state.
//!
//! A normal state is the set of all states that a trace can lead to, τ included. Beside where
//! events lead it has
//!
//! - its *acceptances*: for each state in it that has no τ, the events that this state offers; a
//!   state that can do ✓ also counts as one that offers ✓ alone, since nobody can keep it from
//!   ending. What is not offered can be refused. Of these sets only the minimal ones are kept;
//! - whether one of its states diverges; then, in the model of failures and divergences, all is
//!   allowed from here on, and what follows is not looked at.
//!
//! States that cannot be told apart by any of this are then made one.
//!
//! Worked example. `a -> P |~| b -> P` has a state with two τ, to a state that offers `a` and one
//! that offers `b`; both lead back to the first. The one normal state is the set of all three, with
//! `a` and `b` to itself and the acceptances {a}, {b}. `P = a -> P [] b -> P` has the acceptance
//! {a, b}: it refines the former, because {a} ⊆ {a, b}, and not the other way round.
//!
//! Cost: there can be exponentially many sets of states, hence a limit. Sets are as large as their
//! τ lead. After Roscoe, *Model-checking CSP* (1994); he first makes states of τ-cycles one, we do
//! not need to. States are made one by their signatures (Blom and Orzan 2003), once a round until
//! nothing changes, as many rounds as there are states at worst.

use crate::outcome::StopReason;
use crate::refinement::explicit::Explicit;
use crate::refinement::{Guard, Model, Unknown};
use base::memory::Account;
use model::network::{Label, Process};
use reduce::network::Chart;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

/// How many entries a table by state and label may have before labels are searched for instead.
const DENSE_MAX: usize = 1 << 22;
/// No such state.
const NONE: u32 = u32::MAX;

/// The acceptances of a state: each sorted, none part of another, all in order.
pub use reduce::network::Acceptances;

/// A specification in normal form; it starts in state 0.
#[derive(Clone, Debug)]
pub struct Normal {
    model: Model,
    states: Vec<State>,
    n_labels: usize,
    /// By state and label: where it leads. Empty if it would be large.
    dense: Vec<u32>,
}

/// A normal state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct State {
    /// Sorted, each label once.
    edges: Vec<(Label, u32)>,
    acceptances: Acceptances,
    is_divergent: bool,
}

impl Normal {
    /// The normal form of a process in a model.
    pub(crate) fn of(
        process: &dyn Process,
        model: Model,
        guard: &mut Guard<'_>,
    ) -> Result<Normal, Unknown> {
        let explicit = Explicit::of(process, guard)?;
        let bytes_max = guard.limits.memory_bytes_max;
        let states = Subsets::new(&explicit, model, bytes_max).states(guard)?;
        Ok(Normal::made_of(quotient(states), model))
    }

    /// The normal form of these states: where labels lead, and the acceptance that a state has
    /// beside them. It starts in the first.
    pub(super) fn deterministic(states: Vec<Vec<(Label, u32)>>, model: Model) -> Normal {
        let state = |mut edges: Vec<(Label, u32)>| {
            edges.sort_unstable();
            let labels = edges.iter().map(|&(label, _)| label).collect();
            State {
                edges,
                acceptances: [labels].into(),
                is_divergent: false,
            }
        };
        Normal::made_of(states.into_iter().map(state).collect(), model)
    }

    fn made_of(states: Vec<State>, model: Model) -> Normal {
        let labels = states.iter().flat_map(|state| &state.edges);
        let n_labels = labels.map(|(label, _)| label.index() + 1).max();
        let mut normal = Normal {
            model,
            n_labels: n_labels.unwrap_or(2),
            states,
            dense: Vec::new(),
        };
        let size = normal.states.len().saturating_mul(normal.n_labels);
        if size <= DENSE_MAX {
            normal.dense = vec![NONE; size];
            for (i, state) in normal.states.iter().enumerate() {
                for &(label, target) in &state.edges {
                    normal.dense[i * normal.n_labels + label.index()] = target;
                }
            }
        }
        normal
    }

    /// In which model it is normal.
    pub fn model(&self) -> Model {
        self.model
    }

    /// How many states it has.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// It has a state.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// One more than the highest label in it.
    pub fn n_labels(&self) -> usize {
        self.n_labels
    }

    /// Where labels lead, sorted.
    pub fn edges(&self, state: u32) -> &[(Label, u32)] {
        &self.states[state as usize].edges
    }

    /// The minimal acceptances: none in [`Model::Traces`], or where nothing is stable.
    pub fn acceptances(&self, state: u32) -> &Acceptances {
        &self.states[state as usize].acceptances
    }

    /// Whether it diverges, in [`Model::FailuresDivergences`].
    #[inline]
    pub fn is_divergent(&self, state: u32) -> bool {
        self.states[state as usize].is_divergent
    }

    /// What permutations of events see of it.
    pub fn chart(&self) -> Chart {
        Chart {
            edges: self
                .states
                .iter()
                .map(|state| state.edges.clone())
                .collect(),
            acceptances: self
                .states
                .iter()
                .map(|state| state.acceptances.clone())
                .collect(),
            is_divergent: self.states.iter().map(|state| state.is_divergent).collect(),
        }
    }

    /// Where a label leads.
    #[inline]
    pub fn next(&self, state: u32, label: Label) -> Option<u32> {
        if !self.dense.is_empty() {
            let target = if label.index() < self.n_labels {
                self.dense[state as usize * self.n_labels + label.index()]
            } else {
                NONE
            };
            return (target != NONE).then_some(target);
        }
        let edges = self.edges(state);
        let at = edges.binary_search_by_key(&label, |&(label, _)| label);
        at.ok().map(|at| edges[at].1)
    }
}

/// Sets of states in the making.
struct Subsets<'a> {
    explicit: &'a Explicit,
    model: Model,
    divergent: Vec<bool>,
    sets: Vec<Arc<[u32]>>,
    numbers: HashMap<Arc<[u32]>, u32>,
    /// By state: when it was last put into a set.
    stamps: Vec<u32>,
    stamp: u32,
    /// Acceptances seen so far, each kept once.
    known: HashMap<Acceptances, Acceptances>,
    /// What sets may take.
    account: Account,
}

impl<'a> Subsets<'a> {
    fn new(explicit: &'a Explicit, model: Model, bytes_max: Option<u64>) -> Subsets<'a> {
        Subsets {
            explicit,
            model,
            divergent: match model {
                Model::FailuresDivergences => explicit.divergent(),
                Model::Traces | Model::Failures => vec![false; explicit.len()],
            },
            sets: Vec::new(),
            numbers: HashMap::new(),
            stamps: vec![0; explicit.len()],
            stamp: 0,
            known: HashMap::new(),
            account: Account::new(bytes_max),
        }
    }

    fn states(mut self, guard: &mut Guard<'_>) -> Result<Vec<State>, Unknown> {
        let max = guard.limits.spec_states_max;
        self.set(&[0])?;
        let mut states = Vec::new();
        while states.len() < self.sets.len() {
            guard.look()?;
            let set = self.sets[states.len()].clone();
            states.push(self.state(&set, guard)?);
            if self.sets.len() as u64 > max {
                return Err(Unknown::Normal(max));
            }
        }
        Ok(states)
    }

    /// The number of the set of all states that τ leads to from these.
    fn set(&mut self, from: &[u32]) -> Result<u32, Unknown> {
        self.stamp += 1;
        let mut set = Vec::new();
        let mut waiting = from.to_vec();
        while let Some(state) = waiting.pop() {
            if std::mem::replace(&mut self.stamps[state as usize], self.stamp) != self.stamp {
                set.push(state);
                waiting.extend(self.explicit.taus(state));
            }
        }
        set.sort_unstable();
        let number = self.sets.len() as u32;
        let set: Arc<[u32]> = set.into();
        let found = *self.numbers.entry(set.clone()).or_insert(number);
        if found == number {
            let bytes = size_of_val(&set[..]) as u64;
            let taken = self.account.take(bytes);
            taken.map_err(|_| Unknown::Stopped(StopReason::Memory))?;
            self.sets.push(set);
        }
        Ok(found)
    }

    fn state(&mut self, set: &[u32], guard: &mut Guard<'_>) -> Result<State, Unknown> {
        let is_divergent = set.iter().any(|&state| self.divergent[state as usize]);
        if is_divergent {
            return Ok(State {
                edges: Vec::new(),
                acceptances: [].into(),
                is_divergent,
            });
        }
        let visible = set.iter().flat_map(|&state| self.explicit.edges(state));
        let visible = visible.filter(|(label, _)| *label != Label::TAU);
        let mut visible: Vec<(Label, u32)> = visible.copied().collect();
        visible.sort_unstable();
        visible.dedup();
        let acceptances = match self.model {
            Model::Traces => [].into(),
            Model::Failures | Model::FailuresDivergences => self.acceptances(set),
        };
        let mut edges = Vec::new();
        for group in visible.chunk_by(|one, other| one.0 == other.0) {
            guard.tick()?;
            let targets: Vec<u32> = group.iter().map(|&(_, target)| target).collect();
            edges.push((group[0].0, self.set(&targets)?));
        }
        Ok(State {
            edges,
            acceptances,
            is_divergent,
        })
    }

    fn acceptances(&mut self, set: &[u32]) -> Acceptances {
        let mut all: Vec<Box<[Label]>> = Vec::new();
        for &state in set {
            let edges = self.explicit.edges(state);
            let mut offered: Vec<Label> = edges.iter().map(|&(label, _)| label).collect();
            offered.dedup();
            if offered.contains(&Label::TICK) {
                all.push([Label::TICK].into());
            } else if !offered.contains(&Label::TAU) {
                all.push(offered.into());
            }
        }
        let minimal: Acceptances = minimal(all).into();
        self.known.entry(minimal.clone()).or_insert(minimal).clone()
    }
}

/// Those of some sorted sets that no other is part of, in order.
fn minimal(mut sets: Vec<Box<[Label]>>) -> Vec<Box<[Label]>> {
    sets.sort_by(|one, other| (one.len(), one).cmp(&(other.len(), other)));
    sets.dedup();
    let mut kept: Vec<Box<[Label]>> = Vec::new();
    for set in sets {
        let contains = |smaller: &[Label]| {
            let mut labels = smaller.iter();
            labels.all(|label| set.binary_search(label).is_ok())
        };
        if !kept.iter().any(|smaller| contains(smaller)) {
            kept.push(set);
        }
    }
    kept.sort();
    kept
}

/// The states up to bisimulation, in the order in which classes are met.
fn quotient(states: Vec<State>) -> Vec<State> {
    let mut numbers = HashMap::new();
    let mut classes: Vec<u32> = states
        .iter()
        .map(|state| {
            number(
                &mut numbers,
                (state.acceptances.clone(), state.is_divergent),
            )
        })
        .collect();
    let mut n_classes = numbers.len();
    let signature = |state: &State, classes: &[u32]| -> Vec<(Label, u32)> {
        let edges = state.edges.iter();
        edges
            .map(|&(label, target)| (label, classes[target as usize]))
            .collect()
    };
    loop {
        let mut numbers = HashMap::new();
        let both = states.iter().zip(&classes);
        let next = both
            .map(|(state, &class)| number(&mut numbers, (class, signature(state, &classes))))
            .collect();
        classes = next;
        if numbers.len() == n_classes {
            break;
        }
        n_classes = numbers.len();
    }
    let mut made: Vec<State> = Vec::with_capacity(n_classes);
    for (state, &class) in states.iter().zip(&classes) {
        if class as usize == made.len() {
            made.push(State {
                edges: signature(state, &classes),
                acceptances: state.acceptances.clone(),
                is_divergent: state.is_divergent,
            });
        }
    }
    made
}

/// The number of a key: as many as there are others, if it is new.
fn number<K: Eq + Hash>(numbers: &mut HashMap<K, u32>, key: K) -> u32 {
    let next = numbers.len() as u32;
    *numbers.entry(key).or_insert(next)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::refinement::Limits;
    use model::network::Leaf;
    use std::time::Duration;

    pub fn guard() -> Guard<'static> {
        Guard::new(Limits {
            spec_states_max: 1000,
            pairs_max: None,
            depth_max: None,
            memory_bytes_max: None,
            clock: base::Clock::ENDLESS,
            progress_every: Duration::MAX,
        })
    }

    pub fn label(name: &str) -> Label {
        match name {
            "t" => Label::TAU,
            "✓" => Label::TICK,
            "a" => Label::event(0),
            "b" => Label::event(1),
            _ => Label::event(2),
        }
    }

    pub fn leaf(n: usize, edges: &[(usize, &str, u32)]) -> Leaf {
        let mut by_state = vec![Vec::new(); n];
        for &(from, name, to) in edges {
            by_state[from].push((label(name), to));
        }
        Leaf::new("P".into(), 0, &by_state)
    }

    fn normal(n: usize, edges: &[(usize, &str, u32)], model: Model) -> Normal {
        Normal::of(&leaf(n, edges), model, &mut guard()).expect("small")
    }

    fn shown(normal: &Normal, state: u32) -> String {
        let mut text = format!("{:?}", normal.edges(state));
        for set in normal.acceptances(state).iter() {
            text += &format!(" {set:?}");
        }
        text
    }

    #[test]
    fn the_example_of_choices() {
        let internal = [(0, "t", 1), (0, "t", 2), (1, "a", 0), (2, "b", 0)];
        let normal_internal = normal(3, &internal, Model::Failures);
        assert_eq!(normal_internal.len(), 1);
        assert_eq!(shown(&normal_internal, 0), "[(e0, 0), (e1, 0)] [e0] [e1]");
        let external = normal(1, &[(0, "a", 0), (0, "b", 0)], Model::Failures);
        assert_eq!(shown(&external, 0), "[(e0, 0), (e1, 0)] [e0, e1]");
        let traces = normal(3, &internal, Model::Traces);
        assert_eq!(shown(&traces, 0), "[(e0, 0), (e1, 0)]");
    }

    #[test]
    fn what_can_end_may_refuse_the_rest() {
        let either = normal(2, &[(0, "✓", 0), (0, "a", 1)], Model::Failures);
        assert_eq!(shown(&either, 0), "[(✓, 1), (e0, 1)] [✓]");
        assert_eq!(shown(&either, 1), "[] []");
    }

    #[test]
    fn divergence_hides_what_follows() {
        let edges = [(0, "t", 0), (0, "a", 1), (1, "b", 1)];
        let hidden = normal(2, &edges, Model::FailuresDivergences);
        assert_eq!((hidden.len(), hidden.is_divergent(0)), (1, true));
        assert_eq!(shown(&hidden, 0), "[]");
        let failures = normal(2, &edges, Model::Failures);
        assert_eq!((failures.len(), failures.is_divergent(0)), (2, false));
        // There is nothing stable at the start, so nothing stable is allowed there.
        assert_eq!(shown(&failures, 0), "[(e0, 1)]");
    }

    #[test]
    fn like_states_are_one() {
        let twice = [(0, "a", 1), (1, "a", 2), (2, "a", 0)];
        assert_eq!(normal(3, &twice, Model::Failures).len(), 1);
        let other = [(0, "a", 1), (1, "a", 2), (2, "b", 0)];
        assert_eq!(normal(3, &other, Model::Traces).len(), 3);
    }

    #[test]
    fn sets_that_are_too_many_are_a_limit() {
        // After a word over {a, b}: which of the last ten letters were a.
        let mut edges: Vec<(usize, &str, u32)> = vec![(0, "a", 0), (0, "b", 0), (0, "a", 1)];
        for i in 1..10 {
            edges.extend([(i, "a", i as u32 + 1), (i, "b", i as u32 + 1)]);
        }
        let found = Normal::of(&leaf(11, &edges), Model::Traces, &mut guard());
        assert_eq!(found.map(|_| ()), Err(Unknown::Normal(1000)));
        let mut small = guard();
        small.limits.spec_states_max = u64::MAX;
        // With room for all 1024 they turn out to be one: a and b are always possible.
        let all = Normal::of(&leaf(11, &edges), Model::Traces, &mut small);
        assert_eq!(all.map(|normal| normal.len()), Ok(1));
        // Not enough for all of the sets.
        let explicit = Explicit::of(&leaf(11, &edges), &mut small).expect("eleven states");
        let sets = Subsets::new(&explicit, Model::Traces, Some(10_000)).states(&mut small);
        let memory = Unknown::Stopped(StopReason::Memory);
        assert_eq!(sets.map(|_| ()), Err(memory));
        let mut strict = guard();
        strict.limits.spec_states_max = 10;
        let found = Normal::of(&leaf(11, &edges), Model::Traces, &mut strict);
        assert_eq!(found.map(|_| ()), Err(Unknown::Specification(10)));
    }
}
