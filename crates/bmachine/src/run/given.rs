//! Operations with arguments that somebody chose, and what glues a refinement to its machine.
//!
//! A precondition can be read in two ways. As a guard: outside of it the operation cannot be taken.
//! Or classically: whoever calls must see to it, and where it does not hold the operation may do
//! anything whatsoever.
//!
//! Worked example: `delete(n) = PRE n : names THEN names := names - {n} END` with `names = {}` and
//! an argument. As a guard there is no outcome; classically it is [`CallOutcome::Anything`].

use std::ops::ControlFlow;

use super::execute::Wrongs;
use super::{EntryPoint, Execution, Extent, Program, RunOptions, explain};
use crate::eval::{Context, Trouble, TroubleKind};
use crate::solve;
use crate::typed::{Machine, OperationId, SubstKind};
use crate::value::Value;

/// How preconditions are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PreconditionReading {
    /// Outside of its precondition an operation cannot be taken.
    Guards,
    /// Outside of its precondition an operation may do anything.
    Classical,
}

/// What an operation makes of a state, given its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CallOutcome {
    /// What was handed on.
    Outcomes(Extent),
    /// It may do anything, since it was called outside of its precondition.
    Anything,
}

impl Program {
    /// Calls `out` with each way to take an operation with these arguments.
    ///
    /// # Requires
    /// There are as many arguments as parameters. If the answer is [`CallOutcome::Anything`], what
    /// was handed on before does not count.
    pub(crate) fn events_given(
        &self,
        operation: OperationId,
        arguments: &[Value],
        globals: &[Value],
        reading: PreconditionReading,
        out: &mut dyn FnMut(Execution) -> ControlFlow<()>,
    ) -> Result<CallOutcome, Trouble> {
        let at = operation.index();
        let operation = &self.operations[at];
        let mut context = self.context(globals.to_vec());
        for (unknown, value) in operation.parameters.iter().zip(arguments) {
            context.frame[unknown.slot] = Some(value.clone());
        }
        let from = match reading {
            PreconditionReading::Guards => EntryPoint::Guards(&operation.given),
            PreconditionReading::Classical => EntryPoint::Body(&self.called[at].body),
        };
        let extent = self.outcomes(operation, from, context, globals, out);
        let mut wrong = extent.wrong.iter();
        if reading == PreconditionReading::Classical
            && wrong.any(|wrong| aborts(&wrong.trouble.kind))
        {
            return Ok(CallOutcome::Anything);
        }
        extent.sound().map(CallOutcome::Outcomes)
    }

    /// Calls `out` with each list of arguments that the precondition of an operation allows.
    pub fn calls(
        &self,
        operation: OperationId,
        globals: &[Value],
        out: &mut dyn FnMut(&[Value]) -> ControlFlow<()>,
    ) -> Result<Extent, Trouble> {
        let operation = &self.operations[operation.index()];
        let mut context = self.context(globals.to_vec());
        let mut visit = |context: &mut Context| {
            let slots = operation.parameters.iter();
            let arguments: Vec<Value> = slots
                .filter_map(|unknown| context.frame[unknown.slot].clone())
                .collect();
            Ok(out(&arguments))
        };
        let wrongs = Wrongs::new(&operation.parameters, &[], operation.span);
        let flow = solve::each(&mut context, &operation.calls, &mut visit);
        super::extent(context, flow, wrongs).sound()
    }

    /// Whether an operation starts with a precondition, perhaps within a guard.
    pub(crate) fn has_precondition(&self, operation: OperationId) -> bool {
        let mut rest = &self.machine.operations[operation.index()].body;
        loop {
            rest = match &rest.kind {
                SubstKind::Pre(..) => return true,
                SubstKind::Select(branches, None) if branches.len() == 1 => &branches[0].1,
                SubstKind::Any(_, _, inner) | SubstKind::Let(_, inner) => inner,
                _ => return false,
            }
        }
    }

    /// How another machine is run beside this one: sets of the same name have the same sizes.
    pub(crate) fn options_beside(&self, machine: &Machine) -> RunOptions {
        let size = |name: &str| {
            let sorts = self.signature.sorts.iter();
            let own = sorts
                .filter(|sort| sort.name == name)
                .map(|s| s.members.len());
            own.max()
        };
        let sizes = machine.sorts.iter().map(|sort| {
            let elements = sort.elements.as_ref().map(Vec::len);
            elements.or_else(|| size(&sort.name)).unwrap_or(0)
        });
        RunOptions {
            sizes: sizes.collect(),
            maxint: self.world.maxint,
            minint: self.world.minint,
            work_max: self.work_max,
            deadline: std::sync::Arc::clone(&self.world.deadline),
        }
    }

    /// By conjunct of the gluing invariant: which constants and variables it speaks of.
    pub fn glued(&self) -> Vec<Vec<usize>> {
        let n_globals = self.machine.globals.len();
        let conjuncts = self.gluing.iter();
        conjuncts
            .map(|pred| explain::spoken_of(pred, n_globals))
            .collect()
    }

    /// Whether these conjuncts of the gluing invariant hold, given all constants and variables,
    /// those of the machine that is refined among them.
    pub(crate) fn is_glued(&self, conjuncts: &[usize], globals: &[Value]) -> Result<bool, Trouble> {
        let mut context = self.context(globals.to_vec());
        for conjunct in conjuncts {
            context.work = 0;
            let holds = context.holds(&self.gluing[*conjunct]);
            if !holds.map_err(|fault| self.trouble(fault))? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Whether this is what a caller has to prevent.
fn aborts(kind: &TroubleKind) -> bool {
    matches!(kind, TroubleKind::Precondition(_) | TroubleKind::Assertion)
}
