//! What the text says of sorts, beside the model: which fields hold members, which dimensions are
//! indexed by them, what belongs to an instance.
//!
//! Nothing here changes what the model does; a member is a number, and undefined is a number beyond
//! them. Worked example: `active [2] proctype p() { public ref p next; byte n; … }` declares
//! a sort `p` of two members whose undefined number is 255; the global `p[].next` holds members and
//! its dimension 0 is indexed by them; the key of an instance is `p[].next`, `n`, its location.
//!
//! A local variable called `_state` says where in the key the location stands (F. Derepas and
//! P. Gastin, 2001, section 4.2); without one it is last.

use super::Lower;
use super::places::VariableFields;
use crate::typed::{ProcessId, ProcessPart, SortId, SortKind, Type, Variable, VariableId};
use model::processes::expr::{Binary, Expr, ExprId};
use model::processes::layout::{FieldId, KindId};
use model::processes::program::{DeclaredSort, Instances, KeyPart};

/// The sorts that the text declares.
pub(super) fn declared(lower: &Lower, processes: &[(ProcessId, KindId)]) -> Vec<DeclaredSort> {
    let typed = lower.typed;
    let mut sorts: Vec<DeclaredSort> = Vec::new();
    for sort in &typed.sorts {
        let instances = match sort.kind {
            SortKind::Scalarset => None,
            SortKind::Instances(process) => instances(lower, process),
        };
        sorts.push(DeclaredSort {
            name: sort.name.text.to_string(),
            instances,
            n_members: sort.n_members,
            undefined: sort.undefined(),
            values: Vec::new(),
            dimensions: Vec::new(),
            messages: Vec::new(),
        });
    }
    if sorts.is_empty() {
        return sorts;
    }
    let mut note = |id: VariableId, kind: KindId| {
        if let Some(shape) = &lower.places.shapes[id.index()] {
            let variable = &typed.variables[id.index()];
            walk(
                lower,
                variable,
                shape,
                &mut Vec::new(),
                &mut |field, held, indices| {
                    if let Type::Member(sort) = held {
                        sorts[sort.index()].values.push((kind, field));
                    }
                    for (at, sort) in indices.iter().enumerate() {
                        if let Some(sort) = sort {
                            sorts[sort.index()].dimensions.push((kind, field, at));
                        }
                    }
                },
            );
        }
    };
    for id in &typed.globals {
        note(*id, KindId::new(0));
    }
    for (process, kind) in processes {
        let process = &typed.processes[process.index()];
        for id in process.parameters.iter().chain(&process.locals) {
            note(*id, *kind);
        }
    }
    for (channel, kind) in lower.places.channels() {
        for (i, field) in channel.signature.fields.iter().enumerate() {
            if let Type::Member(sort) = field {
                sorts[sort.index()].messages.push((*kind, i));
            }
        }
    }
    sorts
}

/// What belongs to each process, by type; empty if no process type is a sort.
pub(super) fn keys(lower: &Lower, processes: &[(ProcessId, KindId)]) -> Vec<Instances> {
    let is_of_processes = |kind: &SortKind| matches!(kind, SortKind::Instances(_));
    if !lower
        .typed
        .sorts
        .iter()
        .any(|sort| is_of_processes(&sort.kind))
    {
        return Vec::new();
    }
    let all = processes.iter();
    all.filter_map(|(process, _)| instances(lower, *process))
        .collect()
}

/// The processes of a type, and what belongs to each.
fn instances(lower: &Lower, process: ProcessId) -> Option<Instances> {
    let typed = lower.typed;
    let proctype = lower.proctypes[process.index()]?;
    let process = &typed.processes[process.index()];
    let own = process
        .lid
        .and_then(|id| match &lower.places.shapes[id.index()] {
            Some(VariableFields::Number(field)) => Some(*field),
            _ => None,
        });
    let publics = process
        .publics
        .and_then(|id| lower.places.shapes[id.index()].as_ref());
    let mut key = Vec::new();
    for part in &process.order {
        match part {
            ProcessPart::Own(id) if &*typed.variables[id.index()].name.text == "_state" => {
                key.push(KeyPart::Location);
            }
            ProcessPart::Own(id) => {
                let shape = lower.places.shapes[id.index()].as_ref();
                fields(shape, &mut |field| key.push(KeyPart::Own(field)));
            }
            ProcessPart::Public(at) => {
                let shape = match publics {
                    Some(VariableFields::Record(shapes)) => shapes.get(*at),
                    _ => None,
                };
                fields(shape, &mut |field| key.push(KeyPart::Public(field)));
            }
        }
    }
    if !key.contains(&KeyPart::Location) {
        key.push(KeyPart::Location);
    }
    Some(Instances { proctype, own, key })
}

/// All fields of a shape.
fn fields(shape: Option<&VariableFields>, out: &mut dyn FnMut(FieldId)) {
    match shape {
        None => {}
        Some(VariableFields::Number(field)) => out(*field),
        Some(VariableFields::Record(shapes)) => shapes.iter().for_each(|s| fields(Some(s), out)),
    }
}

/// Takes a field, its type, and the sort of each of its dimensions.
type FieldVisitor<'a> = dyn FnMut(FieldId, Type, &[Option<SortId>]) + 'a;

/// Calls `out` with each field of a variable: its type, and the sort of each of its dimensions.
fn walk(
    lower: &Lower,
    variable: &Variable,
    shape: &VariableFields,
    indices: &mut Vec<Option<SortId>>,
    out: &mut FieldVisitor,
) {
    if variable.size.is_some() {
        indices.push(variable.index_sort);
    }
    match (shape, variable.kind) {
        (VariableFields::Number(field), kind) => out(*field, kind, indices),
        (VariableFields::Record(shapes), Type::Record(record)) => {
            let fields = &lower.typed.records[record.index()].fields;
            for (field, shape) in fields.iter().zip(shapes) {
                walk(lower, field, shape, indices, out);
            }
        }
        (VariableFields::Record(_), _) => unreachable!("a shape follows its type"),
    }
    if variable.size.is_some() {
        indices.pop();
    }
}

impl Lower<'_> {
    /// The number of a process among those of its type: those that run from the start are numbered
    /// type by type, in the order of the text.
    pub(super) fn instance_number(&mut self, process: Option<ProcessId>) -> ExprId {
        let before = self.typed.processes.iter();
        let before = before.take(process.map_or(0, ProcessId::index));
        let n: u32 = before
            .map(|p| match p.kind {
                crate::typed::ProcessKind::Init => 1,
                _ => p.n_active,
            })
            .sum();
        let own = self.enter(Expr::Pid);
        match n {
            0 => own,
            n => {
                let first = self.number(n as i32);
                self.enter(Expr::Binary(Binary::Subtract, own, first))
            }
        }
    }
}
