//! From a machine to its certified symmetry, in one call.

use crate::processes::certify::{CertifiedProcesses, certify_until};
use crate::processes::detect::{Candidates, candidates};
use crate::processes::sort::{Sends, Sorts, infer, infer_each};
use crate::processes::structure::{Structure, build};
use crate::processes::worth::is_worth_it;
use base::{Clock, Over};
use model::Machine;
use model::processes::population::{Population, Start, populate};
use num_bigint::BigUint;

/// What was found on the way to the symmetry of a model.
#[derive(Clone, Debug)]
pub struct Found {
    /// Who is there after the making.
    pub population: Population,
    /// Which numbers are members of sorts.
    pub sorts: Sorts,
    /// The graph whose automorphisms are the candidates.
    pub structure: Structure,
    /// The candidates.
    pub candidates: Candidates,
    /// What may be used.
    pub certified: CertifiedProcesses,
    /// Why it was not looked for to the end, if so; what was found till then may be used.
    pub over: Option<Over>,
}

/// The symmetry of a model; `None` if its making goes wrong, or if it has a trace: a trace tells
/// channels and messages apart, and is not looked into.
pub fn find(machine: &Machine) -> Option<Found> {
    find_if(machine, Sends::Wait, Clock::ENDLESS)
}

/// As [`find`], as far as the clock lets. If loops that send may be taken in any order, what is
/// found may rest on it that no send in them waits. Reducers made from it look at that, and say
/// whether it is refuted.
pub fn find_if(machine: &Machine, sends: Sends, clock: Clock<'static>) -> Option<Found> {
    if machine.model().trace.is_some() {
        return None;
    }
    let population = populate(machine)?;
    let sorts = infer(machine.model(), &population, sends);
    let found = found(sorts, population, clock);
    Some(each(machine, &found, sends, clock).unwrap_or(found))
}

fn found(sorts: Sorts, population: Population, clock: Clock<'static>) -> Found {
    let structure = build(&sorts, &population);
    let candidates = candidates(&structure, clock);
    certified(sorts, population, (structure, candidates), clock)
}

/// The most steps, counted once for each process of their type, for which a text with steps for
/// each process is looked at.
const N_STEPS_MAX: usize = 4000;

/// The symmetries of the text with steps for each process of a type, if there are more of them:
/// where processes of a type are not all interchangeable, it may be the text that tells them
/// apart and not what they do.
fn each(machine: &Machine, found: &Found, sends: Sends, clock: Clock<'static>) -> Option<Found> {
    let (model, population) = (machine.model(), &found.population);
    let (mut n_steps, mut largest) = (0, BigUint::from(1_u32));
    for proctype in &model.proctypes {
        let kind = proctype.kind;
        let n = population
            .processes
            .iter()
            .filter(|r| r.kind == kind)
            .count();
        let steps = proctype.locations.iter().map(|l| l.steps.len());
        n_steps += n * steps.sum::<usize>();
        largest = (1..=n).fold(largest, |order, n| order * n);
    }
    let order = found.certified.group().order();
    if found.over.is_some() || order >= largest || n_steps > N_STEPS_MAX {
        return None;
    }
    let of = |exchanged: bool| {
        let sorts = infer_each(model, population, sends, exchanged)?;
        let each = self::found(sorts, population.clone(), clock);
        (each.over.is_none() && each.certified.group().order() > order).then_some(each)
    };
    // Where some move nothing but constants, those that do not exchange constants are enough.
    match of(true)? {
        each if each.certified.group().order() == each.certified.lean().1.order() => Some(each),
        _ => of(false),
    }
}

/// The largest symmetry of a model, which need not keep its start: a variable that starts as the
/// number of one process then singles nobody out. Orbits cannot be counted where that makes a
/// difference ([`Start::Free`]). It is used only if it shows soon that states are led together
/// which the symmetries of the start keep apart.
pub fn find_largest(machine: &Machine) -> Option<Found> {
    find_largest_if(machine, Sends::Wait, Clock::ENDLESS)
}

/// As [`find_largest`], and [`find_if`].
pub fn find_largest_if(machine: &Machine, sends: Sends, clock: Clock<'static>) -> Option<Found> {
    let kept = find_if(machine, sends, clock)?;
    Some(match free(&kept, clock) {
        Some(free) if is_worth_it(machine, &free.certified, &kept.certified) => free,
        _ => kept,
    })
}

/// The symmetries that need not keep the start, if there are more of them.
pub(super) fn free(kept: &Found, clock: Clock<'static>) -> Option<Found> {
    if kept.over.is_some() || kept.population.start == Start::Free {
        return None;
    }
    let mut population = kept.population.clone();
    population.start = Start::Free;
    let structure = build(&kept.sorts, &population);
    let all_kept = kept.certified.rejected().is_empty();
    if all_kept && structure == kept.structure {
        return None;
    }
    let candidates = candidates(&structure, clock);
    // Nothing is gained by products of those that keep the start, which are certified.
    if all_kept && candidates.are_within(&kept.candidates) {
        return None;
    }
    let free = certified(
        kept.sorts.clone(),
        population,
        (structure, candidates),
        clock,
    );
    let is_larger = free.certified.group().order() > kept.certified.group().order();
    is_larger.then_some(free)
}

fn certified(
    sorts: Sorts,
    population: Population,
    (structure, candidates): (Structure, Candidates),
    clock: Clock<'static>,
) -> Found {
    let certified = certify_until(&sorts, &population, &candidates, clock);
    Found {
        over: clock.ask().err(),
        population,
        sorts,
        structure,
        candidates,
        certified,
    }
}
