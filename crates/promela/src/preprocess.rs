//! The preprocessor: directives are obeyed, macros expanded, included files read.
//!
//! SPIN hands a model to the C preprocessor first; what users rely on of it is here, working on
//! tokens instead of lines so that every token keeps its place. Directives begin with `#` as the
//! first token of a line: `define`, `undef`, `include`, `if`, `ifdef`, `ifndef`, `elif`, `else`,
//! `endif`, `error`, `warning`; `pragma` and `ident` are read and have no effect. `line`, and the
//! line marks (`# 12 "file"`) that a C preprocessor leaves behind, say how messages tell the lines
//! after them; `__LINE__` and `__FILE__` give what messages tell.
//!
//! Files are read by whoever calls us, through [`Include`]. A file that includes itself is cut off
//! at a depth, not at the second visit, because guards (`#ifndef X`, `#define X`) make it sound.
//!
//! Worked example: `#define N 2`, `#if N > 1`, `byte a[N];`, `#endif` gives `byte a[2];`, where the
//! token `2` stands on the line of the definition and says that `N` on line 3 brought it there.

mod condition;
mod expand;

use crate::lex::lex;
use crate::place::{Definition, OriginKind, Origins, Place};
use crate::token::{Token, TokenKind};
use base::{Diagnostic, Diagnostics, SourceId, Sources, Span, quote};
use expand::{Desk, Feed, Macro, Macros};
use std::rc::Rc;

pub use model::frontend::IncludeRequest;
pub use model::processes::language::Include;

/// The tokens of a model, directives obeyed.
pub struct Preprocessed {
    /// The tokens.
    pub tokens: Vec<Token>,
    /// The uses of macros that brought them here.
    pub origins: Origins,
}

/// The deepest chain of files that include each other.
pub(crate) const INCLUDE_DEPTH_MAX: usize = 64;
/// The most tokens that a model may have after expansion.
pub const TOKENS_MAX: usize = 1_000_000;

/// The tokens of `main` with `defines` in force: sources that each hold `NAME value`.
pub fn preprocess(
    main: SourceId,
    defines: &[SourceId],
    sources: &mut Sources,
    include: &mut Include,
    found: &mut Diagnostics,
) -> Preprocessed {
    let mut machine = Preprocessor {
        macros: Macros::new(),
        sources,
        include,
        depth: 0,
        stopped: false,
        out: Vec::new(),
        found,
    };
    for &define in defines {
        let tokens = lex(define, machine.sources.get(define).text());
        machine.define(
            &tokens,
            tokens
                .first()
                .map_or(end_of(define, machine.sources), place_of),
        );
    }
    machine.file(main);
    let origins = machine.macros.origins;
    Preprocessed {
        tokens: machine.out,
        origins,
    }
}

struct Preprocessor<'a, 'f> {
    macros: Macros,
    sources: &'a mut Sources,
    include: &'a mut Include<'f>,
    depth: usize,
    /// Set when a limit was met: nothing more is read.
    stopped: bool,
    out: Vec<Token>,
    found: &'a mut Diagnostics,
}

/// One `#if` that is open.
struct OpenConditional {
    opened: Place,
    /// Whether the lines here are read.
    live: bool,
    /// Whether a branch was taken already, or none may be.
    taken: bool,
    seen_else: bool,
}

fn place_of(token: &Token) -> Place {
    token.place
}

/// What a string stands for: without its quotes and the marks that escape others.
fn unquoted(text: &str) -> String {
    let inside = text.strip_prefix('"').unwrap_or(text);
    let inside = inside.strip_suffix('"').unwrap_or(inside);
    inside.replace("\\\"", "\"").replace("\\\\", "\\")
}

/// The point after the last character of a text.
fn end_of(source: SourceId, sources: &Sources) -> Place {
    let n = sources.get(source).text().len();
    Place::plain(Span::new(source, n..n))
}

impl Preprocessor<'_, '_> {
    /// Reads one file to its end.
    fn file(&mut self, source: SourceId) {
        let tokens: Rc<[Token]> = lex(source, self.sources.get(source).text()).into();
        let mut feed = Feed::of_file(tokens.clone());
        let mut branches: Vec<OpenConditional> = Vec::new();
        while !self.stopped && feed.position() < tokens.len() {
            let at = feed.position();
            if tokens[at].starts_line && tokens[at].is("#") {
                let n = tokens[at + 1..]
                    .iter()
                    .take_while(|t| !t.starts_line)
                    .count();
                feed.skip_to(at + 1 + n);
                self.directive(&tokens[at..at + 1 + n], source, &mut branches);
            } else if branches.iter().all(|b| b.live) {
                self.ordinary(&mut feed);
            } else {
                feed.skip_to(at + 1);
            }
        }
        for branch in branches.iter().filter(|_| !self.stopped) {
            let message = "this `#if` has no `#endif`";
            self.found
                .push(Diagnostic::error(branch.opened.span, message));
        }
    }

