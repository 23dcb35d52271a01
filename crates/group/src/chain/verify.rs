//! Proving that a chain of random origin describes the whole group.
//!
//! Every edge of the chain is an element of the group, so the product of its orbit lengths is a
//! lower bound of the order. Two proofs that it is the order:
//!
//! *An upper bound that is reached* ([`super::bound`]): found from the generators' action on orbits
//! and blocks, without the chain. It is the only way for groups with long bases.
//!
//! *Schreier's lemma*, from the last stage up. Let `K` be the group of a tree's level with base
//! point `b`, and `H` that of the levels below, known to be right. If `T` generates `K`, then the
//! elements `u(s(x))⁻¹ ∘ s ∘ u(x)`, for `s` in `T` and `x` in the orbit, generate the stabiliser of
//! `b` in `K`; so the chain is right iff they all sift to the identity through the levels below. At
//! the top, `T` is the generators. Below, `T` is the edges of the level and a generating set of
//! `H`; once `H` is known to be right, so is its order, and a few random elements whose own chain
//! reaches that order generate it: this keeps `T` small.
//!
//! *A segment* over the group `H` of the levels below is right iff every generator of `H` fixes the
//! columns of its levels and moves the others as whole columns, and `H` contains the even
//! permutations of the columns that the segment has no level for. For then the product of the even
//! permutations of the columns with `H` is a group, and an element `a∘h` of it that fixes the first
//! columns has `a` among those that `H` contains.
//!
//! Worked example: `⟨(0 1 2)⟩` with base point 0 and the edge `e = (0 1 2)`: the Schreier
//! generators are `u(1)⁻¹ e u(0)`, `u(2)⁻¹ e u(1)` and `u(0)⁻¹ e u(2) = e³`, all the identity:
//! order 3.
//!
//! Source: Seress, *Permutation Group Algorithms* (2003), sections 4.2 and 4.3.

use super::build::{KnownOrder, build};
use super::level::{ImagePositions, SchreierTree};
use super::local::{ChainStage, LocalChain, is_identity, write_identity};
use super::segment::ChainSegment;
use crate::perm::Perm;

/// Schreier's lemma is used first if it takes at most about this many look-ups.
const LOOKUPS_MAX: u64 = 300_000_000;
/// A generating set above this size is replaced by random elements.
const GENERATORS_MAX: usize = 8;
/// The number of random elements it is replaced by.
const REPLACEMENTS: usize = 3;

/// Why a chain does not describe its group.
pub(super) enum ChainFailure {
    /// This element of the group does not sift to the identity.
    Element(Vec<u32>),
    /// An element below a segment does not move its columns as wholes.
    TornColumns,
}

/// Why the chain does not describe the group, or `None` if it does.
///
/// # Requires
/// Every edge of the chain is in the group that `generators` generate.
pub(super) fn failure(chain: &LocalChain, generators: &[Perm]) -> Option<ChainFailure> {
    let mut image = vec![0; chain.n];
    for g in generators {
        g.write_image(&mut image);
        let mut residue = image.clone();
        chain.sift(&mut residue, ImagePositions::All, 0, chain.n_levels());
        if !is_identity(&residue) {
            return Some(ChainFailure::Element(image));
        }
    }
    schreier_failure(chain, generators)
}

/// Whether Schreier's lemma would take so long that bounds should be tried first.
pub(super) fn is_long(chain: &LocalChain, generators: &[Perm]) -> bool {
    let sifts = generators.len() as u64 * (chain.n as u64 + chain.stages().len() as u64);
    lookups(chain).saturating_add(10 * sifts) > LOOKUPS_MAX
}

/// Elements that generate the group of a chain.
pub(super) fn generators(chain: &LocalChain) -> Vec<Perm> {
    let mut generators = Vec::new();
    for stage in chain.stages() {
        match stage {
            ChainStage::Tree(tree) => {
                let edges = (0..tree.n_edges()).map(|e| tree.edge(e));
                generators.extend(edges.map(Perm::from_bijection));
            }
            ChainStage::Segment(segment) => {
                let two = alternating_generators(chain.n, segment);
                generators.extend(two.map(Perm::from_bijection));
            }
        }
    }
    generators
}

/// About how many look-ups Schreier's lemma takes, or the greatest number if they are more.
fn lookups(chain: &LocalChain) -> u64 {
    let mut below = 0;
    let mut total = 0u64;
    for stage in chain.stages().iter().rev() {
        if let ChainStage::Tree(tree) = stage {
            below += 1 + u64::from(tree.depth());
            let n_elements = (tree.orbit.len() * (tree.n_edges() + REPLACEMENTS)) as u64;
            total = total.saturating_add(n_elements.saturating_mul(below));
        }
    }
    total.saturating_mul(chain.n as u64)
}

