//! A set of tuples of small numbers, each with a number: 0, 1, 2, … in the order of arrival.
//!
//! How large each entry of a tuple can be is known, so that each has as many bits as it needs. A
//! tuple of up to 64 bits is a key of a hash table, and so is one of up to 128; longer ones are
//! bytes in a [`TreeStore`], where parts that tuples share are kept once.
//!
//! Worked example. Entries below 3, 6 and 200 need 2, 3 and 8 bits; `(2, 5, 130)` is the word
//! `10 101 10000010`.

use crate::store::table::Table;
use crate::store::tree::TreeStore;
use crate::store::{Inserted, NodeId, Store};
use base::memory::{Account, Full};

/// A set of tuples with numbers.
pub struct Tuples {
    /// Bits of each entry.
    bits: Vec<u8>,
    store: Packed,
}

enum Packed {
    Word(Table<u64>),
    Double(Table<u128>),
    Long(Box<Long>),
}

struct Long {
    store: TreeStore,
    bytes: Vec<u8>,
}

impl Tuples {
    /// No tuples; their entries will be less than these.
    pub fn new(sizes: impl Iterator<Item = u32>) -> Tuples {
        let bits = sizes.map(|size| (u32::BITS - size.saturating_sub(1).leading_zeros()) as u8);
        let bits: Vec<u8> = bits.collect();
        let n_bits: u64 = bits.iter().map(|&bits| u64::from(bits)).sum();
        let store = match n_bits {
            0..=64 => Packed::Word(Table::new()),
            65..=128 => Packed::Double(Table::new()),
            _ => Packed::Long(Box::new(Long {
                store: TreeStore::new(),
                bytes: Vec::new(),
            })),
        };
        Tuples { bits, store }
    }

    /// The number of the tuple that starts with `first`, which is added if it is not there, and
    /// whether it was.
    #[inline]
    pub fn insert(
        &mut self,
        first: u32,
        rest: &[u32],
        account: &mut Account,
    ) -> Result<(u32, bool), Full> {
        debug_assert_eq!(rest.len() + 1, self.bits.len(), "a tuple of another length");
        let bits = &self.bits[1..];
        match &mut self.store {
            Packed::Word(table) => {
                let both = rest.iter().zip(bits);
                let key = both.fold(u64::from(first), |key, (&value, &bits)| {
                    debug_assert!(value.checked_shr(bits.into()).unwrap_or(0) == 0, "{value}");
                    // An entry of 64 bits before others does not happen, entries have 32 at most.
                    key << bits | u64::from(value)
                });
                table.insert(key, account)
            }
            Packed::Double(table) => {
                let both = rest.iter().zip(bits);
                let key = both.fold(u128::from(first), |key, (&value, &bits)| {
                    key << bits | u128::from(value)
                });
                table.insert(key, account)
            }
            Packed::Long(long) => long.insert(first, rest, &self.bits, account),
        }
    }

    /// Makes `out` the tuple of that number.
    #[inline]
    pub fn load(&mut self, number: u32, out: &mut [u32]) {
        let both = out.iter_mut().zip(&self.bits).rev();
        match &mut self.store {
            Packed::Word(table) => {
                let mut key = table.key(number);
                for (value, &bits) in both {
                    *value = (key & ((1 << bits) - 1)) as u32;
                    key >>= bits;
                }
            }
            Packed::Double(table) => {
                let mut key = table.key(number);
                for (value, &bits) in both {
                    *value = (key & ((1 << bits) - 1)) as u32;
                    key >>= bits;
                }
            }
            Packed::Long(long) => long.load(number, &self.bits, out),
        }
    }

    /// How many tuples there are.
    pub fn len(&self) -> usize {
        match &self.store {
            Packed::Word(table) => table.len(),
            Packed::Double(table) => table.len(),
            Packed::Long(long) => long.store.len(),
        }
    }
}

/// How many bytes an entry of so many bits has.
#[inline]
fn n_bytes(bits: u8) -> usize {
    usize::from(bits).div_ceil(8)
}

impl Long {
    fn insert(
        &mut self,
        first: u32,
        rest: &[u32],
        bits: &[u8],
        account: &mut Account,
    ) -> Result<(u32, bool), Full> {
        self.bytes.clear();
        let values = std::iter::once(&first).chain(rest);
        for (value, &bits) in values.zip(bits) {
            let bytes = value.to_le_bytes();
            self.bytes.extend_from_slice(&bytes[..n_bytes(bits)]);
        }
        let code = self.store.encode(&self.bytes, account)?;
        Ok(match self.store.insert(code, account)? {
            Inserted::New(node) => (node.index() as u32, true),
            Inserted::Known => {
                let node = self.store.find(code).expect("a known state has a number");
                (node.index() as u32, false)
            }
        })
    }

    fn load(&mut self, number: u32, bits: &[u8], out: &mut [u32]) {
        let mut bytes = std::mem::take(&mut self.bytes);
        self.store.load(NodeId::new(number as usize), &mut bytes);
        let mut at = 0;
        for (value, &bits) in out.iter_mut().zip(bits) {
            let n = n_bytes(bits);
            let mut word = [0; 4];
            word[..n].copy_from_slice(&bytes[at..at + n]);
            *value = u32::from_le_bytes(word);
            at += n;
        }
        self.bytes = bytes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn numbers_are_those_of_a_plain_map_and_tuples_come_back() {
        for seed in 0..60 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let n = [3, 9, 20, 60][seed as usize % 4];
            let sizes: Vec<u32> = (0..n)
                .map(|_| [1, 2, 3, 9, 250, 70_000, u32::MAX][rng.usize(0..7)])
                .collect();
            let mut tuples = Tuples::new(sizes.iter().copied());
            let mut account = Account::new(None);
            let mut plain: HashMap<Vec<u32>, u32> = HashMap::new();
            let mut last: Vec<u32> = sizes.iter().map(|_| 0).collect();
            for _ in 0..500 {
                let at = rng.usize(0..n);
                last[at] = rng.u32(0..sizes[at].min(4)) * (sizes[at] / 4).max(1);
                last[at] = last[at].min(sizes[at] - 1);
                let number = plain.len() as u32;
                let expected = *plain.entry(last.clone()).or_insert(number);
                let found = tuples.insert(last[0], &last[1..], &mut account);
                assert_eq!(found, Ok((expected, expected == number)), "seed {seed}");
            }
            assert_eq!(tuples.len(), plain.len(), "seed {seed}");
            let mut loaded = vec![0; n];
            for (tuple, &number) in &plain {
                tuples.load(number, &mut loaded);
                assert_eq!(&loaded, tuple, "seed {seed}");
            }
        }
    }

    #[test]
    fn lengths_choose_how_tuples_are_kept() {
        let kept = |n: usize| match Tuples::new(std::iter::repeat_n(256, n)).store {
            Packed::Word(_) => 1,
            Packed::Double(_) => 2,
            Packed::Long(_) => 3,
        };
        assert_eq!((kept(8), kept(9), kept(16), kept(17)), (1, 2, 2, 3));
    }
}
