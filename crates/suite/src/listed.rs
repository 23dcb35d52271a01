//! What a file `orbit.toml` expects of the models beside it.
//!
//! ```toml
//! [models]
//! "mutex.pml" = ["holds states=12", "violated assertions -D BROKEN"]
//! "phonebook.mch" = "holds --set-size Name=4"
//! ```
//!
//! The words are those of comments ([`super::expect`]). A model may have both.

use crate::Expectation;
use crate::expect::{of_text, written};
use base::{Diagnostic, Diagnostics, SourceId, Sources, Span, quote};
use std::collections::BTreeMap;
use toml::de::{DeTable, DeValue};

/// The name of such a file.
pub const NAME: &str = "orbit.toml";

/// What a file expects, by the names of models.
pub type Listed = BTreeMap<String, ListedModel>;

/// What is expected of a model.
#[derive(Clone, Default, Debug)]
pub struct ListedModel {
    /// The expectations.
    pub expected: Vec<Expectation>,
    /// Where its name stands.
    pub place: Option<Span>,
}

/// Reads such a file; mistakes are `found`.
pub fn listed(source: SourceId, sources: &Sources, found: &mut Diagnostics) -> Listed {
    let text = sources.get(source).text();
    let place = |span: std::ops::Range<usize>| Span::new(source, span);
    let mut all = Listed::new();
    let table = match DeTable::parse(text) {
        Ok(table) => table.into_inner(),
        Err(why) => {
            let at = why.span().unwrap_or(0..0);
            found.push(Diagnostic::error(place(at), why.message().to_owned()));
            return all;
        }
    };
    for (key, value) in &table {
        let models = match (key.get_ref().as_ref(), value.get_ref()) {
            ("models", DeValue::Table(models)) => models,
            (name, _) => {
                let message = format!("{} is not known here", quote(name));
                let note = "write a table `[models]`, with names of files";
                found.push(Diagnostic::error(place(key.span()), message).note(note));
                continue;
            }
        };
        for (name, value) in models {
            let texts: Vec<_> = match value.get_ref() {
                DeValue::Array(list) => list.iter().collect(),
                _ => vec![value],
            };
            let mut expected = Vec::new();
            for text in texts {
                let DeValue::String(words) = text.get_ref() else {
                    let message = "an expectation is a text: \"holds\"";
                    found.push(Diagnostic::error(place(text.span()), message));
                    continue;
                };
                let whole = text.span();
                let line = sources.get(source).line_of(whole.start);
                // Without the quotes around it. What is escaped has no places of its own.
                let inner = whole.start + 1..whole.end.saturating_sub(1).max(whole.start + 1);
                let read = if sources.get(source).text().get(inner.clone()) == Some(&**words) {
                    written(place(inner), line, sources)
                } else {
                    of_text(words, line, &|_| place(whole.clone()))
                };
                expected.extend(read.map_err(|why| found.push(why)).ok());
            }
            let model = ListedModel {
                expected,
                place: Some(place(name.span())),
            };
            all.insert(name.get_ref().to_string(), model);
        }
    }
    all
}
