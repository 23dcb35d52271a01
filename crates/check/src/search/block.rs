//! The part of the loop that deals with whole blocks of states, on one thread or several: when it
//! begins, and how what was found is taken in.
//!
//! Threads cost time to start, so blocks begin when a search has lasted, and have so many states
//! that together they take long enough. Which blocks these are depends on how fast the machine is;
//! what comes out does not ([`super::crew`]). One thread works in blocks too: the states of a block
//! are looked up together, so that the waits for memory overlap.

use super::crew::{Crew, Stored};
use super::pool::Pool;
use super::source::Source;
use super::walk::{Search, Shares, Stop};
use crate::frontier::kept::Kept;
use crate::frontier::{Frontier, Successor};
use crate::options::Begin;
use crate::{NodeId, Reducer};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use system::{Rest, System};

/// How long a search has lasted when threads begin.
const LASTED: Duration = Duration::from_millis(20);
/// How long a block takes on one thread, at least and about.
const LEAST: Duration = Duration::from_millis(1);
const ABOUT: Duration = Duration::from_millis(6);
/// The most states of a block.
const STATES_MAX: usize = 1 << 13;
/// How many states one thread expands before it is looked again whether a block is worth while.
const PAUSE: u32 = 16;
/// The longest pause after blocks that ended early.
const PAUSE_MAX: u32 = 1 << 12;

/// How often the states become more before it is looked again where they are best cut.
const RECUT_GROWTH: usize = 4;
/// From so many states on they keep their cut, since new codes for all would take long.
const RECUT_MAX: usize = 1 << 20;

/// The threads of a search, as far as there are any.
pub(super) struct Team {
    crew: Option<Crew>,
    /// How many states one thread expands before the others are asked.
    until_block: u32,
    /// How long it is after a block that ended early.
    pause: u32,
    /// How many states there are when it is looked where they are best cut.
    recut_at: usize,
    /// How long phases took.
    shares: Shares,
}

impl Team {
    /// Nobody yet.
    pub fn new() -> Team {
        Team {
            crew: None,
            until_block: 0,
            pause: PAUSE,
            recut_at: 0,
            shares: Shares::default(),
        }
    }

    /// Which steps were taken by threads, added to those of one.
    pub fn add_covered<Y: System + ?Sized>(&self, system: &Y, covered: &mut [bool]) {
        if let Some(crew) = &self.crew {
            crew.add_covered(system, covered);
        }
    }

    /// What threads remember of states.
    pub fn bytes(&self) -> u64 {
        self.crew.as_ref().map_or(0, Crew::bytes)
    }

    /// How long parts of the search took on several threads, as time on the wall.
    pub fn shares(&self) -> Shares {
        let Some(crew) = &self.crew else {
            return self.shares;
        };
        let reducing = crew.reducing() / crew.len() as u32;
        let reducing = reducing.min(self.shares.generating);
        Shares {
            reducing,
            generating: self.shares.generating - reducing,
            ..self.shares
        }
    }
}

