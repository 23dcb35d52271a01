//! `orbit check --reduce list`: every way of choosing representatives, without a model.
//!
//! All that is said of a strategy stands in [`strategies::table`]; here its kinds of states become
//! languages, for the list, for the help of the flag, and for refusals.

use crate::answer::Exit;
use crate::flags::Language;
use crate::output;
use base::{Diagnostic, Diagnostics, Sources, quote};
use serde_json::{Value, json};
use std::fmt::Write;
use strategies::table::{ROWS, Row, States, names};

/// What is typed in place of a name.
pub const LIST: &str = "list";

/// The states of a language.
fn states_of(language: Language) -> States {
    match language {
        Language::Promela => States::Processes,
        Language::B => States::Values,
        Language::Cspm => States::Pairs,
    }
}

/// The languages that a strategy is for.
fn languages(row: &Row) -> Vec<Language> {
    let all = Language::ALL.into_iter();
    all.filter(|language| row.states.contains(&states_of(*language)))
        .collect()
}

/// A language as it is typed.
fn word(language: Language) -> &'static str {
    match language {
        Language::Promela => "promela",
        Language::B => "b",
        Language::Cspm => "cspm",
    }
}

/// The help of `--reduce`.
pub fn help() -> String {
    format!(
        "How to choose the state that represents all that symmetries make of it: `canonical`, the \
         default; `list` says of each what is certain and what it fits. Promela: {}. B: {}. \
         CSPM: {}",
        names(States::Processes),
        names(States::Values),
        names(States::Pairs)
    )
}

/// That there is no strategy of this name for the language, and which there are.
pub fn unknown(name: &str, language: Language) -> Diagnostic {
    let elsewhere = ROWS.iter().find(|row| row.name == name);
    let message = match elsewhere {
        Some(_) => format!(
            "there is no strategy {} for {}",
            quote(name),
            language.models()
        ),
        None => format!("there is no strategy {}", quote(name)),
    };
    let note = format!("there are: {}", names(states_of(language)));
    let diagnostic = Diagnostic::unlocated(message).note(note);
    diagnostic.note("`orbit check --reduce list` says what each does")
}

/// Prints the list.
pub fn run(json: bool) -> Exit {
    let shown = if json {
        let rows: Vec<Value> = ROWS.iter().map(object).collect();
        format!("{}\n", Value::from(rows))
    } else {
        text()
    };
    match output::say(&shown) {
        Ok(()) => Exit::Holds,
        Err(why) => {
            let mut found = Diagnostics::new();
            found.push(why);
            output::show(None, false, &Sources::new(), found)
        }
    }
}

fn object(row: &Row) -> Value {
    let languages: Vec<&str> = languages(row).into_iter().map(word).collect();
    json!({
        "name": row.name,
        "guarantee": row.guarantee.word(),
        "languages": languages,
        "fits": row.fits,
        "document": row.document,
        "description": row.description,
    })
}

fn text() -> String {
    let width = ROWS.iter().map(|row| row.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for row in ROWS {
        let languages: Vec<&str> = languages(row).into_iter().map(word).collect();
        let (name, guarantee) = (row.name, row.guarantee.word());
        let lines = [
            format!("{name:width$}  {guarantee:11}  {}", languages.join(", ")),
            format!("{:width$}  {}", "", row.description),
            format!("{:width$}  fits {}; {}", "", row.fits, row.document),
        ];
        for line in lines {
            // Writing into a text does not fail.
            let _ = writeln!(text, "{line}");
        }
    }
    text + "\nexact: one state for each orbit. approximate: one or more, and the same verdict. \
            lossy: states of\nseveral orbits may be taken for one, so that nothing is known to \
            hold; errors are real.\n"
}
