//! The syntax tree: what was written, macros and inlines expanded, names not yet looked up.
//!
//! Everything keeps its place. An inline call is the block that its body expands to; the places
//! inside say which call it came from. `ltl` formulas stand at the end whatever their position in
//! the text, because they may speak of what is declared after them.
//!
//! Trees are shallow by construction: the parser refuses deeper nesting than [`DEPTH_MAX`], so that
//! recursion over a tree (dropping it included) needs little stack. `&&` and `||` take any number
//! of operands, as generated models have long ones.

use crate::place::{Origins, Place};
use std::rc::Rc;

/// The operators are those of models of processes.
pub use model::processes::expr::{Binary, Probe, Unary};

/// The deepest expression.
pub const DEPTH_MAX: u16 = 300;

/// A whole model.
#[derive(Debug)]
pub struct Ast {
    /// Its parts in the order of the text, formulas last.
    pub units: Vec<TopLevelItem>,
    /// The uses of macros and inlines that brought them here.
    pub origins: Origins,
}

/// A name where it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// The name.
    pub text: Rc<str>,
    /// Where it is.
    pub place: Place,
}

/// A part of a model.
#[derive(Debug)]
pub enum TopLevelItem {
    /// `proctype`, `D_proctype`, `active proctype`.
    Process(Box<Process>),
    /// `init`.
    Init(Init),
    /// `never`.
    Never(Claim),
    /// `trace`.
    Trace(Claim),
    /// `notrace`.
    NoTrace(Claim),
    /// `ltl`.
    Ltl(Ltl),
    /// Global variables.
    Declaration(Declaration),
    /// `typedef`.
    Typedef(Typedef),
    /// `mtype = { … }`.
    Mtype(Mtype),
    /// `scalarset name[n]`.
    Scalarset(Scalarset),
}

/// `active [n] proctype name (parameters) priority k provided (e) { body }`
#[derive(Debug)]
pub struct Process {
    pub name: Name,
    /// How many run from the start.
    pub active: Option<Active>,
    /// Whether it was declared by `D_proctype`.
    pub deterministic: bool,
    pub parameters: Vec<Declaration>,
    pub priority: Option<i32>,
    /// When its steps may be taken.
    pub provided: Option<Expr>,
    /// What it does.
    pub body: Sequence,
}

/// `active` or `active [n]`.
#[derive(Debug)]
pub struct Active {
    /// How many; one if not said.
    pub count: Option<Expr>,
    pub place: Place,
}

/// `init { body }`
#[derive(Debug)]
pub struct Init {
    /// Where `init` stands.
    pub place: Place,
    pub priority: Option<i32>,
    /// What it does.
    pub body: Sequence,
}

/// A never claim or a trace assertion.
#[derive(Debug)]
pub struct Claim {
    /// Where its keyword stands.
    pub place: Place,
    pub name: Option<Name>,
    /// What it watches.
    pub body: Sequence,
}

/// `ltl name { formula }`
#[derive(Debug)]
pub struct Ltl {
    /// Where `ltl` stands.
    pub place: Place,
    pub name: Option<Name>,
    /// The member that it is about, if it was written for several.
    pub index: Option<FormulaIndex>,
    /// The formula.
    pub formula: Expr,
}

/// A member of those that a formula was written for: `forall i: …`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormulaIndex {
    /// What the formula calls it.
    pub name: Rc<str>,
    /// The number that stands in its place.
    pub value: i32,
}

/// `typedef name { fields }`
#[derive(Debug)]
pub struct Typedef {
    pub name: Name,
    /// Its fields.
    pub fields: Vec<Declaration>,
}

/// `scalarset name[size]`
#[derive(Debug)]
pub struct Scalarset {
    pub name: Name,
    /// How many members it has.
    pub size: Expr,
}

/// `mtype:set = { names }`
#[derive(Debug)]
pub struct Mtype {
    /// Where `mtype` stands.
    pub place: Place,
    /// The set, if it has a name.
    pub set: Option<Name>,
    /// The names in the order of the text.
    pub names: Vec<Name>,
}

