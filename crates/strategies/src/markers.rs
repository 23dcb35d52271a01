//! One state for each key, where states of several orbits may have one key.
//!
//! The first state with a key stands for all that have it, whether or not they are in its orbit:
//!
//! - `markers`: the marker (see [`super::marker`]).
//! - `path-markers`: the marker as it was published: each member by the multiset of the ways in
//!   which it is reached, and each reference by the members at its ends.
//! - `approximate-markers`: the same with one round of neighbours.
//! - `flatten`: control data in their canonical arrangement under the group, references left out.
//! - `super-group`: the canonical image of the whole state, references too, as if every point could
//!   be exchanged with every other of its orbit: the largest group with these orbits, most of which
//!   need not be a symmetry.
//! - `published-graphs`: the canonical form of the graph that was published for states of B, which
//!   some states have in common that are not alike (`crates/reduce/src/values/published.rs`).
//!
//! Worked example: of four processes that refer to each other in a ring and four that do in two
//! pairs, only the state that comes first is ever searched from by `markers` and `flatten`. Four in
//! a ring that can be rotated are taken for four in any order by `super-group`.
//!
//! **Lossy**: errors that only the others lead to are missed, and nothing is known to hold. What is
//! found is real: by breadth a state is first met where the search goes on from it, so that the
//! path is a run. Sources: Leuschel and Massart 2007 for the first two; TopSPIN after 2007 for the
//! next two, which rewrite the state and search on from what may be no state of the model (ours
//! keep the first that they met instead, so that errors stay real); Donaldson 2007 for
//! `super-group`, named there and not worked out; Turner 2007 for the last. Cost: keys, canonical
//! images for `flatten` and `super-group`, a canonical labelling for the last; an entry and a state
//! each.

use crate::known::{ENTRY_BYTES, SeenStates};
use crate::marker::{Marking, Neighbours};
use crate::segmented::Form;
use group::graph::canonical_form;
use group::image::{Canoniser, ObjectMeaning, Scratch};
use group::{Group, Perm};
use reduce::action::{Reader, Sketch, mix};
use reduce::reducer::{Guarantee, Reducer, Symmetry, Work};
use std::collections::{BTreeMap, HashMap};

/// What states are merged by.
pub(crate) enum Key {
    Marker(Marking),
    Flattened(Box<Flattened>),
    SuperGroup(Box<SuperGroup>),
    Published(Box<Published>),
}

/// Control data in their arrangement.
pub(crate) struct Flattened {
    form: Form,
    sketch: Sketch,
    ranks: Vec<u32>,
}

/// Canonical images under a larger group.
pub(crate) struct SuperGroup {
    canoniser: Canoniser,
    scratch: Scratch,
    sketch: Sketch,
    /// Images that were met, numbered.
    numbers: BTreeMap<ObjectMeaning, u64>,
    n_labels: u64,
    n_leaves: u64,
}

/// Canonical forms of the graphs that were published for states of B.
#[derive(Default)]
pub(crate) struct Published {
    /// Atoms that do not move, numbered.
    atoms: HashMap<Box<[u8]>, u32>,
    n_labels: u64,
}

impl Key {
    /// Two rounds of neighbours.
    pub fn marker(group: &Group) -> Key {
        Key::Marker(Marking::new(group))
    }

    /// One round of neighbours.
    pub fn weaker_marker(group: &Group) -> Key {
        Key::Marker(Marking::by(group, Neighbours::Rounds(1)))
    }

    /// The paths to each member, and between which of them each reference is.
    pub fn of_paths(group: &Group) -> Key {
        Key::Marker(Marking::by(group, Neighbours::Paths))
    }

    /// Control data alone.
    pub fn flattened(group: &Group) -> Key {
        Key::Flattened(Box::new(Flattened {
            form: Form::new(group),
            sketch: Sketch::default(),
            ranks: Vec::new(),
        }))
    }

    /// All that the largest group with these orbits tells apart.
    pub fn of_super_group(group: &Group) -> Key {
        Key::SuperGroup(Box::new(SuperGroup {
            canoniser: Canoniser::new(&free_in_orbits(group)),
            scratch: Scratch::new(),
            sketch: Sketch::default(),
            numbers: BTreeMap::new(),
            n_labels: 0,
            n_leaves: 0,
        }))
    }

    /// The canonical form of the published graph.
    pub fn published() -> Key {
        Key::Published(Box::default())
    }

    fn of(&mut self, reading: &mut Reader, state: &[u8]) -> u128 {
        match self {
            Key::Marker(marking) => marking.marker(reading, state),
            Key::Flattened(flattened) => flattened.key(reading, state),
            Key::SuperGroup(larger) => larger.key(reading, state),
            Key::Published(published) => published.key(reading, state),
        }
    }
}

