//! What is shown of a violation: a run of the process, and what is wrong at its end.
//!
//! A search gives a path of representative pairs. Here the events between them and the symmetries
//! are found again, the path is straightened as `twist` says, and each transition of the run is
//! looked up in the plain account of the process, which tells the part of each component as well.
//! What is wrong at the end is found again too, from plain transitions and by following the
//! specification along the real events. If any of this fails there is no counterexample: then
//! something of ours is wrong.

use crate::Symmetry;
use crate::gap::Gap;
use crate::refinement::pairs::What;
use crate::refinement::spec::{Marks, Next, Spec};
use crate::refinement::tuples::Tuples;
use crate::refinement::twist::PairReducer;
use crate::refinement::{Broken, Verdict};
use crate::store::NodeId;
use model::network::{Label, Move, Process, Steps};
use std::collections::HashMap;

/// What shows that something does not hold.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// What the process does.
    pub run: Run,
    /// What is wrong with it.
    pub kind: Kind,
}

/// A run of a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// Where it starts.
    pub initial: Vec<u32>,
    /// Transitions, each with where it leads and the parts of components.
    pub steps: Vec<Move>,
    /// What the search stored where the run is in another state, in order.
    pub stored: Vec<StoredPair>,
}

/// A representative beside a state of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredPair {
    /// After how many steps of the run.
    pub n_steps: usize,
    /// The side of the process.
    pub state: Vec<u32>,
    /// By component: the one that it becomes in the run.
    pub components: Vec<u32>,
}

/// The representatives of longer runs are kept for their beginnings only.
const STORED_MAX: usize = 500;

/// What is wrong with a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Its last event is not allowed there.
    NotAllowed {
        /// That event.
        event: Label,
        /// What would have been.
        allowed: Vec<Label>,
    },
    /// Too little is offered at its end.
    Refusal {
        /// That is offered; everything else is refused.
        offered: Vec<Label>,
        /// One of these would have to be.
        allowed: Vec<Vec<Label>>,
    },
    /// τ can go on for ever at its end.
    Divergence {
        /// τ that follow.
        taus: Vec<Move>,
        /// The last of these leads back to where the one of this number starts.
        loop_from: usize,
    },
    /// Nothing is offered at its end.
    Deadlock,
    /// An event may be done or refused after the same trace.
    Nondeterminism {
        /// Which.
        event: Label,
        /// Which of the two runs does it, at its end.
        done_by: DoneBy,
        /// The other run, with the same trace before the event.
        other: Run,
    },
    /// The trace goes on with an event that cannot be done.
    NoTrace {
        /// Which.
        event: Label,
    },
    /// The trace goes on with an event that is refused at the end of the run.
    Refused {
        /// Which.
        event: Label,
        /// What is offered instead.
        offered: Vec<Label>,
    },
}

/// Which of two runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DoneBy {
    /// The run of the counterexample.
    Run,
    /// The other.
    Other,
}

impl Counterexample {
    /// How many transitions lead to the state in which something is wrong. Searches by breadth
    /// find the same number, whatever stands for what.
    pub fn distance(&self) -> usize {
        let last = usize::from(matches!(self.kind, Kind::NotAllowed { .. }));
        self.run.steps.len() - last
    }
}

impl Run {
    /// A run of no transitions.
    pub fn new(initial: Vec<u32>) -> Run {
        Run {
            initial,
            steps: Vec::new(),
            stored: Vec::new(),
        }
    }

    /// What is seen of it: all labels but τ.
    pub fn trace(&self) -> Vec<Label> {
        let labels = self.steps.iter().map(|step| step.label);
        labels.filter(|&label| label != Label::TAU).collect()
    }

    /// Where it leads.
    pub fn end(&self) -> &[u32] {
        self.steps.last().map_or(&self.initial, |step| &step.state)
    }

    /// What a leaf does in it: the number of the transition and what it does.
    pub fn component(&self, leaf: u32) -> Vec<(usize, Label)> {
        let steps = self.steps.iter().enumerate();
        let parts = steps.flat_map(|(i, step)| step.parts.iter().map(move |&part| (i, part)));
        parts
            .filter(|&(_, (other, _))| other == leaf)
            .map(|(i, (_, label))| (i, label))
            .collect()
    }

