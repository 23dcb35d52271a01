//! The meaning of `orbit simulate`.

use super::model::{has_rules, options, request};
use crate::flags::SimulateFlags;
use crate::watchdog;
use base::{Clock, Diagnostic, Diagnostics, Sources, quote};
use check::Order;
use driver::input;
use driver::load::load;
use driver::plan::{Listing, SearchOptions};
use driver::simulate::{ChoiceMaker, Detail, SimulatePlan};
use driver::trail::{self, Trail};
use model::frontend::{Frontend, Options, Reading, Rules};
use reduce::network::Algorithm;
use std::path::Path;
use strategies::Strategy;

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
    let clock = watchdog::clock(super::time(&flags.time, found));
    let of_flags = options(&flags.model, &flags.sizes);
    // A recorded run says itself which numbers were tried.
    let numbers = recorded.as_ref().and_then(|trail| trail.numbers);
    let options = Options {
        reading: Reading::Run,
        rules,
        minint: of_flags.minint.or(numbers.map(|(minint, _)| minint)),
        maxint: of_flags.maxint.or(numbers.map(|(_, maxint)| maxint)),
        process: flags.process.clone(),
        assertion: recorded.as_ref().and_then(|trail| trail.assertion),
        ..of_flags
    };
    let request = request(&flags.model, &options, clock, found)?;
    let model = load(&request, language, sources, found)?.model;
    let chosen = match recorded {
        Some(trail) => {
            let fits = trail.is_of(model.hash(), &model.about().path);
            fits.map_err(|why| found.push(why)).ok()?;
            ChoiceMaker::Replay(trail)
        }
        None if flags.interactive => ChoiceMaker::ByHand,
        None => ChoiceMaker::Random(flags.seed.unwrap_or_else(|| fastrand::u64(..1_000_000))),
    };
    Some(SimulatePlan {
        model,
        chosen,
        steps_max: flags.steps.unwrap_or(match flags.replay {
            Some(_) => u64::MAX,
            None => STEPS_MAX,
        }),
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

/// Exact representatives, and nothing else that a search can be asked for.
pub(super) fn exactly(clock: Clock<'static>) -> SearchOptions {
    SearchOptions {
        strategy: Strategy::Canonical.as_static(),
        pairs: Algorithm::Exact,
        count_full: false,
        audit: false,
        self_check: false,
        threads: check::Threads::ONE,
        order: Order::Breadth,
        stop_after: None,
        memory_bytes_max: None,
        time_max: None,
        clock,
        depth_max: None,
        unreached: Listing::Hidden,
        full: Listing::Hidden,
        progress: Listing::Hidden,
        line_every: None,
        details: Listing::Hidden,
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
