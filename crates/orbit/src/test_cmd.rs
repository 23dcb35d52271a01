//! `orbit test`: many models, and whether each is as it says.

use crate::answer::{Answer, Exit};
use crate::page::Page;
use crate::plan::TestPlan;
use crate::{interrupt, watchdog};
use base::Diagnostic;
use driver::trail::{Target, warning};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use report::object::{TestObject, Tests, VERSION};
use suite::{Runner, Standing, Tested};

/// Carries out the plan.
pub fn run(plan: &TestPlan) -> Result<Answer, Diagnostic> {
    watchdog::phase("models were tested");
    let program = std::env::current_exe()
        .map_err(|why| Diagnostic::unlocated(format!("this program cannot be found: {why}")))?;
    let runner = Runner {
        program,
        words: plan.words.clone(),
        n_jobs: plan.n_jobs,
        interrupted: interrupt::watch(),
    };
    let tested = runner.run(&plan.all, &|_| ());
    let n = |standing: Standing| {
        tested
            .iter()
            .filter(|one| one.outcome.standing == standing)
            .count()
    };
    let (passed, failed, unknown) = (
        n(Standing::Passed),
        n(Standing::Failed),
        n(Standing::Unknown),
    );
    let mut page = Page::new();
    for one in &tested {
        let line = if plan.short {
            short(one)
        } else {
            Some(line(one))
        };
        page.verbatim(&line.map(|line| line + "\n").unwrap_or_default());
    }
    if !plan.short {
        page.verbatim(&format!(
            "\n{passed} passed, {failed} failed, {unknown} unknown\n"
        ));
    }
    let exit = match (failed, unknown) {
        (0, 0) => Exit::Holds,
        (0, _) => Exit::Unknown,
        _ => Exit::Violated,
    };
    let told = Tests {
        orbit: VERSION.to_owned(),
        passed: passed as u64,
        failed: failed as u64,
        unknown: unknown as u64,
        tests: tested.iter().map(object).collect(),
        diagnostics: Vec::new(),
    };
    let mut answer = Answer::told(exit, page, &told);
    if let Some(target) = &plan.junit {
        answer.found.extend(written(&tested, target).err());
    }
    if let Some(target) = &plan.sarif {
        let text = suite::sarif::text(&tested, VERSION);
        answer.found.extend(target.write(&text).err());
    }
    Ok(answer)
}

/// Writes the JUnit report; a failure is a warning, for the answer does not depend on it.
fn written(tested: &[Tested], target: &Target) -> Result<(), Diagnostic> {
    let mut suite = TestSuite::new("orbit");
    for one in tested {
        let reason = one.outcome.reason.clone().unwrap_or_default();
        let status = match one.outcome.standing {
            Standing::Passed => TestCaseStatus::success(),
            // What nobody knows is an error of the check, not one of the model.
            Standing::Failed => TestCaseStatus::non_success(NonSuccessKind::Failure),
            Standing::Unknown => TestCaseStatus::non_success(NonSuccessKind::Error),
        };
        let words = format!("{}: expected {}", name(one), one.expected.words());
        let mut case = TestCase::new(words, with_message(status, reason));
        case.set_classname(one.file.display().to_string());
        case.set_time(one.elapsed);
        suite.add_test_case(case);
    }
    let mut report = Report::new("orbit test");
    report.add_test_suite(suite);
    match report.to_string() {
        Ok(text) => target.write(&text),
        Err(why) => Err(warning(format!("the report is not written: {why}"))),
    }
}

fn with_message(mut status: TestCaseStatus, reason: String) -> TestCaseStatus {
    if matches!(status, TestCaseStatus::NonSuccess { .. }) {
        status.set_message(reason);
    }
    status
}

/// A model with what is typed for it.
fn name(tested: &Tested) -> String {
    let flags = tested.expected.flags.iter();
    let flags: String = flags.map(|flag| format!(" {flag}")).collect();
    format!("{}{flags}", tested.file.display())
}

fn line(tested: &Tested) -> String {
    let (word, name) = (tested.outcome.standing.word(), name(tested));
    let expected = tested.expected.words();
    match &tested.outcome.reason {
        None => format!("{word:<8} {name}: {expected}"),
        Some(reason) => format!("{word:<8} {name}: expected {expected}: {reason}"),
    }
}

/// What is not as expected, in one line, as compilers tell it.
fn short(tested: &Tested) -> Option<String> {
    let reason = tested.outcome.reason.as_ref()?;
    let (severity, rule) = match tested.outcome.standing {
        Standing::Unknown => ("warning", "unknown"),
        _ => ("error", "expectation"),
    };
    let (file, line) = (tested.file.display(), tested.expected.line.max(1));
    let (expected, reason) = (tested.expected.words(), reason.replace('\n', " "));
    Some(format!(
        "{file}:{line}:1: {severity}: expected {expected}: {reason} [{rule}]"
    ))
}

fn object(tested: &Tested) -> TestObject {
    TestObject {
        file: tested.file.display().to_string(),
        line: Some(tested.expected.line as u64).filter(|line| *line > 0),
        flags: tested.expected.flags.clone(),
        expected: tested.expected.verdict.word().to_owned(),
        property: tested.expected.property.clone(),
        states: tested.expected.n_states,
        verdict: tested.outcome.verdict.clone(),
        outcome: tested.outcome.standing.word().to_owned(),
        reason: tested.outcome.reason.clone(),
        time_s: (tested.elapsed.as_secs_f64() * 1e3).round() / 1e3,
    }
}
