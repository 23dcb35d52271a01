//! Codes of states: 64 bits each, whatever its length, and the state can be read back.
//!
//! A state is cut into two parts of similar size, each of them into chunks of 16 bytes. Equal
//! chunks are kept once and known by number. Up to four numbers make a key of 16 bytes again, which
//! is kept once and known by number, and so on, until each half is one number. The state is then
//! the pair of these two: its code. Since a step changes few chunks, and
//! most chunks occur in many states, what all states share is small beside the pairs.
//!
//! Worked example. A state of 100 bytes is cut at byte 64, because a left half has room for four
//! numbers where a right half has three. Its chunks are `c0 c1 c2 c3` and `c4 c5 c6`, the last of
//! them 4 bytes long.
//!
//! ```text
//! left  = (c0 c1 c2 c3)
//! right = (c4 c5 c6 shape)
//! state = (left, right)
//! ```
//!
//! A step that changes byte 20 and byte 70 changes `c1` and `c4`: two chunks, then two keys, then
//! the pair are looked up, all but the pair in a table that is small and near. To know which chunks
//! changed, the store keeps the state that was loaded last together with its numbers.
//!
//! States of different length have different *shapes*. The number of the shape stands in the
//! topmost key of the right half, where any state is seen first when it is read back; a right half
//! of up to 12 bytes is a chunk that bears the shape itself.
//!
//! A chunk and a key of four numbers may have equal bytes; then they have the same number too. That
//! is no confusion, because the shape tells what each number stands for.
//!
//! After A. Laarman, J. van de Pol, M. Weber, *Parallel recursive state compression for free*
//! (SPIN 2011), sections 3 and 4. We depart from it: keys below the pair are four numbers wide
//! (fewer lookups for states of this size), numbers are not places in the hash table (so that
//! tables can grow), and lengths may differ.
//!
//! Cost: little a state if halves are shared; at worst, when every half occurs once, 23 bytes for
//! each half. Time: one lookup for each chunk and key that changed.

use crate::store::table::Table;
use base::memory::{Account, Full, vec_bytes};

/// How many bytes a chunk has.
const CHUNK: usize = 16;
/// How many bytes the chunk of a right half has that bears the shape.
const LAST_CHUNK: usize = 12;
/// How many numbers a key has.
const ARITY: usize = 4;

/// The codes of states: an injective map from states of any length to 64 bits.
#[derive(Default)]
pub struct Tree {
    /// Chunks, and keys of four numbers.
    parts: Table<u128>,
    shapes: Vec<Shape>,
    /// What the shapes take.
    shape_bytes: u64,
    /// The state decoded last.
    near: Expanded,
    /// The state being encoded; only its numbers are used.
    fresh: Numbered,
}

/// A state with the numbers of all its parts.
#[derive(Default)]
pub struct Expanded {
    /// Which shape it has; `None` if there is no state here.
    shape: Option<usize>,
    bytes: Vec<u8>,
    numbers: Vec<u32>,
}

/// The numbers of the parts of a state.
#[derive(Default)]
pub struct Numbered {
    numbers: Vec<u32>,
    /// Which parts were looked up.
    changed: Vec<bool>,
    /// Parts that were looked up lately.
    recent: Recent,
}

/// Parts that were looked up lately, with their numbers. The table of parts is soon larger than
/// what a processor has near; but the states of a level have most of their parts in common.
#[derive(Default)]
struct Recent {
    /// By some bits of the key: a key and its number plus one; 0 where there is none. Empty until
    /// it is worth while.
    entries: Vec<(u64, u64, u32)>,
}

/// How many parts are remembered.
const N_RECENT: usize = 1 << 12;

impl Recent {
    #[inline]
    fn number(
        &mut self,
        key: u128,
        look: impl FnOnce(u128) -> Result<u32, Full>,
    ) -> Result<u32, Full> {
        let (low, high) = (key as u64, (key >> 64) as u64);
        let mixed = (low ^ high.rotate_left(29)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let place = (mixed >> (u64::BITS - N_RECENT.trailing_zeros())) as usize;
        let Some(entry) = self.entries.get_mut(place) else {
            return look(key);
        };
        if entry.0 == low && entry.1 == high && entry.2 != 0 {
            return Ok(entry.2 - 1);
        }
        let number = look(key)?;
        *entry = (low, high, number + 1);
        Ok(number)
    }
}

/// How states of one length are cut. Parts are numbered: chunks in order of bytes, then keys, each
/// after the parts that it is made of. Those of a key stand side by side.
struct Shape {
    length: usize,
    /// First byte and number of bytes of each chunk.
    chunks: Vec<(u32, u32)>,
    /// First part and number of parts of each key.
    keys: Vec<(u32, u32)>,
    /// The key that each part belongs to; the halves have none and say themselves.
    owners: Vec<u32>,
    left: usize,
    right: usize,
}

impl Tree {
    /// No states.
    pub fn new() -> Tree {
        Tree::default()
    }

