//! Assignments in a row that may as well be made in any order.
//!
//! `atomic { flag[1] = 0; flag[2] = 0; flag[3] = 0 }` does the same to three elements, but to one
//! after the other: seen as a text, it tells them apart. Nobody sees the states in between, and the
//! assignments commute. So in the copy of the text that symmetry looks at, such a row is replaced
//! by the set of its assignments, like the rounds of a loop ([`super::loops`]).
//!
//! A row is replaced if
//! - control is kept from the first to the last, there is no other way in, and no process is found
//!   inside when the making is over;
//! - all assign to global variables, or to elements of arrays of the process;
//! - no assignment can go wrong: indices are constants inside of their arrays, and nothing is
//!   divided, created or asked of channels or processes;
//! - what one writes, no other reads or writes;
//! - two of them are to variables of one type, so that there is something to exchange.
//!
//! Worked example: `d_step { a[1] = x; a[2] = x; x = 0; a[1] = 1; b = 1 }`. The first two commute;
//! the third writes what they read. So `a[1] = x` and `a[2] = x` become a set; from `x = 0` on
//! all commute, and are a second one.

use super::loops::{Finder, Replaced};
use model::processes::expr::{Binary, Expr, ExprId, Owner, Place, operands};
use model::processes::layout::{FieldId, KindId};
use model::processes::population::Population;
use model::processes::program::{Action, Location, LocationId, Model, ProctypeId, Step, StepId};
use std::collections::{BTreeSet, HashSet, VecDeque};

/// A variable, or the element of one with these indices.
type Cell = (KindId, FieldId, Vec<i32>);

/// What an assignment has to do with cells.
struct Assignment {
    writes: Cell,
    reads: Vec<Cell>,
}

impl Assignment {
    fn commutes_with(&self, other: &Assignment) -> bool {
        let apart = |a: &Assignment, b: &Assignment| !b.reads.contains(&a.writes);
        self.writes != other.writes && apart(self, other) && apart(other, self)
    }
}

/// Assignments in a row.
struct Row {
    /// Where it starts, and by which of the steps there.
    at: LocationId,
    first: StepId,
    /// How many actions of that step come before it.
    n_before: usize,
    /// The steps after the first, each alone at its location.
    rest: Vec<(LocationId, StepId)>,
}

/// Replaces rows in a text.
pub(super) fn replace(text: &mut Model, population: &Population, replaced: &mut Replaced) {
    for p in (0..text.proctypes.len()).map(ProctypeId::new) {
        let reader = Reader {
            finder: Finder::new(text, p, replaced),
            population,
            removed: &replaced.removed[p.index()],
            n_ways: ways(text, p, &replaced.removed[p.index()]),
        };
        for row in reader.rows() {
            let inside = row.rest.iter().map(|(at, _)| at.index());
            replaced.removed[p.index()].extend(inside);
            let set = rewrite(text, p, &row);
            replaced.unordered.insert(set);
        }
    }
}

struct Reader<'a> {
    finder: Finder<'a>,
    population: &'a Population,
    removed: &'a HashSet<usize>,
    /// By location: how many steps and blocks lead there.
    n_ways: Vec<usize>,
}

