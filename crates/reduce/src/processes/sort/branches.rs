//! Two branches that assign to one variable, as one assignment.
//!
//! `if :: x == 2 -> x = 0 :: else -> x = x + 1 fi` inside `atomic` goes round a ring, but its text
//! names 0 and 2. As one expression, `x = (x == 2 -> 0 : x + 1)`, it is a function of `x`, of which
//! a table can be made; and `if :: v > m -> m = v :: else fi` is the greater of two.
//!
//! A choice of two options is replaced, in the copy of the text that symmetry looks at, if
//! - one of its conditions holds and the other does not, whatever the values are;
//! - each option does nothing but assign to the same place, or nothing at all;
//! - control is kept, and nothing else leads into the options;
//! - it is a function of one variable, or the greater or the less of two.

use super::conditions::{opposite, spelled, spelled_place};
use super::loops::{Finder, Replaced};
use super::stores::reads;
use model::processes::expr::{Expr, ExprId, Owner, Place, operands};
use model::processes::population::Population;
use model::processes::program::{Action, LocationId, Model, ProctypeId, Reset, StepId};
use std::collections::BTreeSet;

/// Replaces such choices in a text.
pub(super) fn replace(text: &mut Model, population: &Population, replaced: &mut Replaced) {
    for p in (0..text.proctypes.len()).map(ProctypeId::new) {
        let found = {
            let reader = Reader {
                finder: Finder::new(text, p, replaced),
                n_ways: super::rows::ways(text, p, &replaced.removed[p.index()]),
                maker: population.creator.as_ref().is_some_and(|c| c.proctype == p),
            };
            let all = (0..reader.finder.locations().len()).map(LocationId::new);
            all.filter_map(|at| reader.branches(at)).collect::<Vec<_>>()
        };
        for branches in found {
            let inside = branches.inside.iter().map(|at| at.index());
            replaced.removed[p.index()].extend(inside);
            let locations = &text.proctype(p).locations;
            let all = std::iter::once(&branches.at).chain(&branches.inside);
            let steps = all.flat_map(|at| locations[at.index()].steps.clone());
            replaced.branches.push(steps.collect());
            rewrite(text, p, branches);
        }
    }
}

/// A choice of two assignments.
struct Branches {
    at: LocationId,
    test: ExprId,
    place: Place,
    /// What is assigned if the test holds, and if not; `None` for what is there.
    values: [Option<ExprId>; 2],
    /// The last step of an option.
    last: StepId,
    /// The locations between.
    inside: Vec<LocationId>,
}

/// What an option does, from a location on.
struct Way {
    assigned: Option<(Place, ExprId)>,
    target: LocationId,
    resets: Vec<Reset>,
    keeps: bool,
    inside: Vec<LocationId>,
    last: StepId,
}

struct Reader<'a> {
    finder: Finder<'a>,
    n_ways: Vec<usize>,
    /// Whether the process makes others: then it may be found anywhere when that is over.
    maker: bool,
}

