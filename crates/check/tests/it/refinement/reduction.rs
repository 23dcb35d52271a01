//! Symmetry of networks: certified, chosen by every algorithm, beside full searches and orbits that
//! are counted one by one.

use super::models::{Copies, Events, copies, hanoi, one_at_a_time, run_of, token};
use super::random::names;
use super::verdicts::{assert_run, distance, shown};
use super::{LIMITS, MODELS, holds, run, with};
use check::Symmetry;
use check::refinement::normal::Normal;
use check::refinement::twist::PairReducer;
use check::refinement::{Model, Outcome, deadlock_free, freedom, normalise, refines_normal};
use model::network::{Label, Leaf, Network, Process, Tree};
use reduce::network::{
    Algorithm, Candidate, CertifiedNetwork, ChoiceReason, ComponentPair, Joint, NetworkPart,
    NoRepresentatives, NoSymmetry, OperatorSet, PartMismatch, Representatives, SetChange,
    Specification, SpecificationChange, TraceDifference, certify, reduced_network,
};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

pub const GROUP: reduce::network::Limits = reduce::network::Limits {
    elements_max: 10_000,
    bytes_max: 1 << 28,
};

pub fn search(normal: &Normal, process: &Network, reducer: &mut dyn PairReducer) -> Outcome {
    let found = with(reducer, |setting| refines_normal(normal, process, setting));
    found.expect("a replay")
}

/// All ways to choose that fit, by name; but for descent, which keeps several pairs of an orbit
/// where the others keep one.
pub fn ways(joint: &Joint) -> Vec<(String, Representatives)> {
    let mut ways: Vec<(String, Representatives)> = Vec::new();
    for algorithm in Algorithm::ALL
        .into_iter()
        .filter(|a| *a != Algorithm::Descent)
    {
        if let Ok(made) = joint.representatives(algorithm, GROUP) {
            ways.push((algorithm.name().to_owned(), made));
        }
    }
    if !joint.is_trivial() {
        ways.push(("drawn".to_owned(), joint.by_drawing().expect("members")));
        ways.push(("tried".to_owned(), joint.by_trying(GROUP).expect("small")));
    }
    ways
}

/// All pairs, without limits and without reduction.
fn all_pairs(normal: &Normal, process: &Network) -> Vec<(u32, Vec<u32>)> {
    let mut seen = HashSet::from([(0, process.initial())]);
    let mut order = vec![(0, process.initial())];
    let mut at = 0;
    while at < order.len() {
        let (spec, state) = order[at].clone();
        at += 1;
        if normal.is_divergent(spec) {
            continue;
        }
        for step in process.moves(&state) {
            let next = match step.label {
                Label::TAU => spec,
                label => normal.next(spec, label).expect("it holds"),
            };
            let pair = (next, step.state);
            if seen.insert(pair.clone()) {
                order.push(pair);
            }
        }
    }
    order
}

/// What a symmetry does to a state, from the parts that were certified.
fn moved(certified: &CertifiedNetwork, g: usize, network: &Network, state: &[u32]) -> Vec<u32> {
    let symmetry = &certified.symmetries()[g];
    if state[0] == network.leaves()[0].ended() + 1 {
        return state.to_vec();
    }
    let mut image = vec![0; state.len()];
    for (leaf, &s) in state.iter().enumerate() {
        image[symmetry.leaves()[leaf] as usize] = symmetry.states(leaf)[s as usize];
    }
    image
}

fn label_moved(certified: &CertifiedNetwork, g: usize, label: Label) -> Label {
    match label.as_event() {
        Some(event) => Label::event(certified.symmetries()[g].events()[event as usize]),
        None => label,
    }
}

