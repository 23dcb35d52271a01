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
//! Lines fit the width; what is longer takes several. Values that are very long are cut, long runs
//! keep their start and their end, long lists are counted, unless all is asked for; what was left
//! out says so. JSON has everything.

mod assertions;

use crate::change;
use crate::object::Partial;
use crate::reasons::uncounted;
use crate::summary::{OwnSearch, Property, Summary, Verdict, Violated};
use crate::table::{self, Align, ColumnStyle};
use crate::words::{bytes, counted, cut, duration, grouped, plain, wrapped};
use anstyle::{AnsiColor, Style};
use base::Colour;
use check::temporal::why::N_REASONS_MAX;
use check::{Counts, Guarantee, Progress, Witness, WitnessStep, Work};
use system::StepText;

/// How a text is to look.
#[derive(Clone, Copy, Debug)]
pub struct TextStyle {
    /// Whether to use colour.
    pub colour: Colour,
    /// How wide lines may be.
    pub width: usize,
    /// How many steps of a run are shown.
    pub n_steps_max: usize,
    /// Whether everything is shown, however long it is.
    pub full: bool,
}

/// The width of a label and the blanks after it.
const INDENT: usize = 16;
/// The room beside a label, however narrow a line is.
const ROOM_MIN: usize = 30;
/// The lines that a list may take.
const N_LINES_MAX: usize = 6;
/// The unreached steps that are shown.
const N_UNREACHED_MAX: usize = 20;
/// With fewer states than these, what a state takes says more about first allocations.
const N_STATES_MIN: u64 = 10_000;
/// The processes that are shown at a deadlock.
const N_WAITING_MAX: usize = 20;
/// The most characters of a value, where not everything is shown.
const VALUE_CHARS_MAX: usize = 400;

/// The verdict of a property in a word: a goal that is there is what was looked for.
fn word_of(property: &Property) -> &'static str {
    match property.verdict {
        Verdict::Violated if property.kind == "goal" => "reached",
        verdict => verdict.word(),
    }
}

/// The text of a summary, every line ended.
pub fn text(summary: &Summary, look: &TextStyle) -> String {
    let mut page = Page {
        text: String::new(),
        look: *look,
    };
    for print in &summary.prints {
        let value = print.value.as_deref().unwrap_or("no value");
        page.row(&format!("line {}", print.line), &plain(value));
    }
    let verdict = page.coloured(summary.verdict, summary.verdict.word());
    let reason = summary.reason.as_ref();
    let reason = reason.map_or(String::new(), |reason| format!(": {}", plain(reason)));
    let covered = without(&summary.not_checked(), summary.not_asked.len());
    page.row("verdict", &format!("{verdict}{reason}{covered}"));
    for property in &summary.properties {
        match &property.assertion {
            Some(assertion) => page.assertion(property, assertion),
            None => page.property(property),
        }
    }
    if summary.counts.is_none() && summary.properties.is_empty() {
        page.row("assertions", "none");
    }
    for note in &summary.notes {
        let lines = wrapped(&plain(note), page.room());
        page.rows("note", &lines);
    }
    for property in &summary.properties {
        for violated in &property.violations {
            page.violated(property, violated);
        }
        // What shows that an assertion holds stands beside its verdict.
        if let Some(shown) = property
            .shown
            .as_ref()
            .filter(|_| property.assertion.is_none())
        {
            page.violated(property, shown);
        }
    }
    page.blank();
    page.counts(summary);
    page.text
}

