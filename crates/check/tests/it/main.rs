//! The public face of the crate, on toy systems.
//!
//! - `toy`: systems made of rules, puzzles with known counts, random ones.
//! - `twin`: the plainest search there is, and the comparison with ours.
//! - `compact`: a store that keeps hashes only.
//! - `explore`: counts, orders, errors.
//! - `limits`: what a search that may not go on says.
//! - `temporal`: infinite runs, fairness, and processes that are alike.
//! - `threads`: several threads find what one finds.
//! - `ctl`: branching time, on the same.
//! - `ltl`: formulas, words and automata held against each other.
//! - `planted`: stores, reducers and systems that are wrong, and that this is noticed.
//! - `refinement`: processes of CSP, in a folder.
//! - `states`: quotients as they are met.
//! - `visible`: counts without hidden bytes.
//! - `witness`: what runs look like.
//! - `why`: where formulas fail along them.

mod branching;
mod compact;
mod ctl;
mod explore;
mod limits;
mod ltl;
mod planted;
mod refinement;
mod states;
mod temporal;
mod threads;
mod toy;
mod twin;
mod visible;
mod why;
mod witness;
