//! Steps for each process of a type, with its own constants in them.
//!
//! `on[2*id] && on[2*id + 1]` in the nodes of a tree names two elements that are interchangeable,
//! but the text tells them apart: one is reached by `2*id`, the other by `2*id + 1`. With the
//! number of one node in place of `id` the difference is gone: node 3 has `on[6] && on[7]`, and the
//! order of operands does not matter. So in the copy of the text that symmetry looks at, a step of
//! a type is replaced by one step for each of its processes, which begins with a test of what the
//! process never changes, and has these constants in it (*partial evaluation*).
//!
//! Where a process keeps control, what follows is copied too, and what its variables hold is
//! followed: `n = id + 1; if :: n == N -> n = 0 :: else fi; x[n] = 1` comes to `x[1] = 1; n = 1`
//! for process 0, and to `x[0] = 1; n = 0` for the last one. A variable that is known is not
//! assigned before others can see it.
//!
//! A type is replaced if
//! - there are several processes of it after the making, and none is made later;
//! - it has constants of its own: variables that no step assigns, `_pid`. One that is reset where
//!   nobody will read it any more is a constant up to there;
//! - no step escapes from it, has to be alone, or asks where processes are, and it has neither
//!   priorities nor a condition on the process (`provided`).
//!
//! Steps that begin with a send, a receive or an `else` where others can see the process stay as
//! they are. The copy is checked by [`mod@super::verify`], which follows both texts side by side.
//!
//! **Source.** Jones, Gomard and Sestoft 1993, chapter 4 (partial evaluation of flow charts).
//! **Cost.** The text once for each process; beyond [`N_LOCATIONS_MAX`] locations nothing is done.

mod regions;
mod residual;

use super::Sends;
use super::living::living;
use super::loops::{Finder, Replaced};
use super::neutral::{writes, written_by_others};
use model::processes::expr::{Expr, ExprId, Owner, operands};
use model::processes::layout::{FieldId, Meaning};
use model::processes::population::Population;
use model::processes::program::{Action, LocationId, Model, ProctypeId, StepId, roots};
use regions::Regions;
use residual::Writer;
use std::collections::{BTreeMap, BTreeSet};

/// The most locations of a type after the replacement.
const N_LOCATIONS_MAX: usize = 2000;

/// What a process has for ever: the values of variables, and its number if the text asks for it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Identity {
    /// By variable.
    pub values: BTreeMap<FieldId, i32>,
    /// Its number.
    pub pid: Option<i32>,
}

/// A type whose processes have steps of their own.
#[derive(Clone, Debug)]
pub struct Instanced {
    /// Which.
    pub proctype: ProctypeId,
    /// The processes, by what each has for ever.
    pub identities: Vec<Identity>,
}

/// The text before and after steps were made for each process, for who checks it.
#[derive(Clone, Debug)]
pub struct Instances {
    /// Before.
    pub before: Model,
    /// After.
    pub after: Model,
    /// The types that were replaced.
    pub types: Vec<Instanced>,
    /// Where nobody is taken to be seen, because no send waits.
    pub waits: Vec<(ProctypeId, LocationId)>,
    /// The step that each was made of.
    origins: BTreeMap<StepId, StepId>,
}

/// How the test is written that a process with several constants is the one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tests {
    /// A symmetry may exchange the variables.
    Unordered,
    /// None can, so that it cannot move them and nothing else.
    Ordered,
}

/// How steps are made for each process.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    pub sends: Sends,
    pub tests: Tests,
    /// The steps that are left as they are, as a loop that cannot be replaced comes after them.
    pub kept: BTreeSet<StepId>,
}

