//! Predicates.

use super::scope::NameScope;
use super::types::Types;
use super::{Checker, TypeResult, Unfolded};
use crate::ast::{self, ExprKind as Ast, Name};
use crate::typed::{Compare, Expr, Pred, PredKind};
use base::{Diagnostic, Span};

/// Comparisons, and whether they are denied.
const COMPARE: &[(&str, Compare, bool)] = &[
    ("=", Compare::Equal, false),
    ("/=", Compare::Equal, true),
    (":", Compare::In, false),
    ("/:", Compare::In, true),
    ("<:", Compare::Subset, false),
    ("/<:", Compare::Subset, true),
    ("<<:", Compare::StrictSubset, false),
    ("/<<:", Compare::StrictSubset, true),
    ("<", Compare::Less, false),
    ("<=", Compare::LessEqual, false),
    (">", Compare::Greater, false),
    (">=", Compare::GreaterEqual, false),
];

/// Whether a formula is a predicate by its form alone.
pub(crate) fn is_predicate(expr: &ast::Expr) -> bool {
    match &expr.kind {
        Ast::And(_) | Ast::Or(_) | Ast::Not(_) | Ast::Quantified(..) => true,
        Ast::Word(word) => matches!(*word, "btrue" | "bfalse"),
        Ast::Infix(mark, ..) => {
            matches!(*mark, "=>" | "<=>") || COMPARE.iter().any(|(m, ..)| m == mark)
        }
        _ => false,
    }
}

