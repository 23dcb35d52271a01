//! A claim: an automaton that reads the atoms of states and says which infinite runs are wrong.
//!
//! It moves once before each move of the system, along an edge whose literals fit the state the
//! system is in; where none fits, the run is none of the wrong ones. A run is wrong if the claim
//! can be in accepting states again and again, or if it comes to a bad state.
//!
//! Worked example, the claim that `p` is false from some moment on, for atom 0 = `p`:
//!
//! ```text
//! state 0:            any → 0,  !p → 1
//! state 1, accepting: !p → 1
//! ```

/// An automaton over the atoms of a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// Its states; the numbers of edges are places in this list.
    pub states: Vec<ClaimState>,
    /// Where it starts.
    pub initial: u16,
}

/// A state of a claim.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ClaimState {
    /// Where it can go, in order.
    pub edges: Vec<ClaimEdge>,
    /// Whether to be here again and again is wrong.
    pub is_accepting: bool,
    /// Whether to come here at all is wrong.
    pub is_bad: bool,
}

/// A move of a claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClaimEdge {
    /// Atoms and what they must be, all of them.
    pub literals: Vec<(u32, bool)>,
    /// Where it goes.
    pub target: u16,
}

impl ClaimEdge {
    /// Whether the edge can be taken where the atoms are these.
    pub fn fits(&self, atoms: &[bool]) -> bool {
        let fits = |&(atom, value): &(u32, bool)| atoms.get(atom as usize) == Some(&value);
        self.literals.iter().all(fits)
    }
}

impl Claim {
    /// Whether every wrong run comes to a bad state: then there is nothing to see in cycles.
    pub fn is_safety(&self) -> bool {
        self.states.iter().all(|state| !state.is_accepting)
    }

    /// Whether the claim accepts the run whose states have these atoms, the last being followed by
    /// the one at `loop_from` for ever: by plain search over pairs of place and claim state, with
    /// no help from whoever found the run.
    ///
    /// # Requires
    /// `loop_from` is a place in `word`.
    pub fn accepts(&self, word: &[Vec<bool>], loop_from: usize) -> bool {
        let (n, n_states) = (word.len(), self.states.len());
        let next = |place: usize| if place + 1 == n { loop_from } else { place + 1 };
        let reach = |from: Vec<(usize, usize)>| {
            let mut seen = vec![false; n * n_states];
            let mut open = from;
            while let Some((place, state)) = open.pop() {
                if std::mem::replace(&mut seen[place * n_states + state], true) {
                    continue;
                }
                let edges = self.states[state].edges.iter();
                let edges = edges.filter(|edge| edge.fits(&word[place]));
                open.extend(edges.map(|edge| (next(place), edge.target as usize)));
            }
            seen
        };
        let from_start = reach(vec![(0, self.initial as usize)]);
        (0..n * n_states).filter(|at| from_start[*at]).any(|at| {
            let (place, state) = (at / n_states, at % n_states);
            if self.states[state].is_bad {
                return true;
            }
            if !self.states[state].is_accepting {
                return false;
            }
            let edges = self.states[state].edges.iter();
            let edges = edges.filter(|edge| edge.fits(&word[place]));
            let after = edges.map(|edge| (next(place), edge.target as usize));
            reach(after.collect())[at]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(literals: &[(u32, bool)], target: u16) -> ClaimEdge {
        ClaimEdge {
            literals: literals.to_vec(),
            target,
        }
    }

    /// The claim of the worked example.
    fn false_for_good() -> Claim {
        let waiting = ClaimState {
            edges: vec![edge(&[], 0), edge(&[(0, false)], 1)],
            ..ClaimState::default()
        };
        let accepting = ClaimState {
            edges: vec![edge(&[(0, false)], 1)],
            is_accepting: true,
            ..ClaimState::default()
        };
        Claim {
            states: vec![waiting, accepting],
            initial: 0,
        }
    }

    #[test]
    fn a_run_is_accepted_by_what_it_does_for_ever() {
        let claim = false_for_good();
        let word = [vec![true], vec![false], vec![false]];
        assert!(claim.accepts(&word, 1));
        assert!(claim.accepts(&word, 2));
        assert!(!claim.accepts(&word, 0), "p comes again and again");
        assert!(!claim.is_safety());
    }

    #[test]
    fn a_bad_state_is_enough() {
        let bad = ClaimState {
            is_bad: true,
            ..ClaimState::default()
        };
        let start = ClaimState {
            edges: vec![edge(&[(0, true)], 0), edge(&[(0, false)], 1)],
            ..ClaimState::default()
        };
        let claim = Claim {
            states: vec![start, bad],
            initial: 0,
        };
        assert!(claim.accepts(&[vec![true], vec![false], vec![true]], 0));
        assert!(!claim.accepts(&[vec![true], vec![true]], 1));
        assert!(claim.is_safety());
    }
}
