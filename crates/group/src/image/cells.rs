//! Refinement by splitting cells, for objects of at most 64 nodes: sets are machine words.
//!
//! Rounds of hashing (`refine`) tell a lot at once but carry news one step a round; on a long ring
//! each step costs a full round. Here a cell that was told apart splits the cells that its members
//! refer to or are referred to by, and only they are looked at. How often each node refers to the
//! splitting cell is counted for all nodes at once, in binary digits kept as words: adding a set to
//! the counters is a carry over a few words.
//!
//! A cell's invariant is mixed with the splitter's invariant and the count at each split; nodes that
//! do not refer to the splitter keep theirs. Cells are visited in an order that depends on
//! invariants and counts only, so the result does not depend on how points are numbered.
//!
//! Worked example: the ring 0 → 1 → 2 → 3 → 0 with a token at 0, cells `{0}` and `{1,2,3}`. The
//! splitter `{0}` is referred to by 3 and refers to 1: `{1,2,3}` becomes `{2}`, `{3}`, `{1}`.
//!
//! Source: Hopcroft 1971 for which parts to use as splitters; McKay 1981.

use crate::image::hash::mix;
use crate::image::plan::Plan;
use crate::image::scratch::Scratch;

/// Nodes that fit into a word.
pub(super) const WORD_NODES_MAX: usize = 64;

/// Counts up to 64 have this many binary digits.
const DIGITS: usize = 7;

/// The arcs of an object as words, and an ordered partition of its nodes.
#[derive(Debug, Default)]
pub(super) struct Cells {
    /// Whether the words hold the object at hand (and the orbitals, once they take part).
    loaded: Option<Loaded>,
    kinds: Vec<u64>,
    /// For each kind and node: the nodes that refer to it, and those that it refers to.
    links: Vec<[u64; 2]>,
    mask: Vec<u64>,
    key: Vec<u64>,
    cell_of: Vec<u8>,
    /// Cells that have yet to split others, as a word, and in the order in which they came.
    waiting: u64,
    queue: Vec<u8>,
    order: Vec<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Loaded {
    Usable {
        with_orbitals: bool,
    },
    /// Two arcs of one kind between the same nodes: a word cannot count them.
    Unusable,
}

impl Plan {
    /// Refines the invariants at `depth` until no cell splits another, if the object allows it;
    /// says whether it did. `only` names the one node that was told apart since the row was last
    /// stable; without it every cell may split.
    pub(super) fn split_cells(
        &self,
        scratch: &mut Scratch,
        depth: usize,
        only: Option<u32>,
    ) -> bool {
        let n = scratch.n_nodes;
        if n > WORD_NODES_MAX || !self.load_cells(scratch) {
            return false;
        }
        let row = &mut scratch.hash[depth * n..(depth + 1) * n];
        let cells = &mut scratch.cells;
        cells.start(row, only);
        let mut next = 0;
        // Where every node is alone, nothing is left to tell.
        while next < cells.queue.len() && cells.mask.len() < n {
            let splitter = cells.queue[next] as usize;
            next += 1;
            cells.waiting &= !(1 << splitter);
            cells.split_by(splitter, n);
        }
        for (v, h) in row.iter_mut().enumerate() {
            *h = cells.key[cells.cell_of[v] as usize];
        }
        true
    }

    /// Turns the arcs into words, once per object and once more when orbitals join.
    fn load_cells(&self, scratch: &mut Scratch) -> bool {
        let with_orbitals = scratch.with_orbitals;
        let wanted = Loaded::Usable { with_orbitals };
        let cells = &mut scratch.cells;
        match cells.loaded {
            Some(Loaded::Unusable) => return false,
            Some(loaded) if loaded == wanted => return true,
            _ => {}
        }
        let n = scratch.n_nodes;
        cells.list_kinds(scratch.arcs.iter().map(|a| a.salt_out), n);
        for arc in &scratch.arcs {
            if !cells.link(arc.salt_out, arc.from, arc.to, n) {
                cells.loaded = Some(Loaded::Unusable);
                return false;
            }
        }
        if with_orbitals {
            for orbital in &self.orbitals {
                cells.kinds.push(orbital.salt);
                cells.links.extend_from_slice(&orbital.links);
                cells.links.resize(cells.kinds.len() * n, [0; 2]);
            }
        }
        cells.loaded = Some(wanted);
        true
    }
}

impl Cells {
    /// Forgets the object.
    pub(super) fn unload(&mut self) {
        self.loaded = None;
    }

    /// Makes room for the kinds of arcs, sorted: their order must not depend on that of the arcs.
    fn list_kinds(&mut self, kinds: impl Iterator<Item = u64>, n: usize) {
        self.kinds.clear();
        for kind in kinds {
            if !self.kinds.contains(&kind) {
                self.kinds.push(kind);
            }
        }
        self.kinds.sort_unstable();
        self.links.clear();
        self.links.resize(self.kinds.len() * n, [0; 2]);
    }