/// Makes steps for each process in a text, where that is possible.
pub(super) fn replace(
    text: &mut Model,
    population: &Population,
    wanted: &Wanted,
    replaced: &mut Replaced,
) -> Option<Instances> {
    let before = text.clone();
    let (_, made_later) = living(text, population, replaced);
    let mut types = Vec::new();
    let (mut waits, mut origins) = (Vec::new(), BTreeMap::new());
    for p in (0..text.proctypes.len()).map(ProctypeId::new) {
        if made_later[p.index()] || !is_plain(text, population, p) {
            continue;
        }
        let identities = identities(text, population, p);
        if identities.len() < 2 {
            continue;
        }
        let regions = Regions::new(&Finder::new(text, p, replaced), population, wanted.sends);
        if regions.is_odd {
            continue;
        }
        let mut copy = text.clone();
        let mut writer = Writer::new(&mut copy, p, &identities, &regions, wanted);
        let Ok(written) = writer.write() else {
            continue;
        };
        *text = copy;
        replaced.removed[p.index()].extend(written.removed);
        for all in &written.copies {
            origins.extend(all[1..].iter().map(|copy| (*copy, all[0])));
        }
        replaced.branches.extend(written.copies);
        let here = written.waits.into_iter().map(|at| (p, at));
        waits.extend(here);
        types.push(Instanced {
            proctype: p,
            identities,
        });
    }
    replaced.waits.extend(waits.iter().copied());
    (!types.is_empty()).then(|| Instances {
        before,
        after: text.clone(),
        types,
        waits,
        origins,
    })
}

impl Instances {
    /// The steps of the text before from which, in a text made of the one after, a process comes to
    /// a circle of locations that were put in: a loop that was not replaced.
    pub(super) fn circular(&self, text: &Model) -> BTreeSet<StepId> {
        let mut found = BTreeSet::new();
        for one in &self.types {
            let n_old = self.before.proctype(one.proctype).locations.len();
            let bad = circles(text, one.proctype, n_old);
            let locations = text.proctype(one.proctype).locations.iter().enumerate();
            for (at, location) in locations.take(n_old) {
                let leads = location.steps.iter().filter(|step| {
                    let next = next(text, **step);
                    next.iter().any(|to| bad.contains(to))
                });
                for step in leads {
                    let old = &self.before.proctype(one.proctype).locations[at].steps;
                    match self.origins.get(step).filter(|origin| old.contains(origin)) {
                        Some(origin) => found.extend([*origin]),
                        None => found.extend(old.iter().copied()),
                    }
                }
            }
        }
        found
    }
}

/// Where a step leads to, the inside of a block included.
fn next(text: &Model, step: StepId) -> Vec<usize> {
    let step = text.step(step);
    let mut next = vec![step.target.index()];
    super::walk::blocks(&step.action, &mut |from, _| next.push(from.index()));
    next
}

/// The locations of a type, from one on, from which a circle of such can be reached.
fn circles(text: &Model, p: ProctypeId, first: usize) -> BTreeSet<usize> {
    let locations = &text.proctype(p).locations;
    let mut left: BTreeSet<usize> = (first..locations.len()).collect();
    loop {
        let stays = |at: &usize| {
            let steps = locations[*at].steps.iter();
            let mut all = steps.flat_map(|step| next(text, *step));
            all.any(|to| left.contains(&to))
        };
        let fewer: BTreeSet<usize> = left.iter().filter(|at| stays(at)).copied().collect();
        if fewer.len() == left.len() {
            return left;
        }
        left = fewer;
    }
}

/// Whether the steps of a type are of the kinds that can be followed.
fn is_plain(text: &Model, population: &Population, p: ProctypeId) -> bool {
    let proctype = text.proctype(p);
    let maker = population.creator.as_ref();
    let known = !population.interleaved && population.before.is_none();
    let free = proctype.provided.is_none() && !text.rules.priorities;
    if !known || !free || maker.is_some_and(|maker| maker.proctype == p) {
        return false;
    }
    let mut steps = proctype.locations.iter().flat_map(|l| &l.steps);
    let simple = steps.all(|id| {
        let step = text.step(*id);
        // A block that begins with an `else` depends on the steps beside it.
        let is_block = matches!(step.action, Action::Deterministic(..));
        let odd = is_nested(&step.action) || (is_block && text.is_else(proctype, *id));
        step.rank == 0 && !step.alone && !odd
    });
    simple && !is_watched(text, p)
}

/// Whether an action is a sequence with a deterministic block in it.
fn is_nested(action: &Action) -> bool {
    let block = |action: &Action| matches!(action, Action::Deterministic(..));
    matches!(action, Action::All(all) if all.iter().any(|a| block(a) || is_nested(a)))
}

/// Whether a step asks where processes are, or for the variables of one of the type.
fn is_watched(text: &Model, p: ProctypeId) -> bool {
    fn watches(text: &Model, p: ProctypeId, e: ExprId) -> bool {
        let here = match text.expr(e) {
            Expr::Enabled(_) | Expr::LocationOf(_) | Expr::AtLocation(..) => true,
            Expr::Read(place) => matches!(place.owner, Owner::Other(q, _) if q == p),
            _ => false,
        };
        let mut found = here;
        operands(text.expr(e), &mut |e| found |= watches(text, p, e));
        found
    }
    text.steps.iter().any(|step| {
        let mut found = false;
        roots(&step.action, &mut |e| found |= watches(text, p, e));
        found
    })
}