/// One declaration of some variables.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// `hidden`, `show`, `local` or `public`.
    pub visibility: Option<Visibility>,
    /// The type.
    pub kind: TypeName,
    /// Where the type stands.
    pub place: Place,
    /// The variables.
    pub variables: Vec<Declarator>,
}

/// What stands before a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visibility {
    /// Not part of the state.
    Hidden,
    /// To be shown in charts.
    Show,
    /// Used by one process only.
    Local,
    /// A variable of a process that others can reach.
    Public,
}

/// A type as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TypeName {
    /// `bit`
    Bit,
    /// `bool`
    Bool,
    /// `byte`
    Byte,
    /// `pid`
    Pid,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `unsigned`
    Unsigned,
    /// `mtype` or `mtype:set`
    Mtype(Option<Name>),
    /// `chan`
    Chan,
    /// The name of a `typedef` or `scalarset`.
    Named(Name),
    /// `ref p`: an instance of the process type `p`.
    Ref(Name),
}

/// One variable of a declaration.
#[derive(Clone, Debug)]
pub struct Declarator {
    pub name: Name,
    /// The bits after `:`.
    pub width: Option<(i32, Place)>,
    /// The number of elements in brackets.
    pub size: Option<Expr>,
    /// What it starts as.
    pub initial: Option<Initial>,
}

/// What a variable starts as.
#[derive(Clone, Debug)]
pub enum Initial {
    /// A value.
    Value(Expr),
    /// One value an element.
    List(Vec<Expr>, Place),
    /// A new channel.
    Channel(ChannelInit),
}

/// `[capacity] of { fields }`
#[derive(Clone, Debug)]
pub struct ChannelInit {
    /// How many messages it holds.
    pub capacity: Expr,
    /// The types of the fields of a message.
    pub fields: Vec<(TypeName, Place)>,
    pub place: Place,
}

/// Statements in order.
#[derive(Clone, Debug)]
pub struct Sequence {
    /// The statements.
    pub statements: Vec<Stmt>,
    /// From its first token to its last.
    pub place: Place,
}

/// A statement with its labels.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// The labels before it.
    pub labels: Vec<Name>,
    /// What it is.
    pub kind: StmtKind,
    /// Where it is, labels left out.
    pub place: Place,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// A declaration of locals.
    Declare(Declaration),
    /// `xr` or `xs`: only this process receives from, or sends to, these channels.
    Exclusive(Exclusive, Vec<Reference>),
    /// `a unless b`
    Unless(Box<Stmt>, Box<Stmt>),
    /// `x = e`
    Assign(Reference, Expr),
    /// `x++`
    Increment(Reference),
    /// `x--`
    Decrement(Reference),
    /// `set_priority(p, n)`
    SetPriority(Expr, Expr),
    /// `printf("…", …)`
    Print(Rc<str>, Vec<Expr>),
    /// `printm(m)`
    PrintName(Expr),
    /// `assert(e)`
    Assert(Expr),
    /// `c!…`
    Send(Send),
    /// `c?…`
    Receive(Receive),
    /// A condition; also `skip` and `run`.
    Condition(Expr),
    /// `else`
    Else,
    /// `atomic { … }`
    Atomic(Sequence),
    /// `d_step { … }`
    DStep(Sequence),
    /// `{ … }`, or the body of an inline.
    Block(Sequence),
    /// `if … fi`
    If(Vec<Sequence>),
    /// `do … od`
    Do(Vec<Sequence>),
    /// `for (x : a .. b) { … }`
    For(Reference, Expr, Expr, Sequence),
    /// `for (x in a) { … }`
    ForIn(Reference, Reference, Sequence),
    /// `select (x : a .. b)`
    Select(SelectForm, Reference, Expr, Expr),
    /// `break`
    Break,
    /// `goto l`
    Goto(Name),
}

/// How `select` chooses. SPIN decides it by the text. The first two are where both bounds are
/// written as numbers, the name has no `_`, and the statement is not in an inline; the first of
/// them where the bounds are at most 32 apart, and it has other states. The third differs from the
/// second where order counts: inside `d_step`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SelectForm {
    /// `if :: x = a :: … :: x = b fi`
    Options,
    /// `x = a; do :: x < b -> x++ :: break od`
    Counting,
    /// `x = a; do :: break :: x < b -> x++ od`
    Leaving,
}

