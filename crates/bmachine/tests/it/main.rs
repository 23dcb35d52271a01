//! The integration tests of `bmachine`, as one binary.
//!
//! - `parse`: priorities, brackets, shapes.
//! - `types`: names, definitions, types, and messages about them.
//! - `composition`: machines within machines, refinements, files of definitions.
//! - `noise`: no text makes a panic, an endless loop or a deep recursion.
//! - `corpus`: machines by other people, where they are on the machine.
//! - `expect`, `models`: our own machines, and what their headers expect.
//! - `refine`: refinements, beside a plain twin of what a simulation is.
//! - `named`: valuations of constants that differ in names only, beside all of them.
//! - `plain`, `counts`: the plainest search there is, and what it counts of our own machines.
//! - `exchange`: elements that may be exchanged, and planted ones that may not.
//! - `explore`: counts of states, of our own machines and of the corpus.
//! - `solve`: solutions of predicates against trying all values.
//! - `answers`: what single predicates are, cut ones among them.
//! - `twin`: what terms are worth, beside a second evaluation.
//! - `honest`: random predicates, infinite sets among them, beside a plain twin.
//! - `substitutions`: what substitutions make of a state.

mod answers;
mod composition;
mod corpus;
mod counts;
mod exchange;
mod expect;
mod explore;
mod honest;
mod models;
mod named;
mod noise;
mod parse;
mod plain;
mod refine;
mod run;
mod shown;
mod slips;
mod solve;
mod substitutions;
mod twin;
mod types;
