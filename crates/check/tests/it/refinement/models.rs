//! Symmetric networks, made by hand and at random, with the permutations that they are made for.

use super::random::{leaf, names};
use reduce::network::Candidate;
use std::collections::BTreeMap;
use std::sync::Arc;
use system::network::{Label, Leaf, Network, Tree};

/// Events by name, in the order in which they are asked for.
#[derive(Default)]
pub struct Events {
    numbers: BTreeMap<String, u32>,
    names: Vec<Arc<str>>,
}

impl Events {
    pub fn label(&mut self, name: &str) -> Label {
        Label::event(self.number(name))
    }

    pub fn number(&mut self, name: &str) -> u32 {
        let next = self.names.len() as u32;
        let number = *self.numbers.entry(name.to_owned()).or_insert(next);
        if number == next {
            self.names.push(name.into());
        }
        number
    }

    pub fn names(&self) -> Arc<[Arc<str>]> {
        self.names.clone().into()
    }

    /// The permutation that a permutation of numbers in names gives: `a.1.2` has 1 and 2.
    pub fn lifted(&self, of: &BTreeMap<u32, u32>) -> Candidate {
        let image = |name: &Arc<str>| {
            let parts = name.split('.').map(|part| match part.parse::<u32>() {
                Ok(number) => of.get(&number).unwrap_or(&number).to_string(),
                Err(_) => part.to_owned(),
            });
            let parts: Vec<String> = parts.collect();
            self.numbers[&parts.join(".")]
        };
        Candidate {
            name: format!("{of:?}"),
            events: self.names.iter().map(image).collect(),
        }
    }

    /// All exchanges of two of some numbers.
    pub fn exchanges(&self, numbers: &[u32]) -> Vec<Candidate> {
        let mut all = Vec::new();
        for (i, &a) in numbers.iter().enumerate() {
            for &b in &numbers[i + 1..] {
                all.push(self.lifted(&BTreeMap::from([(a, b), (b, a)])));
            }
        }
        all
    }
}

/// Anything of these events, for ever.
pub fn run_of(events: &[u32]) -> Leaf {
    let edges = events.iter().map(|&event| (Label::event(event), 0));
    Leaf::new("RUN".into(), 0, &[edges.collect()])
}

/// The towers of Hanoi: discs `1..=d` start on pole 100, `move.disc.from.to` is shared by the two
/// poles. Discs are called by letters, so that only poles are numbers. With `is_wrong`, poles take
/// any disc.
pub fn hanoi(poles: u32, discs: u32, is_wrong: bool) -> (Network, Events) {
    let mut events = Events::default();
    let disc = |d: u32| char::from(b'a' + d as u8);
    let mut leaves = Vec::new();
    let mut children = Vec::new();
    for pole in 100..100 + poles {
        let mut edges = vec![Vec::new(); 1 << discs];
        let mut alphabet = Vec::new();
        for other in (100..100 + poles).filter(|&other| other != pole) {
            for d in 0..discs {
                let away = events.number(&format!("move.{}.{pole}.{other}", disc(d)));
                let here = events.number(&format!("move.{}.{other}.{pole}", disc(d)));
                alphabet.extend([away, here]);
                for (set, edges) in edges.iter_mut().enumerate() {
                    let smallest = set.trailing_zeros();
                    if set != 0 && smallest == d {
                        edges.push((Label::event(away), (set & !(1 << d)) as u32));
                    }
                    let fits = set == 0 || smallest > d || is_wrong && set & (1 << d) == 0;
                    if fits {
                        edges.push((Label::event(here), (set | 1 << d) as u32));
                    }
                }
            }
        }
        alphabet.sort_unstable();
        let initial = if pole == 100 { (1 << discs) - 1 } else { 0 };
        let name = format!("POLE({pole})");
        leaves.push(Arc::new(Leaf::new(name.into(), initial, &edges)));
        children.push((alphabet.into(), Tree::Leaf(leaves.len() - 1)));
    }
    let tree = Tree::Alphabetised(children);
    (Network::new(events.names(), leaves, tree, 1 << 20), events)
}