    /// How many chunks and keys are kept.
    pub fn n_parts(&self) -> usize {
        self.parts.len()
    }

    /// What everything in it takes.
    pub fn bytes(&self) -> u64 {
        self.parts.bytes() + self.shape_bytes
    }

    /// The code of `state`, its parts stored.
    #[inline]
    pub fn encode(&mut self, state: &[u8], account: &mut Account) -> Result<u64, Full> {
        let shape = match self.shape_of(state.len(), self.near.shape) {
            Some(shape) => shape,
            None => self.add_shape(state.len(), account)?,
        };
        let Tree {
            parts,
            shapes,
            near,
            fresh,
            ..
        } = self;
        let plan = &shapes[shape];
        let near = (near.shape == Some(shape)).then_some(&*near);
        fresh.number(plan, shape, near, state, |key| {
            parts.insert(key, account).map(|(number, _)| number)
        })?;
        Ok(fresh.code(plan))
    }

    /// The code of `state`, if all its parts are stored; best it is a small change of `near`.
    #[inline]
    pub fn find(&self, state: &[u8], near: &Expanded, fresh: &mut Numbered) -> Option<u64> {
        let shape = self.shape_of(state.len(), near.shape)?;
        let plan = &self.shapes[shape];
        let near = (near.shape == Some(shape)).then_some(near);
        let look = |key| self.parts.find(key).ok_or(Full);
        fresh.number(plan, shape, near, state, look).ok()?;
        Some(fresh.code(plan))
    }

    /// Makes `out` the state of that code. What is encoded next is best a small change of it.
    pub fn load(&mut self, code: u64, out: &mut Vec<u8>) {
        let mut near = std::mem::take(&mut self.near);
        self.read(code, &mut near);
        out.clear();
        out.extend_from_slice(&near.bytes);
        self.near = near;
    }

    fn shape_of(&self, length: usize, near: Option<usize>) -> Option<usize> {
        // Most steps leave the length as it is.
        let fits = |&shape: &usize| self.shapes[shape].length == length;
        let near = near.filter(fits);
        near.or_else(|| (0..self.shapes.len()).find(fits))
    }

    fn add_shape(&mut self, length: usize, account: &mut Account) -> Result<usize, Full> {
        let shape = Shape::new(length);
        let bytes = shape.bytes();
        account.take(bytes)?;
        let before = vec_bytes(&self.shapes);
        if let Err(full) = account.push(&mut self.shapes, shape) {
            account.give(bytes);
            return Err(full);
        }
        self.shape_bytes += bytes + vec_bytes(&self.shapes) - before;
        Ok(self.shapes.len() - 1)
    }

    /// Makes `near` the state of that code.
    pub fn read(&self, halves: u64, near: &mut Expanded) {
        let (left, right) = ((halves >> 32) as u32, halves as u32);
        let shape = (self.parts.key(right) >> 96) as usize;
        let plan = &self.shapes[shape];
        near.shape = Some(shape);
        near.numbers.resize(plan.owners.len(), 0);
        near.numbers[plan.left] = left;
        near.numbers[plan.right] = right;
        for (i, &(first, n)) in plan.keys.iter().enumerate().rev() {
            let mut key = self.parts.key(near.numbers[plan.chunks.len() + i]);
            for number in &mut near.numbers[first as usize..(first + n) as usize] {
                *number = key as u32;
                key >>= 32;
            }
        }
        near.bytes.resize(plan.length, 0);
        for (&(at, n), &number) in plan.chunks.iter().zip(&near.numbers) {
            let chunk = self.parts.key(number).to_le_bytes();
            near.bytes[at as usize..(at + n) as usize].copy_from_slice(&chunk[..n as usize]);
        }
    }
}

impl Expanded {
    /// The state.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl Numbered {
    /// From now on remembers the parts that were looked up lately, for a search that lasts.
    pub fn remember(&mut self) {
        self.recent.entries = vec![(0, 0, 0); N_RECENT];
    }

