//! The protocol: who may say what when, and who answers it.
//!
//! One thread takes messages as they come: it knows of cancelled requests and of edits before they
//! are dealt with. Another has the documents ([`Session`]), and deals with one event after the
//! other, on a stack as large as that of the command.

use crate::reading::{Panicked, guarded};
use crate::session::{ClientWishes, Event, Interrupts, Modified, Session};
use crate::show::legend;
use crate::text::ColumnUnit;
use gen_lsp_types::{
    CodeLensOptions, CodeLensParams, CompletionOptions, CompletionParams, DefinitionParams,
    DidChangeTextDocumentParams, DidChangeWatchedFilesParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DidSaveTextDocumentParams, DocumentHighlightParams,
    DocumentSymbolParams, ExecuteCommandOptions, ExecuteCommandParams, Full, HoverParams,
    PositionEncodingKind, ReferenceParams, SemanticTokensOptions, SemanticTokensParams,
    ServerCapabilities, TextDocumentSyncKind, TextDocumentSyncOptions, Uri,
};
use lsp_server::{
    Connection, ErrorCode, Message, Notification, Request, RequestId, Response, ResponseError,
};
use model::frontend::Frontend;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// What serves.
pub struct Server {
    /// The languages that are known.
    pub languages: Vec<&'static dyn Frontend>,
    /// The language of a text of which nothing else says it.
    pub by_text: fn(&str) -> Option<&'static dyn Frontend>,
    /// The program that checks.
    pub program: PathBuf,
    /// How large the stack is on which texts are read.
    pub stack_bytes: usize,
    /// Set when the server is to end.
    pub interrupted: &'static AtomicBool,
}

/// How a server has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// As the protocol wants it: it was shut down before.
    InOrder,
    /// The client went away, or asked to exit without shutting down.
    Abruptly,
}

/// How often it is looked whether the server is to end.
const TICK: Duration = Duration::from_millis(100);

/// Where a client stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// `initialize` is to come.
    New,
    /// All may be asked.
    Running,
    /// `exit` is to come.
    ShutDown,
}

/// Requests that were cancelled before they were answered.
#[derive(Clone, Default)]
struct Cancelled(Arc<Mutex<HashSet<RequestId>>>);

impl Cancelled {
    fn all(&self) -> MutexGuard<'_, HashSet<RequestId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Serves a client until it goes away.
pub fn run(connection: &Connection, server: Server) -> Ended {
    let server = Arc::new(server);
    let mut client = Client {
        connection,
        server,
        phase: Phase::New,
        cancelled: Cancelled::default(),
        interrupts: Arc::new(Interrupts::new()),
        session: None,
    };
    let ended = client.serve();
    if let Some(session) = client.session.take() {
        // It has ended by itself if this cannot be sent.
        let _ = session.queue.send(Event::End);
        if ended == Ended::Abruptly {
            client.interrupts.edit();
        }
        let _ = session.thread.join();
    }
    ended
}

/// The thread that has the documents.
struct SessionThread {
    queue: Sender<Event>,
    thread: thread::JoinHandle<()>,
}

struct Client<'a> {
    connection: &'a Connection,
    server: Arc<Server>,
    phase: Phase,
    cancelled: Cancelled,
    interrupts: Arc<Interrupts>,
    session: Option<SessionThread>,
}

