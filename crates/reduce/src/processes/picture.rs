//! A state as an object over points: what images are taken of.
//!
//! The plain data that a point owns becomes its colour: the bytes of a process but for what is
//! renamed, the plain elements of arrays at their index. A number that is a point becomes an arc
//! from its owner. Plain elements between two points (a local array over members, a matrix) become
//! arcs whose label is their value; what lies between more points becomes a vertex of its own.
//! What belongs to no point is the same in all states of an orbit and is left out, unless it refers
//! to a point: then it hangs on one vertex for all that stays.
//!
//! Worked example: processes 0 and 1 with a location and a reference `next`, a global `turn`:
//! process 0 at location 3 with `next == 1`, process 1 at 0 with `next == 255` (no point), `turn ==
//! 0`. Points 0, 1 (processes) and 2, 3 (the members 0 and 1). Colours: point 0 has the bytes
//! `3 0`, point 1 has `0 255`; arcs: 0 → 3 labelled `next`, and from the vertex for all that
//! stays → 2 labelled `turn`.
//!
//! Equal colours mean equal data: data longer than a word go into further vertices, they are not
//! hashed.

use crate::processes::act::{Act, Element, Fixed, Special};
use crate::processes::points::NONE;
use crate::processes::sort::ClassId;
use group::Point;
use group::image::{Node, Object};
use model::processes::layout::{MESSAGES_AT, Scalar};
use std::collections::HashMap;

/// What a cell of the state is, for all states and all symmetries: the same number for cells that
/// symmetries move into each other.
type Type = u32;

/// Bytes of plain data.
#[derive(Clone, Debug)]
pub(crate) struct Plain {
    pub at: usize,
    /// At most eight, so that they go into one word.
    pub len: usize,
    mask: u64,
    pub point: Point,
    /// Where in the point's data they go: which word, and how far up.
    pub word: usize,
    pub shift: usize,
}

/// A number that is renamed, or whose place moves.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub at: usize,
    pub scalar: Scalar,
    pub class: Option<ClassId>,
    /// Where the location of its process is, and at which locations it does not matter.
    pub neutral: Option<(usize, Scalar, Vec<bool>)>,
    /// The points that move it.
    pub movers: Vec<Point>,
    pub ty: Type,
    /// Where in the only mover's data it goes if it is no point.
    byte: usize,
}

impl Cell {
    /// The class of what it holds, if that is renamed in `state`.
    #[inline]
    fn class_in(&self, state: &[u8]) -> Option<ClassId> {
        let Some((at, scalar, neutral)) = &self.neutral else {
            return self.class;
        };
        let here = scalar.load(state, *at) as usize;
        let matters = !neutral.get(here).copied().unwrap_or(false);
        self.class.filter(|_| matters)
    }
}

/// The location of a process, where locations move.
#[derive(Clone, Debug)]
pub(crate) struct At {
    pub at: usize,
    pub kind: usize,
    pub point: Point,
    /// What it is, where the process stays.
    ty: Type,
    byte: usize,
}

/// The messages of a channel.
#[derive(Clone, Debug)]
pub(crate) struct Queue {
    pub at: usize,
    pub kind: usize,
    pub point: Point,
    /// The type of the first field that is renamed of the first message.
    ty: Type,
    byte: usize,
}

/// How states become objects.
#[derive(Clone, Debug)]
pub struct Picture {
    pub(crate) plains: Vec<Plain>,
    pub(crate) cells: Vec<Cell>,
    pub(crate) ats: Vec<At>,
    pub(crate) queues: Vec<Queue>,
    /// How many words of data a point has at most.
    n_words: usize,
    /// Types from here on belong to records that came later.
    n_types: Type,
    /// Where records that came later start.
    pub(crate) end: usize,
}

/// Memory that is reused from state to state.
#[derive(Clone, Debug, Default)]
pub struct Canvas {
    words: Vec<u64>,
    /// The object of the last state.
    pub object: Object,
}

/// Labels below this are words of data.
const LABEL_CELLS: u32 = 1 << 12;
/// The label of a location.
const LABEL_AT: u32 = LABEL_CELLS - 1;
/// Values from here on do not fit beside a type in a label.
const VALUE_MAX: i32 = 1 << 10;

