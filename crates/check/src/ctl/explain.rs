//! A run that shows why a formula is true, or why it is not.
//!
//! That some run exists is shown by one, and so is that not all runs do what they should. The run
//! goes as deep into the formula as runs go: `AG EF p` is violated by a run to a state where `EF p`
//! is false; that no run leads from there to `p` is then said in words. `EF (p && EG q)` has a run
//! to a state with `p`, and from there on one that goes round in `q`.
//!
//! | what is true here | how it is shown |
//! |---|---|
//! | `EX f`, `!AX f` | a move |
//! | `EF f`, `!AG f` | a shortest path |
//! | `E[f U g]`, `!A[f R g]` | a shortest path to the second through the first |
//! | `EG f`, `!AF f` | a shortest way to a cycle, and round |
//! | `E[f W g]`, `E[f R g]`, `!A[f U g]`, `!A[f W g]` | a path if there is one, else a cycle |
//! | `E(ψ)`, `!A(ψ)` | a way to a cycle, and round, as an automaton of ψ accepts it |
//! | all else, the past and fixpoints, and all where runs have to be fair | in words |
//!
//! Worked example: `0→1→2→2`, `p` in 0 and 1, `AG p`: the path `0 1 2`, `p` is false at its end.
//! `AF !p`, were 2 not there and 1→0 instead: the cycle `0 1`.

use super::evaluate::Evaluation;
use super::formula::{Core, Part};
use super::graph::Graph;
use crate::ltl::scc;
use std::collections::{HashMap, VecDeque};
use std::ops::Range;
use system::branching::{Binary, Formula, Quantifier, Unary};

/// What is true, or false, of the states in some places of a run.
pub struct Claim<'f> {
    /// The places; of a run that goes round, those of the loop stand for every turn.
    pub places: Range<usize>,
    /// What.
    pub formula: &'f Formula,
    /// Which.
    pub value: bool,
    /// Whether it is said of the first of them, because the run from there on is as it is.
    pub is_of_run: bool,
}

/// A run through the graph and what it shows.
pub struct Story<'f> {
    /// The states it goes through.
    pub nodes: Vec<u32>,
    /// The place it goes back to from the last one, if it goes round.
    pub loop_from: Option<usize>,
    /// What is true along it.
    pub claims: Vec<Claim<'f>>,
    /// What is true at its end and shown by no run; nothing if it goes round.
    pub end: Option<(&'f Formula, bool)>,
}

/// What is asked of the states of a run: one formula, or two.
#[derive(Clone, Copy)]
enum Wanted<'f> {
    One(&'f Formula),
    Both(&'f Formula, &'f Formula),
}

/// How a run goes.
enum Way<'f> {
    /// Through states of the first to one of the second.
    To(Option<&'f Formula>, Wanted<'f>),
    /// In states of it for ever.
    Round(&'f Formula),
    /// As is asked of runs, by part of the core.
    Run(usize),
}

/// Finds runs.
pub struct Explainer<'a> {
    core: &'a mut Core,
    graph: &'a Graph,
    evaluation: &'a Evaluation,
}

impl<'a> Explainer<'a> {
    /// Over a graph on which all parts were evaluated.
    pub fn new(core: &'a mut Core, graph: &'a Graph, evaluation: &'a Evaluation) -> Self {
        Explainer {
            core,
            graph,
            evaluation,
        }
    }

    /// Whether a formula is true of a state.
    pub fn holds(&mut self, formula: &Formula, node: u32) -> bool {
        let part = self.core.enter(formula);
        self.evaluation.holds(part, node)
    }

