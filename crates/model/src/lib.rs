//! What front ends lower to: three kinds of models, each with a symmetry that can be found.
//!
//! A language of processes makes a [`processes::program::Model`], which [`processes::machine`]
//! runs as a [`system::System`]. A language of sets and relations implements that trait itself,
//! over states that are made of [`values`]. Processes of CSP are a [`network`] of transition
//! systems, whose steps have labels that others wait for. [`frontend`] is the door of languages.

pub mod frontend;
pub mod network;
pub mod outline;
pub mod processes;
pub mod proposal;
pub mod refinement;
pub mod values;

pub use processes::machine::Machine;
