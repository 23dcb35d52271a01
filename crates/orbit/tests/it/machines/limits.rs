//! Machines that ask for only some of the ways to go on: the others are not tried, the verdict is
//! unknown, and symmetry is left alone, since what comes first is no matter of B.

use super::{Setting, load, options, search_full};
use crate::command::{Folder, json};
use check::{Ended, StopReason};
use std::ops::ControlFlow;
use std::time::Duration;
use system::{Rest, System};

/// Members are put into a set and taken out of it.
fn text(settings: &str, start: &str) -> String {
    format!(
        "MACHINE m SETS S\n\
         DEFINITIONS scope_S == 3{settings}\n\
         VARIABLES v INVARIANT v <: S & card(v) < 4\n\
         INITIALISATION v :: {start}\n\
         OPERATIONS put(x) = PRE x : S - v THEN v := v \\/ {{x}} END;\n\
         clear = v := {{}} END\n"
    )
}

/// What is told of the machine with these settings.
fn told(settings: &str, start: &str, flags: &str) -> serde_json::Value {
    let folder = Folder::new("limits");
    let path = folder.write("m.mch", text(settings, start));
    json(&format!("check --machine-limits '{path}' {flags}"), b"")
}

#[test]
fn a_limit_that_is_not_met_changes_nothing() {
    for settings in ["", "; SET_PREF_MAX_OPERATIONS == 3"] {
        let told = told(settings, "{{}}", "--count-full --audit");
        assert_eq!(told["verdict"], "holds");
        assert_eq!(told["counts"]["states"], 4);
        assert_eq!(told["counts"]["full_states"], 8);
        assert_eq!(told["symmetry"]["group_order"], "6");
    }
}

#[test]
fn a_limit_that_is_met_leaves_the_verdict_open_and_uses_no_symmetry() {
    let flags = "--count-full --audit --self-check";
    let told = told("; SET_PREF_MAX_OPERATIONS == 2", "{{}}", flags);
    assert_eq!(
        (&told["verdict"], &told["stop_reason"]),
        (&"unknown".into(), &"cut".into())
    );
    assert_eq!(told["symmetry"]["group_order"], "1");
    let words = told["properties"].to_string();
    assert!(
        words.contains("only 2 ways were tried, as SET_PREF_MAX_OPERATIONS says"),
        "{words}"
    );
    // Of each state the first two ways: {}, {1}, {2}, then all pairs and all of them.
    assert_eq!(told["counts"]["states"], 7);
}

#[test]
fn initialisations_are_limited_as_well() {
    let told = told(
        "; SET_PREF_MAX_INITIALISATIONS == 5",
        "POW(S)",
        "--no-symmetry",
    );
    assert_eq!(told["verdict"], "unknown");
    let words = told["properties"].to_string();
    assert!(words.contains("only 5 ways were tried"), "{words}");
    let unlimited = self::told("; SET_PREF_MAX_INITIALISATIONS == 8", "POW(S)", "");
    assert_eq!(unlimited["verdict"], "holds");
}

#[test]
fn valuations_of_constants_are_limited_as_well() {
    let folder = Folder::new("limited-constants");
    let text = |n: usize| {
        format!(
            "MACHINE m DEFINITIONS SET_PREF_MAX_INITIALISATIONS == {n}\n\
             CONSTANTS k PROPERTIES k : 1..3 VARIABLES v INVARIANT v : 1..9\n\
             INITIALISATION v :: 1..k OPERATIONS stay = skip END\n"
        )
    };
    let setting = Setting {
        work_max: 1000,
        ..Setting::default()
    };
    let count = |n: usize| {
        let path = folder.write(&format!("m{n}.mch"), text(n));
        let live = load(path.as_ref(), &setting).expect("a machine");
        let counted = search_full(&live, &options());
        assert_eq!(live.is_limited(), n < 3);
        (counted.n_states, counted.n_transitions, counted.ended)
    };
    // Three valuations, with one, two and three initialisations.
    assert_eq!(count(3), (9, 15, Ended::Complete));
    assert_eq!(count(2), (5, 8, Ended::Stopped(StopReason::Cut)));
    assert_eq!(count(1), (2, 3, Ended::Stopped(StopReason::Cut)));
}

#[test]
fn limits_are_for_those_who_ask() {
    let folder = Folder::new("unasked-limits");
    let path = folder.write("m.mch", text("; SET_PREF_MAX_OPERATIONS == 2", "{{}}"));
    let told = json(&format!("check '{path}' --count-full"), b"");
    assert_eq!(told["verdict"], "holds");
    assert_eq!(told["counts"]["full_states"], 8);
}

#[test]
fn an_answer_is_given_up_in_a_search_and_waited_for_in_a_replay() {
    let folder = Folder::new("deadline");
    let text = "MACHINE m VARIABLES v INVARIANT v : 0..1 INITIALISATION v := 0\n\
                OPERATIONS o = ANY x, y WHERE x : 1..200 & y : 1..200 & (x * y) mod 40001 = 40000\n\
                THEN v := 1 END END\n";
    let setting = Setting {
        work_max: 1_000_000,
        time_max: Some(Duration::ZERO),
        ..Setting::default()
    };
    let live = load(folder.write("m.mch", text).as_ref(), &setting).expect("a machine");
    let mut scratch = live.scratch();
    let mut start = Vec::new();
    live.initial(&mut scratch, &mut |initial| {
        start = initial.expect("a state").to_vec();
    });
    let mut moves = || {
        let mut n_moves = 0;
        let rest = live.successors(&start, &mut scratch, &mut |taken| {
            assert!(taken.faults.is_empty(), "{:?}", taken.faults);
            n_moves += 1;
            ControlFlow::Continue(())
        });
        (n_moves, rest)
    };
    // What was not found in time is neither a fault nor a deadlock.
    assert_eq!(moves(), (0, Rest::Moves));
    assert!(live.program().deadline().was_lost());
    live.replay();
    assert_eq!(moves(), (1, Rest::Moves));
    // A new search obeys the deadline again.
    live.program().deadline().enforce();
    assert_eq!(moves(), (0, Rest::Moves));
}
