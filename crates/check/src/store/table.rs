//! A set of short keys, each with a number: 0, 1, 2, … in the order of arrival.
//!
//! Keys stand in segments, one after the other, and never move. Beside them is an index, open
//! addressing with linear probing, whose entries are 32 bits: the number of the key plus one in
//! the low bits, as many as numbers need at this size, and bits of the key's hash above, so that
//! most probes that hit another key are settled without looking at it. A key of 8 bytes takes 8
//! bytes and, with the index between 8/15 and 4/5 full, 5 to 7.5 more.
//!
//! Worked example. An index of 10 entries holds at most 8 keys, whose numbers plus one need four
//! bits; that leaves 28 bits of hash. Key number 4 with hash `0xC000_0000_ABCD_EF12` starts at
//! entry `⌊10 · 0.75⌋ = 7` and is stored as `0xABCD_EF10 | 5`.
//!
//! When the index is too full it is thrown away before the larger one is made, and filled from the
//! keys: at no time are there two. Near the limit of the account it grows by less, as long as that
//! is worth a rehash; what it leaves is for the keys that will fill it.
//!
//! Cost: a lookup touches one or two cache lines of the index and one of the keys. Keys are hashed
//! again each time the index grows, three times each in the long run.

use crate::store::{Inserted, NodeId};
use base::memory::{Account, Full, vec_bytes};
use xxhash_rust::xxh3::xxh3_64;

/// A key of fixed size.
pub trait Key: Copy + Eq + Default {
    /// A hash whose 64 bits are all good.
    fn hash(self) -> u64;
}

impl Key for u64 {
    #[inline]
    fn hash(self) -> u64 {
        xxh3_64(&self.to_le_bytes())
    }
}

impl Key for u128 {
    #[inline]
    fn hash(self) -> u64 {
        xxh3_64(&self.to_le_bytes())
    }
}

/// How many keys a segment has.
const SEGMENT: usize = 1 << 12;
/// Entries of the first index.
const FIRST: usize = 1 << 10;
/// The most keys: their number plus one must fit into 32 bits.
const KEYS_MAX: usize = u32::MAX as usize - 1;

/// A set of keys with numbers.
pub struct Table<K> {
    index: Vec<u32>,
    /// The low bits of an entry that hold a number plus one.
    mask: u32,
    segments: Vec<Box<[K; SEGMENT]>>,
    len: usize,
    bytes: u64,
}

