//! `orbit check --reduce list`: every way of choosing representatives, without a model.
//!
//! All that is said of a strategy stands in [`strategies::table`]; here the kinds of states become
//! languages, for the list, for the help of the flag, and for refusals.

use crate::answer::Exit;
use crate::{languages, output};
use base::{Diagnostic, Diagnostics, Sources, quote};
use model::frontend::Frontend;
use serde_json::{Value, json};
use std::fmt::Write;
use strategies::table::{ROWS, Row, names};

/// What is typed in place of a name.
pub const LIST: &str = "list";

/// The languages that a strategy is for, as they are typed.
fn languages_of(row: &Row) -> Vec<&'static str> {
    let all = languages::all().filter(|language| row.states.contains(&language.states()));
    all.map(|language| language.language()).collect()
}

/// The help of `--reduce`.
pub fn help() -> String {
    let all = languages::all();
    let all = all.map(|language| format!("{}: {}", language.models(), names(language.states())));
    format!(
        "How to choose the state that represents all that symmetries make of it: `canonical`, the \
         default; `list` says of each what is certain and what it fits. {}",
        all.collect::<Vec<_>>().join(". ")
    )
}

/// That there is no strategy of this name for the language, and which there are.
pub fn unknown(name: &str, language: &dyn Frontend) -> Diagnostic {
    let elsewhere = ROWS.iter().find(|row| row.name == name);
    let message = match elsewhere {
        Some(_) => format!(
            "there is no strategy {} for {}",
            quote(name),
            language.models()
        ),
        None => format!("there is no strategy {}", quote(name)),
    };
    let note = format!("there are: {}", names(language.states()));
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
    json!({
        "name": row.name,
        "guarantee": row.guarantee.word(),
        "languages": languages_of(row),
        "fits": row.fits,
        "document": row.document,
        "description": row.description,
    })
}

fn text() -> String {
    let width = ROWS.iter().map(|row| row.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for row in ROWS {
        let languages = languages_of(row).join(", ");
        let (name, guarantee) = (row.name, row.guarantee.word());
        let lines = [
            format!("{name:width$}  {guarantee:11}  {languages}"),
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
