//! What is shown of small examples; limits.

use super::random::names;
use super::verdicts::shown;
use super::{LIMITS, holds, run};
use check::StopReason;
use check::refinement::counterexample::Kind;
use check::refinement::twist::Untwisted;
use check::refinement::{
    Limits, Model, Outcome, Setting, Unknown, Verdict, deadlock_free, deterministic,
    divergence_free, has_trace, refines,
};
use model::network::{Label, Leaf, Move, Network, Process, Steps, Tree};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

const A: u32 = 0;
const B: u32 = 1;

fn leaf(edges: &[&[(Label, u32)]]) -> Leaf {
    let edges: Vec<Vec<(Label, u32)>> = edges.iter().map(|edges| edges.to_vec()).collect();
    Leaf::new("P".into(), 0, &edges)
}

#[test]
fn the_example_of_a_search() {
    let (a, b, tau) = (Label::event(A), Label::event(B), Label::TAU);
    let spec = leaf(&[&[(a, 1)], &[(b, 0)]]);
    let process = leaf(&[&[(a, 1)], &[(tau, 2), (tau, 3)], &[(b, 0)], &[]]);
    let traces = run(|setting| refines(&spec, &process, Model::Traces, setting));
    assert!(holds(&traces));
    let counts = traces.counts;
    assert_eq!((counts.n_pairs, counts.n_transitions), (4, 4));
    assert_eq!((counts.n_normal, counts.depth), (2, 2));
    let failures = run(|setting| refines(&spec, &process, Model::Failures, setting));
    let shown = shown(&failures).expect("it may stop");
    assert_eq!(shown.run.trace(), [a]);
    let (offered, allowed) = (vec![], vec![vec![b]]);
    assert_eq!(shown.kind, Kind::Refusal { offered, allowed });
}

/// Philosophers and forks: takes the left fork, then the right one, eats, lays both down.
fn philosophers(n: u32) -> Network {
    // Events by philosopher: takes left, takes right, lays left, lays right.
    let event = |who: u32, what: u32| Label::event(4 * (who % n) + what);
    let mut leaves = Vec::new();
    let mut alphabets = Vec::new();
    for i in 0..n {
        let edges = (0..4)
            .map(|k| vec![(event(i, k), (k + 1) % 4)])
            .collect::<Vec<_>>();
        leaves.push(Arc::new(Leaf::new(format!("phil {i}").into(), 0, &edges)));
        alphabets.push((0..4).map(|k| 4 * i + k).collect::<Vec<u32>>());
    }
    for i in 0..n {
        // Fork i lies to the left of philosopher i, to the right of the one before.
        let before = i + n - 1;
        let edges = [
            vec![(event(i, 0), 1), (event(before, 1), 2)],
            vec![(event(i, 2), 0)],
            vec![(event(before, 3), 0)],
        ];
        leaves.push(Arc::new(Leaf::new(format!("fork {i}").into(), 0, &edges)));
        let before = before % n;
        let mut alphabet = vec![4 * i, 4 * i + 2, 4 * before + 1, 4 * before + 3];
        alphabet.sort_unstable();
        alphabets.push(alphabet);
    }
    let children = alphabets.into_iter().enumerate();
    let children = children
        .map(|(i, set)| (set.into(), Tree::Leaf(i)))
        .collect();
    Network::new(names(4 * n), leaves, Tree::Alphabetised(children), 1000)
}

#[test]
fn philosophers_can_starve_together() {
    for n in 2..6 {
        let process = philosophers(n);
        let outcome = run(|setting| deadlock_free(&process, Model::FailuresDivergences, setting));
        let shown = shown(&outcome).expect("all take their left forks");
        assert_eq!(shown.kind, Kind::Deadlock);
        assert_eq!(shown.run.steps.len(), n as usize);
        for i in 0..n {
            let does = |leaf| -> Vec<Label> {
                let parts = shown.run.component(leaf).into_iter();
                parts.map(|(_, label)| label).collect()
            };
            assert_eq!(does(i), [Label::event(4 * i)]);
            assert_eq!(does(n + i), [Label::event(4 * i)]);
        }
    }
}

#[test]
fn a_trace_is_shown_or_how_far_it_goes() {
    let (a, b) = (Label::event(A), Label::event(B));
    let process = leaf(&[&[(a, 1), (a, 2)], &[(b, 0)], &[]]);
    let asked = |trace: &[Label], model| run(|setting| has_trace(&process, trace, model, setting));
    let outcome = asked(&[a, b], Model::Traces);
    assert!(matches!(&outcome.verdict, Verdict::Holds(Some(run)) if run.trace() == [a, b]));
    let outcome = asked(&[a, b], Model::Failures);
    let refused = Kind::Refused {
        event: b,
        offered: vec![],
    };
    assert_eq!(shown(&outcome).map(|shown| &shown.kind), Some(&refused));
    let outcome = asked(&[a, b, b], Model::Traces);
    let missing = shown(&outcome).expect("b only once");
    assert_eq!(missing.kind, Kind::NoTrace { event: b });
    assert_eq!(missing.run.trace(), [a, b]);
}

