//! The states, transitions and verdicts of many models, beside those that SPIN 6.5.2 gives.
//!
//! Models run in this process, through the same libraries as the binary: parse, lower, the passes
//! of a setting, search. Three settings are compared:
//! - plain: states and transitions are those of `spin -o1 -o2 -o3 -a` with `-DNOREDUCE`;
//! - SPIN's: states are those of `spin -a` with `-DNOREDUCE`;
//! - our own: the same verdict, and no more states than either.
//!
//! `corpus` does this for models by other people, where they are on the machine; `models` for our
//! own, whose headers say what SPIN gives.

mod corpus;
mod models;
mod random;
pub mod symmetry;
pub mod threads;

use base::{Diagnostic, Diagnostics, SourceId, Sources};
use check::{Attention, Ended, Identity, Options, Order, Violation};
use model::Machine;
use model::processes::passes::{Setting, Watch, apply};
use promela::lower::{Ends, FullChannels, lower};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;
use system::FaultKind;

/// What a search counted and found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counted {
    /// States, hidden variables left out.
    pub n_states: u64,
    /// Transitions, as SPIN counts them.
    pub n_transitions: u64,
    /// The kinds of errors, in the order in which they were found.
    pub errors: Vec<&'static str>,
}

/// A model that can be run under any setting.
pub struct Compiled(pub model::processes::program::Model);

/// The model in `text`, or the first message that says why there is none.
pub fn compile(text: &str, defines: &[String]) -> Result<Compiled, String> {
    let mut sources = Sources::new();
    let mut found = Diagnostics::new();
    let main = sources.add("model.pml", text);
    let define = |d: &String| d.replacen('=', " ", 1) + if d.contains('=') { "" } else { " 1" };
    let defines: Vec<SourceId> = defines
        .iter()
        .map(|d| sources.add("-D", define(d)))
        .collect();
    let mut none = |_: &mut Sources, request: &promela::preprocess::IncludeRequest| {
        Err(Diagnostic::unlocated(format!(
            "{} is not there",
            request.path
        )))
    };
    let typed = promela::check(main, &defines, &mut sources, &mut none, &mut found);
    let options = promela::lower::Options {
        ends: Ends::Step,
        full: FullChannels::Block,
    };
    let model = typed.and_then(|typed| lower(&typed, &sources, &options, &mut found));
    model.map(Compiled).ok_or_else(|| {
        let errors = found.sorted();
        errors
            .first()
            .map_or(String::new(), |error| error.message.clone())
    })
}

impl Compiled {
    /// The model as it runs under a setting.
    pub fn machine(&self, setting: Setting) -> Machine {
        let mut model = self.0.clone();
        apply(&mut model, setting, &Watch::default());
        Machine::new(model)
    }

    /// A complete search, over all errors, depth first, as `pan -c0` does it.
    pub fn count(&self, setting: Setting) -> Result<Counted, String> {
        let machine = self.machine(setting);
        let outcome = check::explore(&machine, &mut Identity, &options(), &mut |_| {});
        let outcome = outcome.map_err(|broken| broken.to_string())?;
        let visible = check::visible::count(&machine, &options(), &mut |_| {});
        let visible = visible.map_err(|broken| broken.to_string())?;
        let counts = visible.unwrap_or(outcome.counts);
        match outcome.ended {
            Ended::Complete => Ok(Counted {
                n_states: counts.n_states,
                n_transitions: counts.n_transitions,
                errors: outcome.findings.iter().map(|f| kind(f.violation)).collect(),
            }),
            other => Err(format!("the search ended {other:?}")),
        }
    }
}

/// A complete search, over all errors, depth first, as `pan -c0` does it.
pub fn options() -> Options<'static> {
    Options {
        order: Order::Depth,
        deadlocks: Attention::Reported,
        assertions: Attention::Reported,
        invariants: Attention::Ignored,
        goals: Attention::Ignored,
        stop_after: None,
        memory_bytes_max: Some(4 << 30),
        clock: base::Clock::of(Some(Duration::from_secs(300))),
        depth_max: None,
        progress_every: Duration::from_secs(3600),
        threads: check::Threads::ONE,
    }
}

