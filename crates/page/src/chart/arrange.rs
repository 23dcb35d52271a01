//! Which lanes, rows and arrows a chart has.

use super::contents::Contents;
use super::{ChartedMessage, ChartedRun, ChartedStep};
use std::collections::HashMap;

/// A chart, before it has places.
pub struct Chart {
    /// The names of the lanes, from left to right.
    pub lanes: Vec<String>,
    /// The rows, downwards.
    pub rows: Vec<Row>,
    /// The messages.
    pub arrows: Vec<Arrow>,
    /// The rows with which a loop begins and ends.
    pub repeated: Option<(usize, usize)>,
    /// How many steps are left out in the middle.
    pub n_left_out: usize,
}

/// What happens at one time.
pub struct Row {
    /// The steps of the run, by number; none where steps were left out.
    pub steps: Vec<usize>,
    /// The lanes of those who take part.
    pub lanes: Vec<usize>,
    /// What they do, by lane: the first is written beside the first lane.
    pub texts: Vec<String>,
}

/// A message on its way.
pub struct Arrow {
    /// Row and lane where it is sent, if that is in the run.
    pub from: Option<(usize, usize)>,
    /// Row and lane where it is received, if that is.
    pub to: Option<(usize, usize)>,
    /// What it is.
    pub text: String,
    /// Whether it stays where it was, and is only looked at.
    pub stays: bool,
}

/// More steps than these are not drawn: some at the beginning, some at the end.
pub const STEPS_MAX: usize = 600;
/// Lanes behind these are drawn as one.
pub const LANES_MAX: usize = 40;
/// What the lane is called of all that have none of their own.
const OTHERS: &str = "others";

/// A message that was sent and not received yet.
struct Pending {
    arrow: usize,
    content: Option<String>,
}

/// Lanes, rows and arrows.
pub fn arrange(run: &ChartedRun) -> Chart {
    let mut chart = Chart {
        lanes: lanes(run),
        rows: Vec::new(),
        arrows: Vec::new(),
        repeated: None,
        n_left_out: 0,
    };
    let numbers: HashMap<String, usize> = (chart.lanes.iter().cloned()).zip(0..).collect();
    let last = chart.lanes.len().saturating_sub(1);
    let lane = |name: &str| numbers.get(name).copied().unwrap_or(last);
    let mut under_way = UnderWay::default();
    let mut contents = Contents::default();
    contents.after(&run.steps[0]);
    let mut row_of = vec![0; run.steps.len() + 1];
    let shown = Shown::of(run.steps.len() - 1);
    for (n, step) in run.steps.iter().enumerate().skip(1) {
        let messages = contents.after(step);
        if shown.is_left_out(n) {
            if chart.n_left_out == 0 {
                chart.rows.push(gap());
            }
            chart.n_left_out += 1;
            row_of[n] = chart.rows.len() - 1;
            continue;
        }
        if joins(&chart, step, run.steps.get(n - 1)) && !shown.is_left_out(n - 1) {
            let row = chart.rows.len() - 1;
            row_of[n] = row;
            join(&mut chart, (n, step), lane(&actor(step)));
            under_way.take(&messages, &mut chart, (row, lane(&actor(step))));
            continue;
        }
        let row = chart.rows.len();
        row_of[n] = row;
        chart.rows.push(row_of_step(n, step, &lane));
        under_way.take(&messages, &mut chart, (row, lane(&actor(step))));
    }
    if let Some(from) = run.loop_from
        && from < run.steps.len()
        && !chart.rows.is_empty()
    {
        let from = from.max(1);
        chart.repeated = Some((row_of[from], chart.rows.len() - 1));
    }
    chart
}

/// Which steps are drawn.
struct Shown {
    n: usize,
}

impl Shown {
    fn of(n: usize) -> Shown {
        Shown { n }
    }

    fn is_left_out(&self, step: usize) -> bool {
        self.n > STEPS_MAX && step > STEPS_MAX / 2 && step <= self.n - STEPS_MAX / 2
    }
}

/// A row in the place of steps that are not drawn.
fn gap() -> Row {
    Row {
        steps: Vec::new(),
        lanes: Vec::new(),
        texts: Vec::new(),
    }
}

/// Who takes a step.
fn actor(step: &ChartedStep) -> String {
    let part = step.parts.first().map(|part| &part.component);
    step.by.as_ref().or(part).cloned().unwrap_or_default()
}

