//! The member of its orbit that stands for a state.
//!
//! Every search takes a reducer; where nothing is to be reduced, it is [`Identity`].

/// Chooses representatives.
///
/// # Requires
/// `s` and its representative are carried to each other by a symmetry of the system. A reducer
/// that breaks this is found out where a witness leads through the difference, because witnesses
/// are replayed without it; elsewhere only an audit finds it.
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
