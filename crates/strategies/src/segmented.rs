//! The least state, found in two halves: who has which data, then who among equals.
//!
//! First the *segments* are settled: the control data (`segmented`), or the locations of processes
//! alone (`pc-segmented`), are brought to their least arrangement, the same for the whole orbit.
//! Elements that keep this arrangement are all that can lead further. They are a subgroup, found by
//! backtracking once for each partition into places of equal segments, and its elements are
//! enumerated.
//!
//! Worked example, four processes with a location and a reference, counted from 1, and all
//! permutations of them: `(1,2 | 0,1 | 0,1 | 2,1)`. The exchange of 1 and 3 sorts the locations:
//! `(0,3 | 0,3 | 1,2 | 2,3)`. What keeps them is `⟨(1 2)⟩`, and of the two states left
//! `(0,3 | 0,3 | 1,1 | 2,3)` is the lesser.
//!
//! Exact: the arrangement is the same for all states of an orbit, so its subgroup is, and the least
//! of what that makes is. Where the subgroup is too large to enumerate, which is then so for the
//! whole orbit, the canonical state is taken. The arrangement is that of the group's shape if it is
//! exact, or else the canonical image of the tuple.
//!
//! Sources: Donaldson 2007, Algorithm 11; Bošnački, Dams and Holenderski 2002 for locations. Cost:
//! an image for each element of the subgroup; all of the group where nothing differs.

use crate::enumerate::{TransversalTree, image};
use crate::reading::{Least, StatelessChoice, TrackedState, endless, ticker};
use crate::sorted::ENUMERATE_MAX;
use base::{Clock, Over, Ticker};
use group::backtrack::colour_stabiliser;
use group::image::{Canoniser, Object, Scratch};
use group::shape::{self, classify};
use group::{Group, Point};
use num_bigint::BigUint;
use reduce::action::Reader;
use reduce::canonical::Canonical;
use reduce::reducer::{Reducer, Work};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Reads what settles the segments: all control data, or locations.
pub(crate) type Segments = fn(&mut Reader, &[u8], &mut Vec<u32>);

/// How a tuple is brought to the arrangement of its orbit.
pub(crate) enum Form {
    Shape(shape::RepresentativeMethod),
    Image(Box<(Canoniser, Scratch)>),
}

impl Form {
    pub fn new(group: &Group) -> Form {
        let shape = classify(group, ENUMERATE_MAX);
        if shape.is_exact() {
            Form::Shape(shape)
        } else {
            Form::Image(Box::new((Canoniser::new(group), Scratch::new())))
        }
    }

    pub fn element(&mut self, tuple: &[u32]) -> Vec<Point> {
        match self {
            Form::Shape(shape) => image(&shape.representative(tuple).1),
            Form::Image(image) => {
                let (canoniser, scratch) = &mut **image;
                let values: Vec<u64> = tuple.iter().map(|value| u64::from(*value)).collect();
                let object = Object::tuple(&values);
                canoniser.canonical(&object, scratch).points().to_vec()
            }
        }
    }
}

/// Above so many elements the canonical state is taken.
const STABILISER_MAX: u32 = 50_000;
/// So many subgroups are kept before all are forgotten.
const N_KEPT_MAX: usize = 10_000;

/// `segmented` and `pc-segmented`.
pub(crate) struct Segmented {
    by: Segments,
    group: Group,
    form: Form,
    /// Finds canonical states.
    canonical: Canonical,
    /// By partition of the places: the elements that keep its parts; `None` if there are too many.
    kept: HashMap<Vec<u32>, Option<Arc<TransversalTree>>>,
    /// Who had the same segment as whom, ever.
    partitions: HashSet<Vec<u32>>,
    stabiliser_max: BigUint,
    segments: Vec<u32>,
    from: TrackedState,
    spare: TrackedState,
    least: Least,
    ticker: Ticker<'static>,
}

impl Segmented {
    pub fn new(canonical: Canonical, group: &Group, by: Segments) -> Segmented {
        Segmented {
            by,
            form: Form::new(group),
            canonical,
            kept: HashMap::new(),
            partitions: HashSet::new(),
            stabiliser_max: BigUint::from(STABILISER_MAX),
            segments: Vec::new(),
            from: TrackedState::default(),
            spare: TrackedState::default(),
            least: Least::new((0..group.degree() as Point).collect()),
            ticker: endless(),
            group: group.clone(),
        }
    }

    /// The elements that keep an arrangement.
    fn keeping(&mut self, arrangement: &[u32]) -> Option<Arc<TransversalTree>> {
        // Which values there are does not matter, only where they are equal.
        let parts = partition(arrangement);
        if let Some(kept) = self.kept.get(&parts) {
            return kept.clone();
        }
        if self.kept.len() >= N_KEPT_MAX {
            self.kept.clear();
        }
        self.partitions.insert(parts.clone());
        let group = colour_stabiliser(&self.group, &parts);
        let few = group.order() <= self.stabiliser_max;
        let tree = few.then(|| Arc::new(TransversalTree::new(group.chain())));
        self.kept.insert(parts, tree.clone());
        tree
    }
}

/// Writes the element that leads `state` to its canonical state.
pub(crate) fn element_of_canonical(
    canonical: &mut Canonical,
    state: &[u8],
    degree: usize,
    element: &mut Vec<Point>,
) {
    canonical.reduce(&mut state.to_vec());
    let symmetry = canonical.symmetry().unwrap_or_default();
    element.clear();
    if symmetry.is_identity() {
        element.extend(0..degree as Point)
    } else {
        element.extend_from_slice(symmetry.image())
    }
}

/// Which places have equal values: by place, the first place with its value.
fn partition(arrangement: &[u32]) -> Vec<u32> {
    let mut first = HashMap::new();
    let places = arrangement.iter().zip(0..);
    places
        .map(|(value, place)| *first.entry(value).or_insert(place))
        .collect()
}

impl StatelessChoice for Segmented {
    fn choose(
        &mut self,
        reading: &mut Reader,
        state: &[u8],
        element: &mut Vec<Point>,
    ) -> Result<(), Over> {
        reading.ranks(state, &mut self.from.ranks);
        (self.by)(reading, state, &mut self.segments);
        let to = self.form.element(&self.segments);
        let mut arrangement = vec![0; self.segments.len()];
        for (x, value) in self.segments.iter().enumerate() {
            arrangement[to[x] as usize] = *value;
        }
        let Some(tree) = self.keeping(&arrangement) else {
            element_of_canonical(&mut self.canonical, state, reading.act().degree(), element);
            return Ok(());
        };
        let act = reading.act();
        self.from.start(to.len(), state);
        self.from.go(act, &to, &mut self.spare);
        self.least.start(&self.from);
        let (from, least) = (&self.from, &mut self.least);
        let ticker = &mut self.ticker;
        tree.visit(&mut |by| {
            least.consider(act, from, by);
            ticker.tick().map(|_| ())
        })?;
        element.clone_from(&self.least.best.element);
        Ok(())
    }

    fn limit_time(&mut self, clock: Clock<'static>) {
        self.ticker = ticker(clock);
    }

    fn n_partitions(&self) -> Option<usize> {
        Some(self.partitions.len())
    }

    fn work(&self) -> Work {
        let tried = Work::of_perms(self.least.n_tried);
        tried.plus(self.canonical.work())
    }
}
