//! Names and types: from the syntax tree to the typed tree.
//!
//! One pass in the order of the text, because a name means something only after its declaration
//! (processes are the exception: `run` may name a later one). What SPIN refuses is an error here;
//! what it accepts and a reader would call ill-typed is a warning. SPIN computes with 32-bit
//! numbers throughout, so nearly everything is accepted: the errors are about names, numbers of
//! fields and arguments, arrays, records and the constants that sizes need.
//!
//! A name that is visible cannot be declared again, not even in an inner block: that is SPIN's
//! rule since blocks are scopes (6.0). Blocks side by side may use the same names.

mod carried;
mod channels;
mod choices;
mod constants;
mod declare;
mod expressions;
mod labels;
mod members;
mod messages;
mod order;
mod references;
mod replicated;
mod scalarset;
mod statements;
mod units;

use crate::ast::{self, Ast};
use crate::place::{Origins, Place};
use crate::typed::{
    Label, LabelId, NameSet, Process, ProcessId, Record, RecordId, Remote, SetId, Sort, SortId,
    Typed, Variable, VariableId,
};
use base::{Diagnostic, Diagnostics, quote};
use channels::ChannelClasses;
use labels::Jumps;
use replicated::ReplicatedTypes;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// The most numbers and channels that a variable may hold.
pub const ELEMENTS_MAX: u64 = 1 << 20;

/// The typed tree of `ast`, or `None` if `found` says why there is none.
pub fn typecheck(ast: Ast, found: &mut Diagnostics) -> Option<Typed> {
    let Ast { units, origins } = ast;
    let mut checker = Checker::new(origins, found);
    checker.field_count_max(&units);
    checker.announce(&units);
    for unit in units {
        checker.unit(unit);
    }
    checker.finish()
}

/// What a name outside processes means.
#[derive(Clone, Copy)]
enum Global {
    Variable(VariableId),
    Record(RecordId),
    Scalarset(SortId),
    Process(ProcessId),
    Constant(SetId, i32),
}

/// A declared name, with its place for messages.
#[derive(Clone, Copy)]
struct DeclaredName<T> {
    what: T,
    place: Place,
}

/// A call of a process that is checked when all are known.
struct PendingRun {
    process: ast::Name,
    id: ProcessId,
    arguments: Vec<channels::FieldFlow>,
    /// The arguments that are constants.
    constants: Vec<Option<(i32, Place)>>,
    place: Place,
}

struct Checker<'a> {
    origins: Origins,
    found: &'a mut Diagnostics,
    n_errors: usize,
    sets: Vec<NameSet>,
    records: Vec<Record>,
    sorts: Vec<Sort>,
    replicated: ReplicatedTypes,
    variables: Vec<Variable>,
    globals: Vec<VariableId>,
    processes: Vec<Process>,
    formulas: Vec<crate::typed::Formula>,
    /// The formula of which an instance has errors.
    failed: Option<Place>,
    remotes: Vec<Remote>,
    names: HashMap<Rc<str>, DeclaredName<Global>>,
    /// All processes of the text, also those that come later.
    process_ids: HashMap<Rc<str>, ProcessId>,
    n_announced: usize,
    /// The most fields of a message that any channel of the text has.
    n_fields_max: usize,
    pending_runs: Vec<PendingRun>,
    pending_labels: Vec<(ProcessId, ast::Name)>,
    channels: ChannelClasses,
    /// Undeclared names that have been reported in this unit.
    reported: HashSet<Rc<str>>,
    /// Names whose declarations have errors.
    broken: HashSet<Rc<str>>,
    body: ProcessBody,
}

/// What is known of the process being checked.
#[derive(Default)]
struct ProcessBody {
    process: Option<ProcessId>,
    kind: Option<crate::typed::ProcessKind>,
    /// Names by block, outermost first.
    scopes: Vec<HashMap<Rc<str>, DeclaredName<VariableId>>>,
    /// The numbers of the open blocks.
    path: Vec<u32>,
    n_blocks: u32,
    d_step: Option<u32>,
    n_d_steps: u32,
    /// The loops that are open, each with the `d_step` it stands in.
    loops: Vec<Option<u32>>,
    locals: Vec<VariableId>,
    parameters: Vec<VariableId>,
    jumps: Jumps,
    /// Whether declarations still give initial values instead of making steps.
    at_start: bool,
    is_formula: bool,
    in_provided: bool,
    /// Whether we are in a condition, an assertion or a print.
    in_test: bool,
    /// How many `atomic` and `d_step` blocks are open.
    n_atomic: usize,
    /// The public variables declared so far, and where.
    publics: HashMap<Rc<str>, Place>,
    /// The variable that holds the number of the instance, once it is needed.
    lid: Option<VariableId>,
    order: Vec<crate::typed::ProcessPart>,
    /// The sorts that the statement chooses from by `anyRef`, where it may choose.
    choices: Option<Vec<SortId>>,
}

