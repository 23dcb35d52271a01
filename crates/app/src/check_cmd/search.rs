//! A search: from the plan to the summary.

use super::reduction::Reduction;
use super::twice;
use crate::answer::{Answer, Exit};
use crate::plan::{Listing, Rules, RunModel, SearchPlan};
use crate::{interrupt, output, trail};
use base::{Colour, Diagnostic};
use check::{
    Attention, Counts, Ended, Finding, Observer, Options, Outcome, Parts, Progress, TreeStore,
    Violation,
};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use promela::lower::UncheckedKind;
use report::{Look, Request, Summary, Unchecked, Verdict};
use std::path::Path;
use std::time::{Duration, Instant};
use system::model::Action;
use system::{Machine, System, Taken};

/// How often the progress line changes.
pub const PROGRESS_EVERY: Duration = Duration::from_millis(200);
/// The width of text, and how many steps of a run it shows; JSON has all.
const WIDTH: usize = 100;
const N_STEPS_MAX: usize = 200;

/// Carries out the plan.
pub fn run(plan: &SearchPlan) -> Result<Answer, Diagnostic> {
    let start = Instant::now();
    let machine = &plan.model.machine;
    let options = Options {
        order: plan.manner.order,
        deadlocks: plan.deadlocks,
        assertions: plan.assertions,
        invariants: Attention::Ignored,
        goals: Attention::Ignored,
        stop_after: plan.manner.stop_after,
        memory_bytes_max: plan.manner.memory_bytes_max,
        time_max: plan.manner.time_max,
        depth_max: plan.manner.depth_max,
        interrupted: Some(interrupt::watch()),
        progress_every: PROGRESS_EVERY,
    };
    let bar = progress_bar(plan.manner.progress);
    let mut observer = |progress: &Progress| bar.set_message(report::progress(progress));
    let mut reduction = Reduction::of(plan)?;
    let mut store = TreeStore::new();
    let parts = Parts {
        reducer: reduction.reducer(),
        store: &mut store,
    };
    let outcome = check::explore_with(machine, parts, &options, &mut observer);
    let mut outcome = outcome.unwrap_or_else(|broken| panic!("{broken}"));
    // SPIN's way of counting is about all states, not about one of each orbit.
    let visible = match reduction.is_trivial() {
        true => visible(machine, &options, &outcome, &mut observer),
        false => None,
    };
    bar.finish_and_clear();
    let plain = show_real_values(&plan.model, &mut outcome);
    if let Some(path) = &plan.trail {
        write_trail(path, plan, plain.as_ref().unwrap_or(machine), &outcome)?;
    }
    let complete = outcome.ended == Ended::Complete;
    let full = match plan.manner.count_full && complete {
        true => reduction.full_states(&mut store),
        false => None,
    };
    if plan.manner.audit {
        reduction.audit(machine, &mut store);
    }
    let compared = plan.manner.self_check.then(|| {
        let found = (&outcome, full.as_ref());
        twice::search_again(machine, &options, &mut observer, found)
    });
    let mut request = Request::new(model(&plan.model), &options, plan.model.load);
    request.unchecked = unchecked(&plan.model);
    let unreached = reduction.unreached(machine, &outcome.covered);
    let mut summary = Summary::new(request, outcome, &|fault| machine.fault_text(fault));
    summary.symmetry = reduction.summary(full);
    summary.visible = visible;
    summary.self_check = compared.map(|compared| compared.words());
    summary.times.total = plan.model.load + start.elapsed();
    // What is not known after a search that was cut short stays so.
    if summary.unreached.is_some() {
        summary.unreached = unreached.filter(|_| plan.manner.unreached == Listing::Shown);
    }
    Ok(answer(&summary, plan.model.json()))
}

/// What is shown of a summary; `model` is what programs are told about the model.
pub fn answer(summary: &Summary, model: serde_json::Value) -> Answer {
    let look = Look {
        colour: Colour::Always,
        width: WIDTH,
        n_steps_max: N_STEPS_MAX,
    };
    let mut json = report::json(summary);
    json["model"] = model;
    Answer {
        exit: match summary.verdict {
            Verdict::Holds => Exit::Holds,
            Verdict::Violated => Exit::Violated,
            Verdict::Unknown => Exit::Unknown,
        },
        text: report::text(summary, &look),
        json,
    }
}

