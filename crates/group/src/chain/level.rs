//! One level of a chain as a Schreier tree, and the small tables it is made of.
//!
//! The tree is rooted in the base point `b`; an edge `e` (an element of the level's group) leads
//! from `x` to `e(x)`. The transversal element of `x` is the product of the edges on the way from
//! the root, so it costs one pass over the points for each edge. Trees over a few random elements
//! have a depth near the logarithm of the orbit's length; a tree that came out deeper (a cycle of
//! length `n` as the only edge makes a path) is given products of its own transversal elements as
//! short cuts until it is shallow.
//!
//! Worked example: `b = 0` and the edge `e = (0 1 2 3)`. The tree is the path `0 → 1 → 2 → 3`, and
//! the transversal element of 2 is `e∘e`. With the short cut `e∘e` as a second edge the depth is 2.
//!
//! Source: Seress, *Permutation Group Algorithms* (2003), sections 4.1 and 4.4 (short trees).

use crate::perm::Point;

pub(super) const ABSENT: u32 = u32::MAX;
pub(super) const ROOT: u32 = u32::MAX - 1;

/// A tree deeper than this plus the logarithm of the orbit's length gets short cuts.
const DEPTH_SLACK: u32 = 3;
/// Attempts to make a tree shallow; each adds an edge.
const SHORT_CUTS_MAX: usize = 24;
/// A list of labels longer than this is not inserted into: moving its tail each time would take the
/// square of its length. A table costs no more than one edge of a tree.
const INSERTIONS_MAX: usize = 512;

/// Which positions of a buffer hold the image being worked on.
#[derive(Clone, Copy)]
pub(super) enum ImagePositions<'a> {
    /// All of them.
    All,
    /// Position `points[x]` holds the image of local point `x`.
    At(&'a [Point]),
}

impl ImagePositions<'_> {
    /// `image := map ∘ image`.
    pub(super) fn apply(self, map: &[u32], image: &mut [u32]) {
        match self {
            ImagePositions::All => {
                for y in image.iter_mut() {
                    *y = map[*y as usize];
                }
            }
            ImagePositions::At(points) => {
                for &p in points {
                    image[p as usize] = map[image[p as usize] as usize];
                }
            }
        }
    }

    /// `image := f ∘ image` for a map given as a function.
    pub(super) fn apply_with(self, image: &mut [u32], f: impl Fn(u32) -> u32) {
        match self {
            ImagePositions::All => {
                for y in image.iter_mut() {
                    *y = f(*y);
                }
            }
            ImagePositions::At(points) => {
                for &p in points {
                    image[p as usize] = f(image[p as usize]);
                }
            }
        }
    }

    /// The position that holds the image of local point `x`.
    #[inline]
    pub(super) fn of(self, x: u32) -> usize {
        match self {
            ImagePositions::All => x as usize,
            ImagePositions::At(points) => points[x as usize] as usize,
        }
    }
}

/// A partial map from `0..n` to numbers, small where few points have one.
#[derive(Clone, Debug)]
pub(super) enum PointLabels {
    Dense(Vec<u32>),
    /// Sorted by point.
    Sparse(usize, Vec<(u32, u32)>),
}

impl PointLabels {
    pub(super) fn new(n: usize) -> PointLabels {
        if n <= 64 {
            PointLabels::Dense(vec![ABSENT; n])
        } else {
            PointLabels::Sparse(n, Vec::new())
        }
    }

    #[inline]
    pub(super) fn get(&self, x: u32) -> u32 {
        match self {
            PointLabels::Dense(labels) => labels[x as usize],
            PointLabels::Sparse(_, pairs) => match pairs.binary_search_by_key(&x, |p| p.0) {
                Ok(i) => pairs[i].1,
                Err(_) => ABSENT,
            },
        }
    }

    pub(super) fn set(&mut self, x: u32, label: u32) {
        match self {
            PointLabels::Dense(labels) => labels[x as usize] = label,
            PointLabels::Sparse(n, pairs) => {
                let at_end = pairs.last().is_none_or(|p| p.0 < x);
                match pairs.binary_search_by_key(&x, |p| p.0) {
                    Ok(i) => pairs[i].1 = label,
                    Err(i) => pairs.insert(i, (x, label)),
                }
                if pairs.len() * 8 > *n || (!at_end && pairs.len() > INSERTIONS_MAX) {
                    let mut labels = vec![ABSENT; *n];
                    for &(x, label) in pairs.iter() {
                        labels[x as usize] = label;
                    }
                    *self = PointLabels::Dense(labels);
                }
            }
        }
    }
}

/// The orbit of a base point with a Schreier tree over it; all points are local.
#[derive(Clone, Debug)]
pub(super) struct SchreierTree {
    n: usize,
    pub(super) base: u32,
    pub(super) orbit: Vec<u32>,
    depths: Vec<u32>,
    /// The edge that reached each point of the orbit.
    labels: PointLabels,
    /// The edges' images, `n` numbers each, and those of their inverses.
    edges: Vec<u32>,
    inverses: Vec<u32>,
}

impl SchreierTree {
    /// The tree of the trivial group.
    pub(super) fn new(n: usize, base: u32) -> SchreierTree {
        let mut labels = PointLabels::new(n);
        labels.set(base, ROOT);
        SchreierTree {
            n,
            base,
            orbit: vec![base],
            depths: vec![0],
            labels,
            edges: Vec::new(),
            inverses: Vec::new(),
        }
    }

    #[inline]
    pub(super) fn contains(&self, x: u32) -> bool {
        self.labels.get(x) != ABSENT
    }

