//! Random models with random formulas.
//!
//! Two or three processes of one or two types share bytes, an array with an element each, a channel
//! with a buffer and one without; they have `atomic`, `d_step`, choices, `else`, `timeout`, loops
//! and ends. They are there from the start, or are run, one by one or at once; formulas may ask
//! where one of them is.
//! The verdict must not depend on symmetry nor on our passes, for any fairness; and with
//! `ORBIT_ORACLES=1` it is that of SPIN, compiled without its own passes and reductions, for all
//! runs (`pan -a`) and for weakly fair ones (`pan -a -f`).
//!
//! One difference is SPIN's: with `-f` it does not always see that a run that ends violates a
//! formula. `byte x; active proctype P() { x = 1 } ltl f { <> [] (x == 0) }` is violated by the
//! only run there is, which is fair; `pan -a` says so, `pan -a -f` does not. Another is about
//! `timeout` and `-f`: a run that goes round without it may be missed if a choice within the loop
//! leads to a state where it is true, and found without that choice. So where we say violated and
//! SPIN with `-f` does not, only runs that end or `timeout` may be the reason; runs of ours have
//! been taken, and are fair, by a check of their own.

use super::{Asking, FAIR, Fair, Group, How, compile_pan, pan};
use fastrand::Rng;
use model::processes::passes::Setting;
use model::processes::property::Property;
use std::path::PathBuf;

/// How many models, and from which number on.
fn amount() -> (u64, u64) {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse().ok());
    (
        number("ORBIT_SEED").unwrap_or(0),
        number("ORBIT_PAIRS").unwrap_or(40),
    )
}

fn choose<'a>(rng: &mut Rng, from: &[&'a str]) -> &'a str {
    from[rng.usize(0..from.len())]
}

fn condition(rng: &mut Rng) -> String {
    let variable = choose(rng, &["x", "y", "z"]);
    match rng.u8(0..5) {
        0 => format!("{variable} == {}", rng.u8(0..3)),
        1 => format!("{variable} != {}", rng.u8(0..3)),
        2 => format!("{variable} < {}", rng.u8(1..3)),
        3 => "x == y".to_owned(),
        _ => format!(
            "a[{}] == {}",
            choose(rng, &["_pid", "0", "1"]),
            rng.u8(0..2)
        ),
    }
}

/// Statements, and what nests in them if `depth` is left.
fn statement(rng: &mut Rng, depth: u8, rendezvous: bool) -> String {
    let list = |rng: &mut Rng, most: usize| {
        let n = rng.usize(1..=most);
        let parts: Vec<String> = (0..n)
            .map(|_| statement(rng, depth - 1, rendezvous))
            .collect();
        parts.join("; ")
    };
    match rng.u8(0..16) {
        0 => format!("x = (x + 1) % {}", rng.u8(2..4)),
        1 => format!("y = {}", rng.u8(0..3)),
        2 => "z = (z + 1) % 2".to_owned(),
        3 => format!("({})", condition(rng)),
        4..=6 => "a[_pid] = 1 - a[_pid]".to_owned(),
        7 => format!("c!{}", rng.u8(0..2)),
        8 => choose(rng, &["c?z", "c?0", "c?1"]).to_owned(),
        9 if rendezvous => format!("d!{}", rng.u8(0..2)),
        10 if rendezvous => "d?z".to_owned(),
        11 if depth > 0 => format!("atomic {{ {} }}", list(rng, 3)),
        12 if depth > 0 => "d_step { x = (x + 1) % 2; y = z }".to_owned(),
        13 if depth > 0 => {
            let otherwise = [
                "",
                "",
                " :: else -> y = y",
                " :: timeout -> y = (y + 1) % 2",
            ];
            let otherwise = choose(rng, &otherwise);
            let otherwise = if rendezvous { "" } else { otherwise };
            format!("if :: {} :: {}{otherwise} fi", list(rng, 2), list(rng, 2))
        }
        14 if depth > 0 => format!("timeout -> {}", statement(rng, 0, rendezvous)),
        _ => "y = y".to_owned(),
    }
}

fn process(rng: &mut Rng, rendezvous: bool) -> String {
    let mut parts: Vec<String> = Vec::new();
    if rng.bool() {
        parts.push(statement(rng, 1, rendezvous));
    }
    let mut options: Vec<String> = Vec::new();
    for _ in 0..rng.usize(1..3) {
        let n = rng.usize(1..3);
        let option: Vec<String> = (0..n).map(|_| statement(rng, 1, rendezvous)).collect();
        options.push(option.join("; "));
    }
    if rng.u8(0..4) == 0 {
        options.push("break".to_owned());
    }
    parts.push(format!("at: do :: {} od", options.join(" :: ")));
    if rng.u8(0..3) == 0 {
        parts.push(statement(rng, 0, rendezvous));
    }
    format!("{{ byte z; {} }}", parts.join(";\n  "))
}

