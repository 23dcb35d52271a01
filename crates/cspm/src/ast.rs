//! The syntax tree of a script: what was written, before names are looked up.
//!
//! Processes, events, sets and functions are one kind of node, an expression: `P(x)` is a process,
//! a set or a number only once `P` is known. Files that a script includes are part of its tree,
//! where the `include` stood; spans say which file a node came from.
//!
//! `f(0) = 1` and `f(n) = n * f(n - 1)` in a row are one [`Function`] of two clauses. A definition
//! `x = e` of a plain name is a function without parameters; `(x, y) = e` is a [`DeclKind::Let`].
//!
//! Trees are shallow by construction: the parser refuses nesting deeper than [`DEPTH_MAX`], so that
//! walking over a tree by recursion is safe. Long chains of one operator, such as `a ^ b ^ c …`,
//! are as deep as they are long and count in the same way.

use base::Span;
use std::sync::Arc;

/// The deepest nesting of operators, brackets and prefixes in one expression.
pub const DEPTH_MAX: u16 = 400;

/// A name with its place. Names of modules stand before it: `M::N::x` has two.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// The modules that lead to it, outermost first; none for most names.
    pub modules: Vec<Arc<str>>,
    /// The name itself.
    pub text: Arc<str>,
    /// Where all of it stands.
    pub span: Span,
}

/// A script with all that it includes.
#[derive(Clone, Default, Debug)]
pub struct Script {
    /// In the order of the text.
    pub decls: Vec<Decl>,
}

/// One declaration.
#[derive(Clone, Debug)]
pub struct Decl {
    /// What it declares.
    pub kind: DeclKind,
    pub span: Span,
}

/// What a declaration declares.
#[derive(Clone, Debug)]
pub enum DeclKind {
    /// `f(x) = e`, or `x = e`.
    Function(Function),
    /// `(x, <y>^ys) = e`: a pattern that is no plain name.
    Let {
        /// What is bound.
        pattern: Pattern,
        /// To what.
        value: Expr,
    },
    /// `f, g :: Eq a => (a) -> Bool`.
    Annotation {
        /// The names.
        names: Vec<Name>,
        /// Their type.
        scheme: Scheme,
    },
    /// `channel c, d : T.{0..3}`.
    Channel {
        /// The channels.
        names: Vec<Name>,
        /// The fields, one expression with dots; none for a plain event.
        fields: Option<Expr>,
        /// The type of an annotation that names one of them; the annotation stays in the list.
        scheme: Option<Scheme>,
    },
    /// `datatype T = A | B.T.{0..1}`.
    Datatype(Datatype),
    /// `subtype S = A`.
    Subtype(Datatype),
    /// `nametype N = {0..3}`.
    Nametype {
        /// The name.
        name: Name,
        /// The set it names.
        value: Expr,
        /// The type of an annotation that names it; the annotation stays in the list.
        scheme: Option<Scheme>,
    },
    /// `transparent normal, sbisim`.
    Transparent(Vec<Name>),
    /// `external chase`.
    External(Vec<Name>),
    /// `assert P [T= Q`.
    Assert(Assertion),
    /// `print e`.
    Print(Expr),
    /// `module M(x) … exports … endmodule`.
    Module(Module),
    /// `instance I = M(1)`.
    Instance {
        /// The new module.
        name: Name,
        /// What it is made from.
        of: Name,
        /// With what.
        arguments: Vec<Expr>,
    },
    /// `Timed(f) { … }`; without `f`, every event takes one unit.
    Timed {
        /// How long an event takes.
        durations: Option<Expr>,
        /// What is inside.
        decls: Vec<Decl>,
    },
}

/// A function of one or more clauses.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: Name,
    /// Clauses in the order of the text; the first that fits is taken.
    pub clauses: Vec<Clause>,
}

/// One equation of a function.
#[derive(Clone, Debug)]
pub struct Clause {
    /// One list for each pair of brackets: `f(x, y)(z)` has two; none for `x = e`. `f() = e` has
    /// one list, and it is empty.
    pub parameters: Vec<Vec<Pattern>>,
    /// What it is worth.
    pub body: Expr,
    /// Where the equation stands.
    pub span: Span,
}

/// A datatype or subtype.
#[derive(Clone, Debug)]
pub struct Datatype {
    pub name: Name,
    /// Its constructors with their fields, one expression with dots each.
    pub constructors: Vec<(Name, Option<Expr>)>,
}

/// A module.
#[derive(Clone, Debug)]
pub struct Module {
    pub name: Name,
    /// What it is given.
    pub parameters: Vec<Pattern>,
    /// What only it sees.
    pub private: Vec<Decl>,
    /// What others see.
    pub exports: Vec<Decl>,
}

/// `assert`, with `not` taken off.
#[derive(Clone, Debug)]
pub struct Assertion {
    /// Whether `not` stood before it.
    pub is_negated: bool,
    /// What is claimed.
    pub claim: Claim,
    /// `:[tau priority over]: A` and the like, with their sets where they have one.
    pub options: Vec<(AssertOption, Option<Expr>)>,
}

