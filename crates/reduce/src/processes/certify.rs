//! Symmetries that may be used.
//!
//! Only what passes here becomes a [`CertifiedProcesses`], and only a [`CertifiedProcesses`] makes
//! a reducer. A candidate is a permutation of what bears state, from wherever: from
//! [`crate::processes::detect`], or by hand. It is put into the model by plain substitution, each
//! name replaced by its image, and the result must be the model again: the same variables, the same
//! population, and at each location the same steps as at the image of the location. Nothing here
//! knows of the graph that candidates come from. See `docs/theory/certify.md`.
//!
//! Worked example. `active [2] proctype P() { turn = _pid; (turn == _pid) }` and the exchange of
//! both processes together with the members 0 and 1: the steps have no literal, so each becomes
//! itself; `turn` is 0 after the making and would become 1, so it is rejected for what `turn`
//! holds. With `turn = 255` at the start, a member that stays, it passes. The exchange of the two
//! processes alone is rejected, because `_pid` would stay.
//!
//! Files: `sides` both sides of what does not fit, `substitution` the maps that a permutation
//! gives, `facts` what is asked of the model, `shape` all but the steps, `text` steps as lists of
//! numbers that can be compared.
//!
//! Cost: linear in the text, but for sorting, for each generator.

mod facts;
mod shape;
mod sides;
mod substitution;
mod text;

use crate::certified::{self, Assumption};
use crate::processes::act::{Act, Constants};
use crate::processes::detect::{Bearing, Candidates};
use crate::processes::homes::Homes;
use crate::processes::points::Points;
use crate::processes::reading::Reading;
use crate::processes::sort::{ClassId, Misuse, Sorts, verify};
use crate::processes::structure::Bearer;
use base::Clock;
use facts::Facts;
use group::orbit::DisjointSets;
use group::{Group, Perm, Point};
use model::processes::population::{Population, Start};
use model::processes::program::StepId;
pub use sides::Sides;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use substitution::Substitution;
use text::Texts;

/// A candidate that is no symmetry, and what says so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejected {
    /// Which, counted from 0 in the order given.
    pub generator: usize,
    /// In words.
    pub reason: String,
    /// The line of the text, from 1; 0 if no one line says it.
    pub line: u32,
    /// What stands there, and what would have to.
    pub sides: Option<Sides>,
}

/// Why a permutation is no symmetry.
#[derive(Debug)]
struct Why {
    reason: String,
    line: u32,
    sides: Option<Sides>,
}

/// An answer of no, for a reason that no one line gives.
fn no<T>(reason: impl Into<String>) -> Result<T, Why> {
    Err(Why {
        reason: reason.into(),
        line: 0,
        sides: None,
    })
}

/// A group of symmetries of a model.
#[derive(Clone, Debug)]
pub struct CertifiedProcesses {
    act: Act,
    group: Group,
    lean: Act,
    lean_group: Group,
    rejected: Vec<Rejected>,
    misuse: Option<Misuse>,
    steps: Vec<Vec<StepId>>,
    /// The steps of choices that were made one assignment.
    branches: Vec<Vec<StepId>>,
    lists: Vec<Vec<usize>>,
    homes: Homes,
}

/// That no process is seen where certification takes none to be.
struct Assumed {
    act: Act,
    homes: Homes,
}

impl Assumption for Assumed {
    fn holds(&self, state: &[u8]) -> bool {
        self.homes.hold(&self.act, state)
    }

    fn is_made(&self) -> bool {
        !self.homes.lines().is_empty()
    }
}

impl CertifiedProcesses {
    /// The group that these generate, all of them symmetries.
    fn new(
        sorts: &Sorts,
        population: &Population,
        bearers: &[Bearer],
        kept: &[Perm],
    ) -> CertifiedProcesses {
        let (points, group) = Points::new(sorts, bearers, kept);
        let bearing = Bearing::new(sorts, population, Constants::Stay);
        let lean = kept
            .iter()
            .filter_map(|generator| seen(bearers, generator, &bearing));
        let lean: Vec<Perm> = lean.filter(|generator| !generator.is_identity()).collect();
        let (lean_points, lean_group) = Points::new(sorts, bearers, &lean);
        CertifiedProcesses {
            act: Act::new(sorts, population, points, Constants::Move),
            group,
            lean: Act::new(sorts, population, lean_points, Constants::Stay),
            lean_group,
            rejected: Vec::new(),
            misuse: None,
            steps: Vec::new(),
            branches: sorts.branches.clone(),
            lists: Vec::new(),
            homes: Homes::new(sorts),
        }
    }

