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
use cspm::alike::{Alike, Family, Named};
use cspm::eval::Script;
use group::{Group, Perm};
use model::network::{Label, Network};
use reduce::network::{Algorithm, Candidate, Certifier, Joint, Limits, Specification, Symmetry};
use std::collections::HashMap;

/// What elements of a group may take, where they have to be tried one by one.
pub const LIMITS: Limits = Limits {
    elements_max: 50_000,
    bytes_max: 1 << 28,
};

/// How much of networks is looked through for exchanges, in transitions and rules.
const WORK_MAX: u64 = 30_000_000;
/// How many exchanges of a family are tried before all are.
const N_PROBES: usize = 4;

/// How many images of events are looked at to say what a group is.
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
        }
    }

    /// What the group is, in words, from what it does to so many events; nothing if that would take
    /// long, or if events do not show all of it.
    pub fn structure(&self, n_events: usize) -> Option<String> {
        let mut perms = Vec::new();
        if let Some(joint) = &self.joint {
            let n_generators = joint.names().len();
            if n_generators * n_events > STRUCTURE_WORK_MAX {
                return None;
            }
            for generator in 0..n_generators {
                let image = (0..n_events as u32).map(|event| {
                    let label = joint.moved_label(generator, Label::event(event));
                    label.as_event()
                });
                perms.push(Perm::from_image(image.collect::<Option<_>>()?)?);
            }
        }
        let group = Group::new(n_events, perms);
        let is_whole = group.order().to_string() == self.order;
        is_whole.then(|| group::shape::name::describe(&group).to_string())
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
    let chart;
    let specification = match beside {
        Beside::Spec(normal) => {
            chart = normal.chart();
            Specification::Chart(&chart)
        }
        Beside::Nothing | Beside::Unknown => check::refinement::freedom(),
    };
    let certifier = Certifier::new(network);
    let (symmetries, skipped) = allowed(&certifier, &alike, specification);
    let skipped = skipped.into_iter().map(|number| {
        let reason = "not looked at: the network is too large";
        (alike.families()[number].name.clone(), reason.to_owned())
    });
    let symmetries: Vec<Symmetry> = symmetries
        .into_iter()
        .map(|(_, symmetry)| symmetry)
        .collect();
    if symmetries.is_empty() {
        return Ok(Chosen {
            refused: skipped.collect(),
            ..Chosen::none()
        });
    }
    let joint = certifier.certified(symmetries).against(specification);
    let chosen = match algorithm {
        // The default falls back to no reduction where it does not fit.
        Algorithm::Exact => joint.choose(LIMITS).0,
        _ => joint
            .representatives(algorithm, LIMITS)
            .map_err(|reason| unfit(algorithm, &reason))?,
    };
    Ok(Chosen {
        order: chosen.order(),
        algorithm: chosen.algorithm(),
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
///
/// Of the exchanges that move nothing which the network or the specification can do, no more than
/// one is there: they reduce nothing.
pub fn allowed(
    certifier: &Certifier<'_>,
    alike: &Alike<'_>,
    specification: Specification<'_>,
) -> (Vec<(usize, Symmetry)>, Vec<usize>) {
    let (mut taken, mut all, mut skipped) = (Vec::new(), Vec::new(), Vec::new());
    let offers = Offers::new(certifier, alike, specification);
    let size = certifier.size();
    let mut left = WORK_MAX;
    for (number, family) in alike.families().iter().enumerate() {
        if family.fields.iter().any(|field| taken.contains(field)) {
            continue;
        }
        let mut fitting = Vec::new();
        let cost = size.saturating_mul((family.n_exchanges() + N_PROBES) as u64);
        // If none of a few exchanges that lie apart is allowed, few others will be.
        if cost <= left && offers.has_exchange(family) {
            left -= cost;
            fitting = offers.exchanges(family);
        }
        if fitting.is_empty() {
            let turns = offers.turns(family);
            let cost_of_turns = size.saturating_mul(turns.len() as u64);
            if cost_of_turns <= left {
                left -= cost_of_turns;
                fitting = turns
                    .into_iter()
                    .filter_map(|turn| offers.symmetry(turn))
                    .collect();
            }
        }
        if fitting.is_empty() && cost > left {
            skipped.push(number);
        }
        if !fitting.is_empty() {
            taken.extend(&family.fields);
            all.extend(fitting.into_iter().map(|symmetry| (number, symmetry)));
        }
    }
    (all, skipped)
}

/// Permutations of values as a network sees them.
struct Offers<'a> {
    certifier: &'a Certifier<'a>,
    alike: &'a Alike<'a>,
    /// By event: whether the network may do it.
    alphabet: Vec<bool>,
    /// By event: whether it matters to the network or to the specification.
    used: Vec<bool>,
}

impl<'a> Offers<'a> {
    fn new(
        certifier: &'a Certifier<'a>,
        alike: &'a Alike<'a>,
        specification: Specification<'_>,
    ) -> Offers<'a> {
        let mut used = certifier.used();
        specification.mark(&mut used);
        Offers {
            alphabet: certifier.alphabet(),
            used,
            certifier,
            alike,
        }
    }

    /// Whether one of a few exchanges that lie apart is a symmetry.
    fn has_exchange(&self, family: &Family) -> bool {
        let is_event = |_: u32| true;
        let mut n_left = N_PROBES;
        for pair in self.alike.pairs_apart(family, N_PROBES) {
            // What leads events elsewhere is not one of the few.
            let Some(offered) = self.alike.exchange(family, pair, &is_event) else {
                continue;
            };
            if self.is_idle(family, pair) || self.symmetry(offered).is_some() {
                return true;
            }
            n_left -= 1;
            if n_left == 0 {
                break;
            }
        }
        false
    }

    /// All exchanges that are symmetries, but of those that move nothing only the first.
    ///
    /// Where (a b) is one, (b c) is one if and only if (a c) is: it is (a c) conjugated by (a b).
    /// So it is made of these, unless leaves could be permuted in several ways.
    fn exchanges(&self, family: &Family) -> Vec<Symmetry> {
        let is_kept = |event: u32| self.alphabet[event as usize];
        let is_rigid = self.certifier.is_rigid();
        // By pair that was asked about: which symmetry it is, if it is one.
        let mut known: HashMap<(usize, usize), Option<usize>> = HashMap::new();
        // By member: a smaller one that it may be exchanged with, and that is asked about first.
        let mut like: HashMap<usize, usize> = HashMap::new();
        let mut found: Vec<Symmetry> = Vec::new();
        let mut has_idle = false;
        for (i, j) in self.alike.pairs(family) {
            let is_idle = self.is_idle(family, (i, j));
            if is_idle && has_idle {
                continue;
            }
            let first = like.get(&i).filter(|_| is_rigid);
            let others = first.and_then(|&a| Some((known[&(a, i)]?, *known.get(&(a, j))?)));
            let symmetry = match others {
                Some((_, None)) => None,
                Some((by, Some(other))) => {
                    let name = self.alike.exchange_name(family, (i, j));
                    Some(found[other].conjugate(&found[by], name))
                }
                None => {
                    let offered = self.alike.exchange(family, (i, j), &is_kept);
                    offered.and_then(|offered| self.symmetry(offered))
                }
            };
            known.insert((i, j), symmetry.as_ref().map(|_| found.len()));
            if let Some(symmetry) = symmetry {
                has_idle |= is_idle;
                like.entry(j).or_insert(i);
                found.push(symmetry);
            }
        }
        found
    }

    /// Turns that lead what the network may do to what it may do.
    fn turns(&self, family: &Family) -> Vec<Named> {
        let is_kept = |event: u32| self.alphabet[event as usize];
        self.alike.turns(family, &is_kept)
    }

    /// Whether no event that matters holds one of two members.
    fn is_idle(&self, family: &Family, pair: (usize, usize)) -> bool {
        let is_used = |event: u32| self.used[event as usize];
        !self.alike.is_held(family, pair, &is_used)
    }

    fn symmetry(&self, (name, events): Named) -> Option<Symmetry> {
        self.certifier.symmetry(&Candidate { name, events })
    }
}
