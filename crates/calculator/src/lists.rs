//! The lists that flags are written as.

use crate::points::PointNotation;
use ::group::Point;
use base::source::words;
use base::{Diagnostic, Diagnostics, SourceId, Span};
use std::ops::Range;

/// The words of a list written with commas or spaces.
pub fn list(text: &str) -> Vec<(Range<usize>, &str)> {
    words(text, 0, |c| c == ',' || c.is_whitespace())
}

/// The points of a list, each below `degree` and named once.
pub fn points(
    text: &str,
    source: SourceId,
    points: &PointNotation,
    degree: usize,
    found: &mut Diagnostics,
) -> Option<Vec<Point>> {
    let mut list_of: Vec<Point> = Vec::new();
    let before = found.n_errors();
    for (range, word) in list(text) {
        let span = Span::new(source, range);
        match points.resolve(word) {
            Ok(x) if x as usize >= degree => found.push(beyond(span, word, degree)),
            Ok(x) if list_of.contains(&x) => {
                found.push(Diagnostic::error(
                    span,
                    format!("point {} stands twice", base::quote(word)),
                ));
            }
            Ok(x) => list_of.push(x),
            Err(why) => {
                found.push(Diagnostic::error(span, why.words(word)).note(points.advice()));
            }
        }
    }
    if text.trim().is_empty() {
        let whole = Span::new(source, 0..text.len());
        found.push(Diagnostic::error(whole, "no points are given").note(points.advice()));
    }
    (found.n_errors() == before).then_some(list_of)
}

/// The message for a point that the group does not act on.
pub fn beyond(span: Span, word: &str, degree: usize) -> Diagnostic {
    let message = format!(
        "the group acts on {degree} points, so there is no point {}",
        base::quote(word)
    );
    Diagnostic::error(span, message).note("--degree N says that there are more points")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_know_their_places() {
        assert_eq!(list("a, bc  d"), [(0..1, "a"), (3..5, "bc"), (7..8, "d")]);
        assert_eq!(list(" ,, "), []);
        let shifted = words("x y", 10, |c| c == ' ');
        assert_eq!(shifted, [(10..11, "x"), (12..13, "y")]);
    }
}
