//! Our own models: what their headers expect of SPIN is what we count.
//!
//! A line of a header is
//! `expect: -D N=3 plain 148 states 295 transitions; default 120 states; safety holds`
//! with any number of `-D`, a count of errors that is not looked at, and `safety violated (KIND)`.
//! `default` is what SPIN gives by default: our `--spin-compat`. Where SPIN's verifier was killed
//! only the verdict is compared; lines with flags such as `-o6`, which change what a model means,
//! are left out. Models of more than 200,000 states run only with `ORBIT_CORPUS_FULL=1`.

use super::{Exceptions, compile, note};
use model::processes::passes::Setting;
use std::path::{Path, PathBuf};

/// The largest models that always run.
const STATES_MAX: u64 = 200_000;

/// What a line expects.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Expected {
    defines: Vec<String>,
    /// States, and transitions if they are given.
    plain: Option<(u64, Option<u64>)>,
    by_default: Option<(u64, Option<u64>)>,
    violated: Option<bool>,
    /// Whether SPIN was given flags that change what a model means.
    other_rules: bool,
}

/// What `words`, the part of a line after `expect:`, say; `None` if it is no such line.
fn parse(words: &str) -> Option<Expected> {
    let mut expected = Expected::default();
    for (n, part) in words.split(';').enumerate() {
        let mut part: Vec<&str> = part.split_whitespace().collect();
        if n == 0 {
            let at = part.iter().position(|word| *word == "plain")?;
            let flags = part.drain(..at).collect::<Vec<_>>().join(" ");
            let flags = flags.replace("-D ", "-D");
            for flag in flags.split_whitespace() {
                match flag.strip_prefix("-D") {
                    Some(define) => expected.defines.push(define.to_owned()),
                    None if flag.starts_with("-o") => expected.other_rules = true,
                    None => return None,
                }
            }
        }
        match part.as_slice() {
            ["plain" | "default", "killed", ..] | ["default", "not", "measured", ..] => {}
            ["plain", rest @ ..] => expected.plain = Some(counts(rest)?),
            ["default", rest @ ..] => expected.by_default = Some(counts(rest)?),
            ["safety", word, ..] => expected.violated = Some(word.starts_with("violated")),
            _ => return None,
        }
    }
    expected.violated.is_some().then_some(expected)
}

/// `120 states 300 transitions …`
fn counts(words: &[&str]) -> Option<(u64, Option<u64>)> {
    match words {
        [n, "states", m, "transitions", ..] => Some((n.parse().ok()?, Some(m.parse().ok()?))),
        [n, "states", ..] => Some((n.parse().ok()?, None)),
        _ => None,
    }
}

/// All models below a folder, those that are to be refused excepted.
fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the models") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "reject") {
            files(&path, out);
        } else if path.extension().is_some_and(|end| end == "pml") {
            out.push(path);
        }
    }
    out.sort();
}

/// Every model with every set of parameters that its header names: name, text, parameters, and
/// the states of the largest setting. Where SPIN's setting was too large to be measured it is left
/// out.
pub fn all() -> Vec<(String, String, Vec<String>, u64)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/promela");
    let mut paths = Vec::new();
    files(&folder, &mut paths);
    let mut found = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a readable model");
        let name = path.display().to_string();
        let measured = |line: &&str| !line.contains("default not measured");
        for line in text.lines().filter(measured) {
            let expected = line
                .split_once("expect:")
                .and_then(|(_, words)| parse(words));
            if let Some(expected) = expected.filter(|expected| !expected.other_rules) {
                let largest = [expected.plain, expected.by_default].into_iter().flatten();
                let n = largest.map(|counts| counts.0).max().unwrap_or(u64::MAX);
                found.push((name.clone(), text.clone(), expected.defines, n));
            }
        }
    }
    found
}

/// What differs from what a line expects.
fn differences(text: &str, expected: &Expected) -> Vec<(&'static str, String)> {
    let model = match compile(text, &expected.defines) {
        Ok(model) => model,
        Err(why) => return vec![("refused", why)],
    };
    let mut wrong = Vec::new();
    let mut compare = |what: &'static str, setting, counts: Option<(u64, Option<u64>)>| {
        let counted = model.count(setting);
        let counted = counted.map_err(|why| wrong.push((what, why))).ok()?;
        let (states, transitions) = (counted.n_states, counted.n_transitions);
        let differs =
            |(n, m): (u64, Option<u64>)| n != states || m.is_some_and(|m| m != transitions);
        if counts.is_some_and(differs) {
            wrong.push((what, format!("{states} states, {transitions} transitions")));
        }
        Some(counted)
    };
    let plain = compare("plain", Setting::Plain, expected.plain);
    // What SPIN could not measure would take us as long.
    if expected.by_default.is_some() {
        compare("spin", Setting::Spin, expected.by_default);
    }
    let own = compare("own", Setting::Best, None);
    let violated = |counted: &super::Counted| !counted.errors.is_empty();
    let verdicts = [plain.as_ref().map(violated), own.as_ref().map(violated)];
    if expected.violated.is_some() && verdicts.iter().any(|v| *v != expected.violated) {
        wrong.push(("error", format!("plain and own: violated is {verdicts:?}")));
    }
    let (Some(_), Some(_)) = (expected.plain, &own) else {
        return wrong;
    };
    let bound = expected
        .plain
        .map(|p| p.0)
        .min(expected.by_default.or(expected.plain).map(|p| p.0));
    if own.as_ref().map(|own| own.n_states) > bound {
        wrong.push(("own", format!("{own:?}, more states than {bound:?}")));
    }
    wrong
}

