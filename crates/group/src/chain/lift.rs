//! Proving that a group which acts as `S_m` on one orbit acts faithfully there.
//!
//! A group that permutes `m` members and, with them, the `m²` cells of a table has order `m!`, but
//! no bound from orbits and blocks shows it. Proof: take elements `a(i)` of the group, `0 ≤ i <
//! m-1`, that act on the orbit as the exchange of its `i`-th and next point. If they satisfy
//! Coxeter's relations `a(i)² = 1`, `(a(i) a(i+1))³ = 1`, `a(i) a(j) = a(j) a(i)` for `j > i+1`
//! **on all points**, they generate an image of `S_m`, so a group of order at most `m!`; and if
//! each generator equals the product of the `a(i)` that has its action on the orbit, the group is
//! that.
//!
//! Worked example: `(0 1)(3 4)` and `(1 2)(4 5)` are `a(0)`, `a(1)` over the orbit `{0, 1, 2}`;
//! both have order two and their product `(0 1 2)(3 4 5)` has order three: the order is at most 6.
//!
//! Cost: `m²/2` products of permutations.

use num_bigint::BigUint;

use super::build::{Order, build};
use super::level::Positions;
use super::local::{Local, write_identity};
use crate::families::factorial;
use crate::orbit::orbits;
use crate::perm::{Perm, Point};

/// More look-ups than that are not spent on relations.
const LOOKUPS_MAX: usize = 2_000_000_000;

/// Whether the group has order `order`, proved by lifting its action on one of its orbits.
///
/// # Requires
/// The group's order is at least `order`.
pub(super) fn proves_order(n: usize, generators: &[Perm], order: &BigUint) -> bool {
    orbits(n, generators).iter().any(|orbit| {
        let m = orbit.len();
        m >= 3
            && m.saturating_mul(m).saturating_mul(n) <= LOOKUPS_MAX
            && factorial(m) == *order
            && lifts(n, generators, orbit, order)
    })
}

fn lifts(n: usize, generators: &[Perm], orbit: &[Point], order: &BigUint) -> bool {
    let m = orbit.len();
    let chain = build(n, generators, orbit, Order::Reach(order));
    let exchanges: Option<Vec<Perm>> = (0..m - 1)
        .map(|i| {
            let mut target = orbit.to_vec();
            target.swap(i, i + 1);
            element_with_images(&chain, &target)
        })
        .collect();
    let Some(exchanges) = exchanges else {
        return false;
    };
    satisfy_coxeter(&exchanges)
        && generators
            .iter()
            .all(|g| product_with_action(n, g, orbit, &exchanges) == *g)
}

/// An element that sends the first base points to `target`, if the chain has one.
fn element_with_images(chain: &Local, target: &[Point]) -> Option<Perm> {
    // u⁻¹ of the product so far; the product itself is its inverse.
    let mut inverse = vec![0; chain.n];
    write_identity(&mut inverse);
    for (level, &y) in target.iter().enumerate() {
        let x = inverse[y as usize];
        if !chain.in_orbit(level, x) {
            return None;
        }
        chain.pull_back(level, x, &mut inverse, Positions::All);
    }
    Some(Perm::from_bijection(inverse).inverse())
}

fn satisfy_coxeter(exchanges: &[Perm]) -> bool {
    exchanges.iter().enumerate().all(|(i, a)| {
        let own = a.product(a).is_identity();
        let next = exchanges.get(i + 1).is_none_or(|b| {
            let ab = a.product(b);
            ab.product(&ab).product(&ab).is_identity()
        });
        let later = exchanges.iter().skip(i + 2);
        own && next && later.into_iter().all(|b| a.product(b) == b.product(a))
    })
}

/// The product of exchanges that acts on the orbit as `g` does: found by sorting.
fn product_with_action(n: usize, g: &Perm, orbit: &[Point], exchanges: &[Perm]) -> Perm {
    let mut rank = vec![0; n];
    for (i, &x) in orbit.iter().enumerate() {
        rank[x as usize] = i;
    }
    // places[i] is where g sends the i-th point. Exchanging places i and i+1 until they are sorted
    // multiplies g by exchanges on the right until nothing is left: g = aₖ ∘ … ∘ a₁.
    let mut places: Vec<usize> = orbit.iter().map(|&x| rank[g.at(x) as usize]).collect();
    let mut word = Vec::new();
    for end in (1..places.len()).rev() {
        for i in 0..end {
            if places[i] > places[i + 1] {
                places.swap(i, i + 1);
                word.push(i);
            }
        }
    }
    let mut image: Vec<Point> = (0..n as Point).collect();
    for &i in &word {
        for y in &mut image {
            *y = exchanges[i].at(*y);
        }
    }
    Perm::from_bijection(image)
}