    /// Moves tokens to the output up to the next directive, macros expanded.
    fn ordinary(&mut self, feed: &mut Feed) {
        while let Some(token) = self.next(feed) {
            if self.out.len() >= TOKENS_MAX || self.macros.exhausted {
                self.stop(
                    token.place,
                    "the text is too large after expansion",
                    TOKENS_MAX,
                );
                return;
            }
            match token.kind {
                TokenKind::Bad(why) => {
                    self.found.push(self.macros.origins.error(token.place, why));
                }
                TokenKind::Stray(c) => {
                    let message = format!(
                        "the character {} has no meaning here",
                        quote(&c.to_string())
                    );
                    self.found
                        .push(self.macros.origins.error(token.place, message));
                }
                _ => self.out.push(token),
            }
        }
        if self.macros.exhausted && !self.stopped {
            let last = self.out.last().map(place_of);
            if let Some(place) = last {
                self.stop(place, "the text is too large after expansion", TOKENS_MAX);
            }
            self.stopped = true;
        }
    }

    fn next(&mut self, feed: &mut Feed) -> Option<Token> {
        let mut desk = Desk {
            sources: self.sources,
            found: self.found,
        };
        self.macros.next_expanded(feed, &mut desk)
    }

    fn stop(&mut self, place: Place, message: &str, limit: usize) {
        self.stopped = true;
        let error = self.macros.origins.error(place, message);
        self.found
            .push(error.note(format!("the limit is {limit} tokens")));
    }

    /// Obeys one directive; `line` starts with its `#`.
    fn directive(&mut self, line: &[Token], source: SourceId, branches: &mut Vec<OpenConditional>) {
        let Some(word) = line.get(1) else {
            return;
        };
        let name = word.name().map_or("", |n| n);
        let rest = &line[2..];
        let live = branches.iter().all(|b| b.live);
        match name {
            "if" | "ifdef" | "ifndef" => {
                let holds = live && self.branch_holds(name, word.place, rest);
                branches.push(OpenConditional {
                    opened: word.place,
                    live: holds,
                    taken: holds || !live,
                    seen_else: false,
                });
            }
            "elif" | "else" | "endif" => self.other_branch(name, word.place, rest, branches),
            _ if !live => {}
            "define" => self.define(rest, word.place),
            "undef" => self.undefine(rest, word.place),
            "include" => self.include(rest, word.place, source),
            "error" | "warning" => {
                let words = self.words(rest);
                let said = format!("#{name} {words}");
                let diagnostic = match name {
                    "error" => Diagnostic::error(word.place.span, said),
                    _ => Diagnostic::warning(word.place.span, said),
                };
                self.found.push(diagnostic);
            }
            "pragma" | "ident" => {}
            "line" => self.line(rest, word.place),
            _ if matches!(word.kind, TokenKind::Number(_)) => self.line(&line[1..], word.place),
            _ => {
                let message = format!("there is no directive {}", quote(&word.text()));
                self.found.push(Diagnostic::error(word.place.span, message));
            }
        }
    }

    /// The characters of a directive after its name.
    fn words(&self, rest: &[Token]) -> String {
        match (rest.first(), rest.last()) {
            (Some(first), Some(last)) => {
                let span = first.place.span.to(last.place.span);
                self.sources.text(span).to_owned()
            }
            _ => String::new(),
        }
    }

    /// Whether the condition of an `#if` holds.
    fn holds(&mut self, rest: &[Token], place: Place) -> bool {
        let mut desk = Desk {
            sources: self.sources,
            found: self.found,
        };
        condition::evaluate(&mut self.macros, rest, place, &mut desk) != 0
    }

