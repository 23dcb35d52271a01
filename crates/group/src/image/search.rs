//! The search for the canonical image where invariants leave ties.
//!
//! A leaf is an arrangement of all columns that lies in the group: columns of symmetric segments
//! sorted by invariant, the rest led along the stabiliser chain, where at each level the column of
//! least invariant among those that can come to the base point is brought there. Where the least is
//! shared, the search branches: one of the tied columns is *individualised* (given an invariant of
//! its own), invariants are refined again, and so on. The image chosen is the one whose sequence of
//! traces, then whose full form, is least.
//!
//! Pruning: a trace greater than the best one's; a tied column that an automorphism already found
//! (one that fixes all earlier choices) maps to a column already explored; on the best path, a
//! sibling whose refined invariants match the best one's column by column gives an automorphism
//! without going to a leaf, once the full form confirms it.
//!
//! Why it is exact: which columns are tied, their traces and forms depend on the object up to the
//! group only, so an object and its image under the group have the same set of leaf images, and the
//! least is taken. Hash collisions can only add ties. Sources: McKay 1981 (individualisation and
//! refinement); Junttila 2003, thesis, for states and groups.

use std::ops::Range;

use crate::image::hash::mix;
use crate::image::plan::ImagePlan;
use crate::image::scratch::Scratch;

const INDIVIDUAL: u64 = 0xe703_7ed1_a0b4_28db;

/// What the next thing to decide is.
enum Decision {
    /// Nothing: the arrangement is complete.
    Leaf,
    /// The tied columns are on top of the cell stack, from here; one of them comes next. The flag
    /// says whether they compete for a base point of the rest.
    Tie { start: usize, for_rest: bool },
}

impl ImagePlan {
    /// Finds the arrangement of the canonical image and leaves it in `search.best_target`.
    pub(super) fn search_from_root(&self, scratch: &mut Scratch) {
        let search = &mut scratch.search;
        search.cells.clear();
        search.choice.clear();
        search.has_best = false;
        search.best_choice.clear();
        search.best_trace.clear();
        search.automorphisms.clear();
        search.n_leaves = 0;
        search.fresh_hash.clear();
        scratch.form.best_ready = false;
        scratch.placed.clear();
        scratch.placed.extend(0..self.rest.len() as u32);
        scratch.level.clear();
        scratch.level.push(0);
        self.explore(scratch, 0);
        self.count_stabiliser(scratch);
    }

    /// Tells twins and exchangeable parts apart, and what can be told apart thereby; says whether
    /// no ties are left.
    pub(super) fn break_root_ties(&self, scratch: &mut Scratch) -> bool {
        scratch.search.cells.clear();
        // Classes of different sizes may tell others apart.
        if self.break_twins(scratch) && self.is_tied(scratch) && self.refine(scratch, 0, None) {
            return true;
        }
        self.is_tied(scratch)
            && self.break_parts(scratch)
            && self.is_tied(scratch)
            && self.refine(scratch, 0, None)
    }

    /// Whether columns of a symmetric segment are tied at the root.
    fn is_tied(&self, scratch: &mut Scratch) -> bool {
        self.segments.iter().any(|segment| {
            let mask = self.sort_segment(scratch, 0, segment);
            scratch.keys.windows(2).any(|w| (w[0] ^ w[1]) <= mask)
        })
    }

    /// Explores below the node at `depth`; returns the depth of the node to go on with.
    fn explore(&self, scratch: &mut Scratch, depth: usize) -> usize {
        match self.decide(scratch, depth) {
            Decision::Leaf => self.leaf(scratch, depth),
            Decision::Tie { start, for_rest } => {
                let end = scratch.search.cells.len();
                let back = self.branch(scratch, depth, start..end, for_rest);
                scratch.search.cells.truncate(start);
                back
            }
        }
    }

    fn branch(
        &self,
        scratch: &mut Scratch,
        depth: usize,
        cell: Range<usize>,
        for_rest: bool,
    ) -> usize {
        scratch.search.orbits_stale = true;
        // The explored candidates come first in the cell.
        let mut explored = cell.start..cell.start;
        for i in cell {
            let column = scratch.search.cells[i];
            if self.is_covered(scratch, depth, explored.clone(), column) {
                continue;
            }
            scratch.search.cells.swap(explored.end, i);
            explored.end += 1;
            scratch.search.choice.truncate(depth);
            scratch.search.choice.push(column);
            self.individualise(scratch, depth, column, for_rest);
            if !self.trace_is_promising(scratch, depth) {
                continue;
            }
            scratch.search.orbits_stale = true;
            let is_image = scratch.search.pruning.is_by_automorphisms()
                && self.sibling_of_best(scratch, depth)
                && self.match_with_best(scratch, depth);
            if is_image {
                continue;
            }
            let back = self.explore(scratch, depth + 1);
            scratch.search.orbits_stale = true;
            if back < depth {
                return back;
            }
        }
        depth
    }

