//! An exact store that several threads can fill at once, and several can read.
//!
//! States are known by their codes ([`Tree`]), and codes stand in tables, one for each thread that
//! fills some. The *owner* of a code, one of the tables, is part of its hash. Threads that fill
//! different tables share nothing, so that a table knows nothing of threads and nothing is locked.
//! A store begins with one table, and is split when that is worth while.
//!
//! States are numbered 0, 1, 2, … in the order in which they are *admitted*, whatever the order in
//! which their tables got them, as long as each table gets its own in that order. So what is
//! written down is the owner of each number, in as few bits as there are tables to tell apart; and
//! the number of a state within its table is how many before it have the same owner.
//!
//! Worked example. Two tables, and states 0 to 4 with the owners 0, 1, 1, 0, 1. State 4 is number
//! 2 of table 1, because states 1 and 2 have the same owner; state 3 is number 1 of table 0.
//!
//! Cost: 8 bytes and 5 to 7.5 for the index a state, beside its parts; one bit more for two tables,
//! two for three or four.

use super::cuts::{Alike, Cuts, SAMPLE, SAMPLE_BYTES_MAX};
use super::table::{Key, Table};
use super::tree::{Expanded, Missing, Numbered, Tree};
use super::{Code, Inserted, NodeId, Recall, Store};
use crate::Guarantee;
use base::memory::{Account, Full, vec_bytes};

/// An exact store of states of any length.
pub struct TreeStore {
    tree: Tree,
    /// The codes of the states, by owner; at least one table.
    tables: Vec<Table<u64>>,
    /// Who has which state, if there are several tables.
    owners: Owners,
    /// How many states have numbers: all that the tables have, but while a block is stored.
    n_admitted: usize,
}

/// Where a state is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// In which table.
    pub table: u32,
    /// Its number there.
    pub number: u32,
}

impl Default for TreeStore {
    fn default() -> TreeStore {
        TreeStore::new()
    }
}

impl TreeStore {
    /// No states, one table.
    pub fn new() -> TreeStore {
        TreeStore {
            tree: Tree::new(),
            tables: vec![Table::new()],
            owners: Owners::new(1),
            n_admitted: 0,
        }
    }

    /// How many tables there are.
    pub fn n_tables(&self) -> usize {
        self.tables.len()
    }

    /// How many chunks and keys are kept.
    pub fn n_parts(&self) -> usize {
        self.tree.n_parts()
    }

    /// The number of the state of that code.
    pub fn find(&self, code: Code) -> Option<NodeId> {
        let owner = self.owner(code);
        let number = self.tables[owner as usize].find(code.0)?;
        let node = if self.is_one() {
            number as usize
        } else {
            self.owners.node(owner, number)
        };
        Some(NodeId::new(node))
    }

    /// Makes `out` the state of that number.
    pub fn load(&mut self, node: NodeId, out: &mut Vec<u8>) {
        let place = if self.is_one() {
            Place {
                table: 0,
                number: node.index() as u32,
            }
        } else {
            self.owners.place_near(node.index())
        };
        let code = self.tables[place.table as usize].key(place.number);
        self.tree.load(code, out);
    }

    /// Moves all codes into `n` tables. If the account refuses, nothing changes.
    ///
    /// # Requires
    /// There is one table, and `n` is at most [`TABLES_MAX`].
    pub fn split(&mut self, n: usize, account: &mut Account) -> Result<(), Full> {
        assert!(self.is_one() && (1..=TABLES_MAX).contains(&n), "{n} tables");
        if n == 1 {
            return Ok(());
        }
        let mut tables: Vec<Table<u64>> = (0..n).map(|_| Table::new()).collect();
        let mut owners = Owners::new(n);
        let old = &self.tables[0];
        for number in 0..old.len() as u32 {
            let code = old.key(number);
            let owner = owner(code, n);
            let table = &mut tables[owner as usize];
            let put = owners.push(owner, account);
            if let Err(full) = put.and_then(|()| table.insert(code, account)) {
                let n_bytes: u64 = tables.iter().map(Table::bytes).sum();
                account.give(n_bytes + owners.bytes());
                return Err(full);
            }
        }
        account.give(old.bytes());
        (self.tables, self.owners) = (tables, owners);
        Ok(())
    }

