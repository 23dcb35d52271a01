//! What is worked out once per group, so that images cost little.
//!
//! 1. *Columns.* Orbits whose points have equal stabilisers move together (a process and its
//!    channel): they are joined into one orbit of compound points, the columns. The group acts on
//!    columns as faithfully as on points. Two inequivalent actions of one group do not join.
//! 2. *Symmetric segments.* An orbit of columns on which the group has the full symmetric group
//!    that moves nothing else: any arrangement of it is allowed, so a sort will do.
//! 3. *The rest*, as a stabiliser chain with its transversals in flat tables, the orbits of every
//!    stabiliser in it, and sparse orbitals, which carry what the group itself knows about pairs.
//!
//! Columns are numbered so that each segment is a range, then come the columns of the rest, then
//! those that the group fixes.

use std::ops::Range;

use crate::blocks::minimal_block;
use crate::chain::{Chain, Group};
use crate::image::hash::mix;
use crate::image::orbital::{Blocks, ORBITAL_VALENCY_MAX, Orbital, block_systems, orbitals};
use crate::image::settle::{PAIR_BITS, SETTLE_COLUMNS_MAX};
use crate::orbit::orbits;
use crate::perm::{Perm, Point};
use crate::shape::{Table, columns};

/// Columns, segments and tables of one group.
#[derive(Clone, Debug)]
pub(super) struct ImagePlan {
    pub n_points: usize,
    pub n_columns: usize,
    /// For each point, its column.
    pub column_of: Vec<u32>,
    /// For each point, the number of its orbit (fixed points have orbits of their own).
    pub role_of: Vec<u32>,
    /// For each point, a number that depends on its orbit only.
    pub role_salt: Vec<u64>,
    /// Where the points of each column start in `column_points`; one entry more than columns.
    pub column_start: Vec<u32>,
    /// The points of each column, in order of their orbits.
    pub column_points: Vec<Point>,
    /// Ranges of columns with their full symmetric group.
    pub segments: Vec<Range<usize>>,
    /// The range of columns that the rest of the group moves.
    pub rest: Range<usize>,
    pub levels: Vec<PlanLevel>,
    /// Whether transversals are there as bytes.
    pub has_bytes: bool,
    pub chain: Chain,
    /// Classes of columns of the rest of which any two can be exchanged alone.
    pub exchangeable: Vec<Vec<u32>>,
    /// By two columns of the rest: the number of the orbit of this pair, if they are few.
    pub pairs: Vec<u16>,
    /// What the group itself says about pairs of columns of the rest.
    pub orbitals: Vec<Orbital>,
    /// Whether the orbitals have many more pairs than there are columns.
    pub has_dense_orbitals: bool,
    /// The same where the pairs are too many to list.
    pub blocks: Vec<Blocks>,
}

/// One level of the chain of the rest, on its columns numbered from 0.
#[derive(Clone, Debug)]
pub(super) struct PlanLevel {
    pub base: u32,
    pub orbit: Vec<u32>,
    /// For each position in `orbit`, the images under an element that sends the base point there;
    /// empty if the tables would be too large.
    table: Vec<u32>,
    /// The same as bytes, if they can number the columns.
    pub bytes: Vec<u8>,
    pub orbit_bytes: Vec<u8>,
    /// For each column, a number that depends on its orbit under this level's group only.
    pub orbit_salt: Vec<u64>,
}

impl ImagePlan {
    /// Columns, segments and tables of `group`, the tables with at most so many entries in all.
    pub fn new(group: &Group, table_entries_max: usize) -> ImagePlan {
        let n_points = group.degree();
        let columns = OrbitColumns::new(group);
        let mut plan = columns.number(group);
        debug_assert_eq!(plan.column_of.len(), n_points);
        let generators = plan.rest_generators(group);
        let n_rest = plan.rest.len();
        if n_rest > 0 {
            let chain = with_long_orbits(Chain::new(n_rest, &generators, &[]));
            plan.levels = levels_of(&chain, table_entries_max);
            plan.has_bytes = plan.levels.iter().all(|level| !level.bytes.is_empty());
            plan.exchangeable = exchangeable(&chain, plan.rest.start as u32);
            plan.orbitals = orbitals(&chain, plan.rest.start as u32, plan.n_columns);
            let n_pairs: usize = plan.orbitals.iter().map(|o| o.arcs.len()).sum();
            plan.has_dense_orbitals = n_pairs > ORBITAL_VALENCY_MAX * n_rest;
            plan.blocks = block_systems(&chain, plan.rest.start as u32);
            if plan.has_bytes {
                plan.pairs = pair_orbits(&chain);
            }
            plan.chain = chain;
        }
        plan
    }

