//! Classes that are no typing are refused: each test spoils those of a model in one way.

use super::{Model, model};
use model::processes::expr::{Binary, Expr, ExprId};
use model::processes::layout::{FieldId, KindId};
use model::processes::program::{Action, Reset, StepId};
use reduce::processes::certify::certify;
use reduce::processes::sort::{Class, ClassId, verify};

/// Three clients and three channels, with a table, a sentinel, truths and a plain counter.
const CLIENTS: &str = "
    mtype = { ask, grant };
    chan link[3] = [2] of { mtype, byte };
    byte owner = 255, n;
    bool flag[3];
    proctype P(byte id) {
        byte next;
        bool same;
    again:
        next = (id + 1) % 3;
        link[id]!ask,next;
        if
        :: link[id]?grant,owner
        :: owner == 255 -> owner = id
        fi;
        n++;
        same = (owner == next);
        if
        :: n > 3 && flag[id] && same -> goto again
        :: flag[next] = 1
        fi;
        link[next]!grant,id
    }
    init { atomic { run P(0); run P(1); run P(2) } }";

/// A process that makes another, and asks for its variables.
const LATER: &str = "
    byte who;
    proctype Q(byte x) { who = x; who = _pid }
    active proctype P() {
        byte q, y;
        do
        :: q = run Q(q)
        :: y = Q[q]:x
        :: q == who -> who = q
        od
    }";

/// The class of a variable by name.
fn class_of(model: &Model, name: &str) -> ClassId {
    let kinds = model
        .sorts
        .text
        .layout
        .kinds
        .iter()
        .zip(&model.sorts.fields);
    let mut fields = kinds.flat_map(|(kind, classes)| kind.fields.iter().zip(classes));
    let found = fields.find(|(field, _)| field.name == name);
    found
        .unwrap_or_else(|| panic!("no variable {name}"))
        .1
        .value
}

fn class<'a>(model: &'a mut Model, name: &str) -> &'a mut Class {
    let id = class_of(model, name);
    &mut model.sorts.classes[id.index()]
}

/// A class of its own, like that one.
fn split(model: &mut Model, id: ClassId) -> ClassId {
    let copy = model.sorts.class(id).clone();
    model.sorts.classes.push(copy);
    ClassId::new(model.sorts.classes.len() - 1)
}

/// Where a variable is.
fn field_of(model: &Model, name: &str) -> (usize, usize) {
    let kinds = model.sorts.text.layout.kinds.iter().enumerate();
    let mut fields = kinds.flat_map(|(k, kind)| {
        kind.fields
            .iter()
            .enumerate()
            .map(move |(f, field)| (k, f, field))
    });
    let found = fields.find(|(_, _, field)| field.name == name);
    found
        .map(|(k, f, _)| (k, f))
        .unwrap_or_else(|| panic!("no variable {name}"))
}

/// Spoils the classes of a model, and looks for `wanted` in what is said about it.
#[track_caller]
fn spoilt(text: &str, wanted: &str, spoil: impl Fn(&mut Model)) {
    let mut model = model(text);
    assert_eq!(
        verify(&model.sorts, &model.population),
        Ok(()),
        "before it is spoilt"
    );
    spoil(&mut model);
    let misuse = verify(&model.sorts, &model.population).expect_err("it is spoilt");
    assert!(
        misuse.reason.contains(wanted),
        "{misuse:?} instead of {wanted}"
    );
}

#[test]
fn what_is_assigned_has_the_class_of_where_it_goes() {
    spoilt(CLIENTS, "two classes come together", |model| {
        let (k, f) = field_of(model, "owner");
        let class = class_of(model, "owner");
        let other = split(model, class);
        model.sorts.fields[k][f].value = other;
        // What is read has the new class as well, so that only flows are wrong.
        for e in 0..model.sorts.text.exprs.len() {
            let id = ExprId::new(e);
            if let Expr::Read(place) = model.sorts.text.expr(id)
                && place.field == FieldId::new(f)
                && matches!(place.owner, model::processes::expr::Owner::Globals)
            {
                model.sorts.exprs[e].class = other;
            }
        }
    });
}

