//! Loops over ids: which are taken for the set of their rounds, and which are not.
//!
//! The model has two things that can be exchanged only if the loop has no order: `mark` and `flag`
//! at 0 and at 1.

use super::{Model, certified, prepare_if};
use crate::counts::{compile, options};
use check::{Ended, Identity, Reducer, StopReason};
use model::Machine;
use model::processes::expr::{Expr, ExprId};
use model::processes::layout::Role;
use model::processes::passes::Setting;
use model::processes::program::{Action, StepId};
use reduce::processes::certify::{CertifiedProcesses, certify};
use reduce::processes::sort::{Sends, verify};
use strategies::Strategy;

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

/// A teller who sends to all in one go.
const TELLER: &str = "
    chan box[2] = [ROOM] of { byte };
    bool mark[2];
    active proctype teller() {
        byte j;
        if
        :: mark[0] = 1; box[0]!1
        :: mark[1] = 1; box[1]!1
        fi;
        atomic { for (j : 0 .. 1) { box[j]!3 } }
    }
    active proctype watcher() {
    end:do
        :: atomic { mark[1] && len(box[1]) == 1 && box[1]?[1] && len(box[0]) == 1 -> SEEN }
        :: atomic { mark[0] && len(box[0]) == 1 && box[0]?[1] && len(box[1]) == 1 -> SEEN }
        :: mark[0] && nempty(box[0]) -> box[0]?_
        :: mark[1] && nempty(box[1]) -> box[1]?_
        od
    }";

fn teller(room: &str, seen: &str) -> String {
    TELLER.replace("ROOM", room).replace("SEEN", seen)
}

fn assuming(text: &str) -> (Model, CertifiedProcesses) {
    let compiled = compile(text, &[]).unwrap_or_else(|why| panic!("{why}\n{text}"));
    let model = prepare_if(&compiled, Setting::Plain, Sends::Assumed).expect("a population");
    assert_eq!(verify(&model.sorts, &model.population), Ok(()), "{text}");
    let certified = certify(&model.sorts, &model.population, &model.candidates);
    assert_eq!(certified.rejected(), [], "{text}");
    (model, certified)
}

/// Whether the loop of the teller, changed in one way, is taken for a set.
#[track_caller]
fn sends_are_set(from: &str, to: &str) -> bool {
    let text = teller("2", "skip").replace(from, to);
    assert!(from == to || text != teller("2", "skip"), "nothing changes");
    let (model, certified) = assuming(&text);
    let lines = certified.homes().lines();
    assert_eq!(lines.is_empty(), model.sorts.waits.is_empty(), "{text}");
    !model.sorts.unordered.is_empty()
}

#[test]
fn a_loop_that_sends_is_a_set_if_no_send_is_taken_to_wait() {
    assert!(sends_are_set("", ""));
    let (_, order) = certified(&teller("2", "skip"));
    assert_eq!(order, "1", "nothing is assumed");
    // In a block a send that waits is a fault, and nothing need be assumed.
    let (model, order) = certified(&teller("2", "skip").replace("atomic { for", "d_step { for"));
    assert_eq!((model.sorts.waits.len(), &*order), (0, "2"));
}

#[test]
fn sends_that_meet_keep_their_order() {
    // Both send to one channel; the second name of a channel is not known before the run.
    assert!(!sends_are_set("box[j]!3", "box[0]!3"));
    assert!(!sends_are_set("byte j;", "byte j; box[1] = box[0];"));
    assert!(sends_are_set("box[j]!3", "box[1 - j]!3"));
    // A handshake passes control on.
    assert!(!sends_are_set("[2] of", "[0] of"));
    assert!(!sends_are_set("box[j]!3", "box[j]!!3"));
    // What the others have sent is looked at, or a round may end in another way.
    assert!(!sends_are_set(
        "box[j]!3",
        "box[j]!3; mark[j] = len(box[0])"
    ));
    assert!(!sends_are_set("box[j]!3", "box[j]!3; assert(mark[j])"));
    assert!(!sends_are_set("box[j]!3", "box[j]!(3 / mark[j])"));
    assert!(!sends_are_set(
        "box[j]!3",
        "if :: box[j]!3 :: full(box[j]) fi"
    ));
    // These are harmless.
    assert!(sends_are_set("box[j]!3", "box[j]!3; mark[j] = 1"));
    assert!(sends_are_set(
        "box[j]!3",
        "if :: mark[j] -> box[j]!3 :: else fi"
    ));
    assert!(sends_are_set("box[j]!3", "box[j]!3; box[j]!4"));
}

