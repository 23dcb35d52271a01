//! The symmetry of the state graph itself, beside the one that was found in the text.
//!
//! All reachable states are vertices; two are joined by an arc if a move leads from one to the
//! other, whatever the number of such moves, for the graph is a relation. The initial state, states
//! that cannot go on and states with faults have colours of their own. Each symmetry of the text
//! permutes these states, and must be an automorphism; so their group is a subgroup of that of the
//! graph, and has no fewer orbits.
//!
//! Worked example: one process that does nothing but count to 3 has four states in a row, and no
//! symmetry in text or graph. Two processes that flip a bit each have a square of states: the graph
//! has 2 automorphisms that keep the initial corner, and the text has the same two.
//!
//! Source: Donaldson 2007, section 4.2. For small models only.

mod near;

use base::Clock;
use group::Budget;
use group::graph::{Automorphisms, Graph, GraphBuilder, analyse_within, preserves};
use group::shape::name::describe;
use group::{Group, Perm, Point};
use model::Machine;
use reduce::processes::Found;
use report::answer::{self, Exit};
use report::object::{self, Symmetries};
use report::page::Page;
use report::words::short_number;
use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;
use system::{FaultKind, Rest, Scratch, System};

/// The largest state graph that is looked at.
const N_STATES_MAX: usize = 20_000;

/// The most states by which a group is named, and the most orbits that are tried.
const N_POINTS_MAX: usize = 200;
const N_ORBITS_MAX: usize = 400;

/// States with their numbers.
#[derive(Default)]
struct Numbered {
    number: HashMap<Vec<u8>, Point>,
    states: Vec<Vec<u8>>,
}

impl Numbered {
    /// Adds the initial states; says how many there are.
    fn start(&mut self, machine: &Machine, scratch: &mut Scratch) -> usize {
        let mut n = 0;
        machine.initial(scratch, &mut |state| {
            if let Ok(state) = state {
                self.add(state.to_vec());
                n += 1;
            }
        });
        n
    }

    /// The number of a state, which is new if it is not known.
    fn add(&mut self, state: Vec<u8>) -> Point {
        if let Some(n) = self.number.get(&state) {
            return *n;
        }
        let n = self.states.len() as Point;
        self.number.insert(state.clone(), n);
        self.states.push(state);
        n
    }

    /// By state: where a symmetry leads; `None` if that is no state that is known.
    fn images(&self, found: &Found, symmetry: &Perm) -> Option<Vec<Point>> {
        let act = found.certified.act();
        let mut image = Vec::new();
        let states = self.states.iter().zip(0..);
        let images = states.map(|(state, n)| {
            if !act.is_settled(state) {
                return Some(n);
            }
            act.apply(symmetry.image(), state, &mut image);
            self.number.get(&image).copied()
        });
        images.collect()
    }
}

/// The states of a model and how they are joined.
struct States {
    known: Numbered,
    /// By state: whether it is initial, and how it rests.
    looks: Vec<(bool, Rest, Vec<Vec<FaultKind>>)>,
    /// The faults that moves between two states have.
    moves: BTreeMap<(Point, Point), Vec<Vec<FaultKind>>>,
}

/// Shows the symmetry of the state graph, and whether ours is part of it.
pub fn compare(
    found: &Found,
    machine: &Machine,
    clock: Clock<'static>,
    page: &mut Page,
    told: &mut Symmetries,
) -> Exit {
    let Some(states) = States::of(machine) else {
        let why = format!("unknown: there are more than {N_STATES_MAX} states");
        page.row("state graph", &why);
        told.stop_reason = Some("states".to_owned());
        return Exit::Unknown;
    };
    let graph = states.graph();
    let Ok((kripke, _)) = analyse_within(&graph, &Budget::until(clock)) else {
        page.row("state graph", "unknown: the time limit came first");
        told.stop_reason = Some(answer::stop_word(clock).to_owned());
        return Exit::Unknown;
    };
    let order = kripke.order.to_string();
    let n = states.known.states.len();
    page.row(
        "state graph",
        &format!("{n} states, {} orbits", kripke.orbits.len()),
    );
    let structure = structure(&kripke);
    let named = structure
        .iter()
        .map(|name| format!("{name}, "))
        .collect::<String>();
    page.row(
        "its group",
        &format!("{named}order {}", short_number(&order)),
    );
    let (image, exit) = match states.images(found) {
        Images::Unreached => {
            let why = "not compared: processes move before all are made, so some images of states \
                       are not reached";
            page.row("ours", why);
            (None, Exit::Holds)
        }
        Images::None => {
            page.row(
                "ours",
                "NOT a permutation of the states: this is a bug in orbit",
            );
            let image = object::Image {
                group_order: None,
                n_orbits: None,
                is_subgroup: false,
            };
            (Some(image), Exit::Violated)
        }
        Images::Perms(perms) => {
            let image = image(&graph, kripke.orbits.len(), perms, page);
            let exit = Exit::of_answer(image.is_subgroup);
            (Some(image), exit)
        }
    };
    let near = near(machine, clock, page);
    told.kripke = Some(object::Kripke {
        states: n,
        group_order: order,
        structure,
        n_orbits: kripke.orbits.len(),
        image,
        near,
    });
    exit
}

