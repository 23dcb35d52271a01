//! Results as files of HTML.

use crate::command::{Folder, json, run};
use serde_json::Value;
use std::fs;

/// The data in a page.
fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"data\">").expect("data");
    let (data, _) = rest.split_once("</script>").expect("its end");
    serde_json::from_str(data).expect("JSON")
}

#[test]
fn a_page_has_what_programs_get_in_every_language() {
    let folder = Folder::new("pages");
    for (line, part, n_charts) in [
        ("check broken.pml", "check", 1),
        ("check lock.csp", "check", 2),
        ("check phonebook_wrong.mch", "check", 1),
        ("check mutex.pml", "check", 0),
        ("check starve.pml", "check", 1),
        ("symmetry clients.pml --drawings", "symmetry", 0),
        ("symmetry lock.csp --drawings", "symmetry", 0),
        ("symmetry phonebook.mch --drawings", "symmetry", 0),
        ("view mutex.pml", "views", 0),
        ("view lock.csp --as full", "views", 0),
        ("simulate --seed 1 -n 9 mutex.pml", "simulation", 1),
        ("simulate --seed 1 -n 9 phonebook.mch", "simulation", 1),
    ] {
        let file = folder.path("page.html");
        let (code, out, err) = run(&format!("{line} --html '{file}'"), b"");
        let (plain, own, _) = run(line, b"");
        assert_eq!(code, plain, "{line}: {err}");
        assert_eq!(out.lines().count(), own.lines().count(), "{line}");
        let told = data(&fs::read_to_string(&file).expect("a page"));
        let mut expected = json(line, b"");
        let mut shown = told[part].clone();
        if part == "views" {
            let svg = shown[0]["svg"].as_str().expect("a picture");
            assert!(svg.starts_with("<svg"), "{line}");
            assert_eq!(shown[0]["title"], expected["title"], "{line}");
            continue;
        }
        for value in [&mut expected, &mut shown] {
            forget_measures(value);
        }
        assert_eq!(shown, expected, "{line}");
        let n = told["charts"].as_object().map_or(0, |charts| charts.len());
        assert_eq!(n, n_charts, "{line}");
        let text = told["sources"][0]["text"].as_str().expect("a source");
        let name = line
            .split(" ")
            .find(|word| word.contains("."))
            .expect("a file");
        let file = crate::command::guide().join(name);
        assert_eq!(text, fs::read_to_string(file).expect("a model"), "{line}");
        assert_eq!(told["live"], Value::Null);
    }
}

/// Takes out what differs from run to run.
fn forget_measures(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for key in ["time_s", "memory", "native"] {
                fields.remove(key);
            }
            fields.values_mut().for_each(forget_measures);
        }
        Value::Array(items) => items.iter_mut().for_each(forget_measures),
        _ => {}
    }
}

#[test]
fn only_pages_of_ours_are_overwritten() {
    let folder = Folder::new("overwritten");
    let file = folder.path("page.html");
    let check = |file: &str| run(&format!("check mutex.pml --html '{file}'"), b"");
    assert_eq!(check(&file).0, 0);
    let first = fs::read_to_string(&file).expect("a page");
    assert_eq!(check(&file).0, 0);
    let second = fs::read_to_string(&file).expect("a page");
    // A nonce is new in each.
    assert_ne!(first, second);
    fs::write(&file, "<html>mine</html>").expect("written");
    let (code, _, err) = check(&file);
    assert_eq!(code, 2);
    assert!(err.contains("is not overwritten"), "{err}");
    assert_eq!(
        fs::read_to_string(&file).expect("a file"),
        "<html>mine</html>"
    );
    let (code, _, err) = check(&folder.path("no/such/page.html"));
    assert_eq!(code, 2);
    assert!(
        err.contains("`--html`") && err.contains("cannot be written"),
        "{err}"
    );
    let (code, _, err) = run("check mutex.pml --html -", b"");
    assert_eq!(code, 2);
    assert!(err.contains("needs a file"), "{err}");
    let (code, _, err) = run("check mutex.pml --html mutex.pml", b"");
    assert_eq!(code, 2);
    assert!(err.contains("that is the model"), "{err}");
}

#[test]
fn a_wrong_model_leaves_no_page() {
    let folder = Folder::new("no-page");
    let model = folder.write("wrong.pml", "active proctype p() { x = }");
    let file = folder.path("page.html");
    let (code, _, _) = run(&format!("check '{model}' --html '{file}'"), b"");
    assert_eq!(code, 2);
    assert!(!std::path::Path::new(&file).exists());
}
