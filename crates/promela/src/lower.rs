//! The typed tree becomes a model of locations and steps, which [`system`] runs.
//!
//! **Aim.** With [`Ends::Step`] the model has the control graph that SPIN 6.5.2 makes with `spin
//! -o1 -o2 -o3 -a`: the same numbers, the same steps in the same order, so that states and
//! transitions can be counted side by side. `docs/theory/promela.md` says what follows from that.
//!
//! **Stages.** [`places`] gives every variable a field, [`start`] its first value, [`exprs`] enters
//! expressions into one table, [`build`] makes the flow of control of each process, [`table`] finds
//! out which steps start where, [`steps`] makes them locations of the model, [`hidden`] sees to
//! variables that are not to be stored.
//!
//! Claims and formulas become [`properties`] over atoms of the model.

mod build;
mod exprs;
mod flow;
mod hidden;
mod loops;
mod origins;
mod places;
mod properties;
mod sites;
mod sorts;
mod start;
mod steps;
mod table;
mod trace;
mod uses;
mod wide;

use crate::place::Place;
use crate::typed::{ProcessId, ProcessKind, Typed};
use base::{Diagnostics, Sources};
use build::Built;
use flow::JumpTarget;
use model::processes::expr::{Expr, ExprId, Owner, operands, place_operands};
use model::processes::layout::{
    FieldId, KindId, MAX_KINDS, Meaning, RecordKind, Role, Scalar, Slot,
};
use model::processes::program::{
    Init, LocationId, Model, Origins, Proctype, ProctypeId, Rules, Step, init_roots, roots,
};
use model::processes::property::Property;
use model::processes::trace::Trace;
use places::VariablePlaces;
use sites::SiteTable;
use std::collections::{HashMap, HashSet};
use table::StepTable;
use uses::ModelUses;

/// What a process does when it has come to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ends {
    /// It goes away in a step, once all processes made after it are gone: SPIN's rule.
    Step,
    /// It stays.
    Stay,
}

/// What a send to a full channel does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FullChannels {
    /// It waits.
    Block,
    /// The message is lost (`spin -m`).
    Lose,
}

/// The choices of the user that change the model.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What a process does when it has come to its end.
    pub ends: Ends,
    /// What a send to a full channel does.
    pub full: FullChannels,
}

/// The model of a typed tree; `None` if `found` says why there is none.
pub fn lower(
    typed: &Typed,
    sources: &Sources,
    options: &Options,
    found: &mut Diagnostics,
) -> Option<Model> {
    lower_all(typed, sources, options, found).map(|(model, _)| model)
}

/// The model of a typed tree, and what is asked of its infinite runs; `None` if `found` says why
/// there is none. The atoms of the properties are expressions of the model, whose own atoms are
/// none.
pub fn lower_all(
    typed: &Typed,
    sources: &Sources,
    options: &Options,
    found: &mut Diagnostics,
) -> Option<(Model, Vec<Property>)> {
    let n_errors = found.n_errors();
    let uses = uses::uses(typed);
    let mut lower = Lower::new(typed, sources, &uses, found);
    let processes = lower.declare();
    if lower.found.n_errors() > n_errors {
        return None;
    }
    let trace = lower.trace();
    let mut prologue = lower.globals();
    let mut built = Vec::new();
    for (i, &(process, kind)) in processes.iter().enumerate() {
        lower.context = i + 1;
        built.push(build::build(&mut lower, process_of(typed, process), kind));
    }
    origins::count(&mut lower, &processes, &built);
    make_visible(typed, &uses, &processes, &mut built);
    origins::recount(&mut lower, &built);
    let mut proctypes = Vec::new();
    let mut places = Vec::new();
    for (i, (&(process, kind), built)) in processes.iter().zip(&mut built).enumerate() {
        lower.context = i + 1;
        let (proctype, at) = lower.proctype(process, kind, built);
        proctypes.push(proctype);
        places.push(at);
    }
    let properties = properties::properties(&mut lower, sources);
    lower.settle_labels(&processes, &built, &places);
    lower.context = 0;
    lower.hide(&mut prologue, &proctypes);
    let population = lower.population(&processes, &prologue, &proctypes);
    properties::absent(&mut lower, &properties, &population);
    let atoms: Vec<ExprId> = properties.iter().flat_map(|p| p.atoms.clone()).collect();
    lower.forget_unused(&prologue, &proctypes, trace.as_ref(), &atoms);
    if lower.found.n_errors() > n_errors {
        return None;
    }
    origins::facts(&mut lower, &processes);
    let declared_sorts = sorts::declared(&lower, &processes);
    let declared_keys = sorts::keys(&lower, &processes);
    let model = Model {
        layout: lower.places.layout,
        exprs: lower.exprs,
        proctypes,
        steps: lower.steps,
        sites: lower.sites.all,
        prologue,
        population,
        trace,
        rules: Rules {
            last: lower.last,
            priorities: lower.priorities,
            ends_are_steps: options.ends == Ends::Step,
            lossy: options.full == FullChannels::Lose,
        },
        origins: lower.origins,
        declared_sorts,
        declared_keys,
        declared_symmetries: Vec::new(),
        atoms: Vec::new(),
        n_atom_lists: 1,
    };
    Some((model, properties))
}

