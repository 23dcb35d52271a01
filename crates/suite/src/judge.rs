//! Whether the answer of a check is what was expected.

use crate::{Expectation, Expected};
use serde_json::Value;

/// How a check turned out beside what was expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// As expected.
    Passed,
    /// Otherwise.
    Failed,
    /// Nobody knows: a limit came first.
    Unknown,
}

impl Standing {
    /// In one word.
    pub fn word(self) -> &'static str {
        match self {
            Standing::Passed => "passed",
            Standing::Failed => "failed",
            Standing::Unknown => "unknown",
        }
    }
}

/// A check beside what was expected of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// How it turned out.
    pub standing: Standing,
    /// What was found, in words; nothing if it passed.
    pub reason: Option<String>,
    /// The verdict of the check, if it had one.
    pub verdict: Option<String>,
    /// The property that is violated although it should not be, as the check told it.
    pub violated: Option<Value>,
}

/// How a process ended.
#[derive(Clone, Copy, Debug)]
pub struct Ended<'a> {
    /// Its exit code, if no signal ended it.
    pub code: Option<i32>,
    /// What it printed.
    pub out: &'a str,
    /// What it complained of.
    pub err: &'a str,
}

/// The exit code of wrong input.
const INPUT: i32 = 2;

/// What an ended process says of an expectation.
pub fn judge(expected: &Expectation, ended: &Ended<'_>) -> Outcome {
    let object: Option<Value> = serde_json::from_str(ended.out).ok();
    let object = object.filter(|_| matches!(ended.code, Some(0..=3)));
    let Some(object) = object else {
        let first = ended.err.lines().find(|line| !line.trim().is_empty());
        let first = first.unwrap_or("it said nothing");
        return failed(
            None,
            match ended.code {
                Some(code) => format!("the check ended with {code}: {first}"),
                None => format!("the check was ended by a signal: {first}"),
            },
        );
    };
    if expected.verdict == Expected::Accepted && object["accepted"] == true {
        return Outcome {
            standing: Standing::Passed,
            reason: None,
            verdict: None,
            violated: None,
        };
    }
    let verdict = object["verdict"].as_str().map(str::to_owned);
    let wrong = list(&object["properties"]).find(|one| one["verdict"] == "violated");
    let wrong = wrong.cloned();
    if ended.code == Some(INPUT) || verdict.is_none() {
        return refused(expected, verdict, &object);
    }
    let as_expected = match expected.verdict {
        Expected::Holds => holds(expected, &object),
        Expected::Violated => violated(expected, &object),
        Expected::Refused => Err(Miss::Other("the model is right".to_owned())),
        Expected::Accepted => Err(Miss::Other("it was not only read".to_owned())),
    };
    let counted = as_expected.and_then(|()| counts(expected, &object));
    match counted {
        Ok(()) => Outcome {
            standing: Standing::Passed,
            reason: None,
            verdict,
            violated: None,
        },
        Err(Miss::Open(reason)) => Outcome {
            standing: Standing::Unknown,
            reason: Some(reason),
            verdict,
            violated: wrong,
        },
        Err(Miss::Other(reason)) => Outcome {
            violated: wrong,
            ..failed(verdict, reason)
        },
    }
}

/// Why something is not as expected.
enum Miss {
    /// It is not known.
    Open(String),
    /// It is known to be otherwise.
    Other(String),
}

fn failed(verdict: Option<String>, reason: String) -> Outcome {
    Outcome {
        standing: Standing::Failed,
        reason: Some(reason),
        verdict,
        violated: None,
    }
}

fn refused(expected: &Expectation, verdict: Option<String>, object: &Value) -> Outcome {
    let errors = list(&object["diagnostics"]).filter(|one| one["severity"] == "error");
    let first = errors.filter_map(|one| one["message"].as_str()).next();
    match (expected.verdict, first) {
        (Expected::Refused, Some(_)) => Outcome {
            standing: Standing::Passed,
            reason: None,
            verdict,
            violated: None,
        },
        (_, Some(message)) => failed(verdict, format!("refused: {message}")),
        (_, None) => failed(verdict, "refused without a message".to_owned()),
    }
}

