//! Graphs as DIMACS lines: `c` comments, one `p edge N M`, `n VERTEX COLOUR`, `e U V` edges and
//! `a U V [COLOUR]` arcs.
//!
//! Worked example, a triangle with a tail in which vertex 4 has a colour of its own:
//!
//! ```text
//! c a triangle with a tail
//! p edge 4 4
//! n 4 1
//! e 1 2
//! e 2 3
//! e 1 3
//! e 3 4
//! ```
//!
//! The `c`, `p` and `e` lines are those of the DIMACS colouring challenge (1993), `p col` included;
//! `n` lines are those of bliss; `a` lines are ours. Two departures from strictness, because files
//! in circulation need them: an edge may be given twice (the challenge's own files list both
//! directions), and a wrong M is a warning. One departure from leniency: an empty line is an error,
//! as everywhere in orbit, since it may be a line that got lost. A vertex with two colours has no
//! meaning, and is an error; two vertices may be joined by several arcs of different colours.
//!
//! An edge is two arcs of colour 0, one each way. So a text has a graph, and a graph has a text in
//! which every such pair is written as an edge.

use super::{Arc, Graph};
use base::source::words;
use base::{Diagnostic, Diagnostics, Source, SourceId, Span, quote};
use std::collections::HashMap;
use std::fmt::Write;

/// The most vertices of a graph that is read.
pub const VERTICES_MAX: usize = 1_000_000;

/// A graph as written, vertices counted from 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DimacsGraph {
    /// The colour of each vertex.
    pub colours: Vec<u32>,
    /// Every edge once, the lesser end first, in order.
    pub edges: Vec<(u32, u32)>,
    /// Every arc once, with its colour, in order.
    pub arcs: Vec<(u32, u32, u32)>,
}

/// The graph that a source describes, or `None` if `found` says why not.
pub fn parse(source: &Source, id: SourceId, found: &mut Diagnostics) -> Option<DimacsGraph> {
    let before = found.n_errors();
    let mut reader = DimacsReader::new(id);
    for (range, line) in source.lines() {
        let line_span = Span::new(id, range.clone());
        if found.n_errors() - before >= ERRORS_MAX {
            found.push(Diagnostic::error(
                line_span,
                "too many errors; the rest was not read",
            ));
            break;
        }
        let words = words(line, range.start, char::is_whitespace);
        let words: Vec<DimacsWord> = words
            .into_iter()
            .map(|(range, text)| DimacsWord {
                span: Span::new(id, range),
                text,
            })
            .collect();
        if let Err(diagnostic) = reader.line(line_span, &words) {
            found.push(diagnostic);
            // Without the number of vertices every further line would be reported too.
            reader.problem.as_ref()?;
        }
    }
    let Some(problem) = reader.problem.take() else {
        let end = Span::new(id, source.text().len()..source.text().len());
        found.push(Diagnostic::error(end, "there is no line `p edge N M`").note(PROBLEM_NOTE));
        return None;
    };
    if found.n_errors() > before {
        return None;
    }
    let (graph, n_lines) = reader.graph(problem.n_vertices);
    found.extend(count_warning(&problem, n_lines, &graph));
    Some(graph)
}

/// The lines that describe a graph; [`parse`] gives the same graph back.
pub fn print(graph: &DimacsGraph) -> String {
    let n_lines = graph.edges.len() + graph.arcs.len();
    let mut text = format!("p edge {} {n_lines}\n", graph.colours.len());
    let coloured = graph
        .colours
        .iter()
        .enumerate()
        .filter(|&(_, &colour)| colour != 0);
    for (vertex, colour) in coloured {
        let _ = writeln!(text, "n {} {colour}", vertex + 1);
    }
    for (u, v) in &graph.edges {
        let _ = writeln!(text, "e {} {}", u + 1, v + 1);
    }
    for (u, v, colour) in &graph.arcs {
        let _ = match colour {
            0 => writeln!(text, "a {} {}", u + 1, v + 1),
            _ => writeln!(text, "a {} {} {colour}", u + 1, v + 1),
        };
    }
    text
}

