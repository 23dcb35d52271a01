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
//! Cost: `m²/2` products of permutations, and `2m` for each generator.

use num_bigint::BigUint;

use super::build::{KnownOrder, build};
use super::level::ImagePositions;
use super::local::{LocalChain, write_identity};
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
            && n_lookups(n, m, generators.len()) <= LOOKUPS_MAX
            && factorial(m) == *order
            && lifts(n, generators, orbit, order)
    })
}

fn lifts(n: usize, generators: &[Perm], orbit: &[Point], order: &BigUint) -> bool {
    let m = orbit.len();
    let chain = build(n, generators, orbit, KnownOrder::Reach(order));
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
    satisfy_coxeter(&exchanges) && {
        let stars = exchanges_with_first(&exchanges);
        let mut each = generators.iter();
        each.all(|g| product_with_action(n, g, orbit, &stars) == *g)
    }
}

fn n_lookups(n: usize, m: usize, n_generators: usize) -> usize {
    let products = m.saturating_add(n_generators.saturating_mul(2));
    products.saturating_mul(m).saturating_mul(n)
}

/// An element that sends the first base points to `target`, if the chain has one.
fn element_with_images(chain: &LocalChain, target: &[Point]) -> Option<Perm> {
    // u⁻¹ of the product so far; the product itself is its inverse.
    let mut inverse = vec![0; chain.n];
    write_identity(&mut inverse);
    for (level, &y) in target.iter().enumerate() {
        let x = inverse[y as usize];
        if !chain.in_orbit(level, x) {
            return None;
        }
        chain.pull_back(level, x, &mut inverse, ImagePositions::All);
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

/// From the exchanges of the `i`-th and the next point, elements that exchange the first and the
/// `i`-th; that of the first with itself is the identity.
fn exchanges_with_first(exchanges: &[Perm]) -> Vec<Perm> {
    let mut stars = vec![Perm::identity(exchanges[0].degree()), exchanges[0].clone()];
    for a in &exchanges[1..] {
        let star = stars[stars.len() - 1].conjugate(a);
        stars.push(star);
    }
    stars
}

/// The product of exchanges with the first point that acts on the orbit as `g` does: a cycle
/// `c₀ → c₁ → … → cₖ → c₀` without the first point is the product of the exchanges with
/// `c₀, cₖ, …, c₁, c₀`, the last one applied first; with it, as `c₀`, that of `cₖ, …, c₁`.
fn product_with_action(n: usize, g: &Perm, orbit: &[Point], stars: &[Perm]) -> Perm {
    let mut rank = vec![0; n];
    for (i, &x) in orbit.iter().enumerate() {
        rank[x as usize] = i;
    }
    let mut seen = vec![false; orbit.len()];
    let mut image: Vec<Point> = (0..n as Point).collect();
    for start in 0..orbit.len() {
        let mut cycle = Vec::new();
        let mut at = start;
        while !std::mem::replace(&mut seen[at], true) {
            cycle.push(at);
            at = rank[g.at(orbit[at]) as usize];
        }
        if cycle.len() < 2 {
            continue;
        }
        let (first, last) = if start == 0 {
            (None, None)
        } else {
            (Some(start), Some(start))
        };
        let between = cycle[1..].iter().copied();
        for i in first.into_iter().chain(between).chain(last) {
            let star = stars[i].image();
            image.iter_mut().for_each(|y| *y = star[*y as usize]);
        }
    }
    Perm::from_bijection(image)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `S_m` on `0..m` and on the ordered pairs of different points.
    fn with_pairs(g: &Perm) -> Perm {
        let m = g.degree() as Point;
        let pairs = (0..m).flat_map(|a| (0..m).filter(move |&b| b != a).map(move |b| (a, b)));
        let place = |a: Point, b: Point| m + a * (m - 1) + b - Point::from(b > a);
        let on_pairs = pairs.map(|(a, b)| place(g.at(a), g.at(b)));
        Perm::from_image(g.image().iter().copied().chain(on_pairs).collect()).unwrap()
    }

    #[test]
    fn the_product_has_the_action_of_the_element() {
        let m = 6;
        let exchange = |i| with_pairs(&Perm::from_cycles(m, &[&[i, i + 1]]).unwrap());
        let exchanges: Vec<Perm> = (0..m as Point - 1).map(exchange).collect();
        assert!(satisfy_coxeter(&exchanges));
        let stars = exchanges_with_first(&exchanges);
        let orbit: Vec<Point> = (0..m as Point).collect();
        let mut rng = fastrand::Rng::with_seed(8);
        for round in 0..200 {
            let mut image = orbit.clone();
            rng.shuffle(&mut image);
            let g = with_pairs(&Perm::from_image(image).unwrap());
            let product = product_with_action(g.degree(), &g, &orbit, &stars);
            assert_eq!(product, g, "round {round}");
        }
    }

    #[test]
    fn relations_that_fail_elsewhere_are_noticed() {
        let cycles = |c: &[&[Point]]| Perm::from_cycles(6, c).unwrap();
        // As (0 1) and (1 2) on the first three points; the product has order 6 on the others.
        let good = [cycles(&[&[0, 1], &[3, 4]]), cycles(&[&[1, 2], &[4, 5]])];
        let bad = [cycles(&[&[0, 1], &[3, 4]]), cycles(&[&[1, 2]])];
        assert!(satisfy_coxeter(&good) && !satisfy_coxeter(&bad));
    }
}
