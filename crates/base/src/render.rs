//! Diagnostics as text, drawn beside the lines they speak of.
//!
//! ```text
//! error: point 2 stands twice in this permutation
//!  --> argument 1:1:8
//!   |
//! 1 | (1 2 3 2)
//!   |    -   ^ again here
//!   |    |
//!   |    first here
//!   |
//!   = note: each point has one image
//! ```
//!
//! The drawing is that of rustc, by its own renderer (annotate-snippets). Two things are ours. The
//! renderer is handed only the lines that a diagnostic needs, so that the cost of a message does
//! not grow with the file. And a line of more than 64 KiB is not drawn, because the renderer walks
//! over it several times for each message: its stretch around the mistake is quoted in a note.

use crate::diagnostic::{Diagnostic, Label, Severity, quote};
use crate::source::{Source, SourceId, Sources};
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use std::ops::Range;

/// Whether to use colour. Whoever knows where the text goes decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colour {
    /// Letters only.
    Never,
    /// With ANSI escape sequences.
    Always,
}

/// The longest line that is drawn; longer ones are quoted in part.
const LINE_BYTES_MAX: usize = 64 * 1024;

/// The text of one diagnostic, without a line end after its last line.
pub fn render(diagnostic: &Diagnostic, sources: &Sources, colour: Colour) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(diagnostic.message.as_str());
    let mut group = Group::with_title(title);
    for (source, labels) in by_source(&diagnostic.labels) {
        let source = sources.get(source);
        group = if labels.iter().all(|label| can_be_drawn(source, label)) {
            group.element(snippet(source, &labels, &diagnostic.labels[0]))
        } else {
            quoted_labels(group, source, &labels)
        };
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    let renderer = match colour {
        Colour::Never => Renderer::plain(),
        Colour::Always => Renderer::styled(),
    };
    renderer.render(&[group])
}

/// The labels of each source, sources in the order in which they first occur.
fn by_source(labels: &[Label]) -> Vec<(SourceId, Vec<&Label>)> {
    let mut groups: Vec<(SourceId, Vec<&Label>)> = Vec::new();
    for label in labels {
        match groups
            .iter_mut()
            .find(|(source, _)| *source == label.span.source)
        {
            Some((_, group)) => group.push(label),
            None => groups.push((label.span.source, vec![label])),
        }
    }
    groups
}

/// The lines from the first to the last that a span touches, counted from 1.
fn touched_lines(source: &Source, span: Range<usize>) -> (usize, usize) {
    let last_byte = span.end.saturating_sub(1).max(span.start);
    (source.line_of(span.start), source.line_of(last_byte))
}

fn can_be_drawn(source: &Source, label: &Label) -> bool {
    let (first, last) = touched_lines(source, label.span.range());
    [first, last]
        .iter()
        .all(|&line| source.line_range(line).len() <= LINE_BYTES_MAX)
}

/// A drawing of the lines that hold `labels`, which all lie in `source`.
fn snippet<'a>(
    source: &'a Source,
    labels: &[&'a Label],
    primary: &Label,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let touched = labels
        .iter()
        .map(|label| touched_lines(source, label.span.range()));
    let (first, last) = touched
        .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
        .expect("a source is shown for its labels");
    let start = source.line_range(first).start;
    let end = source.line_range(last).end;
    let annotations = labels.iter().map(|label| {
        let kind = if std::ptr::eq(*label, primary) {
            AnnotationKind::Primary
        } else {
            AnnotationKind::Context
        };
        let inside = |offset: u32| source.floor(offset as usize).clamp(start, end) - start;
        let words = (!label.words.is_empty()).then_some(label.words.as_str());
        kind.span(inside(label.span.start)..inside(label.span.end))
            .label(words)
    });
    let (name, line) = source.told(first);
    Snippet::source(&source.text()[start..end])
        .path(name)
        .line_start(line)
        .annotations(annotations)
}

