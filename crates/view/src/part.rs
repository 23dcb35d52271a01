//! A part of a space: what is near a state, what connects states, what somebody chose.
//!
//! Each function says which states are chosen, one truth value a state; [`Space::restricted`] makes
//! the part.

use crate::space::Space;

/// The states that `state` leads to, or that lead to it, in at most `n_steps` transitions.
pub fn around(space: &Space, state: u32, n_steps: usize) -> Vec<bool> {
    let backwards = space.backwards();
    let after = distances(space.n_states(), &[state], n_steps, &mut |s, out| {
        out.extend(space.transitions(s).map(|step| step.target));
    });
    let before = distances(space.n_states(), &[state], n_steps, &mut |s, out| {
        out.extend_from_slice(backwards.sources(s));
    });
    let both = after.iter().zip(&before);
    both.map(|(a, b)| a.is_some() || b.is_some()).collect()
}

/// The states that these lead to, themselves included.
pub fn reachable(space: &Space, from: &[u32]) -> Vec<bool> {
    let after = distances(space.n_states(), from, usize::MAX, &mut |s, out| {
        out.extend(space.transitions(s).map(|step| step.target));
    });
    after.iter().map(Option::is_some).collect()
}

/// The states on paths from a state of `from` to one of `to`: on all paths.
pub fn between(space: &Space, from: &[u32], to: &[u32]) -> Vec<bool> {
    let (after, before) = both_ways(space, from, to);
    let both = after.iter().zip(&before);
    both.map(|(a, b)| a.is_some() && b.is_some()).collect()
}

/// The states on the shortest paths from a state of `from` to one of `to`.
pub fn shortest_between(space: &Space, from: &[u32], to: &[u32]) -> Vec<bool> {
    let (after, before) = both_ways(space, from, to);
    let length = |a: &Option<u32>, b: &Option<u32>| a.zip(*b).map(|(a, b)| a + b);
    let both = || after.iter().zip(&before).map(|(a, b)| length(a, b));
    let shortest = both().flatten().min();
    both()
        .map(|length| length.is_some() && length == shortest)
        .collect()
}

/// By state: how far it is from a state of `from`, and how far one of `to` is from it.
type BothWays = (Vec<Option<u32>>, Vec<Option<u32>>);

fn both_ways(space: &Space, from: &[u32], to: &[u32]) -> BothWays {
    let backwards = space.backwards();
    let n = space.n_states();
    let after = distances(n, from, usize::MAX, &mut |s, out| {
        out.extend(space.transitions(s).map(|step| step.target));
    });
    let before = distances(n, to, usize::MAX, &mut |s, out| {
        out.extend_from_slice(backwards.sources(s));
    });
    (after, before)
}

/// By state, how many transitions lead to it from one of `starts`, if at most `n_max` do.
fn distances(
    n: usize,
    starts: &[u32],
    n_max: usize,
    next: &mut dyn FnMut(u32, &mut Vec<u32>),
) -> Vec<Option<u32>> {
    let mut distance = vec![None; n];
    let mut order = Vec::new();
    for &start in starts {
        if distance[start as usize].is_none() {
            distance[start as usize] = Some(0);
            order.push(start);
        }
    }
    let (mut at, mut targets) = (0, Vec::new());
    while at < order.len() {
        let state = order[at];
        at += 1;
        let here = distance[state as usize].unwrap_or(0);
        if here as usize >= n_max {
            break;
        }
        targets.clear();
        next(state, &mut targets);
        for &target in &targets {
            let place = &mut distance[target as usize];
            if place.is_none() {
                *place = Some(here + 1);
                order.push(target);
            }
        }
    }
    distance
}
