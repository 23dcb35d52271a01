//! Projection: one node for all states in which somebody sees the same.
//!
//! Who looks gives each state a number; states with equal numbers are one node. The numbers come
//! from the values of chosen variables, or from the truth of a predicate.

use super::{Alpha, Blocks, Quotient, View};
use crate::space::Space;
use std::collections::HashMap;

/// What is seen of states.
#[derive(Clone, Default, Debug)]
pub struct Seen {
    /// By state, a place in `texts`.
    of_state: Vec<u32>,
    texts: Vec<Vec<String>>,
    numbers: HashMap<Vec<String>, u32>,
}

impl Seen {
    /// Of the next state these lines are seen.
    pub fn push(&mut self, lines: Vec<String>) {
        let number = match self.numbers.get(&lines) {
            Some(number) => *number,
            None => {
                let number = self.texts.len() as u32;
                self.texts.push(lines.clone());
                self.numbers.insert(lines, number);
                number
            }
        };
        self.of_state.push(number);
    }

    /// The same for the states of a part, by their numbers in the whole.
    pub fn of_part(&self, space: &Space) -> Seen {
        let mut seen = Seen::default();
        for state in 0..space.n_states() as u32 {
            let whole = self.of_state[space.number(state) as usize];
            seen.push(self.texts[whole as usize].clone());
        }
        seen
    }

    /// How much is seen: the number of nodes.
    pub fn n(&self) -> usize {
        self.texts.len()
    }
}

/// The picture of what is seen.
///
/// # Requires
/// Something was seen of each state.
pub fn view(space: &Space, alpha: &Alpha, seen: &Seen, of: &str) -> View {
    let blocks = Blocks {
        of_state: seen.of_state.clone(),
        n: seen.texts.len(),
    };
    assert_eq!(blocks.of_state.len(), space.n_states());
    let quotient = Quotient::new(space, alpha, &blocks);
    quotient.view(format!("States by {of}"), &|block| {
        let mut lines = seen.texts[block as usize].clone();
        let members = quotient.members(block);
        lines.push(super::signature::how_many(space, members));
        lines
    })
}