const ATOMS: &[&str] = &[
    "x == 0",
    "x == 1",
    "y == 1",
    "y != 2",
    "a[0] == 1",
    "a[1] == 0",
    "a[0] == a[1]",
    "len(c) == 0",
    "x == y",
    "a[0] + a[1] == 1",
    "a[0] == 1 || a[1] == 1",
    "a[0] + a[1] + a[2] > 1",
    "a[2] == 1",
];

/// What can be asked of the places of processes that are there from the start.
const PLACES: &[&str] = &["P[0]@at", "P[0]@at || P[1]@at", "P[1]@at && x == 0"];

fn formula(rng: &mut Rng, depth: u8, atoms: &[&str]) -> String {
    let part = |rng: &mut Rng| formula(rng, depth.saturating_sub(1), atoms);
    match rng.u8(0..if depth == 0 { 1 } else { 10 }) {
        0 => format!("({})", choose(rng, atoms)),
        1 => format!("(!{})", part(rng)),
        2 => format!("({} && {})", part(rng), part(rng)),
        3 => format!("({} || {})", part(rng), part(rng)),
        4 => format!("({} U {})", part(rng), part(rng)),
        5 | 6 => format!("([] {})", part(rng)),
        7 | 8 => format!("(<> {})", part(rng)),
        _ => format!("({} -> {})", part(rng), part(rng)),
    }
}

/// A formula of a kind that people write, or any.
fn property(rng: &mut Rng, atoms: &[&str]) -> String {
    let (p, q) = (choose(rng, atoms), choose(rng, atoms));
    match rng.u8(0..12) {
        0 => format!("[] <> ({p})"),
        1 => format!("<> [] ({p})"),
        2 | 3 => format!("[] (({p}) -> <> ({q}))"),
        4 => format!("<> ({p})"),
        5 => format!("({p}) U ({q})"),
        6 => format!("([] <> ({p})) -> ([] <> ({q}))"),
        7 => format!("<> (({p}) && <> ({q}))"),
        _ => formula(rng, 3, atoms),
    }
}

/// How many formulas a model has: SPIN takes long to compile one, and little time to check them.
const N_FORMULAS: usize = 8;

/// A model with formulas.
pub fn model(seed: u64) -> String {
    let rng = &mut Rng::with_seed(seed);
    let rendezvous = rng.u8(0..5) < 2;
    let n = choose(rng, &["2", "2", "3"]);
    let mut text = "byte x, y; byte a[3];\nchan c = [1] of { byte };\n".to_owned();
    if rendezvous {
        text += "chan d = [0] of { byte };\n";
    }
    let first = process(rng, rendezvous);
    let mut atoms = ATOMS.to_vec();
    text += &match rng.u8(0..8) {
        0..3 => {
            atoms.extend(PLACES);
            format!("active [{n}] proctype P() {first}\n")
        }
        3..6 => {
            atoms.extend(PLACES);
            let second = process(rng, rendezvous);
            let both = format!("active [2] proctype P() {first}\n");
            both + &format!("active proctype Q() {second}\n")
        }
        how => {
            let runs = ["atomic { run P(); run P() }", "run P(); run P()"];
            let runs = runs[usize::from(how == 7)];
            format!("proctype P() {first}\ninit {{ {runs} }}\n")
        }
    };
    for n in 0..N_FORMULAS {
        text += &format!("ltl f{n} {{ {} }}\n", property(rng, &atoms));
    }
    text
}

/// The same model, where some operators of its formulas are of the past instead.
fn with_past(seed: u64) -> String {
    let rng = &mut Rng::with_seed(seed ^ 0x9a57);
    let of_past = |rng: &mut Rng, line: &str| {
        let signs = [
            ("[] ", "historically "),
            ("<> ", "once "),
            (" U ", " since "),
        ];
        let (mut out, mut rest) = (String::new(), line);
        while let Some(c) = rest.chars().next() {
            let found = signs.iter().find(|(sign, _)| rest.starts_with(sign));
            let n = found.map_or(c.len_utf8(), |(sign, _)| sign.len());
            match found.filter(|_| rng.u8(0..5) < 3) {
                Some((_, past)) => out += past,
                None => out += &rest[..n],
            }
            rest = &rest[n..];
        }
        let around = ["[] ", "<> ", "[] yesterday ", "<> [] "][rng.usize(0..4)];
        out.replacen("{ ", &format!("{{ {around}("), 1)
            .replace(" }", ") }")
    };
    let text = model(seed);
    let lines = text.lines().map(|line| match line.strip_prefix("ltl ") {
        Some(_) => of_past(rng, line),
        None => line.to_owned(),
    });
    lines.collect::<Vec<String>>().join("\n")
}

