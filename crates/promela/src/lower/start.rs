//! What there is at the start: the values of variables, the channels, the processes.
//!
//! Global variables get their values in the order of their types, as SPIN does it; within a type in
//! the order of the text. That decides which channel has which number. Local variables get theirs
//! in the order of the text, when their process comes to be, unless the declaration is a step.

use super::places::{self, BYTES_MAX};
use super::{Lower, process_of};
use crate::typed::{Initial, ProcessId, ProcessKind, Type, VariableId};
use base::quote;
use model::processes::expr::{ExprId, Owner, Place as LowPlace};
use model::processes::layout::{FieldId, KindId};
use model::processes::program::{Init, Proctype, ProctypeId};
use std::collections::HashMap;

/// The most processes that can be told apart by a byte, as in SPIN.
const PROCESSES_MAX: u32 = 255;
/// The most channels, as in SPIN.
const CHANNELS_MAX: usize = 255;

impl Lower<'_> {
    /// What globals start as. SPIN goes by type; the order decides which channel gets which number.
    pub(super) fn globals(&mut self) -> Vec<Init> {
        let typed = self.typed;
        let mut order = typed.globals.clone();
        order.sort_by_key(|id| type_order(typed.variables[id.index()].kind));
        let mut prologue = Vec::new();
        for id in order {
            self.initialise(id, Owner::Globals, &mut prologue);
        }
        let is_channel = |i: &&Init| matches!(i, Init::Channel(..));
        let n_channels = prologue.iter().filter(is_channel).count();
        if n_channels > CHANNELS_MAX {
            let id = typed
                .globals
                .iter()
                .rfind(|id| matches!(typed.variables[id.index()].initial, Initial::Channel(_)));
            if let Some(id) = id {
                let place = typed.variables[id.index()].name.place;
                self.error(place, format!("more than {CHANNELS_MAX} channels"));
            }
        }
        prologue
    }

    /// What one variable starts as.
    pub(super) fn initialise(&mut self, id: VariableId, owner: Owner, out: &mut Vec<Init>) {
        let typed = self.typed;
        let variable = &typed.variables[id.index()];
        if places::starts_as_zero(typed, variable) {
            return;
        }
        let Some(shape) = self.places.shapes[id.index()].clone() else {
            return;
        };
        let mut kinds: HashMap<FieldId, Option<KindId>> = HashMap::new();
        let mut leaves = Vec::new();
        places::leaves(typed, variable, &shape, &mut |leaf| leaves.push(leaf));
        for leaf in leaves {
            let indices: Box<[ExprId]> = {
                let all = leaf.indices.iter();
                all.map(|i| self.number(*i as i32)).collect()
            };
            let place = LowPlace {
                owner,
                field: leaf.field,
                indices,
            };
            let value = match &leaf.declared.initial {
                Initial::Zero => continue,
                Initial::Value(value) => self.expr(value),
                Initial::Instance => self.instance_number(leaf.declared.owner),
                Initial::List(values) => {
                    let at = leaf.indices.last().copied().unwrap_or(0) as usize;
                    let value = values.get(at).or(values.last());
                    self.number(value.copied().unwrap_or(0))
                }
                Initial::Channel(channel) => {
                    let kind = *kinds.entry(leaf.field).or_insert_with(|| {
                        let name = &leaf.declared.name;
                        self.places
                            .channel_kind(channel, &name.text, name.place, self.found)
                    });
                    out.extend(kind.map(|kind| Init::Channel(place, kind)));
                    continue;
                }
            };
            out.push(Init::Value(place, value));
        }
    }

    /// The places of the parameters, record by record.
    pub(super) fn parameters(&mut self, ids: &[VariableId]) -> Vec<LowPlace> {
        let typed = self.typed;
        let mut all = Vec::new();
        for id in ids {
            let variable = &typed.variables[id.index()];
            let Some(shape) = self.places.shapes[id.index()].clone() else {
                continue;
            };
            let mut leaves = Vec::new();
            places::leaves(typed, variable, &shape, &mut |leaf| leaves.push(leaf));
            for leaf in leaves {
                let indices = leaf.indices.iter().map(|i| self.number(*i as i32));
                all.push(LowPlace {
                    owner: Owner::Own,
                    field: leaf.field,
                    indices: indices.collect(),
                });
            }
        }
        all
    }

    /// The processes that run from the start.
    pub(super) fn population(
        &mut self,
        processes: &[(ProcessId, KindId)],
        prologue: &[Init],
        proctypes: &[Proctype],
    ) -> Vec<ProctypeId> {
        let typed = self.typed;
        let sizes = |inits: &[Init], layout: &model::processes::layout::Layout| {
            let size = |i: &Init| match i {
                Init::Channel(_, kind) => u64::from(layout.kind(*kind).size),
                Init::Value(..) => 0,
            };
            inits.iter().map(size).sum::<u64>()
        };
        let layout = &self.places.layout;
        let mut bytes = u64::from(layout.globals().size) + sizes(prologue, layout);
        let mut n = 0_u32;
        let mut population = Vec::new();
        for (i, (process, kind)) in processes.iter().enumerate() {
            let process = process_of(typed, *process);
            let n_active = match process.kind {
                ProcessKind::Init => 1,
                _ => process.n_active,
            };
            n = n.saturating_add(n_active);
            let layout = &self.places.layout;
            let one = u64::from(layout.kind(*kind).size) + sizes(&proctypes[i].prologue, layout);
            bytes = bytes.saturating_add(one.saturating_mul(u64::from(n_active)));
            let place = process.name.place;
            if n > PROCESSES_MAX {
                let message = format!("more than {PROCESSES_MAX} processes run from the start");
                self.error(place, message);
                return Vec::new();
            }
            if bytes > BYTES_MAX {
                let name = quote(&process.name.text);
                let message = format!("{name} makes the state larger than {BYTES_MAX} bytes");
                self.error(place, message);
                return Vec::new();
            }
            let id = ProctypeId::new(i);
            population.extend((0..n_active).map(|_| id));
        }
        population
    }
}

/// The order in which SPIN gives globals their first values.
fn type_order(kind: Type) -> u8 {
    match kind {
        Type::Unsigned(_) => 0,
        Type::Bit | Type::Bool => 1,
        Type::Byte | Type::Pid | Type::Member(_) => 2,
        Type::Chan => 3,
        Type::Mtype(_) => 4,
        Type::Short => 5,
        Type::Int => 6,
        Type::Record(_) => 7,
    }
}
