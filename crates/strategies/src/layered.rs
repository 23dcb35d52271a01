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

use group::shape::{Table, columns};
use group::{Group, Point};
use num_bigint::BigUint;
use reduce::action::{Layer, Reader, Sketch};

/// What is at the place of a point: which class of columns, which of them, which point of it.
#[derive(Clone, Copy)]
struct Place {
    class: usize,
    member: usize,
    row: u32,
}

/// From which point of a column to which, and what the reference is.
type Way = (u32, u32, u64);

/// Data of a member that name no other: ranks of what its points own, and its arcs to itself.
type Content = (Vec<u32>, Vec<Way>);

/// A member of a chain: its class, what it owns, and how it refers to the next.
type Link<'a> = (usize, &'a Content, Option<Way>);

/// Columns that are arranged freely: a process with the number that it is referred to by.
struct Class {
    table: Table,
    /// The class that they refer to, which comes later.
    next: Option<usize>,
}

/// The layers of a model, ready to be sorted.
pub(crate) struct Layers {
    classes: Vec<Class>,
    /// By point.
    places: Vec<Place>,
    sketch: Sketch,
}

/// A state taken apart: by class and member.
struct Parts {
    contents: Vec<Vec<Content>>,
    /// To which member of the next class it refers, and by which way.
    to: Vec<Vec<Option<(usize, Way)>>>,
    /// Which member of which class refers to it.
    from: Vec<Vec<Option<(usize, usize)>>>,
}

impl Layers {
    /// `None` unless the group is all permutations of the instances of each of the types.
    pub fn new(layers: &[Layer], group: &Group) -> Option<Layers> {
        let mut tables = columns(group);
        let order: BigUint = tables
            .iter()
            .map(|table| factorial(table.width()))
            .product();
        if layers.iter().all(|layer| layer.next.is_none()) || order != group.order() {
            return None;
        }
        // By layer: its classes, those of processes before those of numbers.
        let mut classes: Vec<Class> = Vec::new();
        let mut of_layer: Vec<Vec<usize>> = Vec::new();
        for layer in layers {
            let mut own = Vec::new();
            for row in &layer.rows {
                let has = |table: &Table| table.rows().iter().any(|r| r.contains(&row[0]));
                if let Some(n) = tables.iter().position(has) {
                    own.push(classes.len());
                    classes.push(Class {
                        table: tables.swap_remove(n),
                        next: None,
                    });
                } else {
                    own.extend(classes.iter().position(|class| has(&class.table)));
                }
            }
            of_layer.push(own);
        }
        for (layer, own) in layers.iter().zip(&of_layer) {
            let next = layer.next.and_then(|next| of_layer[next].last());
            own.iter()
                .for_each(|class| classes[*class].next = next.copied());
        }
        let mut places = vec![None; group.degree()];
        for (n, class) in classes.iter().enumerate() {
            for member in 0..class.table.width() {
                for (row, x) in (0..).zip(class.table.column(member)) {
                    places[x as usize] = Some(Place {
                        class: n,
                        member,
                        row,
                    });
                }
            }
        }
        // What is in no layer moves in another way.
        let places: Option<Vec<Place>> = places.into_iter().collect();
        Some(Layers {
            classes,
            places: places?,
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
        // By class, for each member the place to which it is sorted.
        let mut sorted: Vec<Vec<usize>> = vec![Vec::new(); self.classes.len()];
        for (n, class) in self.classes.iter().enumerate().rev() {
            let mut order: Vec<usize> = (0..class.table.width()).collect();
            order.sort_by_cached_key(|member| {
                let to = parts.to[n][*member].zip(class.next);
                let to = to.map(|((target, way), next)| (sorted[next][target], way));
                (to, parts.chain(n, *member))
            });
            sorted[n] = vec![0; order.len()];
            for (place, member) in order.iter().enumerate() {
                sorted[n][*member] = place;
                for row in class.table.rows() {
                    element[row[*member] as usize] = row[place];
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
        let mut parts = Parts {
            contents: Vec::new(),
            to: Vec::new(),
            from: Vec::new(),
        };
        for class in &self.classes {
            let content = |member| {
                let own = class.table.rows().iter().map(|row| row[member]);
                (own.map(|x| ranks[x as usize]).collect(), Vec::new())
            };
            let n = class.table.width();
            parts.contents.push((0..n).map(content).collect());
            parts.to.push(vec![None; n]);
            parts.from.push(vec![None; n]);
        }
        for (from, to, way) in &self.sketch.arcs {
            let place = |x: u32| self.places.get(x as usize).copied();
            let (from, to) = (place(*from)?, place(*to)?);
            let way = (from.row, to.row, *way);
            if (from.class, from.member) == (to.class, to.member) {
                parts.contents[from.class][from.member].1.push(way);
                continue;
            }
            let own = &mut parts.to[from.class][from.member];
            let is_second = own.replace((to.member, way)).is_some();
            let back = &mut parts.from[to.class][to.member];
            let is_shared = back.replace((from.class, from.member)).is_some();
            if self.classes[from.class].next != Some(to.class) || is_second || is_shared {
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
    fn chain(&self, class: usize, member: usize) -> Vec<Link<'_>> {
        let mut chain = Vec::new();
        let mut next = Some((class, member));
        while let Some((class, member)) = next {
            let way = self.to[class][member].map(|(_, way)| way);
            chain.push((class, &self.contents[class][member], way));
            next = self.from[class][member];
        }
        chain
    }
}

fn factorial(n: usize) -> BigUint {
    (1..=n).map(BigUint::from).product()
}
