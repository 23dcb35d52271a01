//! From the picture of a model to the lists of places that sorting reads and moves.
//!
//! Whatever a column has, each column of its segment must have in the same way: as many bytes, of
//! the same class, told by the same key (the orbit of the point that moves it, and where it is in
//! that point's data). Where that is not so, nothing is made, and the general way is taken.

use super::pair::Pair;
use super::read::Readers;
use super::{COLUMN_BITS, COLUMNS_MAX, Cell, Later, Queue, Segment, Sorting, Word};
use super::{digest, salt_of_place};
use crate::processes::act::{Act, Shape};
use crate::processes::picture::{self, Picture};
use crate::processes::points::{Members, NONE};
use group::image::Canoniser;
use group::{Group, Perm, Point};
use model::processes::layout::Scalar;
use std::collections::BTreeMap;

/// What tells apart the things that a column has: what kind of thing it is, the orbit of the point
/// that moves it, and two numbers more.
type Key = [usize; 4];

/// Something that a column has.
#[derive(Clone, PartialEq, Debug)]
enum Thing {
    /// Data of so many bytes, compared.
    Word(usize),
    /// So many bytes, moved.
    Span(usize),
    /// How it is kept, which members it may be, and where it does not matter.
    Cell(Scalar, usize, Option<(Scalar, Vec<bool>)>),
    Queue(usize),
}

/// A thing with its key and where it is, and where the location of its process is.
type Entry = (Key, Thing, usize, usize);

const WORD: usize = 0;
const PLAIN_CELL: usize = 1;
const CELL: usize = 2;
const QUEUE: usize = 3;
const RECORD: usize = 4;
const ELEMENT: usize = 5;
const LOCATION: usize = 6;
const PAIR: usize = 7;

impl Sorting {
    /// The lists for a model, if each column has what the others of its orbit have.
    ///
    /// # Requires
    /// `canoniser` was made from `group`.
    pub fn new(
        act: &Act,
        picture: &Picture,
        group: &Group,
        canoniser: &Canoniser,
    ) -> Option<Sorting> {
        let segments = canoniser.column_orbits()?;
        let n_columns = segments.iter().map(Vec::len).sum::<usize>();
        if n_columns == 0 || n_columns > COLUMNS_MAX {
            return None;
        }
        let mut sorting = Compiler::new(act, &segments).sorting(picture)?;
        sorting.n_free = canoniser.segment_sizes().len();
        sorting.take_group(group, canoniser);
        sorting.readers = Readers::new(&sorting, act)?;
        sorting.passes_trial(act).then_some(sorting)
    }

    /// Notes what the group does to columns.
    fn take_group(&mut self, group: &Group, canoniser: &Canoniser) {
        let mask = |segment: &Segment| (u64::MAX >> (64 - segment.len)) << segment.first;
        self.segment_masks = self.segments.iter().map(mask).collect();
        let packed = self.segments.iter().filter(|segment| segment.is_packed);
        self.packed = packed.map(mask).fold(0, |all, own| all | own);
        let target = |g: &Perm, points: &Vec<Point>| self.places[g.at(points[0]) as usize].0;
        let generators = group.generators().iter();
        self.moves = generators
            .map(|g| self.columns.iter().map(|c| target(g, c)).collect())
            .collect();
        let segment_of = |column: u32| {
            let holds = |mask: &u64| mask >> column & 1 == 1;
            self.segment_masks.iter().position(holds)
        };
        let classes = canoniser.exchangeable().iter();
        self.exchangeable = classes
            .filter_map(|class| {
                let columns = class.iter().map(|&c| c as u8);
                Some((segment_of(*class.first()?)?, columns.collect()))
            })
            .collect();
        let led = &self.segments[self.n_free..];
        if self.pairs.is_empty() && led.iter().all(|segment| segment.is_packed) {
            self.tree = canoniser.stabiliser_tree();
        }
    }
}

/// The members of each class, and then for each kind of record its locations.
fn members(act: &Act) -> Vec<Members> {
    let mut members = act.points.classes.clone();
    for shape in &act.shapes {
        let locations = shape.locations.as_ref();
        let points = locations.map_or(Vec::new(), |(_, points)| points.clone());
        members.push(Members::from_zero(points));
    }
    members
}

