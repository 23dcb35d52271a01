//! The one loop: take a state, look at its moves, store what is new.
//!
//! What the loop is made of can be exchanged without the loop noticing: the order is a
//! [`Frontier`], the store and the reducer are [`Made`]. A state is represented before it is
//! looked up, so what is stored are representatives, and moves are taken from representatives.
//!
//! Worked example. Two bits, each of which can be set once: states 00, 01, 10, 11 and four moves.
//! By breadth: 00 is stored, then 10 and 01 at level 1, then 11 at level 2, reached twice. Counts:
//! 4 states, 5 transitions (one for the initial state), depth 2. With a reducer that sorts the
//! bits: 00, 01, 11; transitions 1 + 2 + 1 = 4, because 00 has two moves into 01.
//!
//! **What is an error.** A fault on a move, something wrong in a state itself (an invariant), which
//! is looked at before its moves, or a state that rests where it may not. A move may
//! have a fault and lead to a state nevertheless (a false assertion); then the fault is noted
//! first, and if the search goes on it goes on from that state.
//!
//! **Counts** are those of SPIN's verifiers. Transitions are ways into a stored state. Depth in a
//! search by depth counts the steps on the stack, those within a move included; the last step of
//! a move into a known state does not count, since the verifier turns back before it counts.
//!
//! A move may have a label; then moves of one state with equal labels into one stored state are one
//! transition, as in ProB, where `swap` with two like targets is one edge of the reduced graph.
//! A move that stands for others (`n_alike`) counts as often. Where moves are taken in later than
//! they are met (by depth) it counts once, so systems that leave moves out are not asked by depth.
//!
//! **Limits.** A limit ends the search, and what was not seen is not known; only `depth_max` lets
//! the search go on elsewhere. A state beyond it is looked up, and if it is known nothing is lost.
//! Time, memory and interruptions are looked at within an expansion too, for the moves of one state
//! can be very many.

use super::block::Team;
use super::pool::Pool;
use super::source::Source;
use crate::finding::{Findings, Found};
use crate::frontier::kept::Kept;
use crate::frontier::{Entered, Frontier, Next, Successor, Way};
use crate::options::{Attention, Observer, Options, Progress};
use crate::outcome::{Counts, Ended, Memory, StopReason, Violation};
use crate::samples::Samples;
use crate::store::{Code, Inserted, NodeId};
use crate::{Guarantee, Reducer};
use base::memory::{Account, Full};
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::thread;
use std::time::{Duration, Instant};
use system::{Claimed, Fault, FaultKind, Move, Rest, Scratch, System};

/// What the loop is made of. It is compiled for trait objects, and for the types of searches that
/// take a few dozen nanoseconds a move, where calls through tables would show.
pub struct Made<'a, S: ?Sized, R: ?Sized = dyn Reducer + 'a> {
    /// Who chooses representatives.
    pub reducer: &'a mut R,
    /// Where states go; empty at the start.
    pub store: &'a mut S,
}

/// How far the loop may go.
#[derive(Clone, Copy)]
pub struct Bounds<'a> {
    /// What is asked, and most of the limits.
    pub options: &'a Options<'a>,
    /// How many states may be stored.
    pub n_states_max: Option<u64>,
    /// How far a state may be from the start that is expanded. A state farther away ends the
    /// search, where with `depth_max` of the options the search goes on elsewhere.
    pub expanded_depth_max: Option<u64>,
    /// How many expansions there are between two looks at the clock, at least 1.
    pub n_between_looks: u32,
    /// One of how many states is timed; `None` if nobody asks how long parts of the search take.
    pub n_between_samples: Option<u32>,
}

impl<'a> Bounds<'a> {
    /// Those of a search without limits of its own.
    pub fn of(options: &'a Options<'a>) -> Bounds<'a> {
        Bounds {
            options,
            n_states_max: None,
            expanded_depth_max: None,
            n_between_looks: 16,
            n_between_samples: Some(64),
        }
    }
}

/// What the loop talks to, and what it leaves as it is.
pub struct Context<'a> {
    /// Is told how far it has come.
    pub observer: &'a mut Observer<'a>,
    /// Memory of the system.
    pub scratch: &'a mut Scratch,
}

