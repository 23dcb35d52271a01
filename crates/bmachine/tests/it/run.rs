//! Reading a machine from texts, for the tests.

use base::{Colour, Diagnostics, Severity, Sources, render};
use bmachine::typed::Machine;

/// What was said of a machine.
pub struct Said {
    /// The machine, if there is one.
    pub machine: Option<Machine>,
    /// `line:column: message`, with the file before it if it is not the first.
    pub errors: Vec<String>,
    /// The same for warnings.
    pub warnings: Vec<String>,
    /// All messages as they are drawn.
    pub drawn: String,
}

/// Reads the first of these files, with the others beside it.
pub fn check_files(files: &[(&str, &str)]) -> Said {
    let mut sources = Sources::new();
    let mut found = Diagnostics::new();
    let main = sources.add(files[0].0, files[0].1);
    let mut include = |name: &str| -> Option<(String, String)> {
        let file = files[1..].iter().find(|(n, _)| *n == name)?;
        Some((file.0.to_owned(), file.1.to_owned()))
    };
    let machine = bmachine::read(main, &mut sources, &mut include, &mut found);
    let mut said = Said {
        machine,
        errors: Vec::new(),
        warnings: Vec::new(),
        drawn: String::new(),
    };
    for diagnostic in found.sorted() {
        said.drawn += &render(&diagnostic, &sources, Colour::Never);
        let mut text = diagnostic.message.clone();
        if let Some(label) = diagnostic.labels.first() {
            let source = sources.get(label.span.source);
            let at = source.position(label.span.start as usize);
            text = format!("{}:{}: {text}", at.line, at.column);
            if label.span.source != main {
                text = format!("{}:{text}", source.name());
            }
        }
        match diagnostic.severity {
            Severity::Error => said.errors.push(text),
            Severity::Warning => said.warnings.push(text),
        }
    }
    said
}

/// Reads a machine that needs no other file.
pub fn check(text: &str) -> Said {
    check_files(&[("m.mch", text)])
}

/// The machine of a text that is right.
#[track_caller]
pub fn machine(text: &str) -> Machine {
    let said = check(text);
    match said.machine {
        Some(machine) => machine,
        None => panic!("{}", said.drawn),
    }
}

/// The machine of the first of these files, all of which are right.
#[track_caller]
pub fn machine_of(files: &[(&str, &str)]) -> Machine {
    let said = check_files(files);
    match said.machine {
        Some(machine) => machine,
        None => panic!("{}", said.drawn),
    }
}