    /// Writes the transversal element for position `i` of the orbit of a level to `out`.
    pub fn transversal(&self, level: usize, i: usize, out: &mut [u32]) {
        let n = self.rest.len();
        let PlanLevel { orbit, table, .. } = &self.levels[level];
        if table.is_empty() {
            self.chain.transversal_into(level, orbit[i], out);
        } else {
            out.copy_from_slice(&table[i * n..(i + 1) * n]);
        }
    }

    /// The action of the generators on the columns of the rest.
    fn rest_generators(&self, group: &Group) -> Vec<Perm> {
        let first = self.rest.start as u32;
        let restrict = |g: &Perm| {
            let image = self.rest.clone().map(|c| {
                let x = self.column_points[self.column_start[c] as usize];
                self.column_of[g.at(x) as usize] - first
            });
            Perm::from_bijection(image.collect())
        };
        group
            .generators()
            .iter()
            .map(restrict)
            .filter(|g| !g.is_identity())
            .collect()
    }
}

/// Orbits of columns: each column lists its points by orbit.
struct OrbitColumns {
    orbits: Vec<Vec<Vec<Point>>>,
}

impl OrbitColumns {
    fn new(group: &Group) -> OrbitColumns {
        let tables = columns(group);
        let column = |t: &Table| (0..t.width()).map(|c| t.column(c)).collect();
        let mut orbits: Vec<Vec<Vec<Point>>> = tables.iter().map(column).collect();
        let mut is_fixed = vec![true; group.degree()];
        orbits
            .iter()
            .flatten()
            .flatten()
            .for_each(|&x| is_fixed[x as usize] = false);
        let fixed = (0..group.degree() as Point).filter(|&x| is_fixed[x as usize]);
        orbits.extend(fixed.map(|x| vec![vec![x]]));
        OrbitColumns { orbits }
    }

    /// Numbers the columns: symmetric segments, the rest, the fixed ones.
    fn number(self, group: &Group) -> ImagePlan {
        let (fixed, moved): (Vec<_>, Vec<_>) = self.orbits.into_iter().partition(|o| o.len() == 1);
        let (symmetric, rest): (Vec<_>, Vec<_>) =
            moved.into_iter().partition(|o| is_symmetric(group, o));
        let mut segments = Vec::new();
        let mut n_columns = 0;
        for orbit in &symmetric {
            segments.push(n_columns..n_columns + orbit.len());
            n_columns += orbit.len();
        }
        let rest_start = n_columns;
        n_columns += rest.iter().map(Vec::len).sum::<usize>();
        let rest_range = rest_start..n_columns;
        let mut plan = ImagePlan {
            n_points: group.degree(),
            n_columns: n_columns + fixed.len(),
            column_of: vec![0; group.degree()],
            role_of: vec![0; group.degree()],
            role_salt: vec![0; group.degree()],
            column_start: vec![0],
            column_points: Vec::with_capacity(group.degree()),
            segments,
            rest: rest_range,
            levels: Vec::new(),
            has_bytes: false,
            chain: Chain::new(0, &[], &[]),
            exchangeable: Vec::new(),
            pairs: Vec::new(),
            orbitals: Vec::new(),
            has_dense_orbitals: false,
            blocks: Vec::new(),
        };
        let mut n_roles = 0;
        for orbit in symmetric.iter().chain(&rest).chain(&fixed) {
            for column in orbit {
                let number = plan.column_start.len() as u32 - 1;
                for (role, &x) in column.iter().enumerate() {
                    plan.column_of[x as usize] = number;
                    plan.role_of[x as usize] = n_roles + role as u32;
                    plan.role_salt[x as usize] = mix(u64::from(n_roles) + role as u64 + 1);
                    plan.column_points.push(x);
                }
                plan.column_start.push(plan.column_points.len() as u32);
            }
            n_roles += orbit[0].len() as u32;
        }
        plan
    }
}

