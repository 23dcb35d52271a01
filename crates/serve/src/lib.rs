//! The explorer: a model in the browser, behind a server on this machine.
//!
//! [`run`] listens on a loopback address and answers with the page of crate `page`, and with what
//! that page asks for: states and their moves ([`session`]), and checks ([`jobs`]).
//!
//! **Who may ask.** A page of another origin can send requests to this machine, and a name of
//! another site can be made to lead to it. So a request has to name this server as its host, must
//! not come from another origin, and has to show a token of 128 random bits, which stands only in
//! the address that `orbit serve` prints ([`guard`]). Nothing is read from disk for a request:
//! what is shown of files was read with the model. Heads, bodies, connections, states and checks
//! under way are bounded.
//!
//! **Checks are processes.** A check is the command that a user would type, with `--json`: it has
//! the same answer, limits of its own, can be stopped by a signal and then still says what it
//! knows, and cannot take the explorer down with it.

pub mod child;

mod guard;
mod jobs;
mod routes;
mod seen;
mod server;
mod session;

pub use server::{Failure, run};

use model::frontend::Model;
use page::SourceText;
use serde_json::Value;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// What is explored, and how.
pub struct Explorer {
    /// The model, as runs are shown; it lives as long as the process.
    pub model: &'static dyn Model,
    /// The same, as all commands tell it.
    pub told: Value,
    /// What can be asked of it: objects with `name` and `kind`.
    pub questions: Vec<Value>,
    /// The texts that it is made of.
    pub sources: Vec<SourceText>,
    /// The program that checks.
    pub program: PathBuf,
    /// What is typed to name the model, its file last.
    pub words: Vec<OsString>,
    /// What is typed to limit a check.
    pub limits: Vec<OsString>,
    /// The process of a script that is stepped through, if one was named.
    pub process: Option<String>,
    /// Whether formulas can be asked.
    pub formulas: bool,
    /// How deep a stack the model may need.
    pub stack_bytes: usize,
    /// Where to listen; any free port if it is 0.
    pub port: u16,
    /// Set when the server has to stop.
    pub interrupted: &'static AtomicBool,
}
