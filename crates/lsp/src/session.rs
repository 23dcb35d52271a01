//! The documents of a client, and what is done when one is edited.
//!
//! Events come in order: edits, requests, what was found in the background. A document that was
//! edited is *stale*: it is read when a request needs it, or when no event waits, so that of many
//! edits in a row the last one is read. An edit interrupts what is being read; a request that waits
//! for that is answered with "the content was modified".

use crate::check::{Begun, Checked};
use crate::document::{Document, SymmetryState};
use crate::lenses::CHECK;
use crate::reading::{self, Panicked, ToldMessage, Wanted};
use crate::server::Server;
use crate::symmetry::{self, FoundSymmetry};
use crate::text::ColumnUnit;
use crate::uri;
use base::Clock;
use driver::open::{OpenTexts, plain};
use gen_lsp_types::{
    Diagnostic, MessageType, PublishDiagnosticsParams, ShowMessageParams,
    TextDocumentContentChangeEvent, Uri,
};
use lsp_server::{Message, Notification, Request};
use model::frontend::Frontend;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;

/// What happens.
pub enum Event {
    /// The client says, or asks, something.
    Message(Message),
    /// The symmetry of a document was looked for.
    Symmetry(SoughtSymmetry),
    /// A check has ended.
    Checked(Checked),
    /// The server ends.
    End,
}

/// What came of looking for symmetry.
pub struct SoughtSymmetry {
    /// The document.
    pub uri: Uri,
    /// Which of its generations.
    pub generation: u64,
    /// The symmetry, if it was found.
    pub found: Result<Option<FoundSymmetry>, Panicked>,
}

/// What the client can do and wants.
#[derive(Clone, Debug, Default)]
pub struct ClientWishes {
    /// What columns count.
    pub unit: ColumnUnit,
    /// Whether it shows places beside a message.
    pub shows_related: bool,
    /// Whether it can be asked to fetch lenses again.
    pub refreshes_lenses: bool,
    /// Flags of every check.
    pub check_flags: Vec<String>,
    /// Whether it does without symmetry, which takes time.
    pub no_symmetry: bool,
}

/// What interrupts work: set when an edit has come in that was not taken yet.
pub struct Interrupts {
    /// How many edits have come in.
    pub n_received: AtomicU64,
    /// What the clock of reading looks at.
    pub reading: &'static AtomicBool,
    /// What the clock of symmetry looks at.
    pub symmetry: &'static AtomicBool,
}

impl Interrupts {
    /// Nothing is interrupted. The flags live as long as the program.
    pub fn new() -> Interrupts {
        Interrupts {
            n_received: AtomicU64::new(0),
            reading: Box::leak(Box::default()),
            symmetry: Box::leak(Box::default()),
        }
    }

    /// An edit has come in.
    pub fn edit(&self) {
        self.n_received.fetch_add(1, Ordering::SeqCst);
        self.reading.store(true, Ordering::SeqCst);
    }
}

/// How long symmetry is looked for.
const SYMMETRY_TIME_MAX: Duration = Duration::from_secs(5);

/// The documents of a client.
pub struct Session {
    server: Arc<Server>,
    wishes: ClientWishes,
    out: Out,
    queue: Sender<Event>,
    interrupts: Arc<Interrupts>,
    /// How many edits were taken.
    n_taken: u64,
    documents: BTreeMap<String, Document>,
    open: OpenTexts,
    /// What the client was told, by document.
    published: BTreeMap<String, Vec<Diagnostic>>,
    checks: Vec<Begun>,
    /// The document whose symmetry is being looked for.
    sought: Option<Uri>,
    n_asked: i32,
    stack_bytes: usize,
    /// Bugs of ours that the user was told of.
    reported: Vec<String>,
}

/// Takes the messages of the server.
pub type Out = Box<dyn Fn(Message) + Send>;

/// An edit came while a document was read.
pub struct Modified;

impl Session {
    /// No document is open.
    pub fn new(
        server: Arc<Server>,
        wishes: ClientWishes,
        out: Out,
        queue: Sender<Event>,
        interrupts: Arc<Interrupts>,
    ) -> Session {
        Session {
            stack_bytes: server.stack_bytes,
            server,
            wishes,
            out,
            queue,
            interrupts,
            n_taken: 0,
            documents: BTreeMap::new(),
            open: OpenTexts::new(),
            published: BTreeMap::new(),
            checks: Vec::new(),
            sought: None,
            n_asked: 0,
            reported: Vec::new(),
        }
    }

    /// What columns count.
    pub fn unit(&self) -> ColumnUnit {
        self.wishes.unit
    }

