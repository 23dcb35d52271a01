//! The commands with which one starts, a binary alone at hand: `orbit completions`, `orbit man` and
//! `orbit example`.

use crate::answer::{Answer, Exit};
use crate::flags::Flags;
use crate::page::Page;
use base::{Diagnostic, quote};
use clap::CommandFactory;
use clap_complete::Shell;
use serde_json::{Map, Value, json};
use std::path::Path;

/// A model that the binary brings along.
struct Example {
    /// Its file.
    file: &'static str,
    /// The text.
    text: &'static str,
    /// What it is, in a line.
    about: &'static str,
}

macro_rules! example {
    ($file:literal, $about:literal) => {
        Example {
            file: $file,
            text: include_str!(concat!("../../../docs/guide/", $file)),
            about: $about,
        }
    };
}

const EXAMPLES: [Example; 10] = [
    example!("mutex.pml", "a lock that is tested and taken in one step"),
    example!("broken.pml", "the same in two steps: both may see it free"),
    example!(
        "server.pml",
        "a server hands out a key over channels, and forgets it"
    ),
    example!(
        "clients.pml",
        "clients with a channel each, of which one is special"
    ),
    example!(
        "starve.pml",
        "a formula of temporal logic that fails for ever"
    ),
    example!("key.pml", "a deadlock after somebody went down"),
    example!(
        "phonebook.mch",
        "a B machine: names and codes, up to symmetry"
    ),
    example!(
        "phonebook_wrong.mch",
        "the same with an invariant that fails"
    ),
    example!("lock.csp", "a CSPM script: a lock, and what it refines"),
    example!("hanoi.csp", "a CSPM script: the towers of Hanoi"),
];

/// The script of a shell that completes words.
pub fn completions(shell: Shell) -> Answer {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Flags::command(), "orbit", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    let object = json!({ "shell": shell.to_string(), "script": script });
    printed(&script, object)
}

/// Writes a manual page for `orbit` and for each command.
pub fn man(folder: &Path) -> Result<Answer, Diagnostic> {
    let cannot = |why: std::io::Error| {
        let name = quote(&folder.display().to_string());
        Diagnostic::unlocated(format!("cannot write manual pages into {name}: {why}"))
    };
    std::fs::create_dir_all(folder).map_err(cannot)?;
    let mut line = Flags::command().disable_help_subcommand(true);
    // Names of commands are set when the line is built.
    line.build();
    clap_mangen::generate_to(line, folder).map_err(cannot)?;
    let mut pages: Vec<String> = std::fs::read_dir(folder)
        .map_err(cannot)?
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name.starts_with("orbit") && name.ends_with(".1"))
        .collect();
    pages.sort();
    let text = format!("{} manual pages in {}\n", pages.len(), folder.display());
    Ok(printed(
        &text,
        json!({ "folder": folder.display().to_string(), "pages": pages }),
    ))
}

/// Prints a model that the binary brings along, or lists them.
pub fn example(name: Option<&str>) -> Result<Answer, Diagnostic> {
    let Some(name) = name else {
        let listed = EXAMPLES.iter();
        let lines = listed.map(|one| format!("{:<20} {}\n", one.file, one.about));
        let text: String = lines.collect();
        let all: Vec<Value> = EXAMPLES
            .iter()
            .map(|one| json!({ "file": one.file, "about": one.about }))
            .collect();
        let more = "\n`orbit example NAME > FILE` writes one.\n";
        return Ok(printed(&(text + more), json!({ "examples": all })));
    };
    let stem = |file: &str| {
        Path::new(file)
            .file_stem()
            .map(|stem| stem.to_string_lossy().into_owned())
    };
    let found = EXAMPLES.iter().find(|one| one.file == name);
    let found = found.or_else(|| {
        EXAMPLES
            .iter()
            .find(|one| stem(one.file).as_deref() == Some(name))
    });
    let found = found.ok_or_else(|| {
        let message = format!("there is no example {}", quote(name));
        let names: Vec<&str> = EXAMPLES.iter().map(|one| one.file).collect();
        Diagnostic::unlocated(message).note(format!("there are: {}", names.join(", ")))
    })?;
    Ok(printed(
        found.text,
        json!({ "file": found.file, "text": found.text }),
    ))
}

/// A text as it is, and an object.
fn printed(text: &str, object: Value) -> Answer {
    let mut page = Page::new();
    page.verbatim(text);
    let fields = match object {
        Value::Object(fields) => fields,
        _ => Map::new(),
    };
    Answer {
        json: fields,
        ..Answer::new(Exit::Holds, page)
    }
}
