//! A strongly connected part of the quotient, with all that fairness asks about it.
//!
//! **Threads.** In the quotient a process has no name that lasts: a way from `r` leads to a state
//! `s` whose representative `r'` a symmetry `g` makes of it, and who was process `i` in `s` is
//! `g(i)` in `r'`. So one follows pairs (state, process) along the ways: `(r, i)` goes on to
//! `(r', g(i))`. Each way takes the processes one to one, so that a part of this thread graph that
//! hangs together is strongly connected like the component itself, and one process of the system is
//! in one such part for as long as the run stays in the component.
//!
//! **Weak fairness**: no process can always take a step and never takes one. A component has a fair
//! run through all of it exactly if every part of the thread graph has a step by its process, or a
//! state in which that process can take none. What is unfair here is so in every smaller cycle too.
//! **Strong fairness**: no process can take a step again and again and never takes one. A part
//! without a step by its process must never be able to take one: states where it can are taken out,
//! and what is left is looked at anew.
//!
//! Worked example: two processes take turns and nothing tells them apart. The quotient has one
//! state `r` and one way, `r → r`, by process 1, with the exchange as symmetry. Threads: `(r, 1)`
//! goes to `(r, 2)` and back: one part, with a step in it. The run is fair: both take steps. With
//! the identity as symmetry there are two parts, and `(r, 2)` has no step: if process 2 can take
//! one there, the run is unfair.

use super::space::{Space, Way};
use super::{Fairness, Strength};
use crate::Symmetry;
use crate::outcome::StopReason;
use crate::store::NodeId;
use std::collections::{HashMap, VecDeque};

/// Part of the quotient; its states have places from 0.
pub struct Component {
    /// The states, by place.
    pub nodes: Vec<NodeId>,
    /// By place: the ways that stay inside, their targets as places.
    ways: Vec<Vec<(usize, Way)>>,
    /// By place: who can take a step.
    enabled: Vec<Vec<u32>>,
    accepting: Vec<bool>,
}

/// A state of a component, whatever states are.
pub struct Place {
    /// The state of the system.
    pub node: NodeId,
    /// The ways on, their targets as places.
    pub ways: Vec<(usize, Way)>,
    /// Who can take a step.
    pub enabled: Vec<u32>,
    /// Whether a run has to be here, or in another such place, again and again.
    pub is_accepting: bool,
}

/// Which way is taken at a place.
pub type Turn = (usize, u32);

/// How a search came to a place with a process: from where, and by which way.
type Came = HashMap<(usize, u32), ((usize, u32), u32)>;

/// The parts of the thread graph.
struct Threads {
    n_actors: usize,
    /// By place and process: another of the same part, or itself for the one that stands for all.
    leader: Vec<usize>,
    /// By leader: whether the process takes a step, whether it cannot take one somewhere, whether
    /// it can somewhere.
    steps: Vec<bool>,
    rests: Vec<bool>,
    can: Vec<bool>,
}

impl Component {
    /// The component of these states.
    pub fn of(
        space: &mut Space<'_>,
        nodes: &[NodeId],
        accepting: &dyn Fn(&[u8]) -> bool,
        fairness: &Fairness<'_>,
    ) -> Result<Component, StopReason> {
        let places: HashMap<NodeId, usize> = nodes
            .iter()
            .enumerate()
            .map(|(i, &node)| (node, i))
            .collect();
        let mut component = Component {
            nodes: nodes.to_vec(),
            ways: Vec::new(),
            enabled: Vec::new(),
            accepting: Vec::new(),
        };
        for &node in nodes {
            space.tick()?;
            component.accepting.push(accepting(space.load(node)));
            let ways = space.ways(node)?;
            let mut enabled: Vec<u32> = ways
                .iter()
                .flat_map(|way| fairness.able(&way.actors))
                .copied()
                .collect();
            enabled.sort_unstable();
            enabled.dedup();
            component.enabled.push(enabled);
            let inside = ways.into_iter().filter_map(|way| {
                let place = places.get(&way.target)?;
                Some((*place, way))
            });
            let inside: Vec<(usize, Way)> = inside.collect();
            let bytes = inside.iter().map(|(_, way)| way.bytes()).sum();
            space.account.take(bytes)?;
            component.ways.push(inside);
        }
        Ok(component)
    }

