//! The structure of a model: a coloured graph whose symmetries are those of the model.
//!
//! Vertices are all that bears state and could move (processes, channels, members of sorts,
//! variables, locations) and all that the text says about them (steps, expressions, tables, what
//! variables hold once the making is over). Colours say what must not change, arcs who belongs to
//! whom; where the language has an order, arcs have labels, and where it has none, they do not.
//!
//! Worked example: `active [2] proctype P() { turn = _pid; (turn == _pid) }`. Vertices: processes 0
//! and 1, the members 0 and 1 of the sort of `_pid`, the variable `turn`, three locations; then for
//! the first step a vertex with arcs to the location it leads to and to a vertex `assign`, which
//! has arcs to `turn` and to a vertex `_pid`; and so on. Each process has an arc to its own member
//! of the sort. The graph has one symmetry but the identity: it exchanges both processes and both
//! members. What `turn` holds at the start is a vertex as well: it refers to member 0. If 0 is
//! overwritten before it is read it should not count, see [`model::processes::passes`]; here it
//! does, and the graph has no symmetry.
//!
//! Nothing rests on this graph being right: what comes out of it is certified on the model.

mod cells;
mod text;

use crate::processes::sort::{ClassId, Sorts};
use model::processes::layout::{FieldId, KindId, Role};
use model::processes::population::{Population, location_of};
use model::processes::program::{Action, LocationId, ProctypeId};
use std::collections::HashMap;
use system::SiteId;

/// Something that bears state and could move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Bearer {
    /// The process of that number.
    Process(i32),
    /// The channel of that number.
    Channel(i32),
    /// A member of a sort.
    Member(ClassId, i32),
    /// A variable: of the globals, or of all processes of a kind.
    Field(KindId, FieldId),
    /// A location.
    Location(ProctypeId, LocationId),
}

/// An arc.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Link {
    /// From where.
    pub from: u32,
    /// To where.
    pub to: u32,
    /// In which way.
    pub label: u32,
}

/// The graph.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Structure {
    /// What the first vertices are, in order.
    pub bearers: Vec<Bearer>,
    /// By vertex.
    pub colours: Vec<u32>,
    /// By vertex: the line of the text it comes from, 0 for none.
    pub lines: Vec<u32>,
    /// By vertex: the statement it comes from.
    pub sites: Vec<Option<SiteId>>,
    /// By vertex: what it is. Nothing is decided by it; it is for telling.
    pub tags: Vec<Tag>,
    /// By colour: the numbers that it was made from, after the tag.
    pub keys: Vec<Vec<i64>>,
    /// The arcs.
    pub links: Vec<Link>,
}

impl Structure {
    /// The numbers that the colour of a vertex was made from.
    pub fn key(&self, vertex: u32) -> &[i64] {
        &self.keys[self.colours[vertex as usize] as usize]
    }
}

/// The structure of a model.
pub fn build(sorts: &Sorts, population: &Population) -> Structure {
    let mut builder = Builder::new(sorts, population);
    builder.bearers();
    builder.kinds();
    builder.classes();
    builder.pid_classes();
    builder.records();
    builder.cells();
    builder.texts();
    builder.structure
}

/// What colours are made of: any list of numbers.
type Key = Vec<i64>;

/// Kinds of vertices; the first number of a key.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Tag {
    Process,
    Channel,
    Member,
    Field,
    Location,
    Inner,
    Kind,
    Class,
    Cell,
    Message,
    At,
    State,
    Step,
    Reset,
    Action,
    Literal,
    Const,
    Node,
    Read,
    Table,
    Row,
    Argument,
    Init,
    Variant,
    Atom,
}

