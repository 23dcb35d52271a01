//! The suite `growth`: how states and times grow with the size of a model.
//!
//! Each model is searched at several sizes, every statement a step everywhere: ours with symmetry,
//! ours without, and SPIN's verifier without partial-order reduction, which stores the same states
//! as ours without symmetry. A line ends at the first size that takes longer than the limit. With
//! `--plots DIR` the lines are drawn ([`super::plot`]): states and seconds of the search by size.

use super::Bench;
use super::clock::pace;
use super::plot::{Plot, PlotLine, PlotPoint};
use super::promela::{ModelCase, check_plan, model};
use super::record::{Figures, RunOutcome};
use super::spin::{Spin, Variant};
use orbit::check_cmd;
use serde_json::Value;

/// The name of the suite.
pub const SUITE: &str = "growth";

/// A model at several sizes.
struct GrowingModel {
    name: &'static str,
    text: &'static str,
    /// Each size with the macros that set it.
    sizes: &'static [(u32, &'static [&'static str])],
}

macro_rules! sizes {
    ($($n:literal),*) => {
        &[$(($n, &[concat!("N=", stringify!($n))])),*]
    };
    ($($n:literal),*; $more:literal) => {
        &[$(($n, &[concat!("N=", stringify!($n)), $more])),*]
    };
}

const MODELS: [GrowingModel; 3] = [
    GrowingModel {
        name: "mutex",
        text: model!("mutex"),
        sizes: sizes![2, 4, 6, 8, 10, 12, 14, 16, 18, 20],
    },
    GrowingModel {
        name: "peterson_n",
        text: model!("peterson_n"),
        sizes: sizes![2, 3, 4, 5],
    },
    GrowingModel {
        name: "dining",
        text: model!("dining"),
        sizes: sizes![3, 4, 5, 6, 7, 8, 9; "BUTLER"],
    },
];

/// Who searches.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tool {
    Reduced,
    Unreduced,
    Spin,
}

const TOOLS: [(Tool, &str); 3] = [
    (Tool::Reduced, "orbit"),
    (Tool::Unreduced, "orbit none"),
    (Tool::Spin, "pan"),
];

/// How many states are assumed where that is not known.
const N_STATES: u64 = 10_000_000;

/// A model at a size.
#[derive(Clone, Copy)]
struct GrowthCase<'a> {
    model: &'a GrowingModel,
    /// If it is installed.
    spin: Option<&'a Spin>,
    size: u32,
    defines: &'static [&'static str],
}

/// What was measured at a size.
#[derive(Clone, Copy, PartialEq, Debug)]
struct GrowthPoint {
    size: u32,
    n_states: u64,
    seconds: f64,
}

/// The points of each tool, and whether its line has ended.
#[derive(Default)]
struct GrowthLine {
    points: Vec<GrowthPoint>,
    is_over: bool,
}

/// Measures every case that was asked for.
pub fn run(bench: &mut Bench) {
    let spin = Spin::find();
    for model in &MODELS {
        let mut lines = TOOLS.map(|_| GrowthLine::default());
        for (size, defines) in model.sizes {
            let case = format!("{} N={size}", model.name);
            if bench.wants(SUITE, &case) {
                let of = GrowthCase {
                    model,
                    spin: spin.as_ref(),
                    size: *size,
                    defines,
                };
                measure(bench, &of, &mut lines);
            }
        }
        draw(bench, model.name, &lines);
    }
}

/// Adds what is measured at a size to lines that have not ended.
fn measure(bench: &mut Bench, of: &GrowthCase<'_>, lines: &mut [GrowthLine; 3]) {
    let GrowthCase {
        model,
        spin,
        size,
        defines,
    } = *of;
    let case = format!("{} N={size}", model.name);
    let mut n_unreduced = None;
    for ((tool, name), line) in TOOLS.into_iter().zip(lines) {
        if line.is_over {
            continue;
        }
        let measured = match (tool, spin) {
            (Tool::Spin, None) => Err(RunOutcome::NotInstalled),
            (Tool::Spin, Some(spin)) => theirs(bench, spin, model, defines, n_unreduced),
            _ => ours(bench, model, defines, tool),
        };
        match measured {
            Ok((outcome, figures)) => {
                if tool == Tool::Unreduced {
                    n_unreduced = Some(figures.n_states);
                }
                let same = n_unreduced.map(|n| n == figures.n_states);
                let agrees = same.filter(|_| tool == Tool::Spin);
                line.points.push(GrowthPoint {
                    size,
                    n_states: figures.n_states,
                    seconds: outcome.each().unwrap_or(0.0),
                });
                bench.add_figures(SUITE, &case, name, outcome.agreeing(agrees), figures);
            }
            Err(outcome) => {
                line.is_over = true;
                bench.add(SUITE, &case, name, outcome);
            }
        }
    }
}

