//! Products that share points: normal subgroups with a complement.
//!
//! Two searches, for shapes that occur: the symmetries of a hypercube (`2^d : S_d`, and affine
//! groups in general) and of a grid (rows and columns permuted independently).
//!
//! *Regular normal subgroup.* Let `N` be normal, elementary abelian (all elements commute and have
//! order `p`) and regular on an orbit: exactly one element of `N` sends a point `x` to each `y`.
//! Then the stabiliser of `x` meets `N` trivially and has order `|G| / |N|`, so `G = N : G_x`.
//! Elements of `N` are looked for among powers of random elements of `G`: if `g` is a translation
//! followed by `σ`, then `g` to the order of `σ` is a translation again. From an element the
//! conjugates are collected for as long as all commute.
//!
//! Worked example: the square with vertices `0 1 3 2` around (2-bit numbers). Translations
//! `(0 1)(2 3)` and `(0 2)(1 3)` generate `N`, of order 4 and regular; the stabiliser of 0 is
//! `⟨(1 2)⟩`; `2^2 : S2` has 4 · 2 = 8 elements.
//!
//! *Kernels.* What fixes every block of a system is a normal subgroup. If two such kernels commute,
//! and generate a group whose order is the product of theirs and that of `G`, then `G` is their
//! direct product. Rows and columns of a grid are two systems.
//!
//! Cost: a bounded number of random elements and of systems. A decomposition that is returned is
//! verified; one that is not found may exist.

use num_bigint::BigUint;

use crate::blocks::{BlockSystem, block_kernel, some_block_systems};
use crate::chain::{Chain, Group};
use crate::perm::{Perm, Point};

use super::columns::columns;
use super::moved_orbits;
use super::recognise::commute;

/// Random elements whose powers are looked at.
const RANDOM_TRIES: usize = 60;
/// Starts from scratch, should the subgroup grow in a wrong direction.
const RESTARTS: usize = 3;
/// Orbits longer than this are not looked at for a regular subgroup.
const REGULAR_LENGTH_MAX: usize = 4096;
/// Orbits that are looked at for a regular subgroup, one for each table of columns.
const REGULAR_ORBITS_MAX: usize = 4;
/// Block systems whose kernels are tried against each other.
const KERNELS_MAX: usize = 8;
/// Kernels are computed up to this degree.
const KERNEL_DEGREE_MAX: usize = 300;

/// A group as `normal : complement`, or as a direct product if the two commute.
#[derive(Clone, Debug)]
pub struct Split {
    /// A normal subgroup, on all points.
    pub normal: Group,
    /// A subgroup that meets it trivially; together they generate the group.
    pub complement: Group,
    /// Whether every element of one commutes with every element of the other.
    pub is_direct: bool,
}

/// `group` as an elementary abelian normal subgroup, regular on some orbit, with the stabiliser of
/// a point as complement.
pub(crate) fn regular_normal(group: &Group) -> Option<Split> {
    let tables = columns(group);
    let rows = tables.iter().map(|t| &t.rows()[0]);
    rows.filter(|o| o.len() <= REGULAR_LENGTH_MAX)
        .filter_map(|o| Some((o, prime_of_power(o.len())?)))
        .take(REGULAR_ORBITS_MAX)
        .find_map(|(orbit, p)| {
            let mut rng = fastrand::Rng::with_seed(0x6e6f_726d);
            (0..RESTARTS).find_map(|_| regular_on(group, orbit, p, &mut rng))
        })
}

/// `group` as the direct product of the kernels of two of its block systems or orbits.
pub(crate) fn product_of_kernels(group: &Group) -> Option<Split> {
    if group.degree() > KERNEL_DEGREE_MAX {
        return None;
    }
    let kernels = kernels(group);
    for (i, a) in kernels.iter().enumerate() {
        for b in &kernels[..i] {
            if a.order() * b.order() == group.order() && all_commute(a, b) {
                let both = [a.generators(), b.generators()].concat();
                if Group::new(group.degree(), both).order() == group.order() {
                    return Some(Split {
                        normal: b.clone(),
                        complement: a.clone(),
                        is_direct: true,
                    });
                }
            }
        }
    }
    None
}

/// The `p` of which `n` is a power.
pub(crate) fn prime_of_power(n: usize) -> Option<usize> {
    let p = (2..=n).find(|p| n.is_multiple_of(*p))?;
    let mut rest = n;
    while rest.is_multiple_of(p) {
        rest /= p;
    }
    (rest == 1).then_some(p)
}

fn regular_on(group: &Group, orbit: &[Point], p: usize, rng: &mut fastrand::Rng) -> Option<Split> {
    let degree = group.degree();
    let mut normal = Group::new(degree, Vec::new());
    let goal = BigUint::from(orbit.len());
    for _ in 0..RANDOM_TRIES {
        if let Some(c) = element_of_order(&group.chain().random(rng), p)
            && orbit.iter().all(|&x| c.at(x) != x)
            && let Some(larger) = normal_closure(group, &normal, c, &goal)
        {
            normal = larger;
        }
        if normal.order() == goal && moved_together(&normal, orbit) {
            let chain = Chain::new(degree, group.generators(), &orbit[..1]);
            let complement = Group::new(degree, chain.stabiliser_generators(1).to_vec());
            assert_eq!(
                complement.order() * goal,
                group.order(),
                "orbit length times stabiliser order"
            );
            return Some(Split {
                is_direct: all_commute(&normal, &complement),
                normal,
                complement,
            });
        }
    }
    None
}

fn moved_together(normal: &Group, orbit: &[Point]) -> bool {
    let orbits = moved_orbits(normal.degree(), normal.generators());
    orbits.iter().any(|o| o == orbit)
}

/// A power of `g` of order `p`, unless `p` does not divide the order of `g`.
fn element_of_order(g: &Perm, p: usize) -> Option<Perm> {
    let order = i64::try_from(g.order()).ok()?;
    let p = p as i64;
    (order % p == 0).then(|| g.power(order / p))
}

/// The least normal subgroup of `group` with `normal` and `c` in it, if that is elementary abelian
/// and no larger than `order_max`.
fn normal_closure(group: &Group, normal: &Group, c: Perm, order_max: &BigUint) -> Option<Group> {
    let mut closure = normal.clone();
    let mut pending = vec![c];
    while let Some(c) = pending.pop() {
        if closure.contains(&c) {
            continue;
        }
        if !closure.generators().iter().all(|n| commute(n, &c)) {
            return None;
        }
        pending.extend(group.generators().iter().map(|g| c.conjugate(g)));
        let generators = [closure.generators(), &[c]].concat();
        closure = Group::new(group.degree(), generators);
        if closure.order() > *order_max {
            return None;
        }
    }
    Some(closure)
}

fn all_commute(a: &Group, b: &Group) -> bool {
    let commutes_with_b = |g: &Perm| b.generators().iter().all(|h| commute(g, h));
    a.generators().iter().all(commutes_with_b)
}

/// Kernels of the actions on block systems of the orbits, and on the orbits themselves.
fn kernels(group: &Group) -> Vec<Group> {
    let mut kernels = Vec::new();
    for orbit in moved_orbits(group.degree(), group.generators()) {
        let mut systems = some_block_systems(group, orbit[0], KERNELS_MAX);
        systems.push(BlockSystem::of_single_points(group.degree(), &orbit));
        for system in systems {
            if kernels.len() == KERNELS_MAX {
                return kernels;
            }
            let kernel = block_kernel(group, &system);
            if !kernel.is_trivial() {
                kernels.push(kernel);
            }
        }
    }
    kernels
}
