//! The machine's own form of a model: fields as offsets, everything in flat tables.
//!
//! [`crate::model::Model`] is made to be compared and rewritten; this is made to be run. A place
//! without an index becomes an offset and a width; a place with indices keeps them with their
//! strides and bounds. `flag[i] == 1` with `flag` at offset 4 of the globals becomes
//! `Equal(Element { at: 4, dims: [(i, 2, 1)] }, Const(1))`.

use crate::expr::{Binary, Expr, ExprId, Instance, Owner, Pattern, Place, Probe, Receive, Send};
use crate::layout::{FieldId, KindId, MESSAGES_AT, NameSet, Role, Scalar, Slot};
use crate::model::{Action, Init, Model, Print, ProctypeId, Reset};

/// An index into the table of codes: that of the expression it came from.
pub(super) type At = u32;

/// A number at a fixed offset from the start of a record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub at: u32,
    pub scalar: Scalar,
}

/// Whose record.
#[derive(Clone, Copy, Debug)]
pub(super) enum Base {
    Globals,
    Own,
    /// The process of that type and number.
    Numbered(KindId, At),
    /// The first of that type.
    First(KindId),
}

/// A place with indices, or in another process.
#[derive(Clone, Debug)]
pub(super) struct Element {
    pub base: Base,
    pub cell: Cell,
    /// Index, bound, stride.
    pub indices: Box<[(At, u32, u32)]>,
}

/// A place.
#[derive(Clone, Debug)]
pub(super) enum Spot {
    Global(Cell),
    Own(Cell),
    Element(Box<Element>),
}

/// An expression.
#[derive(Clone, Debug)]
pub(super) enum Code {
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
    /// `own == constant` and `global == constant`, by far the commonest guards.
    OwnIs(Cell, i32),
    GlobalIs(Cell, i32),
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
}

/// A receive.
#[derive(Clone, Debug)]
pub(super) struct ReceiveCode {
    pub channel: At,
    pub fields: Box<[PatternCode]>,
    pub random: bool,
    pub keep: bool,
}

/// What a receive does with a field.
#[derive(Clone, Debug)]
pub(super) enum PatternCode {
    Store(Spot),
    Drop,
    Match(At),
}

/// A send.
#[derive(Clone, Debug)]
pub(super) struct SendCode {
    pub channel: At,
    pub fields: Box<[At]>,
    pub sorted: bool,
}

/// What a step does.
#[derive(Clone, Debug)]
pub(super) enum ActCode {
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
    Print(Box<Print>),
    SetPriority(At, At),
    Deterministic(u32, u32),
    All(Box<[ActCode]>),
    End,
}

/// A step.
#[derive(Clone, Debug)]
pub(super) struct StepCode {
    pub act: ActCode,
    pub target: i32,
    pub keeps_control: bool,
    pub rank: u16,
    pub resets: Box<[(Cell, i32)]>,
}

/// What a variable starts as.
#[derive(Clone, Debug)]
pub(super) enum InitCode {
    Value(Spot, At),
    Channel(Spot, KindId),
}

/// A process type.
#[derive(Clone, Debug)]
pub(super) struct ProcCode {
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
    pub provided: Option<At>,
    pub priority: Option<(Cell, i32)>,
}

/// A kind of channel.
#[derive(Clone, Debug)]
pub(super) struct ChanCode {
    pub capacity: u32,
    pub fields: Vec<(u32, Slot)>,
    pub message_size: u32,
}

/// What a tag stands for.
#[derive(Clone, Debug)]
pub(super) enum KindCode {
    Globals,
    Process(u32),
    Channel(ChanCode),
}

/// A whole model.
#[derive(Clone, Debug)]
pub(super) struct Program {
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
}

/// Translates a model.
pub(super) fn compile(model: &Model) -> Program {
    let mut compiler = Compiler {
        model,
        owner: None,
        order: Vec::new(),
    };
    let codes = compiler.codes();
    let globals = model.layout.globals();
    let prologue = compiler.inits(&model.prologue, None);
    let procs = (0..model.proctypes.len())
        .map(|p| compiler.proctype(ProctypeId::new(p)))
        .collect();
    Program {
        codes,
        steps: compiler.steps(),
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
    }
}