    /// Gives the states codes of halves that are shared more or found sooner, if there are such;
    /// numbers stay. If the account refuses, nothing changes.
    pub fn recut(&mut self, account: &mut Account) -> Result<(), Full> {
        let (mut sample, mut state) = (Vec::new(), Vec::new());
        if self.n_admitted > 0 {
            self.load(NodeId::new(0), &mut state);
        }
        // Of long states fewer are looked at, so that the sample stays small.
        let n_sample = (SAMPLE_BYTES_MAX / state.len().max(1)).clamp(1, SAMPLE);
        let step = self.n_admitted.div_ceil(n_sample).max(1);
        for node in (0..self.n_admitted).step_by(step) {
            self.load(NodeId::new(node), &mut state);
            Alike::add(&mut sample, &state);
        }
        let cuts = Cuts::best(&sample, self.tree.cuts());
        drop(sample);
        if cuts == *self.tree.cuts() {
            return Ok(());
        }
        let mut again = TreeStore {
            tree: Tree::with(cuts),
            tables: self.tables.iter().map(|_| Table::new()).collect(),
            owners: Owners::new(self.tables.len()),
            n_admitted: 0,
        };
        for node in 0..self.n_admitted {
            self.load(NodeId::new(node), &mut state);
            let code = again.encode(&state, account);
            let put = code.and_then(|code| again.insert(code, account));
            if let Err(full) = put {
                account.give(again.bytes());
                return Err(full);
            }
        }
        let before = std::mem::replace(self, again);
        account.give(before.bytes());
        Ok(())
    }

    /// Which table a code belongs to.
    #[inline]
    pub fn owner(&self, code: Code) -> u32 {
        if self.is_one() {
            return 0;
        }
        owner(code.0, self.tables.len())
    }

    /// Where the states from `first` on are, `n` of them.
    pub fn places(&self, first: NodeId, n: usize, out: &mut Vec<Place>) {
        out.clear();
        if self.is_one() {
            let numbers = (first.index()..first.index() + n).map(|number| number as u32);
            out.extend(numbers.map(|number| Place { table: 0, number }));
        } else {
            self.owners.places(first.index(), n, out);
        }
    }

    /// Makes `out` the state at that place.
    #[inline]
    pub fn read(&self, place: Place, out: &mut Expanded) {
        let code = self.tables[place.table as usize].key(place.number);
        self.tree.read(code, out);
    }

    /// The code of a state, best a small change of `near`, if it is known already.
    #[inline]
    pub fn code(
        &self,
        state: &[u8],
        near: &Expanded,
        fresh: &mut Numbered,
    ) -> Result<Code, Missing> {
        self.tree.find(state, near, fresh).map(Code)
    }

    /// The code of a state of which parts were missing.
    #[inline]
    pub fn complete(
        &mut self,
        state: &[u8],
        missing: Missing,
        account: &mut Account,
    ) -> Result<Code, Full> {
        self.tree.complete(state, missing, account).map(Code)
    }

    /// The table of an owner, to be read.
    #[inline]
    pub fn table(&self, owner: u32) -> &Table<u64> {
        &self.tables[owner as usize]
    }

    /// Takes the tables out, for threads that fill one each; [`TreeStore::put_back`] is to follow.
    /// Each code that is new to its table is to be admitted afterwards, in the order in which its
    /// table got it.
    pub fn take_out(&mut self) -> Vec<Table<u64>> {
        std::mem::take(&mut self.tables)
    }

    /// The tables come back, in their order.
    pub fn put_back(&mut self, tables: Vec<Table<u64>>) {
        assert_eq!(tables.len(), self.owners.n_tables, "as many as there were");
        self.tables = tables;
    }

    /// Gives the next number to the next code of a table that is new.
    #[inline]
    pub fn admit(&mut self, owner: u32, account: &mut Account) -> Result<NodeId, Full> {
        if !self.is_one() {
            self.owners.push(owner, account)?;
        }
        self.n_admitted += 1;
        Ok(NodeId::new(self.n_admitted - 1))
    }

    #[inline]
    fn is_one(&self) -> bool {
        self.tables.len() == 1
    }
}

