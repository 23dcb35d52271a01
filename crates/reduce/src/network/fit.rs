//! How one leaf lies on another once its events are renamed.
//!
//! Between reduced leaves there is at most one bijection of states that takes the start to the
//! start and transitions to transitions, events renamed: a permutation bisimulation of reduced
//! leaves is one. It is looked for by colours: a state starts with its distance from the start, and
//! is mixed with its labels and the colours they lead to until all states differ or no more do.
//! What is found is checked transition by transition, so that equal hashes of different things do
//! no harm but to find nothing.
//!
//! Worked example. `P(1)`: `enter.1` from 0 to 1, `leave.1` back. `P(2)` the same, with its states
//! called the other way round. Events renamed by (1 2), colours of `P(1)` are (distance 0,
//! `enter.2` to a state of distance 1) and (distance 1, `leave.2` to …): those of 1 and 0 of
//! `P(2)`.

use model::network::{Label, Leaf, Network};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet, VecDeque};

/// Colours of states, sorted, each with its state.
#[derive(Clone, Debug)]
pub struct Colours {
    by_colour: Vec<(u64, u32)>,
    /// Whether all differ.
    is_discrete: bool,
}

/// The label that a renaming of events makes of a label.
#[inline]
pub fn renamed(map: &[u32], label: Label) -> Label {
    match label.as_event() {
        Some(event) => match map.get(event as usize) {
            Some(&image) => Label::event(image),
            None => label,
        },
        None => label,
    }
}

/// The leaves of a network, with what does not depend on a renaming.
pub struct Leaves<'a> {
    network: &'a Network,
    own: Vec<Colours>,
    /// By leaf: its events, ascending.
    alphabets: Vec<Vec<u32>>,
}

impl<'a> Leaves<'a> {
    /// Looks at the leaves of a network.
    pub fn new(network: &'a Network) -> Leaves<'a> {
        let leaves = network.leaves().iter();
        let alphabets = leaves.clone().map(|leaf| {
            let edges = (0..leaf.n_states()).flat_map(|state| leaf.edges(state));
            let mut events: Vec<u32> = edges.filter_map(|edge| edge.0.as_event()).collect();
            events.sort_unstable();
            events.dedup();
            events
        });
        Leaves {
            network,
            own: leaves.clone().map(|leaf| Colours::new(leaf, &[])).collect(),
            alphabets: alphabets.collect(),
        }
    }

    /// The network.
    pub fn network(&self) -> &'a Network {
        self.network
    }

    /// The events of a leaf, ascending.
    pub fn alphabet(&self, leaf: usize) -> &[u32] {
        &self.alphabets[leaf]
    }

    /// Colours of a leaf with its own events.
    pub fn own(&self, leaf: usize) -> &Colours {
        &self.own[leaf]
    }

    /// Colours of a leaf whose events are renamed. Where all of them stay what they are, these are
    /// its own, and nothing is done.
    pub fn renamed(&self, leaf: usize, map: &[u32]) -> Cow<'_, Colours> {
        if self.is_kept(leaf, map) {
            Cow::Borrowed(&self.own[leaf])
        } else {
            Cow::Owned(Colours::new(&self.network.leaves()[leaf], map))
        }
    }

    /// Where the states of a leaf go whose events are renamed, if it becomes the leaf `to`, with
    /// each transition checked.
    pub fn laid(&self, leaf: usize, map: &[u32], to: usize) -> Option<Vec<u32>> {
        let leaves = self.network.leaves();
        if leaf == to && self.own[leaf].is_discrete && self.is_kept(leaf, map) {
            return Some((0..=leaves[leaf].n_states()).collect());
        }
        let image = match walk(&leaves[leaf], map, &leaves[to]) {
            Walk::Differs => None,
            Walk::Laid(image) => Some(image),
            Walk::Open => self.renamed(leaf, map).bijection(&self.own[to]),
        };
        image.filter(|image| is_isomorphism(&leaves[leaf], map, &leaves[to], image))
    }

    /// Whether no two leaves have the same colours.
    pub fn are_different(&self) -> bool {
        let mut own: Vec<Vec<u64>> = (self.own.iter())
            .map(|colours| colours.by_colour.iter().map(|of| of.0).collect())
            .collect();
        own.sort_unstable();
        own.windows(2).all(|two| two[0] != two[1])
    }

    /// Whether a leaf whose events are renamed has the events of another, and as many states. If
    /// not, it does not become that leaf.
    pub fn may_become(&self, leaf: usize, map: &[u32], other: usize) -> bool {
        let (events, others) = (&self.alphabets[leaf], &self.alphabets[other]);
        let leaves = self.network.leaves();
        leaves[leaf].n_states() == leaves[other].n_states()
            && events.len() == others.len()
            && events.iter().all(|&event| {
                let image = map.get(event as usize).unwrap_or(&event);
                others.binary_search(image).is_ok()
            })
    }

    /// Whether a renaming changes no event of a leaf.
    fn is_kept(&self, leaf: usize, map: &[u32]) -> bool {
        let mut events = self.alphabets[leaf].iter();
        events.all(|&event| map.get(event as usize).is_none_or(|&image| image == event))
    }
}