impl Key {
    /// What keys took that are more than a pass over the state.
    fn work(&self) -> Work {
        match self {
            Key::Marker(_) | Key::Flattened(_) => Work::default(),
            Key::SuperGroup(larger) => Work {
                n_labels: Some(larger.n_labels),
                n_leaves: Some(larger.n_leaves),
                ..Work::default()
            },
            Key::Published(published) => Work {
                n_labels: Some(published.n_labels),
                ..Work::default()
            },
        }
    }
}

impl Flattened {
    fn key(&mut self, reading: &mut Reader, state: &[u8]) -> u128 {
        reading.ranks(state, &mut self.ranks);
        let to = self.form.element(&self.ranks);
        reading.sketch(state, &mut self.sketch);
        let mut arranged = vec![0; to.len()];
        for (own, y) in self.sketch.nodes.iter().zip(&to) {
            arranged[*y as usize] = *own;
        }
        hashed(arranged.into_iter(), &self.sketch.residue)
    }
}

impl SuperGroup {
    fn key(&mut self, reading: &mut Reader, state: &[u8]) -> u128 {
        reading.sketch(state, &mut self.sketch);
        let object = reading.object(state);
        let image = self.canoniser.canonical(object, &mut self.scratch);
        self.n_labels += 1;
        self.n_leaves += image.n_leaves();
        let to = Perm::from_bijection(image.points().to_vec());
        let meaning = object.moved_by(&to).meaning();
        let next = self.numbers.len() as u64;
        let number = *self.numbers.entry(meaning).or_insert(next);
        hashed([number].into_iter(), &self.sketch.residue)
    }
}

impl Published {
    fn key(&mut self, reading: &mut Reader, state: &[u8]) -> u128 {
        let atoms = &mut self.atoms;
        let mut number = |bytes: &[u8]| {
            let next = atoms.len() as u32;
            *atoms.entry(bytes.into()).or_insert(next)
        };
        let graph = reading.published(state, &mut number);
        let graph = graph.expect("states are made of values");
        self.n_labels += 1;
        let form = canonical_form(&graph);
        let colours = form.colours().iter().map(|colour| u64::from(*colour));
        let arcs = form.arcs().flat_map(|arc| {
            let ends = u64::from(arc.from) << 32 | u64::from(arc.to);
            [ends, u64::from(arc.colour)]
        });
        let n = form.n_vertices() as u64;
        hashed([n].into_iter().chain(colours).chain(arcs), &[])
    }
}

/// Words in order, and bytes, as one number.
fn hashed(words: impl Iterator<Item = u64>, bytes: &[u8]) -> u128 {
    let bytes = bytes.iter().map(|byte| u64::from(*byte));
    let (low, high) = words
        .chain(bytes)
        .fold((1_u64, 2_u64), |(low, high), word| {
            (mix(low ^ word), mix(high.wrapping_mul(3) ^ word))
        });
    u128::from(high) << 64 | u128::from(low)
}

/// All permutations that keep the orbits of a group.
fn free_in_orbits(group: &Group) -> Group {
    let orbits = group.orbits();
    let pairs = orbits.iter().flat_map(|orbit| orbit.windows(2));
    let swaps = pairs.filter_map(|pair| Perm::from_cycles(group.degree(), &[pair]));
    Group::new(group.degree(), swaps.collect())
}

/// `markers`, `path-markers`, `approximate-markers`, `flatten`, `super-group` and
/// `published-graphs`.
pub(crate) struct Merged {
    reading: Reader,
    key: Key,
    first: SeenStates,
    seen: HashMap<u128, u32>,
    /// Whether the state last asked about is its representative.
    same: bool,
    n_hits: u64,
}

impl Merged {
    pub fn new(reading: Reader, key: Key) -> Merged {
        Merged {
            reading,
            key,
            first: SeenStates::default(),
            seen: HashMap::new(),
            same: true,
            n_hits: 0,
        }
    }
}

impl Reducer for Merged {
    fn reduce(&mut self, state: &mut [u8]) {
        self.same = true;
        if !self.reading.act().is_settled(state) {
            return;
        }
        let key = self.key.of(&mut self.reading, state);
        self.n_hits += u64::from(self.seen.contains_key(&key));
        let first = &mut self.first;
        let number = *self.seen.entry(key).or_insert_with(|| first.add(state));
        // Two states of one key need not have the same length.
        let known = self.first.get(number);
        self.same = known == state;
        if known.len() == state.len() {
            state.copy_from_slice(known);
        }
    }

    fn symmetry(&mut self) -> Option<Symmetry> {
        self.same.then(Symmetry::default)
    }

    fn apply(&self, symmetry: &Symmetry, state: &[u8], out: &mut Vec<u8>) {
        self.reading.act().move_by(symmetry, state, out);
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Lossy
    }

    fn work(&self) -> Work {
        Work {
            n_marker_hits: Some(self.n_hits),
            ..self.key.work()
        }
    }

    fn bytes(&self) -> u64 {
        self.first.bytes() + self.seen.len() as u64 * ENTRY_BYTES
    }
}