    /// Makes the child in which `column` comes next.
    fn individualise(&self, scratch: &mut Scratch, depth: usize, column: u32, for_rest: bool) {
        let n = scratch.n_nodes;
        scratch.hash.truncate((depth + 1) * n);
        scratch.hash.extend_from_within(depth * n..(depth + 1) * n);
        let n_rest = self.rest.len();
        scratch.placed.truncate((depth + 1) * n_rest);
        scratch
            .placed
            .extend_from_within(depth * n_rest..(depth + 1) * n_rest);
        scratch.level.truncate(depth + 1);
        let level = scratch.level[depth];
        scratch.level.push(level);
        // Each depth has its own mark: where nothing else changes, two marks must differ.
        let own = &mut scratch.hash[(depth + 1) * n + column as usize];
        *own = mix(*own ^ INDIVIDUAL.wrapping_mul(depth as u64 + 1));
        if for_rest {
            self.place(scratch, depth + 1, column - self.rest.start as u32);
            self.salt_by_stabiliser(scratch, depth + 1);
        }
        let only = (!for_rest).then_some(column);
        self.refine(scratch, depth + 1, only);
        // Deciding may salt the row again; siblings are compared before that.
        scratch.search.fresh_hash.truncate(depth * n);
        scratch
            .search
            .fresh_hash
            .extend_from_slice(&scratch.hash[(depth + 1) * n..]);
    }

    /// Brings a column of the rest to the base point of the current level.
    fn place(&self, scratch: &mut Scratch, depth: usize, column: u32) {
        let n_rest = self.rest.len();
        let k = scratch.level[depth];
        let placed = &mut scratch.placed[depth * n_rest..(depth + 1) * n_rest];
        let among = |&x: &u32| placed[x as usize] == column;
        let i = self.levels[k]
            .orbit
            .iter()
            .position(among)
            .expect("a candidate for the base point");
        let spare = &mut scratch.spare;
        spare.resize(n_rest, 0);
        self.transversal(k, i, spare);
        spare.iter_mut().for_each(|z| *z = placed[*z as usize]);
        placed.copy_from_slice(spare);
        scratch.level[depth] += 1;
    }

    /// Tells columns apart that the stabiliser of what is settled cannot exchange.
    fn salt_by_stabiliser(&self, scratch: &mut Scratch, depth: usize) {
        let n_rest = self.rest.len();
        let next = scratch.level[depth];
        let hash = &mut scratch.hash[depth * scratch.n_nodes + self.rest.start..][..n_rest];
        let placed = &scratch.placed[depth * n_rest..(depth + 1) * n_rest];
        for (place, &column) in placed.iter().enumerate() {
            // Below the last level every place is an orbit of its own.
            let salt = match self.levels.get(next) {
                Some(level) => level.orbit_salt[place],
                None => mix(place as u64),
            };
            hash[column as usize] = mix(hash[column as usize].wrapping_add(salt));
        }
    }

    fn decide(&self, scratch: &mut Scratch, depth: usize) -> Decision {
        let start = scratch.search.cells.len();
        while scratch.level[depth] < self.levels.len() {
            let mut n_tied = self.collect_least(scratch, depth);
            let level = scratch.level[depth];
            let is_fresh = match depth.checked_sub(1) {
                None => level == 0 && scratch.with_orbitals,
                Some(before) => level == scratch.level[before] + 1,
            };
            if n_tied > 1 && !is_fresh {
                // What the group knows about the columns may break the tie.
                scratch.search.cells.truncate(start);
                scratch.with_orbitals = true;
                self.salt_by_stabiliser(scratch, depth);
                self.refine(scratch, depth, None);
                n_tied = self.collect_least(scratch, depth);
            }
            if n_tied > 1 {
                return Decision::Tie {
                    start,
                    for_rest: true,
                };
            }
            let column = scratch.search.cells[start] - self.rest.start as u32;
            scratch.search.cells.truncate(start);
            self.place(scratch, depth, column);
        }
        if self.collect_smallest_tie(scratch, depth) {
            return Decision::Tie {
                start,
                for_rest: false,
            };
        }
        Decision::Leaf
    }

    /// Pushes the columns of least invariant that can come to the current base point; returns how
    /// many there are.
    fn collect_least(&self, scratch: &mut Scratch, depth: usize) -> usize {
        let n_rest = self.rest.len();
        let hash = &scratch.hash[depth * scratch.n_nodes + self.rest.start..][..n_rest];
        let placed = &scratch.placed[depth * n_rest..(depth + 1) * n_rest];
        let level = &self.levels[scratch.level[depth]];
        let cells = &mut scratch.search.cells;
        let start = cells.len();
        let mut least = u64::MAX;
        for &place in &level.orbit {
            let column = placed[place as usize];
            let h = hash[column as usize];
            if h < least {
                least = h;
                cells.truncate(start);
            }
            if h == least {
                cells.push(column + self.rest.start as u32);
            }
        }
        // The order of exploration does not matter for the result; sorted, it is reproducible.
        cells[start..].sort_unstable();
        cells.len() - start
    }

