//! What a search is asked to do, how far it may go, and what it says on the way.

use base::Clock;
use std::time::Duration;

/// What a search is asked to do.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// In which order.
    pub order: Order,
    /// What is done about states that have no moves and should have some.
    pub deadlocks: Attention,
    /// What is done about assertions that are false.
    pub assertions: Attention,
    /// What is done about invariants that are false.
    pub invariants: Attention,
    /// What is done about states that were looked for.
    pub goals: Attention,
    /// At which error the search stops; `None` to see all.
    pub stop_after: Option<u64>,
    /// How much memory states, and what goes with them, may take.
    pub memory_bytes_max: Option<u64>,
    /// When it has to stop.
    pub clock: Clock<'a>,
    /// How deep it may go: in steps where the order is by depth, in moves otherwise.
    pub depth_max: Option<u64>,
    /// How often the observer is called, at most.
    pub progress_every: Duration,
    /// Who takes part.
    pub threads: Threads,
}

/// The threads of a search by breadth. What comes out does not depend on them. Searches in other
/// orders, and those whose reducer remembers what it was asked, have one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Threads {
    /// How many, at least one.
    pub n: usize,
    /// How large the stack of each is.
    pub stack_bytes: usize,
    /// When the others begin.
    pub begin: Begin,
}

/// When the threads of a search begin, after the first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Begin {
    /// When the search has lasted, and enough states wait.
    WhenWorthWhile,
    /// As soon as two states wait: for tests.
    AtOnce,
}

impl Threads {
    /// One.
    pub const ONE: Threads = Threads {
        n: 1,
        stack_bytes: 0,
        begin: Begin::WhenWorthWhile,
    };
}

/// Which state comes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Level by level: witnesses are shortest.
    Breadth,
    /// The successors of a state before its siblings.
    Depth,
    /// New states go to the front of a queue by chance, else to its back.
    /// Not with a lossy reducer and `depth_max` together: a state that was too deep may be stored
    /// later, from another one, and then a path is no run.
    Mixed {
        /// Of the coin: the same seed gives the same search.
        seed: u64,
        /// How often to the front.
        to_front: Chance,
    },
}

/// How likely something is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chance(u64);

impl Chance {
    /// One time in three.
    pub const THIRD: Chance = Chance(u64::MAX / 3);

    /// So many times in a hundred.
    ///
    /// # Requires
    /// It is at most a hundred.
    pub fn percent(n: u32) -> Chance {
        assert!(n <= 100, "{n} of a hundred");
        Chance(u64::MAX / 100 * u64::from(n))
    }

    /// Whether it happens, if `drawn` is any number as likely as another.
    pub fn happens(self, drawn: u64) -> bool {
        drawn < self.0
    }
}

/// What is done about something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attention {
    /// It is an error.
    Reported,
    /// It is nothing.
    Ignored,
}

/// Who is told how far a search has come.
pub type Observer<'a> = dyn FnMut(&Progress) + 'a;

/// How far a search has come.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// States stored.
    pub n_states: u64,
    /// Moves taken.
    pub n_transitions: u64,
    /// How deep it is now.
    pub depth: u64,
    /// States stored and not yet expanded; by depth, the states on the stack.
    pub n_frontier: u64,
    /// What states, and what goes with them, take.
    pub memory_bytes: u64,
    /// Since the start.
    pub elapsed: Duration,
    /// States stored a second, since the observer was called before.
    pub states_per_second: f64,
}
