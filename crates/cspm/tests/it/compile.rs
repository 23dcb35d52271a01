//! Networks mean what the terms mean that they were compiled from, in all three models.

use std::collections::HashMap;
use std::sync::Arc;

use cspm::compile::{CompiledProcess, Compiler};
use cspm::leaf::Lts;
use cspm::operate::{Operator, StateLimits, StepFailure, TermLabel};
use cspm::process::{Compression, Event, LaterId, Term, Terms};
use model::network::{self, Bisimulation, Network, Process, Steps, Tree};

use crate::observe::observe;
use crate::sample::{Bodies, MIXES, Mix, N_EVENTS, Sample, random};

const LIMITS: StateLimits = StateLimits {
    states_max: 400,
    depth_max: 1000,
};

/// Traces up to this length are compared.
const DEPTH: i32 = 5;

fn compile(sample: &mut Sample, parts_max: usize, up_to: Bisimulation) -> Option<CompiledProcess> {
    let mut compiler = Compiler::new(Operator::new(LIMITS), parts_max);
    compiler.set_up_to(up_to);
    match compiler.compile(sample.root, &mut sample.terms, &mut sample.bodies) {
        Ok(compiled) => Some(compiled),
        Err(StepFailure::States { .. }) => None,
        Err(failure) => panic!("{failure:?}"),
    }
}

/// The states of a network as a transition system; nothing if there are too many.
fn explicit(network: &Network) -> Option<Lts> {
    let mut numbers: HashMap<Vec<u32>, u32> = HashMap::from([(network.initial(), 0)]);
    let mut order = vec![network.initial()];
    let mut states = Vec::new();
    let mut steps = Steps::new();
    while let Some(state) = order.get(states.len()).cloned() {
        network.steps(&state, &mut steps);
        let mut edges = Vec::new();
        for (i, &label) in steps.labels().iter().enumerate() {
            let label = match (label, label.as_event()) {
                (network::Label::TAU, _) => TermLabel::Tau,
                (_, Some(event)) => TermLabel::Event(Event::new(event as usize)),
                (_, None) => TermLabel::Tick,
            };
            let next = steps.state(i).to_vec();
            let number = *numbers.entry(next.clone()).or_insert_with(|| {
                order.push(next);
                order.len() as u32 - 1
            });
            edges.push((label, number));
        }
        if order.len() > LIMITS.states_max {
            return None;
        }
        states.push(edges);
    }
    Some(Lts::new(states))
}

/// Whether a network means what the term means; nothing if there are too many states.
fn agree(sample: &mut Sample, network: &Network) -> Option<bool> {
    let seen = explicit(network)?;
    let leaf = sample.leaf(sample.root)?;
    let same = |strict| {
        let plain = observe(&leaf.lts, N_EVENTS, strict, DEPTH);
        plain == observe(&seen, N_EVENTS, strict, DEPTH)
    };
    Some(same(false) && same(true))
}

#[test]
fn networks_mean_what_terms_mean() {
    for mix in MIXES {
        let (mut n_compared, mut n_wide) = (0, 0);
        for seed in 0..1500 {
            let mut sample = random(seed, mix);
            // By rules, and by walking over the tree.
            let parts_max = if seed % 2 == 0 { usize::MAX } else { 0 };
            let up_to = if seed % 4 < 2 {
                Bisimulation::Strong
            } else {
                Bisimulation::Weak
            };
            let Some(compiled) = compile(&mut sample, parts_max, up_to) else {
                continue;
            };
            assert_eq!(compiled.components.len(), compiled.network.leaves().len());
            if let Some(agrees) = agree(&mut sample, &compiled.network) {
                assert!(agrees, "{mix:?} seed {seed}");
                n_compared += 1;
                n_wide += usize::from(compiled.components.len() > 1);
            }
        }
        assert!(n_compared > 1200, "{mix:?}: {n_compared}");
        let wide_min = match mix {
            Mix::Parallel => 400,
            Mix::All => 100,
            _ => 0,
        };
        assert!(n_wide >= wide_min, "{mix:?}: {n_wide}");
    }
}

/// The tree with a fault in it.
fn spoilt(tree: &Tree, fault: usize) -> Tree {
    let all: Arc<[u32]> = (0..N_EVENTS as u32).collect();
    match (tree, fault) {
        (Tree::Leaf(leaf), _) => Tree::Leaf(*leaf),
        (Tree::Parallel(_, children), 0) => Tree::Parallel([].into(), children.clone()),
        (Tree::Alphabetised(children), 1) => {
            let children = children.iter();
            Tree::Alphabetised(children.map(|(_, t)| (all.clone(), t.clone())).collect())
        }
        (Tree::Hide(_, child), 2) => (**child).clone(),
        (Tree::Rename(_, child), 3) => (**child).clone(),
        (Tree::Parallel(set, children), _) => {
            let children = children.iter().map(|child| spoilt(child, fault));
            Tree::Parallel(set.clone(), children.collect())
        }
        (Tree::Alphabetised(children), _) => {
            let children = children.iter();
            Tree::Alphabetised(
                children
                    .map(|(s, t)| (s.clone(), spoilt(t, fault)))
                    .collect(),
            )
        }
        (Tree::Hide(set, child), _) => Tree::Hide(set.clone(), spoilt(child, fault).into()),
        (Tree::Rename(pairs, child), _) => Tree::Rename(pairs.clone(), spoilt(child, fault).into()),
    }
}

