//! Whether a system has a run that is in accepting states again and again, fair or not.
//!
//! One search by depth finds the strongly connected components of the quotient as it goes: states
//! on the way are held in *components so far*, each with whether it has an accepting state; a way
//! back to a state that is still held joins all components in between into one, and then there is a
//! cycle through all of it. Without fairness the search ends as soon as such a component accepts,
//! long before all of it is known; with fairness a component is looked at once it is complete.
//!
//! Worked example: `a → b → c → b`, `c` accepting. Components so far: {a}, {b}, {c}; the way from
//! `c` back to `b` joins {b} and {c} into {b, c}, which accepts: `a (b c)*` is a run.
//!
//! That the quotient has such a cycle exactly if the system has, needs atoms (and so acceptance)
//! that symmetries do not change; the cycle of the system may be longer by turns (see
//! [`super::lasso`]).
//!
//! Cost: every state is expanded once; four bytes a state beside the store, and the ways of the
//! states on the current path that were not followed yet.

use super::component::Component;
use super::space::Space;
use super::{Fairness, Found};
use crate::options::{Observer, Options, Progress};
use crate::outcome::StopReason;
use crate::store::{NodeId, Store};
use std::time::Duration;

/// The number of a state that was not visited yet.
const NEW: u32 = 0;
/// The number of a state whose component is complete.
const DONE: u32 = u32::MAX;
/// How many states there are between two looks at the clock.
const TICKS: u32 = 64;

/// A state on the current path.
struct Frame {
    node: NodeId,
    /// Where its ways that were not followed begin.
    first_way: usize,
}

/// A component so far.
#[derive(Clone, Copy)]
struct Root {
    /// The number of its first state.
    number: u32,
    is_accepting: bool,
    has_cycle: bool,
}

/// The search.
pub struct Emptiness<'s, 'a> {
    space: &'s mut Space<'a>,
    accepting: &'s dyn Fn(&[u8]) -> bool,
    fairness: &'s Fairness<'s>,
    options: &'s Options<'s>,
    /// By state: when it was visited, from 1.
    numbers: Vec<u32>,
    n_visited: u32,
    frames: Vec<Frame>,
    /// The ways not yet followed of all states on the path.
    ways: Vec<NodeId>,
    /// The states whose components are not complete, in the order of their numbers.
    held: Vec<NodeId>,
    roots: Vec<Root>,
    /// The longest path.
    pub depth: u64,
    /// Whether a path was too long.
    pub cut_off: bool,
    last_report: Duration,
}

impl<'s, 'a> Emptiness<'s, 'a> {
    /// Over what is not seen yet.
    pub fn new(
        space: &'s mut Space<'a>,
        accepting: &'s dyn Fn(&[u8]) -> bool,
        fairness: &'s Fairness<'s>,
        options: &'s Options<'s>,
    ) -> Self {
        Emptiness {
            space,
            accepting,
            fairness,
            options,
            numbers: Vec::new(),
            n_visited: 0,
            frames: Vec::new(),
            ways: Vec::new(),
            held: Vec::new(),
            roots: Vec::new(),
            depth: 0,
            cut_off: false,
            last_report: Duration::ZERO,
        }
    }

