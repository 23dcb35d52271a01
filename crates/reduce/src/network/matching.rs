//! Which leaf goes where under a permutation of events, proposed by walking the operator tree.
//!
//! An operator with its operands is laid on itself: its set of events has to be mapped to itself,
//! and its operands to operands, in some order. Two operands on which the same operand fits are
//! alike, so that it never matters which of them is taken: the first that is free. Sets count as
//! far as operands can do their events. Parallel operators of one kind that stand directly within
//! each other are taken as one, so that `P(1) ||| (P(2) ||| P(3))` is as symmetric as it looks.
//!
//! Under a renaming that gives each event one new name, and no two the same, events inside may be
//! permuted differently from those outside, as the renaming says. *Example.* `Cell[[c <- in.1]]`
//! and `Cell[[c <- in.2]]` under the exchange of `in.1` and `in.2`: inside `c` goes to `c`.
//!
//! This only proposes; what is proposed is checked elsewhere (`certify`). If nothing fits it says
//! what was in the way. The rules are those of Moffat, Goldsmith and Roscoe (2008, table
//! 1, rows 4, 5 and 7 to 11), with any permutation of operands.

use super::fit::{Colours, Leaves, Walk, difference, is_isomorphism, walk};
use super::refusal::{
    ComponentPair, NetworkPart, NoSymmetry, OperatorSet, PartMismatch, SetChange, TraceDifference,
};
use model::network::{Label, Network, Tree};
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Which leaf goes where, and by which renaming of its events.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// By leaf: where it goes.
    pub leaves: Vec<u32>,
    /// By leaf: what its events become.
    pub maps: Vec<Arc<[u32]>>,
}

/// What is known of a network before any permutation is.
pub struct Matcher<'a> {
    network: &'a Network,
    leaves: Arc<Leaves<'a>>,
    root: Node,
}

/// Whether whoever asks wants to hear what is in the way. To find that out takes longer than to
/// find that something is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reasons {
    /// It does.
    Given,
    /// It does not.
    Spared,
}

/// An operator, with sets as far as they matter.
#[derive(Debug)]
struct Node {
    kind: Kind,
    children: Vec<Node>,
    /// What it can do, at most.
    alphabet: Vec<u32>,
    leaves: Vec<usize>,
}

#[derive(Debug)]
enum Kind {
    Leaf(usize),
    Parallel(Vec<u32>),
    Alphabetised(Vec<Vec<u32>>),
    Hide(Vec<u32>),
    Rename(Vec<(u32, u32)>),
}

/// What was in the way, and how near it came.
struct Reason {
    nearness: u64,
    /// Nothing if nobody asked.
    mismatch: Option<PartMismatch>,
}

impl Reason {
    fn new(nearness: u64, mismatch: PartMismatch) -> Reason {
        Reason {
            nearness,
            mismatch: Some(mismatch),
        }
    }
}

/// Renamings and what was found out about leaves under them.
struct Trial<'a> {
    matcher: &'a Matcher<'a>,
    reasons: Reasons,
    maps: Vec<Arc<[u32]>>,
    colours: HashMap<(usize, usize), Cow<'a, Colours>>,
}

/// Old names with new ones, sorted.
type Relation = [(u32, u32)];

/// Leaf, the leaf it goes to, and the renaming.
type Placed = (usize, usize, usize);

