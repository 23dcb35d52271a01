//! The symmetry of a search: found, used, counted, audited.

use crate::details;
use crate::detect::{Detected, detect, detect_if, detect_largest};
use crate::plan::{Detect, Listing, Rules, SearchPlan};
use base::{Clock, Diagnostic};
use check::{Guarantee, Identity, NodeId, Reducer, StopReason, Store, Symmetry, TreeStore};
use model::Machine;
use model::processes::population::Start;
use num_bigint::BigUint;
use reduce::audit::Audit;
use reduce::canonical::Canonical;
use reduce::processes::Found;
use reduce::processes::names::Names;
use reduce::processes::sort::Sends;
use reduce::processes::structure::Bearer;
use std::time::{Duration, Instant};
use strategies::Strategy;
use system::{StepText, System};

/// What symmetry a search uses.
pub struct Reduction {
    strategy: Strategy,
    found: Option<Found>,
    /// What is told of it beside the group, if somebody wants to read it.
    details: Option<report::Details>,
    reducer: Box<dyn Reducer>,
    elapsed: Duration,
    clock: Clock<'static>,
}

/// Why there is no search.
pub struct Refusal {
    /// In words.
    pub why: Diagnostic,
    /// Generators that were given and are none.
    pub rejected: Vec<report::Rejected>,
}

/// How many states are looked at between two looks at the clock.
pub const TICKS: usize = 64;

impl Reduction {
    /// Looks for the symmetry of a model, if that was asked for; or says why the strategy does not
    /// fit it, or which generator that was given is no symmetry.
    pub fn of(plan: &SearchPlan, sends: Sends) -> Result<Reduction, Refusal> {
        Reduction::over(&plan.model.machine, plan, sends)
    }

    /// The same for another machine of the model.
    pub fn over(machine: &Machine, plan: &SearchPlan, sends: Sends) -> Result<Reduction, Refusal> {
        let start = Instant::now();
        let strategy = plan.manner.reduce;
        // Who wants to count orbits, or to compare with others, needs symmetries of the start.
        let manner = &plan.manner;
        let is_counted = manner.count_full || manner.self_check;
        let counts = is_counted || plan.model.rules != Rules::Own;
        let free = !counts && matches!(plan.detect, Detect::Structure);
        let detected = match (strategy, &plan.detect) {
            (Strategy::None, _) => None,
            _ if free => detect_largest(machine, sends, manner.clock),
            (_, Detect::Structure) => detect_if(machine, sends, manner.clock),
            (_, elsewhere) => detect(elsewhere, machine),
        };
        let elapsed = start.elapsed();
        if let Some(why) = detected.as_ref().and_then(|found| found.refusal()) {
            let rejected = detected.into_iter().flat_map(|d| d.rejected);
            return Err(Refusal {
                why,
                rejected: rejected.map(|r| r.told).collect(),
            });
        }
        let details = match (&detected, plan.manner.details) {
            (Some(detected), Listing::Shown) => Some(told(detected)),
            _ => None,
        };
        let found = detected.map(|detected| detected.found);
        let start = Instant::now();
        let mut reduction = Reduction {
            strategy,
            found,
            details,
            clock: manner.clock,
            ..Reduction::none()
        };
        reduction.reducer = reduction.another_reducer()?;
        reduction.elapsed = elapsed + start.elapsed();
        Ok(reduction)
    }

    /// One more that chooses representatives, and has seen no state yet; or why the strategy does
    /// not fit the symmetry.
    pub fn another_reducer(&self) -> Result<Box<dyn Reducer>, Refusal> {
        let Reduction {
            strategy, found, ..
        } = self;
        let Some(found) = found else {
            return Ok(Box::new(Identity));
        };
        let made = strategy.reducer(&found.certified.certified());
        let mut reducer = made.map_err(|refusal| {
            let message = format!("`--reduce {strategy}` {}", refusal.reason);
            Refusal {
                why: Diagnostic::unlocated(message)
                    .note("`--reduce canonical`, the default, fits every group"),
                rejected: Vec::new(),
            }
        })?;
        reducer.limit_time(self.clock);
        Ok(reducer)
    }