/// What a verdict does not cover, after it on its line: what was switched off, and how many other
/// assertions were not asked for.
fn without(not_checked: &[&str], n_not_asked: usize) -> String {
    let mut names: Vec<String> = not_checked.iter().map(|name| plain(name)).collect();
    if n_not_asked > 0 {
        names.push(counted(n_not_asked as u64, "other assertion"));
    }
    match &names[..] {
        [] => String::new(),
        names => format!("; not checked: {}", names.join(", ")),
    }
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
    look: TextStyle,
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
        let mut label = plain(label);
        if label.chars().count() >= INDENT {
            // A name that does not fit beside its words stands above them.
            let name = self.styled(Style::new().bold(), &label);
            self.line(&name);
            label.clear();
        }
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
            Verdict::Unknown | Verdict::NotChecked => AnsiColor::Yellow,
        };
        self.styled(colour.on_default().bold(), words)
    }

    /// The verdict of a property, why nobody can tell, what it cost, and what else is to know.
    fn property(&mut self, property: &Property) {
        let word = word_of(property);
        let reason = property.reason.as_ref();
        let mut reason = reason.map_or(String::new(), |reason| format!(": {}", plain(reason)));
        reason += &property.search.as_ref().map_or_else(String::new, cost);
        let mut lines = wrapped(&format!("{word}{reason}"), self.room());
        if let Some(rest) = lines[0].strip_prefix(word) {
            lines[0] = self.coloured(property.verdict, word) + rest;
        }
        let notes = property.notes.iter();
        lines.extend(notes.flat_map(|note| wrapped(&plain(note), self.room())));
        self.rows(&property.name, &lines);
    }

    /// What is wrong, and the run that shows it.
    fn violated(&mut self, property: &Property, violated: &Violated) {
        let Some(witness) = violated.run.witness() else {
            return self.events(property, violated);
        };
        self.blank();
        let mut title = violated.message.clone();
        match &violated.step {
            Some((step, 0)) => title += &format!(": {}", plain(step)),
            Some((step, line)) => {
                title += &format!(" in {}", plain(&violated.within.at(*line, step)));
            }
            None => {}
        }
        if violated.n_seen > 1 {
            title += &format!(" (seen {} times)", grouped(violated.n_seen));
        }
        for line in wrapped(&title, self.look.width) {
            let line = self.coloured(property.verdict, &line);
            self.line(&line);
        }
        self.run(&property.atoms, witness);
        let why = violated.why.iter();
        let why = why.flat_map(|reason| wrapped(&plain(&reason.text), self.room()));
        let mut why: Vec<String> = why.collect();
        if violated.why.len() == N_REASONS_MAX {
            why.push(format!(
                "… no more than {N_REASONS_MAX} parts are explained"
            ));
        }
        self.rows("why", &why);
        if !witness.reasons().is_empty() {
            self.list("because", witness.reasons());
        }
        // Where everybody is says why nobody can go on.
        if property.kind == "deadlock" {
            self.waiting(witness.places());
        }
    }

    fn waiting(&mut self, places: &[(String, String)]) {
        let n_max = self.at_most(N_WAITING_MAX);
        let shown = places.iter().take(n_max);
        let mut lines: Vec<String> = shown
            .flat_map(|(name, place)| {
                let words = format!("{} at {}", plain(name), plain(place));
                wrapped(&words, self.room())
            })
            .collect();
        if places.len() > n_max {
            lines.push(more(places.len() - n_max));
        }
        self.rows("waiting", &lines);
    }

    fn run(&mut self, atoms: &[String], witness: &Witness) {
        if witness.start().is_empty() && witness.steps().is_empty() {
            self.line("on the way to the initial state");
            return;
        }
        if !witness.atoms_at_start().is_empty() {
            let named = atoms.iter().enumerate();
            let named = named.map(|(n, text)| format!("{}: {}", letter(n), plain(text)));
            let lines = wrapped(&named.collect::<Vec<String>>().join(", "), self.room());
            self.rows("atoms", &lines);
        }
        self.list("initially", witness.start());
        if !witness.atoms_at_start().is_empty() {
            self.row("true", &truths(witness.atoms_at_start()));
        }
        if witness.steps().is_empty() && witness.loop_from().is_none() {
            return;
        }
        let (steps, most) = (witness.steps(), self.look.n_steps_max);
        let from = witness.loop_from().unwrap_or(steps.len());
        let values_max = self.at_most(VALUE_CHARS_MAX);
        let mut rows = rows(&steps[..from], 1, most, values_max);
        if witness.loop_from().is_some() {
            rows.push(turn(if from == steps.len() {
                "from here on nothing moves"
            } else {
                "from here on again and again:"
            }));
        }
        rows.extend(self::rows(&steps[from..], from + 1, most, values_max));
        for line in table::lines(&COLUMNS, &rows, self.look.width) {
            self.line(&line);
        }
        self.list("finally", witness.end());
    }

    /// Names with values, wrapped.
    fn list(&mut self, label: &str, parts: &[(String, String)]) {
        let room = self.room();
        let mut lines = vec![String::new()];
        for (n, (name, value)) in parts.iter().enumerate() {
            if lines.len() > self.at_most(N_LINES_MAX) {
                lines.push(more(parts.len() - n));
                break;
            }
            let comma = if n + 1 < parts.len() { "," } else { "" };
            let item = format!("{} = {}{comma}", plain(name), self.value(value));
            let last = lines.last_mut().expect("there is always a line");
            if last.chars().count() + 1 + item.chars().count() <= room {
                last.push_str(if last.is_empty() { "" } else { " " });
                last.push_str(&item);
                continue;
            }
            if last.is_empty() {
                lines.pop();
            }
            lines.extend(wrapped(&item, room));
        }
        self.rows(label, &lines);
    }

    /// What a line has room for beside its label.
    fn room(&self) -> usize {
        self.look.width.saturating_sub(INDENT).max(ROOM_MIN)
    }

    /// So many, or all.
    fn at_most(&self, n: usize) -> usize {
        if self.look.full { usize::MAX } else { n }
    }

    /// A value, or its start.
    fn value(&self, value: &str) -> String {
        shortened(&plain(value), self.at_most(VALUE_CHARS_MAX))
    }

    /// A label with lines beside it.
    fn rows(&mut self, label: &str, lines: &[String]) {
        for (i, line) in lines.iter().enumerate() {
            self.row(if i == 0 { label } else { "" }, line);
        }
    }

    fn counts(&mut self, summary: &Summary) {
        if summary.n_errors > 1 && summary.counts.is_some() {
            self.row("errors", &grouped(summary.n_errors));
        }
        if let Some(counts) = &summary.counts {
            self.states(counts, summary);
        }
        self.looked_at_again(summary);
        self.row("time", &duration(summary.times.total));
        let mut memory = bytes(summary.peak_bytes);
        let n_states = summary.counts.map_or(0, |counts| counts.n_states);
        if n_states >= N_STATES_MIN {
            let each = summary.bytes_per_state;
            memory += &each.map_or(String::new(), |n| format!(", {n:.1} bytes a state"));
        }
        // Without a search of states there may have been none at all.
        if summary.counts.is_some() || summary.peak_bytes > 0 {
            self.row("memory", &memory);
        }
        self.unreached(summary.unreached.as_deref().unwrap_or(&[]));
    }

    /// What the search of states counted, and the symmetry that it used.
    fn states(&mut self, counts: &Counts, summary: &Summary) {
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
            let structure = found.structure.as_deref().unwrap_or("a group");
            let words = format!("{structure}, order {}", digits(&found.order));
            let lines = wrapped(&words, self.room());
            self.rows("symmetry", &lines);
            let not_exact = match found.guarantee {
                Guarantee::Exact => None,
                Guarantee::Approximate => Some("an orbit may have several states"),
                Guarantee::Lossy => Some("states may have been missed"),
            };
            match (&found.partial, not_exact) {
                (Some(partial), _) => self.partial(partial, &found.strategy),
                (None, Some(words)) => {
                    self.row("strategy", &format!("{}: {words}", found.strategy));
                }
                (None, None) => {}
            }
            if self.look.full {
                self.choices(&found.work);
            }
        }
    }

    /// What choosing representatives took.
    fn choices(&mut self, work: &Work) {
        let all = [
            (work.n_labels, "labels"),
            (work.n_leaves, "leaves"),
            (work.n_sorted, "sorted"),
            (work.n_remembered, "remembered"),
            (work.n_marker_hits, "marker hits"),
            (work.n_perms, "permutations tried"),
        ];
        let words = all
            .iter()
            .filter_map(|(n, words)| Some(format!("{} {words}", grouped((*n)?))));
        let words: Vec<String> = words.collect();
        if !words.is_empty() {
            let lines = wrapped(&words.join(", "), self.room());
            self.rows("choices", &lines);
        }
    }

    /// The steps that break a symmetry when they are taken.
    fn partial(&mut self, partial: &Partial, strategy: &str) {
        let mut lines = Vec::new();
        for step in &partial.steps {
            let line = plain(&format!("line {}: {}", step.line, step.text));
            lines.extend(wrapped(&line, self.room()));
        }
        lines.push(format!("order {} after them", digits(&partial.least_order)));
        self.rows("broken by", &lines);
        let states = counted(partial.generated, "state");
        let words = format!("{strategy}: {states} generated, and those left that no other covers");
        let lines = wrapped(&words, self.room());
        self.rows("strategy", &lines);
    }

    /// Steps that cannot be taken.
    fn unreached(&mut self, unreached: &[StepText]) {
        if unreached.is_empty() {
            return;
        }
        let n_max = self.at_most(N_UNREACHED_MAX);
        let mut lines = vec![counted(unreached.len() as u64, "step")];
        for text in unreached.iter().take(n_max) {
            let line = plain(&text.within.at(text.line, &text.step));
            lines.extend(wrapped(&line, self.room()));
        }
        if unreached.len() > n_max {
            lines.push(more(unreached.len() - n_max));
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
                Err(why) => format!("not known: {}", uncounted(why)),
            };
            self.row("full states", &words);
        }
        let n_orbits = summary.symmetry.as_ref().and_then(|found| found.n_orbits);
        let counted = n_orbits.filter(|n| *n > 0).zip(summary.counts.as_ref());
        if let Some((n, counts)) = counted {
            let each = counts.n_states as f64 / n as f64;
            let words = format!("{}, {each:.3} stored states each", digits(&n.to_string()));
            self.row("orbits", &words);
        }
        if let Some(words) = &summary.audit {
            self.row("audit", words);
        }
        if let Some(words) = &summary.self_check {
            self.row("self-check", words);
        }
    }
}

