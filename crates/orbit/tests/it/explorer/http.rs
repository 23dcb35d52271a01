//! Requests as tests send them, right and wrong ones.

use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// Who asks.
pub struct Client {
    port: u16,
}

/// What comes back.
pub struct Answer {
    /// The number of the first line; 0 if the connection was closed without an answer.
    pub status: u16,
    /// The head, in lower case.
    pub head: String,
    /// The body.
    pub body: String,
}

impl Answer {
    /// The body as an object.
    pub fn object(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|why| panic!("{why}: {}", self.body))
    }
}

impl Client {
    /// Asks a server of this machine.
    pub fn new(port: u16) -> Client {
        Client { port }
    }

    /// A connection that does nothing yet.
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        let patience = Some(Duration::from_secs(60));
        stream.set_read_timeout(patience).expect("a time-out");
        stream
    }

    /// A request for this server, with these fields of its head besides.
    pub fn ask(&self, method: &str, path: &str, fields: &[&str], body: &str) -> Answer {
        let host = format!("Host: 127.0.0.1:{}", self.port);
        let fields: Vec<&str> = std::iter::once(&*host)
            .chain(fields.iter().copied())
            .collect();
        self.send(method, path, &fields, body)
    }

    /// A request with these fields of its head and no others but the length of the body.
    pub fn send(&self, method: &str, path: &str, fields: &[&str], body: &str) -> Answer {
        let mut head = format!("{method} {path} HTTP/1.1\r\n");
        for field in fields {
            head.push_str(field);
            head.push_str("\r\n");
        }
        let length = body.len();
        head.push_str(&format!(
            "Connection: close\r\nContent-Length: {length}\r\n\r\n"
        ));
        self.exchange(&[head.as_bytes(), body.as_bytes()])
    }

    /// What comes back for these bytes.
    pub fn exchange(&self, bytes: &[&[u8]]) -> Answer {
        let mut stream = self.connect();
        for part in bytes {
            // A server that has read enough answers and closes before the end.
            if stream.write_all(part).is_err() {
                break;
            }
        }
        let mut answer = Vec::new();
        let mut buffer = [0; 1 << 16];
        while let Ok(n) = stream.read(&mut buffer) {
            answer.extend_from_slice(&buffer[..n]);
            if n == 0 || is_whole(&answer) {
                break;
            }
        }
        read(&answer)
    }
}

/// Whether all of an answer is there, by the length that its head says.
fn is_whole(answer: &[u8]) -> bool {
    let Some(end) = answer.windows(4).position(|four| four == b"\r\n\r\n") else {
        return false;
    };
    let head = String::from_utf8_lossy(&answer[..end]).to_lowercase();
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length:"));
    let length = length.and_then(|length| length.trim().parse().ok());
    length.is_some_and(|length: usize| answer.len() - end - 4 >= length)
}

fn read(answer: &[u8]) -> Answer {
    let text = String::from_utf8_lossy(answer).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok());
    Answer {
        status: status.unwrap_or(0),
        head: head.to_lowercase(),
        body: body.to_owned(),
    }
}