    /// Takes a transition of the plain account of the process.
    pub(super) fn take(
        &mut self,
        process: &dyn Process,
        label: Label,
        state: &[u32],
    ) -> Result<(), Broken> {
        let moves = process.moves(self.end()).into_iter();
        let mut fitting = moves.filter(|step| step.label == label && step.state == state);
        let Some(step) = fitting.next() else {
            return Err(self.broken(Gap::Transition));
        };
        self.steps.push(step);
        Ok(())
    }

    pub(super) fn broken(&self, missing: Gap) -> Broken {
        Broken {
            n_steps: self.steps.len(),
            missing,
        }
    }
}

/// What was searched, and what is left of the search.
pub struct Searched<'a> {
    /// What is compared.
    pub process: &'a dyn Process,
    /// With what.
    pub spec: &'a Spec<'a>,
    /// Chose the pairs.
    pub reducer: &'a mut dyn PairReducer,
    /// The pairs by number.
    pub pairs: &'a mut Tuples,
}

/// What a path of pairs shows.
pub(super) fn verdict(
    mut search: Searched<'_>,
    path: &[NodeId],
    what: What,
) -> Result<Verdict, Broken> {
    let (run, lift) = straighten(&mut search, path)?;
    let mut at = 0;
    for label in run.trace() {
        match search.spec.next(at, label) {
            Next::To(next) => at = next,
            Next::Forbidden | Next::Beside => {
                return Err(run.broken(Gap::SpecStep));
            }
        }
    }
    let reducer = &*search.reducer;
    let end = End {
        process: search.process,
        spec: search.spec,
        at,
        run,
    };
    match what {
        What::Forbidden(label) => end.forbidden(reducer.move_label(&lift, label)),
        What::Refusal => end.refusal(),
        What::Divergence => end.divergence(),
        What::NoGoal => end.no_trace(),
        What::Goal if end.spec.is_goal(at) => Ok(Verdict::Holds(Some(end.run.into()))),
        What::Goal => Err(end.run.broken(Gap::Goal)),
    }
}

/// The run that a path of representatives stands for, and the symmetry that makes its end of that
/// of the path.
fn straighten(search: &mut Searched<'_>, path: &[NodeId]) -> Result<(Run, Symmetry), Broken> {
    let mut run = Run::new(search.process.initial());
    let n = run.initial.len() + 1;
    let (mut parent, mut child) = (vec![0; n], vec![0; n]);
    let mut state = run.initial.clone();
    let spec = search.reducer.represent(0, &mut state);
    search.pairs.tuple(path[0].index() as u32, &mut parent);
    if parent[0] != spec || parent[1..] != state {
        return Err(run.broken(Gap::FirstPair));
    }
    let mut lift = Symmetry::default().after_undoing(&search.reducer.symmetry());
    keep_stored(search, &mut run, &lift, &parent[1..]);
    for node in &path[1..] {
        search.pairs.tuple(node.index() as u32, &mut child);
        let Some((label, by)) = between(search, &parent, &child) else {
            return Err(run.broken(Gap::PairStep));
        };
        let label = search.reducer.move_label(&lift, label);
        lift = lift.after_undoing(&by);
        state.copy_from_slice(&child[1..]);
        search.reducer.move_pair(&lift, child[0], &mut state);
        run.take(search.process, label, &state)?;
        keep_stored(search, &mut run, &lift, &child[1..]);
        std::mem::swap(&mut parent, &mut child);
    }
    Ok((run, lift))
}

/// Keeps what the search stored where the run is, if that is another state.
fn keep_stored(search: &Searched<'_>, run: &mut Run, lift: &Symmetry, state: &[u32]) {
    if state == run.end() || run.stored.len() >= STORED_MAX {
        return;
    }
    let components = state.iter().zip(0..);
    let components = components.map(|(s, one)| search.reducer.move_component(lift, one, *s));
    run.stored.push(StoredPair {
        n_steps: run.steps.len(),
        state: state.to_vec(),
        components: components.collect(),
    });
}

/// The first step from one pair to another, and the symmetry that carries where it leads to the
/// other.
fn between(search: &mut Searched<'_>, from: &[u32], to: &[u32]) -> Option<(Label, Symmetry)> {
    let mut steps = Steps::new();
    search.process.steps(&from[1..], &mut steps);
    let mut state = from[1..].to_vec();
    for (i, &label) in steps.labels().iter().enumerate() {
        let next = match label {
            Label::TAU => Next::To(from[0]),
            _ => search.spec.next(from[0], label),
        };
        let Next::To(next) = next else {
            continue;
        };
        state.copy_from_slice(steps.state(i));
        let spec = search.reducer.represent(next, &mut state);
        if spec == to[0] && state == to[1..] {
            return Some((label, search.reducer.symmetry()));
        }
    }
    None
}