impl<'o, S, R, F> Search<'_, 'o, S, R, F>
where
    S: Source + ?Sized,
    R: Reducer + ?Sized,
    F: Frontier<Kept = S::Kept>,
{
    /// Lets several threads deal with states that wait, as many as they can, if that is asked for
    /// and worth while.
    #[inline]
    pub(super) fn share<'s, Y>(&mut self, system: &'s Y, pool: &Pool<'s>) -> Result<(), Stop>
    where
        'o: 's,
        Y: System + ?Sized,
    {
        if self.team.until_block > 0 {
            self.team.until_block -= 1;
            return Ok(());
        }
        self.share_now(system, pool)
    }

    #[inline(never)]
    fn share_now<'s, Y>(&mut self, system: &'s Y, pool: &Pool<'s>) -> Result<(), Stop>
    where
        'o: 's,
        Y: System + ?Sized,
    {
        while let Some(n) = self.block_size() {
            self.assemble(system)?;
            self.recut();
            let Some(crew) = self.team.crew.take() else {
                break;
            };
            let n_done = self.block(system, pool, n, crew)?;
            self.look()?;
            if n_done < n {
                // What is wrong with the next state is dealt with by one thread. If that happens
                // all the time, the others are not asked so often.
                let is_early = n_done < n / 8;
                let pause = (2 * self.team.pause).min(PAUSE_MAX);
                self.team.pause = if is_early { pause } else { PAUSE };
                self.team.until_block = if is_early { pause } else { 0 };
                return Ok(());
            }
            self.team.pause = PAUSE;
        }
        self.team.until_block = PAUSE;
        Ok(())
    }

    /// How many states a block has now; `None` if one thread does as well.
    fn block_size(&self) -> Option<usize> {
        let waiting = self.frontier.level_left(self.parts.store.len());
        let depth_max = self.options.depth_max.unwrap_or(u64::MAX);
        let is_limited = self.bounds.n_states_max.is_some()
            || self.frontier.depth().saturating_add(2) > depth_max
            || self.bounds.expanded_depth_max.is_some();
        if is_limited || waiting.len() < 2 {
            return None;
        }
        if self.options.threads.begin == Begin::AtOnce {
            return Some(waiting.len().min(STATES_MAX));
        }
        let elapsed = self.stopwatch.start.elapsed();
        if elapsed < LASTED {
            return None;
        }
        let each = elapsed.as_secs_f64() / waiting.start.max(1) as f64;
        let n = (ABOUT.as_secs_f64() / each).clamp(64.0, STATES_MAX as f64) as usize;
        let n = n.min(waiting.len());
        (n as f64 * each >= LEAST.as_secs_f64()).then_some(n)
    }

    /// Makes threads and a store that they can fill, if that is possible.
    fn assemble<Y: System + ?Sized>(&mut self, system: &Y) -> Result<(), Stop> {
        if self.team.crew.is_some() {
            return Ok(());
        }
        let threads = self.options.threads;
        let n_tables = threads.n.min(crate::store::trees::TABLES_MAX);
        // The store is moved at once, and needs as much again meanwhile.
        let is_tight = self.account.left() / 4 < self.account.used();
        let Some(store) = self.parts.store.as_trees().filter(|_| !is_tight) else {
            self.options_alone();
            return Ok(());
        };
        let reducer = &*self.parts.reducer;
        let Some(crew) = Crew::new(system, reducer, threads.n) else {
            self.options_alone();
            return Ok(());
        };
        if store.split(n_tables, &mut self.account).is_err() {
            self.options_alone();
            return Ok(());
        }
        self.team.crew = Some(crew);
        Ok(())
    }

    /// Gives all states codes that take less memory, now and then, as long as it is quick.
    fn recut(&mut self) {
        let n = self.parts.store.len();
        let is_tight = self.account.left() / 4 < self.account.used();
        if n < self.team.recut_at || is_tight {
            return;
        }
        self.team.recut_at = n.saturating_mul(RECUT_GROWTH);
        if self.team.recut_at > RECUT_MAX {
            self.team.recut_at = usize::MAX;
        }
        if let Some(store) = self.parts.store.as_trees()
            && store.recut(&mut self.account).is_err()
        {
            self.team.recut_at = usize::MAX;
        }
    }

    /// Nobody is asked for a long time.
    fn options_alone(&mut self) {
        self.team.until_block = u32::MAX;
    }

    /// Has the next `n` states expanded and stored by threads, and takes in what they found. Gives
    /// how many of them were dealt with.
    fn block<'s, Y>(
        &mut self,
        system: &'s Y,
        pool: &Pool<'s>,
        n: usize,
        mut crew: Crew,
    ) -> Result<usize, Stop>
    where
        'o: 's,
        Y: System + ?Sized,
    {
        let waiting = self.frontier.level_left(self.parts.store.len());
        let states = waiting.start..waiting.start + n;
        let store = self.parts.store.as_trees().expect("a store of trees");
        let start = Instant::now();
        let limits = (self.options, &mut self.account);
        let n_done = crew.expand((system, pool), store, states, limits)?;
        let held = crew.block_bytes();
        self.account.take(held)?;
        let expanded = Instant::now();
        crew.store(pool, store, &mut self.account)?;
        let taken_in = self.take_in_all(&crew);
        self.account.give(held);
        self.team.shares.generating += expanded - start;
        self.team.shares.storing += expanded.elapsed();
        self.team.crew = Some(crew);
        taken_in.map(|()| n_done)
    }

    /// Counts the moves of a block and numbers what is new, as the loop of one thread would.
    fn take_in_all(&mut self, crew: &Crew) -> Result<(), Stop> {
        let mut is_first = true;
        let ended = crew.admit(|stored| {
            let taken = self.take_in_stored(stored, &mut is_first);
            match taken {
                Ok(()) => ControlFlow::Continue(()),
                Err(stop) => ControlFlow::Break(stop),
            }
        });
        match ended {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(stop) => Err(stop),
        }
    }

    /// Takes in a move, or the end of the moves of a state.
    #[inline]
    fn take_in_stored(&mut self, stored: Option<Stored>, is_first: &mut bool) -> Result<(), Stop> {
        if *is_first {
            // The state whose moves come now is taken from those that wait.
            self.next()?;
            self.labelled.clear();
            *is_first = false;
        }
        let Some(stored) = stored else {
            *is_first = true;
            return self.expanded(Rest::Moves);
        };
        self.n_met += 1;
        if self.is_again(stored.remark.label, stored.code) {
            return Ok(());
        }
        self.n_transitions += 1 + stored.remark.n_more;
        if let Some(owner) = stored.owner {
            let store = self.parts.store.as_trees().expect("a store of trees");
            let node = store.admit(owner, &mut self.account)?;
            self.admitted(node)?;
        }
        Ok(())
    }

    /// Puts a state that was just numbered into the frontier.
    #[inline]
    fn admitted(&mut self, node: NodeId) -> Result<(), Stop> {
        self.depth = self.depth.max(self.frontier.depth_after(1));
        self.n_full = self.n_full.filter(|_| self.is_identity).map(|n| n + 1);
        let successor = Successor {
            node: Some(node),
            code: None,
            n_steps: 1,
            faults: &[],
            kept: S::Kept::new(&[], self.n_met - 1, &mut self.account)?,
        };
        Ok(self.frontier.put(successor, &mut self.account)?)
    }
}
