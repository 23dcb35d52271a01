//! How a symmetry acts on states: what is owned moves, what is referred to is renamed.
//!
//! Everything is worked out from the layout once: which records move as a whole, which elements of
//! arrays move with their index, which numbers are members of sorts and are renamed. It is one left
//! action: moving by `q` and then by `p` is moving by `p∘q`.
//!
//! Worked example: `turn` (a member), `flag[2]` (indexed by members), processes 0 and 1 of two
//! bytes
//! each, and the exchange of 0 and 1:
//!
//! ```text
//! turn flag[0] flag[1] | tag pc | tag pc          turn flag[0] flag[1] | tag pc | tag pc
//! 0    1       0       | 1   3  | 1   0     ↦     1    0       1       | 1   0  | 1   3
//! ```
//!
//! **When.** A symmetry is one of the model after its making. States before that, in which some of
//! what moves is not there yet, stay as they are ([`Act::is_settled`]); no state after the making
//! leads back to one before it, so states that are moved into each other behave alike.

use crate::processes::keys::DeclaredKeys;
use crate::processes::points::{Members, NONE, Points};
use crate::processes::sort::{ClassId, Sorts};
use crate::processes::structure::Bearer;
use crate::reducer::Symmetry;
use group::Point;
use model::processes::layout::{Buffer, FieldId, KindId, MESSAGES_AT, RecordKind, Role, Scalar};
use model::processes::population::Population;
use model::processes::program::{LocationId, ProctypeId};
use std::ops::Range;

/// A record that is there after the making, up to the last that moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fixed {
    pub kind: usize,
    pub at: usize,
    pub point: Point,
}

/// An element of a variable: where it is, and which indices move it.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    /// Where it is in its record.
    pub at: usize,
    /// The dimensions with an index that is a point: which, and the point.
    pub moving: Vec<(usize, Point)>,
}

/// A variable that must be looked at element by element.
#[derive(Clone, Debug)]
pub(crate) struct Special {
    pub field: FieldId,
    /// The point of the variable.
    pub point: Point,
    /// Where its first element is.
    pub at: usize,
    pub scalar: Scalar,
    pub strides: Vec<usize>,
    /// The class of what it holds, if that has points.
    pub class: Option<ClassId>,
    /// By location: whether what it holds does not matter there, and is not renamed.
    pub neutral: Vec<bool>,
    pub elements: Vec<Element>,
}

/// The fields of messages that are renamed: where in a message, how kept, and the class.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Messages {
    pub size: usize,
    pub fields: Vec<(usize, Scalar, Sent)>,
}

/// The class of a field of messages.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Sent {
    Always(ClassId),
    /// As the field there says, which is kept in that way: by what it holds.
    ByTag(usize, Scalar, Vec<(i32, ClassId)>),
}

impl Sent {
    /// The class in the message that starts at `first`, if what is there is renamed.
    #[inline]
    pub fn class(&self, state: &[u8], first: usize) -> Option<ClassId> {
        match self {
            Sent::Always(class) => Some(*class),
            Sent::ByTag(offset, scalar, classes) => {
                let tag = scalar.load(state, first + offset);
                let found = classes.iter().find(|(value, _)| *value == tag);
                found.map(|(_, class)| *class)
            }
        }
    }
}

/// What there is to do for a kind of record.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub size: usize,
    pub is_channel: bool,
    /// How the location is kept, for processes.
    pub location: Option<Scalar>,
    /// How the location is kept, and the point of each, if some location is one.
    pub locations: Option<(Scalar, Vec<Point>)>,
    pub specials: Vec<Special>,
    /// Bytes that nothing uses, and that stay where they are: from where to where.
    pub inert: Vec<(usize, usize)>,
    pub messages: Messages,
}

impl Shape {
    /// The location of the process at `at`; 0 for other records.
    #[inline]
    pub fn at(&self, state: &[u8], at: usize) -> usize {
        self.location
            .map_or(0, |scalar| scalar.load(state, at + 1) as usize)
    }
}

