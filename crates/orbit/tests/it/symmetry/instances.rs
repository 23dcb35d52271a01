//! Steps for each process: what is made of a text, and what is refused that does something else.

use super::Model;
use crate::counts::compile;
use crate::counts::symmetry::all_wrong;
use model::processes::expr::{Binary, Expr, ExprId, Owner, Place};
use model::processes::layout::FieldId;
use model::processes::passes::Setting;
use model::processes::population::populate;
use model::processes::program::{Action, LocationId, Model as Text, ProctypeId, Reset, StepId};
use reduce::processes::sort::{Sends, Sorts, infer_each, verify};

/// A ring whose nodes find their neighbour in three steps, and trees by children; the nodes of the
/// last come to an end, and their numbers are reset before it.
const TEXTS: [&str; 5] = [
    "byte x[3];
     proctype P(byte id) { byte n; do
     :: atomic { n = id + 1; if :: n == 3 -> n = 0 :: else fi;
          if :: x[id] == 0 && x[n] != 1 -> x[id] = 1; x[n] = 2 :: else fi; n = 0 }
     :: x[id] = 0
     od }
     init { atomic { run P(0); run P(1); run P(2) } }",
    "byte on[8];
     proctype P(byte id) { do
     :: atomic { 2*id > 7 || (on[2*id] == 1 && on[2*id + 1] == 1) -> on[id] = 1 }
     :: d_step { on[id] == 1 && (id == 1 || on[id / 2] == 0) -> on[id] = 0 }
     od }
     init { atomic { run P(1); run P(2); run P(3); run P(4); run P(5); run P(6); run P(7) } }",
    "chan q[4] = [2] of { byte }; bool got[4];
     proctype P(byte id) { byte v; do
     :: atomic { q[id]?v ->
          if :: id == 1 -> q[2*id]!v; q[2*id + 1]!v :: else -> got[id] = 1 fi; v = 0 }
     :: atomic { id == 1 && got[1] == 0 -> got[1] = 1; q[2]!id; q[3]!id }
     od }
     init { atomic { run P(1); run P(2); run P(3) } }",
    "byte x[3];
     active [3] proctype P() { byte l, r; do
     :: d_step { l = _pid; r = _pid; r++; if :: r >= 3 -> r = 0 :: else fi;
          if :: l == 0 -> l = 2 :: else -> l-- fi;
          if :: x[l] + x[r] == 1 -> x[_pid] = 1 :: else -> x[_pid] = 0 fi; l = 0; r = 0 }
     :: x[_pid] = 1
     od }",
    ENDING,
];

const ENDING: &str = "bool done[8]; byte n;
     proctype P(byte id) {
       if :: 2*id > 7 -> skip :: else -> done[2*id] && done[2*id + 1] fi;
       done[id] = 1;
       n++;
       n--
     }
     init { atomic { run P(1); run P(2); run P(3); run P(4); run P(5); run P(6); run P(7) } }";

/// The classes of a text with steps for each process.
#[track_caller]
fn each(text: &str, setting: Setting) -> (Model, Sorts) {
    let compiled = compile(text, &[]).unwrap_or_else(|why| panic!("{why}\n{text}"));
    let model = super::prepare(&compiled, setting).expect("a population");
    let population = populate(&model.machine).expect("a population");
    let sorts = infer_each(model.machine.model(), &population, Sends::Assumed, true);
    (model, sorts.expect("several processes"))
}

#[test]
fn both_texts_do_the_same() {
    for text in TEXTS {
        for setting in [Setting::Plain, Setting::Spin, Setting::Best] {
            let (model, sorts) = each(text, setting);
            assert_eq!(verify(&sorts, &model.population), Ok(()), "{text}");
        }
        let compiled = compile(text, &[]).expect("it compiled before");
        let mut wrong = Vec::new();
        all_wrong(text, &compiled, &mut wrong);
        assert!(wrong.is_empty(), "{}\n{text}", wrong.join("\n"));
    }
}

