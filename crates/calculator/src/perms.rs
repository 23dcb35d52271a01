//! Permutations as typed, in arguments and in the lines of a file.
//!
//! The degree of the group is known only after all of them have been read, so reading gives a
//! permutation on the points it names ([`WrittenPerm`]), and [`WrittenPerm::perm`] gives it its
//! place among more.

use crate::lists::beyond;
use crate::points::{DEGREE_MAX, PointNotation};
use ::group::cycles::{CycleError, parse_named, parse_numbered};
use ::group::{Perm, Point};
use base::source::words;
use base::{Diagnostic, Diagnostics, SourceId, Sources, Span, quote};
use std::ops::Range;

/// A permutation of the points it names, and where it stands.
pub struct WrittenPerm {
    perm: Perm,
    place: Span,
}

impl WrittenPerm {
    /// One more than the greatest point named; the number of names, if points have names.
    pub fn n_points(&self) -> usize {
        self.perm.degree()
    }

    /// The permutation on `degree` points, unless it names a point beyond them.
    pub fn perm(
        &self,
        degree: usize,
        sources: &Sources,
        points: &PointNotation,
        found: &mut Diagnostics,
    ) -> Option<Perm> {
        if self.perm.degree() > degree {
            let (span, word) = word_beyond(degree, self.place, sources, points);
            found.push(beyond(span, word, degree));
            return None;
        }
        Some(Perm::from_moves(degree, self.perm.moves().collect()))
    }
}

/// The permutation written in bytes `range` of a source; a mistake goes to `found`.
pub fn read(
    sources: &Sources,
    source: SourceId,
    range: Range<usize>,
    points: &PointNotation,
    found: &mut Diagnostics,
) -> Option<WrittenPerm> {
    let place = Span::new(source, range);
    let text = sources.text(place);
    let parsed = match points {
        PointNotation::Numbers => parse_numbered(text, 0),
        PointNotation::Names(names) => parse_named(text, names),
    };
    match parsed {
        Ok(perm) if perm.degree() > DEGREE_MAX => {
            let (span, word) = word_beyond(DEGREE_MAX, place, sources, points);
            let message = format!("point {} is beyond the limit of {DEGREE_MAX}", quote(word));
            found.push(Diagnostic::error(span, message));
            None
        }
        Ok(perm) => Some(WrittenPerm { perm, place }),
        Err(error) => {
            found.push(explain(&error, place, sources, points));
            None
        }
    }
}

/// What is wrong, in our words and where it stands.
fn explain(
    error: &CycleError,
    place: Span,
    sources: &Sources,
    points: &PointNotation,
) -> Diagnostic {
    let span_of = |range: &Range<usize>| {
        let start = place.start as usize;
        Span::new(place.source, start + range.start..start + range.end)
    };
    let span = span_of(&error.span());
    let word = quote(sources.text(span));
    match error {
        CycleError::Empty { .. } => {
            Diagnostic::error(span, "an empty permutation").note("`()` is the identity")
        }
        CycleError::Repeated { first, .. } => {
            let message = format!("point {word} stands twice in this permutation");
            Diagnostic::error(span, message)
                .saying("again here")
                .and(span_of(first), "first here")
                .note("each point has one image")
        }
        CycleError::UnknownName { .. } => {
            let message = match points {
                PointNotation::Numbers => format!("{word} is not a point"),
                PointNotation::Names(_) => format!("there is no point {word}"),
            };
            Diagnostic::error(span, message).note(points.advice())
        }
        CycleError::Zero { .. } => {
            Diagnostic::error(span, "points count from 1").note(points.advice())
        }
        CycleError::TooLarge { .. } => {
            let message = format!("point {word} is beyond the limit of {DEGREE_MAX}");
            Diagnostic::error(span, message)
        }
        CycleError::NotClosed { .. } => Diagnostic::error(span, "this cycle is not closed"),
        CycleError::NotOpened { .. } => Diagnostic::error(span, "this closes no cycle"),
        CycleError::Nested { .. } => {
            Diagnostic::error(span, "a cycle starts before the one before it ends")
        }
        CycleError::Outside { .. } => {
            let note = "a permutation is written as cycles: (1 2 3)(4 5)";
            Diagnostic::error(span, format!("expected `(`, found {word}")).note(note)
        }
    }
}

/// The first word of `place` that calls a point beyond `degree`.
///
/// # Requires
/// The text has been read, and there is such a word.
fn word_beyond<'a>(
    degree: usize,
    place: Span,
    sources: &'a Sources,
    points: &PointNotation,
) -> (Span, &'a str) {
    let is_beyond = |x: Point| x as usize >= degree;
    let separates = |c: char| c.is_whitespace() || "(),".contains(c);
    let words = words(sources.text(place), place.start as usize, separates);
    let calls = |word: &str| points.resolve(word).map_or(true, is_beyond);
    let found = words.into_iter().find(|(_, word)| calls(word));
    let (range, word) = found.expect("the permutation names a point beyond the degree");
    (Span::new(place.source, range), word)
}
