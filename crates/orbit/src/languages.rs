//! The languages: a front end is registered by one line.

use crate::flags::Language;
use driver::processes::OfProcesses;
use model::frontend::Frontend;
use std::path::Path;
use std::sync::OnceLock;

/// Those that every `orbit` has; the first is that of texts whose name says nothing.
const OWN: &[&dyn Frontend] = &[
    &OfProcesses(&promela::frontend::Promela),
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
    let added = ADDED.get().copied().unwrap_or_default();
    let mut all = OWN.iter().chain(added);
    all.find(|language| language.endings().contains(&&*ending))
        .copied()
}

/// The front end of a language.
pub fn own(language: Language) -> &'static dyn Frontend {
    OWN[language.number()]
}

/// The front end of a file that is written in this language; other languages of processes are told
/// by the end of the name.
pub fn of(language: Language, file: &Path) -> &'static dyn Frontend {
    let is_other = |named: &&dyn Frontend| !OWN.iter().any(|o| o.language() == named.language());
    let other = of_name(file).filter(|_| language.number() == 0);
    other.filter(is_other).unwrap_or(own(language))
}
