//! The seam between models and searches: what a search may ask, and nothing about how models are
//! made.
//!
//! A search sees a [`System`]: packed states, moves, faults, and words for what is shown. What is
//! asked of infinite runs is a [`formula::Formula`] or a [`claim::Claim`], what is asked of
//! branching time a [`branching::Formula`], all over numbered atoms.

pub mod branching;
pub mod claim;
pub mod formula;

pub mod structure;

pub mod fault;
pub mod system;

pub use fault::{Claimed, Fault, FaultKind, FaultText, SiteId};
pub use system::{
    Initial, LabelledOut, MessageText, Move, MoveLabel, PartText, Pulse, Rest, Scratch, StepText,
    Strength, System, Taken, Transfer, Within,
};
