//! The static channel diagram of a model and its variants, and the symmetries found by way of it.
//!
//! Vertices are processes and channels, coloured by type and by shape. There is an arc from a
//! process to a channel if its text sends to that channel, by name or by a parameter that the
//! process was made with, and one back if it receives from it. What a variable holds later, and
//! under which conditions something is sent, does not count; so the diagram has more symmetries
//! than the model, and each must be tested.
//!
//! Worked example: seven clients with a link each, and an allocator that treats clients 1 and 2
//! differently from the rest. In the diagram all seven are alike: 5040 automorphisms. Of those, the
//! 240 that keep {1, 2} extend to the whole text.
//!
//! Source: Donaldson 2007, sections 6.3 (the diagram), 7.4 and 8.3 (the largest valid subgroup).
//! Departures: an element of an array of channels is a channel; an index that is computed from
//! numbers, `_pid`, parameters and variables with few values stands for all that can come out for
//! the process, any other for all elements; asking whether a receive is possible counts
//! as receiving; channels that no text names are left out, and so is a process that makes others
//! and neither sends nor receives.

use crate::processes::blockers::shape;
use crate::processes::extend::extension;
use crate::processes::found::Found;
use crate::processes::structure::Bearer;
use group::graph::{Graph, GraphBuilder, automorphisms};
use group::largest::{CosetProgress, Effort, Largest, largest_subgroup_while};
use group::{Budget, Group, Perm, Point};
use model::processes::expr::{Expr, ExprId, Owner, Pattern, Place, operands};
use model::processes::layout::{FieldId, KindId, Meaning};
use model::processes::population::Record;
use model::processes::program::{Action, Model, Proctype, roots};
use num_bigint::BigUint;
use std::collections::{BTreeMap, BTreeSet};

/// The diagram.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagram {
    /// Processes, then channels.
    pub vertices: Vec<Bearer>,
    /// By vertex: what it is; equal for what could be exchanged.
    pub colours: Vec<u32>,
    /// From a process to a channel it sends to; from a channel to a process that receives.
    pub arcs: Vec<(Point, Point)>,
}

/// Which diagram.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DiagramKind {
    /// Who sends and receives where, as the text says.
    Static,
    /// The same with the globals, and who updates them and reads them for an update.
    Extended,
    /// Who sends and receives where, as the runs show.
    Dynamic,
    /// Processes and channels alone, without arcs.
    Psi,
}

impl DiagramKind {
    /// What it is called in the literature.
    pub fn letters(self) -> &'static str {
        match self {
            DiagramKind::Static => "SCD",
            DiagramKind::Extended => "ESCD",
            DiagramKind::Dynamic => "CD",
            DiagramKind::Psi => "Psi",
        }
    }
}

/// Who uses which channel: a process and a channel, by number.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ChannelUses {
    /// Who sends.
    pub sends: BTreeSet<(i32, i32)>,
    /// Who receives.
    pub receives: BTreeSet<(i32, i32)>,
}

impl ChannelUses {
    /// Those that the text says.
    pub fn of_text(found: &Found) -> ChannelUses {
        let (text, population) = (&found.sorts.text, &found.population);
        let mut all = ChannelUses::default();
        for record in &population.processes {
            let Some(proctype) = text.proctypes.iter().find(|p| p.kind == record.kind) else {
                continue;
            };
            let reader = Reader {
                found,
                proctype,
                record,
            };
            reader.uses(&mut |channel, sending| {
                let uses = if sending {
                    &mut all.sends
                } else {
                    &mut all.receives
                };
                uses.insert((record.number, channel));
            });
        }
        all
    }
}

impl Diagram {
    /// The static channel diagram of a model.
    pub fn new(found: &Found) -> Diagram {
        Diagram::of_uses(found, &ChannelUses::of_text(found))
    }

