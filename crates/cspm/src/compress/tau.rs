//! Circles of τ, and what can follow them for ever.
//!
//! States on one circle of τ can reach each other unseen, so they are one state that may diverge:
//! `tau_loop_factor`. Circles are the strongly connected parts of the τ steps (Tarjan 1972, with
//! the path kept in a list).
//!
//! ```text
//! 0: τ 1   1: τ 0, a 2   2: τ 3   3:      {0,1} is one:   0: τ 0, a 1   1: τ 2   2:
//! ```

use super::{Compressed, partition};
use crate::leaf::Lts;
use crate::operate::TermLabel;
use base::{Allowance, Spent};

/// One state for each circle of τ.
pub(crate) fn tau_loops(lts: &Lts, allowance: &mut Allowance<'_>) -> Result<Compressed, Spent> {
    let (parts, _) = circles(lts);
    let made = partition::quotient(lts, &parts, allowance)?;
    // A part of one state without a step to itself got none; others got one from their circle.
    debug_assert_eq!(diverging(lts)[0], diverging(&made.lts)[0]);
    Ok(made)
}

/// Which states may diverge: those from which τ leads to a circle of τ.
pub fn diverging(lts: &Lts) -> Vec<bool> {
    let (parts, order) = circles(lts);
    let mut endless = vec![false; lts.n_states()];
    let mut of_part = vec![false; order.len()];
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); order.len()];
    for state in lts.states() {
        members[parts[state as usize] as usize].push(state);
    }
    // Parts are numbered from the last to the first: what τ leads to has a lower number.
    for (part, members) in members.iter().enumerate() {
        let on = |&s: &u32| {
            let mut taus = lts.taus(s);
            taus.any(|t| parts[t as usize] as usize == part || of_part[parts[t as usize] as usize])
        };
        of_part[part] = members.iter().any(on);
    }
    for state in lts.states() {
        endless[state as usize] = of_part[parts[state as usize] as usize];
    }
    endless
}

/// All states that τ leads to from each, itself included, sorted.
///
/// There may be as many of them as pairs of states; they count towards `allowance` until its end.
pub(super) fn closures(lts: &Lts, allowance: &mut Allowance<'_>) -> Result<Vec<Vec<u32>>, Spent> {
    let mut seen = vec![u32::MAX; lts.n_states()];
    let closure = |start: u32| {
        let mut found = vec![start];
        seen[start as usize] = start;
        let mut at = 0;
        while let Some(&state) = found.get(at) {
            allowance.tick()?;
            at += 1;
            for next in lts.taus(state) {
                if std::mem::replace(&mut seen[next as usize], start) != start {
                    found.push(next);
                }
            }
        }
        found.sort_unstable();
        found.shrink_to_fit();
        allowance.take(size_of::<Vec<u32>>() + size_of::<u32>() * found.len())?;
        Ok(found)
    };
    lts.states().map(closure).collect()
}

/// The visible steps and ✓ of a state.
pub(super) fn visible(lts: &Lts, state: u32) -> &[(TermLabel, u32)] {
    let steps = lts.steps(state);
    &steps[steps.partition_point(|step| step.0 == TermLabel::Tau)..]
}

/// The strongly connected part of each state under τ, and a state of each part. A part that τ leads
/// to from another has the lower number.
fn circles(lts: &Lts) -> (Vec<u32>, Vec<u32>) {
    const NONE: u32 = u32::MAX;
    let n = lts.n_states();
    let (mut index, mut low, mut part) = (vec![NONE; n], vec![NONE; n], vec![NONE; n]);
    let mut stack: Vec<u32> = Vec::new();
    let mut heads: Vec<u32> = Vec::new();
    let mut n_seen = 0;
    for start in lts.states() {
        if index[start as usize] != NONE {
            continue;
        }
        let mut path: Vec<(u32, usize)> = vec![(start, 0)];
        while let Some((state, at)) = path.last_mut() {
            let s = *state as usize;
            if index[s] == NONE {
                index[s] = n_seen;
                low[s] = n_seen;
                n_seen += 1;
                stack.push(*state);
            }
            if let Some(next) = lts
                .steps(*state)
                .get(*at)
                .filter(|step| step.0 == TermLabel::Tau)
            {
                *at += 1;
                let t = next.1 as usize;
                if index[t] == NONE {
                    path.push((next.1, 0));
                } else if part[t] == NONE {
                    low[s] = low[s].min(index[t]);
                }
                continue;
            }
            if low[s] == index[s] {
                let number = heads.len() as u32;
                heads.push(*state);
                while let Some(member) = stack.pop() {
                    part[member as usize] = number;
                    if member as usize == s {
                        break;
                    }
                }
            }
            path.pop();
            if let Some((parent, _)) = path.last() {
                low[*parent as usize] = low[*parent as usize].min(low[s]);
            }
        }
    }
    (part, heads)
}
