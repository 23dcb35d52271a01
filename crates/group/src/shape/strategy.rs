//! Least tuples by taking the group apart: a tree of methods chosen once per group.
//!
//! Over a disjoint product the factors minimise one after another, because each touches its own
//! positions only. Over a wreath product every copy of the inner group minimises its block, then
//! the outer group moves whole blocks. So `|H1| + |H2|` or `d·|H| + |K|` steps do the work of
//! `|H1| · |H2|` or `|H|^d · |K|`. (Direct and semidirect products that share positions do not
//! compose this way; the symmetries of the cube are the counter-example.)
//!
//! Worked example: `S2 wr S2` on the blocks `{0,1} {2,3}`, tuple `(3,1,2,1)`. Blocks first:
//! `(1,3,1,2)`; then the blocks as wholes: `(1,2,1,3)`, the least of the 8 images.
//!
//! What "least" means: each leaf compares positions in an order of its own, the order in which it
//! lists its points. A tree without [`RepresentativeMethod::Local`] is *exact*: tuples of one orbit
//! get the same representative, others do not. That needs the copies in different blocks to do the
//! same thing, which holds because the tree for the first block is carried to the others along the
//! aligned positions. Where blocks are monotone and leaves list points in increasing order, the
//! representative is the lexicographically least tuple;
//! [`RepresentativeMethod::is_lexicographic`] says whether that is certain.
//!
//! Source: Donaldson 2007, §9.3, §9.4, §9.6. Departures: sorting in place of descent in minimising
//! sets; alternating groups; the finest disjoint decomposition; aligned copies, without which
//! results depend on luck (30 of the 81 tuples over three values on `{0,3} {1,2}` go wrong with the
//! other alignment).

use std::fmt;

use num_bigint::BigUint;

use crate::chain::Group;
use crate::perm::{Perm, Point};

use super::disjoint::disjoint_factors;
use super::minimise::{MinimisingSet, Transversals, local_search};
use super::recognise::{NaturalFamily, recognise};
use super::wreath::{Wreath, wreath};
use super::{GroupFactor, Table, lifted};

/// How to find a representative of a tuple's orbit.
#[derive(Clone, Debug)]
pub enum RepresentativeMethod {
    /// Sort columns.
    Sort(MinimisingSet),
    /// Sort columns by an even permutation of them.
    SortEvenly(MinimisingSet),
    /// One after another; nothing for the trivial group.
    Sequence(Vec<RepresentativeMethod>),
    /// All elements of a small group on the listed points.
    Enumerate(Vec<Point>, Transversals),
    /// Descent by the generators of a group on the listed points.
    Local(Vec<Point>, Vec<Perm>),
}

/// The strategy for `group`: sort if it is symmetric (or alternating) on columns, else take it
/// apart as disjoint product, else as wreath product, else enumerate up to `enumerate_max`
/// elements, else search locally.
pub fn classify(group: &Group, enumerate_max: u64) -> RepresentativeMethod {
    if let Some(found) = recognise(group) {
        match found.kind {
            NaturalFamily::Symmetric => {
                return RepresentativeMethod::Sort(MinimisingSet::new(found.table));
            }
            NaturalFamily::Alternating => {
                return RepresentativeMethod::SortEvenly(MinimisingSet::new(found.table));
            }
            NaturalFamily::Cyclic | NaturalFamily::Dihedral => {}
        }
    }
    let mut factors = disjoint_factors(group);
    if factors.len() != 1 {
        let each = |part: &GroupFactor| classify(&part.group, enumerate_max).renamed(&part.points);
        return RepresentativeMethod::Sequence(factors.iter().map(each).collect());
    }
    if let Some(product) = wreath(group) {
        return over_blocks(&product, enumerate_max);
    }
    let GroupFactor { points, group } = factors.remove(0);
    if group.order() <= BigUint::from(enumerate_max) {
        RepresentativeMethod::Enumerate(points, Transversals::new(group.chain()))
    } else {
        RepresentativeMethod::Local(points, group.generators().to_vec())
    }
}

fn over_blocks(product: &Wreath, enumerate_max: u64) -> RepresentativeMethod {
    let inner = classify(&product.inner, enumerate_max);
    let outer = classify(&product.outer, enumerate_max);
    on_blocks(product, inner, outer)
}

fn on_blocks(
    product: &Wreath,
    inner: RepresentativeMethod,
    outer: RepresentativeMethod,
) -> RepresentativeMethod {
    let copies = product.blocks.iter().map(|b| inner.clone().renamed(b));
    let across = outer.over_columns(&product.table()).sorted();
    RepresentativeMethod::Sequence(copies.chain([across]).collect())
}