    /// The diagram in which channels are used so.
    pub fn of_uses(found: &Found, uses: &ChannelUses) -> Diagram {
        let population = &found.population;
        // A variable may hold no channel before it is set, or one that was made later.
        let is_known = |(process, channel): &&(i32, i32)| {
            let has = |all: &[Record], n: i32| all.iter().any(|record| record.number == n);
            has(&population.processes, *process) && has(&population.channels, *channel)
        };
        let sends = || uses.sends.iter().filter(is_known);
        let receives = || uses.receives.iter().filter(is_known);
        let used = || sends().chain(receives());
        let creator = population.creator.as_ref().map(|c| c.pid as i32);
        let named: BTreeSet<i32> = used().map(|(_, channel)| *channel).collect();
        let busy: BTreeSet<i32> = used().map(|(process, _)| *process).collect();
        let mut diagram = Diagram {
            vertices: Vec::new(),
            colours: Vec::new(),
            arcs: Vec::new(),
        };
        let mut keys: BTreeMap<Vec<i64>, u32> = BTreeMap::new();
        for record in &population.processes {
            if creator != Some(record.number) || busy.contains(&record.number) {
                let key = vec![-1, record.kind.index() as i64];
                diagram.add(Bearer::Process(record.number), key, &mut keys);
            }
        }
        for record in population
            .channels
            .iter()
            .filter(|r| named.contains(&r.number))
        {
            let key = shape(found, record.kind);
            diagram.add(Bearer::Channel(record.number), key, &mut keys);
        }
        for (process, channel) in sends() {
            let (p, c) = diagram.ends(*process, *channel);
            diagram.arcs.push((p, c));
        }
        for (process, channel) in receives() {
            let (p, c) = diagram.ends(*process, *channel);
            diagram.arcs.push((c, p));
        }
        diagram
    }

    /// The same vertices without arcs: the diagram Ψ.
    #[must_use]
    pub fn without_arcs(mut self) -> Diagram {
        self.arcs.clear();
        self
    }

    /// The static channel diagram with a vertex for each global that is used and holds no channel:
    /// an arc to it from who updates it, and one from it to who reads it for an update.
    pub fn extended(found: &Found) -> Diagram {
        let text = &found.sorts.text;
        let mut diagram = Diagram::new(found);
        let n_colours = diagram.colours.iter().max().map_or(0, |most| most + 1);
        let mut keys: BTreeMap<Vec<i64>, u32> = BTreeMap::new();
        let mut at = BTreeMap::new();
        for (f, field) in text.layout.globals().fields.iter().enumerate() {
            let is_used = found.sorts.uses[0][f].used;
            if !is_used || field.slot.meaning == Meaning::Channel {
                continue;
            }
            let mut key = vec![i64::from(field.slot.scalar.n_bytes())];
            key.extend(field.dimensions.iter().map(|d| i64::from(d.count)));
            let next = n_colours + keys.len() as u32;
            at.insert(f, diagram.vertices.len() as Point);
            let bearer = Bearer::Field(KindId::new(0), FieldId::new(f));
            diagram.vertices.push(bearer);
            diagram.colours.push(*keys.entry(key).or_insert(next));
        }
        let mut arcs = BTreeSet::new();
        for (p, vertex) in diagram.vertices.clone().iter().zip(0..) {
            let Bearer::Process(number) = p else {
                continue;
            };
            let kind = found.population.processes[*number as usize].kind;
            let Some(proctype) = text.proctypes.iter().find(|own| own.kind == kind) else {
                continue;
            };
            for step in proctype.locations.iter().flat_map(|l| &l.steps) {
                let action = &text.step(*step).action;
                updates(text, action, &mut |field, is_written| {
                    if let Some(global) = at.get(&field.index()) {
                        let arc = (vertex, *global);
                        arcs.insert(if is_written { arc } else { (arc.1, arc.0) });
                    }
                });
            }
        }
        diagram.arcs.extend(arcs);
        diagram
    }

    fn add(&mut self, bearer: Bearer, key: Vec<i64>, keys: &mut BTreeMap<Vec<i64>, u32>) {
        let n = keys.len() as u32;
        self.vertices.push(bearer);
        self.colours.push(*keys.entry(key).or_insert(n));
    }

