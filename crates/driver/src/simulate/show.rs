//! The words of a run: text as it goes, or the data of an object.

use super::stepped::SteppedSystem;
use super::watch::Watches;
use super::{ChoiceMaker, Conversation, Detail, Ending, KeptMove, SimulatePlan, choose};
use base::{Diagnostic, Sources};
use check::StopReason;
use report::change::{ChangedValues, VariableValues, changed_values};
use report::object::{MoveClass, Named, Simulation, Step, VERSION};
use report::page::Page;
use std::fmt::Write;
use system::{Fault, Scratch};

/// Tells a run.
pub struct RunWriter<'a, 'w> {
    machine: &'a SteppedSystem<'a>,
    plan: &'a SimulatePlan,
    conversation: &'a dyn Conversation,
    watches: &'a Watches<'w>,
    /// The values of what is watched at the start.
    watched_first: Option<Named<Option<String>>>,
    /// The state that was reached, in words and as it is.
    parts: VariableValues,
    state: Vec<u8>,
    /// The steps so far, as data.
    steps: Vec<Step>,
    /// What moves stood for.
    classes: Vec<MoveClass>,
    start: VariableValues,
    n_steps: u64,
    /// The step with which a loop begins that the run goes round for ever.
    loop_from: Option<u64>,
    /// How wide the names of processes are.
    width: usize,
}

impl<'a, 'w> RunWriter<'a, 'w> {
    /// Nothing told yet.
    pub fn new(
        machine: &'a SteppedSystem<'a>,
        plan: &'a SimulatePlan,
        conversation: &'a dyn Conversation,
        watches: &'a Watches<'w>,
    ) -> RunWriter<'a, 'w> {
        RunWriter {
            machine,
            plan,
            conversation,
            watches,
            watched_first: None,
            parts: VariableValues::new(),
            state: Vec::new(),
            steps: Vec::new(),
            classes: Vec::new(),
            start: VariableValues::new(),
            n_steps: 0,
            loop_from: None,
            width: 0,
        }
    }

    /// How many steps were taken.
    pub fn n_steps(&self) -> u64 {
        self.n_steps
    }

    /// Tells where the run starts.
    pub fn start(&mut self, state: &[u8]) -> Result<(), Diagnostic> {
        self.arrive(state);
        self.start.clone_from(&self.parts);
        if let ChoiceMaker::Random(seed) = self.plan.chosen {
            self.say(&format!("{:<16}{seed}\n", "seed"))?;
        }
        if self.machine.telling.shows_start
            && !self.parts.is_empty()
            && self.plan.detail == Detail::Steps
        {
            self.say(&format!("{:<16}{}\n", "initially", joined(&self.parts)))?;
        }
        self.tell_watched()?;
        self.watched_first = self.watches.values();
        Ok(())
    }

    /// Takes the steps of a move up to what goes wrong, and tells them; says whether they could be
    /// taken once more.
    pub fn take(
        &mut self,
        state: &mut Vec<u8>,
        kept: &KeptMove,
        scratch: &mut Scratch,
    ) -> Result<bool, Diagnostic> {
        let others = choose::others(self.machine, state, kept);
        let n_taken = kept.fault.map_or(kept.steps.len(), |(at, _)| at + 1);
        let mut told = Vec::new();
        let followed =
            self.machine
                .follow(state, &kept.steps, scratch, &mut |step, after, said| {
                    if told.len() < n_taken {
                        told.push((step, after.to_vec(), said.to_owned()));
                    }
                });
        if !followed && kept.fault.is_some() {
            // What went wrong has left no state.
            told = vec![(kept.steps[0], state.clone(), String::new())];
        }
        if !followed && kept.fault.is_none() {
            return Ok(false);
        }
        for (step, after, printed) in told {
            let text = self.machine.step_text(&self.state, step);
            let before = std::mem::take(&mut self.parts);
            self.arrive(&after);
            self.n_steps += 1;
            self.width = self.width.max(text.by.chars().count());
            let changed = changed_values(&before, &self.parts);
            let lines = self.watches.arrive(&after);
            if self.plan.records {
                self.steps.push(Step {
                    changes: Named(changed.clone()),
                    printed: printed.clone(),
                    watched: self.watches.values(),
                    ..report::json::taken(&text)
                });
            }
            let line = self.line(&text, &changed);
            self.say(&line)?;
            let printed = self.printed(&printed);
            self.say(&printed)?;
            self.tell_lines(&lines)?;
        }
        state.clone_from(&self.state);
        if !others.is_empty() {
            if self.plan.detail == Detail::Steps {
                self.say(&format!("       ~ {}\n", choose::stands_for(&others)))?;
            }
            self.classes.push(MoveClass {
                step: self.n_steps,
                others,
            });
        }
        if let Some(fault) = kept.passed {
            self.say(&format!("       ! {}\n", fault.kind.message()))?;
        }
        Ok(true)
    }

