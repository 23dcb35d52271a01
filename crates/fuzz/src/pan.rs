//! `cargo run -p fuzz -- --pan 500`: random Promela programs beside SPIN's beside.

use crate::say;
use fuzz::compare::ours::Orbit;
use fuzz::compare::{ComparedWith, ComparisonOutcome, compare};
use fuzz::promela::{Aim, program};
use fuzz::shrink::smaller;
use fuzz::spin;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// How often a smaller program is tried.
const N_TRIES: usize = 400;

/// What programs are drawn for, in turn.
const AIMS: [Aim; 4] = [Aim::Run, Aim::Symmetric, Aim::Run, Aim::Cycles];

/// The program of a number.
pub fn numbered(number: u64) -> String {
    let aims = AIMS.len() as u64;
    program(number, AIMS[(number % aims) as usize])
}

/// Compares programs from a number on, until `is_over`; how many differ.
pub fn run(orbit: &Path, kept: &Path, first: u64, is_over: &dyn Fn(u64) -> bool) -> u64 {
    let orbit = Orbit::new(orbit);
    let missing = spin::missing();
    let beside = if missing.is_empty() {
        ComparedWith::All
    } else {
        ComparedWith::Itself
    };
    let (mut n_same, mut n_differ, mut left_out) = (0, 0, BTreeMap::new());
    let mut n = 0;
    while !is_over(n) {
        let number = first + n;
        n += 1;
        let text = numbered(number);
        match compare(&text, &orbit, beside) {
            ComparisonOutcome::Same => n_same += 1,
            ComparisonOutcome::LeftOut(why) => *left_out.entry(why).or_insert(0) += 1,
            ComparisonOutcome::Differs(why) => {
                n_differ += 1;
                say(&format!("program {number}: {why}\n"));
                let small = shrunk(&text, &why, &orbit, beside);
                let path = kept.join(format!("pan_{number}.pml"));
                let written =
                    std::fs::create_dir_all(kept).and_then(|()| std::fs::write(&path, &small));
                match written {
                    Ok(()) => say(&format!("  {}\n{small}\n", path.display())),
                    Err(why) => say(&format!("  cannot be kept: {why}\n{small}\n")),
                }
            }
        }
    }
    if missing.is_empty() {
        say(&format!(
            "{n_same} of {n} programs are the same beside SPIN\n"
        ))
    } else {
        say(&format!(
            "{n_same} of {n} programs are the same with all settings; 0 compared with SPIN, {n} \
             skipped: {} is not installed\n",
            missing.join(", ")
        ))
    }
    for (why, n) in left_out {
        say(&format!("  {n} left out: {why}\n"));
    }
    say(&format!("{n_differ} differ\n"));
    n_differ
}

/// A smaller program with the same kind of difference.
pub fn shrunk(text: &str, why: &str, orbit: &Orbit, beside: ComparedWith) -> String {
    let kind = |why: &str| why.split(':').next().unwrap_or("").to_owned();
    let (wanted, start) = (kind(why), Instant::now());
    let beside = beside.again(why);
    smaller(text, N_TRIES, &mut |text| {
        start.elapsed() < Duration::from_secs(300)
            && match compare(text, orbit, beside) {
                ComparisonOutcome::Differs(why) => kind(&why) == wanted,
                _ => false,
            }
    })
}

/// Compares the program of a file and shows a smaller one that differs; 1 if it differs.
pub fn shrink_file(path: &Path, orbit: &Path) -> u64 {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(why) => {
            say(&format!("{}: {why}\n", path.display()));
            return 1;
        }
    };
    let orbit = Orbit::new(orbit);
    match compare(&text, &orbit, ComparedWith::All) {
        ComparisonOutcome::Differs(why) => {
            say(&format!(
                "{why}\n{}",
                shrunk(&text, &why, &orbit, ComparedWith::All)
            ));
            1
        }
        outcome => {
            say(&format!("{outcome:?}\n"));
            0
        }
    }
}