/// Which of `n` tables a code belongs to. Tables themselves use other bits of the hash.
#[inline]
fn owner(code: u64, n: usize) -> u32 {
    ((code.hash() & 0xFFFF) as u32 * n as u32) >> 16
}

impl Store for TreeStore {
    fn encode(&mut self, state: &[u8], account: &mut Account) -> Result<Code, Full> {
        Ok(Code(self.tree.encode(state, account)?))
    }

    fn insert(&mut self, code: Code, account: &mut Account) -> Result<Inserted, Full> {
        if self.is_one() {
            let inserted = self.tables[0].put(code.0, account)?;
            self.n_admitted = self.tables[0].len();
            return Ok(inserted);
        }
        // Room for the owner comes first, so that a refusal changes nothing.
        self.owners.reserve(account)?;
        let owner = self.owner(code);
        let (_, is_new) = self.tables[owner as usize].insert(code.0, account)?;
        Ok(if is_new {
            Inserted::New(self.admit(owner, account)?)
        } else {
            Inserted::Known
        })
    }

    fn contains(&self, code: Code) -> bool {
        let owner = self.owner(code);
        self.tables[owner as usize].find(code.0).is_some()
    }

    #[inline]
    fn len(&self) -> usize {
        self.n_admitted
    }

    fn bytes(&self) -> u64 {
        let tables = self.tables.iter().map(Table::bytes).sum::<u64>();
        self.tree.bytes() + tables + self.owners.bytes()
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }
}

impl Recall for TreeStore {
    fn load(&mut self, node: NodeId, out: &mut Vec<u8>) {
        TreeStore::load(self, node, out);
    }

    fn as_trees(&mut self) -> Option<&mut TreeStore> {
        Some(self)
    }
}

/// The most tables that a store is split into.
pub const TABLES_MAX: usize = 64;
/// How many states there are between two places where the numbers of tables are written down.
const SPAN: usize = 256;

/// The owners of states, by number.
struct Owners {
    n_tables: usize,
    /// How many bits an owner has.
    n_bits: u32,
    words: Vec<u64>,
    len: usize,
    /// Before each [`SPAN`] states: how many each table has.
    counts: Vec<u32>,
    /// How many each table has in all.
    last: Vec<u32>,
    /// The state asked for last, and how many of each table come before it.
    asked: (usize, Vec<u32>),
}

impl Owners {
    fn new(n_tables: usize) -> Owners {
        let n_bits = usize::BITS - (n_tables - 1).leading_zeros();
        Owners {
            n_tables,
            n_bits,
            words: Vec::new(),
            len: 0,
            counts: Vec::new(),
            last: vec![0; n_tables],
            asked: (0, vec![0; n_tables]),
        }
    }

    fn bytes(&self) -> u64 {
        vec_bytes(&self.words) + vec_bytes(&self.counts)
    }

    /// How many owners a word has.
    #[inline]
    fn per_word(&self) -> usize {
        (u64::BITS / self.n_bits) as usize
    }

    fn reserve(&mut self, account: &mut Account) -> Result<(), Full> {
        if self.len.is_multiple_of(self.per_word()) {
            account.reserve(&mut self.words, 1)?;
        }
        if self.len.is_multiple_of(SPAN) {
            account.reserve(&mut self.counts, self.n_tables)?;
        }
        Ok(())
    }

    #[inline]
    fn push(&mut self, owner: u32, account: &mut Account) -> Result<(), Full> {
        self.reserve(account)?;
        if self.len.is_multiple_of(SPAN) {
            self.counts.extend_from_slice(&self.last);
        }
        let place = self.len % self.per_word();
        if place == 0 {
            self.words.push(0);
        }
        let last = self.words.len() - 1;
        self.words[last] |= u64::from(owner) << (place as u32 * self.n_bits);
        self.last[owner as usize] += 1;
        self.len += 1;
        Ok(())
    }

    #[inline]
    fn owner(&self, node: usize) -> u32 {
        let (word, place) = (node / self.per_word(), node % self.per_word());
        let mask = (1 << self.n_bits) - 1;
        (self.words[word] >> (place as u32 * self.n_bits) & mask) as u32
    }

    /// How many of each table come before the span of a state.
    fn counts(&self, span: usize) -> &[u32] {
        &self.counts[span * self.n_tables..][..self.n_tables]
    }

