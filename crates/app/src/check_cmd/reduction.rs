//! The symmetry of a search: found, used, counted, audited.

use crate::detect::detect;
use crate::plan::{Detect, Strategy};
use base::Diagnostic;
use check::{Identity, NodeId, Reducer, Store, TreeStore};
use num_bigint::BigUint;
use reduce::Found;
use reduce::audit::Audit;
use reduce::canonical::Canonical;
use reduce::names::Names;
use std::time::{Duration, Instant};
use system::Machine;

/// What symmetry a search uses.
pub struct Reduction {
    found: Option<Found>,
    canonical: Option<Canonical>,
    identity: Identity,
    elapsed: Duration,
}

impl Reduction {
    /// Looks for the symmetry of a model, if that was asked for.
    ///
    /// A generator that was given and is no symmetry is refused.
    pub fn of(
        strategy: Strategy,
        plan: &Detect,
        machine: &Machine,
    ) -> Result<Reduction, Diagnostic> {
        let start = Instant::now();
        let detected = match strategy {
            Strategy::None => None,
            Strategy::Canonical => detect(plan, machine),
        };
        if let Some(rejected) = detected.as_ref().and_then(|d| d.rejected.first()) {
            return Err(rejected.diagnostic());
        }
        let found = detected.map(|detected| detected.found);
        let moving = found.as_ref().filter(|found| !found.certified.group().is_trivial());
        let canonical = moving.map(|found| Canonical::new(&found.certified));
        Ok(Reduction {
            canonical,
            found,
            identity: Identity,
            elapsed: start.elapsed(),
        })
    }

    /// Whether every state stands for itself.
    pub fn is_trivial(&self) -> bool {
        self.canonical.is_none()
    }

    /// Who chooses representatives.
    pub fn reducer(&mut self) -> &mut dyn Reducer {
        match &mut self.canonical {
            Some(canonical) => canonical,
            None => &mut self.identity,
        }
    }

    /// How many states there would be without reduction, from the sizes of orbits; `None` if that
    /// does not follow from them.
    ///
    /// # Requires
    /// The search was complete.
    pub fn full_states(&mut self, store: &mut TreeStore) -> Option<BigUint> {
        let Some(canonical) = &mut self.canonical else {
            return Some(BigUint::from(store.len()));
        };
        // While the making goes on and others move, states come about that are alike and are not
        // all reached.
        if self.found.as_ref().is_none_or(|found| found.population.interleaved) {
            return None;
        }
        let mut state = Vec::new();
        let mut total = BigUint::ZERO;
        for n in 0..store.len() {
            store.load(NodeId::new(n), &mut state);
            total += canonical.orbit_size(&state);
        }
        Some(total)
    }

    /// Checks on every state that was stored that symmetries carry moves into moves.
    pub fn audit(&self, machine: &Machine, store: &mut TreeStore) -> Result<(), Diagnostic> {
        let Some(found) = &self.found else {
            return Ok(());
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
        Ok(())
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
            strategy: "canonical".to_owned(),
            exact: true,
            full_states: full.map(|n| n.to_string()),
            detect: self.elapsed,
        })
    }
}
