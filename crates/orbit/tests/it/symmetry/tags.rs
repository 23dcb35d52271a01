//! Fields of messages that are told apart by a tag: found where they should be, refused where they
//! are wrong.

use super::random::{N_STATES, states};
use super::{Model, model};
use group::Point;
use model::processes::expr::{Expr, ExprId};
use model::processes::layout::KindId;
use model::processes::program::Action;
use reduce::processes::act::{Act, Constants};
use reduce::processes::certify::{certify, certify_given};
use reduce::processes::points::Points;
use reduce::processes::sort::{ClassId, verify};
use std::ops::ControlFlow;
use system::System;

/// Three clients who send themselves under one tag and numbers under another.
const DESK: &str = "
    mtype = { hold, amount };
    chan desk = [3] of { mtype, byte };
    byte owner = 9, sum;
    active [3] proctype P() {
        byte n = 1;
        do
        :: desk!hold,_pid
        :: desk!amount,n; n = (n + 1) % 100
        :: desk?hold,owner
        :: desk?amount,n -> sum = sum + n
        :: owner == _pid -> owner = 9
        od
    }";

/// Two kinds of channels that are exchanged, each with a tag.
const TWO: &str = "
    mtype = { id, number };
    chan one = [1] of { mtype, byte };
    chan two = [1] of { mtype, byte };
    byte x = 9, n;
    proctype P(chan mine; chan his) {
        do
        :: mine!id,_pid
        :: mine!number,n
        :: his?id,x
        :: his?number,n -> n = n + 1
        od
    }
    init { atomic { run P(one, two); run P(two, one) } }";

fn order(text: &str) -> String {
    let model = model(text);
    assert_eq!(verify(&model.sorts, &model.population), Ok(()), "{text}");
    let certified = certify(&model.sorts, &model.population, &model.candidates);
    assert_eq!(certified.rejected(), [], "{text}");
    certified.group().order().to_string()
}

/// The first kind of channels with a tag.
fn tagged(model: &Model) -> KindId {
    let found = model.sorts.messages.iter().position(|m| m.tag.is_some());
    KindId::new(found.expect("a tag"))
}

#[test]
fn a_field_has_a_class_for_each_value_of_the_tag() {
    let model = model(DESK);
    let messages = &model.sorts.messages[tagged(&model).index()];
    let [hold, amount] = [&messages.variants[0], &messages.variants[1]];
    assert_eq!(messages.tag.as_ref().map(|tag| tag.field), Some(0));
    assert_eq!(hold[0], amount[0], "the tag has one class");
    let sorts = [hold[1], amount[1]].map(|class| model.sorts.is_sort(class));
    assert!(
        sorts[0] != sorts[1],
        "{messages:?}: an id under one tag, a number under the other"
    );
    assert_eq!(order(DESK), "6");
    assert_eq!(order(TWO), "2");
}

/// The tag may be any field, and values that come before it may be compared.
#[test]
fn the_tag_may_come_last() {
    let text = DESK
        .replace("{ mtype, byte }", "{ byte, mtype }")
        .replace("hold,_pid", "_pid,hold")
        .replace("amount,n", "n,amount")
        .replace("hold,owner", "eval(owner),hold");
    assert_eq!(order(&text), "6");
}

#[test]
fn who_receives_any_tag_makes_the_classes_one() {
    let any = "byte owner = 9, sum; mtype t;";
    let text = DESK.replace("byte owner = 9, sum;", any);
    let text = text.replace("desk?hold,owner", "desk?t,owner");
    assert_eq!(order(&text), "1");
    let model = model(&text);
    assert!(model.sorts.messages.iter().all(|m| m.tag.is_none()));
}

#[test]
fn a_send_whose_tag_is_no_constant_leaves_no_tag() {
    let any = "byte owner = 9, sum; mtype t = hold;";
    let text = DESK.replace("byte owner = 9, sum;", any);
    let text = text.replace("desk!hold,_pid", "desk!t,_pid");
    assert_eq!(order(&text), "1");
}

