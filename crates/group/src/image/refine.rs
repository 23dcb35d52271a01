//! Invariants of nodes, made finer by what they refer to and what refers to them.
//!
//! A node's invariant starts as a hash of its colours and orbits. A round adds, for each arc, a
//! hash of the other end's invariant; sums do not depend on order. Rounds go on while they split
//! classes of equal invariants. The result does not depend on how points are numbered, except
//! through their orbits, so an object and its image under the group get the same invariants at
//! corresponding places. This is colour refinement with hashes for colours: a collision merges two
//! classes, which the search then treats as a tie.
//!
//! Worked example: three points of equal colour, 0 → 1. After one round 0 (one arc out), 1 (one in)
//! and 2 (none) differ, and sorting by invariant arranges them.

use crate::image::cells::WORD_NODES_MAX;
use crate::image::hash::mix;
use crate::image::object::Object;
use crate::image::plan::ImagePlan;
use crate::image::scratch::{NodeArc, Scratch};

/// The role of an auxiliary vertex.
const VALUE_ROLE: u32 = u32::MAX;
const LABEL_FACTOR: u64 = 0x2545_f491_4f6c_dd1d;
const FROM_FACTOR: u64 = 0x9fb2_1c65_1e98_df25;
const TO_FACTOR: u64 = 0xa076_1d64_78bd_642f;

/// So many rounds come before cells are split one by one: most objects need no more.
const ROUNDS_FIRST: usize = 3;

/// How many different invariants there are among columns that the group moves, and among auxiliary
/// vertices.
#[derive(Clone, Copy, PartialEq, Eq)]
struct InvariantClasses {
    movable: usize,
    values: usize,
}

impl ImagePlan {
    /// Fills the first row of invariants and the arcs from an object.
    pub(super) fn load(&self, object: &Object, scratch: &mut Scratch) {
        assert_eq!(
            object.n_points(),
            self.n_points,
            "object on another number of points"
        );
        let n_nodes = self.n_columns + object.n_nodes() - self.n_points;
        scratch.n_nodes = n_nodes;
        scratch.hash.clear();
        scratch.hash.resize(n_nodes, 0);
        let colours = object.colours();
        for ((&column, &colour), &salt) in self.column_of.iter().zip(colours).zip(&self.role_salt) {
            let column = column as usize;
            let own = mix(mix(colour).wrapping_add(salt));
            scratch.hash[column] = scratch.hash[column].wrapping_add(own);
        }
        for (v, &colour) in colours[self.n_points..].iter().enumerate() {
            scratch.hash[self.n_columns + v] = mix(colour.wrapping_add(LABEL_FACTOR));
        }
        scratch.colours.clear();
        scratch
            .colours
            .extend(self.column_points.iter().map(|&x| colours[x as usize]));
        scratch.colours.extend_from_slice(&colours[self.n_points..]);
        scratch.arcs.clear();
        for arc in object.arcs() {
            let (from, from_role) = self.node_of(arc.from);
            let (to, to_role) = self.node_of(arc.to);
            let label = u64::from(arc.label)
                .wrapping_mul(LABEL_FACTOR)
                .wrapping_add(u64::from(from_role).wrapping_mul(FROM_FACTOR))
                .wrapping_add(u64::from(to_role).wrapping_mul(TO_FACTOR));
            scratch.arcs.push(NodeArc {
                from,
                to,
                salt_out: label,
                salt_in: label.rotate_left(32) ^ FROM_FACTOR,
                kind: [from_role, arc.label, to_role],
            });
        }
        scratch.with_orbitals = false;
        scratch.cells.unload();
        scratch.form.ready = false;
        scratch.form.own_ready = false;
    }

    fn node_of(&self, node: u32) -> (u32, u32) {
        match (node as usize).checked_sub(self.n_points) {
            None => (self.column_of[node as usize], self.role_of[node as usize]),
            Some(v) => ((self.n_columns + v) as u32, VALUE_ROLE),
        }
    }

