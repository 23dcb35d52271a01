//! `orbit view`: state spaces as graphs, in every language.

use crate::command::{Folder, json, run};
use serde_json::Value;

/// The machines of the tables of Turner 2007 (3.1, B.1) whose text is printed there.
const MACHINES: &str = "../../models/b";

/// Two processes that take a lock, and one wrong step.
const WRONG: &str = "bool locked; byte n;\nactive [2] proctype user() {\n  !locked; locked = true; \
                     n++; assert(n == 1); n--; locked = false\n}\n";

fn machine(name: &str, words: &str) -> Value {
    json(
        &format!("view {MACHINES}/{name}.mch --default-set-size 3 {words}"),
        b"",
    )
}

/// States, transitions; nodes, pairs of node and label, edges.
fn sizes(object: &Value) -> [u64; 5] {
    let keys = ["states", "transitions", "nodes", "node_labels", "edges"];
    keys.map(|key| object["counts"][key].as_u64().expect("a number"))
}

#[test]
fn sizes_of_signatures_are_those_that_are_printed() {
    for (name, expected) in [
        ("phonebook", [65, 433, 4, 7, 9]),
        ("scheduler", [36, 121, 8, 17, 25]),
        ("russian_postal_puzzle", [441, 1227, 9, 21, 47]),
    ] {
        let whole = machine(name, "--as signature --no-symmetry");
        assert_eq!(sizes(&whole), expected, "{name}");
        let reduced = machine(name, "--as signature");
        assert_eq!(sizes(&reduced)[2..], expected[2..], "{name}");
        assert_eq!(reduced["counts"]["full_states"], expected[0], "{name}");
    }
}

#[test]
fn sizes_of_automata_are_those_that_are_printed_and_the_corrected_ones() {
    for (name, words, expected) in [
        ("phonebook", "", [5, 10]),
        ("scheduler", "", [11, 25]),
        ("russian_postal_puzzle", "", [119, 274]),
        ("russian_postal_puzzle", "--minimise", [36, 81]),
    ] {
        for symmetry in ["", "--no-symmetry"] {
            let object = machine(name, &format!("--as dfa {words} {symmetry}"));
            assert_eq!(sizes(&object)[2..4], expected, "{name} {words} {symmetry}");
        }
    }
}

#[test]
fn states_are_those_that_a_check_counts_and_orbits_sum_up() {
    for (model, words, n_before) in [
        ("mutex.pml", "", 0),
        ("phonebook.mch", "--default-set-size 3", 1),
        ("shifts.mch", "", 1),
        ("waiting.pml", "--plain", 0),
    ] {
        let checked = |more: &str| {
            let line = format!("check {model} {words} {more} -e");
            json(&line, b"")["counts"]["states"]
                .as_u64()
                .expect("a number")
        };
        let object = json(&format!("view {model} {words} --as levels"), b"");
        assert_eq!(
            object["counts"]["states"],
            checked("") + n_before,
            "{model}"
        );
        let all = json(
            &format!("view {model} {words} --as levels --no-symmetry"),
            b"",
        );
        assert_eq!(all["counts"]["states"], checked("--no-symmetry") + n_before);
        if let Some(n_full) = object["counts"]["full_states"].as_u64() {
            assert_eq!(all["counts"]["states"], n_full, "{model}");
        }
    }
}

#[test]
fn an_error_is_marked_and_the_way_to_it_is_drawn() {
    let object = json("view - --as full", WRONG.as_bytes());
    let is = |node: &Value, kind: &str| {
        let kinds = node["kinds"].as_array().expect("a list");
        kinds.iter().any(|k| k == kind)
    };
    let nodes = object["nodes"].as_array().expect("nodes");
    assert!(nodes.iter().any(|node| is(node, "violation")), "{object}");
    assert!(is(&nodes[0], "initial"));
    let between = json("view - --between error", WRONG.as_bytes());
    let n_shown = between["counts"]["shown_states"].as_u64();
    assert!(n_shown < between["counts"]["states"].as_u64(), "{between}");
}

