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
use crate::processes::sort::Sorts;
use crate::processes::structure::Bearer;
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
    /// The types; those that are layers before the ones that they refer to.
    pub layers: Vec<Layer>,
}

/// Reads keys out of a model.
struct KeyReader<'a> {
    sorts: &'a Sorts,
    population: &'a Population,
    points: &'a Points,
    shapes: &'a [Shape],
}

impl DeclaredKeys {
    /// Those of the processes that are points.
    pub fn new(
        sorts: &Sorts,
        population: &Population,
        points: &Points,
        shapes: &[Shape],
    ) -> DeclaredKeys {
        let reader = KeyReader {
            sorts,
            population,
            points,
            shapes,
        };
        let mut keys = DeclaredKeys::default();
        for instances in &sorts.text.declared_keys {
            for (n, record) in reader.records(instances).enumerate() {
                let point = points.process(record.number);
                if point != NONE {
                    let key = reader.key(instances, record, n as u32);
                    keys.by_point.insert(point, key);
                }
            }
        }
        keys.layers = reader.layers();
        keys
    }
}

impl<'a> KeyReader<'a> {
    fn kind(&self, instances: &Instances) -> KindId {
        self.model().proctype(instances.proctype).kind
    }

    /// The instances, in order.
    fn records(&self, instances: &Instances) -> impl Iterator<Item = &'a Record> + use<'a> {
        let kind = self.kind(instances);
        let all = self.population.processes.iter();
        all.filter(move |record| record.kind == kind)
    }

    fn key(&self, instances: &Instances, record: &Record, n: u32) -> Vec<KeyCell> {
        let kind = self.model().layout.kind(record.kind);
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
                    let field = &self.model().layout.globals().fields[id.index()];
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
        let field: &Field = &self.model().layout.kind(kind).fields[id.index()];
        if field.slot.meaning == Meaning::Channel {
            return;
        }
        let sorts = self.model().declared_sorts.iter();
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

    /// The type whose instances are the members of a sort.
    fn type_of(&self, sort: &DeclaredSort) -> Option<usize> {
        let proctype = sort.instances.as_ref()?.proctype;
        let all = &self.model().declared_keys;
        all.iter().position(|own| own.proctype == proctype)
    }

    /// For each type the only one to which its instances refer, by one variable; nothing if
    /// something refers in another way.
    fn targets(&self) -> Option<Vec<Option<usize>>> {
        let (model, all) = (self.model(), &self.model().declared_keys);
        let mut targets = vec![None; all.len()];
        for sort in &model.declared_sorts {
            let to = self.type_of(sort)?;
            if !sort.messages.is_empty() {
                return None;
            }
            for (kind, id) in &sort.values {
                // The number of an instance is in no state that differs from another.
                if all
                    .iter()
                    .any(|own| self.kind(own) == *kind && own.own == Some(*id))
                {
                    continue;
                }
                let is_of = |own: &Instances| {
                    let is_public = kind.index() == 0 && own.key.contains(&KeyPart::Public(*id));
                    is_public || self.kind(own) == *kind
                };
                let from = all.iter().position(is_of)?;
                let n_instances = match kind.index() {
                    0 => self.records(&all[from]).count().max(1) as u32,
                    _ => 1,
                };
                let n_elements = model.layout.kind(*kind).fields[id.index()].n_elements();
                if n_elements != n_instances || targets[from].replace(to).is_some() {
                    return None;
                }
            }
        }
        Some(targets)
    }

    /// The types, in the order of layers if there are such, or else each leading nowhere.
    fn layers(&self) -> Vec<Layer> {
        let n = self.model().declared_keys.len();
        let chains = self
            .targets()
            .and_then(|targets| Some((chain_order(&targets)?, targets)));
        let (order, targets) = chains.unwrap_or_else(|| ((0..n).collect(), vec![None; n]));
        let place = |n: &usize| order.iter().position(|other| other == n);
        let layers = order.iter().map(|n| Layer {
            rows: self.rows(*n),
            next: targets[*n].and_then(|to| place(&to)),
        });
        layers.collect()
    }

    /// The processes of a type, and the numbers that they are referred to by, where these move.
    fn rows(&self, n: usize) -> Vec<Vec<Point>> {
        let records = self.records(&self.model().declared_keys[n]);
        let processes = records.map(|record| self.points.process(record.number));
        let mut rows: Vec<Vec<Point>> = vec![processes.collect()];
        let sort = self.model().declared_sorts.iter();
        let sort = sort.clone().find(|sort| self.type_of(sort) == Some(n));
        let class = sort.and_then(|sort| {
            let value = sort.values.first();
            let value = value.map(|(kind, id)| self.sorts.fields[kind.index()][id.index()].value);
            let index = sort
                .dimensions
                .first()
                .map(|(kind, id, d)| self.sorts.fields[kind.index()][id.index()].indices[*d]);
            value.or(index)
        });
        if let (Some(sort), Some(class)) = (sort, class) {
            let member = |i| self.points.of(Bearer::Member(class, i as i32));
            rows.push((0..sort.n_members).map(member).collect());
        }
        rows.retain(|row| !row.contains(&NONE) && row.len() > 1);
        rows
    }

    fn model(&self) -> &'a Model {
        &self.sorts.text
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
