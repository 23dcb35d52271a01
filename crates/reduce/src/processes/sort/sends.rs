//! Sends in a row that may as well be made in any order.
//!
//! `atomic { …; c[0]!me; c[1]!me; c[2]!me }` tells all the same, but one after the other. If the
//! channels are different and have buffers, the sends commute, and where none has to wait nobody
//! sees the states between. So in the copy of the text that symmetry looks at such a row is the set
//! of its sends, like the rounds of a loop ([`super::loops`]).
//!
//! A row is replaced if
//! - control is kept on all ways to its first send and from there to its last, so that a process is
//!   seen at one of them only if it waits there: in `atomic` the caller makes sure that none does;
//! - each is the only step of its location, and nothing else leads to the others;
//! - they are to different channels with buffers, and what they send cannot go wrong.

use super::Sends;
use super::loops::{Finder, Replaced};
use super::neutral::ways;
use super::rounds::{Channels, Surroundings};
use super::rows;
use model::processes::expr::{Expr, ExprId, Owner};
use model::processes::layout::KindId;
use model::processes::program::{Action, Location, LocationId, Model, ProctypeId, Step, StepId};
use std::collections::BTreeSet;

/// Sends one after another: where, and by which step.
type Row = Vec<(LocationId, StepId)>;

/// Replaces rows of sends in a text.
pub(super) fn replace(
    text: &mut Model,
    surroundings: &Surroundings<'_>,
    sends: Sends,
    replaced: &mut Replaced,
) {
    for p in (0..text.proctypes.len()).map(ProctypeId::new) {
        let mut from = 0;
        while let Some((row, waits)) = next(text, p, surroundings, replaced, &mut from) {
            if waits && sends == Sends::Wait {
                continue;
            }
            let inside = row.iter().map(|(at, _)| *at);
            replaced.removed[p.index()].extend(inside.clone().map(LocationId::index));
            replaced
                .waits
                .extend(inside.filter(|_| waits).map(|at| (p, at)));
            let set = rewrite(text, p, &row);
            replaced.unordered.insert(set);
        }
    }
}

/// The next row whose first location is not before `from`, and whether it can wait.
fn next(
    text: &Model,
    p: ProctypeId,
    surroundings: &Surroundings<'_>,
    replaced: &Replaced,
    from: &mut usize,
) -> Option<(Row, bool)> {
    let reader = Reader {
        finder: Finder::new(text, p, replaced),
        n_ways: rows::ways(text, p, &replaced.removed[p.index()]),
        surroundings,
    };
    let n = reader.finder.locations().len();
    let maker = surroundings.population.creator.as_ref();
    if maker.is_some_and(|maker| maker.proctype == p) {
        return None;
    }
    while *from < n {
        let at = LocationId::new(*from);
        *from += 1;
        if let Some(row) = reader.row(at) {
            return Some((row, !reader.finder.in_block(at)));
        }
    }
    None
}

struct Reader<'a> {
    finder: Finder<'a>,
    n_ways: Vec<usize>,
    surroundings: &'a Surroundings<'a>,
}

impl Reader<'_> {
    /// The longest row that starts at a location.
    fn row(&self, first: LocationId) -> Option<Row> {
        let text = self.finder.text;
        if self.finder.gone.contains(&first.index()) || !self.is_hidden(first) {
            return None;
        }
        let (mut row, mut channels, mut at) = (Row::new(), BTreeSet::new(), first);
        while let Some((step, channel)) = self.send(at) {
            let location = &self.finder.locations()[at.index()];
            let marked = location.end || location.progress || location.accept;
            let joined = row.is_empty() || self.n_ways[at.index()] == 1;
            if marked || !location.labels.is_empty() || !joined || !channels.insert(channel) {
                break;
            }
            row.push((at, step));
            if !self.finder.keeps(at, step) || !text.step(step).resets.is_empty() {
                break;
            }
            at = text.step(step).target;
        }
        (row.len() > 1).then_some(row)
    }

    /// Whether control is kept on all ways to a location.
    fn is_hidden(&self, at: LocationId) -> bool {
        let proctype = self.finder.text.proctype(self.finder.proctype);
        let all = ways(self.finder.text, proctype, self.finder.gone);
        let mut into = all.iter().filter(|way| way.to == at.index()).peekable();
        let from = |l: usize| LocationId::new(l);
        into.peek().is_some()
            && proctype.start != at
            && into.all(|way| match (way.step, way.action) {
                (Some(step), Some(_)) => {
                    let kept = step.keeps_control && self.finder.holds(from(way.from));
                    step.rank == 0 && (kept || self.finder.in_block(from(way.from)))
                }
                _ => false,
            })
    }

    /// The only step of a location, if it is a send that cannot go wrong; and the channel.
    fn send(&self, at: LocationId) -> Option<(StepId, i32)> {
        let text = self.finder.text;
        let [only] = self.finder.locations()[at.index()].steps[..] else {
            return None;
        };
        let step = text.step(only);
        let Action::Send(send) = &step.action else {
            return None;
        };
        let safe = send.fields.iter().all(|e| self.is_safe(*e));
        if send.sorted || step.alone || step.rank != 0 || !safe {
            return None;
        }
        let Expr::Read(place) = text.expr(send.channel) else {
            return None;
        };
        let indices = place.indices.iter().map(|e| self.finder.constant(*e));
        let indices: Vec<i32> = indices.collect::<Option<_>>()?;
        let channels = Channels::new(text, self.surroundings.population)?;
        Some((only, channels.named(place, &indices, send.fields.len())?))
    }

    /// Whether evaluating an expression cannot go wrong, and sends do not change it.
    fn is_safe(&self, e: ExprId) -> bool {
        let text = self.finder.text;
        match text.expr(e) {
            Expr::Const(_) | Expr::Pid => true,
            Expr::Read(place) => {
                let kind = match place.owner {
                    Owner::Globals => KindId::new(0),
                    Owner::Own => text.proctype(self.finder.proctype).kind,
                    Owner::Other(..) => return false,
                };
                let field = &text.layout.kind(kind).fields[place.field.index()];
                let mut pairs = place.indices.iter().zip(&field.dimensions);
                pairs.all(|(e, d)| {
                    let inside = |v: &i32| u32::try_from(*v).is_ok_and(|v| v < d.count);
                    let reach = self.surroundings.reach;
                    let values = reach.anywhere(text, self.finder.proctype, *e, &|_| None);
                    self.is_safe(*e) && values.is_some_and(|all| all.iter().all(inside))
                })
            }
            _ => false,
        }
    }
}

/// Puts the set of sends in place of a row; gives the step that stands for it.
fn rewrite(text: &mut Model, p: ProctypeId, row: &Row) -> StepId {
    let steps: Vec<Step> = row.iter().map(|(_, s)| text.step(*s).clone()).collect();
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
    for step in &steps {
        let only = new_step(Step {
            target: end,
            keeps_control: true,
            resets: Vec::new(),
            ..step.clone()
        });
        blocks.push(Action::Deterministic(location(vec![only]), end));
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
    let start = location(vec![set]);
    retarget(text, p, row[0].0, start);
    set
}

/// Lets the steps of a process type that lead to one location lead to another.
fn retarget(text: &mut Model, p: ProctypeId, from: LocationId, to: LocationId) {
    let locations = text.proctypes[p.index()].locations.iter();
    let steps: Vec<StepId> = locations.flat_map(|l| l.steps.clone()).collect();
    for step in steps {
        let step = &mut text.steps[step.index()];
        if step.target == from {
            step.target = to;
        }
    }
}
