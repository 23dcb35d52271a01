//! Scripts by other people are accepted, or refused where their origin says so.

use super::check_with;
use crate::corpus::{include, scripts, skipped};

/// Scripts that are not as their origin says, or are ill typed for FDR too, with words of what is
/// said. Those that cannot be read are listed where reading is tested.
const LEFT_OUT: &[(&str, &str)] = &[
    // These test the parser alone.
    (
        "libcspm__tests__parser__should_pass__string_brackets.csp",
        "`f` is not declared",
    ),
    (
        "libcspm__tests__parser__should_pass__timed_sections.csp",
        "`a` is not declared",
    ),
    // Written for tools without types: a function whose value has two types.
    (
        "CSPMJ__Examples__BLinkTest.csp",
        "`(BSet) -> {Bcode}` is wanted",
    ),
    // A function over dots of any length.
    (
        "CSPMJ__Examples__PatMatchTupleComplex.csp",
        "would be a part of itself",
    ),
    // Replicated `;` over a set.
    ("CSPMJ__Examples__SetTests.csp", "`<a>` is wanted"),
    // A name that stands to the left of where it is bound.
    (
        "CSPMJ__Examples__StatementPattern.csp",
        "`x` is not declared",
    ),
    // An event that is replicated as if it were a process.
    ("CSPMJ__Examples__bankv1.csp", "where a process is meant"),
    ("CSPMJ__Examples__bankv2.csp", "where a process is meant"),
    // Mistakes on purpose.
    ("CSPMJ__Examples__occursCheck.csp", "is wanted"),
    // A set of channels that lack different fields.
    ("CSPMJ__Examples__oopseq.csp", "`Int => Event` is wanted"),
    (
        "cspmf__CSPM-Frontend__test__cspm__oopseq.csp",
        "`Int => Event` is wanted",
    ),
    (
        "cspmf__CSPM-Frontend__test__cspm__t1.csp",
        "`{Event}` is wanted",
    ),
    // A name that is nowhere.
    (
        "cspmf__CSPM-Frontend__test__cspm__oopsla.csp",
        "`Acks` is not declared",
    ),
];

#[test]
fn scripts_of_the_corpus_are_well_typed_or_refused_as_they_should_be() {
    let Some(scripts) = scripts() else {
        return skipped();
    };
    let mut wrong = Vec::new();
    let mut n_typed = 0;
    for found in &scripts {
        let mut include = |asked: &str| include(&found.name, asked);
        let said = check_with(&found.name, &found.text, &mut include);
        if !said.is_read {
            continue;
        }
        n_typed += 1;
        let should_fail = found.should == "fail" && found.name.contains("__typechecker__");
        let left_out = LEFT_OUT.iter().find(|(name, _)| *name == found.name);
        let as_listed = match left_out {
            Some((_, why)) => said.errors.iter().any(|error| error.contains(why)),
            None => said.errors.is_empty() != should_fail,
        };
        if !as_listed || said.typed.is_some() != said.errors.is_empty() {
            wrong.push(format!("{}\n{}", found.name, said.drawn));
        }
    }
    assert!(n_typed > 100, "{n_typed} scripts");
    let n = wrong.len();
    assert!(n == 0, "{n} of {n_typed}:\n{}", wrong.join("\n\n"));
}