    /// Whether the client shows places beside a message.
    pub fn shows_related(&self) -> bool {
        self.wishes.shows_related
    }

    /// Flags of every check.
    pub fn check_flags(&self) -> Vec<String> {
        self.wishes.check_flags.clone()
    }

    /// The program that checks.
    pub fn program(&self) -> &Path {
        &self.server.program
    }

    /// Where events go.
    pub fn queue(&self) -> &Sender<Event> {
        &self.queue
    }

    /// Checks under way.
    pub fn checks(&self) -> &[Begun] {
        &self.checks
    }

    /// The same, to be changed.
    pub fn checks_mut(&mut self) -> &mut Vec<Begun> {
        &mut self.checks
    }

    /// All documents.
    pub fn documents(&self) -> impl Iterator<Item = &Document> {
        self.documents.values()
    }

    /// A document that is open.
    pub fn document(&self, uri: &Uri) -> Option<&Document> {
        self.documents.get(&uri.0)
    }

    /// The same, to be changed.
    pub fn document_mut(&mut self, uri: &Uri) -> Option<&mut Document> {
        self.documents.get_mut(&uri.0)
    }

    /// The document of a file, if it is open.
    pub fn by_path(&self, path: &Path) -> Option<&Document> {
        self.documents
            .values()
            .find(|document| document.path == path)
    }

    /// Sends a message to the client.
    pub fn send(&self, message: Message) {
        (self.out)(message);
    }

    fn notify(&self, method: &str, params: impl Serialize) {
        let notification = Notification::new(method.to_owned(), params);
        self.send(notification.into());
    }

    /// Shows words to the user.
    pub fn say(&self, kind: MessageType, words: &str) {
        let message = format!("orbit: {words}");
        self.notify("window/showMessage", ShowMessageParams { kind, message });
    }

    /// Tells the user of a bug of ours, of each once: it may be met at every edit.
    pub fn report(&mut self, panicked: &Panicked) {
        if self.reported.contains(&panicked.0) {
            return;
        }
        self.reported.push(panicked.0.clone());
        let words = format!(
            "this is a bug in orbit, not in your text: {}. Please send us the text, and these \
             words; orbit {}",
            panicked.0,
            env!("CARGO_PKG_VERSION")
        );
        self.say(MessageType::Error, &words);
    }

    /// Asks the client to fetch lenses again.
    pub fn refresh(&mut self) {
        if self.wishes.refreshes_lenses {
            self.n_asked += 1;
            let id = format!("orbit-{}", self.n_asked).into();
            let request = Request::new(id, "workspace/codeLens/refresh".to_owned(), Value::Null);
            self.send(request.into());
        }
    }

    /// A document was opened.
    pub fn opened(&mut self, uri: Uri, language: &str, version: i32, text: String) {
        let path = plain(&uri::path(&uri));
        let text: Arc<str> = text.into();
        let before = self.effective(&path);
        self.open.open(&path, Arc::clone(&text));
        let mut document = Document::new(uri.clone(), path.clone(), version, text);
        document.language = self.language(&path, language, &document.text);
        let is_same = before.as_deref() == Some(&*document.text);
        self.documents.insert(uri.0, document);
        if !is_same {
            self.spoil(&path);
        }
    }

    /// A document was edited.
    pub fn edited(&mut self, uri: &Uri, version: i32, edits: Vec<TextDocumentContentChangeEvent>) {
        let unit = self.unit();
        let Some(document) = self.documents.get_mut(&uri.0) else {
            return;
        };
        let mut text = document.text.to_string();
        for edit in edits {
            use TextDocumentContentChangeEvent as Edit;
            match edit {
                Edit::TextDocumentContentChangePartial(part) => {
                    let lines = crate::text::Lines::of(&text);
                    let start = lines.offset(&text, part.range.start, unit);
                    let end = lines.offset(&text, part.range.end, unit).max(start);
                    text.replace_range(start..end, &part.text);
                }
                Edit::TextDocumentContentChangeWholeDocument(whole) => text = whole.text,
            }
        }
        let text: Arc<str> = text.into();
        document.set(version, Arc::clone(&text));
        let path = document.path.clone();
        self.open.open(&path, text);
        self.spoil(&path);
    }

    /// A document was closed: its file counts again.
    pub fn closed(&mut self, uri: &Uri) {
        let Some(document) = self.documents.remove(&uri.0) else {
            return;
        };
        self.stop_checks(|begun| begun.uri == *uri);
        self.open.close(&document.path);
        self.interrupt_seeking();
        if self.effective(&document.path).as_deref() != Some(&*document.text) {
            self.spoil(&document.path);
        }
        self.publish();
    }

