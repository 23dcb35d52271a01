//! Partition backtrack: stabilisers, intersections and single elements without listing the group.
//!
//! Problem: given a group `G` by its chain, find the subgroup of elements that respect something
//! (a set, a colouring, a partition, membership in a second group), or one element that carries
//! one such thing to another. No polynomial algorithm is known; listing `G` is out of the question.
//!
//! Idea: an element is found by choosing images of base points one after the other. Two ordered
//! partitions, one of the sources and one of the images, say which images are still possible; both
//! are refined by all that is known, and when they come out different the branch is dead. Elements
//! found prune the rest. [`plan`] works out the left side once, [`search`] runs the right side.
//!
//! Worked example: `docs/theory/backtrack.md` finds the stabiliser of `{0,2}` in the group of the
//! square `0 1 2 3` by hand: step 0 splits `02|13`, fixing 0 leaves `2`, `{1,3}`; level 2 finds
//! `(1 3)`, level 1 finds `(0 2)`, and the order is 2·2 = 4.
//!
//! Source: Leon 1991, *Permutation group algorithms based on partitions, I*; Seress 2003, chapter
//! 9; Jefferson et al. 2019. We keep one left path for all searches of a problem, as Leon does,
//! choose branch points from smallest cells, and add orbitals near the root only.
//! Cost: exponential in the worst case, a few base-length descents in the usual one.

pub(crate) mod base_change;
mod direct;
mod exchange;
mod partition;
mod plan;
mod refiner;
mod search;
#[cfg(test)]
mod tests;

use crate::budget::{Budget, NoAnswer, unstopped};
use crate::chain::Group;
use crate::perm::{Perm, Point};
use base_change::MovableChain;
use refiner::{Blocks, Orbitals, PointColours, Refiner};
use search::{BacktrackProblem, Subgroup};

/// Above this degree it is asked whether the answer can be written down. Below, the search is fast
/// enough to be the only way, and so is the way that tests take.
const SEARCH_DEGREE_MAX: usize = 256;

/// The elements of `group` that map `set` onto itself.
///
/// # Requires
/// Points are below the degree; repeated ones count once.
pub fn set_stabiliser(group: &Group, set: &[Point]) -> Group {
    unstopped(set_stabiliser_within(group, set, &Budget::unlimited()))
}

/// As [`set_stabiliser`], unless the budget is spent first.
pub fn set_stabiliser_within(
    group: &Group,
    set: &[Point],
    budget: &Budget,
) -> Result<Group, NoAnswer> {
    colour_stabiliser_within(group, &indicator(group.degree(), set), budget)
}

/// The elements of `group` that map each cell onto itself.
///
/// # Requires
/// Cells are disjoint. Points in no cell form one more.
pub fn partition_stabiliser(group: &Group, cells: &[Vec<Point>]) -> Group {
    let numbers = cell_numbers(group.degree(), cells, cells.len());
    colour_stabiliser(group, &numbers)
}

/// The elements of `group` that map each cell onto a cell.
///
/// # Requires
/// Cells are disjoint. Points in no cell stay in no cell.
pub fn unordered_partition_stabiliser(group: &Group, cells: &[Vec<Point>]) -> Group {
    let n = group.degree();
    let (blocks, inside) = (block_numbers(n, cells), indicator(n, &cells.concat()));
    let refiners = unordered(&blocks, &blocks, &inside, &inside);
    unstopped(stabiliser(group, refiners, &Budget::unlimited()))
}

/// The elements of `group` under which each point keeps its colour.
///
/// # Requires
/// One colour a point.
pub fn colour_stabiliser(group: &Group, colours: &[u32]) -> Group {
    unstopped(colour_stabiliser_within(
        group,
        colours,
        &Budget::unlimited(),
    ))
}

/// As [`colour_stabiliser`], unless the budget is spent first.
pub fn colour_stabiliser_within(
    group: &Group,
    colours: &[u32],
    budget: &Budget,
) -> Result<Group, NoAnswer> {
    assert_eq!(colours.len(), group.degree(), "one colour a point");
    if group.degree() > SEARCH_DEGREE_MAX
        && let Some(found) = direct::colour_stabiliser(group, colours)
    {
        return Ok(found);
    }
    stabiliser(group, coloured(colours, colours), budget)
}

/// The elements that two groups share.
///
/// # Requires
/// The groups have one degree.
pub fn intersection(a: &Group, b: &Group) -> Group {
    unstopped(intersection_within(a, b, &Budget::unlimited()))
}

/// As [`intersection`], unless the budget is spent first.
pub fn intersection_within(a: &Group, b: &Group, budget: &Budget) -> Result<Group, NoAnswer> {
    assert_eq!(a.degree(), b.degree(), "groups of different degrees");
    // The first group determines the depth of the search.
    let (a, b) = if b.order() < a.order() {
        (b, a)
    } else {
        (a, b)
    };
    let chains = vec![MovableChain::new(a.chain()), MovableChain::new(b.chain())];
    let mut refiners = Vec::new();
    chains.iter().for_each(|c| add_orbitals(c, &mut refiners));
    let found = BacktrackProblem::new(chains, refiners).stabiliser(budget)?;
    Ok(group_of(a.degree(), found))
}

