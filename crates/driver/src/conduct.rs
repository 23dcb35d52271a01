//! A check: from the plan to the summary.

use crate::listener::Listener;
use crate::plan::{CheckPlan, Listing};
use crate::recheck::{LookedAgain, Searched, look_again};
use crate::reduction::{Reduction, Refusal, Wanted};
use crate::{assertions, compiled, formulas, record, refinement};
use base::{Clock, Diagnostic, Severity};
use check::{
    Attention, Broken, Counts, Ended, Finding, Observer, Options, Outcome, Reducer, StopReason,
    TreeStore,
};
use model::frontend::{About, Asks, Model, Purpose, Rules, Subject};
use reduce::processes::sort::Sends;
use report::object::{Named, Operation, Set};
use report::{RequestedCheck, Summary, Unchecked};
use std::time::Instant;
use system::System;

/// What a check came to.
pub struct Conducted {
    /// The summary.
    pub summary: Summary,
    /// What is to be told with a place, besides.
    pub found: Vec<Diagnostic>,
    /// Whether nothing was searched, since something that was given is wrong.
    pub is_refused: bool,
    /// Whether something is wrong with the model, although there is an answer.
    pub is_wrong: bool,
}

/// A check under way.
pub struct Conductor<'a> {
    /// What is asked.
    pub plan: &'a CheckPlan,
    /// Who is told how far it has come.
    pub listener: &'a dyn Listener,
}

/// Carries out the plan; an error says why nothing can be searched.
pub fn check(
    plan: &CheckPlan,
    listener: &dyn Listener,
    observer: &mut Observer<'_>,
) -> Result<Conducted, Diagnostic> {
    listener.asked(told(&*plan.model), asked(plan));
    let conductor = Conductor { plan, listener };
    let mut observer = |progress: &check::Progress| {
        listener.progress(progress);
        observer(progress);
    };
    if plan.model.is_of_assertions() {
        return Ok(assertions::check(&conductor, &mut observer));
    }
    if plan.asked.alone {
        conductor.only_formulas(&mut observer)
    } else {
        conductor.search(&mut observer)
    }
}

/// What programs are told about a model.
pub fn told(model: &dyn Model) -> report::Model {
    of_about(&model.about())
}

fn of_about(about: &About) -> report::Model {
    report::Model {
        defines: about.defines.clone(),
        rules: about.rules.map(|rules| rules.word().to_owned()),
        process: about.process.clone(),
        set_sizes: about.set_sizes.iter().cloned().collect(),
        ..report::Model::new(&about.path, about.language)
    }
}

/// The same with what it takes some time to find.
fn told_in_full(model: &dyn Model) -> report::Model {
    let contents = model.contents();
    let sets = contents.sets.into_iter().map(|set| Set {
        name: set.name,
        size: set.elements.len(),
        size_from: set.size_from.to_owned(),
        elements: set.elements,
    });
    report::Model {
        sets: sets.collect(),
        constants: Some(Named(contents.constants)).filter(|values| !values.0.is_empty()),
        ..told(model)
    }
}

/// What is asked for, by name and kind.
fn asked(plan: &CheckPlan) -> Vec<(String, String)> {
    let asked = &plan.asked;
    let is_asked = |n: usize, asks: &Asks| match asks {
        Asks::Deadlock => asked.deadlocks == Attention::Reported,
        Asks::Assertions => asked.assertions == Attention::Reported,
        Asks::Invariants => asked.invariants == Attention::Reported,
        Asks::Goal(_) => asked.goals == Attention::Reported,
        Asks::Faults => !asked.alone,
        Asks::Refinement(_) => false,
        Asks::Linear(_) | Asks::Branching(_) | Asks::Assertion(_) => asked.formulas.contains(&n),
    };
    let all = plan.model.questions().iter().enumerate();
    let all = all.filter(|(n, question)| is_asked(*n, &question.asks));
    all.map(|(_, question)| (question.name.clone(), question.kind.to_owned()))
        .collect()
}

