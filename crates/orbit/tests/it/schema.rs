//! Objects beside the schema that `docs/schema/` has for them.
//!
//! A validator for the part of JSON Schema that our schemas use. A keyword that it does not know is
//! an error, so that nothing is taken to be checked that is not.

use crate::command::{guide, json, object};
use serde_json::{Value, json as value};
use std::collections::BTreeMap;

/// The schema of a command's object, if it has one.
pub fn of(command: &str) -> Option<Value> {
    if !matches!(
        command,
        "check" | "symmetry" | "simulate" | "serve" | "view" | "test"
    ) {
        return None;
    }
    let path = guide().join(format!("../schema/{command}.json"));
    let text = std::fs::read_to_string(&path).expect("the schema can be read");
    Some(serde_json::from_str(&text).expect("a schema is JSON"))
}

/// Whether a value is what a schema allows; if not, where and why.
pub fn validate(schema: &Value, value: &Value) -> Result<(), String> {
    let part = Part {
        whole: schema,
        part: schema,
    };
    part.allows(value, "")
}

#[derive(Clone, Copy)]
struct Part<'s> {
    whole: &'s Value,
    part: &'s Value,
}

impl<'s> Part<'s> {
    fn at(self, part: &'s Value) -> Part<'s> {
        Part { part, ..self }
    }

    /// Whether it allows the value that stands at `place`.
    fn allows(self, value: &Value, place: &str) -> Result<(), String> {
        if self.part == &Value::Bool(true) {
            return Ok(());
        }
        let Some(keywords) = self.part.as_object() else {
            return Err(format!("{place}: {} is not allowed", short(value)));
        };
        for (keyword, says) in keywords {
            match keyword.as_str() {
                "$schema" | "$defs" | "title" | "description" | "format" => {}
                "$ref" => self.at(self.target(says)).allows(value, place)?,
                "type" => is_of(says, value, place)?,
                "enum" => {
                    let all = says.as_array().expect("a list");
                    said(all.contains(value), || {
                        format!("{place}: not one of {says}")
                    })?;
                }
                "const" => said(says == value, || format!("{place}: not {says}"))?,
                "minimum" => {
                    let least = value.as_f64().is_none_or(|n| Some(n) >= says.as_f64());
                    said(least, || format!("{place}: less than {says}"))?;
                }
                "maximum" => {
                    let most = value.as_f64().is_none_or(|n| Some(n) <= says.as_f64());
                    said(most, || format!("{place}: more than {says}"))?;
                }
                "minItems" | "maxItems" => {
                    let n = value.as_array().map(|items| items.len() as u64);
                    let bound = says.as_u64();
                    let fits = match &keyword[..3] {
                        "min" => n.is_none() || n >= bound,
                        _ => n.is_none() || n <= bound,
                    };
                    said(fits, || format!("{place}: {keyword} {says}"))?;
                }
                "items" => {
                    for (n, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.at(says).allows(item, &format!("{place}[{n}]"))?;
                    }
                }
                "properties" | "additionalProperties" | "required" => {}
                "anyOf" | "oneOf" => self.one_of(says, value, place)?,
                other => return Err(format!("the schema says {other}, which is not known here")),
            }
        }
        self.keys(value, place)
    }

    /// What a reference leads to.
    fn target(self, reference: &Value) -> &'s Value {
        let name = reference.as_str().and_then(|r| r.strip_prefix("#/$defs/"));
        &self.whole["$defs"][name.expect("a reference to a definition")]
    }

    /// Whether one of the alternatives allows it; if none does, why each does not.
    fn one_of(self, says: &Value, value: &Value, place: &str) -> Result<(), String> {
        let mut all = Vec::new();
        for alternative in says.as_array().expect("a list") {
            match self.at(alternative).allows(value, place) {
                Ok(()) => return Ok(()),
                Err(why) => all.push(why),
            }
        }
        Err(all.join("\n  or "))
    }

    /// Whether an object has the keys it must have, and those that it has are allowed.
    fn keys(self, value: &Value, place: &str) -> Result<(), String> {
        let Some(fields) = value.as_object() else {
            return Ok(());
        };
        for key in self.part["required"].as_array().into_iter().flatten() {
            let key = key.as_str().expect("a name");
            said(fields.contains_key(key), || format!("{place}: no {key}"))?;
        }
        for (key, field) in fields {
            let place = format!("{place}.{key}");
            let own = self.part["properties"].get(key);
            if let Some(part) = own.or_else(|| self.part.get("additionalProperties")) {
                self.at(part).allows(field, &place)?;
            }
        }
        Ok(())
    }
}