    /// A run from a state that shows the value that a formula has there.
    pub fn story<'f>(&mut self, formula: &'f Formula, node: u32) -> Story<'f> {
        let mut value = self.holds(formula, node);
        let mut story = Story {
            nodes: vec![node],
            loop_from: None,
            claims: Vec::new(),
            end: None,
        };
        let mut formula = formula;
        loop {
            let here = *story.nodes.last().expect("the first state");
            // Down to what is about time.
            if let Some((inner, inside)) = self.inner(&mut story, formula, value) {
                (formula, value) = (inner, inside);
                continue;
            }
            let Some(way) = self.way(formula, value, here) else {
                story.claim_end(formula, value);
                return story;
            };
            match way {
                Way::Round(f) => {
                    self.go_round(&mut story, f, value);
                    return story;
                }
                Way::Run(run) => {
                    self.go_as_asked(&mut story, (formula, run), value);
                    return story;
                }
                Way::To(through, to) => {
                    self.go(&mut story, formula, (through, to), value);
                    formula = match to {
                        Wanted::One(f) => f,
                        Wanted::Both(f, g) if is_shown(f, value) || !is_shown(g, value) => {
                            story.claim_here(g, value);
                            f
                        }
                        Wanted::Both(f, g) => {
                            story.claim_here(f, value);
                            g
                        }
                    };
                }
            }
        }
    }

    /// What of a formula without an operator of time around it decides its value; `None` if it has
    /// one, or if nothing more can be shown of its parts.
    fn inner<'f>(
        &mut self,
        story: &mut Story<'f>,
        formula: &'f Formula,
        value: bool,
    ) -> Option<(&'f Formula, bool)> {
        if formula.is_propositional() {
            return None;
        }
        let here = *story.nodes.last().expect("the first state");
        let parts: [(&'f Formula, bool); 2] = match formula {
            Formula::Not(f) => return Some((f, !value)),
            // All parts must be so where this is true, one of them where it is false.
            Formula::And(f, g) | Formula::Or(f, g) => [(f, value), (g, value)],
            Formula::Implies(f, g) => [(f, !value), (g, value)],
            _ => return None,
        };
        let so: Vec<_> = parts
            .into_iter()
            .filter(|(f, wanted)| self.holds(f, here) == *wanted)
            .collect();
        // Of two parts that run shows one; the other is so, too, here.
        let shown = so.iter().position(|(f, wanted)| is_shown(f, *wanted));
        let shown = shown.or((so.len() == 1).then_some(0))?;
        for (_, (f, wanted)) in so.iter().enumerate().filter(|(i, _)| *i != shown) {
            story.claim_here(f, *wanted);
        }
        Some(so[shown])
    }

    /// How a run can show the value of a formula here, if one can.
    fn way<'f>(&mut self, formula: &'f Formula, value: bool, here: u32) -> Option<Way<'f>> {
        if self.core.is_fair || !is_shown(formula, value) {
            return None;
        }
        match formula {
            Formula::Runs(..) => {
                let part = self.core.enter(formula);
                let part = match self.core.parts[part] {
                    Part::Not(run) => self.core.parts[run],
                    part => part,
                };
                match part {
                    Part::Run(run) => Some(Way::Run(run)),
                    _ => None,
                }
            }
            Formula::Unary(_, unary, f) => match (unary, value) {
                (Unary::Next, _) => Some(Way::To(None, Wanted::One(f))),
                (Unary::Finally, true) | (Unary::Globally, false) => {
                    Some(Way::To(None, Wanted::One(f)))
                }
                (Unary::Globally, true) | (Unary::Finally, false) => Some(Way::Round(f)),
                (Unary::Yesterday | Unary::Once | Unary::Historically, _) => None,
            },
            Formula::Binary(_, binary, f, g) => {
                let until = Way::To(Some(f), Wanted::One(g));
                let release = Way::To(Some(g), Wanted::Both(f, g));
                let (way, round) = match (binary, value) {
                    (Binary::Until, true) | (Binary::Release, false) => return Some(until),
                    (Binary::WeakUntil, false) => return Some(release),
                    (Binary::WeakUntil, true) => (until, f),
                    (Binary::Release, true) | (Binary::Until, false) => (release, g),
                    (Binary::Since, _) => return None,
                };
                let Way::To(through, to) = &way else {
                    return Some(way);
                };
                let goes = self.path(here, (*through, *to), value).is_some();
                Some(if goes { way } else { Way::Round(round) })
            }
            _ => None,
        }
    }

    /// Takes a run that is as asked.
    fn go_as_asked<'f>(
        &mut self,
        story: &mut Story<'f>,
        (formula, run): (&'f Formula, usize),
        value: bool,
    ) {
        let here = *story.nodes.last().expect("the first state");
        let found = self.evaluation.lasso(self.core, run, (self.graph, here));
        let (path, round) = found.expect("a run, as the evaluation says");
        let start = story.nodes.len() - 1;
        story.nodes.extend(&path[1..]);
        story.loop_from = Some(story.nodes.len() - 1);
        story.nodes.extend(round);
        story.claims.push(Claim {
            places: start..story.nodes.len(),
            formula,
            value,
            is_of_run: true,
        });
    }

    fn is(&mut self, wanted: Wanted<'_>, node: u32, value: bool) -> bool {
        match wanted {
            Wanted::One(f) => self.holds(f, node) == value,
            Wanted::Both(f, g) => self.holds(f, node) == value && self.holds(g, node) == value,
        }
    }

    /// Takes the path that shows the value of `formula`.
    fn go<'f>(
        &mut self,
        story: &mut Story<'f>,
        formula: &Formula,
        (through, to): (Option<&'f Formula>, Wanted<'f>),
        value: bool,
    ) {
        let here = *story.nodes.last().expect("the first state");
        let first = story.nodes.len() - 1;
        if let Formula::Unary(_, Unary::Next, _) = formula {
            let graph = self.graph;
            let mut next = graph.next.of(here).iter().copied();
            let next = next.find(|node| self.is(to, *node, value));
            story.nodes.push(next.expect("a state that follows"));
            return;
        }
        let path = self.path(here, (through, to), value);
        story.nodes.extend(path.expect("a path"));
        let last = story.nodes.len() - 1;
        if let Some(formula) = through.filter(|_| first < last) {
            story.claims.push(Claim {
                places: first..last,
                formula,
                value,
                is_of_run: false,
            });
        }
    }

    /// The states after `from` on a shortest path to a wanted one.
    fn path(
        &mut self,
        from: u32,
        (through, to): (Option<&Formula>, Wanted<'_>),
        value: bool,
    ) -> Option<Vec<u32>> {
        let mut came: HashMap<u32, u32> = HashMap::from([(from, from)]);
        let mut open = VecDeque::from([from]);
        let graph = self.graph;
        while let Some(node) = open.pop_front() {
            if self.is(to, node, value) {
                return Some(back(&came, from, node));
            }
            if through.is_some_and(|f| self.holds(f, node) != value) {
                continue;
            }
            for &next in graph.next.of(node) {
                if let std::collections::hash_map::Entry::Vacant(new) = came.entry(next) {
                    new.insert(node);
                    open.push_back(next);
                }
            }
        }
        None
    }

    /// Goes round in states of `formula`, by a short way.
    fn go_round<'f>(&mut self, story: &mut Story<'f>, formula: &'f Formula, value: bool) {
        let here = *story.nodes.last().expect("the first state");
        let mut part = self.core.enter(formula);
        if !value {
            part = self.core.part(Part::Not(part));
        }
        let always = self.core.part(Part::Globally(part));
        let (graph, evaluation) = (self.graph, self.evaluation);
        let inside = |node: u32| evaluation.holds(always, node);
        // What can be reached, with numbers of its own.
        let (mut nodes, mut numbers) = (vec![here], HashMap::from([(here, 0_usize)]));
        let mut came: HashMap<u32, u32> = HashMap::from([(here, here)]);
        let mut at = 0;
        while let Some(&node) = nodes.get(at) {
            at += 1;
            for &next in graph.next.of(node).iter().filter(|next| inside(**next)) {
                if let std::collections::hash_map::Entry::Vacant(new) = numbers.entry(next) {
                    new.insert(nodes.len());
                    nodes.push(next);
                    came.insert(next, node);
                }
            }
        }
        let successors = |node: usize, out: &mut Vec<usize>| {
            let all = graph.next.of(nodes[node]).iter();
            out.extend(all.filter_map(|next| numbers.get(next).copied()));
        };
        let parts = scc::components(nodes.len(), successors);
        // Numbers grow with the distance.
        let first = (0..nodes.len()).find(|&i| parts.is_cyclic[parts.of[i]]);
        let first = first.expect("a state from which a run goes on for ever in the set");
        let same = |next: u32| numbers.get(&next).map(|i| parts.of[*i]) == Some(parts.of[first]);
        let start = story.nodes.len() - 1;
        story.nodes.extend(back(&came, here, nodes[first]));
        story.loop_from = Some(story.nodes.len() - 1);
        story.nodes.extend(round(graph, nodes[first], &same));
        story.claims.push(Claim {
            places: start..story.nodes.len(),
            formula,
            value,
            is_of_run: false,
        });
    }
}