    /// Tells that the loop of the run begins here.
    pub fn round(&mut self) -> Result<(), Diagnostic> {
        self.loop_from = Some(self.n_steps);
        match self.plan.detail {
            Detail::Steps => self.say("       … from here on again and again:\n"),
            Detail::Printed => Ok(()),
        }
    }

    /// Goes back to an earlier state.
    pub fn back(&mut self, state: &[u8], n_steps: u64) -> Result<(), Diagnostic> {
        self.arrive(state);
        self.n_steps = n_steps;
        self.steps.truncate(n_steps as usize);
        self.classes.retain(|class| class.step <= n_steps);
        self.say(&format!("{:<16}to step {n_steps}\n", "taken back"))?;
        self.tell_watched()
    }

    /// Tells what is watched and has changed.
    fn tell_watched(&mut self) -> Result<(), Diagnostic> {
        let lines = self.watches.arrive(&self.state);
        self.tell_lines(&lines)
    }

    fn tell_lines(&mut self, lines: &[String]) -> Result<(), Diagnostic> {
        if self.plan.detail == Detail::Printed {
            return Ok(());
        }
        lines
            .iter()
            .try_for_each(|line| self.say(&format!("       = {line}\n")))
    }

    /// How it ended, in a word and in more.
    fn ending(&self, ending: Ending, sources: &Sources) -> (&'static str, String) {
        let after = match self.n_steps {
            1 => "after 1 step".to_owned(),
            n => format!("after {n} steps"),
        };
        match ending {
            Ending::End => (
                "end",
                format!("{after}: every process is where it may stop"),
            ),
            Ending::Deadlock => (
                "deadlock",
                format!("{after}: {}", self.machine.telling.stuck),
            ),
            Ending::Fault(fault) => ("error", format!("{after}: {}", self.fault(fault, sources))),
            Ending::Limit => {
                let more = if self.n_steps() > self.plan.steps_max {
                    ", with those of the move in which it was reached"
                } else {
                    ""
                };
                let words = format!("{after}: -n {} is reached{more}", self.plan.steps_max);
                ("stopped", words)
            }
            Ending::Replayed => ("replayed", format!("{after}: the recorded run is over")),
            Ending::Met => (
                "followed",
                format!("{after}: the log is a run of the model"),
            ),
            Ending::Left(n) => (
                "left",
                format!("{after}: no run of the model meets state {n} of the log"),
            ),
            Ending::Open(n) => (
                "unknown",
                format!("{after}: {n} states of the log were met, and too many ways are open"),
            ),
            Ending::Round => (
                "replayed",
                format!("{after}: the run is where its loop began, and goes round for ever"),
            ),
            Ending::Stopped => ("stopped", after),
            Ending::Over(StopReason::Time) => ("stopped", format!("{after}: time ran out")),
            Ending::Over(_) => ("stopped", format!("{after}: the run was interrupted")),
            Ending::Cut => {
                let why = report::reason_words(check::StopReason::Cut);
                ("unknown", format!("{after}: no step was found, and {why}"))
            }
        }
    }

