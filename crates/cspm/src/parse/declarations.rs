//! Declarations: definitions, channels, datatypes, modules and what surrounds them.
//!
//! A declaration ends with its line, unless a mark at the end of the line or at the start of the
//! next carries it on (`crates/cspm/src/token.rs`). Equations of one function that stand in a row
//! in one file are clauses of one [`Function`].

use super::{Parsed, Parser, Reported, level};
use crate::ast::{
    Clause, Datatype, Decl, DeclKind, Expr, Function, Module, Name, Pattern, PatternKind, Script,
};
use crate::token::TokenKind;
use base::{Diagnostic, Span, quote};

/// Where a list of declarations stands: it decides which of them may be there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ListPlace {
    Top,
    Let,
    Module,
    Timed,
}

/// What may end a list of declarations.
#[derive(Clone, Copy)]
enum ListEnd {
    Word(&'static str),
    Mark(&'static str),
    Text,
}

impl Parser<'_> {
    /// All declarations. After one that is wrong, the next in the first column is tried.
    pub(super) fn script(&mut self) -> Script {
        let mut decls = Vec::new();
        loop {
            match self.decls_until(ListPlace::Top, ListEnd::Text, &mut decls) {
                Ok(()) => break,
                Err(Reported) => self.recover(),
            }
        }
        let decls = self.finished(decls).unwrap_or_default();
        Script { decls }
    }

    /// Moves to where a declaration may start in the first column, or to the end.
    fn recover(&mut self) {
        self.depth = 0;
        self.in_angles = false;
        self.is_trying = false;
        while let Some(token) = self.peek() {
            if matches!(token.kind, TokenKind::Newline(true) | TokenKind::Edge) {
                let starts = self.ahead(1).is_some_and(|next| {
                    !next.is_word("exports") && !next.is_word("endmodule") && !next.is("}")
                });
                if starts || self.ahead(1).is_none() {
                    return;
                }
            }
            self.at += 1;
        }
    }

    /// `let` is read: declarations and `within`.
    pub(super) fn let_decls(&mut self, open: Span) -> Parsed<Vec<Decl>> {
        let decls = self.decls(ListPlace::Let, ListEnd::Word("within"), "let", open)?;
        if decls.is_empty() {
            return Err(self.error(open, "this `let` declares nothing"));
        }
        Ok(decls)
    }

    /// Declarations up to `end`, which is taken too, with clauses put together.
    fn decls(
        &mut self,
        place: ListPlace,
        end: ListEnd,
        opener: &str,
        open: Span,
    ) -> Parsed<Vec<Decl>> {
        let mut decls = Vec::new();
        self.nested(|p| p.decls_until(place, end, &mut decls))?;
        match end {
            ListEnd::Word(word) => self.close_word(word, opener, open)?,
            ListEnd::Mark(mark) => self.close(mark, opener, open)?,
            ListEnd::Text => open,
        };
        self.finished(decls)
    }

    fn is_end(&self, end: ListEnd) -> bool {
        match end {
            ListEnd::Word(word) => self.is_word(word),
            ListEnd::Mark(mark) => self.is(mark),
            ListEnd::Text => self.peek().is_none(),
        }
    }

    fn skip_line_ends(&mut self) {
        while self.peek().is_some() && self.is_line_end() {
            self.at += 1;
        }
    }

    /// Reads declarations into `decls` until `end` is next; `height` is that of the tallest.
    fn decls_until(&mut self, place: ListPlace, end: ListEnd, decls: &mut Vec<Decl>) -> Parsed<()> {
        let mut tallest = 0;
        loop {
            self.skip_line_ends();
            if self.is_end(end) {
                self.height = tallest;
                return Ok(());
            }
            if self.peek().is_none() {
                // Who began the list says what is missing.
                return Ok(());
            }
            let decl = self.decl(place)?;
            tallest = tallest.max(self.height);
            decls.push(decl);
            if !self.is_line_end() && !self.is_end(end) {
                return Err(self.expected("the end of the line"));
            }
        }
    }

    fn decl(&mut self, place: ListPlace) -> Parsed<Decl> {
        let start = self.here();
        self.height = 0;
        let word = match self.kind() {
            Some(TokenKind::Word(word)) => *word,
            Some(TokenKind::Name(name)) if &**name == "print" && self.is_print() => "print",
            _ => "",
        };
        self.allowed(word, place)?;
        let kind = match word {
            "channel" => self.channel()?,
            "datatype" => DeclKind::Datatype(self.datatype()?),
            "subtype" => DeclKind::Subtype(self.datatype()?),
            "nametype" => self.nametype()?,
            "transparent" | "external" => {
                self.at += 1;
                let names = self.names("the name of a function")?;
                match word {
                    "transparent" => DeclKind::Transparent(names),
                    _ => DeclKind::External(names),
                }
            }
            "assert" => DeclKind::Assert(self.assertion()?),
            "print" => {
                self.at += 1;
                DeclKind::Print(self.expr(level::LOWEST)?)
            }
            "module" => DeclKind::Module(self.module()?),
            "instance" => self.instance()?,
            "Timed" => self.timed(place)?,
            _ => self.definition()?,
        };
        let span = self.since(start);
        Ok(Decl { kind, span })
    }

    /// Whether the name `print` here begins a request to print: it is no word of the language.
    fn is_print(&self) -> bool {
        let (Some(print), Some(next)) = (self.peek(), self.ahead(1)) else {
            return false;
        };
        let has_space = next.span.start > print.span.end;
        has_space && !next.is("=") && !next.is("::") && !next.is(",")
    }

    /// Reports a declaration that may not stand here.
    fn allowed(&mut self, word: &str, place: ListPlace) -> Parsed<()> {
        let is_allowed = match place {
            ListPlace::Top => true,
            ListPlace::Let => {
                matches!(word, "" | "transparent" | "external" | "Timed")
                    || matches!(word, "let" | "if" | "not" | "true" | "false")
            }
            ListPlace::Module => !matches!(word, "assert" | "print"),
            ListPlace::Timed => word != "print",
        };
        if is_allowed {
            return Ok(());
        }
        let place = match place {
            ListPlace::Let => "a `let`",
            ListPlace::Module => "a module",
            _ => "a timed section",
        };
        let span = self.here();
        Err(self.error(span, format!("`{word}` does not stand in {place}")))
    }

    /// `channel c, d : T`
    fn channel(&mut self) -> Parsed<DeclKind> {
        self.at += 1;
        let names = self.names("the name of a channel")?;
        let mut fields = None;
        if self.eat(":") {
            fields = Some(self.expr(level::LOWEST)?);
        }
        Ok(DeclKind::Channel {
            names,
            fields,
            scheme: None,
        })
    }

    /// `datatype T = A | B.S`, and `subtype`.
    fn datatype(&mut self) -> Parsed<Datatype> {
        self.at += 1;
        let name = self.name("the name of a type")?;
        self.expect("=")?;
        let mut constructors = Vec::new();
        let mut tallest = 0;
        loop {
            let constructor = self.name("the name of a constructor")?;
            let mut fields = None;
            if self.eat(".") {
                fields = Some(self.expr(level::LOWEST)?);
                tallest = tallest.max(self.height);
            }
            constructors.push((constructor, fields));
            if !self.eat("|") {
                self.height = tallest;
                return Ok(Datatype { name, constructors });
            }
        }
    }

    /// `nametype N = e`
    fn nametype(&mut self) -> Parsed<DeclKind> {
        self.at += 1;
        let name = self.name("the name of a type")?;
        self.expect("=")?;
        let value = self.expr(level::LOWEST)?;
        Ok(DeclKind::Nametype {
            name,
            value,
            scheme: None,
        })
    }

    /// `module M(x) … exports … endmodule`
    fn module(&mut self) -> Parsed<Module> {
        let open = self.bump().span;
        let name = self.name("the name of a module")?;
        let mut parameters = Vec::new();
        if self.is("(") {
            parameters = self.listed("(", ")")?;
            if parameters.is_empty() {
                let message = "a module without parameters has no brackets";
                return Err(self.error(name.span, message));
            }
        }
        let mut tallest = self.height;
        self.ended_line("the name of a module")?;
        let private = self.decls(ListPlace::Module, ListEnd::Word("exports"), "module", open)?;
        tallest = tallest.max(self.height);
        self.ended_line("`exports`")?;
        let exports = self.decls(
            ListPlace::Module,
            ListEnd::Word("endmodule"),
            "module",
            open,
        )?;
        self.over(tallest.max(self.height))?;
        Ok(Module {
            name,
            parameters,
            private,
            exports,
        })
    }

    /// A line ends here, after `what`.
    fn ended_line(&mut self, what: &str) -> Parsed<()> {
        if self.is_line_end() {
            Ok(())
        } else {
            Err(self.expected(&format!("the end of the line after {what}")))
        }
    }

    /// `instance I = M(e)`
    fn instance(&mut self) -> Parsed<DeclKind> {
        self.at += 1;
        let name = self.name("the name of the instance")?;
        self.expect("=")?;
        let of = self.qualified("the name of a module")?;
        let mut arguments = Vec::new();
        if self.is("(") {
            let open = self.bump().span;
            arguments = self.bracketed(|p| p.list_until(")"))?;
            self.close(")", "(", open)?;
            if arguments.is_empty() {
                let message = "an instance without arguments has no brackets";
                return Err(self.error(of.span, message));
            }
        }
        Ok(DeclKind::Instance {
            name,
            of,
            arguments,
        })
    }

    /// `Timed(f) { … }`
    fn timed(&mut self, place: ListPlace) -> Parsed<DeclKind> {
        self.at += 1;
        let mut durations = None;
        if self.is("(") {
            let open = self.bump().span;
            durations = Some(self.bracketed(|p| p.expr(level::LOWEST))?);
            self.close(")", "(", open)?;
        }
        let below = self.height;
        let open = self.expect("{")?;
        let inside = match place {
            ListPlace::Top => ListPlace::Timed,
            other => other,
        };
        let decls = self.decls(inside, ListEnd::Mark("}"), "{", open)?;
        self.over(below.max(self.height))?;
        Ok(DeclKind::Timed { durations, decls })
    }

    /// `f(x) = e`, `x = e`, `(x, y) = e`, or `f, g :: T`.
    fn definition(&mut self) -> Parsed<DeclKind> {
        let start = self.here();
        let is_name = matches!(self.kind(), Some(TokenKind::Name(_)));
        let next = self.ahead(1).map(|t| &t.kind);
        match next {
            Some(TokenKind::Mark("," | "::")) if is_name => {
                let names = self.names("a name")?;
                self.expect("::")?;
                let scheme = self.scheme()?;
                Ok(DeclKind::Annotation { names, scheme })
            }
            Some(TokenKind::Mark("(")) if is_name => self.equation(start),
            _ => {
                let pattern = self.left_side()?;
                let below = self.height;
                self.expect("=")?;
                let value = self.expr(level::LOWEST)?;
                self.height = self.height.max(below);
                Ok(self.bound(start, pattern, value))
            }
        }
    }

    /// What is bound by a definition, which is followed by `=`.
    fn left_side(&mut self) -> Parsed<Pattern> {
        let is_opened = matches!(
            self.kind(),
            Some(TokenKind::Mark("(" | "{" | "<" | "<>" | "-"))
        );
        let n = self.errors.len();
        let pattern = self.pattern().and_then(|pattern| {
            if self.is("=") {
                Ok(pattern)
            } else {
                Err(self.expected("`=`"))
            }
        });
        if let (Err(_), true, Some(error)) = (&pattern, is_opened, self.errors.get_mut(n)) {
            let note = "a line that starts like this begins a declaration of its own: if it \
                        belongs to the line before, let that end in a mark";
            error.notes.push(note.into());
        }
        pattern
    }

    /// `f(x, y)(z) = e`
    fn equation(&mut self, start: Span) -> Parsed<DeclKind> {
        let name = self.name("a name")?;
        let mut parameters = Vec::new();
        let mut tallest = 0;
        while self.is("(") {
            parameters.push(self.listed("(", ")")?);
            tallest = tallest.max(self.height);
        }
        self.expect("=")?;
        let body = self.expr(level::LOWEST)?;
        self.height = self.height.max(tallest);
        let clause = Clause {
            parameters,
            body,
            span: self.since(start),
        };
        Ok(DeclKind::Function(Function {
            name,
            clauses: vec![clause],
        }))
    }

    /// `x = e` is a function without parameters; any other pattern is taken apart.
    fn bound(&self, start: Span, pattern: Pattern, value: Expr) -> DeclKind {
        match pattern.kind {
            PatternKind::Name(name) if name.modules.is_empty() => {
                let clause = Clause {
                    parameters: Vec::new(),
                    body: value,
                    span: self.since(start),
                };
                DeclKind::Function(Function {
                    name,
                    clauses: vec![clause],
                })
            }
            _ => DeclKind::Let { pattern, value },
        }
    }

    /// The same list with the clauses of functions put together and annotations handed on.
    fn finished(&mut self, decls: Vec<Decl>) -> Parsed<Vec<Decl>> {
        let height = self.height;
        let mut all: Vec<Decl> = Vec::with_capacity(decls.len());
        for decl in decls {
            match all.last_mut() {
                Some(last) if continues(last, &decl) => join(last, decl),
                _ => all.push(decl),
            }
        }
        self.annotate(&mut all)?;
        self.height = height;
        Ok(all)
    }

    /// Reports a name that an annotation or a list should not have.
    pub(super) fn at_name(&mut self, name: &Name, message: &str) -> Reported {
        let message = format!("{} {message}", quote(&name.text));
        self.report(Diagnostic::error(name.span, message))
    }
}

/// Whether `next` is a further clause of the function `last`.
fn continues(last: &Decl, next: &Decl) -> bool {
    let (DeclKind::Function(a), DeclKind::Function(b)) = (&last.kind, &next.kind) else {
        return false;
    };
    let has_parameters = |f: &Function| f.clauses.iter().all(|c| !c.parameters.is_empty());
    a.name.text == b.name.text
        && a.name.span.source == b.name.span.source
        && has_parameters(a)
        && has_parameters(b)
}

fn join(last: &mut Decl, next: Decl) {
    let span = last.span.to(next.span);
    if let (DeclKind::Function(a), DeclKind::Function(b)) = (&mut last.kind, next.kind) {
        a.clauses.extend(b.clauses);
        last.span = span;
    }
}
