//! What variables and channels hold once the making is over, as vertices.
//!
//! Each element of a variable is a *cell*: it refers to the record it is in, to the variable, to
//! the members that are its indices, and to the member it holds; indices and values that are no
//! members are in its colour. `flag[2] == 1` with both classes sorts is a cell with three arcs.
//!
//! Where the making ends in one of several states, each state is a vertex, and a cell that differs
//! between them is there once for each state and refers to it.

use super::{Bearer, Builder, Key, Tag, label};
use crate::processes::sort::ClassId;
use model::processes::layout::{FieldId, KindId, MESSAGES_AT, Role};
use model::processes::population::{Record, Start, location_of};
use std::collections::HashMap;

/// What a cell is made of: its colour, and its arcs.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Made {
    tag: Tag,
    key: Key,
    links: Vec<(u32, u32)>,
}

impl Builder<'_> {
    /// The cells of all records in all states.
    pub(super) fn cells(&mut self) {
        let population = self.population;
        let drawn: Vec<Vec<Made>> = population.states.iter().map(|s| self.drawn(s)).collect();
        if drawn.len() == 1 {
            drawn[0].iter().for_each(|made| self.cell(made, None));
            return;
        }
        let mut counts: HashMap<&Made, usize> = HashMap::new();
        for made in drawn.iter().flatten() {
            *counts.entry(made).or_default() += 1;
        }
        let shared = |made: &Made| counts[made] == drawn.len();
        for made in drawn[0].iter().filter(|made| shared(made)) {
            self.cell(made, None);
        }
        for cells in &drawn {
            let state = self.vertex(Tag::State, &[]);
            for made in cells.iter().filter(|made| !shared(made)) {
                self.cell(made, Some(state));
            }
        }
    }

    fn cell(&mut self, made: &Made, state: Option<u32>) {
        let cell = self.vertex(made.tag, &made.key);
        for (to, label) in &made.links {
            self.link(cell, *to, *label);
        }
        if let Some(state) = state {
            self.link(cell, state, label::PART);
        }
    }

    /// The cells of one state.
    fn drawn(&self, state: &[u8]) -> Vec<Made> {
        let population = self.population;
        let mut cells = Vec::new();
        let free = population.start == Start::Free;
        self.record_cells(state, (KindId::new(0), 0), None, &mut cells);
        for record in &population.processes {
            let owner = self.at[&Bearer::Process(record.number)];
            self.record_cells(state, (record.kind, record.at), Some(owner), &mut cells);
            let Some(p) = self.proctype_of(record.kind).filter(|_| !free) else {
                continue;
            };
            let at = location_of(&self.sorts.text, p, state, record);
            let mut links = vec![(owner, label::OWNER)];
            // A process whose text cannot be run rests where it is.
            let place = self.at.get(&Bearer::Location(p, at)).copied();
            links.extend(place.map(|place| (place, label::AT)));
            cells.push(Made {
                tag: Tag::At,
                key: Vec::new(),
                links,
            });
        }
        for record in population.channels.iter().filter(|_| !free) {
            self.messages(state, record.kind, record.at, (record.number, &mut cells));
        }
        cells
    }

    fn record_cells(
        &self,
        state: &[u8],
        (kind, at): (KindId, usize),
        owner: Option<u32>,
        out: &mut Vec<Made>,
    ) {
        let sorts = self.sorts;
        let here = self.proctype_of(kind).map(|p| {
            let number = 0;
            let record = Record { kind, at, number };
            (p, location_of(&sorts.text, p, state, &record))
        });
        for (f, field) in sorts.text.layout.kind(kind).fields.iter().enumerate() {
            let free = self.population.start == Start::Free;
            let uses = sorts.uses[kind.index()][f];
            // What never changes ties ids to processes, also where the start need not be kept.
            if !uses.used || (free && uses.written) {
                continue;
            }
            let classes = &sorts.fields[kind.index()][f];
            let vertex = self.at[&Bearer::Field(kind, FieldId::new(f))];
            for n in 0..field.n_elements() {
                let offset = at + field.element_at(n) as usize;
                let value = field.slot.scalar.load(state, offset);
                let mut made = Made {
                    tag: Tag::Cell,
                    key: Vec::new(),
                    links: vec![(vertex, label::FIELD)],
                };
                made.links.extend(owner.map(|owner| (owner, label::OWNER)));
                let mut rest = n;
                for (d, dimension) in field.dimensions.iter().enumerate().rev() {
                    let index = (rest % dimension.count) as i32;
                    rest /= dimension.count;
                    self.refer(classes.indices[d], index, label::NTH + d as u32, &mut made);
                }
                match here {
                    Some((p, at)) if sorts.is_neutral(p, FieldId::new(f), at) => {
                        made.key.extend([i64::from(label::VALUE), i64::from(value)]);
                    }
                    _ => self.refer(classes.value, value, label::VALUE, &mut made),
                }
                out.push(made);
            }
        }
    }

    /// Adds a value to what a cell is made of: an arc if it is a member, else a part of its colour.
    fn refer(&self, class: ClassId, value: i32, way: u32, made: &mut Made) {
        match self.at.get(&Bearer::Member(class, value)) {
            Some(member) => made.links.push((*member, way)),
            None => made.key.extend([i64::from(way), i64::from(value)]),
        }
    }

    fn messages(
        &self,
        state: &[u8],
        kind: KindId,
        at: usize,
        (number, out): (i32, &mut Vec<Made>),
    ) {
        let sorts = self.sorts;
        let Role::Channel(buffer) = &sorts.text.layout.kind(kind).role else {
            return;
        };
        let channel = self.at[&Bearer::Channel(number)];
        for n in 0..usize::from(state[at + 1]) {
            let first = at + MESSAGES_AT as usize + n * buffer.message_size as usize;
            let mut made = Made {
                tag: Tag::Message,
                key: vec![n as i64],
                links: vec![(channel, label::OWNER)],
            };
            let value = |i: usize| {
                let (offset, slot) = &buffer.fields[i];
                slot.scalar.load(state, first + *offset as usize)
            };
            let classes = sorts.messages[kind.index()].held(value);
            for (i, class) in classes.into_iter().flatten().enumerate() {
                self.refer(*class, value(i), label::NTH + i as u32, &mut made);
            }
            out.push(made);
        }
    }
}
