//! Variables become fields of records: the globals, and one kind of record a process type.
//!
//! A variable of a record type becomes one field for each number in it, all in one room:
//! `typedef P { byte a; bit b[3] }; P p[2]` takes 8 bytes, `p[].a` at 0 with stride 4 and `p[].b[]`
//! at 1 with strides 4 and 1. A [`VariableFields`] is the tree of these fields, so that `p[1].b[2]`
//! is found by walking down it, one index for each array on the way.
//!
//! Sizes are computed before room is made, in 64 bits, so that a declaration of billions of
//! elements is refused with a message and not tried.

use crate::place::{Origins, Place};
use crate::typed::{Channel, Initial, Type, Typed, Variable, VariableId};
use base::{Diagnostics, quote};
use model::processes::layout::{
    Buffer, Dimension, Field, FieldId, KindId, Layout, MAX_KINDS, Meaning, NameSet, NameSetId,
    RecordKind, Scalar, Slot,
};

/// The largest record, and the largest initial state, in bytes.
pub(super) const BYTES_MAX: u64 = 1 << 20;
/// The most messages of a channel: their number is kept in a byte.
const CAPACITY_MAX: u32 = 255;

/// The fields of a variable.
#[derive(Clone, Debug)]
pub(super) enum VariableFields {
    /// A number.
    Number(FieldId),
    /// A record: one shape a field.
    Record(Vec<VariableFields>),
}

/// Where the variables are.
pub(super) struct VariablePlaces<'a> {
    typed: &'a Typed,
    pub layout: Layout,
    /// One a variable; `None` for those of claims, and for those that are too large.
    pub shapes: Vec<Option<VariableFields>>,
    /// The channels that share a kind are those of one declaration, or alike if `sharing`.
    channels: Vec<(Channel, KindId)>,
}

/// How a number of that type is kept, and what it means.
pub(super) fn slot(kind: Type) -> Slot {
    let (scalar, meaning) = match kind {
        Type::Bit => (Scalar::Bit, Meaning::Number),
        Type::Bool => (Scalar::Bit, Meaning::Truth),
        Type::Byte | Type::Member(_) => (Scalar::U8, Meaning::Number),
        Type::Pid => (Scalar::U8, Meaning::Process),
        Type::Short => (Scalar::I16, Meaning::Number),
        Type::Int | Type::Record(_) => (Scalar::I32, Meaning::Number),
        Type::Unsigned(n) => (Scalar::Bits(n), Meaning::Number),
        Type::Mtype(set) => (Scalar::U8, Meaning::Name(NameSetId::new(set.index()))),
        Type::Chan => (Scalar::U8, Meaning::Channel),
    };
    Slot { scalar, meaning }
}