impl<'a> Checker<'a, '_> {
    /// A formula that has to be a predicate.
    pub(super) fn pred(&mut self, expr: &'a ast::Expr, scope: &NameScope<'a>) -> TypeResult<Pred> {
        self.enter(expr.span)?;
        let made = self.pred_inside(expr, scope);
        self.leave();
        made
    }

    fn pred_inside(&mut self, expr: &'a ast::Expr, scope: &NameScope<'a>) -> TypeResult<Pred> {
        let span = expr.span;
        match &expr.kind {
            Ast::And(all) => {
                let all = self.preds(all, scope)?;
                Ok(conjunction(all, span))
            }
            Ast::Or(all) => {
                let mut flat = Vec::new();
                for pred in self.preds(all, scope)? {
                    match pred.kind {
                        PredKind::Or(inner) => flat.extend(inner),
                        _ => flat.push(pred),
                    }
                }
                Ok(pred(PredKind::Or(flat), span))
            }
            Ast::Not(operand) => {
                let operand = self.pred(operand, scope)?;
                Ok(pred(PredKind::Not(Box::new(operand)), span))
            }
            Ast::Word("btrue") => Ok(pred(PredKind::True, span)),
            Ast::Word("bfalse") => Ok(pred(PredKind::False, span)),
            Ast::Infix(mark, left, right) => self.infix_pred(expr, mark, left, right, scope),
            Ast::Quantified(mark, names, predicate) => {
                self.quantified(mark, names, predicate, span, scope)
            }
            Ast::If(parts) => {
                let condition = self.pred(&parts[0], scope)?;
                let yes = self.pred(&parts[1], scope)?;
                let no = self.pred(&parts[2], scope)?;
                let kind = PredKind::If(Box::new(condition), Box::new(yes), Box::new(no));
                Ok(pred(kind, span))
            }
            Ast::Let(names, parts) => {
                let (equations, inside) = self.equations(names, &parts[0], scope)?;
                let inner = self.pred(&parts[1], &inside)?;
                Ok(pred(PredKind::Let(equations, Box::new(inner)), span))
            }
            Ast::Name(_) | Ast::Apply(..) => self.named_pred(expr, scope),
            _ => Err(self.no_predicate(expr, scope)),
        }
    }

    /// Each of them, so that all mistakes are found.
    fn preds(&mut self, all: &'a [ast::Expr], scope: &NameScope<'a>) -> TypeResult<Vec<Pred>> {
        let all: Vec<TypeResult<Pred>> = all.iter().map(|p| self.pred(p, scope)).collect();
        all.into_iter().collect()
    }

    fn infix_pred(
        &mut self,
        expr: &'a ast::Expr,
        mark: &str,
        left: &'a ast::Expr,
        right: &'a ast::Expr,
        scope: &NameScope<'a>,
    ) -> TypeResult<Pred> {
        let span = expr.span;
        if mark == "=>" || mark == "<=>" {
            let (left, right) = (self.pred(left, scope), self.pred(right, scope));
            let (left, right) = (Box::new(left?), Box::new(right?));
            let kind = match mark {
                "=>" => PredKind::Implies(left, right),
                _ => PredKind::Equivalent(left, right),
            };
            return Ok(pred(kind, span));
        }
        match COMPARE.iter().find(|(m, ..)| *m == mark) {
            Some(&(_, compare, is_denied)) => {
                let (left, right) = (self.expr(left, scope), self.expr(right, scope));
                let (left, right) = (left?, right?);
                self.comparable(compare, &left, &right)?;
                let kind = PredKind::Compare(compare, Box::new(left), Box::new(right));
                let plain = pred(kind, span);
                Ok(if is_denied {
                    pred(PredKind::Not(Box::new(plain)), span)
                } else {
                    plain
                })
            }
            None => Err(self.no_predicate(expr, scope)),
        }
    }

    fn comparable(&mut self, compare: Compare, left: &Expr, right: &Expr) -> TypeResult<()> {
        match compare {
            Compare::Equal => {
                let ty = self.ty_of(left);
                self.demand(right, ty)
            }
            Compare::In => {
                let of = self.ty_of(left);
                let wanted = self.types.set(of);
                self.demand(right, wanted)
            }
            Compare::Subset | Compare::StrictSubset => {
                let of = self.types.free();
                let wanted = self.types.set(of);
                self.demand(left, wanted)?;
                self.demand(right, wanted)
            }
            Compare::Less | Compare::LessEqual | Compare::Greater | Compare::GreaterEqual => {
                self.demand(left, Types::INT)?;
                self.demand(right, Types::INT)
            }
        }
    }

    fn quantified(
        &mut self,
        mark: &str,
        names: &'a [Name],
        predicate: &'a ast::Expr,
        span: Span,
        scope: &NameScope<'a>,
    ) -> TypeResult<Pred> {
        let (ids, inside) = self.bind(names, false, scope)?;
        let predicate = Box::new(self.pred(predicate, &inside)?);
        let kind = match mark {
            "!" => PredKind::Forall(ids, predicate),
            _ => PredKind::Exists(ids, predicate),
        };
        Ok(pred(kind, span))
    }

    /// A definition or a parameter that stands for a predicate.
    fn named_pred(&mut self, expr: &'a ast::Expr, scope: &NameScope<'a>) -> TypeResult<Pred> {
        match self.unfolded(expr, scope)? {
            Some(Unfolded::Formula(formula, inside)) => {
                self.uses.push(expr.span);
                let made = self.pred(formula, &inside);
                self.uses.pop();
                made
            }
            Some(Unfolded::Subst(..)) => {
                let message = "a predicate is expected here, and this is a substitution";
                Err(self.error(expr.span, message))
            }
            None => Err(self.no_predicate(expr, scope)),
        }
    }

    fn no_predicate(&mut self, expr: &'a ast::Expr, scope: &NameScope<'a>) -> super::Reported {
        let made = match self.expr(expr, scope) {
            Ok(made) => made,
            Err(reported) => return reported,
        };
        let ty = self.ty_of(&made);
        let shown = self.types.show(ty, &self.sorts);
        let message = format!("a predicate is expected here, and this is a value, of {shown}");
        let mut error = Diagnostic::error(expr.span, message);
        if self.types.find(ty) == Types::BOOL {
            error = error.note("`= TRUE` makes a predicate of it");
        }
        self.report(error)
    }
}

/// `P & Q & …`, flattened.
pub(super) fn conjunction(all: Vec<Pred>, span: Span) -> Pred {
    let mut flat = Vec::new();
    for each in all {
        match each.kind {
            PredKind::And(inner) => flat.extend(inner),
            _ => flat.push(each),
        }
    }
    match flat.len() {
        0 => pred(PredKind::True, span),
        1 => flat.swap_remove(0),
        _ => pred(PredKind::And(flat), span),
    }
}

fn pred(kind: PredKind, span: Span) -> Pred {
    Pred { kind, span }
}
