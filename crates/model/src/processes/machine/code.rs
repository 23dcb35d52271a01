//! The machine's own form of a model: fields as offsets, everything in flat tables.
//!
//! [`crate::processes::program::Model`] is made to be compared and rewritten; this is made to be
//! run. A place without an index, or with constant ones, becomes an offset and a width; other
//! indices are kept with their strides and bounds. `flag[i] == 1` with `flag` at offset 4 of the
//! globals becomes `Equal(Element { at: 4, dims: [(i, 2, 1)] }, Const(1))`.

use super::events::TraceCode;
use crate::processes::expr::{
    Binary, Expr, ExprId, Instance, Owner, Pattern, Place, Probe, Receive, Send, Unary,
};
use crate::processes::layout::{
    FieldId, KindId, MESSAGES_AT, NameSet, NameSetId, Role, Scalar, Slot,
};
use crate::processes::program::{Action, Init, Join, Model, Piece, ProctypeId, Reset, StepId};
use std::collections::HashMap;

/// An index into the table of codes.
pub type At = u32;

/// A number at a fixed offset from the start of a record.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    pub at: u32,
    pub scalar: Scalar,
}

/// Whose record.
#[derive(Clone, Copy, Debug)]
pub enum Base {
    Globals,
    Own,
    /// The process of that type and number.
    Numbered(KindId, At),
    /// The first of that type.
    First(KindId),
}

/// A place with indices, or in another process.
#[derive(Clone, Debug)]
pub struct Element {
    pub base: Base,
    pub cell: Cell,
    /// Index, bound, stride.
    pub indices: Box<[(At, u32, u32)]>,
}

/// A place.
#[derive(Clone, Debug)]
pub enum Spot {
    Global(Cell),
    Own(Cell),
    Element(Box<Element>),
}

/// An expression.
#[derive(Clone, Debug)]
pub enum Code {
    Const(i32),
    Global(Cell),
    Own(Cell),
    Element(Box<Element>),
    Pid,
    NProcesses,
    Not(At),
    Complement(At),
    Minus(At),
    Binary(Binary, At, At),
    /// Comparisons with a constant, by far the commonest guards.
    OwnIs(Cell, i32),
    GlobalIs(Cell, i32),
    OwnIsNot(Cell, i32),
    GlobalIsNot(Cell, i32),
    PidIs(i32),
    And(Box<[At]>),
    Or(Box<[At]>),
    Choice(At, At, At),
    Run(ProctypeId, Box<[At]>, Option<i32>),
    Probe(Probe, At),
    Poll(Box<ReceiveCode>),
    Timeout,
    Enabled(At),
    LocationOf(At),
    PriorityOf(At),
    AtLocation(Base, i32),
    NonProgress,
    Accepting,
}

/// A receive.
#[derive(Clone, Debug)]
pub struct ReceiveCode {
    pub channel: At,
    pub fields: Box<[PatternCode]>,
    pub random: bool,
    pub keep: bool,
}

/// What a receive does with a field.
#[derive(Clone, Debug)]
pub enum PatternCode {
    Store(Spot),
    Drop,
    Match(At),
}

/// A send.
#[derive(Clone, Debug)]
pub struct SendCode {
    pub channel: At,
    pub fields: Box<[At]>,
    pub sorted: bool,
}

/// What a step does.
#[derive(Clone, Debug)]
pub enum ActCode {
    Skip,
    Test(At),
    /// A test that makes a process.
    TestRun(At),
    Else,
    Assign(Spot, At),
    Drop(At),
    Send(SendCode),
    Receive(ReceiveCode),
    Assert(At),
    Print(Box<[PieceCode]>),
    SetPriority(At, At, bool),
    Deterministic(u32, u32),
    All(Box<[ActCode]>),
    End,
}

/// A piece of a printed text.
#[derive(Clone, Debug)]
pub enum PieceCode {
    Text(String),
    Decimal(At),
    Unsigned(At),
    Hex(At),
    Octal(At),
    Character(At),
    Name(NameSetId, At),
}