/// Shows how far a larger group is from being one of symmetries.
fn near(machine: &Machine, clock: Clock<'static>, page: &mut Page) -> Option<object::NearSymmetry> {
    match near::decide(machine, clock) {
        Ok(None) => None,
        Ok(Some(near)) => {
            let words = match (near.violating, near.is_near) {
                (0, true) => "nearly symmetric".to_owned(),
                (0, false) => "virtually symmetric, not nearly".to_owned(),
                (n, _) => format!("not virtually symmetric: {n} pairs lack a step"),
            };
            let order = short_number(&near.group_order);
            let (r, s) = (near.relation, near.symmetrisation);
            let words = format!("order {order}: {words}; {r} pairs, {s} with their images");
            page.row("without steps", &words);
            Some(near)
        }
        Err(why) => {
            page.row("without steps", &format!("unknown: {why}"));
            None
        }
    }
}

/// What the group of a graph is called: by what it does to some small orbits, such that no two of
/// its elements do the same to all of them.
fn structure(kripke: &Automorphisms) -> Option<String> {
    let mut orbits: Vec<&Vec<Point>> = kripke.orbits.iter().collect();
    orbits.retain(|orbit| (2..=N_POINTS_MAX).contains(&orbit.len()));
    orbits.sort_by_key(|orbit| orbit.len());
    let mut points: Vec<Point> = Vec::new();
    let mut group = Group::new(1, Vec::new());
    for orbit in orbits.into_iter().take(N_ORBITS_MAX) {
        if group.order() == kripke.order {
            break;
        }
        // An orbit of its own is enough where its elements are all told apart on it.
        let alone = restricted(kripke, orbit);
        if alone.order() == kripke.order {
            group = alone;
            break;
        }
        let with: Vec<Point> = points.iter().chain(orbit).copied().collect();
        let larger = restricted(kripke, &with);
        if with.len() <= N_POINTS_MAX && larger.order() > group.order() {
            (points, group) = (with, larger);
        }
    }
    (group.order() == kripke.order).then(|| describe(&group).to_string())
}

/// What automorphisms do to some orbits.
fn restricted(kripke: &Automorphisms, points: &[Point]) -> Group {
    let places: HashMap<Point, Point> = points.iter().copied().zip(0..).collect();
    let restricted = kripke.generators.iter().map(|generator| {
        let moves = generator.moves();
        let moves = moves.filter_map(|(x, y)| Some((*places.get(&x)?, *places.get(&y)?)));
        Perm::from_moves(points.len(), moves.collect())
    });
    Group::new(points.len(), restricted.collect())
}

/// Shows what permutations of the states of a graph, which has so many orbits, generate.
fn image(graph: &Graph, n_orbits_min: usize, perms: Vec<Perm>, page: &mut Page) -> object::Image {
    let are_automorphisms = perms.iter().all(|perm| preserves(graph, perm));
    let image = Group::new(graph.n_vertices(), perms);
    let n_orbits = image.orbits().len();
    let is_subgroup = are_automorphisms && n_orbits >= n_orbits_min;
    let of = short_number(&image.order().to_string());
    let words = if is_subgroup {
        "a subgroup of it"
    } else {
        "NOT a subgroup of it: this is a bug in orbit"
    };
    page.row(
        "ours",
        &format!("order {of} on states, {n_orbits} orbits: {words}"),
    );
    object::Image {
        group_order: Some(image.order().to_string()),
        n_orbits: Some(n_orbits),
        is_subgroup,
    }
}

