//! A script made ready to run: names are places, and what is put off knows what it needs.
//!
//! Every function, suspended expression and comprehension has a frame of numbered slots. Arguments
//! stand in the first ones; variables of patterns and of `let` get the next; a variable of a frame
//! further out is copied into a slot of its own when the inner thing is made. So a thunk or closure
//! holds exactly the values it needs, and two of them are the same if these are.
//!
//! ```text
//! f(x, y) = let z = x + 1 within \ w @ w + z
//! f: slots x = 0, y = 1, z = 2      z: lazy, copies slot 0 of f into its slot 0
//! the lambda: w = 0, z = 1          made with a copy of slot 2 of f
//! ```

use crate::ast::{Assertion, BinaryOp, Semantics};
use crate::process::Term;
use crate::value::{FnId, GroupId, LazyId, MakerId, Value};
use base::Span;
use std::sync::Arc;

/// A script ready to run.
#[derive(Default, Debug)]
pub struct Program {
    /// All functions.
    pub functions: Vec<FnCode>,
    /// All suspended expressions.
    pub lazies: Vec<Lazy>,
    /// All groups of local definitions that need each other.
    pub groups: Vec<GroupCode>,
    /// Definitions of the script and its modules.
    pub globals: Vec<Global>,
    /// Constructors and channels in the order of their declaration.
    pub makers: Vec<Maker>,
    /// Datatypes.
    pub datatypes: Vec<Datatype>,
    /// `assert` and its parts.
    pub assertions: Vec<AssertCode>,
    /// `print` and what is printed.
    pub prints: Vec<(Span, LazyId)>,
    /// Definitions by the name a user types, modules before it.
    pub names: std::collections::BTreeMap<String, ExprCode>,
    /// What is passed over or taken as something else, said once each.
    pub remarks: Vec<(Span, String)>,
}

/// A function.
#[derive(Debug)]
pub struct FnCode {
    /// Its name, for messages.
    pub name: Arc<str>,
    /// Where it is defined: its first equation.
    pub span: Span,
    /// How many arguments each pair of brackets takes.
    pub lists: Box<[usize]>,
    /// Its equations.
    pub clauses: Vec<ClauseCode>,
    /// Into which slots captured values go.
    pub own: Box<[u32]>,
    /// How many slots it needs.
    pub n_slots: usize,
    /// Whether it gives a process, so that a call may be put off.
    pub is_process: bool,
}

/// An equation: patterns of the arguments, then the body.
#[derive(Debug)]
pub struct ClauseCode {
    /// One for each argument.
    pub patterns: Box<[Pat]>,
    /// What it is worth.
    pub body: ExprCode,
}

/// An expression that is evaluated later, in a frame of its own.
#[derive(Debug)]
pub struct Lazy {
    /// The expression.
    pub body: ExprCode,
    /// Into which slots captured values go.
    pub own: Box<[u32]>,
    /// What the captured variables are called.
    pub called: Box<[Arc<str>]>,
    /// How many slots it needs.
    pub n_slots: usize,
    /// The definition it stands in, for messages.
    pub within: Arc<str>,
    /// Where it stands.
    pub span: Span,
}

/// Local definitions that need each other. Slot 0 of their frame is the group itself, the others
/// are what it captures.
#[derive(Debug)]
pub struct GroupCode {
    /// The definitions.
    pub members: Vec<GroupMember>,
    /// Into which slots captured values go.
    pub own: Box<[u32]>,
}

/// A member of a group.
#[derive(Debug)]
pub struct GroupMember {
    pub name: Arc<str>,
    /// Whether it is a process without parameters.
    pub is_process: bool,
    /// What it is.
    pub kind: MemberKind,
}

/// What a local definition is.
#[derive(Debug)]
pub enum MemberKind {
    /// A function with parameters.
    Function(CaptureSite<FnId>),
    /// Anything else.
    Value(CaptureSite<LazyId>),
}

/// Where something that captures values is made: what, and from which slots.
#[derive(Clone, Debug)]
pub struct CaptureSite<T> {
    /// What is made.
    pub id: T,
    /// The slots of the frame around it.
    pub from: Box<[u32]>,
}

/// A definition of the script.
#[derive(Debug)]
pub struct Global {
    /// Its name with the modules it stands in.
    pub name: Arc<str>,
    /// Where it is defined.
    pub span: Span,
    /// What it is.
    pub kind: GlobalKind,
    /// Whether it is a process without parameters.
    pub is_process: bool,
}

