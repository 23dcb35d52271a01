//! Formulas and words for a seed.

use check::ltl::{FormulaId, Lasso, Node, Pool};

/// A formula with about `n` operators over `n_atoms` atoms.
pub fn formula(pool: &mut Pool, rng: &mut fastrand::Rng, n: usize, n_atoms: usize) -> FormulaId {
    if n == 0 {
        return match rng.u8(..20) {
            0 => pool.constant(true),
            1 => pool.constant(false),
            _ => pool.atom(rng.usize(..n_atoms)),
        };
    }
    if rng.u8(..5) < 2 {
        let a = formula(pool, rng, n - 1, n_atoms);
        return pool.add(match rng.u8(..5) {
            0 => Node::Not(a),
            1 => Node::Next(a),
            2 | 3 => Node::Always(a),
            _ => Node::Eventually(a),
        });
    }
    let left = rng.usize(..n);
    let a = formula(pool, rng, left, n_atoms);
    let b = formula(pool, rng, n - 1 - left, n_atoms);
    pool.add(match rng.u8(..10) {
        0 | 1 => Node::And(a, b),
        2 | 3 => Node::Or(a, b),
        4 => Node::Implies(a, b),
        5 => Node::Iff(a, b),
        6 => Node::WeakUntil(a, b),
        7 => Node::Release(a, b),
        8 => Node::StrongRelease(a, b),
        _ => Node::Until(a, b),
    })
}

/// A word of a few letters, the loop included.
pub fn word(rng: &mut fastrand::Rng, n_atoms: usize) -> Lasso {
    let n = rng.usize(1..8);
    let letters = (0..n).map(|_| rng.u64(..1 << n_atoms)).collect();
    Lasso::new(letters, rng.usize(..n))
}
