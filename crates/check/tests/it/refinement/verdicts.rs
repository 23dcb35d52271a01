//! Verdicts beside the definitions, over thousands of small processes; counterexamples are real.

use super::naive::Plain;
use super::random::{N_EVENTS, leaf, network, relative};
use super::{MODELS, holds, run};
use check::refinement::counterexample::{Counterexample, DoneBy, Kind, Run};
use check::refinement::{
    Model, Outcome, Verdict, deadlock_free, deterministic, divergence_free, has_trace, refines,
};
use model::network::{Label, Process};

/// That a run is one, by the plain account of the process.
#[track_caller]
pub fn assert_run(run: &Run, process: &dyn Process, told: &str) {
    let mut at = process.initial();
    assert_eq!(run.initial, at, "{told}");
    for step in &run.steps {
        assert!(process.moves(&at).contains(step), "{told}: {step:?}");
        at = step.state.clone();
    }
}

pub fn shown(outcome: &Outcome) -> Option<&Counterexample> {
    match &outcome.verdict {
        Verdict::Violated(shown) => Some(shown),
        Verdict::Holds(_) | Verdict::Unknown(_) => None,
    }
}

/// How many transitions lead to the state in which something is wrong.
pub fn distance(shown: &Counterexample) -> usize {
    shown.distance()
}

/// That what is shown is a behaviour of the one process and not of the other.
#[track_caller]
pub fn assert_real(shown: &Counterexample, spec: &Plain, process: &Plain, told: &str) {
    let trace = shown.run.trace();
    assert!(!process.after_trace(&trace).is_empty(), "{told}");
    match &shown.kind {
        Kind::NotAllowed { event, allowed } => {
            assert_eq!(trace.last(), Some(event), "{told}");
            assert!(spec.after_trace(&trace).is_empty(), "{told}");
            let before = spec.after_trace(&trace[..trace.len() - 1]);
            for &label in allowed {
                assert!(!spec.after(&before, label).is_empty(), "{told} {label:?}");
            }
        }
        Kind::Refusal { offered, allowed } => {
            assert!(process.fails(&trace, offered), "{told}");
            assert!(!spec.fails(&trace, offered), "{told}");
            assert!(allowed.iter().all(|set| spec.fails(&trace, set)), "{told}");
        }
        Kind::Divergence { taus, loop_from } => {
            assert!(process.diverges(&process.after_trace(&trace)), "{told}");
            assert!(!spec.has_diverged(&trace), "{told}");
            assert!(taus.iter().all(|step| step.label == Label::TAU), "{told}");
            let from = match loop_from {
                0 => shown.run.end(),
                n => &taus[n - 1].state,
            };
            assert_eq!(
                taus.last().map(|step| &step.state[..]),
                Some(from),
                "{told}"
            );
        }
        kind => panic!("{told}: {kind:?}"),
    }
}

fn compare(spec: &dyn Process, process: &dyn Process, told: &str) -> [bool; 3] {
    let plain_spec = Plain::new(spec, N_EVENTS);
    let plain = Plain::new(process, N_EVENTS);
    MODELS.map(|model| {
        let told = format!("{told}, {model:?}");
        let outcome = run(|setting| refines(spec, process, model, setting));
        let expected = plain_spec.refined_by(&plain, model);
        assert_eq!(holds(&outcome), expected, "{told}");
        let nearest = plain_spec.distance(&plain, model);
        assert_eq!(shown(&outcome).map(distance), nearest, "{told}");
        if let Some(shown) = shown(&outcome) {
            assert_run(&shown.run, process, &told);
            assert_real(shown, &plain_spec, &plain, &told);
        }
        expected
    })
}

#[test]
fn refinement_is_that_of_the_definitions() {
    let mut n_holding = [0; 3];
    let n = 6000;
    for seed in 0..n {
        let mut rng = fastrand::Rng::with_seed(seed);
        let spec = leaf(&mut rng, 5, N_EVENTS);
        let process = if rng.bool() {
            relative(&mut rng, &spec)
        } else {
            leaf(&mut rng, 4, N_EVENTS)
        };
        let found = compare(&spec, &process, &format!("seed {seed}"));
        for (n, holds) in n_holding.iter_mut().zip(found) {
            *n += u64::from(holds);
        }
    }
    // Enough of both.
    for n_holding in n_holding {
        assert!(n_holding > n / 10 && n_holding < n * 9 / 10, "{n_holding}");
    }
}

#[test]
fn refinement_of_networks_is_that_of_the_definitions() {
    let mut n_holding = 0;
    for seed in 0..1500 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let process = network(&mut rng);
        let spec = network(&mut rng);
        let found = if rng.bool() {
            compare(&spec, &process, &format!("seed {seed}"))
        } else {
            compare(&process, &process, &format!("seed {seed}"))
        };
        n_holding += usize::from(found[2]);
    }
    assert!(n_holding > 500, "{n_holding}");
}

