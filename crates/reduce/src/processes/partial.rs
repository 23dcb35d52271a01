//! Which steps of a model break its symmetry, and the groups that are left when some are left out.
//!
//! Leaving a step out of the text makes another model with the same states. Its symmetry is found
//! and certified like that of any model, and used only for runs that do not take the step: see
//! [`crate::partial`]. So nothing new is believed here. What has to be certain is that the steps
//! that stay do the same in both models; `omit` says of which steps that is so.
//!
//! Which steps are tried: those in the lines that are said to break the symmetry
//! ([`crate::processes::blockers`]), all at once, and then those are put back that make no
//! difference; if that gives no more symmetry, each step by itself.
//!
//! Worked example: `_pid < 2 && !busy -> …` in line 9. All processes but 0 and 1 are kept apart
//! from these by line 9; without its step all are interchangeable. So `E` is this step, `K_∅` all
//! permutations, and `K_E` the group of the model as it is.
//!
//! Departure from the source: the group of several steps is not the intersection of those of each,
//! but that of the model with all of them. What is certified may rest on which values can be where,
//! and that is known only for the runs of the model that was looked at.

mod omit;

use crate::partial::{Annotated, N_COSETS_MAX, N_STEPS_MAX, Partial, TooMany};
use crate::processes::blockers::{blockers, orbits};
use crate::processes::effect::{Named, translated};
use crate::processes::found::{Found, find_if};
use crate::processes::sort::Sends;
use crate::processes::structure::Bearer;
use base::Clock;
use group::{Group, Perm};
use model::Machine;
use model::processes::program::{Model, StepId};
use num_bigint::BigUint;
use system::System;

/// How many steps are tried one by one.
const N_TRIED_MAX: usize = 64;

/// Why no step is left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotPartial {
    /// Something in the model sees whether steps can be taken.
    Watched(Watcher),
    /// The processes that the model starts with are not known.
    Population,
    /// Time was over before it was known what that would give.
    Time,
    /// Processes are made while others move.
    Interleaved,
    /// The group is the same without any of the steps.
    SameGroup,
    /// More steps would have to be left out than may be.
    Steps {
        /// How many.
        n_steps: usize,
        /// How many may be.
        n_max: usize,
    },
    /// What the model starts with depends on the steps.
    Start,
    /// The larger group is more than so many times as large as the smaller.
    Cosets(usize),
}

/// What in a model sees whether a step can be taken, or which was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Watcher {
    /// A `trace`.
    Trace,
    /// `_last`.
    Last,
    /// Priorities.
    Priorities,
    /// Rules by which processes that have ended go away in order.
    OrderedEnds,
    /// `provided`.
    Provided,
    /// `timeout`.
    Timeout,
    /// `enabled`.
    Enabled,
    /// `np_`, or a question about a priority.
    ProgressOrPriority,
}

/// The steps that break the symmetry of a model, and its groups.
pub struct Broken {
    /// What was found where none of these steps can be taken.
    pub whole: Found,
    /// The steps.
    pub steps: Vec<StepId>,
    /// The groups.
    pub partial: Partial,
}

impl Broken {
    /// The annotated states of `system`, which has the steps of `machine`.
    pub fn over<'a>(&'a self, machine: &'a Machine, system: &'a dyn System) -> Annotated<'a> {
        let breaking = |taken| {
            let (_, step) = machine.taken(taken);
            self.steps.iter().position(|other| *other == step)
        };
        Annotated::new(system, &self.partial, Box::new(breaking))
    }
}

/// The steps without which a model is more symmetric; or why there are none.
pub fn find_broken(machine: &Machine, clock: Clock<'static>) -> Result<Broken, NotPartial> {
    let model = machine.model();
    let candidates = omit::candidates(model)?;
    let search = Search {
        model,
        candidates,
        clock,
    };
    let plain = search.found(&[])?;
    let steps = search.steps(&plain)?;
    broken(machine, steps, clock)
}

/// The groups for steps that are given.
pub fn broken(
    machine: &Machine,
    steps: Vec<StepId>,
    clock: Clock<'static>,
) -> Result<Broken, NotPartial> {
    let search = Search {
        model: machine.model(),
        candidates: omit::candidates(machine.model())?,
        clock,
    };
    assert!(
        steps.len() <= N_STEPS_MAX && steps.iter().all(|s| search.candidates.contains(s)),
        "steps that cannot be left out"
    );
    let whole = search.found(&steps)?;
    let groups = search.groups(&whole, &steps)?;
    let partial = Partial::new(&whole.certified.certified(), groups);
    let partial = partial.map_err(|TooMany| NotPartial::Cosets(N_COSETS_MAX))?;
    Ok(Broken {
        whole,
        steps,
        partial,
    })
}

struct Search<'a> {
    model: &'a Model,
    /// The steps that may be left out.
    candidates: Vec<StepId>,
    clock: Clock<'static>,
}

