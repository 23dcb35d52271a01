//! The suite `ltl`: searches for infinite runs beside those of SPIN.
//!
//! A case is a model with a formula, for all runs or for weakly fair ones. Four programs look at
//! it: *orbit* without symmetry and without our passes, and *pan* by the same rules (`spin -o1 -o2
//! -o3 -a`, no partial-order reduction, `pan -a` or `pan -a -f`), so that states and times can be
//! compared; *orbit default*, what a user gets who asks for nothing, with symmetry and passes; and
//! *pan po*, what a user of SPIN gets. What must be equal is the verdict; states of a formula are
//! pairs with the state of its automaton, and automata differ, so that counts do.
//!
//! Times are those of the search alone: ours from the model that was read to the answer, the
//! automaton and the symmetry included, SPIN's those of `pan`.

use super::Bench;
use super::clock::pace;
use super::promela::{INTERRUPTED, ModelCase, case, check_plan};
use super::record::{Figures, RunOutcome};
use super::spin::{Spin, SpinQuestion};
use orbit::check_cmd;
use serde_json::Value;
use std::path::Path;

/// The name of the suite.
pub const SUITE: &str = "ltl";

/// A formula of a model.
struct FormulaCase {
    case: ModelCase,
    formula: &'static str,
    /// Whether only weakly fair runs count.
    fair: bool,
}

macro_rules! model {
    ($name:literal) => {
        include_str!(concat!("../../../models/promela/", $name, ".pml"))
    };
}

const LEADER: &str = model!("leader_cr");
const DINING: &str = model!("dining");
const PETERSON: &str = model!("peterson_n");
const MUTEX: &str = model!("mutex");
const ALLOCATOR: &str = model!("allocator");

/// From small to large. `slots` and `depth` are logarithms of the slots of pan's table (base 2) and
/// of the depth of its stack (base 10).
const CASES: [FormulaCase; 10] = [
    FormulaCase {
        case: case("mutex N=6 starves", MUTEX, &["N=6"], 16, 6),
        formula: "[] <> (st[1] == critical)",
        fair: false,
    },
    FormulaCase {
        case: case("leader N=4 elected", LEADER, &["N=4"], 16, 6),
        formula: "<> (n_leaders == 1)",
        fair: false,
    },
    FormulaCase {
        case: case("mutex N=10 busy", MUTEX, &["N=10"], 16, 6),
        formula: "[] <> !ALL(OUTSIDE)",
        fair: false,
    },
    FormulaCase {
        case: case("peterson N=3 enters", PETERSON, &["N=3"], 16, 6),
        formula: "[] <> (n_critical == 1)",
        fair: true,
    },
    FormulaCase {
        case: case("dining N=6 eats", DINING, &["N=6", "LEFTY"], 18, 6),
        formula: "[] <> (n_eating > 0)",
        fair: false,
    },
    FormulaCase {
        case: case("dining N=5 each eats", DINING, &["N=5", "LEFTY"], 18, 6),
        formula: "[] <> taken[2]",
        fair: true,
    },
    FormulaCase {
        case: case(
            "allocator 4+4+4 grants",
            ALLOCATOR,
            &["L0=4", "L1=4", "L2=4"],
            19,
            6,
        ),
        formula: "[] <> (holder != 0)",
        fair: false,
    },
    FormulaCase {
        case: case("leader N=5 elected", LEADER, &["N=5"], 21, 6),
        formula: "<> (n_leaders == 1)",
        fair: false,
    },
    FormulaCase {
        case: case("peterson N=4 enters", PETERSON, &["N=4"], 20, 7),
        formula: "[] <> (n_critical == 1)",
        fair: true,
    },
    FormulaCase {
        case: case("dining N=8 eats", DINING, &["N=8", "LEFTY"], 22, 7),
        formula: "[] <> (n_eating > 0)",
        fair: false,
    },
];

impl FormulaCase {
    fn name(&self) -> String {
        if self.fair {
            format!("{} weak", self.case.name)
        } else {
            self.case.name.to_owned()
        }
    }

    /// The text with the formula in it.
    fn text(&self) -> String {
        format!("{}\nltl live {{ {} }}\n", self.case.text, self.formula)
    }

    /// What SPIN is asked, with all of its reductions or with none.
    fn question(&self, reduced: bool) -> SpinQuestion {
        let mut pan = vec!["-a".to_owned(), "-E".to_owned()];
        pan.extend(self.fair.then(|| "-f".to_owned()));
        pan.extend(["-N", "live"].map(str::to_owned));
        SpinQuestion {
            plain: !reduced,
            compile: if reduced {
                &["-DNFAIR=4"]
            } else {
                &["-DNFAIR=4", "-DNOREDUCE"]
            },
            pan,
        }
    }
}