impl DimacsGraph {
    /// The graph that the lines stand for.
    pub fn graph(&self) -> Graph {
        let arc = |from, to, colour| Arc { from, to, colour };
        let both_ways = self
            .edges
            .iter()
            .flat_map(|&(u, v)| [arc(u, v, 0), arc(v, u, 0)]);
        let one_way = self.arcs.iter().map(|&(u, v, colour)| arc(u, v, colour));
        Graph::new(self.colours.clone(), both_ways.chain(one_way).collect())
    }

    /// Lines that stand for a graph, with as many edges as there can be.
    pub fn of_graph(graph: &Graph) -> DimacsGraph {
        let mut lines = DimacsGraph {
            colours: graph.colours().to_vec(),
            ..DimacsGraph::default()
        };
        for Arc { from, to, colour } in graph.arcs() {
            if colour != 0 || !graph.has_arc(to, from, 0) {
                lines.arcs.push((from, to, colour));
            } else if from <= to {
                lines.edges.push((from, to));
            }
        }
        lines
    }
}

/// After this many mistakes the file is probably something else.
const ERRORS_MAX: usize = 100;

const PROBLEM_NOTE: &str = "a graph starts with `p edge N M`: N vertices, M edges and arcs";

#[derive(Clone, Copy)]
struct DimacsWord<'a> {
    span: Span,
    text: &'a str,
}

/// The `p` line.
struct ProblemLine {
    span: Span,
    n_vertices: usize,
    n_lines: u64,
    n_lines_span: Span,
}

/// What has been read so far, each thing with the place where it was given.
struct DimacsReader {
    id: SourceId,
    problem: Option<ProblemLine>,
    colours: HashMap<u32, (u32, Span)>,
    edges: Vec<(u32, u32)>,
    arcs: Vec<(u32, u32, u32)>,
}

impl DimacsReader {
    fn new(id: SourceId) -> DimacsReader {
        DimacsReader {
            id,
            problem: None,
            colours: HashMap::new(),
            edges: Vec::new(),
            arcs: Vec::new(),
        }
    }

    /// Takes in one line, given as its words.
    fn line(&mut self, span: Span, words: &[DimacsWord]) -> Result<(), Diagnostic> {
        let Some((first, rest)) = words.split_first() else {
            return Err(Diagnostic::error(span, "an empty line")
                .note("a line that starts with `c` is a comment"));
        };
        match first.text {
            "c" => Ok(()),
            "p" => self.problem_line(span, rest),
            "n" => self.colour_line(first.span, rest),
            "e" => self.edge_line(first.span, rest),
            "a" => self.arc_line(first.span, rest),
            other => {
                let message = format!("{} starts no line of a graph", quote(other));
                Err(Diagnostic::error(first.span, message)
                    .note("lines start with c, p, n, e or a; `orbit help graph` shows them"))
            }
        }
    }

    fn problem_line(&mut self, span: Span, words: &[DimacsWord]) -> Result<(), Diagnostic> {
        if let Some(earlier) = &self.problem {
            let diagnostic = Diagnostic::error(span, "a second `p` line");
            return Err(diagnostic.and(earlier.span, "the first is here"));
        }
        let [kind, n_vertices, n_lines] = words else {
            let message = "a `p` line has a kind and two numbers";
            return Err(Diagnostic::error(span, message).note(PROBLEM_NOTE));
        };
        if !["edge", "col"].contains(&kind.text) {
            let message = format!("{} is not a kind of problem known here", quote(kind.text));
            return Err(Diagnostic::error(kind.span, message).note(PROBLEM_NOTE));
        }
        let n = number(*n_vertices)?;
        if n > VERTICES_MAX as u64 {
            let message = format!("{n} vertices are more than the limit of {VERTICES_MAX}");
            return Err(Diagnostic::error(n_vertices.span, message));
        }
        self.problem = Some(ProblemLine {
            span,
            n_vertices: n as usize,
            n_lines: number(*n_lines)?,
            n_lines_span: n_lines.span,
        });
        Ok(())
    }