struct Compiler<'a> {
    model: &'a Model,
    /// Whose steps are being translated.
    owner: Option<KindId>,
    order: Vec<u32>,
}

impl Compiler<'_> {
    /// All expressions. Which type `Own` means is the same for all uses of an expression, so it
    /// is found first.
    fn codes(&mut self) -> Vec<Code> {
        let owners = owners(self.model);
        let mut codes = Vec::with_capacity(self.model.exprs.len());
        for (expr, owner) in self.model.exprs.iter().zip(owners) {
            self.owner = owner;
            let code = self.code(expr, &codes);
            codes.push(code);
        }
        codes
    }

    fn code(&self, expr: &Expr, before: &[Code]) -> Code {
        let list = |l: &[ExprId]| l.iter().map(|e| at(*e)).collect::<Box<[At]>>();
        match expr {
            Expr::Const(v) => Code::Const(*v),
            Expr::Read(place) => match self.spot(place) {
                Spot::Global(c) => Code::Global(c),
                Spot::Own(c) => Code::Own(c),
                Spot::Element(e) => Code::Element(e),
            },
            Expr::Pid => Code::Pid,
            Expr::NProcesses => Code::NProcesses,
            Expr::Unary(op, e) => match op {
                crate::expr::Unary::Not => Code::Not(at(*e)),
                crate::expr::Unary::Complement => Code::Complement(at(*e)),
                crate::expr::Unary::Minus => Code::Minus(at(*e)),
            },
            Expr::Binary(op, a, b) => binary(*op, *a, *b, before),
            Expr::And(l) => Code::And(list(l)),
            Expr::Or(l) => Code::Or(list(l)),
            Expr::Choice([a, b, c]) => Code::Choice(at(*a), at(*b), at(*c)),
            Expr::Run(p, args, priority) => Code::Run(*p, list(args), *priority),
            Expr::Probe(p, c) => Code::Probe(*p, at(*c)),
            Expr::Poll(r) => Code::Poll(Box::new(self.receive(r))),
            Expr::Timeout => Code::Timeout,
            Expr::Enabled(e) => Code::Enabled(at(*e)),
            Expr::LocationOf(e) => Code::LocationOf(at(*e)),
            Expr::PriorityOf(e) => Code::PriorityOf(at(*e)),
            Expr::AtLocation(p, which, l) => {
                Code::AtLocation(self.other(*p, *which), l.index() as i32)
            }
            Expr::NonProgress => Code::NonProgress,
        }
    }

    fn other(&self, proctype: ProctypeId, which: Instance) -> Base {
        let kind = self.model.proctype(proctype).kind;
        match which {
            Instance::Numbered(e) => Base::Numbered(kind, at(e)),
            Instance::Any => Base::First(kind),
        }
    }

    fn spot(&self, place: &Place) -> Spot {
        let (base, kind) = match place.owner {
            Owner::Globals => (Base::Globals, KindId::new(0)),
            Owner::Own => (Base::Own, self.owner.expect("a place of a process")),
            Owner::Other(p, which) => (self.other(p, which), self.model.proctype(p).kind),
        };
        let cell = cell(self.model, kind, place.field);
        let field = &self.model.layout.kind(kind).fields[place.field.index()];
        match (base, place.indices.is_empty()) {
            (Base::Globals, true) => Spot::Global(cell),
            (Base::Own, true) => Spot::Own(cell),
            _ => Spot::Element(Box::new(Element {
                base,
                cell,
                indices: (place.indices.iter().zip(&field.dimensions))
                    .map(|(e, d)| (at(*e), d.count, d.stride))
                    .collect(),
            })),
        }
    }

    fn receive(&self, r: &Receive) -> ReceiveCode {
        let pattern = |p: &Pattern| match p {
            Pattern::Store(place) => PatternCode::Store(self.spot(place)),
            Pattern::Drop => PatternCode::Drop,
            Pattern::Match(e) => PatternCode::Match(at(*e)),
        };
        ReceiveCode {
            channel: at(r.channel),
            fields: r.fields.iter().map(pattern).collect(),
            random: r.random,
            keep: r.keep,
        }
    }

    fn send(&self, s: &Send) -> SendCode {
        SendCode {
            channel: at(s.channel),
            fields: s.fields.iter().map(|e| at(*e)).collect(),
            sorted: s.sorted,
        }
    }

    fn act(&self, action: &Action) -> ActCode {
        match action {
            Action::Skip => ActCode::Skip,
            Action::Test(e) if runs(self.model, *e) => ActCode::TestRun(at(*e)),
            Action::Test(e) => ActCode::Test(at(*e)),
            Action::Else => ActCode::Else,
            Action::Assign(place, e) => ActCode::Assign(self.spot(place), at(*e)),
            Action::Drop(e) => ActCode::Drop(at(*e)),
            Action::Send(s) => ActCode::Send(self.send(s)),
            Action::Receive(r) => ActCode::Receive(self.receive(r)),
            Action::Assert(e) => ActCode::Assert(at(*e)),
            Action::Print(print) => ActCode::Print(Box::new(print.clone())),
            Action::SetPriority(p, e) => ActCode::SetPriority(at(*p), at(*e)),
            Action::Deterministic(a, b) => {
                ActCode::Deterministic(a.index() as u32, b.index() as u32)
            }
            Action::All(all) => ActCode::All(all.iter().map(|a| self.act(a)).collect()),
            Action::End => ActCode::End,
        }
    }

    fn inits(&mut self, inits: &[Init], owner: Option<KindId>) -> Vec<InitCode> {
        self.owner = owner;
        (inits.iter())
            .map(|init| match init {
                Init::Value(place, e) => InitCode::Value(self.spot(place), at(*e)),
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
            provided: proctype.provided.map(at),
            priority: (proctype.priority).map(|(f, v)| (cell(self.model, proctype.kind, f), v)),
        }
    }

    fn steps(&mut self) -> Vec<StepCode> {
        let mut owners = vec![None; self.model.steps.len()];
        for p in &self.model.proctypes {
            for s in p.locations.iter().flat_map(|l| &l.steps) {
                owners[s.index()] = Some(p.kind);
            }
        }
        let mut steps = Vec::with_capacity(owners.len());
        for (step, owner) in self.model.steps.iter().zip(owners) {
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
                rank: step.rank,
                resets: owner.map_or(Box::default(), |kind| self.resets(kind, &step.resets)),
            });
        }
        steps
    }
}

