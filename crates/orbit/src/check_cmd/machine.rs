//! A search of the states of a B machine.

use super::machine_reduction::MachineReduction;
use super::search::{
    LookedAgain, PROGRESS_EVERY, answer, audited, not_audited, observer, progress_bar,
};
use super::temporal::Reduced;
use super::{accepted, machine_temporal, refinement, twice};
use crate::answer::Answer;
use crate::plan::{Listing, MachinePlan, ReadMachine};
use crate::{trail, watchdog};
use base::Diagnostic;
use bmachine::live::Live;
use bmachine::run::Setups;
use check::{
    Attention, Broken, Ended, Finding, Guarantee, Observer, Options, Outcome, Parts, TreeStore,
    Violation,
};
use report::object::Operation;
use report::{Property, Request, Summary};
use std::time::Instant;
use system::System;

/// What was read.
pub fn parsed(read: &ReadMachine) -> Answer {
    let machine = &read.machine;
    let n_variables = machine.globals.len() - machine.n_constants;
    let rows = [
        ("sets", machine.sorts.len()),
        ("constants", machine.n_constants),
        ("variables", n_variables),
        ("operations", machine.operations.len()),
        ("assertions", machine.assertions.len()),
        ("formulas", machine.formulas.len()),
    ];
    accepted(report::Model::new(&read.path, "b"), &rows)
}

/// Carries out the plan.
pub fn run(plan: &MachinePlan) -> Result<Answer, Diagnostic> {
    watchdog::asked(plan.model(), asked(plan));
    if plan.alone {
        return only_temporal(plan);
    }
    let start = Instant::now();
    let (live, manner) = (&plan.live, &plan.manner);
    let options = options(plan);
    let bar = progress_bar(manner.progress);
    let mut observer = observer(&bar);
    let (mut reduction, outcome, mut store) = searched(plan, &options, &mut observer)?;
    bar.finish_and_clear();
    watchdog::phase("what was found was put in order");
    let (is_written, mut lost) = match write_trail(plan, &outcome) {
        Ok(is_written) => (is_written, None),
        Err(why) => (true, Some(why)),
    };
    let searched = (&mut reduction, &mut store, &outcome);
    let again = look_again(plan, searched, (&options, &mut observer));
    let mut request = Request::new(plan.model(), &options, plan.load);
    let audit = again.cut.as_ref().map(|(_, reason)| not_audited(reason));
    request.unchecked.extend(audit);
    request.switched_off.clone_from(&plan.switched_off);
    let covered = outcome.covered.clone();
    let mut summary = Summary::new(request, outcome, &|fault| live.fault_text(fault));
    summary.properties.iter().for_each(watchdog::answered);
    watchdog::phase("formulas and refinement were checked");
    summary.symmetry = reduction.summary(plan, again.full);
    summary.notes.extend_from_slice(reduction.notes());
    summary.stop_reason = summary.stop_reason.or(again.cut.map(|(reason, _)| reason));
    summary.audit = again.audit;
    summary.self_check = again.compared;
    let order = reduction.order();
    for &formula in &plan.formulas {
        let told = checked(plan, formula, order.as_ref(), &mut observer);
        watchdog::answered(&told);
        summary.add(told);
    }
    refinement::check(plan, &options, &mut summary);
    if !is_written {
        lost = not_recorded(plan, &summary);
    }
    summary.times.total = plan.load + start.elapsed();
    if manner.unreached == Listing::Hidden {
        summary.unreached = None;
    }
    summary.operations = operations(live, &covered);
    summary.model = plan.told();
    let mut answer = answer(&summary, plan.manner.full);
    if manner.progress == Listing::Shown {
        answer.found = live.undefined();
    }
    answer.found.extend(lost);
    Ok(answer)
}

