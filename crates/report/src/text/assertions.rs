//! What was found about the assertions of a model, for people.
//!
//! ```text
//! verdict         violated
//! 1               holds      S [T= P
//!                            12 pairs, 30 transitions, 2 normal states, 3 components
//! 2               violated   P :[deadlock free]
//!                            7 pairs, 9 transitions, 3 components
//!
//! 2, line 12: after this trace nothing is offered
//! trace           <a.1, b>
//! #  event  line  by
//! 1  a.1    5, 9  P(1) a.1, Q a.1
//! 2  b      9     Q
//! finally         P(1) at part of P(1), ready for nothing, line 6
//! ```

use super::{Page, more};
use crate::events::{End, EventStep, Events, Place};
use crate::reasons::uncounted;
use crate::summary::{Property, ReportedAssertion, Run, Symmetry, Violated};
use crate::table::{self, Align, ColumnStyle};
use crate::words::{counted, plain, wrapped};

/// The width of a verdict and the space after it.
const VERDICT: usize = 10;
/// The lines that one list may take.
const N_LINES_MAX: usize = 6;
/// How many components are shown where a run ends.
const N_COMPONENTS_MAX: usize = 20;

impl Page {
    /// Items between brackets, wrapped, the rest counted.
    fn listed(&self, items: &[String], open: &str, close: &str) -> Vec<String> {
        let n_lines_max = self.at_most(N_LINES_MAX);
        listed(items, open, close, self.room(), n_lines_max)
    }

    /// The verdict of an assertion, its text, and what was counted.
    pub(super) fn assertion(&mut self, property: &Property, assertion: &ReportedAssertion) {
        let word = property.verdict.word();
        let blanks = " ".repeat(VERDICT.saturating_sub(word.len()));
        let word = self.coloured(property.verdict, word);
        let room = self.room().saturating_sub(VERDICT);
        let mut below = wrapped(&plain(&property.name), room);
        let mut lines = vec![format!("{word}{blanks}{}", below.remove(0))];
        if let Some(reason) = &property.reason {
            below.extend(wrapped(&plain(reason), room));
        }
        below.extend(counts(property, assertion));
        for note in &property.notes {
            below.extend(wrapped(&plain(note), room));
        }
        let full = property.symmetry.as_ref().and_then(full);
        let again = [
            ("without symmetry", full),
            ("audit", property.audit.clone()),
            ("self-check", property.self_check.clone()),
        ];
        for (what, words) in again {
            if let Some(words) = words {
                below.extend(wrapped(&format!("{what}: {words}"), room));
            }
        }
        if let Some(Run::Events(events)) = property.shown.as_ref().map(|shown| &shown.run) {
            let (open, n_lines_max) = ("by the trace <", self.at_most(N_LINES_MAX));
            below.extend(listed(&events.trace, open, ">", room, n_lines_max));
        }
        let indent = " ".repeat(VERDICT);
        lines.extend(below.iter().map(|line| format!("{indent}{line}")));
        self.rows(&assertion.number.to_string(), &lines);
    }

    /// The run that shows what is wrong with an assertion, if it is one.
    pub(super) fn events(&mut self, property: &Property, violated: &Violated) {
        let (Some(assertion), Run::Events(events)) = (&property.assertion, &violated.run) else {
            return;
        };
        self.blank();
        let (number, line) = (assertion.number, assertion.line);
        let title = format!("{number}, line {line}: {}", plain(&violated.message));
        for line in wrapped(&title, self.look.width) {
            let line = self.coloured(property.verdict, &line);
            self.line(&line);
        }
        self.claims(events);
        self.event_steps(&events.steps);
        if let Some(from) = events.loop_from {
            self.line(&format!("and again from step {}", from + 1));
        }
        if let Some(other) = &events.other {
            self.line("another run with this trace");
            self.event_steps(other);
        }
        let lines = ending(&events.end, self.at_most(N_COMPONENTS_MAX)).into_iter();
        let room = self.room();
        let lines: Vec<String> = lines.flat_map(|line| wrapped(&line, room)).collect();
        self.rows("finally", &lines);
    }

