//! The least of all images: along a stabiliser chain, or from a list of all elements.
//!
//! Along a chain `G = G₁ ≥ G₂ ≥ …` every element is the inverse of exactly one `u₁ u₂ …` with one
//! transversal element a level, and what elements begin alike with is multiplied once; only the sum
//! of the transversals is kept. The list is the plain way, for comparison.
//!
//! Worked example: all permutations of `0 1 2`. The transversals have 3 and 2 elements; 5
//! permutations are kept, 6 images are compared. The list keeps 6.
//!
//! Both are there a second time with each element applied as a row of transpositions of points, as
//! TopSPIN does it: `(0 1 2)` as `(1 2)`, then `(0 1)`. A transposition alone need be no symmetry,
//! so each row is compared with the element applied at once, which counts where they differ.
//!
//! The control data of listed images are compared sixteen at a time ([`crate::abreast`]).
//!
//! Exact, since the order of states is total. Source: Donaldson 2007, §9.2.1, Algorithm 5. Cost: an
//! image a group element; images with greater control data are not written out.

use crate::abreast::Abreast;
use crate::reading::{Least, StatelessChoice, TrackedState};
use crate::reading::{endless, ticker};
use base::{Clock, Over, Ticker};
use group::{Chain, Group, Perm, Point};
use reduce::action::{Action, Reader};
use reduce::reducer::Work;

/// Transversals, ready to be multiplied.
#[derive(Clone)]
pub(crate) struct TransversalTree {
    degree: usize,
    /// The base point of each level.
    base: Vec<Point>,
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
            base: chain.base(),
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

    /// Calls `visit` with elements of which each other one is one, after some of `fixing`: of two
    /// points that one of these exchanges, and that lets stay what was chosen before, one is led to
    /// the next base point.
    pub fn visit_up_to(
        &self,
        fixing: &[&[Point]],
        visit: &mut ElementVisitor<'_>,
    ) -> Result<(), Over> {
        let one = (0..self.degree as Point).collect();
        self.descend_up_to(0, (one, &mut Vec::new()), fixing, visit)
    }

    /// Below an element that brought the points of `chosen` to the base points so far.
    fn descend_up_to(
        &self,
        level: usize,
        (node, chosen): (Vec<Point>, &mut Vec<Point>),
        fixing: &[&[Point]],
        visit: &mut ElementVisitor<'_>,
    ) -> Result<(), Over> {
        let Some(inverses) = self.levels.get(level) else {
            return visit(&node);
        };
        let base = self.base[level];
        let mut tried: Vec<Point> = Vec::new();
        for u in inverses {
            let comes = node.iter().position(|x| u[*x as usize] == base);
            let comes = comes.map_or(0, |x| x as Point);
            let is_alike = |swap: &&[Point]| {
                let stay = chosen.iter().all(|x| swap[*x as usize] == *x);
                stay && tried.contains(&swap[comes as usize])
            };
            if fixing.iter().any(is_alike) {
                continue;
            }
            tried.push(comes);
            let next = node.iter().map(|x| u[*x as usize]).collect();
            chosen.push(comes);
            self.descend_up_to(level + 1, (next, chosen), fixing, visit)?;
            chosen.pop();
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

/// How an element is applied to a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Apply {
    /// All points move together.
    AtOnce,
    /// As a row of transpositions, one after another.
    ByTranspositions,
}

/// An action that applies transpositions of points, one after another.
pub(crate) struct Transposing<'a> {
    act: &'a dyn Action,
}

impl Transposing<'_> {
    /// What a row of transpositions makes of `state`.
    fn row(&self, image: &[Point], state: &[u8], out: &mut Vec<u8>) {
        let mut at: Vec<Point> = (0..image.len() as Point).collect();
        let (mut seen, mut spare) = (vec![false; image.len()], Vec::new());
        out.clear();
        out.extend_from_slice(state);
        for first in 0..image.len() {
            let mut x = first;
            // (a b c …) is (a b) after (b c) after …: what is at the end goes first.
            let mut cycle = Vec::new();
            while !seen[x] {
                seen[x] = true;
                cycle.push(x);
                x = image[x] as usize;
            }
            for pair in cycle.windows(2).rev() {
                at.swap(pair[0], pair[1]);
                self.act.apply(&at, out, &mut spare);
                at.swap(pair[0], pair[1]);
                std::mem::swap(out, &mut spare);
            }
        }
    }
}

impl Action for Transposing<'_> {
    fn degree(&self) -> usize {
        self.act.degree()
    }

    fn is_settled(&self, state: &[u8]) -> bool {
        self.act.is_settled(state)
    }

    /// Where a transposition alone is no symmetry, what is between need not be a state, and the
    /// row may make something else of it: then the element is applied at once.
    fn apply(&self, image: &[Point], state: &[u8], out: &mut Vec<u8>) {
        let mut at_once = Vec::new();
        self.act.apply(image, state, &mut at_once);
        self.row(image, state, out);
        if *out != at_once {
            out.clone_from(&at_once);
        }
    }
}

/// What all images of a state are compared with.
pub(crate) struct Images {
    apply: Apply,
    from: TrackedState,
    pub least: Least,
    pub ticker: Ticker<'static>,
}

impl Images {
    pub fn new(degree: usize, apply: Apply) -> Images {
        Images {
            apply,
            from: TrackedState::default(),
            least: Least::new((0..degree as Point).collect()),
            ticker: endless(),
        }
    }