impl<'a> Matcher<'a> {
    /// Looks at a network.
    pub fn new(leaves: Arc<Leaves<'a>>) -> Matcher<'a> {
        let network = leaves.network();
        Matcher {
            network,
            root: Node::of(network.tree(), &leaves),
            leaves,
        }
    }

    /// A leaf with states that cannot be told apart, or reached: none can be laid on it.
    pub fn unreduced(&self) -> Option<usize> {
        let mut leaves = 0..self.network.leaves().len();
        leaves.find(|&leaf| !self.leaves.own(leaf).is_discrete())
    }

    /// By event: whether the whole network may do it. A symmetry takes such events to such.
    pub fn alphabet(&self) -> Vec<bool> {
        let mut marked = vec![false; self.network.names().len()];
        self.root.mark(false, &mut marked);
        marked
    }

    /// By event: whether something in the network may do it.
    pub fn used(&self) -> Vec<bool> {
        let mut marked = vec![false; self.network.names().len()];
        self.root.mark(true, &mut marked);
        marked
    }

    /// Where leaves go under a permutation of events, or what is in the way.
    pub fn propose(&self, events: &Arc<[u32]>, reasons: Reasons) -> Result<Proposal, NoSymmetry> {
        let mut trial = Trial {
            matcher: self,
            reasons,
            maps: vec![events.clone()],
            colours: HashMap::new(),
        };
        let mut placed = Vec::new();
        let fits = trial.lay(&self.root, &self.root, 0, &mut placed);
        fits.map_err(|reason| match reason.mismatch {
            Some(mismatch) => NoSymmetry::Parts(mismatch),
            None => NoSymmetry::NotAsked,
        })?;
        placed.sort_unstable();
        Ok(trial.proposal(&placed))
    }

    /// Exchanges of operands that are the same, with all events left as they are: each operand
    /// with the first that it is the same as.
    ///
    /// *Example.* `||| i : {1..3} @ P` has three operands `P`, and the exchanges of the first with
    /// the second and with the third.
    pub fn twins(&self, n_max: usize) -> Vec<Proposal> {
        let n_events = self.network.names().len() as u32;
        let mut trial = Trial {
            matcher: self,
            reasons: Reasons::Spared,
            maps: vec![(0..n_events).collect()],
            colours: HashMap::new(),
        };
        let mut found = Vec::new();
        trial.find_twins(&self.root, n_max, &mut found);
        let stays: Vec<Placed> = (0..self.network.leaves().len())
            .map(|n| (n, n, 0))
            .collect();
        let proposals = found.into_iter().map(|swapped| {
            let mut placed = stays.clone();
            for (leaf, to, map) in swapped {
                placed[leaf] = (leaf, to, map);
            }
            trial.proposal(&placed)
        });
        proposals.collect()
    }

    fn name(&self, event: u32) -> String {
        let name = self.network.names().get(event as usize);
        name.map_or_else(|| format!("event {event}"), |name| name.to_string())
    }

    fn label(&self, label: Label) -> String {
        match label.as_event() {
            Some(event) => self.name(event),
            None => format!("{label:?}"),
        }
    }

    /// A part of the network by the names of its leaves.
    fn part(&self, node: &Node) -> NetworkPart {
        const NAMED_MAX: usize = 3;
        let leaf = |&leaf: &usize| self.network.leaves()[leaf].name().clone();
        NetworkPart {
            first: node.leaves.iter().take(NAMED_MAX).map(leaf).collect(),
            n_more: node.leaves.len().saturating_sub(NAMED_MAX),
        }
    }
}

impl Node {
    fn of(tree: &Tree, leaves: &Leaves<'_>) -> Node {
        let (kind, children) = match tree {
            &Tree::Leaf(leaf) => return Node::leaf(leaf, leaves),
            Tree::Parallel(set, children) => Node::parallel(set, children, leaves),
            Tree::Alphabetised(children) => Node::alphabetised(children, leaves),
            Tree::Hide(set, child) => {
                let child = Node::of(child, leaves);
                (Kind::Hide(common(set, &child.alphabet)), vec![child])
            }
            Tree::Rename(relation, child) => {
                let child = Node::of(child, leaves);
                let matters = |pair: &&(u32, u32)| child.alphabet.binary_search(&pair.0).is_ok();
                let relation = relation.iter().filter(matters).copied().collect();
                (Kind::Rename(relation), vec![child])
            }
        };
        let inside: BTreeSet<u32> = children.iter().flat_map(|c| c.alphabet.clone()).collect();
        let alphabet: BTreeSet<u32> = match &kind {
            Kind::Hide(set) => {
                let left = inside.into_iter();
                left.filter(|e| set.binary_search(e).is_err()).collect()
            }
            Kind::Rename(relation) => {
                let images = inside.into_iter().flat_map(|e| images(relation, e));
                images.collect()
            }
            Kind::Leaf(_) | Kind::Parallel(_) | Kind::Alphabetised(_) => inside,
        };
        Node {
            leaves: children.iter().flat_map(|c| c.leaves.clone()).collect(),
            alphabet: alphabet.into_iter().collect(),
            kind,
            children,
        }
    }

