//! Automorphisms of the object at hand: found on the way, used to prune, counted at the end.
//!
//! They are kept sparsely, as pairs of a column and its image, because most of them move little.

use crate::image::plan::ImagePlan;
use crate::image::scratch::{Scratch, SearchState};
use crate::image::search::invert;

impl ImagePlan {
    pub(super) fn sibling_of_best(&self, scratch: &Scratch, depth: usize) -> bool {
        let search = &scratch.search;
        search.has_best
            && search.best_choice.len() > depth
            && search.best_choice[..depth] == search.choice[..depth]
    }

    /// Tries to read an automorphism off the invariants of this child and of the best path's child
    /// at the same depth; keeps it and says `true` if the object confirms it.
    ///
    /// Columns with the same invariant on both sides are guessed to stay. Of the others, those that
    /// are alone with their invariant have one possible image. The remaining ones are guessed to
    /// go where they are the image of (so that two like parts change places), else in order.
    pub(super) fn match_with_best(&self, scratch: &mut Scratch, depth: usize) -> bool {
        if !self.guess_automorphism(scratch, depth) {
            return false;
        }
        if !self.segments_contain(&scratch.search) {
            return false;
        }
        if !self.rest_contains(&scratch.search.candidate, &mut scratch.placed) {
            return false;
        }
        if !self.fixes_object(scratch) {
            return false;
        }
        let SearchState {
            candidate,
            order,
            automorphisms,
            ..
        } = &mut scratch.search;
        let moved = order
            .iter()
            .map(|&(_, c)| c)
            .filter(|&c| candidate[c as usize] != c);
        automorphisms.push(moved.map(|c| (c, candidate[c as usize])));
        true
    }

    /// Fills `candidate`; `order` then holds the columns whose invariants differ.
    fn guess_automorphism(&self, scratch: &mut Scratch, depth: usize) -> bool {
        let n = scratch.n_nodes;
        let SearchState {
            best_hash,
            candidate,
            order,
            best_order,
            back,
            ..
        } = &mut scratch.search;
        let here = &scratch.hash[(depth + 1) * n..][..self.n_columns];
        let best = &best_hash[depth * n..][..self.n_columns];
        candidate.clear();
        candidate.extend(0..self.n_columns as u32);
        order.clear();
        best_order.clear();
        for c in 0..self.n_columns {
            if here[c] != best[c] {
                order.push((here[c], c as u32));
                best_order.push((best[c], c as u32));
            }
        }
        order.sort_unstable();
        best_order.sort_unstable();
        if order.iter().zip(best_order.iter()).any(|(a, b)| a.0 != b.0) {
            return false;
        }
        back.clear();
        back.resize(self.n_columns, u32::MAX);
        let mut first = 0;
        for class in order.chunk_by(|a, b| a.0 == b.0) {
            if class.len() == 1 {
                let (c, image) = (class[0].1, best_order[first].1);
                candidate[c as usize] = image;
                back[image as usize] = c;
            }
            first += class.len();
        }
        first = 0;
        for class in order.chunk_by(|a, b| a.0 == b.0) {
            let images = &best_order[first..first + class.len()];
            if class.len() > 1 {
                let home = |c: u32| back[c as usize];
                let mutual = class
                    .iter()
                    .all(|&(h, c)| home(c) != u32::MAX && best[home(c) as usize] == h);
                for (&(_, c), &(_, image)) in class.iter().zip(images) {
                    candidate[c as usize] = if mutual { home(c) } else { image };
                }
            }
            first += class.len();
        }
        true
    }

    /// Whether the candidate keeps columns of symmetric segments inside their segments, and those
    /// that the group fixes in place. Invariants say so too, but for collisions.
    fn segments_contain(&self, search: &SearchState) -> bool {
        search.order.iter().all(|&(_, c)| {
            let image = search.candidate[c as usize];
            let fixed = c as usize >= self.rest.end && image != c;
            !fixed && self.segment_of(c) == self.segment_of(image)
        })
    }