    /// None.
    pub fn none() -> Reduction {
        Reduction {
            strategy: Strategy::None,
            found: None,
            details: None,
            reducer: Box::new(Identity),
            elapsed: Duration::ZERO,
            clock: Clock::ENDLESS,
        }
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

    /// How many elements the group has; `None` if none was looked for.
    pub fn order(&self) -> Option<String> {
        let found = self.found.as_ref()?;
        Some(found.certified.group().order().to_string())
    }

    /// Which process a symmetry makes of a process.
    pub fn carry(&self) -> impl Fn(&Symmetry, u32) -> u32 + use<> {
        let lean = self.found.as_ref().map(|found| found.certified.lean().0);
        let points = lean.map(|act| act.points().clone());
        move |symmetry, actor| {
            let Some(points) = &points else {
                return actor;
            };
            let point = points.process(actor as i32) as usize;
            let image = symmetry.image().get(point);
            image.map_or(actor, |to| points.values[*to as usize] as u32)
        }
    }

    /// Who chooses representatives.
    pub fn reducer(&mut self) -> &mut dyn Reducer {
        &mut *self.reducer
    }

    /// How many states there would be without reduction, from the sizes of orbits; or why that
    /// does not follow from them, or is not known in time.
    ///
    /// # Requires
    /// The search was complete.
    pub fn full_states(
        &mut self,
        store: &mut TreeStore,
        clock: Clock<'_>,
    ) -> Result<BigUint, String> {
        let Some(found) = self.moving() else {
            return Ok(BigUint::from(store.len()));
        };
        let reason = match () {
            () if found.population.start == Start::Free => "symmetries do not keep the start",
            // States come about that are alike and are not all reached.
            () if found.population.interleaved => "processes are made while others move",
            () if self.reducer.guarantee() != Guarantee::Exact => {
                "an orbit may have several states"
            }
            () => "",
        };
        if !reason.is_empty() {
            return Err(reason.to_owned());
        }
        let mut canonical = Canonical::new(&found.certified.certified());
        let mut state = Vec::new();
        let mut total = BigUint::ZERO;
        for n in 0..store.len() {
            if let Err(over) = clock.ask_at(n, TICKS) {
                return Err(over_words(over.into(), n, store.len()));
            }
            store.load(NodeId::new(n), &mut state);
            total += canonical.orbit_size(&state);
        }
        Ok(total)
    }

    /// Checks on every state that was stored that symmetries carry moves into moves; if a limit
    /// comes first, which and when.
    pub fn audit(
        &self,
        machine: &Machine,
        store: &mut TreeStore,
        clock: Clock<'_>,
    ) -> Option<(StopReason, String)> {
        let found = self.found.as_ref()?;
        let mut audits = [
            Audit::new(machine, &found.certified.whole()),
            Audit::new(machine, &found.certified.certified()),
        ];
        let mut state = Vec::new();
        for n in 0..store.len() {
            if let Err(over) = clock.ask_at(n, TICKS) {
                let reason = StopReason::from(over);
                return Some((reason, over_words(reason, n, store.len())));
            }
            store.load(NodeId::new(n), &mut state);
            for audit in &mut audits {
                if let Err(unequal) = audit.check(&state) {
                    let generator = &self.generators()[unequal.generator];
                    let what = unequal.what;
                    panic!("{what:?} of a state and of its image differ, under {generator}");
                }
            }
        }
        None
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
    pub fn summary(&self, full: Option<Result<BigUint, String>>) -> Option<report::Symmetry> {
        let found = self.found.as_ref()?;
        let group = found.certified.group();
        Some(report::Symmetry {
            order: group.order().to_string(),
            structure: Some(group::shape::name::describe(group).to_string()),
            generators: self.generators(),
            strategy: self.strategy.name().to_owned(),
            guarantee: self.reducer.guarantee(),
            full_states: full.map(|counted| counted.map(|n| n.to_string())),
            detect: Some(self.elapsed),
            details: self.details.clone(),
        })
    }
}

/// What a program may want to know of it.
fn told(detected: &Detected) -> report::Details {
    let refused = detected.rejected.iter().map(|r| r.told.clone());
    details::all(&detected.found, refused.collect(), detected.is_partial)
}

/// What came first, and how far it went.
pub fn over_words(reason: StopReason, n: usize, n_all: usize) -> String {
    let what = match reason {
        StopReason::Interrupted => "it was interrupted",
        _ => "the time limit came first",
    };
    format!("{what}, after {n} of {n_all} states")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check_cmd::search::options;
    use crate::plan::CheckPlan;
    use crate::plan::check_plan_of;
    use check::{Ended, Parts};
    use std::sync::atomic::AtomicBool;

    fn plan(flags: &[&str]) -> Box<SearchPlan> {
        let text = include_str!("../../../../models/promela/mutex.pml");
        let test = format!("reduction-{}", flags.len());
        let CheckPlan::Search(plan) = check_plan_of(text, flags, &test) else {
            panic!("nothing is searched")
        };
        plan
    }

    /// A complete search of mutex for five, and what is left of it.
    fn searched(plan: &SearchPlan) -> (Reduction, TreeStore) {
        let Ok(mut reduction) = Reduction::of(plan, Sends::Wait) else {
            panic!("the strategy is refused")
        };
        let mut store = TreeStore::new();
        let parts = Parts {
            reducer: reduction.reducer(),
            store: &mut store,
        };
        let machine = &plan.model.machine;
        let outcome = check::explore_with(machine, parts, &options(plan), &mut |_| ());
        assert!(outcome.is_ok_and(|outcome| outcome.ended == Ended::Complete));
        (reduction, store)
    }

    #[test]
    fn what_looks_at_all_states_ends_with_the_time() {
        let plan = plan(&["--spin-compat", "--count-full", "--audit"]);
        let machine = &plan.model.machine;
        let (mut reduction, mut store) = searched(&plan);
        let enough = Clock::of(Some(Duration::from_secs(3600)));
        let full = reduction.full_states(&mut store, enough);
        assert_eq!(full, Ok(BigUint::from(113u32)));
        assert_eq!(reduction.audit(machine, &mut store, enough), None);
        let none = Clock::of(Some(Duration::ZERO));
        let words = "the time limit came first, after 0 of 12 states".to_owned();
        let full = reduction.full_states(&mut store, none);
        assert_eq!(full, Err(words.clone()));
        let cut = reduction.audit(machine, &mut store, none);
        assert_eq!(cut, Some((StopReason::Time, words)));
        let interrupted = AtomicBool::new(true);
        let clock = Clock::ENDLESS.interrupted_by(&interrupted);
        let cut = reduction.audit(machine, &mut store, clock);
        assert_eq!(cut.map(|(reason, _)| reason), Some(StopReason::Interrupted));
    }

    #[test]
    fn details_are_made_only_for_who_reads_them() {
        let mut plan = plan(&[]);
        assert_eq!(plan.manner.details, Listing::Hidden);
        assert!(
            Reduction::of(&plan, Sends::Wait).is_ok_and(|reduction| reduction.details.is_none())
        );
        plan.manner.details = Listing::Shown;
        assert!(
            Reduction::of(&plan, Sends::Wait).is_ok_and(|reduction| reduction.details.is_some())
        );
    }
}
