//! An automaton as a picture: states by their distance from the initial one, accepting states with
//! a double border. Worked example: `p U q` has two layers of one state each, a loop on both, and
//! one edge.

use super::{FormulaFacts, guard};
use view::{Drawing, NodeKinds, Picture, PictureEdge, PictureNode};

/// The picture, drawn.
pub fn svg(told: &FormulaFacts) -> String {
    let drawing = Drawing {
        id: "ltl",
        has_words: true,
    };
    view::svg(&picture(told), &drawing)
}

/// The picture.
fn picture(told: &FormulaFacts) -> Picture {
    let buchi = &told.buchi;
    let nodes = (0..buchi.n_states()).map(|state| {
        let mut kinds = NodeKinds::default();
        if state == 0 {
            kinds = kinds.with(NodeKinds::INITIAL);
        }
        if buchi.accepting[state] {
            kinds = kinds.with(NodeKinds::ACCEPTING);
        }
        PictureNode {
            kinds,
            ..PictureNode::of_lines(&[state.to_string()])
        }
    });
    let transitions = buchi.transitions().into_iter();
    let edges = transitions.map(|(from, to, guards)| PictureEdge {
        from: from as u32,
        to: to as u32,
        labels: vec![guard(&guards, &told.atoms)],
        is_definite: true,
        is_back: false,
    });
    let mut picture = Picture {
        title: told.formula.clone(),
        notes: Vec::new(),
        nodes: nodes.collect(),
        edges: edges.collect(),
    };
    picture.measure();
    picture.sorted()
}
