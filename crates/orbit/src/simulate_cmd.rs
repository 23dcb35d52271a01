//! `orbit simulate`: one run of a model, step by step.
//!
//! A run is a loop: who chooses ([`choose::Chooser`]: chance, a person, a recorded run) is asked
//! for one of the moves of the current state, and the steps of that move are shown
//! ([`show::RunWriter`]). It ends where there is no move, at an error, at the limit, or when
//! whoever chooses has had enough. Text is shown as the run goes; JSON is one object at the end.

mod choose;
mod classes;
mod of;
mod show;

use crate::answer::{Answer, Exit};
use crate::page::Page;
use crate::plan::SimulatePlan;
use crate::watchdog;
use base::{Diagnostic, Sources};
use check::StopReason;
use choose::{Chooser, StepChoice};
use classes::StateClasses;
use driver::detect::Detect;
use driver::plan::SearchOptions;
use driver::reduction::{Reduction, Wanted};
use model::frontend::{Purpose, Shape, Starts, Subject};
use of::SteppedSystem;
use reduce::processes::sort::Sends;
use show::RunWriter;
use system::{Fault, Move, Rest, Scratch, Taken};

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// No moves, and every process may rest where it is.
    End,
    /// No moves, and some process may not rest where it is.
    Deadlock,
    /// A step went wrong.
    Fault(Fault),
    /// That many steps were asked for.
    Limit,
    /// The recorded run is over.
    Replayed,
    /// The recorded run goes round for ever, and is where its loop began.
    Round,
    /// Whoever chooses stopped it.
    Stopped,
    /// A limit of time came first, or a signal.
    Over(StopReason),
    /// No move was found, and not all were looked for.
    Cut,
}

/// A move, kept.
#[derive(Clone, Debug)]
pub struct KeptMove {
    /// Its steps.
    pub steps: Vec<Taken>,
    /// The first thing that went wrong, and in which step: there the run ends.
    pub fault: Option<(usize, Fault)>,
    /// What went wrong, if the run goes on all the same.
    pub passed: Option<Fault>,
    /// The steps of the moves that it stands for.
    pub others: Vec<Vec<Taken>>,
}

impl KeptMove {
    fn of(mv: &Move<'_>) -> KeptMove {
        KeptMove {
            steps: mv.steps.to_vec(),
            fault: mv.faults.first().copied(),
            passed: None,
            others: Vec::new(),
        }
    }
}

/// Carries out the plan.
pub fn run(plan: &SimulatePlan, sources: &Sources) -> Result<Answer, Diagnostic> {
    let model = &*plan.model;
    let subject = model.subject(&Purpose::Run)?;
    let reduction = match &plan.symmetry {
        Some(how) => Some(reduction(&*subject, how)?),
        None => None,
    };
    let simulated = SteppedSystem {
        classes: reduction.map(StateClasses::new),
        system: subject.system(Starts::All),
        machine: match subject.shape() {
            Shape::Processes(machine) => Some(machine),
            Shape::Values { .. } | Shape::Opaque => None,
        },
        telling: model.telling(),
    };
    run_of(&simulated, driver::conduct::told(model), plan, sources)
}

/// The symmetry that says which moves are offered.
fn reduction(subject: &dyn Subject, how: &SearchOptions) -> Result<Reduction, Diagnostic> {
    watchdog::phase("symmetries were looked for");
    let wanted = Wanted {
        how,
        detect: &Detect::Structure,
        keeps_start: true,
        sends: Sends::Wait,
    };
    Reduction::of(subject, &wanted).map_err(|refusal| refusal.why)
}

/// The same for what is run, of which programs are told `model`.
fn run_of(
    machine: &SteppedSystem<'_>,
    model: report::Model,
    plan: &SimulatePlan,
    sources: &Sources,
) -> Result<Answer, Diagnostic> {
    let mut teller = RunWriter::new(machine, plan);
    let mut chooser = Chooser::new(plan);
    watchdog::phase("the model was run");
    let ending = walk(machine, plan, &mut chooser, &mut teller)?;
    let mut page = Page::new();
    let told = teller.finish(ending, model, sources, &mut page);
    let exit = match ending {
        Ending::Deadlock | Ending::Fault(_) => Exit::Violated,
        Ending::Over(_) | Ending::Cut => Exit::Unknown,
        _ => Exit::Holds,
    };
    Ok(Answer::told(exit, page, &told))
}