    /// Tells how it ended; all of it for programs.
    pub fn finish(
        self,
        ending: Ending,
        model: report::Model,
        sources: &Sources,
        page: &mut Page,
    ) -> Simulation {
        let (word, words) = self.ending(ending, sources);
        page.row(word, &words);
        let mut places = VariableValues::new();
        self.machine.locations(&self.state, &mut |name, place| {
            places.push((name.to_owned(), place.to_owned()));
        });
        if ending == Ending::Deadlock && !places.is_empty() {
            let at: Vec<String> = places.iter().map(|(n, p)| format!("{n} at {p}")).collect();
            page.column("waiting", &at);
        }
        if self.plan.state {
            let lines: Vec<String> = self
                .parts
                .iter()
                .map(|(n, v)| format!("{n} = {v}"))
                .collect();
            page.listing("state", &lines);
        }
        Simulation {
            orbit: VERSION.to_owned(),
            model,
            seed: match self.plan.chosen {
                ChoiceMaker::Random(seed) => Some(seed),
                _ => None,
            },
            initial_state: Named(self.start),
            initially_watched: self.watched_first,
            steps: self.steps,
            classes: (self.plan.symmetry.as_ref()).map(|_| self.classes),
            n_steps: self.n_steps,
            loop_from: self.loop_from,
            ended: ended(ending).to_owned(),
            message: words,
            state: Named(self.parts),
            locations: Named(places),
            runs: None,
            diagnostics: Vec::new(),
        }
    }

    fn fault(&self, fault: Fault, sources: &Sources) -> String {
        let text = self.machine.fault_text(fault);
        let source = sources.get(text.span.source);
        let (file, _) = source.told(source.line_of(text.span.start as usize));
        let step = text.within.shown(&text.step);
        format!("{} ({file}:{}): {step}", text.message, text.line)
    }

    fn arrive(&mut self, state: &[u8]) {
        self.parts.clear();
        let parts = &mut self.parts;
        self.machine.describe(state, &mut |name, value| {
            parts.push((name.to_owned(), value.to_owned()));
        });
        self.state.clear();
        self.state.extend_from_slice(state);
    }

    /// A step in a line; nothing if only what is printed is shown.
    fn line(&self, text: &system::StepText, changed: &ChangedValues) -> String {
        if self.plan.detail == Detail::Printed {
            return String::new();
        }
        let space = if self.width == 0 { "" } else { " " };
        let mut line = format!(
            "{:>5}  {:<w$}{space}{:>4}: {}",
            self.n_steps,
            text.by,
            text.within.place(text.line),
            text.within.shown(&text.step),
            w = self.width
        );
        if !changed.is_empty() {
            let changed: Vec<String> = changed
                .iter()
                .map(|(name, value)| format!("{name} = {}", value.as_deref().unwrap_or("gone")))
                .collect();
            let _ = write!(line, "  [{}]", changed.join(", "));
        }
        line + "\n"
    }

    /// What a step printed: as it is, or in lines of its own among the steps.
    fn printed(&self, printed: &str) -> String {
        match self.plan.detail {
            Detail::Printed => printed.to_owned(),
            Detail::Steps => {
                let lines = printed.lines().filter(|line| !line.is_empty());
                lines.map(|line| format!("       | {line}\n")).collect()
            }
        }
    }

    /// Writes text at once, if text is what is asked for.
    fn say(&self, words: &str) -> Result<(), Diagnostic> {
        if self.plan.json || words.is_empty() {
            return Ok(());
        }
        self.conversation.say(words)
    }
}

/// Variables with their values, in a line.
fn joined(parts: &VariableValues) -> String {
    let parts: Vec<String> = parts.iter().map(|(n, v)| format!("{n} = {v}")).collect();
    parts.join(", ")
}

/// The word for programs.
fn ended(ending: Ending) -> &'static str {
    match ending {
        Ending::End => "end",
        Ending::Deadlock => "deadlock",
        Ending::Fault(_) => "error",
        Ending::Limit => "limit",
        Ending::Replayed => "replayed",
        Ending::Met => "followed",
        Ending::Left(_) => "left",
        Ending::Open(_) => "unknown",
        Ending::Round => "loop",
        Ending::Stopped => "stopped",
        Ending::Over(reason) => report::reason_word(reason),
        Ending::Cut => "unknown",
    }
}
