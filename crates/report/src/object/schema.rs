//! The schema of each command's object, made from its type.
//!
//! An object is what the command is for, or what stands in its place: see [`Unanswered`].

use super::{Accepted, Check, Simulation, Symmetries, Unanswered};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

/// What `orbit check --json` prints.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[schemars(title = "orbit check --json")]
#[expect(dead_code, reason = "only its schema is used")]
enum Checked {
    Check(Box<Check>),
    Accepted(Box<Accepted>),
    Unanswered(Box<Unanswered>),
}

/// What `orbit symmetry --json` prints.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[schemars(title = "orbit symmetry --json")]
#[expect(dead_code, reason = "only its schema is used")]
enum Shown {
    Symmetries(Box<Symmetries>),
    Unanswered(Box<Unanswered>),
}

/// What `orbit simulate --json` prints.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[schemars(title = "orbit simulate --json")]
#[expect(dead_code, reason = "only its schema is used")]
enum Simulated {
    Simulation(Box<Simulation>),
    Unanswered(Box<Unanswered>),
}

/// The name of each command with the schema of its object.
pub fn all() -> [(&'static str, Value); 3] {
    [
        ("check", schema::<Checked>()),
        ("symmetry", schema::<Shown>()),
        ("simulate", schema::<Simulated>()),
    ]
}

/// The schema of what is written, in which every key is required.
fn schema<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value()
}
