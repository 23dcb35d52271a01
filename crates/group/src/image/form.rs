//! Images in full: what makes the comparison of leaves exact.
//!
//! The form of an image lists, place by place, the colours and the arcs of the column that came
//! there, targets renamed; then the auxiliary vertices by content. Two arrangements have equal
//! forms exactly if they lead to the same image.
//!
//! Auxiliary vertices are ranked by content from the bottom up: those that refer to points only
//! (height 0) first, then those that refer to ranked ones. Equal contents share a rank.

use crate::image::plan::ImagePlan;
use crate::image::scratch::{FormState, NodeArc, Scratch};
use crate::image::search::invert;

impl ImagePlan {
    /// The form of the image under `target`, into `form.current`.
    pub(super) fn form_of_target(&self, scratch: &mut Scratch) {
        self.index_arcs(scratch);
        let n_values = scratch.n_nodes - self.n_columns;
        if n_values > 0 {
            self.rank_values(scratch);
        }
        let form = &mut scratch.form;
        invert(&scratch.target, &mut form.inverse);
        form.current.clear();
        for place in 0..self.n_columns {
            let column = form.inverse[place] as usize;
            let points = self.column_start[column] as usize..self.column_start[column + 1] as usize;
            form.current.extend_from_slice(&scratch.colours[points]);
            let FormState {
                out,
                start,
                current,
                rank,
                ..
            } = form;
            let arcs = &out[start[column] as usize..start[column + 1] as usize];
            self.write_arcs(arcs, &scratch.target, rank, current);
        }
        // Contents in order of rank, so that the form does not depend on their numbering.
        for i in 0..n_values {
            let FormState {
                out,
                start,
                current,
                rank,
                sorted,
                ..
            } = form;
            let v = self.n_columns + sorted[i] as usize;
            current.push(scratch.colours[self.n_points + sorted[i] as usize]);
            let arcs = &out[start[v] as usize..start[v + 1] as usize];
            self.write_arcs(arcs, &scratch.target, rank, current);
        }
    }

    /// The form of the object as it stands, into `form.own`.
    pub(super) fn form_of_own(&self, scratch: &mut Scratch) {
        if !scratch.form.own_ready {
            scratch.target.clear();
            scratch.target.extend(0..self.n_columns as u32);
            self.form_of_target(scratch);
            std::mem::swap(&mut scratch.form.current, &mut scratch.form.own);
            scratch.form.own_ready = true;
        }
    }

    /// The form of the best image, into `form.best`; keeps `target`.
    pub(super) fn form_of_best(&self, scratch: &mut Scratch) {
        if !scratch.form.best_ready {
            std::mem::swap(&mut scratch.target, &mut scratch.search.best_target);
            self.form_of_target(scratch);
            std::mem::swap(&mut scratch.target, &mut scratch.search.best_target);
            std::mem::swap(&mut scratch.form.current, &mut scratch.form.best);
            scratch.form.best_ready = true;
        }
    }

    fn code(&self, node: u32, target: &[u32], rank: &[u32]) -> u64 {
        match (node as usize).checked_sub(self.n_columns) {
            None => u64::from(target[node as usize]),
            Some(v) => self.n_columns as u64 + u64::from(rank[v]),
        }
    }

    /// Appends arcs of one node; those of one kind, sorted by their renamed targets.
    fn write_arcs(
        &self,
        arcs: &[([u32; 3], u32)],
        target: &[u32],
        rank: &[u32],
        words: &mut Vec<u64>,
    ) {
        words.push(arcs.len() as u64);
        for run in arcs.chunk_by(|a, b| a.0 == b.0) {
            let [from_role, label, to_role] = run[0].0;
            words.push(u64::from(from_role) << 32 | u64::from(to_role));
            words.push(u64::from(label) << 32 | run.len() as u64);
            let first = words.len();
            words.extend(run.iter().map(|&(_, to)| self.code(to, target, rank)));
            words[first..].sort_unstable();
        }
    }

    /// Ranks the auxiliary vertices by content under `target`.
    fn rank_values(&self, scratch: &mut Scratch) {
        let form = &mut scratch.form;
        let n_values = scratch.n_nodes - self.n_columns;
        form.rank.clear();
        form.rank.resize(n_values, 0);
        form.sorted.clear();
        form.sorted.extend(0..n_values as u32);
        let height = &form.height;
        form.sorted.sort_by_key(|&v| height[v as usize]);
        let (mut first, mut n_ranks) = (0, 0);
        while first < n_values {
            let level = form.height[form.sorted[first] as usize];
            let same = |&&v: &&u32| form.height[v as usize] == level;
            let end = first + form.sorted[first..].iter().take_while(same).count();
            form.words.clear();
            form.word_start.resize(n_values, (0, 0));
            for i in first..end {
                let v = form.sorted[i] as usize;
                let begin = form.words.len() as u32;
                form.words.push(scratch.colours[self.n_points + v]);
                let node = self.n_columns + v;
                let arcs = &form.out[form.start[node] as usize..form.start[node + 1] as usize];
                self.write_arcs(arcs, &scratch.target, &form.rank, &mut form.words);
                form.word_start[v] = (begin, form.words.len() as u32);
            }
            let FormState {
                words,
                word_start,
                sorted,
                rank,
                ..
            } = form;
            let content = |v: u32| {
                let (begin, end) = word_start[v as usize];
                &words[begin as usize..end as usize]
            };
            sorted[first..end].sort_unstable_by(|&a, &b| content(a).cmp(content(b)));
            for same in sorted[first..end].chunk_by(|&a, &b| content(a) == content(b)) {
                same.iter().for_each(|&v| rank[v as usize] = n_ranks);
                n_ranks += 1;
            }
            first = end;
        }
    }

    /// Sorts the arcs by node, once per object.
    pub(super) fn index_arcs(&self, scratch: &mut Scratch) {
        let form = &mut scratch.form;
        if form.ready {
            return;
        }
        form.ready = true;
        let n = scratch.n_nodes;
        index(
            n,
            &scratch.arcs,
            |a| (a.from, a.to),
            &mut form.start,
            &mut form.out,
        );
        index(
            n,
            &scratch.arcs,
            |a| (a.to, a.from),
            &mut form.in_start,
            &mut form.inc,
        );
        form.height.clear();
        for v in self.n_columns..n {
            let arcs = &form.out[form.start[v] as usize..form.start[v + 1] as usize];
            let below = arcs
                .iter()
                .filter_map(|&(_, to)| (to as usize).checked_sub(self.n_columns));
            let height = below.map(|w| form.height[w] + 1).max().unwrap_or(0);
            form.height.push(height);
        }
    }
}

/// Groups arcs by their first node, sorted by kind and second node within it.
fn index(
    n_nodes: usize,
    arcs: &[NodeArc],
    ends: impl Fn(&NodeArc) -> (u32, u32),
    start: &mut Vec<u32>,
    lists: &mut Vec<([u32; 3], u32)>,
) {
    start.clear();
    start.resize(n_nodes + 1, 0);
    for arc in arcs {
        start[ends(arc).0 as usize] += 1;
    }
    let mut sum = 0;
    for s in start.iter_mut() {
        sum += *s;
        *s = sum;
    }
    lists.clear();
    lists.resize(arcs.len(), ([0; 3], 0));
    for arc in arcs {
        let (node, other) = ends(arc);
        start[node as usize] -= 1;
        lists[start[node as usize] as usize] = (arc.kind, other);
    }
    for node in 0..n_nodes {
        lists[start[node] as usize..start[node + 1] as usize].sort_unstable();
    }
}
