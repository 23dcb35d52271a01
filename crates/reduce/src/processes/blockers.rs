//! Why a model is not more symmetric, in words that a modeller knows.
//!
//! Processes of one type, and channels of one shape, fall into orbits of the certified group. For
//! two neighbouring orbits [`Explain`] leads from a member of each back to the place in the
//! structure where they were told apart; here that place becomes a sentence.
//!
//! Worked example: `if :: _pid == 3 -> …` in line 41 of a client. Clients 1 and 3 are in different
//! orbits; the way back from them is client, number of the client, literal; so the sentence is
//! "line 41: `_pid == 3` names 3".

use crate::processes::explain::{Difference, Explain};
use crate::processes::found::Found;
use crate::processes::names::Names;
use crate::processes::sort::{ClassId, Plain};
use crate::processes::structure::{Bearer, Tag, label};
use group::orbit::DisjointSets;
use model::processes::layout::{FieldId, KindId, Meaning, Role, Slot};
use std::collections::{BTreeMap, HashMap};

/// Something that stands in the way of more symmetry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blocker {
    /// Who is kept apart.
    pub of: Vec<String>,
    /// The line that does it; 0 if no one line does.
    pub line: u32,
    /// In words.
    pub reason: String,
    /// What would have to change.
    pub advice: &'static str,
}

