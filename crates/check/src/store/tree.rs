//! An exact store in which a state takes a few bytes, whatever its length.
//!
//! A state is cut into two parts of similar size, each of them into chunks of 16 bytes. Equal
//! chunks are kept once and known by number. Up to four numbers make a key of 16 bytes again, which
//! is kept once and known by number, and so on, until each half is one number. The state is then
//! the pair of these two: 8 bytes, and its share of an index. Since a step changes few chunks, and
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
//! Cost: 8 bytes and 5 to 7.5 for the index a state, if halves are shared; at worst, when every
//! half occurs once, 23 more for each half. Time: one lookup for each chunk and key that changed.

use crate::Guarantee;
use crate::store::table::Table;
use crate::store::{Code, Inserted, NodeId, Recall, Store};
use base::memory::{Account, Full, vec_bytes};

/// How many bytes a chunk has.
const CHUNK: usize = 16;
/// How many bytes the chunk of a right half has that bears the shape.
const LAST_CHUNK: usize = 12;
/// How many numbers a key has.
const ARITY: usize = 4;

/// An exact store of states of any length.
#[derive(Default)]
pub struct TreeStore {
    /// The states, as pairs of halves.
    pairs: Table<u64>,
    /// Chunks, and keys of four numbers.
    parts: Table<u128>,
    shapes: Vec<Shape>,
    /// What the shapes take.
    shape_bytes: u64,
    /// The state loaded last.
    near: Expanded,
    /// The state being encoded; only its numbers are used.
    fresh: Expanded,
}

/// A state with the numbers of all its parts.
#[derive(Default)]
struct Expanded {
    /// Which shape it has; `None` if there is no state here.
    shape: Option<usize>,
    bytes: Vec<u8>,
    numbers: Vec<u32>,
    /// Which parts were looked up.
    changed: Vec<bool>,
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

impl TreeStore {
    /// No states.
    pub fn new() -> TreeStore {
        TreeStore::default()
    }

    /// How many chunks and keys are kept.
    pub fn n_parts(&self) -> usize {
        self.parts.len()
    }

    /// The number of the state of that code.
    pub fn find(&self, code: Code) -> Option<NodeId> {
        let number = self.pairs.find(code.0)?;
        Some(NodeId::new(number as usize))
    }

    /// Makes `out` the state of that number.
    pub fn load(&mut self, node: NodeId, out: &mut Vec<u8>) {
        self.expand(node);
        out.clear();
        out.extend_from_slice(&self.near.bytes);
    }

