//! Assignments in a row: which are taken for a set, and which are not.
//!
//! The model has two things that can be exchanged only if the row has no order: `mark` and `flag`
//! at 0 and at 1.

use super::{certified, model};
use model::processes::expr::Expr;
use model::processes::population::Population;
use model::processes::program::Action;
use reduce::processes::sort::{Sends, infer, verify};

/// A walker with a row, and who might see it.
const WALKER: &str = "
    bool flag[2], mark[2], more[2]; byte n, m;
    active proctype walker() {
        byte own[2];
        if
        :: mark[0] = 1
        :: mark[1] = 1
        fi;
        atomic { flag[0] = 1; flag[1] = 1 }
    }
    active proctype watcher() {
        do
        :: mark[0] && flag[0] && !flag[1] -> n = 1
        :: mark[1] && flag[1] && !flag[0] -> n = 1
        od
    }";

/// How many rows of the walker, changed in one way, are taken for sets; and the order of the group.
#[track_caller]
fn rows(from: &str, to: &str) -> (usize, String) {
    let text = WALKER.replace(from, to);
    assert!(from == to || text != WALKER, "nothing is changed");
    let (model, order) = certified(&text);
    (model.sorts.unordered.len(), order)
}

/// Whether the row is one set, and leaves the two exchangeable.
#[track_caller]
fn is_set(from: &str, to: &str) -> bool {
    let (n, order) = rows(from, to);
    assert_eq!(order, if n > 0 { "2" } else { "1" }, "{to}");
    n > 0
}

const ROW: &str = "flag[0] = 1; flag[1] = 1";

#[test]
fn a_row_that_nobody_sees_is_a_set() {
    assert!(is_set("", ""));
    assert!(is_set("atomic {", "d_step {"));
    assert!(is_set(ROW, "n == 0 -> flag[0] = 1; flag[1] = 1"));
    assert!(is_set(ROW, "flag[1] = 1; m = n; flag[0] = 1"));
    assert!(!is_set("atomic { flag[0] = 1; flag[1] = 1 }", ROW));
    // Only one of them is there.
    assert_eq!(rows(ROW, "flag[0] = 1").0, 0);
}

#[test]
fn a_row_that_can_be_interrupted_keeps_its_order() {
    let provided = "walker() provided (flag[0] == flag[1])";
    assert!(!is_set("walker()", provided));
    assert!(!is_set("watcher()", "watcher() priority 2"));
    let block = WALKER.replace("atomic {", "d_step {");
    let block = block.replace("walker()", provided);
    assert_eq!(certified(&block).0.sorts.unordered.len(), 1);
}

/// If the maker stands inside of a row when the making is over, the rest of the row is still to
/// come, and is no row.
#[test]
fn a_row_in_which_the_making_ends_keeps_its_order() {
    let text = "bool flag[2]; proctype p() { flag[0] -> skip }
                init { atomic { run p(); flag[0] = 1; flag[1] = 1 } }";
    let (model, _) = certified(text);
    let n_rows = |population: &Population| {
        let sorts = infer(model.machine.model(), population, Sends::Wait);
        sorts.unordered.len()
    };
    assert_eq!(n_rows(&model.population), 1);
    let maker = model.population.creator.clone().expect("a maker");
    let found_at = (0..maker.after.len()).map(|at| {
        let mut population = model.population.clone();
        let mut maker = maker.clone();
        maker.after.fill(false);
        maker.after[at] = true;
        population.creator = Some(maker);
        n_rows(&population)
    });
    // There is one such place, between the two.
    assert_eq!(found_at.filter(|n| *n == 0).count(), 1);
}

/// Each of these would be wrong as a set, or cannot be known to be right.
#[test]
fn assignments_that_meet_keep_their_order() {
    for row in [
        // One reads what the other writes.
        "flag[0] = 1; flag[1] = flag[0]",
        "flag[0] = flag[1]; flag[1] = 1",
        "flag[0] = 1; flag[0] = 0",
        "n = 1; m = n",
        // Indices that are no constants.
        "flag[n] = 1; flag[m] = 1",
        "flag[0] = flag[n]; flag[1] = flag[m]",
        // What can go wrong, or asks for more.
        "n = 6 / m; m = 6 / m",
        "flag[0] = _nr_pr; flag[1] = enabled(1)",
        // Not of one type: there is nothing to exchange.
        "flag[0] = 1; n = 1",
    ] {
        assert_eq!(rows(ROW, row).0, 0, "{row}");
    }
}

#[test]
fn a_row_ends_where_it_must() {
    // The third writes what the others read; a second row starts there.
    let (n, order) = rows(ROW, "flag[0] = n; flag[1] = n; n = 1; m = 1");
    assert_eq!((n, &*order), (2, "2"));
    // Somebody may come in from elsewhere, or ask for the place.
    assert_eq!(rows(ROW, "flag[0] = 1; here: flag[1] = 1").0, 0);
    let jumped = "flag[0] = 1; if :: n == 2 -> skip :: else fi; flag[1] = 1";
    assert_eq!(rows(ROW, jumped).0, 0);
    // Variables of the process itself.
    assert_eq!(rows(ROW, "own[0] = 1; own[1] = 1; flag[0] = own[0]").0, 1);
}

#[test]
fn a_row_that_does_not_commute_is_refused() {
    let mut model = model(WALKER);
    let text = &mut model.sorts.text;
    let steps = text.proctypes[0].locations[model.sorts.n_locations[0]..].iter();
    let steps: Vec<_> = steps.flat_map(|l| l.steps.clone()).collect();
    let indices = steps.iter().filter_map(|s| match &text.step(*s).action {
        Action::Assign(place, _) => place.indices.first().copied(),
        _ => None,
    });
    let indices: Vec<_> = indices.collect();
    assert_eq!(indices.len(), 2);
    // Both assign to one element, different values.
    text.exprs[indices[1].index()] = text.expr(indices[0]).clone();
    let assigned = steps.iter().find_map(|s| match &text.step(*s).action {
        Action::Assign(_, e) => Some(*e),
        _ => None,
    });
    let assigned = assigned.expect("an assignment");
    text.exprs[assigned.index()] = Expr::Const(0);
    let misuse = verify(&model.sorts, &model.population).expect_err("it is spoilt");
    assert!(misuse.reason.contains("do not commute"), "{misuse:?}");
}
