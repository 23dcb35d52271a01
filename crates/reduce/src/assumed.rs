//! A reducer whose symmetries rest on an assumption: every state is looked at first.
//!
//! Where a loop that sends was replaced by the set of its rounds, symmetries are right as long as
//! no process is seen inside the loop ([`crate::processes::homes`]). The first state in which one
//! is refutes them: such a state is left as it is, and the search is told to stop. What it found
//! before can be replayed: a move along a path has taken all rounds of the loop, so that none of
//! them waits in any image of the path.
//!
//! Why looking at the states that are stored is enough: say no move of a representative `r` ends
//! inside the loop. A move of `act(g, r)` that ended there would have a round that waits. A round
//! waits if and only if it would wait alone, since rounds share nothing, and the like round of `r`
//! would wait as well; so the move of `r` that comes to the loop in the same way would end inside.
//!
//! In development builds every reducer is in one of these: where nothing was assumed, a process
//! that is where certification takes none to be is a mistake of ours.

use crate::certified::{Assumption, Certified};
use crate::reducer::{GivenUp, Guarantee, Reducer, Symmetry, Work};
use base::Clock;
use std::sync::Arc;

/// Looks at states before another reduces them.
struct Assumed {
    inner: Box<dyn Reducer>,
    assumption: Arc<dyn Assumption>,
    refuted: bool,
    /// Whether the last state was left as it was.
    left: bool,
}

/// A reducer that was made from `certified`, under the eyes of its assumption.
pub fn assumed(inner: Box<dyn Reducer>, certified: &Certified) -> Box<dyn Reducer> {
    let assumption = certified.assumption();
    let assumption = assumption.filter(|made| made.is_made() || cfg!(debug_assertions));
    match assumption {
        Some(assumption) => Box::new(Assumed {
            inner,
            assumption: assumption.clone(),
            refuted: false,
            left: false,
        }),
        None => inner,
    }
}

impl Reducer for Assumed {
    fn reduce(&mut self, state: &mut [u8]) {
        self.left = !self.assumption.holds(state);
        assert!(
            !self.left || self.assumption.is_made(),
            "a process is where none can be, in {state:?}"
        );
        self.refuted |= self.left;
        if !self.left {
            self.inner.reduce(state);
        }
    }

    fn symmetry(&mut self) -> Option<Symmetry> {
        if self.left {
            Some(Symmetry::default())
        } else {
            self.inner.symmetry()
        }
    }

    fn apply(&self, symmetry: &Symmetry, state: &[u8], out: &mut Vec<u8>) {
        self.inner.apply(symmetry, state, out);
    }

    fn guarantee(&self) -> Guarantee {
        self.inner.guarantee()
    }

    fn another(&self) -> Option<Box<dyn Reducer>> {
        Some(Box::new(Assumed {
            inner: self.inner.another()?,
            assumption: self.assumption.clone(),
            refuted: false,
            left: false,
        }))
    }

    fn bytes(&self) -> u64 {
        self.inner.bytes()
    }

    fn limit_bytes(&mut self, bytes_max: u64) {
        self.inner.limit_bytes(bytes_max);
    }

    fn n_partitions(&self) -> Option<usize> {
        self.inner.n_partitions()
    }

    fn work(&self) -> Work {
        self.inner.work()
    }

    fn given_up(&self) -> Option<GivenUp> {
        let refuted = self.refuted.then_some(GivenUp::Refuted);
        refuted.or_else(|| self.inner.given_up())
    }

    fn limit_time(&mut self, clock: Clock<'static>) {
        self.inner.limit_time(clock);
    }
}