/// The elements of the fields, one by one.
impl Compiler<'_> {
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

fn at(id: ExprId) -> At {
    id.index() as At
}

fn cell(model: &Model, kind: KindId, field: FieldId) -> Cell {
    let field = &model.layout.kind(kind).fields[field.index()];
    Cell {
        at: field.at,
        scalar: field.slot.scalar,
    }
}

fn binary(op: Binary, a: ExprId, b: ExprId, before: &[Code]) -> Code {
    let pair = (&before[a.index()], &before[b.index()]);
    match (op, pair) {
        (Binary::Equal, (Code::Own(c), Code::Const(v))) => Code::OwnIs(*c, *v),
        (Binary::Equal, (Code::Global(c), Code::Const(v))) => Code::GlobalIs(*c, *v),
        _ => Code::Binary(op, at(a), at(b)),
    }
}

fn kinds(model: &Model) -> Vec<KindCode> {
    let process = |kind: usize| {
        let of = |p: &crate::model::Proctype| p.kind.index() == kind;
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
    crate::expr::operands(expr, &mut |o| walk(model, o, visit));
}

/// The record that `Own` means in each expression: that of the process type which uses it.
fn owners(model: &Model) -> Vec<Option<KindId>> {
    let mut owners = vec![None; model.exprs.len()];
    for p in &model.proctypes {
        let mut roots = Vec::new();
        for s in p.locations.iter().flat_map(|l| &l.steps) {
            crate::model::roots(&model.step(*s).action, &mut |e| roots.push(e));
        }
        for init in &p.prologue {
            crate::model::init_roots(init, &mut |e| roots.push(e));
        }
        roots.extend(p.provided);
        while let Some(e) = roots.pop() {
            if owners[e.index()].replace(p.kind) != Some(p.kind) {
                crate::expr::operands(model.expr(e), &mut |o| roots.push(o));
            }
        }
    }
    owners
}