/// The verdict of every kind of fairness, the same however it is found; or what differs.
fn verdicts(asking: &Asking, property: &Property) -> Result<[bool; 3], String> {
    let mut all = [false; 3];
    for (fair, verdict) in FAIR.into_iter().zip(&mut all) {
        let mut found = Vec::new();
        for setting in [Setting::Plain, Setting::Best] {
            for group in [Group::Trivial, Group::Certified] {
                let how = How {
                    setting,
                    group,
                    fair,
                    endless: false,
                };
                found.push(asking.violated(property, how)?);
            }
        }
        *verdict = found[0];
        if found.iter().any(|other| *other != found[0]) {
            return Err(format!("{fair:?}: {found:?}"));
        }
    }
    Ok(all)
}

#[test]
fn verdicts_do_not_depend_on_symmetry_nor_on_passes() {
    let (first, n) = amount();
    let (mut wrong, mut seen) = (Vec::new(), [0; 4]);
    let seeds = first..first + n;
    let past = seeds.clone().take(20).map(|seed| (seed, with_past(seed)));
    for (seed, text) in seeds.map(|seed| (seed, model(seed))).chain(past) {
        let asking = Asking::read(&text).unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
        for property in &asking.properties {
            match verdicts(&asking, property) {
                // How many kinds of fairness leave a run that violates it.
                Ok([none, weak, strong]) => {
                    assert!(none >= weak && weak >= strong, "seed {seed}:\n{text}");
                    seen[usize::from(none) + usize::from(weak) + usize::from(strong)] += 1;
                }
                Err(why) => wrong.push(format!("seed {seed} {}: {why}\n{text}", property.name)),
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {n}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    // Few formulas tell weak from strong fairness.
    let all = [seen[0], seen[1], seen[3]].into_iter().all(|n| n > 0);
    assert!(all || n < 40, "{seen:?}");
}

#[test]
fn spin_says_the_same() {
    if std::env::var("ORBIT_ORACLES").is_err() {
        crate::counts::note("temporal: skipped: set ORBIT_ORACLES=1 to compare with spin\n");
        return;
    }
    let (first, n) = amount();
    let folder: PathBuf = std::env::temp_dir().join(format!("orbit-temporal-{first}"));
    let (mut wrong, mut n_pairs, mut n_ends, mut n_fair) = (Vec::new(), 0, 0, 0);
    let mut n_timeouts = 0;
    for seed in first..first + n {
        let text = model(seed);
        let asking = Asking::read(&text).expect("a model");
        if compile_pan(&folder, &text, &[]).is_none() {
            continue;
        }
        let both = [(Fair::None, &["-a"][..]), (Fair::Weak, &["-a", "-f"])];
        let questions = asking
            .properties
            .iter()
            .flat_map(|p| both.map(|how| (p, how)));
        for (property, (fair, flags)) in questions {
            let flags: Vec<&str> = flags
                .iter()
                .copied()
                .chain(["-N", &property.name])
                .collect();
            let Some(spin) = pan(&folder, &flags) else {
                continue;
            };
            let violated = |endless| {
                let how = How {
                    setting: Setting::Best,
                    group: Group::Certified,
                    fair,
                    endless,
                };
                asking.violated(property, how)
            };
            let ours = violated(false);
            n_pairs += 1;
            n_fair += u64::from(fair == Fair::Weak);
            if ours == Ok(spin) {
                continue;
            }
            let is_missed = fair == Fair::Weak && !spin;
            match () {
                () if is_missed && violated(true) == Ok(false) => n_ends += 1,
                () if is_missed && text.contains("timeout") => n_timeouts += 1,
                () => wrong.push(format!(
                    "seed {seed} {} {fair:?}: spin {spin}, {ours:?}\n{text}",
                    property.name
                )),
            }
        }
    }
    crate::counts::note(&format!(
        "{n_pairs} pairs beside spin, {n_fair} of them fair; {n_ends} differ by runs that end, \
         {n_timeouts} by timeouts\n"
    ));
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