impl States {
    /// Explores all states, if they are few enough.
    fn of(machine: &Machine) -> Option<States> {
        let mut all = States {
            known: Numbered::default(),
            looks: Vec::new(),
            moves: BTreeMap::new(),
        };
        let mut scratch = machine.scratch();
        let n_initial = all.known.start(machine, &mut scratch);
        let mut at = 0;
        while at < all.known.states.len() {
            if all.known.states.len() > N_STATES_MAX {
                return None;
            }
            let state = all.known.states[at].clone();
            let mut found = Vec::new();
            let rest = machine.successors(&state, &mut scratch, &mut |mv| {
                let mut faults: Vec<FaultKind> = mv.faults.iter().map(|(_, f)| f.kind).collect();
                faults.sort();
                found.push((mv.state.map(<[u8]>::to_vec), faults));
                ControlFlow::Continue(())
            });
            let mut stuck = Vec::new();
            for (target, faults) in found {
                match target {
                    Some(target) => {
                        let to = all.known.add(target);
                        all.moves.entry((at as Point, to)).or_default().push(faults);
                    }
                    None => stuck.push(faults),
                }
            }
            stuck.sort();
            stuck.dedup();
            all.looks.push((at < n_initial, rest, stuck));
            at += 1;
        }
        for faults in all.moves.values_mut() {
            faults.sort();
            faults.dedup();
        }
        Some(all)
    }

    fn graph(&self) -> Graph {
        let mut builder = GraphBuilder::default();
        let mut looks = Vec::new();
        for look in &self.looks {
            builder.vertex(index(look, &mut looks));
        }
        let mut ways = Vec::new();
        for ((from, to), faults) in &self.moves {
            builder.arc(*from, *to, index(faults, &mut ways));
        }
        builder.build()
    }

    /// What each of our generators does to the states.
    fn images(&self, found: &Found) -> Images {
        if found.population.overtaken.is_some() {
            // States before the making is over have no images, and lead to states that have.
            return Images::Unreached;
        }
        let mut perms = Vec::new();
        for generator in found.certified.group().generators() {
            match self.known.images(found, generator) {
                None if found.population.interleaved => return Images::Unreached,
                points => match points.and_then(Perm::from_image) {
                    Some(perm) => perms.push(perm),
                    None => return Images::None,
                },
            }
        }
        Images::Perms(perms)
    }
}

/// What our generators do to the states.
enum Images {
    /// They permute them.
    Perms(Vec<Perm>),
    /// Some image is not reached, because processes move while others are made.
    Unreached,
    /// They do not permute them: they are no symmetries.
    None,
}

