//! Well-known groups by name, for tests and for users.
//!
//! Worked example: `Group::symmetric(3).wreath(&Group::symmetric(2))` acts on six points, block
//! `{0,1,2}` and block `{3,4,5}`: three interchangeable clients at each of two interchangeable
//! servers. Its order is `6²·2 = 72`.

use num_bigint::BigUint;

use crate::chain::Group;
use crate::numbers::product_of_words;
use crate::perm::{Perm, Point};

impl Group {
    /// The group of the identity on `degree` points.
    pub fn trivial(degree: usize) -> Group {
        Group::new(degree, Vec::new())
    }

    /// All permutations of `0..n`.
    pub fn symmetric(n: usize) -> Group {
        let mut generators = Vec::new();
        if n >= 2 {
            generators.push(cycle(n, 0..2));
        }
        if n >= 3 {
            generators.push(cycle(n, 0..n));
        }
        Group::new(n, generators)
    }

    /// All even permutations of `0..n`.
    pub fn alternating(n: usize) -> Group {
        let mut generators = Vec::new();
        if n >= 3 {
            generators.push(cycle(n, 0..3));
        }
        if n >= 4 {
            // A cycle of odd length is even.
            generators.push(cycle(n, (n + 1) % 2..n));
        }
        Group::new(n, generators)
    }

    /// The rotations of `0..n`.
    pub fn cyclic(n: usize) -> Group {
        let generators = if n >= 2 { vec![cycle(n, 0..n)] } else { vec![] };
        Group::new(n, generators)
    }

    /// The rotations and reflections of a polygon with corners `0..n`; order `2n` from `n = 3` on.
    pub fn dihedral(n: usize) -> Group {
        let mut generators = Vec::new();
        if n >= 2 {
            generators.push(cycle(n, 0..n));
        }
        if n >= 3 {
            let reflection = (0..n).map(|x| ((n - x) % n) as Point).collect();
            generators.push(Perm::from_bijection(reflection));
        }
        Group::new(n, generators)
    }

    /// Both groups side by side: the points of `other` follow those of `self`.
    pub fn direct_product(&self, other: &Group) -> Group {
        let degree = self.degree() + other.degree();
        let mut generators: Vec<Perm> = Vec::new();
        for (group, shift) in [(self, 0), (other, self.degree())] {
            for g in group.generators() {
                generators.push(shifted(g, degree, shift));
            }
        }
        Group::new(degree, generators)
    }

    /// `self` on each of as many blocks as `top` has points, and `top` on the blocks: the wreath
    /// product on `0..n·d`, block `i` being the points from `i·n` on.
    pub fn wreath(&self, top: &Group) -> Group {
        let (n, d) = (self.degree(), top.degree());
        let degree = n * d;
        let mut generators = Vec::new();
        // One copy of the inner group for each orbit of blocks; the top group makes the others.
        for (i, &least) in top.orbit_representatives().iter().enumerate() {
            if i as Point == least {
                for g in self.generators() {
                    generators.push(shifted(g, degree, i * n));
                }
            }
        }
        for t in top.generators() {
            let mut moves = Vec::new();
            for (from, to) in t.moves() {
                for x in 0..n as Point {
                    moves.push((from * n as Point + x, to * n as Point + x));
                }
            }
            generators.push(Perm::from_moves(degree, moves));
        }
        let order = self.order().pow(d as u32) * top.order();
        Group::from_known_order(degree, generators, &order).expect("the order of a wreath product")
    }
}

/// `n!`, the order of the symmetric group.
pub fn factorial(n: usize) -> BigUint {
    product_of_words(2..=n as u64)
}

fn cycle(degree: usize, points: std::ops::Range<usize>) -> Perm {
    let points: Vec<Point> = points.map(|x| x as Point).collect();
    Perm::from_cycles(degree, &[&points]).expect("distinct points in range")
}

fn shifted(g: &Perm, degree: usize, shift: usize) -> Perm {
    let shift = shift as Point;
    let moves = g.moves().map(|(x, y)| (x + shift, y + shift)).collect();
    Perm::from_moves(degree, moves)
}
