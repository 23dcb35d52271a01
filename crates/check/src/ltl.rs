//! Linear temporal logic as data, and small Büchi automata: what temporal checking needs that has
//! nothing to do with a language or a model.
//!
//! A [`Pool`] holds formulas over numbered atoms; who calls gives the numbers their meaning.
//! [`simplify()`] puts a formula into negation normal form and makes it smaller, [`translate()`]
//! turns it into a generalised Büchi automaton, [`degeneralise()`] into a [`Buchi`] automaton with
//! accepting states, and [`simulation`] makes both smaller. [`automaton_of`] does all of it.
//!
//! Worked example: `p U q` has a state for `p U q` with an edge under `q` to an accepting state
//! that stays for ever, and one under `p && !q` to itself.
//!
//! Whether a formula speaks of finite runs only, or cannot count repeated letters, is told by
//! [`classify()`]; [`monitor()`] makes a deterministic automaton of the prefixes that a safety
//! formula still allows. [`lasso`] says what a formula is worth on a word that repeats, by its
//! definition: it shares no code with the translation, so that each can be held against the other.

pub mod formula;
pub mod parse;
pub mod print;

pub mod lasso;

mod implies;
mod rules;
pub mod simplify;

pub mod automaton;
pub mod cube;
pub(crate) mod scc;

pub mod degeneralise;
pub mod simulation;
pub mod translate;

pub mod classify;
pub mod monitor;
mod product;

pub use automaton::{Buchi, Edge, Generalised};
pub use classify::{Known, Traits, classify};
pub use cube::Cube;
pub use degeneralise::degeneralise;
pub use formula::{AtomId, FormulaId, Node, Pool};
pub use lasso::Lasso;
pub use monitor::{Monitor, monitor};
pub use parse::parse;
pub use print::{Notation, print};
pub use simplify::simplify;
pub use translate::translate;

/// How deep operators may be nested in a formula that is simplified: rules call each other as deep.
pub const DEPTH_MAX: usize = 1_000;

/// What a translation may spend; counted in things made, so that the same formula ends the same
/// way.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// States of an automaton.
    pub n_states_max: usize,
    /// Edges of an automaton.
    pub n_edges_max: usize,
    /// Small steps: terms multiplied, pairs compared.
    pub n_steps_max: u64,
}

/// A formula was too large for its limits: which limit, in words that follow "more than".
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TooLarge(pub String);

impl std::fmt::Display for TooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the automaton needs more than {}", self.0)
    }
}

impl std::error::Error for TooLarge {}

/// Steps that are left.
pub(crate) struct Steps {
    n_left: u64,
    n_max: u64,
}

impl Steps {
    pub(crate) fn new(n_max: u64) -> Steps {
        Steps {
            n_left: n_max,
            n_max,
        }
    }

    pub(crate) fn spend(&mut self, n: usize) -> Result<(), TooLarge> {
        match self.n_left.checked_sub(n as u64) {
            Some(left) => {
                self.n_left = left;
                Ok(())
            }
            None => {
                self.n_left = 0;
                Err(TooLarge(format!("{} steps of work", self.n_max)))
            }
        }
    }
}

/// A small Büchi automaton with accepting states that accepts the words that satisfy a formula.
///
/// # Ensures
/// The same formula gives the same automaton, states in the order in which they are met.
pub fn automaton_of(pool: &mut Pool, f: FormulaId, limits: &Limits) -> Result<Buchi, TooLarge> {
    if pool.depth(f) > DEPTH_MAX {
        return Err(TooLarge(format!("{DEPTH_MAX} nested operators")));
    }
    let simple = simplify(pool, f);
    let general = translate(pool, simple, limits)?;
    let general = simulation::reduce_generalised(general, limits)?;
    let buchi = degeneralise(&general, limits)?;
    simulation::reduce_buchi(buchi, limits)
}
