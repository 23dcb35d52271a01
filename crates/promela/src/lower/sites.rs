//! What steps are called: the user's own text, at the user's own line.
//!
//! A statement that came out of a macro or an inline is shown as its body has it, at the line of
//! the body, with the uses that brought it there, from inside out. Comments are left out and white
//! space is one blank, so that a text is one line.
//!
//! ```text
//! x = x /* one more */
//!       + 1              ⇒  x = x + 1
//! ```

use crate::place::{Origins, Place};
use base::Sources;
use model::processes::program::Site;
use system::SiteId;
use system::Within;

/// Longer texts are cut: a `d_step` can be pages long.
const SHOWN_MAX: usize = 80;

/// All sites of a model.
pub(super) struct SiteTable<'a> {
    sources: &'a Sources,
    origins: &'a Origins,
    pub all: Vec<Site>,
}

impl<'a> SiteTable<'a> {
    /// No sites yet.
    pub fn new(sources: &'a Sources, origins: &'a Origins) -> SiteTable<'a> {
        SiteTable {
            sources,
            origins,
            all: Vec::new(),
        }
    }

    /// A step that the user wrote at `place`.
    pub fn written(&mut self, place: Place) -> SiteId {
        let text = self.text(place);
        self.add(place, text, true)
    }

    /// A step that nobody wrote, such as the counting of a `for` at `place`.
    pub fn unwritten(&mut self, place: Place, text: impl Into<String>) -> SiteId {
        self.add(place, text.into(), false)
    }

    /// The text at a place, as it is shown.
    pub fn text(&self, place: Place) -> String {
        let all = self.sources.get(place.span.source).text();
        tidy(all.get(place.span.range()).unwrap_or(""))
    }

    /// The file of a place, if it is not that of the model, and the line.
    fn line(&self, place: Place) -> (Option<String>, u32) {
        let source = self.sources.get(place.span.source);
        let (file, line) = source.told(source.line_of(place.span.start as usize));
        let main = self.origins.main.map(|id| self.sources.get(id).name());
        let elsewhere = main.is_some_and(|main| main != file);
        (elsewhere.then(|| file.to_owned()), line as u32)
    }

    /// The uses that brought what is at a place into the program, from inside out.
    fn calls(&self, place: Place) -> Vec<String> {
        let mut calls = Vec::new();
        let mut origin = place.origin;
        while let Some(id) = origin {
            let used = self.origins.get(id).used;
            let words = match self.line(used) {
                (Some(file), line) => format!("{} in {file}:{line}", self.text(used)),
                (None, line) => format!("{} in line {line}", self.text(used)),
            };
            calls.push(words);
            origin = used.origin;
        }
        calls
    }

    fn add(&mut self, place: Place, text: String, written: bool) -> SiteId {
        let (file, line) = self.line(place);
        let calls = self.calls(place);
        self.all.push(Site {
            text,
            span: place.span,
            line,
            within: Within { file, calls },
            written,
        });
        SiteId::new(self.all.len() - 1)
    }
}

/// The text in one line, without comments, cut if it is long.
fn tidy(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    let mut blank = false;
    let mut n = 0;
    while let Some(c) = rest.chars().next() {
        let skipped = if let Some(comment) = rest.strip_prefix("/*") {
            comment.find("*/").map_or(rest.len(), |end| end + 4)
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("\\\n") {
            2
        } else if c.is_whitespace() {
            c.len_utf8()
        } else {
            0
        };
        if skipped > 0 {
            blank = true;
            rest = &rest[skipped..];
            continue;
        }
        if n >= SHOWN_MAX {
            out.push('…');
            break;
        }
        if blank && !out.is_empty() {
            out.push(' ');
            n += 1;
        }
        blank = false;
        let end = match c {
            '"' => string_end(rest),
            _ => c.len_utf8(),
        };
        out.push_str(&rest[..end]);
        n += rest[..end].chars().count();
        rest = &rest[end..];
    }
    out
}

/// How long the string literal at the start of `text` is; comments do not begin inside it.
fn string_end(text: &str) -> usize {
    let mut escaped = false;
    for (i, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return i + 1,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::tidy;

    #[test]
    fn a_text_is_one_line_without_comments() {
        assert_eq!(tidy("x = x /* one\nmore */\n  + 1 // end"), "x = x + 1");
        assert_eq!(
            tidy("printf(\"a // b  c\\\" /*\", x)"),
            "printf(\"a // b  c\\\" /*\", x)"
        );
        assert_eq!(tidy("\"open"), "\"open");
    }

    #[test]
    fn long_texts_are_cut() {
        let text = "y".repeat(200);
        assert_eq!(tidy(&text), format!("{}…", "y".repeat(80)));
    }
}
