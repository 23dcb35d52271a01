//! What programs read.

use crate::counter::{Counter, OPTIONS, summary};
use check::Options;
use report::json;
use serde_json::{Value, json as value};
use system::FaultKind;

fn object(counter: &Counter, options: &Options<'_>) -> Value {
    Value::Object(json(&summary(counter, options)))
}

const FAILS: Counter = Counter {
    limit: 4,
    fault: Some((1, FaultKind::Index)),
    rests: false,
};

/// A property of which nothing is told but its name and verdict.
fn property(name: &str, verdict: &str, reason: Option<&str>) -> Value {
    value!({
        "name": name, "kind": name, "number": null, "line": null, "negated": false,
        "semantics": null, "verdict": verdict, "reason": reason, "notes": [], "members": [],
        "atoms": [], "components": [], "group_without_it": null, "group_order": null,
        "symmetry": null, "fairness": null, "safety": null, "automaton_states": null,
        "counts": null, "audit": null, "self_check": null, "time_s": null, "message": null,
        "step": null, "n_seen": null, "file": null, "called_from": [], "witness": null,
        "why": [], "others": [],
    })
}

fn step(by: &str, text: &str, line: u32, changes: Value) -> Value {
    value!({
        "by": by, "process": 0, "step": text, "line": line, "file": null, "called_from": [],
        "changes": changes, "printed": "", "atoms": [], "parts": [], "message": null,
        "watched": null,
    })
}

#[test]
fn everything_is_in_the_object() {
    let open = |name: &str| property(name, "unknown", Some("the search stopped at another error"));
    let mut initial = step("", "initial state", 0, value!({ "n": "0" }));
    for key in ["by", "process", "line"] {
        initial[key] = Value::Null;
    }
    let counted = step(
        "P (0)",
        "n++; last = _pid",
        7,
        value!({ "n": "1", "last": "0" }),
    );
    let wrong = step("P (0)", "assert(n\n   < limit)", 8, value!({}));
    let mut faults = property("faults", "violated", None);
    faults["message"] = "array index out of bounds".into();
    faults["step"] = "assert(n < limit)".into();
    faults["line"] = 8.into();
    faults["n_seen"] = 1.into();
    faults["witness"] = value!({
        "kind": null, "steps": [initial, counted, wrong], "loop_from": null, "moves": 1,
        "end": { "n": "1", "last": "0" }, "locations": { "Counter": "line 1: count" },
        "because": {}, "trace": null, "event": null, "offered": null, "allowed": [],
        "other": null,
        "representatives": [],
    });
    let expected = value!({
        "orbit": report::object::VERSION,
        "model": { "path": "count.pml", "language": "promela", "defines": ["N=2"],
                   "rules": null, "process": null, "set_sizes": {}, "sets": [],
                   "constants": null },
        "verdict": "violated",
        "scope": { "kind": "this_size", "depth": null, "at_least": null, "at_most": null },
        "stop_reason": null, "reason": null, "not_checked": [],
        "properties": [open("deadlock"), open("assertions"), faults],
        "symmetry": null,
        "notes": [],
        "audit": null,
        "self_check": null,
        "counts": { "states": 1, "transitions": 1, "depth": 0, "errors": 1, "full_states": null,
                    "full_states_reason": null, "orbits": null, "partitions": null, "choices": null,
                    "visible": null, "stored_states": 1,
                    "stored_transitions": 1, "pairs": null, "normal_states": null },
        "time_s": { "total": 0.012, "load": 0.002, "detect": null, "search": 0.01,
                    "reduce": null, "store": 0.002, "successors": 0.008 },
        "memory": { "peak_bytes": 123456, "bytes_per_state": 15.3 },
        "native": null,
        "unreached": null,
        "operations": [],
        "prints": [],
        "diagnostics": [],
    });
    assert_eq!(object(&FAILS, &OPTIONS), expected);
}

#[test]
fn what_was_printed_and_what_was_not_reached_are_given() {
    let counter = Counter {
        fault: None,
        ..FAILS
    };
    let options = Options {
        stop_after: None,
        ..OPTIONS
    };
    let object = object(&counter, &options);
    let deadlock = &object["properties"][0];
    assert_eq!(deadlock["witness"]["steps"][2]["printed"], "counted\n");
    assert_eq!(deadlock["line"], Value::Null);
    assert_eq!(deadlock["n_seen"], 2);
    let unreached = value!([{
        "by": "P (0)", "step": "n = 0", "line": 11, "file": null, "called_from": [],
    }]);
    assert_eq!(object["unreached"], unreached);
}

#[test]
fn a_limit_has_its_name() {
    let options = Options {
        memory_bytes_max: Some(0),
        ..OPTIONS
    };
    let object = object(&FAILS, &options);
    assert_eq!(object["verdict"], "unknown");
    assert_eq!(object["stop_reason"], "memory");
    let reason = "memory ran out before all states were seen";
    assert_eq!(object["properties"][0]["reason"], reason);
}
