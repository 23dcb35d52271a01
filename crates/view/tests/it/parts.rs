//! Parts of spaces, beside their definitions.

use crate::random::small;
use view::abstraction::alpha::{ChosenValues, KeptArgument};
use view::{Space, part};

/// The states that `from` leads to in at most `k` transitions.
fn reached(space: &Space, from: u32, k: usize) -> Vec<bool> {
    let mut is_reached = vec![false; space.n_states()];
    is_reached[from as usize] = true;
    for _ in 0..k {
        let before = is_reached.clone();
        for state in (0..before.len()).filter(|s| before[*s]) {
            for step in space.transitions(state as u32) {
                is_reached[step.target as usize] = true;
            }
        }
    }
    is_reached
}

#[test]
fn around_a_state_is_what_it_leads_to_and_what_leads_to_it() {
    for space in small() {
        for k in 0..3 {
            let n = space.n_states() as u32;
            let middle = n / 2;
            let after = reached(&space, middle, k);
            let expected =
                (0..n).map(|s| after[s as usize] || reached(&space, s, k)[middle as usize]);
            assert_eq!(
                part::around(&space, middle, k),
                expected.collect::<Vec<_>>()
            );
        }
    }
}

#[test]
fn between_states_is_what_the_one_leads_to_and_what_leads_to_the_other() {
    for space in small() {
        let n = space.n_states();
        let last = n as u32 - 1;
        let after = reached(&space, 0, n);
        let expected: Vec<bool> = (0..n)
            .map(|s| after[s] && reached(&space, s as u32, n)[last as usize])
            .collect();
        assert_eq!(part::between(&space, &[0], &[last]), expected);
        let shortest = part::shortest_between(&space, &[0], &[last]);
        let within = shortest.iter().zip(&expected);
        assert!(within.clone().all(|(short, any)| !short || *any));
        let distance = (0..=n).find(|k| reached(&space, 0, *k)[last as usize]);
        assert_eq!(distance.is_some(), shortest[0]);
        if let Some(k) = distance {
            assert!(shortest.iter().filter(|is| **is).count() > k);
        }
    }
}

#[test]
fn with_chosen_arguments_the_other_transitions_are_gone() {
    let chosen = ChosenValues {
        argument: KeptArgument {
            operation: "op0".to_owned(),
            argument: "1".to_owned(),
        },
        values: vec!["1".to_owned()],
    };
    let mut n_left_out = 0;
    for space in small() {
        let part = space.without_labels(&|label| chosen.leaves_out(&space, label));
        for state in 0..space.n_states() as u32 {
            let all = space.transitions(state);
            let kept = all.filter(|step| space.label_text(step.label) != "op0(0)");
            let expected: Vec<_> = kept.collect();
            assert_eq!(part.transitions(state).collect::<Vec<_>>(), expected);
            n_left_out += space.transitions(state).count() - expected.len();
        }
        let n = space.n_states();
        let from = part.initial();
        let expected: Vec<bool> = (0..n)
            .map(|s| from.iter().any(|start| reached(&part, *start, n)[s]))
            .collect();
        assert_eq!(view::part::reachable(&part, &from), expected);
    }
    assert!(n_left_out > 50, "only {n_left_out}");
}
