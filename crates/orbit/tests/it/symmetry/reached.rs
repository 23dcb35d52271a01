//! Claims about which values can be where, and rounds of new kinds, spoilt in all ways.

use super::{Model, prepare_if};
use crate::counts::compile;
use model::processes::expr::{Binary, Expr, ExprId, Owner};
use model::processes::passes::Setting;
use model::processes::program::{Action, StepId};
use reduce::processes::sort::{Sends, verify};

/// A ring with somebody and nobody.
const RING: &str = "
    byte token = 255; bool work[3];
    proctype P(byte id) {
        do
        :: atomic { token == 255 -> token = id }
        :: atomic { token != 255 && token == id -> token = (token + 1) % 3 }
        :: atomic { token == id -> token = 255 }
        od
    }
    init { atomic { run P(0); run P(1); run P(2) } }";

/// A fold, and a broadcast that looks first.
const FOLD: &str = "
    byte v[3], best[3]; bool told[3]; chan c[3] = [1] of { byte };
    proctype P(byte id) {
        byte i, m, x;
        do
        :: v[id] < 2 -> v[id]++
        :: best[id] > 1 -> v[id] = 0
        :: d_step { m = 0; for (i : 0 .. 2) { if :: v[i] > m -> m = v[i] :: else fi };
                    best[id] = m }
        :: d_step { for (i : 0 .. 2) { if :: i == id -> skip :: i != id -> told[i] = 1 fi } }
        :: d_step { told[id] -> for (i : 0 .. 2) { if :: nfull(c[i]) -> c[i]!id :: else fi } }
        :: c[id]?x -> told[x] = 0
        od
    }
    init { atomic { run P(0); run P(1); run P(2) } }";

/// Spoils a model, and looks for `wanted` in what is said about it.
#[track_caller]
fn spoilt(text: &str, wanted: &str, spoil: impl Fn(&mut Model)) {
    let compiled = compile(text, &[]).unwrap_or_else(|why| panic!("{why}\n{text}"));
    let mut model = prepare_if(&compiled, Setting::Plain, Sends::Wait).expect("a population");
    assert_eq!(verify(&model.sorts, &model.population), Ok(()));
    spoil(&mut model);
    let misuse = verify(&model.sorts, &model.population).expect_err("it is spoilt");
    assert!(misuse.reason.contains(wanted), "{misuse:?}, not {wanted}");
}

fn global(model: &Model, name: &str) -> usize {
    let fields = &model.sorts.text.layout.globals().fields;
    let found = fields.iter().position(|field| field.name == name);
    found.unwrap_or_else(|| panic!("no variable {name}"))
}

#[test]
fn a_value_that_is_not_claimed_is_seen() {
    spoilt(RING, "not claimed", |model| {
        let token = global(model, "token");
        let claim = model.sorts.reach.fields[0][token].as_mut().expect("a set");
        assert!(claim.remove(&2));
    });
    spoilt(RING, "holds what is not claimed", |model| {
        let token = global(model, "token");
        let claim = model.sorts.reach.fields[0][token].as_mut().expect("a set");
        assert!(claim.remove(&255));
    });
    spoilt(RING, "a number that is not claimed", |model| {
        let claim = model.sorts.reach.pids[0].as_mut().expect("a set");
        assert!(claim.remove(&1));
    });
    spoilt(FOLD, "a message gets a value", |model| {
        let messages = model.sorts.reach.messages.iter_mut().flatten();
        let claim = messages.flatten().next().expect("a set");
        assert!(claim.remove(&1));
    });
}

#[test]
fn what_is_claimed_of_a_location_follows_from_the_steps_to_it() {
    // Where `token` was found not to be 255 it is claimed to be 0.
    spoilt(RING, "more is claimed of a location", |model| {
        let facts = model.sorts.reach.at[0].iter_mut().flatten();
        let fact = facts.flat_map(|known| known.values_mut());
        let mut fact = fact.filter(|fact| fact.values.len() < 4);
        let fact = fact.next().expect("something is known somewhere");
        fact.values = [0].into();
    });
    // Something is claimed of where processes start.
    spoilt(RING, "more is claimed of a location", |model| {
        let facts = model.sorts.reach.at[0].iter().flatten();
        let mut known = facts.filter(|known| !known.is_empty()).cloned();
        let known = known.next().expect("something is known somewhere");
        let start = model.sorts.text.proctypes[0].start.index();
        model.sorts.reach.at[0][start] = Some(known);
    });
    spoilt(RING, "has no values", |model| {
        let start = model.sorts.text.proctypes[0].start.index();
        let all = model.sorts.reach.at[0].iter_mut().enumerate();
        let mut others = all.filter(|(l, known)| *l != start && known.is_some());
        *others.next().expect("another location").1 = None;
    });
}

#[test]
fn a_row_for_what_can_reach_a_table_is_needed() {
    spoilt(RING, "without all its rows", |model| {
        let tables = model.sorts.tables.iter_mut();
        let mut ring = tables.filter(|table| !table.truth && table.rows.len() == 3);
        ring.next().expect("the ring").rows.truncate(2);
    });
}

/// The steps that were put in.
fn added(model: &Model) -> Vec<usize> {
    let text = &model.sorts.text;
    let inner = &text.proctypes[0].locations[model.sorts.n_locations[0]..];
    let steps = inner.iter().flat_map(|l| l.steps.iter());
    steps.map(|step| step.index()).collect()
}

fn expr(model: &mut Model, e: Expr) -> ExprId {
    let class = model.sorts.exprs[0];
    model.sorts.text.exprs.push(e);
    model.sorts.exprs.push(class);
    model.sorts.reach.reads.push(None);
    ExprId::new(model.sorts.text.exprs.len() - 1)
}