/// A step.
#[derive(Clone, Debug)]
pub struct StepCode {
    pub act: ActCode,
    pub target: i32,
    pub keeps_control: bool,
    pub join: Join,
    /// Whether it may close a loop inside one chain of steps.
    pub closes: bool,
    pub rank: u16,
    /// Whether it is a fault if the process could take a step before this one.
    pub alone: bool,
    /// Whether it waits while the process could take a step before this one.
    pub otherwise: bool,
    pub resets: Box<[(Cell, i32)]>,
}

/// What a variable starts as.
#[derive(Clone, Debug)]
pub enum InitCode {
    Value(Spot, At),
    Channel(Spot, KindId),
}

/// A process type.
#[derive(Clone, Debug)]
pub struct ProcCode {
    pub kind: u8,
    pub size: u32,
    pub location: Scalar,
    pub start: i32,
    pub parameters: Vec<Spot>,
    pub prologue: Vec<InitCode>,
    /// The steps from each location: a range of [`Program::order`].
    pub steps: Vec<(u32, u32)>,
    pub end: Vec<bool>,
    pub progress: Vec<bool>,
    /// By location: whether it is an accepting one.
    pub accept: Vec<bool>,
    pub provided: Option<At>,
    pub priority: Option<(Cell, i32)>,
}

/// A kind of channel.
#[derive(Clone, Debug)]
pub struct ChanCode {
    pub capacity: u32,
    pub fields: Vec<(u32, Slot)>,
    pub message_size: u32,
}

/// What a tag stands for.
#[derive(Clone, Debug)]
pub enum KindCode {
    Globals,
    Process(u32),
    Channel(ChanCode),
}

/// A whole model.
#[derive(Clone, Debug)]
pub struct Program {
    pub codes: Vec<Code>,
    pub steps: Vec<StepCode>,
    /// Steps in the order of their locations.
    pub order: Vec<u32>,
    pub procs: Vec<ProcCode>,
    pub kinds: Vec<KindCode>,
    pub sizes: Vec<u32>,
    pub prologue: Vec<InitCode>,
    pub globals_size: u32,
    pub last: Option<Cell>,
    pub ends_are_steps: bool,
    pub lossy: bool,
    pub priorities: bool,
    pub name_sets: Vec<NameSet>,
    pub(super) trace: Option<TraceCode>,
    /// What the property in question looks at.
    pub atoms: Vec<At>,
}

/// Translates a model.
pub(super) fn compile(model: &Model) -> Program {
    let mut compiler = Compiler {
        model,
        owner: None,
        order: Vec::new(),
        codes: Vec::new(),
        made: HashMap::new(),
    };
    let globals = model.layout.globals();
    let prologue = compiler.inits(&model.prologue, None);
    let procs: Vec<ProcCode> = (0..model.proctypes.len())
        .map(|p| compiler.proctype(ProctypeId::new(p)))
        .collect();
    let mut steps = compiler.steps();
    compiler.owner = None;
    let trace = model.trace.as_ref().map(|t| compiler.trace(t));
    let atoms = model.atoms.iter().map(|e| compiler.at(*e)).collect();
    for proc in &procs {
        let order = &compiler.order;
        let from = |(a, b): &(u32, u32)| &order[*a as usize..*b as usize];
        let locations: Vec<&[u32]> = proc.steps.iter().map(from).collect();
        super::loops::closing(&mut steps, &locations);
    }
    Program {
        codes: compiler.codes,
        steps,
        order: compiler.order,
        procs,
        kinds: kinds(model),
        sizes: model.layout.kinds.iter().map(|k| k.size).collect(),
        prologue,
        globals_size: globals.size,
        last: model.rules.last.map(|f| cell(model, KindId::new(0), f)),
        ends_are_steps: model.rules.ends_are_steps,
        lossy: model.rules.lossy,
        priorities: model.rules.priorities,
        name_sets: model.layout.name_sets.clone(),
        trace,
        atoms,
    }
}

pub(super) struct Compiler<'a> {
    model: &'a Model,
    /// Whose steps are being translated.
    owner: Option<KindId>,
    order: Vec<u32>,
    codes: Vec<Code>,
    /// The code of each expression, for each record that `Own` may mean in it.
    made: HashMap<(ExprId, Option<KindId>), At>,
}

