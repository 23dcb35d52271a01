//! Codes of states: 64 bits each, whatever its length, and the state can be read back.
//!
//! A state is cut into two halves. Equal halves are kept once and known by number, and the state is
//! the pair of the numbers of its halves: its code. Since a step changes few bytes, and a half
//! occurs in many states, what all states share is small beside the pairs.
//!
//! Halves of long states are shared less. So a half of more than [`ALONE`] bytes is cut into
//! chunks; equal chunks are kept once and known by number. Up to eight numbers make a key, which is
//! kept once and known by number, and so on, until the half is one number.
//!
//! Where states are best cut depends on which bytes vary, and which vary together. A tree begins
//! with the middle; when some thousand states are known, [`Cuts`] says which halves would be shared
//! most, and the states get new codes in a new tree. The bytes of a half need not stand together.
//!
//! Worked example. A state of 60 bytes has halves of 30 bytes, and its code is the pair of their
//! numbers. A state of 160 bytes is cut at byte 72, where a chunk of 24 bytes begins:
//!
//! ```text
//! left  = (c0 c1 c2)
//! right = (c3 c4 c5 c6)
//! state = (left, right)
//! ```
//!
//! A step that changes byte 30 and byte 100 changes `c1` and `c4`: two chunks, then two keys, then
//! the pair are looked up, all but the pair in a table that is small and near. To know which chunks
//! changed, the store keeps the state that was loaded last together with its numbers.
//!
//! States of different length have different *shapes*. Right halves of a shape are a class of their
//! own ([`Parts`]), so that the number of a right half tells the shape. Other parts of equal length
//! have one class: a chunk and a key of equal bytes then have the same number, and that is no
//! confusion, because the shape tells what each number stands for.
//!
//! After A. Laarman, J. van de Pol, M. Weber, *Parallel recursive state compression for free*
//! (SPIN 2011), sections 3 and 4. We depart from it: a tree of one level for states of usual size,
//! since most of the time goes into looking up inner nodes; numbers are not places in the hash
//! table (so that tables can grow), and lengths may differ.
//!
//! Cost: little a state if halves are shared; at worst, when every half occurs once, its bytes and
//! 8 more for each half. Time: one lookup for each chunk and key that changed.

use super::cuts::{Cut, Cuts};
use super::half::{Half, Halves};
use super::parts::{Part, Parts};
use base::memory::{Account, Full, vec_bytes};
use std::ops::Range;

/// How many bytes a half has that is not cut, if nothing is known of the states.
pub(super) const ALONE: usize = 48;
/// How many bytes a chunk has.
pub(super) const CHUNK: usize = 24;
/// How many numbers a key has.
const ARITY: usize = 8;

/// The codes of states: an injective map from states of any length to 64 bits.
#[derive(Default)]
pub struct Tree {
    parts: Parts,
    shapes: Vec<Shape>,
    /// The class of parts that tell no shape, by their length plus one; 0 where there is none.
    by_width: Vec<u32>,
    /// The shape that each class tells, if it does.
    shape_of_class: Vec<Option<u32>>,
    /// What the shapes take.
    shape_bytes: u64,
    /// Where states are cut, as far as it is known.
    cuts: Cuts,
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
    /// Bytes of a half that stand apart in the state.
    half: Vec<u8>,
}

/// Why a state has no code yet: parts of it are not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Missing {
    /// The code as far as it is known.
    known: u64,
    has_left: bool,
    has_right: bool,
}

impl Missing {
    const ALL: Missing = Missing {
        known: 0,
        has_left: false,
        has_right: false,
    };
}

/// How states of one length are cut. Parts are numbered: chunks in order of bytes, then keys, each
/// after the parts that it is made of. Those of a key stand side by side.
struct Shape {
    length: usize,
    /// The bytes of both parts, if there are no others.
    halves: Option<Halves>,
    /// First byte and number of bytes of each chunk.
    chunks: Vec<(u32, u32)>,
    /// First part and number of parts of each key.
    keys: Vec<(u32, u32)>,
    /// The key that each part belongs to; the halves have none and say themselves.
    owners: Vec<u32>,
    /// The class of each part.
    classes: Vec<u32>,
    left: usize,
    right: usize,
}

impl Tree {
    /// No states.
    pub fn new() -> Tree {
        Tree::default()
    }

    /// No states; they will be cut as is said.
    pub fn with(cuts: Cuts) -> Tree {
        Tree {
            cuts,
            ..Tree::default()
        }
    }

