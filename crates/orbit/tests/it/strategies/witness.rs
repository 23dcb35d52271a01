//! Error runs under every strategy: replayed, and as short as without.

use super::{ALL, model, search};
use check::{Options, Order, Verdict, Violation};
use model::processes::passes::Setting;
use std::collections::HashSet;
use strategies::Strategy;
use strategies::table::States;
use system::{FaultKind, System};

#[test]
fn every_strategy_gives_a_run_to_the_lost_message() {
    let machine = model("email.pml", &["N=4", "CAP=1", "LOST"]).machine(Setting::Best);
    let found = reduce::processes::find(&machine).expect("the making goes well");
    assert_eq!(found.certified.group().order().to_string(), "2");
    let options = Options {
        stop_after: Some(1),
        ..ALL
    };
    let mut lengths = Vec::new();
    let for_processes = |s: &Strategy| s.row().states.contains(&States::Processes);
    for strategy in Strategy::ALL.into_iter().filter(for_processes) {
        for order in [Order::Breadth, Order::Depth] {
            if strategy.needs_breadth() && order == Order::Depth {
                continue;
            }
            let mut reducer = strategy
                .reducer(&found.certified.certified())
                .expect("it fits");
            let options = Options { order, ..options };
            let outcome = check::explore(&machine, &mut *reducer, &options, &mut |_| {});
            let outcome = outcome.unwrap_or_else(|broken| panic!("{strategy}: {broken}"));
            assert_eq!(outcome.verdict(), Verdict::Violated, "{strategy}");
            let finding = &outcome.findings[0];
            let is_assertion =
                |v| matches!(v, Violation::Fault(f) if f.kind == FaultKind::Assertion);
            assert!(is_assertion(finding.violation), "{strategy}");
            if order == Order::Breadth {
                lengths.push((strategy, finding.witness.n_moves()));
            }
        }
    }
    // The first is `none`; states of an orbit are as far from the start as each other.
    let (first, rest) = lengths.split_first().expect("strategies");
    for (strategy, length) in rest {
        assert_eq!(*length, first.1, "{strategy}");
    }
}

#[test]
fn errors_deep_in_a_search_have_runs_under_every_strategy() {
    // Every kind of error, wherever it is: each finding was replayed, or there is no outcome.
    for (name, defines) in [
        ("dining.pml", &[][..]),
        ("email.pml", &["N=4", "CAP=1", "LOST"]),
    ] {
        let machine = model(name, defines).machine(Setting::Best);
        let found = reduce::processes::find(&machine).expect("the making goes well");
        let full = search(&machine, &mut check::Identity, Order::Breadth);
        for strategy in Strategy::ALL {
            let Ok(mut reducer) = strategy.reducer(&found.certified.certified()) else {
                continue;
            };
            let outcome = search(&machine, &mut *reducer, Order::Breadth);
            let kinds = |o: &check::Outcome| o.findings.len();
            assert_eq!(kinds(&outcome), kinds(&full), "{name}, {strategy}");
        }
    }
}

/// Two types of process with the same text, of which the first to move fails. A symmetry carries
/// one to the other, and the false assertion of one to that of the other. They jump back, so that
/// the least state is not the one that is met first.
const TWINS: &str = "bit taken; byte n;
active proctype P() { goto l; m: n = 3; assert(n < 2); l: atomic { !taken -> taken = 1 }; goto m }
active proctype Q() { goto l; m: n = 3; assert(n < 2); l: atomic { !taken -> taken = 1 }; goto m }
";

#[test]
fn a_fault_that_a_symmetry_moves_is_shown_where_the_run_has_it() {
    let machine = crate::counts::compile(TWINS, &[]).expect("it compiles");
    let machine = machine.machine(Setting::Best);
    let found = reduce::processes::find(&machine).expect("the making goes well");
    assert_eq!(found.certified.group().order().to_string(), "2");
    let mut lines = HashSet::new();
    for strategy in Strategy::ALL {
        for order in [Order::Breadth, Order::Depth] {
            if strategy.needs_breadth() && order == Order::Depth {
                continue;
            }
            let Ok(mut reducer) = strategy.reducer(&found.certified.certified()) else {
                continue;
            };
            let outcome = search(&machine, &mut *reducer, order);
            for finding in &outcome.findings {
                let Violation::Fault(fault) = finding.violation else {
                    continue;
                };
                let steps = finding.witness.steps();
                let last = steps.last().expect("a step").text.line;
                assert_eq!(last, machine.fault_text(fault).line, "{strategy}");
                // The one who took the turn is the one who fails.
                assert!(
                    steps.iter().all(|step| step.text.line == last),
                    "{strategy}"
                );
                lines.insert(last);
            }
            assert_eq!(outcome.verdict(), Verdict::Violated, "{strategy}");
        }
    }
    assert_eq!(
        lines,
        HashSet::from([2, 3]),
        "both are shown by some strategy"
    );
}
