//! The types of Promela-Lite (Donaldson 2007, figure 6.5): what is refused has a place.
//!
//! Types of channels may be recursive, and are equal if they unfold to the same: two are compared
//! part by part, and a pair that is met again is equal as far as it was looked at. A number stands
//! for a process where one is wanted, if there are so many; `null` for a channel of any type.

use super::tree::{
    LiteExpr, LiteExprKind, LiteGuard, LiteModel, LiteName, LiteProcess, LiteStatement, LiteType,
    LiteUpdate, WrittenType,
};
use base::{Diagnostic, Diagnostics, Span, quote};
use std::collections::HashMap;
use std::rc::Rc;

/// What a name stands for.
#[derive(Clone)]
enum Meaning {
    /// A static channel: a constant.
    Channel(Rc<LiteType>),
    /// A variable or parameter.
    Variable(Rc<LiteType>),
    /// A process type.
    Process,
}

struct TypeChecker<'m, 'f> {
    model: &'m LiteModel,
    names: HashMap<&'m str, Meaning>,
    found: &'f mut Diagnostics,
    n_errors: usize,
    typing: Typing,
}

/// The types of channels where they matter.
#[derive(Default)]
pub struct Typing {
    /// Of each `null`.
    pub nulls: Vec<(Span, LiteType)>,
    /// Of each `nfull(c)` and `nempty(c)`.
    pub probes: Vec<(Span, LiteType)>,
}

impl Typing {
    /// The types of `null`, each once.
    pub fn kinds(&self) -> Vec<&LiteType> {
        let mut kinds: Vec<&LiteType> = Vec::new();
        for (_, ty) in &self.nulls {
            if !kinds
                .iter()
                .any(|kind| are_equal(kind, ty, &mut Vec::new()))
            {
                kinds.push(ty);
            }
        }
        kinds
    }

    /// Which of these types one is.
    pub fn kind(kinds: &[&LiteType], ty: &LiteType) -> Option<usize> {
        kinds
            .iter()
            .position(|kind| are_equal(kind, ty, &mut Vec::new()))
    }
}

/// The types of a text if it is well typed; `found` says where it is not.
pub fn typed(model: &LiteModel, found: &mut Diagnostics) -> Option<Typing> {
    let mut checker = TypeChecker {
        model,
        names: HashMap::new(),
        found,
        n_errors: 0,
        typing: Typing::default(),
    };
    checker.declare();
    for process in &model.processes {
        checker.process(process);
    }
    checker.runs();
    (checker.n_errors == 0).then_some(checker.typing)
}

/// A type without `rec` in front.
fn unfolded(ty: &LiteType) -> LiteType {
    let mut ty = ty.clone();
    while let LiteType::Rec(name, inner) = &ty {
        let whole = Rc::new(ty.clone());
        ty = replaced(inner, name, &whole);
    }
    ty
}

fn replaced(ty: &LiteType, name: &str, by: &Rc<LiteType>) -> LiteType {
    match ty {
        LiteType::Variable(x) if x == name => (**by).clone(),
        LiteType::Rec(x, inner) if x != name => {
            LiteType::Rec(x.clone(), Rc::new(replaced(inner, name, by)))
        }
        LiteType::Chan(fields) => {
            let fields = fields.iter().map(|f| Rc::new(replaced(f, name, by)));
            LiteType::Chan(fields.collect())
        }
        other => other.clone(),
    }
}

/// Whether two types unfold to the same.
fn are_equal(a: &LiteType, b: &LiteType, seen: &mut Vec<(LiteType, LiteType)>) -> bool {
    let pair = (a.clone(), b.clone());
    if a == b || seen.contains(&pair) {
        return true;
    }
    seen.push(pair);
    match (unfolded(a), unfolded(b)) {
        (LiteType::Chan(a), LiteType::Chan(b)) => {
            a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| are_equal(a, b, seen))
        }
        (a, b) => a == b,
    }
}