/// The properties that are meant: those of this name, or else of this kind, or all.
fn meant<'o>(expected: &Expectation, object: &'o Value) -> Result<Vec<&'o Value>, Miss> {
    let all: Vec<&Value> = list(&object["properties"]).collect();
    let Some(name) = &expected.property else {
        return Ok(all);
    };
    for key in ["name", "kind"] {
        let own = all.iter().filter(|one| one[key] == name.as_str());
        let own: Vec<&Value> = own.copied().collect();
        if !own.is_empty() {
            return Ok(own);
        }
    }
    let there = all.iter().filter_map(|one| one["name"].as_str());
    let there = there.collect::<Vec<_>>().join(", ");
    Err(Miss::Other(format!(
        "there is no property `{name}`, but {there}"
    )))
}

fn holds(expected: &Expectation, object: &Value) -> Result<(), Miss> {
    let meant = meant(expected, object)?;
    if let Some(wrong) = meant.iter().find(|one| one["verdict"] == "violated") {
        return Err(Miss::Other(said(wrong)));
    }
    // Where nothing is named, the verdict is about everything that was asked.
    let verdict = &object["verdict"];
    let is_open = match expected.property {
        Some(_) => meant.iter().any(|one| one["verdict"] != "holds"),
        None => verdict != "holds",
    };
    if is_open {
        return Err(Miss::Open(why(object, &meant)));
    }
    Ok(())
}

fn violated(expected: &Expectation, object: &Value) -> Result<(), Miss> {
    let meant = meant(expected, object)?;
    let wrong: Vec<&&Value> = meant
        .iter()
        .filter(|one| one["verdict"] == "violated")
        .collect();
    if wrong.is_empty() {
        let all = list(&object["properties"]);
        if let Some(other) = all.into_iter().find(|one| one["verdict"] == "violated") {
            return Err(Miss::Other(format!("another property is: {}", said(other))));
        }
        if meant.iter().any(|one| one["verdict"] == "unknown") {
            return Err(Miss::Open(why(object, &meant)));
        }
        return Err(Miss::Other("it holds".to_owned()));
    }
    let has_run = |one: &&&Value| {
        !list(&one["witness"]["steps"])
            .collect::<Vec<_>>()
            .is_empty()
    };
    // Refinement of machines is shown by a message, and has no run of one model.
    let is_told = |one: &&&Value| one["kind"] == "refinement" && one["message"].is_string();
    if wrong.iter().any(|one| has_run(one) || is_told(one)) {
        Ok(())
    } else {
        Err(Miss::Other(format!("no run shows it: {}", said(wrong[0]))))
    }
}

fn counts(expected: &Expectation, object: &Value) -> Result<(), Miss> {
    let Some(wanted) = expected.n_states else {
        return Ok(());
    };
    let counted = object["counts"]["states"].as_u64();
    if counted == Some(wanted) {
        return Ok(());
    }
    let counted = counted.map_or("none".to_owned(), |n| n.to_string());
    Err(Miss::Other(format!("{counted} states, not {wanted}")))
}

/// What a property says of itself.
fn said(property: &Value) -> String {
    let text = |key: &str| property[key].as_str().unwrap_or("");
    let line = property["line"].as_u64();
    let line = line
        .map(|line| format!(" in line {line}"))
        .unwrap_or_default();
    let message = [text("message"), text("reason")]
        .into_iter()
        .find(|text| !text.is_empty());
    let verdict = text("verdict");
    format!(
        "`{}` is {verdict}{line}: {}",
        text("name"),
        message.unwrap_or(verdict)
    )
}

