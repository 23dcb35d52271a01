//! Source texts and their lines.
//!
//! A text is kept whole, with the byte offset of every line start beside it, so that a place is
//! found by binary search. Lines end with `\n`; a `\r` before it belongs to the line end and to no
//! line. A lone `\r` is an ordinary character.
//!
//! Worked example: `"ab\r\ncd\n"` has line starts 0 and 4 (the empty stretch after the last `\n`
//! is not a line). Offset 5, the `d`, is line 2, column 2. The end of the text, offset 7, counts
//! as the end of line 2, column 3, because that is where a reader looks for what is missing.
//!
//! A text can say that its lines are those of another (`#line 7 "model.pml"` in what a program
//! wrote): then messages tell that name and number ([`Source::told`]); all else, lines that are
//! drawn included, stays with the text as it is.
//!
//! Columns count characters, not bytes and not screen cells: a tab is one column, as in rustc.

use crate::span::Span;
use std::ops::Range;

crate::define_id!(SourceId, "Which text of a [`Sources`].");

/// Where a byte of a text is, for people: both counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The character in the line.
    pub column: usize,
}

/// One text under the name the user knows it by: a path, or words such as `argument 2`.
#[derive(Clone)]
pub struct Source {
    name: String,
    text: String,
    line_starts: Vec<u32>,
    /// From which line on lines are told as others, in order.
    marks: Vec<LineMark>,
}

/// What a text says of its lines from one on.
#[derive(Clone)]
struct LineMark {
    from: usize,
    line: usize,
    name: Option<String>,
}

/// All texts of a run.
#[derive(Clone, Default)]
pub struct Sources {
    all: Vec<Source>,
}

impl Source {
    /// A text with its line index.
    ///
    /// # Requires
    /// The text is shorter than [`Source::BYTES_MAX`].
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        let (name, text) = (name.into(), text.into());
        assert!(
            text.len() <= Source::BYTES_MAX,
            "{name}: {} bytes",
            text.len()
        );
        let mut line_starts = vec![0];
        for (i, byte) in text.bytes().enumerate() {
            if byte == b'\n' && i + 1 < text.len() {
                line_starts.push(i as u32 + 1);
            }
        }
        Source {
            name,
            text,
            line_starts,
            marks: Vec::new(),
        }
    }

    /// The longest text that spans can address.
    pub const BYTES_MAX: usize = u32::MAX as usize;

    /// The name the user knows it by.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The number of lines; an empty text has one, empty, line.
    pub fn n_lines(&self) -> usize {
        self.line_starts.len()
    }

    /// The line, counted from 1, that holds byte `offset`.
    pub fn line_of(&self, offset: usize) -> usize {
        self.line_starts
            .partition_point(|&start| start as usize <= offset)
    }

    /// The name and number under which messages tell a line, counted from 1.
    pub fn told(&self, line: usize) -> (&str, usize) {
        let n = self.marks.partition_point(|mark| mark.from <= line);
        let mut names = self.marks[..n]
            .iter()
            .rev()
            .filter_map(|m| m.name.as_deref());
        let name = names.next().unwrap_or(&self.name);
        match self.marks[..n].last() {
            Some(mark) => (name, mark.line.saturating_add(line - mark.from)),
            None => (name, line),
        }
    }

    /// The byte range of a line, counted from 1, without its line end.
    pub fn line_range(&self, line: usize) -> Range<usize> {
        let start = self.line_starts[line - 1] as usize;
        let end = self
            .line_starts
            .get(line)
            .map_or(self.text.len(), |&next| next as usize);
        let content = self.text[start..end].strip_suffix('\n');
        let content = content.map(|c| c.strip_suffix('\r').unwrap_or(c));
        start..content.map_or(end, |c| start + c.len())
    }

    /// A line, counted from 1, without its line end.
    pub fn line(&self, line: usize) -> &str {
        &self.text[self.line_range(line)]
    }

    /// The lines in order with their byte ranges; none if the text is empty.
    pub fn lines(&self) -> impl Iterator<Item = (Range<usize>, &str)> {
        let n = if self.text.is_empty() {
            0
        } else {
            self.n_lines()
        };
        (1..=n).map(|line| (self.line_range(line), self.line(line)))
    }

    /// Line and column of byte `offset`; an offset inside a line end, in the middle of a character
    /// or beyond the text counts as the nearest place before it that a reader can point at.
    pub fn position(&self, offset: usize) -> Position {
        let line = self.line_of(offset.min(self.text.len()));
        let range = self.line_range(line);
        let before = &self.text[range.start..self.floor(offset).min(range.end)];
        Position {
            line,
            column: before.chars().count() + 1,
        }
    }

    /// The greatest character boundary that is no greater than `offset` and inside the text.
    pub fn floor(&self, offset: usize) -> usize {
        self.text.floor_char_boundary(offset)
    }
}

impl Sources {
    /// No texts.
    pub fn new() -> Sources {
        Sources::default()
    }

    /// Takes a text in and says under which id it is found.
    ///
    /// # Requires
    /// The text is shorter than [`Source::BYTES_MAX`].
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> SourceId {
        self.all.push(Source::new(name, text));
        SourceId::new(self.all.len() - 1)
    }

