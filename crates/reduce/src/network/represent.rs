//! The ways to choose who stands for pairs that are alike, and which of them fits.
//!
//! The algorithms of Moffat, Goldsmith and Roscoe (2008) are here by name, beside our own, for
//! pairs `(u, v)`:
//!
//! - `Check`: every pair is its own representative.
//! - `SymCheck1`: `v` is sorted. Leaves have to be exchanged in all ways, and the specification
//!   must not move.
//! - `SymCheck2`: the least image of `v`. Every element is in memory, and the specification must
//!   not move.
//! - `SymCheck3`: the least image of `v`, and `u` along with it.
//! - exact, the default: one for each orbit of pairs, by members ([`super::members`]) or, where
//!   there are too many of these or few elements, by every element.
//!
//! - `Descent`: descent by the generators ([`super::descent`]); several for some orbits.
//!
//! All are sound under the same condition, that one symmetry acts on both sides of a pair. They
//! differ in how many representatives an orbit has: SymCheck3 may keep several where a state of
//! the process is fixed by symmetries that move the specification, descent where it ends in a local
//! minimum; the others keep one.

use super::descent::Descent;
use super::drawing::Drawing;
use super::enumerate::{Elements, Ties};
use super::joint::{Joint, Points};
use super::refusal::{ChoiceReason, NoRepresentatives};
use crate::reducer::Symmetry;

/// Up to so many elements, trying all of them costs less than drawing a pair: at 24 it takes half
/// as long, at 120 half as long again.
const FEW_ELEMENTS: usize = 24;

/// How representatives of pairs are chosen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Algorithm {
    /// Every pair stands for itself.
    Check,
    /// States of leaves are sorted.
    SymCheck1,
    /// The least image over all elements; the specification does not move.
    SymCheck2,
    /// The least image over all elements; the specification moves along.
    SymCheck3,
    /// That of the three which fits, by the rules of their authors.
    Fitting,
    /// Descent by the generators; several for some orbits.
    Descent,
    /// One for each orbit of pairs.
    Exact,
}

impl Algorithm {
    /// All of them.
    pub const ALL: [Algorithm; 7] = [
        Algorithm::Check,
        Algorithm::SymCheck1,
        Algorithm::SymCheck2,
        Algorithm::SymCheck3,
        Algorithm::Fitting,
        Algorithm::Descent,
        Algorithm::Exact,
    ];

    /// The algorithm of this name.
    pub fn named(name: &str) -> Option<Algorithm> {
        let mut all = Algorithm::ALL.into_iter();
        all.find(|algorithm| algorithm.name() == name)
    }

    /// As it is typed and shown.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Check => "none",
            Algorithm::SymCheck1 => "sym-check-1",
            Algorithm::SymCheck2 => "sym-check-2",
            Algorithm::SymCheck3 => "sym-check-3",
            Algorithm::Fitting => "sym-check",
            Algorithm::Descent => "descent",
            Algorithm::Exact => "exact",
        }
    }
}

/// How much may be worked out before a search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Elements of a group that are kept.
    pub elements_max: usize,
    /// What they may take.
    pub bytes_max: usize,
}

/// Representatives of pairs, and the symmetries that carry pairs to them.
#[derive(Debug)]
pub struct Representatives {
    points: Points,
    way: Way,
    algorithm: Algorithm,
    /// The permutation of members that carried the last pair to its representative.
    perm: Vec<u32>,
    moved: Vec<u32>,
    key: Vec<u16>,
    is_identity: bool,
}

#[derive(Debug)]
enum Way {
    Identity,
    Drawn(Box<Drawing>),
    Tried(Elements),
    Descended(Descent),
}

impl Joint {
    /// Representatives by an algorithm, or why it does not fit.
    pub fn representatives(
        &self,
        algorithm: Algorithm,
        limits: Limits,
    ) -> Result<Representatives, NoRepresentatives> {
        let way = match algorithm {
            _ if self.is_trivial() => Way::Identity,
            Algorithm::Check => Way::Identity,
            Algorithm::SymCheck1 => {
                self.need_universal()?;
                let drawing = Drawing::new(self)?;
                if drawing.sorts().is_none() {
                    return Err(drawing.unsorted(self));
                }
                Way::Drawn(Box::new(drawing))
            }
            Algorithm::SymCheck2 => {
                self.need_universal()?;
                Way::Tried(self.elements(Ties::First, limits)?)
            }
            Algorithm::SymCheck3 => Way::Tried(self.elements(Ties::First, limits)?),
            Algorithm::Fitting => return self.representatives(self.published().0, limits),
            Algorithm::Descent => Way::Descended(Descent::new(self)),
            Algorithm::Exact => self.exact(limits)?,
        };
        Ok(self.made(way, algorithm))
    }

