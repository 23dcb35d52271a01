//! What variables and channels hold once the making is over, as vertices.
//!
//! Each element of a variable is a *cell*: it refers to the record it is in, to the variable, to
//! the members that are its indices, and to the member it holds; indices and values that are no
//! members are in its colour. `flag[2] == 1` with both classes sorts is a cell with three arcs.

use super::{Bearer, Builder, Key, Tag, label};
use crate::layout::{FieldId, KindId, MESSAGES_AT, Role};
use crate::population::location_of;
use crate::sort::ClassId;

impl Builder<'_> {
    /// The cells of all records.
    pub(super) fn cells(&mut self) {
        let population = self.population;
        self.record_cells(KindId::new(0), 0, None);
        for record in &population.processes {
            let owner = self.at[&Bearer::Process(record.number)];
            self.record_cells(record.kind, record.at, Some(owner));
            let Some(p) = self.proctype_of(record.kind) else {
                continue;
            };
            let at = location_of(&self.sorts.text, p, &population.state, record);
            // A process whose text cannot be run rests where it is.
            if let Some(at) = self.at.get(&Bearer::Location(p, at)).copied() {
                self.link(owner, at, label::AT);
            }
        }
        for record in &population.channels {
            self.messages(record.kind, record.at, record.number);
        }
    }

    fn record_cells(&mut self, kind: KindId, at: usize, owner: Option<u32>) {
        let (sorts, population) = (self.sorts, self.population);
        for (f, field) in sorts.text.layout.kind(kind).fields.iter().enumerate() {
            if !sorts.uses[kind.index()][f].used {
                continue;
            }
            let classes = &sorts.fields[kind.index()][f];
            let vertex = self.at[&Bearer::Field(kind, FieldId::new(f))];
            for n in 0..field.n_elements() {
                let offset = at + field.element_at(n) as usize;
                let value = field.slot.scalar.load(&population.state, offset);
                let mut links = vec![(vertex, label::FIELD)];
                links.extend(owner.map(|owner| (owner, label::OWNER)));
                let mut key: Key = Vec::new();
                let mut rest = n;
                for (d, dimension) in field.dimensions.iter().enumerate().rev() {
                    let index = (rest % dimension.count) as i32;
                    rest /= dimension.count;
                    let way = label::NTH + d as u32;
                    self.refer(classes.indices[d], index, way, (&mut key, &mut links));
                }
                self.refer(classes.value, value, label::VALUE, (&mut key, &mut links));
                self.cell(Tag::Cell, &key, &links);
            }
        }
    }

    fn cell(&mut self, tag: Tag, key: &[i64], links: &[(u32, u32)]) {
        let cell = self.vertex(tag, key);
        for (to, label) in links {
            self.link(cell, *to, *label);
        }
    }

    /// Adds a value to what a cell is made of: an arc if it is a member, else a part of its colour.
    fn refer(
        &self,
        class: ClassId,
        value: i32,
        way: u32,
        (key, links): (&mut Key, &mut Vec<(u32, u32)>),
    ) {
        match self.at.get(&Bearer::Member(class, value)) {
            Some(member) => links.push((*member, way)),
            None => key.extend([i64::from(way), i64::from(value)]),
        }
    }

    fn messages(&mut self, kind: KindId, at: usize, number: i32) {
        let (sorts, population) = (self.sorts, self.population);
        let Role::Channel(buffer) = &sorts.text.layout.kind(kind).role else {
            return;
        };
        let channel = self.at[&Bearer::Channel(number)];
        for n in 0..usize::from(population.state[at + 1]) {
            let first = at + MESSAGES_AT as usize + n * buffer.message_size as usize;
            let mut key: Key = vec![n as i64];
            let mut links = vec![(channel, label::OWNER)];
            for (i, (offset, slot)) in buffer.fields.iter().enumerate() {
                let value = slot.scalar.load(&population.state, first + *offset as usize);
                let class = sorts.messages[kind.index()][i];
                self.refer(class, value, label::NTH + i as u32, (&mut key, &mut links));
            }
            self.cell(Tag::Message, &key, &links);
        }
    }
}
