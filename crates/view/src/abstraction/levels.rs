//! One node for all states of a level: what is left to draw where nothing else is small enough.

use super::{Alpha, Blocks, Quotient, View};
use crate::picture::NodeKinds;
use crate::space::Space;

/// The blocks of equal depth, several levels together if there are more than `n_max`.
pub fn blocks(space: &Space, n_max: usize) -> Blocks {
    let states = 0..space.n_states() as u32;
    let deepest = states.clone().map(|s| space.depth(s)).max().unwrap_or(0) as usize;
    let width = (deepest + 1).div_ceil(n_max.max(1));
    // What is not expanded is kept apart.
    let of_state = states.map(|state| {
        let apart = space.kinds(state).has(NodeKinds::UNEXPANDED);
        2 * (space.depth(state) / width as u32) + u32::from(apart)
    });
    let of_state: Vec<u32> = of_state.collect();
    let n = of_state.iter().max().map_or(0, |most| *most as usize + 1);
    Blocks { of_state, n }.in_order()
}

/// The picture of levels.
pub fn view(space: &Space, alpha: &Alpha, n_max: usize) -> View {
    let quotient = Quotient::new(space, alpha, &blocks(space, n_max));
    quotient.view("States by depth".to_owned(), &|block| {
        let members = quotient.members(block);
        let depths = members.iter().map(|state| space.depth(*state));
        let (first, last) = (depths.clone().min(), depths.max());
        let (first, last) = (first.unwrap_or(0), last.unwrap_or(0));
        let depth = if first == last {
            format!("depth {first}")
        } else {
            format!("depth {first} to {last}")
        };
        vec![depth, super::signature::how_many(space, members)]
    })
}