impl RepresentativeMethod {
    /// The strategy that enumerates the factors of a disjoint product, one after another.
    pub fn by_factors(factors: &[GroupFactor]) -> RepresentativeMethod {
        let each = |f: &GroupFactor| {
            RepresentativeMethod::Enumerate(f.points.clone(), Transversals::new(f.group.chain()))
        };
        RepresentativeMethod::Sequence(factors.iter().map(each).collect())
    }

    /// The strategy that enumerates the copies of the inner group block by block, then the outer
    /// group. Lexicographically least if the blocks are monotone.
    pub fn by_blocks(product: &Wreath) -> RepresentativeMethod {
        let enumerate = |g: &Group| {
            let points = (0..g.degree() as Point).collect();
            RepresentativeMethod::Enumerate(points, Transversals::new(g.chain()))
        };
        on_blocks(
            product,
            enumerate(&product.inner),
            enumerate(&product.outer),
        )
    }

    /// The representative of the orbit of `values`, and an element that leads to it.
    pub fn representative<T: Ord + Clone>(&self, values: &[T]) -> (Vec<T>, Perm) {
        match self {
            RepresentativeMethod::Sort(set) => set.sort(values),
            RepresentativeMethod::SortEvenly(set) => set.sort_evenly(values),
            RepresentativeMethod::Sequence(steps) => {
                let start = (values.to_vec(), Perm::identity(values.len()));
                steps.iter().fold(start, |(values, perm), step| {
                    let (next, q) = step.representative(&values);
                    (next, q.product(&perm))
                })
            }
            RepresentativeMethod::Enumerate(points, transversals) => {
                on_points(points, values, |part| transversals.least(part))
            }
            RepresentativeMethod::Local(points, moves) => {
                on_points(points, values, |part| local_search(moves, part))
            }
        }
    }

    /// The elements that the leaves compare by, one at a time, as permutations of `0..degree`:
    /// exchanges of columns, transversal elements, generators. They generate the group.
    pub fn moves(&self, degree: usize) -> Vec<Perm> {
        match self {
            RepresentativeMethod::Sort(set) => set.swaps(degree),
            RepresentativeMethod::SortEvenly(set) => {
                let m = set.table().width();
                let cycle = |c: usize| {
                    let c = c as Point;
                    let cycle = Perm::from_cycles(m, &[&[c, c + 1, c + 2]]);
                    let cycle = cycle.expect("three different columns");
                    set.table().lift(&cycle, degree)
                };
                (0..m.saturating_sub(2)).map(cycle).collect()
            }
            RepresentativeMethod::Sequence(steps) => {
                steps.iter().flat_map(|s| s.moves(degree)).collect()
            }
            RepresentativeMethod::Enumerate(points, transversals) => {
                let all = transversals.inverses().iter().flatten();
                let moved = all.filter(|g| !g.is_identity());
                moved.map(|g| lifted(g, points, degree)).collect()
            }
            RepresentativeMethod::Local(points, moves) => {
                moves.iter().map(|g| lifted(g, points, degree)).collect()
            }
        }
    }

    /// Whether tuples of one orbit always get the same representative.
    pub fn is_exact(&self) -> bool {
        match self {
            RepresentativeMethod::Sort(_)
            | RepresentativeMethod::SortEvenly(_)
            | RepresentativeMethod::Enumerate(..) => true,
            RepresentativeMethod::Sequence(steps) => {
                steps.iter().all(RepresentativeMethod::is_exact)
            }
            RepresentativeMethod::Local(..) => false,
        }
    }

    /// Whether the representative is certainly the lexicographically least tuple of the orbit.
    pub fn is_lexicographic(&self) -> bool {
        match self {
            RepresentativeMethod::Sort(set) => set.is_lexicographic(),
            RepresentativeMethod::SortEvenly(set) => {
                set.is_lexicographic() && set.table().rows().len() == 1
            }
            RepresentativeMethod::Sequence(steps) => {
                steps.iter().all(RepresentativeMethod::is_lexicographic)
            }
            RepresentativeMethod::Enumerate(points, _) => points.is_sorted(),
            RepresentativeMethod::Local(..) => false,
        }
    }

