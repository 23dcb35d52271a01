//! Bisimulations that look through τ and respect divergence: `wbisim` and `dbisim`.
//!
//! Two states are weakly bisimilar if each visible step of one, with τ before and after, is matched
//! so by the other, and τ by any number of τ; for delay bisimulation nothing follows the visible
//! step. States that may diverge are never put with states that may not. Both are strong
//! bisimulation of the system with the longer steps written out, which is what is computed here,
//! after circles of τ were made one state and strong bisimulation made the system small.
//!
//! ```text
//! 0: τ 1, a 2   1: a 2   2: τ 3   3: b 4   4:     weak: {0,1} {2,3} {4}   0: a 1  1: b 2  2:
//! ```
//!
//! Written out, there may be as many steps as pairs of states.

use super::tau::{closures, diverging, tau_loops, visible};
use super::{Compressed, partition, strong};
use crate::leaf::Lts;
use crate::operate::TermLabel;
use base::{Allowance, Spent};

/// One state for each class of divergence-respecting weak bisimulation.
pub fn weak(lts: &Lts, allowance: &mut Allowance<'_>) -> Result<Compressed, Spent> {
    through_tau(lts, true, allowance)
}

/// One state for each class of divergence-respecting delay bisimulation.
pub fn delay(lts: &Lts, allowance: &mut Allowance<'_>) -> Result<Compressed, Spent> {
    through_tau(lts, false, allowance)
}

fn through_tau(lts: &Lts, after: bool, allowance: &mut Allowance<'_>) -> Result<Compressed, Spent> {
    let factored = tau_loops(lts, allowance)?;
    let small = strong(&factored.lts, allowance)?.after(&factored);
    let endless = diverging(&small.lts);
    let longer = written_out(&small.lts, after, allowance)?;
    let initial = endless.iter().map(|&endless| u32::from(endless)).collect();
    let classes = partition::refine(&longer, initial, allowance)?;
    let merged = quotient(&small.lts, &classes, &endless, allowance)?;
    // A class without τ of its own has nothing else to merge with but its like.
    Ok(merged.after(&small))
}

/// Steps with τ before them, and after them if `after`; and τ for any number of τ, none included.
pub(super) fn written_out(
    lts: &Lts,
    after: bool,
    allowance: &mut Allowance<'_>,
) -> Result<Lts, Spent> {
    let closures = closures(lts, allowance)?;
    let steps = |from: &Vec<u32>| {
        let mut steps: Vec<(TermLabel, u32)> = from.iter().map(|&s| (TermLabel::Tau, s)).collect();
        for &(label, next) in from.iter().flat_map(|&s| visible(lts, s)) {
            allowance.tick()?;
            if after {
                steps.extend(closures[next as usize].iter().map(|&t| (label, t)));
            } else {
                steps.push((label, next));
            }
        }
        // Once here and once in the system.
        allowance.take(2 * size_of::<(TermLabel, u32)>() * steps.len())?;
        Ok(steps)
    };
    let states: Result<Vec<_>, Spent> = closures.iter().map(steps).collect();
    Ok(Lts::new(states?))
}

/// One state a class; τ within a class is left out, and τ to itself stands for divergence.
fn quotient(
    lts: &Lts,
    classes: &[u32],
    endless: &[bool],
    allowance: &mut Allowance<'_>,
) -> Result<Compressed, Spent> {
    let steps = |state: u32| {
        let class = classes[state as usize];
        let inside = move |step: &&(TermLabel, u32)| {
            !(step.0 == TermLabel::Tau && classes[step.1 as usize] == class)
        };
        let mut steps: Vec<(TermLabel, u32)> =
            lts.steps(state).iter().filter(inside).copied().collect();
        if endless[state as usize] {
            steps.push((TermLabel::Tau, state));
        }
        steps
    };
    let longer = Lts::new(lts.states().map(steps).collect());
    partition::quotient(&longer, classes, allowance)
}
