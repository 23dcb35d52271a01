//! What a process term can do: structural operational semantics, one rule or two an operator.
//!
//! [`Operator::steps`] gives the labels and the terms they lead to. The rules are those of Roscoe
//! (*Understanding Concurrent Systems*, 2010, chapter 9) as FDR uses them; they are written out in
//! `docs/theory/csp-semantics.md`. Three of them are easily got wrong:
//!
//! - τ of an operand of `[]` (and of `[+A+]`, of either side of `/\`, of the left side of `[>`)
//!   does not decide anything;
//! - ✓ of the left side of `;` becomes τ;
//! - ✓ of one process of a parallel composition becomes τ and leaves [`Term::Done`] in its place;
//!   the composition does ✓ when all are `Done`.
//!
//! ```text
//! SKIP ||| a -> SKIP  --τ-->  Done ||| a -> SKIP  --a-->  Done ||| SKIP  --τ-->  Done ||| Done
//!                     --a-->  SKIP ||| SKIP  ...                         Done ||| Done --✓--> Done
//! ```
//!
//! Unfolding a definition costs no step: `P = a -> P` has one state. A definition that asks for its
//! own first steps (`P = P`, `P = P [] a -> STOP`) has none that could be found, and is a
//! [`StepFailure`]; `P = P |~| Q` is well defined, because an internal choice is made by τ.
//!
//! A compressed process, `normal(P)`, is explored and compressed as soon as a step of it is asked
//! for; from then on its states are those of the smaller system ([`Term::State`]). Where it is met
//! again while it is being explored (`P = normal(a -> P)`) it is taken as it is. A chased process
//! whose meaning depends on which τ is followed is read as [`ChaseReading`] says, and noted.
//!
//! Operands may be nested deeper than the machine's stack is, so the work that is left is kept in a
//! list. What a term can do is found once and kept.

mod compile;
mod rules;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::process::{Compression, Event, LaterId, SystemId, Term, TermId, Terms, Unfold};

use base::{Clock, Spent, Ticker};
use compile::{CompressedSystem, NESTED_MAX};
use rules::StepCollector;

/// What a step shows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TermLabel {
    /// τ: nothing.
    Tau,
    /// ✓: the process has ended.
    Tick,
    /// A visible event.
    Event(Event),
}

/// The steps of a term, sorted, none twice.
pub type TermSteps = Arc<[(TermLabel, TermId)]>;

/// Why steps could not be found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StepFailure<E> {
    /// Evaluating the script went wrong.
    Evaluate(E),
    /// The first steps of this process depend on themselves: `P = P [] Q`.
    Unguarded(LaterId),
    /// The first steps of this process depend on too many others: `P(n) = P(n + 1) [] Q`.
    Deep {
        /// How many operands within operands were allowed.
        depth_max: usize,
        /// The process that was unfolded last.
        process: Option<LaterId>,
    },
    /// There are more states than allowed: `P(n) = a -> P(n + 1)`.
    States {
        /// How many states were allowed.
        states_max: usize,
        /// The process that was unfolded last.
        process: Option<LaterId>,
    },
    /// Steps and terms take more memory than allowed.
    Memory {
        /// How many bytes were allowed.
        bytes_max: u64,
        /// The process that was unfolded last.
        process: Option<LaterId>,
    },
    /// Somebody wanted it to stop, or its time was over.
    Stopped,
}

/// What a term and a step of it take in memory, about, with what is kept of them elsewhere: the
/// call it was made from, its place in a transition system.
const TERM_BYTES: u64 = 600;
const STEP_BYTES: u64 = 48;

/// How far the finding of steps and states may go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StateLimits {
    /// The most states of one transition system.
    pub states_max: usize,
    /// The most operands within operands.
    pub depth_max: usize,
}

/// How a chased process is read where it matters which τ is followed; see
/// [`crate::compress::chase`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ChaseReading {
    /// Every τ may be followed.
    Every,
    /// There it only diverges.
    Nothing,
    /// One τ: the numbers of those that are followed, in the order in which they are asked for;
    /// where there are no more numbers, the first.
    Chosen(Vec<usize>),
}

/// A chased process whose meaning depends on which τ is followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unsettled {
    /// The process that is chased.
    pub process: TermId,
    /// A state of it in which the choice matters, or from which τ can go on for ever.
    pub state: TermId,
    /// Whether τ can go on for ever.
    pub is_endless: bool,
}

/// Finds steps, and remembers them. Belongs to one table of terms; a [`Term::State`] belongs to the
/// one that made it.
#[derive(Debug)]
pub struct Operator {
    limits: StateLimits,
    known: HashMap<TermId, TermSteps>,
    bodies: HashMap<LaterId, TermId>,
    last: Option<LaterId>,
    systems: Vec<CompressedSystem>,
    compiled: HashMap<(Compression, TermId), Option<SystemId>>,
    /// How many compressed processes are being explored, one within the other.
    n_nested: usize,
    nested_max: usize,
    clock: Clock<'static>,
    ticker: Ticker<'static>,
    n_bytes: u64,
    bytes_max: u64,
    reading: ChaseReading,
    unsettled: Vec<Unsettled>,
    /// Which τ were followed where it matters, and among how many.
    choices: Vec<(usize, usize)>,
}

