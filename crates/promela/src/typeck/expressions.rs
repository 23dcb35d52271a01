//! Expressions.

use super::channels::FieldFlow;
use super::messages::ChannelUse;
use super::references::{Arrays, ReferenceMeaning};
use super::{Checker, Global, PendingRun};
use crate::ast::{self, Ask, Binary, Unary};
use crate::place::Place;
use crate::typed::{
    Access, Expr, ExprKind, Predefined, ProcessId, ProcessKind, RecordId, Remote, RemoteId, Type,
    UNDEFINED_REFERENCE, Value,
};
use base::quote;

impl Checker<'_> {
    /// An expression that has a value, members of sorts included; `None` after an error.
    pub(super) fn any_value(&mut self, expr: ast::Expr) -> Option<Expr> {
        use ast::ExprKind as E;
        let place = expr.place;
        let (kind, value) = match expr.kind {
            E::Number(n) => (ExprKind::Number(n), Value::Number),
            E::Reference(reference) => return self.read(&reference),
            E::Unary(operator, operand) => return self.unary(operator, *operand, place),
            E::Binary(operator, a, b) => return self.binary(operator, *a, *b, place),
            E::And(all) => (ExprKind::And(self.values(all)?), Value::Truth),
            E::Or(all) => (ExprKind::Or(self.values(all)?), Value::Truth),
            E::Choice(three) => return self.choice(*three, place),
            E::Run(..) if self.body.d_step.is_some() => return self.not_in_d_step("`run`", place),
            E::RemoteLabel(..) if self.body.d_step.is_some() => {
                return self.not_in_d_step("a question about a label", place);
            }
            // SPIN lets them stand in assignments and messages.
            E::RemoteVariable(..) if self.body.d_step.is_some() && self.body.in_test => {
                return self.not_in_d_step("a variable of another process", place);
            }
            E::Run(name, arguments, priority) => return self.run(name, arguments, priority, place),
            E::Probe(probe, channel) => {
                let (used, value) = match probe {
                    ast::Probe::Length => (ChannelUse::Asked, Value::Number),
                    _ => (ChannelUse::Acted, Value::Truth),
                };
                let channel = self.channel_access(&channel, used)?;
                (ExprKind::Probe(probe, channel), value)
            }
            E::Poll(poll) => {
                let poll = self.receive(*poll, ChannelUse::Asked, place)?;
                (ExprKind::Poll(Box::new(poll)), Value::Truth)
            }
            E::Ask(ask, process) => {
                let process = Box::new(self.value(*process)?);
                self.note_identity("a question about a process by its number", place);
                self.check_ask(ask, place);
                (ExprKind::Ask(ask, process), Value::Number)
            }
            E::AnyRef(name) => return self.any_ref(&name, place),
            E::Timeout => (ExprKind::Timeout, Value::Truth),
            E::NonProgress => {
                if self.body.kind != Some(ProcessKind::Never) && !self.body.is_formula {
                    self.error(place, "`np_` can be used in never claims only");
                    return None;
                }
                (ExprKind::NonProgress, Value::Truth)
            }
            E::RemoteLabel(process, index, label) => {
                return self.remote_label(process, index, label, place);
            }
            E::RemoteVariable(process, index, part) => {
                return self.remote_variable(process, index, *part, place);
            }
            E::Temporal(operator, operand) => {
                let operand = Box::new(self.value(*operand)?);
                (ExprKind::Temporal(operator, operand), Value::Truth)
            }
            E::Member(index, inside) => (self.about_member(index, *inside)?, Value::Truth),
            E::Until(operator, a, b) => {
                let (a, b) = (self.value(*a), self.value(*b));
                (
                    ExprKind::Until(operator, Box::new(a?), Box::new(b?)),
                    Value::Truth,
                )
            }
        };
        Some(Expr { kind, value, place })
    }

    /// What a quantifier says of one member.
    fn about_member(&mut self, index: ast::FormulaIndex, inside: ast::Expr) -> Option<ExprKind> {
        let inside = self.value(inside)?;
        Some(ExprKind::Member(index, Box::new(inside)))
    }

    /// The value of a condition, of an assertion, or of what is printed.
    pub(super) fn test(&mut self, expr: ast::Expr) -> Option<Expr> {
        self.tested(expr, Checker::value)
    }

    /// The same, with values that `meaning` gives.
    pub(super) fn tested(
        &mut self,
        expr: ast::Expr,
        meaning: fn(&mut Self, ast::Expr) -> Option<Expr>,
    ) -> Option<Expr> {
        self.body.in_test = true;
        let value = meaning(self, expr);
        self.body.in_test = false;
        value
    }

    /// Warns of what stands for itself in a condition and is no truth: a channel, or a name of an
    /// `mtype`, which is never 0.
    pub(super) fn warn_if_no_condition(&mut self, expr: &Expr) {
        let (message, instead) = match (&expr.kind, expr.value) {
            (ExprKind::Unary(Unary::Not, a), _) => return self.warn_if_no_condition(a),
            (ExprKind::And(all) | ExprKind::Or(all), _) => {
                return all.iter().for_each(|e| self.warn_if_no_condition(e));
            }
            (_, Value::Channel) => {
                let instead = "`nempty(c)` asks whether there is a message in it";
                ("a channel is no condition", instead)
            }
            (ExprKind::Number(_), Value::Name(_)) => {
                let message = "a name of an `mtype` is no condition: it is always true";
                (message, "compare a variable with it")
            }
            _ => return,
        };
        let warning = self.origins.warning(expr.place, message);
        self.found.push(warning.note(instead));
    }

    fn not_in_d_step(&mut self, what: &str, place: Place) -> Option<Expr> {
        let message = format!("{what} cannot stand in a `d_step`");
        let error = self.origins.error(place, message);
        self.report(error.note("`atomic` takes its place"));
        None
    }

    /// `(a -> b : c)`
    fn choice(&mut self, three: [ast::Expr; 3], place: Place) -> Option<Expr> {
        let [condition, yes, no] = three.map(|e| self.value(e));
        let three = [condition?, yes?, no?];
        let same = three[1].value == three[2].value;
        let value = if same { three[1].value } else { Value::Number };
        three.iter().for_each(|part| self.no_formula(part));
        let kind = ExprKind::Choice(Box::new(three));
        Some(Expr { kind, value, place })
    }

    /// All of them, so that every mistake is found.
    fn values(&mut self, all: Vec<ast::Expr>) -> Option<Vec<Expr>> {
        let all: Vec<Option<Expr>> = all.into_iter().map(|e| self.value(e)).collect();
        all.into_iter().collect()
    }

    fn read(&mut self, reference: &ast::Reference) -> Option<Expr> {
        let place = reference.place;
        let (kind, value) = match self.meaning(reference, Arrays::Indexed)? {
            ReferenceMeaning::Constant(set, n) => (ExprKind::Number(n), Value::Name(set)),
            ReferenceMeaning::Predefined(which) => {
                if let Predefined::Pid | Predefined::Last = which {
                    self.note_identity(&reference.parts[0].name.text, place);
                }
                let value = match which {
                    Predefined::Pid | Predefined::Last => Value::Pid,
                    _ => Value::Number,
                };
                (ExprKind::Predefined(which), value)
            }
            ReferenceMeaning::Nothing => {
                self.error(place, "`_` has no value; it can be written to only");
                return None;
            }
            ReferenceMeaning::Lid(access) => {
                let value = value_of(access.kind);
                (ExprKind::Read(access), value)
            }
            ReferenceMeaning::Undefined => {
                (ExprKind::Number(UNDEFINED_REFERENCE), Value::Undefined)
            }
            ReferenceMeaning::Access(access) if matches!(access.kind, Type::Record(_)) => {
                self.incomplete(place);
                return None;
            }
            ReferenceMeaning::Access(access) => {
                let value = value_of(access.kind);
                (ExprKind::Read(access), value)
            }
        };
        Some(Expr { kind, value, place })
    }

    fn unary(&mut self, operator: Unary, operand: ast::Expr, place: Place) -> Option<Expr> {
        let operand = self.value(operand)?;
        // -2147483648 stays a literal under a sign: see `lower::wide`.
        if let (Unary::Minus, ExprKind::Number(n)) = (operator, &operand.kind)
            && *n != i32::MIN
        {
            let kind = ExprKind::Number(n.wrapping_neg());
            let value = Value::Number;
            return Some(Expr { kind, value, place });
        }
        if operator != Unary::Not {
            self.no_formula(&operand);
            if let Value::Name(_) | Value::Channel = operand.value {
                self.warn(place, "this computes with the number of a name or channel");
            }
        }
        let value = if operator == Unary::Not {
            Value::Truth
        } else {
            Value::Number
        };
        let kind = ExprKind::Unary(operator, Box::new(operand));
        Some(Expr { kind, value, place })
    }

    fn binary(
        &mut self,
        operator: Binary,
        a: ast::Expr,
        b: ast::Expr,
        place: Place,
    ) -> Option<Expr> {
        let (a, b) = (self.any_value(a), self.any_value(b));
        let (a, b) = (a?, b?);
        self.check_compared(operator, &a, &b, place)?;
        self.no_formula(&a);
        self.no_formula(&b);
        let equality = matches!(operator, Binary::Equal | Binary::NotEqual);
        let order = matches!(
            operator,
            Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual
        );
        match (a.value, b.value) {
            (Value::Channel, Value::Channel) if equality => {
                let (a, b) = (self.flow(&a), self.flow(&b));
                self.channels.unify(a, b, place);
            }
            (Value::Channel, _) | (_, Value::Channel) => {
                self.warn(place, "this computes with the number of a channel");
            }
            (Value::Name(a), Value::Name(b)) if a != b && equality => {
                self.warn(place, "this compares names of two different sets");
            }
            (Value::Name(_), _) | (_, Value::Name(_)) if !equality && !order => {
                self.warn(place, "this computes with the number of a name");
            }
            _ => {}
        }
        let value = if equality || order {
            Value::Truth
        } else {
            Value::Number
        };
        let kind = ExprKind::Binary(operator, Box::new(a), Box::new(b));
        Some(Expr { kind, value, place })
    }

    /// Refuses a temporal operator under an operator on numbers.
    fn no_formula(&mut self, operand: &Expr) {
        if is_formula(operand) {
            let message = "a temporal operator has no number as its value";
            let error = self.origins.error(operand.place, message);
            let note = "it binds as tightly as `!`: write `[] (x == 1)`, not `[] x == 1`";
            self.report(error.note(note));
        }
    }

    fn check_ask(&mut self, ask: Ask, place: Place) {
        let claims = self.body.kind == Some(ProcessKind::Never) || self.body.is_formula;
        if claims || ask == Ask::Priority {
            return;
        }
        let word = if ask == Ask::Enabled {
            "enabled"
        } else {
            "pc_value"
        };
        self.warn(place, format!("`{word}` is meant for never claims"));
    }

    /// What an expression hands on, as far as channels are concerned.
    pub(super) fn flow(&mut self, expr: &Expr) -> FieldFlow {
        match &expr.kind {
            ExprKind::Read(access) => self.access_flow(access),
            ExprKind::Number(n) if expr.value == Value::Number => FieldFlow::Literal(*n),
            _ => self.channels.of_value(expr.value),
        }
    }

    /// What an access holds, as far as channels are concerned.
    pub(super) fn access_flow(&mut self, access: &Access) -> FieldFlow {
        let record = self.record_of_last(access);
        self.channels.of_access(access, record)
    }

    /// The record that the last field of an access belongs to.
    fn record_of_last(&self, access: &Access) -> Option<RecordId> {
        let mut kind = self.variable(access.variable).kind;
        let mut last = None;
        for step in &access.fields {
            let Type::Record(record) = kind else {
                return None;
            };
            last = Some(record);
            kind = self.records[record.index()].fields[step.field].kind;
        }
        last
    }

    /// `run`
    fn run(
        &mut self,
        name: ast::Name,
        arguments: Vec<ast::Expr>,
        priority: Option<i32>,
        place: Place,
    ) -> Option<Expr> {
        if self.body.process.is_none() {
            self.error(place, "`run` can be used inside processes only");
            return None;
        }
        let fields = self.fields(arguments);
        let Some(&id) = self.process_ids.get(&name.text) else {
            self.error(
                name.place,
                format!("there is no process {}", quote(&name.text)),
            );
            return None;
        };
        let fields = fields?;
        let arguments = fields.iter().map(|f| self.flow(f)).collect();
        let constants = fields.iter().map(|f| match f.kind {
            ExprKind::Number(n) => Some((n, f.place)),
            _ => None,
        });
        let constants = constants.collect();
        self.pending_runs.push(PendingRun {
            process: name,
            id,
            arguments,
            constants,
            place,
        });
        let kind = ExprKind::Run(id, fields, priority);
        let value = Value::Pid;
        Some(Expr { kind, value, place })
    }

    /// Checks the arguments of every `run` against the parameters.
    pub(super) fn check_runs(&mut self) {
        for run in std::mem::take(&mut self.pending_runs) {
            let process = &self.processes[run.id.index()];
            let (first, parameters) = (process.name.place, process.parameters.clone());
            self.check_run(run.id, run.place);
            let mut wanted: Vec<FieldFlow> = Vec::new();
            for parameter in parameters {
                let kind = self.variable(parameter).kind;
                if kind == Type::Chan {
                    let access = Access {
                        variable: parameter,
                        index: None,
                        fields: Vec::new(),
                        kind,
                        place: first,
                    };
                    wanted.push(self.access_flow(&access));
                    continue;
                }
                let mut leaves = Vec::new();
                if self.leaves(kind, first, &mut leaves).is_some() {
                    wanted.extend(leaves.into_iter().map(|kind| self.channels.of_type(kind)));
                }
            }
            let (n, m) = (wanted.len(), run.arguments.len());
            if n != m {
                let name = quote(&run.process.text);
                let message = format!("{name} takes {n} arguments, here are {m}");
                self.error_beside(run.place, message, first, "its declaration");
                continue;
            }
            for (&parameter, constant) in wanted.iter().zip(run.constants) {
                if let (FieldFlow::Plain(kind), Some((n, place))) = (parameter, constant) {
                    self.warn_if_cut(kind, n, place);
                }
            }
            for (parameter, argument) in wanted.into_iter().zip(run.arguments) {
                self.check_argument(parameter, argument, run.place);
                self.channels.unify(parameter, argument, run.place);
            }
        }
    }

    /// SPIN refuses names of another set as arguments.
    fn check_argument(&mut self, parameter: FieldFlow, argument: FieldFlow, place: Place) {
        let (FieldFlow::Plain(Type::Mtype(wanted)), FieldFlow::Plain(Type::Mtype(is))) =
            (parameter, argument)
        else {
            return;
        };
        if wanted != is {
            let (is, wanted) = (self.set_name(is), self.set_name(wanted));
            let message = format!("an argument is a name of {is}; one of {wanted} is expected");
            self.error(place, message);
        }
    }

    fn remote_process(&mut self, name: &ast::Name) -> Option<ProcessId> {
        match self.names.get(&name.text).map(|d| d.what) {
            Some(Global::Process(id)) => Some(id),
            _ => {
                let message = format!("there is no process {} before this", quote(&name.text));
                self.error(name.place, message);
                None
            }
        }
    }

    fn remote_label(
        &mut self,
        process: ast::Name,
        index: Option<Box<ast::Expr>>,
        label: ast::Name,
        place: Place,
    ) -> Option<Expr> {
        let index = self.boxed(index)?;
        let id = self.remote_process(&process)?;
        self.note_remote(id, index.is_some(), place);
        self.pending_labels.push((id, label.clone()));
        let kind = ExprKind::RemoteLabel(id, index, label);
        let value = Value::Truth;
        Some(Expr { kind, value, place })
    }

    fn remote_variable(
        &mut self,
        process: ast::Name,
        index: Option<Box<ast::Expr>>,
        part: ast::ReferencePart,
        place: Place,
    ) -> Option<Expr> {
        let index = self.boxed(index)?;
        let inner = self.boxed(part.index)?;
        let id = self.remote_process(&process)?;
        self.note_remote(id, index.is_some(), place);
        let remote = RemoteId::new(self.remotes.len());
        self.remotes.push(Remote {
            process: id,
            name: part.name,
            variable: None,
        });
        let kind = ExprKind::RemoteVariable(remote, index, inner);
        let value = Value::Number;
        Some(Expr { kind, value, place })
    }

    fn boxed(&mut self, expr: Option<Box<ast::Expr>>) -> Option<Option<Box<Expr>>> {
        match expr {
            None => Some(None),
            Some(expr) => self.value(*expr).map(|e| Some(Box::new(e))),
        }
    }
}

/// What a variable of that type holds.
pub(super) fn value_of(kind: Type) -> Value {
    match kind {
        Type::Bit | Type::Bool => Value::Truth,
        Type::Pid => Value::Pid,
        Type::Mtype(set) => Value::Name(set),
        Type::Chan => Value::Channel,
        Type::Member(sort) => Value::Member(sort),
        _ => Value::Number,
    }
}

/// Whether an expression is one that only formulas have.
fn is_formula(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Temporal(..) | ExprKind::Until(..) => true,
        ExprKind::Member(_, inside) => is_formula(inside),
        ExprKind::And(all) | ExprKind::Or(all) => all.iter().any(is_formula),
        _ => false,
    }
}
