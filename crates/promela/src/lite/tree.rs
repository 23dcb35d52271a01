//! What a text of Promela-Lite says.

use base::Span;
use std::rc::Rc;

/// A name and where it stands.
#[derive(Clone, Debug)]
pub struct LiteName {
    /// As written.
    pub text: String,
    pub span: Span,
}

/// A type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LiteType {
    /// `int`
    Int,
    /// `pid`
    Pid,
    /// `chan{T, …}`
    Chan(Vec<Rc<LiteType>>),
    /// `rec X . T`
    Rec(String, Rc<LiteType>),
    /// The variable of a `rec` around it.
    Variable(String),
}

/// A whole text.
#[derive(Default, Debug)]
pub struct LiteModel {
    pub channels: Vec<LiteChannel>,
    pub globals: Vec<LiteGlobal>,
    pub processes: Vec<LiteProcess>,
    pub runs: Vec<LiteRun>,
}

/// `chan c = [n] of {T, …};`
#[derive(Debug)]
pub struct LiteChannel {
    pub name: LiteName,
    pub capacity: (i64, Span),
    pub fields: Vec<WrittenType>,
}

/// A type where it was written.
#[derive(Clone, Debug)]
pub struct WrittenType {
    pub ty: Rc<LiteType>,
    pub span: Span,
}

/// `int x = n;`
#[derive(Debug)]
pub struct LiteGlobal {
    pub ty: WrittenType,
    pub name: LiteName,
    pub value: (i64, Span),
}

/// `proctype P(T x; …) { do :: … od }`
#[derive(Debug)]
pub struct LiteProcess {
    pub name: LiteName,
    pub parameters: Vec<(WrittenType, LiteName)>,
    pub statements: Vec<LiteStatement>,
}

/// `atomic { guard -> update; … }`
#[derive(Debug)]
pub struct LiteStatement {
    pub guard: LiteGuard,
    pub updates: Vec<LiteUpdate>,
}

/// A condition.
#[derive(Debug)]
pub enum LiteGuard {
    /// Two expressions with an operator between them.
    Compare(LiteExpr, &'static str, LiteExpr, Span),
    /// `nfull(c)`, and otherwise `nempty(c)`; the place of all of it.
    Probe(bool, LiteName, Span),
    /// `!` and a condition; the place of both.
    Not(Box<LiteGuard>, Span),
    /// Joined by `&&`, or else by `||`.
    Joined(bool, Vec<LiteGuard>),
}

/// A part of what a statement does.
#[derive(Debug)]
pub enum LiteUpdate {
    Skip,
    Assign(LiteName, LiteExpr),
    Receive(LiteName, Vec<LiteName>, Span),
    Send(LiteName, Vec<LiteExpr>, Span),
}

/// An expression.
#[derive(Debug)]
pub struct LiteExpr {
    pub kind: LiteExprKind,
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Debug)]
pub enum LiteExprKind {
    Number(i64),
    Pid,
    Null,
    Name(String),
    /// `len(c)`
    Length(LiteName),
    /// `+`, `-`, `*`
    Arithmetic(Box<LiteExpr>, Box<LiteExpr>),
    /// In parentheses.
    Enclosed(Box<LiteExpr>),
}

/// `run P(a, …)`
#[derive(Debug)]
pub struct LiteRun {
    pub process: LiteName,
    pub arguments: Vec<LiteExpr>,
}