/// The number of orbits of pairs, by joining each pair with its images; a specification state is
/// moved along the trace that leads to the pair.
pub fn n_orbits(normal: &Normal, process: &Network, certified: &CertifiedNetwork) -> usize {
    let pairs = all_pairs(normal, process);
    let numbers: HashMap<&(u32, Vec<u32>), usize> = pairs.iter().zip(0..).collect();
    let mut parent: Vec<usize> = (0..pairs.len()).collect();
    fn root(parent: &[usize], mut x: usize) -> usize {
        while parent[x] != x {
            x = parent[x];
        }
        x
    }
    for g in 0..certified.symmetries().len() {
        // Where the specification goes: by walking.
        let mut spec = vec![u32::MAX; normal.len()];
        let mut waiting = vec![(0, 0)];
        while let Some((from, to)) = waiting.pop() {
            if spec[from as usize] == u32::MAX {
                spec[from as usize] = to;
                for &(label, target) in normal.edges(from) {
                    let image = normal.next(to, label_moved(certified, g, label));
                    waiting.push((target, image.expect("the specification is symmetric")));
                }
            }
        }
        for (i, (u, v)) in pairs.iter().enumerate() {
            let image = (spec[*u as usize], moved(certified, g, process, v));
            let j = numbers[&image];
            let (a, b) = (root(&parent, i), root(&parent, j));
            parent[a] = b;
        }
    }
    (0..pairs.len()).filter(|&x| parent[x] == x).count()
}

/// Every symmetry takes transitions to transitions, on every state that is reached.
pub fn assert_symmetric(network: &Network, certified: &CertifiedNetwork, told: &str) {
    let mut seen = HashSet::from([network.initial()]);
    let mut order = vec![network.initial()];
    let mut at = 0;
    for g in 0..certified.symmetries().len() {
        let start = network.initial();
        assert_eq!(moved(certified, g, network, &start), start, "{told}");
    }
    while at < order.len() {
        let state = order[at].clone();
        at += 1;
        let moves = network.moves(&state);
        for g in 0..certified.symmetries().len() {
            let image = network.moves(&moved(certified, g, network, &state));
            let image = image.into_iter().map(|step| (step.label, step.state));
            let image: HashSet<(Label, Vec<u32>)> = image.collect();
            let expected = moves.iter().map(|step| {
                let label = label_moved(certified, g, step.label);
                (label, moved(certified, g, network, &step.state))
            });
            assert_eq!(image, expected.collect(), "{told}: {state:?}");
        }
        for step in moves {
            if seen.insert(step.state.clone()) {
                order.push(step.state);
            }
        }
    }
}

pub fn chart_of(certified: &CertifiedNetwork, normal: &Normal) -> Joint {
    certified.against(Specification::Chart(&normal.chart()))
}

#[test]
fn towers_of_hanoi_have_the_counts_of_the_closed_form() {
    // By poles from 3 on, and discs from 2 on: pairs, and orbits.
    let table: [&[(u64, u64)]; 5] = [
        &[(9, 5), (27, 14), (81, 41), (243, 122), (729, 365)],
        &[(16, 5), (64, 15), (256, 51), (1024, 187), (4096, 715)],
        &[(25, 5), (125, 15), (625, 52), (3125, 202)],
        &[(36, 5), (216, 15), (1296, 52), (7776, 203)],
        &[(49, 5), (343, 15), (2401, 52)],
    ];
    let transitions = [240, 1440, 5440, 15600, 37296];
    for (row, poles) in table.iter().zip(3u32..) {
        for (&(full, orbits), discs) in row.iter().zip(2u32..) {
            let told = format!("{poles} poles, {discs} discs");
            let (network, events) = hanoi(poles, discs, false);
            let network = reduced_network(&network, 1 << 20);
            let all: Vec<u32> = (0..network.names().len() as u32).collect();
            let normal = normalise(&run_of(&all), Model::Traces, LIMITS).expect("small");
            let plain = run(|setting| refines_normal(&normal, &network, setting));
            assert!(holds(&plain), "{told}");
            assert_eq!(plain.counts.n_pairs, full, "{told}");
            assert_eq!(plain.counts.n_full, Some(u128::from(full)), "{told}");
            if discs == 4 {
                let expected = transitions[poles as usize - 3];
                assert_eq!(plain.counts.n_transitions, expected, "{told}");
            }
            let free: Vec<u32> = (101..100 + poles).collect();
            let certified = certify(&network, &events.exchanges(&free));
            assert_eq!(certified.refused(), [], "{told}");
            let joint = chart_of(&certified, &normal);
            assert!(joint.is_universal(), "{told}");
            assert_eq!(joint.published().0, Algorithm::SymCheck1, "{told}");
            let ways = ways(&joint);
            assert_eq!(ways.len(), 8, "{told}");
            for (name, mut way) in ways {
                let outcome = search(&normal, &network, &mut way);
                let expected = if name == "none" { full } else { orbits };
                assert!(holds(&outcome), "{told}, {name}");
                assert_eq!(outcome.counts.n_pairs, expected, "{told}, {name}");
                assert_eq!(
                    outcome.counts.n_full,
                    Some(u128::from(full)),
                    "{told}, {name}"
                );
            }
            let (_, reason) = joint.choose(GROUP);
            assert!(matches!(reason, ChoiceReason::Sorted(_)), "{reason:?}");
        }
    }
}

