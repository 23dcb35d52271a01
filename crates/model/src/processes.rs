//! Models of processes: locations and steps as data, packed states, and the machine that runs them.
//!
//! Reading order: [`layout`] what a state is made of, [`expr`] expressions, [`program`] the model,
//! [`machine`] how it runs, [`passes`] how it is rewritten, [`population`] who is there once it has
//! set itself up, [`property`] what is asked of its infinite runs.

pub mod language;
pub mod layout;

pub mod expr;
pub mod program;
pub mod trace;

pub mod property;

pub mod listing;

pub mod structure;

pub mod machine;

pub mod population;

pub mod passes;
