//! Where names are declared and used, and what a document declares.

use crate::document::{Document, Seen};
use crate::reading::Understood;
use crate::session::Session;
use crate::text::Shift;
use crate::uri;
use base::{SourceId, Span};
use gen_lsp_types::{
    DocumentHighlight, DocumentHighlightKind, DocumentSymbol, Location, Position,
    SymbolKind as Kind, Uri,
};
use model::outline::{Symbol, SymbolId, SymbolKind};
use std::collections::HashMap;
use std::sync::Arc;

/// A symbol that a place of a document means.
pub struct Pointed {
    /// What was understood.
    pub understood: Arc<Understood>,
    /// The symbol.
    pub id: SymbolId,
    /// Where the place is, in what was understood.
    pub span: Span,
}

impl Pointed {
    /// The symbol.
    pub fn symbol(&self) -> &Symbol {
        &self.understood.outline.symbols[self.id.index()]
    }
}

fn touches(span: Span, source: SourceId, at: usize) -> bool {
    let range = span.range();
    span.source == source && range.start <= at && at <= range.end
}

/// Where the texts that were understood are now, each compared with its document once.
struct Places<'a> {
    session: &'a Session,
    understood: &'a Understood,
    /// By source: its document, if it is open, and how places have moved since.
    documents: HashMap<SourceId, Option<(&'a Document, Shift)>>,
}

impl<'a> Places<'a> {
    fn of(session: &'a Session, understood: &'a Understood) -> Places<'a> {
        Places {
            session,
            understood,
            documents: HashMap::new(),
        }
    }

    fn location(&mut self, span: Span) -> Option<Location> {
        let (session, read) = (self.session, self.understood.text(span.source));
        let document = self.documents.entry(span.source).or_insert_with(|| {
            let document = session.by_path(&read.path)?;
            Some((document, Shift::between(&read.text, &document.text)))
        });
        let bytes = span.range();
        let Some((document, shift)) = document else {
            let range = read.lines.range(&read.text, bytes, session.unit());
            let uri = uri::of_path(&read.path);
            return Some(Location { uri, range });
        };
        let (start, end) = (shift.to_new(bytes.start)?, shift.to_new(bytes.end)?);
        Some(Location {
            uri: document.uri.clone(),
            range: document.range(start..end.max(start), session.unit()),
        })
    }
}

impl Session {
    /// The document in what was understood of it; where nothing was, of those that include it.
    pub fn seen(&self, document: &Document) -> Vec<Seen> {
        let own = document.understood.iter();
        let others = self.documents().filter(|other| other.uri != document.uri);
        let others = others.filter_map(|other| other.understood.as_ref());
        let all = own.chain(others);
        all.filter_map(|understood| Seen::of(document, understood))
            .collect()
    }

    /// What is meant at a place.
    pub fn pointed(&self, document: &Document, at: Position) -> Option<Pointed> {
        let offset = document.offset(at, self.unit());
        self.seen(document).iter().find_map(|seen| {
            let old = seen.shift.to_old(offset)?;
            let outline = &seen.understood.outline;
            let symbols = outline.symbols.iter().enumerate();
            let declared = symbols.map(|(n, symbol)| (symbol.span, SymbolId::new(n)));
            let used = outline.uses.iter().map(|used| (used.span, used.symbol));
            let mut all = used.chain(declared);
            let (span, id) = all.find(|(span, _)| touches(*span, seen.source, old))?;
            Some(Pointed {
                understood: Arc::clone(&seen.understood),
                id,
                span,
            })
        })
    }

    /// A span of what was understood as a place for the client; if its document was edited since,
    /// where it is now.
    pub fn location(&self, understood: &Understood, span: Span) -> Option<Location> {
        Places::of(self, understood).location(span)
    }

    /// Where it is declared.
    pub fn definition(&self, uri: &Uri, at: Position) -> Option<Location> {
        let pointed = self.pointed(self.document(uri)?, at)?;
        self.location(&pointed.understood, pointed.symbol().span)
    }