    fn leaf(leaf: usize, leaves: &Leaves<'_>) -> Node {
        Node {
            kind: Kind::Leaf(leaf),
            children: Vec::new(),
            alphabet: leaves.alphabet(leaf).to_vec(),
            leaves: vec![leaf],
        }
    }

    /// By event: whether it, or something in it if that is asked for, may do it.
    fn mark(&self, is_inside: bool, marked: &mut [bool]) {
        for &event in &self.alphabet {
            marked[event as usize] = true;
        }
        if is_inside {
            let children = self.children.iter();
            children.for_each(|child| child.mark(is_inside, marked));
        }
    }

    fn parallel(set: &[u32], children: &[Tree], leaves: &Leaves<'_>) -> (Kind, Vec<Node>) {
        let children: Vec<Node> = children.iter().map(|c| Node::of(c, leaves)).collect();
        let inside: BTreeSet<u32> = children.iter().flat_map(|c| c.alphabet.clone()).collect();
        let inside: Vec<u32> = inside.into_iter().collect();
        let set = common(set, &inside);
        let mut flat = Vec::new();
        for child in children {
            // An event of the set that the operand cannot do is blocked either way.
            let is_same = matches!(&child.kind, Kind::Parallel(inner)
                if common(&set, &child.alphabet) == *inner);
            if is_same {
                flat.extend(child.children)
            } else {
                flat.push(child)
            }
        }
        (Kind::Parallel(set), flat)
    }

    fn alphabetised(
        children: &[(model::network::tree::Events, Tree)],
        leaves: &Leaves<'_>,
    ) -> (Kind, Vec<Node>) {
        let (sets, nodes): (Vec<_>, Vec<Node>) = children
            .iter()
            .map(|(set, child)| (set.to_vec(), Node::of(child, leaves)))
            .unzip();
        let inside: BTreeSet<u32> = nodes.iter().flat_map(|c| c.alphabet.clone()).collect();
        let inside: Vec<u32> = inside.into_iter().collect();
        let (mut flat_sets, mut flat) = (Vec::new(), Vec::new());
        for (set, child) in sets.into_iter().zip(nodes) {
            let set = common(&set, &inside);
            match &child.kind {
                Kind::Alphabetised(inner)
                    if set
                        .iter()
                        .all(|e| inner.iter().any(|s| s.binary_search(e).is_ok())) =>
                {
                    flat_sets.extend(inner.iter().map(|inner| common(inner, &set)));
                    flat.extend(child.children);
                }
                _ => {
                    flat_sets.push(set);
                    flat.push(child);
                }
            }
        }
        (Kind::Alphabetised(flat_sets), flat)
    }
}

/// What two sorted sets have in common.
fn common(one: &[u32], other: &[u32]) -> Vec<u32> {
    let both = one
        .iter()
        .filter(|event| other.binary_search(event).is_ok());
    both.copied().collect()
}

/// What a renaming makes of an event.
fn images(relation: &[(u32, u32)], event: u32) -> Vec<u32> {
    let start = relation.partition_point(|&(old, _)| old < event);
    let new = relation[start..].iter().take_while(|pair| pair.0 == event);
    let new: Vec<u32> = new.map(|pair| pair.1).collect();
    if new.is_empty() { vec![event] } else { new }
}

impl Trial<'_> {
    /// What was placed, by leaf.
    fn proposal(&self, placed: &[Placed]) -> Proposal {
        let maps = placed.iter().map(|&(_, _, map)| self.maps[map].clone());
        Proposal {
            leaves: placed.iter().map(|&(_, to, _)| to as u32).collect(),
            maps: maps.collect(),
        }
    }