    /// A component with an accepting cycle, if there is one, and the initial states.
    pub fn run(&mut self, observer: &mut Observer<'_>) -> Result<Option<Found>, StopReason> {
        for node in self.space.initial()? {
            if self.number(node) == NEW
                && let Some(found) = self.from(node, observer)?
            {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    fn from(
        &mut self,
        node: NodeId,
        observer: &mut Observer<'_>,
    ) -> Result<Option<Found>, StopReason> {
        self.enter(node, observer)?;
        while let Some(frame) = self.frames.last() {
            if self.ways.len() == frame.first_way {
                if let Some(found) = self.leave()? {
                    return Ok(Some(found));
                }
                continue;
            }
            let Some(target) = self.ways.pop() else {
                unreachable!("a way is left");
            };
            match self.number(target) {
                NEW => {
                    let depth = self.frames.len() as u64;
                    if self.options.depth_max.is_some_and(|max| depth > max) {
                        self.cut_off = true
                    } else {
                        self.enter(target, observer)?
                    }
                }
                DONE => {}
                number => {
                    self.join(number);
                    let top = self.top();
                    if top.is_accepting && matches!(self.fairness, Fairness::None) {
                        return self.found(top.number).map(Some);
                    }
                }
            }
        }
        Ok(None)
    }

    fn number(&self, node: NodeId) -> u32 {
        self.numbers.get(node.index()).copied().unwrap_or(NEW)
    }

    fn top(&self) -> Root {
        *self
            .roots
            .last()
            .expect("a state on the path has a component")
    }

    /// Goes on to a new state.
    fn enter(&mut self, node: NodeId, observer: &mut Observer<'_>) -> Result<(), StopReason> {
        if self.n_visited.is_multiple_of(TICKS) {
            self.space.tick()?;
            self.report(observer);
        }
        self.n_visited += 1;
        let missing = (node.index() + 1).saturating_sub(self.numbers.len());
        self.space.account.reserve(&mut self.numbers, missing)?;
        self.numbers.resize(self.numbers.len() + missing, NEW);
        self.numbers[node.index()] = self.n_visited;
        let account = &mut self.space.account;
        let frame = Frame {
            node,
            first_way: self.ways.len(),
        };
        account.push(&mut self.frames, frame)?;
        account.push(&mut self.held, node)?;
        let root = Root {
            number: self.n_visited,
            is_accepting: (self.accepting)(self.space.load(node)),
            has_cycle: false,
        };
        self.space.account.push(&mut self.roots, root)?;
        let first = self.ways.len();
        self.space.targets(node, &mut self.ways)?;
        // The first way is followed first.
        self.ways[first..].reverse();
        self.depth = self.depth.max(self.frames.len() as u64 - 1);
        Ok(())
    }

    /// Joins the components from that of the state with this number to the last.
    fn join(&mut self, number: u32) {
        let (mut is_accepting, mut top) = (false, self.top());
        while top.number > number {
            is_accepting |= top.is_accepting;
            self.roots.pop();
            top = self.top();
        }
        let last = self.roots.last_mut().expect("the component joined to");
        last.is_accepting |= is_accepting;
        last.has_cycle = true;
    }

    /// Leaves a state whose ways were all followed.
    fn leave(&mut self) -> Result<Option<Found>, StopReason> {
        let frame = self.frames.last().expect("a state to leave");
        let (root, number) = (self.top(), self.numbers[frame.node.index()]);
        if root.number == number {
            if root.is_accepting && root.has_cycle {
                let nodes = self.nodes_from(root.number);
                let component = Component::of(self.space, &nodes, self.accepting, self.fairness)?;
                if let Some(kept) = component.fair_part(self.fairness) {
                    return Ok(Some(Found {
                        component,
                        kept,
                        path: self.frames.iter().map(|frame| frame.node).collect(),
                    }));
                }
            }
            self.roots.pop();
            while let Some(&node) = self.held.last()
                && self.numbers[node.index()] >= root.number
            {
                self.numbers[node.index()] = DONE;
                self.held.pop();
            }
        }
        self.frames.pop();
        Ok(None)
    }

    /// The held states from that number on.
    fn nodes_from(&self, number: u32) -> Vec<NodeId> {
        let first = self
            .held
            .partition_point(|node| self.numbers[node.index()] < number);
        self.held[first..].to_vec()
    }

    /// What was found where no fairness is asked for: the last component so far.
    fn found(&mut self, number: u32) -> Result<Found, StopReason> {
        let nodes = self.nodes_from(number);
        let component = Component::of(self.space, &nodes, self.accepting, self.fairness)?;
        let kept = (0..nodes.len()).collect();
        Ok(Found {
            component,
            kept,
            path: self.frames.iter().map(|frame| frame.node).collect(),
        })
    }

    fn report(&mut self, observer: &mut Observer<'_>) {
        let elapsed = self.space.start().elapsed();
        if elapsed - self.last_report < self.options.progress_every {
            return;
        }
        self.last_report = elapsed;
        let n_states = self.space.store.len() as u64;
        observer(&Progress {
            n_states,
            n_transitions: self.space.n_transitions,
            depth: self.frames.len() as u64,
            n_frontier: self.ways.len() as u64,
            memory_bytes: self.space.account.used(),
            elapsed,
            states_per_second: n_states as f64 / elapsed.as_secs_f64().max(1e-9),
        });
    }
}