impl Client<'_> {
    fn serve(&mut self) -> Ended {
        loop {
            if self.server.interrupted.load(Ordering::Relaxed) {
                return Ended::Abruptly;
            }
            let message = match self.connection.receiver.recv_timeout(TICK) {
                Ok(message) => message,
                Err(why) if why.is_timeout() => continue,
                Err(_) => return Ended::Abruptly,
            };
            match message {
                Message::Request(request) => self.request(request),
                Message::Notification(notification) if notification.method == "exit" => {
                    return match self.phase {
                        Phase::ShutDown => Ended::InOrder,
                        _ => Ended::Abruptly,
                    };
                }
                Message::Notification(notification) => self.notification(notification),
                // We ask for nothing that needs an answer.
                Message::Response(_) => {}
            }
        }
    }

    fn answer(&self, response: Response) {
        // The client may have gone away.
        let _ = self.connection.sender.send(response.into());
    }

    fn refuse(&self, id: RequestId, code: ErrorCode, words: &str) {
        self.answer(Response::new_err(id, code as i32, words.to_owned()));
    }

    fn request(&mut self, request: Request) {
        match (self.phase, request.method.as_str()) {
            (Phase::New, "initialize") => self.initialize(request),
            (Phase::New, _) => {
                let words = "`initialize` has to come first";
                self.refuse(request.id, ErrorCode::ServerNotInitialized, words);
            }
            (Phase::ShutDown, _) => {
                let words = "the server was shut down";
                self.refuse(request.id, ErrorCode::InvalidRequest, words);
            }
            (Phase::Running, "initialize") => {
                let words = "`initialize` came before";
                self.refuse(request.id, ErrorCode::InvalidRequest, words);
            }
            (Phase::Running, "shutdown") => {
                self.phase = Phase::ShutDown;
                // It is answered after what was asked before.
                self.pass(request.into());
            }
            (Phase::Running, _) => self.pass(request.into()),
        }
    }

    fn notification(&mut self, notification: Notification) {
        if self.phase != Phase::Running {
            return;
        }
        if notification.method == "$/cancelRequest" {
            let id = notification.params.get("id").cloned().unwrap_or_default();
            if let Ok(id) = serde_json::from_value::<RequestId>(id) {
                self.cancelled.all().insert(id);
            }
            return;
        }
        if is_edit(&notification.method) {
            self.interrupts.edit();
        }
        self.pass(notification.into());
    }

    fn pass(&self, message: Message) {
        if let Some(session) = &self.session {
            // It ends after us.
            let _ = session.queue.send(Event::Message(message));
        }
    }

    fn initialize(&mut self, request: Request) {
        let wishes = wishes(&request.params);
        let result = json!({
            "capabilities": capabilities(wishes.unit),
            "serverInfo": { "name": "orbit", "version": env!("CARGO_PKG_VERSION") },
        });
        let (queue, events) = channel();
        let sender = self.connection.sender.clone();
        let session = Session::new(
            Arc::clone(&self.server),
            wishes,
            // The client may have gone away.
            Box::new(move |message| drop(sender.send(message))),
            queue.clone(),
            Arc::clone(&self.interrupts),
        );
        let cancelled = self.cancelled.clone();
        let builder = thread::Builder::new().stack_size(self.server.stack_bytes);
        let thread = builder.spawn(move || attend(session, &events, &cancelled));
        let Ok(thread) = thread else {
            let words = "no thread can be started";
            return self.refuse(request.id, ErrorCode::InternalError, words);
        };
        self.session = Some(SessionThread { queue, thread });
        self.phase = Phase::Running;
        self.answer(Response::new_ok(request.id, result));
    }
}

/// Whether a message changes what documents say.
fn is_edit(method: &str) -> bool {
    matches!(
        method,
        "textDocument/didOpen" | "textDocument/didChange" | "textDocument/didClose"
    )
}

/// What the client says of itself.
fn wishes(params: &Value) -> ClientWishes {
    let flag = |path: &str| {
        params
            .pointer(path)
            .and_then(Value::as_bool)
            .unwrap_or(false)
    };
    let encodings = params.pointer("/capabilities/general/positionEncodings");
    let mut encodings = encodings.and_then(Value::as_array).into_iter().flatten();
    let flags = params.pointer("/initializationOptions/checkFlags");
    let flags = flags.and_then(Value::as_array).into_iter().flatten();
    let symmetry = params.pointer("/initializationOptions/symmetry");
    ClientWishes {
        no_symmetry: symmetry == Some(&Value::Bool(false)),
        unit: if encodings.any(|encoding| encoding == "utf-8") {
            ColumnUnit::Utf8
        } else {
            ColumnUnit::Utf16
        },
        shows_related: flag("/capabilities/textDocument/publishDiagnostics/relatedInformation"),
        refreshes_lenses: flag("/capabilities/workspace/codeLens/refreshSupport"),
        check_flags: flags.filter_map(Value::as_str).map(str::to_owned).collect(),
    }
}