/// Which use of a channel is claimed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exclusive {
    /// `xr`
    Receive,
    /// `xs`
    Send,
}

/// `c!a,b`, `c!a(b)`, `c!!a,b`
#[derive(Clone, Debug)]
pub struct Send {
    /// The channel.
    pub channel: Reference,
    /// The fields.
    pub fields: Vec<Expr>,
    /// `!!`: in order of the fields, not of time.
    pub sorted: bool,
}

/// `c?a,b` and its variants.
#[derive(Clone, Debug)]
pub struct Receive {
    /// The channel.
    pub channel: Reference,
    /// What is done with each field.
    pub fields: Vec<Pattern>,
    /// `??`: the first that fits, not the oldest.
    pub random: bool,
    /// `<…>`: the message stays.
    pub keep: bool,
}

/// What a receive does with a field.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// Store it, or compare it if the name is that of a constant.
    Reference(Reference),
    /// `eval(e)`: compare it.
    Eval(Expr),
    /// Compare it with a number.
    Number(i32, Place),
}

/// `a[i].b.c[j]`
#[derive(Clone, Debug)]
pub struct Reference {
    /// The name and the fields after it, each with its index.
    pub parts: Vec<ReferencePart>,
    /// From the first part to the last.
    pub place: Place,
}

/// One name of a reference.
#[derive(Clone, Debug)]
pub struct ReferencePart {
    /// The name.
    pub name: Name,
    /// The index after it.
    pub index: Option<Box<Expr>>,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it is.
    pub place: Place,
    /// One more than the deepest operand, at most [`DEPTH_MAX`].
    pub depth: u16,
    /// Whether `full`, `empty`, `nfull` or `nempty` stands in it outside of parts that hide it:
    /// such an expression may be joined by `&&` and `||` only.
    pub probe: bool,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number, a character, `true`, `false`, `skip`.
    Number(i32),
    /// A variable, or the name of a constant.
    Reference(Reference),
    /// `!a`, `~a`, `-a`
    Unary(Unary, Box<Expr>),
    /// `a + b` and the like.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `a && b && c`
    And(Vec<Expr>),
    /// `a || b || c`
    Or(Vec<Expr>),
    /// `(a -> b : c)`
    Choice(Box<[Expr; 3]>),
    /// `run p(…) priority n`
    Run(Name, Vec<Expr>, Option<i32>),
    /// `len`, `full`, `empty`, `nfull`, `nempty`
    Probe(Probe, Reference),
    /// `c?[…]`, `c??[…]`
    Poll(Box<Receive>),
    /// `enabled`, `pc_value`, `get_priority`
    Ask(Ask, Box<Expr>),
    /// `anyRef(p)`: any instance of `p`, or any member of the scalarset `p`.
    AnyRef(Name),
    /// `timeout`
    Timeout,
    /// `np_`
    NonProgress,
    /// `p[i]@label`
    RemoteLabel(Name, Option<Box<Expr>>, Name),
    /// `p[i]:x`
    RemoteVariable(Name, Option<Box<Expr>>, Box<ReferencePart>),
    /// `[] f`, `<> f`, `X f`
    Temporal(TemporalOp, Box<Expr>),
    /// `f U g` and the like.
    Until(Until, Box<Expr>, Box<Expr>),
    /// What a quantifier inside a formula says of one member.
    Member(FormulaIndex, Box<Expr>),
}

/// Questions about a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ask {
    /// `enabled`
    Enabled,
    /// `pc_value`
    PcValue,
    /// `get_priority`
    Priority,
}

/// Temporal operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TemporalOp {
    /// `[]`
    Always,
    /// `<>`
    Eventually,
    /// `X`
    Next,
    /// `yesterday`
    Yesterday,
    /// `once`
    Once,
    /// `historically`
    Historically,
}

/// Temporal and logical operators of formulas with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Until {
    /// `U`
    Strong,
    /// `W`
    Weak,
    /// `V`
    Release,
    /// `since`
    Since,
    /// `->`
    Implies,
    /// `<->`
    Equivalent,
}
