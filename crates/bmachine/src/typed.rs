//! A machine whose names are resolved and whose types are known.
//!
//! This is what stands between reading and running: reading ends here, running starts here. All
//! machines that the text includes, sees, uses or extends are already part of it; a refinement
//! keeps what it refines beside it. Definitions have been expanded.
//!
//! Worked example: `#x.(x : S & x /: done)` over a variable `done` is
//! `Exists([x], And[In(Local(x), Carrier(S)), Not(In(Local(x), Global(done)))])`, where `x` is a
//! [`LocalId`] that occurs nowhere else in the machine.

use crate::temporal;
use base::{Diagnostic, Span};
pub use model::values::{SortId, Type};
use num_bigint::BigInt;
use std::ops::Range;
use std::sync::Arc;

base::define_id!(
    GlobalId,
    "Which constant or variable of a machine: constants come first."
);
base::define_id!(
    LocalId,
    "Which bound variable, parameter or result; no two binders share one."
);
base::define_id!(OperationId, "Which operation of a machine.");

/// A machine with all that belongs to it.
#[derive(Clone, Debug)]
pub struct Machine {
    /// As the modeller wrote it.
    pub name: String,
    /// Where that is.
    pub span: Span,
    /// Given sets: parameters that are sets, deferred sets and enumerated sets.
    pub sorts: Vec<Sort>,
    /// Constants (scalar parameters of the machine among them), then variables.
    pub globals: Vec<Global>,
    /// How many of the globals are constants.
    pub n_constants: usize,
    /// How many of the globals, the last ones, are variables of what is refined that a refinement
    /// does not keep. They are no part of its states and occur in `gluing` alone.
    pub n_abstract: usize,
    /// By [`LocalId`].
    pub locals: Vec<Local>,
    /// What constants must satisfy, conjunct by conjunct: constraints and properties.
    pub properties: Vec<Pred>,
    /// The invariant, conjunct by conjunct; for a refinement also what is left of the invariant of
    /// what it refines.
    pub invariant: Vec<Pred>,
    /// For a refinement: conjuncts of its invariant that mention variables of what it refines which
    /// it does not keep. Equal names are equal variables of the two machines.
    pub gluing: Vec<Pred>,
    /// What is claimed to follow, one by one.
    pub assertions: Vec<Pred>,
    /// What variables are at the start: also of machines that are included, first to last.
    pub initialisation: Subst,
    /// By [`OperationId`].
    pub operations: Vec<Operation>,
    /// The definition `GOAL`, if there is one and it is a predicate.
    pub goal: Option<Pred>,
    /// Formulas of temporal logic, from definitions and from the command line.
    pub formulas: Vec<Formula>,
    /// What definitions ask for.
    pub settings: Settings,
    /// What it refines.
    pub refines: Option<Box<Machine>>,
}

/// A given set.
#[derive(Clone, Debug)]
pub struct Sort {
    /// As the modeller wrote it.
    pub name: String,
    /// The names of its elements; `None` for a deferred set.
    pub elements: Option<Vec<String>>,
    /// Where it is declared.
    pub span: Span,
}

/// A constant or variable.
#[derive(Clone, Debug)]
pub struct Global {
    /// As the modeller wrote it; with the prefix of the machine it was included from.
    pub name: String,
    /// What it holds.
    pub ty: Type,
    /// Where it is declared.
    pub span: Span,
}

/// A bound variable, a parameter, a result or a local variable.
#[derive(Clone, Debug)]
pub struct Local {
    /// As the modeller wrote it.
    pub name: String,
    /// What it holds.
    pub ty: Type,
    /// Where it is bound.
    pub span: Span,
}