    fn colour_line(&mut self, start: Span, words: &[DimacsWord]) -> Result<(), Diagnostic> {
        let [vertex, colour] = words else {
            return Err(self.shape(start, words, "an `n` line has a vertex and a colour"));
        };
        let x = self.vertex(start, *vertex)?;
        let value = small_number(*colour)?;
        match self.colours.insert(x, (value, colour.span)) {
            Some((earlier, place)) if earlier != value => {
                let message = format!("vertex {} has two colours", x + 1);
                Err(Diagnostic::error(colour.span, message).and(place, "the first is here"))
            }
            _ => Ok(()),
        }
    }

    fn edge_line(&mut self, start: Span, words: &[DimacsWord]) -> Result<(), Diagnostic> {
        let [u, v] = words else {
            return Err(self.shape(start, words, "an `e` line has two vertices"));
        };
        let (u, v) = (self.vertex(start, *u)?, self.vertex(start, *v)?);
        self.edges.push((u.min(v), u.max(v)));
        Ok(())
    }

    fn arc_line(&mut self, start: Span, words: &[DimacsWord]) -> Result<(), Diagnostic> {
        let (u, v, colour) = match words {
            [u, v] => (u, v, None),
            [u, v, colour] => (u, v, Some(colour)),
            _ => {
                let message = "an `a` line has two vertices and perhaps a colour";
                return Err(self.shape(start, words, message));
            }
        };
        let ends = (self.vertex(start, *u)?, self.vertex(start, *v)?);
        let value = colour.map_or(Ok(0), |colour| small_number(*colour))?;
        self.arcs.push((ends.0, ends.1, value));
        Ok(())
    }

    /// A vertex counted from 0, if it is one of the graph's.
    fn vertex(&self, start: Span, word: DimacsWord) -> Result<u32, Diagnostic> {
        let Some(problem) = &self.problem else {
            let message = "this line stands before the `p` line";
            return Err(Diagnostic::error(start, message).note(PROBLEM_NOTE));
        };
        match number(word)? {
            0 => Err(Diagnostic::error(word.span, "vertices count from 1")),
            n if n > problem.n_vertices as u64 => {
                let message = format!("there is no vertex {n}");
                let words = format!("{} vertices, by this line", problem.n_vertices);
                Err(Diagnostic::error(word.span, message).and(problem.span, words))
            }
            n => Ok(n as u32 - 1),
        }
    }

    /// The message for a line with too few or too many words.
    fn shape(&self, start: Span, words: &[DimacsWord], message: &str) -> Diagnostic {
        let span = words.last().map_or(start, |last| start.to(last.span));
        debug_assert_eq!(span.source, self.id);
        Diagnostic::error(span, message)
    }

    /// The graph, and how many edges and arcs were written.
    fn graph(mut self, n_vertices: usize) -> (DimacsGraph, usize) {
        let n_lines = self.edges.len() + self.arcs.len();
        let mut colours = vec![0; n_vertices];
        for (vertex, (colour, _)) in self.colours {
            colours[vertex as usize] = colour;
        }
        self.edges.sort_unstable();
        self.edges.dedup();
        self.arcs.sort_unstable();
        self.arcs.dedup();
        (
            DimacsGraph {
                colours,
                edges: self.edges,
                arcs: self.arcs,
            },
            n_lines,
        )
    }
}