#[test]
fn a_space_that_is_cut_says_so_and_has_no_false_deadlocks() {
    let object = json("view mutex.pml --no-symmetry --as full --states 5", b"");
    assert_eq!(object["stop_reason"], "states");
    let nodes = object["nodes"].as_array().expect("nodes");
    let kinds: Vec<String> = nodes.iter().map(|node| node["kinds"].to_string()).collect();
    assert!(
        kinds.iter().any(|kinds| kinds.contains("unexpanded")),
        "{kinds:?}"
    );
    assert!(
        !kinds.iter().any(|kinds| kinds.contains("deadlock")),
        "{kinds:?}"
    );
    let (code, out, _) = run("view mutex.pml --states 5", b"");
    assert_eq!(code, 3, "{out}");
    assert!(out.contains("there are more than 5 states"), "{out}");
}

#[test]
fn every_format_is_written_for_every_language() {
    let folder = Folder::new("view");
    for model in ["mutex.pml", "phonebook.mch", "lock.csp"] {
        for (ending, begin) in [
            ("svg", "<svg "),
            ("dot", "digraph "),
            ("graphml", "<?xml "),
            ("json", "{\"title\":"),
            ("txt", "view "),
        ] {
            let path = folder.path(&format!("picture.{ending}"));
            let (code, out, err) = run(&format!("view {model} -o {path}"), b"");
            assert_eq!((code, err.as_str()), (0, ""), "{model} {ending}: {out}");
            let text = std::fs::read_to_string(&path).expect("it was written");
            assert!(text.starts_with(begin), "{model} {ending}: {text}");
        }
    }
}

#[test]
fn what_was_chosen_is_said_on_standard_error() {
    let (code, out, err) = run("view mutex.pml --format svg", b"");
    assert_eq!(code, 0);
    assert!(out.starts_with("<svg ") && out.ends_with("</svg>\n"));
    assert!(
        err.starts_with("view: quotient (One state of each orbit)"),
        "{err}"
    );
}

#[test]
fn states_are_seen_through_variables_and_predicates() {
    let line = format!("view {MACHINES}/phonebook.mch --on 'card(db) > 1'");
    let object = json(&line, b"");
    let lines: Vec<&str> = object["nodes"]
        .as_array()
        .expect("nodes")
        .iter()
        .filter_map(|node| node["lines"][0].as_str())
        .collect();
    assert_eq!(
        lines,
        ["before the set-up", "not card(db) > 1", "card(db) > 1"]
    );
    let only = json(
        &format!("view {MACHINES}/phonebook.mch --where 'card(db) > 1'"),
        b"",
    );
    assert!(only["counts"]["shown_states"].as_u64() < only["counts"]["states"].as_u64());
    let object = json("view - --on n", WRONG.as_bytes());
    assert_eq!(object["view"], "projection");
    assert!(
        object["notes"][0]
            .as_str()
            .is_some_and(|n| n.contains("differ within orbits"))
    );
}

#[test]
fn kept_arguments_split_labels() {
    let line = |words: &str| format!("view phonebook.mch --as signature {words}");
    let object = json(&line("--keep add:1"), b"");
    let labels = object["edges"].to_string();
    assert!(
        labels.contains("add(") && labels.contains(", _)"),
        "{labels}"
    );
    assert!(!json(&line(""), b"")["edges"].to_string().contains("add("));
}

#[test]
fn operations_of_one_name_are_one() {
    let object = json(
        "view phonebook.mch --as dfa --rename change=add --rename change=remove",
        b"",
    );
    let labels = object["edges"].to_string();
    assert!(
        labels.contains("change") && !labels.contains("add"),
        "{labels}"
    );
    assert!(labels.contains("lookup"), "{labels}");
}

