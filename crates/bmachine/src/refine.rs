//! Whether a refinement refines its machine, by forward simulation.
//!
//! A state of the refinement and one of its machine are *related* if constants and variables of the
//! same name are equal and the gluing invariant holds of both. The refinement holds if there is a
//! simulation within that relation: every initial state has a related initial state, and every step
//! of the refinement from a pair of the simulation has a step of the machine, the same operation
//! with the same arguments and results, that leads to a pair of the simulation again. Operations
//! that the machine does not have are matched by doing nothing.
//!
//! [`simulate`] explores the pairs that initial pairs lead to, and takes out those with a step that
//! no pair left matches, until none has to go. What is left is the greatest simulation among them.
//!
//! Preconditions are read as guards or classically ([`PreconditionReading`]). Classically, a step
//! outside of the machine's precondition needs no match, and where the machine's precondition holds
//! that of the refinement has to hold.
//!
//! Worked example. The machine is a set `db`, the refinement a number `n` with `n = card(db)`;
//! `add` adds a name or one to the number. The pairs are `(0, {})`, `(1, {a})`, `(1, {b})`, … Had
//! `add` no guard in the refinement, it would lead from `(2, {a, b})` to 3, which no set of two
//! names matches: that pair goes, then the pairs `(1, _)` that match with it alone, then `(0, {})`,
//! and with it the only initial pair. The run shown is `add; add; add`.
//!
//! No symmetry is used here. Whatever could not be computed counts as matched and makes the answer
//! open, unless something else is not matched: a refinement that is said to be violated is.

mod glue;
mod play;
mod simulate;

use crate::live::Live;
pub use crate::run::given::PreconditionReading;
use base::Diagnostic;
use glue::Glue;
pub use model::refinement::{Counterexample, Counts, Limits, Missing, Open, Outcome, Verdict};

/// What a machine refines, ready to be compared with it.
pub struct Refinement {
    glue: Glue,
}

impl Refinement {
    /// What this machine refines, or why the two cannot be compared.
    pub fn new(
        concrete: &Live,
        reading: PreconditionReading,
    ) -> Result<Refinement, Vec<Diagnostic>> {
        let glue = Glue::new(concrete, reading)?;
        Ok(Refinement { glue })
    }

    /// The name of the machine that is refined.
    pub fn refined(&self) -> &str {
        &self.glue.abstraction().program().machine().name
    }

    /// Whether `concrete`, the machine that this was made for, refines it.
    pub fn check(&self, concrete: &Live, limits: Limits<'_>) -> Outcome {
        simulate::simulate(concrete, &self.glue, limits)
    }
}
