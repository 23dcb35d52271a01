//! The states that were visited so far, as a picture that grows.

use crate::session::StateObject;
use std::collections::{BTreeMap, BTreeSet};
use view::{Drawing, NodeKinds, Picture, PictureEdge, PictureNode};

/// More states than these are not drawn: those that were visited last are.
const DRAWN_MAX: usize = 150;

/// What is known of the states that were visited.
#[derive(Default)]
pub struct Seen {
    /// By number: what stands in it, what it is.
    nodes: BTreeMap<u32, (Vec<String>, NodeKinds)>,
    /// The order of visits.
    order: Vec<u32>,
    /// By ends: the words.
    edges: BTreeMap<(u32, u32), BTreeSet<String>>,
    first: Option<u32>,
}

impl Seen {
    /// A state was visited.
    pub fn add(&mut self, state: &StateObject) {
        let id = state.id();
        if self.nodes.contains_key(&id) {
            return;
        }
        let mut kinds = NodeKinds::default();
        if *self.first.get_or_insert(id) == id {
            kinds = kinds.with(NodeKinds::INITIAL);
        }
        if state.is_deadlock() {
            kinds = kinds.with(NodeKinds::DEADLOCK);
        }
        if state.is_wrong() {
            kinds = kinds.with(NodeKinds::VIOLATION);
        }
        let values = state.values().iter();
        let lines = values
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        self.nodes.insert(id, (lines, kinds));
        self.order.push(id);
        for (words, to) in state.edges() {
            if let Some(to) = to {
                self.edges.entry((id, to)).or_default().insert(words);
            }
        }
    }

    /// The picture, in which `current` is marked, and how many states were visited.
    pub fn picture(&self, current: Option<u32>) -> (String, usize) {
        let first = self.order.len().saturating_sub(DRAWN_MAX);
        let last = self.order[first..].iter().copied();
        let mut shown: Vec<u32> = last.chain(current).collect();
        shown.sort_unstable();
        shown.dedup();
        shown.retain(|id| self.nodes.contains_key(id));
        let place = |id: &u32| shown.binary_search(id).ok().map(|n| n as u32);
        let mut picture = Picture {
            title: format!("{} states were visited", self.nodes.len()),
            ..Picture::default()
        };
        if self.nodes.len() > shown.len() {
            let note = format!("the {DRAWN_MAX} that were visited last are drawn");
            picture.notes.push(note);
        }
        for id in &shown {
            let (lines, kinds) = &self.nodes[id];
            let current = if current == Some(*id) {
                NodeKinds::CURRENT
            } else {
                NodeKinds::default()
            };
            picture.nodes.push(PictureNode {
                lines: vec![id.to_string()],
                text: lines.join("\n"),
                kinds: kinds.with(current),
                n_states: 1,
                n_full: 1,
                members: vec![*id],
                ..PictureNode::default()
            });
        }
        for ((from, to), words) in &self.edges {
            if let (Some(from), Some(to)) = (place(from), place(to)) {
                picture.edges.push(PictureEdge {
                    from,
                    to,
                    labels: words.iter().cloned().collect(),
                    is_definite: true,
                    is_back: false,
                });
            }
        }
        picture.measure();
        let picture = picture.sorted();
        let drawing = Drawing {
            id: "seen",
            has_words: false,
        };
        (view::svg(&picture, &drawing), self.nodes.len())
    }
}
