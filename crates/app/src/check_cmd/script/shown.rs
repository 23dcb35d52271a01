//! Counterexamples in the names of the script.

use check::refinement::counterexample::{Counterexample, DoneBy, Kind, Run};
use cspm::compile::{Compiled, called};
use cspm::eval::Script;
use cspm::operate::Operator;
use cspm::process::{Event, Term, TermId, Terms};
use report::script::{Shown, Step};
use std::collections::HashMap;
use system::network::{Label, Move, Network};

/// How many events are named that a component is ready for.
const N_READY_MAX: usize = 4;

/// Knows what everything is called.
pub struct Teller<'a> {
    /// The process that runs.
    pub process: &'a Compiled,
    /// Its components, by name.
    pub names: Vec<String>,
    /// Terms, for the states of components.
    pub terms: &'a Terms,
    /// The script, for its names.
    pub script: &'a Script,
    /// What states of compressed processes stand for.
    pub operator: &'a Operator,
}

/// The names of the components of a network; those with a name in common are numbered.
pub fn names(network: &Network) -> Vec<String> {
    let mut n_seen: HashMap<&str, usize> = HashMap::new();
    let leaves = network.leaves().iter();
    leaves
        .map(|leaf| {
            let n = n_seen.entry(leaf.name()).or_default();
            *n += 1;
            match *n {
                1 => leaf.name().to_string(),
                n => format!("{} ({n})", leaf.name()),
            }
        })
        .collect()
}

impl Teller<'_> {
    /// What a counterexample shows.
    pub fn counterexample(&self, shown: Counterexample) -> Shown {
        let Counterexample { run, kind } = shown;
        let mut told = self.run(&run);
        match kind {
            Kind::NotAllowed { event, allowed } => {
                told.kind = "event";
                told.message = "after this trace an event is not allowed".to_owned();
                told.trace.pop();
                told.event = Some(self.label(event));
                told.allowed = vec![self.labels(&allowed)];
            }
            Kind::Refusal { offered, allowed } => {
                told.kind = "refusal";
                told.message = "after this trace too little is offered".to_owned();
                told.offered = Some(self.labels(&offered));
                told.allowed = allowed.iter().map(|set| self.labels(set)).collect();
            }
            Kind::Divergence { taus, loop_from } => {
                told.kind = "divergence";
                told.message = "after this trace τ can go on for ever".to_owned();
                told.loop_from = Some(told.steps.len() + loop_from);
                told.steps.extend(taus.iter().map(|step| self.step(step)));
                if let Some(last) = taus.last() {
                    told.end = self.end(&last.state);
                }
            }
            Kind::Deadlock => {
                told.kind = "deadlock";
                told.message = "after this trace nothing is offered".to_owned();
            }
            Kind::Nondeterminism {
                event,
                done_by,
                other,
            } => {
                told.kind = "nondeterminism";
                told.message = "after this trace an event may be done or refused".to_owned();
                told.event = Some(self.label(event));
                if done_by == DoneBy::Run {
                    told.trace.pop();
                }
                told.other = Some(other.steps.iter().map(|step| self.step(step)).collect());
            }
            Kind::NoTrace { event } => {
                told.kind = "trace";
                told.message = "after this trace the next event cannot be done".to_owned();
                told.event = Some(self.label(event));
            }
            Kind::Refused { event, offered } => {
                told.kind = "refusal";
                told.message = "after this trace the next event may be refused".to_owned();
                told.event = Some(self.label(event));
                told.offered = Some(self.labels(&offered));
            }
        }
        told
    }

    /// A run that was looked for.
    pub fn trace(&self, run: &Run) -> Shown {
        Shown {
            kind: "trace",
            message: "there is this trace".to_owned(),
            ..self.run(run)
        }
    }

    fn run(&self, run: &Run) -> Shown {
        Shown {
            kind: "",
            message: String::new(),
            trace: self.labels(&run.trace()),
            steps: run.steps.iter().map(|step| self.step(step)).collect(),
            loop_from: None,
            event: None,
            offered: None,
            allowed: Vec::new(),
            end: self.end(run.end()),
            other: None,
        }
    }

    fn step(&self, step: &Move) -> Step {
        let parts = step.parts.iter();
        Step {
            event: self.label(step.label),
            parts: parts
                .map(|&(leaf, label)| (self.names[leaf as usize].clone(), self.label(label)))
                .collect(),
        }
    }

    fn label(&self, label: Label) -> String {
        match (label, label.as_event()) {
            (Label::TAU, _) => "τ".to_owned(),
            // The network knows the events that there were when it was compiled; a specification
            // may have met others since.
            (_, Some(event)) => self.script.event_name(Event::new(event as usize)),
            (_, None) => "✓".to_owned(),
        }
    }

    fn labels(&self, labels: &[Label]) -> Vec<String> {
        labels.iter().map(|&label| self.label(label)).collect()
    }

    /// Where the components are.
    fn end(&self, state: &[u32]) -> Vec<(String, String)> {
        let components = self.process.components.iter().zip(state).zip(&self.names);
        let named = components.map(|((part, &state), name)| {
            let process = match part.origin.get(state as usize) {
                Some(_) if state == part.leaf.initial_state() => name.clone(),
                Some(&term) => {
                    let name = called(self.behind(term), self.terms, self.script);
                    format!("{name}, ready for {}", self.ready(part.leaf.edges(state)))
                }
                None => "ended".to_owned(),
            };
            (name.clone(), process)
        });
        named.collect()
    }

    /// What can be done by these transitions, in short.
    fn ready(&self, edges: &[(Label, u32)]) -> String {
        let mut labels: Vec<Label> = edges.iter().map(|edge| edge.0).collect();
        labels.dedup();
        let mut names: Vec<String> = labels
            .iter()
            .take(N_READY_MAX)
            .map(|&l| self.label(l))
            .collect();
        match labels.len() {
            0 => return "nothing".to_owned(),
            n if n > N_READY_MAX => names.push(format!("{} more", n - N_READY_MAX)),
            _ => {}
        }
        names.join(", ")
    }

    /// The term that a state of a compressed process stands for.
    fn behind(&self, mut term: TermId) -> TermId {
        while let Term::State(system, state) = *self.terms.get(term) {
            term = self.operator.origin(system, state);
        }
        term
    }
}
