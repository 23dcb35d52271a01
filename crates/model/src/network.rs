//! Processes as leaves combined by parallel operators, hiding and renaming.
//!
//! A [`Leaf`] is a transition system written out. A [`Network`] is some leaves under an operator
//! [`Tree`], and its state is the tuple of the states of its leaves: as many numbers as there are
//! leaves, however many states they have together. What it can do next is said twice: plainly, by
//! walking the tree ([`tree`]), and fast, by rules that the tree is compiled to once ([`rules`]).
//! Whoever searches sees a [`Process`].
//!
//! Labels are τ, ✓ and visible events, which are numbers; their names are kept beside.
//!
//! **Termination.** A leaf that does ✓ goes to a state of its own, in which it has ended and does
//! nothing: [`Leaf::ended`]. Under a parallel operator a component ends by itself, which is a τ of
//! the whole, and waits; when all have ended the whole does ✓ and nothing after it. These are the
//! rules of Roscoe (*Understanding Concurrent Systems*, 2010), which FDR follows. We depart from
//! them in one τ: an inner parallel composition has ended as soon as its leaves have, without a τ
//! of its own, which nothing can observe.
//!
//! Worked example. `(a -> SKIP) ||| SKIP`, leaves with 2 states and 1, ended states 2 and 1: from
//! `(0, 0)` there is `a` to `(1, 0)` and τ to `(0, 1)`. From `(2, 1)`, where both have ended, there
//! is ✓ to `(3, 1)`, where all is over.

pub mod claim;

pub mod tree;

pub mod rules;

#[cfg(test)]
mod tests;

use base::{Allowance, Spent};
use rules::Rules;
use std::fmt;
use std::sync::Arc;
pub use tree::Tree;

/// Up to what processes are the same.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Bisimulation {
    /// Strong bisimulation: τ is matched by τ.
    #[default]
    Strong,
    /// Weak bisimulation that respects divergence: τ is matched by any number of τ.
    Weak,
}

/// What a transition does: τ, ✓ or a visible event.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label(u32);

impl Label {
    /// τ, which nobody sees.
    pub const TAU: Label = Label(0);
    /// ✓, which ends a process.
    pub const TICK: Label = Label(1);

    /// The visible event of that number.
    pub fn event(number: u32) -> Label {
        assert!(number < u32::MAX - 2, "event {number}");
        Label(number + 2)
    }

    /// The number of the visible event, unless it is τ or ✓.
    pub fn as_event(self) -> Option<u32> {
        self.0.checked_sub(2)
    }

    /// A number for tables: 0 for τ, 1 for ✓, then the events.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => write!(f, "τ"),
            1 => write!(f, "✓"),
            n => write!(f, "e{}", n - 2),
        }
    }
}

/// What can be searched: states are tuples of numbers.
pub trait Process: Sync {
    /// How many values each number of a state has: each is less than that.
    fn sizes(&self) -> &[u32];

    /// The state in which it starts.
    fn initial(&self) -> Vec<u32>;

    /// Makes `out` the transitions from `state`. ✓ leads to a state that has none.
    fn steps(&self, state: &[u32], out: &mut Steps);

    /// The transitions from `state`, told plainly and with the part of each component; the same as
    /// [`Process::steps`] gives, in any order. What is shown to people is checked against these.
    fn moves(&self, state: &[u32]) -> Vec<Move>;
}

/// A transition, and who takes part in it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Move {
    /// What is seen of it.
    pub label: Label,
    /// Where it leads.
    pub state: Vec<u32>,
    /// Which leaves move, and what each of them does; sorted by leaf.
    pub parts: Vec<(u32, Label)>,
}

/// Transitions from one state, in a buffer that is used again.
#[derive(Default, Debug)]
pub struct Steps {
    width: usize,
    labels: Vec<Label>,
    states: Vec<u32>,
}

impl Steps {
    /// No transitions, of states of no width.
    pub fn new() -> Steps {
        Steps::default()
    }

