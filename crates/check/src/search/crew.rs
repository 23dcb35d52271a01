//! Several threads that expand and store a block of states; one of them counts.
//!
//! States that wait in a search by breadth are expanded in the order of their numbers, and what is
//! new is numbered in the order of meeting. Several threads keep to that order as follows. A
//! *block* of states that wait, all of one level, goes through three phases:
//!
//! 1. *Expand.* Threads take chunks of the block, one after the other, and write down the codes of
//!    the representatives that the moves of their states lead to. Nothing is changed; all threads
//!    read the store. A code that is not known, since a part of the state is new, is made by one
//!    thread afterwards.
//! 2. *Store.* Each table of the store ([`TreeStore`]) takes in the codes that it owns and does not
//!    have, in order; one thread fills a table.
//! 3. *Admit.* One thread goes through all moves in order once more, counts them, and gives
//!    numbers to what was new. That is the loop of a search on one thread, with the answers known.
//!
//! So numbers, counts and paths do not depend on the threads, nor on how large blocks are. A state
//! at which anything happens that is no plain move (a fault, a deadlock, a limit) ends the block
//! before it, and the loop of one thread deals with it.
//!
//! Worked example. Two threads, chunks of one state, states 7, 8, 9 wait. The first takes 7 and
//! then 9, the second takes 8, in which an assertion fails. The block ends before 8: the moves of 7
//! are stored and counted, those of 9 are thrown away, and the search goes on with 8 on one thread.
//!
//! After A. Laarman, J. van de Pol, M. Weber, *Boosting multi-core reachability performance with
//! shared hash tables* (FMCAD 2010), whose levels we keep. We depart from it: tables are not
//! shared but owned, since numbers are to be the same each time, and nothing is `unsafe`.
//!
//! Cost: the last phase is a few nanoseconds a move. Codes are looked up together, so that
//! the waits for memory overlap; that saves about as much.

use super::pool::Pool;
use crate::outcome::Violation;
use crate::samples::Samples;
use crate::store::table::Table;
use crate::store::tree::{Expanded, Missing, Numbered};
use crate::store::trees::{Place, TreeStore};
use crate::store::{Code, NodeId};
use crate::{Attention, Options, Reducer};
use base::Clock;
use base::memory::{Account, Full};
use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use system::{Move, Scratch, System};

/// How many states a thread takes at once.
const CHUNK: usize = 64;
/// How much the moves of a block may take. A block that has reached this ends with the chunks
/// that are under way.
const BLOCK_BYTES_MAX: u64 = 48 << 20;
/// How much the moves of one chunk may take. A state with more moves than that is left to one
/// thread, which stores each move as it comes.
const CHUNK_BYTES_MAX: usize = 4 << 20;
/// Of so many representatives one is timed.
const SAMPLED: u32 = 64;
/// In place of an owner: there is no code yet.
const UNCODED: u8 = u8::MAX;

/// The threads of a search, with what each of them needs.
pub struct Crew {
    hands: Vec<Hand>,
    /// What was written down of a block, in order.
    chunks: Vec<Chunk>,
    /// By table: whether each of its codes was new.
    new: Vec<Vec<bool>>,
}

/// What one thread needs.
struct Hand {
    scratch: Scratch,
    reducer: Box<dyn Reducer>,
    is_identity: bool,
    expanded: Expanded,
    fresh: Numbered,
    target: Vec<u8>,
    /// The chunks that it has done.
    done: Vec<Chunk>,
    /// Chunks that were used, to be used again.
    spare: Vec<Chunk>,
    n_reduced: u64,
    reducing: Samples,
}

/// The moves of a few states.
#[derive(Default)]
struct Chunk {
    /// The first state, by its place in the block.
    first: usize,
    /// By state: how many moves there are up to its last.
    ends: Vec<u32>,
    /// By move: the code of the state that it leads to.
    codes: Vec<u64>,
    /// By move: the table that the code belongs to, or [`UNCODED`].
    owners: Vec<u8>,
    /// The states that have no code yet, one after the other.
    bytes: Vec<u8>,
    /// The moves that lead to them.
    uncoded: Vec<Uncoded>,
    /// What is rare, by number of the move, in order.
    remarks: Vec<(u32, Remark)>,
    /// Whether the state after the last one is not plain.
    is_cut: bool,
}

/// A move to a state that has no code yet.
struct Uncoded {
    /// The number of the move.
    n: u32,
    /// Where the bytes of the state end.
    end: u32,
    missing: Missing,
}

/// What most moves do not have.
#[derive(Clone, Copy, Default)]
pub struct Remark {
    /// How many moves it stands for, beside itself.
    pub n_more: u64,
    /// Its label.
    pub label: Option<u64>,
}

