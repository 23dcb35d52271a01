//! How many pairs a second a refinement check sees: philosophers and forks in one network.
//!
//! `cargo run --release -p check --example philosopher_rates -- 8 9 10` checks, for each number of
//! philosophers, that at most all of them eat at once in each of the three models (against a
//! specification that allows everything, so that all pairs are seen), and freedom from deadlock
//! with a philosopher who takes his right fork first.
#![allow(clippy::print_stdout)]

use check::refinement::twist::Untwisted;
use check::refinement::{Limits, Model, Outcome, Setting, Verdict, deadlock_free, refines};
use model::network::{Label, Leaf, Network, Tree};
use std::sync::Arc;
use std::time::Duration;

/// Events by philosopher: sits, takes left, takes right, eats, lays left, lays right, gets up.
const N_KINDS: u32 = 7;

/// What a philosopher does in turn.
const ORDER: [u32; 7] = [0, 1, 2, 3, 4, 5, 6];
/// What he does who takes his right fork first.
const OTHER: [u32; 7] = [0, 2, 1, 3, 4, 5, 6];

fn philosophers(n: u32, hidden: bool) -> Network {
    let event = |who: u32, what: u32| N_KINDS * (who % n) + what;
    let (mut leaves, mut children) = (Vec::new(), Vec::new());
    let mut add = |name: String, edges: &[Vec<(u32, u32)>]| {
        let labelled = |&(event, to): &(u32, u32)| (Label::event(event), to);
        let edges: Vec<Vec<(Label, u32)>> = edges
            .iter()
            .map(|edges| edges.iter().map(labelled).collect())
            .collect();
        let labels = edges.iter().flatten();
        let mut set: Vec<u32> = labels.filter_map(|(label, _)| label.as_event()).collect();
        set.sort_unstable();
        children.push((set.into(), Tree::Leaf(leaves.len())));
        leaves.push(Arc::new(Leaf::new(name.into(), 0, &edges)));
    };
    for i in 0..n {
        let order = if i == 0 { OTHER } else { ORDER };
        let turn = |(k, &what): (usize, &u32)| vec![(event(i, what), (k as u32 + 1) % N_KINDS)];
        let edges: Vec<Vec<(u32, u32)>> = order.iter().enumerate().map(turn).collect();
        add(format!("philosopher {i}"), &edges);
        let before = i + n - 1;
        let free = vec![(event(i, 1), 1), (event(before, 2), 2)];
        let fork = [free, vec![(event(i, 4), 0)], vec![(event(before, 5), 0)]];
        add(format!("fork {i}"), &fork);
    }
    let mut tree = Tree::Alphabetised(children);
    if hidden {
        let all = (0..n * N_KINDS).filter(|event| event % N_KINDS != 3);
        tree = Tree::Hide(all.collect(), tree.into());
    }
    let names = (0..n * N_KINDS).map(|i| Arc::from(i.to_string())).collect();
    Network::new(names, leaves, tree, 100_000)
}

/// Anything may happen, and nothing is promised.
fn chaos(n: u32) -> Leaf {
    let events = (0..n * N_KINDS).map(|event| (Label::event(event), 0));
    let mut edges: Vec<(Label, u32)> = events.collect();
    edges.push((Label::TAU, 1));
    Leaf::new("CHAOS".into(), 0, &[edges, Vec::new()])
}

fn told(what: &str, n: u32, outcome: &Outcome) {
    let verdict = match &outcome.verdict {
        Verdict::Holds(_) => "holds".to_owned(),
        Verdict::Violated(shown) => format!("violated: {:?}", shown.kind),
        Verdict::Unknown(unknown) => format!("unknown: {unknown}"),
    };
    let seconds = outcome.elapsed.as_secs_f64();
    let counts = outcome.counts;
    println!(
        "{n:3} {what:22} {:9} pairs {:10} transitions {seconds:7.2} s {:9.0} pairs/s \
         {:6.1} MB {verdict}",
        counts.n_pairs,
        counts.n_transitions,
        counts.n_pairs as f64 / seconds,
        outcome.peak_bytes as f64 / 1e6,
    );
}

fn main() {
    let numbers = std::env::args()
        .skip(1)
        .filter_map(|word| word.parse().ok());
    let limits = Limits {
        spec_states_max: 100_000,
        pairs_max: None,
        depth_max: None,
        memory_bytes_max: Some(4_000_000_000),
        clock: base::Clock::of(Some(Duration::from_secs(120))),
        progress_every: Duration::MAX,
    };
    for n in numbers {
        let spec = chaos(n);
        for hidden in [false, true] {
            let process = philosophers(n, hidden);
            let what = |model: &str| format!("{model}{}", if hidden { " hidden" } else { "" });
            let mut setting = Setting {
                reducer: &mut Untwisted,
                limits,
                observer: &mut |_| {},
            };
            for (name, model) in [
                ("traces", Model::Traces),
                ("failures", Model::Failures),
                ("divergences", Model::FailuresDivergences),
            ] {
                let outcome = refines(&spec, &process, model, &mut setting).expect("a replay");
                told(&what(name), n, &outcome);
            }
            let outcome = deadlock_free(&process, Model::Failures, &mut setting);
            told(&what("deadlock"), n, &outcome.expect("a replay"));
        }
    }
}