/// An error as SPIN names it.
fn kind(violation: Violation) -> &'static str {
    match violation {
        Violation::Deadlock | Violation::Unfinished => "invalid end state",
        Violation::Fault(fault) if fault.kind == FaultKind::Assertion => "assertion violated",
        Violation::Fault(fault) => fault.kind.message(),
    }
}

/// What is known to differ: file and what differs, with the cause.
pub struct Exceptions {
    known: BTreeMap<(String, String), String>,
    seen: BTreeSet<(String, String)>,
}

impl Exceptions {
    fn read() -> Exceptions {
        Exceptions::of(include_str!("counts/exceptions.txt"))
    }

    /// Those in a text: a file, what differs and why in a line, or a comment after `#`.
    pub fn of(text: &str) -> Exceptions {
        let lines = text.lines();
        let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        let known = lines.map(|line| {
            let mut words = line.splitn(3, ' ');
            let mut word = || words.next().unwrap_or_else(|| panic!("{line}")).to_owned();
            ((word(), word()), word())
        });
        Exceptions {
            known: known.collect(),
            seen: BTreeSet::new(),
        }
    }

    /// Whether a difference is known.
    pub fn has(&mut self, file: &str, what: &str) -> bool {
        let key = (file.to_owned(), what.to_owned());
        let known = self.known.contains_key(&key);
        self.seen.extend(known.then_some(key));
        known
    }

    /// The differences of these files that are known and were not met.
    pub fn stale(&self, files: &[String]) -> Vec<String> {
        let known = self.known.keys().filter(|key| files.contains(&key.0));
        let stale = known.filter(|key| !self.seen.contains(*key));
        stale
            .map(|(file, what)| format!("{file} {what} is no exception any more"))
            .collect()
    }
}

/// The models of other people in a language, if they are on this machine.
pub fn corpus(language: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let beside = root.join("../shared/corpus");
    let named = std::env::var_os("ORBIT_CORPUS").map(PathBuf::from);
    let corpus = named.unwrap_or(beside).join(language);
    corpus.join("expected.csv").exists().then_some(corpus)
}

/// Says on standard error what was not run; tests that do not fail are silent otherwise.
pub fn note(words: &str) {
    let written = std::io::Write::write_all(&mut std::io::stderr(), words.as_bytes());
    assert!(written.is_ok());
}

#[test]
fn counts_and_errors_are_those_of_a_model_counted_by_hand() {
    let model = compile(
        "byte x; active [2] proctype p() { x = 1; assert(x == N) }",
        &["N=2".to_owned()],
    );
    let counted = model
        .expect("a model")
        .count(Setting::Plain)
        .expect("a complete search");
    // Each process is before x = 1, before the assertion, at its end, or gone; process 0 goes only
    // after process 1. x is 0 in the first state only: 4 * 4 - 3 states.
    assert_eq!(counted.n_states, 13);
    assert_eq!(counted.errors, ["assertion violated"]);
    assert_eq!(
        compile("init { y = 1 }", &[]).err(),
        Some("`y` is not declared".to_owned())
    );
}

#[test]
fn an_exception_that_is_not_met_is_found() {
    let mut exceptions = Exceptions::read();
    let files = ["telephone.pml".to_owned()];
    assert_eq!(exceptions.stale(&files).len(), 2);
    assert!(exceptions.has("telephone.pml", "plain"));
    assert!(!exceptions.has("telephone.pml", "own"));
    assert_eq!(
        exceptions.stale(&files),
        ["telephone.pml spin is no exception any more"]
    );
    assert_eq!(exceptions.stale(&[]), [""; 0]);
}