/// The end of a run, and the state of the specification there.
struct End<'a> {
    process: &'a dyn Process,
    spec: &'a Spec<'a>,
    at: u32,
    run: Run,
}

impl End<'_> {
    fn shown(self, kind: Kind) -> Result<Verdict, Broken> {
        let run = self.run;
        Ok(Verdict::Violated(Box::new(Counterexample { run, kind })))
    }

    fn forbidden(mut self, event: Label) -> Result<Verdict, Broken> {
        let moves = self.process.moves(self.run.end()).into_iter();
        let Some(step) = moves.into_iter().find(|step| step.label == event) else {
            return Err(self.run.broken(Gap::ForbiddenEvent));
        };
        let Spec::Normal(normal) = self.spec else {
            return Err(self.run.broken(Gap::ForbiddingSpec));
        };
        if self.spec.next(self.at, event) != Next::Forbidden {
            return Err(self.run.broken(Gap::ReasonToForbid));
        }
        self.run.steps.push(step);
        let edges = normal.edges(self.at).iter();
        let allowed = edges.map(|&(label, _)| label).collect();
        self.shown(Kind::NotAllowed { event, allowed })
    }

    fn refusal(self) -> Result<Verdict, Broken> {
        let moves = self.process.moves(self.run.end());
        let mut offered: Vec<Label> = moves.iter().map(|step| step.label).collect();
        offered.sort_unstable();
        offered.dedup();
        if offered.contains(&Label::TICK) {
            offered = vec![Label::TICK];
        }
        let mut marks = Marks::new(self.spec.n_labels());
        marks.fill(&offered);
        let is_fine = offered.contains(&Label::TAU)
            || self.spec.allows_all(self.at)
            || !self.spec.minds_refusals()
            || self.spec.accepts(self.at, &offered, &marks);
        if is_fine {
            return Err(self.run.broken(Gap::RefusingState));
        }
        let kind = match self.spec {
            Spec::Normal(normal) => {
                let sets = normal.acceptances(self.at).iter();
                let allowed = sets.map(|set| set.to_vec()).collect();
                Kind::Refusal { offered, allowed }
            }
            Spec::Free { .. } => Kind::Deadlock,
            Spec::Trace { events, .. } => Kind::Refused {
                event: events[self.at as usize],
                offered,
            },
        };
        self.shown(kind)
    }

    fn divergence(self) -> Result<Verdict, Broken> {
        if self.spec.allows_all(self.at) || !self.spec.minds_divergence() {
            return Err(self.run.broken(Gap::ReasonNotToDiverge));
        }
        match lasso(self.process, self.run.end()) {
            Some((taus, loop_from)) => self.shown(Kind::Divergence { taus, loop_from }),
            None => Err(self.run.broken(Gap::TauCycle)),
        }
    }

    fn no_trace(self) -> Result<Verdict, Broken> {
        match self.spec {
            Spec::Trace { events, .. } if !self.spec.is_goal(self.at) => {
                let event = events[self.at as usize];
                self.shown(Kind::NoTrace { event })
            }
            _ => Err(self.run.broken(Gap::Trace)),
        }
    }
}

/// τ from a state that end where one of them starts, and which.
fn lasso(process: &dyn Process, from: &[u32]) -> Option<(Vec<Move>, usize)> {
    let taus = |state: &[u32]| {
        let moves = process.moves(state).into_iter();
        let taus: Vec<Move> = moves.filter(|step| step.label == Label::TAU).collect();
        taus.into_iter()
    };
    // By state: its place on the path, or none if it was left behind.
    let mut places: HashMap<Vec<u32>, Option<usize>> = HashMap::new();
    let mut path: Vec<Move> = Vec::new();
    let mut waiting = vec![taus(from)];
    places.insert(from.to_vec(), Some(0));
    while let Some(steps) = waiting.last_mut() {
        let Some(step) = steps.next() else {
            waiting.pop();
            let left = path.pop().map(|step| step.state);
            places.insert(left.unwrap_or_else(|| from.to_vec()), None);
            continue;
        };
        match places.get(&step.state) {
            Some(&Some(place)) => {
                path.push(step);
                return Some((path, place));
            }
            Some(None) => {}
            None => {
                waiting.push(taus(&step.state));
                places.insert(step.state.clone(), Some(path.len() + 1));
                path.push(step);
            }
        }
    }
    None
}
