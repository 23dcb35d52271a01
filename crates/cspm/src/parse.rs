//! Tokens to syntax tree: recursive descent, one function per production.
//!
//! Operators of expressions, patterns and processes form one ladder of levels ([`level`]), climbed
//! by `expressions.rs`; what binds tighter stands higher. Where FDR reads a `>` as the end of a
//! sequence, so do we: between `<` and its `>` no bare `>` compares, `<x | x <- s, (x > 1)>` needs
//! its brackets.
//!
//! A syntax error is reported and the parser goes on at the next declaration that starts in the
//! first column, so that one run shows several of them; the number of reports is bounded.
//!
//! Trees are at most [`DEPTH_MAX`] high. Every production that gives a tree leaves its height in
//! `height`; a chain `a - b - c` is counted where it grows, brackets already while they open. Long
//! rows of associative operators are bracketed by halves.
//!
//! Source: the manual of FDR 4 for the language, and libcspm, its published front end, for levels
//! and for what it refuses.

pub(crate) mod level;

mod annotations;
mod assertions;
mod declarations;
mod expressions;
mod patterns;
mod processes;
mod types;

use crate::ast::{DEPTH_MAX, Expr, ExprKind, Name, Script};
use crate::token::{Token, TokenKind};
use base::{Diagnostic, Diagnostics, SourceId, Sources, Span, quote};

/// Syntax errors beyond this number are not reported.
const ERRORS_MAX: usize = 20;

/// The script that the tokens of `main` and of the files within it describe, or `None` if `found`
/// says what is wrong.
pub fn script(
    main: SourceId,
    tokens: Vec<Token>,
    sources: &Sources,
    found: &mut Diagnostics,
) -> Option<Script> {
    let (script, errors) = with_room(|| {
        let mut parser = Parser::new(main, &tokens, sources);
        (parser.script(), parser.errors)
    });
    let is_good = errors.is_empty();
    found.extend(errors);
    is_good.then_some(script)
}

/// The expression that is all of these tokens, those of `text`; or `None` if `found` says what is
/// wrong.
pub fn expression(
    text: SourceId,
    tokens: Vec<Token>,
    sources: &Sources,
    found: &mut Diagnostics,
) -> Option<Expr> {
    let (expr, errors) = with_room(|| {
        let mut parser = Parser::new(text, &tokens, sources);
        let mut expr = parser.expr(level::LOWEST);
        parser.skip_newline();
        if expr.is_ok() && parser.peek().is_some() {
            expr = Err(parser.expected("the end of the expression"));
        }
        (expr.ok(), parser.errors)
    });
    found.extend(errors);
    expr
}

/// Parses on a stack of a known size: nesting is bounded, but a thread may have little room, and
/// productions call each other up to a dozen deep for each level.
fn with_room<T: Send>(run: impl Fn() -> T + Send + Sync) -> T {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(STACK_BYTES);
        match builder.spawn_scoped(scope, &run) {
            Ok(thread) => thread
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => run(),
        }
    })
}

/// Enough for [`DEPTH_MAX`] levels of any kind, unoptimised: the worst takes 10 KiB a level.
const STACK_BYTES: usize = 16 << 20;

/// What a production gives, or that an error was reported.
type Parsed<T> = Result<T, Reported>;

/// An error was reported; the caller looks for a place to go on.
#[derive(Debug)]
struct Reported;

struct Parser<'a> {
    sources: &'a Sources,
    tokens: &'a [Token],
    at: usize,
    /// The end of the text.
    end: Span,
    /// How many productions that contain each other are open.
    depth: u16,
    /// The height of the tree that the last production gave.
    height: u16,
    /// Whether a `<` is open since the last bracket of another kind: a `>` would end it.
    in_angles: bool,
    /// Whether errors are only counted: a try that may be taken back.
    is_trying: bool,
    errors: Vec<Diagnostic>,
}

impl<'a> Parser<'a> {
    fn new(main: SourceId, tokens: &'a [Token], sources: &'a Sources) -> Parser<'a> {
        let length = sources.get(main).text().len();
        Parser {
            sources,
            tokens,
            at: 0,
            end: Span::new(main, length..length),
            depth: 0,
            height: 0,
            in_angles: false,
            is_trying: false,
            errors: Vec::new(),
        }
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn kind(&self) -> Option<&TokenKind> {
        self.peek().map(|t| &t.kind)
    }

