//! The representatives of pairs of states: the one place where they are decided for assertions.
//!
//! The model says which values might be exchanged; each exchange is certified on the network, and
//! those that the specification shares are used, all of them together: one pair of a specification
//! state and a process state is kept of each orbit. What is refused costs states, never a verdict.
//!
//! Which algorithm chooses representatives may be asked for by name (`--reduce`). One that does not
//! fit, because the specification has states that move, or because there are too many elements to
//! list, is not used, and nothing is used in its place: whoever asks for it wants to know.

use check::refinement::normal::Normal;
use check::refinement::twist::{PairReducer, Untwisted};
use group::{Group, Perm};
use model::network::claim::Claim;
use reduce::network::{
    Algorithm, Allowed, Certifier, Joint, Limits, NoRepresentatives, Specification, Symmetry,
    allowed,
};
use report::reasons;
use std::time::{Duration, Instant};

/// What elements of a group may take, where they have to be tried one by one.
pub const LIMITS: Limits = Limits {
    elements_max: 50_000,
    bytes_max: 1 << 28,
};

/// How many images of events and components are looked at to say what a group is.
const STRUCTURE_WORK_MAX: usize = 100_000;

/// What a process is compared with, as far as symmetry is concerned.
#[derive(Clone, Copy)]
pub enum Beside<'a> {
    /// A normal form.
    Spec(&'a Normal),
    /// Nothing that tells events apart.
    Nothing,
    /// Something that no symmetry is used with.
    Unknown,
}

/// Who stands for pairs, and what is told of it.
pub struct Chosen {
    /// Who.
    pub reducer: Box<dyn PairReducer>,
    /// The order of the group.
    pub order: String,
    /// How representatives are chosen.
    pub algorithm: Algorithm,
    /// The exchanges that generate the group.
    pub generators: Vec<String>,
    /// Exchanges that were offered and are none, with reasons.
    pub refused: Vec<(String, String)>,
    /// The symmetries themselves, if there are some.
    pub joint: Option<Joint>,
    /// Why this algorithm, if it was left open which.
    pub why: Option<String>,
    /// How long it took to make ready what chooses: to close the group, where it is listed.
    pub closing: Duration,
}

impl Chosen {
    /// Every pair stands for itself.
    pub fn none() -> Chosen {
        Chosen {
            reducer: Box::new(Untwisted),
            order: "1".to_owned(),
            algorithm: Algorithm::Check,
            generators: Vec::new(),
            refused: Vec::new(),
            joint: None,
            why: None,
            closing: Duration::ZERO,
        }
    }

    /// What the group is, in words, from what it does to events and components, of which there are
    /// so many; nothing if that would take long, or if these do not show all of it.
    pub fn structure(&self, n_names: usize) -> Option<String> {
        let mut perms = Vec::new();
        let mut degree = 0;
        if let Some(joint) = &self.joint {
            let n_generators = joint.names().len();
            if n_generators * n_names > STRUCTURE_WORK_MAX {
                return None;
            }
            for generator in 0..n_generators {
                let image = joint.moved_names(generator);
                degree = image.len();
                perms.push(Perm::from_image(image)?);
            }
        }
        let group = Group::new(degree, perms);
        let is_whole = group.order().to_string() == self.order;
        is_whole.then(|| group::shape::name::describe(&group).to_string())
    }
}

/// The reducer of pairs for a claim; or why the algorithm cannot be used.
pub fn reducer(
    claim: &Claim<'_>,
    beside: Beside<'_>,
    algorithm: Algorithm,
) -> Result<Chosen, Unfit> {
    if algorithm == Algorithm::Check || matches!(beside, Beside::Unknown) {
        return Ok(Chosen::none());
    }
    let chart;
    let specification = match beside {
        Beside::Spec(normal) => {
            chart = normal.chart();
            Specification::Chart(&chart)
        }
        Beside::Nothing | Beside::Unknown => check::refinement::freedom(),
    };
    let certifier = Certifier::new(claim.process);
    let Allowed {
        of_families,
        twins,
        skipped,
        refused,
    } = allowed(&certifier, claim.offers, specification);
    let families = claim.offers.families();
    let skipped = skipped.into_iter().map(|number| {
        let reason = "not looked at: the network is too large";
        (families[number].name.clone(), reason.to_owned())
    });
    let refused = refused.into_iter();
    let refused = refused.map(|name| (name, "it is no symmetry of the process".to_owned()));
    let skipped = skipped.chain(refused);
    let symmetries = of_families.into_iter().map(|(_, symmetry)| symmetry);
    let symmetries: Vec<Symmetry> = symmetries.chain(twins).collect();
    if symmetries.is_empty() {
        return Ok(Chosen {
            refused: skipped.collect(),
            ..Chosen::none()
        });
    }
    let joint = certifier.certified(symmetries).against(specification);
    let start = Instant::now();
    let chosen = match algorithm {
        // The default falls back to no reduction where it does not fit.
        Algorithm::Exact => joint.choose(LIMITS).0,
        _ => joint
            .representatives(algorithm, LIMITS)
            .map_err(|reason| Unfit { algorithm, reason })?,
    };
    Ok(Chosen {
        closing: start.elapsed(),
        order: chosen.order(),
        algorithm: chosen.algorithm(),
        generators: joint.names().to_vec(),
        refused: (joint.refused().iter())
            .map(|refused| (refused.name.clone(), reasons::no_symmetry(&refused.reason)))
            .chain(skipped)
            .collect(),
        reducer: Box::new(chosen),
        why: (algorithm == Algorithm::Fitting).then(|| {
            let (fitting, reason) = joint.published();
            format!("`{}` fits: {reason}", fitting.name())
        }),
        joint: Some(joint).filter(|joint| !joint.is_trivial()),
    })
}

/// An algorithm that does not fit, and why.
pub struct Unfit {
    /// Which.
    pub algorithm: Algorithm,
    /// Why.
    pub reason: NoRepresentatives,
}

impl Unfit {
    /// In words.
    pub fn words(&self) -> String {
        let needs = match self.algorithm {
            Algorithm::SymCheck1 => {
                "leaves that are exchanged in all ways and name no others, and a specification \
                 of which no state moves"
            }
            Algorithm::SymCheck2 => {
                "a group that can be listed, and a specification of which no state moves"
            }
            Algorithm::SymCheck3
            | Algorithm::Fitting
            | Algorithm::Descent
            | Algorithm::Exact
            | Algorithm::Check => "a group that can be listed",
        };
        let (name, why) = (self.algorithm.name(), &self.reason);
        let why = reasons::no_representatives(why);
        format!("`--reduce {name}` needs {needs}: {why}")
    }
}
