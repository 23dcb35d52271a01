//! The least system up to τ: one for all systems that are weakly bisimilar.
//!
//! The quotient by weak bisimulation has the same states for all of them, up to numbers, but it may
//! have steps that others make up: `a` to a state, where τ and then `a` lead there too. Without
//! these it is one system: between classes τ has no circles, so what a step is made up from is made
//! up from ever nearer steps, and in the end from steps that are kept. A kept step is a step of
//! every quotient, because a way through other classes would make it up.
//!
//! ```text
//! 0: τ 1, a 2   1: a 2, b 2   2:      a 2 of 0 is left out: 0: τ 1   1: a 2, b 2   2:
//! ```
//!
//! Written out, there may be as many steps as pairs of states.

use super::tau::closures;
use super::weak::{weak, written_out};
use super::{Compressed, partition};
use crate::leaf::Lts;
use crate::operate::TermLabel;
use base::{Allowance, Spent};

/// One state for each class of divergence-respecting weak bisimulation, and no step that others
/// make up.
///
/// # Ensures
/// Weakly bisimilar systems become the same up to numbers.
pub fn least(lts: &Lts, allowance: &mut Allowance<'_>) -> Result<Compressed, Spent> {
    let merged = weak(lts, allowance)?;
    let made_up = MadeUp {
        closures: closures(&merged.lts, allowance)?,
        longer: written_out(&merged.lts, true, allowance)?,
    };
    let mut states = Vec::new();
    for state in merged.lts.states() {
        let mut steps = Vec::new();
        for &step in merged.lts.steps(state) {
            if !made_up.contains(state, step, allowance)? {
                steps.push(step);
            }
        }
        states.push(steps);
    }
    let identity: Vec<u32> = merged.lts.states().collect();
    let made = partition::quotient(&Lts::new(states), &identity, allowance)?;
    Ok(made.after(&merged))
}

/// What τ and longer steps of a quotient lead to.
struct MadeUp {
    /// All states that τ leads to from each, itself included, sorted.
    closures: Vec<Vec<u32>>,
    /// Steps with τ before and after them.
    longer: Lts,
}

impl MadeUp {
    /// Whether a step of a state is made up of others. τ to itself, divergence, never is.
    fn contains(
        &self,
        state: u32,
        (label, next): (TermLabel, u32),
        allowance: &mut Allowance<'_>,
    ) -> Result<bool, Spent> {
        let closure = &self.closures[state as usize];
        let leads = |from: u32, to: u32| self.closures[from as usize].binary_search(&to).is_ok();
        for &between in closure.iter().filter(|&&between| between != state) {
            allowance.tick()?;
            let is_made_up = if label == TermLabel::Tau {
                next != state && between != next && leads(between, next)
            } else {
                self.longer
                    .steps(between)
                    .binary_search(&(label, next))
                    .is_ok()
            };
            if is_made_up {
                return Ok(true);
            }
        }
        if label == TermLabel::Tau {
            return Ok(false);
        }
        let steps = self.longer.steps(state);
        let first = steps.partition_point(|step| step.0 < label);
        let same = steps[first..].iter().take_while(|step| step.0 == label);
        for &(_, earlier) in same {
            allowance.tick()?;
            if earlier != next && leads(earlier, next) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
