//! Does a chain describe a group? An answer that shares no code with the building of chains.
//!
//! The chain is written out as plain data: its base, and for each level every transversal element.
//! Let `S(k)` be the set of products `u(k) ∘ u(k+1) ∘ …`, one transversal element a level. Checked:
//!
//! 1. *Shape.* Each transversal element fixes the earlier base points and sends its own where it
//!    says. Then the products are distinct: `|S(0)|` is the product of the orbit lengths.
//! 2. *Closure*, from the last level up: `S(k)` is a group. Given that `S(k+1)` is one with the
//!    generators `D`, add to `D` the transversal elements of level `k` that are not yet in the
//!    group of `D` (`u` is in it if `w⁻¹∘u` is in `S(k+1)` for a product `w` of `D` that sends the
//!    base point to the same point); then for each `s` of `D` and each `u` of the level, `s∘u` must
//!    be in `S(k)`. So left multiplication by generators keeps `S(k)`, and it is a group.
//! 3. *The group is inside*: each generator is in `S(0)`.
//! 4. *Nothing else is inside*: products of generators, taken at random, are sifted into a chain of
//!    their own until it is as long as the one in question. Everything in it is a product of
//!    generators, so the group has at least that many elements. A chain that claims too much is
//!    never reached; after many fruitless rounds that is reported.
//!
//! Together `S(0)` contains the group and is no larger. Only step 4 draws lots, and only a wrong
//! refusal, with negligible probability, can come of it.
//!
//! Worked example: `⟨(0 1 2)⟩`, base 0, transversal `(), (0 1 2), (0 2 1)`. Closure: `D` gets
//! `(0 1 2)`; its products with the three elements are the three elements. With the transversal
//! `(), (0 1), (0 2 1)` instead, step 2 finds `(0 1)∘(0 2 1)`, which fixes 0 and is not `()`.
//!
//! Cost: memory is the sum of the orbit lengths times the degree; meant for degrees up to about
//! 200. Plain lists, no trees, no segments: slow on purpose.

use num_bigint::BigUint;

use crate::chain::Chain;
use crate::perm::{Perm, Point};

/// Random products in a row that may bring nothing new before a chain is called too long.
const FRUITLESS_MAX: usize = 400;

/// A chain as plain data, for all to see.
#[derive(Clone, Debug)]
pub struct PlainChain {
    pub degree: usize,
    pub levels: Vec<PlainLevel>,
}

/// A base point with the points of its orbit and an element that sends it to each.
#[derive(Clone, Debug)]
pub struct PlainLevel {
    pub base: Point,
    pub transversal: Vec<(Point, Perm)>,
}

/// Why a chain does not describe a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChainFault {
    /// The transversal element of this level for this point is not what it claims to be.
    Transversal { level: usize, point: Point },
    /// A product of the chain's own elements falls out of the chain at this level.
    NotClosed { level: usize },
    /// This generator is not in the chain.
    GeneratorMissing { index: usize },
    /// The generators do not reach the chain's order, only this.
    TooLarge { reached: BigUint },
}

impl PlainChain {
    /// The data of a chain.
    pub fn from_chain(chain: &Chain) -> PlainChain {
        let levels = (0..chain.n_levels()).map(|k| PlainLevel {
            base: chain.base_point(k),
            transversal: chain
                .orbit(k)
                .iter()
                .map(|&x| (x, chain.transversal(k, x)))
                .collect(),
        });
        PlainChain {
            degree: chain.degree(),
            levels: levels.collect(),
        }
    }

    /// The product of the orbit lengths.
    pub fn order(&self) -> BigUint {
        let lengths = self
            .levels
            .iter()
            .map(|l| BigUint::from(l.transversal.len()));
        lengths.product()
    }

    /// Whether `g` is a product of transversal elements of the levels from `from` on.
    fn contains_from(&self, from: usize, g: &Perm) -> bool {
        let mut rest = g.clone();
        for level in &self.levels[from..] {
            match level.element_to(rest.at(level.base)) {
                Some(u) => rest = u.inverse().product(&rest),
                None => return false,
            }
        }
        rest.is_identity()
    }
}

impl PlainLevel {
    fn element_to(&self, x: Point) -> Option<&Perm> {
        let found = self.transversal.iter().find(|(y, _)| *y == x);
        found.map(|(_, u)| u)
    }
}

