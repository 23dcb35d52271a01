//! `normal`: after each trace one state, by the construction of subsets.
//!
//! A node is the set of all states a trace may have led to. What may be refused there is told by
//! the least offers of its stable states: where these are all the node's events in one offer, the
//! node is one stable state; otherwise an unstable one that does all its events, with τ to a state
//! for each least offer, and τ to itself if some state of the node may diverge. The result is then
//! reduced by strong bisimulation.
//!
//! ```text
//! 0: a 1, a 2   1: b 3   2: c 3   3:
//! {0}: a {1,2}   {1,2}: b {3}, c {3}, τ to a state that does b only, τ to one that does c only
//! ```
//!
//! There may be exponentially many nodes, so there is a limit.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::tau::{closures, diverging, visible};
use super::{Compressed, strong};
use crate::leaf::Lts;
use crate::operate::TermLabel;
use base::{Allowance, Spent};

/// The normal form as a transition system; nothing if it has more than `states_max` states before
/// it is reduced.
pub fn normal(
    lts: &Lts,
    states_max: usize,
    allowance: &mut Allowance<'_>,
) -> Result<Option<Compressed>, Spent> {
    let before = strong(lts, allowance)?;
    let lts = &before.lts;
    let endless = diverging(lts);
    let closures = closures(lts, allowance)?;
    let mut made = NormalBuilder {
        states: vec![Vec::new()],
        origin: vec![0],
        nodes: HashMap::from([(closures[0].clone(), 0)]),
        left: vec![closures[0].clone()],
    };
    while let Some(node) = made.left.pop() {
        let mut after: BTreeMap<TermLabel, BTreeSet<u32>> = BTreeMap::new();
        for &(label, next) in node.iter().flat_map(|&s| visible(lts, s)) {
            allowance.tick()?;
            after
                .entry(label)
                .or_default()
                .extend(&closures[next as usize]);
        }
        let mut steps = Vec::new();
        for (label, states) in after {
            // Kept twice until its turn comes.
            allowance.take(2 * size_of::<u32>() * states.len())?;
            steps.push((label, made.node(states.into_iter().collect())));
        }
        let diverges = node.iter().any(|&s| endless[s as usize]);
        let id = made.nodes[&node];
        let offers = least_offers(lts, &node);
        let is_stable = !diverges && offers.len() == 1 && offers[0].len() == steps.len();
        if !is_stable {
            for offer in offers {
                let own = steps.iter().filter(|step| offer.contains(&step.0));
                let own = own.copied().collect();
                let state = made.state(own, node[0]);
                made.states[id as usize].push((TermLabel::Tau, state));
            }
        }
        if diverges {
            made.states[id as usize].push((TermLabel::Tau, id));
        }
        made.states[id as usize].extend(steps);
        if made.states.len() > states_max {
            return Ok(None);
        }
    }
    let wide = Compressed::reachable(&Lts::new(made.states), &made.origin).after(&before);
    Ok(Some(strong(&wide.lts, allowance)?.after(&wide)))
}

struct NormalBuilder {
    states: Vec<Vec<(TermLabel, u32)>>,
    origin: Vec<u32>,
    nodes: HashMap<Vec<u32>, u32>,
    left: Vec<Vec<u32>>,
}

impl NormalBuilder {
    fn state(&mut self, steps: Vec<(TermLabel, u32)>, origin: u32) -> u32 {
        self.states.push(steps);
        self.origin.push(origin);
        self.states.len() as u32 - 1
    }

    /// The state of a node, whose steps come when its turn does.
    fn node(&mut self, node: Vec<u32>) -> u32 {
        if let Some(&id) = self.nodes.get(&node) {
            return id;
        }
        let id = self.state(Vec::new(), node[0]);
        self.nodes.insert(node.clone(), id);
        self.left.push(node);
        id
    }
}

/// The offers of the stable states of a node that contain no other such offer.
fn least_offers(lts: &Lts, node: &[u32]) -> Vec<BTreeSet<TermLabel>> {
    let stable = node.iter().filter(|&&s| !lts.is_unstable(s));
    let offer = |&s: &u32| lts.steps(s).iter().map(|step| step.0).collect();
    let offers: BTreeSet<BTreeSet<TermLabel>> = stable.map(offer).collect();
    let least = |set: &&BTreeSet<TermLabel>| {
        let mut others = offers.iter();
        !others.any(|other| other.len() < set.len() && other.is_subset(set))
    };
    offers.iter().filter(least).cloned().collect()
}
