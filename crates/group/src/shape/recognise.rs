//! Symmetric, alternating, cyclic and dihedral groups in their natural action, on one orbit or on
//! several that are alike.
//!
//! On one table of columns (see [`mod@super::columns`]) a group acts faithfully on any row, so its
//! order alone settles most: a group of `m!` permutations of `m` columns is all of them; one of
//! `m!/2` is `A_m`, the only subgroup of that index. A transitive group of order `m` with an
//! element that is one cycle of all `m` columns is `C_m`. `D_m` (order `2m`, the symmetries of the
//! `m`-gon) needs a rotation `r` of order `m` and a generator `s` with `s² = 1` and
//! `s r s⁻¹ = r⁻¹`.
//!
//! Worked example: `(0 1 2 3)` and `(0 2)` generate 8 permutations of 4 points. `r = (0 1 2 3)` has
//! order 4, and `(0 2) r (0 2) = (2 1 0 3) = r⁻¹`: this is `D4`, the symmetries of the square.
//!
//! Small groups have several names; the first that fits in the order `S`, `C`, `A`, `D` is used, so
//! `S2` (not `C2`), `S3` (not `D3`), `C3` (not `A3`).
//!
//! Cost: no elements are listed but the `2m` of a dihedral candidate, and those only until a
//! rotation appears.

use num_bigint::BigUint;

use crate::chain::Group;
use crate::families::factorial;
use crate::perm::{Perm, Point};

use super::columns::{Table, columns};

/// How many elements are looked at for a rotation. One in `2m/φ(m)` is one, so few are needed.
const ROTATION_TRIES: usize = 4096;

/// The families of groups with a natural action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NaturalFamily {
    /// All permutations of `m ≥ 2` columns.
    Symmetric,
    /// The even permutations of `m ≥ 4` columns.
    Alternating,
    /// The `m ≥ 3` rotations of a ring.
    Cyclic,
    /// The `2m` rotations and reflections of a ring of `m ≥ 4`.
    Dihedral,
}

/// A group that is one of the known families on the columns of a table.
#[derive(Clone, Debug)]
pub struct Natural {
    /// Which family; the parameter is the width of the table.
    pub kind: NaturalFamily,
    /// All moved points. For rings, column `c + 1` follows column `c` around.
    pub table: Table,
}

/// The family of `group` if all its orbits are alike and it acts naturally on their columns.
pub fn recognise(group: &Group) -> Option<Natural> {
    let mut tables = columns(group);
    if tables.len() != 1 {
        return None;
    }
    let table = tables.remove(0);
    let kind = kind_by_order(&group.order(), table.width())?;
    let ring = |turn: &Perm| {
        let row = &table.rows()[0];
        let mut place = vec![0; group.degree()];
        row.iter()
            .enumerate()
            .for_each(|(i, &x)| place[x as usize] = i);
        let around = std::iter::successors(Some(row[0]), |&x| Some(turn.at(x)));
        let order: Vec<usize> = around.take(row.len()).map(|x| place[x as usize]).collect();
        table.reordered(&order)
    };
    let table = match kind {
        NaturalFamily::Symmetric | NaturalFamily::Alternating => table,
        NaturalFamily::Cyclic => ring(&full_turn(group, &group.order(), &table)?),
        NaturalFamily::Dihedral => {
            let turn = full_turn(group, &(group.order() / 2u32), &table)?;
            if !has_inverter(group, &turn) {
                return None;
            }
            ring(&turn)
        }
    };
    Some(Natural { kind, table })
}

/// The family that the order of a transitive group on `m` columns allows: certain for `S_m` and
/// `A_m`, to be confirmed for rings.
pub(crate) fn kind_by_order(order: &BigUint, m: usize) -> Option<NaturalFamily> {
    let factorial = factorial(m);
    if *order == factorial && m >= 2 {
        Some(NaturalFamily::Symmetric)
    } else if *order == BigUint::from(m) && m >= 3 {
        Some(NaturalFamily::Cyclic)
    } else if order * 2u32 == factorial && m >= 4 {
        Some(NaturalFamily::Alternating)
    } else if *order == BigUint::from(2 * m) && m >= 4 {
        Some(NaturalFamily::Dihedral)
    } else {
        None
    }
}

