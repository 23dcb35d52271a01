//! Exactly one state for each orbit, under any group.
//!
//! The state is drawn as an object over points, the object's canonical image gives an element of
//! the group, and the element moves the state. Two states of one orbit come out equal; see
//! `docs/theory/images.md` for why. Most states of processes need neither object nor image: they
//! are read by columns, and the keys of these give the representative (`processes::sorting`). Which
//! states these are does not depend on which state of an orbit is asked about.
//!
//! [`CanonicalForm`] is the function: it depends on the state alone, and threads share it.
//! [`Canonical`] is a reducer that computes it with memory of its own.
//!
//! Worked example: a sort `a b`, `v = {(b, 1)}`. The object is: `b` owns "v, 1", `a` owns nothing;
//! its canonical image exchanges them, or does not, but leads to the same image from `{(a, 1)}`. So
//! both states get the same representative.

use crate::action::Reads;
use crate::certified::Certified;
use crate::memo::Memo;
use crate::processes::sorting::{Arrangement, Changes, Sorting};
use crate::reducer::{Guarantee, Reducer, Symmetry, Work};
use group::Point;
use group::image::{Canoniser, Pruning};
use num_bigint::BigUint;
use std::sync::{Arc, Mutex};

/// The canonical form of states under a certified group.
pub struct CanonicalForm {
    reads: Arc<dyn Reads>,
    canoniser: Canoniser,
    order: BigUint,
    /// Where columns can be sorted, how.
    sorting: Option<Sorting>,
    /// What those of its users did that are gone.
    done: Mutex<Work>,
}

/// Memory that is reused from state to state, one a thread.
pub struct Memory {
    image: group::image::Scratch,
    reading: system::Scratch,
    moved: Vec<u8>,
    /// The state last asked about.
    asked: Vec<u8>,
    memo: Memo,
    arrangement: Arrangement,
    /// The element that maps the last state to the representative that was drawn for it.
    element: Vec<Point>,
    /// How the last representative was found.
    by: By,
    counted: Counted,
}

/// What one user of a form did.
#[derive(Default)]
struct Counted {
    n_drawn: u64,
    n_leaves: u64,
    n_sorted: u64,
    n_remembered: u64,
}

impl Counted {
    fn work(&self, can_sort: bool) -> Work {
        Work {
            n_labels: Some(self.n_drawn),
            n_leaves: Some(self.n_leaves),
            n_sorted: can_sort.then_some(self.n_sorted),
            n_remembered: Some(self.n_remembered),
            ..Work::default()
        }
    }
}

/// How a representative was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum By {
    /// From its object; the element is kept.
    Drawing,
    /// By sorting columns; the arrangement is kept.
    Sorting,
    /// It was remembered, without an element.
    Memory,
}

impl CanonicalForm {
    /// Works out all that does not depend on states.
    pub fn new(certified: &Certified) -> CanonicalForm {
        let group = certified.group();
        let canoniser = Canoniser::new(group);
        let sorting = certified.records().and_then(|reading| {
            let (act, picture) = reading.parts();
            Sorting::new(act, picture, group, &canoniser)
        });
        CanonicalForm {
            sorting,
            canoniser,
            order: group.order(),
            reads: certified.reads().clone(),
            done: Mutex::default(),
        }
    }

    /// New memory.
    pub fn memory(&self) -> Memory {
        Memory {
            image: group::image::Scratch::new(),
            reading: self.reads.scratch(),
            moved: Vec::new(),
            asked: Vec::new(),
            memo: Memo::default(),
            arrangement: Arrangement::default(),
            element: Vec::new(),
            by: By::Drawing,
            counted: Counted::default(),
        }
    }

    /// Replaces `state` by its canonical form: sorted, looked up or drawn.
    pub fn canonise(&self, memory: &mut Memory, state: &mut [u8]) {
        let changes = match &self.sorting {
            Some(sorting) => sorting.follow(state, &mut memory.arrangement),
            None => Changes::ALL,
        };
        // What was last read is a state whose making was over.
        if changes.may_settle() && !self.reads.act().is_settled(state) {
            memory.arrangement.last.clear();
            memory.element.clear();
            memory.by = By::Drawing;
            return;
        }
        if let Some(sorting) = &self.sorting {
            let guide = (&self.canoniser, &mut memory.image);
            if sorting.arrange(state, changes, guide, &mut memory.arrangement) {
                memory.by = By::Sorting;
                memory.counted.n_sorted += 1;
                sorting.move_last(&memory.arrangement, state);
                return;
            }
        }
        memory.asked.clear();
        memory.asked.extend_from_slice(state);
        match memory.memo.look_up(state) {
            Ok(()) => {
                memory.by = By::Memory;
                memory.counted.n_remembered += 1;
            }
            Err(place) => {
                self.draw(memory, state);
                memory.memo.keep(place, &memory.asked, state);
            }
        }
    }

