//! Our machines have the states, transitions and verdicts that their headers expect, searched as
//! `orbit check` searches them.
//!
//! Each line of a header is searched without symmetry and with each way of choosing representatives
//! that is exact and fits: all must store as many states, the orbits of these must add up to the
//! full count, and symmetries must carry moves to moves at every state that is stored.
//! `ORBIT_CORPUS_FULL=1` also runs large sizes, and `bench:` lines.

use super::expect::{Expected, lines, parse};
use super::{
    Counted, Setting, audit, load, models, n_states_of_all, options, search_full, search_reduced,
    symmetry,
};
use bmachine::live::Live;
use check::{Attention, Ended, Guarantee, Options};
use num_bigint::BigUint;
use std::path::PathBuf;
use strategies::Strategy;

/// The largest machines whose states are all visited.
const FULL_MAX: u64 = 8_000;
/// The largest machines that are also searched with symmetry as far as it is slow.
const SLOW_MAX: u64 = 700;
/// The most states with symmetry.
const REDUCED_MAX: u64 = 1_000;

/// Our machines, refinements among them, in the order of their names.
pub fn files() -> Vec<PathBuf> {
    let folders = [models(), models().join("language")];
    let mut files = Vec::new();
    for folder in folders {
        let entries = std::fs::read_dir(folder).expect("a folder of machines");
        files.extend(entries.map(|entry| entry.expect("an entry").path()));
    }
    files.retain(|path| path.is_file() && !path.ends_with("orbit.toml"));
    files.sort();
    files
}

/// The machine of a line of its header.
fn machine(path: &std::path::Path, expected: &Expected) -> Result<Live, String> {
    let setting = Setting {
        default_size: expected.default_size,
        sizes: expected.sizes.clone(),
        work_max: 10_000_000,
        ..Setting::default()
    };
    load(path, &setting)
}

/// What differs in states and transitions.
fn counts(
    name: &str,
    counted: &Counted,
    expected: Option<(u64, Option<u64>)>,
    out: &mut Vec<String>,
) {
    let Some((n, m)) = expected else {
        return;
    };
    let m = m.unwrap_or(counted.n_transitions);
    if (counted.n_states, counted.n_transitions) != (n, m) || counted.ended != Ended::Complete {
        out.push(format!(
            "{name}: {counted:?}, not {n} states, {m} transitions"
        ));
    }
}

/// What differs in what is wrong with the machine.
fn verdict(name: &str, counted: &Counted, expected: &Expected, out: &mut Vec<String>) {
    let wrong = &counted.wrong;
    let is_met = match &expected.wrong {
        None => wrong.is_empty(),
        Some(kind) => {
            let n_moves = wrong.get(kind.as_str());
            n_moves.is_some_and(|n| expected.n_moves.is_none_or(|wanted| wanted == *n))
        }
    };
    if !is_met {
        let kind = expected.wrong.as_deref().unwrap_or("nothing");
        let moves = expected.n_moves;
        out.push(format!("{name}: {wrong:?}, not {kind} in {moves:?} moves"));
    }
}

/// How a line of a header is searched: to the end if it counts, else to the first mistake.
fn asked(expected: &Expected, counts: Option<(u64, Option<u64>)>) -> Options<'static> {
    let attend = |yes: bool| {
        if yes {
            Attention::Reported
        } else {
            Attention::Ignored
        }
    };
    Options {
        deadlocks: attend(!expected.no_deadlock),
        goals: attend(expected.goal),
        stop_after: counts.is_none().then_some(1),
        ..options()
    }
}