    fn ahead(&self, n: usize) -> Option<&Token> {
        self.tokens.get(self.at + n)
    }

    /// Takes the next token.
    ///
    /// # Requires
    /// There is one.
    fn bump(&mut self) -> Token {
        self.at += 1;
        self.tokens[self.at - 1].clone()
    }

    fn is(&self, mark: &str) -> bool {
        self.peek().is_some_and(|t| t.is(mark))
    }

    fn is_word(&self, word: &str) -> bool {
        self.peek().is_some_and(|t| t.is_word(word))
    }

    /// Whether a declaration may end here.
    fn is_line_end(&self) -> bool {
        matches!(
            self.kind(),
            None | Some(TokenKind::Newline(_) | TokenKind::Edge)
        )
    }

    /// Skips the end of a line that what stands before it carries on.
    fn skip_newline(&mut self) {
        let there = matches!(self.kind(), Some(TokenKind::Newline(_)));
        self.at += usize::from(there);
    }

    /// Takes this mark if it is next.
    fn eat(&mut self, mark: &str) -> bool {
        let there = self.is(mark);
        self.at += usize::from(there);
        there
    }

    /// Takes this word if it is next.
    fn eat_word(&mut self, word: &str) -> bool {
        let there = self.is_word(word);
        self.at += usize::from(there);
        there
    }

    /// Takes this mark, or reports that it is missing.
    fn expect(&mut self, mark: &str) -> Parsed<Span> {
        if self.is(mark) {
            return Ok(self.bump().span);
        }
        Err(self.expected(&format!("`{mark}`")))
    }

    /// Takes this mark, the partner of `opener` at `open`.
    fn close(&mut self, mark: &str, opener: &str, open: Span) -> Parsed<Span> {
        if self.is(mark) {
            return Ok(self.bump().span);
        }
        let wanted = format!("`{mark}` to end {}", self.opened(opener, open));
        Err(self.expected_after(&wanted, open))
    }

    /// Takes this word, the next of the construct that `opener` at `open` began.
    fn close_word(&mut self, word: &str, opener: &str, open: Span) -> Parsed<Span> {
        if self.is_word(word) {
            return Ok(self.bump().span);
        }
        let wanted = format!("`{word}` for {}", self.opened(opener, open));
        Err(self.expected_after(&wanted, open))
    }

    /// A mark or word with the line it stands in.
    fn opened(&self, opener: &str, open: Span) -> String {
        let line = self.sources.get(open.source).line_of(open.start as usize);
        format!("the `{opener}` of line {line}")
    }

    /// Takes a name without modules.
    fn name(&mut self, wanted: &str) -> Parsed<Name> {
        match self.peek() {
            Some(Token {
                kind: TokenKind::Name(text),
                span,
            }) => {
                let name = Name {
                    modules: Vec::new(),
                    text: text.clone(),
                    span: *span,
                };
                self.at += 1;
                Ok(name)
            }
            Some(Token {
                kind: TokenKind::Word(word),
                span,
            }) => {
                let quoted = quote(word);
                let message = format!("{quoted} is a word of CSPM; {wanted} is expected here");
                let span = *span;
                Err(self.error(span, message))
            }
            _ => Err(self.expected(wanted)),
        }
    }

    /// Takes a name that modules may stand before.
    fn qualified(&mut self, wanted: &str) -> Parsed<Name> {
        let Some(Token {
            kind: TokenKind::Path(parts),
            span,
        }) = self.peek()
        else {
            return self.name(wanted);
        };
        let (mut modules, span) = (parts.clone(), *span);
        let text = modules.pop().expect("a path has parts");
        self.at += 1;
        Ok(Name {
            modules,
            text,
            span,
        })
    }

    /// Takes names without modules between commas.
    fn names(&mut self, wanted: &str) -> Parsed<Vec<Name>> {
        let mut names = vec![self.name(wanted)?];
        while self.eat(",") {
            names.push(self.name(wanted)?);
        }
        Ok(names)
    }