/// What the processes of a type have for ever, each once.
fn identities(text: &Model, population: &Population, p: ProctypeId) -> Vec<Identity> {
    let constants = constants(text, p);
    let proctype = text.proctype(p);
    let fields = &text.layout.kind(proctype.kind).fields;
    let asks = proctype.locations.iter().flat_map(|l| &l.steps).any(|s| {
        let mut found = false;
        roots(&text.step(*s).action, &mut |e| found |= has_pid(text, e));
        found
    });
    let mut all = Vec::new();
    for record in population
        .processes
        .iter()
        .filter(|r| r.kind == proctype.kind)
    {
        let mut identity = Identity {
            pid: asks.then_some(record.number),
            ..Identity::default()
        };
        for field in &constants {
            let shape = &fields[field.index()];
            let at = record.at + shape.at as usize;
            let held = population.states.iter();
            let mut held = held.map(|state| shape.slot.scalar.load(state, at));
            let first = held.next().unwrap_or(0);
            if held.any(|other| other != first) {
                return Vec::new();
            }
            identity.values.insert(*field, first);
        }
        if !all.contains(&identity) {
            all.push(identity);
        }
    }
    all
}

/// The variables of a type that its steps read and no step writes.
fn constants(text: &Model, p: ProctypeId) -> Vec<FieldId> {
    let proctype = text.proctype(p);
    let fields = &text.layout.kind(proctype.kind).fields;
    let steps = proctype.locations.iter().flat_map(|l| &l.steps);
    let steps: Vec<_> = steps.map(|step| text.step(*step)).collect();
    let written = |f: FieldId| {
        let own = steps.iter().any(|step| writes(&step.action, f));
        own || written_by_others(text, p, f) || retired(text, p, f).is_none()
    };
    let read = |f: FieldId| {
        steps.iter().any(|step| {
            let mut found = false;
            roots(&step.action, &mut |e| {
                found |= super::stores::reads(text, e, f);
            });
            found
        })
    };
    let all = (0..fields.len()).map(FieldId::new).filter(|f| {
        let field = &fields[f.index()];
        field.dimensions.is_empty() && field.slot.meaning != Meaning::Channel
    });
    all.filter(|f| read(*f) && !written(*f)).collect()
}

/// The locations where a variable that no step assigns may have been reset; `None` if a step reads
/// it at one of them, or resets it inside of a deterministic block.
fn retired(text: &Model, p: ProctypeId, f: FieldId) -> Option<BTreeSet<usize>> {
    let locations = &text.proctype(p).locations;
    let resets = |step: &StepId| text.step(*step).resets.iter().any(|reset| reset.field == f);
    let mut inside = BTreeSet::new();
    for step in locations.iter().flat_map(|l| &l.steps) {
        super::walk::blocks(&text.step(*step).action, &mut |from, to| {
            let mut waiting = vec![from];
            while let Some(at) = waiting.pop() {
                if at != to && inside.insert(at.index()) {
                    waiting.extend(
                        locations[at.index()]
                            .steps
                            .iter()
                            .map(|s| text.step(*s).target),
                    );
                }
            }
        });
    }
    let (mut found, mut waiting) = (BTreeSet::new(), Vec::new());
    for (at, location) in locations.iter().enumerate() {
        for step in location.steps.iter().filter(|step| resets(step)) {
            if inside.contains(&at) {
                return None;
            }
            waiting.push(text.step(*step).target.index());
        }
    }
    while let Some(at) = waiting.pop() {
        if !found.insert(at) {
            continue;
        }
        for step in &locations[at].steps {
            let mut is_read = false;
            roots(&text.step(*step).action, &mut |e| {
                is_read |= super::stores::reads(text, e, f);
            });
            if is_read {
                return None;
            }
            waiting.extend(next(text, *step));
        }
    }
    Some(found)
}

fn has_pid(text: &Model, e: ExprId) -> bool {
    let mut found = matches!(text.expr(e), Expr::Pid);
    operands(text.expr(e), &mut |e| found |= has_pid(text, e));
    found
}
