//! Models that can be counted on paper.

use super::build::{Build, explore};
use crate::processes::expr::{Binary, Expr, Owner};
use crate::processes::passes::hide::hidden_locations;
use crate::processes::passes::live::{Flow, Strength, always};
use crate::processes::passes::priorities::never_waits;
use crate::processes::passes::{Setting, Watch, apply};
use crate::processes::program::{Action, Model, Print, ProctypeId};

fn n_states(model: &Model, setting: Setting) -> usize {
    let mut model = model.clone();
    apply(&mut model, setting, &Watch::default());
    explore(&model, 10_000).expect("few states").n_states
}

fn all_settings(model: &Model) -> [usize; 3] {
    [Setting::Plain, Setting::Spin, Setting::Best].map(|s| n_states(model, s))
}

#[test]
fn a_variable_that_starts_as_four_and_is_dead_rests_at_four() {
    // byte x = 4; do :: g == 0 -> x = 4; g = 1; x == 4; g = 0 od
    let mut b = Build::new();
    let g = b.global();
    let p = b.declare();
    let x = b.local(p);
    b.starts(p, &x, 4);
    let lines = vec![
        (0, b.test(&g, 0), 1),
        (1, b.set(&x, 4), 2),
        (2, b.set(&g, 1), 3),
        (3, b.test(&x, 4), 4),
        (4, b.set(&g, 0), 0),
    ];
    b.define(p, lines);
    b.model.population.push(p);
    // SPIN resets x to 0 in the test: from then on the first two locations occur once more, and
    // those after the test only with 0. It joins nothing, for the one quiet statement comes after
    // a test of a global. We hide the locations 1 and 3.
    assert_eq!(all_settings(&b.model), [5, 7, 3]);
}

#[test]
fn processes_that_have_not_begun_are_like_those_that_are_done() {
    // Two processes: byte x = 1; do :: c?x; d!x od, with messages of 1 going round.
    let mut b = Build::new();
    let (c, one) = (b.channel(1), b.global());
    let value = b.number(1);
    (b.model.prologue).push(crate::processes::program::Init::Value(one.clone(), value));
    let p = b.declare();
    let x = b.local(p);
    b.starts(p, &x, 1);
    let lines = vec![(0, b.send(&c, &one), 1), (1, b.receive(&c, &x), 2), {
        (2, b.test(&x, 1), 0)
    }];
    b.define(p, lines);
    b.model.population.extend([p, p]);
    let [plain, spin, best] = all_settings(&b.model);
    assert!(spin > plain, "{spin} of SPIN's, {plain} without");
    assert!(best <= plain, "{best} of ours, {plain} without");
}

#[test]
fn a_private_computation_is_one_move() {
    // x = 1; y = x + 1 ...; if :: y == 1 -> y = 0 :: else fi; g = y
    let mut b = Build::new();
    let g = b.global();
    let p = b.declare();
    let (x, y) = (b.local(p), b.local(p));
    let shown = Print { pieces: Vec::new() };
    let read = b.test(&g, 7);
    let lines = vec![
        (0, b.set(&g, 0), 1),
        (1, b.set(&x, 1), 2),
        (2, b.copy(&y, &x), 3),
        (3, b.test(&y, 1), 4),
        (3, Action::Else, 5),
        (4, b.set(&y, 0), 5),
        (5, Action::Print(shown), 6),
        (6, b.copy(&g, &y), 7),
        (7, read, 8),
    ];
    b.define(p, lines);
    b.model.population.push(p);
    assert_eq!(hidden_locations(&b.model, p), [1, 2, 3, 4, 5]);
    // Seen before the first statement, before the last but one, and where it waits.
    assert_eq!(n_states(&b.model, Setting::Best), 3);
}

#[test]
fn of_a_private_loop_one_location_is_seen() {
    let mut b = Build::new();
    let p = b.declare();
    let x = b.local(p);
    let lines = vec![
        (0, Action::Skip, 1),
        (1, b.flip(&x), 2),
        (2, Action::Skip, 3),
        (3, Action::Skip, 1),
        (1, b.test(&x, 1), 4),
    ];
    b.define(p, lines);
    b.model.population.push(p);
    assert_eq!(hidden_locations(&b.model, p), [0, 2, 3]);
    let found = explore(&b.model, 100).expect("few states");
    assert!(found.faults.is_empty());
}