/// Whether the group is cyclic, in whatever action: an abelian group is cyclic exactly if the least
/// common multiple of the orders of its generators is its order.
pub fn is_cyclic(group: &Group) -> bool {
    let generators = group.generators();
    is_abelian(generators) && {
        let exponent = generators
            .iter()
            .fold(BigUint::from(1u32), |n, g| lcm(&n, &g.order()));
        exponent == group.order()
    }
}

/// Whether the group is dihedral of order `2n`, `n ≥ 3`, in whatever action. A yes is certain; a
/// no may be wrong if rotations of full order are rarer than one in some thousands.
pub(crate) fn is_dihedral(group: &Group) -> bool {
    let order = group.order();
    let n = &order / 2u32;
    if n < BigUint::from(3u32) || &n * 2u32 != order {
        return false;
    }
    if !rotations_commute(group.generators()) {
        return false;
    }
    rotation(group, &n, &|_| true).is_some_and(|turn| has_inverter(group, &turn))
}

/// Whether all pairs of generators commute.
pub(crate) fn is_abelian(generators: &[Perm]) -> bool {
    (generators.iter().enumerate()).all(|(i, g)| generators[..i].iter().all(|h| commute(g, h)))
}

/// Whether `g ∘ h = h ∘ g`.
pub fn commute(g: &Perm, h: &Perm) -> bool {
    let agree = |&x: &Point| g.at(h.at(x)) == h.at(g.at(x));
    // Where neither moves `x` there is nothing to compare.
    g.support().iter().all(agree) && h.support().iter().all(agree)
}

fn lcm(a: &BigUint, b: &BigUint) -> BigUint {
    let (mut x, mut y) = (a.clone(), b.clone());
    while y != BigUint::ZERO {
        (x, y) = (y.clone(), x % y);
    }
    a / x * b
}

/// An element of order `n` that turns the first row as one cycle.
fn full_turn(group: &Group, n: &BigUint, table: &Table) -> Option<Perm> {
    let (start, m) = (table.rows()[0][0], table.width());
    rotation(group, n, &|g| {
        let mut x = g.at(start);
        let mut length = 1;
        while x != start {
            x = g.at(x);
            length += 1;
        }
        length == m
    })
}

/// Whether, among some generators and their products, all that are no involutions commute: so it is
/// in a dihedral group, and hardly ever in another.
fn rotations_commute(generators: &[Perm]) -> bool {
    const SOME: usize = 8;
    let some = &generators[..generators.len().min(SOME)];
    let products = some
        .iter()
        .flat_map(|g| some.iter().map(move |h| g.product(h)));
    let all = some.iter().cloned().chain(products);
    let rotations: Vec<Perm> = all.filter(|g| !g.product(g).is_identity()).collect();
    is_abelian(&rotations)
}

fn rotation(group: &Group, n: &BigUint, accept: &dyn Fn(&Perm) -> bool) -> Option<Perm> {
    let mut found = None;
    let mut tries = 0;
    group.chain().enumerate(&mut |g| {
        tries += 1;
        if g.order() == *n && accept(g) {
            found = Some(g.clone());
        }
        found.is_none() && tries < ROTATION_TRIES
    });
    found
}

/// Whether some generator is an involution that turns `turn` around. Outside the rotations all
/// elements of a dihedral group are such, and not all generators are rotations.
fn has_inverter(group: &Group, turn: &Perm) -> bool {
    let back = turn.inverse();
    let inverts = |s: &Perm| s.product(s).is_identity() && turn.conjugate(s) == back;
    group.generators().iter().any(inverts)
}
