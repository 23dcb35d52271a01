//! The graph of blocks of states.
//!
//! **Problem.** States are in blocks. Which edges lead from block to block, and which of them can
//! a reader rely on?
//!
//! **Idea.** There is an edge of a class of labels from a block to another if some transition leads
//! from a state of one to a state of the other. It is *definite* if each expanded state of the
//! block has a transition of that class, and all of these lead into one block; then it can always
//! be taken, and where it leads is known. Otherwise each edge of that class from that block is
//! dashed. Where blocks are signatures (Turner 2007) the first half is always so.
//!
//! **Worked example.** Block `{1, 2}` with `delete` from 1 to 0 and from 2 to 1: two dashed edges,
//! to the block of 0 and to itself.
//!
//! **Cost.** Transitions are sorted block by block.

use super::{Alpha, View, ViewSize};
use crate::picture::{MEMBERS_MAX, NodeKinds, Picture, PictureEdge, PictureNode};
use crate::space::Space;

/// Which block each state is in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blocks {
    /// By state.
    pub of_state: Vec<u32>,
    /// How many there are.
    pub n: usize,
}

/// An edge between blocks, of a class of labels.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct BlockEdge {
    /// Where it begins.
    pub from: u32,
    /// The class.
    pub class: u32,
    /// Where it ends.
    pub to: u32,
    /// Whether each state where it begins has it, and it always leads there.
    pub is_definite: bool,
}

/// The graph of blocks.
pub struct Quotient<'a> {
    space: &'a Space,
    alpha: &'a Alpha,
    /// The states, block by block, in order.
    members: Vec<u32>,
    /// Where those of each block begin, and at last where all end.
    first: Vec<usize>,
    /// Its edges, sorted.
    edges: Vec<BlockEdge>,
}

impl Blocks {
    /// The same blocks, numbered by their first states.
    pub fn in_order(self) -> Blocks {
        let mut number = vec![u32::MAX; self.n];
        let mut n = 0;
        let mut of_state = self.of_state;
        for block in &mut of_state {
            let number = &mut number[*block as usize];
            if *number == u32::MAX {
                *number = n;
                n += 1;
            }
            *block = *number;
        }
        Blocks {
            of_state,
            n: n as usize,
        }
    }
}

