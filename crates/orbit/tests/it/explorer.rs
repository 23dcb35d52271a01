//! `orbit serve`: what it answers, and to whom; and the page in a real browser.

mod browser;
mod hostile;
mod http;
mod pages;
mod stepping;

use http::{Answer, Client};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// An explorer that runs, and ends with its value.
pub struct Explorer {
    child: Child,
    /// What it printed when it began.
    pub told: Value,
    /// Its port.
    pub port: u16,
    /// The token of its address.
    pub token: String,
}

impl Explorer {
    /// `orbit serve --json` with these words, on a port that is free.
    pub fn new(words: &[&str]) -> Explorer {
        let mut child = Command::new(env!("CARGO_BIN_EXE_orbit"))
            .args(["serve", "--json"])
            .args(words)
            .current_dir(crate::command::guide())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary starts");
        let out = child.stdout.take().expect("a pipe");
        let mut line = String::new();
        BufReader::new(out).read_line(&mut line).expect("a line");
        let told = crate::command::object("serve", &line).expect("an object of the schema");
        let address = told["address"].as_str().expect("an address").to_owned();
        let rest = address
            .strip_prefix("http://127.0.0.1:")
            .expect("a loopback address");
        let (port, token) = rest.split_once("/?token=").expect("a token");
        Explorer {
            child,
            port: port.parse().expect("a port"),
            token: token.to_owned(),
            told,
        }
    }

    /// Where the page is.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/?token={}", self.port, self.token)
    }

    /// The answer to a request of the page.
    pub fn ask(&self, method: &str, path: &str, body: &str) -> Answer {
        let token = format!("X-Orbit-Token: {}", self.token);
        Client::new(self.port).ask(method, path, &[&token], body)
    }

    /// The object that is the answer to a request of the page.
    pub fn get(&self, path: &str) -> Value {
        let answer = self.ask("GET", path, "");
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        answer.object()
    }

    /// The end of a job that is begun like this.
    pub fn job(&self, path: &str, body: &str) -> Value {
        let begun = self.ask("POST", path, body);
        assert_eq!(begun.status, 200, "{path}: {}", begun.body);
        self.ended(&begun.object()["job"])
    }

    /// A job, when it has ended.
    pub fn ended(&self, number: &Value) -> Value {
        let patience = Instant::now() + Duration::from_secs(120);
        loop {
            let job = self.get(&format!("/api/job/{number}"));
            if job["state"] != "running" {
                return job;
            }
            assert!(Instant::now() < patience, "{job}");
            std::thread::sleep(Duration::from_millis(30));
        }
    }
}

impl Drop for Explorer {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn it_says_where_it_is_and_ends_when_it_is_interrupted() {
    let mut explorer = Explorer::new(&["mutex.pml"]);
    assert_eq!(explorer.told["model"]["language"], "promela");
    assert_eq!(explorer.token.len(), 32);
    let pid = explorer.child.id().to_string();
    let sent = Command::new("sh")
        .args(["-c", "kill -INT $0", &pid])
        .status();
    assert!(sent.is_ok_and(|sent| sent.success()));
    let ended = explorer.child.wait().expect("it ends");
    assert_eq!(ended.code(), Some(0));
}

#[test]
fn what_cannot_be_served_is_refused() {
    let refused = |line: &str| {
        let (code, _, err) = crate::command::run(line, b"");
        assert_eq!(code, 2, "{line}: {err}");
        err
    };
    assert!(refused("serve").contains("no model"));
    assert!(refused("serve -").contains("needs a file"));
    assert!(refused("serve nothing.pml").contains("no such file"));
    assert!(refused("serve mutex.pml --time soon").contains("--time"));
    assert!(refused("serve mutex.pml --set-size S=3").contains("--set-size"));
    let explorer = Explorer::new(&["mutex.pml"]);
    let line = format!("serve mutex.pml --port {}", explorer.port);
    assert!(refused(&line).contains("cannot be used"));
}
