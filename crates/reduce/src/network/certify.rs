//! Permutations of events that may be used on a network.
//!
//! A permutation σ of events is a symmetry of a network if leaves can be permuted, and the states
//! of each leaf laid on those of the leaf it goes to, so that starts go to starts, transitions of
//! leaves to transitions, and rules to rules, with σ on what the whole does. Then σ takes runs of
//! the network to runs: states `v -e-> w` imply `σ·v -σ(e)-> σ·w`, and the start stays.
//!
//! Where leaves go is proposed by [`super::matching`]; here it is checked on the leaves and rules
//! themselves, by code that does not know how it was found. Where a network has no rules, because
//! they would be too many, its tree is compared operator by operator.
//!
//! Worked example. `(P(1) ||| P(2)) \ {a.1, a.2}` with rules `0:a.1 -> τ` and `1:a.2 -> τ`, under
//! the exchange of `a.1` and `a.2`: leaves are exchanged, the first rule becomes `1:a.2 -> τ`, the
//! second. Had only `a.1` been hidden the rules would be `0:a.1 -> τ` and `1:a.2 -> a.2`, and the
//! image of the first is not among them.

use super::chart::Specification;
use super::fit::Leaves;
use super::joint::{Joint, Shared, Side};
use super::matching::{Matcher, Proposal, Reasons};
use super::refusal::{ComponentPair, MovedState, NoSymmetry};
use model::network::{Label, Network, Tree};
use std::collections::HashSet;
use std::sync::Arc;

/// A permutation of events that somebody hopes is a symmetry.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// What it is called in reports: `(alice bob)`.
    pub name: String,
    /// By event: where it goes.
    pub events: Vec<u32>,
}

/// A candidate that may not be used, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    /// What it is called.
    pub name: String,
    /// Why.
    pub reason: NoSymmetry,
}

/// A permutation of events that is a symmetry, with what it does to leaves and their states.
#[derive(Clone, Debug)]
pub struct Symmetry {
    name: String,
    events: Arc<[u32]>,
    leaves: Vec<u32>,
    /// By leaf and state: the state of the leaf that it goes to; where it has ended included.
    states: Vec<Vec<u32>>,
}

impl Symmetry {
    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same under another name.
    pub fn called(self, name: String) -> Symmetry {
        Symmetry { name, ..self }
    }

    /// First `by`, which undoes itself, then this, then `by` again: a symmetry, since products of
    /// symmetries are. *Example.* The exchange (a c) by (a b) is (b c).
    pub fn conjugate(&self, by: &Symmetry, name: String) -> Symmetry {
        let thrice =
            |event: u32| by.events[self.events[by.events[event as usize] as usize] as usize];
        let (mut leaves, mut states) = (Vec::new(), Vec::new());
        for (leaf, own) in by.states.iter().enumerate() {
            let first = by.leaves[leaf] as usize;
            let second = self.leaves[first] as usize;
            leaves.push(by.leaves[second]);
            let state = |&state: &u32| {
                let state = self.states[first][state as usize];
                by.states[second][state as usize]
            };
            states.push(own.iter().map(state).collect());
        }
        Symmetry {
            name,
            events: (0..self.events.len() as u32).map(thrice).collect(),
            leaves,
            states,
        }
    }

    /// By event: where it goes.
    pub fn events(&self) -> &[u32] {
        &self.events
    }

    /// By leaf: where it goes.
    pub fn leaves(&self) -> &[u32] {
        &self.leaves
    }

    /// By state of a leaf: the state of the leaf it goes to.
    pub fn states(&self, leaf: usize) -> &[u32] {
        &self.states[leaf]
    }
}

/// Symmetries of a network that were checked on it.
#[derive(Clone, Debug)]
pub struct CertifiedNetwork {
    names: Arc<[Arc<str>]>,
    leaf_names: Vec<Arc<str>>,
    sizes: Vec<u32>,
    visible: Vec<bool>,
    symmetries: Vec<Symmetry>,
    refused: Vec<Refused>,
}

/// Which candidates are symmetries of a network, by [`Certifier::certify`].
pub fn certify(network: &Network, candidates: &[Candidate]) -> CertifiedNetwork {
    Certifier::new(network).certify(candidates)
}

/// A network that candidates are checked on, one by one.
pub struct Certifier<'a> {
    network: &'a Network,
    matcher: Matcher<'a>,
    checker: Checker<'a>,
    /// Why nothing is a symmetry, if so.
    unreduced: Option<NoSymmetry>,
}

