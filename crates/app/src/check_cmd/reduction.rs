//! The symmetry of a search: found, used, counted, audited.

use crate::detect::{detect, detect_largest};
use crate::plan::{Detect, Rules, SearchPlan};
use base::Diagnostic;
use check::{Guarantee, Identity, NodeId, Reducer, Store, TreeStore};
use num_bigint::BigUint;
use reduce::Found;
use reduce::audit::Audit;
use reduce::canonical::Canonical;
use reduce::names::Names;
use reduce::strategy::Strategy;
use std::time::{Duration, Instant};
use system::population::Start;
use system::structure::Bearer;
use system::{Machine, StepText, System};

/// What symmetry a search uses.
pub struct Reduction {
    strategy: Strategy,
    found: Option<Found>,
    reducer: Box<dyn Reducer>,
    elapsed: Duration,
}

impl Reduction {
    /// Looks for the symmetry of a model, if that was asked for; or says why the strategy does not
    /// fit it, or which generator that was given is no symmetry.
    pub fn of(plan: &SearchPlan) -> Result<Reduction, Diagnostic> {
        let start = Instant::now();
        let (strategy, machine) = (plan.manner.reduce, &plan.model.machine);
        // Who wants to count orbits, or to compare with others, needs symmetries of the start.
        let counts = plan.manner.count_full || plan.model.rules != Rules::Own;
        let free = !counts && matches!(plan.detect, Detect::Structure);
        let detected = match strategy {
            Strategy::None => None,
            _ if free => detect_largest(machine),
            _ => detect(&plan.detect, machine),
        };
        if let Some(refused) = detected.as_ref().and_then(|found| found.refusal()) {
            return Err(refused);
        }
        let found = detected.map(|detected| detected.found);
        let reducer = match &found {
            Some(found) => strategy.reducer(&found.certified).map_err(|refusal| {
                Diagnostic::unlocated(format!("`--reduce {strategy}` {}", refusal.reason))
                    .note("`--reduce canonical`, the default, fits every group")
            })?,
            None => Box::new(Identity),
        };
        Ok(Reduction {
            strategy,
            found,
            reducer,
            elapsed: start.elapsed(),
        })
    }

    /// Whether every state stands for itself.
    pub fn is_trivial(&self) -> bool {
        self.strategy == Strategy::None || self.moving().is_none()
    }

    /// What was found, if a state can be moved by it.
    fn moving(&self) -> Option<&Found> {
        let found = self.found.as_ref();
        found.filter(|found| !found.certified.lean().1.is_trivial())
    }

    /// Who chooses representatives.
    pub fn reducer(&mut self) -> &mut dyn Reducer {
        &mut *self.reducer
    }

    /// How many states there would be without reduction, from the sizes of orbits; `None` if that
    /// does not follow from them.
    ///
    /// # Requires
    /// The search was complete.
    pub fn full_states(&mut self, store: &mut TreeStore) -> Option<BigUint> {
        let Some(found) = self.moving() else {
            return Some(BigUint::from(store.len()));
        };
        // While the making goes on and others move, states come about that are alike and are not
        // all reached.
        let starts = found.population.start == Start::Free;
        if starts || found.population.interleaved || self.reducer.guarantee() != Guarantee::Exact {
            return None;
        }
        let mut canonical = Canonical::new(&found.certified);
        let mut state = Vec::new();
        let mut total = BigUint::ZERO;
        for n in 0..store.len() {
            store.load(NodeId::new(n), &mut state);
            total += canonical.orbit_size(&state);
        }
        Some(total)
    }

    /// Checks on every state that was stored that symmetries carry moves into moves.
    pub fn audit(&self, machine: &Machine, store: &mut TreeStore) {
        let Some(found) = &self.found else {
            return;
        };
        let mut audits = [
            Audit::new(machine, &found.certified),
            Audit::lean(machine, &found.certified),
        ];
        let mut state = Vec::new();
        for n in 0..store.len() {
            store.load(NodeId::new(n), &mut state);
            for audit in &mut audits {
                if let Err(unequal) = audit.check(&state) {
                    let generator = &self.generators()[unequal.generator];
                    let what = unequal.what;
                    panic!("{what:?} of a state and of its image differ, under {generator}");
                }
            }
        }
    }

    /// The steps that cannot be taken, given those that the search took: a step can be taken if one
    /// that a symmetry carries to it was. `None` where that does not follow.
    pub fn unreached(&self, machine: &Machine, covered: &[bool]) -> Option<Vec<StepText>> {
        let mut covered = covered.to_vec();
        if let Some(found) = &self.found {
            let certified = &found.certified;
            let bearers = &certified.act().points().bearers;
            let is_location = |bearer: &Bearer| matches!(bearer, Bearer::Location(..));
            // The steps of loops that were replaced have no images.
            let loops = !found.sorts.unordered.is_empty() && bearers.iter().any(is_location);
            let moves = !certified.group().is_trivial();
            let free = found.population.start == Start::Free;
            if moves && (loops || free || found.population.interleaved) {
                return None;
            }
            certified.close_coverage(&mut covered);
        }
        Some(machine.not_covered(&covered))
    }

    /// The generators in the model's own words.
    fn generators(&self) -> Vec<String> {
        let Some(found) = &self.found else {
            return Vec::new();
        };
        let names = Names::new(&found.sorts, &found.population);
        let bearers = &found.certified.act().points().bearers;
        let generators = found.certified.group().generators().iter();
        generators.map(|g| names.cycles(bearers, g)).collect()
    }

    /// What is told about it.
    pub fn summary(&self, full: Option<BigUint>) -> Option<report::Symmetry> {
        let found = self.found.as_ref()?;
        let group = found.certified.group();
        Some(report::Symmetry {
            order: group.order().to_string(),
            structure: group::shape::name::describe(group).to_string(),
            generators: self.generators(),
            strategy: self.strategy.name().to_owned(),
            guarantee: self.reducer.guarantee(),
            full_states: full.map(|n| n.to_string()),
            detect: self.elapsed,
        })
    }
}
