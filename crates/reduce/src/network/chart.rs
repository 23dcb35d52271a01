//! A specification in normal form as permutations see it.
//!
//! A trace leads to one state, so that a permutation of events moves states in one way at most: the
//! start stays, and where an event leads from a state, its image leads from the image of the state.
//! What states may refuse and whether they diverge has to be kept. The specification is *symmetric*
//! if that works out, and *universally* symmetric if no state moves.
//!
//! Worked example. Mutual exclusion: `enter.1` leads from the start to 1, `enter.2` to 2, `leave`
//! back. Under (1 2) the start stays and 1 and 2 are exchanged: symmetric, not universally so. Were
//! `enter.2` missing, the image of `enter.1` would lead nowhere.

use super::fit::renamed;
use super::refusal::{NoSymmetry, SpecificationChange};
use model::network::Label;
use std::collections::VecDeque;
use std::sync::Arc;

/// Events a state may offer at least, each set sorted, sets in order.
pub type Acceptances = Arc<[Box<[Label]>]>;

/// States of a normal form; it starts in the first, and all are reached from there.
#[derive(Clone, Debug)]
pub struct Chart {
    /// By state: where labels lead, sorted, each label once.
    pub edges: Vec<Vec<(Label, u32)>>,
    /// By state: minimal acceptances.
    pub acceptances: Vec<Acceptances>,
    /// By state: whether all is allowed from there on.
    pub is_divergent: Vec<bool>,
}

/// What a process is compared with.
#[derive(Clone, Copy, Debug)]
pub enum Specification<'a> {
    /// Something that treats all events alike, with so many states, which do not move.
    Alike(usize),
    /// A trace; states are how much of it was done.
    Trace(&'a [Label]),
    /// A normal form.
    Chart(&'a Chart),
}

impl Specification<'_> {
    /// How many states it has.
    pub fn n_states(&self) -> usize {
        match self {
            Specification::Alike(n) => *n,
            Specification::Trace(events) => events.len() + 1,
            Specification::Chart(chart) => chart.edges.len(),
        }
    }

    /// Marks the events that it names. What moves none of them moves none of its states.
    pub fn mark(&self, marked: &mut [bool]) {
        let mut mark = |label: Label| {
            let event = label.as_event().map(|event| event as usize);
            if let Some(marked) = event.and_then(|event| marked.get_mut(event)) {
                *marked = true;
            }
        };
        match self {
            Specification::Alike(_) => {}
            Specification::Trace(trace) => trace.iter().for_each(|&label| mark(label)),
            Specification::Chart(chart) => {
                // What may be offered leads somewhere.
                let edges = chart.edges.iter().flatten();
                edges.for_each(|&(label, _)| mark(label));
            }
        }
    }

    /// Where a permutation of events takes its states, or what is in the way.
    pub(super) fn moved(
        &self,
        events: &[u32],
        label: &dyn Fn(Label) -> String,
    ) -> Result<Vec<u32>, NoSymmetry> {
        match self {
            Specification::Alike(n) => Ok((0..*n as u32).collect()),
            Specification::Trace(trace) => {
                match trace.iter().find(|&&event| renamed(events, event) != event) {
                    None => Ok((0..=trace.len() as u32).collect()),
                    Some(&event) => Err(NoSymmetry::TraceMoves(label(event))),
                }
            }
            Specification::Chart(chart) => chart.moved(events, label),
        }
    }

    /// A shortest trace to a state that goes elsewhere, if one does.
    pub(super) fn first_moved(
        &self,
        images: &[u32],
        label: &dyn Fn(Label) -> String,
    ) -> Option<Vec<String>> {
        match self {
            Specification::Alike(_) | Specification::Trace(_) => None,
            Specification::Chart(chart) => {
                let trace = chart.first_moved(images)?;
                Some(trace.into_iter().map(label).collect())
            }
        }
    }
}

/// A state of a chart, where it has to go, and how it was reached: from which place in the list of
/// these, by what.
struct Reached {
    state: u32,
    image: u32,
    from: u32,
    by: Label,
}

/// The labels that lead to a place in a list.
fn trace_to(all: &[Reached], mut at: usize) -> Vec<Label> {
    let mut trace = Vec::new();
    while at > 0 {
        trace.push(all[at].by);
        at = all[at].from as usize;
    }
    trace.reverse();
    trace
}

