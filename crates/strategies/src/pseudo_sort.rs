//! Processes sorted by what they hold, as if sorting changed nothing.
//!
//! Processes that can be exchanged, all other processes staying where they are, are sorted by what
//! belongs to each: the control data of all that moves with it (its variables, its channels, its
//! elements of arrays), then the bytes of its variables and channels, references included. An
//! exchange renames references, so that what was compared before may compare otherwise afterwards:
//! what comes out need not be sorted. The sort is one pass of selection, whose length does not
//! depend on what comparisons say.
//!
//! Worked example, three processes `(r, v, at)` with a reference, counted from 1: `3,1,1 | 0,3,4 |
//! 1,2,1`. The least is the second; the exchange of 1 and 2 gives `0,3,4 | 3,1,1 | 2,2,1`. Of the
//! last two `2,2,1` is less; the exchange of 2 and 3 gives `0,3,4 | 3,2,1 | 2,1,1`, not sorted. No
//! arrangement is.
//!
//! Approximate, and a representative need not represent itself. Source: Derepas and Gastin 2001.
//! Cost: at most one exchange a process. Departures: which processes can be exchanged is asked of
//! the group, not of the text; and under `pseudo-sort` control data come first, because a reference
//! of each to its own (a channel) would decide every comparison. `pseudo-sort-declared` compares
//! the record as it is laid out: variables in the order of their declarations, references among
//! them, then the location (their `_state`, last unless it is declared elsewhere);
//! `pseudo-sort-location` has the location first. Another place that the text gives to `_state` is
//! not looked at. `pseudo-sort-references` compares what is referred to first, variable by variable
//! in an order that is fixed and not that of declarations.

use crate::enumerate::image;
use crate::reading::{StatelessChoice, TrackedState};
use base::Over;
use group::shape::{Table, columns};
use group::{Group, Perm, Point};
use reduce::action::{Reader, Record, Sketch};
use std::collections::HashMap;
use std::ops::Range;

/// A process that can be exchanged with others.
struct Member {
    point: Point,
    /// All points that move with it, in the same order for all of a class.
    column: Vec<Point>,
    /// Where its variables, and those channels, are.
    records: Vec<Range<usize>>,
    /// Where its location is.
    location: Option<Range<usize>>,
}

/// What is compared first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SortOrder {
    /// Control data, then all bytes.
    ControlFirst,
    /// Variables as they are declared, then the location.
    LocationLast,
    /// The location, then variables as they are declared.
    LocationFirst,
    /// Which points are referred to, then control data, then all bytes.
    ReferencesFirst,
}

/// What processes are sorted by; parts that an order does not ask for are empty.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct SortKey<'a> {
    references: Vec<(u64, u32)>,
    first: Vec<u32>,
    bytes: Vec<&'a [u8]>,
    last: Vec<u32>,
}

/// `pseudo-sort`, `pseudo-sort-declared`, `pseudo-sort-location`, `pseudo-sort-references`.
pub(crate) struct PseudoSort {
    order: SortOrder,
    sketch: Sketch,
    /// Processes any two of which can be exchanged.
    classes: Vec<Vec<Member>>,
    /// By the points of two processes, the earlier first.
    exchanges: HashMap<(Point, Point), Vec<Point>>,
    from: TrackedState,
    spare: TrackedState,
}

impl Member {
    fn new(records: &[Record], tables: &[Table], point: Point) -> Member {
        let all = tables.iter().flat_map(|table| {
            let widths = 0..table.width();
            widths.map(|c| table.column(c))
        });
        let mut with = all.filter(|column| column.contains(&point));
        let column = with.next().unwrap_or_else(|| vec![point]);
        let bytes = |x: &Point| {
            let record = records.iter().find(|record| record.point == *x)?;
            Some(record.bytes.clone())
        };
        let own = records.iter().find(|record| record.point == point);
        Member {
            point,
            location: own.and_then(|record| record.location.clone()),
            records: column.iter().filter_map(bytes).collect(),
            column,
        }
    }