/// All that take part, in the order of their processes where these have numbers, else as they come.
fn lanes(run: &ChartedRun) -> Vec<String> {
    let mut lanes: Vec<(u32, String)> = Vec::new();
    let mut add = |number: u32, name: &str| {
        if !lanes.iter().any(|(_, lane)| lane == name) {
            lanes.push((number, name.to_owned()));
        }
    };
    for step in run.steps.iter().skip(1) {
        for part in &step.parts {
            add(u32::MAX, &part.component);
        }
        if step.parts.is_empty() {
            add(step.process.unwrap_or(u32::MAX), &actor(step));
        }
    }
    lanes.sort_by_key(|(number, _)| *number);
    let mut lanes: Vec<String> = lanes.into_iter().map(|(_, name)| name).collect();
    if lanes.len() > LANES_MAX {
        lanes.truncate(LANES_MAX - 1);
        lanes.push(OTHERS.to_owned());
    }
    lanes
}

fn row_of_step(n: usize, step: &ChartedStep, lane: &impl Fn(&str) -> usize) -> Row {
    let mut lanes: Vec<usize> = match &step.parts[..] {
        [] => vec![lane(&actor(step))],
        parts => parts.iter().map(|part| lane(&part.component)).collect(),
    };
    lanes.sort_unstable();
    lanes.dedup();
    Row {
        steps: vec![n],
        lanes,
        texts: vec![step.step.clone()],
    }
}

/// Whether the step is the receiving half of the rendezvous whose sending half is the last row.
fn joins(chart: &Chart, step: &ChartedStep, before: Option<&ChartedStep>) -> bool {
    let half = |step: &ChartedStep, way: &str| match &step.message {
        Some(message) if message.rendezvous && message.transfer == way => {
            Some(message.channel.clone())
        }
        _ => None,
    };
    let Some(sent) = before.and_then(|before| half(before, "send")) else {
        return false;
    };
    !chart.rows.is_empty() && half(step, "receive") == Some(sent)
}

fn join(chart: &mut Chart, (n, step): (usize, &ChartedStep), lane: usize) {
    if let Some(row) = chart.rows.last_mut() {
        row.steps.push(n);
        row.lanes.push(lane);
        row.texts.push(step.step.clone());
    }
}

/// The messages that were sent and not received yet, by channel.
#[derive(Default)]
struct UnderWay(HashMap<String, Vec<Pending>>);

impl UnderWay {
    /// Messages come and go at a place, a row and a lane.
    fn take(&mut self, messages: &[ChartedMessage], chart: &mut Chart, place: (usize, usize)) {
        for message in messages {
            let pending = self.0.entry(message.channel.clone()).or_default();
            if message.transfer == "send" {
                pending.push(Pending {
                    arrow: chart.arrows.len(),
                    content: message.content.clone(),
                });
                chart.arrows.push(Arrow {
                    from: Some(place),
                    to: None,
                    text: words(message),
                    stays: false,
                });
            } else {
                receive(pending, message, chart, place);
            }
        }
    }
}

/// The oldest message that fits arrives.
fn receive(
    pending: &mut Vec<Pending>,
    message: &ChartedMessage,
    chart: &mut Chart,
    place: (usize, usize),
) {
    let fits = |one: &Pending| match (&one.content, &message.content) {
        (Some(sent), Some(received)) => sent == received,
        _ => true,
    };
    let arrow = match pending.iter().position(fits) {
        Some(at) if message.stays => {
            let sent = chart.arrows[pending[at].arrow].from;
            chart.arrows.push(looked_at(message, sent));
            chart.arrows.len() - 1
        }
        Some(at) => pending.remove(at).arrow,
        None => {
            chart.arrows.push(looked_at(message, None));
            chart.arrows.len() - 1
        }
    };
    chart.arrows[arrow].to = Some(place);
}

/// A message that was sent there, if that is known.
fn looked_at(message: &ChartedMessage, from: Option<(usize, usize)>) -> Arrow {
    Arrow {
        from,
        to: None,
        text: words(message),
        stays: message.stays,
    }
}

fn words(message: &ChartedMessage) -> String {
    let content = message.content.as_deref().unwrap_or("");
    format!("{}: {content}", message.channel)
}
