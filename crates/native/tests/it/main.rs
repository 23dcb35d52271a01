//! Machine code against the interpreter: the same moves, in the same order, from every state.
//!
//! The comparison is the machine's own ([`model::processes::machine::Running::Both`]), which panics
//! at the first difference. That it can is seen in `planted.rs`.

mod both;
mod corpus;
mod expressions;
mod models;
mod planted;
mod random;
mod steps;
