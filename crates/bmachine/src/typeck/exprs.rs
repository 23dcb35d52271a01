//! Expressions: what each form is made of, and its type.
//!
//! Each form has a function of its own and the one that tells them apart is small, because it is
//! entered once for every level of a formula. Operators with fixed shapes are in
//! [`super::operators`].

use super::scope::{Entity, NameScope};
use super::types::{Ty, Types};
use super::waiting::PendingQuestion;
use super::{Checker, TypeResult, Unfolded, made};
use crate::ast::{self, ExprKind as Ast, Name};
use crate::typed::{Binary, BuiltinSet, Expr, ExprKind, LocalId, Pred, Quantified, Unary};
use base::{Diagnostic, Span, quote};

impl<'a> Checker<'a, '_> {
    /// A formula that has to be an expression.
    pub(super) fn expr(&mut self, expr: &'a ast::Expr, scope: &NameScope<'a>) -> TypeResult<Expr> {
        self.enter(expr.span)?;
        let made = self.expr_inside(expr, scope);
        self.leave();
        made
    }

    fn expr_inside(&mut self, expr: &'a ast::Expr, scope: &NameScope<'a>) -> TypeResult<Expr> {
        let span = expr.span;
        match &expr.kind {
            Ast::Int(n) => Ok(made(ExprKind::Int(*n), Types::INT, span)),
            Ast::Big(n) => Ok(made(ExprKind::Big(n.clone()), Types::INT, span)),
            Ast::Text(text) => Ok(made(ExprKind::Text(text.to_string()), Types::TEXT, span)),
            Ast::Name(name) => self.name_expr(expr, name, scope),
            Ast::Old(name) => self.old(name, scope),
            Ast::Word(word) => self.word(word, span),
            Ast::Call("bool", arguments) => {
                let predicate = self.pred(&arguments[0], scope)?;
                Ok(made(
                    ExprKind::BoolOf(Box::new(predicate)),
                    Types::BOOL,
                    span,
                ))
            }
            Ast::Call(word, arguments) => self.call(word, arguments, span, scope),
            Ast::Infix(mark, left, right) => {
                if super::preds::is_predicate(expr) {
                    Err(self.no_expression(span))
                } else {
                    self.infix(mark, (left, right), span, scope)
                }
            }
            Ast::Minus(operand) => self.minus(operand, span, scope),
            Ast::Inverse(operand) => self.inverse(operand, span, scope),
            Ast::Apply(function, arguments) => self.apply(expr, function, arguments, scope),
            Ast::Image(relation, set) => self.image(relation, set, span, scope),
            Ast::Field(record, name) => self.field_of(record, name, span, scope),
            Ast::Tuple(parts) => self.tuple(parts, scope),
            Ast::Set(elements) => self.set(elements, span, scope),
            Ast::Seq(elements) => self.seq(elements, span, scope),
            Ast::Comprehension(names, predicate) => {
                self.comprehension(names, predicate, span, scope)
            }
            Ast::Collected(names, parts) => self.collected(names, parts, span, scope),
            Ast::Over(mark, names, parts) => self.over(mark, names, parts, span, scope),
            Ast::Record(word, fields) => self.record(word, fields, span, scope),
            Ast::If(parts) => self.if_expr(parts, span, scope),
            Ast::Let(names, parts) => self.let_expr(names, parts, span, scope),
            Ast::And(_) | Ast::Or(_) | Ast::Not(_) | Ast::Quantified(..) => {
                Err(self.no_expression(span))
            }
        }
    }

    fn no_expression(&mut self, span: Span) -> super::Reported {
        let message = "an expression is expected here, and this is a predicate";
        let error = Diagnostic::error(span, message);
        self.report(error.note("`bool(…)` makes a value of a predicate"))
    }

    /// An expression that has to be a set, and the type of its elements.
    pub(super) fn set_expr(
        &mut self,
        expr: &'a ast::Expr,
        scope: &NameScope<'a>,
    ) -> TypeResult<(Expr, Ty)> {
        let set = self.expr(expr, scope)?;
        let of = self.types.free();
        let wanted = self.types.set(of);
        self.demand(&set, wanted)?;
        Ok((set, of))
    }

    /// An expression of that type.
    pub(super) fn expr_of(
        &mut self,
        expr: &'a ast::Expr,
        ty: Ty,
        scope: &NameScope<'a>,
    ) -> TypeResult<Expr> {
        let made = self.expr(expr, scope)?;
        self.demand(&made, ty)?;
        Ok(made)
    }

    fn name_expr(
        &mut self,
        expr: &'a ast::Expr,
        name: &'a Name,
        scope: &NameScope<'a>,
    ) -> TypeResult<Expr> {
        if let Some(unfolded) = self.unfolded(expr, scope)? {
            return self.unfolded_expr(unfolded, expr.span);
        }
        let entity = self.find(name, scope)?;
        self.entity(entity, name)
    }

    fn unfolded_expr(&mut self, unfolded: Unfolded<'a>, span: Span) -> TypeResult<Expr> {
        let Unfolded::Formula(formula, inside) = unfolded else {
            let message = "an expression is expected here, and this is a substitution";
            return Err(self.error(span, message));
        };
        self.uses.push(span);
        let made = self.expr(formula, &inside);
        self.uses.pop();
        made
    }

    fn entity(&mut self, entity: Entity<'a>, name: &Name) -> TypeResult<Expr> {
        let span = name.span;
        Ok(match entity {
            Entity::Global(id) => {
                let ty = self.globals[id].ty;
                made(ExprKind::Global(crate::typed::GlobalId::new(id)), ty, span)
            }
            Entity::Local(id) => {
                if self.locals[id.index()].is_pending {
                    let message = format!("{} is used before its equation", quote(&name.text));
                    return Err(self.error(span, message));
                }
                made(ExprKind::Local(id), self.ty_of_local(id), span)
            }
            Entity::Element(sort, i) => {
                let ty = self.types.member(sort);
                made(ExprKind::Element(sort, i), ty, span)
            }
            Entity::Carrier(sort) => {
                let of = self.types.member(sort);
                made(ExprKind::Carrier(sort), self.types.set(of), span)
            }
            Entity::Definition(_) | Entity::Argument(..) => {
                unreachable!("definitions and arguments have been unfolded")
            }
        })
    }

    /// `x$0`
    fn old(&mut self, name: &Name, scope: &NameScope<'a>) -> TypeResult<Expr> {
        let old = format!("{}$0", name.text);
        match scope.find(&old) {
            Ok(entity) => self.entity(entity, name),
            Err(_) => {
                let message = format!(
                    "{} has a meaning only in the predicate of `{}:(…)`",
                    quote(&old),
                    name.text
                );
                Err(self.error(name.span, message))
            }
        }
    }

    fn word(&mut self, word: &str, span: Span) -> TypeResult<Expr> {
        let ints = |types: &mut Types| types.set(Types::INT);
        let known = |known: BuiltinSet, ty: Ty| made(ExprKind::Known(known), ty, span);
        Ok(match word {
            "TRUE" => made(ExprKind::Bool(true), Types::BOOL, span),
            "FALSE" => made(ExprKind::Bool(false), Types::BOOL, span),
            "BOOL" => known(BuiltinSet::Bool, self.types.set(Types::BOOL)),
            "STRING" => known(BuiltinSet::Text, self.types.set(Types::TEXT)),
            "INTEGER" => known(BuiltinSet::Integer, ints(&mut self.types)),
            "NATURAL" => known(BuiltinSet::Natural, ints(&mut self.types)),
            "NATURAL1" => known(BuiltinSet::Natural1, ints(&mut self.types)),
            "INT" => known(BuiltinSet::Int, ints(&mut self.types)),
            "NAT" => known(BuiltinSet::Nat, ints(&mut self.types)),
            "NAT1" => known(BuiltinSet::Nat1, ints(&mut self.types)),
            "MAXINT" => known(BuiltinSet::MaxInt, Types::INT),
            "MININT" => known(BuiltinSet::MinInt, Types::INT),
            "succ" => known(BuiltinSet::Succ, self.types.seq(Types::INT)),
            "pred" => known(BuiltinSet::Pred, self.types.seq(Types::INT)),
            crate::token::EMPTY_SET => self.empty(span),
            _ => return Err(self.no_expression(span)),
        })
    }

    fn empty(&mut self, span: Span) -> Expr {
        let of = self.types.free();
        made(ExprKind::Empty, self.types.set(of), span)
    }

    fn minus(
        &mut self,
        operand: &'a ast::Expr,
        span: Span,
        scope: &NameScope<'a>,
    ) -> TypeResult<Expr> {
        let operand = self.expr_of(operand, Types::INT, scope)?;
        let kind = match operand.kind {
            ExprKind::Int(n) if n > 0 => ExprKind::Int(-n),
            _ => ExprKind::Unary(Unary::Minus, Box::new(operand)),
        };
        Ok(made(kind, Types::INT, span))
    }

    fn inverse(
        &mut self,
        operand: &'a ast::Expr,
        span: Span,
        scope: &NameScope<'a>,
    ) -> TypeResult<Expr> {
        let (a, b) = (self.types.free(), self.types.free());
        let wanted = self.types.relation(a, b);
        let operand = self.expr_of(operand, wanted, scope)?;
        let ty = self.types.relation(b, a);
        let kind = ExprKind::Unary(Unary::Inverse, Box::new(operand));
        Ok(made(kind, ty, span))
    }

    /// `f(x, y)`: the use of a definition, or the application of a function to a pair.
    fn apply(
        &mut self,
        expr: &'a ast::Expr,
        function: &'a ast::Expr,
        arguments: &'a [ast::Expr],
        scope: &NameScope<'a>,
    ) -> TypeResult<Expr> {
        if let Some(unfolded) = self.unfolded(expr, scope)? {
            return self.unfolded_expr(unfolded, expr.span);
        }
        let function = self.expr(function, scope)?;
        let argument = self.tuple(arguments, scope)?;
        let (from, to) = (self.types.free(), self.types.free());
        let wanted = self.types.relation(from, to);
        self.demand(&function, wanted)?;
        self.demand(&argument, from)?;
        let kind = ExprKind::Binary(Binary::Apply, Box::new(function), Box::new(argument));
        Ok(made(kind, to, expr.span))
    }

    fn image(
        &mut self,
        relation: &'a ast::Expr,
        set: &'a ast::Expr,
        span: Span,
        scope: &NameScope<'a>,
    ) -> TypeResult<Expr> {
        let (from, to) = (self.types.free(), self.types.free());
        let wanted = self.types.relation(from, to);
        let relation = self.expr_of(relation, wanted, scope)?;
        let wanted = self.types.set(from);
        let set = self.expr_of(set, wanted, scope)?;
        let ty = self.types.set(to);
        let kind = ExprKind::Binary(Binary::Image, Box::new(relation), Box::new(set));
        Ok(made(kind, ty, span))
    }

    fn field_of(
        &mut self,
        record: &'a ast::Expr,
        name: &Name,
        span: Span,
        scope: &NameScope<'a>,
    ) -> TypeResult<Expr> {
        let record = self.expr(record, scope)?;
        let (of, ty) = (self.ty_of(&record), self.types.free());
        let field = self.ask_field(of, name, ty)?;
        Ok(made(ExprKind::Field(Box::new(record), field), ty, span))
    }

    /// Demands that a record has a field of that type; gives what stands for the field until the
    /// end.
    pub(super) fn ask_field(&mut self, record: Ty, name: &Name, ty: Ty) -> TypeResult<usize> {
        self.wait(PendingQuestion::Field(
            record,
            name.text.clone(),
            ty,
            name.span,
        ))?;
        self.fields.push((name.text.clone(), record));
        Ok(self.fields.len() - 1)
    }

    /// `(a, b, c)`, or just `a`.
    pub(super) fn tuple(
        &mut self,
        parts: &'a [ast::Expr],
        scope: &NameScope<'a>,
    ) -> TypeResult<Expr> {
        let mut tuple = self.expr(&parts[0], scope)?;
        for part in &parts[1..] {
            let right = self.expr(part, scope)?;
            tuple = self.pair(tuple, right, parts[0].span.to(part.span));
        }
        Ok(tuple)
    }

    pub(super) fn pair(&mut self, left: Expr, right: Expr, span: Span) -> Expr {
        let ty = self.types.pair(self.ty_of(&left), self.ty_of(&right));
        let kind = ExprKind::Binary(Binary::Pair, Box::new(left), Box::new(right));
        made(kind, ty, span)
    }

    fn set(&mut self, all: &'a [ast::Expr], span: Span, scope: &NameScope<'a>) -> TypeResult<Expr> {
        if all.is_empty() {
            return Ok(self.empty(span));
        }
        let (elements, of) = self.alike(all, scope)?;
        let ty = self.types.set(of);
        Ok(made(ExprKind::SetOf(elements), ty, span))
    }

    fn seq(&mut self, all: &'a [ast::Expr], span: Span, scope: &NameScope<'a>) -> TypeResult<Expr> {
        if all.is_empty() {
            let of = self.types.free();
            return Ok(made(ExprKind::Empty, self.types.seq(of), span));
        }
        let (elements, of) = self.alike(all, scope)?;
        let ty = self.types.seq(of);
        Ok(made(ExprKind::SeqOf(elements), ty, span))
    }

    /// Expressions of one type.
    fn alike(
        &mut self,
        all: &'a [ast::Expr],
        scope: &NameScope<'a>,
    ) -> TypeResult<(Vec<Expr>, Ty)> {
        let of = self.types.free();
        let elements: TypeResult<Vec<Expr>> =
            all.iter().map(|e| self.expr_of(e, of, scope)).collect();
        Ok((elements?, of))
    }

    fn comprehension(
        &mut self,
        names: &'a [Name],
        predicate: &'a ast::Expr,
        span: Span,
        scope: &NameScope<'a>,
    ) -> TypeResult<Expr> {
        let (ids, inside) = self.bind(names, false, scope)?;
        let predicate = self.pred(predicate, &inside)?;
        let of = self.ty_of_tuple(&ids);
        let ty = self.types.set(of);
        let kind = ExprKind::Comprehension(ids, Box::new(predicate));
        Ok(made(kind, ty, span))
    }

    /// `P | E` over bound variables.
    fn bound_value(
        &mut self,
        names: &'a [Name],
        parts: &'a [ast::Expr; 2],
        scope: &NameScope<'a>,
    ) -> TypeResult<(Vec<LocalId>, Box<Pred>, Box<Expr>)> {
        let (ids, inside) = self.bind(names, false, scope)?;
        let predicate = self.pred(&parts[0], &inside)?;
        let value = self.expr(&parts[1], &inside)?;
        Ok((ids, Box::new(predicate), Box::new(value)))
    }

    /// `{x · P | E}` is the range of `%x.(P | E)`.
    fn collected(
        &mut self,
        names: &'a [Name],
        parts: &'a [ast::Expr; 2],
        span: Span,
        scope: &NameScope<'a>,
    ) -> TypeResult<Expr> {
        let (ids, predicate, value) = self.bound_value(names, parts, scope)?;
        let (from, to) = (self.ty_of_tuple(&ids), self.ty_of(&value));
        let ty = self.types.relation(from, to);
        let lambda = made(ExprKind::Lambda(ids, predicate, value), ty, span);
        let ty = self.types.set(to);
        let kind = ExprKind::Unary(Unary::Ran, Box::new(lambda));
        Ok(made(kind, ty, span))
    }

    /// `%x.(P | E)`, `SIGMA`, `PI`, `UNION`, `INTER`
    fn over(
        &mut self,
        mark: &str,
        names: &'a [Name],
        parts: &'a [ast::Expr; 2],
        span: Span,
        scope: &NameScope<'a>,
    ) -> TypeResult<Expr> {
        let (ids, predicate, value) = self.bound_value(names, parts, scope)?;
        let of_value = self.ty_of(&value);
        let quantified = match mark {
            "SIGMA" => Quantified::Sum,
            "PI" => Quantified::Product,
            "UNION" => Quantified::Union,
            "INTER" => Quantified::Intersection,
            _ => {
                let from = self.ty_of_tuple(&ids);
                let ty = self.types.relation(from, of_value);
                return Ok(made(ExprKind::Lambda(ids, predicate, value), ty, span));
            }
        };
        let wanted = match quantified {
            Quantified::Sum | Quantified::Product => Types::INT,
            Quantified::Union | Quantified::Intersection => {
                let of = self.types.free();
                self.types.set(of)
            }
        };
        self.demand(&value, wanted)?;
        let kind = ExprKind::Quantified(quantified, ids, predicate, value);
        Ok(made(kind, wanted, span))
    }

    fn record(
        &mut self,
        word: &str,
        fields: &'a [(Name, ast::Expr)],
        span: Span,
        scope: &NameScope<'a>,
    ) -> TypeResult<Expr> {
        let mut all = Vec::new();
        for (name, value) in fields {
            let (value, ty) = if word == "rec" {
                let value = self.expr(value, scope)?;
                let ty = self.ty_of(&value);
                (value, ty)
            } else {
                self.set_expr(value, scope)?
            };
            all.push((name.text.clone(), ty, value));
        }
        all.sort_by(|a, b| a.0.cmp(&b.0));
        let fields = all
            .iter()
            .map(|(name, ty, _)| (name.clone(), *ty))
            .collect();
        let of = self.types.record(fields);
        let values = all.into_iter().map(|(_, _, value)| value).collect();
        Ok(if word == "rec" {
            made(ExprKind::Record(values), of, span)
        } else {
            let ty = self.types.set(of);
            made(ExprKind::Struct(values), ty, span)
        })
    }

    fn if_expr(
        &mut self,
        parts: &'a [ast::Expr; 3],
        span: Span,
        scope: &NameScope<'a>,
    ) -> TypeResult<Expr> {
        let condition = self.pred(&parts[0], scope)?;
        let yes = self.expr(&parts[1], scope)?;
        let ty = self.ty_of(&yes);
        let no = self.expr_of(&parts[2], ty, scope)?;
        let kind = ExprKind::If(Box::new(condition), Box::new(yes), Box::new(no));
        Ok(made(kind, ty, span))
    }

    fn let_expr(
        &mut self,
        names: &'a [Name],
        parts: &'a [ast::Expr; 2],
        span: Span,
        scope: &NameScope<'a>,
    ) -> TypeResult<Expr> {
        let (equations, inside) = self.equations(names, &parts[0], scope)?;
        let value = self.expr(&parts[1], &inside)?;
        let ty = self.ty_of(&value);
        Ok(made(ExprKind::Let(equations, Box::new(value)), ty, span))
    }

    /// `x = E & y = F` after `LET x, y BE`: one equation for each name, in order; an expression may
    /// use the names of equations before it.
    pub(super) fn equations(
        &mut self,
        names: &'a [Name],
        predicate: &'a ast::Expr,
        scope: &NameScope<'a>,
    ) -> TypeResult<(Vec<(LocalId, Expr)>, NameScope<'a>)> {
        let (ids, inside) = self.bind(names, false, scope)?;
        for id in &ids {
            self.locals[id.index()].is_pending = true;
        }
        let conjuncts = match &predicate.kind {
            Ast::And(all) => &all[..],
            _ => std::slice::from_ref(predicate),
        };
        let mut equations = Vec::new();
        for conjunct in conjuncts {
            let (i, value) = self.equation(names, conjunct)?;
            let value = self.expr(value, &inside)?;
            let id = ids[i];
            if !std::mem::take(&mut self.locals[id.index()].is_pending) {
                let message = format!("{} has two equations", quote(&names[i].text));
                return Err(self.error(conjunct.span, message));
            }
            let ty = self.ty_of_local(id);
            self.demand(&value, ty)?;
            equations.push((id, value));
        }
        match ids.iter().position(|id| self.locals[id.index()].is_pending) {
            Some(i) => {
                let message = format!("{} has no equation", quote(&names[i].text));
                Err(self.error(names[i].span, message))
            }
            None => Ok((equations, inside)),
        }
    }

    fn equation(
        &mut self,
        names: &'a [Name],
        conjunct: &'a ast::Expr,
    ) -> TypeResult<(usize, &'a ast::Expr)> {
        if let Ast::Infix("=", left, right) = &conjunct.kind
            && let Ast::Name(name) = &left.kind
            && let Some(i) = names.iter().position(|n| n.text == name.text)
        {
            return Ok((i, right));
        }
        let message = "an equation for a name of this `LET` is expected here, such as `x = E`";
        Err(self.error(conjunct.span, message))
    }
}
