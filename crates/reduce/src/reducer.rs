//! The member of its orbit that stands for a state.
//!
//! Every search takes a reducer; where nothing is to be reduced, it is [`Identity`].
//!
//! A search stores representatives only, and a person wants a run of the model as it is. So a
//! reducer also says which symmetry led to a representative, and the replay carries the path of
//! representatives back along these: if the run is in `act(h, r)` where the path is in `r`, a move
//! from `r` to `s` with `act(g, s) = r'` is the move from `act(h, r)` to `act(h, s)`, which is
//! `act(h∘g⁻¹, r')`.
//!
//! Worked example, two counters and the reducer that sorts them: the path `(0,0) (0,1) (1,1)`. The
//! move from `(0,0)` to `(1,0)` is represented by `(0,1)` after an exchange, so the run is in
//! `(1,0)`. From `(0,1)` the path moves to `(1,1)` by the first counter; the run, exchanged, moves
//! by the second.

use base::{Clock, Over};
use group::Point;

/// Chooses representatives.
///
/// # Requires
/// A state and its representative are carried to each other by a symmetry of the system, unless
/// [`Reducer::guarantee`] is [`Guarantee::Lossy`]. If that is broken, errors may be missed, and
/// what is found may have no witness.
pub trait Reducer: Send {
    /// Replaces `state` by its representative, which has the same length.
    ///
    /// # Ensures
    /// The same state gets the same representative each time. What it gets may depend on the
    /// states that were asked about before it first was; and a representative need not get itself.
    fn reduce(&mut self, state: &mut [u8]);

    /// The symmetry that carries the state last asked about to its representative; `None` if there
    /// may be none.
    fn symmetry(&mut self) -> Option<Symmetry>;

    /// Moves `state` by `symmetry`; `out` becomes the result.
    ///
    /// # Requires
    /// `symmetry` is made of symmetries that this reducer gave, and `state` lies in the orbit of a
    /// representative.
    fn apply(&self, symmetry: &Symmetry, state: &[u8], out: &mut Vec<u8>);

    /// Whether every state stands for itself, so that nothing need be asked.
    fn is_identity(&self) -> bool {
        false
    }

    /// What is certain about its choices.
    fn guarantee(&self) -> Guarantee;

    /// One that chooses the same, for another thread; `None` if what it chooses depends on the
    /// states that were asked about before, or if nobody needs it on several threads.
    fn another(&self) -> Option<Box<dyn Reducer>> {
        None
    }

    /// Why all that was stored since, or was left out, says nothing: a state was seen that its
    /// symmetries do not fit, or it ran out of time over one.
    fn given_up(&self) -> Option<GivenUp> {
        None
    }

    /// Says when to stop, for those that can take long over a state.
    fn limit_time(&mut self, _clock: Clock<'static>) {}

    /// How many partitions of the points its choices were made under, if that is its way: who has
    /// the same control data as whom.
    fn n_partitions(&self) -> Option<usize> {
        None
    }

    /// What its choices took so far.
    fn work(&self) -> Work {
        Work::default()
    }

    /// How many states the state last asked about stands for, if it was found with the
    /// representative, and if no two representatives stand for the same.
    fn last_orbit_size(&self) -> Option<u128> {
        None
    }

    /// What it remembers of states, in bytes.
    fn bytes(&self) -> u64 {
        0
    }

    /// Says how much it may remember, for those that remember more than a state at a time. Once
    /// [`Reducer::bytes`] is more than that, the search ends.
    fn limit_bytes(&mut self, _bytes_max: u64) {}
}

/// Makes reducers: one for each worker of a search.
pub trait Reducers: Sync {
    /// A reducer that has seen nothing.
    fn worker(&self) -> Box<dyn Reducer>;

    /// Whether what is chosen for a state depends on the states asked about before, so that two
    /// workers may choose differently.
    fn needs_order(&self) -> bool;
}

/// What choices took, counted; `None` where a way of choosing has no such thing.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Work {
    /// Canonical images, or labels, that were computed.
    pub n_labels: Option<u64>,
    /// Complete arrangements that were compared on the way to these: the leaves of search trees.
    pub n_leaves: Option<u64>,
    /// States whose columns were sorted instead.
    pub n_sorted: Option<u64>,
    /// States whose answer was still remembered.
    pub n_remembered: Option<u64>,
    /// States whose marker had been met before.
    pub n_marker_hits: Option<u64>,
    /// Permutations of the group that were tried on a state.
    pub n_perms: Option<u64>,
}