    /// The group on what can change in states, as it is used for reduction.
    pub fn certified(&self) -> certified::Certified {
        let (act, group) = self.lean();
        let assumption = Assumed {
            act: act.clone(),
            homes: self.homes.clone(),
        };
        certified::Certified::of_records(group.clone(), Reading::new(act))
            .assuming(Arc::new(assumption))
    }

    /// The same on whole states, constants included, as it is audited.
    pub fn whole(&self) -> certified::Certified {
        certified::Certified::of_records(self.group.clone(), Reading::new(&self.act))
    }

    /// How it acts on states, leaving out what never changes and so is the same in all images; and
    /// the group on the points that are left. States move as under [`CertifiedProcesses::act`].
    pub fn lean(&self) -> (&Act, &Group) {
        (&self.lean, &self.lean_group)
    }

    /// How it acts on states.
    pub fn act(&self) -> &Act {
        &self.act
    }

    /// The group, on the points of [`CertifiedProcesses::act`].
    pub fn group(&self) -> &Group {
        &self.group
    }

    /// Where processes can be, which all of it takes for granted.
    pub fn homes(&self) -> &Homes {
        &self.homes
    }

    /// The candidates that are not in it.
    pub fn rejected(&self) -> &[Rejected] {
        &self.rejected
    }

    /// What is wrong with the classes of the model; then no symmetry is used at all.
    pub fn misuse(&self) -> Option<&Misuse> {
        self.misuse.as_ref()
    }

    /// By generator that was accepted, and by step of the text that symmetry looks at: where it
    /// goes. Steps that cannot be taken after the making go to themselves, and so do those of a
    /// loop that was replaced by its rounds.
    pub fn steps(&self) -> &[Vec<StepId>] {
        &self.steps
    }

    /// By generator that was accepted, and by list of atoms
    /// ([`model::processes::program::Model::atoms`]): to which it goes.
    pub fn lists(&self) -> &[Vec<usize>] {
        &self.lists
    }

    /// Marks each step to which symmetries carry one that is marked.
    ///
    /// # Requires
    /// All runs pass through the population: what is reached is then carried to what is reached. If
    /// others move while the making goes on, a step may be marked that only its like can take.
    /// Steps of a loop that was replaced by its rounds are not carried to those of another type.
    pub fn close_coverage(&self, covered: &mut [bool]) {
        // Steps that were put in for loops have numbers after those of the model.
        let n = self.steps.iter().map(Vec::len).max().unwrap_or(0);
        let n = n.max(covered.len());
        let mut sets = DisjointSets::new(n);
        for steps in &self.steps {
            for (from, to) in steps.iter().enumerate() {
                sets.join(from as Point, to.index() as Point);
            }
        }
        // Which of two branches is taken may differ between a state and its image.
        for all in self.branches.iter().filter(|_| !self.steps.is_empty()) {
            for pair in all.windows(2) {
                sets.join(pair[0].index() as Point, pair[1].index() as Point);
            }
        }
        let mut reached = vec![false; n];
        for (step, covered) in covered.iter().enumerate() {
            reached[sets.find(step as Point) as usize] |= *covered;
        }
        for (step, covered) in covered.iter_mut().enumerate() {
            *covered = reached[sets.find(step as Point) as usize];
        }
    }
}

/// Checks each candidate; those that pass generate the group.
pub fn certify(
    sorts: &Sorts,
    population: &Population,
    candidates: &Candidates,
) -> CertifiedProcesses {
    certify_until(sorts, population, candidates, Clock::ENDLESS)
}

/// As [`certify`]; candidates that are not checked when the clock is over are left out.
pub fn certify_until(
    sorts: &Sorts,
    population: &Population,
    candidates: &Candidates,
    clock: Clock<'_>,
) -> CertifiedProcesses {
    let given = (&candidates.bearers[..], &candidates.generators[..]);
    certified(sorts, population, given, clock)
}

