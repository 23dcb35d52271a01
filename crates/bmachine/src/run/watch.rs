//! What formulas of temporal logic say of single states, compiled.

use super::{Program, is_lost};
use crate::eval::Trouble;
use crate::eval::code::{Ex, Pr};
use crate::eval::compile::Compiler;
use crate::temporal::{Count, Fair};
use crate::typed::{self, AtomKind};
use crate::value::Value;

/// An atom, compiled.
#[derive(Debug)]
pub(crate) enum CompiledAtom {
    /// A predicate holds.
    Pred(Pr),
    /// Such a step can be taken.
    Enabled(OperationSteps),
    /// So many of these kinds of steps can be taken.
    Count(Count, Vec<OperationSteps>),
    /// No step can be taken.
    Dead,
    /// No step leads to another state.
    Sink,
    /// The last step was such a one.
    Came(OperationSteps),
}

/// Steps of an operation with these first arguments.
#[derive(Debug)]
pub(crate) struct OperationSteps {
    /// By number.
    pub(crate) operation: u64,
    arguments: Vec<Ex>,
}

/// By formula of a machine: its atoms, and to what runs have to be fair.
pub(super) fn all<'m>(
    machine: &'m typed::Machine,
    compiler: &mut Compiler<'m>,
) -> (Vec<Vec<CompiledAtom>>, Vec<Vec<Owed>>) {
    let formulas = machine.formulas.iter();
    let watches = formulas.map(|formula| {
        let atoms = formula.atoms.iter();
        let atoms = atoms
            .map(|atom| CompiledAtom::compiled(atom, compiler))
            .collect();
        (atoms, owed(formula, compiler))
    });
    watches.unzip()
}

impl CompiledAtom {
    fn compiled<'m>(atom: &'m typed::Atom, compiler: &mut Compiler<'m>) -> CompiledAtom {
        let mut steps = |call: &'m typed::CallPattern| OperationSteps {
            operation: call.operation.index() as u64,
            arguments: call.arguments.iter().map(|e| compiler.expr(e)).collect(),
        };
        match &atom.kind {
            AtomKind::Pred(pred) => CompiledAtom::Pred(compiler.pred(pred, true)),
            AtomKind::Enabled(call) => CompiledAtom::Enabled(steps(call)),
            AtomKind::Count(count, calls) => {
                CompiledAtom::Count(*count, calls.iter().map(steps).collect())
            }
            AtomKind::Dead => CompiledAtom::Dead,
            AtomKind::Sink => CompiledAtom::Sink,
            AtomKind::Came(call) => CompiledAtom::Came(steps(call)),
        }
    }
}

/// To what a run has to be fair, compiled; `None` for each kind of steps.
pub(crate) type Owed = (Fair, Option<OperationSteps>);

/// The conditions of fairness of a formula.
fn owed<'m>(formula: &'m typed::Formula, compiler: &mut Compiler<'m>) -> Vec<Owed> {
    let fair = formula.fair.iter();
    let owed = fair.map(|(fair, call)| {
        let steps = call.as_ref().map(|call| OperationSteps {
            operation: call.operation.index() as u64,
            arguments: call.arguments.iter().map(|e| compiler.expr(e)).collect(),
        });
        (*fair, steps)
    });
    owed.collect()
}

impl Program {
    /// To what runs have to be fair, of which a formula of the machine speaks.
    pub(crate) fn owed(&self, formula: usize) -> &[Owed] {
        &self.owed[formula]
    }

    /// The atoms of a formula of the machine.
    pub(crate) fn watches(&self, formula: usize) -> &[CompiledAtom] {
        &self.watches[formula]
    }

    /// Whether a predicate holds; `None` if the time is over.
    pub(crate) fn holds(&self, pred: &Pr, globals: &[Value]) -> Option<Result<bool, Trouble>> {
        let mut context = self.context(globals.to_vec());
        let holds = context.holds(pred).map_err(|fault| self.trouble(fault));
        Some(holds).filter(|holds| !is_lost(holds.as_ref().err()))
    }

    /// The arguments that are asked for in a state.
    pub(crate) fn arguments(
        &self,
        steps: &OperationSteps,
        globals: &[Value],
    ) -> Result<Vec<Value>, Trouble> {
        let mut context = self.context(globals.to_vec());
        let values = steps.arguments.iter().map(|e| context.eval_plain(e));
        let values: Result<Vec<Value>, _> = values.collect();
        values.map_err(|fault| self.trouble(fault))
    }
}
