//! By depth: the successors of a state before its siblings.
//!
//! The moves of a state are kept aside when it is expanded and followed one by one; a move is
//! looked at only after all that its predecessor led to has been seen, as in SPIN's verifiers, so
//! counts of depth agree with theirs. The moves kept aside stand on one stack, the next one on top;
//! below the frame of each state on the path are those of the states before it. A move into a state
//! that is known already need not be kept.
//!
//! Cost: 24 bytes for each state on the path, and 16 for each move that is kept aside, at most
//! `b - 1` for a state with `b` moves.

use super::kept::Kept;
use super::{Entered, Frontier, Next, Successor, Visit};
use crate::store::Code;
use base::memory::{Account, Full};
use system::Fault;

/// The path of a search by depth, and the moves that it keeps aside.
#[derive(Default)]
pub struct Stack<K: Kept> {
    frames: Vec<Frame<K::Way>>,
    kept: Vec<Aside<K>>,
    faults: Vec<Fault>,
    /// The moves of the expansion under way, in the order in which they come.
    coming: Vec<Aside<K>>,
    coming_faults: Vec<Fault>,
}

/// A state on the path.
struct Frame<W> {
    /// With how many steps lead to it on this path.
    entered: Entered<W>,
    /// How many moves were kept before those of this state.
    n_below: usize,
}

/// A move that was kept aside.
struct Aside<K> {
    code: Code,
    n_steps: u32,
    /// Twice the number of its faults, and one if it leads to a state.
    flags: u32,
    kept: K,
}

impl<K> Aside<K> {
    fn target(&self) -> Option<Code> {
        (self.flags & 1 == 1).then_some(self.code)
    }

    fn n_faults(&self) -> usize {
        (self.flags >> 1) as usize
    }
}

impl<K: Kept> Frontier for Stack<K> {
    type Kept = K;

    const IS_LAZY: bool = true;

    fn put(&mut self, successor: Successor<'_, K>, account: &mut Account) -> Result<(), Full> {
        let fits = "a move has fewer than 2^31 steps and faults";
        let n_faults = u32::try_from(successor.faults.len()).expect(fits);
        assert!(n_faults < 1 << 31, "{fits}");
        let aside = Aside {
            code: successor.code.unwrap_or(Code(0)),
            n_steps: u32::try_from(successor.n_steps).expect(fits),
            flags: n_faults << 1 | u32::from(successor.code.is_some()),
            kept: successor.kept,
        };
        for &(_, fault) in successor.faults {
            account.push(&mut self.coming_faults, fault)?;
        }
        account.push(&mut self.coming, aside)
    }

    /// Puts the moves that came since on the stack, the first on top.
    fn expanded(&mut self, account: &mut Account) -> Result<(), Full> {
        account.reserve(&mut self.faults, self.coming_faults.len())?;
        account.reserve(&mut self.kept, self.coming.len())?;
        let mut end = self.coming_faults.len();
        for aside in self.coming.drain(..).rev() {
            let faults = &self.coming_faults[end - aside.n_faults()..end];
            self.faults.extend_from_slice(faults);
            end -= faults.len();
            self.kept.push(aside);
        }
        self.coming_faults.clear();
        Ok(())
    }

    fn next(&mut self, _: usize, faults: &mut Vec<Fault>) -> Option<Next<K>> {
        // The path ends where the next move starts.
        while let Some(frame) = self.frames.last() {
            if self.kept.len() > frame.n_below {
                break;
            }
            self.frames.pop();
        }
        let aside = self.kept.pop()?;
        let start = self.faults.len() - aside.n_faults();
        faults.clear();
        faults.extend(self.faults.drain(start..));
        Some(Next::Move {
            code: aside.target(),
            depth: self.depth_after(aside.n_steps as usize),
            kept: aside.kept,
        })
    }

    /// Puts a state on the path.
    fn enter(&mut self, entered: Entered<K::Way>, account: &mut Account) -> Result<(), Full> {
        let n_below = self.kept.len();
        account.push(&mut self.frames, Frame { entered, n_below })
    }

    fn depth(&self) -> u64 {
        self.frames.last().map_or(0, |frame| frame.entered.depth)
    }

    fn depth_after(&self, n_steps: usize) -> u64 {
        self.depth() + n_steps as u64
    }

    fn path(&self) -> Vec<Visit<K::Way>> {
        let entered = self.frames.iter().map(|frame| frame.entered);
        let visits = entered.map(|Entered { node, way, .. }| Visit { node, way });
        visits.collect()
    }

    fn n_waiting(&self, _: usize) -> usize {
        self.frames.len()
    }

    /// The stack goes as it comes.
    fn kept_bytes(&self) -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontier::kept::Number;
    use crate::store::NodeId;

    #[test]
    fn the_worked_example() {
        let (mut stack, mut account) = (Stack::<Number>::default(), Account::new(None));
        let mut expand = |stack: &mut Stack<Number>, node, depth, targets: &[u64]| {
            let entered = Entered {
                node: NodeId::new(node),
                depth,
                way: (),
            };
            stack.enter(entered, &mut account).unwrap();
            for &target in targets {
                let successor = Successor {
                    node: None,
                    code: Some(Code(target)),
                    n_steps: 1,
                    faults: &[],
                    kept: Number,
                };
                stack.put(successor, &mut account).unwrap();
            }
            stack.expanded(&mut account).unwrap();
        };
        let next = |stack: &mut Stack<Number>| match stack.next(0, &mut Vec::new())? {
            Next::Move { code, depth, .. } => Some((code?.0, depth, stack.n_waiting(0))),
            Next::Stored { .. } => None,
        };
        let [b, c] = [1, 2];
        expand(&mut stack, 0, 0, &[b, c]);
        assert_eq!(next(&mut stack), Some((b, 1, 1)));
        expand(&mut stack, 1, 1, &[c]);
        assert_eq!(next(&mut stack), Some((c, 2, 2)));
        expand(&mut stack, 2, 2, &[]);
        let path = stack.path().into_iter().map(|visit| visit.node.index());
        assert_eq!(path.collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(next(&mut stack), Some((c, 1, 1)), "the other move to it");
        assert_eq!(next(&mut stack), None);
    }

    #[test]
    fn a_move_and_a_state_take_the_bytes_that_are_said() {
        assert_eq!(
            (size_of::<Frame<()>>(), size_of::<Aside<Number>>()),
            (24, 16)
        );
    }
}
