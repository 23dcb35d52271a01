//! The symmetry of a model: found, certified, applied to states, and used to choose the state that
//! stands for an orbit.
//!
//! [`processes`], [`values`] and [`network`] find and certify the symmetry of the three kinds of
//! models. Certification of the first two makes a [`certified::Certified`], without which nothing
//! is reduced; [`canonical`] computes the representative from it, and [`audit`] checks it on the
//! states of a search. [`action`] says what both need of states. [`partial`] reduces where only
//! some steps break the symmetry.

pub mod processes;

pub mod values;

pub mod network;

pub mod certified;

pub mod canonical;

pub mod action;

mod memo;

pub mod audit;

pub mod reducer;

pub mod strategy;

pub mod watched;

pub mod partial;

mod assumed;

pub use assumed::assumed;

use canonical::Canonical;
use certified::Certified;
use reducer::{Identity, Reducer};
use watched::Watched;

/// The reducer that keeps exactly one state for each orbit, watched in development builds.
pub fn exact(certified: &Certified) -> Box<dyn Reducer> {
    if certified.group().is_trivial() {
        return Box::new(Identity);
    }
    let canonical = Canonical::new(certified);
    let made: Box<dyn Reducer> = if cfg!(debug_assertions) {
        Box::new(Watched::new(Box::new(canonical), certified))
    } else {
        Box::new(canonical)
    };
    assumed(made, certified)
}
