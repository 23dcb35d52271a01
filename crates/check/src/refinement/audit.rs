//! Whether symmetries are symmetries, looked at again on every pair of a search.
//!
//! Symmetries are certified from leaves and rules before a search, without exploring anything. An
//! audit does not trust that: for each pair `(u, v)` that is expanded and each generator `g`, the
//! transitions of `g·v` have to be the images of those of `v`, and where an event leads from `u`
//! its image has to lead to the image of that from `g·u`; if refusals matter, `g·u` accepts the
//! image of what `u` accepts. It costs as many expansions as there are generators.
//!
//! Worked example. Two users of a lock, `v` = (in, out), `u` = "1 is in", `g` the exchange. From
//! `v` there is `leave.1` to (out, out), which `u` follows to "free". From `g·v` = (out, in) there
//! has to be `leave.2` to (out, out) and nothing else, and `g·u` = "2 is in" has to follow it to
//! `g·free` = free. Had the second user no `leave.2`, its transitions would differ from the image.

use crate::Symmetry;
use crate::refinement::spec::{Marks, Next, Spec};
use crate::refinement::twist::PairReducer;
use model::network::{Label, Process, Steps};
use reduce::network::Joint;
use std::fmt;

/// Permutations of pairs and events, as somebody claims them to be symmetries.
pub trait PairSymmetries: Sync {
    /// How many there are.
    fn len(&self) -> usize;

    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What one is called.
    fn name(&self, symmetry: usize) -> &str;

    /// Makes `state` its image, and gives the image of the specification's state.
    fn pair(&self, symmetry: usize, spec: u32, state: &mut [u32]) -> u32;

    /// The image of a label.
    fn label(&self, symmetry: usize, label: Label) -> Label;
}

impl PairSymmetries for Joint {
    fn len(&self) -> usize {
        self.names().len()
    }

    fn name(&self, symmetry: usize) -> &str {
        &self.names()[symmetry]
    }

    fn pair(&self, symmetry: usize, spec: u32, state: &mut [u32]) -> u32 {
        self.points()
            .move_pair(self.symmetry(symmetry), spec, state)
    }

    fn label(&self, symmetry: usize, label: Label) -> Label {
        self.points().move_label(self.symmetry(symmetry), label)
    }
}

/// A pair while it is expanded.
pub struct Expanded<'a> {
    pub(super) process: &'a dyn Process,
    pub(super) spec: &'a Spec<'a>,
    /// The specification's state, then the process's.
    pub(super) pair: &'a [u32],
    pub(super) steps: &'a Steps,
}

/// A symmetry that is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unequal {
    /// What it is called.
    pub name: String,
    /// What is not kept.
    pub what: &'static str,
}

impl fmt::Display for Unequal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, name) = (self.what, &self.name);
        write!(f, "{what} of a pair and of its image differ, under {name}")
    }
}

/// A reducer, and an audit of every pair that is expanded.
pub struct Audited<'a> {
    inner: &'a mut dyn PairReducer,
    symmetries: &'a dyn PairSymmetries,
    n_pairs: u64,
    unequal: Option<Unequal>,
    steps: Steps,
}

impl<'a> Audited<'a> {
    /// The same reducer, audited.
    pub fn new(inner: &'a mut dyn PairReducer, symmetries: &'a dyn PairSymmetries) -> Self {
        Audited {
            inner,
            symmetries,
            n_pairs: 0,
            unequal: None,
            steps: Steps::new(),
        }
    }

    /// How many pairs were looked at; or what was found.
    pub fn finish(self) -> Result<u64, Unequal> {
        match self.unequal {
            None => Ok(self.n_pairs),
            Some(unequal) => Err(unequal),
        }
    }

    /// What one symmetry does not keep at a pair.
    fn fault(&mut self, symmetry: usize, at: &Expanded<'_>) -> Option<&'static str> {
        let symmetries = self.symmetries;
        let moved = |label| symmetries.label(symmetry, label);
        let mut image = at.pair[1..].to_vec();
        let spec = symmetries.pair(symmetry, at.pair[0], &mut image);
        at.process.steps(&image, &mut self.steps);
        let state = |steps: &Steps, i: usize| steps.state(i).to_vec();
        let images = (0..at.steps.len()).map(|i| {
            let mut to = state(at.steps, i);
            symmetries.pair(symmetry, at.pair[0], &mut to);
            (moved(at.steps.labels()[i]), to)
        });
        let own = (0..self.steps.len()).map(|i| (self.steps.labels()[i], state(&self.steps, i)));
        if sorted(images) != sorted(own) {
            return Some("transitions");
        }
        for &label in at.steps.labels() {
            if label == Label::TAU {
                continue;
            }
            let next = match at.spec.next(at.pair[0], label) {
                Next::To(next) => {
                    let mut any = at.pair[1..].to_vec();
                    Next::To(symmetries.pair(symmetry, next, &mut any))
                }
                other => other,
            };
            if at.spec.next(spec, moved(label)) != next {
                return Some("what is allowed");
            }
        }
        let accepts = |state: u32, steps: &Steps| {
            let mut marks = Marks::new(at.spec.n_labels());
            marks.fill(steps.labels());
            at.spec.accepts(state, steps.labels(), &marks)
        };
        let minds = at.spec.minds_refusals() && !at.steps.labels().contains(&Label::TAU);
        if minds && accepts(at.pair[0], at.steps) != accepts(spec, &self.steps) {
            return Some("what may be refused");
        }
        None
    }
}

fn sorted(all: impl Iterator<Item = (Label, Vec<u32>)>) -> Vec<(Label, Vec<u32>)> {
    let mut all: Vec<_> = all.collect();
    all.sort_unstable();
    all.dedup();
    all
}

impl PairReducer for Audited<'_> {
    fn represent(&mut self, spec: u32, state: &mut [u32]) -> u32 {
        self.inner.represent(spec, state)
    }

    fn symmetry(&mut self) -> Symmetry {
        self.inner.symmetry()
    }

    fn move_pair(&self, symmetry: &Symmetry, spec: u32, state: &mut [u32]) -> u32 {
        self.inner.move_pair(symmetry, spec, state)
    }

    fn move_label(&self, symmetry: &Symmetry, label: Label) -> Label {
        self.inner.move_label(symmetry, label)
    }

    fn move_component(&self, symmetry: &Symmetry, component: u32, state: u32) -> u32 {
        self.inner.move_component(symmetry, component, state)
    }

    fn audits(&self) -> bool {
        true
    }

    fn expanded(&mut self, pair: &Expanded<'_>) {
        self.n_pairs += 1;
        for symmetry in 0..self.symmetries.len() {
            if self.unequal.is_some() {
                return;
            }
            self.unequal = self.fault(symmetry, pair).map(|what| Unequal {
                name: self.symmetries.name(symmetry).to_owned(),
                what,
            });
        }
    }

    fn is_identity(&self) -> bool {
        self.inner.is_identity()
    }

    fn orbit_size(&self) -> Option<u128> {
        self.inner.orbit_size()
    }

    fn bytes(&self) -> u64 {
        self.inner.bytes()
    }
}