fn said(holds: bool, why: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(why()) }
}

/// Whether a value has a type, or one of several.
fn is_of(types: &Value, value: &Value, place: &str) -> Result<(), String> {
    let is = |name: &Value| match name.as_str().expect("a name") {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("the schema has a type {other}"),
    };
    let fits = match types {
        Value::Array(types) => types.iter().any(is),
        one => is(one),
    };
    said(fits, || format!("{place}: {} is not {types}", short(value)))
}

fn short(value: &Value) -> String {
    value.to_string().chars().take(60).collect()
}

/// A small object of each command, in each language that it has.
const LINES: [&str; 9] = [
    "check mutex.pml",
    "check phonebook.mch",
    "check lock.csp",
    "symmetry mutex.pml",
    "symmetry phonebook.mch",
    "symmetry lock.csp",
    "simulate mutex.pml --seed 1 -n 5",
    "simulate phonebook.mch --seed 1 -n 5",
    "simulate lock.csp --seed 1 -n 5",
];

/// The paths of all fields of a value; of those that differ in numbers of items only, one.
fn paths(value: &Value, path: &str, all: &mut BTreeMap<String, String>) {
    match value {
        Value::Object(fields) => {
            for (key, field) in fields {
                let path = format!("{path}/{key}");
                let shape = path.replace(|c: char| c.is_ascii_digit(), "");
                all.entry(shape).or_insert_with(|| path.clone());
                paths(field, &path, all);
            }
        }
        Value::Array(items) => {
            for (n, item) in items.iter().enumerate() {
                paths(item, &format!("{path}/{n}"), all);
            }
        }
        _ => {}
    }
}

/// Keys whose values are named by the model, so that any key is right.
const NAMED: [&str; 9] = [
    "values",
    "set_sizes",
    "constants",
    "end",
    "locations",
    "because",
    "changes",
    "initial_state",
    "state",
];

#[test]
fn a_stray_key_a_missing_key_and_a_wrong_type_are_refused() {
    for line in LINES {
        let whole = json(line, b"");
        let mut stray = whole.clone();
        stray["stray"] = Value::Null;
        assert!(object(line, &whole.to_string()).is_ok(), "{line}");
        assert!(object(line, &stray.to_string()).is_err(), "{line}");
        let command = line.split_whitespace().next().unwrap_or("");
        let schema = of(command).expect("a schema");
        let refused = |changed: &Value| validate(&schema, changed).is_err();
        let mut all = BTreeMap::new();
        paths(&whole, "", &mut all);
        assert!(all.len() > 20, "{line}: {} fields", all.len());
        for path in all.into_values() {
            let (parent, key) = path.rsplit_once('/').expect("a path");
            let mut wrong = whole.clone();
            *wrong.pointer_mut(&path).expect("a field") = value!([[[0]]]);
            assert!(refused(&wrong), "{line}: {path} has a wrong type");
            let of = parent.rsplit('/').next().unwrap_or("");
            if NAMED.contains(&of) {
                continue;
            }
            let mut missing = whole.clone();
            let fields = missing.pointer_mut(parent).and_then(Value::as_object_mut);
            fields.expect("an object").shift_remove(key);
            assert!(refused(&missing), "{line}: {path} is missing");
            let mut stray = whole.clone();
            let fields = stray.pointer_mut(parent).and_then(Value::as_object_mut);
            fields
                .expect("an object")
                .insert("stray".to_owned(), Value::Null);
            assert!(
                refused(&stray),
                "{line}: there is a stray key beside {path}"
            );
        }
    }
}

/// The keys of an object, in order.
fn keys(value: &Value) -> Vec<&String> {
    value.as_object().expect("an object").keys().collect()
}

#[test]
fn every_language_has_the_same_keys() {
    for command in ["check", "symmetry", "simulate"] {
        let lines = LINES.iter().filter(|line| line.starts_with(command));
        let objects: Vec<Value> = lines.map(|line| json(line, b"")).collect();
        for other in &objects[1..] {
            assert_eq!(keys(&objects[0]), keys(other), "{command}");
            assert_eq!(
                keys(&objects[0]["model"]),
                keys(&other["model"]),
                "{command}"
            );
        }
    }
}

#[test]
fn a_keyword_that_is_not_known_is_no_promise_kept() {
    let schema = value!({ "type": "string", "pattern": "^a" });
    assert!(validate(&schema, &value!("a")).is_err());
    let schema = value!({ "type": ["string", "null"] });
    assert!(validate(&schema, &Value::Null).is_ok());
    assert!(validate(&schema, &value!(1)).is_err());
}
