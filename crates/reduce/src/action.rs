//! What reduction needs of a kind of states: how the group acts on them, and a state as an object
//! over points.
//!
//! There are two kinds: packed records of processes ([`crate::processes`]) and values
//! ([`crate::values`]). Canonical forms, strategies and the audit are written once for both.
//!
//! # What a picture must be
//! For every `p` of the group the object of `p·s` is `p` applied to the object of `s`, and only
//! those `p` that fix `s` fix its object. Then an element that leads the object to its canonical
//! image leads the state to the same state from wherever in the orbit one starts. If the first
//! fails or the second does, orbits keep several states: that costs states, and never a verdict,
//! for what is stored is always an image of the state under the group.

use crate::reducer::Symmetry;
use group::Point;
use group::graph::Graph;
use group::image::Object;
use model::processes::layout::Scalar;
use std::ops::Range;
use std::sync::Arc;
use system::Scratch;

/// A left action on states.
pub trait Action: Send + Sync {
    /// How many points there are.
    fn degree(&self) -> usize;

    /// Whether symmetries move `state`; others stay as they are.
    fn is_settled(&self, state: &[u8]) -> bool;

    /// Moves `state` by the permutation that sends point `x` to `image[x]`; `out` becomes the
    /// result, which has the same length.
    ///
    /// # Requires
    /// `state` is settled, and `image` is of the group.
    fn apply(&self, image: &[Point], state: &[u8], out: &mut Vec<u8>);

    /// Moves `state` by a symmetry; the identity moves every state.
    fn move_by(&self, symmetry: &Symmetry, state: &[u8], out: &mut Vec<u8>) {
        if symmetry.is_identity() {
            out.clear();
            out.extend_from_slice(state);
            return;
        }
        self.apply(symmetry.image(), state, out);
    }
}

/// Reads what is to be known of states out of them. It depends on the state alone, and threads may
/// share it; each brings its own scratch memory.
///
/// # Requires
/// States that it is asked about are settled.
pub trait Reads: Send + Sync {
    /// How they move.
    fn act(&self) -> &dyn Action;

    /// Whether states may have more than the data of single points. If not, the ranks of these
    /// data say which state of its orbit one is.
    fn has_references(&self) -> bool;

    /// New scratch memory for the questions below.
    fn scratch(&self) -> Scratch;

    /// The state as an object over points.
    fn object<'s>(&self, state: &[u8], scratch: &'s mut Scratch) -> &'s Object;

    /// By point: the rank of the data it owns, references aside, among those of all points.
    fn ranks(&self, state: &[u8], scratch: &mut Scratch, out: &mut Vec<u32>);

    /// The location of each point that is a process, 0 for other points. Nothing where states have
    /// no processes.
    fn locations(&self, _state: &[u8], out: &mut Vec<u32>) {
        out.clear();
    }

    /// The records of processes and channels, where states are made of such.
    fn records(&self) -> Vec<Record> {
        Vec::new()
    }

    /// The types of processes, where the text declares references to some: if references lead from
    /// layer to layer, each before the one it refers to; if not, none says where it leads.
    fn layers(&self) -> &[Layer] {
        &[]
    }

    /// What a marker is made of.
    fn sketch(&self, state: &[u8], scratch: &mut Scratch, out: &mut Sketch);

    /// The state as the graph that was published for states of B (`values::published`), where
    /// states are made of values; `numbering` gives each atom that does not move a number.
    fn published(&self, _state: &[u8], _numbering: &mut dyn FnMut(&[u8]) -> u32) -> Option<Graph> {
        None
    }

    /// Whether states are made of values, so that there is such a graph.
    fn has_values(&self) -> bool {
        false
    }
}

/// A process or channel in a packed state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// Its point; one beyond the degree if it does not move.
    pub point: Point,
    /// Where its data are.
    pub bytes: Range<usize>,
    /// Where its location is, if it is a process: the first of these data.
    pub location: Option<Range<usize>>,
    /// Whether it is a channel.
    pub is_channel: bool,
    /// By what the text wants it compared, in this order; empty where it does not say so.
    pub key: Vec<KeyCell>,
}

/// A variable by which processes are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeyCell {
    /// Where it is.
    pub at: usize,
    /// How it is kept.
    pub scalar: Scalar,
    /// The number that refers to nobody, if it refers to processes.
    pub none: Option<i32>,
}

impl KeyCell {
    /// What it holds in `state`; a reference to nobody comes before all others.
    pub fn value(&self, state: &[u8]) -> i64 {
        let value = self.scalar.load(state, self.at);
        if self.none == Some(value) {
            i64::MIN
        } else {
            i64::from(value)
        }
    }
}

/// Processes of one type, of which each refers to at most one of the next layer if there is one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layer {
    /// Their points, and those of the numbers by which they are referred to: instance by instance.
    /// What does not move is left out.
    pub rows: Vec<Vec<Point>>,
    /// The layer that they refer to, which comes later.
    pub next: Option<usize>,
}

/// Reads states with scratch memory of its own.
pub struct Reader {
    reads: Arc<dyn Reads>,
    scratch: Scratch,
}

impl Reader {
    /// With new scratch memory.
    pub fn new(reads: &Arc<dyn Reads>) -> Reader {
        Reader {
            reads: reads.clone(),
            scratch: reads.scratch(),
        }
    }

    /// See [`Reads::act`].
    pub fn act(&self) -> &dyn Action {
        self.reads.act()
    }

    /// See [`Reads::has_references`].
    pub fn has_references(&self) -> bool {
        self.reads.has_references()
    }

    /// See [`Reads::object`].
    pub fn object(&mut self, state: &[u8]) -> &Object {
        self.reads.object(state, &mut self.scratch)
    }

    /// See [`Reads::ranks`].
    pub fn ranks(&mut self, state: &[u8], out: &mut Vec<u32>) {
        self.reads.ranks(state, &mut self.scratch, out);
    }

    /// See [`Reads::locations`].
    pub fn locations(&mut self, state: &[u8], out: &mut Vec<u32>) {
        self.reads.locations(state, out);
    }

    /// See [`Reads::records`].
    pub fn records(&self) -> Vec<Record> {
        self.reads.records()
    }

    /// See [`Reads::published`].
    pub fn published(
        &self,
        state: &[u8],
        numbering: &mut dyn FnMut(&[u8]) -> u32,
    ) -> Option<Graph> {
        self.reads.published(state, numbering)
    }

    /// See [`Reads::sketch`].
    pub fn sketch(&mut self, state: &[u8], out: &mut Sketch) {
        self.reads.sketch(state, &mut self.scratch, out);
    }
}

/// A state as numbers that mean the same in all states.
#[derive(Clone, Default, Debug)]
pub struct Sketch {
    /// By node, points first: a hash of the data it owns.
    pub nodes: Vec<u64>,
    /// From where to where, and a hash of the way.
    pub arcs: Vec<(u32, u32, u64)>,
    /// What is the same in all states of the orbit.
    pub residue: Vec<u8>,
}

/// A scrambling of 64 bits, that of SplitMix.
pub fn mix(word: u64) -> u64 {
    let mut z = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
