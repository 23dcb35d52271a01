//! The rules of the house that a program can check; `STYLE.md` gives their reasons.
//!
//! Each rule is a function from files to findings, so that it can be run on this repository, where
//! it must find nothing, and on planted faults, where it must find them. A rule lives in the file
//! named after what it looks at, beside its planted faults.

mod code;
mod documents;
mod lengths;
mod manifests;
mod tree;

use tree::Tree;

/// Files and functions longer than the house allows, with their lengths. The list may only shrink:
/// the test fails if an entry is not needed any more or its number can be lowered. A file is named
/// by its path, a function by path and name: `crates/orbit/src/plan.rs fn plan`.
const LONG_ONES: &[(&str, usize)] = &[];

#[track_caller]
fn assert_clean(findings: Vec<String>) {
    assert!(
        findings.is_empty(),
        "{} findings:\n{}",
        findings.len(),
        findings.join("\n")
    );
}

#[test]
fn the_tree_is_read() {
    let tree = Tree::of_repository();
    for path in [
        "Cargo.toml",
        "README.md",
        ".ci/run",
        "crates/orbit/src/main.rs",
        "docs/warts.md",
    ] {
        assert!(
            tree.text(path).is_some_and(|text| !text.is_empty()),
            "{path} was not read"
        );
    }
}

#[test]
fn files_and_functions_are_short() {
    assert_clean(lengths::long_ones(&Tree::of_repository(), LONG_ONES));
}

#[test]
fn columns_are_few() {
    assert_clean(lengths::wide_lines(&Tree::of_repository()));
}

#[test]
fn only_app_prints() {
    assert_clean(code::printing(&Tree::of_repository()));
}

#[test]
fn nothing_is_unsafe() {
    assert_clean(code::uses_of_unsafe(&Tree::of_repository()));
}

#[test]
fn nothing_is_left_open() {
    assert_clean(code::left_open(&Tree::of_repository()));
}

#[test]
fn no_file_is_a_lumber_room() {
    assert_clean(code::lumber_rooms(&Tree::of_repository()));
}

#[test]
fn no_file_is_called_mod() {
    assert_clean(code::mod_files(&Tree::of_repository()));
}

#[test]
fn no_truth_is_matched() {
    assert_clean(code::matched_truths(&Tree::of_repository()));
}

#[test]
fn reasons_are_data() {
    assert_clean(code::worded_reasons(&Tree::of_repository()));
}

#[test]
fn no_path_of_a_developer_is_named() {
    assert_clean(documents::private_paths(&Tree::of_repository()));
}

#[test]
fn links_lead_somewhere() {
    assert_clean(documents::dead_links(&Tree::of_repository()));
}

#[test]
fn paths_that_are_named_exist() {
    assert_clean(documents::dead_paths(&Tree::of_repository()));
}

#[test]
fn every_page_is_listed() {
    assert_clean(documents::unlisted_pages(&Tree::of_repository()));
}

#[test]
fn the_map_is_short() {
    assert_clean(documents::long_map(&Tree::of_repository()));
}

#[test]
fn every_dependency_has_a_reason() {
    assert_clean(manifests::without_reason(&Tree::of_repository()));
}

#[test]
fn the_map_and_the_manifests_agree() {
    assert_clean(manifests::against_map(&Tree::of_repository()));
}
