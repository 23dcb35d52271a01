//! The bisimulation quotient: one node for all states from which the same can follow, for ever.
//!
//! **Problem.** The coarsest blocks in which all states of a block have, for each class of labels,
//! transitions into the same blocks: strong bisimilarity. A million states, ten million
//! transitions.
//!
//! **Idea** (Blom and Orzan 2003; the largest piece keeps its number, as in Hopcroft 1971). A
//! block is split by the *signatures* of its states: pairs of a class and a block. Only states are
//! looked at again that lead to a state whose block got another number. Of the pieces of a block
//! the largest keeps the number, so a state gets another number at most log n times.
//!
//! Blocks begin apart where states differ in kind: not expanded, violation. What is not expanded
//! is like nothing that is.
//!
//! **Worked example.** `0 -a-> 1`, `0 -a-> 2`, `1 -b-> 0`, `2 -b-> 0`: first all in one block;
//! signatures `{a→0}` and `{b→0}` split it into `{0}` and `{1, 2}`, and nothing changes any more.
//!
//! **Cost.** About `m log n` for `m` transitions, and eight bytes a transition to look backwards.

use super::{Alpha, Blocks, Quotient, View};
use crate::picture::NodeKinds;
use crate::space::{Backwards, Space};
use std::collections::HashMap;

/// The blocks of bisimilar states.
pub fn blocks(space: &Space, alpha: &Alpha) -> Blocks {
    let backwards = space.backwards();
    let mut refiner = BlockRefiner::new(space, alpha, &backwards);
    while let Some(block) = refiner.waiting.pop() {
        refiner.split(block);
    }
    let blocks = Blocks {
        of_state: refiner.of_state,
        n: refiner.ranges.len(),
    };
    blocks.in_order()
}

/// The picture of bisimilar states.
pub fn view(space: &Space, alpha: &Alpha) -> View {
    let quotient = Quotient::new(space, alpha, &blocks(space, alpha));
    quotient.view(
        "States from which the same can follow".to_owned(),
        &|block| super::signature::words(space, alpha, &quotient, block),
    )
}

/// A block: where its states stand, those first that are to be looked at again.
#[derive(Clone, Copy)]
struct BlockRange {
    begin: usize,
    n_marked: usize,
    end: usize,
}

/// Blocks that are being split.
struct BlockRefiner<'a> {
    space: &'a Space,
    alpha: &'a Alpha,
    backwards: &'a Backwards,
    of_state: Vec<u32>,
    /// The states, block by block.
    order: Vec<u32>,
    /// Where each state stands.
    place: Vec<usize>,
    ranges: Vec<BlockRange>,
    /// Blocks with marked states.
    waiting: Vec<u32>,
}

/// A class and a block that it leads to.
type Leads = (u32, u32);