    /// Makes the numbers those of `state`, looked up where `near` has others.
    #[inline]
    fn number(
        &mut self,
        plan: &Shape,
        shape: usize,
        near: Option<&Expanded>,
        state: &[u8],
        mut look: impl FnMut(u128) -> Result<u32, Full>,
    ) -> Result<(), Full> {
        self.start(plan, near);
        for (part, &(at, n)) in plan.chunks.iter().enumerate() {
            let chunk = chunk(state, at as usize, n as usize);
            if near.is_none_or(|near| self::chunk(&near.bytes, at as usize, n as usize) != chunk) {
                let key = plan.with_shape(part, chunk, shape);
                self.numbers[part] = self.recent.number(key, &mut look)?;
                self.changed[plan.owners[part] as usize] = true;
            }
        }
        for (i, &(first, n)) in plan.keys.iter().enumerate() {
            let part = plan.chunks.len() + i;
            if self.changed[part] || near.is_none() {
                let key = key_of(&self.numbers[first as usize..(first + n) as usize]);
                let key = plan.with_shape(part, key, shape);
                self.numbers[part] = self.recent.number(key, &mut look)?;
                self.changed[plan.owners[part] as usize] = true;
            }
        }
        Ok(())
    }

    /// The numbers of `near`, if it is given, and nothing changed yet.
    fn start(&mut self, plan: &Shape, near: Option<&Expanded>) {
        self.numbers.clear();
        match near {
            Some(near) => self.numbers.extend_from_slice(&near.numbers),
            None => self.numbers.resize(plan.owners.len(), 0),
        }
        self.changed.clear();
        self.changed.resize(plan.owners.len(), false);
    }

    #[inline]
    fn code(&self, plan: &Shape) -> u64 {
        let half = |part: usize| u64::from(self.numbers[part]);
        half(plan.left) << 32 | half(plan.right)
    }
}

impl Shape {
    /// How states of `length` bytes are cut.
    fn new(length: usize) -> Shape {
        let middle = middle(length);
        let mut shape = Shape {
            length,
            chunks: Vec::new(),
            keys: Vec::new(),
            owners: Vec::new(),
            left: 0,
            right: 0,
        };
        let left = shape.cut(0, middle, CHUNK);
        let right = shape.cut(middle, length, LAST_CHUNK);
        shape.owners = (0..shape.chunks.len() as u32).collect();
        shape.left = shape.gather(left, ARITY);
        shape.right = shape.gather(right, ARITY - 1);
        shape
    }

    /// Adds the chunks of some bytes: one if there are at most `alone` bytes. Gives the parts.
    fn cut(&mut self, start: usize, end: usize, alone: usize) -> std::ops::Range<usize> {
        let first = self.chunks.len();
        if end - start <= alone {
            self.chunks.push((start as u32, (end - start) as u32));
        } else {
            for at in (start..end).step_by(CHUNK) {
                self.chunks.push((at as u32, (end - at).min(CHUNK) as u32));
            }
        }
        first..self.chunks.len()
    }

    /// Adds keys until one part is left, whose key has at most `top` parts. Gives that part.
    fn gather(&mut self, mut parts: std::ops::Range<usize>, top: usize) -> usize {
        // A chunk of 13 to 16 bytes has no room for the shape.
        let n_bytes: usize = parts.clone().map(|part| self.chunks[part].1 as usize).sum();
        let fits = n_bytes <= if top < ARITY { LAST_CHUNK } else { CHUNK };
        if parts.len() == 1 && fits {
            return parts.start;
        }
        loop {
            let first = self.owners.len();
            let width = if parts.len() <= top { top } else { ARITY };
            for at in parts.clone().step_by(width) {
                let n = width.min(parts.end - at);
                let part = self.owners.len();
                self.keys.push((at as u32, n as u32));
                self.owners[at..at + n].fill(part as u32);
                self.owners.push(part as u32);
            }
            let was_top = parts.len() <= top;
            parts = first..self.owners.len();
            if was_top {
                assert_eq!(parts.len(), 1, "a half is one part");
                return parts.start;
            }
        }
    }

