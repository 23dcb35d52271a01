//! Macros and their expansion, by the rules of C.
//!
//! Tokens are read from a stack of frames: the bottom one is the file, each use of a macro pushes
//! its body. A macro whose body is on the stack is not expanded again; its name is frozen, so that
//! it stays a name also later. That makes `#define x x + 1` end. Arguments are expanded on their
//! own before they are put into the body, except beside `#` and `##`.
//!
//! Worked example: with `#define two(a) a a` and `#define x y`, reading `two(x)` collects the
//! argument `x`, expands it to `y`, pushes `y y`, and gives two tokens, both with the place of the
//! definition of `x` and a chain of uses that leads to `two(x)`.
//!
//! Source: the algorithm is the usual one (D. Prosser, 1986), with the active macros kept as the
//! stack and not as a set on each token. Cost: proportional to the tokens read and written.

use crate::lex::lex;
use crate::place::{OriginId, OriginKind, Origins, Place};
use crate::token::{Token, TokenKind};
use base::{Diagnostic, Diagnostics, Sources, quote};
use std::collections::HashMap;
use std::rc::Rc;

/// The names that stand for where they stand.
const PLACES: [&str; 2] = ["__LINE__", "__FILE__"];
/// The most tokens that expansion may read.
const STEPS_MAX: usize = 20_000_000;
/// The deepest nesting of macro calls inside arguments.
const ARGUMENT_DEPTH_MAX: usize = 100;
/// The deepest nesting of macros inside bodies of macros.
const BODY_DEPTH_MAX: usize = 500;

/// The texts, and where mistakes in them go.
pub struct Desk<'a> {
    /// All texts.
    pub sources: &'a Sources,
    /// What was found.
    pub found: &'a mut Diagnostics,
}

/// One `#define`.
pub struct Macro {
    /// The names of the parameters; `None` for a macro without parentheses.
    pub parameters: Option<Vec<Rc<str>>>,
    /// Whether the last parameter takes all arguments that are left, with their commas.
    pub is_variadic: bool,
    /// What it stands for.
    pub body: Vec<Token>,
    /// Its name where it is defined.
    pub place: Place,
}

/// The macros in force, and what expansion has used up.
pub struct Macros {
    all: HashMap<Rc<str>, Rc<Macro>>,
    /// All uses so far.
    pub origins: Origins,
    n_steps: usize,
    depth: usize,
    /// Set when expansion met a limit; it then gives no more tokens.
    pub exhausted: bool,
}

/// Where tokens come from: a text, and above it the bodies of macros in use.
pub struct Feed {
    frames: Vec<PendingExpansion>,
    is_file: bool,
    /// Macros that are in use around this feed.
    outer: Vec<Rc<str>>,
}

struct PendingExpansion {
    tokens: Rc<[Token]>,
    at: usize,
    name: Option<Rc<str>>,
}

impl Feed {
    /// The tokens of a file: reading stops before each directive.
    pub fn of_file(tokens: Rc<[Token]>) -> Feed {
        let mut feed = Feed::of_tokens(tokens);
        feed.is_file = true;
        feed
    }

    /// Loose tokens.
    pub(crate) fn of_tokens(tokens: Rc<[Token]>) -> Feed {
        let frame = PendingExpansion {
            tokens,
            at: 0,
            name: None,
        };
        Feed {
            frames: vec![frame],
            is_file: false,
            outer: Vec::new(),
        }
    }

    /// How many tokens of the text have been read; exact between expansions.
    pub fn position(&self) -> usize {
        self.frames[0].at
    }

    /// Goes on with token `at` of the text.
    pub(crate) fn skip_to(&mut self, at: usize) {
        self.frames[0].at = at;
    }

    fn push(&mut self, tokens: Vec<Token>, name: Rc<str>) {
        self.frames.push(PendingExpansion {
            tokens: tokens.into(),
            at: 0,
            name: Some(name),
        });
    }

    fn is_active(&self, name: &str) -> bool {
        let on_stack = self.frames.iter().filter_map(|f| f.name.as_ref());
        on_stack.chain(&self.outer).any(|n| &**n == name)
    }

    /// The token that `next` would give.
    fn peek(&self) -> Option<&Token> {
        let frame = self.frames.iter().rev().find(|f| f.at < f.tokens.len())?;
        let token = &frame.tokens[frame.at];
        let ends = frame.name.is_none() && self.is_file && token.starts_line && token.is("#");
        (!ends).then_some(token)
    }

