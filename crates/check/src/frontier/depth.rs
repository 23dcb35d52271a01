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

use super::{Frontier, Next, Successor};
use crate::store::{Code, NodeId};
use base::memory::{Account, Full};
use system::Fault;

/// The path of a search by depth, and the moves that it keeps aside.
#[derive(Default)]
pub struct Stack {
    frames: Vec<Frame>,
    kept: Vec<Kept>,
    faults: Vec<Fault>,
    /// The moves of the expansion under way, in the order in which they come.
    coming: Vec<Kept>,
    coming_faults: Vec<Fault>,
}

/// A state on the path.
struct Frame {
    node: NodeId,
    /// How many steps lead to it on this path.
    depth: u64,
    /// How many moves were kept before those of this state.
    n_below: usize,
}

/// A move that was kept aside.
#[derive(Clone, Copy)]
struct Kept {
    code: Code,
    n_steps: u32,
    /// Twice the number of its faults, and one if it leads to a state.
    flags: u32,
}

impl Kept {
    fn target(&self) -> Option<Code> {
        (self.flags & 1 == 1).then_some(self.code)
    }

    fn n_faults(&self) -> usize {
        (self.flags >> 1) as usize
    }
}

impl Frontier for Stack {
    const IS_LAZY: bool = true;

    fn put(&mut self, successor: &Successor<'_>, account: &mut Account) -> Result<(), Full> {
        let fits = "a move has fewer than 2^31 steps and faults";
        let n_faults = u32::try_from(successor.faults.len()).expect(fits);
        assert!(n_faults < 1 << 31, "{fits}");
        let kept = Kept {
            code: successor.code.unwrap_or(Code(0)),
            n_steps: u32::try_from(successor.n_steps).expect(fits),
            flags: n_faults << 1 | u32::from(successor.code.is_some()),
        };
        for &(_, fault) in successor.faults {
            account.push(&mut self.coming_faults, fault)?;
        }
        account.push(&mut self.coming, kept)
    }

    /// Puts the moves that came since on the stack, the first on top.
    fn expanded(&mut self, account: &mut Account) -> Result<(), Full> {
        account.reserve(&mut self.faults, self.coming_faults.len())?;
        account.reserve(&mut self.kept, self.coming.len())?;
        let mut end = self.coming_faults.len();
        for kept in self.coming.drain(..).rev() {
            let faults = &self.coming_faults[end - kept.n_faults()..end];
            self.faults.extend_from_slice(faults);
            end -= faults.len();
            self.kept.push(kept);
        }
        self.coming_faults.clear();
        Ok(())
    }

    fn next(&mut self, _: usize, faults: &mut Vec<Fault>) -> Option<Next> {
        // The path ends where the next move starts.
        while let Some(frame) = self.frames.last() {
            if self.kept.len() > frame.n_below {
                break;
            }
            self.frames.pop();
        }
        let kept = self.kept.pop()?;
        let start = self.faults.len() - kept.n_faults();
        faults.clear();
        faults.extend(self.faults.drain(start..));
        Some(Next::Move {
            code: kept.target(),
            depth: self.depth_after(kept.n_steps as usize),
        })
    }

    /// Puts a state on the path.
    fn enter(&mut self, node: NodeId, depth: u64, account: &mut Account) -> Result<(), Full> {
        let n_below = self.kept.len();
        let frame = Frame {
            node,
            depth,
            n_below,
        };
        account.push(&mut self.frames, frame)
    }

    fn depth(&self) -> u64 {
        self.frames.last().map_or(0, |frame| frame.depth)
    }

    fn depth_after(&self, n_steps: usize) -> u64 {
        self.depth() + n_steps as u64
    }

    fn path(&self) -> Vec<NodeId> {
        self.frames.iter().map(|frame| frame.node).collect()
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

    #[test]
    fn the_worked_example() {
        let (mut stack, mut account) = (Stack::default(), Account::new(None));
        let mut expand = |stack: &mut Stack, node, depth, targets: &[u64]| {
            stack.enter(NodeId::new(node), depth, &mut account).unwrap();
            for &target in targets {
                let successor = Successor {
                    node: None,
                    code: Some(Code(target)),
                    n_steps: 1,
                    faults: &[],
                };
                stack.put(&successor, &mut account).unwrap();
            }
            stack.expanded(&mut account).unwrap();
        };
        let next = |stack: &mut Stack| match stack.next(0, &mut Vec::new())? {
            Next::Move { code, depth } => Some((code?.0, depth, stack.n_waiting(0))),
            Next::Stored(_) => None,
        };
        let [b, c] = [1, 2];
        expand(&mut stack, 0, 0, &[b, c]);
        assert_eq!(next(&mut stack), Some((b, 1, 1)));
        expand(&mut stack, 1, 1, &[c]);
        assert_eq!(next(&mut stack), Some((c, 2, 2)));
        expand(&mut stack, 2, 2, &[]);
        assert_eq!(stack.path(), [0, 1, 2].map(NodeId::new));
        assert_eq!(next(&mut stack), Some((c, 1, 1)), "the other move to it");
        assert_eq!(next(&mut stack), None);
    }
}
