//! `orbit serve`: the explorer in a browser.

use crate::answer::Exit;
use crate::plan::ServePlan;
use crate::{interrupt, output, page_cmd, watchdog};
use base::{Diagnostic, Sources};
use report::object::{Served, VERSION};
use serde_json::{Value, json};
use serve::{Explorer, Failure};
use std::process::{Command, Stdio};

/// Serves until it is interrupted. What it says, it says when it begins.
pub fn run(plan: ServePlan, json: bool, sources: &Sources) -> Result<Exit, Diagnostic> {
    // It is stepped through as long as the process lives.
    let model: &'static dyn model::frontend::Model = Box::leak(plan.model);
    let told = driver::conduct::told(model);
    let program = std::env::current_exe()
        .map_err(|why| Diagnostic::unlocated(format!("this program cannot be found: {why}")))?;
    let questions = plan
        .checked
        .iter()
        .flat_map(|model| model.questions().to_vec());
    let questions = questions.map(|asked| json!({ "name": asked.name, "kind": asked.kind }));
    let as_value = serde_json::to_value(&told).unwrap_or(Value::Null);
    let explorer = Explorer {
        model,
        questions: questions.collect(),
        sources: page_cmd::texts(sources, Some(&as_value)),
        told: as_value,
        program,
        words: plan.words,
        limits: plan.limits,
        process: plan.process,
        formulas: plan.formulas,
        stack_bytes: watchdog::stack_bytes(),
        port: plan.port,
        interrupted: interrupt::watch(),
    };
    let mut said = Ok(());
    let mut ready = |address: &str| {
        said = say(told.clone(), address, json);
        if plan.open {
            open(address);
        }
    };
    let served = serve::run(explorer, &mut ready);
    said.and(served.map_err(diagnostic)).map(|()| Exit::Holds)
}

/// Says where it is.
fn say(model: report::Model, address: &str, json: bool) -> Result<(), Diagnostic> {
    if json {
        let served = Served {
            orbit: VERSION.to_owned(),
            model,
            address: address.to_owned(),
            diagnostics: Vec::new(),
        };
        let text = serde_json::to_string(&served).expect("an object of plain data");
        return output::say(&format!("{text}\n"));
    }
    let path = &model.path;
    output::say(&format!("{path} is at {address}\nCtrl-C ends this.\n"))
}

/// Opens an address in the browser of this machine; if there is none, nothing happens: the address
/// was printed.
fn open(address: &str) {
    let (program, words): (_, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/C", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let begun = Command::new(program)
        .args(words)
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if begun.is_err() {
        output::complain(&format!(
            "`{program}` cannot be started: open the address yourself\n"
        ));
    }
}

fn diagnostic(failure: Failure) -> Diagnostic {
    match failure {
        Failure::Model(why) => *why,
        Failure::Address(port, why) => {
            Diagnostic::unlocated(format!("port {port} cannot be used: {why}"))
                .note("leave out `--port`, and any free port is taken")
        }
        Failure::Machine(why) => Diagnostic::unlocated(format!("nothing can be served: {why}")),
        Failure::NoRandomness => {
            Diagnostic::unlocated("nothing can be served: this machine gives no random numbers")
        }
    }
}
