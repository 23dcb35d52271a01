//! What an editor is told of a text: what it declares, where that is used, what can be checked.
//!
//! A language fills an [`Outline`] from its own parsed tree, by an [`OutlineBuilder`]. Scopes are
//! those of the language: a local that hides a global is another symbol. What is declared or used
//! may be in any of the texts that were read: that of the model, and those that it includes.
//!
//! A text can be read several times: a macro that is expanded twice, a machine that is included
//! twice. So a name at one place is one symbol, and one use, however often it was met.
//!
//! Worked example: `byte x; active proctype P() { byte y; y = x }` declares `x` (a variable), `P`
//! (a process) and `y` (a variable, its parent `P`, its scope the body); it uses `y` once and `x`
//! once.

use base::{Sources, Span};
use std::collections::HashMap;

base::define_id!(SymbolId, "Which symbol of an [`Outline`].");

/// What a text declares and uses.
#[derive(Clone, Default, Debug)]
pub struct Outline {
    /// Whether the text was understood: otherwise symbols and uses are missing.
    pub is_whole: bool,
    /// The words of the language that cannot be names.
    pub keywords: &'static [&'static str],
    /// Pieces of the text itself that a reader may want to see in a colour, in order.
    pub tokens: Vec<ClassifiedToken>,
    /// What is declared.
    pub symbols: Vec<Symbol>,
    /// Where it is used, declarations left out, in the order of the texts.
    pub uses: Vec<Use>,
    /// What can be checked.
    pub properties: Vec<WrittenProperty>,
}

/// Something with a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// Its name, as it is written where it is declared.
    pub name: String,
    /// What it is.
    pub kind: SymbolKind,
    /// Where its name is declared.
    pub span: Span,
    /// Where all of its declaration is.
    pub whole: Span,
    /// What it belongs to.
    pub parent: Option<SymbolId>,
    /// Where its name can be used; everywhere, if that is not said.
    pub scope: Option<Span>,
    /// What is told of it beside its declaration: its type, its values.
    pub about: String,
}

/// What a symbol is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SymbolKind {
    /// A machine or module.
    Module,
    /// What runs.
    Process,
    /// What changes.
    Variable,
    /// What is given.
    Parameter,
    /// What messages or events go over.
    Channel,
    /// What never changes.
    Constant,
    /// A place in a process.
    Label,
    /// What can be done to a machine.
    Operation,
    /// A set.
    Set,
    /// A type with constructors.
    Datatype,
    /// A value of such a type, or a part of such a value.
    Constructor,
    /// A type of another kind.
    Type,
    /// A part of a record.
    Field,
    /// What has a value for arguments.
    Function,
    /// What is replaced by its text.
    Macro,
    /// What is claimed.
    Property,
}

/// A use of a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Use {
    /// Where.
    pub span: Span,
    /// Of what.
    pub symbol: SymbolId,
}

/// Something that can be checked by itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrittenProperty {
    /// Where it is written.
    pub span: Span,
    /// What names it where it is asked for: `--property WORD`.
    pub word: String,
}

/// A piece of a text, and what it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClassifiedToken {
    /// Where.
    pub span: Span,
    /// What it is.
    pub class: TokenClass,
}

/// What a piece of text is, as far as it is no name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenClass {
    /// A word of the language.
    Keyword,
    /// A number.
    Number,
    /// A text or a character in quotes.
    Text,
}

/// An outline as it is made.
#[derive(Default)]
pub struct OutlineBuilder {
    outline: Outline,
    declared: HashMap<Span, SymbolId>,
    used: HashMap<Span, SymbolId>,
}