/// A formula of temporal logic.
#[derive(Clone, Debug)]
pub struct Formula {
    /// The name of its definition, `ASSERT_LTL_fair`.
    pub name: String,
    /// `true` for LTL, `false` for CTL.
    pub is_linear: bool,
    /// As written between the quotes.
    pub text: String,
    /// Where the text is.
    pub span: Span,
    /// What it says, or why it is not checked; of runs that are fair, if `fair` asks for that.
    pub body: Result<Temporal, Diagnostic>,
    /// To which steps a run that counts has to be fair; `None` for each kind of them, by operation,
    /// arguments and results.
    pub fair: Vec<(temporal::Fair, Option<CallPattern>)>,
    /// What is said of single states, by number.
    pub atoms: Vec<Atom>,
    /// Which formulas of the machine it consists of, if it has quantifiers and is made ready: its
    /// conjuncts, or what it says of each of its members.
    pub parts: Range<usize>,
    /// Of whom it is asked, if each of them has a formula of its own.
    pub members: Option<FormulaMembers>,
    /// Whether it is there as a part of another.
    pub is_part: bool,
}

/// A quantifier in front of a formula.
#[derive(Clone, Debug)]
pub struct FormulaMembers {
    /// Whether all are meant, and not some.
    pub all: bool,
    /// What it calls them.
    pub name: String,
}

impl Formula {
    /// Its atoms, and the steps to which runs have to be fair as if they were atoms: all that
    /// symmetries must keep.
    pub fn said(&self) -> Vec<Atom> {
        let steps = self.fair.iter().filter_map(|(_, call)| call.as_ref());
        let steps = steps.map(|call| Atom {
            kind: AtomKind::Enabled(call.clone()),
            text: String::new(),
            span: self.span,
        });
        self.atoms.iter().cloned().chain(steps).collect()
    }
}

/// What a formula says, over its atoms. Runs are infinite: one that ends stays where it is for
/// ever.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Temporal {
    /// `true` or `false`.
    Constant(bool),
    /// An atom, by number.
    Atom(usize),
    /// `not f`.
    Not(Box<Temporal>),
    /// `f & g`.
    And(Box<Temporal>, Box<Temporal>),
    /// `f or g`.
    Or(Box<Temporal>, Box<Temporal>),
    /// `f => g`.
    Implies(Box<Temporal>, Box<Temporal>),
    /// `f <=> g`.
    Iff(Box<Temporal>, Box<Temporal>),
    /// `G f`, `EF f`: without a path in linear time.
    Unary(
        Option<temporal::PathQuantifier>,
        temporal::UnaryTemporal,
        Box<Temporal>,
    ),
    /// `f U g`, `E f U g`.
    Binary(
        Option<temporal::PathQuantifier>,
        temporal::BinaryTemporal,
        Box<Temporal>,
        Box<Temporal>,
    ),
    /// `!x.(f)`, `#x.(f)`: gone when the machine is made ready.
    Quantified(temporal::PathQuantifier, LocalId, Box<Temporal>),
}

/// What is said of a single state.
#[derive(Clone, Debug)]
pub struct Atom {
    /// What.
    pub kind: AtomKind,
    /// In words.
    pub text: String,
    pub span: Span,
}

/// The kinds of atoms.
#[derive(Clone, Debug)]
pub enum AtomKind {
    /// A predicate holds.
    Pred(Pred),
    /// A step of this kind can be taken.
    Enabled(CallPattern),
    /// So many of these operations are enabled.
    Count(temporal::Count, Vec<CallPattern>),
    /// No operation is enabled.
    Dead,
    /// No operation that leads to another state is enabled.
    Sink,
    /// The step that led here was of this kind.
    Came(CallPattern),
}

/// Steps of an operation.
#[derive(Clone, Debug)]
pub struct CallPattern {
    /// Which operation.
    pub operation: OperationId,
    /// What its first arguments are.
    pub arguments: Vec<Expr>,
}

/// What definitions ask for; flags of the command line come before them.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// `scope_S == n` and `card(S) = n` in the properties: how many elements a sort has.
    pub sizes: Vec<(SortId, usize, Span)>,
    /// `SET_PREF_MAXINT`.
    pub maxint: Option<i64>,
    /// `SET_PREF_MININT`.
    pub minint: Option<i64>,
    /// `SET_PREF_DEFAULT_SETSIZE`: how many elements a deferred set has of which nothing else is
    /// said.
    pub default_size: Option<usize>,
    /// `SET_PREF_MAX_OPERATIONS`: at most so many ways to take one operation in a state.
    pub max_operations: Option<usize>,
    /// `SET_PREF_MAX_INITIALISATIONS`: at most so many set-ups, and initialisations of each.
    pub max_initialisations: Option<usize>,
    /// `SET_PREF_SHOW_EVENTB_ANY_VALUES`: values of the `ANY` that an operation starts with tell
    /// transitions apart.
    pub shows_choices: bool,
    /// `SET_PREF_USE_STATIC_SYMMETRY_DETECTION == FALSE`: valuations of constants that differ in
    /// the names of elements only are all set up.
    pub sets_up_all: bool,
    /// Other `SET_PREF_…` definitions, by name, with their texts.
    pub others: Vec<(String, String, Span)>,
}

