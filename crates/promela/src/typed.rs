//! The typed tree: every name looked up, every type known; what lowering starts from.
//!
//! Variables of all processes stand in one table and are referred to by [`VariableId`]. Records
//! that are sent, received or passed have been replaced by their fields, in order, an array field
//! by its elements, as SPIN does; a [`MessageFields`] lists the types after the same replacement.
//!
//! The names of an `mtype` are numbers: the last of a list is 1, the one before it 2, and a second
//! list of the same set goes on from there. `mtype = { a, b, c }` makes `c` 1, `b` 2 and `a` 3.

use crate::ast::{
    Ask, Binary, Exclusive, FormulaIndex, Name, Probe, SelectForm, TemporalOp, Unary, Until,
    Visibility,
};
use crate::place::{Origins, Place};
use std::rc::Rc;

base::define_id!(VariableId, "Which variable of a [`Typed`].");
base::define_id!(ProcessId, "Which process of a [`Typed`].");
base::define_id!(RecordId, "Which record type of a [`Typed`].");
base::define_id!(SetId, "Which set of `mtype` names of a [`Typed`].");
base::define_id!(LabelId, "Which label of a [`Process`].");
base::define_id!(SortId, "Which declared sort of a [`Typed`].");
base::define_id!(RemoteId, "Which remote variable of a [`Typed`].");

/// A whole model.
#[derive(Debug)]
pub struct Typed {
    /// The sets of names; the first is the one without a name, empty if there is none.
    pub sets: Vec<NameSet>,
    /// The types made by `typedef`.
    pub records: Vec<Record>,
    /// The sorts that are declared: by `scalarset`, or by references to a process type.
    pub sorts: Vec<Sort>,
    /// All variables, of the model and of its processes, in the order of the text.
    pub variables: Vec<Variable>,
    /// The variables of the model.
    pub globals: Vec<VariableId>,
    /// `proctype`s, `init`, claims and traces in the order of the text.
    pub processes: Vec<Process>,
    /// `ltl` formulas in the order of the text.
    pub formulas: Vec<Formula>,
    /// Variables of other processes that are read.
    pub remotes: Vec<Remote>,
    /// What each channel variable carries; `None` where nothing says so.
    pub signatures: Vec<Option<MessageFields>>,
    /// The uses of macros and inlines that brought the text here.
    pub origins: Origins,
}

/// A set of `mtype` names.
#[derive(Debug)]
pub struct NameSet {
    pub name: Option<Rc<str>>,
    /// The name with number 1, then 2, and so on.
    pub names: Vec<Name>,
}

/// A type made by `typedef`.
#[derive(Debug)]
pub struct Record {
    pub name: Name,
    /// Its fields; as variables they are in no table.
    pub fields: Vec<Variable>,
    /// How many numbers and channels one of them holds, elements of arrays counted.
    pub n_elements: u64,
    /// One more than the deepest record inside it.
    pub depth: u32,
}

/// The number that stands for the undefined reference. No instance has it: there are at most 255.
pub(crate) const UNDEFINED_REFERENCE: i32 = 255;

/// A set of interchangeable members, numbered from 0.
#[derive(Debug)]
pub struct Sort {
    /// Its name: that of the scalarset, or of the process type.
    pub name: Name,
    /// What its members are.
    pub kind: SortKind,
    /// How many there are.
    pub n_members: u32,
}

/// What the members of a sort are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SortKind {
    /// The instances of a process type.
    Instances(ProcessId),
    /// The values of a scalarset.
    Scalarset,
}

impl Sort {
    /// The number that stands for no member.
    pub fn undefined(&self) -> i32 {
        match self.kind {
            SortKind::Instances(_) => UNDEFINED_REFERENCE,
            SortKind::Scalarset => self.n_members as i32,
        }
    }
}

