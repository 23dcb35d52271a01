//! Pairs of a specification state and a process state, by breadth.
//!
//! From a pair `(u, v)` a τ of `v` leads to `(u, v')`; an event leads to `(u', v')`, where `u'` is
//! the one state that the event leads to in the specification. A pair is bad if `v` offers an event
//! that `u` does not know, if `v` has no τ and offers less than each acceptance of `u`, if `v` can
//! do ✓ and {✓} is more than none of them, or if `v` diverges and `u` does not. The first bad pair
//! ends the search; none is reached by fewer transitions.
//!
//! Each pair is replaced by its representative before it is looked up; `twist` says how a path of
//! representatives is made a run again. Parents are kept in two bits a pair; which event leads from
//! a pair to its child is found again when it is wanted.
//!
//! Worked example. `S = a -> b -> S` has normal states 0 and 1; `P = a -> (b -> P |~| STOP)` has
//! states 0, 1 with two τ, 2 that offers `b`, 3 that offers nothing. Pairs: (0,0), by `a` (1,1), by
//! τ (1,2) and (1,3). In the model of traces all are good. In that of failures (1,3) is bad:
//! nothing is offered, and the acceptance of 1 is {b}. The trace is `a`, what is offered {}.

use crate::frontier::parents::Parents;
use crate::options::Progress;
use crate::outcome::StopReason;
use crate::refinement::audit::Expanded;
use crate::refinement::counterexample;
use crate::refinement::divergence::{Asked, Divergence};
use crate::refinement::spec::{Marks, Next, Spec};
use crate::refinement::tuples::Tuples;
use crate::refinement::{Broken, Counts, Guard, Outcome, Setting, Unknown, Verdict};
use crate::store::NodeId;
use base::memory::{Account, Full};
use model::network::{Label, Process, Steps};
use std::time::Duration;

/// A pair that ended a search, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// Which pair.
    pub pair: u32,
    /// What about it.
    pub what: What,
}

/// Why a pair ends a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// This is done and forbidden.
    Forbidden(Label),
    /// Too little is offered.
    Refusal,
    /// τ for ever.
    Divergence,
    /// It is what was looked for.
    Goal,
    /// What was looked for was not found, and this comes nearest.
    NoGoal,
}

/// A search under way.
pub struct Search<'a, 's> {
    pub(super) process: &'a dyn Process,
    pub(super) spec: &'a Spec<'a>,
    pub(super) setting: &'a mut Setting<'s>,
    pub(super) pairs: Tuples,
    parents: Parents,
    account: Account,
    guard: Guard<'s>,
    divergence: Divergence,
    marks: Marks,
    /// The pair being expanded, its transitions, and the target whose turn it is.
    tuple: Vec<u32>,
    steps: Steps,
    target: Vec<u32>,
    counts: Counts,
    /// The end of the level being expanded.
    level_end: usize,
    /// The first pair that is farthest on, where something is looked for.
    farthest: (u32, u32),
    last_report: (Duration, u64),
}

/// Why a search ends.
enum Stop {
    Found(Found),
    Unknown(Unknown),
}

impl From<Full> for Stop {
    fn from(_: Full) -> Stop {
        Stop::Unknown(Unknown::Stopped(StopReason::Memory))
    }
}

impl From<Unknown> for Stop {
    fn from(unknown: Unknown) -> Stop {
        Stop::Unknown(unknown)
    }
}

/// Searches for a bad pair, and says what it means.
pub fn answer(
    spec: &Spec<'_>,
    process: &dyn Process,
    setting: &mut Setting<'_>,
) -> Result<Outcome, Broken> {
    let mut search = Search::new(spec, process, setting);
    let ended = search.run();
    let elapsed = search.guard.start.elapsed();
    let verdict = match ended {
        Ok(()) => Verdict::Holds(None),
        Err(Stop::Unknown(unknown)) => Verdict::Unknown(unknown),
        Err(Stop::Found(at)) => {
            let path = search.parents.path(NodeId::new(at.pair as usize));
            counterexample::verdict(&mut search, &path, at.what)?
        }
    };
    let mut counts = search.counts;
    counts.n_pairs = search.pairs.len() as u64;
    counts.n_normal = match spec {
        Spec::Normal(normal) => normal.len() as u64,
        Spec::Free { .. } | Spec::Trace { .. } => 1,
    };
    Ok(Outcome {
        verdict,
        counts,
        peak_bytes: search.account.peak() + search.setting.reducer.bytes(),
        elapsed,
    })
}

impl<'a, 's> Search<'a, 's> {
    fn new(spec: &'a Spec<'a>, process: &'a dyn Process, setting: &'a mut Setting<'s>) -> Self {
        let sizes = process.sizes();
        let n_spec = spec.len() as u32;
        Search {
            pairs: Tuples::new(std::iter::once(n_spec).chain(sizes.iter().copied())),
            parents: Parents::default(),
            account: Account::new(setting.limits.memory_bytes_max),
            guard: Guard::new(setting.limits),
            divergence: Divergence::new(process, n_spec, setting.reducer),
            marks: Marks::new(spec.n_labels()),
            tuple: vec![0; sizes.len() + 1],
            steps: Steps::new(),
            target: vec![0; sizes.len()],
            counts: Counts {
                n_full: Some(0),
                ..Counts::default()
            },
            level_end: 1,
            farthest: (0, 0),
            last_report: (Duration::ZERO, 0),
            process,
            spec,
            setting,
        }
    }

