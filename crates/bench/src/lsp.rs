//! The suite `lsp`: how long `orbit lsp` takes to answer about texts of 2,000 lines.
//!
//! The program `orbit` beside this one is started and spoken to over its streams, as an editor
//! does it. Before each request one character of the text is changed, so that the text is read
//! anew: what is measured is the time from an edit to the answer, by the clock on the wall. The
//! remark has the longest answer and the number of lines.

use super::Bench;
use super::clock::Pace;
use super::record::RunOutcome;
use lsp_server::{Message, Notification, Request};
use serde_json::{Value, json};
use std::io::{BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// The name of the suite.
pub const SUITE: &str = "lsp";

/// How many lines the texts have, about.
const N_LINES: usize = 2000;

/// A long text.
struct LongText {
    /// How its file is called.
    file: &'static str,
    text: String,
    /// A place with a name: line and column.
    name: [usize; 2],
}

impl LongText {
    /// A text, and the first of these names behind its middle.
    fn new(file: &'static str, text: String, name: &str) -> LongText {
        let middle = text.len() / 2;
        let at = text[middle..].find(name).map_or(0, |at| middle + at);
        let line = text[..at].matches('\n').count();
        let column = at - text[..at].rfind('\n').map_or(0, |end| end + 1);
        LongText {
            file,
            text,
            name: [line, column],
        }
    }
}

const REQUESTS: [&str; 7] = [
    "documentSymbol",
    "definition",
    "references",
    "hover",
    "completion",
    "semanticTokens/full",
    "codeLens",
];

/// Measures every case that was asked for.
pub fn run(bench: &mut Bench) {
    for long in [promela(), b(), cspm()] {
        for request in REQUESTS {
            let case = format!("{} {request}", long.file);
            if bench.wants(SUITE, &case) {
                let outcome = measured(&long, request, bench.seconds).unwrap_or_else(failed);
                bench.add(SUITE, &case, "orbit", outcome);
            }
        }
    }
}

fn failed(why: std::io::Error) -> RunOutcome {
    RunOutcome::Failed(why.to_string())
}

/// The time of one request after an edit, repeated for so many seconds.
fn measured(long: &LongText, request: &str, seconds: f64) -> std::io::Result<RunOutcome> {
    let mut client = Client::begin()?;
    let uri = format!("file:///orbit/{}", long.file);
    client.open(&uri, &long.text)?;
    let method = format!("textDocument/{request}");
    let params = json!({
        "textDocument": { "uri": uri },
        "position": { "line": long.name[0], "character": long.name[1] },
        "context": { "includeDeclaration": true, "triggerKind": 1 },
    });
    client.ask(&method, params.clone())?;
    let (mut n, mut whole, mut longest) = (0_u32, Duration::ZERO, Duration::ZERO);
    while n == 0 || whole.as_secs_f64() < seconds {
        client.edit(&uri, n.is_multiple_of(2))?;
        let begun = Instant::now();
        let answer = client.ask(&method, params.clone())?;
        let taken = begun.elapsed();
        if answer.is_null() {
            return Err(std::io::Error::other("there is no answer"));
        }
        (n, whole, longest) = (n + 1, whole + taken, longest.max(taken));
    }
    client.end()?;
    let n_lines = long.text.lines().count();
    let longest = longest.as_secs_f64() * 1e3;
    Ok(RunOutcome::Measured {
        pace: Pace {
            times: u64::from(n),
            // Both programs wait for each other: the clock on the wall says more.
            cpu_seconds: whole.as_secs_f64(),
        },
        remark: format!("at most {longest:.1} ms, {n_lines} lines"),
        agrees: None,
    })
}

/// A client of the program.
struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    n_asked: i32,
}

impl Client {
    fn begin() -> std::io::Result<Client> {
        let program = std::env::current_exe()?.with_file_name("orbit");
        let mut child = Command::new(program)
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let missing = || std::io::Error::other("it has no streams");
        let input = child.stdin.take().ok_or_else(missing)?;
        let output = BufReader::new(child.stdout.take().ok_or_else(missing)?);
        let mut client = Client {
            child,
            input,
            output,
            n_asked: 0,
        };
        let options = json!({ "symmetry": false });
        let params = json!({ "capabilities": {}, "initializationOptions": options });
        client.ask("initialize", params)?;
        Ok(client)
    }

