//! Replicated processes: `ref`, `public`, `_lid`, `_undef_ref`, `anyRef`.
//!
//! A process type that somebody refers to, or that has public variables, or whose instances ask for
//! their own number, is a sort: its members are the instances that run from the start, `active [n]`
//! of them, numbered from 0. `ref p` may stand before `p` in the text, and `p[r].x` before the
//! public variable `x` of `p`: what is public is declared before the first process.
//!
//! **Public variables** of a type are the fields of a record, and all records of its instances one
//! global array: `p[r].x` is what it looks like, and a lone `x` inside of `p` is `p[_lid].x`. Being
//! global it costs no more than the array that a modeller would write by hand.
//!
//! **`_lid`** is a variable of the process that is set when it comes to be, and never again. It is
//! there only where it is needed.
//!
//! **`anyRef(p)`** is in [`super::choices`].
//!
//! **Identity.** A process number tells instances apart. So `_pid` cannot be used in replicated
//! process types, nor can `run` make more of them; and in a model with some, processes cannot ask
//! for another one by its number (`enabled(e)`, `p[e]@l`). Claims and formulas can: what they say
//! is then not symmetric, and that is theirs to say.
//!
//! Source: F. Derepas and P. Gastin (2001), sections 2.2 and 2.3. They leave open what `p[r].x` is
//! if `r` is undefined: it is a fault, as for any index out of range.

use super::declare::Where;
use super::references::{Arrays, ReferenceMeaning};
use super::{Checker, Global};
use crate::ast::{self, Reference, TopLevelItem, Visibility};
use crate::place::Place;
use crate::typed::{
    Access, Expr, ExprKind, Initial, ProcessId, ProcessKind, ProcessPart, Sort, SortId, SortKind,
    Type, Value, Variable, VariableId,
};
use base::quote;
use std::collections::HashMap;

/// What is known of process types before they are read.
#[derive(Default)]
pub(super) struct ReplicatedTypes {
    /// In the order of the text, `init` and claims included.
    announced: Vec<Option<Announced>>,
    /// The sort of each process type that is one; `None` if an error was reported.
    sorts: HashMap<ProcessId, Option<SortId>>,
    /// The array of public variables of each process type that has one.
    arrays: HashMap<ProcessId, VariableId>,
    /// Uses of the numbers of processes, by the process that uses them.
    identities: Vec<(ProcessId, ProcessNumberUse)>,
}

impl ReplicatedTypes {
    /// The array of public variables of a process type.
    pub(crate) fn publics(&self, process: ProcessId) -> Option<VariableId> {
        self.arrays.get(&process).copied()
    }

    fn sort(&self, process: ProcessId) -> Option<SortId> {
        self.sorts.get(&process).copied().flatten()
    }
}

/// A process type.
struct Announced {
    name: ast::Name,
    /// How many run from the start; `Some(None)` for `active` alone.
    active: Option<Option<ast::Expr>>,
    publics: Vec<ast::Declaration>,
}

/// A use of the number of a process.
struct ProcessNumberUse {
    words: String,
    place: Place,
    /// The process type that is asked; `None` if the number alone says which.
    of: Option<ProcessId>,
}