    /// The key of a part, with the number of the shape if that is its place.
    fn with_shape(&self, part: usize, key: u128, shape: usize) -> u128 {
        if part == self.right {
            key | (shape as u128) << 96
        } else {
            key
        }
    }

    fn bytes(&self) -> u64 {
        vec_bytes(&self.chunks) + vec_bytes(&self.keys) + vec_bytes(&self.owners)
    }
}

/// Where a state is cut: where chunks fit, at the start of one.
fn middle(length: usize) -> usize {
    let (left, all) = (ARITY, 2 * ARITY - 1);
    if length <= CHUNK + LAST_CHUNK {
        (length * left).div_ceil(all)
    } else {
        (length * left / all + CHUNK / 2) / CHUNK * CHUNK
    }
}

/// Up to 16 bytes of a state, zeros behind them.
#[inline]
fn chunk(state: &[u8], at: usize, n: usize) -> u128 {
    let end = at + n;
    // Sixteen bytes at once, those before the chunk shifted out, are much faster than a copy.
    if n > 0 && end >= CHUNK {
        let bytes: [u8; CHUNK] = state[end - CHUNK..end].try_into().expect("16 bytes");
        return u128::from_le_bytes(bytes) >> (8 * (CHUNK - n));
    }
    let mut bytes = [0; CHUNK];
    bytes[..n].copy_from_slice(&state[at..end]);
    u128::from_le_bytes(bytes)
}

/// Up to four numbers as a key, zeros behind them.
#[inline]
fn key_of(numbers: &[u32]) -> u128 {
    let high_first = numbers.iter().rev();
    high_first.fold(0, |key, &number| key << 32 | u128::from(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_whose_parts_are_stored_is_found_and_no_other() {
        for seed in 0..40 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let (mut tree, mut account) = (Tree::new(), Account::new(None));
            let (mut near, mut fresh) = (Expanded::default(), Numbered::default());
            let mut known = std::collections::HashMap::new();
            for _ in 0..400 {
                let state: Vec<u8> = (0..rng.usize(0..60)).map(|_| rng.u8(0..2)).collect();
                let found = tree.find(&state, &near, &mut fresh);
                assert!(
                    found.is_some() || !known.contains_key(&state),
                    "seed {seed}"
                );
                let code = tree.encode(&state, &mut account).unwrap();
                assert!(found.is_none_or(|found| found == code), "seed {seed}");
                assert_eq!(tree.find(&state, &near, &mut fresh), Some(code));
                assert_eq!(*known.entry(state.clone()).or_insert(code), code);
                if rng.bool() {
                    tree.read(code, &mut near);
                    assert_eq!(near.bytes(), state, "seed {seed}");
                }
            }
            assert_eq!(tree.bytes(), account.used(), "seed {seed}");
        }
    }

    #[test]
    fn every_length_is_cut_without_gaps() {
        for length in 0..2000 {
            let shape = Shape::new(length);
            let mut at = 0;
            for &(start, n) in &shape.chunks {
                assert!(start == at && n as usize <= CHUNK, "length {length}");
                at += n;
            }
            assert_eq!(at as usize, length);
            let n_parts = shape.chunks.len() + shape.keys.len();
            assert_eq!(shape.owners.len(), n_parts, "length {length}");
            for part in 0..n_parts {
                let owner = shape.owners[part] as usize;
                let is_half = part == shape.left || part == shape.right;
                assert_eq!(owner == part, is_half, "length {length}, part {part}");
                assert!(owner >= part, "length {length}, part {part}");
            }
            // The topmost key of a right half has room for the shape.
            match shape.right.checked_sub(shape.chunks.len()) {
                Some(key) => assert!(shape.keys[key].1 <= 3, "length {length}"),
                None => assert!(shape.chunks[shape.right].1 <= 12, "length {length}"),
            }
        }
    }

    #[test]
    fn the_shape_of_the_worked_example() {
        let shape = Shape::new(100);
        let starts: Vec<u32> = shape.chunks.iter().map(|chunk| chunk.0).collect();
        assert_eq!(starts, [0, 16, 32, 48, 64, 80, 96]);
        assert_eq!(shape.keys, [(0, 4), (4, 3)]);
        assert_eq!((shape.left, shape.right), (7, 8));
    }
}
