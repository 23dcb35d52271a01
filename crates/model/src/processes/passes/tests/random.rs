//! Random models: no setting may lose a fault or a state without moves, and ours stores the fewest.

use super::build::{Build, Found, Line, explore};
use crate::processes::expr::{Binary, Expr, Place};
use crate::processes::passes::hide::hide_blindly;
use crate::processes::passes::readiness::Readiness;
use crate::processes::passes::{Setting, Watch, apply, optimise};
use crate::processes::program::{Action, Init, LocationId, Model, Origin, ProctypeId, StepId};
use crate::processes::trace::{Event, Message, Trace, TraceLocation, TraceStep};
use fastrand::Rng;
use system::SiteId;

const N_SEEDS: u64 = 4000;
const N_STATES: usize = 4_000;

struct Vars {
    globals: Vec<Place>,
    channels: Vec<Place>,
    locals: Vec<Place>,
    /// A variable of the process that holds a channel.
    held: Place,
    /// Whether there is a rendezvous, the last of the channels, and much use of it.
    meets: bool,
    /// Whether priorities change.
    sets_priorities: bool,
}

fn pick<'a>(rng: &mut Rng, from: &'a [Place]) -> &'a Place {
    &from[rng.usize(..from.len())]
}

/// A random action; most of them are private.
fn action(b: &mut Build, rng: &mut Rng, v: &Vars) -> Action {
    let own = pick(rng, &v.locals).clone();
    let other = pick(rng, &v.locals).clone();
    let global = pick(rng, &v.globals).clone();
    let named = pick(rng, &v.channels).clone();
    let channel = match rng.u8(..3) {
        0 => v.held.clone(),
        _ => named.clone(),
    };
    let value = rng.i32(0..2);
    let meeting = v.channels[v.channels.len() - 1].clone();
    if v.meets && rng.u8(..4) == 0 {
        return if rng.bool() {
            b.send(&meeting, &own)
        } else {
            b.receive(&meeting, &own)
        };
    }
    if v.sets_priorities && rng.u8(..6) == 0 {
        let (of, priority) = (b.number(value), b.number(rng.i32(1..4)));
        return Action::SetPriority(of, priority, false);
    }
    match rng.u8(..22) {
        0..=3 => b.set(&own, value),
        4 | 5 => b.copy(&own, &other),
        6 => b.flip(&own),
        7 => b.copy(&own, &global),
        8 => b.copy(&global, &own),
        9 => b.flip(&global),
        10 | 11 => b.test(&own, value),
        12 => b.test(&global, value),
        13 => b.send(&channel, &own),
        14 => b.receive(&channel, &own),
        15 => b.receive(&channel, &global),
        16 => {
            let holds = b.compare(&own, Binary::LessEqual, value);
            Action::Assert(holds)
        }
        17 => {
            let holds = b.compare(&global, Binary::LessEqual, value);
            Action::Assert(holds)
        }
        18 => b.copy(&v.held, &named),
        19 => b.send(&channel, &other),
        _ => Action::Skip,
    }
}

/// Steps between a few locations; most lead to the next.
fn lines(b: &mut Build, rng: &mut Rng, v: &Vars) -> Vec<Line> {
    let n = rng.usize(3..7);
    let mut lines = Vec::new();
    for from in 0..n {
        for _ in 0..rng.usize(1..3) {
            let to = match rng.u8(..4) {
                0 => rng.usize(..=n),
                _ => from + 1,
            };
            lines.push((from, action(b, rng, v), to));
        }
        if rng.u8(..4) == 0 {
            lines.push((from, Action::Else, from + 1));
        }
    }
    lines.push((n, Action::End, n));
    lines
}

pub(super) fn random_model(seed: u64) -> Model {
    let mut rng = Rng::with_seed(seed);
    let mut b = Build::new();
    let globals = vec![b.global(), b.global()];
    let meets = rng.bool();
    let capacity = if meets { 0 } else { rng.u32(..3) };
    let channels = vec![b.channel(1), b.channel(capacity)];
    let has_priorities = rng.u8(..5) == 0;
    let sets_priorities = has_priorities && rng.bool();
    for _ in 0..2 {
        let p = b.declare();
        let locals = vec![b.local(p), b.local(p), b.element(p)];
        let held = b.local_channel(p);
        let holds = b.read(pick(&mut rng, &channels));
        let init = Init::Value(held.clone(), holds);
        b.model.proctypes[p.index()].prologue.push(init);
        if has_priorities {
            b.prioritise(p, rng.i32(1..4));
        }
        if rng.bool() {
            b.starts(p, &locals[0], 1);
        }
        let v = Vars {
            globals: globals.clone(),
            channels: channels.clone(),
            locals,
            held,
            meets,
            sets_priorities,
        };
        let lines = lines(&mut b, &mut rng, &v);
        b.define(p, lines);
        b.model.population.push(p);
    }
    if rng.u8(..4) == 0 {
        b.model.population.push(ProctypeId::new(0));
    }
    keep_some(&mut b.model, &mut rng);
    let n_steps = b.model.steps.len();
    b.model.origins.steps.resize(n_steps, Origin::default());
    escape_some(&mut b.model, &mut rng);
    if rng.u8(..4) == 0 {
        be_alone(&mut b.model);
    }
    if rng.u8(..4) == 0 {
        add_trace(&mut b, &mut rng, &channels);
    }
    b.model
}

