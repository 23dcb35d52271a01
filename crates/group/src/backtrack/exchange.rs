//! Moving a base point to the left, one neighbour at a time.
//!
//! Neighbours `a, b` with transversals `u_p : a → p` and `w_q : b → q` (`w_q` fixes
//! `a`): the new first orbit is that of `b`. In the new second one, `p` is reached from `a` by an
//! element that fixes `b` exactly if `q = u_p⁻¹(b)` is in the old second orbit, and then
//! `u_p ∘ w_q` is such an element.
//!
//! Worked example: `⟨(0 1), (2 3)⟩` with base `0, 2` and orbits `{0,1}`, `{2,3}`. The new first
//! orbit, of 2, is `{2,3}`. In the new second one, 1 is reached from 0: `u_1 = (0 1)`, and
//! `q = (0 1)⁻¹(2) = 2` is in the old second orbit; the element is `(0 1)` itself. Order: still 4.
//!
//! Source: Seress 2003, section 5.4; Sims 1971 for the exchange.
//! Cost: as many tree walks as the first orbit is long, and a breadth-first search for each
//! generator that is added. Generators in excess are dropped, or the list would grow for ever.

use super::base_change::{MovableChain, MovableLevel};
use crate::perm::Point;

/// More strong generators than this of one depth are thinned out after an exchange.
const SAME_DEPTH_MAX: usize = 8;

impl MovableChain {
    pub(super) fn insert_level(&mut self, at: usize, base: Point) {
        for &s in &self.alive {
            let depth = &mut self.strong[s as usize].depth;
            *depth += u32::from(*depth as usize >= at);
        }
        self.levels.insert(at, MovableLevel::new(self.degree, base));
    }

    /// Levels of one point say nothing; those from `from` on are dropped.
    pub(super) fn drop_trivial_levels(&mut self, from: usize) {
        let mut kept = from as u32;
        let mut new_depth: Vec<u32> = (0..kept).collect();
        for level in &self.levels[from..] {
            new_depth.push(kept);
            kept += u32::from(level.orbit.len() > 1);
        }
        if kept as usize == self.levels.len() {
            return;
        }
        for &s in &self.alive {
            let depth = &mut self.strong[s as usize].depth;
            *depth = new_depth[*depth as usize];
        }
        let mut k = 0;
        self.levels.retain(|l| {
            k += 1;
            k <= from || l.orbit.len() > 1
        });
    }

    /// Exchanges the base points of `level` and the next one.
    pub(super) fn exchange(&mut self, level: usize) {
        let (a, b) = (self.levels[level].base, self.levels[level + 1].base);
        let mut second = self.alive_of_depth(level as u32);
        let first = self.alive_of_depth(level as u32 + 1);
        second.retain(|&s| self.strong[s as usize].perm.at(b) == b);
        let old = self.levels[level].clone();
        let new_first = self.grow_level(b, level as u32);

        // From here on `level + 1` holds what fixes `b`: nothing of the old depth `level + 1` does.
        for &s in &first {
            self.strong[s as usize].depth = level as u32;
        }
        for &s in &second {
            self.strong[s as usize].depth = level as u32 + 1;
        }
        let mut new_second = self.grow_level(a, level as u32 + 1);
        for &p in &old.orbit {
            let q = self.pull_back_point(level, p, b);
            if new_second.contains(p) || !self.levels[level + 1].contains(q) {
                continue;
            }
            let u = self.transversal(level, p);
            let w = self.transversal(level + 1, q);
            self.add(u.product(&w), level as u32 + 1);
            new_second = self.grow_level(a, level as u32 + 1);
        }
        debug_assert_eq!(
            old.orbit.len() * self.levels[level + 1].orbit.len(),
            new_first.orbit.len() * new_second.orbit.len(),
            "an exchange keeps the order"
        );
        self.levels[level] = new_first;
        self.levels[level + 1] = new_second;
        self.thin_out(level + 1);
        self.thin_out(level);
    }

    /// Keeps only those generators of this depth that make its orbit grow. Nothing else is needed:
    /// the rest generates the next stabiliser, and an orbit of the right length does the rest.
    fn thin_out(&mut self, level: usize) {
        let mine = self.alive_of_depth(level as u32);
        if mine.len() <= SAME_DEPTH_MAX {
            return;
        }
        let base = self.levels[level].base;
        let length = self.levels[level].orbit.len();
        for &s in &mine {
            self.strong[s as usize].is_alive = false;
        }
        let mut grown = self.grow_level(base, level as u32);
        let mut dead = Vec::new();
        for &s in mine.iter().rev() {
            let perm = self.strong[s as usize].perm.image();
            if grown
                .orbit
                .iter()
                .all(|&x| grown.contains(perm[x as usize]))
            {
                dead.push(s);
            } else {
                self.strong[s as usize].is_alive = true;
                grown = self.grow_level(base, level as u32);
            }
        }
        self.bury(&dead);
        debug_assert_eq!(grown.orbit.len(), length, "thinning keeps the orbit");
        self.levels[level] = grown;
    }

    pub(super) fn alive_of_depth(&self, depth: u32) -> Vec<u32> {
        let alive = self.alive.iter().copied();
        alive
            .filter(|&s| self.strong[s as usize].depth == depth)
            .collect()
    }
}
