//! A stabiliser chain whose base is chosen point by point while it is used.
//!
//! The search wants the stabilisers of points it picks as it goes, not of those somebody picked
//! when the group was made. Three means, the cheapest that works:
//!
//! 1. The wanted point `x` is in the orbit of the level's base point `β`, by a transversal element
//!    `v`: rename by `v`. Nothing is moved; the chain remembers one permutation, the *frame* `c`,
//!    and stands for itself with all points renamed by `c`. For `S_n` nothing else ever happens.
//! 2. `x` can be renamed in this way to the base point of a later level, which is then exchanged
//!    with its left neighbours until it has arrived.
//! 3. `x` becomes a base point of its own behind the last level whose group moves it, and is then
//!    exchanged to the left as before.
//!
//! Worked example: the group of the square `0 1 2 3` (order 8) with base `0, 1`: orbits `{0,1,2,3}`
//! and `{1,3}`. Wanted: 1 first. It is in the first orbit, so with `c = (0 1 2 3)` the base reads
//! `c(0), c(1) = 1, 2`, and indeed `{2,0}` is the orbit of 2 once 1 is fixed.
//!
//! Source: Seress 2003, section 5.4 (base change); the frame is the conjugation of 5.4.1, kept
//! apart instead of being applied to every generator.
//! Cost: one product for means 1; for the others, see [`super::exchange`].

use std::sync::Arc;

use crate::chain::Chain;
use crate::orbit::DisjointSets;
use crate::perm::{Perm, Point};

const ABSENT: u32 = u32::MAX;
const ROOT: u32 = u32::MAX - 1;

/// Up to this many entries, four bytes each, the inverses of all transversal elements are tabulated
/// once the base is final.
const TABLE_ENTRIES_MAX: usize = 2_000_000;

/// A stabiliser chain with a movable base, up to renaming by its frame.
#[derive(Clone, Debug)]
pub(crate) struct MovableChain {
    pub(super) degree: usize,
    /// Everything ever used by a tree; only those alive generate.
    pub(super) strong: Vec<Strong>,
    /// The numbers of those alive.
    pub(super) alive: Vec<u32>,
    /// For each point the steps that lead away from it, those of some of the dead included.
    steps: Vec<Vec<SchreierStep>>,
    /// How many have died since the steps were last cleared of the dead.
    n_buried: usize,
    pub(super) levels: Vec<MovableLevel>,
    frame: Perm,
    frame_inverse: Perm,
    /// By level: the inverses of its transversal elements, each an image, in the order of the
    /// orbit, and the place of each point in the orbit. Empty while the base can still move.
    tables: Vec<StepTableOfLevel>,
}

#[derive(Clone, Debug)]
struct StepTableOfLevel {
    place: Vec<u32>,
    inverses: Vec<Point>,
}

#[derive(Clone, Debug)]
pub(super) struct Strong {
    /// Shared, because chains are copied when one point stabiliser after another is wanted.
    pub(super) perm: Arc<Perm>,
    pub(super) inverse: Arc<Perm>,
    /// The first level whose base point it moves.
    pub(super) depth: u32,
    pub(super) is_alive: bool,
}

/// A strong generator or its inverse at one point that it moves: twice the number of the generator,
/// plus one for the inverse.
#[derive(Clone, Copy, Debug)]
struct SchreierStep {
    code: u32,
    to: Point,
}

#[derive(Clone, Debug)]
pub(super) struct MovableLevel {
    pub(super) base: Point,
    pub(super) orbit: Vec<Point>,
    /// For each point of the orbit the code of the step that reached it.
    pub(super) reached_by: Vec<u32>,
}

impl MovableChain {
    /// The same group with the base of `chain`.
    pub(crate) fn new(chain: &Chain) -> MovableChain {
        let mut strong = Vec::new();
        for k in 0..chain.n_levels() {
            let base = chain.base_point(k);
            let (from, below) = (
                chain.stabiliser_generators(k),
                chain.stabiliser_generators(k + 1),
            );
            // Those of the next level are the tail, and fix the base point. So may a few others,
            // which the next stabiliser contains and can do without.
            let own = from[..from.len() - below.len()].iter();
            strong.extend(
                own.filter(|g| g.at(base) != base)
                    .map(|g| (g.clone(), k as u32)),
            );
        }
        MovableChain::from_strong_generators(chain.degree(), &chain.base(), strong)
    }