/// An operation or event.
#[derive(Clone, Debug)]
pub struct Operation {
    /// As the modeller wrote it; with the prefix of the machine it was included from.
    pub name: String,
    /// What it is given.
    pub parameters: Vec<LocalId>,
    /// What it gives back.
    pub results: Vec<LocalId>,
    /// What it does.
    pub body: Subst,
    /// Whether it can be taken from outside: its own and promoted operations, and those of machines
    /// that are seen.
    pub is_public: bool,
    /// Whether it is one of a machine that is seen.
    pub is_seen: bool,
    /// Where its name is.
    pub span: Span,
}

/// A predicate.
#[derive(Clone, Debug)]
pub struct Pred {
    pub kind: PredKind,
    pub span: Span,
}

/// The kinds of predicates.
#[derive(Clone, Debug)]
pub enum PredKind {
    /// `btrue`, or an empty conjunction.
    True,
    /// `bfalse`.
    False,
    /// `P & Q & …`, two or more, flattened, in order.
    And(Vec<Pred>),
    /// `P or Q or …`, two or more, flattened, in order.
    Or(Vec<Pred>),
    /// `P => Q`.
    Implies(Box<Pred>, Box<Pred>),
    /// `P <=> Q`.
    Equivalent(Box<Pred>, Box<Pred>),
    /// `not(P)`; also what `/=`, `/:`, `/<:` and `/<<:` stand for.
    Not(Box<Pred>),
    /// `!x,y.(P)`.
    Forall(Vec<LocalId>, Box<Pred>),
    /// `#x,y.(P)`.
    Exists(Vec<LocalId>, Box<Pred>),
    /// Two expressions compared.
    Compare(Compare, Box<Expr>, Box<Expr>),
    /// An expression of type BOOL used as a predicate is `e = TRUE`; this is `LET x BE x = E IN P`:
    /// each local gets its value in order, then the predicate is asked.
    Let(Vec<(LocalId, Expr)>, Box<Pred>),
    /// `IF P THEN Q ELSE R END`.
    If(Box<Pred>, Box<Pred>, Box<Pred>),
}

/// Comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Compare {
    /// `=`.
    Equal,
    /// `:`.
    In,
    /// `<:`.
    Subset,
    /// `<<:`.
    StrictSubset,
    /// `<`.
    Less,
    /// `<=`.
    LessEqual,
    /// `>`.
    Greater,
    /// `>=`.
    GreaterEqual,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    /// What it evaluates to.
    pub ty: Type,
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number of 64 bits.
    Int(i64),
    /// A number that does not fit into 64 bits.
    Big(Arc<BigInt>),
    /// A text.
    Text(String),
    /// `TRUE`, `FALSE`.
    Bool(bool),
    /// An element of an enumerated set: which one.
    Element(SortId, usize),
    /// A constant or variable.
    Global(GlobalId),
    /// A bound variable, parameter or result.
    Local(LocalId),
    /// All elements of a given set.
    Carrier(SortId),
    /// A set that the language names.
    Known(BuiltinSet),
    /// `{}` and `[]`.
    Empty,
    /// `{a, b, …}`, at least one.
    SetOf(Vec<Expr>),
    /// `[a, b, …]`, at least one.
    SeqOf(Vec<Expr>),
    /// An operator with one operand.
    Unary(Unary, Box<Expr>),
    /// An operator with two operands.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `{x, y | P}`: tuples are nested to the left, `((x |-> y) |-> z)`.
    Comprehension(Vec<LocalId>, Box<Pred>),
    /// `%x,y.(P | E)`: pairs of the tuple of the locals and the value.
    Lambda(Vec<LocalId>, Box<Pred>, Box<Expr>),
    /// `SIGMA`, `PI`, `UNION`, `INTER` over all values of the locals that satisfy the predicate.
    Quantified(Quantified, Vec<LocalId>, Box<Pred>, Box<Expr>),
    /// `bool(P)`.
    BoolOf(Box<Pred>),
    /// `rec(a: E, …)`: by field of the type, in its order.
    Record(Vec<Expr>),
    /// `struct(a: S, …)`: the set of all records, by field of the type, in its order.
    Struct(Vec<Expr>),
    /// `e'a`: which field of the operand's type.
    Field(Box<Expr>, usize),
    /// `IF P THEN E ELSE F END`.
    If(Box<Pred>, Box<Expr>, Box<Expr>),
    /// `LET x BE x = E IN F END`: each local gets its value in order.
    Let(Vec<(LocalId, Expr)>, Box<Expr>),
}