#[test]
fn a_token_has_states_that_name_users_and_a_specification_that_moves() {
    for n in 2..=4 {
        let (network, mut events) = token(n, None, false);
        let network = reduced_network(&network, 1 << 20);
        let users: Vec<u32> = (1..=n).collect();
        let certified = certify(&network, &events.exchanges(&users));
        assert_eq!(certified.refused(), [], "{n}");
        assert_symmetric(&network, &certified, "token");
        let spec = one_at_a_time(n, &mut events);
        let all: Vec<u32> = (0..network.names().len() as u32).collect();
        let mut n_pairs = Vec::new();
        for (spec, algorithm) in [
            (&spec, Algorithm::SymCheck3),
            (&run_of(&all), Algorithm::SymCheck2),
        ] {
            let normal = normalise(spec, Model::Traces, LIMITS).expect("small");
            let plain = run(|setting| refines_normal(&normal, &network, setting));
            assert!(holds(&plain), "{n}");
            let joint = chart_of(&certified, &normal);
            assert_eq!(joint.published().0, algorithm, "{n}");
            let orbits = n_orbits(&normal, &network, &certified) as u64;
            n_pairs.push(orbits);
            let ways = ways(&joint);
            assert_eq!(ways.len(), 6 + usize::from(joint.is_universal()), "{n}");
            for (name, mut way) in ways {
                let outcome = search(&normal, &network, &mut way);
                let told = format!("{n} users, {algorithm:?}, {name}");
                assert!(holds(&outcome), "{told}");
                let expected = if name == "none" {
                    plain.counts.n_pairs
                } else {
                    orbits
                };
                assert_eq!(outcome.counts.n_pairs, expected, "{told}");
                // SymCheck3 does not know how many pairs one of its pairs stands for.
                let moves = ["sym-check-3", "sym-check"].contains(&&*name);
                if !moves || joint.is_universal() {
                    let full = Some(u128::from(plain.counts.n_pairs));
                    assert_eq!(outcome.counts.n_full, full, "{told}");
                }
            }
        }
        // The specification's state is a function of the process's.
        assert_eq!(n_pairs[0], n_pairs[1], "{n}");
    }
}

#[test]
fn faults_are_found_as_soon_and_shown_with_real_names() {
    for n in 2..=4 {
        let (network, mut events) = token(n, None, true);
        let network = reduced_network(&network, 1 << 20);
        let users: Vec<u32> = (1..=n).collect();
        let certified = certify(&network, &events.exchanges(&users));
        let normal = normalise(&one_at_a_time(n, &mut events), Model::Traces, LIMITS);
        let normal = normal.expect("small");
        let plain = run(|setting| refines_normal(&normal, &network, setting));
        let expected = distance(shown(&plain).expect("two may be in"));
        for (name, mut way) in ways(&chart_of(&certified, &normal)) {
            let outcome = search(&normal, &network, &mut way);
            let told = format!("{n} users, {name}");
            let shown = shown(&outcome).expect(&told);
            assert_eq!(distance(shown), expected, "{told}");
            assert_run(&shown.run, &network, &told);
        }
    }
    // Hanoi in which any disc may lie on any other has more states.
    let (network, events) = hanoi(4, 3, true);
    let network = reduced_network(&network, 1 << 20);
    let certified = certify(&network, &events.exchanges(&[101, 102, 103]));
    let (right, _) = hanoi(4, 3, false);
    let normal = normalise(&right, Model::Traces, LIMITS).expect("small");
    let plain = run(|setting| refines_normal(&normal, &network, setting));
    let expected = distance(shown(&plain).expect("a disc on a smaller one"));
    for (name, mut way) in ways(&chart_of(&certified, &normal)) {
        let outcome = search(&normal, &network, &mut way);
        let shown = shown(&outcome).expect(&name);
        assert_eq!(distance(shown), expected, "{name}");
        assert_run(&shown.run, &network, &name);
    }
}