const COLUMNS: [ColumnStyle; 6] = [
    ColumnStyle {
        title: "#",
        align: Align::Right,
        width_max: 12,
    },
    ColumnStyle {
        title: "by",
        align: Align::Left,
        width_max: 24,
    },
    ColumnStyle {
        title: "line",
        align: Align::Right,
        width_max: 24,
    },
    ColumnStyle {
        title: "step",
        align: Align::Left,
        width_max: 36,
    },
    ColumnStyle {
        title: "true",
        align: Align::Left,
        width_max: 32,
    },
    ColumnStyle {
        title: "changes",
        align: Align::Left,
        width_max: usize::MAX,
    },
];

/// The rows of a run, numbered from 1; of a long one the first third and the last two.
/// The rows of a stretch of a run, whose first step has that number.
fn rows(steps: &[WitnessStep], first: usize, n_max: usize, values_max: usize) -> Vec<[String; 6]> {
    let n_first = if steps.len() <= n_max {
        steps.len()
    } else {
        n_max / 3
    };
    let n_last = (steps.len() - n_first).min(n_max - n_first.min(n_max));
    let numbered = |(i, step): (usize, &WitnessStep)| row((first + i) as u64, step, values_max);
    let all = || steps.iter().enumerate().map(numbered);
    let mut rows: Vec<[String; 6]> = all().take(n_first).collect();
    let n_between = steps.len() - n_first - n_last;
    if n_between > 0 {
        let between = format!(
            "… {} not shown; --full …",
            counted(n_between as u64, "step")
        );
        rows.push(turn(&between));
    }
    rows.extend(all().skip(n_first + n_between));
    rows
}