fn capabilities(unit: ColumnUnit) -> ServerCapabilities {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::Incremental),
        save: Some(true.into()),
        ..TextDocumentSyncOptions::default()
    };
    let tokens = SemanticTokensOptions {
        legend: legend(),
        full: Some(Full::Bool(true)),
        ..SemanticTokensOptions::default()
    };
    ServerCapabilities {
        position_encoding: Some(match unit {
            ColumnUnit::Utf8 => PositionEncodingKind::UTF8,
            ColumnUnit::Utf16 => PositionEncodingKind::UTF16,
        }),
        text_document_sync: Some(sync.into()),
        completion_provider: Some(CompletionOptions::default()),
        hover_provider: Some(true.into()),
        definition_provider: Some(true.into()),
        references_provider: Some(true.into()),
        document_highlight_provider: Some(true.into()),
        document_symbol_provider: Some(true.into()),
        code_lens_provider: Some(CodeLensOptions::default()),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: Session::commands(),
            ..ExecuteCommandOptions::default()
        }),
        semantic_tokens_provider: Some(tokens.into()),
        ..ServerCapabilities::default()
    }
}

/// Deals with one event after the other, and reads what is stale where none waits.
fn attend(mut session: Session, events: &Receiver<Event>, cancelled: &Cancelled) {
    loop {
        let event = match events.try_recv() {
            Ok(event) => event,
            Err(TryRecvError::Empty) => {
                // What was cancelled too late was answered.
                cancelled.all().clear();
                match guarded(|| session.idle()) {
                    Ok(true) => continue,
                    Ok(false) => {}
                    Err(panicked) => session.report(&panicked),
                }
                match events.recv() {
                    Ok(event) => event,
                    Err(_) => break,
                }
            }
            Err(TryRecvError::Disconnected) => break,
        };
        if matches!(event, Event::End) {
            break;
        }
        if let Err(panicked) = guarded(|| deal(&mut session, event, cancelled)) {
            session.report(&panicked);
        }
    }
    session.end();
}

fn deal(session: &mut Session, event: Event, cancelled: &Cancelled) {
    match event {
        Event::End | Event::Message(Message::Response(_)) => {}
        Event::Symmetry(sought) => session.sought(sought),
        Event::Checked(checked) => session.checked(checked),
        Event::Message(Message::Request(request)) => {
            let is_cancelled = cancelled.all().remove(&request.id);
            answer(session, request, is_cancelled);
        }
        Event::Message(Message::Notification(told)) => {
            if is_edit(&told.method) {
                session.take_edit();
            }
            take(session, told);
        }
    }
}

fn answer(session: &mut Session, request: Request, is_cancelled: bool) {
    let id = request.id.clone();
    let refused = |code: ErrorCode, words: &str| {
        let (code, message) = (code as i32, words.to_owned());
        let data = None;
        Err(ResponseError {
            code,
            message,
            data,
        })
    };
    let answered = if is_cancelled {
        Ok(refused(
            ErrorCode::RequestCanceled,
            "the request was cancelled",
        ))
    } else {
        guarded(|| asked(session, request))
    };
    let response_result = answered.unwrap_or_else(|Panicked(words)| {
        let words = format!(
            "this is a bug in orbit, not in your text: {words}. Please send us the text, and \
             these words"
        );
        refused(ErrorCode::InternalError, &words)
    });
    session.send(
        Response {
            id,
            response_result,
        }
        .into(),
    );
}

type Answered = Result<Value, ResponseError>;

/// What is asked, as this type; or that it makes no sense.
fn params<P: DeserializeOwned>(request: Request) -> Result<P, ResponseError> {
    serde_json::from_value(request.params).map_err(|why| ResponseError {
        code: ErrorCode::InvalidParams as i32,
        message: format!("{}: {why}", request.method),
        data: None,
    })
}

fn value(answer: impl Serialize) -> Answered {
    Ok(serde_json::to_value(answer).unwrap_or(Value::Null))
}

fn settled(session: &mut Session, uri: &Uri) -> Result<(), ResponseError> {
    session.settle(uri).map_err(|Modified| ResponseError {
        code: ErrorCode::ContentModified as i32,
        message: "the content was modified".to_owned(),
        data: None,
    })
}

