//! The static structure of random models, compared with what their steps do.

use super::random::random_model;
use crate::processes::layout::{Field, Meaning};
use crate::processes::machine::Machine;
use crate::processes::passes::{Setting, Watch, apply};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use system::structure::{PlaceId, Structure};
use system::{Rest, System, Taken};

/// A move of one step without a fault.
type Taking = (Taken, Vec<u8>);

fn moves(machine: &Machine, state: &[u8]) -> (Vec<Taking>, Rest) {
    let mut found = Vec::new();
    let mut scratch = machine.scratch();
    let rest = machine.successors(state, &mut scratch, &mut |mv| {
        if let ([step], [], Some(after)) = (mv.steps, mv.faults, mv.state) {
            found.push((*step, after.to_vec()));
        }
        ControlFlow::Continue(())
    });
    (found, rest)
}

fn states(machine: &Machine, n_max: usize) -> Vec<Vec<u8>> {
    let mut order = Vec::new();
    machine.initial(&mut machine.scratch(), &mut |s| {
        order.extend(s.ok().map(<[u8]>::to_vec));
    });
    let mut seen: BTreeSet<Vec<u8>> = order.iter().cloned().collect();
    let mut at = 0;
    while at < order.len() && order.len() < n_max {
        for (_, next) in moves(machine, &order[at]).0 {
            if seen.insert(next.clone()) {
                order.push(next);
            }
        }
        at += 1;
    }
    order
}

/// Globals that hold plain numbers, each with its place.
fn numbers(machine: &Machine) -> Vec<(PlaceId, Field)> {
    let fields = machine.model().layout.globals().fields.iter().enumerate();
    // Fields of the globals are the first places, in order.
    let fields = fields.map(|(n, field)| (PlaceId::new(n), field.clone()));
    fields
        .filter(|(_, f)| f.declared && f.slot.meaning == Meaning::Number && f.dimensions.is_empty())
        .collect()
}

/// The number of steps that do what the structure does not say, and how many were looked at.
fn n_wrong(machine: &Machine, structure: &Structure) -> (usize, usize) {
    let (mut n_wrong, mut n_seen) = (0, 0);
    let numbers = numbers(machine);
    for state in states(machine, 60) {
        for (taken, after) in moves(machine, &state).0 {
            let id = machine.taken(taken).1;
            if machine.model().step(id).keeps_control {
                // Whether the move ends here depends on the step after it.
                continue;
            }
            let step = &structure.steps[id.index()];
            for (place, field) in &numbers {
                n_seen += 1;
                let (at, scalar) = (field.at as usize, field.slot.scalar);
                let (old, new) = (scalar.load(&state, at), scalar.load(&after, at));
                let (reads, writes) = (step.reads.contains(place), step.writes.contains(place));
                n_wrong += usize::from(old != new && !writes);
                if reads || writes {
                    continue;
                }
                // Another value of what it neither reads nor writes changes nothing for it.
                let (mut other, mut wanted) = (state.clone(), after.clone());
                scalar.store(&mut other, at, 1 - old.clamp(0, 1));
                scalar.store(&mut wanted, at, 1 - old.clamp(0, 1));
                let found = moves(machine, &other).0;
                n_wrong += usize::from(!found.contains(&(taken, wanted)));
            }
        }
    }
    (n_wrong, n_seen)
}

#[test]
fn steps_read_and_write_what_their_structure_says() {
    let (mut n_seen, mut n_blind) = (0, 0);
    for seed in 0..1000 {
        let model = random_model(seed);
        for setting in [Setting::Plain, Setting::Best] {
            let mut model = model.clone();
            apply(&mut model, setting, &Watch::default());
            let machine = Machine::new(model);
            let structure = machine.structure().expect("models have one").clone();
            let (wrong, seen) = n_wrong(&machine, &structure);
            assert_eq!(wrong, 0, "seed {seed}, {setting:?}");
            n_seen += seen;
            // Planted: a structure that knows of no reads and no writes.
            let mut blind = structure;
            for step in &mut blind.steps {
                step.reads.clear();
                step.writes.clear();
            }
            n_blind += n_wrong(&machine, &blind).0;
        }
    }
    assert!(
        n_seen > 100_000 && n_blind > 10_000,
        "{n_seen} seen, {n_blind} blind"
    );
}