impl Checker<'_> {
    /// Notes what a process type says before its statements.
    pub(super) fn announce_replicated(&mut self, unit: &TopLevelItem) {
        let announced = match unit {
            TopLevelItem::Process(process) => Some(Announced {
                name: process.name.clone(),
                active: process.active.as_ref().map(|a| a.count.clone()),
                publics: publics_of(&process.body),
            }),
            _ => None,
        };
        self.replicated.announced.push(announced);
    }

    /// The sort of the instances of a process type.
    pub(super) fn sort_of_process(&mut self, name: &ast::Name) -> Option<SortId> {
        let Some(&process) = self.process_ids.get(&name.text) else {
            let message = format!("there is no process type {}", quote(&name.text));
            self.error(name.place, message);
            return None;
        };
        if let Some(known) = self.replicated.sorts.get(&process) {
            return *known;
        }
        let sort = self.new_sort(process, name.place);
        self.replicated.sorts.insert(process, sort);
        sort
    }

    fn new_sort(&mut self, process: ProcessId, used: Place) -> Option<SortId> {
        let announced = self.replicated.announced[process.index()].as_ref()?;
        let (name, active) = (announced.name.clone(), announced.active.clone());
        let n = match active {
            None => 0,
            Some(None) => 1,
            Some(Some(count)) => self.constant(&count)?,
        };
        let n_members = u32::try_from(n).ok().filter(|n| (1..=255).contains(n));
        let Some(n_members) = n_members else {
            let message = format!("no instances of {} run from the start", quote(&name.text));
            let error = self.origins.error(used, message);
            self.report(error.note("what is referred to is declared `active [n] proctype`"));
            return None;
        };
        let kind = SortKind::Instances(process);
        Some(self.add_sort(Sort {
            name,
            kind,
            n_members,
        }))
    }

    /// Takes a sort in.
    pub(super) fn add_sort(&mut self, sort: Sort) -> SortId {
        let id = SortId::new(self.sorts.len());
        let literal = (sort.kind == SortKind::Scalarset).then(|| sort.undefined());
        self.sorts.push(sort);
        let words = self.sort_words(id);
        self.channels.add_sort(words, literal);
        id
    }

    /// Declares the public variables of all process types whose types are known by now, if a
    /// process is next.
    pub(super) fn hoist_publics(&mut self, next: &TopLevelItem) {
        let own = match next {
            TopLevelItem::Process(process) => Some(process.name.text.clone()),
            TopLevelItem::Init(_) | TopLevelItem::Never(_) | TopLevelItem::Ltl(_) => None,
            _ => return,
        };
        for i in 0..self.replicated.announced.len() {
            let id = ProcessId::new(i);
            let Some(announced) = &self.replicated.announced[i] else {
                continue;
            };
            let is_own = own.as_ref() == Some(&announced.name.text);
            let ready = is_own || announced.publics.iter().all(|d| self.is_known(d));
            if ready && !announced.publics.is_empty() {
                let (name, publics) = (announced.name.clone(), announced.publics.clone());
                self.declare_publics(id, &name, publics);
            }
        }
    }

    /// Whether all names of a declaration mean something.
    fn is_known(&self, declaration: &ast::Declaration) -> bool {
        let known_type = |kind: &ast::TypeName| match kind {
            ast::TypeName::Named(name) => self.names.contains_key(&name.text),
            _ => true,
        };
        let known_expr = |expr: &ast::Expr| match &expr.kind {
            ast::ExprKind::Reference(r) => {
                let name = &r.parts[0].name.text;
                name.starts_with('_') || self.names.contains_key(name)
            }
            _ => true,
        };
        let known = |variable: &ast::Declarator| {
            let initial = match &variable.initial {
                Some(ast::Initial::Value(value)) => known_expr(value),
                Some(ast::Initial::Channel(channel)) => {
                    channel.fields.iter().all(|(kind, _)| known_type(kind))
                }
                _ => true,
            };
            initial && variable.size.as_ref().is_none_or(known_expr)
        };
        known_type(&declaration.kind) && declaration.variables.iter().all(known)
    }

    fn declare_publics(
        &mut self,
        process: ProcessId,
        name: &ast::Name,
        publics: Vec<ast::Declaration>,
    ) {
        // Once is enough, whatever comes of it.
        if let Some(announced) = &mut self.replicated.announced[process.index()] {
            announced.publics.clear();
        }
        let sort = self.sort_of_process(name);
        let mut fields: Vec<Variable> = Vec::new();
        for declaration in publics {
            fields.extend(self.declare(declaration, Where::Public));
        }
        for field in &fields {
            let constant = match &field.initial {
                Initial::Value(value) => matches!(value.kind, ExprKind::Number(_)),
                _ => true,
            };
            if !constant {
                let text = quote(&field.name.text);
                let message = format!("the public variable {text} starts as no constant");
                let error = self.origins.error(field.name.place, message);
                self.report(error.note("it must be the same in all instances"));
            }
        }
        let Some(sort) = sort else {
            return;
        };
        let record = self.add_record(name.clone(), fields);
        let array = VariableId::new(self.variables.len());
        self.variables.push(Variable {
            name: name.clone(),
            kind: Type::Record(record),
            size: Some(self.sorts[sort.index()].n_members),
            index_sort: Some(sort),
            visibility: None,
            owner: None,
            initial: Initial::Zero,
        });
        self.globals.push(array);
        self.replicated.arrays.insert(process, array);
    }

    /// A declaration of public variables inside its process.
    pub(super) fn declare_public(&mut self, declaration: &ast::Declaration, place: Place) {
        let is_proctype = matches!(
            self.body.kind,
            Some(ProcessKind::Proctype | ProcessKind::Deterministic)
        );
        // What is wrong is said once; that the names are missing need not be.
        let names = declaration.variables.iter().map(|v| v.name.text.clone());
        if !is_proctype {
            self.broken.extend(names);
            self.error(place, "only a process type has public variables");
            return;
        }
        if !self.body.at_start || !self.body.path.is_empty() {
            self.broken.extend(names);
            let message = "a public variable is declared before the first statement of its process";
            self.error(place, message);
            return;
        }
        let process = self.body.process.expect("inside a process");
        let array = self.replicated.publics(process);
        for variable in &declaration.variables {
            let name = &variable.name;
            if self.is_free(name) {
                self.body.publics.insert(name.text.clone(), name.place);
            }
            let record = array.map(|a| self.variable(a).kind);
            if let Some(Type::Record(record)) = record {
                let fields = &self.records[record.index()].fields;
                let field = fields.iter().position(|f| f.name == *name);
                self.body.order.extend(field.map(ProcessPart::Public));
            }
        }
    }

    /// What a reference means that SPIN knows nothing of; `None` if it is no such reference.
    pub(super) fn extended_meaning(
        &mut self,
        reference: &Reference,
        arrays: Arrays,
    ) -> Option<Option<ReferenceMeaning>> {
        let first = &reference.parts[0];
        let lone = reference.parts.len() == 1 && first.index.is_none();
        if self.body.publics.contains_key(&first.name.text) {
            return Some(self.own_public(reference, arrays));
        }
        if lone && !self.names.contains_key(&first.name.text) {
            match &*first.name.text {
                "_lid" => return Some(self.lid(reference.place).map(ReferenceMeaning::Lid)),
                "_undef_ref" => return Some(Some(ReferenceMeaning::Undefined)),
                _ => {}
            }
        }
        let names_process = match self.names.get(&first.name.text).map(|d| d.what) {
            Some(Global::Process(_)) => true,
            None => self.process_ids.contains_key(&first.name.text),
            _ => false,
        };
        let reaches = first.index.is_some() && reference.parts.len() > 1;
        (names_process && reaches).then(|| self.public(reference, arrays))
    }

    /// `p[r].x`
    fn public(&mut self, reference: &Reference, arrays: Arrays) -> Option<ReferenceMeaning> {
        let name = &reference.parts[0].name;
        let process = self.process_ids[&name.text];
        let Some(array) = self.replicated.publics(process) else {
            let known = self.replicated.sorts.get(&process);
            let field = &reference.parts[1].name;
            if known != Some(&None) {
                let (text, field_text) = (quote(&name.text), quote(&field.text));
                let message = format!("{text} has no public variable {field_text} known here");
                self.error(field.place, message);
            }
            self.n_errors += 1;
            return None;
        };
        self.access(array, reference, arrays)
            .map(ReferenceMeaning::Access)
    }

    /// A public variable of the process itself: `x` is `p[_lid].x`.
    fn own_public(&mut self, reference: &Reference, arrays: Arrays) -> Option<ReferenceMeaning> {
        let place = reference.parts[0].name.place;
        if self.body.in_provided {
            self.error(place, "`provided` can speak of global variables only");
            return None;
        }
        let process = self.body.process?;
        let array = self.replicated.publics(process)?;
        let own = self.lid(place)?;
        let index = Expr {
            value: Value::Member(self.variable(array).index_sort?),
            kind: ExprKind::Read(own),
            place,
        };
        let start = Access {
            variable: array,
            index: Some(Box::new(index)),
            fields: Vec::new(),
            kind: self.variable(array).kind,
            place: reference.place,
        };
        self.walk(start, &reference.parts, arrays)
            .map(ReferenceMeaning::Access)
    }

    /// `_lid`
    fn lid(&mut self, place: Place) -> Option<Access> {
        let is_proctype = matches!(
            self.body.kind,
            Some(ProcessKind::Proctype | ProcessKind::Deterministic)
        );
        let process = self.body.process.filter(|_| is_proctype);
        let announced = process.and_then(|p| self.replicated.announced[p.index()].as_ref());
        let (Some(process), Some(announced)) = (process, announced) else {
            let message = "`_lid` is the number of an instance; there is none here";
            self.error(place, message);
            return None;
        };
        if self.body.in_provided {
            self.error(place, "`provided` can speak of global variables only");
            return None;
        }
        let name = ast::Name {
            text: announced.name.text.clone(),
            place,
        };
        let sort = self.sort_of_process(&name)?;
        let kind = Type::Member(sort);
        let variable = self.body.lid.unwrap_or_else(|| {
            let id = VariableId::new(self.variables.len());
            let text = "_lid".into();
            self.variables.push(Variable {
                name: ast::Name { text, place },
                kind,
                size: None,
                index_sort: None,
                visibility: None,
                owner: Some(process),
                initial: Initial::Instance,
            });
            self.body.lid = Some(id);
            // Other variables may start as what it is.
            self.body.locals.insert(0, id);
            id
        });
        Some(Access {
            variable,
            index: None,
            fields: Vec::new(),
            kind,
            place,
        })
    }

    /// Notes the use of the number of a process.
    pub(super) fn note_identity(&mut self, words: &str, place: Place) {
        if let Some(process) = self.body.process {
            let words = if words.starts_with('_') {
                quote(words)
            } else {
                words.to_owned()
            };
            let of = None;
            let identity = ProcessNumberUse { words, place, of };
            self.replicated.identities.push((process, identity));
        }
    }

    /// Notes a question about one process of a type.
    pub(super) fn note_remote(&mut self, of: ProcessId, numbered: bool, place: Place) {
        let many = numbered
            || self
                .processes
                .get(of.index())
                .is_none_or(|p| p.n_active > 1);
        if let (Some(process), true) = (self.body.process, many) {
            let words = "a question about one instance by its number".to_owned();
            let of = Some(of);
            let identity = ProcessNumberUse { words, place, of };
            self.replicated.identities.push((process, identity));
        }
    }

    /// Refuses uses of the numbers of processes that are members of a sort.
    pub(super) fn check_identities(&mut self) {
        let identities = std::mem::take(&mut self.replicated.identities);
        let any = self.sorts.iter().any(|s| s.kind != SortKind::Scalarset);
        for (process, identity) in identities {
            let claims = self.processes.get(process.index()).is_some_and(|p| {
                !matches!(
                    p.kind,
                    ProcessKind::Proctype | ProcessKind::Deterministic | ProcessKind::Init
                )
            });
            let own = self.replicated.sort(process).is_some();
            let wrong = match identity.of {
                Some(of) => self.replicated.sort(of).is_some(),
                None if identity.words == "`_pid`" => own,
                None => any,
            };
            if wrong && !claims {
                let words = &identity.words;
                let message = format!("{words} tells instances apart that are referred to");
                let error = self.origins.error(identity.place, message);
                self.report(error.note("inside its process type, `_lid` refers to an instance"));
            }
        }
    }

    /// Instances that are referred to all run from the start.
    pub(super) fn check_run(&mut self, process: ProcessId, place: Place) {
        if let Some(sort) = self.replicated.sort(process) {
            let name = quote(&self.sorts[sort.index()].name.text.clone());
            let message = format!("instances of {name} are referred to, so no more can be made");
            let error = self.origins.error(place, message);
            self.report(error.note("all of them run from the start: `active [n] proctype`"));
        }
    }
}

/// The public declarations among the first statements of a process.
fn publics_of(body: &ast::Sequence) -> Vec<ast::Declaration> {
    let mut found = Vec::new();
    for statement in &body.statements {
        match &statement.kind {
            ast::StmtKind::Declare(declaration) => {
                if declaration.visibility == Some(Visibility::Public) {
                    found.push(declaration.clone());
                }
            }
            ast::StmtKind::Exclusive(..) => {}
            _ => break,
        }
    }
    found
}