/// The type of a variable or field.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// `bit`: 0 or 1.
    Bit,
    /// `bool`: 0 or 1.
    Bool,
    /// `byte`: 0 to 255.
    Byte,
    /// `pid`: 0 to 255.
    Pid,
    /// `short`: 16 bits with sign.
    Short,
    /// `int`: 32 bits with sign.
    Int,
    /// `unsigned x : n`: n bits.
    Unsigned(u8),
    /// `mtype`: a name of that set, or 0.
    Mtype(SetId),
    /// `chan`.
    Chan,
    /// A record.
    Record(RecordId),
    /// A member of a sort, or the number that stands for none.
    Member(SortId),
}

impl Type {
    /// What is left of a value when it is stored.
    pub fn store(self, value: i32) -> i32 {
        match self {
            Type::Bit | Type::Bool => value & 1,
            Type::Byte | Type::Pid | Type::Mtype(_) | Type::Chan | Type::Member(_) => value & 0xff,
            Type::Short => i32::from(value as i16),
            Type::Int | Type::Record(_) => value,
            Type::Unsigned(bits) => value & ((1_i64 << bits) - 1) as i32,
        }
    }
}

/// A variable, parameter or field.
#[derive(Debug)]
pub struct Variable {
    pub name: Name,
    /// Its type, of each element if it is an array.
    pub kind: Type,
    /// The number of elements, if it is an array.
    pub size: Option<u32>,
    /// The sort whose members are its indices, if it is an array of that kind.
    pub index_sort: Option<SortId>,
    /// `hidden`, `show` or `local`.
    pub visibility: Option<Visibility>,
    /// The process it belongs to; `None` for globals and fields.
    pub owner: Option<ProcessId>,
    /// What it starts as.
    pub initial: Initial,
}

/// What a variable starts as.
#[derive(Debug)]
pub enum Initial {
    /// 0 in every element.
    Zero,
    /// This value in every element, computed when the variable comes to be.
    Value(Expr),
    /// One value an element; what is missing repeats the last.
    List(Vec<i32>),
    /// A new channel in every element.
    Channel(Channel),
    /// The number of the instance among those of its process type that run from the start.
    Instance,
}

/// A channel that a declaration makes.
#[derive(Clone, Debug)]
pub struct Channel {
    /// How many messages it holds; 0 for a rendezvous.
    pub capacity: u32,
    /// What a message is.
    pub signature: MessageFields,
}

/// The types of the fields of a message, records replaced by their fields.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MessageFields {
    /// The types.
    pub fields: Vec<Type>,
}

/// What runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProcessKind {
    /// `proctype`
    Proctype,
    /// `D_proctype`
    Deterministic,
    /// `init`
    Init,
    /// `never`
    Never,
    /// `trace`
    Trace,
    /// `notrace`
    NoTrace,
}

/// A process type, `init`, a claim or a trace.
#[derive(Debug)]
pub struct Process {
    /// Its name; `init` and unnamed claims have the keyword as name.
    pub name: Name,
    /// What it is.
    pub kind: ProcessKind,
    /// How many run from the start.
    pub n_active: u32,
    /// Its priority, if it has one.
    pub priority: Option<i32>,
    /// When its steps may be taken.
    pub provided: Option<Expr>,
    pub parameters: Vec<VariableId>,
    /// Its other variables, of all blocks.
    pub locals: Vec<VariableId>,
    /// The variables that others can reach, if it has some: an array of records.
    pub publics: Option<VariableId>,
    /// Its own number among its like, if it needs it; one of the locals.
    pub lid: Option<VariableId>,
    /// What belongs to an instance, in the order of the text.
    pub order: Vec<ProcessPart>,
    pub labels: Vec<Label>,
    /// What it does.
    pub body: Sequence,
}

/// A part of what belongs to a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProcessPart {
    /// A variable of its own.
    Own(VariableId),
    /// That field of its public variables.
    Public(usize),
}

impl Process {
    /// The latest label of that name; `p@name` means the first, see `docs/theory/promela.md`.
    pub fn label(&self, name: &str) -> Option<LabelId> {
        let at = self.labels.iter().rposition(|l| &*l.name.text == name)?;
        Some(LabelId::new(at))
    }
}

/// A label.
#[derive(Debug)]
pub struct Label {
    pub name: Name,
    /// The blocks it stands in, outermost first: distinct numbers in a process.
    pub scope: Vec<u32>,
    /// The `d_step` it stands in.
    pub d_step: Option<u32>,
}

