//! The syntax tree of a machine: what was written, before names are looked up.
//!
//! Predicates and expressions are one kind of node, a formula: whether `(D)` is the one or the
//! other is known only once the definition `D` is. Definitions are kept beside the text that uses
//! them and expanded while types are found.
//!
//! Trees are shallow by construction: the parser refuses nesting deeper than [`DEPTH_MAX`], so that
//! walking over a tree by recursion is safe.

use base::{SourceId, Span};
use num_bigint::BigInt;
use std::sync::Arc;

/// The deepest nesting of operators in one formula or substitution.
pub const DEPTH_MAX: u16 = 300;

/// A name with its place; dots are part of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// As written.
    pub text: Arc<str>,
    pub span: Span,
}

/// What stands before the name of a machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Header {
    /// `MACHINE`, `MODEL`, `SYSTEM`.
    Machine,
    /// `REFINEMENT`.
    Refinement,
    /// `IMPLEMENTATION`.
    Implementation,
}

/// One machine as it stands in its file.
#[derive(Clone, Debug)]
pub struct Machine {
    /// Which text it is in.
    pub source: SourceId,
    /// What kind of machine.
    pub header: Header,
    pub name: Name,
    /// What it is given.
    pub parameters: Vec<Name>,
    /// `REFINES`.
    pub refines: Option<Name>,
    /// `SEES`, `USES`, `INCLUDES`, `EXTENDS`, `IMPORTS`.
    pub links: Vec<MachineReference>,
    /// `PROMOTES`.
    pub promotes: Vec<Name>,
    /// `SETS`.
    pub sets: Vec<GivenSet>,
    /// All kinds of constants.
    pub constants: Vec<Name>,
    /// All kinds of variables.
    pub variables: Vec<Name>,
    /// Those of them that are concrete: a refinement has them without declaring them.
    pub concrete: Vec<Arc<str>>,
    /// `CONSTRAINTS`, then `PROPERTIES`.
    pub properties: Vec<Expr>,
    /// `VALUES`.
    pub values: Vec<(Name, Expr)>,
    /// `INVARIANT`.
    pub invariant: Vec<Expr>,
    /// `ASSERTIONS`.
    pub assertions: Vec<Expr>,
    /// `INITIALISATION`.
    pub initialisation: Option<Subst>,
    /// `OPERATIONS`, `EVENTS`, `LOCAL_OPERATIONS`.
    pub operations: Vec<Operation>,
    /// `DEFINITIONS`, also of files that it reads.
    pub definitions: Vec<Definition>,
    /// Files of definitions that it asks for.
    pub files: Vec<(Arc<str>, Span)>,
}

/// How a machine belongs to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LinkKind {
    /// `SEES` and `USES`: one machine for all who see it.
    Sees,
    /// `INCLUDES` and `IMPORTS`.
    Includes,
    /// `EXTENDS`: includes and promotes all operations.
    Extends,
}

/// A machine that belongs to another.
#[derive(Clone, Debug)]
pub struct MachineReference {
    /// How.
    pub kind: LinkKind,
    /// What stands before the last dot.
    pub prefix: Option<Arc<str>>,
    pub machine: Name,
    /// What it is given.
    pub arguments: Vec<Expr>,
}

/// A set of the clause `SETS`.
#[derive(Clone, Debug)]
pub struct GivenSet {
    pub name: Name,
    /// Its elements, if they are listed.
    pub elements: Option<Vec<Name>>,
}

/// An operation.
#[derive(Clone, Debug)]
pub struct Operation {
    pub name: Name,
    /// What it gives back.
    pub results: Vec<Name>,
    /// What it is given.
    pub parameters: Vec<Name>,
    /// What it does.
    pub body: Subst,
    /// Whether it stands under `LOCAL_OPERATIONS`.
    pub is_local: bool,
}

/// A definition.
#[derive(Clone, Debug)]
pub struct Definition {
    pub name: Name,
    /// What it is given.
    pub parameters: Vec<Name>,
    /// What it stands for.
    pub body: DefinitionBody,
}

/// What a definition stands for.
#[derive(Clone, Debug)]
pub enum DefinitionBody {
    /// A predicate or an expression.
    Formula(Expr),
    /// A substitution.
    Subst(Subst),
}

/// A predicate or an expression.
#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
    /// One more than the deepest operand, at most [`DEPTH_MAX`].
    pub depth: u16,
}