#[test]
fn random_symmetric_networks_keep_verdicts_distances_and_orbits() {
    let (mut n_held, mut n_violated, mut n_moving, mut n_several) = (0, 0, 0, 0);
    for seed in 0..700 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let n = [2, 3, 3, 4][seed as usize % 4];
        let Copies {
            network,
            spec,
            candidates,
        } = copies(&mut rng, n);
        // Operators within each other are seen through by their rules only.
        let is_flat = format!("{:?}", network.tree()).matches("Parallel").count() == 1;
        let parts_max = if is_flat && rng.bool() { 0 } else { 10_000 };
        let network = reduced_network(&network, parts_max);
        let certified = certify(&network, &candidates);
        assert_eq!(certified.refused(), [], "seed {seed}");
        assert_symmetric(&network, &certified, &format!("seed {seed}"));
        let model = MODELS[rng.usize(0..3)];
        let limits = check::refinement::Limits {
            spec_states_max: 3000,
            ..LIMITS
        };
        let Ok(normal) = normalise(&spec, model, limits) else {
            continue;
        };
        let joint = chart_of(&certified, &normal);
        assert_eq!(joint.refused(), [], "seed {seed}");
        n_moving += usize::from(!joint.is_universal());
        let plain = run(|setting| refines_normal(&normal, &network, setting));
        let orbits = holds(&plain).then(|| n_orbits(&normal, &network, &certified) as u64);
        let distances = shown(&plain).map(distance);
        let descent = joint.representatives(Algorithm::Descent, GROUP);
        let descent = ("descent".to_owned(), descent.expect("it fits every group"));
        for (name, mut way) in ways(&joint).into_iter().chain([descent]) {
            let told = format!("seed {seed}, {n} copies, {model:?}, {name}");
            let outcome = search(&normal, &network, &mut way);
            assert_eq!(holds(&outcome), holds(&plain), "{told}");
            assert_eq!(shown(&outcome).map(distance), distances, "{told}");
            if let Some(shown) = shown(&outcome) {
                assert_run(&shown.run, &network, &told);
                n_violated += 1;
                continue;
            }
            n_held += 1;
            let n_pairs = outcome.counts.n_pairs;
            let full = Some(u128::from(plain.counts.n_pairs));
            match &name[..] {
                "none" => assert_eq!(n_pairs, plain.counts.n_pairs, "{told}"),
                "descent" => {
                    let all = orbits.unwrap_or(0)..=plain.counts.n_pairs;
                    assert!(all.contains(&n_pairs), "{told}: {n_pairs}");
                }
                "sym-check-3" | "sym-check" if !joint.is_universal() => {
                    assert!(Some(n_pairs) >= orbits, "{told}");
                    n_several += usize::from(Some(n_pairs) > orbits);
                }
                _ => {
                    assert_eq!(Some(n_pairs), orbits, "{told}");
                    assert_eq!(outcome.counts.n_full, full, "{told}");
                }
            }
        }
    }
    let counts = format!("{n_held} {n_violated} {n_moving} {n_several}");
    assert!(
        n_held > 300 && n_violated > 300 && n_moving > 50,
        "{counts}"
    );
}

#[test]
fn deadlock_and_traces_are_searched_with_symmetry() {
    let (network, mut events) = token(3, None, false);
    let network = reduced_network(&network, 1 << 20);
    let certified = certify(&network, &events.exchanges(&[1, 2, 3]));
    let joint = certified.against(freedom());
    let plain = run(|setting| deadlock_free(&network, Model::Failures, setting));
    for (name, mut way) in ways(&joint) {
        let outcome = with(&mut way, |setting| {
            deadlock_free(&network, Model::Failures, setting)
        });
        let outcome = outcome.expect("a replay");
        assert!(holds(&outcome) && holds(&plain), "{name}");
        let full = Some(u128::from(plain.counts.n_pairs));
        assert_eq!(outcome.counts.n_full, full, "{name}");
    }
    // A trace fixes those whom it names.
    let trace = [events.label("enter.1"), events.label("leave.1")];
    let joint = certified.against(Specification::Trace(&trace));
    assert_eq!(joint.names().len(), 1);
    assert_eq!(joint.refused().len(), 2);
    let reason = &joint.refused()[0].reason;
    assert_eq!(*reason, NoSymmetry::TraceMoves("enter.1".to_owned()));
    for (name, mut way) in ways(&joint) {
        let outcome = with(&mut way, |setting| {
            check::refinement::has_trace(&network, &trace, Model::Traces, setting)
        });
        assert!(holds(&outcome.expect("a replay")), "{name}");
    }
}

