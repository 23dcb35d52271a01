//! Expressions that a reader of a run asks for: compiled by themselves, beside a program.

use super::Program;
use crate::eval::Trouble;
use crate::eval::code::{Ex, Pr};
use crate::eval::compile::Compiler;
use crate::typeck::walk::{walk_expr, walk_pred};
use crate::typed::{self, ExprKind, Machine, Type};
use crate::value::Value;

/// An expression, compiled.
pub(crate) struct Evaluated {
    code: EvaluatedCode,
    ty: Type,
    /// The constants and variables in it, and what they are called.
    globals: Vec<(usize, String)>,
    n_slots: usize,
}

enum EvaluatedCode {
    Pred(Pr),
    Value(Ex),
}

impl Evaluated {
    /// Of what type its value is.
    pub(crate) fn ty(&self) -> &Type {
        &self.ty
    }

    /// A constant or variable in it that has no value yet.
    pub(crate) fn not_among(&self, globals: &[Value]) -> Option<&str> {
        let all = self.globals.iter();
        let mut missing = all.filter(|(global, _)| *global >= globals.len());
        missing.next().map(|(_, name)| &**name)
    }
}

impl Program {
    /// An expression of `machine`.
    ///
    /// # Requires
    /// `machine` is the program's own, of which something else is asked.
    pub(crate) fn evaluated(&self, machine: &Machine, expr: &typed::Expr) -> Evaluated {
        let mut globals = Vec::new();
        walk_expr(&mut expr.clone(), &mut |part| {
            note_global(machine, part, &mut globals)
        });
        let mut compiler = Compiler::new(machine, &self.world);
        Evaluated {
            code: EvaluatedCode::Value(compiler.expr(expr)),
            ty: expr.ty.clone(),
            globals,
            n_slots: compiler.n_slots(),
        }
    }

    /// The same of a predicate.
    pub(crate) fn evaluated_pred(&self, machine: &Machine, pred: &typed::Pred) -> Evaluated {
        let mut globals = Vec::new();
        walk_pred(&mut pred.clone(), &mut |part| {
            note_global(machine, part, &mut globals)
        });
        let mut compiler = Compiler::new(machine, &self.world);
        Evaluated {
            code: EvaluatedCode::Pred(compiler.pred(pred, true)),
            ty: Type::Bool,
            globals,
            n_slots: compiler.n_slots(),
        }
    }

    /// The value, given constants and variables; or why it has none.
    pub(crate) fn value_of(
        &self,
        evaluated: &Evaluated,
        globals: Vec<Value>,
    ) -> Result<Value, Trouble> {
        let mut context = self.context(globals);
        context.frame.resize(evaluated.n_slots, None);
        let value = match &evaluated.code {
            EvaluatedCode::Pred(pred) => context.holds(pred).map(Value::Bool),
            EvaluatedCode::Value(value) => context.eval_plain(value),
        };
        value.map_err(|fault| self.trouble(fault))
    }
}

/// Notes a constant or variable.
fn note_global(machine: &Machine, part: &typed::Expr, out: &mut Vec<(usize, String)>) {
    if let ExprKind::Global(id) = &part.kind {
        out.push((id.index(), machine.globals[id.index()].name.clone()));
    }
}
