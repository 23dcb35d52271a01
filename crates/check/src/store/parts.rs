//! Strings of bytes that are kept once each and known by number.
//!
//! Strings have *classes*: two strings are the same if their bytes and their classes are, and all
//! strings of a class have one length. Numbers are given out in rows of [`ROW`], and a row belongs
//! to one class, so that a number tells the class. Strings stand side by side in their row and
//! never move far: a row grows to its full size and then stays.
//!
//! Worked example. Class 0 has strings of 3 bytes, class 1 of 5. The first string of class 0 is
//! number 0, the first of class 1 is number 64, the second of class 0 is number 1.
//!
//! Cost: a string takes its bytes, 5 to 7.5 for the index, and half a byte for its row.

use super::index::Index;
use base::memory::{Account, Full, vec_bytes};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// How many numbers a row has.
const ROW: usize = 64;
/// The most numbers: one more must fit into 32 bits.
const NUMBERS_MAX: usize = u32::MAX as usize - ROW;

/// A set of strings with numbers.
#[derive(Default)]
pub(super) struct Parts {
    index: Index,
    classes: Vec<Class>,
    rows: Vec<Row>,
    len: usize,
    /// What the strings take.
    row_bytes: u64,
}

struct Class {
    width: usize,
    /// The row that is not full, if there is one.
    open: Option<u32>,
}

struct Row {
    class: u32,
    len: u32,
    bytes: Vec<u8>,
}

/// A string that is looked up.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    pub class: u32,
    pub bytes: &'a [u8],
}

impl Part<'_> {
    #[inline]
    fn hash(self) -> u64 {
        xxh3_64_with_seed(self.bytes, u64::from(self.class))
    }
}

impl Parts {
    /// How many strings there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// What everything takes.
    pub fn bytes(&self) -> u64 {
        let lists = vec_bytes(&self.classes) + vec_bytes(&self.rows);
        self.index.bytes() + lists + self.row_bytes
    }

    /// A new class of strings of that length.
    pub fn add_class(&mut self, width: usize, account: &mut Account) -> Result<u32, Full> {
        let class = Class { width, open: None };
        account.push(&mut self.classes, class)?;
        Ok(self.classes.len() as u32 - 1)
    }

    /// The string of that number.
    #[inline]
    pub fn part(&self, number: u32) -> Part<'_> {
        let row = &self.rows[number as usize / ROW];
        let width = self.classes[row.class as usize].width;
        Part {
            class: row.class,
            bytes: &row.bytes[number as usize % ROW * width..][..width],
        }
    }

    /// The number of a string.
    #[inline]
    pub fn find(&self, part: Part<'_>) -> Option<u32> {
        if self.index.is_empty() {
            return None;
        }
        self.probe(part, part.hash()).ok()
    }

    /// The number of a string, which is added if it is not there.
    ///
    /// If the account refuses, the string is not added.
    #[inline]
    pub fn insert(&mut self, part: Part<'_>, account: &mut Account) -> Result<u32, Full> {
        let hash = part.hash();
        if !self.index.is_empty()
            && let Ok(number) = self.probe(part, hash)
        {
            return Ok(number);
        }
        self.add(part, hash, account)
    }

    #[inline]
    fn probe(&self, part: Part<'_>, hash: u64) -> Result<u32, usize> {
        self.index.probe(hash, |number| {
            let row = &self.rows[number as usize / ROW];
            let (width, at) = (part.bytes.len(), number as usize % ROW);
            row.class == part.class && is_same(&row.bytes[at * width..][..width], part.bytes)
        })
    }

    /// Adds a string that is not there.
    fn add(&mut self, part: Part<'_>, hash: u64, account: &mut Account) -> Result<u32, Full> {
        let row = self.open_row(part.class, account)?;
        let number = row * ROW + self.rows[row].len as usize;
        if !self.index.has_room(self.len, number) {
            self.index.grow(self.rows.len() * ROW, account)?;
            self.enter_all();
        }
        let bytes = &mut self.rows[row].bytes;
        let before = vec_bytes(bytes);
        account.reserve(bytes, part.bytes.len())?;
        self.row_bytes += vec_bytes(bytes) - before;
        bytes.extend_from_slice(part.bytes);
        self.index.enter(hash, number as u32);
        self.len += 1;
        self.rows[row].len += 1;
        if self.rows[row].len as usize == ROW {
            self.classes[part.class as usize].open = None;
        }
        Ok(number as u32)
    }

    /// A row of a class that has room for a string.
    fn open_row(&mut self, class: u32, account: &mut Account) -> Result<usize, Full> {
        if let Some(row) = self.classes[class as usize].open {
            return Ok(row as usize);
        }
        if self.rows.len() * ROW >= NUMBERS_MAX {
            return Err(Full);
        }
        let row = Row {
            class,
            len: 0,
            bytes: Vec::new(),
        };
        account.push(&mut self.rows, row)?;
        let row = self.rows.len() - 1;
        self.classes[class as usize].open = Some(row as u32);
        Ok(row)
    }

    /// Enters all strings into an index that has none.
    fn enter_all(&mut self) {
        for (row, strings) in self.rows.iter().enumerate() {
            let width = self.classes[strings.class as usize].width;
            for at in 0..strings.len as usize {
                let part = Part {
                    class: strings.class,
                    bytes: &strings.bytes[at * width..][..width],
                };
                self.index.enter(part.hash(), (row * ROW + at) as u32);
            }
        }
    }
}

