//! Ways of choosing representatives, as a search asks for them.

use crate::certified::Certified;
use crate::reducer::{Guarantee, Identity, Reducer};
use group::Group;
use num_bigint::BigUint;

/// Why a strategy does not fit the symmetries of a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Misfit {
    /// It looks at processes, and states have none.
    NoProcesses,
    /// It draws values, and states are made of processes.
    NoValues,
    /// No two processes can be exchanged while all others stay.
    NoExchange,
    /// The group does not permute like columns freely, all at once.
    NoColumns,
    /// The group has too many elements.
    TooLarge {
        /// What all elements would be needed for.
        listed: Listed,
        /// How many elements there are.
        order: BigUint,
        /// How many there may be.
        order_max: u32,
    },
}

/// What all elements of a group are needed for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Listed {
    /// All images of a state are looked at.
    Images,
    /// All symmetries are kept.
    Symmetries,
    /// All images of a state are remembered.
    RememberedImages,
}

/// A way of choosing representatives.
pub trait Strategy: Send + Sync {
    /// What it is called.
    fn name(&self) -> &'static str;

    /// What is certain about it, for every model.
    fn guarantee(&self) -> Guarantee;

    /// Whether symmetry is looked for at all.
    fn uses_symmetry(&self) -> bool {
        true
    }

    /// Whether steps that break the symmetry are left aside until they are taken
    /// ([`crate::partial`]).
    fn is_partial(&self) -> bool {
        false
    }

    /// How the group is taken apart, in one line, if that is how representatives are chosen.
    fn taken_apart(&self, _group: &Group) -> Option<String> {
        None
    }

    /// A reducer by the symmetries that were certified; or why there is none.
    fn reducer(&self, certified: &Certified) -> Result<Box<dyn Reducer>, Misfit>;
}

/// The canonical form: one state for each orbit, for any group.
pub struct Exactly;

/// Every state represents itself.
pub struct Unreduced;

/// The canonical form under a group that shrinks with the steps that were taken.
pub struct Adaptive;

impl Strategy for Exactly {
    fn name(&self) -> &'static str {
        "canonical"
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }

    fn reducer(&self, certified: &Certified) -> Result<Box<dyn Reducer>, Misfit> {
        Ok(crate::exact(certified))
    }
}

impl Strategy for Adaptive {
    fn name(&self) -> &'static str {
        "adaptive"
    }

    /// States with different annotations may represent the same.
    fn guarantee(&self) -> Guarantee {
        Guarantee::Approximate
    }

    fn is_partial(&self) -> bool {
        true
    }

    /// That of a model in which no step is left aside.
    fn reducer(&self, certified: &Certified) -> Result<Box<dyn Reducer>, Misfit> {
        Ok(crate::exact(certified))
    }
}

impl Strategy for Unreduced {
    fn name(&self) -> &'static str {
        "none"
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }

    fn uses_symmetry(&self) -> bool {
        false
    }

    fn reducer(&self, _: &Certified) -> Result<Box<dyn Reducer>, Misfit> {
        Ok(Box::new(Identity))
    }
}
