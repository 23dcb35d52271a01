//! Whether a state of a process diverges, found out when it is asked.
//!
//! τ are followed by depth, and a τ to a state that is still being followed closes a cycle. States
//! from which no cycle was found are remembered for all questions to come, so that each is followed
//! once; after a cycle was found no more is asked. A search by breadth asks for states in its
//! order, so that the first that diverges is one that is reached in fewest steps.
//!
//! With a reducer, representatives of pairs are followed instead. That changes no answer: a cycle
//! of representatives is an endless run of τ in the process, by undoing permutations step by step,
//! and among finitely many states an endless run closes a cycle.
//!
//! Worked example. τ lead from 0 to 1, from 1 to 2 and 3, from 3 to 1; asked for 2: no τ,
//! remembered. Asked for 0: follow 0, 1; 2 is known; 3; from 3 to 1, which is being followed: 0
//! diverges.

use crate::outcome::StopReason;
use crate::refinement::tuples::Tuples;
use crate::refinement::twist::PairReducer;
use base::Clock;
use base::memory::{Account, Full};
use model::network::{Label, Process, Steps};

/// What has been found out so far.
pub struct Divergence {
    pairs: Tuples,
    /// By pair: whether it is being followed, or done with.
    colours: Vec<Colour>,
    stack: Vec<Frame>,
    /// Where τ lead from pairs on the stack.
    targets: Vec<u32>,
    steps: Steps,
    tuple: Vec<u32>,
    account: Account,
    n_followed: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Colour {
    New,
    Followed,
    Done,
}

/// A pair being followed, and what is left of its targets.
#[derive(Clone, Copy)]
struct Frame {
    pair: u32,
    next: usize,
    end: usize,
}

/// What is asked of.
pub struct Asked<'a> {
    pub process: &'a dyn Process,
    pub reducer: &'a mut dyn PairReducer,
    pub clock: Clock<'a>,
}

/// How many pairs are followed between two looks at the clock.
const TICKS: u64 = 256;

impl Divergence {
    /// Nothing is known yet; the specification has so many states, one if it does not matter.
    pub fn new(process: &dyn Process, n_spec: u32, bytes_max: Option<u64>) -> Divergence {
        let sizes = process.sizes();
        Divergence {
            pairs: Tuples::new(std::iter::once(n_spec).chain(sizes.iter().copied())),
            colours: Vec::new(),
            stack: Vec::new(),
            targets: Vec::new(),
            steps: Steps::new(),
            tuple: vec![0; sizes.len() + 1],
            account: Account::new(bytes_max),
            n_followed: 0,
        }
    }

    /// Whether the state of a representative pair diverges.
    ///
    /// # Requires
    /// No state asked for before does.
    pub fn of(
        &mut self,
        spec: u32,
        state: &[u32],
        asked: &mut Asked<'_>,
    ) -> Result<bool, StopReason> {
        let start = self.number(spec, state)?;
        if self.colours[start as usize] == Colour::Done {
            return Ok(false);
        }
        self.follow(start, asked)?;
        while let Some(frame) = self.stack.last_mut() {
            if frame.next == frame.end {
                let pair = frame.pair;
                self.colours[pair as usize] = Colour::Done;
                self.stack.pop();
                let end = self.stack.last().map_or(0, |frame| frame.end);
                self.targets.truncate(end);
                continue;
            }
            let target = self.targets[frame.next];
            frame.next += 1;
            match self.colours[target as usize] {
                Colour::Done => {}
                Colour::Followed => return Ok(true),
                Colour::New => self.follow(target, asked)?,
            }
        }
        Ok(false)
    }

    /// What it takes, and the most that it took.
    pub fn account(&self) -> &Account {
        &self.account
    }

    fn number(&mut self, spec: u32, state: &[u32]) -> Result<u32, Full> {
        let (number, is_new) = self.pairs.insert(spec, state, &mut self.account)?;
        if is_new {
            self.account.push(&mut self.colours, Colour::New)?;
        }
        Ok(number)
    }

    /// Starts to follow a pair.
    fn follow(&mut self, pair: u32, asked: &mut Asked<'_>) -> Result<(), StopReason> {
        self.n_followed += 1;
        if self.n_followed.is_multiple_of(TICKS) {
            asked.clock.ask()?;
        }
        let mut tuple = std::mem::take(&mut self.tuple);
        let mut steps = std::mem::take(&mut self.steps);
        self.pairs.tuple(pair, &mut tuple);
        asked.process.steps(&tuple[1..], &mut steps);
        let spec = tuple[0];
        let next = self.targets.len();
        for (i, &label) in steps.labels().iter().enumerate() {
            if label != Label::TAU {
                continue;
            }
            tuple[1..].copy_from_slice(steps.state(i));
            let spec = asked.reducer.represent(spec, &mut tuple[1..]);
            let target = self.number(spec, &tuple[1..])?;
            self.account.push(&mut self.targets, target)?;
        }
        (self.tuple, self.steps) = (tuple, steps);
        self.colours[pair as usize] = Colour::Followed;
        let end = self.targets.len();
        let frame = Frame { pair, next, end };
        Ok(self.account.push(&mut self.stack, frame)?)
    }
}