    pub(super) fn n_edges(&self) -> usize {
        self.inverses.len().checked_div(self.n).unwrap_or(0)
    }

    pub(super) fn edge(&self, i: usize) -> Vec<u32> {
        let mut edge = vec![0; self.n];
        for (y, &x) in self.inverses[i * self.n..][..self.n].iter().enumerate() {
            edge[x as usize] = y as u32;
        }
        edge
    }

    /// Frees what only growing needs; the tree must not be added to afterwards.
    pub(super) fn settle(&mut self) {
        self.edges = Vec::new();
        self.inverses.shrink_to_fit();
        self.orbit.shrink_to_fit();
        self.depths = Vec::new();
    }

    pub(super) fn depth(&self) -> u32 {
        self.depths.iter().copied().max().unwrap_or(0)
    }

    /// Adds an edge and extends the orbit until all edges keep it.
    ///
    /// # Requires
    /// `edge` fixes the base points of the levels above.
    pub(super) fn add(&mut self, edge: &[u32]) {
        let n_old = self.orbit.len();
        let e = self.push_edge(edge);
        for i in 0..n_old {
            self.reach(i, e);
        }
        self.close(n_old);
    }

    /// Adds an edge and builds the tree again, breadth first.
    pub(super) fn add_and_regrow(&mut self, edge: &[u32]) {
        self.push_edge(edge);
        self.regrow();
    }

    /// Makes the tree shallow by adding products of transversal elements as edges.
    pub(super) fn shorten(&mut self, rng: &mut fastrand::Rng) {
        let length = self.orbit.len();
        let depth_max = DEPTH_SLACK + length.ilog2();
        if self.depth() <= depth_max {
            return;
        }
        self.regrow();
        let mut product: Vec<u32> = Vec::new();
        for _ in 0..SHORT_CUTS_MAX {
            if self.depth() <= depth_max {
                return;
            }
            product.clear();
            product.extend(0..self.n as u32);
            for _ in 0..2 {
                let x = self.orbit[rng.usize(..length)];
                self.pull_back(x, &mut product, ImagePositions::All);
            }
            self.push_edge(&product);
            self.regrow();
        }
    }

    /// `image := u⁻¹ ∘ image`, where `u` is the transversal element that sends the base to `x`.
    pub(super) fn pull_back(&self, mut x: u32, image: &mut [u32], positions: ImagePositions) {
        loop {
            let label = self.labels.get(x);
            debug_assert_ne!(label, ABSENT, "{x} is not in the orbit");
            if label == ROOT {
                return;
            }
            let inverse = &self.inverses[label as usize * self.n..][..self.n];
            positions.apply(inverse, image);
            x = inverse[x as usize];
        }
    }

    fn push_edge(&mut self, edge: &[u32]) -> usize {
        assert_eq!(edge.len(), self.n);
        self.edges.extend_from_slice(edge);
        let start = self.inverses.len();
        self.inverses.resize(start + self.n, 0);
        for (x, &y) in edge.iter().enumerate() {
            self.inverses[start + y as usize] = x as u32;
        }
        self.n_edges() - 1
    }

    fn reach(&mut self, i: usize, edge: usize) {
        let y = self.edges[edge * self.n + self.orbit[i] as usize];
        if self.labels.get(y) == ABSENT {
            self.labels.set(y, edge as u32);
            self.orbit.push(y);
            self.depths.push(self.depths[i] + 1);
        }
    }

    fn close(&mut self, from: usize) {
        let mut next = from;
        while next < self.orbit.len() {
            for e in 0..self.n_edges() {
                self.reach(next, e);
            }
            next += 1;
        }
    }

    /// Builds the tree again, breadth first over all edges.
    fn regrow(&mut self) {
        self.labels = PointLabels::new(self.n);
        self.labels.set(self.base, ROOT);
        self.orbit.truncate(1);
        self.depths.truncate(1);
        self.close(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_cycle_gets_short_cuts() {
        let n = 1000;
        let cycle: Vec<u32> = (0..n).map(|x| (x + 1) % n).collect();
        let mut tree = SchreierTree::new(n as usize, 0);
        tree.add(&cycle);
        assert_eq!(tree.depth(), 999);
        tree.shorten(&mut fastrand::Rng::with_seed(1));
        assert!(tree.depth() <= 12, "depth {}", tree.depth());
        assert_eq!(tree.orbit.len(), 1000);
        for x in 0..n {
            let mut image: Vec<u32> = (0..n).collect();
            tree.pull_back(x, &mut image, ImagePositions::All);
            assert_eq!(image[x as usize], 0);
            assert_eq!(image[(x as usize + 1) % 1000], 1, "a rotation");
        }
    }

    #[test]
    fn labels_answer_alike_when_they_become_dense() {
        let mut labels = PointLabels::new(100);
        for x in (0..100).rev() {
            assert_eq!(labels.get(x), ABSENT);
            labels.set(x, x * 2);
            assert_eq!(labels.get(x), x * 2);
        }
        assert!(matches!(labels, PointLabels::Dense(_)));
        assert!((0..100).all(|x| labels.get(x) == 2 * x));
    }

    #[test]
    fn long_lists_are_appended_to_but_not_inserted_into() {
        let n = 1_000_000;
        let mut appended = PointLabels::new(n);
        (0..2000).for_each(|x| appended.set(x, x));
        assert!(matches!(appended, PointLabels::Sparse(..)));
        let mut inserted = PointLabels::new(n);
        (0..2000).rev().for_each(|x| inserted.set(x, x));
        assert!(matches!(inserted, PointLabels::Dense(_)));
        assert!((0..2000).all(|x| appended.get(x) == x && inserted.get(x) == x));
    }
}