/// Users `1..=n` pass a token on to anyone: who has it enters and leaves, or passes it on. The
/// user's state says to whom it gave the token last, and the arbiter's who has it, so that states
/// name users. `special` has an event more. With `is_wrong` a user may enter without the token.
pub fn token(n: u32, special: Option<u32>, is_wrong: bool) -> (Network, Events) {
    let mut events = Events::default();
    let mut leaves = Vec::new();
    let mut alphabets = Vec::new();
    for i in 1..=n {
        // 0 has it, 1 is in, 1 + j gave it to j; who has not had it yet is 1 + i.
        let mut edges = vec![Vec::new(); n as usize + 2];
        edges[0].push((events.label(&format!("enter.{i}")), 1));
        edges[1].push((events.label(&format!("leave.{i}")), 0));
        let others: Vec<u32> = (1..=n).filter(|&j| j != i).collect();
        for &j in &others {
            edges[0].push((events.label(&format!("pass.{i}.{j}")), 1 + j));
            for gave in 1..=n {
                let back = (events.label(&format!("pass.{j}.{i}")), 0);
                edges[1 + gave as usize].push(back);
            }
            // It remembers to whom it gave the token.
            edges[1 + j as usize].push((events.label(&format!("asks.{i}.{j}")), 1 + j));
        }
        if is_wrong {
            edges[1 + i as usize].push((events.label(&format!("enter.{i}")), 1));
        }
        let take = events.label(&format!("first.{i}"));
        edges[1 + i as usize].push((take, 0));
        if special == Some(i) {
            edges[1].push((events.label("bell"), 1));
        }
        let used = edges.iter().flatten().filter_map(|edge| edge.0.as_event());
        let mut used: Vec<u32> = used.collect();
        used.sort_unstable();
        used.dedup();
        alphabets.push(used);
        leaves.push(Arc::new(Leaf::new(
            format!("USER({i})").into(),
            1 + i,
            &edges,
        )));
    }
    // The arbiter lets one begin, and then knows who has it.
    let mut edges = vec![Vec::new(); n as usize + 1];
    for i in 1..=n {
        edges[0].push((events.label(&format!("first.{i}")), i));
        for j in (1..=n).filter(|&j| j != i) {
            edges[i as usize].push((events.label(&format!("pass.{i}.{j}")), j));
        }
    }
    let used = edges.iter().flatten().filter_map(|edge| edge.0.as_event());
    let mut used: Vec<u32> = used.collect();
    used.sort_unstable();
    used.dedup();
    alphabets.push(used);
    leaves.push(Arc::new(Leaf::new("ARBITER".into(), 0, &edges)));
    let children = alphabets.into_iter().enumerate();
    let children = children.map(|(i, set)| (set.into(), Tree::Leaf(i)));
    let mut hidden: Vec<u32> = Vec::new();
    for i in 1..=n {
        hidden.push(events.number(&format!("first.{i}")));
    }
    hidden.sort_unstable();
    let tree = Tree::Hide(hidden.into(), Tree::Alphabetised(children.collect()).into());
    (Network::new(events.names(), leaves, tree, 1 << 20), events)
}

/// One user of `n` may be in at a time; all else is allowed.
pub fn one_at_a_time(n: u32, events: &mut Events) -> Leaf {
    let mut edges = vec![Vec::new(); n as usize + 1];
    for i in 1..=n {
        edges[0].push((events.label(&format!("enter.{i}")), i));
        edges[i as usize].push((events.label(&format!("leave.{i}")), 0));
    }
    let others: Vec<u32> = (0..events.names().len() as u32)
        .filter(|&e| {
            let name = events.names()[e as usize].to_string();
            !name.starts_with("enter") && !name.starts_with("leave")
        })
        .collect();
    for (state, edges) in edges.iter_mut().enumerate() {
        edges.extend(others.iter().map(|&e| (Label::event(e), state as u32)));
    }
    Leaf::new("SPEC".into(), 0, &edges)
}

/// A random network of `n` copies of a leaf, and a leaf that all of them may share events with.
///
/// Events: `a.i`, `b.i` of copy `i`; `c.i.j`, which copy `i` does about `j`; `d` of everybody.
pub struct Copies {
    pub network: Network,
    pub spec: Network,
    pub candidates: Vec<Candidate>,
}

