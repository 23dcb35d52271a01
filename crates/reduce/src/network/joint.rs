//! Symmetries that a network and a specification share, as permutations of points.
//!
//! A *point* is a state of a leaf, a state of the specification, an event or a leaf. A state of the
//! network is a point of each leaf; a pair has one of the specification besides. Each symmetry
//! permutes the points, so that orbits, stabilisers and products are those of permutations, and
//! what a symmetry does to a pair is looked up point by point.
//!
//! Worked example. Two users with states 0, 1 (and 2, ended), mutual exclusion with states 0, 1, 2,
//! events `enter.1 enter.2`: points 0 to 5 are states of users, 6 to 8 of the specification, 9 and
//! 10 events, 11 and 12 leaves. The exchange of users is
//! `(0 3)(1 4)(2 5)(7 8)(9 10)(11 12)`.

use super::certify::{Refused, Symmetry};
use super::refusal::MovedState;
use crate::reducer;
use model::network::Label;
use std::sync::Arc;

/// Which points there are.
#[derive(Clone, Debug)]
pub struct Points {
    /// By leaf: its first state; then the end.
    offsets: Vec<u32>,
    /// By state of a leaf: the leaf.
    leaf_of: Vec<u32>,
    n_spec: u32,
    n_events: u32,
    /// The first leaf's number in the state after the end.
    over: u32,
}

impl Points {
    fn new(sizes: &[u32], n_spec: usize, n_events: usize) -> Points {
        let mut offsets = vec![0];
        let mut leaf_of = Vec::new();
        for (leaf, &size) in sizes.iter().enumerate() {
            // Where it has ended is one more.
            leaf_of.extend(std::iter::repeat_n(leaf as u32, size as usize + 1));
            offsets.push(leaf_of.len() as u32);
        }
        Points {
            offsets,
            leaf_of,
            n_spec: n_spec as u32,
            n_events: n_events as u32,
            over: sizes.first().map_or(u32::MAX, |size| size + 1),
        }
    }

    /// How many leaves there are.
    pub fn n_leaves(&self) -> usize {
        self.offsets.len() - 1
    }

    /// How many states leaves have together.
    pub fn n_leaf_states(&self) -> u32 {
        self.leaf_of.len() as u32
    }

    /// How many points there are.
    pub(super) fn len(&self) -> usize {
        self.leaf(self.n_leaves()) as usize
    }

    /// The point of the first state of a leaf.
    #[inline]
    pub fn offset(&self, leaf: usize) -> u32 {
        self.offsets[leaf]
    }

    /// A state of the specification.
    #[inline]
    pub fn spec(&self, state: u32) -> u32 {
        self.n_leaf_states() + state
    }

    /// An event.
    #[inline]
    pub fn event(&self, event: u32) -> u32 {
        self.n_leaf_states() + self.n_spec + event
    }

    /// A leaf.
    #[inline]
    pub fn leaf(&self, leaf: usize) -> u32 {
        self.n_leaf_states() + self.n_spec + self.n_events + leaf as u32
    }

    /// The leaf that a point is a state of.
    #[inline]
    pub fn leaf_of(&self, point: u32) -> usize {
        self.leaf_of[point as usize] as usize
    }

    /// How many events there are.
    pub fn n_events(&self) -> u32 {
        self.n_events
    }

    /// How many states the specification has.
    pub fn n_spec(&self) -> u32 {
        self.n_spec
    }

    /// Whether a state is the one after the end.
    pub fn is_over(&self, state: &[u32]) -> bool {
        state[0] == self.over
    }

    /// Makes `state` its image under a symmetry of points, and gives the image of the
    /// specification's: the action on pairs. After the end all leaves have ended: as where they
    /// have, but for a mark on the first.
    pub fn move_pair(&self, symmetry: &reducer::Symmetry, spec: u32, state: &mut [u32]) -> u32 {
        let images = symmetry.image();
        if images.is_empty() {
            return spec;
        }
        let is_over = state[0] == self.over;
        if is_over {
            state[0] -= 1;
        }
        let before = state.to_vec();
        for (leaf, &s) in before.iter().enumerate() {
            let image = images[(self.offset(leaf) + s) as usize];
            let to = self.leaf_of(image);
            state[to] = image - self.offset(to);
        }
        if is_over {
            state[0] += 1;
        }
        images[self.spec(spec) as usize] - self.spec(0)
    }

    /// The image of a label under a symmetry of points: the action on labels.
    pub fn move_label(&self, symmetry: &reducer::Symmetry, label: Label) -> Label {
        match label.as_event() {
            Some(event) if event < self.n_events && !symmetry.is_identity() => {
                let image = symmetry.image()[self.event(event) as usize];
                Label::event(image - self.event(0))
            }
            _ => label,
        }
    }

