//! All moves from a state.
//!
//! A move is a chain of steps without a stored state between. Most have one step. A step that
//! keeps control is followed by a step of the same process; if that process can take none, control
//! is lost and the state is stored after all. A send into a rendezvous is followed by a matching
//! receive of another process, which takes control over if it keeps it. Chains branch, so they are
//! searched depth first on a stack of [`Level`]s, each with a frame of its own; states on the way
//! are not compared with each other, so two chains to one state are two moves, as in SPIN.
//!
//! Worked example. `atomic { if :: x = 1 :: x = 2 fi; c!x }` with a rendezvous `c` and one
//! receiver that is ready: from the state before it, level 0 takes `x = 1` and keeps control;
//! level 1 sends; level 2 finds the receiver, which does not keep control: a move of three steps.
//! Then the same with `x = 2`. If no receiver is ready, level 1 finds nothing, and the state after
//! `x = 1` is where a move of one step leads.
//!
//! Chains that do not end. A chain that comes back to a state it has passed, with the same process
//! in control, ends there without a move ([`super::loops`]): for safety nothing is missed, for all
//! that could follow is tried from the first time, and a process that goes round for ever never
//! leads to a state that is stored. SPIN's verifiers go round until they reach their limit of
//! depth, and report no error but that. A chain that neither repeats nor ends within
//! [`MAX_CHAIN`] steps or [`MAX_CHAIN_BYTES`] is a fault ([`FaultKind::Endless`]), of which only
//! the first [`N_SHOWN`] steps are told: what follows is not known then.
//!
//! Processes are tried from the latest to the first. If no process can take a step, they are tried
//! again with `timeout` true.

use super::Machine;
use super::act::{Handshake, Tried};
use super::code::{ActCode, StepCode};
use super::compiled::{Compiled, Tape};
use super::direct::Direct;
use super::eval::Env;
use super::frame::Frame;
use super::loops::{Met, Rounds};
use crate::processes::program::Join;
use std::ops::ControlFlow;
use system::fault::{Fault, FaultKind};
use system::{Move, Pulse, Rest, Taken};

/// The longest chain of steps: as deep as SPIN's search in the settings it is compared with.
const MAX_CHAIN: usize = 1_000_000;
/// The most memory for the states of a chain.
const MAX_CHAIN_BYTES: usize = 64 << 20;
/// How much a frame takes beside what is in it.
const FRAME_BYTES: usize = 256;
/// How many steps there are between two questions whether to go on.
const PULSE_STEPS: u64 = 4096;
/// How many steps of a chain without an end are told.
const N_SHOWN: usize = 100;
/// How many frames are kept for the next expansion.
const N_KEPT: usize = 1000;

/// Where the search for the next step of a chain stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    /// The process to try next, and the last one to try.
    pub pid: usize,
    pub last: usize,
    /// The next step to try, as an index into the program's order, and the end of its location;
    /// `None` before the process has been looked at.
    pub steps: Option<(u32, u32)>,
    /// The rank of the escape that was taken.
    pub escape: u16,
    /// Whether a step of this process was taken: then its `else` is not, and a step that should be
    /// alone is a fault.
    pub any: bool,
    /// Whether any step was taken.
    pub moved: bool,
    /// Whether a message is waiting for a receiver.
    pub half: bool,
    /// Whether the step before may have closed a loop.
    pub closes: bool,
    /// What may come between this step and the one before.
    pub join: Join,
}

impl Level {
    /// A level below the one that is looked at.
    pub const PAST: Level = Level {
        pid: 0,
        last: 0,
        steps: None,
        escape: 0,
        any: false,
        moved: false,
        half: false,
        closes: false,
        join: Join::Loose,
    };

    /// A level for steps of one process.
    pub fn of(pid: usize, join: Join) -> Level {
        Level {
            pid,
            last: pid,
            join,
            ..Level::PAST
        }
    }
}