/// Fields are compared in order, up to the first that differs. Here a client is compared with a
/// number before the tag is, and only if they are equal an index is looked at that can be wrong. So
/// the number must not be called by another name.
#[test]
fn what_is_compared_before_the_tag_must_not_be_seen() {
    let text = "
        mtype = { hold, amount };
        chan desk = [3] of { byte, byte, mtype };
        byte owner = 9, sum, a[2];
        active [3] proctype P() {
            byte n = 1;
            do
            :: desk!_pid,0,hold
            :: desk!n,0,amount; n = (n + 1) % 100
            :: desk?eval(owner),eval(INDEX),hold
            :: desk?n,_,amount -> sum = sum + n
            :: owner == 9 -> owner = _pid
            :: owner == _pid -> owner = 9
            od
        }";
    assert_eq!(order(&text.replace("INDEX", "sum")), "6");
    assert_eq!(order(&text.replace("INDEX", "a[sum]")), "1");
}

/// A tag whose values the group exchanges, with what is sent under them.
#[test]
fn tags_may_be_exchanged_with_what_they_tell_apart() {
    let text = "
        chan c = [2] of { byte, byte };
        byte l, r, n;
        active proctype P() {
            do
            :: c!1,l; l = (l == 3 -> 4 : 3)
            :: c!2,r; r = (r == 3 -> 4 : 3)
            :: c!3,n; n = n + 1
            :: c?1,l
            :: c?2,r
            :: c?3,n
            od
        }";
    assert_eq!(order(text), "2");
    assert_eq!(order(&text.replace("c?2,r", "c?2,r -> n = 0")), "1");
}

/// Spoils the classes of a model, and looks for `wanted` in what is said about it.
#[track_caller]
fn spoilt(text: &str, wanted: &str, spoil: impl Fn(&mut Model)) {
    let mut model = model(text);
    assert_eq!(verify(&model.sorts, &model.population), Ok(()));
    spoil(&mut model);
    let misuse = verify(&model.sorts, &model.population).expect_err("it is spoilt");
    assert!(misuse.reason.contains(wanted), "{misuse:?}, not {wanted}");
}

#[test]
fn wrong_tags_are_refused() {
    let messages = |model: &mut Model| {
        let k = tagged(model).index();
        model.sorts.messages[k].clone()
    };
    let put = |model: &mut Model, spoil: &dyn Fn(&mut reduce::processes::sort::MessageClasses)| {
        let k = tagged(model).index();
        spoil(&mut model.sorts.messages[k]);
    };
    // Without the tag one of the two kinds of messages has a wrong class.
    spoilt(DESK, "class", |model| {
        put(model, &|m| {
            m.tag = None;
            m.variants.truncate(1);
        });
    });
    // The classes of one value are not those of the other.
    spoilt(DESK, "class", |model| {
        put(model, &|m| m.variants.swap(0, 1));
    });
    spoilt(DESK, "another tag", |model| {
        put(model, &|m| {
            m.tag.as_mut().expect("a tag").values.truncate(1);
            m.variants.truncate(1);
        });
    });
    spoilt(DESK, "something has no class", |model| {
        put(model, &|m| m.variants.truncate(1));
    });
    spoilt(DESK, "cannot hold", |model| {
        let more = messages(model).variants[1].clone();
        put(model, &|m| {
            m.tag.as_mut().expect("a tag").values.push(256);
            m.variants.push(more.clone());
        });
    });
    spoilt(DESK, "several classes", |model| {
        let class = messages(model).variants[1][0];
        let copy = model.sorts.class(class).clone();
        model.sorts.classes.push(copy);
        let new = ClassId::new(model.sorts.classes.len() - 1);
        put(model, &|m| m.variants[1][0] = new);
    });
}

#[test]
fn messages_that_are_there_have_a_tag_that_is_known() {
    let held = DESK.replace("active [3] proctype P", "proctype P");
    let held = format!("{held} init {{ atomic {{ desk!3,7; run P(); run P(); run P() }} }}");
    assert_eq!(order(&held), "6");
    spoilt(&held, "another tag", |model| {
        let k = tagged(model).index();
        let m = &mut model.sorts.messages[k];
        let tag = m.tag.as_mut().expect("a tag");
        let n = tag.variant(3).expect("what is held is a value of the tag");
        tag.values.remove(n);
        m.variants.remove(n);
    });
}