/// What a definition of the script is.
#[derive(Clone, Copy, Debug)]
pub enum GlobalKind {
    /// A function with parameters.
    Function(FnId),
    /// Anything else.
    Value(LazyId),
    /// Not compiled yet.
    Pending,
}

/// A constructor or channel.
#[derive(Debug)]
pub struct Maker {
    /// Its name with the modules it stands in.
    pub name: Arc<str>,
    /// Where it is declared.
    pub span: Span,
    /// Whether it is a channel.
    pub is_channel: bool,
    /// The parts of the type of its fields, to be evaluated in an empty frame.
    pub fields: Vec<LazyId>,
}

/// A datatype or subtype.
#[derive(Debug)]
pub struct Datatype {
    pub name: Arc<str>,
    /// Where it is declared.
    pub span: Span,
    /// Its constructors; with the parts of its fields if it is a subtype.
    pub makers: Vec<(MakerId, Option<Vec<LazyId>>)>,
}

/// An assertion with its expressions compiled, in the order they stand in it.
#[derive(Debug)]
pub struct AssertCode {
    /// Where it stands.
    pub span: Span,
    /// As it was written.
    pub ast: Assertion,
    /// Its expressions.
    pub parts: Vec<LazyId>,
    /// The model, if one is named.
    pub model: Option<Semantics>,
}

/// An expression.
#[derive(Debug)]
pub enum ExprCode {
    /// A value that is known.
    Known(Value),
    /// A variable.
    Slot(u32),
    /// A definition of the script.
    Global(u32),
    /// A member of the group in a slot.
    Member(u32, u32),
    /// Put off; only where something may be put off.
    Lazy(CaptureSite<LazyId>),
    /// Evaluated at once if that takes no more than arithmetic on known numbers, else put off.
    Cheap(Box<ExprCode>, CaptureSite<LazyId>),
    /// `(a, b)`
    Tuple(Box<[ExprCode]>),
    /// `<a, b>`
    List(Box<[ExprCode]>),
    /// `<a..b>`, `<a..>`
    ListRange(Box<(ExprCode, Option<ExprCode>)>, Span),
    /// `<a | x <- s>`: its body is a [`ExprCode::Such`].
    ListSuch(CaptureSite<LazyId>),
    /// A comprehension as the body of a [`ExprCode::ListSuch`].
    Such(Box<Such>),
    /// `{a, b}`
    SetList(Box<[ExprCode]>),
    /// `{a..b}`, `{a..}`
    SetRange(Box<(ExprCode, Option<ExprCode>)>, Span),
    /// `{a | x <- s}`
    SetSuch(Box<Such>),
    /// `{| a, b |}`
    Closure(Box<[ExprCode]>, Span),
    /// `{| a | x <- s |}`
    ClosureSuch(Box<Such>, Span),
    /// `(| k => v |)`
    Map(Box<[(ExprCode, ExprCode)]>),
    /// `f(x, y)`
    Apply(Box<ExprCode>, Box<[ExprCode]>, Span),
    /// `\ x @ e`
    Lambda(CaptureSite<FnId>),
    /// `let … within e`
    Let(Box<[LetStep]>, Box<ExprCode>),
    /// What a variable of a pattern is in a value.
    Select(Box<Select>),
    /// `if c then a else b`
    If(Box<(ExprCode, ExprCode, ExprCode)>, Span),
    /// `not a`
    Not(Box<ExprCode>, Span),
    /// `-a`
    Negate(Box<ExprCode>, Span),
    /// `#a`
    Length(Box<ExprCode>, Span),
    /// `a and b`, `a or b`
    Both(bool, Box<(ExprCode, ExprCode)>, Span),
    /// `a + b`, `a < b`, `a == b` …
    Binary(BinaryOp, Box<(ExprCode, ExprCode)>, Span),
    /// `a ^ b`; the second is put off.
    Concat(Box<(ExprCode, ExprCode)>, Span),
    /// `a.b`
    Dot(Box<(ExprCode, ExprCode)>, Span),
    /// A type with dots: its parts are sets.
    TypeDot(Box<[ExprCode]>, Span),
    /// A type of tuples.
    TypeTuple(Box<[ExprCode]>, Span),
    /// The values of a datatype.
    Datatype(u32),
    /// `Events`
    Events,
    /// A process that is a constant of the language.
    Term(Term),
    /// A process operator.
    Process(Box<ProcessCode>),
    /// Something that cannot be evaluated: why.
    Refused(Box<str>, Span),
}

/// A step of a `let`.
#[derive(Debug)]
pub enum LetStep {
    /// A value into a slot.
    Value(u32, ExprCode),
    /// A group into a slot.
    Group(u32, CaptureSite<GroupId>),
}