impl<'a> Conductor<'a> {
    fn subject(&self) -> Result<Box<dyn Subject + 'a>, Diagnostic> {
        self.plan.model.subject(&Purpose::Errors)
    }

    /// The symmetry of what is searched.
    pub fn wanted(&self, sends: Sends) -> Wanted<'a> {
        let rules = self.plan.model.about().rules;
        Wanted {
            how: &self.plan.how,
            detect: &self.plan.detect,
            keeps_start: rules.is_some_and(|rules| rules != Rules::Own),
            sends,
        }
    }

    /// The search for errors, and all that is asked besides.
    fn search(&self, observer: &mut Observer<'_>) -> Result<Conducted, Diagnostic> {
        let start = Instant::now();
        let plan = self.plan;
        let subject = self.subject()?;
        let options = plan.options();
        let searched = match self.searched(&*subject, &options, observer) {
            Ok(searched) => searched,
            Err(refusal) => return self.refused(refusal),
        };
        let Searched {
            mut reduction,
            mut outcome,
            mut store,
        } = searched;
        self.listener.phase("what was found was put in order");
        let system = subject.system(reduction.starts());
        // SPIN's way of counting is about all states, not about one of each orbit.
        let visible = (reduction.is_trivial())
            .then(|| visible(system, &options, &outcome, observer))
            .flatten();
        show_as_written(&*subject, &mut outcome);
        for finding in &mut outcome.findings {
            let words = |symmetry: &_| reduction.words_of(symmetry);
            finding.witness.name_stored(&words);
        }
        let mut record = record::Record::of(plan);
        record.errors(&*subject, &outcome);
        let again = look_again(
            self,
            &*subject,
            (&mut reduction, &mut store, &outcome),
            observer,
        );
        let mut request = RequestedCheck::new(told(&*plan.model), &options, plan.load);
        let unaudited = again.cut.as_ref().map(|(_, reason)| not_audited(reason));
        request.unchecked.extend(unaudited);
        request.switched_off.clone_from(&plan.asked.switched_off);
        let unreached = reduction.unreached(system, &outcome.covered);
        let operations = subject.operations(&outcome.covered);
        let mut summary = Summary::new(request, outcome, &|fault| system.fault_text(fault));
        summary
            .properties
            .iter()
            .for_each(|property| self.listener.answered(property));
        // What is not known after a search that was cut short stays so.
        if summary.unreached.is_some() {
            summary.unreached = unreached.filter(|_| plan.how.unreached == Listing::Shown);
        }
        summary.operations = operations
            .into_iter()
            .map(|(name, taken)| Operation { name, taken })
            .collect();
        summary.visible = visible;
        compiled::tell(&*subject, &mut summary);
        let remarks = subject.remarks();
        self.finish(summary, (&reduction, again), record, observer, start)
            .map(|conducted| self.with_remarks(conducted, remarks))
    }

    /// Adds formulas, refinement, and what is told of the symmetry.
    fn finish(
        &self,
        mut summary: Summary,
        (reduction, again): (&Reduction, LookedAgain),
        mut record: record::Record<'_>,
        observer: &mut Observer<'_>,
        start: Instant,
    ) -> Result<Conducted, Diagnostic> {
        let plan = self.plan;
        summary.symmetry = reduction.summary(again.full);
        summary.notes.extend_from_slice(reduction.notes());
        summary.stop_reason = summary.stop_reason.or(again.cut.map(|(reason, _)| reason));
        summary.audit = again.audit;
        self.listener.phase("formulas and refinement were checked");
        let checked = formulas::all(self, reduction.order().as_ref(), observer);
        summary.self_check = again.compared.or(checked.again);
        record.formulas(&checked.properties);
        for property in checked.properties {
            summary.add(property);
        }
        if plan.asked.refinement {
            refinement::check(plan, &mut summary);
        }
        summary.notes.extend(plan.model.about().notes);
        let lost = record.finish(&summary);
        summary.times.total = plan.load + start.elapsed();
        summary.model = told_in_full(&*plan.model);
        Ok(Conducted {
            summary,
            found: lost.into_iter().collect(),
            is_refused: false,
            is_wrong: false,
        })
    }

    fn with_remarks(&self, mut conducted: Conducted, remarks: Vec<Diagnostic>) -> Conducted {
        if self.plan.how.progress == Listing::Shown {
            let lost = std::mem::replace(&mut conducted.found, remarks);
            conducted.found.extend(lost);
        }
        conducted
    }

    /// Looks at formulas only.
    fn only_formulas(&self, observer: &mut Observer<'_>) -> Result<Conducted, Diagnostic> {
        let start = Instant::now();
        let plan = self.plan;
        // What a formula costs is seen beside the group that does not care about it.
        let subject = self.subject()?;
        let reduction = Reduction::of(&*subject, &self.wanted(Sends::Wait));
        let reduction = match reduction.map(|reduction| reduction.with_what_is_declared(&*subject))
        {
            Ok(Err(refusal)) => return self.refused(refusal),
            Ok(Ok(reduction)) => Some(reduction),
            Err(_) => None,
        };
        let order = reduction.and_then(|reduction| reduction.order());
        let checked = formulas::all(self, order.as_ref(), observer);
        let mut record = record::Record::of(plan);
        record.formulas(&checked.properties);
        let mut request = RequestedCheck::new(told(&*plan.model), &plan.options(), plan.load);
        request.switched_off.clone_from(&plan.asked.switched_off);
        let mut summary = Summary::of_properties(request, checked.properties);
        let lost = record.finish(&summary);
        summary.times.total = plan.load + start.elapsed();
        summary.model = told_in_full(&*plan.model);
        Ok(Conducted {
            summary,
            found: lost.into_iter().collect(),
            is_refused: false,
            is_wrong: false,
        })
    }

    /// The search for errors, with the symmetry that it used.
    fn searched(
        &self,
        subject: &dyn Subject,
        options: &Options<'_>,
        observer: &mut Observer<'_>,
    ) -> Result<Searched, Refusal> {
        self.listener.phase("symmetries were looked for");
        let reduction = Reduction::of(subject, &self.wanted(Sends::Assumed))?;
        let reduction = reduction.with_what_is_declared(subject)?;
        self.listener.phase("states were searched");
        let attempt = Attempt::of(subject, reduction, options, observer);
        if let Some(reason) = subject.broken_symmetry()
            && !attempt.reduction.is_trivial()
        {
            let reduction = Reduction::apart(subject, &self.wanted(Sends::Wait), reason)?;
            return Ok(Attempt::of(subject, reduction, options, observer).searched());
        }
        let searched = attempt.searched();
        if searched.outcome.ended != Ended::Stopped(StopReason::Refuted) {
            return Ok(searched);
        }
        // A send waits that was taken not to, so it is searched anew with fewer symmetries.
        let reduction = Reduction::of(subject, &self.wanted(Sends::Wait))?;
        let reduction = reduction.with_what_is_declared(subject)?;
        Ok(Attempt::of(subject, reduction, options, observer).searched())
    }

    /// The answer where nothing is searched: a program can read which generators are none.
    fn refused(&self, refusal: Refusal) -> Result<Conducted, Diagnostic> {
        if refusal.rejected.is_empty() {
            return Err(refusal.why);
        }
        let request = RequestedCheck::of_rest(told(&*self.plan.model), Vec::new());
        let mut summary = Summary::of_properties(request, Vec::new());
        summary.verdict = report::Verdict::Unknown;
        summary.reason = Some(refusal.why.message.clone());
        summary.symmetry = Some(report::Symmetry::refused(refusal.rejected));
        Ok(Conducted {
            summary,
            found: vec![refusal.why],
            is_refused: true,
            is_wrong: true,
        })
    }
}

