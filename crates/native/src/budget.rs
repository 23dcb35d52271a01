//! What is compiled, where all would be too much.

use model::processes::machine::code::{ProcCode, Program};

/// The most steps that are compiled, so that compiling stays a matter of milliseconds.
const STEPS_MAX: usize = 400;

/// A location of a process type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    pub proc: u32,
    pub location: u32,
}

/// What is compiled.
pub struct Plan {
    pub places: Vec<Place>,
    pub n_steps: usize,
}

/// Locations are compiled in order: first those from which a wanted step was taken.
pub fn plan(program: &Program, wanted: &[bool]) -> Plan {
    let mut all = Vec::new();
    for (proc, code) in program.procs.iter().enumerate() {
        let reached = reached(program, code);
        for (location, (from, to)) in code.steps.iter().enumerate() {
            if !reached[location] {
                continue;
            }
            let steps = &program.order[*from as usize..*to as usize];
            let is_wanted = steps.iter().any(|s| wanted[*s as usize]);
            let place = Place {
                proc: proc as u32,
                location: location as u32,
            };
            all.push((!is_wanted, place, steps.len()));
        }
    }
    all.sort();
    let mut plan = Plan {
        places: Vec::new(),
        n_steps: 0,
    };
    for (_, place, n_steps) in all {
        if plan.n_steps + n_steps <= STEPS_MAX {
            plan.n_steps += n_steps;
            plan.places.push(place);
        }
    }
    plan
}

/// By location: whether a process can be there between two steps, as far as the text says.
fn reached(program: &Program, proc: &ProcCode) -> Vec<bool> {
    let mut reached = vec![false; proc.steps.len()];
    let mut open = vec![proc.start as usize];
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut reached[at], true) {
            let (from, to) = proc.steps[at];
            let steps = &program.order[from as usize..to as usize];
            let targets = steps.iter().map(|s| program.steps[*s as usize].target);
            open.extend(targets.map(|target| target as usize));
        }
    }
    reached
}
