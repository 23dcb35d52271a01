//! A strategy with the seed that it draws by.

use crate::Strategy;
use reduce::certified::Certified;
use reduce::reducer::{Guarantee, Reducer};
use reduce::strategy::Misfit;

/// A strategy, and a seed for those that draw at random.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seeded {
    /// Which.
    pub strategy: Strategy,
    /// Where its random numbers begin.
    pub seed: u64,
}

impl reduce::strategy::Strategy for Seeded {
    fn name(&self) -> &'static str {
        self.strategy.name()
    }

    fn guarantee(&self) -> Guarantee {
        self.strategy.guarantee()
    }

    fn uses_symmetry(&self) -> bool {
        self.strategy != Strategy::None
    }

    fn reducer(&self, certified: &Certified) -> Result<Box<dyn Reducer>, Misfit> {
        let made = self.strategy.with_seed(certified, self.seed);
        made.map_err(|refusal| refusal.reason)
    }
}
