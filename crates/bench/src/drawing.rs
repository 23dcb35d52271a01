//! Structures drawn as coloured digraphs, for programs that know graphs and not groups.
//!
//! The symmetries of the drawing are the elements of the group that fix the structure, so a
//! canonical form of the drawing is a canonical image of the structure:
//! - a point is a vertex coloured by its orbit and its colour;
//! - the group is drawn by what it keeps: nothing for a symmetric group, the colour of the orbit
//!   for products, a vertex for each block of a wreath product, the edges of a cube, the arcs of a
//!   cycle;
//! - a reference is a middle vertex coloured by its label, with arcs from → middle → to. Where the
//!   group needs no arcs between points, label 0 is a plain arc: that is smaller and says as much.
//!
//! Worked example: `C3` with the reference 0→2 of label 0 has vertices 0, 1, 2 and a middle 3, and
//! arcs 0→1, 1→2, 2→0, 0→3, 3→2. Without the middle the reference would look like the reverse of
//! the cycle's arc 2→0, not like a reference.

use super::structure::{DrawableGroup, LabelledStructure};
use std::fmt::Write;

/// A digraph with coloured vertices.
#[derive(Clone, Debug, PartialEq)]
pub struct Digraph {
    /// By vertex; points come first.
    pub colours: Vec<u32>,
    /// From and to.
    pub arcs: Vec<(u32, u32)>,
}

/// More than the colours that a structure uses.
const COLOURS_MAX: u32 = 16;
const BLOCK: u32 = 1000;
const MIDDLE: u32 = 2000;

/// The drawing of a structure on the points of the group.
pub fn draw(shape: DrawableGroup, structure: &LabelledStructure) -> Digraph {
    let n = structure.n_points() as u32;
    let orbit = |x: u32| match shape {
        DrawableGroup::Square(half) => u32::from(x as usize >= half),
        _ => 0,
    };
    let colour = |(x, &c): (usize, &u32)| orbit(x as u32) * COLOURS_MAX + c;
    let colours = structure.colours.iter().enumerate().map(colour).collect();
    let mut drawing = Digraph {
        colours,
        arcs: Vec::new(),
    };
    let uses_arcs = drawing.draw_group(shape, n);
    for (from, label, to) in structure.references() {
        if label == 0 && !uses_arcs {
            drawing.arcs.push((from, to));
        } else {
            let middle = drawing.vertex(MIDDLE + label);
            drawing.arcs.extend([(from, middle), (middle, to)]);
        }
    }
    drawing
}

/// Many drawings in the words of the harness.
pub fn text(drawings: &[Digraph]) -> String {
    let mut text = format!("{}\n", drawings.len());
    for drawing in drawings {
        let _ = writeln!(text, "{} {}", drawing.colours.len(), drawing.arcs.len());
        for colour in &drawing.colours {
            let _ = write!(text, "{colour} ");
        }
        for (from, to) in &drawing.arcs {
            let _ = write!(text, "{from} {to} ");
        }
        text.push('\n');
    }
    text
}

impl Digraph {
    fn vertex(&mut self, colour: u32) -> u32 {
        self.colours.push(colour);
        self.colours.len() as u32 - 1
    }

    /// Draws what the group keeps; says whether that takes arcs between points.
    fn draw_group(&mut self, shape: DrawableGroup, n: u32) -> bool {
        match shape {
            DrawableGroup::Symmetric(_) | DrawableGroup::Square(_) => false,
            DrawableGroup::Wreath(size, n_blocks) => {
                for block in 0..n_blocks as u32 {
                    let vertex = self.vertex(BLOCK);
                    let points = block * size as u32..(block + 1) * size as u32;
                    self.arcs.extend(points.map(|x| (x, vertex)));
                }
                false
            }
            DrawableGroup::Hypercube(d) => {
                let edges = (0..n).flat_map(|x| (0..d).map(move |axis| (x, x ^ 1 << axis)));
                self.arcs.extend(edges);
                true
            }
            DrawableGroup::Cyclic(_) => {
                self.arcs.extend((0..n).map(|x| (x, (x + 1) % n)));
                true
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::structure::StructureKind;
    use group::graph::{Arc, Graph, automorphisms};

    fn graph(drawing: &Digraph) -> Graph {
        let arc = |&(from, to): &(u32, u32)| Arc {
            from,
            to,
            colour: 0,
        };
        Graph::new(
            drawing.colours.clone(),
            drawing.arcs.iter().map(arc).collect(),
        )
    }

    const SHAPES: [DrawableGroup; 5] = [
        DrawableGroup::Symmetric(6),
        DrawableGroup::Square(4),
        DrawableGroup::Wreath(3, 4),
        DrawableGroup::Hypercube(3),
        DrawableGroup::Cyclic(8),
    ];

    #[test]
    fn the_empty_structure_has_the_symmetries_of_the_group() {
        let mut rng = fastrand::Rng::with_seed(4);
        for shape in SHAPES {
            let group = shape.group();
            let blank = StructureKind::Blank.random(group.degree(), &mut rng);
            let found = automorphisms(&graph(&draw(shape, &blank)));
            assert_eq!(found.order, group.order(), "{shape:?}");
        }
    }

    #[test]
    fn drawings_have_the_symmetries_of_structures() {
        let mut rng = fastrand::Rng::with_seed(5);
        let mut scratch = group::image::Scratch::new();
        for shape in SHAPES {
            let group = shape.group();
            let canoniser = group::image::Canoniser::new(&group);
            for kind in StructureKind::ALL {
                let structure = kind.random(group.degree(), &mut rng);
                let ours = canoniser.canonical(&structure.object(), &mut scratch);
                let drawn = automorphisms(&graph(&draw(shape, &structure)));
                assert_eq!(
                    drawn.order,
                    ours.stabiliser_order(),
                    "{shape:?} {structure:?}"
                );
            }
        }
    }

    #[test]
    fn the_words_of_the_harness() {
        let structure = LabelledStructure {
            colours: vec![0, 1],
            targets: vec![vec![Some(1), None], vec![None, Some(0)]],
        };
        let drawing = draw(DrawableGroup::Symmetric(2), &structure);
        assert_eq!(text(&[drawing]), "1\n3 3\n0 1 2001 0 1 1 2 2 0 \n");
    }
}
