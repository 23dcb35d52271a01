//! The symmetry of models, from their texts: what is certified, and what is refused.
//!
//! - `models`: every model of `models/promela` keeps all symmetries that its graph has.

mod models;

use super::counts::{Compiled, compile};
use reduce::detect::{Candidates, candidates};
use system::Machine;
use system::passes::Setting;
use system::population::{Population, populate};
use system::sort::{Sorts, infer};
use system::structure::build;

/// A model on the way to its symmetry.
pub struct Model {
    pub machine: Machine,
    pub population: Population,
    pub sorts: Sorts,
    pub candidates: Candidates,
}

/// The model in `text`.
#[track_caller]
pub fn model(text: &str) -> Model {
    let compiled = compile(text, &[]).unwrap_or_else(|why| panic!("{why}\n{text}"));
    prepare(&compiled, Setting::Best).expect("the making goes well")
}

/// A model after the passes of a setting; `None` if its making goes wrong.
pub fn prepare(compiled: &Compiled, setting: Setting) -> Option<Model> {
    let machine = compiled.machine(setting);
    let population = populate(&machine)?;
    let sorts = infer(machine.model(), &population);
    let candidates = candidates(&build(&sorts, &population));
    Some(Model {
        machine,
        population,
        sorts,
        candidates,
    })
}
