//! The meaning of `--detect`: where symmetry is looked for.
//!
//! Generators given by hand are read here, over the names of the model: each name that is not
//! known, and each point that stands twice, is a located mistake. Whether they are symmetries is
//! seen later.

use crate::flags::DetectFlags;
use crate::input;
use base::{Clock, Diagnostic, Diagnostics, SourceId, Sources, Span, quote};
use model::Machine;
use reduce::processes::Found;
use reduce::processes::names::Names;
use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

/// Where symmetry is looked for.
pub enum Detect {
    /// In the structure of the text.
    Structure,
    /// In the static channel diagram.
    Diagram(DiagramSearch),
    /// In the state graph.
    Kripke(Clock<'static>),
    /// These are tried.
    Given(Vec<Given>),
}

/// How the channel diagram is searched.
pub struct DiagramSearch {
    /// How many random conjugates are tried.
    pub n_conjugators: usize,
    /// Their seed.
    pub seed: u64,
    /// When it has to stop.
    pub clock: Clock<'static>,
}

/// A generator given by hand.
pub struct Given {
    /// As written.
    pub text: String,
    /// Where.
    pub span: Span,
    /// Which bearer goes where, by vertices of the structure.
    pub named: Vec<(u32, u32)>,
}

/// The plan, or `None` if `found` says why not.
pub fn plan(
    flags: &DetectFlags,
    (seed, clock): (Option<u64>, Clock<'static>),
    machine: &Machine,
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<Detect> {
    let word = flags.detect.as_deref().unwrap_or("structure");
    if word != "channel-diagram" && flags.conjugates.is_some() {
        let message = "`--conjugates` needs `--detect channel-diagram`";
        found.push(Diagnostic::unlocated(message));
        return None;
    }
    match word {
        "structure" => Some(Detect::Structure),
        "channel-diagram" => Some(Detect::Diagram(DiagramSearch {
            n_conjugators: flags.conjugates.unwrap_or(0),
            seed: seed.unwrap_or(0),
            clock,
        })),
        "kripke" => Some(Detect::Kripke(clock)),
        path => {
            let known = Path::new(path).exists() || path == "-";
            let source = input::read(Path::new(path), sources).map_err(|why| {
                if known {
                    why
                } else {
                    why.note(
                    "`--detect` takes structure, channel-diagram, kripke, or a file of generators",
                )
                }
            });
            let source = source.map_err(|why| found.push(why)).ok()?;
            let Some(symmetry) = reduce::processes::find(machine) else {
                found.push(Diagnostic::unlocated(
                    "no symmetry is looked for: the model has a trace, or its start goes wrong",
                ));
                return None;
            };
            generators(&symmetry, source, sources, found).map(Detect::Given)
        }
    }
}

fn generators(
    symmetry: &Found,
    source: SourceId,
    sources: &Sources,
    found: &mut Diagnostics,
) -> Option<Vec<Given>> {
    let before = found.n_errors();
    let names = Names::new(&symmetry.sorts, &symmetry.population);
    let mut points: HashMap<String, Option<u32>> = HashMap::new();
    for (bearer, x) in symmetry.structure.bearers.iter().zip(0..) {
        // A name that two things have stands for neither.
        let known = points.entry(names.name(*bearer)).or_insert(Some(x));
        *known = known.filter(|known| *known == x);
    }
    let mut given = Vec::new();
    for (range, line) in sources.get(source).lines() {
        let text = line.split('#').next().unwrap_or("");
        if text.trim().is_empty() {
            continue;
        }
        let reader = Reader {
            text,
            source,
            start: range.start,
            points: &points,
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
    (found.n_errors() == before).then_some(given)
}

/// Reads a line.
struct Reader<'a> {
    text: &'a str,
    source: SourceId,
    start: usize,
    points: &'a HashMap<String, Option<u32>>,
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
                .note("names are those that `orbit symmetry` shows, such as client(1) or link[2]"),
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
