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
//! variables in the order of their declarations, public ones and references among them, and the
//! location where `_state` is declared, or else last; a reference to nobody comes first. Where the
//! text declares no references, it compares the record as it is laid out.
//! `pseudo-sort-first` compares the variable declared first and nothing else, which gives the
//! published numbers of states. `pseudo-sort-location` has the location first.
//! `pseudo-sort-references` compares what is referred to first, variable by variable in an order
//! that is fixed and not that of declarations.
//! Where the text makes layers of references (see [`crate::layered`]), `pseudo-sort` sorts these,
//! and is exact.

use crate::exchanges::Exchanges;
use crate::layered::Layers;
use crate::reading::{StatelessChoice, TrackedState};
use crate::segmented::element_of_canonical;
use base::Over;
use group::Point;
use group::shape::{Table, columns};
use reduce::action::{KeyCell, Layer, Reader, Record, Sketch};
use reduce::canonical::Canonical;
use reduce::certified::Certified;
use reduce::reducer::{Reducer, Work};
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
    /// Its variables in the order of the text, if that says so.
    key: Vec<KeyCell>,
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
    /// The variable that is declared first, and nothing else.
    FirstDeclared,
}

/// What processes are sorted by; parts that an order does not ask for are empty.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct SortKey<'a> {
    references: Vec<(u64, u32)>,
    declared: Vec<i64>,
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
    /// Where references lead through layers: these are sorted, and what is not so is canonical.
    layered: Option<(Layers, Canonical)>,
    from: TrackedState,
    spare: TrackedState,
    n_exchanges: u64,
}

impl Member {
    fn new(records: &[Record], tables: &[Table], point: Point, layers: &[Layer]) -> Member {
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
        // A number by which a process is referred to may move without it.
        let of_number = || {
            let mut rows = layers.iter().flat_map(|layer| &layer.rows);
            let row = rows.find(|row| row.contains(&point))?;
            let n = row.iter().position(|x| *x == point)?;
            let mut layers = layers.iter();
            let processes = layers
                .find(|layer| layer.rows.contains(row))?
                .rows
                .first()?;
            records.iter().find(|record| record.point == processes[n])
        };
        let keyed = own.or_else(of_number);
        Member {
            point,
            location: own.and_then(|record| record.location.clone()),
            key: keyed.map_or(Vec::new(), |record| record.key.clone()),
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
            SortOrder::FirstDeclared => (Vec::new(), Vec::new()),
        };
        if order == SortOrder::FirstDeclared {
            bytes.clear();
        }
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
        let declared = match order {
            SortOrder::LocationLast => &self.key[..],
            SortOrder::FirstDeclared => &self.key[..self.key.len().min(1)],
            _ => &[],
        };
        let declared = declared.iter().map(|cell| cell.value(&at.state)).collect();
        SortKey {
            references,
            declared,
            first,
            bytes,
            last,
        }
    }
}

impl PseudoSort {
    /// `None` if no two processes can be exchanged on their own.
    pub fn new(certified: &Certified, order: SortOrder) -> Option<PseudoSort> {
        let (records, group) = (certified.reads().records(), certified.group());
        let processes = records.iter().filter(|record| !record.is_channel);
        let moving = processes.filter(|r| (r.point as usize) < group.degree());
        let mut points: Vec<Point> = moving.map(|record| record.point).collect();
        let tables = columns(group);
        let layers = certified.reads().layers();
        for row in layers.iter().flat_map(|layer| &layer.rows) {
            let with = |table: &&Table| table.rows().iter().any(|other| other.contains(&row[0]));
            let with = tables.iter().find(with).map_or(Vec::new(), Table::points);
            if !points.iter().any(|x| with.contains(x)) {
                points.extend(row);
            }
        }
        let found = Exchanges::new(group, &points);
        let classes = found.classes.iter().filter(|class| class.len() > 1);
        let member = |x: &Point| Member::new(&records, &tables, *x, layers);
        let classes = classes.map(|class| class.iter().map(member).collect());
        let classes: Vec<Vec<Member>> = classes.collect();
        let layered = (order == SortOrder::ControlFirst)
            .then(|| Layers::new(layers, group))
            .flatten();
        (!classes.is_empty()).then(|| PseudoSort {
            order,
            layered: layered.map(|layers| (layers, Canonical::new(certified))),
            sketch: Sketch::default(),
            classes,
            exchanges: found.by_pair,
            from: TrackedState::default(),
            spare: TrackedState::default(),
            n_exchanges: 0,
        })
    }

    /// Whether references lead through layers, so that one state of each orbit is chosen.
    pub fn is_layered(&self) -> bool {
        self.layered.is_some()
    }

    /// One pass of selection.
    fn sort(&mut self, reading: &mut Reader) {
        for n in 0..self.classes.len() {
            // By the first variable alone, types that are referred to come first, as published.
            let class = match self.order {
                SortOrder::FirstDeclared => &self.classes[self.classes.len() - 1 - n],
                _ => &self.classes[n],
            };
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
                self.n_exchanges += 1;
                let by = &self.exchanges[&(class[i].point, least.point)];
                self.from.go(reading.act(), by, &mut self.spare);
            }
        }
    }
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
        if let Some((layers, canonical)) = &mut self.layered {
            if !layers.sort(reading, (state, &self.from.ranks), element) {
                element_of_canonical(canonical, state, reading.act().degree(), element);
            }
            return Ok(());
        }
        self.sort(reading);
        element.clone_from(&self.from.element);
        Ok(())
    }

    fn work(&self) -> Work {
        let own = Work::of_perms(self.n_exchanges);
        let canonical = self.layered.as_ref();
        canonical.map_or(own, |(_, canonical)| canonical.work())
    }
}
