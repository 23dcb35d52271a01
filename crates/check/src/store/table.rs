//! A set of short keys, each with a number: 0, 1, 2, … in the order of arrival.
//!
//! Keys stand in segments, one after the other, and never move; beside them is an [`Index`]. A key
//! of 8 bytes takes 8 bytes and, with the index between 8/15 and 4/5 full, 5 to 7.5 more.
//!
//! Cost: a lookup touches one or two cache lines of the index and one of the keys. Keys are hashed
//! again each time the index grows, three times each in the long run.

use super::index::Index;
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

/// How many keys are looked up together.
const BATCH: usize = 256;
/// How many keys a segment has.
const SEGMENT: usize = 1 << 12;
const _: () = assert!(SEGMENT.is_multiple_of(BATCH));
/// The most keys: their number plus one must fit into 32 bits.
const KEYS_MAX: usize = u32::MAX as usize - 1;

/// A set of keys with numbers.
pub struct Table<K> {
    index: Index,
    segments: Vec<Box<[K; SEGMENT]>>,
    len: usize,
    /// What the keys take.
    key_bytes: u64,
}

impl<K: Key> Table<K> {
    /// No keys, no memory.
    pub fn new() -> Table<K> {
        Table {
            index: Index::default(),
            segments: Vec::new(),
            len: 0,
            key_bytes: 0,
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
        self.index.bytes() + vec_bytes(&self.segments) + self.key_bytes
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

    /// The number of a key, which is added if it is not there, and whether it was added.
    ///
    /// If the account refuses, the key is not added.
    #[inline]
    pub fn insert(&mut self, key: K, account: &mut Account) -> Result<(u32, bool), Full> {
        self.insert_hashed(key, key.hash(), account)
    }

    /// Adds all keys that are not there, in order, and says of each whether it was added. The waits
    /// for memory overlap: the index is read for many keys, then what it points to, and only then
    /// are keys looked up. If the account refuses, the keys from there on are not added.
    pub fn insert_all(
        &mut self,
        keys: &[K],
        new: &mut Vec<bool>,
        account: &mut Account,
    ) -> Result<(), Full> {
        let mut hashes = [0; BATCH];
        let mut known = [false; BATCH];
        for keys in keys.chunks(BATCH) {
            let mut sum = 0;
            for (key, hash) in keys.iter().zip(&mut hashes) {
                *hash = key.hash();
                sum ^= self.index.entry(*hash);
            }
            std::hint::black_box(sum);
            for ((key, hash), known) in keys.iter().zip(&hashes).zip(&mut known) {
                let first = self.index.candidate(*hash);
                *known = first.is_some_and(|number| self.key(number) == *key);
            }
            for ((key, hash), known) in keys.iter().zip(hashes).zip(known) {
                let is_new = !known && self.insert_hashed(*key, hash, account)?.1;
                new.push(is_new);
            }
        }
        Ok(())
    }

    #[inline]
    fn insert_hashed(
        &mut self,
        key: K,
        hash: u64,
        account: &mut Account,
    ) -> Result<(u32, bool), Full> {
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
        self.index.probe(hash, |number| self.key(number) == key)
    }

    #[inline]
    fn has_room(&self) -> bool {
        self.index.has_room(self.len, self.len) && self.len < self.segments.len() * SEGMENT
    }

    /// Adds a key at an entry that is free.
    #[inline]
    fn add(&mut self, key: K, hash: u64, slot: usize) -> u32 {
        let number = self.len;
        self.segments[number / SEGMENT][number % SEGMENT] = key;
        self.index.set(slot, hash, number as u32);
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
        if !self.index.has_room(self.len, self.len) {
            self.index.grow(0, account)?;
            self.enter_all();
        }
        Ok(())
    }

    /// Enters all keys into an index that has none; the waits for memory overlap.
    fn enter_all(&mut self) {
        let mut hashes = [0; BATCH];
        for first in (0..self.len).step_by(BATCH) {
            let n = BATCH.min(self.len - first);
            let keys = &self.segments[first / SEGMENT][first % SEGMENT..][..n];
            let mut sum = 0;
            for (key, hash) in keys.iter().zip(&mut hashes) {
                *hash = key.hash();
                sum ^= self.index.entry(*hash);
            }
            std::hint::black_box(sum);
            for (n, hash) in hashes[..n].iter().enumerate() {
                self.index.enter(*hash, (first + n) as u32);
            }
        }
    }

    fn add_segment(&mut self, account: &mut Account) -> Result<(), Full> {
        account.reserve(&mut self.segments, 1)?;
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
        self.key_bytes += size;
        Ok(())
    }
}

impl<K: Key> Default for Table<K> {
    fn default() -> Table<K> {
        Table::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_keys_are_added_as_one_by_one() {
        for seed in 0..20 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let (mut one, mut many) = (Table::new(), Table::new());
            let mut account = Account::new(None);
            for _ in 0..60 {
                let n = rng.usize(0..900);
                let keys: Vec<u64> = (0..n).map(|_| rng.u64(0..9_000)).collect();
                let insert = |key: &u64| one.insert(*key, &mut account).unwrap().1;
                let expected: Vec<bool> = keys.iter().map(insert).collect();
                let mut new = Vec::new();
                many.insert_all(&keys, &mut new, &mut account).unwrap();
                assert_eq!(new, expected, "seed {seed}");
            }
            let numbers = |table: &Table<u64>| -> Vec<u64> {
                (0..table.len() as u32).map(|n| table.key(n)).collect()
            };
            assert_eq!(numbers(&one), numbers(&many), "seed {seed}");
        }
    }
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
}