    /// Made of these places.
    pub fn made_of(places: impl Iterator<Item = Place>) -> Component {
        let mut component = Component {
            nodes: Vec::new(),
            ways: Vec::new(),
            enabled: Vec::new(),
            accepting: Vec::new(),
        };
        for place in places {
            component.nodes.push(place.node);
            component.ways.push(place.ways);
            component.enabled.push(place.enabled);
            component.accepting.push(place.is_accepting);
        }
        component
    }

    /// All places of parts with an accepting cycle that is fair.
    pub fn fair_places(&self, fairness: &Fairness<'_>) -> Vec<usize> {
        let mut open: Vec<Vec<usize>> = vec![(0..self.nodes.len()).collect()];
        let mut found = Vec::new();
        while let Some(kept) = open.pop() {
            for part in self.components(&kept) {
                if !part.iter().any(|place| self.accepting[*place]) {
                    continue;
                }
                match self.shrunk(&part, fairness) {
                    Some(smaller) if smaller.len() == part.len() => found.extend(part),
                    Some(smaller) => open.push(smaller),
                    None => {}
                }
            }
        }
        found
    }

    /// The places of a part with an accepting cycle that is fair; `None` if there is none.
    pub fn fair_part(&self, fairness: &Fairness<'_>) -> Option<Vec<usize>> {
        let mut open: Vec<Vec<usize>> = vec![(0..self.nodes.len()).collect()];
        while let Some(kept) = open.pop() {
            for part in self.components(&kept) {
                if !part.iter().any(|place| self.accepting[*place]) {
                    continue;
                }
                let Some(smaller) = self.shrunk(&part, fairness) else {
                    continue;
                };
                if smaller.len() == part.len() {
                    return Some(part);
                }
                open.push(smaller);
            }
        }
        None
    }

    /// What is left of a strongly connected part when states are taken out that no fair cycle has;
    /// all of it if it is fair, `None` if there is no fair cycle.
    fn shrunk(&self, part: &[usize], fairness: &Fairness<'_>) -> Option<Vec<usize>> {
        let Some(carry) = fairness.carry() else {
            return Some(part.to_vec());
        };
        let threads = self.threads(part, carry);
        if !threads.are_weakly_fair() {
            return None;
        }
        let stays = |place: &&usize| {
            self.enabled[**place].iter().all(|actor| {
                let is_strong = fairness.strength(*actor) == Some(Strength::Strong);
                !is_strong || threads.steps[threads.find(threads.at(**place, *actor))]
            })
        };
        let kept: Vec<usize> = part.iter().filter(stays).copied().collect();
        (!kept.is_empty()).then_some(kept)
    }

    fn threads(&self, part: &[usize], carry: super::Carry<'_>) -> Threads {
        let inside = self.inside(part);
        let n_actors = self.n_actors(part, carry);
        let n = self.nodes.len() * n_actors;
        let mut threads = Threads {
            n_actors,
            leader: (0..n).collect(),
            steps: vec![false; n],
            rests: vec![false; n],
            can: vec![false; n],
        };
        for &place in part {
            for (target, way) in self.ways[place].iter().filter(|(t, _)| inside[*t]) {
                for actor in 0..n_actors as u32 {
                    let next = threads.at(*target, carry(&way.by, actor));
                    threads.union(threads.at(place, actor), next);
                }
            }
        }
        for &place in part {
            for actor in 0..n_actors as u32 {
                let leader = threads.find(threads.at(place, actor));
                let can = self.enabled[place].contains(&actor);
                threads.can[leader] |= can;
                threads.rests[leader] |= !can;
            }
            for (_, way) in self.ways[place].iter().filter(|(t, _)| inside[*t]) {
                for &actor in &way.actors {
                    let leader = threads.find(threads.at(place, actor));
                    threads.steps[leader] = true;
                }
            }
        }
        threads
    }

