//! A process written out: its reachable states by number, and which of them diverge.
//!
//! A state diverges if τ can go on for ever from it. Among finitely many states that means that τ
//! leads to a cycle of τ: what is left if states whose τ all lead to states taken away are taken
//! away, again and again.
//!
//! Worked example. τ from 0 to 1 and 2, from 1 to 1: state 2 has no τ and goes; 1 stays, because
//! its τ leads to 1; and 0 stays because of 1. So 0 and 1 diverge.

use crate::outcome::StopReason;
use crate::refinement::tuples::Tuples;
use crate::refinement::{Guard, Unknown};
use crate::store::Store;
use base::memory::Account;
use model::network::{Label, Process, Steps};

/// A process written out; it starts in state 0.
pub struct Explicit {
    /// Where the transitions of each state start, and where the last end.
    offsets: Vec<usize>,
    edges: Vec<(Label, u32)>,
}

impl Explicit {
    /// Writes a process out.
    pub fn of(process: &dyn Process, guard: &mut Guard<'_>) -> Result<Explicit, Unknown> {
        let max = guard.limits.spec_states_max;
        let mut account = Account::new(guard.limits.memory_bytes_max);
        let sizes = process.sizes().iter().copied();
        let mut states = Tuples::new(std::iter::once(1).chain(sizes));
        let full = |_| Unknown::Stopped(StopReason::Memory);
        let initial = process.initial();
        states.insert(0, &initial, &mut account).map_err(full)?;
        let mut state = vec![0; initial.len() + 1];
        let mut steps = Steps::new();
        let (mut offsets, mut edges) = (vec![0], Vec::new());
        let mut at = 0;
        while at < states.len() {
            guard.tick()?;
            states.tuple(at as u32, &mut state);
            process.steps(&state[1..], &mut steps);
            let start = edges.len();
            account.reserve(&mut edges, steps.len()).map_err(full)?;
            for (i, &label) in steps.labels().iter().enumerate() {
                let (target, _) = states
                    .insert(0, steps.state(i), &mut account)
                    .map_err(full)?;
                edges.push((label, target));
            }
            if states.len() as u64 > max {
                return Err(Unknown::Specification(max));
            }
            edges[start..].sort_unstable();
            offsets.push(edges.len());
            at += 1;
        }
        Ok(Explicit { offsets, edges })
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The transitions of a state, sorted; some perhaps twice.
    pub fn edges(&self, state: u32) -> &[(Label, u32)] {
        &self.edges[self.offsets[state as usize]..self.offsets[state as usize + 1]]
    }

    /// Where τ leads.
    pub fn taus(&self, state: u32) -> impl Iterator<Item = u32> {
        let edges = self.edges(state).iter();
        edges
            .take_while(|&&(label, _)| label == Label::TAU)
            .map(|&(_, target)| target)
    }

    /// By state: whether it diverges.
    pub fn divergent(&self) -> Vec<bool> {
        let n = self.len();
        let mut n_left = vec![0_usize; n];
        let mut sources: Vec<Vec<u32>> = vec![Vec::new(); n];
        for state in 0..n as u32 {
            for target in self.taus(state) {
                n_left[state as usize] += 1;
                sources[target as usize].push(state);
            }
        }
        let mut gone: Vec<u32> = (0..n as u32)
            .filter(|&state| n_left[state as usize] == 0)
            .collect();
        let mut divergent = vec![true; n];
        while let Some(state) = gone.pop() {
            divergent[state as usize] = false;
            for &source in &sources[state as usize] {
                n_left[source as usize] -= 1;
                if n_left[source as usize] == 0 {
                    gone.push(source);
                }
            }
        }
        divergent
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refinement::normal::tests::{guard, leaf};

    #[test]
    fn the_example_of_divergence() {
        let edges = [(0, "t", 1), (0, "t", 2), (1, "t", 1), (1, "a", 2)];
        let explicit = Explicit::of(&leaf(3, &edges), &mut guard()).expect("small");
        assert_eq!(explicit.len(), 3);
        assert_eq!(explicit.divergent(), [true, true, false]);
    }
}