impl Special {
    /// The class of what it holds in a process at that location, if that is renamed.
    #[inline]
    pub fn class_at(&self, here: usize) -> Option<ClassId> {
        match self.neutral.get(here) {
            Some(true) => None,
            _ => self.class,
        }
    }
}

/// How to tell that the making is over.
#[derive(Clone, Debug)]
struct Settled {
    at: usize,
    scalar: Scalar,
    tag: u8,
    after: Vec<bool>,
}

/// The action of a group on the states of a model.
#[derive(Clone, Debug)]
pub struct Act {
    pub(crate) points: Points,
    pub(crate) shapes: Vec<Shape>,
    pub(crate) records: Vec<Fixed>,
    /// By point: the record it is, where it is one.
    record_of: Vec<usize>,
    /// By point: kind and place among the specials, where it is a variable.
    special_of: Vec<(usize, usize)>,
    settled: Option<Settled>,
    /// By what the text wants processes compared.
    pub(crate) declared: DeclaredKeys,
}

impl Act {
    /// Works out how `points` move.
    pub fn new(
        sorts: &Sorts,
        population: &Population,
        points: Points,
        constants: Constants,
    ) -> Act {
        let layout = &sorts.text.layout;
        let records = fixed_records(population, &points);
        let compiler = Compiler {
            sorts,
            population,
            points: &points,
            constants,
        };
        let shapes: Vec<Shape> = (0..layout.kinds.len())
            .map(|k| compiler.shape(KindId::new(k)))
            .collect();
        let settled = population.creator.as_ref().map(|creator| {
            let record = population.processes[creator.pid];
            let scalar = match layout.kind(record.kind).role {
                Role::Process { location } => location,
                _ => Scalar::U8,
            };
            Settled {
                at: record.at,
                scalar,
                tag: record.kind.index() as u8,
                after: creator.after.clone(),
            }
        });
        let declared = DeclaredKeys::new(sorts, population, &points, &shapes);
        Act {
            settled,
            declared,
            ..Act::of_shapes(points, shapes, records)
        }
    }

    /// The action on states of these shapes, in which the making is over.
    pub(crate) fn of_shapes(points: Points, shapes: Vec<Shape>, records: Vec<Fixed>) -> Act {
        let mut record_of = vec![usize::MAX; points.len()];
        for (n, record) in records.iter().enumerate() {
            if record.point != NONE {
                record_of[record.point as usize] = n;
            }
        }
        let mut special_of = vec![(usize::MAX, usize::MAX); points.len()];
        for (k, shape) in shapes.iter().enumerate() {
            for (n, special) in shape.specials.iter().enumerate() {
                if special.point != NONE {
                    special_of[special.point as usize] = (k, n);
                }
            }
        }
        Act {
            points,
            shapes,
            records,
            record_of,
            special_of,
            settled: None,
            declared: DeclaredKeys::default(),
        }
    }

    /// What moves.
    pub fn points(&self) -> &Points {
        &self.points
    }

    /// Whether the making is over in `state`.
    pub fn is_settled(&self, state: &[u8]) -> bool {
        let there = |record: &Fixed| state.get(record.at).copied() == Some(record.kind as u8);
        let over = self.settled.as_ref().is_none_or(|settled| {
            // The maker may have gone, which it does when the making is over.
            if state.get(settled.at).copied() != Some(settled.tag) {
                return true;
            }
            let location = settled.scalar.load(state, settled.at + 1);
            settled
                .after
                .get(location as usize)
                .copied()
                .unwrap_or(false)
        });
        over && self.records.iter().all(there)
    }

    /// Gives the bytes that [`Act::is_settled`] looks at.
    pub(crate) fn settling_bytes(&self, mut give: impl FnMut(Range<usize>)) {
        for record in &self.records {
            give(record.at..record.at + 1);
        }
        if let Some(settled) = &self.settled {
            give(settled.at..settled.at + 1 + settled.scalar.n_bytes() as usize);
        }
    }

