//! Less of a space: sets of states as nodes, sets of transitions as edges.
//!
//! First labels are made fewer ([`alpha`]): arguments are dropped, operations hidden. Then states
//! are put into blocks: by what is enabled ([`signature`]), by what can follow
//! ([`bisimulation`]), by what somebody wants to see of them ([`projection`]), by how deep they
//! are ([`levels`]), or each alone ([`single`]). [`Quotient`] is the graph of blocks, and makes the
//! picture. The abstraction to a deterministic automaton ([`dfa`]) has sets of states that overlap,
//! so it makes its own. `docs/theory/views.md` says what each keeps true.

pub mod alpha;
pub mod bisimulation;
pub mod dfa;
pub mod levels;
pub mod projection;
pub mod quotient;
pub mod signature;
pub mod single;

pub use alpha::{Alpha, AlphaRules};
pub use quotient::{Blocks, Quotient};

use crate::picture::Picture;

/// How large an abstraction is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ViewSize {
    /// Its nodes.
    pub n_nodes: usize,
    /// Its edges, each label counted.
    pub n_edges: usize,
    /// Pairs of a node and a label of an edge that begins there: what tables of the literature
    /// call transitions where an edge may be several.
    pub n_pairs: usize,
}

/// A picture of a space, and how large the abstraction is.
#[derive(Clone, Debug)]
pub struct View {
    /// The picture.
    pub picture: Picture,
    /// Its size.
    pub size: ViewSize,
}

/// Why there is no abstraction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoView {
    /// It would have more nodes than this.
    TooManyNodes(usize),
    /// It would need more memory or work than is spent on it, after so many nodes.
    TooMuchWork(usize),
}