impl Search<'_> {
    /// The symmetry of the model without some steps.
    fn found(&self, steps: &[StepId]) -> Result<Found, NotPartial> {
        let machine = Machine::new(omit::without(self.model, steps));
        let found = find_if(&machine, Sends::Wait, self.clock);
        let found = found.ok_or(NotPartial::Population)?;
        if found.over.is_some() {
            return Err(NotPartial::Time);
        }
        if found.population.interleaved || found.population.overtaken.is_some() {
            return Err(NotPartial::Interleaved);
        }
        Ok(found)
    }

    /// Steps without which there is more symmetry, none of them in vain.
    fn steps(&self, plain: &Found) -> Result<Vec<StepId>, NotPartial> {
        let before = order(plain);
        let mut steps = self.blamed(plain)?;
        let mut best = order(&self.found(&steps)?);
        if best <= before {
            (steps, best) = self.one_by_one(&before)?;
        }
        if best <= before {
            return Err(NotPartial::SameGroup);
        }
        let mut n = 0;
        while n < steps.len() {
            let mut fewer = steps.clone();
            fewer.remove(n);
            if order(&self.found(&fewer)?) == best {
                steps = fewer;
            } else {
                n += 1;
            }
        }
        if steps.len() > N_STEPS_MAX {
            return Err(NotPartial::Steps {
                n_steps: steps.len(),
                n_max: N_STEPS_MAX,
            });
        }
        Ok(steps)
    }

    /// The steps in lines that are said to break the symmetry, and then that of what is left.
    fn blamed(&self, plain: &Found) -> Result<Vec<StepId>, NotPartial> {
        let mut steps = Vec::new();
        let mut lines = lines(plain);
        for _ in 0..N_STEPS_MAX {
            let is_new = |step: &&StepId| {
                let line = self.model.sites[self.model.step(**step).site.index()].line;
                lines.contains(&line) && !steps.contains(*step)
            };
            let new: Vec<StepId> = self.candidates.iter().filter(is_new).copied().collect();
            if new.is_empty() {
                break;
            }
            steps.extend(new);
            lines = self::lines(&self.found(&steps)?);
        }
        Ok(steps)
    }

    /// The best step, then the best beside it, as long as one helps.
    fn one_by_one(&self, before: &BigUint) -> Result<(Vec<StepId>, BigUint), NotPartial> {
        let (mut steps, mut best) = (Vec::new(), before.clone());
        for _ in 0..N_STEPS_MAX {
            let mut chosen = None;
            for step in self.candidates.iter().take(N_TRIED_MAX) {
                let more: Vec<StepId> = steps.iter().chain([step]).copied().collect();
                let order = order(&self.found(&more)?);
                if order > best {
                    (chosen, best) = (Some(*step), order);
                }
            }
            let Some(step) = chosen else {
                break;
            };
            steps.push(step);
        }
        Ok((steps, best))
    }

    /// By set of the steps: the symmetries of the model with these and without the others, as far
    /// as they are symmetries where fewer of the steps are there; on the points of `whole`.
    fn groups(&self, whole: &Found, steps: &[StepId]) -> Result<Vec<Group>, NotPartial> {
        let (act, group) = whole.certified.lean();
        let mut groups = vec![group.clone()];
        for annotation in 1..1usize << steps.len() {
            let has = |n: &usize| annotation >> n & 1 == 1;
            let left_out = (0..steps.len()).filter(|n| !has(n)).map(|n| steps[n]);
            let found = self.found(&left_out.collect::<Vec<_>>())?;
            if found.population != whole.population {
                return Err(NotPartial::Start);
            }
            let from = Named {
                sorts: &found.sorts,
                act: found.certified.lean().0,
            };
            let to = Named {
                sorts: &whole.sorts,
                act,
            };
            let coarser = (0..steps.len()).filter(has).map(|n| annotation & !(1 << n));
            let coarser: Vec<usize> = coarser.collect();
            let own = found.certified.lean().1.generators().iter();
            let translated = own.filter_map(|g| translated(from, g.image(), to));
            let is_known = |g: &Perm| coarser.iter().all(|n| groups[*n].contains(g));
            let generators: Vec<Perm> = translated.filter(is_known).collect();
            groups.push(Group::new(group.degree(), generators));
        }
        Ok(groups)
    }
}

/// How many ways there are to move what is not just a place in the text: where steps are left out,
/// places where nothing happens any more are alike.
fn order(found: &Found) -> BigUint {
    let (act, group) = found.certified.lean();
    let bearers = &act.points().bearers;
    let is_place = |x: u32| matches!(bearers[x as usize], Bearer::Location(..));
    let generators = group.generators().iter().map(|g| {
        let moves = g.moves().filter(|(x, _)| !is_place(*x));
        Perm::from_moves(group.degree(), moves.collect())
    });
    let generators = generators.filter(|g| !g.is_identity()).collect();
    Group::new(group.degree(), generators).order()
}

/// The lines that stand in the way of more symmetry.
fn lines(found: &Found) -> Vec<u32> {
    let told = blockers(found, &orbits(found)).into_iter().map(|b| b.line);
    let rejected = found.certified.rejected().iter().map(|r| r.line);
    let sites = &found.sorts.text.sites;
    let plain = found
        .sorts
        .classes
        .iter()
        .filter_map(|c| c.plain.as_ref()?.site);
    let plain = plain.map(|site| sites[site.index()].line);
    told.chain(rejected)
        .chain(plain)
        .filter(|line| *line > 0)
        .collect()
}