/// Where the run starts.
fn start(
    machine: &SteppedSystem<'_>,
    chooser: &mut Chooser<'_>,
    scratch: &mut Scratch,
) -> Result<Result<Vec<u8>, Fault>, Diagnostic> {
    let (mut starts, mut wrong) = (Vec::new(), None);
    machine.initial(scratch, &mut |initial| match initial {
        Ok(state) => starts.push(state.to_vec()),
        Err(fault) => wrong = wrong.or(Some(fault)),
    });
    if let Some(classes) = &machine.classes {
        classes.keep_distinct(&mut starts);
    }
    match (starts.len(), wrong) {
        (0, Some(fault)) => Ok(Err(fault)),
        (0, None) => Err(Diagnostic::unlocated("there is no initial state")),
        (n, _) => {
            let chosen = chooser.start(machine, &starts)?;
            Ok(Ok(starts.swap_remove(chosen.min(n - 1))))
        }
    }
}

/// Why the run may not go on, if so.
fn over(plan: &SimulatePlan) -> Option<StopReason> {
    plan.clock.ask().err().map(StopReason::from)
}

/// The loop.
fn walk(
    machine: &SteppedSystem<'_>,
    plan: &SimulatePlan,
    chooser: &mut Chooser<'_>,
    teller: &mut RunWriter<'_>,
) -> Result<Ending, Diagnostic> {
    let mut scratch = machine.scratch();
    let mut state = match start(machine, chooser, &mut scratch)? {
        Ok(state) => state,
        Err(fault) => return Ok(Ending::Fault(fault)),
    };
    teller.start(&state)?;
    if let Some(fault) = machine.bad(&state, &mut scratch) {
        return Ok(Ending::Fault(fault));
    }
    // What can be taken back: the states in which somebody was asked.
    let mut asked: Vec<(Vec<u8>, u64)> = Vec::new();
    // Where the loop of a recorded run begins.
    let mut begun: Option<Vec<u8>> = None;
    while teller.n_steps() < plan.steps_max {
        if let Some(reason) = over(plan) {
            return Ok(Ending::Over(reason));
        }
        if begun.is_none() && chooser.is_at_loop() {
            begun = Some(state.clone());
            teller.round()?;
        }
        let (choice, rest) = chooser.choose(machine, &state, &mut scratch)?;
        let kept = match (choice, rest) {
            (StepChoice::Take(kept), _) => kept,
            (StepChoice::Asked(kept), _) => {
                asked.push((state.clone(), teller.n_steps()));
                kept
            }
            (StepChoice::Back, _) => {
                if let Some((earlier, n_steps)) = asked.pop() {
                    state = earlier;
                    teller.back(&state, n_steps)?;
                }
                continue;
            }
            (StepChoice::Stop, _) => return Ok(Ending::Stopped),
            (StepChoice::Over, Rest::Moves) if begun.as_ref() == Some(&state) => {
                return Ok(Ending::Round);
            }
            (StepChoice::Over, Rest::Moves) => return Ok(Ending::Replayed),
            (_, Rest::Deadlock | Rest::Unfinished) => return Ok(Ending::Deadlock),
            (_, Rest::End) => return Ok(Ending::End),
            (StepChoice::None, Rest::Moves) => return Ok(Ending::Cut),
        };
        if !teller.take(&mut state, &kept, &mut scratch)? {
            // It was offered, and then there was no time left to take it.
            let reason = over(plan).expect("a move that was offered can be taken");
            return Ok(Ending::Over(reason));
        }
        let wrong = kept.fault.map(|(_, fault)| fault);
        if let Some(fault) = wrong.or_else(|| machine.bad(&state, &mut scratch)) {
            return Ok(Ending::Fault(fault));
        }
    }
    Ok(Ending::Limit)
}
