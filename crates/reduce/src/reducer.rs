//! The member of its orbit that stands for a state.
//!
//! Every search takes a reducer; where nothing is to be reduced, it is [`Identity`].

/// Chooses representatives.
///
/// # Requires
/// A state and its representative are carried to each other by a symmetry of the system, and all
/// states that symmetries carry to each other have the same representative. If the first is broken,
/// errors may be missed, and what is found may have no witness; if the second is broken, the search
/// is sound, but a replay may get stuck, because it knows states by their representatives.
pub trait Reducer {
    /// Replaces `state` by its representative, which has the same length.
    ///
    /// # Ensures
    /// The representative of a representative is itself; what comes out depends on `state` only.
    fn reduce(&mut self, state: &mut [u8]);
}

/// Every state stands for itself.
#[derive(Clone, Copy, Default, Debug)]
pub struct Identity;

impl Reducer for Identity {
    fn reduce(&mut self, _: &mut [u8]) {}
}