impl Work {
    /// Whether anything is counted.
    pub fn is_counted(&self) -> bool {
        *self != Work::default()
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Work) -> Work {
        let sum = |a: Option<u64>, b: Option<u64>| match (a, b) {
            (Some(a), Some(b)) => Some(a + b),
            (a, b) => a.or(b),
        };
        Work {
            n_labels: sum(self.n_labels, other.n_labels),
            n_leaves: sum(self.n_leaves, other.n_leaves),
            n_sorted: sum(self.n_sorted, other.n_sorted),
            n_remembered: sum(self.n_remembered, other.n_remembered),
            n_marker_hits: sum(self.n_marker_hits, other.n_marker_hits),
            n_perms: sum(self.n_perms, other.n_perms),
        }
    }

    /// So many permutations, and nothing else.
    pub fn of_perms(n_perms: u64) -> Work {
        Work {
            n_perms: Some(n_perms),
            ..Work::default()
        }
    }
}

/// Why choices say nothing any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GivenUp {
    /// A state was seen that the symmetries do not fit.
    Refuted,
    /// Time was over before a choice was made.
    Clock(Over),
}

/// What is certain about a way of choosing representatives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guarantee {
    /// One representative for each orbit.
    Exact,
    /// Several representatives for some orbits: more states, the same verdict.
    Approximate,
    /// One representative for several orbits: errors may be missed, so that nothing is known to
    /// hold.
    Lossy,
}

impl Guarantee {
    /// In one word.
    pub fn word(self) -> &'static str {
        match self {
            Guarantee::Exact => "exact",
            Guarantee::Approximate => "approximate",
            Guarantee::Lossy => "lossy",
        }
    }
}

/// A symmetry, by where it sends each point.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Symmetry {
    /// Empty for the identity of any degree.
    image: Vec<Point>,
}

impl Symmetry {
    /// The symmetry that sends point `x` to `image[x]`; the identity if there are no images.
    ///
    /// # Requires
    /// `image` is a permutation.
    pub fn new(image: &[Point]) -> Symmetry {
        let stays = image.iter().enumerate().all(|(x, y)| x == *y as usize);
        let image = if stays { &[] } else { image };
        Symmetry {
            image: image.to_vec(),
        }
    }

    /// Whether it moves nothing.
    pub fn is_identity(&self) -> bool {
        self.image.is_empty()
    }

    /// Where each point goes; empty for the identity.
    pub fn image(&self) -> &[Point] {
        &self.image
    }

    /// First by `first`, then by this: `self ∘ first`.
    ///
    /// # Requires
    /// The two are of one degree, unless one is the identity.
    pub fn after(&self, first: &Symmetry) -> Symmetry {
        if first.is_identity() {
            return self.clone();
        }
        let then = |x: &Point| self.image.get(*x as usize).copied().unwrap_or(*x);
        let image: Vec<Point> = first.image.iter().map(then).collect();
        Symmetry::new(&image)
    }

    /// First back by `other`, then by this: `self ∘ other⁻¹`.
    ///
    /// # Requires
    /// The two are of one degree, unless one is the identity.
    pub fn after_undoing(&self, other: &Symmetry) -> Symmetry {
        if other.is_identity() {
            return self.clone();
        }
        let mut image = vec![0; other.image.len()];
        for (x, y) in other.image.iter().enumerate() {
            image[*y as usize] = self.image.get(x).copied().unwrap_or(x as Point);
        }
        Symmetry::new(&image)
    }
}

/// Every state stands for itself.
#[derive(Clone, Copy, Default, Debug)]
pub struct Identity;

impl Reducer for Identity {
    fn reduce(&mut self, _: &mut [u8]) {}

    fn symmetry(&mut self) -> Option<Symmetry> {
        Some(Symmetry::default())
    }

    fn apply(&self, _: &Symmetry, state: &[u8], out: &mut Vec<u8>) {
        out.clear();
        out.extend_from_slice(state);
    }

    fn is_identity(&self) -> bool {
        true
    }

    fn another(&self) -> Option<Box<dyn Reducer>> {
        Some(Box::new(Identity))
    }

    fn last_orbit_size(&self) -> Option<u128> {
        Some(1)
    }

    /// One for each orbit of the group that moves nothing.
    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }
}

impl Reducers for Identity {
    fn worker(&self) -> Box<dyn Reducer> {
        Box::new(Identity)
    }

    fn needs_order(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undoing_is_composition_with_the_inverse() {
        let turn = Symmetry::new(&[1, 2, 0]);
        let swap = Symmetry::new(&[1, 0, 2]);
        let one = Symmetry::default();
        assert!(turn.after_undoing(&turn).is_identity());
        assert_eq!(turn.after_undoing(&one), turn);
        assert_eq!(one.after_undoing(&turn).image(), [2, 0, 1]);
        // turn(swap⁻¹(x)): 0 → 1 → 2, 1 → 0 → 1, 2 → 2 → 0.
        assert_eq!(turn.after_undoing(&swap).image(), [2, 1, 0]);
        assert_eq!(turn.after(&swap).image(), [2, 1, 0]);
        assert_eq!(turn.after(&one), one.after(&turn));
        assert_eq!(Symmetry::new(&[0, 1, 2]), one);
    }
}
