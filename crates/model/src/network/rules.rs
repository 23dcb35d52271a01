//! An operator tree compiled to rules (supercombinators).
//!
//! A rule says which leaves do which event together, and what the whole then does: a visible event
//! or τ. Hiding and renaming are worked into the result once, so that a state needs no walk of the
//! tree. τ and ✓ of a leaf need no rule: it does them alone.
//!
//! Worked example. `((P [|{a}|] Q) ||| R) \ {b}` where each can do `a` and `b`, leaves 0, 1, 2:
//!
//! ```text
//! 0:a 1:a -> a     0:b -> τ     1:b -> τ     2:a -> a     2:b -> τ
//! ```
//!
//! Rules of an operand multiply only in events that operands share, and only if renaming has made
//! several rules with one result; then their number may grow exponentially, and there is a limit.
//!
//! **Running.** Each rule belongs to one of its leaves, the one that can do its event in the
//! smallest share of its states. For each leaf the events that its state has are looked at, for
//! each of these the rules that belong to it, and for each of those whether the other leaves have
//! theirs: a look into a table by state and event (where the table would be large, a search among
//! the events of the state). Nothing is allocated. Supercombinators are those of FDR (Goldsmith;
//! Gibson-Robinson and others 2014, section 3); there rules are grouped in formats, which pays
//! where operators that change the number of components are compiled too. Ours do not.

use crate::network::{Label, Leaf, Steps, Tree};
use base::{Allowance, Spent};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How many entries a table by state and event may have before events are searched for instead.
const DENSE_MAX: usize = 1 << 22;
/// No such group.
const NONE: u32 = u32::MAX;

/// The rules of a network.
#[derive(Clone, Debug)]
pub struct Rules {
    leaves: Vec<LeafRules>,
    rules: Vec<Rule>,
    /// The parts of rules beside the leaf that a rule belongs to.
    others: Vec<Other>,
}

/// One rule as it is run.
#[derive(Clone, Copy, Debug)]
struct Rule {
    result: Label,
    others: (u32, u32),
}

/// A leaf of a rule and which of its events, by the leaf's own count.
#[derive(Clone, Copy, Debug)]
struct Other {
    leaf: u32,
    event: u32,
}

/// What is known of a leaf.
#[derive(Clone, Debug)]
struct LeafRules {
    /// Its visible events, sorted; their places are its own count.
    events: Vec<u32>,
    /// By own event: the first rule that belongs to it; then the end.
    owned: Vec<u32>,
    /// Transitions of one state with one label.
    groups: Vec<Group>,
    /// By state: its first group; then the end.
    states: Vec<u32>,
    targets: Vec<u32>,
    /// By state and own event: the group, or none. Empty if it would be large.
    dense: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Group {
    kind: Kind,
    /// Its targets.
    start: u32,
    end: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    /// τ, or ✓ that is seen as this.
    Alone(Label),
    /// One of the leaf's own events.
    Event(u32),
}

/// A rule in the making.
#[derive(Clone, Debug)]
struct Draft {
    result: Label,
    parts: Vec<(u32, u32)>,
}

/// Why there are no rules.
enum Without {
    /// They would have too many parts.
    TooMany,
    /// Time or memory is used up.
    Spent(Spent),
}

impl From<Spent> for Without {
    fn from(spent: Spent) -> Without {
        Without::Spent(spent)
    }
}

impl Rules {
    /// The rules of a tree, unless they would have more than so many parts.
    pub(super) fn compile(
        tree: &Tree,
        leaves: &[Arc<Leaf>],
        parts_max: usize,
        allowance: &mut Allowance<'_>,
    ) -> Result<Option<Rules>, Spent> {
        let events: Vec<Vec<u32>> = leaves.iter().map(|leaf| events_of(leaf)).collect();
        let drafted = Drafting {
            events: &events,
            max: parts_max,
            allowance,
        }
        .rules(tree);
        let drafts = match drafted {
            Ok(drafts) => drafts,
            Err(Without::TooMany) => return Ok(None),
            Err(Without::Spent(spent)) => return Err(spent),
        };
        let tick = match leaves.len() {
            1 => Label::TICK,
            _ => Label::TAU,
        };
        let both = leaves.iter().zip(events);
        let tables = both.map(|(leaf, events)| LeafRules::new(leaf, events, tick));
        let mut rules = Rules {
            leaves: tables.collect(),
            rules: Vec::new(),
            others: Vec::new(),
        };
        rules.enter(drafts);
        Ok(Some(rules))
    }