/// What differs from what a line of a header expects.
fn differences(live: &Live, expected: &Expected) -> Vec<String> {
    let mut out = Vec::new();
    let full_max = if is_all() { u64::MAX } else { FULL_MAX };
    let n_full = expected.full.map_or(0, |(n, _)| n);
    let is_counted = expected.full.is_some() || expected.wrong.is_some();
    if n_full <= full_max && is_counted {
        let full = search_full(live, &asked(expected, expected.full));
        counts("full", &full, expected.full, &mut out);
        verdict("full", &full, expected, &mut out);
    }
    let exact = Strategy::ALL
        .into_iter()
        .filter(|strategy| *strategy != Strategy::None && strategy.guarantee() == Guarantee::Exact);
    let options = asked(expected, expected.reduced);
    for strategy in exact {
        if strategy != Strategy::Canonical && !(1..=SLOW_MAX).contains(&n_full) {
            continue;
        }
        let name = strategy.name();
        // Some are not for states of this kind, or not for large groups.
        let Ok((reduced, sum)) = search_reduced(live, strategy, &options) else {
            assert_ne!(strategy, Strategy::Canonical);
            continue;
        };
        counts(name, &reduced, expected.reduced, &mut out);
        verdict(name, &reduced, expected, &mut out);
        if n_full > 0 && n_full <= full_max && expected.reduced.is_some() {
            let n_all = n_states_of_all(live, &options, n_full);
            if sum != BigUint::from(n_all) {
                out.push(format!("{name}: orbits of {sum} states, not {n_all}"));
            }
        }
    }
    if (1..=SLOW_MAX).contains(&n_full) {
        let why = audit(live, &symmetry(live), &options);
        out.extend(why.map(|why| format!("audit: {why}")));
    }
    out
}

fn is_all() -> bool {
    std::env::var_os("ORBIT_CORPUS_FULL").is_some_and(|set| set == "1")
}

#[test]
fn machines_have_the_counts_and_verdicts_of_their_headers() {
    let only = std::env::var("ORBIT_ONLY").unwrap_or_default();
    let (mut n_lines, mut wrong) = (0, Vec::new());
    for path in files() {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if !name.contains(&only) {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a readable machine");
        let mut all = lines(&text, "expect");
        if is_all() {
            all.extend(lines(&text, "bench"));
        }
        for line in all {
            let expected = parse(line).unwrap_or_else(|| panic!("{name}: {line}"));
            let is_large = expected.reduced.is_some_and(|(n, _)| n > REDUCED_MAX);
            if is_large && !is_all() {
                continue;
            }
            n_lines += 1;
            let found = match machine(&path, &expected) {
                Ok(live) => differences(&live, &expected),
                Err(why) => vec![why],
            };
            wrong.extend(
                found
                    .iter()
                    .map(|words| format!("{name}: {line}\n    {words}")),
            );
        }
    }
    assert!(n_lines > 0, "no machine has {only} in its name");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn wrong_headers_are_noticed() {
    let path = models().join("scheduler0_err.mch");
    let n_wrong = |line: &str| {
        let expected = parse(line).expect("a line");
        let live = machine(&path, &expected).expect("a machine");
        differences(&live, &expected).len()
    };
    let size = "--default-set-size 2";
    let right = "full 15 states 37 transitions; reduced 9 states 23 transitions";
    let end = "violated (deadlock) in 5 moves";
    assert_eq!(n_wrong(&format!("{size} {right}; {end}")), 0);
    assert_eq!(n_wrong(&format!("{size} full 16 states; {end}")), 1);
    assert_ne!(n_wrong(&format!("{size} reduced 8 states; {end}")), 0);
    assert_ne!(n_wrong(&format!("{size} full 14 states; {end}")), 0);
    assert_ne!(n_wrong(&format!("{size} {right}; holds")), 0);
    let late = "violated (deadlock) in 6 moves";
    assert_ne!(n_wrong(&format!("{size} {right}; {late}")), 0);
}

#[test]
fn symmetries_of_another_machine_are_caught() {
    // The phone book that forbids one name by a formula has fewer symmetries than it should.
    let folder = crate::command::Folder::new("other-machine");
    let text = |guard: &str| {
        format!(
            "MACHINE m SETS S = {{a, b, c}} VARIABLES v INVARIANT v <: S INITIALISATION v := {{}}
             OPERATIONS put(x) = PRE x : S & {guard} THEN v := v \\/ {{x}} END END"
        )
    };
    let setting = Setting {
        work_max: 1000,
        ..Setting::default()
    };
    let live = |name: &str, guard: &str| {
        let path = folder.write(name, text(guard));
        load(path.as_ref(), &setting).expect("a machine")
    };
    let (even, odd) = (live("even.mch", "x : {a, b, c}"), live("odd.mch", "x /= a"));
    assert_eq!(symmetry(&even).order(), BigUint::from(6u32));
    assert_eq!(symmetry(&odd).order(), BigUint::from(2u32));
    assert_eq!(audit(&odd, &symmetry(&odd), &options()), None);
    assert!(audit(&odd, &symmetry(&even), &options()).is_some());
}