impl<'a> Checker<'a> {
    fn new(origins: Origins, found: &'a mut Diagnostics) -> Checker<'a> {
        let unnamed = NameSet {
            name: None,
            names: Vec::new(),
        };
        Checker {
            origins,
            found,
            n_errors: 0,
            sets: vec![unnamed],
            records: Vec::new(),
            sorts: Vec::new(),
            replicated: ReplicatedTypes::default(),
            variables: Vec::new(),
            globals: Vec::new(),
            processes: Vec::new(),
            formulas: Vec::new(),
            failed: None,
            remotes: Vec::new(),
            names: HashMap::new(),
            process_ids: HashMap::new(),
            n_announced: 0,
            n_fields_max: 0,
            pending_runs: Vec::new(),
            pending_labels: Vec::new(),
            channels: ChannelClasses::new(),
            reported: HashSet::new(),
            broken: HashSet::new(),
            body: ProcessBody::default(),
        }
    }

    fn error(&mut self, place: Place, message: impl Into<String>) {
        let error = self.origins.error(place, message);
        self.report(error);
    }

    fn report(&mut self, error: Diagnostic) {
        self.n_errors += 1;
        self.found.push(error);
    }

    fn warn(&mut self, place: Place, message: impl Into<String>) {
        let warning = self.origins.warning(place, message);
        self.found.push(warning);
    }

    /// An error that shows another place too.
    fn error_beside(&mut self, place: Place, message: String, other: Place, words: &str) {
        let other = self.origins.outermost(other).span;
        let error = self.origins.error(place, message).and(other, words);
        self.report(error);
    }

    /// Where a visible name is declared.
    fn visible(&self, name: &str) -> Option<Place> {
        let local = self.body.scopes.iter().rev().find_map(|s| s.get(name));
        let public = || self.body.publics.get(name).copied();
        let global = || self.names.get(name).map(|d| d.place);
        local.map(|d| d.place).or_else(public).or_else(global)
    }

    /// Whether `name` may be declared here; if not, that is reported.
    fn is_free(&mut self, name: &ast::Name) -> bool {
        if ["_", "_pid", "_last", "_nr_pr", "_priority"].contains(&&*name.text) {
            let message = format!("{} is there already, by the language", quote(&name.text));
            self.error(name.place, message);
            return false;
        }
        let is_around = |l: &Label| self.body.path.starts_with(&l.scope);
        if let Some(label) = self.body.jumps.place_of(&name.text, &is_around) {
            let message = format!("{} is a label already", quote(&name.text));
            self.error_beside(name.place, message, label, "here");
            return false;
        }
        let Some(first) = self.visible(&name.text) else {
            return true;
        };
        let message = format!("{} is declared already", quote(&name.text));
        self.error_beside(
            name.place,
            message,
            first,
            "here; an inner block cannot reuse the name",
        );
        false
    }

    fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.index()]
    }

    /// Ends the check: what could only be known now is checked.
    fn finish(mut self) -> Option<Typed> {
        self.check_runs();
        self.check_remote_labels();
        self.check_remote_variables();
        self.check_identities();
        let is_running = |p: &Process| p.n_active > 0 || p.kind == crate::typed::ProcessKind::Init;
        if !self.processes.iter().any(is_running) && self.n_errors == 0 && !self.found.has_errors()
        {
            self.report(Diagnostic::unlocated(
                "no process runs: there is no `init` and no `active proctype`",
            ));
        }
        let signatures = self.channels.signatures(&self.variables);
        for clash in self.channels.clashes(&self.origins) {
            self.found.push(clash);
        }
        if self.found.has_errors() {
            return None;
        }
        Some(Typed {
            sets: self.sets,
            records: self.records,
            sorts: self.sorts,
            variables: self.variables,
            globals: self.globals,
            processes: self.processes,
            formulas: self.formulas,
            remotes: self.remotes,
            signatures,
            origins: self.origins,
        })
    }

    fn check_remote_labels(&mut self) {
        for (process, label) in std::mem::take(&mut self.pending_labels) {
            let known: Option<LabelId> = self.processes[process.index()].label(&label.text);
            if known.is_none() {
                let of = self.processes[process.index()].name.text.clone();
                let message = format!("{} has no label {}", quote(&of), quote(&label.text));
                self.error(label.place, message);
            }
        }
    }

    fn check_remote_variables(&mut self) {
        for i in 0..self.remotes.len() {
            let remote = &self.remotes[i];
            let process = &self.processes[remote.process.index()];
            let own = process.parameters.iter().chain(&process.locals);
            let named = |id: &&VariableId| self.variable(**id).name.text == remote.name.text;
            let found = own.copied().find(|id| named(&id));
            if found.is_none() {
                let (of, name) = (process.name.text.clone(), remote.name.clone());
                let message = format!("{} has no variable {}", quote(&of), quote(&name.text));
                self.error(name.place, message);
            }
            self.check_remote_member(found, i);
            self.remotes[i].variable = found;
        }
    }
}