    /// How many rules there are.
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    /// Whether there is none: no leaf can do anything visible.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Every rule once: the events of leaves, sorted by leaf, and the result.
    pub fn list(&self) -> Vec<(Vec<(u32, u32)>, Label)> {
        let mut list = Vec::new();
        for (i, leaf) in self.leaves.iter().enumerate() {
            for (k, &event) in leaf.events.iter().enumerate() {
                for rule in &self.rules[leaf.owned[k] as usize..leaf.owned[k + 1] as usize] {
                    let mut parts = vec![(i as u32, event)];
                    for other in self.others(rule) {
                        let events = &self.leaves[other.leaf as usize].events;
                        parts.push((other.leaf, events[other.event as usize]));
                    }
                    parts.sort_unstable();
                    list.push((parts, rule.result));
                }
            }
        }
        list
    }

    fn others(&self, rule: &Rule) -> &[Other] {
        &self.others[rule.others.0 as usize..rule.others.1 as usize]
    }

    /// Gives each draft to one of its leaves.
    fn enter(&mut self, drafts: Vec<Draft>) {
        let rarity: Vec<Vec<f64>> = self.leaves.iter().map(LeafRules::shares).collect();
        let own = |leaves: &[LeafRules], (leaf, event): (u32, u32)| {
            let events = &leaves[leaf as usize].events;
            events.binary_search(&event).expect("an event of the leaf")
        };
        let mut by_owner: BTreeMap<(u32, usize), Vec<Draft>> = BTreeMap::new();
        for mut draft in drafts {
            let share = |part: &(u32, u32)| rarity[part.0 as usize][own(&self.leaves, *part)];
            let least = (0..draft.parts.len())
                .min_by(|&i, &j| share(&draft.parts[i]).total_cmp(&share(&draft.parts[j])))
                .expect("a rule has a part");
            draft.parts.swap(0, least);
            let owner = draft.parts[0];
            let owner = (owner.0, own(&self.leaves, owner));
            by_owner.entry(owner).or_default().push(draft);
        }
        for leaf in 0..self.leaves.len() {
            let mut owned = Vec::with_capacity(self.leaves[leaf].events.len() + 1);
            for event in 0..self.leaves[leaf].events.len() {
                owned.push(self.rules.len() as u32);
                for draft in by_owner.remove(&(leaf as u32, event)).unwrap_or_default() {
                    let start = self.others.len() as u32;
                    for &part in &draft.parts[1..] {
                        let event = own(&self.leaves, part) as u32;
                        self.others.push(Other {
                            leaf: part.0,
                            event,
                        });
                    }
                    self.rules.push(Rule {
                        result: draft.result,
                        others: (start, self.others.len() as u32),
                    });
                }
            }
            owned.push(self.rules.len() as u32);
            self.leaves[leaf].owned = owned;
        }
    }

    /// As if tables by state and event were too large.
    #[cfg(test)]
    pub(super) fn drop_tables(&mut self) {
        for leaf in &mut self.leaves {
            leaf.dense.clear();
        }
    }

    /// Takes away a rule: a planted fault.
    #[cfg(test)]
    pub(super) fn drop_one(&mut self, number: usize) {
        for leaf in &mut self.leaves {
            for end in &mut leaf.owned {
                *end -= u32::from(*end as usize > number);
            }
        }
        self.rules.remove(number);
    }

    /// Adds the transitions from `state`, but for the ✓ of several leaves together.
    #[inline]
    pub(super) fn steps(&self, state: &[u32], out: &mut Steps) {
        for (i, leaf) in self.leaves.iter().enumerate() {
            for group in leaf.groups(state[i]) {
                match group.kind {
                    Kind::Alone(label) => {
                        for &target in leaf.targets(group) {
                            out.push(label, state)[i] = target;
                        }
                    }
                    Kind::Event(event) => {
                        let event = event as usize;
                        let owned = leaf.owned[event] as usize..leaf.owned[event + 1] as usize;
                        for rule in &self.rules[owned] {
                            self.fire(rule, (i, leaf.targets(group)), state, out);
                        }
                    }
                }
            }
        }
    }

