//! The memory that images are computed in.
//!
//! One scratch serves one thread. Its buffers grow to the largest object seen and stay: once an
//! object of a size has been through, objects of that size cost no allocation.

use crate::image::Pruning;
use crate::image::automorphism::Automorphisms;
use crate::image::cells::ArcCells;
use crate::image::parts::PartScratch;
use crate::image::settle::SettledColumns;
use crate::perm::Point;

/// Memory for canonical images; make one per thread and reuse it.
#[derive(Debug, Default)]
pub struct Scratch {
    /// Nodes of the object at hand: columns, then auxiliary vertices.
    pub(super) n_nodes: usize,
    /// Invariants of the nodes, one row of `n_nodes` a depth of the search.
    pub(super) hash: Vec<u64>,
    /// Sums for the next round of refinement.
    pub(super) sums: Vec<u64>,
    /// Invariants mixed with the salt of an orbital.
    pub(super) mixed: Vec<u64>,
    /// For counting different invariants.
    pub(super) set: HashSet,
    /// The same for few nodes.
    pub(super) buckets: Buckets,
    /// Sort keys of the columns of one segment.
    pub(super) keys: Vec<u64>,
    /// Colours of the points, column by column, then of the auxiliary vertices.
    pub(super) colours: Vec<u64>,
    /// The object's arcs between nodes, with their mixed labels.
    pub(super) arcs: Vec<NodeArc>,
    /// Cells of small objects.
    pub(super) cells: ArcCells,
    /// Whether the arcs of orbitals take part in refinement.
    pub(super) with_orbitals: bool,
    /// For each depth, which column of the rest has come to each place.
    pub(super) placed: Vec<u32>,
    /// A row of `placed` in the making.
    pub(super) spare: Vec<u32>,
    /// For each depth, the next level of the chain.
    pub(super) level: Vec<usize>,
    /// Where each column goes, at the last leaf.
    pub(super) target: Vec<u32>,
    pub(super) parts: PartScratch,
    pub(super) settled: SettledColumns,
    pub(super) search: SearchState,
    pub(super) form: FormState,
    /// The permutation of points that was chosen.
    pub(super) image: Vec<Point>,
    /// Factors of the order of the object's stabiliser.
    pub(super) factors: Vec<u32>,
}

/// An arc between nodes; labels and roles are mixed into the two salts.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeArc {
    pub from: u32,
    pub to: u32,
    pub salt_out: u64,
    pub salt_in: u64,
    /// What the salts were mixed from: label, role of `from`, role of `to`.
    pub kind: [u32; 3],
}

/// What the search over ties keeps.
#[derive(Debug, Default)]
pub(super) struct SearchState {
    /// Cells of tied columns, a stack.
    pub cells: Vec<u32>,
    /// The columns chosen on the way to the current node.
    pub choice: Vec<u32>,
    pub pruning: Pruning,
    pub has_best: bool,
    pub best_choice: Vec<u32>,
    pub best_trace: Vec<u64>,
    /// Invariants along the current path as they were when its nodes were made, from depth 1 on.
    pub fresh_hash: Vec<u64>,
    /// The same along the best path.
    pub best_hash: Vec<u64>,
    /// Where each column goes at the best leaf.
    pub best_target: Vec<u32>,
    pub automorphisms: Automorphisms,
    /// Leaves reached for the object at hand.
    pub n_leaves: u64,
    /// A disjoint-set forest over columns.
    pub parent: Vec<u32>,
    /// Whether the forest is not that of the current node and the automorphisms known.
    pub orbits_stale: bool,
    /// A candidate automorphism, and its inverse as far as it is certain.
    pub candidate: Vec<u32>,
    pub back: Vec<u32>,
    /// The columns whose invariants differ between two paths, by each path's invariants.
    pub order: Vec<(u64, u32)>,
    pub best_order: Vec<(u64, u32)>,
}

/// What comparing images in full needs; filled only when there are ties.
#[derive(Debug, Default)]
pub(super) struct FormState {
    pub ready: bool,
    /// Where the arcs of each node start in `out`; one entry more than nodes.
    pub start: Vec<u32>,
    /// Arcs sorted by node and kind: kind, target.
    pub out: Vec<([u32; 3], u32)>,
    /// The same for arcs that come in.
    pub in_start: Vec<u32>,
    pub inc: Vec<([u32; 3], u32)>,
    pub renamed: Vec<([u32; 3], u32)>,
    pub inverse: Vec<u32>,
    pub height: Vec<u32>,
    pub rank: Vec<u32>,
    pub sorted: Vec<u32>,
    /// Contents of the auxiliary vertices of one height, and where each starts.
    pub words: Vec<u64>,
    pub word_start: Vec<(u32, u32)>,
    /// The form of the object as it is, and of the best image, once needed.
    pub own: Vec<u64>,
    pub own_ready: bool,
    pub best: Vec<u64>,
    pub best_ready: bool,
    pub current: Vec<u64>,
}

impl Scratch {
    /// Empty memory.
    pub fn new() -> Scratch {
        Scratch::default()
    }
}

/// A set of 64-bit numbers that is emptied in no time: an entry counts only with the current stamp.
#[derive(Debug, Default)]
pub(super) struct HashSet {
    entries: Vec<(u64, u32)>,
    stamp: u32,
    mask: usize,
}

impl HashSet {
    /// Empties it, with room for `n` numbers.
    pub(super) fn clear(&mut self, n: usize) {
        let size = (4 * n).next_power_of_two().max(16);
        if self.entries.len() < size || self.stamp == u32::MAX {
            self.entries.clear();
            self.entries.resize(size, (0, 0));
            self.stamp = 0;
        }
        self.mask = size - 1;
        self.stamp += 1;
    }

    /// Adds a number; says whether it was new.
    #[inline(always)]
    pub(super) fn insert(&mut self, number: u64) -> bool {
        let mut i = number as usize & self.mask;
        loop {
            let entry = &mut self.entries[i];
            if entry.1 != self.stamp {
                *entry = (number, self.stamp);
                return true;
            }
            if entry.0 == number {
                return false;
            }
            i = (i + 1) & self.mask;
        }
    }
}

/// Counts different numbers among few without asking which are equal: each writes its position into
/// the bucket of its highest bits, and those that find themselves there afterwards are counted.
#[derive(Debug, Default)]
pub(super) struct Buckets {
    last: Vec<u8>,
}

impl Buckets {
    const BITS: u32 = 14;

    /// How many different numbers there are, unless two of them share a bucket.
    ///
    /// # Requires
    /// There are at most 256 numbers.
    pub(super) fn count(&mut self, numbers: &[u64]) -> Option<usize> {
        const SIZE: usize = 1 << Buckets::BITS;
        self.last.resize(SIZE, 0);
        let last = <&mut [u8; SIZE]>::try_from(&mut self.last[..]).ok()?;
        let bucket = |number: u64| (number >> (u64::BITS - Buckets::BITS)) as usize;
        for (i, &number) in numbers.iter().enumerate() {
            last[bucket(number)] = i as u8;
        }
        let (mut n_last, mut is_shared) = (0, false);
        for (i, &number) in numbers.iter().enumerate() {
            let winner = last[bucket(number)] as usize;
            n_last += usize::from(winner == i);
            is_shared |= numbers[winner] != number;
        }
        (!is_shared).then_some(n_last)
    }
}
