//! Conditions joined by `&&` and `||`, and when their order matters.
//!
//! The values 1 and 2 can be exchanged only if the condition has no order.

use super::certified;

/// Somebody who counts beyond the array.
const COUNTER: &str = "
    byte a[2], i, j; bool n;
    active proctype counter() {
        do
        :: i < 3 -> i = i + 1
        :: j < 2 -> j = j + 1
        :: a[0] = 1
        :: a[0] = 2
        :: CONDITION -> n = 1 - n
        od
    }";

/// Whether 1 and 2 can be exchanged where this is the condition.
#[track_caller]
fn exchanges(condition: &str) -> bool {
    let text = COUNTER.replace("CONDITION", condition);
    match &*certified(&text).1 {
        "1" => false,
        "2" => true,
        order => panic!("{order} elements of\n{text}"),
    }
}

#[test]
fn conditions_that_cannot_go_wrong_have_no_order() {
    assert!(exchanges("(a[0] == 1 || a[0] == 2)"));
    assert!(exchanges("(a[1] != 1 && a[0] != 0 && a[1] != 2)"));
}

#[test]
fn conditions_that_go_wrong_together_have_no_order() {
    assert!(exchanges("(a[i] == 1 || a[i] == 2)"));
    assert!(exchanges("(a[i] != 1 && a[i] != 2)"));
}

/// Which of two things goes wrong, or whether one does, would be seen.
#[test]
fn conditions_that_go_wrong_apart_keep_their_order() {
    assert!(!exchanges("(a[i] == 1 || a[j] == 2)"));
    assert!(!exchanges("(a[0] == 1 || a[i] == 2)"));
    assert!(!exchanges("((n && a[i] == 1) || (n && a[i] == 2))"));
    assert!(!exchanges("((a[i] == 1 -> n : 0) || (a[i] == 2 -> n : 0))"));
    assert!(!exchanges(
        "(1 / j == i && a[i] == 1 || 1 / j == i && a[i] == 2)"
    ));
}
