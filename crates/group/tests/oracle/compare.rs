//! What counts as a difference: an answer that is not ours, and an answer that did not come.
//!
//! Answers are compared as text without blanks, because programs differ in where they put them.

/// What we say, and the case it is about (with its seed).
#[derive(Clone, Debug)]
pub struct Claim {
    pub case: String,
    pub ours: String,
}

/// At most so many differences are shown; one bug usually makes thousands.
const SHOWN_MAX: usize = 20;

/// The claims that `theirs`, in the same order, does not confirm, a line each.
pub fn differences(claims: &[Claim], theirs: &[Option<String>]) -> Vec<String> {
    assert_eq!(claims.len(), theirs.len(), "one answer for each claim");
    let mut found = Vec::new();
    for (claim, answer) in claims.iter().zip(theirs) {
        let ours = without_blanks(&claim.ours);
        match answer.as_deref().map(without_blanks) {
            Some(answer) if answer == ours => {}
            Some(answer) => found.push(format!("{}: ours {ours}, theirs {answer}", claim.case)),
            None => found.push(format!("{}: ours {ours}, theirs missing", claim.case)),
        }
    }
    found
}

/// Fails if there is a difference; otherwise says how much was compared.
pub fn assert_agreement(test: &str, claims: &[Claim], theirs: &[Option<String>], log: &str) {
    let found = differences(claims, theirs);
    let shown = found[..found.len().min(SHOWN_MAX)].join("\n");
    assert!(
        found.is_empty(),
        "{test}: {} of {} answers differ:\n{shown}\n{log}",
        found.len(),
        claims.len(),
    );
    assert!(!claims.is_empty(), "{test}: nothing was compared");
    crate::program::say(&format!("{test}: {} answers agree", claims.len()));
}

fn without_blanks(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

fn claim(case: &str, ours: &str) -> Claim {
    Claim {
        case: case.to_owned(),
        ours: ours.to_owned(),
    }
}

#[test]
fn a_wrong_answer_and_a_missing_one_are_differences() {
    let claims = [claim("a", "[1,2]"), claim("b", "24"), claim("c", "6")];
    let theirs = [Some("[ 1, 2 ]".to_owned()), Some("12".to_owned()), None];
    assert_eq!(
        differences(&claims, &theirs),
        ["b: ours 24, theirs 12", "c: ours 6, theirs missing"]
    );
}

#[test]
#[should_panic(expected = "1 of 1 answers differ")]
fn a_difference_fails_the_test() {
    assert_agreement("planted", &[claim("a", "24")], &[Some("12".to_owned())], "");
}

#[test]
#[should_panic(expected = "nothing was compared")]
fn comparing_nothing_fails_the_test() {
    assert_agreement("planted", &[], &[], "");
}
