//! What a check is asked to do, whatever the language of the model.

use crate::ask::{self, Words};
use crate::detect::Detect;
use crate::load::Loaded;
use crate::trail::Target;
use base::{Clock, Diagnostics};
use check::{Attention, Options, Order, Threads};
use model::frontend::Model;
use reduce::network::Algorithm;
use reduce::strategy::{Exactly, Strategy};
use report::Unchecked;
use std::time::Duration;

/// A check.
pub struct CheckPlan {
    /// The model.
    pub model: Box<dyn Model>,
    /// How long it took to read it.
    pub load: Duration,
    /// How it is searched.
    pub how: SearchOptions,
    /// Where symmetry is looked for.
    pub detect: Detect,
    /// What is asked.
    pub asked: Asked,
    /// Which runs count.
    pub fairness: Fairness,
    /// Where the first error run goes.
    pub trail: Option<Target>,
}

/// Which runs count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fairness {
    /// All.
    None,
    /// Those that are weakly fair to processes.
    Weak,
    /// Those that are strongly fair to processes.
    Strong,
}

impl Fairness {
    /// In one word, if it is not all.
    pub fn word(self) -> Option<&'static str> {
        match self {
            Fairness::None => None,
            Fairness::Weak => Some("weak"),
            Fairness::Strong => Some("strong"),
        }
    }
}

/// What is asked.
pub struct Asked {
    /// What is done about deadlocks.
    pub deadlocks: Attention,
    /// What is done about false assertions.
    pub assertions: Attention,
    /// What is done about false invariants.
    pub invariants: Attention,
    /// What is done about states that are looked for.
    pub goals: Attention,
    /// Which formulas or assertions, by number of the question.
    pub formulas: Vec<usize>,
    /// Whether the model refines what it says.
    pub refinement: bool,
    /// Whether nothing but formulas is asked, so that there is no search for errors.
    pub alone: bool,
    /// What the user switched off.
    pub switched_off: Vec<Unchecked>,
    /// Assertions that are not asked, by their texts.
    pub not_asked: Vec<String>,
}

/// How a search is made.
#[derive(Clone)]
pub struct SearchOptions {
    /// How representatives are chosen.
    pub strategy: &'static dyn Strategy,
    /// The same for pairs of states of processes.
    pub pairs: Algorithm,
    /// Whether the states without reduction are counted.
    pub count_full: bool,
    /// Whether symmetry is checked on every state.
    pub audit: bool,
    /// Whether the search is made again without symmetry, and compared.
    pub self_check: bool,
    /// In which order.
    pub order: Order,
    /// Who takes part.
    pub threads: Threads,
    /// At which error to stop.
    pub stop_after: Option<u64>,
    /// How much memory may be used for states.
    pub memory_bytes_max: Option<u64>,
    /// How long it may take.
    pub time_max: Option<Duration>,
    /// When that is over, counted from the start of the command.
    pub clock: Clock<'static>,
    /// How deep it may go.
    pub depth_max: Option<u64>,
    /// Whether statements that were never reached are listed.
    pub unreached: Listing,
    /// Whether runs and values are shown in full.
    pub full: Listing,
    /// Whether progress is shown, and warnings that come with a search.
    pub progress: Listing,
    /// How often a line of progress is printed where none can be drawn over; `None` for never.
    pub line_every: Option<Duration>,
    /// Whether everything that is known of the symmetry is told.
    pub details: Listing,
}

impl SearchOptions {
    /// One representative of each orbit, on one thread, up to the first error.
    pub fn exact(clock: Clock<'static>) -> SearchOptions {
        SearchOptions {
            strategy: &Exactly,
            pairs: Algorithm::Exact,
            count_full: false,
            audit: false,
            self_check: false,
            order: Order::Breadth,
            threads: Threads::ONE,
            stop_after: Some(1),
            memory_bytes_max: None,
            time_max: None,
            clock,
            depth_max: None,
            unreached: Listing::Hidden,
            full: Listing::Hidden,
            progress: Listing::Hidden,
            line_every: None,
            details: Listing::Hidden,
        }
    }
}

/// Whether something is listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Listing {
    /// It is.
    Shown,
    /// It is not.
    Hidden,
}

/// How often progress is told.
pub const PROGRESS_EVERY: Duration = Duration::from_millis(200);

impl CheckPlan {
    /// All that a model asks, searched as these options say; `None` if `found` says what is wrong
    /// with what it asks.
    pub fn of(loaded: Loaded, how: SearchOptions, found: &mut Diagnostics) -> Option<CheckPlan> {
        let words = Words {
            property: None,
            claim: None,
            no_deadlock: false,
            no_assertions: false,
            no_invariant: false,
            fairness: Fairness::None,
        };
        let asked = ask::asked(&words, &*loaded.model, found)?;
        Some(CheckPlan {
            model: loaded.model,
            load: loaded.load,
            how,
            detect: Detect::Structure,
            asked,
            fairness: Fairness::None,
            trail: None,
        })
    }

    /// The options of the search for errors.
    pub fn options(&self) -> Options<'static> {
        let Asked {
            deadlocks,
            assertions,
            invariants,
            goals,
            ..
        } = self.asked;
        Options {
            order: self.how.order,
            deadlocks,
            assertions,
            invariants,
            goals,
            stop_after: self.how.stop_after,
            memory_bytes_max: self.how.memory_bytes_max,
            clock: self.how.clock,
            depth_max: self.how.depth_max,
            progress_every: PROGRESS_EVERY,
            threads: self.how.threads,
        }
    }

    /// The options of a search for one formula.
    pub fn options_of_formula(&self) -> Options<'static> {
        Options {
            // The product of a system and a claim has neither: the search for errors looks at them.
            deadlocks: Attention::Ignored,
            assertions: Attention::Ignored,
            invariants: Attention::Ignored,
            goals: Attention::Ignored,
            stop_after: Some(1),
            ..self.options()
        }
    }
}