/// What is searched, with the errors that are found; `None` if the symmetries were refuted.
fn errors(machine: &Machine, reducer: &mut dyn Reducer) -> Option<bool> {
    let outcome = check::explore(machine, reducer, &options(), &mut |_| {});
    let outcome = outcome.expect("all runs can be replayed");
    let refuted = outcome.ended == Ended::Stopped(StopReason::Refuted);
    (!refuted).then_some(outcome.n_errors > 0)
}

/// If nobody looked, a send that waits would be missed, and with it an error.
#[test]
fn a_send_that_waits_is_seen() {
    let bad = "assert(false)";
    // Who sees the first message before the second was sent sees which comes first.
    let half = teller("1", "skip").replacen("skip", bad, 1);
    let (whole, certified) = assuming(&teller("1", bad));
    assert_eq!(certified.group().order().to_string(), "2");
    assert_eq!(errors(&whole.machine, &mut Identity), Some(true));
    let reducer = || {
        Strategy::Canonical
            .reducer(&certified.certified())
            .expect("it fits")
    };
    assert_eq!(errors(&whole.machine, &mut *reducer()), None);
    for strategy in Strategy::ALL {
        if let Ok(mut reducer) = strategy.reducer(&certified.certified()) {
            let wanted = (strategy == Strategy::None).then_some(true);
            assert_eq!(errors(&whole.machine, &mut *reducer), wanted, "{strategy}");
        }
    }
    // With room for both nobody waits, and the symmetries are right.
    let (roomy, certified) = assuming(&teller("2", bad));
    let mut reducer = Strategy::Canonical
        .reducer(&certified.certified())
        .expect("it fits");
    assert_eq!(errors(&roomy.machine, &mut *reducer), Some(false));
    assert_eq!(errors(&roomy.machine, &mut Identity), Some(false));
    // Only one of the two orders is ever taken.
    let (model, _) = assuming(&half);
    let other = teller("1", bad).replacen(bad, "skip", 1);
    let (other, _) = assuming(&other);
    let both = [&model, &other].map(|model| errors(&model.machine, &mut Identity));
    assert_eq!(both, [Some(true), Some(false)]);
}