    /// The leaf to which a symmetry of points takes a leaf in a state. After the end all leaves
    /// have ended.
    pub fn move_leaf(&self, symmetry: &reducer::Symmetry, leaf: u32, state: u32) -> u32 {
        let is_over = leaf == 0 && state == self.over;
        let state = state - u32::from(is_over);
        match symmetry
            .image()
            .get((self.offset(leaf as usize) + state) as usize)
        {
            Some(image) => self.leaf_of(*image) as u32,
            None => leaf,
        }
    }
}

/// Symmetries that were certified on both sides of pairs.
#[derive(Clone, Debug)]
pub struct Joint {
    pub(super) points: Points,
    pub(super) generators: Vec<reducer::Symmetry>,
    /// Which events the network may show.
    pub(super) visible: Vec<bool>,
    names: Vec<String>,
    refused: Vec<Refused>,
    /// A state of the specification that a symmetry moves, if one does.
    moving: Option<MovedState>,
    /// By leaf: what it is called.
    leaf_names: Vec<Arc<str>>,
}

/// The side of the network that a joint is made of.
pub(super) struct Side<'a> {
    /// By leaf: how many states it has.
    pub sizes: &'a [u32],
    /// By leaf: what it is called.
    pub leaf_names: &'a [Arc<str>],
    /// Which events the network may show.
    pub visible: &'a [bool],
}

/// A symmetry of the network, and what it does to the specification.
pub(super) struct Shared<'a> {
    /// Of the network.
    pub symmetry: &'a Symmetry,
    /// By state of the specification: where it goes.
    pub spec: Vec<u32>,
    /// The first state of the specification that it moves, if it moves one.
    pub moving: Option<MovedState>,
}

impl Joint {
    pub(super) fn new(
        side: &Side<'_>,
        n_spec: usize,
        shared: Vec<Shared<'_>>,
        refused: Vec<Refused>,
    ) -> Joint {
        let points = Points::new(side.sizes, n_spec, side.visible.len());
        let mut joint = Joint {
            generators: Vec::new(),
            visible: side.visible.to_vec(),
            names: Vec::new(),
            refused,
            moving: None,
            leaf_names: side.leaf_names.to_vec(),
            points,
        };
        for Shared {
            symmetry,
            spec,
            moving,
        } in shared
        {
            let perm = joint.perm(symmetry, &spec);
            let identity = 0..joint.points.event(0);
            // What moves no state of either side cannot reduce anything.
            if perm[..joint.points.event(0) as usize]
                .iter()
                .copied()
                .eq(identity)
            {
                continue;
            }
            joint.moving = joint.moving.or(moving);
            joint.generators.push(reducer::Symmetry::new(&perm));
            joint.names.push(symmetry.name().to_owned());
        }
        joint
    }

    fn perm(&self, symmetry: &Symmetry, spec: &[u32]) -> Vec<u32> {
        let points = &self.points;
        let mut perm = Vec::with_capacity(points.len());
        for (leaf, &to) in symmetry.leaves().iter().enumerate() {
            let offset = points.offset(to as usize);
            perm.extend(symmetry.states(leaf).iter().map(|state| offset + state));
        }
        perm.extend(spec.iter().map(|&state| points.spec(state)));
        perm.extend(symmetry.events().iter().map(|&event| points.event(event)));
        let leaves = symmetry.leaves().iter();
        perm.extend(leaves.map(|&leaf| points.leaf(leaf as usize)));
        perm
    }

    /// Whether nothing moves.
    pub fn is_trivial(&self) -> bool {
        self.generators.is_empty()
    }

    /// Whether no state of the specification moves.
    pub fn is_universal(&self) -> bool {
        self.moving.is_none()
    }

    /// A state of the specification that a symmetry moves, if one does.
    pub(super) fn moving(&self) -> Option<&MovedState> {
        self.moving.as_ref()
    }

    /// What a leaf is called.
    pub(super) fn leaf_name(&self, leaf: usize) -> &Arc<str> {
        &self.leaf_names[leaf]
    }

    /// The points, with the action on pairs and labels.
    pub fn points(&self) -> &Points {
        &self.points
    }

    /// A generator, on the points.
    pub fn symmetry(&self, generator: usize) -> &reducer::Symmetry {
        &self.generators[generator]
    }

    /// What a generator makes of the events that there are and, behind them, of the components.
    pub fn moved_names(&self, generator: usize) -> Vec<u32> {
        let (points, images) = (&self.points, self.generators[generator].image());
        let first = points.event(0);
        let events = (0..points.n_events()).map(|event| points.event(event));
        let leaves = (0..points.n_leaves()).map(|leaf| points.leaf(leaf));
        let all = events.chain(leaves);
        all.map(|point| images[point as usize] - first).collect()
    }

    /// What the generators are called.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Candidates that may not be used, and why.
    pub fn refused(&self) -> &[Refused] {
        &self.refused
    }
}
