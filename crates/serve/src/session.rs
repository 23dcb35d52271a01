//! States of the model and what can happen in them, as the page asks for them.
//!
//! States that were visited have numbers, and stay: a page names them by these.

use crate::seen::Seen;
use base::{Clock, Diagnostic};
use model::frontend::{Model, Purpose, Starts, Subject};
use report::change::{VariableValues, changed_values};
use report::object::{Named, Step};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::mpsc::{Sender, channel};
use std::thread::Builder;
use std::time::Duration;
use system::{Fault, FaultKind, Rest, Scratch, StepText, System, Taken};

/// More states than these are not kept.
const STATES_MAX: usize = 100_000;
/// More moves of a state are not shown.
const MOVES_MAX: usize = 300;
/// No longer than this is looked for the moves of a state.
const MOVES_TIME_MAX: Duration = Duration::from_secs(10);
/// A run of more steps is not followed.
const FOLLOWED_STEPS_MAX: usize = 2_000;

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// No state has this number.
    NoState,
    /// Too many states were visited.
    Full,
    /// The model does not start: what goes wrong.
    NoStart(String),
    /// Whoever steps through the model is gone.
    Bug,
}

impl Problem {
    /// In words.
    pub fn words(&self) -> String {
        match self {
            Problem::NoState => "there is no such state: load the page again".to_owned(),
            Problem::Full => format!("more than {STATES_MAX} states were visited; start anew"),
            Problem::Bug => {
                "a bug in orbit: what it was is printed where `orbit serve` runs".to_owned()
            }
            Problem::NoStart(why) => format!("the model does not start: {why}"),
        }
    }
}

/// A state, with all that a page shows of it.
#[derive(Clone, Debug, Serialize)]
pub struct StateObject {
    id: u32,
    values: VariableValues,
    locations: VariableValues,
    places: Vec<PlaceObject>,
    moves: Vec<MoveObject>,
    wrong: Vec<String>,
    rest: &'static str,
    cut: bool,
}

/// A line where somebody is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct PlaceObject {
    who: String,
    line: u32,
    file: Option<String>,
}

/// A move.
#[derive(Clone, Debug, Serialize)]
pub struct MoveObject {
    n: usize,
    steps: Vec<Step>,
    to: Option<u32>,
    fault: Option<String>,
    alike: u64,
}

/// A step of a run that a check found, as far as it is needed to find it again.
#[derive(Clone, Debug, Deserialize)]
pub struct WantedStep {
    #[serde(default)]
    by: Option<String>,
    step: String,
    #[serde(default)]
    line: Option<u32>,
    #[serde(default)]
    changes: HashMap<String, Option<String>>,
}

/// A run that was followed.
#[derive(Debug, Serialize)]
pub struct FollowedRun {
    path: Vec<FollowedMove>,
    /// Where it could not be followed any more, in words.
    missing: Option<String>,
}

#[derive(Debug, Serialize)]
struct FollowedMove {
    state: StateObject,
    #[serde(rename = "move")]
    taken: Option<MoveObject>,
}

/// A model that is stepped through.
///
/// All is worked out on one thread of its own, because what a model is stepped by stays with one
/// thread, and because some models need a deep stack.
pub struct Session {
    questions: Sender<Question>,
}

/// What the thread is asked.
type Question = Box<dyn FnOnce(&mut Stepper) + Send>;

/// What the thread has.
struct Stepper {
    subject: Box<dyn Subject>,
    visited: Visited,
}

/// The states that were visited.
#[derive(Default)]
struct Visited {
    states: Vec<Box<[u8]>>,
    numbers: HashMap<Box<[u8]>, u32>,
    seen: Seen,
}

impl Visited {
    fn number(&mut self, state: &[u8]) -> Result<u32, Problem> {
        if let Some(number) = self.numbers.get(state) {
            return Ok(*number);
        }
        if self.states.len() >= STATES_MAX {
            return Err(Problem::Full);
        }
        let number = self.states.len() as u32;
        self.states.push(state.into());
        self.numbers.insert(state.into(), number);
        Ok(number)
    }
}