/// The steps that were put in and can be reached, of a type.
fn added(sorts: &Sorts) -> Vec<usize> {
    let instances = sorts.instances.as_ref().expect("it was made");
    let n_old = instances.before.steps.len();
    let mut found = Vec::new();
    for one in &instances.types {
        let locations = &instances.after.proctype(one.proctype).locations;
        let steps = locations.iter().flat_map(|l| &l.steps);
        found.extend(steps.map(|s| s.index()).filter(|s| *s >= n_old));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Spoils something in the text after; each time the check must fire.
#[track_caller]
fn spoil(what: &str, n_min: usize, spoil: &dyn Fn(&mut Sorts, usize) -> bool) {
    let mut n = 0;
    // Inside of a deterministic block it does not matter whether control is kept.
    let texts = TEXTS.iter();
    for text in texts.filter(|text| what != "control" || !text.contains("d_step")) {
        let (model, sorts) = each(text, Setting::Plain);
        for step in added(&sorts) {
            let mut spoilt = sorts.clone();
            if !spoil(&mut spoilt, step) {
                continue;
            }
            let misuse = verify(&spoilt, &model.population);
            assert!(misuse.is_err(), "{what} of step {step}\n{text}");
            n += 1;
        }
    }
    assert!(n >= n_min, "{what}: only {n}");
}

/// The expressions that an action evaluates itself.
fn roots(action: &Action) -> Vec<usize> {
    let mut all = Vec::new();
    model::processes::program::roots(action, &mut |e| all.push(e.index()));
    all
}

#[test]
fn every_change_of_a_step_is_refused() {
    spoil("another target", 50, &|sorts, step| {
        let instances = sorts.instances.as_mut().expect("it was made");
        let p = instances.types[0].proctype;
        let here = instances.after.steps[step].target;
        let start = instances.after.proctype(p).start;
        // The start, if nothing was done there before.
        instances.after.steps[step].target = start;
        here != start
    });
    spoil("control", 20, &|sorts, step| {
        let instances = sorts.instances.as_mut().expect("it was made");
        let step = &mut instances.after.steps[step];
        step.keeps_control = !step.keeps_control;
        true
    });
    spoil("a test that never holds", 20, &|sorts, step| {
        let instances = sorts.instances.as_mut().expect("it was made");
        let text = &mut instances.after;
        let Action::Test(e) = text.steps[step].action else {
            return false;
        };
        text.exprs[e.index()] = Expr::Const(0);
        true
    });
    spoil("a value", 20, &|sorts, step| {
        let instances = sorts.instances.as_mut().expect("it was made");
        let text = &mut instances.after;
        let Action::Assign(_, e) = text.steps[step].action else {
            return false;
        };
        let Expr::Const(v) = text.exprs[e.index()] else {
            return false;
        };
        text.exprs[e.index()] = Expr::Const(v + 1);
        true
    });
}

#[test]
fn every_change_of_a_number_is_refused() {
    fn numbers(text: &model::processes::program::Model, e: usize, out: &mut Vec<usize>) {
        if matches!(text.exprs[e], Expr::Const(_)) {
            out.push(e);
        }
        model::processes::expr::operands(&text.exprs[e], &mut |e| numbers(text, e.index(), out));
    }
    let mut n = 0;
    for text in TEXTS {
        let (model, sorts) = each(text, Setting::Plain);
        for step in added(&sorts) {
            let instances = sorts.instances.as_ref().expect("it was made");
            let mut all = Vec::new();
            for e in roots(&instances.after.steps[step].action) {
                numbers(&instances.after, e, &mut all);
            }
            for e in all {
                let mut spoilt = sorts.clone();
                let after = &mut spoilt.instances.as_mut().expect("it was made").after;
                let Expr::Const(v) = after.exprs[e] else {
                    continue;
                };
                after.exprs[e] = Expr::Const(v + 1);
                let misuse = verify(&spoilt, &model.population);
                assert!(misuse.is_err(), "{v} in step {step}\n{text}");
                n += 1;
            }
        }
    }
    assert!(n > 100, "only {n}");
}

#[test]
fn wrong_identities_are_refused() {
    let (model, sorts) = each(TEXTS[0], Setting::Best);
    let mut spoilt = sorts.clone();
    let types = &mut spoilt.instances.as_mut().expect("it was made").types;
    types[0].identities.pop();
    assert!(verify(&spoilt, &model.population).is_err());
    // A constant that a step sets after all.
    let mut spoilt = sorts.clone();
    let instances = spoilt.instances.as_mut().expect("it was made");
    let p = instances.types[0].proctype;
    let field = *instances.types[0].identities[0]
        .values
        .keys()
        .next()
        .expect("a constant");
    let locations = instances.before.proctype(p).locations.clone();
    for step in locations.iter().flat_map(|l| &l.steps) {
        if let Action::Assign(place, _) = &mut instances.before.steps[step.index()].action
            && place.indices.is_empty()
        {
            place.field = field;
        }
    }
    assert!(verify(&spoilt, &model.population).is_err());
    // Operators that are not the same.
    let mut n = 0;
    let instances = sorts.instances.as_ref().expect("it was made");
    for e in instances.before.exprs.len()..instances.after.exprs.len() {
        let mut spoilt = sorts.clone();
        let after = &mut spoilt.instances.as_mut().expect("it was made").after;
        if let Expr::Binary(op @ Binary::Equal, ..) = &mut after.exprs[e] {
            *op = Binary::NotEqual;
            n += usize::from(verify(&spoilt, &model.population).is_err());
        }
    }
    assert!(n > 5, "only {n}");
}

/// Whether a process at a location can come to a step that reads a variable.
fn reads_later(text: &Text, p: ProctypeId, at: LocationId, field: FieldId) -> bool {
    let (mut seen, mut waiting) = (Vec::new(), vec![at]);
    while let Some(at) = waiting.pop() {
        if seen.contains(&at) {
            continue;
        }
        seen.push(at);
        for step in &text.proctype(p).locations[at.index()].steps {
            let step = text.step(*step);
            let is_read = roots(&step.action)
                .into_iter()
                .any(|e| reads(text, e, field));
            if is_read {
                return true;
            }
            waiting.push(step.target);
        }
    }
    false
}

fn reads(text: &Text, e: usize, field: FieldId) -> bool {
    let own = |place: &Place| place.owner == Owner::Own && place.field == field;
    let mut found = matches!(&text.exprs[e], Expr::Read(place) if own(place));
    model::processes::expr::operands(&text.exprs[e], &mut |e| {
        found |= reads(text, e.index(), field);
    });
    found
}

#[test]
fn constants_that_are_reset_count_up_to_there() {
    let (model, sorts) = each(ENDING, Setting::Best);
    assert_eq!(verify(&sorts, &model.population), Ok(()));
    let instances = sorts.instances.as_ref().expect("it was made");
    let one = &instances.types[0];
    let field = *one.identities[0].values.keys().next().expect("a constant");
    let locations = &instances.before.proctype(one.proctype).locations;
    let all: Vec<_> = locations.iter().flat_map(|l| l.steps.clone()).collect();
    let resets = |step: &StepId| {
        let step = instances.before.step(*step);
        step.resets.iter().any(|reset| reset.field == field)
    };
    let (reset, others): (Vec<_>, Vec<_>) = all.into_iter().partition(resets);
    assert!(!reset.is_empty(), "nothing is reset");
    // A reset before a step that reads the constant.
    let mut n_refused = 0;
    for step in others {
        let mut spoilt = sorts.clone();
        let before = &mut spoilt.instances.as_mut().expect("it was made").before;
        let reset = Reset { field, value: 0 };
        before.steps[step.index()].resets.push(reset);
        let refused = verify(&spoilt, &model.population).is_err();
        let target = instances.before.step(step).target;
        let is_needed = reads_later(&instances.before, one.proctype, target, field);
        assert!(refused || !is_needed, "a reset by step {}", step.index());
        n_refused += usize::from(refused);
    }
    assert!(n_refused >= 2, "only {n_refused}");
    // A step after the reset that asks for the constant, in the new text only: nobody takes it.
    for step in reset {
        let mut spoilt = sorts.clone();
        let text = &mut spoilt.instances.as_mut().expect("it was made").after;
        let place = Place::scalar(Owner::Own, field);
        text.exprs.push(Expr::Read(place));
        let read = ExprId::new(text.exprs.len() - 1);
        let target = text.step(step).target;
        let proctype =
            &mut text.proctypes[sorts.instances.as_ref().unwrap().types[0].proctype.index()];
        for after in proctype.locations[target.index()].steps.clone() {
            let step = &mut text.steps[after.index()];
            step.action = Action::All([Action::Test(read), step.action.clone()].into());
        }
        assert!(verify(&spoilt, &model.population).is_err());
    }
}
