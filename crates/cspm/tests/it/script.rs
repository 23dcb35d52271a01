//! Reading a script from texts, for the tests.

use base::{Colour, Diagnostics, Severity, Sources, render};
use cspm::ast::Script;

/// What was said of a script.
pub struct Said {
    /// The script, if there is one.
    pub script: Option<Script>,
    /// `line:column: message`, with the file before it if it is not the first.
    pub errors: Vec<String>,
    /// The same for warnings.
    pub warnings: Vec<String>,
    /// All messages as they are drawn.
    pub drawn: String,
}

/// Reads the first of these files, with the others beside it.
pub fn read_files(files: &[(&str, &str)]) -> Said {
    let mut include = |name: &str| -> Option<(String, String)> {
        let file = files.iter().find(|(n, _)| *n == name)?;
        Some((file.0.to_owned(), file.1.to_owned()))
    };
    read_with(files[0].0, files[0].1, &mut include)
}

/// Reads a script whose included files `include` gives.
pub fn read_with(name: &str, text: &str, include: &mut cspm::project::Include) -> Said {
    let mut sources = Sources::new();
    let mut found = Diagnostics::new();
    let main = sources.add(name, text);
    let script = cspm::read(main, &mut sources, include, &mut found);
    let mut said = Said {
        script,
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

/// Reads a script that needs no other file.
pub fn read(text: &str) -> Said {
    read_files(&[("m.csp", text)])
}

/// The script of a text that is right.
#[track_caller]
pub fn script(text: &str) -> Script {
    let said = read(text);
    match said.script {
        Some(script) => script,
        None => panic!("{}", said.drawn),
    }
}