/// What the stages share.
struct Lower<'a> {
    typed: &'a Typed,
    found: &'a mut Diagnostics,
    places: VariablePlaces<'a>,
    sites: SiteTable<'a>,
    exprs: Vec<Expr>,
    /// The expressions entered, for the globals and for each process type.
    known: Vec<HashMap<Expr, ExprId>>,
    /// Which of these tables is in use.
    context: usize,
    steps: Vec<Step>,
    origins: Origins,
    /// By process type: the number of its first statement in SPIN's trails, and how many it has.
    statements: Vec<(Option<u32>, u32)>,
    /// The trace among the processes of the tree, and how many statements it has.
    trace_nodes: Option<(usize, u32)>,
    /// The process type of each process of the tree, but claims and traces.
    proctypes: Vec<Option<ProctypeId>>,
    /// The field of `_last`.
    last: Option<FieldId>,
    /// Whether processes have priorities.
    priorities: bool,
    /// The fields of priorities, one a process type.
    priority_fields: Vec<Option<FieldId>>,
}

fn process_of(typed: &Typed, id: ProcessId) -> &crate::typed::Process {
    &typed.processes[id.index()]
}

/// Jumps with a label that someone asks for become steps.
fn make_visible(
    typed: &Typed,
    uses: &ModelUses,
    processes: &[(ProcessId, KindId)],
    built: &mut [Built],
) {
    let mut done = HashSet::new();
    for (process, label) in &uses.labels {
        let at = processes.iter().position(|p| p.0 == *process);
        let id = process_of(typed, *process).label(label);
        if let (Some(at), Some(id), true) = (at, id, done.insert((*process, label.clone()))) {
            built[at].flow.make_visible(JumpTarget::Label(id));
        }
    }
    for built in built {
        built.flow.tie_blocks();
    }
}

