//! Who may say what when.

use super::Client;
use lsp::Ended;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};

const NOT_INITIALIZED: i32 = -32002;
const INVALID_REQUEST: i32 = -32600;
const INVALID_PARAMS: i32 = -32602;
const METHOD_NOT_FOUND: i32 = -32601;
const CANCELLED: i32 = -32800;

#[test]
fn nothing_is_answered_before_it_begins_or_after_it_ended() {
    let mut client = Client::silent();
    assert_eq!(
        client.ask("textDocument/hover", json!({})),
        Err(NOT_INITIALIZED)
    );
    assert_eq!(client.ask("shutdown", Value::Null), Err(NOT_INITIALIZED));
    client.tell("textDocument/didOpen", json!({ "nonsense": 1 }));
    client
        .ask("initialize", json!({ "capabilities": {} }))
        .expect("it begins");
    assert_eq!(client.ask("initialize", json!({})), Err(INVALID_REQUEST));
    assert_eq!(
        client.ask("orbit/nothing", json!({})),
        Err(METHOD_NOT_FOUND)
    );
    assert_eq!(
        client.ask("textDocument/hover", json!({})),
        Err(INVALID_PARAMS)
    );
    let unknown = json!({ "command": "orbit.nothing" });
    assert_eq!(
        client.ask("workspace/executeCommand", unknown),
        Err(INVALID_PARAMS)
    );
    client.tell("textDocument/didChange", json!([1, 2]));
    client.tell("orbit/nothing", json!({}));
    client
        .ask("shutdown", Value::Null)
        .expect("it is shut down");
    assert_eq!(
        client.ask("textDocument/hover", json!({})),
        Err(INVALID_REQUEST)
    );
    client.tell("exit", Value::Null);
    let ended = client.server.take().expect("it runs").join();
    assert_eq!(ended.expect("no panic"), Ended::InOrder);
}

#[test]
fn whoever_goes_away_without_a_word_is_told_apart() {
    let client = Client::new();
    assert_eq!(client.end(), Ended::InOrder);
    let mut client = Client::new();
    client.tell("exit", Value::Null);
    let ended = client.server.take().expect("it runs").join();
    assert_eq!(ended.expect("no panic"), Ended::Abruptly);
    let mut client = Client::new();
    let server = client.server.take().expect("it runs");
    drop(client);
    assert_eq!(server.join().expect("no panic"), Ended::Abruptly);
}

#[test]
fn a_cancelled_request_is_answered() {
    let mut client = Client::new();
    // What is asked first takes a while, so that the other still waits when it is cancelled.
    let rows: String = (0..4000).map(|n| format!("byte x{n};\n")).collect();
    let text = format!("{rows}active proctype P() {{ x0 = 1 }}\n");
    let uri = client.open(std::path::Path::new("/orbit/slow.pml"), &text);
    let asked = json!({ "textDocument": { "uri": uri } });
    let first = client.begin("textDocument/documentSymbol", asked.clone());
    let second = client.begin("textDocument/documentSymbol", asked);
    client.tell("$/cancelRequest", json!({ "id": 3 }));
    assert_eq!(second, 3.into());
    assert!(client.answer(&first).is_ok());
    assert_eq!(client.answer(&second), Err(CANCELLED));
    assert_eq!(client.end(), Ended::InOrder);
}

#[test]
fn requests_of_documents_that_are_not_open_have_no_answer() {
    let mut client = Client::new();
    for method in ["documentSymbol", "semanticTokens/full", "codeLens"] {
        assert_eq!(
            client.of("file:///orbit/none.pml", method),
            Value::Null,
            "{method}"
        );
    }
    for method in [
        "definition",
        "hover",
        "completion",
        "references",
        "documentHighlight",
    ] {
        assert_eq!(
            client.at("file:///orbit/none.pml", method, [0, 0]),
            Value::Null,
            "{method}"
        );
    }
}

/// The binary, and what is said to it.
struct Streams(Child);

impl Streams {
    fn begin() -> Streams {
        let child = Command::new(env!("CARGO_BIN_EXE_orbit"))
            .args(["lsp", "--stdio"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        Streams(child.expect("it starts"))
    }

    fn say(&mut self, message: &Value) {
        let text = message.to_string();
        let input = self.0.stdin.as_mut().expect("it listens");
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("it listens");
    }

    /// Lets it end by itself: its exit code, and all that it said.
    fn end(mut self) -> (Option<i32>, String) {
        drop(self.0.stdin.take());
        let mut said = String::new();
        let out = self.0.stdout.as_mut().expect("it speaks");
        out.read_to_string(&mut said).expect("it is text");
        let code = self.0.wait().expect("it ends").code();
        (code, said)
    }
}

#[test]
fn the_binary_speaks_over_its_streams() {
    let mut streams = Streams::begin();
    let initialize = json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "capabilities": {} },
    });
    streams.say(&initialize);
    let uri = "file:///orbit/m.pml";
    let text = "active proctype P() { assert(y) }\n";
    let document = json!({ "uri": uri, "languageId": "promela", "version": 1, "text": text });
    streams.say(&json!({
        "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": document },
    }));
    streams.say(&json!({
        "jsonrpc": "2.0", "id": 2, "method": "textDocument/documentSymbol",
        "params": { "textDocument": { "uri": uri } },
    }));
    streams.say(&json!({ "jsonrpc": "2.0", "id": "end", "method": "shutdown" }));
    streams.say(&json!({ "jsonrpc": "2.0", "method": "exit" }));
    let (code, said) = streams.end();
    assert_eq!(code, Some(0), "{said}");
    for part in [
        "\"hoverProvider\":true",
        "`y` is not declared",
        "\"name\":\"P\"",
        "\"id\":\"end\"",
    ] {
        assert!(said.contains(part), "{part} is missing from {said}");
    }
}

#[test]
fn the_binary_says_by_its_code_how_it_ended() {
    let streams = Streams::begin();
    assert_eq!(streams.end().0, Some(1), "the client went away");
    let mut streams = Streams::begin();
    streams.say(&json!({ "jsonrpc": "2.0", "method": "exit" }));
    assert_eq!(streams.end().0, Some(1), "it was not shut down");
    let mut streams = Streams::begin();
    let input = streams.0.stdin.as_mut().expect("it listens");
    input
        .write_all(b"Content-Length: 5\r\n\r\nhello")
        .expect("it listens");
    assert_eq!(streams.end().0, Some(1), "that is no message");
    let (code, _, err) = crate::command::run("lsp --json", b"");
    assert_eq!(code, 2);
    assert!(err.contains("do not go together"), "{err}");
}
