//! What runs look like.

use crate::explore::{ALL, Sort, explore};
use crate::toy::{Deed, Rule, Test, Toy};
use check::{Change, Violation, Witness};
use std::ops::ControlFlow;
use system::{FaultKind, System, Taken};

fn lines(witness: &Witness) -> Vec<String> {
    let text = |value: &Option<String>| value.clone().unwrap_or("-".to_owned());
    let change = |c: &Change| format!("{} {}>{}", c.name, text(&c.before), text(&c.after));
    let steps = witness.steps().iter();
    steps
        .map(|step| {
            let changes: Vec<String> = step.changes.iter().map(change).collect();
            let end = if step.ends_move { "." } else { "" };
            format!(
                "{}: {}{end}{}",
                step.text.by,
                changes.join(", "),
                step.printed
            )
        })
        .collect()
}

/// One rule of three steps, one of two that fails in its second.
fn two_rules(kind: FaultKind) -> Toy {
    Toy {
        initial: vec![vec![0; 5]],
        rules: vec![
            Rule {
                guards: vec![(0, Test::Is(0))],
                deeds: vec![Deed::Set(0, 1), Deed::Push(4), Deed::Set(0, 2)],
                fault: None,
            },
            Rule {
                guards: vec![(0, Test::Is(2))],
                deeds: vec![Deed::Pop, Deed::Add(1, 1)],
                fault: Some((1, kind)),
            },
        ],
        ..Toy::default()
    }
}

#[test]
fn a_run_shows_each_step_with_its_changes() {
    let outcome = explore(&two_rules(FaultKind::Assertion), &ALL);
    let witness = &outcome.findings[0].witness;
    assert_eq!(witness.start().len(), 5);
    assert_eq!(witness.start()[3], ("x3".to_owned(), "0".to_owned()));
    assert_eq!(
        lines(witness),
        [
            "rule 0: x0 0>1taken",
            "rule 0: x5 ->4",
            "rule 0: x0 1>2.",
            "rule 1: x5 4>-taken",
            "rule 1: x1 0>1",
        ]
    );
    let end: Vec<&str> = witness.end().iter().map(|(_, value)| &**value).collect();
    assert_eq!((witness.n_moves(), end), (2, vec!["2", "1", "0", "0", "0"]));
}

#[test]
fn a_step_that_cannot_be_completed_changes_nothing() {
    let outcome = explore(&two_rules(FaultKind::Index), &ALL);
    let witness = &outcome.findings[0].witness;
    let lines = lines(witness);
    assert_eq!(lines[3..], ["rule 1: x5 4>-taken", "rule 1: "]);
}

#[test]
fn a_deadlock_is_shown_by_the_run_into_it() {
    let outcome = explore(&Toy::bits(3), &ALL);
    let finding = &outcome.findings[0];
    assert_eq!(finding.violation, Violation::Deadlock);
    let expected = [
        "rule 0: x0 0>1.taken",
        "rule 1: x1 0>1.taken",
        "rule 2: x2 0>1.taken",
    ];
    assert_eq!(lines(&finding.witness), expected);
}

#[test]
fn a_run_under_a_reducer_is_one_of_the_unreduced_system() {
    // Sorted, the state after the first move is (0 0 1); the run sets the bits as they are.
    let outcome = check::explore(&Toy::bits(3), &mut Sort::default(), &ALL, &mut |_| {}).unwrap();
    let finding = &outcome.findings[0];
    let expected = [
        "rule 0: x0 0>1.taken",
        "rule 1: x1 0>1.taken",
        "rule 2: x2 0>1.taken",
    ];
    assert_eq!(lines(&finding.witness), expected);
}

#[test]
fn a_run_along_given_steps_is_taken_step_by_step() {
    let up = |from| Rule {
        guards: vec![(0, Test::Is(from))],
        deeds: vec![Deed::Set(0, from + 1)],
        fault: None,
    };
    let toy = Toy {
        initial: vec![vec![0]],
        rules: vec![up(0), up(1)],
        ..Toy::default()
    };
    // Every step there is, in its state.
    let mut steps = Vec::new();
    for state in [[0], [1]] {
        toy.successors(&state, &mut toy.scratch(), &mut |mv| {
            steps.extend_from_slice(mv.steps);
            ControlFlow::Continue(())
        });
    }
    let reasons = vec![("y".to_owned(), "7".to_owned())];
    let along = |start: &[u8], steps: &[Taken]| Witness::along(&toy, start, steps, reasons.clone());
    let witness = along(&[0], &steps).expect("a run");
    assert_eq!(
        lines(&witness),
        ["rule 0: x0 0>1.taken", "rule 1: x0 1>2.taken"]
    );
    assert_eq!((witness.n_moves(), witness.reasons()), (2, &reasons[..]));
    assert_eq!(along(&[1], &steps[1..]).err(), Some(0), "no initial state");
    assert_eq!(along(&[0], &steps[1..]).err(), Some(0));
    assert_eq!(along(&[0], &[steps[0], steps[0]]).err(), Some(1));
}
