//! Traces, failures and divergences of an explicit transition system, straight from the definition.
//!
//! After each trace the set of all states it may have led to is known. A stable state refuses what
//! it cannot do; a state that can do ✓, stable or not, may refuse every event; a state diverges if
//! τ can go on for ever.

use std::collections::BTreeSet;

use cspm::leaf::Lts;
use cspm::operate::TermLabel;

use super::denote::{Meaning, Point, all, avoiding, length};

/// What can be seen of `lts` up to traces of a length; with divergence as chaos if `strict`.
pub fn observe(lts: &Lts, n: usize, strict: bool, depth: i32) -> Meaning {
    let endless = endless(lts);
    let mut out = Meaning {
        n,
        depth,
        at: Default::default(),
    };
    let mut level = vec![(vec![], closure(lts, BTreeSet::from([0])))];
    level.retain(|_| depth >= 0);
    while !level.is_empty() {
        let mut next = Vec::new();
        for (trace, states) in level {
            if strict && states.iter().any(|s| endless.contains(s)) {
                let refusals = all(n);
                let point = Point {
                    refusals,
                    diverges: true,
                };
                out.at.insert(trace, point);
                continue;
            }
            let refusals = states.iter().fold(0, |f, &s| f | refused(lts, n, s));
            for label in 0..=n {
                let after = states.iter().flat_map(|&s| lts.steps(s));
                let after = after.filter(|step| number(step.0, n) == Some(label));
                let after: BTreeSet<u32> = after.map(|step| step.1).collect();
                let longer = [&trace[..], &[label as u8]].concat();
                if !after.is_empty() && length(n, &longer) <= depth {
                    next.push((longer, closure(lts, after)));
                }
            }
            let point = Point {
                refusals,
                diverges: false,
            };
            out.at.insert(trace, point);
        }
        level = next;
    }
    out
}

fn number(label: TermLabel, n: usize) -> Option<usize> {
    match label {
        TermLabel::Tau => None,
        TermLabel::Tick => Some(n),
        TermLabel::Event(e) => Some(e.index()),
    }
}

fn closure(lts: &Lts, mut states: BTreeSet<u32>) -> BTreeSet<u32> {
    let mut left: Vec<u32> = states.iter().copied().collect();
    while let Some(state) = left.pop() {
        for &(label, next) in lts.steps(state) {
            if label == TermLabel::Tau && states.insert(next) {
                left.push(next);
            }
        }
    }
    states
}

/// The states from which τ can go on for ever: what is left when those are taken away, again and
/// again, from which τ leads nowhere that is left.
pub fn endless(lts: &Lts) -> BTreeSet<u32> {
    let mut left: BTreeSet<u32> = lts.states().collect();
    loop {
        let goes_on = |s: &u32| {
            let mut steps = lts.steps(*s).iter();
            steps.any(|step| step.0 == TermLabel::Tau && left.contains(&step.1))
        };
        let next: BTreeSet<u32> = left.iter().copied().filter(goes_on).collect();
        if next == left {
            return left;
        }
        left = next;
    }
}

fn refused(lts: &Lts, n: usize, state: u32) -> u32 {
    let labels = lts.steps(state).iter().map(|step| step.0);
    let labels: BTreeSet<TermLabel> = labels.collect();
    let mut family = 0;
    if labels.contains(&TermLabel::Tick) {
        family |= avoiding(n, 1 << n);
    }
    if !labels.contains(&TermLabel::Tau) {
        let offered = labels.iter().filter_map(|&label| number(label, n));
        family |= avoiding(n, offered.fold(0, |bits, e| bits | 1 << e));
    }
    family
}
