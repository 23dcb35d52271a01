//! A graph as it will be drawn: nodes and edges with their words.

use crate::draw::text::shortened;

/// What a state, or a node of a picture, is: any number of kinds.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct NodeKinds(u8);

impl NodeKinds {
    /// Runs begin here.
    pub const INITIAL: NodeKinds = NodeKinds(1);
    /// Nothing moves here, and something should.
    pub const DEADLOCK: NodeKinds = NodeKinds(2);
    /// Something is wrong here, or goes wrong in a step from here.
    pub const VIOLATION: NodeKinds = NodeKinds(4);
    /// Where somebody is.
    pub const CURRENT: NodeKinds = NodeKinds(8);
    /// What follows was not explored.
    pub const UNEXPANDED: NodeKinds = NodeKinds(16);
    /// Runs that visit it for ever are accepted: of an automaton.
    pub const ACCEPTING: NodeKinds = NodeKinds(32);

    /// Each kind with its word, which is also its class in drawings.
    pub const WORDS: [(NodeKinds, &'static str); 6] = [
        (NodeKinds::INITIAL, "initial"),
        (NodeKinds::DEADLOCK, "deadlock"),
        (NodeKinds::VIOLATION, "violation"),
        (NodeKinds::CURRENT, "current"),
        (NodeKinds::UNEXPANDED, "unexpanded"),
        (NodeKinds::ACCEPTING, "accepting"),
    ];

    /// Whether it is all of these.
    pub fn has(self, kinds: NodeKinds) -> bool {
        self.0 & kinds.0 == kinds.0
    }

    /// These as well.
    pub fn with(self, kinds: NodeKinds) -> NodeKinds {
        NodeKinds(self.0 | kinds.0)
    }

    /// None of these.
    pub fn without(self, kinds: NodeKinds) -> NodeKinds {
        NodeKinds(self.0 & !kinds.0)
    }

    /// The words of what it is.
    pub fn words(self) -> impl Iterator<Item = &'static str> {
        let all = NodeKinds::WORDS.into_iter();
        all.filter(move |(kind, _)| self.has(*kind))
            .map(|(_, word)| word)
    }
}

/// A graph to be drawn.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Picture {
    /// What it shows, in a line.
    pub title: String,
    /// What a reader has to know: what was left out, and what lines mean.
    pub notes: Vec<String>,
    /// The nodes, by number.
    pub nodes: Vec<PictureNode>,
    /// The edges, sorted by where they begin and end.
    pub edges: Vec<PictureEdge>,
}

/// A node.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PictureNode {
    /// What stands in it.
    pub lines: Vec<String>,
    /// The same in full.
    pub text: String,
    /// What it is.
    pub kinds: NodeKinds,
    /// How many states of the space are in it.
    pub n_states: u64,
    /// How many states of the unreduced system that is; a sum of more than 64 bits is the largest
    /// number that is none.
    pub n_full: u64,
    /// Some of its states, by number: the first ones.
    pub members: Vec<u32>,
    /// How far it is from an initial node, in the picture.
    pub depth: u32,
}

/// An edge, of one or more labels.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PictureEdge {
    /// Where it begins.
    pub from: u32,
    /// Where it ends.
    pub to: u32,
    /// Its labels in full, each once.
    pub labels: Vec<String>,
    /// Whether each state of the node where it begins has such a transition, and all of these lead
    /// into one node. Others are dashed.
    pub is_definite: bool,
    /// Whether it leads to a node that is no deeper.
    pub is_back: bool,
}

/// How many states of a node are listed.
pub const MEMBERS_MAX: usize = 8;
/// How many characters of a line are shown.
pub const LINE_MAX: usize = 36;
/// How many lines of a node are shown.
pub const LINES_MAX: usize = 8;

impl PictureNode {
    /// A node with these lines, shortened; in full they are its text.
    pub fn of_lines(lines: &[String]) -> PictureNode {
        PictureNode {
            lines: few_lines(lines, LINES_MAX),
            text: lines.join("\n"),
            ..PictureNode::default()
        }
    }
}

/// At most so many lines, each shortened; the last says how many are left out.
pub fn few_lines(lines: &[String], n_max: usize) -> Vec<String> {
    let mut shown: Vec<String> = lines.iter().map(|line| shortened(line, LINE_MAX)).collect();
    if shown.len() > n_max {
        let left_out = shown.len() - (n_max - 1);
        shown.truncate(n_max - 1);
        shown.push(format!("… {left_out} more"));
    }
    shown
}

