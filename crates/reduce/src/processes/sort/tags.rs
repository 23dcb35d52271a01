//! Channels whose messages are told apart by a tag.
//!
//! A field of a message may carry an id under one tag and a number under another. If both had one
//! class, arithmetic on the number would make the id plain. Where one field, the *tag*, is a
//! constant in every send, the other fields have a class for each value of the tag; who receives
//! with a constant in the place of the tag meets the classes of that value, who receives without
//! meets those of all values, which makes them one.
//!
//! Worked example, two processes and a server:
//!
//! ```text
//! mtype = { take, size }; chan q = [2] of { mtype, byte };
//! q!take, _pid;    q!size, n + 1;          and the server:    q?take, who;    q?size, m
//! ```
//!
//! 1. Both sends have a constant in field 1, so that is the tag, with the values `take` and `size`.
//! 2. Field 2 has two classes: under `take` that of `_pid` and `who`; under `size` that of `n`, `m`
//!    and `n + 1`, which is plain. With one class for both, `_pid` would be plain as well.
//!
//! Which sends and receives may meet is taken from the classes without tags: there all that hold
//! one channel have one class for each of its fields. With tags fewer classes are one, so nobody
//! meets who did not meet there.

use super::unify::Var;
use super::walk::Walked;
use super::{MessageClasses, Sorts, Tag};
use model::processes::expr::{Expr, ExprId, Owner, Pattern, Receive, Send};
use model::processes::layout::{KindId, MESSAGES_AT, Role};
use model::processes::population::Population;
use model::processes::program::Model;
use std::collections::{BTreeMap, BTreeSet};

/// A send, receive or poll.
pub(super) struct Traffic {
    /// The channel, and its class.
    pub channel: ExprId,
    pub var: Var,
    /// By field: what it must be, if that is a constant.
    pub constants: Vec<Option<i32>>,
    pub sends: bool,
}

impl Traffic {
    /// What is known of the fields that are sent.
    pub fn sent(text: &Model, send: &Send, var: Var) -> Traffic {
        Traffic {
            channel: send.channel,
            var,
            constants: send.fields.iter().map(|e| constant(text, *e)).collect(),
            sends: true,
        }
    }

    /// What is known of the fields that are received.
    pub fn received(text: &Model, receive: &Receive, var: Var) -> Traffic {
        // Fields are compared in order, and nothing after the first that differs is looked at. What
        // stands before the tag is compared whatever the tag is, so that must not decide whether
        // something else is looked at that can go wrong.
        let mut sure = true;
        let constants = receive.fields.iter().map(|pattern| match pattern {
            Pattern::Match(e) => {
                let known = constant(text, *e).filter(|_| sure);
                sure &= known.is_some() || is_simple(text, *e);
                known
            }
            _ => None,
        });
        Traffic {
            channel: receive.channel,
            var,
            constants: constants.collect(),
            sends: false,
        }
    }

    fn constant(&self, field: usize) -> Option<i32> {
        self.constants.get(field).copied().flatten()
    }
}

fn constant(text: &Model, e: ExprId) -> Option<i32> {
    match text.expr(e) {
        Expr::Const(v) => Some(*v),
        _ => None,
    }
}

/// Whether looking at an expression cannot go wrong, by its form.
fn is_simple(text: &Model, e: ExprId) -> bool {
    match text.expr(e) {
        Expr::Const(_) | Expr::Pid => true,
        Expr::Read(place) => {
            place.indices.is_empty() && matches!(place.owner, Owner::Globals | Owner::Own)
        }
        _ => false,
    }
}

/// The channels with tags.
#[derive(Clone, Default)]
pub(super) struct Tags {
    groups: Vec<Tag>,
    /// By kind of channel: its group.
    kinds: BTreeMap<KindId, usize>,
    /// By channel that is sent to or received from: its group.
    channels: BTreeMap<ExprId, usize>,
    /// More than the fields of any message or receive.
    width: usize,
}

impl Tags {
    /// The tag of a kind of channels.
    pub fn of_kind(&self, kind: KindId) -> Option<&Tag> {
        self.kinds.get(&kind).map(|group| &self.groups[*group])
    }