impl<'a> Quotient<'a> {
    /// The graph of these blocks.
    ///
    /// # Requires
    /// Each block has a state.
    pub fn new(space: &'a Space, alpha: &'a Alpha, blocks: &Blocks) -> Quotient<'a> {
        let mut first = vec![0; blocks.n + 1];
        for block in &blocks.of_state {
            first[*block as usize + 1] += 1;
        }
        for i in 0..blocks.n {
            first[i + 1] += first[i];
        }
        let mut place = first.clone();
        let mut members = vec![0; blocks.of_state.len()];
        for (state, block) in blocks.of_state.iter().enumerate() {
            members[place[*block as usize]] = state as u32;
            place[*block as usize] += 1;
        }
        let mut quotient = Quotient {
            space,
            alpha,
            members,
            first,
            edges: Vec::new(),
        };
        quotient.find_edges(blocks);
        quotient
    }

    /// The states of a block.
    pub fn members(&self, block: u32) -> &[u32] {
        let block = block as usize;
        &self.members[self.first[block]..self.first[block + 1]]
    }

    /// How many blocks there are.
    pub fn n_blocks(&self) -> usize {
        self.first.len() - 1
    }

    /// Its edges, sorted.
    pub fn edges(&self) -> &[BlockEdge] {
        &self.edges
    }

    /// How large it is.
    pub fn size(&self) -> ViewSize {
        let mut pairs: Vec<(u32, u32)> = self.edges.iter().map(|e| (e.from, e.class)).collect();
        pairs.dedup();
        ViewSize {
            n_nodes: self.n_blocks(),
            n_edges: self.edges.len(),
            n_pairs: pairs.len(),
        }
    }

    /// What each expanded state of a block can do, as classes.
    pub fn enabled(&self, state: u32) -> Vec<u32> {
        let labels = self.space.transitions(state).map(|step| step.label);
        let classes = labels.map(|label| self.alpha.class(label));
        let mut classes: Vec<u32> = classes.filter(|class| *class != Alpha::HIDDEN).collect();
        classes.sort_unstable();
        classes.dedup();
        classes
    }

    /// The picture; `words` gives the lines of a block.
    pub fn view(&self, title: String, words: &dyn Fn(u32) -> Vec<String>) -> View {
        let blocks = 0..self.n_blocks() as u32;
        let nodes = blocks.map(|block| self.node(block, &words(block)));
        let mut picture = Picture {
            title,
            notes: Vec::new(),
            nodes: nodes.collect(),
            edges: self.picture_edges(),
        };
        picture.measure();
        View {
            picture: picture.sorted(),
            size: self.size(),
        }
    }

    fn node(&self, block: u32, lines: &[String]) -> PictureNode {
        let members = self.members(block);
        let space = self.space;
        let kinds = members.iter().fold(NodeKinds::default(), |kinds, state| {
            kinds.with(space.kinds(*state))
        });
        let orbits = members.iter().map(|state| space.orbit(*state));
        PictureNode {
            kinds,
            n_states: members.len() as u64,
            n_full: orbits.fold(0, u64::saturating_add),
            members: members
                .iter()
                .take(MEMBERS_MAX)
                .map(|s| space.number(*s))
                .collect(),
            depth: members
                .iter()
                .map(|s| space.depth(*s))
                .min()
                .unwrap_or_default(),
            ..PictureNode::of_lines(lines)
        }
    }

    fn picture_edges(&self) -> Vec<PictureEdge> {
        let mut sorted: Vec<&BlockEdge> = self.edges.iter().collect();
        sorted.sort_by_key(|edge| (edge.from, edge.to, !edge.is_definite, edge.class));
        let mut edges: Vec<PictureEdge> = Vec::new();
        for edge in sorted {
            let text = self.alpha.text(edge.class).to_owned();
            let key = (edge.from, edge.to, edge.is_definite);
            match edges.last_mut() {
                Some(last) if (last.from, last.to, last.is_definite) == key => {
                    last.labels.push(text);
                }
                _ => edges.push(PictureEdge {
                    from: edge.from,
                    to: edge.to,
                    labels: vec![text],
                    is_definite: edge.is_definite,
                    is_back: false,
                }),
            }
        }
        edges
    }

    fn find_edges(&mut self, blocks: &Blocks) {
        let (space, alpha) = (self.space, self.alpha);
        let (labels, targets) = (space.all_labels(), space.all_targets());
        let mut edges = Vec::new();
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        let mut of_state: Vec<u32> = Vec::new();
        // By class: how many states of the block have it.
        let mut n_having = vec![0_usize; alpha.n_classes()];
        for block in 0..blocks.n {
            pairs.clear();
            let members = &self.members[self.first[block]..self.first[block + 1]];
            let mut n_expanded = 0;
            for &state in members {
                if space.kinds(state).has(NodeKinds::UNEXPANDED) {
                    continue;
                }
                n_expanded += 1;
                of_state.clear();
                for i in space.range(state) {
                    let class = alpha.classes()[labels[i] as usize];
                    if class != Alpha::HIDDEN {
                        pairs.push((class, blocks.of_state[targets[i] as usize]));
                        of_state.push(class);
                    }
                }
                of_state.sort_unstable();
                of_state.dedup();
                for class in &of_state {
                    n_having[*class as usize] += 1;
                }
                // A block of many states has few pairs, each many times.
                if pairs.len() > 1 << 20 {
                    pairs.sort_unstable();
                    pairs.dedup();
                }
            }
            pairs.sort_unstable();
            pairs.dedup();
            for of_class in pairs.chunk_by(|a, b| a.0 == b.0) {
                let class = of_class[0].0;
                let all_have = n_having[class as usize] == n_expanded;
                edges.extend(of_class.iter().map(|(class, to)| BlockEdge {
                    from: block as u32,
                    class: *class,
                    to: *to,
                    is_definite: all_have && of_class.len() == 1,
                }));
                n_having[class as usize] = 0;
            }
        }
        self.edges = edges;
    }
}
