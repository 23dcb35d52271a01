//! What is in a page.

use crate::chart;
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Everything that a page shows, as its script reads it.
#[derive(Clone, Default, Debug, Serialize)]
pub struct Bundle {
    /// The model, as all commands tell it.
    pub model: Value,
    /// What can be asked of it: objects with `name` and `kind`.
    pub questions: Vec<Value>,
    /// The texts that the model is made of, the main one first.
    pub sources: Vec<SourceText>,
    /// What `orbit check` found.
    pub check: Option<Value>,
    /// What `orbit symmetry` found.
    pub symmetry: Option<Value>,
    /// What `orbit simulate` ran.
    pub simulation: Option<Value>,
    /// Pictures of runs, by the name that the page gives them.
    pub charts: BTreeMap<String, String>,
    /// Pictures of the state space.
    pub views: Vec<View>,
    /// The server behind the page, if there is one.
    pub live: Option<Live>,
}

/// A text of the model.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SourceText {
    /// Its file.
    pub name: String,
    /// The text.
    pub text: String,
}

/// A picture of a state space.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct View {
    /// What it shows.
    pub title: String,
    /// What a reader has to know.
    pub notes: Vec<String>,
    /// The picture.
    pub svg: String,
    /// The same for Graphviz.
    pub dot: Option<String>,
    /// Which view it is, as it is asked for.
    pub kind: Option<String>,
    /// By node: the number of a state that is in it.
    pub members: Vec<Option<u64>>,
}

/// The server behind a page.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Live {
    /// What the page has to show so that it gets answers.
    pub token: String,
    /// Whether formulas can be asked.
    pub formulas: bool,
}

/// The charts of all runs of a result, by the names that the page gives them: `NAME#0` is the first
/// run of the property `NAME`, `NAME#0/other` the run that it is compared with, `simulation#0` that
/// of a simulation.
pub fn charts(result: &Map<String, Value>) -> BTreeMap<String, String> {
    let mut drawn = BTreeMap::new();
    let mut draw = |key: String, run: &Value| {
        if let Some(svg) = chart::of(run) {
            drawn.insert(key.clone(), svg);
        }
        if let Some(other) = run.get("other").filter(|other| other.is_array()) {
            let other = serde_json::json!({ "steps": other });
            if let Some(svg) = chart::of(&other) {
                drawn.insert(format!("{key}/other"), svg);
            }
        }
    };
    for property in list(result.get("properties")) {
        let name = property.get("name").and_then(Value::as_str).unwrap_or("");
        let own = std::iter::once(property).chain(list(property.get("others")));
        let runs = own.filter_map(|one| one.get("witness").filter(|run| run.is_object()));
        for (n, run) in runs.enumerate() {
            draw(format!("{name}#{n}"), run);
        }
    }
    if let (Some(initial), Some(steps)) = (result.get("initial_state"), result.get("steps")) {
        // A simulation keeps its initial state apart.
        let start = serde_json::json!({ "step": "initial state", "changes": initial });
        let steps: Vec<&Value> = std::iter::once(&start).chain(list(Some(steps))).collect();
        let from = result.get("loop_from").and_then(Value::as_u64);
        let from = from.map(|from| from + 1);
        let run = serde_json::json!({ "steps": steps, "loop_from": from });
        draw("simulation#0".to_owned(), &run);
    }
    drawn
}

/// What `orbit view` drew, if it is that and has a picture.
pub fn view(result: &Map<String, Value>) -> Option<View> {
    let text = |key: &str| result.get(key).and_then(Value::as_str).map(str::to_owned);
    let svg = text("drawing").filter(|drawing| drawing.trim_start().starts_with("<svg"))?;
    let notes = list(result.get("notes")).filter_map(Value::as_str);
    let stopped = text("stop_reason").map(|why| format!("not all was explored: {why}"));
    Some(View {
        title: text("title")?,
        notes: notes.map(str::to_owned).chain(stopped).collect(),
        svg,
        dot: None,
        kind: text("view"),
        members: list(result.get("nodes")).map(first_member).collect(),
    })
}

/// The first state of a node.
fn first_member(node: &Value) -> Option<u64> {
    node.get("members")?.get(0)?.as_u64()
}

fn list(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    value.and_then(Value::as_array).into_iter().flatten()
}
