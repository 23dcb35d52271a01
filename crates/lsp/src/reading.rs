//! What was read of a document: messages, and what its text declares and uses.

use crate::text::{ColumnUnit, Lines};
use crate::uri;
use base::{Clock, Diagnostics, Severity, SourceId, Sources, Span};
use driver::load::{Request, load, outline};
use driver::open::{OpenTexts, plain};
use gen_lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, Range,
};
use model::frontend::{Frontend, Options};
use model::outline::{ClassifiedToken, Outline};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The source that messages are said to be from.
pub const SOURCE: &str = "orbit";

/// A text that was read.
#[derive(Debug)]
pub struct ReadText {
    /// Where it is from.
    pub path: PathBuf,
    /// The text.
    pub text: Arc<str>,
    /// Its lines.
    pub lines: Lines,
}

/// What texts declare and use, with the texts.
#[derive(Debug)]
pub struct Understood {
    /// What they declare and use.
    pub outline: Outline,
    /// By source; the first is the document itself.
    pub texts: Vec<ReadText>,
}

impl Understood {
    /// The text of a source.
    pub fn text(&self, source: SourceId) -> &ReadText {
        &self.texts[source.index()]
    }

    /// The source that was read from a file.
    pub fn source(&self, path: &Path) -> Option<SourceId> {
        let at = self.texts.iter().position(|text| text.path == path)?;
        Some(SourceId::new(at))
    }
}

/// A message, and the file that it is about.
#[derive(Clone, PartialEq, Debug)]
pub struct ToldMessage {
    /// The file.
    pub path: PathBuf,
    /// The message.
    pub diagnostic: Diagnostic,
}

/// What was read.
pub struct Reading {
    /// What is wrong.
    pub told: Vec<ToldMessage>,
    /// Whether there are errors.
    pub has_errors: bool,
    /// What is declared and used, if the text was understood.
    pub understood: Option<Arc<Understood>>,
    /// The words of the language.
    pub keywords: &'static [&'static str],
    /// Pieces of the document.
    pub tokens: Vec<ClassifiedToken>,
    /// The files that were read.
    pub files: BTreeSet<PathBuf>,
}

/// What is to be read, and how.
pub struct Wanted<'a> {
    /// The file.
    pub path: &'a Path,
    /// Its language.
    pub language: &'static dyn Frontend,
    /// Texts that are open.
    pub open: &'a OpenTexts,
    /// When to stop.
    pub clock: Clock<'static>,
    /// How large the stack is.
    pub stack_bytes: usize,
    /// What columns count.
    pub unit: ColumnUnit,
    /// Whether the client shows places beside a message.
    pub shows_related: bool,
}

/// That our program went wrong, in words.
#[derive(Debug)]
pub struct Panicked(pub String);

/// Does something that may panic.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
        Panicked(text.unwrap_or("no message").to_owned())
    })
}

/// Reads a document: its messages are those of `orbit check --parse-only`.
pub fn read(wanted: &Wanted<'_>) -> Result<Reading, Panicked> {
    guarded(|| read_all(wanted))
}

fn read_all(wanted: &Wanted<'_>) -> Reading {
    let options = Options {
        reading: model::frontend::Reading::Only,
        stack_bytes: wanted.stack_bytes,
        ..Options::default()
    };
    let request = Request {
        file: wanted.path,
        folders: &[],
        open: wanted.open,
        options: &options,
        clock: wanted.clock,
    };
    let (mut sources, mut found) = (Sources::new(), Diagnostics::new());
    load(&request, wanted.language, &mut sources, &mut found);
    let has_errors = found.has_errors();
    let texts = texts(&sources);
    let mut files: BTreeSet<PathBuf> = texts.iter().map(|text| text.path.clone()).collect();
    let messenger = Messenger {
        texts: &texts,
        unit: wanted.unit,
        shows_related: wanted.shows_related,
    };
    let told = found
        .sorted()
        .iter()
        .map(|said| messenger.told(said, wanted.path))
        .collect();
    let mut sources = Sources::new();
    let mut outline = outline(&request, wanted.language, &mut sources);
    let (keywords, tokens) = (outline.keywords, std::mem::take(&mut outline.tokens));
    let texts = self::texts(&sources);
    files.extend(texts.iter().map(|text| text.path.clone()));
    let understood = outline
        .is_whole
        .then(|| Arc::new(Understood { outline, texts }));
    Reading {
        told,
        has_errors,
        understood,
        keywords,
        tokens,
        files,
    }
}

fn texts(sources: &Sources) -> Vec<ReadText> {
    let all = sources.all().iter().map(|source| ReadText {
        path: plain(Path::new(source.name())),
        text: source.text().into(),
        lines: Lines::of(source.text()),
    });
    all.collect()
}

/// Turns messages into those of the protocol.
struct Messenger<'a> {
    texts: &'a [ReadText],
    unit: ColumnUnit,
    shows_related: bool,
}

impl Messenger<'_> {
    fn place(&self, span: Span) -> (&Path, Range) {
        let text = &self.texts[span.source.index()];
        // The end of the text is the end of its last line: that is where a reader looks for what is
        // missing.
        let last = text
            .text
            .strip_suffix('\n')
            .map_or(text.text.len(), str::len);
        let bytes = span.range();
        let bytes = bytes.start.min(last)..bytes.end.min(last);
        let range = text.lines.range(&text.text, bytes, self.unit);
        (&text.path, range)
    }

    fn told(&self, said: &base::Diagnostic, main: &Path) -> ToldMessage {
        let (path, range) = match said.labels.first() {
            Some(label) => self.place(label.span),
            None => (main, Range::default()),
        };
        let beside = |(path, range): (&Path, Range), message: &str| DiagnosticRelatedInformation {
            location: Location {
                uri: uri::of_path(path),
                range,
            },
            message: message.to_owned(),
        };
        let labels = said.labels.iter().enumerate();
        let labels = labels.filter(|(n, label)| *n > 0 || !label.words.is_empty());
        let mut related: Vec<DiagnosticRelatedInformation> = labels
            .map(|(_, label)| beside(self.place(label.span), &label.words))
            .collect();
        let notes = said.notes.iter();
        related.extend(notes.map(|note| beside((path, range), &format!("note: {note}"))));
        let mut message = said.message.clone();
        if !self.shows_related {
            for beside in related.iter().filter(|beside| !beside.message.is_empty()) {
                message.push_str(&format!("\n{}", beside.message));
            }
        }
        let severity = match said.severity {
            Severity::Error => DiagnosticSeverity::Error,
            Severity::Warning => DiagnosticSeverity::Warning,
        };
        ToldMessage {
            path: path.to_path_buf(),
            diagnostic: Diagnostic {
                range,
                severity: Some(severity),
                source: Some(SOURCE.to_owned()),
                message: message.into(),
                related_information: (self.shows_related && !related.is_empty()).then_some(related),
                ..Diagnostic::default()
            },
        }
    }
}
