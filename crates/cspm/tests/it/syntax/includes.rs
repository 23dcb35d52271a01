//! Files within files.

use super::tree::decl;
use crate::script::read_files;

fn decls(files: &[(&str, &str)]) -> Result<Vec<String>, Vec<String>> {
    let said = read_files(files);
    match said.script {
        Some(script) => Ok(script.decls.iter().map(|d| decl(&d.kind)).collect()),
        None => Err(said.errors),
    }
}

#[test]
fn an_included_file_stands_where_it_is_named() {
    let files = [
        ("m.csp", "a = 1\ninclude \"lib/one.csp\" -- here\nd = 4"),
        ("lib/one.csp", "b = 2\ninclude \"two.csp\""),
        ("lib/two.csp", "c = 3"),
        ("two.csp", "c = 33"),
    ];
    let all = decls(&files).expect("right");
    let expected = [
        "(def a ( 1))",
        "(def b ( 2))",
        "(def c ( 3))",
        "(def d ( 4))",
    ];
    assert_eq!(all, expected);
}

#[test]
fn a_file_is_looked_for_beside_the_script_too_and_with_slashes() {
    let files = [
        ("m.csp", "include \"lib\\one.csp\""),
        ("lib/one.csp", "include \"two.csp\""),
        ("two.csp", "c = 33"),
    ];
    assert_eq!(decls(&files), Ok(vec!["(def c ( 33))".to_owned()]));
}

#[test]
fn a_module_may_include_its_parts() {
    let files = [
        (
            "m.csp",
            "module M\ninclude \"a.csp\"\nexports\ninclude \"a.csp\"\nendmodule",
        ),
        ("a.csp", "-- first\nx = 1"),
    ];
    assert_eq!(decls(&files), Ok(vec!["Module".to_owned()]));
}

#[test]
fn clauses_in_two_files_stay_two_functions() {
    let files = [
        ("m.csp", "f(0) = 1\ninclude \"a.csp\"\nf(2) = 2"),
        ("a.csp", "f(1) = 1"),
    ];
    assert_eq!(decls(&files).map(|all| all.len()), Ok(3));
}

#[test]
fn no_declaration_reaches_over_the_edge_of_a_file() {
    let cases = [
        (
            "x = 1 +\ninclude \"a.csp\"",
            "2",
            "before this file starts or ends",
        ),
        (
            "include \"a.csp\"\n2",
            "x = 1 +",
            "before this file starts or ends",
        ),
        (
            "x =\ninclude \"a.csp\"",
            "2",
            "before this file starts or ends",
        ),
        ("include \"a.csp\"\n)", "x = (1", "to end the `(` of line 1"),
    ];
    for (main, included, words) in cases {
        let errors = decls(&[("m.csp", main), ("a.csp", included)]).expect_err("wrong");
        let found = errors.iter().any(|e| e.contains(words));
        assert!(found, "{main}\n{included}\n{errors:?}");
    }
}

#[test]
fn a_file_that_is_not_there_is_said_where_it_is_named() {
    let errors = decls(&[("m.csp", "x = 1\ninclude \"a.csp\"\n")]).expect_err("wrong");
    assert_eq!(errors, ["2:1: the file `a.csp` is not there"]);
    let files = [
        ("m.csp", "include \"a.csp\""),
        ("a.csp", "\ninclude \"b.csp\""),
    ];
    let errors = decls(&files).expect_err("wrong");
    assert_eq!(errors, ["a.csp:2:1: the file `b.csp` is not there"]);
}

#[test]
fn a_file_that_includes_itself_is_refused() {
    let itself = [("m.csp", "include \"./m.csp\"")];
    assert_eq!(
        decls(&itself),
        Err(vec!["1:1: `m.csp` includes itself".to_owned()])
    );
    let over_others = [
        ("m.csp", "include \"a.csp\""),
        ("a.csp", "include \"b.csp\""),
        ("b.csp", "x = 1\ninclude \"a.csp\""),
    ];
    let errors = decls(&over_others).expect_err("wrong");
    assert_eq!(errors, ["b.csp:2:1: `a.csp` includes itself"]);
}

#[test]
fn files_without_end_reach_a_limit() {
    let mut include = |name: &str| {
        let n: u32 = name.strip_suffix(".csp")?.strip_prefix('f')?.parse().ok()?;
        Some((name.to_owned(), format!("include \"f{}.csp\"", n + 1)))
    };
    let said = crate::script::read_with("m.csp", "include \"f0.csp\"", &mut include);
    assert!(
        said.errors[0].contains("more than 50 deep"),
        "{}",
        said.drawn
    );
    let many = "include \"a.csp\"\n".repeat(501);
    let errors = decls(&[("m.csp", &many), ("a.csp", "")]).expect_err("wrong");
    assert!(errors[0].contains("more than 500 files"), "{errors:?}");
}