    /// Where it is used, in all documents that are open and what they include.
    pub fn references(&self, uri: &Uri, at: Position, declaration: bool) -> Option<Vec<Location>> {
        let pointed = self.pointed(self.document(uri)?, at)?;
        let symbol = pointed.symbol();
        let path = &pointed.understood.text(symbol.span.source).path;
        let mut found: Vec<Location> = Vec::new();
        for document in self.documents() {
            let Some(understood) = &document.understood else {
                continue;
            };
            let outline = &understood.outline;
            let is_same = |other: &Symbol| {
                other.span.range() == symbol.span.range()
                    && other.name == symbol.name
                    && understood.text(other.span.source).path == *path
            };
            let Some(id) = outline.symbols.iter().position(is_same) else {
                continue;
            };
            let uses = outline.uses.iter().filter(|used| used.symbol.index() == id);
            let uses = uses.map(|used| used.span);
            let own = declaration.then_some(outline.symbols[id].span);
            let mut places = Places::of(self, understood);
            let spans = own.into_iter().chain(uses);
            found.extend(spans.filter_map(|span| places.location(span)));
        }
        found.sort_by(|a, b| (&a.uri.0, a.range).cmp(&(&b.uri.0, b.range)));
        found.dedup();
        Some(found)
    }

    /// Where it is declared and used in this document.
    pub fn highlights(&self, uri: &Uri, at: Position) -> Option<Vec<DocumentHighlight>> {
        let all = self.references(uri, at, true)?.into_iter();
        let own = all.filter(|place| place.uri == *uri);
        let own = own.map(|place| DocumentHighlight {
            range: place.range,
            kind: Some(DocumentHighlightKind::Text),
        });
        Some(own.collect())
    }

    /// What the document declares, each with what belongs to it.
    pub fn symbols(&self, uri: &Uri) -> Option<Vec<DocumentSymbol>> {
        let document = self.document(uri)?;
        let seen = self.seen(document).into_iter().next()?;
        let symbols = &seen.understood.outline.symbols;
        let mut roots = Vec::new();
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); symbols.len()];
        for (n, symbol) in symbols.iter().enumerate() {
            if symbol.span.source != seen.source {
                continue;
            }
            let parent = symbol.parent.map(SymbolId::index);
            match parent.filter(|p| symbols[*p].span.source == seen.source && *p != n) {
                Some(parent) => children[parent].push(n),
                // What is bound within a formula is no part of the document.
                None if symbol.scope.is_none() => roots.push(n),
                None => {}
            }
        }
        let tree = SymbolTree {
            session: self,
            document,
            seen: &seen,
            children: &children,
        };
        Some(tree.all(&roots, 0))
    }
}

/// How deep things belong to others.
const DEPTH_MAX: usize = 20;

struct SymbolTree<'a> {
    session: &'a Session,
    document: &'a Document,
    seen: &'a Seen,
    children: &'a [Vec<usize>],
}

impl SymbolTree<'_> {
    fn all(&self, which: &[usize], depth: usize) -> Vec<DocumentSymbol> {
        let mut all: Vec<DocumentSymbol> =
            which.iter().filter_map(|n| self.one(*n, depth)).collect();
        all.sort_by_key(|symbol| symbol.selection_range);
        all
    }

    fn one(&self, n: usize, depth: usize) -> Option<DocumentSymbol> {
        let symbol = &self.seen.understood.outline.symbols[n];
        let unit = self.session.unit();
        let own = self.seen.bytes(symbol.span.range())?;
        let whole = self.seen.bytes(symbol.whole.range());
        let whole = whole.filter(|whole| whole.start <= own.start && own.end <= whole.end);
        let whole = whole.unwrap_or_else(|| own.clone());
        let children = if depth < DEPTH_MAX {
            self.all(&self.children[n], depth + 1)
        } else {
            Vec::new()
        };
        Some(DocumentSymbol::new(
            symbol.name.clone(),
            (!symbol.about.is_empty()).then(|| symbol.about.clone()),
            kind(symbol.kind),
            None,
            None,
            self.document.range(whole, unit),
            self.document.range(own, unit),
            (!children.is_empty()).then_some(children),
        ))
    }
}

/// The protocol's word for a kind of symbol.
fn kind(kind: SymbolKind) -> Kind {
    match kind {
        SymbolKind::Module => Kind::Module,
        SymbolKind::Process => Kind::Class,
        SymbolKind::Variable | SymbolKind::Parameter => Kind::Variable,
        SymbolKind::Channel => Kind::Event,
        SymbolKind::Constant | SymbolKind::Macro => Kind::Constant,
        SymbolKind::Label => Kind::Key,
        SymbolKind::Operation => Kind::Method,
        SymbolKind::Set | SymbolKind::Datatype => Kind::Enum,
        SymbolKind::Constructor => Kind::EnumMember,
        SymbolKind::Type => Kind::Struct,
        SymbolKind::Field => Kind::Field,
        SymbolKind::Function => Kind::Function,
        SymbolKind::Property => Kind::Property,
    }
}
