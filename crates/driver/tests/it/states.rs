//! States that are kept: numbers, words, orbits, and what becomes of a limit.

use crate::plans::{of_model, search_options};
use check::states::StatesCut;
use driver::plan::{CheckPlan, SearchOptions};
use driver::states::pictures::{Near, PictureRequest, ViewKind, picture};
use driver::states::{Explored, StatesRequest, explore};
use model::frontend::{Options, Reading};
use reduce::strategy::Unreduced;
use view::NodeKinds;

fn lock() -> CheckPlan {
    let options = Options {
        reading: Reading::View,
        defines: vec!["N=3".to_owned()],
        ..Options::default()
    };
    of_model("mutex.pml", &options)
}

fn explored(plan: &CheckPlan, how: SearchOptions, n_states_max: usize) -> Explored<'_> {
    let request = StatesRequest {
        model: &*plan.model,
        has_predicate: false,
        how,
        n_states_max,
    };
    explore(&request, &mut |_| {}).expect("states")
}

fn unreduced() -> SearchOptions {
    SearchOptions {
        strategy: &Unreduced,
        ..search_options()
    }
}

#[test]
fn orbits_sum_up_to_all_states() {
    let plan = lock();
    let all = explored(&plan, unreduced(), 1_000);
    let some = explored(&plan, search_options(), 1_000);
    assert!(some.space.n_states() < all.space.n_states());
    let states = 0..some.space.n_states() as u32;
    let sum: u64 = states.map(|state| some.space.orbit(state)).sum();
    assert_eq!(sum, all.space.n_states() as u64);
    assert_eq!(some.order.as_deref(), Some("6"));
    assert!(all.is_unreduced() && !some.is_unreduced());
}

#[test]
fn each_number_is_a_state_in_words_and_as_it_is() {
    let plan = lock();
    let all = explored(&plan, unreduced(), 1_000);
    let mut states = std::collections::HashSet::new();
    for state in 0..all.space.n_states() as u32 {
        let words = all.describe(state);
        assert!(words.values.iter().any(|(name, _)| name.starts_with("st[")));
        assert!(states.insert(all.state(state).expect("a state")));
    }
    assert_eq!(all.state(all.space.n_states() as u32), None);
    assert!(all.describe(9_999).is_empty());
}

#[test]
fn transitions_are_those_of_the_system() {
    let plan = lock();
    let all = explored(&plan, unreduced(), 1_000);
    let system = all.system();
    let mut scratch = system.scratch();
    for state in 0..all.space.n_states() as u32 {
        let mut expected = std::collections::BTreeSet::new();
        let bytes = all.state(state).expect("a state");
        system.successors(&bytes, &mut scratch, &mut |mv| {
            expected.extend(mv.state.map(<[u8]>::to_vec));
            std::ops::ControlFlow::Continue(())
        });
        let targets = all.space.transitions(state).map(|step| step.target);
        let found = targets
            .map(|target| all.state(target).expect("a state"))
            .collect();
        assert_eq!(expected, found, "state {state}");
    }
}

#[test]
fn a_bound_is_told_and_what_is_open_is_no_deadlock() {
    let plan = lock();
    let cut = explored(&plan, unreduced(), 4);
    assert_eq!(cut.cut, Some(StatesCut::States(4)));
    assert!(cut.space.is_cut());
    assert!(!cut.space.with_kind(NodeKinds::UNEXPANDED).is_empty());
    assert!(cut.space.with_kind(NodeKinds::DEADLOCK).is_empty());
}

#[test]
fn the_middle_of_a_neighbourhood_is_the_current_node() {
    let plan = lock();
    let all = explored(&plan, unreduced(), 1_000);
    let asked = PictureRequest {
        kind: Some(ViewKind::Full),
        around: Some(Near {
            state: 3,
            n_steps: 1,
        }),
        ..PictureRequest::default()
    };
    let pictured = picture(&all, &asked).expect("a picture");
    let nodes = &pictured.view.picture.nodes;
    let current: Vec<&[u32]> = nodes
        .iter()
        .filter(|node| node.kinds.has(NodeKinds::CURRENT))
        .map(|node| &node.members[..])
        .collect();
    assert_eq!(current, [&[3]]);
    assert!(pictured.n_states < all.space.n_states());
}
