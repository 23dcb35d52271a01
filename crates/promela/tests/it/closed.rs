//! What is declared of sorts is complete: exchanging two members in a reachable state, by what
//! [`model::processes::program::DeclaredSort`] says and nothing else, gives a reachable state.
//!
//! Every model of `models/promela/extended` is explored, as it is and with dead variables at rest,
//! and all exchanges of two members are applied to all of its states. An exchange renames members
//! in fields and messages, and moves elements of arrays; a channel in such an array stays where it
//! is and its messages move. Processes are compared as a bag: their numbers name nothing here. This
//! is the plain action, far too slow for a search.

use crate::lower::lowered;
use model::Machine;
use model::processes::layout::{Field, KindId, Layout, MESSAGES_AT, Meaning, Role};
use model::processes::passes::{Setting, Watch, apply};
use model::processes::program::{DeclaredSort, Model};
use promela::lower::Ends;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::Path;
use system::System;

/// More states than this are not explored.
const STATES_MAX: usize = 4000;

/// All states of a model, or none if there are too many.
pub fn states(model: &Model) -> Option<BTreeSet<Vec<u8>>> {
    let machine = Machine::new(model.clone());
    let mut scratch = machine.scratch();
    let mut waiting: Vec<Vec<u8>> = Vec::new();
    machine.initial(&mut scratch, &mut |state| {
        waiting.extend(state.map(<[u8]>::to_vec));
    });
    let mut seen = BTreeSet::new();
    while let Some(state) = waiting.pop() {
        if seen.len() > STATES_MAX {
            return None;
        }
        if seen.insert(state.clone()) {
            machine.successors(&state, &mut scratch, &mut |m| {
                waiting.extend(m.state.map(<[u8]>::to_vec));
                ControlFlow::Continue(())
            });
        }
    }
    Some(seen)
}

/// The state with its processes in the order of their bytes.
fn as_bag(layout: &Layout, state: &[u8]) -> Vec<u8> {
    let mut out = state[..layout.globals().size as usize].to_vec();
    let (mut processes, mut others) = (Vec::new(), Vec::new());
    for (kind, at) in layout.records(state) {
        let record = state[at..at + layout.kind(kind).size as usize].to_vec();
        match layout.kind(kind).role {
            Role::Process { .. } => processes.push(record),
            _ => others.push(record),
        }
    }
    processes.sort();
    out.extend(processes.into_iter().chain(others).flatten());
    out
}

/// Exchanges two members of a sort.
struct Exchange<'a> {
    layout: &'a Layout,
    sort: &'a DeclaredSort,
    a: i32,
    b: i32,
}

impl Exchange<'_> {
    fn member(&self, value: i32) -> i32 {
        match value {
            v if v == self.a => self.b,
            v if v == self.b => self.a,
            v => v,
        }
    }

    fn apply(&self, state: &[u8]) -> Vec<u8> {
        let mut out = state.to_vec();
        let records = self.layout.records(state).collect::<Vec<_>>();
        let globals = (KindId::new(0), 0);
        for &(kind, at) in std::iter::once(&globals).chain(&records) {
            self.record(state, kind, at, &mut out);
        }
        let messages = out.clone();
        for &(kind, at) in std::iter::once(&globals).chain(&records) {
            self.buffers(&messages, kind, at, &mut out);
        }
        out
    }

    /// The element that each element of a field goes to, by offset.
    fn moves(&self, kind: KindId, index: usize, field: &Field) -> Vec<(u32, u32)> {
        let is = |d: usize| {
            let mut all = self.sort.dimensions.iter();
            all.any(|(k, f, at)| *k == kind && f.index() == index && *at == d)
        };
        let mut all = Vec::new();
        for n in 0..field.n_elements() {
            let (mut rest, mut to, mut scale) = (n, 0, 1);
            for (d, dimension) in field.dimensions.iter().enumerate().rev() {
                let i = rest % dimension.count;
                rest /= dimension.count;
                let moved = if is(d) {
                    self.member(i as i32) as u32
                } else {
                    i
                };
                to += moved * scale;
                scale *= dimension.count;
            }
            all.push((field.element(n).0, field.element(to).0));
        }
        all
    }

    /// Renames and moves what is in a record.
    fn record(&self, state: &[u8], kind: KindId, at: usize, out: &mut [u8]) {
        let record = self.layout.kind(kind);
        for (i, field) in record.fields.iter().enumerate() {
            let values = &self.sort.values;
            let renamed = values.iter().any(|(k, f)| *k == kind && f.index() == i);
            for (from, to) in self.moves(kind, i, field) {
                let value = field.slot.scalar.load(state, at + from as usize);
                let value = if renamed { self.member(value) } else { value };
                if field.slot.meaning != Meaning::Channel {
                    field.slot.scalar.store(out, at + to as usize, value);
                }
            }
        }
        if let Role::Channel(buffer) = &record.role {
            for (_, i) in self.sort.messages.iter().filter(|(k, _)| *k == kind) {
                let (offset, slot) = buffer.fields[*i];
                for n in 0..usize::from(state[at + 1]) {
                    let start = at + MESSAGES_AT as usize + n * buffer.message_size as usize;
                    let place = start + offset as usize;
                    let value = slot.scalar.load(state, place);
                    slot.scalar.store(out, place, self.member(value));
                }
            }
        }
    }

    /// Moves the messages of channels that are elements of a moved array.
    fn buffers(&self, state: &[u8], kind: KindId, at: usize, out: &mut [u8]) {
        let records = self.layout.records(state);
        let is_channel = |k: &KindId| matches!(self.layout.kind(*k).role, Role::Channel(_));
        let channels: Vec<(KindId, usize)> = records.filter(|(k, _)| is_channel(k)).collect();
        for (i, field) in self.layout.kind(kind).fields.iter().enumerate() {
            if field.slot.meaning != Meaning::Channel {
                continue;
            }
            for (from, to) in self.moves(kind, i, field) {
                let channel = |offset: u32| {
                    let number = field.slot.scalar.load(state, at + offset as usize);
                    channels.get((number - 1) as usize).copied()
                };
                if let (Some((kind, from)), Some((_, to))) = (channel(from), channel(to)) {
                    let size = self.layout.kind(kind).size as usize;
                    out[to..to + size].copy_from_slice(&state[from..from + size]);
                }
            }
        }
    }
}

