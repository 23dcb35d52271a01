//! The symmetry of models, from their texts: what is certified, and what is refused.
//!
//! - `by_hand`: permutations given by hand, right and wrong.
//! - `classes`: classes of numbers that are spoilt in all ways.
//! - `declared`: symmetries that a text declares, and has or has not.
//! - `ends`: processes that end, and those that stay, under all rules.
//! - `generated`: what engineers write, at random, and what must not be taken for symmetric.
//! - `groups`: orders and orbits of families whose tables are published.
//! - `instances`: steps for each process, and what is refused that does something else.
//! - `junctions`: conditions that go wrong together, and those that do not.
//! - `loops`: loops over ids that are taken in any order, and those that are not.
//! - `models`: every model of `models/promela` keeps all symmetries that its graph has.
//! - `page`: the page of all models with their groups.
//! - `protocols`: what engineers write, and the group that each has.
//! - `random`: what is certified holds on all moves of random models.
//! - `reached`: claims about values that are spoilt in all ways.
//! - `rows`: assignments in a row that are taken in any order, and those that are not.
//! - `settings`: protocols in many spellings and sizes, and the group of each.
//! - `tags`: fields of messages that a tag tells apart.
//! - `written`: whole models as engineers spell them, their groups and numbers of orbits.

mod by_hand;
mod classes;
mod declared;
mod ends;
mod generated;
mod groups;
mod instances;
mod junctions;
mod loops;
mod models;
mod page;
mod protocols;
pub mod random;
mod reached;
mod rows;
mod settings;
mod tags;
mod written;

use super::counts::{Compiled, compile};
use model::Machine;
use model::processes::passes::Setting;
use model::processes::population::{Population, populate};
use reduce::processes::certify::certify;
use reduce::processes::detect::{Candidates, candidates};
use reduce::processes::sort::{Sends, Sorts, infer, verify};
use reduce::processes::structure::build;

/// A model on the way to its symmetry.
pub struct Model {
    pub machine: Machine,
    pub population: Population,
    pub sorts: Sorts,
    pub candidates: Candidates,
}

/// The model in `text` as it is written, without passes.
#[track_caller]
pub fn model(text: &str) -> Model {
    let compiled = compile(text, &[]).unwrap_or_else(|why| panic!("{why}\n{text}"));
    prepare(&compiled, Setting::Plain).expect("the making goes well")
}

/// The model in `text`, of which all is verified and no candidate refused, and the order of its
/// group.
#[track_caller]
pub fn certified(text: &str) -> (Model, String) {
    let model = model(text);
    assert_eq!(verify(&model.sorts, &model.population), Ok(()), "{text}");
    let certified = certify(&model.sorts, &model.population, &model.candidates);
    assert_eq!(certified.rejected(), [], "{text}");
    let order = certified.group().order().to_string();
    (model, order)
}

/// A model after the passes of a setting; `None` if its making goes wrong, or it has a trace.
pub fn prepare(compiled: &Compiled, setting: Setting) -> Option<Model> {
    prepare_if(compiled, setting, Sends::Wait)
}

/// As [`prepare`]; where loops that send may be taken in any order, no send is taken to wait.
pub fn prepare_if(compiled: &Compiled, setting: Setting, sends: Sends) -> Option<Model> {
    let machine = compiled.machine(setting);
    if machine.model().trace.is_some() {
        return None;
    }
    let population = populate(&machine)?;
    let sorts = infer(machine.model(), &population, sends);
    let candidates = candidates(&build(&sorts, &population), base::Clock::ENDLESS);
    Some(Model {
        machine,
        population,
        sorts,
        candidates,
    })
}
