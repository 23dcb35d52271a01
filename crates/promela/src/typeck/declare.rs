//! Declarations: types, sizes and initial values of variables.

use super::{Checker, DeclaredName, ELEMENTS_MAX, Global};
use crate::ast::{self, Declaration, Declarator, Name, TypeName, Visibility};
use crate::place::Place;
use crate::typed::{
    Channel, Expr, ExprKind, Initial, MessageFields, NameSet, ProcessId, Record, RecordId, SetId,
    SortId, Type, Value, Variable, VariableId,
};
use base::quote;

/// The deepest nesting of records.
const RECORD_DEPTH_MAX: u32 = 50;

/// Where a declaration stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Where {
    Global,
    Local(ProcessId),
    Parameter(ProcessId),
    Field,
    /// A public variable of a process.
    Public,
}

/// What a value is stored in: SPIN does not look at the types of fields.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum StorageKind {
    Variable,
    Field,
}

impl Checker<'_> {
    /// The variables that a declaration makes. Their names come to be after the last of them, so
    /// that no initial value can refer to its own declaration.
    pub(super) fn declare(&mut self, declaration: Declaration, at: Where) -> Vec<Variable> {
        let mut made: Vec<Variable> = Vec::new();
        for declarator in &declaration.variables {
            let variable = self.declared(&declaration, declarator, at);
            if variable.is_none() {
                // What is wrong has been said; that the name is missing need not be.
                self.broken.insert(declarator.name.text.clone());
            }
            made.extend(variable);
        }
        made
    }

    /// Declares variables and enters their names into the table they belong to.
    pub(super) fn declare_named(&mut self, declaration: Declaration, at: Where) -> Vec<VariableId> {
        let mut ids = Vec::new();
        for variable in self.declare(declaration, at) {
            let name = variable.name.clone();
            let free = self.is_free(&name);
            let id = VariableId::new(self.variables.len());
            self.channels.add_variable(&variable, id);
            self.variables.push(variable);
            ids.push(id);
            if !free {
                continue;
            }
            let place = name.place;
            match at {
                Where::Global => {
                    let what = Global::Variable(id);
                    self.names.insert(name.text, DeclaredName { what, place });
                }
                _ => {
                    let scope = self.body.scopes.last_mut().expect("a scope is open");
                    scope.insert(name.text, DeclaredName { what: id, place });
                }
            }
        }
        ids
    }

    fn declared(
        &mut self,
        declaration: &Declaration,
        declarator: &Declarator,
        at: Where,
    ) -> Option<Variable> {
        let kind = self.type_of(&declaration.kind, declarator.width, declarator.name.place)?;
        self.check_visibility(declaration, declarator, kind, at);
        let size = match &declarator.size {
            Some(size) => Some(self.array_size(size)?),
            None => None,
        };
        let (size, index_sort) = (size.map(|s| s.0), size.and_then(|s| s.1));
        let n_elements = self.n_elements(kind, size);
        if n_elements > ELEMENTS_MAX {
            let name = quote(&declarator.name.text);
            let message = format!("{name} holds {n_elements} values, which is too many");
            let error = self.origins.error(declarator.name.place, message);
            self.report(error.note(format!("the limit is {ELEMENTS_MAX}")));
            return None;
        }
        if at_parameter(at) && (size.is_some() || declarator.initial.is_some()) {
            let what = if size.is_some() {
                "an array"
            } else {
                "initialised"
            };
            let name = quote(&declarator.name.text);
            self.error(
                declarator.name.place,
                format!("the parameter {name} cannot be {what}"),
            );
            return None;
        }
        let initial = match &declarator.initial {
            Some(initial) => self.initial(initial, kind, size, &declarator.name)?,
            None => self.default_initial(kind, size),
        };
        self.check_alike(index_sort, &initial, declarator.name.place);
        let owner = match at {
            Where::Local(process) | Where::Parameter(process) => Some(process),
            Where::Global | Where::Field | Where::Public => None,
        };
        Some(Variable {
            name: declarator.name.clone(),
            kind,
            size,
            index_sort,
            visibility: declaration.visibility,
            owner,
            initial,
        })
    }

    fn check_visibility(
        &mut self,
        declaration: &Declaration,
        declarator: &Declarator,
        kind: Type,
        at: Where,
    ) {
        let name = quote(&declarator.name.text);
        if declaration.visibility == Some(Visibility::Public) && at != Where::Public {
            let message = format!("{name} is no variable of a process, so it cannot be public");
            self.error(declarator.name.place, message);
        }
        if declaration.visibility != Some(Visibility::Hidden) {
            return;
        }
        if at != Where::Global {
            self.error(
                declarator.name.place,
                format!("{name} is not global, so it cannot be hidden"),
            );
        } else if self.holds_members(kind) {
            let message = format!("{name} holds references or members, so it cannot be hidden");
            self.error(declarator.name.place, message);
        } else if matches!(kind, Type::Bit | Type::Bool) {
            let message = format!("{name} is a bit, which cannot be hidden");
            let error = self.origins.error(declarator.name.place, message);
            self.report(error.note("declare it as `byte`"));
        }
    }

    /// The type that is written; `width` are the bits after the name.
    fn type_of(
        &mut self,
        kind: &TypeName,
        width: Option<(i32, Place)>,
        place: Place,
    ) -> Option<Type> {
        match (kind, width) {
            (TypeName::Unsigned, Some((bits, place))) => match u8::try_from(bits) {
                Ok(bits @ 1..=31) => return Some(Type::Unsigned(bits)),
                _ => {
                    self.error(place, format!("an unsigned has 1 to 31 bits, not {bits}"));
                    return None;
                }
            },
            (TypeName::Unsigned, None) => {
                let error = self
                    .origins
                    .error(place, "an unsigned needs its number of bits");
                self.report(error.note("write `unsigned x : 4`"));
                return None;
            }
            (_, Some((_, place))) => {
                self.error(place, "only an unsigned has a number of bits");
                return None;
            }
            _ => {}
        }
        self.plain_type(kind)
    }

    fn plain_type(&mut self, kind: &TypeName) -> Option<Type> {
        Some(match kind {
            TypeName::Bit => Type::Bit,
            TypeName::Bool => Type::Bool,
            TypeName::Byte => Type::Byte,
            TypeName::Pid => Type::Pid,
            TypeName::Short => Type::Short,
            TypeName::Int => Type::Int,
            TypeName::Unsigned => unreachable!("it has bits or an error"),
            TypeName::Mtype(set) => Type::Mtype(self.set(set.as_ref())),
            TypeName::Chan => Type::Chan,
            TypeName::Ref(name) => Type::Member(self.sort_of_process(name)?),
            TypeName::Named(name) => match self.names.get(&name.text).map(|d| d.what) {
                Some(Global::Record(record)) => Type::Record(record),
                Some(Global::Scalarset(sort)) => Type::Member(sort),
                _ => {
                    let message = format!("there is no type {} before this", quote(&name.text));
                    self.error(name.place, message);
                    return None;
                }
            },
        })
    }

    /// The set of that name; a new one if there is none yet.
    pub(super) fn set(&mut self, name: Option<&ast::Name>) -> SetId {
        let text = name.map(|n| n.text.clone());
        let at = self.sets.iter().position(|s| s.name == text);
        let at = at.unwrap_or_else(|| {
            self.sets.push(NameSet {
                name: text,
                names: Vec::new(),
            });
            self.sets.len() - 1
        });
        SetId::new(at)
    }

    /// How many numbers and channels a variable holds.
    pub(super) fn n_elements(&self, kind: Type, size: Option<u32>) -> u64 {
        let each = match kind {
            Type::Record(record) => self.records[record.index()].n_elements,
            _ => 1,
        };
        each.saturating_mul(u64::from(size.unwrap_or(1)))
    }

    pub(super) fn depth(&self, kind: Type) -> u32 {
        match kind {
            Type::Record(record) => self.records[record.index()].depth,
            _ => 0,
        }
    }

    /// The number of elements, and the sort whose members are the indices.
    fn array_size(&mut self, size: &ast::Expr) -> Option<(u32, Option<SortId>)> {
        if let Some(sort) = self.named_scalarset(size) {
            return Some((self.sorts[sort.index()].n_members, Some(sort)));
        }
        let value = self.constant_or_initial(size, 1)?;
        match u32::try_from(value) {
            Ok(n) if n > 0 => Some((n, None)),
            _ => {
                self.error(
                    size.place,
                    format!("an array has at least one element, not {value}"),
                );
                None
            }
        }
    }

    fn initial(
        &mut self,
        initial: &ast::Initial,
        kind: Type,
        size: Option<u32>,
        name: &ast::Name,
    ) -> Option<Initial> {
        match initial {
            ast::Initial::Value(value) => {
                let place = value.place;
                if contains_run(value) {
                    self.error(place, "`run` cannot give an initial value");
                    return None;
                }
                let value = self.term(value.clone())?;
                if let Type::Record(_) = kind {
                    self.warn(place, "a record has no initial value; this one is dropped");
                    return Some(Initial::Zero);
                }
                self.check_stored(kind, &value, StorageKind::Variable)?;
                Some(self.member_initial(kind, size, value))
            }
            ast::Initial::List(values, place) => {
                let Some(n) = size else {
                    let message = format!("{} is no array, so it has no list", quote(&name.text));
                    self.error(*place, message);
                    return None;
                };
                self.no_list_of_members(kind, *place)?;
                let numbers: Option<Vec<i32>> = values.iter().map(|v| self.constant(v)).collect();
                let numbers = numbers?;
                if numbers.len() != n as usize {
                    let m = numbers.len();
                    let message = format!("{n} elements get a list of {m} values");
                    self.warn(*place, message);
                }
                Some(Initial::List(numbers))
            }
            ast::Initial::Channel(channel) => {
                if kind != Type::Chan {
                    let message = format!("{} is no channel", quote(&name.text));
                    self.error(channel.place, message);
                    return None;
                }
                self.channel(channel).map(Initial::Channel)
            }
        }
    }

    fn channel(&mut self, channel: &ast::ChannelInit) -> Option<Channel> {
        let value = self.constant(&channel.capacity)?;
        let capacity = match u32::try_from(value) {
            Ok(n) if n <= 255 => n,
            Ok(n) => {
                let message = format!("a channel holds at most 255 messages, not {n}");
                self.warn(channel.capacity.place, message);
                n
            }
            Err(_) => {
                let message = format!("a channel cannot hold {value} messages");
                self.error(channel.capacity.place, message);
                return None;
            }
        };
        let mut fields = Vec::new();
        for (kind, place) in &channel.fields {
            if *kind == TypeName::Unsigned {
                self.error(
                    *place,
                    "`unsigned` cannot be the type of a field of a message",
                );
                return None;
            }
            let kind = self.plain_type(kind)?;
            self.leaves(kind, *place, &mut fields)?;
            if fields.iter().any(|f| matches!(f, Type::Unsigned(_))) {
                let message = "this record has an `unsigned` field, so it cannot be sent";
                self.error(*place, message);
                return None;
            }
        }
        let signature = MessageFields { fields };
        Some(Channel {
            capacity,
            signature,
        })
    }

    /// The types of the fields of `kind`, if it is a record, else itself.
    pub(super) fn leaves(&mut self, kind: Type, place: Place, out: &mut Vec<Type>) -> Option<()> {
        let Type::Record(record) = kind else {
            out.push(kind);
            return Some(());
        };
        for i in 0..self.records[record.index()].fields.len() {
            let field = &self.records[record.index()].fields[i];
            let (kind, size, name) = (field.kind, field.size, field.name.text.clone());
            if field.index_sort.is_some() {
                let message = format!("the field {} is indexed by a scalarset", quote(&name));
                let error = self.origins.error(place, message);
                self.report(error.note("such a record cannot be sent or passed as a whole"));
                return None;
            }
            if matches!(kind, Type::Record(_)) && size.is_some() {
                let message = format!("the field {} is an array of records", quote(&name));
                let error = self.origins.error(place, message);
                self.report(error.note("such a record cannot be sent or passed as a whole"));
                return None;
            }
            for _ in 0..size.unwrap_or(1) {
                if out.len() > 4096 {
                    self.error(place, "this has more than 4096 fields");
                    return None;
                }
                self.leaves(kind, place, out)?;
            }
        }
        Some(())
    }

    /// `typedef`
    pub(super) fn typedef(&mut self, typedef: ast::Typedef) {
        let mut fields: Vec<Variable> = Vec::new();
        for declaration in typedef.fields {
            for field in self.declare(declaration, Where::Field) {
                if let Some(first) = fields.iter().find(|f| f.name.text == field.name.text) {
                    let message = format!("the field {} is there twice", quote(&field.name.text));
                    let first = first.name.place;
                    self.error_beside(field.name.place, message, first, "first here");
                }
                fields.push(field);
            }
        }
        if !self.is_free(&typedef.name) {
            return;
        }
        let what = Global::Record(RecordId::new(self.records.len()));
        let place = typedef.name.place;
        self.names
            .insert(typedef.name.text.clone(), DeclaredName { what, place });
        let record = self.add_record(typedef.name, fields);
        let depth = &mut self.records[record.index()].depth;
        if *depth > RECORD_DEPTH_MAX {
            *depth = RECORD_DEPTH_MAX;
            let message = format!("records are nested more than {RECORD_DEPTH_MAX} levels deep");
            self.error(place, message);
        }
    }

    /// A new record with these fields.
    pub(super) fn add_record(&mut self, name: Name, fields: Vec<Variable>) -> RecordId {
        let record = RecordId::new(self.records.len());
        for (i, field) in fields.iter().enumerate() {
            self.channels.add_field(record, i, field);
        }
        let each = fields.iter().map(|f| self.n_elements(f.kind, f.size));
        let n_elements = each.fold(0, u64::saturating_add);
        let depth = 1 + fields.iter().map(|f| self.depth(f.kind)).max().unwrap_or(0);
        self.records.push(Record {
            name,
            fields,
            n_elements,
            depth,
        });
        record
    }

    /// `mtype = { … }`
    pub(super) fn mtype(&mut self, mtype: ast::Mtype) {
        let set = self.set(mtype.set.as_ref());
        for name in mtype.names.into_iter().rev() {
            if !self.is_free(&name) {
                continue;
            }
            let names = &mut self.sets[set.index()].names;
            names.push(name.clone());
            let value = i32::try_from(names.len()).unwrap_or(i32::MAX);
            if value == 256 {
                self.error(name.place, "an `mtype` has at most 255 names");
            }
            let what = Global::Constant(set, value);
            let place = name.place;
            self.names.insert(name.text, DeclaredName { what, place });
        }
    }

    /// Checks that a value fits where it is stored; `None` after an error.
    pub(super) fn check_stored(
        &mut self,
        kind: Type,
        value: &Expr,
        into: StorageKind,
    ) -> Option<()> {
        let constant = match value.kind {
            ExprKind::Number(n) => Some(n),
            _ => None,
        };
        let strict = constant.is_some() && into == StorageKind::Variable;
        if self.check_member(kind, value)? {
            return Some(());
        }
        if let (StorageKind::Variable, Some(place)) = (into, channel_operand(value)) {
            self.error(place, "a channel cannot be computed with in an assignment");
            return None;
        }
        match (kind, value.value) {
            (Type::Chan, Value::Channel) => {}
            (Type::Chan, _) if strict => {
                self.error(value.place, "a channel cannot be set to a number");
                return None;
            }
            (Type::Chan, _) => self.warn(value.place, "this is no channel, but stored as one"),
            (_, Value::Channel) => {
                self.warn(value.place, "this is a channel, but stored as a number")
            }
            (Type::Mtype(set), Value::Name(other)) if set != other => {
                let named = self.sets[set.index()].name.is_some();
                let (is, wanted) = (self.set_name(other), self.set_name(set));
                let message = format!("this is a name of {is}; one of {wanted} is expected");
                if named && strict {
                    self.error(value.place, message);
                    return None;
                }
                self.warn(value.place, message);
            }
            _ => {}
        }
        if let Some(n) = constant {
            self.warn_if_cut(kind, n, value.place);
        }
        Some(())
    }

    /// Says so if storing a constant changes it.
    pub(super) fn warn_if_cut(&mut self, kind: Type, n: i32, place: Place) {
        let kept = kind.store(n);
        if kept != n && kind != Type::Chan {
            self.warn(
                place,
                format!("{n} does not fit; {kept} is what is left of it"),
            );
        }
    }

    pub(super) fn set_name(&self, set: SetId) -> String {
        match &self.sets[set.index()].name {
            Some(name) => format!("`mtype:{name}`"),
            None => "`mtype`".to_owned(),
        }
    }
}