    /// The symmetric segment of a column, if it is in one.
    pub(super) fn segment_of(&self, column: u32) -> Option<usize> {
        let holds = |s: &std::ops::Range<usize>| s.contains(&(column as usize));
        self.segments.iter().position(holds)
    }

    /// Whether the candidate, which moves no column outside `order`, fixes the object.
    pub(super) fn fixes_object(&self, scratch: &mut Scratch) -> bool {
        self.index_arcs(scratch);
        if scratch.n_nodes > self.n_columns {
            // Auxiliary vertices have no names: compare in full.
            self.form_of_own(scratch);
            scratch.target.clear();
            scratch.target.extend_from_slice(&scratch.search.candidate);
            self.form_of_target(scratch);
            return scratch.form.current == scratch.form.own;
        }
        let (form, search) = (&mut scratch.form, &scratch.search);
        let image = |c: u32| search.candidate[c as usize];
        let out_of = |c: u32| arcs_of(&form.out, &form.start, c);
        let in_of = |c: u32| arcs_of(&form.inc, &form.in_start, c);
        search.order.iter().all(|&(_, c)| {
            let d = image(c);
            scratch.colours[self.points_range(c)] == scratch.colours[self.points_range(d)]
                && same_arcs(out_of(c), out_of(d), &image, &mut form.renamed)
                && same_arcs(in_of(c), in_of(d), &image, &mut form.renamed)
        })
    }

    /// Where the points of a column are in `column_points` and in the scratch's colours.
    pub(super) fn points_range(&self, column: u32) -> std::ops::Range<usize> {
        let c = column as usize;
        self.column_start[c] as usize..self.column_start[c + 1] as usize
    }

    /// Whether the group has an element that acts on the columns of the rest as `columns` does.
    fn rest_contains(&self, columns: &[u32], stack: &mut Vec<u32>) -> bool {
        let first = self.rest.start as u32;
        let n_rest = self.rest.len();
        let base = stack.len();
        // `stack[base..]` holds the inverse, divided level by level.
        stack.resize(base + 2 * n_rest, 0);
        let (inverse, spare) = stack[base..].split_at_mut(n_rest);
        for place in 0..n_rest {
            inverse[(columns[place + first as usize] - first) as usize] = place as u32;
        }
        let mut inside = true;
        for (k, level) in self.levels.iter().enumerate() {
            let at_base = |&x: &u32| inverse[x as usize] == level.base;
            let Some(i) = level.orbit.iter().position(at_base) else {
                inside = false;
                break;
            };
            self.transversal(k, i, spare);
            spare.iter_mut().for_each(|z| *z = inverse[*z as usize]);
            inverse.copy_from_slice(spare);
        }
        inside &= inverse.iter().enumerate().all(|(x, &y)| x as u32 == y);
        stack.truncate(base);
        inside
    }

    /// Two leaves with one image: the way to this one and back from the best one fixes the object.
    /// Returns the depth at which the two paths part.
    pub(super) fn found_automorphism(&self, scratch: &mut Scratch) -> usize {
        let search = &mut scratch.search;
        let inverse = &mut scratch.form.inverse;
        invert(&search.best_target, inverse);
        let product = scratch.target.iter().map(|&place| inverse[place as usize]);
        let moved = product.zip(0u32..).filter(|&(image, c)| image != c);
        search
            .automorphisms
            .push(moved.map(|(image, c)| (c, image)));
        if !search.pruning.is_by_automorphisms() {
            // It counts for the stabiliser, and nothing is left out because of it.
            return search.choice.len();
        }
        let parting = search
            .choice
            .iter()
            .zip(&search.best_choice)
            .position(|(a, b)| a != b);
        parting.expect("two leaves part somewhere")
    }

