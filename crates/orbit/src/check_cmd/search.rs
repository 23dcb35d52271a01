//! A search: from the plan to the summary.

use super::reduction::{Reduction, Refusal};
use super::temporal::Reduced;
use super::{asked, recorded, twice};
use crate::answer::{Answer, Exit};
use crate::plan::{Listing, Rules, RunModel, SearchPlan};
use crate::{output, trail, watchdog};
use base::{Clock, Colour, Diagnostic, Severity};
use check::{
    Attention, Counts, Ended, Finding, Guarantee, Observer, Options, Outcome, Parts, Progress,
    Reducer, StopReason, TreeStore, Violation,
};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use model::Machine;
use model::processes::program::Action;
use model::processes::property::Kind;
use num_bigint::BigUint;
use reduce::processes::sort::Sends;
use report::{Look, Property, Request, Summary, Unchecked, Verdict};
use std::time::{Duration, Instant};
use strategies::Strategy;
use system::{System, Taken};

/// How often the progress line changes.
pub const PROGRESS_EVERY: Duration = Duration::from_millis(200);
/// How many steps of a run text shows; JSON has all.
const N_STEPS_MAX: usize = 200;

/// Carries out the plan.
pub fn run(plan: &SearchPlan) -> Result<Answer, Diagnostic> {
    let start = Instant::now();
    watchdog::asked(plan.model.told(), asked(plan));
    if plan.temporal.alone {
        return only_temporal(plan);
    }
    let machine = &plan.model.machine;
    let options = options(plan);
    let bar = progress_bar(plan.manner.progress);
    let mut observer = observer(&bar);
    let (mut reduction, mut outcome, mut store) = match searched(plan, &options, &mut observer) {
        Ok(searched) => searched,
        Err(refusal) => return refused(refusal, &plan.model),
    };
    // SPIN's way of counting is about all states, not about one of each orbit.
    let visible = (reduction.is_trivial())
        .then(|| visible(machine, &options, &outcome, &mut observer))
        .flatten();
    bar.finish_and_clear();
    let plain = show_real_values(&plan.model, &mut outcome);
    let mut lost = None;
    let mut or_lost = |written: Result<bool, Diagnostic>| {
        // A run that could not be recorded is no reason to keep the answer back.
        written.unwrap_or_else(|why| {
            lost = Some(as_warning(why));
            true
        })
    };
    let shown_on = plain.as_ref().unwrap_or(machine);
    let is_written = or_lost(write_trail(plan, shown_on, &outcome));
    let searched = (&mut reduction, &mut store, &outcome);
    let again = look_again(plan, searched, (&options, &mut observer));
    let mut request = Request::new(plan.model.told(), &options, plan.model.load);
    let unaudited = again.cut.as_ref().map(|(_, reason)| not_audited(reason));
    request.unchecked.extend(unaudited);
    request.switched_off.clone_from(&plan.switched_off);
    let unreached = reduction.unreached(machine, &outcome.covered);
    let mut summary = Summary::new(request, outcome, &|fault| machine.fault_text(fault));
    summary.properties.iter().for_each(watchdog::answered);
    let order = reduction.order();
    let (properties, evaluated_again) = formulas(plan, order.as_ref(), &mut observer);
    if !is_written {
        or_lost(recorded::write(plan, &properties).map(|()| true));
    }
    properties.into_iter().for_each(|told| summary.add(told));
    summary.notes.extend(not_looked_at(plan));
    summary.symmetry = reduction.summary(again.full);
    summary.stop_reason = summary.stop_reason.or(again.cut.map(|(reason, _)| reason));
    summary.visible = visible;
    summary.audit = again.audit;
    summary.self_check = again.compared.or(evaluated_again);
    summary.times.total = plan.model.load + start.elapsed();
    // What is not known after a search that was cut short stays so.
    if summary.unreached.is_some() {
        summary.unreached = unreached.filter(|_| plan.manner.unreached == Listing::Shown);
    }
    let mut answer = answer(&summary, plan.manner.full);
    answer.found.extend(lost);
    Ok(answer)
}

/// What became of all formulas, and what was evaluated again, in words. If that was asked for, each
/// is checked once more without symmetry, and must have the same verdict.
fn formulas(
    plan: &SearchPlan,
    order: Option<&String>,
    observer: &mut Observer<'_>,
) -> (Vec<Property>, Option<String>) {
    let mut all = |reduced: Reduced| {
        let mut properties = asked::linear(plan, order, reduced, observer);
        let branching = asked::branching(plan, order, reduced, observer);
        let (property, again) = branching.unzip();
        properties.extend(property);
        (properties, again.flatten())
    };
    let (properties, again) = all(Reduced::AsPlanned);
    if plan.manner.self_check {
        watchdog::phase("formulas were checked again without symmetry");
        twice::compare_verdicts(&properties, &all(Reduced::Never).0);
    }
    (properties, again)
}

