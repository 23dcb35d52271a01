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
use crate::operate::Label;

/// One state for each class of divergence-respecting weak bisimulation.
pub fn weak(lts: &Lts) -> Compressed {
    through_tau(lts, true)
}

/// One state for each class of divergence-respecting delay bisimulation.
pub fn delay(lts: &Lts) -> Compressed {
    through_tau(lts, false)
}

fn through_tau(lts: &Lts, after: bool) -> Compressed {
    let factored = tau_loops(lts);
    let small = strong(&factored.lts).after(&factored);
    let endless = diverging(&small.lts);
    let longer = written_out(&small.lts, after);
    let initial = endless.iter().map(|&endless| u32::from(endless)).collect();
    let classes = partition::refine(&longer, initial);
    let merged = quotient(&small.lts, &classes, &endless);
    // A class without τ of its own has nothing else to merge with but its like.
    merged.after(&small)
}

/// Steps with τ before them, and after them if `after`; and τ for any number of τ, none included.
fn written_out(lts: &Lts, after: bool) -> Lts {
    let closures = closures(lts);
    let steps = |from: &Vec<u32>| {
        let mut steps: Vec<(Label, u32)> = from.iter().map(|&s| (Label::Tau, s)).collect();
        for &(label, next) in from.iter().flat_map(|&s| visible(lts, s)) {
            match after {
                true => steps.extend(closures[next as usize].iter().map(|&t| (label, t))),
                false => steps.push((label, next)),
            }
        }
        steps
    };
    Lts::new(closures.iter().map(steps).collect())
}

/// One state a class; τ within a class is left out, and τ to itself stands for divergence.
fn quotient(lts: &Lts, classes: &[u32], endless: &[bool]) -> Compressed {
    let steps = |state: u32| {
        let class = classes[state as usize];
        let inside = move |step: &&(Label, u32)| {
            !(step.0 == Label::Tau && classes[step.1 as usize] == class)
        };
        let mut steps: Vec<(Label, u32)> =
            lts.steps(state).iter().filter(inside).copied().collect();
        if endless[state as usize] {
            steps.push((Label::Tau, state));
        }
        steps
    };
    partition::quotient(&Lts::new(lts.states().map(steps).collect()), classes)
}
