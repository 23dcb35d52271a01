//! Processes sorted layer by layer, where references lead through layers.
//!
//! In a state that is *layered* each process refers to at most one of the next layer, no two refer
//! to the same, and nothing else refers to a process: it falls into chains. A process of the last
//! layer is sorted by its control data, then by those of the one that refers to it, and so on up
//! its chain; one of another layer by the place of what it refers to, or, if it refers to nobody
//! (these come first), by its own chain in the same way.
//!
//! Worked example: clients `r v` and servers `n`, references counted from 1: clients `2 7 | 1 9`,
//! servers `5 | 5`. The servers own the same; by their chains `5 9` and `5 7` they are exchanged,
//! and the clients become `1 7 | 2 9`.
//!
//! Exact on layered states: chains that are equal throughout can be exchanged as wholes, and all
//! others have an order. Whether a state is layered is the same for all states of its orbit; others
//! get their canonical state, so the whole is exact. Source: Derepas and Gastin 2001, section 4.3.
//! Departure: they sort all layers but the last by references first and nothing else, which leaves
//! the order open where two of a layer own the same, as above. Cost: sorting.

use crate::exchanges::Exchanges;
use group::shape::columns;
use group::{Group, Point};
use num_bigint::BigUint;
use reduce::action::{Layer, Reader, Sketch};

/// What is at the place of a point: which layer, which member of it, which point of its column.
#[derive(Clone, Copy)]
struct Place {
    layer: usize,
    member: usize,
    row: u32,
}

/// From which point of a column to which, and what the reference is.
type Way = (u32, u32, u64);

/// A member of a chain, and how it refers to the next.
type Link<'a> = (&'a Content, Option<Way>);

/// Data of a member that name no other: ranks of what its points own, and its arcs to itself.
type Content = (Vec<u32>, Vec<Way>);

/// A reference of a member: to which member of the next layer, and by which way.
type Reference = (usize, Way);

/// The layers of a model, ready to be sorted.
pub(crate) struct Layers {
    /// By layer and member: the points that move with it, in the same order for all of a layer.
    columns: Vec<Vec<Vec<Point>>>,
    /// By point.
    places: Vec<Option<Place>>,
    sketch: Sketch,
}

/// A state taken apart.
struct Parts {
    contents: Vec<Vec<Content>>,
    to: Vec<Vec<Option<Reference>>>,
    /// Who refers to it, of the layer before.
    from: Vec<Vec<Option<usize>>>,
}

impl Layers {
    /// `None` unless the group is all permutations of each of the layers and nothing else.
    pub fn new(layers: &[Layer], group: &Group) -> Option<Layers> {
        let tables = columns(group);
        let mut places = vec![None; group.degree()];
        let mut all = Vec::new();
        let mut order = BigUint::from(1u32);
        for (n, layer) in layers.iter().enumerate() {
            if Exchanges::new(group, &layer.points).classes.len() != 1 {
                return None;
            }
            order *= (1..=layer.points.len())
                .map(BigUint::from)
                .product::<BigUint>();
            let mut members = Vec::new();
            for (member, x) in layer.points.iter().enumerate() {
                let of_all = tables.iter().flat_map(|table| {
                    let widths = 0..table.width();
                    widths.map(|c| table.column(c))
                });
                let column = of_all.clone().find(|column| column.contains(x))?;
                for (row, y) in (0..).zip(&column) {
                    let place = Place {
                        layer: n,
                        member,
                        row,
                    };
                    if places[*y as usize].replace(place).is_some() {
                        return None;
                    }
                }
                members.push(column);
            }
            all.push(members);
        }
        let is_all = !all.is_empty() && group.order() == order;
        (is_all && places.iter().all(Option::is_some)).then(|| Layers {
            columns: all,
            places,
            sketch: Sketch::default(),
        })
    }

    /// Writes the element that sorts a layered state, or says that it is none.
    pub fn sort(
        &mut self,
        reading: &mut Reader,
        (state, ranks): (&[u8], &[u32]),
        element: &mut Vec<Point>,
    ) -> bool {
        let Some(parts) = self.take_apart(reading, state, ranks) else {
            return false;
        };
        element.clear();
        element.extend(0..self.places.len() as Point);
        // By layer, for each member the place to which it is sorted.
        let mut sorted: Vec<Vec<usize>> = vec![Vec::new(); self.columns.len()];
        for layer in (0..self.columns.len()).rev() {
            let n = self.columns[layer].len();
            let mut order: Vec<usize> = (0..n).collect();
            order.sort_by_cached_key(|member| {
                let to = &parts.to[layer][*member];
                let to = to
                    .as_ref()
                    .map(|(target, way)| (sorted[layer + 1][*target], way));
                (to, parts.chain(layer, *member))
            });
            sorted[layer] = vec![0; n];
            for (place, member) in order.iter().enumerate() {
                sorted[layer][*member] = place;
                let columns = &self.columns[layer];
                for (x, y) in columns[*member].iter().zip(&columns[place]) {
                    element[*x as usize] = *y;
                }
            }
        }
        true
    }

    fn take_apart(&mut self, reading: &mut Reader, state: &[u8], ranks: &[u32]) -> Option<Parts> {
        reading.sketch(state, &mut self.sketch);
        if self.sketch.nodes.len() != self.places.len() {
            return None;
        }
        let content = |column: &Vec<Point>| {
            let own = column.iter().map(|x| ranks[*x as usize]);
            (own.collect(), Vec::new())
        };
        let contents = self.columns.iter();
        let mut parts = Parts {
            contents: contents
                .map(|layer| layer.iter().map(content).collect())
                .collect(),
            to: self
                .columns
                .iter()
                .map(|layer| vec![None; layer.len()])
                .collect(),
            from: self
                .columns
                .iter()
                .map(|layer| vec![None; layer.len()])
                .collect(),
        };
        for (from, to, way) in &self.sketch.arcs {
            let place = |x: u32| self.places.get(x as usize).copied().flatten();
            let (from, to) = (place(*from)?, place(*to)?);
            let way = (from.row, to.row, *way);
            if (from.layer, from.member) == (to.layer, to.member) {
                parts.contents[from.layer][from.member].1.push(way);
                continue;
            }
            let is_next = to.layer == from.layer + 1;
            let own = &mut parts.to[from.layer][from.member];
            let is_first = own.replace((to.member, way)).is_none();
            let back = &mut parts.from[to.layer][to.member];
            if !is_next || !is_first || back.replace(from.member).is_some() {
                return None;
            }
        }
        let all = parts.contents.iter_mut().flatten();
        all.for_each(|(_, own)| own.sort_unstable());
        Some(parts)
    }
}

impl Parts {
    /// What a member owns, then the one that refers to it, and so on.
    fn chain(&self, layer: usize, member: usize) -> Vec<Link<'_>> {
        let mut chain = Vec::new();
        let mut next = Some((layer, member));
        while let Some((layer, member)) = next {
            let way = self.to[layer][member].map(|(_, way)| way);
            // The way of the first is in its key already, and its target is what differs.
            chain.push((&self.contents[layer][member], way));
            next = self.from[layer][member].map(|above| (layer - 1, above));
        }
        chain
    }
}
