//! What a frontier keeps of the states that wait.
//!
//! If the store gives states back by number, nothing ([`Number`]): the number is enough. If it does
//! not, the state itself waits ([`Whole`]), and of each state it is written down for good which
//! move led to it first, in four bytes: a path is then found again by taking these moves.
//!
//! Worked example. State 0 has the moves 0, 1, 2, which lead to the states 1, 1 and 2. State 2 was
//! reached by move 2 of state 0. Who wants the path to it starts in the initial state, takes move
//! number 2, and has it, whatever the store forgot.

use base::memory::{Account, Full};

/// What is kept of a state that waits.
pub trait Kept: Default {
    /// What is kept for good of how a state was reached first.
    type Way: Copy + Default;

    /// What to keep of `state`, reached by the move of that number.
    fn new(state: &[u8], index: u32, account: &mut Account) -> Result<Self, Full>;

    /// How it was reached.
    fn way(&self) -> Self::Way;

    /// The state is about to be expanded, and is put into the buffer if it was kept.
    fn release(self, out: &mut Vec<u8>, account: &mut Account);
}

/// Nothing: the store gives the state back by its number.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Number;

/// The whole state, since the store does not give it back.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Whole {
    state: Box<[u8]>,
    index: u32,
}

impl Kept for Number {
    type Way = ();

    #[inline]
    fn new(_: &[u8], _: u32, _: &mut Account) -> Result<Number, Full> {
        Ok(Number)
    }

    #[inline]
    fn way(&self) {}

    #[inline]
    fn release(self, _: &mut Vec<u8>, _: &mut Account) {}
}

impl Kept for Whole {
    type Way = u32;

    fn new(state: &[u8], index: u32, account: &mut Account) -> Result<Whole, Full> {
        account.take(state.len() as u64)?;
        let state = state.into();
        Ok(Whole { state, index })
    }

    fn way(&self) -> u32 {
        self.index
    }

    fn release(self, out: &mut Vec<u8>, account: &mut Account) {
        account.give(self.state.len() as u64);
        out.clear();
        out.extend_from_slice(&self.state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_comes_back_and_gives_its_memory_back() {
        let (mut account, mut out) = (Account::new(Some(3)), vec![9]);
        let whole = Whole::new(&[1, 2, 3], 7, &mut account).unwrap();
        assert_eq!((whole.way(), account.used()), (7, 3));
        assert_eq!(Whole::new(&[1], 7, &mut account), Err(Full));
        whole.release(&mut out, &mut account);
        assert_eq!((out, account.used()), (vec![1, 2, 3], 0));
    }
}
