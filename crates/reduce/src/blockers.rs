//! Why a model is not more symmetric, in words that a modeller knows.
//!
//! Processes of one type, and channels of one shape, fall into orbits of the certified group. For
//! two neighbouring orbits [`Explain`] leads from a member of each back to the place in the
//! structure where they were told apart; here that place becomes a sentence.
//!
//! Worked example: `if :: _pid == 3 -> …` in line 41 of a client. Clients 1 and 3 are in different
//! orbits; the way back from them is client, number of the client, literal; so the sentence is
//! "line 41: `_pid == 3` names 3".

use crate::detect::graph_of;
use crate::explain::{Difference, Explain};
use crate::found::Found;
use crate::names::Names;
use group::graph::automorphisms;
use group::orbit::DisjointSets;
use std::collections::{BTreeMap, HashMap};
use system::layout::{FieldId, KindId, Meaning, Role, Slot};
use system::sort::{ClassId, Plain};
use system::structure::{Bearer, Tag, label};

/// Something that stands in the way of more symmetry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blocker {
    /// Who is kept apart.
    pub of: Vec<String>,
    /// The line that does it; 0 if no one line does.
    pub line: u32,
    /// In words.
    pub reason: String,
}

/// Who can be exchanged with whom: numbers of processes and of channels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Orbits {
    /// Of processes, by their least.
    pub processes: Vec<Vec<i32>>,
    /// Of channels, by their least.
    pub channels: Vec<Vec<i32>>,
}

/// The orbits of the certified group. Channels that hold nothing are in no state, so the group
/// does not move them; what the structure says of them counts.
pub fn orbits(found: &Found) -> Orbits {
    let bearers = &found.structure.bearers;
    let index: HashMap<Bearer, u32> = bearers.iter().zip(0..).map(|(b, n)| (*b, n)).collect();
    let mut sets = DisjointSets::new(bearers.len());
    let moved = &found.certified.act().points().bearers;
    for generator in found.certified.group().generators() {
        for (x, y) in generator.moves() {
            sets.join(index[&moved[x as usize]], index[&moved[y as usize]]);
        }
    }
    let holds_nothing = |x: u32| match bearers.get(x as usize) {
        Some(Bearer::Channel(n)) => {
            let kind = found.population.channels[*n as usize - 1].kind;
            let role = &found.sorts.text.layout.kind(kind).role;
            matches!(role, Role::Channel(buffer) if buffer.capacity == 0)
        }
        _ => false,
    };
    for orbit in automorphisms(&graph_of(&found.structure)).orbits {
        for pair in orbit.windows(2).filter(|p| p.iter().all(|x| holds_nothing(*x))) {
            sets.join(pair[0], pair[1]);
        }
    }
    let mut all = Orbits {
        processes: Vec::new(),
        channels: Vec::new(),
    };
    for mut set in sets.sets() {
        set.sort_unstable();
        let number = |x: &u32| match bearers[*x as usize] {
            Bearer::Process(n) | Bearer::Channel(n) => n,
            _ => 0,
        };
        match bearers[set[0] as usize] {
            Bearer::Process(_) => all.processes.push(set.iter().map(number).collect()),
            Bearer::Channel(_) => all.channels.push(set.iter().map(number).collect()),
            _ => {}
        }
    }
    all.processes.sort();
    all.channels.sort();
    all
}

/// What keeps neighbouring orbits apart, and loops that run in order.
pub fn blockers(found: &Found, orbits: &Orbits) -> Vec<Blocker> {
    let words = Words::new(found);
    let explain = Explain::new(&found.structure);
    let mut all = words.kept_loops();
    let processes = &found.population.processes;
    let type_of = |n: i32| vec![processes[n as usize].kind.index() as i64];
    let mut wanted = neighbours(&orbits.processes, type_of, Bearer::Process);
    let channels = &found.population.channels;
    let shape_of = |n: i32| shape(found, channels[n as usize - 1].kind);
    wanted.extend(neighbours(&orbits.channels, shape_of, Bearer::Channel));
    for (x, y) in wanted {
        let (line, reason) = match explain.difference(words.at[&x], words.at[&y]) {
            Some(difference) => words.reason(&difference),
            None => (0, "no one line tells them apart, but no exchange fits all lines".to_owned()),
        };
        all.push(Blocker {
            of: vec![words.names.name(x), words.names.name(y)],
            line,
            reason,
        });
    }
    all
}

