//! The types of expressions.

use super::decls::{count, given};
use super::groups::DeclarationScope;
use super::prelude;
use super::types::{Ty, TypeClass, TypeNode};
use super::{Checked, Checker, Reported};
use crate::ast::{
    BinaryOp, BracketElements, Decl, Expr, ExprKind, Name, Pattern, Statement, UnaryOp,
};
use crate::resolve::{DefId, DefKind};
use base::{Diagnostic, Span, quote};
use std::collections::HashMap;

/// What is taken from: sets or sequences.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GeneratorSource {
    /// `x <- S` of a set.
    Set,
    /// `x <- s` of a sequence.
    Sequence,
}

impl<'a> Checker<'a> {
    /// Checks that an expression has the type `wanted`; `words` say why it is.
    pub(super) fn expect(&mut self, expr: &'a Expr, wanted: Ty, words: &str) -> Checked<Ty> {
        let there = self.infer(expr)?;
        self.equal(expr.span, wanted, there, words)
    }

    /// The type of an expression.
    pub(super) fn infer(&mut self, expr: &'a Expr) -> Checked<Ty> {
        match &expr.kind {
            ExprKind::Name(name) => self.use_of(name),
            ExprKind::Number(_) => Ok(self.solver.types.int()),
            ExprKind::Bool(_) => Ok(self.solver.types.bool()),
            ExprKind::Char(_) => Ok(self.solver.types.char()),
            ExprKind::Text(_) => {
                let char = self.solver.types.char();
                Ok(self.solver.types.seq(char))
            }
            ExprKind::Brackets(inner) => self.infer(inner),
            ExprKind::Tuple(all) => {
                let all: Checked<Vec<Ty>> = all.iter().map(|e| self.infer(e)).collect();
                Ok(self.solver.types.tuple(all?))
            }
            ExprKind::Sequence(elements) => self.sequence(elements),
            ExprKind::Set(elements) => self.set(elements),
            ExprKind::Closure(elements) => self.closure(elements),
            ExprKind::Map(pairs) => self.map(expr.span, pairs),
            ExprKind::Apply(function, arguments) => self.apply(function, arguments),
            ExprKind::Lambda(parameters, body) => self.lambda(parameters, body),
            ExprKind::Let(decls, body) => {
                let all: Vec<&'a Decl> = decls.iter().collect();
                self.declarations(&all, DeclarationScope::Let)?;
                self.infer(body)
            }
            ExprKind::If(condition, then, otherwise) => {
                self.condition(condition, "`if` asks for true or false")?;
                let ty = self.infer(then)?;
                self.expect(otherwise, ty, "`then` and `else` have one type")
            }
            ExprKind::Unary(op, inner) => self.unary(*op, inner),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right),
            ExprKind::Dot(left, right) => {
                let left = self.infer(left)?;
                let right = self.infer(right)?;
                Ok(self.solver.types.dot(left, right))
            }
            ExprKind::Process(process) => {
                self.process(process)?;
                Ok(self.solver.types.proc())
            }
        }
    }

    /// The type of one use of a name.
    pub(super) fn use_of(&mut self, name: &'a Name) -> Checked<Ty> {
        let def = self.names.def(name).ok_or(Reported)?;
        self.warn_if_old(name);
        self.type_of(def, name.span)
    }

    /// The type of one use of a definition.
    pub(super) fn type_of(&mut self, def: DefId, span: Span) -> Checked<Ty> {
        let ty = match self.names.kind(def) {
            DefKind::BuiltIn(index) => return Ok(prelude::instance(index, &mut self.solver.types)),
            DefKind::Variable => self.own_type(def),
            // A definition without a type is one in which there was a mistake.
            _ => self.types_of[def.index()].ok_or(Reported)?,
        };
        let types = &mut self.solver.types;
        let copy = types.instantiate(ty, &mut HashMap::new(), &HashMap::new());
        copy.map_err(|_| self.too_large(span))
    }

    /// Warns of a built-in name that has a newer one.
    pub(super) fn warn_if_old(&mut self, name: &Name) {
        let kind = self.names.def(name).map(|def| self.names.kind(def));
        let Some(DefKind::BuiltIn(index)) = kind else {
            return;
        };
        if let Some(instead) = prelude::ALL[index].instead {
            let message = format!("{} is an old name of `{instead}`", quote(&name.text));
            self.found.push(Diagnostic::warning(name.span, message));
        }
    }

    /// Checks a condition.
    pub(super) fn condition(&mut self, expr: &'a Expr, words: &str) -> Checked<()> {
        let bool = self.solver.types.bool();
        self.expect(expr, bool, words).map(|_| ())
    }

    fn number(&mut self, expr: &'a Expr, words: &str) -> Checked<()> {
        let int = self.solver.types.int();
        self.expect(expr, int, words).map(|_| ())
    }

    fn unary(&mut self, op: UnaryOp, inner: &'a Expr) -> Checked<Ty> {
        match op {
            UnaryOp::Minus => {
                self.number(inner, "`-` is for numbers")?;
                Ok(self.solver.types.int())
            }
            UnaryOp::Not => {
                self.condition(inner, "`not` is for true and false")?;
                Ok(self.solver.types.bool())
            }
            UnaryOp::Length => {
                let element = self.solver.types.fresh();
                let wanted = self.solver.types.seq(element);
                self.expect(inner, wanted, "`#` is the length of a sequence")?;
                Ok(self.solver.types.int())
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &'a Expr, right: &'a Expr) -> Checked<Ty> {
        let sign = sign(op);
        match op {
            BinaryOp::Add
            | BinaryOp::Subtract
            | BinaryOp::Multiply
            | BinaryOp::Divide
            | BinaryOp::Modulo => {
                let words = format!("`{sign}` is for numbers");
                self.number(left, &words)?;
                self.number(right, &words)?;
                Ok(self.solver.types.int())
            }
            BinaryOp::And | BinaryOp::Or => {
                let words = format!("`{sign}` is for true and false");
                self.condition(left, &words)?;
                self.condition(right, &words)?;
                Ok(self.solver.types.bool())
            }
            BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::AtMost
            | BinaryOp::More
            | BinaryOp::AtLeast => {
                let ty = self.infer(left)?;
                let words = format!("both sides of `{sign}` have one type");
                let ty = self.expect(right, ty, &words)?;
                let class = match op {
                    BinaryOp::Equal | BinaryOp::NotEqual => TypeClass::Eq,
                    _ => TypeClass::Ord,
                };
                let words = format!("`{sign}` compares");
                self.in_class(left.span, class, ty, &words)?;
                Ok(self.solver.types.bool())
            }
            BinaryOp::Concat => {
                let element = self.solver.types.fresh();
                let wanted = self.solver.types.seq(element);
                let ty = self.expect(left, wanted, "`^` joins sequences")?;
                self.expect(right, ty, "`^` joins sequences of one type")
            }
        }
    }

    /// All expressions have one type.
    fn same(&mut self, all: &'a [Expr], words: &str) -> Checked<Ty> {
        let Some((first, rest)) = all.split_first() else {
            return Ok(self.solver.types.fresh());
        };
        let ty = self.infer(first)?;
        for expr in rest {
            self.expect(expr, ty, words)?;
        }
        Ok(ty)
    }

    fn range(&mut self, from: &'a Expr, to: Option<&'a Expr>) -> Checked<Ty> {
        self.number(from, "`..` is between numbers")?;
        if let Some(to) = to {
            self.number(to, "`..` is between numbers")?;
        }
        Ok(self.solver.types.int())
    }

    fn sequence(&mut self, elements: &'a BracketElements) -> Checked<Ty> {
        const WORDS: &str = "all elements of a sequence have one type";
        let element = match elements {
            BracketElements::List(all) => self.same(all, WORDS)?,
            BracketElements::Range(from, to) => self.range(from, to.as_deref())?,
            BracketElements::Such(all, such) => {
                self.statements(such, GeneratorSource::Sequence)?;
                self.same(all, WORDS)?
            }
            BracketElements::RangeSuch(from, to, such) => {
                self.statements(such, GeneratorSource::Sequence)?;
                self.range(from, to.as_deref())?
            }
        };
        Ok(self.solver.types.seq(element))
    }

    fn set(&mut self, elements: &'a BracketElements) -> Checked<Ty> {
        let (all, such) = match elements {
            BracketElements::List(all) => (all, None),
            BracketElements::Such(all, such) => (all, Some(such)),
            BracketElements::Range(from, to) => {
                let int = self.range(from, to.as_deref())?;
                return Ok(self.solver.types.set(int));
            }
            BracketElements::RangeSuch(from, to, such) => {
                self.statements(such, GeneratorSource::Set)?;
                let int = self.range(from, to.as_deref())?;
                return Ok(self.solver.types.set(int));
            }
        };
        if let Some(such) = such {
            self.statements(such, GeneratorSource::Set)?;
        }
        let ty = self.same(all, "all elements of a set have one type")?;
        if let Some(first) = all.first() {
            self.in_class(first.span, TypeClass::Set, ty, "elements of a set")?;
        } else {
            // Of no element at all, but of a type whose values can be in sets.
            self.solver.refuel();
            let known = self.solver.require(TypeClass::Set, ty);
            debug_assert!(known.is_ok(), "a new variable");
        }
        Ok(self.solver.types.set(ty))
    }

    /// `{| c, d |}`: all that its elements can be extended to.
    fn closure(&mut self, elements: &'a BracketElements) -> Checked<Ty> {
        let all = match elements {
            BracketElements::List(all) => all,
            BracketElements::Such(all, such) => {
                self.statements(such, GeneratorSource::Set)?;
                all
            }
            BracketElements::Range(from, to) | BracketElements::RangeSuch(from, to, _) => {
                let message = "`..` cannot stand between `{|` and `|}`";
                let span = to.as_ref().map_or(from.span, |to| to.span);
                return Err(self.report(Diagnostic::error(span, message)));
            }
        };
        let classes = super::types::TypeClasses::of(TypeClass::Yieldable);
        let result = self.solver.types.fresh_with(classes);
        for expr in all {
            let by = self.solver.types.fresh();
            let wanted = self.solver.types.extendable(result, by);
            let words = "`{| … |}` is of channels and constructors, or parts of their values";
            self.expect(expr, wanted, words)?;
        }
        Ok(self.solver.types.set(result))
    }

    fn map(&mut self, span: Span, pairs: &'a [(Expr, Expr)]) -> Checked<Ty> {
        let (key, value) = (self.solver.types.fresh(), self.solver.types.fresh());
        for (k, v) in pairs {
            self.expect(k, key, "all keys of a map have one type")?;
            self.expect(v, value, "all values of a map have one type")?;
        }
        self.in_class(span, TypeClass::Set, key, "keys of a map")?;
        Ok(self.solver.types.map(key, value))
    }

    fn lambda(&mut self, parameters: &'a [Pattern], body: &'a Expr) -> Checked<Ty> {
        let result = self.infer(body)?;
        let all: Checked<Vec<Ty>> = parameters.iter().map(|p| self.pattern(p)).collect();
        Ok(self.solver.types.function(all?, result))
    }

    fn apply(&mut self, function: &'a Expr, arguments: &'a [Expr]) -> Checked<Ty> {
        let ty = self.infer(function)?;
        self.can_be_applied(function, ty, arguments)?;
        let types = &mut self.solver.types;
        let wanted: Vec<Ty> = arguments.iter().map(|_| types.fresh()).collect();
        let result = types.fresh();
        let shape = types.function(wanted.clone(), result);
        self.equal(function.span, shape, ty, "")?;
        // All arguments before any is compared: what they need of each other is then known.
        let mut there = Vec::new();
        for argument in arguments {
            there.push(self.infer(argument)?);
        }
        for (i, argument) in arguments.iter().enumerate() {
            let there = self.evaluated(argument.span, there[i])?;
            let wanted = self.evaluated(argument.span, wanted[i])?;
            let words = argument_words(function, i, arguments.len());
            self.one_sided(|this| this.equal(argument.span, wanted, there, &words))?;
        }
        Ok(result)
    }

    /// Says plainly what is wrong if a thing is no function, or one of other arguments.
    fn can_be_applied(&mut self, function: &Expr, ty: Ty, arguments: &[Expr]) -> Checked<()> {
        let what = match &function.kind {
            ExprKind::Name(name) => quote(&name.text),
            _ => "this".into(),
        };
        let message = match self.solver.types.shape(ty) {
            TypeNode::Var(var) if self.solver.types.known(var).rigid.is_none() => return Ok(()),
            TypeNode::Function(all, _) if all.len() == arguments.len() => return Ok(()),
            TypeNode::Function(all, _) => {
                let (n, m) = (count(all.len(), "argument"), given(arguments.len()));
                format!("{what} takes {n}, and {m}")
            }
            _ => {
                let shown = self.show(ty);
                format!("{what} is no function: its type is `{shown}`")
            }
        };
        let mut error = Diagnostic::error(function.span, message);
        if let ExprKind::Name(name) = &function.kind
            && let Some(def) = self.names.def(name)
            && let Some(span) = self.names.defs[def.index()].span
        {
            error = error.and(span, "declared here");
        }
        Err(self.report(error))
    }

    /// The statements of a comprehension or of a replicated operator.
    pub(super) fn statements(
        &mut self,
        all: &'a [Statement],
        source: GeneratorSource,
    ) -> Checked<()> {
        for statement in all {
            match statement {
                Statement::If(condition) => self.condition(condition, "a condition")?,
                Statement::From(pattern, from) => {
                    let there = self.infer(from)?;
                    let element = self.pattern(pattern)?;
                    let (wanted, words) = match source {
                        GeneratorSource::Set => {
                            let wanted = self.solver.types.set(element);
                            (wanted, "what is taken here comes from a set")
                        }
                        GeneratorSource::Sequence => {
                            let wanted = self.solver.types.seq(element);
                            (wanted, "what is taken here comes from a sequence")
                        }
                    };
                    self.equal(from.span, wanted, there, words)?;
                }
            }
        }
        Ok(())
    }
}

fn argument_words(function: &Expr, at: usize, n: usize) -> String {
    let what = match &function.kind {
        ExprKind::Name(name) => quote(&name.text),
        _ => "the function".into(),
    };
    match n {
        1 => format!("the argument of {what}"),
        _ => format!("argument {} of {what}", at + 1),
    }
}

fn sign(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Modulo => "%",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::Less => "<",
        BinaryOp::AtMost => "<=",
        BinaryOp::More => ">",
        BinaryOp::AtLeast => ">=",
        BinaryOp::And => "and",
        BinaryOp::Or => "or",
        BinaryOp::Concat => "^",
    }
}
