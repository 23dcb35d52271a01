//! What messages say of the commonest slips.

use base::{Diagnostic, Diagnostics, Sources};

/// The first message of a text.
fn first(text: &str) -> Diagnostic {
    let (mut sources, mut found) = (Sources::new(), Diagnostics::new());
    let main = sources.add("m.pml", text);
    let mut include = |_: &mut Sources, _: &promela::preprocess::IncludeRequest<'_>| {
        Err(Diagnostic::unlocated("there are no other files"))
    };
    promela::read(main, &[], &mut sources, &mut include, &mut found);
    found.sorted().into_iter().next().expect("it is wrong")
}

/// Asserts that the first message says that something is not ended, and shows where it begins.
#[track_caller]
fn unended(text: &str, message: &str, opener: &str, nth: usize) {
    let said = first(text);
    assert_eq!(said.message, message, "{text}");
    let label = said.labels.last().expect("a place");
    assert_eq!(
        label.words,
        format!("this `{opener}` is not ended"),
        "{text}"
    );
    let at = text.match_indices(opener).nth(nth).expect("it is there").0;
    assert_eq!(label.span.range(), at..at + opener.len(), "{text}");
}

#[test]
fn what_is_not_ended_is_shown() {
    let here = |mark: &str, not: &str| format!("`{mark}` is expected here, not `{not}`");
    let text = "active proctype P() { if :: skip -> skip }";
    unended(text, &here("fi", "}"), "if", 0);
    let text = "active proctype P() { do :: if :: skip fi ; skip }";
    unended(text, &here("od", "}"), "do", 0);
    let text = "active proctype P() {\n\tskip\n";
    unended(text, "`}` is expected before the end of the text", "{", 0);
    let text = "active proctype P() {\n\tskip\n\nactive proctype Q() { skip }";
    unended(text, &here("}", "active"), "{", 0);
    let text = "byte x; active proctype P() { x = (1 + (2 * 3); x = 4 }";
    unended(text, &here(")", ";"), "(", 1);
    let text = "byte x[2]; active proctype P() { x[1 = 2 }";
    unended(text, &here("]", "="), "[", 1);
}

#[test]
fn comparing_and_assigning_are_told_apart() {
    for text in [
        "byte x; active proctype P() { assert(x = 5) }",
        "byte x; active proctype P() { if :: (x = 1) -> skip fi }",
    ] {
        let said = first(text);
        assert_eq!(said.message, "`)` is expected here, not `=`", "{text}");
        let note = "`==` compares; `=` assigns, and is no part of an expression";
        assert_eq!(said.notes, [note], "{text}");
    }
    let said = first("byte x; active proctype P() { x := 2 }");
    assert_eq!(
        said.notes,
        ["`=` assigns; there is no `:=`"],
        "{}",
        said.message
    );
}

#[test]
fn what_is_ended_is_not_shown() {
    let said = first("active proctype P() { (1 + 1); [2] ; skip }");
    assert!(
        said.labels.iter().all(|label| label.words.is_empty()),
        "{said:?}"
    );
    let said = first("active proctype P() { x = ; }");
    assert!(
        said.labels.iter().all(|label| label.words.is_empty()),
        "{said:?}"
    );
}