    /// The trace, and what is wrong after it.
    fn claims(&mut self, events: &Events) {
        let room = self.room();
        self.rows("trace", &self.listed(&events.trace, "<", ">"));
        if let Some(event) = &events.event {
            self.rows("event", &wrapped(&plain(event), room));
        }
        if let Some(offered) = &events.offered {
            self.rows("offered", &self.listed(offered, "{", "}"));
        }
        let n_sets = self.at_most(N_LINES_MAX).min(events.allowed.len());
        let allowed = events.allowed[..n_sets].iter();
        let mut lines: Vec<String> = allowed.flat_map(|set| self.listed(set, "{", "}")).collect();
        if events.allowed.len() > n_sets {
            lines.push(more(events.allowed.len() - n_sets));
        }
        self.rows("allowed", &lines);
    }

    fn event_steps(&mut self, steps: &[EventStep]) {
        if steps.is_empty() {
            return;
        }
        let rows = rows(steps, self.look.n_steps_max);
        for line in table::lines(&COLUMNS, &rows, self.look.width) {
            self.line(&line);
        }
    }
}

/// What the search for an assertion counted, if there was one.
fn counts(property: &Property, assertion: &ReportedAssertion) -> Option<String> {
    let search = property.search.as_ref()?;
    let mut words = vec![
        counted(search.counts.n_states, "pair"),
        counted(search.counts.n_transitions, "transition"),
    ];
    let normal = search.n_normal.filter(|_| property.kind == "refinement");
    words.extend(normal.map(|n| counted(n, "normal state")));
    words.push(counted(assertion.components.len() as u64, "component"));
    if search.order != "1" {
        words.push(format!("symmetry of order {}", search.order));
    }
    Some(words.join(", "))
}

/// The pairs that there are without symmetry, if that was asked for.
fn full(found: &Symmetry) -> Option<String> {
    Some(match found.full_states.as_ref()? {
        Ok(n) if n == "1" => "1 pair".to_owned(),
        Ok(n) => format!("{n} pairs"),
        Err(why) => format!("not known: {}", uncounted(why)),
    })
}

const COLUMNS: [ColumnStyle; 4] = [
    ColumnStyle {
        title: "#",
        align: Align::Right,
        width_max: 12,
    },
    ColumnStyle {
        title: "event",
        align: Align::Left,
        width_max: 30,
    },
    ColumnStyle {
        title: "line",
        align: Align::Left,
        width_max: 14,
    },
    ColumnStyle {
        title: "by",
        align: Align::Left,
        width_max: usize::MAX,
    },
];

/// The rows of a run, numbered from 1; of a long one the first and the last.
fn rows(steps: &[EventStep], n_max: usize) -> Vec<[String; 4]> {
    let is_short = steps.len() <= n_max;
    let n_first = if is_short { steps.len() } else { n_max / 3 };
    let n_last = (steps.len() - n_first).min(n_max - n_first.min(n_max));
    let row = |(i, step): (usize, &EventStep)| {
        let parts = step.parts.iter().map(|part| {
            if part.event == step.event {
                plain(&part.name)
            } else {
                format!("{} {}", plain(&part.name), plain(&part.event))
            }
        });
        let parts: Vec<String> = parts.collect();
        let mut places: Vec<String> = Vec::new();
        for at in step.parts.iter().filter_map(|part| part.place.as_ref()) {
            let words = place(at);
            if !places.contains(&words) {
                places.push(words);
            }
        }
        let number = (i + 1).to_string();
        [
            number,
            plain(&step.event),
            places.join(", "),
            parts.join(", "),
        ]
    };
    let all = || steps.iter().enumerate().map(row);
    let mut rows: Vec<[String; 4]> = all().take(n_first).collect();
    let n_between = steps.len() - n_first - n_last;
    if n_between > 0 {
        let words = format!("… {} more", crate::words::grouped(n_between as u64));
        rows.push([String::new(), words, String::new(), String::new()]);
    }
    rows.extend(all().skip(steps.len() - n_last));
    rows
}

/// A line, with its file if that is another.
fn place(place: &Place) -> String {
    match &place.file {
        None => place.line.to_string(),
        Some(file) => format!("{} of {}", place.line, plain(file)),
    }
}