    fn inside(&self, part: &[usize]) -> Vec<bool> {
        let mut inside = vec![false; self.nodes.len()];
        for &place in part {
            inside[place] = true;
        }
        inside
    }

    /// How many processes matter: all that can take steps, and all that symmetries make of these.
    fn n_actors(&self, part: &[usize], carry: super::Carry<'_>) -> usize {
        let places = part.iter();
        let ways = || part.iter().flat_map(|&place| &self.ways[place]);
        let enabled = places.flat_map(|&place| &self.enabled[place]);
        let actors = ways().flat_map(|(_, way)| &way.actors);
        let mut n = enabled.chain(actors).max().map_or(0, |most| *most + 1);
        loop {
            let image = ways().filter(|(_, way)| !way.by.is_identity());
            let image = image.flat_map(|(_, way)| (0..n).map(|actor| carry(&way.by, actor) + 1));
            match image.max() {
                Some(most) if most > n => n = most,
                _ => return n as usize,
            }
        }
    }

    /// The strongly connected parts with a cycle of what is kept, by Kosaraju's two searches.
    fn components(&self, kept: &[usize]) -> Vec<Vec<usize>> {
        let inside = self.inside(kept);
        let mut back: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for &place in kept {
            for (target, _) in self.ways[place].iter().filter(|(t, _)| inside[*t]) {
                back[*target].push(place);
            }
        }
        let mut order = Vec::new();
        let mut seen = vec![false; self.nodes.len()];
        for &start in kept {
            let mut stack = vec![(start, 0)];
            if std::mem::replace(&mut seen[start], true) {
                continue;
            }
            while let Some((place, next)) = stack.last_mut() {
                let Some((target, _)) = self.ways[*place].get(*next) else {
                    order.push(*place);
                    stack.pop();
                    continue;
                };
                *next += 1;
                if inside[*target] && !std::mem::replace(&mut seen[*target], true) {
                    stack.push((*target, 0));
                }
            }
        }
        let mut parts = Vec::new();
        let mut taken = vec![false; self.nodes.len()];
        for &start in order.iter().rev() {
            if std::mem::replace(&mut taken[start], true) {
                continue;
            }
            let (mut part, mut at) = (vec![start], 0);
            while let Some(&place) = part.get(at) {
                at += 1;
                for &source in &back[place] {
                    if !std::mem::replace(&mut taken[source], true) {
                        part.push(source);
                    }
                }
            }
            let loops = |place: &usize| self.ways[*place].iter().any(|(t, _)| t == place);
            if part.len() > 1 || part.iter().any(loops) {
                part.sort_unstable();
                parts.push(part);
            }
        }
        parts
    }

    /// A closed walk inside a fair part, from an accepting place, which makes every process do what
    /// fairness asks, and that place.
    pub fn walk(&self, part: &[usize], fairness: &Fairness<'_>) -> (usize, Vec<Turn>) {
        let start = part.iter().copied().find(|place| self.accepting[*place]);
        let start = start.expect("a part that accepts");
        let inside = self.inside(part);
        let mut walk = Vec::new();
        let mut here = start;
        if let Some(carry) = fairness.carry() {
            let n_actors = self.n_actors(part, carry);
            for thread in 0..n_actors as u32 {
                // Who has another number later is owed the same.
                let strong = fairness.strength(thread) == Some(Strength::Strong);
                let mut actor = thread;
                let mut done = false;
                for &(place, index) in &walk {
                    done |= self.is_served(place, index, actor, strong);
                    actor = carry(&self.way(place, index).by, actor);
                }
                if !done {
                    let more = self.towards(&inside, (here, actor), strong, carry);
                    here = more.last().map_or(here, |turn| self.target(*turn));
                    walk.extend(more);
                }
            }
        }
        walk.extend(self.path(&inside, here, start, walk.is_empty()));
        (start, walk)
    }

    /// Whether this turn is what fairness asks for on behalf of a process.
    fn is_served(&self, place: usize, index: u32, actor: u32, strong: bool) -> bool {
        let way = self.way(place, index);
        way.actors.contains(&actor) || (!strong && !self.enabled[place].contains(&actor))
    }

