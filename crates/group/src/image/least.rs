//! The lexicographically least image, the order of the literature.
//!
//! Objects are compared position by position: all colours first (point 0's, point 1's, …), then all
//! references, each point's by label, "none" before any target and targets by position. This is the
//! order of Donaldson 2007, Definition 34 ("control first"). The least image is canonical too, but
//! dearer than [`Canoniser`](super::Canoniser): it must decide position 0 first, however many
//! points tie for it, before it may look at what would tell them apart. It is here to compare
//! with strategies that are defined by it.
//!
//! The search goes down the stabiliser chain with base 0, 1, 2, …, a whole level at a time: each
//! node is an element of the group up to what later levels decide. After a level only the nodes with
//! the least known part are kept, and of nodes that led to equal objects one (their subtrees are
//! equal). A reference to a point that has no position yet is greater than any known one, because
//! only greater positions are left.
//!
//! Worked example, `S3` with colours (1,0,0) and references 2→2, 3→2 (counted from 1): position 1
//! must get a 0, so point 2 or 3. If point 2, its reference is to itself, position 1; if point 3,
//! to a point still unplaced. The first is less. Result: 2→1, 3→2, 1→3, that is `(1 3 2)`.
//! Source: Linton 2004 (smallest image of a set); cost: exponential in the worst case.

use std::collections::HashSet;

use crate::chain::{Chain, Group};
use crate::image::object::Object;
use crate::perm::{Perm, Point};

/// A group made ready for least images.
#[derive(Clone, Debug)]
pub struct LeastImages {
    chain: Chain,
}

/// A partial arrangement: the object led along, and the element that led it.
struct Partial {
    moved: Object,
    by: Perm,
}

impl LeastImages {
    /// A chain whose base is in order of position.
    pub fn new(group: &Group) -> LeastImages {
        let is_moved = |x: &Point| group.generators().iter().any(|g| g.at(*x) != *x);
        let base: Vec<Point> = (0..group.degree() as Point).filter(is_moved).collect();
        LeastImages { chain: Chain::new(group.degree(), group.generators(), &base) }
    }

    /// The element that leads `object` to its least image; of several, any.
    ///
    /// # Requires
    /// The object has no auxiliary vertices.
    pub fn least(&self, object: &Object) -> Perm {
        assert_eq!(object.n_nodes(), object.n_points(), "least images have no auxiliary vertices");
        let colours = self.narrow(vec![Partial::start(object)], |p, _| {
            p.moved.colours().to_vec()
        });
        if object.arcs().is_empty() {
            return colours.into_iter().next().expect("the identity at least").by;
        }
        // The colours are settled: what is left is the stabiliser of the coloured positions, which
        // the chain does not know, so the search starts over with colours and references together.
        let least = colours[0].moved.colours().to_vec();
        let last = self.narrow(vec![Partial::start(object)], |p, n_settled| {
            let n = n_settled as usize;
            let prefix = p.moved.colours()[..n].iter();
            let excess: Vec<u64> = prefix.zip(&least).map(|(a, b)| u64::from(a != b)).collect();
            let mut key = excess;
            key.extend(known_references(&p.moved, n_settled));
            key
        });
        last.into_iter().next().expect("the identity at least").by
    }

    /// Goes down the chain, keeping the partial arrangements whose key is least. The key may look at
    /// positions below the given number only as settled.
    fn narrow(
        &self,
        mut nodes: Vec<Partial>,
        key: impl Fn(&Partial, Point) -> Vec<u64>,
    ) -> Vec<Partial> {
        for level in 0..self.chain.n_levels() {
            let settled = self.chain.base_point(level) + 1;
            let mut least: Option<Vec<u64>> = None;
            let mut kept: Vec<Partial> = Vec::new();
            let mut seen = HashSet::new();
            for node in &nodes {
                for &x in self.chain.orbit(level) {
                    let next = node.bring(&self.chain, level, x);
                    let mut next_key = key(&next, settled);
                    next_key.truncate(usize::MAX);
                    match least.as_ref().map(|l| compare_known(&next_key, l, settled)) {
                        Some(std::cmp::Ordering::Greater) => continue,
                        Some(std::cmp::Ordering::Equal) => {}
                        Some(std::cmp::Ordering::Less) | None => {
                            kept.clear();
                            seen.clear();
                            least = Some(next_key);
                        }
                    }
                    if seen.insert(next.identity()) {
                        kept.push(next);
                    }
                }
            }
            nodes = kept;
        }
        nodes
    }
}
