//! The least tuple of an orbit: one plain method a function.
//!
//! A permutation moves the value at position `x` to position `p(x)`. The *orbit* of a tuple is the
//! set of its images under a group, and the question is its least member in lexicographic order.
//! That is hard in general; these are the methods for groups of known shape, and two that give up
//! being exact. Each returns the image and the permutation that leads to it.
//!
//! | method | for | exact |
//! |---|---|---|
//! | [`least_by_enumeration`] | small groups | yes |
//! | [`MinimisingSet::sort`] | `S_m` on columns | yes, in the order it states |
//! | [`MinimisingSet::descend_by_rounds`] | the same, as published | no |
//! | [`MinimisingSet::descend_in_place`] | the same, as published | no |
//! | [`local_search`] | any | no |
//!
//! A set `X ⊆ G` is *minimising* if a tuple that no element of `X` makes smaller is the least of
//! its orbit. For `S_m` acting on columns (see [`mod@super::columns`]) the `m(m−1)/2` exchanges of
//! two columns were proposed. That is right for many layouts, but not in general:
//!
//! Worked example: columns `{3,1} {5,4} {0,2}` on `0..6`, exchanges `(3 5)(1 4)`, `(3 0)(1 2)`,
//! `(5 0)(4 2)`. The tuple `(0,0,1,0,0,1)` has the columns `(0,0) (1,0) (0,1)`, in the order
//! given. None of the three exchanges makes it smaller; yet sending the first column to the third
//! place, the third to the second and the second to the first gives `(0,0,0,1,1,0)`.
//!
//! The remedy is to say what order is meant: compare row by row, each row in the order of the
//! columns. In that order sorting the columns gives the least tuple, in `m log m` comparisons. It
//! is the least in the order of positions, too, if positions increase along each row and down each
//! column (a standard tableau). For let `t` be another arrangement of the sorted columns `s`, and
//! `(r, c)` the first position where they differ. All positions above and to the left come earlier,
//! so `s` and `t` agree there; cut off below row `r`, column `c` of `s` is the least of the columns
//! that are left, so `t` is the larger one at `(r, c)`.
//!
//! Source: Donaldson 2007, §9.2.2–9.2.4, Theorem 16, Algorithms 5–7.

use crate::chain::{Chain, Group};
use crate::perm::{Perm, Point};

use super::columns::Table;
use super::recognise::{NaturalFamily, recognise};

/// The columns of a group that is all permutations of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MinimisingSet {
    table: Table,
}

/// The minimising set of `group` if it acts as the full symmetric group on the columns of all its
/// orbits at once.
pub fn minimising_set(group: &Group) -> Option<MinimisingSet> {
    let natural = recognise(group)?;
    (natural.kind == NaturalFamily::Symmetric).then_some(MinimisingSet {
        table: natural.table,
    })
}

impl MinimisingSet {
    /// The set for all permutations of the columns of `table`.
    pub fn new(table: Table) -> MinimisingSet {
        MinimisingSet { table }
    }

    /// The columns.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The number of exchanges of two columns.
    pub fn n_swaps(&self) -> usize {
        let m = self.table.width();
        m * (m - 1) / 2
    }

    /// The exchanges of two columns, as permutations of `0..degree`.
    pub fn swaps(&self, degree: usize) -> Vec<Perm> {
        let m = self.table.width();
        let mut swaps = Vec::with_capacity(self.n_swaps());
        for j in 1..m {
            for i in 0..j {
                let swap = Perm::from_cycles(m, &[&[i as Point, j as Point]]);
                let swap = swap.expect("two different columns");
                swaps.push(self.table.lift(&swap, degree));
            }
        }
        swaps
    }

    /// The image with sorted columns: the least of the orbit when positions are compared row by
    /// row, each row in the order of the columns.
    pub fn sort<T: Ord + Clone>(&self, values: &[T]) -> (Vec<T>, Perm) {
        let rows = self.table.rows();
        let entry = |c: usize| rows.iter().map(move |row| &values[row[c] as usize]);
        let mut order: Vec<Point> = (0..self.table.width() as Point).collect();
        order.sort_by(|&a, &b| entry(a as usize).cmp(entry(b as usize)));
        // Column `order[c]` goes to place `c`.
        let columns = Perm::from_bijection(order).inverse();
        let perm = self.table.lift(&columns, values.len());
        (perm.move_values(values), perm)
    }

    /// The image with sorted columns that an even permutation of the columns reaches: if all
    /// columns differ and sorting takes an odd permutation, the last two are exchanged afterwards.
    pub(crate) fn sort_evenly<T: Ord + Clone>(&self, values: &[T]) -> (Vec<T>, Perm) {
        let (sorted, perm) = self.sort(values);
        let (rows, m) = (self.table.rows(), self.table.width());
        // The perm does the same in every row; one row shows whether it is even.
        let columns = super::restricted(std::slice::from_ref(&perm), &rows[0]);
        if columns.iter().all(Perm::is_even) {
            return (sorted, perm);
        }
        let equal = |c: usize| {
            let is_twin = |row: &Vec<Point>| sorted[row[c] as usize] == sorted[row[c + 1] as usize];
            rows.iter().all(is_twin)
        };
        let twins = (0..m - 1).find(|&c| equal(c));
        let c = twins.unwrap_or(m - 2) as Point;
        let swap = Perm::from_cycles(m, &[&[c, c + 1]]).expect("two different columns");
        let perm = self.table.lift(&swap, values.len()).product(&perm);
        (perm.move_values(values), perm)
    }

