//! The text of a tree, read again, gives the tree.

use crate::corpus::{include, scripts, skipped};
use crate::script::{read, read_with};
use cspm::ast::Script;

/// A script whose clauses only an included file keeps apart: printed as one file, they join.
const SPLIT_BY_FILES: &str = "libcspm__tests__typechecker__should_fail__split_definitions.csp";

/// A tree as text without its places.
pub fn shape(script: &Script) -> String {
    let text = format!("{script:?}");
    let mut shape = String::new();
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once("Span {") {
        shape += before;
        rest = after.split_once('}').map_or("", |(_, after)| after);
    }
    shape + rest
}

/// What is wrong with the text of a tree, if anything is.
pub fn fault(script: &Script) -> Option<String> {
    let printed = cspm::listing::script(script);
    let said = read(&printed);
    let Some(again) = said.script else {
        return Some(format!("{printed}\n{}", said.drawn));
    };
    let (was, is) = (shape(script), shape(&again));
    (was != is).then(|| format!("{printed}\n{was}\n{is}"))
}

#[test]
fn scripts_of_the_corpus_are_printed_so_that_they_read_the_same() {
    let Some(scripts) = scripts() else {
        return skipped();
    };
    let mut wrong = Vec::new();
    let mut n_read = 0;
    for found in &scripts {
        let mut include = |asked: &str| include(&found.name, asked);
        let said = read_with(&found.name, &found.text, &mut include);
        if let Some(script) = said.script
            && found.name != SPLIT_BY_FILES
        {
            n_read += 1;
            wrong.extend(fault(&script).map(|fault| format!("{}\n{fault}", found.name)));
        }
    }
    assert!(n_read > 250, "{n_read} scripts were read");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn a_text_that_reads_otherwise_is_noticed() {
    let one = shape(&crate::script::script("x = (a + b) * c"));
    let other = shape(&crate::script::script("x = a + b * c"));
    let moved = shape(&crate::script::script("\n  x   = (a + b)*c"));
    assert_ne!(one, other);
    assert_eq!(one, moved);
}
