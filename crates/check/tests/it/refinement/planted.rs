//! Processes and reducers that lie: what the other tests rely on is seen to fire here.

use super::naive::Plain;
use super::random::{N_EVENTS, leaf, relative};
use super::symmetry::{Swap, mutual_exclusion, reduced, twins, user};
use super::verdicts::{distance, shown};
use super::{LIMITS, holds, run, with};
use check::Gap;
use check::Symmetry;
use check::refinement::twist::{PairReducer, Untwisted};
use check::refinement::{
    Broken, Model, Outcome, deadlock_free, divergence_free, normalise, refines,
};
use model::network::{Label, Leaf, Move, Process, Steps};

/// Keeps transitions to itself, but not when it is asked plainly.
struct Liar<'a> {
    inner: &'a Leaf,
    /// Which label is kept back.
    label: Label,
}

impl Process for Liar<'_> {
    fn sizes(&self) -> &[u32] {
        self.inner.sizes()
    }

    fn initial(&self) -> Vec<u32> {
        self.inner.initial()
    }

    fn steps(&self, state: &[u32], out: &mut Steps) {
        out.clear(1);
        for &(label, target) in self.inner.edges(state[0]) {
            if label != self.label {
                out.push(label, &[target]);
            }
        }
    }

    fn moves(&self, state: &[u32]) -> Vec<Move> {
        self.inner.moves(state)
    }
}

fn try_refines(spec: &dyn Process, process: &dyn Process, model: Model) -> Result<Outcome, Broken> {
    with(&mut Untwisted, |setting| {
        refines(spec, process, model, setting)
    })
}

/// For how many of many processes something is noticed.
fn noticed(mut is_noticed: impl FnMut(&Leaf, &Leaf) -> bool) -> usize {
    let seeds = 0..1000;
    let noticed = seeds.filter(|&seed| {
        let mut rng = fastrand::Rng::with_seed(seed);
        let spec = leaf(&mut rng, 5, N_EVENTS);
        let process = relative(&mut rng, &spec);
        is_noticed(&spec, &process)
    });
    noticed.count()
}

fn expected(spec: &Leaf, process: &Leaf, model: Model) -> bool {
    Plain::new(spec, N_EVENTS).refined_by(&Plain::new(process, N_EVENTS), model)
}

#[test]
fn divergence_that_is_dropped_is_noticed() {
    let model = Model::FailuresDivergences;
    let n = noticed(|spec, process| {
        let outcome = run(|setting| refines(spec, process, Model::Failures, setting));
        holds(&outcome) != expected(spec, process, model)
    });
    assert!(n > 50, "{n}");
}

#[test]
fn acceptances_that_are_dropped_are_noticed() {
    let n = noticed(|spec, process| {
        let outcome = run(|setting| refines(spec, process, Model::Traces, setting));
        holds(&outcome) != expected(spec, process, Model::Failures)
    });
    assert!(n > 50, "{n}");
}

#[test]
fn a_specification_that_lacks_transitions_is_noticed() {
    for label in [Label::TAU, Label::TICK, Label::event(0)] {
        let n = noticed(|spec, process| {
            let liar = Liar { inner: spec, label };
            let outcome = try_refines(&liar, process, Model::Failures);
            outcome.is_ok_and(|found| holds(&found) != expected(spec, process, Model::Failures))
        });
        assert!(n > 20, "{label:?}: {n}");
    }
}

#[test]
fn a_process_that_hides_its_taus_is_not_believed() {
    let mut n_broken = 0;
    let n = noticed(|spec, process| {
        let label = Label::TAU;
        let liar = Liar {
            inner: process,
            label,
        };
        match try_refines(spec, &liar, Model::Failures) {
            Ok(found) => holds(&found) != expected(spec, process, Model::Failures),
            Err(broken) => {
                assert_eq!(broken.missing, Gap::RefusingState);
                n_broken += 1;
                true
            }
        }
    });
    assert!(n > 50 && n_broken > 20, "{n} {n_broken}");
}

#[test]
fn paths_that_are_not_shortest_are_noticed() {
    // The search without its order: a step more before everything.
    let n = noticed(|spec, process| {
        let n = process.n_states();
        let mut edges: Vec<Vec<(Label, u32)>> = (0..n).map(|i| process.edges(i).to_vec()).collect();
        edges.push(vec![(Label::TAU, 0)]);
        let later = Leaf::new("later".into(), n, &edges);
        let outcome = run(|setting| refines(spec, &later, Model::Traces, setting));
        let spec = Plain::new(spec, N_EVENTS);
        let nearest = spec.distance(&Plain::new(process, N_EVENTS), Model::Traces);
        shown(&outcome).map(distance) != nearest
    });
    assert!(n > 100, "{n}");
}