    /// How many classes a field of that kind of channels has at most.
    pub fn n_variants(&self, kind: KindId) -> usize {
        self.of_kind(kind).map_or(1, |tag| tag.values.len())
    }

    /// The number under which the class of a field is kept with the class of a channel.
    pub fn slot(&self, variant: usize, field: usize) -> usize {
        variant * self.width + field
    }

    /// Variant and field of such a number.
    pub fn parts(&self, slot: usize) -> (usize, usize) {
        let width = self.width.max(1);
        if self.groups.is_empty() {
            (0, slot)
        } else {
            (slot / width, slot % width)
        }
    }

    /// The variants that a send, receive or poll has to do with.
    pub fn variants(&self, traffic: &Traffic) -> Vec<usize> {
        let Some(group) = self.channels.get(&traffic.channel) else {
            return vec![0];
        };
        let tag = &self.groups[*group];
        match traffic.constant(tag.field) {
            // A value that nobody sends is waited for in vain.
            Some(value) => tag.variant(value).into_iter().collect(),
            None => (0..tag.values.len()).collect(),
        }
    }

    /// The variants in which a field of a channel has classes: the tag itself has one for all.
    pub fn of_field(&self, channel: ExprId, field: usize, variants: &[usize]) -> Vec<usize> {
        let group = self.channels.get(&channel);
        if group.is_some_and(|group| self.groups[*group].field == field) {
            vec![0]
        } else {
            variants.to_vec()
        }
    }

    /// The variant of a message, given what its fields hold.
    pub fn held(&self, kind: KindId, field: impl Fn(usize) -> i32) -> usize {
        let tag = self.of_kind(kind);
        tag.and_then(|tag| tag.variant(field(tag.field)))
            .unwrap_or(0)
    }

    /// Those tags that tell classes apart, one of them a sort in which something could move;
    /// `None` if all do.
    pub fn without_use(&self, sorts: &Sorts) -> Option<Tags> {
        let useful = |group: usize| {
            let mut kinds = self.kinds.iter().filter(|(_, g)| **g == group);
            kinds.any(|(kind, _)| is_mixed(sorts, &sorts.messages[kind.index()]))
        };
        let kept: Vec<usize> = (0..self.groups.len()).filter(|g| useful(*g)).collect();
        if kept.len() == self.groups.len() {
            return None;
        }
        let place = |group: &usize| kept.iter().position(|g| g == group);
        Some(Tags {
            groups: kept.iter().map(|g| self.groups[*g].clone()).collect(),
            kinds: kept_only(&self.kinds, &place),
            channels: kept_only(&self.channels, &place),
            width: self.width,
        })
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }
}

fn kept_only<K: Copy + Ord>(
    all: &BTreeMap<K, usize>,
    place: &dyn Fn(&usize) -> Option<usize>,
) -> BTreeMap<K, usize> {
    let kept = all.iter().filter_map(|(k, g)| Some((*k, place(g)?)));
    kept.collect()
}

/// Whether some field has several classes, one of them a sort of several members.
fn is_mixed(sorts: &Sorts, messages: &MessageClasses) -> bool {
    (0..messages.n_fields()).any(|i| {
        let classes: BTreeSet<_> = messages.variants.iter().map(|one| one[i]).collect();
        let large = |c: &super::ClassId| {
            let members = sorts.class(*c).members.as_ref();
            members.is_some_and(|members| members.len() > 1)
        };
        classes.len() > 1 && classes.iter().any(large)
    })
}