/// Ways of belonging.
#[allow(missing_docs)]
pub mod label {
    pub const PART: u32 = 0;
    pub const KIND: u32 = 1;
    pub const CLASS: u32 = 2;
    pub const PID: u32 = 3;
    pub const NAMES: u32 = 4;
    pub const AT: u32 = 5;
    pub const TARGET: u32 = 6;
    pub const VALUE: u32 = 7;
    pub const FIELD: u32 = 8;
    pub const PLACE: u32 = 9;
    pub const OWNER: u32 = 10;
    pub const CHANNEL: u32 = 11;
    pub const START: u32 = 12;
    pub const PROVIDED: u32 = 13;
    pub const LAST: u32 = 14;
    pub const RESULT: u32 = 15;
    pub const PRIORITY: u32 = 16;
    /// From here on: the first, second, and so on.
    pub const NTH: u32 = 32;
}

struct Builder<'a> {
    sorts: &'a Sorts,
    population: &'a Population,
    structure: Structure,
    colours: HashMap<Key, u32>,
    at: HashMap<Bearer, u32>,
    kinds: Vec<Option<u32>>,
    classes: Vec<Option<u32>>,
    /// The line being worked on.
    line: u32,
    /// The statement being worked on.
    site: Option<SiteId>,
    /// Whose text is being worked on.
    proctype: ProctypeId,
    /// Locations that are in no state, by process type.
    inner: HashMap<(ProctypeId, LocationId), u32>,
}

