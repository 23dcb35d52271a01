//! What is shown of names: hovers, completions, colours.

use crate::document::{Document, Seen, SymmetryState};
use crate::navigate::Pointed;
use crate::session::Session;
use gen_lsp_types::{
    CompletionItem, CompletionItemKind, Contents, Hover, MarkupContent, MarkupKind, Position,
    SemanticToken, SemanticTokens, SemanticTokensLegend, Uri,
};
use model::outline::{Symbol, SymbolKind, TokenClass};
use std::collections::BTreeMap;
use std::ops::Range;

/// So many lines of a declaration are shown.
const LINES_MAX: usize = 12;

/// The words for colours, in the order in which they are numbered.
const TOKEN_TYPES: [&str; 13] = [
    "keyword",
    "number",
    "string",
    "namespace",
    "class",
    "variable",
    "parameter",
    "event",
    "enumMember",
    "type",
    "property",
    "function",
    "macro",
];

/// The words for colours.
pub fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: TOKEN_TYPES.map(str::to_owned).to_vec(),
        token_modifiers: vec!["declaration".to_owned(), "readonly".to_owned()],
    }
}

fn token_type(kind: SymbolKind) -> &'static str {
    match kind {
        SymbolKind::Module => "namespace",
        SymbolKind::Process => "class",
        SymbolKind::Variable | SymbolKind::Constant => "variable",
        SymbolKind::Parameter => "parameter",
        SymbolKind::Channel => "event",
        SymbolKind::Constructor => "enumMember",
        SymbolKind::Set | SymbolKind::Datatype | SymbolKind::Type => "type",
        SymbolKind::Field | SymbolKind::Property | SymbolKind::Label => "property",
        SymbolKind::Operation | SymbolKind::Function => "function",
        SymbolKind::Macro => "macro",
    }
}

/// A piece of a document with its colour.
struct Coloured {
    bytes: Range<usize>,
    kind: &'static str,
    modifiers: u32,
}

impl Session {
    /// What is told of the name at a place.
    pub fn hover(&self, uri: &Uri, at: Position) -> Option<Hover> {
        let document = self.document(uri)?;
        let pointed = self.pointed(document, at)?;
        let symbol = pointed.symbol();
        let language = document.language.map_or("", |language| language.language());
        let mut text = format!("```{language}\n{}\n```", declaration(&pointed));
        let mut say = |words: &str| text.push_str(&format!("\n\n{words}"));
        if !symbol.about.is_empty() {
            say(&format!("{}: {}", kind_words(symbol.kind), symbol.about));
        } else {
            say(kind_words(symbol.kind));
        }
        if let SymmetryState::Found(found) = &document.symmetry {
            let about = found.told.iter().filter(|told| told.name == symbol.name);
            about.for_each(|told| say(&told.words));
        }
        let range = self.location(&pointed.understood, pointed.span);
        Some(Hover {
            contents: Contents::MarkupContent(MarkupContent {
                kind: MarkupKind::Markdown,
                value: text,
            }),
            range: range.map(|place| place.range),
        })
    }

    /// The names that can be used at a place, and the words of the language.
    pub fn completions(&self, uri: &Uri, at: Position) -> Option<Vec<CompletionItem>> {
        let document = self.document(uri)?;
        let offset = document.offset(at, self.unit());
        let before =
            document.text[..offset].trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
        let is_part = before.ends_with('.');
        let mut items: BTreeMap<String, CompletionItem> = BTreeMap::new();
        let words = document
            .reading
            .as_ref()
            .map_or(&[][..], |reading| reading.keywords);
        for word in words
            .iter()
            .filter(|word| word.starts_with(char::is_alphabetic))
        {
            let item = CompletionItem {
                label: (*word).to_owned(),
                kind: Some(CompletionItemKind::Keyword),
                ..CompletionItem::default()
            };
            items.insert((*word).to_owned(), item);
        }
        if let Some(seen) = self.seen(document).into_iter().next() {
            let names = seen.understood.outline.symbols.iter();
            let names = names.filter(|symbol| is_visible(symbol, &seen, offset));
            let names = names.filter(|symbol| is_part || symbol.kind != SymbolKind::Field);
            for symbol in names {
                items.insert(symbol.name.clone(), completion(symbol));
            }
        }
        Some(items.into_values().collect())
    }

    /// The document in colours.
    pub fn tokens(&self, uri: &Uri) -> Option<SemanticTokens> {
        let document = self.document(uri)?;
        let reading = document.reading.as_ref()?;
        let mut all: Vec<Coloured> = Vec::new();
        if let Some(seen) = self.seen(document).into_iter().next() {
            names(&seen, &mut all);
        }
        let n_names = all.len();
        for token in reading.tokens.iter().filter(|_| !document.is_stale) {
            let bytes = token.span.range();
            let hides =
                |other: &Coloured| other.bytes.start < bytes.end && bytes.start < other.bytes.end;
            let kind = match token.class {
                TokenClass::Keyword => "keyword",
                TokenClass::Number => "number",
                TokenClass::Text => "string",
            };
            // Names may stand in texts that are formulas.
            let names = &all[..n_names];
            let from = names.partition_point(|name| name.bytes.end <= bytes.start);
            if !names.get(from).is_some_and(hides) {
                let modifiers = 0;
                all.push(Coloured {
                    bytes,
                    kind,
                    modifiers,
                });
            }
        }
        all.sort_by_key(|coloured| coloured.bytes.start);
        Some(SemanticTokens {
            result_id: None,
            data: encoded(document, &all, self),
        })
    }
}

