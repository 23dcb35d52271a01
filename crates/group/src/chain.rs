//! Stabiliser chains: what makes a group of any size answer questions.
//!
//! A base is a list of points `b1, b2, …` that no element but the identity fixes all of. The chain
//! is `G = G0 ≥ G1 ≥ …`, where `Gk` fixes `b1..bk`. Level `k` (counted from 0) holds the orbit of
//! `b(k+1)` under `Gk` and, for each point `x` of it, a way to an element `u` of `Gk` with
//! `u(b(k+1)) = x`, the *transversal*. Every element of `G` is one product `u1 ∘ u2 ∘ …` of
//! transversal elements, one a level, so the order is the product of the orbit lengths.
//!
//! Worked example: `S3` on `0..3` with base `0, 1`. Level 0 has the orbit `{0,1,2}` (three ways to
//! send 0), level 1 the orbit `{1,2}` (two ways to send 1 once 0 is fixed), and 3·2 = 6.
//!
//! Built by random Schreier–Sims and then verified: every Schreier generator of every level must
//! sift to the identity (Schreier's lemma), so the result does not depend on luck.
//! Source: Seress, *Permutation Group Algorithms* (2003), chapter 4.

use num_bigint::BigUint;

use crate::perm::{Perm, Point};

const ABSENT: u32 = u32::MAX;
const ROOT: u32 = u32::MAX - 1;

/// How many random elements in a row must sift to the identity before verification starts.
const QUIET_ROUNDS: usize = 12;

/// A group of permutations with its stabiliser chain.
#[derive(Clone, Debug)]
pub struct Group {
    generators: Vec<Perm>,
    chain: Chain,
}

impl Group {
    /// The group that `generators` generate on `0..degree`.
    pub fn new(degree: usize, generators: Vec<Perm>) -> Group {
        let chain = Chain::new(degree, &generators, &[]);
        Group { generators, chain }
    }

    /// The number of points, moved or not.
    pub fn degree(&self) -> usize {
        self.chain.degree
    }

    /// The generators it was made from.
    pub fn generators(&self) -> &[Perm] {
        &self.generators
    }

    /// The stabiliser chain.
    pub fn chain(&self) -> &Chain {
        &self.chain
    }

    /// The number of elements.
    pub fn order(&self) -> BigUint {
        self.chain.order()
    }

    /// Whether `g` is an element.
    pub fn contains(&self, g: &Perm) -> bool {
        self.chain.contains(g)
    }
}

/// A base with transversals for the stabiliser of each of its prefixes.
#[derive(Clone, Debug)]
pub struct Chain {
    degree: usize,
    levels: Vec<Level>,
}

#[derive(Clone, Debug)]
struct Level {
    base: Point,
    /// Strong generators of this level's group: they fix all earlier base points.
    generators: Vec<Perm>,
    inverses: Vec<Perm>,
    orbit: Vec<Point>,
    /// For each point, the generator that reached it in the breadth-first tree.
    reached_by: Vec<u32>,
}

impl Chain {
    /// The chain of the group that `generators` generate, with a base that starts with `prefix`.
    /// Points of `prefix` stay in the base even where the group already fixes them.
    pub fn new(degree: usize, generators: &[Perm], prefix: &[Point]) -> Chain {
        let levels = prefix.iter().map(|&b| Level::new(degree, b)).collect();
        let mut chain = Chain { degree, levels };
        for g in generators {
            assert_eq!(g.degree(), degree, "generator of another degree");
            chain.absorb(g);
        }
        chain.fill_at_random(generators);
        chain.complete();
        chain
    }

    /// The number of points, moved or not.
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// The number of levels, one a base point.
    pub fn n_levels(&self) -> usize {
        self.levels.len()
    }

    /// The base point of a level.
    pub fn base_point(&self, level: usize) -> Point {
        self.levels[level].base
    }

    /// The base.
    pub fn base(&self) -> Vec<Point> {
        self.levels.iter().map(|l| l.base).collect()
    }

    /// The orbit of a level's base point under the stabiliser of the earlier ones, base point first.
    pub fn orbit(&self, level: usize) -> &[Point] {
        &self.levels[level].orbit
    }

    /// Whether `x` is in the orbit of that level.
    pub fn in_orbit(&self, level: usize, x: Point) -> bool {
        self.levels[level].reached_by[x as usize] != ABSENT
    }

