//! Models that are searched both ways.

use base::{Diagnostic, Diagnostics, Sources};
use model::Machine;
use model::processes::machine::Running;
use model::processes::passes::{self, Setting, Watch};
use model::processes::program::Model;
use promela::lower::{Ends, FullChannels, Options, lower_all};
use promela::preprocess::IncludeRequest;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::Path;
use system::System;

/// The model of a text; `None` if it is not accepted. Files are looked for in the folder.
pub fn model(text: &str, folder: &Path, full: FullChannels) -> Option<Model> {
    let (mut sources, mut found) = (Sources::new(), Diagnostics::new());
    let main = sources.add("m.pml", text);
    let mut include = |sources: &mut Sources, request: &IncludeRequest<'_>| {
        let read = std::fs::read_to_string(folder.join(request.path));
        let text = read.map_err(|_| Diagnostic::unlocated("there is no such file"))?;
        Ok(sources.add(request.path, text))
    };
    let typed = promela::check(main, &[], &mut sources, &mut include, &mut found)?;
    let options = Options {
        ends: Ends::Step,
        full,
    };
    let lowered = lower_all(&typed, &sources, &options, &mut found);
    lowered.map(|(model, _)| model)
}

/// What was seen of a model.
#[derive(Default, Debug)]
pub struct Seen {
    pub n_moves: usize,
    /// How often the interpreter made the moves of a process.
    pub n_asked: u64,
    /// How many steps were compiled.
    pub n_steps: usize,
}

/// Searches up to so many states both ways; panics at a difference.
pub fn search(mut model: Model, setting: Setting, states_max: usize) -> Seen {
    passes::apply(&mut model, setting, &Watch::default());
    let machine = Machine::running(model, Running::Both(&native::Cranelift));
    let mut scratch = machine.scratch();
    let mut waiting = Vec::new();
    machine.initial(&mut scratch, &mut |state| {
        waiting.extend(state.ok().map(<[u8]>::to_vec));
    });
    let mut seen: HashSet<Vec<u8>> = waiting.iter().cloned().collect();
    let mut n_moves = 0;
    while let Some(state) = waiting.pop() {
        machine.successors(&state, &mut scratch, &mut |step| {
            n_moves += 1;
            if let Some(next) = step.state
                && seen.len() < states_max
                && seen.insert(next.to_vec())
            {
                waiting.push(next.to_vec());
            }
            ControlFlow::Continue(())
        });
    }
    let compilation = machine.compilation();
    Seen {
        n_moves,
        n_asked: machine.n_asked(&scratch),
        n_steps: compilation.and_then(|c| c.n_steps.ok()).unwrap_or(0),
    }
}

/// The same of a text that is accepted.
#[track_caller]
pub fn search_text(text: &str, setting: Setting, states_max: usize) -> Seen {
    let model = model(text, Path::new("."), FullChannels::Block);
    search(model.expect("a model"), setting, states_max)
}