impl Operator {
    /// One that knows nothing yet.
    pub fn new(limits: StateLimits) -> Operator {
        Operator {
            limits,
            known: HashMap::new(),
            bodies: HashMap::new(),
            last: None,
            systems: Vec::new(),
            compiled: HashMap::new(),
            n_nested: 0,
            nested_max: NESTED_MAX,
            clock: Clock::ENDLESS,
            ticker: Ticker::new(Clock::ENDLESS, crate::TICKS),
            n_bytes: 0,
            bytes_max: u64::MAX,
            reading: ChaseReading::Every,
            unsettled: Vec::new(),
            choices: Vec::new(),
        }
    }

    /// Says how to read chased processes, before any is met; at first as [`ChaseReading::Every`].
    pub fn set_reading(&mut self, reading: ChaseReading) {
        self.reading = reading;
    }

    /// How chased processes are read.
    pub fn reading(&self) -> &ChaseReading {
        &self.reading
    }

    /// The chased processes met so far whose meaning depends on which τ is followed.
    pub fn unsettled(&self) -> &[Unsettled] {
        &self.unsettled
    }

    /// Which τ were followed where it matters, by [`ChaseReading::Chosen`], each with the number of
    /// τ that there were.
    pub fn choices(&self) -> &[(usize, usize)] {
        &self.choices
    }

    /// Says how many compressed processes may be explored one within the other: as many as there
    /// is room for on the machine's stack, some ten thousand bytes each.
    pub(crate) fn set_nested_max(&mut self, nested_max: usize) {
        self.nested_max = nested_max;
    }

    /// Says when to stop.
    pub(crate) fn set_clock(&mut self, clock: Clock<'static>) {
        self.clock = clock;
        self.ticker = Ticker::new(clock, crate::TICKS);
    }

    /// Says how much memory steps and terms may take, about.
    pub(crate) fn set_bytes_max(&mut self, bytes_max: u64) {
        self.bytes_max = bytes_max;
    }

    /// How much memory steps and terms take, about.
    pub fn bytes(&self) -> u64 {
        self.n_bytes
    }

    /// How far it goes.
    pub fn limits(&self) -> StateLimits {
        self.limits
    }

    /// The process that was unfolded last.
    pub fn last(&self) -> Option<LaterId> {
        self.last
    }

    /// What `term` can do.
    ///
    /// # Requires
    /// The same `terms` and `unfold` in all calls.
    pub fn steps<U: Unfold>(
        &mut self,
        term: TermId,
        terms: &mut Terms,
        unfold: &mut U,
    ) -> Result<TermSteps, StepFailure<U::Error>> {
        // From the whole to its operands; an entry is true once its operands have been entered.
        let mut path = vec![(term, false)];
        let mut open: HashSet<TermId> = HashSet::new();
        while let Some((at, entered)) = path.last_mut() {
            let (at, entered) = (*at, std::mem::replace(entered, true));
            if self.known.contains_key(&at) {
                if entered {
                    open.remove(&at);
                }
                path.pop();
                continue;
            }
            if entered {
                let steps = self.combine(at, terms);
                self.n_bytes += TERM_BYTES + STEP_BYTES * steps.len() as u64;
                self.known.insert(at, steps);
                if self.n_bytes > self.bytes_max {
                    return Err(self.spent(Spent::Memory));
                }
                continue;
            }
            if !open.insert(at) {
                return Err(StepFailure::Unguarded(circular(&path, terms)));
            }
            if open.len() > self.limits.depth_max {
                return Err(self.too_deep());
            }
            if self.ticker.tick().is_err() {
                return Err(StepFailure::Stopped);
            }
            match *terms.get(at) {
                Term::Later(later) => path.push((self.body(later, terms, unfold)?, false)),
                Term::Compressed(kind, p) => {
                    if let Some(system) = self.system((kind, p), terms, unfold)? {
                        let steps = self.steps_of(system, 0, terms);
                        self.known.insert(at, steps);
                    } else {
                        path.push((p, false));
                    }
                }
                ref other => {
                    let needed = needed(other);
                    let unknown = needed.iter().filter(|t| !self.known.contains_key(t));
                    path.extend(unknown.map(|&t| (t, false)));
                }
            }
        }
        Ok(self.known[&term].clone())
    }

    /// The term behind `term`: itself unless it is suspended or compressed.
    pub fn resolve<U: Unfold>(
        &mut self,
        term: TermId,
        terms: &mut Terms,
        unfold: &mut U,
    ) -> Result<TermId, StepFailure<U::Error>> {
        let (behind, _) = self.resolve_named(term, terms, unfold)?;
        Ok(behind)
    }