impl OutlineBuilder {
    /// Nothing yet, for a language with these keywords, of a text with these tokens.
    pub fn new(keywords: &'static [&'static str], tokens: Vec<ClassifiedToken>) -> OutlineBuilder {
        OutlineBuilder {
            outline: Outline {
                keywords,
                tokens,
                ..Outline::default()
            },
            ..OutlineBuilder::default()
        }
    }

    /// A symbol; the one that is there, if the name at this place was met before.
    pub fn declare(&mut self, symbol: Symbol) -> SymbolId {
        let next = SymbolId::new(self.outline.symbols.len());
        let id = *self.declared.entry(symbol.span).or_insert(next);
        if id == next {
            self.outline.symbols.push(symbol);
        }
        id
    }

    /// A use of a symbol; the first counts, if the name at this place was met before.
    pub fn refer(&mut self, span: Span, symbol: SymbolId) {
        self.used.entry(span).or_insert(symbol);
    }

    /// A property; one for each place.
    pub fn property(&mut self, span: Span, word: impl Into<String>) {
        let all = &mut self.outline.properties;
        if all.iter().all(|other| other.span != span) {
            let word = word.into();
            all.push(WrittenProperty { span, word });
        }
    }

    /// Tells something of the symbol whose name is declared there, if nothing was told of it.
    pub fn tell(&mut self, span: Span, words: &str) {
        if let Some(id) = self.declared.get(&span) {
            let about = &mut self.outline.symbols[id.index()].about;
            if about.is_empty() {
                about.push_str(words);
            }
        }
    }

    /// The symbol of that id.
    pub fn symbol(&mut self, id: SymbolId) -> &mut Symbol {
        &mut self.outline.symbols[id.index()]
    }

    /// The outline of a text that was not understood.
    pub fn broken(self) -> Outline {
        self.outline
    }

    /// The outline of a text that was understood.
    ///
    /// # Ensures
    /// Each use has a text that is the name of its symbol: what stands before a name (`M::x`,
    /// `a.x`) is left out, and what was put together by a preprocessor is no use of anything.
    pub fn finish(mut self, sources: &Sources) -> Outline {
        let symbols = &self.outline.symbols;
        let is_declared = |span: &Span| self.declared.contains_key(span);
        let uses = self.used.iter().filter(|(span, _)| !is_declared(span));
        let mut uses: Vec<Use> = uses
            .filter_map(|(span, symbol)| {
                let name = &symbols[symbol.index()].name;
                let text = sources.text(*span);
                let before = text.strip_suffix(name.as_str())?;
                let is_apart = before.is_empty() || before.ends_with([':', '.', ' ']);
                is_apart.then_some(Use {
                    span: Span {
                        start: span.start + before.len() as u32,
                        ..*span
                    },
                    symbol: *symbol,
                })
            })
            .collect();
        uses.sort_by_key(|used| used.span);
        uses.dedup_by_key(|used| used.span);
        self.outline.uses = uses;
        self.outline.properties.sort_by_key(|written| written.span);
        self.outline.is_whole = true;
        self.outline
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(name: &str, span: Span) -> Symbol {
        Symbol {
            name: name.to_owned(),
            kind: SymbolKind::Variable,
            span,
            whole: span,
            parent: None,
            scope: None,
            about: String::new(),
        }
    }

    #[test]
    fn a_name_at_one_place_is_one_symbol_and_one_use() {
        let mut sources = Sources::new();
        let text = sources.add("m", "x y x M::x ab");
        let at = |range| Span::new(text, range);
        let mut builder = OutlineBuilder::new(&["if"], Vec::new());
        let x = builder.declare(variable("x", at(0..1)));
        assert_eq!(builder.declare(variable("x", at(0..1))), x);
        let y = builder.declare(variable("y", at(2..3)));
        builder.refer(at(4..5), x);
        builder.refer(at(4..5), y);
        builder.refer(at(0..1), x);
        builder.refer(at(6..10), x);
        builder.refer(at(11..13), x);
        let outline = builder.finish(&sources);
        assert!(outline.is_whole);
        let uses: Vec<(usize, SymbolId)> = (outline.uses.iter())
            .map(|used| (used.span.range().start, used.symbol))
            .collect();
        assert_eq!(uses, [(4, x), (9, x)], "`ab` is not called `x`");
    }
}