/// What is said after a refinement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AssertOption {
    /// `:[tau priority]:` or `:[tau priority over]:`, with a set.
    TauPriority,
    /// `:[partial order reduce]`, with or without a way in inner brackets; it has no set.
    PartialOrder,
}

/// What is claimed.
#[derive(Clone, Debug)]
pub enum Claim {
    /// `Spec [T= Impl`.
    Refines {
        /// The left side.
        spec: Expr,
        /// The right side.
        implementation: Expr,
        /// In which model.
        model: Semantics,
    },
    /// `P :[deadlock free]` and the like.
    Has {
        /// The process.
        process: Expr,
        /// What it should have.
        property: Property,
        /// `[F]` and so on, where it stands.
        model: Option<Semantics>,
    },
    /// `P :[has trace]: <a, b>`.
    HasTrace {
        /// The process.
        process: Expr,
        /// The trace, a sequence of events.
        trace: Expr,
        /// `[T]` and so on, where it stands.
        model: Option<Semantics>,
    },
    /// `assert e` of a Boolean.
    Truth(Expr),
}

/// A property of one process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Property {
    /// `deadlock free`
    DeadlockFree,
    /// `divergence free`, `livelock free`
    DivergenceFree,
    /// `deterministic`
    Deterministic,
}

/// A semantic model.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Semantics {
    /// `[T=`
    Traces,
    /// `[F=`
    Failures,
    /// `[FD=`
    FailuresDivergences,
    /// `[V=`
    Revivals,
    /// `[VD=`
    RevivalsDivergences,
    /// `[R=`
    Refusals,
    /// `[RD=`
    RefusalsDivergences,
}

/// A type with what its variables must be able to do: `(Eq a, Set b) => (a) -> {b}`.
#[derive(Clone, Debug)]
pub struct Scheme {
    /// Class and variable.
    pub constraints: Vec<(Name, Name)>,
    /// The type.
    pub body: Type,
    pub span: Span,
}

/// A type as it is written.
#[derive(Clone, Debug)]
pub struct Type {
    /// What kind.
    pub kind: TypeKind,
    pub span: Span,
}

/// The kinds of written types.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// `Int`, `Bool`, `Char`, `Event`, `Proc`, or the name of a datatype.
    Named(Name),
    /// `a`: a name in lower case. A datatype of that name, where there is one, is meant instead.
    Variable(Name),
    /// `(t, u) -> v`
    Function(Vec<Type>, Box<Type>),
    /// `(t, u)`
    Tuple(Vec<Type>),
    /// `<t>`
    Sequence(Box<Type>),
    /// `{t}`
    Set(Box<Type>),
    /// `(| k => v |)`
    Map(Box<Type>, Box<Type>),
    /// `t.u`
    Dot(Box<Type>, Box<Type>),
    /// `t => u`
    Dotable(Box<Type>, Box<Type>),
    /// `t =>* u`
    Extendable(Box<Type>, Box<Type>),
}

/// A pattern.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// What kind.
    pub kind: PatternKind,
    pub span: Span,
}

/// The kinds of patterns. Whether a name is a new variable or a constructor is known only once the
/// datatypes are.
#[derive(Clone, Debug)]
pub enum PatternKind {
    /// A variable, constructor or channel.
    Name(Name),
    /// `_`
    Any,
    /// `3`, `-3`
    Number(i64),
    /// `true`
    Bool(bool),
    /// `'c'`
    Char(char),
    /// `"text"`
    Text(Arc<str>),
    /// `(p, q)`
    Tuple(Vec<Pattern>),
    /// `<p, q>`
    Sequence(Vec<Pattern>),
    /// `{}` and `{p}`.
    Set(Vec<Pattern>),
    /// `p^q`
    Concat(Box<Pattern>, Box<Pattern>),
    /// `p.q`
    Dot(Box<Pattern>, Box<Pattern>),
    /// `p @@ q`
    Both(Box<Pattern>, Box<Pattern>),
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What kind.
    pub kind: ExprKind,
    pub span: Span,
}