/// Sets that the language names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BuiltinSet {
    /// `BOOL`.
    Bool,
    /// `INTEGER`: all numbers.
    Integer,
    /// `NATURAL`: from 0.
    Natural,
    /// `NATURAL1`: from 1.
    Natural1,
    /// `INT`: from `MININT` to `MAXINT`.
    Int,
    /// `NAT`: from 0 to `MAXINT`.
    Nat,
    /// `NAT1`: from 1 to `MAXINT`.
    Nat1,
    /// `STRING`.
    Text,
    /// `MAXINT`, a number and no set.
    MaxInt,
    /// `MININT`, a number and no set.
    MinInt,
    /// `succ`, a function over all numbers.
    Succ,
    /// `pred`, a function over all numbers.
    Pred,
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Unary {
    /// `-n`.
    Minus,
    /// `POW`.
    Pow,
    /// `POW1`.
    Pow1,
    /// `FIN`.
    Fin,
    /// `FIN1`.
    Fin1,
    /// `card`.
    Card,
    /// `min`.
    Min,
    /// `max`.
    Max,
    /// `union` of a set of sets.
    Union,
    /// `inter` of a set of sets.
    Inter,
    /// `dom`.
    Dom,
    /// `ran`.
    Ran,
    /// `r~`.
    Inverse,
    /// `id(S)`.
    Id,
    /// `closure1`: transitive.
    Closure1,
    /// `closure`: reflexive on its field, and transitive.
    Closure,
    /// `fnc`: a relation as a function to sets.
    Fnc,
    /// `rel`: a function to sets as a relation.
    Rel,
    /// `seq`.
    Seq,
    /// `seq1`.
    Seq1,
    /// `iseq`.
    Iseq,
    /// `iseq1`.
    Iseq1,
    /// `perm`.
    Perm,
    /// `size`.
    Size,
    /// `first`.
    First,
    /// `last`.
    Last,
    /// `front`.
    Front,
    /// `tail`.
    Tail,
    /// `rev`.
    Rev,
    /// `conc` of a sequence of sequences.
    Conc,
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Binary {
    /// `+`.
    Add,
    /// `-` of numbers.
    Subtract,
    /// `*` of numbers.
    Multiply,
    /// `/`, rounding towards zero.
    Divide,
    /// `mod`.
    Modulo,
    /// `**`.
    Power,
    /// `a..b`.
    Interval,
    /// `a |-> b`, `a, b`.
    Pair,
    /// `\/`.
    Union,
    /// `/\`.
    Intersection,
    /// `-` or `\` of sets.
    Difference,
    /// `*` of sets.
    Product,
    /// `<->`.
    Relations,
    /// `<<->`: total relations.
    TotalRelations,
    /// `<->>`: surjective relations.
    SurjectiveRelations,
    /// `<<->>`: total surjective relations.
    TotalSurjectiveRelations,
    /// `+->`.
    PartialFunctions,
    /// `-->`.
    TotalFunctions,
    /// `>+>`.
    PartialInjections,
    /// `>->`.
    TotalInjections,
    /// `+->>`.
    PartialSurjections,
    /// `-->>`.
    TotalSurjections,
    /// `>+>>`.
    PartialBijections,
    /// `>->>`.
    TotalBijections,
    /// `S <| r`.
    DomainRestrict,
    /// `S <<| r`.
    DomainSubtract,
    /// `r |> S`.
    RangeRestrict,
    /// `r |>> S`.
    RangeSubtract,
    /// `r <+ s`.
    Override,
    /// `r >< s`.
    DirectProduct,
    /// `r || s`.
    ParallelProduct,
    /// `r ; s`.
    Compose,
    /// `iterate(r, n)`.
    Iterate,
    /// `r[S]`.
    Image,
    /// `f(x)`.
    Apply,
    /// `prj1(S, T)`.
    First,
    /// `prj2(S, T)`.
    Second,
    /// `s ^ t`.
    Concat,
    /// `x -> s`.
    Prepend,
    /// `s <- x`.
    Append,
    /// `s /|\ n`.
    Take,
    /// `s \|/ n`.
    Drop,
}

/// Operators over all values of bound variables.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quantified {
    /// `SIGMA`.
    Sum,
    /// `PI`.
    Product,
    /// `UNION`.
    Union,
    /// `INTER`.
    Intersection,
}

