//! What was found on the way: each thing once, with the path on which it was seen first.

use crate::frontier::Visit;
use crate::outcome::Violation;
use std::collections::BTreeMap;

/// What was found so far.
pub struct Findings<W> {
    list: Vec<Found<W>>,
    places: BTreeMap<Violation, usize>,
    n_errors: u64,
}

/// A thing that was found.
pub struct Found<W> {
    /// What.
    pub violation: Violation,
    /// The states of the path to where it was seen first; none if it is before the initial states.
    pub path: Vec<Visit<W>>,
    /// How many times it was seen.
    pub n_seen: u64,
}

impl<W> Default for Findings<W> {
    fn default() -> Findings<W> {
        Findings {
            list: Vec::new(),
            places: BTreeMap::new(),
            n_errors: 0,
        }
    }
}

impl<W> Findings<W> {
    /// Counts a thing that was seen; asks for the path only if it is new.
    pub fn note(&mut self, violation: Violation, path: impl FnOnce() -> Vec<Visit<W>>) {
        self.n_errors += u64::from(violation.is_error());
        let next = self.list.len();
        let place = *self.places.entry(violation).or_insert(next);
        if place == next {
            self.list.push(Found {
                violation,
                path: path(),
                n_seen: 0,
            });
        }
        self.list[place].n_seen += 1;
    }

    /// How many errors were seen, each time counted.
    pub fn n_errors(&self) -> u64 {
        self.n_errors
    }

    /// The same, to be kept.
    pub fn into_list(self) -> Vec<Found<W>> {
        self.list
    }

    /// What was found, in the order in which it was found first.
    pub fn list(&self) -> &[Found<W>] {
        &self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::NodeId;
    use system::SiteId;
    use system::{Fault, FaultKind};

    #[test]
    fn each_thing_is_kept_once_with_its_first_path() {
        let fault = |kind, site| {
            Violation::Fault(Fault {
                kind,
                site: SiteId::new(site),
            })
        };
        let path = |number| {
            let node = NodeId::new(number);
            vec![Visit { node, way: () }]
        };
        let mut found = Findings::default();
        found.note(fault(FaultKind::Index, 1), || path(5));
        found.note(Violation::Deadlock, || path(6));
        found.note(fault(FaultKind::Index, 1), || {
            unreachable!("the path is there")
        });
        found.note(fault(FaultKind::Index, 2), || path(8));
        found.note(fault(FaultKind::Endless, 2), || path(9));
        let seen: Vec<(usize, u64)> = found
            .list()
            .iter()
            .map(|found| (found.path[0].node.index(), found.n_seen))
            .collect();
        assert_eq!(seen, [(5, 2), (6, 1), (8, 1), (9, 1)]);
        assert_eq!(found.n_errors(), 4, "steps that do not end are no error");
    }
}
