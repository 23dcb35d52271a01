//! Determinism of symmetric networks, beside the definition and the search without symmetry.

use super::models::{Copies, copies};
use super::naive::Plain;
use super::reduction::ways;
use super::verdicts::{assert_run, distance, shown};
use super::{holds, run, with};
use check::refinement::twist::PairReducer;
use check::refinement::{Model, deterministic, freedom};
use check::{Symmetry, refinement::Outcome};
use model::network::{Label, Network, Process};
use reduce::network::{certify, reduced_network};

fn asked(process: &dyn Process, model: Model, reducer: &mut dyn PairReducer) -> Outcome {
    with(reducer, |setting| deterministic(process, model, setting)).expect("a replay")
}

fn symmetric(seed: u64) -> Option<(Network, Vec<reduce::network::Candidate>)> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let n = [2, 3][seed as usize % 2];
    let Copies {
        network,
        candidates,
        ..
    } = copies(&mut rng, n);
    let network = reduced_network(&network, if rng.bool() { 0 } else { 10_000 });
    (network.names().len() <= 9).then_some((network, candidates))
}

#[test]
fn determinism_is_the_same_with_symmetry() {
    let mut n = [[0; 2]; 2];
    let mut n_fewer = 0;
    for seed in 0..4000 {
        let Some((network, candidates)) = symmetric(seed) else {
            continue;
        };
        let certified = certify(&network, &candidates);
        let joint = certified.against(freedom());
        let plain = Plain::new(&network, network.names().len() as u32);
        for (i, model) in [Model::Failures, Model::FailuresDivergences]
            .into_iter()
            .enumerate()
        {
            let without = run(|setting| deterministic(&network, model, setting));
            let expected = plain.deterministic(model);
            assert_eq!(holds(&without), expected, "seed {seed} {model:?}");
            n[i][usize::from(expected)] += 1;
            for (name, mut way) in ways(&joint) {
                let told = format!("seed {seed} {model:?} {name}");
                let outcome = asked(&network, model, &mut way);
                assert_eq!(holds(&outcome), expected, "{told}");
                n_fewer += usize::from(outcome.counts.n_pairs < without.counts.n_pairs);
                let Some(shown) = shown(&outcome) else {
                    continue;
                };
                assert_run(&shown.run, &network, &told);
                let wanted = super::verdicts::shown(&without).map(distance);
                assert_eq!(Some(distance(shown)), wanted, "{told}");
            }
        }
    }
    assert!(n.iter().flatten().all(|&n| n > 100), "{n:?}");
    assert!(n_fewer > 300, "{n_fewer}");
}

/// Says that each state is the start.
struct Liar(Vec<u32>);

impl PairReducer for Liar {
    fn represent(&mut self, spec: u32, state: &mut [u32]) -> u32 {
        state.copy_from_slice(&self.0);
        spec
    }

    fn symmetry(&mut self) -> Symmetry {
        Symmetry::default()
    }

    fn move_pair(&self, _: &Symmetry, spec: u32, _: &mut [u32]) -> u32 {
        spec
    }

    fn move_label(&self, _: &Symmetry, label: Label) -> Label {
        label
    }

    fn is_identity(&self) -> bool {
        false
    }

    fn bytes(&self) -> u64 {
        0
    }
}

#[test]
fn representatives_of_other_orbits_are_noticed() {
    let mut n_wrong = 0;
    for seed in 0..400 {
        let Some((network, _)) = symmetric(seed) else {
            continue;
        };
        let model = Model::FailuresDivergences;
        let plain = Plain::new(&network, network.names().len() as u32);
        let mut liar = Liar(network.initial());
        let outcome = with(&mut liar, |setting| deterministic(&network, model, setting));
        let said = outcome.ok().map(|outcome| holds(&outcome));
        n_wrong += usize::from(said != Some(plain.deterministic(model)));
    }
    assert!(
        n_wrong > 10,
        "the comparison of this file would notice: {n_wrong}"
    );
}
