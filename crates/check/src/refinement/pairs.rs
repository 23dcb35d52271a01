//! Pairs of a specification state and a process state, as a system.
//!
//! From a pair `(u, v)` a τ of `v` leads to `(u, v')`; an event leads to `(u', v')`, where `u'` is
//! the one state that the event leads to in the specification. A pair is bad if `v` offers an event
//! that `u` does not know, if `v` has no τ and offers less than each acceptance of `u`, if `v` can
//! do ✓ and {✓} is more than none of them, or if `v` diverges and `u` does not: a fault of the
//! state. A search by breadth that stops at the first is a check of refinement, and no bad pair is
//! reached by fewer transitions.
//!
//! A state is the packed tuple of both sides ([`Layout`]). The transitions of a pair are worked out
//! once, when it is asked what is wrong with it, and kept for the question where it leads.
//!
//! Worked example. `S = a -> b -> S` has normal states 0 and 1; `P = a -> (b -> P |~| STOP)` has
//! states 0, 1 with two τ, 2 that offers `b`, 3 that offers nothing. Pairs: (0,0), by `a` (1,1), by
//! τ (1,2) and (1,3). In the model of traces all are good. In that of failures (1,3) is bad:
//! nothing is offered, and the acceptance of 1 is {b}. The trace is `a`, what is offered {}.

use crate::outcome::StopReason;
use crate::refinement::audit::Expanded;
use crate::refinement::divergence::{Asked, Divergence};
use crate::refinement::spec::{Marks, Next, Spec};
use crate::refinement::tuples::Layout;
use crate::refinement::twist::{PairReducer, Untwisted};
use base::Clock;
use model::network::{Label, Process, Steps};
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use system::{
    Claimed, Fault, FaultKind, FaultText, Initial, Move, Pulse, Rest, Scratch, SiteId, StepText,
    System, Taken,
};

/// A reducer that the search and the system both ask.
pub type Shared<'a> = Mutex<&'a mut dyn PairReducer>;

/// Pairs of a specification state and a process state.
pub struct Pairs<'a> {
    /// What is compared.
    pub process: &'a dyn Process,
    /// With what.
    pub spec: &'a Spec<'a>,
    /// How pairs are packed.
    pub layout: Layout,
    /// Who chooses representatives, if τ are followed over these or pairs are audited.
    pub shared: Option<&'a Shared<'a>>,
    /// What is known of divergence may take so much.
    pub bytes_max: Option<u64>,
    /// When to stop.
    pub clock: Clock<'a>,
}

/// Why a pair ends a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// This is done and forbidden.
    Forbidden(Label),
    /// Too little is offered.
    Refusal,
    /// τ for ever.
    Divergence,
    /// It is what was looked for.
    Goal,
    /// What was looked for was not found, and this comes nearest.
    NoGoal,
}

/// Memory of the system: the pair looked at last, and what was counted and found out.
pub struct PairMemory {
    /// The pair, packed, and not.
    at: Vec<u8>,
    tuple: Vec<u32>,
    steps: Steps,
    target: Vec<u8>,
    marks: Marks,
    divergence: Option<Divergence>,
    /// Why what was asked of the pair has no answer.
    stopped: Option<StopReason>,
    n_expanded: u64,
    n_transitions: u64,
}

/// How many pairs are expanded between two looks at what is known of divergence.
const TICKS: u64 = 256;

impl What {
    /// The fault of a pair. Its site is 0 for a refusal, 1 for divergence, else one more than the
    /// number of the label, which is not τ.
    pub(super) fn fault(self) -> Fault {
        let (kind, site) = match self {
            What::Refusal => (FaultKind::Claim, 0),
            What::Divergence => (FaultKind::Claim, 1),
            What::Forbidden(label) => (FaultKind::Claim, label.index() + 1),
            What::Goal => (FaultKind::Goal, 0),
            What::NoGoal => (FaultKind::Undecided(Claimed::Goal), 0),
        };
        let site = SiteId::new(site);
        Fault { kind, site }
    }

    /// What a fault of a pair says.
    pub fn of(fault: Fault) -> What {
        match (fault.kind, fault.site.index()) {
            (FaultKind::Goal, _) => What::Goal,
            (FaultKind::Undecided(_), _) => What::NoGoal,
            (_, 0) => What::Refusal,
            (_, 1) => What::Divergence,
            (_, 2) => What::Forbidden(Label::TICK),
            (_, site) => What::Forbidden(Label::event(site as u32 - 3)),
        }
    }
}