    /// The text of that id.
    pub fn get(&self, id: SourceId) -> &Source {
        &self.all[id.index()]
    }

    /// All texts, in the order in which they were taken in.
    pub fn all(&self) -> &[Source] {
        &self.all
    }

    /// The text of that id, and those that came after it.
    pub fn from(&self, first: SourceId) -> &[Source] {
        &self.all[first.index()..]
    }

    /// From line `from` on, lines of a text are told as `line` and those after it, and as being
    /// in `name`, if there is one.
    ///
    /// Marks of a text are made in the order of its lines; one that comes before earlier ones takes
    /// their place, as when a file is read again.
    pub fn mark(&mut self, id: SourceId, from: usize, line: usize, name: Option<String>) {
        let marks = &mut self.all[id.index()].marks;
        marks.retain(|mark| mark.from < from);
        marks.push(LineMark { from, line, name });
    }

    /// The text that a span covers.
    pub fn text(&self, span: Span) -> &str {
        &self.get(span.source).text()[span.range()]
    }
}

/// The words of `text` that `separates` leaves, with their bytes; `offset` is where `text` starts.
pub fn words(
    text: &str,
    offset: usize,
    separates: impl Fn(char) -> bool,
) -> Vec<(Range<usize>, &str)> {
    let start_of = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    text.split(separates)
        .filter(|word| !word.is_empty())
        .map(|word| {
            let start = offset + start_of(word);
            (start..start + word.len(), word)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, offset: usize) -> (usize, usize) {
        let position = Source::new("t", text).position(offset);
        (position.line, position.column)
    }

    #[test]
    fn lines_end_with_and_without_carriage_returns() {
        let source = Source::new("t", "ab\r\ncd\n\nx\ry");
        let lines: Vec<&str> = source.lines().map(|(_, line)| line).collect();
        assert_eq!(lines, ["ab", "cd", "", "x\ry"]);
        assert_eq!(source.line_range(1), 0..2);
        assert_eq!(source.line_range(4), 8..11);
    }

    #[test]
    fn an_empty_text_has_one_empty_line() {
        let source = Source::new("t", "");
        assert_eq!((source.n_lines(), source.line(1)), (1, ""));
        assert_eq!(source.lines().count(), 0, "but nothing to read");
        assert_eq!(at("", 0), (1, 1));
        assert_eq!(Source::new("t", "\n").n_lines(), 1);
    }

    #[test]
    fn columns_count_characters() {
        let text = "é\t日x";
        let x = text.len() - 1;
        assert_eq!(at(text, x), (1, 4));
        assert_eq!(at(text, x - 1), (1, 3), "inside 日 counts as its start");
    }

    #[test]
    fn the_end_of_the_text_is_the_end_of_its_last_line() {
        assert_eq!(at("ab\r\ncd\n", 7), (2, 3));
        assert_eq!(at("ab\r\ncd", 6), (2, 3));
        assert_eq!(at("ab\r\ncd\n", 99), (2, 3));
        assert_eq!(at("ab\r\ncd\n", 3), (1, 3), "inside the line end");
    }

    /// The plain twin of `position`: walk over the text character by character.
    fn position_by_walking(text: &str, offset: usize) -> (usize, usize) {
        let (mut line, mut column) = (1, 1);
        for (i, c) in text.char_indices() {
            if i >= offset {
                break;
            }
            if c == '\n' {
                (line, column) = (line + 1, 1);
            } else {
                column += 1;
            }
        }
        (line, column)
    }

    #[test]
    fn positions_agree_with_walking_the_text() {
        let text = "p edge 3\n\n\té x\n日日\nlast";
        for (offset, _) in text.char_indices() {
            assert_eq!(
                at(text, offset),
                position_by_walking(text, offset),
                "offset {offset}"
            );
        }
    }

    #[test]
    fn sources_keep_texts_apart() {
        let mut sources = Sources::new();
        let (a, b) = (sources.add("a", "one"), sources.add("b", "two"));
        assert_eq!(sources.text(Span::new(b, 1..3)), "wo");
        assert_eq!(sources.get(a).name(), "a");
    }

    #[test]
    fn a_text_can_say_that_its_lines_are_those_of_another() {
        let mut sources = Sources::new();
        let id = sources.add("a", "one\ntwo\nthree\nfour\n");
        assert_eq!(sources.get(id).told(2), ("a", 2));
        sources.mark(id, 2, 70, Some("b".into()));
        sources.mark(id, 4, 5, None);
        let told: Vec<(&str, usize)> = (1..=4).map(|l| sources.get(id).told(l)).collect();
        assert_eq!(told, [("a", 1), ("b", 70), ("b", 71), ("b", 5)]);
        let span = Span::new(id, 8..13);
        let error = crate::Diagnostic::error(span, "wrong");
        let drawn = crate::render(&error, &sources, crate::Colour::Never);
        assert!(drawn.contains("--> b:71:1"), "{drawn}");
        assert!(drawn.contains("71 | three"), "{drawn}");
    }
}