/// Why a permutation that sends each first to its second is none of the model.
pub fn objection(found: &Found, named: &[(u32, u32)]) -> Blocker {
    let words = Words::new(found);
    let explain = Explain::new(&found.structure);
    let name = |x: u32| words.names.name(found.structure.bearers[x as usize]);
    for (x, y) in named {
        if let Some(difference) = explain.difference(*x, *y) {
            let (line, reason) = words.reason(&difference);
            return Blocker {
                of: vec![name(*x), name(*y)],
                line,
                reason,
            };
        }
    }
    Blocker {
        of: named.iter().map(|(x, _)| name(*x)).collect(),
        line: 0,
        reason: "each could go there, but not all of them together".to_owned(),
    }
}

/// The least of each orbit and of the next orbit of the same kind.
fn neighbours(
    orbits: &[Vec<i32>],
    kind: impl Fn(i32) -> Vec<i64>,
    bearer: impl Fn(i32) -> Bearer,
) -> Vec<(Bearer, Bearer)> {
    let mut kinds: BTreeMap<Vec<i64>, Vec<i32>> = BTreeMap::new();
    for orbit in orbits {
        kinds.entry(kind(orbit[0])).or_default().push(orbit[0]);
    }
    let pairs = kinds.values().flat_map(|all| all.windows(2));
    pairs.map(|pair| (bearer(pair[0]), bearer(pair[1]))).collect()
}

/// What channels must share to be of one shape: room, and the kinds of numbers in messages.
pub fn shape(found: &Found, kind: KindId) -> Vec<i64> {
    let Role::Channel(buffer) = &found.sorts.text.layout.kind(kind).role else {
        return Vec::new();
    };
    let mut shape = vec![i64::from(buffer.capacity)];
    for (_, slot) in &buffer.fields {
        let meaning = match slot.meaning {
            Meaning::Number => 0,
            Meaning::Truth => 1,
            Meaning::Process => 2,
            Meaning::Channel => 3,
            Meaning::Name(set) => 4 + set.index() as i64,
        };
        shape.extend([i64::from(slot.scalar.n_bytes()), meaning]);
    }
    shape
}

/// Vertices of a structure in words.
struct Words<'a> {
    found: &'a Found,
    names: Names<'a>,
    at: HashMap<Bearer, u32>,
    /// By vertex: labels and ends of its arcs.
    links: Vec<Vec<(u32, u32)>>,
}