/// The kinds of expressions that are no processes, and [`ExprKind::Process`].
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A name; built-in ones too: `STOP`, `Events`, `card`. `True` and `False` are names, which a
    /// script may define anew.
    Name(Name),
    /// `3`
    Number(i64),
    /// `true`
    Bool(bool),
    /// `'c'`
    Char(char),
    /// `"text"`
    Text(Arc<str>),
    /// `(e)`: kept, because `(a.b).c` and `a.b.c` differ to some readers of dots.
    Brackets(Box<Expr>),
    /// `(e, f)`
    Tuple(Vec<Expr>),
    /// `<e, f>`, `<e.. >`, `<e | x <- s>`.
    Sequence(BracketElements),
    /// `{e, f}`, `{e..f}`, `{e | x <- s}`.
    Set(BracketElements),
    /// `{| c, d |}`, with or without `| x <- s`.
    Closure(BracketElements),
    /// `(| k => v |)`
    Map(Vec<(Expr, Expr)>),
    /// `f(x, y)`
    Apply(Box<Expr>, Vec<Expr>),
    /// `\ x, y @ e`
    Lambda(Vec<Pattern>, Box<Expr>),
    /// `let … within e`
    Let(Vec<Decl>, Box<Expr>),
    /// `if c then e else f`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `-e`, `not e`, `#e`
    Unary(UnaryOp, Box<Expr>),
    /// `e + f`, `e == f`, `e and f`, `e ^ f` …
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `e.f`
    Dot(Box<Expr>, Box<Expr>),
    /// A process operator.
    Process(Box<Process>),
}

/// What stands between brackets of a sequence, set or closure.
#[derive(Clone, Debug)]
pub enum BracketElements {
    /// `e, f`
    List(Vec<Expr>),
    /// `e..f`, and `e..` without end.
    Range(Box<Expr>, Option<Box<Expr>>),
    /// `e, f | x <- s, x > 0`
    Such(Vec<Expr>, Vec<Statement>),
    /// `e..f | x <- s`
    RangeSuch(Box<Expr>, Option<Box<Expr>>, Vec<Statement>),
}

/// What stands behind the bar of a comprehension or before the `@` of a replicated operator.
#[derive(Clone, Debug)]
pub enum Statement {
    /// `p <- s`, in replicated operators `p : s`.
    From(Pattern, Expr),
    /// A condition.
    If(Expr),
}

/// Operators of one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// `-`
    Minus,
    /// `not`
    Not,
    /// `#`
    Length,
}

/// Operators of two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`, rounding down
    Divide,
    /// `%`
    Modulo,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    More,
    /// `>=`
    AtLeast,
    /// `and`
    And,
    /// `or`
    Or,
    /// `^`
    Concat,
}

/// The process operators.
#[derive(Clone, Debug)]
pub enum Process {
    /// `c!x?y:S$z -> P`
    Prefix {
        /// What stands before the first `!`, `?` or `$`.
        event: Expr,
        /// The rest of the event.
        fields: Vec<PrefixField>,
        /// What follows.
        then: Expr,
    },
    /// `b & P`
    Guard(Expr, Expr),
    /// Two processes.
    Binary(ProcessOp, Expr, Expr),
    /// `P \ A`
    Hide(Expr, Expr),
    /// `P |\ A`: all but `A` is hidden.
    Project(Expr, Expr),
    /// `P [[ a <- b, c <- d | x <- S ]]`
    Rename {
        /// The process.
        process: Expr,
        /// What becomes what.
        pairs: Vec<(Expr, Expr)>,
        /// Behind the bar.
        such: Vec<Statement>,
    },
    /// `P [ a <-> b | x <- S ] Q`
    Link {
        /// The left process.
        left: Expr,
        /// Which of its events are joined to which of the right one's.
        pairs: Vec<(Expr, Expr)>,
        /// Behind the bar.
        such: Vec<Statement>,
        /// The right process.
        right: Expr,
    },
    /// `op x : S, y : T @ P`
    Replicated {
        /// The operator.
        op: ReplicatedOp,
        /// The generators.
        over: Vec<Statement>,
        /// What is replicated.
        body: Expr,
    },
}

/// A field of an event in a prefix.
#[derive(Clone, Debug)]
pub enum PrefixField {
    /// `!e`
    Output(Expr),
    /// `?p:S`
    Input(Pattern, Option<Expr>),
    /// `$p:S`
    Choose(Pattern, Option<Expr>),
}

/// Operators of two processes.
#[derive(Clone, Debug)]
pub enum ProcessOp {
    /// `[]`
    External,
    /// `|~|`
    Internal,
    /// `;`
    Then,
    /// `/\`
    Interrupt,
    /// `[>`
    Slide,
    /// `|||`
    Interleave,
    /// `[| A |]`
    Parallel(Expr),
    /// `[ A || B ]`
    Alphabetised(Expr, Expr),
    /// `[| A |>`
    Exception(Expr),
    /// `[+ A +]`
    SyncExternal(Expr),
    /// `/+ A +\`
    SyncInterrupt(Expr),
}

/// Operators that take many processes.
#[derive(Clone, Debug)]
pub enum ReplicatedOp {
    /// `[]`
    External,
    /// `|~|`
    Internal,
    /// `;` over a sequence
    Then,
    /// `|||`
    Interleave,
    /// `[| A |]`
    Parallel(Expr),
    /// `|| x : S @ [ A(x) ] P(x)`: the alphabet sees the generators.
    Alphabetised(Expr),
    /// `[ a <-> b ]` over a sequence
    Link(Vec<(Expr, Expr)>, Vec<Statement>),
    /// `[+ A +]`
    SyncExternal(Expr),
}
