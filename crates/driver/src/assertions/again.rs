//! What is looked at again after a search of pairs: `--count-full`, `--audit`, `--self-check`.
//!
//! With symmetry and without, an assertion has one verdict; where it is violated, the states in
//! which something is wrong are equally far from the start, since both searches go by breadth; and
//! where all pairs were seen, the orbits add up to the pairs of the search without symmetry. What
//! differs is a bug of ours, and is no verdict. Where a limit came first nothing can be said.

use check::refinement::audit::Unequal;
use check::refinement::{Outcome, Verdict};
use report::reasons::Uncounted;

/// What came of an audit, in words.
///
/// # Panics
/// If a symmetry is none: that is a bug.
pub fn audited(found: Result<u64, Unequal>, n_symmetries: usize) -> String {
    let n_pairs = found.unwrap_or_else(|unequal| panic!("{unequal}"));
    let pairs = report::words::counted(n_pairs, "pair");
    match n_symmetries {
        1 => format!("1 exchange keeps the transitions of {pairs}"),
        n => format!("{n} exchanges keep the transitions of {pairs}"),
    }
}

/// What came of a search without symmetry, in words.
///
/// # Panics
/// If it found something else: that is a bug.
pub fn compared(reduced: &Outcome, plain: &Outcome) -> String {
    let (Some(with), Some(without)) = (distance(reduced), distance(plain)) else {
        return "not known: a limit came first".to_owned();
    };
    let words = |distance: Option<usize>| match distance {
        None => "it holds".to_owned(),
        Some(n) => format!("it is violated after {n} transitions"),
    };
    let n_pairs = plain.counts.n_pairs;
    assert!(
        with == without,
        "with symmetry {}, without {}",
        words(with),
        words(without)
    );
    if let Ok(full) = full(reduced) {
        assert!(
            full == u128::from(n_pairs),
            "orbits of {full} pairs, and {n_pairs} without symmetry"
        );
    }
    let pairs = report::words::counted(n_pairs, "pair");
    format!("the same without symmetry, in {pairs}")
}

/// How far what is wrong is from the start, if something is; `None` if that is not known.
fn distance(outcome: &Outcome) -> Option<Option<usize>> {
    match &outcome.verdict {
        Verdict::Holds(_) => Some(None),
        Verdict::Violated(shown) => Some(Some(shown.distance())),
        Verdict::Unknown(_) => None,
    }
}

/// How many pairs there are without symmetry, from the sizes of orbits; or why that is not known.
pub fn full(outcome: &Outcome) -> Result<u128, Uncounted> {
    match (&outcome.verdict, outcome.counts.n_full) {
        (Verdict::Holds(None), Some(n)) => Ok(n),
        (Verdict::Holds(None), None) => Err(Uncounted::SeveralPairs),
        _ => Err(Uncounted::Unfinished),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use check::StopReason;
    use check::refinement::counterexample::{Counterexample, Kind, Run};
    use check::refinement::{Counts, Unknown};
    use std::time::Duration;

    fn outcome(verdict: Verdict, n_pairs: u64, n_full: Option<u128>) -> Outcome {
        Outcome {
            verdict,
            counts: Counts {
                n_pairs,
                n_full,
                ..Counts::default()
            },
            peak_bytes: 0,
            elapsed: Duration::ZERO,
        }
    }

    fn violated() -> Verdict {
        Verdict::Violated(Box::new(Counterexample {
            run: Run::new(vec![0]),
            kind: Kind::Deadlock,
        }))
    }

    #[test]
    fn the_same_is_the_same_and_limits_say_nothing() {
        let plain = outcome(Verdict::Holds(None), 9, Some(9));
        let words = "the same without symmetry, in 9 pairs";
        for n_full in [Some(9), None] {
            let reduced = outcome(Verdict::Holds(None), 4, n_full);
            assert_eq!(compared(&reduced, &plain), words);
        }
        let both = [violated(), violated()].map(|verdict| outcome(verdict, 2, Some(3)));
        assert_eq!(
            compared(&both[0], &both[1]),
            "the same without symmetry, in 2 pairs"
        );
        let stopped = Verdict::Unknown(Unknown::Stopped(StopReason::Time));
        let cut = outcome(stopped, 2, None);
        assert!(compared(&cut, &plain).starts_with("not known"));
        assert!(full(&cut).is_err() && full(&both[0]).is_err());
    }

    #[test]
    #[should_panic(expected = "orbits of 8 pairs, and 9 without symmetry")]
    fn a_wrong_count_is_a_bug() {
        let reduced = outcome(Verdict::Holds(None), 4, Some(8));
        compared(&reduced, &outcome(Verdict::Holds(None), 9, Some(9)));
    }

    #[test]
    #[should_panic(expected = "with symmetry it holds, without it is violated after 0 transitions")]
    fn a_missed_violation_is_a_bug() {
        let reduced = outcome(Verdict::Holds(None), 4, Some(9));
        compared(&reduced, &outcome(violated(), 9, Some(9)));
    }

    #[test]
    #[should_panic(expected = "transitions of a pair and of its image differ, under (1 2)")]
    fn a_symmetry_that_is_none_is_a_bug() {
        let unequal = Unequal {
            name: "(1 2)".to_owned(),
            what: "transitions",
        };
        audited(Err(unequal), 1);
    }

    #[test]
    fn an_audit_in_words() {
        let words = audited(Ok(51), 3);
        assert_eq!(words, "3 exchanges keep the transitions of 51 pairs");
    }
}
