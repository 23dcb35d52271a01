//! An expression or a predicate over the states of a machine, read by itself.
//!
//! It is asked of the machine as a formula is, so that it has the machine's names, definitions and
//! types, and the names of elements of deferred sets. What has a value, and is no predicate, is
//! asked as `E = E`, and evaluated as the left side of that.

use super::LoadedMachine;
use crate::ast::{self, ExprKind};
use crate::live::watch::named_elements_are_there;
use crate::run::evaluated::Evaluated;
use crate::temporal::{FormulaTree, ParsedFormula, StateFormula};
use crate::typeck::preds::is_predicate;
use crate::typeck::typecheck;
use crate::typed::{AtomKind, Machine, PredKind};
use crate::{lex, parse};
use base::{Diagnostic, Diagnostics, SourceId, Sources, Span};
use model::frontend::{Expression, Obstacle};
use model::values::Stage;

/// The expression or predicate that is written in `text`.
pub(super) fn read<'m>(
    of: &'m LoadedMachine,
    text: SourceId,
    sources: &Sources,
    found: &mut Diagnostics,
) -> Option<Box<dyn Expression + 'm>> {
    let words = sources.get(text).text();
    let formula = parse::formula_of(text, lex::lex(text, words), words.len(), found)?;
    let value = if is_predicate(&formula) {
        None
    } else {
        Some(asked(of, equal_to_itself(&formula), text, sources))
    };
    let (machine, is_value) = match value {
        Some(Ok(machine)) => (Ok(machine), true),
        // A definition may stand for a predicate.
        Some(Err(why)) => (asked(of, formula, text, sources).map_err(|_| why), false),
        None => (asked(of, formula, text, sources), false),
    };
    let wrong = |why: Vec<Diagnostic>| why.into_iter().for_each(|why| found.push(why));
    let machine = machine.map_err(wrong).ok()?;
    let asked = machine.formulas.first()?;
    let there = named_elements_are_there(&of.live, &machine, asked);
    there.map_err(|why| found.push(why)).ok()?;
    let AtomKind::Pred(pred) = &asked.atoms.first()?.kind else {
        return None;
    };
    let program = of.live.program();
    let evaluated = match &pred.kind {
        PredKind::Compare(_, value, _) if is_value => program.evaluated(&machine, value),
        _ => program.evaluated_pred(&machine, pred),
    };
    Some(Box::new(MachineExpression { of, evaluated }))
}

/// `E = E`.
fn equal_to_itself(formula: &ast::Expr) -> ast::Expr {
    let [left, right] = [formula.clone(), formula.clone()];
    ast::Expr {
        kind: ExprKind::Infix("=", Box::new(left), Box::new(right)),
        ..formula.clone()
    }
}

/// The machine, of which this predicate is asked; or what is wrong with it.
fn asked(
    of: &LoadedMachine,
    pred: ast::Expr,
    text: SourceId,
    sources: &Sources,
) -> Result<Machine, Vec<Diagnostic>> {
    let words = sources.get(text).text();
    let span = Span::new(text, 0..words.len());
    let leaf = FormulaTree::Leaf(StateFormula::Pred(pred), span);
    let project = of.project.asking(ParsedFormula {
        name: String::new(),
        is_linear: true,
        text: words.to_owned(),
        span,
        is_typed: true,
        tree: Some(leaf),
        wrong: Vec::new(),
    });
    let mut found = Diagnostics::new();
    let machine = typecheck(&project, &mut found);
    let mut wrong = found.into_errors();
    // Both sides of `E = E` are at one place.
    wrong.dedup();
    match machine {
        Some(machine) if wrong.is_empty() => Ok(machine),
        _ => Err(wrong),
    }
}

/// An expression or predicate over the states of a machine.
struct MachineExpression<'m> {
    of: &'m LoadedMachine,
    evaluated: Evaluated,
}

impl Expression for MachineExpression<'_> {
    fn value(&self, state: &[u8]) -> Result<String, Obstacle> {
        let live = &self.of.live;
        let unsupported = |words: String| Obstacle::Unsupported(words);
        let held = live.unpack(state);
        let (stage, globals) =
            held.map_err(|fault| unsupported(fault.kind.message().to_owned()))?;
        if let Some(name) = self.evaluated.not_among(&globals) {
            debug_assert_eq!(stage, Stage::Constants, "{name} has no value");
            return Err(unsupported(format!("{name} is not initialised")));
        }
        let value = live.program().value_of(&self.evaluated, globals);
        let value = value.map_err(|trouble| unsupported(trouble.to_string()))?;
        Ok(live.show(self.evaluated.ty(), &value))
    }
}