impl<K: Key> Table<K> {
    /// No keys, no memory.
    pub fn new() -> Table<K> {
        Table {
            index: Vec::new(),
            mask: 0,
            segments: Vec::new(),
            len: 0,
            bytes: 0,
        }
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// What index and keys take.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The key of that number.
    #[inline]
    pub fn key(&self, number: u32) -> K {
        let number = number as usize;
        self.segments[number / SEGMENT][number % SEGMENT]
    }

    /// The number of a key.
    #[inline]
    pub fn find(&self, key: K) -> Option<u32> {
        if self.index.is_empty() {
            return None;
        }
        self.probe(key, key.hash()).ok()
    }

    /// Reads the entry of the index at which the search for a key begins, so that it is near when
    /// the key is looked up soon. The answer means nothing.
    #[inline]
    pub fn touch(&self, key: K) -> u32 {
        if self.index.is_empty() {
            return 0;
        }
        self.index[start(key.hash(), self.index.len())]
    }

    /// Reads the key that is compared first when this one is looked up, if the index has one; best
    /// after [`Table::touch`] has been called for many keys. The answer means nothing.
    #[inline]
    pub fn touch_key(&self, key: K) -> K {
        if self.index.is_empty() {
            return K::default();
        }
        let hash = key.hash();
        let entry = self.index[start(hash, self.index.len())];
        if entry & !self.mask == hash as u32 & !self.mask && entry & self.mask != 0 {
            self.key((entry & self.mask) - 1)
        } else {
            K::default()
        }
    }

    /// The number of a key, which is added if it is not there, and whether it was added.
    ///
    /// If the account refuses, the key is not added.
    #[inline]
    pub fn insert(&mut self, key: K, account: &mut Account) -> Result<(u32, bool), Full> {
        let hash = key.hash();
        if !self.index.is_empty() {
            match self.probe(key, hash) {
                Ok(number) => return Ok((number, false)),
                Err(slot) if self.has_room() => return Ok((self.add(key, hash, slot), true)),
                Err(_) => {}
            }
        }
        self.make_room(account)?;
        let slot = self.probe(key, hash).expect_err("a key that was not there");
        Ok((self.add(key, hash, slot), true))
    }

    /// Adds a key, if it is not there, as a store adds a state.
    #[inline]
    pub fn put(&mut self, key: K, account: &mut Account) -> Result<Inserted, Full> {
        let (number, is_new) = self.insert(key, account)?;
        Ok(if is_new {
            Inserted::New(NodeId::new(number as usize))
        } else {
            Inserted::Known
        })
    }

    /// The number of the key, or the entry where it goes.
    #[inline]
    fn probe(&self, key: K, hash: u64) -> Result<u32, usize> {
        let mut slot = start(hash, self.index.len());
        let tag = hash as u32 & !self.mask;
        loop {
            let entry = self.index[slot];
            if entry == 0 {
                return Err(slot);
            }
            if entry & !self.mask == tag {
                let number = (entry & self.mask) - 1;
                if self.key(number) == key {
                    return Ok(number);
                }
            }
            slot += 1;
            if slot == self.index.len() {
                slot = 0;
            }
        }
    }

    #[inline]
    fn has_room(&self) -> bool {
        self.len < load_max(self.index.len()) && self.len < self.segments.len() * SEGMENT
    }

    /// Adds a key at an entry that is free.
    #[inline]
    fn add(&mut self, key: K, hash: u64, slot: usize) -> u32 {
        let number = self.len;
        self.segments[number / SEGMENT][number % SEGMENT] = key;
        self.index[slot] = (hash as u32 & !self.mask) | (number as u32 + 1);
        self.len += 1;
        number as u32
    }

    /// Room for one more key, or no change that matters.
    #[cold]
    fn make_room(&mut self, account: &mut Account) -> Result<(), Full> {
        if self.len == KEYS_MAX {
            return Err(Full);
        }
        if self.len == self.segments.len() * SEGMENT {
            self.add_segment(account)?;
        }
        if self.len >= load_max(self.index.len()) {
            self.grow_index(account)?;
        }
        Ok(())
    }

    fn add_segment(&mut self, account: &mut Account) -> Result<(), Full> {
        let before = vec_bytes(&self.segments);
        account.reserve(&mut self.segments, 1)?;
        self.bytes += vec_bytes(&self.segments) - before;
        let size = (SEGMENT * size_of::<K>()) as u64;
        account.take(size)?;
        let mut keys: Vec<K> = Vec::new();
        if keys.try_reserve_exact(SEGMENT).is_err() {
            account.give(size);
            return Err(Full);
        }
        keys.resize(SEGMENT, K::default());
        let keys = keys.into_boxed_slice().try_into();
        self.segments
            .push(keys.unwrap_or_else(|_| unreachable!("a segment has {SEGMENT} keys")));
        self.bytes += size;
        Ok(())
    }

    fn grow_index(&mut self, account: &mut Account) -> Result<(), Full> {
        let before = self.index.len();
        let affordable = before + (account.left() / 12).min(u32::MAX.into()) as usize;
        let n = (before + before / 2).max(FIRST).min(affordable);
        if n < FIRST || n - before < before / 16 {
            return Err(Full);
        }
        // Not fewer entries than before, so a failure here comes from the machine. The keys stay
        // and can be read; the search stops.
        let freed = vec_bytes(&std::mem::take(&mut self.index));
        account.give(freed);
        self.bytes -= freed;
        let mut index = Vec::new();
        account.reserve(&mut index, n)?;
        self.bytes += vec_bytes(&index);
        index.resize(n, 0);
        self.index = index;
        self.mask = mask_for(load_max(n));
        for number in 0..self.len {
            let hash = self.segments[number / SEGMENT][number % SEGMENT].hash();
            self.enter(hash, number);
        }
        Ok(())
    }

    /// Enters a key that is not in the index yet.
    fn enter(&mut self, hash: u64, number: usize) {
        let mut slot = start(hash, self.index.len());
        while self.index[slot] != 0 {
            slot += 1;
            if slot == self.index.len() {
                slot = 0;
            }
        }
        self.index[slot] = (hash as u32 & !self.mask) | (number as u32 + 1);
    }
}

impl<K: Key> Default for Table<K> {
    fn default() -> Table<K> {
        Table::new()
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
    use std::collections::HashMap;

    #[test]
    fn numbers_are_those_of_a_plain_map() {
        for seed in 0..5 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let (mut table, mut account) = (Table::<u64>::new(), Account::new(None));
            let mut plain: HashMap<u64, u32> = HashMap::new();
            for _ in 0..60_000 {
                let key = rng.u64(0..40_000) << rng.u32(0..3);
                let n = plain.len() as u32;
                let expected = *plain.entry(key).or_insert(n);
                let found = table.insert(key, &mut account);
                assert_eq!(found, Ok((expected, expected == n)), "seed {seed}");
            }
            assert_eq!(table.len(), plain.len(), "seed {seed}");
            assert_eq!(table.bytes(), account.used(), "seed {seed}");
            for (&key, &number) in &plain {
                assert_eq!((table.find(key), table.key(number)), (Some(number), key));
                assert_eq!(table.find(key | 1 << 63), None, "seed {seed}");
            }
        }
    }

    #[test]
    fn a_full_table_refuses_and_still_answers() {
        let (mut table, mut account) = (Table::<u128>::new(), Account::new(Some(200_000)));
        let n = (0..).find(|&i| table.insert(i, &mut account).is_err());
        let n = n.expect("the account is finite");
        assert_eq!(n, table.len() as u128);
        assert!(n >= 4096, "{n} keys of 16 bytes in 200,000 bytes");
        assert!(account.peak() <= 200_000 && table.bytes() == account.used());
        assert!((0..n).all(|i| table.find(i) == Some(i as u32)));
        assert_eq!(table.insert(n, &mut account), Err(Full));
        assert_eq!(table.insert(3, &mut account), Ok((3, false)));
    }

    #[test]
    fn entries_have_room_for_their_numbers() {
        for n in [1, 2, 3, 4, 7, 8, 1023, 1024, KEYS_MAX + 1] {
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
