//! The lexicographically least image, the order of the literature.
//!
//! Objects are compared position by position: all colours first (position 0's, position 1's, …),
//! then all references, each position's by label, "none" before any target, and targets by
//! position. This is "control first" of Donaldson 2007, Definition 34. The least image is canonical
//! too, but dearer than that of [`Canoniser`](super::Canoniser): it must decide position 0 first,
//! however many points tie for it, before it may look at what would tell them apart. It is here to
//! compare with strategies that are defined by it.
//!
//! The search goes down a stabiliser chain with base 0, 1, 2, …, a whole level at a time: each node
//! is an element of the group up to what later levels decide. After a level only the nodes with the
//! least known part are kept, and one of those that led to equal objects (their subtrees are
//! equal). It runs twice: for the colours under the whole group, then for the references under the
//! stabiliser of the colours so arranged. A reference to a point that has no position yet is
//! greater than any known one, because only greater positions are left.
//!
//! Worked example, `S3` with colours (1,0,0) and references 2→2, 3→2 (counted from 1). Colours: the
//! image must be (0,0,1), reached by `(1 3)`, which makes the references 2→2, 1→2. The stabiliser
//! is `⟨(1 2)⟩`: position 1 gets the point whose reference goes to itself. Result `(1 3 2)`, with
//! references 1→1, 2→1. Source: Linton 2004 (smallest image of a set); Donaldson, Algorithm 11.
//! Cost: exponential in the worst case.

use std::cmp::Ordering;
use std::collections::HashSet;

use crate::backtrack::colour_stabiliser;
use crate::chain::{Chain, Group};
use crate::image::object::{Arc, Object};
use crate::perm::{Perm, Point};

/// A group made ready for least images.
#[derive(Clone, Debug)]
pub struct LeastImages {
    group: Group,
    chain: Chain,
}

impl LeastImages {
    /// A chain whose base is in order of position.
    pub fn new(group: &Group) -> LeastImages {
        LeastImages {
            group: group.clone(),
            chain: chain_in_order(group),
        }
    }

    /// An element that leads `object` to its least image.
    ///
    /// # Requires
    /// The object has no auxiliary vertices.
    pub fn least(&self, object: &Object) -> Perm {
        assert_eq!(
            object.n_nodes(),
            object.n_points(),
            "least images have no auxiliary vertices"
        );
        let mut plain = Object::tuple(object.colours());
        let by_colours = descend(&self.chain, &plain, |moved, settled| {
            moved.colours()[..settled].to_vec()
        });
        if object.arcs().is_empty() {
            return by_colours;
        }
        plain = plain.moved_by(&by_colours);
        let stabiliser = colour_stabiliser(&self.group, &ranks(plain.colours()));
        let sorted = object.moved_by(&by_colours);
        let by_references = descend(&chain_in_order(&stabiliser), &sorted, known_references);
        by_references.product(&by_colours)
    }
}

/// Compares two objects in the order of this module, without auxiliary vertices.
pub fn compare(a: &Object, b: &Object) -> Ordering {
    let references = |o: &Object| known_references(o, o.n_points());
    a.colours()
        .cmp(b.colours())
        .then_with(|| references(a).cmp(&references(b)))
}

fn chain_in_order(group: &Group) -> Chain {
    let is_moved = |x: &Point| group.generators().iter().any(|g| g.at(*x) != *x);
    let base: Vec<Point> = (0..group.degree() as Point).filter(is_moved).collect();
    Chain::new(group.degree(), group.generators(), &base)
}

fn ranks(colours: &[u64]) -> Vec<u32> {
    let mut sorted = colours.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let rank = |c: &u64| sorted.binary_search(c).expect("listed") as u32;
    colours.iter().map(rank).collect()
}

/// Goes down the chain with the arrangements whose key is least; the key of an object with so many
/// settled positions must be a prefix, or a lower bound that ends with [`u64::MAX`], of its key
/// with more.
fn descend(chain: &Chain, object: &Object, key: impl Fn(&Object, usize) -> Vec<u64>) -> Perm {
    let mut nodes = vec![Perm::identity(chain.degree())];
    for level in 0..chain.n_levels() {
        let settled = chain.base_point(level) as usize + 1;
        let mut least: Option<Vec<u64>> = None;
        let mut kept = Vec::new();
        let mut seen = HashSet::new();
        for &x in chain.orbit(level) {
            let to_base = chain.transversal(level, x).inverse();
            for node in &nodes {
                let next = to_base.product(node);
                let moved = object.moved_by(&next);
                let next_key = key(&moved, settled);
                let order = least.as_ref().map_or(Ordering::Less, |l| next_key.cmp(l));
                if order == Ordering::Greater {
                    continue;
                }
                if order == Ordering::Less {
                    kept.clear();
                    seen.clear();
                    least = Some(next_key);
                }
                if seen.insert(identity_of(&moved)) {
                    kept.push(next);
                }
            }
        }
        nodes = kept;
    }
    // A reference to a point that the group fixes, at a position beyond the last base point, has
    // counted as unknown so far.
    let full = |node: &Perm| key(&object.moved_by(node), object.n_points());
    nodes
        .into_iter()
        .min_by_key(full)
        .expect("the least is kept")
}

/// What makes two objects without auxiliary vertices equal.
fn identity_of(object: &Object) -> (Vec<u64>, Vec<Arc>) {
    let mut arcs = object.arcs().to_vec();
    arcs.sort_unstable();
    (object.colours().to_vec(), arcs)
}

/// The references of the settled positions, in order, up to the first that is not settled itself.
fn known_references(object: &Object, settled: usize) -> Vec<u64> {
    let mut arcs = object.arcs().to_vec();
    arcs.sort_unstable();
    let mut labels: Vec<u32> = arcs.iter().map(|a| a.label).collect();
    labels.sort_unstable();
    labels.dedup();
    let mut key = Vec::new();
    for from in 0..settled as Point {
        for &label in &labels {
            let first = arcs.partition_point(|a| (a.from, a.label) < (from, label));
            let own = arcs[first..]
                .iter()
                .take_while(|a| (a.from, a.label) == (from, label));
            key.push(own.clone().count() as u64);
            for arc in own {
                if arc.to as usize >= settled {
                    key.push(u64::MAX);
                    return key;
                }
                key.push(u64::from(arc.to));
            }
        }
    }
    key
}