    fn ends(&self, process: i32, channel: i32) -> (Point, Point) {
        let find = |b: Bearer| self.vertices.iter().position(|v| *v == b).unwrap_or(0) as Point;
        (
            find(Bearer::Process(process)),
            find(Bearer::Channel(channel)),
        )
    }

    /// The diagram as a graph.
    pub fn graph(&self) -> Graph {
        let mut builder = GraphBuilder::default();
        for colour in &self.colours {
            builder.vertex(*colour);
        }
        for (from, to) in &self.arcs {
            builder.arc(*from, *to, 0);
        }
        builder.build()
    }
}

/// What was found by way of the diagram.
#[derive(Clone, Debug)]
pub struct ByDiagram {
    /// Which diagram.
    pub kind: DiagramKind,
    /// The automorphisms of the diagram.
    pub automorphisms: Group,
    /// Those that are valid, and how they were found.
    pub largest: Largest,
    /// Generators of these, as permutations of all bearers of the structure.
    pub generators: Vec<Perm>,
}

impl ByDiagram {
    /// The order of the group that the valid generators and their valid random conjugates generate,
    /// before any coset was tried.
    pub fn with_conjugates(&self) -> BigUint {
        self.automorphisms.order() / &self.largest.n_cosets_after_conjugates
    }
}

/// The largest group of automorphisms of the diagram that extend to the whole text; what could be
/// found of it within `budget`.
///
/// `tell` hears after each test how far the search has come.
pub fn largest(
    found: &Found,
    diagram: &Diagram,
    effort: &Effort,
    (budget, tell): (&Budget, &mut dyn FnMut(&CosetProgress)),
) -> ByDiagram {
    let all = automorphisms(&diagram.graph());
    let degree = diagram.vertices.len();
    let group = Group::new(degree, all.generators);
    let at: Vec<Point> = diagram.vertices.iter().map(|v| vertex(found, *v)).collect();
    let extend = |g: &Perm, budget: &Budget| {
        let pins = (0..degree).map(|x| (at[x], at[g.at(x as Point) as usize]));
        extension(found, &pins.collect::<Vec<_>>(), budget)
    };
    let largest = largest_subgroup_while(&group, effort, |g, progress| {
        tell(progress);
        budget.spend().ok()?;
        extend(g, budget).ok().map(|found| found.is_some())
    });
    let valid = largest.group.generators().iter();
    let generators = valid.filter_map(|g| extend(g, &Budget::unlimited()).ok().flatten());
    ByDiagram {
        kind: DiagramKind::Static,
        generators: generators.collect(),
        automorphisms: group,
        largest,
    }
}

/// The vertex of a bearer in the structure.
pub fn vertex(found: &Found, bearer: Bearer) -> Point {
    let place = found.structure.bearers.iter().position(|b| *b == bearer);
    place.expect("every process and channel is a bearer") as Point
}

/// Calls `out` with each global that is updated (`true`), or read for an update.
fn updates(text: &Model, action: &Action, out: &mut dyn FnMut(FieldId, bool)) {
    match action {
        Action::Assign(place, value) => {
            if place.owner == Owner::Globals {
                out(place.field, true);
            }
            reads(text, *value, out);
        }
        Action::Receive(receive) => {
            for pattern in &receive.fields {
                if let Pattern::Store(place) = pattern
                    && place.owner == Owner::Globals
                {
                    out(place.field, true);
                }
            }
        }
        Action::All(all) => all.iter().for_each(|action| updates(text, action, out)),
        _ => {}
    }
}

fn reads(text: &Model, e: ExprId, out: &mut dyn FnMut(FieldId, bool)) {
    if let Expr::Read(place) = text.expr(e)
        && place.owner == Owner::Globals
    {
        out(place.field, false);
    }
    operands(text.expr(e), &mut |e| reads(text, e, out));
}

/// Reads the text of one process.
struct Reader<'a> {
    found: &'a Found,
    proctype: &'a Proctype,
    record: &'a Record,
}