    /// Moves `state` by the permutation that sends point `x` to `image[x]`; `out` becomes the
    /// result.
    ///
    /// # Requires
    /// The making is over in `state`, and `image` is of the group.
    pub fn apply(&self, image: &[Point], state: &[u8], out: &mut Vec<u8>) {
        out.clear();
        out.extend_from_slice(state);
        let mut mover = Mover {
            act: self,
            image,
            state,
            out,
        };
        mover.fields(0, 0, 0);
        let mut at = self.shapes[0].size;
        for record in &self.records {
            mover.fixed(record);
            at = record.at + self.shapes[record.kind].size;
        }
        while at < state.len() {
            let kind = usize::from(state[at]);
            mover.location(kind, at, (kind, at));
            mover.fields(kind, at, at);
            mover.messages(kind, at, at);
            at += self.shapes[kind].size;
        }
    }
}

impl Act {
    /// Moves `state` by a symmetry, as [`Act::apply`] does; the identity moves every state.
    pub fn move_by(&self, symmetry: &Symmetry, state: &[u8], out: &mut Vec<u8>) {
        if symmetry.is_identity() {
            out.clear();
            out.extend_from_slice(state);
            return;
        }
        self.apply(symmetry.image(), state, out);
    }
}

/// The records up to the last that moves, in the order in which they came to be.
fn fixed_records(population: &Population, points: &Points) -> Vec<Fixed> {
    let processes = population
        .processes
        .iter()
        .map(|r| (r, points.process(r.number)));
    let channels = population
        .channels
        .iter()
        .map(|r| (r, points.channel(r.number)));
    let mut all: Vec<Fixed> = processes
        .chain(channels)
        .map(|(record, point)| Fixed {
            kind: record.kind.index(),
            at: record.at,
            point,
        })
        .collect();
    all.sort_by_key(|record| record.at);
    let n = all
        .iter()
        .rposition(|record| record.point != NONE)
        .map_or(0, |n| n + 1);
    all.truncate(n);
    all
}

/// What is done about variables that never change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Constants {
    /// They move like others: who checks a symmetry wants to see that they come out as they were.
    Move,
    /// They stay: a symmetry leaves all of them as they are, so nobody needs to look.
    Stay,
}

struct Compiler<'a> {
    sorts: &'a Sorts,
    population: &'a Population,
    points: &'a Points,
    constants: Constants,
}

