//! The order in which states of an orbit are compared, and what strategies share.
//!
//! **The order.** First the *control data*: what each point owns that names no point, as the words
//! that [`reduce::processes::picture`] reads (or the facts that [`reduce::values`] does), point by
//! point. Then all bytes of the state, which differ only in references and in data between points
//! by then. A symmetry permutes the control data of points like the values of a tuple, so that
//! methods for tuples apply to them; and since all states of an orbit have the same control data
//! but for who has which, their *ranks* are compared.
//!
//! Worked example, three processes with a location and a reference, counted from 1, and all
//! permutations of them: `(1,0 | 0,2 | 0,2)`. Control data `1 0 0`, ranks `1 0 0`; the least
//! arrangement is `0 0 1`, which both `(1 3)` and `(1 3 2)` make: `(0,2 | 0,2 | 1,0)` and
//! `(0,1 | 0,1 | 1,0)`. The second has the lesser references.
//!
//! Source: Donaldson 2007, Definition 34.

use base::{Clock, Over, Ticker};
use group::Point;
use reduce::action::{Action, Reader};
use reduce::reducer::{GivenUp, Guarantee, Reducer, Symmetry, Work};

/// A state on the way to a representative.
#[derive(Clone, Default)]
pub(crate) struct TrackedState {
    /// What led to it.
    pub element: Vec<Point>,
    pub ranks: Vec<u32>,
    pub state: Vec<u8>,
}

impl TrackedState {
    /// A state before anything was done to it; its ranks are still to be read.
    pub fn start(&mut self, degree: usize, state: &[u8]) {
        self.element.clear();
        self.element.extend(0..degree as Point);
        self.state.clear();
        self.state.extend_from_slice(state);
    }

    /// Becomes what `by` makes of it.
    pub fn go(&mut self, act: &dyn Action, by: &[Point], spare: &mut TrackedState) {
        spare.ranks_from(self, by);
        act.apply(by, &self.state, &mut spare.state);
        spare.element.clear();
        spare
            .element
            .extend(self.element.iter().map(|x| by[*x as usize]));
        std::mem::swap(self, spare);
    }

    fn ranks_from(&mut self, from: &TrackedState, by: &[Point]) {
        self.ranks.clear();
        self.ranks.resize(from.ranks.len(), 0);
        for (x, rank) in from.ranks.iter().enumerate() {
            self.ranks[by[x] as usize] = *rank;
        }
    }

    /// Whether it comes before another state of its orbit.
    pub fn is_less(&self, other: &TrackedState) -> bool {
        (&self.ranks, &self.state) < (&other.ranks, &other.state)
    }

    /// How far from the first point two states of one orbit have the same control data: 0 if they
    /// differ at once, 1 if they do not.
    pub fn share_of_equals(&self, other: &TrackedState) -> f64 {
        let n_equal = self.ranks.iter().zip(&other.ranks);
        let n_equal = n_equal.take_while(|(a, b)| a == b).count();
        n_equal as f64 / self.ranks.len().max(1) as f64
    }

    fn copy(&mut self, other: &TrackedState) {
        self.element.clone_from(&other.element);
        self.ranks.clone_from(&other.ranks);
        self.state.clone_from(&other.state);
    }
}

/// The least state so far.
#[derive(Default)]
pub(crate) struct Least {
    pub best: TrackedState,
    next: TrackedState,
    /// In which order points are compared.
    positions: Vec<Point>,
    /// How many permutations were tried on a state.
    pub n_tried: u64,
}

impl Least {
    /// Compares points in that order.
    pub fn new(positions: Vec<Point>) -> Least {
        Least {
            positions,
            ..Least::default()
        }
    }

    pub fn start(&mut self, from: &TrackedState) {
        self.best.copy(from);
    }

    /// Considers what `by` makes of `from`; whether that is the least now.
    pub fn consider(&mut self, act: &dyn Action, from: &TrackedState, by: &[Point]) -> bool {
        self.n_tried += 1;
        self.next.ranks_from(from, by);
        let ranks = |c: &TrackedState, x: &Point| c.ranks[*x as usize];
        let new = self.positions.iter().map(|x| ranks(&self.next, x));
        let old = self.positions.iter().map(|x| ranks(&self.best, x));
        let order = new.cmp(old);
        if order.is_gt() {
            return false;
        }
        act.apply(by, &from.state, &mut self.next.state);
        if order.is_eq() && self.next.state >= self.best.state {
            return false;
        }
        self.next.element.clear();
        let element = from.element.iter().map(|x| by[*x as usize]);
        self.next.element.extend(element);
        std::mem::swap(&mut self.best, &mut self.next);
        true
    }

