//! A summary for people: the verdict first, then what is wrong and how it comes about, then counts.
//!
//! ```text
//! verdict         violated
//! deadlock        unknown: the search stopped at another error
//! assertions      violated
//! faults          unknown: the search stopped at another error
//!
//! assertion violated in line 9: assert(n == 1)
//! initially       n = 0, P (0).at = 3, P (1).at = 3
//!   #  by     line  step            changes
//!   1  P (0)     7  n++             n: 0 → 1, P (0).at: 3 → 4
//!   …
//!   4  P (1)     9  assert(n == 1)
//! finally         n = 2, P (0).at = 4, P (1).at = 4
//!
//! states          12
//! transitions     19
//! depth           4
//! time            1.20 ms
//! memory          98.3 kB
//! ```
//!
//! Lines fit the width; long values are cut, long runs keep their start and their end, long lists
//! are counted. JSON has everything.

use crate::summary::{OwnSearch, Property, Summary, Verdict, Violated};
use crate::table::{self, Align, Column};
use crate::words::{bytes, counted, cut, duration, grouped, plain};
use anstyle::{AnsiColor, Style};
use base::Colour;
use check::{Change, Guarantee, Progress, Witness, WitnessStep};

/// How a text is to look.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Whether to use colour.
    pub colour: Colour,
    /// How wide lines may be.
    pub width: usize,
    /// How many steps of a run are shown.
    pub n_steps_max: usize,
}

/// The width of a label and the blanks after it.
const INDENT: usize = 16;
/// The lines that a list may take.
const N_LINES_MAX: usize = 6;
/// The unreached steps that are shown.
const N_UNREACHED_MAX: usize = 20;
/// With fewer states than these, what a state takes says more about first allocations.
const N_STATES_MIN: u64 = 10_000;
/// The processes that are shown at a deadlock.
const N_WAITING_MAX: usize = 20;
/// The width of a value within a list or a change.
const VALUE_WIDTH: usize = 30;

/// The text of a summary, every line ended.
pub fn text(summary: &Summary, look: &Look) -> String {
    let mut page = Page {
        text: String::new(),
        look: *look,
    };
    let verdict = summary.verdict;
    page.row("verdict", &page.coloured(verdict, verdict.word()));
    for property in &summary.properties {
        let words = page.coloured(property.verdict, property.verdict.word());
        let reason = property.reason.as_ref();
        let mut reason = reason.map_or(String::new(), |reason| format!(": {reason}"));
        reason += &property.search.as_ref().map_or_else(String::new, cost);
        page.row(&property.name, &format!("{words}{reason}"));
        for note in &property.notes {
            page.row("", &plain(note));
        }
    }
    for note in &summary.notes {
        page.row("note", &plain(note));
    }
    for property in &summary.properties {
        for violated in property.violations.iter().chain(&property.shown) {
            page.violated(property, violated);
        }
    }
    page.blank();
    page.counts(summary);
    page.text
}