    /// Whether an automorphism that fixes all earlier choices maps `column` to one of the explored
    /// candidates, which are a range of the cell stack.
    pub(super) fn is_covered(
        &self,
        scratch: &mut Scratch,
        depth: usize,
        explored: std::ops::Range<usize>,
        column: u32,
    ) -> bool {
        let SearchState {
            automorphisms,
            choice,
            parent,
            cells,
            orbits_stale,
            pruning,
            ..
        } = &mut scratch.search;
        if !pruning.is_by_automorphisms() {
            return false;
        }
        if explored.is_empty() || automorphisms.is_empty() {
            return false;
        }
        if std::mem::replace(orbits_stale, false) {
            automorphisms.join_orbits(&choice[..depth], self.n_columns, parent);
        }
        let root = find(parent, column);
        cells[explored].iter().any(|&c| find(parent, c) == root)
    }

    /// The order of the stabiliser is the product of the lengths of the orbits of the best path's
    /// choices, each under the automorphisms that fix the earlier ones.
    pub(super) fn count_stabiliser(&self, scratch: &mut Scratch) {
        let SearchState {
            automorphisms,
            best_choice,
            parent,
            ..
        } = &mut scratch.search;
        for depth in 0..best_choice.len() {
            let (fixed, chosen) = (&best_choice[..depth], best_choice[depth]);
            automorphisms.join_orbits(fixed, self.n_columns, parent);
            let root = find(parent, chosen);
            let same = (0..self.n_columns as u32).filter(|&c| find(parent, c) == root);
            let length = same.count() as u32;
            if length > 1 {
                scratch.factors.push(length);
            }
        }
    }
}

/// Elements of the group that fix the object, as pairs of a moved column and its image.
#[derive(Debug, Default)]
pub(super) struct Automorphisms {
    pairs: Vec<(u32, u32)>,
    ends: Vec<u32>,
    /// For each column, whether it must be fixed; all `false` between calls.
    is_fixed: Vec<bool>,
}

impl Automorphisms {
    pub(super) fn clear(&mut self) {
        self.pairs.clear();
        self.ends.clear();
    }

    fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    fn push(&mut self, moved: impl Iterator<Item = (u32, u32)>) {
        self.pairs.extend(moved);
        self.ends.push(self.pairs.len() as u32);
    }

    /// Fills `parent` with the orbits of those automorphisms that fix every column of `fixed`.
    fn join_orbits(&mut self, fixed: &[u32], n_columns: usize, parent: &mut Vec<u32>) {
        parent.clear();
        parent.extend(0..n_columns as u32);
        self.is_fixed.resize(n_columns, false);
        fixed.iter().for_each(|&c| self.is_fixed[c as usize] = true);
        let mut start = 0;
        for &end in &self.ends {
            let moved = &self.pairs[start as usize..end as usize];
            start = end;
            if moved.iter().any(|&(c, _)| self.is_fixed[c as usize]) {
                continue;
            }
            for &(x, y) in moved {
                let (a, b) = (find(parent, x), find(parent, y));
                parent[a.max(b) as usize] = a.min(b);
            }
        }
        fixed
            .iter()
            .for_each(|&c| self.is_fixed[c as usize] = false);
    }
}

/// The arcs of a column, by kind and other end.
type Arcs = [([u32; 3], u32)];

/// Of all arcs those of the column `c`.
pub(super) fn arcs_of<'a>(all: &'a Arcs, start: &[u32], c: u32) -> &'a Arcs {
    &all[start[c as usize] as usize..start[c as usize + 1] as usize]
}

/// Whether the arcs of one column, their other ends renamed, are those of another.
pub(super) fn same_arcs(
    own: &Arcs,
    others: &Arcs,
    image: &impl Fn(u32) -> u32,
    renamed: &mut Vec<([u32; 3], u32)>,
) -> bool {
    if own.len() != others.len() {
        return false;
    }
    renamed.clear();
    renamed.extend(own.iter().map(|&(kind, other)| (kind, image(other))));
    renamed.sort_unstable();
    renamed[..] == *others
}

pub(super) fn find(parent: &mut [u32], mut x: u32) -> u32 {
    while parent[x as usize] != x {
        let grandparent = parent[parent[x as usize] as usize];
        parent[x as usize] = grandparent;
        x = grandparent;
    }
    x
}
