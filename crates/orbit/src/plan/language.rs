//! Which language a model is written in: what the user says, else the end of the file's name, else
//! the text itself.
//!
//! Names end in any case (`A.MCH`). A text is told by words that only one of the languages begins
//! its declarations with: `MACHINE` of B comes first in its file, `proctype` and `init` are of
//! Promela, `channel` and `assert … [T=` of CSPM. Where the words of two languages are there, or of
//! none, nothing is guessed: the user is asked to say it.

use crate::flags::{Language, ModelFlags};
use crate::languages;
use base::{Diagnostic, Diagnostics, Sources, quote};
use driver::input;
use std::path::Path;

/// The language of the model that was named, or `None` if `found` says why nobody can tell.
pub fn decide(flags: &ModelFlags, found: &mut Diagnostics) -> Option<Language> {
    let Some(file) = flags.file.as_deref() else {
        // That no model is given is told where it is read.
        return Some(flags.language.unwrap_or(Language::Promela));
    };
    if let Some(language) = flags.language.or_else(|| of_name(file)) {
        return Some(language);
    }
    let mut sources = Sources::new();
    let Ok(main) = input::read_loosely(file, &mut sources) else {
        // That it cannot be read is told where it is read.
        return Some(Language::Promela);
    };
    let name = quote(&file.display().to_string());
    match of_text(sources.get(main).text()) {
        Guess::Is(language) => Some(language),
        Guess::EventB => {
            let message = format!("{name} looks like Event-B, which is not read");
            let note = "classical B (MACHINE … END), Promela and CSPM are";
            found.push(Diagnostic::unlocated(message).note(note));
            None
        }
        Guess::Open => {
            let message = format!("in which language is {name} written?");
            let note = "say it with `--language promela`, `b` or `cspm`, or by the end of the \
                        name: .pml, .mch, .csp";
            found.push(Diagnostic::unlocated(message).note(note));
            None
        }
    }
}

/// What the end of a name says.
fn of_name(file: &Path) -> Option<Language> {
    let ending = file.extension()?.to_str()?.to_ascii_lowercase();
    match ending.as_str() {
        "mch" | "ref" | "imp" | "sys" => Some(Language::B),
        "csp" | "cspm" | "fdr2" | "fdr3" => Some(Language::Cspm),
        _ => languages::of_name(file).map(|_| Language::Promela),
    }
}

/// What a text is taken for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Guess {
    Is(Language),
    EventB,
    Open,
}

/// The words that begin a file of B.
const B: [&str; 5] = ["MACHINE", "REFINEMENT", "IMPLEMENTATION", "MODEL", "SYSTEM"];
/// Words that only Promela has, as words of their own.
const PROMELA: [&str; 16] = [
    "proctype",
    "D_proctype",
    "init",
    "never",
    "active",
    "mtype",
    "ltl",
    "chan",
    "typedef",
    "inline",
    "bool",
    "bit",
    "byte",
    "short",
    "int",
    "unsigned",
];
/// Words that only CSPM has, as words of their own.
const CSPM: [&str; 5] = ["channel", "datatype", "nametype", "subtype", "within"];
/// What a preprocessor reads before Promela.
const DIRECTIVES: [&str; 4] = ["#define", "#include", "#if", "#undef"];
/// Operators that only CSPM has.
const CSPM_SIGNS: [&str; 5] = ["[T=", "[F=", "[FD=", "|~|", ":["];

/// How much of a text is looked at.
const BYTES_MAX: usize = 1 << 20;

fn of_text(text: &str) -> Guess {
    let end = (0..=text.len().min(BYTES_MAX))
        .rev()
        .find(|end| text.is_char_boundary(*end))
        .unwrap_or(0);
    let text = without_comments(&text[..end]);
    let words = || text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let mut words_there = words().filter(|word| !word.is_empty());
    let first = words_there.next().unwrap_or("");
    if B.contains(&first) {
        return Guess::Is(Language::B);
    }
    if text.trim_start().starts_with('<') || ["CONTEXT", "EVENTS"].contains(&first) {
        let is_rodin = text.contains("org.eventb") || first == "CONTEXT" || first == "EVENTS";
        return if is_rodin { Guess::EventB } else { Guess::Open };
    }
    let has = |known: &[&str]| words().any(|word| known.contains(&word));
    let is_promela = has(&PROMELA) || DIRECTIVES.iter().any(|word| text.contains(word));
    let is_cspm = has(&CSPM) || CSPM_SIGNS.iter().any(|sign| text.contains(sign));
    match (is_promela, is_cspm) {
        (true, false) => Guess::Is(Language::Promela),
        (false, true) => Guess::Is(Language::Cspm),
        _ => Guess::Open,
    }
}

/// A text without the comments of all three languages. `--` starts one in CSPM only where a blank
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

    #[test]
    fn names_end_in_any_case() {
        let of = |name: &str| of_name(Path::new(name));
        assert_eq!(of("A.MCH"), Some(Language::B));
        assert_eq!(of("dir.csp/lock.Csp"), Some(Language::Cspm));
        assert_eq!(of("m.PML"), Some(Language::Promela));
        assert_eq!(of("a.txt"), None);
        assert_eq!(of("mch"), None);
    }

    #[test]
    fn texts_are_told_by_their_words() {
        let is = |text: &str| of_text(text);
        assert_eq!(is("/* a */ MACHINE M END"), Guess::Is(Language::B));
        assert_eq!(
            is("// MACHINE\nactive proctype P() { x-- }"),
            Guess::Is(Language::Promela)
        );
        assert_eq!(
            is("-- init\nP = a -> P\nassert P [T= P"),
            Guess::Is(Language::Cspm)
        );
        assert_eq!(is("\u{feff}channel a, b"), Guess::Is(Language::Cspm));
        assert_eq!(is("<?xml?><org.eventb.core.x/>"), Guess::EventB);
        assert_eq!(is("hello world"), Guess::Open);
        assert_eq!(is("init { skip } channel a"), Guess::Open);
        assert_eq!(is(""), Guess::Open);
    }
}
