//! A summary for programs: one object, everything in it, nothing cut.
//!
//! ```text
//! { "model": { "path", "language", "defines" },
//!   "verdict": "holds | violated | unknown", "scope": { "kind": "this_size" },
//!   "stop_reason": null | "memory" | …,
//!   "not_checked": [ names of properties that were switched off; their verdict is "not checked" ],
//!   "properties": [ { "name", "kind", "verdict", "reason", "notes", "group_without_it": null | n,
//!                     "group_order", "fairness", "safety", "automaton_states", "counts",
//!                     "time_s" (these six where a search was made for it alone),
//!                     "message", "step", "line", "n_seen", "witness", "others": […] } ],
//!   "notes": [ words ],
//!   "symmetry": null | { "group_order", "structure", "generators", "strategy", "exact",
//!                        "guarantee": "exact | approximate | lossy",
//!                        "sorts": [ { "name", "members", "origin", "moves" } ],
//!                        "rejected": [ { "candidate", "reason", "line": null | n } ] },
//!   "counts": { "states", "transitions", "depth", "errors", "full_states": null | n,
//!               "full_states_reason": null | words, "stored_states", "stored_transitions",
//!               "visible": null | { "states", "transitions" } (without hidden variables),
//!               "pairs": n, with a refinement only },
//!   "time_s": { "total", "load", "detect": null | t, "search", "reduce": null | t, "store",
//!               "successors" },
//!   "memory": { "peak_bytes", "bytes_per_state" },
//!   "unreached": null | [ { "by", "step", "line" } ] }
//! ```
//!
//! A step that stands in another file than the model has a `file`; one out of an inline or
//! macro has its uses as `called_from`, from inside out, and its line is that of the body.
//!
//! A witness is `{ "steps": […], "loop_from": null | n, "moves", "end": {…}, "locations": {…},
//! "because": {…} }`, where a run that goes round for ever does so from the step `loop_from` on
//! (counted from 0, the initial state included; one behind the last if nothing moves any more), the
//! last three with the values and next statements of the state in which it
//! ends, and with the values that what is wrong there depends on. Its first step is
//! the initial state, with all values as changes; what a step took away has the value null. The
//! truth of the atoms of a formula after each step is `atoms`, in the order of the property's;
//! where the formula fails along the run is `why`, from the formula down to its atoms: after which
//! step, which part of it, in words. The first violation of a property stands in it directly,
//! further ones in `others`, in the same form; a run that shows that a property holds stands in it
//! likewise.
//! What nobody measured or computed yet is null.

use crate::summary::{Property, Rejected, Sort, Summary, Symmetry, Violated, reason_word};
use check::{Guarantee, Witness, WitnessStep};
use serde_json::{Map, Value, json};
use std::time::Duration;
use system::{StepText, Within};

/// The fields of a summary, in the order in which people read them.
pub fn json(summary: &Summary) -> Map<String, Value> {
    let model = &summary.model;
    let mut fields = json!({
        "model": { "path": model.path, "language": model.language, "defines": model.defines },
        "verdict": summary.verdict.word(),
        "scope": summary.scope.json(),
        "stop_reason": summary.stop_reason.map(reason_word),
        "not_checked": summary.not_checked(),
        "properties": summary.properties.iter().map(property).collect::<Vec<_>>(),
        "symmetry": summary.symmetry.as_ref().map(symmetry),
        "notes": summary.notes,
        "audit": summary.audit,
        "self_check": summary.self_check,
        "counts": {
            "states": summary.counts.n_states,
            "transitions": summary.counts.n_transitions,
            "depth": summary.counts.depth,
            "errors": summary.n_errors,
            "full_states": summary.symmetry.as_ref().and_then(full_states),
            "full_states_reason": summary.symmetry.as_ref().and_then(full_states_reason),
            "visible": summary.visible.as_ref().map(|seen| json!({
                "states": seen.n_states, "transitions": seen.n_transitions,
            })),
            "stored_states": summary.counts.n_states,
            "stored_transitions": summary.counts.n_transitions,
        },
        "time_s": {
            "total": seconds(summary.times.total),
            "load": seconds(summary.times.load),
            "detect": summary.symmetry.as_ref().map(|found| seconds(found.detect)),
            "search": seconds(summary.times.search),
            "reduce": summary.symmetry.as_ref().map(|_| seconds(summary.times.reduce)),
            "store": seconds(summary.times.store),
            "successors": seconds(summary.times.successors),
        },
        "memory": {
            "peak_bytes": summary.peak_bytes,
            "bytes_per_state": summary.bytes_per_state.map(|bytes| (bytes * 10.0).round() / 10.0),
        },
        "unreached": summary.unreached.as_ref().map(|steps| {
            steps.iter().map(step_place).collect::<Vec<_>>()
        }),
    });
    if let Some(n_pairs) = summary.n_pairs {
        fields["counts"]["pairs"] = json!(n_pairs);
    }
    match fields {
        Value::Object(fields) => fields,
        _ => unreachable!("an object was written"),
    }
}

fn symmetry(found: &Symmetry) -> Value {
    let mut fields = json!({
        "group_order": found.order,
        "structure": found.structure,
        "generators": found.generators,
        "strategy": found.strategy,
        "exact": found.guarantee == Guarantee::Exact,
        "guarantee": found.guarantee.word(),
    });
    if let Some(details) = &found.details {
        fields["sorts"] = details.sorts.iter().map(sort).collect();
        fields["rejected"] = details.rejected.iter().map(rejected).collect();
    }
    fields
}

/// A set of numbers as an object.
pub fn sort(sort: &Sort) -> Value {
    json!({
        "name": sort.name, "members": sort.members, "origin": sort.origin, "moves": sort.moves,
    })
}