impl Picture {
    /// Works out how the states that `act` moves become objects.
    pub fn new(act: &Act) -> Picture {
        Compiler::new(act).picture()
    }

    /// Draws `state` on the canvas.
    pub fn draw(&self, act: &Act, state: &[u8], canvas: &mut Canvas) {
        let n_points = act.points.len();
        canvas.object.reset(n_points);
        canvas.words.clear();
        canvas.words.resize(n_points * self.n_words, 0);
        let mut drawing = Drawing {
            picture: self,
            act,
            state,
            stays: None,
            words: &mut canvas.words,
            object: &mut canvas.object,
        };
        self.plains.iter().for_each(|plain| drawing.plain(plain));
        self.ats.iter().for_each(|at| drawing.location(at));
        self.cells.iter().for_each(|cell| drawing.cell(cell));
        self.queues.iter().for_each(|queue| drawing.queue(queue));
        drawing.later();
        drawing.colours();
    }
}

struct Drawing<'a> {
    picture: &'a Picture,
    act: &'a Act,
    state: &'a [u8],
    /// The vertex for all that stays.
    stays: Option<Node>,
    words: &'a mut [u64],
    object: &'a mut Object,
}

impl Drawing<'_> {
    #[inline]
    fn put(&mut self, point: Point, byte: usize, value: u8) {
        let word = point as usize * self.picture.n_words + byte / 8;
        self.words[word] |= u64::from(value) << (byte % 8 * 8);
    }

    #[inline]
    fn plain(&mut self, plain: &Plain) {
        let word = match self.state.get(plain.at..plain.at + 8) {
            Some(bytes) => u64::from_le_bytes(bytes.try_into().expect("eight bytes")) & plain.mask,
            None => {
                let bytes = self.state[plain.at..plain.at + plain.len].iter().rev();
                bytes.fold(0, |word, byte| word << 8 | u64::from(*byte))
            }
        };
        self.words[plain.point as usize * self.picture.n_words + plain.word] |= word << plain.shift;
    }

    fn put_number(&mut self, point: Point, byte: usize, value: i32, scalar: Scalar) {
        for i in 0..scalar.n_bytes() as usize {
            self.put(point, byte + i, (value >> (8 * i)) as u8);
        }
    }

    fn location(&mut self, at: &At) {
        let Some((scalar, points)) = &self.act.shapes[at.kind].locations else {
            return;
        };
        let location = scalar.load(self.state, at.at);
        let place = points.get(location as usize).copied().unwrap_or(NONE);
        match (at.point, place) {
            (NONE, NONE) => {}
            (NONE, place) => {
                let from = self.stays();
                self.object.add_arc(from, place, LABEL_CELLS + at.ty);
            }
            (point, NONE) => self.put_number(point, at.byte, location, *scalar),
            (point, place) => self.object.add_arc(point, place, LABEL_AT),
        }
    }

    fn stays(&mut self) -> Node {
        match self.stays {
            Some(node) => node,
            None => {
                let node = self.object.add_vertex(0);
                self.stays = Some(node);
                node
            }
        }
    }

    /// The point that a number is.
    #[inline]
    fn point(&self, class: Option<ClassId>, value: i32) -> Point {
        match class {
            Some(class) => self.act.points.members(class).point(value),
            None => NONE,
        }
    }

    #[inline]
    fn cell(&mut self, cell: &Cell) {
        let value = cell.scalar.load(self.state, cell.at);
        let point = self.point(cell.class_in(self.state), value);
        match (&cell.movers[..], point) {
            ([], NONE) => {}
            ([], point) => {
                let from = self.stays();
                self.object.add_arc(from, point, LABEL_CELLS + cell.ty);
            }
            ([x], NONE) => self.put_number(*x, cell.byte, value, cell.scalar),
            ([x], point) => self.object.add_arc(*x, point, LABEL_CELLS + cell.ty),
            (_, NONE) if value == 0 => {}
            ([x, y], NONE) if (0..VALUE_MAX).contains(&value) && cell.ty < 1 << 20 => {
                let label = u32::MAX - ((cell.ty << 10) | value as u32);
                self.object.add_arc(*x, *y, label);
            }
            _ => self.vertex(cell.ty, &cell.movers, value, point),
        }
    }

    /// A vertex for a cell that several points have to do with.
    fn vertex(&mut self, ty: Type, movers: &[Point], value: i32, point: Point) {
        let data = if point == NONE { value as u32 } else { 0 };
        let is_point = u64::from(point != NONE);
        let colour = (u64::from(ty) + 1) << 33 | is_point << 32 | u64::from(data);
        let node = self.object.add_vertex(colour);
        for (n, mover) in movers.iter().enumerate() {
            self.object.add_arc(node, *mover, n as u32 + 1);
        }
        if point != NONE {
            self.object.add_arc(node, point, 0);
        }
    }

    fn queue(&mut self, queue: &Queue) {
        let messages = &self.act.shapes[queue.kind].messages;
        let width: usize = messages
            .fields
            .iter()
            .map(|(_, s, _)| s.n_bytes() as usize)
            .sum();
        for n in 0..usize::from(self.state[queue.at + 1]) {
            let first = queue.at + MESSAGES_AT as usize + n * messages.size;
            let mut byte = queue.byte + n * width;
            for (i, (offset, scalar, sent)) in messages.fields.iter().enumerate() {
                let value = scalar.load(self.state, first + offset);
                let ty = queue.ty + (n * messages.fields.len() + i) as Type;
                let class = sent.class(self.state, first);
                match (queue.point, self.point(class, value)) {
                    (NONE, NONE) => {}
                    (NONE, point) => {
                        let from = self.stays();
                        self.object.add_arc(from, point, LABEL_CELLS + ty);
                    }
                    (x, NONE) => self.put_number(x, byte, value, *scalar),
                    (x, point) => self.object.add_arc(x, point, LABEL_CELLS + ty),
                }
                byte += scalar.n_bytes() as usize;
            }
        }
    }

    /// Records that came after the making: they stay, but may refer to what moves.
    fn later(&mut self) {
        let mut at = self.picture.end;
        let mut ty = self.picture.n_types;
        while at < self.state.len() {
            let kind = usize::from(self.state[at]);
            let shape = &self.act.shapes[kind];
            if let Some((scalar, points)) = &shape.locations {
                let location = scalar.load(self.state, at + 1);
                let point = points.get(location as usize).copied().unwrap_or(NONE);
                if point != NONE {
                    self.vertex(ty, &[], 0, point);
                }
            }
            ty += 1;
            for special in &shape.specials {
                for element in &special.elements {
                    self.later_cell(special, element, at, ty);
                    ty += 1;
                }
            }
            let messages = &shape.messages;
            let n_messages = if shape.is_channel {
                self.state[at + 1]
            } else {
                0
            };
            for n in 0..usize::from(n_messages) {
                let first = at + MESSAGES_AT as usize + n * messages.size;
                for (offset, scalar, sent) in &messages.fields {
                    let value = scalar.load(self.state, first + offset);
                    let point = self.point(sent.class(self.state, first), value);
                    if point != NONE {
                        self.vertex(ty, &[], 0, point);
                    }
                    ty += 1;
                }
            }
            at += shape.size;
        }
    }

    /// A cell of a record that came later. Cells that move into each other have one type.
    fn later_cell(&mut self, special: &Special, element: &Element, at: usize, ty: Type) {
        let value = special.scalar.load(self.state, at + element.at);
        let kind = usize::from(self.state[at]);
        let here = self.act.shapes[kind].at(self.state, at);
        let point = self.point(special.class_at(here), value);
        let mut movers: Vec<Point> = Vec::new();
        movers.extend(Some(special.point).filter(|p| *p != NONE));
        movers.extend(element.moving.iter().map(|(_, p)| *p));
        if point == NONE && (movers.is_empty() || value == 0) {
            return;
        }
        let ty = match movers.is_empty() {
            true => ty,
            // The record is told by where it is, and the cell by what it shares with its like.
            false => {
                let field = special.field.index() as Type + 1;
                let field = if special.point == NONE { field } else { 0 };
                self.picture.n_types + at as Type * 256 + field
            }
        };
        self.vertex(ty, &movers, value, point);
    }

    /// Gives points their data as colours.
    fn colours(&mut self) {
        let n_words = self.picture.n_words;
        if n_words == 0 {
            return;
        }
        for point in 0..self.act.points.len() {
            let words = &self.words[point * n_words..(point + 1) * n_words];
            self.object.set_colour(point as Point, words[0]);
            for (n, word) in words.iter().enumerate().skip(1) {
                if *word != 0 {
                    let node = self.object.add_vertex(*word);
                    self.object.add_arc(point as Point, node, n as u32);
                }
            }
        }
    }
}

