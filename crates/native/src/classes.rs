//! Kinds of channels that machine code need not tell apart.

use model::processes::layout::Scalar;
use model::processes::machine::code::{ChanCode, KindCode, Program};

/// Channels with messages of one form.
#[derive(Clone, Debug)]
pub struct Class {
    /// The tags of their records.
    pub tags: Vec<u8>,
    /// How many messages fit.
    pub capacity: u32,
    /// Offset and form of each field of the first message, from the start of the record.
    pub fields: Vec<(u32, Scalar)>,
    /// How many bytes a message takes.
    pub message_size: u32,
}

/// The classes of a program.
pub fn classes(program: &Program) -> Vec<Class> {
    let mut all: Vec<Class> = Vec::new();
    for (tag, kind) in program.kinds.iter().enumerate() {
        let KindCode::Channel(chan) = kind else {
            continue;
        };
        let tag = tag as u8;
        match all.iter_mut().find(|class| class.has_form(chan)) {
            Some(class) => class.tags.push(tag),
            None => all.push(Class {
                tags: vec![tag],
                capacity: chan.capacity,
                fields: chan.fields.iter().map(|(at, s)| (*at, s.scalar)).collect(),
                message_size: chan.message_size,
            }),
        }
    }
    all
}

impl Class {
    fn has_form(&self, chan: &ChanCode) -> bool {
        let fields = chan.fields.iter().map(|(at, slot)| (*at, slot.scalar));
        self.capacity == chan.capacity
            && self.message_size == chan.message_size
            && fields.eq(self.fields.iter().copied())
    }
}