/// For lines too long to draw: where each label is, what stands there, and its words.
fn quoted_labels<'a>(mut group: Group<'a>, source: &'a Source, labels: &[&'a Label]) -> Group<'a> {
    for label in labels {
        let (start, end) = (label.span.start as usize, label.span.end as usize);
        let position = source.position(start);
        let start = source.floor(start);
        let here = quote(&source.text()[start..source.floor(end).max(start)]);
        let (name, line) = source.told(position.line);
        let origin = Origin::path(name).line(line);
        group = group.element(origin.char_column(position.column));
        let words = if label.words.is_empty() {
            "here"
        } else {
            &label.words
        };
        group = group.element(Level::NOTE.message(format!("{here}: {words} (a very long line)")));
    }
    group
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::Span;

    fn one(text: &str) -> (Sources, SourceId) {
        let mut sources = Sources::new();
        let id = sources.add("file", text);
        (sources, id)
    }

    fn drawn(text: &str, range: Range<usize>) -> String {
        let (sources, id) = one(text);
        let diagnostic = Diagnostic::error(Span::new(id, range), "wrong").saying("here");
        render(&diagnostic, &sources, Colour::Never)
    }

    #[test]
    fn labels_notes_and_position_are_drawn() {
        let (sources, id) = one("c a line\n(1 2 3 2)\n");
        let diagnostic = Diagnostic::error(Span::new(id, 16..17), "point 2 stands twice")
            .saying("again here")
            .and(Span::new(id, 12..13), "first here")
            .note("each point has one image");
        let expected = "\
error: point 2 stands twice
 --> file:2:8
  |
2 | (1 2 3 2)
  |    -   ^ again here
  |    |
  |    first here
  |
  = note: each point has one image";
        assert_eq!(render(&diagnostic, &sources, Colour::Never), expected);
    }

    #[test]
    fn colour_adds_escapes_and_changes_no_letter() {
        let (sources, id) = one("abc");
        let diagnostic = Diagnostic::warning(Span::new(id, 1..2), "odd").note("look");
        let plain = render(&diagnostic, &sources, Colour::Never);
        let coloured = render(&diagnostic, &sources, Colour::Always);
        assert!(!plain.contains('\x1b') && coloured.contains('\x1b'));
        assert_eq!(without_escapes(&coloured), plain);
    }

    fn without_escapes(text: &str) -> String {
        let mut kept = String::new();
        let mut inside = false;
        for c in text.chars() {
            match c {
                '\x1b' => inside = true,
                'm' if inside => inside = false,
                c if !inside => kept.push(c),
                _ => {}
            }
        }
        kept
    }

    #[test]
    fn the_end_of_the_text_and_the_empty_text_can_be_pointed_at() {
        for (text, place) in [("", "file:1:1"), ("abc", "file:1:4"), ("abc\n", "file:1:4")] {
            let shown = drawn(text, text.len()..text.len());
            assert!(
                shown.contains(place) && shown.contains("^ here"),
                "{text:?}: {shown}"
            );
        }
    }

    #[test]
    fn carriage_returns_and_tabs_do_not_shift_the_mark() {
        let expected = "\
error: wrong
 --> file:2:2
  |
2 |     bad
  |     ^^^ here";
        assert_eq!(drawn("x\r\n\tbad\r\n", 4..7), expected);
    }

    #[test]
    fn a_text_cannot_steer_the_terminal() {
        let shown = drawn("a\x1b[31mb\x07", 0..1);
        assert!(
            !shown.contains('\x1b') && !shown.contains('\x07'),
            "{shown:?}"
        );
    }

    #[test]
    fn long_lines_are_cut() {
        let text = "x".repeat(5000);
        let shown = drawn(&text, 2500..2503);
        assert!(
            shown.contains("file:1:2501") && shown.len() < 600,
            "{shown}"
        );
    }

    #[test]
    fn very_long_lines_are_quoted_in_part() {
        let text = format!("{}bad{}", "x".repeat(LINE_BYTES_MAX), "y".repeat(9));
        let shown = drawn(&text, LINE_BYTES_MAX..LINE_BYTES_MAX + 3);
        let expected = "\
error: wrong
--> file:1:65537
 = note: `bad`: here (a very long line)";
        assert_eq!(shown, expected);
    }

    #[test]
    fn two_sources_are_both_shown() {
        let (mut sources, first) = one("abc");
        let second = sources.add("other", "xyz");
        let diagnostic = Diagnostic::error(Span::new(second, 0..1), "wrong")
            .and(Span::new(first, 2..3), "because of this");
        let shown = render(&diagnostic, &sources, Colour::Never);
        assert!(
            shown.contains("--> other:1:1") && shown.contains("::: file:1"),
            "{shown}"
        );
    }

    #[test]
    fn every_span_of_awkward_texts_can_be_drawn() {
        for text in [
            "",
            "\n",
            "\r\n",
            "\r",
            "a\r\nb",
            "é\t日\n\n",
            "\n\n\n",
            "a\nb\n",
        ] {
            for start in 0..=text.len() {
                for end in start..=text.len() {
                    let shown = drawn(text, start..end);
                    assert!(
                        shown.starts_with("error: wrong\n"),
                        "{text:?} {start}..{end}"
                    );
                }
            }
        }
    }
}