#[test]
fn what_is_read_has_the_class_of_the_variable() {
    spoilt(CLIENTS, "class", |model| {
        let (k, f) = field_of(model, "owner");
        let class = class_of(model, "owner");
        model.sorts.fields[k][f].value = split(model, class);
    });
}

#[test]
fn an_index_has_the_class_of_the_dimension() {
    spoilt(CLIENTS, "two classes come together", |model| {
        let (k, f) = field_of(model, "flag[]");
        let class = model.sorts.fields[k][f].indices[0];
        model.sorts.fields[k][f].indices[0] = split(model, class);
    });
}

#[test]
fn messages_have_the_classes_of_their_channel() {
    for i in 0..2 {
        spoilt(CLIENTS, "class", |model| {
            let channel = model.population.channels[1].kind;
            let class = model.sorts.messages[channel.index()].variants[0][i];
            model.sorts.messages[channel.index()].variants[0][i] = split(model, class);
        });
    }
}

#[test]
fn literals_and_what_is_held_are_members() {
    spoilt(CLIENTS, "no member", |model| {
        let members = class(model, "owner").members.as_mut().expect("a sort");
        members.retain(|v| *v != 255);
    });
    spoilt(CLIENTS, "255, which is no member", |model| {
        let at = model.sorts.text.layout.globals().fields[field_of(model, "owner").1].at as usize;
        let held = model.population.states[0][at];
        assert_eq!(held, 255);
        class(model, "owner").members = Some(vec![0, 1, 2]);
    });
}

#[test]
fn rows_of_tables_are_worked_out_again() {
    let table = |model: &Model| {
        let is_sum = |e: ExprId| {
            matches!(
                model.sorts.text.expr(e),
                Expr::Binary(Binary::Remainder, ..)
            )
        };
        let tables = model.sorts.tables.iter();
        tables
            .map(|t| t.expr)
            .position(is_sum)
            .expect("a table of the remainder")
    };
    spoilt(CLIENTS, "wrong value", |model| {
        let table = table(model);
        model.sorts.tables[table].rows[0].1 = Ok(2);
    });
    spoilt(CLIENTS, "all its rows", |model| {
        let table = table(model);
        model.sorts.tables[table].rows.pop();
    });
    spoilt(CLIENTS, "all its rows", |model| {
        let table = table(model);
        let row = model.sorts.tables[table].rows[0].clone();
        model.sorts.tables[table].rows[1] = row;
    });
    spoilt(CLIENTS, "operand", |model| {
        let table = table(model);
        model.sorts.tables[table].leaves.clear();
    });
    spoilt(CLIENTS, "arithmetic", |model| {
        let expr = model.sorts.tables[table(model)].expr;
        model.sorts.exprs[expr.index()].table = None;
    });
}

#[test]
fn arithmetic_and_order_are_for_plain_classes() {
    spoilt(CLIENTS, "arithmetic", |model| {
        class(model, "n").members = Some((0..=255).collect());
    });
}

#[test]
fn zero_of_truths_is_pinned() {
    spoilt(CLIENTS, "truth", |model| {
        class(model, "flag[]").pinned.clear()
    });
    spoilt(CLIENTS, "truth", |model| {
        class(model, "same").pinned.clear()
    });
}

#[test]
fn members_fit_into_variables() {
    spoilt(CLIENTS, "does not fit", |model| {
        class(model, "owner")
            .members
            .as_mut()
            .expect("a sort")
            .push(256);
    });
}

#[test]
fn numbers_of_processes_are_members() {
    spoilt(CLIENTS, "number of a process", |model| {
        let record = model.population.processes[1];
        let mut types = model.sorts.text.proctypes.iter();
        let p = types.position(|p| p.kind == record.kind).expect("its type");
        let class = model.sorts.pids[p];
        let members = model.sorts.classes[class.index()]
            .members
            .as_mut()
            .expect("a sort");
        members.retain(|v| *v != record.number);
    });
}

#[test]
fn who_names_channels_or_processes_is_known() {
    spoilt(CLIENTS, "channel", |model| {
        class(model, "link[]").names_channels = false
    });
    spoilt(LATER, "process", |model| {
        class(model, "q").names_processes = false
    });
}