impl<'a> BlockRefiner<'a> {
    fn new(space: &'a Space, alpha: &'a Alpha, backwards: &'a Backwards) -> BlockRefiner<'a> {
        let n = space.n_states();
        let kind = |state: &u32| {
            let kinds = space.kinds(*state);
            let is_open = kinds.has(NodeKinds::UNEXPANDED);
            (is_open, kinds.has(NodeKinds::VIOLATION))
        };
        let mut order: Vec<u32> = (0..n as u32).collect();
        order.sort_by_key(kind);
        let mut refiner = BlockRefiner {
            space,
            alpha,
            backwards,
            of_state: vec![0; n],
            place: vec![0; n],
            ranges: Vec::new(),
            waiting: Vec::new(),
            order: Vec::new(),
        };
        let mut begin = 0;
        for of_kind in order.chunk_by(|a, b| kind(a) == kind(b)) {
            let block = refiner.ranges.len() as u32;
            for (i, state) in of_kind.iter().enumerate() {
                refiner.of_state[*state as usize] = block;
                refiner.place[*state as usize] = begin + i;
            }
            let end = begin + of_kind.len();
            refiner.ranges.push(BlockRange {
                begin,
                n_marked: of_kind.len(),
                end,
            });
            refiner.waiting.push(block);
            begin = end;
        }
        refiner.order = order;
        refiner
    }

    /// Looks at a state again, when its block's turn comes.
    fn mark(&mut self, state: u32) {
        let block = self.of_state[state as usize];
        let range = &mut self.ranges[block as usize];
        let (place, first_free) = (self.place[state as usize], range.begin + range.n_marked);
        if place < first_free {
            return;
        }
        if range.n_marked == 0 {
            self.waiting.push(block);
        }
        range.n_marked += 1;
        self.swap(place, first_free);
    }

    fn swap(&mut self, a: usize, b: usize) {
        self.order.swap(a, b);
        self.place[self.order[a] as usize] = a;
        self.place[self.order[b] as usize] = b;
    }

    fn signature(&self, state: u32, out: &mut Vec<Leads>) {
        out.clear();
        for i in self.space.range(state) {
            let class = self.alpha.classes()[self.space.all_labels()[i] as usize];
            if class != Alpha::HIDDEN {
                let target = self.space.all_targets()[i];
                out.push((class, self.of_state[target as usize]));
            }
        }
        out.sort_unstable();
        out.dedup();
    }

    /// Splits a block by the signatures of its states.
    fn split(&mut self, block: u32) {
        let BlockRange {
            begin,
            n_marked,
            end,
        } = self.ranges[block as usize];
        self.ranges[block as usize].n_marked = 0;
        if end - begin == 1 {
            return;
        }
        // States that are not marked have one signature: that of the first of them.
        let n_clean = end - begin - n_marked;
        let mut numbers: HashMap<Vec<Leads>, usize> = HashMap::new();
        let mut pieces: Vec<Vec<u32>> = Vec::new();
        let mut signature = Vec::new();
        if n_clean > 0 {
            self.signature(self.order[begin + n_marked], &mut signature);
            numbers.insert(signature.clone(), 0);
            pieces.push(Vec::new());
        }
        for place in begin..begin + n_marked {
            let state = self.order[place];
            self.signature(state, &mut signature);
            match numbers.get(&signature) {
                Some(number) => pieces[*number].push(state),
                None => {
                    numbers.insert(signature.clone(), pieces.len());
                    pieces.push(vec![state]);
                }
            }
        }
        if pieces.len() > 1 {
            self.lay_out(block, pieces, n_clean);
        }
    }

    /// Makes pieces blocks. The first one has, besides, the states that were not marked.
    fn lay_out(&mut self, block: u32, pieces: Vec<Vec<u32>>, n_clean: usize) {
        let BlockRange { begin, end, .. } = self.ranges[block as usize];
        // Clean states stand at the end; the pieces before them, the first one last.
        let mut at = begin;
        let sizes = pieces.iter().enumerate();
        let sizes = sizes.map(|(i, piece)| piece.len() + if i == 0 { n_clean } else { 0 });
        let sizes: Vec<usize> = sizes.collect();
        let largest = (0..sizes.len()).max_by_key(|i| sizes[*i]).unwrap_or(0);
        let mut changed: Vec<u32> = Vec::new();
        for i in (1..pieces.len()).chain([0]) {
            let from = at;
            for &state in &pieces[i] {
                self.order[at] = state;
                self.place[state as usize] = at;
                at += 1;
            }
            let to = if i == 0 { end } else { at };
            let range = BlockRange {
                begin: from,
                n_marked: 0,
                end: to,
            };
            if i == largest {
                self.ranges[block as usize] = range;
                continue;
            }
            let number = self.ranges.len() as u32;
            self.ranges.push(range);
            for place in from..to {
                let state = self.order[place];
                self.of_state[state as usize] = number;
                changed.push(state);
            }
        }
        let backwards = self.backwards;
        for state in changed {
            for &source in backwards.sources(state) {
                self.mark(source);
            }
        }
    }
}
