//! A model as text: its records, and the steps from each location.
//!
//! For people who compare a lowered model with what another tool made of the same text, and for
//! tests. Locations are shown by the numbers that the modeller can ask for.
//!
//! ```text
//! proctype P, 3 bytes, starts at 5
//!      2      x = (x + 1) -> 5
//!      5      (x < 3) -> 2
//!             else -> 7
//!      7 e    end
//! ```
//!
//! The letters after a number are `e` for end, `p` for progress, `a` for accept. An arrow `=>`
//! means that the process keeps control; `!2` before a step is its rank among escapes. What is
//! inside a deterministic block is shown like other locations, and the step as `d_step from..to`.

use crate::processes::expr::{
    Binary, Expr, ExprId, Instance, Owner, Pattern, Place, Probe, Receive, Send, Unary,
};
use crate::processes::layout::{Field, KindId, RecordKind, Role};
use crate::processes::program::{
    Action, Init, Location, Model, Piece, Proctype, ProctypeId, StepId,
};
use std::fmt::Write;

/// The whole model.
pub fn listing(model: &Model) -> String {
    let mut out = String::new();
    for (i, kind) in model.layout.kinds.iter().enumerate() {
        if !matches!(kind.role, Role::Process { .. }) && (i > 0 || kind.size > 0) {
            out.push_str(&record(kind));
        }
    }
    let none = Text { model, own: None };
    for init in &model.prologue {
        let _ = writeln!(out, "  {}", none.init(init));
    }
    let names = model.population.iter().map(|p| &*model.proctype(*p).name);
    let names: Vec<&str> = names.collect();
    let _ = writeln!(out, "population: {}", names.join(" "));
    for (i, proctype) in model.proctypes.iter().enumerate() {
        let text = Text {
            model,
            own: Some(ProctypeId::new(i)),
        };
        text.proctype(proctype, &mut out);
    }
    out
}

fn record(kind: &RecordKind) -> String {
    match &kind.role {
        Role::Channel(buffer) => {
            let (capacity, size) = (buffer.capacity, buffer.message_size);
            format!(
                "channel {}: {capacity} messages of {size} bytes\n",
                kind.name
            )
        }
        _ => {
            let fields: Vec<String> = kind.fields.iter().map(field).collect();
            format!("globals, {} bytes: {}\n", kind.size, fields.join(" "))
        }
    }
}

fn field(field: &Field) -> String {
    let mut name = String::new();
    let mut pieces = field.name.split("[]");
    name.push_str(pieces.next().unwrap_or(""));
    for (piece, d) in pieces.zip(&field.dimensions) {
        let _ = write!(name, "[{}]{piece}", d.count);
    }
    name
}

/// Texts inside one process type.
struct Text<'a> {
    model: &'a Model,
    own: Option<ProctypeId>,
}

