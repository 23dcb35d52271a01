//! `--self-check`: the same search once more, without symmetry, and what must be the same.
//!
//! If both searches saw everything, they must have seen the same kinds of errors, so that every
//! property has the same verdict, and the orbits must add up to the states where they can be
//! counted. If one stopped at an error, the other must have found one as well. Every formula is
//! checked again, too, and must have the same verdict. A difference is a bug of ours. Where a limit
//! came first on one side, nothing can be said.

use check::{Ended, Identity, Observer, Options, Outcome, Violation};
use num_bigint::BigUint;
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

/// Searches again without symmetry and compares. The time in the options is what is left of it.
///
/// # Panics
/// If what was found differs: that is a bug.
pub fn search_again(
    machine: &dyn System,
    options: &Options<'_>,
    observer: &mut Observer<'_>,
    (reduced, full): (&Outcome, Option<&BigUint>),
) -> Compared {
    // What the first search took is still there.
    let left = Options {
        memory_bytes_max: (options.memory_bytes_max)
            .map(|max| max.saturating_sub(reduced.memory.peak_bytes)),
        ..*options
    };
    let again = check::explore(machine, &mut Identity, &left, observer);
    let again = again.unwrap_or_else(|broken| panic!("{broken}"));
    compare(reduced, full, &again)
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