impl Reader<'_> {
    fn locations(&self) -> &[Location] {
        &self.finder.text.proctype(self.finder.proctype).locations
    }

    fn step(&self, id: StepId) -> &Step {
        self.finder.text.step(id)
    }

    /// The rows of a process type; no two share a step.
    fn rows(&self) -> Vec<Row> {
        let follows = self.followed();
        let all = self.locations().iter().enumerate();
        let there = all.filter(|(l, _)| !self.removed.contains(l) && !follows.contains(l));
        let mut starts: VecDeque<(usize, StepId)> = there
            .flat_map(|(l, location)| location.steps.iter().map(move |s| (l, *s)))
            .collect();
        let mut rows = Vec::new();
        while let Some((l, s)) = starts.pop_front() {
            let (row, next) = self.row(LocationId::new(l), s);
            rows.extend(row);
            let steps = next.map(|at| (at, &self.locations()[at.index()].steps));
            starts.extend(steps.map(|(at, steps)| (at.index(), steps[0])));
        }
        rows
    }

    /// The locations at which a row may go on.
    fn followed(&self) -> BTreeSet<usize> {
        let all = self.locations().iter().enumerate();
        let steps = all.flat_map(|(l, location)| location.steps.iter().map(move |s| (l, *s)));
        let next = steps.filter_map(|(l, s)| {
            self.assignments(LocationId::new(l), s)?;
            self.next(LocationId::new(l), s)
        });
        next.map(|at| at.index()).collect()
    }

    /// The longest row that starts with a step, if it is one; and where the next one may start, if
    /// that is after this one.
    fn row(&self, at: LocationId, first: StepId) -> (Option<Row>, Option<LocationId>) {
        let Some((n_before, mut all)) = self.assignments(at, first) else {
            return (None, None);
        };
        let mut row = Row {
            at,
            first,
            n_before,
            rest: Vec::new(),
        };
        let commute = |all: &[Assignment], more: &[Assignment]| {
            let pairs = more.iter().enumerate();
            pairs.clone().all(|(i, a)| {
                let earlier = all.iter().chain(&more[..i]);
                earlier.into_iter().all(|b| a.commutes_with(b))
            })
        };
        let mut last = (at, first);
        let mut next = self.next(last.0, last.1);
        if commute(&[], &all) {
            while let Some(to) = next {
                let step = self.locations()[to.index()].steps[0];
                let more = self
                    .assignments(to, step)
                    .filter(|(before, _)| *before == 0);
                let Some((_, more)) = more.filter(|(_, more)| commute(&all, more)) else {
                    break;
                };
                all.extend(more);
                last = (to, step);
                row.rest.push(last);
                next = self.next(last.0, last.1);
            }
        } else {
            all.clear();
        }
        (self.is_worth(&all).then_some(row), next)
    }

    /// The assignments at the end of a step that cannot go wrong, and how many actions come before
    /// them; nothing if there are none.
    fn assignments(&self, at: LocationId, step: StepId) -> Option<(usize, Vec<Assignment>)> {
        // A step that escapes, or that others can come into the middle of, stays as it is.
        let whole = self.step(step).rank == 0 && self.finder.holds(at);
        if !whole || self.finder.unordered.contains(&step) {
            return None;
        }
        let parts = parts(&self.step(step).action);
        let mut all: Vec<Assignment> = Vec::new();
        for part in parts.iter().rev() {
            match self.assignment(part) {
                Some(assignment) => all.push(assignment),
                None => break,
            }
        }
        let n_before = parts.len() - all.len();
        all.reverse();
        (!all.is_empty()).then_some((n_before, all))
    }

    /// Where a row goes on after a step: control is kept, nothing else leads there, and there is
    /// one step.
    fn next(&self, at: LocationId, step: StepId) -> Option<LocationId> {
        let to = self.step(step).target;
        let location = &self.locations()[to.index()];
        let marked = location.end || location.progress || location.accept;
        let plain = !marked && location.labels.is_empty() && location.steps.len() == 1;
        let alone = to != at && self.n_ways[to.index()] == 1 && !self.is_found_at(to, at);
        let fits = plain && alone && self.step(step).resets.is_empty();
        (fits && self.finder.keeps(at, step)).then_some(to)
    }

    /// Whether the maker can be at a location when the making is over without having to pass the
    /// one before.
    fn is_found_at(&self, at: LocationId, before: LocationId) -> bool {
        let maker = self.population.creator.as_ref();
        let maker = maker.filter(|maker| maker.proctype == self.finder.proctype);
        let after = |at: LocationId| {
            maker.is_some_and(|maker| maker.after.get(at.index()).is_none_or(|after| *after))
        };
        after(at) && !after(before)
    }

    fn assignment(&self, action: &Action) -> Option<Assignment> {
        let Action::Assign(place, e) = action else {
            return None;
        };
        // A variable of the process itself may not matter before it is set, and matter then.
        if place.owner == Owner::Own && place.indices.is_empty() {
            return None;
        }
        let mut reads = Vec::new();
        self.reads(*e, &mut reads)?;
        let writes = self.cell(place)?;
        Some(Assignment { writes, reads })
    }

    /// The cell of a place with constant indices inside of its array.
    fn cell(&self, place: &Place) -> Option<Cell> {
        let text = self.finder.text;
        let kind = match place.owner {
            Owner::Globals => KindId::new(0),
            Owner::Own => text.proctype(self.finder.proctype).kind,
            Owner::Other(..) => return None,
        };
        let field = &text.layout.kind(kind).fields[place.field.index()];
        let pairs = place.indices.iter().zip(&field.dimensions);
        let indices = pairs.map(|(e, dimension)| match text.expr(*e) {
            Expr::Const(v) => {
                let inside = u32::try_from(*v).is_ok_and(|v| v < dimension.count);
                inside.then_some(*v)
            }
            _ => None,
        });
        Some((kind, place.field, indices.collect::<Option<_>>()?))
    }

    /// Adds the cells that an expression reads; nothing if it could go wrong, or asks for more.
    fn reads(&self, e: ExprId, out: &mut Vec<Cell>) -> Option<()> {
        match self.finder.text.expr(e) {
            Expr::Const(_) | Expr::Pid => {}
            Expr::Read(place) => out.push(self.cell(place)?),
            Expr::Binary(Binary::Divide | Binary::Remainder, ..) => return None,
            expr @ (Expr::Unary(..) | Expr::Binary(..) | Expr::And(_) | Expr::Or(_)) => {
                let mut fine = Some(());
                operands(expr, &mut |e| fine = fine.and(self.reads(e, out)));
                fine?;
            }
            _ => return None,
        }
        Some(())
    }

    /// Whether two assignments are to variables of one type, of which a symmetry could make one
    /// the other.
    fn is_worth(&self, all: &[Assignment]) -> bool {
        let layout = &self.finder.text.layout;
        let shape = |(kind, field, indices): &Cell| {
            let slot = layout.kind(*kind).fields[field.index()].slot.scalar;
            (*kind, slot, indices.len())
        };
        let shapes: Vec<_> = all.iter().map(|one| shape(&one.writes)).collect();
        let mut pairs = shapes.iter().enumerate();
        pairs.any(|(i, one)| shapes[..i].contains(one))
    }
}

