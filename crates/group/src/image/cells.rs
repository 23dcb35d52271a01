//! Refinement by splitting cells, for objects of at most 64 nodes: sets are machine words.
//!
//! Rounds of hashing (`refine`) tell a lot at once but carry news one step a round; on a long ring
//! each step costs a full round. Here a cell that was told apart splits the cells that its members
//! refer to or are referred to by, and only they are looked at. How often each node refers to the
//! splitting cell is counted for all nodes at once, in binary digits kept as words: adding a set to
//! the counters is a carry over a few words.
//!
//! A cell's invariant is mixed with the splitter's invariant and the count at each split; nodes
//! that do not refer to the splitter keep theirs. Cells are visited in an order that depends on
//! invariants and counts only, so the result does not depend on how points are numbered.
//!
//! Worked example: the ring 0 → 1 → 2 → 3 → 0 with a token at 0, cells `{0}` and `{1,2,3}`. The
//! splitter `{0}` is referred to by 3 and refers to 1: `{1,2,3}` becomes `{2}`, `{3}`, `{1}`.
//!
//! Source: Hopcroft 1971 for which parts to use as splitters; McKay 1981.

use std::ops::Range;

use crate::image::hash::mix;
use crate::image::plan::ImagePlan;
use crate::image::scratch::Scratch;

/// Nodes that fit into a word.
pub(super) const WORD_NODES_MAX: usize = 64;

/// Counts up to 64 have this many binary digits.
const DIGITS: usize = 7;

/// The bits of a sort key that hold the node.
const NODE: u64 = WORD_NODES_MAX as u64 - 1;

/// So many invariants are put in order one by one; more are sorted.
const FEW_CELLS: usize = 8;

/// Tells a reference from being referred to, whatever the kind.
const DIRECTION_SALT: [u64; 2] = [0x589f_cd2b_5f8e_6d21, 0xc2b2_ae3d_27d4_eb4f];

/// The arcs of an object as words, and an ordered partition of its nodes.
#[derive(Debug)]
pub(super) struct ArcCells {
    /// Whether the words hold the object at hand (and the orbitals, once they take part).
    loaded: Option<LoadedCells>,
    kinds: Vec<u64>,
    /// For each kind and node: the nodes that refer to it, and those that it refers to.
    links: Vec<[u64; 2]>,
    n_cells: usize,
    /// Whether the last run, if it was the last to refine the object, told all nodes apart.
    is_discrete: bool,
    mask: [u64; WORD_NODES_MAX],
    key: [u64; WORD_NODES_MAX],
    cell_of: [u8; WORD_NODES_MAX],
    /// The nodes that share their cell with others.
    open: u64,
    /// Cells that have yet to split others. The first one does so next.
    waiting: u64,
    /// Goes into each new invariant: a cell that keeps its own may split the same cell again, and
    /// the second part must not get the invariant of the first.
    step: u64,
    order: [u64; WORD_NODES_MAX],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LoadedCells {
    Usable {
        with_orbitals: bool,
    },
    /// Two arcs of one kind between the same nodes: a word cannot count them.
    Unusable,
}

impl ImagePlan {
    /// Refines the invariants at `depth` until no cell splits another, if the object allows it, and
    /// says whether all nodes are told apart. `only` names the one node that was told apart since
    /// the row was last stable; without it every cell may split.
    pub(super) fn split_cells(
        &self,
        scratch: &mut Scratch,
        depth: usize,
        only: Option<u32>,
    ) -> Option<bool> {
        let n = scratch.n_nodes;
        if n > WORD_NODES_MAX || !self.load_cells(scratch) {
            return None;
        }
        let row = &mut scratch.hash[depth * n..(depth + 1) * n];
        let cells = &mut scratch.cells;
        cells.start(row, only);
        cells.step = (depth as u64) << 32;
        // Where every node is alone, nothing is left to tell.
        while cells.waiting != 0 && cells.n_cells < n {
            let splitter = cells.waiting.trailing_zeros() as usize;
            cells.waiting &= cells.waiting - 1;
            cells.split_by(splitter, n);
        }
        for (h, &cell) in row.iter_mut().zip(&cells.cell_of) {
            *h = cells.key[cell as usize];
        }
        cells.is_discrete = cells.n_cells == n;
        Some(cells.is_discrete)
    }

