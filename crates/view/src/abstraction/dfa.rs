//! DFA-abstraction: a deterministic automaton with the runs of the space.
//!
//! **Problem.** A picture with exactly the sequences of classes of labels that the space has, in
//! which each sequence leads to one node.
//!
//! **Idea** (Turner 2007). The space is an automaton in which every state accepts; it is made
//! deterministic by the subset construction. A node is the set of states that some sequence can
//! lead to. An edge is solid if every expanded state of its node has the transition, dashed if only
//! some have. Hidden operations are silent: a set has with a state all that they lead to.
//!
//! **Departures from the source.** The automaton need not be minimal although all its states
//! accept, so [`DfaOptions::is_minimised`] is there. Tables of the source count the empty set as a
//! state and edges to it not at all; here it is neither a node nor counted.
//!
//! **Worked example.** In the phone book of three names, `add` leads from `{empty}` to the set of
//! all books with one entry, from there to those with two, then three, and no further: five nodes
//! with the one before the set-up, ten edges.
//!
//! **Cost.** Exponential in the worst case; the construction ends at a number of nodes, and at an
//! amount of work.

use super::alpha::Alpha;
use super::{NoView, View, ViewSize, bisimulation, signature};
use crate::picture::{MEMBERS_MAX, NodeKinds, Picture, PictureEdge, PictureNode};
use crate::space::{LabelNotation, Operation, Space, SpaceBuilder};
use std::collections::HashMap;

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub struct DfaOptions {
    /// Whether nodes with the same future become one.
    pub is_minimised: bool,
    /// The most nodes, before that.
    pub n_nodes_max: usize,
    /// The most states in all nodes together.
    pub n_members_max: usize,
}

/// A deterministic automaton.
pub struct Dfa {
    /// By node, its states.
    nodes: Vec<Vec<u32>>,
    edges: Vec<DfaEdge>,
}

/// An edge of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct DfaEdge {
    /// Where it begins.
    pub from: u32,
    /// Its class.
    pub class: u32,
    /// Where it ends.
    pub to: u32,
    /// Whether every expanded state of its node has it.
    pub is_definite: bool,
}

impl Dfa {
    /// The automaton of a space; its first node is where runs begin.
    pub fn new(space: &Space, alpha: &Alpha, options: DfaOptions) -> Result<Dfa, NoView> {
        let mut start = space.initial();
        close(space, alpha, &mut start);
        let mut dfa = Dfa {
            nodes: vec![start.clone()],
            edges: Vec::new(),
        };
        let mut numbers = HashMap::from([(start, 0_u32)]);
        let (mut node, mut n_members) = (0, dfa.nodes[0].len());
        while node < dfa.nodes.len() {
            for (class, mut targets, n_having) in steps(space, alpha, &dfa.nodes[node]) {
                close(space, alpha, &mut targets);
                let next = dfa.nodes.len() as u32;
                let to = match numbers.get(&targets) {
                    Some(number) => *number,
                    None => {
                        n_members += targets.len();
                        dfa.nodes.push(targets.clone());
                        numbers.insert(targets, next);
                        next
                    }
                };
                let members = dfa.nodes[node].iter();
                let expanded = members.filter(|s| !space.kinds(**s).has(NodeKinds::UNEXPANDED));
                dfa.edges.push(DfaEdge {
                    from: node as u32,
                    class,
                    to,
                    is_definite: n_having == expanded.count(),
                });
            }
            if dfa.nodes.len() > options.n_nodes_max {
                return Err(NoView::TooManyNodes(options.n_nodes_max));
            }
            if n_members > options.n_members_max {
                return Err(NoView::TooMuchWork(dfa.nodes.len()));
            }
            node += 1;
        }
        if options.is_minimised {
            dfa = dfa.minimised(alpha);
        }
        Ok(dfa)
    }

    /// Its edges, sorted by where they begin.
    pub fn edges(&self) -> &[DfaEdge] {
        &self.edges
    }

    /// How many nodes it has, the empty set not counted.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The automaton with one node for all with the same future. It is deterministic, so these are
    /// the bisimilar ones.
    fn minimised(self, alpha: &Alpha) -> Dfa {
        let mut builder = SpaceBuilder::new(LabelNotation::Call);
        let classes = 0..alpha.n_classes() as u32;
        let labels: Vec<_> = classes
            .map(|class| builder.label(&Operation::named(&class.to_string()), &[]))
            .collect();
        let mut edges = self.edges.iter().peekable();
        for node in 0..self.nodes.len() as u32 {
            builder.state(0, NodeKinds::default());
            while let Some(edge) = edges.next_if(|edge| edge.from == node) {
                builder.transition(labels[edge.class as usize], edge.to);
            }
            builder.expanded();
        }
        let graph = builder.finish();
        let all = Alpha::new(&graph, &super::AlphaRules::default());
        let blocks = bisimulation::blocks(&graph, &all);
        let mut nodes: Vec<Vec<u32>> = vec![Vec::new(); blocks.n];
        for (node, members) in self.nodes.into_iter().enumerate() {
            nodes[blocks.of_state[node] as usize].extend(members);
        }
        for members in &mut nodes {
            members.sort_unstable();
            members.dedup();
        }
        let moved = self.edges.into_iter().map(|edge| DfaEdge {
            from: blocks.of_state[edge.from as usize],
            to: blocks.of_state[edge.to as usize],
            ..edge
        });
        let mut moved: Vec<DfaEdge> = moved.collect();
        moved.sort_unstable();
        // Of equal edges the first is the dashed one, if there is one.
        moved.dedup_by_key(|edge| (edge.from, edge.class, edge.to));
        Dfa {
            nodes,
            edges: moved,
        }
    }
}

