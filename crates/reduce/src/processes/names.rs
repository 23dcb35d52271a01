//! What moves, in the model's own words.
//!
//! Processes are called as in runs (`client(2)`), channels by the variable that holds them
//! (`link[2]`), other members by the variable they are values of (`turn = 1`).

use crate::processes::sort::{ClassId, FieldClasses, Sorts};
use crate::processes::structure::Bearer;
use group::Perm;
use model::processes::layout::{FieldId, KindId, Role};
use model::processes::population::Population;
use std::collections::BTreeSet;

/// The names of a model's bearers.
pub struct Names<'a> {
    sorts: &'a Sorts,
    population: &'a Population,
    channels: Vec<String>,
}

impl<'a> Names<'a> {
    /// Looks up the names of channels.
    pub fn new(sorts: &'a Sorts, population: &'a Population) -> Names<'a> {
        let kinds = &sorts.text.layout.kinds;
        let channels = population.channels.iter();
        let channels = channels.map(|record| {
            let name = &kinds[record.kind.index()].name;
            global_that_holds(sorts, population, record.number)
                .unwrap_or_else(|| format!("{name} {}", record.number))
        });
        Names {
            channels: channels.collect(),
            sorts,
            population,
        }
    }

    /// The name of a bearer.
    pub fn name(&self, bearer: Bearer) -> String {
        let text = &self.sorts.text;
        match bearer {
            Bearer::Process(number) => {
                let kind = self.population.processes[number as usize].kind;
                format!("{}({number})", text.layout.kind(kind).name)
            }
            Bearer::Channel(number) => self.channels[number as usize - 1].clone(),
            Bearer::Member(class, value) => self.member(class, value),
            Bearer::Field(kind, field) if self.is_channel(bearer) => {
                format!("variable {}", self.field(kind, field))
            }
            Bearer::Field(kind, field) => self.field(kind, field),
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

    /// A permutation of bearers as cycles. What only follows from the rest is left out: members
    /// that stand for processes and channels, and locations.
    pub fn cycles(&self, bearers: &[Bearer], generator: &Perm) -> String {
        let tells = |x: &u32| self.tells(bearers[*x as usize]);
        let cycles = generator.cycles();
        let mut shown: Vec<&Vec<u32>> = cycles.iter().filter(|c| tells(&c[0])).collect();
        if shown.is_empty() {
            shown = cycles.iter().collect();
        }
        let cycle = |cycle: &&Vec<u32>| {
            let names = cycle.iter().map(|x| self.name(bearers[*x as usize]));
            format!("({})", names.collect::<Vec<_>>().join(" "))
        };
        shown.iter().map(cycle).collect()
    }

    /// Whether where a bearer goes does not just follow from where others go.
    pub fn tells(&self, bearer: Bearer) -> bool {
        match bearer {
            Bearer::Member(class, _) => !self.stands_for_records(class),
            Bearer::Location(..) => false,
            _ => !self.is_channel(bearer),
        }
    }

    /// Whether a variable has the name of a channel, because it holds it.
    fn is_channel(&self, bearer: Bearer) -> bool {
        match bearer {
            Bearer::Field(kind, field) => {
                kind.index() == 0 && self.channels.contains(&self.field(kind, field))
            }
            _ => false,
        }
    }

    /// Whether members of a class are numbers of processes or channels, or do nothing but index
    /// channels.
    pub fn stands_for_records(&self, class: ClassId) -> bool {
        let known = self.sorts.class(class);
        known.names_processes
            || known.names_channels
            || self.sorts.pids.contains(&class)
            || self.indexes_channels(class)
    }

    fn indexes_channels(&self, class: ClassId) -> bool {
        let mut fields = self.sorts.fields.iter().flatten();
        let indexes = |f: &&FieldClasses| f.indices.contains(&class);
        let channels = |f: &FieldClasses| {
            !f.indices.contains(&class) || self.sorts.class(f.value).names_channels
        };
        let holds = |f: &FieldClasses| f.value == class;
        let sent = (self.sorts.messages.iter()).any(|m| m.all().any(|(_, c)| c == class));
        let all = || self.sorts.fields.iter().flatten();
        fields.any(|f| indexes(&f)) && all().all(channels) && !all().any(holds) && !sent
    }

    /// The variables that hold members of a class or are indexed by them.
    pub fn places(&self, class: ClassId) -> Vec<String> {
        let mut places = Vec::new();
        for (k, fields) in self.sorts.fields.iter().enumerate() {
            for (f, classes) in fields.iter().enumerate() {
                let name = || self.field(KindId::new(k), FieldId::new(f));
                if !self.sorts.uses[k][f].used {
                    continue;
                }
                if classes.value == class {
                    places.push(name());
                }
                if classes.indices.contains(&class) {
                    places.push(format!("index of {}", name()));
                }
            }
        }
        for (k, classes) in self.sorts.messages.iter().enumerate() {
            let kind = &self.sorts.text.layout.kinds[k];
            let all = classes.all().filter(|(_, c)| *c == class);
            let fields: BTreeSet<usize> = all.map(|(i, _)| i).collect();
            for i in fields {
                if matches!(kind.role, Role::Channel(_)) {
                    places.push(format!("field {} of {}", i + 1, kind.name));
                }
            }
        }
        for (p, pid) in self.sorts.pids.iter().enumerate() {
            if *pid == class && self.sorts.live[p].contains(&true) {
                places.push(format!("_pid of {}", self.sorts.text.proctypes[p].name));
            }
        }
        places
    }

    /// The name of a variable; with that of its type, if it is one of processes.
    pub fn field(&self, kind: KindId, field: FieldId) -> String {
        let record = self.sorts.text.layout.kind(kind);
        let name = &record.fields[field.index()].name;
        match kind.index() {
            0 => name.clone(),
            _ => format!("{}:{name}", record.name),
        }
    }

    fn member(&self, class: ClassId, value: i32) -> String {
        match self.places(class).first() {
            Some(place) => format!("{place} = {value}"),
            None => format!("{value}"),
        }
    }
}

/// The global variable that holds a channel when the making is over.
fn global_that_holds(sorts: &Sorts, population: &Population, number: i32) -> Option<String> {
    let state = &population.states[0];
    let globals = sorts.text.layout.globals();
    for (f, field) in globals.fields.iter().enumerate() {
        let class = sorts.class(sorts.fields[0][f].value);
        let is_channel = matches!(
            field.slot.meaning,
            model::processes::layout::Meaning::Channel
        );
        if !is_channel && !class.names_channels {
            continue;
        }
        for n in 0..field.n_elements() {
            let (at, name) = field.element(n);
            if field.slot.scalar.load(state, at as usize) == number {
                return Some(name);
            }
        }
    }
    None
}
