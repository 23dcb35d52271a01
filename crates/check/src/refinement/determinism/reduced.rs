//! Determinism with symmetry: a process beside what is kept of it, pairs up to symmetry.
//!
//! What is kept of a process need not be symmetric, so the search without symmetry cannot use any.
//! This one keeps nothing beforehand. Its pairs are a *settled* state `x` (one without τ, or one
//! that can end) and any state `y` that the same trace leads to. `y` makes each of its moves; where
//! that is an event, `x` makes one move of its own with it, the first, and settles. A pair is bad
//! if one of the two does what the other refuses. Of pairs that symmetries make of each other, both
//! sides moved alike, one is kept: that of the representative of `y`.
//!
//! **A bad pair shows that the process is not deterministic**, for both sides are runs of it with
//! one trace. **Without a bad pair it is deterministic**, if it does not diverge. Which moves `x`
//! makes differs from pair to pair, so that it is no function of the trace; but
//!
//! 1. each state `y` that a trace leads to is the second of a pair, by induction along its run;
//! 2. so is each first `x`, as it is reached by that trace, too: say, of a pair (x', x). From there
//!    all states that `e` leads to from `x` have one partner, the same for all;
//! 3. so if (x, y) is a pair, what `e` leads to from `x` is connected by pairs, and what it leads
//!    to from `y` is connected to some of that; and as neither refuses what the other does, none
//!    of the two is empty where the other is not. By induction all states that one trace leads to
//!    are connected, so they offer and refuse the same.
//!
//! Worked example. `||| i:{1..3} @ a.i -> STOP` has eight states, and four up to symmetry: nothing
//! done, one, two, three. Each is the pair of itself with itself. In
//! `||| i:{1..3} @ (a.i -> STOP [] a.i -> b.i -> STOP)` the first `a` leads to a bad pair.
//!
//! Divergence is looked for before, with the same symmetry. Where there is a bad pair, or a
//! divergence, the search without symmetry follows, which shows it.

use super::{kept_edges, refuses, settled};
use crate::outcome::Ended;
use crate::refinement::answer::{search, unknown};
use crate::refinement::pairs::{Following, What, fault_text, follow, step_text};
use crate::refinement::tuples::{Layout, Tuples};
use crate::refinement::twist::PairReducer;
use crate::refinement::{
    Broken, Counts, Guard, Limits, Outcome, Setting, Unknown, Verdict, divergence_free,
};
use crate::search::walk::{Context, Made};
use crate::{Guarantee, Reducer, Symmetry};
use model::network::{Label, Process, Steps};
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use system::{Fault, FaultText, Initial, Move, Rest, Scratch, StepText, System, Taken};

/// What is known after the search with symmetry.
pub(super) enum Found {
    /// The answer, which is not that the process is not deterministic.
    Answer(Outcome),
    /// It is not deterministic.
    Bad,
    /// It diverges.
    Diverges,
}

