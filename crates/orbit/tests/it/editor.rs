//! `orbit lsp`: a client that follows a script, over memory and over the streams of the binary.

mod checks;
mod columns;
mod edits;
mod faults;
mod messages;
mod names;
mod neovim;
mod protocol;

use lsp::{Ended, Server};
use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use model::frontend::Frontend;
use orbit::OfProcesses;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The languages of the binary.
const LANGUAGES: [&dyn Frontend; 4] = [
    &OfProcesses(&promela::frontend::Promela),
    &OfProcesses(&promela::lite::PromelaLite),
    &bmachine::frontend::B,
    &cspm::frontend::Cspm,
];

/// A text of Promela-Lite.
const LITE: &str = "chan a = [1] of {pid};
int n = 0;
proctype p(pid x) {
do
:: atomic { n == 0 && nfull(a) -> a!x; n = n + 1 }
od
}
init { atomic { run p(1) } }
";

static NEVER: AtomicBool = AtomicBool::new(false);

/// How long an answer may take before the test gives up.
const PATIENCE: Duration = Duration::from_secs(120);

/// A client, and the server that it talks to.
struct Client {
    connection: Connection,
    server: Option<JoinHandle<Ended>>,
    n_asked: i32,
    /// The messages of each document, as they were published last.
    told: BTreeMap<String, Vec<Value>>,
    /// What was shown to the user.
    shown: Vec<String>,
}

impl Client {
    /// A client that has said nothing.
    fn silent() -> Client {
        Client::reading(LANGUAGES.to_vec())
    }

    /// The same, of a server with these languages.
    fn reading(languages: Vec<&'static dyn Frontend>) -> Client {
        let (ours, theirs) = Connection::memory();
        let server = std::thread::spawn(move || {
            let server = Server {
                languages,
                by_text: |_| None,
                program: PathBuf::from(env!("CARGO_BIN_EXE_orbit")),
                stack_bytes: 64 << 20,
                interrupted: &NEVER,
            };
            lsp::run(&theirs, server)
        });
        Client {
            connection: ours,
            server: Some(server),
            n_asked: 0,
            told: BTreeMap::new(),
            shown: Vec::new(),
        }
    }

    /// A client that wants no symmetry, so that nothing happens in the background.
    fn new() -> Client {
        Client::with(json!({ "symmetry": false }), json!({}))
    }

    fn with(options: Value, general: Value) -> Client {
        let mut client = Client::silent();
        let related = json!({ "relatedInformation": true });
        let params = json!({
            "processId": null,
            "rootUri": null,
            "initializationOptions": options,
            "capabilities": {
                "general": general,
                "textDocument": { "publishDiagnostics": related },
                "workspace": { "codeLens": { "refreshSupport": true } },
            },
        });
        client.ask("initialize", params).expect("it begins");
        client.tell("initialized", json!({}));
        client
    }

    fn send(&self, message: Message) {
        self.connection.sender.send(message).expect("it listens");
    }

    fn tell(&self, method: &str, params: Value) {
        self.send(Notification::new(method.to_owned(), params).into());
    }

    /// Sends a request; its number.
    fn begin(&mut self, method: &str, params: Value) -> RequestId {
        self.n_asked += 1;
        let id = RequestId::from(self.n_asked);
        self.send(Request::new(id.clone(), method.to_owned(), params).into());
        id
    }

    /// The next message, noted if nobody waits for it; nothing, if none comes for so long.
    fn take(&mut self, time_max: Duration) -> Option<Response> {
        match self.connection.receiver.recv_timeout(time_max).ok()? {
            Message::Response(response) => return Some(response),
            Message::Request(_) => {}
            Message::Notification(told) => match told.method.as_str() {
                "textDocument/publishDiagnostics" => {
                    let uri = told.params["uri"].as_str().expect("an address").to_owned();
                    let all = told.params["diagnostics"].as_array().expect("a list");
                    self.told.insert(uri, all.clone());
                }
                "window/showMessage" => {
                    let words = told.params["message"].as_str().expect("words");
                    self.shown.push(words.to_owned());
                }
                other => panic!("{other} is not expected"),
            },
        }
        None
    }

