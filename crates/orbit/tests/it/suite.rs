//! `orbit test`: what passes, and mistakes that must not.

use crate::command::{Folder, json, run};
use serde_json::Value;

/// A model with a lock that is taken in two steps: the assertion fails, nothing else does.
const BROKEN: &str = "bool locked; byte n; active [2] proctype p() { !locked; locked = true; n++; \
                      assert(n == 1); n--; locked = false }\n";
/// A model that holds.
const GOOD: &str = "byte x; active proctype p() { x = 1; assert(x == 1) }\n";
/// A model with more states than can be seen in a moment.
const LONG: &str = "byte x[9]; active [9] proctype p() { do :: x[_pid] < 200 -> x[_pid]++ od }\n";

fn tested(folder: &Folder, name: &str, text: &str, flags: &str) -> (i32, Value) {
    let file = folder.write(name, text);
    let line = format!("test {flags} '{file}'");
    let (code, _, _) = run(&line, b"");
    (code, json(&line, b""))
}

#[test]
fn what_is_as_expected_passes_in_every_language() {
    let (code, out, err) = run("test .", b"");
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let told = json("test . --jobs 3", b"");
    let tests = told["tests"].as_array().expect("a list");
    assert!(tests.len() >= 19, "{}", tests.len());
    for ending in [".pml", ".mch", ".csp"] {
        let has = |one: &&Value| {
            one["file"]
                .as_str()
                .is_some_and(|file| file.ends_with(ending))
        };
        assert!(tests.iter().any(|one| has(&one)), "{ending}");
    }
    let files: Vec<&str> = tests
        .iter()
        .filter_map(|one| one["file"].as_str())
        .collect();
    assert!(files.is_sorted(), "{files:?}");
}

/// A model with this expectation in a comment.
fn expecting(what: &str, text: &str) -> String {
    format!("{text}/* orbit: expect {what} */\n")
}

/// All of these give their exit codes, none of which is that of success.
fn assert_red(name: &str, cases: &[(String, &str, i32)]) {
    let folder = Folder::new(name);
    for (text, flags, expected) in cases {
        let (code, told) = tested(&folder, "m.pml", text, flags);
        assert_eq!(code, *expected, "{text} {flags}: {told}");
        assert_ne!(code, 0, "{text}");
    }
}

/// A text that is no model.
const SYNTAX: &str = "active proctype p() { x = }\n";

#[test]
fn verdicts_that_are_not_expected_are_never_green() {
    let cases = [
        ("holds", BROKEN),
        ("violated", GOOD),
        ("violated deadlock", BROKEN),
        ("violated mutex", BROKEN),
        ("holds mutex", GOOD),
        ("violated assertions -A", BROKEN),
        ("violated", SYNTAX),
        ("holds", SYNTAX),
        ("refused", GOOD),
        ("refused", BROKEN),
        ("holds states=77", GOOD),
        ("holds --nonsense", GOOD),
        ("violated --set-size S=3", GOOD),
        ("violated --ltl '[] ('", GOOD),
        ("violated --ltl '[] (x < 2)'", GOOD),
        ("holds --ltl '[] (x < 1)'", GOOD),
    ];
    let cases = cases.map(|(what, text)| (expecting(what, text), "", 1));
    assert_red("verdicts", &cases);
    let silent = [
        (BROKEN.to_owned(), "", 1),
        (SYNTAX.to_owned(), "", 1),
        ("#include \"nothing.h\"\n".to_owned() + GOOD, "", 1),
        (expecting("violated", &expecting("holds", GOOD)), "", 1),
    ];
    assert_red("silent", &silent);
}

#[test]
fn a_search_says_how_far_it_is_where_no_line_can_be_drawn_over() {
    let folder = Folder::new("progress");
    let file = folder.write("long.pml", LONG);
    let lines = |flags: &str| {
        let line = format!("check '{file}' --no-symmetry --time 1500ms {flags}");
        let (code, _, err) = run(&line, b"");
        assert_eq!(code, 3, "{err}");
        err.lines().filter(|line| line.contains("states, ")).count()
    };
    assert!(lines("--progress 1ms") >= 2);
    for silent in ["--progress off", "--progress 10m", "--quiet", ""] {
        assert_eq!(lines(silent), 0, "{silent}");
    }
    let (code, _, err) = run(&format!("check '{file}' --progress soon"), b"");
    assert!(code == 2 && err.contains("`--progress` needs"), "{err}");
}

