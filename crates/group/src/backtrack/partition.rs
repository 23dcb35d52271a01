//! Ordered partitions with cells that are split and merged again, the state of the search.
//!
//! The points stand in one array; a cell is a contiguous stretch of it. A split cuts a stretch in
//! two or more; the first piece keeps the cell's number, the others get the next free numbers. So
//! two partitions that suffered the same splits have cells with equal numbers at equal places, and
//! comparing them is comparing numbers. Cells are undone in the reverse order of their birth.
//!
//! Worked example on `0..5`: `[0 1 2 3 4]` with the keys 7, 7, 3, 3, 7 becomes
//! `[2 3 | 0 1 4]`: pieces are ordered by key, cell 0 is `{2,3}`, the new cell 1 is `{0,1,4}`.
//! Undoing joins cell 1 to the cell on its left and gives `{2,3,0,1,4}`, the same set as before.
//!
//! Source: Leon 1991, *Permutation group algorithms based on partitions*, section 3.
//! Cost: a split sorts the cell, undoing is linear in the cells joined.

use crate::perm::Point;

/// An ordered partition of `0..n`.
#[derive(Clone, Debug)]
pub(super) struct OrderedPartition {
    /// The points, cell by cell.
    points: Vec<Point>,
    /// Where each point stands in `points`.
    position: Vec<u32>,
    cell_of: Vec<u32>,
    cells: Vec<PartitionCell>,
    scratch: Vec<(u64, Point)>,
    /// While points are dealt out to pieces: where each ends and how many it still lacks.
    ends: Vec<(u32, u32)>,
}

#[derive(Clone, Copy, Debug)]
struct PartitionCell {
    start: u32,
    len: u32,
    /// The cell this one was cut from; it ends where this one starts at the moment of undoing.
    parent: u32,
}

/// What one split made of a cell: a piece with its key and length. A cell that stayed whole is one
/// piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SplitPiece {
    pub(super) cell: u32,
    pub(super) key: u64,
    pub(super) len: u32,
}

impl OrderedPartition {
    /// All points in one cell, which has number 0 even if there is no point.
    pub(super) fn new(n: usize) -> OrderedPartition {
        OrderedPartition {
            points: (0..n as Point).collect(),
            position: (0..n as u32).collect(),
            cell_of: vec![0; n],
            cells: vec![PartitionCell {
                start: 0,
                len: n as u32,
                parent: 0,
            }],
            scratch: Vec::new(),
            ends: Vec::new(),
        }
    }

    pub(super) fn n_cells(&self) -> usize {
        self.cells.len()
    }

    pub(super) fn cell_of(&self, x: Point) -> u32 {
        self.cell_of[x as usize]
    }

    /// The members of a cell in no particular order.
    pub(super) fn cell(&self, cell: u32) -> &[Point] {
        let c = self.cells[cell as usize];
        &self.points[c.start as usize..(c.start + c.len) as usize]
    }

    /// Where `x` stands; equal splits give corresponding points equal places once they are alone.
    pub(super) fn position(&self, x: Point) -> u32 {
        self.position[x as usize]
    }

    pub(super) fn point_at(&self, position: u32) -> Point {
        self.points[position as usize]
    }

    /// Makes `x` a cell of its own.
    ///
    /// # Requires
    /// The cell of `x` has two or more members.
    pub(super) fn individualise(&mut self, x: Point) {
        let cell = self.cell_of(x);
        let c = self.cells[cell as usize];
        debug_assert!(c.len > 1, "{x} is alone already");
        let last = c.start + c.len - 1;
        let other = self.points[last as usize];
        let place = self.position[x as usize];
        self.put(place, other);
        self.put(last, x);
        self.cut(cell, c.len - 1);
    }

    /// Splits every cell of two or more by `key` and appends what came of each to `pieces`.
    /// Says whether a cell was split.
    pub(super) fn split_all(
        &mut self,
        key: &mut dyn FnMut(Point) -> u64,
        pieces: &mut Vec<SplitPiece>,
    ) -> bool {
        let n_before = self.cells.len();
        for cell in 0..n_before as u32 {
            let PartitionCell { start, len, .. } = self.cells[cell as usize];
            if len < 2 {
                continue;
            }
            self.load_keys(start, len, key);
            let first = pieces.len();
            for i in 0..self.scratch.len() {
                let k = self.scratch[i].0;
                match pieces[first..].last_mut() {
                    Some(piece) if piece.key == k => piece.len += 1,
                    _ => pieces.push(SplitPiece {
                        cell,
                        key: k,
                        len: 1,
                    }),
                }
            }
            self.cut_into(cell, &pieces[first..]);
        }
        self.cells.len() > n_before
    }

    /// Splits every cell of two or more by `key` if that gives exactly `expected`; stops at the
    /// first cell where it does not and says so with `false`, leaving the undoing to the caller.
    pub(super) fn split_as(
        &mut self,
        key: &mut dyn FnMut(Point) -> u64,
        expected: &[SplitPiece],
    ) -> bool {
        let mut rest = expected;
        while let Some(&first) = rest.first() {
            let n_pieces = rest.iter().take_while(|p| p.cell == first.cell).count();
            let (mine, others) = rest.split_at(n_pieces);
            rest = others;
            if n_pieces == 1 {
                if !self.cell(first.cell).iter().all(|&x| key(x) == first.key) {
                    return false;
                }
                continue;
            }
            if !self.sort_into(mine, key) {
                return false;
            }
            self.cut_into(first.cell, mine);
        }
        true
    }