    /// The answer to a request, or the number of the error.
    fn answer(&mut self, id: &RequestId) -> Result<Value, i32> {
        let begun = Instant::now();
        loop {
            assert!(begun.elapsed() < PATIENCE, "{id} has no answer");
            let Some(response) = self.take(PATIENCE) else {
                continue;
            };
            assert_eq!(response.id, *id, "answers come in order");
            return response.response_result.map_err(|error| error.code);
        }
    }

    fn ask(&mut self, method: &str, params: Value) -> Result<Value, i32> {
        let id = self.begin(method, params);
        self.answer(&id)
    }

    fn open(&mut self, path: &Path, text: &str) -> String {
        let uri = format!("file://{}", path.display());
        let document = json!({ "uri": uri, "languageId": "", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
        uri
    }

    fn close(&mut self, uri: &str) {
        self.tell(
            "textDocument/didClose",
            json!({ "textDocument": { "uri": uri } }),
        );
    }

    /// Gives a document another text.
    fn rewrite(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "version": 2 });
        let changes = json!([{ "text": text }]);
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.tell("textDocument/didChange", params);
    }

    /// Asks something of a document as a whole. Its messages have been published then.
    fn of(&mut self, uri: &str, method: &str) -> Value {
        let params = json!({ "textDocument": { "uri": uri } });
        let answer = self.ask(&format!("textDocument/{method}"), params);
        answer.unwrap_or_else(|code| panic!("{method}: {code}"))
    }

    /// Asks something of a place: line and column, from 0.
    fn at(&mut self, uri: &str, method: &str, [line, character]: [u64; 2]) -> Value {
        let params = json!({
            "textDocument": { "uri": uri },
            "position": { "line": line, "character": character },
            "context": { "includeDeclaration": true, "triggerKind": 1 },
        });
        let answer = self.ask(&format!("textDocument/{method}"), params);
        answer.unwrap_or_else(|code| panic!("{method}: {code}"))
    }

    /// The messages of a document.
    fn messages(&mut self, uri: &str) -> Vec<Value> {
        self.of(uri, "documentSymbol");
        self.told.get(uri).cloned().unwrap_or_default()
    }

    /// Ends the server as the protocol wants it.
    fn end(mut self) -> Ended {
        self.ask("shutdown", Value::Null).expect("it is shut down");
        self.tell("exit", Value::Null);
        let server = self.server.take().expect("it runs");
        server.join().expect("it does not panic")
    }
}

/// The texts of all models of ours, and with `corpus` those of others.
fn models(corpus: bool) -> Vec<(PathBuf, String)> {
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut folders = vec![ours.canonicalize().expect("the models are there")];
    if corpus {
        folders.extend(
            ["promela", "b", "cspm"]
                .into_iter()
                .filter_map(crate::counts::corpus),
        );
    }
    let mut all = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let ending = path
                .extension()
                .and_then(|ending| ending.to_str())
                .unwrap_or("");
            let is_model = LANGUAGES
                .iter()
                .any(|language| language.endings().contains(&ending));
            let text = std::fs::read_to_string(&path).ok();
            all.extend(text.filter(|_| is_model).map(|text| (path, text)));
        }
    }
    all.sort();
    let named = all
        .into_iter()
        .map(|(path, text)| (driver::open::plain(&path), text));
    let all: Vec<(PathBuf, String)> = named.collect();
    assert!(all.len() > 300, "{} models", all.len());
    all
}

/// The characters that a range of the protocol covers, counted in UTF-16.
fn covered(text: &str, range: &Value) -> String {
    let line = |end: &str| range[end]["line"].as_u64().expect("a line") as usize;
    let column = |end: &str| range[end]["character"].as_u64().expect("a column") as usize;
    assert_eq!(line("start"), line("end"), "names do not reach over lines");
    let row = rows(text).swap_remove(line("start"));
    let units: Vec<u16> = row.encode_utf16().collect();
    String::from_utf16_lossy(&units[column("start")..column("end")])
}

/// The lines of a text as the protocol counts them.
fn rows(text: &str) -> Vec<String> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    text.split('\n').map(str::to_owned).collect()
}
