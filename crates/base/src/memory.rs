//! Memory that is counted before it is taken.
//!
//! Whatever grows with the number of states asks an [`Account`] first. If the account refuses,
//! nothing was allocated and nothing has changed; the search stops with what it has. Vectors grow
//! by half again as much, and while one moves to its new place both places count.
//!
//! Worked example. With an account of 100 bytes, a vector of 8 words (64 bytes) that is full wants
//! room for 12 (96 bytes): 64 + 96 = 160 > 100, so the push is refused, and 64 bytes stay in use.

/// There is no more memory to be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Full;

/// How much memory is in use, and how much may be.
#[derive(Clone, Debug)]
pub struct Account {
    used: u64,
    peak: u64,
    max: u64,
}

impl Account {
    /// Nothing used, and that much to use; `None` for as much as the machine gives.
    pub fn new(bytes_max: Option<u64>) -> Account {
        Account {
            used: 0,
            peak: 0,
            max: bytes_max.unwrap_or(u64::MAX),
        }
    }

    /// Counts `bytes` as used, unless that is too much.
    pub fn take(&mut self, bytes: u64) -> Result<(), Full> {
        if bytes > self.left() {
            return Err(Full);
        }
        self.used += bytes;
        self.peak = self.peak.max(self.used);
        Ok(())
    }

    /// Counts `bytes` as not used any more.
    ///
    /// # Requires
    /// They were taken before.
    pub fn give(&mut self, bytes: u64) {
        assert!(
            bytes <= self.used,
            "{bytes} given back of {} taken",
            self.used
        );
        self.used -= bytes;
    }

    /// How much is in use.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// The most that was in use.
    pub fn peak(&self) -> u64 {
        self.peak
    }

    /// How much may still be taken.
    pub fn left(&self) -> u64 {
        self.max - self.used
    }

    /// An account for one of several threads: of what is in use here, `used` counts there from now
    /// on, and it may take `more`. Both come back by [`Account::take_back`].
    ///
    /// # Requires
    /// So much is in use, and so much is left.
    #[must_use]
    pub fn lend(&mut self, used: u64, more: u64) -> Account {
        assert!(
            used <= self.used && more <= self.left(),
            "{used} and {more} lent of {} and {}",
            self.used,
            self.left()
        );
        self.used -= used;
        self.max -= used + more;
        Account {
            used,
            peak: used,
            max: used + more,
        }
    }

    /// Ends what [`Account::lend`] began, for all that were lent. The peak is as if all had their
    /// peaks at once.
    pub fn take_back(&mut self, lent: &[Account]) {
        let peak: u64 = lent.iter().map(|account| account.peak).sum();
        self.peak = self.peak.max(self.used + peak);
        for account in lent {
            self.used += account.used;
            self.max += account.max;
        }
    }

    /// Makes room for `n` more in `vec`, or changes nothing.
    pub fn reserve<T>(&mut self, vec: &mut Vec<T>, n: usize) -> Result<(), Full> {
        let wanted = vec.len().checked_add(n).ok_or(Full)?;
        if wanted <= vec.capacity() {
            return Ok(());
        }
        let capacity = wanted.max(vec.capacity() + vec.capacity() / 2).max(8);
        let (before, size) = (vec_bytes(vec), size_of::<T>() as u64);
        self.take(capacity as u64 * size)?;
        if vec.try_reserve_exact(capacity - vec.len()).is_err() {
            self.give(capacity as u64 * size);
            return Err(Full);
        }
        // The allocator may have given a little more than was asked for.
        let extra = vec_bytes(vec) - capacity as u64 * size;
        self.used += extra;
        self.peak = self.peak.max(self.used);
        self.give(before);
        Ok(())
    }

    /// Adds `value` at the end of `vec`, or changes nothing.
    #[inline]
    pub fn push<T>(&mut self, vec: &mut Vec<T>, value: T) -> Result<(), Full> {
        if vec.len() == vec.capacity() {
            self.reserve(vec, 1)?;
        }
        vec.push(value);
        Ok(())
    }
}

/// The room that a vector has taken.
pub fn vec_bytes<T>(vec: &Vec<T>) -> u64 {
    (vec.capacity() * size_of::<T>()) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_changes_nothing() {
        let mut account = Account::new(Some(100));
        let mut vec: Vec<u64> = Vec::new();
        for i in 0..8 {
            assert_eq!(account.push(&mut vec, i), Ok(()));
        }
        assert_eq!((account.used(), account.left()), (64, 36));
        assert_eq!(account.push(&mut vec, 8), Err(Full));
        assert_eq!((account.used(), vec.len(), vec.capacity()), (64, 8, 8));
    }

    #[test]
    fn what_is_counted_is_what_vectors_have() {
        let mut account = Account::new(None);
        let (mut bytes, mut words) = (Vec::<u8>::new(), Vec::<u64>::new());
        for i in 0..10_000 {
            account.push(&mut bytes, i as u8).unwrap();
            account.push(&mut words, i).unwrap();
        }
        account.reserve(&mut bytes, 50_000).unwrap();
        assert_eq!(account.used(), vec_bytes(&bytes) + vec_bytes(&words));
        assert!(account.peak() > account.used());
    }

    #[test]
    fn what_is_lent_comes_back() {
        let mut account = Account::new(Some(100));
        account.take(40).unwrap();
        let mut first = account.lend(30, 20);
        let mut second = account.lend(5, 20);
        assert_eq!((account.used(), account.left()), (5, 20));
        first.take(10).unwrap();
        first.give(35);
        assert_eq!(second.take(21), Err(Full));
        second.take(20).unwrap();
        account.take_back(&[first, second]);
        assert_eq!(
            (account.used(), account.left(), account.peak()),
            (35, 65, 70)
        );
    }

    #[test]
    fn more_than_any_machine_has_is_refused() {
        let mut account = Account::new(None);
        let mut vec: Vec<u64> = Vec::new();
        assert_eq!(account.reserve(&mut vec, usize::MAX / 16), Err(Full));
        assert_eq!((account.used(), vec.capacity()), (0, 0));
    }

    #[test]
    #[should_panic(expected = "2 given back of 1 taken")]
    fn giving_back_more_than_was_taken_is_our_bug() {
        let mut account = Account::new(None);
        account.take(1).unwrap();
        account.give(2);
    }
}
