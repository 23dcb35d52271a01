//! Syntax trees as text: what was written, one declaration a line.
//!
//! Reading the text again gives the same tree, up to places. A tree that a script gave needs no
//! brackets beside its own; a tree made otherwise gets those it needs, so that its text means it.
//!
//! Worked example: `Binary(Multiply, Binary(Add, a, b), c)`, made without a `Brackets`, is
//! `(a + b) * c`, because `+` stands below `*`; `Binary(Multiply, Unary(Minus, a), b)` is
//! `(-a) * b`, because `-a * b` would take the product under the sign.

mod declarations;
mod expressions;
mod processes;
mod types;

use crate::ast::{Assertion, Decl, Expr, Pattern, Scheme, Script, Type};

/// The text of a script; included files are part of it.
pub fn script(script: &Script) -> String {
    let mut listing = ScriptListing::default();
    listing.decls(&script.decls);
    listing.out
}

/// The text of a declaration, without the last line end.
pub fn decl(decl: &Decl) -> String {
    let mut listing = ScriptListing::default();
    listing.decl(decl);
    listing.out
}

/// The text of an expression.
pub fn expr(expr: &Expr) -> String {
    let mut listing = ScriptListing::default();
    listing.expr(expr, BracketContext::NOTHING);
    listing.out
}

/// The text of a pattern.
pub fn pattern(pattern: &Pattern) -> String {
    let mut listing = ScriptListing::default();
    listing.pattern(pattern, 0);
    listing.out
}

/// The text of an assertion, without the word `assert`.
pub fn assertion(assertion: &Assertion) -> String {
    let mut listing = ScriptListing::default();
    listing.assertion(assertion);
    listing.out
}

/// The text of a type.
pub fn type_of(written: &Type) -> String {
    let mut listing = ScriptListing::default();
    listing.type_of(written, 0);
    listing.out
}

/// The text of a type with what its variables must be able to do.
pub fn scheme(scheme: &Scheme) -> String {
    let mut listing = ScriptListing::default();
    listing.scheme(scheme);
    listing.out
}

/// What stands around an expression, as far as it asks for brackets.
#[derive(Clone, Copy)]
struct BracketContext {
    /// The lowest level that needs no brackets.
    lowest: u8,
    /// The level of the operator that follows, if one does.
    follow: Option<u8>,
}

impl BracketContext {
    /// Brackets, or nothing.
    const NOTHING: BracketContext = BracketContext {
        lowest: 0,
        follow: None,
    };

    /// A place before an operator of level `follow`.
    fn before(lowest: u8, follow: u8) -> BracketContext {
        let follow = Some(follow);
        BracketContext { lowest, follow }
    }

    /// The right end of an expression that stands here.
    fn right(self, lowest: u8) -> BracketContext {
        BracketContext { lowest, ..self }
    }
}

#[derive(Default)]
struct ScriptListing {
    out: String,
    /// Whether a bare `>` would end a sequence.
    in_angles: bool,
    /// How far lines of a `let` or a module are moved in.
    indent: usize,
}

impl ScriptListing {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// A mark that must not grow together with what comes next: `{` and `-` would be a comment.
    fn open(&mut self, mark: &str, inside: impl FnOnce(&mut Self)) {
        self.put(mark);
        let at = self.out.len();
        inside(self);
        let next = self.out[at..].chars().next();
        let grows = match mark {
            "{" => matches!(next, Some('-' | '|')),
            "<" => matches!(next, Some('-' | '=' | '|' | '>')),
            "-" => matches!(next, Some('-' | '>')),
            "(" => matches!(next, Some('|')),
            _ => false,
        };
        if grows {
            self.out.insert(at, ' ');
        }
    }

    /// Runs `inside` where a `>` is a comparison again.
    fn bracketed(&mut self, inside: impl FnOnce(&mut Self)) {
        let outside = std::mem::take(&mut self.in_angles);
        inside(self);
        self.in_angles = outside;
    }

    fn line_end(&mut self) {
        self.out.push('\n');
        for _ in 0..self.indent {
            self.out.push_str("  ");
        }
    }

    /// Things with `separator` between them.
    fn joined<T>(&mut self, all: &[T], separator: &str, mut one: impl FnMut(&mut Self, &T)) {
        for (i, item) in all.iter().enumerate() {
            if i > 0 {
                self.put(separator);
            }
            one(self, item);
        }
    }

    fn name(&mut self, name: &crate::ast::Name) {
        for module in &name.modules {
            self.put(module);
            self.put("::");
        }
        self.put(&name.text);
    }

    fn names(&mut self, names: &[crate::ast::Name]) {
        self.joined(names, ", ", |l, name| l.name(name));
    }

    fn char(&mut self, c: char) {
        let escaped = escape(c, '\'');
        self.put(&format!("'{escaped}'"));
    }

    fn text(&mut self, text: &str) {
        let escaped: String = text.chars().map(|c| escape(c, '"')).collect();
        self.put(&format!("\"{escaped}\""));
    }
}

fn escape(c: char, quote: char) -> String {
    match c {
        '\n' => "\\n".into(),
        '\t' => "\\t".into(),
        '\r' => "\\r".into(),
        '\\' => "\\\\".into(),
        c if c == quote => format!("\\{c}"),
        c => c.into(),
    }
}