/// An element of `group` that maps `from` onto `to`, if there is one.
///
/// # Requires
/// Points are below the degree; repeated ones count once.
pub fn transporter_of_sets(group: &Group, from: &[Point], to: &[Point]) -> Option<Perm> {
    let n = group.degree();
    transporter_of_colours(group, &indicator(n, from), &indicator(n, to))
}

/// An element of `group` that maps the `i`-th cell of `from` onto the `i`-th of `to`, for all `i`,
/// if there is one.
///
/// # Requires
/// The cells of each list are disjoint.
pub fn transporter_of_partitions(
    group: &Group,
    from: &[Vec<Point>],
    to: &[Vec<Point>],
) -> Option<Perm> {
    let n = group.degree();
    // Lists of different lengths differ in empty cells or not at all; points in no cell must not
    // get the number of a cell of the longer list.
    let n_cells = from.len().max(to.len());
    let (left, right) = (cell_numbers(n, from, n_cells), cell_numbers(n, to, n_cells));
    transporter_of_colours(group, &left, &right)
}

/// An element of `group` that maps each cell of `from` onto some cell of `to`, and each cell of
/// `to` is reached, if there is one.
///
/// # Requires
/// The cells of each list are disjoint.
pub fn transporter_of_unordered_partitions(
    group: &Group,
    from: &[Vec<Point>],
    to: &[Vec<Point>],
) -> Option<Perm> {
    let n = group.degree();
    let (left, right) = (block_numbers(n, from), block_numbers(n, to));
    let (left_inside, right_inside) = (indicator(n, &from.concat()), indicator(n, &to.concat()));
    let refiners = unordered(&left, &right, &left_inside, &right_inside);
    unstopped(transporter(group, refiners, &Budget::unlimited()))
}

/// An element `g` of `group` with `to[g(x)] = from[x]` for all points `x`, if there is one.
///
/// # Requires
/// One colour a point, in both.
pub fn transporter_of_colours(group: &Group, from: &[u32], to: &[u32]) -> Option<Perm> {
    unstopped(transporter_of_colours_within(
        group,
        from,
        to,
        &Budget::unlimited(),
    ))
}

/// As [`transporter_of_colours`], unless the budget is spent first.
pub fn transporter_of_colours_within(
    group: &Group,
    from: &[u32],
    to: &[u32],
    budget: &Budget,
) -> Result<Option<Perm>, NoAnswer> {
    assert_eq!(from.len(), group.degree(), "one colour a point");
    assert_eq!(to.len(), group.degree(), "one colour a point");
    transporter(group, coloured(from, to), budget)
}

fn stabiliser(
    group: &Group,
    mut refiners: Vec<Box<dyn Refiner + '_>>,
    budget: &Budget,
) -> Result<Group, NoAnswer> {
    let chain = MovableChain::new(group.chain());
    add_orbitals(&chain, &mut refiners);
    let found = BacktrackProblem::new(vec![chain], refiners).stabiliser(budget)?;
    Ok(group_of(group.degree(), found))
}

fn transporter(
    group: &Group,
    mut refiners: Vec<Box<dyn Refiner + '_>>,
    budget: &Budget,
) -> Result<Option<Perm>, NoAnswer> {
    let chain = MovableChain::new(group.chain());
    add_orbitals(&chain, &mut refiners);
    BacktrackProblem::new(vec![chain], refiners).transporter(budget)
}

/// The group found, with a chain of its own; the search knows the order by another way.
fn group_of(degree: usize, found: Subgroup) -> Group {
    Group::from_known_order(degree, found.generators, &found.order)
        .expect("the search and the chain agree on the order")
}

fn coloured<'a>(left: &'a [u32], right: &'a [u32]) -> Vec<Box<dyn Refiner + 'a>> {
    vec![Box::new(PointColours { left, right })]
}

fn unordered<'a>(
    left: &'a [u32],
    right: &'a [u32],
    left_inside: &'a [u32],
    right_inside: &'a [u32],
) -> Vec<Box<dyn Refiner + 'a>> {
    let inside = PointColours {
        left: left_inside,
        right: right_inside,
    };
    vec![Box::new(inside), Box::new(Blocks { left, right })]
}

fn add_orbitals(group: &MovableChain, refiners: &mut Vec<Box<dyn Refiner + '_>>) {
    if let Some(orbitals) = Orbitals::new(group) {
        refiners.push(Box::new(orbitals));
    }
}

fn indicator(degree: usize, set: &[Point]) -> Vec<u32> {
    let mut colours = vec![0; degree];
    set.iter().for_each(|&x| colours[x as usize] = 1);
    colours
}

/// The number of each point's cell; points in no cell get `outside`, which is beyond the cells.
fn cell_numbers(degree: usize, cells: &[Vec<Point>], outside: usize) -> Vec<u32> {
    let outside = outside as u32;
    let mut number = vec![outside; degree];
    for (i, cell) in cells.iter().enumerate() {
        for &x in cell {
            let seen = std::mem::replace(&mut number[x as usize], i as u32);
            assert!(seen == outside || seen == i as u32, "{x} is in two cells");
        }
    }
    number
}

/// As [`cell_numbers`], but empty cells get no number, so all numbers are below the degree.
fn block_numbers(degree: usize, cells: &[Vec<Point>]) -> Vec<u32> {
    let filled: Vec<Vec<Point>> = cells.iter().filter(|c| !c.is_empty()).cloned().collect();
    cell_numbers(degree, &filled, filled.len())
}