impl Compiler<'_> {
    pub fn model(&self) -> &Model {
        self.model
    }

    /// The code of an expression.
    pub fn at(&mut self, id: ExprId) -> At {
        if let Some(at) = self.made.get(&(id, self.owner)) {
            return *at;
        }
        let model = self.model;
        let code = self.code(model.expr(id));
        self.codes.push(code);
        let at = (self.codes.len() - 1) as At;
        self.made.insert((id, self.owner), at);
        at
    }

    pub fn list(&mut self, all: &[ExprId]) -> Box<[At]> {
        all.iter().map(|e| self.at(*e)).collect()
    }

    fn code(&mut self, expr: &Expr) -> Code {
        match expr {
            Expr::Const(v) => Code::Const(*v),
            Expr::Read(place) => match self.spot(place) {
                Spot::Global(c) => Code::Global(c),
                Spot::Own(c) => Code::Own(c),
                Spot::Element(e) => Code::Element(e),
            },
            Expr::Pid => Code::Pid,
            Expr::NProcesses => Code::NProcesses,
            Expr::Unary(Unary::Not, e) => Code::Not(self.at(*e)),
            Expr::Unary(Unary::Complement, e) => Code::Complement(self.at(*e)),
            Expr::Unary(Unary::Minus, e) => Code::Minus(self.at(*e)),
            Expr::Binary(op, a, b) => self.binary(*op, *a, *b),
            Expr::And(l) => Code::And(self.list(l)),
            Expr::Or(l) => Code::Or(self.list(l)),
            Expr::Choice([a, b, c]) => Code::Choice(self.at(*a), self.at(*b), self.at(*c)),
            Expr::Run(p, args, priority) => Code::Run(*p, self.list(args), *priority),
            Expr::Probe(p, c) => Code::Probe(*p, self.at(*c)),
            Expr::Poll(r) => Code::Poll(Box::new(self.receive(r))),
            Expr::Timeout => Code::Timeout,
            Expr::Enabled(e) => Code::Enabled(self.at(*e)),
            Expr::LocationOf(e) => Code::LocationOf(self.at(*e)),
            Expr::PriorityOf(e) => Code::PriorityOf(self.at(*e)),
            Expr::AtLocation(p, which, l) => {
                Code::AtLocation(self.other(*p, *which), l.index() as i32)
            }
            Expr::NonProgress => Code::NonProgress,
            Expr::Accepting => Code::Accepting,
        }
    }

    fn binary(&mut self, op: Binary, a: ExprId, b: ExprId) -> Code {
        let (a, b) = (self.at(a), self.at(b));
        match (op, &self.codes[a as usize], &self.codes[b as usize]) {
            (Binary::Equal, Code::Own(c), Code::Const(v)) => Code::OwnIs(*c, *v),
            (Binary::Equal, Code::Global(c), Code::Const(v)) => Code::GlobalIs(*c, *v),
            (Binary::NotEqual, Code::Own(c), Code::Const(v)) => Code::OwnIsNot(*c, *v),
            (Binary::NotEqual, Code::Global(c), Code::Const(v)) => Code::GlobalIsNot(*c, *v),
            (Binary::Equal, Code::Pid, Code::Const(v)) => Code::PidIs(*v),
            _ => Code::Binary(op, a, b),
        }
    }

    fn other(&mut self, proctype: ProctypeId, which: Instance) -> Base {
        let kind = self.model.proctype(proctype).kind;
        match which {
            Instance::Numbered(e) => Base::Numbered(kind, self.at(e)),
            Instance::Any => Base::First(kind),
        }
    }

    fn spot(&mut self, place: &Place) -> Spot {
        let (base, kind) = match place.owner {
            Owner::Globals => (Base::Globals, KindId::new(0)),
            Owner::Own => (Base::Own, self.owner.expect("a place of a process")),
            Owner::Other(p, which) => (self.other(p, which), self.model.proctype(p).kind),
        };
        let mut cell = cell(self.model, kind, place.field);
        let field = &self.model.layout.kind(kind).fields[place.field.index()];
        let mut indices = Vec::new();
        for (e, d) in place.indices.iter().zip(&field.dimensions) {
            let at = self.at(*e);
            match self.codes[at as usize] {
                // A constant within its bound can be added here, once for all.
                Code::Const(i) if i >= 0 && (i as u32) < d.count => cell.at += i as u32 * d.stride,
                _ => indices.push((at, d.count, d.stride)),
            }
        }
        match (base, indices.is_empty()) {
            (Base::Globals, true) => Spot::Global(cell),
            (Base::Own, true) => Spot::Own(cell),
            _ => Spot::Element(Box::new(Element {
                base,
                cell,
                indices: indices.into(),
            })),
        }
    }

    fn receive(&mut self, r: &Receive) -> ReceiveCode {
        let channel = self.at(r.channel);
        let pattern = |p: &Pattern| match p {
            Pattern::Store(place) => PatternCode::Store(self.spot(place)),
            Pattern::Drop => PatternCode::Drop,
            Pattern::Match(e) => PatternCode::Match(self.at(*e)),
        };
        ReceiveCode {
            channel,
            fields: r.fields.iter().map(pattern).collect(),
            random: r.random,
            keep: r.keep,
        }
    }

    fn send(&mut self, s: &Send) -> SendCode {
        SendCode {
            channel: self.at(s.channel),
            fields: s.fields.iter().map(|e| self.at(*e)).collect(),
            sorted: s.sorted,
        }
    }

    fn act(&mut self, action: &Action) -> ActCode {
        match action {
            Action::Skip => ActCode::Skip,
            Action::Test(e) if runs(self.model, *e) => ActCode::TestRun(self.at(*e)),
            Action::Test(e) => ActCode::Test(self.at(*e)),
            Action::Else => ActCode::Else,
            Action::Assign(place, e) => ActCode::Assign(self.spot(place), self.at(*e)),
            Action::Drop(e) => ActCode::Drop(self.at(*e)),
            Action::Send(s) => ActCode::Send(self.send(s)),
            Action::Receive(r) => ActCode::Receive(self.receive(r)),
            Action::Assert(e) => ActCode::Assert(self.at(*e)),
            Action::Print(print) => {
                ActCode::Print(print.pieces.iter().map(|p| self.piece(p)).collect())
            }
            Action::SetPriority(p, e, limited) => {
                ActCode::SetPriority(self.at(*p), self.at(*e), *limited)
            }
            Action::Deterministic(a, b) => {
                ActCode::Deterministic(a.index() as u32, b.index() as u32)
            }
            Action::All(all) => ActCode::All(all.iter().map(|a| self.act(a)).collect()),
            Action::End => ActCode::End,
        }
    }

    fn piece(&mut self, piece: &Piece) -> PieceCode {
        match piece {
            Piece::Text(text) => PieceCode::Text(text.clone()),
            Piece::Decimal(e) => PieceCode::Decimal(self.at(*e)),
            Piece::Unsigned(e) => PieceCode::Unsigned(self.at(*e)),
            Piece::Hex(e) => PieceCode::Hex(self.at(*e)),
            Piece::Octal(e) => PieceCode::Octal(self.at(*e)),
            Piece::Character(e) => PieceCode::Character(self.at(*e)),
            Piece::Name(set, e) => PieceCode::Name(*set, self.at(*e)),
        }
    }

    fn inits(&mut self, inits: &[Init], owner: Option<KindId>) -> Vec<InitCode> {
        self.owner = owner;
        (inits.iter())
            .map(|init| match init {
                Init::Value(place, e) => InitCode::Value(self.spot(place), self.at(*e)),
                Init::Channel(place, kind) => InitCode::Channel(self.spot(place), *kind),
            })
            .collect()
    }

    fn proctype(&mut self, id: ProctypeId) -> ProcCode {
        let proctype = self.model.proctype(id);
        let kind = self.model.layout.kind(proctype.kind);
        let Role::Process { location } = kind.role else {
            panic!("the record of {} is no process", proctype.name)
        };
        self.owner = Some(proctype.kind);
        let parameters = proctype.parameters.iter().map(|p| self.spot(p)).collect();
        let mut steps = Vec::new();
        for l in &proctype.locations {
            let from = self.order.len() as u32;
            self.order.extend(l.steps.iter().map(|s| s.index() as u32));
            steps.push((from, self.order.len() as u32));
        }
        ProcCode {
            kind: proctype.kind.index() as u8,
            size: kind.size,
            location,
            start: proctype.start.index() as i32,
            parameters,
            prologue: self.inits(&proctype.prologue, Some(proctype.kind)),
            steps,
            end: proctype.locations.iter().map(|l| l.end).collect(),
            progress: proctype.locations.iter().map(|l| l.progress).collect(),
            accept: proctype.locations.iter().map(|l| l.accept).collect(),
            provided: proctype.provided.map(|e| self.at(e)),
            priority: (proctype.priority).map(|(f, v)| (cell(self.model, proctype.kind, f), v)),
        }
    }

    fn steps(&mut self) -> Vec<StepCode> {
        let mut owners = vec![None; self.model.steps.len()];
        for p in &self.model.proctypes {
            for s in p.locations.iter().flat_map(|l| &l.steps) {
                owners[s.index()] = Some(p);
            }
        }
        let mut steps = Vec::with_capacity(owners.len());
        for (n, (step, proctype)) in self.model.steps.iter().zip(owners).enumerate() {
            let owner = proctype.map(|p| p.kind);
            let is_else = |p| self.model.is_else(p, StepId::new(n));
            let otherwise = proctype.is_some_and(is_else);
            self.owner = owner;
            // A step from no location is never taken, and its places belong to nobody.
            let act = match owner {
                Some(_) => self.act(&step.action),
                None => ActCode::Skip,
            };
            steps.push(StepCode {
                act,
                target: step.target.index() as i32,
                keeps_control: step.keeps_control,
                join: step.join,
                closes: false,
                rank: step.rank,
                alone: step.alone,
                otherwise,
                resets: owner.map_or(Box::default(), |kind| self.resets(kind, &step.resets)),
            });
        }
        steps
    }

    /// The elements of the fields, one by one.
    fn resets(&self, kind: KindId, resets: &[Reset]) -> Box<[(Cell, i32)]> {
        let fields = &self.model.layout.kind(kind).fields;
        (resets.iter())
            .flat_map(|r| {
                let field = &fields[r.field.index()];
                let scalar = field.slot.scalar;
                (field.elements()).map(move |(at, _)| (Cell { at, scalar }, r.value))
            })
            .collect()
    }
}