/// A move whose state is stored.
pub struct Stored {
    /// The code of the state.
    pub code: Code,
    /// The table that is to admit it, if it is new.
    pub owner: Option<u32>,
    /// What is rare.
    pub remark: Remark,
}

/// What the threads share while they expand.
struct Job<'s, Y: ?Sized> {
    system: &'s Y,
    store: TreeStore,
    places: Vec<Place>,
    /// The next chunk that nobody has.
    cursor: AtomicUsize,
    /// The first state that is not plain, as far as is known.
    cut: AtomicUsize,
    bytes: AtomicU64,
    bytes_max: u64,
    clock: Clock<'s>,
    /// Whether a state without moves can be an error.
    deadlocks: bool,
}

/// A table that takes in codes.
struct Filling {
    owner: usize,
    /// Whether there is no other.
    is_only: bool,
    table: Table<u64>,
    account: Account,
    new: Vec<bool>,
    ended: Result<(), Full>,
}

impl Crew {
    /// So many threads, if the reducer's choices can be made by others than itself.
    pub fn new<Y: System + ?Sized, R: Reducer + ?Sized>(
        system: &Y,
        reducer: &R,
        n: usize,
    ) -> Option<Crew> {
        let hand = |_| {
            let reducer = reducer.another()?;
            Some(Hand {
                scratch: system.scratch(),
                is_identity: reducer.is_identity(),
                reducer,
                expanded: Expanded::default(),
                fresh: Numbered::default(),
                target: Vec::new(),
                done: Vec::new(),
                spare: Vec::new(),
                n_reduced: 0,
                reducing: Samples::default(),
            })
        };
        Some(Crew {
            hands: (0..n).map(hand).collect::<Option<_>>()?,
            chunks: Vec::new(),
            new: Vec::new(),
        })
    }

    /// How many threads there are.
    pub fn len(&self) -> usize {
        self.hands.len()
    }

    /// Which steps any of the threads has taken, added to those of another scratch memory.
    pub fn add_covered<Y: System + ?Sized>(&self, system: &Y, covered: &mut [bool]) {
        for hand in &self.hands {
            let own = system.covered(&hand.scratch);
            covered.iter_mut().zip(own).for_each(|(to, own)| *to |= own);
        }
    }

    /// What the reducers remember.
    pub fn bytes(&self) -> u64 {
        self.hands.iter().map(|hand| hand.reducer.bytes()).sum()
    }

    /// About how long representing took, all threads together.
    pub fn reducing(&self) -> Duration {
        let all = self.hands.iter();
        all.map(|hand| hand.reducing.of_all(hand.n_reduced)).sum()
    }

    /// Writes down the moves of states that wait, up to one that is not plain. Gives the number of
    /// states whose moves are written down.
    pub fn expand<'s, Y: System + ?Sized>(
        &mut self,
        (system, pool): (&'s Y, &Pool<'s>),
        store: &mut TreeStore,
        states: Range<usize>,
        (options, account): (&Options<'s>, &mut Account),
    ) -> Result<usize, Full> {
        let n_hands = self.hands.len();
        for (n, used) in self.chunks.drain(..).enumerate() {
            self.hands[n % n_hands].spare.push(used);
        }
        let mut places = Vec::new();
        store.places(NodeId::new(states.start), states.len(), &mut places);
        let job = Arc::new(Job {
            system,
            store: std::mem::take(store),
            places,
            cursor: AtomicUsize::new(0),
            cut: AtomicUsize::new(usize::MAX),
            bytes: AtomicU64::new(0),
            bytes_max: BLOCK_BYTES_MAX.min(account.left() / 4),
            clock: options.clock,
            deadlocks: options.deadlocks == Attention::Reported,
        });
        let tasks = self.hands.drain(..).map(|mut hand| {
            let job = job.clone();
            move || {
                hand.work(&job);
                hand
            }
        });
        self.hands = pool.run(tasks.collect());
        let job = Arc::into_inner(job).expect("all threads are done");
        *store = job.store;
        for hand in &mut self.hands {
            self.chunks.append(&mut hand.done);
        }
        self.chunks.sort_unstable_by_key(|chunk| chunk.first);
        // Chunks behind one that was cut are of no use.
        let cut = self.chunks.iter().position(|chunk| chunk.is_cut);
        if let Some(at) = cut {
            let used = self.chunks.drain(at + 1..);
            self.hands[0].spare.extend(used);
        }
        for chunk in &mut self.chunks {
            chunk.encode(store, account)?;
        }
        Ok(self.chunks.iter().map(|chunk| chunk.ends.len()).sum())
    }

    /// What the moves that are written down take.
    pub fn block_bytes(&self) -> u64 {
        self.chunks.iter().map(Chunk::n_bytes).sum()
    }

