//! What was found about a script, for people.
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

use super::{Assertion, End, Place, Script, Shown, Step};
use crate::summary::Verdict;
use crate::table::{self, Align, Column};
use crate::text::{Look, more};
use crate::words::{bytes, counted, cut, duration, plain, wrapped};
use anstyle::{AnsiColor, Style};
use base::Colour;

/// The width of the label and the space after it.
const INDENT: usize = 16;
/// The width of a verdict and the space after it.
const VERDICT: usize = 10;
/// The lines that one list may take.
const N_LINES_MAX: usize = 6;
/// How many components are shown where a run ends.
const N_COMPONENTS_MAX: usize = 20;

/// The text of a summary, every line ended.
pub fn text(summary: &Script, look: &Look) -> String {
    let mut page = Page {
        text: String::new(),
        look: *look,
    };
    for print in &summary.prints {
        let value = print.value.as_deref().unwrap_or("no value");
        page.row(&format!("line {}", print.line), &[plain(value)]);
    }
    let verdict = summary.verdict();
    let word = page.coloured(verdict, verdict.word());
    let covered = match summary.not_asked.len() as u64 {
        0 => String::new(),
        n => format!("; not checked: {}", counted(n, "other assertion")),
    };
    let nothing = match summary.is_empty() {
        true => ": nothing is asserted",
        false => "",
    };
    page.row("verdict", &[format!("{word}{nothing}{covered}")]);
    for assertion in &summary.assertions {
        page.assertion(assertion);
    }
    if summary.assertions.is_empty() {
        page.row("assertions", &["none".to_owned()]);
    }
    for assertion in &summary.assertions {
        if let Some(shown) = &assertion.shown
            && assertion.verdict != Verdict::Holds
        {
            page.shown(assertion, shown);
        }
    }
    page.line("");
    page.row("time", &[duration(summary.total)]);
    if summary.peak_bytes > 0 {
        page.row("memory", &[bytes(summary.peak_bytes)]);
    }
    page.text
}

struct Page {
    text: String,
    look: Look,
}

impl Page {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// A label with lines beside it.
    fn row(&mut self, label: &str, lines: &[String]) {
        for (i, line) in lines.iter().enumerate() {
            let label = cut(&plain(if i == 0 { label } else { "" }), INDENT - 1);
            let blanks = " ".repeat(INDENT - label.chars().count());
            let label = self.styled(Style::new().bold(), &label);
            self.line(&format!("{label}{blanks}{line}"));
        }
    }

    fn styled(&self, style: Style, words: &str) -> String {
        match self.look.colour {
            Colour::Always if !words.is_empty() => format!("{style}{words}{style:#}"),
            _ => words.to_owned(),
        }
    }

    fn coloured(&self, verdict: Verdict, words: &str) -> String {
        let colour = match verdict {
            Verdict::Holds => AnsiColor::Green,
            Verdict::Violated => AnsiColor::Red,
            Verdict::Unknown | Verdict::NotChecked => AnsiColor::Yellow,
        };
        self.styled(colour.on_default().bold(), words)
    }

    fn room(&self) -> usize {
        self.look.width.saturating_sub(INDENT)
    }

    /// So many, or all.
    fn at_most(&self, n: usize) -> usize {
        if self.look.full { usize::MAX } else { n }
    }

    /// Items between brackets, wrapped, the rest counted.
    fn listed(&self, items: &[String], brackets: (&str, &str)) -> Vec<String> {
        listed(items, brackets, self.room(), self.at_most(N_LINES_MAX))
    }

    /// The verdict of an assertion, its text, and what was counted.
    fn assertion(&mut self, assertion: &Assertion) {
        let word = assertion.verdict.word();
        let blanks = " ".repeat(VERDICT.saturating_sub(word.len()));
        let word = self.coloured(assertion.verdict, word);
        let room = self.room().saturating_sub(VERDICT);
        let mut below = wrapped(&plain(&assertion.text), room);
        let mut lines = vec![format!("{word}{blanks}{}", below.remove(0))];
        if let Some(reason) = &assertion.reason {
            below.extend(wrapped(&plain(reason), room));
        }
        if let Some(counts) = &assertion.counts {
            let mut words = vec![
                counted(counts.n_pairs, "pair"),
                counted(counts.n_transitions, "transition"),
            ];
            if assertion.kind == "refinement" {
                words.push(counted(counts.n_normal, "normal state"));
            }
            words.push(counted(assertion.components.len() as u64, "component"));
            if let Some(found) = assertion.symmetry.as_ref().filter(|s| s.order != "1") {
                words.push(format!("symmetry of order {}", found.order));
            }
            below.push(words.join(", "));
        }
        let again = [
            ("without symmetry", assertion.full.as_ref().map(full)),
            ("audit", assertion.audit.clone()),
            ("self-check", assertion.self_check.clone()),
        ];
        for (what, words) in again {
            if let Some(words) = words {
                below.extend(wrapped(&format!("{what}: {words}"), room));
            }
        }
        if let Some(shown) = assertion
            .shown
            .as_ref()
            .filter(|_| assertion.verdict == Verdict::Holds)
        {
            let brackets = ("by the trace <", ">");
            let n_lines_max = self.at_most(N_LINES_MAX);
            below.extend(listed(&shown.trace, brackets, room, n_lines_max));
        }
        let indent = " ".repeat(VERDICT);
        lines.extend(below.iter().map(|line| format!("{indent}{line}")));
        self.row(&assertion.number.to_string(), &lines);
    }

