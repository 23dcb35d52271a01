//! Machines by other people, with the counts and verdicts that ProB gives.
//!
//! The folder is `ORBIT_CORPUS`, or `../shared/corpus` beside the project. Machines of more than
//! 2,000 states run only with `ORBIT_CORPUS_FULL=1`. `ORBIT_ONLY` is a part of the names of those
//! to run; those that `exceptions.txt` calls slow run only if it is given. What is known to differ
//! stands there with its cause; an exception that is not needed any more is an error too.
//!
//! ProB's root is no state here. A state is the same to both otherwise, and so are transitions: one
//! for each set-up, initialisation, and operation with its arguments, results and outcome. Limits
//! that machines set on the number of ways were not in force when the record was made: where they
//! would be met, the record has more.

use super::{Counted, Setting, load, n_states_of_all, options, search_full, search_reduced};
use crate::counts::{Exceptions, corpus, note};
use check::{Ended, Options, StopReason};
use num_bigint::BigUint;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;
use strategies::Strategy;

/// The largest machines that always run.
const STATES_MAX: u64 = 2_000;
/// How long one search may take.
const SECONDS_MAX: u64 = 300;

/// What ProB says of a machine.
struct Row {
    file: String,
    counts: (u64, u64),
    invariant: bool,
    deadlock: bool,
}

fn rows(folder: &Path) -> Vec<Row> {
    let list = std::fs::read_to_string(folder.join("expected.csv")).expect("a readable list");
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |at: usize| {
            let number = cells[at].parse::<u64>();
            number.unwrap_or_else(|_| panic!("{line}"))
        };
        Row {
            file: cells[0].to_owned(),
            counts: (number(1), number(2)),
            invariant: cells[3] == "true",
            deadlock: cells[4] == "true",
        }
    };
    list.lines().skip(1).map(row).collect()
}

/// What differs from what ProB says: what, and how.
fn differences(row: &Row, found: &Counted) -> Vec<(&'static str, String)> {
    let mut out = Vec::new();
    let counts = (found.n_states, found.n_transitions);
    // Numbers without bounds are tried up to MAXINT in the record too, with a warning.
    let is_ended = [Ended::Complete, Ended::Stopped(StopReason::Cut)].contains(&found.ended);
    if counts != row.counts || !is_ended {
        let how = format!("{counts:?}, not {:?}; {:?}", row.counts, found.ended);
        out.push(("counts", how));
    }
    for (kind, expected) in [("invariant", row.invariant), ("deadlock", row.deadlock)] {
        if found.wrong.contains_key(kind) != expected {
            let how = format!("{:?}, not {expected}", found.wrong);
            out.push((kind, how));
        }
    }
    out
}

/// What differs with symmetry from the search without.
fn differences_reduced(
    full: &Counted,
    reduced: &Counted,
    sum: &BigUint,
) -> Vec<(&'static str, String)> {
    // Where not all was tried, what was tried depends on the names of members.
    if full.ended != Ended::Complete {
        return Vec::new();
    }
    let kinds = |counted: &Counted| counted.wrong.keys().copied().collect::<BTreeSet<_>>();
    let is_same = kinds(full) == kinds(reduced) && reduced.ended == full.ended;
    if is_same && *sum == BigUint::from(full.n_states) {
        Vec::new()
    } else {
        vec![(
            "symmetry",
            format!("{reduced:?} in orbits of {sum} states, without symmetry {full:?}"),
        )]
    }
}

/// Everything that differs of one machine.
fn all_differences(folder: &Path, row: &Row) -> Vec<(&'static str, String)> {
    let setting = Setting {
        work_max: 4_000_000,
        is_unlimited: true,
        ..Setting::default()
    };
    let options = Options {
        clock: base::Clock::of(Some(Duration::from_secs(SECONDS_MAX))),
        ..options()
    };
    let live = match load(&folder.join(&row.file), &setting) {
        Ok(live) => live,
        Err(why) => return vec![("refused", why)],
    };
    let mut full = search_full(&live, &options);
    let mut found = differences(row, &full);
    full.n_states = n_states_of_all(&live, &options, full.n_states);
    let reduced = search_reduced(&live, Strategy::Canonical, &options);
    let (reduced, sum) = reduced.unwrap_or_else(|why| panic!("{}: {why}", row.file));
    found.extend(differences_reduced(&full, &reduced, &sum));
    found
}

#[test]
fn machines_of_the_corpus_have_the_counts_and_verdicts_that_prob_gives() {
    let Some(folder) = corpus("b") else {
        note("skipped: there is no corpus beside the project, and ORBIT_CORPUS names none\n");
        return;
    };
    let all = std::env::var_os("ORBIT_CORPUS_FULL").is_some_and(|set| set == "1");
    let only = std::env::var("ORBIT_ONLY").unwrap_or_default();
    let rows = rows(&folder);
    let mut exceptions = Exceptions::of(include_str!("exceptions.txt"));
    assert!(rows.len() > 100, "{} machines", rows.len());
    let (mut run, mut wrong) = (Vec::new(), Vec::new());
    for row in rows.iter().filter(|row| row.file.contains(&only)) {
        let is_slow = exceptions.has(&row.file, "slow") && only.is_empty();
        if is_slow || row.counts.0 > STATES_MAX && !all {
            continue;
        }
        let found = all_differences(&folder, row);
        let new = found
            .iter()
            .filter(|(what, _)| !exceptions.has(&row.file, what));
        wrong.extend(new.map(|(what, how)| format!("{} {what} {how}", row.file)));
        run.push(row.file.clone());
    }
    let (n, of) = (run.len(), rows.len());
    note(&format!("{n} of {of} machines of the corpus were run\n"));
    wrong.extend(exceptions.stale(&run));
    let n = wrong.len();
    assert!(n == 0, "{n} differences:\n{}", wrong.join("\n"));
}

#[test]
fn a_difference_is_found() {
    let counted = |n_states, kinds: &[&'static str]| Counted {
        n_states,
        n_transitions: 9,
        wrong: kinds.iter().map(|kind| (*kind, 1)).collect(),
        ended: Ended::Complete,
    };
    let row = Row {
        file: String::new(),
        counts: (4, 9),
        invariant: true,
        deadlock: false,
    };
    let whats = |found: &Counted| -> Vec<&str> {
        let all = differences(&row, found);
        all.iter().map(|(what, _)| *what).collect()
    };
    assert_eq!(whats(&counted(4, &["invariant"])), [""; 0]);
    assert_eq!(whats(&counted(5, &["invariant"])), ["counts"]);
    assert_eq!(whats(&counted(4, &[])), ["invariant"]);
    let late = Counted {
        ended: Ended::Stopped(StopReason::Time),
        ..counted(4, &["invariant"])
    };
    assert_eq!(whats(&late), ["counts"]);
    assert_eq!(whats(&counted(4, &["invariant", "deadlock"])), ["deadlock"]);
    let full = counted(4, &["invariant"]);
    let with = |n: u32, kinds: &[&'static str]| {
        differences_reduced(&full, &counted(2, kinds), &BigUint::from(n)).len()
    };
    assert_eq!(with(4, &["invariant"]), 0);
    assert_eq!(with(5, &["invariant"]), 1);
    assert_eq!(with(4, &[]), 1);
}
