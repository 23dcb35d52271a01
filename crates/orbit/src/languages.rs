//! The languages of processes: a front end is registered by one line.

use model::frontend::Frontend;
use std::path::Path;
use std::sync::OnceLock;

/// Those that every `orbit` has; the first is that of texts whose name says nothing.
const OWN: &[&dyn Frontend] = &[&promela::frontend::Promela];

/// Those that a program built on this library adds, once, before it starts.
static ADDED: OnceLock<&'static [&'static dyn Frontend]> = OnceLock::new();

/// Adds languages.
///
/// # Requires
/// It is called at most once, before a command is carried out.
pub fn add(languages: &'static [&'static dyn Frontend]) {
    let is_first = ADDED.set(languages).is_ok();
    assert!(is_first, "languages are added once");
}

/// The language whose files end like this one.
pub fn of_name(file: &Path) -> Option<&'static dyn Frontend> {
    let ending = file.extension()?.to_str()?.to_ascii_lowercase();
    let added = ADDED.get().copied().unwrap_or_default();
    let mut all = OWN.iter().chain(added);
    all.find(|language| language.endings().contains(&&*ending))
        .copied()
}

/// The language of a model of processes.
pub fn of_model(file: &Path) -> &'static dyn Frontend {
    of_name(file).unwrap_or(OWN[0])
}
