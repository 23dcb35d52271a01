//! Permutations kept as their moved points only.
//!
//! A symmetry of a graph with a million vertices often moves ten of them. A [`SparsePerm`] holds
//! the moved points in increasing order and the image of each, so a thousand such symmetries cost
//! what they move and not a thousand times a million. It has no degree: it acts on every point and
//! fixes those it does not list. The action is the one of [`crate::perm`].
//!
//! Worked example: the pairs `4→7, 7→4, 9→9` make the transposition `(4 7)`: its support is
//! `[4, 7]`, its images `[7, 4]`, and the point 9, which does not move, is not stored.
//!
//! Cost: an image is a binary search in the support.

use crate::perm::{Perm, Point};

/// A permutation of all points that moves finitely many, stored without the fixed ones.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct SparsePerm {
    support: Box<[Point]>,
    images: Box<[Point]>,
}

impl SparsePerm {
    /// The permutation with these point–image pairs that fixes all other points; `None` unless the
    /// listed points are distinct and their images are the same set of points.
    pub fn from_pairs(pairs: &[(Point, Point)]) -> Option<SparsePerm> {
        let mut listed: Vec<(Point, Point)> = pairs.to_vec();
        listed.sort_unstable();
        let points: Vec<Point> = listed.iter().map(|&(x, _)| x).collect();
        let mut images: Vec<Point> = listed.iter().map(|&(_, y)| y).collect();
        images.sort_unstable();
        let distinct = points.windows(2).all(|w| w[0] < w[1]);
        if !distinct || points != images {
            return None;
        }
        listed.retain(|&(x, y)| x != y);
        Some(SparsePerm {
            support: listed.iter().map(|&(x, _)| x).collect(),
            images: listed.iter().map(|&(_, y)| y).collect(),
        })
    }

    /// The moved points of `perm`, with their images.
    pub fn from_perm(perm: &Perm) -> SparsePerm {
        SparsePerm {
            support: perm.support().into(),
            images: perm.support().iter().map(|&x| perm.at(x)).collect(),
        }
    }

    /// The same permutation with a dense image; `None` if it moves a point outside `0..degree`.
    pub fn to_perm(&self, degree: usize) -> Option<Perm> {
        if self.support.last().is_some_and(|&x| x as usize >= degree) {
            return None;
        }
        let mut image: Vec<Point> = (0..degree as Point).collect();
        for (x, y) in self.pairs() {
            image[x as usize] = y;
        }
        Some(Perm::from_bijection(image))
    }

    /// The image of `x`.
    pub fn at(&self, x: Point) -> Point {
        match self.support.binary_search(&x) {
            Ok(i) => self.images[i],
            Err(_) => x,
        }
    }

    /// The moved points, in increasing order.
    pub fn support(&self) -> &[Point] {
        &self.support
    }

    /// The images of the moved points, in the order of [`SparsePerm::support`].
    pub fn images(&self) -> &[Point] {
        &self.images
    }

    /// The moved points with their images, in increasing order of the points.
    pub fn pairs(&self) -> impl Iterator<Item = (Point, Point)> + '_ {
        (self.support.iter().copied()).zip(self.images.iter().copied())
    }

    /// Whether no point is moved.
    pub fn is_identity(&self) -> bool {
        self.support.is_empty()
    }

    /// The permutation that undoes this one.
    pub fn inverse(&self) -> SparsePerm {
        let mut pairs: Vec<(Point, Point)> = self.pairs().map(|(x, y)| (y, x)).collect();
        pairs.sort_unstable();
        SparsePerm {
            support: self.support.clone(),
            images: pairs.iter().map(|&(_, y)| y).collect(),
        }
    }

    /// The cycles of length two or more, each from its least point, in order of those points.
    pub fn cycles(&self) -> Vec<Vec<Point>> {
        let mut seen = vec![false; self.support.len()];
        let mut cycles = Vec::new();
        for start in 0..self.support.len() {
            let mut cycle = Vec::new();
            let mut i = start;
            while !std::mem::replace(&mut seen[i], true) {
                cycle.push(self.support[i]);
                i = self
                    .support
                    .binary_search(&self.images[i])
                    .expect("images are moved points");
            }
            if !cycle.is_empty() {
                cycles.push(cycle);
            }
        }
        cycles
    }
}

/// Cycles over `0..n`, for messages of ours.
impl std::fmt::Debug for SparsePerm {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_dense_permutation() {
        let mut rng = fastrand::Rng::with_seed(7);
        for round in 0..200 {
            let degree = rng.usize(1..9);
            let mut image: Vec<Point> = (0..degree as Point).collect();
            rng.shuffle(&mut image);
            let dense = Perm::from_image(image.clone()).unwrap();
            let pairs: Vec<(Point, Point)> = (0..).zip(image).collect();
            let sparse = SparsePerm::from_pairs(&pairs).unwrap();
            assert_eq!(sparse, SparsePerm::from_perm(&dense), "round {round}");
            assert_eq!(sparse.to_perm(degree).unwrap(), dense, "round {round}");
            assert_eq!(
                sparse.inverse().to_perm(degree).unwrap(),
                dense.inverse(),
                "round {round}"
            );
            assert_eq!(sparse.cycles(), dense.cycles(), "round {round}");
            assert!((0..degree as Point + 3).all(|x| {
                let expected = if (x as usize) < degree {
                    dense.at(x)
                } else {
                    x
                };
                sparse.at(x) == expected
            }));
        }
    }

    #[test]
    fn rejects_what_is_no_permutation() {
        assert!(SparsePerm::from_pairs(&[(1, 2)]).is_none());
        assert!(SparsePerm::from_pairs(&[(1, 2), (2, 2)]).is_none());
        assert!(SparsePerm::from_pairs(&[(1, 2), (1, 1), (2, 1)]).is_none());
        let moved = SparsePerm::from_pairs(&[(4, 7), (7, 4), (9, 9)]).unwrap();
        assert_eq!(moved.support(), [4, 7]);
        assert!(moved.to_perm(7).is_none());
    }
}