fn refusals(network: &Network, candidates: &[Candidate]) -> Vec<NoSymmetry> {
    let network = reduced_network(network, 1 << 20);
    let certified = certify(&network, candidates);
    let refused = certified.refused().iter();
    refused.map(|refused| refused.reason.clone()).collect()
}

#[test]
fn what_is_not_symmetric_is_refused_with_the_reason() {
    // One user can ring a bell: only the other two are alike.
    let (network, events) = token(3, Some(1), false);
    let reasons = refusals(&network, &events.exchanges(&[1, 2, 3]));
    assert_eq!(reasons.len(), 2);
    let pair = ComponentPair {
        from: "USER(1)".into(),
        on: "USER(2)".into(),
        is_itself: false,
    };
    let difference = TraceDifference {
        after: ["pass.1.2", "enter.2"].map(str::to_owned).to_vec(),
        event: "bell".to_owned(),
        only_image: true,
    };
    let difference = Some(difference);
    let expected = NoSymmetry::Parts(PartMismatch::Components { pair, difference });
    assert_eq!(reasons[0], expected);

    // An alphabet that names one pole too few.
    let (network, events) = hanoi(3, 2, false);
    let Tree::Alphabetised(mut children) = network.tree().clone() else {
        panic!("alphabets");
    };
    let mut fewer = children[2].0.to_vec();
    let left = fewer.pop().expect("an event");
    children[2].0 = fewer.into();
    let tree = Tree::Alphabetised(children);
    let changed = Network::new(
        network.names().clone(),
        network.leaves().to_vec(),
        tree,
        1 << 20,
    );
    let reasons = refusals(&changed, &events.exchanges(&[101, 102]));
    let left = network.names()[left as usize].to_string();
    assert_eq!(reasons.len(), 1, "without {left}");
    let NoSymmetry::Parts(PartMismatch::Set { of, .. }) = &reasons[0] else {
        panic!("{:?}", reasons[0]);
    };
    let OperatorSet::Alphabet(part, _) = of else {
        panic!("{of:?}");
    };
    assert!(part.first[0].starts_with("POLE("), "{part:?}");

    // What is hidden of one user is not hidden of the others.
    let (network, mut events) = token(3, None, false);
    let one = events.number("enter.2");
    let tree = Tree::Hide([one].into(), network.tree().clone().into());
    let changed = Network::new(
        network.names().clone(),
        network.leaves().to_vec(),
        tree,
        1 << 20,
    );
    let reasons = refusals(&changed, &events.exchanges(&[1, 2, 3]));
    assert_eq!(reasons.len(), 2);
    let of = OperatorSet::Hidden(NetworkPart {
        first: ["USER(1)", "USER(2)", "USER(3)"].map(Into::into).to_vec(),
        n_more: 1,
    });
    let change = SetChange::Gets("enter.1".to_owned());
    let expected = NoSymmetry::Parts(PartMismatch::Set { of, change });
    assert_eq!(reasons[0], expected);
}

#[test]
fn what_is_no_permutation_or_not_reduced_is_refused() {
    let (network, _) = token(3, None, false);
    let none = Candidate {
        name: "none".to_owned(),
        events: vec![0; network.names().len()],
    };
    let reasons = refusals(&network, &[none]);
    assert_eq!(reasons, [NoSymmetry::NoPermutation]);

    // Leaves that are not reduced.
    let [a, b] = [0, 1].map(Label::event);
    let edges = [vec![(a, 1), (a, 2)], vec![(b, 0)], vec![(b, 0)]];
    let leaf = Arc::new(Leaf::new("P".into(), 0, &edges));
    let tree = Tree::Parallel([].into(), vec![Tree::Leaf(0), Tree::Leaf(1)]);
    let network = Network::new(names(2), vec![leaf.clone(), leaf], tree, 100);
    let same = Candidate {
        name: "same".to_owned(),
        events: vec![0, 1],
    };
    let certified = certify(&network, std::slice::from_ref(&same));
    assert!(certified.symmetries().is_empty());
    let reason = &certified.refused()[0].reason;
    assert_eq!(*reason, NoSymmetry::Unreduced("P".into()));
    assert!(refusals(&network, &[same]).is_empty());
}