/// Says how much of a trace was done: no error, and known by the place in the trace.
fn done(spec: u32) -> Fault {
    Fault {
        site: SiteId::new(spec as usize),
        ..What::NoGoal.fault()
    }
}

impl PairMemory {
    /// How many transitions the pairs have that were asked what is wrong with them.
    pub fn n_transitions(&self) -> u64 {
        self.n_transitions
    }

    /// The most that was kept of divergence.
    pub fn peak_bytes(&self) -> u64 {
        self.divergence.as_ref().map_or(0, |d| d.account().peak())
    }
}

impl Pairs<'_> {
    /// Makes the memory that of `state`; nothing more is asked where all is allowed.
    #[inline]
    fn look_at(&self, state: &[u8], memory: &mut PairMemory) {
        memory.at.clear();
        memory.at.extend_from_slice(state);
        self.layout.unpack(state, &mut memory.tuple);
        if self.spec.allows_all(memory.tuple[0]) {
            memory.steps.clear(memory.tuple.len() - 1);
        } else {
            self.process.steps(&memory.tuple[1..], &mut memory.steps);
        }
    }

    /// What is wrong with the pair in memory, of which not everything is allowed.
    #[inline]
    fn judge(&self, memory: &mut PairMemory) -> Result<Option<What>, StopReason> {
        let spec = memory.tuple[0];
        let (mut has_tau, mut has_tick) = (false, false);
        for &label in memory.steps.labels() {
            match label {
                Label::TAU => has_tau = true,
                _ if self.spec.next(spec, label) == Next::Forbidden => {
                    return Ok(Some(What::Forbidden(label)));
                }
                _ => has_tick |= label == Label::TICK,
            }
        }
        if has_tau && self.spec.minds_divergence() && self.diverges(memory)? {
            return Ok(Some(What::Divergence));
        }
        let is_enough = !self.spec.minds_refusals() || self.is_enough(memory, has_tau, has_tick);
        Ok((!is_enough).then_some(What::Refusal))
    }

    /// Whether what the pair offers is enough, if it is stable or may end.
    #[inline]
    fn is_enough(&self, memory: &mut PairMemory, has_tau: bool, has_tick: bool) -> bool {
        let labels = match (has_tick, has_tau) {
            (true, _) => &[Label::TICK],
            (false, true) => return true,
            (false, false) => memory.steps.labels(),
        };
        memory.marks.fill(labels);
        let is_enough = self.spec.accepts(memory.tuple[0], labels, &memory.marks);
        memory.marks.empty(labels);
        is_enough
    }

    fn diverges(&self, memory: &mut PairMemory) -> Result<bool, StopReason> {
        let mut guard = self.shared.map(lock);
        // Without permutations it does not depend on the specification's side.
        let spec = guard.as_ref().map_or(0, |_| memory.tuple[0]);
        let n_spec = guard.as_ref().map_or(1, |_| self.spec.len() as u32);
        let mut plain = Untwisted;
        let mut asked = Asked {
            process: self.process,
            reducer: match &mut guard {
                Some(reducer) => &mut ***reducer,
                None => &mut plain,
            },
            clock: self.clock,
        };
        let divergence = memory
            .divergence
            .get_or_insert_with(|| Divergence::new(self.process, n_spec, self.bytes_max));
        divergence.of(spec, &memory.tuple[1..], &mut asked)
    }

    /// Shows a pair that is expanded to whoever audits.
    fn audit(&self, memory: &PairMemory) {
        let Some(mut reducer) = self.shared.map(lock).filter(|reducer| reducer.audits()) else {
            return;
        };
        reducer.expanded(&Expanded {
            process: self.process,
            spec: self.spec,
            pair: &memory.tuple,
            steps: &memory.steps,
        });
    }

    /// Where a transition leads on the specification's side.
    #[inline]
    fn next(&self, spec: u32, label: Label) -> Next {
        match label {
            Label::TAU => Next::To(spec),
            _ => self.spec.next(spec, label),
        }
    }
}