impl<'a> VariablePlaces<'a> {
    /// The names, and a record of globals without fields.
    pub fn new(typed: &'a Typed) -> VariablePlaces<'a> {
        let names = |set: &crate::typed::NameSet| NameSet {
            names: set.names.iter().map(|n| n.text.to_string()).collect(),
        };
        VariablePlaces {
            typed,
            layout: Layout {
                kinds: vec![RecordKind::globals()],
                name_sets: typed.sets.iter().map(names).collect(),
                hidden: Vec::new(),
            },
            shapes: typed.variables.iter().map(|_| None).collect(),
            channels: Vec::new(),
        }
    }

    /// Gives the variable room in a record.
    pub fn add(&mut self, id: VariableId, kind: KindId, found: &mut Diagnostics) {
        let variable = &self.typed.variables[id.index()];
        let room = self.size(variable);
        let record = &mut self.layout.kinds[kind.index()];
        if room.saturating_add(u64::from(record.size)) > BYTES_MAX {
            let name = quote(&variable.name.text);
            let message = format!("{name} makes the state larger than {BYTES_MAX} bytes");
            found.push(self.typed.origins.error(variable.name.place, message));
            return;
        }
        let at = record.reserve(room as u32);
        let mut spot = RecordSpot {
            kind,
            at,
            dimensions: Vec::new(),
            name: String::new(),
        };
        let shape = self.shape(variable, &mut spot);
        self.shapes[id.index()] = Some(shape);
    }

    /// Adds a field that nobody declared.
    pub(crate) fn add_own(&mut self, kind: KindId, name: &str, slot: Slot) -> FieldId {
        let record = &mut self.layout.kinds[kind.index()];
        let at = record.reserve(slot.scalar.n_bytes());
        record.add(Field {
            name: name.to_string(),
            at,
            slot,
            dimensions: Vec::new(),
            declared: false,
        })
    }

    /// The channels of each kind.
    pub fn channels(&self) -> &[(Channel, KindId)] {
        &self.channels
    }

    /// The kind of the channels that a declaration makes.
    pub(crate) fn channel_kind(
        &mut self,
        channel: &Channel,
        name: &str,
        place: Place,
        found: &mut Diagnostics,
    ) -> Option<KindId> {
        let origins = &self.typed.origins;
        let slots: Vec<Slot> = channel.signature.fields.iter().map(|t| slot(*t)).collect();
        let message: u64 = slots.iter().map(|s| u64::from(s.scalar.n_bytes())).sum();
        if channel.capacity > CAPACITY_MAX {
            let words = format!("a channel holds at most {CAPACITY_MAX} messages");
            found.push(origins.error(place, words));
            return None;
        }
        if message.saturating_mul(u64::from(channel.capacity)) > BYTES_MAX {
            let words = format!("this channel takes more than {BYTES_MAX} bytes");
            found.push(origins.error(place, words));
            return None;
        }
        if self.layout.kinds.len() >= MAX_KINDS {
            return self.shared_kind(channel, place, found);
        }
        let buffer = Buffer::new(channel.capacity, &slots);
        self.layout.kinds.push(RecordKind::channel(name, buffer));
        let kind = KindId::new(self.layout.kinds.len() - 1);
        self.channels.push((channel.clone(), kind));
        Some(kind)
    }

    /// With no kind left, an equal channel of another declaration lends its own.
    fn shared_kind(
        &self,
        channel: &Channel,
        place: Place,
        found: &mut Diagnostics,
    ) -> Option<KindId> {
        let same = |c: &&(Channel, KindId)| {
            c.0.capacity == channel.capacity && c.0.signature == channel.signature
        };
        let kind = self.channels.iter().find(same).map(|c| c.1);
        if kind.is_none() {
            found.push(too_many_kinds(&self.typed.origins, place));
        }
        kind
    }

    fn size(&self, variable: &Variable) -> u64 {
        let one = self.element_size(variable.kind);
        one.saturating_mul(u64::from(variable.size.unwrap_or(1)))
    }

    fn element_size(&self, kind: Type) -> u64 {
        match kind {
            Type::Record(record) => {
                let fields = &self.typed.records[record.index()].fields;
                let sizes = fields.iter().map(|f| self.size(f));
                sizes.fold(0, u64::saturating_add)
            }
            other => u64::from(slot(other).scalar.n_bytes()),
        }
    }

    fn shape(&mut self, variable: &Variable, spot: &mut RecordSpot) -> VariableFields {
        let start = spot.name.len();
        spot.name.push_str(&variable.name.text);
        let element = self.element_size(variable.kind) as u32;
        if let Some(count) = variable.size {
            spot.name.push_str("[]");
            spot.dimensions.push(Dimension {
                count,
                stride: element,
            });
        }
        let shape = match variable.kind {
            Type::Record(record) => {
                spot.name.push('.');
                let typed = self.typed;
                let before = spot.at;
                let mut shapes = Vec::new();
                for field in &typed.records[record.index()].fields {
                    shapes.push(self.shape(field, spot));
                    spot.at += self.size(field) as u32;
                }
                spot.at = before;
                VariableFields::Record(shapes)
            }
            kind => {
                let record = &mut self.layout.kinds[spot.kind.index()];
                VariableFields::Number(record.add(Field {
                    name: spot.name.clone(),
                    at: spot.at,
                    slot: slot(kind),
                    dimensions: spot.dimensions.clone(),
                    declared: true,
                }))
            }
        };
        if variable.size.is_some() {
            spot.dimensions.pop();
        }
        spot.name.truncate(start);
        shape
    }
}

/// Where in a record a field goes.
struct RecordSpot {
    kind: KindId,
    at: u32,
    dimensions: Vec<Dimension>,
    name: String,
}

/// One number of a variable, with what it starts as.
pub(super) struct ScalarPart<'a> {
    /// Its field.
    pub field: FieldId,
    /// Its indices.
    pub indices: Vec<u32>,
    /// How it was declared: the variable, or the field of the record.
    pub declared: &'a Variable,
}

/// Calls `out` with each number of a variable, in order, the last index fastest.
pub(super) fn leaves<'a>(
    typed: &'a Typed,
    variable: &'a Variable,
    shape: &VariableFields,
    out: &mut dyn FnMut(ScalarPart<'a>),
) {
    let mut indices = Vec::new();
    walk(typed, variable, shape, &mut indices, out);
}

fn walk<'a>(
    typed: &'a Typed,
    variable: &'a Variable,
    shape: &VariableFields,
    indices: &mut Vec<u32>,
    out: &mut dyn FnMut(ScalarPart<'a>),
) {
    for i in 0..variable.size.unwrap_or(1) {
        if variable.size.is_some() {
            indices.push(i);
        }
        match (shape, variable.kind) {
            (VariableFields::Record(shapes), Type::Record(record)) => {
                let fields = &typed.records[record.index()].fields;
                for (field, shape) in fields.iter().zip(shapes) {
                    walk(typed, field, shape, indices, out);
                }
            }
            (VariableFields::Number(field), _) => out(ScalarPart {
                field: *field,
                indices: indices.clone(),
                declared: variable,
            }),
            (VariableFields::Record(_), _) => unreachable!("a shape follows its type"),
        }
        if variable.size.is_some() {
            indices.pop();
        }
    }
}

/// Whether all numbers of the variable start as 0, so that nothing has to be done.
pub(super) fn starts_as_zero(typed: &Typed, variable: &Variable) -> bool {
    match (variable.kind, &variable.initial) {
        (Type::Record(record), _) => {
            let fields = &typed.records[record.index()].fields;
            fields.iter().all(|f| starts_as_zero(typed, f))
        }
        (_, Initial::Zero) => true,
        _ => false,
    }
}

/// There are not enough tags.
pub(super) fn too_many_kinds(origins: &Origins, place: Place) -> base::Diagnostic {
    let n = MAX_KINDS - 1;
    let message = format!("more than {n} process types and channel declarations");
    origins.error(place, message)
}
