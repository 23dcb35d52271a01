//! Operators over leaves, and what they can do, by the rules of CSP as they are written down.
//!
//! This is the plain account of a network: slow, without tables, and what everything faster is
//! compared with. A transition of an operator is made of transitions of its operands:
//!
//! ```text
//! P [|A|] Q    τ of either; an event outside A of either; an event of A of both
//! ||           an event of all those whose alphabet has it; what an alphabet lacks is blocked
//! P \ A        events of A become τ
//! P [[ R ]]    an event that R mentions becomes each of its images, others stay
//! ```
//!
//! ✓ of an operand of a parallel operator becomes τ; that the whole has ended is seen by the
//! network, which knows all its leaves.

use crate::network::{Label, Leaf, Move};
use std::sync::Arc;

/// A set of events: sorted, each once.
pub type Events = Arc<[u32]>;

/// Operators over leaves, which are known by number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Tree {
    /// A leaf.
    Leaf(usize),
    /// `[| A |]` of one or more: events of the set need all of them, others one.
    Parallel(Events, Vec<Tree>),
    /// `||` of one or more with their alphabets.
    Alphabetised(Vec<(Events, Tree)>),
    /// `P \ A`
    Hide(Events, Box<Tree>),
    /// `P [[ R ]]`: old names and new ones, sorted, each pair once.
    Rename(Arc<[(u32, u32)]>, Box<Tree>),
}

/// A transition of a part of a network: which leaves go where, and what each of them does.
#[derive(Clone, Debug)]
struct Part {
    label: Label,
    changes: Vec<(u32, Label, u32)>,
}

impl Tree {
    /// The leaves in it, in order.
    pub fn leaves(&self) -> Vec<usize> {
        match self {
            Tree::Leaf(leaf) => vec![*leaf],
            Tree::Parallel(_, children) => children.iter().flat_map(Tree::leaves).collect(),
            Tree::Alphabetised(children) => children
                .iter()
                .flat_map(|(_, child)| child.leaves())
                .collect(),
            Tree::Hide(_, child) | Tree::Rename(_, child) => child.leaves(),
        }
    }

    /// The transitions from `state`, but for the ✓ of the whole.
    pub(super) fn moves(&self, leaves: &[Arc<Leaf>], state: &[u32]) -> Vec<Move> {
        let parts = self.parts(leaves, state).into_iter();
        let moves = parts.map(|mut part| {
            part.changes.sort_unstable();
            let mut target = state.to_vec();
            for &(leaf, _, to) in &part.changes {
                target[leaf as usize] = to;
            }
            Move {
                label: part.label,
                state: target,
                parts: part
                    .changes
                    .iter()
                    .map(|&(leaf, label, _)| (leaf, label))
                    .collect(),
            }
        });
        moves.collect()
    }

    fn parts(&self, leaves: &[Arc<Leaf>], state: &[u32]) -> Vec<Part> {
        match self {
            &Tree::Leaf(leaf) => {
                let edges = leaves[leaf].edges(state[leaf]).iter();
                let part = |&(label, to)| Part {
                    label,
                    changes: vec![(leaf as u32, label, to)],
                };
                edges.map(part).collect()
            }
            Tree::Parallel(set, children) => {
                let children = children.iter().map(|child| child.parts(leaves, state));
                together(children.collect(), |_, event| Role::of(set, event))
            }
            Tree::Alphabetised(all) => {
                let children = all.iter().map(|(_, child)| child.parts(leaves, state));
                together(children.collect(), |i, event| {
                    match all[i].0.binary_search(&event) {
                        Ok(_) => Role::Shared,
                        Err(_) => Role::Absent,
                    }
                })
            }
            Tree::Hide(set, child) => {
                let mut parts = child.parts(leaves, state);
                for part in &mut parts {
                    let event = part.label.as_event();
                    if event.is_some_and(|event| set.binary_search(&event).is_ok()) {
                        part.label = Label::TAU;
                    }
                }
                parts
            }
            Tree::Rename(relation, child) => {
                let parts = child.parts(leaves, state).into_iter();
                parts.flat_map(|part| renamed(relation, part)).collect()
            }
        }
    }
}

/// What an operand of a parallel operator has to do with an event.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// It does it by itself.
    Alone,
    /// It takes part in it.
    Shared,
    /// It can neither do nor block it.
    Absent,
}

impl Role {
    fn of(set: &[u32], event: u32) -> Role {
        match set.binary_search(&event) {
            Ok(_) => Role::Shared,
            Err(_) => Role::Alone,
        }
    }
}

/// What operands do together, if each has that role in an event.
fn together(children: Vec<Vec<Part>>, role: impl Fn(usize, u32) -> Role) -> Vec<Part> {
    if let [alone] = &children[..] {
        let is_kept = |part: &&Part| {
            let event = part.label.as_event();
            event.is_none_or(|event| role(0, event) != Role::Absent)
        };
        return alone.iter().filter(is_kept).cloned().collect();
    }
    let mut all = Vec::new();
    let mut shared: Vec<u32> = Vec::new();
    for (i, parts) in children.iter().enumerate() {
        for part in parts {
            match part.label.as_event() {
                None => all.push(Part {
                    label: Label::TAU,
                    changes: part.changes.clone(),
                }),
                Some(event) => match role(i, event) {
                    Role::Alone => all.push(part.clone()),
                    Role::Shared => shared.push(event),
                    Role::Absent => {}
                },
            }
        }
    }
    shared.sort_unstable();
    shared.dedup();
    for event in shared {
        let label = Label::event(event);
        let mut ways = vec![Vec::new()];
        for (i, parts) in children.iter().enumerate() {
            if role(i, event) != Role::Shared {
                continue;
            }
            let mut longer = Vec::new();
            for way in &ways {
                for part in parts.iter().filter(|part| part.label == label) {
                    let mut way: Vec<_> = Vec::clone(way);
                    way.extend_from_slice(&part.changes);
                    longer.push(way);
                }
            }
            ways = longer;
        }
        all.extend(ways.into_iter().map(|changes| Part { label, changes }));
    }
    all
}

/// What becomes of a transition by renaming.
fn renamed(relation: &[(u32, u32)], part: Part) -> Vec<Part> {
    let event = part.label.as_event();
    let images = relation.iter().filter(|&&(old, _)| Some(old) == event);
    let renamed: Vec<Part> = images
        .map(|&(_, new)| Part {
            label: Label::event(new),
            changes: part.changes.clone(),
        })
        .collect();
    if renamed.is_empty() {
        vec![part]
    } else {
        renamed
    }
}
