//! Symmetric networks, made by hand and at random, with the permutations that they are made for.

use super::random::{leaf, names};
use model::network::{Label, Leaf, Network, Tree};
use reduce::network::Candidate;
use std::collections::BTreeMap;
use std::sync::Arc;

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
    let scheme = Scheme {
        n,
        remembers: rng.bool(),
    };
    let draft = leaf(rng, 3, 6);
    let other = leaf(rng, 2, 6);
    let network = scheme.network(rng, &draft);
    let is_same = rng.bool();
    let spec = scheme.network(rng, if is_same { &draft } else { &other });
    let mut candidates = Vec::new();
    for x in 0..n {
        for y in x + 1..n {
            candidates.push(scheme.exchange(x, y));
        }
    }
    Copies {
        network,
        spec,
        candidates,
    }
}

/// How many copies there are, and whether they remember whom they did something about.
#[derive(Clone, Copy)]
struct Scheme {
    n: u32,
    remembers: bool,
}

impl Scheme {
    fn a(self, i: u32) -> u32 {
        i
    }

    fn b(self, i: u32) -> u32 {
        self.n + i
    }

    fn c(self, i: u32, j: u32) -> u32 {
        2 * self.n + self.n * i + j
    }

    fn d(self) -> u32 {
        2 * self.n + self.n * self.n
    }

    /// Whose event it is, by numbers from 1 on; 0 for everybody's.
    fn who(self, event: u32) -> u32 {
        match event {
            e if e < self.n => 1 + e,
            e if e == self.d() => 0,
            e => 1 + (e - 2 * self.n) / self.n,
        }
    }

    /// Copy `i` of a draft over six events: `a`, `b`, `c` about itself, `c` about any other, `c`
    /// about whom it remembers, `d`.
    fn copy(self, draft: &Leaf, i: u32) -> Leaf {
        let n_kept = if self.remembers { self.n } else { 1 };
        // State s that remembers j is s * n_kept + j; i stands for nobody.
        let mut edges = vec![Vec::new(); (draft.n_states() * n_kept) as usize];
        for (from, edges) in edges.iter_mut().enumerate() {
            let (s, k) = (from as u32 / n_kept, from as u32 % n_kept);
            for &(label, to) in draft.edges(s) {
                let keep = |j: u32| to * n_kept + if self.remembers { j } else { 0 };
                match label.as_event() {
                    None if label == Label::TICK => edges.push((label, 0)),
                    None => edges.push((label, keep(k))),
                    Some(0) => edges.push((Label::event(self.a(i)), keep(k))),
                    Some(1) => edges.push((Label::event(self.b(i)), keep(k))),
                    Some(2) => edges.push((Label::event(self.c(i, i)), keep(i))),
                    Some(3) => {
                        for j in (0..self.n).filter(|&j| j != i) {
                            edges.push((Label::event(self.c(i, j)), keep(j)));
                        }
                    }
                    Some(4) if self.remembers && k != i => {
                        edges.push((Label::event(self.c(i, k)), keep(i)));
                    }
                    Some(_) => edges.push((Label::event(self.d()), keep(k))),
                }
            }
        }
        let start = if self.remembers { i } else { 0 };
        Leaf::new(format!("P({i})").into(), start, &edges)
    }

    /// A leaf that shares events, knows who did the last, and lets nobody do two in a row.
    fn watch(self, shared: &[u32]) -> Leaf {
        let mut edges = vec![Vec::new(); self.n as usize + 1];
        for (last, edges) in edges.iter_mut().enumerate() {
            for &event in shared {
                let who = self.who(event);
                if who == 0 || who != last as u32 {
                    edges.push((Label::event(event), who));
                }
            }
        }
        Leaf::new("WATCH".into(), 0, &edges)
    }

    fn network(self, rng: &mut fastrand::Rng, draft: &Leaf) -> Network {
        let n = self.n;
        let leaves = (0..n).map(|i| Arc::new(self.copy(draft, i)));
        let mut leaves: Vec<Arc<Leaf>> = leaves.collect();
        let mut shared: Vec<u32> = Vec::new();
        let cs = (0..n).flat_map(|i| (0..n).map(move |j| self.c(i, j)));
        for all in [(0..n).collect::<Vec<_>>(), cs.collect(), vec![self.d()]] {
            if rng.u32(0..3) == 0 {
                shared.extend(all);
            }
        }
        let set = shared.iter().copied().filter(|&e| e == self.d());
        let set: model::network::tree::Events = set.collect();
        let mut tree = if rng.bool() || n != 3 {
            Tree::Parallel(set, (0..n as usize).map(Tree::Leaf).collect())
        } else {
            let two = Tree::Parallel(set.clone(), vec![Tree::Leaf(1), Tree::Leaf(2)]);
            Tree::Parallel(set, vec![Tree::Leaf(0), two])
        };
        if rng.bool() {
            leaves.push(Arc::new(self.watch(&shared)));
            tree = Tree::Parallel(shared.into(), vec![tree, Tree::Leaf(n as usize)]);
        }
        if rng.bool() {
            let hidden: Vec<u32> = (0..n).map(|i| self.b(i)).collect();
            tree = Tree::Hide(hidden.into(), tree.into());
        }
        Network::new(names(self.d() + 1), leaves, tree, 10_000)
    }

    fn exchange(self, x: u32, y: u32) -> Candidate {
        let n = self.n;
        let at = |i: u32| match i {
            i if i == x => y,
            i if i == y => x,
            i => i,
        };
        let image = |e: u32| match e {
            e if e < n => self.a(at(e)),
            e if e < 2 * n => self.b(at(e - n)),
            e if e == self.d() => e,
            e => self.c(at((e - 2 * n) / n), at((e - 2 * n) % n)),
        };
        Candidate {
            name: format!("({x} {y})"),
            events: (0..=self.d()).map(image).collect(),
        }
    }
}
