//! Candidates for symmetries: the automorphisms of the structure of a model.
//!
//! The group that acts is the image of the graph's group on what bears state; what moves nothing
//! but expressions is divided out. Candidates become symmetries by [`crate::certify`] only.

use group::Perm;
use group::graph::{GraphBuilder, automorphisms};
use system::layout::{FieldId, KindId, Role};
use system::population::Population;
use system::sort::{ClassId, Sorts};
use system::structure::{Bearer, Structure};

/// Generators of a group on the bearers of state, not yet certified.
#[derive(Clone, Debug)]
pub struct Candidates {
    /// What is moved, in order.
    pub bearers: Vec<Bearer>,
    /// Permutations of these.
    pub generators: Vec<Perm>,
}

/// The automorphisms of `structure`, as they act on what bears state.
pub fn candidates(structure: &Structure) -> Candidates {
    let mut builder = GraphBuilder::default();
    for colour in &structure.colours {
        builder.vertex(*colour);
    }
    for link in &structure.links {
        builder.arc(link.from, link.to, link.label);
    }
    let found = automorphisms(&builder.build());
    let n = structure.bearers.len();
    let mut generators: Vec<Perm> = Vec::new();
    for generator in &found.generators {
        let moves = generator.moves().filter(|(x, _)| (*x as usize) < n);
        let generator = Perm::from_moves(n, moves.collect());
        if !generator.is_identity() && !generators.contains(&generator) {
            generators.push(generator);
        }
    }
    Candidates {
        bearers: structure.bearers.clone(),
        generators,
    }
}

/// Which bearers can be seen in a state at all.
pub(crate) struct Bearing {
    /// By class: whether its members are values of variables, messages, or indices.
    classes: Vec<bool>,
    /// By channel: whether it holds messages.
    channels: Vec<bool>,
}

impl Bearing {
    /// Looks who can.
    pub fn new(sorts: &Sorts, population: &Population) -> Bearing {
        let mut classes = vec![false; sorts.classes.len()];
        let is_there = |k: usize| {
            let mut records = sorts.text.layout.records(&population.states[0]);
            k == 0 || records.any(|(kind, _)| kind == KindId::new(k))
        };
        let later = sorts.made_later.iter().any(|later| *later);
        for (k, fields) in sorts.fields.iter().enumerate() {
            if !later && !is_there(k) {
                continue;
            }
            for (f, field) in fields.iter().enumerate() {
                if !sorts.uses[k][f].used {
                    continue;
                }
                classes[field.value.index()] = true;
                field.indices.iter().for_each(|c| classes[c.index()] = true);
            }
            sorts.messages[k].iter().for_each(|c| classes[c.index()] = true);
        }
        let holds = |kind: KindId| match &sorts.text.layout.kind(kind).role {
            Role::Channel(buffer) => buffer.capacity > 0,
            _ => true,
        };
        let channels = population.channels.iter().map(|record| holds(record.kind));
        Bearing {
            classes,
            channels: channels.collect(),
        }
    }

    /// Whether members of a class can be seen in states.
    pub fn shows(&self, class: ClassId) -> bool {
        self.classes[class.index()]
    }

    /// Whether a bearer can be seen in states.
    pub fn bears(&self, bearer: Bearer) -> bool {
        match bearer {
            Bearer::Member(class, _) => self.classes.get(class.index()) == Some(&true),
            Bearer::Channel(number) => {
                let n = usize::try_from(number).ok().and_then(|n| n.checked_sub(1));
                n.is_some_and(|n| self.channels.get(n) == Some(&true))
            }
            _ => true,
        }
    }
}

/// The bearer in the model's own words: `client 2`, `link[1]`, `id 3`.
pub fn name(bearer: Bearer, sorts: &Sorts, population: &Population) -> String {
    let text = &sorts.text;
    match bearer {
        Bearer::Process(number) => {
            let kind = population.processes[number as usize].kind;
            format!("{} {number}", text.layout.kind(kind).name)
        }
        Bearer::Channel(number) => {
            let kind = population.channels[number as usize - 1].kind;
            format!("{} {number}", text.layout.kind(kind).name)
        }
        Bearer::Member(class, value) => member_name(class, value, sorts),
        Bearer::Field(kind, field) => field_name(kind, field, sorts),
        Bearer::Location(proctype, at) => {
            let proctype = text.proctype(proctype);
            let location = &proctype.locations[at.index()];
            match location.labels.first() {
                Some(label) => format!("{}@{label}", proctype.name),
                None => format!("{}@{}", proctype.name, location.number),
            }
        }
    }
}

fn field_name(kind: KindId, field: FieldId, sorts: &Sorts) -> String {
    let record = sorts.text.layout.kind(kind);
    let name = &record.fields[field.index()].name;
    match kind.index() {
        0 => name.clone(),
        _ => format!("{}:{name}", record.name),
    }
}

fn member_name(class: ClassId, value: i32, sorts: &Sorts) -> String {
    let mut where_used = Vec::new();
    for (k, fields) in sorts.fields.iter().enumerate() {
        for (f, classes) in fields.iter().enumerate() {
            if classes.value == class {
                where_used.push(field_name(KindId::new(k), FieldId::new(f), sorts));
            }
        }
    }
    match where_used.first() {
        Some(name) => format!("{name}={value}"),
        None => format!("{value}"),
    }
}
