//! Expressions that are no process operators.

use super::super::builtin;
use super::super::code::{ExprCode, Heads, Qualifier, Such};
use super::frame::NameLocation;
use super::{Compiler, Item};
use crate::ast::{BinaryOp, BracketElements, Expr, ExprKind, Name, Statement, UnaryOp};
use crate::process::Term;
use crate::value::symbolic::Symbolic;
use crate::value::{BuiltIn, Function, Set, Value};
use base::Span;
use std::sync::Arc;

impl Compiler<'_, '_> {
    /// An expression, evaluated when it is reached.
    pub fn expr(&mut self, expr: &Expr) -> ExprCode {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Name(name) => self.name(name),
            ExprKind::Number(n) => ExprCode::Known(Value::Int(*n)),
            ExprKind::Bool(b) => ExprCode::Known(Value::Bool(*b)),
            ExprKind::Char(c) => ExprCode::Known(Value::Char(*c)),
            ExprKind::Text(text) => ExprCode::Known(Value::text(text)),
            ExprKind::Brackets(inner) => self.expr(inner),
            ExprKind::Tuple(parts) => ExprCode::Tuple(self.all_delayed(parts)),
            ExprKind::Sequence(elements) => self.sequence(elements, span),
            ExprKind::Set(elements) => self.set(elements, span),
            ExprKind::Closure(elements) => self.closure(elements, span),
            ExprKind::Map(pairs) => {
                let pairs = pairs.iter().map(|(k, v)| (self.expr(k), self.expr(v)));
                ExprCode::Map(pairs.collect())
            }
            ExprKind::Apply(function, arguments) => self.apply(function, arguments, span),
            ExprKind::Lambda(patterns, body) => ExprCode::Lambda(self.lambda(patterns, body)),
            ExprKind::Let(decls, body) => self.let_expr(decls, body),
            ExprKind::If(condition, yes, no) => {
                let parts = (self.expr(condition), self.expr(yes), self.expr(no));
                ExprCode::If(Box::new(parts), condition.span)
            }
            ExprKind::Unary(op, inner) => {
                let inner = Box::new(self.expr(inner));
                match op {
                    UnaryOp::Minus => ExprCode::Negate(inner, span),
                    UnaryOp::Not => ExprCode::Not(inner, span),
                    UnaryOp::Length => ExprCode::Length(inner, span),
                }
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, span),
            ExprKind::Dot(left, right) => {
                let parts = (self.expr(left), self.expr(right));
                ExprCode::Dot(Box::new(parts), span)
            }
            ExprKind::Process(process) => self.process(process, span),
        }
    }

    /// An expression that may be put off.
    pub(crate) fn delayed(&mut self, expr: &Expr) -> ExprCode {
        match &expr.kind {
            ExprKind::Brackets(inner) => self.delayed(inner),
            ExprKind::Name(_) => match self.expr(expr) {
                code @ (ExprCode::Known(_) | ExprCode::Slot(_) | ExprCode::Member(..)) => code,
                code => self.cheap(code, expr),
            },
            ExprKind::Number(_) | ExprKind::Bool(_) | ExprKind::Char(_) | ExprKind::Text(_) => {
                self.expr(expr)
            }
            ExprKind::Lambda(..) => self.expr(expr),
            _ if is_arithmetic(expr, 4) => {
                let code = self.expr(expr);
                self.cheap(code, expr)
            }
            _ => ExprCode::Lazy(self.suspended(expr.span, |c| c.expr(expr))),
        }
    }

    fn cheap(&mut self, code: ExprCode, expr: &Expr) -> ExprCode {
        let site = self.suspended(expr.span, |c| c.expr(expr));
        ExprCode::Cheap(Box::new(code), site)
    }

    fn all_delayed(&mut self, exprs: &[Expr]) -> Box<[ExprCode]> {
        exprs.iter().map(|e| self.delayed(e)).collect()
    }

    fn all(&mut self, exprs: &[Expr]) -> Box<[ExprCode]> {
        exprs.iter().map(|e| self.expr(e)).collect()
    }

    /// What a name of the script stands for.
    pub fn item(&mut self, item: Item) -> ExprCode {
        match item {
            Item::Global(id) => ExprCode::Global(id),
            Item::Maker(maker) => ExprCode::Known(Value::Made(maker, Arc::from([]))),
            Item::Datatype(id) => ExprCode::Datatype(id),
            Item::BuiltIn(which) => built_in(which),
        }
    }

    fn name(&mut self, name: &Name) -> ExprCode {
        if name.modules.is_empty()
            && let Some(place) = self.local(&name.text)
        {
            return match place {
                NameLocation::Slot(slot) => ExprCode::Slot(slot),
                NameLocation::Member(slot, index) => ExprCode::Member(slot, index),
                NameLocation::BuiltIn(which) => built_in(which),
            };
        }
        if let Some(item) = self.find(self.scope, name) {
            return self.item(item);
        }
        if name.modules.is_empty()
            && let Some(code) = self.constant(&name.text, name.span)
        {
            return code;
        }
        let mut shown = name.modules.join("::");
        if !shown.is_empty() {
            shown.push_str("::");
        }
        self.wrong(name.span, format!("there is no `{shown}{}`", name.text));
        ExprCode::Refused("an unknown name".into(), name.span)
    }

    /// A name of the language.
    fn constant(&mut self, name: &str, span: Span) -> Option<ExprCode> {
        let set = |symbolic: Symbolic| Some(ExprCode::Known(Value::Set(symbolic.into())));
        match name {
            "STOP" => return Some(self.timed_constant("%TSTOP", Term::Stop, span)),
            "SKIP" => return Some(self.timed_constant("%TSKIP", Term::Skip, span)),
            "DIV" => return Some(ExprCode::Term(Term::Div)),
            "Events" => return Some(ExprCode::Events),
            "Int" => return set(Symbolic::Integers),
            "Char" => return set(Symbolic::Characters),
            "Proc" => return set(Symbolic::Processes),
            "Bool" => {
                let both = vec![Value::Bool(false), Value::Bool(true)];
                return Some(ExprCode::Known(Value::Set(Set::from(both))));
            }
            "emptyMap" => return Some(ExprCode::Known(Value::Map(Arc::default()))),
            "True" | "False" => return Some(ExprCode::Known(Value::Bool(name == "True"))),
            "WAIT" => {
                let words = "`WAIT` has to be given its number where it is named";
                return Some(ExprCode::Refused(words.into(), span));
            }
            _ => {}
        }
        builtin::find(name, false).map(built_in)
    }

    /// `STOP` or `SKIP`, which let time pass in a timed section.
    pub(crate) fn timed_constant(&mut self, timed: &str, term: Term, span: Span) -> ExprCode {
        match self.tock(span) {
            None => ExprCode::Term(term),
            Some(Err(refused)) => refused,
            Some(Ok(tock)) => built_in_call(timed, vec![ExprCode::Known(tock)], span),
        }
    }

    fn apply(&mut self, function: &Expr, arguments: &[Expr], span: Span) -> ExprCode {
        if let ExprKind::Name(name) = &function.kind
            && name.modules.is_empty()
            && &*name.text == "WAIT"
            && !self.is_local("WAIT")
            && (self.timed.is_some() || self.find(self.scope, name).is_none())
        {
            let tock = match self.tock(span) {
                Some(Ok(tock)) => tock,
                Some(Err(refused)) => return refused,
                None => return ExprCode::Refused("`WAIT` is for timed sections".into(), span),
            };
            let mut all = vec![ExprCode::Known(tock)];
            all.extend(self.all_delayed(arguments));
            return built_in_call("%WAIT", all, span);
        }
        let function = Box::new(self.expr(function));
        ExprCode::Apply(function, self.all_delayed(arguments), span)
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, span: Span) -> ExprCode {
        let first = self.expr(left);
        match op {
            BinaryOp::And | BinaryOp::Or => {
                let parts = (first, self.expr(right));
                ExprCode::Both(op == BinaryOp::And, Box::new(parts), span)
            }
            BinaryOp::Concat => {
                let parts = (first, self.delayed(right));
                ExprCode::Concat(Box::new(parts), span)
            }
            _ => ExprCode::Binary(op, Box::new((first, self.expr(right))), span),
        }
    }

    fn sequence(&mut self, elements: &BracketElements, span: Span) -> ExprCode {
        match elements {
            BracketElements::List(parts) => ExprCode::List(self.all_delayed(parts)),
            BracketElements::Range(first, last) => {
                let last = last.as_ref().map(|e| self.expr(e));
                ExprCode::ListRange(Box::new((self.expr(first), last)), span)
            }
            BracketElements::Such(..) | BracketElements::RangeSuch(..) => {
                let site = self.suspended(span, |c| {
                    ExprCode::Such(Box::new(c.such(elements, true, span)))
                });
                ExprCode::ListSuch(site)
            }
        }
    }

    fn set(&mut self, elements: &BracketElements, span: Span) -> ExprCode {
        match elements {
            BracketElements::List(parts) => ExprCode::SetList(self.all(parts)),
            BracketElements::Range(first, last) => {
                let last = last.as_ref().map(|e| self.expr(e));
                ExprCode::SetRange(Box::new((self.expr(first), last)), span)
            }
            _ => ExprCode::SetSuch(Box::new(self.such(elements, false, span))),
        }
    }

    fn closure(&mut self, elements: &BracketElements, span: Span) -> ExprCode {
        match elements {
            BracketElements::List(parts) => ExprCode::Closure(self.all(parts), span),
            BracketElements::Such(..) => {
                ExprCode::ClosureSuch(Box::new(self.such(elements, false, span)), span)
            }
            _ => ExprCode::Refused("a set of events is not given by a range".into(), span),
        }
    }

    /// A comprehension in the innermost frame.
    fn such(&mut self, elements: &BracketElements, may_delay: bool, span: Span) -> Such {
        let mark = self.mark();
        let statements: &[Statement] = match elements {
            BracketElements::Such(_, statements) | BracketElements::RangeSuch(_, _, statements) => {
                statements
            }
            _ => &[],
        };
        let statements = self.statements(statements);
        let heads = match elements {
            BracketElements::Such(parts, _) | BracketElements::List(parts) => {
                Heads::List(if may_delay {
                    self.all_delayed(parts)
                } else {
                    self.all(parts)
                })
            }
            BracketElements::RangeSuch(first, last, _) | BracketElements::Range(first, last) => {
                let last = last.as_ref().map(|e| self.expr(e));
                Heads::Range(self.expr(first), last, span)
            }
        };
        self.forget(mark);
        Such { heads, statements }
    }

    /// Generators and conditions; their variables stay bound.
    pub fn statements(&mut self, statements: &[Statement]) -> Box<[Qualifier]> {
        let steps = statements.iter().map(|statement| match statement {
            Statement::From(pattern, source) => {
                let from = self.expr(source);
                Qualifier::From(self.pattern(pattern), from, source.span)
            }
            Statement::If(condition) => Qualifier::If(self.expr(condition), condition.span),
        });
        steps.collect()
    }

    /// An expression as the type of a field: dots and tuples of sets are sets.
    pub(crate) fn type_expr(&mut self, expr: &Expr) -> ExprCode {
        match &expr.kind {
            ExprKind::Brackets(inner) => self.type_expr(inner),
            ExprKind::Dot(..) => {
                let mut parts = Vec::new();
                super::flatten_dots(expr, &mut parts);
                let parts = parts.into_iter().map(|p| self.type_expr(p)).collect();
                ExprCode::TypeDot(parts, expr.span)
            }
            ExprKind::Tuple(parts) => {
                let parts = parts.iter().map(|p| self.type_expr(p)).collect();
                ExprCode::TypeTuple(parts, expr.span)
            }
            _ => self.expr(expr),
        }
    }

    /// The event `tock` in a timed section; a refusal if there is no such channel.
    pub fn tock(&mut self, span: Span) -> Option<Result<Value, ExprCode>> {
        let timed = self.timed.as_ref()?;
        Some(match timed.tock {
            Some(tock) => Ok(Value::Made(tock, Arc::from([]))),
            None => {
                let words = "a timed section needs a channel `tock`";
                Err(ExprCode::Refused(words.into(), span))
            }
        })
    }
}

/// A function of the language as a value.
pub(crate) fn built_in(which: BuiltIn) -> ExprCode {
    ExprCode::Known(Value::Function(Arc::new(Function::BuiltIn(which))))
}

/// A call of a function of the language.
pub(crate) fn built_in_call(name: &str, arguments: Vec<ExprCode>, span: Span) -> ExprCode {
    let which = builtin::find(name, false).expect("a function of the table");
    ExprCode::Apply(Box::new(built_in(which)), arguments.into(), span)
}

/// Whether an expression is arithmetic on names and numbers, so that trying it costs little.
fn is_arithmetic(expr: &Expr, depth: usize) -> bool {
    match &expr.kind {
        ExprKind::Name(_) | ExprKind::Number(_) | ExprKind::Bool(_) => true,
        ExprKind::Brackets(inner) | ExprKind::Unary(_, inner) => {
            depth > 0 && is_arithmetic(inner, depth - 1)
        }
        ExprKind::Binary(op, a, b) => {
            *op != BinaryOp::Concat
                && depth > 0
                && is_arithmetic(a, depth - 1)
                && is_arithmetic(b, depth - 1)
        }
        _ => false,
    }
}
