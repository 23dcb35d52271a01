//! Reduction where only some steps break the symmetry: it is broken when one of them is taken.
//!
//! Let `E` be a few steps of a model, and for `A ⊆ E` let `K_A` be a group of symmetries of the
//! model in which the steps of `E` outside `A` are left out, such that `K_B ⊆ K_A` for `A ⊆ B`. An
//! *annotated state* `(s, A)` stands for all states of `K_A·s`. The start is `(s₀, ∅)`.
//!
//! - A step outside `E`, or in `A`, leads from `(s, A)` to `(t, A)`.
//! - A step `e` of `E` outside `A` may tell the states of `K_A·s` apart. They are looked at one for
//!   each coset of `K_E` in `K_A`: if it leads from `g·s` to `t`, then `(t, A ∪ {e})` follows.
//! - `(t, A)` is dropped if `t` is in `K_B·u` for a known `(u, B)` with `B ⊂ A`: subsumption.
//!
//! All states of `K_A·s` are reached, by runs that take no step of `E` outside `A`, and no others
//! are: both by induction, since `K_A` are symmetries of the model of which these are the runs. So
//! what is found is real and nothing is missed; a state rests if one of the `g·s` does.
//!
//! Worked example, two readers and a writer, each idle `N`, trying `T` or in `C`: anybody enters if
//! all others are outside, and a reader also if the writer is outside. The last is the one step of
//! `E`; without it all three are interchangeable. From `NTC`, six states, it is possible in `TCN`
//! and `CTN` only, and leads both to `CCN`, annotated: it stands for itself, not for `NCC`.
//!
//! **Runs.** A run to `s` along a path is kept as a list of states. For a move from `g·s` to `t`
//! with the representative `h·t`, the list is moved by `g`, `t` is added, and all is moved by `h`:
//! symmetries of the model without the steps that the run does not take carry runs to runs.
//!
//! Source: Wahl, "Adaptive symmetry reduction" (CAV 2007); there an annotation is a partition of
//! the processes, here any group. Cost: an expansion takes `|K_A| / |K_E|` times as long.

mod annotated;

pub use annotated::Annotated;

use crate::canonical::Canonical;
use crate::certified::Certified;
use crate::reducer::{Guarantee, Identity, Reducer, Symmetry};
use crate::watched::Watched;
use group::Group;
use std::collections::HashSet;

/// How many cosets an expansion may look at.
pub const N_COSETS_MAX: usize = 50_000;
/// How many steps may be left out: there is a group for each set of them.
pub const N_STEPS_MAX: usize = 4;
/// What is kept beside a state in a set.
const ENTRY_BYTES: u64 = 48;

/// Which steps have been taken, of those that break the symmetry: a bit each.
pub type Annotation = u8;

/// The groups `K_A`.
pub struct Partial {
    /// By annotation.
    certified: Vec<Certified>,
    /// By annotation: an element of each coset of the least group, the identity first.
    cosets: Vec<Vec<Symmetry>>,
}

/// Too many cosets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TooMany;

impl Partial {
    /// The groups, by annotation: all of them subgroups of the first, which was certified.
    ///
    /// # Requires
    /// They are symmetries of the models that the head of this file says, and shrink.
    pub(crate) fn new(first: &Certified, groups: Vec<Group>) -> Result<Partial, TooMany> {
        let least = groups.last().expect("a group for each annotation").clone();
        let cosets = groups.iter().map(|group| {
            let all = group.right_cosets_of(&least, N_COSETS_MAX).ok_or(TooMany)?;
            let mut all: Vec<Symmetry> = all.iter().map(|g| Symmetry::new(g.image())).collect();
            // The state itself comes first, in place of another of its coset.
            if let Some(own) = all.iter().position(|g| {
                let mut image = g.image().to_vec();
                g.is_identity() || least.chain().contains_image(&mut image)
            }) {
                all[own] = Symmetry::default();
                all.swap(0, own);
            }
            Ok(all)
        });
        Ok(Partial {
            cosets: cosets.collect::<Result<_, TooMany>>()?,
            certified: groups
                .into_iter()
                .map(|group| first.within(group))
                .collect(),
        })
    }

    /// How many steps break the symmetry.
    pub fn n_steps(&self) -> usize {
        self.certified.len().trailing_zeros() as usize
    }

    /// The group of an annotation.
    pub fn group(&self, annotation: Annotation) -> &Group {
        self.certified[usize::from(annotation)].group()
    }

