//! A system of two processes that count together, and searches over it.
//!
//! The state is the count and who counted last. Each process adds one while the count is below the
//! limit; its move has two steps, the count and an assertion that may fail at some count. At the
//! limit nothing moves, which is a deadlock unless the count may rest there.

use base::{SourceId, Span};
use check::{Attention, Identity, Options, Order, Outcome};
use report::{Model, RequestedCheck, Summary};
use std::ops::ControlFlow;
use std::time::Duration;
use system::SiteId;
use system::{Fault, FaultKind, FaultText, Move, Rest, Scratch, StepText, System, Taken};

pub struct Counter {
    pub limit: u8,
    /// What goes wrong when the count becomes this.
    pub fault: Option<(u8, FaultKind)>,
    pub rests: bool,
}

pub const OPTIONS: Options<'static> = Options {
    order: Order::Breadth,
    deadlocks: Attention::Reported,
    assertions: Attention::Reported,
    invariants: Attention::Ignored,
    goals: Attention::Ignored,
    stop_after: Some(1),
    memory_bytes_max: None,
    clock: base::Clock::ENDLESS,
    depth_max: None,
    progress_every: Duration::MAX,
    threads: check::Threads::ONE,
};

/// The summary of a search, its times and sizes set to what tests can name.
pub fn summary(counter: &Counter, options: &Options<'_>) -> Summary {
    summary_of(counter, request(options), outcome(counter, options))
}

pub fn outcome(counter: &Counter, options: &Options<'_>) -> Outcome {
    check::explore(counter, &mut Identity, options, &mut |_| {}).expect("replays succeed")
}

pub fn request(options: &Options<'_>) -> RequestedCheck {
    let model = Model {
        defines: vec!["N=2".to_owned()],
        ..Model::new("count.pml", "promela")
    };
    RequestedCheck::new(model, options, Duration::from_millis(2))
}

pub fn summary_of(counter: &Counter, request: RequestedCheck, outcome: Outcome) -> Summary {
    let mut summary = Summary::new(request, outcome, &|fault| counter.fault_text(fault));
    summary.times.search = Duration::from_millis(10);
    summary.times.store = Some(Duration::from_millis(2));
    summary.times.successors = Some(Duration::from_millis(8));
    summary.times.total = Duration::from_millis(12);
    summary.peak_bytes = 123_456;
    summary.bytes_per_state = Some(15.25);
    summary
}

impl Counter {
    fn fault_at(&self, count: u8) -> Option<Fault> {
        let (at, kind) = self.fault?;
        let site = SiteId::new(0);
        (at == count).then_some(Fault { kind, site })
    }
}

impl System for Counter {
    fn scratch(&self) -> Scratch {
        Scratch::new(())
    }

    fn initial(&self, _: &mut Scratch, out: &mut dyn FnMut(Result<&[u8], Fault>)) {
        out(Ok(&[0, 0]));
    }

    fn successors(
        &self,
        state: &[u8],
        _: &mut Scratch,
        out: &mut dyn FnMut(Move<'_>) -> ControlFlow<()>,
    ) -> Rest {
        if state[0] == self.limit {
            return if self.rests {
                Rest::End
            } else {
                Rest::Deadlock
            };
        }
        for by in 0..2 {
            let after = [state[0] + 1, by];
            let fault = self.fault_at(after[0]).map(|fault| (1, fault));
            let ends = fault.is_some_and(|(_, fault)| !fault.kind.goes_on());
            let flow = out(Move {
                steps: &[Taken(u64::from(by) * 2), Taken(u64::from(by) * 2 + 1)],
                faults: fault.as_slice(),
                state: (!ends).then_some(&after),
                n_alike: 1,
            });
            if flow.is_break() {
                break;
            }
        }
        Rest::Moves
    }

    fn follow(
        &self,
        state: &[u8],
        steps: &[Taken],
        _: &mut Scratch,
        out: &mut dyn FnMut(Taken, &[u8], &str),
    ) -> bool {
        for (i, step) in steps.iter().enumerate() {
            let after = [state[0] + 1, (step.0 / 2) as u8];
            let fault = self.fault_at(after[0]);
            if i == 1 && fault.is_some_and(|fault| !fault.kind.goes_on()) {
                return false;
            }
            out(*step, &after, if i == 1 { "counted\n" } else { "" });
        }
        true
    }

    fn step_text(&self, _: &[u8], step: Taken) -> StepText {
        let by = step.0 / 2;
        StepText {
            by: format!("P ({by})"),
            number: by as u32,
            step: ["n++; last = _pid", "assert(n\n   < limit)"][step.0 as usize % 2].to_owned(),
            span: span(),
            line: 7 + step.0 as u32 % 2,
            within: system::Within::default(),
            parts: Vec::new(),
            message: None,
        }
    }

    fn describe(&self, state: &[u8], out: &mut dyn FnMut(&str, &str)) {
        out("n", &state[0].to_string());
        if state[0] > 0 {
            out("last", &state[1].to_string());
        }
    }

    fn locations(&self, state: &[u8], out: &mut dyn FnMut(&str, &str)) {
        out("Counter", &format!("line {}: count", state[0]));
    }

    fn fault_text(&self, fault: Fault) -> FaultText {
        FaultText {
            message: fault.kind.message().to_owned(),
            step: "assert(n < limit)".to_owned(),
            span: span(),
            line: 8,
            within: system::Within::default(),
        }
    }

    fn covered<'a>(&self, _: &'a Scratch) -> &'a [bool] {
        &[]
    }

    fn not_covered(&self, _: &[bool]) -> Vec<StepText> {
        let unreached = StepText {
            step: "n = 0".to_owned(),
            line: 11,
            within: system::Within::default(),
            ..self.step_text(&[], Taken(0))
        };
        vec![unreached]
    }
}

fn span() -> Span {
    Span::new(SourceId::new(0), 0..0)
}