    /// Where states are cut, as far as it is known.
    pub fn cuts(&self) -> &Cuts {
        &self.cuts
    }

    /// How many chunks and keys are kept.
    pub fn n_parts(&self) -> usize {
        self.parts.len()
    }

    /// What everything in it takes.
    pub fn bytes(&self) -> u64 {
        let lists = vec_bytes(&self.by_width) + vec_bytes(&self.shape_of_class);
        self.parts.bytes() + vec_bytes(&self.shapes) + lists + self.shape_bytes
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
        let mut look = |part: Part<'_>| parts.insert(part, account);
        let Some(halves) = &plan.halves else {
            fresh.number(plan, near, state, look)?;
            return Ok(fresh.code(plan));
        };
        let [left_is, right_is] = halves.numbers_in(near, state);
        let mut half =
            |part: usize, half: &Half| look(plan.part(part, half.of(state, &mut fresh.half)));
        let left = match left_is {
            Some(number) => number,
            None => half(plan.left, &halves.left)?,
        };
        let right = match right_is {
            Some(number) => number,
            None => half(plan.right, &halves.right)?,
        };
        Ok(pair(left, right))
    }

    /// The code of `state`, if all its parts are stored; best it is a small change of `near`.
    #[inline]
    pub fn find(
        &self,
        state: &[u8],
        near: &Expanded,
        fresh: &mut Numbered,
    ) -> Result<u64, Missing> {
        let shape = self.shape_of(state.len(), near.shape);
        let shape = shape.ok_or(Missing::ALL)?;
        let plan = &self.shapes[shape];
        let near = (near.shape == Some(shape)).then_some(near);
        let Some(halves) = &plan.halves else {
            let look = |part: Part<'_>| self.parts.find(part).ok_or(Full);
            let found = fresh.number(plan, near, state, look);
            found.map_err(|Full| Missing::ALL)?;
            return Ok(fresh.code(plan));
        };
        let [left, right] = halves.numbers_in(near, state);
        let mut half = |part: usize, half: &Half| {
            (self.parts).find(plan.part(part, half.of(state, &mut fresh.half)))
        };
        let left = left.or_else(|| half(plan.left, &halves.left));
        let right = right.or_else(|| half(plan.right, &halves.right));
        match (left, right) {
            (Some(left), Some(right)) => Ok(pair(left, right)),
            (left, right) => Err(Missing {
                known: pair(left.unwrap_or(0), right.unwrap_or(0)),
                has_left: left.is_some(),
                has_right: right.is_some(),
            }),
        }
    }

    /// The code of a state of which parts were missing; these are stored.
    pub fn complete(
        &mut self,
        state: &[u8],
        missing: Missing,
        account: &mut Account,
    ) -> Result<u64, Full> {
        let shape = self.shape_of(state.len(), None);
        let plan = shape.map(|shape| &self.shapes[shape]);
        let Some((plan, halves)) = plan.and_then(|plan| Some((plan, plan.halves.as_ref()?))) else {
            return self.encode(state, account);
        };
        let buffer = &mut self.fresh.half;
        let mut code = missing.known;
        if !missing.has_left {
            let part = plan.part(plan.left, halves.left.of(state, buffer));
            code |= pair(self.parts.insert(part, account)?, 0);
        }
        if !missing.has_right {
            let part = plan.part(plan.right, halves.right.of(state, buffer));
            code |= pair(0, self.parts.insert(part, account)?);
        }
        Ok(code)
    }

    /// Makes `out` the state of that code. What is encoded next is best a small change of it.
    pub fn load(&mut self, code: u64, out: &mut Vec<u8>) {
        let mut near = std::mem::take(&mut self.near);
        self.read(code, &mut near);
        out.clear();
        out.extend_from_slice(&near.bytes);
        self.near = near;
    }

    #[inline]
    fn shape_of(&self, length: usize, near: Option<usize>) -> Option<usize> {
        // Most steps leave the length as it is.
        let fits = |&shape: &usize| self.shapes[shape].length == length;
        let near = near.filter(fits);
        near.or_else(|| (0..self.shapes.len()).find(fits))
    }

    #[cold]
    fn add_shape(&mut self, length: usize, account: &mut Account) -> Result<usize, Full> {
        let mut shape = Shape::new(length, self.cuts.of(length));
        let number = self.shapes.len();
        for part in 0..shape.owners.len() {
            let told = (part == shape.right).then_some(number as u32);
            shape.classes[part] = self.class(shape.width(part), told, account)?;
        }
        let bytes = shape.bytes();
        account.take(bytes)?;
        if let Err(full) = account.push(&mut self.shapes, shape) {
            account.give(bytes);
            return Err(full);
        }
        self.shape_bytes += bytes;
        Ok(number)
    }