impl Compiler<'_> {
    fn shape(&self, kind: KindId) -> Shape {
        let record = self.sorts.text.layout.kind(kind);
        let moves = self.moves(kind);
        let specials = (0..record.fields.len()).filter_map(|f| self.special(kind, f, moves));
        Shape {
            size: record.size as usize,
            is_channel: matches!(record.role, Role::Channel(_)),
            location: match record.role {
                Role::Process { location } => Some(location),
                _ => None,
            },
            locations: self.locations(kind, record),
            specials: specials.collect(),
            inert: self.inert(kind, record),
            messages: self.messages(kind, record),
        }
    }

    fn inert(&self, kind: KindId, record: &RecordKind) -> Vec<(usize, usize)> {
        let fields = record.fields.iter().enumerate();
        let unused = fields.filter(|(f, _)| self.stays(kind, *f));
        let ranges = unused.flat_map(|(_, field)| {
            let n_bytes = field.slot.scalar.n_bytes() as usize;
            let elements = (0..field.n_elements()).map(|n| field.element_at(n) as usize);
            elements.map(move |at| (at, at + n_bytes))
        });
        ranges.collect()
    }

    /// Whether a field is left alone.
    fn stays(&self, kind: KindId, f: usize) -> bool {
        match self.constants {
            Constants::Move => !self.sorts.uses[kind.index()][f].used,
            Constants::Stay => self.sorts.is_constant(kind, f, self.population),
        }
    }

    /// Whether processes of a kind become processes of another.
    fn moves(&self, kind: KindId) -> bool {
        let Some(p) = self.proctype(kind) else {
            return false;
        };
        let bearers = &self.points.bearers;
        // Then all its locations move.
        let live = self.sorts.live[p.index()]
            .iter()
            .take(self.sorts.n_locations[p.index()]);
        let mut live = live.enumerate().filter(|(_, live)| **live).map(|(l, _)| l);
        let moved = |at: usize| bearers.contains(&Bearer::Location(p, LocationId::new(at)));
        live.clone().next().is_some() && live.all(moved)
    }

    fn proctype(&self, kind: KindId) -> Option<ProctypeId> {
        let all = &self.sorts.text.proctypes;
        all.iter().position(|p| p.kind == kind).map(ProctypeId::new)
    }

    fn locations(&self, kind: KindId, record: &RecordKind) -> Option<(Scalar, Vec<Point>)> {
        let Role::Process { location } = record.role else {
            return None;
        };
        let p = self.proctype(kind)?;
        let n = self.sorts.text.proctype(p).locations.len();
        let points = (0..n).map(|at| self.points.location(p, LocationId::new(at)));
        let points: Vec<Point> = points.collect();
        points
            .iter()
            .any(|p| *p != NONE)
            .then_some((location, points))
    }

    fn special(&self, kind: KindId, f: usize, moves: bool) -> Option<Special> {
        let field = &self.sorts.text.layout.kind(kind).fields[f];
        let classes = &self.sorts.fields[kind.index()][f];
        let point = self.points.field(kind, FieldId::new(f));
        let class = Some(classes.value).filter(|c| !self.points.members(*c).is_empty());
        let indexed = classes
            .indices
            .iter()
            .any(|c| !self.points.members(*c).is_empty());
        if self.stays(kind, f) || (point == NONE && class.is_none() && !indexed && !moves) {
            return None;
        }
        let elements = (0..field.n_elements()).map(|n| {
            let mut rest = n;
            let mut moving = Vec::new();
            for (d, dimension) in field.dimensions.iter().enumerate().rev() {
                let index = (rest % dimension.count) as i32;
                rest /= dimension.count;
                let point = self.points.members(classes.indices[d]).point(index);
                if point != NONE {
                    moving.push((d, point));
                }
            }
            moving.reverse();
            Element {
                at: field.element_at(n) as usize,
                moving,
            }
        });
        Some(Special {
            field: FieldId::new(f),
            point,
            at: field.at as usize,
            scalar: field.slot.scalar,
            strides: field.dimensions.iter().map(|d| d.stride as usize).collect(),
            class,
            neutral: match self.proctype(kind) {
                Some(p) => self.sorts.neutral[p.index()][f].clone(),
                None => Vec::new(),
            },
            elements: elements.collect(),
        })
    }

    fn messages(&self, kind: KindId, record: &RecordKind) -> Messages {
        let Role::Channel(buffer) = &record.role else {
            return Messages::default();
        };
        let fields = buffer.fields.iter().enumerate();
        let renamed = fields.filter_map(|(i, (at, slot))| {
            let sent = self.sent(kind, buffer, i)?;
            Some((*at as usize, slot.scalar, sent))
        });
        Messages {
            size: buffer.message_size as usize,
            fields: renamed.collect(),
        }
    }

    /// The class of a field of messages, if what it holds is ever renamed.
    fn sent(&self, kind: KindId, buffer: &Buffer, i: usize) -> Option<Sent> {
        let classes = &self.sorts.messages[kind.index()];
        let moves = |class: &ClassId| !self.points.members(*class).is_empty();
        let Some(tag) = &classes.tag else {
            let class = classes.variants.first()?.get(i).copied();
            return class.filter(moves).map(Sent::Always);
        };
        let variants = classes.variants.iter().map(|one| one[i]);
        let variants = tag.values.iter().copied().zip(variants);
        let renamed: Vec<(i32, ClassId)> = variants.filter(|(_, class)| moves(class)).collect();
        let (at, slot) = &buffer.fields[tag.field];
        let sent = || Sent::ByTag(*at as usize, slot.scalar, renamed.clone());
        (!renamed.is_empty()).then(sent)
    }
}

