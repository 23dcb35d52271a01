//! Symmetric segments: many levels of a chain at once, without a table for any of them.
//!
//! Where a group of the chain contains every even permutation of `m` *columns* (points that move
//! together: a process with its channels), the next `m - 2` base points can be taken one in each
//! column. The orbit at the `i`-th of these levels is the columns from `i` on, a suffix of one
//! list, and the transversal element that sends column `i` to column `c` is the 3-cycle of columns
//! `i → c → d → i`, where `d` is the last column, or the last but one if `c` is the last. Nothing
//! is stored but the columns. An odd permutation of columns, if the group has one, shows at a tree
//! of length two below the segment.
//!
//! Worked example: `A5` on `0..5` is one segment with the columns `0 1 2 3 4` and three levels,
//! orbits of length 5, 4, 3: order 60. `S5` has a tree with the orbit `{3, 4}` below: order 120.
//!
//! Sifting an element that moves whole columns through a whole segment takes one pass: what is
//! left is the identity on the columns, or the exchange of the last two if it was odd.
//! A segment may also end early, when the base that was asked for goes elsewhere.

use super::level::{ABSENT, ImagePositions, PointLabels};

/// Marks visited entries while cycles are counted in place; points are below it.
const MARK: u32 = 1 << 31;

#[derive(Clone, Debug)]
pub(super) struct ChainSegment {
    n_columns: usize,
    /// The points, row by row: cell `(row, column)` stands at `row * n_columns + column`.
    pub(super) cells: Vec<u32>,
    cell_of: PointLabels,
    /// The row of each level's base point; level `i` has column `i`.
    rows: Vec<u32>,
}

impl ChainSegment {
    /// A segment over `cells` with one level for each entry of `rows`.
    ///
    /// # Requires
    /// At most `n_columns - 2` levels; the group of the first level contains every even permutation
    /// of the columns that fixes all other points.
    pub(super) fn new(n: usize, n_columns: usize, cells: Vec<u32>, rows: Vec<u32>) -> ChainSegment {
        assert!(rows.len() + 2 <= n_columns, "too many levels");
        let mut cell_of = PointLabels::new(n);
        let mut by_point: Vec<(u32, u32)> = cells
            .iter()
            .enumerate()
            .map(|(cell, &x)| (x, cell as u32))
            .collect();
        by_point.sort_unstable();
        for (x, cell) in by_point {
            cell_of.set(x, cell);
        }
        ChainSegment {
            n_columns,
            cells,
            cell_of,
            rows,
        }
    }

    /// The segment of the levels from `i` on, over the columns from `i` on.
    pub(super) fn below(&self, n: usize, i: usize) -> ChainSegment {
        let rows = self.cells.chunks(self.n_columns);
        let cells = rows.flat_map(|row| row[i..].iter().copied()).collect();
        ChainSegment::new(n, self.n_columns - i, cells, self.rows[i..].to_vec())
    }

