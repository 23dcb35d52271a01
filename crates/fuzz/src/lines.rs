//! Command lines for inputs.

use crate::mutate::mutated;
use crate::run::{FuzzCase, LIMIT};
use crate::seeds::{InputKind, MODEL, Seed};
use fastrand::Rng;

const LTL: [&str; 10] = [
    "[] (x < 2)",
    "<> in[0]",
    "[] (in[0] -> <> !in[0])",
    "forall i: [] <> in[i]",
    "X X true",
    "G {card(v) < 3}",
    "F {v = {}}",
    "WEF => F {x = 1}",
    "[] ([] (p U q) R r)",
    "((((x))))",
];
const CTL: [&str; 6] = [
    "AG EF (x == 0)",
    "E[x == 0 U x == 1]",
    "AF in[0]",
    "AG EF {v = {}}",
    "EX AX true",
    "exists i in 0..1: EG in[i]",
];
/// Flags that take no value from the input; some do not fit some languages, and are refused.
const FLAGS: [&str; 40] = [
    "--no-symmetry",
    "--all-errors",
    "-c 3",
    "--search dfs",
    "--search mixed",
    "--seed 3",
    "-m 20",
    "--plain",
    "--spin-compat",
    "--count-full",
    "--audit",
    "--self-check",
    "-E",
    "-A",
    "-n",
    "-e",
    "-p 1",
    "-p deadlock",
    "-p faults",
    "-N x",
    "-l",
    "-a",
    "-f",
    "--fair strong",
    "--reduce none",
    "--reduce sorted",
    "--reduce markers",
    "--reduce flood",
    "--reduce sym-check-2",
    "--detect channel-diagram",
    "--conjugates 2",
    "--parse-only",
    "--set-size S=3",
    "--default-set-size 3",
    "--maxint 5",
    "--machine-limits",
    "--refines",
    "--goal GOAL",
    "--leaf-states 50",
    "--full",
];

/// An input with a command line.
pub fn case(seeds: &[Seed], rng: &mut Rng) -> FuzzCase {
    let seed = &seeds[rng.usize(0..seeds.len())];
    let text = mutated(seed, seeds, rng);
    let name = seed.name.clone();
    let mut words: Vec<String> = Vec::new();
    match seed.kind {
        InputKind::Promela | InputKind::B | InputKind::Cspm => of_model(&name, rng, &mut words),
        InputKind::Group => words.extend(["group", "-f", &*name].map(str::to_owned)),
        InputKind::Graph => {
            words.extend(["graph", &*name].map(str::to_owned));
            if rng.bool() {
                words.push("--canonical".to_owned());
            }
        }
        InputKind::Trail => {
            let line = ["simulate", "--replay", &*name, "model.pml"];
            words.extend(line.map(str::to_owned));
        }
        InputKind::Generators => {
            let line = ["check", "--detect", &*name, "model.pml"];
            words.extend(line.map(str::to_owned));
        }
    }
    words.extend(["--time".to_owned(), format!("{}ms", LIMIT.as_millis())]);
    if rng.u8(0..3) > 0 {
        words.push("--json".to_owned());
    }
    FuzzCase {
        name,
        text,
        model: MODEL,
        words,
    }
}

/// A command about a model.
fn of_model(name: &str, rng: &mut Rng, words: &mut Vec<String>) {
    let command = ["check", "check", "check", "symmetry", "simulate"][rng.usize(0..5)];
    words.push(command.to_owned());
    match command {
        "check" => {
            for _ in 0..rng.usize(0..3) {
                words.extend(
                    FLAGS[rng.usize(0..FLAGS.len())]
                        .split(' ')
                        .map(str::to_owned),
                );
            }
            match rng.u8(0..6) {
                0 => words.extend(["--ltl".to_owned(), formula(&LTL, rng)]),
                1 => words.extend(["--ctl".to_owned(), formula(&CTL, rng)]),
                _ => {}
            }
        }
        "simulate" => words.extend(["--seed", "7", "-n", "40"].map(str::to_owned)),
        _ => {}
    }
    words.extend(["--memory".to_owned(), "256M".to_owned(), name.to_owned()]);
}

/// A formula, perhaps broken.
fn formula(all: &[&str], rng: &mut Rng) -> String {
    let formula = all[rng.usize(0..all.len())];
    let seed = Seed {
        kind: InputKind::Group,
        name: String::new(),
        text: formula.as_bytes().to_vec(),
    };
    if rng.bool() {
        return formula.to_owned();
    }
    let text = mutated(&seed, &[], rng);
    // What the system cannot pass on as an argument is left out.
    let text = String::from_utf8_lossy(&text).replace('\0', "");
    text.chars().take(5000).collect()
}
