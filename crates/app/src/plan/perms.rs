//! Permutations as typed: cycles of points, found in arguments and in the lines of a file.
//!
//! The degree of the group is known only after all of them have been read, so reading gives cycles
//! ([`Cycles`]) and [`Cycles::perm`] makes the permutation.

use crate::points::Points;
use crate::words::{beyond, words};
use base::{Diagnostic, Diagnostics, SourceId, Sources, Span, quote};
use group::{Perm, Point};
use std::collections::HashMap;
use std::ops::Range;

/// The cycles of one permutation with the place of each point.
pub struct Cycles {
    cycles: Vec<Vec<(Point, Span)>>,
}

impl Cycles {
    /// One more than the greatest point; 0 for the identity.
    pub fn n_points(&self) -> usize {
        self.cycles
            .iter()
            .flatten()
            .map(|&(x, _)| x as usize + 1)
            .max()
            .unwrap_or(0)
    }

    /// The permutation on `degree` points, unless a point is beyond them.
    pub fn perm(&self, degree: usize, points: &Points, found: &mut Diagnostics) -> Option<Perm> {
        let outside = self
            .cycles
            .iter()
            .flatten()
            .find(|&&(x, _)| x as usize >= degree);
        if let Some(&(x, span)) = outside {
            found.push(beyond(span, &points.word(x), degree));
            return None;
        }
        let bare: Vec<Vec<Point>> = self
            .cycles
            .iter()
            .map(|cycle| cycle.iter().map(|&(x, _)| x).collect())
            .collect();
        let slices: Vec<&[Point]> = bare.iter().map(Vec::as_slice).collect();
        Some(Perm::from_cycles(degree, &slices).expect("reading found every point once, in range"))
    }
}

/// The cycles written in bytes `range` of a source; mistakes go to `found`.
pub fn read(
    sources: &Sources,
    source: SourceId,
    range: Range<usize>,
    points: &Points,
    found: &mut Diagnostics,
) -> Option<Cycles> {
    let text = &sources.get(source).text()[range.clone()];
    if text.trim().is_empty() {
        let span = Span::new(source, range);
        found.push(Diagnostic::error(span, "an empty permutation").note("`()` is the identity"));
        return None;
    }
    let before = found.n_errors();
    let mut cycles = Vec::new();
    for (range, inside) in bodies(text, range.start, source, found) {
        let mut cycle = Vec::new();
        for (range, word) in words(inside, range.start, |c| c == ',' || c.is_whitespace()) {
            let span = Span::new(source, range);
            match points.resolve(word) {
                Ok(x) => cycle.push((x, span)),
                Err(why) => found.push(Diagnostic::error(span, why).note(points.advice())),
            }
        }
        cycles.push(cycle);
    }
    report_repeats(&cycles, points, found);
    (found.n_errors() == before).then_some(Cycles { cycles })
}

/// What stands between the brackets of each cycle.
fn bodies<'a>(
    text: &'a str,
    offset: usize,
    source: SourceId,
    found: &mut Diagnostics,
) -> Vec<(Range<usize>, &'a str)> {
    let mut bodies = Vec::new();
    let mut open: Option<usize> = None;
    for (i, c) in text.char_indices() {
        let here = Span::new(source, offset + i..offset + i + c.len_utf8());
        match (c, open) {
            ('(', None) => open = Some(i + 1),
            (')', Some(start)) => {
                bodies.push((offset + start..offset + i, &text[start..i]));
                open = None;
            }
            ('(', Some(_)) => {
                let message = "a cycle starts before the one before it ends";
                found.push(Diagnostic::error(here, message));
                return bodies;
            }
            (_, Some(_)) => {}
            (c, None) if c.is_whitespace() => {}
            (_, None) => {
                let message = format!("expected `(`, found {}", quote(&c.to_string()));
                let note = "a permutation is written as cycles: (1 2 3)(4 5)";
                found.push(Diagnostic::error(here, message).note(note));
                return bodies;
            }
        }
    }
    if let Some(start) = open {
        let span = Span::new(source, offset + start - 1..offset + start);
        found.push(Diagnostic::error(span, "this cycle is not closed"));
    }
    bodies
}

fn report_repeats(cycles: &[Vec<(Point, Span)>], points: &Points, found: &mut Diagnostics) {
    let mut first: HashMap<Point, Span> = HashMap::new();
    for &(x, span) in cycles.iter().flatten() {
        if let Some(&earlier) = first.get(&x) {
            let message = format!("point {} stands twice in this permutation", points.word(x));
            found.push(
                Diagnostic::error(span, message)
                    .saying("again here")
                    .and(earlier, "first here")
                    .note("each point has one image"),
            );
        } else {
            first.insert(x, span);
        }
    }
}