/// What came of looking at the stored states again.
pub struct LookedAgain {
    /// How many states there are without reduction, if that was asked.
    pub full: Option<Result<BigUint, String>>,
    /// Why the audit was cut short, if it was.
    pub cut: Option<(StopReason, String)>,
    /// What the audit found, in words.
    pub audit: Option<String>,
    /// What came of the second search, in words.
    pub compared: Option<String>,
}

/// Counts orbits, audits symmetries and searches again, as far as these were asked for.
fn look_again(
    plan: &SearchPlan,
    (reduction, store, outcome): (&mut Reduction, &mut TreeStore, &Outcome),
    (options, observer): (&Options<'_>, &mut Observer<'_>),
) -> LookedAgain {
    let machine = &plan.model.machine;
    watchdog::phase("orbits were counted");
    // Only where each orbit has one state do their sizes add up.
    let is_exact = plan.manner.reduce.guarantee() == Guarantee::Exact;
    let is_counted = plan.manner.count_full || plan.manner.self_check && is_exact;
    let full = is_counted.then(|| match outcome.ended {
        Ended::Complete => reduction.full_states(store, options.clock),
        _ => Err("not every state was seen".to_owned()),
    });
    watchdog::phase("symmetries were audited");
    let cut = if plan.manner.audit {
        reduction.audit(machine, store, options.clock)
    } else {
        None
    };
    let audit = plan.manner.audit && cut.is_none();
    let audit = audit.then(|| audited(outcome.counts.n_states, reduction.is_trivial()));
    watchdog::phase("states were searched again without symmetry");
    let compared = plan.manner.self_check.then(|| {
        let full = full.as_ref().and_then(|full| full.as_ref().ok());
        twice::search_again(machine, options, observer, (outcome, full)).words()
    });
    LookedAgain {
        full: full.filter(|_| plan.manner.count_full),
        cut,
        audit,
        compared,
    }
}

/// The same message, as a warning.
pub fn as_warning(why: Diagnostic) -> Diagnostic {
    Diagnostic {
        severity: Severity::Warning,
        ..why
    }
}

/// The search for errors, with the symmetry that it used.
fn searched(
    plan: &SearchPlan,
    options: &Options<'_>,
    observer: &mut Observer<'_>,
) -> Result<(Reduction, Outcome, TreeStore), Refusal> {
    let machine = &plan.model.machine;
    watchdog::phase("symmetries were looked for");
    let mut reduction = Reduction::of(plan, Sends::Assumed)?;
    watchdog::phase("states were searched");
    let (outcome, store) = explore(machine, reduction.reducer(), options, observer);
    if outcome.ended != Ended::Stopped(StopReason::Refuted) {
        return Ok((reduction, outcome, store));
    }
    // A send waits that was taken not to, so it is searched anew with fewer symmetries.
    let mut reduction = Reduction::of(plan, Sends::Wait)?;
    let (outcome, store) = explore(machine, reduction.reducer(), options, observer);
    Ok((reduction, outcome, store))
}

/// What a reader may take to have been looked at, and was not.
fn not_looked_at(plan: &SearchPlan) -> Option<String> {
    let asked = plan.temporal.asked.iter();
    let mut kinds = asked.map(|n| plan.model.properties[*n].kind);
    let silent = !plan.model.accepts() || kinds.any(|kind| kind == Kind::Acceptance);
    let words = "cycles through accept labels were not looked for; `-a` asks for that";
    (!silent).then(|| words.to_owned())
}

/// Looks at infinite runs only.
fn only_temporal(plan: &SearchPlan) -> Result<Answer, Diagnostic> {
    let start = Instant::now();
    let options = options(plan);
    let bar = progress_bar(plan.manner.progress);
    let mut observer = observer(&bar);
    // What the property costs is seen beside the group that does not care about it.
    let order = Reduction::of(plan, Sends::Wait)
        .ok()
        .and_then(|r| r.order());
    let (properties, _) = formulas(plan, order.as_ref(), &mut observer);
    bar.finish_and_clear();
    let lost = recorded::write(plan, &properties).err().map(as_warning);
    let mut request = Request::new(plan.model.told(), &options, plan.model.load);
    request.switched_off.clone_from(&plan.switched_off);
    let mut summary = Summary::of_properties(request, properties);
    summary.times.total = plan.model.load + start.elapsed();
    let mut answer = answer(&summary, plan.manner.full);
    answer.found.extend(lost);
    Ok(answer)
}

