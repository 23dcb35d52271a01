//! Who stands for pairs of states that are alike: the one place where that is decided for scripts.
//!
//! So far nobody does, and every pair stands for itself.

use check::refinement::normal::Normal;
use check::refinement::twist::{PairReducer, Untwisted};
use system::network::Network;

/// What replaces pairs of a state of the normal specification, or of what stands for one where
/// `spec` is none, and a state of the network.
pub fn reducer(_network: &Network, _spec: Option<&Normal>) -> Box<dyn PairReducer> {
    Box::new(Untwisted)
}
