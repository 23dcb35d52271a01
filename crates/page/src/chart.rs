//! Message-sequence charts: a run with a lane for each process, time downwards.
//!
//! A step is a mark on the lane of who takes it. A message is an arrow from the step that sends it
//! to the step that receives it; where a channel hands messages over, both are one row and the
//! arrow is level. An event of CSP in which several components take part is a level line through
//! their lanes. A loop has a bracket on the left.
//!
//! **Which receive gets which send.** A receive gets the oldest message on its channel that was
//! sent in this run, is still there and has its content; so it is right for channels whose
//! messages are sorted, or taken out of the middle, too. What is received and was not sent in the
//! run comes from a circle; what is sent and never received ends in one.
//!
//! A step that is made of several statements (`d_step`) does not say what it sends and receives.
//! There the contents of channels before and after it tell ([`contents`]).
//!
//! ```text
//!      P(1)         P(2)
//!       |            |
//!       ■ c!1        |          row 1
//!       |  \         |
//!       ■ x++ \      |          row 2
//!       |      `---->■ c?y      row 3
//! ```

mod arrange;
mod contents;
mod draw;

use serde::Deserialize;
use serde_json::{Map, Value};

/// What a chart shows of a run, as it stands in the objects that programs get.
#[derive(Deserialize)]
struct ChartedRun {
    steps: Vec<ChartedStep>,
    #[serde(default)]
    loop_from: Option<usize>,
}

#[derive(Deserialize)]
struct ChartedStep {
    #[serde(default)]
    by: Option<String>,
    #[serde(default)]
    process: Option<u32>,
    step: String,
    #[serde(default)]
    parts: Vec<ChartedPart>,
    #[serde(default)]
    message: Option<ChartedMessage>,
    #[serde(default)]
    changes: Map<String, Value>,
}

#[derive(Deserialize)]
struct ChartedPart {
    component: String,
}

#[derive(Clone, Deserialize)]
struct ChartedMessage {
    transfer: String,
    channel: String,
    #[serde(default)]
    content: Option<String>,
    #[serde(default)]
    rendezvous: bool,
    #[serde(default)]
    stays: bool,
}

/// The chart of a run, as SVG; nothing if `run` is no run, or has no steps.
pub fn of(run: &Value) -> Option<String> {
    let run = ChartedRun::deserialize(run).ok()?;
    if run.steps.len() < 2 {
        return None;
    }
    Some(draw::svg(&arrange::arrange(&run)))
}

#[cfg(test)]
mod tests;