    /// Adds an arc; says whether it was new.
    fn link(&mut self, kind: u64, from: u32, to: u32, n: usize) -> bool {
        let k = self
            .kinds
            .iter()
            .position(|&k| k == kind)
            .expect("a listed kind");
        let is_new = self.links[k * n + to as usize][0] >> from & 1 == 0;
        self.links[k * n + to as usize][0] |= 1 << from;
        self.links[k * n + from as usize][1] |= 1 << to;
        is_new
    }

    /// Cells of equal invariants, in order of invariant.
    fn start(&mut self, row: &[u64], only: Option<u32>) {
        self.mask.clear();
        self.key.clear();
        self.queue.clear();
        self.cell_of.clear();
        self.cell_of.resize(row.len(), 0);
        self.order.clear();
        self.order.extend_from_slice(row);
        self.order.sort_unstable();
        self.order.dedup();
        self.key.extend_from_slice(&self.order);
        self.mask.resize(self.key.len(), 0);
        for (v, h) in row.iter().enumerate() {
            let cell = self.order.binary_search(h).expect("listed");
            self.cell_of[v] = cell as u8;
            self.mask[cell] |= 1 << v;
        }
        match only {
            Some(v) => self.queue.push(self.cell_of[v as usize]),
            None => self.queue.extend(0..self.mask.len() as u8),
        }
        self.waiting = self.queue.iter().fold(0, |w, &c| w | 1 << c);
    }

    /// Splits all cells by how often their members are linked with the splitter.
    fn split_by(&mut self, splitter: usize, n: usize) {
        let (members, key) = (self.mask[splitter], self.key[splitter]);
        for k in 0..self.kinds.len() {
            for direction in 0..2 {
                let mut digits = [0u64; DIGITS];
                let mut touched = 0;
                for v in bits(members) {
                    let mut carry = self.links[k * n + v][direction];
                    touched |= carry;
                    for digit in &mut digits {
                        if carry == 0 {
                            break;
                        }
                        (*digit, carry) = (*digit ^ carry, *digit & carry);
                    }
                }
                if touched != 0 {
                    let salt = mix(key ^ self.kinds[k].rotate_left(direction as u32 * 32));
                    self.split_touched(touched, &digits, salt);
                }
            }
        }
    }

    fn split_touched(&mut self, touched: u64, digits: &[u64; DIGITS], salt: u64) {
        let cells = bits(touched).fold(0u64, |cells, v| cells | 1 << self.cell_of[v]);
        for cell in bits(cells) {
            let mask = self.mask[cell];
            if mask.is_power_of_two() {
                continue;
            }
            let uniform = digits.iter().all(|d| mask & d == 0 || mask & d == mask);
            if !uniform {
                self.split_cell(cell, digits, salt);
            }
        }
    }

    /// Splits a cell whose members have different counts: by increasing count, the first part stays
    /// in its place. All parts but the largest go into the queue, or all if the cell waits in it.
    fn split_cell(&mut self, cell: usize, digits: &[u64; DIGITS], salt: u64) {
        let (key, first) = (self.key[cell], self.mask.len());
        let mut rest = self.mask[cell];
        let mut largest = cell;
        let mut is_first = true;
        while rest != 0 {
            let (part, count) = least_count(rest, digits);
            rest &= !part;
            let place = if is_first { cell } else { self.mask.len() };
            if is_first {
                self.mask[cell] = part;
            } else {
                self.mask.push(part);
                self.key.push(0);
                bits(part).for_each(|v| self.cell_of[v] = place as u8);
            }
            self.key[place] = if count == 0 {
                key
            } else {
                mix(key ^ mix(salt.wrapping_add(count)))
            };
            if part.count_ones() > self.mask[largest].count_ones() {
                largest = place;
            }
            is_first = false;
        }
        let was_waiting = self.waiting >> cell & 1 == 1;
        for part in std::iter::once(cell).chain(first..self.mask.len()) {
            if (was_waiting || part != largest) && self.waiting >> part & 1 == 0 {
                self.waiting |= 1 << part;
                self.queue.push(part as u8);
            }
        }
    }
}

/// The members of `set` of least count, and that count.
fn least_count(set: u64, digits: &[u64; DIGITS]) -> (u64, u64) {
    let (mut part, mut count) = (set, 0);
    for (i, digit) in digits.iter().enumerate().rev() {
        if part & !digit != 0 {
            part &= !digit;
        } else {
            count |= 1 << i;
        }
    }
    (part, count)
}

/// The members of a word, in increasing order.
fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (word != 0).then(|| {
            let bit = word.trailing_zeros() as usize;
            word &= word - 1;
            bit
        })
    })
}
