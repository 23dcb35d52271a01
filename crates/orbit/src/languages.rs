//! The languages: a front end is registered by one line.

use driver::processes::OfProcesses;
use model::frontend::Frontend;
use std::path::Path;
use std::sync::OnceLock;

/// Those that every `orbit` has; the first is that of texts whose name says nothing.
const OWN: &[&dyn Frontend] = &[
    &OfProcesses(&promela::frontend::Promela),
    &OfProcesses(&promela::lite::PromelaLite),
    &bmachine::frontend::B,
    &cspm::frontend::Cspm,
];

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
pub(crate) fn of_name(file: &Path) -> Option<&'static dyn Frontend> {
    let ending = file.extension()?.to_str()?.to_ascii_lowercase();
    all().find(|language| language.endings().contains(&&*ending))
}

/// All of them.
pub fn all() -> impl Iterator<Item = &'static dyn Frontend> {
    let added = ADDED.get().copied().unwrap_or_default();
    OWN.iter().chain(added).copied()
}

/// The language of this name.
pub fn named(name: &str) -> Option<&'static dyn Frontend> {
    all().find(|language| language.language() == name)
}

/// The language of texts of which nothing says it.
pub fn first() -> &'static dyn Frontend {
    OWN[0]
}