    /// The shortest turns after which a process has taken a step, or has been where it cannot take
    /// one; none if it never can.
    fn towards(
        &self,
        inside: &[bool],
        from: (usize, u32),
        strong: bool,
        carry: super::Carry<'_>,
    ) -> Vec<Turn> {
        let mut came = Came::new();
        let mut open = VecDeque::from([from]);
        let back = |came: &Came, mut at, last: Turn| {
            let mut turns = vec![last];
            while at != from {
                let ((place, actor), index) = came[&at];
                turns.push((place, index));
                at = (place, actor);
            }
            turns.reverse();
            turns
        };
        while let Some((place, actor)) = open.pop_front() {
            for (target, way) in self.ways[place].iter().filter(|(t, _)| inside[*t]) {
                if self.is_served(place, way.index, actor, strong) {
                    return back(&came, (place, actor), (place, way.index));
                }
                let next = (*target, carry(&way.by, actor));
                if next != from && !came.contains_key(&next) {
                    came.insert(next, ((place, actor), way.index));
                    open.push_back(next);
                }
            }
        }
        Vec::new()
    }

    /// The shortest turns from a place to another, at least one if `moves`.
    fn path(&self, inside: &[bool], from: usize, to: usize, moves: bool) -> Vec<Turn> {
        if from == to && !moves {
            return Vec::new();
        }
        let mut came: HashMap<usize, Turn> = HashMap::new();
        let mut open = VecDeque::from([from]);
        while let Some(place) = open.pop_front() {
            for (target, way) in self.ways[place].iter().filter(|(t, _)| inside[*t]) {
                if came.contains_key(target) {
                    continue;
                }
                came.insert(*target, (place, way.index));
                if *target == to {
                    let mut turns = vec![(place, way.index)];
                    let mut at = place;
                    while at != from {
                        turns.push(came[&at]);
                        at = came[&at].0;
                    }
                    turns.reverse();
                    return turns;
                }
                open.push_back(*target);
            }
        }
        unreachable!("a strongly connected part")
    }

    /// The shortest turns from the first of some places to another inside a part.
    pub fn way_to(&self, part: &[usize], from: usize, to: usize) -> Vec<Turn> {
        self.path(&self.inside(part), from, to, false)
    }

    fn way(&self, place: usize, index: u32) -> &Way {
        let ways = &self.ways[place];
        let at = ways.iter().position(|(_, way)| way.index == index);
        &ways[at.expect("a way of the place")].1
    }

    /// Where a turn leads.
    pub fn target(&self, (place, index): Turn) -> usize {
        let ways = self.ways[place].iter();
        let at = ways.clone().position(|(_, way)| way.index == index);
        self.ways[place][at.expect("a way of the place")].0
    }
}

impl Way {
    /// Nothing moves.
    pub fn staying(node: NodeId) -> Way {
        Way {
            index: u32::MAX,
            target: node,
            by: Symmetry::default(),
            actors: Vec::new(),
        }
    }

    /// What it takes.
    pub fn bytes(&self) -> u64 {
        let words = self.by.image().len() + self.actors.len();
        (size_of::<(usize, Way)>() + words * size_of::<u32>()) as u64
    }
}

impl Threads {
    fn at(&self, place: usize, actor: u32) -> usize {
        place * self.n_actors + actor as usize
    }

    fn find(&self, mut x: usize) -> usize {
        while self.leader[x] != x {
            x = self.leader[x];
        }
        x
    }

    fn union(&mut self, x: usize, y: usize) {
        let (x, y) = (self.settle(x), self.settle(y));
        self.leader[x.max(y)] = x.min(y);
    }

    /// The leader of `x`, whose way to it is halved.
    fn settle(&mut self, mut x: usize) -> usize {
        while self.leader[x] != x {
            self.leader[x] = self.leader[self.leader[x]];
            x = self.leader[x];
        }
        x
    }

    /// Whether every part has a step of its process or a state where it can take none.
    fn are_weakly_fair(&self) -> bool {
        (0..self.leader.len())
            .filter(|&x| self.leader[x] == x && self.can[x])
            .all(|x| self.steps[x] || self.rests[x])
    }
}