    /// Adds the transitions of a rule whose first part leads to these targets, if it is enabled.
    #[inline]
    fn fire(&self, rule: &Rule, first: (usize, &[u32]), state: &[u32], out: &mut Steps) {
        let others = self.others(rule);
        let group = |other: &Other| {
            let leaf = other.leaf as usize;
            self.leaves[leaf].group(state[leaf], other.event)
        };
        if others.iter().any(|other| group(other).is_none()) {
            return;
        }
        let start = out.len();
        out.push(rule.result, state);
        out.spread(start, first.0, first.1.iter().copied());
        for other in others {
            let leaf = other.leaf as usize;
            if let Some(group) = group(other) {
                let targets = self.leaves[leaf].targets(group);
                out.spread(start, leaf, targets.iter().copied());
            }
        }
    }
}

impl LeafRules {
    fn new(leaf: &Leaf, events: Vec<u32>, tick: Label) -> LeafRules {
        let n = leaf.n_states();
        let (mut groups, mut targets) = (Vec::<Group>::new(), Vec::new());
        let mut states = Vec::with_capacity(n as usize + 1);
        for state in 0..n {
            states.push(groups.len() as u32);
            let mut last = None;
            for &(label, target) in leaf.edges(state) {
                let at = targets.len() as u32;
                if last != Some(label) {
                    let kind = match label.as_event() {
                        Some(e) => Kind::Event(events.binary_search(&e).expect("listed") as u32),
                        None if label == Label::TICK => Kind::Alone(tick),
                        None => Kind::Alone(Label::TAU),
                    };
                    groups.push(Group {
                        kind,
                        start: at,
                        end: at,
                    });
                    last = Some(label);
                }
                targets.push(target);
                groups.last_mut().expect("a group").end = at + 1;
            }
        }
        states.push(groups.len() as u32);
        let mut leaf = LeafRules {
            owned: Vec::new(),
            events,
            groups,
            states,
            targets,
            dense: Vec::new(),
        };
        leaf.make_dense(n as usize);
        leaf
    }

    fn make_dense(&mut self, n_states: usize) {
        let n_events = self.events.len();
        if n_states.saturating_mul(n_events) > DENSE_MAX {
            return;
        }
        self.dense = vec![NONE; n_states * n_events];
        for state in 0..n_states {
            for at in self.states[state]..self.states[state + 1] {
                if let Kind::Event(event) = self.groups[at as usize].kind {
                    self.dense[state * n_events + event as usize] = at;
                }
            }
        }
    }

    /// By own event: the share of states that have it.
    fn shares(&self) -> Vec<f64> {
        let mut shares = vec![0.0; self.events.len()];
        for group in &self.groups {
            if let Kind::Event(event) = group.kind {
                shares[event as usize] += 1.0 / (self.states.len() - 1) as f64;
            }
        }
        shares
    }

    #[inline]
    fn groups(&self, state: u32) -> &[Group] {
        let state = state as usize;
        if state + 1 < self.states.len() {
            &self.groups[self.states[state] as usize..self.states[state + 1] as usize]
        } else {
            &[]
        }
    }

    #[inline]
    fn targets(&self, group: &Group) -> &[u32] {
        &self.targets[group.start as usize..group.end as usize]
    }

    /// The transitions of a state with one of its own events, if there are any.
    #[inline]
    fn group(&self, state: u32, event: u32) -> Option<&Group> {
        if !self.dense.is_empty() {
            let at = state as usize * self.events.len() + event as usize;
            // Where a leaf has ended there is no row.
            let group = *self.dense.get(at)?;
            return self.groups.get(group as usize);
        }
        let groups = self.groups(state);
        let at = groups.binary_search_by_key(&Kind::Event(event), |group| group.kind);
        at.ok().map(|at| &groups[at])
    }
}

/// The visible events of a leaf, sorted.
fn events_of(leaf: &Leaf) -> Vec<u32> {
    let labels = leaf.edges.iter().map(|&(label, _)| label);
    let mut events: Vec<u32> = labels.filter_map(Label::as_event).collect();
    events.sort_unstable();
    events.dedup();
    events
}

/// The making of rules.
struct Drafting<'a, 'b> {
    /// The visible events of each leaf, sorted.
    events: &'a [Vec<u32>],
    /// The most parts that rules may have.
    max: usize,
    allowance: &'a mut Allowance<'b>,
}

impl Drafting<'_, '_> {
    /// The rules of a tree.
    fn rules(&mut self, tree: &Tree) -> Result<Vec<Draft>, Without> {
        match tree {
            &Tree::Leaf(leaf) => {
                let rule = |&event: &u32| Draft {
                    result: Label::event(event),
                    parts: vec![(leaf as u32, event)],
                };
                let rules = self.events[leaf].iter().map(rule).collect();
                self.bounded(rules)
            }
            Tree::Parallel(set, children) => {
                let mut gathered = Gathered::new(children.len());
                for child in children {
                    let is_shared = |event: u32| Some(set.binary_search(&event).is_ok());
                    gathered.add(self.rules(child)?, is_shared);
                }
                gathered.finish(|_| children.len(), self)
            }
            Tree::Alphabetised(children) => {
                let mut gathered = Gathered::new(children.len());
                let mut n_sharing: BTreeMap<u32, usize> = BTreeMap::new();
                for (set, child) in children {
                    for &event in set.iter() {
                        *n_sharing.entry(event).or_default() += 1;
                    }
                    let is_shared = |event: u32| set.binary_search(&event).ok().map(|_| true);
                    gathered.add(self.rules(child)?, is_shared);
                }
                gathered.finish(|event| n_sharing[&event], self)
            }
            Tree::Hide(set, child) => {
                let mut rules = self.rules(child)?;
                for rule in &mut rules {
                    let event = rule.result.as_event();
                    if event.is_some_and(|event| set.binary_search(&event).is_ok()) {
                        rule.result = Label::TAU;
                    }
                }
                Ok(rules)
            }
            Tree::Rename(relation, child) => self.renamed(relation, child),
        }
    }

