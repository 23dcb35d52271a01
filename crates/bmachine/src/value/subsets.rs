//! The subsets of a set, one after the other.
//!
//! A subset is a number in binary whose lowest digit is the least element; they come in counting
//! order, `{}` first. Of `{a, b, c}`: `{} {a} {b} {a,b} {c} {a,c} {b,c} {a,b,c}`.

use super::Set;
use super::Value;
use super::flat::WordSet;
use super::set::Repr;

/// The subsets of a set in counting order. Never more than one is held at a time.
#[derive(Clone, Debug)]
pub struct SubsetCounter(State);

#[derive(Clone, Debug)]
enum State {
    Over,
    /// The whole set, and the places of the next subset.
    Word(WordSet, u64),
    /// The elements, ascending, and which of them are in the next subset.
    Values(Vec<Value>, Vec<bool>),
}

impl Set {
    /// The elements of `POW(self)`, `{}` first.
    pub fn pow(&self) -> SubsetCounter {
        SubsetCounter(match self.repr() {
            Repr::Word(word) => State::Word(*word, 0),
            _ => State::Values(self.iter().collect(), vec![false; self.len()]),
        })
    }
}

impl Iterator for SubsetCounter {
    type Item = Set;

    fn next(&mut self) -> Option<Set> {
        match &mut self.0 {
            State::Over => None,
            State::Word(word, bits) => {
                let set = Set::from_word(word.subset(*bits));
                let all = word.bits();
                // Counting in the digits of `all` only: the others are carried over.
                let next = bits.wrapping_sub(all) & all;
                if next == 0 {
                    self.0 = State::Over;
                } else {
                    *bits = next;
                }
                Some(set)
            }
            State::Values(elements, chosen) => {
                let taken = elements
                    .iter()
                    .zip(chosen.iter())
                    .filter(|(_, is_in)| **is_in);
                let set = Set::from_ascending(taken.map(|(element, _)| element.clone()).collect());
                let carried = chosen.iter().take_while(|is_in| **is_in).count();
                chosen[..carried].fill(false);
                match chosen.get_mut(carried) {
                    Some(digit) => *digit = true,
                    None => self.0 = State::Over,
                }
                Some(set)
            }
        }
    }
}
