//! Loops that begin with the second element.
//!
//! `m = a[0]; for (i : 1 .. N-1) { if :: a[i] > m -> m = a[i] :: else fi }` treats the first
//! element in a way of its own, although the greatest of all is taken. With `m = 0; i = 0` in place
//! of `m = a[0]; i = 1` the loop has one round more, which does the same: `m` is a byte, so
//! whatever `a[0]` is, that round leaves it in `m`. In the copy of the text that symmetry looks at
//! such loops begin with the first element, and whether their rounds commute is looked at as usual
//! ([`super::loops`]).
//!
//! Whether the added round does the same is found out by taking it, for each number that the
//! element can be: from a start that is tried ([`starts`]) it must come back to the head of the
//! loop with the element in the variable, one counted, and nothing else done. So it does not matter
//! how the loop is written, nor whether it takes a maximum, a minimum, a sum or a conjunction.
//!
//! Both assignments, the way from one to the other and into the loop, and all steps of the loop
//! keep control, so that nobody sees the difference.

use super::cycles::Cycle;
use super::loops::{Finder, Replaced};
use super::unroll::{folded_by, guard};
use model::processes::expr::{Expr, ExprId, Owner, Place, operands};
use model::processes::layout::{FieldId, KindId, Scalar};
use model::processes::program::{Action, LocationId, Model, ProctypeId, StepId};

/// The most steps of a round.
const N_STEPS_MAX: usize = 50;

/// A loop that is to begin one round earlier.
struct Earlier {
    /// The step that assigns the first element, and what it assigns instead.
    fold: (StepId, i32),
    /// The step that sets the loop's variable, and what it sets instead.
    count: (StepId, i32),
}

/// Lets loops begin with the first element, where what comes before them takes it.
pub(super) fn include(text: &mut Model) {
    for p in (0..text.proctypes.len()).map(ProctypeId::new) {
        let replaced = Replaced::new(text);
        let finder = Finder::new(text, p, &replaced);
        let cycles = finder.cycles();
        let found = cycles.iter().filter_map(|cycle| earlier(&finder, cycle));
        for Earlier { fold, count } in found.collect::<Vec<_>>() {
            for (step, value) in [fold, count] {
                text.exprs.push(Expr::Const(value));
                let e = ExprId::new(text.exprs.len() - 1);
                let Action::Assign(place, _) = text.step(step).action.clone() else {
                    unreachable!("it was an assignment before");
                };
                text.steps[step.index()].action = Action::Assign(place, e);
            }
        }
    }
}

fn earlier(finder: &Finder<'_>, cycle: &Cycle) -> Option<Earlier> {
    let all_keep = cycle.inside.iter().all(|at| {
        let steps = finder.locations()[at.index()].steps.iter();
        let mut within = steps.filter(|s| cycle.inside.contains(&finder.text.step(**s).target));
        within.all(|step| finder.keeps(*at, *step))
    });
    let (last_at, last) = only_way(finder, cycle.head, Some(cycle))?;
    let (_, one_before) = only_way(finder, last_at, None)?;
    let alone = finder.locations()[last_at.index()].steps.len() == 1;
    if !all_keep || !alone {
        return None;
    }
    let orders = [(one_before, last), (last, one_before)];
    orders.into_iter().find_map(|(fold, count)| {
        let trial = Trial::new(finder, cycle, fold, count)?;
        let start = starts(trial.scalar)
            .into_iter()
            .find(|start| trial.is_passed(*start))?;
        Some(Earlier {
            fold: (fold, start),
            count: (count, trial.first),
        })
    })
}

/// What a variable may start as so that joining anything gives that.
fn starts(scalar: Scalar) -> [i32; 3] {
    [0, 1, scalar.narrow(255)]
}

/// The only step that leads to a location, other than from inside of a loop, and where it starts;
/// it keeps control and resets nothing.
fn only_way(
    finder: &Finder<'_>,
    to: LocationId,
    around: Option<&Cycle>,
) -> Option<(LocationId, StepId)> {
    let text = finder.text;
    if text.proctype(finder.proctype).start == to {
        return None;
    }
    let mut found = None;
    for (at, location) in finder.locations().iter().enumerate() {
        let at = LocationId::new(at);
        let is_inside = around.is_some_and(|cycle| cycle.inside.contains(&at));
        for id in &location.steps {
            let step = text.step(*id);
            let mut is_entry = false;
            super::walk::blocks(&step.action, &mut |from, end| {
                is_entry |= from == to || end == to
            });
            if is_entry {
                return None;
            }
            if step.target != to || is_inside {
                continue;
            }
            let plain = step.resets.is_empty() && !step.alone && finder.keeps(at, *id);
            if found.is_some() || !plain {
                return None;
            }
            found = Some((at, *id));
        }
    }
    found
}

/// A round that is taken to see what it does.
struct Trial<'a> {
    finder: &'a Finder<'a>,
    cycle: &'a Cycle,
    /// The variable that takes the elements, and how it is kept.
    into: &'a Place,
    scalar: Scalar,
    /// The first element, and how it is kept.
    element: &'a Place,
    element_scalar: Scalar,
    /// What counts, and what it starts with then.
    variable: FieldId,
    first: i32,
}

/// What the variables are in the middle of a round.
struct Held {
    into: i32,
    count: i32,
    element: i32,
}