    /// The chain of a group with this base.
    ///
    /// # Requires
    /// Each generator comes with its depth: it fixes the base points before that and moves that
    /// one. Those of depth `k` and more generate the stabiliser of the first `k` base points.
    pub(crate) fn from_strong_generators(
        degree: usize,
        base: &[Point],
        generators: Vec<(Perm, u32)>,
    ) -> MovableChain {
        let mut chain = MovableChain {
            degree,
            strong: Vec::new(),
            alive: Vec::new(),
            steps: vec![Vec::new(); degree],
            n_buried: 0,
            levels: Vec::new(),
            frame: Perm::identity(degree),
            frame_inverse: Perm::identity(degree),
            tables: Vec::new(),
        };
        for (perm, depth) in generators {
            chain.add(perm, depth);
        }
        chain.levels = (0..base.len())
            .map(|k| chain.grow_level(base[k], k as u32))
            .collect();
        chain.drop_trivial_levels(0);
        chain
    }

    pub(crate) fn degree(&self) -> usize {
        self.degree
    }

    /// Whether `g` is an element. The frame is one as well, so renaming does not matter.
    pub(crate) fn contains(&self, g: &Perm) -> bool {
        let mut image = g.image().to_vec();
        for (k, level) in self.levels.iter().enumerate() {
            let x = image[level.base as usize];
            if !level.contains(x) {
                return false;
            }
            self.pull_back(k, x, &mut image);
        }
        image.iter().enumerate().all(|(x, &y)| x as Point == y)
    }

    /// The same group acting on more points: `extend` gives each strong generator its action there,
    /// which on the old points is the old one.
    ///
    /// # Requires
    /// `extend` is a homomorphism, and the base has not been moved yet.
    pub(crate) fn extended(&self, degree: usize, extend: impl Fn(&Perm) -> Perm) -> MovableChain {
        debug_assert!(self.frame.is_identity(), "the base was moved");
        let base: Vec<Point> = self.levels.iter().map(|l| l.base).collect();
        let generators = self.generators_from(0).map(|s| (extend(&s.perm), s.depth));
        MovableChain::from_strong_generators(degree, &base, generators.collect())
    }

    /// Generators of the stabiliser of the first `level` base points.
    pub(crate) fn stabiliser_generators(&self, level: usize) -> Vec<Perm> {
        let strong = self.generators_from(level);
        strong.map(|s| s.perm.conjugate(&self.frame)).collect()
    }

    /// The permutation that renames the chain's own points to the actual ones.
    pub(crate) fn frame(&self) -> &Perm {
        &self.frame
    }

    /// Whether no element but the identity fixes the first `level` base points.
    pub(crate) fn is_trivial_from(&self, level: usize) -> bool {
        level >= self.levels.len()
    }

    /// Makes the actual point `x` the base point number `level`, if the stabiliser of the earlier
    /// ones moves it; says whether it does. Earlier levels stay as they are.
    pub(crate) fn fix(&mut self, level: usize, x: Point) -> bool {
        self.tables.clear();
        let own = self.frame_inverse.at(x);
        let last = self.last_level_moving(level, own);
        let Some(last) = last else { return false };
        let place = (level..=last).find(|&k| self.levels[k].contains(own));
        let mut at = match place {
            Some(k) => {
                let rename = self.transversal(k, own);
                self.frame = self.frame.product(&rename);
                self.frame_inverse = self.frame.inverse();
                k
            }
            None => {
                self.insert_level(last + 1, own);
                last + 1
            }
        };
        while at > level {
            at -= 1;
            self.exchange(at);
        }
        self.drop_trivial_levels(level);
        debug_assert_eq!(self.frame.at(self.levels[level].base), x);
        true
    }

    /// The chain of the stabiliser of the actual point `x`.
    pub(crate) fn point_stabiliser(&self, x: Point) -> MovableChain {
        let mut chain = self.clone();
        if chain.fix(0, x) {
            let first = chain.alive_of_depth(0);
            chain.bury(&first);
            for &s in &chain.alive {
                chain.strong[s as usize].depth -= 1;
            }
            chain.levels.remove(0);
        }
        chain
    }

    /// Makes [`MovableChain::pull_back`] fast if that takes little memory. To be called when the
    /// base is final: a later [`MovableChain::fix`] forgets it.
    pub(crate) fn tabulate(&mut self) {
        let n_elements: usize = self.levels.iter().map(|l| l.orbit.len()).sum();
        if n_elements * self.degree > TABLE_ENTRIES_MAX {
            return;
        }
        let n_levels = self.levels.len();
        self.tables = (0..n_levels).map(|k| self.table(k)).collect();
    }

