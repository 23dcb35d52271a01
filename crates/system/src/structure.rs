//! The static structure of a system: what each step reads and writes, whatever the state.
//!
//! Partial-order reduction, native code, symbolic engines and counters ask what steps have to do
//! with each other before any state is known; coverage asks which steps there are. A system gives
//! the answers once, as data. They are *sound*, not exact: what is not listed is neither read nor
//! written in any state; what is listed may be.
//!
//! Worked example: `flag[i] == 0 && go -> flag[i] = 1` by a process of type 2. One guard reads
//! `flag` and the own `i`, another `go`; the step reads all three and writes `flag` and where
//! processes of type 2 are. The assignment is not exact: which element is written depends on `i`.

use crate::SiteId;

base::define_id!(PlaceId, "Which place of a [`Structure`].");

/// Places, and the steps that use them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Structure {
    /// What each place is called. A place is a variable, an array as a whole, or what else steps
    /// depend on: where processes are, the contents of channels.
    pub places: Vec<String>,
    /// By step.
    pub steps: Vec<StepStructure>,
}

/// What is known of a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StepStructure {
    /// The kind of process that takes it; processes of one kind have the same steps.
    pub actor: u32,
    /// Where it is in the text.
    pub site: SiteId,
    /// The conditions that must all hold for it to be taken, each by the places that it reads.
    pub guards: Vec<Vec<PlaceId>>,
    /// What decides whether it can be taken and what it does, guards included; sorted.
    pub reads: Vec<PlaceId>,
    /// What it may change; sorted.
    pub writes: Vec<PlaceId>,
    /// Whether it is one assignment to a known element that cannot fail: then the values that are
    /// read determine the state after it.
    pub is_exact: bool,
}

impl StepStructure {
    /// Whether the two may be taken in either order, with the same effect and without enabling or
    /// disabling each other.
    pub fn is_independent_of(&self, other: &StepStructure) -> bool {
        let apart = |a: &[PlaceId], b: &[PlaceId]| a.iter().all(|x| b.binary_search(x).is_err());
        apart(&self.writes, &other.reads)
            && apart(&other.writes, &self.reads)
            && apart(&self.writes, &other.writes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_independent_if_neither_writes_what_the_other_uses() {
        let step = |reads: &[usize], writes: &[usize]| StepStructure {
            actor: 0,
            site: SiteId::new(0),
            guards: Vec::new(),
            reads: reads.iter().copied().map(PlaceId::new).collect(),
            writes: writes.iter().copied().map(PlaceId::new).collect(),
            is_exact: false,
        };
        let (a, b) = (step(&[0, 2], &[0]), step(&[1, 2], &[1]));
        assert!(a.is_independent_of(&b) && b.is_independent_of(&a));
        for other in [step(&[0], &[]), step(&[], &[0]), step(&[3], &[2])] {
            assert!(!a.is_independent_of(&other) && !other.is_independent_of(&a));
        }
    }
}