/// Pieces of advice.
#[allow(missing_docs)]
pub mod advice {
    pub const NUMBERS: &str = "compare ids with == and != only: numbers that are counted, ordered \
                               or computed with cannot be exchanged";
    pub const LITERAL: &str = "say the same about all of them: a statement that names one tells it \
                               from the rest";
    pub const START: &str = "let them start alike, or leave the difference to a choice";
    pub const RULES: &str = "use the default rules: --plain and --spin-compat keep the order in \
                             which processes end";
    pub const ENDS: &str = "let processes not end, as by a last `end: false`, or let nobody see \
                            that they have";
    pub const LOOP: &str = "put the loop inside atomic or d_step, and let its rounds not depend on \
                            each other";
    pub const ROUNDS: &str = "let the rounds of the loop not depend on each other, so that it does \
                              not matter which id comes first";
    pub const ATOMIC: &str = "make all processes in one atomic block";
    pub const LATER: &str = "make a pool of processes at the start, in place of new ones";
    pub const NONE: &str = "give them the same type and the same part in the model";
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
    for orbit in &found.candidates.orbits {
        for pair in orbit
            .windows(2)
            .filter(|p| p.iter().all(|x| holds_nothing(*x)))
        {
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
    let processes = &found.population.processes;
    let type_of = |n: i32| vec![processes[n as usize].kind.index() as i64];
    let mut wanted = neighbours(&orbits.processes, type_of, Bearer::Process);
    let channels = &found.population.channels;
    let shape_of = |n: i32| shape(found, channels[n as usize - 1].kind);
    wanted.extend(neighbours(&orbits.channels, shape_of, Bearer::Channel));
    let mut all: Vec<Blocker> = Vec::new();
    for (x, y) in wanted {
        let told = match explain.difference(words.at[&x], words.at[&y]) {
            Some(difference) => words.reason(&difference),
            None => Told::new(0, NOT_REFINED, advice::NONE),
        };
        let of = [words.names.name(x), words.names.name(y)];
        let told = told.blocker(of.to_vec());
        let same = |b: &&mut Blocker| b.line == told.line && b.reason == told.reason;
        match all.iter_mut().find(same) {
            Some(known) => {
                let new = told.of.into_iter().filter(|name| !known.of.contains(name));
                known.of.extend(new.collect::<Vec<_>>());
            }
            None => all.push(told),
        }
    }
    if !all.is_empty() {
        all.extend(words.kept_loops());
    }
    all
}

/// What is said where colours alone do not tell two apart.
pub const NOT_REFINED: &str = "no one line tells them apart, but no exchange fits all lines";

/// A reason that has not got a subject yet.
struct Told {
    line: u32,
    reason: String,
    advice: &'static str,
}

impl Told {
    fn new(line: u32, reason: impl Into<String>, advice: &'static str) -> Told {
        Told {
            line,
            reason: reason.into(),
            advice,
        }
    }

    fn blocker(self, of: Vec<String>) -> Blocker {
        Blocker {
            of,
            line: self.line,
            reason: self.reason,
            advice: self.advice,
        }
    }
}

/// Why a permutation that sends each first to its second is none of the model.
pub fn objection(found: &Found, named: &[(u32, u32)]) -> Blocker {
    let words = Words::new(found);
    let explain = Explain::new(&found.structure);
    let name = |x: u32| words.names.name(found.structure.bearers[x as usize]);
    for (x, y) in named {
        if let Some(difference) = explain.difference(*x, *y) {
            return words.reason(&difference).blocker(vec![name(*x), name(*y)]);
        }
    }
    let why = "each could go there, but not all of them together";
    Told::new(0, why, advice::NONE).blocker(named.iter().map(|(x, _)| name(*x)).collect())
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
    pairs
        .map(|pair| (bearer(pair[0]), bearer(pair[1])))
        .collect()
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
            at: structure
                .bearers
                .iter()
                .zip(0..)
                .map(|(b, n)| (*b, n))
                .collect(),
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
        let site = &self.found.sorts.text.sites[site.index()];
        let uses = site.within.calls.iter().map(|call| format!(" in {call}"));
        Some(format!("`{}`{}", site.text, uses.collect::<String>()))
    }

    /// The line and the sentence.
    fn reason(&self, difference: &Difference) -> Told {
        let structure = &self.found.structure;
        let line = difference.line;
        let (a, b) = *difference.path.last().expect("a path starts somewhere");
        let Some(v) = a.or(b) else {
            return Told::new(line, "they differ", advice::NONE);
        };
        let pair = difference.path.first().copied();
        let starts = || match pair {
            Some((Some(x), Some(y))) => self.starts(x, y),
            _ => None,
        };
        match structure.tags[v as usize] {
            Tag::Process => self.pinned_process(v),
            Tag::Channel => match self.plain(&|c| self.class(c).names_channels) {
                Some((_, plain)) => self.number("the numbers of channels", &plain),
                None => Told::new(0, "they are told apart by number", advice::NUMBERS),
            },
            Tag::Member => match self.holders(difference) {
                Some((a, b)) => self.cells(a, b, line, &starts),
                None => Told::new(line, self.member(v), advice::NONE),
            },
            Tag::Literal => Told::new(line, self.literal(v), advice::LITERAL),
            Tag::Cell => self.cells(a, b, line, &starts),
            Tag::Message => {
                let channel = self.to(v, label::OWNER).and_then(|c| self.bearer(c));
                let name = channel.map_or("a channel".to_owned(), |c| self.names.name(c));
                let why = format!("{name} holds a message once all are made");
                Told::new(0, why, advice::START)
            }
            Tag::At => {
                let why = "they are at different points of their text once all are made";
                Told::new(line, why, advice::START)
            }
            Tag::Location | Tag::Inner => Told::new(
                line,
                "they are used at different points of the text",
                advice::NONE,
            ),
            Tag::Kind => Told::new(line, "they are used by different types", advice::NONE),
            Tag::Row | Tag::Table => Told::new(line, self.unlike(difference, v), advice::NUMBERS),
            _ => Told::new(line, self.unlike(difference, v), advice::LITERAL),
        }
    }

    /// What two processes of a type start with, if that differs: variables of their own, and
    /// elements of arrays at their numbers.
    fn starts(&self, x: u32, y: u32) -> Option<String> {
        let (sorts, population) = (&self.found.sorts, &self.found.population);
        let (Bearer::Process(m), Bearer::Process(n)) = (self.bearer(x)?, self.bearer(y)?) else {
            return None;
        };
        let (a, b) = (
            population.processes[m as usize],
            population.processes[n as usize],
        );
        let [state] = &population.states[..] else {
            return None;
        };
        let p = sorts.text.proctypes.iter().position(|p| p.kind == a.kind)?;
        let told = |[x, y]: [String; 2], [v, w]: [i32; 2], slot| {
            let [v, w] = [v, w].map(|v| self.shown(v, slot));
            (v != w).then(|| format!("`{x}` is {v} and `{y}` is {w} once all are made"))
        };
        // Ids differ, and that is no reason.
        let ids = || sorts.fields.iter().flatten().flat_map(|f| &f.indices);
        let is_id = |id: ClassId| {
            let class = self.class(id);
            let named = class.names_processes || class.names_channels;
            named || sorts.pids.contains(&id) || ids().any(|c| *c == id)
        };
        let is_data = |kind: KindId, f: usize| {
            let class = sorts.fields[kind.index()][f].value;
            sorts.uses[kind.index()][f].used && !is_id(class)
        };
        let own = sorts.text.layout.kind(a.kind).fields.iter().enumerate();
        let own = own.filter(|(f, field)| field.dimensions.is_empty() && is_data(a.kind, *f));
        for (_, field) in own.filter(|_| a.kind == b.kind) {
            let names = [x, y].map(|v| self.bearer(v).map(|one| self.names.name(one)));
            let names = names.map(|name| format!("{}.{}", name.unwrap_or_default(), field.name));
            let at = [a, b].map(|record| record.at + field.element_at(0) as usize);
            let held = at.map(|at| field.slot.scalar.load(state, at));
            if let Some(why) = told(names, held, field.slot) {
                return Some(why);
            }
        }
        let globals = sorts.text.layout.globals().fields.iter().enumerate();
        for (f, field) in globals.filter(|(f, _)| is_data(KindId::new(0), *f)) {
            let by_number = sorts.fields[0][f].indices == [sorts.pids[p]];
            let inside = |v: i32| u32::try_from(v).is_ok_and(|v| v < field.n_elements());
            let numbers = [a.number, b.number];
            if a.kind == b.kind && by_number && numbers.into_iter().all(inside) {
                let names = numbers.map(|n| field.name.replacen("[]", &format!("[{n}]"), 1));
                let at = numbers.map(|n| field.element_at(n as u32) as usize);
                let held = at.map(|at| field.slot.scalar.load(state, at));
                if let Some(why) = told(names, held, field.slot) {
                    return Some(why);
                }
            }
        }
        None
    }

    /// The variables that hold the values at the end of the way, if these are why it ends there.
    fn holders(&self, difference: &Difference) -> Option<(Option<u32>, Option<u32>)> {
        let [.., before, (Some(_), Some(_))] = difference.path[..] else {
            return None;
        };
        let tag = |v: u32| self.found.structure.tags[v as usize];
        let cell = before.0.or(before.1).filter(|v| tag(*v) == Tag::Cell);
        cell.map(|_| before)
    }

    fn class(&self, id: ClassId) -> &crate::processes::sort::Class {
        self.found.sorts.class(id)
    }

    /// A class that is plain, of those wanted.
    fn plain(&self, wanted: &dyn Fn(ClassId) -> bool) -> Option<(ClassId, Plain)> {
        let n = self.found.sorts.classes.len();
        let mut all = (0..n).map(ClassId::new);
        all.find_map(|c| Some((c, self.class(c).plain.clone().filter(|_| wanted(c))?)))
    }

    /// Some numbers are taken for numbers.
    fn number(&self, what: &str, plain: &Plain) -> Told {
        let sites = &self.found.sorts.text.sites;
        let why = format!("{what} count as numbers: {}", plain.reason);
        match plain.site.map(|site| &sites[site.index()]) {
            Some(site) => Told::new(
                site.line,
                format!("{why} in `{}`", site.within.shown(&site.text)),
                advice::NUMBERS,
            ),
            None => Told::new(0, why, advice::NUMBERS),
        }
    }

    fn pinned_process(&self, v: u32) -> Told {
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
        if sorts.text.rules.ends_are_steps {
            let why = "a process that has ended goes away only after those made later";
            // By default it stays instead, unless that could be seen.
            return match model::processes::passes::why_ends_are_steps(&sorts.text, &[]) {
                None => Told::new(0, why, advice::RULES),
                Some(reason) => Told::new(0, format!("{why}: {reason}"), advice::ENDS),
            };
        }
        let why = "a variable or place of the first process of a type is asked for without its \
                   number";
        Told::new(0, why, advice::LITERAL)
    }

    fn member(&self, v: u32) -> String {
        let Some(Bearer::Member(class, value)) = self.bearer(v) else {
            return "a value has a meaning of its own".to_owned();
        };
        let places = self.names.places(class);
        let place = places
            .first()
            .map_or(String::new(), |place| format!(", as in `{place}`"));
        if self.found.structure.key(v).is_empty() {
            format!("only one of them is used{place}")
        } else {
            format!("{value} has a meaning of its own{place}")
        }
    }

    fn literal(&self, v: u32) -> String {
        let value = match self.to(v, label::VALUE).and_then(|m| self.bearer(m)) {
            Some(Bearer::Member(class, value)) => self.member_shown(class, value),
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
            (Bearer::Field(k, f), Bearer::Field(l, g)) => {
                (self.names.field(k, f), self.names.field(l, g))
            }
            (a, b) => (self.names.name(a), self.names.name(b)),
        });
        let text = self
            .statement(v)
            .unwrap_or_else(|| "a condition".to_owned());
        match pair {
            Some((a, b)) => format!("{text} does not treat {a} and {b} alike"),
            None => format!("{text} is about one of them"),
        }
    }