    /// Stores the states of all moves that are written down. If there is no memory for some of
    /// them, an error: then what was stored is not admitted, and the search is over.
    pub fn store<'s>(
        &mut self,
        pool: &Pool<'s>,
        store: &mut TreeStore,
        account: &mut Account,
    ) -> Result<(), Full> {
        let tables = store.take_out();
        let more = account.left() / tables.len() as u64;
        let is_only = tables.len() == 1;
        self.new.resize_with(tables.len(), Vec::new);
        let chunks = Arc::new(std::mem::take(&mut self.chunks));
        let tasks = tables.into_iter().enumerate().map(|(owner, table)| {
            let mut filling = Filling {
                owner,
                is_only,
                account: account.lend(table.bytes(), more),
                table,
                new: std::mem::take(&mut self.new[owner]),
                ended: Ok(()),
            };
            let chunks = chunks.clone();
            move || {
                filling.fill(&chunks);
                filling
            }
        });
        let filled = pool.run(tasks.collect());
        self.chunks = Arc::into_inner(chunks).expect("all threads are done");
        let mut ended = Ok(());
        let (mut tables, mut accounts) = (Vec::new(), Vec::new());
        for filling in filled {
            ended = ended.and(filling.ended);
            self.new[filling.owner] = filling.new;
            tables.push(filling.table);
            accounts.push(filling.account);
        }
        store.put_back(tables);
        account.take_back(&accounts);
        ended
    }

    /// All moves that were stored, in order, with `None` after the last of each state, until `out`
    /// breaks.
    pub fn admit<B>(
        &self,
        mut out: impl FnMut(Option<Stored>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut answers: Vec<_> = self.new.iter().map(|new| new.iter()).collect();
        for chunk in &self.chunks {
            let mut remarks = chunk.remarks.iter().peekable();
            let mut at = 0;
            for &end in &chunk.ends {
                for n in at..end {
                    let remark = remarks.next_if(|(of, _)| *of == n);
                    let owner = chunk.owners[n as usize];
                    let is_new = answers[usize::from(owner)].next();
                    let is_new = *is_new.expect("an answer for each code");
                    out(Some(Stored {
                        code: Code(chunk.codes[n as usize]),
                        owner: is_new.then_some(u32::from(owner)),
                        remark: remark.map_or_else(Remark::default, |(_, remark)| *remark),
                    }))?;
                }
                at = end;
                out(None)?;
            }
        }
        ControlFlow::Continue(())
    }
}

impl Filling {
    /// Takes in all codes that the table owns and does not have.
    fn fill(&mut self, chunks: &[Chunk]) {
        self.new.clear();
        let owner = self.owner as u8;
        let mut own = Vec::new();
        for chunk in chunks {
            let codes = if self.is_only {
                &chunk.codes
            } else {
                own.clear();
                let with = chunk.codes.iter().zip(&chunk.owners);
                own.extend(with.filter(|(_, of)| **of == owner).map(|(code, _)| *code));
                &own
            };
            let filled = self
                .table
                .insert_all(codes, &mut self.new, &mut self.account);
            if filled.is_err() {
                self.ended = filled;
                return;
            }
        }
    }
}

impl Chunk {
    fn n_bytes(&self) -> u64 {
        (self.bytes.len() + 9 * self.codes.len() + 32 * self.remarks.len()) as u64
    }

    fn begin(&mut self, first: usize) {
        self.first = first;
        self.ends.clear();
        self.codes.clear();
        self.owners.clear();
        self.bytes.clear();
        self.uncoded.clear();
        self.remarks.clear();
        self.is_cut = false;
    }

    /// Forgets the moves of the state that was not finished.
    fn cut(&mut self) {
        let n = self.ends.last().map_or(0, |end| *end as usize);
        self.codes.truncate(n);
        self.owners.truncate(n);
        self.uncoded.retain(|uncoded| (uncoded.n as usize) < n);
        let end = self
            .uncoded
            .last()
            .map_or(0, |uncoded| uncoded.end as usize);
        self.bytes.truncate(end);
        self.remarks.retain(|(of, _)| (*of as usize) < n);
        self.is_cut = true;
    }

    /// Finds out who owns the codes.
    fn find_owners(&mut self, store: &TreeStore) {
        if store.n_tables() == 1 {
            return;
        }
        for (code, owner) in self.codes.iter().zip(&mut self.owners) {
            if *owner != UNCODED {
                *owner = store.owner(Code(*code)) as u8;
            }
        }
    }

    /// Makes the codes that are missing.
    fn encode(&mut self, store: &mut TreeStore, account: &mut Account) -> Result<(), Full> {
        let mut start = 0;
        for uncoded in &self.uncoded {
            let state = &self.bytes[start..uncoded.end as usize];
            let code = store.complete(state, uncoded.missing, account)?;
            self.codes[uncoded.n as usize] = code.0;
            self.owners[uncoded.n as usize] = store.owner(code) as u8;
            start = uncoded.end as usize;
        }
        Ok(())
    }
}

