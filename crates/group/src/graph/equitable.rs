//! Equitable partitions by colour refinement, with a stack to go back.
//!
//! A partition of the vertices into cells is *equitable* if any two vertices of a cell have, for
//! every cell and every kind of link, equally many such links into that cell. Every automorphism
//! that keeps the cells of a partition keeps the cells of the coarsest equitable partition below
//! it, so refining loses nothing and often decides everything.
//!
//! The loop takes a cell `S` from a queue, counts for each vertex its links of one kind into `S`,
//! and splits every cell by that count. The largest fragment keeps the name of its cell and is not
//! queued again (Hopcroft 1971): counts into it follow from the counts into the whole cell and the
//! other fragments. So each vertex is counted O(log n) times: O(m log n) altogether.
//!
//! Everything that is decided depends on sets and counts only, never on the numbers of vertices:
//! cells are named in order of creation, fragments are placed by increasing count, cells are split
//! in order of their names. Hence isomorphic inputs give corresponding partitions in corresponding
//! order. Alongside, a *trace* of what happened is produced, one hash per step: inputs with
//! different traces are not isomorphic, and a run that must match a known trace stops at the first
//! difference, often long before it is done. Hashes only ever tell things apart.
//!
//! Worked example: the path `0–1–2–3–4`. The only cell counts links into itself: the ends have 1,
//! the others 2, giving `{0,4} {1,2,3}`. The larger keeps the old name; the new cell `{0,4}` is
//! next: 1 and 3 have one link into it, 2 has none: `{0,4} {2} {1,3}`. Equitable.
//!
//! Sources: McKay (1981) §2; Paige and Tarjan (1987) for the counting; McKay and Piperno (2014)
//! for traces. Counts are exact, one kind at a time: with hashed counts the result would be
//! equitable only with high probability, and [`super::components`] relies on it.

use std::collections::VecDeque;

use super::net::Net;
use crate::mix::mix;
use crate::perm::Point;

/// An ordered partition of the vertices of a net: cells are intervals of one array.
#[derive(Default)]
pub(super) struct VertexPartition {
    /// The vertices, cell by cell.
    pub elems: Vec<Point>,
    /// Where each vertex stands in `elems`.
    pos: Vec<u32>,
    /// The cell of each vertex.
    pub cell_of: Vec<u32>,
    /// For each cell, where it starts in `elems` and how many vertices it has.
    start: Vec<u32>,
    len: Vec<u32>,
    /// For each cell that was split off since the beginning, the cell it came from.
    log: Vec<u32>,
    n_initial: usize,
}

impl VertexPartition {
    /// The initial cells of `net`.
    pub fn new(net: &Net) -> VertexPartition {
        let n = net.len() as u32;
        let mut partition = VertexPartition {
            elems: (0..n).collect(),
            pos: (0..n).collect(),
            cell_of: Vec::with_capacity(n as usize),
            start: Vec::with_capacity(net.head.len()),
            len: Vec::with_capacity(net.head.len()),
            log: Vec::new(),
            n_initial: net.head.len(),
        };
        let mut start = 0;
        for (cell, share) in net.head.iter().enumerate() {
            partition.start.push(start);
            partition.len.push(share.size);
            let filled = (start + share.size) as usize;
            partition.cell_of.resize(filled, cell as u32);
            start += share.size;
        }
        partition
    }

    /// The number of cells; they are named `0..n_cells()`.
    pub fn n_cells(&self) -> usize {
        self.start.len()
    }

    /// Where `cell` starts in the order of the partition.
    pub fn start(&self, cell: u32) -> u32 {
        self.start[cell as usize]
    }

    /// The number of vertices of `cell`.
    pub fn size(&self, cell: u32) -> u32 {
        self.len[cell as usize]
    }

    /// The cell that starts at `start` and has `size` vertices, if there is one.
    pub(crate) fn cell_at(&self, start: u32, size: u32) -> Option<u32> {
        let cell = self.cell_of[*self.elems.get(start as usize)? as usize];
        ((self.start(cell), self.size(cell)) == (start, size)).then_some(cell)
    }

    /// The vertices of `cell`, in no meaningful order.
    pub fn members(&self, cell: u32) -> &[Point] {
        let start = self.start[cell as usize] as usize;
        &self.elems[start..start + self.len[cell as usize] as usize]
    }

