//! Counterexamples in the names of the model.

use check::refinement::Verdict;
use check::refinement::counterexample::{Counterexample, DoneBy, Kind, Run, StoredPair};
use group::Perm;
use model::network::claim::EventNames;
use model::network::{Label, Move};
use report::events::{End, EventStep, Events, Part, Place, StoredComponents};
use report::{Run as Told, Violated};

/// Puts counterexamples into names.
struct Teller<'a> {
    words: &'a dyn EventNames,
}

/// What a verdict shows, in names.
pub fn shown(words: &dyn EventNames, verdict: &Verdict) -> Option<Violated> {
    let teller = Teller { words };
    match verdict {
        Verdict::Violated(shown) => Some(teller.counterexample((**shown).clone())),
        Verdict::Holds(Some(run)) => Some(teller.trace(run)),
        Verdict::Holds(None) | Verdict::Unknown(_) => None,
    }
}

fn violated(message: &str, run: Events) -> Violated {
    Violated::new(message.to_owned(), Told::Events(Box::new(run)))
}

impl Teller<'_> {
    /// What a counterexample shows.
    fn counterexample(&self, shown: Counterexample) -> Violated {
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
    fn trace(&self, run: &Run) -> Violated {
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
            stored: run
                .stored
                .iter()
                .map(|stored| self.stored(stored))
                .collect(),
        }
    }

    /// What the search stored beside a state of a run.
    fn stored(&self, stored: &StoredPair) -> StoredComponents {
        let perm = Perm::from_bijection(stored.components.clone());
        let names = self.words.components();
        let cycles = perm.cycles().into_iter().map(|cycle| {
            let names: Vec<&str> = cycle.iter().map(|x| &*names[*x as usize]).collect();
            format!("({})", names.join(" "))
        });
        let cycles: String = cycles.collect();
        StoredComponents {
            n_steps: stored.n_steps,
            permutation: if cycles.is_empty() {
                "values within components".to_owned()
            } else {
                cycles
            },
            components: self.end(&stored.state),
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
            name: self.words.components()[leaf as usize].clone(),
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

    fn place(&self, leaf: usize, state: u32) -> Option<Place> {
        let (line, file) = self.words.place(leaf, state)?;
        Some(Place { line, file })
    }

    fn label(&self, label: Label) -> String {
        self.words.label(label)
    }

    fn labels(&self, labels: &[Label]) -> Vec<String> {
        labels.iter().map(|label| self.label(*label)).collect()
    }

    /// Where the components are.
    fn end(&self, state: &[u32]) -> Vec<End> {
        let names = self.words.components().iter().zip(state).enumerate();
        let named = names.map(|(leaf, (name, &state))| End {
            name: name.clone(),
            process: self.words.process(leaf, state),
            place: self.place(leaf, state),
        });
        named.collect()
    }
}