    /// Turns the arcs into words, once per object and once more when orbitals join.
    fn load_cells(&self, scratch: &mut Scratch) -> bool {
        let with_orbitals = scratch.with_orbitals;
        let wanted = LoadedCells::Usable { with_orbitals };
        let cells = &mut scratch.cells;
        match cells.loaded {
            Some(LoadedCells::Unusable) => return false,
            Some(loaded) if loaded == wanted => return true,
            _ => {}
        }
        let n = scratch.n_nodes;
        cells.list_kinds(scratch.arcs.iter().map(|a| a.salt_out), n);
        for arc in &scratch.arcs {
            if !cells.link(arc.salt_out, arc.from, arc.to, n) {
                cells.loaded = Some(LoadedCells::Unusable);
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

impl ArcCells {
    /// Forgets the object.
    pub(super) fn unload(&mut self) {
        self.loaded = None;
        self.is_discrete = false;
    }

    /// Puts the columns of a range in order of their cells, if no two nodes share one; says whether
    /// it did.
    pub(super) fn arrange(&self, columns: &Range<usize>, target: &mut [u32]) -> bool {
        if self.is_discrete {
            let nodes = self.mask[..self.n_cells].iter();
            let nodes = nodes.map(|mask| mask.trailing_zeros() as usize);
            let inside = nodes.filter(|v| columns.contains(v));
            for (v, place) in inside.zip(columns.start as u32..) {
                target[v] = place;
            }
        }
        self.is_discrete
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

    /// Cells of equal invariants, in order of invariant. The low bits of an invariant make room for
    /// the node; losing them can only join cells.
    fn start(&mut self, row: &[u64], only: Option<u32>) {
        if only.is_some() || !self.start_with_few(row) {
            self.start_sorted(row);
        }
        self.open = 0;
        for &mask in &self.mask[..self.n_cells] {
            self.open |= if mask.is_power_of_two() { 0 } else { mask };
        }
        self.waiting = match only {
            Some(v) => 1 << self.cell_of[v as usize],
            None => u64::MAX >> (WORD_NODES_MAX - self.n_cells),
        };
    }

    fn start_sorted(&mut self, row: &[u64]) {
        let order = &mut self.order[..row.len()];
        for (v, (slot, &h)) in order.iter_mut().zip(row).enumerate() {
            *slot = (h & !NODE) | v as u64;
        }
        order.sort_unstable();
        self.n_cells = 0;
        for class in order.chunk_by(|a, b| a ^ b <= NODE) {
            let cell = self.n_cells;
            self.n_cells += 1;
            self.key[cell] = class[0] & !NODE;
            self.mask[cell] = 0;
            for slot in class {
                let v = (slot & NODE) as usize;
                self.cell_of[v] = cell as u8;
                self.mask[cell] |= 1 << v;
            }
        }
    }

    /// The same without sorting, where there are few invariants; says whether there are.
    fn start_with_few(&mut self, row: &[u64]) -> bool {
        let mut n_cells = 0;
        for (v, h) in row.iter().enumerate() {
            let key = h & !NODE;
            let place = self.key[..n_cells].iter().position(|&k| k >= key);
            let cell = place.unwrap_or(n_cells);
            if cell == n_cells || self.key[cell] != key {
                if n_cells == FEW_CELLS {
                    return false;
                }
                self.key.copy_within(cell..n_cells, cell + 1);
                self.mask.copy_within(cell..n_cells, cell + 1);
                (self.key[cell], self.mask[cell]) = (key, 0);
                n_cells += 1;
            }
            self.mask[cell] |= 1 << v;
        }
        self.n_cells = n_cells;
        for cell in 0..n_cells {
            bits(self.mask[cell]).for_each(|v| self.cell_of[v] = cell as u8);
        }
        true
    }

    /// Splits all cells by how often their members are linked with the splitter.
    fn split_by(&mut self, splitter: usize, n: usize) {
        self.step += 1;
        let members = self.mask[splitter];
        if members.is_power_of_two() {
            return self.split_by_one(splitter, members.trailing_zeros() as usize, n);
        }
        for k in 0..self.kinds.len() {
            for direction in 0..2 {
                let (touched, digits) = self.count_links(members, k * n, direction);
                if touched & self.open != 0 {
                    // No count exceeds the number of members.
                    let n_digits = (u32::BITS - members.count_ones().leading_zeros()) as usize;
                    let salt = self.salt(splitter, k, direction);
                    self.split_touched(touched & self.open, &digits[..n_digits], salt);
                }
            }
        }
    }

    /// The same for a splitter of one node: nothing to count.
    fn split_by_one(&mut self, splitter: usize, node: usize, n: usize) {
        for k in 0..self.kinds.len() {
            for direction in 0..2 {
                let touched = self.links[k * n + node][direction] & self.open;
                if touched == 0 {
                    continue;
                }
                let salt = self.salt(splitter, k, direction).wrapping_add(1);
                if touched.is_power_of_two() {
                    let cell = self.cell_of[touched.trailing_zeros() as usize] as usize;
                    self.split_off(cell, touched, mix(self.key[cell] ^ salt));
                    continue;
                }
                for cell in bits(self.cells_of(touched)) {
                    let part = self.mask[cell] & touched;
                    if part != self.mask[cell] {
                        self.split_off(cell, part, mix(self.key[cell] ^ salt));
                    }
                }
            }
        }
    }

    /// Depends on the splitter, the step, the kind of link and its direction.
    fn salt(&self, splitter: usize, kind: usize, direction: usize) -> u64 {
        let key = self.key[splitter] ^ mix(self.step);
        mix(key ^ self.kinds[kind] ^ DIRECTION_SALT[direction])
    }

    /// The cells of some nodes, as a word.
    fn cells_of(&self, nodes: u64) -> u64 {
        bits(nodes).fold(0u64, |cells, v| cells | 1 << self.cell_of[v])
    }

    /// The nodes that are linked with members, and how often, in binary digits.
    fn count_links(&self, members: u64, first: usize, direction: usize) -> (u64, [u64; DIGITS]) {
        let mut digits = [0u64; DIGITS];
        let mut touched = 0;
        for v in bits(members) {
            let mut carry = self.links[first + v][direction];
            touched |= carry;
            for digit in &mut digits {
                if carry == 0 {
                    break;
                }
                (*digit, carry) = (*digit ^ carry, *digit & carry);
            }
        }
        (touched, digits)
    }

    fn split_touched(&mut self, touched: u64, digits: &[u64], salt: u64) {
        for cell in bits(self.cells_of(touched)) {
            let mask = self.mask[cell];
            if digits[1..].iter().all(|d| mask & d == 0) {
                let part = mask & digits[0];
                if part != mask {
                    self.split_off(cell, part, mix(self.key[cell] ^ salt.wrapping_add(1)));
                }
            } else if digits.iter().any(|d| mask & d != 0 && mask & d != mask) {
                self.split_cell(cell, digits, salt);
            }
        }
    }

    /// Splits a cell in two: `part` becomes a cell of its own.
    fn split_off(&mut self, cell: usize, part: u64, key: u64) {
        let new = self.n_cells;
        self.n_cells += 1;
        let rest = self.mask[cell] & !part;
        self.mask[cell] = rest;
        (self.mask[new], self.key[new]) = (part, key);
        bits(part).for_each(|v| self.cell_of[v] = new as u8);
        for single in [part, rest] {
            self.open &= if single.is_power_of_two() {
                !single
            } else {
                u64::MAX
            };
        }
        let was_waiting = self.waiting >> cell & 1 == 1;
        let smaller = if part.count_ones() <= rest.count_ones() {
            new
        } else {
            cell
        };
        self.waiting |= 1 << if was_waiting { new } else { smaller };
    }

    /// Splits a cell whose members have different counts: by increasing count, the first part stays
    /// in its place. All parts but the largest are to split others, or all if the cell was to.
    fn split_cell(&mut self, cell: usize, digits: &[u64], salt: u64) {
        let (key, first_new) = (self.key[cell], self.n_cells);
        let was_waiting = self.waiting >> cell & 1 == 1;
        let mut rest = self.mask[cell];
        let (mut largest, mut largest_size) = (cell, 0);
        while rest != 0 {
            let (part, count) = least_count(rest, digits);
            let is_first = rest == self.mask[cell] && self.n_cells == first_new;
            let place = if is_first { cell } else { self.n_cells };
            rest &= !part;
            if is_first {
                self.mask[cell] = part;
            } else {
                self.n_cells += 1;
                self.mask[place] = part;
                bits(part).for_each(|v| self.cell_of[v] = place as u8);
            }
            self.key[place] = if count == 0 {
                key
            } else {
                mix(key ^ salt.wrapping_add(count))
            };
            if part.is_power_of_two() {
                self.open &= !part;
            }
            if part.count_ones() > largest_size {
                (largest, largest_size) = (place, part.count_ones());
            }
        }
        let new = u64::MAX >> (WORD_NODES_MAX - self.n_cells) & !((1 << first_new) - 1);
        self.waiting |= new | 1 << cell;
        if !was_waiting {
            self.waiting &= !(1 << largest);
        }
    }
}

impl Default for ArcCells {
    fn default() -> ArcCells {
        ArcCells {
            loaded: None,
            kinds: Vec::new(),
            links: Vec::new(),
            n_cells: 0,
            is_discrete: false,
            mask: [0; WORD_NODES_MAX],
            key: [0; WORD_NODES_MAX],
            cell_of: [0; WORD_NODES_MAX],
            open: 0,
            waiting: 0,
            step: 0,
            order: [0; WORD_NODES_MAX],
        }
    }
}

/// The members of `set` of least count, and that count.
fn least_count(set: u64, digits: &[u64]) -> (u64, u64) {
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