#[test]
fn headers_of_models_say_what_is_counted() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/promela");
    let full = std::env::var_os("ORBIT_CORPUS_FULL").is_some_and(|set| set == "1");
    let (mut paths, mut wrong) = (Vec::new(), Vec::new());
    files(&root, &mut paths);
    let (mut n_lines, mut n_left_out) = (0, 0);
    let (mut names, mut exceptions) = (Vec::new(), Exceptions::read());
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a readable model");
        let name = path
            .strip_prefix(&root)
            .unwrap_or(&path)
            .display()
            .to_string();
        names.push(name.clone());
        let lines = text
            .lines()
            .filter_map(|line| Some(line.split_once("expect: ")?.1.trim()));
        for line in lines {
            let Some(expected) = parse(line) else {
                wrong.push(format!("{name}: `{line}` is not understood"));
                continue;
            };
            let large = expected.plain.is_some_and(|(n, _)| n > STATES_MAX);
            if expected.other_rules || large && !full {
                n_left_out += 1;
                continue;
            }
            n_lines += 1;
            let found = differences(&text, &expected);
            let new = found
                .iter()
                .filter(|(what, _)| !exceptions.has(&name, what));
            wrong.extend(new.map(|(what, how)| format!("{name}: {line}: {what} {how}")));
        }
    }
    wrong.extend(exceptions.stale(&names));
    note(&format!(
        "{n_lines} expectations of models were checked, {n_left_out} left out\n"
    ));
    assert!(
        wrong.is_empty(),
        "{} differences:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn expectations_are_understood() {
    let line = "-D N=3 -DM plain 148 states 295 transitions 2 errors; default 120 states; safety \
                violated (assertion)";
    let expected = parse(line).expect("a line");
    assert_eq!(expected.defines, ["N=3", "M"]);
    assert_eq!(expected.plain, Some((148, Some(295))));
    assert_eq!(expected.by_default, Some((120, None)));
    assert_eq!(expected.violated, Some(true));
    let line = "plain 4 states 4 transitions; default not measured; safety holds";
    assert_eq!(parse(line).expect("a line").by_default, None);
    for wrong in [
        "",
        "plain many states; safety holds",
        "4 states",
        "-x plain 4 states; safety holds",
    ] {
        assert_eq!(parse(wrong), None, "{wrong}");
    }
}

#[test]
fn a_wrong_expectation_is_found() {
    let text = "byte x; init { x = N; assert(x == 2) }";
    let said = |line: &str| differences(text, &parse(line).expect("a line")).len();
    let right = "-D N=2 plain 4 states 4 transitions; default 4 states; safety holds";
    assert_eq!(said(right), 0);
    assert_eq!(said(&right.replace("plain 4", "plain 5")), 1);
    assert_eq!(said(&right.replace("4 transitions", "5 transitions")), 1);
    assert_eq!(said(&right.replace("default 4", "default 5")), 1);
    assert_eq!(said(&right.replace("holds", "violated (assertion)")), 1);
    assert_eq!(said(&right.replace("N=2", "N=1")), 1);
    assert_eq!(said(&right.replace("-D N=2", "-D N=x")), 1);
}

/// The models that name another one which means the same, with its text.
fn twins() -> Vec<(String, String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/promela");
    let mut paths = Vec::new();
    files(&root, &mut paths);
    let mut all = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a readable model");
        let twin = text
            .lines()
            .find_map(|l| Some(l.split_once("twin: ")?.1.trim()));
        if let Some(twin) = twin {
            let beside = path.with_file_name(twin);
            let other = std::fs::read_to_string(&beside).expect("a readable twin");
            all.push((path.display().to_string(), text.clone(), other));
        }
    }
    all
}

/// What SPIN cannot read has a twin that it can: both expect the same, and both are counted alike
/// with every setting.
#[test]
fn twins_are_counted_alike() {
    let expectations = |text: &str| {
        let lines = text.lines().filter_map(|l| l.split_once("expect: "));
        lines.map(|l| l.1.trim().to_owned()).collect::<Vec<_>>()
    };
    let twins = twins();
    assert!(twins.len() >= 8, "{} models have a twin", twins.len());
    for (name, text, other) in &twins {
        let lines = expectations(text);
        assert!(!lines.is_empty(), "{name} expects nothing");
        assert_eq!(lines, expectations(other), "{name}");
        for line in &lines {
            let expected = parse(line).unwrap_or_else(|| panic!("{name}: {line}"));
            if expected.plain.is_some_and(|(n, _)| n > STATES_MAX / 10) {
                continue;
            }
            for setting in [Setting::Plain, Setting::Spin, Setting::Best] {
                let count = |text: &str| {
                    compile(text, &expected.defines).and_then(|model| model.count(setting))
                };
                let counted = count(text);
                assert!(counted.is_ok(), "{name}: {line}: {counted:?}");
                assert_eq!(counted, count(other), "{name}: {line}: {setting:?}");
            }
        }
    }
}

/// What is public in no instance cannot be reached: it is a fault, in every setting.
#[test]
fn an_undefined_reference_is_a_fault() {
    let text = "active [2] proctype p() { public byte x; ref p r; p[r].x = 1 }";
    let plain = compile(text, &[]).and_then(|model| model.count(Setting::Plain));
    let errors = plain.map(|counted| counted.errors);
    assert!(errors.as_ref().is_ok_and(|e| !e.is_empty()), "{errors:?}");
    let defined = text.replace("ref p r;", "ref p r = _lid;");
    let plain = compile(&defined, &[]).and_then(|model| model.count(Setting::Plain));
    assert_eq!(plain.map(|counted| counted.errors), Ok(Vec::new()));
}