    /// The class of parts of a length that tell a shape, or none.
    fn class(
        &mut self,
        width: usize,
        shape: Option<u32>,
        account: &mut Account,
    ) -> Result<u32, Full> {
        if shape.is_none() {
            if self.by_width.len() <= width {
                account.reserve(&mut self.by_width, width + 1)?;
                self.by_width.resize(width + 1, 0);
            }
            if let Some(class) = self.by_width[width].checked_sub(1) {
                return Ok(class);
            }
        }
        account.reserve(&mut self.shape_of_class, 1)?;
        let class = self.parts.add_class(width, account)?;
        self.shape_of_class.push(shape);
        if shape.is_none() {
            self.by_width[width] = class + 1;
        }
        Ok(class)
    }

    /// Makes `near` the state of that code.
    #[inline]
    pub fn read(&self, halves: u64, near: &mut Expanded) {
        let (left, right) = ((halves >> 32) as u32, halves as u32);
        let class = self.parts.part(right).class;
        let shape = self.shape_of_class[class as usize].expect("a right half tells its shape");
        let plan = &self.shapes[shape as usize];
        near.shape = Some(shape as usize);
        near.numbers.resize(plan.owners.len(), 0);
        near.numbers[plan.left] = left;
        near.numbers[plan.right] = right;
        if let Some(halves) = &plan.halves {
            let [left, right] = [left, right].map(|half| self.parts.part(half).bytes);
            return halves.join(left, right, &mut near.bytes);
        }
        for (i, &(first, n)) in plan.keys.iter().enumerate().rev() {
            let key = self.parts.part(near.numbers[plan.chunks.len() + i]);
            let parts = &mut near.numbers[first as usize..(first + n) as usize];
            for (number, bytes) in parts.iter_mut().zip(key.bytes.chunks_exact(4)) {
                *number = u32::from_le_bytes(bytes.try_into().expect("four bytes"));
            }
        }
        near.bytes.clear();
        for &number in &near.numbers[..plan.chunks.len()] {
            near.bytes.extend_from_slice(self.parts.part(number).bytes);
        }
    }
}

impl Expanded {
    /// The state.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl Halves {
    /// The numbers of the left and of the right half of a state, where `near` has the same.
    #[inline]
    fn numbers_in(&self, near: Option<&Expanded>, state: &[u8]) -> [Option<u32>; 2] {
        let Some(near) = near else {
            return [None, None];
        };
        let [left, right] = self.same(&near.bytes, state);
        [
            left.then(|| near.numbers[0]),
            right.then(|| near.numbers[1]),
        ]
    }
}

impl Numbered {
    /// Makes the numbers those of `state`, looked up where `near` has others.
    #[inline]
    fn number(
        &mut self,
        plan: &Shape,
        near: Option<&Expanded>,
        state: &[u8],
        mut look: impl FnMut(Part<'_>) -> Result<u32, Full>,
    ) -> Result<(), Full> {
        self.start(plan, near);
        for (part, &(at, n)) in plan.chunks.iter().enumerate() {
            let bytes = at as usize..(at + n) as usize;
            let chunk = &state[bytes.clone()];
            if near.is_none_or(|near| near.bytes[bytes] != *chunk) {
                self.numbers[part] = look(plan.part(part, chunk))?;
                self.changed[plan.owners[part] as usize] = true;
            }
        }
        for (i, &(first, n)) in plan.keys.iter().enumerate() {
            let part = plan.chunks.len() + i;
            if self.changed[part] || near.is_none() {
                let mut key = [0; 4 * ARITY];
                let numbers = &self.numbers[first as usize..(first + n) as usize];
                for (bytes, number) in key.chunks_exact_mut(4).zip(numbers) {
                    bytes.copy_from_slice(&number.to_le_bytes());
                }
                self.numbers[part] = look(plan.part(part, &key[..4 * n as usize]))?;
                self.changed[plan.owners[part] as usize] = true;
            }
        }
        Ok(())
    }

    /// The numbers of `near`, if it is given, and nothing changed yet.
    #[inline]
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
        pair(self.numbers[plan.left], self.numbers[plan.right])
    }
}

/// The code of two halves.
#[inline]
fn pair(left: u32, right: u32) -> u64 {
    u64::from(left) << 32 | u64::from(right)
}