/// What is no symmetry, as an object.
pub fn rejected(rejected: &Rejected) -> Value {
    let line = (rejected.line > 0).then_some(rejected.line);
    json!({ "candidate": rejected.candidate, "reason": rejected.reason, "line": line })
}

/// A number where it fits into one.
fn full_states(found: &Symmetry) -> Option<Value> {
    let digits = found.full_states.as_ref()?.as_ref().ok()?;
    Some(
        digits
            .parse::<u64>()
            .map_or_else(|_| json!(digits), |n| json!(n)),
    )
}

/// Why that number is not known, where it was asked for.
fn full_states_reason(found: &Symmetry) -> Option<&String> {
    found.full_states.as_ref()?.as_ref().err()
}

fn property(property: &Property) -> Value {
    let mut fields = Map::new();
    fields.insert("name".to_owned(), json!(property.name));
    fields.insert("kind".to_owned(), json!(property.kind));
    fields.insert("verdict".to_owned(), json!(property.verdict.word()));
    fields.insert("reason".to_owned(), json!(property.reason));
    fields.insert("notes".to_owned(), json!(property.notes));
    let members = property.members.iter().map(|members| {
        json!({
            "name": members.name, "checked": members.checked, "answered": members.all,
            "verdict": members.verdict.word(), "group_order": members.order,
            "group_of_members": members.order_without,
        })
    });
    let members: Vec<Value> = members.collect();
    fields.insert("members".to_owned(), json!(members));
    if !property.atoms.is_empty() {
        fields.insert("atoms".to_owned(), json!(property.atoms));
    }
    let search = property.search.as_ref();
    let without = search.and_then(|search| search.order_without.as_ref());
    fields.insert("group_without_it".to_owned(), json!(without));
    if let Some(search) = search {
        fields.insert("group_order".to_owned(), json!(search.order));
        fields.insert("fairness".to_owned(), json!(search.fairness));
        if property.kind != "ctl" {
            fields.insert("safety".to_owned(), json!(search.is_safety));
            fields.insert("automaton_states".to_owned(), json!(search.n_claim_states));
        }
        let counts = json!({
            "states": search.counts.n_states,
            "transitions": search.counts.n_transitions,
            "depth": search.counts.depth,
        });
        fields.insert("counts".to_owned(), counts);
        fields.insert("time_s".to_owned(), json!(seconds(search.elapsed)));
    }
    let first = property.violations.first().or(property.shown.as_ref());
    fields.extend(first.map(violated).unwrap_or_default());
    fields.entry("witness").or_insert(Value::Null);
    let others = property.violations.iter().skip(1);
    let others: Vec<Value> = others.map(violated).map(Value::Object).collect();
    fields.insert("others".to_owned(), json!(others));
    Value::Object(fields)
}

fn violated(violated: &Violated) -> Map<String, Value> {
    let mut fields = Map::new();
    let (step, line) = violated.step.clone().unzip();
    // What was typed on the command line has no line.
    let line = line.filter(|line| *line > 0);
    fields.insert("message".to_owned(), json!(violated.message));
    fields.insert("step".to_owned(), json!(step));
    fields.insert("line".to_owned(), json!(line));
    fields.extend(within(&violated.within).map(|(name, value)| (name.to_owned(), value)));
    fields.insert("n_seen".to_owned(), json!(violated.n_seen));
    fields.insert("witness".to_owned(), witness(&violated.witness));
    if !violated.why.is_empty() {
        let why = violated.why.iter().map(
            |reason| json!({ "step": reason.step, "formula": reason.formula, "text": reason.text }),
        );
        fields.insert("why".to_owned(), why.collect());
    }
    fields
}

fn witness(witness: &Witness) -> Value {
    let mut initial = json!({
        "by": null,
        "step": "initial state",
        "line": null,
        "changes": values(witness.start()),
    });
    if !witness.atoms_at_start().is_empty() {
        initial["atoms"] = json!(witness.atoms_at_start());
    }
    let steps = witness.steps().iter().map(step);
    let steps: Vec<Value> = std::iter::once(initial).chain(steps).collect();
    json!({
        "steps": steps,
        "loop_from": witness.loop_from().map(|step| step + 1),
        "moves": witness.n_moves(),
        "end": values(witness.end()),
        "locations": values(witness.places()),
        "because": values(witness.reasons()),
    })
}

fn step(step: &WitnessStep) -> Value {
    let mut fields = step_place(&step.text);
    let changes = step.changes.iter();
    let changes = changes.map(|change| (change.name.clone(), json!(change.after)));
    fields["changes"] = Value::Object(changes.collect());
    if !step.printed.is_empty() {
        fields["prints"] = json!(step.printed);
    }
    if !step.atoms.is_empty() {
        fields["atoms"] = json!(step.atoms);
    }
    fields
}

/// The file of a step that does not stand in that of the model, and the uses around it.
/// The file of a statement, and the calls of inlines and macros around it, where there are such.
pub fn within(within: &Within) -> impl Iterator<Item = (&'static str, Value)> {
    let file = within.file.iter().map(|file| ("file", json!(file)));
    let calls = Some(&within.calls).filter(|calls| !calls.is_empty());
    file.chain(calls.map(|calls| ("called_from", json!(calls))))
}

fn step_place(text: &StepText) -> Value {
    let mut fields = json!({ "by": text.by, "step": text.step, "line": text.line });
    for (name, value) in within(&text.within) {
        fields[name] = value;
    }
    fields
}

fn values(parts: &[(String, String)]) -> Value {
    let parts = parts.iter();
    Value::Object(
        parts
            .map(|(name, value)| (name.clone(), json!(value)))
            .collect(),
    )
}

/// Seconds, to the microsecond.
fn seconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e6
}