/// Adds a trace of three locations, the last of them its end.
fn add_trace(b: &mut Build, rng: &mut Rng, channels: &[Place]) {
    let field = b.global().field;
    let mut trace = Trace {
        negated: rng.bool(),
        field,
        locations: vec![TraceLocation::default(); 3],
        end: 2,
        sends: Vec::new(),
        receives: Vec::new(),
    };
    for location in &mut trace.locations[..2] {
        for value in 0..2 {
            let channel = b.expr(Expr::Read(pick(rng, channels).clone()));
            let fields = vec![rng.bool().then(|| b.number(value))];
            let message = Message { channel, fields };
            let event = if rng.bool() {
                trace.sends.push(channel);
                Event::Send(message)
            } else {
                trace.receives.push(channel);
                Event::Receive(message)
            };
            location.steps.push(TraceStep {
                event,
                target: rng.usize(..3),
                site: SiteId::new(0),
            });
        }
        location.end = rng.bool();
    }
    b.model.trace = Some(trace);
}

/// Makes the first process type one that should be deterministic.
fn be_alone(model: &mut Model) {
    let locations = &model.proctypes[0].locations;
    for s in locations.iter().flat_map(|l| &l.steps) {
        let step = &mut model.steps[s.index()];
        step.alone = !matches!(step.action, Action::Skip | Action::Else);
    }
}

/// Lets some steps escape from the others of their location (`unless`), sends above all.
fn escape_some(model: &mut Model, rng: &mut Rng) {
    for p in 0..model.proctypes.len() {
        for l in 0..model.proctypes[p].locations.len() {
            let location = model.proctypes[p].locations[l].clone();
            if location.steps.len() < 2 || rng.u8(..4) > 0 {
                continue;
            }
            let sends = |s: &&StepId| matches!(model.step(**s).action, Action::Send(_));
            let first = location.steps.iter().find(sends);
            let escape = first.copied().unwrap_or(location.steps[0]);
            if matches!(model.step(escape).action, Action::Else) {
                continue;
            }
            model.steps[escape.index()].rank = 1;
            let steps = &mut model.proctypes[p].locations[l].steps;
            steps.retain(|s| *s != escape);
            steps.insert(0, escape);
            for s in &location.steps {
                model.origins.steps[s.index()].escapable = true;
            }
        }
    }
}

/// Lets some steps forward keep control; steps back do not, so that every chain ends. Where a step
/// keeps control an `atomic` begins or goes on, and what is jumped to is a loop or has a label:
/// SPIN joins neither to what is before.
fn keep_some(model: &mut Model, rng: &mut Rng) {
    let proctypes = model.proctypes.clone();
    for p in &proctypes {
        let mut atomic = vec![false; p.locations.len()];
        for (l, location) in p.locations.iter().enumerate() {
            for s in &location.steps {
                let step = &mut model.steps[s.index()];
                let forward = step.target > LocationId::new(l);
                step.keeps_control = forward && rng.u8(..5) == 0;
                atomic[l] |= step.keeps_control;
                atomic[step.target.index()] |= step.target.index() != l + 1;
            }
        }
        model.origins.compound.push(atomic);
    }
}

/// What differs between two models that may not differ, if something does.
fn difference(plain: &Found, other: &Found) -> Option<String> {
    let mut text = String::new();
    if plain.faults != other.faults {
        text += &format!("faults {:?}, then {:?}; ", plain.faults, other.faults);
    }
    if plain.rests != other.rests {
        text += &format!("rests {:?}, then {:?}", plain.rests, other.rests);
    }
    (!text.is_empty()).then_some(text)
}

/// Globals that a setting drops differ without harm: they are read at the end, so none is dropped.
fn watch(model: &mut Model) -> Watch {
    let globals = model.layout.globals().fields.len();
    let mut exprs = Vec::new();
    for f in 0..globals {
        let field = crate::processes::layout::FieldId::new(f);
        let place = Place::scalar(crate::processes::expr::Owner::Globals, field);
        model.exprs.push(crate::processes::expr::Expr::Read(place));
        exprs.push(crate::processes::expr::ExprId::new(model.exprs.len() - 1));
        model.origins.read.push(field);
    }
    Watch {
        exprs,
        labels: false,
        fair: false,
    }
}

