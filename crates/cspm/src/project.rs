//! A script with all that it includes, as one row of tokens.
//!
//! `include "f"` stands for the declarations of the file `f`. Where they start and end is marked,
//! so that no declaration reaches over the edge of a file. A file is looked for beside the file
//! that includes it, and then beside the script; backslashes in its name are read as slashes if
//! there is no such file otherwise. A file that includes itself, over however many others, is
//! refused; a file may be included twice, and then its names are defined twice.
//!
//! Worked example: `main.csp` includes `lib/a.csp`, and that includes `b.csp`: asked for are
//! `lib/a.csp`, then `lib/b.csp`, and `b.csp` if that is not there.

use crate::lex::lex;
use crate::token::{Token, TokenKind};
use base::{Diagnostic, Diagnostics, SourceId, Sources, Span, quote};
use std::sync::Arc;

/// Gives the name and the text of a file, asked for by its name, or nothing if there is none.
pub type Include<'a> = dyn FnMut(&str) -> Option<(String, String)> + 'a;

/// The most files of one script, each counted as often as it is included.
const FILES_MAX: usize = 500;
/// The longest chain of files in which each includes the next.
const CHAIN_MAX: usize = 50;

/// The tokens of `main` with those of all included files in their places, or `None` if `found`
/// says what is wrong.
pub fn tokens(
    main: SourceId,
    sources: &mut Sources,
    include: &mut Include,
    found: &mut Diagnostics,
) -> Option<Vec<Token>> {
    let mut loader = Loader {
        tokens: Vec::new(),
        open: Vec::new(),
        n_files: 0,
        sources,
        include,
        found,
    };
    let name = loader.sources.get(main).name();
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name).to_owned();
    let is_good = loader.read(main, &file);
    is_good.then_some(loader.tokens)
}

struct Loader<'a, 'f> {
    tokens: Vec<Token>,
    /// The files that are being read, the outermost first, by the name they were found under.
    open: Vec<(String, SourceId)>,
    n_files: usize,
    sources: &'a mut Sources,
    include: &'a mut Include<'f>,
    found: &'a mut Diagnostics,
}

impl Loader<'_, '_> {
    /// Takes in the tokens of a file, found under `path`; says whether all was well.
    fn read(&mut self, source: SourceId, path: &str) -> bool {
        let all = lex(source, self.sources.get(source).text());
        self.open.push((path.to_owned(), source));
        let mut is_good = true;
        for token in all {
            match token.kind {
                TokenKind::Include(file) => is_good &= self.included(&file, token.span, path),
                _ => self.tokens.push(token),
            }
        }
        self.open.pop();
        is_good
    }

    /// Takes in the tokens of a file that `path` asks for.
    fn included(&mut self, file: &Arc<str>, span: Span, path: &str) -> bool {
        let asked = candidates(file, path);
        let mut read = asked.iter().find_map(|name| {
            let (shown, text) = (self.include)(name)?;
            Some((name.clone(), shown, text))
        });
        let edge = |span: Span| Token {
            kind: TokenKind::Edge,
            span,
        };
        let Some((name, shown, text)) = read.take() else {
            let error = Diagnostic::error(span, format!("the file {} is not there", quote(file)));
            self.found.push(error);
            return false;
        };
        if !self.may_read(&name, &text, span) {
            return false;
        }
        let length = text.len();
        let source = self.sources.add(shown, text);
        self.n_files += 1;
        self.tokens.push(edge(span));
        let is_good = self.read(source, &name);
        self.tokens.push(edge(Span::new(source, length..length)));
        is_good
    }

    /// Whether this file may be included here; if not, it is said why.
    fn may_read(&mut self, name: &str, text: &str, span: Span) -> bool {
        let error = |message: String| Diagnostic::error(span, message);
        if let Some((_, first)) = self.open.iter().find(|(open, _)| open == name) {
            let chain: Vec<&str> = self.open.iter().map(|(open, _)| open.as_str()).collect();
            let start = Span::new(*first, 0..0);
            let note = format!("files being read here: {}", chain.join(", then "));
            let message = format!("{} includes itself", quote(name));
            let error = error(message).and(start, "this file").note(note);
            self.found.push(error);
            return false;
        }
        if self.open.len() >= CHAIN_MAX {
            let message = format!("files within files are more than {CHAIN_MAX} deep");
            self.found.push(error(message));
            return false;
        }
        if self.n_files >= FILES_MAX {
            let message = format!("more than {FILES_MAX} files are included");
            self.found.push(error(message));
            return false;
        }
        if text.len() > base::Source::BYTES_MAX {
            self.found
                .push(error(format!("{} is too long", quote(name))));
            return false;
        }
        true
    }
}

/// Under which names a file may be found that the file `path` asks for.
fn candidates(file: &str, path: &str) -> Vec<String> {
    let folder = path.rfind('/').map_or("", |i| &path[..=i]);
    let slashed = file.replace('\\', "/");
    let mut all = Vec::new();
    for file in [file, &slashed] {
        for name in [tidy(&format!("{folder}{file}")), tidy(file)] {
            if !all.contains(&name) {
                all.push(name);
            }
        }
    }
    all
}

/// A path without `.` and without `x/..`, so that one file has one name.
fn tidy(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." if parts.last().is_some_and(|last| !matches!(*last, ".." | "")) => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_looked_for_beside_the_one_that_asks() {
        assert_eq!(candidates("b.csp", ""), ["b.csp"]);
        assert_eq!(candidates("b.csp", "lib/a.csp"), ["lib/b.csp", "b.csp"]);
        assert_eq!(candidates("../b.csp", "lib/a.csp"), ["b.csp", "../b.csp"]);
        let all = candidates("x\\b.csp", "lib/a.csp");
        assert_eq!(all, ["lib/x\\b.csp", "x\\b.csp", "lib/x/b.csp", "x/b.csp"]);
    }

    #[test]
    fn a_file_has_one_name() {
        assert_eq!(tidy("./a/../b/./c.csp"), "b/c.csp");
        assert_eq!(tidy("../../c.csp"), "../../c.csp");
        assert_eq!(tidy("/../c.csp"), "/../c.csp");
    }
}
