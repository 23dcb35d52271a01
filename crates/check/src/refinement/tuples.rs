//! A set of tuples of small numbers, each with a number: 0, 1, 2, … in the order of arrival.
//!
//! How large each entry of a tuple can be is known, so that each has as many bits as it needs. A
//! tuple of up to 64 bits is a key of a hash table, and so is one of up to 128; longer ones are
//! bytes in a [`TreeStore`], where parts that tuples share are kept once.
//!
//! For a search tuples are states in bytes ([`Layout`]): 8 or 16 of them, the word with the lowest
//! byte first, or as many as the entries have, each in whole bytes.
//!
//! Worked example. Entries below 3, 6 and 200 need 2, 3 and 8 bits; `(2, 5, 130)` is the word
//! `10 101 10000010`, in bytes `82 15 0 0 0 0 0 0`, hexadecimal.

use crate::Guarantee;
use crate::store::table::Table;
use crate::store::trees::TreeStore;
use crate::store::{Code, Inserted, NodeId, Recall, Store};
use base::memory::{Account, Full};

/// How tuples are packed.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Bits of each entry.
    bits: Vec<u8>,
    width: Width,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Width {
    Word,
    Double,
    Long,
}

impl Layout {
    /// That of tuples whose entries are less than these.
    pub fn new(sizes: impl Iterator<Item = u32>) -> Layout {
        let bits = sizes.map(|size| (u32::BITS - size.saturating_sub(1).leading_zeros()) as u8);
        let bits: Vec<u8> = bits.collect();
        let n_bits: u64 = bits.iter().map(|&bits| u64::from(bits)).sum();
        let width = match n_bits {
            0..=64 => Width::Word,
            65..=128 => Width::Double,
            _ => Width::Long,
        };
        Layout { bits, width }
    }

    /// How many entries a tuple has.
    pub fn len(&self) -> usize {
        self.bits.len()
    }

    /// How many bytes a tuple has.
    pub fn n_bytes(&self) -> usize {
        match self.width {
            Width::Word => 8,
            Width::Double => 16,
            Width::Long => self.bits.iter().map(|&bits| n_bytes(bits)).sum(),
        }
    }

    /// Makes `out` the tuple that starts with `first`, in bytes.
    ///
    /// # Requires
    /// `out` has [`Layout::n_bytes`].
    #[inline]
    pub fn pack(&self, first: u32, rest: &[u32], out: &mut [u8]) {
        match self.width {
            Width::Word => out.copy_from_slice(&self.word(first, rest).to_le_bytes()),
            Width::Double => out.copy_from_slice(&self.double(first, rest).to_le_bytes()),
            Width::Long => {
                let mut at = 0;
                let values = std::iter::once(&first).chain(rest);
                for (value, &bits) in values.zip(&self.bits) {
                    let n = n_bytes(bits);
                    out[at..at + n].copy_from_slice(&value.to_le_bytes()[..n]);
                    at += n;
                }
            }
        }
    }

    /// Makes `out` the tuple of which these are the bytes.
    #[inline]
    pub fn unpack(&self, bytes: &[u8], out: &mut [u32]) {
        match self.width {
            Width::Word => self.split(word_of(bytes), out),
            Width::Double => self.split_double(double_of(bytes), out),
            Width::Long => {
                let mut at = 0;
                for (value, &bits) in out.iter_mut().zip(&self.bits) {
                    let n = n_bytes(bits);
                    let mut word = [0; 4];
                    word[..n].copy_from_slice(&bytes[at..at + n]);
                    *value = u32::from_le_bytes(word);
                    at += n;
                }
            }
        }
    }

    #[inline]
    fn word(&self, first: u32, rest: &[u32]) -> u64 {
        let both = rest.iter().zip(&self.bits[1..]);
        both.fold(u64::from(first), |key, (&value, &bits)| {
            debug_assert!(value.checked_shr(bits.into()).unwrap_or(0) == 0, "{value}");
            // An entry of 64 bits before others does not happen, entries have 32 at most.
            key << bits | u64::from(value)
        })
    }

    #[inline]
    fn double(&self, first: u32, rest: &[u32]) -> u128 {
        let both = rest.iter().zip(&self.bits[1..]);
        both.fold(u128::from(first), |key, (&value, &bits)| {
            key << bits | u128::from(value)
        })
    }