    /// The group of the model as it is.
    pub fn least(&self) -> &Group {
        self.group(self.last())
    }

    /// All steps were taken.
    fn last(&self) -> Annotation {
        (self.certified.len() - 1) as Annotation
    }

    /// Chooses representatives of annotated states.
    pub fn reducer(&self) -> Annotating {
        Annotating {
            canonical: self.all_canonical(),
            seen: HashSet::new(),
            state: Vec::new(),
            bytes: 0,
        }
    }

    fn all_canonical(&self) -> Vec<Box<dyn Reducer>> {
        self.certified.iter().map(canonical).collect()
    }

    /// By annotation: how many of these states are represented by no other of them.
    pub fn kept(&self, states: &HashSet<Vec<u8>>) -> Vec<u64> {
        let mut canonical = self.all_canonical();
        let mut counts = vec![0; self.certified.len()];
        let mut coarser = Vec::new();
        for state in states {
            let (base, annotation) = split(state);
            let is_subsumed = subsets(annotation).any(|other| {
                coarser.clear();
                coarser.extend_from_slice(base);
                canonical[usize::from(other)].reduce(&mut coarser);
                coarser.push(other);
                states.contains(&coarser)
            });
            counts[usize::from(annotation)] += u64::from(!is_subsumed);
        }
        counts
    }

    /// The states that an annotated state stands for.
    pub fn members(&self, state: &[u8]) -> HashSet<Vec<u8>> {
        let (base, annotation) = split(state);
        let certified = &self.certified[usize::from(annotation)];
        let act = certified.reads().act();
        let mut members = HashSet::from([base.to_vec()]);
        if !act.is_settled(base) {
            return members;
        }
        let mut waiting = vec![base.to_vec()];
        while let Some(member) = waiting.pop() {
            for generator in certified.group().generators() {
                let mut image = Vec::new();
                act.apply(generator.image(), &member, &mut image);
                if members.insert(image.clone()) {
                    waiting.push(image);
                }
            }
        }
        members
    }
}

/// The canonical form under a group, watched in development builds.
fn canonical(certified: &Certified) -> Box<dyn Reducer> {
    if certified.group().is_trivial() {
        return Box::new(Identity);
    }
    let canonical = Canonical::new(certified);
    if cfg!(debug_assertions) {
        Box::new(Watched::new(Box::new(canonical), certified))
    } else {
        Box::new(canonical)
    }
}

/// A state of the model, and its annotation, which comes last.
fn split(state: &[u8]) -> (&[u8], Annotation) {
    let (annotation, base) = state.split_last().expect("an annotation");
    (base, *annotation)
}

/// The proper subsets of an annotation, from the empty one.
fn subsets(annotation: Annotation) -> impl Iterator<Item = Annotation> {
    (0..annotation).filter(move |other| other & !annotation == 0)
}

/// Chooses representatives of annotated states: a known one that subsumes the state, or its
/// canonical form under the group of its annotation. What it chooses depends on what it has seen.
pub struct Annotating {
    /// By annotation.
    canonical: Vec<Box<dyn Reducer>>,
    /// What it has chosen.
    seen: HashSet<Vec<u8>>,
    state: Vec<u8>,
    bytes: u64,
}

impl Reducer for Annotating {
    fn reduce(&mut self, state: &mut [u8]) {
        let (base, annotation) = split(state);
        for other in subsets(annotation).chain([annotation]) {
            self.state.clear();
            self.state.extend_from_slice(base);
            self.canonical[usize::from(other)].reduce(&mut self.state);
            self.state.push(other);
            if other == annotation || self.seen.contains(&self.state) {
                break;
            }
        }
        state.copy_from_slice(&self.state);
        if !self.seen.contains(&self.state) {
            self.bytes += self.state.len() as u64 + ENTRY_BYTES;
            self.seen.insert(self.state.clone());
        }
    }

    /// Runs are made by [`Annotated::run`], which knows the groups.
    fn symmetry(&mut self) -> Option<Symmetry> {
        None
    }

    fn apply(&self, _: &Symmetry, state: &[u8], out: &mut Vec<u8>) {
        out.clear();
        out.extend_from_slice(state);
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Approximate
    }

    fn bytes(&self) -> u64 {
        self.bytes + self.canonical.iter().map(|c| c.bytes()).sum::<u64>()
    }
}
