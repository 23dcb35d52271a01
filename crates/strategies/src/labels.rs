//! The first state with a canonical label; and labels only where markers are not enough.
//!
//! The label of a state is its canonical state: equal for states of one orbit, and for no others.
//! Under `labels` it is a key: the first state with it stands for the orbit. Under `labels+markers`
//! a state whose marker (see [`super::marker`]) is new is new without a label; when its marker
//! comes again, its label is found after all, and from then on labels decide.
//!
//! Worked example: `(1,0)` comes first, its marker is new, it stands for itself. Then `(0,1)` has
//! the same marker; the labels of both are found, `(0,1)` and `(0,1)`, so `(1,0)` represents it.
//!
//! Exact: states of one orbit have one marker, so a new marker means a new orbit; otherwise labels
//! decide. Source: Turner, Leuschel, Spermann and Butler 2007. Cost: `labels` a canonical state for
//! each, `labels+markers` a marker for each and a canonical state where that is not new; both keep
//! labels and states beside those of the search.

use crate::known::{ENTRY_BYTES, SeenStates};
use crate::marker::Marking;
use group::Group;
use reduce::action::Reader;
use reduce::canonical::Canonical;
use reduce::reducer::{Guarantee, Reducer, Symmetry, Work};
use std::collections::HashMap;

/// `labels` and `labels+markers`.
pub(crate) struct Labels {
    /// Finds canonical states.
    canonical: Canonical,
    reading: Reader,
    first: SeenStates,
    /// By label.
    labelled: HashMap<Box<[u8]>, u32>,
    n_bytes: u64,
    markers: Option<Markers>,
    label: Vec<u8>,
    /// The state last asked about, and its representative.
    last: (Vec<u8>, Vec<u8>),
}

/// What markers are for.
struct Markers {
    marking: Marking,
    /// By marker: the only state seen with it, or `None` when labels decide.
    single: HashMap<u128, Option<u32>>,
    n_hits: u64,
}

impl Labels {
    pub fn new(canonical: Canonical, reading: Reader) -> Labels {
        Labels {
            canonical,
            reading,
            first: SeenStates::default(),
            labelled: HashMap::new(),
            n_bytes: 0,
            markers: None,
            label: Vec::new(),
            last: (Vec::new(), Vec::new()),
        }
    }

    pub fn with_markers(canonical: Canonical, reading: Reader, group: &Group) -> Labels {
        Labels {
            markers: Some(Markers {
                marking: Marking::new(group),
                single: HashMap::new(),
                n_hits: 0,
            }),
            ..Labels::new(canonical, reading)
        }
    }

    /// The state that stands for `state`.
    fn choose(&mut self, state: &[u8]) -> u32 {
        if let Some(markers) = &mut self.markers {
            let marker = markers.marking.marker(&mut self.reading, state);
            markers.n_hits += u64::from(markers.single.contains_key(&marker));
            match markers.single.get(&marker).copied() {
                None => {
                    let number = self.first.add(state);
                    markers.single.insert(marker, Some(number));
                    return number;
                }
                Some(Some(number)) => {
                    if self.first.get(number) == state {
                        return number;
                    }
                    markers.single.insert(marker, None);
                    self.find_label(None, number);
                    self.enter(number);
                }
                Some(None) => {}
            }
        }
        self.find_label(Some(state), 0);
        match self.labelled.get(&self.label[..]) {
            Some(number) => *number,
            None => {
                let number = self.first.add(state);
                self.enter(number);
                number
            }
        }
    }

    /// Finds the label of `state`, or of the known one of that number.
    fn find_label(&mut self, state: Option<&[u8]>, number: u32) {
        self.label.clear();
        let state = state.unwrap_or_else(|| self.first.get(number));
        self.label.extend_from_slice(state);
        self.canonical.reduce(&mut self.label);
    }

    fn enter(&mut self, number: u32) {
        self.n_bytes += self.label.len() as u64 + ENTRY_BYTES;
        self.labelled.insert(self.label[..].into(), number);
    }
}

impl Reducer for Labels {
    fn reduce(&mut self, state: &mut [u8]) {
        self.last.0.clear();
        self.last.0.extend_from_slice(state);
        if self.reading.act().is_settled(state) {
            let number = self.choose(state);
            state.copy_from_slice(self.first.get(number));
        }
        self.last.1.clear();
        self.last.1.extend_from_slice(state);
    }

    /// To the label of both, and back.
    fn symmetry(&mut self) -> Option<Symmetry> {
        let (from, to) = &self.last;
        if from == to {
            return Some(Symmetry::default());
        }
        let mut label = from.clone();
        self.canonical.reduce(&mut label);
        let there = self.canonical.symmetry()?;
        label.clone_from(to);
        self.canonical.reduce(&mut label);
        let back = Symmetry::default().after_undoing(&self.canonical.symmetry()?);
        Some(back.after(&there))
    }

    fn apply(&self, symmetry: &Symmetry, state: &[u8], out: &mut Vec<u8>) {
        self.canonical.apply(symmetry, state, out);
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }

    fn work(&self) -> Work {
        Work {
            n_marker_hits: self.markers.as_ref().map(|markers| markers.n_hits),
            ..self.canonical.work()
        }
    }

    fn bytes(&self) -> u64 {
        let markers = self.markers.as_ref();
        let n_markers = markers.map_or(0, |markers| markers.single.len() as u64);
        self.first.bytes() + self.n_bytes + n_markers * ENTRY_BYTES
    }
}