    /// A file was changed by somebody, or saved.
    pub fn touched(&mut self, uri: &Uri) {
        let path = plain(&uri::path(uri));
        if self.open.text(&path).is_none() {
            self.spoil(&path);
        }
    }

    /// The text that counts for a file.
    fn effective(&self, path: &Path) -> Option<String> {
        let mut sources = base::Sources::new();
        let id = self.open.read_loosely(path, &mut sources).ok()?;
        Some(sources.get(id).text().to_owned())
    }

    /// All documents that read this file, or may do so, are stale.
    fn spoil(&mut self, path: &Path) {
        for document in self.documents.values_mut() {
            let reads = document.reading.as_ref().is_none_or(|reading| {
                reading.has_errors || reading.understood.is_none() || reading.files.contains(path)
            });
            if document.path == path || reads {
                document.spoil();
            }
        }
        self.interrupt_seeking();
        let stale: Vec<Uri> = self
            .documents()
            .filter(|d| d.is_stale)
            .map(|d| d.uri.clone())
            .collect();
        self.stop_checks(|begun| stale.contains(&begun.uri));
    }

    /// Gives up looking for the symmetry of a document that is stale or gone.
    fn interrupt_seeking(&self) {
        let Some(uri) = &self.sought else {
            return;
        };
        if self.document(uri).is_none_or(|document| document.is_stale) {
            self.interrupts.symmetry.store(true, Ordering::SeqCst);
        }
    }