    /// Forgets what there was; states to come have `width` numbers.
    pub fn clear(&mut self, width: usize) {
        self.width = width;
        self.labels.clear();
        self.states.clear();
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// What they do, in order.
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// Where transition `i` leads.
    #[inline]
    pub fn state(&self, i: usize) -> &[u32] {
        &self.states[i * self.width..(i + 1) * self.width]
    }

    /// Adds a transition to `state`, and gives the target to be changed.
    #[inline]
    pub fn push(&mut self, label: Label, state: &[u32]) -> &mut [u32] {
        debug_assert_eq!(state.len(), self.width, "a state of another process");
        let at = self.states.len();
        self.labels.push(label);
        self.states.extend_from_slice(state);
        &mut self.states[at..]
    }

    /// In the targets of all transitions from `first` on, sets number `slot` to each of `values`:
    /// as many times more transitions as there are values.
    ///
    /// # Requires
    /// There is a value.
    #[inline]
    fn spread(&mut self, first: usize, slot: usize, mut values: impl Iterator<Item = u32>) {
        let (n, width) = (self.labels.len() - first, self.width);
        let value = values.next().expect("a value");
        for i in first..first + n {
            self.states[i * width + slot] = value;
        }
        for value in values {
            let at = self.labels.len();
            self.labels.extend_from_within(first..first + n);
            self.states
                .extend_from_within(first * width..(first + n) * width);
            for i in at..at + n {
                self.states[i * width + slot] = value;
            }
        }
    }
}

/// A transition system written out.
#[derive(Clone, Debug)]
pub struct Leaf {
    name: Arc<str>,
    initial: u32,
    /// Where the transitions of each state start, and where the last end.
    offsets: Vec<u32>,
    edges: Vec<(Label, u32)>,
    state_names: Option<Arc<[Arc<str>]>>,
    sizes: [u32; 1],
}

impl Leaf {
    /// A leaf with these transitions by state, in any order and with repetitions. Where ✓ is said
    /// to lead does not matter.
    pub fn new(name: Arc<str>, initial: u32, edges: &[Vec<(Label, u32)>]) -> Leaf {
        let n = u32::try_from(edges.len()).unwrap_or(u32::MAX);
        assert!(n < u32::MAX - 2, "a leaf of {} states", edges.len());
        assert!(
            initial < n || n == 0 && initial == 0,
            "state {initial} of {n}"
        );
        let mut offsets = Vec::with_capacity(edges.len() + 1);
        let mut all = Vec::with_capacity(edges.iter().map(Vec::len).sum());
        offsets.push(0);
        for edges in edges {
            let start = all.len();
            for &(label, target) in edges {
                let ends = label == Label::TICK;
                assert!(ends || target < n, "state {target} of {n}");
                all.push((label, if ends { n } else { target }));
            }
            all[start..].sort_unstable();
            let mut kept = start;
            for i in start..all.len() {
                if i == start || all[i] != all[kept - 1] {
                    all[kept] = all[i];
                    kept += 1;
                }
            }
            all.truncate(kept);
            offsets.push(u32::try_from(all.len()).expect("fewer than 2^32 transitions"));
        }
        Leaf {
            name,
            initial,
            offsets,
            edges: all,
            state_names: None,
            sizes: [n + 1],
        }
    }

    /// The same leaf, with names for its states.
    pub fn with_names(mut self, names: Arc<[Arc<str>]>) -> Leaf {
        assert_eq!(names.len(), self.n_states() as usize, "a name for each");
        self.state_names = Some(names);
        self
    }

    /// What it is called.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// What a state is called, if states have names.
    pub fn state_name(&self, state: u32) -> Option<&Arc<str>> {
        self.state_names.as_ref()?.get(state as usize)
    }

    /// How many states it has beside the one in which it has ended.
    pub fn n_states(&self) -> u32 {
        self.sizes[0] - 1
    }

    /// The state in which it has ended.
    pub fn ended(&self) -> u32 {
        self.n_states()
    }

    /// In which state it starts.
    pub fn initial_state(&self) -> u32 {
        self.initial
    }

    /// The transitions of a state, sorted; none where it has ended.
    #[inline]
    pub fn edges(&self, state: u32) -> &[(Label, u32)] {
        let state = state as usize;
        if state + 1 < self.offsets.len() {
            &self.edges[self.offsets[state] as usize..self.offsets[state + 1] as usize]
        } else {
            &[]
        }
    }
}

impl Process for Leaf {
    fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    fn initial(&self) -> Vec<u32> {
        vec![self.initial]
    }

    fn steps(&self, state: &[u32], out: &mut Steps) {
        out.clear(1);
        for &(label, target) in self.edges(state[0]) {
            out.push(label, &[target]);
        }
    }

