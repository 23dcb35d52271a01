//! The meaning of `orbit simulate`.

use super::model::{has_rules, options, request};
use crate::flags::SimulateFlags;
use crate::{itf_cmd, watchdog};
use base::{Clock, Diagnostic, Diagnostics, Sources, quote};
use driver::input;
use driver::load::load;
use driver::plan::SearchOptions;
use driver::simulate::{ChoiceMaker, Detail, SimulatePlan as Run};
use driver::trail::{self, Target, Trail};
use model::frontend::{Frontend, Model, Options, Reading, Rules};
use report::itf::Log;
use std::path::{Path, PathBuf};

/// What to run, and where it is written.
pub struct SimulatePlan {
    /// The run.
    pub run: Run,
    /// The file that it is written into.
    pub trail: Option<Target>,
    /// How many runs, if there are to be several.
    pub n_runs: Option<u64>,
    /// The files that these are written into: their number stands for `{}`.
    pub pattern: Option<PathBuf>,
}

/// Where a run stops if nobody says where.
const STEPS_MAX: u64 = 10_000;

/// The plan, or `None` if `found` says why not.
pub fn plan(
    flags: SimulateFlags,
    language: &'static dyn Frontend,
    json: bool,
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<SimulatePlan> {
    let (trail, pattern) = files(&flags, found)?;
    let n_runs = flags.runs;
    let keeps = json || flags.html.is_some() || flags.trail.is_some();
    let run = run(flags, language, json, sources, found)?;
    Some(SimulatePlan {
        run: Run {
            records: keeps,
            ..run
        },
        trail,
        n_runs,
        pattern,
    })
}

/// Where runs are written: one file, or a pattern of several names.
fn files(
    flags: &SimulateFlags,
    found: &mut Diagnostics,
) -> Option<(Option<Target>, Option<PathBuf>)> {
    let Some(path) = &flags.trail else {
        return Some((None, None));
    };
    if !itf_cmd::is_wanted(path) {
        let message = "`--trail` of a simulation writes logs in the Informal Trace Format";
        found.push(Diagnostic::unlocated(message).note("end the name in `.itf.json`"));
        return None;
    }
    if flags.runs.is_none() {
        let target = Target::open(&itf_cmd::ITF, path, flags.model.file.as_deref(), found)?;
        return Some((Some(target), None));
    }
    if !path.to_string_lossy().contains("{}") {
        let message = "with `--runs` the name of `--trail` needs `{}`, for the number of a run";
        found.push(Diagnostic::unlocated(message));
        return None;
    }
    Some((None, Some(path.clone())))
}

/// The run.
fn run(
    flags: SimulateFlags,
    language: &'static dyn Frontend,
    json: bool,
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<Run> {
    refuse_input(&flags, found)?;
    // Values are to be seen as they are, so nothing is optimised away unless it is asked for.
    let mut rules = if flags.model.spin_compat {
        Rules::SpinCompat
    } else {
        Rules::Plain
    };
    let recorded = match &flags.replay {
        None => None,
        Some(path) => Some(
            read_trail(path, sources)
                .map_err(|why| found.push(why))
                .ok()?,
        ),
    };
    if let (Some(trail), true) = (&recorded, has_rules(language)) {
        rules = rules_of(trail, &flags, found)?;
    }
    let followed = match &flags.follow {
        None => None,
        Some(path) => Some(
            itf_cmd::read(path, sources)
                .map_err(|why| found.push(why))
                .ok()?,
        ),
    };
    let clock = watchdog::clock(super::time(&flags.time, found));
    let of_flags = options(&flags.model, &flags.sizes);
    // A recorded run says itself which numbers were tried.
    let numbers = recorded.as_ref().and_then(|trail| trail.numbers);
    let options = Options {
        reading: Reading::Run,
        rules,
        minint: of_flags.minint.or(numbers.map(|(minint, _)| minint)),
        maxint: of_flags.maxint.or(numbers.map(|(_, maxint)| maxint)),
        process: (flags.process.clone()).or_else(|| named_process(followed.as_ref()?)),
        assertion: match (&recorded, &followed) {
            (Some(trail), _) => trail.assertion,
            (None, Some(log)) if flags.process.is_none() => log.assertion,
            _ => None,
        },
        ..of_flags
    };
    let request = request(&flags.model, &options, clock, found)?;
    let model = load(&request, language, sources, found)?.model;
    let given = GivenRun { recorded, followed };
    let chosen = given.chosen(&flags, &*model, found)?;
    let is_given = flags.replay.is_some() || flags.follow.is_some();
    Some(Run {
        model,
        chosen,
        steps_max: flags
            .steps
            .unwrap_or(if is_given { u64::MAX } else { STEPS_MAX }),
        clock,
        detail: if flags.quiet {
            Detail::Printed
        } else {
            Detail::Steps
        },
        state: flags.state,
        json,
        records: json || flags.html.is_some(),
        symmetry: flags.symmetry.then(|| exactly(clock)),
    })
}

/// The process of a log, if it can be asked for by name; otherwise it is that of an assertion.
fn named_process(log: &Log) -> Option<String> {
    let process = log.process.as_ref().filter(|_| log.assertion.is_none())?;
    let is_name = process.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_name.then(|| process.clone())
}

/// A run that the command line names.
struct GivenRun {
    recorded: Option<Trail>,
    followed: Option<Log>,
}

impl GivenRun {
    /// Who chooses.
    fn chosen(
        self,
        flags: &SimulateFlags,
        model: &dyn Model,
        found: &mut Diagnostics,
    ) -> Option<ChoiceMaker> {
        Some(match (self.recorded, self.followed) {
            (Some(trail), _) => {
                let fits = trail.is_of(model.hash(), &model.about().path);
                fits.map_err(|why| found.push(why)).ok()?;
                ChoiceMaker::Replay(trail)
            }
            (None, Some(log)) => ChoiceMaker::Follow(log),
            (None, None) if flags.interactive => ChoiceMaker::ByHand,
            (None, None) => {
                let seed = flags.seed.unwrap_or_else(|| fastrand::u64(..1_000_000));
                ChoiceMaker::Random(seed)
            }
        })
    }
}

/// Exact representatives, and nothing else that a search can be asked for.
pub(super) fn exactly(clock: Clock<'static>) -> SearchOptions {
    SearchOptions {
        stop_after: None,
        ..SearchOptions::exact(clock)
    }
}

/// The recorded run in a file.
fn read_trail(path: &Path, sources: &mut Sources) -> Result<Trail, Diagnostic> {
    let source = input::read(path, sources)?;
    trail::read(source, sources)
}

/// Refuses standard input for two things at once.
fn refuse_input(flags: &SimulateFlags, found: &mut Diagnostics) -> Option<()> {
    let from_input = |path: &Option<std::path::PathBuf>| path.as_deref() == Some(Path::new("-"));
    if flags.interactive && from_input(&flags.model.file) {
        let message = "standard input cannot be both the model and the answers of `--interactive`";
        found.push(Diagnostic::unlocated(message));
        return None;
    }
    if from_input(&flags.replay) && from_input(&flags.model.file) {
        found.push(Diagnostic::unlocated("standard input is given twice"));
        return None;
    }
    Some(())
}

/// The rules that a recorded run is replayed with: each statement is a step, unless the run was
/// recorded with SPIN's merging, whose resets of variables are part of it.
fn rules_of(trail: &Trail, flags: &SimulateFlags, found: &mut Diagnostics) -> Option<Rules> {
    let (plain, compat) = (flags.model.plain, flags.model.spin_compat);
    match trail.rules {
        Rules::SpinCompat if !plain => Some(Rules::SpinCompat),
        Rules::Own | Rules::Plain if !compat => Some(Rules::Plain),
        recorded => {
            let path = flags.replay.as_deref().unwrap_or(Path::new("-"));
            let name = quote(&path.display().to_string());
            let message = format!("{name} was recorded with the rules `{}`", recorded.word());
            let note = "leave out the flag that says otherwise";
            found.push(Diagnostic::unlocated(message).note(note));
            None
        }
    }
}
