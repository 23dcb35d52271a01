//! Whether a log, with some of the variables, is a run of the model.
//!
//! **Problem.** A log tells some variables of the states that a system was in. Is there a run of
//! the model that goes through such states, in this order? If not, where does the log leave it?
//!
//! **Idea.** A breadth-first search over pairs of a state and how much of the log was met. A step
//! meets the next state of the log, or it changes nothing that the log tells: then it may come
//! between. A move of several steps is taken whole, and each of its states is looked at. States of
//! the log that are equal to the one before say nothing new.
//!
//! Worked example. The log tells `inside`: 0, 1, 0. The run takes `locked = true` between the first
//! two, which the log does not tell, and `inside++` meets the second. With 0, 2, 0 nothing does:
//! the log leaves the model at state 1.

use super::stepped::SteppedSystem;
use super::{KeptMove, SimulatePlan};
use base::{Diagnostic, quote};
use report::itf::{self, Log};
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;
use system::{Scratch, Taken};

/// The most pairs that are kept.
const PAIRS_MAX: usize = 2_000_000;

/// What came of it.
pub struct Followed {
    /// With which initial state the run starts, and its moves: all of it, or as far as it can come.
    pub start: usize,
    /// The moves.
    pub moves: Vec<KeptMove>,
    /// How it ended.
    pub end: LogEnd,
}

/// How following a log ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogEnd {
    /// All of it is a run.
    Met,
    /// No run meets this state of the log, counted from 0.
    Left(usize),
    /// So many states of it were met before too many ways were open.
    Open(usize),
}

/// A pair, how it was come to.
struct Node {
    state: Vec<u8>,
    /// How many states of the log were met.
    n_met: usize,
    /// The pair before, and the move from it.
    from: Option<(usize, KeptMove)>,
    /// The initial state with which it began.
    start: usize,
    /// Whether something went wrong in the move: nothing follows.
    is_end: bool,
}

/// Looks for a run that a log tells.
pub fn follow(
    machine: &SteppedSystem<'_>,
    plan: &SimulatePlan,
    log: &Log,
) -> Result<Followed, Diagnostic> {
    let mut told = log.states.clone();
    // Behind its last state a log that goes round is where the loop begins.
    told.extend(log.loop_from.map(|from| log.states[from].clone()));
    let mut search = LogSearch {
        machine,
        told,
        nodes: Vec::new(),
        known: HashSet::new(),
        seen: BTreeMap::new(),
        n_met_max: 0,
    };
    search.begin(log)?;
    let mut scratch = machine.scratch();
    let mut next = 0;
    while next < search.nodes.len() {
        if search.nodes[next].n_met == search.told.len() {
            return Ok(search.ended(next, LogEnd::Met));
        }
        if plan.clock.ask().is_err() || search.nodes.len() > PAIRS_MAX {
            let best = search.best();
            let n_met = search.nodes[best].n_met;
            return Ok(search.ended(best, LogEnd::Open(n_met)));
        }
        search.expand(next, &mut scratch);
        next += 1;
    }
    search.refuse_unknown(log, log.states.len())?;
    if search.nodes.is_empty() {
        return Ok(Followed::nowhere());
    }
    let best = search.best();
    let n_met = search.nodes[best].n_met;
    let end = if n_met == search.told.len() {
        LogEnd::Met
    } else {
        LogEnd::Left(n_met.max(search.n_met_max))
    };
    Ok(search.ended(best, end))
}

impl Followed {
    /// No initial state is the first of the log.
    fn nowhere() -> Followed {
        Followed {
            start: 0,
            moves: Vec::new(),
            end: LogEnd::Left(0),
        }
    }
}

struct LogSearch<'a> {
    machine: &'a SteppedSystem<'a>,
    /// The states of the log, the beginning of a loop once more at the end.
    told: Vec<BTreeMap<String, Value>>,
    nodes: Vec<Node>,
    /// Pairs, with whether nothing follows.
    known: HashSet<(Vec<u8>, usize, bool)>,
    /// The variables of the log that some state has, and a value of each.
    seen: BTreeMap<String, Value>,
    /// How many states of the log were met at most, in the middle of a move too.
    n_met_max: usize,
}