/// A substitution.
#[derive(Clone, Debug)]
pub struct Subst {
    pub kind: SubstKind,
    pub span: Span,
}

/// What is assigned to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AssignedVar {
    /// A variable of the machine.
    Global(GlobalId),
    /// A result, or a local variable.
    Local(LocalId),
}

/// A variable, or a place within its value.
#[derive(Clone, Debug)]
pub struct Target {
    pub var: AssignedVar,
    /// `f(x)(y)` and `r'a`, from the outside in.
    pub path: Vec<Selector>,
    pub span: Span,
}

/// One step into a value that is assigned to.
#[derive(Clone, Debug)]
pub enum Selector {
    /// The value of a function at an argument.
    At(Expr),
    /// Which field of a record.
    Field(usize),
}

/// The kinds of substitutions.
#[derive(Clone, Debug)]
pub enum SubstKind {
    /// `skip`.
    Skip,
    /// `a, f(x) := E, F`: all at once; as many targets as values.
    Assign(Vec<Target>, Vec<Expr>),
    /// `x :: S`; for several targets the elements are tuples nested to the left.
    BecomesElement(Vec<Target>, Expr),
    /// `x, y : (P)`: the locals stand for the new values in `P`, and the variables (also those
    /// written `x$0`) for the old ones.
    BecomesSuch(Vec<AssignedVar>, Vec<LocalId>, Pred),
    /// `S || T || …`.
    Parallel(Vec<Subst>),
    /// `S ; T ; …`.
    Sequence(Vec<Subst>),
    /// `PRE P THEN S END`.
    Pre(Pred, Box<Subst>),
    /// `ASSERT P THEN S END`.
    Assert(Pred, Box<Subst>),
    /// `SELECT P THEN S WHEN … ELSE … END`; `WHEN P THEN S END` alone too.
    Select(Vec<(Pred, Subst)>, Option<Box<Subst>>),
    /// `IF P THEN S ELSIF … ELSE … END`.
    If(Vec<(Pred, Subst)>, Option<Box<Subst>>),
    /// `CHOICE S OR T … END`.
    Choice(Vec<Subst>),
    /// `ANY x WHERE P THEN S END`.
    Any(Vec<LocalId>, Pred, Box<Subst>),
    /// `LET x BE x = E IN S END`: each local gets its value in order.
    Let(Vec<(LocalId, Expr)>, Box<Subst>),
    /// `VAR x IN S END`.
    Var(Vec<LocalId>, Box<Subst>),
    /// `CASE E OF EITHER v THEN S OR … ELSE … END`.
    Case(Expr, Vec<(Vec<Expr>, Subst)>, Option<Box<Subst>>),
    /// `WHILE P DO S INVARIANT I VARIANT V END`.
    While {
        /// As long as this holds.
        condition: Pred,
        /// This is done.
        body: Box<Subst>,
        /// This holds before and after.
        invariant: Pred,
        /// This falls, and never below zero.
        variant: Expr,
    },
    /// `r <-- op(a)`.
    Call {
        /// Which operation.
        operation: OperationId,
        /// What it is given.
        arguments: Vec<Expr>,
        /// Where its results go.
        results: Vec<Target>,
    },
}
