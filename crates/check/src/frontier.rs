//! Which state comes next: by breadth or by depth.
//!
//! **By breadth.** States are expanded in the order of their numbers, so the frontier is two
//! numbers, and a level is a range of numbers.
//!
//! **By depth.** The moves of a state are kept aside when it is expanded and followed one by one;
//! a move is looked at only after all that its predecessor led to has been seen, as in SPIN's
//! verifiers, so counts of depth agree with theirs. The moves kept aside stand on one stack, the
//! next one on top; below the frame of each state on the path are those of the states before it.
//!
//! Worked example. State `a` has moves to `b` and `c`, and `b` has one to `c`. By breadth: `a`,
//! `b`, `c` with depth 1. By depth: expand `a`, keep `c` and above it `b`; take `b`, expand it,
//! keep `c` above the other `c`; take it, depth 2; it has no moves; take the other `c`: known.
//!
//! Cost by depth: the bytes of the moves that are kept aside; a state with `b` moves that is on
//! the path keeps `b - 1` of them at most.

use crate::budget::{Budget, Full};
use crate::parents::Parents;
use crate::store::NodeId;
use system::{Fault, Move};

/// Which state comes next.
pub enum Frontier {
    /// By breadth.
    Breadth(Breadth),
    /// By depth.
    Depth(Box<Stack>),
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
    /// The states of the kept moves, in their order.
    bytes: Vec<u8>,
    faults: Vec<Fault>,
    /// The moves of the expansion under way, in the order in which they come.
    coming: Coming,
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
    /// How many steps it has.
    pub n_steps: u64,
    /// Whether it leads to a state.
    pub has_state: bool,
    n_bytes: usize,
    n_faults: usize,
}

#[derive(Default)]
struct Coming {
    moves: Vec<Kept>,
    bytes: Vec<u8>,
    faults: Vec<Fault>,
}

impl Stack {
    /// Keeps a move of the state being expanded.
    pub fn keep(&mut self, mv: &Move<'_>, budget: &mut Budget) -> Result<(), Full> {
        let state = mv.state.unwrap_or(&[]);
        let coming = &mut self.coming;
        budget.reserve(&mut coming.bytes, state.len())?;
        budget.reserve(&mut coming.faults, mv.faults.len())?;
        coming.bytes.extend_from_slice(state);
        coming
            .faults
            .extend(mv.faults.iter().map(|&(_, fault)| fault));
        let kept = Kept {
            n_steps: mv.steps.len() as u64,
            n_bytes: state.len(),
            n_faults: mv.faults.len(),
            has_state: mv.state.is_some(),
        };
        budget.push(&mut coming.moves, kept)
    }

    /// Puts a state on the path.
    pub fn enter(&mut self, node: NodeId, depth: u64, budget: &mut Budget) -> Result<(), Full> {
        let n_below = self.kept.len();
        let frame = Frame {
            node,
            depth,
            n_below,
        };
        budget.push(&mut self.frames, frame)
    }

    /// Puts the moves that came since on the stack, the first on top.
    pub fn settle(&mut self, budget: &mut Budget) -> Result<(), Full> {
        let coming = &mut self.coming;
        budget.reserve(&mut self.bytes, coming.bytes.len())?;
        budget.reserve(&mut self.faults, coming.faults.len())?;
        budget.reserve(&mut self.kept, coming.moves.len())?;
        let (mut byte, mut fault) = (coming.bytes.len(), coming.faults.len());
        for kept in coming.moves.iter().rev() {
            let bytes = &coming.bytes[byte - kept.n_bytes..byte];
            let faults = &coming.faults[fault - kept.n_faults..fault];
            self.bytes.extend_from_slice(bytes);
            self.faults.extend_from_slice(faults);
            self.kept.push(*kept);
            byte -= kept.n_bytes;
            fault -= kept.n_faults;
        }
        coming.moves.clear();
        coming.bytes.clear();
        coming.faults.clear();
        Ok(())
    }

    /// The next move, its state and faults put into the buffers. The path ends where it starts.
    pub fn next(&mut self, state: &mut Vec<u8>, faults: &mut Vec<Fault>) -> Option<Kept> {
        while let Some(frame) = self.frames.last() {
            if self.kept.len() > frame.n_below {
                break;
            }
            self.frames.pop();
        }
        let kept = self.kept.pop()?;
        let byte = self.bytes.len() - kept.n_bytes;
        let fault = self.faults.len() - kept.n_faults;
        state.clear();
        state.extend_from_slice(&self.bytes[byte..]);
        self.bytes.truncate(byte);
        faults.clear();
        faults.extend_from_slice(&self.faults[fault..]);
        self.faults.truncate(fault);
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
        }
    }
}
