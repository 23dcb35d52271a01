//! Scripts by other people are evaluated: definitions without parameters have a value, or a fault
//! that is listed here.

use super::Loaded;
use crate::corpus::{Found, include, scripts, skipped};
use crate::script::read_with;
use cspm::eval::Script;
use cspm::process::Terms;
use cspm::value::Value;

/// Definitions that end with a fault: file, names, words of the message. `load` stands for the
/// script as a whole.
const FAULTS: &[(&str, &[&str], &str)] = &[
    // Values that are out of range, as the scripts say themselves or as their names suggest.
    (
        "EnumerationTests.csp",
        &["MAIN", "Test3"],
        "is no value of field 1 of out.4",
    ),
    (
        "Examples__SeqType.csp",
        &["MAIN1"],
        "<1, 2> is no value of field 1",
    ),
    (
        "PatMatchTupleComplex.csp",
        &["MAIN6b"],
        "no equation of `g4` fits",
    ),
    // Ill-typed: a process where an event is meant, an event where a process is.
    ("CSPMJ__Examples__bankv1.csp", &["SPEC2"], "is no event"),
    ("CSPMJ__Examples__bankv2.csp", &["SPEC2"], "is no process"),
    ("occursCheck.csp", &["MAIN3"], "left.2 is no event"),
    (
        "StatementPattern.csp",
        &["load"],
        "at most one part of unknown length",
    ),
    // `chan?x` where `chan` may be a whole event.
    (
        "CSPMJ__Examples__oopseq.csp",
        &["DEMUX", "DEMUX01a", "DEMUX0a", "DEMUX1a", "Seqsys"],
        "has no field left",
    ),
    (
        "cspmf__CSPM-Frontend__test__cspm__oopseq.csp",
        &["DEMUX", "DEMUX01a", "DEMUX0a", "DEMUX1a", "Seqsys"],
        "has no field left",
    ),
    // `{enter.GateSeg}` for `{| enter.GateSeg |}`.
    (
        "cspm__t1.csp",
        &["EnterWhenDown", "Safety"],
        "enter.3 lacks fields",
    ),
    // Channels of `Int`, whose events have no end.
    ("SimpleGetSet.csp", &["GETSET", "MAIN"], "has no end"),
    // Names that are nowhere defined.
    ("oopsla.csp", &["load"], "there is no `Acks`"),
    (
        "should_pass__string_brackets.csp",
        &["load"],
        "there is no `f`",
    ),
    (
        "parser__should_pass__timed_sections.csp",
        &["load"],
        "there is no `f`",
    ),
    // Definitions that need themselves.
    ("let_external_defined.csp", &["P"], "it has to be evaluated"),
    (
        "let_transparent_definition.csp",
        &["P"],
        "it has to be evaluated",
    ),
    (
        "solvable_infinite_types.csp",
        &["agents"],
        "it has to be evaluated",
    ),
    // What is not supported.
    (
        "should_pass__buffer.csp",
        &["procTest2"],
        "buffers that signal are not supported",
    ),
    (
        "should_pass__failure_watchdog.csp",
        &["procTest1"],
        "watchdogs are not supported",
    ),
    (
        "should_pass__trace_watchdog.csp",
        &["procTest1"],
        "watchdogs are not supported",
    ),
    (
        "should_pass__prioritise.csp",
        &["procTest1"],
        "priority is not supported",
    ),
    (
        "should_pass__prioritise_po.csp",
        &["procTest1"],
        "priority is not supported",
    ),
    (
        "should_pass__timed_priority.csp",
        &["P", "procTest1"],
        "priority is not supported",
    ),
];

/// A script that counts to a hundred million.
const SLOW: &str = "libcspm__tests__parser__should_pass__print_statements.csp";

/// Names with messages.
type Faults = Vec<(String, String)>;

/// What evaluating a script found: faults, and names of tests that are not true.
fn evaluate(found: &Found) -> Option<(Faults, Vec<String>)> {
    let mut include = |asked: &str| include(&found.name, asked);
    let ast = read_with(&found.name, &found.text, &mut include).script?;
    let mut script = match Script::load(&ast) {
        Ok(script) => script,
        Err(wrong) => return Some((vec![("load".into(), wrong[0].message.clone())], Vec::new())),
    };
    let (mut faults, mut untrue) = (Vec::new(), Vec::new());
    let names: Vec<String> = script.names().map(str::to_owned).collect();
    let mut terms = Terms::default();
    if found.name != SLOW {
        let prints = script.prints(&mut terms).into_iter();
        faults.extend(
            prints
                .filter_map(|p| p.1.err())
                .map(|f| ("print".into(), f.message)),
        );
    }
    let assertions = script.assertions(&mut terms).into_iter();
    faults.extend(
        assertions
            .filter_map(|a| a.1.err())
            .map(|f| ("assert".into(), f.message)),
    );
    let mut loaded = Loaded { script, terms };
    for name in names {
        if loaded.script.is_function(&name) {
            continue;
        }
        let result = match loaded.evaluate(&name) {
            Ok(Value::Process(term)) => loaded.explore(term, 300).map(|_| Value::Bool(true)),
            other => other,
        };
        match result {
            Err(fault) => faults.push((name, fault.message)),
            Ok(value) if name.starts_with("test") && value != Value::Bool(true) => {
                untrue.push(name);
            }
            Ok(_) => {}
        }
    }
    Some((faults, untrue))
}

#[test]
fn scripts_of_the_corpus_are_evaluated() {
    let Some(scripts) = scripts() else {
        return skipped();
    };
    let (mut wrong, mut n) = (Vec::new(), 0);
    for found in &scripts {
        if found.should == "fail" {
            continue;
        }
        let Some((faults, untrue)) = evaluate(found) else {
            continue;
        };
        n += 1;
        let is_test = found.name.contains("__evaluator__");
        if is_test && !untrue.is_empty() {
            wrong.push(format!("{}: {untrue:?} are not true", found.name));
        }
        let listed = FAULTS.iter().find(|(file, ..)| found.name.ends_with(file));
        let (names, words) = listed.map_or((&[][..], ""), |(_, names, words)| (names, words));
        let is_as_listed = faults
            .iter()
            .map(|(name, _)| name.as_str())
            .eq(names.iter().copied())
            && faults.iter().all(|(_, message)| message.contains(words));
        if !is_as_listed {
            wrong.push(format!("{}: {faults:?}", found.name));
        }
    }
    assert!(n > 100, "{n} scripts");
    assert!(
        wrong.is_empty(),
        "{} of {n}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn scripts_that_should_fail_do() {
    let Some(scripts) = scripts() else {
        return skipped();
    };
    let mut n = 0;
    for found in &scripts {
        let is_meant = found.name.contains("__evaluator__") || found.name.contains("__desugar__");
        if found.should != "fail" || !is_meant {
            continue;
        }
        let (faults, untrue) = evaluate(found).expect("it is read");
        n += 1;
        assert!(
            !faults.is_empty() || !untrue.is_empty(),
            "{} should fail",
            found.name
        );
    }
    assert!(n > 10, "{n} scripts");
}
