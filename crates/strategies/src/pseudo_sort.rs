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
//! the group, not of the text; and control data come first, not what was declared first, because a
//! reference of each to its own (a channel) would decide every comparison.

use crate::enumerate::image;
use crate::reading::{StatelessChoice, TrackedState};
use base::Over;
use group::shape::{Table, columns};
use group::{Group, Perm, Point};
use reduce::action::{Reader, Record};
use std::collections::HashMap;
use std::ops::Range;

/// A process that can be exchanged with others.
struct Member {
    point: Point,
    /// All points that move with it, in the same order for all of a class.
    column: Vec<Point>,
    /// Where its variables, and those channels, are.
    records: Vec<Range<usize>>,
}

/// `pseudo-sort`.
pub(crate) struct PseudoSort {
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
        Member {
            point,
            records: column.iter().filter_map(bytes).collect(),
            column,
        }
    }

    /// What it is sorted by.
    fn key<'a>(&'a self, at: &'a TrackedState) -> (Vec<u32>, Vec<&'a [u8]>) {
        let ranks = self.column.iter().map(|x| at.ranks[*x as usize]);
        let bytes = self.records.iter().map(|r| &at.state[r.clone()]);
        (ranks.collect(), bytes.collect())
    }
}

impl PseudoSort {
    /// `None` if no two processes can be exchanged on their own.
    pub fn new(records: &[Record], group: &Group) -> Option<PseudoSort> {
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
        let act = reading.act();
        for class in &self.classes {
            for i in 0..class.len() {
                let from = &self.from;
                let least = class[i..].iter().min_by_key(|m| m.key(from));
                let Some(least) = least.filter(|m| m.point != class[i].point) else {
                    continue;
                };
                let by = &self.exchanges[&(class[i].point, least.point)];
                self.from.go(act, by, &mut self.spare);
            }
        }
        element.clone_from(&self.from.element);
        Ok(())
    }
}