    /// The exact way that costs least: columns are sorted where they can be; else the elements of a
    /// small group are tried, and pairs drawn under a large one.
    fn exact(&self, limits: Limits) -> Result<Way, NoRepresentatives> {
        let few = Limits {
            elements_max: limits.elements_max.min(FEW_ELEMENTS),
            ..limits
        };
        match Drawing::new(self) {
            Ok(drawing) => match self.elements(Ties::Least, few) {
                Ok(elements) if drawing.sorts().is_none() => Ok(Way::Tried(elements)),
                _ => Ok(Way::Drawn(Box::new(drawing))),
            },
            Err(reason) => {
                let elements = self.elements(Ties::Least, limits);
                let neither = |other| NoRepresentatives::Neither(Box::new([reason, other]));
                Ok(Way::Tried(elements.map_err(neither)?))
            }
        }
    }

    /// The exact ones, every pair drawn though columns could be sorted.
    pub fn by_drawing(&self) -> Result<Representatives, NoRepresentatives> {
        let drawing = Drawing::new(self)?.without_sorting();
        Ok(self.made(Way::Drawn(Box::new(drawing)), Algorithm::Exact))
    }

    /// The exact ones, by trying every element.
    pub fn by_trying(&self, limits: Limits) -> Result<Representatives, NoRepresentatives> {
        let elements = self.elements(Ties::Least, limits)?;
        Ok(self.made(Way::Tried(elements), Algorithm::Exact))
    }

    /// The algorithm that fits best, with the reason; exact ones are ours, others those of the
    /// paper: sorting where it fits, else the least image, with the specification fixed or moving.
    pub fn choose(&self, limits: Limits) -> (Representatives, ChoiceReason) {
        if self.is_trivial() {
            let made = self.made(Way::Identity, Algorithm::Check);
            return (made, ChoiceReason::NotShared);
        }
        match self.representatives(Algorithm::Exact, limits) {
            Ok(made) => {
                let reason = made.reason();
                (made, reason)
            }
            Err(reason) => {
                let made = self.made(Way::Identity, Algorithm::Check);
                (made, ChoiceReason::Unused(reason))
            }
        }
    }

    /// Which of the published algorithms fits, by the rules of its authors, and why.
    pub fn published(&self) -> (Algorithm, &'static str) {
        if self.is_trivial() {
            return (Algorithm::Check, "there is no symmetry");
        }
        if !self.is_universal() {
            return (Algorithm::SymCheck3, "states of the specification move");
        }
        let sorts = Drawing::new(self).is_ok_and(|drawing| drawing.sorts().is_some());
        if sorts {
            (
                Algorithm::SymCheck1,
                "leaves can be sorted, and no state of the specification moves",
            )
        } else {
            (
                Algorithm::SymCheck2,
                "no state of the specification moves, but leaves cannot be sorted",
            )
        }
    }

    fn need_universal(&self) -> Result<(), NoRepresentatives> {
        match self.moving() {
            None => Ok(()),
            Some(moving) => Err(NoRepresentatives::Moves(moving.clone())),
        }
    }

    fn elements(&self, ties: Ties, limits: Limits) -> Result<Elements, NoRepresentatives> {
        Elements::new(self, ties, limits.elements_max, limits.bytes_max)
    }

    fn made(&self, way: Way, algorithm: Algorithm) -> Representatives {
        Representatives {
            points: self.points.clone(),
            is_identity: matches!(way, Way::Identity),
            way,
            algorithm,
            perm: Vec::new(),
            moved: Vec::new(),
            key: Vec::new(),
        }
    }
}

impl Representatives {
    /// How they are chosen.
    pub fn algorithm(&self) -> Algorithm {
        if self.is_identity {
            Algorithm::Check
        } else {
            self.algorithm
        }
    }