fn number(word: DimacsWord) -> Result<u64, Diagnostic> {
    let digits = word.text.bytes().all(|b| b.is_ascii_digit());
    word.text.parse().ok().filter(|_| digits).ok_or_else(|| {
        let message = format!("{} is not a whole number", quote(word.text));
        let too_large = Diagnostic::error(word.span, format!("{} is too large", quote(word.text)));
        if digits {
            too_large
        } else {
            Diagnostic::error(word.span, message)
        }
    })
}

fn small_number(word: DimacsWord) -> Result<u32, Diagnostic> {
    let n = number(word)?;
    u32::try_from(n).map_err(|_| Diagnostic::error(word.span, format!("{n} is too large")))
}

/// A warning if M is neither the number of lines nor the number of different edges and arcs.
fn count_warning(problem: &ProblemLine, n_lines: usize, graph: &DimacsGraph) -> Option<Diagnostic> {
    let n_different = graph.edges.len() + graph.arcs.len();
    if [n_lines, n_different]
        .map(|n| n as u64)
        .contains(&problem.n_lines)
    {
        return None;
    }
    let promised = problem.n_lines;
    let message = format!("the `p` line promises {promised} edges and arcs, {n_lines} were given");
    let note = "the graph is taken to be what the lines give";
    Some(Diagnostic::warning(problem.n_lines_span, message).note(note))
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::{Colour, Sources};

    /// The graph, and all messages.
    fn read(text: &str) -> (Option<DimacsGraph>, String) {
        let mut sources = Sources::new();
        let id = sources.add("g", text);
        let mut found = Diagnostics::new();
        let graph = parse(sources.get(id), id, &mut found);
        let shown = found.sorted();
        let shown: Vec<String> = shown
            .iter()
            .map(|d| base::render(d, &sources, Colour::Never))
            .collect();
        (graph, shown.join("\n"))
    }

    #[test]
    fn all_kinds_of_lines_are_read() {
        let (graph, messages) = read("c x\np edge 4 4\nn 4 7\ne 1 2\ne 3 2\na 1 4\na 4 1 9\n");
        assert_eq!(messages, "");
        let expected = DimacsGraph {
            colours: vec![0, 0, 0, 7],
            edges: vec![(0, 1), (1, 2)],
            arcs: vec![(0, 3, 0), (3, 0, 9)],
        };
        assert_eq!(graph, Some(expected));
    }

    #[test]
    fn printing_and_reading_give_the_graph_back() {
        for seed in 0..200 {
            let graph = random_graph(&mut fastrand::Rng::with_seed(seed));
            let (again, messages) = read(&print(&graph));
            assert_eq!(
                (again, messages),
                (Some(graph), String::new()),
                "seed {seed}"
            );
        }
    }

    fn random_graph(rng: &mut fastrand::Rng) -> DimacsGraph {
        let n = rng.u32(1..8);
        let colours = (0..n).map(|_| rng.u32(0..3)).collect();
        let mut graph = DimacsGraph {
            colours,
            ..DimacsGraph::default()
        };
        for u in 0..n {
            for v in 0..n {
                match rng.u8(0..6) {
                    0 if u <= v => graph.edges.push((u, v)),
                    1 => graph.arcs.push((u, v, rng.u32(0..3))),
                    _ => {}
                }
            }
        }
        graph
    }

    #[test]
    fn lines_and_graphs_stand_for_each_other() {
        for seed in 0..200 {
            let lines = random_graph(&mut fastrand::Rng::with_seed(seed));
            let again = DimacsGraph::of_graph(&lines.graph());
            assert_eq!(again.graph(), lines.graph(), "seed {seed}");
            let mutual = again
                .arcs
                .iter()
                .find(|&&(u, v, _)| again.arcs.contains(&(v, u, 0)));
            assert!(
                mutual.is_none_or(|&(_, _, c)| c != 0),
                "seed {seed}: not written as an edge"
            );
        }
    }

    #[test]
    fn edges_given_in_both_directions_count_once() {
        let (graph, messages) = read("p col 2 2\ne 1 2\ne 2 1\n");
        assert_eq!(
            (graph.expect("a graph").edges, messages.as_str()),
            (vec![(0, 1)], "")
        );
    }

    #[test]
    fn a_wrong_count_is_a_warning() {
        let (graph, messages) = read("p edge 3 5\ne 1 2\n");
        assert!(graph.is_some());
        assert!(
            messages.starts_with("warning: the `p` line promises 5"),
            "{messages}"
        );
        assert!(messages.contains("g:1:10"), "{messages}");
    }

    #[test]
    fn each_mistake_has_its_message_and_place() {
        let cases = [
            ("", "there is no line `p edge N M`", "g:1:1"),
            ("c only\n", "there is no line `p edge N M`", "g:1:7"),
            ("e 1 2\n", "stands before the `p` line", "g:1:1"),
            ("p edge 3\n", "a kind and two numbers", "g:1:1"),
            ("p cnf 3 4\n", "`cnf` is not a kind", "g:1:3"),
            ("p edge x 4\n", "`x` is not a whole number", "g:1:8"),
            ("p edge -3 4\n", "`-3` is not a whole number", "g:1:8"),
            ("p edge 99999999999999999999 4\n", "is too large", "g:1:8"),
            ("p edge 1000001 0\n", "more than the limit", "g:1:8"),
            ("p edge 3 0\np edge 3 0\n", "a second `p` line", "g:2:1"),
            ("p edge 3 1\ne 1 4\n", "there is no vertex 4", "g:2:5"),
            ("p edge 3 1\ne 0 1\n", "vertices count from 1", "g:2:3"),
            ("p edge 3 1\ne 1\n", "has two vertices", "g:2:1"),
            ("p edge 3 1\ne 1 2 3\n", "has two vertices", "g:2:1"),
            ("p edge 3 1\na 1 2 3 4\n", "perhaps a colour", "g:2:1"),
            ("p edge 3 0\nn 1\n", "a vertex and a colour", "g:2:1"),
            ("p edge 3 0\nn 1 1\nn 1 2\n", "has two colours", "g:3:5"),
            ("p edge 3 0\nn 1 5000000000\n", "is too large", "g:2:5"),
            ("p edge 3 1\n\ne 1 2\n", "an empty line", "g:2:1"),
            ("p edge 3 1\nx 1 2\n", "`x` starts no line", "g:2:1"),
        ];
        for (text, message, place) in cases {
            let (graph, messages) = read(text);
            assert_eq!(graph, None, "{text:?}");
            assert!(messages.starts_with("error: "), "{text:?}: {messages}");
            assert!(messages.contains(message), "{text:?}: {messages}");
            assert!(
                messages.contains(&format!("--> {place}\n")),
                "{text:?}: {messages}"
            );
        }
    }

    #[test]
    fn all_mistakes_are_shown_up_to_a_limit() {
        let (_, messages) = read("p edge 2 2\ne 1 3\ne 4 1\n");
        assert_eq!(messages.matches("error: ").count(), 2, "{messages}");
        let many = format!("p edge 2 0\n{}", "x\n".repeat(1000));
        let (_, messages) = read(&many);
        assert_eq!(messages.matches("error: ").count(), ERRORS_MAX + 1);
        assert!(messages.contains("too many errors"), "{messages}");
    }

    #[test]
    fn arbitrary_text_gives_a_graph_or_an_error_and_no_panic() {
        let pieces = [
            "p edge ", "e ", "a ", "n ", "1 ", "2 ", "\n", "c", "é", "\0", "\r\n", "-",
        ];
        for seed in 0..3000 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let n = rng.usize(0..20);
            let text: String = (0..n).map(|_| pieces[rng.usize(..pieces.len())]).collect();
            let (graph, messages) = read(&text);
            assert!(
                graph.is_some() || messages.contains("error: "),
                "seed {seed}: {text:?}"
            );
        }
    }
}