pub(super) fn cell(model: &Model, kind: KindId, field: FieldId) -> Cell {
    let field = &model.layout.kind(kind).fields[field.index()];
    Cell {
        at: field.at,
        scalar: field.slot.scalar,
    }
}

fn kinds(model: &Model) -> Vec<KindCode> {
    let process = |kind: usize| {
        let of = |p: &crate::processes::program::Proctype| p.kind.index() == kind;
        model.proctypes.iter().position(of)
    };
    (model.layout.kinds.iter().enumerate())
        .map(|(n, kind)| match &kind.role {
            Role::Globals => KindCode::Globals,
            Role::Process { .. } => KindCode::Process(process(n).expect("a type") as u32),
            Role::Channel(buffer) => KindCode::Channel(ChanCode {
                capacity: buffer.capacity,
                fields: (buffer.fields.iter())
                    .map(|(at, slot)| (MESSAGES_AT + at, *slot))
                    .collect(),
                message_size: buffer.message_size,
            }),
        })
        .collect()
}

/// Whether an expression makes a process.
fn runs(model: &Model, e: ExprId) -> bool {
    let mut found = false;
    walk(model, e, &mut |expr| found |= matches!(expr, Expr::Run(..)));
    found
}

/// Calls `visit` with an expression and all under it.
fn walk(model: &Model, e: ExprId, visit: &mut dyn FnMut(&Expr)) {
    let expr = model.expr(e);
    visit(expr);
    crate::processes::expr::operands(expr, &mut |o| walk(model, o, visit));
}