/// Where components are that are not where they started, and how many are.
fn ending(end: &[End], n_max: usize) -> Vec<String> {
    let moved = end.iter().filter(|end| end.name != end.process);
    let moved: Vec<&End> = moved.collect();
    let shown = moved.iter().take(n_max);
    let mut lines: Vec<String> = shown
        .map(|end| {
            let words = format!("{} at {}", plain(&end.name), plain(&end.process));
            match &end.place {
                Some(at) => format!("{words}, line {}", place(at)),
                None => words,
            }
        })
        .collect();
    if moved.len() > n_max {
        lines.push(more(moved.len() - n_max));
    }
    match (end.len() - moved.len(), moved.is_empty()) {
        (0, _) => {}
        (_, true) => lines.push("as at the start".to_owned()),
        (1, _) => lines.push("the other as at the start".to_owned()),
        (n, _) => lines.push(format!("the {n} others as at the start")),
    }
    lines
}

/// Items between brackets, wrapped; what takes more than so many lines is counted.
fn listed(
    items: &[String],
    open: &str,
    close: &str,
    width: usize,
    n_lines_max: usize,
) -> Vec<String> {
    let mut lines = vec![open.to_owned()];
    for (i, item) in items.iter().enumerate() {
        let comma = if i + 1 < items.len() { "," } else { close };
        let item = format!("{}{comma}", plain(item));
        let line = lines.last_mut().expect("there is always a line");
        let is_first = *line == open;
        if !is_first && line.chars().count() + 1 + item.chars().count() > width {
            if lines.len() == n_lines_max {
                lines.push(more(items.len() - i));
                return lines;
            }
            lines.push(format!(" {item}"));
            continue;
        }
        if !is_first {
            line.push(' ');
        }
        line.push_str(&item);
    }
    if items.is_empty() {
        lines[0].push_str(close);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::Part;

    fn names(n: usize) -> Vec<String> {
        (0..n).map(|i| format!("event.{i}")).collect()
    }

    #[test]
    fn lists_are_wrapped_and_counted() {
        let short = |items: &[String], open, close| listed(items, open, close, 20, 6);
        assert_eq!(short(&[], "<", ">"), ["<>"]);
        assert_eq!(short(&names(2), "<", ">"), ["<event.0, event.1>"]);
        let lines = short(&names(100), "{", "}");
        assert_eq!(lines.len(), 7);
        assert_eq!(lines[1], " event.2, event.3,");
        assert_eq!(lines[6], "… and 88 more; --full shows all");
        assert!(
            lines[..6].iter().all(|line| line.chars().count() <= 20),
            "{lines:?}"
        );
        let all = listed(&names(100), "{", "}", 20, usize::MAX);
        assert!(all.last().is_some_and(|line| line.ends_with("event.99}")));
    }

    #[test]
    fn components_that_did_not_move_are_counted() {
        let at = |name: &str, process: &str| End {
            name: name.to_owned(),
            process: process.to_owned(),
            place: None,
        };
        let end = [at("P", "P"), at("Q", "STOP"), at("R", "R")];
        assert_eq!(
            ending(&end, 20),
            ["Q at STOP", "the 2 others as at the start"]
        );
        assert_eq!(ending(&end[..1], 20), ["as at the start"]);
        assert_eq!(
            ending(&end[..2], 20),
            ["Q at STOP", "the other as at the start"]
        );
    }

    #[test]
    fn long_runs_are_cut_in_the_middle() {
        let part = |name: &str, event: &str, line: u32| Part {
            name: name.to_owned(),
            event: event.to_owned(),
            place: Some(Place { line, file: None }),
        };
        let step = |i: usize| EventStep {
            event: format!("e{i}"),
            parts: vec![part("P", &format!("e{i}"), 4), part("Q", "x", 7)],
        };
        let steps: Vec<EventStep> = (0..10).map(step).collect();
        let rows = rows(&steps, 6);
        assert_eq!(rows.len(), 7);
        assert_eq!(rows[0], ["1", "e0", "4, 7", "P, Q x"].map(str::to_owned));
        assert_eq!(rows[2][1], "… 4 more");
        assert_eq!(rows[6][0], "10");
    }
}
