//! By what the text wants processes compared, and whether references lead through layers.
//!
//! A process type whose instances are referred to has a *key*: its variables in the order of the
//! text, public ones among them, and the location where the text puts `_state`, or else last.
//! Variables that never change are left out, and so are those that hold channels: a channel moves
//! with its process, and its number says nothing.
//!
//! *Layers*: types `t₁ t₂ …` such that instances of `tᵢ` have one variable that refers to an
//! instance, of `tᵢ₊₁`, and nothing else refers to one: no global, no message, no second type.
//!
//! Worked example: `active [2] proctype client() { ref server to; byte v }` and `active [2]
//! proctype server() { byte n }`: the key of a client is `to`, `v`, its location; the layers are
//! the clients, then the servers. If a server had a `ref client`, there would be none.
//!
//! Source: Derepas and Gastin 2001, sections 4.2 and 4.3. Cost: linear in the variables.

use crate::action::{KeyCell, Layer};
use crate::processes::act::Shape;
use crate::processes::points::{NONE, Points};
use group::Point;
use model::processes::layout::{Field, FieldId, KindId, Meaning, Role, Scalar};
use model::processes::population::{Population, Record};
use model::processes::program::{DeclaredSort, Instances, KeyPart, Model};
use std::collections::HashMap;

/// What the text says about comparing processes.
#[derive(Clone, Debug, Default)]
pub(crate) struct DeclaredKeys {
    /// By point of a process.
    pub by_point: HashMap<Point, Vec<KeyCell>>,
    /// The layers, each before the one that it refers to; empty if there are none.
    pub layers: Vec<Layer>,
}

/// Reads keys out of a model.
struct KeyReader<'a> {
    model: &'a Model,
    population: &'a Population,
    points: &'a Points,
    shapes: &'a [Shape],
}

impl DeclaredKeys {
    /// Those of the processes that are points.
    pub fn new(
        model: &Model,
        population: &Population,
        points: &Points,
        shapes: &[Shape],
    ) -> DeclaredKeys {
        let reader = KeyReader {
            model,
            population,
            points,
            shapes,
        };
        let mut keys = DeclaredKeys::default();
        for sort in &model.declared_sorts {
            let Some(instances) = &sort.instances else {
                continue;
            };
            for (n, record) in reader.records(instances).enumerate() {
                let point = points.process(record.number);
                if point != NONE {
                    let key = reader.key(instances, record, n as u32);
                    keys.by_point.insert(point, key);
                }
            }
        }
        keys.layers = reader.layers().unwrap_or_default();
        keys
    }
}

impl<'a> KeyReader<'a> {
    fn kind(&self, instances: &Instances) -> KindId {
        self.model.proctype(instances.proctype).kind
    }

    /// The instances, in order.
    fn records(&self, instances: &Instances) -> impl Iterator<Item = &'a Record> + use<'a> {
        let kind = self.kind(instances);
        let all = self.population.processes.iter();
        all.filter(move |record| record.kind == kind)
    }

    fn key(&self, instances: &Instances, record: &Record, n: u32) -> Vec<KeyCell> {
        let kind = self.model.layout.kind(record.kind);
        let mut cells = Vec::new();
        for part in &instances.key {
            match part {
                KeyPart::Location => {
                    if let Role::Process { location } = kind.role {
                        cells.push(KeyCell {
                            at: record.at + 1,
                            scalar: location,
                            none: None,
                        });
                    }
                }
                KeyPart::Own(id) => {
                    let field = &kind.fields[id.index()];
                    let all = 0..field.n_elements();
                    self.cells((record.kind, *id), all, record.at, &mut cells);
                }
                KeyPart::Public(id) => {
                    let field = &self.model.layout.globals().fields[id.index()];
                    let first = field.dimensions.first().map_or(1, |d| d.count);
                    let each = field.n_elements() / first.max(1);
                    let own = n * each..(n + 1) * each;
                    self.cells((KindId::new(0), *id), own, 0, &mut cells);
                }
            }
        }
        cells
    }

