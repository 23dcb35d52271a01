//! The quotient of a system, as far as it has been seen: states by number, and the ways between
//! them made again whenever they are asked for.
//!
//! Ways are not stored. A search needs each once; who looks at a cycle needs those of its states
//! again, with the symmetry that each was represented by and with who took it.

use crate::options::Options;
use crate::outcome::StopReason;
use crate::store::{Inserted, NodeId, Store, trees::TreeStore};
use crate::{Reducer, Symmetry};
use base::memory::{Account, Full};
use std::ops::ControlFlow;
use std::time::Instant;
use system::{Fault, Move, MoveLabel, Rest, Scratch, System};

/// The states seen so far.
pub struct Space<'a> {
    /// The system.
    pub system: &'a dyn System,
    /// Who chooses representatives.
    pub reducer: &'a mut dyn Reducer,
    /// The representatives.
    pub store: TreeStore,
    /// What may be used.
    pub account: Account,
    /// Memory of the system; taken while it is in use.
    scratch: Option<Scratch>,
    /// Whether an atom had no value in a state that was met.
    pub atoms_fail: bool,
    /// How many ways were met.
    pub n_transitions: u64,
    /// The first fault that left no state to go on from.
    pub lost: Option<Fault>,
    state: Vec<u8>,
    target: Vec<u8>,
    start: Instant,
    options: &'a Options<'a>,
}

/// A move as it is met.
pub struct MetMove<'m> {
    /// Where it begins.
    pub state: &'m [u8],
    /// What is known of it.
    pub taken: Move<'m>,
    /// Gives its label.
    pub label: &'m mut dyn FnMut() -> MoveLabel,
}

/// What is done with the target of a way, and with its move.
pub type EachWay<'f, 'a> =
    &'f mut dyn FnMut(&mut Space<'a>, NodeId, MetMove<'_>) -> Result<(), StopReason>;

/// A way from a state.
#[derive(Clone, Debug)]
pub struct Way {
    /// Which of the moves of the state it is.
    pub index: u32,
    /// Where it leads.
    pub target: NodeId,
    /// What carries the state it leads to, to its representative.
    pub by: Symmetry,
    /// Who takes its first step, and all who take steps; nobody where all rests.
    pub actors: Vec<u32>,
}

impl From<Full> for StopReason {
    fn from(_: Full) -> StopReason {
        StopReason::Memory
    }
}

impl<'a> Space<'a> {
    /// Nothing seen yet.
    pub fn new(
        system: &'a dyn System,
        reducer: &'a mut dyn Reducer,
        options: &'a Options<'a>,
    ) -> Self {
        reducer.limit_bytes(options.memory_bytes_max.unwrap_or(u64::MAX));
        Space {
            system,
            reducer,
            store: TreeStore::new(),
            account: Account::new(options.memory_bytes_max),
            scratch: None,
            atoms_fail: false,
            n_transitions: 0,
            lost: None,
            state: Vec::new(),
            target: Vec::new(),
            start: Instant::now(),
            options,
        }
    }

    fn take_scratch(&mut self) -> Scratch {
        let system = self.system;
        self.scratch.take().unwrap_or_else(|| system.scratch())
    }

    /// When the search began.
    pub fn start(&self) -> Instant {
        self.start
    }

    /// The state of that number, a representative.
    pub fn load(&mut self, node: NodeId) -> &[u8] {
        self.store.load(node, &mut self.state);
        &self.state
    }

    /// Which atoms are true in the state of that number, or what went wrong in finding out.
    pub fn atoms(&mut self, node: NodeId, out: &mut Vec<bool>) -> Result<(), Fault> {
        let mut scratch = self.take_scratch();
        self.store.load(node, &mut self.state);
        let value = self.system.atoms(&self.state, &mut scratch, out);
        self.scratch = Some(scratch);
        value
    }