fn lock<'s, 'a>(shared: &'s Shared<'a>) -> std::sync::MutexGuard<'s, &'a mut dyn PairReducer> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl System for Pairs<'_> {
    fn scratch(&self) -> Scratch {
        Scratch::new(PairMemory {
            at: Vec::new(),
            tuple: vec![0; self.layout.len()],
            steps: Steps::new(),
            target: vec![0; self.layout.n_bytes()],
            marks: Marks::new(self.spec.n_labels()),
            divergence: None,
            stopped: None,
            n_expanded: 0,
            n_transitions: 0,
        })
    }

    fn initial(&self, _: &mut Scratch, out: &mut dyn FnMut(Initial<'_>)) {
        let mut packed = vec![0; self.layout.n_bytes()];
        self.layout.pack(0, &self.process.initial(), &mut packed);
        out(Ok(&packed));
    }

    fn successors(
        &self,
        state: &[u8],
        scratch: &mut Scratch,
        out: &mut dyn FnMut(Move<'_>) -> ControlFlow<()>,
    ) -> Rest {
        self.successors_while(state, scratch, &mut |_| ControlFlow::Continue(()), out)
    }

    #[inline]
    fn successors_while(
        &self,
        state: &[u8],
        scratch: &mut Scratch,
        pulse: Pulse<'_>,
        out: &mut dyn FnMut(Move<'_>) -> ControlFlow<()>,
    ) -> Rest {
        let memory = scratch.content::<PairMemory>();
        // It was asked what is wrong with it just before.
        if memory.at != state {
            self.look_at(state, memory);
        }
        memory.n_expanded += 1;
        // If there was no answer there is no time, or no memory either.
        let held = match (memory.stopped, &memory.divergence) {
            (Some(_), _) => Some(u64::MAX),
            (None, Some(divergence)) if memory.n_expanded.is_multiple_of(TICKS) => {
                Some(divergence.account().used())
            }
            _ => None,
        };
        if held.is_some_and(|held| pulse(held).is_break()) {
            return Rest::Moves;
        }
        let spec = memory.tuple[0];
        let mut rest = Rest::End;
        for (i, &label) in memory.steps.labels().iter().enumerate() {
            let Next::To(next) = self.next(spec, label) else {
                continue;
            };
            rest = Rest::Moves;
            let target = &mut memory.target;
            self.layout.pack(next, memory.steps.state(i), target);
            let mv = Move {
                steps: &[Taken(i as u64)],
                faults: &[],
                state: Some(target),
                n_alike: 1,
            };
            if out(mv).is_break() {
                break;
            }
        }
        rest
    }

    #[inline]
    fn wrong(&self, state: &[u8], scratch: &mut Scratch, out: &mut dyn FnMut(Fault)) {
        let memory = scratch.content::<PairMemory>();
        self.look_at(state, memory);
        let spec = memory.tuple[0];
        if let Spec::Trace { .. } = self.spec {
            out(done(spec));
            if self.spec.is_goal(spec) && self.spec.ends_at_goal() {
                out(What::Goal.fault());
            }
        }
        if self.spec.allows_all(spec) {
            return;
        }
        memory.n_transitions += memory.steps.len() as u64;
        if self.shared.is_some() {
            self.audit(memory);
        }
        match self.judge(memory) {
            Ok(None) => {}
            Ok(Some(what)) => out(what.fault()),
            Err(reason) => memory.stopped = Some(reason),
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
        let memory = scratch.content::<PairMemory>();
        self.look_at(state, memory);
        step_text(memory.steps.labels().get(step.0 as usize).copied())
    }

    fn describe(&self, state: &[u8], out: &mut dyn FnMut(&str, &str)) {
        let mut tuple = vec![0; self.layout.len()];
        self.layout.unpack(state, &mut tuple);
        out("specification", &tuple[0].to_string());
        for (leaf, value) in tuple[1..].iter().enumerate() {
            out(&format!("leaf {leaf}"), &value.to_string());
        }
    }

    fn locations(&self, _: &[u8], _: &mut dyn FnMut(&str, &str)) {}

    fn fault_text(&self, fault: Fault) -> FaultText {
        fault_text(match What::of(fault) {
            What::Forbidden(label) => format!("{label:?} is not allowed"),
            What::Refusal => "too little is offered".to_owned(),
            What::Divergence => "τ can go on for ever".to_owned(),
            What::Goal => "the whole trace was done".to_owned(),
            What::NoGoal => format!("{} events of the trace were done", fault.site.index()),
        })
    }

    fn covered<'a>(&self, _: &'a Scratch) -> &'a [bool] {
        &[]
    }

    fn not_covered(&self, _: &[bool]) -> Vec<StepText> {
        Vec::new()
    }
}

/// What is used while steps are followed.
pub struct Following<'a> {
    /// Memory of the system.
    pub scratch: &'a mut Scratch,
    /// Gets each step, and the state after it.
    pub out: &'a mut dyn FnMut(Taken, &[u8], &str),
}

