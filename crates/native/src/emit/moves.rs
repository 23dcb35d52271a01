//! Moves: which steps are tried, in which order, and what follows them.

use super::{ASK, Args, CLOSES_BIT, Emitter, FLAGS, HEADER, LED, NONE, TIMEOUT_BIT, Unit};
use crate::jit::{Entry, field};
use crate::order::Place;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, Function, InstBuilder, Value, types};
use cranelift_frontend::{Switch, Variable};
use model::processes::machine::code::{ActCode, KindCode, Program, StepCode};
use model::processes::machine::compiled::{FRAME_ALIGN, Kind};

/// Whether a program has channels without room.
pub fn has_rendezvous(program: &Program) -> bool {
    let mut kinds = program.kinds.iter();
    kinds.any(|kind| matches!(kind, KindCode::Channel(chan) if chan.capacity == 0))
}

/// Whether processes of a type may receive a message on a wire.
pub fn may_answer_anywhere(program: &Program, proc: u32) -> bool {
    let mut locations = program.procs[proc as usize].steps.iter();
    locations.any(|place| may_answer_at(program, proc, *place))
}

fn may_answer_at(program: &Program, proc: u32, (from, to): (u32, u32)) -> bool {
    let mut steps = program.order[from as usize..to as usize].iter();
    steps.any(|s| {
        let act = &program.steps[*s as usize].act;
        may_answer(program, proc, act) != Answers::Never
    })
}

/// Whether an action can receive a message on a wire.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answers {
    Never,
    Compiled,
    Ask,
}

fn may_answer(program: &Program, proc: u32, act: &ActCode) -> Answers {
    match act {
        ActCode::Receive(receive) if receive.keep => Answers::Never,
        ActCode::Receive(_) => Answers::Compiled,
        ActCode::All(all) => may_answer(program, proc, &all[0]),
        ActCode::Deterministic(entry, _) => {
            let place = program.procs[proc as usize].steps[*entry as usize];
            if may_answer_at(program, proc, place) {
                Answers::Ask
            } else {
                Answers::Never
            }
        }
        _ => Answers::Never,
    }
}

/// Which steps of a location are tried.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// All.
    Free,
    /// Those that receive the message on the wire.
    Answer,
}

impl Unit<'_> {
    /// All moves of a process at a location.
    pub fn location(&mut self, place: Place, f: &mut Function) {
        let steps = self.program.procs[place.proc as usize].steps[place.location as usize];
        let mut e = self.emitter(f, place.proc);
        let any = e.steps(steps, Mode::Free);
        e.end(any);
    }

    /// What a process makes of the message on the wire.
    pub fn answers(&mut self, proc: u32, f: &mut Function) {
        let program = self.program;
        let code = &program.procs[proc as usize];
        let mut e = self.emitter(f, proc);
        let here = e.load(code.location, e.args.own, 1);
        let mut switch = Switch::new();
        let mut blocks = Vec::new();
        for (location, steps) in code.steps.iter().enumerate() {
            if may_answer_at(program, proc, *steps) {
                let block = e.b.create_block();
                switch.set_entry(location as u128, block);
                blocks.push((block, *steps));
            }
        }
        let (none, done) = (e.b.create_block(), e.b.create_block());
        let answer = e.b.append_block_param(done, types::I64);
        switch.emit(&mut e.b, here, none);
        for (block, steps) in blocks {
            e.b.switch_to_block(block);
            let any = e.steps(steps, Mode::Answer);
            e.b.ins().jump(done, &[BlockArg::Value(any)]);
        }
        e.b.switch_to_block(none);
        let nothing = e.b.ins().iconst(types::I64, NONE as i64);
        e.b.ins().jump(done, &[BlockArg::Value(nothing)]);
        e.b.switch_to_block(done);
        e.end(answer);
    }

    /// A function that asks.
    pub fn asking(&mut self, f: &mut Function) {
        let mut e = self.emitter(f, 0);
        let ask = e.b.ins().iconst(types::I64, ASK as i64);
        e.end(ask);
    }

    /// A copy of the state in the next free frame.
    pub fn copy(&mut self, f: &mut Function) {
        let mut e = self.emitter(f, 0);
        let copy = e.copy_state();
        e.end(copy);
    }

    /// Asks if a chain comes back to where it was.
    pub fn repeats(&mut self, f: &mut Function) {
        let mut e = self.emitter(f, 0);
        let none = e.repeats();
        e.end(none);
    }

    /// Hands the message on the wire to all processes but the sender, from the latest to the first.
    pub fn pass(&mut self, f: &mut Function) {
        let mut e = self.emitter(f, 0);
        let led = e.pass();
        e.end(led);
    }
}

