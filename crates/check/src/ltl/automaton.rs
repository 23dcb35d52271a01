//! Büchi automata over letters that are sets of atoms.
//!
//! Two kinds. A [`Generalised`] automaton has sets of *edges*: a run is accepted if it takes edges
//! of each set for ever again. A [`Buchi`] automaton has accepting *states*: a run is accepted if
//! it meets such states for ever again. State 0 is the initial one, always. An edge is taken under
//! every letter that its guard holds for; several edges may be open, and then the automaton has a
//! choice.
//!
//! Worked example, `[] <> p`: the generalised automaton has one state and two edges to itself, one
//! under `p` that is in the set and one under everything that is not. The Büchi automaton needs two
//! states: one where `p` was last seen, accepting, and one where it was not.

use super::cube::{Cube, covered};
use super::lasso::Lasso;
use super::scc::{self, Components};

/// An edge of an automaton.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// The letters under which it is taken.
    pub guard: Cube,
    /// Where it leads.
    pub target: usize,
    /// Bit `i`: it is in set `i`. Always 0 in a [`Buchi`] automaton.
    pub marks: u64,
}

/// A generalised Büchi automaton with sets of edges.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Generalised {
    /// How many sets there are, at most 64; with none, every infinite run is accepted.
    pub n_sets: usize,
    /// The edges from each state; state 0 is the initial one.
    pub edges: Vec<Vec<Edge>>,
}

/// A Büchi automaton with accepting states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Buchi {
    /// Whether each state is accepting.
    pub accepting: Vec<bool>,
    /// The edges from each state; state 0 is the initial one.
    pub edges: Vec<Vec<Edge>>,
}

/// All of the first `n` sets.
pub(crate) fn all_sets(n: usize) -> u64 {
    match n {
        64 => u64::MAX,
        n => (1 << n) - 1,
    }
}

impl Generalised {
    /// How many states there are.
    pub fn n_states(&self) -> usize {
        self.edges.len()
    }

    /// How many edges there are.
    pub fn n_edges(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }

    /// Whether it accepts a word.
    pub fn accepts(&self, word: &Lasso) -> bool {
        let all = all_sets(self.n_sets);
        accepts(&self.edges, word, |_, edge| edge.marks, all)
    }
}

impl Buchi {
    /// How many states there are.
    pub fn n_states(&self) -> usize {
        self.edges.len()
    }

    /// How many edges there are; one edge a cube.
    pub fn n_edges(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }

    /// Whether it accepts a word.
    pub fn accepts(&self, word: &Lasso) -> bool {
        let marks = |state: usize, _: &Edge| u64::from(self.accepting[state]);
        accepts(&self.edges, word, marks, 1)
    }

    /// The atoms that guards speak of.
    pub fn atoms(&self) -> u64 {
        let guards = self.edges.iter().flatten().map(|edge| edge.guard.atoms());
        guards.fold(0, |all, atoms| all | atoms)
    }

    /// The automaton of the words over the first atoms that the others can be chosen for.
    pub fn only_of(mut self, n_atoms: usize) -> Buchi {
        let kept = if n_atoms < 64 {
            (1 << n_atoms) - 1
        } else {
            u64::MAX
        };
        for edge in self.edges.iter_mut().flatten() {
            edge.guard.yes &= kept;
            edge.guard.no &= kept;
        }
        self
    }

    /// How many pairs of states there are with an edge from the first to the second.
    pub fn n_transitions(&self) -> usize {
        self.transitions().len()
    }

    /// The pairs of states with an edge between them, in order, each with its guards.
    pub fn transitions(&self) -> Vec<(usize, usize, Vec<Cube>)> {
        let mut all: Vec<(usize, usize, Vec<Cube>)> = Vec::new();
        for (source, edges) in self.edges.iter().enumerate() {
            let mut edges = edges.clone();
            edges.sort_by_key(|e| (e.target, e.guard));
            for edge in edges {
                match all.last_mut() {
                    Some((s, t, guards)) if (*s, *t) == (source, edge.target) => {
                        guards.push(edge.guard);
                    }
                    _ => all.push((source, edge.target, vec![edge.guard])),
                }
            }
        }
        all
    }

    /// Whether there is never a choice: no letter leads from a state to two others.
    pub fn is_deterministic(&self) -> bool {
        self.edges.iter().all(|edges| {
            let pairs = (0..edges.len()).flat_map(|i| (0..i).map(move |k| (i, k)));
            pairs.into_iter().all(|(i, k)| {
                let (a, b) = (edges[i], edges[k]);
                a.target == b.target || a.guard.and(b.guard).is_none()
            })
        })
    }

    /// Whether every letter opens an edge in every state.
    pub fn is_complete(&self) -> bool {
        self.edges.iter().all(|edges| {
            let guards: Vec<Cube> = edges.iter().map(|edge| edge.guard).collect();
            covered(Cube::ALL, &guards)
        })
    }

    /// Whether in each strongly connected part either all states are accepting or none.
    pub fn is_weak(&self) -> bool {
        let parts = self.components();
        (0..self.n_states()).all(|state| {
            let edges = self.edges[state].iter();
            edges
                .filter(|e| parts.of[e.target] == parts.of[state])
                .all(|e| self.accepting[e.target] == self.accepting[state])
        })
    }

    /// Whether it accepts no word at all.
    pub fn is_empty(&self) -> bool {
        let parts = self.components();
        !(0..self.n_states()).any(|s| self.accepting[s] && parts.is_cyclic[parts.of[s]])
    }

    /// The strongly connected parts of what the initial state leads to.
    pub(crate) fn components(&self) -> Components {
        scc::components(self.n_states(), |s, out| {
            out.extend(self.edges[s].iter().map(|e| e.target));
        })
    }
}

/// Whether a run over the word has a loop with all marks: by the graph of states and positions.
fn accepts(
    edges: &[Vec<Edge>],
    word: &Lasso,
    marks: impl Fn(usize, &Edge) -> u64,
    all: u64,
) -> bool {
    let n = word.letters().len();
    let open = |node: usize| {
        let (state, at) = (node / n, node % n);
        let letter = word.letters()[at];
        let edges = edges[state].iter().filter(move |e| e.guard.holds(letter));
        edges.map(move |e| (e.target * n + word.after(at), e))
    };
    let parts = scc::components(edges.len() * n, |node, out| {
        out.extend(open(node).map(|(target, _)| target));
    });
    let mut seen = vec![0; parts.is_cyclic.len()];
    for node in (0..edges.len() * n).filter(|node| parts.is_met(*node)) {
        for (target, edge) in open(node) {
            if parts.of[node] == parts.of[target] {
                seen[parts.of[node]] |= marks(node / n, edge);
            }
        }
    }
    (0..seen.len()).any(|part| parts.is_cyclic[part] && seen[part] == all)
}
