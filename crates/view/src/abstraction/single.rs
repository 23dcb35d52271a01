//! Each state a node: the space as it is, or with orbits in place of states.

use super::{Alpha, Blocks, Quotient, View};
use crate::space::Space;

/// Each state alone.
pub fn blocks(space: &Space) -> Blocks {
    let n = space.n_states();
    Blocks {
        of_state: (0..n as u32).collect(),
        n,
    }
}

/// The picture of all states; `words` gives the lines of a state, by its number in the whole space.
pub fn view(space: &Space, alpha: &Alpha, words: &dyn Fn(u32) -> Vec<String>) -> View {
    let quotient = Quotient::new(space, alpha, &blocks(space));
    let title = if space.has_orbits() {
        "One state of each orbit"
    } else {
        "All states"
    };
    quotient.view(title.to_owned(), &|state| {
        let mut lines = vec![format!("{}", space.number(state))];
        lines.extend(words(space.number(state)));
        if space.has_orbits() {
            lines.push(format!("for {}", space.orbit(state)));
        }
        lines
    })
}
