//! Where keys are: an index over keys that stand elsewhere and have numbers.
//!
//! Open addressing with linear probing. An entry has 32 bits: the number of a key plus one in the
//! low bits, as many as numbers need at this size, and bits of the key's hash above, so that most
//! probes that hit another key are settled without looking at it.
//!
//! Worked example. An index of 10 entries holds at most 8 keys, whose numbers plus one need four
//! bits; that leaves 28 bits of hash. Key number 4 with hash `0xC000_0000_ABCD_EF12` starts at
//! entry `⌊10 · 0.75⌋ = 7` and is stored as `0xABCD_EF10 | 5`.
//!
//! When the index is too full it is thrown away before the larger one is made, and filled from the
//! keys: at no time are there two. Near the limit of the account it grows by less, as long as that
//! is worth a rehash; what it leaves is for the keys that will fill it.

use base::memory::{Account, Full, vec_bytes};

/// Entries of the first index.
const FIRST: usize = 1 << 10;

/// Finds the numbers of keys by their hashes.
#[derive(Default)]
pub(super) struct Index {
    entries: Vec<u32>,
    /// The low bits of an entry that hold a number plus one.
    mask: u32,
}

impl Index {
    /// What the entries take.
    pub fn bytes(&self) -> u64 {
        vec_bytes(&self.entries)
    }

    /// Whether there are no entries, so that nothing may be looked up.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Whether there is room for a key of that number beside `n` keys that are there.
    #[inline]
    pub fn has_room(&self, n: usize, number: usize) -> bool {
        n < load_max(self.entries.len()) && number < self.mask as usize
    }

    /// The entry at which the search for a hash begins, to bring it near. It means nothing.
    #[inline]
    pub fn entry(&self, hash: u64) -> u32 {
        if self.entries.is_empty() {
            return 0;
        }
        self.entries[start(hash, self.entries.len())]
    }

    /// The first key that may be the one with that hash.
    #[inline]
    pub fn candidate(&self, hash: u64) -> Option<u32> {
        if self.entries.is_empty() {
            return None;
        }
        self.probe(hash, |_| true).ok()
    }

    /// The number of the key with that hash for which `is_it`, or the entry where one would go.
    ///
    /// # Requires
    /// The index is not empty.
    #[inline]
    pub fn probe(&self, hash: u64, mut is_it: impl FnMut(u32) -> bool) -> Result<u32, usize> {
        let mut slot = start(hash, self.entries.len());
        let tag = hash as u32 & !self.mask;
        loop {
            let entry = self.entries[slot];
            if entry == 0 {
                return Err(slot);
            }
            if entry & !self.mask == tag {
                let number = (entry & self.mask) - 1;
                if is_it(number) {
                    return Ok(number);
                }
            }
            slot += 1;
            if slot == self.entries.len() {
                slot = 0;
            }
        }
    }

    /// Enters a key at an entry that [`Index::probe`] gave.
    #[inline]
    pub fn set(&mut self, slot: usize, hash: u64, number: u32) {
        self.entries[slot] = (hash as u32 & !self.mask) | (number + 1);
    }

    /// More entries, all of them free; then every key is to be entered again. Numbers are below
    /// `number_max`. If the account refuses, nothing changes, but where the machine has no memory.
    pub fn grow(&mut self, number_max: usize, account: &mut Account) -> Result<(), Full> {
        let before = self.entries.len();
        let affordable = before + (account.left() / 12).min(u32::MAX.into()) as usize;
        let n = (before + before / 2).max(FIRST).min(affordable);
        if n < FIRST || n - before < before / 16 {
            return Err(Full);
        }
        // Not fewer entries than before, so a failure here comes from the machine. The keys stay
        // and can be read; the search stops.
        account.give(vec_bytes(&std::mem::take(&mut self.entries)));
        let mut entries = Vec::new();
        account.reserve(&mut entries, n)?;
        entries.resize(n, 0);
        self.entries = entries;
        self.mask = mask_for(load_max(n).max(number_max));
        Ok(())
    }

    /// Enters a key that is not in the index yet.
    pub fn enter(&mut self, hash: u64, number: u32) {
        let slot = self.probe(hash, |_| false);
        self.set(slot.expect_err("no key is taken for another"), hash, number);
    }
}

/// The entry at which a key of that hash is looked for first, of `n`.
#[inline]
fn start(hash: u64, n: usize) -> usize {
    ((u128::from(hash) * n as u128) >> 64) as usize
}

/// How many keys an index of `n` entries may hold: four fifths.
#[inline]
fn load_max(n: usize) -> usize {
    n / 5 * 4
}

/// The bits that numbers up to `n`, counted from 1, need.
fn mask_for(n: usize) -> u32 {
    let bits = usize::BITS - n.leading_zeros();
    assert!(bits <= 32, "{n} keys in an index of 32-bit entries");
    ((1_u64 << bits) - 1) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_have_room_for_their_numbers() {
        for n in [1, 2, 3, 4, 7, 8, 1023, 1024, u32::MAX as usize] {
            let mask = mask_for(n) as usize;
            assert!(n <= mask && mask < 2 * n, "{n} in {mask:b}");
        }
    }

    #[test]
    fn an_entry_is_where_the_hash_says() {
        assert_eq!(start(0xC000_0000_ABCD_EF12, 10), 7);
        assert_eq!(mask_for(load_max(10)), 15);
        assert_eq!((start(0, 1000), start(u64::MAX, 1000)), (0, 999));
    }
}
