//! Substitutions.
//!
//! `;` binds looser than `||`. A substitution that begins with a name is an assignment, a choice of
//! a new value, a call, or a definition that stands for one; which of these is known from the mark
//! after the names, and for the last two only once names are looked up.

use super::{Parsed, Parser, Reported};
use crate::ast::{Branch, Expr, ExprKind, Name, Subst, SubstKind};
use crate::token::TokenKind;
use base::Span;

impl Parser {
    /// Substitutions with `;` between them.
    pub(super) fn sequence_of_substs(&mut self) -> Parsed<Subst> {
        let start = self.here();
        let first = self.parallel()?;
        if !self.is(";") {
            return Ok(first);
        }
        let mut all = vec![first];
        while self.eat(";") {
            if self.ends_block() {
                break;
            }
            all.push(self.parallel()?);
        }
        let kind = SubstKind::Sequence(all);
        Ok(self.subst(start, kind))
    }

    /// Whether a word that ends a block is next: then a `;` before it is one too many.
    fn ends_block(&self) -> bool {
        let ends = ["END", "ELSE", "ELSIF", "WHEN", "OR", "INVARIANT", "VARIANT"];
        ends.iter().any(|word| self.is_word(word))
    }

    /// Substitutions with `||` between them.
    pub(super) fn parallel(&mut self) -> Parsed<Subst> {
        let start = self.here();
        let first = self.simple()?;
        if !self.is("||") {
            return Ok(first);
        }
        let mut all = vec![first];
        while self.eat("||") {
            all.push(self.simple()?);
        }
        let kind = SubstKind::Parallel(all);
        Ok(self.subst(start, kind))
    }

    fn subst(&self, start: Span, kind: SubstKind) -> Subst {
        Subst {
            kind,
            span: self.since(start),
        }
    }

    fn simple(&mut self) -> Parsed<Subst> {
        let Some(token) = self.peek().cloned() else {
            return Err(self.expected("a substitution"));
        };
        let start = token.span;
        let TokenKind::Word(word) = token.kind else {
            return self.named();
        };
        self.enter()?;
        let kind = self.block(word)?;
        self.leave();
        Ok(self.subst(start, kind))
    }

    fn block(&mut self, word: &str) -> Parsed<SubstKind> {
        if !BLOCKS.contains(&word) {
            return Err(self.expected("a substitution"));
        }
        self.at += 1;
        match word {
            "skip" => Ok(SubstKind::Skip),
            "BEGIN" => {
                let inside = self.sequence_of_substs()?;
                self.expect_word("END")?;
                Ok(inside.kind)
            }
            "PRE" => {
                let (condition, body) = self.guarded()?;
                self.expect_word("END")?;
                Ok(SubstKind::Pre(condition, Box::new(body)))
            }
            "ASSERT" => {
                let (condition, body) = self.guarded()?;
                self.expect_word("END")?;
                Ok(SubstKind::Assert(condition, Box::new(body)))
            }
            "SELECT" | "WHEN" => {
                let (branches, otherwise) = self.branches("WHEN")?;
                Ok(SubstKind::Select(branches, otherwise))
            }
            "IF" => {
                let (branches, otherwise) = self.branches("ELSIF")?;
                Ok(SubstKind::If(branches, otherwise))
            }
            "CHOICE" => self.choice(),
            "ANY" => self.any(),
            "LET" => self.let_subst(),
            "VAR" => {
                let names = self.names("the name of a variable")?;
                self.expect_word("IN")?;
                let body = self.sequence_of_substs()?;
                self.expect_word("END")?;
                Ok(SubstKind::Var(names, Box::new(body)))
            }
            "CASE" => self.case(),
            _ => self.while_loop(),
        }
    }

    /// `P THEN S`
    fn guarded(&mut self) -> Parsed<Branch> {
        let condition = self.formula()?;
        self.expect_word("THEN")?;
        Ok((condition, self.sequence_of_substs()?))
    }

    /// `P THEN S WHEN Q THEN T ELSE U END`, where the word between is `WHEN` or `ELSIF`
    fn branches(&mut self, word: &str) -> Parsed<(Vec<Branch>, Option<Box<Subst>>)> {
        let mut branches = vec![self.guarded()?];
        while self.eat_word(word) {
            branches.push(self.guarded()?);
        }
        let otherwise = self.otherwise()?;
        self.expect_word("END")?;
        Ok((branches, otherwise))
    }

    fn otherwise(&mut self) -> Parsed<Option<Box<Subst>>> {
        if !self.eat_word("ELSE") {
            return Ok(None);
        }
        Ok(Some(Box::new(self.sequence_of_substs()?)))
    }