    /// The order of the group, in digits.
    pub fn order(&self) -> String {
        match &self.way {
            Way::Identity => "1".to_owned(),
            Way::Drawn(drawing) => drawing.order().to_string(),
            Way::Tried(elements) => elements.len().to_string(),
            Way::Descended(descent) => descent.order().to_owned(),
        }
    }

    fn reason(&self) -> ChoiceReason {
        match &self.way {
            Way::Identity => ChoiceReason::NothingMoves,
            Way::Tried(elements) => ChoiceReason::Least(elements.len()),
            Way::Descended(descent) => ChoiceReason::Descended(descent.n_steps()),
            Way::Drawn(drawing) => match drawing.sorts() {
                Some(n) => ChoiceReason::Sorted(n),
                None => ChoiceReason::Drawn(drawing.members().len()),
            },
        }
    }

    /// Replaces a pair by its representative: gives the specification's side, changes the other.
    #[inline]
    pub fn represent(&mut self, spec: u32, state: &mut [u32]) -> u32 {
        if self.is_identity {
            return spec;
        }
        let is_over = self.points.is_over(state);
        if is_over {
            state[0] -= 1;
        }
        let spec = match &mut self.way {
            Way::Identity => spec,
            Way::Tried(elements) => elements.represent(&self.points, spec, state),
            Way::Descended(descent) => descent.represent(&self.points, spec, state),
            Way::Drawn(drawing) => {
                drawing.choose(&self.points, spec, state, &mut self.perm);
                self.move_by_perm(spec, state)
            }
        };
        if is_over {
            state[0] += 1;
        }
        spec
    }

    /// Moves a pair by the permutation of members that was chosen.
    fn move_by_perm(&mut self, spec: u32, state: &mut [u32]) -> u32 {
        let Way::Drawn(drawing) = &self.way else {
            return spec;
        };
        if is_identity(&self.perm) {
            return spec;
        }
        let (members, points) = (drawing.members(), &self.points);
        self.moved.clear();
        self.moved.extend_from_slice(state);
        for (leaf, &s) in self.moved.iter().enumerate() {
            let image = members.lift(&self.perm, points.offset(leaf) + s, &mut self.key);
            let to = points.leaf_of(image);
            state[to] = image - points.offset(to);
        }
        let image = members.lift(&self.perm, points.spec(spec), &mut self.key);
        image - points.spec(0)
    }

    /// The symmetry that carries the pair last asked about to its representative, on the points.
    /// It is worked out when it is asked for.
    pub fn symmetry(&self) -> Symmetry {
        match &self.way {
            Way::Identity => Symmetry::default(),
            Way::Tried(elements) => elements.symmetry(),
            Way::Descended(descent) => descent.symmetry(),
            Way::Drawn(_) if is_identity(&self.perm) => Symmetry::default(),
            Way::Drawn(drawing) => {
                let (members, mut key) = (drawing.members(), Vec::new());
                let points = 0..self.points.len() as u32;
                let images = points.map(|point| members.lift(&self.perm, point, &mut key));
                Symmetry::new(&images.collect::<Vec<u32>>())
            }
        }
    }

    /// The points, with the action on pairs and labels.
    pub fn points(&self) -> &Points {
        &self.points
    }

    /// Whether every pair stands for itself.
    pub fn is_identity(&self) -> bool {
        self.is_identity
    }

    /// How many pairs the pair last represented stands for, if that is known.
    ///
    /// # Ensures
    /// Summed over all representatives that a search reaches, if each orbit has one, this is the
    /// number of pairs that a search without reduction reaches.
    pub fn orbit_size(&self) -> Option<u128> {
        match &self.way {
            Way::Identity => Some(1),
            Way::Tried(elements) => elements.orbit_size(),
            Way::Descended(_) => None,
            Way::Drawn(drawing) => drawing.orbit_size(),
        }
    }

    /// What it takes.
    pub fn bytes(&self) -> u64 {
        match &self.way {
            Way::Identity => 0,
            Way::Tried(elements) => elements.bytes(),
            Way::Descended(descent) => descent.bytes(),
            Way::Drawn(drawing) => drawing.members().bytes(),
        }
    }
}

/// Whether a permutation of members moves none.
fn is_identity(perm: &[u32]) -> bool {
    perm.iter().copied().eq(0..perm.len() as u32)
}
