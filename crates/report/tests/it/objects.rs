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

#[test]
fn everything_is_in_the_object() {
    let open = |name: &str| {
        value!({
            "name": name, "kind": name, "verdict": "unknown",
            "reason": "the search stopped at another error",
            "notes": [], "members": [], "group_without_it": null, "witness": null, "others": [],
        })
    };
    let steps = value!([
        { "by": null, "step": "initial state", "line": null, "changes": { "n": "0" } },
        { "by": "P (0)", "step": "n++; last = _pid", "line": 7,
          "changes": { "n": "1", "last": "0" } },
        { "by": "P (0)", "step": "assert(n\n   < limit)", "line": 8, "changes": {} },
    ]);
    let expected = value!({
        "model": { "path": "count.pml", "language": "promela", "defines": ["N=2"] },
        "verdict": "violated", "scope": { "kind": "this_size" },
        "stop_reason": null, "not_checked": [],
        "properties": [
            open("deadlock"),
            open("assertions"),
            {
                "name": "faults", "kind": "faults", "verdict": "violated", "reason": null,
                "notes": [], "members": [], "group_without_it": null,
                "message": "array index out of bounds", "step": "assert(n < limit)", "line": 8,
                "n_seen": 1,
                "witness": { "steps": steps, "loop_from": null, "moves": 1,
                             "end": { "n": "1", "last": "0" },
                             "locations": { "Counter": "line 1: count" },
                             "because": {} },
                "others": [],
            },
        ],
        "symmetry": null,
        "notes": [],
        "audit": null,
        "self_check": null,
        "counts": { "states": 1, "transitions": 1, "depth": 0, "errors": 1, "full_states": null,
                    "full_states_reason": null, "visible": null,
                    "stored_states": 1, "stored_transitions": 1 },
        "time_s": { "total": 0.012, "load": 0.002, "detect": null, "search": 0.01,
                    "reduce": null, "store": 0.002, "successors": 0.008 },
        "memory": { "peak_bytes": 123456, "bytes_per_state": 15.3 },
        "unreached": null,
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
    assert_eq!(deadlock["witness"]["steps"][2]["prints"], "counted\n");
    assert_eq!(deadlock["line"], Value::Null);
    assert_eq!(deadlock["n_seen"], 2);
    let unreached = value!([{ "by": "P (0)", "step": "n = 0", "line": 11 }]);
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
