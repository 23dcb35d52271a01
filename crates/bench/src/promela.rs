//! The suite `promela`: `orbit check` beside SPIN, end to end and the search alone.
//!
//! Every model is checked under two sets of rules. *Plain*: every statement is a step, ours with
//! `--plain`, SPIN's with `-o1 -o2 -o3` and without partial-order reduction; both must count the
//! same states and transitions. *Default*: what a user gets who asks for nothing, ours beside
//! `spin -a` without partial-order reduction and, as another program, with it; counts differ, and
//! what must be equal is whether the model holds.
//!
//! End to end is the time from the text to the answer: ours reads, types, lowers and searches;
//! SPIN's writes C, compiles it and runs the result. Both are given in the table `promela`. The
//! table `search` has the last part alone: our search with its report, and `pan`.

use super::Bench;
use super::clock::{Pace, pace};
use super::record::{Figures, RunOutcome};
use super::spin::{PanRun, Spin, Variant};
use orbit::check_cmd;
use orbit::plan::{self, CheckPlan};
use serde_json::Value;
use std::path::Path;

/// The name of the suite, and of the table of whole runs.
pub const SUITE: &str = "promela";

/// Models that are measured together.
pub struct ModelSuite {
    /// Its name, and that of the table of whole runs.
    pub name: &'static str,
    /// The table of searches alone.
    pub search: &'static str,
    /// The models, each with the rules under which it is searched.
    pub cases: &'static [(ModelCase, &'static [UserRules])],
}

const BOTH: &[UserRules] = &[UserRules::Plain, UserRules::Default];

const OF_USERS: ModelSuite = ModelSuite {
    name: SUITE,
    search: "search",
    cases: &CASES,
};

/// A model with its size.
pub struct ModelCase {
    /// What it is called here.
    pub name: &'static str,
    pub text: &'static str,
    /// Macros that set its size.
    pub defines: &'static [&'static str],
    /// The logarithm to base 2 of the slots in pan's table: about one slot a state.
    pub slots_log: u32,
    /// The steps that pan's stack must hold.
    pub depth: u32,
}

macro_rules! model {
    ($name:literal) => {
        include_str!(concat!("../../../models/promela/", $name, ".pml"))
    };
}
pub(crate) use model;

/// From small to large, each with the logarithms of slots (base 2) and depth (base 10).
const CASES: [(ModelCase, &[UserRules]); 14] = [
    (
        case("leader N=3", model!("leader_cr"), &["N=3"], 11, 4),
        BOTH,
    ),
    (case("railway", model!("railway"), &[], 12, 4), BOTH),
    (case("mutex N=10", model!("mutex"), &["N=10"], 13, 4), BOTH),
    (case("email N=3", model!("email"), &["N=3"], 15, 5), BOTH),
    (
        case(
            "loadbalancer 2+3",
            model!("loadbalancer"),
            &["M=2", "N=3"],
            16,
            5,
        ),
        BOTH,
    ),
    (
        case(
            "allocator 4+4+4",
            model!("allocator"),
            &["L0=4", "L1=4", "L2=4"],
            17,
            6,
        ),
        BOTH,
    ),
    (case("mutex N=15", model!("mutex"), &["N=15"], 18, 6), BOTH),
    (
        case("peterson N=4", model!("peterson_n"), &["N=4"], 19, 6),
        BOTH,
    ),
    (
        case("leader N=5", model!("leader_cr"), &["N=5"], 20, 4),
        BOTH,
    ),
    (
        case(
            "three-tiered 4+4",
            model!("three_tiered"),
            &["A=4", "B=4", "C=0", "BUFFERED"],
            20,
            6,
        ),
        BOTH,
    ),
    (
        case(
            "allocator 6+6+4",
            model!("allocator"),
            &["L0=6", "L1=6", "L2=4"],
            21,
            7,
        ),
        BOTH,
    ),
    (
        case("dining N=9", model!("dining"), &["N=9", "LEFTY"], 22, 7),
        BOTH,
    ),
    (
        case("coherence N=8", model!("coherence"), &["N=8"], 23, 7),
        BOTH,
    ),
    (
        case("email N=4", model!("email"), &["N=4", "CAP=3"], 24, 7),
        BOTH,
    ),
];

