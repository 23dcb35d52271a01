//! Random programs with several processes of a type: symmetry changes no verdict and no count.
//!
//! Nothing beside this process is needed, so that it runs on every machine; what SPIN says of such
//! programs is asked by `cargo run -p fuzz -- --pan 500`.

use super::symmetry::all_wrong;
use super::{Compiled, compile, options};
use check::{Ended, Identity};
use fuzz::promela::{Aim, program};
use model::processes::passes::Setting;
use std::collections::HashSet;
use std::ops::ControlFlow;
use system::System;

/// Programs with more states are left out.
const STATES_MAX: usize = 1_500;

/// Whether a model has few states.
fn is_small(model: &Compiled) -> bool {
    let machine = model.machine(Setting::Plain);
    let mut scratch = machine.scratch();
    let mut waiting: Vec<Vec<u8>> = Vec::new();
    machine.initial(&mut scratch, &mut |state| {
        waiting.extend(state.ok().map(<[u8]>::to_vec));
    });
    let mut seen: HashSet<Vec<u8>> = waiting.iter().cloned().collect();
    while let Some(state) = waiting.pop() {
        machine.successors(&state, &mut scratch, &mut |step| {
            if let Some(next) = step.state
                && seen.insert(next.to_vec())
            {
                waiting.push(next.to_vec());
            }
            ControlFlow::Continue(())
        });
        if seen.len() > STATES_MAX {
            return false;
        }
    }
    true
}

/// Whether all of a model can be searched: steps within a block may go on for ever.
fn is_searched(model: &Compiled) -> bool {
    [Setting::Plain, Setting::Spin, Setting::Best]
        .into_iter()
        .all(|setting| {
            let machine = model.machine(setting);
            let outcome = check::explore(&machine, &mut Identity, &options(), &mut |_| {});
            outcome.is_ok_and(|outcome| outcome.ended == Ended::Complete)
        })
}

#[test]
fn symmetry_of_random_programs_changes_no_verdict_and_no_count() {
    const N_PROGRAMS: u64 = 150;
    let (mut n_compared, mut n_symmetric, mut found) = (0, 0, Vec::new());
    for seed in 0..N_PROGRAMS {
        let text = program(seed, Aim::Symmetric);
        let Ok(model) = compile(&text, &[]) else {
            continue;
        };
        if !is_small(&model) || !is_searched(&model) {
            continue;
        }
        let machine = model.machine(Setting::Best);
        let is_symmetric = reduce::processes::find(&machine)
            .is_some_and(|found| !found.certified.group().is_trivial());
        n_compared += 1;
        n_symmetric += u64::from(is_symmetric);
        let mut wrong = Vec::new();
        all_wrong(&format!("seed {seed}"), &model, &mut wrong);
        found.extend(wrong.into_iter().map(|why| format!("{why}\n{text}")));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    let enough = n_compared > N_PROGRAMS / 3 && n_symmetric > N_PROGRAMS / 10;
    assert!(enough, "{n_symmetric} of {n_compared} have a symmetry");
}
