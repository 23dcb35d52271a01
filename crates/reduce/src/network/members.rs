//! What states of leaves refer to, found from the group alone.
//!
//! A state of a leaf is a *shape*, its orbit under the group, and a few *members*: small things
//! that the group moves, and that say which of its orbit it is. `Holds(3)` of the lock has the
//! shape "holds" and the member 3. Nobody has to say so: members are read off the stabiliser. For a
//! point `x` let `H` be the symmetries that fix it. `H` has orbits on members; one that `H` keeps
//! as a set is kept by whatever `x` means. Take such orbits, the smallest first, until all points
//! of the orbit of `x` differ in them. Then
//!
//! - `x` and its sets of members move together: if `g` takes `x` to `y`, it takes the sets of `x`
//!   to those of `y`, since both are images of the sets of one point, by whatever element led
//!   there;
//! - the sets determine `x` within its orbit, which is how a permutation of members is made one
//!   of all points again ([`Members::lift`]).
//!
//! Members are leaves that move; where these do not tell all points of an orbit apart, an orbit of
//! events that is smaller, or the orbit itself is added. So there always are members enough. If
//! there would be too many, members are given up.
//!
//! Worked example. Three users under S3, user `i` has states `out`, `in`, and `sees j`. Members
//! are the leaves 0, 1, 2. The point "1 in" is fixed by the symmetries that fix leaf 1: orbits {1}
//! and {0, 2}, and {1} is enough. "1 sees 2" is fixed by the identity alone: {0}, {1}, {2}; the
//! point's own leaf first, {1}; that leaves "1 sees 0" and "1 sees 2" alike; {0} tells them apart
//! (it is the one not seen). A queue of users has them by position; a *set* of users is one orbit
//! of several.

use super::joint::Joint;
use super::refusal::NoRepresentatives;
use crate::reducer::Symmetry;
use group::orbit::DisjointSets;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// At most so many members.
const MEMBERS_MAX: usize = 4096;
/// At most so many entries for the points of an orbit, with all members for each.
const ENTRIES_MAX: usize = 1 << 25;
/// At most so many places in a table of the points of an orbit.
const DENSE_MAX: usize = 1 << 14;
/// No such point.
const NONE: u32 = u32::MAX;

/// Members, and what points are in terms of them.
#[derive(Clone, Debug)]
pub struct Members {
    /// Which points are members.
    points: Vec<u32>,
    /// By point: which member it is.
    places: Vec<u32>,
    /// What the generators do to members.
    generators: Vec<Vec<u32>>,
    /// By point: its shape.
    shapes: Vec<u32>,
    /// By point: its members in `flat`.
    starts: Vec<u32>,
    flat: Vec<u16>,
    kinds: Vec<Shape>,
}

/// An orbit of points.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// Sizes of the sets of members that each of its points has.
    sets: Vec<u16>,
    n_members: usize,
    find: Find,
}

/// From sets of members to the point.
#[derive(Clone, Debug, Default)]
enum Find {
    /// There is one point, without members.
    #[default]
    Alone,
    /// A table; sets have one member each.
    Dense(Vec<u32>),
    Sparse(HashMap<Box<[u16]>, u32, BuildHasherDefault<Mixed>>),
}

/// A hash of short lists.
#[derive(Clone, Copy, Default, Debug)]
pub struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            let word = u64::from_le_bytes(word);
            self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
        }
    }
}

impl Shape {
    /// Sizes of the sets of members that each of its points has.
    pub fn sets(&self) -> &[u16] {
        &self.sets
    }
}

