//! Orbits on which a group acts alike, written below one another as the rows of a table.
//!
//! A process and its private channel move together: whoever sends process `a` to `b` sends the
//! channel of `a` to that of `b`. As points of a permutation group they lie in different orbits,
//! yet the group does the same to both. Formally two orbits are *alike* when some bijection `f`
//! between them commutes with the group: `f(g(x)) = g(f(x))`. Then `x` and `f(x)` have equal
//! stabilisers, and the points `x, f(x), f'(x), …` make a *column*: the group permutes columns as
//! wholes. What it does to the table is what it does to one row.
//!
//! Worked example: `(0 1)(3 4)` and `(1 2)(4 5)` on `0..6`. Starting `f` with `0 → 3`, the first
//! generator forces `1 → 4`, the second `2 → 5`, and nothing contradicts: the columns are
//! `{0,3} {1,4} {2,5}`. Had we started with `0 → 4`, the second generator would move 4 but not 0.
//!
//! Isomorphic is not alike: `S6` acts on six points in two ways that no bijection joins, and the
//! `S4` of a 4-cube acts on its 6 vertices of weight two as on nothing of four points.
//!
//! Where a stabiliser fixes several points of another orbit (regular actions, `S2` above all) there
//! are several bijections. The one that starts lowest is taken; it is the increasing one if there
//! is an increasing one.
//!
//! Cost: `f` is fixed by one value, so each pair of orbits costs at most their product times the
//! number of generators that move a point; orbits whose cycle types differ are not tried.
//! Source: the columns of Donaldson 2007, Theorem 16, there by stabilisers and for `S_m` only.

use std::collections::HashMap;

use crate::chain::Group;
use crate::perm::{Perm, Point};

use super::moved_orbits;

/// Orbits of equal length, one a row, such that the group moves columns to columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    rows: Vec<Vec<Point>>,
}

impl Table {
    /// The table of these rows.
    ///
    /// # Requires
    /// At least one row; equal lengths; no point twice.
    pub fn new(rows: Vec<Vec<Point>>) -> Table {
        assert!(
            rows.iter().all(|r| r.len() == rows[0].len()),
            "ragged table"
        );
        Table { rows }
    }

    /// The rows, each an orbit; the first in increasing order unless said otherwise.
    pub fn rows(&self) -> &[Vec<Point>] {
        &self.rows
    }

    /// The number of columns: the length of each of the orbits.
    pub fn width(&self) -> usize {
        self.rows[0].len()
    }

    /// The points of one column, from the first row down.
    pub fn column(&self, c: usize) -> Vec<Point> {
        self.rows.iter().map(|row| row[c]).collect()
    }

    /// All points, in increasing order.
    pub fn points(&self) -> Vec<Point> {
        let mut points: Vec<Point> = self.rows.concat();
        points.sort_unstable();
        points
    }

    /// The permutation of `0..degree` that moves column `c` to column `columns(c)`.
    pub fn lift(&self, columns: &Perm, degree: usize) -> Perm {
        let mut image: Vec<Point> = (0..degree as Point).collect();
        for row in &self.rows {
            for &c in columns.support() {
                image[row[c as usize] as usize] = row[columns.at(c) as usize];
            }
        }
        Perm::from_bijection(image)
    }

    /// The same table with column `order[c]` at place `c`.
    pub(crate) fn reordered(&self, order: &[usize]) -> Table {
        let pick = |row: &Vec<Point>| order.iter().map(|&c| row[c]).collect();
        Table {
            rows: self.rows.iter().map(pick).collect(),
        }
    }
}

/// The moved points of `group` as tables, every orbit a row of one of them.
///
/// # Ensures
/// Every element moves columns of a table to columns of it. Two rows are in one table exactly if
/// the group acts alike on them. First rows increase; rows of a table, and tables, come in order
/// of their least points (of the first row).
pub fn columns(group: &Group) -> Vec<Table> {
    columns_of(group.degree(), group.generators())
}

/// [`columns`] of the group that `generators` generate; no stabiliser chain is needed.
pub fn columns_of(degree: usize, generators: &[Perm]) -> Vec<Table> {
    columns_within(degree, generators, usize::MAX)
}