/// Where a label is among sorted edges; `near` is where it is if nothing moved.
fn place(edges: &[(Label, u32)], label: Label, near: usize) -> Option<usize> {
    match edges.get(near) {
        Some(edge) if edge.0 == label => Some(near),
        _ => edges.binary_search_by_key(&label, |edge| edge.0).ok(),
    }
}

impl Chart {
    fn moved(
        &self,
        events: &[u32],
        label: &dyn Fn(Label) -> String,
    ) -> Result<Vec<u32>, NoSymmetry> {
        const NONE: u32 = u32::MAX;
        let mut images = vec![NONE; self.edges.len()];
        let mut all = vec![Reached {
            state: 0,
            image: 0,
            from: 0,
            by: Label::TAU,
        }];
        let mut next = 0;
        while next < all.len() {
            let (at, state, image) = (next, all[next].state, all[next].image);
            next += 1;
            let known = images[state as usize];
            if known == image {
                continue;
            }
            let change = match known {
                NONE => self.fault(state, image, events, label),
                _ => Some(SpecificationChange::TwoImages),
            };
            if let Some(change) = change {
                let trace = trace_to(&all, at).into_iter();
                let after = trace.map(label).collect();
                return Err(NoSymmetry::Specification { after, change });
            }
            images[state as usize] = image;
            let edges = &self.edges[image as usize];
            for (n, &(event, to)) in self.edges[state as usize].iter().enumerate() {
                // Labels were compared.
                let target = place(edges, renamed(events, event), n).map(|at| edges[at].1);
                if let Some(target) = target.filter(|target| images[to as usize] != *target) {
                    all.push(Reached {
                        state: to,
                        image: target,
                        from: at as u32,
                        by: event,
                    });
                }
            }
        }
        let mut seen = vec![false; images.len()];
        let is_bijection = images.iter().all(|&image| {
            let place = seen.get_mut(image as usize);
            place.is_some_and(|seen| !std::mem::replace(seen, true))
        });
        if is_bijection {
            Ok(images)
        } else {
            Err(NoSymmetry::SpecificationMerges)
        }
    }

    fn first_moved(&self, images: &[u32]) -> Option<Vec<Label>> {
        // By state: where it was first reached from, and how.
        let mut before: Vec<Option<(u32, Label)>> = vec![None; self.edges.len()];
        let mut waiting = VecDeque::from([0u32]);
        while let Some(state) = waiting.pop_front() {
            if images[state as usize] != state {
                let mut trace = Vec::new();
                let mut at = state;
                while let Some((from, event)) = before[at as usize] {
                    trace.push(event);
                    at = from;
                }
                trace.reverse();
                return Some(trace);
            }
            for &(event, to) in &self.edges[state as usize] {
                if to != 0 && before[to as usize].is_none() {
                    before[to as usize] = Some((state, event));
                    waiting.push_back(to);
                }
            }
        }
        None
    }

    /// What a state has that its image has not.
    fn fault(
        &self,
        state: u32,
        image: u32,
        events: &[u32],
        label: &dyn Fn(Label) -> String,
    ) -> Option<SpecificationChange> {
        let (s, t) = (state as usize, image as usize);
        for (n, &(event, _)) in self.edges[s].iter().enumerate() {
            let moved = renamed(events, event);
            if place(&self.edges[t], moved, n).is_none() {
                return Some(SpecificationChange::Missing {
                    event: label(event),
                    image: label(moved),
                });
            }
        }
        if self.edges[s].len() != self.edges[t].len() {
            return Some(SpecificationChange::MoreAllowed);
        }
        if self.is_divergent[s] != self.is_divergent[t] {
            return Some(SpecificationChange::Divergence);
        }
        let mut labels = self.acceptances[s].iter().flatten();
        if labels.all(|&event| renamed(events, event) == event) {
            let is_kept = self.acceptances[s] == self.acceptances[t];
            return (!is_kept).then_some(SpecificationChange::Refusals);
        }
        let set = |set: &[Label]| {
            let mut image: Vec<Label> = set.iter().map(|&event| renamed(events, event)).collect();
            image.sort_unstable();
            image
        };
        let mut sets: Vec<Vec<Label>> = self.acceptances[s].iter().map(|a| set(a)).collect();
        sets.sort();
        let others = self.acceptances[t].iter().map(|set| set.to_vec());
        if sets.into_iter().eq(others) {
            None
        } else {
            Some(SpecificationChange::Refusals)
        }
    }
}
