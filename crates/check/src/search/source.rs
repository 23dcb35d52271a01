//! A store as a search uses it: where states that wait are, and how paths become runs.
//!
//! A search is compiled for stores that give states back by number, and for those that do not. With
//! the first a path is a list of numbers, and its replay loads the states. With the others the
//! frontier keeps the states that wait and, of each state, which move led to it first; before a
//! replay the path's representatives are made again by taking these moves.
//!
//! Worked example: `crates/check/src/frontier/kept.rs`.

use crate::frontier::Visit;
use crate::frontier::kept::{Kept, Number, Whole};
use crate::gap::Gap;
use crate::outcome::Violation;
use crate::store::trees::TreeStore;
use crate::store::{Inserted, NodeId, Recall, Store};
use crate::witness::{Broken, Replay, Witness};
use crate::{Identity, Reducer};
use base::memory::Account;
use reduce::partial::Annotated;
use std::ops::ControlFlow;
use system::System;

/// A store as a search uses it.
pub trait Source: Store {
    /// What a frontier keeps of the states that wait.
    type Kept: Kept;

    /// Makes `state` that of `node`, which has waited.
    ///
    /// # Requires
    /// `state` is what was released for it.
    fn fetch(&mut self, node: NodeId, state: &mut Vec<u8>);

    /// The run along a path of the search that ends in `violation`.
    fn replay(&mut self, on: On<'_>, to: &Path<Self>) -> Result<(Violation, Witness), Broken>;

    /// The store as one that several threads can fill, if it is one.
    fn as_trees(&mut self) -> Option<&mut TreeStore> {
        None
    }
}

/// What a path is replayed on.
pub struct On<'a> {
    /// The system with all its moves.
    pub system: &'a dyn System,
    /// The system that was searched, if its states are annotated.
    pub folded: Option<&'a Annotated<'a>>,
    /// Chose the representatives of the path.
    pub reducer: &'a mut dyn Reducer,
}

/// A path of a search, and what is wrong at its end.
pub struct Path<'a, S: Source + ?Sized> {
    /// The states on it.
    pub visits: &'a [Visit<<S::Kept as Kept>::Way>],
    /// What is wrong.
    pub violation: Violation,
}

impl Source for dyn Recall + '_ {
    type Kept = Number;

    #[inline]
    fn fetch(&mut self, node: NodeId, state: &mut Vec<u8>) {
        self.load(node, state);
    }

    fn replay(&mut self, on: On<'_>, to: &Path<Self>) -> Result<(Violation, Witness), Broken> {
        recalled(self, on, to.visits, to.violation)
    }

    #[inline]
    fn as_trees(&mut self) -> Option<&mut TreeStore> {
        Recall::as_trees(self)
    }
}

impl<S: Recall> Source for S {
    type Kept = Number;

    #[inline]
    fn fetch(&mut self, node: NodeId, state: &mut Vec<u8>) {
        self.load(node, state);
    }

    fn replay(&mut self, on: On<'_>, to: &Path<Self>) -> Result<(Violation, Witness), Broken> {
        recalled(self, on, to.visits, to.violation)
    }

    #[inline]
    fn as_trees(&mut self) -> Option<&mut TreeStore> {
        Recall::as_trees(self)
    }
}

fn recalled(
    store: &mut dyn Recall,
    on: On<'_>,
    visits: &[Visit<()>],
    violation: Violation,
) -> Result<(Violation, Witness), Broken> {
    let path: Vec<NodeId> = visits.iter().map(|visit| visit.node).collect();
    match on.folded {
        Some(folded) if !path.is_empty() => unfolded(folded, store, &path, violation),
        _ => Replay::new(on.system, on.reducer, store).run(&path, violation),
    }
}

/// The run along a path of annotated states: it is made of states of the system without
/// annotations, and then replayed like any other.
fn unfolded(
    folded: &Annotated<'_>,
    store: &mut dyn Recall,
    path: &[NodeId],
    violation: Violation,
) -> Result<(Violation, Witness), Broken> {
    let load = |node: &NodeId| {
        let mut state = Vec::new();
        store.load(*node, &mut state);
        state
    };
    let path: Vec<Vec<u8>> = path.iter().map(load).collect();
    let system = folded.unfolded();
    let (mut identity, mut states) = (Identity, TreeStore::new());
    let mut ends = TreeStore::new();
    let mut replay = Replay::new(system, &mut identity, &mut ends);
    let run = folded.run(&path, &mut |state| replay.shows(state, violation));
    let run = run.ok_or(Broken {
        violation,
        n_moves: path.len() - 1,
        missing: Gap::NextState,
    })?;
    let run: Vec<NodeId> = run.iter().map(|state| number(&mut states, state)).collect();
    Replay::new(system, &mut Identity, &mut states).run(&run, violation)
}

impl Source for dyn Store + '_ {
    type Kept = Whole;

    fn fetch(&mut self, _: NodeId, _: &mut Vec<u8>) {}

    fn replay(&mut self, on: On<'_>, to: &Path<Self>) -> Result<(Violation, Witness), Broken> {
        let mut store = TreeStore::new();
        let mut path = Vec::new();
        let mut state = None;
        for (n, visit) in to.visits.iter().enumerate() {
            let next = taken(on.system, state.as_deref(), visit.way);
            let mut next = next.ok_or(Broken {
                violation: to.violation,
                n_moves: n.saturating_sub(1),
                missing: Gap::FirstMove,
            })?;
            on.reducer.reduce(&mut next);
            path.push(number(&mut store, &next));
            state = Some(next);
        }
        Replay::new(on.system, on.reducer, &mut store).run(&path, to.violation)
    }
}

/// Where the move of that number leads from a state, or the initial state of that number.
fn taken(system: &dyn System, from: Option<&[u8]>, index: u32) -> Option<Vec<u8>> {
    let (mut n, mut found) = (0, None);
    let mut scratch = system.scratch();
    match from {
        None => system.initial(&mut scratch, &mut |initial| {
            if n == index {
                found = initial.ok().map(<[u8]>::to_vec);
            }
            n += 1;
        }),
        Some(from) => {
            system.successors(from, &mut scratch, &mut |mv| {
                if n < index {
                    n += 1;
                    return ControlFlow::Continue(());
                }
                found = mv.state.map(<[u8]>::to_vec);
                ControlFlow::Break(())
            });
        }
    }
    found
}

/// The number of a state, which is stored if it is new.
fn number(store: &mut TreeStore, state: &[u8]) -> NodeId {
    let mut account = Account::new(None);
    let fits = "a path fits into memory";
    let code = store.encode(state, &mut account).expect(fits);
    match store.insert(code, &mut account).expect(fits) {
        Inserted::New(node) => node,
        Inserted::Known => store.find(code).expect("a state that was there"),
    }
}
