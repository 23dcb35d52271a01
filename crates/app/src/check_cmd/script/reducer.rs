//! Who stands for pairs of states that are alike: the one place where that is decided for scripts.
//!
//! The script says which values might be exchanged; each exchange is certified on the network, and
//! those that the specification shares are used, all of them together: one pair of a specification
//! state and a process state is kept of each orbit. What is refused costs states, never a verdict.
//!
//! Which algorithm chooses representatives may be asked for by name (`--reduce`). One that does not
//! fit, because the specification has states that move, or because there are too many elements to
//! list, is not used, and nothing is used in its place: whoever asks for it wants to know.

use check::refinement::normal::Normal;
use check::refinement::twist::{PairReducer, Untwisted};
use cspm::alike::{Alike, Named};
use cspm::eval::Script;
use reduce::network::{Algorithm, Candidate, Joint, Limits, Specification, certify};
use system::network::Network;

/// What elements of a group may take, where they have to be tried one by one.
pub const LIMITS: Limits = Limits {
    elements_max: 50_000,
    bytes_max: 1 << 28,
};

/// How much of networks is looked through for exchanges, in transitions and rules.
const WORK_MAX: u64 = 30_000_000;
/// How many exchanges of a family are tried before all are.
const N_PROBES: usize = 4;

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
    /// How representatives are chosen, in a word.
    pub strategy: &'static str,
    /// The exchanges that generate the group.
    pub generators: Vec<String>,
    /// Exchanges that were offered and are none, with reasons.
    pub refused: Vec<(String, String)>,
    /// The symmetries themselves, if there are some.
    pub joint: Option<Joint>,
}

impl Chosen {
    /// Every pair stands for itself.
    pub fn none() -> Chosen {
        Chosen {
            reducer: Box::new(Untwisted),
            order: "1".to_owned(),
            strategy: Algorithm::Check.name(),
            generators: Vec::new(),
            refused: Vec::new(),
            joint: None,
        }
    }
}

/// Who stands for pairs of a state of what `network` is compared with and a state of it; or why
/// the algorithm does not fit.
pub fn reducer(
    script: &Script,
    network: &Network,
    beside: Beside<'_>,
    algorithm: Algorithm,
) -> Result<Chosen, String> {
    if algorithm == Algorithm::Check || matches!(beside, Beside::Unknown) {
        return Ok(Chosen::none());
    }
    let alike = Alike::new(script, network.names().len());
    let (candidates, skipped) = allowed(network, &alike);
    let skipped = skipped.into_iter().map(|number| {
        let reason = "not looked at: the network is too large";
        (alike.families()[number].name.clone(), reason.to_owned())
    });
    let candidates = candidates.into_iter().map(|(_, candidate)| candidate);
    let candidates: Vec<Candidate> = candidates.collect();
    if candidates.is_empty() {
        return Ok(Chosen {
            refused: skipped.collect(),
            ..Chosen::none()
        });
    }
    let certified = certify(network, &candidates);
    let chart;
    let joint = certified.against(match beside {
        Beside::Spec(normal) => {
            chart = normal.chart();
            Specification::Chart(&chart)
        }
        Beside::Nothing | Beside::Unknown => check::refinement::freedom(),
    });
    let chosen = match algorithm {
        // The default falls back to no reduction where it does not fit.
        Algorithm::Exact => joint.choose(LIMITS).0,
        _ => joint
            .representatives(algorithm, LIMITS)
            .map_err(|reason| unfit(algorithm, &reason))?,
    };
    Ok(Chosen {
        order: chosen.order(),
        strategy: chosen.algorithm().name(),
        generators: joint.names().to_vec(),
        refused: (joint.refused().iter())
            .map(|refused| (refused.name.clone(), refused.reason.clone()))
            .chain(skipped)
            .collect(),
        reducer: Box::new(chosen),
        joint: Some(joint).filter(|joint| !joint.is_trivial()),
    })
}

/// What is said of an algorithm that does not fit.
fn unfit(algorithm: Algorithm, reason: &str) -> String {
    let needs = match algorithm {
        Algorithm::SymCheck1 => {
            "leaves that are exchanged in all ways and name no others, and a specification of \
             which no state moves"
        }
        Algorithm::SymCheck2 => {
            "a group that can be listed, and a specification of which no state moves"
        }
        Algorithm::SymCheck3 | Algorithm::Exact | Algorithm::Check => "a group that can be listed",
    };
    let name = algorithm.name();
    format!("`--reduce {name}` needs {needs}: {reason}")
}

/// The permutations that the network allows, of families whose fields do not overlap, each with
/// the number of its family: exchanges, or turns where there is no exchange. And the numbers of
/// families that would take too long to look at.
pub fn allowed(network: &Network, alike: &Alike<'_>) -> (Vec<(usize, Candidate)>, Vec<usize>) {
    let (mut taken, mut all, mut skipped) = (Vec::new(), Vec::new(), Vec::new());
    let states = |leaf: &system::network::Leaf| 0..leaf.n_states();
    let edges = network.leaves().iter();
    let edges = edges.flat_map(|leaf| states(leaf).map(|state| leaf.edges(state).len() as u64));
    let rules = network.rules().map_or(0, |rules| rules.len() as u64);
    let size = edges.sum::<u64>() + rules + network.names().len() as u64;
    let mut left = WORK_MAX;
    for (number, family) in alike.families().iter().enumerate() {
        if family.fields.iter().any(|field| taken.contains(field)) {
            continue;
        }
        let mut fitting = Vec::new();
        let cost = size.saturating_mul((family.n_exchanges() + N_PROBES) as u64);
        // If none of a few exchanges that lie apart is allowed, few others will be.
        if cost <= left && !certified(network, alike.probes(family, N_PROBES)).is_empty() {
            left -= cost;
            fitting = certified(network, alike.exchanges(family));
        }
        if fitting.is_empty() {
            let turns = alike.turns(family);
            let cost_of_turns = size.saturating_mul(turns.len() as u64);
            if cost_of_turns <= left {
                left -= cost_of_turns;
                fitting = certified(network, turns);
            }
        }
        if fitting.is_empty() && cost > left {
            skipped.push(number);
        }
        if !fitting.is_empty() {
            taken.extend(&family.fields);
            all.extend(fitting.into_iter().map(|candidate| (number, candidate)));
        }
    }
    (all, skipped)
}

/// Those of some permutations that the network allows.
fn certified(network: &Network, offered: Vec<Named>) -> Vec<Candidate> {
    let offered = offered.into_iter();
    let mut offered: Vec<Candidate> = offered
        .map(|(name, events)| Candidate { name, events })
        .collect();
    if offered.is_empty() {
        return offered;
    }
    let certified = certify(network, &offered);
    let names: Vec<&str> = certified.symmetries().iter().map(|s| s.name()).collect();
    offered.retain(|candidate| names.contains(&&*candidate.name));
    offered
}