#[test]
fn freedom_is_that_of_the_definitions() {
    let mut n = [0; 3];
    for seed in 0..3000 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let process = leaf(&mut rng, 5, N_EVENTS);
        let plain = Plain::new(&process, N_EVENTS);
        for model in [Model::Failures, Model::FailuresDivergences] {
            let outcome = run(|setting| deadlock_free(&process, model, setting));
            let expected = plain.deadlock_free(model);
            assert_eq!(holds(&outcome), expected, "seed {seed} {model:?}");
            n[0] += usize::from(expected);
            if let Some(shown) = shown(&outcome) {
                assert_run(&shown.run, &process, "deadlock");
                let trace = shown.run.trace();
                match shown.kind {
                    Kind::Deadlock => assert!(plain.fails(&trace, &[]), "seed {seed}"),
                    _ => assert!(plain.has_diverged(&trace), "seed {seed}"),
                }
            }
        }
        let outcome = run(|setting| divergence_free(&process, setting));
        assert_eq!(holds(&outcome), plain.divergence_free(), "seed {seed}");
        n[1] += usize::from(holds(&outcome));
        n[2] += 1;
    }
    assert!(n[0] > 400 && n[1] > 1000 && n[1] < n[2] - 400, "{n:?}");
}

#[test]
fn determinism_is_that_of_the_definition() {
    let mut n = [[0; 2]; 2];
    for seed in 0..6000 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let n_events = if rng.bool() { 1 } else { N_EVENTS };
        let process = leaf(&mut rng, 5, n_events);
        let plain = Plain::new(&process, N_EVENTS);
        for (i, model) in [Model::Failures, Model::FailuresDivergences]
            .into_iter()
            .enumerate()
        {
            let told = format!("seed {seed} {model:?}");
            let outcome = run(|setting| deterministic(&process, model, setting));
            assert_eq!(holds(&outcome), plain.deterministic(model), "{told}");
            n[i][usize::from(holds(&outcome))] += 1;
            let Some(shown) = shown(&outcome) else {
                continue;
            };
            assert_run(&shown.run, &process, &told);
            match &shown.kind {
                Kind::Nondeterminism {
                    event,
                    done_by,
                    other,
                } => {
                    assert_run(other, &process, &told);
                    let (done, refused) = match done_by {
                        DoneBy::Run => (shown.run.trace(), other.trace()),
                        DoneBy::Other => (other.trace(), shown.run.trace()),
                    };
                    assert_eq!(done, [&refused[..], &[*event]].concat(), "{told}");
                    let all = (0..N_EVENTS).map(Label::event).chain([Label::TICK]);
                    let others: Vec<Label> = all.filter(|label| label != event).collect();
                    assert!(plain.fails(&refused, &others), "{told}");
                }
                Kind::Divergence { .. } => {
                    assert!(plain.has_diverged(&shown.run.trace()), "{told}");
                }
                kind => panic!("{told}: {kind:?}"),
            }
        }
    }
    assert!(n.iter().flatten().all(|&n| n > 600), "{n:?}");
}

#[test]
fn traces_are_those_of_the_definition() {
    let mut n = [0; 3];
    for seed in 0..4000 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let process = leaf(&mut rng, 4, 2);
        let plain = Plain::new(&process, N_EVENTS);
        let length = rng.usize(0..4);
        let mut trace: Vec<Label> = (0..length).map(|_| Label::event(rng.u32(0..2))).collect();
        if rng.u32(0..5) == 0 {
            trace.push(Label::TICK);
        }
        for (i, model) in MODELS.into_iter().enumerate() {
            let told = format!("seed {seed} {model:?}");
            let outcome = run(|setting| has_trace(&process, &trace, model, setting));
            assert_eq!(holds(&outcome), plain.has_trace(&trace, model), "{told}");
            n[i] += usize::from(holds(&outcome));
            match &outcome.verdict {
                Verdict::Holds(run) => {
                    let run = run.as_ref().expect("a run that has the trace");
                    assert_run(run, &process, &told);
                    assert_eq!(run.trace(), trace, "{told}");
                }
                Verdict::Violated(shown) => {
                    assert_run(&shown.run, &process, &told);
                    assert!(trace.starts_with(&shown.run.trace()), "{told}");
                }
                Verdict::Unknown(unknown) => panic!("{told}: {unknown}"),
            }
        }
    }
    assert!(
        n[0] > 1000 && n[0] > n[1] && n[1] > n[2] && n[2] > 600,
        "{n:?}"
    );
}
