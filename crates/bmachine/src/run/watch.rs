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
pub(crate) enum Watch {
    /// A predicate holds.
    Pred(Pr),
    /// Such a step can be taken.
    Enabled(Steps),
    /// So many of these kinds of steps can be taken.
    Count(Count, Vec<Steps>),
    /// No step can be taken.
    Dead,
    /// No step leads to another state.
    Sink,
    /// The last step was such a one.
    Came(Steps),
}

/// Steps of an operation with these first arguments.
#[derive(Debug)]
pub(crate) struct Steps {
    /// By number.
    pub(crate) operation: u64,
    arguments: Vec<Ex>,
}

/// By formula of a machine: its atoms, and to what runs have to be fair.
pub(super) fn all<'m>(
    machine: &'m typed::Machine,
    compiler: &mut Compiler<'m>,
) -> (Vec<Vec<Watch>>, Vec<Vec<Owed>>) {
    let formulas = machine.formulas.iter();
    let watches = formulas.map(|formula| {
        let atoms = formula.atoms.iter();
        let atoms = atoms.map(|atom| Watch::compiled(atom, compiler)).collect();
        (atoms, owed(formula, compiler))
    });
    watches.unzip()
}

impl Watch {
    fn compiled<'m>(atom: &'m typed::Atom, compiler: &mut Compiler<'m>) -> Watch {
        let mut steps = |call: &'m typed::Call| Steps {
            operation: call.operation.index() as u64,
            arguments: call.arguments.iter().map(|e| compiler.expr(e)).collect(),
        };
        match &atom.kind {
            AtomKind::Pred(pred) => Watch::Pred(compiler.pred(pred, true)),
            AtomKind::Enabled(call) => Watch::Enabled(steps(call)),
            AtomKind::Count(count, calls) => {
                Watch::Count(*count, calls.iter().map(steps).collect())
            }
            AtomKind::Dead => Watch::Dead,
            AtomKind::Sink => Watch::Sink,
            AtomKind::Came(call) => Watch::Came(steps(call)),
        }
    }
}

/// To what a run has to be fair, compiled; `None` for each kind of steps.
pub(crate) type Owed = (Fair, Option<Steps>);

/// The conditions of fairness of a formula.
fn owed<'m>(formula: &'m typed::Formula, compiler: &mut Compiler<'m>) -> Vec<Owed> {
    let fair = formula.fair.iter();
    let owed = fair.map(|(fair, call)| {
        let steps = call.as_ref().map(|call| Steps {
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
    pub(crate) fn watches(&self, formula: usize) -> &[Watch] {
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
        steps: &Steps,
        globals: &[Value],
    ) -> Result<Vec<Value>, Trouble> {
        let mut context = self.context(globals.to_vec());
        let values = steps.arguments.iter().map(|e| context.eval_plain(e));
        let values: Result<Vec<Value>, _> = values.collect();
        values.map_err(|fault| self.trouble(fault))
    }
}