/// What the loop leaves behind, before anything is replayed.
pub struct Walk<W> {
    /// How it ended.
    pub ended: Ended,
    /// What was counted.
    pub counts: Counts,
    /// How far the state is from the start that was expanded last.
    pub depth_at_end: u64,
    /// How many states the stored ones stand for, if the reducer says it.
    pub n_full: Option<u128>,
    /// What it took.
    pub memory: Memory,
    /// What was found, each thing once, with the path to where it was seen first.
    pub findings: Vec<Found<W>>,
    /// How many errors were seen, each time counted.
    pub n_errors: u64,
    /// How long it took.
    pub elapsed: Duration,
    /// About how long representing, storing and generating took.
    pub shares: Shares,
    /// Which steps were taken, by whichever thread.
    pub covered: Vec<bool>,
}

/// About how long parts of a search took.
#[derive(Clone, Copy, Default)]
pub struct Shares {
    /// Choosing representatives.
    pub reducing: Duration,
    /// Looking states up and storing them.
    pub storing: Duration,
    /// Loading states and generating what follows them.
    pub generating: Duration,
}

/// Searches in the order of a frontier.
pub fn walk<Y, R, S, F>(
    system: &Y,
    made: Made<'_, S, R>,
    frontier: F,
    bounds: Bounds<'_>,
    context: Context<'_>,
) -> Walk<Way<F>>
where
    Y: System + ?Sized,
    R: Reducer + ?Sized,
    S: Source + ?Sized,
    F: Frontier<Kept = S::Kept>,
{
    assert!(made.store.is_empty(), "a search starts with an empty store");
    let mut search = Search::new(made, frontier, bounds, context.observer);
    let threads = bounds.options.threads;
    let ran = thread::scope(|scope| {
        let pool = Pool::new(scope, threads.n, threads.stack_bytes);
        search.run(system, context.scratch, &pool)
    });
    let ended = match search.ended(ran) {
        // An answer was given up within a state, and no other state was left.
        Ended::Complete | Ended::Stopped(StopReason::Approximate) if system.gave_up() => {
            Ended::Stopped(StopReason::Time)
        }
        ended => ended,
    };
    let mut covered = system.covered(context.scratch).to_vec();
    search.team.add_covered(system, &mut covered);
    Walk {
        covered,
        ..search.over(ended)
    }
}

/// Why the loop is left.
pub(super) enum Stop {
    AtError,
    Limit(StopReason),
}

impl From<Full> for Stop {
    fn from(_: Full) -> Stop {
        Stop::Limit(StopReason::Memory)
    }
}

/// What stands for `state`.
#[inline]
fn representative<'a>(is_identity: bool, target: &'a [u8], state: &'a [u8]) -> &'a [u8] {
    if is_identity { state } else { target }
}

pub(super) struct Search<'p, 'o, S: ?Sized, R: ?Sized, F: Frontier> {
    pub(super) parts: Made<'p, S, R>,
    pub(super) bounds: Bounds<'o>,
    pub(super) options: &'o Options<'o>,
    observer: &'o mut Observer<'o>,
    pub(super) account: Account,
    pub(super) frontier: F,
    findings: Findings<Way<F>>,
    /// Whether every state stands for itself.
    pub(super) is_identity: bool,
    /// The representative of the state that a move leads to, if that may be another.
    target: Vec<u8>,
    /// What went wrong on the move whose turn it is.
    faults: Vec<Fault>,
    pub(super) n_transitions: u64,
    /// How many states the stored ones stand for; not known where states are stored later than
    /// they are represented.
    pub(super) n_full: Option<u128>,
    /// How many moves of the current state, or initial states, were met.
    pub(super) n_met: u32,
    /// The state being expanded.
    state: Vec<u8>,
    /// Where moves with labels have led from the current state.
    pub(super) labelled: HashSet<(u64, Code)>,
    /// How many states were represented, and whether the one whose turn it is is timed.
    n_encoded: u64,
    timed: bool,
    /// How many are represented until one is timed.
    until_sample: u32,
    /// When a timed state had been dealt with: what comes next is generated from then on.
    dealt_with: Option<Instant>,
    /// How long representing, storing and generating a state takes.
    reducing: Samples,
    storing: Samples,
    generating: Samples,
    pub(super) depth: u64,
    /// Whether a state was left out because it is too deep.
    cut_off: bool,
    pub(super) stopwatch: Stopwatch,
    /// The other threads.
    pub(super) team: Team,
}

/// What is measured, and when the observer was called.
pub(super) struct Stopwatch {
    pub(super) start: Instant,
    /// How many states are expanded until the clock is looked at.
    until_look: u32,
    /// When the observer was called last, and how many states there were.
    last: (Duration, u64),
}

/// The limits that are looked at within an expansion.
struct Watch<'o> {
    clock: base::Clock<'o>,
    bytes_left: u64,
}