/// Memory for the search of moves.
pub struct Memory {
    pub(super) frames: Vec<Frame>,
    pub(super) levels: Vec<Level>,
    pub(super) steps: Vec<Taken>,
    faults: Vec<(usize, Fault)>,
    /// Messages on their way, one a level that waits for a receiver; the rest is memory to reuse.
    pub(super) handshakes: Vec<Handshake>,
    pub(super) n_offers: usize,
    pub(super) rounds: Rounds,
    pub(super) covered: Vec<bool>,
    /// For compiled steps.
    pub(super) tape: Tape,
    /// How many states were expanded.
    pub(super) n_expanded: u64,
    /// How often compiled steps asked the interpreter.
    pub(super) n_asked: u64,
    /// For a second expansion, to compare.
    pub(super) twin: Option<Box<Memory>>,
}

impl Memory {
    pub(super) fn new(n_steps: usize) -> Memory {
        Memory {
            frames: vec![Frame::default(), Frame::default()],
            levels: Vec::new(),
            steps: Vec::new(),
            faults: Vec::new(),
            handshakes: vec![Handshake::default()],
            n_offers: 0,
            rounds: Rounds::default(),
            covered: vec![false; n_steps],
            tape: Tape::default(),
            n_expanded: 0,
            n_asked: 0,
            twin: None,
        }
    }

    /// Forgets what the expansion before has left.
    pub(super) fn begin(&mut self) {
        self.levels.clear();
        self.steps.clear();
        self.faults.clear();
        self.n_offers = 0;
        self.rounds.clear();
        self.frames.truncate(N_KEPT);
        self.levels.shrink_to(N_KEPT);
        self.steps.shrink_to(N_KEPT);
    }
}

/// What `successors` hands moves to.
pub(super) type Out<'a> = &'a mut dyn FnMut(Move<'_>) -> ControlFlow<()>;

impl Machine {
    /// All moves from the state in the first frame, by compiled steps if there are any.
    pub(super) fn expand(
        &self,
        scratch: &mut Memory,
        compiled: Option<&dyn Compiled>,
        pulse: Pulse<'_>,
        out: Out<'_>,
    ) -> Rest {
        for timeout in [false, true] {
            if timeout && !self.has_timeout {
                break;
            }
            let search = Search {
                machine: self,
                scratch: &mut *scratch,
                timeout,
                pulse: &mut *pulse,
                n_taken: 0,
            };
            let found = match compiled {
                Some(compiled) => Direct { search, compiled }.run(&mut *out),
                None => { search }.run(&mut *out),
            };
            match found {
                ControlFlow::Break(()) => return Rest::Moves,
                ControlFlow::Continue(true) => return Rest::Moves,
                ControlFlow::Continue(false) => {}
            }
        }
        if compiled.is_some() {
            scratch.load_first();
        }
        let frame = &scratch.frames[0];
        let at_end = |pid: usize| {
            let proc = frame.proctype(pid, &self.program);
            proc.end[frame.location(pid, proc.location) as usize]
        };
        if !(0..frame.procs.len()).all(at_end) {
            return Rest::Deadlock;
        }
        match &self.program.trace {
            Some(trace) if !self.all_ended(frame) && !trace.may_rest(frame) => Rest::Unfinished,
            _ => Rest::End,
        }
    }

    /// Whether every process is gone, or has nothing left to do but to go.
    fn all_ended(&self, frame: &Frame) -> bool {
        let program = &self.program;
        (0..frame.procs.len()).all(|pid| {
            let proc = frame.proctype(pid, program);
            let (from, to) = proc.steps[frame.location(pid, proc.location) as usize];
            let mut steps = program.order[from as usize..to as usize].iter();
            steps.all(|s| matches!(program.steps[*s as usize].act, ActCode::End))
        })
    }
}

pub(super) struct Search<'a> {
    pub machine: &'a Machine,
    pub scratch: &'a mut Memory,
    pub timeout: bool,
    pulse: Pulse<'a>,
    /// How many steps were taken, those taken back included.
    n_taken: u64,
}

/// What follows a step that was taken.
enum Then {
    /// A stored state.
    Store,
    /// A step of that process.
    Keep(usize),
    /// A receive.
    Receive,
}

