//! Formulas of linear temporal logic, each kept once.
//!
//! A [`Pool`] is a table of nodes. A node refers to nodes made before it, so that a walk over the
//! table in order meets parts before wholes, and nothing that works on formulas needs recursion:
//! depth cannot exhaust the stack. Equal formulas have the same id.
//!
//! Worked example: `[] p && <> [] p` takes four nodes: `p`, `[] p`, `<> [] p`, and the whole.
//!
//! `a W b` is `(a U b) || [] a`, `a R b` (also `V`) is `!(!a U !b)`: `b` holds up to and with the
//! moment in which `a` does, or for ever. `a M b` is `a R b` with `a` at some time.

use std::collections::HashMap;

base::define_id!(FormulaId, "Which formula of a pool.");
base::define_id!(AtomId, "Which atom; its meaning is the caller's.");

/// The outermost operator of a formula and what it is applied to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Node {
    /// Always so.
    True,
    /// Never so.
    False,
    /// What holds of single states.
    Atom(AtomId),
    /// Not.
    Not(FormulaId),
    /// Both.
    And(FormulaId, FormulaId),
    /// At least one.
    Or(FormulaId, FormulaId),
    /// The second if the first.
    Implies(FormulaId, FormulaId),
    /// Both or none.
    Iff(FormulaId, FormulaId),
    /// At the next moment.
    Next(FormulaId),
    /// From now on for ever.
    Always(FormulaId),
    /// Now or some time.
    Eventually(FormulaId),
    /// The second some time, the first until then.
    Until(FormulaId, FormulaId),
    /// The same, or the first for ever.
    WeakUntil(FormulaId, FormulaId),
    /// The second up to and with the moment of the first, or for ever.
    Release(FormulaId, FormulaId),
    /// The same, and the first some time.
    StrongRelease(FormulaId, FormulaId),
}

impl Node {
    /// The parts, in order.
    pub fn parts(self) -> impl Iterator<Item = FormulaId> {
        let (a, b) = match self {
            Node::True | Node::False | Node::Atom(_) => (None, None),
            Node::Not(a) | Node::Next(a) | Node::Always(a) | Node::Eventually(a) => (Some(a), None),
            Node::And(a, b)
            | Node::Or(a, b)
            | Node::Implies(a, b)
            | Node::Iff(a, b)
            | Node::Until(a, b)
            | Node::WeakUntil(a, b)
            | Node::Release(a, b)
            | Node::StrongRelease(a, b) => (Some(a), Some(b)),
        };
        a.into_iter().chain(b)
    }
}

impl Default for Pool {
    fn default() -> Pool {
        Pool::new()
    }
}

/// Formulas, each once.
#[derive(Clone, Debug)]
pub struct Pool {
    nodes: Vec<Node>,
    ids: HashMap<Node, FormulaId>,
}

impl Pool {
    /// How many atoms there may be: a set of them fits into a word.
    pub const N_ATOMS_MAX: usize = 64;

    /// The constants and no other formulas.
    pub fn new() -> Pool {
        let mut pool = Pool {
            nodes: Vec::new(),
            ids: HashMap::new(),
        };
        pool.add(Node::True);
        pool.add(Node::False);
        pool
    }

    /// The formula with this outermost node.
    ///
    /// # Requires
    /// Its parts are of this pool; an atom is below [`Pool::N_ATOMS_MAX`].
    pub fn add(&mut self, node: Node) -> FormulaId {
        if let Node::Atom(atom) = node {
            let n = Pool::N_ATOMS_MAX;
            assert!(atom.index() < n, "atom {} of at most {n}", atom.index());
        }
        if let Some(id) = self.ids.get(&node) {
            return *id;
        }
        let id = FormulaId::new(self.nodes.len());
        for part in node.parts() {
            assert!(part < id, "{part:?} is of another pool");
        }
        self.nodes.push(node);
        self.ids.insert(node, id);
        id
    }

    /// The outermost node of a formula.
    pub fn node(&self, f: FormulaId) -> Node {
        self.nodes[f.index()]
    }

    /// The atom of this number.
    pub fn atom(&mut self, atom: usize) -> FormulaId {
        self.add(Node::Atom(AtomId::new(atom)))
    }

    /// `true` or `false`.
    pub fn constant(&self, value: bool) -> FormulaId {
        FormulaId::new(usize::from(!value))
    }

    /// The negation, without looking inside.
    pub fn not(&mut self, f: FormulaId) -> FormulaId {
        self.add(Node::Not(f))
    }

    /// The formula and all its parts, parts before wholes, each once.
    pub fn parts_of(&self, f: FormulaId) -> Vec<FormulaId> {
        let mut wanted = vec![false; f.index() + 1];
        wanted[f.index()] = true;
        for i in (0..=f.index()).rev() {
            if wanted[i] {
                for part in self.nodes[i].parts() {
                    wanted[part.index()] = true;
                }
            }
        }
        let all = (0..=f.index()).filter(|i| wanted[*i]);
        all.map(FormulaId::new).collect()
    }

    /// The numbers of its atoms, each once, in order.
    pub fn atoms_of(&self, f: FormulaId) -> Vec<AtomId> {
        let parts = self.parts_of(f).into_iter();
        let mut atoms: Vec<AtomId> = parts
            .filter_map(|part| match self.node(part) {
                Node::Atom(atom) => Some(atom),
                _ => None,
            })
            .collect();
        atoms.sort();
        atoms
    }

    /// How many operators it has when it is written out; at most `u64::MAX`.
    pub fn n_operators(&self, f: FormulaId) -> u64 {
        let mut sizes: HashMap<FormulaId, u64> = HashMap::new();
        for part in self.parts_of(f) {
            let node = self.node(part);
            let below = node.parts().map(|p| sizes[&p]);
            let own = u64::from(node.parts().next().is_some());
            let size = below.fold(own, u64::saturating_add);
            sizes.insert(part, size);
        }
        sizes[&f]
    }

    /// How deep its operators are nested.
    pub fn depth(&self, f: FormulaId) -> usize {
        let mut depths: HashMap<FormulaId, usize> = HashMap::new();
        for part in self.parts_of(f) {
            let below = self.node(part).parts().map(|p| depths[&p] + 1);
            let depth = below.max().unwrap_or(0);
            depths.insert(part, depth);
        }
        depths[&f]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_formulas_are_one() {
        let mut pool = Pool::new();
        let p = pool.atom(0);
        let always = pool.add(Node::Always(p));
        let some_time = pool.add(Node::Eventually(always));
        let both = pool.add(Node::And(always, some_time));
        assert_eq!(pool.add(Node::Always(p)), always);
        assert_eq!(pool.parts_of(both), [p, always, some_time, both]);
        assert_eq!((pool.n_operators(both), pool.depth(both)), (4, 3));
    }

    #[test]
    fn depth_is_no_danger() {
        let mut pool = Pool::new();
        let mut f = pool.atom(3);
        for _ in 0..200_000 {
            f = pool.add(Node::Next(f));
        }
        assert_eq!((pool.depth(f), pool.n_operators(f)), (200_000, 200_000));
        assert_eq!(pool.atoms_of(f), [AtomId::new(3)]);
    }

    #[test]
    #[should_panic(expected = "of another pool")]
    fn formulas_of_two_pools_do_not_mix() {
        let mut large = Pool::new();
        let (p, q) = (large.atom(0), large.atom(1));
        let far = large.add(Node::Until(p, q));
        Pool::new().add(Node::Next(far));
    }
}
