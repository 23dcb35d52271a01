//! Tokens to syntax tree: recursive descent, one function per production.
//!
//! The grammar is the one that SPIN accepts, quirks included; they live in the file [`pump`] (line
//! ends that stand for semicolons) and in the functions named after their productions. Three things
//! cannot be said by a grammar and are known while parsing: which names are types, because they
//! begin declarations; which are inlines, because a call is replaced by tokens; which are
//! processes, because `p:x` is a variable of `p` and otherwise a labelled statement.
//!
//! A syntax error is reported and the parser goes on after the next separator, or at the next unit,
//! so that one run shows all of them; what comes after an error may be reported in error too, so
//! the number of reports is bounded.
//!
//! Source: the grammar of SPIN 6.5.2 (G. J. Holzmann), as the program itself accepts it.

mod declarations;
mod expressions;
mod extended;
mod inlines;
mod messages;
mod pump;
mod quantified;
mod slips;
mod statements;
mod units;

use crate::ast::{Ast, Name};
use crate::place::{Origins, Place};
use crate::preprocess::Preprocessed;
use crate::token::{Token, TokenKind};
use base::{Diagnostic, Diagnostics, SourceId, Span, quote};
use inlines::Inline;
use pump::TokenRun;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// The deepest nesting of blocks, parentheses and signs together.
pub const NESTING_MAX: usize = 100;
/// Syntax errors beyond this number are not reported.
const ERRORS_MAX: usize = 50;

/// The model that the tokens of `main` describe; parts with errors are left out of it.
pub fn parse(read: Preprocessed, main: SourceId, length: usize, found: &mut Diagnostics) -> Ast {
    let end = Place::plain(Span::new(main, length..length));
    let named = extended::named(&read.tokens);
    let mut parser = Parser {
        frames: vec![TokenRun::of_text(read.tokens.into())],
        held: None,
        last: Last::Other,
        previous: end,
        previous_written: end,
        end,
        n_open: 0,
        in_sequence: false,
        in_formula: false,
        depth: 0,
        n_inlined: 0,
        types: HashSet::new(),
        processes: HashSet::new(),
        named,
        inlines: HashMap::new(),
        formulas: Vec::new(),
        n_errors: 0,
        origins: read.origins,
        found,
    };
    parser.origins.main = Some(main);
    let units = parser.units();
    Ast {
        units,
        origins: parser.origins,
    }
}

/// What a production gives, or that an error was reported.
type Parsed<T> = Result<T, Reported>;

/// An error was reported; the caller looks for a place to go on.
#[derive(Debug)]
struct Reported;

/// What the token before was, as far as it matters for separators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Last {
    /// `}`
    Brace,
    /// `else`
    Else,
    /// Another token after which a line end counts as a semicolon.
    Ending,
    /// None of these.
    Other,
}

struct Parser<'a> {
    /// The text, and above it the bodies of inlines in use.
    frames: Vec<TokenRun>,
    /// The next token, if it has been looked at.
    held: Option<Token>,
    last: Last,
    /// Where the token before ended.
    previous: Place,
    /// The same, in the body that the token was put into, if it came as an argument.
    previous_written: Place,
    /// The end of the text.
    end: Place,
    /// How many parentheses are open; a line end inside them is no semicolon.
    n_open: usize,
    /// Whether we are inside the braces of a process or type, where line ends count.
    in_sequence: bool,
    /// Whether we are inside `ltl { … }`.
    in_formula: bool,
    depth: usize,
    n_inlined: usize,
    types: HashSet<Rc<str>>,
    processes: HashSet<Rc<str>>,
    /// All process types and scalarsets of the text, also later ones.
    named: HashSet<Rc<str>>,
    inlines: HashMap<Rc<str>, Rc<Inline>>,
    /// Formulas put aside until all declarations are known.
    formulas: Vec<Vec<Token>>,
    n_errors: usize,
    origins: Origins,
    found: &'a mut Diagnostics,
}