    /// The run that shows what is wrong.
    fn shown(&mut self, assertion: &Assertion, shown: &Shown) {
        self.line("");
        let (number, line) = (assertion.number, assertion.line);
        let title = format!("{number}, line {line}: {}", plain(&shown.message));
        for line in wrapped(&title, self.look.width) {
            let line = self.coloured(assertion.verdict, &line);
            self.line(&line);
        }
        let room = self.room();
        self.row("trace", &self.listed(&shown.trace, ("<", ">")));
        if let Some(event) = &shown.event {
            self.row("event", &wrapped(&plain(event), room));
        }
        if let Some(offered) = &shown.offered {
            self.row("offered", &self.listed(offered, ("{", "}")));
        }
        let n_sets = self.at_most(N_LINES_MAX).min(shown.allowed.len());
        let allowed = shown.allowed[..n_sets].iter();
        let mut lines: Vec<String> = allowed
            .flat_map(|set| self.listed(set, ("{", "}")))
            .collect();
        if shown.allowed.len() > n_sets {
            lines.push(more(shown.allowed.len() - n_sets));
        }
        self.row("allowed", &lines);
        self.run(&shown.steps);
        if let Some(from) = shown.loop_from {
            self.line(&format!("and again from step {}", from + 1));
        }
        if let Some(other) = &shown.other {
            self.line("another run with this trace");
            self.run(other);
        }
        let lines = ending(&shown.end, self.at_most(N_COMPONENTS_MAX)).into_iter();
        let lines: Vec<String> = lines.flat_map(|line| wrapped(&line, room)).collect();
        self.row("finally", &lines);
    }

    fn run(&mut self, steps: &[Step]) {
        if steps.is_empty() {
            return;
        }
        let rows = rows(steps, self.look.n_steps_max);
        for line in table::lines(&COLUMNS, &rows, self.look.width) {
            self.line(&line);
        }
    }
}

/// The pairs that there are without symmetry.
fn full(counted: &Result<u128, String>) -> String {
    match counted {
        Ok(1) => "1 pair".to_owned(),
        Ok(n) => format!("{n} pairs"),
        Err(why) => format!("not known: {why}"),
    }
}

const COLUMNS: [Column; 4] = [
    Column {
        title: "#",
        align: Align::Right,
        width_max: 12,
    },
    Column {
        title: "event",
        align: Align::Left,
        width_max: 30,
    },
    Column {
        title: "line",
        align: Align::Left,
        width_max: 14,
    },
    Column {
        title: "by",
        align: Align::Left,
        width_max: usize::MAX,
    },
];

/// The rows of a run, numbered from 1; of a long one the first and the last.
fn rows(steps: &[Step], n_max: usize) -> Vec<[String; 4]> {
    let n_first = match steps.len() <= n_max {
        true => steps.len(),
        false => n_max / 3,
    };
    let n_last = (steps.len() - n_first).min(n_max - n_first.min(n_max));
    let row = |(i, step): (usize, &Step)| {
        let parts = step
            .parts
            .iter()
            .map(|part| match part.event == step.event {
                true => plain(&part.name),
                false => format!("{} {}", plain(&part.name), plain(&part.event)),
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
    (open, close): (&str, &str),
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
    use super::super::Part;
    use super::*;

    fn names(n: usize) -> Vec<String> {
        (0..n).map(|i| format!("event.{i}")).collect()
    }

    #[test]
    fn lists_are_wrapped_and_counted() {
        let short = |items: &[String], brackets| listed(items, brackets, 20, 6);
        assert_eq!(short(&[], ("<", ">")), ["<>"]);
        assert_eq!(short(&names(2), ("<", ">")), ["<event.0, event.1>"]);
        let lines = short(&names(100), ("{", "}"));
        assert_eq!(lines.len(), 7);
        assert_eq!(lines[1], " event.2, event.3,");
        assert_eq!(lines[6], "… and 88 more; --full shows all");
        assert!(
            lines[..6].iter().all(|line| line.chars().count() <= 20),
            "{lines:?}"
        );
        let all = listed(&names(100), ("{", "}"), 20, usize::MAX);
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
        let step = |i: usize| Step {
            event: format!("e{i}"),
            parts: vec![part("P", &format!("e{i}"), 4), part("Q", "x", 7)],
        };
        let steps: Vec<Step> = (0..10).map(step).collect();
        let rows = rows(&steps, 6);
        assert_eq!(rows.len(), 7);
        assert_eq!(rows[0], ["1", "e0", "4, 7", "P, Q x"].map(str::to_owned));
        assert_eq!(rows[2][1], "… 4 more");
        assert_eq!(rows[6][0], "10");
    }
}
