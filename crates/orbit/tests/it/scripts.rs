//! CSPM scripts, through the binary and through the libraries behind it.
//!
//! - `by_hand`: generators over events that somebody gives.
//! - `chase`: chased processes have answers that do not depend on the choice of τ.
//! - `classics`: the scripts in `models/cspm/classics` have the verdicts and counts of their
//!   headers.
//! - `command`: what `check` prints of scripts, as text and as JSON; flags, limits.
//! - `corpus`: scripts by other people.
//! - `language`: the scripts in `models/cspm/language` have the verdicts of their headers.
//! - `explain`: what the rules of algebra derive is certified on the network.
//! - `long`: long and deep scripts are answered, or refused with a place.
//! - `symmetry`: what `symmetry` prints of scripts.
//! - `rejected`: wrong scripts are refused with a place.
//! - `refinement`: the checker agrees with the plain denotational semantics (`denote`) on random
//!   processes (`sample`).
//! - `simulated`: processes run step by step, counterexamples recorded and run again.
//! - `strategies`: ways to choose who stands for pairs that are alike, and what is looked at again.
//! - `weak`: components that differ only in τ.

mod by_hand;
mod chase;
mod classics;
mod command;
mod corpus;
#[path = "../../../cspm/tests/it/denote.rs"]
#[allow(dead_code)]
mod denote;
mod explain;
mod language;
mod long;
mod refinement;
mod rejected;
#[path = "../../../cspm/tests/it/sample.rs"]
#[allow(dead_code)]
mod sample;
mod simulated;
mod strategies;
mod symmetry;
mod weak;

use serde_json::Value;
use std::path::{Path, PathBuf};

/// The folder of our scripts.
fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/cspm")
}

/// The verdicts of all assertions, in the order of the text.
fn verdicts(told: &Value) -> Vec<String> {
    let all = told["properties"].as_array().into_iter().flatten();
    all.map(|property| property["verdict"].as_str().unwrap_or("none").to_owned())
        .collect()
}