impl Parser<'_> {
    fn error(&mut self, place: Place, message: impl Into<String>) -> Reported {
        let error = self.origins.error(place, message);
        self.report(error)
    }

    fn report(&mut self, error: Diagnostic) -> Reported {
        self.n_errors += 1;
        if self.n_errors < ERRORS_MAX {
            self.found.push(error);
        } else if self.n_errors == ERRORS_MAX {
            self.found
                .push(error.note("there are more errors; they are not shown"));
        }
        Reported
    }

    fn warn(&mut self, place: Place, message: impl Into<String>) {
        let warning = self.origins.warning(place, message);
        self.found.push(warning);
    }

    /// Reports that something else stands where `wanted` should.
    fn expected(&mut self, wanted: &str) -> Reported {
        let unended = self.unended(wanted);
        // What ends it is wanted sooner than another mark, but not sooner than an operand.
        let closer = unended.map(|open| format!("`{}`", open.closer));
        let closer = closer.filter(|_| wanted.starts_with('`'));
        let wanted = closer.as_deref().unwrap_or(wanted);
        let mut error = match self.peek().cloned() {
            Some(token) if token.place.span.range().is_empty() => {
                let message = format!("{wanted} is expected after this");
                self.origins.error(self.previous, message)
            }
            Some(token) => {
                let message = format!("{wanted} is expected here, not {}", quote(&token.text()));
                let error = self.origins.error(token.place, message);
                self.with_meaning(error, &token, self.previous)
            }
            None => {
                let message = format!("{wanted} is expected before the end of the text");
                self.origins.error(self.end, message)
            }
        };
        if let Some(open) = unended {
            error = error.and(open.span, format!("this `{}` is not ended", open.opener));
        }
        self.report(error)
    }

    /// Takes this mark, or reports that it is missing.
    fn expect(&mut self, mark: &'static str) -> Parsed<Place> {
        if self.is(mark) {
            return Ok(self.bump().place);
        }
        Err(self.expected(&format!("`{mark}`")))
    }

    /// Takes this mark if it is next.
    fn eat(&mut self, mark: &str) -> bool {
        let there = self.is(mark);
        if there {
            self.bump();
        }
        there
    }

    /// Takes this keyword if it is next.
    fn eat_word(&mut self, word: &str) -> bool {
        let there = self.is_word(word);
        if there {
            self.bump();
        }
        there
    }

    fn is(&mut self, mark: &str) -> bool {
        self.peek().is_some_and(|t| t.is(mark))
    }

    fn is_word(&mut self, word: &str) -> bool {
        self.peek().is_some_and(|t| t.is_name(word))
    }

    /// Takes a name that is no keyword.
    fn name(&mut self, wanted: &str) -> Parsed<Name> {
        let token = self.peek();
        let name = token.and_then(|t| t.name().map(|n| (n.clone(), t.place)));
        if let Some((text, place)) = name
            && self.inlines.contains_key(&text)
        {
            let message = format!("{} is an inline; {wanted} is expected here", quote(&text));
            return Err(self.error(place, message));
        }
        self.name_or_inline(wanted)
    }

    /// Takes a name, which can be that of an inline.
    fn name_or_inline(&mut self, wanted: &str) -> Parsed<Name> {
        let token = self.peek();
        let name = token.and_then(|t| t.name().map(|n| (n.clone(), t.place)));
        match name {
            Some((text, place)) if is_keyword(&text) => {
                let message = format!("{} is a keyword; {wanted} is expected here", quote(&text));
                Err(self.error(place, message))
            }
            Some((text, place)) => {
                self.bump();
                Ok(Name { text, place })
            }
            None => Err(self.expected(wanted)),
        }
    }

    /// Takes a number, a character or one of the words for numbers.
    fn constant(&mut self, wanted: &str) -> Parsed<i32> {
        match self.peek_constant() {
            Some(value) => {
                self.bump();
                Ok(value)
            }
            None => Err(self.expected(wanted)),
        }
    }

    /// The value of the next token if it is a number, a character or a word for a number.
    fn peek_constant(&mut self) -> Option<i32> {
        let token = self.peek()?.clone();
        match &token.kind {
            TokenKind::Letter(code) => Some(*code),
            TokenKind::Name(name) => match &**name {
                "true" | "skip" => Some(1),
                "false" => Some(0),
                _ => None,
            },
            TokenKind::Number(text) => Some(self.number(text, token.place)),
            _ => None,
        }
    }

    /// A number as SPIN reads it: beyond 64 bits the greatest there is, then cut to 32 bits.
    fn number(&mut self, text: &str, place: Place) -> i32 {
        let wide: i64 = text.parse().unwrap_or(i64::MAX);
        if i32::try_from(wide).is_err() {
            let message = format!("{} does not fit into 32 bits", quote(text));
            let warning = self.origins.warning(place, message);
            self.found
                .push(warning.note(format!("it is read as {}", wide as i32)));
        }
        wide as i32
    }

    /// Goes one level deeper, if that is allowed.
    fn enter(&mut self) -> Parsed<()> {
        if self.depth >= NESTING_MAX {
            let place = self.here();
            let message = format!("this is nested more than {NESTING_MAX} levels deep");
            return Err(self.error(place, message));
        }
        self.depth += 1;
        Ok(())
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    /// From `start` to the token before.
    fn since(&self, start: Place) -> Place {
        self.origins.join(start, self.previous)
    }

    /// Where the next token is.
    fn here(&mut self) -> Place {
        let end = self.end;
        self.peek().map_or(end, |t| t.place)
    }
}

/// The words that cannot be names.
pub(crate) const KEYWORDS: [&str; 64] = [
    "active",
    "assert",
    "atomic",
    "bit",
    "bool",
    "break",
    "byte",
    "c_code",
    "c_decl",
    "c_expr",
    "c_state",
    "c_track",
    "D_proctype",
    "do",
    "chan",
    "else",
    "empty",
    "enabled",
    "eval",
    "false",
    "fi",
    "for",
    "full",
    "get_priority",
    "goto",
    "hidden",
    "if",
    "init",
    "inline",
    "int",
    "len",
    "local",
    "ltl",
    "mtype",
    "nempty",
    "never",
    "nfull",
    "notrace",
    "np_",
    "od",
    "of",
    "pc_value",
    "pid",
    "printf",
    "printm",
    "priority",
    "proctype",
    "provided",
    "return",
    "run",
    "d_step",
    "select",
    "set_priority",
    "short",
    "skip",
    "timeout",
    "trace",
    "true",
    "show",
    "typedef",
    "unless",
    "unsigned",
    "xr",
    "xs",
];

fn is_keyword(name: &str) -> bool {
    KEYWORDS.contains(&name)
}
