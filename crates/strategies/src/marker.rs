//! A number that is the same for all states of an orbit, found fast.
//!
//! A point is described by its orbit, what it owns, and the multiset of ways in which it refers and
//! is referred to, with the descriptions of who is at the other end, two rounds of it. The marker
//! is the multiset of the descriptions of all points, with all that does not move. Descriptions are
//! hashes, and multisets are sums of scrambled hashes.
//!
//! Worked example: four processes that refer to each other in a ring, or in two pairs, and own the
//! same. In both, each refers to one and is referred to by one, with like descriptions in every
//! round: the markers are equal, and the states are not in one orbit.
//!
//! So different markers mean different orbits, and equal markers mean nothing for sure: structure
//! may escape two rounds (more rounds would not see the ring either), and hashes may collide.
//! Source: Leuschel and Massart 2007. Cost: a pass over the state's references a round. Departure:
//! the published marker lists paths to a member and replaces each member by its paths
//! (`path-markers`); two rounds of neighbours see the same and more.

use group::{Group, Point};
use reduce::action::{Reader, Sketch, mix};

const N_ROUNDS: usize = 2;

/// What a marker knows of references.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Neighbours {
    /// So many rounds of descriptions of who is at the other end.
    Rounds(usize),
    /// The ways alone, as paths to a member are; then who is at both ends of each.
    Paths,
}

/// Finds markers.
pub(crate) struct Marking {
    orbit_of: Vec<u64>,
    /// By node: what is known of it, and what the next round adds.
    described: Vec<u64>,
    next: Vec<u64>,
    sketch: Sketch,
    neighbours: Neighbours,
}

impl Marking {
    pub fn new(group: &Group) -> Marking {
        Marking::by(group, Neighbours::Rounds(N_ROUNDS))
    }

    /// With that knowledge of references.
    pub fn by(group: &Group, neighbours: Neighbours) -> Marking {
        let mut orbit_of = vec![0; group.degree()];
        for (n, orbit) in group.orbits().iter().enumerate() {
            orbit.iter().for_each(|x| orbit_of[*x as usize] = n as u64);
        }
        Marking {
            orbit_of,
            described: Vec::new(),
            next: Vec::new(),
            sketch: Sketch::default(),
            neighbours,
        }
    }

    /// The marker of a state whose making is over.
    pub fn marker(&mut self, reading: &mut Reader, state: &[u8]) -> u128 {
        self.describe(reading, state);
        let sum = |salt: u64| {
            let all = self.described.iter().map(|d| mix(d ^ salt));
            all.fold(0_u64, u64::wrapping_add)
        };
        let (mut low, mut high) = (sum(1), sum(0x5851_f42d_4c95_7f2d));
        if self.neighbours == Neighbours::Paths {
            for (from, to, label) in &self.sketch.arcs {
                let ends = [*from, *to].map(|end| self.described[end as usize]);
                let arc = mix(mix(ends[0] ^ mix(*label)) ^ mix(ends[1]).rotate_left(1));
                low = low.wrapping_add(mix(arc));
                high = high.wrapping_add(mix(arc ^ 0x2545_f491_4f6c_dd1d));
            }
        }
        for bytes in self.sketch.residue.chunks(8) {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            let word = u64::from_le_bytes(word);
            low = mix(low ^ word);
            high = mix(high.wrapping_mul(3) ^ word);
        }
        u128::from(high) << 64 | u128::from(low)
    }

    /// The description of each point of a state whose making is over.
    pub fn describe(&mut self, reading: &mut Reader, state: &[u8]) -> &[u64] {
        reading.sketch(state, &mut self.sketch);
        let n_points = reading.act().degree();
        self.described.clear();
        self.described.extend_from_slice(&self.sketch.nodes);
        for (described, orbit) in self.described.iter_mut().zip(&self.orbit_of) {
            *described = mix(mix(orbit + 1) ^ *described);
        }
        let (n_rounds, is_blind) = match self.neighbours {
            Neighbours::Rounds(n) => (n, false),
            Neighbours::Paths => (1, true),
        };
        for _ in 0..n_rounds {
            self.next.clear();
            self.next.extend(self.described.iter().map(|d| mix(*d)));
            for (from, to, label) in &self.sketch.arcs {
                let (from, to) = (*from as usize, *to as usize);
                let label = label << 1;
                let end = |x: usize| if is_blind { 0 } else { self.described[x] };
                let seen = mix(end(to) ^ mix(label));
                self.next[from] = self.next[from].wrapping_add(seen);
                let seen = mix(end(from) ^ mix(label | 1));
                self.next[to] = self.next[to].wrapping_add(seen);
            }
            std::mem::swap(&mut self.described, &mut self.next);
        }
        &self.described[..n_points]
    }
}

/// Descriptions as small numbers, the same number for the same in both lists; `None` if the lists
/// do not hold the same.
pub(crate) fn as_colours(a: &[u64], b: &[u64]) -> Option<(Vec<u32>, Vec<u32>)> {
    let (mut all, mut other) = (a.to_vec(), b.to_vec());
    all.sort_unstable();
    other.sort_unstable();
    if all != other {
        return None;
    }
    all.dedup();
    let number = |d: &u64| all.binary_search(d).map_or(0, |n| n as Point);
    Some((
        a.iter().map(number).collect(),
        b.iter().map(number).collect(),
    ))
}
