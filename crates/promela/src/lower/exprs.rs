//! Expressions and places of variables.
//!
//! Equal expressions of one process type are one entry of the table, so that whoever compares
//! expressions compares numbers; process types share none, because the same field of each is not
//! the same variable. A question for a label (`p@l`) is entered with the number of the label and
//! gets its location when all processes are known; see [`Lower::settle_labels`].

use super::Lower;
use super::places::VariableFields;
use crate::ast;
use crate::typed::{
    Access, Expr as TypedExpr, ExprKind, Pattern as TypedPattern, Predefined, ProcessId, Receive,
    RemoteId, Send, Target, Value,
};
use model::processes::expr::{
    Expr, ExprId, Instance, Owner, Pattern, Place, Receive as LowReceive, Send as LowSend,
};
use model::processes::layout::NameSetId;
use model::processes::program::{LocationId, Piece, Print};

impl Lower<'_> {
    /// Enters an expression.
    pub(super) fn enter(&mut self, expr: Expr) -> ExprId {
        let known = &mut self.known[self.context];
        if let Some(id) = known.get(&expr) {
            return *id;
        }
        let id = ExprId::new(self.exprs.len());
        self.exprs.push(expr.clone());
        known.insert(expr, id);
        id
    }

    /// A number.
    pub(super) fn number(&mut self, value: i32) -> ExprId {
        self.enter(Expr::Const(value))
    }

    /// The value of an expression.
    pub(super) fn expr(&mut self, expr: &TypedExpr) -> ExprId {
        let lowered = match &expr.kind {
            ExprKind::Number(n) => Expr::Const(*n),
            ExprKind::Read(access) => Expr::Read(self.place(access)),
            ExprKind::Predefined(which) => return self.predefined(*which),
            ExprKind::Unary(op, a) => Expr::Unary(*op, self.expr(a)),
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                return self.binary(*op, a, b);
            }
            ExprKind::And(all) => Expr::And(self.all(all)),
            ExprKind::Or(all) => Expr::Or(self.all(all)),
            ExprKind::Choice(parts) => {
                let [a, b, c] = &**parts;
                Expr::Choice([self.expr(a), self.expr(b), self.expr(c)])
            }
            ExprKind::Run(process, arguments, priority) => {
                return self.run(*process, arguments, *priority);
            }
            ExprKind::Probe(probe, access) => {
                let channel = self.read(access);
                Expr::Probe(*probe, channel)
            }
            ExprKind::Poll(receive) => Expr::Poll(Box::new(self.poll(receive))),
            ExprKind::Ask(ask, process) => {
                let process = self.expr(process);
                match ask {
                    ast::Ask::Enabled => Expr::Enabled(process),
                    ast::Ask::PcValue => Expr::LocationOf(process),
                    ast::Ask::Priority => Expr::PriorityOf(process),
                }
            }
            ExprKind::Timeout => Expr::Timeout,
            ExprKind::NonProgress => Expr::NonProgress,
            ExprKind::RemoteLabel(process, instance, label) => {
                return self.remote_label(*process, instance.as_deref(), &label.text);
            }
            ExprKind::RemoteVariable(remote, instance, index) => {
                return self.remote_variable(*remote, instance.as_deref(), index.as_deref());
            }
            ExprKind::Member(_, inside) => return self.expr(inside),
            // These stand in formulas and traces only, which are not lowered.
            // What is still to be chosen stands in no complete tree.
            ExprKind::Temporal(..)
            | ExprKind::Until(..)
            | ExprKind::Anything
            | ExprKind::Chosen(_) => Expr::Const(0),
        };
        self.enter(lowered)
    }

    fn all(&mut self, exprs: &[TypedExpr]) -> Box<[ExprId]> {
        exprs.iter().map(|e| self.expr(e)).collect()
    }

    /// What is in a variable, element or field.
    pub(super) fn read(&mut self, access: &Access) -> ExprId {
        let place = self.place(access);
        self.enter(Expr::Read(place))
    }

    fn predefined(&mut self, which: Predefined) -> ExprId {
        match which {
            Predefined::Pid => self.enter(Expr::Pid),
            Predefined::NProcesses => self.enter(Expr::NProcesses),
            Predefined::Priority => {
                let own = self.enter(Expr::Pid);
                self.enter(Expr::PriorityOf(own))
            }
            Predefined::Last => match self.last {
                Some(field) => self.enter(Expr::Read(Place {
                    owner: Owner::Globals,
                    field,
                    indices: Box::default(),
                })),
                None => self.number(0),
            },
        }
    }

    fn run(
        &mut self,
        process: ProcessId,
        arguments: &[TypedExpr],
        priority: Option<i32>,
    ) -> ExprId {
        let arguments = self.all(arguments);
        // A process that is run without a priority has 1, whatever its declaration says.
        let priority = self.priorities.then(|| priority.unwrap_or(1).max(1));
        match self.proctypes[process.index()] {
            Some(id) => self.enter(Expr::Run(id, arguments, priority)),
            None => self.number(0),
        }
    }

    fn instance(&mut self, instance: Option<&TypedExpr>) -> Instance {
        match instance {
            Some(number) => Instance::Numbered(self.expr(number)),
            None => Instance::Any,
        }
    }

    fn remote_label(
        &mut self,
        process: ProcessId,
        instance: Option<&TypedExpr>,
        label: &str,
    ) -> ExprId {
        let instance = self.instance(instance);
        let labels = &self.typed.processes[process.index()].labels;
        let at = labels.iter().position(|l| &*l.name.text == label);
        match (self.proctypes[process.index()], at) {
            (Some(id), Some(at)) => self.enter(Expr::AtLocation(id, instance, LocationId::new(at))),
            _ => self.number(0),
        }
    }

    fn remote_variable(
        &mut self,
        remote: RemoteId,
        instance: Option<&TypedExpr>,
        index: Option<&TypedExpr>,
    ) -> ExprId {
        let instance = self.instance(instance);
        let index = index.map(|i| self.expr(i));
        let remote = &self.typed.remotes[remote.index()];
        let shape = remote
            .variable
            .and_then(|v| self.places.shapes[v.index()].as_ref());
        let (Some(id), Some(VariableFields::Number(field))) =
            (self.proctypes[remote.process.index()], shape)
        else {
            return self.number(0);
        };
        let field = *field;
        let is_array = remote
            .variable
            .is_some_and(|v| self.typed.variables[v.index()].size.is_some());
        let indices = match (is_array, index) {
            (false, _) => Vec::new(),
            (true, Some(index)) => vec![index],
            (true, None) => vec![self.number(0)],
        };
        self.enter(Expr::Read(Place {
            owner: Owner::Other(id, instance),
            field,
            indices: indices.into(),
        }))
    }

    /// Where a variable, element or field is.
    pub(super) fn place(&mut self, access: &Access) -> Place {
        let typed = self.typed;
        let variable = &typed.variables[access.variable.index()];
        let owner = match variable.owner {
            None => Owner::Globals,
            Some(_) => Owner::Own,
        };
        let mut indices = Vec::new();
        let mut declared = variable;
        self.index(declared, access.index.as_deref(), &mut indices);
        let mut path = Vec::new();
        for step in &access.fields {
            if let crate::typed::Type::Record(record) = declared.kind {
                declared = &typed.records[record.index()].fields[step.field];
                self.index(declared, step.index.as_deref(), &mut indices);
                path.push(step.field);
            }
        }
        // A variable without room was refused before, so the place is never used.
        let mut shape = self.places.shapes[access.variable.index()].as_ref();
        for field in path {
            shape = match shape {
                Some(VariableFields::Record(shapes)) => shapes.get(field),
                _ => None,
            };
        }
        let field = match shape {
            Some(VariableFields::Number(field)) => *field,
            _ => model::processes::layout::FieldId::new(0),
        };
        Place {
            owner,
            field,
            indices: indices.into(),
        }
    }

    /// The index of an array; one that is not written is 0.
    fn index(
        &mut self,
        declared: &crate::typed::Variable,
        index: Option<&TypedExpr>,
        out: &mut Vec<ExprId>,
    ) {
        if declared.size.is_some() {
            out.push(match index {
                Some(index) => self.expr(index),
                None => self.number(0),
            });
        }
    }

    /// A send.
    pub(super) fn send(&mut self, send: &Send) -> LowSend {
        LowSend {
            channel: self.read(&send.channel),
            fields: self.all(&send.fields),
            sorted: send.sorted,
        }
    }

    /// A receive.
    pub(super) fn receive(&mut self, receive: &Receive) -> LowReceive {
        let fields = receive.fields.iter().map(|f| self.pattern(f)).collect();
        LowReceive {
            channel: self.read(&receive.channel),
            fields,
            random: receive.random,
            keep: receive.keep,
        }
    }

    fn pattern(&mut self, pattern: &TypedPattern) -> Pattern {
        match pattern {
            TypedPattern::Store(Target::Access(access)) => Pattern::Store(self.place(access)),
            TypedPattern::Store(Target::Nothing | Target::Priority) => Pattern::Drop,
            TypedPattern::Match(value) => Pattern::Match(self.expr(value)),
        }
    }

    /// A poll stores nothing.
    fn poll(&mut self, receive: &Receive) -> LowReceive {
        let mut poll = self.receive(receive);
        for field in &mut poll.fields {
            if let Pattern::Store(_) = field {
                *field = Pattern::Drop;
            }
        }
        poll.keep = true;
        poll
    }

    /// The text that `printf` shows; a conversion without a value shows nothing. The format has
    /// its quotes.
    pub(super) fn print(&mut self, format: &str, arguments: &[TypedExpr]) -> Print {
        let format = format.strip_prefix('"').unwrap_or(format);
        let format = format.strip_suffix('"').unwrap_or(format);
        let mut pieces = Vec::new();
        let mut text = String::new();
        let mut arguments = arguments.iter();
        let mut letters = format.chars();
        while let Some(c) = letters.next() {
            let conversion = match c {
                '%' => letters.next(),
                '\\' => {
                    text.extend(escape(letters.next()));
                    continue;
                }
                _ => None,
            };
            let (Some(conversion), true) = (conversion, c == '%') else {
                text.push(c);
                continue;
            };
            if conversion == '%' {
                text.push('%');
                continue;
            }
            let Some(argument) = arguments.next() else {
                continue;
            };
            let value = self.expr(argument);
            let piece = match conversion {
                'u' => Piece::Unsigned(value),
                'x' => Piece::Hex(value),
                'o' => Piece::Octal(value),
                'c' => Piece::Character(value),
                'e' => Piece::Name(name_set(argument), value),
                _ => Piece::Decimal(value),
            };
            if !text.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut text)));
            }
            pieces.push(piece);
        }
        if !text.is_empty() {
            pieces.push(Piece::Text(text));
        }
        Print { pieces }
    }

    /// The name that `printm` shows.
    pub(super) fn print_name(&mut self, value: &TypedExpr) -> Print {
        let piece = Piece::Name(name_set(value), self.expr(value));
        Print {
            pieces: vec![piece],
        }
    }
}

/// The character after a backslash, as C reads it.
fn escape(c: Option<char>) -> Option<char> {
    Some(match c? {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        other => other,
    })
}

fn name_set(expr: &TypedExpr) -> NameSetId {
    match expr.value {
        Value::Name(set) => NameSetId::new(set.index()),
        _ => NameSetId::new(0),
    }
}
