//! States, steps and printed texts in the modeller's words.

use super::Machine;
use super::code::{At, PieceCode};
use super::eval::Env;
use crate::processes::layout::{Field, FieldId, KindId, MESSAGES_AT, Meaning, NameSet, Role, Slot};
use crate::processes::program::DeclaredSort;
use std::fmt::Write;
use system::fault::FaultKind;

impl Env<'_> {
    /// Prints, if anyone reads it.
    pub fn print(&mut self, pieces: &[PieceCode]) -> Result<(), FaultKind> {
        if self.printed.is_none() {
            return Ok(());
        }
        let mut text = String::new();
        for piece in pieces {
            self.piece(piece, &mut text)?;
        }
        if let Some(printed) = &mut self.printed {
            printed.push_str(&text);
        }
        Ok(())
    }

    fn piece(&mut self, piece: &PieceCode, text: &mut String) -> Result<(), FaultKind> {
        let mut value = |e: &At| self.eval(*e);
        match piece {
            PieceCode::Text(t) => text.push_str(t),
            PieceCode::Decimal(e) => push(text, format_args!("{}", value(e)?)),
            PieceCode::Unsigned(e) => push(text, format_args!("{}", value(e)? as u32)),
            PieceCode::Hex(e) => push(text, format_args!("{:x}", value(e)?)),
            PieceCode::Octal(e) => push(text, format_args!("{:o}", value(e)?)),
            PieceCode::Character(e) => text.push(char::from(value(e)? as u8)),
            PieceCode::Name(set, e) => {
                let value = value(e)?;
                text.push_str(&name(&self.program.name_sets[set.index()], value));
            }
        }
        Ok(())
    }
}

fn push(text: &mut String, piece: std::fmt::Arguments<'_>) {
    text.write_fmt(piece).expect("writing to a string");
}

/// The name of a number of a set; the number itself if it has none.
fn name(set: &NameSet, value: i32) -> String {
    let index = usize::try_from(value).ok().and_then(|v| v.checked_sub(1));
    match index.and_then(|i| set.names.get(i)) {
        Some(name) => name.clone(),
        None => value.to_string(),
    }
}

/// The records of a state, with a name for each.
pub(super) struct Named<'a> {
    state: &'a [u8],
    /// Kind, offset and name of each process.
    procs: Vec<(KindId, usize, String)>,
    /// The same of each channel.
    pub(super) chans: Vec<(KindId, usize, String)>,
}

/// What is shown for no member of a declared sort.
pub(super) const UNDEFINED: &str = "undefined";

impl Machine {
    /// The variables and channels of a state: name and value, in order.
    pub(super) fn describe_state(&self, state: &[u8], out: &mut dyn FnMut(&str, &str)) {
        let named = self.named(state);
        let globals = self.model.layout.globals();
        for (i, field) in globals.fields.iter().enumerate() {
            let none = self.undefined(KindId::new(0), FieldId::new(i));
            self.describe_field(&named, (field, none), (0, ""), out);
        }
        for (kind, at, owner) in &named.procs {
            let fields = &self.model.layout.kind(*kind).fields;
            for (i, field) in fields.iter().enumerate() {
                let none = self.undefined(*kind, FieldId::new(i));
                self.describe_field(&named, (field, none), (*at, owner), out);
            }
        }
        for (kind, at, name) in &named.chans {
            if let Role::Channel(buffer) = &self.model.layout.kind(*kind).role
                && buffer.capacity > 0
            {
                let mut text = String::new();
                for n in 0..usize::from(state[at + 1]) {
                    let message = at + MESSAGES_AT as usize + n * buffer.message_size as usize;
                    let fields = buffer.fields.iter().enumerate().map(|(i, (offset, slot))| {
                        let value = slot.scalar.load(state, message + *offset as usize);
                        if self.undefined_message(*kind, i) == Some(value) {
                            UNDEFINED.to_owned()
                        } else {
                            self.value(&named, *slot, value)
                        }
                    });
                    let fields: Vec<String> = fields.collect();
                    push(&mut text, format_args!("<{}>", fields.join(",")));
                }
                out(name, if text.is_empty() { "empty" } else { &text });
            }
        }
    }