    /// Merges cells until `n_cells` are left.
    pub(super) fn undo_to(&mut self, n_cells: usize) {
        while self.cells.len() > n_cells {
            let PartitionCell { start, len, parent } =
                self.cells.pop().expect("there is a cell to undo");
            for place in start..start + len {
                let x = self.points[place as usize];
                self.cell_of[x as usize] = parent;
            }
            let p = &mut self.cells[parent as usize];
            debug_assert_eq!(p.start + p.len, start, "cells are undone out of order");
            p.len += len;
        }
    }

    /// Fills the scratch list with the stretch's points and their keys, sorted.
    fn load_keys(&mut self, start: u32, len: u32, key: &mut dyn FnMut(Point) -> u64) {
        self.scratch.clear();
        for &x in &self.points[start as usize..(start + len) as usize] {
            self.scratch.push((key(x), x));
        }
        self.scratch.sort_unstable();
    }

    /// Fills the scratch list with the points of a cell, piece by piece; says whether the keys are
    /// those of the pieces, each as often as the piece is long. The keys of `pieces` increase.
    fn sort_into(&mut self, pieces: &[SplitPiece], key: &mut dyn FnMut(Point) -> u64) -> bool {
        let PartitionCell { start, len, .. } = self.cells[pieces[0].cell as usize];
        self.ends.clear();
        let mut end = 0;
        for piece in pieces {
            end += piece.len;
            self.ends.push((end, piece.len));
        }
        debug_assert_eq!(end, len, "both sides have cells of one size");
        self.scratch.clear();
        self.scratch.resize(len as usize, (0, 0));
        for &x in &self.points[start as usize..(start + len) as usize] {
            let k = key(x);
            let Ok(i) = pieces.binary_search_by_key(&k, |p| p.key) else {
                return false;
            };
            let (end, missing) = &mut self.ends[i];
            if *missing == 0 {
                return false;
            }
            self.scratch[(*end - *missing) as usize] = (k, x);
            *missing -= 1;
        }
        true
    }

    /// Writes the scratch list back and cuts, last piece first, so that undoing finds each piece
    /// right behind its parent.
    fn cut_into(&mut self, cell: u32, pieces: &[SplitPiece]) {
        if pieces.len() < 2 {
            return;
        }
        let PartitionCell { start, len, .. } = self.cells[cell as usize];
        for i in 0..len {
            self.put(start + i, self.scratch[i as usize].1);
        }
        let mut left = len;
        for piece in pieces[1..].iter().rev() {
            left -= piece.len;
            self.cut(cell, left);
        }
    }

    /// Everything of `cell` from offset `at` on becomes the next new cell.
    fn cut(&mut self, cell: u32, at: u32) {
        let c = &mut self.cells[cell as usize];
        let (start, len) = (c.start + at, c.len - at);
        c.len = at;
        let number = self.cells.len() as u32;
        self.cells.push(PartitionCell {
            start,
            len,
            parent: cell,
        });
        for place in start..start + len {
            let x = self.points[place as usize];
            self.cell_of[x as usize] = number;
        }
    }

    fn put(&mut self, place: u32, x: Point) {
        self.points[place as usize] = x;
        self.position[x as usize] = place;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(p: &OrderedPartition) -> Vec<Vec<Point>> {
        (0..p.n_cells() as u32)
            .map(|c| {
                let mut cell = p.cell(c).to_vec();
                cell.sort_unstable();
                cell
            })
            .collect()
    }

    #[test]
    fn the_worked_example_splits_and_joins() {
        let keys = [7, 7, 3, 3, 7];
        let mut p = OrderedPartition::new(5);
        let mut pieces = Vec::new();
        assert!(p.split_all(&mut |x| keys[x as usize], &mut pieces));
        assert_eq!(cells(&p), [vec![2, 3], vec![0, 1, 4]]);
        let lengths: Vec<(u64, u32)> = pieces.iter().map(|p| (p.key, p.len)).collect();
        assert_eq!(lengths, [(3, 2), (7, 3)]);
        p.undo_to(1);
        assert_eq!(cells(&p), [vec![0, 1, 2, 3, 4]]);
    }

    #[test]
    fn a_split_that_differs_is_refused() {
        let mut left = OrderedPartition::new(4);
        let mut pieces = Vec::new();
        left.split_all(&mut |x| u64::from(x == 3), &mut pieces);
        let mut same = OrderedPartition::new(4);
        assert!(same.split_as(&mut |x| u64::from(x == 0), &pieces));
        assert_eq!(same.point_at(left.position(3)), 0);
        let mut more = OrderedPartition::new(4);
        assert!(!more.split_as(&mut |x| u64::from(x < 2), &pieces));
        let mut other_key = OrderedPartition::new(4);
        assert!(!other_key.split_as(&mut |x| 2 * u64::from(x == 0), &pieces));
    }

    #[test]
    fn random_splits_undo_to_the_same_sets() {
        for seed in 0..300 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let n = rng.usize(2..12);
            let mut p = OrderedPartition::new(n);
            let mut past = vec![(p.n_cells(), cells(&p))];
            for _ in 0..6 {
                let keys: Vec<u64> = (0..n).map(|_| rng.u64(0..3)).collect();
                p.split_all(&mut |x| keys[x as usize], &mut Vec::new());
                past.push((p.n_cells(), cells(&p)));
                let x = rng.u32(0..n as u32);
                if p.cell(p.cell_of(x)).len() > 1 {
                    p.individualise(x);
                    past.push((p.n_cells(), cells(&p)));
                }
            }
            while let Some((n_cells, sets)) = past.pop() {
                p.undo_to(n_cells);
                assert_eq!(cells(&p), sets, "seed {seed}");
                for x in 0..n as Point {
                    assert_eq!(p.point_at(p.position(x)), x, "seed {seed}");
                    assert!(p.cell(p.cell_of(x)).contains(&x), "seed {seed}");
                }
            }
        }
    }
}
