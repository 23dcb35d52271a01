//! The machine: runs a [`Model`] as SPIN runs Promela.
//!
//! What can be done from a state, in which order, and which states are stored, follows the loop of
//! the verifiers that SPIN makes, so that both store the same states and take the same moves; see
//! [`expand`]. The form the machine works on is made once ([`code`]); after that nothing is
//! allocated, except when a state grows beyond all before it.

mod act;
pub mod code;
pub mod compiled;
mod direct;
mod eval;
mod events;
mod expand;
mod frame;
mod loops;
mod messages;
mod running;
mod value;
mod words;

#[cfg(test)]
mod loop_tests;
#[cfg(test)]
mod tests;

pub use eval::binary;
use expand::Memory;
pub use running::{Compilation, Running};

use crate::processes::expr::Expr;
use crate::processes::program::{Action, Model, StepId};
use crate::processes::structure::structure;
use code::{ActCode, Program};
use eval::Env;
use std::ops::{ControlFlow, Range};
use std::sync::OnceLock;
use system::SiteId;
use system::fault::{Fault, FaultKind, FaultText};
use system::structure::Structure;
use system::{Initial, Move, MoveLabel, Pulse, Rest, Scratch, StepText, System, Taken};

/// A model that can be run.
pub struct Machine {
    model: Model,
    program: Program,
    has_timeout: bool,
    /// Whether a process that has an enabled step may still have to wait.
    restricted: bool,
    /// Made when it is asked for.
    structure: OnceLock<Structure>,
    code: running::Code,
}

impl Machine {
    /// The machine of a model.
    ///
    /// # Requires
    /// Every id in the model is of its tables, and an expression comes after its operands.
    pub fn new(model: Model) -> Machine {
        Machine::running(model, Running::Interpreted)
    }

    /// The machine of a model, whose searches run that way; the same requirement.
    pub fn running(model: Model, running: Running) -> Machine {
        let program = code::compile(&model);
        let has_timeout = model.exprs.iter().any(|e| matches!(e, Expr::Timeout));
        let provided = model.proctypes.iter().any(|p| p.provided.is_some());
        Machine {
            has_timeout,
            restricted: provided || model.rules.priorities,
            program,
            model,
            structure: OnceLock::new(),
            code: running::Code::new(running),
        }
    }

    fn memory(&self) -> Memory {
        Memory::new(self.model.steps.len())
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The process that took a step, and the step.
    pub fn taken(&self, step: Taken) -> (usize, StepId) {
        let (pid, step) = self.step_of(step);
        (pid, StepId::new(step))
    }

    fn fault(&self, kind: FaultKind, step: u32) -> Fault {
        Fault {
            kind,
            site: self.model.steps[step as usize].site,
        }
    }

    /// Prints what the step prints, as taken from the state in frame `at`.
    fn printed(&self, scratch: &mut Memory, at: usize, (pid, step): (usize, usize)) -> String {
        let mut printed = String::new();
        let mut frame = scratch.frames[at].clone();
        let mut env = Env {
            printed: Some(&mut printed),
            ..Env::new(&self.program, &mut frame, pid)
        };
        // The step was taken before; what a fault cuts off was not printed either.
        let acts = match &self.program.steps[step].act {
            ActCode::All(all) => &all[..],
            act => std::slice::from_ref(act),
        };
        for act in acts {
            match act {
                ActCode::Print(_) | ActCode::Deterministic(..) => {
                    let _ = env.perform(act, &mut scratch.covered);
                }
                ActCode::Assign(..) => {
                    let _ = env.perform(act, &mut scratch.covered);
                }
                _ => {}
            }
        }
        printed
    }

    fn step_of(&self, step: Taken) -> (usize, usize) {
        ((step.0 >> 32) as usize, (step.0 & 0xffff_ffff) as usize)
    }

    fn text_of(&self, by: String, number: u32, site: SiteId) -> StepText {
        let site = &self.model.sites[site.index()];
        StepText {
            by,
            number,
            step: site.text.clone(),
            span: site.span,
            line: site.line,
            within: site.within.clone(),
            parts: Vec::new(),
            message: None,
        }
    }

    /// A step in words.
    pub fn words(&self, step: Taken) -> StepText {
        let (pid, step) = self.step_of(step);
        let by = format!("{}({pid})", self.type_of(step));
        self.text_of(by, pid as u32, self.model.steps[step].site)
    }

    /// The type that a step belongs to.
    fn type_of(&self, step: usize) -> &str {
        let actor = self.steps_known().steps[step].actor as usize;
        self.model.proctypes.get(actor).map_or("", |p| &p.name)
    }

    fn steps_known(&self) -> &Structure {
        self.structure.get_or_init(|| structure(&self.model))
    }
}

impl System for Machine {
    fn is_idle(&self, step: Taken) -> bool {
        matches!(self.model.step(self.taken(step).1).action, Action::End)
    }

    fn scratch(&self) -> Scratch {
        Scratch::new(self.memory())
    }

    fn hidden(&self) -> &[Range<usize>] {
        &self.model.layout.hidden
    }

