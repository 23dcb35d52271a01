//! What a process is compared with: a normal form, or what stands for one.
//!
//! Freedom from deadlock is refinement of the process that may do anything but stop, which has one
//! state and as many acceptances as there are events: it is enough to look whether anything is
//! offered. A trace that a process should have is a line of states, and events that are not on it
//! are passed by.

use crate::refinement::Model;
use crate::refinement::normal::Normal;
use model::network::Label;

/// What a process is compared with. It starts in state 0.
pub enum Spec<'a> {
    /// A normal form.
    Normal(&'a Normal),
    /// Nothing of the kind ever happens. State 1 is after ✓.
    Free {
        /// A state that offers nothing.
        of_deadlock: bool,
        /// τ for ever.
        of_divergence: bool,
    },
    /// The process should have this trace; states are how much of it was done.
    Trace {
        /// Of what.
        events: &'a [Label],
        /// In which model.
        model: Model,
    },
}

/// Where a label leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// To a state.
    To(u32),
    /// Nowhere, and that is a violation.
    Forbidden,
    /// Nowhere, and nothing depends on it.
    Beside,
}

/// A set of labels that is emptied by those who filled it.
pub struct Marks {
    words: Vec<u64>,
}

impl Marks {
    /// None of `n` labels.
    pub fn new(n: usize) -> Marks {
        Marks {
            words: vec![0; n.div_ceil(64)],
        }
    }

    /// Puts labels in; those of which it has not heard do not matter to anybody.
    #[inline]
    pub fn fill(&mut self, labels: &[Label]) {
        for label in labels {
            if let Some(word) = self.words.get_mut(label.index() / 64) {
                *word |= 1 << (label.index() % 64);
            }
        }
    }

    /// Takes labels out.
    #[inline]
    pub fn empty(&mut self, labels: &[Label]) {
        for label in labels {
            if let Some(word) = self.words.get_mut(label.index() / 64) {
                *word = 0;
            }
        }
    }

    #[inline]
    fn has(&self, label: Label) -> bool {
        let word = self.words.get(label.index() / 64);
        word.is_some_and(|word| word >> (label.index() % 64) & 1 == 1)
    }
}

impl Spec<'_> {
    /// How many states there are.
    pub fn len(&self) -> usize {
        match self {
            Spec::Normal(normal) => normal.len(),
            Spec::Free { .. } => 2,
            Spec::Trace { events, .. } => events.len() + 1,
        }
    }

    /// How many labels there are of which it has heard.
    pub fn n_labels(&self) -> usize {
        match self {
            Spec::Normal(normal) => normal.n_labels(),
            Spec::Free { .. } => 0,
            Spec::Trace { events, .. } => {
                let highest = events.iter().map(|label| label.index() + 1).max();
                highest.unwrap_or(0)
            }
        }
    }

    /// Where a label other than τ leads.
    #[inline]
    pub fn next(&self, state: u32, label: Label) -> Next {
        match self {
            Spec::Normal(normal) => match normal.next(state, label) {
                Some(next) => Next::To(next),
                None if normal.is_divergent(state) => Next::Beside,
                None => Next::Forbidden,
            },
            Spec::Free { .. } => Next::To(u32::from(label == Label::TICK)),
            Spec::Trace { events, .. } => match events.get(state as usize) {
                Some(&event) if event == label => Next::To(state + 1),
                _ => Next::Beside,
            },
        }
    }

    /// Whether anything that is done from here on is allowed.
    #[inline]
    pub fn allows_all(&self, state: u32) -> bool {
        match self {
            Spec::Normal(normal) => normal.is_divergent(state),
            Spec::Free { .. } => state == 1,
            Spec::Trace { .. } => self.is_goal(state),
        }
    }

    /// Whether what was looked for is found here.
    #[inline]
    pub fn is_goal(&self, state: u32) -> bool {
        match self {
            Spec::Trace { events, .. } => state as usize == events.len(),
            Spec::Normal(_) | Spec::Free { .. } => false,
        }
    }

    /// Whether a search ends where what was looked for is found.
    pub fn ends_at_goal(&self) -> bool {
        matches!(
            self,
            Spec::Trace {
                model: Model::Traces,
                ..
            }
        )
    }

    /// Whether what is refused matters.
    pub fn minds_refusals(&self) -> bool {
        match self {
            Spec::Normal(normal) => normal.model() != Model::Traces,
            Spec::Free { of_deadlock, .. } => *of_deadlock,
            Spec::Trace { model, .. } => *model != Model::Traces,
        }
    }

    /// Whether divergence matters.
    pub fn minds_divergence(&self) -> bool {
        match self {
            Spec::Normal(normal) => normal.model() == Model::FailuresDivergences,
            Spec::Free { of_divergence, .. } => *of_divergence,
            Spec::Trace { model, .. } => *model == Model::FailuresDivergences,
        }
    }

    /// Whether a process that offers exactly these labels, and has no τ, may do so here. `marks`
    /// has the labels and no others.
    ///
    /// # Requires
    /// Refusals matter, and not everything is allowed.
    #[inline]
    pub fn accepts(&self, state: u32, offered: &[Label], marks: &Marks) -> bool {
        match self {
            Spec::Normal(normal) => {
                let mut sets = normal.acceptances(state).iter();
                sets.any(|set| set.iter().all(|&label| marks.has(label)))
            }
            Spec::Free { .. } => !offered.is_empty(),
            Spec::Trace { events, .. } => marks.has(events[state as usize]),
        }
    }
}
