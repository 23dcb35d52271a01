//! The least of all images: along a stabiliser chain, or from a list of all elements.
//!
//! Along a chain `G = G₁ ≥ G₂ ≥ …` every element is the inverse of exactly one `u₁ u₂ …` with one
//! transversal element a level, and what elements begin alike with is multiplied once; only the sum
//! of the transversals is kept. The list is the plain way, for comparison.
//!
//! Worked example: all permutations of `0 1 2`. The transversals have 3 and 2 elements; 5
//! permutations are kept, 6 images are compared. The list keeps 6.
//!
//! Exact, since the order of states is total. Source: Donaldson 2007, §9.2.1, Algorithm 5. Cost: an
//! image a group element; images with greater control data are not written out.

use crate::reading::{Least, StatelessChoice, TrackedState};
use crate::reading::{endless, ticker};
use base::{Clock, Over, Ticker};
use group::{Chain, Group, Perm, Point};
use reduce::action::Reader;

/// Transversals, ready to be multiplied.
#[derive(Clone)]
pub(crate) struct TransversalTree {
    degree: usize,
    levels: Vec<Vec<Vec<Point>>>,
}

/// Gets an element, and says whether to go on.
pub(crate) type ElementVisitor<'a> = dyn FnMut(&[Point]) -> Result<(), Over> + 'a;

impl TransversalTree {
    pub fn new(chain: &Chain) -> TransversalTree {
        let level = |k: usize| {
            let orbit = chain.orbit(k).iter();
            let inverse = |x: &Point| image(&chain.transversal(k, *x).inverse());
            orbit.map(inverse).collect()
        };
        TransversalTree {
            degree: chain.degree(),
            levels: (0..chain.n_levels()).map(level).collect(),
        }
    }

    /// Calls `visit` with every element once, unless it says that time is over.
    pub fn visit(&self, visit: &mut ElementVisitor<'_>) -> Result<(), Over> {
        let mut nodes: Vec<Vec<Point>> = vec![vec![0; self.degree]; self.levels.len() + 1];
        nodes[0] = (0..self.degree as Point).collect();
        self.descend(0, &mut nodes, visit)
    }

    fn descend(
        &self,
        level: usize,
        nodes: &mut [Vec<Point>],
        visit: &mut ElementVisitor<'_>,
    ) -> Result<(), Over> {
        let Some(inverses) = self.levels.get(level) else {
            return visit(&nodes[level]);
        };
        for u in inverses {
            let (done, rest) = nodes.split_at_mut(level + 1);
            for (to, x) in rest[0].iter_mut().zip(&done[level]) {
                *to = u[*x as usize];
            }
            self.descend(level + 1, nodes, visit)?;
        }
        Ok(())
    }

    /// How many permutations are kept.
    #[cfg(test)]
    pub fn n_kept(&self) -> usize {
        self.levels.iter().map(Vec::len).sum()
    }
}

/// Where a permutation sends each point.
pub(crate) fn image(perm: &Perm) -> Vec<Point> {
    let mut image = vec![0; perm.degree()];
    perm.write_image(&mut image);
    image
}

/// `enumerate`.
pub(crate) struct Enumerate {
    tree: TransversalTree,
    from: TrackedState,
    least: Least,
    ticker: Ticker<'static>,
}

impl Enumerate {
    pub fn new(group: &Group) -> Enumerate {
        Enumerate {
            tree: TransversalTree::new(group.chain()),
            from: TrackedState::default(),
            least: Least::new((0..group.degree() as Point).collect()),
            ticker: endless(),
        }
    }
}

impl StatelessChoice for Enumerate {
    fn choose(
        &mut self,
        reading: &mut Reader,
        state: &[u8],
        element: &mut Vec<Point>,
    ) -> Result<(), Over> {
        self.from.start(self.tree.degree, state);
        reading.ranks(state, &mut self.from.ranks);
        self.least.start(&self.from);
        let (from, least, act) = (&self.from, &mut self.least, reading.act());
        let ticker = &mut self.ticker;
        self.tree.visit(&mut |by| {
            least.consider(act, from, by);
            ticker.tick().map(|_| ())
        })?;
        element.clone_from(&self.least.best.element);
        Ok(())
    }

    fn limit_time(&mut self, clock: Clock<'static>) {
        self.ticker = ticker(clock);
    }
}

/// `enumerate-basic`.
pub(crate) struct Basic {
    elements: Vec<Vec<Point>>,
    from: TrackedState,
    least: Least,
    ticker: Ticker<'static>,
}

impl Basic {
    pub fn new(group: &Group) -> Basic {
        let mut elements = Vec::new();
        group.chain().enumerate_images(&mut |image| {
            elements.push(image.to_vec());
            true
        });
        Basic {
            elements,
            from: TrackedState::default(),
            least: Least::new((0..group.degree() as Point).collect()),
            ticker: endless(),
        }
    }
}

impl StatelessChoice for Basic {
    fn choose(
        &mut self,
        reading: &mut Reader,
        state: &[u8],
        element: &mut Vec<Point>,
    ) -> Result<(), Over> {
        let act = reading.act();
        self.from.start(act.degree(), state);
        reading.ranks(state, &mut self.from.ranks);
        self.least.start(&self.from);
        for by in &self.elements {
            self.ticker.tick()?;
            self.least.consider(reading.act(), &self.from, by);
        }
        element.clone_from(&self.least.best.element);
        Ok(())
    }

    fn limit_time(&mut self, clock: Clock<'static>) {
        self.ticker = ticker(clock);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn a_tree_visits_each_element_once_and_keeps_few() {
        let cycle: Vec<Point> = (0..6).collect();
        let generators = [&[0, 1][..], &cycle].map(|c| Perm::from_cycles(6, &[c]).unwrap());
        let group = Group::new(6, generators.to_vec());
        let tree = TransversalTree::new(group.chain());
        let mut seen = HashSet::new();
        let all = tree.visit(&mut |image| {
            assert!(seen.insert(image.to_vec()));
            Ok(())
        });
        assert_eq!(all, Ok(()));
        assert_eq!(seen.len(), 720);
        // Transversals of S_6: 6, 5, 4, 3, 2.
        assert_eq!(tree.n_kept(), 20);
    }
}