impl Members {
    /// The members of the points of a group, or why there are none.
    pub fn find(joint: &Joint) -> Result<Members, NoRepresentatives> {
        let points = &joint.points;
        let n = points.len();
        let mut making = Making {
            joint,
            members: Members {
                points: Vec::new(),
                places: vec![NONE; n],
                generators: vec![Vec::new(); joint.generators.len()],
                shapes: vec![NONE; n],
                starts: vec![0; n + 1],
                flat: Vec::new(),
                kinds: Vec::new(),
            },
            of: vec![Vec::new(); n],
        };
        let mut sets = DisjointSets::new(n);
        for generator in &joint.generators {
            for (x, &y) in generator.image().iter().enumerate() {
                sets.join(x as u32, y);
            }
        }
        let orbits = sets.sets();
        let moved = |first: u32, end: u32| {
            let within =
                move |orbit: &&Vec<u32>| (first..end).contains(&orbit[0]) && orbit.len() > 1;
            let mut moved: Vec<&Vec<u32>> = orbits.iter().filter(within).collect();
            moved.sort_by_key(|orbit| orbit.len());
            moved
        };
        for orbit in moved(points.leaf(0), n as u32) {
            making.add(orbit)?;
        }
        let events = moved(points.event(0), points.leaf(0));
        for orbit in moved(0, points.event(0)) {
            making.describe_or_extend(orbit, &events)?;
        }
        for orbit in events {
            if joint.visible[(orbit[0] - points.event(0)) as usize] {
                making.describe_or_extend(orbit, &[])?;
            }
        }
        Ok(making.finish(&orbits))
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// What the generators do to members.
    pub fn generators(&self) -> &[Vec<u32>] {
        &self.generators
    }

    /// Which member a point is.
    pub fn place(&self, point: u32) -> Option<u32> {
        let place = self.places[point as usize];
        (place != NONE).then_some(place)
    }

    /// The point that a member is.
    pub fn point(&self, member: u32) -> u32 {
        self.points[member as usize]
    }

    /// The shape of a point, by number.
    #[inline]
    pub fn shape_number(&self, point: u32) -> u32 {
        self.shapes[point as usize]
    }

    /// The shape of a point.
    #[inline]
    pub fn shape(&self, point: u32) -> &Shape {
        &self.kinds[self.shapes[point as usize] as usize]
    }

    /// A shape by number.
    pub fn kind(&self, shape: usize) -> &Shape {
        &self.kinds[shape]
    }

    /// How many shapes there are.
    pub fn n_shapes(&self) -> usize {
        self.kinds.len()
    }

    /// The members of a point, set by set.
    #[inline]
    pub fn of(&self, point: u32) -> &[u16] {
        let point = point as usize;
        &self.flat[self.starts[point] as usize..self.starts[point + 1] as usize]
    }

    /// Where a permutation of members takes a point.
    ///
    /// # Requires
    /// The permutation is one of the group.
    #[inline]
    pub fn lift(&self, perm: &[u32], point: u32, key: &mut Vec<u16>) -> u32 {
        let shape = self.shape(point);
        match &shape.find {
            Find::Alone => point,
            Find::Dense(table) => {
                let n = self.len();
                let place = self.of(point).iter();
                let place = place.fold(0, |place, &m| place * n + perm[m as usize] as usize);
                table[place]
            }
            Find::Sparse(table) => {
                key.clear();
                key.extend(self.of(point).iter().map(|&m| perm[m as usize] as u16));
                sort_sets(&shape.sets, key);
                *table.get(&key[..]).expect("the image of a point is one")
            }
        }
    }

    /// What it takes.
    pub fn bytes(&self) -> u64 {
        let tables = self.kinds.iter().map(|shape| match &shape.find {
            Find::Alone => 0,
            Find::Dense(table) => 4 * table.len(),
            Find::Sparse(table) => table.len() * (2 * shape.n_members + 32),
        });
        let tables: usize = tables.sum();
        (tables + 2 * self.flat.len() + 12 * self.places.len()) as u64
    }
}

fn sort_sets(sets: &[u16], key: &mut [u16]) {
    let mut start = 0;
    for &size in sets {
        let end = start + size as usize;
        if size > 1 {
            key[start..end].sort_unstable();
        }
        start = end;
    }
}

/// Members in the making.
struct Making<'a> {
    joint: &'a Joint,
    members: Members,
    /// By point: its members, set by set.
    of: Vec<Vec<u16>>,
}

