//! Candidates for symmetries: the automorphisms of the structure of a model.
//!
//! The group that acts is the image of the graph's group on what bears state; what moves nothing
//! but expressions is divided out. Candidates become symmetries by [`crate::processes::certify`]
//! only.

use crate::processes::act::Constants;
use crate::processes::sort::{ClassId, Sorts};
use crate::processes::structure::{Bearer, Structure};
use base::Clock;
use group::graph::{Graph, GraphBuilder, analyse_within};
use group::{Budget, Chain, Perm};
use model::processes::layout::{KindId, Role};
use model::processes::population::{Population, location_of};
use model::processes::program::{Action, LocationId, ProctypeId};

/// Generators of a group on the bearers of state, not yet certified.
#[derive(Clone, Debug)]
pub struct Candidates {
    /// What is moved, in order.
    pub bearers: Vec<Bearer>,
    /// Permutations of these.
    pub generators: Vec<Perm>,
    /// The orbits of all automorphisms of the structure, by vertex; also where the generators come
    /// from elsewhere.
    pub orbits: Vec<Vec<u32>>,
}

impl Candidates {
    /// Whether all of them are products of others.
    pub fn are_within(&self, others: &Candidates) -> bool {
        if self.bearers != others.bearers {
            return false;
        }
        let chain = Chain::new(self.bearers.len(), &others.generators, &[]);
        self.generators.iter().all(|g| chain.contains(g))
    }
}

/// A structure as a graph.
pub fn graph_of(structure: &Structure) -> Graph {
    let mut builder = GraphBuilder::default();
    for colour in &structure.colours {
        builder.vertex(*colour);
    }
    for link in &structure.links {
        builder.arc(link.from, link.to, link.label);
    }
    builder.build()
}

/// The automorphisms of `structure`, as they act on what bears state; none if the clock is over
/// before they are known.
pub fn candidates(structure: &Structure, clock: Clock<'static>) -> Candidates {
    let (found, orbits) = match analyse_within(&graph_of(structure), &Budget::until(clock)) {
        Ok((found, _)) => (found.generators, found.orbits),
        Err(_) => (Vec::new(), Vec::new()),
    };
    let n = structure.bearers.len();
    let mut generators: Vec<Perm> = Vec::new();
    for generator in &found {
        let moves = generator.moves().filter(|(x, _)| (*x as usize) < n);
        let generator = Perm::from_moves(n, moves.collect());
        if !generator.is_identity() && !generators.contains(&generator) {
            generators.push(generator);
        }
    }
    Candidates {
        bearers: structure.bearers.clone(),
        generators,
        orbits,
    }
}

/// Which bearers can be seen in a state at all.
pub(crate) struct Bearing<'a> {
    sorts: &'a Sorts,
    population: &'a Population,
    constants: Constants,
    /// By class: whether its members are values of variables, messages, or indices.
    classes: Vec<bool>,
    /// By channel: whether it holds messages.
    channels: Vec<bool>,
}

impl<'a> Bearing<'a> {
    /// Those that are seen in what is moved.
    pub fn new(sorts: &'a Sorts, population: &'a Population, constants: Constants) -> Bearing<'a> {
        let mut classes = vec![false; sorts.classes.len()];
        let is_there = |k: usize| {
            let mut records = sorts.text.layout.records(&population.states[0]);
            k == 0 || records.any(|(kind, _)| kind == KindId::new(k))
        };
        let later = sorts.made_later.iter().any(|later| *later);
        for (k, fields) in sorts.fields.iter().enumerate() {
            if !later && !is_there(k) {
                continue;
            }
            for (f, field) in fields.iter().enumerate() {
                let stays = match constants {
                    Constants::Move => !sorts.uses[k][f].used,
                    Constants::Stay => sorts.is_constant(KindId::new(k), f, population),
                };
                if stays {
                    continue;
                }
                classes[field.value.index()] = true;
                field.indices.iter().for_each(|c| classes[c.index()] = true);
            }
            (sorts.messages[k].all()).for_each(|(_, c)| classes[c.index()] = true);
        }
        let holds = |kind: KindId| match &sorts.text.layout.kind(kind).role {
            Role::Channel(buffer) => buffer.capacity > 0,
            _ => true,
        };
        let channels = population.channels.iter().map(|record| holds(record.kind));
        Bearing {
            sorts,
            population,
            constants,
            classes,
            channels: channels.collect(),
        }
    }

    /// Whether members of a class can be seen.
    pub fn shows(&self, class: ClassId) -> bool {
        self.classes[class.index()]
    }

    /// Whether no process is ever at a location in a state that is stored: all who come there keep
    /// control, and can go on.
    fn is_passed(&self, p: ProctypeId, at: LocationId) -> bool {
        let text = &self.sorts.text;
        let proctype = text.proctype(p);
        if text.rules.priorities || proctype.provided.is_some() || proctype.start == at {
            return false;
        }
        let here = self.population.processes.iter().any(|record| {
            record.kind == proctype.kind
                && (self.population.states.iter())
                    .any(|state| location_of(text, p, state, record) == at)
        });
        let mut steps = proctype.locations.iter().flat_map(|l| &l.steps);
        let kept = steps.all(|step| {
            let step = text.step(*step);
            let blocks =
                matches!(step.action, Action::Deterministic(from, to) if from == at || to == at);
            !blocks && (step.target != at || step.keeps_control)
        });
        let goes_on = proctype.locations[at.index()].steps.iter().any(|step| {
            let step = text.step(*step);
            let goes_on = matches!(
                step.action,
                Action::Skip | Action::Assign(..) | Action::Assert(_) | Action::Drop(_)
            );
            goes_on && step.rank == 0 && !step.alone
        });
        kept && goes_on && !here
    }

    /// Whether it is one of them.
    pub fn bears(&self, bearer: Bearer) -> bool {
        match bearer {
            Bearer::Field(kind, field) if self.constants == Constants::Stay => {
                !self.sorts.is_constant(kind, field.index(), self.population)
            }
            Bearer::Location(p, at) if self.constants == Constants::Stay => !self.is_passed(p, at),
            Bearer::Member(class, _) => self.classes.get(class.index()) == Some(&true),
            Bearer::Channel(number) => {
                let n = usize::try_from(number).ok().and_then(|n| n.checked_sub(1));
                n.is_some_and(|n| self.channels.get(n) == Some(&true))
            }
            _ => true,
        }
    }
}