/// Takes steps that are the numbers of moves; whether all could be taken.
pub fn follow(
    system: &dyn System,
    state: &[u8],
    steps: &[Taken],
    following: &mut Following<'_>,
) -> bool {
    let mut state = state.to_vec();
    for &step in steps {
        let mut after = None;
        system.successors(&state, following.scratch, &mut |mv| {
            if mv.steps == [step] {
                after = mv.state.map(<[u8]>::to_vec);
            }
            ControlFlow::Continue(())
        });
        let Some(after) = after else {
            return false;
        };
        (following.out)(step, &after, "");
        state = after;
    }
    true
}

/// A step of which the label is known. Pairs are written nowhere: whoever shows a run to people
/// knows the text of the process.
pub fn step_text(label: Option<Label>) -> StepText {
    StepText {
        by: "the process".to_owned(),
        number: 0,
        step: label.map_or(String::new(), |label| format!("{label:?}")),
        span: nowhere(),
        line: 0,
        within: system::Within::default(),
        parts: Vec::new(),
        message: None,
    }
}

/// A fault in words; it is written nowhere either.
pub fn fault_text(message: String) -> FaultText {
    FaultText {
        message,
        step: String::new(),
        span: nowhere(),
        line: 0,
        within: system::Within::default(),
    }
}

fn nowhere() -> base::Span {
    base::Span::new(base::SourceId::new(0), 0..0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Violation;
    use crate::refinement::Model;
    use crate::refinement::normal::Normal;
    use crate::refinement::normal::tests::{guard, label, leaf};
    use crate::{Attention, Chance, Ended, Identity, Options, Order, Outcome};
    use std::time::Duration;

    /// All bad pairs of the example, by the one search and its replay of runs.
    fn example(model: Model, order: Order) -> Outcome {
        let spec = leaf(2, &[(0, "a", 1), (1, "b", 0)]);
        let edges = [(0, "a", 1), (1, "t", 2), (1, "t", 3), (2, "b", 0)];
        let process = leaf(4, &edges);
        let normal = Normal::of(&spec, model, &mut guard()).expect("small");
        let spec = Spec::Normal(&normal);
        let sizes = process.sizes().iter().copied();
        let pairs = Pairs {
            process: &process,
            spec: &spec,
            layout: Layout::new(std::iter::once(normal.len() as u32).chain(sizes)),
            shared: None,
            bytes_max: None,
            clock: Clock::ENDLESS,
        };
        let options = Options {
            order,
            deadlocks: Attention::Ignored,
            assertions: Attention::Reported,
            invariants: Attention::Reported,
            goals: Attention::Reported,
            stop_after: None,
            memory_bytes_max: None,
            clock: Clock::ENDLESS,
            depth_max: None,
            progress_every: Duration::MAX,
            threads: crate::Threads::ONE,
        };
        crate::explore(&pairs, &mut Identity, &options, &mut |_| {}).expect("a replay")
    }

    #[test]
    fn the_worked_example_is_a_system_like_any_other() {
        for order in [
            Order::Breadth,
            Order::Depth,
            Order::Mixed {
                seed: 3,
                to_front: Chance::THIRD,
            },
        ] {
            let traces = example(Model::Traces, order);
            assert_eq!((traces.ended, traces.counts.n_states), (Ended::Complete, 4));
            assert_eq!(traces.n_errors, 0);
            let failures = example(Model::Failures, order);
            assert_eq!(failures.counts.n_states, 4);
            let [found] = &failures.findings[..] else {
                panic!("{:?}", failures.findings);
            };
            assert_eq!(found.violation, Violation::Fault(What::Refusal.fault()));
            let steps = found.witness.steps().iter();
            let steps: Vec<&str> = steps.map(|step| &step.text.step[..]).collect();
            assert_eq!(steps, ["e0", "τ"]);
            let end = found.witness.end().iter().map(|(_, value)| &value[..]);
            assert_eq!(end.collect::<Vec<_>>(), ["1", "3"]);
        }
    }

    #[test]
    fn faults_say_what_they_were_made_of() {
        let labels = ["✓", "a", "b", "c"].map(|name| What::Forbidden(label(name)));
        let others = [What::Refusal, What::Divergence, What::Goal, What::NoGoal];
        for what in labels.into_iter().chain(others) {
            assert_eq!(What::of(what.fault()), what);
        }
        assert_eq!(done(7).site.index(), 7);
        assert!(!Violation::Fault(done(7)).is_error());
    }
}