impl Picture {
    /// The same with edges sorted, those that lead to a node that is no deeper marked. Where depths
    /// are not known they are distances from initial nodes ([`Picture::measure`]).
    pub fn sorted(mut self) -> Picture {
        self.edges
            .sort_by_key(|edge| (edge.from, edge.to, !edge.is_definite));
        let depth = |nodes: &[PictureNode], node: u32| nodes[node as usize].depth;
        for edge in &mut self.edges {
            edge.is_back = depth(&self.nodes, edge.to) <= depth(&self.nodes, edge.from);
        }
        self
    }

    /// Makes the depth of each node its distance from an initial one. What no initial node leads to
    /// is measured from the node of that part that was least deep.
    pub fn measure(&mut self) {
        let n = self.nodes.len();
        let mut next = vec![Vec::new(); n];
        for edge in &self.edges {
            next[edge.from as usize].push(edge.to as usize);
        }
        let mut starts: Vec<usize> = (0..n).collect();
        let is_initial = |i: usize| self.nodes[i].kinds.has(NodeKinds::INITIAL);
        starts.sort_by_key(|i| (!is_initial(*i), self.nodes[*i].depth));
        let n_initial = starts.iter().filter(|i| is_initial(**i)).count();
        let mut depths: Vec<Option<u32>> = vec![None; n];
        let (first, others) = starts.split_at(n_initial);
        let parts = std::iter::once(first).chain(others.chunks(1));
        for part in parts {
            let mut order: Vec<usize> = Vec::new();
            for &start in part.iter().filter(|start| depths[**start].is_none()) {
                order.push(start);
            }
            order.iter().for_each(|start| depths[*start] = Some(0));
            let mut at = 0;
            while let Some(&node) = order.get(at) {
                at += 1;
                let after = depths[node].map(|depth| depth + 1);
                for &target in &next[node] {
                    if depths[target].is_none() {
                        depths[target] = after;
                        order.push(target);
                    }
                }
            }
        }
        for (node, depth) in self.nodes.iter_mut().zip(depths) {
            node.depth = depth.unwrap_or(0);
        }
    }

    /// How many labels all edges have together.
    pub fn n_labelled(&self) -> usize {
        self.edges.iter().map(|edge| edge.labels.len()).sum()
    }

    /// The picture without edges that lead from a node to itself.
    pub fn without_self_loops(mut self) -> Picture {
        self.edges.retain(|edge| edge.from != edge.to);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_lines_and_long_ones_are_shortened_and_kept_in_full() {
        let lines: Vec<String> = (0..20).map(|i| format!("{i} {}", "x".repeat(50))).collect();
        let node = PictureNode::of_lines(&lines);
        assert_eq!(node.lines.len(), LINES_MAX);
        assert_eq!(node.lines[LINES_MAX - 1], "… 13 more");
        assert!(
            node.lines
                .iter()
                .all(|line| line.chars().count() <= LINE_MAX)
        );
        assert_eq!(node.text.lines().count(), 20);
    }

    #[test]
    fn kinds_have_words() {
        let kinds = NodeKinds::INITIAL.with(NodeKinds::DEADLOCK);
        assert_eq!(kinds.words().collect::<Vec<_>>(), ["initial", "deadlock"]);
        assert!(!kinds.without(NodeKinds::INITIAL).has(NodeKinds::INITIAL));
    }

    #[test]
    fn depths_are_distances_from_initial_nodes() {
        let edge = |from, to| PictureEdge {
            from,
            to,
            ..PictureEdge::default()
        };
        let mut picture = Picture {
            nodes: vec![PictureNode::default(); 4],
            edges: vec![edge(0, 1), edge(1, 2), edge(2, 0)],
            ..Picture::default()
        };
        picture.nodes[0].kinds = NodeKinds::INITIAL;
        picture.measure();
        let depths: Vec<u32> = picture.nodes.iter().map(|node| node.depth).collect();
        assert_eq!(depths, [0, 1, 2, 0]);
        let backs = picture.sorted().edges.into_iter();
        assert_eq!(
            backs.map(|e| e.is_back).collect::<Vec<_>>(),
            [false, false, true]
        );
    }
}