pub const fn case(
    name: &'static str,
    text: &'static str,
    defines: &'static [&'static str],
    slots_log: u32,
    depth_log: u32,
) -> ModelCase {
    ModelCase {
        name,
        text,
        defines,
        slots_log,
        depth: 10_u32.pow(depth_log),
    }
}

/// What a user asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UserRules {
    /// Every statement is a step.
    Plain,
    /// What SPIN stores by default.
    Spin,
    /// Nothing.
    Default,
}

/// What we found, and in what time.
struct TimedResult {
    /// From the file to the model that can be run.
    load: Pace,
    /// From there to the answer.
    search: Pace,
    figures: Figures,
    holds: bool,
}

/// Measures every case that was asked for.
pub fn run(bench: &mut Bench) {
    OF_USERS.run(bench);
}

impl ModelSuite {
    /// Measures every case that was asked for.
    pub fn run(&self, bench: &mut Bench) {
        let spin = Spin::find();
        for (case, all_rules) in self.cases {
            for rules in *all_rules {
                let name = format!("{} {}", case.name, rules.word());
                if !bench.wants(self.name, &name) {
                    continue;
                }
                let ours = match bench.folder.write("model.pml", case.text) {
                    Ok(file) => ours(bench, &file, case.defines, *rules),
                    Err(why) => Err(RunOutcome::Failed(why.to_string())),
                };
                let is_over = matches!(&ours, Err(RunOutcome::Failed(why)) if why == INTERRUPTED);
                self.add_ours(bench, &name, &ours);
                if is_over {
                    return;
                }
                for variant in rules.variants() {
                    let outcome = spin.as_ref().map_or(Err(RunOutcome::NotInstalled), |spin| {
                        spin.measure(bench, case, *variant)
                    });
                    self.add_theirs(bench, &name, *variant, outcome, ours.as_ref().ok());
                }
            }
        }
    }

    fn add_ours(&self, bench: &mut Bench, name: &str, ours: &Result<TimedResult, RunOutcome>) {
        match ours {
            Ok(ours) => {
                let whole = RunOutcome::of(after(ours.load, ours.search));
                let search = RunOutcome::of(ours.search);
                bench.add_figures(self.name, name, "orbit", whole, ours.figures);
                bench.add_figures(self.search, name, "orbit", search, ours.figures);
            }
            Err(outcome) => {
                bench.add(self.name, name, "orbit", outcome.clone());
                bench.add(self.search, name, "orbit", outcome.clone());
            }
        }
    }

    fn add_theirs(
        &self,
        bench: &mut Bench,
        name: &str,
        variant: Variant,
        outcome: Result<PanRun, RunOutcome>,
        ours: Option<&TimedResult>,
    ) {
        let (whole_tool, search_tool) = variant.tools();
        match outcome {
            Ok(said) => {
                let agrees = ours.map(|ours| agree(variant, ours, &said));
                let whole = RunOutcome::of(after(said.compile, said.search)).agreeing(agrees);
                let search = RunOutcome::of(said.search).agreeing(agrees);
                bench.add_figures(self.name, name, whole_tool, whole, said.figures);
                bench.add_figures(self.search, name, search_tool, search, said.figures);
            }
            Err(outcome) => {
                bench.add(self.name, name, whole_tool, outcome.clone());
                bench.add(self.search, name, search_tool, outcome);
            }
        }
    }
}

impl UserRules {
    fn word(self) -> &'static str {
        match self {
            UserRules::Plain => "plain",
            UserRules::Spin => "spin's rules",
            UserRules::Default => "default",
        }
    }

    fn variants(self) -> &'static [Variant] {
        match self {
            UserRules::Plain => &[Variant::Plain],
            UserRules::Spin => &[Variant::Merged],
            UserRules::Default => &[Variant::Merged, Variant::Reduced],
        }
    }
}

/// Why a search that Ctrl-C stopped was not measured.
pub const INTERRUPTED: &str = "interrupted";