    fn shape_of(&self, length: usize) -> Option<usize> {
        // Most steps leave the length as it is.
        let fits = |&shape: &usize| self.shapes[shape].length == length;
        let near = self.near.shape.filter(fits);
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

    /// Makes `fresh.numbers` those of `state`, its parts stored.
    fn number(&mut self, shape: usize, state: &[u8], account: &mut Account) -> Result<(), Full> {
        let plan = &self.shapes[shape];
        let fresh = &mut self.fresh;
        let near = (self.near.shape == Some(shape)).then_some(&self.near);
        fresh.start(plan, near);
        for (part, &(at, n)) in plan.chunks.iter().enumerate() {
            let chunk = chunk(state, at as usize, n as usize);
            if near.is_none_or(|near| self::chunk(&near.bytes, at as usize, n as usize) != chunk) {
                let key = plan.with_shape(part, chunk, shape);
                fresh.numbers[part] = self.parts.insert(key, account)?.0;
                fresh.changed[plan.owners[part] as usize] = true;
            }
        }
        for (i, &(first, n)) in plan.keys.iter().enumerate() {
            let part = plan.chunks.len() + i;
            if fresh.changed[part] || near.is_none() {
                let key = key_of(&fresh.numbers[first as usize..(first + n) as usize]);
                let key = plan.with_shape(part, key, shape);
                fresh.numbers[part] = self.parts.insert(key, account)?.0;
                fresh.changed[plan.owners[part] as usize] = true;
            }
        }
        Ok(())
    }

    /// Makes `near` the state of that number.
    fn expand(&mut self, node: NodeId) {
        let halves = self.pairs.key(node.index() as u32);
        let (left, right) = ((halves >> 32) as u32, halves as u32);
        let shape = (self.parts.key(right) >> 96) as usize;
        let plan = &self.shapes[shape];
        let near = &mut self.near;
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

impl Store for TreeStore {
    fn encode(&mut self, state: &[u8], account: &mut Account) -> Result<Code, Full> {
        let shape = match self.shape_of(state.len()) {
            Some(shape) => shape,
            None => self.add_shape(state.len(), account)?,
        };
        self.number(shape, state, account)?;
        let plan = &self.shapes[shape];
        let numbers = &self.fresh.numbers;
        Ok(pair(numbers[plan.left], numbers[plan.right]))
    }

    fn insert(&mut self, code: Code, account: &mut Account) -> Result<Inserted, Full> {
        self.pairs.put(code.0, account)
    }

    fn contains(&self, code: Code) -> bool {
        self.pairs.find(code.0).is_some()
    }

    fn len(&self) -> usize {
        self.pairs.len()
    }

    fn bytes(&self) -> u64 {
        self.pairs.bytes() + self.parts.bytes() + self.shape_bytes
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }
}

impl Recall for TreeStore {
    fn load(&mut self, node: NodeId, out: &mut Vec<u8>) {
        TreeStore::load(self, node, out);
    }
}

impl Expanded {
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

#[inline]
fn pair(left: u32, right: u32) -> Code {
    Code(u64::from(left) << 32 | u64::from(right))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn insert(
        store: &mut TreeStore,
        state: &[u8],
        account: &mut Account,
    ) -> Result<Inserted, Full> {
        let code = store.encode(state, account)?;
        store.insert(code, account)
    }

    /// A state that differs a little from another.
    fn neighbour(rng: &mut fastrand::Rng, state: &[u8]) -> Vec<u8> {
        let mut next = state.to_vec();
        for _ in 0..rng.usize(0..4).min(next.len()) {
            let at = rng.usize(0..next.len());
            next[at] = rng.u8(0..3);
        }
        match rng.u8(0..20) {
            0 => next.extend((0..rng.usize(0..9)).map(|_| rng.u8(0..3))),
            1 => next.truncate(next.len() - next.len().min(rng.usize(0..9))),
            _ => {}
        }
        next
    }

    #[test]
    fn numbers_are_those_of_a_plain_map_and_states_come_back() {
        for seed in 0..60 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let (mut store, mut account) = (TreeStore::new(), Account::new(None));
            let mut plain: HashMap<Vec<u8>, usize> = HashMap::new();
            let mut states = vec![vec![0; rng.usize(0..300)]];
            let mut loaded = Vec::new();
            for _ in 0..1500 {
                let near = rng.usize(0..states.len());
                let state = neighbour(&mut rng, &states[near]);
                if near < store.len() && rng.bool() {
                    store.load(NodeId::new(near), &mut loaded);
                }
                let known = plain.contains_key(&state);
                let code = store.encode(&state, &mut account).unwrap();
                assert_eq!(store.contains(code), known, "seed {seed}");
                let expected = if known {
                    Inserted::Known
                } else {
                    Inserted::New(NodeId::new(plain.len()))
                };
                let inserted = store.insert(code, &mut account);
                assert_eq!(inserted, Ok(expected), "seed {seed}");
                if !known {
                    plain.insert(state.clone(), plain.len());
                    states.push(state);
                }
            }
            assert_eq!(store.bytes(), account.used(), "seed {seed}");
            for (state, &number) in &plain {
                store.load(NodeId::new(number), &mut loaded);
                assert_eq!(&loaded, state, "seed {seed}");
            }
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

    #[test]
    fn states_that_differ_only_in_length_are_different() {
        let (mut store, mut account) = (TreeStore::new(), Account::new(None));
        for length in 0..400 {
            let state = vec![0; length];
            let inserted = insert(&mut store, &state, &mut account);
            assert_eq!(inserted, Ok(Inserted::New(NodeId::new(length))));
        }
    }

    #[test]
    fn a_refused_state_is_not_stored() {
        for bytes_max in (0..600_000).step_by(20_000) {
            let (mut store, mut account) = (TreeStore::new(), Account::new(Some(bytes_max)));
            let state = |i: u32| [i.to_le_bytes(), (i * 77).to_le_bytes()].concat().repeat(5);
            let n = (0..).find(|&i| insert(&mut store, &state(i), &mut account).is_err());
            let n = n.expect("the account is finite");
            assert_eq!(store.len(), n as usize, "{bytes_max} bytes");
            assert!(account.peak() <= bytes_max && store.bytes() == account.used());
            let mut loaded = Vec::new();
            for i in 0..n {
                store.load(NodeId::new(i as usize), &mut loaded);
                assert_eq!(loaded, state(i), "{bytes_max} bytes");
            }
        }
    }

    #[test]
    fn a_state_of_a_large_space_takes_few_bytes() {
        // Six processes of 16 bytes, ten local states each: a million states of 96 bytes, of which
        // every tenth is stored.
        let (mut store, mut account) = (TreeStore::new(), Account::new(None));
        for i in 0..100_000_u32 {
            let digit = |place: u32| (i * 10 / 10_u32.pow(place) % 10) as u8;
            let state: Vec<u8> = (0..6).flat_map(|place| [digit(place); 16]).collect();
            insert(&mut store, &state, &mut account).unwrap();
        }
        let bytes = store.bytes() / 100_000;
        assert!((13..20).contains(&bytes), "{bytes} bytes a state");
    }
}