    #[inline]
    fn split(&self, mut key: u64, out: &mut [u32]) {
        for (value, &bits) in out.iter_mut().zip(&self.bits).rev() {
            *value = (key & ((1 << bits) - 1)) as u32;
            key >>= bits;
        }
    }

    #[inline]
    fn split_double(&self, mut key: u128, out: &mut [u32]) {
        for (value, &bits) in out.iter_mut().zip(&self.bits).rev() {
            *value = (key & ((1 << bits) - 1)) as u32;
            key >>= bits;
        }
    }
}

/// How many bytes an entry of so many bits has.
#[inline]
fn n_bytes(bits: u8) -> usize {
    usize::from(bits).div_ceil(8)
}

#[inline]
fn word_of(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(bytes.try_into().expect("a word"))
}

#[inline]
fn double_of(bytes: &[u8]) -> u128 {
    u128::from_le_bytes(bytes.try_into().expect("a double word"))
}

/// A set of tuples with numbers; for a search, a store of tuples in bytes.
pub struct Tuples {
    layout: Layout,
    store: Packed,
    /// A tuple in bytes.
    bytes: Vec<u8>,
}

enum Packed {
    Word(Table<u64>),
    Double(Box<Double>),
    Long(Box<TreeStore>),
}

/// Tuples of two words.
#[derive(Default)]
struct Double {
    stored: Table<u128>,
    /// Those whose code was asked for, which is their number here: a code has 64 bits only.
    encoded: Table<u128>,
}

impl Tuples {
    /// No tuples; their entries will be less than these.
    pub fn new(sizes: impl Iterator<Item = u32>) -> Tuples {
        Tuples::with(Layout::new(sizes))
    }

    /// No tuples; they will be packed like this.
    pub fn with(layout: Layout) -> Tuples {
        let store = match layout.width {
            Width::Word => Packed::Word(Table::new()),
            Width::Double => Packed::Double(Box::default()),
            Width::Long => Packed::Long(Box::default()),
        };
        Tuples {
            bytes: vec![0; layout.n_bytes()],
            layout,
            store,
        }
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
        debug_assert_eq!(rest.len() + 1, self.layout.len(), "of another length");
        match &mut self.store {
            Packed::Word(table) => table.insert(self.layout.word(first, rest), account),
            Packed::Double(both) => {
                let key = self.layout.double(first, rest);
                both.stored.insert(key, account)
            }
            Packed::Long(tree) => {
                self.layout.pack(first, rest, &mut self.bytes);
                let code = tree.encode(&self.bytes, account)?;
                Ok(match tree.insert(code, account)? {
                    Inserted::New(node) => (node.index() as u32, true),
                    Inserted::Known => {
                        let node = tree.find(code).expect("a known state has a number");
                        (node.index() as u32, false)
                    }
                })
            }
        }
    }

    /// Makes `out` the tuple of that number.
    #[inline]
    pub fn tuple(&mut self, number: u32, out: &mut [u32]) {
        match &mut self.store {
            Packed::Word(table) => self.layout.split(table.key(number), out),
            Packed::Double(both) => self.layout.split_double(both.stored.key(number), out),
            Packed::Long(tree) => {
                tree.load(NodeId::new(number as usize), &mut self.bytes);
                self.layout.unpack(&self.bytes, out);
            }
        }
    }
}

impl Store for Tuples {
    fn encode(&mut self, state: &[u8], account: &mut Account) -> Result<Code, Full> {
        match &mut self.store {
            Packed::Word(_) => Ok(Code(word_of(state))),
            Packed::Double(both) => {
                let (number, _) = both.encoded.insert(double_of(state), account)?;
                Ok(Code(number.into()))
            }
            Packed::Long(tree) => tree.encode(state, account),
        }
    }

    fn insert(&mut self, code: Code, account: &mut Account) -> Result<Inserted, Full> {
        match &mut self.store {
            Packed::Word(table) => table.put(code.0, account),
            Packed::Double(both) => {
                let key = both.encoded.key(code.0 as u32);
                both.stored.put(key, account)
            }
            Packed::Long(tree) => tree.insert(code, account),
        }
    }