/// A receive that takes messages of any tag is refused classes that differ by tag.
#[test]
fn a_receive_without_a_constant_meets_all_tags() {
    spoilt(DESK, "another class than who receives it", |model| {
        let steps = model.sorts.text.steps.clone();
        let mut tags: Vec<ExprId> = Vec::new();
        for step in steps {
            if let Action::Receive(receive) = &step.action
                && let model::processes::expr::Pattern::Match(e) = receive.fields[0]
            {
                tags.push(e);
            }
        }
        // `_pid` is in another class; a sum is no constant, and has that of the literal.
        let (e, one) = (tags[0], model.sorts.text.exprs[tags[0].index()].clone());
        assert!(matches!(one, Expr::Const(_)));
        model.sorts.text.exprs.push(one.clone());
        model.sorts.text.exprs.push(one);
        let n = model.sorts.text.exprs.len();
        let class = model.sorts.exprs[e.index()];
        model.sorts.exprs.extend([class, class]);
        let both = [ExprId::new(n - 2), ExprId::new(n - 2), ExprId::new(n - 1)];
        model.sorts.text.exprs[e.index()] = Expr::Choice(both);
    });
}

/// Channels whose messages differ in class by tag are not exchanged.
#[test]
fn channels_are_exchanged_only_with_their_tags() {
    let wanted = "do not hold the same";
    let mut model = model(TWO);
    let kinds: Vec<usize> = (0..model.sorts.messages.len())
        .filter(|k| model.sorts.messages[*k].tag.is_some())
        .collect();
    assert_eq!(kinds.len(), 2);
    let (bearers, generators) = (&model.candidates.bearers, &model.candidates.generators);
    let certified = certify_given(&model.sorts, &model.population, bearers, generators);
    assert_eq!(certified.rejected(), []);
    // A third value under which nothing is sent: harmless, but only one of both has it.
    let spoilt = &mut model.sorts.messages[kinds[1]];
    let more = spoilt.variants[0].clone();
    spoilt.tag.as_mut().expect("a tag").values.push(200);
    spoilt.variants.push(more);
    assert_eq!(verify(&model.sorts, &model.population), Ok(()));
    let certified = certify_given(&model.sorts, &model.population, bearers, generators);
    let rejected = &certified.rejected()[0];
    assert!(rejected.reason.contains(wanted), "{rejected:?}");
}

/// How many states have moves whose images are not the moves of their image.
fn n_unequal(model: &Model, act: &Act, image: &[Point]) -> usize {
    let mut scratch = model.machine.scratch();
    let mut moves = |state: &[u8]| {
        let mut found: Vec<Vec<u8>> = Vec::new();
        model.machine.successors(state, &mut scratch, &mut |mv| {
            found.extend(mv.state.map(<[u8]>::to_vec));
            ControlFlow::Continue(())
        });
        found
    };
    let moved = |state: &[u8]| {
        let mut out = Vec::new();
        act.apply(image, state, &mut out);
        out
    };
    let unequal = |state: &&Vec<u8>| {
        let mut wanted: Vec<Vec<u8>> = moves(state).iter().map(|next| moved(next)).collect();
        let mut found = moves(&moved(state));
        wanted.sort();
        found.sort();
        wanted != found
    };
    states(&model.machine, N_STATES)
        .iter()
        .filter(unequal)
        .count()
}

/// Renaming what is sent under one tag by the class of another changes what can happen, and is
/// seen.
#[test]
fn a_message_is_renamed_as_its_tag_says() {
    let model = model(DESK);
    let (bearers, generators) = (&model.candidates.bearers, &model.candidates.generators);
    let generator = &generators[..1];
    let act = |model: &Model| {
        let (points, group) = Points::new(&model.sorts, bearers, generator);
        let image = group.generators()[0].image().to_vec();
        let act = Act::new(&model.sorts, &model.population, points, Constants::Move);
        (act, image)
    };
    let (right, image) = act(&model);
    assert_eq!(n_unequal(&model, &right, &image), 0);
    let messages = &model.sorts.messages[tagged(&model).index()];
    for variant in 0..2 {
        let mut spoilt = super::model(DESK);
        let k = tagged(&spoilt).index();
        spoilt.sorts.messages[k].tag = None;
        spoilt.sorts.messages[k].variants = vec![messages.variants[variant].clone()];
        let (wrong, image) = act(&spoilt);
        let n = n_unequal(&model, &wrong, &image);
        assert!(n > 10, "all as under tag {variant}: {n} states differ");
    }
}