/// Which of `seen` it is, added if it is new.
fn index<T: Clone + PartialEq>(item: &T, seen: &mut Vec<T>) -> u32 {
    let place = seen.iter().position(|other| other == item);
    place.unwrap_or_else(|| {
        seen.push(item.clone());
        seen.len() - 1
    }) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::{Diagnostic, Diagnostics, Sources};
    use promela::lower::{Ends, FullChannels, Options, lower};

    fn machine(text: &str) -> Machine {
        let (mut sources, mut found) = (Sources::new(), Diagnostics::new());
        let main = sources.add("model.pml", text);
        let mut none = |_: &mut Sources, _: &promela::preprocess::IncludeRequest| {
            Err(Diagnostic::unlocated("nothing to include"))
        };
        let typed = promela::check(main, &[], &mut sources, &mut none, &mut found);
        let options = Options {
            ends: Ends::Step,
            full: FullChannels::Block,
        };
        let model = typed.and_then(|typed| lower(&typed, &sources, &options, &mut found));
        Machine::new(model.expect("a model"))
    }

    /// How a comparison ends, and what it says of the image.
    fn compared(symmetry_of: &str, states_of: &str) -> (u8, Option<bool>) {
        let found = reduce::processes::find(&machine(symmetry_of)).expect("a population");
        assert!(!found.certified.group().is_trivial());
        let mut page = Page::new();
        let mut told = Symmetries::new(report::Model::default());
        let machine = machine(states_of);
        let exit = compare(&found, &machine, Clock::ENDLESS, &mut page, &mut told);
        let image = told.kripke.and_then(|kripke| kripke.image);
        (exit.code(), image.map(|image| image.is_subgroup))
    }

    fn text(odd: &str) -> String {
        format!("byte x; active [3] proctype p() {{ end: do :: x == 0 -> x = 1; {odd}; x = 0 od }}")
    }

    #[test]
    fn symmetries_of_another_model_are_caught() {
        let (even, odd) = (text("_pid < 200"), text("_pid != 1"));
        assert_eq!(compared(&even, &even), (0, Some(true)));
        assert_eq!(compared(&even, &odd), (1, Some(false)));
    }

    #[test]
    fn the_group_of_the_graph_has_a_name() {
        let named = |text: &str| {
            let machine = machine(text);
            let graph = States::of(&machine).expect("few states").graph();
            structure(
                &analyse_within(&graph, &Budget::unlimited())
                    .expect("no limit")
                    .0,
            )
        };
        let bits = |n: u32, m: u32| {
            format!(
                "active [{n}] proctype p() {{ bit y; do :: y = 1 - y od }} \
                 active [{m}] proctype q() {{ byte y; do :: y = (y + 1) % 3 od }}"
            )
        };
        assert_eq!(named(&text("_pid < 200")).as_deref(), Some("S3"));
        assert_eq!(named(&bits(3, 0)).as_deref(), Some("S3"));
        assert_eq!(named(&bits(3, 2)).as_deref(), Some("S2 x S3"));
        assert_eq!(
            named("active proctype p() { skip }").as_deref(),
            Some("trivial")
        );
    }

    /// Users that try and go in; `first` is for one of them only.
    fn users(n: u32, first: &str) -> Option<object::NearSymmetry> {
        let text = format!(
            "byte at[{n}]; byte n_in, n_try; active [{n}] proctype user() {{ do \
             :: atomic {{ at[_pid] == 0 -> at[_pid] = 1; n_try++ }} \
             :: atomic {{ at[_pid] == 1 && n_in == 0 && n_try < {n} -> \
                          at[_pid] = 2; n_in++; n_try-- }} \
             :: atomic {{ {first} -> at[_pid] = 2; n_in++; n_try-- }} \
             :: atomic {{ at[_pid] == 2 -> at[_pid] = 0; n_in-- }} od }}"
        );
        let mut model = machine(&text).model().clone();
        // Nobody ends.
        model.rules.ends_are_steps = false;
        near::decide(&Machine::new(model), Clock::ENDLESS).expect("few states")
    }

    #[test]
    fn near_and_virtual_symmetry_are_told_from_none() {
        // Who is first matters only where all try, a state that is the same for all.
        let all = "at[_pid] == 1 && n_in == 0 && n_try == 3 && _pid == 0";
        let near = users(3, all).expect("a step that breaks the group");
        assert_eq!(&*near.group_order, "6");
        assert_eq!((near.violating, near.is_near), (0, true));
        assert!(near.symmetrisation > near.relation);
        // Readers 0 and 1 go in beside each other, writer 2 does not: the survey's example.
        let readers = "at[_pid] == 1 && _pid < 2 && at[2] != 2";
        let none = users(3, readers).expect("a step that breaks the group");
        assert_eq!((none.violating, none.is_near), (6, false));
        // Nothing is broken where the step is for all.
        assert_eq!(users(3, "at[_pid] == 1 && n_in == 0 && n_try == 3"), None);
    }

    #[test]
    fn moves_to_one_state_are_one_arc() {
        // In one model process 1 has one way to raise its bit, and process 0 two to the same state:
        // the relation is the same.
        let text = |odd: &str| {
            format!(
                "active [2] proctype p() {{ bit y; end: do :: atomic {{ y == 0; y = 1 }} \
                 :: atomic {{ {odd} && y == 0; y = 1 }} :: atomic {{ y == 1; y = 0 }} od }}"
            )
        };
        let (both, one) = (text("_pid < 200"), text("_pid != 1"));
        assert_eq!(compared(&both, &both), (0, Some(true)));
        assert_eq!(compared(&both, &one), (0, Some(true)));
    }
}