impl<'a> Certifier<'a> {
    /// What is known of a network before any candidate is.
    ///
    /// # Requires
    /// Leaves are reduced ([`super::reduced_network`]); where one is not, nothing is a symmetry.
    pub fn new(network: &'a Network) -> Certifier<'a> {
        let leaves = Arc::new(Leaves::new(network));
        let matcher = Matcher::new(leaves.clone());
        let unreduced = matcher
            .unreduced()
            .map(|leaf| NoSymmetry::Unreduced(network.leaves()[leaf].name().clone()));
        Certifier {
            checker: Checker::new(leaves),
            network,
            matcher,
            unreduced,
        }
    }

    /// How much there is to look at for a candidate: transitions of leaves, rules, events.
    pub fn size(&self) -> u64 {
        let leaves = self.network.leaves().iter();
        let edges = leaves.flat_map(|leaf| (0..leaf.n_states()).map(|state| leaf.edges(state)));
        let n_edges: u64 = edges.map(|edges| edges.len() as u64).sum();
        let n_rules = self.network.rules().map_or(0, |rules| rules.len() as u64);
        n_edges + n_rules + self.network.names().len() as u64
    }

    /// By event: whether the whole network may do it. A symmetry takes such events to such.
    pub fn alphabet(&self) -> Vec<bool> {
        self.matcher.alphabet()
    }

    /// By event: whether it matters to a part of the network. What moves no such event is a
    /// symmetry that moves no leaf and no state.
    pub fn used(&self) -> Vec<bool> {
        let mut used = self.matcher.used();
        // Without rules, sets are compared as they are written.
        if self.network.rules().is_none() {
            mark_sets(self.network.tree(), &mut used);
        }
        used
    }

    /// Whether no two leaves are the same. Then a permutation of events permutes leaves in one way
    /// at most.
    pub fn is_rigid(&self) -> bool {
        self.checker.leaves.are_different()
    }

    /// The symmetry that a candidate is, if it is one.
    pub fn symmetry(&self, candidate: &Candidate) -> Option<Symmetry> {
        self.checked(candidate, Reasons::Spared).ok()
    }

    /// Exchanges of components that are the same, each checked as a candidate is; at most so many.
    pub fn twins(&self, n_max: usize) -> Vec<Symmetry> {
        if self.unreduced.is_some() {
            return Vec::new();
        }
        let n_events = self.network.names().len() as u32;
        let events: Arc<[u32]> = (0..n_events).collect();
        let proposals = self.matcher.twins(n_max).into_iter();
        let symmetries = proposals.filter_map(|proposal| {
            let Laid { leaves, states } = self.checker.check(&events, &proposal).ok()?;
            Some(Symmetry {
                name: self.exchange_name(&leaves),
                events: events.clone(),
                leaves,
                states,
            })
        });
        symmetries.collect()
    }

    /// What an exchange of components is called: the first that moves, and where it goes.
    fn exchange_name(&self, leaves: &[u32]) -> String {
        let all = self.network.leaves();
        let numbered = |leaf: usize| {
            let name = all[leaf].name();
            let before = all[..leaf].iter().filter(|other| other.name() == name);
            match before.count() {
                0 => name.to_string(),
                n => format!("{name} ({})", n + 1),
            }
        };
        let moves = |leaf: &usize| leaves[*leaf] as usize != *leaf;
        let first = (0..leaves.len()).find(moves);
        first.map_or_else(String::new, |leaf| {
            let to = leaves[leaf] as usize;
            format!("({}, {})", numbered(leaf), numbered(to))
        })
    }

    /// Which candidates are symmetries of the network.
    ///
    /// Candidates may be redundant, and more is found if they are: if one of three users is
    /// special, the exchange of the other two is a symmetry, while exchanging the first two, and
    /// all three in a circle, are not.
    pub fn certify(&self, candidates: &[Candidate]) -> CertifiedNetwork {
        let (mut symmetries, mut refused) = (Vec::new(), Vec::new());
        for candidate in candidates {
            match self.checked(candidate, Reasons::Given) {
                Ok(symmetry) => symmetries.push(symmetry),
                Err(reason) => refused.push(Refused {
                    name: candidate.name.clone(),
                    reason,
                }),
            }
        }
        CertifiedNetwork {
            refused,
            ..self.certified(symmetries)
        }
    }

    /// Symmetries that [`Certifier::symmetry`] gave, together.
    pub fn certified(&self, symmetries: Vec<Symmetry>) -> CertifiedNetwork {
        let leaves = self.network.leaves().iter();
        CertifiedNetwork {
            names: self.network.names().clone(),
            leaf_names: leaves.clone().map(|leaf| leaf.name().clone()).collect(),
            sizes: leaves.map(|leaf| leaf.n_states()).collect(),
            visible: self.checker.visible(),
            symmetries,
            refused: Vec::new(),
        }
    }

    fn checked(&self, candidate: &Candidate, reasons: Reasons) -> Result<Symmetry, NoSymmetry> {
        if let Some(reason) = &self.unreduced {
            return Err(reason.clone());
        }
        let events: Arc<[u32]> = candidate.events.clone().into();
        if !is_permutation(&events, self.network.names().len()) {
            return Err(NoSymmetry::NoPermutation);
        }
        let proposal = self.matcher.propose(&events, reasons)?;
        let Laid { leaves, states } = self.checker.check(&events, &proposal)?;
        Ok(Symmetry {
            name: candidate.name.clone(),
            events,
            leaves,
            states,
        })
    }
}

/// Marks the events of all sets and renamings of a tree.
fn mark_sets(tree: &Tree, marked: &mut [bool]) {
    let mut mark = |set: &[u32]| set.iter().for_each(|&e| marked[e as usize] = true);
    match tree {
        Tree::Leaf(_) => {}
        Tree::Parallel(set, children) => {
            mark(set);
            children.iter().for_each(|child| mark_sets(child, marked));
        }
        Tree::Alphabetised(children) => {
            for (set, child) in children {
                set.iter().for_each(|&e| marked[e as usize] = true);
                mark_sets(child, marked);
            }
        }
        Tree::Hide(set, child) => {
            mark(set);
            mark_sets(child, marked);
        }
        Tree::Rename(relation, child) => {
            relation.iter().for_each(|&(old, new)| mark(&[old, new]));
            mark_sets(child, marked);
        }
    }
}

impl CertifiedNetwork {
    /// The symmetries.
    pub fn symmetries(&self) -> &[Symmetry] {
        &self.symmetries
    }