#[test]
fn a_specification_that_singles_out_a_user_leaves_the_others() {
    let (network, mut events) = token(4, None, false);
    let network = reduced_network(&network, 1 << 20);
    let certified = certify(&network, &events.exchanges(&[1, 2, 3, 4]));
    let enter = events.label("enter.1");
    let all: Vec<u32> = (0..network.names().len() as u32).collect();
    let mut edges = vec![
        all.iter()
            .map(|&e| (Label::event(e), 0))
            .collect::<Vec<_>>(),
    ];
    edges[0].retain(|edge| edge.0 != enter);
    let spec = Leaf::new("NOT1".into(), 0, &edges);
    let normal = normalise(&spec, Model::Traces, LIMITS).expect("small");
    let joint = chart_of(&certified, &normal);
    assert_eq!((joint.names().len(), joint.refused().len()), (3, 3));
    let expected = NoSymmetry::Specification {
        after: Vec::new(),
        change: SpecificationChange::Missing {
            event: "enter.2".to_owned(),
            image: "enter.1".to_owned(),
        },
    };
    assert_eq!(joint.refused()[0].reason, expected);
    let plain = run(|setting| refines_normal(&normal, &network, setting));
    let expected = shown(&plain).map(distance);
    assert!(expected.is_some());
    for (name, mut way) in ways(&joint) {
        let outcome = search(&normal, &network, &mut way);
        assert_eq!(shown(&outcome).map(distance), expected, "{name}");
    }
}

/// Renames a state that it was told to leave alone, from some call on.
struct Liar {
    inner: Representatives,
    network: Network,
}

impl PairReducer for Liar {
    fn represent(&mut self, spec: u32, state: &mut [u32]) -> u32 {
        let found = self.inner.represent(spec, state);
        // The first leaf is put where no symmetry puts it.
        let n = self.network.leaves()[0].n_states();
        state[0] = (state[0] + 1) % n;
        found
    }

    fn symmetry(&mut self) -> Symmetry {
        self.inner.symmetry()
    }

    fn move_pair(&self, symmetry: &Symmetry, spec: u32, state: &mut [u32]) -> u32 {
        PairReducer::move_pair(&self.inner, symmetry, spec, state)
    }

    fn move_label(&self, symmetry: &Symmetry, label: Label) -> Label {
        PairReducer::move_label(&self.inner, symmetry, label)
    }

    fn is_identity(&self) -> bool {
        false
    }

    fn bytes(&self) -> u64 {
        0
    }
}

#[test]
fn a_wrong_bijection_of_states_shows_no_counterexample() {
    let (network, mut events) = token(3, None, true);
    let network = reduced_network(&network, 1 << 20);
    let certified = certify(&network, &events.exchanges(&[1, 2, 3]));
    let normal = normalise(&one_at_a_time(3, &mut events), Model::Traces, LIMITS);
    let normal = normal.expect("small");
    let joint = chart_of(&certified, &normal);
    let mut liar = Liar {
        inner: joint
            .representatives(Algorithm::Exact, GROUP)
            .expect("members"),
        network: network.clone(),
    };
    let outcome = with(&mut liar, |setting| {
        refines_normal(&normal, &network, setting)
    });
    assert!(outcome.is_err(), "a lie was believed");
}

#[test]
fn a_group_that_is_too_large_to_list_is_refused_with_a_message() {
    let (network, events) = hanoi(6, 2, false);
    let network = reduced_network(&network, 1 << 20);
    let certified = certify(&network, &events.exchanges(&[101, 102, 103, 104, 105]));
    let joint = certified.against(freedom());
    let few = reduce::network::Limits {
        elements_max: 100,
        bytes_max: 1 << 28,
    };
    let refused = joint.representatives(Algorithm::SymCheck2, few);
    let refused = refused.map(|_| ()).expect_err("120 elements");
    assert_eq!(refused, NoRepresentatives::Elements(100));
    let made = joint
        .representatives(Algorithm::Exact, few)
        .expect("members");
    assert_eq!(made.order(), "120");
    let (_, events): (Network, Events) = hanoi(3, 2, false);
    assert_eq!(certified.symmetries().len(), 10);
    assert!(events.exchanges(&[]).is_empty());
}
