//! The meaning of `orbit serve`.

use super::model::{options, request};
use super::{limit, time};
use crate::flags::ServeFlags;
use crate::{amounts, watchdog};
use base::{Clock, Diagnostic, Diagnostics, Sources};
use driver::load::load;
use model::frontend::{Frontend, Model, Options, Reading, Rules};
use std::ffi::OsString;
use std::path::Path;

/// A model to be explored.
pub struct ServePlan {
    /// The model, as it is stepped through.
    pub model: Box<dyn Model>,
    /// The same, as it is checked: what can be asked of it.
    pub checked: Option<Box<dyn Model>>,
    /// What is typed to name it.
    pub words: Vec<OsString>,
    /// What is typed to limit a check.
    pub limits: Vec<OsString>,
    /// The process of a script that is meant, if one was named.
    pub process: Option<String>,
    /// Whether formulas can be asked.
    pub formulas: bool,
    /// Where to listen; 0 is any free port.
    pub port: u16,
    /// Whether the browser is opened.
    pub open: bool,
}

/// How long a check may take if nobody says it.
const TIME: &str = "10m";

/// Refuses standard input, which can be read once only.
pub fn refuse_input(flags: &ServeFlags, found: &mut Diagnostics) -> Option<()> {
    if flags.model.file.as_deref() == Some(Path::new("-")) {
        let message = "`orbit serve` needs a file: each check reads the model again";
        found.push(Diagnostic::unlocated(message));
        return None;
    }
    Some(())
}

/// The plan, or `None` if `found` says why not.
pub fn plan(
    flags: &ServeFlags,
    language: &'static dyn Frontend,
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<ServePlan> {
    let before = found.n_errors();
    let _ = time(&flags.time, found);
    let _ = limit(
        "--memory",
        "512M or 4G",
        &flags.memory,
        amounts::bytes,
        found,
    );
    if found.n_errors() > before {
        return None;
    }
    let of_flags = options(&flags.model, &flags.sizes);
    // Values are to be seen as they are, as in `orbit simulate`.
    let stepped = Options {
        reading: Reading::Run,
        rules: match of_flags.rules {
            Rules::SpinCompat => Rules::SpinCompat,
            _ => Rules::Plain,
        },
        process: flags.process.clone(),
        ..of_flags.clone()
    };
    let clock: Clock<'static> = watchdog::clock(None);
    let asked = request(&flags.model, &stepped, clock, found)?;
    let model = load(&asked, language, sources, found)?.model;
    let asked = request(&flags.model, &of_flags, clock, found)?;
    // It was right before, so that nothing is to be said of it again.
    let checked = load(
        &asked,
        language,
        &mut Sources::new(),
        &mut Diagnostics::new(),
    );
    let mut limits: Vec<OsString> = Vec::new();
    let time = flags.time.as_deref().unwrap_or(TIME);
    limits.push(format!("--time={time}").into());
    limits.extend(
        flags
            .memory
            .iter()
            .map(|size| format!("--memory={size}").into()),
    );
    Some(ServePlan {
        model,
        checked: checked.map(|loaded| loaded.model),
        words: flags.words(),
        limits,
        process: flags.process.clone(),
        formulas: language.flags(Reading::Check).contains(&"--ltl"),
        port: flags.port.unwrap_or(0),
        open: flags.open,
    })
}