    #[inline]
    fn put(&mut self, state: &[u8], account: &mut Account) -> Result<Inserted, Full> {
        match &mut self.store {
            Packed::Word(table) => table.put(word_of(state), account),
            Packed::Double(both) => both.stored.put(double_of(state), account),
            Packed::Long(tree) => tree.put(state, account),
        }
    }

    fn contains(&self, code: Code) -> bool {
        match &self.store {
            Packed::Word(table) => table.find(code.0).is_some(),
            Packed::Double(both) => {
                let key = both.encoded.key(code.0 as u32);
                both.stored.find(key).is_some()
            }
            Packed::Long(tree) => tree.contains(code),
        }
    }

    fn len(&self) -> usize {
        match &self.store {
            Packed::Word(table) => table.len(),
            Packed::Double(both) => both.stored.len(),
            Packed::Long(tree) => tree.len(),
        }
    }

    fn bytes(&self) -> u64 {
        match &self.store {
            Packed::Word(table) => table.bytes(),
            Packed::Double(both) => both.stored.bytes() + both.encoded.bytes(),
            Packed::Long(tree) => tree.bytes(),
        }
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }
}

impl Recall for Tuples {
    #[inline]
    fn load(&mut self, node: NodeId, out: &mut Vec<u8>) {
        out.clear();
        let number = node.index() as u32;
        match &mut self.store {
            Packed::Word(table) => out.extend_from_slice(&table.key(number).to_le_bytes()),
            Packed::Double(both) => {
                out.extend_from_slice(&both.stored.key(number).to_le_bytes());
            }
            Packed::Long(tree) => tree.load(node, out),
        }
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
                tuples.tuple(number, &mut loaded);
                assert_eq!(&loaded, tuple, "seed {seed}");
            }
        }
    }

    #[test]
    fn tuples_in_bytes_are_stored_like_tuples() {
        for seed in 0..60 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let n = [3, 9, 20, 60][seed as usize % 4];
            let sizes: Vec<u32> = (0..n).map(|_| [1, 2, 9, 70_000][rng.usize(0..4)]).collect();
            let layout = Layout::new(sizes.iter().copied());
            let [mut plain, mut put, mut coded] =
                std::array::from_fn(|_| Tuples::with(layout.clone()));
            let mut account = Account::new(None);
            let (mut bytes, mut back) = (vec![0; layout.n_bytes()], vec![0; n]);
            for _ in 0..300 {
                let tuple: Vec<u32> = sizes.iter().map(|&size| rng.u32(0..size.min(3))).collect();
                layout.pack(tuple[0], &tuple[1..], &mut bytes);
                layout.unpack(&bytes, &mut back);
                assert_eq!(back, tuple, "seed {seed}");
                let expected = plain.insert(tuple[0], &tuple[1..], &mut account);
                let expected = expected.map(|(number, is_new)| {
                    let new = is_new.then_some(NodeId::new(number as usize));
                    new.map_or(Inserted::Known, Inserted::New)
                });
                let code = coded.encode(&bytes, &mut account).unwrap();
                let known = coded.contains(code);
                assert_eq!(known, expected == Ok(Inserted::Known), "seed {seed}");
                let found = Store::insert(&mut coded, code, &mut account);
                assert_eq!(found, expected, "seed {seed}");
                assert_eq!(put.put(&bytes, &mut account), expected, "seed {seed}");
            }
            for number in 0..plain.len() {
                plain.tuple(number as u32, &mut back);
                for store in [&mut put, &mut coded] {
                    let mut tuple = vec![0; n];
                    store.load(NodeId::new(number), &mut bytes);
                    layout.unpack(&bytes, &mut tuple);
                    assert_eq!(tuple, back, "seed {seed}");
                }
            }
            let all = plain.bytes() + put.bytes() + coded.bytes();
            assert_eq!(all, account.used(), "seed {seed}");
        }
    }

    #[test]
    fn the_worked_example() {
        let layout = Layout::new([3, 6, 200].into_iter());
        let mut bytes = [0; 8];
        layout.pack(2, &[5, 130], &mut bytes);
        assert_eq!(bytes, [0x82, 0x15, 0, 0, 0, 0, 0, 0]);
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
