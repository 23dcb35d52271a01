//! Parts of an object that can be exchanged as wholes: counted, not searched.
//!
//! Twins (`twins`) are single columns. The same happens to larger parts: pairs of processes that
//! refer to each other, a server with its clients, each many times over. Without this, `m` like
//! parts cost a search of depth `m`.
//!
//! Only columns of symmetric segments that are still tied are looked at. References between them
//! join them into *parts*. A part counts if its columns have different invariants; then two parts
//! of the same invariants can correspond in one way only. If the exchange of two parts, column by
//! column, fixes the object, it lies in the group, and being exchangeable is an equivalence. As
//! with twins, a class of `m` parts contributes `m!` to the stabiliser, and its members are told
//! apart by rank.
//!
//! Worked example: six points in pairs that refer to each other, under `S6`. The two of a pair are
//! twins: ranks 0 and 1, a factor 2 for each pair. What is left are three parts of a column of rank
//! 0 and one of rank 1. Any two can be exchanged: a factor 3!. The stabiliser has 8·6 elements, and
//! nothing is left to search.
//!
//! Cost: a sort of the tied columns, and one comparison of references a part.

use crate::image::automorphism::{arcs_of, find, same_arcs};
use crate::image::hash::mix;
use crate::image::plan::ImagePlan;
use crate::image::scratch::Scratch;

const PART_SALT: u64 = 0xd1b5_4a32_d192_ed03;

/// Memory for parts.
#[derive(Debug, Default)]
pub(super) struct PartScratch {
    /// A disjoint-set forest over columns; those without ties point nowhere.
    parent: Vec<u32>,
    /// The root, invariant and number of each tied column, sorted.
    members: Vec<(u32, u64, u32)>,
    parts: Vec<ColumnPart>,
    /// Where an exchange sends each column; the identity between uses.
    image: Vec<u32>,
}

/// A part: a range of members, and a number that depends on their invariants only.
#[derive(Clone, Copy, Debug)]
struct ColumnPart {
    signature: u64,
    start: u32,
    end: u32,
}

const NO_TIE: u32 = u32::MAX;

impl ImagePlan {
    /// Tells exchangeable parts apart by rank, at the root; says whether there were any.
    pub(super) fn break_parts(&self, scratch: &mut Scratch) -> bool {
        if scratch.arcs.is_empty() || self.segments.is_empty() {
            return false;
        }
        self.index_arcs(scratch);
        self.join_parts(scratch);
        let mut parts = std::mem::take(&mut scratch.parts);
        parts.list();
        let mut found = false;
        let mut list = std::mem::take(&mut parts.parts);
        for like in list.chunk_by_mut(|a, b| a.signature == b.signature) {
            found |= like.len() > 1 && self.rank_parts(scratch, &mut parts, like);
        }
        parts.parts = list;
        scratch.parts = parts;
        found
    }

    /// Finds the tied columns of symmetric segments and joins those that refer to each other.
    fn join_parts(&self, scratch: &mut Scratch) {
        let Scratch {
            parts,
            hash,
            arcs,
            search,
            n_nodes,
            ..
        } = scratch;
        let n_movable = self.rest.start;
        search.order.clear();
        let columns = hash[..n_movable].iter().copied().zip(0..);
        search.order.extend(columns);
        search.order.sort_unstable();
        let PartScratch {
            parent, members, ..
        } = parts;
        parent.clear();
        parent.resize(*n_nodes, NO_TIE);
        let classes = search.order.chunk_by(|a, b| a.0 == b.0);
        for &(_, c) in classes.filter(|class| class.len() > 1).flatten() {
            parent[c as usize] = c;
        }
        for arc in arcs.iter() {
            if parent[arc.from as usize] != NO_TIE && parent[arc.to as usize] != NO_TIE {
                join(parent, arc.from, arc.to);
            }
        }
        members.clear();
        for &(h, c) in &search.order {
            if parent[c as usize] != NO_TIE {
                members.push((find(parent, c), h, c));
            }
        }
    }

    /// Splits parts of like invariants into classes of exchangeable ones and ranks each class.
    fn rank_parts(
        &self,
        scratch: &mut Scratch,
        parts: &mut PartScratch,
        like: &mut [ColumnPart],
    ) -> bool {
        parts.image.clear();
        parts.image.extend(0..self.n_columns as u32);
        let mut found = false;
        let mut rest = like;
        while let Some(&first) = rest.first() {
            let mut n_like = 1;
            for i in 1..rest.len() {
                if self.are_exchangeable(scratch, parts, first, rest[i]) {
                    rest.swap(n_like, i);
                    n_like += 1;
                }
            }
            for (rank, part) in rest[..n_like].iter().enumerate().skip(1) {
                for &(_, h, c) in &parts.members[part.start as usize..part.end as usize] {
                    scratch.hash[c as usize] = mix(h ^ (rank as u64).wrapping_mul(PART_SALT));
                }
                scratch.factors.push(rank as u32 + 1);
                found = true;
            }
            rest = &mut rest[n_like..];
        }
        found
    }

    /// Whether the exchange of two parts, their members in order of invariant, fixes the object.
    fn are_exchangeable(
        &self,
        scratch: &mut Scratch,
        parts: &mut PartScratch,
        a: ColumnPart,
        b: ColumnPart,
    ) -> bool {
        if a.end - a.start != b.end - b.start {
            return false;
        }
        let PartScratch { members, image, .. } = parts;
        let of_a = &members[a.start as usize..a.end as usize];
        let of_b = &members[b.start as usize..b.end as usize];
        for (&(_, _, c), &(_, _, d)) in of_a.iter().zip(of_b) {
            (image[c as usize], image[d as usize]) = (d, c);
        }
        let form = &mut scratch.form;
        let to = |v: u32| image.get(v as usize).copied().unwrap_or(v);
        let out_of = |c: u32| arcs_of(&form.out, &form.start, c);
        let in_of = |c: u32| arcs_of(&form.inc, &form.in_start, c);
        let mut pairs = of_a.iter().zip(of_b);
        let fixes = pairs.all(|(&(_, h, c), &(_, k, d))| {
            h == k
                && self.segment_of(c) == self.segment_of(d)
                && scratch.colours[self.points_range(c)] == scratch.colours[self.points_range(d)]
                && same_arcs(out_of(c), out_of(d), &to, &mut form.renamed)
                && same_arcs(in_of(c), in_of(d), &to, &mut form.renamed)
        });
        for &(_, _, c) in of_a.iter().chain(of_b) {
            image[c as usize] = c;
        }
        fixes
    }
}

impl PartScratch {
    /// Lists the parts whose members have different invariants, like ones next to each other.
    fn list(&mut self) {
        let PartScratch { members, parts, .. } = self;
        members.sort_unstable();
        parts.clear();
        let mut start = 0;
        for part in members.chunk_by(|a, b| a.0 == b.0) {
            let end = start + part.len() as u32;
            if part.windows(2).all(|w| w[0].1 != w[1].1) {
                let signature = part.iter().fold(0u64, |sum, m| sum.wrapping_add(mix(m.1)));
                parts.push(ColumnPart {
                    signature,
                    start,
                    end,
                });
            }
            start = end;
        }
        parts.sort_unstable_by_key(|p| (p.signature, p.start));
    }
}

fn join(parent: &mut [u32], x: u32, y: u32) {
    let (x, y) = (find(parent, x), find(parent, y));
    parent[x.max(y) as usize] = x.min(y);
}
