//! Stabilisers of colours where no search is needed: products of symmetric groups.
//!
//! If the order of a group is the product of `m!` over its tables of `m` columns, it has every
//! arrangement of the columns of each table. Then an element keeps the colours exactly if it moves
//! each column to one with the same colours, and the stabiliser is again such a product.
//!
//! Worked example: `S5` and the colours `a b a a b`: columns 0, 2, 3 and columns 1, 4, so `S3 x
//! S2`.

use std::collections::BTreeMap;

use num_bigint::BigUint;

use crate::chain::Group;
use crate::families::factorial;
use crate::perm::{Perm, Point};
use crate::shape::{Table, columns};

/// The stabiliser of the colours if `group` is a product of symmetric groups on columns.
pub(super) fn colour_stabiliser(group: &Group, colours: &[u32]) -> Option<Group> {
    let tables = columns(group);
    let order: BigUint = tables.iter().map(|t| factorial(t.width())).product();
    if order != group.order() {
        return None;
    }
    let mut generators = Vec::new();
    for table in &tables {
        let mut classes: BTreeMap<Vec<u32>, Vec<usize>> = BTreeMap::new();
        for c in 0..table.width() {
            let key = table.rows().iter().map(|row| colours[row[c] as usize]);
            classes.entry(key.collect()).or_default().push(c);
        }
        for class in classes.values().filter(|c| c.len() > 1) {
            generators.push(cycle(group.degree(), table, &class[..2]));
            if class.len() > 2 {
                generators.push(cycle(group.degree(), table, class));
            }
        }
    }
    Some(Group::new(group.degree(), generators))
}

/// The cycle of whole columns.
fn cycle(degree: usize, table: &Table, columns: &[usize]) -> Perm {
    let mut moves: Vec<(Point, Point)> = Vec::new();
    for row in table.rows() {
        let next = columns.iter().cycle().skip(1);
        moves.extend(columns.iter().zip(next).map(|(&c, &d)| (row[c], row[d])));
    }
    moves.sort_unstable();
    Perm::from_moves(degree, moves)
}
