//! Searches over representatives of pairs: two like components, exchanged.
//!
//! The components are alike up to a renaming of events: component 0 does events 0 and 1 where
//! component 1 does 2 and 3, and both may do event 4, which is nobody's own. The reducer sorts the
//! two states, and where it exchanges them it exchanges the states of the specification by the same
//! permutation. Specifications are symmetric at the start only, so that it matters which
//! permutation acts on the other side.

use super::naive::Plain;
use super::random::{leaf, names};
use super::verdicts::{assert_real, assert_run, distance, shown};
use super::{LIMITS, MODELS, holds, run, with};
use check::Symmetry;
use check::refinement::normal::Normal;
use check::refinement::twist::PairReducer;
use check::refinement::{Broken, Model, Outcome, normalise, refines_normal};
use model::network::{Label, Leaf, Network, Tree};
use std::sync::Arc;

const N_EVENTS: u32 = 5;

/// What the exchange makes of a label.
pub fn swapped(label: Label) -> Label {
    match label.as_event() {
        Some(event @ 0..4) => Label::event((event + 2) % 4),
        _ => label,
    }
}

/// Two components, one the image of the other, and their exchange.
pub fn twins(first: Leaf, shared: &[u32], hidden: &[u32]) -> Network {
    let edges = |state| first.edges(state).iter();
    let image = |state| {
        edges(state)
            .map(|&(label, to)| (swapped(label), to))
            .collect()
    };
    let edges: Vec<Vec<(Label, u32)>> = (0..first.n_states()).map(image).collect();
    let second = Leaf::new("second".into(), 0, &edges);
    let children = vec![Tree::Leaf(0), Tree::Leaf(1)];
    let tree = Tree::Hide(
        hidden.into(),
        Tree::Parallel(shared.into(), children).into(),
    );
    let leaves = vec![Arc::new(first), Arc::new(second)];
    Network::new(names(N_EVENTS), leaves, tree, 1000)
}

/// Sorts the states of two components, and takes the specification along.
pub struct Swap {
    /// What the exchange makes of the states of the specification.
    spec: Vec<u32>,
    /// The state in which all is over is the first component's alone.
    over: u32,
    pub n_swapped: usize,
    is_swapped: bool,
}

impl Swap {
    /// The exchange, if the specification is symmetric under it.
    pub fn new(normal: &Normal, process: &Network) -> Option<Swap> {
        let mut spec = vec![u32::MAX; normal.len()];
        let mut waiting = vec![(0, 0)];
        while let Some((from, to)) = waiting.pop() {
            if spec[from as usize] == to {
                continue;
            }
            let sets = |state| normal.acceptances(state).iter().map(|set| set.to_vec());
            let image = |set: Vec<Label>| -> Vec<Label> {
                let mut image: Vec<Label> = set.into_iter().map(swapped).collect();
                image.sort();
                image
            };
            let mut images: Vec<Vec<Label>> = sets(from).map(image).collect();
            images.sort();
            let fits = images.into_iter().eq(sets(to))
                && normal.is_divergent(from) == normal.is_divergent(to)
                && normal.edges(from).len() == normal.edges(to).len();
            if spec[from as usize] != u32::MAX || !fits {
                return None;
            }
            spec[from as usize] = to;
            for &(label, target) in normal.edges(from) {
                waiting.push((target, normal.next(to, swapped(label))?));
            }
        }
        Some(Swap {
            spec,
            over: process.leaves()[0].ended() + 1,
            n_swapped: 0,
            is_swapped: false,
        })
    }
}

impl PairReducer for Swap {
    fn represent(&mut self, spec: u32, state: &mut [u32]) -> u32 {
        self.is_swapped = state[0] > state[1] && state[0] != self.over;
        if !self.is_swapped {
            return spec;
        }
        self.n_swapped += 1;
        state.swap(0, 1);
        self.spec[spec as usize]
    }

    /// On two points: the users.
    fn symmetry(&mut self) -> Symmetry {
        Symmetry::new(if self.is_swapped { &[1, 0] } else { &[0, 1] })
    }

    fn move_pair(&self, symmetry: &Symmetry, spec: u32, state: &mut [u32]) -> u32 {
        if symmetry.is_identity() {
            return spec;
        }
        state.swap(0, 1);
        self.spec[spec as usize]
    }

    fn move_label(&self, symmetry: &Symmetry, label: Label) -> Label {
        if symmetry.is_identity() {
            label
        } else {
            swapped(label)
        }
    }

    fn is_identity(&self) -> bool {
        false
    }

    fn bytes(&self) -> u64 {
        0
    }
}