/// The names of a document in colours, in order.
fn names(seen: &Seen, all: &mut Vec<Coloured>) {
    let outline = &seen.understood.outline;
    let declared = outline
        .symbols
        .iter()
        .map(|symbol| (symbol.span, symbol, 1));
    let used = outline.uses.iter();
    let used = used.map(|used| (used.span, &outline.symbols[used.symbol.index()], 0));
    let own = declared
        .chain(used)
        .filter(|(span, ..)| span.source == seen.source);
    let mut found: Vec<Coloured> = own
        .filter_map(|(span, symbol, declaration)| {
            let is_constant = matches!(symbol.kind, SymbolKind::Constant | SymbolKind::Constructor);
            Some(Coloured {
                bytes: seen.bytes(span.range())?,
                kind: token_type(symbol.kind),
                modifiers: declaration + 2 * u32::from(is_constant),
            })
        })
        .collect();
    found.sort_by_key(|coloured| coloured.bytes.start);
    found.dedup_by(|next, before| next.bytes.start < before.bytes.end);
    all.append(&mut found);
}

/// Places as the protocol wants them: each from the one before. What reaches over lines is left
/// out.
fn encoded(document: &Document, all: &[Coloured], session: &Session) -> Vec<SemanticToken> {
    let mut data = Vec::with_capacity(all.len());
    let mut last = Position::default();
    for coloured in all {
        let range = document.range(coloured.bytes.clone(), session.unit());
        if range.start.line != range.end.line || range.start == range.end {
            continue;
        }
        let delta_line = range.start.line - last.line;
        let from = if delta_line == 0 { last.character } else { 0 };
        let number = TOKEN_TYPES.iter().position(|kind| *kind == coloured.kind);
        data.push(SemanticToken {
            delta_line,
            delta_start: range.start.character - from,
            length: range.end.character - range.start.character,
            token_type: number.unwrap_or(0) as u32,
            token_modifiers_bitset: coloured.modifiers,
        });
        last = range.start;
    }
    data
}

fn is_visible(symbol: &Symbol, seen: &Seen, offset: usize) -> bool {
    let Some(scope) = symbol.scope else {
        return true;
    };
    let inside = seen.bytes(scope.range());
    scope.source == seen.source
        && inside.is_some_and(|bytes| bytes.start <= offset && offset <= bytes.end)
}

fn completion(symbol: &Symbol) -> CompletionItem {
    let kind = match symbol.kind {
        SymbolKind::Module => CompletionItemKind::Module,
        SymbolKind::Process => CompletionItemKind::Class,
        SymbolKind::Variable | SymbolKind::Parameter => CompletionItemKind::Variable,
        SymbolKind::Channel => CompletionItemKind::Event,
        SymbolKind::Constant | SymbolKind::Macro => CompletionItemKind::Constant,
        SymbolKind::Label => CompletionItemKind::Reference,
        SymbolKind::Operation => CompletionItemKind::Method,
        SymbolKind::Set | SymbolKind::Datatype => CompletionItemKind::Enum,
        SymbolKind::Constructor => CompletionItemKind::EnumMember,
        SymbolKind::Type => CompletionItemKind::Struct,
        SymbolKind::Field => CompletionItemKind::Field,
        SymbolKind::Function => CompletionItemKind::Function,
        SymbolKind::Property => CompletionItemKind::Property,
    };
    let words = match symbol.about.as_str() {
        "" => kind_words(symbol.kind).to_owned(),
        about => format!("{}: {about}", kind_words(symbol.kind)),
    };
    CompletionItem {
        label: symbol.name.clone(),
        kind: Some(kind),
        detail: Some(words),
        ..CompletionItem::default()
    }
}

fn kind_words(kind: SymbolKind) -> &'static str {
    match kind {
        SymbolKind::Module => "module",
        SymbolKind::Process => "process",
        SymbolKind::Variable => "variable",
        SymbolKind::Parameter => "parameter",
        SymbolKind::Channel => "channel",
        SymbolKind::Constant => "constant",
        SymbolKind::Label => "label",
        SymbolKind::Operation => "operation",
        SymbolKind::Set => "set",
        SymbolKind::Datatype => "datatype",
        SymbolKind::Constructor => "value",
        SymbolKind::Type => "type",
        SymbolKind::Field => "field",
        SymbolKind::Function => "function",
        SymbolKind::Macro => "definition",
        SymbolKind::Property => "property",
    }
}

/// The declaration as it is written, from the start of its first line if that is blank before it.
fn declaration(pointed: &Pointed) -> String {
    let symbol = pointed.symbol();
    let text = &pointed.understood.text(symbol.whole.source).text;
    let range = symbol.whole.range();
    let line = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let before = &text[line..range.start];
    let indent = before.len() - before.trim_start().len();
    let start = if before.trim().is_empty() {
        line
    } else {
        range.start
    };
    let lines: Vec<&str> = text[start..range.end].lines().collect();
    let mut shown: Vec<&str> = Vec::new();
    for line in lines.iter().take(LINES_MAX) {
        let blank = line.len() - line.trim_start().len();
        shown.push(&line[blank.min(indent)..]);
    }
    if lines.len() > LINES_MAX {
        shown.push("…");
    }
    shown.join("\n")
}