impl Hand {
    /// Takes chunks as long as there are any.
    fn work<Y: System + ?Sized>(&mut self, job: &Job<'_, Y>) {
        loop {
            if job.bytes.load(Ordering::Relaxed) > job.bytes_max || job.clock.is_over() {
                return;
            }
            let first = CHUNK * job.cursor.fetch_add(1, Ordering::Relaxed);
            if first >= job.places.len() || first > job.cut.load(Ordering::Relaxed) {
                return;
            }
            let mut chunk = self.spare.pop().unwrap_or_default();
            chunk.begin(first);
            let places = job.places[first..].iter().take(CHUNK);
            for (at, place) in places.enumerate() {
                if !self.expand(*place, job, &mut chunk) {
                    chunk.cut();
                    job.cut.fetch_min(first + at, Ordering::Relaxed);
                    break;
                }
            }
            chunk.find_owners(&job.store);
            job.bytes.fetch_add(chunk.n_bytes(), Ordering::Relaxed);
            self.done.push(chunk);
        }
    }

    /// Writes down the moves of a state; `false` if it is not plain.
    fn expand<Y: System + ?Sized>(
        &mut self,
        place: Place,
        job: &Job<'_, Y>,
        chunk: &mut Chunk,
    ) -> bool {
        job.store.read(place, &mut self.expanded);
        let expanded = std::mem::take(&mut self.expanded);
        let mut scratch = std::mem::replace(&mut self.scratch, Scratch::new(()));
        let mut is_plain = true;
        (job.system).wrong(expanded.bytes(), &mut scratch, &mut |_| is_plain = false);
        if is_plain {
            let mut in_time = true;
            let mut pulse = |held: u64| {
                in_time = !job.clock.is_over() && held <= CHUNK_BYTES_MAX as u64;
                go_on(in_time)
            };
            let mut each = |mv: Move<'_>| {
                is_plain = mv.faults.is_empty() && self.write(&mv, &expanded, job, chunk);
                go_on(is_plain)
            };
            let state = expanded.bytes();
            let rest = (job.system).successors_while(state, &mut scratch, &mut pulse, &mut each);
            let is_error = job.deadlocks && Violation::of(rest).is_some();
            is_plain &= in_time && !is_error;
        }
        (self.expanded, self.scratch) = (expanded, scratch);
        if is_plain {
            chunk.ends.push(chunk.codes.len() as u32);
        }
        is_plain
    }

    /// Writes down a move from a state; `false` if it has no representative, or there is no room.
    #[inline]
    fn write<Y: System + ?Sized>(
        &mut self,
        mv: &Move<'_>,
        from: &Expanded,
        job: &Job<'_, Y>,
        chunk: &mut Chunk,
    ) -> bool {
        let Some(to) = mv.state else {
            return false;
        };
        if !self.is_identity && !self.reduce(to) {
            return false;
        }
        let target = if self.is_identity { to } else { &self.target };
        let n = chunk.codes.len() as u32;
        let label = mv.steps.first().and_then(|step| job.system.label(*step));
        let remark = Remark {
            n_more: mv.n_alike - 1,
            label,
        };
        if remark.n_more > 0 || label.is_some() {
            chunk.remarks.push((n, remark));
        }
        let code = job.store.code(target, from, &mut self.fresh);
        chunk.codes.push(code.map_or(0, |code| code.0));
        chunk.owners.push(if code.is_ok() { 0 } else { UNCODED });
        if let Err(missing) = code {
            chunk.bytes.extend_from_slice(target);
            let end = chunk.bytes.len() as u32;
            chunk.uncoded.push(Uncoded { n, end, missing });
        }
        chunk.bytes.len() <= CHUNK_BYTES_MAX && chunk.codes.len() <= CHUNK_BYTES_MAX / 8
    }

    /// Makes the target the representative of a state; `false` if that was given up.
    #[inline]
    fn reduce(&mut self, state: &[u8]) -> bool {
        self.target.clear();
        self.target.extend_from_slice(state);
        self.n_reduced += 1;
        let is_timed = self.n_reduced.is_multiple_of(u64::from(SAMPLED));
        let start = is_timed.then(Instant::now);
        self.reducer.reduce(&mut self.target);
        if let Some(start) = start {
            self.reducing.add(start.elapsed());
        }
        self.reducer.given_up().is_none()
    }
}

#[inline]
fn go_on(yes: bool) -> ControlFlow<()> {
    if yes {
        ControlFlow::Continue(())
    } else {
        ControlFlow::Break(())
    }
}
