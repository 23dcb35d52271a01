//! The integration tests of `cspm`, as one binary.
//!
//! - `denote`: what terms mean by the clauses of the semantics; the plain twin of what follows.
//! - `sample`: random processes for a seed.
//! - `observe`: traces, failures and divergences of transition systems, by definition.
//! - `operate`: what terms do is what they mean.
//! - `laws`: the laws of CSP, and the models in which they hold.
//! - `alike`: exchanges of values, carried over to events.
//! - `explain`: what the rules of algebra derive is a symmetry.
//! - `compile`: networks mean what the terms mean that they were compiled from.
//! - `chase`: what is said of chased processes is true of every choice of τ.
//! - `compress`: smaller systems mean the same.
//! - `script`: reading scripts from texts; `corpus`: scripts by other people, where they are on the
//!   machine.
//! - `types`: what is well typed, what is not and what is said of it, dots, modules, noise.
//! - `evaluate`: values of definitions, processes as terms, faults.
//! - `syntax`: tokens, lines, levels, declarations, includes, printing and noise.

mod alike;
mod chase;
mod compile;
mod compress;
mod corpus;
mod denote;
mod evaluate;
mod explain;
mod laws;
mod observe;
mod operate;
mod sample;
mod script;
mod syntax;
mod types;
