//! What was found about a script, for programs.
//!
//! ```text
//! { "model", "verdict", "stop_reason", "prints": [ { "line", "value" } ],
//!   "properties": [ { "name", "number", "line", "kind", "model", "negated", "verdict", "reason",
//!                     "group_without_it": null, "components": […],
//!                     "symmetry": null | { "group_order", "strategy", "generators": […],
//!                                          "rejected": [ { "candidate", "reason" } ] },
//!                     "counts": null | { "pairs", "transitions", "normal_states", "depth",
//!                                        "full_pairs": null | "…" },
//!                     "audit": null | "…", "self_check": null | "…", "time_s", "message",
//!                     "witness": null | { … } } ],
//!   "symmetry": null, "counts": { "pairs", "transitions" },
//!   "time_s": { "total", "load" }, "memory": { "peak_bytes" } }
//! ```
//!
//! A witness is `{ "kind", "trace": […], "steps": [ { "event", "parts": […] } ],
//! "loop_from": null | n, "event", "offered", "allowed": [[…]], "end": […], "other":
//! null | steps }`. A part is `{ "component", "event", "line", "file" }`, an end
//! `{ "component", "process", "line", "file" }`: the line of the text that the component is at,
//! before the step or at the end, and the file if it is not the script. An assertion that `not`
//! denies, and that holds therefore, has the witness that shows it.

use super::{Assertion, Place, Script, Shown, Step};
use crate::scope::Scope;
use crate::summary::reason_word;
use serde_json::{Map, Value, json};
use std::time::Duration;

/// The fields of a summary, in the order in which people read them.
pub fn json(summary: &Script) -> Map<String, Value> {
    let prints = summary.prints.iter();
    let prints: Vec<Value> = prints
        .map(|print| json!({ "line": print.line, "value": print.value }))
        .collect();
    let counts = summary.assertions.iter().filter_map(|a| a.counts);
    let (pairs, transitions) = counts.fold((0, 0), |(pairs, transitions), counts| {
        (pairs + counts.n_pairs, transitions + counts.n_transitions)
    });
    let fields = json!({
        "model": { "path": summary.model.path, "language": summary.model.language },
        "verdict": summary.verdict().word(),
        "scope": Scope::ThisSize.json(),
        "stop_reason": summary.stop_reason.map(reason_word),
        "reason": summary.is_empty().then_some("nothing is asserted"),
        "not_checked": summary.not_asked,
        "prints": prints,
        "properties": summary.assertions.iter().map(property).collect::<Vec<_>>(),
        "symmetry": null,
        "counts": { "pairs": pairs, "transitions": transitions },
        "time_s": { "total": seconds(summary.total), "load": seconds(summary.load) },
        "memory": { "peak_bytes": summary.peak_bytes },
    });
    match fields {
        Value::Object(fields) => fields,
        _ => unreachable!("an object was written"),
    }
}

fn property(assertion: &Assertion) -> Value {
    let counts = assertion.counts.map(|counts| {
        json!({
            "pairs": counts.n_pairs,
            "transitions": counts.n_transitions,
            "normal_states": counts.n_normal,
            "depth": counts.depth,
            "full_pairs": counts.n_full.map(|n| n.to_string()),
        })
    });
    let symmetry = assertion.symmetry.as_ref().map(|found| {
        let refused = found.refused.iter();
        let refused = refused.map(|(name, why)| json!({ "candidate": name, "reason": why }));
        json!({
            "group_order": found.order,
            "strategy": found.strategy,
            "generators": found.generators,
            "rejected": refused.collect::<Vec<_>>(),
        })
    });
    json!({
        "name": assertion.text,
        "number": assertion.number,
        "line": assertion.line,
        "kind": assertion.kind,
        "model": assertion.model,
        "negated": assertion.is_negated,
        "verdict": assertion.verdict.word(),
        "reason": assertion.reason,
        "group_without_it": null,
        "components": assertion.components,
        "symmetry": symmetry,
        "counts": counts,
        "audit": assertion.audit,
        "self_check": assertion.self_check,
        "time_s": seconds(assertion.elapsed),
        "message": assertion.shown.as_ref().map(|shown| &shown.message),
        "witness": assertion.shown.as_ref().map(witness),
    })
}

fn witness(shown: &Shown) -> Value {
    let end = shown.end.iter();
    let end: Vec<Value> = end
        .map(|end| {
            let (line, file) = place(end.place.as_ref());
            json!({ "component": end.name, "process": end.process, "line": line, "file": file })
        })
        .collect();
    json!({
        "kind": shown.kind,
        "trace": shown.trace,
        "steps": steps(&shown.steps),
        "loop_from": shown.loop_from,
        "event": shown.event,
        "offered": shown.offered,
        "allowed": shown.allowed,
        "end": end,
        "other": shown.other.as_deref().map(steps),
    })
}

/// Components may have the same name, so their parts are a list.
fn steps(all: &[Step]) -> Vec<Value> {
    let step = |step: &Step| {
        let parts = step.parts.iter();
        let parts: Vec<Value> = parts
            .map(|part| {
                let (line, file) = place(part.place.as_ref());
                json!({ "component": part.name, "event": part.event, "line": line, "file": file })
            })
            .collect();
        json!({ "event": step.event, "parts": parts })
    };
    all.iter().map(step).collect()
}

/// A line, and its file if that is not the script itself.
fn place(place: Option<&Place>) -> (Option<u32>, Option<&str>) {
    (place.map(|p| p.line), place.and_then(|p| p.file.as_deref()))
}

/// Seconds, to the microsecond.
fn seconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e6
}