#[test]
fn ours_finds_the_same_and_stores_no_more_than_spins_or_none() {
    let (mut n_plain, mut n_ours, mut n_bounded) = (0, 0, 0);
    for seed in 0..N_SEEDS {
        let mut plain = random_model(seed);
        let watch = watch(&mut plain);
        let Some(found) = explore(&plain, N_STATES) else {
            continue;
        };
        let mut spin = plain.clone();
        apply(&mut spin, Setting::Spin, &watch);
        let spin = explore(&spin, 10 * N_STATES).expect("few states");
        let mut ours = plain.clone();
        apply(&mut ours, Setting::Best, &watch);
        let ours = explore(&ours, N_STATES).expect("no more states");
        assert_eq!(difference(&found, &ours), None, "seed {seed}");
        // Where it matters whether a receiver is ready, SPIN's joins leave out behaviour; so they
        // do where those of higher priority should come between.
        let leaves_out = Readiness::new(&plain).matters() || plain.rules.priorities;
        let most = if leaves_out {
            found.n_states
        } else {
            found.n_states.min(spin.n_states)
        };
        n_bounded += usize::from(!leaves_out);
        assert!(
            ours.n_states <= most,
            "seed {seed}: {} states, SPIN's {}, ours {}",
            found.n_states,
            spin.n_states,
            ours.n_states
        );
        n_plain += found.n_states;
        n_ours += ours.n_states;
    }
    assert!(2 * n_ours < n_plain, "{n_ours} of {n_plain} states");
    assert!(n_bounded > 1000, "{n_bounded} models bounded by SPIN's");
}

#[test]
fn without_properties_ours_still_finds_the_same_faults() {
    for seed in 0..N_SEEDS {
        let plain = random_model(seed);
        let Some(found) = explore(&plain, N_STATES) else {
            continue;
        };
        let mut ours = plain.clone();
        optimise(&mut ours, &Watch::default());
        let ours = explore(&ours, N_STATES).expect("no more states");
        assert_eq!(found.faults, ours.faults, "seed {seed}");
        let stuck = |f: &Found| f.rests.iter().any(|r| !r.0);
        assert_eq!(stuck(&found), stuck(&ours), "seed {seed}");
        assert!(ours.n_states <= found.n_states, "seed {seed}");
    }
}

#[test]
fn a_pass_that_hides_too_much_is_caught() {
    let caught = |seed: &u64| {
        let mut plain = random_model(*seed);
        let watch = watch(&mut plain);
        let Some(found) = explore(&plain, N_STATES) else {
            return false;
        };
        let mut wrong = plain.clone();
        apply(&mut wrong, Setting::Plain, &watch);
        // Steps forward keep control whatever comes next.
        for p in &plain.proctypes {
            for (l, location) in p.locations.iter().enumerate() {
                for s in &location.steps {
                    let step = &mut wrong.steps[s.index()];
                    step.keeps_control |= step.target > LocationId::new(l);
                }
            }
        }
        explore(&wrong, N_STATES).is_some_and(|w| difference(&found, &w).is_some())
    };
    assert!((0..200).any(|seed| caught(&seed)));
}

#[test]
fn a_pass_that_hides_who_becomes_ready_is_caught() {
    let mut n_caught = 0;
    let mut n_matters = 0;
    for seed in 0..N_SEEDS / 4 {
        let mut plain = random_model(seed);
        let watch = watch(&mut plain);
        let matters = Readiness::new(&plain).matters();
        let Some(found) = explore(&plain, N_STATES) else {
            continue;
        };
        let mut wrong = plain.clone();
        hide_blindly(&mut wrong, &watch);
        let other = explore(&wrong, N_STATES).expect("no more states");
        let caught = difference(&found, &other).is_some();
        n_matters += usize::from(matters);
        n_caught += usize::from(caught);
        assert!(matters || !caught, "seed {seed}: it matters after all");
    }
    assert!(n_matters > 50, "it matters in {n_matters} models");
    assert!(n_caught > 0, "in {n_matters} models it matters");
}

#[test]
fn a_reset_of_what_is_still_read_is_caught() {
    let caught = |seed: &u64| {
        let mut plain = random_model(*seed);
        let watch = watch(&mut plain);
        let Some(found) = explore(&plain, N_STATES) else {
            return false;
        };
        let mut wrong = plain.clone();
        let field = crate::processes::layout::FieldId::new(0);
        for step in wrong.steps.iter_mut().step_by(5) {
            step.resets
                .push(crate::processes::program::Reset { field, value: 0 });
        }
        apply(&mut wrong, Setting::Plain, &watch);
        explore(&wrong, N_STATES).is_some_and(|w| difference(&found, &w).is_some())
    };
    assert!((0..200).any(|seed| caught(&seed)));
}
