//! References: what `a[i].b` means.

use super::{Checker, Global};
use crate::ast::{self, Reference, ReferencePart};
use crate::place::Place;
use crate::typed::{
    Access, Expr, ExprKind, FieldAccess, Predefined, RecordId, SetId, SortId, Target, Type, Value,
    Variable, VariableId,
};
use base::quote;

/// What a reference means.
pub(super) enum ReferenceMeaning {
    Access(Access),
    Constant(SetId, i32),
    Predefined(Predefined),
    /// `_`
    Nothing,
    /// `_lid`
    Lid(Access),
    /// `_undef_ref`
    Undefined,
}

/// Whether the last array of a reference may go without an index.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Arrays {
    Indexed,
    Whole,
}

impl Checker<'_> {
    /// The variable of that name that is visible here.
    pub(super) fn lookup(&self, name: &str) -> Option<VariableId> {
        let local = self.body.scopes.iter().rev().find_map(|s| s.get(name));
        if let Some(local) = local {
            return Some(local.what);
        }
        match self.names.get(name)?.what {
            Global::Variable(id) => Some(id),
            _ => None,
        }
    }

    /// What a reference means; `None` after an error.
    pub(super) fn meaning(
        &mut self,
        reference: &Reference,
        arrays: Arrays,
    ) -> Option<ReferenceMeaning> {
        let first = &reference.parts[0];
        let lone = reference.parts.len() == 1 && first.index.is_none();
        let predefined = match &*first.name.text {
            "_pid" => Some(Predefined::Pid),
            "_last" => Some(Predefined::Last),
            "_nr_pr" => Some(Predefined::NProcesses),
            "_priority" => Some(Predefined::Priority),
            "_" if lone => return Some(ReferenceMeaning::Nothing),
            _ => None,
        };
        if let (Some(predefined), true) = (predefined, lone) {
            return Some(ReferenceMeaning::Predefined(predefined));
        }
        if let Some(variable) = self.lookup(&first.name.text) {
            if self.body.in_provided && self.variable(variable).owner.is_some() {
                let message = "`provided` can speak of global variables only";
                self.error(first.name.place, message);
                return None;
            }
            return self
                .access(variable, reference, arrays)
                .map(ReferenceMeaning::Access);
        }
        if let Some(meaning) = self.extended_meaning(reference, arrays) {
            return meaning;
        }
        match self.names.get(&first.name.text).map(|d| d.what) {
            Some(Global::Constant(set, value)) if lone => {
                Some(ReferenceMeaning::Constant(set, value))
            }
            Some(Global::Constant(..)) => {
                let message = format!("{} is a name of an `mtype`", quote(&first.name.text));
                self.error(first.name.place, message);
                None
            }
            Some(Global::Process(_)) => {
                let message = format!("{} is a process, not a variable", quote(&first.name.text));
                self.error(first.name.place, message);
                None
            }
            Some(Global::Record(_) | Global::Scalarset(_)) => {
                let message = format!("{} is a type, not a variable", quote(&first.name.text));
                self.error(first.name.place, message);
                None
            }
            Some(Global::Variable(_)) => unreachable!("looked up"),
            None => {
                self.undeclared(&first.name);
                None
            }
        }
    }

    fn undeclared(&mut self, name: &ast::Name) {
        if !self.broken.contains(&name.text) && self.reported.insert(name.text.clone()) {
            self.error(name.place, format!("{} is not declared", quote(&name.text)));
        } else {
            // It has been said; the tree is incomplete all the same.
            self.n_errors += 1;
        }
    }

    pub(super) fn access(
        &mut self,
        variable: VariableId,
        reference: &Reference,
        arrays: Arrays,
    ) -> Option<Access> {
        let whole = arrays == Arrays::Whole && reference.parts.len() == 1;
        let declared = self.variable(variable);
        let (size, sort) = (declared.size, declared.index_sort);
        let index = self.index(&reference.parts[0], size, sort, whole)?;
        let start = Access {
            variable,
            index,
            fields: Vec::new(),
            kind: self.variable(variable).kind,
            place: reference.place,
        };
        self.walk(start, &reference.parts[1..], arrays)
    }

    /// The access that goes on from `access` through these fields.
    pub(super) fn walk(
        &mut self,
        mut access: Access,
        parts: &[ReferencePart],
        arrays: Arrays,
    ) -> Option<Access> {
        let mut before = self.variable(access.variable).name.text.clone();
        for (i, part) in parts.iter().enumerate() {
            let Type::Record(record) = access.kind else {
                let before = quote(&before);
                self.error(
                    part.name.place,
                    format!("{before} is no record, so it has no fields"),
                );
                return None;
            };
            let field = self.field(record, &part.name)?;
            let declared = &self.records[record.index()].fields[field];
            let (size, sort) = (declared.size, declared.index_sort);
            access.kind = declared.kind;
            let whole = arrays == Arrays::Whole && i + 1 == parts.len();
            let index = self.index(part, size, sort, whole)?;
            access.fields.push(FieldAccess { field, index });
            before = part.name.text.clone();
        }
        Some(access)
    }

    fn field(&mut self, record: RecordId, name: &ast::Name) -> Option<usize> {
        let record = &self.records[record.index()];
        let at = record.fields.iter().position(|f| f.name.text == name.text);
        if at.is_none() {
            let known: Vec<String> = record.fields.iter().map(|f| quote(&f.name.text)).collect();
            let of = quote(&record.name.text);
            let message = format!("{of} has no field {}", quote(&name.text));
            let error = self.origins.error(name.place, message);
            self.report(error.note(format!("its fields are {}", known.join(", "))));
        }
        at
    }

    /// The index of one part: there if it is an array, and only then.
    fn index(
        &mut self,
        part: &ReferencePart,
        size: Option<u32>,
        sort: Option<SortId>,
        whole: bool,
    ) -> Option<Option<Box<Expr>>> {
        match (&part.index, size) {
            (None, None) => Some(None),
            (None, Some(_)) if whole => Some(None),
            (None, Some(_)) => {
                let message = format!("the array {} needs an index", quote(&part.name.text));
                self.error(part.name.place, message);
                None
            }
            (Some(_), None) => {
                let message = format!("{} is no array, so it has no index", quote(&part.name.text));
                self.error(part.name.place, message);
                None
            }
            (Some(index), Some(size)) => {
                let index = self.any_value((**index).clone())?;
                self.check_index(&part.name, sort, &index)?;
                if index.value == Value::Channel {
                    self.warn(index.place, "a channel is used as an index");
                }
                if let ExprKind::Number(n) = index.kind
                    && !(0..i64::from(size)).contains(&i64::from(n))
                {
                    let message = format!("the index {n} is outside of 0 to {}", size - 1);
                    self.warn(index.place, message);
                }
                Some(Some(Box::new(index)))
            }
        }
    }

    /// A variable that is no record; `None` after an error.
    pub(super) fn scalar(&mut self, reference: &Reference) -> Option<Access> {
        match self.meaning(reference, Arrays::Indexed)? {
            ReferenceMeaning::Access(access) if !matches!(access.kind, Type::Record(_)) => {
                Some(access)
            }
            ReferenceMeaning::Access(access) => {
                self.incomplete(access.place);
                None
            }
            _ => {
                self.error(reference.place, "a variable is needed here");
                None
            }
        }
    }

    pub(super) fn incomplete(&mut self, place: Place) {
        let error = self
            .origins
            .error(place, "this is a whole record; one of its fields is needed");
        self.report(error.note("records are copied as a whole only in messages and by `run`"));
    }

    /// What an assignment or a receive writes to.
    pub(super) fn target(&mut self, reference: &Reference) -> Option<Target> {
        match self.meaning(reference, Arrays::Indexed)? {
            ReferenceMeaning::Access(access) if matches!(access.kind, Type::Record(_)) => {
                self.incomplete(access.place);
                None
            }
            ReferenceMeaning::Access(access) => Some(Target::Access(access)),
            ReferenceMeaning::Nothing => Some(Target::Nothing),
            ReferenceMeaning::Predefined(Predefined::Priority) => Some(Target::Priority),
            ReferenceMeaning::Predefined(_)
            | ReferenceMeaning::Constant(..)
            | ReferenceMeaning::Lid(_)
            | ReferenceMeaning::Undefined => {
                let name = quote(&reference.parts[0].name.text);
                self.error(reference.place, format!("{name} cannot be assigned to"));
                None
            }
        }
    }

    /// The accesses to all fields of a record, or the access itself.
    pub(super) fn spread(&mut self, access: Access, out: &mut Vec<Access>) -> Option<()> {
        let Type::Record(record) = access.kind else {
            out.push(access);
            return Some(());
        };
        let mut checked = Vec::new();
        self.leaves(access.kind, access.place, &mut checked)?;
        for field in 0..self.records[record.index()].fields.len() {
            let declared: &Variable = &self.records[record.index()].fields[field];
            let (kind, size) = (declared.kind, declared.size);
            for i in 0..size.unwrap_or(1) {
                let place = access.place;
                let index = size.map(|_| {
                    Box::new(Expr {
                        kind: ExprKind::Number(i32::try_from(i).unwrap_or(i32::MAX)),
                        value: Value::Number,
                        place,
                    })
                });
                let mut inner = access.clone();
                inner.fields.push(FieldAccess { field, index });
                inner.kind = kind;
                self.spread(inner, out)?;
            }
        }
        Some(())
    }
}