#[test]
fn a_process_that_only_diverges_may_be_deterministic_in_failures() {
    let (a, tau) = (Label::event(A), Label::TAU);
    let process = leaf(&[&[(tau, 0), (a, 1)], &[]]);
    let outcome = |model| run(|setting| deterministic(&process, model, setting));
    assert!(holds(&outcome(Model::Failures)));
    let diverging = outcome(Model::FailuresDivergences);
    let kind = shown(&diverging).map(|shown| &shown.kind);
    assert!(matches!(kind, Some(Kind::Divergence { loop_from: 0, .. })));
}

fn limited(limits: Limits<'_>) -> (Outcome, usize) {
    let process = philosophers(6);
    let mut n_told = 0;
    let outcome = {
        let mut observer = |_: &check::Progress| n_told += 1;
        let mut setting = Setting {
            reducer: &mut Untwisted,
            limits,
            observer: &mut observer,
        };
        refines(&process, &process, Model::FailuresDivergences, &mut setting).expect("a replay")
    };
    (outcome, n_told)
}

#[test]
fn limits_are_no_verdicts() {
    let stop = AtomicBool::new(true);
    let cases = [
        (
            Limits {
                pairs_max: Some(100),
                ..LIMITS
            },
            Unknown::Pairs(100),
        ),
        (
            Limits {
                depth_max: Some(2),
                ..LIMITS
            },
            Unknown::Depth(2),
        ),
        (
            Limits {
                spec_states_max: 50,
                ..LIMITS
            },
            Unknown::Specification(50),
        ),
        (
            Limits {
                clock: base::Clock::of(Some(Duration::ZERO)),
                ..LIMITS
            },
            Unknown::Stopped(StopReason::Time),
        ),
        (
            Limits {
                memory_bytes_max: Some(1000),
                ..LIMITS
            },
            Unknown::Stopped(StopReason::Memory),
        ),
        (
            Limits {
                clock: base::Clock::ENDLESS.interrupted_by(&stop),
                ..LIMITS
            },
            Unknown::Stopped(StopReason::Interrupted),
        ),
    ];
    for (limits, expected) in cases {
        let (outcome, _) = limited(limits);
        let Verdict::Unknown(unknown) = outcome.verdict else {
            panic!("{expected} is no verdict");
        };
        assert_eq!(unknown, expected);
        assert!(!unknown.to_string().is_empty());
    }
    let every = Limits {
        progress_every: Duration::ZERO,
        ..LIMITS
    };
    let (outcome, n_told) = limited(every);
    assert!(holds(&outcome) && n_told > 1, "{n_told}");
    assert!(outcome.peak_bytes > 0 && outcome.counts.depth > 5);
}

/// A process that calls for an end after it was asked for so many states.
struct Interrupting<'a> {
    leaf: &'a Leaf,
    n_left: AtomicUsize,
    stop: &'a AtomicBool,
}

impl Process for Interrupting<'_> {
    fn sizes(&self) -> &[u32] {
        self.leaf.sizes()
    }

    fn initial(&self) -> Vec<u32> {
        self.leaf.initial()
    }

    fn steps(&self, state: &[u32], out: &mut Steps) {
        if self.n_left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.stop.store(true, Ordering::Relaxed);
        }
        self.leaf.steps(state, out);
    }

    fn moves(&self, state: &[u32]) -> Vec<Move> {
        self.leaf.moves(state)
    }
}

#[test]
fn limits_end_what_is_asked_of_the_first_pair_too() {
    // Whether the first state diverges takes all of the τ, one after the other.
    let n = 20_000;
    let edges: Vec<Vec<(Label, u32)>> = (1..=n)
        .map(|next| Vec::from_iter((next < n).then_some((Label::TAU, next))))
        .collect();
    let chain = Leaf::new("chain".into(), 0, &edges);
    let asked = |process: &dyn Process, limits| {
        let mut setting = Setting {
            reducer: &mut Untwisted,
            limits,
            observer: &mut |_| {},
        };
        divergence_free(process, &mut setting).expect("a replay")
    };
    let all = asked(&chain, LIMITS);
    assert!(holds(&all) && all.counts.n_pairs == u64::from(n));
    let memory = asked(
        &chain,
        Limits {
            memory_bytes_max: Some(100_000),
            ..LIMITS
        },
    );
    let stop = AtomicBool::new(false);
    let interrupting = Interrupting {
        leaf: &chain,
        n_left: AtomicUsize::new(1000),
        stop: &stop,
    };
    let interrupted = asked(
        &interrupting,
        Limits {
            clock: base::Clock::ENDLESS.interrupted_by(&stop),
            ..LIMITS
        },
    );
    for (outcome, reason) in [
        (memory, StopReason::Memory),
        (interrupted, StopReason::Interrupted),
    ] {
        assert_eq!(outcome.counts.n_pairs, 1, "{reason:?}");
        let Verdict::Unknown(unknown) = outcome.verdict else {
            panic!("{reason:?} is no verdict");
        };
        assert_eq!(unknown, Unknown::Stopped(reason));
    }
}
