//! What a step sent and received, by the contents of channels before and after it.
//!
//! A channel is shown as `empty`, or as its messages one behind the other: `<1,0><2,1>`. If one
//! more message is there than before, and the others are the same in the same order, it was sent;
//! if one is missing, it was received. What is neither, as where a block sends and receives on one
//! channel, is not told.

use super::{ChartedMessage, ChartedStep};
use std::collections::BTreeMap;

/// The contents of all channels.
#[derive(Default)]
pub struct Contents(BTreeMap<String, Vec<String>>);

impl Contents {
    /// Takes in the changes of a step, and says what it sent and received: what it says itself, or
    /// what the changes show.
    pub fn after(&mut self, step: &ChartedStep) -> Vec<ChartedMessage> {
        let mut messages: Vec<ChartedMessage> = step.message.iter().cloned().collect();
        for (name, value) in &step.changes {
            let Some(now) = value.as_str().and_then(queue) else {
                // A name that is gone, or was never one of a channel.
                self.0.remove(name);
                continue;
            };
            let before = self.0.insert(name.clone(), now.clone());
            if step.message.is_none()
                && let Some(before) = before
            {
                messages.extend(between(name, &before, &now));
            }
        }
        messages
    }
}

/// The messages of a channel as it is shown; nothing if that is no channel.
fn queue(shown: &str) -> Option<Vec<String>> {
    if shown == "empty" {
        return Some(Vec::new());
    }
    let inner = shown.strip_prefix('<')?.strip_suffix('>')?;
    Some(inner.split("><").map(str::to_owned).collect())
}

/// The one message that came or went.
fn between(channel: &str, before: &[String], after: &[String]) -> Option<ChartedMessage> {
    let (transfer, long, short) = match after.len().cmp(&before.len()) {
        std::cmp::Ordering::Greater => ("send", after, before),
        std::cmp::Ordering::Less => ("receive", before, after),
        std::cmp::Ordering::Equal => return None,
    };
    if long.len() != short.len() + 1 {
        return None;
    }
    // The last place for what was sent, the first for what was received.
    let mut places: Vec<usize> = (0..long.len()).collect();
    if transfer == "send" {
        places.reverse();
    }
    let without = |n: &usize| long[..*n] == short[..*n] && long[n + 1..] == short[*n..];
    let place = places.into_iter().find(without)?;
    Some(ChartedMessage {
        transfer: transfer.to_owned(),
        channel: channel.to_owned(),
        content: Some(long[place].clone()),
        rendezvous: false,
        stays: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn one_message_more_was_sent_and_one_less_was_received() {
        let told = |before: &str, after: &str| {
            let queue = |shown| queue(shown).expect("a channel");
            let message = between("c", &queue(before), &queue(after))?;
            Some((message.transfer, message.content.expect("a content")))
        };
        let sent = |content: &str| Some(("send".to_owned(), content.to_owned()));
        let received = |content: &str| Some(("receive".to_owned(), content.to_owned()));
        assert_eq!(told("empty", "<1,0>"), sent("1,0"));
        assert_eq!(told("<1>", "<1><2>"), sent("2"));
        assert_eq!(told("<2>", "<1><2>"), sent("1"));
        assert_eq!(told("<1><2>", "<2>"), received("1"));
        assert_eq!(told("<1><1>", "<1>"), received("1"));
        assert_eq!(told("<1><2><3>", "<1><3>"), received("2"));
        assert_eq!(told("<1><2>", "<2><1>"), None);
        assert_eq!(told("empty", "<1><2>"), None);
    }

    #[test]
    fn what_is_no_channel_is_not_taken_for_one() {
        let mut contents = Contents::default();
        let step = |value: &str| ChartedStep {
            by: None,
            process: None,
            step: String::new(),
            parts: Vec::new(),
            message: None,
            changes: [("x".to_owned(), Value::from(value))].into_iter().collect(),
        };
        assert!(contents.after(&step("3")).is_empty());
        assert!(contents.after(&step("<4>")).is_empty());
        assert_eq!(contents.after(&step("empty")).len(), 1);
    }
}