/// A search that can be made many times: the symmetry is known, and nothing will be reported.
pub struct Ready<'p> {
    plan: &'p CheckPlan,
    subject: Box<dyn Subject + 'p>,
    reduction: Reduction,
}

impl<'p> Ready<'p> {
    /// Finds the symmetry; an error says why the strategy does not fit it.
    pub fn of(plan: &'p CheckPlan) -> Result<Ready<'p>, Diagnostic> {
        let listener = &crate::listener::Nobody;
        let conductor = Conductor { plan, listener };
        let subject = conductor.subject()?;
        // Nobody is there to search again if a send waits after all.
        let reduction = Reduction::of(&*subject, &conductor.wanted(Sends::Wait));
        Ok(Ready {
            plan,
            reduction: reduction.map_err(|refusal| refusal.why)?,
            subject,
        })
    }

    /// So many that choose representatives, one for each search.
    pub fn reducers(&self, n: usize) -> Result<Vec<Box<dyn Reducer>>, Diagnostic> {
        let another = |_| self.reduction.another_reducer();
        let reducers: Result<_, Refusal> = (0..n).map(another).collect();
        reducers.map_err(|refusal| refusal.why)
    }

    /// Searches; also the number of partitions, if the strategy has such.
    pub fn run(&self, reducer: &mut dyn Reducer) -> (Outcome, Option<usize>) {
        let system = self.subject.system(self.reduction.starts());
        // Each search has the whole time.
        let options = Options {
            clock: Clock::of(self.plan.how.time_max),
            ..self.plan.options()
        };
        let outcome = check::explore(system, reducer, &options, &mut |_| ());
        let outcome = outcome.unwrap_or_else(|broken| panic!("{broken}"));
        (outcome, reducer.n_partitions())
    }
}

/// A search whose symmetry may turn out not to fit.
struct Attempt {
    reduction: Reduction,
    outcome: Result<Outcome, Broken>,
    store: TreeStore,
}

impl Attempt {
    fn of(
        subject: &dyn Subject,
        mut reduction: Reduction,
        options: &Options<'_>,
        observer: &mut Observer<'_>,
    ) -> Attempt {
        let mut store = TreeStore::new();
        let outcome = reduction.explore(subject, &mut store, options, observer);
        Attempt {
            reduction,
            outcome,
            store,
        }
    }

