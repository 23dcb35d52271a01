//! The message of a step: what is sent or received, on which channel.

use super::code::{ActCode, ReceiveCode, SendCode};
use super::eval::Env;
use super::{Machine, words};
use crate::processes::layout::Role;
use system::fault::FaultKind;
use system::{MessageText, Taken, Transfer};

/// The numbers of a message and where it goes.
struct Found {
    transfer: Transfer,
    /// The channel, counted from 0 in the order in which channels came to be.
    channel: usize,
    /// The fields; `None` where the state does not have them, as the offer of a rendezvous.
    values: Option<Vec<i32>>,
    stays: bool,
}

/// A use of a channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChannelUse {
    /// The number of the process.
    pub process: i32,
    /// The number of the channel.
    pub channel: i32,
    /// Which way the message goes.
    pub transfer: Transfer,
}

impl Machine {
    /// Calls `out` with the channels that the parts of the step use, as they are in `state`; not
    /// with those of deterministic blocks, whose statements are no steps.
    pub fn channel_uses(&self, state: &[u8], step: Taken, out: &mut dyn FnMut(ChannelUse)) {
        let (pid, step) = self.step_of(step);
        let Some(step) = self.program.steps.get(step) else {
            return;
        };
        let parts = match &step.act {
            ActCode::All(all) => &all[..],
            act => std::slice::from_ref(act),
        };
        let mut frame = super::frame::Frame::default();
        frame.load(state, &self.program);
        for act in parts {
            let (channel, transfer) = match act {
                ActCode::Send(send) => (send.channel, Transfer::Send),
                ActCode::Receive(receive) => (receive.channel, Transfer::Receive),
                _ => continue,
            };
            if let Ok(channel) = Env::new(&self.program, &mut frame, pid).eval(channel) {
                out(ChannelUse {
                    process: pid as i32,
                    channel,
                    transfer,
                });
            }
        }
    }

    /// What the step sends or receives as it is taken from `state`. Nothing if it does neither, or
    /// if that happens inside of a deterministic block, whose statements are no steps.
    pub(super) fn message(&self, state: &[u8], step: Taken) -> Option<MessageText> {
        let (pid, step) = self.step_of(step);
        let act = match &self.program.steps.get(step)?.act {
            ActCode::All(all) => all.first()?,
            act => act,
        };
        if !matches!(act, ActCode::Send(_) | ActCode::Receive(_)) {
            return None;
        }
        let mut frame = super::frame::Frame::default();
        frame.load(state, &self.program);
        let mut env = Env::new(&self.program, &mut frame, pid);
        let found = match act {
            ActCode::Send(send) => env.sent(send),
            ActCode::Receive(receive) => env.received(receive),
            _ => return None,
        };
        // A step whose channel has no value is a fault, and is told as one.
        let found = found.ok()?;
        let named = self.named(state);
        let (kind, _, name) = named.chans.get(found.channel)?;
        let Role::Channel(buffer) = &self.model.layout.kind(*kind).role else {
            return None;
        };
        let content = found.values.map(|values| {
            let fields = buffer.fields.iter().zip(values).enumerate();
            let fields = fields.map(|(n, ((_, slot), value))| {
                if self.undefined_message(*kind, n) == Some(value) {
                    words::UNDEFINED.to_owned()
                } else {
                    self.value(&named, *slot, value)
                }
            });
            fields.collect::<Vec<_>>().join(",")
        });
        Some(MessageText {
            transfer: found.transfer,
            channel: name.clone(),
            content,
            is_rendezvous: buffer.capacity == 0,
            stays: found.stays,
        })
    }
}

impl Env<'_> {
    fn sent(&mut self, send: &SendCode) -> Result<Found, FaultKind> {
        let number = self.eval(send.channel)?;
        let (_, chan) = self.frame.channel(number, self.program)?;
        let mut values = Vec::with_capacity(chan.fields.len());
        for (n, (_, slot)) in chan.fields.iter().enumerate() {
            // What the statement leaves out is sent as zero.
            let value = match send.fields.get(n) {
                Some(field) => self.eval(*field)?,
                None => 0,
            };
            values.push(slot.scalar.narrow(value));
        }
        Ok(Found {
            transfer: Transfer::Send,
            channel: number as usize - 1,
            values: Some(values),
            stays: false,
        })
    }

    fn received(&mut self, receive: &ReceiveCode) -> Result<Found, FaultKind> {
        let number = self.eval(receive.channel)?;
        let (_, chan) = self.frame.channel(number, self.program)?;
        let values = match chan.capacity {
            0 => None,
            _ => self.find(receive)?.map(|(at, n)| {
                let fields = 0..chan.fields.len();
                let value = |field| self.frame.message_field(at, chan, n, field);
                fields.map(value).collect()
            }),
        };
        Ok(Found {
            transfer: Transfer::Receive,
            channel: number as usize - 1,
            values,
            stays: receive.keep,
        })
    }
}
