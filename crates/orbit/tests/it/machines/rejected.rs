//! Machines that are wrong, in `models/b/reject`, through the binary.
//!
//! `refuse:` and `fail:` lines of their headers are messages with exit code 2; `unknown:` names the
//! operation whose ways cannot all be tried, with exit code 3.

use super::expect::lines;
use super::models;
use crate::command::{json, run};

/// Whether a message in that line is what a line of a header asks for.
fn is_meant(message: &str, line: Option<u64>, gist: &str) -> bool {
    let mut words = gist.split_whitespace().peekable();
    let wanted = words.next_if(|word| word.bytes().all(|b| b.is_ascii_digit()));
    let there = wanted.is_none_or(|wanted| line == wanted.parse().ok());
    there && words.all(|word| message.contains(word))
}

/// What differs from what a machine's header expects.
fn differences(path: &str, text: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let (code, out, err) = run(&format!("check '{path}'"), b"");
    let told = json(&format!("check '{path}'"), b"");
    for gist in lines(text, "unknown") {
        let words = told["properties"].to_string();
        let reasons = ["cannot enumerate", "cannot be listed"];
        let has_reason = reasons.iter().any(|reason| words.contains(reason));
        if code != 3 || !out.contains(gist) || !has_reason {
            wrong.push(format!("exit {code}, not unknown for {gist}\n{out}{words}"));
        }
    }
    let refused = lines(text, "refuse");
    let failed = lines(text, "fail");
    if refused.is_empty() && failed.is_empty() {
        return wrong;
    }
    if code != 2 || !out.is_empty() {
        wrong.push(format!("exit {code}\n{out}{err}"));
    }
    let all = told["diagnostics"].as_array().cloned().unwrap_or_default();
    for gist in refused {
        let meant = |found: &&serde_json::Value| {
            let message = found["message"].as_str().unwrap_or_default();
            let label = &found["labels"][0];
            found["severity"] == "error" && is_meant(message, label["line"].as_u64(), gist)
        };
        if !all.iter().any(|found| meant(&found)) {
            wrong.push(format!("no error `{gist}`\n{err}"));
        }
    }
    // What is found when sets get sizes and constants get values has a place as well.
    for gist in failed {
        let located = all.iter().any(|found| found["labels"][0]["line"].is_u64());
        let is_told = gist
            .split_whitespace()
            .all(|word| err.to_lowercase().contains(&word.to_lowercase()));
        if !located || !is_told {
            wrong.push(format!("no located message of `{gist}`\n{err}"));
        }
    }
    wrong
}

#[test]
fn wrong_machines_are_refused_with_a_place() {
    let mut wrong = Vec::new();
    let mut n = 0;
    for entry in std::fs::read_dir(models().join("reject")).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.ends_with("orbit.toml") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a readable machine");
        let name = path.display().to_string();
        let has_header = ["refuse", "fail", "unknown"]
            .iter()
            .any(|w| !lines(&text, w).is_empty());
        n += usize::from(has_header);
        let found = differences(&name, &text);
        wrong.extend(found.into_iter().map(|words| format!("{name}: {words}")));
    }
    assert!(n > 20, "{n} machines");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn a_machine_that_is_not_refused_is_noticed() {
    let right = models().join("scheduler.mch").display().to_string();
    assert!(!differences(&right, "refuse: 3 nothing").is_empty());
    assert!(!differences(&right, "fail: nothing").is_empty());
    assert!(!differences(&right, "unknown: nothing").is_empty());
    assert!(is_meant("`n` twice", Some(10), "10 n twice"));
    assert!(!is_meant("`n` twice", Some(11), "10 n twice"));
}
