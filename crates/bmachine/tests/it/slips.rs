//! What messages say of the commonest slips.

use base::{Diagnostic, Diagnostics, Sources};
use bmachine::{lex, parse};

/// The first message of a text.
fn first(text: &str) -> Diagnostic {
    let (mut sources, mut found) = (Sources::new(), Diagnostics::new());
    let main = sources.add("m.mch", text);
    parse::machine(main, lex::lex(main, text), text.len(), &mut found);
    found.sorted().into_iter().next().expect("it is wrong")
}

/// Asserts that the first message shows where something begins that is not ended.
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

/// A machine with these operations.
fn operations(text: &str) -> String {
    format!("MACHINE m VARIABLES x INVARIANT x : NAT INITIALISATION x := 0 OPERATIONS {text}")
}

#[test]
fn what_is_not_ended_is_shown() {
    let here = |mark: &str, not: &str| format!("`{mark}` is expected here, not `{not}`");
    let text = "MACHINE m VARIABLES x INVARIANT (x : NAT INITIALISATION x := 0 END";
    unended(text, &here(")", "INITIALISATION"), "(", 0);
    let text = "MACHINE m VARIABLES x INVARIANT x : {1, 2 INITIALISATION x := 0 END";
    unended(text, &here("}", "INITIALISATION"), "{", 0);
    let text = operations("a = PRE x = 1 THEN x := 1");
    unended(
        &text,
        "`END` is expected before the end of the text",
        "PRE",
        0,
    );
    let text = operations("a = BEGIN x := 1; b = skip END");
    unended(&text, &here("END", "="), "BEGIN", 0);
    let text = operations("a = IF x = 1 THEN CASE x OF EITHER 1 THEN x := 2 END END");
    unended(
        &text,
        "`END` is expected before the end of the text",
        "IF",
        0,
    );
}

#[test]
fn comparing_and_assigning_are_told_apart() {
    let text = "MACHINE m VARIABLES x INVARIANT x : NAT INITIALISATION x = 0 END";
    let said = first(text);
    assert_eq!(said.message, "a clause or `END` is expected here, not `=`");
    assert_eq!(said.notes, ["`:=` assigns; `=` compares"]);
    let said = first(&operations(
        "a = BEGIN x := 1; b = PRE x = 1 THEN skip END END",
    ));
    let note = "the next operation begins here, if what stands before it is ended";
    assert_eq!(said.notes, [note]);
}