/// A user of a lock: enters, is in, leaves.
pub fn user() -> Leaf {
    let edges = [vec![(Label::event(0), 1)], vec![(Label::event(1), 0)]];
    Leaf::new("user".into(), 0, &edges)
}

/// One of two users may be in.
pub fn mutual_exclusion() -> Leaf {
    let [enter, leave] = [0, 1].map(Label::event);
    let edges = [
        vec![(enter, 1), (swapped(enter), 2)],
        vec![(leave, 0)],
        vec![(swapped(leave), 0)],
    ];
    Leaf::new("spec".into(), 0, &edges)
}

pub fn reduced(
    normal: &Normal,
    process: &Network,
    reducer: &mut dyn PairReducer,
) -> Result<Outcome, Broken> {
    with(reducer, |setting| refines_normal(normal, process, setting))
}

#[test]
fn a_twisted_counterexample_is_straightened() {
    let process = twins(user(), &[], &[]);
    let spec = mutual_exclusion();
    let normal = normalise(&spec, Model::Traces, LIMITS).expect("small");
    let mut swap = Swap::new(&normal, &process).expect("symmetric at the start");
    let outcome = reduced(&normal, &process, &mut swap).expect("a replay");
    let shown = shown(&outcome).expect("both can enter");
    assert!(swap.n_swapped > 0);
    assert_run(&shown.run, &process, "mutual exclusion");
    let plain = [Plain::new(&spec, N_EVENTS), Plain::new(&process, N_EVENTS)];
    assert_real(shown, &plain[0], &plain[1], "mutual exclusion");
    assert_eq!(shown.run.trace().len(), 2);
    // From (0, 1) on, where the path is, the event is that of the user who is out.
    let (first, second) = (shown.run.component(0), shown.run.component(1));
    assert_eq!((first.len(), second.len()), (1, 1));
}

#[test]
fn representatives_change_no_verdict_and_no_distance() {
    let (mut n_reduced, mut n_violated, mut n_diverging) = (0, 0, 0);
    for seed in 0..4000 {
        let mut rng = fastrand::Rng::with_seed(seed);
        // Events 0 and 1 are its own; 2 stands for the shared one.
        let mut own = |max| {
            let leaf = leaf(&mut rng, max, 3);
            let shift = |&(label, to): &(Label, u32)| match label.as_event() {
                Some(2) => (Label::event(4), to),
                _ => (label, to),
            };
            let edges = |state| leaf.edges(state).iter().map(shift).collect();
            let edges: Vec<Vec<(Label, u32)>> = (0..leaf.n_states()).map(edges).collect();
            Leaf::new("first".into(), 0, &edges)
        };
        let (one, other) = (own(4), own(4));
        let set = |rng: &mut fastrand::Rng, all: &[u32]| {
            if rng.bool() { all.to_vec() } else { Vec::new() }
        };
        let (shared, hidden) = (set(&mut rng, &[4]), set(&mut rng, &[1, 3]));
        let spec_leaf = if rng.bool() { one.clone() } else { other };
        let process = twins(one, &shared, &hidden);
        let spec = twins(spec_leaf, &set(&mut rng, &[4]), &hidden);
        let plain = [&spec, &process].map(|network| Plain::new(network, N_EVENTS));
        for model in MODELS {
            let told = format!("seed {seed} {model:?}");
            let normal = normalise(&spec, model, LIMITS).expect("small");
            let full = run(|setting| refines_normal(&normal, &process, setting));
            let mut swap = Swap::new(&normal, &process).expect("twins are symmetric");
            let outcome = reduced(&normal, &process, &mut swap).expect(&told);
            assert_eq!(holds(&outcome), holds(&full), "{told}");
            let distances = [&outcome, &full].map(|outcome| shown(outcome).map(distance));
            assert_eq!(distances[0], distances[1], "{told}");
            if holds(&full) {
                assert!(outcome.counts.n_pairs <= full.counts.n_pairs, "{told}");
                n_reduced += usize::from(outcome.counts.n_pairs < full.counts.n_pairs);
            }
            if let Some(shown) = shown(&outcome) {
                assert_run(&shown.run, &process, &told);
                assert_real(shown, &plain[0], &plain[1], &told);
                n_violated += 1;
                let is_divergence = matches!(
                    shown.kind,
                    check::refinement::counterexample::Kind::Divergence { .. }
                );
                n_diverging += usize::from(is_divergence);
            }
        }
    }
    assert!(
        n_reduced > 2000 && n_violated > 2000 && n_diverging > 50,
        "{n_reduced} {n_violated} {n_diverging}"
    );
}
