//! Which language a model is written in: what the user says, else the end of the file's name, else
//! the text itself.
//!
//! Names end in any case (`A.MCH`). A text is known by words and signs that only one language has
//! ([`Signs`]). Where those of two languages are there, or of none, nothing is guessed: the user is
//! asked to say it.

use crate::flags::ModelFlags;
use crate::languages;
use base::{Diagnostic, Diagnostics, Sources, quote};
use driver::input;
use model::frontend::{Frontend, Signs};

/// The language of the model that was named, or `None` if `found` says why nobody can tell.
pub fn decide(flags: &ModelFlags, found: &mut Diagnostics) -> Option<&'static dyn Frontend> {
    let said = match &flags.language {
        None => None,
        Some(name) => Some(said(name, found)?),
    };
    let Some(file) = flags.file.as_deref() else {
        // That no model is given is told where it is read.
        return Some(said.unwrap_or_else(languages::first));
    };
    if let Some(language) = said.or_else(|| languages::of_name(file)) {
        return Some(language);
    }
    let mut sources = Sources::new();
    let Ok(main) = input::read_loosely(file, &mut sources) else {
        // That it cannot be read is told where it is read.
        return Some(languages::first());
    };
    let name = quote(&file.display().to_string());
    match of_text(sources.get(main).text()) {
        Guess::Is(language) => Some(language),
        Guess::Relative(relative) => {
            let message = format!("{name} looks like {relative}, which is not read");
            let read: Vec<&str> = languages::all().map(Frontend::models).collect();
            let read = read.join(", ");
            found.push(Diagnostic::unlocated(message).note(format!("these are: {read}")));
            None
        }
        Guess::Open => {
            let message = format!("in which language is {name} written?");
            let endings = languages::all().map(|own| format!(".{}", own.endings()[0]));
            let endings: Vec<String> = endings.collect();
            found.push(Diagnostic::unlocated(message).note(format!(
                "say it with `--language {}`, or by the end of the name: {}",
                names(),
                endings.join(", ")
            )));
            None
        }
    }
}

/// The language of a text, if only one can be meant.
pub fn guessed(text: &str) -> Option<&'static dyn Frontend> {
    match of_text(text) {
        Guess::Is(language) => Some(language),
        Guess::Relative(_) | Guess::Open => None,
    }
}

/// The language that the command line names.
fn said(name: &str, found: &mut Diagnostics) -> Option<&'static dyn Frontend> {
    let language = languages::named(name);
    if language.is_none() {
        let message = format!("there is no language {}", quote(name));
        let note = format!("`--language` takes `{}`", names());
        found.push(Diagnostic::unlocated(message).note(note));
    }
    language
}

/// The names of all languages, in backquotes but for the first and the last of them.
fn names() -> String {
    let names: Vec<&str> = languages::all().map(Frontend::language).collect();
    match &names[..] {
        [before @ .., last] => format!("{}` or `{last}", before.join("`, `")),
        [] => String::new(),
    }
}

/// What a text is taken for.
#[derive(Clone, Copy)]
enum Guess {
    Is(&'static dyn Frontend),
    /// A relative of a language that is not read.
    Relative(&'static str),
    Open,
}

/// How much of a text is looked at.
const BYTES_MAX: usize = 1 << 20;

fn of_text(text: &str) -> Guess {
    let end = (0..=text.len().min(BYTES_MAX))
        .rev()
        .find(|end| text.is_char_boundary(*end))
        .unwrap_or(0);
    let text = without_comments(&text[..end]);
    let words = || text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let first = words().find(|word| !word.is_empty()).unwrap_or("");
    let all: Vec<(&dyn Frontend, Signs)> = languages::all()
        .map(|language| (language, language.signs()))
        .collect();
    if let Some((language, _)) = all.iter().find(|(_, signs)| signs.first.contains(&first)) {
        return Guess::Is(*language);
    }
    let is_markup = text.trim_start().starts_with('<');
    let begins = |word: &&str| match word.strip_prefix('<') {
        Some(inside) => is_markup && text.contains(inside),
        None => first == *word,
    };
    for (name, words) in all.iter().filter_map(|(_, signs)| signs.relative) {
        if words.iter().any(begins) {
            return Guess::Relative(name);
        }
    }
    let is = |signs: &Signs| {
        let has_word = words().any(|word| signs.words.contains(&word));
        has_word || signs.marks.iter().any(|mark| text.contains(mark))
    };
    let mut alike = all.iter().filter(|(_, signs)| !is_markup && is(signs));
    match (alike.next(), alike.next()) {
        (Some((language, _)), None) => Guess::Is(*language),
        _ => Guess::Open,
    }
}

/// A text without comments. `--` starts one in CSPM only where a blank
/// or the start of the line is before it: in Promela it takes one from a variable.
fn without_comments(text: &str) -> String {
    let mut kept = String::new();
    let mut left = text.strip_prefix('\u{feff}').unwrap_or(text);
    while let Some(c) = left.chars().next() {
        let block = |open: &str, close: &str| {
            let inside = left.strip_prefix(open)?;
            let n = inside.find(close).map(|at| at + close.len());
            Some(open.len() + n.unwrap_or(inside.len()))
        };
        let is_open = kept.ends_with(|c: char| c.is_whitespace()) || kept.is_empty();
        let is_line = left.starts_with("//") || left.starts_with("--") && is_open;
        let to_end_of_line = || is_line.then(|| left.find('\n').unwrap_or(left.len()));
        let skipped = block("/*", "*/")
            .or_else(|| block("{-", "-}"))
            .or_else(to_end_of_line);
        match skipped {
            Some(_) => kept.push(' '),
            None => kept.push(c),
        }
        left = &left[skipped.unwrap_or(c.len_utf8())..];
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn names_end_in_any_case() {
        let of = |name: &str| languages::of_name(Path::new(name)).map(Frontend::language);
        assert_eq!(of("A.MCH"), Some("b"));
        assert_eq!(of("dir.csp/lock.Csp"), Some("cspm"));
        assert_eq!(of("m.PML"), Some("promela"));
        assert_eq!(of("a.txt"), None);
        assert_eq!(of("mch"), None);
    }

    #[test]
    fn texts_are_told_by_their_words() {
        let is = |text: &str| match of_text(text) {
            Guess::Is(language) => language.language(),
            Guess::Relative(name) => name,
            Guess::Open => "",
        };
        assert_eq!(is("/* a */ MACHINE M END"), "b");
        assert_eq!(is("// MACHINE\nactive proctype P() { x-- }"), "promela");
        assert_eq!(is("-- init\nP = a -> P\nassert P [T= P"), "cspm");
        assert_eq!(is("\u{feff}channel a, b"), "cspm");
        assert_eq!(is("<?xml?><org.eventb.core.x/>"), "Event-B");
        assert_eq!(is("hello world"), "");
        assert_eq!(is("init { skip } channel a"), "");
        assert_eq!(is(""), "");
    }
}