/// The counts without hidden variables, where all states were seen and time is left.
fn visible(
    machine: &Machine,
    options: &Options<'_>,
    outcome: &Outcome,
    observer: &mut Observer<'_>,
) -> Option<Counts> {
    if outcome.ended != Ended::Complete {
        return None;
    }
    let options = Options {
        time_max: options.time_max.map(|t| t.saturating_sub(outcome.elapsed)),
        ..*options
    };
    let counted = check::visible::count(machine, &options, observer);
    counted.unwrap_or_else(|broken| panic!("{broken}"))
}

/// A line on standard error that is drawn over, if that is a terminal and somebody wants it.
pub fn progress_bar(listing: Listing) -> ProgressBar {
    let target = match listing {
        Listing::Shown => ProgressDrawTarget::stderr(),
        Listing::Hidden => ProgressDrawTarget::hidden(),
    };
    let style = ProgressStyle::with_template("{wide_msg}").expect("a template of ours");
    ProgressBar::with_draw_target(None, target).with_style(style)
}

/// Tells the runs again on the model as it was written, where it was rewritten to have fewer
/// states: values that do not matter to the verdict matter to a reader. Gives that model.
fn show_real_values(model: &RunModel, outcome: &mut Outcome) -> Option<Machine> {
    let written = model
        .written
        .as_ref()
        .filter(|_| !outcome.findings.is_empty())?;
    let machine = Machine::new(written.clone());
    let is_idle = |taken: Taken| {
        let (_, step) = machine.taken(taken);
        matches!(machine.model().step(step).action, Action::End)
    };
    for Finding {
        violation, witness, ..
    } in &mut outcome.findings
    {
        let told = witness.retold(&machine, *violation, &is_idle);
        *witness = told.unwrap_or_else(|broken| panic!("on the model as written, {broken}"));
    }
    Some(machine)
}

fn model(model: &RunModel) -> report::Model {
    report::Model {
        path: model.path.clone(),
        language: "promela".to_owned(),
        defines: model.defines.clone(),
    }
}

/// What is in the text and was not looked at.
fn unchecked(model: &RunModel) -> Vec<Unchecked> {
    let kind = |kind| match kind {
        UncheckedKind::Never => "never",
        UncheckedKind::Ltl => "ltl",
    };
    let all = model.unchecked.iter();
    all.map(|property| Unchecked {
        name: property.name.to_string(),
        kind: kind(property.kind).to_owned(),
        reason: "not checked yet".to_owned(),
    })
    .collect()
}

/// Writes the first error run, if there is one.
fn write_trail(
    path: &Path,
    plan: &SearchPlan,
    machine: &Machine,
    outcome: &Outcome,
) -> Result<(), Diagnostic> {
    let errors = outcome.findings.iter().filter(|f| f.violation.is_error());
    let Some(finding) = errors.into_iter().next() else {
        output::complain(&format!(
            "no error run, so {} is not written\n",
            path.display()
        ));
        return Ok(());
    };
    let error = match finding.violation {
        Violation::Deadlock | Violation::Unfinished => "deadlock",
        Violation::Fault(fault) => fault.kind.message(),
    };
    // Runs were told again on the model as written, so that is what they are recorded on.
    let rules = match plan.model.rules {
        Rules::Own => Rules::Plain,
        rules => rules,
    };
    let steps: Vec<Taken> = finding
        .witness
        .steps()
        .iter()
        .map(|step| step.taken)
        .collect();
    let recorded = trail::Recorded {
        path,
        model: &plan.model,
        machine,
        rules,
        error,
    };
    let text = recorded.text(&steps)?;
    std::fs::write(path, text).map_err(|why| {
        let name = base::quote(&path.display().to_string());
        Diagnostic::unlocated(format!("cannot write {name}: {why}"))
    })
}