    /// Elements that are told apart by an index: it counts as a number, or one is never used.
    fn indices(&self, a: u32, b: u32) -> Option<Told> {
        let (kind, field) = self
            .field(a)
            .filter(|field| self.field(b) == Some(*field))?;
        let classes = &self.found.sorts.fields[kind.index()][field.index()];
        classes.indices.iter().enumerate().find_map(|(d, class)| {
            let way = label::NTH + d as u32;
            let member = |v: u32| self.to(v, way).is_some();
            if (member(a) && member(b)) || self.part(a, way) == self.part(b, way) {
                return None;
            }
            let name = self.names.field(kind, field);
            Some(match &self.class(*class).plain {
                Some(plain) => self.number(&format!("indices of `{name}`"), plain),
                None => {
                    let why = format!("only one of them is used as an index of `{name}`");
                    Told::new(0, why, advice::NONE)
                }
            })
        })
    }

    /// What two variables hold once all are made. Where only one is known, it may be that of
    /// somebody else: then what the two that are compared start with says more.
    fn cells(
        &self,
        a: Option<u32>,
        b: Option<u32>,
        line: u32,
        starts: &dyn Fn() -> Option<String>,
    ) -> Told {
        if let (Some(a), Some(b)) = (a, b)
            && let Some(told) = self.indices(a, b)
        {
            return told;
        }
        let mut told: Vec<(String, String)> =
            [a, b].into_iter().flatten().map(|v| self.cell(v)).collect();
        // Where both hold the same, how it is used differs, and the line says it.
        told.dedup_by(|b, a| a.1 == b.1);
        let held = |(name, value): &(String, String)| format!("`{name}` is {value}");
        let held: Vec<String> = told.iter().map(held).collect();
        let reason = format!("{} once all are made", held.join(" and "));
        let plain = a
            .or(b)
            .and_then(|v| self.field(v))
            .and_then(|(kind, field)| {
                let class = self.found.sorts.fields[kind.index()][field.index()].value;
                Some((
                    self.names.field(kind, field),
                    self.class(class).plain.clone()?,
                ))
            });
        let Some((name, plain)) = plain else {
            return match starts().filter(|_| told.len() < 2) {
                Some(why) => Told::new(0, why, advice::START),
                None => Told::new(line, reason, advice::START),
            };
        };
        let why = self.number(&format!("values of `{name}`"), &plain);
        Told::new(
            why.line,
            format!("{reason}; {}", why.reason),
            advice::NUMBERS,
        )
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

    /// A member as the variables or messages that hold it would show it.
    fn member_shown(&self, class: ClassId, value: i32) -> String {
        let (sorts, kinds) = (&self.found.sorts, &self.found.sorts.text.layout.kinds);
        for (k, kind) in kinds.iter().enumerate() {
            let fields = sorts.fields[k].iter().zip(&kind.fields);
            let mut slots = fields.filter(|(classes, _)| classes.value == class);
            if let Some((_, field)) = slots.next() {
                return self.shown(value, field.slot);
            }
            let Role::Channel(buffer) = &kind.role else {
                continue;
            };
            if let Some((i, _)) = sorts.messages[k].all().find(|(_, c)| *c == class) {
                return self.shown(value, buffer.fields[i].1);
            }
        }
        value.to_string()
    }

    fn shown(&self, value: i32, slot: Slot) -> String {
        let name = match slot.meaning {
            Meaning::Truth => return (value != 0).to_string(),
            Meaning::Name(set) => {
                let names = &self.found.sorts.text.layout.name_sets[set.index()].names;
                usize::try_from(value - 1)
                    .ok()
                    .and_then(|n| names.get(n).cloned())
            }
            Meaning::Channel => self
                .at
                .contains_key(&Bearer::Channel(value))
                .then(|| self.names.name(Bearer::Channel(value))),
            _ => None,
        };
        name.unwrap_or_else(|| value.to_string())
    }

    /// Loops that run in order, where what they count is also an index, a parameter or `_pid`.
    fn kept_loops(&self) -> Vec<Blocker> {
        let sorts = &self.found.sorts;
        let mut all = Vec::new();
        for kept in &sorts.kept_loops {
            let (kind, field) = (sorts.text.proctype(kept.proctype).kind, kept.variable);
            let class = sorts.fields[kind.index()][field.index()].value;
            let own = self.names.field(kind, field);
            let places = self.names.places(class);
            let is_id = |place: &&String| {
                **place != own && (place.starts_with("index of") || place.starts_with("_pid of"))
            };
            let Some(other) = places.iter().find(is_id) else {
                continue;
            };
            let counter = &sorts.text.layout.kind(kind).fields[field.index()].name;
            let why = &kept.reason;
            let reason =
                format!("the loop over `{counter}`, which counts {other}, runs in order: {why}");
            let line = sorts.text.sites[sorts.text.step(kept.step).site.index()].line;
            let advice = if kept.is_kept {
                advice::ROUNDS
            } else {
                advice::LOOP
            };
            all.push(Told::new(line, reason, advice).blocker(vec![own]));
        }
        all
    }
}