    /// Generators of the stabiliser of the first `level` base points.
    pub fn stabiliser_generators(&self, level: usize) -> &[Perm] {
        self.levels.get(level).map_or(&[], |l| &l.generators)
    }

    /// An element that fixes the earlier base points and sends this level's base point to `x`.
    pub fn transversal(&self, level: usize, x: Point) -> Perm {
        let mut inverse: Vec<Point> = (0..self.degree as Point).collect();
        self.levels[level].pull_back(x, &mut inverse);
        Perm::from_bijection(inverse).inverse()
    }

    /// The number of elements.
    pub fn order(&self) -> BigUint {
        self.levels
            .iter()
            .map(|l| BigUint::from(l.orbit.len()))
            .product()
    }

    /// Divides `image` on the left by transversal elements, from level `from` on, until a base
    /// point leaves its orbit; returns the level where that happened, or the number of levels.
    pub fn sift(&self, image: &mut [Point], from: usize) -> usize {
        for (k, level) in self.levels.iter().enumerate().skip(from) {
            let x = image[level.base as usize];
            if level.reached_by[x as usize] == ABSENT {
                return k;
            }
            level.pull_back(x, image);
        }
        self.levels.len()
    }

    /// Whether `g` is an element of the group.
    pub fn contains(&self, g: &Perm) -> bool {
        g.degree() == self.degree && {
            let mut image = g.image().to_vec();
            self.sift(&mut image, 0) == self.levels.len() && is_identity(&image)
        }
    }

    /// A uniformly random element.
    pub fn random(&self, rng: &mut fastrand::Rng) -> Perm {
        let mut product = Perm::identity(self.degree);
        for (k, level) in self.levels.iter().enumerate() {
            let x = level.orbit[rng.usize(..level.orbit.len())];
            product = product.product(&self.transversal(k, x));
        }
        product
    }

    /// Calls `visit` with every element once; stops early when it says `false`.
    pub fn enumerate(&self, visit: &mut dyn FnMut(&Perm) -> bool) -> bool {
        self.enumerate_below(0, &Perm::identity(self.degree), visit)
    }

    fn enumerate_below(
        &self,
        level: usize,
        product: &Perm,
        visit: &mut dyn FnMut(&Perm) -> bool,
    ) -> bool {
        if level == self.levels.len() {
            return visit(product);
        }
        self.levels[level].orbit.iter().all(|&x| {
            let next = product.product(&self.transversal(level, x));
            self.enumerate_below(level + 1, &next, visit)
        })
    }

    /// Sifts `g` and, if a residue is left, makes it a strong generator; says whether it did.
    fn absorb(&mut self, g: &Perm) -> bool {
        let mut image = g.image().to_vec();
        let stopped = self.sift(&mut image, 0);
        self.add_residue(image, 0, stopped)
    }

    fn add_residue(&mut self, residue: Vec<Point>, from: usize, stopped: usize) -> bool {
        if is_identity(&residue) {
            return false;
        }
        let g = Perm::from_bijection(residue);
        if stopped == self.levels.len() {
            self.levels.push(Level::new(self.degree, g.support()[0]));
        }
        for level in &mut self.levels[from..=stopped] {
            level.add(&g);
        }
        true
    }

    fn fill_at_random(&mut self, generators: &[Perm]) {
        let mut rng = fastrand::Rng::with_seed(0x6f72_6269_7431);
        let Some(mut pool) = RandomPool::new(generators, &mut rng) else {
            return;
        };
        let mut quiet = 0;
        while quiet < QUIET_ROUNDS {
            let g = pool.next(&mut rng);
            quiet = if self.absorb(&g) { 0 } else { quiet + 1 };
        }
    }

    /// Makes every Schreier generator of every level sift to the identity.
    fn complete(&mut self) {
        let mut k = self.levels.len();
        while k > 0 {
            match self.failing_schreier_generator(k - 1) {
                None => k -= 1,
                Some((residue, stopped)) => {
                    self.add_residue(residue, k, stopped);
                    k = stopped + 1;
                }
            }
        }
    }

