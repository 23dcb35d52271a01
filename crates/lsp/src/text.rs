//! Lines and columns as the protocol counts them.
//!
//! Lines end with `\n`, `\r\n`, or a lone `\r`. Columns count units of UTF-16, or bytes where both
//! sides have agreed on UTF-8. A place beyond the end of a line is the end of the line, one beyond
//! the last line the end of the text; a place inside a character is its start.
//!
//! Worked example: in `"é😀x"` the `x` is byte 6; its column is 3 in UTF-16 (`é` is one unit, `😀`
//! two), and 6 in UTF-8.

use gen_lsp_types::{Position, Range};
use std::ops;

/// What columns count.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ColumnUnit {
    /// Bytes.
    Utf8,
    /// Units of UTF-16.
    #[default]
    Utf16,
}

/// Where the lines of a text start.
#[derive(Clone, Default, Debug)]
pub struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    /// The lines of a text.
    pub fn of(text: &str) -> Lines {
        let mut starts = vec![0];
        let bytes = text.as_bytes();
        for (i, byte) in bytes.iter().enumerate() {
            let is_end = match byte {
                b'\n' => true,
                b'\r' => bytes.get(i + 1) != Some(&b'\n'),
                _ => false,
            };
            if is_end {
                starts.push(i + 1);
            }
        }
        Lines { starts }
    }

    /// The bytes of a line, counted from 0, without its end.
    fn content(&self, text: &str, line: usize) -> ops::Range<usize> {
        let start = self.starts[line];
        let end = self.starts.get(line + 1).copied().unwrap_or(text.len());
        let content = text[start..end].trim_end_matches(['\r', '\n']);
        start..start + content.len()
    }

    /// Where a byte is. `text` is the text that these lines are of.
    pub fn position(&self, text: &str, offset: usize, unit: ColumnUnit) -> Position {
        let offset = text.floor_char_boundary(offset);
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let content = self.content(text, line);
        let before = &text[content.start..offset.min(content.end)];
        let column = match unit {
            ColumnUnit::Utf8 => before.len(),
            ColumnUnit::Utf16 => before.chars().map(char::len_utf16).sum(),
        };
        Position {
            line: line as u32,
            character: column as u32,
        }
    }

    /// The byte at a place.
    pub fn offset(&self, text: &str, at: Position, unit: ColumnUnit) -> usize {
        let line = at.line as usize;
        if line >= self.starts.len() {
            return text.len();
        }
        let content = self.content(text, line);
        let wanted = at.character as usize;
        if unit == ColumnUnit::Utf8 {
            return text.floor_char_boundary((content.start + wanted).min(content.end));
        }
        let mut column = 0;
        for (i, c) in text[content.clone()].char_indices() {
            column += c.len_utf16();
            if column > wanted {
                return content.start + i;
            }
        }
        content.end
    }

    /// Where a stretch of bytes is.
    pub fn range(&self, text: &str, bytes: ops::Range<usize>, unit: ColumnUnit) -> Range {
        Range {
            start: self.position(text, bytes.start, unit),
            end: self.position(text, bytes.end.max(bytes.start), unit),
        }
    }

    /// All of a line, counted from 1, but for the blanks at its start and its end.
    pub fn line(&self, text: &str, line: usize, unit: ColumnUnit) -> Range {
        let last = self.starts.len() - 1;
        let content = self.content(text, line.saturating_sub(1).min(last));
        let inside = &text[content.clone()];
        let start = content.start + (inside.len() - inside.trim_start().len());
        self.range(text, start..content.start + inside.trim_end().len(), unit)
    }
}

/// How places in a text have moved since another text: what both begin and end with stays.
#[derive(Clone, Copy, Debug)]
pub struct Shift {
    n_same_before: usize,
    n_same_after: usize,
    n_old: usize,
    n_new: usize,
}

impl Shift {
    /// From one text to another.
    pub fn between(old: &str, new: &str) -> Shift {
        let pairs = old.bytes().zip(new.bytes());
        let n_same_before = pairs.take_while(|(a, b)| a == b).count();
        let rest = old.len().min(new.len()) - n_same_before;
        let pairs = old.bytes().rev().zip(new.bytes().rev()).take(rest);
        let n_same_after = pairs.take_while(|(a, b)| a == b).count();
        Shift {
            n_same_before,
            n_same_after,
            n_old: old.len(),
            n_new: new.len(),
        }
    }