    /// How many cells have been split off so far; a point to come back to.
    pub fn mark(&self) -> usize {
        self.log.len()
    }

    /// Joins the cells that were split off since `mark`; members of cells may change their order.
    pub fn undo(&mut self, mark: usize) {
        while self.log.len() > mark {
            let parent = self.log.pop().expect("longer than the mark") as usize;
            let start = self.start.pop().expect("one for each entry of the log");
            let len = self.len.pop().expect("one for each entry of the log");
            for i in start..start + len {
                let x = self.elems[i as usize] as usize;
                self.cell_of[x] = parent as u32;
            }
            self.start[parent] = self.start[parent].min(start);
            self.len[parent] += len;
        }
        debug_assert_eq!(self.start.len(), self.n_initial + self.log.len());
    }

    /// Moves `x` to a cell of its own, in front of the rest of its cell; returns the new cell.
    ///
    /// # Requires
    /// The cell of `x` has more vertices.
    pub(crate) fn individualise(&mut self, x: Point) -> u32 {
        let cell = self.cell_of[x as usize] as usize;
        assert!(self.len[cell] > 1, "{x} is alone already");
        let first = self.start[cell];
        self.swap_into(x, first);
        self.start[cell] += 1;
        self.len[cell] -= 1;
        self.open(cell as u32, first, 1)
    }

    /// Gives the interval from `start` to a new cell that was part of `parent`.
    fn open(&mut self, parent: u32, start: u32, len: u32) -> u32 {
        let cell = self.start.len() as u32;
        self.start.push(start);
        self.len.push(len);
        self.log.push(parent);
        for i in start..start + len {
            self.cell_of[self.elems[i as usize] as usize] = cell;
        }
        cell
    }

    fn swap_into(&mut self, x: Point, place: u32) {
        let from = self.pos[x as usize];
        let y = self.elems[place as usize];
        self.elems.swap(from as usize, place as usize);
        self.pos[x as usize] = place;
        self.pos[y as usize] = from;
    }
}

/// What a run is compared with, and what it left behind.
pub(super) struct InvariantTrace<'a> {
    expected: &'a [u64],
    at: usize,
    mode: Mode,
    /// The trace, when it was recorded.
    pub trace: Vec<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Record,
    /// Equal so far; a smaller trace is wanted and recorded from there on.
    Improve,
    /// Equal so far; nothing else will do.
    Match,
}

/// How a completed run compares with what was expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EquitableOutcome {
    /// The trace is the expected one.
    Equal,
    /// There was no expectation, or the trace is smaller: it is recorded.
    Recorded,
    /// The trace is greater, or different from one to match; the run stopped there.
    Worse,
}

