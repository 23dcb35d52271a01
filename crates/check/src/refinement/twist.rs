//! Who stands for pairs of states that are alike.
//!
//! A search replaces each pair of a specification state and a process state by a representative,
//! and goes on from there. Its path is *twisted*: between the state that a step leads to and the
//! state from which the next step is taken lies a permutation. For a counterexample it has to be
//! straightened.
//!
//! Worked example. Two users 1 and 2 of a lock are alike, and representatives have user 1 ahead.
//! From the start `enter.2` leads to a pair whose representative, by σ = (1 2), is the one where
//! user 1 is in; there the bad event is `enter.2`. What happened is `enter.2`, then σ⁻¹(`enter.2`)
//! = `enter.1`: the second event goes back through the permutation of the step before it.
//!
//! In general `s0 -e1-> t1`, `s1 = σ1·t1`, `s1 -e2-> t2`, `s2 = σ2·t2`, … is the run
//! `s0 -e1-> σ1⁻¹·s1 -σ1⁻¹(e2)-> σ1⁻¹σ2⁻¹·s2 …`: event `e(i+1)` goes back through σi, then σ(i-1),
//! …, then σ1: through the product `h` of the inverses, by which replays of all runs are carried
//! along (`witness`): it starts as σ0⁻¹ and becomes `h∘σ⁻¹` at each step. So the run starts at the
//! real start, whatever the start's representative is, and symmetries are needed of pairs on the
//! path alone. They are not stored: the step from a pair to
//! its child, and the symmetry, are found once more when a path is wanted.
//!
//! Moffat, Goldsmith and Roscoe (2008) permute what came before by what comes after instead, which
//! gives the image of this run under the product of all permutations: a run too, if the start is
//! fixed by all of them. In their pseudo-code the parent of a pair is looked up by process state
//! only, and a specification state is looked up for τ too; here pairs have pairs as parents, and τ
//! leaves the specification where it is.

use crate::refinement::audit::Expanded;
use crate::refinement::pairs::Shared;
use crate::refinement::tuples::Layout;
use crate::{Guarantee, Reducer, Symmetry};
use model::network::Label;
use reduce::network::{Points, Representatives};
use std::sync::PoisonError;

/// Chooses representatives of pairs by symmetries that both processes share.
///
/// The same symmetry acts on both sides of a pair, and on events. It is a permutation of points,
/// as that of a [`Reducer`] is; what it does to a pair and to a label is asked of whoever gave it.
pub trait PairReducer: Send {
    /// Replaces a pair by its representative: gives the specification's side, changes the other.
    /// The same pair always gets the same.
    fn represent(&mut self, spec: u32, state: &mut [u32]) -> u32;

    /// The symmetry that carries the pair last asked about to its representative.
    fn symmetry(&mut self) -> Symmetry;

    /// Makes `state` its image, and gives the image of the specification's side.
    ///
    /// # Requires
    /// `symmetry` is made of symmetries that this reducer gave.
    fn move_pair(&self, symmetry: &Symmetry, spec: u32, state: &mut [u32]) -> u32;

    /// The image of a label.
    fn move_label(&self, symmetry: &Symmetry, label: Label) -> Label;

    /// Which component has its part in the image of a pair in which a component is in a state.
    fn move_component(&self, _: &Symmetry, component: u32, _state: u32) -> u32 {
        component
    }

    /// Whether it wants to be told of every pair that is expanded.
    fn audits(&self) -> bool {
        false
    }

    /// Is told of a pair that is expanded, with its transitions.
    fn expanded(&mut self, _: &Expanded<'_>) {}

    /// Whether every pair stands for itself.
    fn is_identity(&self) -> bool;

    /// How many pairs the pair last replaced stands for, if that is known, and if no two
    /// representatives stand for the same.
    fn orbit_size(&self) -> Option<u128> {
        None
    }

    /// What it takes.
    fn bytes(&self) -> u64;
}

/// Every pair stands for itself.
pub struct Untwisted;

impl PairReducer for Untwisted {
    #[inline]
    fn represent(&mut self, spec: u32, _: &mut [u32]) -> u32 {
        spec
    }

    fn symmetry(&mut self) -> Symmetry {
        Symmetry::default()
    }

    fn move_pair(&self, _: &Symmetry, spec: u32, _: &mut [u32]) -> u32 {
        spec
    }

