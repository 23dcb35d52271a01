//! Which of the permutations that a model offers are symmetries of its network.

use super::certify::{Candidate, Certifier, Symmetry};
use super::chart::Specification;
use model::network::claim::{Offered, Offers};
use std::collections::HashMap;

/// How much of networks is looked through for exchanges, in transitions and rules.
const WORK_MAX: u64 = 30_000_000;
/// How many exchanges of a family are tried before all are.
const N_PROBES: usize = 4;

/// The most exchanges of components that are the same.
const TWINS_MAX: u64 = 300;

/// What a network allows.
pub struct Allowed {
    /// Permutations of values, of families whose places do not overlap, each with the number of its
    /// family: exchanges, or rotations and reflections where there is no exchange.
    ///
    /// Of the exchanges that move nothing which the network or the specification can do, no more
    /// than one is there: they reduce nothing.
    pub of_families: Vec<(usize, Symmetry)>,
    /// Exchanges of components that are the same.
    pub twins: Vec<Symmetry>,
    /// The names of those that somebody chose and that are no symmetries.
    pub refused: Vec<String>,
    /// The numbers of families that would take too long to look at.
    pub skipped: Vec<usize>,
}

/// The permutations that the network allows.
pub fn allowed(
    certifier: &Certifier<'_>,
    offers: &dyn Offers,
    specification: Specification<'_>,
) -> Allowed {
    if offers.is_chosen() {
        return chosen(certifier, offers, specification);
    }
    let (mut taken, mut all, mut skipped) = (Vec::new(), Vec::new(), Vec::new());
    let n_families = offers.families().len();
    let offers = Tried::new(certifier, offers, specification);
    let size = certifier.size();
    let mut left = WORK_MAX;
    for family in 0..n_families {
        if taken.iter().any(|other| offers.all.overlap(family, *other)) {
            continue;
        }
        let mut fitting = Vec::new();
        let cost = size.saturating_mul((offers.all.n_exchanges(family) + N_PROBES) as u64);
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
            skipped.push(family);
        }
        if !fitting.is_empty() {
            taken.push(family);
            all.extend(fitting.into_iter().map(|symmetry| (family, symmetry)));
        }
    }
    let n_twins_max = (left / size.max(1)).min(TWINS_MAX);
    Allowed {
        of_families: all,
        twins: certifier.twins(n_twins_max as usize),
        skipped,
        refused: Vec::new(),
    }
}

/// The same where somebody chose the permutations: all are looked at.
fn chosen(
    certifier: &Certifier<'_>,
    offers: &dyn Offers,
    specification: Specification<'_>,
) -> Allowed {
    let (mut of_families, mut refused) = (Vec::new(), Vec::new());
    let tried = Tried::new(certifier, offers, specification);
    for family in 0..offers.families().len() {
        for offered in offers.turns(family, &|_| true) {
            let name = offered.0.clone();
            match tried.symmetry(offered) {
                Some(symmetry) => of_families.push((family, symmetry)),
                None => refused.push(name),
            }
        }
    }
    Allowed {
        of_families,
        twins: Vec::new(),
        skipped: Vec::new(),
        refused,
    }
}

/// Permutations of values as a network sees them.
struct Tried<'a> {
    certifier: &'a Certifier<'a>,
    all: &'a dyn Offers,
    /// By event: whether the network may do it.
    alphabet: Vec<bool>,
    /// By event: whether it matters to the network or to the specification.
    used: Vec<bool>,
}

impl<'a> Tried<'a> {
    fn new(
        certifier: &'a Certifier<'a>,
        all: &'a dyn Offers,
        specification: Specification<'_>,
    ) -> Tried<'a> {
        let mut used = certifier.used();
        specification.mark(&mut used);
        Tried {
            alphabet: certifier.alphabet(),
            used,
            certifier,
            all,
        }
    }

    /// Whether one of a few exchanges that lie apart is a symmetry.
    fn has_exchange(&self, family: usize) -> bool {
        let is_event = |_: u32| true;
        let mut n_left = N_PROBES;
        for pair in self.all.pairs_apart(family, N_PROBES) {
            // What leads events elsewhere is not one of the few.
            let Some(offered) = self.all.exchange(family, pair, &is_event) else {
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
    fn exchanges(&self, family: usize) -> Vec<Symmetry> {
        let is_kept = |event: u32| self.alphabet[event as usize];
        let is_rigid = self.certifier.is_rigid();
        // By pair that was asked about: which symmetry it is, if it is one.
        let mut known: HashMap<(usize, usize), Option<usize>> = HashMap::new();
        // By member: a smaller one that it may be exchanged with, and that is asked about first.
        let mut like: HashMap<usize, usize> = HashMap::new();
        let mut found: Vec<Symmetry> = Vec::new();
        let mut has_idle = false;
        for (i, j) in self.all.pairs(family) {
            let is_idle = self.is_idle(family, (i, j));
            if is_idle && has_idle {
                continue;
            }
            let first = like.get(&i).filter(|_| is_rigid);
            let others = first.and_then(|&a| Some((known[&(a, i)]?, *known.get(&(a, j))?)));
            let symmetry = match others {
                Some((_, None)) => None,
                Some((by, Some(other))) => {
                    let name = self.all.exchange_name(family, (i, j));
                    Some(found[other].conjugate(&found[by], name))
                }
                None => {
                    let offered = self.all.exchange(family, (i, j), &is_kept);
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
    fn turns(&self, family: usize) -> Vec<Offered> {
        let is_kept = |event: u32| self.alphabet[event as usize];
        self.all.turns(family, &is_kept)
    }

    /// Whether no event that matters holds one of two members.
    fn is_idle(&self, family: usize, pair: (usize, usize)) -> bool {
        let is_used = |event: u32| self.used[event as usize];
        !self.all.is_held(family, pair, &is_used)
    }

    fn symmetry(&self, (name, events): Offered) -> Option<Symmetry> {
        self.certifier.symmetry(&Candidate { name, events })
    }
}