impl Colours {
    /// Colours of the states of a leaf whose events are renamed.
    pub fn new(leaf: &Leaf, map: &[u32]) -> Colours {
        let n = leaf.n_states();
        let mut colours = distances(leaf);
        let mut n_colours = count(&colours);
        // Where all differ once more, so that labels and targets are in the colours.
        loop {
            let next = |state: u32| {
                let edges = leaf.edges(state).iter();
                let sum = edges.fold(0u64, |sum, &(label, target)| {
                    let to = match label {
                        Label::TICK => 1,
                        _ => colours[target as usize],
                    };
                    let label = renamed(map, label).index() as u64;
                    sum.wrapping_add(mix(mix(label).wrapping_add(to)))
                });
                mix(colours[state as usize].rotate_left(1) ^ sum)
            };
            let made: Vec<u64> = (0..n).map(next).collect();
            let n_made = count(&made);
            colours = made;
            if n_made == n_colours {
                break;
            }
            n_colours = n_made;
        }
        let mut by_colour: Vec<(u64, u32)> = colours.into_iter().zip(0..).collect();
        by_colour.sort_unstable();
        let is_discrete = by_colour.windows(2).all(|two| two[0].0 != two[1].0);
        Colours {
            by_colour,
            is_discrete,
        }
    }

    /// Whether all states differ: a reduced leaf's do.
    pub fn is_discrete(&self) -> bool {
        self.is_discrete
    }

    /// Whether each state has the colour of one of the other, and no two the same.
    pub fn fits(&self, other: &Colours) -> bool {
        let mut both = self.by_colour.iter().zip(&other.by_colour);
        self.is_discrete
            && self.by_colour.len() == other.by_colour.len()
            && both.all(|(one, other)| one.0 == other.0)
    }

    /// The bijection of states of equal colours, if there is one.
    pub fn bijection(&self, other: &Colours) -> Option<Vec<u32>> {
        if !self.fits(other) {
            return None;
        }
        let both = self.by_colour.iter().zip(&other.by_colour);
        let mut image = vec![0; self.by_colour.len() + 1];
        for (one, other) in both {
            image[one.1 as usize] = other.1;
        }
        // Where a leaf has ended it has ended.
        image[self.by_colour.len()] = self.by_colour.len() as u32;
        Some(image)
    }
}

/// What following two leaves side by side shows.
#[derive(PartialEq, Eq, Debug)]
pub enum Walk {
    /// The one does not become the other.
    Differs,
    /// If it does, this is where states go.
    Laid(Vec<u32>),
    /// Somewhere a label leads to several states.
    Open,
}