fn asked(session: &mut Session, request: Request) -> Answered {
    match request.method.as_str() {
        "textDocument/definition" => {
            let asked: DefinitionParams = params(request)?;
            let at = asked.text_document_position_params;
            settled(session, &at.text_document.uri)?;
            value(session.definition(&at.text_document.uri, at.position))
        }
        "textDocument/references" => {
            let asked: ReferenceParams = params(request)?;
            let at = asked.text_document_position_params;
            settled(session, &at.text_document.uri)?;
            let declaration = asked.context.include_declaration;
            value(session.references(&at.text_document.uri, at.position, declaration))
        }
        "textDocument/documentHighlight" => {
            let asked: DocumentHighlightParams = params(request)?;
            let at = asked.text_document_position_params;
            settled(session, &at.text_document.uri)?;
            value(session.highlights(&at.text_document.uri, at.position))
        }
        "textDocument/hover" => {
            let asked: HoverParams = params(request)?;
            let at = asked.text_document_position_params;
            settled(session, &at.text_document.uri)?;
            value(session.hover(&at.text_document.uri, at.position))
        }
        "textDocument/completion" => {
            let asked: CompletionParams = params(request)?;
            let at = asked.text_document_position_params;
            settled(session, &at.text_document.uri)?;
            value(session.completions(&at.text_document.uri, at.position))
        }
        "textDocument/documentSymbol" => {
            let asked: DocumentSymbolParams = params(request)?;
            settled(session, &asked.text_document.uri)?;
            value(session.symbols(&asked.text_document.uri))
        }
        "textDocument/semanticTokens/full" => {
            let asked: SemanticTokensParams = params(request)?;
            settled(session, &asked.text_document.uri)?;
            value(session.tokens(&asked.text_document.uri))
        }
        "textDocument/codeLens" => {
            let asked: CodeLensParams = params(request)?;
            settled(session, &asked.text_document.uri)?;
            value(session.lenses(&asked.text_document.uri))
        }
        "workspace/executeCommand" => command(session, request),
        "shutdown" => Ok(Value::Null),
        other => Err(ResponseError {
            code: ErrorCode::MethodNotFound as i32,
            message: format!("there is no method {other}"),
            data: None,
        }),
    }
}

fn command(session: &mut Session, request: Request) -> Answered {
    let asked: ExecuteCommandParams = params(request)?;
    if session.execute(&asked) {
        return Ok(Value::Null);
    }
    Err(ResponseError {
        code: ErrorCode::InvalidParams as i32,
        message: format!("there is no command {}", asked.command),
        data: None,
    })
}

/// Takes in what the client says. What makes no sense is passed over, as the protocol wants it.
fn take(session: &mut Session, told: Notification) {
    fn params<P: DeserializeOwned>(told: Notification) -> Option<P> {
        serde_json::from_value(told.params).ok()
    }
    match told.method.as_str() {
        "textDocument/didOpen" => {
            let language = told.params.pointer("/textDocument/languageId");
            let language = language.and_then(Value::as_str).unwrap_or("").to_owned();
            if let Some(opened) = params::<DidOpenTextDocumentParams>(told) {
                let document = opened.text_document;
                session.opened(document.uri, &language, document.version, document.text);
            }
        }
        "textDocument/didChange" => {
            if let Some(edited) = params::<DidChangeTextDocumentParams>(told) {
                let document = edited.text_document;
                let uri = document.text_document_identifier.uri;
                session.edited(&uri, document.version, edited.content_changes);
            }
        }
        "textDocument/didClose" => {
            if let Some(closed) = params::<DidCloseTextDocumentParams>(told) {
                session.closed(&closed.text_document.uri);
            }
        }
        "textDocument/didSave" => {
            if let Some(saved) = params::<DidSaveTextDocumentParams>(told) {
                session.touched(&saved.text_document.uri);
            }
        }
        "workspace/didChangeWatchedFiles" => {
            if let Some(changed) = params::<DidChangeWatchedFilesParams>(told) {
                changed
                    .changes
                    .iter()
                    .for_each(|change| session.touched(&change.uri));
            }
        }
        _ => {}
    }
}
