//! The symmetry of models of processes.
//!
//! Reading order: [`sort`] which numbers of a model are members of what, [`structure`] the model as
//! a graph, [`detect`] candidates in that graph, [`certify`] each of them checked against the model
//! itself, [`points`] what moves, by number, [`act`] states moved, [`picture`] a state as an object
//! that images are taken of.

pub mod sort;

pub mod structure;

pub mod detect;

pub mod declared;

pub mod certify;

pub mod points;

pub mod act;

mod keys;

pub mod homes;

pub mod picture;

pub mod reading;

pub(crate) mod sorting;

pub mod explain;

pub mod names;

pub mod blockers;

pub mod making;

pub mod diagram;

pub mod extend;

pub mod partial;

mod effect;

mod worth;

mod found;

pub use found::{Found, find, find_if, find_largest, find_largest_if};