    /// Where a state is; cheap if the one before it was asked for last.
    fn place_near(&mut self, node: usize) -> Place {
        let (asked, mut before) = std::mem::take(&mut self.asked);
        let mut at = asked;
        if node < asked || node - asked > SPAN {
            let span = node / SPAN;
            before.copy_from_slice(self.counts(span));
            at = span * SPAN;
        }
        for earlier in at..node {
            before[self.owner(earlier) as usize] += 1;
        }
        let table = self.owner(node);
        let number = before[table as usize];
        self.asked = (node, before);
        Place { table, number }
    }

    fn places(&self, first: usize, n: usize, out: &mut Vec<Place>) {
        let span = first / SPAN;
        let mut before = self.counts(span).to_vec();
        for node in span * SPAN..first + n {
            let table = self.owner(node);
            let number = before[table as usize];
            before[table as usize] += 1;
            if node >= first {
                out.push(Place { table, number });
            }
        }
    }

    /// Which state has that number in a table.
    fn node(&self, table: u32, number: u32) -> usize {
        // The last span that begins with no more than so many.
        let (mut span, mut after) = (0, self.counts.len() / self.n_tables);
        while after - span > 1 {
            let middle = (span + after) / 2;
            if self.counts(middle)[table as usize] <= number {
                span = middle;
            } else {
                after = middle;
            }
        }
        let mut before = self.counts(span)[table as usize];
        let mut node = span * SPAN;
        loop {
            if self.owner(node) == table {
                if before == number {
                    return node;
                }
                before += 1;
            }
            node += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn insert(
        store: &mut TreeStore,
        state: &[u8],
        account: &mut Account,
    ) -> Result<Inserted, Full> {
        let code = store.encode(state, account)?;
        store.insert(code, account)
    }

    /// A state that differs a little from another.
    fn neighbour(rng: &mut fastrand::Rng, state: &[u8]) -> Vec<u8> {
        let mut next = state.to_vec();
        for _ in 0..rng.usize(0..4).min(next.len()) {
            let at = rng.usize(0..next.len());
            next[at] = rng.u8(0..3);
        }
        match rng.u8(0..20) {
            0 => next.extend((0..rng.usize(0..9)).map(|_| rng.u8(0..3))),
            1 => next.truncate(next.len() - next.len().min(rng.usize(0..9))),
            _ => {}
        }
        next
    }

    #[test]
    fn numbers_are_those_of_a_plain_map_and_states_come_back() {
        for seed in 0..60 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let (mut store, mut account) = (TreeStore::new(), Account::new(None));
            let mut plain: HashMap<Vec<u8>, usize> = HashMap::new();
            let mut states = vec![vec![0; rng.usize(0..300)]];
            let mut loaded = Vec::new();
            for _ in 0..1500 {
                let near = rng.usize(0..states.len());
                let state = neighbour(&mut rng, &states[near]);
                if near < store.len() && rng.bool() {
                    store.load(NodeId::new(near), &mut loaded);
                }
                let known = plain.contains_key(&state);
                let code = store.encode(&state, &mut account).unwrap();
                assert_eq!(store.contains(code), known, "seed {seed}");
                let expected = if known {
                    Inserted::Known
                } else {
                    Inserted::New(NodeId::new(plain.len()))
                };
                let inserted = store.insert(code, &mut account);
                assert_eq!(inserted, Ok(expected), "seed {seed}");
                if !known {
                    plain.insert(state.clone(), plain.len());
                    states.push(state);
                }
            }
            assert_eq!(store.bytes(), account.used(), "seed {seed}");
            for (state, &number) in &plain {
                store.load(NodeId::new(number), &mut loaded);
                assert_eq!(&loaded, state, "seed {seed}");
            }
        }
    }

    #[test]
    fn states_that_differ_only_in_length_are_different() {
        let (mut store, mut account) = (TreeStore::new(), Account::new(None));
        for length in 0..400 {
            let state = vec![0; length];
            let inserted = insert(&mut store, &state, &mut account);
            assert_eq!(inserted, Ok(Inserted::New(NodeId::new(length))));
        }
    }

    #[test]
    fn a_refused_state_is_not_stored() {
        for bytes_max in (0..600_000).step_by(20_000) {
            let (mut store, mut account) = (TreeStore::new(), Account::new(Some(bytes_max)));
            let state = |i: u32| [i.to_le_bytes(), (i * 77).to_le_bytes()].concat().repeat(5);
            let n = (0..).find(|&i| insert(&mut store, &state(i), &mut account).is_err());
            let n = n.expect("the account is finite");
            assert_eq!(store.len(), n as usize, "{bytes_max} bytes");
            assert!(account.peak() <= bytes_max && store.bytes() == account.used());
            let mut loaded = Vec::new();
            for i in 0..n {
                store.load(NodeId::new(i as usize), &mut loaded);
                assert_eq!(loaded, state(i), "{bytes_max} bytes");
            }
        }
    }

    #[test]
    fn a_state_of_a_large_space_takes_few_bytes() {
        // Six processes of 16 bytes, ten local states each: a million states of 96 bytes, of which
        // every tenth is stored.
        let (mut store, mut account) = (TreeStore::new(), Account::new(None));
        for i in 0..100_000_u32 {
            let digit = |place: u32| (i * 10 / 10_u32.pow(place) % 10) as u8;
            let state: Vec<u8> = (0..6).flat_map(|place| [digit(place); 16]).collect();
            insert(&mut store, &state, &mut account).unwrap();
        }
        let bytes = store.bytes() / 100_000;
        assert!((13..20).contains(&bytes), "{bytes} bytes a state");
    }

    fn state(rng: &mut fastrand::Rng) -> Vec<u8> {
        (0..rng.usize(0..40)).map(|_| rng.u8(0..3)).collect()
    }

    #[test]
    fn a_store_that_is_split_is_the_same_store() {
        for seed in 0..40 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let (mut one, mut many) = (TreeStore::new(), TreeStore::new());
            let (mut account, mut other) = (Account::new(None), Account::new(None));
            let split_at = rng.usize(0..1500);
            let n_tables = rng.usize(2..9);
            let mut states = Vec::new();
            for i in 0..2000 {
                if i == split_at {
                    many.split(n_tables, &mut other).unwrap();
                }
                let state = state(&mut rng);
                let expected = one.put(&state, &mut account);
                assert_eq!(many.put(&state, &mut other), expected, "seed {seed}");
                let code = many.encode(&state, &mut other).unwrap();
                assert!(many.contains(code), "seed {seed}");
                assert_eq!(many.find(code), one.find(code), "seed {seed}");
                if let Ok(Inserted::New(_)) = expected {
                    states.push(state);
                }
            }
            assert_eq!((many.len(), many.n_tables()), (one.len(), n_tables));
            assert_eq!(many.bytes(), other.used(), "seed {seed}");
            let (mut loaded, mut expanded) = (Vec::new(), Expanded::default());
            for _ in 0..500 {
                let node = rng.usize(0..states.len());
                many.load(NodeId::new(node), &mut loaded);
                assert_eq!(loaded, states[node], "seed {seed}");
            }
            let (mut places, first) = (Vec::new(), rng.usize(0..states.len()));
            many.places(NodeId::new(first), states.len() - first, &mut places);
            for (place, state) in places.iter().zip(&states[first..]) {
                many.read(*place, &mut expanded);
                assert_eq!(expanded.bytes(), state, "seed {seed}");
            }
            for (node, state) in states.iter().enumerate() {
                many.load(NodeId::new(node), &mut loaded);
                assert_eq!(&loaded, state, "seed {seed}");
            }
        }
    }

    #[test]
    fn a_refused_split_changes_nothing() {
        let mut rng = fastrand::Rng::with_seed(1);
        let (mut store, mut account) = (TreeStore::new(), Account::new(Some(400_000)));
        let states: Vec<Vec<u8>> = (0..3000).map(|_| state(&mut rng)).collect();
        for state in &states {
            store.put(state, &mut account).unwrap();
        }
        let used = account.used();
        assert_eq!(store.split(64, &mut account), Err(Full));
        assert_eq!((store.n_tables(), account.used()), (1, used));
        for state in &states {
            assert_eq!(store.put(state, &mut account), Ok(Inserted::Known));
        }
    }
}