impl Watch<'_> {
    /// Why an expansion that holds so many bytes may not go on, if so.
    fn reason(&self, held: u64) -> Option<StopReason> {
        match self.clock.ask() {
            Err(over) => Some(over.into()),
            Ok(()) if held > self.bytes_left => Some(StopReason::Memory),
            Ok(()) => None,
        }
    }
}

impl<'p, 'o, S, R, F> Search<'p, 'o, S, R, F>
where
    S: Source + ?Sized,
    R: Reducer + ?Sized,
    F: Frontier<Kept = S::Kept>,
{
    fn new(
        parts: Made<'p, S, R>,
        frontier: F,
        bounds: Bounds<'o>,
        observer: &'o mut Observer<'o>,
    ) -> Self {
        let options = bounds.options;
        let bytes_max = options.memory_bytes_max.unwrap_or(u64::MAX);
        parts.reducer.limit_bytes(bytes_max);
        let is_identity = parts.reducer.is_identity();
        Search {
            parts,
            bounds,
            options,
            observer,
            account: Account::new(options.memory_bytes_max),
            frontier,
            findings: Findings::default(),
            is_identity,
            target: Vec::new(),
            faults: Vec::new(),
            n_transitions: 0,
            n_full: (!F::IS_LAZY).then_some(0),
            n_met: 0,
            state: Vec::new(),
            labelled: HashSet::new(),
            n_encoded: 0,
            timed: false,
            until_sample: bounds.n_between_samples.unwrap_or(u32::MAX),
            dealt_with: None,
            reducing: Samples::default(),
            storing: Samples::default(),
            generating: Samples::default(),
            depth: 0,
            cut_off: false,
            stopwatch: Stopwatch {
                start: Instant::now(),
                until_look: 1,
                last: (Duration::ZERO, 0),
            },
            team: Team::new(),
        }
    }

    fn run<'s, Y>(
        &mut self,
        system: &'s Y,
        scratch: &mut Scratch,
        pool: &Pool<'s>,
    ) -> Result<(), Stop>
    where
        'o: 's,
        Y: System + ?Sized,
    {
        let mut stopped = Ok(());
        system.initial_classes(scratch, &mut |initial, n_alike| {
            if stopped.is_ok() {
                stopped = self.begin(initial, n_alike);
            }
        });
        stopped?;
        self.expanded(Rest::Moves)?;
        let mut state = Vec::new();
        loop {
            self.share(system, pool)?;
            let Some(node) = self.next()? else {
                return Ok(());
            };
            let max = self.bounds.expanded_depth_max;
            if max.is_some_and(|max| self.frontier.depth() > max) {
                return Err(Stop::Limit(StopReason::Depth));
            }
            self.tick()?;
            std::mem::swap(&mut state, &mut self.state);
            self.parts.store.fetch(node, &mut state);
            let mut stopped = Ok(());
            system.wrong(&state, scratch, &mut |fault| {
                if stopped.is_ok() {
                    stopped = self.fault(fault);
                }
            });
            stopped?;
            stopped = Ok(());
            self.labelled.clear();
            let watch = self.watch();
            let mut cut = None;
            let mut pulse = |held: u64| {
                cut = watch.reason(held);
                match cut {
                    None => ControlFlow::Continue(()),
                    Some(_) => ControlFlow::Break(()),
                }
            };
            let rest = system.successors_while(&state, scratch, &mut pulse, &mut |mv| {
                let label = mv.steps.first().and_then(|step| system.label(*step));
                stopped = self.meet(&mv, label);
                match stopped {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                }
            });
            stopped?;
            if let Some(reason) = cut {
                return Err(Stop::Limit(reason));
            }
            self.expanded(rest)?;
        }
    }

    /// Takes in an initial state, or what went wrong on the way to it.
    fn begin(&mut self, initial: Result<&[u8], Fault>, n_alike: u64) -> Result<(), Stop> {
        let fault = initial.err().map(|fault| (0, fault));
        let mv = Move {
            steps: &[],
            faults: fault.as_slice(),
            state: initial.ok(),
            n_alike,
        };
        self.meet(&mv, None)
    }

    /// Meets a move from the current state, or an initial state.
    #[inline]
    fn meet(&mut self, mv: &Move<'_>, label: Option<u64>) -> Result<(), Stop> {
        self.n_met += 1;
        let is_timed = self.until_sample <= 1 || self.dealt_with.is_some();
        let is_simple = !F::IS_LAZY && !is_timed && self.options.depth_max.is_none();
        match mv.state {
            Some(state) if is_simple && label.is_none() && mv.faults.is_empty() => {
                self.until_sample -= 1;
                self.take_in_simply(state, mv.steps.len(), mv.n_alike)
            }
            _ => self.meet_with_care(mv, label),
        }
    }

    /// Stores a state that nothing is wrong with, nothing limits and nobody times.
    #[inline]
    fn take_in_simply(&mut self, state: &[u8], n_steps: usize, n_alike: u64) -> Result<(), Stop> {
        self.n_encoded += 1;
        if !self.is_identity {
            self.reduce(state)?;
        }
        let target = representative(self.is_identity, &self.target, state);
        let inserted = self.parts.store.put(target, &mut self.account)?;
        self.n_transitions += n_alike;
        match inserted {
            Inserted::New(node) => self.arrived(node, state, n_steps),
            Inserted::Known => Ok(()),
        }
    }

    /// The same for any move, with what is timed.
    #[inline(never)]
    fn meet_with_care(&mut self, mv: &Move<'_>, label: Option<u64>) -> Result<(), Stop> {
        if let Some(since) = self.dealt_with.take() {
            self.generating.add(since.elapsed());
        }
        self.until_sample -= 1;
        self.timed = self.until_sample == 0;
        if self.timed {
            self.until_sample = self.bounds.n_between_samples.unwrap_or(u32::MAX);
            self.timed = self.bounds.n_between_samples.is_some();
        }
        if F::IS_LAZY {
            self.put_aside(mv, label)?;
        } else {
            self.take_in(mv, label)?;
        }
        self.dealt_with = (self.timed && mv.state.is_some()).then(Instant::now);
        Ok(())
    }

    /// Stores where a move leads, and puts it into the frontier if it is new.
    fn take_in(&mut self, mv: &Move<'_>, label: Option<u64>) -> Result<(), Stop> {
        for &(_, fault) in mv.faults {
            self.fault(fault)?;
        }
        let Some(state) = mv.state else {
            return Ok(());
        };
        let code = self.encode(state)?;
        if self.is_again(label, code) {
            return Ok(());
        }
        let depth = self.frontier.depth_after(mv.steps.len());
        match self.arrive(code, depth, mv.n_alike)? {
            Some(node) => self.arrived(node, state, mv.steps.len()),
            None => Ok(()),
        }
    }

    /// Puts a state that was just stored into the frontier.
    fn arrived(&mut self, node: NodeId, state: &[u8], n_steps: usize) -> Result<(), Stop> {
        let depth = self.frontier.depth_after(n_steps);
        self.depth = self.depth.max(depth);
        let size = self.n_full.zip(self.parts.reducer.last_orbit_size());
        self.n_full = size.and_then(|(n, size)| n.checked_add(size));
        let target = representative(self.is_identity, &self.target, state);
        let successor = Successor {
            node: Some(node),
            code: None,
            n_steps,
            faults: &[],
            kept: S::Kept::new(target, self.n_met - 1, &mut self.account)?,
        };
        self.frontier.put(successor, &mut self.account)?;
        match self.bounds.n_states_max {
            Some(max) if node.index() as u64 >= max => Err(Stop::Limit(StopReason::Cut)),
            _ => Ok(()),
        }
    }

    /// Whether a move from the current state with this label has led to this code already.
    #[inline]
    pub(super) fn is_again(&mut self, label: Option<u64>, code: Code) -> bool {
        label.is_some_and(|label| !self.labelled.insert((label, code)))
    }

    /// Puts a move into the frontier, unless nothing can come of it.
    fn put_aside(&mut self, mv: &Move<'_>, label: Option<u64>) -> Result<(), Stop> {
        let code = match mv.state {
            Some(state) => Some(self.encode(state)?),
            None => None,
        };
        let again = code.is_some_and(|code| self.is_again(label, code));
        if again && mv.faults.is_empty() {
            return Ok(());
        }
        let known = code.is_some_and(|code| self.parts.store.contains(code));
        if known && mv.faults.is_empty() {
            // It need not wait for its turn.
            let depth = self.frontier.depth_after(mv.steps.len());
            self.n_transitions += 1;
            self.reach(depth, None);
            return Ok(());
        }
        let target = mv.state.map_or(&[][..], |state| {
            representative(self.is_identity, &self.target, state)
        });
        let successor = Successor {
            node: None,
            code,
            n_steps: mv.steps.len(),
            faults: mv.faults,
            kept: S::Kept::new(target, self.n_met - 1, &mut self.account)?,
        };
        Ok(self.frontier.put(successor, &mut self.account)?)
    }

    /// All moves of the current state were taken in.
    #[inline]
    pub(super) fn expanded(&mut self, rest: Rest) -> Result<(), Stop> {
        if let Some(violation) = Violation::of(rest)
            && self.options.deadlocks == Attention::Reported
        {
            self.note(violation)?;
        }
        self.n_met = 0;
        Ok(self.frontier.expanded(&mut self.account)?)
    }

    /// The state to be expanded next.
    #[inline]
    pub(super) fn next(&mut self) -> Result<Option<NodeId>, Stop> {
        if F::IS_LAZY {
            // States are stored here, so that this is no time of generating.
            self.dealt_with = None;
        }
        loop {
            let n_stored = self.parts.store.len();
            let (code, depth, kept) = match self.frontier.next(n_stored, &mut self.faults) {
                None => return Ok(None),
                Some(Next::Stored { node, kept }) => {
                    kept.release(&mut self.state, &mut self.account);
                    return Ok(Some(node));
                }
                Some(Next::Move { code, depth, kept }) => (code, depth, kept),
            };
            let way = kept.way();
            kept.release(&mut self.state, &mut self.account);
            for i in 0..self.faults.len() {
                self.fault(self.faults[i])?;
            }
            let Some(code) = code else {
                continue;
            };
            let new = self.arrive(code, depth, 1)?;
            self.reach(depth, new);
            if let Some(node) = new {
                let entered = Entered { node, depth, way };
                self.frontier.enter(entered, &mut self.account)?;
                return Ok(new);
            }
        }
    }

    /// Counts the depth of a move's end, by depth.
    fn reach(&mut self, depth: u64, new: Option<NodeId>) {
        // A verifier of SPIN turns back from a known state before it counts its depth.
        let reached = depth.saturating_sub(u64::from(new.is_none()));
        let reached = reached.min(self.options.depth_max.unwrap_or(u64::MAX));
        self.depth = self.depth.max(reached);
    }

    /// The code of the representative of `state`.
    fn encode(&mut self, state: &[u8]) -> Result<Code, Stop> {
        self.represent(state)?;
        let start = self.timed.then(Instant::now);
        let target = representative(self.is_identity, &self.target, state);
        let code = self.parts.store.encode(target, &mut self.account)?;
        if let Some(start) = start {
            self.storing.begin(start.elapsed());
        }
        Ok(code)
    }

    /// Makes the target the representative of `state`, if that may be another.
    fn represent(&mut self, state: &[u8]) -> Result<(), Stop> {
        self.n_encoded += 1;
        if self.is_identity {
            return Ok(());
        }
        // A look at the clock costs about as much as a short reduction, so few are timed.
        let start = self.timed.then(Instant::now);
        self.reduce(state)?;
        if let Some(start) = start {
            self.reducing.add(start.elapsed());
        }
        Ok(())
    }

    /// Makes the target the representative of `state`.
    #[inline]
    fn reduce(&mut self, state: &[u8]) -> Result<(), Stop> {
        self.target.clear();
        self.target.extend_from_slice(state);
        self.parts.reducer.reduce(&mut self.target);
        match self.parts.reducer.given_up() {
            Some(given_up) => Err(Stop::Limit(given_up.into())),
            None => Ok(()),
        }
    }

    /// Stores the state of that code, unless it is there or too deep.
    fn arrive(&mut self, code: Code, depth: u64, n_alike: u64) -> Result<Option<NodeId>, Stop> {
        if self.options.depth_max.is_some_and(|max| depth > max) {
            if self.parts.store.contains(code) {
                self.n_transitions += n_alike
            } else {
                self.cut_off = true
            }
            return Ok(None);
        }
        let start = self.timed.then(Instant::now);
        let inserted = self.parts.store.insert(code, &mut self.account)?;
        if let Some(start) = start {
            self.storing.finish(start.elapsed());
        }
        self.n_transitions += n_alike;
        match inserted {
            Inserted::New(node) => Ok(Some(node)),
            Inserted::Known => Ok(None),
        }
    }

    fn fault(&mut self, fault: Fault) -> Result<(), Stop> {
        let attention = match fault.kind {
            FaultKind::Assertion | FaultKind::Undecided(Claimed::Assertion) => {
                self.options.assertions
            }
            FaultKind::Invariant | FaultKind::Undecided(Claimed::Invariant) => {
                self.options.invariants
            }
            FaultKind::Goal | FaultKind::Undecided(Claimed::Goal) => self.options.goals,
            _ => Attention::Reported,
        };
        match attention {
            Attention::Ignored => Ok(()),
            Attention::Reported => self.note(Violation::Fault(fault)),
        }
    }

    fn note(&mut self, violation: Violation) -> Result<(), Stop> {
        self.findings.note(violation, || self.frontier.path());
        let n_errors = self.findings.n_errors();
        let last = self.options.stop_after.is_some_and(|n| n_errors >= n);
        if violation.is_error() && last {
            Err(Stop::AtError)
        } else {
            Ok(())
        }
    }

    /// The limits as they stand before an expansion.
    fn watch(&self) -> Watch<'o> {
        Watch {
            clock: self.options.clock,
            bytes_left: self.account.left(),
        }
    }

    /// Looks at the clock from time to time.
    #[inline]
    fn tick(&mut self) -> Result<(), Stop> {
        self.stopwatch.until_look -= 1;
        if self.stopwatch.until_look > 0 {
            return Ok(());
        }
        self.stopwatch.until_look = self.bounds.n_between_looks;
        self.look()
    }

    /// Looks at the clock and at memory, and says how far the search has come.
    #[cold]
    pub(super) fn look(&mut self) -> Result<(), Stop> {
        if let Err(over) = self.options.clock.ask() {
            return Err(Stop::Limit(over.into()));
        }
        let elapsed = self.stopwatch.start.elapsed();
        let taken = self.account.used() + self.parts.reducer.bytes() + self.team.bytes();
        if self.options.memory_bytes_max.is_some_and(|max| taken > max) {
            return Err(Stop::Limit(StopReason::Memory));
        }
        if elapsed - self.stopwatch.last.0 >= self.options.progress_every {
            self.report(elapsed);
        }
        Ok(())
    }

    fn report(&mut self, elapsed: Duration) {
        let n = self.parts.store.len();
        let (before, n_before) = self.stopwatch.last;
        let seconds = (elapsed - before).as_secs_f64().max(1e-9);
        (self.observer)(&Progress {
            n_states: n as u64,
            n_transitions: self.n_transitions,
            depth: self.frontier.depth(),
            n_frontier: self.frontier.n_waiting(n) as u64,
            memory_bytes: self.account.used(),
            elapsed,
            states_per_second: (n as u64 - n_before) as f64 / seconds,
        });
        self.stopwatch.last = (elapsed, n as u64);
    }

    fn ended(&self, ran: Result<(), Stop>) -> Ended {
        let findings = self.findings.list();
        match ran {
            Err(Stop::AtError) => Ended::AtError,
            Err(Stop::Limit(reason)) => Ended::Stopped(reason),
            Ok(()) if self.cut_off => Ended::Stopped(StopReason::Depth),
            Ok(()) if let Some(reason) = findings.iter().find_map(|f| f.violation.hides()) => {
                Ended::Stopped(reason)
            }
            // What one state of several orbits stands for was not seen in full, or what only the
            // second of two states leads to that the store takes for one.
            Ok(()) if self.is_lossy() => Ended::Stopped(StopReason::Approximate),
            Ok(()) => Ended::Complete,
        }
    }

    fn is_lossy(&self) -> bool {
        let both = [self.parts.reducer.guarantee(), self.parts.store.guarantee()];
        both.contains(&Guarantee::Lossy)
    }

    /// What is left behind.
    fn over(self, ended: Ended) -> Walk<Way<F>> {
        let elapsed = self.stopwatch.start.elapsed();
        let of_all = |samples: &Samples| samples.of_all(self.n_encoded).min(elapsed);
        let shared = self.team.shares();
        Walk {
            ended,
            counts: Counts {
                n_states: self.parts.store.len() as u64,
                n_transitions: self.n_transitions,
                depth: self.depth,
            },
            depth_at_end: self.frontier.depth(),
            n_full: self.n_full,
            memory: Memory {
                peak_bytes: self.account.peak() + self.parts.reducer.bytes() + self.team.bytes(),
                store_bytes: self.parts.store.bytes() + self.frontier.kept_bytes(),
            },
            n_errors: self.findings.n_errors(),
            elapsed,
            shares: Shares {
                reducing: of_all(&self.reducing) + shared.reducing,
                storing: of_all(&self.storing) + shared.storing,
                generating: of_all(&self.generating) + shared.generating,
            },
            covered: Vec::new(),
            findings: self.findings.into_list(),
        }
    }
}