    /// Runs `inside` one level deeper, if that is allowed.
    fn nested<T>(&mut self, inside: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEPTH_MAX {
            return Err(self.too_deep());
        }
        self.depth += 1;
        let parsed = inside(self);
        self.depth -= 1;
        parsed
    }

    /// Runs `inside` where a `>` is a comparison again.
    fn bracketed<T>(&mut self, inside: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.with_angles(false, inside)
    }

    /// Runs `inside` where a `>` ends a sequence, or does not.
    fn with_angles<T>(
        &mut self,
        in_angles: bool,
        inside: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Parsed<T> {
        let outside = std::mem::replace(&mut self.in_angles, in_angles);
        let parsed = inside(self);
        self.in_angles = outside;
        parsed
    }

    /// Notes the height of a tree over trees of height `below`.
    fn over(&mut self, below: u16) -> Parsed<()> {
        self.height = below + 1;
        if self.height > DEPTH_MAX {
            return Err(self.too_deep());
        }
        Ok(())
    }

    /// An expression over trees of height `below`, from `start` to the token before.
    fn node(&mut self, start: Span, below: u16, kind: ExprKind) -> Parsed<Expr> {
        self.over(below)?;
        let span = self.since(start);
        Ok(Expr { kind, span })
    }

    fn too_deep(&mut self) -> Reported {
        let message = format!("this is nested more than {DEPTH_MAX} levels deep");
        self.error(self.here(), message)
    }

    /// Where the next token is.
    fn here(&self) -> Span {
        self.peek().map_or(self.end, |t| t.span)
    }

    /// From `start` to the token before.
    fn since(&self, start: Span) -> Span {
        let last = self.at.checked_sub(1).and_then(|i| self.tokens.get(i));
        match last {
            Some(token) if token.span.source == start.source && token.span >= start => {
                start.to(token.span)
            }
            _ => start,
        }
    }

    /// Reports that something else stands where `wanted` should.
    fn expected(&mut self, wanted: &str) -> Reported {
        let error = self.missing(wanted);
        self.report(error)
    }

    /// The same, showing where that began to which it belongs.
    fn expected_after(&mut self, wanted: &str, open: Span) -> Reported {
        let error = self.missing(wanted);
        self.report(error.and(open, "it begins here"))
    }

    fn missing(&self, wanted: &str) -> Diagnostic {
        let Some(token) = self.peek() else {
            let message = format!("{wanted} is expected before the end of the text");
            return Diagnostic::error(self.end, message);
        };
        let message = match &token.kind {
            TokenKind::Bad(why) => (*why).to_owned(),
            TokenKind::Newline(_) => format!("{wanted} is expected before the line ends"),
            TokenKind::Edge => format!("{wanted} is expected before this file starts or ends"),
            TokenKind::Stray(c) => format!(
                "{wanted} is expected here; {} is no sign of CSPM",
                quote(&c.to_string())
            ),
            _ => format!("{wanted} is expected here, not {}", quote(&token.text())),
        };
        let error = Diagnostic::error(token.span, message);
        match &token.kind {
            TokenKind::Mark(mark) => match meant(mark, wanted) {
                Some(note) => error.note(note),
                None => error,
            },
            _ => error,
        }
    }

    fn error(&mut self, span: Span, message: impl Into<String>) -> Reported {
        self.report(Diagnostic::error(span, message))
    }

    fn report(&mut self, error: Diagnostic) -> Reported {
        let n = self.errors.len() + 1;
        if self.is_trying {
            return Reported;
        }
        if n < ERRORS_MAX {
            self.errors.push(error);
        } else if n == ERRORS_MAX {
            let error = error.note("there are more errors; they are not shown");
            self.errors.push(error);
        }
        Reported
    }
}

/// What was meant by a mark that does not belong where it stands.
fn meant(mark: &str, wanted: &str) -> Option<&'static str> {
    match mark {
        "||" => Some(
            "two processes in parallel are `P [| A |] Q`, synchronised on the events of `A`, \
             `P [A || B] Q`, each with its own events, or `P ||| Q`",
        ),
        "==" if wanted == "`=`" => Some("`=` defines; `==` compares"),
        "=" => Some("`==` compares; `=` defines"),
        _ => None,
    }
}