/// What the symmetries of the reducer say about determinism.
pub(super) fn found(process: &dyn Process, setting: &mut Setting<'_>) -> Result<Found, Broken> {
    let mut same = Setting {
        reducer: &mut *setting.reducer,
        limits: setting.limits,
        observer: &mut *setting.observer,
    };
    let free = divergence_free(process, &mut same)?;
    match free.verdict {
        Verdict::Holds(_) => {}
        Verdict::Violated(_) => return Ok(Found::Diverges),
        Verdict::Unknown(_) => return Ok(Found::Answer(free)),
    }
    let sizes = process.sizes();
    let both = sizes.iter().chain(sizes).copied();
    let layout = Layout::new(std::iter::once(1).chain(both));
    let mut pairs = Tuples::with(layout.clone());
    let mut guard = Guard::new(setting.limits);
    let start = match settled(process, process.initial(), &mut guard) {
        Err(unknown) => return Ok(Found::Answer(guard.gave_up(unknown))),
        Ok(mut path) => path.pop(),
    };
    let Some(start) = start else {
        return Ok(Found::Diverges);
    };
    let system = Beside {
        process,
        layout,
        start,
        limits: setting.limits,
        lost: Mutex::new(None),
    };
    let mut reducer = BySecond {
        layout: system.layout.clone(),
        inner: &mut *setting.reducer,
        tuple: vec![0; system.layout.len()],
    };
    let mut scratch = system.scratch();
    let made = Made {
        reducer: &mut reducer,
        store: &mut pairs,
    };
    let context = Context {
        observer: &mut *setting.observer,
        scratch: &mut scratch,
    };
    let left = search(&system, made, setting.limits, context);
    let is_bad = left.findings.iter().any(|f| f.violation.is_error());
    let verdict = match left.ended {
        Ended::Stopped(reason) => Verdict::Unknown(unknown(reason, setting.limits)),
        _ if is_bad => return Ok(Found::Bad),
        _ => match system.lost() {
            Some(unknown) => Verdict::Unknown(unknown),
            None => Verdict::Holds(None),
        },
    };
    Ok(Found::Answer(Outcome {
        verdict,
        counts: Counts {
            n_pairs: left.counts.n_states,
            n_full: None,
            // One way leads to the initial pair, and is no transition.
            n_transitions: left.counts.n_transitions.saturating_sub(1),
            n_normal: 1,
            depth: left.depth_at_end,
        },
        peak_bytes: free.peak_bytes.max(left.memory.peak_bytes),
        elapsed: free.elapsed + left.elapsed,
    }))
}

/// Keeps, of pairs that are alike, one whose second side is the representative of its orbit.
struct BySecond<'a> {
    layout: Layout,
    inner: &'a mut dyn PairReducer,
    tuple: Vec<u32>,
}

impl Reducer for BySecond<'_> {
    fn reduce(&mut self, state: &mut [u8]) {
        self.layout.unpack(state, &mut self.tuple);
        let n = self.tuple.len() / 2;
        let (first, second) = self.tuple[1..].split_at_mut(n);
        self.inner.represent(0, second);
        let symmetry = self.inner.symmetry();
        self.inner.move_pair(&symmetry, 0, first);
        self.layout.pack(0, &self.tuple[1..], state);
    }

    fn symmetry(&mut self) -> Option<Symmetry> {
        None
    }

    fn apply(&self, _: &Symmetry, state: &[u8], out: &mut Vec<u8>) {
        out.clear();
        out.extend_from_slice(state);
    }

    fn is_identity(&self) -> bool {
        false
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Approximate
    }

    fn last_orbit_size(&self) -> Option<u128> {
        None
    }

    fn bytes(&self) -> u64 {
        self.inner.bytes()
    }
}

/// Pairs of a settled state and one that the same trace leads to.
struct Beside<'a> {
    process: &'a dyn Process,
    layout: Layout,
    /// Where the first side starts.
    start: Vec<u32>,
    limits: Limits<'a>,
    /// Why some first side did not settle.
    lost: Mutex<Option<Unknown>>,
}

/// Memory of the system.
struct BesideMemory {
    tuple: Vec<u32>,
    steps: Steps,
    target: Vec<u8>,
}