impl Emitter<'_, '_> {
    /// Tries steps: gives whether one led on.
    fn steps(&mut self, (from, to): (u32, u32), mode: Mode) -> Value {
        let program = self.program;
        let any = self.b.declare_var(types::I64);
        let none = self.b.ins().iconst(types::I64, NONE as i64);
        self.b.def_var(any, none);
        let done = self.b.create_block();
        let mut rank = 0;
        for s in &program.order[from as usize..to as usize] {
            let code = &program.steps[*s as usize];
            if rank > 0 && code.rank != rank {
                // An escape was taken: nothing of another rank is.
                let next = self.b.create_block();
                let taken = self.b.use_var(any);
                self.brif(taken, done, next);
                self.b.switch_to_block(next);
            }
            rank = code.rank;
            self.step(*s, any, mode);
        }
        self.jump(done);
        self.b.switch_to_block(done);
        self.b.use_var(any)
    }

    /// Tries a step.
    fn step(&mut self, s: u32, any: Variable, mode: Mode) {
        let code: &StepCode = &self.program.steps[s as usize];
        let act = &code.act;
        let (yes, no) = (self.b.create_block(), self.b.create_block());
        match mode {
            Mode::Free => {
                if code.otherwise {
                    let next = self.b.create_block();
                    let taken = self.b.use_var(any);
                    self.brif(taken, no, next);
                    self.b.switch_to_block(next);
                }
                self.guard(act, yes, no);
            }
            Mode::Answer => match may_answer(self.program, self.proc, act) {
                Answers::Never => self.jump(no),
                Answers::Ask => self.jump(self.ask),
                Answers::Compiled => self.answers(act, yes, no),
            },
        }
        self.b.switch_to_block(yes);
        if code.alone {
            // A step that should be alone is a fault.
            let taken = self.b.use_var(any);
            self.ask_if(taken);
        }
        let before = self.args;
        self.next_frame(s);
        match mode {
            Mode::Free => self.take_step(s, any),
            Mode::Answer => {
                self.answer(act);
                self.arrive(code);
                self.cover(s);
                self.follow(s, mode);
                self.lead(any);
            }
        }
        self.args = before;
        self.jump(no);
        self.b.switch_to_block(no);
    }

    /// Notes that a step led on.
    fn lead(&mut self, any: Variable) {
        let led = self.b.ins().iconst(types::I64, LED as i64);
        self.b.def_var(any, led);
    }

    /// Copies the state to the next free frame and goes on there.
    fn next_frame(&mut self, s: u32) {
        let Args {
            state, offset, who, ..
        } = self.args;
        let copy = self.called(self.entries.copy, &[state, offset, who]);
        let full = self.b.ins().icmp_imm_s(IntCC::Equal, copy, 0);
        self.ask_if(full);
        self.args.state = copy;
        self.args.own = self.b.ins().iadd(copy, offset);
        let step = self.int(s as i32);
        self.b.ins().store(FLAGS, step, copy, 4 - HEADER);
    }

    /// Copies the state to the next free frame; gives where it is there, or 0 if no frame is free.
    fn copy_state(&mut self) -> Value {
        let frame = self.around(field::NEXT);
        let end = self.around(field::END);
        let full = self.b.ins().icmp(IntCC::Equal, frame, end);
        let (free, done) = (self.b.create_block(), self.b.create_block());
        let copy = self.b.append_block_param(done, types::I64);
        let none = self.b.ins().iconst(types::I64, 0);
        let none = [BlockArg::Value(none)];
        self.b.ins().brif(full, done, &none, free, &[]);
        self.b.switch_to_block(free);
        let stride = self.around(field::STRIDE);
        let next = self.b.ins().iadd(frame, stride);
        self.set_around(field::NEXT, next);
        let from = self.b.ins().iadd_imm_s(self.args.state, i64::from(-HEADER));
        self.copy(from, frame, stride);
        let first = self.around(field::FIRST);
        let before = self.b.ins().isub(from, first);
        let before = self.b.ins().ireduce(types::I32, before);
        self.b.ins().store(FLAGS, before, frame, 0);
        let pid = self.pid();
        self.b.ins().store(FLAGS, pid, frame, 8);
        let state = self.b.ins().iadd_imm_s(frame, i64::from(HEADER));
        self.b.ins().jump(done, &[BlockArg::Value(state)]);
        self.b.switch_to_block(done);
        copy
    }

    /// Copies a frame without its head.
    fn copy(&mut self, from: Value, to: Value, stride: Value) {
        let (round, done) = (self.b.create_block(), self.b.create_block());
        let at = self.b.append_block_param(round, types::I64);
        let first = self.b.ins().iconst(types::I64, i64::from(HEADER));
        self.b.ins().jump(round, &[BlockArg::Value(first)]);
        self.b.switch_to_block(round);
        let (source, target) = (self.b.ins().iadd(from, at), self.b.ins().iadd(to, at));
        let piece = self.b.ins().load(types::I8X16, FLAGS, source, 0);
        self.b.ins().store(FLAGS, piece, target, 0);
        let next = self.b.ins().iadd_imm_s(at, FRAME_ALIGN as i64);
        let more = (self.b.ins()).icmp(IntCC::UnsignedLessThan, next, stride);
        let again = [BlockArg::Value(next)];
        self.b.ins().brif(more, round, &again, done, &[]);
        self.b.switch_to_block(done);
    }