    /// The number in a field that stands for no member of the sort it is declared of.
    pub(super) fn undefined(&self, kind: KindId, field: FieldId) -> Option<i32> {
        let has = |s: &&DeclaredSort| s.values.contains(&(kind, field));
        let sort = self.model.declared_sorts.iter().find(has);
        sort.map(|s| s.undefined)
    }

    /// The same of the field of a message.
    pub(super) fn undefined_message(&self, kind: KindId, field: usize) -> Option<i32> {
        let has = |s: &&DeclaredSort| s.messages.contains(&(kind, field));
        let sort = self.model.declared_sorts.iter().find(has);
        sort.map(|s| s.undefined)
    }

    /// Shows a field that is declared; `none` is the number in it that stands for no member.
    fn describe_field(
        &self,
        named: &Named<'_>,
        (field, none): (&Field, Option<i32>),
        (record, owner): (usize, &str),
        out: &mut dyn FnMut(&str, &str),
    ) {
        if !field.declared {
            return;
        }
        for (at, element) in field.elements() {
            let value = field.slot.scalar.load(named.state, record + at as usize);
            let name = match owner {
                "" => element,
                owner => format!("{owner}.{element}"),
            };
            let value = if none == Some(value) {
                UNDEFINED.to_owned()
            } else {
                self.value(named, field.slot, value)
            };
            // A channel is called after its variable: that `c` holds `c` says nothing.
            if field.slot.meaning != Meaning::Channel || value != name {
                out(&name, &value);
            }
        }
    }

    /// A number in words.
    pub(super) fn value(&self, named: &Named<'_>, slot: Slot, value: i32) -> String {
        match slot.meaning {
            Meaning::Truth => match value {
                0 => "false".into(),
                _ => "true".into(),
            },
            Meaning::Name(set) => name(&self.model.layout.name_sets[set.index()], value),
            Meaning::Channel => {
                let index = usize::try_from(value).ok().and_then(|v| v.checked_sub(1));
                match index.and_then(|i| named.chans.get(i)) {
                    Some((_, _, name)) => name.clone(),
                    None => value.to_string(),
                }
            }
            Meaning::Number | Meaning::Process => value.to_string(),
        }
    }

    /// Names for all records: `P(2)` for process 2, `c` for the only channel of its declaration,
    /// `c[1]` for the second of several.
    pub(super) fn named<'a>(&self, state: &'a [u8]) -> Named<'a> {
        let mut named = Named {
            state,
            procs: Vec::new(),
            chans: Vec::new(),
        };
        let all: Vec<(KindId, usize)> = self.model.layout.records(state).collect();
        for (kind, at) in &all {
            let record = self.model.layout.kind(*kind);
            match record.role {
                Role::Channel(_) => {
                    let alike = |l: &[(KindId, usize)]| l.iter().filter(|r| r.0 == *kind).count();
                    let before = named.chans.iter().filter(|r| r.0 == *kind).count();
                    let name = match alike(&all) {
                        1 => record.name.clone(),
                        _ => format!("{}[{before}]", record.name),
                    };
                    named.chans.push((*kind, *at, name));
                }
                _ => {
                    let name = format!("{}({})", record.name, named.procs.len());
                    named.procs.push((*kind, *at, name));
                }
            }
        }
        named
    }

    /// Where each process of a state is: its name, and the line of its next statement.
    pub(super) fn describe_locations(&self, state: &[u8], out: &mut dyn FnMut(&str, &str)) {
        for (kind, at, name) in &self.named(state).procs {
            let Role::Process { location } = self.model.layout.kind(*kind).role else {
                continue;
            };
            let proctype = self.model.proctypes.iter().find(|p| p.kind == *kind);
            let here = location.load(state, at + 1) as usize;
            let steps = proctype.map_or(&[][..], |p| &p.locations[here].steps);
            let step = steps.first().map(|s| self.model.step(*s));
            let text = match step {
                Some(step) if !matches!(step.action, crate::processes::program::Action::End) => {
                    let site = &self.model.sites[step.site.index()];
                    site.within.at(site.line, &site.text)
                }
                _ => "ended".to_string(),
            };
            out(name, &text);
        }
        if let (Some(trace), Some(code)) = (&self.model.trace, &self.program.trace) {
            let step = trace.locations[code.here(state)].steps.first();
            let text = step.map_or("its end".to_string(), |step| {
                let site = &self.model.sites[step.site.index()];
                site.within.at(site.line, &site.text)
            });
            out("trace", &text);
        }
    }
}