impl Making<'_> {
    /// Makes the points of an orbit members.
    fn add(&mut self, orbit: &[u32]) -> Result<(), NoRepresentatives> {
        let members = &mut self.members;
        let n = members.points.len() + orbit.len();
        if n > MEMBERS_MAX {
            return Err(NoRepresentatives::Members(MEMBERS_MAX));
        }
        for &point in orbit {
            members.places[point as usize] = members.points.len() as u32;
            members.points.push(point);
        }
        for (made, generator) in members.generators.iter_mut().zip(&self.joint.generators) {
            let images = orbit.iter().map(|&x| generator.image()[x as usize]);
            made.extend(images.map(|y| members.places[y as usize]));
        }
        Ok(())
    }

    /// Takes back what was added last.
    fn take_back(&mut self, orbit: &[u32]) {
        let members = &mut self.members;
        let n = members.points.len() - orbit.len();
        for &point in orbit {
            members.places[point as usize] = NONE;
        }
        members.points.truncate(n);
        for made in &mut members.generators {
            made.truncate(n);
        }
    }

    fn describe_or_extend(
        &mut self,
        orbit: &[u32],
        events: &[&Vec<u32>],
    ) -> Result<(), NoRepresentatives> {
        if self.describe(orbit)? {
            return Ok(());
        }
        let is_new = |e: &&&Vec<u32>| self.members.place(e[0]).is_none() && e.len() < orbit.len();
        let tried: Vec<&Vec<u32>> = events.iter().filter(is_new).take(4).copied().collect();
        for other in tried {
            self.add(other)?;
            if self.describe(orbit)? {
                return Ok(());
            }
            self.take_back(other);
        }
        self.add(orbit)?;
        if self.describe(orbit)? {
            Ok(())
        } else {
            unreachable!("a member tells itself apart")
        }
    }

    /// Gives each point of an orbit its members, if there are enough.
    fn describe(&mut self, orbit: &[u32]) -> Result<bool, NoRepresentatives> {
        let n = self.members.len();
        if n == 0 {
            return Ok(false);
        }
        if orbit.len().saturating_mul(n) > ENTRIES_MAX {
            return Err(NoRepresentatives::Orbit {
                n_states: orbit.len(),
                n_members: n,
            });
        }
        let walked = self.walk(orbit);
        let own = if orbit[0] < self.joint.points.n_leaf_states() {
            let points = &self.joint.points;
            let leaf = points.leaf(points.leaf_of(orbit[0]));
            self.members.place(leaf)
        } else {
            None
        };
        let sets = walked.stable_sets(&self.members.generators, &self.joint.generators, own);
        // Which points are still alike.
        let mut alike = vec![0u32; orbit.len()];
        let mut n_classes = 1;
        let mut taken: Vec<&Vec<u32>> = Vec::new();
        for set in &sets {
            if n_classes == orbit.len() {
                break;
            }
            let mut numbers: HashMap<(u32, Vec<u16>), u32> = HashMap::new();
            let mut next = Vec::with_capacity(orbit.len());
            for (i, &class) in alike.iter().enumerate() {
                let key = (class, walked.image(i, set));
                let number = numbers.len() as u32;
                next.push(*numbers.entry(key).or_insert(number));
            }
            if numbers.len() > n_classes {
                n_classes = numbers.len();
                alike = next;
                taken.push(set);
            }
        }
        if n_classes < orbit.len() {
            return Ok(false);
        }
        for (i, &point) in walked.order.iter().enumerate() {
            let images = taken.iter().flat_map(|set| walked.image(i, set));
            self.of[point as usize] = images.collect();
        }
        let sets = taken.iter().map(|set| set.len() as u16).collect();
        self.enter(orbit, sets);
        Ok(true)
    }

    /// Notes the shape of an orbit that is described.
    fn enter(&mut self, orbit: &[u32], sets: Vec<u16>) {
        let number = self.members.kinds.len() as u32;
        for &point in orbit {
            self.members.shapes[point as usize] = number;
        }
        self.members.kinds.push(Shape {
            n_members: sets.iter().map(|&size| size as usize).sum(),
            sets,
            find: Find::Alone,
        });
    }

    /// An element that leads from the first point of an orbit to each, on members.
    fn walk(&self, orbit: &[u32]) -> Walked {
        let n = self.members.len();
        let mut walked = Walked {
            n,
            order: vec![orbit[0]],
            places: HashMap::from([(orbit[0], 0)]),
            elements: (0..n as u16).collect(),
        };
        let mut at = 0;
        while at < walked.order.len() {
            let x = walked.order[at];
            let both = self.joint.generators.iter().zip(&self.members.generators);
            for (all, on_members) in both {
                let y = all.image()[x as usize];
                if walked.places.contains_key(&y) {
                    continue;
                }
                walked.places.insert(y, walked.order.len() as u32);
                walked.order.push(y);
                let element = at * n..(at + 1) * n;
                let element: Vec<u16> = walked.elements[element]
                    .iter()
                    .map(|&m| on_members[m as usize] as u16)
                    .collect();
                walked.elements.extend(element);
            }
            at += 1;
        }
        walked
    }

    fn finish(mut self, orbits: &[Vec<u32>]) -> Members {
        // What does not move, or does not matter.
        for orbit in orbits {
            if self.members.shapes[orbit[0] as usize] == NONE {
                self.enter(orbit, Vec::new());
            }
        }
        let members = &mut self.members;
        for (x, of) in self.of.iter().enumerate() {
            members.starts[x] = members.flat.len() as u32;
            members.flat.extend_from_slice(of);
        }
        members.starts[self.of.len()] = members.flat.len() as u32;
        let n = members.len();
        let mut by_shape: Vec<Vec<u32>> = vec![Vec::new(); members.kinds.len()];
        for (x, &shape) in members.shapes.iter().enumerate() {
            by_shape[shape as usize].push(x as u32);
        }
        for (shape, points) in by_shape.iter().enumerate() {
            members.kinds[shape].find = found(&members.kinds[shape], points, n, &self.of);
        }
        self.members
    }
}