    /// Says what the frame is.
    fn set_kind(&mut self, kind: Value) {
        (self.b.ins()).store(FLAGS, kind, self.args.state, 12 - HEADER);
    }

    /// Takes a step in a frame of its own, and what follows it.
    fn take_step(&mut self, s: u32, any: Variable) {
        let code: &StepCode = &self.program.steps[s as usize];
        if matches!(code.act, ActCode::End) {
            if code.keeps_control {
                return self.give_up();
            }
            self.note_last();
            self.cover(s);
            let kind = self.int(Kind::Ended as i32);
            self.set_kind(kind);
            return self.lead(any);
        }
        let wired = self.take(&code.act);
        self.arrive(code);
        self.cover(s);
        let Some(wired) = wired else {
            self.follow(s, Mode::Free);
            return self.lead(any);
        };
        let (half, whole) = (self.b.create_block(), self.b.create_block());
        let done = self.b.create_block();
        self.brif(wired, half, whole);
        self.b.switch_to_block(whole);
        self.follow(s, Mode::Free);
        self.lead(any);
        self.jump(done);
        self.b.switch_to_block(half);
        self.hand_over(code.closes, any);
        self.jump(done);
        self.b.switch_to_block(done);
    }

    /// Hands the message on the wire to those who wait for it: only then did the step lead on.
    fn hand_over(&mut self, closes: bool, any: Variable) {
        let Some(entry) = self.entries.pass else {
            return self.give_up();
        };
        let passed = self.int(Kind::Passed as i32);
        self.set_kind(passed);
        let free = self.around(field::WIRE);
        let next = self.b.ins().iadd_imm_s(free, i64::from(self.wire_bytes));
        self.set_around(field::WIRE, next);
        let who = self.without_bits();
        let who = self.b.ins().bor_imm_u(who, i64::from(closes) << CLOSES_BIT);
        let led = self.call(entry, &[self.args.state, self.args.offset, who]);
        self.set_around(field::WIRE, free);
        let before = self.b.use_var(any);
        let now = self.b.ins().bor(before, led);
        self.b.def_var(any, now);
    }

    /// Who takes the step, without what is true of the first step of a move alone.
    fn without_bits(&mut self) -> Value {
        (self.b.ins()).band_imm_u(self.args.who, (1 << TIMEOUT_BIT) - 1)
    }

    /// What follows a step that is whole: a stored state, or a step of the same process.
    fn follow(&mut self, s: u32, mode: Mode) {
        let code: &StepCode = &self.program.steps[s as usize];
        if !code.keeps_control {
            let stored = self.int(Kind::Stored as i32);
            return self.set_kind(stored);
        }
        if code.closes {
            self.close_loop();
        }
        let target = self.entries.locations[self.proc as usize][code.target as usize];
        if mode == Mode::Answer {
            let closes = self.bit(CLOSES_BIT);
            self.ask_if(closes);
        }
        self.go_on(target);
    }

    /// Asks if the chain comes back to where it closed a loop before: what follows then is for the
    /// interpreter to find out. Otherwise the frame says that a loop closes here.
    fn close_loop(&mut self) {
        let Some(entry) = self.entries.repeats else {
            return self.give_up();
        };
        let Args {
            state, offset, who, ..
        } = self.args;
        self.call(entry, &[state, offset, who]);
        let closing = self.int(Kind::Closing as i32);
        self.set_kind(closing);
    }

    /// Asks if the same process closed a loop in the same state earlier on the chain.
    fn repeats(&mut self) -> Value {
        let first = self.around(field::FIRST);
        let here = (self.b.ins()).iadd_imm_s(self.args.state, i64::from(-HEADER));
        let own = self.pid();
        let (round, look) = (self.b.create_block(), self.b.create_block());
        let (same, done) = (self.b.create_block(), self.b.create_block());
        let frame = self.b.append_block_param(round, types::I64);
        self.b.ins().jump(round, &[BlockArg::Value(here)]);
        self.b.switch_to_block(round);
        let before = self.b.ins().uload32(FLAGS, frame, 0);
        // A frame that was made from the first one has no earlier one that a step led to.
        self.brif(before, look, done);
        self.b.switch_to_block(look);
        let earlier = self.b.ins().iadd(first, before);
        let on = [BlockArg::Value(earlier)];
        let kind = self.b.ins().load(types::I32, FLAGS, earlier, 12);
        let closes = self.compare(IntCC::Equal, kind, Kind::Closing as i32);
        let pid = self.b.ins().load(types::I32, FLAGS, earlier, 8);
        let is_own = self.b.ins().icmp(IntCC::Equal, pid, own);
        let both = self.b.ins().band(closes, is_own);
        self.b.ins().brif(both, same, &[], round, &on);
        self.b.switch_to_block(same);
        self.compare_frames(here, earlier, round);
        self.b.switch_to_block(done);
        self.b.ins().iconst(types::I64, NONE as i64)
    }

