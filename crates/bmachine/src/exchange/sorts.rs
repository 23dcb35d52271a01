//! Members of the sets of a machine as members of the sets of another one.
//!
//! A refinement and what it refines number their sets and elements each in their own way; equal
//! names mean the same. Questions are about the *main* machine, the refinement.
//!
//! Worked example: the refinement has `SETS E = {p, q}`, what it refines has `SETS D; E = {q, p}`.
//! There element 0 of set 1 is `q`, which is element 1 of set 0 of the main machine.

use crate::typed::{Machine, SortId};

/// What an element is called by.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum ElementName {
    /// A member of a sort of the main machine.
    Main(SortId, usize),
    /// A member of a set that the main machine does not have.
    Foreign(SortId, usize),
    /// Said to be in a set of the main machine (the first) that has no such element; where it was
    /// found, it is this one of that set.
    Unmatched(SortId, SortId, usize),
}

/// How the sets of a machine are called in the main machine.
pub(super) struct SortNames {
    /// By sort of the machine: which sort it is there, and by element which one.
    sorts: Vec<Option<(SortId, ElementNaming)>>,
}

/// How elements of a set are called.
enum ElementNaming {
    /// As they are: of sets without names, and of the main machine itself.
    AsTheyAre,
    /// By number.
    Renamed(Vec<Option<usize>>),
    /// One of the two machines has names for them and the other has not.
    Unmatched,
}

impl SortNames {
    /// The sets of `machine` as `main` calls them.
    pub fn new(machine: &Machine, main: &Machine) -> SortNames {
        let sorts = machine.sorts.iter().map(|own| {
            let same = main.sorts.iter().position(|sort| sort.name == own.name)?;
            let members = match (&own.elements, &main.sorts[same].elements) {
                (None, None) => ElementNaming::AsTheyAre,
                (Some(own), Some(main)) => {
                    let number = |name: &String| main.iter().position(|other| other == name);
                    ElementNaming::Renamed(own.iter().map(number).collect())
                }
                (None, Some(_)) | (Some(_), None) => ElementNaming::Unmatched,
            };
            Some((SortId::new(same), members))
        });
        SortNames {
            sorts: sorts.collect(),
        }
    }

    /// What an element is called in the main machine.
    pub fn named(&self, sort: SortId, element: usize) -> ElementName {
        let Some((main, members)) = &self.sorts[sort.index()] else {
            return ElementName::Foreign(sort, element);
        };
        let number = match members {
            ElementNaming::AsTheyAre => Some(element),
            ElementNaming::Renamed(numbers) => numbers.get(element).copied().flatten(),
            ElementNaming::Unmatched => None,
        };
        match number {
            Some(number) => ElementName::Main(*main, number),
            None => ElementName::Unmatched(*main, sort, element),
        }
    }
}