    /// Exchanges of operands of `part`, or of parts of it, that are the same.
    fn find_twins(&mut self, part: &Node, n_max: usize, found: &mut Vec<Vec<Placed>>) {
        let is_alike = |i: usize, j: usize| match &part.kind {
            Kind::Parallel(_) => true,
            Kind::Alphabetised(sets) => sets[i] == sets[j],
            Kind::Leaf(_) | Kind::Hide(_) | Kind::Rename(_) => false,
        };
        let mut firsts: Vec<usize> = Vec::new();
        for (j, operand) in part.children.iter().enumerate() {
            let mut swapped = None;
            for &i in firsts.iter().filter(|i| is_alike(**i, j)) {
                let mut placed = Vec::new();
                let first = &part.children[i];
                let there = self.lay(first, operand, 0, &mut placed);
                let back = there.and_then(|()| self.lay(operand, first, 0, &mut placed));
                if back.is_ok() {
                    swapped = Some(placed);
                    break;
                }
            }
            if found.len() >= n_max {
                return;
            }
            match swapped {
                Some(placed) => found.push(placed),
                None => firsts.push(j),
            }
        }
        for first in firsts {
            self.find_twins(&part.children[first], n_max, found);
        }
    }

    /// Lays one part on another.
    fn lay(
        &mut self,
        part: &Node,
        on: &Node,
        map: usize,
        placed: &mut Vec<Placed>,
    ) -> Result<(), Reason> {
        let matcher = self.matcher;
        match (&part.kind, &on.kind) {
            (&Kind::Leaf(leaf), &Kind::Leaf(other)) => {
                self.lay_leaf(leaf, other, map)?;
                placed.push((leaf, other, map));
                Ok(())
            }
            (Kind::Parallel(set), Kind::Parallel(other)) => {
                let what = || OperatorSet::Synchronised(matcher.part(part));
                self.same(set, other, map, &what)?;
                self.lay_all(part, on, map, &|_, _, _| Ok(()), placed)
            }
            (Kind::Alphabetised(sets), Kind::Alphabetised(others)) => {
                let check = |trial: &Self, i: usize, j: usize| {
                    let (from, to) = (&part.children[i], &on.children[j]);
                    let what = || OperatorSet::Alphabet(matcher.part(from), matcher.part(to));
                    trial.same(&sets[i], &others[j], map, &what)
                };
                self.lay_all(part, on, map, &check, placed)
            }
            (Kind::Hide(set), Kind::Hide(other)) => {
                let what = || OperatorSet::Hidden(matcher.part(part));
                self.same(set, other, map, &what)?;
                self.lay(&part.children[0], &on.children[0], map, placed)
            }
            (Kind::Rename(relation), Kind::Rename(other)) => {
                self.lay_renamed(part, on, map, (relation, other), placed)
            }
            _ => Err(Reason::new(
                0,
                PartMismatch::Operators(matcher.part(part), matcher.part(on)),
            )),
        }
    }

    fn lay_leaf(&mut self, leaf: usize, other: usize, map: usize) -> Result<(), Reason> {
        let matcher = self.matcher;
        let leaves = matcher.network.leaves();
        let events = &self.maps[map];
        let fits = if matcher.leaves.may_become(leaf, events, other) {
            walk(&leaves[leaf], events, &leaves[other])
        } else {
            Walk::Differs
        };
        let fits = match fits {
            Walk::Differs => false,
            Walk::Laid(image) => is_isomorphism(&leaves[leaf], events, &leaves[other], &image),
            Walk::Open => {
                let colours = self.colours.entry((leaf, map));
                let colours = colours.or_insert_with(|| matcher.leaves.renamed(leaf, events));
                colours.fits(matcher.leaves.own(other))
            }
        };
        if fits {
            return Ok(());
        }
        if self.reasons == Reasons::Spared {
            return Err(Reason {
                nearness: 0,
                mismatch: None,
            });
        }
        let [from, on] = [leaf, other].map(|leaf| leaves[leaf].name().clone());
        let difference = difference(&leaves[leaf], events, &leaves[other]);
        let difference = difference.map(|(trace, label, is_ours)| TraceDifference {
            after: trace.iter().map(|&label| matcher.label(label)).collect(),
            event: matcher.label(label),
            only_image: is_ours,
        });
        let length = difference.as_ref().map_or(0, |found| found.after.len());
        let pair = ComponentPair {
            from,
            on,
            is_itself: leaf == other,
        };
        let mismatch = PartMismatch::Components { pair, difference };
        Err(Reason::new(1 + length as u64, mismatch))
    }

