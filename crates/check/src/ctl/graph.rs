//! The quotient as a graph that is kept: states by number, edges forwards and backwards.
//!
//! What holds of a state in branching time depends on all that can follow it, so all of it is
//! explored first, level by level. Edges are two lists: where those of a state begin, and where
//! they lead, each target once. A state from which nothing moves leads to itself, so that every
//! state has an edge. The same backwards, made when all is seen.
//!
//! Worked example: states 0, 1, 2 with moves `0→1, 0→2, 1→0`, and 2 at rest. First edges
//! `[0, 2, 3, 4]`, targets `[1, 2, 0, 2]`.
//!
//! Cost: four bytes an edge and eight a state, in each direction, and eight for the atoms.

use crate::options::{Observer, Options};
use crate::outcome::StopReason;
use crate::store::NodeId;
use crate::temporal::levels;
use crate::temporal::space::Space;
use base::memory::{Account, Full};
use system::Fault;

/// A graph that is kept.
#[derive(Default)]
pub struct Graph {
    /// Edges forwards and backwards.
    pub next: Edges,
    /// See `next`.
    pub back: Edges,
    /// The representatives of the initial states.
    pub initial: Vec<u32>,
    /// By state: its atoms, the first in the lowest bit.
    pub letters: Vec<u64>,
    /// The moves of the longest shortest path.
    pub depth: u64,
}

/// Edges from each state.
#[derive(Default)]
pub struct Edges {
    /// Where those of each state begin, and at last where all end.
    first: Vec<usize>,
    targets: Vec<u32>,
}

impl Edges {
    /// Where the edges of a state lead.
    pub fn of(&self, node: u32) -> &[u32] {
        let from = node as usize;
        &self.targets[self.first[from]..self.first[from + 1]]
    }

    /// The same edges the other way round.
    fn turned(&self, account: &mut Account) -> Result<Edges, Full> {
        let n = self.first.len() - 1;
        let mut turned = Edges::default();
        account.reserve(&mut turned.first, n + 1)?;
        account.reserve(&mut turned.targets, self.targets.len())?;
        turned.first.resize(n + 1, 0);
        turned.targets.resize(self.targets.len(), 0);
        for target in &self.targets {
            turned.first[*target as usize + 1] += 1;
        }
        for i in 0..n {
            turned.first[i + 1] += turned.first[i];
        }
        // Each list is filled from where it begins; afterwards its end stands there.
        for node in 0..n as u32 {
            for &target in self.of(node) {
                let place = &mut turned.first[target as usize];
                turned.targets[*place] = node;
                *place += 1;
            }
        }
        turned.first.rotate_right(1);
        turned.first[0] = 0;
        Ok(turned)
    }
}

/// Why there is no graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Missing {
    /// A limit came first.
    Stopped(StopReason),
    /// Something goes wrong in a step, so that what follows it is not there.
    Step(Fault),
    /// An atom has no value in some state.
    Atom(Fault),
    /// The automaton of what is asked of runs is too large.
    Large,
}

impl From<StopReason> for Missing {
    fn from(reason: StopReason) -> Missing {
        Missing::Stopped(reason)
    }
}

impl From<Full> for Missing {
    fn from(_: Full) -> Missing {
        Missing::Stopped(StopReason::Memory)
    }
}

impl Graph {
    /// How many states it has.
    pub fn n_states(&self) -> usize {
        self.letters.len()
    }

    /// Makes it the whole quotient; if that cannot be, what was counted says how far it came.
    ///
    /// # Requires
    /// There is nothing in it.
    pub fn explore(
        &mut self,
        space: &mut Space<'_>,
        options: &Options<'_>,
        observer: &mut Observer<'_>,
    ) -> Result<(), Missing> {
        let graph = self;
        let (system, mut wrong) = (space.system, None);
        system.initial(&mut system.scratch(), &mut |initial| {
            wrong = wrong.or(initial.err());
        });
        if let Some(fault) = wrong {
            return Err(Missing::Step(fault));
        }
        for node in space.initial()? {
            let node = node.index() as u32;
            if !graph.initial.contains(&node) {
                graph.initial.push(node);
            }
        }
        space.account.push(&mut graph.next.first, 0)?;
        let (mut targets, mut atoms) = (Vec::new(), Vec::new());
        let levels = levels::each(space, options, observer, &mut |space, turn| {
            graph.expand(space, turn.number, (&mut targets, &mut atoms))
        });
        graph.depth = levels.reached;
        levels.ended?;
        graph.back = graph.next.turned(&mut space.account)?;
        Ok(())
    }

    fn expand(
        &mut self,
        space: &mut Space<'_>,
        node: NodeId,
        (targets, atoms): (&mut Vec<NodeId>, &mut Vec<bool>),
    ) -> Result<(), Missing> {
        space.atoms(node, atoms).map_err(Missing::Atom)?;
        let bits = atoms.iter().enumerate();
        let letter = bits.fold(0, |letter, (i, atom)| letter | u64::from(*atom) << i);
        space.account.push(&mut self.letters, letter)?;
        targets.clear();
        space.targets(node, targets)?;
        if let Some(fault) = space.lost {
            return Err(Missing::Step(fault));
        }
        targets.sort_unstable();
        targets.dedup();
        if targets.is_empty() {
            space.account.push(targets, node)?;
        }
        for target in targets.iter() {
            let target = target.index() as u32;
            space.account.push(&mut self.next.targets, target)?;
        }
        let end = self.next.targets.len();
        Ok(space.account.push(&mut self.next.first, end)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turning_twice_changes_nothing() {
        for seed in 0..200 {
            let rng = &mut fastrand::Rng::with_seed(seed);
            let n = rng.usize(1..12);
            let mut edges = Edges {
                first: vec![0],
                targets: Vec::new(),
            };
            for _ in 0..n {
                let all = (0..n as u32).filter(|_| rng.bool());
                edges.targets.extend(all);
                edges.first.push(edges.targets.len());
            }
            let mut account = Account::new(None);
            let turned = edges.turned(&mut account).expect("memory");
            for a in 0..n as u32 {
                for b in 0..n as u32 {
                    let (there, back) = (edges.of(a).contains(&b), turned.of(b).contains(&a));
                    assert_eq!(there, back, "seed {seed}");
                }
            }
            let again = turned.turned(&mut account).expect("memory");
            assert_eq!((again.first, again.targets), (edges.first, edges.targets));
        }
    }

    #[test]
    fn a_budget_that_is_too_small_says_so() {
        let edges = Edges {
            first: vec![0, 1],
            targets: vec![0],
        };
        assert!(edges.turned(&mut Account::new(Some(40))).is_err());
    }
}