    fn next(&mut self) -> Option<Token> {
        let token = self.peek()?.clone();
        while self.frames.len() > 1 && self.frames.last().is_some_and(|f| f.at >= f.tokens.len()) {
            self.frames.pop();
        }
        self.frames.last_mut().expect("the text").at += 1;
        Some(token)
    }

    /// Drops the bodies that have been read to their end.
    fn settle(&mut self) {
        if self.peek().is_none() {
            self.frames.truncate(1);
        }
    }
}

impl Macro {
    /// The macro that the tokens after `#define` describe, with its name.
    pub fn parse(rest: &[Token], directive: Place) -> Result<(Rc<str>, Macro), Diagnostic> {
        let Some((name, after)) = rest.split_first().and_then(|(t, r)| Some((t.name()?, r))) else {
            let message = "`#define` needs a name";
            return Err(Diagnostic::error(directive.span, message));
        };
        let place = rest[0].place;
        if &**name == "defined" {
            let message = "`defined` cannot be the name of a macro";
            return Err(Diagnostic::error(place.span, message));
        }
        let called = after.first().is_some_and(|t| t.is("(") && !t.spaced);
        let mut is_variadic = false;
        let (parameters, body) = if called {
            let (parameters, n) = parameters(&after[1..], place, &mut is_variadic)?;
            (Some(parameters), &after[1 + n..])
        } else {
            (None, after)
        };
        let body = body.to_vec();
        let new = Macro {
            parameters,
            is_variadic,
            body,
            place,
        };
        Ok((name.clone(), new))
    }

    /// Whether defining one after the other changes nothing.
    pub(crate) fn means_same(&self, other: &Macro) -> bool {
        let same = |(a, b): (&Token, &Token)| a.kind == b.kind;
        self.parameters == other.parameters
            && self.is_variadic == other.is_variadic
            && self.body.len() == other.body.len()
            && self.body.iter().zip(&other.body).all(same)
    }

    fn parameter(&self, token: &Token) -> Option<usize> {
        let name = token.name()?;
        self.parameters.as_ref()?.iter().position(|p| p == name)
    }
}

/// The parameters between the parentheses, and how many tokens they take with the `)`. The last
/// may be `...`, called `__VA_ARGS__` then, or a name with `...` after it.
fn parameters(
    tokens: &[Token],
    place: Place,
    is_variadic: &mut bool,
) -> Result<(Vec<Rc<str>>, usize), Diagnostic> {
    let mut names: Vec<Rc<str>> = Vec::new();
    let is_rest = |at: usize| {
        let is = |n: usize, mark| tokens.get(n).is_some_and(|t: &Token| t.is(mark));
        is(at, "..") && is(at + 1, ".")
    };
    if tokens.first().is_some_and(|t| t.is(")")) {
        return Ok((names, 1));
    }
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let name = match token.name() {
            Some(name) => {
                at += 1;
                name.clone()
            }
            None if is_rest(at) => "__VA_ARGS__".into(),
            None => {
                let message = "a parameter of a macro is a name";
                return Err(Diagnostic::error(token.place.span, message));
            }
        };
        if names.contains(&name) {
            let message = format!("the parameter {} is there twice", quote(&name));
            return Err(Diagnostic::error(token.place.span, message));
        }
        names.push(name);
        *is_variadic = is_rest(at);
        at += 2 * usize::from(*is_variadic);
        match tokens.get(at) {
            Some(mark) if mark.is(")") => return Ok((names, at + 1)),
            Some(mark) if mark.is(",") && !*is_variadic => at += 1,
            Some(other) => {
                let message = if *is_variadic {
                    "`)` is expected after `...`"
                } else {
                    "`,` or `)` is expected after a parameter"
                };
                return Err(Diagnostic::error(other.place.span, message));
            }
            None => break,
        }
    }
    let message = "the parameters of this macro are not closed by `)`";
    Err(Diagnostic::error(place.span, message))
}

impl Macros {
    /// None.
    pub fn new() -> Macros {
        Macros {
            all: HashMap::new(),
            origins: Origins::new(),
            n_steps: 0,
            depth: 0,
            exhausted: false,
        }
    }

    /// The macro of that name.
    pub fn get(&self, name: &str) -> Option<&Macro> {
        self.all.get(name).map(|m| &**m)
    }

    /// Whether there is a macro of that name.
    pub fn is_defined(&self, name: &str) -> bool {
        self.all.contains_key(name) || PLACES.contains(&name)
    }

    /// Defines a macro, in place of any other of that name.
    pub fn insert(&mut self, name: Rc<str>, new: Macro) {
        self.all.insert(name, Rc::new(new));
    }

    /// Forgets a macro.
    pub fn remove(&mut self, name: &str) {
        self.all.remove(name);
    }