    pub fn start(&mut self, reading: &mut Reader, state: &[u8]) {
        self.from.start(reading.act().degree(), state);
        reading.ranks(state, &mut self.from.ranks);
        self.least.start(&self.from);
    }

    pub fn consider(&mut self, act: &dyn Action, by: &[Point]) -> Result<(), Over> {
        match self.apply {
            Apply::AtOnce => self.least.consider(act, &self.from, by),
            Apply::ByTranspositions => {
                let act = Transposing { act };
                self.least.consider(&act, &self.from, by)
            }
        };
        self.ticker.tick().map(|_| ())
    }
}

/// `enumerate` and `enumerate-transpositions`.
pub(crate) struct Enumerate {
    tree: TransversalTree,
    images: Images,
}

impl Enumerate {
    pub fn new(group: &Group, apply: Apply) -> Enumerate {
        Enumerate {
            tree: TransversalTree::new(group.chain()),
            images: Images::new(group.degree(), apply),
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
        self.images.start(reading, state);
        let (images, act) = (&mut self.images, reading.act());
        self.tree.visit(&mut |by| images.consider(act, by))?;
        element.clone_from(&self.images.least.best.element);
        Ok(())
    }

    fn limit_time(&mut self, clock: Clock<'static>) {
        self.images.ticker = ticker(clock);
    }

    fn work(&self) -> Work {
        Work::of_perms(self.images.least.n_tried)
    }
}

/// `enumerate-basic` and `enumerate-basic-transpositions`.
pub(crate) struct Basic {
    elements: Vec<Vec<Point>>,
    /// The same abreast, where points fit into bytes and elements are applied at once.
    abreast: Option<Abreast>,
    images: Images,
}

impl Basic {
    pub fn new(group: &Group, apply: Apply) -> Basic {
        let mut elements = Vec::new();
        group.chain().enumerate_images(&mut |image| {
            elements.push(image.to_vec());
            true
        });
        let at_once = apply == Apply::AtOnce;
        let abreast = at_once.then(|| Abreast::new(group.degree(), &elements));
        Basic {
            abreast: abreast.flatten(),
            elements,
            images: Images::new(group.degree(), apply),
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
        self.images.start(reading, state);
        let images = &mut self.images;
        let mut rest = 0;
        if let Some(abreast) = &mut self.abreast {
            abreast.start(&images.from.ranks);
            for block in 0..abreast.n_blocks() {
                let found = abreast.not_greater(block, &images.least.best.ranks);
                let block = Abreast::elements(block);
                rest = block.end;
                for (by, is_left) in self.elements[block].iter().zip(found) {
                    if is_left {
                        images.consider(reading.act(), by)?;
                    } else {
                        images.least.n_tried += 1;
                    }
                }
            }
        }
        for by in &self.elements[rest..] {
            images.consider(reading.act(), by)?;
        }
        element.clone_from(&self.images.least.best.element);
        Ok(())
    }

    fn limit_time(&mut self, clock: Clock<'static>) {
        self.images.ticker = ticker(clock);
    }

    fn work(&self) -> Work {
        Work::of_perms(self.images.least.n_tried)
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

    /// Values at places move with the places.
    struct Places(usize);

    impl Action for Places {
        fn degree(&self) -> usize {
            self.0
        }

        fn is_settled(&self, _: &[u8]) -> bool {
            true
        }

        fn apply(&self, image: &[Point], state: &[u8], out: &mut Vec<u8>) {
            out.clear();
            out.resize(state.len(), 0);
            for (x, value) in state.iter().enumerate() {
                out[image[x] as usize] = *value;
            }
        }
    }

    /// The same, but the first two places are exchanged together or not at all.
    struct Tied(Places);

    impl Action for Tied {
        fn degree(&self) -> usize {
            self.0.degree()
        }

        fn is_settled(&self, _: &[u8]) -> bool {
            true
        }

        fn apply(&self, image: &[Point], state: &[u8], out: &mut Vec<u8>) {
            if image[2] == 2 {
                out.clear();
                out.extend_from_slice(state);
                return;
            }
            self.0.apply(image, state, out);
        }
    }

    #[test]
    fn a_row_of_transpositions_is_the_element() {
        let act = Places(7);
        let mut rng = fastrand::Rng::with_seed(7);
        let state: Vec<u8> = (0..7).collect();
        for _ in 0..200 {
            let mut image: Vec<Point> = (0..7).collect();
            rng.shuffle(&mut image);
            let (mut at_once, mut row) = (Vec::new(), Vec::new());
            act.apply(&image, &state, &mut at_once);
            Transposing { act: &act }.row(&image, &state, &mut row);
            assert_eq!(row, at_once, "{image:?}");
        }
    }

    #[test]
    fn where_a_row_makes_something_else_the_element_counts() {
        let act = Tied(Places(4));
        let (image, state) = ([1, 0, 3, 2], [5, 6, 7, 8]);
        let (mut row, mut made) = (Vec::new(), Vec::new());
        let by = Transposing { act: &act };
        by.row(&image, &state, &mut row);
        by.apply(&image, &state, &mut made);
        assert_eq!((row, made), (vec![5, 6, 8, 7], vec![6, 5, 8, 7]));
    }
}
