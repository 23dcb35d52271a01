//! A compiled process as a system: what is run step by step.
//!
//! A state is the tuple of the states of the components, four bytes each. A move is one transition
//! of the network, numbered by its place among all of its state, with the components that take
//! part in it; a component that is hidden or renamed is named with its own event.
//!
//! Worked example: `(a -> STOP) ||| (b -> STOP)`. The initial state has the moves 0, by the first
//! component, and 1, by the second; after both the process is in deadlock, since STOP is not SKIP.

use crate::compile::{CompiledProcess, Compiler};
use crate::eval::Script;
use crate::process::Terms;
use crate::words::{ScriptWords, names};
use base::{SourceId, Sources, Span};
use model::network::{Label, Move, Process, numbered_moves};
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use system::{
    Fault, FaultText, Initial, LabelledOut, MoveLabel, PartText, Pulse, Rest, Scratch, StepText,
    System, Taken, Within,
};

/// A process that can be run.
pub struct SteppedProcess {
    process: CompiledProcess,
    names: Vec<String>,
    /// What gives names; evaluation changes it.
    script: Mutex<NamedScript>,
    sources: Sources,
    main: SourceId,
}

/// A script with the terms of its processes.
pub struct NamedScript {
    /// The script.
    pub script: Script,
    /// Its terms.
    pub terms: Terms,
    /// What compiled them.
    pub compiler: Compiler,
}

/// The bytes of a state.
fn packed(state: &[u32]) -> Vec<u8> {
    state.iter().flat_map(|s| s.to_le_bytes()).collect()
}

/// The components of a state.
fn unpacked(bytes: &[u8]) -> Vec<u32> {
    let words = bytes.chunks_exact(4);
    words
        .map(|word| u32::from_le_bytes(word.try_into().expect("four bytes")))
        .collect()
}

impl SteppedProcess {
    /// Runs a process of a script, whose own text is `main`.
    pub fn new(
        process: CompiledProcess,
        named: NamedScript,
        sources: Sources,
        main: SourceId,
    ) -> SteppedProcess {
        SteppedProcess {
            names: names(&process.network),
            process,
            script: Mutex::new(named),
            sources,
            main,
        }
    }

    fn moves(&self, state: &[u8]) -> Vec<Move> {
        numbered_moves(&self.process.network, &unpacked(state))
    }

    /// Gives what is called how.
    fn with_words<T>(&self, with: impl FnOnce(&ScriptWords<'_>) -> T) -> T {
        let mut named = self.script.lock().unwrap_or_else(PoisonError::into_inner);
        let named = &mut *named;
        with(&ScriptWords {
            process: &self.process,
            names: &self.names,
            terms: &named.terms,
            script: &named.script,
            operator: named.compiler.operator(),
            sources: &self.sources,
            main: self.main,
        })
    }

    /// What a component does in a transition from a state.
    fn part(&self, part: &(u32, Label), before: &[u32], words: &ScriptWords<'_>) -> PartText {
        let leaf = part.0 as usize;
        let place = words.place(leaf, before[leaf]);
        PartText {
            component: self.names[leaf].clone(),
            event: words.label(part.1),
            line: place.as_ref().map(|place| place.line),
            file: place.and_then(|place| place.file),
        }
    }

    /// What is seen of a transition, and what its components do if that is something else.
    fn words_of(&self, step: &Move, words: &ScriptWords<'_>) -> String {
        let seen = words.label(step.label);
        let others = step.parts.iter().filter(|(_, label)| *label != step.label);
        let others: Vec<String> = others
            .map(|&(leaf, label)| format!("{}: {}", self.names[leaf as usize], words.label(label)))
            .collect();
        if others.is_empty() {
            seen
        } else {
            format!("{seen} ({})", others.join(", "))
        }
    }
}

/// An event as its channel and what is communicated: cut at the dots that are in no brackets.
fn in_parts(event: &str) -> MoveLabel {
    let mut parts = vec![String::new()];
    let mut depth = 0_i32;
    for c in event.chars() {
        match c {
            '(' | '{' | '<' | '[' => depth += 1,
            ')' | '}' | '>' | ']' => depth -= 1,
            _ => {}
        }
        if c == '.' && depth == 0 {
            parts.push(String::new());
        } else {
            parts.last_mut().expect("a part").push(c);
        }
    }
    MoveLabel {
        head: parts.remove(0),
        arguments: parts,
        ..MoveLabel::default()
    }
}

impl System for SteppedProcess {
    fn scratch(&self) -> Scratch {
        Scratch::new(())
    }