    /// The next token of `feed` after expansion; `None` at its end and before a directive.
    pub(crate) fn next_expanded(&mut self, feed: &mut Feed, desk: &mut Desk) -> Option<Token> {
        while let Some(mut token) = feed.next() {
            self.n_steps += 1;
            self.exhausted |= self.n_steps > STEPS_MAX;
            if self.exhausted {
                return None;
            }
            let name = token.name().filter(|_| !token.frozen).cloned();
            let Some((name, used)) =
                name.and_then(|n| Some((n.clone(), self.all.get(&n)?.clone())))
            else {
                self.tell_place(&mut token, desk.sources);
                return Some(token);
            };
            if feed.is_active(&name) {
                token.frozen = true;
                return Some(token);
            }
            if feed.frames.len() > BODY_DEPTH_MAX {
                self.too_deep(token.place, BODY_DEPTH_MAX, desk);
                return None;
            }
            let mut arguments = Vec::new();
            let mut place = token.place;
            if let Some(parameters) = &used.parameters {
                if !feed.peek().is_some_and(|t| t.is("(")) {
                    return Some(token);
                }
                let n_max = used.is_variadic.then_some(parameters.len());
                let Some(end) = self.arguments(feed, n_max, &mut arguments) else {
                    let message = format!("the use of the macro {} is not closed", quote(&name));
                    desk.found.push(self.origins.error(token.place, message));
                    return None;
                };
                place = self.origins.join(place, end);
                if parameters.is_empty() && arguments.len() == 1 && arguments[0].is_empty() {
                    arguments.clear();
                }
                if used.is_variadic && arguments.len() + 1 == parameters.len() {
                    arguments.push(Vec::new());
                }
                if arguments.len() != parameters.len() {
                    let (n, m) = (parameters.len(), arguments.len());
                    let message = format!(
                        "the macro {} takes {n} arguments, here are {m}",
                        quote(&name)
                    );
                    let error = self.origins.error(place, message);
                    desk.found
                        .push(error.and(used.place.span, "its definition"));
                    continue;
                }
            }
            let origin = self.origins.add(OriginKind::Macro, &name, place);
            let body = self.body(&used, origin, &arguments, feed, desk);
            push_body(feed, body, name, &token);
        }
        feed.settle();
        None
    }

    /// `__LINE__` and `__FILE__` become what messages tell of the outermost use.
    fn tell_place(&self, token: &mut Token, sources: &Sources) {
        let Some(which) = token.name().filter(|n| PLACES.contains(&&***n)).cloned() else {
            return;
        };
        let span = self.origins.outermost(token.place).span;
        let source = sources.get(span.source);
        let (file, line) = source.told(source.line_of(span.start as usize));
        token.kind = match &*which {
            "__LINE__" => TokenKind::Number(line.to_string().into()),
            _ => {
                let file = file.replace('\\', "\\\\").replace('"', "\\\"");
                TokenKind::Text(format!("\"{file}\"").into())
            }
        };
    }

    /// Reads the arguments of a call, up to its `)`, whose place it gives. The last of at most
    /// `n_max` keeps its commas.
    fn arguments(
        &mut self,
        feed: &mut Feed,
        n_max: Option<usize>,
        arguments: &mut Vec<Vec<Token>>,
    ) -> Option<Place> {
        feed.next();
        let mut depth = 0_usize;
        arguments.push(Vec::new());
        while let Some(token) = feed.next() {
            self.n_steps += 1;
            match token.kind {
                TokenKind::Mark(")") if depth == 0 => return Some(token.place),
                TokenKind::Mark(",") if depth == 0 && n_max != Some(arguments.len()) => {
                    arguments.push(Vec::new());
                    continue;
                }
                TokenKind::Mark("(") => depth += 1,
                TokenKind::Mark(")") => depth -= 1,
                _ => {}
            }
            arguments.last_mut().expect("one is open").push(token);
        }
        None
    }