#[test]
fn wrong_operators_are_noticed() {
    for fault in 0..4 {
        let mix = if fault < 2 {
            Mix::Parallel
        } else {
            Mix::Hiding
        };
        let is_noticed = |seed: &u64| {
            let mut sample = random(*seed, mix);
            let Some(CompiledProcess { network, .. }) =
                compile(&mut sample, usize::MAX, Bisimulation::Strong)
            else {
                return false;
            };
            let tree = spoilt(network.tree(), fault);
            let leaves = network.leaves().to_vec();
            let wrong = Network::new(network.names().clone(), leaves, tree, usize::MAX);
            agree(&mut sample, &wrong) == Some(false)
        };
        let n = (0..500).filter(is_noticed).count();
        assert!(n > 10, "fault {fault}: {n}");
    }
}

#[test]
fn only_operators_at_the_top_make_components() {
    let mut terms = Terms::default();
    let a = Event::new(0);
    let stop = terms.term(Term::Stop);
    let skip = terms.term(Term::Skip);
    let p = terms.term(Term::Prefix([(a, stop)].into()));
    let none = terms.set(vec![]);
    let set = terms.set(vec![a]);
    let both = terms.term(Term::Parallel(none, [p, p].into()));
    let hidden = terms.term(Term::Hide(both, set));
    let then = terms.term(Term::Then(both, skip));
    let strong = terms.term(Term::Compressed(Compression::Strong, both));
    let plain = terms.term(Term::Compressed(Compression::Identity, both));
    let nothing = terms.term(Term::Parallel(none, [].into()));
    let later = terms.term(Term::Later(LaterId::new(0)));
    let mixed = terms.term(Term::Alphabetised([(set, later), (none, skip)].into()));
    let bodies = vec![hidden];
    let mut of = |root| {
        let table = std::mem::take(&mut terms);
        let mut sample = Sample {
            terms: table,
            bodies: Bodies(bodies.clone()),
            root,
        };
        let compiled = compile(&mut sample, usize::MAX, Bisimulation::Strong).expect("few states");
        terms = sample.terms;
        let leaves = compiled.network.leaves().iter();
        leaves.map(|leaf| leaf.n_states()).collect::<Vec<u32>>()
    };
    assert_eq!(of(hidden), [2, 2]);
    assert_eq!(of(then).len(), 1);
    assert_eq!(of(strong), [3], "explored and made smaller as a whole");
    assert_eq!(of(plain), [2, 2]);
    assert_eq!(of(nothing), [1], "nobody has ended");
    assert_eq!(of(mixed), [2, 2, 1]);
}

#[test]
fn recursion_through_operators_is_no_network() {
    let mut terms = Terms::default();
    let later = terms.term(Term::Later(LaterId::new(0)));
    let none = terms.set(vec![]);
    let stop = terms.term(Term::Stop);
    let body = terms.term(Term::Parallel(none, [stop, later].into()));
    let mut bodies = Bodies(vec![body]);
    let mut compiler = Compiler::new(Operator::new(LIMITS), usize::MAX);
    let found = compiler.compile(later, &mut terms, &mut bodies);
    let failure = found.map(|_| ()).expect_err("P = STOP ||| P");
    assert_eq!(failure, StepFailure::Unguarded(LaterId::new(0)));
    assert_eq!(compiler.exploring(), Some(later));
}

#[test]
fn a_process_is_explored_once() {
    let mut terms = Terms::default();
    let a = Event::new(0);
    let later = terms.term(Term::Later(LaterId::new(0)));
    let body = terms.term(Term::Prefix([(a, later)].into()));
    let none = terms.set(vec![]);
    let root = terms.term(Term::Parallel(none, [later, later, later].into()));
    let mut sample = Sample {
        terms,
        bodies: Bodies(vec![body]),
        root,
    };
    let compiled = compile(&mut sample, usize::MAX, Bisimulation::Strong).expect("few states");
    let [one, two, three] = compiled.network.leaves() else {
        panic!("three leaves")
    };
    assert!(Arc::ptr_eq(one, two) && Arc::ptr_eq(two, three));
    assert_eq!(&**one.name(), "P0");
}
