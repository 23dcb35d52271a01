//! Permutations of the points `0..n`.
//!
//! **The action convention of the whole product** is a left action:
//!
//! - a permutation maps points: `p.at(x)`, written `p(x)`;
//! - the product applies its right factor first: `p.product(&q).at(x) == p.at(q.at(x))`;
//! - on tuples, the value at position `x` moves to position `p(x)`: `(p·s)[p(x)] = s[x]`, so
//!   `(p∘q)·s = p·(q·s)`;
//! - the conjugate of `p` by `g` is `g∘p∘g⁻¹`, which maps `g(x)` to `g(p(x))`: it is `p` with its
//!   points renamed by `g`.
//!
//! Worked example, on points `0..3`: with `p = (0 1)` and `q = (1 2)`, the product `p∘q` sends
//! `2 → 1 → 0`, `1 → 2 → 2` and `0 → 0 → 1`, so it is `(0 1 2)`.
//!
//! A permutation is kept by the points it moves. Where it moves few of many points (a generator
//! that exchanges two processes out of thousands), nothing else is stored, and thousands of such
//! generators fit in memory; the dense image is made when someone asks for it. Where it moves many
//! points, or there are few, the dense image is there from the start and `at` is one look-up.
//!
//! Texts count from 1 or use names: that is the business of [`crate::cycles`].

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

use num_bigint::BigUint;

/// A point that permutations move.
pub type Point = u32;

/// Up to this degree the dense image is always stored.
const DENSE_DEGREE_MAX: usize = 256;
/// Above it, the dense image is stored if at least one point in this many is moved.
const DENSE_SHARE: usize = 8;

/// A permutation of `0..n`.
#[derive(Clone)]
pub struct Perm {
    degree: usize,
    /// The moved points, in increasing order.
    support: Box<[Point]>,
    /// The images of `support`; left empty where the dense image was stored from the start.
    moved_to: Box<[Point]>,
    dense: OnceLock<Box<[Point]>>,
}

impl Perm {
    /// The identity on `degree` points.
    pub fn identity(degree: usize) -> Perm {
        Perm::from_moves(degree, Vec::new())
    }

    /// The permutation that maps `x` to `image[x]`, if that is a bijection.
    pub fn from_image(image: Vec<Point>) -> Option<Perm> {
        is_bijection(&image).then(|| Perm::from_bijection(image))
    }

    /// The permutation that maps `x` to `image[x]`.
    ///
    /// # Requires
    /// `image` is a bijection of `0..image.len()`; checked in debug builds.
    pub fn from_bijection(image: Vec<Point>) -> Perm {
        debug_assert!(is_bijection(&image), "not a bijection: {image:?}");
        let degree = image.len();
        let support: Box<[Point]> = (0..degree as Point)
            .filter(|&x| image[x as usize] != x)
            .collect();
        if is_dense(degree, support.len()) {
            return Perm {
                degree,
                support,
                moved_to: Box::default(),
                dense: OnceLock::from(image.into_boxed_slice()),
            };
        }
        let moved_to = support.iter().map(|&x| image[x as usize]).collect();
        Perm {
            degree,
            support,
            moved_to,
            dense: OnceLock::new(),
        }
    }

    /// The permutation that maps the first of each pair to the second and fixes the other points.
    ///
    /// # Requires
    /// The firsts are distinct, below `degree`, and the seconds are the firsts in another order;
    /// checked in debug builds. Pairs of equal points are left out.
    pub fn from_moves(degree: usize, mut moves: Vec<(Point, Point)>) -> Perm {
        moves.retain(|&(x, y)| x != y);
        if is_dense(degree, moves.len()) {
            let mut image: Vec<Point> = (0..degree as Point).collect();
            for (x, y) in moves {
                image[x as usize] = y;
            }
            return Perm::from_bijection(image);
        }
        moves.sort_unstable();
        let support: Box<[Point]> = moves.iter().map(|m| m.0).collect();
        let moved_to: Box<[Point]> = moves.iter().map(|m| m.1).collect();
        debug_assert!(is_shuffle(degree, &support, &moved_to), "{moves:?}");
        Perm {
            degree,
            support,
            moved_to,
            dense: OnceLock::new(),
        }
    }

    /// As [`Perm::from_moves`], but checked: `None` unless the listed points are distinct, below
    /// `degree`, and their images are the same points.
    pub fn from_pairs(degree: usize, pairs: &[(Point, Point)]) -> Option<Perm> {
        let mut from: Vec<Point> = pairs.iter().map(|p| p.0).collect();
        from.sort_unstable();
        let to: Vec<Point> = pairs.iter().map(|p| p.1).collect();
        is_shuffle(degree, &from, &to).then(|| Perm::from_moves(degree, pairs.to_vec()))
    }