/// A move as it is found.
struct FoundMove {
    steps: Vec<Taken>,
    target: Option<Vec<u8>>,
    fault: Option<Fault>,
    n_alike: u64,
}

impl Session {
    /// The model, before its first step, on a thread with a stack of so many bytes.
    pub fn new(model: &'static dyn Model, stack_bytes: usize) -> Result<Session, Diagnostic> {
        let (questions, asked) = channel::<Question>();
        let (ready, is_ready) = channel();
        let step = move || {
            let subject = match model.subject(&Purpose::Run) {
                Ok(subject) => subject,
                Err(why) => return ready.send(Err(why)).unwrap_or_default(),
            };
            let mut stepper = Stepper {
                subject,
                visited: Visited::default(),
            };
            ready.send(Ok(())).unwrap_or_default();
            while let Ok(question) = asked.recv() {
                question(&mut stepper);
            }
        };
        let thread = Builder::new().stack_size(stack_bytes).spawn(step);
        let no_thread = || Diagnostic::unlocated("this machine has no thread for the model");
        thread.map_err(|_| no_thread())?;
        is_ready.recv().map_err(|_| no_thread())??;
        Ok(Session { questions })
    }

    fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&mut Stepper) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let (answer, answered) = channel();
        let question: Question = Box::new(move |stepper| {
            // Whoever asked may have gone away.
            let _ = answer.send(question(stepper));
        });
        let lost = |_| Problem::Bug;
        self.questions.send(question).map_err(|_| Problem::Bug)?;
        answered.recv().map_err(lost)?
    }

    /// The initial states.
    pub fn starts(&self) -> Result<Vec<StateObject>, Problem> {
        self.ask(Stepper::starts)
    }

    /// A state by its number.
    pub fn state(&self, number: u32) -> Result<StateObject, Problem> {
        self.ask(move |stepper| stepper.state(number))
    }

    /// The states that were visited, as a picture, and how many there are.
    pub fn picture(&self, current: Option<u32>) -> Result<(String, usize), Problem> {
        self.ask(move |stepper| Ok(stepper.visited.seen.picture(current)))
    }

    /// The states of a run that was found elsewhere, from its initial state on.
    pub fn follow(&self, wanted: Vec<WantedStep>) -> Result<FollowedRun, Problem> {
        self.ask(move |stepper| stepper.follow(&wanted))
    }
}

impl Stepper {
    fn system(&self) -> &dyn System {
        self.subject.system(Starts::All)
    }

    /// The initial states.
    fn starts(&mut self) -> Result<Vec<StateObject>, Problem> {
        let system = self.system();
        let (mut starts, mut wrong) = (Vec::new(), None);
        system.initial(&mut system.scratch(), &mut |initial| match initial {
            Ok(state) if starts.len() < MOVES_MAX => starts.push(state.to_vec()),
            Ok(_) => {}
            Err(fault) => wrong = wrong.or(Some(fault)),
        });
        match wrong {
            Some(fault) if starts.is_empty() => Err(Problem::NoStart(words(system, fault))),
            _ => starts.iter().map(|state| self.told(state)).collect(),
        }
    }

    fn state(&mut self, number: u32) -> Result<StateObject, Problem> {
        let state = self.visited.states.get(number as usize).cloned();
        self.told(&state.ok_or(Problem::NoState)?)
    }

