//! The flows of a text that go through channels: who holds the same channel sends and receives
//! messages of the same classes.

use super::unify::Var;
use super::walk::{Walked, Walker};
use model::processes::expr::{Expr, Owner, Pattern};
use model::processes::layout::{KindId, MESSAGES_AT, Role};
use model::processes::population::Record;
use model::processes::program::Init;

impl Walker<'_> {
    /// What is sent over the channels that variables start with.
    pub(super) fn channels(&mut self) {
        let text = self.text;
        let own = text.proctypes.iter().map(|p| (p.kind, &p.prologue));
        let globals = std::iter::once((KindId::new(0), &text.prologue));
        for (kind, prologue) in globals.chain(own) {
            for init in prologue {
                let Init::Channel(place, channel) = init else {
                    continue;
                };
                let kind = match place.owner {
                    Owner::Globals => KindId::new(0),
                    _ => kind,
                };
                let var = self.walked.fields[kind.index()][place.field.index()].0;
                self.walked.classes.facts(var).names_channels = true;
                self.attach(var, *channel);
            }
        }
    }

    /// Two classes that hold one channel after the making have one class for each of its fields.
    pub(super) fn held_channels(&mut self, state: &[u8], channels: &[Record]) {
        loop {
            let mut changed = false;
            let layout = &self.text.layout;
            let globals = std::iter::once((KindId::new(0), 0));
            for (kind, at) in globals.chain(layout.records(state)) {
                for (var, value) in self.held(state, kind, at) {
                    let index = (value as u32).wrapping_sub(1) as usize;
                    let channel = channels.get(index);
                    let names = self.walked.classes.facts(var).names_channels;
                    if let Some(channel) = channel.filter(|_| names) {
                        changed |= self.attach(var, channel.kind);
                    }
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// What the variables and messages of a record hold, with their classes.
    fn held(&self, state: &[u8], kind: KindId, at: usize) -> Vec<(Var, i32)> {
        let record = self.text.layout.kind(kind);
        let mut held = Vec::new();
        for (f, field) in record.fields.iter().enumerate() {
            let var = self.walked.fields[kind.index()][f].0;
            for n in 0..field.n_elements() {
                let offset = at + field.element_at(n) as usize;
                held.push((var, field.slot.scalar.load(state, offset)));
            }
        }
        if let Role::Channel(buffer) = &record.role {
            for message in 0..usize::from(state[at + 1]) {
                let first = at + MESSAGES_AT as usize + message * buffer.message_size as usize;
                let value = |n: usize| {
                    let (offset, slot) = &buffer.fields[n];
                    slot.scalar.load(state, first + *offset as usize)
                };
                let variant = self.walked.tags.held(kind, value);
                let fields = self.walked.messages[kind.index()][variant].iter();
                held.extend(fields.enumerate().map(|(n, var)| (*var, value(n))));
            }
        }
        held
    }

    /// Channels of that kind are in the class; whether that is news.
    fn attach(&mut self, var: Var, channel: KindId) -> bool {
        let mut changed = false;
        let Walked {
            messages,
            tags,
            classes,
            ..
        } = &mut self.walked;
        let tag = tags.of_kind(channel).map(|tag| tag.field);
        for (variant, fields) in messages[channel.index()].iter().enumerate() {
            for (i, field) in fields.iter().enumerate() {
                let variant = if tag == Some(i) { 0 } else { variant };
                let payload = classes.payload(var, tags.slot(variant, i));
                changed |= classes.find(payload) != classes.find(*field);
                classes.unify(payload, *field);
            }
        }
        changed
    }

    /// Fields that a send leaves out are 0; where messages are sorted, all fields are compared.
    pub(super) fn missing_fields(&mut self) {
        for sent in std::mem::take(&mut self.sends) {
            let payload = self.walked.classes.facts(sent.channel).payload.clone();
            for (slot, field) in payload.into_iter().enumerate() {
                let (variant, i) = self.walked.tags.parts(slot);
                if i >= sent.n_fields && variant == sent.variant {
                    self.zero(field);
                }
                if sent.sorted {
                    self.site = sent.site;
                    self.plain(field, "messages are sorted by it");
                }
            }
        }
    }

    /// A poll may ask for more fields than messages have; if they have one, the others are 0.
    pub(super) fn long_polls(&mut self) {
        for (channel, e) in std::mem::take(&mut self.polls) {
            let text = self.text;
            let Expr::Poll(receive) = text.expr(e) else {
                continue;
            };
            let first = self.walked.classes.payload(channel, 0);
            let classes = &self.walked.classes;
            let mut short = self
                .walked
                .messages
                .iter()
                .filter(|variants| variants.first().is_some_and(|fields| fields.len() == 1));
            if !short.any(|variants| classes.find(variants[0][0]) == classes.find(first)) {
                continue;
            }
            for pattern in receive.fields.iter().skip(1) {
                if let Pattern::Match(e) = pattern {
                    let var = self.var(*e);
                    self.zero(var);
                }
            }
        }
    }

    /// Where a channel can be a number that is written or computed, it can be any.
    pub(super) fn computed_channels(&mut self) -> bool {
        let walked = &self.walked;
        let written = walked
            .sources
            .iter()
            .filter(|(_, value)| *value != 0)
            .map(|(var, _)| *var);
        let complex = walked.complexes.iter().filter(|complex| !complex.truth);
        let computed = complex.map(|complex| walked.exprs[complex.expr.index()]);
        let pids = walked.pids.iter().copied();
        let mut vars: Vec<Var> = written.chain(computed).chain(pids).collect();
        for e in 0..walked.exprs.len() {
            vars.push(walked.exprs[e]);
        }
        let n = vars.len() - walked.exprs.len();
        let mut changed = false;
        for (i, var) in vars.into_iter().enumerate() {
            let facts = self.walked.classes.facts(var);
            if !facts.names_channels || (i >= n && facts.plain.is_none()) {
                continue;
            }
            for kind in 0..self.text.layout.kinds.len() {
                changed |= self.attach(var, KindId::new(kind));
            }
        }
        changed
    }
}