    fn move_label(&self, _: &Symmetry, label: Label) -> Label {
        label
    }

    fn is_identity(&self) -> bool {
        true
    }

    fn orbit_size(&self) -> Option<u128> {
        Some(1)
    }

    fn bytes(&self) -> u64 {
        0
    }
}

impl PairReducer for Representatives {
    #[inline]
    fn represent(&mut self, spec: u32, state: &mut [u32]) -> u32 {
        Representatives::represent(self, spec, state)
    }

    fn symmetry(&mut self) -> Symmetry {
        Representatives::symmetry(self)
    }

    fn move_pair(&self, symmetry: &Symmetry, spec: u32, state: &mut [u32]) -> u32 {
        Points::move_pair(self.points(), symmetry, spec, state)
    }

    fn move_label(&self, symmetry: &Symmetry, label: Label) -> Label {
        Points::move_label(self.points(), symmetry, label)
    }

    fn move_component(&self, symmetry: &Symmetry, component: u32, state: u32) -> u32 {
        Points::move_leaf(self.points(), symmetry, component, state)
    }

    fn is_identity(&self) -> bool {
        Representatives::is_identity(self)
    }

    fn orbit_size(&self) -> Option<u128> {
        Representatives::orbit_size(self)
    }

    fn bytes(&self) -> u64 {
        Representatives::bytes(self)
    }
}

/// A reducer of pairs as a reducer of packed pairs.
///
/// It gives no symmetries: what carries a path of representatives back has to move events, too, and
/// is asked of the reducer of pairs.
pub struct Packed<'a> {
    layout: &'a Layout,
    inner: Inner<'a>,
    tuple: Vec<u32>,
    /// How many pairs the last one stands for.
    size: Option<u128>,
}

enum Inner<'a> {
    Identity,
    Owned(&'a mut dyn PairReducer),
    Shared(&'a Shared<'a>),
}

impl<'a> Packed<'a> {
    /// One that nobody else asks.
    pub fn owned(layout: &'a Layout, reducer: &'a mut dyn PairReducer) -> Packed<'a> {
        let inner = if reducer.is_identity() {
            Inner::Identity
        } else {
            Inner::Owned(reducer)
        };
        Packed::new(layout, inner)
    }

    /// One that the system asks, too.
    pub fn shared(layout: &'a Layout, reducer: &'a Shared<'a>) -> Packed<'a> {
        Packed::new(layout, Inner::Shared(reducer))
    }

    fn new(layout: &'a Layout, inner: Inner<'a>) -> Packed<'a> {
        Packed {
            layout,
            inner,
            tuple: vec![0; layout.len()],
            size: Some(1),
        }
    }
}

impl Reducer for Packed<'_> {
    #[inline]
    fn reduce(&mut self, state: &mut [u8]) {
        let mut guard;
        let reducer = match &mut self.inner {
            Inner::Identity => return,
            Inner::Owned(reducer) => &mut **reducer,
            Inner::Shared(shared) => {
                guard = shared.lock().unwrap_or_else(PoisonError::into_inner);
                &mut **guard
            }
        };
        self.layout.unpack(state, &mut self.tuple);
        let spec = reducer.represent(self.tuple[0], &mut self.tuple[1..]);
        self.size = reducer.orbit_size();
        self.layout.pack(spec, &self.tuple[1..], state);
    }

    fn symmetry(&mut self) -> Option<Symmetry> {
        None
    }

    fn apply(&self, _: &Symmetry, state: &[u8], out: &mut Vec<u8>) {
        out.clear();
        out.extend_from_slice(state);
    }

    fn is_identity(&self) -> bool {
        matches!(self.inner, Inner::Identity)
    }

    /// Not what is certain about orbits, but that no two orbits have one representative.
    fn guarantee(&self) -> Guarantee {
        Guarantee::Approximate
    }

    fn last_orbit_size(&self) -> Option<u128> {
        self.size
    }

    fn bytes(&self) -> u64 {
        match &self.inner {
            Inner::Identity => 0,
            Inner::Owned(reducer) => reducer.bytes(),
            Inner::Shared(shared) => {
                let reducer = shared.lock().unwrap_or_else(PoisonError::into_inner);
                reducer.bytes()
            }
        }
    }
}
