//! Whether random programs have as many states and transitions as SPIN counts.
//!
//! The tables of `ask_tables` do not show what is inside a `d_step`, nor expressions; counts do.
//! Both sides go through all states; SPIN counts one transition more, that to the first state.

use crate::random::{self, Loops};
use crate::spin::{Verifier, first_seed, is_demanded, say};
use crate::table::model;
use std::collections::HashSet;
use std::ops::ControlFlow;
use system::System;
use system::machine::Machine;

/// More states are not looked at.
const STATES_MAX: usize = 5_000;

/// The states and transitions of a model; `None` if there are too many, or if something other than
/// an assertion goes wrong, after which SPIN stops.
fn counts(machine: &Machine) -> Option<(u64, u64)> {
    let mut scratch = machine.scratch();
    let mut seen: HashSet<Vec<u8>> = HashSet::new();
    let mut waiting: Vec<Vec<u8>> = Vec::new();
    machine.initial(&mut scratch, &mut |state| {
        let state = state.expect("no fault at the start").to_vec();
        seen.insert(state.clone());
        waiting.push(state);
    });
    let mut n_transitions = 1;
    let mut stopped = false;
    while let Some(state) = waiting.pop() {
        machine.successors(&state, &mut scratch, &mut |step| {
            n_transitions += u64::from(step.state.is_some());
            stopped |= step.faults.iter().any(|(_, f)| !f.kind.goes_on());
            if let Some(next) = step.state
                && seen.insert(next.to_vec())
            {
                waiting.push(next.to_vec());
            }
            ControlFlow::Continue(())
        });
        if stopped || seen.len() > STATES_MAX {
            return None;
        }
    }
    Some((seen.len() as u64, n_transitions))
}

/// Whether SPIN's verifier may take a `d_step` between the halves of a rendezvous.
///
/// It tests that no message is on its way where a `d_step` begins with a condition, an assignment,
/// a send or a receive, but not where it begins with an assertion, a print, or a choice of these.
/// Such a step, taken with a message on its way, makes a send that nobody receives look like one
/// that was received: an escape that begins with it then shuts out what it could escape from.
fn goes_astray(text: &str) -> bool {
    let begins_astray = |block: &str| {
        let words = block.split_whitespace();
        let mut first = words.skip_while(|w| w.ends_with(':') || ["{", "atomic"].contains(w));
        let astray = ["assert", "printf", "if", "do"];
        first
            .next()
            .is_some_and(|w| astray.iter().any(|a| w.starts_with(a)))
    };
    text.contains("r!") && text.split("d_step").skip(1).any(begins_astray)
}

#[test]
fn a_d_step_that_spin_does_not_guard_is_recognised() {
    assert!(goes_astray("r!1; d_step { assert(x < 9); x = 3 }"));
    assert!(goes_astray("d_step { L1: if\n:: x = 3\nfi } unless r!1"));
    assert!(!goes_astray("d_step { assert(x < 9); x = 3 }"));
    assert!(!goes_astray("r!1; d_step { x = 3; assert(x < 9) }"));
}

#[test]
fn random_programs_have_the_counts_of_spin() {
    const N_PROGRAMS: u64 = 60;
    if !is_demanded("random_programs_have_the_counts_of_spin") {
        return;
    }
    let start = first_seed();
    let mut n_compared = 0;
    for seed in start..start + N_PROGRAMS {
        let text = random::program(seed, 2, Loops::Short);
        if goes_astray(&text) {
            continue;
        }
        let ours = model(&text).ok().and_then(|m| counts(&Machine::new(m)));
        let Some(ours) = ours else {
            continue;
        };
        let theirs = Verifier::new(text.as_bytes(), "counts").and_then(|v| v.counts());
        if let Some(theirs) = theirs {
            assert_eq!(ours, theirs, "seed {seed}\n{text}");
            n_compared += 1;
        }
    }
    say(&format!("{n_compared} of {N_PROGRAMS} compared"));
    assert!(n_compared >= N_PROGRAMS / 6, "{n_compared} compared");
}