/// What became of a formula. If that was asked for, it is checked once more without symmetry, and
/// must have the same verdict.
fn checked(
    plan: &MachinePlan,
    formula: usize,
    order: Option<&String>,
    observer: &mut Observer<'_>,
) -> Property {
    let told = machine_temporal::check(plan, formula, order, Reduced::AsPlanned, observer);
    if plan.manner.self_check {
        let again = machine_temporal::check(plan, formula, order, Reduced::Never, observer);
        let (told, again) = (std::slice::from_ref(&told), std::slice::from_ref(&again));
        twice::compare_verdicts(told, again);
    }
    told
}

/// Counts orbits, audits symmetries and searches again, as far as these were asked for.
fn look_again(
    plan: &MachinePlan,
    (reduction, store, outcome): (&mut MachineReduction, &mut TreeStore, &Outcome),
    (options, observer): (&Options<'_>, &mut Observer<'_>),
) -> LookedAgain {
    let (live, manner) = (&plan.live, &plan.manner);
    live.program().patience().hurry();
    watchdog::phase("orbits were counted");
    // Only where each orbit has one state do their sizes add up.
    let is_exact = manner.reduce.guarantee() == Guarantee::Exact;
    let is_counted = manner.count_full || manner.self_check && is_exact;
    let full = is_counted.then(|| match outcome.ended {
        Ended::Complete => reduction.full_states(live, store, options.clock),
        _ => Err("not every state was seen".to_owned()),
    });
    watchdog::phase("symmetries were audited");
    let cut = if manner.audit {
        reduction.audit(live, store, options.clock)
    } else {
        None
    };
    let audit = manner.audit && cut.is_none();
    let audit = audit.then(|| audited(outcome.counts.n_states, !reduction.is_used()));
    watchdog::phase("states were searched again without symmetry");
    let compared = manner.self_check.then(|| {
        let full = full.as_ref().and_then(|full| full.as_ref().ok());
        live.set_up(Setups::Named);
        live.program().patience().hurry();
        twice::search_again(live, options, observer, (outcome, full)).words()
    });
    LookedAgain {
        full: full.filter(|_| manner.count_full),
        cut,
        audit,
        compared,
    }
}

/// Which operations were taken in the search.
fn operations(live: &Live, covered: &[bool]) -> Vec<Operation> {
    let all = live.program().machine().operations.iter().zip(covered);
    let public = all.filter(|(operation, _)| operation.is_public);
    public
        .map(|(operation, &taken)| Operation {
            name: operation.name.clone(),
            taken,
        })
        .collect()
}

/// Looks at formulas only.
fn only_temporal(plan: &MachinePlan) -> Result<Answer, Diagnostic> {
    let start = Instant::now();
    let options = options(plan);
    let bar = progress_bar(plan.manner.progress);
    let mut observer = observer(&bar);
    // What a formula costs is seen beside the group that does not care about it.
    let order = MachineReduction::of(plan)?.order();
    let mut properties = Vec::new();
    for &formula in &plan.formulas {
        properties.push(checked(plan, formula, order.as_ref(), &mut observer));
    }
    bar.finish_and_clear();
    let mut request = Request::new(plan.model(), &options, plan.load);
    request.switched_off.clone_from(&plan.switched_off);
    let mut summary = Summary::of_properties(request, properties);
    summary.times.total = plan.load + start.elapsed();
    summary.model = plan.told();
    let lost = not_recorded(plan, &summary);
    let mut answer = answer(&summary, plan.manner.full);
    answer.found.extend(lost);
    Ok(answer)
}

/// What is asked for, by name and kind.
fn asked(plan: &MachinePlan) -> Vec<(String, String)> {
    let searched = [
        ("invariant", plan.invariants),
        ("deadlock", plan.deadlocks),
        ("assertions", plan.assertions),
        ("goal", plan.goals),
        ("faults", Attention::Reported),
    ];
    let is_asked =
        |(_, attention): &(&str, Attention)| !plan.alone && *attention == Attention::Reported;
    let searched = searched.into_iter().filter(is_asked);
    let mut all: Vec<_> = searched
        .map(|(name, _)| (name.to_owned(), name.to_owned()))
        .collect();
    let formulas = &plan.live.program().machine().formulas;
    all.extend(plan.formulas.iter().map(|n| {
        let kind = if formulas[*n].is_linear { "ltl" } else { "ctl" };
        (formulas[*n].name.clone(), kind.to_owned())
    }));
    all
}

