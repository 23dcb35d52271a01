//! The chain of one independent factor of a group, over its own points `0..n`.
//!
//! Its levels come in stages: a tree is one level, a symmetric segment is many. Everything that a
//! chain can do is done here on local points; [`super::Chain`] translates.

use num_bigint::BigUint;

use super::level::{ImagePositions, SchreierTree};
use super::segment::ChainSegment;
use crate::numbers::product_of_words;

#[derive(Clone, Debug)]
pub(super) enum ChainStage {
    Tree(SchreierTree),
    Segment(ChainSegment),
}

impl ChainStage {
    pub(super) fn n_levels(&self) -> usize {
        match self {
            ChainStage::Tree(_) => 1,
            ChainStage::Segment(s) => s.n_levels(),
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct LocalChain {
    pub(super) n: usize,
    stages: Vec<ChainStage>,
    /// The number of levels before each stage, and at the end.
    starts: Vec<usize>,
}

impl LocalChain {
    pub(super) fn new(n: usize) -> LocalChain {
        LocalChain {
            n,
            stages: Vec::new(),
            starts: vec![0],
        }
    }

    pub(super) fn push(&mut self, stage: ChainStage) {
        self.starts.push(self.n_levels() + stage.n_levels());
        self.stages.push(stage);
    }

    pub(super) fn n_levels(&self) -> usize {
        self.starts[self.stages.len()]
    }

    pub(super) fn stages(&self) -> &[ChainStage] {
        &self.stages
    }

    /// The stages from `stage` on as a chain of their own.
    pub(super) fn stages_from(&self, stage: usize) -> LocalChain {
        let mut part = LocalChain::new(self.n);
        for s in &self.stages[stage..] {
            part.push(s.clone());
        }
        part
    }

    /// The levels from `level` on as a chain of their own.
    pub(super) fn below(&self, level: usize) -> LocalChain {
        if level == self.n_levels() {
            return LocalChain::new(self.n);
        }
        let (stage, i) = self.place(level);
        let mut part = self.stages_from(stage);
        if let ChainStage::Segment(segment) = &part.stages[0]
            && i > 0
        {
            let mut rest = LocalChain::new(self.n);
            rest.push(ChainStage::Segment(segment.below(self.n, i)));
            for s in part.stages.drain(1..) {
                rest.push(s);
            }
            return rest;
        }
        part
    }

    /// The number of levels before a stage.
    pub(super) fn start(&self, stage: usize) -> usize {
        self.starts[stage]
    }

    /// The stage of a level and the level's place in it.
    pub(super) fn place(&self, level: usize) -> (usize, usize) {
        let stage = self.starts.partition_point(|&s| s <= level) - 1;
        (stage, level - self.starts[stage])
    }

    /// Frees what only building needs.
    pub(super) fn settle(&mut self) {
        for stage in &mut self.stages {
            if let ChainStage::Tree(tree) = stage {
                tree.settle();
            }
        }
    }

    /// The tree of a level, if it is not part of a segment.
    pub(super) fn tree_mut(&mut self, level: usize) -> Option<&mut SchreierTree> {
        let (stage, _) = self.place(level);
        match &mut self.stages[stage] {
            ChainStage::Tree(tree) => Some(tree),
            ChainStage::Segment(_) => None,
        }
    }

    pub(super) fn base_point(&self, level: usize) -> u32 {
        let (stage, i) = self.place(level);
        match &self.stages[stage] {
            ChainStage::Tree(tree) => tree.base,
            ChainStage::Segment(segment) => segment.base(i),
        }
    }

    pub(super) fn orbit(&self, level: usize) -> &[u32] {
        let (stage, i) = self.place(level);
        match &self.stages[stage] {
            ChainStage::Tree(tree) => &tree.orbit,
            ChainStage::Segment(segment) => &segment.cells[segment.orbit(i)],
        }
    }

    pub(super) fn in_orbit(&self, level: usize, x: u32) -> bool {
        let (stage, i) = self.place(level);
        match &self.stages[stage] {
            ChainStage::Tree(tree) => tree.contains(x),
            ChainStage::Segment(segment) => segment.contains(i, x),
        }
    }

    pub(super) fn order(&self) -> BigUint {
        product_of_words((0..self.n_levels()).map(|level| self.orbit(level).len() as u64))
    }

    /// `image := u⁻¹ ∘ image`, where `u` is the transversal element of the level for `x`.
    pub(super) fn pull_back(
        &self,
        level: usize,
        x: u32,
        image: &mut [u32],
        positions: ImagePositions,
    ) {
        let (stage, i) = self.place(level);
        match &self.stages[stage] {
            ChainStage::Tree(tree) => tree.pull_back(x, image, positions),
            ChainStage::Segment(segment) => segment.pull_back(i, x, image, positions),
        }
    }

    /// Sifts through levels `lo..hi`; returns the level whose base point left its orbit, or `hi`.
    pub(super) fn sift(
        &self,
        image: &mut [u32],
        positions: ImagePositions,
        lo: usize,
        hi: usize,
    ) -> usize {
        if lo >= hi {
            return hi;
        }
        let (first, _) = self.place(lo);
        for stage in first..self.stages.len() {
            let start = self.starts[stage];
            if start >= hi {
                break;
            }
            match &self.stages[stage] {
                ChainStage::Tree(tree) => {
                    let x = image[positions.of(tree.base)];
                    if x == tree.base {
                        continue;
                    }
                    if !tree.contains(x) {
                        return start;
                    }
                    tree.pull_back(x, image, positions);
                }
                ChainStage::Segment(segment) => {
                    let from = lo.saturating_sub(start);
                    let to = segment.n_levels().min(hi - start);
                    let stopped = segment.sift(image, positions, from, to);
                    if stopped < to {
                        return start + stopped;
                    }
                }
            }
        }
        hi
    }

    /// Composes a uniformly random element onto `image`. `map` is scratch of length `n`.
    pub(super) fn randomise(
        &self,
        image: &mut [u32],
        positions: ImagePositions,
        map: &mut [u32],
        rng: &mut fastrand::Rng,
    ) {
        for stage in &self.stages {
            match stage {
                ChainStage::Tree(tree) => {
                    let x = tree.orbit[rng.usize(..tree.orbit.len())];
                    tree.pull_back(x, image, positions);
                }
                ChainStage::Segment(segment) => {
                    write_identity(map);
                    segment.shuffle(map, rng);
                    positions.apply(map, image);
                }
            }
        }
    }
}

pub(super) fn write_identity(image: &mut [u32]) {
    for (x, y) in image.iter_mut().enumerate() {
        *y = x as u32;
    }
}

pub(super) fn is_identity(image: &[u32]) -> bool {
    image.iter().enumerate().all(|(x, &y)| x as u32 == y)
}