    /// The language of a document: by the end of its name, by what the client calls it, by its
    /// text.
    fn language(&self, path: &Path, said: &str, text: &str) -> Option<&'static dyn Frontend> {
        let ending = path.extension().and_then(|ending| ending.to_str());
        let ending = ending.unwrap_or("").to_ascii_lowercase();
        let mut all = self.server.languages.iter().copied();
        let by_name = all.find(|language| language.endings().contains(&&*ending));
        let mut all = self.server.languages.iter().copied();
        let by_name = by_name.or_else(|| all.find(|language| language.language() == said));
        by_name.or_else(|| (self.server.by_text)(text))
    }

    /// One more edit was taken.
    pub fn take_edit(&mut self) {
        self.n_taken += 1;
    }

    /// Reads a document if it is stale.
    pub fn settle(&mut self, uri: &Uri) -> Result<(), Modified> {
        let Some(document) = self.documents.get(&uri.0) else {
            return Ok(());
        };
        if !document.is_stale {
            return Ok(());
        }
        let Some(language) = document.language else {
            let document = self.documents.get_mut(&uri.0).expect("it is open");
            document.is_stale = false;
            return Ok(());
        };
        let interrupted = self.interrupts.reading;
        interrupted.store(false, Ordering::SeqCst);
        if self.interrupts.n_received.load(Ordering::SeqCst) != self.n_taken {
            interrupted.store(true, Ordering::SeqCst);
        }
        let clock = Clock::of(None).interrupted_by(interrupted);
        let read = reading::read(&Wanted {
            path: &document.path,
            language,
            open: &self.open,
            clock,
            stack_bytes: self.stack_bytes,
            unit: self.unit(),
            shows_related: self.shows_related(),
        });
        if clock.is_over() {
            return Err(Modified);
        }
        let document = self.documents.get_mut(&uri.0).expect("it is open");
        document.is_stale = false;
        match read {
            Ok(read) => {
                if let Some(understood) = &read.understood {
                    document.understood = Some(Arc::clone(understood));
                }
                document.reading = Some(read);
            }
            Err(panicked) => self.report(&panicked),
        }
        self.publish();
        Ok(())
    }

    /// Does something that nobody waits for; whether there was something to do.
    pub fn idle(&mut self) -> bool {
        let stale = self.documents().find(|document| document.is_stale);
        if let Some(uri) = stale.map(|document| document.uri.clone()) {
            // If an edit came, it is taken first.
            return self.settle(&uri).is_ok();
        }
        self.sought.is_none() && !self.wishes.no_symmetry && self.seek()
    }

    /// Looks for the symmetry of a document of which it is not known; whether there is one.
    fn seek(&mut self) -> bool {
        let is_wanted = |document: &&mut Document| {
            let is_right = document
                .reading
                .as_ref()
                .is_some_and(|reading| !reading.has_errors);
            is_right && document.symmetry == SymmetryState::Unknown
        };
        let Some(document) = self.documents.values_mut().find(is_wanted) else {
            return false;
        };
        let Some(language) = document.language else {
            document.symmetry = SymmetryState::NotFound;
            return true;
        };
        document.symmetry = SymmetryState::Sought;
        let flag = self.interrupts.symmetry;
        flag.store(false, Ordering::SeqCst);
        let wanted = symmetry::Wanted {
            path: document.path.clone(),
            language,
            open: self.open.clone(),
            clock: Clock::of(Some(SYMMETRY_TIME_MAX)).interrupted_by(flag),
            stack_bytes: self.stack_bytes,
        };
        let (uri, generation) = (document.uri.clone(), document.generation);
        let queue = self.queue.clone();
        let seek = move || {
            let found = symmetry::find(&wanted);
            let sought = SoughtSymmetry {
                uri,
                generation,
                found,
            };
            // The server may have ended.
            let _ = queue.send(Event::Symmetry(sought));
        };
        let builder = std::thread::Builder::new().stack_size(self.stack_bytes);
        let uri = document.uri.clone();
        if builder.spawn(seek).is_ok() {
            self.sought = Some(uri);
        } else {
            document.symmetry = SymmetryState::NotFound;
        }
        true
    }

    /// Takes in what came of looking for symmetry.
    pub fn sought(&mut self, sought: SoughtSymmetry) {
        self.sought = None;
        if let Err(panicked) = &sought.found {
            self.report(panicked);
        }
        let found = sought.found.ok().flatten();
        let is_current = |document: &&mut Document| document.generation == sought.generation;
        let Some(document) = self.document_mut(&sought.uri).filter(is_current) else {
            return;
        };
        document.symmetry = match found {
            Some(found) => SymmetryState::Found(found),
            None => SymmetryState::NotFound,
        };
        self.refresh();
        self.publish();
    }

    /// Whether the messages of a document are those of whoever includes it: it does not look like
    /// a model of its own.
    fn is_part(&self, document: &Document) -> bool {
        let ending = document.path.extension().and_then(|ending| ending.to_str());
        let ending = ending.unwrap_or("").to_ascii_lowercase();
        let mut languages = self.server.languages.iter();
        let is_model = languages.any(|language| language.endings().contains(&&*ending));
        let reads = |other: &Document| {
            let reading = other.reading.as_ref();
            reading.is_some_and(|reading| reading.files.contains(&document.path))
        };
        !is_model
            && self
                .documents()
                .any(|other| other.path != document.path && reads(other))
    }

    /// Tells the client what is wrong, where that has changed.
    pub fn publish(&mut self) {
        let mut now: BTreeMap<String, Vec<Diagnostic>> = BTreeMap::new();
        for document in self.documents() {
            now.entry(document.uri.0.clone()).or_default();
            if self.is_part(document) {
                continue;
            }
            let told = document
                .reading
                .iter()
                .flat_map(|reading| reading.told.iter().cloned());
            let blockers = self.blockers(document);
            let all = told.chain(blockers).chain(document.runs.iter().cloned());
            for ToldMessage { path, diagnostic } in all {
                let at = self.uri_of(&path).0;
                let list = now.entry(at).or_default();
                if !list.contains(&diagnostic) {
                    list.push(diagnostic);
                }
            }
        }
        let gone = self.published.keys().filter(|uri| !now.contains_key(*uri));
        let gone: Vec<String> = gone.cloned().collect();
        for uri in gone {
            now.insert(uri, Vec::new());
        }
        for (uri, diagnostics) in &now {
            if self.published.get(uri) == Some(diagnostics) {
                continue;
            }
            let uri = Uri(uri.clone());
            let params = PublishDiagnosticsParams {
                version: self.document(&uri).map(|document| document.version),
                uri,
                diagnostics: diagnostics.clone(),
            };
            self.notify("textDocument/publishDiagnostics", params);
        }
        now.retain(|uri, list| !list.is_empty() || self.documents.contains_key(uri));
        self.published = now;
    }

    fn uri_of(&self, path: &Path) -> Uri {
        let open = self.by_path(path).map(|document| document.uri.clone());
        open.unwrap_or_else(|| uri::of_path(path))
    }

    /// The commands that can be executed.
    pub fn commands() -> Vec<String> {
        vec![CHECK.to_owned(), crate::lenses::STOP.to_owned()]
    }

    /// Ends all that is under way.
    pub fn end(&mut self) {
        self.interrupts.symmetry.store(true, Ordering::SeqCst);
        for begun in self.checks.drain(..) {
            begun.process.kill();
        }
    }
}
