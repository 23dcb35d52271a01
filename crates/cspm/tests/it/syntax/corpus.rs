//! Scripts by other people are read, or refused where their origin says so.

use crate::corpus::{include, scripts, skipped};
use crate::script::read_with;

/// Scripts that are not as their origin says, with words of the reason.
const LEFT_OUT: &[(&str, &str)] = &[
    // Files that they include and that are not in the corpus.
    (
        "CSPMJ__Examples__SimpleIntTim_statespace.csp",
        "is not there",
    ),
    ("CSPMJ__Examples__inctest.csp", "is not there"),
    (
        "libcspm__tests__parser__should_pass__include_1.csp",
        "`include_2.csp` is not there",
    ),
    (
        "libcspm__tests__parser__should_pass__include_4.csp",
        "is not there",
    ),
    (
        "libcspm__tests__parser__should_pass__includes+comments.csp",
        "`include_3.csp` is not there",
    ),
    (
        "libcspm__tests__parser__should_pass__multiple_includes.csp",
        "`include_2.csp` is not there",
    ),
    (
        "libcspm__tests__parser__should_pass__test-include-module-having-exports-then-include-of-\
         file-without-comments.csp",
        "is not there",
    ),
    (
        "libcspm__tests__prettyprinter__should_pass__output.csp",
        "`refsva.csp` is not there",
    ),
    // `out!if b then e else 2 -> SKIP`: FDR 4 takes the arrow into the `else`, FDR 2 did not.
    (
        "cspmf__CSPM-Frontend__test__cspm__prioProb.csp",
        "`->` or a field of the event",
    ),
];

#[test]
fn scripts_of_the_corpus_are_read_or_refused_as_they_should_be() {
    let Some(scripts) = scripts() else {
        return skipped();
    };
    assert!(scripts.len() > 100, "{} scripts", scripts.len());
    let mut wrong = Vec::new();
    for found in &scripts {
        let mut include = |asked: &str| include(&found.name, asked);
        let said = read_with(&found.name, &found.text, &mut include);
        let should_fail = found.should == "fail" && found.name.contains("__parser__");
        let left_out = LEFT_OUT.iter().find(|(name, _)| *name == found.name);
        let as_listed = match left_out {
            Some((_, why)) => said.errors.iter().any(|error| error.contains(why)),
            None => said.script.is_none() == should_fail,
        };
        let is_judged = said.script.is_some() == said.errors.is_empty();
        if !as_listed || !is_judged {
            wrong.push(format!("{}\n{}", found.name, said.drawn));
        }
    }
    let n = wrong.len();
    assert!(n == 0, "{n} of {}:\n{}", scripts.len(), wrong.join("\n\n"));
}