    /// Sorts the columns of the symmetric segments by invariant into `target`; if some are tied,
    /// pushes the smallest class of them, the first of that size, and says so.
    fn collect_smallest_tie(&self, scratch: &mut Scratch, depth: usize) -> bool {
        let start = scratch.search.cells.len();
        let mut smallest = usize::MAX;
        scratch.target.clear();
        scratch.target.extend(0..self.n_columns as u32);
        for segment in &self.segments {
            let mask = self.sort_segment(scratch, depth, segment);
            let Scratch {
                keys,
                target,
                search,
                ..
            } = scratch;
            for (place, &key) in segment.clone().zip(keys.iter()) {
                target[segment.start + (key & mask) as usize] = place as u32;
            }
            if keys.windows(2).all(|w| (w[0] ^ w[1]) > mask) {
                continue;
            }
            for class in keys.chunk_by(|a, b| a ^ b <= mask) {
                if class.len() > 1 && class.len() < smallest {
                    smallest = class.len();
                    search.cells.truncate(start);
                    let column = |key: &u64| segment.start as u32 + (key & mask) as u32;
                    search.cells.extend(class.iter().map(column));
                }
            }
        }
        scratch.search.cells.len() > start
    }

    /// Fills `keys` with the invariants of a segment's columns, sorted; the low bits of a key,
    /// which the returned mask covers, hold the column, counted from the segment's start. Losing
    /// these bits of the invariant can only make ties.
    pub(super) fn sort_segment(
        &self,
        scratch: &mut Scratch,
        depth: usize,
        segment: &Range<usize>,
    ) -> u64 {
        let mask = (segment.len() as u64).next_power_of_two() - 1;
        let hash = &scratch.hash[depth * scratch.n_nodes..][segment.clone()];
        scratch.keys.clear();
        scratch
            .keys
            .extend(hash.iter().zip(0u64..).map(|(&h, i)| (h & !mask) | i));
        scratch.keys.sort_unstable();
        mask
    }

    /// Compares the trace of the child with the best one's; `false` prunes it.
    fn trace_is_promising(&self, scratch: &mut Scratch, depth: usize) -> bool {
        if !scratch.search.pruning.is_by_order() {
            return true;
        }
        let trace = self.trace(scratch, depth + 1);
        let search = &mut scratch.search;
        match search.best_trace.get(depth) {
            // The best path ends here, and a path that goes on is greater than one that ends.
            None if search.has_best => return false,
            None => search.best_trace.push(trace),
            Some(&best) if trace > best => return false,
            Some(&best) if trace < best => {
                search.best_trace.truncate(depth);
                search.best_trace.push(trace);
                search.has_best = false;
            }
            Some(_) => {}
        }
        true
    }

    fn leaf(&self, scratch: &mut Scratch, depth: usize) -> usize {
        scratch.search.n_leaves += 1;
        self.arrange_rest(scratch, depth);
        if !scratch.search.has_best {
            self.keep_leaf(scratch, depth);
            return depth;
        }
        if depth < scratch.search.best_choice.len() {
            self.keep_leaf(scratch, depth);
            return depth;
        }
        // Without traces a path may go on longer than the best one, and then it is greater.
        if depth > scratch.search.best_choice.len() {
            return depth;
        }
        self.form_of_best(scratch);
        self.form_of_target(scratch);
        match scratch.form.current.cmp(&scratch.form.best) {
            std::cmp::Ordering::Less => {
                self.keep_leaf(scratch, depth);
                depth
            }
            std::cmp::Ordering::Equal => self.found_automorphism(scratch),
            std::cmp::Ordering::Greater => depth,
        }
    }

    fn keep_leaf(&self, scratch: &mut Scratch, depth: usize) {
        let n = scratch.n_nodes;
        let search = &mut scratch.search;
        search.has_best = true;
        search.best_choice.clear();
        search
            .best_choice
            .extend_from_slice(&search.choice[..depth]);
        search.best_target.clear();
        search.best_target.extend_from_slice(&scratch.target);
        search.best_hash.clear();
        search
            .best_hash
            .extend_from_slice(&search.fresh_hash[..depth * n]);
        search.best_trace.truncate(depth);
        scratch.form.best_ready = false;
    }

    /// Completes `target`, which has the symmetric segments already, with the rest.
    fn arrange_rest(&self, scratch: &mut Scratch, depth: usize) {
        let n_rest = self.rest.len();
        let first = self.rest.start as u32;
        let placed = &scratch.placed[depth * n_rest..(depth + 1) * n_rest];
        for (place, &column) in placed.iter().enumerate() {
            scratch.target[(column + first) as usize] = place as u32 + first;
        }
    }
}

pub(super) fn invert(image: &[u32], inverse: &mut Vec<u32>) {
    inverse.clear();
    inverse.resize(image.len(), 0);
    for (x, &y) in image.iter().enumerate() {
        inverse[y as usize] = x as u32;
    }
}