fn ours(
    bench: &Bench,
    file: &Path,
    defines: &[&str],
    rules: UserRules,
) -> Result<TimedResult, RunOutcome> {
    let limit = bench.limit.as_secs_f64();
    let plan_once = || plan_of(file, defines, rules, limit).map_err(RunOutcome::Failed);
    let plan = plan_once()?;
    let load = pace(bench.seconds, |_| {
        std::hint::black_box(plan_once().is_ok());
    });
    let mut json = Value::Null;
    let search = pace(bench.seconds, |_| {
        json = check_cmd::run(&plan).map_or(Value::Null, |answer| Value::Object(answer.json));
    });
    match json["stop_reason"].as_str() {
        None => {}
        Some("time") => return Err(RunOutcome::Limit(search.each())),
        Some(reason) => return Err(RunOutcome::Failed(reason.to_owned())),
    }
    let count = |key: &str| json["counts"][key].as_u64();
    let (Some(n_states), Some(n_transitions)) = (count("states"), count("transitions")) else {
        return Err(RunOutcome::Failed("the answer has no counts".to_owned()));
    };
    Ok(TimedResult {
        load,
        search,
        figures: Figures {
            n_states,
            n_transitions,
            bytes_per_state: json["memory"]["bytes_per_state"].as_f64(),
            shares: None,
        },
        holds: json["verdict"] == "holds",
    })
}

/// What `orbit check` would do with this file.
fn plan_of(
    file: &Path,
    defines: &[&str],
    rules: UserRules,
    limit: f64,
) -> Result<CheckPlan, String> {
    let mut words = vec!["--no-symmetry".to_owned(), format!("--time={limit}s")];
    // The rival has one thread, and so has what is measured here.
    words.push("--threads=1".to_owned());
    match rules {
        UserRules::Plain => words.push("--plain".to_owned()),
        UserRules::Spin => words.push("--spin-compat".to_owned()),
        UserRules::Default => {}
    }
    check_plan(file, defines, &words)
}

/// What `orbit check` would do with this file, these macros and these flags.
pub fn check_plan(file: &Path, defines: &[&str], more: &[String]) -> Result<CheckPlan, String> {
    let mut words: Vec<String> = defines.iter().map(|define| format!("-D{define}")).collect();
    words.extend_from_slice(more);
    words.push(file.display().to_string());
    plan::of_check(&words).map_err(|why| why.words())
}

/// The second with the first before it each time.
fn after(first: Pace, second: Pace) -> Pace {
    Pace {
        times: second.times,
        cpu_seconds: second.cpu_seconds + first.each() * second.times as f64,
    }
}

/// Whether both found the same: all counts where the rules are the same, else the verdict.
fn agree(variant: Variant, ours: &TimedResult, said: &PanRun) -> bool {
    let counts = |figures: &Figures| (figures.n_states, figures.n_transitions);
    let same_counts = counts(&ours.figures) == counts(&said.figures);
    ours.holds == said.holds && (same_counts || variant != Variant::Plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rival::Folder;

    #[test]
    fn every_model_is_accepted() {
        let folder = Folder::new().expect("a folder");
        for (case, all_rules) in CASES.iter().chain(crate::speed::CASES) {
            let file = folder.write("model.pml", case.text).expect("a file");
            for rules in *all_rules {
                let plan = plan_of(&file, case.defines, *rules, 1.0);
                assert!(plan.is_ok(), "{} {:?}", case.name, plan.err());
            }
        }
        let file = folder
            .write("model.pml", "active proctype")
            .expect("a file");
        assert!(plan_of(&file, &[], UserRules::Plain, 1.0).is_err());
    }

    #[test]
    fn different_counts_are_noticed() {
        let once = Pace {
            times: 1,
            cpu_seconds: 1.0,
        };
        let figures = |n_states| Figures {
            n_states,
            n_transitions: 20,
            bytes_per_state: None,
            shares: None,
        };
        let ours = TimedResult {
            load: once,
            search: once,
            figures: figures(9),
            holds: true,
        };
        let said = |n_states, holds| PanRun {
            compile: once,
            search: once,
            figures: figures(n_states),
            holds,
        };
        assert!(agree(Variant::Plain, &ours, &said(9, true)));
        assert!(!agree(Variant::Plain, &ours, &said(8, true)));
        assert!(!agree(Variant::Plain, &ours, &said(9, false)));
        assert!(agree(Variant::Reduced, &ours, &said(5, true)));
        assert!(!agree(Variant::Reduced, &ours, &said(9, false)));
    }

    #[test]
    fn whole_runs_are_loading_and_searching() {
        let pace = |times, cpu_seconds| Pace { times, cpu_seconds };
        assert_eq!(after(pace(4, 2.0), pace(3, 3.0)), pace(3, 4.5));
    }
}
