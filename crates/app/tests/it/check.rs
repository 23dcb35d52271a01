//! `orbit check --parse-only`.

use crate::command::{json, run};

const GOOD: &str = "byte x; init { x = 1 }";

#[test]
fn a_model_is_accepted() {
    let (code, out, err) = run("check --parse-only -", GOOD.as_bytes());
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("accepted") && out.contains("globals"), "{out}");
}

#[test]
fn warnings_do_not_refuse_a_model() {
    let text = "byte x = 300; init { x = 1 }";
    let (code, _, err) = run("check --parse-only -", text.as_bytes());
    assert_eq!(code, 0);
    assert!(err.contains("warning: 300 does not fit"), "{err}");
}

#[test]
fn every_error_is_shown_and_the_code_is_2() {
    let text = "init { x = 1;\n y = 2 }";
    let (code, out, err) = run("check --parse-only -", text.as_bytes());
    assert_eq!((code, out.as_str()), (2, ""));
    for part in [
        "standard input:1:8",
        "`x` is not declared",
        "standard input:2:2",
    ] {
        assert!(err.contains(part), "{part}\n{err}");
    }
}

#[test]
fn json_holds_the_model_or_the_diagnostics() {
    let good = json("check --parse-only - -D N=3", GOOD.as_bytes());
    assert_eq!(good["accepted"], true);
    assert_eq!(good["model"]["defines"][0], "N=3");
    assert_eq!(good["diagnostics"].as_array().map(Vec::len), Some(0));
    let bad = json("check --parse-only -", b"init { x = 1 }");
    assert!(bad["accepted"].is_null());
    assert_eq!(bad["diagnostics"][0]["severity"], "error");
    assert_eq!(bad["diagnostics"][0]["labels"][0]["line"], 1);
}

#[test]
fn the_search_is_not_pretended() {
    let (code, out, err) = run("check mutex.pml", b"");
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(
        err.contains("cannot search a model yet") && err.contains("--parse-only"),
        "{err}"
    );
}

#[test]
fn macros_and_folders_come_from_the_command_line() {
    let text = b"byte a[N]; init { a[0] = F(2) }";
    let (code, _, err) = run("check --parse-only - -DN=3 -D 'F(x)=x+1'", text);
    assert_eq!(code, 0, "{err}");
    let (code, _, err) = run("check --parse-only - -D N", b"byte a[N]; init { skip }");
    assert_eq!(code, 0, "{err}");
    let (code, _, err) = run("check --parse-only - -D 3=4", GOOD.as_bytes());
    assert!(code == 2 && err.contains("`-D` needs a name"), "{err}");
    let included = b"#include \"mutex.pml\"\n";
    let (code, _, err) = run("check --parse-only -", included);
    assert_eq!(
        code, 0,
        "standard input is read as if it stood in this folder: {err}"
    );
    let angled = b"#include <peterson.pml>\n";
    let (code, _, err) = run("check --parse-only -I ../../models/promela -", angled);
    assert_eq!(code, 0, "{err}");
    let (code, _, err) = run("check --parse-only -", angled);
    assert!(
        code == 2 && err.contains("the file `peterson.pml` is not found"),
        "{err}"
    );
}

#[test]
fn a_file_that_includes_itself_is_an_error() {
    let folder = std::env::temp_dir().join(format!("orbit-check-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("self.pml");
    std::fs::write(&path, "#include \"self.pml\"\n").expect("a file");
    let (code, _, err) = run(&format!("check --parse-only '{}'", path.display()), b"");
    std::fs::remove_dir_all(&folder).expect("the folder goes");
    assert!(
        code == 2 && err.contains("include each other without end"),
        "{err}"
    );
}