    /// The product of disjoint cycles on `0..degree`; `None` if a point is out of range or
    /// repeated.
    pub fn from_cycles(degree: usize, cycles: &[&[Point]]) -> Option<Perm> {
        let mut moves = Vec::new();
        for cycle in cycles {
            for (i, &x) in cycle.iter().enumerate() {
                moves.push((x, cycle[(i + 1) % cycle.len()]));
            }
        }
        Perm::from_pairs(degree, &moves)
    }

    /// The number of points, moved or not.
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// The image of `x`.
    #[inline]
    pub fn at(&self, x: Point) -> Point {
        match self.dense.get() {
            Some(image) => image[x as usize],
            None => self.look_up(x),
        }
    }

    /// The images of all points, in order. Made on the first call where few points are moved.
    pub fn image(&self) -> &[Point] {
        self.dense.get_or_init(|| {
            let mut image = vec![0; self.degree];
            self.write_image(&mut image);
            image.into()
        })
    }

    /// Writes the images of all points into `out` and stores nothing.
    pub fn write_image(&self, out: &mut [Point]) {
        assert_eq!(self.degree, out.len(), "buffer of another length");
        match self.dense.get() {
            Some(image) => out.copy_from_slice(image),
            None => {
                for (x, y) in out.iter_mut().enumerate() {
                    *y = x as Point;
                }
                for (&x, &y) in self.support.iter().zip(&self.moved_to) {
                    out[x as usize] = y;
                }
            }
        }
    }

    /// The moved points, in increasing order.
    pub fn support(&self) -> &[Point] {
        &self.support
    }

    /// The moved points with their images, in increasing order.
    pub fn moves(&self) -> impl Iterator<Item = (Point, Point)> + '_ {
        self.support.iter().enumerate().map(|(i, &x)| {
            let y = self.moved_to.get(i).copied().unwrap_or_else(|| self.at(x));
            (x, y)
        })
    }

    /// Whether no point is moved.
    pub fn is_identity(&self) -> bool {
        self.support.is_empty()
    }

    /// `self ∘ first`: apply `first`, then `self`.
    pub fn product(&self, first: &Perm) -> Perm {
        assert_eq!(self.degree, first.degree, "product of different degrees");
        if !is_dense(self.degree, self.support.len() + first.support.len()) {
            let mut moves: Vec<(Point, Point)> =
                first.moves().map(|(x, y)| (x, self.at(y))).collect();
            let first_moves = |x: &(Point, Point)| first.support.binary_search(&x.0).is_ok();
            moves.extend(self.moves().filter(|m| !first_moves(m)));
            return Perm::from_moves(self.degree, moves);
        }
        let mut image = vec![0; self.degree];
        first.write_image(&mut image);
        for y in &mut image {
            *y = self.at(*y);
        }
        Perm::from_bijection(image)
    }

    /// The permutation that undoes this one.
    pub fn inverse(&self) -> Perm {
        if !is_dense(self.degree, self.support.len()) {
            return Perm::from_moves(self.degree, self.moves().map(|(x, y)| (y, x)).collect());
        }
        let mut image = vec![0; self.degree];
        for (x, &y) in self.image().iter().enumerate() {
            image[y as usize] = x as Point;
        }
        Perm {
            degree: self.degree,
            support: self.support.clone(),
            moved_to: Box::default(),
            dense: OnceLock::from(image.into_boxed_slice()),
        }
    }

    /// `g ∘ self ∘ g⁻¹`: this permutation with its points renamed by `g`.
    pub fn conjugate(&self, g: &Perm) -> Perm {
        assert_eq!(self.degree, g.degree, "conjugate of different degrees");
        let moves = self.moves().map(|(x, y)| (g.at(x), g.at(y))).collect();
        Perm::from_moves(self.degree, moves)
    }

    /// The `exponent`-th power; negative exponents are powers of the inverse.
    pub fn power(&self, exponent: i64) -> Perm {
        let mut moves = Vec::with_capacity(self.support.len());
        for cycle in self.cycles() {
            let shift = exponent.rem_euclid(cycle.len() as i64) as usize;
            for (i, &x) in cycle.iter().enumerate() {
                moves.push((x, cycle[(i + shift) % cycle.len()]));
            }
        }
        Perm::from_moves(self.degree, moves)
    }

    /// The least positive exponent whose power is the identity: the least common multiple of the
    /// cycle lengths.
    pub fn order(&self) -> BigUint {
        let mut lengths: Vec<usize> = self.cycles().iter().map(Vec::len).collect();
        lengths.sort_unstable();
        lengths.dedup();
        let mut order = BigUint::from(1u32);
        for length in lengths {
            let rest = (&order % BigUint::from(length))
                .to_u64_digits()
                .first()
                .map_or(0, |&d| d as usize);
            order *= BigUint::from(length / gcd(length, rest));
        }
        order
    }

    /// The cycles of length two or more, each from its least point, in order of those points.
    pub fn cycles(&self) -> Vec<Vec<Point>> {
        let mut seen = vec![false; self.support.len()];
        let mut cycles = Vec::new();
        for i in 0..self.support.len() {
            if seen[i] {
                continue;
            }
            let mut cycle = Vec::new();
            let mut at = i;
            while !std::mem::replace(&mut seen[at], true) {
                let x = self.support[at];
                cycle.push(x);
                let y = self.at(x);
                // A permutation of all points has its points at their own places.
                at = if self.support.len() == self.degree {
                    y as usize
                } else {
                    self.support.binary_search(&y).expect("images are moved")
                };
            }
            cycles.push(cycle);
        }
        cycles
    }

    /// Whether an even number of transpositions makes it up.
    pub fn is_even(&self) -> bool {
        (self.support.len() - self.cycles().len()).is_multiple_of(2)
    }

    /// `self · values`: the value at `x` moves to `self(x)`.
    pub fn move_values<T: Clone>(&self, values: &[T]) -> Vec<T> {
        assert_eq!(self.degree, values.len(), "values of another length");
        let mut moved = values.to_vec();
        for (x, y) in self.moves() {
            moved[y as usize] = values[x as usize].clone();
        }
        moved
    }

    fn look_up(&self, x: Point) -> Point {
        assert!((x as usize) < self.degree, "point {x} out of range");
        match self.support.binary_search(&x) {
            Ok(i) => self.moved_to[i],
            Err(_) => x,
        }
    }
}

