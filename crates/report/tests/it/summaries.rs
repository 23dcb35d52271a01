//! Verdicts, property by property.

use crate::counter::{Counter, OPTIONS, outcome, request, summary, summary_of};
use check::{Attention, Options, StopReason};
use report::{Summary, Unchecked, Verdict};
use system::FaultKind;

fn verdicts(summary: &Summary) -> Vec<(&str, &str)> {
    let properties = summary.properties.iter();
    properties.map(|p| (&*p.name, p.verdict.word())).collect()
}

const CALM: Counter = Counter {
    limit: 3,
    fault: None,
    rests: true,
};

#[test]
fn all_holds_if_all_was_seen_and_nothing_was_wrong() {
    let summary = summary(&CALM, &OPTIONS);
    let expected = [
        ("deadlock", "holds"),
        ("assertions", "holds"),
        ("faults", "holds"),
    ];
    assert_eq!(verdicts(&summary), expected);
    assert_eq!(
        (summary.verdict, summary.stop_reason),
        (Verdict::Holds, None)
    );
    assert_eq!(summary.unreached.map(|steps| steps.len()), Some(1));
}

#[test]
fn a_search_that_stopped_at_an_error_leaves_the_rest_open() {
    let counter = Counter {
        rests: false,
        ..CALM
    };
    let first = summary(&counter, &OPTIONS);
    let expected = [
        ("deadlock", "violated"),
        ("assertions", "unknown"),
        ("faults", "unknown"),
    ];
    assert_eq!(verdicts(&first), expected);
    assert_eq!(
        (first.verdict, first.stop_reason),
        (Verdict::Violated, None)
    );
    assert!(first.unreached.is_none(), "not all was seen");
    let all = summary(
        &counter,
        &Options {
            stop_after: None,
            ..OPTIONS
        },
    );
    let expected = [
        ("deadlock", "violated"),
        ("assertions", "holds"),
        ("faults", "holds"),
    ];
    assert_eq!(verdicts(&all), expected);
    assert_eq!(all.properties[0].violations[0].n_seen, 2);
}

#[test]
fn a_limit_never_turns_into_holds() {
    let options = Options {
        depth_max: Some(1),
        ..OPTIONS
    };
    let summary = summary(&CALM, &options);
    assert!(
        verdicts(&summary)
            .iter()
            .all(|(_, word)| *word == "unknown")
    );
    assert_eq!(summary.verdict, Verdict::Unknown);
    assert_eq!(summary.stop_reason, Some(StopReason::Depth));
}

#[test]
fn what_was_not_asked_for_has_no_entry() {
    let options = Options {
        deadlocks: Attention::Ignored,
        assertions: Attention::Ignored,
        ..OPTIONS
    };
    let counter = Counter {
        rests: false,
        fault: Some((2, FaultKind::Assertion)),
        ..CALM
    };
    assert_eq!(
        verdicts(&summary(&counter, &options)),
        [("faults", "holds")]
    );
}

#[test]
fn what_could_not_be_checked_is_unknown_and_so_is_the_whole() {
    let mut request = request(&OPTIONS);
    request.unchecked.push(Unchecked {
        name: "live".to_owned(),
        kind: "ltl".to_owned(),
        reason: "formulas are not checked yet".to_owned(),
    });
    let summary = summary_of(&CALM, request.clone(), outcome(&CALM, &OPTIONS));
    assert_eq!(verdicts(&summary)[3], ("live", "unknown"));
    assert_eq!(
        (summary.verdict, summary.stop_reason),
        (Verdict::Unknown, None)
    );
    let counter = Counter {
        rests: false,
        ..CALM
    };
    let summary = summary_of(&counter, request, outcome(&counter, &OPTIONS));
    assert_eq!(summary.verdict, Verdict::Violated);
}

#[test]
fn steps_that_do_not_end_leave_everything_open_and_are_shown() {
    let counter = Counter {
        fault: Some((2, FaultKind::Endless)),
        ..CALM
    };
    let summary = summary(&counter, &OPTIONS);
    assert!(
        verdicts(&summary)
            .iter()
            .all(|(_, word)| *word == "unknown")
    );
    assert_eq!(summary.stop_reason, Some(StopReason::Endless));
    assert_eq!(summary.properties[2].violations.len(), 1);
}

#[test]
fn the_whole_is_as_bad_as_its_worst_part() {
    use Verdict::{Holds, Unknown, Violated};
    assert_eq!(Verdict::of_all([]), Holds);
    assert_eq!(Verdict::of_all([Holds, Unknown, Holds]), Unknown);
    assert_eq!(Verdict::of_all([Unknown, Violated, Holds]), Violated);
    assert_eq!(Verdict::of_all([Violated, Unknown]), Violated);
}

#[test]
#[should_panic(expected = "found and not asked for: Deadlock")]
fn a_finding_that_nobody_asked_for_is_our_bug() {
    let counter = Counter {
        rests: false,
        ..CALM
    };
    let mut request = request(&OPTIONS);
    request.deadlocks = Attention::Ignored;
    summary_of(&counter, request, outcome(&counter, &OPTIONS));
}
