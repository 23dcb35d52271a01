//! A process beside itself: pairs of states that the same trace leads to.
//!
//! Both sides do the same events, and each its own τ. A pair is bad if the first refuses what the
//! second does: then the process is not deterministic in the model of failures. A system like
//! [`super::pairs`], searched by the same loop.
//!
//! Worked example. `P = (a -> STOP) |~| (b -> STOP)` has states 0 with two τ, 1 that offers `a`, 2
//! that offers `b`. From (0,0) τ lead to (1,0), (2,0), (0,1) and (0,2). In (0,1) the first has τ
//! and refuses nothing; (2,1) is bad: 2 refuses `a`, and 1 does it.

use crate::Identity;
use crate::gap::Gap;
use crate::options::Observer;
use crate::outcome::{Ended, Violation};
use crate::refinement::answer::{nodes, search, unknown};
use crate::refinement::counterexample::{Counterexample, DoneBy, Kind, Run};
use crate::refinement::determinism::refuses;
use crate::refinement::pairs::{Following, What, fault_text, follow, step_text};
use crate::refinement::tuples::{Layout, Tuples};
use crate::refinement::{Broken, Counts, Limits, Outcome, Verdict};
use crate::search::walk::{Context, Made};
use crate::store::{NodeId, Recall};
use model::network::{Label, Process, Steps};
use std::ops::ControlFlow;
use system::{Fault, FaultText, Initial, Move, Rest, Scratch, StepText, System, Taken};

/// Pairs of states of one process.
struct Twice<'a> {
    process: &'a dyn Process,
    layout: Layout,
}

/// Memory of the system.
struct TwiceMemory {
    tuple: Vec<u32>,
    steps: [Steps; 2],
    target: Vec<u8>,
}

/// A successor of a pair.
struct Way {
    /// What is seen of it.
    label: Label,
    moving: Moving,
    /// Both states after it.
    both: Vec<u32>,
}

/// Which of two states moves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moving {
    First,
    Second,
    Both,
}

/// Whether the process is deterministic in the model of failures.
pub fn outcome(
    process: &dyn Process,
    limits: Limits<'_>,
    observer: &mut Observer<'_>,
) -> Result<Outcome, Broken> {
    let sizes = process.sizes();
    let both = sizes.iter().chain(sizes).copied();
    let layout = Layout::new(std::iter::once(1).chain(both));
    let mut pairs = Tuples::with(layout.clone());
    let system = Twice { process, layout };
    let mut scratch = system.scratch();
    let made = Made {
        reducer: &mut Identity,
        store: &mut pairs,
    };
    let context = Context {
        observer,
        scratch: &mut scratch,
    };
    let left = search(&system, made, limits, context);
    let error = left.findings.iter().find(|f| f.violation.is_error());
    let verdict = match (left.ended, error) {
        (Ended::Stopped(reason), _) => Verdict::Unknown(unknown(reason, limits)),
        (_, Some(found)) => {
            let shown = system.shown(&mut pairs, &nodes(found), found.violation)?;
            Verdict::Violated(Box::new(shown))
        }
        (_, None) => Verdict::Holds(None),
    };
    Ok(Outcome {
        verdict,
        counts: Counts {
            n_pairs: left.counts.n_states,
            n_full: None,
            // One way leads to the initial pair, and is no transition.
            n_transitions: left.counts.n_transitions.saturating_sub(1),
            n_normal: 1,
            depth: left.depth_at_end,
        },
        peak_bytes: left.memory.peak_bytes,
        elapsed: left.elapsed,
    })
}

