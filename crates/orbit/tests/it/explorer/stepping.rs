//! States, moves and checks, as the page asks for them.

use super::Explorer;
use serde_json::{Value, json};

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

#[test]
fn states_are_those_of_the_model_in_every_language() {
    for (words, counted) in [
        (
            &["mutex.pml"][..],
            Some("check mutex.pml --plain --no-symmetry"),
        ),
        (
            &["phonebook.mch", "--default-set-size", "2"],
            Some("check phonebook.mch --default-set-size 2 --no-symmetry"),
        ),
        // The process of the first assertion: nobody is in, or one of two users.
        (&["lock.csp"], None),
    ] {
        let explorer = Explorer::new(words);
        let n_states = counted.map_or(3, |line| {
            crate::command::json(line, b"")["counts"]["states"]
                .as_u64()
                .expect("a count")
        });
        let starts = explorer.get("/api/start")["starts"].clone();
        let mut waiting: Vec<Value> = list(&starts).to_vec();
        let mut seen: Vec<u64> = Vec::new();
        while let Some(state) = waiting.pop() {
            let id = state["id"].as_u64().expect("a number");
            if seen.contains(&id) {
                continue;
            }
            seen.push(id);
            for mv in list(&state["moves"]) {
                assert!(!list(&mv["steps"]).is_empty(), "{words:?}: {mv}");
                let to = mv["to"].as_u64().expect("a state");
                let next = explorer.get(&format!("/api/state/{to}"));
                assert_eq!(next["id"], mv["to"]);
                waiting.push(next);
            }
        }
        assert_eq!(seen.len() as u64, n_states, "{words:?}");
        let picture = explorer.get("/api/seen?current=0");
        assert_eq!(picture["n"], seen.len(), "{words:?}");
        let svg = picture["svg"].as_str().expect("a picture");
        assert_eq!(
            svg.matches("<g class=\"node").count(),
            seen.len(),
            "{words:?}"
        );
    }
}

#[test]
fn a_counterexample_can_be_followed() {
    for words in [
        &["broken.pml"][..],
        &["starve.pml"],
        &["phonebook_wrong.mch"],
    ] {
        let explorer = Explorer::new(words);
        let done = explorer.job("/api/check", "{}");
        let result = &done["result"];
        assert_eq!(result["verdict"], "violated", "{words:?}: {done}");
        let violated = list(&result["properties"])
            .iter()
            .find(|p| p["witness"].is_object());
        let run = &violated.expect("a run")["witness"]["steps"];
        let body = json!({ "steps": run }).to_string();
        let followed = explorer.ask("POST", "/api/follow", &body).object();
        assert_eq!(followed["missing"], Value::Null, "{words:?}: {followed}");
        let path = list(&followed["path"]);
        let n_steps: usize = path
            .iter()
            .map(|each| list(&each["move"]["steps"]).len())
            .sum();
        assert_eq!(n_steps, list(run).len() - 1, "{words:?}");
        // A step that is not there is told, and the states before it are kept.
        let mut wrong = run.clone();
        wrong[1]["step"] = json!("no such step");
        let body = json!({ "steps": wrong }).to_string();
        let followed = explorer.ask("POST", "/api/follow", &body).object();
        let missing = followed["missing"].as_str().expect("a reason");
        assert!(missing.contains("no such step"), "{missing}");
        assert_eq!(list(&followed["path"]).len(), 1);
    }
}

#[test]
fn checks_have_the_answer_of_the_command() {
    let explorer = Explorer::new(&["lock.pml"]);
    let done = explorer.job("/api/check", "{}");
    let command = crate::command::json("check lock.pml", b"");
    for key in ["verdict", "properties", "symmetry"] {
        let without = |value: &Value| {
            let mut value = value.clone();
            for property in value.as_array_mut().into_iter().flatten() {
                property["time_s"] = Value::Null;
            }
            value
        };
        assert_eq!(
            without(&done["result"][key]),
            without(&command[key]),
            "{key}"
        );
    }
    let formula = explorer.job("/api/check", "{\"formula\":\"<> false\",\"logic\":\"ltl\"}");
    assert_eq!(formula["result"]["verdict"], "violated", "{formula}");
    assert!(!formula["charts"].as_object().expect("charts").is_empty());
    let wrong = explorer.job("/api/check", "{\"formula\":\"[] (\",\"logic\":\"ltl\"}");
    assert!(
        wrong["error"].is_string() && wrong["result"].is_null(),
        "{wrong}"
    );
    let symmetry = explorer.job("/api/symmetry", "{}");
    assert!(symmetry["result"]["generators"].is_array(), "{symmetry}");
}

#[test]
fn names_with_markup_stay_names() {
    let folder = crate::command::Folder::new("markup");
    let text = "mtype = {a}; byte x; active proctype p() { printf(\"<script>alert(1)</script>\"); \
                x = 1; assert(x < 1) } /* </script><img src=x onerror=alert(2)> */";
    let file = folder.write("<b>&\"'.pml", text);
    let explorer = Explorer::new(&[&file]);
    let client = super::http::Client::new(explorer.port);
    let page = client.ask("GET", &format!("/?token={}", explorer.token), &[], "");
    assert_eq!(page.status, 200);
    assert!(!page.body.contains("<img") && !page.body.contains("<script>alert"));
    assert_eq!(page.body.matches("<script").count(), 2);
    let done = explorer.job("/api/check", "{}");
    for (name, chart) in done["charts"].as_object().expect("charts") {
        let chart = chart.as_str().expect("SVG");
        assert!(
            !chart.contains("<script") && chart.contains("&lt;script"),
            "{name}"
        );
    }
}