/// Why something is not known.
fn why(object: &Value, meant: &[&Value]) -> String {
    let open = meant.iter().find(|one| one["verdict"] != "holds");
    let reason = object["stop_reason"].as_str().or(object["reason"].as_str());
    match (reason, open) {
        (Some(reason), _) => format!("not known: {reason}"),
        (None, Some(property)) => said(property),
        (None, None) => "not known".to_owned(),
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn property(name: &str, verdict: &str, n_steps: usize) -> Value {
        let steps = vec![json!({ "step": "x" }); n_steps];
        let witness = if n_steps > 0 {
            json!({ "steps": steps })
        } else {
            Value::Null
        };
        json!({ "name": name, "kind": name, "verdict": verdict, "witness": witness })
    }

    fn answer(verdict: &str, properties: &[Value]) -> String {
        json!({
            "verdict": verdict, "properties": properties, "counts": { "states": 7 },
            "diagnostics": [], "stop_reason": null, "reason": null,
        })
        .to_string()
    }

    fn standing(verdict: Expected, property: Option<&str>, code: i32, out: &str) -> Standing {
        let expected = Expectation {
            verdict,
            property: property.map(str::to_owned),
            ..Expectation::silent()
        };
        let ended = Ended {
            code: Some(code),
            out,
            err: "",
        };
        judge(&expected, &ended).standing
    }

    #[test]
    fn what_is_expected_passes_and_nothing_else_does() {
        let good = answer("holds", &[property("deadlock", "holds", 0)]);
        let bad = [
            property("deadlock", "unknown", 0),
            property("assertions", "violated", 2),
        ];
        let bad = answer("violated", &bad);
        let open = answer("unknown", &[property("deadlock", "unknown", 0)]);
        let wrong = json!({
            "verdict": null, "diagnostics": [{ "severity": "error", "message": "syntax" }],
        })
        .to_string();
        use Expected::{Holds, Refused, Violated};
        use Standing::{Failed, Passed, Unknown};
        for (verdict, property, code, out, expected) in [
            (Holds, None, 0, &good, Passed),
            (Holds, Some("deadlock"), 0, &good, Passed),
            (Holds, Some("mutex"), 0, &good, Failed),
            (Holds, None, 1, &bad, Failed),
            (Holds, None, 3, &open, Unknown),
            (Holds, None, 2, &wrong, Failed),
            (Violated, None, 1, &bad, Passed),
            (Violated, Some("assertions"), 1, &bad, Passed),
            (Violated, Some("deadlock"), 1, &bad, Failed),
            (Violated, Some("mutex"), 1, &bad, Failed),
            (Violated, None, 0, &good, Failed),
            (Violated, None, 3, &open, Unknown),
            (Violated, None, 2, &wrong, Failed),
            (Refused, None, 2, &wrong, Passed),
            (Refused, None, 0, &good, Failed),
            (Refused, None, 1, &bad, Failed),
        ] {
            let got = standing(verdict, property, code, out);
            assert_eq!(got, expected, "{verdict:?} {property:?} {out}");
        }
    }

    #[test]
    fn a_check_that_fails_is_never_an_expected_violation() {
        let without_run = answer("violated", &[property("assertions", "violated", 0)]);
        for (code, out) in [
            (1, &*without_run),
            (70, ""),
            (1, "no JSON"),
            (101, "{}"),
            (1, ""),
        ] {
            assert_eq!(
                standing(Expected::Violated, None, code, out),
                Standing::Failed,
                "{out}"
            );
        }
        let ended = Ended {
            code: None,
            out: "",
            err: "killed",
        };
        let violated = Expectation {
            verdict: Expected::Violated,
            ..Expectation::silent()
        };
        let outcome = judge(&violated, &ended);
        assert_eq!(outcome.standing, Standing::Failed);
        assert!(
            outcome
                .reason
                .is_some_and(|why| why.contains("by a signal: killed"))
        );
    }

    #[test]
    fn counts_are_compared_where_they_are_wanted() {
        let out = answer("holds", &[property("deadlock", "holds", 0)]);
        for (n, expected) in [(7, Standing::Passed), (8, Standing::Failed)] {
            let wanted = Expectation {
                n_states: Some(n),
                ..Expectation::silent()
            };
            let ended = Ended {
                code: Some(0),
                out: &out,
                err: "",
            };
            assert_eq!(judge(&wanted, &ended).standing, expected);
        }
    }
}
