//! How many states there are if hidden variables are left out, as SPIN counts.
//!
//! **Problem.** A modeller can declare variables `hidden`. SPIN's verifiers keep their values along
//! the path of the search but do not store them: states that differ in nothing else are taken for
//! one. That is not sound, as what is reached by the second of them is never seen. So a verdict
//! needs a search of full states; but counts in the literature are those of SPIN.
//!
//! **Idea.** A second search, which gives no verdict, counts as SPIN does: by depth, in the same
//! order, with a store that gives back full states and compares only what is visible. Which of
//! several states with the same visible part comes first depends on the order, and so does the
//! number.
//!
//! **Worked example.** `hidden byte h; if :: h = 1 :: h = 2 fi; g = h` has two states after the
//! `if` and two after `g = h`. SPIN takes the first two for one, and follows the one with `h == 1`
//! only: `g == 2` is never seen. It counts the start, one state after the `if`, and one after
//! `g = h`.
//!
//! **Cost.** That of a search by depth with two stores, and 16 bytes for each full state met.

use crate::Guarantee;
use crate::options::{Attention, Observer, Options, Order};
use crate::outcome::{Counts, Ended, StopReason};
use crate::search::{Parts, explore_with};
use crate::store::{Code, Inserted, NodeId, Recall, Store, trees::TreeStore};
use crate::witness::Broken;
use base::memory::{Account, Full};
use reduce::reducer::Identity;
use std::collections::HashMap;
use std::ops::Range;
use system::System;

/// The states and transitions of `system` as SPIN counts them, hidden variables left out; `None` if
/// it has no hidden bytes, or if a limit comes first. Limits are those of `options`.
pub fn count(
    system: &dyn System,
    options: &Options<'_>,
    observer: &mut Observer<'_>,
) -> Result<Option<Counts>, Broken> {
    let hidden = system.hidden();
    if hidden.is_empty() {
        return Ok(None);
    }
    let mut store = VisibleStore::new(hidden.to_vec());
    let parts = Parts {
        reducer: &mut Identity,
        store: &mut store,
    };
    let options = Options {
        order: Order::Depth,
        deadlocks: Attention::Ignored,
        assertions: Attention::Ignored,
        invariants: Attention::Ignored,
        goals: Attention::Ignored,
        stop_after: None,
        ..*options
    };
    let outcome = explore_with(system, parts, &options, observer)?;
    // The store takes states for others, which is what is asked for here.
    let by_intention = Ended::Stopped(StopReason::Approximate);
    Ok((outcome.ended == by_intention).then_some(outcome.counts))
}

/// Full states, of which those count as equal that differ in hidden bytes only.
pub struct VisibleStore {
    /// The first full state of each visible part.
    full: TreeStore,
    /// The visible parts.
    parts: TreeStore,
    /// By the code of a full state that of its visible part.
    visible: HashMap<Code, Code>,
    hidden: Vec<Range<usize>>,
    /// A state without its hidden bytes.
    scratch: Vec<u8>,
}

/// What an entry of a table of codes takes, with its share of empty places.
const ENTRY_BYTES: u64 = 32;

impl VisibleStore {
    /// An empty store; these bytes of a state are hidden.
    pub fn new(hidden: Vec<Range<usize>>) -> VisibleStore {
        VisibleStore {
            full: TreeStore::new(),
            parts: TreeStore::new(),
            visible: HashMap::new(),
            hidden,
            scratch: Vec::new(),
        }
    }

    fn part(&self, code: Code) -> Code {
        *self.visible.get(&code).expect("a code of this store")
    }
}

impl Store for VisibleStore {
    fn encode(&mut self, state: &[u8], account: &mut Account) -> Result<Code, Full> {
        let code = self.full.encode(state, account)?;
        if !self.visible.contains_key(&code) {
            self.scratch.clear();
            self.scratch.extend_from_slice(state);
            for range in &self.hidden {
                self.scratch[range.clone()].fill(0);
            }
            let part = self.parts.encode(&self.scratch, account)?;
            account.take(ENTRY_BYTES)?;
            self.visible.insert(code, part);
        }
        Ok(code)
    }

    fn insert(&mut self, code: Code, account: &mut Account) -> Result<Inserted, Full> {
        let part = self.part(code);
        if self.parts.contains(part) {
            return Ok(Inserted::Known);
        }
        // If the second is refused the first has one state too many; then the search is over.
        self.parts.insert(part, account)?;
        self.full.insert(code, account)
    }

    fn contains(&self, code: Code) -> bool {
        self.parts.contains(self.part(code))
    }

    fn len(&self) -> usize {
        self.full.len()
    }

    fn bytes(&self) -> u64 {
        self.full.bytes() + self.parts.bytes() + ENTRY_BYTES * self.visible.len() as u64
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Lossy
    }
}

impl Recall for VisibleStore {
    fn load(&mut self, node: NodeId, out: &mut Vec<u8>) {
        self.full.load(node, out);
    }
}
