//! What reduction needs of a kind of states: how they move, and what they look like to who moves
//! them.
//!
//! There are two kinds: packed records of processes ([`crate::processes::act`],
//! [`crate::processes::picture`]) and values ([`crate::values`]). Ways of choosing representatives,
//! and the audit, are written once for both.
//!
//! # What a picture must be
//! For every `p` of the group the object of `p·s` is `p` applied to the object of `s`, and only
//! those `p` that fix `s` fix its object. Then an element that leads the object to its canonical
//! image leads the state to the same state from wherever in the orbit one starts. If the first
//! fails or the second does, orbits keep several states: that costs states, and never a verdict,
//! for what is stored is always an image of the state under the group.

use crate::processes::act::Act;
use crate::processes::picture::{Canvas, Picture};
use crate::reducer::Symmetry;
use group::Point;
use group::image::Object;

/// A left action on states.
pub trait Action: Clone {
    /// How many points there are.
    fn degree(&self) -> usize;

    /// Whether symmetries move `state`; others stay as they are.
    fn is_settled(&self, state: &[u8]) -> bool;

    /// Moves `state` by the permutation that sends point `x` to `image[x]`; `out` becomes the
    /// result, which has the same length.
    ///
    /// # Requires
    /// `state` is settled, and `image` is of the group.
    fn apply(&self, image: &[Point], state: &[u8], out: &mut Vec<u8>);

    /// Moves `state` by a symmetry; the identity moves every state.
    fn move_by(&self, symmetry: &Symmetry, state: &[u8], out: &mut Vec<u8>) {
        if symmetry.is_identity() {
            out.clear();
            out.extend_from_slice(state);
            return;
        }
        self.apply(symmetry.image(), state, out);
    }
}

/// Reads what is to be known of states out of them.
///
/// # Requires
/// States that it is asked about are settled.
pub trait Reads {
    /// How they move.
    type Act: Action;

    /// How they move.
    fn act(&self) -> &Self::Act;

    /// Whether states may have more than the data of single points. If not, the ranks of these
    /// data say which state of its orbit one is.
    fn has_references(&self) -> bool;

    /// The state as an object over points.
    fn object(&mut self, state: &[u8]) -> &Object;

    /// By point: the rank of the data it owns, references aside, among those of all points.
    fn ranks(&mut self, state: &[u8], out: &mut Vec<u32>);

    /// What a marker is made of.
    fn sketch(&mut self, state: &[u8], out: &mut Sketch);
}

/// A state as numbers that mean the same in all states.
#[derive(Clone, Default, Debug)]
pub struct Sketch {
    /// By node, points first: a hash of the data it owns.
    pub nodes: Vec<u64>,
    /// From where to where, and a hash of the way.
    pub arcs: Vec<(u32, u32, u64)>,
    /// What is the same in all states of the orbit.
    pub residue: Vec<u8>,
}

/// A scrambling of 64 bits, that of SplitMix.
pub(crate) fn mix(word: u64) -> u64 {
    let mut z = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Action for Act {
    fn degree(&self) -> usize {
        self.points().len()
    }

    fn is_settled(&self, state: &[u8]) -> bool {
        Act::is_settled(self, state)
    }

    fn apply(&self, image: &[Point], state: &[u8], out: &mut Vec<u8>) {
        Act::apply(self, image, state, out);
    }
}

/// Reads states of processes and channels.
pub struct Reading {
    act: Act,
    picture: Picture,
    canvas: Canvas,
    order: Vec<Point>,
}

impl Reading {
    /// For the states that `act` moves.
    pub fn new(act: &Act) -> Reading {
        Reading {
            picture: Picture::new(act),
            act: act.clone(),
            canvas: Canvas::default(),
            order: Vec::new(),
        }
    }

    /// The location of each point that is a process, 0 for others, and for locations that move.
    pub fn locations(&mut self, state: &[u8], out: &mut Vec<u32>) {
        out.clear();
        out.resize(self.act.points.len(), 0);
        for record in &self.act.records {
            let shape = &self.act.shapes[record.kind];
            let scalar = shape.location.filter(|_| shape.locations.is_none());
            if let (Some(place), Some(scalar)) = (out.get_mut(record.point as usize), scalar) {
                *place = scalar.load(state, record.at + 1) as u32;
            }
        }
    }
}

impl Reads for Reading {
    type Act = Act;

    fn act(&self) -> &Act {
        &self.act
    }

    fn has_references(&self) -> bool {
        self.picture.has_references(&self.act)
    }

    fn object(&mut self, state: &[u8]) -> &Object {
        self.picture.draw(&self.act, state, &mut self.canvas);
        &self.canvas.object
    }

    fn ranks(&mut self, state: &[u8], out: &mut Vec<u32>) {
        self.picture.draw(&self.act, state, &mut self.canvas);
        let (n, words) = (self.picture.n_words(), self.canvas.words());
        let data = |x: &Point| &words[*x as usize * n..(*x as usize + 1) * n];
        self.order.clear();
        self.order.extend(0..self.act.points.len() as Point);
        self.order.sort_unstable_by(|x, y| data(x).cmp(data(y)));
        out.clear();
        out.resize(self.order.len(), 0);
        let mut rank = 0;
        for pair in self.order.windows(2) {
            rank += u32::from(data(&pair[0]) != data(&pair[1]));
            out[pair[1] as usize] = rank;
        }
    }

    fn sketch(&mut self, state: &[u8], out: &mut Sketch) {
        self.picture.draw(&self.act, state, &mut self.canvas);
        let (n, words) = (self.picture.n_words(), self.canvas.words());
        let object = &self.canvas.object;
        out.nodes.clear();
        out.nodes.extend_from_slice(object.colours());
        for (x, node) in out.nodes[..object.n_points()].iter_mut().enumerate() {
            let own = &words[x * n..(x + 1) * n];
            *node = own.iter().fold(0, |hash, word| mix(hash ^ word));
        }
        out.arcs.clear();
        let arcs = object.arcs().iter();
        out.arcs
            .extend(arcs.map(|arc| (arc.from, arc.to, u64::from(arc.label))));
        self.picture.residue(&self.act, state, &mut out.residue);
    }
}