/// Whether short strings are equal; quicker than a call for those of some dozen bytes.
#[inline]
pub(super) fn is_same(a: &[u8], b: &[u8]) -> bool {
    match (a.last_chunk::<8>(), b.last_chunk::<8>()) {
        (Some(last_a), Some(last_b)) => {
            let (a, b) = (a.as_chunks::<8>().0, b.as_chunks::<8>().0);
            last_a == last_b && a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b)
        }
        _ => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn strings_are_compared_to_the_last_byte() {
        for n in 0..70 {
            let a: Vec<u8> = (0..n).collect();
            assert!(is_same(&a, &a.clone()), "{n} bytes");
            assert!(!is_same(&a, &[&a[..], &[0]].concat()), "{n} bytes");
            for at in 0..usize::from(n) {
                let mut b = a.clone();
                b[at] ^= 1;
                assert!(!is_same(&a, &b), "byte {at} of {n}");
            }
        }
    }

    #[test]
    fn numbers_are_those_of_a_plain_map() {
        for seed in 0..20 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let (mut parts, mut account) = (Parts::default(), Account::new(None));
            let widths: Vec<usize> = (0..rng.usize(1..40)).map(|_| rng.usize(0..50)).collect();
            for &width in &widths {
                parts.add_class(width, &mut account).unwrap();
            }
            let mut plain: HashMap<(u32, Vec<u8>), u32> = HashMap::new();
            for _ in 0..20_000 {
                let class = rng.usize(0..widths.len());
                let value = rng.u16(0..600).to_le_bytes();
                let bytes: Vec<u8> = value.iter().copied().cycle().take(widths[class]).collect();
                let part = Part {
                    class: class as u32,
                    bytes: &bytes,
                };
                let known = plain.get(&(part.class, bytes.clone())).copied();
                assert_eq!(parts.find(part), known, "seed {seed}");
                let number = parts.insert(part, &mut account).unwrap();
                assert!(known.is_none_or(|known| known == number), "seed {seed}");
                assert_eq!(parts.part(number).bytes, bytes, "seed {seed}");
                assert_eq!(parts.part(number).class, part.class, "seed {seed}");
                plain.insert((part.class, bytes), number);
            }
            assert_eq!(parts.len(), plain.len(), "seed {seed}");
            assert_eq!(parts.bytes(), account.used(), "seed {seed}");
        }
    }

    #[test]
    fn a_full_set_refuses_and_still_answers() {
        let (mut parts, mut account) = (Parts::default(), Account::new(Some(200_000)));
        let class = parts.add_class(20, &mut account).unwrap();
        let string = |i: u32| i.to_le_bytes().repeat(5);
        fn part(class: u32, bytes: &[u8]) -> Part<'_> {
            Part { class, bytes }
        }
        let is_refused = |&i: &u32| parts.insert(part(class, &string(i)), &mut account).is_err();
        let n = (0..).find(is_refused).expect("the account is finite");
        assert!(n as usize == parts.len() && n > 4096, "{n} strings");
        assert!(account.peak() <= 200_000 && parts.bytes() == account.used());
        assert!((0..n).all(|i| parts.find(part(class, &string(i))) == Some(i)));
        assert_eq!(parts.find(part(class, &string(n))), None);
    }
}