    /// Asks if two frames hold equal states; otherwise goes on with the second one.
    fn compare_frames(&mut self, a: Value, b: Value, differ: Block) {
        let stride = self.around(field::STRIDE);
        let (round, next) = (self.b.create_block(), self.b.create_block());
        let at = self.b.append_block_param(round, types::I64);
        let first = self.b.ins().iconst(types::I64, i64::from(HEADER));
        self.b.ins().jump(round, &[BlockArg::Value(first)]);
        self.b.switch_to_block(round);
        let (left, right) = (self.b.ins().iadd(a, at), self.b.ins().iadd(b, at));
        let left = self.b.ins().load(types::I64, FLAGS, left, 0);
        let right = self.b.ins().load(types::I64, FLAGS, right, 0);
        let differs = self.b.ins().icmp(IntCC::NotEqual, left, right);
        let second = [BlockArg::Value(b)];
        self.b.ins().brif(differs, differ, &second, next, &[]);
        self.b.switch_to_block(next);
        let following = self.b.ins().iadd_imm_s(at, 8);
        let more = (self.b.ins()).icmp(IntCC::UnsignedLessThan, following, stride);
        let again = [BlockArg::Value(following)];
        self.b.ins().brif(more, round, &again, self.ask, &[]);
    }

    /// Goes on with a step of the process in control; if it can take none, the state is stored.
    fn go_on(&mut self, target: Entry) {
        let who = self.without_bits();
        let led = self.call(target, &[self.args.state, self.args.offset, who]);
        let stuck = (self.b.ins()).icmp_imm_s(IntCC::Equal, led, NONE as i64);
        let stored = self.int(Kind::Stored as i32);
        let passed = self.int(Kind::Passed as i32);
        let kind = self.b.ins().select(stuck, stored, passed);
        self.set_kind(kind);
    }

    /// Hands the message on the wire to all processes but the sender: gives whether one took it.
    fn pass(&mut self) -> Value {
        let led = self.b.declare_var(types::I64);
        let none = self.b.ins().iconst(types::I64, NONE as i64);
        self.b.def_var(led, none);
        let (round, body) = (self.b.create_block(), self.b.create_block());
        let (next, done) = (self.b.create_block(), self.b.create_block());
        let left = self.b.append_block_param(round, types::I32);
        let n_procs = self.count(field::N_PROCS);
        self.b.ins().jump(round, &[BlockArg::Value(n_procs)]);
        self.b.switch_to_block(round);
        self.brif(left, body, done);
        self.b.switch_to_block(body);
        let pid = self.b.ins().iadd_imm_s(left, -1);
        let sender = self.pid();
        let is_sender = self.b.ins().icmp(IntCC::Equal, pid, sender);
        let other = self.b.create_block();
        self.brif(is_sender, next, other);
        self.b.switch_to_block(other);
        self.hand_to(pid, led);
        self.jump(next);
        self.b.switch_to_block(next);
        self.b.ins().jump(round, &[BlockArg::Value(pid)]);
        self.b.switch_to_block(done);
        self.b.use_var(led)
    }

    /// Hands the message on the wire to a process.
    fn hand_to(&mut self, pid: Value, led: Variable) {
        let offset = self.offset_of(pid);
        let record = self.b.ins().iadd(self.args.state, offset);
        let tag = self.b.ins().uload8(types::I32, FLAGS, record, 0);
        let pid = self.b.ins().uextend(types::I64, pid);
        let others = self.b.ins().band_imm_s(self.args.who, !0xffff_ffff);
        let who = self.b.ins().bor(others, pid);
        let done = self.b.create_block();
        for (proc, entry) in self.entries.answers.iter().enumerate() {
            let Some(entry) = entry else {
                continue;
            };
            let kind = self.program.procs[proc].kind;
            let is = self.compare(IntCC::Equal, tag, i32::from(kind));
            let (this, next) = (self.b.create_block(), self.b.create_block());
            self.brif(is, this, next);
            self.b.switch_to_block(this);
            let answer = self.call(*entry, &[self.args.state, offset, who]);
            let before = self.b.use_var(led);
            let now = self.b.ins().bor(before, answer);
            self.b.def_var(led, now);
            self.jump(done);
            self.b.switch_to_block(next);
        }
        self.jump(done);
        self.b.switch_to_block(done);
    }
}
