//! Places in a source text.

use crate::source::SourceId;
use std::ops::Range;

/// A stretch of one source text, in bytes, from `start` up to but not including `end`.
///
/// Spans order by source, then by start: that is the order in which messages are shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    /// The text.
    pub source: SourceId,
    /// Its first byte.
    pub start: u32,
    /// The byte after its last; equal to `start` for a point between characters.
    pub end: u32,
}

impl Span {
    /// The span of the bytes `range` of `source`.
    ///
    /// # Requires
    /// `range` is not reversed and lies below 2³²; [`crate::Sources::add`] admits no longer text.
    pub fn new(source: SourceId, range: Range<usize>) -> Span {
        assert!(
            range.start <= range.end && range.end <= u32::MAX as usize,
            "bad span {range:?}"
        );
        Span {
            source,
            start: range.start as u32,
            end: range.end as u32,
        }
    }

    /// The bytes covered.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The least span that covers both.
    ///
    /// # Requires
    /// Both lie in the same source.
    pub fn to(self, other: Span) -> Span {
        assert_eq!(self.source, other.source, "spans of different sources");
        Span {
            source: self.source,
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joining_covers_both_in_either_order() {
        let id = SourceId::new(0);
        let (early, late) = (Span::new(id, 2..4), Span::new(id, 7..9));
        assert_eq!(early.to(late), Span::new(id, 2..9));
        assert_eq!(late.to(early).range(), 2..9);
        assert!(early < late);
    }

    #[test]
    #[should_panic(expected = "different sources")]
    fn spans_of_two_texts_do_not_join() {
        let (a, b) = (SourceId::new(0), SourceId::new(1));
        Span::new(a, 0..1).to(Span::new(b, 0..1));
    }
}