/// Whether the group has the full symmetric group on these columns that moves nothing else: it has
/// the exchange of two of them, and the exchanges conjugate to it connect all columns (they connect
/// just the points of the smallest block that holds the two).
fn is_symmetric(group: &Group, columns: &[Vec<Point>]) -> bool {
    let mut image: Vec<Point> = (0..group.degree() as Point).collect();
    for (&x, &y) in columns[0].iter().zip(&columns[1]) {
        image.swap(x as usize, y as usize);
    }
    if !group.contains(&Perm::from_bijection(image)) {
        return false;
    }
    let (head, second) = (columns[0][0], columns[1][0]);
    let system = minimal_block(group, &[head, second]);
    system
        .block_of(head)
        .is_some_and(|b| system.blocks()[b].len() == columns.len())
}

/// Classes of two or more columns of the rest any two of which the group can exchange alone:
/// blocks, all images of the first one found in an orbit.
fn exchangeable(chain: &Chain, first: u32) -> Vec<Vec<u32>> {
    let n = chain.degree();
    let generators = chain.stabiliser_generators(0);
    let mut classes = Vec::new();
    for orbit in orbits(n, generators).iter().filter(|o| o.len() > 1) {
        let exchange = |y: &&Point| {
            let swap = Perm::from_cycles(n, &[&[orbit[0], **y]]);
            **y == orbit[0] || swap.is_some_and(|s| chain.contains(&s))
        };
        let class: Vec<Point> = orbit.iter().filter(exchange).copied().collect();
        if class.len() == 1 {
            continue;
        }
        let local = chain.with_base(&orbit[..1]);
        let mut seen = vec![false; n];
        for &x in orbit {
            if !seen[x as usize] {
                let u = local.transversal(0, x);
                let moved: Vec<u32> = class.iter().map(|&y| u.at(y)).collect();
                moved.iter().for_each(|&y| seen[y as usize] = true);
                classes.push(moved.iter().map(|y| y + first).collect());
            }
        }
    }
    classes
}

/// The same group with base points from long orbits first, if there are several orbits and few
/// columns: where many compete for a place, few are tied. Of a cube with its dimensions, corners
/// come before dimensions, which mostly are alike.
fn with_long_orbits(chain: Chain) -> Chain {
    let n = chain.degree();
    let moved = |chain: &Chain, level: usize| {
        let mut all = orbits(n, chain.stabiliser_generators(level));
        all.retain(|orbit| orbit.len() > 1);
        all
    };
    if n > SETTLE_COLUMNS_MAX || moved(&chain, 0).len() < 2 {
        return chain;
    }
    let (mut best, mut base) = (chain, Vec::new());
    loop {
        let all = moved(&best, base.len());
        // The first of those that are longest.
        let Some(longest) = all.iter().rev().max_by_key(|orbit| orbit.len()) else {
            return best;
        };
        base.push(longest[0]);
        best = best.with_base(&base);
    }
}

/// By two columns, the number of the orbit of this pair; nothing if a key has no room for it.
fn pair_orbits(chain: &Chain) -> Vec<u16> {
    let group = Group::from_chain(chain.clone());
    let orbitals = group.orbitals();
    if orbitals.len() > 1 << PAIR_BITS {
        return Vec::new();
    }
    let table = orbitals.table(&group);
    table.into_iter().map(|orbital| orbital as u16).collect()
}

fn levels_of(chain: &Chain, table_entries_max: usize) -> Vec<PlanLevel> {
    let n = chain.degree();
    let n_entries: usize = (0..chain.n_levels())
        .map(|k| chain.orbit(k).len() * n)
        .sum();
    let level = |k: usize| {
        let orbit = chain.orbit(k).to_vec();
        let mut table = Vec::new();
        if n_entries <= table_entries_max {
            table.resize(orbit.len() * n, 0);
            for (&x, row) in orbit.iter().zip(table.chunks_exact_mut(n)) {
                chain.transversal_into(k, x, row);
            }
        }
        let (mut bytes, mut orbit_bytes) = (Vec::new(), Vec::new());
        if n <= SETTLE_COLUMNS_MAX {
            bytes.extend(table.iter().map(|&x| x as u8));
            orbit_bytes.extend(orbit.iter().map(|&x| x as u8));
        }
        let mut orbit_salt = vec![0; n];
        for (i, cell) in orbits(n, chain.stabiliser_generators(k)).iter().enumerate() {
            for &x in cell {
                orbit_salt[x as usize] = mix((k as u64) << 32 | i as u64);
            }
        }
        PlanLevel {
            base: chain.base_point(k),
            orbit,
            table,
            bytes,
            orbit_bytes,
            orbit_salt,
        }
    };
    (0..chain.n_levels()).map(level).collect()
}
