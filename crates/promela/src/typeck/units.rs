//! The parts of a model.

use super::declare::Where;
use super::{Checker, DeclaredName, Global, ProcessBody};
use crate::ast::{self, Initial, Name, TopLevelItem};
use crate::place::Place;
use crate::typed::{Formula, Process, ProcessId, ProcessKind, Sequence, VariableId};
use base::quote;
use std::collections::HashMap;

/// What stands before the braces of a process.
struct ProcessHead {
    name: Name,
    kind: ProcessKind,
    n_active: u32,
    priority: Option<i32>,
    provided: Option<ast::Expr>,
    parameters: Vec<ast::Declaration>,
}

impl Checker<'_> {
    /// Numbers the processes, so that `run` can name later ones.
    pub(super) fn announce(&mut self, units: &[TopLevelItem]) {
        for unit in units {
            let name = match unit {
                TopLevelItem::Process(process) => Some(&process.name),
                TopLevelItem::Init(_)
                | TopLevelItem::Never(_)
                | TopLevelItem::Trace(_)
                | TopLevelItem::NoTrace(_) => None,
                _ => continue,
            };
            let id = ProcessId::new(self.n_announced);
            self.n_announced += 1;
            if let Some(name) = name {
                self.process_ids.insert(name.text.clone(), id);
            }
            self.announce_replicated(unit);
        }
    }

    /// Finds the most fields that a message of any channel has, before records are known: a record
    /// counts as its fields once they are, so this is computed from the declarations.
    pub(super) fn field_count_max(&mut self, units: &[TopLevelItem]) {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for unit in units {
            match unit {
                TopLevelItem::Typedef(typedef) => {
                    let n = typedef.fields.iter().map(|d| width(d, &counts)).sum();
                    for declaration in &typedef.fields {
                        self.see_channels(declaration, &counts);
                    }
                    counts.insert(&typedef.name.text, n);
                }
                TopLevelItem::Declaration(declaration) => self.see_channels(declaration, &counts),
                TopLevelItem::Process(process) => self.see_sequence(&process.body, &counts),
                TopLevelItem::Init(init) => self.see_sequence(&init.body, &counts),
                _ => {}
            }
        }
    }

    fn see_channels(&mut self, declaration: &ast::Declaration, counts: &HashMap<&str, usize>) {
        for variable in &declaration.variables {
            if let Some(Initial::Channel(channel)) = &variable.initial {
                let n = channel
                    .fields
                    .iter()
                    .map(|(kind, _)| fields_of(kind, counts))
                    .sum();
                self.n_fields_max = self.n_fields_max.max(n);
            }
        }
    }

    fn see_sequence(&mut self, sequence: &ast::Sequence, counts: &HashMap<&str, usize>) {
        // A channel can be made at the start of a process only.
        for statement in &sequence.statements {
            match &statement.kind {
                ast::StmtKind::Declare(declaration) => self.see_channels(declaration, counts),
                ast::StmtKind::Exclusive(..) => {}
                _ => break,
            }
        }
    }

    /// Checks one unit.
    pub(super) fn unit(&mut self, unit: TopLevelItem) {
        self.reported.clear();
        self.hoist_publics(&unit);
        match unit {
            TopLevelItem::Declaration(declaration) => {
                let made = self.declare_named(declaration, Where::Global);
                self.globals.extend(made);
            }
            TopLevelItem::Typedef(typedef) => self.typedef(typedef),
            TopLevelItem::Mtype(mtype) => self.mtype(mtype),
            TopLevelItem::Scalarset(scalarset) => self.scalarset(scalarset),
            TopLevelItem::Process(process) => self.proctype(*process),
            TopLevelItem::Init(init) => {
                let kind = ProcessKind::Init;
                let is_init = |p: &&Process| p.kind == kind;
                if let Some(first) = self.processes.iter().find(is_init).map(|p| p.name.place) {
                    let first = self.origins.outermost(first).span;
                    let warning = self.origins.warning(init.place, "there is a second `init`");
                    self.found.push(warning.and(first, "the first"));
                }
                let mut head = head(kind, "init", init.place);
                head.priority = init.priority;
                self.process(head, init.body);
            }
            TopLevelItem::Never(claim) => self.claim(ProcessKind::Never, "never", claim),
            TopLevelItem::Trace(claim) => self.claim(ProcessKind::Trace, "trace", claim),
            TopLevelItem::NoTrace(claim) => self.claim(ProcessKind::NoTrace, "notrace", claim),
            TopLevelItem::Ltl(ltl) => self.formula(ltl),
        }
    }

    fn proctype(&mut self, process: ast::Process) {
        let name = process.name.clone();
        if self.is_free(&name) {
            let id = ProcessId::new(self.processes.len());
            let (what, place) = (Global::Process(id), name.place);
            self.names
                .insert(name.text.clone(), DeclaredName { what, place });
        }
        let kind = if process.deterministic {
            ProcessKind::Deterministic
        } else {
            ProcessKind::Proctype
        };
        let n_active = self.n_active(process.active.as_ref());
        if n_active > 0 && !process.parameters.is_empty() {
            let message = format!(
                "{} runs from the start, so its parameters are 0",
                quote(&name.text)
            );
            self.warn(name.place, message);
        }
        let head = ProcessHead {
            name,
            kind,
            n_active,
            priority: process.priority,
            provided: process.provided,
            parameters: process.parameters,
        };
        self.process(head, process.body);
    }

    fn n_active(&mut self, active: Option<&ast::Active>) -> u32 {
        let Some(active) = active else {
            return 0;
        };
        let Some(count) = &active.count else {
            return 1;
        };
        match self.constant_or_initial(count, 0) {
            Some(n @ 0..=255) => n.unsigned_abs(),
            Some(n) => {
                self.error(count.place, format!("0 to 255 processes can run, not {n}"));
                0
            }
            None => 0,
        }
    }

    fn claim(&mut self, kind: ProcessKind, word: &str, claim: ast::Claim) {
        let mut head = head(kind, word, claim.place);
        if let Some(name) = claim.name {
            head.name = name;
        }
        let is_trace = kind != ProcessKind::Never;
        let same = |p: &&Process| match p.kind {
            ProcessKind::Trace | ProcessKind::NoTrace => is_trace,
            _ => p.kind == kind && p.name.text == head.name.text,
        };
        let first = self.processes.iter().find(same).map(|p| p.name.place);
        if let Some(first) = first {
            let name = quote(&head.name.text);
            if is_trace || &*head.name.text != word {
                let message = format!("{name} is there twice");
                self.error_beside(head.name.place, message, first, "the first");
            }
        }
        self.process(head, claim.body);
    }

    /// Checks a process and takes it in, with or without errors, so that numbers stay right.
    fn process(&mut self, head: ProcessHead, body: ast::Sequence) {
        let id = ProcessId::new(self.processes.len());
        self.body = ProcessBody {
            process: Some(id),
            kind: Some(head.kind),
            scopes: vec![HashMap::new()],
            at_start: true,
            ..ProcessBody::default()
        };
        for declaration in head.parameters {
            let made = self.declare_named(declaration, Where::Parameter(id));
            self.body.parameters.extend(made);
        }
        if head.n_active > 0 {
            self.check_started_parameters();
        }
        self.body.in_provided = true;
        let provided = head.provided.and_then(|p| self.value(p));
        self.body.in_provided = false;
        let mut body: Sequence = self.sequence(body);
        let labels = self.settle_jumps(&mut body);
        let parameters: Vec<VariableId> = std::mem::take(&mut self.body.parameters);
        let locals: Vec<VariableId> = std::mem::take(&mut self.body.locals);
        let (lid, order) = (self.body.lid, std::mem::take(&mut self.body.order));
        let publics = self.replicated.publics(id);
        self.body = ProcessBody::default();
        self.processes.push(Process {
            name: head.name,
            kind: head.kind,
            n_active: head.n_active,
            priority: head.priority,
            provided,
            parameters,
            locals,
            publics,
            lid,
            order,
            labels,
            body,
        });
    }

    fn formula(&mut self, ltl: ast::Ltl) {
        if ltl.index.is_some() && self.failed == Some(ltl.place) {
            return;
        }
        self.body = ProcessBody {
            is_formula: true,
            ..ProcessBody::default()
        };
        let n_errors = self.found.n_errors();
        let formula = self.value(ltl.formula);
        self.body = ProcessBody::default();
        if self.found.n_errors() > n_errors && ltl.index.is_some() {
            // What is wrong with one member's is said once.
            self.failed = Some(ltl.place);
        }
        let last = self.formulas.last();
        let same = last.filter(|f| f.index.is_some() && f.place == ltl.place);
        if let (Some(name), Some(_)) = (same.map(|f| f.name.clone()), &ltl.index) {
            self.formulas.extend(formula.map(|formula| Formula {
                name,
                place: ltl.place,
                index: ltl.index,
                formula,
            }));
            return;
        }
        let n_unnamed = self
            .formulas
            .iter()
            .filter(|f| f.name.starts_with("ltl_"))
            .count();
        let name = ltl.name.as_ref().map(|n| n.text.clone());
        let name = name.unwrap_or_else(|| format!("ltl_{n_unnamed}").into());
        if let Some(first) = self
            .formulas
            .iter()
            .find(|f| f.name == name)
            .map(|f| f.place)
        {
            let message = format!("the formula {} is there twice", quote(&name));
            self.error_beside(ltl.place, message, first, "the first");
        }
        let place = ltl.place;
        self.formulas.extend(formula.map(|formula| Formula {
            name,
            place,
            index: ltl.index,
            formula,
        }));
    }
}

fn head(kind: ProcessKind, word: &str, place: Place) -> ProcessHead {
    ProcessHead {
        name: Name {
            text: word.into(),
            place,
        },
        kind,
        n_active: 0,
        priority: None,
        provided: None,
        parameters: Vec::new(),
    }
}

/// How many fields of a message a declaration of fields amounts to.
fn width(declaration: &ast::Declaration, counts: &HashMap<&str, usize>) -> usize {
    let each = fields_of(&declaration.kind, counts);
    let elements = |size: Option<&ast::Expr>| match size.map(|e| &e.kind) {
        Some(ast::ExprKind::Number(n)) => usize::try_from(*n).unwrap_or(1),
        _ => 1,
    };
    let sizes = declaration
        .variables
        .iter()
        .map(|v| elements(v.size.as_ref()));
    sizes
        .map(|n| n.saturating_mul(each))
        .fold(0, usize::saturating_add)
}

fn fields_of(kind: &ast::TypeName, counts: &HashMap<&str, usize>) -> usize {
    match kind {
        ast::TypeName::Named(name) => counts.get(&*name.text).copied().unwrap_or(1),
        _ => 1,
    }
}