    /// Where a byte of the new text was, if it was there.
    pub fn to_old(self, at: usize) -> Option<usize> {
        let back = Shift {
            n_old: self.n_new,
            n_new: self.n_old,
            ..self
        };
        back.to_new(at)
    }

    /// Where a byte of the old text is, if it is there.
    pub fn to_new(self, at: usize) -> Option<usize> {
        if at <= self.n_same_before {
            Some(at)
        } else if at + self.n_same_after >= self.n_old {
            Some((at + self.n_new).saturating_sub(self.n_old))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    #[test]
    fn columns_count_units_of_utf_16() {
        let text = "é😀x\ty\n𝔸b";
        let lines = Lines::of(text);
        let unit = ColumnUnit::Utf16;
        assert_eq!(lines.position(text, 6, unit), at(0, 3));
        assert_eq!(lines.position(text, 8, unit), at(0, 5), "a tab is one");
        assert_eq!(lines.offset(text, at(0, 3), unit), 6);
        assert_eq!(lines.offset(text, at(0, 2), unit), 2, "inside of a pair");
        let b = text.find('b').expect("it is there");
        assert_eq!(lines.position(text, b, unit), at(1, 2));
        assert_eq!(lines.position(text, b, ColumnUnit::Utf8), at(1, 4));
        assert_eq!(lines.offset(text, at(1, 4), ColumnUnit::Utf8), b);
        assert_eq!(lines.offset(text, at(1, 3), ColumnUnit::Utf8), b - 4);
    }

    #[test]
    fn lines_end_in_three_ways() {
        let text = "a\r\nb\rc\n";
        let lines = Lines::of(text);
        let unit = ColumnUnit::Utf16;
        assert_eq!(lines.starts, [0, 3, 5, 7]);
        assert_eq!(
            lines.offset(text, at(0, 9), unit),
            1,
            "no further than the line"
        );
        assert_eq!(lines.offset(text, at(9, 0), unit), 7);
        assert_eq!(
            lines.position(text, 2, unit),
            at(0, 1),
            "inside of a line end"
        );
        assert_eq!(lines.position(text, 7, unit), at(3, 0));
        assert_eq!(
            Lines::of("  x \n").line("  x \n", 1, unit),
            Lines::of("  x ").range("  x ", 2..3, unit)
        );
    }

    #[test]
    fn places_go_there_and_back_again() {
        let mut rng = fastrand::Rng::with_seed(3);
        let pieces = ["a", "é", "😀", "\t", "\n", "\r\n", "\r", "日", "𝔸"];
        for seed in 0..300 {
            let n = rng.usize(0..30);
            let text: String = (0..n).map(|_| pieces[rng.usize(..pieces.len())]).collect();
            let lines = Lines::of(&text);
            for unit in [ColumnUnit::Utf8, ColumnUnit::Utf16] {
                for (offset, _) in text.char_indices() {
                    let place = lines.position(&text, offset, unit);
                    let back = lines.offset(&text, place, unit);
                    // The two parts of a line end are one place.
                    let is_inside =
                        text[..offset].ends_with('\r') && text[offset..].starts_with('\n');
                    assert_eq!(
                        back,
                        offset - usize::from(is_inside),
                        "{seed}: {text:?} at {offset}"
                    );
                }
            }
        }
    }

    #[test]
    fn places_move_with_what_stands_before_them() {
        let shift = Shift::between("byte x; byte y", "byte x; int z; byte y");
        assert_eq!(shift.to_new(5), Some(5));
        assert_eq!(shift.to_new(13), Some(20));
        assert_eq!(shift.to_old(20), Some(13));
        assert_eq!(shift.to_old(10), None, "it is new");
        let same = Shift::between("ab", "ab");
        assert_eq!(
            (0..=2).map(|n| same.to_new(n)).collect::<Vec<_>>(),
            [Some(0), Some(1), Some(2)]
        );
    }
}