    fn choice(&mut self) -> Parsed<SubstKind> {
        let mut all = vec![self.sequence_of_substs()?];
        while self.eat_word("OR") {
            all.push(self.sequence_of_substs()?);
        }
        self.expect_word("END")?;
        Ok(SubstKind::Choice(all))
    }

    fn any(&mut self) -> Parsed<SubstKind> {
        let names = self.names("the name of a bound variable")?;
        self.expect_word("WHERE")?;
        let (condition, body) = self.guarded()?;
        self.expect_word("END")?;
        Ok(SubstKind::Any(names, condition, Box::new(body)))
    }

    fn let_subst(&mut self) -> Parsed<SubstKind> {
        let names = self.names("the name of a bound variable")?;
        self.expect_word("BE")?;
        let equations = self.formula()?;
        self.expect_word("IN")?;
        let body = self.sequence_of_substs()?;
        self.expect_word("END")?;
        Ok(SubstKind::Let(names, equations, Box::new(body)))
    }

    fn case(&mut self) -> Parsed<SubstKind> {
        let chosen = self.bracketed()?;
        self.expect_word("OF")?;
        self.expect_word("EITHER")?;
        let mut branches = vec![self.alternative()?];
        while self.eat_word("OR") {
            branches.push(self.alternative()?);
        }
        let otherwise = self.otherwise()?;
        self.expect_word("END")?;
        self.expect_word("END")?;
        Ok(SubstKind::Case(chosen, branches, otherwise))
    }

    fn alternative(&mut self) -> Parsed<(Vec<Expr>, Subst)> {
        let values = self.formulas()?;
        self.expect_word("THEN")?;
        Ok((values, self.sequence_of_substs()?))
    }

    fn formulas(&mut self) -> Parsed<Vec<Expr>> {
        let mut all = vec![self.formula()?];
        while self.eat(",") {
            all.push(self.formula()?);
        }
        Ok(all)
    }

    fn while_loop(&mut self) -> Parsed<SubstKind> {
        let condition = self.formula()?;
        self.expect_word("DO")?;
        let body = self.sequence_of_substs()?;
        self.expect_word("INVARIANT")?;
        let invariant = self.formula()?;
        self.expect_word("VARIANT")?;
        let variant = self.bracketed()?;
        self.expect_word("END")?;
        let parts = Box::new([condition, invariant, variant]);
        Ok(SubstKind::While(parts, Box::new(body)))
    }

    /// What begins with names.
    fn named(&mut self) -> Parsed<Subst> {
        let start = self.here();
        if self.peek().is_none_or(|t| t.name().is_none()) {
            return Err(self.expected("a substitution"));
        }
        let mut targets = vec![self.postfix()?];
        while self.eat(",") {
            targets.push(self.postfix()?);
        }
        let kind = if self.eat(":=") {
            SubstKind::Assign(targets, self.formulas()?)
        } else if self.eat("::") {
            SubstKind::BecomesElement(targets, self.formula()?)
        } else if self.eat(":") {
            SubstKind::BecomesSuch(targets, self.formula()?)
        } else if self.eat("<--") {
            let name = self.dotted("the name of an operation")?;
            let arguments = if self.eat("(") {
                self.list(")")?
            } else {
                Vec::new()
            };
            SubstKind::Call {
                results: targets,
                name,
                arguments,
            }
        } else {
            self.call(targets)?
        };
        Ok(self.subst(start, kind))
    }

    /// `op` or `op(E)` without results.
    fn call(&mut self, mut targets: Vec<Expr>) -> Parsed<SubstKind> {
        let last = targets.pop();
        match last {
            Some(expr) if targets.is_empty() => match called(expr) {
                Some((name, arguments)) => Ok(SubstKind::Call {
                    results: Vec::new(),
                    name,
                    arguments,
                }),
                None => Err(self.lost()),
            },
            _ => Err(self.lost()),
        }
    }

    fn lost(&mut self) -> Reported {
        self.expected("`:=`, `::`, `:(` or `<--`")
    }
}

/// The name and arguments of a formula that could be a call.
pub(crate) fn called(expr: Expr) -> Option<(Name, Vec<Expr>)> {
    match expr.kind {
        ExprKind::Name(name) => Some((name, Vec::new())),
        ExprKind::Apply(function, arguments) => match function.kind {
            ExprKind::Name(name) => Some((name, arguments)),
            _ => None,
        },
        _ => None,
    }
}

pub(super) const BLOCKS: [&str; 13] = [
    "skip", "BEGIN", "PRE", "ASSERT", "SELECT", "WHEN", "IF", "CHOICE", "ANY", "LET", "VAR",
    "CASE", "WHILE",
];