/// The picture of the automaton of a space.
pub fn view(space: &Space, alpha: &Alpha, options: DfaOptions) -> Result<View, NoView> {
    let dfa = Dfa::new(space, alpha, options)?;
    let nodes = dfa.nodes.iter().enumerate();
    let mut picture = Picture {
        title: "What can follow what".to_owned(),
        notes: vec!["a node is the set of states that a sequence can lead to".to_owned()],
        nodes: nodes
            .map(|(i, members)| picture_node(space, i, members))
            .collect(),
        edges: picture_edges(&dfa.edges, alpha),
    };
    picture.measure();
    let size = ViewSize {
        n_nodes: dfa.nodes.len(),
        n_edges: dfa.edges.len(),
        n_pairs: dfa.edges.len(),
    };
    Ok(View {
        picture: picture.sorted(),
        size,
    })
}

fn picture_node(space: &Space, number: usize, members: &[u32]) -> PictureNode {
    // Nodes overlap, and one with an initial state is not where runs begin.
    let kinds = members.iter().fold(NodeKinds::default(), |kinds, state| {
        kinds.with(space.kinds(*state))
    });
    let kinds = kinds.without(NodeKinds::INITIAL);
    let orbits = members.iter().map(|state| space.orbit(*state));
    PictureNode {
        kinds: if number == 0 {
            kinds.with(NodeKinds::INITIAL)
        } else {
            kinds
        },
        n_states: members.len() as u64,
        n_full: orbits.fold(0, u64::saturating_add),
        members: members
            .iter()
            .take(MEMBERS_MAX)
            .map(|s| space.number(*s))
            .collect(),
        ..PictureNode::of_lines(&[signature::how_many(space, members)])
    }
}

fn picture_edges(edges: &[DfaEdge], alpha: &Alpha) -> Vec<PictureEdge> {
    let mut sorted: Vec<&DfaEdge> = edges.iter().collect();
    sorted.sort_by_key(|edge| (edge.from, edge.to, !edge.is_definite, edge.class));
    let together =
        |a: &&DfaEdge, b: &&DfaEdge| (a.from, a.to, a.is_definite) == (b.from, b.to, b.is_definite);
    let groups = sorted.chunk_by(together);
    groups
        .map(|group| PictureEdge {
            from: group[0].from,
            to: group[0].to,
            labels: group
                .iter()
                .map(|edge| alpha.text(edge.class).to_owned())
                .collect(),
            is_definite: group[0].is_definite,
            is_back: false,
        })
        .collect()
}

/// By class: where it leads from these states, and how many of them have it.
fn steps(space: &Space, alpha: &Alpha, members: &[u32]) -> Vec<(u32, Vec<u32>, usize)> {
    let mut all: Vec<(u32, u32)> = Vec::new();
    let mut having: Vec<u32> = Vec::new();
    let mut of_state: Vec<u32> = Vec::new();
    for &state in members {
        of_state.clear();
        for step in space.transitions(state) {
            let class = alpha.class(step.label);
            if class != Alpha::HIDDEN {
                all.push((class, step.target));
                of_state.push(class);
            }
        }
        // What a state can do after silent steps is done by the states that these lead to.
        of_state.sort_unstable();
        of_state.dedup();
        having.extend_from_slice(&of_state);
    }
    all.sort_unstable();
    all.dedup();
    having.sort_unstable();
    let n_having = |class: u32| {
        let from = having.partition_point(|other| *other < class);
        having.partition_point(|other| *other <= class) - from
    };
    all.chunk_by(|a, b| a.0 == b.0)
        .map(|group| {
            let targets = group.iter().map(|(_, target)| *target).collect();
            (group[0].0, targets, n_having(group[0].0))
        })
        .collect()
}

/// Adds all that hidden operations lead to.
fn close(space: &Space, alpha: &Alpha, members: &mut Vec<u32>) {
    let is_silent = |class: &u32| *class == Alpha::HIDDEN;
    if !alpha.classes().iter().any(is_silent) {
        return;
    }
    let mut known: std::collections::HashSet<u32> = members.iter().copied().collect();
    let mut at = 0;
    while at < members.len() {
        let state = members[at];
        at += 1;
        for step in space.transitions(state) {
            if is_silent(&alpha.class(step.label)) && known.insert(step.target) {
                members.push(step.target);
            }
        }
    }
    members.sort_unstable();
}