    /// Makes the invariants at `depth` as fine as references allow, or until they separate all
    /// columns that the group moves; `true` says that they do. `only` names the one node that was
    /// told apart since the row was last stable, if that is so.
    pub(super) fn refine(&self, scratch: &mut Scratch, depth: usize, only: Option<u32>) -> bool {
        if scratch.arcs.is_empty() && !scratch.with_orbitals {
            return false;
        }
        // One node told apart, or the pairs of a dense orbital: news best carried cell by cell.
        let by_cells = only.is_some() || scratch.with_orbitals && self.has_dense_orbitals;
        if by_cells && let Some(is_discrete) = self.split_cells(scratch, depth, only) {
            return is_discrete;
        }
        let mut classes = self.count_classes(scratch, depth);
        for n_rounds in 0.. {
            if classes.movable == self.rest.end {
                return true;
            }
            // Where many arcs have told little, or few colours meet few arcs, news has far to go.
            let (n_arcs, n_nodes) = (scratch.arcs.len(), scratch.n_nodes);
            let is_slow = match n_rounds {
                0 => classes.movable == 2 && (n_nodes / 2..=n_nodes).contains(&n_arcs),
                1 => 2 * n_arcs >= n_nodes && 2 * classes.movable < self.rest.end,
                _ => n_rounds == ROUNDS_FIRST,
            };
            if is_slow && let Some(is_discrete) = self.split_cells(scratch, depth, None) {
                return is_discrete;
            }
            self.round(scratch, depth);
            let finer = self.count_classes(scratch, depth);
            if finer == classes {
                break;
            }
            classes = finer;
        }
        false
    }

    pub(super) fn round(&self, scratch: &mut Scratch, depth: usize) {
        let n = scratch.n_nodes;
        let hash = &mut scratch.hash[depth * n..(depth + 1) * n];
        let sums = &mut scratch.sums;
        sums.clear();
        sums.extend_from_slice(hash);
        for arc in &scratch.arcs {
            let (from, to) = (arc.from as usize, arc.to as usize);
            sums[from] = sums[from].wrapping_add(mix(hash[to].wrapping_add(arc.salt_out)));
            sums[to] = sums[to].wrapping_add(mix(hash[from].wrapping_add(arc.salt_in)));
        }
        if scratch.with_orbitals {
            let mixed = &mut scratch.mixed;
            self.orbitals.iter().for_each(|o| o.add(hash, mixed, sums));
            self.blocks.iter().for_each(|b| b.add(hash, sums));
        }
        for (h, &sum) in hash.iter_mut().zip(sums.iter()) {
            *h = mix(sum);
        }
    }

    /// The numbers of different invariants at `depth`.
    fn count_classes(&self, scratch: &mut Scratch, depth: usize) -> InvariantClasses {
        let n = scratch.n_nodes;
        let hash = &scratch.hash[depth * n..(depth + 1) * n];
        let (columns, values) = (&hash[..self.rest.end], &hash[self.n_columns..]);
        if n <= WORD_NODES_MAX {
            let (movable, values) = (
                scratch.buckets.count(columns),
                scratch.buckets.count(values),
            );
            if let (Some(movable), Some(values)) = (movable, values) {
                return InvariantClasses { movable, values };
            }
        }
        let set = &mut scratch.set;
        set.clear(n);
        let movable = columns.iter().filter(|&&h| set.insert(h)).count();
        let values = values.iter().filter(|&&h| set.insert(h)).count();
        InvariantClasses { movable, values }
    }

    /// A number that depends on the multiset of invariants at `depth` only.
    pub(super) fn trace(&self, scratch: &Scratch, depth: usize) -> u64 {
        let n = scratch.n_nodes;
        let hash = &scratch.hash[depth * n..(depth + 1) * n];
        hash.iter().fold(0u64, |sum, &h| sum.wrapping_add(mix(h)))
    }
}