/// What cells that symmetries move into each other have in common.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Key {
    /// A cell of what stays: where it is.
    Stays(usize),
    /// A cell that moves: the orbit of its variable, and where it is in that, moving indices aside.
    Moves(Option<usize>, usize),
    /// A field of a message of a channel that moves.
    Message(usize),
}

struct Compiler<'a> {
    act: &'a Act,
    types: HashMap<Key, Type>,
    n_types: Type,
    /// By point: how many bytes of data it has so far.
    n_bytes: Vec<usize>,
    picture: Picture,
}

impl<'a> Compiler<'a> {
    fn new(act: &'a Act) -> Compiler<'a> {
        Compiler {
            act,
            types: HashMap::new(),
            n_types: 0,
            n_bytes: vec![0; act.points.len()],
            picture: Picture {
                plains: Vec::new(),
                cells: Vec::new(),
                ats: Vec::new(),
                queues: Vec::new(),
                n_words: 0,
                n_types: 0,
                end: 0,
            },
        }
    }

    fn picture(mut self) -> Picture {
        let act = self.act;
        // Types are numbered in the order of what they are, so that data lie alike in all points
        // of an orbit.
        let globals = Fixed {
            kind: 0,
            at: 0,
            point: NONE,
        };
        self.fields(&globals);
        self.picture.end = act.shapes[0].size;
        for record in &act.records {
            self.record(record);
            self.picture.end = record.at + act.shapes[record.kind].size;
        }
        self.place_cells();
        let n_bytes = self.n_bytes.iter().copied().max().unwrap_or(0);
        self.picture.n_words = n_bytes.div_ceil(8);
        self.picture.n_types = self.n_types;
        self.picture
    }

    fn new_types(&mut self, n: usize) -> Type {
        self.n_types += n as Type;
        self.n_types - n as Type
    }

    fn ty(&mut self, key: Key, n: usize) -> Type {
        if let Some(ty) = self.types.get(&key) {
            return *ty;
        }
        let ty = self.new_types(n);
        self.types.insert(key, ty);
        ty
    }

    fn record(&mut self, record: &Fixed) {
        let shape = &self.act.shapes[record.kind];
        self.fields(record);
        if record.point != NONE {
            self.plain(record);
        }
        if shape.locations.is_some() {
            self.location(record);
        }
        let messages = &shape.messages;
        if shape.is_channel && !messages.fields.is_empty() && messages.size > 0 {
            let capacity = (shape.size - MESSAGES_AT as usize) / messages.size;
            let n = capacity * messages.fields.len();
            let key = match record.point {
                NONE => Key::Stays(record.at),
                _ => Key::Message(messages.fields.len()),
            };
            // Channels of different kinds that move into each other have the same fields.
            let ty = self.ty(key, n.max(256 * messages.fields.len()));
            let mut byte = 0;
            if record.point != NONE {
                byte = self.n_bytes[record.point as usize];
                let width = messages.fields.iter().map(|(_, s, _)| s.n_bytes() as usize);
                self.n_bytes[record.point as usize] += capacity * width.sum::<usize>();
            }
            self.picture.queues.push(Queue {
                at: record.at,
                kind: record.kind,
                point: record.point,
                ty,
                byte,
            });
        }
    }

    fn location(&mut self, record: &Fixed) {
        let (ty, byte) = match record.point {
            NONE => (self.new_types(1), 0),
            point => (0, self.n_bytes[point as usize]),
        };
        if record.point != NONE {
            self.n_bytes[record.point as usize] += 4;
        }
        self.picture.ats.push(At {
            at: record.at + 1,
            kind: record.kind,
            point: record.point,
            ty,
            byte,
        });
    }

    /// The bytes of a record that are neither renamed nor moved within it.
    fn plain(&mut self, record: &Fixed) {
        let shape = &self.act.shapes[record.kind];
        let mut is_plain = vec![true; shape.size];
        is_plain[0] = false;
        if let Some((scalar, _)) = &shape.locations {
            is_plain[1..1 + scalar.n_bytes() as usize].fill(false);
        }
        for special in &shape.specials {
            for element in &special.elements {
                let n = special.scalar.n_bytes() as usize;
                is_plain[element.at..element.at + n].fill(false);
            }
        }
        for (start, end) in &shape.inert {
            is_plain[*start..*end].fill(false);
        }
        let messages = &shape.messages;
        if shape.is_channel && messages.size > 0 {
            for first in (MESSAGES_AT as usize..shape.size).step_by(messages.size) {
                for (offset, scalar, _) in &messages.fields {
                    let at = first + offset;
                    is_plain[at..at + scalar.n_bytes() as usize].fill(false);
                }
            }
        }
        let mut at = 0;
        while at < shape.size {
            let byte = self.n_bytes[record.point as usize];
            let room = is_plain[at..].iter().take(8 - byte % 8);
            let len = room.take_while(|plain| **plain).count();
            if len > 0 {
                self.picture.plains.push(Plain {
                    at: record.at + at,
                    len,
                    mask: u64::MAX >> (64 - 8 * len),
                    point: record.point,
                    word: byte / 8,
                    shift: byte % 8 * 8,
                });
                self.n_bytes[record.point as usize] += len;
            }
            at += len.max(1);
        }
    }

    fn fields(&mut self, record: &Fixed) {
        let act = self.act;
        for special in &act.shapes[record.kind].specials {
            for element in &special.elements {
                let mut movers: Vec<Point> = Vec::new();
                movers.extend(Some(record.point).filter(|p| *p != NONE));
                movers.extend(Some(special.point).filter(|p| *p != NONE));
                movers.extend(element.moving.iter().map(|(_, p)| *p));
                if movers.is_empty() && special.class.is_none() {
                    continue;
                }
                let mut within = element.at - special.at;
                for (d, point) in &element.moving {
                    within -= act.points.values[*point as usize] as usize * special.strides[*d];
                }
                let key = if movers.is_empty() {
                    Key::Stays(record.at + element.at)
                } else {
                    Key::Moves(self.owner_key(record, special), within)
                };
                let ty = self.ty(key, 1);
                self.picture.cells.push(Cell {
                    at: record.at + element.at,
                    scalar: special.scalar,
                    class: special.class,
                    neutral: self.neutral(record, special),
                    movers,
                    ty,
                    byte: 0,
                });
            }
        }
    }

    fn neutral(&self, record: &Fixed, special: &Special) -> Option<(usize, Scalar, Vec<bool>)> {
        let matters = special.class.is_some() && special.neutral.contains(&true);
        let scalar = self.act.shapes[record.kind].location.filter(|_| matters)?;
        Some((record.at + 1, scalar, special.neutral.clone()))
    }

    /// Which variable of which record a cell is of, as far as symmetries do not move them.
    fn owner_key(&self, record: &Fixed, special: &Special) -> Option<usize> {
        let moved = special.point != NONE;
        let field = special.field.index() + 1;
        match (record.point, moved) {
            // Variables that move into each other are not told apart here.
            (NONE, true) => Some(record.at << 16),
            (_, true) => None,
            (NONE, false) => Some(record.at << 16 | field),
            (_, false) => Some(field),
        }
    }

    /// Gives each cell with one mover its place in that point's data, by type.
    fn place_cells(&mut self) {
        let mut order: Vec<usize> = (0..self.picture.cells.len()).collect();
        order.sort_by_key(|n| self.picture.cells[*n].ty);
        for n in order {
            let cell = &mut self.picture.cells[n];
            if let [x] = cell.movers[..] {
                cell.byte = self.n_bytes[x as usize];
                self.n_bytes[x as usize] += cell.scalar.n_bytes() as usize;
            }
        }
    }
}

impl Picture {
    /// How many words of data a point has at most.
    pub fn n_words(&self) -> usize {
        self.n_words
    }