/// An `ltl` formula.
#[derive(Debug)]
pub struct Formula {
    /// Its name, `ltl_0` and so on where it has none.
    pub name: Rc<str>,
    /// Where it is.
    pub place: Place,
    /// The member that it is about, if it was written for several: then all of these have one name.
    pub index: Option<FormulaIndex>,
    /// The formula.
    pub formula: Expr,
}

/// A variable of another process.
#[derive(Debug)]
pub struct Remote {
    /// The process.
    pub process: ProcessId,
    /// Its variable.
    pub name: Name,
    /// The same, looked up; always there when there were no errors.
    pub variable: Option<VariableId>,
}

/// Statements in order.
#[derive(Clone, Debug)]
pub struct Sequence {
    /// The statements.
    pub statements: Vec<Stmt>,
    /// Where they are.
    pub place: Place,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    pub labels: Vec<LabelId>,
    /// What it is.
    pub kind: StmtKind,
    /// Where it is.
    pub place: Place,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// The variable gets its initial value as a step of its own: it was declared after the first
    /// statement of the process, or inside a block.
    Initialise(VariableId),
    /// `xr` or `xs`
    Exclusive(Exclusive, Vec<Access>),
    /// `a unless b`
    Unless(Box<Stmt>, Box<Stmt>),
    /// `x = e`, `x++`, `x--`
    Assign(Target, Expr),
    /// `set_priority(p, n)`
    SetPriority(Expr, Expr),
    /// `printf`
    Print(Rc<str>, Vec<Expr>),
    /// `printm`
    PrintName(Expr),
    /// `assert`
    Assert(Expr),
    /// `c!…`
    Send(Send),
    /// `c?…`
    Receive(Receive),
    /// A condition.
    Condition(Expr),
    /// `else`
    Else,
    /// `atomic`
    Atomic(Sequence),
    /// `d_step`
    DStep(Sequence),
    /// A block.
    Block(Sequence),
    /// `if`
    If(Vec<Sequence>),
    /// `do`
    Do(Vec<Sequence>),
    /// `for (x : a .. b)`
    For(Access, Expr, Expr, Sequence),
    /// `for (i in array)`: the array.
    ForArray(Access, VariableId, Sequence),
    /// `for (record in channel)`: the record, the channel.
    ForChannel(Access, Access, Sequence),
    /// `select (x : a .. b)`
    Select(SelectForm, Access, Expr, Expr),
    /// `break`
    Break,
    /// `goto`; the label is looked up when the process ends, so it is there if no error is.
    Goto(Name, Option<LabelId>),
}

/// What an assignment or a receive writes to.
#[derive(Clone, Debug)]
pub enum Target {
    /// A variable, element or field.
    Access(Access),
    /// `_`: the value is dropped.
    Nothing,
    /// `_priority`
    Priority,
}

/// A send.
#[derive(Clone, Debug)]
pub struct Send {
    /// The channel.
    pub channel: Access,
    /// The fields, records replaced by theirs.
    pub fields: Vec<Expr>,
    /// `!!`
    pub sorted: bool,
}

/// A receive or poll.
#[derive(Clone, Debug)]
pub struct Receive {
    /// The channel.
    pub channel: Access,
    /// What is done with each field, records replaced by their fields.
    pub fields: Vec<Pattern>,
    /// `??`
    pub random: bool,
    /// Whether the message stays.
    pub keep: bool,
}

/// What a receive does with a field.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// Stores it.
    Store(Target),
    /// Compares it.
    Match(Expr),
}

/// A variable, or an element or field of one.
#[derive(Clone, Debug)]
pub struct Access {
    /// The variable.
    pub variable: VariableId,
    /// Its index, if it is an array.
    pub index: Option<Box<Expr>>,
    /// The fields after it.
    pub fields: Vec<FieldAccess>,
    /// The type of what is reached.
    pub kind: Type,
    pub place: Place,
}