struct Mover<'a> {
    act: &'a Act,
    image: &'a [Point],
    state: &'a [u8],
    out: &'a mut [u8],
}

impl Mover<'_> {
    fn fixed(&mut self, record: &Fixed) {
        let to = match record.point {
            NONE => record,
            point => {
                let to = self.image[point as usize];
                &self.act.records[self.act.record_of[to as usize]]
            }
        };
        let (from_kind, to_kind) = (record.kind, to.kind);
        let size = self.act.shapes[from_kind].size;
        if to.at != record.at && size == self.act.shapes[to_kind].size {
            let bytes = &self.state[record.at + 1..record.at + size];
            self.out[to.at + 1..to.at + size].copy_from_slice(bytes);
            for (start, end) in &self.act.shapes[to_kind].inert {
                let bytes = &self.state[to.at + start..to.at + end];
                self.out[to.at + start..to.at + end].copy_from_slice(bytes);
            }
        }
        self.location(from_kind, record.at, (to_kind, to.at));
        self.fields(from_kind, record.at, to.at);
        self.messages(from_kind, record.at, to.at);
    }

    fn location(&mut self, kind: usize, at: usize, (to_kind, to): (usize, usize)) {
        let Some((scalar, points)) = &self.act.shapes[kind].locations else {
            return;
        };
        let location = scalar.load(self.state, at + 1);
        let point = points.get(location as usize).copied().unwrap_or(NONE);
        if point != NONE {
            let target = self.act.points.values[self.image[point as usize] as usize];
            let scalar = match &self.act.shapes[to_kind].locations {
                Some((scalar, _)) => *scalar,
                None => *scalar,
            };
            scalar.store(self.out, to + 1, target);
        }
    }

    /// What a number of a class is called afterwards.
    #[inline]
    fn renamed(&self, members: &Members, value: i32) -> i32 {
        match members.point(value) {
            NONE => value,
            point => self.act.points.values[self.image[point as usize] as usize],
        }
    }

    /// Moves the special fields of the record at `at` to the record at `to`.
    fn fields(&mut self, kind: usize, at: usize, to: usize) {
        let act = self.act;
        let here = act.shapes[kind].at(self.state, at);
        for special in &act.shapes[kind].specials {
            let target = match special.point {
                NONE => special,
                point => {
                    let to = self.image[point as usize];
                    let (kind, n) = act.special_of[to as usize];
                    &act.shapes[kind].specials[n]
                }
            };
            for element in &special.elements {
                let mut value = special.scalar.load(self.state, at + element.at);
                if let Some(class) = special.class_at(here) {
                    value = self.renamed(act.points.members(class), value);
                }
                let mut place = to + element.at - special.at + target.at;
                for (d, point) in &element.moving {
                    let old = act.points.values[*point as usize] as usize;
                    let new = act.points.values[self.image[*point as usize] as usize] as usize;
                    place = place + new * target.strides[*d] - old * special.strides[*d];
                }
                target.scalar.store(self.out, place, value);
            }
        }
    }

    fn messages(&mut self, kind: usize, at: usize, to: usize) {
        let act = self.act;
        let shape = &act.shapes[kind];
        if !shape.is_channel || shape.messages.fields.is_empty() {
            return;
        }
        for n in 0..usize::from(self.state[at + 1]) {
            let first = MESSAGES_AT as usize + n * shape.messages.size;
            for (offset, scalar, sent) in &shape.messages.fields {
                let mut value = scalar.load(self.state, at + first + offset);
                if let Some(class) = sent.class(self.state, at + first) {
                    value = self.renamed(act.points.members(class), value);
                }
                scalar.store(self.out, to + first + offset, value);
            }
        }
    }
}
