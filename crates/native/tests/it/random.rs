//! Random programs.

use crate::both::{model, search};
use fuzz::promela::{Aim, program};
use model::processes::passes::Setting;
use promela::lower::FullChannels;
use std::path::Path;

#[test]
fn machine_code_makes_the_moves_of_random_programs() {
    const N_PROGRAMS: u64 = 600;
    const STATES_MAX: usize = 400;
    let (mut n_compared, mut n_moves, mut n_asked) = (0, 0, 0);
    for seed in 0..N_PROGRAMS {
        let aim = [Aim::Run, Aim::Structure, Aim::Symmetric, Aim::Cycles][seed as usize % 4];
        let text = program(seed, aim);
        let full = if seed % 8 < 4 {
            FullChannels::Block
        } else {
            FullChannels::Lose
        };
        for setting in [Setting::Best, Setting::Plain] {
            // A panic names the state; the program is that of the seed.
            let Some(model) = model(&text, Path::new("."), full) else {
                continue;
            };
            let seen = search(model, setting, STATES_MAX);
            n_compared += usize::from(seen.n_steps > 0);
            n_moves += seen.n_moves as u64;
            n_asked += seen.n_asked;
        }
    }
    assert!(n_compared > 300, "{n_compared} searches with machine code");
    assert!(
        n_asked < n_moves,
        "{n_asked} of {n_moves} moves interpreted"
    );
}