/// Which part of a value a variable of a pattern is.
#[derive(Debug)]
pub struct Select {
    /// The value.
    pub value: ExprCode,
    /// The pattern.
    pub pattern: Pat,
    /// Where the variable is once the pattern fits.
    pub slot: u32,
    /// Where the pattern stands.
    pub span: Span,
}

/// A comprehension.
#[derive(Debug)]
pub struct Such {
    /// What is collected.
    pub heads: Heads,
    /// Generators and conditions.
    pub statements: Box<[Qualifier]>,
}

/// What a comprehension collects.
#[derive(Debug)]
pub enum Heads {
    /// `a, b`
    List(Box<[ExprCode]>),
    /// `a..b`, `a..`
    Range(ExprCode, Option<ExprCode>, Span),
}

/// A generator or condition.
#[derive(Debug)]
pub enum Qualifier {
    /// `p <- s`
    From(Pat, ExprCode, Span),
    /// A condition.
    If(ExprCode, Span),
}

/// A pattern; variables are slots.
#[derive(Debug)]
pub enum Pat {
    /// `_`
    Any,
    /// A variable.
    Bind(u32),
    /// A number, truth value or character.
    Known(Value),
    /// A constructor or channel.
    Maker(MakerId),
    /// `(p, q)`
    Tuple(Box<[Pat]>),
    /// `<p, q>^r^<s>`: the first ones, the middle if there is one, the last ones.
    Sequence(Box<[Pat]>, Option<Box<Pat>>, Box<[Pat]>),
    /// `{}`
    EmptySet,
    /// `{p}`
    Singleton(Box<Pat>),
    /// `p.q.r`, taken apart.
    Dot(Box<[Pat]>),
    /// `p @@ q`
    Both(Box<(Pat, Pat)>),
}

/// A process operator. Sets of events are expressions.
#[derive(Debug)]
pub enum ProcessCode {
    /// `c!x?y -> P`
    Prefix(PrefixCode),
    /// Two processes.
    Binary(Operator, Box<[ExprCode]>, ExprCode, ExprCode, Span),
    /// `P \ A`
    Hide(ExprCode, ExprCode, Span),
    /// `P |\ A`
    Project(ExprCode, ExprCode, Span),
    /// `P [[ a <- b | x <- s ]]`
    Rename(ExprCode, PairsCode),
    /// `P [ a <-> b | x <- s ] Q`
    Link(ExprCode, PairsCode, ExprCode),
    /// An operator over many; sets that see the generators are evaluated for each.
    Replicated(ReplicatedCode),
}

/// Operators that have a form for two and one for many.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operator {
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
    Parallel,
    /// `[ A || B ]`
    Alphabetised,
    /// `[| A |>`
    Exception,
    /// `[+ A +]`
    SyncExternal,
    /// `/+ A +\`
    SyncInterrupt,
    /// `[ a <-> b ]`
    Link,
}

/// `c!x?y -> P`
#[derive(Debug)]
pub struct PrefixCode {
    /// What stands before the first `!`, `?` or `$`.
    pub event: ExprCode,
    /// The rest of the event.
    pub fields: Vec<FieldCode>,
    /// What follows, put off.
    pub then: CaptureSite<LazyId>,
    /// Where the event stands.
    pub span: Span,
    /// The function that says how long an event takes, and `tock`, in a timed section.
    pub timed: Option<(ExprCode, MakerId)>,
}

/// A field of an event in a prefix.
#[derive(Debug)]
pub enum FieldCode {
    /// `!e`
    Output(ExprCode),
    /// `?p:S`; the flag says that it is `$p:S`.
    Input(Pat, Option<ExprCode>, bool, Span),
}

/// Pairs of events behind `[[` or `[`, and generators.
#[derive(Debug)]
pub struct PairsCode {
    /// What becomes what.
    pub pairs: Vec<(ExprCode, ExprCode)>,
    /// Behind the bar.
    pub statements: Box<[Qualifier]>,
    /// Where they stand.
    pub span: Span,
}

/// An operator over many.
#[derive(Debug)]
pub struct ReplicatedCode {
    pub op: Operator,
    /// Its set: evaluated once, or for each if it is alphabetised.
    pub set: Option<ExprCode>,
    /// What a linked parallel joins.
    pub pairs: Option<PairsCode>,
    /// The generators.
    pub over: Box<[Qualifier]>,
    /// What is replicated.
    pub body: ExprCode,
    pub span: Span,
    /// `tock`, in a timed section.
    pub tock: Option<MakerId>,
}