    /// `#line 12 "file"`, or a line mark `# 12 "file"`: the next line is that line of that file.
    /// `rest` comes after the word `line`, or after the `#`.
    fn line(&mut self, rest: &[Token], place: Place) {
        let mut desk = Desk {
            sources: self.sources,
            found: self.found,
        };
        let mut feed = Feed::of_tokens(rest.into());
        let mut read = Vec::new();
        while let Some(token) = self.macros.next_expanded(&mut feed, &mut desk) {
            read.push(token.kind);
        }
        let number = match read.first() {
            Some(TokenKind::Number(text)) => text.parse::<u32>().ok(),
            _ => None,
        };
        let Some(number) = number else {
            let message = "a line number is expected here, and after it a file in quotes";
            self.found.push(Diagnostic::error(place.span, message));
            return;
        };
        let name = match read.get(1) {
            Some(TokenKind::Text(text)) => Some(unquoted(text)),
            _ => None,
        };
        let span = rest.last().map_or(place, place_of).span;
        let last = self.sources.get(span.source).line_of(span.start as usize);
        (self.sources).mark(span.source, last + 1, number as usize, name);
    }

    fn branch_holds(&mut self, directive: &str, place: Place, rest: &[Token]) -> bool {
        if directive == "if" {
            return self.holds(rest, place);
        }
        let Some(name) = rest.first().and_then(Token::name) else {
            let message = format!("`#{directive}` needs the name of a macro");
            self.found.push(Diagnostic::error(place.span, message));
            return false;
        };
        self.macros.is_defined(name) == (directive == "ifdef")
    }

    fn other_branch(
        &mut self,
        directive: &str,
        place: Place,
        rest: &[Token],
        branches: &mut Vec<OpenConditional>,
    ) {
        let outside_live = branches.iter().rev().skip(1).all(|b| b.live);
        let Some(branch) = branches.last_mut() else {
            let message = format!("this `#{directive}` has no `#if`");
            self.found.push(Diagnostic::error(place.span, message));
            return;
        };
        if directive == "endif" {
            branches.pop();
            return;
        }
        if branch.seen_else {
            let message = format!("this `#{directive}` comes after the `#else`");
            let opened = branch.opened.span;
            self.found
                .push(Diagnostic::error(place.span, message).and(opened, "of this"));
            return;
        }
        branch.seen_else = directive == "else";
        if !outside_live || branch.taken {
            branch.live = false;
            return;
        }
        let holds = directive == "else" || self.holds(rest, place);
        let branch = branches.last_mut().expect("just seen");
        (branch.live, branch.taken) = (holds, holds);
    }

    fn define(&mut self, rest: &[Token], place: Place) {
        match Macro::parse(rest, place) {
            Ok((name, new)) => {
                if let Some(old) = self.macros.get(&name).filter(|old| !old.means_same(&new)) {
                    let message = format!("the macro {} is defined again", quote(&name));
                    let warning = Diagnostic::warning(new.place.span, message);
                    self.found
                        .push(warning.and(old.place.span, "its earlier definition"));
                }
                let last = new.body.last().map_or(new.place, place_of);
                self.macros.origins.define(Definition {
                    kind: OriginKind::Macro,
                    name: name.clone(),
                    place: new.place,
                    whole: self.macros.origins.join(new.place, last),
                    parameters: new.parameters.clone().unwrap_or_default(),
                });
                self.macros.insert(name, new);
            }
            Err(error) => self.found.push(error),
        }
    }

    fn undefine(&mut self, rest: &[Token], place: Place) {
        match rest.first().and_then(Token::name) {
            Some(name) => self.macros.remove(name),
            None => {
                let message = "`#undef` needs the name of a macro";
                self.found.push(Diagnostic::error(place.span, message));
            }
        }
    }

    fn include(&mut self, rest: &[Token], place: Place, from: SourceId) {
        let words = self.words(rest);
        let angled = words.starts_with('<');
        let end = if angled { '>' } else { '"' };
        let inside = words
            .get(1..)
            .and_then(|w| w.split_once(end))
            .map(|(path, _)| path);
        let Some(path) = inside.filter(|p| !p.is_empty() && words.starts_with(['<', '"'])) else {
            let message = "`#include` needs a file in quotes";
            self.found.push(Diagnostic::error(place.span, message));
            return;
        };
        let span = place.span.to(rest.last().expect("a path").place.span);
        if self.depth >= INCLUDE_DEPTH_MAX {
            self.stopped = true;
            let message = format!("files include each other without end, at {}", quote(path));
            let note = format!("the deepest chain that is followed has {INCLUDE_DEPTH_MAX} files");
            self.found.push(Diagnostic::error(span, message).note(note));
            return;
        }
        let request = IncludeRequest { from, path, angled };
        match (self.include)(self.sources, &request) {
            Ok(source) => {
                self.depth += 1;
                self.file(source);
                self.depth -= 1;
            }
            Err(mut error) => {
                if error.labels.is_empty() {
                    error = error.and(span, "asked for here");
                }
                self.found.push(error);
            }
        }
    }
}