impl<'a> InvariantTrace<'a> {
    /// Record the trace whatever it is.
    pub fn record() -> InvariantTrace<'a> {
        InvariantTrace::new(&[], Mode::Record)
    }

    /// Go on while the trace is at most `expected`.
    pub fn improve(expected: &'a [u64]) -> InvariantTrace<'a> {
        InvariantTrace::new(expected, Mode::Improve)
    }

    /// Go on while the trace is `expected`.
    pub fn matching(expected: &'a [u64]) -> InvariantTrace<'a> {
        InvariantTrace::new(expected, Mode::Match)
    }

    fn new(expected: &'a [u64], mode: Mode) -> InvariantTrace<'a> {
        InvariantTrace {
            expected,
            at: 0,
            mode,
            trace: Vec::new(),
        }
    }

    /// Takes the next entry of the trace; says whether to go on.
    fn see(&mut self, entry: u64) -> bool {
        if self.mode == Mode::Record {
            self.trace.push(entry);
            return true;
        }
        let wanted = self.expected[self.at];
        if entry == wanted {
            self.at += 1;
            return true;
        }
        if entry > wanted || self.mode == Mode::Match {
            return false;
        }
        self.trace = self.expected[..self.at].to_vec();
        self.trace.push(entry);
        self.mode = Mode::Record;
        true
    }
}

/// Ends every trace, and is less than every other entry: no trace is the beginning of another.
const END: u64 = 0;

/// Scratch space for refinement, shared by all nets of a search.
pub(super) struct Refiner {
    /// How many links have been looked at so far.
    pub n_scanned: usize,
    count: Vec<u32>,
    touched: Vec<Point>,
    /// For each cell, how many of its vertices are touched; they stand at its end.
    n_touched: Vec<u32>,
    cells: Vec<u32>,
    queue: VecDeque<u32>,
    queued: Vec<bool>,
    /// For each kind, the far ends of the links of that kind out of the splitting cell.
    by_kind: Vec<Vec<Point>>,
    kinds: Vec<u32>,
}

impl Refiner {
    /// Room for nets of up to `n` vertices with links of `n_kinds` kinds.
    pub fn new(n: usize, n_kinds: usize) -> Refiner {
        Refiner {
            n_scanned: 0,
            count: vec![0; n],
            touched: Vec::new(),
            n_touched: vec![0; n],
            cells: Vec::new(),
            queue: VecDeque::new(),
            queued: vec![false; n],
            by_kind: vec![Vec::new(); n_kinds],
            kinds: Vec::new(),
        }
    }

    /// Splits cells until the partition is equitable or `watch` calls a halt.
    ///
    /// # Requires
    /// Before the cells in `splitters` were split off, the partition was equitable; or they are
    /// all cells.
    ///
    /// # Ensures
    /// Unless the outcome is `Worse`, the partition is the coarsest equitable one below the given.
    pub fn refine(
        &mut self,
        net: &Net,
        partition: &mut VertexPartition,
        splitters: impl Iterator<Item = u32>,
        watch: &mut InvariantTrace,
    ) -> EquitableOutcome {
        for cell in splitters {
            self.push(cell);
        }
        let mut going = true;
        while let Some(cell) = self.queue.pop_front() {
            self.queued[cell as usize] = false;
            if going {
                going = self.split_by(net, partition, cell, watch);
            }
        }
        if !going || !watch.see(END) {
            return EquitableOutcome::Worse;
        }
        if watch.mode == Mode::Record {
            EquitableOutcome::Recorded
        } else {
            EquitableOutcome::Equal
        }
    }

    fn push(&mut self, cell: u32) {
        if !std::mem::replace(&mut self.queued[cell as usize], true) {
            self.queue.push_back(cell);
        }
    }

    /// Splits all cells by their links into `splitter`, one kind after the other.
    fn split_by(
        &mut self,
        net: &Net,
        partition: &mut VertexPartition,
        splitter: u32,
        watch: &mut InvariantTrace,
    ) -> bool {
        // The splitter may be split itself, so its links are collected before anything changes.
        for &x in partition.members(splitter) {
            self.n_scanned += net.links(x).len();
            for link in net.links(x) {
                let ends = &mut self.by_kind[link.kind as usize];
                if ends.is_empty() {
                    self.kinds.push(link.kind);
                }
                ends.push(link.to);
            }
        }
        self.kinds.sort_unstable();
        let mut going = true;
        for i in 0..self.kinds.len() {
            let kind = self.kinds[i];
            let mut ends = std::mem::take(&mut self.by_kind[kind as usize]);
            if going {
                for &y in &ends {
                    if self.count[y as usize] == 0 {
                        self.touched.push(y);
                    }
                    self.count[y as usize] += 1;
                }
                let seed = mix(u64::from(splitter) << 32 | u64::from(kind));
                going = watch.see(self.split_touched(partition, seed) | 1);
            }
            ends.clear();
            self.by_kind[kind as usize] = ends;
        }
        self.kinds.clear();
        going
    }

    /// Splits the touched cells by count, clears the counts, and returns a hash of what it saw.
    fn split_touched(&mut self, partition: &mut VertexPartition, seed: u64) -> u64 {
        for i in 0..self.touched.len() {
            let y = self.touched[i];
            let cell = partition.cell_of[y as usize];
            let seen = &mut self.n_touched[cell as usize];
            if *seen == 0 {
                self.cells.push(cell);
            }
            let place = partition.start(cell) + partition.size(cell) - 1 - *seen;
            *seen += 1;
            partition.swap_into(y, place);
        }
        // Cells that stay whole are summed up in any order; only those to split need sorting.
        let mut hash = seed;
        let mut cells = std::mem::take(&mut self.cells);
        cells.retain(|&cell| {
            let (count, uniform) = self.uniform_count(partition, cell);
            let whole = uniform && self.n_touched[cell as usize] == partition.size(cell);
            if whole {
                hash = hash.wrapping_add(mix(seed ^ (u64::from(cell) << 32 | u64::from(count))));
                self.n_touched[cell as usize] = 0;
            }
            !whole
        });
        cells.sort_unstable();
        for &cell in &cells {
            hash = mix(hash ^ self.split_cell(partition, cell));
        }
        cells.clear();
        self.cells = cells;
        for y in self.touched.drain(..) {
            self.count[y as usize] = 0;
        }
        hash
    }

    /// The count of the last vertex of `cell`, and whether all touched ones have that count.
    fn uniform_count(&self, partition: &VertexPartition, cell: u32) -> (u32, bool) {
        let members = partition.members(cell);
        let touched = &members[members.len() - self.n_touched[cell as usize] as usize..];
        let count = self.count[touched[touched.len() - 1] as usize];
        let uniform = touched.iter().all(|&y| self.count[y as usize] == count);
        (count, uniform)
    }

    /// Cuts `cell` into the untouched vertices and the touched ones by increasing count.
    fn split_cell(&mut self, partition: &mut VertexPartition, cell: u32) -> u64 {
        let n_touched = std::mem::take(&mut self.n_touched[cell as usize]);
        let (start, len) = (partition.start(cell), partition.size(cell));
        let first_touched = start + len - n_touched;
        let zone = first_touched as usize..(start + len) as usize;
        partition.elems[zone.clone()].sort_unstable_by_key(|&y| self.count[y as usize]);
        for i in zone {
            partition.pos[partition.elems[i] as usize] = i as u32;
        }
        // Fragments as (start, length); the largest, or the first of those, keeps the name.
        let mut hash = mix(u64::from(cell) << 32 | u64::from(first_touched - start));
        let mut fragments: Vec<(u32, u32)> = Vec::new();
        if first_touched > start {
            fragments.push((start, first_touched - start));
        }
        let mut at = first_touched;
        while at < start + len {
            let count_at = |i: u32| self.count[partition.elems[i as usize] as usize];
            let count = count_at(at);
            let mut end = at + 1;
            while end < start + len && count_at(end) == count {
                end += 1;
            }
            fragments.push((at, end - at));
            hash = mix(hash ^ (u64::from(count) << 32 | u64::from(end - at)));
            at = end;
        }
        let mut largest = 0;
        for (i, fragment) in fragments.iter().enumerate() {
            if fragment.1 > fragments[largest].1 {
                largest = i;
            }
        }
        (partition.start[cell as usize], partition.len[cell as usize]) = fragments[largest];
        for (i, &(start, len)) in fragments.iter().enumerate() {
            if i != largest {
                let new = partition.open(cell, start, len);
                self.push(new);
            }
        }
        hash
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Graph, GraphBuilder};
    use super::*;

    fn refined(graph: &Graph) -> (Net, VertexPartition, Refiner) {
        let (net, n_kinds) = Net::of_graph(graph);
        let mut partition = VertexPartition::new(&net);
        let mut refiner = Refiner::new(net.len(), n_kinds);
        let cells = 0..partition.n_cells() as u32;
        refiner.refine(&net, &mut partition, cells, &mut InvariantTrace::record());
        (net, partition, refiner)
    }

    /// The cells in order, as sorted vertices of the graph.
    fn cells(net: &Net, partition: &VertexPartition) -> Vec<Vec<Point>> {
        let mut by_start: Vec<u32> = (0..partition.n_cells() as u32).collect();
        by_start.sort_by_key(|&cell| partition.start(cell));
        let sorted = |&cell: &u32| {
            let members = partition.members(cell).iter();
            let mut cell: Vec<Point> = members.map(|&x| net.origin[x as usize]).collect();
            cell.sort_unstable();
            cell
        };
        by_start.iter().map(sorted).collect()
    }

    fn random_graph(rng: &mut fastrand::Rng) -> Graph {
        let n = rng.usize(1..12);
        let mut b = GraphBuilder::new(n);
        for _ in 0..rng.usize(0..3 * n) {
            b.arc(rng.u32(0..n as u32), rng.u32(0..n as u32), rng.u32(0..2));
        }
        b.build()
    }

    /// Splits by all counts at once until nothing changes; returns a class for each vertex.
    fn plain_classes(net: &Net, mut class: Vec<usize>) -> Vec<usize> {
        loop {
            let key = |x: usize| {
                let links = net.links(x as Point).iter();
                let mut seen: Vec<_> = links.map(|l| (class[l.to as usize], l.kind)).collect();
                seen.sort_unstable();
                (class[x], seen)
            };
            let keys: Vec<_> = (0..net.len()).map(key).collect();
            let first = |x: usize| keys.iter().position(|k| *k == keys[x]).expect("itself");
            let next: Vec<usize> = (0..net.len()).map(first).collect();
            if next == class {
                return class;
            }
            class = next;
        }
    }

    fn classes(partition: &VertexPartition) -> Vec<usize> {
        let cell = &partition.cell_of;
        let first = |x: &u32| cell.iter().position(|c| c == x).expect("itself");
        cell.iter().map(first).collect()
    }

    #[test]
    fn the_tree_of_the_theory_page() {
        let mut b = GraphBuilder::new(7);
        for (x, y) in [(0, 1), (0, 2), (0, 3), (1, 4), (1, 5), (3, 6)] {
            b.edge(x, y, 0);
        }
        let (net, partition, _) = refined(&b.build());
        let expected = [vec![2], vec![4, 5], vec![6], vec![3], vec![1], vec![0]];
        assert_eq!(cells(&net, &partition), expected);
    }

    #[test]
    fn the_path_of_the_header() {
        let mut b = GraphBuilder::new(5);
        for x in 0..4 {
            b.edge(x, x + 1, 0);
        }
        let (net, partition, _) = refined(&b.build());
        assert_eq!(cells(&net, &partition), [vec![0, 4], vec![2], vec![1, 3]]);
    }

    #[test]
    fn agrees_with_plain_splitting_and_comes_back() {
        let mut rng = fastrand::Rng::with_seed(17);
        for round in 0..500 {
            let (net, mut partition, mut refiner) = refined(&random_graph(&mut rng));
            let loops = classes(&VertexPartition::new(&net));
            let before = classes(&partition);
            assert_eq!(before, plain_classes(&net, loops), "round {round}");
            let x = rng.usize(0..net.len());
            if partition.size(partition.cell_of[x]) == 1 {
                continue;
            }
            let mark = partition.mark();
            let cell = partition.individualise(x as Point);
            let fixed = classes(&partition);
            let mut watch = InvariantTrace::record();
            refiner.refine(&net, &mut partition, std::iter::once(cell), &mut watch);
            let expected = plain_classes(&net, fixed);
            assert_eq!(classes(&partition), expected, "round {round}");
            partition.undo(mark);
            assert_eq!(classes(&partition), before, "round {round}");
        }
    }

    #[test]
    fn a_run_stops_where_the_trace_differs() {
        // On a path fixing an end and fixing the middle are different from the first step.
        let mut b = GraphBuilder::new(4);
        (0..3).for_each(|x| b.edge(x, x + 1, 0));
        let (net, n_kinds) = Net::of_graph(&b.build());
        let mut refiner = Refiner::new(4, n_kinds);
        let mut run = |x: Point, watch: &mut InvariantTrace| {
            let mut partition = VertexPartition::new(&net);
            let cell = partition.individualise(x);
            refiner.refine(&net, &mut partition, std::iter::once(cell), watch)
        };
        let mut end = InvariantTrace::record();
        assert_eq!(run(0, &mut end), EquitableOutcome::Recorded);
        let mut middle = InvariantTrace::record();
        assert_eq!(run(1, &mut middle), EquitableOutcome::Recorded);
        assert_eq!(
            run(3, &mut InvariantTrace::matching(&end.trace)),
            EquitableOutcome::Equal
        );
        assert_eq!(
            run(1, &mut InvariantTrace::matching(&end.trace)),
            EquitableOutcome::Worse
        );
        assert_eq!(
            run(0, &mut InvariantTrace::matching(&middle.trace)),
            EquitableOutcome::Worse
        );
        let (less, x, more, y) = if end.trace < middle.trace {
            (&end.trace, 0, &middle.trace, 1)
        } else {
            (&middle.trace, 1, &end.trace, 0)
        };
        assert_eq!(
            run(y, &mut InvariantTrace::improve(less)),
            EquitableOutcome::Worse
        );
        let mut better = InvariantTrace::improve(more);
        assert_eq!(run(x, &mut better), EquitableOutcome::Recorded);
        assert_eq!(better.trace, *less);
    }
}
