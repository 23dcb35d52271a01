//! Documents that are open.

use crate::check::Verdict;
use crate::reading::{Reading, ToldMessage, Understood};
use crate::symmetry::FoundSymmetry;
use crate::text::{ColumnUnit, Lines, Shift};
use base::SourceId;
use gen_lsp_types::{Position, Range, Uri};
use model::frontend::Frontend;
use std::collections::BTreeMap;
use std::ops;
use std::path::PathBuf;
use std::sync::Arc;

/// A document that is open.
pub struct Document {
    /// Its address, as the client writes it.
    pub uri: Uri,
    /// Its file.
    pub path: PathBuf,
    /// Which edition this is.
    pub version: i32,
    /// Its text.
    pub text: Arc<str>,
    /// The lines of that.
    pub lines: Lines,
    /// Its language, if one is known.
    pub language: Option<&'static dyn Frontend>,
    /// What was read of it, or of an earlier edition if `is_stale`.
    pub reading: Option<Reading>,
    /// The last that was understood.
    pub understood: Option<Arc<Understood>>,
    /// Whether it has to be read.
    pub is_stale: bool,
    /// Counts what makes it stale: what was found of an earlier one is of no use.
    pub generation: u64,
    /// Its symmetry.
    pub symmetry: SymmetryState,
    /// What was checked of it, by property; of all at once, under an empty name.
    pub verdicts: BTreeMap<String, Verdict>,
    /// Runs that violate properties.
    pub runs: Vec<ToldMessage>,
}

/// How far the symmetry of a document is known.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum SymmetryState {
    /// Nothing is known.
    #[default]
    Unknown,
    /// It is looked for.
    Sought,
    /// It was not found: in time, or at all.
    NotFound,
    /// This is it.
    Found(FoundSymmetry),
}

impl Document {
    /// A document that was not read yet.
    pub fn new(uri: Uri, path: PathBuf, version: i32, text: Arc<str>) -> Document {
        Document {
            uri,
            path,
            version,
            lines: Lines::of(&text),
            text,
            language: None,
            reading: None,
            understood: None,
            is_stale: true,
            generation: 0,
            symmetry: SymmetryState::Unknown,
            verdicts: BTreeMap::new(),
            runs: Vec::new(),
        }
    }

    /// From now on it has this text.
    pub fn set(&mut self, version: i32, text: Arc<str>) {
        self.version = version;
        self.lines = Lines::of(&text);
        self.text = text;
        self.spoil();
    }

    /// It has to be read again, and nothing that was found of it counts any more.
    pub fn spoil(&mut self) {
        self.is_stale = true;
        self.generation += 1;
        self.symmetry = SymmetryState::Unknown;
        self.verdicts.clear();
        self.runs.clear();
    }

    /// The byte at a place.
    pub fn offset(&self, at: Position, unit: ColumnUnit) -> usize {
        self.lines.offset(&self.text, at, unit)
    }

    /// Where a stretch of bytes is.
    pub fn range(&self, bytes: ops::Range<usize>, unit: ColumnUnit) -> Range {
        self.lines.range(&self.text, bytes, unit)
    }
}

/// A document in what was understood of it, or of one that includes it.
pub struct Seen {
    /// What was understood.
    pub understood: Arc<Understood>,
    /// Which of the texts it is.
    pub source: SourceId,
    /// How its places have moved since.
    pub shift: Shift,
}

impl Seen {
    /// A document in what was understood, if it is there.
    pub fn of(document: &Document, understood: &Arc<Understood>) -> Option<Seen> {
        let source = understood.source(&document.path)?;
        let shift = Shift::between(&understood.text(source).text, &document.text);
        Some(Seen {
            understood: Arc::clone(understood),
            source,
            shift,
        })
    }

    /// Where a stretch of the text that was understood is in the document, if it is there.
    pub fn bytes(&self, old: ops::Range<usize>) -> Option<ops::Range<usize>> {
        let start = self.shift.to_new(old.start)?;
        let end = self.shift.to_new(old.end)?;
        (start <= end).then_some(start..end)
    }
}
