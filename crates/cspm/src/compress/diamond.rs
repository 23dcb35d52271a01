//! `diamond`: visible steps are drawn up through τ, and few τ are left.
//!
//! After circles of τ were made one state, an unstable state gets all visible steps that it can
//! reach by τ; its τ lead only to stable states, and of these only to those whose offers are least:
//! one that offers more refuses no more. A state that has then one τ, the same visible steps as
//! where it leads, and no divergence, is that state. (Roscoe and others, *Hierarchical compression
//! for model-checking CSP*, 1995, where τ are taken away in the same way.)
//!
//! ```text
//! 0: τ 1, τ 2   1: a 3   2: a 3, b 4   3:   4:
//! 0 gets a 3, b 4 and τ to 1 alone:    0: τ 1, a 2, b 3   1: a 2   2:   3:
//! ```

use std::collections::BTreeMap;

use super::tau::{closures, diverging, tau_loops, visible};
use super::{Compressed, strong};
use crate::leaf::Lts;
use crate::operate::TermLabel;
use base::{Allowance, Spent};

/// The system with τ drawn together, reduced by strong bisimulation.
pub(crate) fn diamond(lts: &Lts, allowance: &mut Allowance<'_>) -> Result<Compressed, Spent> {
    let factored = tau_loops(lts, allowance)?;
    let lts = &factored.lts;
    let endless = diverging(lts);
    let closures = closures(lts, allowance)?;
    let mut same: Vec<u32> = lts.states().collect();
    let mut states: Vec<Vec<(TermLabel, u32)>> = Vec::new();
    for state in lts.states() {
        let closure = &closures[state as usize];
        let mut steps: Vec<(TermLabel, u32)> = Vec::new();
        for &s in closure {
            allowance.tick()?;
            steps.extend_from_slice(visible(lts, s));
        }
        steps.sort_unstable();
        steps.dedup();
        let diverges = endless[state as usize];
        let stable = least_offers(lts, closure);
        if let [only] = stable[..]
            && !diverges
            && visible(lts, only) == &steps[..]
        {
            same[state as usize] = only;
        }
        if lts.is_unstable(state) {
            steps.extend(stable.iter().map(|&s| (TermLabel::Tau, s)));
        }
        if diverges {
            steps.push((TermLabel::Tau, state));
        }
        // Once here and once in the system.
        allowance.take(2 * size_of::<(TermLabel, u32)>() * steps.len())?;
        states.push(steps);
    }
    for step in states.iter_mut().flatten() {
        step.1 = same[step.1 as usize];
    }
    // A first state that is another is what that one is.
    let first = states[same[0] as usize].clone();
    states[0] = first;
    let origin: Vec<u32> = lts.states().collect();
    let drawn = Compressed::reachable(&Lts::new(states), &origin).after(&factored);
    Ok(strong(&drawn.lts, allowance)?.after(&drawn))
}

/// The stable states among some, of equal offers and equal steps one, with the least offers.
fn least_offers(lts: &Lts, among: &[u32]) -> Vec<u32> {
    let mut offers: BTreeMap<Vec<TermLabel>, Vec<u32>> = BTreeMap::new();
    for &s in among.iter().filter(|&&s| !lts.is_unstable(s)) {
        let mut labels: Vec<TermLabel> = lts.steps(s).iter().map(|step| step.0).collect();
        labels.dedup();
        offers.entry(labels).or_default().push(s);
    }
    let sets: Vec<&Vec<TermLabel>> = offers.keys().collect();
    let smaller = |a: &[TermLabel], b: &[TermLabel]| {
        a.len() < b.len() && a.iter().all(|label| b.binary_search(label).is_ok())
    };
    let least = |set: &&Vec<TermLabel>| !sets.iter().any(|other| smaller(other, set));
    // The steps of all of them are drawn up, so one of those with the same offers will do.
    sets.iter()
        .filter(|set| least(set))
        .map(|set| offers[*set][0])
        .collect()
}