/// Measures every case that was asked for.
pub fn run(bench: &mut Bench) {
    let spin = Spin::find();
    for asked in &CASES {
        let name = asked.name();
        if !bench.wants(SUITE, &name) {
            continue;
        }
        let file = bench.folder.write("model.pml", &asked.text());
        let mut holds = None;
        for (tool, flags) in [
            ("orbit", &["--no-symmetry", "--plain"][..]),
            ("orbit default", &[]),
        ] {
            let ours = match &file {
                Ok(file) => ours(bench, file, asked, flags),
                Err(why) => Err(RunOutcome::Failed(why.to_string())),
            };
            match ours {
                Ok((outcome, figures, verdict)) => {
                    let agrees = holds.map(|first| first == verdict);
                    holds = holds.or(Some(verdict));
                    bench.add_figures(SUITE, &name, tool, outcome.agreeing(agrees), figures);
                }
                Err(outcome) => {
                    let ends = matches!(&outcome, RunOutcome::Failed(why) if why == INTERRUPTED);
                    bench.add(SUITE, &name, tool, outcome);
                    if ends {
                        return;
                    }
                }
            }
        }
        for (tool, reduced) in [("pan", false), ("pan po", true)] {
            let said = spin.as_ref().map_or(Err(RunOutcome::NotInstalled), |spin| {
                spin.ask(bench, &asked.case, &asked.question(reduced))
            });
            match said {
                Ok(said) => {
                    let agrees = holds.map(|ours| ours == said.holds);
                    let outcome = RunOutcome::of(said.search).agreeing(agrees);
                    bench.add_figures(SUITE, &name, tool, outcome, said.figures);
                }
                Err(outcome) => bench.add(SUITE, &name, tool, outcome),
            }
        }
    }
}

/// The time, what was counted, and whether the formula holds.
fn ours(
    bench: &Bench,
    file: &Path,
    asked: &FormulaCase,
    flags: &[&str],
) -> Result<(RunOutcome, Figures, bool), RunOutcome> {
    let limit = bench.limit.as_secs_f64();
    let mut words = vec![format!("--time={limit}s"), "--property=live".to_owned()];
    words.extend(flags.iter().map(|&flag| flag.to_owned()));
    words.extend(asked.fair.then(|| "--fair=weak".to_owned()));
    let plan = check_plan(file, asked.case.defines, &words).map_err(RunOutcome::Failed)?;
    let mut json = Value::Null;
    let pace = pace(bench.seconds, |_| {
        json = check_cmd::run(&plan).map_or(Value::Null, |answer| Value::Object(answer.json));
    });
    let property = &json["properties"][0];
    let holds = match property["verdict"].as_str() {
        Some("holds") => true,
        Some("violated") => false,
        _ => {
            return Err(match property["reason"].as_str() {
                Some(reason) if reason.contains("time") => RunOutcome::Limit(pace.each()),
                reason => RunOutcome::Failed(reason.unwrap_or("no answer").to_owned()),
            });
        }
    };
    let count = |key: &str| property["counts"][key].as_u64();
    let (Some(n_states), Some(n_transitions)) = (count("states"), count("transitions")) else {
        return Err(RunOutcome::Failed("the answer has no counts".to_owned()));
    };
    let figures = Figures {
        n_states,
        n_transitions,
        bytes_per_state: None,
        shares: None,
    };
    Ok((RunOutcome::of(pace), figures, holds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rival::Folder;

    #[test]
    fn every_formula_is_accepted() {
        let folder = Folder::new().expect("a folder");
        for asked in &CASES {
            let file = folder.write("model.pml", &asked.text()).expect("a file");
            let words = ["--property=live".to_owned()];
            let plan = check_plan(&file, asked.case.defines, &words);
            assert!(plan.is_ok(), "{} {:?}", asked.name(), plan.err());
        }
    }

    #[test]
    fn fair_runs_are_asked_for() {
        let fair = CASES.iter().find(|asked| asked.fair).expect("a fair case");
        assert!(fair.question(false).pan.contains(&"-f".to_owned()));
        assert!(fair.name().ends_with(" weak"));
        let all = CASES.iter().find(|asked| !asked.fair).expect("another");
        assert!(!all.question(true).pan.contains(&"-f".to_owned()));
    }
}
