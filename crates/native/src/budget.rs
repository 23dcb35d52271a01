//! What is compiled, where all would be too much.

use model::processes::machine::code::{ActCode, ProcCode, Program};
use model::processes::machine::compiled::N_CHOICES;

/// The most steps that are compiled, so that compiling stays a matter of milliseconds.
const STEPS_MAX: usize = 400;

/// Up to [`N_CHOICES`] steps of a location.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The process type.
    pub proc: u32,
    /// Their places in the program's order.
    pub first: u32,
    pub end: u32,
}

/// A step, and the process type that takes it.
#[derive(Clone, Copy, Debug)]
pub struct OfType {
    pub proc: u32,
    pub step: u32,
}

/// What is compiled.
pub struct Plan {
    pub places: Vec<Place>,
    pub steps: Vec<OfType>,
}

/// Locations are compiled in order: first those from which a wanted step was taken.
pub fn plan(program: &Program, wanted: &[bool]) -> Plan {
    let mut all = Vec::new();
    for (proc, code) in program.procs.iter().enumerate() {
        let reached = reached(program, code);
        for ((from, to), _) in code
            .steps
            .iter()
            .zip(reached)
            .filter(|(_, reached)| *reached)
        {
            let steps = &program.order[*from as usize..*to as usize];
            let is_wanted = steps.iter().any(|s| wanted[*s as usize]);
            all.push((!is_wanted, proc as u32, *from, *to));
        }
    }
    all.sort();
    let mut plan = Plan {
        places: Vec::new(),
        steps: Vec::new(),
    };
    for (_, proc, from, to) in all {
        let steps = &program.order[from as usize..to as usize];
        if plan.steps.len() + steps.len() > STEPS_MAX {
            continue;
        }
        for first in (from..to).step_by(N_CHOICES as usize) {
            let end = to.min(first + N_CHOICES);
            plan.places.push(Place { proc, first, end });
        }
        let compiled = steps.iter().filter(|s| {
            let act = &program.steps[**s as usize].act;
            !matches!(act, ActCode::End | ActCode::TestRun(_))
        });
        plan.steps
            .extend(compiled.map(|step| OfType { proc, step: *step }));
    }
    plan
}

/// By location: whether a process can be there between two steps.
fn reached(program: &Program, proc: &ProcCode) -> Vec<bool> {
    let mut reached = vec![false; proc.steps.len()];
    let mut open = vec![proc.start as usize];
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut reached[at], true) {
            let (from, to) = proc.steps[at];
            let steps = &program.order[from as usize..to as usize];
            open.extend(
                steps
                    .iter()
                    .map(|s| program.steps[*s as usize].target as usize),
            );
        }
    }
    reached
}