#[test]
fn what_comes_before_an_atomic_block_is_not_drawn_into_it() {
    // g = 0; atomic { x = 1; g == 0 }: another process may set g before the block begins.
    let mut b = Build::new();
    let g = b.global();
    let p = b.declare();
    let x = b.local(p);
    let lines = vec![
        (0, b.set(&g, 0), 1),
        (1, b.set(&x, 1), 2),
        (2, b.test(&g, 0), 3),
    ];
    b.define(p, lines);
    b.model.steps[1].keeps_control = true;
    let q = b.declare();
    let line = (0, b.set(&g, 1), 1);
    b.define(q, vec![line]);
    b.model.population.extend([p, q]);
    assert!(hidden_locations(&b.model, p).is_empty());
    let plain = explore(&b.model, 100).expect("few states");
    assert!(plain.rests.iter().any(|rest| !rest.0));
    let mut best = b.model.clone();
    apply(&mut best, Setting::Best, &Watch::default());
    let best = explore(&best, 100).expect("few states");
    assert_eq!(plain.rests, best.rests);
}

#[test]
fn a_global_that_only_counts_itself_is_not_counted() {
    let mut b = Build::new();
    let (n, go) = (b.global(), b.global());
    let p = b.declare();
    let (read, one) = (b.read(&n), b.number(1));
    let sum = b.expr(Expr::Binary(Binary::Add, read, one));
    let lines = vec![(0, Action::Assign(n, sum), 0), (0, b.test(&go, 1), 1)];
    b.define(p, lines);
    b.model.population.push(p);
    // SPIN leaves out what is written `n++`, but not `n = n + 1`.
    assert_eq!(all_settings(&b.model), [256, 256, 1]);
    b.model
        .origins
        .steps
        .resize(2, crate::processes::program::Origin::default());
    b.model.origins.steps[0].counts = true;
    assert_eq!(all_settings(&b.model), [256, 1, 1]);
}

#[test]
fn who_has_ended_stays_only_if_nobody_comes_later() {
    let mut b = Build::new();
    let child = b.declare();
    b.define(child, vec![(0, Action::End, 0)]);
    let parent = b.declare();
    let runs = [(); 2].map(|()| Action::Test(b.expr(Expr::Run(child, [].into(), None))));
    let [first, second] = runs;
    let lines = vec![(0, first, 1), (1, second, 2), (2, Action::End, 2)];
    b.define(parent, lines);
    b.model.population.push(parent);
    let mut together = b.model.clone();
    apply(&mut together, Setting::Best, &Watch::default());
    assert!(!together.rules.ends_are_steps, "numbers are not looked at");
    assert_eq!(all_settings(&b.model)[2], 2);
    // A test of the number of processes: now it matters who is still there.
    let count = b.expr(Expr::NProcesses);
    b.model.steps[0].action = Action::Test(count);
    let mut apart = b.model.clone();
    apply(&mut apart, Setting::Best, &Watch::default());
    assert!(apart.rules.ends_are_steps);
}

#[test]
fn a_priority_that_none_exceeds_never_waits() {
    let mut b = Build::new();
    let (high, low) = (b.declare(), b.declare());
    let (nine, eight, other) = (b.number(9), b.number(8), b.number(1));
    let own = b.expr(Expr::Pid);
    b.define(high, vec![(0, Action::SetPriority(own, nine, true), 1)]);
    b.define(low, vec![(0, Action::SetPriority(other, eight, true), 1)]);
    for (p, first) in [(high, 10), (low, 5)] {
        let place = b.local(p);
        assert_eq!(place.owner, Owner::Own);
        b.model.proctypes[p.index()].priority = Some((place.field, first));
    }
    b.model.population.extend([high, low]);
    assert!(never_waits(&b.model, high));
    assert!(!never_waits(&b.model, low));
    b.model.exprs[eight.index()] = Expr::Const(12);
    assert!(!never_waits(&b.model, high), "now the other can have 12");
}

