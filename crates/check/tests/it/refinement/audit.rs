//! Audits: symmetries are looked at again on every pair, and what is none is noticed.

use super::models::{copies, one_at_a_time, token};
use super::reduction::{GROUP, chart_of};
use super::{LIMITS, MODELS, with};
use check::refinement::audit::{Audited, PairSymmetries, Unequal};
use check::refinement::normal::Normal;
use check::refinement::twist::Untwisted;
use check::refinement::{Model, normalise, refines_normal};
use model::network::{Label, Leaf, Network};
use reduce::network::{Algorithm, Joint, certify, reduced_network};

/// Searches with audits; gives the pairs that were looked at, and all that were stored.
fn audited(
    normal: &Normal,
    network: &Network,
    joint: &Joint,
    symmetries: &dyn PairSymmetries,
) -> Result<(u64, u64), Unequal> {
    let mut inner = joint
        .representatives(Algorithm::Exact, GROUP)
        .expect("members");
    let mut reducer = Audited::new(&mut inner, symmetries);
    let outcome = with(&mut reducer, |setting| {
        refines_normal(normal, network, setting)
    });
    let n_pairs = outcome.expect("a replay").counts.n_pairs;
    reducer.finish().map(|n| (n, n_pairs))
}

#[test]
fn symmetries_of_random_networks_pass() {
    let mut n_audited = 0;
    for seed in 0..600 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let made = copies(&mut rng, 2 + seed as u32 % 3);
        let network = reduced_network(&made.network, 10_000);
        let certified = certify(&network, &made.candidates);
        let model = MODELS[rng.usize(0..3)];
        let limits = check::refinement::Limits {
            spec_states_max: 1000,
            ..LIMITS
        };
        let Ok(normal) = normalise(&made.spec, model, limits) else {
            continue;
        };
        let joint = chart_of(&certified, &normal);
        if joint.is_trivial() {
            continue;
        }
        let found = audited(&normal, &network, &joint, &joint);
        let (n, _) = found.unwrap_or_else(|unequal| panic!("seed {seed}: {unequal}"));
        n_audited += n;
    }
    assert!(n_audited > 800, "{n_audited}");
}

/// Symmetries of which a part is a lie.
struct Lying<'a> {
    inner: &'a Joint,
    part: Part,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Part {
    /// The truth.
    Nothing,
    /// Events stay.
    Labels,
    /// States stay.
    States,
    /// Those of the specification stay.
    Spec,
}

impl PairSymmetries for Lying<'_> {
    fn len(&self) -> usize {
        PairSymmetries::len(self.inner)
    }

    fn name(&self, symmetry: usize) -> &str {
        self.inner.name(symmetry)
    }

    fn pair(&self, symmetry: usize, spec: u32, state: &mut [u32]) -> u32 {
        let mut image = state.to_vec();
        let moved = self.inner.pair(symmetry, spec, &mut image);
        if self.part != Part::States {
            state.copy_from_slice(&image);
        }
        match self.part {
            Part::Spec => spec,
            _ => moved,
        }
    }

    fn label(&self, symmetry: usize, label: Label) -> Label {
        match self.part {
            Part::Labels => label,
            _ => self.inner.label(symmetry, label),
        }
    }
}

#[test]
fn a_symmetry_that_is_none_is_noticed() {
    let (network, mut events) = token(3, None, false);
    let network = reduced_network(&network, 1 << 20);
    let certified = certify(&network, &events.exchanges(&[1, 2, 3]));
    let spec = one_at_a_time(3, &mut events);
    for model in MODELS {
        let normal = normalise(&spec, model, LIMITS).expect("small");
        let joint = chart_of(&certified, &normal);
        assert!(!joint.is_universal());
        for part in [Part::Nothing, Part::Labels, Part::States, Part::Spec] {
            let inner = &joint;
            let found = audited(&normal, &network, &joint, &Lying { inner, part });
            let what = found.map_err(|unequal| unequal.what);
            match part {
                Part::Nothing => assert!(what.is_ok_and(|(n, stored)| n == stored)),
                Part::Labels | Part::States => assert_eq!(what, Err("transitions"), "{part:?}"),
                Part::Spec => assert_eq!(what, Err("what is allowed")),
            }
        }
    }
}

/// Says that the first state of the specification goes to the second.
struct Onward;

impl PairSymmetries for Onward {
    fn len(&self) -> usize {
        1
    }

    fn name(&self, _: usize) -> &str {
        "onward"
    }

    fn pair(&self, _: usize, _: u32, _: &mut [u32]) -> u32 {
        1
    }

    fn label(&self, _: usize, label: Label) -> Label {
        label
    }
}

#[test]
fn what_may_be_refused_is_looked_at() {
    // `S = a -> T` and `T = (a -> T) |~| STOP` allow the same, but only the second may stop.
    let a = Label::event(0);
    let edges = [
        vec![(a, 1)],
        vec![(Label::TAU, 2), (Label::TAU, 3)],
        vec![(a, 1)],
        vec![],
    ];
    let spec = Leaf::new("S".into(), 0, &edges);
    let stop = Leaf::new("STOP".into(), 0, &[vec![]]);
    for (model, expected) in [
        (Model::Traces, Ok(1)),
        (Model::Failures, Err("what may be refused")),
    ] {
        let normal = normalise(&spec, model, LIMITS).expect("small");
        let mut untwisted = Untwisted;
        let mut reducer = Audited::new(&mut untwisted, &Onward);
        let outcome = with(&mut reducer, |setting| {
            refines_normal(&normal, &stop, setting)
        });
        assert!(outcome.is_ok());
        let found = reducer.finish().map_err(|unequal| unequal.what);
        assert_eq!(found, expected, "{model:?}");
    }
}