    /// The body of a use, arguments in place.
    fn body(
        &mut self,
        used: &Macro,
        origin: OriginId,
        arguments: &[Vec<Token>],
        feed: &Feed,
        desk: &mut Desk,
    ) -> Vec<Token> {
        let origin = Some(origin);
        let mut out: Vec<Token> = Vec::new();
        let mut expanded: Vec<Option<Vec<Token>>> = vec![None; arguments.len()];
        let mut at = 0;
        while at < used.body.len() {
            let token = &used.body[at];
            let next = used.body.get(at + 1);
            let paste_next = next.is_some_and(|t| t.is("##"));
            at += 1;
            if token.is("##") && !out.is_empty() && at < used.body.len() {
                let parameter = used.parameter(&used.body[at]);
                let right = match parameter {
                    Some(i) => arguments[i].clone(),
                    None => vec![with_origin(&used.body[at], origin)],
                };
                at += 1;
                let is_last = parameter.is_some_and(|i| i + 1 == arguments.len());
                if used.is_variadic && is_last && out.last().is_some_and(|t| t.is(",")) {
                    // `, ## __VA_ARGS__`: a comma that stays only if something comes after it.
                    out.truncate(out.len() - usize::from(right.is_empty()));
                    out.extend(right);
                } else {
                    paste(&mut out, right);
                }
            } else if let (true, Some(i)) = (
                token.is("#") && used.parameters.is_some(),
                next.and_then(|t| used.parameter(t)),
            ) {
                at += 1;
                let kind = TokenKind::Text(spelled(&arguments[i]).into());
                out.push(Token {
                    kind,
                    ..with_origin(token, origin)
                });
            } else if let Some(i) = used.parameter(token) {
                if paste_next {
                    out.extend(arguments[i].iter().cloned());
                } else {
                    let full = &mut expanded[i];
                    if full.is_none() {
                        *full = Some(self.expand_argument(&arguments[i], feed, desk));
                    }
                    let argument = full.as_ref().expect("just made");
                    let start = out.len();
                    let stands = Some(with_origin(token, origin).place);
                    out.extend(argument.iter().cloned());
                    for argument in &mut out[start..] {
                        argument.stands = stands;
                    }
                    if let Some(first) = out.get_mut(start) {
                        first.spaced = token.spaced;
                    }
                }
            } else {
                out.push(with_origin(token, origin));
            }
        }
        out
    }

    /// Reports that macros are nested too deeply, once, and ends expansion.
    fn too_deep(&mut self, place: Place, limit: usize, desk: &mut Desk) {
        if !self.exhausted {
            let message = "macros are nested too deeply here";
            let note = format!("at most {limit} deep");
            desk.found
                .push(self.origins.error(place, message).note(note));
        }
        self.exhausted = true;
    }

    /// All tokens of an argument after expansion; macros in use around it stay as they are.
    fn expand_argument(
        &mut self,
        argument: &[Token],
        around: &Feed,
        desk: &mut Desk,
    ) -> Vec<Token> {
        let mut out = Vec::new();
        if self.depth >= ARGUMENT_DEPTH_MAX {
            if let Some(first) = argument.first() {
                self.too_deep(first.place, ARGUMENT_DEPTH_MAX, desk);
            }
            return out;
        }
        let mut feed = Feed::of_tokens(argument.into());
        feed.outer = around.outer.clone();
        feed.outer
            .extend(around.frames.iter().filter_map(|f| f.name.clone()));
        self.depth += 1;
        while let Some(token) = self.next_expanded(&mut feed, desk) {
            out.push(token);
        }
        self.depth -= 1;
        out
    }
}

/// The body stands where the name stood: its first token starts a line if the name did.
fn push_body(feed: &mut Feed, mut body: Vec<Token>, name: Rc<str>, used: &Token) {
    for token in &mut body {
        token.starts_line = false;
    }
    if let Some(first) = body.first_mut() {
        (first.starts_line, first.spaced) = (used.starts_line, used.spaced);
    }
    feed.push(body, name);
}

fn with_origin(token: &Token, origin: Option<OriginId>) -> Token {
    let mut token = token.clone();
    token.place.origin = origin;
    token
}

/// `##`: the last token so far and the first of `right` become one, if they make one.
fn paste(out: &mut Vec<Token>, right: Vec<Token>) {
    let mut right = right.into_iter();
    let (Some(first), Some(last)) = (right.next(), out.last_mut()) else {
        return;
    };
    let text = last.text() + &first.text();
    match lex(last.place.span.source, &text).as_slice() {
        // A pasted name is a new one: what froze its parts does not freeze it.
        [one] => (last.kind, last.frozen) = (one.kind.clone(), false),
        _ => out.push(first),
    }
    out.extend(right);
}

/// `#`: the argument as a string.
fn spelled(argument: &[Token]) -> String {
    let mut text = String::from("\"");
    for (i, token) in argument.iter().enumerate() {
        if i > 0 && token.spaced {
            text.push(' ');
        }
        match &token.kind {
            TokenKind::Text(inside) => {
                text += &inside.replace('\\', "\\\\").replace('"', "\\\"");
            }
            _ => text += &token.text(),
        }
    }
    text.push('"');
    text
}