    /// The representatives of the initial states, in order.
    pub fn initial(&mut self) -> Result<Vec<NodeId>, StopReason> {
        let (mut nodes, mut states) = (Vec::new(), Vec::new());
        let mut scratch = self.take_scratch();
        self.system.initial(&mut scratch, &mut |initial| {
            states.extend(initial.ok().map(<[u8]>::to_vec));
        });
        self.scratch = Some(scratch);
        for state in states {
            self.n_transitions += 1;
            nodes.push(self.node_of(&state)?);
        }
        Ok(nodes)
    }

    /// The number of the representative of `state`, which is stored if it is new.
    fn node_of(&mut self, state: &[u8]) -> Result<NodeId, StopReason> {
        self.target.clear();
        self.target.extend_from_slice(state);
        self.reducer.reduce(&mut self.target);
        if let Some(given_up) = self.reducer.given_up() {
            return Err(given_up.into());
        }
        let code = self.store.encode(&self.target, &mut self.account)?;
        if let Inserted::New(node) = self.store.insert(code, &mut self.account)? {
            return Ok(node);
        }
        Ok(self.store.find(code).expect("a state that was there"))
    }

    /// Where the ways from a state lead, in order, behind what is in `out`.
    pub fn targets(&mut self, node: NodeId, out: &mut Vec<NodeId>) -> Result<(), StopReason> {
        self.each(node, &mut |space, target, _| {
            space.n_transitions += 1;
            Ok(space.account.push(out, target)?)
        })?;
        Ok(())
    }

    /// The ways from a state, in order.
    pub fn ways(&mut self, node: NodeId) -> Result<Vec<Way>, StopReason> {
        let mut ways: Vec<Way> = Vec::new();
        self.each(node, &mut |space, target, met| {
            ways.push(Way {
                index: ways.len() as u32,
                target,
                by: space.reducer.symmetry().unwrap_or_default(),
                actors: super::actors(space.system, met.state, met.taken.steps),
            });
            Ok(())
        })?;
        Ok(ways)
    }

    /// Calls `out` with the target of each way from a state, and with its move; says what the state
    /// is. Moves that leave no state to go on from are left out; see `lost`.
    pub fn each(&mut self, node: NodeId, out: EachWay<'_, 'a>) -> Result<Rest, StopReason> {
        let system = self.system;
        let mut state = std::mem::take(&mut self.state);
        self.store.load(node, &mut state);
        let mut scratch = self.take_scratch();
        let mut stopped = Ok(());
        let (clock, mut over) = (self.options.clock, Ok(()));
        let mut pulse = |_: u64| {
            over = clock.ask();
            match over {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        };
        let rest =
            system.labelled_successors(&state, &mut scratch, &mut pulse, &mut |mv, label| {
                let Some(after) = mv.state else {
                    let first = mv.faults.first().map(|(_, fault)| *fault);
                    self.lost = self.lost.or(first);
                    self.atoms_fail |= !mv.faults.is_empty();
                    return ControlFlow::Continue(());
                };
                stopped = self.node_of(after).and_then(|target| {
                    let (state, taken) = (&state[..], mv);
                    let met = MetMove {
                        state,
                        taken,
                        label,
                    };
                    out(self, target, met)
                });
                match stopped {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                }
            });
        self.scratch = Some(scratch);
        self.state = state;
        stopped?;
        over?;
        Ok(rest)
    }

    /// What is wrong in the state of that number itself.
    pub fn wrong(&mut self, node: NodeId, out: &mut dyn FnMut(Fault)) {
        let mut scratch = self.take_scratch();
        self.store.load(node, &mut self.state);
        self.system.wrong(&self.state, &mut scratch, out);
        self.scratch = Some(scratch);
    }

    /// Whether a limit was reached.
    pub fn tick(&self) -> Result<(), StopReason> {
        self.options.clock.ask()?;
        let used = self.account.used() + self.reducer.bytes();
        if self.options.memory_bytes_max.is_some_and(|max| used > max) {
            Err(StopReason::Memory)
        } else {
            Ok(())
        }
    }
}