impl PartialEq for Perm {
    fn eq(&self, other: &Perm) -> bool {
        self.degree == other.degree
            && self.support == other.support
            && self.moves().eq(other.moves())
    }
}

impl Eq for Perm {}

impl Hash for Perm {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.degree.hash(state);
        for m in self.moves() {
            m.hash(state);
        }
    }
}

impl PartialOrd for Perm {
    fn partial_cmp(&self, other: &Perm) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The order of the images, read as sequences; a lower degree comes first.
impl Ord for Perm {
    fn cmp(&self, other: &Perm) -> Ordering {
        let by_degree = self.degree.cmp(&other.degree);
        let mut mine = self.moves().peekable();
        let mut theirs = other.moves().peekable();
        by_degree.then_with(|| {
            loop {
                let (x, y) = (mine.peek().copied(), theirs.peek().copied());
                let (x, y) = match (x, y) {
                    (None, None) => return Ordering::Equal,
                    (Some(a), Some(b)) if a.0 == b.0 => (a.1, b.1),
                    (Some(a), Some(b)) if a.0 < b.0 => (a.1, a.0),
                    (Some(a), None) => (a.1, a.0),
                    (_, Some(b)) => (b.0, b.1),
                };
                if x != y {
                    return x.cmp(&y);
                }
                mine.next();
                theirs.next();
            }
        })
    }
}

fn is_dense(degree: usize, n_moved: usize) -> bool {
    degree <= DENSE_DEGREE_MAX || n_moved >= degree / DENSE_SHARE
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn is_bijection(image: &[Point]) -> bool {
    let mut hit = vec![false; image.len()];
    image.iter().all(|&y| {
        hit.get_mut(y as usize)
            .is_some_and(|seen| !std::mem::replace(seen, true))
    })
}

fn is_shuffle(degree: usize, support: &[Point], moved_to: &[Point]) -> bool {
    let mut sorted = moved_to.to_vec();
    sorted.sort_unstable();
    sorted == support
        && support.windows(2).all(|w| w[0] < w[1])
        && support.last().is_none_or(|&x| (x as usize) < degree)
}

/// Cycles over `0..n`, for messages of ours; users see [`crate::cycles`].
impl std::fmt::Debug for Perm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_identity() {
            return write!(f, "()");
        }
        for cycle in self.cycles() {
            let words: Vec<String> = cycle.iter().map(|x| x.to_string()).collect();
            write!(f, "({})", words.join(" "))?;
        }
        Ok(())
    }
}
