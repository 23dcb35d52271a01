//! Which strategy fits a group, with the reason, in one sentence.
//!
//! The canonical strategy is exact for every group, so the question is only what it costs. It is
//! cheap for direct products of symmetric, alternating, cyclic and dihedral groups, which sort or
//! rotate, and for groups of few elements. For wreath products and groups of no known shape it
//! searches the stabiliser chain, whose cost grows with the points that move; where these are many,
//! descent by the generators may be quicker, at the price of several states an orbit.
//!
//! Worked example: S4 gives `canonical: the group is S4, exact and cheap`.

use group::Group;
use group::shape::moved_points;
use group::shape::name::Shape;
use num_bigint::BigUint;

/// From so many moved points on, a search along the stabiliser chain is not called cheap.
const POINTS_MANY: usize = 200;
/// Up to so many elements a group is small.
const ORDER_SMALL: u32 = 10_000;

/// Which strategy fits a group of this shape, and why.
pub fn strategy(group: &Group, shape: &Shape) -> String {
    if *shape == Shape::Trivial {
        return "none: the group is trivial".to_owned();
    }
    let n_moved = moved_points(group.degree(), group.generators()).len();
    let is_small = group.order() <= BigUint::from(ORDER_SMALL);
    words(shape, n_moved, is_small)
}

fn words(shape: &Shape, n_moved: usize, is_small: bool) -> String {
    let named = match shape {
        Shape::Other { .. } => "has no known shape".to_owned(),
        named => format!("is {named}"),
    };
    if sorts(shape) {
        format!("canonical: the group {named}, exact and cheap")
    } else if is_small {
        format!("canonical: the group {named}, exact, and it is small")
    } else if n_moved < POINTS_MANY {
        format!("canonical: the group {named}, exact, and few points move")
    } else {
        format!(
            "canonical: the group {named} and moves {n_moved} points; exact, but if that is slow, \
             local-search may be quicker and keeps more states"
        )
    }
}

/// Whether images are found without a search.
fn sorts(shape: &Shape) -> bool {
    match shape {
        Shape::Trivial
        | Shape::Symmetric(_)
        | Shape::Alternating(_)
        | Shape::Cyclic(_)
        | Shape::Dihedral(_) => true,
        Shape::Direct(factors) => factors.iter().all(sorts),
        Shape::Elementary { .. }
        | Shape::Wreath(..)
        | Shape::Permuted { .. }
        | Shape::Semidirect(..)
        | Shape::Other { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{Shape, words};

    #[test]
    fn a_reason_is_about_the_shape_and_the_size() {
        let pairs = Shape::Wreath(
            Box::new(Shape::Symmetric(2)),
            Box::new(Shape::Symmetric(500)),
        );
        let both = Shape::Direct(vec![Shape::Symmetric(4), Shape::Symmetric(3)]);
        assert_eq!(
            words(&Shape::Symmetric(4), 4, true),
            "canonical: the group is S4, exact and cheap"
        );
        assert!(words(&both, 1000, false).ends_with("exact and cheap"));
        assert!(words(&pairs, 8, true).ends_with("it is small"));
        assert!(words(&pairs, 100, false).ends_with("few points move"));
        assert!(words(&pairs, 1000, false).contains("local-search may be quicker"));
    }
}
