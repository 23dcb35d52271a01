//! What is told of steps as machine code.

use model::frontend::{Shape, Subject};
use report::Summary;
use report::object::Native;

/// Tells what became of compiling the steps of what was searched. Where machine code was to be
/// compared with the interpreter, a reader is told whether it was.
pub fn tell(subject: &dyn Subject, summary: &mut Summary) {
    let Shape::Processes(machine) = subject.shape() else {
        return;
    };
    let Some(compilation) = machine.compilation() else {
        return;
    };
    let compared = machine.compares();
    let reason = compilation.n_steps.as_ref().err();
    let reason = reason.map(|why| why.reason.clone());
    if compared {
        summary.notes.push(match &reason {
            None => "every move was made by machine code and by the interpreter: they agree".into(),
            Some(why) => format!("no machine code was compared with the interpreter: {why}"),
        });
    }
    let n_steps = compilation.n_steps.unwrap_or(0);
    summary.native = Some(Native {
        steps: n_steps as u64,
        compared: compared && reason.is_none(),
        time_s: compilation.time.as_secs_f64(),
        reason,
    });
}