/// What the plan says, for a search.
pub fn options(plan: &SearchPlan) -> Options<'static> {
    Options {
        order: plan.manner.order,
        deadlocks: plan.deadlocks,
        assertions: plan.assertions,
        invariants: Attention::Ignored,
        goals: Attention::Ignored,
        stop_after: plan.manner.stop_after,
        memory_bytes_max: plan.manner.memory_bytes_max,
        clock: plan.manner.clock,
        depth_max: plan.manner.depth_max,
        progress_every: PROGRESS_EVERY,
    }
}

/// A search that can be made many times: the symmetry is known, and nothing will be reported.
pub struct Ready<'p> {
    plan: &'p SearchPlan,
    reduction: Reduction,
}

impl<'p> Ready<'p> {
    /// Finds the symmetry; an error says why the strategy does not fit it.
    pub fn of(plan: &'p SearchPlan) -> Result<Ready<'p>, Diagnostic> {
        // Nobody is there to search again if a send waits after all.
        let reduction = Reduction::of(plan, Sends::Wait).map_err(|refusal| refusal.why)?;
        Ok(Ready { plan, reduction })
    }

    /// So many that choose representatives, one for each search.
    pub fn reducers(&self, n: usize) -> Result<Vec<Box<dyn Reducer>>, Diagnostic> {
        let another = |_| self.reduction.another_reducer();
        let reducers: Result<_, Refusal> = (0..n).map(another).collect();
        reducers.map_err(|refusal| refusal.why)
    }

    /// Searches; also the number of partitions, if the strategy has such.
    pub fn run(&self, reducer: &mut dyn Reducer) -> (Outcome, Option<usize>) {
        let machine = &self.plan.model.machine;
        // Each search has the whole time.
        let options = Options {
            clock: Clock::of(self.plan.manner.time_max),
            ..options(self.plan)
        };
        let (outcome, _) = explore(machine, reducer, &options, &mut |_| ());
        (outcome, reducer.n_partitions())
    }
}

/// One search, and what it stored.
fn explore(
    machine: &Machine,
    reducer: &mut dyn Reducer,
    options: &Options<'_>,
    observer: &mut Observer<'_>,
) -> (Outcome, TreeStore) {
    let mut store = TreeStore::new();
    let parts = Parts {
        reducer,
        store: &mut store,
    };
    let outcome = check::explore_with(machine, parts, options, observer);
    (outcome.unwrap_or_else(|broken| panic!("{broken}")), store)
}

/// How text looks; in full, if that was asked for.
pub fn look(full: Listing) -> Look {
    let full = full == Listing::Shown;
    Look {
        colour: Colour::Always,
        width: output::width(),
        n_steps_max: if full { usize::MAX } else { N_STEPS_MAX },
        full,
    }
}

/// How a verdict ends the command.
pub fn exit(verdict: Verdict) -> Exit {
    match verdict {
        Verdict::Holds => Exit::Holds,
        Verdict::Violated => Exit::Violated,
        // The whole is never switched off.
        Verdict::Unknown | Verdict::NotChecked => Exit::Unknown,
    }
}

/// What is shown of a summary.
pub fn answer(summary: &Summary, full: Listing) -> Answer {
    Answer {
        exit: exit(summary.verdict),
        text: report::text(summary, &look(full)),
        json: report::json(summary),
        found: Vec::new(),
    }
}

/// The answer where nothing is searched: a program can read which generators are none.
fn refused(refusal: Refusal, model: &RunModel) -> Result<Answer, Diagnostic> {
    if refusal.rejected.is_empty() {
        return Err(refusal.why);
    }
    let request = Request::of_rest(model.told(), Vec::new());
    let mut summary = Summary::of_properties(request, Vec::new());
    summary.verdict = Verdict::Unknown;
    summary.reason = Some(refusal.why.message.clone());
    summary.symmetry = Some(report::Symmetry {
        order: "1".to_owned(),
        structure: None,
        generators: Vec::new(),
        strategy: Strategy::None.name().to_owned(),
        guarantee: Guarantee::Exact,
        full_states: None,
        detect: None,
        details: Some(report::Details {
            rejected: refusal.rejected,
            ..report::Details::default()
        }),
    });
    Ok(Answer {
        exit: Exit::Input,
        // The message says all that people need.
        text: String::new(),
        json: report::json(&summary),
        found: vec![refusal.why],
    })
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
    let counted = check::visible::count(machine, options, observer);
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

/// Who tells the user, and whoever has to speak for the search, how far it has come.
pub fn observer(bar: &ProgressBar) -> impl FnMut(&Progress) {
    |progress: &Progress| {
        watchdog::progress(progress);
        bar.set_message(report::progress(progress));
    }
}

/// What is asked for, by name and kind.
fn asked(plan: &SearchPlan) -> Vec<(String, String)> {
    let both = |name: &str| (name.to_owned(), name.to_owned());
    let mut all = Vec::new();
    if !plan.temporal.alone {
        let reported = |attention| attention == Attention::Reported;
        all.extend(reported(plan.deadlocks).then(|| both("deadlock")));
        all.extend(reported(plan.assertions).then(|| both("assertions")));
        all.push(both("faults"));
    }
    for family in plan.model.families(&plan.temporal.asked) {
        let property = &plan.model.properties[family[0]];
        all.push((property.name.clone(), property.kind.word().to_owned()));
    }
    all.extend(plan.ctl.as_ref().map(|_| both("ctl")));
    all
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

/// An audit that found nothing, in words.
pub fn audited(n_states: u64, is_trivial: bool) -> String {
    if is_trivial {
        "there is no symmetry".to_owned()
    } else {
        let states = report::words::counted(n_states, "state");
        format!("every generator carries the moves of {states} to moves")
    }
}

/// An audit that a limit cut short leaves the verdict open.
pub fn not_audited(reason: &str) -> Unchecked {
    Unchecked {
        name: "audit".to_owned(),
        kind: "audit".to_owned(),
        reason: reason.to_owned(),
    }
}

/// Writes the first error run, if that was asked for; whether nothing is left to write.
fn write_trail(
    plan: &SearchPlan,
    machine: &Machine,
    outcome: &Outcome,
) -> Result<bool, Diagnostic> {
    let Some(target) = &plan.trail else {
        return Ok(true);
    };
    let errors = outcome.findings.iter().filter(|f| f.violation.is_error());
    let Some(finding) = errors.into_iter().next() else {
        return Ok(false);
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
        target,
        model: &plan.model,
        machine,
        rules,
        error,
    };
    recorded.write(&steps, None).map(|()| true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::N_LOOKS;
    use crate::plan::CheckPlan;
    use crate::plan::check_plan_of;
    use serde_json::{Value, json};

    /// How often symmetry is looked for in a check.
    fn n_looks(text: &str, flags: &[&str], test: &str) -> usize {
        let CheckPlan::Search(plan) = check_plan_of(text, flags, test) else {
            panic!("nothing is searched")
        };
        N_LOOKS.set(0);
        assert!(run(&plan).is_ok());
        N_LOOKS.get()
    }

    #[test]
    fn symmetry_is_looked_for_once_for_each_machine_and_assumption() {
        let mutex = include_str!("../../../../models/promela/mutex.pml");
        assert_eq!(n_looks(mutex, &[], "looks"), 1);
        assert_eq!(n_looks(mutex, &["--audit", "--count-full"], "looks"), 1);
        assert_eq!(n_looks(mutex, &["--no-symmetry"], "looks"), 0);
        // A formula is looked at on a machine of its own.
        let formula = "--ltl=[]<>true";
        assert_eq!(n_looks(mutex, &[formula], "looks"), 2);
        // Where loops send, with and without the assumption that nobody waits.
        let email = include_str!("../../../../models/promela/email.pml");
        assert!(n_looks(email, &[], "looks") <= 2);
    }

    #[test]
    fn an_audit_that_was_cut_short_leaves_the_verdict_open() {
        let text = include_str!("../../../../models/promela/mutex.pml");
        let flags = ["--spin-compat", "--count-full", "--audit"];
        let CheckPlan::Search(mut plan) = check_plan_of(text, &flags, "audit") else {
            panic!("nothing is searched")
        };
        let answer = |plan: &SearchPlan| run(plan).map(|answer| Value::Object(answer.json));
        let whole = answer(&plan).expect("an answer");
        assert_eq!(whole["verdict"], "holds");
        assert_eq!(whole["counts"]["full_states"], 113);
        assert_eq!(whole["counts"]["full_states_reason"], Value::Null);
        plan.manner.clock = Clock::of(Some(Duration::ZERO));
        let cut = answer(&plan).expect("an answer");
        assert_eq!(
            (&cut["verdict"], &cut["stop_reason"]),
            (&json!("unknown"), &json!("time"))
        );
        assert_eq!(cut["counts"]["full_states"], Value::Null);
        assert_eq!(
            cut["counts"]["full_states_reason"],
            "not every state was seen"
        );
        let properties = cut["properties"].as_array().expect("a list");
        let audit = properties
            .iter()
            .find(|p| p["name"] == "audit")
            .expect("the audit");
        let reason = audit["reason"].as_str().unwrap_or("");
        assert!(reason.starts_with("the time limit came first"), "{reason}");
    }
}