    /// For each actual point the least point of its orbit under the stabiliser of the first `level`
    /// base points.
    pub(crate) fn orbits(&self, level: usize) -> Vec<Point> {
        let mut sets = DisjointSets::new(self.degree);
        for s in self.generators_from(level) {
            let perm = s.perm.image();
            for &x in s.perm.support() {
                sets.join(x, perm[x as usize]);
            }
        }
        let mut least = vec![0; self.degree];
        for set in sets.sets() {
            let renamed = || set.iter().map(|&x| self.frame.at(x));
            let min = renamed().min().expect("sets are not empty");
            renamed().for_each(|x| least[x as usize] = min);
        }
        least
    }

    /// Whether the chain's own point `x` is in that level's orbit.
    pub(crate) fn in_own_orbit(&self, level: usize, x: Point) -> bool {
        self.levels[level].contains(x)
    }

    /// `image := v⁻¹ ∘ image`, where `v` is the transversal element of that level that sends its
    /// base point to `x`; all in the chain's own points.
    pub(crate) fn pull_back(&self, level: usize, mut x: Point, image: &mut [Point]) {
        if let Some(table) = self.tables.get(level) {
            let inverse = table.inverse(x, self.degree);
            image.iter_mut().for_each(|y| *y = inverse[*y as usize]);
            return;
        }
        loop {
            let step = self.levels[level].reached_by[x as usize];
            debug_assert_ne!(step, ABSENT, "{x} is not in the orbit");
            if step == ROOT {
                return;
            }
            let back = self.undoing(step);
            image.iter_mut().for_each(|y| *y = back[*y as usize]);
            x = back[x as usize];
        }
    }

    /// The number of strong generators in use and the orbit lengths, for tests.
    #[cfg(test)]
    fn orbit_lengths(&self) -> Vec<usize> {
        self.levels.iter().map(|l| l.orbit.len()).collect()
    }

    fn table(&self, level: usize) -> StepTableOfLevel {
        let MovableLevel {
            orbit, reached_by, ..
        } = &self.levels[level];
        let mut table = StepTableOfLevel {
            place: vec![ABSENT; self.degree],
            inverses: Vec::with_capacity(orbit.len() * self.degree),
        };
        for (i, &x) in orbit.iter().enumerate() {
            let step = reached_by[x as usize];
            if step == ROOT {
                table.inverses.extend(0..self.degree as Point);
            } else {
                // The orbit is in breadth-first order, so the point before `x` has its row already.
                let back = self.undoing(step);
                let from = table.place[back[x as usize] as usize] as usize * self.degree;
                for &y in back {
                    let entry = table.inverses[from + y as usize];
                    table.inverses.push(entry);
                }
            }
            table.place[x as usize] = i as u32;
        }
        table
    }

    /// The image of the permutation that undoes a step.
    fn undoing(&self, step: u32) -> &[Point] {
        let s = &self.strong[(step / 2) as usize];
        if step.is_multiple_of(2) {
            s.inverse.image()
        } else {
            s.perm.image()
        }
    }

    fn generators_from(&self, level: usize) -> impl Iterator<Item = &Strong> + '_ {
        let alive = self.alive.iter().map(|&s| &self.strong[s as usize]);
        alive.filter(move |s| s.depth as usize >= level)
    }

    fn last_level_moving(&self, from: usize, x: Point) -> Option<usize> {
        let steps = self.steps[x as usize].iter();
        let moving = steps.map(|s| &self.strong[(s.code / 2) as usize]);
        let depths = moving.filter(|s| s.is_alive).map(|s| s.depth as usize);
        depths.filter(|&depth| depth >= from).max()
    }

    pub(super) fn transversal(&self, level: usize, x: Point) -> Perm {
        let mut image: Vec<Point> = (0..self.degree as Point).collect();
        self.pull_back(level, x, &mut image);
        Perm::from_bijection(image).inverse()
    }

    /// `v⁻¹(y)` for the transversal element `v` that sends the level's base point to `x`.
    pub(super) fn pull_back_point(&self, level: usize, mut x: Point, mut y: Point) -> Point {
        loop {
            let step = self.levels[level].reached_by[x as usize];
            if step == ROOT {
                return y;
            }
            let back = self.undoing(step);
            x = back[x as usize];
            y = back[y as usize];
        }
    }

    pub(super) fn add(&mut self, perm: Perm, depth: u32) {
        self.alive.push(self.strong.len() as u32);
        let code = 2 * self.strong.len() as u32;
        for &x in perm.support() {
            let y = perm.at(x);
            self.steps[x as usize].push(SchreierStep { code, to: y });
            let back = SchreierStep {
                code: code + 1,
                to: x,
            };
            self.steps[y as usize].push(back);
        }
        self.strong.push(Strong::new(perm, depth));
    }

    /// Takes generators out of use; trees may still walk along them.
    pub(super) fn bury(&mut self, dead: &[u32]) {
        for &s in dead {
            self.strong[s as usize].is_alive = false;
        }
        self.alive.retain(|&s| self.strong[s as usize].is_alive);
        self.n_buried += dead.len();
        if self.n_buried > self.alive.len() {
            self.n_buried = 0;
            let is_alive = |step: &SchreierStep| self.strong[(step.code / 2) as usize].is_alive;
            self.steps
                .iter_mut()
                .for_each(|steps| steps.retain(is_alive));
        }
    }

    /// Breadth first, generators and inverses, so that the trees stay low.
    pub(super) fn grow_level(&self, base: Point, depth: u32) -> MovableLevel {
        let mut level = MovableLevel::new(self.degree, base);
        let mut next = 0;
        while let Some(&x) = level.orbit.get(next) {
            next += 1;
            for step in &self.steps[x as usize] {
                let strong = &self.strong[(step.code / 2) as usize];
                let is_new = level.reached_by[step.to as usize] == ABSENT;
                if is_new && strong.is_alive && strong.depth >= depth {
                    level.reached_by[step.to as usize] = step.code;
                    level.orbit.push(step.to);
                }
            }
        }
        level
    }
}

