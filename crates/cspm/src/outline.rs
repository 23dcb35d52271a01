//! What an editor is told of a script: what its names mean ([`crate::resolve`]), and their types.

use crate::eval::Script;
use crate::lex::lex;
use crate::resolve::{Def, DefId, DefKind, ResolvedNames, resolve};
use crate::token::{Token, TokenKind, WORDS};
use base::{Diagnostics, SourceId, Sources, Span};
use model::frontend::Files;
use model::outline::{
    ClassifiedToken, Outline, OutlineBuilder, Symbol, SymbolId, SymbolKind, TokenClass,
};
use std::collections::HashMap;

/// What a script declares and uses.
pub fn outline(main: SourceId, sources: &mut Sources, files: &mut dyn Files) -> Outline {
    let tokens = lex(main, sources.get(main).text());
    let mut builder = OutlineBuilder::new(WORDS, classified(&tokens));
    let mut found = Diagnostics::new();
    let mut include = |name: &str| files.find(name)?.ok();
    let script = crate::read(main, sources, &mut include, &mut found);
    let Some(script) = script.filter(|_| !found.has_errors()) else {
        return builder.broken();
    };
    let types = crate::check(&script, &mut found);
    let is_right = types.is_some();
    let types = types.into_iter().flat_map(|types| types.definitions);
    let types: HashMap<Span, String> = types.map(|one| (one.span, one.shown)).collect();
    let names = resolve(&script, &mut Vec::new());
    let ids = declared(&names, &types, &mut builder);
    for (span, def) in &names.places {
        if let Some(id) = ids[def.index()] {
            builder.refer(*span, id);
        }
    }
    for &def in names.modules.keys() {
        for member in names.members(def) {
            if let (Some(id), Some(of)) = (ids[member.index()], ids[def.index()]) {
                builder.symbol(id).parent.get_or_insert(of);
            }
        }
    }
    if is_right && let Ok(script) = Script::load(&script) {
        properties(&script, &mut builder);
    }
    builder.finish(sources)
}

fn classified(tokens: &[Token]) -> Vec<ClassifiedToken> {
    let class = |token: &Token| match &token.kind {
        TokenKind::Word(_) | TokenKind::Include(_) => Some(TokenClass::Keyword),
        TokenKind::Number(_) => Some(TokenClass::Number),
        TokenKind::Text(_) | TokenKind::Char(_) => Some(TokenClass::Text),
        _ => None,
    };
    let tokens = tokens.iter().filter_map(|token| {
        let span = token.span;
        class(token).map(|class| ClassifiedToken { span, class })
    });
    tokens.collect()
}

/// The symbols of definitions that the script makes, by definition.
fn declared(
    names: &ResolvedNames<'_>,
    types: &HashMap<Span, String>,
    builder: &mut OutlineBuilder,
) -> Vec<Option<SymbolId>> {
    let mut ids: Vec<Option<SymbolId>> = Vec::with_capacity(names.defs.len());
    for (n, def) in names.defs.iter().enumerate() {
        let Some(span) = def.span else {
            ids.push(None);
            continue;
        };
        let shown = types.get(&span);
        let whole = names.wholes.get(&DefId::new(n)).copied();
        let is_inside = |whole: &Span| {
            whole.source == span.source && whole.start <= span.start && span.end <= whole.end
        };
        let parent = match def.kind {
            DefKind::Constructor(of) => ids.get(of.index()).copied().flatten(),
            _ => None,
        };
        let id = builder.declare(Symbol {
            name: def.name.rsplit("::").next().unwrap_or(&def.name).to_owned(),
            kind: kind(def, shown.map_or("", String::as_str)),
            span,
            whole: whole.filter(is_inside).unwrap_or(span),
            parent,
            scope: def.scope,
            about: shown.map_or(String::new(), |shown| format!("of type {shown}")),
        });
        ids.push(Some(id));
    }
    ids
}

fn kind(def: &Def, shown: &str) -> SymbolKind {
    match def.kind {
        DefKind::Channel => SymbolKind::Channel,
        DefKind::Constructor(_) => SymbolKind::Constructor,
        DefKind::Datatype => SymbolKind::Datatype,
        DefKind::Subtype | DefKind::Nametype => SymbolKind::Set,
        DefKind::Module => SymbolKind::Module,
        DefKind::Variable | DefKind::BuiltIn(_) => SymbolKind::Variable,
        DefKind::Value if shown == "Proc" || shown.ends_with("-> Proc") => SymbolKind::Process,
        DefKind::Value if shown.contains("->") => SymbolKind::Function,
        DefKind::Value => SymbolKind::Constant,
    }
}

/// Assertions, by the numbers under which they can be asked for.
fn properties(script: &Script, builder: &mut OutlineBuilder) {
    for (n, span) in script.assertion_spans().into_iter().enumerate() {
        builder.property(span, (n + 1).to_string());
    }
}
