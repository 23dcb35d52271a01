//! Formulas of temporal logic from text: `G([new] => X e(del))`, `AG EF {active = {}}`.
//!
//! What is read here is a [`FormulaTree`]: operators of time and connectives, and at its leaves
//! what is said of single states and steps. Leaves that are written in B (predicates in braces,
//! operations with arguments) are read as B and get their types with the rest of the machine.
//!
//! | loosest first | linear time | branching time |
//! |---|---|---|
//! | equivalence | `<=>` | `<=>` |
//! | implication, from the left | `=>` `->` | `=>` `->` |
//! | and, or: of one strength, from the left | `&` `or` | `&` `or` |
//! | two formulas, from the left | `U` `W` `R`, `S` `T` | `E f U g`, `A f U g`, with `W`, `R` |
//! | one formula | `not` `!` `G` `F` `X`, `Y` `O` `H` | `not` `!` `AG` … `EX`, `EX[op]` |
//! | of elements of a set | `!x.(f)` `#x.(f)` | `!x.(f)` `#x.(f)` |
//!
//! Letters need no space between them: `GF` is `G F`. Worked example: `G {x = 1} => F sink` is
//! `(G {x = 1}) => (F sink)`.
//!
//! What can be written and is not checked (`current`) gives no tree but the reason, with its place.

pub(crate) mod meaning;
mod read;

use crate::ast::{Expr, Name};
use base::Span;

/// A formula of a machine, or of the command line, that was read.
#[derive(Debug)]
pub struct ParsedFormula {
    /// The name of its definition, `ASSERT_LTL_fair`.
    pub name: String,
    /// Whether it is about linear time.
    pub is_linear: bool,
    /// As written.
    pub text: String,
    /// Where that is.
    pub span: Span,
    /// Whether it comes from the command line, where a mistake is an error.
    pub is_typed: bool,
    /// The formula, or that `found` says what is wrong.
    pub tree: Option<FormulaTree>,
    /// What is wrong with it.
    pub wrong: Vec<base::Diagnostic>,
}

/// A formula of temporal logic.
#[derive(Debug)]
pub enum FormulaTree {
    /// `true` or `false`.
    Constant(bool),
    /// What is said of a state or a step.
    Leaf(StateFormula, Span),
    /// `not f`.
    Not(Box<FormulaTree>),
    /// `f & g`.
    And(Box<FormulaTree>, Box<FormulaTree>),
    /// `f or g`.
    Or(Box<FormulaTree>, Box<FormulaTree>),
    /// `f => g`.
    Implies(Box<FormulaTree>, Box<FormulaTree>),
    /// `f <=> g`.
    Iff(Box<FormulaTree>, Box<FormulaTree>),
    /// `G f`, `EF f`, …
    Unary(Option<PathQuantifier>, UnaryTemporal, Box<FormulaTree>),
    /// `f U g`, `E f U g`, …
    Binary(
        Option<PathQuantifier>,
        BinaryTemporal,
        Box<FormulaTree>,
        Box<FormulaTree>,
    ),
    /// `EX[op] f`.
    ByStep(Expr, Box<FormulaTree>, Span),
    /// `!x.(f)`, `#x.(f)`: of all values of `x`, or of some.
    Quantified(PathQuantifier, Name, Box<FormulaTree>),
}

/// What is said of a state or of the step that leaves it.
#[derive(Debug)]
pub enum StateFormula {
    /// `{P}`.
    Pred(Expr),
    /// `e(op)`.
    Enabled(Expr),
    /// `[op]`: the next step is one of these.
    Next(Expr),
    /// `deadlock`: nothing is enabled.
    Dead,
    /// `sink`: no step leads to another state.
    Sink,
    /// `deadlock(a, b)`, `deterministic(a, b)`, `controller(a, b)`: how many of them are enabled.
    Count(Count, Vec<Expr>),
    /// `WF(op)`, `SF(op)`; without an operation `WEF`, `SEF`: of each.
    Fair(Fair, Option<Expr>),
    /// `goal`: the definition `GOAL` holds.
    Goal,
}

/// Over which runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathQuantifier {
    /// `A`: all.
    All,
    /// `E`: at least one.
    Some,
}

/// Operators of time of one formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryTemporal {
    /// `X`.
    Next,
    /// `F`.
    Finally,
    /// `G`.
    Globally,
    /// `Y`.
    Yesterday,
    /// `O`.
    Once,
    /// `H`.
    Historically,
}

/// Operators of time of two formulas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryTemporal {
    /// `U`.
    Until,
    /// `W`.
    WeakUntil,
    /// `R`.
    Release,
    /// `S`.
    Since,
    /// `T`.
    Trigger,
}

/// How many of some operations are enabled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// None.
    None,
    /// At most one.
    AtMostOne,
    /// Exactly one.
    One,
}

/// What a fair run does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fair {
    /// What is enabled from some point on is taken again and again.
    Weak,
    /// What is enabled again and again is taken again and again.
    Strong,
}

impl ParsedFormula {
    /// Reads the text that stands at `span`, with `quotes` bytes before and behind it.
    pub fn read(
        name: &str,
        is_linear: bool,
        text: &str,
        span: Span,
        quotes: usize,
    ) -> ParsedFormula {
        // Where escapes were replaced, places inside are not known.
        let is_verbatim = span.range().len() == text.len() + 2 * quotes;
        let place = is_verbatim.then(|| span.start as usize + quotes);
        let (tree, wrong) = read::read(text, is_linear, (span, place));
        ParsedFormula {
            name: name.to_owned(),
            is_linear,
            text: text.to_owned(),
            span,
            is_typed: quotes == 0,
            tree,
            wrong,
        }
    }
}