impl<'a> Words<'a> {
    fn new(found: &'a Found) -> Words<'a> {
        let structure = &found.structure;
        let mut links = vec![Vec::new(); structure.colours.len()];
        for link in &structure.links {
            links[link.from as usize].push((link.label, link.to));
        }
        Words {
            names: Names::new(&found.sorts, &found.population),
            at: structure.bearers.iter().zip(0..).map(|(b, n)| (*b, n)).collect(),
            found,
            links,
        }
    }

    fn bearer(&self, vertex: u32) -> Option<Bearer> {
        self.found.structure.bearers.get(vertex as usize).copied()
    }

    fn to(&self, vertex: u32, way: u32) -> Option<u32> {
        let mut links = self.links[vertex as usize].iter();
        links.find(|(label, _)| *label == way).map(|(_, to)| *to)
    }

    /// The text of the statement that a vertex comes from.
    fn statement(&self, vertex: u32) -> Option<String> {
        let site = self.found.structure.sites[vertex as usize]?;
        let text = &self.found.sorts.text.sites[site.index()].text;
        Some(format!("`{text}`"))
    }

    /// The line and the sentence.
    fn reason(&self, difference: &Difference) -> (u32, String) {
        let structure = &self.found.structure;
        let (a, b) = *difference.path.last().expect("a path starts somewhere");
        let Some(v) = a.or(b) else {
            return (difference.line, "they differ".to_owned());
        };
        match structure.tags[v as usize] {
            Tag::Process => self.pinned_process(v),
            Tag::Channel => match self.plain(&|c| self.class(c).names_channels) {
                Some((_, plain)) => self.number("the numbers of channels", &plain),
                None => (0, "they are told apart by number".to_owned()),
            },
            Tag::Member => (difference.line, self.pinned_member(v)),
            Tag::Literal => (difference.line, self.literal(v)),
            Tag::Cell => self.cells(a, b, difference.line),
            Tag::Message => {
                let channel = self.to(v, label::OWNER).and_then(|c| self.bearer(c));
                let name = channel.map_or("a channel".to_owned(), |c| self.names.name(c));
                (0, format!("what {name} holds once all are made tells them apart"))
            }
            Tag::At | Tag::Location => {
                let why = "they are at different points of their text once all are made";
                (difference.line, why.to_owned())
            }
            Tag::Kind => (difference.line, "they are of different types".to_owned()),
            _ => (difference.line, self.unlike(difference, v)),
        }
    }

    fn class(&self, id: ClassId) -> &system::sort::Class {
        self.found.sorts.class(id)
    }

    /// A class that is plain, of those wanted.
    fn plain(&self, wanted: &dyn Fn(ClassId) -> bool) -> Option<(ClassId, Plain)> {
        let n = self.found.sorts.classes.len();
        let mut all = (0..n).map(ClassId::new);
        all.find_map(|c| Some((c, self.class(c).plain.clone().filter(|_| wanted(c))?)))
    }

    /// Some numbers are taken for numbers.
    fn number(&self, what: &str, plain: &Plain) -> (u32, String) {
        let sites = &self.found.sorts.text.sites;
        let Some((span, line)) = plain.place else {
            return (0, format!("{what} are numbers: {}", plain.reason));
        };
        let site = sites.iter().find(|site| site.span == span && site.line == line);
        let text = site.map_or(String::new(), |site| format!(" in `{}`", site.text));
        (line, format!("{what} are numbers: {}{text}", plain.reason))
    }

    fn pinned_process(&self, v: u32) -> (u32, String) {
        let sorts = &self.found.sorts;
        let kind = match self.bearer(v) {
            Some(Bearer::Process(n)) => self.found.population.processes[n as usize].kind,
            _ => KindId::new(0),
        };
        let own = sorts.text.proctypes.iter().position(|p| p.kind == kind);
        let own = own.map(|p| sorts.pids[p]);
        let names = |c: ClassId| self.class(c).names_processes || own == Some(c);
        if let Some((_, plain)) = self.plain(&names) {
            return self.number("the numbers of processes", &plain);
        }
        let why = match sorts.text.rules.ends_are_steps {
            true => {
                "a process that has ended goes away only after those made later; the default rules \
                 have no such order"
            }
            false => "the first process of its type is asked for without its number",
        };
        (0, why.to_owned())
    }

    fn pinned_member(&self, v: u32) -> String {
        match self.bearer(v) {
            Some(bearer @ Bearer::Member(..)) => format!(
                "`{}` has a meaning of its own: a truth, or what is left out of a message",
                self.names.name(bearer)
            ),
            _ => "a value has a meaning of its own".to_owned(),
        }
    }

    fn literal(&self, v: u32) -> String {
        let value = match self.to(v, label::VALUE).and_then(|m| self.bearer(m)) {
            Some(Bearer::Member(_, value)) => value.to_string(),
            _ => "a number".to_owned(),
        };
        match self.statement(v) {
            Some(text) => format!("{text} names {value}"),
            None => format!("a condition or first value names {value}"),
        }
    }

    /// What tells two members, variables or locations apart that the path went through.
    fn unlike(&self, difference: &Difference, v: u32) -> String {
        let pairs = difference.path.iter().rev().filter_map(|(a, b)| {
            let (a, b) = (self.bearer((*a)?)?, self.bearer((*b)?)?);
            let alike = matches!(a, Bearer::Location(..)) || a == b;
            (!alike).then_some((a, b))
        });
        let pair = pairs.into_iter().next().map(|pair| match pair {
            (Bearer::Member(_, a), Bearer::Member(_, b)) => (a.to_string(), b.to_string()),
            (a, b) => (self.names.name(a), self.names.name(b)),
        });
        let text = self.statement(v).unwrap_or_else(|| "a condition".to_owned());
        match pair {
            Some((a, b)) => format!("{text} does not treat {a} and {b} alike"),
            None => format!("{text} is about one of them"),
        }
    }

    /// What variables hold once all are made.
    fn cells(&self, a: Option<u32>, b: Option<u32>, line: u32) -> (u32, String) {
        let told: Vec<(String, String)> = [a, b].into_iter().flatten().map(|v| self.cell(v)).collect();
        let held = |(name, value): &(String, String)| format!("`{name}` is {value}");
        let held: Vec<String> = told.iter().map(held).collect();
        let mut reason = format!("once all are made, {}", held.join(" and "));
        let value = a.or(b).and_then(|v| self.field(v)).and_then(|(kind, field)| {
            let class = self.found.sorts.fields[kind.index()][field.index()].value;
            self.class(class).plain.clone().map(|plain| (kind, field, plain))
        });
        let Some((kind, field, plain)) = value else {
            return (line, reason);
        };
        let name = self.names.field(kind, field);
        let (line, why) = self.number(&format!("values of `{name}`"), &plain);
        reason.push_str(&format!("; {why}"));
        (line, reason)
    }

    fn field(&self, cell: u32) -> Option<(KindId, FieldId)> {
        match self.bearer(self.to(cell, label::FIELD)?)? {
            Bearer::Field(kind, field) => Some((kind, field)),
            _ => None,
        }
    }

    /// The name of a cell, and what it holds.
    fn cell(&self, cell: u32) -> (String, String) {
        let Some((kind, field)) = self.field(cell) else {
            return ("a variable".to_owned(), "another".to_owned());
        };
        let shape = &self.found.sorts.text.layout.kind(kind).fields[field.index()];
        let owner = self.to(cell, label::OWNER).and_then(|o| self.bearer(o));
        let mut name = owner.map_or(String::new(), |owner| self.names.name(owner) + ".");
        let mut pieces = shape.name.split("[]");
        name.push_str(pieces.next().unwrap_or(""));
        for (d, piece) in pieces.enumerate() {
            let index = self.part(cell, label::NTH + d as u32);
            let index = index.map_or("?".to_owned(), |i| i.to_string());
            name.push_str(&format!("[{index}]{piece}"));
        }
        let value = self.part(cell, label::VALUE);
        let value = value.map_or("?".to_owned(), |v| self.shown(v, shape.slot));
        (name, value)
    }

    /// An index or the value of a cell: the member it refers to, or a part of its colour.
    fn part(&self, cell: u32, way: u32) -> Option<i32> {
        if let Some(member) = self.to(cell, way)
            && let Some(Bearer::Member(_, value)) = self.bearer(member)
        {
            return Some(value);
        }
        let mut pairs = self.found.structure.key(cell).chunks(2);
        let pair = pairs.find(|pair| pair[0] == i64::from(way))?;
        pair.get(1).and_then(|v| i32::try_from(*v).ok())
    }

    fn shown(&self, value: i32, slot: Slot) -> String {
        let name = match slot.meaning {
            Meaning::Truth => return (value != 0).to_string(),
            Meaning::Name(set) => {
                let names = &self.found.sorts.text.layout.name_sets[set.index()].names;
                usize::try_from(value - 1).ok().and_then(|n| names.get(n).cloned())
            }
            Meaning::Channel => self.at.contains_key(&Bearer::Channel(value)).then(|| {
                self.names.name(Bearer::Channel(value))
            }),
            _ => None,
        };
        name.unwrap_or_else(|| value.to_string())
    }

    /// Loops that run in order, where what they count is also something else.
    fn kept_loops(&self) -> Vec<Blocker> {
        let sorts = &self.found.sorts;
        let mut all = Vec::new();
        for (p, field, test) in &sorts.kept_loops {
            let kind = sorts.text.proctype(*p).kind;
            let class = sorts.fields[kind.index()][field.index()].value;
            let own = self.names.field(kind, *field);
            let places = self.names.places(class);
            let others: Vec<&String> = places.iter().filter(|place| **place != own).collect();
            let Some(other) = others.first() else {
                continue;
            };
            let counter = &sorts.text.layout.kind(kind).fields[field.index()].name;
            all.push(Blocker {
                of: places.clone(),
                line: sorts.text.sites[sorts.text.step(*test).site.index()].line,
                reason: format!(
                    "the loop over `{counter}` runs in order, and its numbers are also {other}; \
                     inside atomic or d_step, with rounds that do not depend on each other, it \
                     would not matter"
                ),
            });
        }
        all
    }
}
