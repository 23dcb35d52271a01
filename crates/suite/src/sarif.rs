//! What is not as expected, in the Static Analysis Results Interchange Format, version 2.1.0.
//!
//! One run for each call. A result is an expectation that failed, or of which nobody knows whether
//! it is met. Where a property is violated, its counterexample is a code flow: the lines of its
//! steps, in order.

use crate::{Standing, Tested};
use serde_json::{Map, Value, json};
use std::path::Path;

/// The most steps of a counterexample that are told.
const STEPS_MAX: usize = 1_000;

/// The file of a call.
pub fn text(tested: &[Tested], version: &str) -> String {
    let results: Vec<Value> = tested.iter().filter_map(result).collect();
    let rules = [
        ("expectation", "A model is not as it is expected to be."),
        (
            "unknown",
            "A limit came first: nobody knows whether the model is as expected.",
        ),
    ];
    let rules = rules.map(|(id, words)| json!({"id": id, "shortDescription": {"text": words}}));
    let object = json!({
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "orbit", "version": version, "rules": rules}},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    let text = serde_json::to_string_pretty(&object).expect("texts and numbers");
    text + "\n"
}

fn result(one: &Tested) -> Option<Value> {
    let reason = one.outcome.reason.as_ref()?;
    let (rule, level) = match one.outcome.standing {
        Standing::Unknown => ("unknown", "warning"),
        Standing::Failed => ("expectation", "error"),
        Standing::Passed => return None,
    };
    let words = format!("expected {}: {reason}", one.expected.words());
    let violated = one.outcome.violated.as_ref();
    let line = violated.and_then(|property| property["line"].as_u64());
    let line = line.unwrap_or(one.expected.line as u64).max(1);
    let file = violated.and_then(|property| property["file"].as_str());
    let place = located(&one.file, file, line, None);
    let mut result = json!({
        "ruleId": rule,
        "level": level,
        "message": {"text": words},
        "locations": [place],
    });
    let flow = violated.and_then(|property| flow(&one.file, property));
    if let (Some(flow), Some(result)) = (flow, result.as_object_mut()) {
        result.insert("codeFlows".to_owned(), json!([flow]));
    }
    Some(result)
}

/// The counterexample of a property, if it has one with lines.
fn flow(model: &Path, property: &Value) -> Option<Value> {
    let steps = property["witness"]["steps"].as_array()?;
    let places = steps.iter().take(STEPS_MAX).filter_map(|step| {
        let line = step["line"].as_u64().filter(|line| *line > 0)?;
        let by = step["by"].as_str().map(|by| format!("{by}: "));
        let words = format!("{}{}", by.unwrap_or_default(), step["step"].as_str()?);
        let place = located(model, step["file"].as_str(), line, Some(&words));
        Some(json!({"location": place}))
    });
    let places: Vec<Value> = places.collect();
    (!places.is_empty()).then(|| json!({"threadFlows": [{"locations": places}]}))
}

/// A line of the model, or of a file that it includes.
fn located(model: &Path, file: Option<&str>, line: u64, words: Option<&str>) -> Value {
    let path = match file {
        // What is included is named as it was found from the folder of the model, or in full.
        Some(file) => file.to_owned(),
        None => model.display().to_string(),
    };
    let mut place = Map::new();
    place.insert(
        "physicalLocation".to_owned(),
        json!({
            "artifactLocation": {"uri": uri(&path)},
            "region": {"startLine": line},
        }),
    );
    if let Some(words) = words {
        place.insert("message".to_owned(), json!({"text": words}));
    }
    Value::Object(place)
}

/// A path as a reference: `/` between folders, everything else that means something escaped.
fn uri(path: &str) -> String {
    let path = path.strip_prefix("./").unwrap_or(path).replace('\\', "/");
    let mut out = String::new();
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                out.push(char::from(byte));
            }
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    if out.starts_with('/') {
        out.insert_str(0, "file://");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_references() {
        assert_eq!(uri("./a b/m.pml"), "a%20b/m.pml");
        assert_eq!(uri("/x/%.pml"), "file:///x/%25.pml");
    }
}