impl<'a> Lower<'a> {
    fn new(
        typed: &'a Typed,
        sources: &'a Sources,
        uses: &ModelUses,
        found: &'a mut Diagnostics,
    ) -> Lower<'a> {
        Lower {
            typed,
            found,
            places: VariablePlaces::new(typed),
            sites: SiteTable::new(sources, &typed.origins),
            exprs: Vec::new(),
            known: vec![HashMap::new()],
            context: 0,
            steps: Vec::new(),
            origins: Origins::default(),
            statements: Vec::new(),
            trace_nodes: None,
            proctypes: Vec::new(),
            last: uses.last.then(|| FieldId::new(0)),
            priorities: uses.priorities,
            priority_fields: Vec::new(),
        }
    }

    fn error(&mut self, place: Place, message: String) {
        self.found.push(self.typed.origins.error(place, message));
    }

    /// Gives all variables room. Gives the processes that are lowered, with their kinds of record.
    fn declare(&mut self) -> Vec<(ProcessId, KindId)> {
        let typed = self.typed;
        let globals = KindId::new(0);
        let byte = |meaning| Slot {
            scalar: Scalar::U8,
            meaning,
        };
        if self.last.is_some() {
            self.last = Some(
                self.places
                    .add_own(globals, "_last", byte(Meaning::Process)),
            );
        }
        for id in &typed.globals {
            self.places.add(*id, globals, self.found);
        }
        let mut processes = Vec::new();
        for (i, process) in typed.processes.iter().enumerate() {
            if !is_lowered(process.kind) {
                self.proctypes.push(None);
                continue;
            }
            if self.places.layout.kinds.len() >= MAX_KINDS {
                let place = process.name.place;
                self.found
                    .push(places::too_many_kinds(&typed.origins, place));
                return Vec::new();
            }
            self.proctypes.push(Some(ProctypeId::new(processes.len())));
            self.known.push(HashMap::new());
            let kind = KindId::new(self.places.layout.kinds.len());
            let record = RecordKind::process(&process.name.text, 1);
            self.places.layout.kinds.push(record);
            let slot = byte(Meaning::Number);
            let priority = self
                .priorities
                .then(|| self.places.add_own(kind, "_priority", slot));
            self.priority_fields.push(priority);
            for id in process.parameters.iter().chain(&process.locals) {
                self.places.add(*id, kind, self.found);
            }
            processes.push((ProcessId::new(i), kind));
        }
        processes
    }

    /// A process type, and the location of each number.
    fn proctype(
        &mut self,
        id: ProcessId,
        kind: KindId,
        built: &mut Built,
    ) -> (Proctype, HashMap<u32, LocationId>) {
        let typed = self.typed;
        let process = process_of(typed, id);
        let table = StepTable::new(&mut built.flow);
        let steps = steps::steps(self, process, &built.flow, &table);
        if let Some(node) = table.circle.or(steps.circle) {
            let site = self.sites.all[built.flow.node(node).site.index()].span;
            let message = "jumps that lead round in a circle, with no statement between";
            self.found.push(base::Diagnostic::error(site, message));
        }
        self.make_room(kind, steps.locations.len());
        let parameters = self.parameters(&process.parameters);
        let mut prologue = Vec::new();
        for local in &process.locals {
            if !built.late.contains(local) {
                self.initialise(*local, Owner::Own, &mut prologue);
            }
        }
        let provided = process.provided.as_ref().map(|e| self.expr(e));
        let number = self.proctypes[id.index()]
            .expect("a lowered process")
            .index();
        let first = process.priority.unwrap_or(1);
        let priority = self.priority_fields[number].map(|field| (field, first));
        let proctype = Proctype {
            name: process.name.text.to_string(),
            kind,
            parameters,
            prologue,
            locations: steps.locations,
            start: steps.start,
            provided,
            priority,
        };
        (proctype, steps.at)
    }

    /// Makes the room for the location as large as it must be, and moves the fields behind it.
    fn make_room(&mut self, kind: KindId, n_locations: usize) {
        let record = &mut self.places.layout.kinds[kind.index()];
        let before = RecordKind::process("", 1).size;
        let after = RecordKind::process("", n_locations);
        let more = after.size - before;
        record.size += more;
        for field in &mut record.fields {
            field.at += more;
        }
        if let Role::Process { .. } = record.role {
            record.role = after.role;
        }
    }

    /// Expressions of statements that are no steps become 0: whoever goes through the table need
    /// not ask whose they are.
    fn forget_unused(
        &mut self,
        prologue: &[Init],
        proctypes: &[Proctype],
        trace: Option<&Trace>,
        atoms: &[ExprId],
    ) {
        let mut used = vec![false; self.exprs.len()];
        let mut waiting: Vec<ExprId> = atoms.to_vec();
        let mut add = |e| waiting.push(e);
        for step in &self.steps {
            roots(&step.action, &mut add);
        }
        if let Some(trace) = trace {
            trace.roots(&mut add);
        }
        for init in proctypes.iter().flat_map(|p| &p.prologue).chain(prologue) {
            init_roots(init, &mut add);
        }
        for proctype in proctypes {
            proctype.provided.into_iter().for_each(&mut add);
            for place in &proctype.parameters {
                place_operands(place, &mut add);
            }
        }
        while let Some(id) = waiting.pop() {
            if !std::mem::replace(&mut used[id.index()], true) {
                operands(&self.exprs[id.index()], &mut |e| waiting.push(e));
            }
        }
        for (expr, used) in self.exprs.iter_mut().zip(used) {
            if !used {
                *expr = Expr::Const(0);
            }
        }
    }

    /// Questions for labels get the locations of the labels.
    fn settle_labels(
        &mut self,
        processes: &[(ProcessId, KindId)],
        built: &[Built],
        places: &[HashMap<u32, LocationId>],
    ) {
        debug_assert_eq!(processes.len(), built.len());
        for expr in &mut self.exprs {
            let Expr::AtLocation(proctype, _, location) = expr else {
                continue;
            };
            let at = proctype.index();
            let mark = JumpTarget::Label(crate::typed::LabelId::new(location.index()));
            let node = built[at].flow.target(mark);
            let number = node.map(|n| built[at].flow.node(n).number);
            match number.and_then(|n| places[at].get(&n)) {
                Some(found) => *location = *found,
                None => *expr = Expr::Const(0),
            }
        }
    }
}

fn is_lowered(kind: ProcessKind) -> bool {
    matches!(
        kind,
        ProcessKind::Proctype | ProcessKind::Deterministic | ProcessKind::Init
    )
}
