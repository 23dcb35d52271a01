//! `--time`: an answer in time, or exit code 3.

use crate::command::{json, run};

/// Rooks on a board: every vertex looks like every other, and the search has to branch.
fn rook_graph(side: usize) -> String {
    let mut lines = Vec::new();
    for x in 0..side * side {
        let (row, column) = (x / side, x % side);
        lines.extend((column + 1..side).map(|c| format!("e {} {}", x + 1, row * side + c + 1)));
        lines.extend((row + 1..side).map(|r| format!("e {} {}", x + 1, r * side + column + 1)));
    }
    format!(
        "p edge {} {}\n{}\n",
        side * side,
        lines.len(),
        lines.join("\n")
    )
}

/// The symmetries of a polygon with 300 corners.
fn polygon() -> String {
    let turn: Vec<String> = (1..=300).map(|x| x.to_string()).collect();
    let mirror = (2..=150).map(|x| format!("({x} {})", 302 - x));
    format!("({})\n{}\n", turn.join(" "), mirror.collect::<String>())
}

#[test]
fn a_graph_that_takes_longer_is_unknown() {
    let graph = rook_graph(40);
    let (code, out, err) = run("graph - --time 0.001", graph.as_bytes());
    assert_eq!((code, err.as_str()), (3, ""), "{out}");
    assert_eq!(out, "unknown         the time limit came first\n");
    for line in ["graph - --time 0.001", "graph - --canonical --time 0.001"] {
        let object = json(line, graph.as_bytes());
        assert_eq!(object["stop_reason"], "time");
        assert!(
            object["order"].is_null() && object["canonical"].is_null(),
            "{object}"
        );
    }
}

#[test]
fn a_group_that_takes_longer_is_unknown() {
    // Either the search for the stabiliser stops, or the whole command is left behind.
    let line = "group - --set-stabiliser 1,2,5 --time 0.001";
    let (code, out, err) = run(line, polygon().as_bytes());
    assert_eq!((code, err.as_str()), (3, ""), "{out}");
    assert!(
        out.contains("unknown") && out.contains("the time limit came first"),
        "{out}"
    );
    let object = json(line, polygon().as_bytes());
    assert_eq!(object["stop_reason"], "time");
    assert!(object["set_stabiliser"].is_null(), "{object}");
}

#[test]
fn enough_time_changes_nothing() {
    for (line, input) in [
        ("group - --set-stabiliser 1,2,5", polygon()),
        ("group - --contains '(1 2)'", polygon()),
        ("graph -", rook_graph(5)),
        ("graph - --canonical", rook_graph(5)),
    ] {
        let plain = run(line, input.as_bytes());
        let limited = run(&format!("{line} --time 3600"), input.as_bytes());
        assert_eq!(plain, limited, "{line}");
    }
}

#[test]
fn a_time_that_is_none_is_refused() {
    for (command, time) in [
        ("group '(1 2)'", "soon"),
        ("graph path.col", "nan"),
        ("graph path.col", "1e9"),
    ] {
        let (code, out, err) = run(&format!("{command} --time {time}"), b"");
        assert_eq!((code, out.as_str()), (2, ""), "{command} {time}");
        assert!(
            err.contains("`--time` needs something like 30s, 5m or 2h"),
            "{err}"
        );
    }
}