/// The kinds of formulas.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number of 64 bits.
    Int(i64),
    /// A number that does not fit into 64 bits.
    Big(Arc<BigInt>),
    /// A text.
    Text(Arc<str>),
    /// A name.
    Name(Name),
    /// `x$0`.
    Old(Name),
    /// A word that is a formula by itself: `TRUE`, `BOOL`, `btrue`, `MAXINT`, …
    Word(&'static str),
    /// A word with its operands: `card(S)`, `prj1(S, T)`, …
    Call(&'static str, Vec<Expr>),
    /// Two operands and the mark between them.
    Infix(&'static str, Box<Expr>, Box<Expr>),
    /// `P & Q & …`.
    And(Vec<Expr>),
    /// `P or Q or …`.
    Or(Vec<Expr>),
    /// `not(P)`.
    Not(Box<Expr>),
    /// `-e`.
    Minus(Box<Expr>),
    /// `r~`.
    Inverse(Box<Expr>),
    /// `f(x, y)`.
    Apply(Box<Expr>, Vec<Expr>),
    /// `r[S]`.
    Image(Box<Expr>, Box<Expr>),
    /// `r'a`.
    Field(Box<Expr>, Name),
    /// `(a, b, …)`, at least two.
    Tuple(Vec<Expr>),
    /// `{a, b, …}`; none for the empty set.
    Set(Vec<Expr>),
    /// `[a, b, …]`; none for the empty sequence.
    Seq(Vec<Expr>),
    /// `{x, y | P}`.
    Comprehension(Vec<Name>, Box<Expr>),
    /// `{x · P | E}`.
    Collected(Vec<Name>, Box<[Expr; 2]>),
    /// `!x.(P)` and `#x.(P)`: the mark, what is bound, the predicate.
    Quantified(&'static str, Vec<Name>, Box<Expr>),
    /// `%x.(P | E)`, `SIGMA`, `PI`, `UNION`, `INTER`.
    Over(&'static str, Vec<Name>, Box<[Expr; 2]>),
    /// `rec(a: E, …)` and `struct(a: S, …)`.
    Record(&'static str, Vec<(Name, Expr)>),
    /// `IF P THEN a ELSE b END`.
    If(Box<[Expr; 3]>),
    /// `LET x BE x = E IN F END`: what is bound, the equations, the rest.
    Let(Vec<Name>, Box<[Expr; 2]>),
}

/// A substitution.
#[derive(Clone, Debug)]
pub struct Subst {
    pub kind: SubstKind,
    pub span: Span,
}

/// A condition and what is done then.
pub type Branch = (Expr, Subst);

/// The kinds of substitutions.
#[derive(Clone, Debug)]
pub enum SubstKind {
    /// `skip`.
    Skip,
    /// `a, b := E, F`.
    Assign(Vec<Expr>, Vec<Expr>),
    /// `a :: S`.
    BecomesElement(Vec<Expr>, Expr),
    /// `a, b : (P)`.
    BecomesSuch(Vec<Expr>, Expr),
    /// `S || T || …`.
    Parallel(Vec<Subst>),
    /// `S ; T ; …`.
    Sequence(Vec<Subst>),
    /// `PRE P THEN S END`.
    Pre(Expr, Box<Subst>),
    /// `ASSERT P THEN S END`.
    Assert(Expr, Box<Subst>),
    /// `SELECT … WHEN … ELSE … END`.
    Select(Vec<Branch>, Option<Box<Subst>>),
    /// `IF … ELSIF … ELSE … END`.
    If(Vec<Branch>, Option<Box<Subst>>),
    /// `CHOICE … OR … END`.
    Choice(Vec<Subst>),
    /// `ANY x WHERE P THEN S END`.
    Any(Vec<Name>, Expr, Box<Subst>),
    /// `LET x BE x = E IN S END`.
    Let(Vec<Name>, Expr, Box<Subst>),
    /// `VAR x IN S END`.
    Var(Vec<Name>, Box<Subst>),
    /// `CASE E OF EITHER v THEN S OR … ELSE … END END`.
    Case(Expr, Vec<(Vec<Expr>, Subst)>, Option<Box<Subst>>),
    /// `WHILE P DO S INVARIANT I VARIANT V END`.
    While(Box<[Expr; 3]>, Box<Subst>),
    /// `a, b <-- op(E)`; also a definition that is used as a substitution.
    Call {
        /// Where the results go.
        results: Vec<Expr>,
        /// Which operation.
        name: Name,
        /// What it is given.
        arguments: Vec<Expr>,
    },
}
