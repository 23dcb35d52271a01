//! A reducer under watch: no choice leaves the orbit unnoticed.
//!
//! After each choice the symmetry it is said to come from must be of the group and must make the
//! representative of the state. That is the one thing a verdict hangs on; how many states an orbit
//! keeps costs time and memory only. In development builds every strategy is watched.

use crate::certified::Certified;
use crate::reducer::{GivenUp, Guarantee, Reducer, Symmetry, Work};
use base::Clock;

/// Checks what another does.
pub struct Watched {
    inner: Box<dyn Reducer>,
    certified: Certified,
    before: Vec<u8>,
    moved: Vec<u8>,
}

impl Watched {
    /// Watches a reducer that was made from `certified`.
    pub fn new(inner: Box<dyn Reducer>, certified: &Certified) -> Watched {
        Watched {
            inner,
            certified: certified.clone(),
            before: Vec::new(),
            moved: Vec::new(),
        }
    }
}

impl Reducer for Watched {
    fn reduce(&mut self, state: &mut [u8]) {
        self.before.clear();
        self.before.extend_from_slice(state);
        self.inner.reduce(state);
        let Some(symmetry) = self.inner.symmetry() else {
            assert_eq!(
                self.inner.guarantee(),
                Guarantee::Lossy,
                "no symmetry is given for the representative of {:?}",
                self.before
            );
            return;
        };
        assert!(
            symmetry.is_identity() || self.certified.reads().act().is_settled(&self.before),
            "{:?} was moved before its making was over",
            self.before
        );
        let mut image = symmetry.image().to_vec();
        assert!(
            symmetry.is_identity() || self.certified.group().chain().contains_image(&mut image),
            "{:?} is not in the group",
            symmetry.image()
        );
        let act = self.certified.reads().act();
        act.move_by(&symmetry, &self.before, &mut self.moved);
        assert_eq!(
            self.moved,
            state,
            "{:?} does not make the representative of {:?}",
            symmetry.image(),
            self.before
        );
    }

    fn symmetry(&mut self) -> Option<Symmetry> {
        self.inner.symmetry()
    }

    fn apply(&self, symmetry: &Symmetry, state: &[u8], out: &mut Vec<u8>) {
        self.inner.apply(symmetry, state, out);
    }

    fn guarantee(&self) -> Guarantee {
        self.inner.guarantee()
    }

    fn another(&self) -> Option<Box<dyn Reducer>> {
        let inner = self.inner.another()?;
        Some(Box::new(Watched::new(inner, &self.certified)))
    }

    fn bytes(&self) -> u64 {
        self.inner.bytes()
    }

    fn limit_bytes(&mut self, bytes_max: u64) {
        self.inner.limit_bytes(bytes_max);
    }

    fn given_up(&self) -> Option<GivenUp> {
        self.inner.given_up()
    }

    fn limit_time(&mut self, clock: Clock<'static>) {
        self.inner.limit_time(clock);
    }

    fn n_partitions(&self) -> Option<usize> {
        self.inner.n_partitions()
    }

    fn work(&self) -> Work {
        self.inner.work()
    }
}
