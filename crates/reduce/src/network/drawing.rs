//! One pair for each orbit of pairs, by canonical images.
//!
//! A pair is drawn as an object over members. A leaf that moves is a member: it has the shape of
//! its state as colour, and refers to the other members of that state. States of leaves that stay,
//! and of the specification, colour the members that they have. Two different pairs have different
//! objects, and the object of `g·pair` is `g·object`; so an element that leads the object to its
//! canonical image leads the pair to one that is the same for the whole orbit
//! (`docs/theory/images.md`).
//!
//! Worked example. Users 0, 1, 2, where 0 is `in`, 1 `sees 0` and 2 is `out`; the specification
//! says "0 is in". Colours: 0 has (in, named by the specification), 1 has (sees, –), 2 has (out,
//! –), and 1 refers to 0. Sorted by colour, say `out < in < sees`: 2 goes to 0, 0 to 1, 1 to 2. So
//! user 1 is in, 2 sees 1, and the specification says "1 is in".
//!
//! **Sorting.** If the group is all arrangements of columns of leaves (columns one wide are the
//! simple swaps of Moffat, Goldsmith and Roscoe 2008; wider ones are leaves that move together),
//! if no state has a member but its own leaf, and if nothing else moves, colours are all there is,
//! and columns are sorted without drawing anything.

use super::joint::{Joint, Points};
use super::members::Members;
use super::refusal::NoRepresentatives;
use group::image::{Canoniser, Object, Scratch};
use group::{Group, Perm};
use num_bigint::BigUint;

/// Draws pairs.
#[derive(Debug)]
pub struct Drawing {
    members: Members,
    canoniser: Canoniser,
    order: BigUint,
    /// The same, if it fits.
    small_order: Option<u128>,
    /// By leaf: the member that it is, if it moves.
    homes: Vec<Option<u32>>,
    /// By slot (a leaf, then the specification): how its members are drawn.
    slots: Vec<Slot>,
    /// By shape: the label of its first set.
    labels: Vec<u32>,
    columns: Option<Columns>,
    scratch: Scratch,
    object: Object,
    colours: Vec<u64>,
    /// Factors of how many elements fix the pair asked about last.
    factors: Vec<u32>,
}

/// How the members of a state are drawn.
#[derive(Clone, Copy, Debug)]
enum Slot {
    /// It has none.
    Nothing,
    /// As references of its leaf, which is this member.
    Home(u32),
    /// By adding its number for the set, times the weight, to the colour of each.
    Colours { weight: u64, first: u32 },
    /// By a vertex of this colour that refers to them.
    Vertex(u64),
}

/// Columns that are sorted.
#[derive(Clone, Debug)]
struct Columns {
    /// By segment and column: leaves, in the same order in each column.
    segments: Vec<Vec<Vec<u32>>>,
    keys: Vec<u32>,
    order: Vec<u32>,
}

impl Drawing {
    /// Works out all that does not depend on pairs; or says why it cannot be done.
    pub fn new(joint: &Joint) -> Result<Drawing, NoRepresentatives> {
        let members = Members::find(joint)?;
        let perms = members.generators().iter();
        let perms = perms.map(|image| Perm::from_bijection(image.clone()));
        let group = Group::new(members.len(), perms.collect());
        let canoniser = Canoniser::new(&group);
        let points = &joint.points;
        let homes = (0..points.n_leaves()).map(|leaf| members.place(points.leaf(leaf)));
        let mut drawing = Drawing {
            homes: homes.collect(),
            slots: Vec::new(),
            labels: Vec::new(),
            columns: None,
            scratch: Scratch::new(),
            object: Object::new(members.len()),
            colours: Vec::new(),
            factors: Vec::new(),
            small_order: u128::try_from(group.order()).ok(),
            order: group.order(),
            canoniser,
            members,
        };
        drawing.number_sets();
        drawing.weigh(joint);
        drawing.columns = drawing.columns_of(joint);
        Ok(drawing)
    }

    /// The order of the group on members.
    pub fn order(&self) -> &BigUint {
        &self.order
    }

    /// The members.
    pub fn members(&self) -> &Members {
        &self.members
    }

