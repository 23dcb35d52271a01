//! Questions to nauty: one script for dreadnaut with a marked answer for each graph.
//!
//! dreadnaut knows directed graphs with coloured vertices. An arc with a colour is drawn as a
//! vertex in the middle that has this colour and one arc in and one out; it is determined by the
//! arc, so that the drawing has as many automorphisms as the graph.
//!
//! Group sizes are printed as rounded numbers when they are large; the product of the indices of
//! its stabiliser chain, which it prints as well, is exact.

use std::fmt::Write;

use group::Point;
use group::graph::{Graph, GraphBuilder};
use num_bigint::BigUint;

use crate::program::{DREADNAUT, marked_answers};

/// What nauty says about a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    pub order: BigUint,
    /// Each sorted, in order of least members.
    pub orbits: Vec<Vec<Point>>,
    /// Whether the graph is isomorphic to the one before, colours kept.
    pub is_like_last: bool,
}

/// Asks about all graphs in turn; `None` where there was no answer that can be read. Arcs have
/// colour 0.
///
/// # Requires
/// No graph is empty.
pub fn symmetries(graphs: &[Graph]) -> Vec<Option<Symmetry>> {
    // The invariant `adjacencies`: without it arcs are refined along one direction only, and trees
    // of twenty vertices with arcs to the root take for ever.
    let mut script = String::from("l=0 -a +m d c *=13 k=0 1000\n");
    for (i, graph) in graphs.iter().enumerate() {
        let _ = writeln!(script, "\"\\n@{i}\\n\"");
        write_graph(&mut script, graph);
        let is_comparable = i > 0 && sorted_colours(graph) == sorted_colours(&graphs[i - 1]);
        // The saved graph is compared with, then replaced.
        script.push_str(if is_comparable {
            "x o # @\n"
        } else {
            "x o @\n"
        });
    }
    script.push_str("q\n");
    let output = DREADNAUT.output(&[], &script);
    let answers = marked_answers(&output, graphs.len());
    answers
        .iter()
        .map(|a| a.as_deref().and_then(read))
        .collect()
}

fn write_graph(script: &mut String, graph: &Graph) {
    let n = graph.n_vertices();
    let _ = writeln!(script, "n={n} g");
    for x in 0..n as Point {
        let _ = write!(script, "{x}:");
        for end in graph.arcs_out(x) {
            assert_eq!(end.colour, 0, "arcs are drawn first");
            let _ = write!(script, " {}", end.vertex);
        }
        script.push_str(if x + 1 == n as Point { ".\n" } else { ";\n" });
    }
    let mut cells: Vec<(u32, Point)> = (0..n as Point).map(|x| (graph.colour(x), x)).collect();
    cells.sort_unstable();
    let cells: Vec<String> = cells
        .chunk_by(|a, b| a.0 == b.0)
        .map(|cell| {
            let names: Vec<String> = cell.iter().map(|(_, x)| x.to_string()).collect();
            names.join(",")
        })
        .collect();
    let _ = writeln!(script, "f=[{}]", cells.join("|"));
}

fn sorted_colours(graph: &Graph) -> Vec<u32> {
    let mut colours = graph.colours().to_vec();
    colours.sort_unstable();
    colours
}

fn read(answer: &str) -> Option<Symmetry> {
    let mut order = BigUint::from(1u32);
    for rest in answer.split("index ").skip(1) {
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        order *= digits.parse::<u32>().ok()?;
    }
    let is_of_orbits = |l: &&str| l.ends_with(';') && !l.contains(char::is_alphabetic);
    let orbits = answer.lines().find(is_of_orbits)?;
    Some(Symmetry {
        order,
        orbits: read_orbits(orbits)?,
        is_like_last: answer.contains("are identical"),
    })
}

/// Reads ` 0 3:5 (4); 1; 2;`.
fn read_orbits(line: &str) -> Option<Vec<Vec<Point>>> {
    let mut orbits = Vec::new();
    for part in line.split(';').map(str::trim).filter(|p| !p.is_empty()) {
        let mut orbit = Vec::new();
        for word in part.split_whitespace().filter(|w| !w.starts_with('(')) {
            let (first, last) = word.split_once(':').unwrap_or((word, word));
            orbit.extend(first.parse::<Point>().ok()?..=last.parse().ok()?);
        }
        orbits.push(orbit);
    }
    orbits.sort();
    Some(orbits)
}

/// Colours of vertices that stand for arcs start here.
pub const ARC_COLOURS: u32 = 1000;

/// The drawing of a graph with coloured arcs: its vertices first, then one for each arc.
pub fn drawn(graph: &Graph) -> Graph {
    let mut drawing = GraphBuilder::new(0);
    for &colour in graph.colours() {
        assert!(colour < ARC_COLOURS, "{colour} would be taken for an arc");
        drawing.vertex(colour);
    }
    for arc in graph.arcs() {
        let middle = drawing.vertex(ARC_COLOURS + arc.colour);
        drawing.arc(arc.from, middle, 0);
        drawing.arc(middle, arc.to, 0);
    }
    drawing.build()
}

#[test]
fn orbits_and_indices_are_read() {
    let answer = "level 2: 4 orbits; 3 fixed; index 2\nlevel 1: 2 orbits; 1 fixed; index 4/5\n\
                  2 orbits; grpsize=8; 3 gens\ncanupdates=1; cpu time = 0.00 seconds\n \
                  2; 0:1 3:4 (4);\nh and h' are identical.";
    let expected = Symmetry {
        order: BigUint::from(8u32),
        orbits: vec![vec![0, 1, 3, 4], vec![2]],
        is_like_last: true,
    };
    assert_eq!(read(answer), Some(expected));
    assert_eq!(read("nothing of the kind"), None);
}