impl LogSearch<'_> {
    /// The initial states that are as the log begins.
    fn begin(&mut self, log: &Log) -> Result<(), Diagnostic> {
        let mut starts = Vec::new();
        self.machine
            .initial(&mut self.machine.scratch(), &mut |initial| {
                starts.extend(initial.ok().map(<[u8]>::to_vec));
            });
        for (start, state) in starts.into_iter().enumerate() {
            let here = self.observed(&state);
            if self.is_met(&here, 0) {
                let n_met = self.past_equal(1);
                self.add(state, n_met, None, start);
            }
        }
        if self.nodes.is_empty() {
            self.refuse_unknown(log, 1)?;
        }
        Ok(())
    }

    /// Refuses names that no state had, although the first states of the log have values for them.
    fn refuse_unknown(&self, log: &Log, n_states: usize) -> Result<(), Diagnostic> {
        let is_told = |name: &&String| {
            let mut states = log.states.iter().take(n_states);
            states.all(|state| state[*name].get("#unserializable").is_none())
        };
        let names = log.variables.iter();
        let mut unknown = names.filter(|name| !self.seen.contains_key(*name));
        match unknown.find(is_told) {
            None => Ok(()),
            Some(name) => {
                let message = format!("no state has a variable {}", quote(name));
                let note = "a log tells variables as `orbit simulate --state` calls them";
                Err(Diagnostic::unlocated(message).note(note))
            }
        }
    }

    /// What the log could tell of a state.
    fn observed(&mut self, state: &[u8]) -> BTreeMap<String, Value> {
        let mut values = BTreeMap::new();
        let told = &self.told[0];
        self.machine.describe(state, &mut |name, text| {
            if told.contains_key(name) {
                values.insert(name.to_owned(), itf::value(text));
            }
        });
        for (name, value) in &values {
            if !self.seen.contains_key(name) {
                self.seen.insert(name.clone(), value.clone());
            }
        }
        values
    }

    /// Whether a state is that of the log with this number.
    fn is_met(&self, here: &BTreeMap<String, Value>, n: usize) -> bool {
        let empty_list = Value::Array(Vec::new());
        self.told[n]
            .iter()
            .all(|(name, value)| match here.get(name) {
                Some(held) if *value == empty_list => held == value || held == "empty",
                Some(held) => held == value,
                None => value.get("#unserializable").is_some(),
            })
    }

    /// Past states of the log that are equal to the one before.
    fn past_equal(&self, n_met: usize) -> usize {
        let mut n_met = n_met;
        while n_met < self.told.len() && self.told[n_met] == self.told[n_met - 1] {
            n_met += 1;
        }
        n_met
    }

    fn add(&mut self, state: Vec<u8>, n_met: usize, from: Option<(usize, KeptMove)>, start: usize) {
        let is_end = from.as_ref().is_some_and(|(_, kept)| kept.fault.is_some());
        if self.known.insert((state.clone(), n_met, is_end)) {
            self.nodes.push(Node {
                state,
                n_met,
                from,
                start,
                is_end,
            });
        }
    }

    fn expand(&mut self, number: usize, scratch: &mut Scratch) {
        if self.nodes[number].is_end {
            return;
        }
        let (state, n_met, start) = {
            let node = &self.nodes[number];
            (node.state.clone(), node.n_met, node.start)
        };
        let mut moves = Vec::new();
        self.machine.successors(&state, scratch, &mut |mv| {
            let goes_on = mv.faults.iter().all(|(_, fault)| fault.kind.goes_on());
            let kept = KeptMove::of(&mv);
            if kept.steps.is_empty() {
                return ControlFlow::Continue(());
            }
            // A run that was made may have ended where another goes on.
            if goes_on && kept.fault.is_some() {
                moves.push(KeptMove {
                    fault: None,
                    ..kept.clone()
                });
            }
            moves.push(kept);
            ControlFlow::Continue(())
        });
        for kept in moves {
            let mut after: Vec<Vec<u8>> = Vec::new();
            let mut keep = |_: Taken, state: &[u8], _: &str| after.push(state.to_vec());
            let is_followed = self.machine.follow(&state, &kept.steps, scratch, &mut keep);
            match kept.fault {
                // As such a run is told: up to what goes wrong, which may have left no state.
                Some((at, _)) => after.truncate(if is_followed { at + 1 } else { 0 }),
                None if !is_followed => continue,
                None => {}
            }
            if after.is_empty() {
                after.push(state.clone());
            }
            let Some(last) = after.last().cloned() else {
                continue;
            };
            let mut met = vec![n_met];
            for state in &after {
                let here = self.observed(state);
                let mut next = Vec::new();
                for n in met {
                    if n < self.told.len() && self.is_met(&here, n) {
                        next.push(self.past_equal(n + 1));
                    }
                    if self.is_met(&here, n - 1) {
                        next.push(n);
                    }
                }
                next.sort_unstable();
                next.dedup();
                met = next;
                let most = met.last().copied().unwrap_or(0);
                self.n_met_max = self.n_met_max.max(most);
            }
            for n in met {
                self.add(last.clone(), n, Some((number, kept.clone())), start);
            }
        }
    }

    /// The first pair with which most of the log was met.
    fn best(&self) -> usize {
        let most = self.nodes.iter().map(|node| node.n_met).max();
        let first = self.nodes.iter().position(|node| Some(node.n_met) == most);
        first.unwrap_or(0)
    }

    /// The run to a pair.
    fn ended(&self, number: usize, end: LogEnd) -> Followed {
        let (mut moves, mut at) = (Vec::new(), number);
        while let Some((before, kept)) = &self.nodes[at].from {
            moves.push(kept.clone());
            at = *before;
        }
        moves.reverse();
        Followed {
            start: self.nodes[number].start,
            moves,
            end,
        }
    }
}
