//! The integration tests of `promela`, as one binary.
//!
//! - `preprocess`, `parse`, `types`: each phase on small texts.
//! - `extended`: references, public variables, scalarsets.
//! - `closed`: what is declared of sorts, by exchanging members in all states.
//! - `random_sorts`: the same for random models.
//! - `order`: loops over scalarsets that are accepted, run in every order.
//! - `lower`: listings of lowered models, and what lowering refuses.
//! - `models`: every file of `models/promela`, with the messages that its header announces.
//! - `noise`: no text makes a panic, an endless loop or a deep recursion.
//! - `corpus`: models by other people, where they are on the machine.

mod closed;
mod corpus;
mod extended;
mod lower;
mod models;
mod noise;
mod order;
mod parse;
mod preprocess;
mod random_sorts;
mod run;
mod slips;
mod types;