fn schreier_failure(chain: &LocalChain, generators: &[Perm]) -> Option<ChainFailure> {
    let mut rng = fastrand::Rng::with_seed(chain.n as u64);
    let mut below: Vec<Vec<u32>> = Vec::new();
    for index in (0..chain.stages().len()).rev() {
        match &chain.stages()[index] {
            ChainStage::Tree(tree) => {
                if tree.n_edges() == 0 {
                    continue;
                }
                let mut set = below;
                if index == 0 {
                    set = generators.iter().map(|g| g.image().to_vec()).collect();
                } else {
                    set.extend((0..tree.n_edges()).map(|e| tree.edge(e)));
                }
                if let Some(failure) = tree_failure(chain, tree, index, &set) {
                    return Some(failure);
                }
                below = set;
            }
            ChainStage::Segment(segment) => {
                if let Some(failure) = segment_failure(chain, segment, index, &below) {
                    return Some(failure);
                }
                below.extend(alternating_generators(chain.n, segment));
            }
        }
        if below.len() > GENERATORS_MAX && index > 0 {
            below = fewer_generators(chain, index, &mut rng).unwrap_or(below);
        }
    }
    None
}

fn tree_failure(
    chain: &LocalChain,
    tree: &SchreierTree,
    index: usize,
    generators: &[Vec<u32>],
) -> Option<ChainFailure> {
    let n = chain.n;
    let level = chain.start(index);
    let mut inverse = vec![0; n];
    let mut transversal = vec![0; n];
    let mut image = vec![0; n];
    for &x in &tree.orbit {
        write_identity(&mut inverse);
        tree.pull_back(x, &mut inverse, ImagePositions::All);
        for (y, &z) in inverse.iter().enumerate() {
            transversal[z as usize] = y as u32;
        }
        for s in generators {
            for (z, &y) in image.iter_mut().zip(&transversal) {
                *z = s[y as usize];
            }
            let y = image[tree.base as usize];
            if !tree.contains(y) {
                return Some(ChainFailure::Element(image));
            }
            tree.pull_back(y, &mut image, ImagePositions::All);
            chain.sift(&mut image, ImagePositions::All, level + 1, chain.n_levels());
            if !is_identity(&image) {
                return Some(ChainFailure::Element(image));
            }
        }
    }
    None
}

/// What shows the segment to be wrong.
fn segment_failure(
    chain: &LocalChain,
    segment: &ChainSegment,
    index: usize,
    below: &[Vec<u32>],
) -> Option<ChainFailure> {
    for h in below {
        let fixes = (0..segment.n_levels()).all(|i| {
            let b = segment.base(i);
            h[b as usize] == b
        });
        assert!(
            fixes,
            "generators of lower levels fix the base points above"
        );
        if !segment.moves_columns(h, ImagePositions::All) {
            return Some(ChainFailure::TornColumns);
        }
    }
    let lo = chain.start(index) + segment.n_levels();
    for i in segment.n_levels()..segment.n_columns() - 2 {
        let mut image = vec![0; chain.n];
        write_identity(&mut image);
        for (x, y) in segment.three_cycle(i) {
            image[x as usize] = y;
        }
        let mut residue = image.clone();
        chain.sift(&mut residue, ImagePositions::All, lo, chain.n_levels());
        if !is_identity(&residue) {
            return Some(ChainFailure::Element(image));
        }
    }
    None
}

/// Two elements that generate the even permutations of the columns.
fn alternating_generators(n: usize, segment: &ChainSegment) -> [Vec<u32>; 2] {
    let m = segment.n_columns();
    let mut three = vec![0; n];
    write_identity(&mut three);
    let mut long = three.clone();
    for (x, y) in segment.three_cycle(0) {
        three[x as usize] = y;
    }
    // A cycle of odd length is even; with an even number of columns the first stays out.
    let first = 1 - m % 2;
    for row in 0..segment.width() {
        let at = |column: usize| segment.cells[row * m + column];
        for c in first..m {
            let next = if c + 1 == m { first } else { c + 1 };
            long[at(c) as usize] = at(next);
        }
    }
    [three, long]
}

