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
//! Texts count from 1 or use names: that is the business of [`crate::cycles`].

/// A point that permutations move.
pub type Point = u32;

/// A permutation of `0..n`, kept as its dense image and the sorted list of points it moves.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Perm {
    image: Box<[Point]>,
    support: Box<[Point]>,
}

impl Perm {
    /// The identity on `degree` points.
    pub fn identity(degree: usize) -> Perm {
        Perm::from_bijection((0..degree as Point).collect())
    }

    /// The permutation that maps `x` to `image[x]`, if that is a bijection.
    pub fn from_image(image: Vec<Point>) -> Option<Perm> {
        let mut hit = vec![false; image.len()];
        for &y in &image {
            let seen = hit.get_mut(y as usize)?;
            if std::mem::replace(seen, true) {
                return None;
            }
        }
        Some(Perm::from_bijection(image))
    }

    /// The permutation that maps `x` to `image[x]`.
    ///
    /// # Requires
    /// `image` is a bijection of `0..image.len()`; checked in debug builds.
    pub fn from_bijection(image: Vec<Point>) -> Perm {
        debug_assert!(is_bijection(&image), "not a bijection: {image:?}");
        let support = (0..image.len() as Point)
            .filter(|&x| image[x as usize] != x)
            .collect();
        Perm {
            image: image.into(),
            support,
        }
    }

    /// The product of disjoint cycles on `0..degree`; `None` if a point is out of range or repeated.
    pub fn from_cycles(degree: usize, cycles: &[&[Point]]) -> Option<Perm> {
        let mut image: Vec<Point> = (0..degree as Point).collect();
        let mut used = vec![false; degree];
        for cycle in cycles {
            for (i, &x) in cycle.iter().enumerate() {
                let seen = used.get_mut(x as usize)?;
                if std::mem::replace(seen, true) {
                    return None;
                }
                image[x as usize] = cycle[(i + 1) % cycle.len()];
            }
        }
        Perm::from_image(image)
    }

    /// The number of points, moved or not.
    pub fn degree(&self) -> usize {
        self.image.len()
    }

    /// The image of `x`.
    #[inline]
    pub fn at(&self, x: Point) -> Point {
        self.image[x as usize]
    }

    /// The images of all points, in order.
    pub fn image(&self) -> &[Point] {
        &self.image
    }

    /// The moved points, in increasing order.
    pub fn support(&self) -> &[Point] {
        &self.support
    }

    /// Whether no point is moved.
    pub fn is_identity(&self) -> bool {
        self.support.is_empty()
    }

    /// `self ∘ first`: apply `first`, then `self`.
    pub fn product(&self, first: &Perm) -> Perm {
        assert_eq!(
            self.degree(),
            first.degree(),
            "product of different degrees"
        );
        Perm::from_bijection(first.image.iter().map(|&y| self.at(y)).collect())
    }

    /// The permutation that undoes this one.
    pub fn inverse(&self) -> Perm {
        let mut image = vec![0; self.degree()];
        for (x, &y) in self.image.iter().enumerate() {
            image[y as usize] = x as Point;
        }
        Perm {
            image: image.into(),
            support: self.support.clone(),
        }
    }

    /// `g ∘ self ∘ g⁻¹`: this permutation with its points renamed by `g`.
    pub fn conjugate(&self, g: &Perm) -> Perm {
        assert_eq!(self.degree(), g.degree(), "conjugate of different degrees");
        let mut image: Vec<Point> = (0..self.degree() as Point).collect();
        for &x in &self.support {
            image[g.at(x) as usize] = g.at(self.at(x));
        }
        Perm::from_bijection(image)
    }

    /// The `exponent`-th power; negative exponents are powers of the inverse.
    pub fn power(&self, exponent: i64) -> Perm {
        let mut image: Vec<Point> = (0..self.degree() as Point).collect();
        for cycle in self.cycles() {
            let length = cycle.len() as i64;
            let shift = exponent.rem_euclid(length) as usize;
            for (i, &x) in cycle.iter().enumerate() {
                image[x as usize] = cycle[(i + shift) % cycle.len()];
            }
        }
        Perm::from_bijection(image)
    }

    /// The cycles of length two or more, each from its least point, in order of those points.
    pub fn cycles(&self) -> Vec<Vec<Point>> {
        let mut seen = vec![false; self.degree()];
        let mut cycles = Vec::new();
        for &start in &self.support {
            if seen[start as usize] {
                continue;
            }
            let mut cycle = Vec::new();
            let mut x = start;
            while !std::mem::replace(&mut seen[x as usize], true) {
                cycle.push(x);
                x = self.at(x);
            }
            cycles.push(cycle);
        }
        cycles
    }

    /// Whether an even number of transpositions makes it up.
    pub fn is_even(&self) -> bool {
        self.cycles().iter().map(|c| c.len() - 1).sum::<usize>() % 2 == 0
    }

    /// `self · values`: the value at `x` moves to `self(x)`.
    pub fn move_values<T: Clone>(&self, values: &[T]) -> Vec<T> {
        assert_eq!(self.degree(), values.len(), "values of another length");
        let mut moved = values.to_vec();
        for &x in &self.support {
            moved[self.at(x) as usize] = values[x as usize].clone();
        }
        moved
    }
}

fn is_bijection(image: &[Point]) -> bool {
    let mut hit = vec![false; image.len()];
    image.iter().all(|&y| {
        hit.get_mut(y as usize)
            .is_some_and(|seen| !std::mem::replace(seen, true))
    })
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