    /// The term behind `term`, and the last suspended one on the way to it, or itself if there is
    /// none: what it is best called by.
    pub(crate) fn resolve_named<U: Unfold>(
        &mut self,
        mut term: TermId,
        terms: &mut Terms,
        unfold: &mut U,
    ) -> Result<(TermId, TermId), StepFailure<U::Error>> {
        let mut seen = HashSet::new();
        let mut name = None;
        loop {
            match *terms.get(term) {
                Term::Later(later) => {
                    if !seen.insert(later) {
                        return Err(StepFailure::Unguarded(later));
                    }
                    if seen.len() > self.limits.depth_max {
                        return Err(self.too_deep());
                    }
                    name = Some(term);
                    term = self.body(later, terms, unfold)?;
                }
                Term::Compressed(kind, p) => match self.system((kind, p), terms, unfold)? {
                    Some(system) => {
                        let state = terms.term(Term::State(system, 0));
                        return Ok((state, name.unwrap_or(state)));
                    }
                    None => term = p,
                },
                _ => return Ok((term, name.unwrap_or(term))),
            }
        }
    }

    fn too_deep<E>(&self) -> StepFailure<E> {
        StepFailure::Deep {
            depth_max: self.limits.depth_max,
            process: self.last,
        }
    }

    fn body<U: Unfold>(
        &mut self,
        later: LaterId,
        terms: &mut Terms,
        unfold: &mut U,
    ) -> Result<TermId, StepFailure<U::Error>> {
        if let Some(&body) = self.bodies.get(&later) {
            return Ok(body);
        }
        let body = unfold.unfold(later, terms).map_err(StepFailure::Evaluate)?;
        self.last = Some(later);
        self.bodies.insert(later, body);
        Ok(body)
    }

    /// The steps of a term whose needed operands are known.
    fn combine(&self, term: TermId, terms: &mut Terms) -> TermSteps {
        let whole = terms.get(term).clone();
        if let Term::State(system, state) = whole {
            return self.steps_of(system, state, terms);
        }
        let done = terms.term(Term::Done);
        let mut out = StepCollector {
            known: &self.known,
            terms,
            done,
            steps: Vec::new(),
        };
        match &whole {
            Term::Later(later) => out.same(self.bodies[later]),
            Term::Compressed(_, p) => out.same(*p),
            Term::Stop | Term::Done | Term::State(..) => {}
            Term::Skip => out.add(TermLabel::Tick, done),
            Term::Div => out.add(TermLabel::Tau, term),
            Term::Chaos(set) => {
                let stop = out.terms.term(Term::Stop);
                out.add(TermLabel::Tau, stop);
                out.each(*set, term);
            }
            Term::Run(set) => out.each(*set, term),
            Term::Prefix(branches) => {
                let events = branches
                    .iter()
                    .map(|&(e, next)| (TermLabel::Event(e), next));
                out.steps.extend(events);
            }
            Term::Internal(all) => out.steps.extend(all.iter().map(|&p| (TermLabel::Tau, p))),
            Term::External(all) => out.external(None, all),
            Term::SyncExternal(set, all) => out.external(Some(*set), all),
            Term::Then(p, q) => out.then(*p, *q),
            Term::Interrupt(p, q) => out.interrupt(*p, None, *q),
            Term::SyncInterrupt(p, set, q) => out.interrupt(*p, Some(*set), *q),
            Term::Slide(p, q) => out.slide(*p, *q),
            Term::Hide(p, set) => out.hide(*p, *set),
            Term::Rename(p, relation) => out.rename(*p, *relation),
            Term::Parallel(set, all) => out.parallel(*set, all),
            Term::Alphabetised(parts) => out.alphabetised(parts),
            Term::Exception(p, set, q) => out.exception(*p, *set, *q),
        }
        let mut steps = out.steps;
        steps.sort_unstable();
        steps.dedup();
        steps.into()
    }
}

/// The operands whose steps the steps of a term are made of.
fn needed(term: &Term) -> Vec<TermId> {
    match term {
        Term::Stop | Term::Skip | Term::Done | Term::Div | Term::Chaos(_) | Term::Run(_) => vec![],
        Term::Prefix(_) | Term::Internal(_) | Term::Later(_) | Term::State(..) => vec![],
        Term::Then(p, _) | Term::Slide(p, _) | Term::Exception(p, _, _) => vec![*p],
        Term::Hide(p, _) | Term::Rename(p, _) | Term::Compressed(_, p) => vec![*p],
        Term::Interrupt(p, q) | Term::SyncInterrupt(p, _, q) => vec![*p, *q],
        Term::External(all) | Term::Parallel(_, all) | Term::SyncExternal(_, all) => all.to_vec(),
        Term::Alphabetised(parts) => parts.iter().map(|part| part.1).collect(),
    }
}

/// A suspended process on the circle that the last entry of `path` closes.
///
/// There is one: without unfolding, operands are smaller than what they are operands of.
fn circular(path: &[(TermId, bool)], terms: &Terms) -> LaterId {
    let closing = path.last().map(|entry| entry.0);
    let entered = path[..path.len() - 1].iter().rev().filter(|entry| entry.1);
    let mut found = None;
    for &(term, _) in entered {
        if let Term::Later(later) = *terms.get(term) {
            found = Some(later);
        }
        if Some(term) == closing {
            break;
        }
    }
    found.expect("a circle of terms goes through one that is suspended")
}
