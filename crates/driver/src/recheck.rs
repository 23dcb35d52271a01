//! What is looked at again after a search: `--count-full`, `--audit`, and `--self-check`, the same
//! search once more, without symmetry.
//!
//! If both searches saw everything, they must have seen the same kinds of errors, so that every
//! property has the same verdict, and the orbits must add up to the states where they can be
//! counted. If one stopped at an error, the other must have found one as well. Every formula is
//! checked again, too, and must have the same verdict. A difference is a bug of ours. Where a limit
//! came first on one side, nothing can be said.

use crate::conduct::Conductor;
use crate::reduction::Reduction;
use check::{
    Ended, Guarantee, Identity, Observer, Options, Outcome, StopReason, TreeStore, Violation,
};
use model::frontend::{Purpose, Starts, Subject};
use num_bigint::BigUint;
use report::reasons::Uncounted;
use report::{Property, Verdict};
use std::collections::BTreeSet;
use system::{FaultKind, System};

/// What came of the comparison.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Compared {
    /// The same; so many states without symmetry.
    Same(u64),
    /// A limit came first.
    Unknown,
}

impl Compared {
    /// In words.
    pub fn words(&self) -> String {
        match self {
            Compared::Same(n) => format!("the same without symmetry, in {n} states"),
            Compared::Unknown => "not known: a limit came first".to_owned(),
        }
    }
}

/// A search, the symmetry that it used, and what it stored.
pub struct Searched {
    /// The symmetry.
    pub reduction: Reduction,
    /// What was found.
    pub outcome: Outcome,
    /// What was stored.
    pub store: TreeStore,
}

/// What came of looking at the stored states again.
pub struct LookedAgain {
    /// How many states there are without reduction, if that was asked.
    pub full: Option<Result<BigUint, Uncounted>>,
    /// Why the audit was cut short, if it was.
    pub cut: Option<(StopReason, String)>,
    /// What the audit found, in words.
    pub audit: Option<String>,
    /// What came of the second search, in words.
    pub compared: Option<String>,
}

/// Counts orbits, audits symmetries and searches again, as far as these were asked for.
pub fn look_again(
    conductor: &Conductor<'_>,
    subject: &dyn Subject,
    (reduction, store, outcome): (&mut Reduction, &mut TreeStore, &Outcome),
    observer: &mut Observer<'_>,
) -> LookedAgain {
    let Conductor { plan, listener } = conductor;
    let (how, options) = (&plan.how, plan.options());
    // Limits count again, after what was found was replayed.
    let again = plan.model.subject(&Purpose::Errors);
    let subject = again.as_deref().unwrap_or(subject);
    listener.phase("orbits were counted");
    // Only where each orbit has one state do their sizes add up.
    let is_exact = how.strategy.guarantee() == Guarantee::Exact;
    let is_counted = how.count_full || how.self_check && is_exact;
    let full = is_counted.then(|| match outcome.ended {
        Ended::Complete => reduction.full_states(subject, store, options.clock),
        _ => Err(Uncounted::NotAllSeen),
    });
    listener.phase("symmetries were audited");
    let cut = if how.audit {
        reduction.audit(subject, store, options.clock)
    } else {
        None
    };
    let is_audited = how.audit && cut.is_none();
    let audit = is_audited.then(|| audited(outcome.counts.n_states, reduction.is_trivial()));
    listener.phase("states were searched again without symmetry");
    let compared = how.self_check.then(|| {
        let full = full.as_ref().and_then(|full| full.as_ref().ok());
        let reduced = Reduced { outcome, full };
        let system = subject.system(Starts::Distinct);
        search_again(system, &options, observer, &reduced).words()
    });
    LookedAgain {
        full: full.filter(|_| how.count_full),
        cut,
        audit,
        compared,
    }
}

/// An audit that found nothing, in words.
fn audited(n_states: u64, is_trivial: bool) -> String {
    if is_trivial {
        "there is no symmetry".to_owned()
    } else {
        let states = report::words::counted(n_states, "state");
        format!("every generator carries the moves of {states} to moves")
    }
}

/// A search with symmetry, and how many states its orbits have.
struct Reduced<'a> {
    outcome: &'a Outcome,
    full: Option<&'a BigUint>,
}

/// Searches again without symmetry and compares. The time in the options is what is left of it.
///
/// # Panics
/// If what was found differs: that is a bug.
fn search_again(
    system: &dyn System,
    options: &Options<'_>,
    observer: &mut Observer<'_>,
    reduced: &Reduced<'_>,
) -> Compared {
    // What the first search took is still there.
    let left = Options {
        memory_bytes_max: (options.memory_bytes_max)
            .map(|max| max.saturating_sub(reduced.outcome.memory.peak_bytes)),
        ..*options
    };
    let again = check::explore(system, &mut Identity, &left, observer);
    let again = again.unwrap_or_else(|broken| panic!("{broken}"));
    compare(reduced.outcome, reduced.full, &again)
}

