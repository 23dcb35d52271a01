//! What an editor is told of a text: the syntax tree with its names looked up by SPIN's rules.
//!
//! A name means what was declared before it in the same block or one around it; a name that is
//! visible cannot be declared again, so that the order of blocks decides ([`walk`]). Fields are
//! those of the type of what stands before the dot. What other processes are asked for (`p@l`,
//! `p:x`) may be declared later, and is looked up at the end. Macros and inlines come from the
//! table of expansions ([`Origins`]); a name in the body of one counts where it stands there.

mod walk;

use crate::ast::Ast;
use crate::lex::lex;
use crate::parse::KEYWORDS;
use crate::place::{Definition, OriginKind, Origins};
use crate::token::{Token, TokenKind};
use crate::typed::Typed;
use base::{Diagnostics, SourceId, Sources, Span};
use model::outline::{
    ClassifiedToken, Outline, OutlineBuilder, Symbol, SymbolId, SymbolKind, TokenClass,
};
use model::processes::language::{Include, Texts};
use std::collections::HashMap;
use walk::Walk;

/// What a text declares and uses.
pub fn outline(given: &Texts<'_>, sources: &mut Sources, include: &mut Include<'_>) -> Outline {
    let main = lex(given.main, sources.get(given.main).text());
    let builder = OutlineBuilder::new(
        &KEYWORDS,
        classified(&main, |name| KEYWORDS.contains(&name)),
    );
    let mut found = Diagnostics::new();
    let ast = crate::read(given.first, given.defines, sources, include, &mut found);
    if found.has_errors() {
        return builder.broken();
    }
    let mut outliner = Outliner {
        builder,
        origins: &ast.origins,
        lexed: Lexed::new(sources),
    };
    outliner.definitions();
    Walk::new(&mut outliner).units(&ast);
    let mut builder = outliner.builder;
    properties(ast, &mut builder);
    builder.finish(sources)
}

/// Tokens in colours.
pub(crate) fn classified(
    tokens: &[Token],
    is_keyword: impl Fn(&str) -> bool,
) -> Vec<ClassifiedToken> {
    let class = |token: &Token| match &token.kind {
        TokenKind::Name(name) if is_keyword(name) => Some(TokenClass::Keyword),
        TokenKind::Number(_) => Some(TokenClass::Number),
        TokenKind::Text(_) | TokenKind::Letter(_) => Some(TokenClass::Text),
        _ => None,
    };
    let tokens = tokens.iter().filter_map(|token| {
        let span = token.place.span;
        class(token).map(|class| ClassifiedToken { span, class })
    });
    tokens.collect()
}

/// Formulas, claims and assertions, if the model can be checked.
fn properties(ast: Ast, builder: &mut OutlineBuilder) {
    let Some(typed) = crate::typeck::typecheck(ast, &mut Diagnostics::new()) else {
        return;
    };
    let place = |typed: &Typed, place| typed.origins.outermost(place).span;
    for formula in &typed.formulas {
        builder.property(place(&typed, formula.place), &*formula.name);
    }
    for process in &typed.processes {
        if process.kind == crate::typed::ProcessKind::Never {
            builder.property(place(&typed, process.name.place), &*process.name.text);
        }
        for span in walk::assertions(&process.body) {
            builder.property(place(&typed, span), "assertions");
        }
    }
}

/// The tokens of texts, read when they are asked for.
struct Lexed<'a> {
    sources: &'a Sources,
    texts: HashMap<SourceId, Vec<Token>>,
}

impl<'a> Lexed<'a> {
    fn new(sources: &'a Sources) -> Lexed<'a> {
        Lexed {
            sources,
            texts: HashMap::new(),
        }
    }

    fn tokens(&mut self, source: SourceId) -> &[Token] {
        let text = self.sources.get(source).text();
        self.texts
            .entry(source)
            .or_insert_with(|| lex(source, text))
    }

    /// The same stretch with the brace behind it, if that is the next token.
    fn until_brace(&mut self, span: Span) -> Span {
        let tokens = self.tokens(span.source);
        let next = tokens.partition_point(|token| token.place.span.start < span.end);
        match tokens.get(next) {
            Some(token) if token.is("}") => span.to(token.place.span),
            _ => span,
        }
    }

    /// The same stretch with the words that stand before it.
    fn with_words(&mut self, span: Span, words: &[&str]) -> Span {
        let tokens = self.tokens(span.source);
        let mut at = tokens.partition_point(|token| token.place.span.start < span.start);
        let mut span = span;
        let mut is_inside = false;
        while at > 0 {
            let token = &tokens[at - 1];
            // `active [N]`
            is_inside |= token.is("]");
            let is_word = token.name().is_some_and(|name| words.contains(&&**name));
            if !is_word && !is_inside {
                break;
            }
            is_inside &= !token.is("[");
            at -= 1;
            span = span.to(token.place.span);
        }
        span
    }
}

/// What is made of a text, and from what.
struct Outliner<'a> {
    builder: OutlineBuilder,
    origins: &'a Origins,
    lexed: Lexed<'a>,
}

impl Outliner<'_> {
    /// Macros and inlines, with their parameters and uses.
    fn definitions(&mut self) {
        let all = self.origins.definitions().iter();
        let ids: Vec<SymbolId> = all.map(|definition| self.definition(definition)).collect();
        for (origin, definition) in self.origins.uses() {
            let used = origin.used.span;
            let n = origin.name.len() as u32;
            if used.end - used.start >= n {
                let end = used.start + n;
                self.builder.refer(Span { end, ..used }, ids[definition]);
            }
        }
    }

    fn definition(&mut self, definition: &Definition) -> SymbolId {
        let whole = definition.whole.span;
        let (kind, about) = match definition.kind {
            OriginKind::Macro => (SymbolKind::Macro, "a macro"),
            OriginKind::Inline => (SymbolKind::Function, "an inline"),
        };
        let id = self.builder.declare(Symbol {
            name: definition.name.to_string(),
            kind,
            span: definition.place.span,
            whole,
            parent: None,
            scope: None,
            about: about.to_owned(),
        });
        let tokens = self.lexed.tokens(whole.source);
        let inside = |token: &&Token| {
            let span = token.place.span;
            span.start > whole.start && span.end <= whole.end
        };
        let names = tokens.iter().filter(inside);
        let names = names.filter_map(|token| Some((token.name()?.clone(), token.place.span)));
        let names: Vec<_> = names.collect();
        for parameter in &definition.parameters {
            let mut places = names.iter().filter(|(name, _)| name == parameter);
            let Some((_, span)) = places.next() else {
                continue;
            };
            let symbol = self.builder.declare(Symbol {
                name: parameter.to_string(),
                kind: SymbolKind::Parameter,
                span: *span,
                whole: *span,
                parent: Some(id),
                scope: Some(whole),
                about: "replaced by what is given for it".to_owned(),
            });
            places.for_each(|(_, span)| self.builder.refer(*span, symbol));
        }
        id
    }
}