    fn follow(&mut self, wanted: &[WantedStep]) -> Result<FollowedRun, Problem> {
        let mut starts = self.starts()?;
        let of_start = wanted.first().map(|step| &step.changes);
        let fits = |state: &StateObject| {
            of_start.is_none_or(|changes| {
                let own = state.values.iter();
                own.filter(|(name, value)| {
                    changes.get(name).is_some_and(|v| v.as_ref() == Some(value))
                })
                .count()
                    == state.values.len()
            })
        };
        let first = starts.iter().position(fits).unwrap_or(0);
        if starts.is_empty() {
            return Err(Problem::NoState);
        }
        let mut state = starts.swap_remove(first);
        let mut path = vec![FollowedMove {
            state: state.clone(),
            taken: None,
        }];
        let all = wanted.get(1..).unwrap_or(&[]);
        let mut rest = &all[..all.len().min(FOLLOWED_STEPS_MAX)];
        let n_left = all.len() - rest.len();
        while let Some(next) = rest.first() {
            let found = state.moves.iter().filter(|mv| begins(rest, mv));
            let Some(taken) = found.max_by_key(|mv| mv.steps.len()).cloned() else {
                let missing = format!(
                    "`{}` is no move here: the run was not followed on",
                    next.step
                );
                return Ok(FollowedRun {
                    path,
                    missing: Some(missing),
                });
            };
            rest = &rest[taken.steps.len().min(rest.len())..];
            let Some(target) = taken.to else {
                let missing = taken.fault.clone().filter(|_| rest.is_empty());
                return Ok(FollowedRun { path, missing });
            };
            state = self.state(target)?;
            path.push(FollowedMove {
                state: state.clone(),
                taken: Some(taken),
            });
        }
        let missing = (n_left > 0).then(|| format!("the last {n_left} steps were not followed"));
        Ok(FollowedRun { path, missing })
    }

    /// All that is shown of a state.
    fn told(&mut self, state: &[u8]) -> Result<StateObject, Problem> {
        let system = self.system();
        let mut scratch = system.scratch();
        let (found, rest, cut) = moves(system, state, &mut scratch);
        let mut wrong = Vec::new();
        system.wrong(state, &mut scratch, &mut |fault| {
            if !matches!(fault.kind, FaultKind::Undecided(_)) {
                wrong.push(fault);
            }
        });
        let wrong: Vec<String> = wrong
            .into_iter()
            .map(|fault| words(system, fault))
            .collect();
        let mut shown = Vec::with_capacity(found.len());
        for (n, mv) in found.iter().enumerate() {
            shown.push((n, self.steps(state, mv, &mut scratch), mv));
        }
        let locations = pairs(|out| system.locations(state, out));
        let values = pairs(|out| system.describe(state, out));
        let faults: Vec<Option<String>> = found
            .iter()
            .map(|mv| mv.fault.map(|fault| words(system, fault)))
            .collect();
        let visited = &mut self.visited;
        let id = visited.number(state)?;
        let mut told = StateObject {
            id,
            values,
            places: locations
                .iter()
                .filter_map(|(who, at)| place(who, at))
                .collect(),
            locations,
            moves: Vec::with_capacity(shown.len()),
            wrong,
            rest: rest_word(rest),
            cut,
        };
        for (n, steps, mv) in shown {
            let to = mv.target.as_deref().map(|target| visited.number(target));
            told.moves.push(MoveObject {
                n,
                steps,
                to: to.transpose()?,
                fault: faults[n].clone(),
                alike: mv.n_alike,
            });
        }
        visited.seen.add(&told);
        Ok(told)
    }

    /// The steps of a move, in words, with what each changes.
    fn steps(&self, state: &[u8], mv: &FoundMove, scratch: &mut Scratch) -> Vec<Step> {
        let system = self.system();
        let mut taken: Vec<(Taken, Vec<u8>, String)> = Vec::new();
        system.follow(state, &mv.steps, scratch, &mut |step, after, printed| {
            taken.push((step, after.to_vec(), printed.to_owned()));
        });
        if taken.is_empty() {
            // What went wrong has left no state.
            let first = mv.steps.iter().take(1);
            taken = first
                .map(|step| (*step, state.to_vec(), String::new()))
                .collect();
        }
        let mut before = state.to_vec();
        let mut steps = Vec::with_capacity(taken.len());
        for (step, after, printed) in taken {
            let text: StepText = system.step_text(&before, step);
            let values = |state: &[u8]| pairs(|out| system.describe(state, out));
            steps.push(Step {
                changes: Named(changed_values(&values(&before), &values(&after))),
                printed,
                ..report::json::taken(&text)
            });
            before = after;
        }
        steps
    }
}

impl StateObject {
    /// Its number.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// Its values.
    pub fn values(&self) -> &VariableValues {
        &self.values
    }