#[test]
fn live_is_what_some_way_reads_before_it_is_written() {
    let mut b = Build::new();
    let p = b.declare();
    let (x, y) = (b.local(p), b.local(p));
    let holds = b.compare(&x, Binary::Greater, 0);
    let lines = vec![
        (0, b.set(&x, 1), 1),
        (1, b.copy(&y, &x), 2),
        (2, Action::Assert(holds), 3),
    ];
    b.define(p, lines);
    let table = |b: &Build, strength: Strength| {
        let proctype = b.model.proctype(p);
        let flow = Flow {
            model: &b.model,
            proctype,
            strength,
            always: always(&b.model, proctype, &[]),
            globals_needed: &[],
        };
        let live = flow.solve();
        let at = |l| crate::processes::program::LocationId::new(l);
        (0..4)
            .map(|l| (live.is(at(l), x.field), live.is(at(l), y.field)))
            .collect::<Vec<_>>()
    };
    let expected = [(false, false), (true, false), (true, false), (false, false)];
    assert_eq!(table(&b, Strength::Written), expected);
    assert_eq!(table(&b, Strength::Needed), expected);
    b.model.steps[2].action = Action::Skip;
    let expected = [
        (false, false),
        (true, false),
        (false, false),
        (false, false),
    ];
    assert_eq!(table(&b, Strength::Written), expected);
    assert_eq!(table(&b, Strength::Needed), [(false, false); 4]);
    assert_eq!(p, ProctypeId::new(0));
}

#[test]
fn what_holds_members_rests_as_none_of_them() {
    // x starts as the number of the process; g = x; g == 7. After the first step x is dead.
    let rest_values = |declared: bool| {
        let mut b = Build::new();
        let g = b.global();
        let p = b.declare();
        let (x, unused) = (b.local(p), b.local(p));
        let own = b.expr(Expr::Pid);
        b.model.proctypes[p.index()]
            .prologue
            .push(crate::processes::program::Init::Value(x.clone(), own));
        let lines = vec![(0, b.copy(&g, &x), 1), (1, b.test(&g, 7), 2)];
        b.define(p, lines);
        b.model.population.extend([p, p]);
        let kind = b.model.proctypes[p.index()].kind;
        if declared {
            b.model
                .declared_sorts
                .push(crate::processes::program::DeclaredSort {
                    name: "p".to_owned(),
                    instances: None,
                    n_members: 2,
                    undefined: 9,
                    values: vec![(kind, x.field), (kind, unused.field)],
                    dimensions: Vec::new(),
                    messages: Vec::new(),
                });
        }
        let plain = n_states(&b.model, Setting::Plain);
        apply(&mut b.model, Setting::Best, &Watch::default());
        assert!(explore(&b.model, 100).expect("few states").n_states <= plain);
        let resets = b.model.steps.iter().flat_map(|s| &s.resets);
        let resets: Vec<i32> = resets.map(|r| r.value).collect();
        let inits = b.model.proctypes[p.index()].prologue.iter();
        let first = inits.filter_map(|i| match i {
            crate::processes::program::Init::Value(place, e) if place.field == unused.field => {
                Some(b.model.expr(*e).clone())
            }
            _ => None,
        });
        (resets, first.collect::<Vec<Expr>>())
    };
    assert_eq!(rest_values(false), (vec![0], Vec::new()));
    assert_eq!(rest_values(true), (vec![9], vec![Expr::Const(9)]));
}

/// A process that writes a global and then twice its own variable, and one that waits for the first
/// and sees whether the other has got to its last step, which sets the global back.
fn low_and_high(priorities: [i32; 2]) -> Build {
    let mut b = Build::new();
    let g = b.global();
    let (low, high) = (b.declare(), b.declare());
    let x = b.local(low);
    let lines = vec![
        (0, b.set(&g, 1), 1),
        (1, b.set(&x, 1), 2),
        (2, b.set(&x, 0), 3),
        (3, b.set(&g, 0), 4),
    ];
    b.define(low, lines);
    let never = b.compare(&g, Binary::Equal, 0);
    let lines = vec![(0, b.test(&g, 1), 1), (1, Action::Assert(never), 2)];
    b.define(high, lines);
    for (p, priority) in [low, high].into_iter().zip(priorities) {
        b.prioritise(p, priority);
    }
    b.model.population.extend([low, high]);
    b
}

