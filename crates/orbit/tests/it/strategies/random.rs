//! Strategies on random models.
//!
//! Some processes with a number, a reference, elements of arrays, a channel each, and rules drawn
//! at random that treat all processes alike; in some models one process is named, or processes
//! stand in a ring, so that the group is another.

use super::{Plain, compare};
use crate::counts::compile;
use fastrand::Rng;
use model::processes::passes::Setting;

const GUARDS: &[&str] = &[
    "c == 0",
    "c == 1",
    "r == _pid",
    "r != _pid",
    "flag[_pid] == 0",
    "flag[r] == 1",
    "turn == _pid",
    "turn != r",
    "nempty(box[_pid])",
    "empty(box[_pid])",
    "seen[_pid].by[r] == 0",
];

const DEEDS: &[&str] = &[
    "c = 1 - c",
    "r = _pid",
    "r = turn",
    "turn = r",
    "turn = _pid",
    "flag[r] = 1",
    "flag[_pid] = 0",
    "seen[_pid].by[r] = 1",
    "nfull(box[r]) -> box[r]!_pid,c",
    "nempty(box[_pid]) -> box[_pid]?r,c",
    "select(r)",
];

/// Any member for `r`.
fn select(n: usize) -> String {
    let options: Vec<String> = (1..=n).map(|i| format!(":: r = {i}")).collect();
    format!("if {} fi", options.join(" "))
}

fn text(rng: &mut Rng, n: usize) -> String {
    let mut rules = String::new();
    for _ in 0..rng.usize(3..7) {
        let guard = GUARDS[rng.usize(..GUARDS.len())];
        let deed = match DEEDS[rng.usize(..DEEDS.len())] {
            "select(r)" => select(n),
            deed => deed.to_owned(),
        };
        rules += &format!("\t:: atomic {{ {guard} -> {deed} }}\n");
    }
    if rng.u8(..4) == 0 {
        rules += "\t:: atomic { r == 2 -> c = 1 }\n";
    }
    if rng.u8(..3) == 0 {
        let next = (1..=n).map(|i| format!(":: _pid == {i} -> r = {}", i % n + 1));
        let next: Vec<String> = next.collect();
        rules += &format!("\t:: atomic {{ c == 1 -> if {} fi }}\n", next.join(" "));
    }
    if rng.u8(..2) == 0 {
        rules += "\t:: assert(!(flag[r] == 1 && turn == r))\n";
    }
    let runs: Vec<String> = (0..n).map(|_| "run P()".to_owned()).collect();
    format!(
        "typedef Row {{ bit by[{m}] }};\n\
         bit flag[{m}]; Row seen[{m}]; byte turn;\n\
         chan box[{m}] = [1] of {{ byte, bit }};\n\
         proctype P() {{\n\tbit c; byte r;\n\tr = _pid;\n\tdo\n{rules}\tod\n}}\n\
         init {{ atomic {{ {} }} }}\n",
        runs.join("; "),
        m = n + 1,
    )
}

#[test]
fn strategies_agree_with_the_plain_count_of_orbits_on_random_models() {
    let mut n_symmetric = 0;
    for seed in 0..60 {
        let mut rng = Rng::with_seed(seed);
        let n = rng.usize(2..4);
        let text = text(&mut rng, n);
        let compiled = compile(&text, &[]);
        let compiled = compiled.unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
        let machine = compiled.machine(Setting::Best);
        let options = check::Options {
            memory_bytes_max: Some(1 << 17),
            ..super::ALL
        };
        let full = check::explore(&machine, &mut check::Identity, &options, &mut |_| {});
        let full = full.expect("replays succeed");
        if full.ended != check::Ended::Complete {
            continue;
        }
        let plain = Plain::new(machine);
        n_symmetric += u32::from(!plain.found.certified.group().is_trivial());
        compare(&plain, &format!("seed {seed}\n{text}"));
    }
    assert!(
        n_symmetric > 20,
        "only {n_symmetric} models have a symmetry"
    );
}