pub fn copies(rng: &mut fastrand::Rng, n: u32) -> Copies {
    let n_events = 2 * n + n * n + 1;
    let a = |i: u32| i;
    let b = move |i: u32| n + i;
    let c = move |i: u32, j: u32| 2 * n + n * i + j;
    let d = n_events - 1;
    // Over events a b c0 c1 d of copy 0: c1 stands for c.0.j for all j but 0, and leads to a state
    // that may remember j.
    let remembers = rng.bool();
    let network_of = |rng: &mut fastrand::Rng, draft: &Leaf| {
        let n_states = draft.n_states();
        let leaves = (0..n).map(|i| {
            let others: Vec<u32> = (0..n).filter(|&j| j != i).collect();
            let n_kept = if remembers { n } else { 1 };
            // State s that remembers j is s * n_kept + j; i stands for nobody.
            let mut edges = vec![Vec::new(); (n_states * n_kept) as usize];
            for s in 0..n_states {
                for k in 0..n_kept {
                    let from = (s * n_kept + k) as usize;
                    for &(label, to) in draft.edges(s) {
                        let keep = |j: u32| to * n_kept + if remembers { j } else { 0 };
                        let same = keep(k);
                        match label.as_event() {
                            None => edges[from]
                                .push((label, if label == Label::TICK { 0 } else { same })),
                            Some(0) => edges[from].push((Label::event(a(i)), same)),
                            Some(1) => edges[from].push((Label::event(b(i)), same)),
                            Some(2) => edges[from].push((Label::event(c(i, i)), keep(i))),
                            Some(3) => {
                                for &j in &others {
                                    edges[from].push((Label::event(c(i, j)), keep(j)));
                                }
                            }
                            Some(4) if remembers && k != i => {
                                edges[from].push((Label::event(c(i, k)), keep(i)));
                            }
                            Some(_) => edges[from].push((Label::event(d), same)),
                        }
                    }
                }
            }
            let start = if remembers { i } else { 0 };
            Arc::new(Leaf::new(format!("P({i})").into(), start, &edges))
        });
        let mut leaves: Vec<Arc<Leaf>> = leaves.collect();
        let mut shared: Vec<u32> = Vec::new();
        for (kind, all) in [
            (0..n).map(a).collect::<Vec<_>>(),
            (0..n).flat_map(|i| (0..n).map(move |j| c(i, j))).collect(),
            vec![d],
        ]
        .into_iter()
        .enumerate()
        {
            if rng.u32(0..3) == 0 && (kind != 0 || n < 4) {
                shared.extend(all);
            }
        }
        shared.sort_unstable();
        let parts: Vec<Tree> = (0..n as usize).map(Tree::Leaf).collect();
        let inner_set: Vec<u32> = shared.iter().copied().filter(|&e| e == d).collect();
        let mut tree = match rng.bool() || n != 3 {
            true => Tree::Parallel(inner_set.into(), parts),
            false => {
                let set: system::network::tree::Events = inner_set.into();
                let two = Tree::Parallel(set.clone(), vec![Tree::Leaf(1), Tree::Leaf(2)]);
                Tree::Parallel(set, vec![Tree::Leaf(0), two])
            }
        };
        if rng.bool() {
            // A leaf that counts what was shared, and remembers who did it last.
            let mut edges = vec![Vec::new(); n as usize + 1];
            for edges in &mut edges {
                for &e in &shared {
                    let who = match e {
                        e if e < n => 1 + e,
                        e if e == d => 0,
                        e => 1 + (e - 2 * n) / n,
                    };
                    edges.push((Label::event(e), who));
                }
            }
            leaves.push(Arc::new(Leaf::new("WATCH".into(), 0, &edges)));
            tree = Tree::Parallel(shared.into(), vec![tree, Tree::Leaf(n as usize)]);
        }
        if rng.bool() {
            let hidden: Vec<u32> = (0..n).map(b).collect();
            tree = Tree::Hide(hidden.into(), tree.into());
        }
        Network::new(
            names(n_events),
            leaves,
            tree,
            if rng.bool() { 10_000 } else { 0 },
        )
    };
    let draft = leaf(rng, 3, 6);
    let other = leaf(rng, 2, 6);
    let network = network_of(rng, &draft);
    let is_same = rng.bool();
    let spec = network_of(rng, if is_same { &draft } else { &other });
    let mut candidates = Vec::new();
    for x in 0..n {
        for y in x + 1..n {
            let at = |i: u32| match i {
                i if i == x => y,
                i if i == y => x,
                i => i,
            };
            let image = |e: u32| match e {
                e if e < n => a(at(e)),
                e if e < 2 * n => b(at(e - n)),
                e if e == d => d,
                e => c(at((e - 2 * n) / n), at((e - 2 * n) % n)),
            };
            candidates.push(Candidate {
                name: format!("({x} {y})"),
                events: (0..n_events).map(image).collect(),
            });
        }
    }
    Copies {
        network,
        spec,
        candidates,
    }
}