    fn run(&mut self) -> Result<(), Stop> {
        self.target = self.process.initial();
        self.arrive(0)?;
        self.parents.expanded(&mut self.account)?;
        let mut pair = 0;
        while (pair as usize) < self.pairs.len() {
            if pair as usize == self.level_end {
                self.level_end = self.pairs.len();
                self.counts.depth += 1;
                let limit = self.setting.limits.depth_max;
                if let Some(max) = limit.filter(|&max| self.counts.depth > max) {
                    return Err(Unknown::Depth(max).into());
                }
            }
            if self.guard.tick()? {
                self.look(pair)?;
            }
            self.expand(pair)?;
            self.parents.expanded(&mut self.account)?;
            pair += 1;
        }
        // A trace was not found, or it was and cannot be refused on the way.
        match (self.spec, self.spec.is_goal(self.farthest.0)) {
            (Spec::Trace { .. }, is_found) => Err(Stop::Found(Found {
                pair: self.farthest.1,
                what: if is_found { What::Goal } else { What::NoGoal },
            })),
            (Spec::Normal(_) | Spec::Free { .. }, _) => Ok(()),
        }
    }

    /// Stores the representative of `spec` and the target, if it is new.
    #[inline]
    fn arrive(&mut self, spec: u32) -> Result<(), Stop> {
        let (spec, _) = self.setting.reducer.represent(spec, &mut self.target);
        let (pair, is_new) = self.pairs.insert(spec, &self.target, &mut self.account)?;
        if !is_new {
            return Ok(());
        }
        self.parents.state(&mut self.account)?;
        let size = self.setting.reducer.orbit_size();
        let both = self.counts.n_full.zip(size);
        self.counts.n_full = both.and_then(|(n, size)| n.checked_add(size));
        if spec > self.farthest.0 && matches!(self.spec, Spec::Trace { .. }) {
            self.farthest = (spec, pair);
        }
        match self.setting.limits.pairs_max {
            Some(max) if u64::from(pair) >= max => Err(Unknown::Pairs(max).into()),
            _ => Ok(()),
        }
    }

    /// Looks at a pair, and stores where it leads.
    #[inline]
    fn expand(&mut self, pair: u32) -> Result<(), Stop> {
        self.pairs.load(pair, &mut self.tuple);
        let spec = self.tuple[0];
        if self.spec.is_goal(spec) && self.spec.ends_at_goal() {
            return Err(found(pair, What::Goal));
        }
        if self.spec.allows_all(spec) {
            return Ok(());
        }
        self.process.steps(&self.tuple[1..], &mut self.steps);
        self.counts.n_transitions += self.steps.len() as u64;
        self.setting.reducer.expanded(&Expanded {
            process: self.process,
            spec: self.spec,
            pair: &self.tuple,
            steps: &self.steps,
        });
        let labels = self.steps.labels();
        let (mut has_tau, mut has_tick) = (false, false);
        for &label in labels {
            match label {
                Label::TAU => has_tau = true,
                _ if self.spec.next(spec, label) == Next::Forbidden => {
                    return Err(found(pair, What::Forbidden(label)));
                }
                _ => has_tick |= label == Label::TICK,
            }
        }
        if has_tau && self.spec.minds_divergence() {
            self.look_for_divergence(pair)?;
        }
        if self.spec.minds_refusals() && !self.offers_enough(has_tau, has_tick) {
            return Err(found(pair, What::Refusal));
        }
        for i in 0..self.steps.len() {
            let label = self.steps.labels()[i];
            let next = match label {
                Label::TAU => spec,
                _ => match self.spec.next(spec, label) {
                    Next::To(next) => next,
                    Next::Forbidden | Next::Beside => continue,
                },
            };
            self.target.copy_from_slice(self.steps.state(i));
            self.arrive(next)?;
        }
        Ok(())
    }

    /// Whether what the current pair offers is enough, if it is stable or may end.
    #[inline]
    fn offers_enough(&mut self, has_tau: bool, has_tick: bool) -> bool {
        let labels = match (has_tick, has_tau) {
            (true, _) => &[Label::TICK],
            (false, true) => return true,
            (false, false) => self.steps.labels(),
        };
        self.marks.fill(labels);
        let accepted = self.spec.accepts(self.tuple[0], labels, &self.marks);
        self.marks.empty(labels);
        accepted
    }

    fn look_for_divergence(&mut self, pair: u32) -> Result<(), Stop> {
        let mut asked = Asked {
            process: self.process,
            reducer: self.setting.reducer,
            account: &mut self.account,
        };
        let (spec, state) = (self.tuple[0], &self.tuple[1..]);
        let diverges = self
            .divergence
            .of(spec, state, &mut asked, &mut self.guard)?;
        if diverges {
            Err(found(pair, What::Divergence))
        } else {
            Ok(())
        }
    }

    /// Memory and progress, from time to time.
    #[cold]
    fn look(&mut self, pair: u32) -> Result<(), Unknown> {
        let taken = self.account.used() + self.setting.reducer.bytes();
        let max = self.setting.limits.memory_bytes_max;
        if max.is_some_and(|max| taken > max) {
            return Err(Unknown::Stopped(StopReason::Memory));
        }
        let elapsed = self.guard.start.elapsed();
        let (before, n_before) = self.last_report;
        if elapsed - before < self.setting.limits.progress_every {
            return Ok(());
        }
        let n = self.pairs.len() as u64;
        (self.setting.observer)(&Progress {
            n_states: n,
            n_transitions: self.counts.n_transitions,
            depth: self.counts.depth,
            n_frontier: n - u64::from(pair),
            memory_bytes: taken,
            elapsed,
            states_per_second: (n - n_before) as f64 / (elapsed - before).as_secs_f64().max(1e-9),
        });
        self.last_report = (elapsed, n);
        Ok(())
    }
}

fn found(pair: u32, what: What) -> Stop {
    Stop::Found(Found { pair, what })
}