    fn initial(&self, _: &mut Scratch, out: &mut dyn FnMut(Initial<'_>)) {
        out(Ok(&packed(&self.process.network.initial())));
    }

    fn successors(
        &self,
        state: &[u8],
        _: &mut Scratch,
        out: &mut dyn FnMut(system::Move<'_>) -> ControlFlow<()>,
    ) -> Rest {
        let moves = self.moves(state);
        for (n, step) in moves.iter().enumerate() {
            let after = packed(&step.state);
            let flow = out(system::Move {
                steps: &[Taken(n as u64)],
                faults: &[],
                state: Some(&after),
                n_alike: 1,
            });
            if flow.is_break() {
                return Rest::Moves;
            }
        }
        match (
            moves.is_empty(),
            self.process.network.is_over(&unpacked(state)),
        ) {
            (false, _) => Rest::Moves,
            (true, true) => Rest::End,
            (true, false) => Rest::Deadlock,
        }
    }

    fn follow(
        &self,
        state: &[u8],
        steps: &[Taken],
        _: &mut Scratch,
        out: &mut dyn FnMut(Taken, &[u8], &str),
    ) -> bool {
        let [step] = steps else { return false };
        let moves = self.moves(state);
        let Some(taken) = moves.get(step.0 as usize) else {
            return false;
        };
        out(*step, &packed(&taken.state), "");
        true
    }

    fn step_text(&self, state: &[u8], step: Taken) -> StepText {
        let (moves, before) = (self.moves(state), unpacked(state));
        let taken = &moves[step.0 as usize];
        self.with_words(|words| {
            let parts = taken.parts.iter().map(|part| part.0 as usize);
            let by: Vec<&str> = parts.clone().map(|leaf| &self.names[leaf][..]).collect();
            let place = parts
                .clone()
                .find_map(|leaf| words.place(leaf, before[leaf]));
            StepText {
                by: by.join(", "),
                number: parts.clone().next().unwrap_or(0) as u32,
                step: self.words_of(taken, words),
                span: place
                    .as_ref()
                    .map_or(Span::new(self.main, 0..0), |p| p.span),
                line: place.as_ref().map_or(0, |place| place.line),
                within: Within {
                    file: place.and_then(|place| place.file),
                    calls: Vec::new(),
                },
                parts: taken
                    .parts
                    .iter()
                    .map(|part| self.part(part, &before, words))
                    .collect(),
                message: None,
            }
        })
    }

    fn labelled_successors(
        &self,
        state: &[u8],
        scratch: &mut Scratch,
        _: Pulse<'_>,
        out: LabelledOut<'_>,
    ) -> Rest {
        let labels: Vec<Label> = self.moves(state).iter().map(|step| step.label).collect();
        self.successors(state, scratch, &mut |mv| {
            let label = labels[mv.steps[0].0 as usize];
            out(mv, &mut || {
                in_parts(&self.with_words(|words| words.label(label)))
            })
        })
    }

    fn move_label(&self, state: &[u8], steps: &[Taken]) -> MoveLabel {
        let moves = self.moves(state);
        let taken = steps.first().and_then(|step| moves.get(step.0 as usize));
        let label = taken.map_or(Label::TAU, |step| step.label);
        in_parts(&self.with_words(|words| words.label(label)))
    }

    fn describe(&self, state: &[u8], out: &mut dyn FnMut(&str, &str)) {
        self.locations(state, out);
    }

    fn locations(&self, state: &[u8], out: &mut dyn FnMut(&str, &str)) {
        let state = unpacked(state);
        self.with_words(|words| {
            for (leaf, name) in self.names.iter().enumerate() {
                out(name, &words.process(leaf, state[leaf]));
            }
        });
    }

    fn fault_text(&self, fault: Fault) -> FaultText {
        unreachable!("a process has no faults: {fault:?}")
    }

    fn covered<'a>(&self, _: &'a Scratch) -> &'a [bool] {
        &[]
    }

    fn not_covered(&self, _: &[bool]) -> Vec<StepText> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_cut_at_dots_that_are_in_no_brackets() {
        let label = in_parts("left.1.(a.b, {c.d}).<x.y>");
        assert_eq!(label.head, "left");
        assert_eq!(label.arguments, ["1", "(a.b, {c.d})", "<x.y>"]);
        assert!(in_parts("tick").arguments.is_empty());
    }
}
