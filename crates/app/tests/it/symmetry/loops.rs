//! Loops over ids: which are taken for the set of their rounds, and which are not.
//!
//! The model has two things that can be exchanged only if the loop has no order: `mark` and `flag`
//! at 0 and at 1.

use super::{Model, model};
use reduce::certify::certify;
use system::model::Action;
use system::sort::verify;

/// A walker with a loop, and who might see it.
const WALKER: &str = "
    bool flag[2], mark[2]; byte n;
    active proctype walker() {
        byte j;
        if
        :: mark[0] = 1
        :: mark[1] = 1
        fi;
        atomic { for (j : 0 .. 1) { flag[j] = 1 } }
    }
    active proctype watcher() {
        do
        :: mark[0] && flag[0] && !flag[1] -> n = 1
        :: mark[1] && flag[1] && !flag[0] -> n = 1
        od
    }";

fn certified(text: &str) -> (Model, String) {
    let model = model(text);
    assert_eq!(verify(&model.sorts, &model.population), Ok(()), "{text}");
    let certified = certify(&model.sorts, &model.population, &model.candidates);
    assert_eq!(certified.rejected(), [], "{text}");
    let order = certified.group().order().to_string();
    (model, order)
}

/// Whether the loop of the walker, changed in one way, is taken for a set.
#[track_caller]
fn is_set(from: &str, to: &str) -> bool {
    let text = WALKER.replace(from, to);
    assert!(from == to || text != WALKER, "nothing is changed");
    let (model, order) = certified(&text);
    let replaced = !model.sorts.unordered.is_empty();
    assert_eq!(order, if replaced { "2" } else { "1" }, "{text}");
    replaced
}

#[test]
fn a_loop_that_nobody_sees_is_a_set() {
    assert!(is_set("", ""));
    assert!(is_set("atomic", "d_step"));
    assert!(!is_set("atomic", ""));
}

/// The `else` of a deterministic block is a step that can always be taken, if it comes last.
#[test]
fn a_deterministic_loop_may_be_written_out() {
    let from = "atomic { for (j : 0 .. 1) { flag[j] = 1 } }";
    let rounds = "d_step { j = 0; do :: j < 2 -> flag[j] = 1; j++ :: else -> break od }";
    assert!(is_set(from, rounds));
    assert!(is_set(from, &rounds.replace("else", "skip")));
    // Outside of a block that is a choice.
    let choice = rounds.replace("else", "skip").replace("d_step", "atomic");
    assert!(!is_set(from, &choice));
}

/// In the middle of `atomic` control is lost where the condition on the process does not hold, and
/// to who has a higher priority; in a block it is not.
#[test]
fn a_loop_that_is_interrupted_keeps_its_order() {
    let provided = "walker() provided (flag[0] == flag[1])";
    assert!(!is_set("walker()", provided));
    assert!(!is_set("watcher()", "watcher() priority 2"));
    let block = WALKER.replace("atomic", "d_step");
    let block = block.replace("walker()", provided);
    assert_eq!(certified(&block).1, "2");
}

#[test]
fn a_set_that_others_can_interrupt_is_refused() {
    let (mut model, _) = certified(WALKER);
    let text = &mut model.sorts.text;
    let mut watched = text.proctypes[1].locations.iter().flat_map(|l| &l.steps);
    let watched = watched.find_map(|step| match text.step(*step).action {
        Action::Test(e) => Some(e),
        _ => None,
    });
    assert_eq!(&*text.proctypes[0].name, "walker");
    text.proctypes[0].provided = watched;
    let misuse = verify(&model.sorts, &model.population).expect_err("it is spoilt");
    assert!(misuse.reason.contains("come between"), "{misuse:?}");
    let (mut model, _) = certified(WALKER);
    model.sorts.text.rules.priorities = true;
    let misuse = verify(&model.sorts, &model.population).expect_err("it is spoilt");
    assert!(misuse.reason.contains("come between"), "{misuse:?}");
}
