//! `orbit lsp`: a language server over standard input and output.

use crate::answer::Exit;
use crate::{interrupt, languages, output, plan, watchdog};
use lsp::{Ended, Server};
use lsp_server::Connection;

/// The stack on which texts are read, where that of the command is not known.
const STACK_BYTES: usize = 32 << 20;

/// Serves until the client goes away.
pub fn run(json: bool) -> Exit {
    if json {
        let words = "error: `--json` and `orbit lsp` do not go together: it speaks a protocol\n";
        output::complain(words);
        return Exit::Input;
    }
    let program = match std::env::current_exe() {
        Ok(program) => program,
        Err(why) => {
            output::complain(&format!("error: this program cannot be found: {why}\n"));
            return Exit::Input;
        }
    };
    let server = Server {
        languages: languages::all().collect(),
        by_text: plan::guessed_language,
        program,
        stack_bytes: match watchdog::stack_bytes() {
            0 => STACK_BYTES,
            bytes => bytes,
        },
        interrupted: interrupt::watch(),
    };
    // Its threads end with the process: one that reads waits for a client that may never speak.
    let (connection, threads) = Connection::stdio();
    let ended = lsp::run(&connection, server);
    drop(connection);
    if ended == Ended::InOrder {
        // What was said last is on its way; if it cannot be written, nobody listens.
        let _ = threads.join();
    }
    match ended {
        Ended::InOrder => Exit::Holds,
        Ended::Abruptly => Exit::Violated,
    }
}
