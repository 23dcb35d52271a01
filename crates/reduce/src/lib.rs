//! The symmetry of a model: found, certified, applied to states, and used to choose the state that
//! stands for an orbit.
//!
//! Reading order: [`detect`] finds candidates in the structure of a model, [`certify`] checks each
//! against the model itself and makes the [`certify::Certified`] without which nothing is reduced,
//! [`points`] numbers what moves, [`act`] moves states, [`picture`] turns a state into an object
//! that images are taken of, [`canonical`] chooses the representative, [`strategy`] has all other
//! ways of choosing, by name. [`action`] says what all of them need of states, and [`values`] is
//! the same for states that are made of values, [`network`] for processes of CSP.

pub mod detect;

pub mod certify;

pub mod points;

pub mod act;

pub mod homes;

pub mod picture;

pub mod canonical;

pub mod action;

pub mod values;

pub mod network;

mod memo;

mod sorting;

pub mod audit;

pub mod explain;

pub mod names;

pub mod blockers;

pub mod making;

pub mod diagram;

pub mod extend;

pub mod reducer;

pub mod strategy;

mod worth;

mod found;

pub use found::{Found, find, find_if, find_largest, find_largest_if};