/// By location: how many steps and blocks lead there, the start included.
pub(super) fn ways(text: &Model, p: ProctypeId, gone: &HashSet<usize>) -> Vec<usize> {
    let proctype = text.proctype(p);
    let mut n_ways = vec![0; proctype.locations.len()];
    n_ways[proctype.start.index()] += 1;
    let all = proctype.locations.iter().enumerate();
    let there = all.filter(|(l, _)| !gone.contains(l));
    for step in there.flat_map(|(_, location)| &location.steps) {
        let step = text.step(*step);
        n_ways[step.target.index()] += 1;
        for part in parts(&step.action) {
            if let Action::Deterministic(from, to) = part {
                n_ways[from.index()] += 1;
                n_ways[to.index()] += 1;
            }
        }
    }
    n_ways
}

/// The actions that a step takes one after another.
fn parts(action: &Action) -> &[Action] {
    match action {
        Action::All(all) => all,
        one => std::slice::from_ref(one),
    }
}

/// Puts the set of assignments in place of a row; gives the step that stands for it.
fn rewrite(text: &mut Model, p: ProctypeId, row: &Row) -> StepId {
    let own = std::iter::once(&row.first).chain(row.rest.iter().map(|(_, s)| s));
    let steps: Vec<Step> = own.map(|s| text.step(*s).clone()).collect();
    let locations = &mut text.proctypes[p.index()].locations;
    let mut location = |steps: Vec<StepId>| {
        locations.push(Location {
            steps,
            ..Location::default()
        });
        LocationId::new(locations.len() - 1)
    };
    let mut new_step = |step: Step| {
        text.steps.push(step);
        StepId::new(text.steps.len() - 1)
    };
    let end = location(Vec::new());
    let mut blocks = Vec::new();
    for (n, step) in steps.iter().enumerate() {
        let n_before = if n == 0 { row.n_before } else { 0 };
        for action in &parts(&step.action)[n_before..] {
            let only = new_step(Step {
                action: action.clone(),
                target: end,
                keeps_control: true,
                resets: Vec::new(),
                ..step.clone()
            });
            blocks.push(Action::Deterministic(location(vec![only]), end));
        }
    }
    let (first, last) = (&steps[0], &steps[steps.len() - 1]);
    let left = new_step(Step {
        action: Action::Skip,
        ..last.clone()
    });
    let set = new_step(Step {
        action: Action::All(blocks.into()),
        target: location(vec![left]),
        keeps_control: true,
        resets: Vec::new(),
        ..first.clone()
    });
    let before = &parts(&first.action)[..row.n_before];
    let entry = match before {
        [] => set,
        before => new_step(Step {
            action: Action::All(before.into()),
            target: location(vec![set]),
            keeps_control: true,
            resets: Vec::new(),
            ..first.clone()
        }),
    };
    let there = &mut locations[row.at.index()].steps;
    there
        .iter_mut()
        .filter(|s| **s == row.first)
        .for_each(|s| *s = entry);
    set
}
