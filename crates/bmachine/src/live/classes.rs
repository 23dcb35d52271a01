//! Moves that symmetries make of each other, of which a search needs one.
//!
//! Members of a state that can be exchanged without changing it are its *cells*
//! ([`ExchangeClasses`]). Two ways to take an operation that such an exchange makes of each other
//! lead to states that have one representative, or go wrong alike. So a search that stores
//! representatives is given one of them, with the number of those that it stands for. That number
//! is about what tells transitions apart, arguments and results, so that a search counts the
//! transitions that it would count if it were given all ways. It is known where no element of a set
//! in an argument or a result holds two members ([`ExchangeClasses::is_simple`]); other operations
//! are taken in all ways.
//!
//! Worked example: six names, two of which are in the phone book: two cells, of two and of four.
//! `add(name)` is taken once and counts four times. `setAll(x)` for `x <: NAMES` is taken 15 times
//! in place of 64, and counts 64 times.
//!
//! To find the cells of a state costs about as much as a move or two. So after each few hundred
//! states it is looked whether twice as many moves were left out, and if not, nothing is left out
//! any more. What is saved by choices that no label shows is not known, so a machine with such is
//! not looked at.
//!
//! Runs are replayed on the machine with all ways: steps are counted otherwise here.

use super::Live;
use crate::cells::ExchangeClasses;
use crate::run::Program;
use crate::typed::OperationId;
use crate::value::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What is left out of the moves of a machine.
pub(super) struct MoveReduction {
    blocks: ExchangeClasses,
    /// By constant and variable: whether it can hold a member that can be exchanged.
    moves: Vec<bool>,
    /// By operation: whether only some ways to take it are given.
    operations: Vec<bool>,
    /// Whether only some initialisations are given.
    starts: bool,
    /// Whether an operation that is taken in only some ways has outcomes that no label tells apart.
    has_hidden: bool,
    /// How many states were looked at, and how many moves were left out since it was looked.
    n_states: AtomicU64,
    n_left_out: AtomicU64,
    /// Whether all moves are given from now on.
    is_over: AtomicBool,
}

/// After how many states each time it is looked whether moves were left out.
const N_STATES_TRIED: u64 = 512;

/// What is left out of the moves of a state.
pub(super) struct OfState<'c> {
    classes: &'c MoveReduction,
    cells: Arc<ExchangeClasses>,
}

impl Live {
    /// What is left out, if something is.
    pub(super) fn classes(&self) -> Option<&MoveReduction> {
        let classes = self.classes.as_deref();
        classes.filter(|classes| !classes.is_over.load(Ordering::Relaxed))
    }
}

impl MoveReduction {
    pub(super) fn new(program: &Program, blocks: &[Vec<Vec<usize>>]) -> MoveReduction {
        let blocks = ExchangeClasses::of_blocks(blocks);
        let machine = program.machine();
        let operations = 0..machine.operations.len();
        let (_, variables) = machine.globals.split_at(machine.n_constants);
        let operations: Vec<bool> = operations
            .map(|n| program.is_simple(OperationId::new(n), &blocks))
            .collect();
        let taken = operations.iter().enumerate();
        let mut taken = taken.filter(|(_, is_simple)| **is_simple);
        let has_hidden = taken.any(|(n, _)| program.may_repeat(OperationId::new(n)));
        MoveReduction {
            has_hidden,
            n_states: AtomicU64::new(0),
            n_left_out: AtomicU64::new(0),
            operations,
            moves: (machine.globals.iter())
                .map(|global| blocks.moves(&global.ty))
                .collect(),
            starts: variables.iter().all(|global| blocks.is_simple(&global.ty)),
            blocks,
            is_over: AtomicBool::new(false),
        }
    }

    /// From now on all moves are given.
    pub(super) fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// The members that can be exchanged where nothing is known.
    pub(super) fn blocks(&self) -> &ExchangeClasses {
        &self.blocks
    }

    /// What is left out of the initialisations with these constants.
    pub(super) fn at_start(&self, constants: &[Value]) -> Option<Arc<ExchangeClasses>> {
        Some(self.fixing(constants)?).filter(|_| self.starts)
    }

    /// What is left out of the moves of a state.
    pub(super) fn of_state(&self, globals: &[Value]) -> Option<OfState<'_>> {
        let n_states = self.n_states.fetch_add(1, Ordering::Relaxed) + 1;
        if n_states.is_multiple_of(N_STATES_TRIED) && !self.has_hidden {
            let n_left_out = self.n_left_out.swap(0, Ordering::Relaxed);
            if n_left_out < 2 * N_STATES_TRIED {
                self.end();
                return None;
            }
        }
        let cells = self.fixing(globals)?;
        Some(OfState {
            classes: self,
            cells,
        })
    }

    /// Notes that a move was given for so many.
    pub(super) fn note(&self, n_alike: u64) {
        self.n_left_out.fetch_add(n_alike - 1, Ordering::Relaxed);
    }

    fn fixing(&self, globals: &[Value]) -> Option<Arc<ExchangeClasses>> {
        let held = globals.iter().zip(&self.moves);
        let held = held.filter(|(_, moves)| **moves).map(|(value, _)| value);
        let cells = self.blocks.fixing(held);
        (!cells.is_trivial()).then(|| Arc::new(cells))
    }
}

impl OfState<'_> {
    /// The members that can be exchanged, if not all ways to take an operation are given.
    pub(super) fn of_operation(&self, operation: usize) -> Option<&Arc<ExchangeClasses>> {
        Some(&self.cells).filter(|_| self.classes.operations[operation])
    }
}
