//! The schema of each command's object, made from its type, beside its file in `docs/schema/`.
//!
//! An object is what the command is for, or what stands in its place: see [`Unanswered`].

use super::{Accepted, Check, Served, Simulation, Symmetries, Tests, Unanswered, Viewed};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;
use snapbox::data::DataFormat;
use snapbox::{Assert, Data};
use std::path::Path;

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

/// What `orbit serve --json` prints.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[schemars(title = "orbit serve --json")]
#[expect(dead_code, reason = "only its schema is used")]
enum Explored {
    Served(Box<Served>),
    Unanswered(Box<Unanswered>),
}

/// What `orbit view --json` prints.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[schemars(title = "orbit view --json")]
#[expect(dead_code, reason = "only its schema is used")]
enum Looked {
    Viewed(Box<Viewed>),
    Unanswered(Box<Unanswered>),
}

/// What `orbit test --json` prints.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[schemars(title = "orbit test --json")]
#[expect(dead_code, reason = "only its schema is used")]
enum Tested {
    Tests(Box<Tests>),
    Unanswered(Box<Unanswered>),
}

/// The name of each command with the schema of its object.
fn all() -> [(&'static str, Value); 6] {
    [
        ("check", schema::<Checked>()),
        ("symmetry", schema::<Shown>()),
        ("simulate", schema::<Simulated>()),
        ("serve", schema::<Explored>()),
        ("view", schema::<Looked>()),
        ("test", schema::<Tested>()),
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

fn text(schema: &Value) -> String {
    let pretty = serde_json::to_string_pretty(schema).expect("a schema is JSON");
    pretty + "\n"
}

#[test]
fn the_files_say_what_the_types_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema");
    let assert = Assert::new().action_env(snapbox::assert::DEFAULT_ACTION_ENV);
    for (name, schema) in all() {
        let path = folder.join(format!("{name}.json"));
        let expected = Data::read_from(&path, Some(DataFormat::Text));
        assert.eq(text(&schema), expected.raw());
    }
}

/// Calls `visit` for every part of a schema that is an object.
fn objects(part: &Value, visit: &mut impl FnMut(&Value)) {
    // A key may itself be called `properties`.
    if part["type"] == "object" && part["properties"].is_object() {
        visit(part);
    }
    match part {
        Value::Object(fields) => fields.values().for_each(|part| objects(part, visit)),
        Value::Array(parts) => parts.iter().for_each(|part| objects(part, visit)),
        _ => {}
    }
}

#[test]
fn every_key_is_required_described_and_no_other_is_allowed() {
    for (name, schema) in all() {
        let mut n_objects = 0;
        objects(&schema, &mut |object| {
            n_objects += 1;
            let keys = object["properties"].as_object().expect("keys");
            let required = object["required"].as_array().expect("a list");
            assert_eq!(keys.len(), required.len(), "{name}: {object}");
            assert_eq!(object["additionalProperties"], false, "{name}: {object}");
            for (key, value) in keys {
                assert!(value["description"].is_string(), "{name}: {key}");
            }
        });
        assert!(n_objects > 4, "{name}: {n_objects} objects");
    }
}