    /// Lays each operand on one that is free.
    fn lay_all(
        &mut self,
        part: &Node,
        on: &Node,
        map: usize,
        check: &dyn Fn(&Self, usize, usize) -> Result<(), Reason>,
        placed: &mut Vec<Placed>,
    ) -> Result<(), Reason> {
        let matcher = self.matcher;
        if part.children.len() != on.children.len() {
            let numbers = PartMismatch::Numbers(matcher.part(part), matcher.part(on));
            return Err(Reason::new(0, numbers));
        }
        let mut is_free = vec![true; on.children.len()];
        for (i, child) in part.children.iter().enumerate() {
            let mut nearest: Option<Reason> = None;
            let mut is_placed = false;
            for (j, other) in on.children.iter().enumerate() {
                if !is_free[j] {
                    continue;
                }
                let n = placed.len();
                let laid = self.lay(child, other, map, placed);
                // Parts that fit but for a set are nearer than others.
                let laid = laid.and_then(|()| {
                    let checked = check(self, i, j);
                    checked.map_err(|reason| Reason {
                        nearness: u64::MAX,
                        ..reason
                    })
                });
                match laid {
                    Ok(()) => {
                        is_free[j] = false;
                        is_placed = true;
                        break;
                    }
                    Err(reason) => {
                        placed.truncate(n);
                        let is_nearer = |old: &Reason| reason.nearness > old.nearness;
                        if nearest.as_ref().is_none_or(is_nearer) {
                            nearest = Some(reason);
                        }
                    }
                }
            }
            if !is_placed {
                let no_other = || Reason::new(0, PartMismatch::NothingLike(matcher.part(child)));
                return Err(nearest.unwrap_or_else(no_other));
            }
        }
        Ok(())
    }

    fn lay_renamed(
        &mut self,
        part: &Node,
        on: &Node,
        map: usize,
        relations: (&Relation, &Relation),
        placed: &mut Vec<Placed>,
    ) -> Result<(), Reason> {
        let events = self.maps[map].clone();
        let (child, other) = (&part.children[0], &on.children[0]);
        let at = |event: u32| events[event as usize];
        let moved = relations.0.iter().map(|&(old, new)| (at(old), at(new)));
        let mut moved: Vec<(u32, u32)> = moved.collect();
        moved.sort_unstable();
        let n = placed.len();
        if moved == relations.1 && self.lay(child, other, map, placed).is_ok() {
            return Ok(());
        }
        placed.truncate(n);
        let Some(inside) = inner(&events, child, other, relations) else {
            let renaming = PartMismatch::Renaming(self.matcher.part(part));
            return Err(Reason::new(1, renaming));
        };
        self.maps.push(inside);
        let inside = self.maps.len() - 1;
        self.lay(child, other, inside, placed)
    }

    /// Whether a set of events becomes another.
    fn same(
        &self,
        set: &[u32],
        other: &[u32],
        map: usize,
        what: &dyn Fn() -> OperatorSet,
    ) -> Result<(), Reason> {
        let events = &self.maps[map];
        let mut image: Vec<u32> = set.iter().map(|&event| events[event as usize]).collect();
        image.sort_unstable();
        if image == other {
            return Ok(());
        }
        let extra = image
            .iter()
            .find(|event| other.binary_search(event).is_err());
        let missing = other
            .iter()
            .find(|event| image.binary_search(event).is_err());
        let name = |event: &u32| self.matcher.name(*event);
        let change = match (extra, missing) {
            (Some(extra), _) => SetChange::Gets(name(extra)),
            (None, Some(missing)) => SetChange::Loses(name(missing)),
            (None, None) => SetChange::Differs,
        };
        Err(Reason::new(2, PartMismatch::Set { of: what(), change }))
    }
}

/// What events inside become, if renamings say it: each event has one new name, and no two the
/// same.
fn inner(
    events: &[u32],
    child: &Node,
    other: &Node,
    (relation, other_relation): (&Relation, &Relation),
) -> Option<Arc<[u32]>> {
    let mut old_of: HashMap<u32, u32> = HashMap::new();
    for &event in &other.alphabet {
        let [new] = images(other_relation, event)[..] else {
            return None;
        };
        if old_of.insert(new, event).is_some() {
            return None;
        }
    }
    let mut map = events.to_vec();
    for &event in &child.alphabet {
        let [new] = images(relation, event)[..] else {
            return None;
        };
        map[event as usize] = *old_of.get(&events[new as usize])?;
    }
    Some(map.into())
}