    /// The same by drawing, for a state whose making is over.
    fn draw(&self, memory: &mut Memory, state: &mut [u8]) {
        memory.by = By::Drawing;
        let object = self.reads.object(state, &mut memory.reading);
        let image = self.canoniser.canonical(object, &mut memory.image);
        memory.counted.n_drawn += 1;
        memory.counted.n_leaves += image.n_leaves();
        let points = image.points();
        memory.element.clear();
        memory.element.extend_from_slice(points);
        if points.iter().enumerate().all(|(x, y)| x == *y as usize) {
            return;
        }
        self.reads.act().apply(points, state, &mut memory.moved);
        state.copy_from_slice(&memory.moved);
    }

    /// The element that maps the state last asked about to its canonical form.
    fn symmetry(&self, memory: &mut Memory) -> Symmetry {
        match (memory.by, &self.sorting) {
            (By::Sorting, Some(sorting)) => {
                sorting.element(&memory.arrangement, &mut memory.element);
            }
            (By::Memory, _) => {
                let mut state = std::mem::take(&mut memory.asked);
                self.draw(memory, &mut state);
            }
            _ => {}
        }
        Symmetry::new(&memory.element)
    }

    /// How many states the orbit of `state` has.
    pub fn orbit_size(&self, memory: &mut Memory, state: &[u8]) -> BigUint {
        if !self.reads.act().is_settled(state) {
            return BigUint::from(1u32);
        }
        let object = self.reads.object(state, &mut memory.reading);
        let image = self.canoniser.canonical(object, &mut memory.image);
        &self.order / image.stabiliser_order()
    }
}

/// The default way of choosing: the canonical form, with memory of its own.
pub struct Canonical {
    form: Arc<CanonicalForm>,
    memory: Memory,
}

impl Canonical {
    /// Works out all that does not depend on states.
    pub fn new(certified: &Certified) -> Canonical {
        Canonical::of(Arc::new(CanonicalForm::new(certified)))
    }

    /// One more for a form that others use too.
    pub fn of(form: Arc<CanonicalForm>) -> Canonical {
        Canonical {
            memory: form.memory(),
            form,
        }
    }

    /// The same without sorting: every state is drawn. It gives other representatives, as many.
    pub fn by_drawing(certified: &Certified) -> Canonical {
        Canonical::of(Arc::new(CanonicalForm {
            sorting: None,
            ..CanonicalForm::new(certified)
        }))
    }

    /// The same by the search over ties alone, pruned as said.
    pub fn by_search(certified: &Certified, pruning: Pruning) -> Canonical {
        Canonical::of(Arc::new(CanonicalForm {
            sorting: None,
            canoniser: Canoniser::by_search(certified.group(), pruning),
            ..CanonicalForm::new(certified)
        }))
    }

    /// Whether columns can be sorted.
    pub fn can_sort(&self) -> bool {
        self.form.sorting.is_some()
    }

    /// Whether the last representative was found by sorting.
    pub fn has_sorted(&self) -> bool {
        self.memory.by == By::Sorting
    }

    /// Whether the making is over in `state`, so that it may have another representative.
    pub fn is_settled(&self, state: &[u8]) -> bool {
        self.form.reads.act().is_settled(state)
    }

    /// How many states the orbit of `state` has.
    pub fn orbit_size(&mut self, state: &[u8]) -> BigUint {
        self.form.orbit_size(&mut self.memory, state)
    }
}

impl Reducer for Canonical {
    fn reduce(&mut self, state: &mut [u8]) {
        self.form.canonise(&mut self.memory, state);
    }

    fn symmetry(&mut self) -> Option<Symmetry> {
        Some(self.form.symmetry(&mut self.memory))
    }

    fn apply(&self, symmetry: &Symmetry, state: &[u8], out: &mut Vec<u8>) {
        self.form.reads.act().move_by(symmetry, state, out);
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }

    fn another(&self) -> Option<Box<dyn Reducer>> {
        Some(Box::new(Canonical::of(self.form.clone())))
    }

    fn bytes(&self) -> u64 {
        self.memory.memo.bytes()
    }

    /// Its own, and that of those on other threads that are gone.
    fn work(&self) -> Work {
        let own = self.memory.counted.work(self.can_sort());
        let done = self.form.done.lock();
        done.map_or(own, |done| own.plus(*done))
    }
}

impl Drop for Canonical {
    fn drop(&mut self) {
        let own = self.memory.counted.work(self.can_sort());
        if let Ok(mut done) = self.form.done.lock() {
            *done = done.plus(own);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What threads are to share can be shared, and what each needs can be given to it.
    #[test]
    fn the_form_is_shared_and_its_users_move() {
        fn is_shared<T: Send + Sync>() {}
        fn moves<T: Send>() {}
        is_shared::<CanonicalForm>();
        is_shared::<Certified>();
        moves::<Canonical>();
        moves::<Box<dyn Reducer>>();
    }
}