#[test]
fn wrong_sets_of_sends_are_refused() {
    let spoilt = |wanted: &str, spoil: &dyn Fn(&mut Model)| {
        let (mut model, _) = assuming(&teller("2", "skip"));
        spoil(&mut model);
        let misuse = verify(&model.sorts, &model.population).expect_err("it is spoilt");
        assert!(misuse.reason.contains(wanted), "{misuse:?}, not {wanted}");
    };
    spoilt("nobody looks", &|model| model.sorts.waits.clear());
    // The channels of the rounds.
    let rounds = |model: &Model| -> Vec<(StepId, ExprId)> {
        let text = &model.sorts.text;
        let inner = &text.proctypes[0].locations[model.sorts.n_locations[0]..];
        let steps = inner.iter().flat_map(|l| l.steps.clone());
        let sends = steps.filter_map(|step| match &text.step(step).action {
            Action::Send(send) => Some((step, send.channel)),
            _ => None,
        });
        sends.collect()
    };
    spoilt("do not commute", &|model| {
        let sends = rounds(model);
        assert_eq!(sends.len(), 2);
        let first = model.sorts.text.expr(sends[0].1).clone();
        model.sorts.text.exprs[sends[1].1.index()] = first;
    });
    spoilt("may end in another way", &|model| {
        let (step, channel) = rounds(model)[0];
        let send = model.sorts.text.step(step).action.clone();
        let all = [send, Action::Assert(channel)];
        model.sorts.text.steps[step.index()].action = Action::All(all.into());
    });
    spoilt("do not commute", &|model| {
        let (step, _) = rounds(model)[0];
        if let Action::Send(send) = &mut model.sorts.text.steps[step.index()].action {
            send.sorted = true;
        }
    });
    // A handshake, and a variable that is written.
    spoilt("do not commute", &|model| {
        let kind = model.population.channels[0].kind.index();
        if let Role::Channel(buffer) = &mut model.sorts.text.layout.kinds[kind].role {
            buffer.capacity = 0;
        }
    });
    spoilt("do not commute", &|model| {
        let globals = &model.sorts.text.layout.globals().fields;
        let field = globals.iter().position(|field| field.name == "box[]");
        let field = field.expect("the boxes");
        model.sorts.uses[0][field].written = true;
    });
}

/// A bus that copies from the one owner.
const OWNER: &str = "
    byte st[2]; byte val[2]; byte mem;
    proctype P(byte me) { byte i; do
    :: atomic { st[me] == 0 -> i = 0; do
         :: i < 2 -> if :: st[i] == 2 -> mem = val[i]; st[i] = 1 :: else fi; i++
         :: else -> break od; val[me] = mem; st[me] = 1; i = 0 }
    :: atomic { st[me] == 1 && st[1 - me] == 0 -> st[me] = 2 }
    :: st[me] == 2 -> val[me] = 1 - val[me]
    :: st[me] == 1 -> st[me] = 0
    od }
    init { atomic { run P(0); run P(1) } }";

#[test]
fn wrong_claims_that_there_is_one_are_refused() {
    let spoilt = |wanted: &str, spoil: &dyn Fn(&mut Model)| {
        let (mut model, certified) = assuming(OWNER);
        assert_eq!(certified.group().order().to_string(), "2");
        assert_eq!(certified.homes().lines(), [6]);
        spoil(&mut model);
        let misuse = verify(&model.sorts, &model.population).expect_err("it is spoilt");
        assert!(misuse.reason.contains(wanted), "{misuse:?}, not {wanted}");
    };
    spoilt("do not commute", &|model| model.sorts.exclusive.clear());
    spoilt("do not commute", &|model| {
        model.sorts.exclusive[0].tests.pop();
    });
    spoilt("two claims", &|model| {
        let one = model.sorts.exclusive[0].clone();
        model.sorts.exclusive.push(one);
    });
    // A test of the process itself.
    spoilt("", &|model| {
        let (_, test) = model.sorts.exclusive[0].tests[0];
        model.sorts.text.exprs[test.index()] = Expr::Pid;
    });
    // What is tested is set on the way to the loop.
    spoilt("was changed", &|model| {
        let (_, test) = model.sorts.exclusive[0].tests[0];
        let text = &mut model.sorts.text;
        let Expr::Binary(_, read, value) = *text.expr(test) else {
            panic!("a comparison");
        };
        let Expr::Read(place) = text.expr(read).clone() else {
            panic!("a variable");
        };
        let locations = text.proctypes[0].locations.iter().zip(&model.sorts.live[0]);
        let live = locations.filter(|(_, live)| **live);
        let steps: Vec<StepId> = live.flat_map(|(l, _)| l.steps.clone()).collect();
        // `i = 0`, which is no more than a reset.
        let starts = steps.into_iter().find(|step| {
            let step = text.step(*step);
            matches!(step.action, Action::Skip) && step.keeps_control
        });
        let starts = starts.expect("i = 0").index();
        text.steps[starts].action = Action::Assign(place, value);
    });
}