impl Beside<'_> {
    /// By move of the second side: its label, and the pair after it. Where the first side does not
    /// do it, or cannot settle, there is none: such a pair is bad.
    fn ways(&self, memory: &mut BesideMemory) -> Vec<(Label, Option<Vec<u32>>)> {
        let n = memory.tuple.len() / 2;
        let (first, second) = memory.tuple[1..].split_at(n);
        self.process.steps(second, &mut memory.steps);
        let kept = kept_edges(self.process, first);
        let labels = memory.steps.labels().iter().enumerate();
        let ways = labels.map(|(i, &label)| {
            let after = memory.steps.state(i);
            let beside = if label == Label::TAU {
                Some(first.to_vec())
            } else {
                let edge = kept.iter().find(|(other, _)| *other == label);
                edge.and_then(|(_, target)| self.settle(target.clone()))
            };
            (label, beside.map(|beside| [&beside[..], after].concat()))
        });
        ways.collect()
    }

    /// Where τ lead to from a state; nothing if a limit came first, which is kept in mind.
    fn settle(&self, state: Vec<u32>) -> Option<Vec<u32>> {
        let mut guard = Guard::new(self.limits);
        match settled(self.process, state, &mut guard) {
            Ok(mut path) => path.pop(),
            Err(unknown) => {
                let mut lost = self.lost.lock().unwrap_or_else(PoisonError::into_inner);
                lost.get_or_insert(unknown);
                None
            }
        }
    }

    fn lost(&self) -> Option<Unknown> {
        *self.lost.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl System for Beside<'_> {
    fn scratch(&self) -> Scratch {
        Scratch::new(BesideMemory {
            tuple: vec![0; self.layout.len()],
            steps: Steps::new(),
            target: vec![0; self.layout.n_bytes()],
        })
    }

    fn initial(&self, _: &mut Scratch, out: &mut dyn FnMut(Initial<'_>)) {
        let mut packed = vec![0; self.layout.n_bytes()];
        let both = [&self.start[..], &self.process.initial()].concat();
        self.layout.pack(0, &both, &mut packed);
        out(Ok(&packed));
    }

    fn successors(
        &self,
        state: &[u8],
        scratch: &mut Scratch,
        out: &mut dyn FnMut(Move<'_>) -> ControlFlow<()>,
    ) -> Rest {
        let memory = scratch.content::<BesideMemory>();
        self.layout.unpack(state, &mut memory.tuple);
        let mut rest = Rest::End;
        for (i, (_, both)) in self.ways(memory).iter().enumerate() {
            let Some(both) = both else {
                continue;
            };
            rest = Rest::Moves;
            self.layout.pack(0, both, &mut memory.target);
            let mv = Move {
                steps: &[Taken(i as u64)],
                faults: &[],
                state: Some(&memory.target),
                n_alike: 1,
            };
            if out(mv).is_break() {
                break;
            }
        }
        rest
    }

    /// What one of the two refuses of what the other does.
    fn wrong(&self, state: &[u8], scratch: &mut Scratch, out: &mut dyn FnMut(Fault)) {
        let memory = scratch.content::<BesideMemory>();
        self.layout.unpack(state, &mut memory.tuple);
        let (first, second) = memory.tuple[1..].split_at(memory.tuple.len() / 2);
        let sides = [(first, second), (second, first)];
        for (one, other) in sides {
            let done = self.process.moves(one).into_iter().map(|step| step.label);
            let mut visible = done.filter(|label| *label != Label::TAU);
            if let Some(label) = visible.find(|label| refuses(self.process, other, *label)) {
                out(What::Forbidden(label).fault());
                return;
            }
        }
    }

    fn follow(
        &self,
        state: &[u8],
        steps: &[Taken],
        scratch: &mut Scratch,
        out: &mut dyn FnMut(Taken, &[u8], &str),
    ) -> bool {
        follow(self, state, steps, &mut Following { scratch, out })
    }

    fn step_text(&self, state: &[u8], step: Taken) -> StepText {
        let mut scratch = self.scratch();
        let memory = scratch.content::<BesideMemory>();
        self.layout.unpack(state, &mut memory.tuple);
        let ways = self.ways(memory);
        step_text(ways.get(step.0 as usize).map(|way| way.0))
    }

    fn describe(&self, _: &[u8], _: &mut dyn FnMut(&str, &str)) {}

    fn locations(&self, _: &[u8], _: &mut dyn FnMut(&str, &str)) {}

    fn fault_text(&self, fault: Fault) -> FaultText {
        fault_text(format!("{:?}", What::of(fault)))
    }

    fn covered<'a>(&self, _: &'a Scratch) -> &'a [bool] {
        &[]
    }

    fn not_covered(&self, _: &[bool]) -> Vec<StepText> {
        Vec::new()
    }
}
