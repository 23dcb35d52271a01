//! Groups that are not symmetric groups of leaves, and states that hold more than one member.

use super::models::{Events, run_of};
use super::reduction::{GROUP, assert_symmetric, chart_of, n_orbits, search, ways};
use super::{LIMITS, holds, run};
use check::Symmetry;
use check::refinement::{Model, normalise, refines_normal};
use model::network::{Leaf, Network, Tree};
use reduce::network::{Algorithm, Candidate, ChoiceReason, Joint, certify, reduced_network};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A network with the events its leaves have; all events of a name need all who have it.
fn network(events: &Events, leaves: Vec<Leaf>) -> Network {
    let alphabet = |leaf: &Leaf| {
        let edges = (0..leaf.n_states()).flat_map(|state| leaf.edges(state));
        let mut all: Vec<u32> = edges.filter_map(|edge| edge.0.as_event()).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    let children = leaves.iter().enumerate();
    let children = children.map(|(i, leaf)| (alphabet(leaf).into(), Tree::Leaf(i)));
    let tree = Tree::Alphabetised(children.collect());
    let leaves = leaves.into_iter().map(Arc::new).collect();
    Network::new(events.names(), leaves, tree, 1 << 20)
}

/// Checks all ways to choose against orbits counted one by one, with anything allowed; gives the
/// number of orbits.
fn assert_orbits(network: &Network, candidates: &[Candidate], told: &str) -> (u64, Joint) {
    let network = reduced_network(network, 1 << 20);
    let certified = certify(&network, candidates);
    assert_eq!(certified.refused(), [], "{told}");
    assert_symmetric(&network, &certified, told);
    let all: Vec<u32> = (0..network.names().len() as u32).collect();
    let normal = normalise(&run_of(&all), Model::Traces, LIMITS).expect("small");
    let plain = run(|setting| refines_normal(&normal, &network, setting));
    let orbits = n_orbits(&normal, &network, &certified) as u64;
    let joint = chart_of(&certified, &normal);
    for (name, mut way) in ways(&joint) {
        let outcome = search(&normal, &network, &mut way);
        assert!(holds(&outcome), "{told}, {name}");
        let expected = match &name[..] {
            "none" => plain.counts.n_pairs,
            _ => orbits,
        };
        assert_eq!(outcome.counts.n_pairs, expected, "{told}, {name}");
        let full = Some(u128::from(plain.counts.n_pairs));
        assert_eq!(outcome.counts.n_full, full, "{told}, {name}");
    }
    (orbits, joint)
}

/// A leaf from transitions by name.
fn leaf(name: &str, events: &mut Events, n: usize, edges: &[(usize, String, u32)]) -> Leaf {
    let mut by_state = vec![Vec::new(); n];
    for (from, event, to) in edges {
        by_state[*from].push((events.label(event), *to));
    }
    Leaf::new(name.into(), 0, &by_state)
}

#[test]
fn beads_on_a_ring_are_necklaces_or_bracelets() {
    for n in 3..=7u32 {
        let mut events = Events::default();
        let beads = (0..n).map(|i| {
            let next = (i + 1) % n;
            let last = (i + n - 1) % n;
            let edges = [
                (0, format!("put.{i}"), 1),
                (1, format!("go.{i}.{next}"), 0),
                (0, format!("go.{last}.{i}"), 1),
                (1, format!("go.{i}.{last}"), 0),
                (0, format!("go.{next}.{i}"), 1),
            ];
            leaf(&format!("BEAD({i})"), &mut events, 2, &edges)
        });
        let beads: Vec<Leaf> = beads.collect();
        let network = network(&events, beads);
        let turn: BTreeMap<u32, u32> = (0..n).map(|i| (i, (i + 1) % n)).collect();
        let flip: BTreeMap<u32, u32> = (0..n).map(|i| (i, (n - i) % n)).collect();
        let turn = events.lifted(&turn);
        let told = format!("{n} beads");
        let (orbits, _) = assert_orbits(&network, std::slice::from_ref(&turn), &told);
        assert_eq!(orbits, [4, 6, 8, 14, 20][n as usize - 3], "{told}");
        let (orbits, joint) = assert_orbits(&network, &[turn, events.lifted(&flip)], &told);
        assert_eq!(orbits, [4, 6, 8, 13, 18][n as usize - 3], "{told}");
        let made = joint
            .representatives(Algorithm::Exact, GROUP)
            .expect("members");
        assert_eq!(made.order(), (2 * n).to_string(), "{told}");
    }
}

#[test]
fn descent_by_turns_ends_in_several_pairs_of_a_necklace() {
    // Five places that hold one of four things each, turned by one: no turn by one of 1 3 2 3 0, as
    // of others, is less, and the turn by two or three is.
    let n = 5u32;
    let mut events = Events::default();
    let places: Vec<Leaf> = (0..n)
        .map(|i| {
            let edges = (0..4usize).flat_map(|from| {
                (0..4u32).map(move |to| (from, format!("put.{i}.from{from}to{to}"), to))
            });
            leaf(
                &format!("PLACE({i})"),
                &mut events,
                4,
                &edges.collect::<Vec<_>>(),
            )
        })
        .collect();
    let network = network(&events, places);
    let turn = events.lifted(&(0..n).map(|i| (i, (i + 1) % n)).collect());
    let network = reduced_network(&network, 1 << 20);
    let certified = certify(&network, &[turn]);
    let all: Vec<u32> = (0..network.names().len() as u32).collect();
    let normal = normalise(&run_of(&all), Model::Traces, LIMITS).expect("small");
    let joint = chart_of(&certified, &normal);
    let orbits = n_orbits(&normal, &network, &certified) as u64;
    let mut descent = joint
        .representatives(Algorithm::Descent, GROUP)
        .expect("it fits");
    assert_eq!(descent.order(), "5");
    let n_pairs = search(&normal, &network, &mut descent).counts.n_pairs;
    let plain = run(|setting| refines_normal(&normal, &network, setting));
    assert!(
        (orbits + 1..plain.counts.n_pairs).contains(&n_pairs),
        "{orbits} {n_pairs}"
    );
}

#[test]
fn a_set_that_one_leaf_keeps_is_described_by_its_elements() {
    for n in 1..=5u32 {
        let mut events = Events::default();
        let mut edges = Vec::new();
        for set in 0..1usize << n {
            for i in 0..n {
                let other = (set ^ (1 << i)) as u32;
                let name = if set >> i & 1 == 0 { "put" } else { "get" };
                edges.push((set, format!("{name}.{i}"), other));
            }
        }
        let store = leaf("STORE", &mut events, 1 << n, &edges);
        let network = network(&events, vec![store]);
        let ids: Vec<u32> = (0..n).collect();
        let told = format!("sets of {n}");
        let (orbits, joint) = assert_orbits(&network, &events.exchanges(&ids), &told);
        assert_eq!(orbits, u64::from(n) + 1, "{told}");
        assert_eq!(joint.is_trivial(), n == 1, "{told}");
    }
}

#[test]
fn a_pairing_that_no_set_of_members_describes_is_a_member_itself() {
    // Which of the three ways to pair four users is in force, and a bit of each user.
    let mut events = Events::default();
    let partner = |way: u32, i: u32| i ^ (way + 1);
    let mut edges = Vec::new();
    for state in 0..4usize {
        for way in 0..3 {
            for i in 0..4 {
                let j = partner(way, i);
                edges.push((state, format!("pair.{i}.{j}"), way + 1));
            }
        }
        for i in (0..4).filter(|_| state > 0) {
            let j = partner(state as u32 - 1, i);
            edges.push((state, format!("call.{i}.{j}"), state as u32));
        }
    }
    let mut leaves = vec![leaf("PAIRS", &mut events, 4, &edges)];
    for i in 0..4 {
        let mut edges = vec![(0, format!("flip.{i}"), 1), (1, format!("flop.{i}"), 0)];
        for j in (0..4).filter(|&j| j != i) {
            edges.push((1, format!("call.{i}.{j}"), 0));
            edges.push((0, format!("call.{j}.{i}"), 1));
        }
        leaves.push(leaf(&format!("USER({i})"), &mut events, 2, &edges));
    }
    let network = network(&events, leaves);
    let (orbits, _) = assert_orbits(&network, &events.exchanges(&[0, 1, 2, 3]), "pairs");
    // Without a pairing 5 numbers of bits; with one 6 ways to set the bits of two pairs.
    assert_eq!(orbits, 11);
}

#[test]
fn leaves_that_move_together_are_sorted_as_columns() {
    let mut events = Events::default();
    let mut leaves = Vec::new();
    for i in 1..=3 {
        let edges = [
            (0, format!("ask.{i}"), 1),
            (1, format!("tell.{i}"), 2),
            (2, format!("done.{i}"), 0),
        ];
        leaves.push(leaf(&format!("P({i})"), &mut events, 3, &edges));
    }
    // In another order than the others, and with states called otherwise.
    for i in [2, 3, 1] {
        let edges = [
            (0, format!("tell.{i}"), 1),
            (1, format!("rest.{i}"), 0),
            (1, format!("done.{i}"), 1),
        ];
        leaves.push(leaf(&format!("Q({i})"), &mut events, 2, &edges));
    }
    let network = network(&events, leaves);
    let (orbits, joint) = assert_orbits(&network, &events.exchanges(&[1, 2, 3]), "columns");
    // A column has 6 states less those that are not reached: all are. 8 over 3.
    assert_eq!(orbits, 56);
    let (_, reason) = joint.choose(GROUP);
    assert_eq!(reason, ChoiceReason::Sorted(2));
    assert_eq!(joint.published().0, Algorithm::SymCheck1);
}

/// `||| i @ CELL[[c <- in.i]]`, where `CELL = c -> c -> CELL` with its two states told apart.
fn cells(events: &mut Events) -> Network {
    let edges = [
        (0, "c".to_owned(), 1),
        (1, "c".to_owned(), 2),
        (2, "e".to_owned(), 0),
    ];
    let cell = Arc::new(leaf("CELL", events, 3, &edges));
    let c = events.number("c");
    let children = (1..=3).map(|i| {
        let new = events.number(&format!("in.{i}"));
        Tree::Rename([(c, new)].into(), Tree::Leaf(i as usize - 1).into())
    });
    let tree = Tree::Parallel([].into(), children.collect());
    events.number("other");
    Network::new(events.names(), vec![cell; 3], tree, 1000)
}

#[test]
fn a_renaming_may_hide_what_is_exchanged() {
    let mut events = Events::default();
    let network = cells(&mut events);
    let mut exchanges = events.exchanges(&[1, 2, 3]);
    let (orbits, _) = assert_orbits(&network, &exchanges, "renamed");
    assert_eq!(orbits, 10);
    // That the name inside goes elsewhere does not matter.
    for candidate in &mut exchanges {
        candidate.events[events.number("c") as usize] = events.number("other");
        candidate.events[events.number("other") as usize] = events.number("c");
    }
    let (orbits, _) = assert_orbits(&network, &exchanges, "renamed inside");
    assert_eq!(orbits, 10);
}

#[test]
fn a_permutation_that_moves_no_state_reduces_nothing() {
    let mut events = Events::default();
    let edges = [(0, "a.1".to_owned(), 1), (0, "a.2".to_owned(), 1)];
    let made = leaf("P", &mut events, 2, &edges);
    let network = network(&events, vec![made]);
    let certified = certify(&network, &events.exchanges(&[1, 2]));
    assert_eq!(certified.symmetries().len(), 1);
    let joint = certified.against(check::refinement::freedom());
    assert!(joint.is_trivial());
    let (made, reason) = joint.choose(GROUP);
    assert_eq!(made.algorithm(), Algorithm::Check);
    assert_eq!(reason, ChoiceReason::NotShared);
}

#[test]
fn an_event_that_states_do_not_tell_apart_is_shown_with_its_own_name() {
    // Users 1 and 2 are exchanged together with x.1 and x.2, which lead to the same state.
    let mut events = Events::default();
    let mut leaves = Vec::new();
    for i in 1..=2 {
        let edges = [(0, format!("on.{i}"), 1), (1, format!("off.{i}"), 0)];
        leaves.push(leaf(&format!("P({i})"), &mut events, 2, &edges));
    }
    let edges = [
        (0, "x.3".to_owned(), 1),
        (0, "x.4".to_owned(), 1),
        (1, "y.3".to_owned(), 0),
        (1, "y.4".to_owned(), 0),
    ];
    leaves.push(leaf("X", &mut events, 2, &edges));
    let network = network(&events, leaves);
    let both = events.lifted(&BTreeMap::from([(1, 2), (2, 1), (3, 4), (4, 3)]));
    let (orbits, joint) = assert_orbits(&network, std::slice::from_ref(&both), "kernel");
    assert_eq!(orbits, 6);
    let mut made = joint
        .representatives(Algorithm::Exact, GROUP)
        .expect("members");
    for state in [[0, 1, 0], [1, 0, 0]] {
        let mut moved = state;
        made.represent(0, &mut moved);
        let back = Symmetry::default().after_undoing(&made.symmetry());
        let x = events.label("x.3");
        let expected = if moved == state {
            x
        } else {
            events.label("x.4")
        };
        assert_eq!(made.points().move_label(&back, x), expected);
        made.points().move_pair(&back, 0, &mut moved);
        assert_eq!(moved, state);
    }
}