    fn moves(&self, state: &[u32]) -> Vec<Move> {
        let edges = self.edges(state[0]).iter();
        let moves = edges.map(|&(label, target)| Move {
            label,
            state: vec![target],
            parts: vec![(0, label)],
        });
        moves.collect()
    }
}

/// Leaves under an operator tree.
#[derive(Clone, Debug)]
pub struct Network {
    names: Arc<[Arc<str>]>,
    leaves: Vec<Arc<Leaf>>,
    tree: Tree,
    sizes: Vec<u32>,
    rules: Option<Rules>,
}

impl Network {
    /// The network of a tree over leaves; events are called by `names`. If more than so many parts
    /// of rules would be needed, the tree is walked instead for each state.
    ///
    /// # Requires
    /// Leaves stand in the tree in order, each once.
    pub fn new(
        names: Arc<[Arc<str>]>,
        leaves: Vec<Arc<Leaf>>,
        tree: Tree,
        parts_max: usize,
    ) -> Network {
        let mut allowance = Allowance::endless();
        Network::within(names, leaves, tree, parts_max, &mut allowance)
            .expect("an endless allowance is never spent")
    }

    /// As [`Network::new`]; the making of rules asks `allowance`.
    pub fn within(
        names: Arc<[Arc<str>]>,
        leaves: Vec<Arc<Leaf>>,
        tree: Tree,
        parts_max: usize,
        allowance: &mut Allowance<'_>,
    ) -> Result<Network, Spent> {
        let order = tree.leaves();
        assert!(
            order.iter().copied().eq(0..leaves.len()),
            "leaves {order:?} of {} in the tree",
            leaves.len()
        );
        let rules = Rules::compile(&tree, &leaves, parts_max, allowance)?;
        // Ended, and for the first leaf also: all over.
        let sizes = leaves.iter().enumerate();
        let sizes = sizes.map(|(i, leaf)| leaf.n_states() + 1 + u32::from(i == 0));
        Ok(Network {
            names,
            sizes: sizes.collect(),
            leaves,
            tree,
            rules,
        })
    }

    /// What events are called.
    pub fn names(&self) -> &Arc<[Arc<str>]> {
        &self.names
    }

    /// The leaves, in order.
    pub fn leaves(&self) -> &[Arc<Leaf>] {
        &self.leaves
    }

    /// The operators.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// What the tree was compiled to, unless that would have been too much.
    pub fn rules(&self) -> Option<&Rules> {
        self.rules.as_ref()
    }

    /// Whether every leaf has ended, and the whole is about to.
    fn is_ending(&self, state: &[u32]) -> bool {
        let mut both = self.leaves.iter().zip(state);
        self.leaves.len() > 1 && both.all(|(leaf, &s)| s == leaf.ended())
    }

    /// Whether the whole has done ✓.
    pub fn is_over(&self, state: &[u32]) -> bool {
        let over = if self.leaves.len() > 1 {
            self.over()
        } else {
            self.leaves[0].ended()
        };
        state[0] == over
    }

    /// Where it is all over, from where every leaf has ended.
    fn over(&self) -> u32 {
        self.leaves[0].ended() + 1
    }
}

impl Process for Network {
    fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    fn initial(&self) -> Vec<u32> {
        self.leaves.iter().map(|leaf| leaf.initial).collect()
    }

    fn steps(&self, state: &[u32], out: &mut Steps) {
        out.clear(state.len());
        if let Some(rules) = &self.rules {
            rules.steps(state, out);
            if self.is_ending(state) {
                out.push(Label::TICK, state)[0] = self.over();
            }
            return;
        }
        for step in self.moves(state) {
            out.push(step.label, &step.state);
        }
    }

    fn moves(&self, state: &[u32]) -> Vec<Move> {
        let mut moves = self.tree.moves(&self.leaves, state);
        if self.is_ending(state) {
            let mut over = state.to_vec();
            over[0] = self.over();
            moves.push(Move {
                label: Label::TICK,
                state: over,
                parts: Vec::new(),
            });
        }
        moves
    }
}

/// The moves of a state, always in the same order: a step is recorded by its place among them.
pub fn numbered_moves(network: &Network, state: &[u32]) -> Vec<Move> {
    let mut moves = network.moves(state);
    moves.sort();
    moves.dedup();
    moves
}

/// The places of the transitions of a run among [`numbered_moves`]; nothing if it is no run.
pub fn numbered_run(network: &Network, initial: &[u32], steps: &[Move]) -> Option<Vec<usize>> {
    let mut state = initial;
    let mut taken = Vec::new();
    for step in steps {
        let at = numbered_moves(network, state).binary_search(step).ok()?;
        taken.push(at);
        state = &step.state;
    }
    Some(taken)
}