    fn send(&mut self, message: &Message) -> std::io::Result<()> {
        message.write(&mut self.input)?;
        self.input.flush()
    }

    fn tell(&mut self, method: &str, params: Value) -> std::io::Result<()> {
        let told = Notification::new(method.to_owned(), params);
        self.send(&told.into())
    }

    fn ask(&mut self, method: &str, params: Value) -> std::io::Result<Value> {
        self.n_asked += 1;
        let request = Request::new(self.n_asked.into(), method.to_owned(), params);
        self.send(&request.into())?;
        loop {
            match Message::read(&mut self.output)? {
                Some(Message::Response(response)) => {
                    let answer = response.response_result;
                    return answer.map_err(|error| std::io::Error::other(error.message));
                }
                Some(_) => {}
                None => return Err(std::io::Error::other("it went away")),
            }
        }
    }

    fn open(&mut self, uri: &str, text: &str) -> std::io::Result<()> {
        let document = json!({ "uri": uri, "languageId": "", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }))
    }

    /// Puts a blank before the text, or takes it away.
    fn edit(&mut self, uri: &str, puts: bool) -> std::io::Result<()> {
        let end = u32::from(!puts);
        let range = json!({
            "start": { "line": 0, "character": 0 },
            "end": { "line": 0, "character": end },
        });
        let changes = json!([{ "range": range, "text": if puts { " " } else { "" } }]);
        let document = json!({ "uri": uri, "version": 2 });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.tell("textDocument/didChange", params)
    }

    fn end(mut self) -> std::io::Result<()> {
        self.ask("shutdown", Value::Null)?;
        self.tell("exit", Value::Null)?;
        drop(self.input);
        self.child.wait().map(|_| ())
    }
}

fn promela() -> LongText {
    let mut text = String::from("byte shared;\nchan link = [2] of { byte };\n");
    for n in 0..N_LINES / 10 {
        text.push_str(&format!(
            "proctype worker{n}(byte id) {{\n\tbyte own;\n\tdo\n\t:: link ? own ->\n\t\tif\n\
             \t\t:: own == id -> shared = own + 1\n\t\t:: else -> assert(shared < 200)\n\
             \t\tfi\n\tod\n}}\n"
        ));
    }
    text.push_str("init { run worker0(1) }\n");
    LongText::new("long.pml", text, "shared")
}

fn b() -> LongText {
    let mut text = String::from(
        "MACHINE long\nSETS Name; Code\nVARIABLES db, used\nINVARIANT\n\
         \tdb : Name +-> Code & used <: Code\nINITIALISATION db := {} || used := {}\nOPERATIONS\n",
    );
    let n_all = N_LINES / 7;
    for n in 0..n_all {
        let end = if n + 1 < n_all { ";" } else { "" };
        text.push_str(&format!(
            "\top{n}(nn, cc) =\n\t\tPRE nn : Name & cc : Code - used &\n\
             \t\t\t!xx.(xx : dom(db) => db(xx) /= cc)\n\t\tTHEN\n\
             \t\t\tdb(nn) := cc || used := used \\/ {{cc}}\n\t\tEND{end}\n\n"
        ));
    }
    text.push_str("END\n");
    LongText::new("long.mch", text, "used")
}

fn cspm() -> LongText {
    let mut text = String::from("channel enter, leave : {0..9}\n");
    for n in 0..N_LINES / 4 {
        text.push_str(&format!(
            "P{n}(i) =\n  let next = (i + {n}) % 10\n\
             \x20 within enter!i -> leave?j:{{0..9}} -> (if j == i then P{n}(next) else SKIP)\n\n"
        ));
    }
    text.push_str("assert P0(0) :[deadlock free]\n");
    LongText::new("long.csp", text, "enter")
}