impl<'a> Trial<'a> {
    fn new(
        finder: &'a Finder<'a>,
        cycle: &'a Cycle,
        fold: StepId,
        count: StepId,
    ) -> Option<Trial<'a>> {
        let text = finder.text;
        let Action::Assign(into, e) = &text.step(fold).action else {
            return None;
        };
        let Expr::Read(element) = text.expr(*e) else {
            return None;
        };
        let Action::Assign(counted, from) = &text.step(count).action else {
            return None;
        };
        let own = counted.owner == Owner::Own && counted.indices.is_empty();
        let is_other = |place: &Place| place.indices.is_empty() && place != counted;
        let constants = element
            .indices
            .iter()
            .all(|e| finder.constant(*e).is_some());
        let is_array = !element.indices.is_empty() && constants;
        if !own || !is_other(into) || !is_array {
            return None;
        }
        let trial = Trial {
            finder,
            cycle,
            into,
            scalar: scalar(finder, into)?,
            element,
            element_scalar: scalar(finder, element)?,
            variable: counted.field,
            first: finder.constant(*from)?.checked_sub(1)?,
        };
        // The number before the first must be one that the variable can be.
        (finder.narrowed(trial.variable, trial.first) == trial.first).then_some(trial)
    }

    /// Whether the round before the first leaves the first element, whatever that is.
    fn is_passed(&self, start: i32) -> bool {
        let values = match self.element_scalar {
            Scalar::Bit => 0..2,
            Scalar::U8 => 0..256,
            Scalar::Bits(n @ ..=8) => 0..1 << n,
            _ => return false,
        };
        let mut values = values;
        values.all(|element| self.round(start, element) == Some(self.scalar.narrow(element)))
    }

    /// What is in the variable after a round, if it does nothing else and one is counted.
    fn round(&self, start: i32, element: i32) -> Option<i32> {
        let mut held = Held {
            into: start,
            count: self.first,
            element,
        };
        let mut at = self.cycle.head;
        for _ in 0..N_STEPS_MAX {
            at = self.step(at, &mut held)?;
            if at == self.cycle.head {
                return (held.count == self.first + 1).then_some(held.into);
            }
        }
        None
    }

    /// Takes the only step that can be taken.
    fn step(&self, at: LocationId, held: &mut Held) -> Option<LocationId> {
        let text = self.finder.text;
        let (mut open, mut otherwise) = (None, None);
        for id in &self.finder.locations()[at.index()].steps {
            let step = text.step(*id);
            if step.rank != 0 || step.alone {
                return None;
            }
            let is_open = match &step.action {
                Action::Else => {
                    otherwise = Some(step);
                    false
                }
                action => match guard(action) {
                    Some(e) => self.value(e, held)? != 0,
                    None => true,
                },
            };
            if is_open && open.replace(step).is_some() {
                return None;
            }
        }
        let step = open.or(otherwise)?;
        self.act(&step.action, held)?;
        for reset in &step.resets {
            match reset.field {
                field if field == self.variable => held.count = reset.value,
                field if *self.into == Place::scalar(Owner::Own, field) => {
                    held.into = reset.value;
                }
                _ => return None,
            }
        }
        self.cycle
            .inside
            .contains(&step.target)
            .then_some(step.target)
    }

    fn act(&self, action: &Action, held: &mut Held) -> Option<()> {
        match action {
            Action::Skip | Action::Else => Some(()),
            Action::Test(e) => (self.value(*e, held)? != 0).then_some(()),
            Action::Assign(place, e) => {
                let value = self.value(*e, held)?;
                if place == self.into {
                    held.into = self.scalar.narrow(value);
                    return Some(());
                }
                let counts = place.owner == Owner::Own && place.field == self.variable;
                held.count = self.finder.narrowed(self.variable, value);
                counts.then_some(())
            }
            Action::All(all) => all.iter().try_for_each(|part| self.act(part, held)),
            _ => None,
        }
    }

    fn value(&self, e: ExprId, held: &Held) -> Option<i32> {
        folded_by(self.finder.text, e, &|place| match place {
            place if place == self.into => Some(held.into),
            place if place.indices.is_empty() => {
                let counts = place.owner == Owner::Own && place.field == self.variable;
                counts.then_some(held.count)
            }
            place => self.is_element(place, held).then_some(held.element),
        })
    }

    /// Whether a place is that of the first element, with what is counted.
    fn is_element(&self, place: &Place, held: &Held) -> bool {
        let element = self.element;
        let same = (place.owner, place.field) == (element.owner, element.field);
        let mut indices = place.indices.iter().zip(&element.indices);
        let plain = |e: ExprId| !has_element(self.finder.text, e);
        same && place.indices.len() == element.indices.len()
            && indices.all(|(a, b)| plain(*a) && self.value(*a, held) == self.finder.constant(*b))
    }
}

/// Whether an expression reads an element of an array.
fn has_element(text: &Model, e: ExprId) -> bool {
    let mut found = matches!(text.expr(e), Expr::Read(place) if !place.indices.is_empty());
    operands(text.expr(e), &mut |e| found |= has_element(text, e));
    found
}

/// How a place is kept; `None` if it is one of another process.
fn scalar(finder: &Finder<'_>, place: &Place) -> Option<Scalar> {
    let text = finder.text;
    let kind = match place.owner {
        Owner::Own => text.proctype(finder.proctype).kind,
        Owner::Globals => KindId::new(0),
        Owner::Other(..) => return None,
    };
    Some(
        text.layout.kind(kind).fields[place.field.index()]
            .slot
            .scalar,
    )
}
