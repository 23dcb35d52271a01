//! The schema of what programs read, beside its files in `docs/schema/`.

use report::object::schema;
use serde_json::Value;
use snapbox::data::DataFormat;
use snapbox::{Assert, Data};
use std::path::Path;

fn text(schema: &Value) -> String {
    let pretty = serde_json::to_string_pretty(schema).expect("a schema is JSON");
    pretty + "\n"
}

#[test]
fn the_files_say_what_the_types_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema");
    let assert = Assert::new().action_env(snapbox::assert::DEFAULT_ACTION_ENV);
    for (name, schema) in schema::all() {
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
    for (name, schema) in schema::all() {
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
        assert!(n_objects > 5, "{name}: {n_objects} objects");
    }
}