    /// How many leaves the widest column has, if columns are sorted.
    pub fn sorts(&self) -> Option<usize> {
        let columns = self.columns.as_ref()?;
        let segments = columns.segments.iter();
        segments.map(|segment| segment[0].len()).max()
    }

    /// What keeps columns from being sorted, in words.
    pub fn unsorted(&self, joint: &Joint) -> NoRepresentatives {
        let points = &joint.points;
        let point = (0..points.n_leaf_states()).find(|&point| !self.is_plain(points, point));
        if let Some(point) = point {
            let leaf = points.leaf_of(point);
            let name = joint.leaf_name(leaf).clone();
            return match self.homes[leaf] {
                Some(_) => NoRepresentatives::NamesOthers(name),
                None => NoRepresentatives::StatesMove(name),
            };
        }
        NoRepresentatives::NotAllExchanged
    }

    /// Whether a state of a leaf has no member but its leaf.
    fn is_plain(&self, points: &Points, point: u32) -> bool {
        match self.homes[points.leaf_of(point)] {
            Some(home) => self.members.of(point) == [home as u16],
            None => self.members.of(point).is_empty(),
        }
    }

    /// The same without sorting: every pair is drawn.
    pub fn without_sorting(mut self) -> Drawing {
        self.columns = None;
        self
    }

    fn number_sets(&mut self) {
        let mut next = 0;
        for shape in 0..self.members.n_shapes() {
            self.labels.push(next);
            next += self.members.kind(shape).sets().len() as u32;
        }
    }

    /// Says how the members of each slot are drawn.
    fn weigh(&mut self, joint: &Joint) {
        let points = &joint.points;
        // Below this is the shape of a leaf.
        let mut weight = self.members.n_shapes() as u64 + 1;
        for slot in 0..=points.n_leaves() {
            let range = if slot < points.n_leaves() {
                points.offset(slot)..points.offset(slot + 1)
            } else {
                points.spec(0)..points.spec(points.n_spec())
            };
            if let Some(&Some(home)) = self.homes.get(slot) {
                self.slots.push(Slot::Home(home));
                continue;
            }
            let labels = |point: u32| {
                let first = self.labels[self.members.shape_number(point) as usize];
                (first, first + self.members.shape(point).sets().len() as u32)
            };
            let moved = range.filter(|&point| !self.members.of(point).is_empty());
            let span = moved
                .map(labels)
                .reduce(|(a, b), (c, d)| (a.min(c), b.max(d)));
            let Some((first, end)) = span else {
                self.slots.push(Slot::Nothing);
                continue;
            };
            match weight.checked_mul(u64::from(end - first) + 1) {
                Some(next) => {
                    self.slots.push(Slot::Colours { weight, first });
                    weight = next;
                }
                None => self.slots.push(Slot::Vertex(slot as u64)),
            }
        }
    }

    /// The columns, if sorting them is all there is to do.
    fn columns_of(&self, joint: &Joint) -> Option<Columns> {
        let points = &joint.points;
        let n_homes = self.homes.iter().flatten().count();
        let is_plain = n_homes == self.members.len()
            && (0..points.n_leaf_states()).all(|point| self.is_plain(points, point))
            && joint.is_universal();
        if !is_plain {
            return None;
        }
        let leaf = |&member: &u32| self.members.point(member) - points.leaf(0);
        let segments = self.canoniser.symmetric_columns()?;
        let segments = segments.iter().map(|columns| {
            let columns = columns.iter();
            let leaves = columns.map(|column| column.iter().map(leaf).collect());
            leaves.collect()
        });
        Some(Columns {
            segments: segments.collect(),
            keys: Vec::new(),
            order: Vec::new(),
        })
    }

