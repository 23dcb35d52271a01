//! The suite `speed`: twelve families of models, state for state beside `pan -O2`, one thread each.
//!
//! Both sides store every state, exactly, under the same rules, and must count the same. Symmetry
//! and partial-order reduction are off. At the end the ratios of all cases are put together: their
//! geometric mean, and the least.

use super::Bench;
use super::promela::{ModelCase, ModelSuite, UserRules, case, model};
use super::record::RecordedRun;
use super::table::table;
use std::fmt::Write;

/// The name of the suite.
pub const SUITE: &str = "speed";
/// The table of searches alone.
const SEARCH: &str = "search for speed";

const PLAIN: &[UserRules] = &[UserRules::Plain];
const SPIN: &[UserRules] = &[UserRules::Spin];

/// The models, of 0.5 to 14 million states.
pub const CASES: &[(ModelCase, &[UserRules])] = &[
    (
        case("two-phase N=8", model!("twophase"), &["N=8"], 21, 6),
        PLAIN,
    ),
    (
        case(
            "two-phase by messages N=6",
            model!("twophase_messages"),
            &["N=6"],
            21,
            6,
        ),
        PLAIN,
    ),
    (
        case("peterson N=4", model!("peterson_n"), &["N=4"], 20, 6),
        PLAIN,
    ),
    (
        case(
            "filter lock N=4",
            model!("filter_lock"),
            &["N=4", "ONCE"],
            22,
            6,
        ),
        PLAIN,
    ),
    (
        case(
            "peterson by loops N=4",
            model!("peterson_loop"),
            &["N=4"],
            20,
            6,
        ),
        PLAIN,
    ),
    (case("sort N=5", model!("sort"), &["N=5"], 23, 6), PLAIN),
    (
        case(
            "allocator 6+6+4",
            model!("allocator"),
            &["L0=6", "L1=6", "L2=4"],
            21,
            7,
        ),
        PLAIN,
    ),
    (
        case("email N=4", model!("email"), &["N=4", "CAP=3"], 24, 7),
        PLAIN,
    ),
    (
        case(
            "three-tiered 4+4",
            model!("three_tiered"),
            &["A=4", "B=4", "C=0", "BUFFERED"],
            20,
            6,
        ),
        PLAIN,
    ),
    (
        case("dining N=9", model!("dining"), &["N=9", "LEFTY"], 22, 7),
        PLAIN,
    ),
    (
        case(
            "loadbalancer 3+3",
            model!("loadbalancer"),
            &["M=3", "N=3"],
            20,
            6,
        ),
        PLAIN,
    ),
    (
        case("peterson N=5", model!("peterson_n"), &["N=5"], 21, 7),
        SPIN,
    ),
];

const FAMILIES: ModelSuite = ModelSuite {
    name: SUITE,
    search: SEARCH,
    cases: CASES,
};

/// Measures every case that was asked for.
pub fn run(bench: &mut Bench) {
    FAMILIES.run(bench);
    let runs = bench.recorder.runs();
    bench.text = table(runs) + &summary(runs);
}

/// The ratios of all searches, put together.
fn summary(runs: &[RecordedRun]) -> String {
    let searches = runs.iter().filter(|run| run.suite == SEARCH);
    let ratios: Vec<f64> = searches.filter_map(|run| run.ratio).collect();
    let mut words = String::new();
    if let Some(mean) = geometric_mean(&ratios) {
        let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        let n = ratios.len();
        let _ = write!(
            words,
            "\nCPU of pan over ours, {n} searches: geometric mean {mean:.2}, least {least:.2}\n"
        );
    }
    words
}

/// The geometric mean, if there is anything.
fn geometric_mean(values: &[f64]) -> Option<f64> {
    let sum: f64 = values.iter().map(|value| value.ln()).sum();
    (!values.is_empty()).then(|| (sum / values.len() as f64).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_is_that_of_ratios() {
        let mean = geometric_mean(&[0.5, 2.0, 4.0, 4.0]).expect("a mean");
        assert!((mean - 2.0).abs() < 1e-12, "{mean}");
        assert_eq!(geometric_mean(&[]), None);
    }
}
