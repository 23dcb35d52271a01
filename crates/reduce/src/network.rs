//! The symmetry of networks of processes: permutations of events, leaves and their states.
//!
//! Somebody proposes permutations of events ([`Candidate`]): exchanges of values of a datatype,
//! carried over to all events that hold them, or what a person claims. [`certify()`] checks each on
//! the network: where leaves go (`matching` proposes it, `fit` lays leaf on leaf), and that rules
//! are kept. [`CertifiedNetwork::against`] adds the specification (`chart`). The symmetries that
//! both share are a [`Joint`], permutations of points; from that [`Representatives`] are made, by
//! sorting or canonical images over members (`members`, `drawing`), by trying every element
//! (`enumerate`), or by descent (`descent`). Leaves have to be reduced first (`bisimulation`). See
//! `docs/theory/csp-symmetry.md`.

mod allowed;
mod bisimulation;
mod certify;
mod chart;
mod descent;
mod drawing;
mod enumerate;
mod fit;
mod joint;
mod matching;
mod members;
mod refusal;
mod represent;

pub use allowed::{Allowed, allowed};
pub use bisimulation::{reduced, reduced_network};
pub use certify::{Candidate, CertifiedNetwork, Certifier, Refused, Symmetry, certify};
pub use chart::{Acceptances, Chart, Specification};
pub use joint::{Joint, Points};
pub use refusal::{
    ChoiceReason, ComponentPair, MovedState, NetworkPart, NoRepresentatives, NoSymmetry,
    OperatorSet, PartMismatch, SetChange, SpecificationChange, TraceDifference,
};
pub use represent::{Algorithm, Limits, Representatives};
