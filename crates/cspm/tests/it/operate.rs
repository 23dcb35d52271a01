//! What terms do is what they mean, in all three models.

use crate::denote::{FAULTS, Fault};
use crate::observe::observe;
use crate::sample::{MIXES, Mix, N_EVENTS, random};

/// How a sample compared.
enum Compared {
    /// Meaning and behaviour are the same up to a depth.
    Same(i32),
    /// They differ; both, for people.
    Differ(String),
    /// There are too many states.
    Skipped,
}

fn compare(seed: u64, mix: Mix, strict: bool, fault: Option<Fault>) -> Compared {
    let mut sample = random(seed, mix);
    let root = sample.root;
    let Some(leaf) = sample.leaf(root) else {
        return Compared::Skipped;
    };
    let Some(meaning) = sample.meaning(root, strict, fault) else {
        return Compared::Skipped;
    };
    let seen = observe(&leaf.lts, N_EVENTS, strict, meaning.depth);
    if meaning == seen {
        return Compared::Same(meaning.depth);
    }
    let differs = |s: &&Vec<u8>| meaning.at.get(*s) != seen.at.get(*s);
    let trace = meaning.at.keys().chain(seen.at.keys()).find(differs);
    let trace = trace.expect("depths are equal, so some trace differs");
    Compared::Differ(format!(
        "after {trace:?} means {:?}, does {:?}",
        meaning.at.get(trace),
        seen.at.get(trace)
    ))
}

#[test]
fn terms_do_what_they_mean() {
    for mix in MIXES {
        for strict in [false, true] {
            let (mut deep, mut skipped) = (0, 0);
            for seed in 0..2000 {
                match compare(seed, mix, strict, None) {
                    Compared::Same(depth) => deep += usize::from(depth >= 3),
                    Compared::Skipped => skipped += 1,
                    Compared::Differ(how) => panic!("{mix:?} seed {seed} strict {strict}: {how}"),
                }
            }
            assert!(
                deep > 1000,
                "{mix:?}: {deep} of 2000 compared to depth 3, {skipped} skipped"
            );
        }
    }
}

#[test]
fn wrong_clauses_are_found() {
    for fault in FAULTS {
        let differs = |seed| {
            let compared = |strict| compare(seed, Mix::All, strict, Some(fault));
            [false, true]
                .map(compared)
                .iter()
                .any(|c| matches!(c, Compared::Differ(_)))
        };
        assert!((0..2000).any(differs), "{fault:?} makes no difference");
    }
}
