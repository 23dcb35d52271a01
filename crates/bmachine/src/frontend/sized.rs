//! Sizes of sets and bounds of numbers: what the command line says of them, and what the machine
//! does.

use crate::eval::deadline::Deadline;
use crate::run::{self, Program};
use crate::typed::{self, SortId};
use base::{Diagnostic, Diagnostics, quote};
use model::frontend::Options;
use std::sync::Arc;

/// The least and the largest number, where nothing is said.
const INT_RANGE: (i64, i64) = (-1, 3);
/// How many candidates may be tried for one answer.
const WORK_MAX: u64 = 1 << 28;
/// How many elements a deferred set has, where nothing is said.
const SET_SIZE: usize = 2;

/// A machine with sizes for its sets, and where each size comes from.
pub(super) struct SizedMachine {
    pub(super) program: Program,
    pub(super) origins: Vec<&'static str>,
}

/// The machine with sizes for its sets, and its largest and least number if they were given.
pub(super) fn compile(
    machine: typed::Machine,
    options: &Options,
    deadline: Arc<Deadline>,
    found: &mut Diagnostics,
) -> Option<SizedMachine> {
    let before = found.n_errors();
    let sizes: Vec<Option<(SortId, usize)>> = options
        .set_sizes
        .iter()
        .map(|written| set_size(written, &machine, found))
        .collect();
    let asked: Vec<(SortId, usize)> = sizes.into_iter().collect::<Option<_>>()?;
    for (n, (sort, size)) in asked.iter().enumerate() {
        let other = asked[..n].iter().find(|(other, _)| other == sort);
        if let Some((_, other)) = other {
            let name = &machine.sorts[sort.index()].name;
            let message = format!("`--set-size` says {other} and {size} of {}", quote(name));
            found.push(Diagnostic::unlocated(message).note("leave one of them out"));
        }
    }
    let settings = &machine.settings;
    let default = options.default_set_size.or(settings.default_size);
    let default = default.unwrap_or(SET_SIZE);
    let maxint = options.maxint.or(settings.maxint).unwrap_or(INT_RANGE.1);
    let minint = options.minint.or(settings.minint).unwrap_or(INT_RANGE.0);
    if maxint < minint {
        let message = format!("the largest number is {maxint}, and the least is {minint}");
        found.push(Diagnostic::unlocated(message).note("see `--maxint` and `--minint`"));
    }
    let sizes = run::sizes::sizes(&machine, &asked, default);
    let sizes = sizes.map_err(|why| why.into_iter().for_each(|why| found.push(why)));
    if found.n_errors() > before {
        return None;
    }
    let sizes = sizes.ok()?;
    let origins = run::sizes::origins(&machine, &asked, default, &sizes);
    let setting = run::RunOptions {
        sizes,
        maxint,
        minint,
        work_max: WORK_MAX,
        deadline,
    };
    let program = Program::new(machine, &setting);
    let program = program.map_err(|why| why.into_iter().for_each(|why| found.push(why)));
    let program = program.ok()?;
    Some(SizedMachine { program, origins })
}

/// The meaning of `--set-size SET=N`.
fn set_size(
    written: &str,
    machine: &typed::Machine,
    found: &mut Diagnostics,
) -> Option<(SortId, usize)> {
    let parts = written.split_once('=');
    let parts = parts.and_then(|(name, n)| Some((name.trim(), n.trim().parse::<usize>().ok()?)));
    let Some((name, n)) = parts else {
        let message = format!("`--set-size` needs SET=N, not {}", quote(written));
        found.push(Diagnostic::unlocated(message));
        return None;
    };
    let sort = machine.sorts.iter().position(|sort| sort.name == name);
    let deferred = machine.sorts.iter().filter(|sort| sort.elements.is_none());
    let deferred: Vec<&str> = deferred.map(|sort| &*sort.name).collect();
    match sort {
        Some(at) if machine.sorts[at].elements.is_none() => Some((SortId::new(at), n)),
        Some(_) => {
            let message = format!("{} lists its elements, so it has a size", quote(name));
            found.push(Diagnostic::unlocated(message));
            None
        }
        None => {
            let message = format!("the machine has no deferred set {}", quote(name));
            let note = if deferred.is_empty() {
                "it has none at all".to_owned()
            } else {
                format!("it has: {}", deferred.join(", "))
            };
            found.push(Diagnostic::unlocated(message).note(note));
            None
        }
    }
}