    /// Whether there may be anything but the data of single points: references, and data between
    /// points. If not, the data say where each state of an orbit is in it.
    pub fn has_references(&self, act: &Act) -> bool {
        let refers = |cell: &Cell| cell.class.is_some() || cell.movers.len() > 1;
        let may_refer = |shape: &crate::processes::act::Shape| {
            let renames = !shape.specials.is_empty() || !shape.messages.fields.is_empty();
            renames || shape.locations.is_some()
        };
        let records = act.shapes.iter().skip(1);
        self.cells.iter().any(refers) || records.into_iter().any(may_refer)
    }

    /// What is the same in all states of an orbit: `state`, with 0 where something moves or is
    /// renamed.
    pub fn residue(&self, act: &Act, state: &[u8], out: &mut Vec<u8>) {
        out.clear();
        out.extend_from_slice(state);
        let is_point = |class: Option<ClassId>, value: i32| {
            class.is_some_and(|class| act.points.members(class).point(value) != NONE)
        };
        for plain in &self.plains {
            out[plain.at..plain.at + plain.len].fill(0);
        }
        for at in &self.ats {
            if let Some((scalar, points)) = &act.shapes[at.kind].locations {
                let place = points.get(scalar.load(state, at.at) as usize);
                if at.point != NONE || place.is_some_and(|place| *place != NONE) {
                    scalar.store(out, at.at, 0);
                }
            }
        }
        for cell in &self.cells {
            let value = cell.scalar.load(state, cell.at);
            if !cell.movers.is_empty() || is_point(cell.class_in(state), value) {
                cell.scalar.store(out, cell.at, 0);
            }
        }
        let mut messages = |kind: usize, at: usize, moves: bool| {
            let messages = &act.shapes[kind].messages;
            for n in 0..usize::from(state[at + 1]) {
                let first = at + MESSAGES_AT as usize + n * messages.size;
                for (offset, scalar, sent) in &messages.fields {
                    let value = scalar.load(state, first + offset);
                    if moves || is_point(sent.class(state, first), value) {
                        scalar.store(out, first + offset, 0);
                    }
                }
            }
        };
        for queue in &self.queues {
            messages(queue.kind, queue.at, queue.point != NONE);
        }
        let mut at = self.end;
        while at < state.len() {
            let kind = usize::from(state[at]);
            if act.shapes[kind].is_channel {
                messages(kind, at, false);
            }
            at += act.shapes[kind].size;
        }
        self.later_residue(act, state, out);
    }

    fn later_residue(&self, act: &Act, state: &[u8], out: &mut [u8]) {
        let mut at = self.end;
        while at < state.len() {
            let shape = &act.shapes[usize::from(state[at])];
            if let Some((scalar, points)) = &shape.locations {
                let location = scalar.load(state, at + 1);
                if points.get(location as usize).is_some_and(|p| *p != NONE) {
                    scalar.store(out, at + 1, 0);
                }
            }
            for special in &shape.specials {
                for element in &special.elements {
                    let value = special.scalar.load(state, at + element.at);
                    let class = special.class_at(shape.at(state, at));
                    let is_point =
                        class.is_some_and(|c| act.points.members(c).point(value) != NONE);
                    if is_point || special.point != NONE || !element.moving.is_empty() {
                        special.scalar.store(out, at + element.at, 0);
                    }
                }
            }
            at += shape.size;
        }
    }
}

impl Canvas {
    /// The plain data of each point of the last state, point by point: as many words each as
    /// [`Picture::n_words`] says.
    pub fn words(&self) -> &[u64] {
        &self.words
    }
}