/// One line that says how far a search has come, without an end of line.
pub fn progress(progress: &Progress) -> String {
    format!(
        "{} states, {}/s, depth {}, frontier {}, {}, {}",
        grouped(progress.n_states),
        grouped(progress.states_per_second.round() as u64),
        grouped(progress.depth),
        grouped(progress.n_frontier),
        bytes(progress.memory_bytes),
        duration(progress.elapsed),
    )
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

    fn blank(&mut self) {
        self.line("");
    }

    fn row(&mut self, label: &str, words: &str) {
        let label = cut(&plain(label), INDENT - 1);
        let blanks = " ".repeat(INDENT - label.chars().count());
        let label = self.styled(Style::new().bold(), &label);
        self.line(&format!("{label}{blanks}{words}"));
    }

    fn styled(&self, style: Style, words: &str) -> String {
        match self.look.colour {
            Colour::Always => format!("{style}{words}{style:#}"),
            Colour::Never => words.to_owned(),
        }
    }

    fn coloured(&self, verdict: Verdict, words: &str) -> String {
        let colour = match verdict {
            Verdict::Holds => AnsiColor::Green,
            Verdict::Violated => AnsiColor::Red,
            Verdict::Unknown => AnsiColor::Yellow,
        };
        self.styled(colour.on_default().bold(), words)
    }

    /// What is wrong, and the run that shows it.
    fn violated(&mut self, property: &Property, violated: &Violated) {
        self.blank();
        let mut title = violated.message.clone();
        if let Some((step, line)) = &violated.step {
            title += &format!(" in {}", plain(&violated.within.at(*line, step)));
        }
        if violated.n_seen > 1 {
            title += &format!(" (seen {} times)", grouped(violated.n_seen));
        }
        let title = cut(&title, self.look.width);
        let title = self.coloured(property.verdict, &title);
        self.line(&title);
        self.run(&violated.witness);
        if !violated.witness.reasons().is_empty() {
            self.list("because", violated.witness.reasons());
        }
        // Where everybody is says why nobody can go on.
        let waits = violated.witness.loop_from().is_none() && property.kind != "ctl";
        if violated.step.is_none() && waits {
            self.waiting(violated.witness.places());
        }
    }

    fn waiting(&mut self, places: &[(String, String)]) {
        for (n, (name, place)) in places.iter().take(N_WAITING_MAX).enumerate() {
            let label = if n == 0 { "waiting" } else { "" };
            let words = format!("{} at {}", plain(name), plain(place));
            let words = cut(&words, self.look.width.saturating_sub(INDENT));
            self.row(label, &words);
        }
        if places.len() > N_WAITING_MAX {
            self.row("", &format!("… and {} more", places.len() - N_WAITING_MAX));
        }
    }

    fn run(&mut self, witness: &Witness) {
        if witness.start().is_empty() && witness.steps().is_empty() {
            self.line("on the way to the initial state");
            return;
        }
        self.list("initially", witness.start());
        if witness.steps().is_empty() && witness.loop_from().is_none() {
            return;
        }
        let (steps, most) = (witness.steps(), self.look.n_steps_max);
        let from = witness.loop_from().unwrap_or(steps.len());
        let mut rows = rows(&steps[..from], 1, most);
        if witness.loop_from().is_some() {
            rows.push(turn(match from == steps.len() {
                true => "from here on nothing moves",
                false => "from here on again and again:",
            }));
        }
        rows.extend(self::rows(&steps[from..], from + 1, most));
        for line in table::lines(&COLUMNS, &rows, self.look.width) {
            self.line(&line);
        }
        self.list("finally", witness.end());
    }

    /// Names with values, wrapped.
    fn list(&mut self, label: &str, parts: &[(String, String)]) {
        let room = self.look.width.saturating_sub(INDENT).max(VALUE_WIDTH);
        let mut lines = vec![String::new()];
        let mut n_shown = 0;
        for (name, value) in parts {
            let item = format!("{} = {}", plain(name), value_text(value));
            let item = cut(&item, room - 1);
            let comma = if n_shown + 1 < parts.len() { "," } else { "" };
            let last = lines.last_mut().expect("there is always a line");
            let needed = last.chars().count() + item.chars().count() + 2;
            if !last.is_empty() && needed > room {
                if lines.len() == N_LINES_MAX {
                    break;
                }
                lines.push(String::new());
            }
            let last = lines.last_mut().expect("there is always a line");
            if !last.is_empty() {
                last.push(' ');
            }
            *last += &format!("{item}{comma}");
            n_shown += 1;
        }
        if n_shown < parts.len() {
            lines.push(format!("… and {} more", parts.len() - n_shown));
        }
        self.rows(label, &lines);
    }

    /// A label with lines beside it.
    fn rows(&mut self, label: &str, lines: &[String]) {
        for (i, line) in lines.iter().enumerate() {
            self.row(if i == 0 { label } else { "" }, line);
        }
    }

    fn counts(&mut self, summary: &Summary) {
        let counts = &summary.counts;
        if summary.n_errors > 1 {
            self.row("errors", &grouped(summary.n_errors));
        }
        self.row("states", &grouped(counts.n_states));
        self.row("transitions", &grouped(counts.n_transitions));
        if let Some(visible) = &summary.visible {
            let (states, moves) = (grouped(visible.n_states), grouped(visible.n_transitions));
            let words = format!("{states} states, {moves} transitions without hidden variables");
            self.row("visible", &words);
        }
        self.row("depth", &grouped(counts.depth));
        if let Some(n_pairs) = summary.n_pairs {
            self.row("pairs", &grouped(n_pairs));
        }
        if let Some(found) = summary.symmetry.as_ref().filter(|found| found.order != "1") {
            let words = format!("{}, order {}", found.structure, digits(&found.order));
            self.row(
                "symmetry",
                &cut(&words, self.look.width.saturating_sub(INDENT)),
            );
            let not_exact = match found.guarantee {
                Guarantee::Exact => None,
                Guarantee::Approximate => Some("an orbit may have several states"),
                Guarantee::Lossy => Some("states may have been missed"),
            };
            if let Some(words) = not_exact {
                self.row("strategy", &format!("{}: {words}", found.strategy));
            }
        }
        self.looked_at_again(summary);
        self.row("time", &duration(summary.times.total));
        let mut memory = bytes(summary.peak_bytes);
        if counts.n_states >= N_STATES_MIN {
            memory += &format!(", {:.1} bytes a state", summary.bytes_per_state);
        }
        self.row("memory", &memory);
        let unreached = summary.unreached.as_deref().unwrap_or(&[]);
        if unreached.is_empty() {
            return;
        }
        let room = self.look.width.saturating_sub(INDENT);
        let mut lines = vec![counted(unreached.len() as u64, "step")];
        for text in unreached.iter().take(N_UNREACHED_MAX) {
            let line = plain(&text.within.at(text.line, &text.step));
            lines.push(cut(&line, room));
        }
        if unreached.len() > N_UNREACHED_MAX {
            let n = unreached.len() - N_UNREACHED_MAX;
            lines.push(format!("… and {n} more"));
        }
        self.rows("unreached", &lines);
    }

    /// What was counted, audited and compared after the search.
    fn looked_at_again(&mut self, summary: &Summary) {
        if let Some(n) = summary
            .symmetry
            .as_ref()
            .and_then(|found| found.full_states.as_ref())
        {
            let words = match n {
                Ok(n) => digits(n),
                Err(why) => format!("not known: {why}"),
            };
            self.row("full states", &words);
        }
        if let Some(words) = &summary.audit {
            self.row("audit", words);
        }
        if let Some(words) = &summary.self_check {
            self.row("self-check", words);
        }
    }
}