/// The way back from members to the points of a shape.
fn found(shape: &Shape, points: &[u32], n: usize, of: &[Vec<u16>]) -> Find {
    if shape.n_members == 0 {
        return Find::Alone;
    }
    let power = u32::try_from(shape.n_members).ok();
    let size = power.and_then(|power| n.checked_pow(power));
    let is_tuple = shape.sets.iter().all(|&size| size == 1);
    match size.filter(|&size| is_tuple && size <= DENSE_MAX) {
        Some(size) => {
            let mut table = vec![NONE; size];
            for &x in points {
                let members = of[x as usize].iter();
                let place = members.fold(0, |place, &m| place * n + m as usize);
                table[place] = x;
            }
            Find::Dense(table)
        }
        None => {
            let entry = |&x: &u32| (of[x as usize].clone().into_boxed_slice(), x);
            Find::Sparse(points.iter().map(entry).collect())
        }
    }
}

/// The points of an orbit, with elements that lead to them from the first.
struct Walked {
    n: usize,
    order: Vec<u32>,
    places: HashMap<u32, u32>,
    /// By point, what the element does to members.
    elements: Vec<u16>,
}

impl Walked {
    fn element(&self, i: usize) -> &[u16] {
        &self.elements[i * self.n..(i + 1) * self.n]
    }

    /// What the element that leads to a point makes of a set of members.
    fn image(&self, i: usize, set: &[u32]) -> Vec<u16> {
        let element = self.element(i);
        let mut image: Vec<u16> = set.iter().map(|&m| element[m as usize]).collect();
        image.sort_unstable();
        image
    }

    /// The orbits on members of the stabiliser of the first point: that of `own` first, then from
    /// small to large.
    ///
    /// The stabiliser is generated by the elements that lead to a point, on by a generator, and
    /// back (Schreier).
    fn stable_sets(
        &self,
        on_members: &[Vec<u32>],
        generators: &[Symmetry],
        own: Option<u32>,
    ) -> Vec<Vec<u32>> {
        let mut sets = DisjointSets::new(self.n);
        let mut back = vec![0u16; self.elements.len()];
        for j in 0..self.order.len() {
            for (m, &image) in self.element(j).iter().enumerate() {
                back[j * self.n + image as usize] = m as u16;
            }
        }
        for (generator, on_members) in generators.iter().zip(on_members) {
            for (i, &x) in self.order.iter().enumerate() {
                let j = self.places[&generator.image()[x as usize]] as usize;
                let back = &back[j * self.n..(j + 1) * self.n];
                for (m, &image) in self.element(i).iter().enumerate() {
                    let image = on_members[image as usize];
                    sets.join(m as u32, u32::from(back[image as usize]));
                }
            }
        }
        let mut all = sets.sets();
        all.sort_by_key(|set| (own.is_none_or(|own| !set.contains(&own)), set.len(), set[0]));
        all
    }
}
