//! Which bracket, or word that needs an end, is open at a place of a text.
//!
//! One walk over the words keeps a stack of what is open. A word that ends something ends what was
//! opened last, if that is of its kind; else whatever is open of its kind, with all that was opened
//! since and is ended by nothing; else it ends nothing.
//!
//! Worked example: in `{ if ( x }`, with `}` not yet read, the stack is `{`, `if`, `(`: open is
//! `(`. After the `}` nothing is.

use crate::span::Span;

/// What is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpenBracket<'t> {
    /// The word that opened it.
    pub opener: &'t str,
    /// The word that would end it.
    pub closer: &'t str,
    /// Where it was opened.
    pub span: Span,
}

/// What is open behind these words, opened last. `pairs` are words that open something, each with
/// the word that ends it.
pub fn open_bracket<'t>(
    words: impl Iterator<Item = (&'t str, Span)>,
    pairs: &[(&'static str, &'static str)],
) -> Option<OpenBracket<'static>> {
    let mut open: Vec<OpenBracket<'static>> = Vec::new();
    for (word, span) in words {
        if let Some((opener, closer)) = pairs.iter().find(|(opener, _)| *opener == word) {
            open.push(OpenBracket {
                opener,
                closer,
                span,
            });
        } else if let Some(at) = open.iter().rposition(|one| one.closer == word) {
            open.truncate(at);
        }
    }
    open.pop()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceId;

    #[test]
    fn what_was_opened_last_is_open() {
        let pairs = [("{", "}"), ("(", ")"), ("if", "fi")];
        let open = |text: &str| {
            let words = text.split(' ').enumerate();
            let words = words.map(|(n, word)| (word, Span::new(SourceId::new(0), n..n + 1)));
            open_bracket(words, &pairs).map(|open| (open.opener, open.span.range().start))
        };
        assert_eq!(open("{ if ( x"), Some(("(", 2)));
        assert_eq!(open("{ if ( x )"), Some(("if", 1)));
        assert_eq!(open("{ if ( x }"), None);
        assert_eq!(open("{ } ) fi"), None);
        assert_eq!(open("{ fi if x fi"), Some(("{", 0)));
    }
}