#[test]
fn a_view_fits_into_as_many_nodes_as_are_said() {
    let model = format!("{MACHINES}/russian_postal_puzzle.mch --default-set-size 3");
    let line = |n: u32| format!("view {model} --nodes {n}");
    let of = |n| {
        let object = json(&line(n), b"");
        let n_nodes = object["counts"]["nodes"].as_u64().expect("a number");
        assert!(n_nodes <= u64::from(n), "{object}");
        object["view"].as_str().expect("a word").to_owned()
    };
    let views = [200, 40, 20, 5].map(of);
    assert_eq!(views, ["quotient", "bisimulation", "signature", "levels"]);
}

#[test]
fn wrong_questions_are_refused_with_what_there_is() {
    for (line, part) in [
        (
            "view mutex.pml --hide nothing",
            "no transition has the operation `nothing`",
        ),
        (
            "view phonebook.mch --keep add:9",
            "`add` has no argument `9`",
        ),
        ("view phonebook.mch --keep add", "`--keep` needs OP:ARG"),
        (
            "view phonebook.mch --only add",
            "`--only` needs OP:ARG=VALUE",
        ),
        (
            "view phonebook.mch --only add:9=1",
            "`add` has no argument `9`",
        ),
        (
            "view phonebook.mch --as quotient --only add:n=Name1",
            "`--only` needs arguments as they are",
        ),
        (
            "view phonebook.mch --similar 1",
            "`--similar` needs `--as signature`",
        ),
        (
            "view phonebook.mch --rename add",
            "`--rename` needs NAME=OP",
        ),
        (
            "view phonebook.mch --rename x=none",
            "no transition has the operation `none`",
        ),
        (
            "view phonebook.mch --on nothing",
            "no state has a variable `nothing`",
        ),
        ("view phonebook.mch --on 'nothing > 1'", "nothing"),
        ("view mutex.pml --around 999999", "there is no state 999999"),
        ("view mutex.pml --between error", "no state is an error"),
        (
            "view mutex.pml --steps 2",
            "`--steps` needs `--as signature`",
        ),
        (
            "view mutex.pml --as projection",
            "`--as projection` needs `--on",
        ),
        ("view lock.csp --where 'x > 1'", "`--where` is for"),
        (
            "view lock.csp --on 'x > 1'",
            "CSPM scripts have no predicates over states",
        ),
        ("view mutex.pml -o picture.png", "what to write into"),
        ("view mutex.pml --format png", "invalid value"),
        ("view nothing.pml", "nothing.pml"),
    ] {
        let (code, out, err) = run(line, b"");
        assert_eq!((code, out.as_str()), (2, ""), "{line}");
        assert!(err.contains(part), "{line}: {err}");
    }
}

#[test]
fn hostile_names_are_text_in_drawings() {
    let script = "channel c : {1}\nP = c.1 -> STOP\nassert P :[deadlock free]\n";
    let (code, svg, _) = run("view - --language cspm --format svg", script.as_bytes());
    assert_eq!(code, 0);
    assert!(!svg.contains("<script"), "{svg}");
    let model = "active proctype p() { int x; x = (1 < 2 && 3 > 2); printf(\"<script>'\") }";
    for format in ["svg", "graphml"] {
        let line = format!("view - --language promela --plain --format {format}");
        let (_, out, _) = run(&line, model.as_bytes());
        assert!(out.contains("1 &lt; 2") || out.contains("1&lt;2"), "{out}");
        assert!(
            !out.contains("<script") && out.contains("&lt;script&gt;"),
            "{out}"
        );
    }
}

#[test]
fn the_picture_of_the_guide_is_what_is_drawn() {
    let line = "view phonebook.mch --default-set-size 3 --as signature --format svg";
    let (code, drawn, _) = run(line, b"");
    assert_eq!(code, 0);
    let path = crate::command::guide().join("phonebook.svg");
    if std::env::var_os("SNAPSHOTS").is_some_and(|how| how == "overwrite") {
        std::fs::write(&path, &drawn).expect("the picture can be written");
    }
    let shown = std::fs::read_to_string(&path).expect("the picture");
    assert!(
        shown == drawn,
        "SNAPSHOTS=overwrite rewrites docs/guide/phonebook.svg"
    );
}