    /// Candidates that are none.
    pub fn refused(&self) -> &[Refused] {
        &self.refused
    }

    /// The symmetries that a specification shares, with what they do to its states.
    pub fn against(&self, specification: Specification<'_>) -> Joint {
        let label = |label: Label| match label.as_event() {
            Some(event) => match self.names.get(event as usize) {
                Some(name) => name.to_string(),
                None => format!("event {event}"),
            },
            None => format!("{label:?}"),
        };
        let mut refused = self.refused.clone();
        let mut shared = Vec::new();
        for symmetry in &self.symmetries {
            match specification.moved(&symmetry.events, &label) {
                Ok(spec) => shared.push(Shared {
                    symmetry,
                    moving: specification
                        .first_moved(&spec, &label)
                        .map(|after| MovedState {
                            symmetry: symmetry.name.clone(),
                            after,
                        }),
                    spec,
                }),
                Err(reason) => refused.push(Refused {
                    name: symmetry.name.clone(),
                    reason,
                }),
            }
        }
        let n_spec = specification.n_states();
        let side = Side {
            sizes: &self.sizes,
            leaf_names: &self.leaf_names,
            visible: &self.visible,
        };
        Joint::new(&side, n_spec, shared, refused)
    }
}

/// Whether each of `0..n` is an image once.
fn is_permutation(images: &[u32], n: usize) -> bool {
    let mut seen = vec![false; n];
    images.len() == n
        && images.iter().all(|&image| {
            let place = seen.get_mut(image as usize);
            place.is_some_and(|seen| !std::mem::replace(seen, true))
        })
}

/// A rule: events of leaves, sorted by leaf, and the result.
type Rule = (Vec<(u32, u32)>, Label);

/// Where leaves and their states go.
#[derive(Debug)]
struct Laid {
    leaves: Vec<u32>,
    /// By leaf and state.
    states: Vec<Vec<u32>>,
}

/// What proposals are checked against.
struct Checker<'a> {
    network: &'a Network,
    leaves: Arc<Leaves<'a>>,
    rules: Option<HashSet<Rule>>,
}