impl Strong {
    fn new(perm: Perm, depth: u32) -> Strong {
        Strong {
            inverse: Arc::new(perm.inverse()),
            perm: Arc::new(perm),
            depth,
            is_alive: true,
        }
    }
}

impl StepTableOfLevel {
    fn inverse(&self, x: Point, degree: usize) -> &[Point] {
        let start = self.place[x as usize] as usize * degree;
        &self.inverses[start..start + degree]
    }
}

impl MovableLevel {
    pub(super) fn new(degree: usize, base: Point) -> MovableLevel {
        let mut reached_by = vec![ABSENT; degree];
        reached_by[base as usize] = ROOT;
        MovableLevel {
            base,
            orbit: vec![base],
            reached_by,
        }
    }

    pub(super) fn contains(&self, x: Point) -> bool {
        self.reached_by[x as usize] != ABSENT
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::Group;

    fn random_group(rng: &mut fastrand::Rng, degree: usize) -> Group {
        let n_generators = rng.usize(0..4);
        let generators = (0..n_generators)
            .map(|_| {
                let mut image: Vec<Point> = (0..degree as Point).collect();
                let moved = rng.usize(0..=degree);
                rng.shuffle(&mut image[..moved]);
                Perm::from_bijection(image)
            })
            .collect();
        Group::new(degree, generators)
    }

    #[test]
    fn the_square_of_the_header() {
        let square = Group::new(
            4,
            vec![
                Perm::from_cycles(4, &[&[0, 1, 2, 3]]).unwrap(),
                Perm::from_cycles(4, &[&[1, 3]]).unwrap(),
            ],
        );
        let mut chain = MovableChain::new(square.chain());
        assert!(chain.fix(0, 1));
        assert_eq!(chain.orbits(1), [0, 1, 0, 3]);
        assert!(!chain.fix(1, 3), "3 is opposite to 1 and stays");
        assert!(chain.fix(1, 0));
        assert!(chain.is_trivial_from(2));
    }

    #[test]
    fn any_base_gives_the_stabilisers_that_enumeration_gives() {
        for seed in 0..1500 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let degree = rng.usize(1..8);
            let group = random_group(&mut rng, degree);
            let mut elements = Vec::new();
            group.chain().enumerate(&mut |g| {
                elements.push(g.clone());
                true
            });
            let mut wanted: Vec<Point> = (0..degree as Point).collect();
            rng.shuffle(&mut wanted);
            let mut chain = MovableChain::new(group.chain());
            let mut level = 0;
            for &x in &wanted {
                let moved = elements.iter().any(|g| g.at(x) != x);
                assert_eq!(chain.fix(level, x), moved, "seed {seed}");
                level += usize::from(moved);
                elements.retain(|g| g.at(x) == x);
                let least: Vec<Point> = (0..degree as Point)
                    .map(|y| elements.iter().map(|g| g.at(y)).min().unwrap())
                    .collect();
                assert_eq!(chain.orbits(level), least, "seed {seed}");
                let order: usize = chain.orbit_lengths()[level..].iter().product();
                assert_eq!(order, elements.len(), "seed {seed}");
            }
            assert!(chain.is_trivial_from(level), "seed {seed}");
        }
    }
}