impl Reader<'_> {
    fn branches(&self, at: LocationId) -> Option<Branches> {
        let text = self.finder.text;
        let [a, b] = self.finder.locations()[at.index()].steps[..] else {
            return None;
        };
        let Action::Test(test) = text.step(a).action else {
            return None;
        };
        let fits = match text.step(b).action {
            Action::Else => true,
            // The `else` of a deterministic block is a step that always can be taken.
            Action::Skip => self.finder.in_block(at),
            Action::Test(other) => opposite(text, test, other),
            _ => false,
        };
        if !fits || self.maker {
            return None;
        }
        let (yes, no) = (self.option(at, a)?, self.option(at, b)?);
        let alike = yes.target == no.target && yes.resets == no.resets && yes.keeps == no.keeps;
        let place = match (&yes.assigned, &no.assigned) {
            (Some((a, _)), Some((b, _))) => {
                (spelled_place(text, a, "") == spelled_place(text, b, "")).then_some(a)?
            }
            (Some((place, _)), None) | (None, Some((place, _))) => place,
            (None, None) => return None,
        };
        let values = [&yes.assigned, &no.assigned].map(|one| one.as_ref().map(|(_, e)| *e));
        let last = if yes.assigned.is_some() {
            yes.last
        } else {
            no.last
        };
        let branches = Branches {
            at,
            test,
            place: place.clone(),
            values,
            last,
            inside: yes.inside.iter().chain(&no.inside).copied().collect(),
        };
        (alike && self.is_worth(&branches)).then_some(branches)
    }

    /// Follows an option that starts with a step, to where it ends.
    fn option(&self, at: LocationId, first: StepId) -> Option<Way> {
        let text = self.finder.text;
        let mut option = Way {
            assigned: None,
            target: text.step(first).target,
            resets: text.step(first).resets.clone(),
            keeps: text.step(first).keeps_control,
            inside: Vec::new(),
            last: first,
        };
        let mut from = at;
        for _ in 0..4 {
            let step = text.step(option.last);
            if step.rank != 0 || step.alone {
                return None;
            }
            let next = &self.finder.locations()[option.target.index()];
            let marked = next.end || next.progress || next.accept || !next.labels.is_empty();
            let [only] = next.steps[..] else {
                break;
            };
            let inner = !marked
                && self.n_ways[option.target.index()] == 1
                && self.finder.keeps(from, option.last)
                && self.overwrites(only, &option.resets);
            let assigned = match &text.step(only).action {
                Action::Assign(place, e) if option.assigned.is_none() => Some((place.clone(), *e)),
                Action::Skip => option.assigned.clone(),
                _ => break,
            };
            if !inner || text.step(only).target == at {
                break;
            }
            option.assigned = assigned;
            option.inside.push(option.target);
            from = option.target;
            option.last = only;
            option.target = text.step(only).target;
            option.resets.clone_from(&text.step(only).resets);
            option.keeps = text.step(only).keeps_control;
        }
        let last = text.step(option.last);
        (last.rank == 0 && !last.alone).then_some(option)
    }

    /// Whether a step sets all that was reset before it, and reads none of it.
    fn overwrites(&self, step: StepId, resets: &[Reset]) -> bool {
        let text = self.finder.text;
        resets.iter().all(|reset| match &text.step(step).action {
            Action::Assign(place, e) => {
                let own = place.owner == Owner::Own && place.indices.is_empty();
                own && place.field == reset.field && !reads(text, *e, reset.field)
            }
            _ => false,
        })
    }

    /// Whether it is a function of one variable, or the greater or the less of two.
    fn is_worth(&self, branches: &Branches) -> bool {
        let text = self.finder.text;
        let place = spelled_place(text, &branches.place, "");
        let (mut tested, mut all) = (BTreeSet::new(), BTreeSet::new());
        let plain = self.leaves(branches.test, &mut tested);
        let values = branches.values.iter().flatten();
        let plain = values.fold(plain, |plain, e| plain & self.leaves(*e, &mut all));
        let whole = branches.values.iter().all(Option::is_some);
        // What was not evaluated before must not go wrong now.
        if !whole && !branches.place.indices.is_empty() && !tested.contains(&place) {
            return false;
        }
        all.extend(tested.iter().cloned());
        if !whole {
            all.insert(place.clone());
        }
        let compares = match (text.expr(branches.test), &branches.values) {
            (Expr::Binary(_, x, y), [Some(e), None] | [None, Some(e)]) => {
                let pair = BTreeSet::from([spelled(text, *x, ""), spelled(text, *y, "")]);
                pair == BTreeSet::from([place, spelled(text, *e, "")])
            }
            _ => false,
        };
        (plain && all.len() == 1) || compares
    }

    /// Adds what an expression reads; `false` if it is more than arithmetic on variables.
    fn leaves(&self, e: ExprId, out: &mut BTreeSet<String>) -> bool {
        let text = self.finder.text;
        match text.expr(e) {
            Expr::Const(_) => true,
            Expr::Read(_) | Expr::Pid => {
                out.insert(spelled(text, e, ""));
                true
            }
            expr @ (Expr::Unary(..) | Expr::Binary(..) | Expr::And(_) | Expr::Or(_)) => {
                let mut plain = true;
                operands(expr, &mut |e| plain &= self.leaves(e, out));
                plain
            }
            _ => false,
        }
    }
}

/// Puts one assignment in place of a choice.
fn rewrite(text: &mut Model, p: ProctypeId, branches: Branches) {
    let held = |text: &mut Model| {
        text.exprs.push(Expr::Read(branches.place.clone()));
        ExprId::new(text.exprs.len() - 1)
    };
    let [yes, no] = branches.values;
    let yes = yes.unwrap_or_else(|| held(text));
    let no = no.unwrap_or_else(|| held(text));
    text.exprs.push(Expr::Choice([branches.test, yes, no]));
    let e = ExprId::new(text.exprs.len() - 1);
    let mut step = text.step(branches.last).clone();
    step.action = Action::Assign(branches.place.clone(), e);
    text.steps.push(step);
    let id = StepId::new(text.steps.len() - 1);
    text.proctypes[p.index()].locations[branches.at.index()].steps = vec![id];
}
