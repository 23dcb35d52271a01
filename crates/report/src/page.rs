//! A result taking shape: rows for people and fields for programs, side by side.
//!
//! Each section of a command adds its row and its field in the same place, so that text and JSON
//! cannot drift apart. Rows stay readable whatever the size of the result: a list is wrapped, and
//! after a few lines the rest is counted. JSON holds everything.

use crate::words::wrapped;
use serde_json::{Map, Value};
use std::fmt::Write;

/// Rows and fields so far.
#[derive(Default)]
pub struct Page {
    text: String,
    json: Map<String, Value>,
}

/// The width of a row, label included.
const WIDTH: usize = 100;
/// The width of the label and the space after it.
const INDENT: usize = 16;
/// The most characters of a row.
const ROW_CHARS_MAX: usize = 2000;
/// The lines that one list may take.
const LINES_MAX: usize = 6;

impl Page {
    /// An empty page.
    pub fn new() -> Page {
        Page::default()
    }

    /// The text and the fields.
    pub fn finish(self) -> (String, Map<String, Value>) {
        (self.text, self.json)
    }

    /// Adds a field for programs.
    pub fn field(&mut self, key: &str, value: impl Into<Value>) {
        let before = self.json.insert(key.to_owned(), value.into());
        assert!(before.is_none(), "the field {key} is given twice");
    }

    /// Adds a row; what does not fit into a line takes several, unless it is very long.
    pub fn row(&mut self, label: &str, words: &str) {
        self.lines(label, &wrapped(&cut(words, ROW_CHARS_MAX), WIDTH - INDENT));
    }

    /// Adds a row of items that follow each other, wrapped, the last ones only counted if there are
    /// too many.
    pub fn list(&mut self, label: &str, items: impl IntoIterator<Item = String>) {
        let mut lines: Vec<String> = vec![String::new()];
        let mut n_left_out = 0;
        for item in items {
            let item = cut(&item, WIDTH - INDENT);
            let last = lines.last_mut().expect("there is always a line");
            let room = WIDTH - INDENT - last.chars().count();
            if n_left_out > 0 {
                n_left_out += 1;
            } else if last.is_empty() {
                last.push_str(&item);
            } else if item.chars().count() + 2 <= room {
                last.push_str("  ");
                last.push_str(&item);
            } else if lines.len() < LINES_MAX {
                lines.push(item);
            } else {
                n_left_out = 1;
            }
        }
        if n_left_out > 0 {
            lines.push(format!("… and {n_left_out} more"));
        }
        self.lines(label, &lines);
    }

    /// Adds a row with an item a line, the last ones only counted if there are too many.
    pub fn column(&mut self, label: &str, items: &[String]) {
        let n_shown = items.len().min(N_COLUMN_MAX);
        let mut lines: Vec<String> = items[..n_shown]
            .iter()
            .map(|item| cut(item, WIDTH - INDENT))
            .collect();
        if items.len() > n_shown {
            lines.push(format!("… and {} more", items.len() - n_shown));
        }
        self.lines(label, &lines);
    }

    /// Adds an item a line, all of them, however long: for output that was asked for as such.
    pub fn listing(&mut self, label: &str, items: &[String]) {
        self.lines(label, items);
    }

    /// Adds text as it is, without a label: for output that another program may read.
    pub fn verbatim(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn lines(&mut self, label: &str, lines: &[String]) {
        let bold = anstyle::Style::new().bold();
        let first = lines.first().map_or("", String::as_str);
        let _ = writeln!(
            self.text,
            "{bold}{label:<w$}{bold:#} {first}",
            w = INDENT - 1
        );
        for line in lines.iter().skip(1) {
            let _ = writeln!(self.text, "{:INDENT$}{line}", "");
        }
    }
}

/// The items that a column shows.
const N_COLUMN_MAX: usize = 20;

/// The words, or their start and how many characters follow.
fn cut(words: &str, width: usize) -> String {
    let n = words.chars().count();
    if n <= width {
        return words.to_owned();
    }
    let tail = format!("… ({n} characters)");
    let start: String = words.chars().take(width - tail.chars().count()).collect();
    format!("{start}{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(fill: impl FnOnce(&mut Page)) -> String {
        let mut page = Page::new();
        fill(&mut page);
        let (text, _) = page.finish();
        anstream::adapter::strip_str(&text).to_string()
    }

    #[test]
    fn short_lists_stay_on_one_line() {
        let shown = text(|page| page.list("orbits", ["{1 2}", "{3}"].map(str::to_owned)));
        assert_eq!(shown, "orbits          {1 2}  {3}\n");
    }

    #[test]
    fn long_lists_are_wrapped_and_counted() {
        let items = (1..=1000).map(|i| format!("{{{i}}}"));
        let shown = text(|page| page.list("orbits", items));
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines.len(), LINES_MAX + 1);
        assert!(
            lines.iter().all(|line| line.chars().count() <= WIDTH),
            "{shown}"
        );
        let n_shown = shown.matches('{').count();
        assert_eq!(
            lines[LINES_MAX].trim(),
            format!("… and {} more", 1000 - n_shown)
        );
    }

    #[test]
    fn long_items_are_cut_and_measured() {
        let shown = text(|page| page.column("generators", &["(1 2)".to_owned(), "x".repeat(500)]));
        assert!(shown.ends_with("… (500 characters)\n"), "{shown}");
        assert!(
            shown.lines().all(|line| line.chars().count() <= WIDTH),
            "{shown}"
        );
    }

    #[test]
    fn a_listing_is_never_cut() {
        let shown = text(|page| page.listing("elements", &["x".repeat(500), "y".to_owned()]));
        assert_eq!(shown.len(), INDENT * 2 + 500 + 1 + 2);
    }

    #[test]
    #[should_panic(expected = "the field order is given twice")]
    fn a_field_is_given_once() {
        let mut page = Page::new();
        page.field("order", "1");
        page.field("order", "2");
    }
}
