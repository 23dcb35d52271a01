//! Moves that symmetries make of each other, of which one is offered.
//!
//! Two moves of a state are of one class if they are the same statements or operations, nothing
//! goes wrong in either, and a symmetry makes the state after one of the state after the other:
//! these have one representative. From there on whatever can be done after one can be done after
//! the other, with other names. The first move of a class stands for the rest.
//!
//! Worked example: in an empty phone book over four names and one code, `add(Name1, Code1)` stands
//! for three others.

use super::KeptMove;
use super::stepped::SteppedSystem;
use crate::reduction::Reduction;
use base::Span;
use check::Reducer;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use system::{Fault, Move};

/// Tells which states a symmetry makes of each other.
pub struct StateClasses {
    reduction: RefCell<Reduction>,
}

/// What moves of one class have in common: the places of their steps and the representative of the
/// state that they lead to.
type MoveKey = (Vec<Span>, Vec<u8>);

/// The moves of a state that are offered, in the order in which they were met.
pub struct OfferedMoves<'m> {
    machine: &'m SteppedSystem<'m>,
    state: &'m [u8],
    moves: Vec<KeptMove>,
    known: HashMap<MoveKey, usize>,
}

impl StateClasses {
    /// Those of a symmetry.
    pub fn new(reduction: Reduction) -> StateClasses {
        StateClasses {
            reduction: RefCell::new(reduction),
        }
    }

    /// The state that stands for `state`; `None` if that was given up.
    fn representative(&self, state: &[u8]) -> Option<Vec<u8>> {
        let mut reduction = self.reduction.borrow_mut();
        let reducer: &mut dyn Reducer = reduction.reducer();
        let mut state = state.to_vec();
        if !reducer.is_identity() {
            reducer.reduce(&mut state);
        }
        reducer.given_up().is_none().then_some(state)
    }

    /// Keeps the first of the states that symmetries make of each other.
    pub(crate) fn keep_distinct(&self, states: &mut Vec<Vec<u8>>) {
        let mut known = HashSet::new();
        states.retain(|state| match self.representative(state) {
            Some(representative) => known.insert(representative),
            None => true,
        });
    }
}

impl<'m> OfferedMoves<'m> {
    /// None yet.
    pub fn new(machine: &'m SteppedSystem<'m>, state: &'m [u8]) -> OfferedMoves<'m> {
        OfferedMoves {
            machine,
            state,
            moves: Vec::new(),
            known: HashMap::new(),
        }
    }

    /// Adds a move, or puts it with the one that stands for it.
    pub fn add(&mut self, mv: &Move<'_>) {
        let Some(key) = self.key(mv) else {
            return self.moves.push(KeptMove::of(mv));
        };
        match self.known.get(&key) {
            Some(first) => self.moves[*first].others.push(mv.steps.to_vec()),
            None => {
                self.known.insert(key, self.moves.len());
                self.moves.push(KeptMove::of(mv));
            }
        }
    }

    /// The moves.
    pub(crate) fn into_moves(self) -> Vec<KeptMove> {
        self.moves
    }

    fn key(&self, mv: &Move<'_>) -> Option<MoveKey> {
        let classes = self.machine.classes.as_ref()?;
        let no_faults: &[(usize, Fault)] = &[];
        let after = mv.state.filter(|_| mv.faults == no_faults)?;
        let steps = mv.steps.iter();
        let places = steps.map(|step| self.machine.step_text(self.state, *step).span);
        Some((places.collect(), classes.representative(after)?))
    }
}