impl Reader<'_> {
    fn text(&self) -> &Model {
        &self.found.sorts.text
    }

    /// Calls `out` with each channel that the text sends to (`true`) or receives from.
    fn uses(&self, out: &mut dyn FnMut(i32, bool)) {
        for step in self.proctype.locations.iter().flat_map(|l| &l.steps) {
            self.action(&self.text().step(*step).action, out);
        }
    }

    fn action(&self, action: &Action, out: &mut dyn FnMut(i32, bool)) {
        match action {
            Action::Send(send) => {
                self.channels(send.channel)
                    .into_iter()
                    .for_each(|c| out(c, true));
            }
            Action::Receive(receive) => {
                self.channels(receive.channel)
                    .into_iter()
                    .for_each(|c| out(c, false));
            }
            Action::All(all) => all.iter().for_each(|action| self.action(action, out)),
            _ => {}
        }
        if !matches!(action, Action::All(_)) {
            roots(action, &mut |e| self.polls(e, out));
        }
    }

    fn polls(&self, e: ExprId, out: &mut dyn FnMut(i32, bool)) {
        if let Expr::Poll(receive) = self.text().expr(e) {
            self.channels(receive.channel)
                .into_iter()
                .for_each(|c| out(c, false));
        }
        operands(self.text().expr(e), &mut |e| self.polls(e, out));
    }

    /// The channels that an expression stands for.
    fn channels(&self, e: ExprId) -> Vec<i32> {
        let n = self.found.population.channels.len() as i32;
        let mut found = match self.text().expr(e) {
            Expr::Const(v) => vec![*v],
            Expr::Read(place) => self.held(place),
            _ => Vec::new(),
        };
        found.retain(|c| (1..=n).contains(c));
        found
    }

    /// What a global, or a parameter, holds once all are made.
    fn held(&self, place: &Place) -> Vec<i32> {
        let state = &self.found.population.states[0];
        let (kind, at) = match place.owner {
            Owner::Globals => (KindId::new(0), 0),
            Owner::Own if self.is_parameter(place) => (self.record.kind, self.record.at),
            _ => return Vec::new(),
        };
        let field = &self.text().layout.kind(kind).fields[place.field.index()];
        let wanted: Vec<_> = place.indices.iter().map(|e| self.values(*e)).collect();
        let mut held = Vec::new();
        for n in 0..field.n_elements() {
            let mut rest = n;
            let mut fits = true;
            for (d, dimension) in field.dimensions.iter().enumerate().rev() {
                let index = (rest % dimension.count) as i32;
                rest /= dimension.count;
                let values = wanted.get(d).and_then(Option::as_ref);
                fits &= values.is_none_or(|values| values.contains(&index));
            }
            if fits {
                held.push(
                    field
                        .slot
                        .scalar
                        .load(state, at + field.element_at(n) as usize),
                );
            }
        }
        held
    }

    fn is_parameter(&self, place: &Place) -> bool {
        self.proctype
            .parameters
            .iter()
            .any(|p| p.field == place.field)
    }

    /// The numbers that an index can be for this process, if they are known.
    fn values(&self, e: ExprId) -> Option<BTreeSet<i32>> {
        if let Some(value) = self.known(e) {
            return Some(BTreeSet::from([value]));
        }
        let sorts = &self.found.sorts;
        let table = &sorts.tables[sorts.exprs[e.index()].table?.index()];
        let known: Vec<_> = table.leaves.iter().map(|leaf| self.known(*leaf)).collect();
        let fits = |row: &[i32]| {
            let mut pairs = row.iter().zip(&known);
            pairs.all(|(value, known)| known.is_none_or(|known| known == *value))
        };
        let rows = table.rows.iter().filter(|(row, _)| fits(row));
        Some(rows.filter_map(|(_, value)| value.ok()).collect())
    }

    /// The number that an expression is for this process, if that is clear.
    fn known(&self, e: ExprId) -> Option<i32> {
        match self.text().expr(e) {
            Expr::Const(v) => Some(*v),
            Expr::Pid => Some(self.record.number),
            Expr::Read(place) if place.owner == Owner::Own && self.is_parameter(place) => {
                self.held(place).first().copied()
            }
            _ => None,
        }
    }
}