struct Compiler<'a> {
    act: &'a Act,
    /// By point: the number of its orbit.
    roles: Vec<usize>,
    /// By column: what it has.
    entries: Vec<Vec<Entry>>,
    /// Cells between two points, by the orbits of these and their type: the columns, where they
    /// are, and how they are kept.
    between: BTreeMap<Key, Vec<(usize, usize, usize, Scalar)>>,
    sorting: Sorting,
}

impl<'a> Compiler<'a> {
    fn new(act: &'a Act, segments: &[Vec<&[Point]>]) -> Compiler<'a> {
        let n_points = act.points.len();
        let mut sorting = Sorting {
            segments: Vec::new(),
            n_free: 0,
            exchangeable: Vec::new(),
            tree: None,
            segment_masks: Vec::new(),
            packed: 0,
            readers: Readers::default(),
            moves: Vec::new(),
            values: act.points.values.clone(),
            members: members(act),
            places: vec![(0, 0); n_points],
            role_salts: vec![0; n_points],
            roles: vec![0; n_points],
            columns: Vec::new(),
            lanes: Vec::new(),
            messages: act.shapes.iter().map(|s| s.messages.clone()).collect(),
            pairs: Vec::new(),
            stays: Vec::new(),
            queues: Vec::new(),
            later: Vec::new(),
            sizes: act.shapes.iter().map(|shape| shape.size).collect(),
            neutral: Vec::new(),
            end: 0,
        };
        let mut roles = vec![0; n_points];
        let mut n_roles = 0;
        for columns in segments {
            let first = sorting.columns.len();
            for points in columns {
                for (role, &x) in points.iter().enumerate() {
                    sorting.places[x as usize] = (sorting.columns.len() as u8, role as u8);
                    sorting.role_salts[x as usize] = digest((n_roles + role) as u64 + 1, ROLE);
                    roles[x as usize] = n_roles + role;
                    sorting.roles[x as usize] = (n_roles + role) as u16;
                }
                sorting.columns.push(points.to_vec());
            }
            n_roles += columns[0].len();
            sorting.segments.push(Segment {
                first,
                len: columns.len(),
                words: Vec::new(),
                n_words: 0,
                cells: Vec::new(),
                n_cells: 0,
                queues: Vec::new(),
                n_queues: 0,
                spans: Vec::new(),
                is_packed: false,
            });
        }
        Compiler {
            act,
            roles,
            entries: vec![Vec::new(); sorting.columns.len()],
            between: BTreeMap::new(),
            sorting,
        }
    }

    fn sorting(mut self, picture: &Picture) -> Option<Sorting> {
        for plain in &picture.plains {
            let key = [WORD, self.role(plain.point), plain.word, plain.shift];
            self.add(plain.point, (key, Thing::Word(plain.len), plain.at, 0));
        }
        for cell in &picture.cells {
            match cell.movers[..] {
                [] => self.cell_that_stays(cell)?,
                [x] => self.cell_that_moves(cell, x),
                [x, y] if cell.class.is_none() => self.cell_between(cell, (x, y)),
                _ => return None,
            }
        }
        for at in &picture.ats {
            self.location(at);
        }
        for queue in &picture.queues {
            match queue.point {
                NONE => self.sorting.queues.push(Queue {
                    at: queue.at as u32,
                    lane: 0,
                    kind: queue.kind as u32,
                    salt: salt_of_place(queue.at),
                }),
                x => {
                    let key = [QUEUE, self.role(x), 0, 0];
                    let kind = self.like_kind(queue.kind);
                    self.add(x, (key, Thing::Queue(kind), queue.at, 0));
                }
            }
        }
        self.records();
        self.sorting.end = picture.end;
        let act = self.act;
        let later = act.shapes.iter().enumerate();
        let later = later.map(|(kind, shape)| self.later(kind, shape));
        self.sorting.later = later.collect::<Vec<_>>();
        for n in 0..self.sorting.segments.len() {
            self.segment(n)?;
        }
        let between = std::mem::take(&mut self.between);
        for (key, cells) in &between {
            let pair = self.pair(key, cells)?;
            self.sorting.pairs.push(pair);
        }
        Some(self.sorting)
    }

    /// The first kind of channel that is kept as this one is; other kinds are like themselves only.
    fn like_kind(&self, kind: usize) -> usize {
        let shapes = &self.act.shapes;
        let own = &shapes[kind];
        let is_like = |shape: &Shape| {
            shape.is_channel
                && own.is_channel
                && shape.size == own.size
                && shape.messages == own.messages
                && shape.inert == own.inert
                && (shape.specials.is_empty() && own.specials.is_empty())
        };
        shapes.iter().position(is_like).unwrap_or(kind)
    }

    fn role(&self, point: Point) -> usize {
        self.roles[point as usize]
    }

    fn add(&mut self, point: Point, entry: Entry) {
        let (column, _) = self.sorting.places[point as usize];
        self.entries[usize::from(column)].push(entry);
    }

    /// The number of a list of locations.
    fn neutral(neutral: &mut Vec<Vec<bool>>, list: &[bool]) -> u32 {
        let known = neutral.iter().position(|known| known == list);
        let number = known.unwrap_or_else(|| {
            neutral.push(list.to_vec());
            neutral.len() - 1
        });
        number as u32
    }

    fn cell_that_stays(&mut self, cell: &picture::Cell) -> Option<()> {
        let neutral = cell.neutral.as_ref().map(|(at, scalar, list)| {
            let list = Compiler::neutral(&mut self.sorting.neutral, list);
            (*at as u32, *scalar, list)
        });
        self.sorting.stays.push(Cell {
            at: cell.at as u32,
            lane: 0,
            scalar: cell.scalar,
            members: cell.class?.index() as u32,
            neutral,
            salt: salt_of_place(cell.at),
            shift: None,
        });
        Some(())
    }

    fn cell_that_moves(&mut self, cell: &picture::Cell, x: Point) {
        let (role, ty) = (self.role(x), cell.ty as usize);
        let n_bytes = cell.scalar.n_bytes() as usize;
        let (thing, kind) = match cell.class {
            None => (Thing::Word(n_bytes), PLAIN_CELL),
            Some(class) => {
                let neutral = cell.neutral.as_ref();
                let neutral = neutral.map(|(_, scalar, list)| (*scalar, list.clone()));
                (Thing::Cell(cell.scalar, class.index(), neutral), CELL)
            }
        };
        let location = cell.neutral.as_ref().map_or(0, |(at, ..)| *at);
        self.add(x, ([kind, role, ty, 0], thing, cell.at, location));
        // What is in a record that moves goes with it.
        let within = self.act.records.iter().any(|record| {
            let end = record.at + self.act.shapes[record.kind].size;
            record.point == x && (record.at..end).contains(&cell.at)
        });
        if !within {
            let key = [ELEMENT, role, ty, 0];
            self.add(x, (key, Thing::Span(n_bytes), cell.at, 0));
        }
    }

    fn cell_between(&mut self, cell: &picture::Cell, (x, y): (Point, Point)) {
        let key = [PAIR, self.role(x), self.role(y), cell.ty as usize];
        let column = |point: Point| usize::from(self.sorting.places[point as usize].0);
        let cell = (column(x), column(y), cell.at, cell.scalar);
        self.between.entry(key).or_default().push(cell);
    }

    /// A matrix, if each column of a segment has a row in it with one place for each column of a
    /// segment.
    fn pair(&self, key: &Key, cells: &[(usize, usize, usize, Scalar)]) -> Option<Pair> {
        let &(from, to, _, scalar) = cells.first()?;
        let segment_of = |column: usize| {
            let mut segments = self.sorting.segments.iter();
            segments.find(|s| (s.first..s.first + s.len).contains(&column))
        };
        let (rows, places) = (segment_of(from)?, segment_of(to)?);
        let mut sorted: Vec<_> = cells.iter().collect();
        sorted.sort_by_key(|(from, to, ..)| (*from, *to));
        let all = (rows.first..rows.first + rows.len)
            .flat_map(|from| (places.first..places.first + places.len).map(move |to| (from, to)));
        let is_full = sorted.iter().map(|(from, to, ..)| (*from, *to)).eq(all);
        let is_alike = sorted.iter().all(|cell| cell.3 == scalar);
        (is_full && is_alike).then(|| Pair {
            first: (rows.first, places.first),
            len: (rows.len, places.len),
            at: sorted.iter().map(|cell| cell.2 as u32).collect(),
            scalar,
            salt: salt_of_key(key),
        })
    }

    /// A location of a process where some locations move.
    fn location(&mut self, at: &picture::At) {
        let Some((scalar, _)) = self.act.shapes[at.kind].locations else {
            return;
        };
        let members = self.sorting.location_members(at.kind);
        if at.point == NONE {
            self.sorting.stays.push(Cell {
                at: at.at as u32,
                lane: 0,
                scalar,
                members: members as u32,
                neutral: None,
                salt: salt_of_place(at.at),
                shift: None,
            });
            return;
        }
        let key = [LOCATION, self.role(at.point), 0, 0];
        self.add(
            at.point,
            (key, Thing::Cell(scalar, members, None), at.at, 0),
        );
    }

    /// The bytes of records that move as they are: all but the tag and what nothing uses.
    fn records(&mut self) {
        for record in self.act.records.iter().filter(|r| r.point != NONE) {
            let shape = &self.act.shapes[record.kind];
            let mut moves = vec![true; shape.size];
            moves[0] = false;
            for (start, end) in &shape.inert {
                moves[*start..*end].fill(false);
            }
            let mut at = 0;
            while at < shape.size {
                let len = moves[at..].iter().take_while(|moves| **moves).count();
                if len > 0 {
                    // Only records that are kept alike are columns of one segment.
                    let kind = self.like_kind(record.kind);
                    let key = [RECORD, self.role(record.point), kind, at];
                    let entry = (key, Thing::Span(len), record.at + at, 0);
                    self.add(record.point, entry);
                }
                at += len.max(1);
            }
        }
    }

    fn later(&mut self, kind: usize, shape: &Shape) -> Later {
        let mut cells = Vec::new();
        cells.extend(shape.locations.as_ref().map(|(scalar, _)| Cell {
            at: 1,
            lane: 0,
            scalar: *scalar,
            members: self.sorting.location_members(kind) as u32,
            neutral: None,
            salt: 0,
            shift: None,
        }));
        for special in &shape.specials {
            let moves = special.elements.iter().any(|e| !e.moving.is_empty());
            if special.point != NONE || moves {
                return Later::Unknown;
            }
            let Some(class) = special.class else {
                continue;
            };
            let neutral = match shape.location {
                Some(scalar) if special.neutral.contains(&true) => {
                    let list = Compiler::neutral(&mut self.sorting.neutral, &special.neutral);
                    Some((1, scalar, list))
                }
                _ => None,
            };
            cells.extend(special.elements.iter().map(|element| Cell {
                at: element.at as u32,
                lane: 0,
                scalar: special.scalar,
                members: class.index() as u32,
                neutral,
                salt: 0,
                shift: None,
            }));
        }
        Later::Known(cells)
    }

    /// Lines up what the columns of a segment have.
    fn segment(&mut self, n: usize) -> Option<()> {
        let (first, len) = (self.sorting.segments[n].first, self.sorting.segments[n].len);
        let columns = &mut self.entries[first..first + len];
        for entries in columns.iter_mut() {
            entries.sort_by_key(|entry| (entry.0, entry.2));
            // Of one key, as the first row and the first place of each row of a matrix are, the
            // order of places tells which is which. The trial finds out if it does not.
            for n in 1..entries.len() {
                if entries[n].0[..3] == entries[n - 1].0[..3] {
                    entries[n].0[3] = entries[n].0[3].max(entries[n - 1].0[3] + 1);
                }
            }
        }
        let model = &columns[0];
        let is_like = |entries: &Vec<Entry>| {
            let pairs = entries.iter().zip(model);
            entries.len() == model.len() && pairs.into_iter().all(|(a, b)| a.0 == b.0 && a.1 == b.1)
        };
        if !columns.iter().all(is_like) {
            return None;
        }
        let Sorting {
            segments,
            lanes,
            neutral,
            columns: all,
            ..
        } = &mut self.sorting;
        let (segment, n_columns) = (&mut segments[n], all.len());
        for (k, (_, thing, ..)) in model.iter().enumerate() {
            if let Thing::Span(n_bytes) = thing {
                let lane = lanes.len() + k * n_columns;
                segment.spans.push((lane as u32, *n_bytes as u32));
            }
        }
        for (c, entries) in columns.iter().enumerate() {
            for (k, entry) in entries.iter().enumerate() {
                let lane = (lanes.len() + k * n_columns) as u32;
                segment.push(c, entry, lane, neutral);
            }
        }
        for k in 0..model.len() {
            let start = lanes.len();
            lanes.resize(start + n_columns, 0);
            for (c, entries) in columns.iter().enumerate() {
                lanes[start + first + c] = entries[k].2 as u32;
            }
        }
        // The number of an orbit and two bits go into a byte.
        if self.roles.iter().all(|role| *role < 1 << 6) {
            segment.pack();
        }
        Some(())
    }
}

impl Segment {
    /// Adds a thing of column `c`, the columns in their order.
    fn push(&mut self, c: usize, entry: &Entry, lane: u32, lists: &mut Vec<Vec<bool>>) {
        let (key, thing, at, location) = entry;
        let at = *at as u32;
        let salt = salt_of_key(key);
        let is_first = usize::from(c == 0);
        match thing {
            Thing::Span(_) => {}
            Thing::Word(len) => {
                self.n_words += is_first;
                self.words.push(Word {
                    at,
                    len: *len as u32,
                    mask: u64::MAX >> (64 - 8 * len),
                    salt,
                    shift: None,
                });
            }
            Thing::Cell(scalar, members, neutral) => {
                self.n_cells += is_first;
                let neutral = neutral.as_ref().map(|(scalar, list)| {
                    let list = Compiler::neutral(lists, list);
                    (*location as u32, *scalar, list)
                });
                self.cells.push(Cell {
                    at,
                    lane,
                    scalar: *scalar,
                    members: *members as u32,
                    neutral,
                    salt,
                    shift: None,
                });
            }
            Thing::Queue(kind) => {
                self.n_queues += is_first;
                self.queues.push(Queue {
                    at,
                    lane,
                    kind: *kind as u32,
                    salt,
                });
            }
        }
    }
}

impl Segment {
    /// Gives all that a column has its own bits of the key, if there are enough.
    fn pack(&mut self) {
        let words = self.words[..self.n_words].iter().map(|w| 8 * w.len);
        let cells = self.cells[..self.n_cells].iter();
        let cells = cells.map(|cell| 8 * cell.scalar.n_bytes() + 1);
        let bits: Vec<u32> = words.chain(cells).collect();
        if self.n_queues > 0 || COLUMN_BITS + bits.iter().sum::<u32>() > u64::BITS {
            return;
        }
        self.is_packed = true;
        let starts = bits.iter().scan(COLUMN_BITS, |next, n_bits| {
            let start = *next as u8;
            *next += n_bits;
            Some(start)
        });
        let starts: Vec<u8> = starts.collect();
        let (words, cells) = starts.split_at(self.n_words);
        for (word, start) in self.words.iter_mut().zip(words.iter().cycle()) {
            word.shift = Some(*start);
        }
        for (cell, start) in self.cells.iter_mut().zip(cells.iter().cycle()) {
            cell.shift = Some(*start);
        }
    }
}

fn salt_of_key(key: &Key) -> u64 {
    key.iter().fold(SLOT, |salt, &k| digest(k as u64 + 1, salt))
}

/// What keys are mixed with.
const SLOT: u64 = 0x9fb2_1c65_1e98_df25;
/// What orbits are mixed with.
const ROLE: u64 = 0x2545_f491_4f6c_dd1d;