    /// What can happen: words, and the number of the state where it leads, if it leads to one.
    pub fn edges(&self) -> impl Iterator<Item = (String, Option<u32>)> {
        self.moves.iter().map(|mv| {
            let steps = mv.steps.iter().map(|step| match &step.by {
                Some(by) => format!("{by}: {}", step.step),
                None => step.step.clone(),
            });
            (steps.collect::<Vec<_>>().join("; "), mv.to)
        })
    }

    /// Whether something is wrong with it.
    pub fn is_wrong(&self) -> bool {
        !self.wrong.is_empty()
    }

    /// Whether nothing can happen, and something should.
    pub fn is_deadlock(&self) -> bool {
        self.rest == rest_word(Rest::Deadlock)
    }
}

/// Whether the steps of a move come next in a run.
fn begins(rest: &[WantedStep], mv: &MoveObject) -> bool {
    let same = |wanted: &WantedStep, step: &Step| {
        let changes = step.changes.0.iter();
        wanted.step == step.step
            && wanted.by == step.by
            && wanted.line == step.line
            && changes.clone().count() == wanted.changes.len()
            && changes
                .clone()
                .all(|(name, value)| wanted.changes.get(name) == Some(value))
    };
    let n = mv.steps.len().min(rest.len());
    n > 0
        && rest
            .iter()
            .zip(&mv.steps)
            .all(|(wanted, step)| same(wanted, step))
}

/// The moves of a state, and whether some were left out.
fn moves(system: &dyn System, state: &[u8], scratch: &mut Scratch) -> (Vec<FoundMove>, Rest, bool) {
    let clock = Clock::of(Some(MOVES_TIME_MAX));
    let (mut found, mut cut) = (Vec::new(), false);
    let mut late = false;
    let mut pulse = |_| {
        late |= clock.is_over();
        if late {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let rest = system.successors_while(state, scratch, &mut pulse, &mut |mv| {
        cut = found.len() >= MOVES_MAX;
        if cut {
            return ControlFlow::Break(());
        }
        found.push(FoundMove {
            steps: mv.steps.to_vec(),
            target: mv.state.map(<[u8]>::to_vec),
            fault: mv.faults.first().map(|(_, fault)| *fault),
            n_alike: mv.n_alike,
        });
        ControlFlow::Continue(())
    });
    (found, rest, cut || late)
}

/// A fault with the place where it is.
fn words(system: &dyn System, fault: Fault) -> String {
    let text = system.fault_text(fault);
    match text.line {
        0 => text.message,
        line => format!("{}: {}", text.message, text.within.at(line, &text.step)),
    }
}

fn rest_word(rest: Rest) -> &'static str {
    match rest {
        Rest::Moves => "moves",
        Rest::End => "end",
        Rest::Deadlock => "deadlock",
        Rest::Unfinished => "unfinished",
    }
}

fn pairs(tell: impl FnOnce(&mut dyn FnMut(&str, &str))) -> VariableValues {
    let mut pairs = VariableValues::new();
    tell(&mut |name, value| pairs.push((name.to_owned(), value.to_owned())));
    pairs
}

/// The line of a location, as [`system::Within::at`] words it: `line 7: x = 1`, `lock.h:7: x = 1`.
fn place(who: &str, at: &str) -> Option<PlaceObject> {
    let (place, _) = at.split_once(": ")?;
    let (file, line) = match place.strip_prefix("line ") {
        Some(line) => (None, line),
        None => place
            .rsplit_once(':')
            .map(|(file, line)| (Some(file.to_owned()), line))?,
    };
    Some(PlaceObject {
        who: who.to_owned(),
        line: line.parse().ok()?,
        file,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_a_location_is_read() {
        let at = |text| place("P(1)", text).map(|place| (place.line, place.file));
        let within = |file: Option<&str>| system::Within {
            file: file.map(str::to_owned),
            calls: Vec::new(),
        };
        let own = within(None).at(7, "x = 1");
        assert_eq!(at(&own), Some((7, None)));
        let included = within(Some("a:b.h")).at(12, "c ? x: y");
        assert_eq!(at(&included), Some((12, Some("a:b.h".to_owned()))));
        assert_eq!(at("ended"), None);
        assert_eq!(at("its end: x"), None);
    }
}