#[test]
fn limits_and_wrong_words_are_never_green() {
    let limits = [
        (LONG.to_owned(), "--time 300ms", 3),
        (LONG.to_owned(), "--memory 3M", 3),
        (expecting("violated", LONG), "--time 300ms", 3),
        (expecting("holds -m 2", LONG), "", 3),
        (expecting("holds assertions -A", BROKEN), "", 3),
    ];
    assert_red("limits", &limits);
    let words = [
        (expecting("holds --trail=x", GOOD), "", 2),
        (expecting("holds --html x", GOOD), "", 2),
        (expecting("", GOOD), "", 2),
        (expecting("green", GOOD), "", 2),
        (expecting("violated a b", GOOD), "", 2),
        (GOOD.to_owned(), "--jobs 0", 2),
        (GOOD.to_owned(), "--time soon", 2),
    ];
    assert_red("words", &words);
}

#[test]
fn what_is_there_to_be_tested_is_found_or_missed_aloud() {
    let folder = Folder::new("found");
    let empty = folder.path("empty");
    std::fs::create_dir_all(&empty).expect("a folder");
    for (line, part) in [
        ("test".to_owned(), "no model is given"),
        (format!("test '{empty}'"), "there is no model in the folder"),
        (
            format!("test '{}'", folder.path("missing.pml")),
            "there is no such file",
        ),
        ("test -".to_owned(), "needs files"),
    ] {
        let (code, out, err) = run(&line, b"");
        assert_eq!((code, out.as_str()), (2, ""), "{line}");
        assert!(err.contains(part), "{line}: {err}");
    }
    // Hidden files and other files are left out, folders are looked into.
    std::fs::create_dir_all(folder.path("sub/.git")).expect("a folder");
    folder.write("sub/good.pml", GOOD);
    folder.write("sub/.hidden.pml", BROKEN);
    folder.write("sub/.git/broken.pml", BROKEN);
    folder.write("sub/broken.txt", BROKEN);
    let told = json(&format!("test '{}'", folder.path("sub")), b"");
    assert_eq!(told["passed"], 1, "{told}");
    assert_eq!(told["tests"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_junit_report_has_every_expectation() {
    let folder = Folder::new("junit");
    let report = folder.path("report.xml");
    for (name, text) in [
        ("good.pml", GOOD.to_owned()),
        ("bad <&>.pml", BROKEN.to_owned()),
        ("open.pml", expecting("holds -m 2", LONG)),
    ] {
        std::fs::create_dir_all(folder.path("m")).expect("a folder");
        folder.write(&format!("m/{name}"), text);
    }
    let line = format!("test '{}' --junit '{report}'", folder.path("m"));
    assert_eq!(run(&line, b"").0, 1);
    let text = std::fs::read_to_string(&report).expect("a report");
    assert!(
        text.contains("tests=\"3\"") && text.contains("failures=\"1\""),
        "{text}"
    );
    assert!(text.contains("errors=\"1\""), "{text}");
    assert_eq!(text.matches("<testcase").count(), 3);
    assert!(
        text.contains("bad &lt;&amp;") && !text.contains("bad <&"),
        "{text}"
    );
    // A report is written again, and nothing else is overwritten.
    assert_eq!(run(&line, b"").0, 1);
    std::fs::write(&report, "mine").expect("written");
    let (code, _, err) = run(&line, b"");
    assert_eq!(code, 2);
    assert!(err.contains("is no JUnit report"), "{err}");
}

#[test]
fn short_lines_name_file_line_and_rule() {
    let folder = Folder::new("short");
    let file = folder.write("m.pml", format!("{BROKEN}// orbit: expect holds -D N=1\n"));
    let (code, out, _) = run(&format!("test --short '{file}'"), b"");
    assert_eq!(code, 1);
    let start = format!("{file}:2:1: error: expected holds: `assertions` is violated in line 1");
    assert!(out.starts_with(&start), "{out}");
    assert!(
        out.ends_with("[expectation]\n") && out.lines().count() == 1,
        "{out}"
    );
    let good = folder.write("good.pml", GOOD);
    assert_eq!(
        run(&format!("test --short '{good}'"), b""),
        (0, String::new(), String::new())
    );
}

/// A page or folder of the guide.
fn of_guide(name: &str) -> std::path::PathBuf {
    crate::command::guide().join(name)
}

#[test]
fn first_models_are_as_they_say_and_exercises_are_not_solved() {
    let first = of_guide("first").display().to_string();
    let (code, out, err) = run(&format!("test '{first}'"), b"");
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let solved = of_guide("../exercises/solved");
    let mut n = 0;
    for entry in std::fs::read_dir(&solved).expect("solutions") {
        let path = entry.expect("an entry").path();
        let (code, out, _) = run(&format!("test '{}'", path.display()), b"");
        assert_eq!(code, 0, "{out}");
        let exercise = of_guide("../exercises").join(path.file_name().expect("a name"));
        let (code, out, _) = run(&format!("test '{}'", exercise.display()), b"");
        assert_eq!(code, 1, "{out}");
        // What is asked for is the same.
        let expected = |path: &std::path::Path| -> Vec<String> {
            let text = std::fs::read_to_string(path).expect("a model");
            let lines = text.lines().filter(|line| line.contains("orbit: expect"));
            lines.map(str::to_owned).collect()
        };
        assert_eq!(expected(&path), expected(&exercise));
        assert!(!expected(&path).is_empty());
        n += 1;
    }
    assert!(n >= 5, "{n} exercises");
}

/// What a page says to type: commands of `orbit` with files of the guide in place of `m.pml` and
/// the like, and flags.
fn typed(page: &str) -> (Vec<String>, Vec<String>) {
    let cells = page.lines().filter(|line| line.starts_with('|'));
    let here = cells.filter_map(|line| line.split('|').nth(2));
    let quoted: Vec<&str> = here
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .collect();
    let mut commands = Vec::new();
    for words in quoted.iter().filter(|words| words.starts_with("orbit ")) {
        let files = [
            ("M.mch", "phonebook.mch"),
            ("m.csp", "lock.csp"),
            ("m.pml", "starve.pml"),
            (" -p p", " -p served"),
        ];
        let line = files.iter().fold((*words).to_owned(), |line, (from, to)| {
            line.replace(from, to)
        });
        commands.push(line.trim_start_matches("orbit ").to_owned());
    }
    let flags = quoted.iter().filter(|words| words.starts_with("--"));
    let flags = flags.flat_map(|words| words.split_whitespace());
    let flags = flags.filter(|word| word.starts_with("--"));
    (
        commands,
        flags
            .map(|word| word.split('=').next().unwrap_or(word).to_owned())
            .collect(),
    )
}

/// What is wrong with what a page says to type.
fn lies(page: &str) -> Vec<String> {
    let (commands, flags) = typed(page);
    let (_, help, _) = run("check --help", b"");
    let known = |flag: &String| {
        help.split([' ', ',', '[', '=', '\n'])
            .any(|word| word == flag)
    };
    let mut lies: Vec<String> = flags.into_iter().filter(|flag| !known(flag)).collect();
    for line in commands {
        // What goes on until it is stopped is tried elsewhere.
        if line.starts_with("serve") {
            continue;
        }
        let line = line.replace(" -o f.dot", " --format dot");
        let line = line.replace(" --trail starve.pml.trail", "");
        let (code, _, err) = crate::command::run(&line, b"q\n");
        if ![0, 1].contains(&code) {
            lies.push(format!("{line}: {code}: {err}"));
        }
    }
    lies
}

#[test]
fn what_users_of_other_tools_are_told_to_type_can_be_typed() {
    let page = std::fs::read_to_string(of_guide("coming-from.md")).expect("the page");
    let (commands, flags) = typed(&page);
    assert!(
        commands.len() >= 10 && flags.len() >= 10,
        "{commands:?} {flags:?}"
    );
    assert_eq!(lies(&page), Vec::<String>::new());
    let planted = page
        .replace("orbit simulate m.pml", "orbit simulate --trails m.pml")
        .replace("`--no-deadlock`", "`--no-deadlocks`");
    assert_eq!(lies(&planted).len(), 2, "{:?}", lies(&planted));
}

#[test]
fn sarif_has_each_failure_with_its_counterexample() {
    let folder = Folder::new("sarif");
    std::fs::create_dir(folder.path("m")).expect("a folder");
    folder.write("m/broken.pml", format!("{BROKEN}/* orbit: expect holds */"));
    folder.write("m/good.pml", GOOD);
    folder.write("m/long.pml", LONG);
    folder.write(
        "m/odd name.pml",
        "/* orbit: expect violated */ init { skip }",
    );
    let file = folder.path("out.sarif");
    let junit = folder.path("out.xml");
    let line = format!(
        "test --time 1s '{}' --sarif '{file}' --junit '{junit}'",
        folder.path("m")
    );
    let (code, out, err) = run(&line, b"");
    assert_eq!(code, 1, "{out}{err}");
    assert!(std::fs::exists(&junit).expect("a folder"));
    let text = std::fs::read_to_string(&file).expect("results");
    let told: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(told["version"], "2.1.0");
    assert_eq!(told["runs"].as_array().map(Vec::len), Some(1));
    let results = told["runs"][0]["results"].as_array().expect("results");
    let of = |name: &str| -> &Value {
        let place = "/locations/0/physicalLocation/artifactLocation/uri";
        let is = |one: &&Value| {
            let uri = one.pointer(place).and_then(Value::as_str);
            uri.is_some_and(|uri| uri.ends_with(name))
        };
        results
            .iter()
            .find(is)
            .unwrap_or_else(|| panic!("{name}: {text}"))
    };
    assert_eq!(results.len(), 3, "{text}");
    let broken = of("broken.pml");
    assert_eq!(
        (&broken["ruleId"], &broken["level"]),
        (&"expectation".into(), &"error".into())
    );
    let steps = broken.pointer("/codeFlows/0/threadFlows/0/locations");
    let steps = steps.and_then(Value::as_array).expect("steps");
    let words = steps
        .iter()
        .filter_map(|one| one.pointer("/location/message/text"));
    let words: Vec<&str> = words.filter_map(Value::as_str).collect();
    assert!(
        words
            .last()
            .is_some_and(|last| last.contains("assert(n == 1)")),
        "{words:?}"
    );
    assert_eq!(of("long.pml")["ruleId"], "unknown");
    let odd = of("odd%20name.pml");
    assert!(odd.get("codeFlows").is_none(), "{odd}");
}

#[test]
fn a_file_beside_models_says_what_is_expected() {
    let folder = Folder::new("listed");
    std::fs::create_dir(folder.path("m")).expect("a folder");
    folder.write("m/broken.pml", BROKEN);
    folder.write(
        "m/good.pml",
        format!("/* orbit: expect holds states=1 */ {GOOD}"),
    );
    let list = |text: &str| {
        folder.write("m/orbit.toml", text);
        let told = json(&format!("test '{}'", folder.path("m")), b"");
        let (code, _, err) = run(&format!("test '{}'", folder.path("m")), b"");
        (code, err, told)
    };
    let (code, _, told) = list(
        "[models]\n'broken.pml' = ['violated assertions', 'holds deadlock -D X=1']\n\
         'good.pml' = 'holds'\n",
    );
    let tests = told["tests"].as_array().expect("tests");
    let outcome = |n: usize| tests[n]["outcome"].as_str().expect("a word").to_owned();
    // Comments count, too: the second model has one state more than its comment says.
    assert_eq!(tests.len(), 4, "{told}");
    assert_eq!(
        [outcome(0), outcome(2), outcome(3)],
        ["passed", "failed", "passed"]
    );
    assert_eq!(tests[1]["flags"], serde_json::json!(["-D", "X=1"]));
    assert_eq!(code, 1);
    for (text, words) in [
        (
            "[models]\n'nosuch.pml' = 'holds'",
            "there is no file `nosuch.pml`",
        ),
        ("[models]\n'good.pml' = 'maybe'", "`maybe` is no verdict"),
        ("[models]\n'good.pml' = 7", "an expectation is a text"),
        ("[model]\n'good.pml' = 'holds'", "`model` is not known here"),
        ("[models", "orbit.toml"),
        (
            "[models]\n'good.pml' = 'holds --trail x'",
            "is no flag for an expectation",
        ),
    ] {
        let (code, err, _) = list(text);
        assert_eq!(code, 2, "{text}: {err}");
        assert!(
            err.contains(words) && err.contains("orbit.toml"),
            "{text}: {err}"
        );
    }
}

#[test]
fn our_models_are_as_the_files_beside_them_say() {
    let models = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let told = json(&format!("test '{}'", models.display()), b"");
    let tests = told["tests"].as_array().expect("tests");
    let failed = tests.iter().filter(|one| one["outcome"] != "passed");
    let failed: Vec<&Value> = failed.filter(|one| !is_toy(one)).collect();
    assert!(failed.is_empty(), "{failed:#?}");
    assert!(tests.len() > 600, "{}", tests.len());
    for word in ["holds", "violated", "refused", "accepted"] {
        assert!(tests.iter().any(|one| one["expected"] == word), "{word}");
    }
}

/// Whether a model is one of the toy language, which `orbit` itself does not know.
fn is_toy(one: &Value) -> bool {
    one["file"]
        .as_str()
        .is_some_and(|file| file.contains("/toy/"))
}