/// A few elements that generate the group of the stages from `index` on, whose chain is right.
fn fewer_generators(
    chain: &LocalChain,
    index: usize,
    rng: &mut fastrand::Rng,
) -> Option<Vec<Vec<u32>>> {
    let part = chain.stages_from(index);
    let mut map = vec![0; chain.n];
    let elements: Vec<Vec<u32>> = (0..REPLACEMENTS)
        .map(|_| {
            let mut image: Vec<u32> = (0..chain.n as u32).collect();
            part.randomise(&mut image, ImagePositions::All, &mut map, rng);
            image
        })
        .collect();
    let perms: Vec<Perm> = elements
        .iter()
        .map(|e| Perm::from_bijection(e.clone()))
        .collect();
    let order = part.order();
    let base: Vec<u32> = (0..part.n_levels()).map(|k| part.base_point(k)).collect();
    let rebuilt = build(chain.n, &perms, &base, KnownOrder::Reach(&order));
    (rebuilt.order() == order).then_some(elements)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::bound::OrderBounds;
    use crate::chain::lift;
    use crate::families::factorial;

    fn cycles(n: usize, cycles: &[&[u32]]) -> Perm {
        Perm::from_cycles(n, cycles).unwrap()
    }

    fn one_tree(n: usize, edges: &[Perm]) -> LocalChain {
        let mut tree = SchreierTree::new(n, 0);
        for e in edges {
            tree.add(e.image());
        }
        let mut chain = LocalChain::new(n);
        chain.push(ChainStage::Tree(tree));
        chain
    }

    #[test]
    fn a_generator_outside_the_chain_is_a_failure() {
        let chain = one_tree(3, &[cycles(3, &[&[0, 1, 2]])]);
        let rotation = cycles(3, &[&[0, 1, 2]]);
        assert!(failure(&chain, std::slice::from_ref(&rotation)).is_none());
        let found = failure(&chain, &[rotation, cycles(3, &[&[0, 1]])]);
        assert!(matches!(found, Some(ChainFailure::Element(_))));
    }

    #[test]
    fn a_missing_level_is_found_by_schreier_generators() {
        // Both generators are transversal elements, but their commutator fixes 0.
        let generators = [cycles(3, &[&[0, 1]]), cycles(3, &[&[0, 2]])];
        let chain = one_tree(3, &generators);
        match failure(&chain, &generators) {
            Some(ChainFailure::Element(image)) => assert_eq!(image, [0, 2, 1]),
            _ => panic!("the exchange of 1 and 2 is missing"),
        }
    }

    /// Nine columns of two points, and a tree below that moves the last two.
    fn segment_over(edge: &Perm) -> (LocalChain, Vec<Perm>) {
        let mut chain = LocalChain::new(18);
        chain.push(ChainStage::Segment(ChainSegment::new(
            18,
            9,
            (0..18).collect(),
            vec![0; 7],
        )));
        let mut tree = SchreierTree::new(18, 7);
        tree.add(edge.image());
        chain.push(ChainStage::Tree(tree));
        let generators = generators(&chain);
        (chain, generators)
    }

    #[test]
    fn torn_columns_are_a_failure() {
        let (chain, generators) = segment_over(&cycles(18, &[&[7, 8], &[16, 17]]));
        assert!(failure(&chain, &generators).is_none());
        let (chain, generators) = segment_over(&cycles(18, &[&[7, 8]]));
        let found = failure(&chain, &generators);
        assert!(matches!(found, Some(ChainFailure::TornColumns)));
    }

    #[test]
    fn bounds_are_not_reached_by_a_part_of_the_group() {
        let generators = [
            cycles(12, &[&[0, 1]]),
            cycles(12, &[&(0..12).collect::<Vec<_>>()]),
        ];
        let whole = build(12, &generators, &[], KnownOrder::Unknown);
        assert!(OrderBounds::new(12, &generators).are_reached(&whole));
        let part = build(12, &generators[1..], &[], KnownOrder::Unknown);
        assert!(!OrderBounds::new(12, &generators).are_reached(&part));
        assert!(!OrderBounds::new(12, &generators).are_reached(&whole.below(1)));
    }

    #[test]
    fn lifting_needs_a_faithful_orbit() {
        let together = [
            cycles(6, &[&[0, 1], &[3, 4]]),
            cycles(6, &[&[0, 1, 2], &[3, 4, 5]]),
        ];
        assert!(lift::proves_order(6, &together, &factorial(3)));
        let apart = [
            cycles(6, &[&[0, 1]]),
            cycles(6, &[&[0, 1, 2], &[3, 4, 5]]),
            cycles(6, &[&[3, 4]]),
        ];
        assert!(!lift::proves_order(6, &apart, &factorial(3)));
    }
}
