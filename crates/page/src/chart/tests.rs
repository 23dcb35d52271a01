//! Charts of runs whose arrows are known.

use super::arrange::{Chart, STEPS_MAX, arrange};
use super::{ChartedRun, of};
use serde::Deserialize;
use serde_json::{Value, json};

fn step(by: &str, process: u32, text: &str, message: Value) -> Value {
    json!({ "by": by, "process": process, "step": text, "message": message })
}

fn message(transfer: &str, channel: &str, content: &str) -> Value {
    json!({ "transfer": transfer, "channel": channel, "content": content })
}

fn run(steps: &[Value]) -> Value {
    let start = json!({ "step": "initial state" });
    let steps: Vec<&Value> = std::iter::once(&start).chain(steps).collect();
    json!({ "steps": steps })
}

fn arranged(run: &Value) -> Chart {
    arrange(&ChartedRun::deserialize(run).expect("a run"))
}

fn arrows(chart: &Chart) -> Vec<(Option<usize>, Option<usize>)> {
    let row = |place: Option<(usize, usize)>| place.map(|(row, _)| row);
    let arrows = chart.arrows.iter();
    arrows.map(|a| (row(a.from), row(a.to))).collect()
}

#[test]
fn a_receive_gets_the_oldest_message_with_its_content() {
    let chart = arranged(&run(&[
        step("A(0)", 0, "c!1", message("send", "c", "1")),
        step("A(0)", 0, "c!2", message("send", "c", "2")),
        step("A(0)", 0, "c!1", message("send", "c", "1")),
        step("A(0)", 0, "d!1", message("send", "d", "1")),
        step("B(1)", 1, "c??2", message("receive", "c", "2")),
        step("B(1)", 1, "c?x", message("receive", "c", "1")),
        step("B(1)", 1, "e?x", message("receive", "e", "7")),
    ]));
    let expected = [
        (Some(0), Some(5)),
        (Some(1), Some(4)),
        (Some(2), None),
        (Some(3), None),
        (None, Some(6)),
    ];
    assert_eq!(arrows(&chart), expected);
}

#[test]
fn what_is_only_looked_at_can_be_received_later() {
    let mut look = message("receive", "c", "1");
    look["stays"] = json!(true);
    let chart = arranged(&run(&[
        step("A(0)", 0, "c!1", message("send", "c", "1")),
        step("B(1)", 1, "c?<x>", look),
        step("B(1)", 1, "c?x", message("receive", "c", "1")),
    ]));
    assert_eq!(arrows(&chart), [(Some(0), Some(2)), (Some(0), Some(1))]);
    assert!(chart.arrows[1].stays);
}

#[test]
fn both_halves_of_a_rendezvous_are_one_row() {
    let half = |transfer: &str, content: Value| {
        let mut half = json!({ "transfer": transfer, "channel": "r", "rendezvous": true });
        half["content"] = content;
        half
    };
    let chart = arranged(&run(&[
        step("B(1)", 1, "x++", Value::Null),
        step("A(0)", 0, "r!1", half("send", json!("1"))),
        step("B(1)", 1, "r?x", half("receive", Value::Null)),
    ]));
    assert_eq!(chart.rows.len(), 2);
    assert_eq!(chart.rows[1].steps, [2, 3]);
    assert_eq!(chart.lanes, ["A(0)", "B(1)"]);
    assert_eq!(arrows(&chart), [(Some(1), Some(1))]);
}

#[test]
fn an_event_has_all_that_take_part() {
    let parts = json!([{ "component": "P" }, { "component": "Q" }, { "component": "R" }]);
    let chart = arranged(&run(&[json!({ "step": "a.1", "parts": parts })]));
    assert_eq!(chart.lanes, ["P", "Q", "R"]);
    assert_eq!(chart.rows[0].lanes, [0, 1, 2]);
}

#[test]
fn a_loop_has_its_first_and_last_row() {
    let mut one = run(&[
        step("A(0)", 0, "x++", Value::Null),
        step("A(0)", 0, "x--", Value::Null),
        step("A(0)", 0, "x++", Value::Null),
    ]);
    one["loop_from"] = json!(2);
    assert_eq!(arranged(&one).repeated, Some((1, 2)));
    // What stays for ever where it ends has no row.
    one["loop_from"] = json!(4);
    assert_eq!(arranged(&one).repeated, None);
}

#[test]
fn long_runs_are_cut_in_the_middle_and_say_so() {
    let steps = vec![step("A(0)", 0, "x++", Value::Null); STEPS_MAX + 100];
    let chart = arranged(&run(&steps));
    assert_eq!(chart.n_left_out, 100);
    assert_eq!(chart.rows.len(), STEPS_MAX + 1);
    let svg = of(&run(&steps)).expect("a chart");
    assert!(svg.contains("100 steps are not drawn"));
}

#[test]
fn names_with_markup_are_text() {
    let hostile = "<script>alert(1)</script>\"'&";
    let svg = of(&run(&[step(
        hostile,
        0,
        hostile,
        message("send", hostile, hostile),
    )]));
    let svg = svg.expect("a chart");
    assert!(!svg.contains("<script"));
    assert!(svg.contains("&lt;script&gt;"));
}

#[test]
fn what_is_no_run_has_no_chart() {
    assert_eq!(of(&json!({ "steps": 7 })), None);
    assert_eq!(of(&run(&[])), None);
}

#[test]
fn a_block_that_sends_is_known_by_what_is_in_the_channel() {
    let block = |by: &str, process: u32, queue: &str| {
        let mut block = step(by, process, "d_step { … }", Value::Null);
        block["changes"] = json!({ "c": queue });
        block
    };
    let mut one = run(&[
        block("A(0)", 0, "<1>"),
        block("A(0)", 0, "<1><2>"),
        block("B(1)", 1, "<2>"),
    ]);
    one["steps"][0]["changes"] = json!({ "c": "empty" });
    assert_eq!(
        arrows(&arranged(&one)),
        [(Some(0), Some(2)), (Some(1), None)]
    );
}