impl Search<'_> {
    /// Whether there are moves.
    fn run(&mut self, out: Out<'_>) -> ControlFlow<(), bool> {
        self.scratch.begin();
        self.open(0, None, (false, false), Join::Loose);
        let level = self.run_level(0, out)?;
        ControlFlow::Continue(level.moved)
    }

    /// Does all that is to do at the last level, which has that depth; gives the level as it is
    /// afterwards.
    pub fn run_level(&mut self, base: usize, out: Out<'_>) -> ControlFlow<(), Level> {
        loop {
            let depth = self.scratch.levels.len() - 1;
            match self.candidate(depth) {
                Some((pid, step)) => self.attempt(depth, pid, step, out)?,
                None if depth == base => {
                    let level = self.scratch.levels.pop();
                    return ControlFlow::Continue(level.expect("the level"));
                }
                None => self.close(depth, out)?,
            }
        }
    }

    /// Counts a step that was taken at a level; now and then it is asked whether to go on.
    #[inline]
    pub fn count(&mut self, depth: usize) -> ControlFlow<()> {
        self.n_taken += 1;
        if self.n_taken.is_multiple_of(PULSE_STEPS) {
            let held = depth.saturating_mul(self.level_bytes(depth)) + self.scratch.rounds.bytes();
            (self.pulse)(held as u64)?;
        }
        ControlFlow::Continue(())
    }

    /// A new level: all processes, or only the one that keeps control.
    fn open(
        &mut self,
        depth: usize,
        only: Option<usize>,
        (half, closes): (bool, bool),
        join: Join,
    ) {
        let n = self.scratch.frames[depth].procs.len();
        let (pid, last) = match only {
            Some(pid) => (pid, pid),
            None => (n.saturating_sub(1), 0),
        };
        self.scratch.levels.push(Level {
            pid,
            last,
            steps: (n == 0).then_some((0, 0)),
            escape: 0,
            any: false,
            moved: false,
            half,
            closes,
            join,
        });
    }

    /// The next step to try at the level, and whose; `None` if there are no more.
    fn candidate(&mut self, depth: usize) -> Option<(usize, u32)> {
        let program = &self.machine.program;
        loop {
            let level = &mut self.scratch.levels[depth];
            let Some((next, end)) = level.steps else {
                let pid = level.pid;
                let skipped =
                    level.half && pid == self.scratch.handshakes[self.scratch.n_offers - 1].sender;
                let asks = self.machine.restricted && level.join == Join::Loose;
                level.escape = 0;
                level.any = false;
                let frame = &self.scratch.frames[depth];
                let proc = frame.proctype(pid, program);
                let steps = proc.steps[frame.location(pid, proc.location) as usize];
                let may = !skipped && (!asks || self.may_run(depth, pid).unwrap_or(true));
                let steps = if may { steps } else { (0, 0) };
                self.scratch.levels[depth].steps = Some(steps);
                continue;
            };
            if next < end {
                level.steps = Some((next + 1, end));
                let step = program.order[next as usize];
                if level.escape > 0 && level.escape != program.steps[step as usize].rank {
                    level.steps = Some((end, end));
                    continue;
                }
                return Some((level.pid, step));
            }
            if level.pid == level.last {
                return None;
            }
            level.pid -= 1;
            level.steps = None;
        }
    }

    /// Whether the process may take steps at all: its condition holds, and no process of higher
    /// priority could take one.
    fn may_run(&mut self, depth: usize, pid: usize) -> Result<bool, FaultKind> {
        let program = &self.machine.program;
        let mut env = self.env(depth, pid);
        if !env.provided()? {
            return Ok(false);
        }
        if !program.priorities {
            return Ok(true);
        }
        let own = env.priority(pid);
        for other in 0..env.frame.procs.len() {
            env.pid = other;
            if other != pid && env.priority(other) > own && env.provided()? && env.can_move()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn env(&mut self, depth: usize, pid: usize) -> Env<'_> {
        let frame = &mut self.scratch.frames[depth];
        Env {
            timeout: self.timeout && depth == 0,
            ..Env::new(&self.machine.program, frame, pid)
        }
    }

    /// Tries a step; goes on to what follows it.
    fn attempt(&mut self, depth: usize, pid: usize, step: u32, out: Out<'_>) -> ControlFlow<()> {
        let code: &StepCode = &self.machine.program.steps[step as usize];
        for frame in self.scratch.frames.iter_mut().skip(depth).take(2) {
            frame.noted.clear();
        }
        let tried = match self.take(depth, pid, code) {
            Ok(Tried::Blocked) => return self.tell_blocked(depth, pid, step, out),
            other => other,
        };
        self.count(depth)?;
        self.scratch.covered[step as usize] = true;
        self.scratch.steps.push(taken(pid, step));
        let level = &mut self.scratch.levels[depth];
        level.escape = code.rank;
        let before = level.any;
        let fault = |kind| self.machine.fault(kind, step);
        let at = self.scratch.steps.len() - 1;
        if before && code.alone && tried.is_ok() {
            self.scratch
                .faults
                .push((at, fault(FaultKind::NotDeterministic)));
        }
        self.take_notes(depth, step);
        let then = match tried {
            Err(kind) => {
                self.scratch.faults.push((at, fault(kind)));
                return self.emit(depth, None, out);
            }
            Ok(Tried::Half) => Then::Receive,
            Ok(done) => {
                if done == Tried::DoneFalse {
                    self.scratch.faults.push((at, fault(FaultKind::Assertion)));
                }
                if code.keeps_control {
                    Then::Keep(pid)
                } else {
                    Then::Store
                }
            }
        };
        match then {
            Then::Store => self.emit(depth, Some(depth + 1), out),
            _ if self.is_too_long(depth) => self.give_up(depth, step, out),
            Then::Keep(pid) => self.go_on(depth, pid, step, out),
            Then::Receive => {
                self.scratch.n_offers += 1;
                self.open(depth + 1, None, (true, code.closes), Join::Loose);
                ControlFlow::Continue(())
            }
        }
    }

    /// Takes in what was noted while the last step was tried at the level `depth`: where it starts
    /// from, and where it leads.
    fn take_notes(&mut self, depth: usize, step: u32) {
        let Memory {
            frames,
            faults,
            steps,
            ..
        } = &mut *self.scratch;
        let at = steps.len() - 1;
        for kind in frames[depth..].iter().take(2).flat_map(|f| &f.noted) {
            let found = (at, self.machine.fault(*kind, step));
            if !faults.contains(&found) {
                faults.push(found);
            }
        }
    }

    /// Reports what was noted while it was tried whether a step can be taken which cannot.
    fn tell_blocked(
        &mut self,
        depth: usize,
        pid: usize,
        step: u32,
        out: Out<'_>,
    ) -> ControlFlow<()> {
        let mut frames = self.scratch.frames.iter().skip(depth).take(2);
        if frames.all(|f| f.noted.is_empty()) {
            return ControlFlow::Continue(());
        }
        let n_faults = self.scratch.faults.len();
        self.scratch.steps.push(taken(pid, step));
        self.take_notes(depth, step);
        let found = self.tell_last(out);
        self.scratch.steps.pop();
        self.scratch.faults.truncate(n_faults);
        found
    }

    /// Goes on with a step of the process in control, unless that was tried before.
    fn go_on(&mut self, depth: usize, pid: usize, step: u32, out: Out<'_>) -> ControlFlow<()> {
        let level = self.scratch.levels[depth];
        let closes = self.machine.program.steps[step as usize].closes || level.half && level.closes;
        if closes {
            let Memory { frames, rounds, .. } = &mut *self.scratch;
            match rounds.enter(frames, depth + 1, pid) {
                Met::New => {}
                Met::Full => return self.give_up(depth, step, out),
                // What went wrong on the way is told even if the way leads nowhere.
                Met::Again if !self.scratch.faults.is_empty() => {
                    return self.emit(depth, None, out);
                }
                Met::Again => {
                    self.back(depth, true);
                    return ControlFlow::Continue(());
                }
            }
        }
        let join = self.machine.program.steps[step as usize].join;
        self.open(depth + 1, Some(pid), (false, closes), join);
        ControlFlow::Continue(())
    }

    /// Whether no step may follow one that was taken at the level `depth`.
    fn is_too_long(&self, depth: usize) -> bool {
        let size = self.level_bytes(depth + 1);
        depth >= MAX_CHAIN || depth.saturating_mul(size) > MAX_CHAIN_BYTES
    }

    /// What a level of the chain takes, if it is like this one.
    fn level_bytes(&self, depth: usize) -> usize {
        let frame = &self.scratch.frames[depth];
        frame.bytes.len() + 4 * (frame.procs.len() + frame.chans.len()) + FRAME_BYTES
    }

    /// Reports that the chain does not end, with its first steps and all that went wrong in it;
    /// then takes back its last step.
    pub fn give_up(&mut self, depth: usize, step: u32, out: Out<'_>) -> ControlFlow<()> {
        let Memory { steps, faults, .. } = &mut *self.scratch;
        let n = N_SHOWN.max(faults.last().map_or(0, |(at, _)| at + 1));
        let n = n.min(steps.len());
        faults.push((n - 1, self.machine.fault(FaultKind::Endless, step)));
        let found = out(Move {
            steps: &steps[..n],
            faults,
            state: None,
            n_alike: 1,
        });
        faults.pop();
        self.scratch.rounds.remember();
        self.back(depth, true);
        found
    }

    /// Reports a move to the state in a frame, then takes back its last step, which was taken at
    /// the level `depth`.
    fn emit(&mut self, depth: usize, frame: Option<usize>, out: Out<'_>) -> ControlFlow<()> {
        let scratch = &*self.scratch;
        let found = out(Move {
            steps: &scratch.steps,
            faults: &scratch.faults,
            state: frame.map(|f| &scratch.frames[f].bytes[..]),
            n_alike: 1,
        });
        self.back(depth, true);
        found
    }

    /// Reports what went wrong in the last step, if anything did, as a move to nowhere.
    fn tell_last(&mut self, out: Out<'_>) -> ControlFlow<()> {
        let Memory { steps, faults, .. } = &*self.scratch;
        let own = faults.partition_point(|(at, _)| at + 1 < steps.len());
        if own == faults.len() {
            return ControlFlow::Continue(());
        }
        out(Move {
            steps,
            faults: &faults[own..],
            state: None,
            n_alike: 1,
        })
    }

    /// Takes back the last step, which was taken at the level `depth`.
    fn back(&mut self, depth: usize, led_on: bool) {
        self.scratch.steps.pop();
        let n = self.scratch.steps.len();
        while self.scratch.faults.last().is_some_and(|(at, _)| *at >= n) {
            self.scratch.faults.pop();
        }
        let level = &mut self.scratch.levels[depth];
        if led_on {
            level.any = true;
            level.moved = true;
        } else {
            level.escape = 0;
        }
    }

    /// Ends a level without more candidates, which is not the one that is to be done.
    fn close(&mut self, depth: usize, out: Out<'_>) -> ControlFlow<()> {
        let level = self.scratch.levels[depth];
        self.scratch.levels.pop();
        self.scratch.n_offers -= usize::from(level.half);
        if level.closes && !level.half {
            self.scratch.rounds.leave();
        }
        if level.half && !level.moved {
            // A send without a receiver was no step, but what went wrong in it is told.
            self.tell_last(out)?;
            self.back(depth - 1, false);
        } else if level.moved {
            self.back(depth - 1, true);
        } else {
            self.emit(depth - 1, Some(depth), out)?;
        }
        ControlFlow::Continue(())
    }

    /// Takes a step on a copy of the frame, if it can be taken.
    fn take(&mut self, depth: usize, pid: usize, code: &StepCode) -> Result<Tried, FaultKind> {
        let level = self.scratch.levels[depth];
        if self.machine.restricted {
            // What goes wrong in the condition of a process is a fault of the step it was for.
            self.env(depth, pid).provided()?;
        }
        if level.half {
            return self.take_half(depth, pid, code);
        }
        if code.otherwise && level.any || !self.env(depth, pid).guard(&code.act)? {
            return Ok(Tried::Blocked);
        }
        self.copy_up(depth);
        let Memory {
            frames,
            handshakes,
            n_offers,
            covered,
            ..
        } = &mut *self.scratch;
        if handshakes.len() == *n_offers {
            handshakes.push(Handshake::default());
        }
        let handshake = &mut handshakes[*n_offers];
        let mut env = Env {
            timeout: self.timeout && depth == 0,
            ..Env::new(&self.machine.program, &mut frames[depth + 1], pid)
        };
        let first = match &code.act {
            ActCode::All(all) => &all[0],
            act => act,
        };
        let mut done = Tried::Done;
        match &code.act {
            ActCode::TestRun(e) => {
                if env.eval(*e)? == 0 {
                    return Ok(Tried::Blocked);
                }
            }
            act => {
                if let ActCode::Send(send) = first
                    && env.offer(send, handshake)?
                {
                    done = Tried::Half;
                    if let ActCode::All(all) = act {
                        for act in &all[1..] {
                            env.perform(act, covered)?;
                        }
                    }
                } else if !env.perform(act, covered)? {
                    done = Tried::DoneFalse;
                }
            }
        }
        match code.act {
            // The process is gone, but it was the last to move.
            ActCode::End => env.note_last(),
            _ => env.arrive(code),
        }
        Ok(done)
    }

    /// The second half of a rendezvous: only a receive that matches can be taken.
    fn take_half(&mut self, depth: usize, pid: usize, code: &StepCode) -> Result<Tried, FaultKind> {
        let program = &self.machine.program;
        let Memory {
            frames,
            handshakes,
            n_offers,
            ..
        } = &mut *self.scratch;
        let handshake = &handshakes[*n_offers - 1];
        let mut env = Env::new(program, &mut frames[depth], pid);
        if !env.answers(&code.act, handshake)? {
            return Ok(Tried::Blocked);
        }
        self.copy_up(depth);
        let Memory {
            frames,
            handshakes,
            n_offers,
            covered,
            ..
        } = &mut *self.scratch;
        let handshake = &handshakes[*n_offers - 1];
        let mut env = Env::new(program, &mut frames[depth + 1], pid);
        let holds = env.answer(&code.act, handshake, covered)?;
        env.arrive(code);
        Ok(if holds { Tried::Done } else { Tried::DoneFalse })
    }

    fn copy_up(&mut self, depth: usize) {
        let frames = &mut self.scratch.frames;
        if frames.len() == depth + 1 {
            frames.push(Frame::default());
        }
        let (below, above) = frames.split_at_mut(depth + 1);
        above[0].copy(&below[depth]);
    }
}

impl Env<'_> {
    /// Whether the condition of the process holds.
    pub fn provided(&mut self) -> Result<bool, FaultKind> {
        let proc = self.frame.proctype(self.pid, self.program);
        match proc.provided {
            Some(e) => Ok(self.eval(e)? != 0),
            None => Ok(true),
        }
    }

    /// Moves the process to the target of its step, and sets what the step resets.
    fn arrive(&mut self, code: &StepCode) {
        let scalar = self.frame.proctype(self.pid, self.program).location;
        self.frame.set_location(self.pid, scalar, code.target);
        let record = self.frame.procs[self.pid] as usize;
        for (cell, value) in &code.resets {
            let at = record + cell.at as usize;
            cell.scalar.store(&mut self.frame.bytes, at, *value);
        }
        self.note_last();
    }

    /// Sets `_last`, where it is kept, to the process.
    fn note_last(&mut self) {
        if let Some(cell) = self.program.last {
            let at = cell.at as usize;
            (cell.scalar).store(&mut self.frame.bytes, at, self.pid as i32);
        }
    }
}

/// A step of a process, as a number.
pub(super) fn taken(pid: usize, step: u32) -> Taken {
    Taken((pid as u64) << 32 | u64::from(step))
}