    /// Makes `perm` the permutation of members that leads a pair to its representative.
    ///
    /// # Requires
    /// The state is not the one after the end.
    pub fn choose(&mut self, points: &Points, spec: u32, state: &[u32], perm: &mut Vec<u32>) {
        perm.clear();
        self.factors.clear();
        if let Some(columns) = &mut self.columns {
            perm.extend(0..self.members.len() as u32);
            let key = |leaf: u32| {
                let point = points.offset(leaf as usize) + state[leaf as usize];
                self.members.shape_number(point)
            };
            columns.sort(&key, &self.homes, perm, &mut self.factors);
            return;
        }
        self.draw(points, spec, state);
        let image = self.canoniser.canonical(&self.object, &mut self.scratch);
        perm.extend_from_slice(image.points());
        self.factors.extend_from_slice(image.stabiliser_factors());
    }

    /// How many pairs the orbit of the pair asked about last has, unless that is too much.
    pub fn orbit_size(&self) -> Option<u128> {
        let mut factors = self.factors.iter().map(|&factor| u128::from(factor));
        let stabiliser = factors.try_fold(1, |all: u128, factor| all.checked_mul(factor));
        if let (Some(order), Some(stabiliser)) = (self.small_order, stabiliser) {
            return Some(order / stabiliser);
        }
        let factors = self.factors.iter().map(|&factor| BigUint::from(factor));
        let stabiliser: BigUint = factors.product();
        u128::try_from(&self.order / stabiliser).ok()
    }

    fn draw(&mut self, points: &Points, spec: u32, state: &[u32]) {
        self.object.reset(self.members.len());
        self.colours.clear();
        self.colours.resize(self.members.len(), 0);
        for (leaf, &s) in state.iter().enumerate() {
            self.refer(leaf, points.offset(leaf) + s);
        }
        self.refer(state.len(), points.spec(spec));
        for (member, &colour) in self.colours.iter().enumerate() {
            self.object.set_colour(member as u32, colour);
        }
    }

    /// Draws a point.
    #[inline]
    fn refer(&mut self, slot: usize, point: u32) {
        let slot = self.slots[slot];
        let shape = self.members.shape_number(point);
        if let Slot::Home(home) = slot {
            self.colours[home as usize] += 1 + u64::from(shape);
        }
        let mut rest = self.members.of(point);
        if rest.is_empty() {
            return;
        }
        let vertex = match slot {
            Slot::Vertex(colour) => self.object.add_vertex(colour),
            Slot::Home(home) => home,
            Slot::Nothing | Slot::Colours { .. } => 0,
        };
        let labels = self.labels[shape as usize]..;
        for (label, &size) in labels.zip(self.members.shape(point).sets()) {
            let (set, after) = rest.split_at(size as usize);
            rest = after;
            for &member in set {
                let member = u32::from(member);
                match slot {
                    Slot::Nothing => {}
                    // Its own place says nothing new.
                    Slot::Home(home) if home == member => {}
                    Slot::Home(_) | Slot::Vertex(_) => {
                        self.object.add_arc(vertex, member, label);
                    }
                    Slot::Colours { weight, first } => {
                        let number = u64::from(label - first) + 1;
                        self.colours[member as usize] += weight * number;
                    }
                }
            }
        }
    }
}

impl Columns {
    /// Sorts columns by keys of their leaves, from the top down.
    fn sort(
        &mut self,
        key: &dyn Fn(u32) -> u32,
        homes: &[Option<u32>],
        perm: &mut [u32],
        factors: &mut Vec<u32>,
    ) {
        for columns in &self.segments {
            let width = columns[0].len();
            self.keys.clear();
            self.keys
                .extend(columns.iter().flatten().map(|&leaf| key(leaf)));
            let keys = |column: u32| &self.keys[column as usize * width..][..width];
            self.order.clear();
            self.order.extend(0..columns.len() as u32);
            self.order.sort_by_key(|&column| keys(column));
            let mut n_alike = 0;
            for (place, &column) in self.order.iter().enumerate() {
                let is_alike = place > 0 && keys(self.order[place - 1]) == keys(column);
                n_alike = if is_alike { n_alike + 1 } else { 1 };
                factors.push(n_alike);
                let both = columns[column as usize].iter().zip(&columns[place]);
                for (&from, &to) in both {
                    let [from, to] = [from, to].map(|leaf| homes[leaf as usize]);
                    let from = from.expect("a leaf in a column moves");
                    perm[from as usize] = to.expect("a leaf in a column moves");
                }
            }
        }
    }
}