#[test]
fn nothing_that_can_happen_is_left_out() {
    spoilt(CLIENTS, "left out", |model| {
        let p = model
            .sorts
            .text
            .proctypes
            .iter()
            .position(|p| p.name == "P")
            .expect("P");
        *model.sorts.live[p].last_mut().expect("a location") = false;
    });
    spoilt(CLIENTS, "left out", |model| {
        let (k, f) = field_of(model, "owner");
        model.sorts.uses[k][f].used = false;
    });
    spoilt(CLIENTS, "left out", |model| {
        let (k, f) = field_of(model, "owner");
        model.sorts.uses[k][f].written = false;
    });
    spoilt(LATER, "left out", |model| {
        model.sorts.made_later.fill(false)
    });
}

#[test]
fn later_processes_have_numbers_that_are_no_members() {
    spoilt(LATER, "", |model| class(model, "q").open = false);
}

#[test]
fn processes_that_are_not_there_hold_zeros() {
    spoilt(LATER, "0", |model| {
        let class = class(model, "x");
        if class.members.is_some() {
            class.pinned.clear();
        } else {
            // Spoilt in another way, so that this test cannot pass by not looking.
            class.members = Some(Vec::new());
        }
    });
}

/// A loop over all ids in one go, and a variable that matters only while it is used.
const ROUNDS: &str = "
    bool flag[3]; byte n, last;
    active [3] proctype P() {
        byte j, me;
        do
        :: atomic {
            n = 0; j = 0;
            do
            :: j < 3 -> n = n + flag[j]; j++
            :: else -> break
            od
        };
        :: flag[_pid] = 1 - flag[_pid]
        :: me = _pid; last = me
        :: last == _pid -> last = 7
        od
    }";

#[test]
fn rounds_of_loops_commute() {
    spoilt(ROUNDS, "do not commute", |model| {
        assert_eq!(model.sorts.unordered.len(), 1, "a loop is replaced");
        // One of the rounds writes a constant now.
        let n = FieldId::new(field_of(model, "n").1);
        let n_locations = model.sorts.n_locations[0];
        let inner = model.sorts.text.proctypes[0].locations[n_locations..].iter();
        let steps: Vec<_> = inner.flat_map(|l| l.steps.clone()).collect();
        let is_sum = |action: &Action| matches!(action, Action::Assign(p, _) if p.field == n);
        let mut sums = steps
            .iter()
            .filter(|s| is_sum(&model.sorts.text.step(**s).action));
        let step = *sums.next().expect("a sum");
        assert_eq!(sums.count(), 2, "a sum in each round");
        let Action::Assign(place, _) = model.sorts.text.step(step).action.clone() else {
            panic!("an assignment")
        };
        let texts = &model.sorts.text.exprs;
        let one = texts
            .iter()
            .position(|e| *e == Expr::Const(1))
            .expect("a literal");
        let constant = Action::Assign(place, ExprId::new(one));
        model.sorts.text.steps[step.index()].action = constant;
    });
}

#[test]
fn neutral_variables_are_not_used() {
    let me = |model: &Model| field_of(model, "me").1;
    let text = "
        byte last = 9;
        active [2] proctype P() { byte me; do :: me = _pid; last = me; me = 0 od }";
    for value in [true, false] {
        let mut n_fired = 0;
        let n = model(text).sorts.n_locations[0];
        for at in 0..n {
            let mut model = model(text);
            assert_eq!(verify(&model.sorts, &model.population), Ok(()));
            let f = me(&model);
            let old = std::mem::replace(&mut model.sorts.neutral[0][f][at], value);
            let fired = verify(&model.sorts, &model.population).is_err();
            assert!(
                !fired || old != value,
                "it fires only if something is spoilt"
            );
            n_fired += usize::from(fired);
        }
        assert!(n_fired > 0 || !value, "{n_fired} fired");
    }
    spoilt(text, "does not matter", |model| {
        let f = me(model);
        model.sorts.neutral[0][f].fill(true);
        for e in 0..model.sorts.text.steps.len() {
            // No writes are left, so that only the read is wrong.
            if let Action::Assign(place, _) = &model.sorts.text.steps[e].action
                && place.field == FieldId::new(f)
                && place.owner == model::processes::expr::Owner::Own
            {
                model.sorts.text.steps[e].action = Action::Skip;
            }
        }
    });
}