/// A row that is no step.
fn turn(words: &str) -> [String; 6] {
    let blank = String::new;
    [
        "…".into(),
        blank(),
        blank(),
        words.to_owned(),
        blank(),
        blank(),
    ]
}

/// The letters of the atoms that are true, and dots for the others.
fn truths(atoms: &[bool]) -> String {
    let letters = atoms.iter().enumerate();
    letters
        .map(|(n, holds)| if *holds { letter(n) } else { '·' })
        .collect()
}

/// What an atom is called in a run.
fn letter(n: usize) -> char {
    char::from(b'a' + (n % 26) as u8)
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

fn row(number: u64, step: &WitnessStep, values_max: usize) -> [String; 6] {
    let mut changes = change::changes(&step.changes);
    if !step.printed.is_empty() {
        changes.push(format!("prints {}", plain(&step.printed)));
    }
    let changes = changes.iter().map(|words| shortened(words, values_max));
    [
        grouped(number),
        plain(&step.text.by),
        plain(&step.text.within.place(step.text.line)),
        plain(&step.text.within.shown(&step.text.step)),
        truths(&step.atoms),
        changes.collect::<Vec<String>>().join(", "),
    ]
}

/// The text, or its start and how much it is in all.
fn shortened(text: &str, n_max: usize) -> String {
    let n = text.chars().count();
    if n > n_max {
        format!(
            "{} ({} characters; --full)",
            cut(text, n_max),
            grouped(n as u64)
        )
    } else {
        text.to_owned()
    }
}

/// What is said of things that were left out.
fn more(n: usize) -> String {
    format!("… and {} more; --full shows all", grouped(n as u64))
}

/// A number of any length, in groups where it fits into a word.
fn digits(number: &str) -> String {
    number
        .parse::<u64>()
        .map_or_else(|_| number.to_owned(), grouped)
}
