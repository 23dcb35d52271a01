//! What people read.

use crate::counter::{Counter, OPTIONS, summary};
use base::Colour;
use check::{Options, Progress};
use report::{TextStyle, progress, text};
use std::time::Duration;
use system::FaultKind;

const LOOK: TextStyle = TextStyle {
    colour: Colour::Never,
    width: 80,
    n_steps_max: 100,
    full: false,
};

const FAILS: Counter = Counter {
    limit: 4,
    fault: Some((2, FaultKind::Assertion)),
    rests: false,
};

#[test]
fn a_violation_is_shown_with_its_run() {
    let expected = "\
verdict         violated
deadlock        unknown: the search stopped at another error
assertions      violated
faults          unknown: the search stopped at another error

assertion violated in line 8: assert(n < limit)
initially       n = 0
#  by     line  step               changes
1  P (0)     7  n++; last = _pid   n: 0 → 1, last = 0
2  P (0)     8  assert(n < limit)  prints counted
3  P (0)     7  n++; last = _pid   n: 1 → 2
4  P (0)     8  assert(n < limit)  prints counted
finally         n = 2, last = 0

states          3
transitions     3
depth           1
time            12.0 ms
memory          123 kB
";
    assert_eq!(text(&summary(&FAILS, &OPTIONS), &LOOK), expected);
}

#[test]
fn what_holds_is_short_and_lists_what_was_not_reached() {
    let counter = Counter {
        limit: 4,
        fault: None,
        rests: true,
    };
    let expected = "\
verdict         holds
deadlock        holds
assertions      holds
faults          holds

states          9
transitions     15
depth           4
time            12.0 ms
memory          123 kB
unreached       1 step
                line 11: n = 0
";
    assert_eq!(text(&summary(&counter, &OPTIONS), &LOOK), expected);
}

#[test]
fn what_a_state_takes_is_told_where_there_are_many() {
    let mut summary = summary(&FAILS, &OPTIONS);
    let counts = summary.counts.as_mut().expect("counts of states");
    counts.n_states = 1_234_567;
    let shown = text(&summary, &LOOK);
    assert!(shown.contains("states          1,234,567\n"), "{shown}");
    assert!(
        shown.contains("memory          123 kB, 15.2 bytes a state\n"),
        "{shown}"
    );
}

#[test]
fn all_errors_are_shown_with_how_often_they_were_seen() {
    let options = Options {
        stop_after: None,
        ..OPTIONS
    };
    let shown = text(&summary(&FAILS, &options), &LOOK);
    let assertion = "assertion violated in line 8: assert(n < limit) (seen 4 times)\n";
    let deadlock =
        "deadlock: no step can be taken, and not every process may rest (seen 2 times)\n";
    assert!(
        shown.contains(assertion) && shown.contains(deadlock),
        "{shown}"
    );
    assert!(shown.contains("errors          6\n"), "{shown}");
    assert!(
        shown.contains("waiting         Counter at line "),
        "{shown}"
    );
}

#[test]
fn a_long_run_keeps_its_start_and_its_end() {
    let counter = Counter {
        limit: 100,
        fault: None,
        rests: false,
    };
    let look = TextStyle {
        n_steps_max: 9,
        ..LOOK
    };
    let shown = text(&summary(&counter, &OPTIONS), &look);
    let numbers: Vec<&str> = shown
        .lines()
        .skip_while(|line| !line.trim_start().starts_with('#'))
        .skip(1)
        .take_while(|line| !line.starts_with("finally"))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    let expected = ["1", "2", "3", "…", "195", "196", "197", "198", "199", "200"];
    assert_eq!(numbers, expected);
    assert!(shown.contains("… 191 steps not shown; --full …"), "{shown}");
    for n_steps_max in 0..4 {
        let shown = text(
            &summary(&FAILS, &OPTIONS),
            &TextStyle {
                n_steps_max,
                ..LOOK
            },
        );
        assert!(shown.contains("not shown"), "{shown}");
    }
}

#[test]
fn lines_fit_the_width() {
    let options = Options {
        stop_after: None,
        ..OPTIONS
    };
    for width in 60..100 {
        let shown = text(&summary(&FAILS, &options), &TextStyle { width, ..LOOK });
        let too_long = shown.lines().find(|line| line.chars().count() > width);
        assert_eq!(too_long, None, "width {width}");
    }
}

#[test]
fn colour_adds_escapes_and_changes_no_letter() {
    let summary = summary(&FAILS, &OPTIONS);
    let look = TextStyle {
        colour: Colour::Always,
        ..LOOK
    };
    let (plain, coloured) = (text(&summary, &LOOK), text(&summary, &look));
    assert!(!plain.contains('\x1b') && coloured.contains('\x1b'));
    let pieces = coloured
        .split('\x1b')
        .enumerate()
        .map(|(i, piece)| match i {
            0 => piece,
            _ => piece.split_once('m').expect("an escape ends").1,
        });
    assert_eq!(pieces.collect::<String>(), plain);
}

#[test]
fn progress_is_one_line() {
    let line = progress(&Progress {
        n_states: 1_234_567,
        n_transitions: 4_000_000,
        depth: 40,
        n_frontier: 9_876,
        memory_bytes: 20_000_000,
        elapsed: Duration::from_secs(3),
        states_per_second: 411_522.4,
    });
    let expected = "1,234,567 states, 411,522/s, depth 40, \
                    frontier 9,876, 20.0 MB, 3.00 s";
    assert_eq!(line, expected);
}