/// Follows a leaf whose events are renamed, and another, from start to start: states that belong
/// together have the same labels, and where a label leads to one state in each, these belong
/// together again. Leaves that differ mostly do so near the start, so that this is much cheaper
/// than colours, which look at all states several times.
pub fn walk(leaf: &Leaf, map: &[u32], other: &Leaf) -> Walk {
    const NONE: u32 = u32::MAX;
    let n = leaf.n_states() as usize;
    if other.n_states() as usize != n {
        return Walk::Differs;
    }
    if n == 0 {
        return Walk::Laid(vec![0]);
    }
    let mut image = vec![NONE; n + 1];
    let mut is_taken = vec![false; n];
    let mut waiting = vec![(leaf.initial_state(), other.initial_state())];
    let mut moved: Vec<(Label, u32)> = Vec::new();
    let (mut at, mut n_laid) = (0, 0);
    while at < waiting.len() {
        let (from, to) = waiting[at];
        at += 1;
        if image[from as usize] == to {
            continue;
        }
        if image[from as usize] != NONE || std::mem::replace(&mut is_taken[to as usize], true) {
            return Walk::Differs;
        }
        image[from as usize] = to;
        n_laid += 1;
        let edges = leaf.edges(from).iter();
        moved.clear();
        moved.extend(edges.map(|&(label, target)| (renamed(map, label), target)));
        moved.sort_unstable();
        let theirs = other.edges(to);
        let both = || moved.iter().zip(theirs);
        if moved.len() != theirs.len() || both().any(|(ours, theirs)| ours.0 != theirs.0) {
            return Walk::Differs;
        }
        let is_single = |i: usize| {
            let same = |j: Option<usize>| j.and_then(|j| moved.get(j)).map(|edge| edge.0);
            same(i.checked_sub(1)) != Some(moved[i].0) && same(Some(i + 1)) != Some(moved[i].0)
        };
        for (i, (ours, theirs)) in both().enumerate() {
            if ours.0 != Label::TICK && is_single(i) {
                waiting.push((ours.1, theirs.1));
            }
        }
    }
    if n_laid < n {
        return Walk::Open;
    }
    // Where a leaf has ended it has ended.
    image[n] = n as u32;
    Walk::Laid(image)
}

/// Whether `image` takes a leaf whose events are renamed to another: start to start, transitions
/// to just the transitions of the image.
pub fn is_isomorphism(leaf: &Leaf, map: &[u32], other: &Leaf, image: &[u32]) -> bool {
    let n = leaf.n_states() as usize;
    let mut seen = vec![false; n];
    let is_bijection = other.n_states() as usize == n
        && image.len() == n + 1
        && image[n] as usize == n
        && image[..n].iter().all(|&to| {
            let place = seen.get_mut(to as usize);
            place.is_some_and(|seen| !std::mem::replace(seen, true))
        });
    if !is_bijection || n > 0 && image[leaf.initial_state() as usize] != other.initial_state() {
        return false;
    }
    (0..n as u32).all(|state| {
        let edges = leaf.edges(state).iter();
        let moved = |&(label, to): &(Label, u32)| (renamed(map, label), image[to as usize]);
        let mut moved: Vec<(Label, u32)> = edges.map(moved).collect();
        moved.sort_unstable();
        // A renaming that makes two events one would lose a transition.
        moved == other.edges(image[state as usize])
    })
}

/// What two leaves do differently: after which labels, which label, and whether it is the first
/// leaf that can do it.
pub type Difference = (Vec<Label>, Label, bool);

/// How many sets of states are looked at for a difference.
const SETS_MAX: usize = 1000;

/// A difference between a leaf whose events are renamed and another, if it is one of traces, τ
/// included, and is soon found.
pub fn difference(leaf: &Leaf, map: &[u32], other: &Leaf) -> Option<Difference> {
    let plain: Vec<u32> = Vec::new();
    let start = (vec![leaf.initial_state()], vec![other.initial_state()]);
    let mut seen = HashSet::from([start.clone()]);
    let mut waiting = VecDeque::from([(start, Vec::new())]);
    while let Some(((ours, theirs), trace)) = waiting.pop_front() {
        let ours = after(leaf, map, &ours);
        let theirs = after(other, &plain, &theirs);
        let lacks = |all: &BTreeMap<Label, Vec<u32>>, label: &Label| !all.contains_key(label);
        if let Some(&label) = ours.keys().find(|label| lacks(&theirs, label)) {
            return Some((trace, label, true));
        }
        if let Some(&label) = theirs.keys().find(|label| lacks(&ours, label)) {
            return Some((trace, label, false));
        }
        for (label, to) in ours {
            let next = (to, theirs[&label].clone());
            if label != Label::TICK && seen.len() < SETS_MAX && seen.insert(next.clone()) {
                let mut longer: Vec<Label> = trace.clone();
                longer.push(label);
                waiting.push_back((next, longer));
            }
        }
    }
    None
}

