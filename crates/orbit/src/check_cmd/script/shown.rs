//! Counterexamples in the names of the script.

use base::{SourceId, Sources, Span};
use check::refinement::counterexample::{Counterexample, DoneBy, Kind, Run};
use cspm::compile::{Compiled, called};
use cspm::eval::Script;
use cspm::operate::Operator;
use cspm::process::{Event, Term, TermId, Terms};
use model::network::{Label, Move, Network};
use report::events::{End, EventStep, Events, Part, Place};
use report::{Run as Told, Violated};
use std::collections::HashMap;

/// How many events are named that a component is ready for.
const N_READY_MAX: usize = 4;
/// How many operators within each other are looked through for a place in the text.
const N_LEVELS_MAX: usize = 8;

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
    /// The texts of the script.
    pub sources: &'a Sources,
    /// The script's own text.
    pub main: SourceId,
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

fn violated(message: &str, run: Events) -> Violated {
    Violated::new(message.to_owned(), Told::Events(Box::new(run)))
}

impl Teller<'_> {
    /// What a counterexample shows.
    pub fn counterexample(&self, shown: Counterexample) -> Violated {
        let Counterexample { run, kind } = shown;
        let mut told = self.run(&run);
        let message = match kind {
            Kind::NotAllowed { event, allowed } => {
                told.kind = "event";
                told.trace.pop();
                told.event = Some(self.label(event));
                told.allowed = vec![self.labels(&allowed)];
                "after this trace an event is not allowed"
            }
            Kind::Refusal { offered, allowed } => {
                told.kind = "refusal";
                told.offered = Some(self.labels(&offered));
                told.allowed = allowed.iter().map(|set| self.labels(set)).collect();
                "after this trace too little is offered"
            }
            Kind::Divergence { taus, loop_from } => {
                told.kind = "divergence";
                told.loop_from = Some(told.steps.len() + loop_from);
                told.steps.extend(self.steps(run.end(), &taus));
                if let Some(last) = taus.last() {
                    told.end = self.end(&last.state);
                }
                "after this trace τ can go on for ever"
            }
            Kind::Deadlock => {
                told.kind = "deadlock";
                "after this trace nothing is offered"
            }
            Kind::Nondeterminism {
                event,
                done_by,
                other,
            } => {
                told.kind = "nondeterminism";
                told.event = Some(self.label(event));
                if done_by == DoneBy::Run {
                    told.trace.pop();
                }
                told.other = Some(self.steps(&other.initial, &other.steps));
                "after this trace an event may be done or refused"
            }
            Kind::NoTrace { event } => {
                told.kind = "trace";
                told.event = Some(self.label(event));
                "after this trace the next event cannot be done"
            }
            Kind::Refused { event, offered } => {
                told.kind = "refusal";
                told.event = Some(self.label(event));
                told.offered = Some(self.labels(&offered));
                "after this trace the next event may be refused"
            }
        };
        violated(message, told)
    }

    /// A run that was looked for.
    pub fn trace(&self, run: &Run) -> Violated {
        violated("there is this trace", self.run(run))
    }

    /// A run, of which it is not said yet what it shows.
    fn run(&self, run: &Run) -> Events {
        Events {
            kind: "trace",
            trace: self.labels(&run.trace()),
            steps: self.steps(&run.initial, &run.steps),
            loop_from: None,
            event: None,
            offered: None,
            allowed: Vec::new(),
            end: self.end(run.end()),
            other: None,
        }
    }

    /// Steps in a row, the first of them from a state.
    fn steps(&self, start: &[u32], steps: &[Move]) -> Vec<EventStep> {
        let before = std::iter::once(start).chain(steps.iter().map(|step| &step.state[..]));
        let all = before.zip(steps);
        all.map(|(before, step)| self.step(before, step)).collect()
    }

    fn step(&self, before: &[u32], step: &Move) -> EventStep {
        let part = |&(leaf, label): &(u32, Label)| Part {
            name: self.names[leaf as usize].clone(),
            event: self.label(label),
            place: before
                .get(leaf as usize)
                .and_then(|&s| self.place(leaf as usize, s)),
        };
        EventStep {
            event: self.label(step.label),
            parts: step.parts.iter().map(part).collect(),
        }
    }

    /// Where the text stands that a component in a state is at.
    fn place(&self, leaf: usize, state: u32) -> Option<Place> {
        let component = &self.process.components[leaf];
        let term = match state == component.leaf.initial_state() {
            true => component.term,
            false => *component.origin.get(state as usize)?,
        };
        let span = self.span(term, N_LEVELS_MAX)?;
        let source = self.sources.get(span.source);
        let is_main = self.main == span.source;
        Some(Place {
            line: source.position(span.start as usize).line as u32,
            file: (!is_main).then(|| source.name().to_owned()),
        })
    }

    /// Where a process stands in the text, or the first of its operands that does.
    fn span(&self, term: TermId, n_levels: usize) -> Option<Span> {
        let operands: &[TermId] = match self.terms.get(self.behind(term)) {
            Term::Later(later) => return self.script.later_span(*later),
            Term::Hide(p, _) | Term::Rename(p, _) | Term::Compressed(_, p) => &[*p],
            Term::Then(p, q) | Term::Interrupt(p, q) | Term::Slide(p, q) => &[*p, *q],
            Term::Exception(p, _, q) | Term::SyncInterrupt(p, _, q) => &[*p, *q],
            Term::External(all) | Term::Parallel(_, all) | Term::SyncExternal(_, all) => all,
            Term::Alphabetised(all) => &all.iter().map(|part| part.1).collect::<Vec<_>>(),
            _ => &[],
        };
        let n_levels = n_levels.checked_sub(1)?;
        operands.iter().find_map(|&term| self.span(term, n_levels))
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
    fn end(&self, state: &[u32]) -> Vec<End> {
        let components = self.process.components.iter().zip(state).zip(&self.names);
        let named = components
            .enumerate()
            .map(|(leaf, ((part, &state), name))| {
                let process = match part.origin.get(state as usize) {
                    Some(_) if state == part.leaf.initial_state() => name.clone(),
                    Some(&term) => {
                        let name = called(self.behind(term), self.terms, self.script);
                        format!("{name}, ready for {}", self.ready(part.leaf.edges(state)))
                    }
                    None => "ended".to_owned(),
                };
                End {
                    name: name.clone(),
                    process,
                    place: self.place(leaf, state),
                }
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