/// [`columns_of`], where an orbit is compared with at most `n_tried_max` others of its cycle type:
/// there may then be several tables of orbits that are alike.
pub(crate) fn columns_within(degree: usize, generators: &[Perm], n_tried_max: usize) -> Vec<Table> {
    let orbits = moved_orbits(degree, generators);
    let moves = GeneratorMoves::new(degree, generators);
    let mut alike: HashMap<Vec<(u32, u32)>, Vec<usize>> = HashMap::new();
    let mut tables: Vec<Table> = Vec::new();
    for (orbit, cycles) in orbits.iter().zip(cycle_types(degree, generators, &orbits)) {
        let candidates = alike.entry(cycles).or_default();
        let found = candidates.iter().take(n_tried_max).find_map(|&t| {
            let row = moves.aligned(&tables[t].rows[0], orbit)?;
            Some((t, row))
        });
        match found {
            Some((t, row)) => tables[t].rows.push(row),
            None => {
                candidates.push(tables.len());
                tables.push(Table {
                    rows: vec![orbit.clone()],
                });
            }
        }
    }
    tables
}

/// For each orbit the sorted list of `(generator, length of a cycle of it there)`: equal for orbits
/// that are alike.
fn cycle_types(degree: usize, generators: &[Perm], orbits: &[Vec<Point>]) -> Vec<Vec<(u32, u32)>> {
    let mut orbit_of = vec![0; degree];
    for (i, orbit) in orbits.iter().enumerate() {
        for &x in orbit {
            orbit_of[x as usize] = i;
        }
    }
    let mut types = vec![Vec::new(); orbits.len()];
    for (i, g) in generators.iter().enumerate() {
        for cycle in g.cycles() {
            types[orbit_of[cycle[0] as usize]].push((i as u32, cycle.len() as u32));
        }
    }
    types.iter_mut().for_each(|t| t.sort_unstable());
    types
}

/// For each point the generators that move it, and where to: sparse, because generators of large
/// models move few points each.
pub(crate) struct GeneratorMoves {
    of: Vec<Vec<(u32, Point)>>,
}

impl GeneratorMoves {
    pub(crate) fn new(degree: usize, generators: &[Perm]) -> GeneratorMoves {
        let mut of = vec![Vec::new(); degree];
        for (i, g) in generators.iter().enumerate() {
            for &x in g.support() {
                of[x as usize].push((i as u32, g.at(x)));
            }
        }
        GeneratorMoves { of }
    }

    /// The generators that move `x`, by number and in increasing order, and where to.
    pub(crate) fn of(&self, x: Point) -> &[(u32, Point)] {
        &self.of[x as usize]
    }

    /// The images, in the order of `from`, under the first bijection to `to` that commutes with
    /// the generators.
    fn aligned(&self, from: &[Point], to: &[Point]) -> Option<Vec<Point>> {
        to.iter().find_map(|&y| self.map_to(from, self, y))
    }

    /// The images of the orbit `from`, in its order, under the map to the points of `target` that
    /// commutes with the generators and sends the first to `y`, if there is one. Between orbits of
    /// equal length such a map is a bijection.
    ///
    /// # Requires
    /// Generator `i` of `target` is what generator `i` does there.
    pub(super) fn map_to(
        &self,
        from: &[Point],
        target: &GeneratorMoves,
        y: Point,
    ) -> Option<Vec<Point>> {
        let mut image: HashMap<Point, Point> = HashMap::from([(from[0], y)]);
        let mut queue = vec![from[0]];
        while let Some(x) = queue.pop() {
            let there = image[&x];
            let mut goals = target.of(there).iter().peekable();
            for &(i, next) in self.of(x) {
                let goal = match goals.peek() {
                    // A generator that moves the image must move the point.
                    Some(&&(j, _)) if j < i => return None,
                    Some(&&(j, goal)) if j == i => {
                        goals.next();
                        goal
                    }
                    _ => there,
                };
                let known = *image.entry(next).or_insert_with(|| {
                    queue.push(next);
                    goal
                });
                if known != goal {
                    return None;
                }
            }
            if goals.peek().is_some() {
                return None;
            }
        }
        Some(from.iter().map(|x| image[x]).collect())
    }
}
