//! Symmetry that some steps break when they are taken: found, searched with, counted.

use super::{Reduction, Refusal, Wanted};
use crate::details;
use crate::detect::detect_if;
use crate::plan::Listing;
use base::Diagnostic;
use check::{
    Broken as Stuck, Guarantee, NodeId, Observer, Options, Order, Outcome, Parts, Store, TreeStore,
    Work,
};
use model::Machine;
use model::frontend::{Shape, Subject};
use reduce::processes::names::Names;
use reduce::processes::partial::{Broken, find_broken};
use reduce::strategy::Strategy;
use report::object::{Annotation, BreakingStep, Partial};
use report::reasons;
use std::collections::HashSet;
use std::time::Instant;

/// The steps, and what was counted.
pub(super) struct Partly {
    broken: Broken,
    /// Each step with its line and text.
    steps: Vec<BreakingStep>,
    n_generated: u64,
    /// By annotation.
    kept: Vec<u64>,
}

/// Why states that are made of values are not annotated.
pub(super) fn refusal(strategy: &dyn Strategy) -> Refusal {
    let message = format!("`--reduce {}` is for models of processes", strategy.name());
    Refusal {
        why: Diagnostic::unlocated(message)
            .note("`--reduce canonical`, the default, fits every machine"),
        rejected: Vec::new(),
    }
}

impl Reduction {
    /// Looks for steps that break the symmetry; if there are none to be left aside, the symmetry is
    /// that of all states, and a note says so.
    pub(super) fn partly(
        machine: &Machine,
        wanted: &Wanted<'_>,
        strategy: &'static dyn Strategy,
    ) -> Result<Reduction, Refusal> {
        let start = Instant::now();
        let clock = wanted.how.clock;
        let broken = match find_broken(machine, clock) {
            Ok(broken) => broken,
            Err(why) => {
                let detected = detect_if(machine, wanted.sends, clock);
                let mut plain = Reduction::of_processes(detected, wanted, strategy, start)?;
                let reason = reasons::not_partial(&why);
                plain.notes.push(format!(
                    "symmetry is used as by `--reduce canonical`; no step is left aside: {reason}"
                ));
                return Ok(plain);
            }
        };
        let model = machine.model();
        let steps = broken.steps.iter().map(|step| {
            let site = &model.sites[model.step(*step).site.index()];
            BreakingStep {
                line: site.line,
                text: site.within.shown(&site.text),
            }
        });
        let steps = steps.collect();
        let is_read = wanted.how.details == Listing::Shown;
        Ok(Reduction {
            strategy,
            details: is_read.then(|| details::all(&broken.whole, Vec::new(), false)),
            clock,
            elapsed: start.elapsed(),
            broken: Some(Box::new(Partly {
                steps,
                n_generated: 0,
                kept: Vec::new(),
                broken,
            })),
            ..Reduction::none()
        })
    }

    /// Searches annotated states, if there are such, and counts those that no other represents.
    pub fn explore(
        &mut self,
        subject: &dyn Subject,
        store: &mut TreeStore,
        options: &Options<'_>,
        observer: &mut Observer<'_>,
    ) -> Result<Outcome, Stuck> {
        let system = subject.system(self.starts());
        let (Some(partly), Shape::Processes(machine)) = (&mut self.broken, subject.shape()) else {
            let is_breadth = options.order == Order::Breadth;
            let lean = is_breadth.then(|| self.system_up_to(subject)).flatten();
            let reducer = self.reducer();
            let parts = Parts { reducer, store };
            let lean = lean.as_deref().unwrap_or(system);
            return check::explore_lean(lean, system, parts, options, observer);
        };
        let Partly { broken, .. } = &**partly;
        let mut reducer = broken.partial.reducer();
        let annotated = broken.over(machine, system);
        let parts = Parts {
            reducer: &mut reducer,
            store: &mut *store,
        };
        let mut outcome = check::explore_annotated(&annotated, parts, options, observer)?;
        drop(annotated);
        let mut states = HashSet::new();
        for n in 0..store.len() {
            let mut state = Vec::new();
            store.load(NodeId::new(n), &mut state);
            states.insert(state);
        }
        partly.n_generated = outcome.counts.n_states;
        partly.kept = partly.broken.partial.kept(&states);
        outcome.counts.n_states = partly.kept.iter().sum();
        Ok(outcome)
    }
}

impl Partly {
    /// What is told of it.
    pub fn summary(&self, reduction: &Reduction) -> report::Symmetry {
        let whole = &self.broken.whole;
        let group = whole.certified.group();
        let names = Names::new(&whole.sorts, &whole.population);
        let bearers = &whole.certified.act().points().bearers;
        let generators = group.generators().iter();
        let n_steps = self.steps.len();
        let annotations = self.kept.iter().enumerate().map(|(n, states)| Annotation {
            steps: (0..n_steps).filter(|e| n >> e & 1 == 1).collect(),
            states: *states,
        });
        report::Symmetry {
            order: group.order().to_string(),
            structure: Some(group::shape::name::describe(group).to_string()),
            generators: generators.map(|g| names.cycles(bearers, g)).collect(),
            strategy: reduction.strategy.name().to_owned(),
            guarantee: Guarantee::Approximate,
            advice: None,
            taken_apart: None,
            full_states: None,
            n_orbits: None,
            n_partitions: None,
            work: Work::default(),
            detect: Some(reduction.elapsed),
            details: reduction.details.clone(),
            partial: Some(Partial {
                steps: self.steps.clone(),
                least_order: self.broken.partial.least().order().to_string(),
                groups: self.kept.len(),
                generated: self.n_generated,
                annotations: annotations.collect(),
            }),
        }
    }
}