/// Checks permutations of `bearers` that may come from anywhere; those that pass generate the
/// group. What is not among the bearers stays. Members of classes that no state shows follow the
/// processes and channels that they name, if nothing is said of them.
pub fn certify_given(
    sorts: &Sorts,
    population: &Population,
    bearers: &[Bearer],
    generators: &[Perm],
) -> CertifiedProcesses {
    certified(sorts, population, (bearers, generators), Clock::ENDLESS)
}

/// What stands in a line of the model that a permutation of bearers does not fit, and what would
/// have to; if the line is 0, a value at the start. Numbers of processes and channels go where
/// these go, if nothing is said of them.
pub fn sides(
    sorts: &Sorts,
    population: &Population,
    moved: &[(Bearer, Bearer)],
    line: u32,
) -> Option<Sides> {
    let mut moves: BTreeMap<Bearer, Bearer> = moved.iter().copied().collect();
    for (from, to) in moved {
        for (c, class) in sorts.classes.iter().enumerate() {
            let id = ClassId::new(c);
            let is_pid = class.names_processes || sorts.pids.contains(&id);
            let (v, w) = match (*from, *to) {
                (Bearer::Process(n), Bearer::Process(m)) if is_pid => (n, m),
                (Bearer::Channel(n), Bearer::Channel(m)) if class.names_channels => (n, m),
                _ => continue,
            };
            if [v, w]
                .iter()
                .all(|v| class.members.iter().flatten().any(|m| m == v))
            {
                let [v, w] = [v, w].map(|v| Bearer::Member(id, v));
                moves.entry(v).or_insert(w);
            }
        }
    }
    if line == 0 {
        return of_start(sorts, population, &moves);
    }
    let facts = Facts::new(sorts, population);
    let bearing = Bearing::new(sorts, population, Constants::Move);
    let moves: Vec<(Bearer, Bearer)> = moves.into_iter().collect();
    let images = Substitution::loose(&facts, &moves, &bearing);
    let is_there = |id: &StepId| {
        let site = &sorts.text.sites[sorts.text.step(*id).site.index()];
        site.line == line
    };
    let mut steps = facts.live_steps().filter(|(_, step)| is_there(step));
    steps.find_map(|step| Sides::of_step(&facts, &images, step))
}

/// Both sides of a value that variables start with.
fn of_start(
    sorts: &Sorts,
    population: &Population,
    moves: &BTreeMap<Bearer, Bearer>,
) -> Option<Sides> {
    let bearers: BTreeSet<Bearer> = moves.iter().flat_map(|(from, to)| [*from, *to]).collect();
    let bearers: Vec<Bearer> = bearers.into_iter().collect();
    let at = |bearer: &Bearer| bearers.binary_search(bearer).unwrap_or(0) as Point;
    let moves: Vec<(Point, Point)> = moves.iter().map(|(from, to)| (at(from), at(to))).collect();
    if moves.len() != bearers.len() {
        return None;
    }
    let generator = Perm::from_moves(bearers.len(), moves);
    let certified = certify_given(sorts, population, &bearers, &[generator]);
    certified.rejected.into_iter().next()?.sides
}

/// No symmetry, if there is nothing to certify, or if the classes are no typing.
fn without_symmetry(
    sorts: &Sorts,
    population: &Population,
    generators: &[Perm],
) -> Option<CertifiedProcesses> {
    // Classes that nothing rests on are looked at in development builds only.
    if generators.is_empty() && !cfg!(debug_assertions) {
        return Some(CertifiedProcesses::new(sorts, population, &[], &[]));
    }
    let misuse = verify(sorts, population).err()?;
    let Misuse { reason, line } = &misuse;
    // A release goes on without symmetry, which is slow and right.
    debug_assert!(false, "classes are no typing: {reason} (line {line})");
    Some(CertifiedProcesses {
        misuse: Some(misuse),
        ..CertifiedProcesses::new(sorts, population, &[], &[])
    })
}

