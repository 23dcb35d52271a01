//! Where a piece of the program is: a span, and how the text there came to be read.
//!
//! Macros and inlines are expanded before the parser sees their tokens, so a token can stand in
//! the body of a macro while the user looks at the line that uses the macro. A [`Place`] keeps
//! both: its span is where the characters are, its origin says which use brought them here. An
//! origin has a place too, that of the use, so uses inside bodies form a chain to the user's line.
//!
//! Worked example. `#define INC(v) v = v + one` on line 1 and `INC(x)` on line 9: the token `one`
//! has the span on line 1 and the origin "use of `INC` on line 9"; the token `x` comes from the
//! argument, so its span is on line 9 and it has no origin. The expression `x + one` begins in one
//! and ends in the other; [`Origins::join`] climbs from the later origin until both agree, which
//! gives the span of `INC(x)` on line 9.

use base::{Diagnostic, Label, SourceId, Span};
use std::rc::Rc;

base::define_id!(
    OriginId,
    "Which use of a macro or inline in an [`Origins`]."
);

/// A span and the use that brought it here, if any.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Where the characters are.
    pub span: Span,
    /// Which use of a macro or inline made them part of the program.
    pub origin: Option<OriginId>,
}

/// What was expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OriginKind {
    /// A `#define`.
    Macro,
    /// An `inline`.
    Inline,
}

/// One use of a macro or inline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// What was expanded.
    pub kind: OriginKind,
    pub name: Rc<str>,
    /// Where it was used.
    pub used: Place,
    /// How many definitions there were then.
    n_defined: usize,
}

/// What can be expanded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    /// What it is.
    pub kind: OriginKind,
    pub name: Rc<str>,
    /// Where its name stands.
    pub place: Place,
    /// From its name to the end of its body.
    pub whole: Place,
    pub parameters: Vec<Rc<str>>,
}

/// All uses of a run. A use inside a body is later in the table than the use it is inside of.
#[derive(Default, Debug)]
pub struct Origins {
    all: Vec<Origin>,
    definitions: Vec<Definition>,
    /// The text of the model itself, not one that it includes.
    pub main: Option<SourceId>,
}

impl Place {
    /// A place in the user's text itself.
    pub fn plain(span: Span) -> Place {
        Place { span, origin: None }
    }
}

impl Origins {
    /// No uses yet.
    pub fn new() -> Origins {
        Origins::default()
    }

    /// Takes a use in.
    pub fn add(&mut self, kind: OriginKind, name: &Rc<str>, used: Place) -> OriginId {
        let name = name.clone();
        let n_defined = self.definitions.len();
        self.all.push(Origin {
            kind,
            name,
            used,
            n_defined,
        });
        OriginId::new(self.all.len() - 1)
    }

    /// Takes a definition in.
    pub fn define(&mut self, definition: Definition) {
        self.definitions.push(definition);
    }

    /// All definitions, in the order in which they were met.
    pub fn definitions(&self) -> &[Definition] {
        &self.definitions
    }

    /// Each use with the definition that it expands, by its number.
    pub fn uses(&self) -> impl Iterator<Item = (&Origin, usize)> {
        self.all.iter().filter_map(|origin| {
            let before = &self.definitions[..origin.n_defined];
            let is_meant = |d: &Definition| d.kind == origin.kind && d.name == origin.name;
            Some((origin, before.iter().rposition(is_meant)?))
        })
    }

    /// The use of that id.
    pub fn get(&self, id: OriginId) -> &Origin {
        &self.all[id.index()]
    }

    /// The place in the user's own line: the outermost use.
    pub fn outermost(&self, mut place: Place) -> Place {
        while let Some(origin) = place.origin {
            place = self.get(origin).used;
        }
        place
    }

    /// The least place that covers both: a span of one text, reached by one chain of uses.
    ///
    /// # Ensures
    /// If the two meet only in different texts, it is the place of the first.
    pub fn join(&self, mut a: Place, mut b: Place) -> Place {
        while a.origin != b.origin {
            // The later use is never outside the earlier one, so it is the one to leave.
            if a.origin > b.origin {
                a = self.get(a.origin.expect("later than another")).used;
            } else {
                b = self.get(b.origin.expect("later than another")).used;
            }
        }
        if a.span.source != b.span.source {
            return a;
        }
        Place {
            span: a.span.to(b.span),
            origin: a.origin,
        }
    }

    /// An error at `place`: at the user's own line, with the bodies it came through.
    pub fn error(&self, place: Place, message: impl Into<String>) -> Diagnostic {
        let diagnostic = Diagnostic::error(self.outermost(place).span, message);
        self.with_chain(place, diagnostic)
    }

    /// A warning at `place`: at the user's own line, with the bodies it came through.
    pub fn warning(&self, place: Place, message: impl Into<String>) -> Diagnostic {
        let diagnostic = Diagnostic::warning(self.outermost(place).span, message);
        self.with_chain(place, diagnostic)
    }

    fn with_chain(&self, place: Place, mut diagnostic: Diagnostic) -> Diagnostic {
        /// More than this many levels would bury the message.
        const SHOWN_MAX: usize = 4;
        let mut at = place;
        while let Some(id) = at.origin {
            let origin = self.get(id);
            if diagnostic.labels.len() <= SHOWN_MAX {
                let words = match origin.kind {
                    OriginKind::Macro => format!("in the definition of `{}`", origin.name),
                    OriginKind::Inline => format!("in the body of `{}`", origin.name),
                };
                let span = at.span;
                diagnostic.labels.push(Label { span, words });
            }
            at = origin.used;
        }
        diagnostic
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(range: std::ops::Range<usize>, origin: Option<OriginId>) -> Place {
        let span = Span::new(SourceId::new(0), range);
        Place { span, origin }
    }

    #[test]
    fn joining_a_body_and_an_argument_gives_the_use() {
        let mut origins = Origins::new();
        let used = place(50..56, None);
        let id = origins.add(OriginKind::Macro, &"INC".into(), used);
        let (body, argument) = (place(20..23, Some(id)), place(54..55, None));
        assert_eq!(origins.join(body, argument), used);
        assert_eq!(origins.join(argument, body), used);
        assert_eq!(
            origins.join(body, place(15..16, Some(id))).span.range(),
            15..23
        );
    }

    #[test]
    fn an_error_in_a_body_is_shown_at_the_use_and_in_the_body() {
        let mut origins = Origins::new();
        let outer = origins.add(OriginKind::Macro, &"F".into(), place(90..93, None));
        let inner = origins.add(OriginKind::Inline, &"g".into(), place(30..33, Some(outer)));
        let error = origins.error(place(5..6, Some(inner)), "wrong");
        let starts: Vec<u32> = error.labels.iter().map(|l| l.span.start).collect();
        assert_eq!(starts, [90, 5, 30]);
        assert_eq!(error.labels[1].words, "in the body of `g`");
        assert_eq!(error.labels[2].words, "in the definition of `F`");
    }
}