/// Finds channels whose messages could have a tag, from a walk without any.
pub(super) fn find(text: &Model, population: &Population, walked: &mut Walked) -> Tags {
    let traffic = std::mem::take(&mut walked.traffic);
    let mut groups: Vec<BTreeSet<KindId>> = Vec::new();
    let reach: Vec<BTreeSet<KindId>> = traffic.iter().map(|one| reached(walked, one)).collect();
    for kinds in reach.iter().filter(|kinds| !kinds.is_empty()) {
        let (near, far): (Vec<_>, Vec<_>) =
            (groups.into_iter()).partition(|group| !group.is_disjoint(kinds));
        groups = far;
        let whole = near.into_iter().flatten().chain(kinds.iter().copied());
        groups.push(whole.collect());
    }
    let mut tags = Tags {
        width: width(walked, &traffic),
        ..Tags::default()
    };
    for kinds in groups {
        let used = traffic.iter().zip(&reach);
        let used = used.filter(|(_, reached)| !reached.is_disjoint(&kinds));
        let used: Vec<&Traffic> = used.map(|(one, _)| one).collect();
        let Some(tag) = tag(text, population, &kinds, &used) else {
            continue;
        };
        let n = tags.groups.len();
        tags.groups.push(tag);
        tags.kinds.extend(kinds.iter().map(|kind| (*kind, n)));
        tags.channels
            .extend(used.iter().map(|one| (one.channel, n)));
    }
    tags
}

fn width(walked: &Walked, traffic: &[Traffic]) -> usize {
    let sent = traffic.iter().map(|one| one.constants.len());
    let kinds = walked.messages.iter().flatten().map(Vec::len);
    1 + sent.chain(kinds).max().unwrap_or(0)
}

/// The kinds of channels that a send, receive or poll may meet.
fn reached(walked: &mut Walked, traffic: &Traffic) -> BTreeSet<KindId> {
    let mut found = BTreeSet::new();
    for k in 0..walked.messages.len() {
        let Some(fields) = walked.messages[k].first().cloned() else {
            continue;
        };
        let classes = &mut walked.classes;
        let mut pairs = fields.iter().enumerate();
        let joined = pairs.all(|(i, field)| {
            let payload = classes.payload(traffic.var, i);
            classes.find(payload) == classes.find(*field)
        });
        if joined && !fields.is_empty() {
            found.insert(KindId::new(k));
        }
    }
    found
}

/// The tag of a group of channels, if a field can be one.
fn tag(
    text: &Model,
    population: &Population,
    kinds: &BTreeSet<KindId>,
    traffic: &[&Traffic],
) -> Option<Tag> {
    let buffers = kinds
        .iter()
        .map(|kind| match &text.layout.kind(*kind).role {
            Role::Channel(buffer) => buffer.fields.as_slice(),
            _ => &[],
        });
    let buffers: Vec<_> = buffers.collect();
    let n_fields = buffers.iter().map(|fields| fields.len()).min()?;
    let mut best: Option<(usize, Tag)> = None;
    for field in 0..n_fields {
        let sends = traffic.iter().filter(|one| one.sends);
        let sent: Option<BTreeSet<i32>> = sends.map(|one| one.constant(field)).collect();
        let Some(mut values) = sent else {
            continue;
        };
        let states = population.states.iter().chain(&population.before);
        for state in states {
            held(text, state, kinds, field, &mut values);
        }
        let fits = |v: &i32| {
            let mut slots = buffers.iter().map(|fields| fields[field].1.scalar);
            slots.all(|scalar| scalar.narrow(*v) == *v)
        };
        let receives = traffic.iter().filter(|one| !one.sends);
        let n_known = receives.filter(|one| one.constant(field).is_some()).count();
        let better = best.as_ref().is_none_or(|(n, _)| n_known > *n);
        if values.len() > 1 && n_known > 0 && better && values.iter().all(fits) {
            let values = values.into_iter().collect();
            best = Some((n_known, Tag { field, values }));
        }
    }
    best.map(|(_, tag)| tag)
}

/// Adds what a field of the messages in a state holds.
fn held(
    text: &Model,
    state: &[u8],
    kinds: &BTreeSet<KindId>,
    field: usize,
    out: &mut BTreeSet<i32>,
) {
    for (kind, at) in text.layout.records(state) {
        let Role::Channel(buffer) = &text.layout.kind(kind).role else {
            continue;
        };
        if !kinds.contains(&kind) {
            continue;
        }
        let (offset, slot) = &buffer.fields[field];
        for n in 0..usize::from(state[at + 1]) {
            let first = at + MESSAGES_AT as usize + n * buffer.message_size as usize;
            out.insert(slot.scalar.load(state, first + *offset as usize));
        }
    }
}