    /// What it is sorted by.
    fn key<'a>(&self, order: SortOrder, at: &'a TrackedState, sketch: &Sketch) -> SortKey<'a> {
        let ranks = self.column.iter().map(|x| at.ranks[*x as usize]).collect();
        let bytes = self.records.iter().map(|r| &at.state[r.clone()]);
        let mut bytes: Vec<&[u8]> = bytes.collect();
        let (first, last) = match order {
            SortOrder::LocationFirst | SortOrder::LocationLast => (Vec::new(), ranks),
            SortOrder::ControlFirst | SortOrder::ReferencesFirst => (ranks, Vec::new()),
        };
        if let (SortOrder::LocationLast, Some(location)) = (order, &self.location) {
            bytes.clear();
            for record in &self.records {
                let is_own = record.start == location.start;
                let start = if is_own { location.end } else { record.start };
                bytes.push(&at.state[start..record.end]);
            }
            bytes.push(&at.state[location.clone()]);
        }
        let mut references = Vec::new();
        if order == SortOrder::ReferencesFirst {
            let own = sketch.arcs.iter().filter(|(from, ..)| *from == self.point);
            references.extend(own.map(|(_, to, way)| (*way, *to)));
            references.sort_unstable();
        }
        SortKey {
            references,
            first,
            bytes,
            last,
        }
    }
}

impl PseudoSort {
    /// `None` if no two processes can be exchanged on their own.
    pub fn new(records: &[Record], group: &Group, order: SortOrder) -> Option<PseudoSort> {
        let processes = records.iter().filter(|record| !record.is_channel);
        let moving = processes.filter(|r| (r.point as usize) < group.degree());
        let tables = columns(group);
        let members: Vec<Member> = moving
            .map(|r| Member::new(records, &tables, r.point))
            .collect();
        let points: Vec<Point> = members.iter().map(|m| m.point).collect();
        let mut found: Vec<(Vec<Member>, Vec<Perm>)> = Vec::new();
        for member in members {
            // Being exchangeable carries over, so that one of each class is enough to ask.
            let fitting = found.iter_mut().find_map(|(class, swaps)| {
                let swap = exchange(group, &points, class[0].point, member.point)?;
                Some((class, swaps, swap))
            });
            match fitting {
                Some((class, swaps, swap)) => {
                    class.push(member);
                    swaps.push(swap);
                }
                None => found.push((vec![member], Vec::new())),
            }
        }
        let mut exchanges = HashMap::new();
        for (class, swaps) in &found {
            for j in 1..class.len() {
                let first = &swaps[j - 1];
                exchanges.insert((class[0].point, class[j].point), image(first));
                for i in 1..j {
                    // Through the first of the class: (i j) = (0 i) (0 j) (0 i).
                    let swap = first.conjugate(&swaps[i - 1]);
                    exchanges.insert((class[i].point, class[j].point), image(&swap));
                }
            }
        }
        let classes = found.into_iter().map(|(class, _)| class);
        let classes: Vec<Vec<Member>> = classes.filter(|class| class.len() > 1).collect();
        (!classes.is_empty()).then(|| PseudoSort {
            order,
            sketch: Sketch::default(),
            classes,
            exchanges,
            from: TrackedState::default(),
            spare: TrackedState::default(),
        })
    }
}

/// An element that exchanges `x` and `y` and fixes the other processes.
fn exchange(group: &Group, processes: &[Point], x: Point, y: Point) -> Option<Perm> {
    let others = processes.iter().copied().filter(|z| *z != x && *z != y);
    let others: Vec<Point> = others.collect();
    let stabiliser = group.stabiliser_of_points(&others);
    if !stabiliser.orbit_of(x).contains(&y) {
        return None;
    }
    let chain = stabiliser.chain().with_base(&[x]);
    // It fixes the others and sends `x` to `y`, so it sends `y` to `x`.
    let swap = chain.transversal(0, y);
    (swap.at(x) == y && swap.at(y) == x).then_some(swap)
}

impl StatelessChoice for PseudoSort {
    fn choose(
        &mut self,
        reading: &mut Reader,
        state: &[u8],
        element: &mut Vec<Point>,
    ) -> Result<(), Over> {
        self.from.start(reading.act().degree(), state);
        reading.ranks(state, &mut self.from.ranks);
        for class in &self.classes {
            for i in 0..class.len() {
                let (from, sketch) = (&self.from, &mut self.sketch);
                if self.order == SortOrder::ReferencesFirst {
                    reading.sketch(&from.state, sketch);
                }
                let least = class[i..]
                    .iter()
                    .min_by_key(|m| m.key(self.order, from, sketch));
                let Some(least) = least.filter(|m| m.point != class[i].point) else {
                    continue;
                };
                let by = &self.exchanges[&(class[i].point, least.point)];
                self.from.go(reading.act(), by, &mut self.spare);
            }
        }
        element.clone_from(&self.from.element);
        Ok(())
    }
}