const COLUMNS: [Column; 5] = [
    Column {
        title: "#",
        align: Align::Right,
        width_max: 12,
    },
    Column {
        title: "by",
        align: Align::Left,
        width_max: 24,
    },
    Column {
        title: "line",
        align: Align::Right,
        width_max: 8,
    },
    Column {
        title: "step",
        align: Align::Left,
        width_max: 36,
    },
    Column {
        title: "changes",
        align: Align::Left,
        width_max: usize::MAX,
    },
];

/// The rows of a run, numbered from 1; of a long one the first third and the last two.
/// The rows of a stretch of a run, whose first step has that number.
fn rows(steps: &[WitnessStep], first: usize, n_max: usize) -> Vec<[String; 5]> {
    let n_first = match steps.len() <= n_max {
        true => steps.len(),
        false => n_max / 3,
    };
    let n_last = (steps.len() - n_first).min(n_max - n_first.min(n_max));
    let numbered = |(i, step): (usize, &WitnessStep)| row((first + i) as u64, step);
    let all = || steps.iter().enumerate().map(numbered);
    let mut rows: Vec<[String; 5]> = all().take(n_first).collect();
    let n_between = steps.len() - n_first - n_last;
    if n_between > 0 {
        let between = format!("… {} not shown …", counted(n_between as u64, "step"));
        rows.push(turn(&between));
    }
    rows.extend(all().skip(n_first + n_between));
    rows
}

/// A row that is no step.
fn turn(words: &str) -> [String; 5] {
    let blank = String::new;
    ["…".into(), blank(), blank(), words.to_owned(), blank()]
}

/// What a property cost, where that is not nothing.
fn cost(search: &OwnSearch) -> String {
    let mut words = Vec::new();
    words.extend(search.fairness.map(|word| format!("{word} fairness")));
    words.push(counted(search.counts.n_states, "state"));
    if let Some(without) = search
        .order_without
        .as_ref()
        .filter(|n| **n != search.order)
    {
        words.push(format!(
            "group {} instead of {}",
            digits(&search.order),
            digits(without)
        ));
    }
    format!(" ({})", words.join(", "))
}

fn row(number: u64, step: &WitnessStep) -> [String; 5] {
    let mut changes: Vec<String> = step.changes.iter().map(change_text).collect();
    if !step.printed.is_empty() {
        changes.push(format!("prints {}", value_text(&step.printed)));
    }
    [
        grouped(number),
        plain(&step.text.by),
        plain(&step.text.within.place(step.text.line)),
        plain(&step.text.within.shown(&step.text.step)),
        changes.join(", "),
    ]
}

fn change_text(change: &Change) -> String {
    let name = plain(&change.name);
    match (&change.before, &change.after) {
        (Some(before), Some(after)) => {
            format!("{name}: {} → {}", value_text(before), value_text(after))
        }
        (None, Some(after)) => format!("{name} = {}", value_text(after)),
        (_, None) => format!("{name} is gone"),
    }
}

fn value_text(value: &str) -> String {
    cut(&plain(value), VALUE_WIDTH)
}

/// A number of any length, in groups where it fits into a word.
fn digits(number: &str) -> String {
    number
        .parse::<u64>()
        .map_or_else(|_| number.to_owned(), grouped)
}
