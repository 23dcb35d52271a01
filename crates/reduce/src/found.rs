//! From a machine to its certified symmetry, in one call.

use crate::certify::{Certified, certify};
use crate::detect::{Candidates, candidates};
use crate::worth::is_worth_it;
use system::Machine;
use system::population::{Population, Start, populate};
use system::sort::{Sends, Sorts, infer};
use system::structure::{Structure, build};

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
    pub certified: Certified,
}

/// The symmetry of a model; `None` if its making goes wrong, or if it has a trace: a trace tells
/// channels and messages apart, and is not looked into.
pub fn find(machine: &Machine) -> Option<Found> {
    find_if(machine, Sends::Wait)
}

/// As [`find`]; if loops that send may be taken in any order, what is found may rest on it that no
/// send in them waits. Reducers made from it look at that, and say whether it is refuted.
pub fn find_if(machine: &Machine, sends: Sends) -> Option<Found> {
    if machine.model().trace.is_some() {
        return None;
    }
    let population = populate(machine)?;
    let sorts = infer(machine.model(), &population, sends);
    of_start(sorts, population)
}

/// The largest symmetry of a model, which need not keep its start: a variable that starts as the
/// number of one process then singles nobody out. Orbits cannot be counted where that makes a
/// difference ([`Start::Free`]). It is used only if it shows soon that states are led together
/// which the symmetries of the start keep apart.
pub fn find_largest(machine: &Machine) -> Option<Found> {
    find_largest_if(machine, Sends::Wait)
}

/// As [`find_largest`], and [`find_if`].
pub fn find_largest_if(machine: &Machine, sends: Sends) -> Option<Found> {
    let kept = find_if(machine, sends)?;
    let mut population = kept.population.clone();
    population.start = Start::Free;
    let free = of_start(kept.sorts.clone(), population)?;
    let is_larger = free.certified.group().order() > kept.certified.group().order();
    let is_better = is_larger && is_worth_it(machine, &free.certified, &kept.certified);
    Some(if is_better { free } else { kept })
}

fn of_start(sorts: Sorts, population: Population) -> Option<Found> {
    let structure = build(&sorts, &population);
    let candidates = candidates(&structure);
    let certified = certify(&sorts, &population, &candidates);
    Some(Found {
        population,
        sorts,
        structure,
        candidates,
        certified,
    })
}