/// How many states an exchange of two members leads out of the reachable ones, and how many it
/// changes.
pub fn leaks(model: &Model, states: &BTreeSet<Vec<u8>>, sort: &DeclaredSort) -> (usize, usize) {
    let layout = &model.layout;
    let bags: BTreeSet<Vec<u8>> = states.iter().map(|s| as_bag(layout, s)).collect();
    let (mut n_out, mut n_moved) = (0, 0);
    for a in 0..sort.n_members as i32 {
        for b in 0..a {
            let exchange = Exchange { layout, sort, a, b };
            for state in states {
                let image = as_bag(layout, &exchange.apply(state));
                n_out += usize::from(!bags.contains(&image));
                n_moved += usize::from(image != as_bag(layout, state));
            }
        }
    }
    (n_out, n_moved)
}

/// The models with declared sorts and few states: name, model, states.
fn small() -> Vec<(String, Model, BTreeSet<Vec<u8>>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/promela/extended");
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the models") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("a readable model");
        for line in text.lines().filter_map(|l| l.split_once("expect: ")) {
            let flags = line.1.split("plain").next().unwrap_or("");
            let words = flags.split_whitespace().filter(|w| *w != "-D");
            let defines = words.map(|w| format!("#define {}\n", w.replacen('=', " ", 1)));
            let text = defines.collect::<String>() + &text;
            let Some(plain) = lowered(&text, Ends::Stay).model else {
                panic!("{} {flags} is not lowered", path.display());
            };
            for setting in [Setting::Plain, Setting::Best] {
                let mut model = plain.clone();
                apply(&mut model, setting, &Watch::default());
                let states = states(&model).filter(|_| !model.declared_sorts.is_empty());
                let name = format!("{} {flags}{setting:?}", path.display());
                all.extend(states.map(|states| (name, model, states)));
            }
        }
    }
    all
}

#[test]
fn exchanging_members_leads_to_reachable_states() {
    let models = small();
    assert!(models.len() >= 20, "{} small models", models.len());
    for (name, model, states) in &models {
        for sort in &model.declared_sorts {
            let (n_out, n_moved) = leaks(model, states, sort);
            assert_eq!(n_out, 0, "{name}: {}", sort.name);
            assert!(n_moved > 0 || sort.n_members == 1, "{name}: {}", sort.name);
        }
    }
}

#[test]
fn a_field_that_is_not_noted_is_found() {
    let text = "ref p last; chan c = [1] of { ref p };
        active [2] proctype p() { public bool on; ref p r;
            do :: r = last; last = _lid; c!r; c?r; on = !on od }";
    let model = lowered(text, Ends::Stay).model.expect("no errors");
    let states = states(&model).expect("few states");
    let sort = &model.declared_sorts[0];
    assert_eq!(leaks(&model, &states, sort).0, 0);
    for i in 0..sort.values.len() {
        let mut less = sort.clone();
        less.values.remove(i);
        assert!(leaks(&model, &states, &less).0 > 0, "without value {i}");
    }
    let mut less = sort.clone();
    less.messages.clear();
    assert!(leaks(&model, &states, &less).0 > 0, "without messages");
    let mut less = sort.clone();
    less.dimensions.clear();
    assert!(leaks(&model, &states, &less).0 > 0, "without dimensions");
}

#[test]
fn variables_at_rest_single_out_no_member() {
    // What `me` starts as differs, and after the first step nobody reads it.
    let text = "ref p last;
        active [3] proctype p() { public bool on; ref p me = _lid;
            last = me; do :: on = !on; assert(on || !on) :: last == _undef_ref od }";
    let mut model = lowered(text, Ends::Stay).model.expect("no errors");
    apply(&mut model, Setting::Best, &Watch::default());
    assert!(model.steps.iter().any(|s| !s.resets.is_empty()));
    let found = states(&model).expect("few states");
    assert_eq!(leaks(&model, &found, &model.declared_sorts[0]).0, 0);
    for reset in model.steps.iter_mut().flat_map(|s| &mut s.resets) {
        reset.value = 0;
    }
    let found = states(&model).expect("few states");
    assert!(leaks(&model, &found, &model.declared_sorts[0]).0 > 0);
}