    /// Elements of a field that can change and are no channels.
    fn cells(
        &self,
        (kind, id): (KindId, FieldId),
        elements: std::ops::Range<u32>,
        base: usize,
        out: &mut Vec<KeyCell>,
    ) {
        let field: &Field = &self.model.layout.kind(kind).fields[id.index()];
        if field.slot.meaning == Meaning::Channel {
            return;
        }
        let sorts = self.model.declared_sorts.iter();
        let mut holding = sorts.filter(|sort| sort.values.contains(&(kind, id)));
        let none = holding.next().map(|sort| sort.undefined);
        let inert = &self.shapes[kind.index()].inert;
        for element in elements {
            let at = field.element_at(element) as usize;
            if !inert.iter().any(|(start, _)| *start == at) {
                let scalar: Scalar = field.slot.scalar;
                out.push(KeyCell {
                    at: base + at,
                    scalar,
                    none,
                });
            }
        }
    }

    /// The only sort to which instances of that one refer, if it is so; nothing if they refer in
    /// another way.
    fn target(&self, from: &DeclaredSort) -> Option<Option<usize>> {
        let own = from.instances.as_ref()?;
        let kind = self.kind(own);
        let mut found = None;
        for (n, sort) in self.model.declared_sorts.iter().enumerate() {
            for (at, field) in &sort.values {
                let is_number = *at == kind && Some(*field) == own.own;
                let is_of_it = *at == kind || own.key.contains(&KeyPart::Public(*field));
                if is_number || !is_of_it || (*at != kind && at.index() != 0) {
                    continue;
                }
                let elements = self.model.layout.kind(*at).fields[field.index()].n_elements();
                let each = elements
                    / if *at == kind {
                        1
                    } else {
                        from.n_members.max(1)
                    };
                if each != 1 || found.is_some() {
                    return None;
                }
                found = Some(n);
            }
        }
        Some(found)
    }

    /// The layers, if all references are such.
    fn layers(&self) -> Option<Vec<Layer>> {
        let sorts = &self.model.declared_sorts;
        let mut targets = Vec::new();
        let mut n_cells = 0;
        for sort in sorts {
            let target = self.target(sort)?;
            n_cells += usize::from(target.is_some());
            targets.push(target);
        }
        // Nothing else refers to an instance.
        let is_own = |sort: &DeclaredSort| sort.instances.as_ref().is_some_and(|i| i.own.is_some());
        let n_numbers = sorts.iter().filter(|sort| is_own(sort)).count();
        let n_values: usize = sorts.iter().map(|sort| sort.values.len()).sum();
        let no_messages = sorts.iter().all(|sort| sort.messages.is_empty());
        if n_cells == 0 || n_values > n_cells + n_numbers || !no_messages {
            return None;
        }
        let order = chain_order(&targets)?;
        let layer = |n: &usize| {
            let instances = sorts[*n].instances.as_ref()?;
            let records = self.records(instances);
            let points: Vec<Point> = records.map(|r| self.points.process(r.number)).collect();
            Some(points).filter(|points| !points.contains(&NONE) && points.len() > 1)
        };
        // A type with one instance, or whose instances are told apart, is no layer that is sorted.
        let layers = order.iter().filter_map(layer);
        Some(layers.map(|points| Layer { points }).collect())
    }
}

/// Each before the one it leads to; `None` if two lead to one, or some lead round in a ring.
fn chain_order(targets: &[Option<usize>]) -> Option<Vec<usize>> {
    let mut is_target = vec![false; targets.len()];
    for target in targets.iter().flatten() {
        if std::mem::replace(&mut is_target[*target], true) {
            return None;
        }
    }
    let mut order = Vec::new();
    for first in (0..targets.len()).filter(|n| !is_target[*n]) {
        let mut next = Some(first);
        while let Some(n) = next {
            order.push(n);
            next = targets[n];
        }
    }
    (order.len() == targets.len()).then_some(order)
}

#[cfg(test)]
mod tests {
    use super::chain_order;

    #[test]
    fn chains_are_ordered_and_rings_and_forks_are_not() {
        assert_eq!(chain_order(&[Some(1), Some(2), None]), Some(vec![0, 1, 2]));
        assert_eq!(chain_order(&[None, Some(0), None]), Some(vec![1, 0, 2]));
        assert_eq!(chain_order(&[Some(2), Some(2), None]), None);
        assert_eq!(chain_order(&[Some(1), Some(0), None]), None);
        assert_eq!(chain_order(&[Some(0)]), None);
    }
}