impl<'a> Builder<'a> {
    fn new(sorts: &'a Sorts, population: &'a Population) -> Builder<'a> {
        let kinds = &sorts.text.layout.kinds;
        Builder {
            sorts,
            population,
            structure: Structure::default(),
            colours: HashMap::new(),
            at: HashMap::new(),
            kinds: vec![None; kinds.len()],
            classes: vec![None; sorts.classes.len()],
            line: 0,
            site: None,
            proctype: ProctypeId::new(0),
            inner: HashMap::new(),
        }
    }

    fn vertex(&mut self, tag: Tag, key: &[i64]) -> u32 {
        let mut whole = vec![tag as i64];
        whole.extend_from_slice(key);
        let n = self.colours.len() as u32;
        let colour = *self.colours.entry(whole).or_insert(n);
        if colour == n {
            self.structure.keys.push(key.to_vec());
        }
        self.structure.colours.push(colour);
        self.structure.lines.push(self.line);
        self.structure.sites.push(self.site);
        self.structure.tags.push(tag);
        self.structure.colours.len() as u32 - 1
    }

    fn link(&mut self, from: u32, to: u32, label: u32) {
        self.structure.links.push(Link { from, to, label });
    }

    fn bearer(&mut self, bearer: Bearer, tag: Tag, key: &[i64]) {
        let vertex = self.vertex(tag, key);
        debug_assert_eq!(vertex as usize, self.structure.bearers.len());
        self.structure.bearers.push(bearer);
        self.at.insert(bearer, vertex);
    }

    /// Whether the text of a type can be run.
    fn is_live(&self, p: usize) -> bool {
        self.sorts.live[p].iter().any(|live| *live)
    }

    fn proctype_of(&self, kind: KindId) -> Option<ProctypeId> {
        let all = &self.sorts.text.proctypes;
        all.iter().position(|p| p.kind == kind).map(ProctypeId::new)
    }

    /// All that bears state, first of all vertices.
    fn bearers(&mut self) {
        let sorts = self.sorts;
        let pins = self.pins();
        for (n, record) in self.population.processes.iter().enumerate() {
            let pin = i64::from(pins.processes[n]) * (1 + n as i64);
            self.bearer(Bearer::Process(record.number), Tag::Process, &[pin]);
        }
        for (n, record) in self.population.channels.iter().enumerate() {
            let pin = i64::from(pins.channels) * (1 + n as i64);
            self.bearer(Bearer::Channel(record.number), Tag::Channel, &[pin]);
        }
        for (c, class) in sorts.classes.iter().enumerate() {
            for value in class.members.iter().flatten() {
                let pinned = class.pinned.contains(value);
                let key = if pinned {
                    vec![i64::from(*value)]
                } else {
                    Vec::new()
                };
                self.bearer(Bearer::Member(ClassId::new(c), *value), Tag::Member, &key);
            }
        }
        for (k, kind) in sorts.text.layout.kinds.iter().enumerate() {
            for (f, field) in kind.fields.iter().enumerate() {
                let mut key = vec![i64::from(field.slot.scalar.n_bytes()), scalar_key(field)];
                key.extend(field.dimensions.iter().map(|d| i64::from(d.count)));
                // What the text does not use may as well stay.
                if !sorts.uses[k][f].used {
                    key.extend([-1, k as i64, f as i64]);
                }
                let bearer = Bearer::Field(KindId::new(k), FieldId::new(f));
                self.bearer(bearer, Tag::Field, &key);
            }
        }
        for (p, live) in sorts.live.iter().enumerate() {
            for (l, live) in live.iter().enumerate() {
                // Locations that were put in are in no state.
                if *live && l < self.n_real(p) {
                    let at = &sorts.text.proctypes[p].locations[l];
                    let pin = i64::from(pins.locations) * (1 + l as i64);
                    let key = [at.end, at.progress, at.accept].map(i64::from);
                    let bearer = Bearer::Location(ProctypeId::new(p), LocationId::new(l));
                    self.bearer(bearer, Tag::Location, &[key[0], key[1], key[2], pin]);
                }
            }
        }
    }

    /// How many locations a type has in the model itself.
    fn n_real(&self, p: usize) -> usize {
        self.sorts.n_locations[p]
    }

    /// A vertex for each kind of record, with arcs from its fields and locations.
    fn kinds(&mut self) {
        let sorts = self.sorts;
        for (k, kind) in sorts.text.layout.kinds.iter().enumerate() {
            let key: Key = match &kind.role {
                Role::Globals => vec![0],
                Role::Process { .. } => vec![1],
                Role::Channel(buffer) => {
                    let scalars = buffer
                        .fields
                        .iter()
                        .map(|(_, slot)| scalar_number(slot.scalar));
                    [2, i64::from(buffer.capacity)]
                        .into_iter()
                        .chain(scalars)
                        .collect()
                }
            };
            let vertex = self.vertex(Tag::Kind, &key);
            self.kinds[k] = Some(vertex);
            for f in 0..kind.fields.len() {
                let field = self.at[&Bearer::Field(KindId::new(k), FieldId::new(f))];
                self.link(field, vertex, label::KIND);
            }
        }
        for (p, proctype) in sorts.text.proctypes.iter().enumerate() {
            let kind = self.kind(proctype.kind);
            for l in 0..proctype.locations.len() {
                let bearer = Bearer::Location(ProctypeId::new(p), LocationId::new(l));
                if let Some(at) = self.at.get(&bearer).copied() {
                    self.link(at, kind, label::KIND);
                }
            }
        }
        if let Some(last) = sorts.text.rules.last {
            let field = self.at[&Bearer::Field(KindId::new(0), last)];
            self.link(field, field, label::LAST);
        }
    }

    fn kind(&self, kind: KindId) -> u32 {
        self.kinds[kind.index()].expect("every kind has a vertex")
    }

    /// A vertex for each sort, with arcs from its members, and to it from where its members go.
    fn classes(&mut self) {
        let sorts = self.sorts;
        for (c, class) in sorts.classes.iter().enumerate() {
            let Some(members) = class.members.as_ref().filter(|m| !m.is_empty()) else {
                continue;
            };
            let vertex = self.vertex(Tag::Class, &[]);
            self.classes[c] = Some(vertex);
            for value in members {
                let member = self.at[&Bearer::Member(ClassId::new(c), *value)];
                self.link(member, vertex, label::CLASS);
            }
        }
        for (k, kind) in sorts.text.layout.kinds.iter().enumerate() {
            for (f, field) in kind.fields.iter().enumerate() {
                if !sorts.uses[k][f].used {
                    continue;
                }
                let vertex = self.at[&Bearer::Field(KindId::new(k), FieldId::new(f))];
                let classes = &sorts.fields[k][f];
                self.typed(vertex, classes.value, label::VALUE);
                for (d, class) in classes.indices.iter().enumerate() {
                    self.typed(vertex, *class, label::NTH + d as u32);
                    self.in_range(vertex, *class, (d as u32, field.dimensions[d].count));
                }
            }
            self.message_classes(KindId::new(k));
        }
    }

    /// The classes of messages belong to their kind: under each value of the tag, if there is one.
    fn message_classes(&mut self, k: KindId) {
        let (sorts, kind) = (self.sorts, self.kind(k));
        let messages = &sorts.messages[k.index()];
        let Some(tag) = &messages.tag else {
            for (i, class) in messages.all() {
                self.typed(kind, class, label::NTH + i as u32);
            }
            return;
        };
        for (value, classes) in tag.values.iter().zip(&messages.variants) {
            let member = Bearer::Member(classes[tag.field], *value);
            let member = self.at.get(&member).copied();
            let key = match member {
                Some(_) => vec![tag.field as i64],
                None => vec![tag.field as i64, i64::from(*value)],
            };
            let variant = self.vertex(Tag::Variant, &key);
            self.link(variant, kind, label::KIND);
            let member = member.into_iter();
            member.for_each(|member| self.link(variant, member, label::VALUE));
            for (i, class) in classes.iter().enumerate() {
                self.typed(variant, *class, label::NTH + i as u32);
            }
        }
    }

    /// The class of `_pid` belongs to its type.
    fn pid_classes(&mut self) {
        let sorts = self.sorts;
        for (proctype, class) in sorts.text.proctypes.iter().zip(&sorts.pids) {
            self.typed(self.kind(proctype.kind), *class, label::PID);
        }
    }

    fn typed(&mut self, vertex: u32, class: ClassId, label: u32) {
        if let Some(class) = self.classes[class.index()] {
            self.link(vertex, class, label);
        }
    }

    /// Which members are indices of an array.
    fn in_range(&mut self, field: u32, class: ClassId, (d, count): (u32, u32)) {
        let members = self.sorts.class(class).members.iter().flatten();
        for value in members.filter(|v| u32::try_from(**v).is_ok_and(|v| v < count)) {
            let member = self.at[&Bearer::Member(class, *value)];
            self.link(member, field, label::NTH + d);
        }
    }

    /// Arcs from processes and channels to what they are, and to the members that stand for them.
    fn records(&mut self) {
        let sorts = self.sorts;
        for record in &self.population.processes {
            let vertex = self.at[&Bearer::Process(record.number)];
            self.link(vertex, self.kind(record.kind), label::KIND);
            let own = self.proctype_of(record.kind).map(|p| sorts.pids[p.index()]);
            for (c, class) in sorts.classes.iter().enumerate() {
                let id = ClassId::new(c);
                let member = self.at.get(&Bearer::Member(id, record.number)).copied();
                let Some(member) = member else { continue };
                if own == Some(id) {
                    self.link(vertex, member, label::PID);
                }
                if class.names_processes {
                    self.link(vertex, member, label::NAMES);
                }
            }
        }
        for record in &self.population.channels {
            let vertex = self.at[&Bearer::Channel(record.number)];
            self.link(vertex, self.kind(record.kind), label::KIND);
            for (c, class) in sorts.classes.iter().enumerate() {
                let member = Bearer::Member(ClassId::new(c), record.number);
                if let Some(member) = self.at.get(&member).copied()
                    && class.names_channels
                {
                    self.link(vertex, member, label::NAMES);
                }
            }
        }
    }

    /// What must stay, because something tells it apart that the graph does not show.
    fn pins(&self) -> Pins {
        let (sorts, text) = (self.sorts, &self.sorts.text);
        let n = self.population.processes.len();
        let plain = |names: &dyn Fn(&crate::processes::sort::Class) -> bool| {
            let mut classes = sorts.classes.iter();
            classes.any(|class| class.members.is_none() && names(class))
        };
        let named = plain(&|class| class.names_processes);
        let mut processes = vec![named; n];
        for (i, record) in self.population.processes.iter().enumerate() {
            if let Some(p) = self.proctype_of(record.kind) {
                processes[i] |= !sorts.is_sort(sorts.pids[p.index()]);
            }
        }
        if text.rules.ends_are_steps {
            for i in (0..n).rev() {
                if !self.can_end(self.population.processes[i].kind) {
                    break;
                }
                processes[i] = true;
            }
        }
        for p in self.firsts() {
            let kind = text.proctype(p).kind;
            let first = self
                .population
                .processes
                .iter()
                .position(|r| r.kind == kind);
            first.into_iter().for_each(|i| processes[i] = true);
        }
        let numbered = |e: &model::processes::expr::Expr| {
            matches!(e, model::processes::expr::Expr::LocationOf(_))
        };
        Pins {
            processes,
            channels: plain(&|class| class.names_channels),
            locations: text.exprs.iter().any(numbered),
        }
    }

    fn can_end(&self, kind: KindId) -> bool {
        let Some(p) = self.proctype_of(kind) else {
            return true;
        };
        let text = &self.sorts.text;
        let locations = &text.proctype(p).locations;
        // Nobody comes past `false`; it starts at its first location, or where the making left it.
        let mut waiting = vec![text.proctype(p).start];
        for state in &self.population.states {
            let all = self.population.processes.iter().filter(|r| r.kind == kind);
            waiting.extend(all.map(|record| location_of(text, p, state, record)));
        }
        let mut seen = vec![false; locations.len()];
        while let Some(at) = waiting.pop() {
            if std::mem::replace(&mut seen[at.index()], true) {
                continue;
            }
            for step in &locations[at.index()].steps {
                let step = text.step(*step);
                if ends(&step.action) && self.sorts.live[p.index()][at.index()] {
                    return true;
                }
                if !is_false(text, &step.action) {
                    waiting.push(step.target);
                }
            }
        }
        false
    }

    /// The types of which some expression asks for the first process.
    fn firsts(&self) -> Vec<ProctypeId> {
        use model::processes::expr::{Expr, Instance, Owner};
        let mut found = Vec::new();
        for e in &self.sorts.text.exprs {
            match e {
                Expr::AtLocation(p, Instance::Any, _) => found.push(*p),
                Expr::Read(place) => {
                    if let Owner::Other(p, Instance::Any) = place.owner {
                        found.push(p);
                    }
                }
                _ => {}
            }
        }
        found
    }
}

/// What must stay.
struct Pins {
    processes: Vec<bool>,
    channels: bool,
    locations: bool,
}

/// Whether a step can never be taken.
fn is_false(text: &model::processes::program::Model, action: &Action) -> bool {
    match action {
        Action::Test(e) => matches!(text.expr(*e), model::processes::expr::Expr::Const(0)),
        _ => false,
    }
}

fn ends(action: &Action) -> bool {
    match action {
        Action::End => true,
        Action::All(all) => all.iter().any(ends),
        _ => false,
    }
}

fn scalar_key(field: &model::processes::layout::Field) -> i64 {
    scalar_number(field.slot.scalar)
}

/// A number for each way of keeping numbers.
fn scalar_number(scalar: model::processes::layout::Scalar) -> i64 {
    use model::processes::layout::Scalar;
    match scalar {
        Scalar::Bit => -1,
        Scalar::U8 => -2,
        Scalar::I16 => -3,
        Scalar::I32 => -4,
        Scalar::Bits(n) => i64::from(n),
    }
}