impl Shape {
    /// How states of `length` bytes are cut; classes are not known yet.
    fn new(length: usize, cut: Option<Cut>) -> Shape {
        let cut = cut.unwrap_or_else(|| Cut::in_the_middle(length));
        let mut shape = Shape {
            length,
            halves: None,
            chunks: Vec::new(),
            keys: Vec::new(),
            owners: Vec::new(),
            classes: Vec::new(),
            left: 0,
            right: 0,
        };
        let (left, right) = match cut {
            Cut::Halves(halves) => {
                let middle = halves.left.len() as u32;
                shape.chunks = vec![(0, middle), (middle, halves.right.len() as u32)];
                shape.halves = Some(halves);
                (0..1, 1..2)
            }
            Cut::Chunks(middle) => (shape.cut(0..middle), shape.cut(middle..length)),
        };
        shape.owners = (0..shape.chunks.len() as u32).collect();
        shape.left = shape.gather(left);
        shape.right = shape.gather(right);
        shape.classes = vec![0; shape.owners.len()];
        shape
    }

    /// Adds the chunks of a half. Gives the parts.
    fn cut(&mut self, half: Range<usize>) -> Range<usize> {
        let first = self.chunks.len();
        for at in half.clone().step_by(CHUNK) {
            let n = CHUNK.min(half.end - at);
            self.chunks.push((at as u32, n as u32));
        }
        first..self.chunks.len()
    }

    /// Adds keys until one part is left. Gives that part.
    fn gather(&mut self, mut parts: Range<usize>) -> usize {
        while parts.len() > 1 {
            let first = self.owners.len();
            for at in parts.clone().step_by(ARITY) {
                let n = ARITY.min(parts.end - at);
                let part = self.owners.len();
                self.keys.push((at as u32, n as u32));
                self.owners[at..at + n].fill(part as u32);
                self.owners.push(part as u32);
            }
            parts = first..self.owners.len();
        }
        parts.start
    }

    /// How many bytes a part has.
    fn width(&self, part: usize) -> usize {
        match part.checked_sub(self.chunks.len()) {
            None => self.chunks[part].1 as usize,
            Some(key) => 4 * self.keys[key].1 as usize,
        }
    }

    #[inline]
    fn part<'a>(&self, part: usize, bytes: &'a [u8]) -> Part<'a> {
        Part {
            class: self.classes[part],
            bytes,
        }
    }

    fn bytes(&self) -> u64 {
        let keys = vec_bytes(&self.keys) + vec_bytes(&self.owners) + vec_bytes(&self.classes);
        vec_bytes(&self.chunks) + keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_whose_parts_are_stored_is_found_and_no_other() {
        for seed in 0..40 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let cuts = Cuts::random(&mut rng, 60);
            let (mut tree, mut account) = (Tree::with(cuts), Account::new(None));
            let (mut near, mut fresh) = (Expanded::default(), Numbered::default());
            let mut known = std::collections::HashMap::new();
            for _ in 0..400 {
                let state: Vec<u8> = (0..rng.usize(0..60)).map(|_| rng.u8(0..2)).collect();
                let found = tree.find(&state, &near, &mut fresh);
                assert!(found.is_ok() || !known.contains_key(&state), "seed {seed}");
                if let Err(missing) = found
                    && rng.bool()
                {
                    let code = tree.complete(&state, missing, &mut account);
                    assert_eq!(tree.find(&state, &near, &mut fresh), Ok(code.unwrap()));
                }
                let code = tree.encode(&state, &mut account).unwrap();
                assert!(found.is_err() || found == Ok(code), "seed {seed}");
                assert_eq!(tree.find(&state, &near, &mut fresh), Ok(code));
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
            let shape = Shape::new(length, None);
            let mut at = 0;
            for &(start, n) in &shape.chunks {
                assert!(start == at && n as usize <= ALONE, "length {length}");
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
        }
    }

    #[test]
    fn the_shape_of_the_worked_example() {
        let shape = Shape::new(60, None);
        assert_eq!(shape.chunks, [(0, 30), (30, 30)]);
        assert_eq!(shape.halves, Some(Halves::at(30, 60)));
        assert_eq!((shape.keys.len(), shape.left, shape.right), (0, 0, 1));
        let shape = Shape::new(160, None);
        let starts: Vec<u32> = shape.chunks.iter().map(|chunk| chunk.0).collect();
        assert_eq!(starts, [0, 24, 48, 72, 96, 120, 144]);
        assert_eq!(shape.keys, [(0, 3), (3, 4)]);
        assert_eq!((shape.left, shape.right), (7, 8));
    }
}
