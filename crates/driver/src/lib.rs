//! From a file to a summary, for every language.
//!
//! [`load`] finds the front end of a file and gives its model; [`ask`] says which of its questions
//! are meant; [`conduct`] searches for errors, with the symmetry that [`reduction`] finds, and asks
//! [`formulas`], [`refinement`], [`recheck`] and [`record`] for the rest. [`explain`] tells what is
//! interchangeable, and [`simulate`] makes one run. Nothing here knows a language: a language is
//! what it says through [`model::frontend`].

pub mod ask;
pub mod assertions;
pub mod conduct;
pub mod details;
pub mod detect;
pub mod explain;
pub mod input;
pub mod listener;
pub mod load;
pub mod open;
pub mod plan;
pub mod processes;
pub mod reduction;
pub mod simulate;
pub mod states;
pub mod trail;

mod advice;
mod branching;
mod breaking;
mod compiled;
mod formulas;
mod given;
mod recheck;
mod record;
mod refinement;
pub mod suggest;
mod temporal;