#[test]
fn a_round_that_can_block_is_seen() {
    spoilt(FOLD, "can block", |model| {
        // Of two conditions that exclude each other one becomes the other.
        let text = &mut model.sorts.text;
        let inner = text.proctypes[0].locations[model.sorts.n_locations[0]..].iter();
        let is_test = |step: &StepId| matches!(text.step(*step).action, Action::Test(_));
        let mut choices = inner.filter(|l| l.steps.len() == 2 && l.steps.iter().all(is_test));
        let [a, b] = choices.next().expect("a choice").steps[..] else {
            unreachable!("two steps")
        };
        text.steps[b.index()].action = text.steps[a.index()].action.clone();
    });
}

#[test]
fn what_is_not_the_greatest_depends_on_the_order() {
    spoilt(FOLD, "do not commute", |model| {
        let steps = added(model);
        let tests = steps.into_iter().filter_map(|step| {
            let Action::Assign(_, e) = model.sorts.text.steps[step].action else {
                return None;
            };
            match model.sorts.text.expr(e) {
                Expr::Choice([test, ..]) => Some(*test),
                _ => None,
            }
        });
        let test = tests.collect::<Vec<_>>()[0];
        if let Expr::Binary(op, ..) = &mut model.sorts.text.exprs[test.index()] {
            *op = Binary::NotEqual;
        }
    });
}

#[test]
fn a_look_at_the_channel_of_another_round_is_seen() {
    spoilt(FOLD, "do not commute", |model| {
        let steps = added(model);
        let probes = steps.into_iter().filter_map(|step| {
            let Action::Test(e) = model.sorts.text.steps[step].action else {
                return None;
            };
            match model.sorts.text.expr(e) {
                Expr::Probe(_, channel) => Some(*channel),
                _ => None,
            }
        });
        let probes: Vec<ExprId> = probes.collect();
        assert_eq!(probes.len(), 3);
        let other = model.sorts.text.expr(probes[1]).clone();
        let other = expr(model, other);
        let first = model.sorts.text.expr(other).clone();
        model.sorts.text.exprs[probes[0].index()] = first;
    });
}

/// A byte cannot hold -1, and need not, if -1 stays what it is and never comes there.
#[test]
fn a_member_that_does_not_fit_must_stay() {
    let text = RING
        .replace("byte token = 255", "int token = -1")
        .replace("255", "-1");
    spoilt(&text, "does not fit", |model| {
        let classes = model.sorts.classes.iter_mut();
        for class in classes.filter(|class| class.pinned.contains(&-1)) {
            class.pinned.clear();
        }
    });
}

/// A making that others can overtake; `odd` is what the boss does.
fn overtaken(odd: &str) -> String {
    format!(
        "byte q, k; bool a[3];
         active proctype boss() {{ do :: q = 1 - q {odd} od }}
         proctype P(byte id) {{ do :: a[id] = 1 - a[id] od }}
         init {{ atomic {{ for (k : 0 .. 2) {{ run P(k) }} }} }}"
    )
}

/// Says of a making in the middle of which others move that it makes no difference.
fn say_harmless(model: &mut Model) {
    assert!(model.population.interleaved, "it makes a difference");
    model.population.overtaken = model.population.before.take();
    model.population.interleaved = false;
}

#[test]
fn a_making_that_others_meddle_with_is_not_overtaken() {
    let compiled = compile(&overtaken(""), &[]).expect("a model");
    let model = prepare_if(&compiled, Setting::Plain, Sends::Wait).expect("a population");
    assert!(model.population.overtaken.is_some() && !model.population.interleaved);
    assert_eq!(verify(&model.sorts, &model.population), Ok(()));
    let shared = "use one variable";
    spoilt(&overtaken(":: k == 2 -> skip"), shared, say_harmless);
    spoilt(&overtaken(":: k = 0"), shared, say_harmless);
    let asks = "asks for processes";
    spoilt(&overtaken(":: _nr_pr > 3 -> skip"), asks, say_harmless);
    let meets = overtaken(":: c!1 :: else -> q = 0").replacen(
        "byte q",
        "chan c = [0] of { byte }; byte q",
        1,
    );
    spoilt(&meets, "takes away a move", say_harmless);
}

/// A loop whose rounds use a variable of their own.
const SCRATCH: &str = "
    byte a[3], b[3];
    proctype P(byte id) {
        byte i, z;
        do
        :: a[id] < 2 -> a[id]++
        :: d_step { for (i : 0 .. 2) { z = a[i]; b[i] = z }; z = 0 }
        od
    }
    init { atomic { run P(0); run P(1); run P(2) } }";

#[test]
fn a_round_that_sees_what_another_left_is_refused() {
    // Each round first uses the variable, and sets it then.
    spoilt(SCRATCH, "rounds of a loop", |model| {
        let text = &mut model.sorts.text;
        let fields = &text.layout.kind(text.proctypes[0].kind).fields;
        let z = fields.iter().position(|field| field.name.contains('z'));
        let z = z.expect("the variable");
        let sets = |action: &Action, exprs: &[Expr]| {
            matches!(action, Action::Assign(place, e) if place.owner == Owner::Own
                && place.field.index() == z && !matches!(exprs[e.index()], Expr::Const(_)))
        };
        let first: Vec<usize> = (0..text.steps.len())
            .filter(|n| sets(&text.steps[*n].action, &text.exprs))
            .collect();
        assert!(!first.is_empty(), "nothing is set");
        for n in first {
            let target = text.steps[n].target;
            let next = text.proctypes[0].locations[target.index()].steps[0].index();
            let action = text.steps[next].action.clone();
            text.steps[next].action = std::mem::replace(&mut text.steps[n].action, action);
        }
    });
}