/// Where labels lead from a set of states.
fn after(leaf: &Leaf, map: &[u32], states: &[u32]) -> BTreeMap<Label, Vec<u32>> {
    let mut all: BTreeMap<Label, Vec<u32>> = BTreeMap::new();
    for &(label, to) in states.iter().flat_map(|&state| leaf.edges(state)) {
        all.entry(renamed(map, label)).or_default().push(to);
    }
    for targets in all.values_mut() {
        targets.sort_unstable();
        targets.dedup();
    }
    all
}

/// Distances from the start, mixed.
fn distances(leaf: &Leaf) -> Vec<u64> {
    let n = leaf.n_states() as usize;
    let mut colours = vec![0; n];
    if n == 0 {
        return colours;
    }
    let mut level = vec![leaf.initial_state()];
    let mut distance = 1;
    colours[leaf.initial_state() as usize] = mix(distance);
    while !level.is_empty() {
        distance += 1;
        let mut next = Vec::new();
        for state in level {
            for &(label, to) in leaf.edges(state) {
                if label != Label::TICK && colours[to as usize] == 0 {
                    colours[to as usize] = mix(distance);
                    next.push(to);
                }
            }
        }
        level = next;
    }
    colours
}

fn count(colours: &[u64]) -> usize {
    let mut sorted = colours.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len()
}

/// A hash of a word (splitmix).
pub fn mix(word: u64) -> u64 {
    let mut x = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::bisimulation::reduced;

    #[test]
    fn a_shuffled_and_renamed_leaf_fits_and_a_changed_one_does_not() {
        let (mut n_changed, mut n_walked, mut n_differ) = (0, 0, 0);
        for seed in 0..2000 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let n = rng.u32(1..10);
            let mut edges = vec![Vec::new(); n as usize];
            for edges in &mut edges {
                for _ in 0..rng.u32(1..4) {
                    let label = match rng.u32(0..6) {
                        0 => Label::TAU,
                        _ => Label::event(rng.u32(0..3)),
                    };
                    edges.push((label, rng.u32(0..n)));
                }
            }
            let leaf = reduced(&Leaf::new("P".into(), 0, &edges));
            let n = leaf.n_states();
            let mut map = vec![0, 1, 2];
            rng.shuffle(&mut map);
            let mut places: Vec<u32> = (0..n).collect();
            rng.shuffle(&mut places);
            let mut edges = vec![Vec::new(); n as usize];
            for state in 0..n {
                edges[places[state as usize] as usize] = leaf
                    .edges(state)
                    .iter()
                    .map(|&(label, to)| (renamed(&map, label), places[to as usize]))
                    .collect::<Vec<_>>();
            }
            let other = Leaf::new("Q".into(), places[0], &edges);
            let colours = Colours::new(&leaf, &map);
            assert!(colours.is_discrete(), "seed {seed}");
            let image = colours.bijection(&Colours::new(&other, &[0, 1, 2]));
            let image = image.unwrap_or_else(|| panic!("seed {seed}: no bijection"));
            assert_eq!(image[..n as usize], places, "seed {seed}");
            assert!(is_isomorphism(&leaf, &map, &other, &image), "seed {seed}");
            let walked = walk(&leaf, &map, &other);
            assert!(
                walked == Walk::Open || walked == Walk::Laid(image.clone()),
                "seed {seed}: {walked:?}"
            );
            n_walked += usize::from(walked != Walk::Open);
            assert_eq!(difference(&leaf, &map, &other), None, "seed {seed}");
            // One more transition: no longer an image of the first.
            let (from, to) = (rng.usize(0..n as usize), rng.u32(0..n));
            edges[from].push((Label::event(rng.u32(0..3)), to));
            let changed = Leaf::new("Q".into(), places[0], &edges);
            if changed.edges(from as u32).len() > other.edges(from as u32).len() {
                n_changed += 1;
                assert!(
                    !is_isomorphism(&leaf, &map, &changed, &image),
                    "seed {seed}"
                );
                // That two differ is sure; where states go is a guess that has to be checked.
                let walked = walk(&leaf, &map, &changed);
                n_differ += usize::from(walked == Walk::Differs);
                if let Walk::Laid(image) = walked {
                    let fits = is_isomorphism(&leaf, &map, &changed, &image);
                    assert!(!fits, "seed {seed}");
                }
            }
        }
        assert!(n_changed > 500, "{n_changed}");
        assert!(n_walked > 500 && n_differ > 300, "{n_walked} {n_differ}");
    }
}