#[test]
fn what_is_joined_for_good_is_not_interrupted_by_a_higher_priority() {
    let mut b = low_and_high([1, 2]);
    for step in &mut b.model.steps[..3] {
        step.keeps_control = true;
    }
    let found = explore(&b.model, 100).expect("few states");
    assert_eq!(found.faults.len(), 1, "the higher one comes between");
    for step in &mut b.model.steps[..3] {
        step.join = crate::processes::program::Join::Tight;
    }
    let found = explore(&b.model, 100).expect("few states");
    assert!(found.faults.is_empty(), "{:?}", found.faults);
}

#[test]
fn priorities_that_never_change_do_not_keep_private_steps_apart() {
    let mut b = low_and_high([1, 2]);
    let plain = explore(&b.model, 100).expect("few states");
    let mut best = b.model.clone();
    apply(&mut best, Setting::Best, &Watch::default());
    assert!(best.steps[0].keeps_control && best.steps[1].keeps_control);
    let best = explore(&best, 100).expect("few states");
    assert_eq!(plain.faults, best.faults);
    assert!(best.n_states < plain.n_states, "{}", best.n_states);
    // Now they change.
    let (of, priority) = (b.number(0), b.number(3));
    b.model.steps[5].action = Action::SetPriority(of, priority, false);
    let mut best = b.model.clone();
    apply(&mut best, Setting::Best, &Watch::default());
    assert!(!best.steps[0].keeps_control && !best.steps[1].keeps_control);
}

/// `chan null = [0], a = [1]`, a process that sends through a variable inside `atomic`, and one
/// that becomes ready to receive by a private step.
fn sends_and_receives(sets: bool) -> Model {
    let mut b = Build::new();
    let (null, a, g) = (b.channel(0), b.channel(1), b.global());
    let (sender, receiver) = (b.declare(), b.declare());
    let held = b.local_channel(sender);
    let x = b.local(receiver);
    let holds = b.read(&null);
    let init = crate::processes::program::Init::Value(held.clone(), holds);
    b.model.proctypes[sender.index()].prologue.push(init);
    let first = if sets {
        b.copy(&held, &a)
    } else {
        Action::Skip
    };
    let lines = vec![
        (0, first, 1),
        (1, b.set(&g, 1), 2),
        (2, b.send(&held, &g), 3),
        (3, b.copy(&held, &null), 4),
    ];
    b.define(sender, lines);
    b.model.steps[0].keeps_control = true;
    b.model.steps[1].keeps_control = true;
    let lines = vec![
        (0, b.test(&g, 0), 1),
        (1, b.set(&x, 1), 2),
        (2, b.receive(&null, &x), 3),
    ];
    b.define(receiver, lines);
    b.model.population.extend([sender, receiver]);
    b.model
}

#[test]
fn who_becomes_ready_is_seen_only_where_a_critical_send_may_go() {
    use crate::processes::passes::readiness::Readiness;
    let at = |l| crate::processes::program::LocationId::new(l);
    let matters = sends_and_receives(false);
    let found = Readiness::new(&matters);
    assert!(found.matters() && found.at(1, at(2)) && !found.at(1, at(1)));
    assert!(hidden_locations(&matters, ProctypeId::new(1)).is_empty());
    // Now the variable holds a channel with a buffer where the send stands.
    let harmless = sends_and_receives(true);
    assert!(!Readiness::new(&harmless).matters());
    assert_eq!(hidden_locations(&harmless, ProctypeId::new(1)), [1]);
}

#[test]
fn a_channel_of_which_only_the_number_is_known_may_be_any() {
    use crate::processes::passes::readiness::Readiness;
    let mut model = sends_and_receives(true);
    let Action::Assign(_, e) = model.steps[0].action else {
        panic!("the first step assigns");
    };
    model.exprs[e.index()] = Expr::Const(2);
    assert!(Readiness::new(&model).matters());
}
