//! Models as data, packed states, and the machine that runs them: the seam between languages and
//! searches.
//!
//! A front end makes a [`model::Model`]; [`machine::Machine`] runs it; a search sees only the
//! trait [`system::System`]. A front end whose states are not those of processes implements that
//! trait itself, over states that are made of [`values`]. Processes of CSP are a [`network`] of
//! transition systems, with a trait of its own: their steps have labels that others wait for.

pub mod layout;

pub mod expr;
pub mod model;
pub mod trace;

pub mod claim;
pub mod property;

pub mod listing;

pub mod fault;
pub mod system;

pub mod machine;

pub mod values;

pub mod network;

pub mod population;

pub mod sort;

pub mod structure;

pub mod passes;

pub use fault::{Claimed, Fault, FaultKind, FaultText};
pub use machine::Machine;
pub use system::{Initial, Move, Pulse, Rest, StepText, System, Taken, Within};