/// A reducer with something wrong.
struct Wrong {
    inner: Swap,
    fault: Fault,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// Events are not taken back.
    Events,
    /// States are not taken back.
    States,
    /// The permutation is not named.
    Name,
    /// The specification's side is left as it is.
    Spec,
    /// States are exchanged that are not alike.
    Blur,
}

impl PairReducer for Wrong {
    fn represent(&mut self, spec: u32, state: &mut [u32]) -> u32 {
        if self.fault == Fault::Blur {
            state[0] = 0;
            return spec;
        }
        let image = self.inner.represent(spec, state);
        match self.fault {
            Fault::Spec => spec,
            Fault::Events | Fault::States | Fault::Name | Fault::Blur => image,
        }
    }

    fn symmetry(&mut self) -> Symmetry {
        match self.fault {
            Fault::Name | Fault::Blur => Symmetry::default(),
            Fault::Events | Fault::States | Fault::Spec => self.inner.symmetry(),
        }
    }

    fn move_pair(&self, symmetry: &Symmetry, spec: u32, state: &mut [u32]) -> u32 {
        match self.fault {
            Fault::States => spec,
            _ => self.inner.move_pair(symmetry, spec, state),
        }
    }

    fn move_label(&self, symmetry: &Symmetry, label: Label) -> Label {
        match self.fault {
            Fault::Events => label,
            _ => self.inner.move_label(symmetry, label),
        }
    }

    fn is_identity(&self) -> bool {
        false
    }

    fn bytes(&self) -> u64 {
        0
    }
}

#[test]
fn a_reducer_that_is_wrong_gives_no_counterexample() {
    let process = twins(user(), &[], &[]);
    let normal = normalise(&mutual_exclusion(), Model::Traces, LIMITS).expect("small");
    let outcome = |fault| {
        let inner = Swap::new(&normal, &process).expect("symmetric");
        reduced(&normal, &process, &mut Wrong { inner, fault })
    };
    let missing = |fault| outcome(fault).map(|_| ()).map_err(|broken| broken.missing);
    assert_eq!(missing(Fault::Events), Err(Gap::ForbiddenEvent));
    assert_eq!(missing(Fault::States), Err(Gap::Transition));
    assert_eq!(missing(Fault::Name), Err(Gap::Transition));
    // It refines itself, but not with the specification left behind.
    let itself = normalise(&process, Model::Traces, LIMITS).expect("small");
    let inner = Swap::new(&itself, &process).expect("symmetric");
    let fault = Fault::Spec;
    let broken = reduced(&itself, &process, &mut Wrong { inner, fault });
    let broken = broken.expect_err("no counterexample");
    assert_eq!(broken.missing, Gap::ReasonToForbid);
    // Here only a comparison with the full search tells.
    let full = run(|setting| refines(&mutual_exclusion(), &process, Model::Traces, setting));
    let blurred = outcome(Fault::Blur);
    assert!(blurred.is_err() || blurred.is_ok_and(|found| holds(&found) != holds(&full)));
}

#[test]
fn a_wrong_successor_is_no_run() {
    /// Says that events lead to the next state.
    struct Shifted(Leaf);
    impl Process for Shifted {
        fn sizes(&self) -> &[u32] {
            self.0.sizes()
        }
        fn initial(&self) -> Vec<u32> {
            self.0.initial()
        }
        fn steps(&self, state: &[u32], out: &mut Steps) {
            out.clear(1);
            for &(label, target) in self.0.edges(state[0]) {
                out.push(label, &[(target + 1) % self.0.n_states()]);
            }
        }
        fn moves(&self, state: &[u32]) -> Vec<Move> {
            self.0.moves(state)
        }
    }
    let edges = [
        vec![(Label::event(0), 1)],
        vec![(Label::event(1), 0)],
        vec![],
    ];
    let process = Shifted(Leaf::new("P".into(), 0, &edges));
    let outcome = with(&mut Untwisted, |setting| {
        deadlock_free(&process, Model::Failures, setting)
    });
    let broken = outcome.expect_err("no such run");
    assert_eq!((broken.n_steps, broken.missing), (0, Gap::Transition));
    assert!(format!("{broken}").contains("after 0 transitions"));
}

#[test]
fn a_cycle_that_is_not_there_is_noticed() {
    /// Says that it can do τ for ever.
    struct Restless(Leaf);
    impl Process for Restless {
        fn sizes(&self) -> &[u32] {
            self.0.sizes()
        }
        fn initial(&self) -> Vec<u32> {
            self.0.initial()
        }
        fn steps(&self, state: &[u32], out: &mut Steps) {
            out.clear(1);
            out.push(Label::TAU, state);
        }
        fn moves(&self, state: &[u32]) -> Vec<Move> {
            self.0.moves(state)
        }
    }
    let process = Restless(Leaf::new("P".into(), 0, &[vec![]]));
    let outcome = with(&mut Untwisted, |setting| divergence_free(&process, setting));
    assert_eq!(outcome.expect_err("no cycle").missing, Gap::TauCycle);
}
