//! Representatives that were asked for not long ago.
//!
//! A search meets most states several times, and often soon again: `a` then `b` and `b` then `a`
//! lead to the same place. So the last answers are kept, in a table in which a state has one place,
//! given by a hash of its bytes; a newer answer takes the place of an older one. What comes out is
//! compared with the state in full, so a hash that two states share costs time only.

/// How many places there are; a power of two. With states of a hundred bytes it fits beside the
/// rest into a processor's own memory.
const N_PLACES: usize = 1 << 13;
/// States longer than this are not kept.
const LENGTH_MAX: usize = 256;

/// The table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memo {
    /// How many bytes a place has for a state, and as many for its representative.
    width: usize,
    /// The lengths of the states that are kept; 0 for none.
    lengths: Vec<u16>,
    bytes: Vec<u8>,
}

impl Memo {
    fn place(state: &[u8]) -> usize {
        let mut hash = state.len() as u64;
        let mut words = state.chunks_exact(8);
        let mix = |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(MULTIPLIER);
        for word in &mut words {
            let word = u64::from_le_bytes(word.try_into().expect("eight bytes"));
            hash = mix(hash, word);
        }
        let mut last = [0; 8];
        last[..words.remainder().len()].copy_from_slice(words.remainder());
        hash = mix(hash, u64::from_le_bytes(last));
        (hash >> 32) as usize & (N_PLACES - 1)
    }

    /// Replaces `state` by the answer that is kept for it; whether there was one. If not, gives the
    /// place where it should go.
    #[inline]
    pub fn look_up(&self, state: &mut [u8]) -> Result<(), usize> {
        let place = Memo::place(state);
        let n = state.len();
        if self.lengths.get(place).copied().unwrap_or(0) as usize != n {
            return Err(place);
        }
        let at = place * 2 * self.width;
        if self.bytes[at..at + n] != *state {
            return Err(place);
        }
        state.copy_from_slice(&self.bytes[at + self.width..at + self.width + n]);
        Ok(())
    }

    /// Keeps an answer.
    pub fn keep(&mut self, place: usize, state: &[u8], answer: &[u8]) {
        let n = state.len();
        if n == 0 || n > LENGTH_MAX {
            return;
        }
        if n > self.width {
            self.width = n.next_multiple_of(16);
            self.lengths = vec![0; N_PLACES];
            self.bytes = vec![0; N_PLACES * 2 * self.width];
        }
        let at = place * 2 * self.width;
        self.lengths[place] = n as u16;
        self.bytes[at..at + n].copy_from_slice(state);
        self.bytes[at + self.width..at + self.width + n].copy_from_slice(answer);
    }

    /// How much memory it takes.
    pub fn bytes(&self) -> u64 {
        (self.bytes.len() + 2 * self.lengths.len()) as u64
    }
}

/// An odd number with about as many ones as zeros.
const MULTIPLIER: u64 = 0x517c_c1b7_2722_0a95;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_kept_until_others_take_their_place() {
        let mut memo = Memo::default();
        let (state, answer) = ([1, 2, 3], [3, 2, 1]);
        let place = memo
            .look_up(&mut state.clone())
            .expect_err("nothing is kept");
        memo.keep(place, &state, &answer);
        let mut asked = state;
        assert_eq!(memo.look_up(&mut asked), Ok(()));
        assert_eq!(asked, answer);
        // Another state in the same place, and one of another length.
        memo.keep(place, &[7, 7, 7], &[8, 8, 8]);
        assert_eq!(memo.look_up(&mut state.clone()), Err(place));
        memo.keep(place, &[7; 40], &[8; 40]);
        assert_eq!(memo.look_up(&mut state.clone()), Err(place));
    }

    #[test]
    fn states_that_are_too_long_are_not_kept() {
        let mut memo = Memo::default();
        let mut state = vec![1; LENGTH_MAX + 1];
        let place = memo.look_up(&mut state).expect_err("nothing is kept");
        memo.keep(place, &state.clone(), &state);
        assert_eq!(memo.look_up(&mut state), Err(place));
        assert_eq!(memo.bytes(), 0);
    }
}