fn certified(
    sorts: &Sorts,
    population: &Population,
    (bearers, generators): (&[Bearer], &[Perm]),
    clock: Clock<'_>,
) -> CertifiedProcesses {
    if let Some(none) = without_symmetry(sorts, population, generators) {
        return none;
    }
    let facts = Facts::new(sorts, population);
    let texts = Texts::new(&facts);
    let bearing = Bearing::new(sorts, population, Constants::Move);
    let (mut kept, mut steps, mut lists, mut rejected) = (vec![], vec![], vec![], vec![]);
    let (bearers, order) = sorted(bearers);
    for (n, generator) in generators.iter().enumerate() {
        if clock.is_over() {
            break;
        }
        assert_eq!(
            generator.degree(),
            bearers.len(),
            "a permutation of something else"
        );
        let moves = generator.moves();
        let generator = moves
            .map(|(x, y)| (order[x as usize], order[y as usize]))
            .collect();
        let generator = Perm::from_moves(bearers.len(), generator);
        let Some(seen) = seen(&bearers, &generator, &bearing) else {
            rejected.push(Rejected {
                generator: n,
                reason: "it moves what states show to what they do not show".to_owned(),
                line: 0,
                sides: None,
            });
            continue;
        };
        if seen.is_identity() || kept.contains(&seen) {
            continue;
        }
        let whole = check(&facts, &texts, (&bearers, &generator), &bearing);
        // What no state shows may be moved in any way that fits.
        let checked = whole
            .or_else(|why| check(&facts, &texts, (&bearers, &seen), &bearing).map_err(|_| why));
        match checked {
            Ok((map, list)) => {
                kept.push(seen);
                steps.push(map);
                lists.push(list);
            }
            Err(Why {
                reason,
                line,
                sides,
            }) => rejected.push(Rejected {
                generator: n,
                reason,
                line,
                sides,
            }),
        }
    }
    CertifiedProcesses {
        rejected,
        steps,
        lists,
        ..CertifiedProcesses::new(sorts, population, &bearers, &kept)
    }
}

/// The bearers in their own order, and where each went: who acts on states relies on it.
fn sorted(bearers: &[Bearer]) -> (Vec<Bearer>, Vec<Point>) {
    let mut places: Vec<usize> = (0..bearers.len()).collect();
    places.sort_by_key(|x| bearers[*x]);
    let mut order = vec![0; bearers.len()];
    for (new, old) in places.iter().enumerate() {
        order[*old] = new as Point;
    }
    (places.iter().map(|x| bearers[*x]).collect(), order)
}

/// A permutation as far as it can be seen in states, if that is a permutation.
fn seen(bearers: &[Bearer], generator: &Perm, bearing: &Bearing<'_>) -> Option<Perm> {
    let bears = |x: Point| bearing.bears(bearers[x as usize]);
    let moves: Vec<(Point, Point)> = generator.moves().filter(|(x, _)| bears(*x)).collect();
    let closed = moves.iter().all(|(_, y)| bears(*y));
    closed.then(|| Perm::from_moves(bearers.len(), moves))
}

/// Checks one permutation; gives where each step goes, and each list of atoms.
fn check(
    facts: &Facts<'_>,
    texts: &Texts,
    (bearers, generator): (&[Bearer], &Perm),
    bearing: &Bearing<'_>,
) -> Result<(Vec<StepId>, Vec<usize>), Why> {
    if facts.sorts.text.trace.is_some() {
        return no("a trace tells channels and messages apart");
    }
    if bearers.windows(2).any(|pair| pair[0] == pair[1]) {
        return no("something is named twice");
    }
    let images = Substitution::derive(facts, (bearers, generator), bearing)?;
    shape::check(facts, &images)?;
    let steps = texts.compare(facts, &images)?;
    let seen = seen(bearers, generator, bearing);
    let (points, group) = Points::new(facts.sorts, bearers, seen.as_slice());
    let Some(element) = group.generators().first() else {
        return Ok(steps);
    };
    let act = Act::new(facts.sorts, facts.population, points, Constants::Move);
    let mut image = Vec::new();
    for state in &facts.population.states {
        act.apply(element.image(), state, &mut image);
        let kept = match facts.population.start {
            Start::Kept => facts.population.states.contains(&image),
            Start::Free => facts.constants_stay(state, &image),
        };
        if !kept {
            return Err(facts.changed(state, &image));
        }
    }
    Ok(steps)
}
