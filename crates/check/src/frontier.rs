//! Which state comes next: by breadth or by depth; [`crate::mixed`] is between them.
//!
//! **By breadth.** States are expanded in the order of their numbers, so the frontier is two
//! numbers, and a level is a range of numbers.
//!
//! **By depth.** The moves of a state are kept aside when it is expanded and followed one by one;
//! a move is looked at only after all that its predecessor led to has been seen, as in SPIN's
//! verifiers, so counts of depth agree with theirs. The moves kept aside stand on one stack, the
//! next one on top; below the frame of each state on the path are those of the states before it.
//! A move into a state that is known already need not be kept.
//!
//! Worked example. State `a` has moves to `b` and `c`, and `b` has one to `c`. By breadth: `a`,
//! `b`, `c` with depth 1. By depth: expand `a`, keep `c` and above it `b`; take `b`, expand it,
//! keep `c` above the other `c`; take it, depth 2; it has no moves; take the other `c`: known.
//!
//! Cost by depth: 24 bytes for each state on the path, and 16 for each move that is kept aside, at
//! most `b - 1` for a state with `b` moves.

use crate::mixed::Mixed;
use crate::parents::Parents;
use crate::store::{Code, NodeId};
use base::memory::{Account, Full};
use system::Fault;

/// Which state comes next.
pub enum Frontier {
    /// By breadth.
    Breadth(Breadth),
    /// By depth.
    Depth(Box<Stack>),
    /// Between them.
    Mixed(Box<Mixed>),
}

/// The frontier of a search by breadth.
#[derive(Default)]
pub struct Breadth {
    /// Who was reached from whom.
    pub parents: Parents,
    /// The state to be expanded next.
    next: usize,
    /// The first state of the next level, so far as it is known.
    level_end: usize,
    /// The level of the state expanded last.
    pub level: u64,
}

impl Breadth {
    /// The state to be expanded next, of `n` stored.
    pub fn next(&mut self, n: usize) -> Option<NodeId> {
        if self.next == n {
            return None;
        }
        if self.next == self.level_end {
            // The first level starts with nothing before it.
            self.level += u64::from(self.level_end > 0);
            self.level_end = n;
        }
        self.next += 1;
        Some(NodeId::new(self.next - 1))
    }

    /// How many states are not expanded, of `n` stored.
    pub fn n_waiting(&self, n: usize) -> usize {
        n - self.next
    }
}

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
pub struct Kept {
    code: Code,
    /// How many steps it has.
    pub n_steps: u32,
    /// Twice the number of its faults, and one if it leads to a state.
    flags: u32,
}

impl Kept {
    /// The state that it leads to.
    pub fn target(&self) -> Option<Code> {
        (self.flags & 1 == 1).then_some(self.code)
    }

    fn n_faults(&self) -> usize {
        (self.flags >> 1) as usize
    }
}

impl Stack {
    /// Keeps a move of the state being expanded.
    pub fn keep(
        &mut self,
        n_steps: usize,
        faults: &[(usize, Fault)],
        target: Option<Code>,
        account: &mut Account,
    ) -> Result<(), Full> {
        let fits = "a move has fewer than 2^31 steps and faults";
        let n_faults = u32::try_from(faults.len()).expect(fits);
        assert!(n_faults < 1 << 31, "{fits}");
        let kept = Kept {
            code: target.unwrap_or(Code(0)),
            n_steps: u32::try_from(n_steps).expect(fits),
            flags: n_faults << 1 | u32::from(target.is_some()),
        };
        for &(_, fault) in faults {
            account.push(&mut self.coming_faults, fault)?;
        }
        account.push(&mut self.coming, kept)
    }

    /// Puts a state on the path.
    pub fn enter(&mut self, node: NodeId, depth: u64, account: &mut Account) -> Result<(), Full> {
        let n_below = self.kept.len();
        let frame = Frame {
            node,
            depth,
            n_below,
        };
        account.push(&mut self.frames, frame)
    }

    /// Puts the moves that came since on the stack, the first on top.
    pub fn settle(&mut self, account: &mut Account) -> Result<(), Full> {
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

    /// The next move, its faults put into the buffer. The path ends where it starts.
    pub fn next(&mut self, faults: &mut Vec<Fault>) -> Option<Kept> {
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
        Some(kept)
    }

    /// How many steps the path has.
    pub fn depth(&self) -> u64 {
        self.frames.last().map_or(0, |frame| frame.depth)
    }

    /// How many states the path has.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// The states of the path.
    pub fn path(&self) -> Vec<NodeId> {
        self.frames.iter().map(|frame| frame.node).collect()
    }
}

impl Frontier {
    /// What parents, or the stack with its moves, take for each state for good.
    pub fn kept_bytes(&self) -> u64 {
        match self {
            Frontier::Breadth(breadth) => breadth.parents.bytes(),
            Frontier::Depth(_) => 0,
            Frontier::Mixed(mixed) => mixed.bytes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worked_example_by_breadth() {
        let mut breadth = Breadth::default();
        let next =
            |breadth: &mut Breadth, n| (breadth.next(n), breadth.level, breadth.n_waiting(n));
        // State 0 leads to 1 and 2, state 1 to 2.
        assert_eq!(next(&mut breadth, 1), (Some(NodeId::new(0)), 0, 0));
        assert_eq!(next(&mut breadth, 3), (Some(NodeId::new(1)), 1, 1));
        assert_eq!(next(&mut breadth, 3), (Some(NodeId::new(2)), 1, 0));
        assert_eq!(next(&mut breadth, 3), (None, 1, 0));
    }

    #[test]
    fn the_worked_example_by_depth() {
        let (mut stack, mut account) = (Stack::default(), Account::new(None));
        let mut faults = Vec::new();
        let mut expand = |stack: &mut Stack, node, depth, targets: &[u64]| {
            stack.enter(NodeId::new(node), depth, &mut account).unwrap();
            for &target in targets {
                stack
                    .keep(1, &[], Some(Code(target)), &mut account)
                    .unwrap();
            }
            stack.settle(&mut account).unwrap();
        };
        let mut next = |stack: &mut Stack| {
            let kept = stack.next(&mut faults)?;
            Some((kept.target()?.0, stack.depth() + 1, stack.len()))
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