    /// The strategy with point `i` called `points[i]`.
    fn renamed(self, points: &[Point]) -> RepresentativeMethod {
        let name = |x: Point| points[x as usize];
        let names = |list: Vec<Point>| list.into_iter().map(name).collect();
        match self {
            RepresentativeMethod::Sort(set) => {
                RepresentativeMethod::Sort(set.with_rows(|row| vec![names(row.clone())]))
            }
            RepresentativeMethod::SortEvenly(set) => {
                RepresentativeMethod::SortEvenly(set.with_rows(|row| vec![names(row.clone())]))
            }
            RepresentativeMethod::Sequence(steps) => {
                let steps = steps.into_iter().map(|s| s.renamed(points));
                RepresentativeMethod::Sequence(steps.collect())
            }
            RepresentativeMethod::Enumerate(list, transversals) => {
                RepresentativeMethod::Enumerate(names(list), transversals)
            }
            RepresentativeMethod::Local(list, moves) => {
                RepresentativeMethod::Local(names(list), moves)
            }
        }
    }

    /// The strategy for a group of columns as one for the points of the table: wherever a column
    /// was compared or moved, all of its points are.
    fn over_columns(self, table: &Table) -> RepresentativeMethod {
        let column_rows = |row: &Vec<Point>| -> Vec<Vec<Point>> {
            let pick = |of: &Vec<Point>| row.iter().map(|&c| of[c as usize]).collect();
            table.rows().iter().map(pick).collect()
        };
        let n_rows = table.rows().len();
        match self {
            RepresentativeMethod::Sort(set) => {
                RepresentativeMethod::Sort(set.with_rows(column_rows))
            }
            RepresentativeMethod::SortEvenly(set) => {
                RepresentativeMethod::SortEvenly(set.with_rows(column_rows))
            }
            RepresentativeMethod::Sequence(steps) => {
                let steps = steps.into_iter().map(|s| s.over_columns(table));
                RepresentativeMethod::Sequence(steps.collect())
            }
            RepresentativeMethod::Enumerate(list, transversals) => {
                let transversals = transversals.mapped(|g| repeated(g, n_rows));
                RepresentativeMethod::Enumerate(column_rows(&list).concat(), transversals)
            }
            RepresentativeMethod::Local(list, moves) => {
                let moves = moves.iter().map(|g| repeated(g, n_rows)).collect();
                RepresentativeMethod::Local(column_rows(&list).concat(), moves)
            }
        }
    }

    /// The same group, compared in increasing order of positions. Not for copies that have to agree
    /// with others: there the order is that of the aligned blocks.
    fn sorted(self) -> RepresentativeMethod {
        let order_of = |list: &[Point]| {
            let mut order: Vec<Point> = (0..list.len() as Point).collect();
            order.sort_unstable_by_key(|&i| list[i as usize]);
            let sorted: Vec<Point> = order.iter().map(|&i| list[i as usize]).collect();
            (sorted, Perm::from_bijection(order).inverse())
        };
        match self {
            RepresentativeMethod::Enumerate(list, transversals) => {
                let (list, place) = order_of(&list);
                RepresentativeMethod::Enumerate(list, transversals.mapped(|g| g.conjugate(&place)))
            }
            RepresentativeMethod::Local(list, moves) => {
                let (list, place) = order_of(&list);
                let moves = moves.iter().map(|g| g.conjugate(&place)).collect();
                RepresentativeMethod::Local(list, moves)
            }
            other => other,
        }
    }
}

/// The tree in one line: `SEQ(MIN(3), MIN(6))`, with the number of exchanges, of elements kept for
/// enumeration, of generators.
impl fmt::Display for RepresentativeMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RepresentativeMethod::Sort(set) => write!(f, "MIN({})", set.n_swaps()),
            RepresentativeMethod::SortEvenly(set) => write!(f, "EVEN({})", set.n_swaps()),
            RepresentativeMethod::Sequence(steps) => {
                let texts: Vec<String> =
                    steps.iter().map(RepresentativeMethod::to_string).collect();
                write!(f, "SEQ({})", texts.join(", "))
            }
            RepresentativeMethod::Enumerate(_, transversals) => {
                write!(f, "ENUM({})", transversals.n_kept())
            }
            RepresentativeMethod::Local(_, moves) => write!(f, "LOCAL({})", moves.len()),
        }
    }
}

/// `g` on `times` copies of its points, one copy after another.
fn repeated(g: &Perm, times: usize) -> Perm {
    let n = g.degree() as Point;
    let copy = |i: Point| g.image().iter().map(move |&y| i * n + y);
    Perm::from_bijection((0..times as Point).flat_map(copy).collect())
}

fn on_points<T: Ord + Clone>(
    points: &[Point],
    values: &[T],
    least: impl Fn(&[T]) -> (Vec<T>, Perm),
) -> (Vec<T>, Perm) {
    let part: Vec<T> = points.iter().map(|&x| values[x as usize].clone()).collect();
    let (_, perm) = least(&part);
    let perm = super::lifted(&perm, points, values.len());
    (perm.move_values(values), perm)
}