impl Text<'_> {
    fn proctype(&self, proctype: &Proctype, out: &mut String) {
        let kind = self.model.layout.kind(proctype.kind);
        let start = self.number(proctype, proctype.start.index());
        let _ = writeln!(
            out,
            "proctype {}, {} bytes, starts at {start}",
            proctype.name, kind.size
        );
        let fields: Vec<String> = kind.fields.iter().map(field).collect();
        if !fields.is_empty() {
            let _ = writeln!(out, "  {}", fields.join(" "));
        }
        if let Some(provided) = proctype.provided {
            let _ = writeln!(out, "  provided {}", self.expr(provided));
        }
        for init in &proctype.prologue {
            let _ = writeln!(out, "  {}", self.init(init));
        }
        for location in &proctype.locations {
            self.location(proctype, location, out);
        }
    }

    fn number(&self, proctype: &Proctype, location: usize) -> u32 {
        proctype.locations[location].number
    }

    fn location(&self, proctype: &Proctype, location: &Location, out: &mut String) {
        let flags = [
            (location.end, 'e'),
            (location.progress, 'p'),
            (location.accept, 'a'),
        ];
        let flags: String = flags.iter().filter(|f| f.0).map(|f| f.1).collect();
        let mut head = format!("{:>6} {flags:<4}", location.number);
        if location.steps.is_empty() {
            let _ = writeln!(out, "{head} nothing");
        }
        for id in &location.steps {
            let _ = writeln!(out, "{head} {}", self.step(proctype, *id));
            head = format!("{:>11}", "");
        }
    }

    fn step(&self, proctype: &Proctype, id: StepId) -> String {
        let step = self.model.step(id);
        let mut text = match step.rank {
            0 => String::new(),
            rank => format!("!{rank} "),
        };
        text.push_str(&self.action(proctype, &step.action));
        if !matches!(step.action, Action::End) {
            let arrow = if step.keeps_control { "=>" } else { "->" };
            let target = self.number(proctype, step.target.index());
            let _ = write!(text, " {arrow} {target}");
        }
        text
    }

    fn action(&self, proctype: &Proctype, action: &Action) -> String {
        match action {
            Action::Skip => "skip".to_string(),
            Action::Test(e) => self.expr(*e),
            Action::Else => "else".to_string(),
            Action::Assign(place, e) => format!("{} = {}", self.place(place), self.expr(*e)),
            Action::Drop(e) => format!("_ = {}", self.expr(*e)),
            Action::Send(send) => self.send(send),
            Action::Receive(receive) => self.receive(receive),
            Action::Assert(e) => format!("assert {}", self.expr(*e)),
            Action::Print(print) => {
                let pieces: Vec<String> = print.pieces.iter().map(|p| self.piece(p)).collect();
                format!("print {}", pieces.join(" "))
            }
            Action::SetPriority(p, n, _) => {
                format!("set_priority({}, {})", self.expr(*p), self.expr(*n))
            }
            Action::Deterministic(from, to) => {
                let (from, to) = (from.index(), to.index());
                let (from, to) = (self.number(proctype, from), self.number(proctype, to));
                format!("d_step {from}..{to}")
            }
            Action::All(all) => {
                let all: Vec<String> = all.iter().map(|a| self.action(proctype, a)).collect();
                format!("{{ {} }}", all.join("; "))
            }
            Action::End => "end".to_string(),
        }
    }

    fn init(&self, init: &Init) -> String {
        match init {
            Init::Value(place, e) => format!("{} = {}", self.place(place), self.expr(*e)),
            Init::Channel(place, kind) => {
                let name = &self.model.layout.kind(*kind).name;
                format!("{} = new channel {name}", self.place(place))
            }
        }
    }

    fn piece(&self, piece: &Piece) -> String {
        match piece {
            Piece::Text(text) => format!("{text:?}"),
            Piece::Decimal(e) => self.expr(*e),
            Piece::Unsigned(e) => format!("u:{}", self.expr(*e)),
            Piece::Hex(e) => format!("x:{}", self.expr(*e)),
            Piece::Octal(e) => format!("o:{}", self.expr(*e)),
            Piece::Character(e) => format!("c:{}", self.expr(*e)),
            Piece::Name(_, e) => format!("e:{}", self.expr(*e)),
        }
    }

    fn kind_of(&self, owner: Owner) -> KindId {
        let proctype = match owner {
            Owner::Globals => None,
            Owner::Own => self.own,
            Owner::Other(proctype, _) => Some(proctype),
        };
        proctype.map_or(KindId::new(0), |p| self.model.proctype(p).kind)
    }

    fn place(&self, place: &Place) -> String {
        let field = &self.model.layout.kind(self.kind_of(place.owner)).fields[place.field.index()];
        let mut text = match place.owner {
            Owner::Other(proctype, instance) => format!("{}:", self.process(proctype, instance)),
            _ => String::new(),
        };
        let mut pieces = field.name.split("[]");
        text.push_str(pieces.next().unwrap_or(""));
        for (piece, index) in pieces.zip(&place.indices) {
            let _ = write!(text, "[{}]{piece}", self.expr(*index));
        }
        text
    }

    fn process(&self, proctype: ProctypeId, instance: Instance) -> String {
        let name = &self.model.proctype(proctype).name;
        match instance {
            Instance::Any => name.clone(),
            Instance::Numbered(e) => format!("{name}[{}]", self.expr(e)),
        }
    }

    fn all(&self, exprs: &[ExprId], between: &str) -> String {
        let texts: Vec<String> = exprs.iter().map(|e| self.expr(*e)).collect();
        texts.join(between)
    }

    fn expr(&self, id: ExprId) -> String {
        match self.model.expr(id) {
            Expr::Const(n) => n.to_string(),
            Expr::Read(place) => self.place(place),
            Expr::Pid => "_pid".to_string(),
            Expr::NProcesses => "_nr_pr".to_string(),
            Expr::Unary(op, a) => format!("{}{}", sign_of(*op), self.expr(*a)),
            Expr::Binary(op, a, b) => {
                format!("({} {} {})", self.expr(*a), operator(*op), self.expr(*b))
            }
            Expr::And(all) => format!("({})", self.all(all, " && ")),
            Expr::Or(all) => format!("({})", self.all(all, " || ")),
            Expr::Choice([a, b, c]) => {
                let (a, b, c) = (self.expr(*a), self.expr(*b), self.expr(*c));
                format!("({a} -> {b} : {c})")
            }
            Expr::Run(proctype, arguments, priority) => {
                let name = &self.model.proctype(*proctype).name;
                let arguments = self.all(arguments, ", ");
                match priority {
                    None => format!("run {name}({arguments})"),
                    Some(n) => format!("run {name}({arguments}) priority {n}"),
                }
            }
            Expr::Probe(probe, channel) => format!("{}({})", question(*probe), self.expr(*channel)),
            Expr::Poll(receive) => format!("[{}]", self.receive(receive)),
            Expr::Timeout => "timeout".to_string(),
            Expr::Enabled(p) => format!("enabled({})", self.expr(*p)),
            Expr::LocationOf(p) => format!("pc_value({})", self.expr(*p)),
            Expr::PriorityOf(p) => format!("get_priority({})", self.expr(*p)),
            Expr::AtLocation(proctype, instance, location) => {
                let at = self.number(self.model.proctype(*proctype), location.index());
                format!("{}@{at}", self.process(*proctype, *instance))
            }
            Expr::NonProgress => "np_".to_string(),
            Expr::Accepting => "accepting".to_string(),
        }
    }

    fn send(&self, send: &Send) -> String {
        let mark = if send.sorted { "!!" } else { "!" };
        let fields = self.all(&send.fields, ", ");
        format!("{}{mark}{fields}", self.expr(send.channel))
    }

    fn receive(&self, receive: &Receive) -> String {
        let mark = if receive.random { "??" } else { "?" };
        let fields = receive.fields.iter().map(|field| match field {
            Pattern::Store(place) => self.place(place),
            Pattern::Drop => "_".to_string(),
            Pattern::Match(e) => format!("eval({})", self.expr(*e)),
        });
        let fields: Vec<String> = fields.collect();
        let fields = fields.join(", ");
        let channel = self.expr(receive.channel);
        if receive.keep {
            format!("{channel}{mark}<{fields}>")
        } else {
            format!("{channel}{mark}{fields}")
        }
    }
}

fn sign_of(op: Unary) -> &'static str {
    match op {
        Unary::Not => "!",
        Unary::Complement => "~",
        Unary::Minus => "-",
    }
}

fn operator(op: Binary) -> &'static str {
    match op {
        Binary::Add => "+",
        Binary::Subtract => "-",
        Binary::Multiply => "*",
        Binary::Divide => "/",
        Binary::Remainder => "%",
        Binary::BitAnd => "&",
        Binary::BitXor => "^",
        Binary::BitOr => "|",
        Binary::ShiftLeft => "<<",
        Binary::ShiftRight => ">>",
        Binary::Less => "<",
        Binary::LessEqual => "<=",
        Binary::Greater => ">",
        Binary::GreaterEqual => ">=",
        Binary::Equal => "==",
        Binary::NotEqual => "!=",
    }
}

fn question(probe: Probe) -> &'static str {
    match probe {
        Probe::Length => "len",
        Probe::Empty => "empty",
        Probe::Full => "full",
        Probe::NotEmpty => "nempty",
        Probe::NotFull => "nfull",
    }
}