    fn initial(&self, scratch: &mut Scratch, out: &mut dyn FnMut(Initial<'_>)) {
        let frame = &mut scratch.content::<Memory>().frames[0];
        frame.load(&[], &self.program);
        frame.bytes.resize(self.program.globals_size as usize, 0);
        let mut env = Env::new(&self.program, frame, 0);
        let mut made = env.prologue(&self.program.prologue);
        for proctype in &self.model.population {
            made = made.and_then(|()| env.spawn(*proctype, &[], None).map(|_| ()));
        }
        match made {
            Ok(()) => out(Ok(&frame.bytes)),
            Err(kind) => out(Err(Fault {
                kind,
                site: SiteId::new(0),
            })),
        }
    }

    fn successors(
        &self,
        state: &[u8],
        scratch: &mut Scratch,
        out: &mut dyn FnMut(Move<'_>) -> ControlFlow<()>,
    ) -> Rest {
        self.successors_while(state, scratch, &mut |_| ControlFlow::Continue(()), out)
    }

    fn successors_while(
        &self,
        state: &[u8],
        scratch: &mut Scratch,
        pulse: Pulse<'_>,
        out: &mut dyn FnMut(Move<'_>) -> ControlFlow<()>,
    ) -> Rest {
        self.moves(state, scratch.content::<Memory>(), pulse, out)
    }

    fn atoms(&self, state: &[u8], scratch: &mut Scratch, out: &mut Vec<bool>) -> Result<(), Fault> {
        out.clear();
        if self.program.atoms.is_empty() {
            return Ok(());
        }
        let frame = &mut scratch.content::<Memory>().frames[0];
        frame.load(state, &self.program);
        // No process asks: `enabled` is never about the one that asks.
        let mut env = Env::new(&self.program, frame, usize::MAX);
        let fault = |kind| Fault {
            kind,
            site: SiteId::new(0),
        };
        for atom in &self.program.atoms {
            let value = env.eval(*atom).map_err(fault)?;
            out.push(value != 0);
        }
        // What goes on after a fault in a step has no value in a formula.
        match env.frame.noted.first() {
            Some(kind) => Err(fault(*kind)),
            None => Ok(()),
        }
    }

    fn actor(&self, step: Taken) -> u32 {
        self.step_of(step).0 as u32
    }

    fn follow(
        &self,
        state: &[u8],
        steps: &[Taken],
        scratch: &mut Scratch,
        out: &mut dyn FnMut(Taken, &[u8], &str),
    ) -> bool {
        let (mut found, mut whole) = (false, false);
        let memory = scratch.content::<Memory>();
        // By the interpreter: its frames are asked for below.
        let pulse = &mut |_| ControlFlow::Continue(());
        self.interpreted(state, memory, pulse, &mut |m| {
            found |= m.steps == steps;
            whole |= found && m.state.is_some();
            if found {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        if !found {
            return false;
        }
        // The frames of the move are still there, one after each step.
        for (n, step) in steps.iter().enumerate() {
            let printed = self.printed(memory, n, self.step_of(*step));
            let after = if whole || n + 1 < steps.len() {
                n + 1
            } else {
                n
            };
            out(*step, &memory.frames[after].bytes, &printed);
        }
        true
    }

    fn step_text(&self, state: &[u8], step: Taken) -> StepText {
        StepText {
            message: self.message(state, step),
            ..self.words(step)
        }
    }

    fn labels_are_of_steps(&self) -> bool {
        true
    }

    /// The type of the process that moves, what it does, and its number. Where others take part,
    /// each statement of theirs has their type before it, and their numbers follow.
    fn move_label(&self, _: &[u8], steps: &[Taken]) -> MoveLabel {
        let mut label = MoveLabel::default();
        let mut before = None;
        for step in steps {
            let (pid, step) = self.step_of(*step);
            let by = self.type_of(step);
            if before.is_none() {
                label.head = by.to_owned();
            }
            label.tail += if before.is_none() { ": " } else { "; " };
            if before.is_some_and(|other| other != pid) {
                label.tail += &format!("{by}: ");
            }
            label.tail += &self.model.sites[self.model.steps[step].site.index()].text;
            let number = pid.to_string();
            if !label.arguments.contains(&number) {
                label.arguments.push(number);
            }
            before = Some(pid);
        }
        label
    }

    fn describe(&self, state: &[u8], out: &mut dyn FnMut(&str, &str)) {
        self.describe_state(state, out);
    }

    fn locations(&self, state: &[u8], out: &mut dyn FnMut(&str, &str)) {
        self.describe_locations(state, out);
    }

    fn fault_text(&self, fault: Fault) -> FaultText {
        let site = &self.model.sites[fault.site.index()];
        FaultText {
            message: fault.kind.message().to_string(),
            step: site.text.clone(),
            span: site.span,
            line: site.line,
            within: site.within.clone(),
        }
    }

    fn structure(&self) -> Option<&Structure> {
        Some(self.steps_known())
    }

    fn covered<'a>(&self, scratch: &'a Scratch) -> &'a [bool] {
        &scratch.as_content::<Memory>().covered
    }

    fn not_covered(&self, covered: &[bool]) -> Vec<StepText> {
        let mut seen = std::collections::BTreeMap::new();
        for (n, step) in self.steps_known().steps.iter().enumerate() {
            if self.model.sites[step.site.index()].written {
                // One statement can be several steps, as after unrolling: reached if one is.
                let entry = seen.entry(step.site).or_insert((n, false));
                entry.1 |= covered[n];
            }
        }
        let missed = seen.iter().filter(|(_, (_, reached))| !reached);
        let mut texts: Vec<StepText> = missed
            .map(|(site, (n, _))| self.text_of(self.type_of(*n).to_string(), 0, *site))
            .collect();
        texts.sort_by_key(|t| t.span);
        texts
    }
}