    /// Goes to the least of what `moves` make of the best, as long as there is a lesser one.
    pub fn descend_by_rounds(&mut self, act: &dyn Action, moves: &[Vec<Point>]) {
        let mut from = TrackedState::default();
        loop {
            from.copy(&self.best);
            let mut improved = false;
            for by in moves {
                improved |= self.consider(act, &from, by);
            }
            if !improved {
                return;
            }
        }
    }

    /// Takes every move that makes the best lesser, as long as there is one.
    pub fn descend_in_place(&mut self, act: &dyn Action, moves: &[Vec<Point>]) {
        let mut from = TrackedState::default();
        loop {
            let mut improved = false;
            from.copy(&self.best);
            for by in moves {
                if self.consider(act, &from, by) {
                    from.copy(&self.best);
                    improved = true;
                }
            }
            if !improved {
                return;
            }
        }
    }
}

/// Images are looked at between two looks at the clock.
const TICKS: u32 = 1024;

/// Asks a clock while images are looked at.
pub(crate) fn ticker(clock: Clock<'static>) -> Ticker<'static> {
    Ticker::new(clock, TICKS)
}

/// Asks nobody.
pub(crate) fn endless() -> Ticker<'static> {
    ticker(Clock::ENDLESS)
}

/// A way of choosing that looks at nothing but the state.
pub(crate) trait StatelessChoice: Send {
    /// Writes an element of the group that leads `state` to its representative.
    ///
    /// # Requires
    /// The making is over in `state`.
    fn choose(
        &mut self,
        reading: &mut Reader,
        state: &[u8],
        element: &mut Vec<Point>,
    ) -> Result<(), Over>;

    /// See [`Reducer::limit_time`].
    fn limit_time(&mut self, _clock: Clock<'static>) {}

    /// See [`Reducer::n_partitions`].
    fn n_partitions(&self) -> Option<usize> {
        None
    }

    /// See [`Reducer::work`].
    fn work(&self) -> Work {
        Work::default()
    }
}

/// A reducer by such a way.
pub(crate) struct StatelessReducer<C> {
    choice: C,
    reading: Reader,
    guarantee: Guarantee,
    element: Vec<Point>,
    moved: Vec<u8>,
    over: Option<Over>,
}

impl<C: StatelessChoice> StatelessReducer<C> {
    pub fn new(choice: C, reading: Reader, guarantee: Guarantee) -> StatelessReducer<C> {
        StatelessReducer {
            choice,
            reading,
            guarantee,
            element: Vec::new(),
            moved: Vec::new(),
            over: None,
        }
    }
}

impl<C: StatelessChoice> Reducer for StatelessReducer<C> {
    fn reduce(&mut self, state: &mut [u8]) {
        self.element.clear();
        if !self.reading.act().is_settled(state) {
            return;
        }
        let chosen = self
            .choice
            .choose(&mut self.reading, state, &mut self.element);
        if let Err(over) = chosen {
            // The state stays what it is, which is no choice: see `given_up`.
            self.over = Some(over);
            self.element.clear();
            return;
        }
        let act = self.reading.act();
        act.apply(&self.element, state, &mut self.moved);
        state.copy_from_slice(&self.moved);
    }

    fn symmetry(&mut self) -> Option<Symmetry> {
        Some(Symmetry::new(&self.element))
    }

    fn apply(&self, symmetry: &Symmetry, state: &[u8], out: &mut Vec<u8>) {
        self.reading.act().move_by(symmetry, state, out);
    }

    fn guarantee(&self) -> Guarantee {
        self.guarantee
    }

    fn given_up(&self) -> Option<GivenUp> {
        self.over.map(GivenUp::Clock)
    }

    fn limit_time(&mut self, clock: Clock<'static>) {
        self.choice.limit_time(clock);
    }

    fn n_partitions(&self) -> Option<usize> {
        self.choice.n_partitions()
    }

    fn work(&self) -> Work {
        self.choice.work()
    }
}
