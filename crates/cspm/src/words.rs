//! What the parts of a compiled process are called: components, their states, events, places in
//! the text.

use crate::compile::{CompiledProcess, called};
use crate::eval::Script;
use crate::operate::Operator;
use crate::process::{Event, Term, TermId, Terms};
use base::{SourceId, Sources, Span};
use model::network::{Label, Network};
use std::collections::HashMap;

/// How many events are named that a component is ready for.
const N_READY_MAX: usize = 4;
/// How many operators within each other are looked through for a place in the text.
const N_LEVELS_MAX: usize = 8;

/// Knows what everything is called.
pub struct ScriptWords<'a> {
    /// The process that runs.
    pub process: &'a CompiledProcess,
    /// Its components, by name.
    pub names: &'a [String],
    /// Terms, for the states of components.
    pub terms: &'a Terms,
    /// The script, for its names.
    pub script: &'a Script,
    /// Which terms the states of compressed processes were.
    pub operator: &'a Operator,
    /// The texts of the script.
    pub sources: &'a Sources,
    /// The script's own text.
    pub main: SourceId,
}

/// A line of the script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScriptLine {
    /// The line, from 1.
    pub line: u32,
    /// The file, if it is not the script itself.
    pub file: Option<String>,
    /// The text itself.
    pub span: Span,
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

impl ScriptWords<'_> {
    /// What a label is called.
    pub fn label(&self, label: Label) -> String {
        match (label, label.as_event()) {
            (Label::TAU, _) => "τ".to_owned(),
            // The network knows the events that there were when it was compiled; a specification
            // may have met others since.
            (_, Some(event)) => self.script.event_name(Event::new(event as usize)),
            (_, None) => "✓".to_owned(),
        }
    }

    /// Where the text is that a component in a state executes.
    pub fn place(&self, leaf: usize, state: u32) -> Option<ScriptLine> {
        let component = &self.process.components[leaf];
        let term = if state == component.leaf.initial_state() {
            component.term
        } else {
            *component.origin.get(state as usize)?
        };
        let span = self.span(term, N_LEVELS_MAX)?;
        let source = self.sources.get(span.source);
        let is_main = self.main == span.source;
        Some(ScriptLine {
            line: source.position(span.start as usize).line as u32,
            file: (!is_main).then(|| source.name().to_owned()),
            span,
        })
    }

    /// The process that a component is in a state, with what it can do.
    pub fn process(&self, leaf: usize, state: u32) -> String {
        let part = &self.process.components[leaf];
        match part.origin.get(state as usize) {
            Some(_) if state == part.leaf.initial_state() => self.names[leaf].clone(),
            Some(&term) => {
                let name = called(self.behind(term), self.terms, self.script);
                format!("{name}, ready for {}", self.ready(part.leaf.edges(state)))
            }
            None => "ended".to_owned(),
        }
    }

    /// Where a process is in the text, or the first of its operands that is somewhere.
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

    /// What can be done by these transitions, in short. The order is that of the names: numbers of
    /// events depend on what else was read of the script.
    fn ready(&self, edges: &[(Label, u32)]) -> String {
        let mut labels: Vec<Label> = edges.iter().map(|edge| edge.0).collect();
        labels.sort_unstable();
        labels.dedup();
        let mut names: Vec<String> = labels.iter().map(|&label| self.label(label)).collect();
        names.sort();
        match names.len() {
            0 => return "nothing".to_owned(),
            n if n > N_READY_MAX => {
                names.truncate(N_READY_MAX);
                names.push(format!("{} more", n - N_READY_MAX));
            }
            _ => {}
        }
        names.join(", ")
    }

    /// The term that a state of a compressed process was.
    fn behind(&self, mut term: TermId) -> TermId {
        while let Term::State(system, state) = *self.terms.get(term) {
            term = self.operator.origin(system, state);
        }
        term
    }
}
