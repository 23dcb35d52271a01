//! The symmetry of a model: found, certified, applied to states, and used to choose the state that
//! stands for an orbit.
//!
//! [`processes`], [`values`] and [`network`] find and certify the symmetry of the three kinds of
//! models; each makes its own `Certified`, without which nothing is reduced. [`canonical`] chooses
//! the representative, [`strategy`] has all other ways of choosing, by name; [`action`] says what
//! all of them need of states.

pub mod processes;

pub mod values;

pub mod network;

pub mod canonical;

pub mod action;

mod memo;

pub mod audit;

pub mod reducer;

pub mod strategy;