impl Twice<'_> {
    /// Makes the memory that of a pair, given packed.
    fn look_at(&self, state: &[u8], memory: &mut TwiceMemory) {
        self.layout.unpack(state, &mut memory.tuple);
        let (first, second) = memory.tuple[1..].split_at(memory.tuple.len() / 2);
        let [left, right] = &mut memory.steps;
        self.process.steps(first, left);
        self.process.steps(second, right);
    }

    /// Where the pair in memory leads.
    fn ways(&self, memory: &TwiceMemory) -> Vec<Way> {
        let (first, second) = memory.tuple[1..].split_at(memory.tuple.len() / 2);
        let [left, right] = &memory.steps;
        let mut ways = Vec::new();
        let mut way = |label, moving, sides: [&[u32]; 2]| {
            let both = sides.concat();
            ways.push(Way {
                label,
                moving,
                both,
            });
        };
        for (i, &label) in left.labels().iter().enumerate() {
            if label == Label::TAU {
                way(label, Moving::First, [left.state(i), second]);
                continue;
            }
            let others = right.labels().iter().enumerate();
            for (j, _) in others.filter(|&(_, &other)| other == label) {
                way(label, Moving::Both, [left.state(i), right.state(j)]);
            }
        }
        for (j, &label) in right.labels().iter().enumerate() {
            if label == Label::TAU {
                way(label, Moving::Second, [first, right.state(j)]);
            }
        }
        ways
    }

    /// The runs to a bad pair: the first refuses the event that the second ends with.
    fn shown(
        &self,
        pairs: &mut Tuples,
        path: &[NodeId],
        violation: Violation,
    ) -> Result<Counterexample, Broken> {
        let initial = self.process.initial();
        let n = initial.len();
        let mut runs = [Run::new(initial.clone()), Run::new(initial)];
        let Violation::Fault(fault) = violation else {
            return Err(runs[0].broken(Gap::BadPair));
        };
        let What::Forbidden(event) = What::of(fault) else {
            return Err(runs[0].broken(Gap::RefusedEvent));
        };
        let mut scratch = self.scratch();
        let memory = scratch.content::<TwiceMemory>();
        let (mut from, mut child) = (Vec::new(), vec![0; 2 * n + 1]);
        for nodes in path.windows(2) {
            pairs.load(nodes[0], &mut from);
            self.look_at(&from, memory);
            pairs.tuple(nodes[1].index() as u32, &mut child);
            let ways = self.ways(memory).into_iter();
            let mut fitting = ways.filter(|way| way.both[..] == child[1..]);
            let Some(way) = fitting.next() else {
                return Err(runs[0].broken(Gap::PairStep));
            };
            if way.moving != Moving::Second {
                runs[0].take(self.process, way.label, &way.both[..n])?;
            }
            if way.moving != Moving::First {
                runs[1].take(self.process, way.label, &way.both[n..])?;
            }
        }
        let [run, mut other] = runs;
        let moves = self.process.moves(other.end());
        let Some(last) = moves.into_iter().find(|step| step.label == event) else {
            return Err(other.broken(Gap::EventRefused));
        };
        other.steps.push(last);
        let kind = Kind::Nondeterminism {
            event,
            done_by: DoneBy::Other,
            other,
        };
        Ok(Counterexample { run, kind })
    }
}

impl System for Twice<'_> {
    fn scratch(&self) -> Scratch {
        Scratch::new(TwiceMemory {
            tuple: vec![0; self.layout.len()],
            steps: [Steps::new(), Steps::new()],
            target: vec![0; self.layout.n_bytes()],
        })
    }

    fn initial(&self, _: &mut Scratch, out: &mut dyn FnMut(Initial<'_>)) {
        let initial = self.process.initial();
        let mut packed = vec![0; self.layout.n_bytes()];
        let both = [&initial[..], &initial].concat();
        self.layout.pack(0, &both, &mut packed);
        out(Ok(&packed));
    }

    fn successors(
        &self,
        state: &[u8],
        scratch: &mut Scratch,
        out: &mut dyn FnMut(Move<'_>) -> ControlFlow<()>,
    ) -> Rest {
        let memory = scratch.content::<TwiceMemory>();
        self.look_at(state, memory);
        let mut rest = Rest::End;
        for (i, way) in self.ways(memory).iter().enumerate() {
            rest = Rest::Moves;
            self.layout.pack(0, &way.both, &mut memory.target);
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

    /// What the first refuses of what the second does.
    fn wrong(&self, state: &[u8], scratch: &mut Scratch, out: &mut dyn FnMut(Fault)) {
        let memory = scratch.content::<TwiceMemory>();
        self.look_at(state, memory);
        let first = &memory.tuple[1..=self.layout.len() / 2];
        let mut visible = memory.steps[1].labels().iter();
        let refused = |&&label: &&Label| label != Label::TAU && refuses(self.process, first, label);
        if let Some(&label) = visible.find(refused) {
            out(What::Forbidden(label).fault());
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
        let memory = scratch.content::<TwiceMemory>();
        self.look_at(state, memory);
        let ways = self.ways(memory);
        step_text(ways.get(step.0 as usize).map(|way| way.label))
    }

    fn describe(&self, state: &[u8], out: &mut dyn FnMut(&str, &str)) {
        let mut tuple = vec![0; self.layout.len()];
        self.layout.unpack(state, &mut tuple);
        let n = tuple.len() / 2;
        for (i, value) in tuple[1..].iter().enumerate() {
            let side = if i < n { "first" } else { "second" };
            out(&format!("{side}, leaf {}", i % n), &value.to_string());
        }
    }

    fn locations(&self, _: &[u8], _: &mut dyn FnMut(&str, &str)) {}

    fn fault_text(&self, fault: Fault) -> FaultText {
        fault_text(match What::of(fault) {
            What::Forbidden(label) => format!("{label:?} is done by one and refused by the other"),
            other => format!("{other:?}"),
        })
    }

    fn covered<'a>(&self, _: &'a Scratch) -> &'a [bool] {
        &[]
    }

    fn not_covered(&self, _: &[bool]) -> Vec<StepText> {
        Vec::new()
    }
}
