//! In which order locations are compiled, for all may be too much.

use model::processes::machine::code::{ProcCode, Program};

/// A location of a process type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    pub proc: u32,
    pub location: u32,
}

impl Place {
    /// How many steps start there.
    pub fn n_steps(self, program: &Program) -> usize {
        let (from, to) = program.procs[self.proc as usize].steps[self.location as usize];
        (to - from) as usize
    }
}

/// All locations where a process can be between two steps, those first from which a wanted step
/// starts.
pub fn places(program: &Program, wanted: &[bool]) -> Vec<Place> {
    let mut all = Vec::new();
    for (proc, code) in program.procs.iter().enumerate() {
        let reached = reached(program, code);
        for (location, (from, to)) in code.steps.iter().enumerate() {
            let steps = &program.order[*from as usize..*to as usize];
            let is_wanted = steps.iter().any(|s| wanted[*s as usize]);
            let place = Place {
                proc: proc as u32,
                location: location as u32,
            };
            if reached[location] {
                all.push((!is_wanted, place));
            }
        }
    }
    all.sort();
    all.into_iter().map(|(_, place)| place).collect()
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
