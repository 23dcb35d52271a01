//! Commands that are programs of their own.

use crate::answer::Exit;
use crate::output;
use base::{Diagnostic, Diagnostics, Sources};
use std::ffi::OsString;
use std::process::Command;

/// The program that measures.
const BENCH: &str = "orbit-bench";

/// Starts `orbit-bench`, if it is installed beside this program; how it ended.
pub fn bench(words: &[OsString], json: bool) -> Exit {
    let beside = std::env::current_exe();
    let beside = beside.map(|path| path.with_file_name(BENCH));
    let found = beside.ok().filter(|path| path.is_file());
    let status = found.and_then(|path| {
        let mut command = Command::new(path);
        command.args(json.then_some("--json")).args(words);
        command.status().ok()
    });
    let Some(status) = status else {
        let message = "`orbit bench` is a program of its own, `orbit-bench`, which is not here";
        let advice = "in a checkout: `cargo run --release -p bench -- --help`";
        let mut found = Diagnostics::new();
        found.push(Diagnostic::unlocated(message).note(advice));
        return output::show(None, json, &Sources::new(), found);
    };
    let mut exits = [Exit::Holds, Exit::Violated, Exit::Input, Exit::Unknown].into_iter();
    let exit = exits.find(|exit| status.code() == Some(i32::from(exit.code())));
    exit.unwrap_or(Exit::Bug)
}