/// Checks that `chain` describes the group that `generators` generate.
///
/// # Errors
/// The first fault found, in the order of the header.
pub fn certify_chain(generators: &[Perm], chain: &PlainChain) -> Result<(), ChainFault> {
    check_shape(chain)?;
    check_closure(chain)?;
    for (index, g) in generators.iter().enumerate() {
        if g.degree() != chain.degree || !chain.contains_from(0, g) {
            return Err(ChainFault::GeneratorMissing { index });
        }
    }
    check_reached(generators, chain)
}

fn check_shape(chain: &PlainChain) -> Result<(), ChainFault> {
    for (k, level) in chain.levels.iter().enumerate() {
        let fault = |point| ChainFault::Transversal { level: k, point };
        let in_range = (level.base as usize) < chain.degree;
        if !in_range || level.element_to(level.base).is_none() {
            return Err(fault(level.base));
        }
        for (i, (x, u)) in level.transversal.iter().enumerate() {
            let twice = level.transversal[..i].iter().any(|(y, _)| y == x);
            let fixes = |l: &PlainLevel| u.at(l.base) == l.base;
            let right = u.degree() == chain.degree
                && u.at(level.base) == *x
                && chain.levels[..k].iter().all(fixes);
            if twice || !right {
                return Err(fault(*x));
            }
        }
    }
    Ok(())
}

fn check_closure(chain: &PlainChain) -> Result<(), ChainFault> {
    let mut generators: Vec<Perm> = Vec::new();
    for (k, level) in chain.levels.iter().enumerate().rev() {
        // words[i] is a product of generators that sends the base point to the i-th point met.
        let mut words = vec![Perm::identity(chain.degree)];
        for (x, u) in &level.transversal {
            let word = words.iter().find(|w| w.at(level.base) == *x);
            if word.is_some_and(|w| chain.contains_from(k + 1, &w.inverse().product(u))) {
                continue;
            }
            generators.push(u.clone());
            extend_words(level.base, &generators, &mut words);
        }
        for s in &generators {
            for (_, u) in &level.transversal {
                if !chain.contains_from(k, &s.product(u)) {
                    return Err(ChainFault::NotClosed { level: k });
                }
            }
        }
    }
    Ok(())
}

fn extend_words(base: Point, generators: &[Perm], words: &mut Vec<Perm>) {
    let mut next = 0;
    while next < words.len() {
        for s in generators {
            let y = s.at(words[next].at(base));
            if words.iter().all(|w| w.at(base) != y) {
                words.push(s.product(&words[next]));
            }
        }
        next += 1;
    }
}

/// Sifts random products of generators into a new chain over the same base.
fn check_reached(generators: &[Perm], chain: &PlainChain) -> Result<(), ChainFault> {
    let levels = chain.levels.iter().map(|l| PlainLevel {
        base: l.base,
        transversal: vec![(l.base, Perm::identity(chain.degree))],
    });
    let mut own = PlainChain {
        degree: chain.degree,
        levels: levels.collect(),
    };
    let wanted = chain.order();
    let mut rng = fastrand::Rng::with_seed(chain.degree as u64);
    let mut word = Perm::identity(chain.degree);
    // Several places for few generators, so that their products take many shapes.
    let n_places = generators.len().max(8);
    let mut products: Vec<Perm> = generators.iter().cycle().take(n_places).cloned().collect();
    let mut fruitless = 0;
    while own.order() != wanted {
        if fruitless > FRUITLESS_MAX || generators.is_empty() {
            let reached = own.order();
            return Err(ChainFault::TooLarge { reached });
        }
        let (i, j) = (rng.usize(..n_places), rng.usize(..n_places));
        if i != j {
            products[i] = products[i].product(&products[j]);
        }
        word = products[i].product(&word);
        if rng.bool() {
            word = word.product(&generators[rng.usize(..generators.len())]);
        }
        fruitless = if take_in(&mut own, &word) {
            0
        } else {
            fruitless + 1
        };
    }
    Ok(())
}

/// Sifts `g`; where it falls out, its residue times each element becomes new ones.
fn take_in(own: &mut PlainChain, g: &Perm) -> bool {
    let mut rest = g.clone();
    for level in &mut own.levels {
        if let Some(u) = level.element_to(rest.at(level.base)) {
            rest = u.inverse().product(&rest);
            continue;
        }
        // All products of the residue and the elements known here, until nothing new comes.
        let mut steps: Vec<Perm> = level.transversal.iter().map(|(_, u)| u.clone()).collect();
        steps.push(rest);
        let mut next = 0;
        while next < level.transversal.len() {
            for s in &steps {
                let product = s.product(&level.transversal[next].1);
                let y = product.at(level.base);
                if level.element_to(y).is_none() {
                    level.transversal.push((y, product));
                }
            }
            next += 1;
        }
        return true;
    }
    false
}
