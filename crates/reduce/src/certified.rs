//! A group that was checked on the model, with its action on states: what reduction is made from.
//!
//! Certification of each kind of models makes it, and nothing else does; a reducer other than the
//! identity, a count of orbits and an audit are made only from it.

use crate::action::{Reader, Reads};
use crate::processes::reading::Reading;
use group::Group;
use std::sync::Arc;

/// A certified group and its action.
#[derive(Clone)]
pub struct Certified {
    group: Group,
    reads: Arc<dyn Reads>,
    /// The same states as packed records, where columns of these may be sorted.
    records: Option<Arc<Reading>>,
    assumption: Option<Arc<dyn Assumption>>,
}

/// What symmetries rest on that only states can show.
pub trait Assumption: Send + Sync {
    /// Whether it holds in `state`.
    fn holds(&self, state: &[u8]) -> bool;

    /// Whether something was assumed at all; if not, it holds in every state, unless we are wrong.
    fn is_made(&self) -> bool;
}

impl Certified {
    /// A group whose elements are symmetries.
    pub(crate) fn new(group: Group, reads: Arc<dyn Reads>) -> Certified {
        Certified {
            group,
            reads,
            records: None,
            assumption: None,
        }
    }

    /// The same for packed records of processes.
    pub(crate) fn of_records(group: Group, reading: Reading) -> Certified {
        let reading = Arc::new(reading);
        Certified {
            records: Some(reading.clone()),
            ..Certified::new(group, reading)
        }
    }

    /// The same, under an assumption.
    #[must_use]
    pub(crate) fn assuming(self, assumption: Arc<dyn Assumption>) -> Certified {
        Certified {
            assumption: Some(assumption),
            ..self
        }
    }

    /// The same for fewer symmetries.
    ///
    /// # Requires
    /// `group` is a subgroup.
    #[must_use]
    pub(crate) fn within(&self, group: Group) -> Certified {
        assert!(
            group.is_subgroup_of(&self.group),
            "symmetries that were not certified"
        );
        Certified {
            group,
            ..self.clone()
        }
    }

    /// The group, on the points of the action.
    pub fn group(&self) -> &Group {
        &self.group
    }

    /// How states are moved and read.
    pub fn reads(&self) -> &Arc<dyn Reads> {
        &self.reads
    }

    /// Reads states with scratch memory of its own.
    pub fn reader(&self) -> Reader {
        Reader::new(&self.reads)
    }

    /// The action as one on packed records, if it is one.
    pub fn records(&self) -> Option<&Reading> {
        self.records.as_deref()
    }

    /// What the symmetries rest on that only states can show.
    pub fn assumption(&self) -> Option<&Arc<dyn Assumption>> {
        self.assumption.as_ref()
    }
}