/// One `.field[index]`.
#[derive(Clone, Debug)]
pub struct FieldAccess {
    /// Which field of the record.
    pub field: usize,
    /// Its index, if it is an array.
    pub index: Option<Box<Expr>>,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// What its value is.
    pub value: Value,
    /// Where it is.
    pub place: Place,
}

/// What a value is; SPIN computes with all of them as 32-bit numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// A number.
    Number,
    /// 0 or 1.
    Truth,
    /// The number of a process.
    Pid,
    /// A name of a set.
    Name(SetId),
    /// A channel.
    Channel,
    /// A member of a sort, or undefined.
    Member(SortId),
    /// The undefined reference.
    Undefined,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number or name.
    Number(i32),
    /// The value of a variable.
    Read(Access),
    /// `_pid`, `_last`, `_nr_pr`, `_priority`
    Predefined(Predefined),
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
    /// `run`: the process, the arguments with records replaced by their fields, the priority.
    Run(ProcessId, Vec<Expr>, Option<i32>),
    /// `len` and its like.
    Probe(Probe, Access),
    /// `c?[…]`
    Poll(Box<Receive>),
    /// `enabled` and its like.
    Ask(Ask, Box<Expr>),
    /// `anyRef`, counted within its statement; it stands in no complete tree.
    Chosen(usize),
    /// `timeout`
    Timeout,
    /// `np_`
    NonProgress,
    /// `_` as a field of a send that a trace lists: any value.
    Anything,
    /// `p[i]@label`
    RemoteLabel(ProcessId, Option<Box<Expr>>, Name),
    /// `p[i]:x[j]`
    RemoteVariable(RemoteId, Option<Box<Expr>>, Option<Box<Expr>>),
    /// `[] f`
    Temporal(TemporalOp, Box<Expr>),
    /// `f U g`
    Until(Until, Box<Expr>, Box<Expr>),
    /// What a quantifier inside a formula says of one member.
    Member(FormulaIndex, Box<Expr>),
}

/// The variables that every model has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Predefined {
    /// `_pid`
    Pid,
    /// `_last`
    Last,
    /// `_nr_pr`
    NProcesses,
    /// `_priority`
    Priority,
}

/// Calls `out` with each expression that `expr` is directly made of, indices included.
pub fn operands<'a>(expr: &'a Expr, out: &mut dyn FnMut(&'a Expr)) {
    match &expr.kind {
        ExprKind::Read(access) | ExprKind::Probe(_, access) => access_operands(access, out),
        ExprKind::Unary(_, a)
        | ExprKind::Ask(_, a)
        | ExprKind::Temporal(_, a)
        | ExprKind::Member(_, a) => out(a),
        ExprKind::Binary(_, a, b) | ExprKind::Until(_, a, b) => {
            out(a);
            out(b);
        }
        ExprKind::And(all) | ExprKind::Or(all) | ExprKind::Run(_, all, _) => {
            all.iter().for_each(out);
        }
        ExprKind::Choice(parts) => parts.iter().for_each(out),
        ExprKind::Poll(receive) => {
            access_operands(&receive.channel, out);
            for field in &receive.fields {
                match field {
                    Pattern::Store(Target::Access(access)) => access_operands(access, out),
                    Pattern::Store(_) => {}
                    Pattern::Match(value) => out(value),
                }
            }
        }
        ExprKind::RemoteLabel(_, instance, _) => instance.as_deref().into_iter().for_each(out),
        ExprKind::RemoteVariable(_, instance, index) => {
            let both = instance.as_deref().into_iter().chain(index.as_deref());
            both.for_each(out);
        }
        ExprKind::Number(_)
        | ExprKind::Predefined(_)
        | ExprKind::Chosen(_)
        | ExprKind::Timeout
        | ExprKind::NonProgress
        | ExprKind::Anything => {}
    }
}

/// Calls `out` with each index of an access.
pub(crate) fn access_operands<'a>(access: &'a Access, out: &mut dyn FnMut(&'a Expr)) {
    let fields = access.fields.iter().filter_map(|f| f.index.as_deref());
    let all = access.index.as_deref().into_iter().chain(fields);
    all.for_each(out);
}
