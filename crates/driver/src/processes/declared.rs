//! Symmetries that a text declares in its comments, as in `//@ symmetric client`.
//!
//! They change nothing about the model. Whether they hold is checked with what was certified
//! (`reduce::processes::declared`), and a model for which they do not is refused.

use base::{Diagnostic, Diagnostics, SourceId, Sources, Span, quote};
use model::processes::program::{Arrangement, DeclaredSymmetry, Model, ProctypeId};

/// How a declaration is written.
const FORMS: &str = "`symmetric TYPE`, `ring TYPE` and `blocks TYPE of SIZE` can be declared";

/// What texts declare, by comments that start with one of `marks` at the beginning of a line.
pub fn declared(
    texts: &[SourceId],
    marks: &[&str],
    (model, sources): (&Model, &Sources),
    found: &mut Diagnostics,
) -> Vec<DeclaredSymmetry> {
    let mut all = Vec::new();
    for source in texts {
        for (range, line) in sources.get(*source).lines() {
            let text = line.trim_start();
            let at = range.start + line.len() - text.len();
            let Some(words) = marks.iter().find_map(|mark| text.strip_prefix(mark)) else {
                continue;
            };
            let words = words.split("*/").next().unwrap_or(words);
            let span = Span::new(*source, at..at + text.trim_end().len());
            match arranged(words, span, model) {
                Ok(Some((arrangement, proctype))) => all.push(DeclaredSymmetry {
                    arrangement,
                    proctype,
                    span,
                }),
                Ok(None) => found.push(
                    Diagnostic::warning(span, "this comment declares nothing that is known")
                        .note(FORMS),
                ),
                Err(why) => found.push(why.note(FORMS)),
            }
        }
    }
    all
}

/// What is declared, and of which processes; `None` if the words are about something else.
fn arranged(
    words: &str,
    span: Span,
    model: &Model,
) -> Result<Option<(Arrangement, ProctypeId)>, Diagnostic> {
    let wrong = |message: String| Diagnostic::error(span, message);
    let words: Vec<&str> = words.split_whitespace().collect();
    let (arrangement, name) = match words[..] {
        ["symmetric", name] => (Arrangement::Symmetric, name),
        ["ring", name] => (Arrangement::Ring, name),
        ["blocks", name, "of", size] => {
            let number = size.parse().ok().filter(|n| *n > 0);
            let number =
                number.ok_or_else(|| wrong(format!("{} is no size of a block", quote(size))))?;
            (Arrangement::Blocks(number), name)
        }
        ["symmetric" | "ring" | "blocks", ..] => {
            return Err(wrong("this is no declaration".to_owned()));
        }
        _ => return Ok(None),
    };
    let proctype = model.proctypes.iter().position(|p| p.name == name);
    let unknown = || wrong(format!("there is no process type {}", quote(name)));
    let proctype = proctype.ok_or_else(unknown)?;
    Ok(Some((arrangement, ProctypeId::new(proctype))))
}