/// Our search of a model of a size.
fn ours(
    bench: &Bench,
    model: &GrowingModel,
    defines: &[&str],
    tool: Tool,
) -> Result<(RunOutcome, Figures), RunOutcome> {
    let file = bench.folder.write("model.pml", model.text);
    let file = file.map_err(|why| RunOutcome::Failed(why.to_string()))?;
    let mut words = vec![
        "--plain".to_owned(),
        "--threads=1".to_owned(),
        format!("--time={}s", bench.limit.as_secs_f64()),
    ];
    if tool == Tool::Unreduced {
        words.push("--no-symmetry".to_owned());
    }
    let plan = check_plan(&file, defines, &words).map_err(RunOutcome::Failed)?;
    let mut json = Value::Null;
    let search = pace(bench.seconds.min(0.2), |_| {
        json = check_cmd::run(&plan).map_or(Value::Null, |answer| Value::Object(answer.json));
    });
    let count = |key: &str| json["counts"][key].as_u64();
    match (
        json["stop_reason"].as_str(),
        count("states"),
        count("transitions"),
    ) {
        (Some("time" | "memory"), ..) => Err(RunOutcome::Limit(search.each())),
        (None, Some(n_states), Some(n_transitions)) => Ok((
            RunOutcome::of(search),
            Figures {
                n_states,
                n_transitions,
                bytes_per_state: json["memory"]["bytes_per_state"].as_f64(),
                shares: None,
            },
        )),
        (reason, ..) => {
            let why = reason.unwrap_or("the answer has no counts");
            Err(RunOutcome::Failed(why.to_owned()))
        }
    }
}

/// SPIN's search of the same. Its table has about a slot a state, and its stack a place: larger
/// ones would take longer to begin with.
fn theirs(
    bench: &Bench,
    spin: &Spin,
    model: &GrowingModel,
    defines: &'static [&'static str],
    n_states: Option<u64>,
) -> Result<(RunOutcome, Figures), RunOutcome> {
    let n_states = n_states.unwrap_or(N_STATES).clamp(10_000, N_STATES * 10);
    let case = ModelCase {
        name: model.name,
        text: model.text,
        defines,
        slots_log: n_states.ilog2() + 1,
        // A step within an atomic sequence takes a place, too.
        depth: 2 * n_states as u32,
    };
    let said = spin.measure(bench, &case, Variant::Plain)?;
    Ok((RunOutcome::of(said.search), said.figures))
}

/// Writes the plots of a model, if they are wanted.
fn draw(bench: &Bench, name: &str, lines: &[GrowthLine; 3]) {
    let Some(folder) = &bench.plots else {
        return;
    };
    if lines.iter().all(|line| line.points.is_empty()) {
        return;
    }
    let of = |value: &dyn Fn(&GrowthPoint) -> f64| {
        let all = TOOLS.iter().zip(lines);
        let lines = all.map(|((_, tool), line)| PlotLine {
            name: (*tool).to_owned(),
            points: line
                .points
                .iter()
                .map(|point| PlotPoint {
                    x: f64::from(point.size),
                    y: value(point),
                })
                .collect(),
        });
        lines.collect::<Vec<PlotLine>>()
    };
    let states = Plot {
        title: format!("{name}: states by number of processes"),
        x: "processes".to_owned(),
        y: "states".to_owned(),
        lines: of(&|point| point.n_states as f64),
    };
    let seconds = Plot {
        title: format!("{name}: seconds by number of processes"),
        x: "processes".to_owned(),
        y: "seconds".to_owned(),
        lines: of(&|point| point.seconds),
    };
    for (plot, what) in [(states, "states"), (seconds, "seconds")] {
        plot.write(&folder.join(format!("growth-{name}-{what}.svg")));
    }
}
