//! `orbit graph`, as text and as JSON.

use crate::command::{json, run};
use serde_json::json as value;

const PATH: &[u8] = b"p edge 3 2\ne 1 2\ne 2 3\n";

#[test]
fn the_petersen_graph() {
    let object = json("graph petersen.col", b"");
    assert_eq!(object["order"], "120");
    assert_eq!(object["orbits"], value!([[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]]));
    assert_eq!(object["degree"], 10);
}

#[test]
fn colours_and_arcs_break_symmetry() {
    assert_eq!(json("graph -", PATH)["order"], "2");
    let coloured = json("graph -", b"p edge 3 2\nn 1 5\ne 1 2\ne 2 3\n");
    assert_eq!(coloured["order"], "1");
    let ring = json("graph -", b"p edge 3 3\na 1 2\na 2 3\na 3 1\n");
    assert_eq!(
        ring["order"], "3",
        "a directed ring turns but does not flip"
    );
    let marked = json("graph -", b"p edge 3 3\na 1 2 9\na 2 3\na 3 1\n");
    assert_eq!(marked["order"], "1", "an arc of its own colour stays");
}

#[test]
fn canonical_forms_agree_exactly_for_isomorphic_graphs() {
    let forms = |input: &[u8]| run("graph - --canonical", input).1;
    let path = forms(PATH);
    assert!(path.starts_with("p edge 3 2\n"), "{path}");
    assert_eq!(path, forms(b"p edge 3 2\ne 1 3\ne 1 2\n"));
    assert_eq!(path, forms(path.as_bytes()), "a canonical form is its own");
    assert_ne!(path, forms(b"p edge 3 2\nn 1 1\ne 1 3\ne 1 2\n"));
    assert_ne!(path, forms(b"p edge 3 2\na 1 3\na 1 2\n"));
}

#[test]
fn isomorphism_decides_the_exit_code() {
    let (code, out, _) = run("graph - --isomorphic path.col", PATH);
    assert_eq!(code, 0, "{out}");
    let (code, out, _) = run("graph petersen.col --isomorphic path.col", b"");
    assert_eq!(code, 1, "{out}");
    assert_eq!(
        json("graph - --isomorphic path.col", PATH)["isomorphic"],
        true
    );
}

#[test]
fn a_wrong_count_of_edges_is_a_warning() {
    let (code, out, err) = run("graph -", b"p edge 3 7\ne 1 2\ne 2 3\n");
    assert_eq!(code, 0);
    assert!(out.starts_with("order           2\n"), "{out}");
    assert!(
        err.contains("warning: ") && err.contains("promises 7"),
        "{err}"
    );
    let object = json("graph -", b"p edge 3 7\ne 1 2\ne 2 3\n");
    assert_eq!(object["diagnostics"][0]["severity"], "warning");
}