/// A type in words.
fn words(ty: &LiteType) -> String {
    match ty {
        LiteType::Int => "int".to_owned(),
        LiteType::Pid => "pid".to_owned(),
        LiteType::Variable(name) => name.clone(),
        LiteType::Rec(name, inner) => format!("rec {name} . {}", words(inner)),
        LiteType::Chan(fields) => {
            let fields: Vec<String> = fields.iter().map(|f| words(f)).collect();
            format!("chan{{{}}}", fields.join(", "))
        }
    }
}

impl<'m> TypeChecker<'m, '_> {
    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.n_errors += 1;
        self.found.push(Diagnostic::error(span, message.into()));
    }

    fn declare(&mut self) {
        let model = self.model;
        for channel in &model.channels {
            let (capacity, span) = channel.capacity;
            if !(1..=255).contains(&capacity) {
                self.error(span, "a channel has room for 1 to 255 messages");
            }
            channel
                .fields
                .iter()
                .for_each(|field| self.well_formed(field));
            let fields = channel.fields.iter().map(|field| field.ty.clone());
            let ty = Rc::new(LiteType::Chan(fields.collect()));
            self.name(&channel.name, Meaning::Channel(ty));
        }
        for global in &model.globals {
            self.name(&global.name, Meaning::Variable(global.ty.ty.clone()));
            let (value, span) = global.value;
            if *global.ty.ty == LiteType::Pid {
                self.process_number(value, span);
            }
        }
        for process in &model.processes {
            self.name(&process.name, Meaning::Process);
        }
    }

    fn name(&mut self, name: &'m LiteName, meaning: Meaning) {
        if self.names.insert(&name.text, meaning).is_some() {
            let message = format!("{} is declared twice", quote(&name.text));
            self.error(name.span, message);
        }
    }

    /// Refuses types with variables that nothing binds, and `rec` around no channel.
    fn well_formed(&mut self, written: &WrittenType) {
        fn wrong(ty: &LiteType, bound: &mut Vec<String>) -> Option<String> {
            match ty {
                LiteType::Int | LiteType::Pid => None,
                LiteType::Variable(name) if bound.contains(name) => None,
                LiteType::Variable(name) => Some(format!("{} is no type", quote(name))),
                LiteType::Chan(fields) => fields.iter().find_map(|f| wrong(f, bound)),
                LiteType::Rec(name, inner) => {
                    if !matches!(**inner, LiteType::Chan(_)) {
                        return Some("`rec` stands before the type of a channel".to_owned());
                    }
                    bound.push(name.clone());
                    let wrong = wrong(inner, bound);
                    bound.pop();
                    wrong
                }
            }
        }
        if let Some(message) = wrong(&written.ty, &mut Vec::new()) {
            self.error(written.span, message);
        }
    }

    fn process_number(&mut self, value: i64, span: Span) {
        let n = self.model.runs.len() as i64;
        if !(0..=n).contains(&value) {
            self.error(span, format!("a pid is a number from 0 to {n} here"));
        }
    }

    fn process(&mut self, process: &'m LiteProcess) {
        let globals = self.names.clone();
        for (ty, name) in &process.parameters {
            self.well_formed(ty);
            self.name(name, Meaning::Variable(ty.ty.clone()));
        }
        for statement in &process.statements {
            self.statement(statement);
        }
        self.names = globals;
    }

    fn statement(&mut self, statement: &LiteStatement) {
        self.guard(&statement.guard);
        for (n, update) in statement.updates.iter().enumerate() {
            match update {
                LiteUpdate::Skip => {}
                LiteUpdate::Assign(name, value) => {
                    if let Some(ty) = self.target(name) {
                        self.fits(value, &ty);
                    }
                }
                LiteUpdate::Send(channel, values, span) => {
                    self.is_guarded(statement, (n, true), (channel, *span));
                    let Some(fields) = self.fields(channel) else {
                        continue;
                    };
                    if self.count(values.len(), &fields, *span) {
                        for (value, field) in values.iter().zip(&fields) {
                            self.fits(value, field);
                        }
                    }
                }
                LiteUpdate::Receive(channel, targets, span) => {
                    self.is_guarded(statement, (n, false), (channel, *span));
                    let Some(fields) = self.fields(channel) else {
                        continue;
                    };
                    if self.count(targets.len(), &fields, *span) {
                        self.targets(targets, &fields);
                    }
                }
            }
        }
    }

    /// Refuses a send or receive that is not first, or that the condition does not allow last.
    fn is_guarded(
        &mut self,
        statement: &LiteStatement,
        (n, is_send): (usize, bool),
        (channel, span): (&LiteName, Span),
    ) {
        if n > 0 {
            self.error(
                span,
                "a send or a receive is the first update of a statement",
            );
            return;
        }
        let last = match &statement.guard {
            LiteGuard::Joined(true, all) => all.last(),
            guard => Some(guard),
        };
        let is_asked = matches!(last, Some(LiteGuard::Probe(is_full, of, _))
            if *is_full == is_send && of.text == channel.text);
        if !is_asked {
            let probe = if is_send { "nfull" } else { "nempty" };
            let name = &channel.text;
            self.error(
                span,
                format!("the condition must end with `{probe}({name})`"),
            );
        }
    }

    fn count(&mut self, n: usize, fields: &[Rc<LiteType>], span: Span) -> bool {
        if n != fields.len() {
            let wanted = fields.len();
            self.error(
                span,
                format!("messages of this channel have {wanted} fields, not {n}"),
            );
        }
        n == fields.len()
    }

    fn targets(&mut self, targets: &[LiteName], fields: &[Rc<LiteType>]) {
        for (n, (target, field)) in targets.iter().zip(fields).enumerate() {
            if targets[..n].iter().any(|other| other.text == target.text) {
                let message = format!("{} receives two fields", quote(&target.text));
                self.error(target.span, message);
            }
            if let Some(ty) = self.target(target) {
                self.same(&ty, field, target.span);
            }
        }
    }

    /// The type of a variable that is written to.
    fn target(&mut self, name: &LiteName) -> Option<Rc<LiteType>> {
        let message = match self.names.get(&*name.text) {
            Some(Meaning::Variable(ty)) => return Some(ty.clone()),
            Some(Meaning::Channel(_)) => "is a static channel, which is a constant",
            Some(Meaning::Process) => "is a process type",
            None => "is not declared",
        };
        self.error(name.span, format!("{} {message}", quote(&name.text)));
        None
    }

    /// The fields of the messages of a channel.
    fn fields(&mut self, name: &LiteName) -> Option<Vec<Rc<LiteType>>> {
        let ty = self.of_name(&name.text, name.span)?;
        match unfolded(&ty) {
            LiteType::Chan(fields) => Some(fields),
            other => {
                let message = format!("{} is {} and no channel", quote(&name.text), words(&other));
                self.error(name.span, message);
                None
            }
        }
    }

    fn of_name(&mut self, name: &str, span: Span) -> Option<Rc<LiteType>> {
        let message = match self.names.get(name) {
            Some(Meaning::Variable(ty) | Meaning::Channel(ty)) => return Some(ty.clone()),
            Some(Meaning::Process) => "is a process type",
            None => "is not declared",
        };
        self.error(span, format!("{} {message}", quote(name)));
        None
    }

    fn same(&mut self, found: &LiteType, wanted: &LiteType, span: Span) {
        if !are_equal(found, wanted, &mut Vec::new()) {
            let (found, wanted) = (words(found), words(wanted));
            self.error(span, format!("this is {found}, and {wanted} is wanted"));
        }
    }

    fn guard(&mut self, guard: &LiteGuard) {
        match guard {
            LiteGuard::Not(inner, _) => self.guard(inner),
            LiteGuard::Joined(_, all) => all.iter().for_each(|guard| self.guard(guard)),
            LiteGuard::Probe(_, channel, span) => {
                if let Some(fields) = self.fields(channel) {
                    self.typing.probes.push((*span, LiteType::Chan(fields)));
                }
            }
            LiteGuard::Compare(left, sign, right, _) => match *sign {
                "==" | "!=" => match (self.own_type(left), self.own_type(right)) {
                    (Some(ty), _) => self.fits(right, &ty),
                    (None, Some(ty)) => self.fits(left, &ty),
                    (None, None) => self.compared_constants(left, right),
                },
                _ => [left, right]
                    .into_iter()
                    .for_each(|e| self.fits(e, &LiteType::Int)),
            },
        }
    }

    /// The type of an expression, unless it is a constant that may have several. Mistakes are told
    /// where it is held against a type.
    fn own_type(&mut self, expr: &LiteExpr) -> Option<Rc<LiteType>> {
        match &expr.kind {
            LiteExprKind::Number(_) | LiteExprKind::Null => None,
            LiteExprKind::Pid => Some(Rc::new(LiteType::Pid)),
            LiteExprKind::Length(_) | LiteExprKind::Arithmetic(..) => Some(Rc::new(LiteType::Int)),
            LiteExprKind::Enclosed(inner) => self.own_type(inner),
            LiteExprKind::Name(name) => match self.names.get(&**name) {
                Some(Meaning::Variable(ty) | Meaning::Channel(ty)) => Some(ty.clone()),
                _ => Some(Rc::new(LiteType::Int)),
            },
        }
    }

    fn compared_constants(&mut self, left: &LiteExpr, right: &LiteExpr) {
        let is_null = |e: &LiteExpr| matches!(e.kind, LiteExprKind::Null);
        if is_null(left) != is_null(right) {
            self.error(right.span, "a number and a channel are compared");
        } else if is_null(left) {
            // Of any type, as both are the same.
            let any = LiteType::Chan(vec![Rc::new(LiteType::Int)]);
            [left, right].into_iter().for_each(|e| self.fits(e, &any));
        }
    }

    /// Whether an expression has a type.
    fn fits(&mut self, expr: &LiteExpr, wanted: &LiteType) {
        match &expr.kind {
            LiteExprKind::Number(n) => match unfolded(wanted) {
                LiteType::Int => {}
                LiteType::Pid => self.process_number(*n, expr.span),
                _ => self.same(&LiteType::Int, wanted, expr.span),
            },
            LiteExprKind::Null => {
                let ty = unfolded(wanted);
                if matches!(ty, LiteType::Chan(_)) {
                    self.typing.nulls.push((expr.span, ty));
                } else {
                    let message = format!("`null` is a channel, and {} is wanted", words(wanted));
                    self.error(expr.span, message);
                }
            }
            LiteExprKind::Pid => self.same(&LiteType::Pid, wanted, expr.span),
            LiteExprKind::Name(name) => {
                if let Some(ty) = self.of_name(name, expr.span) {
                    self.same(&ty, wanted, expr.span);
                }
            }
            LiteExprKind::Length(channel) => {
                self.fields(channel);
                self.same(&LiteType::Int, wanted, expr.span);
            }
            LiteExprKind::Arithmetic(a, b) => {
                [a, b]
                    .into_iter()
                    .for_each(|e| self.fits(e, &LiteType::Int));
                self.same(&LiteType::Int, wanted, expr.span);
            }
            LiteExprKind::Enclosed(inner) => self.fits(inner, wanted),
        }
    }

    fn runs(&mut self) {
        let model = self.model;
        for run in &model.runs {
            let of = model
                .processes
                .iter()
                .find(|p| p.name.text == run.process.text);
            let Some(process) = of else {
                let message = format!("there is no process {}", quote(&run.process.text));
                self.error(run.process.span, message);
                continue;
            };
            let (n, wanted) = (run.arguments.len(), process.parameters.len());
            if n != wanted {
                let name = quote(&process.name.text);
                let message = format!("{name} has {wanted} parameters, not {n}");
                self.error(run.process.span, message);
                continue;
            }
            for (argument, (ty, _)) in run.arguments.iter().zip(&process.parameters) {
                let is_constant = match &argument.kind {
                    LiteExprKind::Number(_) | LiteExprKind::Null => true,
                    LiteExprKind::Name(name) => {
                        matches!(self.names.get(&**name), Some(Meaning::Channel(_)))
                    }
                    _ => false,
                };
                if is_constant {
                    self.fits(argument, &ty.ty);
                } else {
                    let message = "a process starts with numbers, static channels and `null`";
                    self.error(argument.span, message);
                }
            }
        }
    }
}