    fn failing_schreier_generator(&self, k: usize) -> Option<(Vec<Point>, usize)> {
        let level = &self.levels[k];
        for &x in &level.orbit {
            let u = self.transversal(k, x);
            for s in &level.generators {
                let mut image: Vec<Point> = u.image().iter().map(|&y| s.at(y)).collect();
                level.pull_back(s.at(x), &mut image);
                let stopped = self.sift(&mut image, k + 1);
                if !is_identity(&image) {
                    return Some((image, stopped));
                }
            }
        }
        None
    }
}

impl Level {
    fn new(degree: usize, base: Point) -> Level {
        let mut reached_by = vec![ABSENT; degree];
        reached_by[base as usize] = ROOT;
        Level {
            base,
            generators: Vec::new(),
            inverses: Vec::new(),
            orbit: vec![base],
            reached_by,
        }
    }

    fn add(&mut self, g: &Perm) {
        self.generators.push(g.clone());
        self.inverses.push(g.inverse());
        self.reached_by.fill(ABSENT);
        self.reached_by[self.base as usize] = ROOT;
        self.orbit.clear();
        self.orbit.push(self.base);
        let mut next = 0;
        while next < self.orbit.len() {
            let x = self.orbit[next];
            next += 1;
            for (i, g) in self.generators.iter().enumerate() {
                let y = g.at(x);
                if self.reached_by[y as usize] == ABSENT {
                    self.reached_by[y as usize] = i as u32;
                    self.orbit.push(y);
                }
            }
        }
    }

    /// `image := u⁻¹ ∘ image`, where `u` is the transversal element that sends the base point to `x`.
    fn pull_back(&self, mut x: Point, image: &mut [Point]) {
        loop {
            let by = self.reached_by[x as usize];
            debug_assert_ne!(by, ABSENT, "{x} is not in the orbit");
            if by == ROOT {
                return;
            }
            let inverse = &self.inverses[by as usize];
            for y in image.iter_mut() {
                *y = inverse.at(*y);
            }
            x = inverse.at(x);
        }
    }
}

/// Product replacement with an accumulator: nearly uniform random elements of a group that is
/// known by generators only. Source: Celler et al. 1995; Leedham-Green and O'Brien's "rattle".
struct RandomPool {
    slots: Vec<Perm>,
    accumulator: Perm,
}

impl RandomPool {
    const SLOTS_MIN: usize = 11;
    const WARM_UP: usize = 60;

    fn new(generators: &[Perm], rng: &mut fastrand::Rng) -> Option<RandomPool> {
        let first = generators.iter().find(|g| !g.is_identity())?;
        let moving: Vec<&Perm> = generators.iter().filter(|g| !g.is_identity()).collect();
        let n_slots = moving.len().max(RandomPool::SLOTS_MIN);
        let slots = (0..n_slots)
            .map(|i| moving[i % moving.len()].clone())
            .collect();
        let mut pool = RandomPool {
            slots,
            accumulator: first.clone(),
        };
        for _ in 0..RandomPool::WARM_UP {
            pool.next(rng);
        }
        Some(pool)
    }

    fn next(&mut self, rng: &mut fastrand::Rng) -> Perm {
        let i = rng.usize(..self.slots.len());
        let j = (i + rng.usize(1..self.slots.len())) % self.slots.len();
        let factor = if rng.bool() {
            self.slots[j].clone()
        } else {
            self.slots[j].inverse()
        };
        self.slots[i] = if rng.bool() {
            self.slots[i].product(&factor)
        } else {
            factor.product(&self.slots[i])
        };
        self.accumulator = self.accumulator.product(&self.slots[i]);
        self.accumulator.clone()
    }
}

fn is_identity(image: &[Point]) -> bool {
    image.iter().enumerate().all(|(x, &y)| x as Point == y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetric_group_of_six_has_the_transversals_of_the_digest() {
        let g = Group::new(
            6,
            vec![
                Perm::from_cycles(6, &[&[0, 1]]).unwrap(),
                Perm::from_cycles(6, &[&[0, 1, 2, 3, 4, 5]]).unwrap(),
            ],
        );
        let lengths: Vec<usize> = (0..g.chain().n_levels())
            .map(|k| g.chain().orbit(k).len())
            .collect();
        assert_eq!(lengths, [6, 5, 4, 3, 2]);
        assert_eq!(g.order(), BigUint::from(720u32));
        let mut n = 0;
        g.chain().enumerate(&mut |p| {
            assert!(g.contains(p));
            n += 1;
            true
        });
        assert_eq!(n, 720);
    }
}
