//! A space as it is explored: state after state, each with its transitions.

use super::words::{LabelIndex, LabelWords};
use super::{LabelId, LabelNotation, Operation, Space};
use crate::picture::NodeKinds;

/// A space that is being explored.
///
/// States are numbered in the order in which they are met ([`SpaceBuilder::state`]), and expanded
/// in the order of their numbers ([`SpaceBuilder::transition`], then [`SpaceBuilder::expanded`]).
/// States that are not expanded at the end are marked so.
pub struct SpaceBuilder {
    space: Space,
    index: LabelIndex,
}

impl SpaceBuilder {
    /// Nothing yet.
    pub fn new(notation: LabelNotation) -> SpaceBuilder {
        SpaceBuilder {
            space: Space {
                words: LabelWords::new(notation),
                first: vec![0],
                labels: Vec::new(),
                targets: Vec::new(),
                depths: Vec::new(),
                kinds: Vec::new(),
                orbits: Vec::new(),
                numbers: Vec::new(),
                is_cut: false,
            },
            index: LabelIndex::default(),
        }
    }

    /// The number of a label.
    pub fn label(&mut self, operation: &Operation, arguments: &[&str]) -> LabelId {
        let words = &mut self.space.words;
        words.enter(&mut self.index, operation, arguments)
    }

    /// A new state, and its number.
    pub fn state(&mut self, depth: u32, kinds: NodeKinds) -> u32 {
        self.space.depths.push(depth);
        self.space.kinds.push(kinds);
        self.space.kinds.len() as u32 - 1
    }

    /// How many states there are.
    pub fn n_states(&self) -> usize {
        self.space.n_states()
    }

    /// How many transitions there are.
    pub fn n_transitions(&self) -> usize {
        self.space.n_transitions()
    }

    /// How deep a state is.
    pub fn depth(&self, state: u32) -> u32 {
        self.space.depth(state)
    }

    /// How many states are expanded: the number of the one whose transitions are entered now.
    pub fn n_expanded(&self) -> usize {
        self.space.first.len() - 1
    }

    /// A transition of the state whose turn it is.
    pub fn transition(&mut self, label: LabelId, target: u32) {
        self.space.labels.push(label.index() as u32);
        self.space.targets.push(target);
    }

    /// All transitions of the state whose turn it is were entered: equal ones become one.
    pub fn expanded(&mut self) {
        let space = &mut self.space;
        let from = *space.first.last().expect("a beginning") as usize;
        let labels = space.labels[from..].iter().copied();
        let mut both: Vec<(u32, u32)> = labels.zip(space.targets[from..].iter().copied()).collect();
        both.sort_unstable();
        both.dedup();
        space.labels.truncate(from);
        space.targets.truncate(from);
        space.labels.extend(both.iter().map(|(label, _)| label));
        space.targets.extend(both.iter().map(|(_, target)| target));
        let end = u32::try_from(space.targets.len()).expect("fewer than 2^32 transitions");
        space.first.push(end);
    }

    /// Adds to what a state is.
    pub fn mark(&mut self, state: u32, kinds: NodeKinds) {
        self.space.mark(state, kinds);
    }

    /// How many states of the unreduced system each state represents, in order.
    pub fn orbits(&mut self, orbits: Vec<u64>) {
        self.space.orbits = orbits;
    }

    /// What was explored.
    ///
    /// # Requires
    /// Each target is a state, and there are orbits of all states or of none.
    pub fn finish(self) -> Space {
        let mut space = self.space;
        let n = space.n_states();
        let n_expanded = space.first.len() - 1;
        assert!(n_expanded <= n, "{n_expanded} expanded of {n} states");
        let stray = space.targets.iter().find(|t| **t as usize >= n);
        assert!(stray.is_none(), "target {stray:?} of {n} states");
        assert!(space.orbits.is_empty() || space.orbits.len() == n);
        // What was entered of a state whose turn was not over does not count.
        let end = space.first[n_expanded];
        space.labels.truncate(end as usize);
        space.targets.truncate(end as usize);
        space.is_cut = n_expanded < n;
        space.first.resize(n + 1, end);
        for kinds in &mut space.kinds[n_expanded..] {
            *kinds = kinds.with(NodeKinds::UNEXPANDED);
        }
        space
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phone_book() -> SpaceBuilder {
        let mut builder = SpaceBuilder::new(LabelNotation::Call);
        let add = builder.label(&Operation::named("add"), &["Name1"]);
        let delete = builder.label(&Operation::named("delete"), &["Name1"]);
        let empty = builder.state(0, NodeKinds::INITIAL);
        let full = builder.state(1, NodeKinds::default());
        builder.transition(add, full);
        builder.transition(add, full);
        builder.expanded();
        builder.transition(delete, empty);
        builder
    }

    #[test]
    fn equal_transitions_are_one_and_labels_have_words() {
        let mut builder = phone_book();
        builder.expanded();
        let space = builder.finish();
        assert_eq!((space.n_states(), space.n_transitions()), (2, 2));
        let step = space.transitions(0).next().expect("a transition");
        assert_eq!(step.target, 1);
        assert_eq!(space.label_text(step.label), "add(Name1)");
        assert_eq!(space.partial_text(step.label, &|_| false), "add");
        assert!(!space.is_cut());
        assert_eq!(space.backwards().sources(0), [1]);
    }

    #[test]
    fn a_state_whose_turn_did_not_come_or_end_is_not_expanded() {
        let space = phone_book().finish();
        assert!(space.is_cut());
        assert!(space.kinds(1).has(NodeKinds::UNEXPANDED));
        assert_eq!(space.n_transitions(), 1);
        assert_eq!(space.transitions(1).count(), 0);
    }

    #[test]
    fn a_part_keeps_the_numbers_of_the_whole() {
        let mut builder = phone_book();
        builder.expanded();
        let part = builder.finish().restricted(&[false, true]);
        assert_eq!((part.n_states(), part.n_transitions()), (1, 0));
        assert_eq!(part.number(0), 1);
        assert_eq!(part.depth(0), 1);
    }
}