/// Compares the verdicts of formulas with and without symmetry.
///
/// # Panics
/// If one is decided both times and differs: that is a bug.
pub fn compare_verdicts(with: &[Property], without: &[Property]) {
    let is_decided = |verdict| matches!(verdict, Verdict::Holds | Verdict::Violated);
    for (with, without) in with.iter().zip(without) {
        let name = &with.name;
        assert_eq!(name, &without.name, "formulas are checked in one order");
        let (with, without) = (with.verdict, without.verdict);
        assert!(
            with == without || !is_decided(with) || !is_decided(without),
            "{name} {} with symmetry, and {} without",
            with.word(),
            without.word()
        );
    }
}

fn compare(reduced: &Outcome, full: Option<&BigUint>, again: &Outcome) -> Compared {
    let stopped = |outcome: &Outcome| matches!(outcome.ended, Ended::Stopped(_));
    if stopped(reduced) || stopped(again) {
        return Compared::Unknown;
    }
    let n_states = again.counts.n_states;
    if reduced.ended == Ended::Complete && again.ended == Ended::Complete {
        let (with, without) = (kinds(reduced), kinds(again));
        assert!(
            with == without,
            "errors {with:?} with symmetry, {without:?} without"
        );
        if let Some(full) = full {
            let same = *full == BigUint::from(n_states);
            assert!(
                same,
                "orbits of {full} states, and {n_states} without symmetry"
            );
        }
    } else {
        let (with, without) = (reduced.n_errors > 0, again.n_errors > 0);
        assert!(
            with == without,
            "an error with symmetry: {with}, without: {without}"
        );
    }
    Compared::Same(n_states)
}

/// The kinds of errors; which of several like texts they are in may differ.
fn kinds(outcome: &Outcome) -> BTreeSet<Option<FaultKind>> {
    let kind = |violation: Violation| match violation {
        Violation::Fault(fault) => Some(fault.kind),
        _ => None,
    };
    let findings = outcome.findings.iter();
    findings.map(|finding| kind(finding.violation)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use check::{Counts, Memory, StopReason};
    use std::time::Duration;

    fn outcome(ended: Ended, n_states: u64, n_errors: u64) -> Outcome {
        Outcome {
            ended,
            findings: Vec::new(),
            n_errors,
            counts: Counts {
                n_states,
                n_transitions: 0,
                depth: 0,
            },
            memory: Memory {
                peak_bytes: 0,
                store_bytes: 0,
            },
            elapsed: Duration::ZERO,
            reducing: Duration::ZERO,
            storing: Duration::ZERO,
            generating: Duration::ZERO,
            unreached: Vec::new(),
            covered: Vec::new(),
        }
    }

    #[test]
    fn the_same_is_the_same_and_limits_say_nothing() {
        let (full, n) = (outcome(Ended::Complete, 9, 0), BigUint::from(9u32));
        let reduced = outcome(Ended::Complete, 4, 0);
        assert_eq!(compare(&reduced, Some(&n), &full), Compared::Same(9));
        let cut = outcome(Ended::Stopped(StopReason::Time), 2, 0);
        assert_eq!(compare(&cut, None, &full), Compared::Unknown);
    }

    #[test]
    #[should_panic(expected = "orbits of 8 states, and 9 without symmetry")]
    fn a_wrong_count_is_a_bug() {
        let full = outcome(Ended::Complete, 9, 0);
        compare(&full, Some(&BigUint::from(8u32)), &full);
    }

    #[test]
    #[should_panic(expected = "an error with symmetry: false, without: true")]
    fn a_missed_error_is_a_bug() {
        let found = outcome(Ended::AtError, 3, 1);
        compare(&outcome(Ended::Complete, 2, 0), None, &found);
    }

    fn formula(verdict: Verdict) -> Property {
        Property {
            verdict,
            ..Property::unanswered("served", "ltl")
        }
    }

    #[test]
    fn verdicts_of_formulas_are_compared_where_both_are_known() {
        let all = [Verdict::Holds, Verdict::Violated, Verdict::Unknown];
        for verdict in all {
            compare_verdicts(&[formula(verdict)], &[formula(verdict)]);
            compare_verdicts(&[formula(verdict)], &[formula(Verdict::Unknown)]);
        }
    }

    #[test]
    #[should_panic(expected = "served holds with symmetry, and violated without")]
    fn another_verdict_of_a_formula_is_a_bug() {
        compare_verdicts(&[formula(Verdict::Holds)], &[formula(Verdict::Violated)]);
    }
}
