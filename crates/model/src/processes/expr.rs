//! Expressions and places, as plain data.
//!
//! Everything is a 32-bit number with sign, as in SPIN; truth is 0 or 1. Expressions stand in one
//! table of the [`crate::processes::program::Model`] and refer to each other by [`ExprId`], an
//! operand before the expression that uses it. Fields are named by record and number, not by
//! offset: whoever compares models, or renames fields, works on these;
//! [`crate::processes::machine`] turns them into offsets once.

use crate::processes::layout::FieldId;
use crate::processes::program::{LocationId, ProctypeId};

base::define_id!(
    ExprId,
    "Which expression of a [`crate::processes::program::Model`]."
);

/// Whose field.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Owner {
    /// The globals.
    Globals,
    /// The process that takes the step.
    Own,
    /// The process of that number, which must be of that type.
    Other(ProctypeId, Instance),
}

/// Which process of a type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Instance {
    /// The one whose number this gives.
    Numbered(ExprId),
    /// The only one of its type; if there are several, the one created first.
    Any,
}

/// A field, or an element of one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// Whose.
    pub owner: Owner,
    /// Which field.
    pub field: FieldId,
    /// One index a dimension; an index outside the dimension is a fault.
    pub indices: Box<[ExprId]>,
}

impl Place {
    /// A variable that is no array.
    pub fn scalar(owner: Owner, field: FieldId) -> Place {
        Place {
            owner,
            field,
            indices: [].into(),
        }
    }
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unary {
    /// 1 for 0, else 0.
    Not,
    /// Each bit the other way.
    Complement,
    /// Minus, wrapping.
    Minus,
}

/// Operators with two operands. Arithmetic wraps; dividing by 0 is a fault.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Binary {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
    /// `&`
    BitAnd,
    /// `^`
    BitXor,
    /// `|`
    BitOr,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
}

/// Questions about a channel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Probe {
    /// How many messages it holds.
    Length,
    /// Whether it holds none.
    Empty,
    /// Whether no more fit.
    Full,
    /// Whether it holds some.
    NotEmpty,
    /// Whether more fit.
    NotFull,
}

/// An expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expr {
    /// A number.
    Const(i32),
    /// What is in a place.
    Read(Place),
    /// The number of the process that takes the step.
    Pid,
    /// How many processes there are.
    NProcesses,
    /// An operator with one operand.
    Unary(Unary, ExprId),
    /// An operator with two operands, the first evaluated first.
    Binary(Binary, ExprId, ExprId),
    /// 1 if all are not 0; stops at the first that is 0.
    And(Box<[ExprId]>),
    /// 1 if one is not 0; stops at the first that is not 0.
    Or(Box<[ExprId]>),
    /// The second if the first is not 0, else the third.
    Choice([ExprId; 3]),
    /// Makes a process and gives its number; 0 if none can be made. Only in the expression of a
    /// test or an assignment.
    Run(ProctypeId, Box<[ExprId]>, Option<i32>),
    /// A question about a channel.
    Probe(Probe, ExprId),
    /// Whether the receive could be taken now.
    Poll(Box<Receive>),
    /// Whether no step can be taken without this being 1.
    Timeout,
    /// Whether the process of that number can take a step.
    Enabled(ExprId),
    /// The location of the process of that number.
    LocationOf(ExprId),
    /// The priority of the process of that number.
    PriorityOf(ExprId),
    /// Whether that process is at that location.
    AtLocation(ProctypeId, Instance, LocationId),
    /// Whether no process is at a location of progress.
    NonProgress,
    /// Whether a process is at an accepting location.
    Accepting,
}

/// A send. Blocks while the channel is full, or has no partner in a rendezvous.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Send {
    /// The channel.
    pub channel: ExprId,
    /// The fields; those missing are 0.
    pub fields: Box<[ExprId]>,
    /// Whether the message goes before the first that is greater, not to the end.
    pub sorted: bool,
}

/// A receive, or a poll.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Receive {
    /// The channel.
    pub channel: ExprId,
    /// What is done with each field; those missing match anything.
    pub fields: Box<[Pattern]>,
    /// Whether any message that matches will do, the first of them, and not only the oldest.
    pub random: bool,
    /// Whether the message stays.
    pub keep: bool,
}

/// What a receive does with a field.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Pattern {
    /// Stores it.
    Store(Place),
    /// Drops it.
    Drop,
    /// Only a message with this value here is taken.
    Match(ExprId),
}

/// Calls `out` with each expression that `expr` is directly made of, in order of evaluation.
pub fn operands(expr: &Expr, out: &mut dyn FnMut(ExprId)) {
    match expr {
        Expr::Const(_) | Expr::Pid | Expr::NProcesses | Expr::Timeout => {}
        Expr::NonProgress | Expr::Accepting => {}
        Expr::Read(place) => place_operands(place, out),
        Expr::Unary(_, e)
        | Expr::Probe(_, e)
        | Expr::Enabled(e)
        | Expr::LocationOf(e)
        | Expr::PriorityOf(e) => out(*e),
        Expr::Binary(_, a, b) => {
            out(*a);
            out(*b);
        }
        Expr::And(all) | Expr::Or(all) | Expr::Run(_, all, _) => all.iter().for_each(|e| out(*e)),
        Expr::Choice(all) => all.iter().for_each(|e| out(*e)),
        Expr::Poll(receive) => receive_operands(receive, out),
        Expr::AtLocation(_, which, _) => instance_operand(*which, out),
    }
}

/// Calls `out` with each index of a place, and with the number of the process it is in.
pub fn place_operands(place: &Place, out: &mut dyn FnMut(ExprId)) {
    if let Owner::Other(_, which) = place.owner {
        instance_operand(which, out);
    }
    place.indices.iter().for_each(|e| out(*e));
}

/// Calls `out` with the channel of a receive, what it compares, and the operands of its places.
pub fn receive_operands(receive: &Receive, out: &mut dyn FnMut(ExprId)) {
    out(receive.channel);
    for field in &receive.fields {
        match field {
            Pattern::Store(place) => place_operands(place, out),
            Pattern::Drop => {}
            Pattern::Match(e) => out(*e),
        }
    }
}

fn instance_operand(which: Instance, out: &mut dyn FnMut(ExprId)) {
    if let Instance::Numbered(e) = which {
        out(e);
    }
}