/// The search for errors, with the symmetry that it used.
fn searched(
    plan: &MachinePlan,
    options: &Options<'_>,
    observer: &mut Observer<'_>,
) -> Result<(MachineReduction, Outcome, TreeStore), Diagnostic> {
    let live = &plan.live;
    watchdog::phase("symmetries were looked for");
    let mut reduction = MachineReduction::of(plan)?;
    watchdog::phase("states were searched");
    live.set_up(reduction.setups());
    let (mut outcome, mut store) = explore(live, &mut reduction, options, observer);
    if live.is_limited() && reduction.is_used() {
        reduction = MachineReduction::apart(plan, LIMITED)?;
        live.set_up(reduction.setups());
        (outcome, store) = explore(live, &mut reduction, options, observer);
    }
    let outcome = outcome.unwrap_or_else(|broken| panic!("{broken}"));
    Ok((reduction, outcome, store))
}

/// What the plan says, for a search.
fn options(plan: &MachinePlan) -> Options<'static> {
    Options {
        order: plan.manner.order,
        deadlocks: plan.deadlocks,
        assertions: plan.assertions,
        invariants: plan.invariants,
        goals: plan.goals,
        stop_after: plan.manner.stop_after,
        memory_bytes_max: plan.manner.memory_bytes_max,
        clock: plan.manner.clock,
        depth_max: plan.manner.depth_max,
        progress_every: PROGRESS_EVERY,
    }
}

/// Why no symmetry is used after all.
pub const LIMITED: &str = "the machine asks for only some of the ways to go on";

/// One search, and what it stored. Where a symmetry does not fit, it breaks.
fn explore(
    live: &Live,
    reduction: &mut MachineReduction,
    options: &Options<'_>,
    observer: &mut Observer<'_>,
) -> (Result<Outcome, Broken>, TreeStore) {
    live.program().patience().hurry();
    let mut store = TreeStore::new();
    let parts = Parts {
        reducer: reduction.reducer(),
        store: &mut store,
    };
    let outcome = check::explore_with(live, parts, options, observer);
    (outcome, store)
}

/// Writes the first error run, if that was asked for; whether nothing is left to write.
fn write_trail(plan: &MachinePlan, outcome: &Outcome) -> Result<bool, Diagnostic> {
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
    let steps: Vec<_> = finding
        .witness
        .steps()
        .iter()
        .map(|step| (step.taken, step.text.step.clone(), step.text.line))
        .collect();
    let of = (&*plan.path, plan.hash);
    let head = (start(plan, finding), plan.live.program().numbers());
    let text = trail::of_machine(of, head, error, &steps);
    target.write(&text).map(|()| true)
}

/// Says why nothing is recorded, where the search for errors found no run.
fn not_recorded(plan: &MachinePlan, summary: &Summary) -> Option<Diagnostic> {
    let name = plan.trail.as_ref()?.path().display();
    let why = match summary.verdict {
        report::Verdict::Violated => "runs of formulas and of refinement are not recorded",
        _ => "there is no error run",
    };
    Some(trail::warning(format!("{why}, so {name} is not written")))
}

/// With which of the initial states a run starts.
fn start(plan: &MachinePlan, finding: &Finding) -> usize {
    let live = &plan.live;
    live.set_up(Setups::All);
    let (mut n, mut found) = (0, 0);
    live.initial(&mut live.scratch(), &mut |initial| {
        if let Ok(state) = initial {
            let mut parts = Vec::new();
            live.describe(state, &mut |name, value| {
                parts.push((name.to_owned(), value.to_owned()));
            });
            if parts == finding.witness.start() {
                found = n;
            }
            n += 1;
        }
    });
    found
}