    pub(super) fn n_levels(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn n_columns(&self) -> usize {
        self.n_columns
    }

    pub(super) fn width(&self) -> usize {
        self.cells.len() / self.n_columns
    }

    /// Whether all levels are there that its columns allow.
    pub(super) fn is_whole(&self) -> bool {
        self.rows.len() + 2 == self.n_columns
    }

    pub(super) fn base(&self, i: usize) -> u32 {
        self.cells[self.rows[i] as usize * self.n_columns + i]
    }

    /// The range of `cells` that is the orbit of level `i`, base point first.
    pub(super) fn orbit(&self, i: usize) -> std::ops::Range<usize> {
        let row = self.rows[i] as usize * self.n_columns;
        row + i..row + self.n_columns
    }

    pub(super) fn contains(&self, i: usize, x: u32) -> bool {
        let cell = self.cell_of.get(x);
        cell != ABSENT && self.orbit(i).contains(&(cell as usize))
    }

    /// `image := u⁻¹ ∘ image`, where `u` is the transversal element of level `i` for `x`.
    pub(super) fn pull_back(&self, i: usize, x: u32, image: &mut [u32], positions: ImagePositions) {
        let c = self.column(x);
        if c == i {
            return;
        }
        let d = self.third(c);
        positions.apply_with(image, |y| {
            let cell = self.cell_of.get(y);
            if cell == ABSENT {
                return y;
            }
            let column = cell as usize % self.n_columns;
            let row = cell as usize - column;
            match column {
                _ if column == c => self.cells[row + i],
                _ if column == d => self.cells[row + c],
                _ if column == i => self.cells[row + d],
                _ => y,
            }
        });
    }

    /// Sifts through levels `lo..hi`; returns the level whose base point left its orbit, or `hi`.
    pub(super) fn sift(
        &self,
        image: &mut [u32],
        positions: ImagePositions,
        lo: usize,
        hi: usize,
    ) -> usize {
        if self.is_whole() && hi == self.n_levels() && self.moves_columns(image, positions) {
            self.settle(image, positions);
            return hi;
        }
        for i in lo..hi {
            let x = image[positions.of(self.base(i))];
            if !self.contains(i, x) {
                return i;
            }
            self.pull_back(i, x, image, positions);
        }
        hi
    }

    /// Whether the element moves whole columns, row by row.
    pub(super) fn moves_columns(&self, image: &[u32], positions: ImagePositions) -> bool {
        let m = self.n_columns;
        (0..self.cells.len()).all(|cell| {
            let at = self.cell_of.get(image[positions.of(self.cells[cell])]);
            let first = self.cell_of.get(image[positions.of(self.cells[cell % m])]);
            at != ABSENT && first != ABSENT && at as usize == first as usize % m + cell / m * m
        })
    }

    /// Writes the inverse of a random product of transversal elements, one a level, to the cells'
    /// entries of `map`; the others are left alone.
    pub(super) fn shuffle(&self, map: &mut [u32], rng: &mut fastrand::Rng) {
        for &x in &self.cells {
            map[x as usize] = x;
        }
        for i in (0..self.n_levels()).rev() {
            let c = rng.usize(i..self.n_columns);
            if c == i {
                continue;
            }
            let d = self.third(c);
            for row in (0..self.cells.len()).step_by(self.n_columns) {
                let at = |column: usize| self.cells[row + column] as usize;
                let (from_c, from_d, from_i) = (map[at(c)], map[at(d)], map[at(i)]);
                (map[at(c)], map[at(d)], map[at(i)]) = (from_i, from_c, from_d);
            }
        }
    }

    /// The 3-cycle of columns `i → i+1 → i+2 → i`, as moves of points.
    pub(super) fn three_cycle(&self, i: usize) -> Vec<(u32, u32)> {
        let mut moves = Vec::new();
        for row in (0..self.cells.len()).step_by(self.n_columns) {
            let at = |column: usize| self.cells[row + column];
            moves.extend([
                (at(i), at(i + 1)),
                (at(i + 1), at(i + 2)),
                (at(i + 2), at(i)),
            ]);
        }
        moves
    }

    fn column(&self, x: u32) -> usize {
        self.cell_of.get(x) as usize % self.n_columns
    }

    fn third(&self, c: usize) -> usize {
        let last = self.n_columns - 1;
        if c == last { last - 1 } else { last }
    }

    /// Replaces a permutation of columns by what sifting leaves of it.
    fn settle(&self, image: &mut [u32], positions: ImagePositions) {
        let mut odd = false;
        for start in 0..self.n_columns {
            let mut at = positions.of(self.cells[start]);
            if image[at] & MARK != 0 {
                continue;
            }
            let mut length = 0;
            while image[at] & MARK == 0 {
                let y = image[at];
                image[at] |= MARK;
                at = positions.of(self.cells[self.column(y)]);
                length += 1;
            }
            odd ^= length % 2 == 0;
        }
        for &x in &self.cells {
            image[positions.of(x)] = x;
        }
        if odd {
            let last = self.n_columns - 1;
            for row in (0..self.cells.len()).step_by(self.n_columns) {
                let (a, b) = (self.cells[row + last - 1], self.cells[row + last]);
                image[positions.of(a)] = b;
                image[positions.of(b)] = a;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns `{x, x + m}`, in one part of all points.
    fn two_rows(m: usize) -> ChainSegment {
        let cells: Vec<u32> = (0..2 * m as u32).collect();
        let rows = (0..m as u32 - 2).map(|i| i % 2).collect();
        ChainSegment::new(2 * m, m, cells, rows)
    }

    #[test]
    fn one_pass_leaves_what_level_by_level_leaves() {
        let mut rng = fastrand::Rng::with_seed(3);
        let m = 9;
        let segment = two_rows(m);
        for round in 0..200 {
            let mut columns: Vec<u32> = (0..m as u32).collect();
            rng.shuffle(&mut columns);
            let start: Vec<u32> = (0..2 * m)
                .map(|x| columns[x % m] + (x / m * m) as u32)
                .collect();
            let mut fast = start.clone();
            assert!(segment.moves_columns(&fast, ImagePositions::All));
            let hi = segment.n_levels();
            assert_eq!(segment.sift(&mut fast, ImagePositions::All, 0, hi), hi);
            let mut slow = start;
            for i in 0..hi {
                let x = slow[segment.base(i) as usize];
                assert!(segment.contains(i, x));
                segment.pull_back(i, x, &mut slow, ImagePositions::All);
                assert_eq!(slow[segment.base(i) as usize], segment.base(i));
            }
            assert_eq!(fast, slow, "round {round}");
        }
    }

    #[test]
    fn an_element_that_tears_columns_apart_is_noticed() {
        let segment = two_rows(9);
        let mut image: Vec<u32> = (0..18).collect();
        image.swap(0, 1);
        assert!(!segment.moves_columns(&image, ImagePositions::All));
        let hi = segment.n_levels();
        segment.sift(&mut image, ImagePositions::All, 0, hi);
        assert!(image.iter().enumerate().any(|(x, &y)| x as u32 != y));
    }
}
