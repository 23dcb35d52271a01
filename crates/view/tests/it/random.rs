//! Random spaces.

use view::space::{LabelNotation, Operation};
use view::{NodeKinds, Space, SpaceBuilder};

/// How a random space is made.
#[derive(Clone, Copy)]
pub struct RandomSpace {
    pub seed: u64,
    pub n_states: usize,
    pub n_operations: usize,
    /// How many transitions a state has at most.
    pub n_steps_max: usize,
    /// How many states at the end are not expanded.
    pub n_open: usize,
}

pub fn random(how: RandomSpace) -> Space {
    let mut rng = fastrand::Rng::with_seed(how.seed);
    let mut builder = SpaceBuilder::new(LabelNotation::Call);
    for state in 0..how.n_states {
        let initial = state == 0 || rng.usize(0..how.n_states) == 0;
        let kinds = if initial {
            NodeKinds::INITIAL
        } else if rng.usize(0..8) == 0 {
            NodeKinds::VIOLATION
        } else {
            NodeKinds::default()
        };
        builder.state(state as u32, kinds);
    }
    for _ in 0..how.n_states - how.n_open {
        for _ in 0..rng.usize(0..=how.n_steps_max) {
            let operation = Operation::named(&format!("op{}", rng.usize(0..how.n_operations)));
            let argument = rng.usize(0..2).to_string();
            let label = builder.label(&operation, &[&argument]);
            builder.transition(label, rng.u32(0..how.n_states as u32));
        }
        builder.expanded();
    }
    builder.finish()
}

/// Small spaces of many shapes.
pub fn small() -> impl Iterator<Item = Space> {
    (0..300).map(|seed| {
        let mut rng = fastrand::Rng::with_seed(seed);
        random(RandomSpace {
            seed,
            n_states: rng.usize(1..14),
            n_operations: rng.usize(1..4),
            n_steps_max: rng.usize(0..4),
            n_open: 0,
        })
    })
}

/// The same with states that are not expanded.
pub fn small_and_cut() -> impl Iterator<Item = Space> {
    (1000..1200).map(|seed| {
        let mut rng = fastrand::Rng::with_seed(seed);
        let n_states = rng.usize(2..14);
        random(RandomSpace {
            seed,
            n_states,
            n_operations: rng.usize(1..4),
            n_steps_max: rng.usize(1..4),
            n_open: rng.usize(1..n_states),
        })
    })
}