/// The states after `from` up to `to`, from where each was met first.
fn back(came: &HashMap<u32, u32>, from: u32, to: u32) -> Vec<u32> {
    let (mut path, mut at) = (Vec::new(), to);
    while at != from {
        path.push(at);
        at = came[&at];
    }
    path.reverse();
    path
}

/// The other states of a shortest cycle through a state.
fn round(graph: &Graph, from: u32, inside: &dyn Fn(u32) -> bool) -> Vec<u32> {
    let mut came: HashMap<u32, u32> = HashMap::new();
    let mut open = VecDeque::from([from]);
    while let Some(node) = open.pop_front() {
        for &next in graph.next.of(node).iter().filter(|next| inside(**next)) {
            if next == from {
                return back(&came, from, node);
            }
            if let std::collections::hash_map::Entry::Vacant(new) = came.entry(next) {
                new.insert(node);
                open.push_back(next);
            }
        }
    }
    unreachable!("a strongly connected part with a cycle")
}

/// Whether a run can show that a formula has that value.
fn is_shown(formula: &Formula, value: bool) -> bool {
    match formula {
        Formula::Constant(_)
        | Formula::Atom(_)
        | Formula::Iff(..)
        | Formula::Fixpoint(..)
        | Formula::Variable(_) => false,
        Formula::Unary(_, unary, _) if unary.is_past() => false,
        Formula::Binary(_, Binary::Since, ..) => false,
        Formula::Not(f) => is_shown(f, !value),
        Formula::And(f, g) | Formula::Or(f, g) => is_shown(f, value) || is_shown(g, value),
        Formula::Implies(f, g) => is_shown(f, !value) || is_shown(g, value),
        Formula::Unary(quantifier, ..)
        | Formula::Binary(quantifier, ..)
        | Formula::Runs(quantifier, ..) => (*quantifier == Quantifier::Some) == value,
    }
}

impl<'f> Story<'f> {
    /// Whether the run says more than its first state does.
    pub fn is_run(&self) -> bool {
        self.nodes.len() > 1 || self.loop_from.is_some()
    }

    fn claim_here(&mut self, formula: &'f Formula, value: bool) {
        let last = self.nodes.len() - 1;
        self.claims.push(Claim {
            places: last..last + 1,
            formula,
            value,
            is_of_run: false,
        });
    }

    fn claim_end(&mut self, formula: &'f Formula, value: bool) {
        self.claim_here(formula, value);
        self.end = Some((formula, value));
    }
}
