//! Elements out of a chain: transversals, random ones, all of them.

use super::Chain;
use super::local::write_identity;
use crate::perm::{Perm, Point};

/// Marks entries that have been turned round already.
const MARK: Point = 1 << 31;

impl Chain {
    /// An element that fixes the earlier base points and sends this level's base point to `x`.
    pub fn transversal(&self, level: usize, x: Point) -> Perm {
        let mut image = vec![0; self.degree()];
        self.transversal_into(level, x, &mut image);
        Perm::from_bijection(image)
    }

    /// Writes the image of [`Chain::transversal`] to `out`, without allocating.
    ///
    /// # Requires
    /// `x` is in the orbit of the level.
    pub(crate) fn transversal_into(&self, level: usize, x: Point, out: &mut [Point]) {
        write_identity(out);
        self.pull_back(level, x, out);
        invert_in_place(out);
    }

    /// `image := u⁻¹ ∘ image`, where `u` is the transversal element of the level for `x`.
    ///
    /// # Requires
    /// `x` is in the orbit of the level, and `image` keeps the points of the independent factor
    /// that the level belongs to (every element of the group does).
    pub(crate) fn pull_back(&self, level: usize, x: Point, image: &mut [Point]) {
        assert!(
            self.in_orbit(level, x),
            "{x} is not in the orbit of level {level}"
        );
        let place = &self.levels[level];
        let Some(part) = self.parts.get(place.part as usize) else {
            return;
        };
        assert!(self.enter(place.part, image), "the image leaves the factor");
        let local = self.local_of[x as usize];
        part.chain
            .pull_back(place.level as usize, local, image, part.positions());
        self.leave(place.part, image);
    }

    /// A uniformly random element.
    pub fn random(&self, rng: &mut fastrand::Rng) -> Perm {
        let mut image = vec![0; self.degree()];
        self.random_into(rng, &mut image, &mut Vec::new());
        Perm::from_bijection(image)
    }

    /// Writes a uniformly random element to `out`; `scratch` may hold anything and is kept for the
    /// next call, so that no call after the first allocates.
    pub fn random_into(
        &self,
        rng: &mut fastrand::Rng,
        out: &mut [Point],
        scratch: &mut Vec<Point>,
    ) {
        assert_eq!(out.len(), self.degree(), "buffer of another length");
        write_identity(out);
        scratch.resize(self.degree(), 0);
        for (i, part) in self.parts.iter().enumerate() {
            assert!(self.enter(i as u32, out), "the identity keeps all parts");
            let map = &mut scratch[..part.points.len()];
            part.chain.randomise(out, part.positions(), map, rng);
            self.leave(i as u32, out);
        }
    }

    /// Calls `visit` with every element once; stops early when it says `false`.
    pub fn enumerate(&self, visit: &mut dyn FnMut(&Perm) -> bool) -> bool {
        self.enumerate_images(&mut |image| visit(&Perm::from_bijection(image.to_vec())))
    }

    /// Calls `visit` with the image of every element once; stops early when it says `false`.
    ///
    /// The elements come as products of transversal elements, and partial products are kept, so an
    /// element costs little more than one composition. Says whether it was never stopped.
    pub fn enumerate_images(&self, visit: &mut dyn FnMut(&[Point]) -> bool) -> bool {
        let levels: Vec<usize> = (0..self.n_levels())
            .filter(|&k| self.orbit(k).len() > 1)
            .collect();
        let n = self.degree();
        // products[i] is the product of the transversal elements of the first i levels.
        let mut products: Vec<Vec<Point>> = vec![(0..n as Point).collect()];
        let mut transversal = vec![0; n];
        let mut turns: Vec<usize> = Vec::new();
        loop {
            while turns.len() < levels.len() {
                turns.push(0);
                self.extend_products(&levels, &turns, &mut products, &mut transversal);
            }
            if !visit(&products[turns.len()]) {
                return false;
            }
            loop {
                let Some(turn) = turns.pop() else {
                    return true;
                };
                if turn + 1 < self.orbit(levels[turns.len()]).len() {
                    turns.push(turn + 1);
                    self.extend_products(&levels, &turns, &mut products, &mut transversal);
                    break;
                }
            }
        }
    }

    fn extend_products(
        &self,
        levels: &[usize],
        turns: &[usize],
        products: &mut Vec<Vec<Point>>,
        transversal: &mut [Point],
    ) {
        let depth = turns.len();
        let level = levels[depth - 1];
        let x = self.orbit(level)[turns[depth - 1]];
        self.transversal_into(level, x, transversal);
        if products.len() == depth {
            products.push(vec![0; self.degree()]);
        }
        let (before, after) = products.split_at_mut(depth);
        for (z, &y) in after[0].iter_mut().zip(&*transversal) {
            *z = before[depth - 1][y as usize];
        }
    }
}

/// Replaces a permutation by its inverse, cycle by cycle.
fn invert_in_place(image: &mut [Point]) {
    debug_assert!(image.len() < MARK as usize);
    for start in 0..image.len() as Point {
        let mut from = start;
        let mut at = image[start as usize];
        while at & MARK == 0 {
            let next = image[at as usize];
            image[at as usize] = from | MARK;
            from = at;
            at = next;
        }
    }
    for y in image {
        *y &= !MARK;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inversion_in_place_agrees_with_the_plain_one() {
        let mut rng = fastrand::Rng::with_seed(5);
        for n in 0..40 {
            let mut image: Vec<Point> = (0..n).collect();
            rng.shuffle(&mut image);
            let plain = Perm::from_image(image.clone()).unwrap().inverse();
            invert_in_place(&mut image);
            assert_eq!(image, plain.image());
        }
    }
}
