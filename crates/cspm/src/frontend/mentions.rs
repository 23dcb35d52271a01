//! Which line of a script tells two values apart, as far as its words show.
//!
//! Definitions are looked through one after the other: first the one in which two processes differ,
//! then those that it uses, and so on; then the same from the assertion. What is told is the first
//! comparison with one of the two values; if there is none, the first word that names one; and for
//! numbers, if there is none either, the first that computes with them or orders them. The ends of
//! ranges, and declarations of channels and types, say nothing of that kind.
//!
//! *Example.* `STATION(i) = if i == 0 then HAS(i) else WAITS(i)` in line 20, used by `RING`, which
//! is asserted about: 0 and 1 are told apart by line 20, which names 0.

use crate::ast::{self, Decl, DeclKind};
use crate::lex::lex;
use crate::token::{Token, TokenKind};
use base::{SourceId, Sources, Span};
use model::network::claim::Mention;
use std::collections::{HashMap, HashSet, VecDeque};

/// The definitions of a script, by their words.
pub struct Mentions<'a> {
    sources: &'a Sources,
    main: SourceId,
    tokens: HashMap<usize, Vec<Token>>,
    decls: Vec<(Vec<String>, Span)>,
}

impl<'a> Mentions<'a> {
    /// Of a script, whose own text is `main`.
    pub fn new(script: &ast::Script, sources: &'a Sources, main: SourceId) -> Mentions<'a> {
        let mut decls = Vec::new();
        collect(&script.decls, &mut decls);
        let mut tokens = HashMap::new();
        for (_, span) in &decls {
            let text = sources.get(span.source).text();
            let source = span.source.index();
            tokens
                .entry(source)
                .or_insert_with(|| lex(span.source, text));
        }
        Mentions {
            sources,
            main,
            tokens,
            decls,
        }
    }

    /// The line that tells values apart. `starts` are places to start from, nearest first.
    pub fn of(&self, values: &[&str], starts: &[Span]) -> Option<Mention> {
        let all = [
            Distinction::Compares,
            Distinction::Names,
            Distinction::Computes,
        ];
        all.iter().find_map(|how| self.first(*how, values, starts))
    }

    fn first(&self, how: Distinction, values: &[&str], starts: &[Span]) -> Option<Mention> {
        for start in starts {
            let mut seen = HashSet::new();
            let mut left: VecDeque<Span> = VecDeque::from([self.around(*start)]);
            while let Some(span) = left.pop_front() {
                let tokens = self.within(span);
                if let Some(found) = self.hit(how, tokens, values) {
                    return Some(found);
                }
                for token in tokens {
                    let TokenKind::Name(name) = &token.kind else {
                        continue;
                    };
                    let used = self.decls.iter().enumerate();
                    let used = used.filter(|(_, (names, _))| names.iter().any(|n| **n == **name));
                    for (i, (_, span)) in used {
                        if seen.insert(i) {
                            left.push_back(*span);
                        }
                    }
                }
            }
        }
        None
    }

    /// The line of a place, and its file if that is not the script's own.
    pub fn line(&self, span: Span) -> (u32, Option<String>) {
        let source = self.sources.get(span.source);
        let line = source.position(span.start as usize).line as u32;
        let is_main = self.main == span.source;
        (line, (!is_main).then(|| source.name().to_owned()))
    }

    /// The whole definition that a place stands in.
    fn around(&self, place: Span) -> Span {
        let holds = |span: &Span| {
            span.source == place.source
                && span.range().start <= place.range().start
                && place.range().end <= span.range().end
        };
        let found = self.decls.iter().map(|(_, span)| *span).find(holds);
        found.unwrap_or(place)
    }

    fn within(&self, span: Span) -> &[Token] {
        let Some(tokens) = self.tokens.get(&span.source.index()) else {
            return &[];
        };
        let range = span.range();
        let start = tokens.partition_point(|token| token.span.range().start < range.start);
        let end = tokens.partition_point(|token| token.span.range().start < range.end);
        &tokens[start..end.max(start)]
    }

    /// The first word that tells values apart in one way.
    fn hit(&self, how: Distinction, tokens: &[Token], values: &[&str]) -> Option<Mention> {
        let is_number = values.iter().all(|value| value.parse::<i64>().is_ok());
        for (i, token) in tokens.iter().enumerate() {
            let named = match &token.kind {
                TokenKind::Name(name) => Some(name.to_string()),
                TokenKind::Number(n) => Some(n.to_string()),
                _ => None,
            };
            let named = named.filter(|name| values.contains(&&**name));
            let is_beside = |is: fn(&Token) -> bool| {
                let before = i.checked_sub(1).and_then(|at| tokens.get(at));
                before.is_some_and(is) || tokens.get(i + 1).is_some_and(is)
            };
            let words = match (how, named) {
                (Distinction::Compares, Some(name)) if is_beside(compares) => {
                    format!("names {name}")
                }
                (Distinction::Names, Some(name)) if !is_number || !is_beside(counts) => {
                    format!("names {name}")
                }
                (Distinction::Computes, _) if is_number && computes(token) => {
                    "computes with numbers".to_owned()
                }
                (Distinction::Computes, _) if is_number && orders(token) => {
                    "orders numbers".to_owned()
                }
                _ => continue,
            };
            let (line, file) = self.line(token.span);
            return Some(Mention { line, file, words });
        }
        None
    }
}

/// How a word tells values apart.
#[derive(Clone, Copy)]
enum Distinction {
    Compares,
    Names,
    Computes,
}

/// Whether a word compares values.
fn compares(token: &Token) -> bool {
    token.is("==") || token.is("!=")
}

/// Whether a number beside a word is none that is named: it is counted with, or ends a range.
fn counts(token: &Token) -> bool {
    computes(token) || token.is("..")
}

/// Whether a word computes with numbers.
fn computes(token: &Token) -> bool {
    ["+", "-", "*", "/", "%"].iter().any(|mark| token.is(mark))
}

/// Whether a word orders numbers. `<` may start a sequence, and is left out.
fn orders(token: &Token) -> bool {
    ["<=", ">="].iter().any(|mark| token.is(mark))
}

/// Definitions with the names they define; assertions have none.
fn collect(decls: &[Decl], found: &mut Vec<(Vec<String>, Span)>) {
    for decl in decls {
        match &decl.kind {
            DeclKind::Function(function) => {
                found.push((vec![function.name.text.to_string()], decl.span));
            }
            DeclKind::Let { .. } | DeclKind::Assert(_) => found.push((Vec::new(), decl.span)),
            DeclKind::Module(module) => {
                collect(&module.private, found);
                collect(&module.exports, found);
            }
            DeclKind::Timed { decls, .. } => collect(decls, found),
            _ => {}
        }
    }
}
