//! Ways of choosing representatives, as a search asks for them.

use crate::certified::Certified;
use crate::reducer::{Guarantee, Identity, Reducer};

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

    /// A reducer by the symmetries that were certified; or why there is none, in words that follow
    /// the name.
    fn reducer(&self, certified: &Certified) -> Result<Box<dyn Reducer>, String>;
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

    fn reducer(&self, certified: &Certified) -> Result<Box<dyn Reducer>, String> {
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
    fn reducer(&self, certified: &Certified) -> Result<Box<dyn Reducer>, String> {
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

    fn reducer(&self, _: &Certified) -> Result<Box<dyn Reducer>, String> {
        Ok(Box::new(Identity))
    }
}