    /// What came of it.
    ///
    /// # Panics
    /// If a run that was found cannot be replayed: that is a bug.
    fn searched(self) -> Searched {
        Searched {
            reduction: self.reduction,
            outcome: self.outcome.unwrap_or_else(|broken| panic!("{broken}")),
            store: self.store,
        }
    }
}

/// The counts without hidden variables, where all states were seen and time is left.
fn visible(
    system: &dyn System,
    options: &Options<'_>,
    outcome: &Outcome,
    observer: &mut Observer<'_>,
) -> Option<Counts> {
    if outcome.ended != Ended::Complete {
        return None;
    }
    let counted = check::visible::count(system, options, observer);
    counted.unwrap_or_else(|broken| panic!("{broken}"))
}

/// Tells the runs again on the model as it was written, where it was rewritten to have fewer
/// states: values that do not matter to the verdict matter to a reader.
fn show_as_written(subject: &dyn Subject, outcome: &mut Outcome) {
    if outcome.findings.is_empty() {
        return;
    }
    let Some(written) = subject.as_written() else {
        return;
    };
    for Finding {
        violation, witness, ..
    } in &mut outcome.findings
    {
        let told = witness.retold(written, *violation, &|step| written.is_idle(step));
        *witness = told.unwrap_or_else(|broken| panic!("on the model as written, {broken}"));
    }
}

/// An audit that a limit cut short leaves the verdict open.
fn not_audited(reason: &str) -> Unchecked {
    Unchecked {
        name: "audit".to_owned(),
        kind: "audit".to_owned(),
        reason: reason.to_owned(),
    }
}

/// The same message, as a warning.
pub fn as_warning(why: Diagnostic) -> Diagnostic {
    Diagnostic {
        severity: Severity::Warning,
        ..why
    }
}
