//! One run of a model, step by step.
//!
//! A run is a loop: who chooses ([`choose::Chooser`]: chance, a person, a recorded run) is asked
//! for one of the moves of the current state, and the steps of that move are shown
//! ([`show::RunWriter`]). It ends where there is no move, at an error, at the limit, or when
//! whoever chooses has had enough. Text is shown as the run goes; JSON is one object at the end.

mod choose;
mod classes;
mod follow;
mod show;
mod stepped;

use crate::detect::Detect;
use crate::listener::Listener;
use crate::plan::SearchOptions;
use crate::reduction::{Reduction, Wanted};
use crate::trail::Trail;
use base::{Clock, Diagnostic, Sources};
use check::StopReason;
use choose::{Chooser, StepChoice};
use classes::StateClasses;
use follow::LogEnd;
use model::frontend::{Model, Purpose, Shape, Starts, Subject};
use reduce::processes::sort::Sends;
use report::answer::{Answer, Exit};
use report::itf::Log;
use report::object::Simulation;
use report::page::Page;
use show::RunWriter;
use stepped::SteppedSystem;
use system::{Fault, Move, Rest, Scratch, Taken};

/// A run to make.
pub struct SimulatePlan {
    /// Of what.
    pub model: Box<dyn Model>,
    /// Who chooses.
    pub chosen: ChoiceMaker,
    /// After how many steps it stops.
    pub steps_max: u64,
    /// When it has to stop.
    pub clock: Clock<'static>,
    /// What is shown.
    pub detail: Detail,
    /// Whether all variables are shown at the end.
    pub state: bool,
    /// Whether the run is told as data.
    pub json: bool,
    /// Whether its steps are kept as data: for programs, or for a page.
    pub records: bool,
    /// If one move is offered in place of all that symmetries make of it: how these are found.
    pub symmetry: Option<SearchOptions>,
}

/// Who chooses.
pub enum ChoiceMaker {
    /// Chance, with this seed.
    Random(u64),
    /// A person.
    ByHand,
    /// A recorded run.
    Replay(Trail),
    /// A log, with some of the variables: whatever run it tells.
    Follow(Log),
}

/// What is shown of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// Every step, what it changed, what it printed.
    Steps,
    /// Only what is printed.
    Printed,
}

/// Where a run is shown as it goes, and who answers questions about it.
pub trait Conversation {
    /// Shows a part of the run.
    fn say(&self, words: &str) -> Result<(), Diagnostic>;

    /// Asks something. What is asked is no part of the run.
    fn ask(&self, words: &str);

    /// A line of the answer; `None` if there will be no more.
    fn answer(&self) -> Result<Option<String>, Diagnostic>;
}

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
    /// All of the log was met.
    Met,
    /// No run meets the state of the log with this number.
    Left(usize),
    /// So many states of the log were met, and there were too many ways.
    Open(usize),
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

/// What a run is made with.
pub struct Simulator<'a> {
    /// What is to be run, and how.
    pub plan: &'a SimulatePlan,
    /// The texts of the model.
    pub sources: &'a Sources,
    /// Where it is shown.
    pub conversation: &'a dyn Conversation,
    /// Who is told how far it has come.
    pub listener: &'a dyn Listener,
}

/// A run that was made.
pub struct Simulated {
    /// How it ended, for people.
    pub exit: Exit,
    /// The same, in words.
    pub page: Page,
    /// The run, for programs.
    pub run: Simulation,
}

impl Simulated {
    /// What a command shows.
    pub fn answer(self) -> Answer {
        Answer::told(self.exit, self.page, &self.run)
    }
}

/// Makes the run.
pub fn run(simulator: &Simulator<'_>) -> Result<Simulated, Diagnostic> {
    let plan = simulator.plan;
    let model = &*plan.model;
    let subject = model.subject(&Purpose::Run)?;
    let reduction = match &plan.symmetry {
        Some(how) => {
            simulator.listener.phase("symmetries were looked for");
            Some(reduction(&*subject, how)?)
        }
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
    run_of(&simulated, crate::conduct::told(model), simulator)
}

/// The symmetry that says which moves are offered.
fn reduction(subject: &dyn Subject, how: &SearchOptions) -> Result<Reduction, Diagnostic> {
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
    simulator: &Simulator<'_>,
) -> Result<Simulated, Diagnostic> {
    let (plan, conversation) = (simulator.plan, simulator.conversation);
    let mut teller = RunWriter::new(machine, plan, conversation);
    let mut chooser = Chooser::new(plan, conversation);
    simulator.listener.phase("the model was run");
    let mut ending = walk(machine, plan, &mut chooser, &mut teller)?;
    // A run that was found is over where the log is, or where it leaves the model.
    if let (Ending::Replayed, Some(end)) = (ending, chooser.log_end()) {
        ending = match end {
            LogEnd::Met => Ending::Met,
            LogEnd::Left(n) => Ending::Left(n),
            LogEnd::Open(n) => Ending::Open(n),
        };
    }
    let mut page = Page::new();
    let run = teller.finish(ending, model, simulator.sources, &mut page);
    let exit = match ending {
        Ending::Deadlock | Ending::Fault(_) | Ending::Left(_) => Exit::Violated,
        Ending::Over(_) | Ending::Cut | Ending::Open(_) => Exit::Unknown,
        _ => Exit::Holds,
    };
    Ok(Simulated { exit, page, run })
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
    // What goes wrong in a state of a log is not asked for.
    let bad = |state: &[u8], scratch: &mut Scratch| match plan.chosen {
        ChoiceMaker::Follow(_) => None,
        _ => machine.bad(state, scratch),
    };
    if let Some(fault) = bad(&state, &mut scratch) {
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
        // What goes wrong in a run that a log tells is told by it, too.
        let is_told = matches!(plan.chosen, ChoiceMaker::Follow(_));
        let wrong = kept.fault.filter(|_| !is_told).map(|(_, fault)| fault);
        if let Some(fault) = wrong.or_else(|| bad(&state, &mut scratch)) {
            return Ok(Ending::Fault(fault));
        }
    }
    Ok(Ending::Limit)
}