fn at_parameter(at: Where) -> bool {
    matches!(at, Where::Parameter(_))
}

/// A channel that an operator is applied to, which SPIN refuses in assignments to variables.
/// Channels in fields of records pass, as do those that are an index or are asked for something.
fn channel_operand(value: &Expr) -> Option<Place> {
    let mut open = vec![(value, false)];
    while let Some((expr, is_operand)) = open.pop() {
        let mut operand = |part| open.push((part, true));
        match &expr.kind {
            ExprKind::Read(access) => {
                if is_operand && access.kind == Type::Chan && access.fields.is_empty() {
                    return Some(expr.place);
                }
                let indices = access.fields.iter().filter_map(|f| f.index.as_deref());
                let indices = indices.chain(access.index.as_deref());
                open.extend(indices.map(|index| (index, false)));
            }
            ExprKind::Unary(_, a) | ExprKind::Ask(_, a) => operand(a),
            ExprKind::Binary(_, a, b) => [a, b].into_iter().for_each(|part| operand(part)),
            ExprKind::And(parts) | ExprKind::Or(parts) => parts.iter().for_each(operand),
            ExprKind::Choice(parts) => parts.iter().for_each(operand),
            _ => {}
        }
    }
    None
}

/// Whether `run` stands in an expression, indices left out.
pub(super) fn contains_run(expr: &ast::Expr) -> bool {
    use ast::ExprKind as E;
    match &expr.kind {
        E::Run(..) => true,
        E::Unary(_, a) | E::Temporal(_, a) | E::Ask(_, a) => contains_run(a),
        E::Binary(_, a, b) | E::Until(_, a, b) => contains_run(a) || contains_run(b),
        E::And(all) | E::Or(all) => all.iter().any(contains_run),
        E::Choice(three) => three.iter().any(contains_run),
        _ => false,
    }
}
