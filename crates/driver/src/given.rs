//! Generators of a group that somebody wrote down, over the names of a model: each name that is not
//! known, and each point that stands twice, is a located mistake. Whether they are symmetries is
//! seen later.

use crate::detect::Given;
use base::{Diagnostic, Diagnostics, SourceId, Sources, Span, quote};
use reduce::processes::Found;
use reduce::processes::names::Names;
use std::collections::HashMap;
use std::ops::Range;

/// The generators in a text, or `None` if `found` says what is wrong with them.
pub fn generators(
    symmetry: &Found,
    source: SourceId,
    sources: &Sources,
    found: &mut Diagnostics,
) -> Option<Vec<Given>> {
    let before = found.n_errors();
    let names = Names::new(&symmetry.sorts, &symmetry.population);
    let mut points = Points::new();
    for (bearer, x) in symmetry.structure.bearers.iter().zip(0..) {
        // A name that two things have stands for neither.
        let known = points.entry(names.name(*bearer)).or_insert(Some(x));
        *known = known.filter(|known| *known == x);
    }
    let note = "names are those that `orbit symmetry` shows, such as client(1) or link[2]";
    let given = GivenText::new(source, sources).cycles(&points, note, found);
    (found.n_errors() == before).then_some(given)
}

/// The lines of a file of generators.
pub struct GivenText {
    source: SourceId,
    /// Where each starts, and what it is without its comment.
    lines: Vec<(usize, String)>,
}

/// What names stand for; `None` for those of several things.
pub type Points = HashMap<String, Option<u32>>;

impl GivenText {
    /// Those of a text.
    pub fn new(source: SourceId, sources: &Sources) -> GivenText {
        let lines = sources.get(source).lines().filter_map(|(range, line)| {
            let text = line.split('#').next().unwrap_or("");
            (!text.trim().is_empty()).then(|| (range.start, text.to_owned()))
        });
        GivenText {
            source,
            lines: lines.collect(),
        }
    }

    /// The generators over these names; `found` says what is wrong with the others.
    pub fn cycles(
        &self,
        points: &Points,
        note: &'static str,
        found: &mut Diagnostics,
    ) -> Vec<Given> {
        let mut given = Vec::new();
        for (start, text) in &self.lines {
            let reader = Reader {
                text,
                source: self.source,
                start: *start,
                points,
                note,
            };
            let span = reader.span(0..text.trim_end().len());
            match reader.cycles() {
                Ok(named) => given.push(Given {
                    text: text.trim().to_owned(),
                    span,
                    named,
                }),
                Err(why) => found.push(why),
            }
        }
        given
    }
}

/// Reads a line.
struct Reader<'a> {
    text: &'a str,
    source: SourceId,
    start: usize,
    points: &'a Points,
    /// Which names there are.
    note: &'static str,
}

impl Reader<'_> {
    fn span(&self, range: Range<usize>) -> Span {
        Span::new(
            self.source,
            self.start + range.start..self.start + range.end,
        )
    }

    fn error(&self, range: Range<usize>, words: impl Into<String>) -> Diagnostic {
        Diagnostic::error(self.span(range), words)
    }

    fn skip(&self, at: usize, also: char) -> usize {
        let rest = self.text[at..].trim_start_matches(|c: char| c.is_whitespace() || c == also);
        self.text.len() - rest.len()
    }

    /// The pairs of all cycles.
    fn cycles(&self) -> Result<Vec<(u32, u32)>, Diagnostic> {
        let mut named = Vec::new();
        let mut seen: HashMap<u32, Range<usize>> = HashMap::new();
        let mut at = self.skip(0, ' ');
        while at < self.text.len() {
            if !self.text[at..].starts_with('(') {
                let words = "a cycle starts with `(`";
                return Err(self.error(at..self.text.trim_end().len(), words));
            }
            let open = at;
            let mut cycle = Vec::new();
            at = self.skip(at + 1, ',');
            while !self.text[at..].starts_with(')') {
                if at >= self.text.len() {
                    return Err(self.error(open..open + 1, "this cycle is not closed"));
                }
                let (x, end) = self.name(at)?;
                if let Some(first) = seen.insert(x, at..end) {
                    let name = quote(&self.text[at..end]);
                    let error = self.error(at..end, format!("{name} stands twice"));
                    return Err(error.and(self.span(first), "first here"));
                }
                cycle.push(x);
                at = self.skip(end, ',');
            }
            at = self.skip(at + 1, ' ');
            for (n, x) in cycle.iter().enumerate() {
                named.push((*x, cycle[(n + 1) % cycle.len()]));
            }
        }
        Ok(named)
    }

    /// The longest name at `at`, and where it ends.
    fn name(&self, at: usize) -> Result<(u32, usize), Diagnostic> {
        let rest = &self.text[at..];
        let ends = |n: usize| {
            rest.is_char_boundary(n)
                && rest[n..]
                    .chars()
                    .next()
                    .is_none_or(|c| c == ',' || c == ')' || c.is_whitespace())
        };
        let mut ways = (1..=rest.len()).rev().filter(|n| ends(*n));
        let found = ways.find_map(|n| self.points.get(&rest[..n]).map(|x| (*x, n)));
        if let Some((Some(x), n)) = found {
            return Ok((x, at + n));
        }
        let end = at + found.map_or_else(|| word(rest), |(_, n)| n);
        let name = quote(&self.text[at..end]);
        Err(match found {
            Some(_) => self.error(at..end, format!("{name} is the name of several things")),
            None => self
                .error(at..end, format!("the model has no {name}"))
                .note(self.note),
        })
    }
}

/// The length of a word that is no name: up to a space, a comma, or a bracket that it did not open.
fn word(rest: &str) -> usize {
    let mut depth = 0;
    for (n, c) in rest.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return n.max(1),
            ')' => depth -= 1,
            ',' => return n.max(1),
            c if c.is_whitespace() => return n.max(1),
            _ => {}
        }
    }
    rest.len()
}