    fn renamed(&mut self, relation: &[(u32, u32)], child: &Tree) -> Result<Vec<Draft>, Without> {
        let mut rules = Vec::new();
        for rule in self.rules(child)? {
            self.allowance.tick()?;
            let event = rule.result.as_event();
            let start = relation.partition_point(|&(old, _)| Some(old) < event);
            let images = relation[start..].iter();
            let images: Vec<u32> = images
                .take_while(|&&(old, _)| Some(old) == event)
                .map(|&(_, new)| new)
                .collect();
            let image = |&new: &u32| Draft {
                result: Label::event(new),
                parts: rule.parts.clone(),
            };
            if images.is_empty() {
                rules.push(rule);
            } else {
                rules.extend(images.iter().map(image));
            }
        }
        self.bounded(rules)
    }

    fn bounded(&mut self, rules: Vec<Draft>) -> Result<Vec<Draft>, Without> {
        let n_parts = rules.iter().map(|rule| rule.parts.len()).sum::<usize>();
        if n_parts > self.max {
            return Err(Without::TooMany);
        }
        // Held while the operator above makes its own of them.
        let n_bytes = size_of::<Draft>() * rules.len() + size_of::<(u32, u32)>() * n_parts;
        self.allowance.take(n_bytes)?;
        self.allowance.give(n_bytes);
        Ok(rules)
    }
}

/// Rules of the operands of a parallel operator.
struct Gathered {
    rules: Vec<Draft>,
    /// By event: rules of operands that share it, with as many operands as have some.
    shared: BTreeMap<u32, Vec<Vec<Draft>>>,
}

impl Gathered {
    fn new(n_children: usize) -> Gathered {
        assert!(n_children > 0, "a parallel operator of nothing");
        Gathered {
            rules: Vec::new(),
            shared: BTreeMap::new(),
        }
    }

    /// Takes in the rules of an operand; an event is shared, its own, or (`None`) blocked.
    fn add(&mut self, rules: Vec<Draft>, is_shared: impl Fn(u32) -> Option<bool>) {
        let mut shared: BTreeMap<u32, Vec<Draft>> = BTreeMap::new();
        for rule in rules {
            match rule.result.as_event() {
                Some(event) => match is_shared(event) {
                    Some(true) => shared.entry(event).or_default().push(rule),
                    Some(false) => self.rules.push(rule),
                    None => {}
                },
                None => self.rules.push(rule),
            }
        }
        for (event, rules) in shared {
            self.shared.entry(event).or_default().push(rules);
        }
    }

    /// All rules, if an event is shared by so many operands.
    fn finish(
        mut self,
        n_sharing: impl Fn(u32) -> usize,
        drafting: &mut Drafting<'_, '_>,
    ) -> Result<Vec<Draft>, Without> {
        let mut n_parts: usize = self.rules.iter().map(|rule| rule.parts.len()).sum();
        for (event, operands) in std::mem::take(&mut self.shared) {
            if operands.len() < n_sharing(event) {
                // An operand can never do it.
                continue;
            }
            let mut ways = vec![Vec::new()];
            for operand in operands {
                let n = ways.len().saturating_mul(operand.len());
                if n_parts.saturating_add(n) > drafting.max {
                    return Err(Without::TooMany);
                }
                let mut longer = Vec::with_capacity(n);
                for way in &ways {
                    for rule in &operand {
                        drafting.allowance.tick()?;
                        let mut way: Vec<(u32, u32)> = Vec::clone(way);
                        way.extend_from_slice(&rule.parts);
                        longer.push(way);
                    }
                }
                ways = longer;
            }
            n_parts += ways.iter().map(Vec::len).sum::<usize>();
            let result = Label::event(event);
            let rules = ways.into_iter().map(|parts| Draft { result, parts });
            self.rules.extend(rules);
        }
        drafting.bounded(self.rules)
    }
}