#[test]
fn resets_are_members() {
    spoilt(CLIENTS, "reset", |model| {
        let (k, f) = field_of(model, "next");
        // What can be where is another check, which would come first.
        let claim = model.sorts.reach.fields[k][f].iter_mut();
        claim.for_each(|values| {
            values.insert(77);
        });
        let kind = KindId::new(k);
        let p = model
            .sorts
            .text
            .proctypes
            .iter()
            .position(|p| p.kind == kind)
            .expect("P");
        // Nothing is claimed of where the step leads.
        let sorts = &model.sorts;
        let mut steps = sorts.text.proctypes[p]
            .locations
            .iter()
            .flat_map(|l| &l.steps);
        let open = |step: &&StepId| {
            let target = sorts.text.step(**step).target.index();
            let known = sorts.reach.at[p][target].as_ref();
            known.is_some_and(|known| known.is_empty())
        };
        let step = *steps.find(open).expect("such a step");
        model.sorts.text.steps[step.index()].resets.push(Reset {
            field: FieldId::new(f),
            value: 77,
        });
    });
}

#[test]
fn sorted_messages_and_missing_fields_depend_on_numbers() {
    let send = |model: &mut Model, change: &dyn Fn(&mut model::processes::expr::Send)| {
        let mut n = 0;
        for step in &mut model.sorts.text.steps {
            if let Action::Send(send) = &mut step.action {
                change(send);
                n += 1;
            }
        }
        assert_eq!(n, 2, "sends");
    };
    spoilt(CLIENTS, "sorted", |model| {
        send(model, &|send| send.sorted = true)
    });
    spoilt(CLIENTS, "missing", |model| {
        send(model, &|send| send.fields = send.fields[..1].into());
    });
}

#[test]
#[cfg_attr(debug_assertions, should_panic(expected = "classes are no typing"))]
fn no_symmetry_is_used_where_classes_are_wrong() {
    let mut model = model(CLIENTS);
    class(&mut model, "owner").members = Some(vec![0, 1, 2]);
    let certified = certify(&model.sorts, &model.population, &model.candidates);
    assert!(certified.group().is_trivial() && certified.misuse().is_some());
}

#[test]
fn a_number_in_arithmetic_through_a_choice_is_plain() {
    let text = "
        byte x = 0, y = 1, z;
        active [2] proctype P() {
            do
            :: z = (x == y -> x : y) + 1
            :: x = _pid
            :: y = _pid
            od
        }";
    let model = model(text);
    assert_eq!(verify(&model.sorts, &model.population), Ok(()));
    assert!(!model.sorts.is_sort(class_of(&model, "x")));
}

#[test]
fn a_sorted_send_with_fields_missing_compares_all_fields() {
    let text = "
        chan c = [2] of { byte, byte };
        byte id, k;
        active [2] proctype P() {
            do
            :: c!!1
            :: c!2,_pid
            :: c?k,id
            od
        }";
    let model = model(text);
    assert_eq!(verify(&model.sorts, &model.population), Ok(()));
    assert!(!model.sorts.is_sort(class_of(&model, "id")));
}

#[test]
fn a_poll_for_more_fields_than_there_are_asks_for_zeros() {
    let text = "
        chan c = [1] of { byte };
        byte x = 9;
        active [3] proctype P() {
            do
            :: c?[5, eval(x)] -> x = 9
            :: x == 9 -> x = _pid
            :: c!5
            od
        }";
    spoilt(text, "not there is 0", |model| {
        let class = class(model, "x");
        assert_eq!(class.pinned, [0]);
        class.pinned.clear();
    });
}

#[test]
fn what_others_see_before_the_making_is_over_is_a_member() {
    let text = "
        byte id = 7, seen;
        active proctype Q() { do :: seen = id od }
        proctype P(byte me) { do :: id == me -> id = me od }
        init { id = 8; run P(1); id = 9; run P(2) }";
    let model = model(text);
    assert!(model.population.interleaved);
    assert_eq!(verify(&model.sorts, &model.population), Ok(()));
    let members = model.sorts.class(class_of(&model, "seen")).members.clone();
    assert!(
        [0, 7, 8, 9]
            .iter()
            .all(|v| members.as_ref().is_some_and(|m| m.contains(v)))
    );
}