    /// The set whose table has, for each row of this one, the rows that `f` makes of it.
    pub(super) fn with_rows(&self, f: impl Fn(&Vec<Point>) -> Vec<Vec<Point>>) -> MinimisingSet {
        let rows = self.table.rows().iter().flat_map(f).collect();
        MinimisingSet::new(Table::new(rows))
    }

    /// Whether [`MinimisingSet::sort`] gives the lexicographically least tuple: positions increase
    /// along rows and down columns.
    pub fn is_lexicographic(&self) -> bool {
        let rows = self.table.rows();
        let below = |pair: &[Vec<Point>]| pair[0].iter().zip(&pair[1]).all(|(a, b)| a < b);
        rows.iter().all(|row| row.is_sorted()) && rows.windows(2).all(below)
    }

    /// Algorithm 6: each round applies every exchange to the tuple of the round before and keeps
    /// the best, until a round brings nothing.
    pub fn descend_by_rounds<T: Ord + Clone>(&self, values: &[T]) -> (Vec<T>, Perm) {
        local_search(&self.swaps(values.len()), values)
    }

    /// Algorithm 7: as before, but every improvement is taken at once.
    pub fn descend_in_place<T: Ord + Clone>(&self, values: &[T]) -> (Vec<T>, Perm) {
        let swaps = self.swaps(values.len());
        let mut least = values.to_vec();
        let mut perm = Perm::identity(values.len());
        loop {
            let mut improved = false;
            for swap in &swaps {
                let image = swap.move_values(&least);
                if image < least {
                    least = image;
                    perm = swap.product(&perm);
                    improved = true;
                }
            }
            if !improved {
                return (least, perm);
            }
        }
    }
}

/// Steepest descent: move to the least image under one of `moves` as long as it is smaller.
///
/// # Ensures
/// The image lies in the orbit; equal orbits may get different images.
pub fn local_search<T: Ord + Clone>(moves: &[Perm], values: &[T]) -> (Vec<T>, Perm) {
    let mut least = values.to_vec();
    let mut perm = Perm::identity(values.len());
    loop {
        let images = moves.iter().map(|g| (g.move_values(&least), g));
        match images.min_by(|a, b| a.0.cmp(&b.0)) {
            Some((image, g)) if image < least => {
                least = image;
                perm = g.product(&perm);
            }
            _ => return (least, perm),
        }
    }
}

/// Transversals of a stabiliser chain, ready for enumeration: only the sum of their sizes is kept.
///
/// Every element is `u1 ∘ u2 ∘ …` with one `u` a level, so every element is the inverse of such a
/// product, and its image of a tuple is reached by applying the inverse of `u1`, then of `u2`, …;
/// images under common beginnings are computed once (Algorithm 5).
#[derive(Clone, Debug)]
pub struct Transversals {
    inverses: Vec<Vec<Perm>>,
}

impl Transversals {
    /// The transversals of `chain`.
    pub fn new(chain: &Chain) -> Transversals {
        let level = |k: usize| {
            let orbit = chain.orbit(k).iter();
            orbit.map(|&x| chain.transversal(k, x).inverse()).collect()
        };
        Transversals {
            inverses: (0..chain.n_levels()).map(level).collect(),
        }
    }

    /// The transversals with every permutation replaced, as by an isomorphism.
    pub(super) fn mapped(&self, f: impl Fn(&Perm) -> Perm) -> Transversals {
        let level = |us: &Vec<Perm>| us.iter().map(&f).collect();
        Transversals {
            inverses: self.inverses.iter().map(level).collect(),
        }
    }

    /// The permutations kept, level by level: inverses of the transversal elements.
    pub fn inverses(&self) -> &[Vec<Perm>] {
        &self.inverses
    }

    /// The number of permutations kept.
    pub fn n_kept(&self) -> usize {
        self.inverses.iter().map(Vec::len).sum()
    }

    /// The least image under the whole group.
    pub fn least<T: Ord + Clone>(&self, values: &[T]) -> (Vec<T>, Perm) {
        let mut best = (values.to_vec(), Perm::identity(values.len()));
        self.visit(0, values, &best.1.clone(), &mut best);
        best
    }

    fn visit<T: Ord + Clone>(
        &self,
        level: usize,
        values: &[T],
        perm: &Perm,
        best: &mut (Vec<T>, Perm),
    ) {
        let Some(inverses) = self.inverses.get(level) else {
            if *values < *best.0 {
                *best = (values.to_vec(), perm.clone());
            }
            return;
        };
        for u in inverses {
            self.visit(level + 1, &u.move_values(values), &u.product(perm), best);
        }
    }
}

/// The least image under all elements of `group`.
pub fn least_by_enumeration<T: Ord + Clone>(group: &Group, values: &[T]) -> (Vec<T>, Perm) {
    Transversals::new(group.chain()).least(values)
}