impl<'a> Checker<'a> {
    fn new(leaves: Arc<Leaves<'a>>) -> Checker<'a> {
        let network = leaves.network();
        Checker {
            network,
            leaves,
            rules: network
                .rules()
                .map(|rules| rules.list().into_iter().collect()),
        }
    }

    /// Which events the whole may do.
    fn visible(&self) -> Vec<bool> {
        match &self.rules {
            None => vec![true; self.network.names().len()],
            Some(rules) => {
                let mut visible = vec![false; self.network.names().len()];
                for event in rules.iter().filter_map(|rule| rule.1.as_event()) {
                    visible[event as usize] = true;
                }
                visible
            }
        }
    }

    /// Where leaves and their states go, if all of the network is kept.
    fn check(&self, events: &Arc<[u32]>, proposal: &Proposal) -> Result<Laid, NoSymmetry> {
        let leaves = self.network.leaves();
        if !is_permutation(&proposal.leaves, leaves.len()) {
            return Err(NoSymmetry::ComponentsMerge);
        }
        let mut states = Vec::with_capacity(leaves.len());
        for (i, leaf) in leaves.iter().enumerate() {
            let (to, map) = (proposal.leaves[i] as usize, &proposal.maps[i]);
            match self.leaves.laid(i, map, to) {
                Some(image) => states.push(image),
                None => {
                    return Err(NoSymmetry::Unlaid(ComponentPair {
                        from: leaf.name().clone(),
                        on: leaves[to].name().clone(),
                        is_itself: to == i,
                    }));
                }
            }
        }
        match &self.rules {
            Some(rules) => self.check_rules(rules, events, proposal)?,
            None => {
                let is_plain = proposal.maps.iter().all(|map| map == events);
                let tree = self.network.tree();
                if !is_plain || !tree_fits(tree, tree, events, &proposal.leaves) {
                    return Err(NoSymmetry::OperatorsChange);
                }
            }
        }
        Ok(Laid {
            leaves: proposal.leaves.clone(),
            states,
        })
    }

    fn check_rules(
        &self,
        rules: &HashSet<Rule>,
        events: &[u32],
        proposal: &Proposal,
    ) -> Result<(), NoSymmetry> {
        let mut images = HashSet::with_capacity(rules.len());
        for (parts, result) in rules {
            let moved = |&(leaf, event): &(u32, u32)| {
                let map = &proposal.maps[leaf as usize];
                (proposal.leaves[leaf as usize], map[event as usize])
            };
            let mut image: Vec<(u32, u32)> = parts.iter().map(moved).collect();
            image.sort_unstable();
            let result = match result.as_event() {
                Some(event) => Label::event(events[event as usize]),
                None => *result,
            };
            let rule = (image, result);
            if !rules.contains(&rule) {
                return Err(self.lost(&rule));
            }
            images.insert(rule);
        }
        if images.len() == rules.len() {
            Ok(())
        } else {
            Err(NoSymmetry::RulesMerge)
        }
    }

    /// What is said of a rule that is not there.
    fn lost(&self, (parts, result): &Rule) -> NoSymmetry {
        let name = |event: u32| self.network.names()[event as usize].to_string();
        let part = |&(leaf, event): &(u32, u32)| {
            let leaf = self.network.leaves()[leaf as usize].name();
            (leaf.clone(), name(event))
        };
        NoSymmetry::RuleLost {
            parts: parts.iter().map(part).collect(),
            result: result.as_event().map(name),
        }
    }
}

/// Whether a tree is laid on another by permutations of events and leaves.
fn tree_fits(tree: &Tree, on: &Tree, events: &[u32], leaves: &[u32]) -> bool {
    let image = |set: &[u32]| {
        let mut image: Vec<u32> = set.iter().map(|&event| events[event as usize]).collect();
        image.sort_unstable();
        image
    };
    let place = |tree: &Tree, others: &[&Tree]| {
        let mut images: Vec<usize> = tree
            .leaves()
            .iter()
            .map(|&leaf| leaves[leaf] as usize)
            .collect();
        images.sort_unstable();
        others.iter().position(|other| other.leaves() == images)
    };
    match (tree, on) {
        (Tree::Leaf(leaf), Tree::Leaf(other)) => leaves[*leaf] as usize == *other,
        (Tree::Parallel(set, children), Tree::Parallel(other, others)) => {
            let others: Vec<&Tree> = others.iter().collect();
            let fits = |child: &Tree| {
                let at = place(child, &others);
                at.is_some_and(|at| tree_fits(child, others[at], events, leaves))
            };
            image(set) == **other && children.len() == others.len() && children.iter().all(fits)
        }
        (Tree::Alphabetised(children), Tree::Alphabetised(others)) => {
            let trees: Vec<&Tree> = others.iter().map(|(_, tree)| tree).collect();
            let fits = |(set, child): &(model::network::tree::Events, Tree)| {
                let at = place(child, &trees);
                at.is_some_and(|at| {
                    image(set) == *others[at].0 && tree_fits(child, trees[at], events, leaves)
                })
            };
            children.len() == others.len() && children.iter().all(fits)
        }
        (Tree::Hide(set, child), Tree::Hide(other, on)) => {
            image(set) == **other && tree_fits(child, on, events, leaves)
        }
        (Tree::Rename(relation, child), Tree::Rename(other, on)) => {
            let moved = relation.iter();
            let at = |event: u32| events[event as usize];
            let mut moved: Vec<(u32, u32)> = moved.map(|&(a, b)| (at(a), at(b))).collect();
            moved.sort_unstable();
            moved == **other && tree_fits(child, on, events, leaves)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::refusal::{NetworkPart, OperatorSet, PartMismatch, SetChange};
    use super::*;
    use model::network::Leaf;

    const A1: u32 = 0;
    const A2: u32 = 1;
    const B: u32 = 2;

    fn leaf(name: &str, event: u32) -> Arc<Leaf> {
        let edges = [vec![(Label::event(event), 1)], vec![(Label::event(B), 0)]];
        Arc::new(Leaf::new(name.into(), 0, &edges))
    }

    /// `(P(1) ||| P(2)) \ hidden`.
    fn network(hidden: &[u32], parts_max: usize) -> Network {
        let leaves = vec![leaf("P(1)", A1), leaf("P(2)", A2)];
        let both = Tree::Parallel([].into(), vec![Tree::Leaf(0), Tree::Leaf(1)]);
        let names = ["a.1", "a.2", "b"].map(Arc::from);
        let tree = Tree::Hide(hidden.into(), both.into());
        Network::new(names.into(), leaves, tree, parts_max)
    }

    fn proposal(leaves: [u32; 2], events: [u32; 3]) -> (Arc<[u32]>, Proposal) {
        let events: Arc<[u32]> = events.into();
        let proposal = Proposal {
            leaves: leaves.into(),
            maps: vec![events.clone(), events.clone()],
        };
        (events, proposal)
    }

    /// Three components `P`, the second of them renamed or not.
    fn twins(renamed: &[(u32, u32)], parts_max: usize) -> Network {
        let leaves = (0..3).map(|_| leaf("P", A1)).collect();
        let second = match renamed {
            [] => Tree::Leaf(1),
            _ => Tree::Rename(renamed.into(), Tree::Leaf(1).into()),
        };
        let operands = vec![Tree::Leaf(0), second, Tree::Leaf(2)];
        let names = ["a.1", "a.2", "b"].map(Arc::from);
        let tree = Tree::Parallel([].into(), operands);
        Network::new(names.into(), leaves, tree, parts_max)
    }

    #[test]
    fn components_that_are_the_same_are_exchanged() {
        for parts_max in [0, 100] {
            let names = |network: &Network, n_max| {
                let found = Certifier::new(network).twins(n_max);
                let events = found.iter().all(|s| s.events().iter().is_sorted());
                assert!(events, "no event moves");
                found.into_iter().map(|s| s.name).collect::<Vec<String>>()
            };
            let all = twins(&[], parts_max);
            assert_eq!(names(&all, 9), ["(P, P (2))", "(P, P (3))"]);
            assert_eq!(names(&all, 1), ["(P, P (2))"]);
            let renamed = twins(&[(A1, A2)], parts_max);
            assert_eq!(names(&renamed, 9), ["(P, P (3))"]);
            // The wrong one is noticed by whoever checks it, too.
            let checker = Checker::new(Arc::new(Leaves::new(&renamed)));
            let events: Arc<[u32]> = [A1, A2, B].into();
            let wrong = Proposal {
                leaves: vec![1, 0, 2],
                maps: vec![events.clone(); 3],
            };
            assert!(checker.check(&events, &wrong).is_err());
        }
    }

    fn unlaid(from: &str, on: &str) -> NoSymmetry {
        NoSymmetry::Unlaid(ComponentPair {
            from: from.into(),
            on: on.into(),
            is_itself: from == on,
        })
    }

    #[test]
    fn proposals_that_are_wrong_are_noticed_without_the_matcher() {
        for parts_max in [0, 100] {
            let plain = network(&[], parts_max);
            let checker = Checker::new(Arc::new(Leaves::new(&plain)));
            let check = |(events, proposal)| checker.check(&events, &proposal);
            let swap = [A2, A1, B];
            assert!(check(proposal([1, 0], swap)).is_ok());
            assert!(check(proposal([0, 1], [A1, A2, B])).is_ok());
            // Leaves that stay, or are exchanged, though events say otherwise.
            let fault = check(proposal([0, 1], swap)).expect_err("leaves stay");
            assert_eq!(fault, unlaid("P(1)", "P(1)"));
            let fault = check(proposal([1, 0], [A1, A2, B])).expect_err("leaves go");
            assert_eq!(fault, unlaid("P(1)", "P(2)"));
            let fault = check(proposal([1, 1], swap)).expect_err("one leaf twice");
            assert_eq!(fault, NoSymmetry::ComponentsMerge);
            // Leaves fit, operators do not.
            let hiding = network(&[A1], parts_max);
            let checker = Checker::new(Arc::new(Leaves::new(&hiding)));
            let (events, proposal) = proposal([1, 0], swap);
            let fault = checker
                .check(&events, &proposal)
                .expect_err("one is hidden");
            let lost = |leaf: &str, event: &str, result: Option<&str>| NoSymmetry::RuleLost {
                parts: vec![(leaf.into(), event.to_owned())],
                result: result.map(str::to_owned),
            };
            let expected = match parts_max {
                0 => vec![NoSymmetry::OperatorsChange],
                _ => vec![lost("P(2)", "a.2", None), lost("P(1)", "a.1", Some("a.1"))],
            };
            assert!(expected.contains(&fault), "{fault:?}");
        }
    }

    #[test]
    fn conjugates_are_what_is_certified() {
        let (a, b) = (|i: u32| Label::event(i), |i: u32| Label::event(3 + i));
        let leaf = |i: u32| {
            let edges = [vec![(a(i), 1), (b(i), 2)], vec![(b(i), 0)], vec![(a(i), 1)]];
            Arc::new(Leaf::new(format!("P({i})").into(), 0, &edges))
        };
        let names = ["a.0", "a.1", "a.2", "b.0", "b.1", "b.2"].map(Arc::from);
        let all = Tree::Parallel([].into(), (0..3).map(Tree::Leaf).collect());
        let network = Network::new(names.into(), (0..3).map(leaf).collect(), all, 100);
        let certifier = Certifier::new(&network);
        assert!(certifier.is_rigid());
        let exchange = |i: usize, j: usize| {
            let mut events: Vec<u32> = (0..6).collect();
            events.swap(i, j);
            events.swap(3 + i, 3 + j);
            let name = format!("({i} {j})");
            let found = certifier.symmetry(&Candidate { name, events });
            found.expect("all may be exchanged")
        };
        let made = exchange(0, 2).conjugate(&exchange(0, 1), "(1 2)".to_owned());
        let found = exchange(1, 2);
        assert_eq!(made.events, found.events);
        assert_eq!((made.leaves, made.states), (found.leaves, found.states));
        // Two leaves that are the same.
        let all = Tree::Parallel([].into(), (0..2).map(Tree::Leaf).collect());
        let leaves = vec![leaf(0), leaf(0)];
        let network = Network::new(network.names().clone(), leaves, all, 100);
        assert!(!Certifier::new(&network).is_rigid());
    }

    #[test]
    fn the_matcher_says_what_is_in_the_way() {
        let candidate = Candidate {
            name: "(1 2)".to_owned(),
            events: vec![A2, A1, B],
        };
        let certified = certify(&network(&[A1, A2], 100), std::slice::from_ref(&candidate));
        let symmetry = &certified.symmetries()[0];
        assert_eq!(
            (symmetry.leaves(), symmetry.states(0)),
            (&[1, 0][..], &[0, 1, 2][..])
        );
        let certified = certify(&network(&[A1], 100), &[candidate]);
        let hidden = NetworkPart {
            first: vec!["P(1)".into(), "P(2)".into()],
            n_more: 0,
        };
        let expected = NoSymmetry::Parts(PartMismatch::Set {
            of: OperatorSet::Hidden(hidden),
            change: SetChange::Gets("a.2".to_owned()),
        });
        assert_eq!(certified.refused()[0].reason, expected);
    }
}
