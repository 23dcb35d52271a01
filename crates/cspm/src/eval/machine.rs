//! The evaluator: expressions to values, by need.
//!
//! A frame is a stretch of one stack of values; calls put their arguments on top of it. The machine
//! recurses where the script does. So that deep recursion of a script does not overflow the stack
//! of the thread, it measures how much of it is in use and goes on in a thread with a larger stack
//! when it runs short ([`Evaluator::with_room`]); beyond [`STACKS_MAX`] of those the script is told
//! that it recurses too deeply. A call in the last place of a body takes no stack:
//! `count(n) = if n == 0 then 0 else count(n - 1)` runs in a loop.

use super::code::{CaptureSite, ExprCode, GlobalKind, LetStep, MemberKind, Program};
use super::fault::{Fault, Result};
use super::state::EvalState;
use crate::ast::BinaryOp;
use crate::value::{DefinitionGroup, FnId, Function, LazyId, Seq, Set, Thunk, Todo, Value, show};
use base::Span;
use std::cmp::Ordering;
use std::sync::{Arc, OnceLock};

/// How much of the first stack the machine takes, whose size it does not know; threads have two
/// megabytes or more.
const FIRST_ROOM: usize = 640 << 10;
/// The size of the stacks it makes.
const STACK: usize = 64 << 20;
/// What it leaves free of them, for what does not measure.
const SPARE: usize = 1 << 20;
/// How many stacks it makes within each other.
const STACKS_MAX: u32 = 8;

/// A program and what is known of it so far, while something is evaluated.
pub struct Evaluator<'p> {
    /// The program.
    pub program: &'p Program,
    /// What is known so far.
    pub state: &'p mut EvalState,
    /// How deep the value is nested that is being worked out.
    pub nesting: usize,
    top: usize,
    room: usize,
    n_stacks: u32,
}

/// An address on the stack in use.
#[inline(never)]
fn here() -> usize {
    let mark = 0u8;
    std::ptr::from_ref(std::hint::black_box(&mark)).addr()
}

impl<'p> Evaluator<'p> {
    /// A machine for one evaluation.
    pub fn new(program: &'p Program, state: &'p mut EvalState) -> Evaluator<'p> {
        Evaluator {
            program,
            state,
            nesting: 0,
            top: here(),
            room: FIRST_ROOM,
            n_stacks: 0,
        }
    }

    /// A fault at `span`.
    pub fn fault<T>(&self, span: Span, message: impl Into<String>) -> Result<T> {
        Err(Fault::new(span, message))
    }

    /// A value as it is shown in messages.
    pub fn shown(&self, value: &Value) -> String {
        show::short(
            value,
            &super::state::StateNames(self.program, self.state, &self.state.terms),
        )
    }

    /// A fault, if it is time to stop.
    #[inline]
    pub fn go_on(&mut self) -> Result<()> {
        if self.state.ticker.tick().is_err() {
            Err(Fault::stopped(self.state.at))
        } else {
            Ok(())
        }
    }

    /// Does `work`, on a larger stack if this one runs short.
    pub(crate) fn with_room<T: Send>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T> + Send,
    ) -> Result<T> {
        self.go_on()?;
        if self.top.abs_diff(here()) < self.room {
            return work(self);
        }
        if self.n_stacks == STACKS_MAX {
            return self.fault(self.state.at, "this recursion is too deep");
        }
        let (top, room) = (self.top, self.room);
        self.n_stacks += 1;
        let result = std::thread::scope(|scope| {
            let machine = &mut *self;
            let thread = std::thread::Builder::new().stack_size(STACK);
            let thread = thread.spawn_scoped(scope, move || {
                machine.top = here();
                machine.room = STACK - SPARE;
                work(machine)
            });
            match thread.map(std::thread::ScopedJoinHandle::join) {
                Ok(Ok(result)) => result,
                Ok(Err(panic)) => std::panic::resume_unwind(panic),
                Err(error) => Err(Fault::new(
                    top_span(),
                    format!("no memory for a recursion this deep: {error}"),
                )),
            }
        });
        (self.top, self.room) = (top, room);
        self.n_stacks -= 1;
        result
    }

    /// What an expression is worth, its outermost part worked out.
    pub fn eval(&mut self, code: &'p ExprCode, base: usize) -> Result<Value> {
        match code {
            ExprCode::Known(value) => Ok(value.clone()),
            ExprCode::Slot(slot) => self.eval_slot(base + *slot as usize),
            ExprCode::Global(id) => self.eval_global(*id),
            ExprCode::Member(slot, index) => {
                let group = self.group(base + *slot as usize);
                self.eval_member(&group, *index)
            }
            ExprCode::If(parts, span) => {
                let (condition, yes, no) = &**parts;
                let branch = if self.eval_bool(condition, base, *span)? {
                    yes
                } else {
                    no
                };
                self.eval(branch, base)
            }
            ExprCode::Binary(op, parts, span) => self.eval_binary(*op, parts, base, *span),
            ExprCode::Both(is_and, parts, span) => {
                let first = self.eval_bool(&parts.0, base, *span)?;
                if first == *is_and {
                    return Ok(Value::Bool(self.eval_bool(&parts.1, base, *span)?));
                }
                Ok(Value::Bool(first))
            }
            ExprCode::Apply(function, arguments, span) => {
                let (function, arguments) = self.prepare(function, arguments, base, *span)?;
                self.call(function, arguments, *span)
            }
            ExprCode::Let(steps, body) => {
                self.take_steps(steps, base)?;
                self.eval(body, base)
            }
            ExprCode::Tuple(parts) => {
                let parts = self.delay_all(parts, base)?;
                Ok(Value::tuple(parts))
            }
            ExprCode::List(parts) => Ok(Value::Seq(Seq::from(self.delay_all(parts, base)?))),
            ExprCode::Lambda(site) => Ok(self.close(site, base)),
            ExprCode::Lazy(site) | ExprCode::Cheap(_, site) => {
                let captured = self.capture(&site.from, base);
                self.run_lazy(site.id, &captured)
            }
            ExprCode::Dot(parts, span) => {
                let (left, right) = (self.eval(&parts.0, base)?, self.eval(&parts.1, base)?);
                let (left, right) = (self.deep(left)?, self.deep(right)?);
                self.dot(left, right, *span)
            }
            ExprCode::Process(process) => self.eval_process(process, base).map(Value::Process),
            ExprCode::Term(term) => Ok(Value::Process(self.state.terms.term(term.clone()))),
            _ => self.eval_rare(code, base),
        }
    }

    /// The expressions that [`Evaluator::eval`] leaves to others, so that its own frame stays
    /// small.
    #[inline(never)]
    fn eval_rare(&mut self, code: &'p ExprCode, base: usize) -> Result<Value> {
        match code {
            ExprCode::Not(inner, span) => Ok(Value::Bool(!self.eval_bool(inner, base, *span)?)),
            ExprCode::Negate(inner, span) => {
                let n = self.eval_int(inner, base, *span)?;
                match n.checked_neg() {
                    Some(n) => Ok(Value::Int(n)),
                    None => self.fault(*span, "this number is out of range"),
                }
            }
            ExprCode::Length(inner, span) => {
                let seq = self.eval_seq(inner, base, *span)?;
                Ok(Value::Int(self.elements(&seq, *span)?.len() as i64))
            }
            ExprCode::Concat(parts, span) => {
                let first = self.eval_seq(&parts.0, base, *span)?;
                let second = self.delay(&parts.1, base)?;
                self.append(first, second, *span).map(Value::Seq)
            }
            ExprCode::ListRange(parts, span) => {
                self.list_range(&parts.0, parts.1.as_ref(), base, *span)
            }
            ExprCode::ListSuch(site) => self.list_such(site, base),
            ExprCode::SetList(parts) => self.set_list(parts, base),
            ExprCode::SetRange(parts, span) => self
                .set_range(&parts.0, parts.1.as_ref(), base, *span)
                .map(Value::Set),
            ExprCode::SetSuch(such) => self.set_such(such, base),
            ExprCode::Closure(parts, span) => self.closure(parts, base, *span),
            ExprCode::ClosureSuch(such, span) => self.closure_such(such, base, *span),
            ExprCode::Map(pairs) => self.eval_map(pairs, base),
            ExprCode::Select(select) => {
                let value = self.delay(&select.value, base)?;
                if !self.matches(&select.pattern, value.clone(), base)? {
                    let value = self.force(value)?;
                    let shown = self.shown(&value);
                    return self.fault(
                        select.span,
                        format!("the value {shown} does not fit this pattern"),
                    );
                }
                self.eval_slot(base + select.slot as usize)
            }
            ExprCode::TypeDot(parts, span) => self.type_dot(parts, base, *span),
            ExprCode::TypeTuple(parts, span) => self.type_tuple(parts, base, *span),
            ExprCode::Datatype(id) => self.datatype(*id).map(Value::Set),
            ExprCode::Events => self.events().map(Value::Set),
            ExprCode::Refused(why, span) => self.fault(*span, &**why),
            _ => unreachable!("evaluated where it stands: {code:?}"),
        }
    }

    fn eval_slot(&mut self, place: usize) -> Result<Value> {
        if let Value::Thunk(thunk) = &self.state.stack[place] {
            let thunk = thunk.clone();
            let value = self.force_thunk(&thunk)?;
            self.state.stack[place] = value.clone();
            return Ok(value);
        }
        Ok(self.state.stack[place].clone())
    }

    fn eval_binary(
        &mut self,
        op: BinaryOp,
        parts: &'p (ExprCode, ExprCode),
        base: usize,
        span: Span,
    ) -> Result<Value> {
        let left = self.eval(&parts.0, base)?;
        let right = self.eval(&parts.1, base)?;
        if let (Value::Int(a), Value::Int(b)) = (&left, &right) {
            return match arithmetic(op, *a, *b) {
                Some(value) => Ok(value),
                None if *b == 0 => self.fault(span, format!("{a} is divided by zero")),
                None => self.fault(
                    span,
                    format!("{a} and {b} give a number that is out of range"),
                ),
            };
        }
        match op {
            BinaryOp::Equal => Ok(Value::Bool(self.equal(left, right, span)?)),
            BinaryOp::NotEqual => Ok(Value::Bool(!self.equal(left, right, span)?)),
            BinaryOp::Less => self.ordered(left, right, span, |o| o == Some(Ordering::Less)),
            BinaryOp::More => self.ordered(left, right, span, |o| o == Some(Ordering::Greater)),
            BinaryOp::AtMost => self.ordered(left, right, span, |o| {
                matches!(o, Some(Ordering::Less | Ordering::Equal))
            }),
            BinaryOp::AtLeast => self.ordered(left, right, span, |o| {
                matches!(o, Some(Ordering::Greater | Ordering::Equal))
            }),
            _ => {
                let other = if matches!(left, Value::Int(_)) {
                    right
                } else {
                    left
                };
                self.fault(span, format!("{} is no number", self.shown(&other)))
            }
        }
    }

    fn ordered(
        &mut self,
        left: Value,
        right: Value,
        span: Span,
        test: fn(Option<Ordering>) -> bool,
    ) -> Result<Value> {
        Ok(Value::Bool(test(self.compare(left, right, span)?)))
    }

    /// A truth value.
    pub(crate) fn eval_bool(
        &mut self,
        code: &'p ExprCode,
        base: usize,
        span: Span,
    ) -> Result<bool> {
        match self.eval(code, base)? {
            Value::Bool(b) => Ok(b),
            other => self.fault(span, format!("{} is no truth value", self.shown(&other))),
        }
    }

    /// A number.
    pub fn eval_int(&mut self, code: &'p ExprCode, base: usize, span: Span) -> Result<i64> {
        match self.eval(code, base)? {
            Value::Int(n) => Ok(n),
            other => self.fault(span, format!("{} is no number", self.shown(&other))),
        }
    }

    /// A sequence.
    pub(crate) fn eval_seq(&mut self, code: &'p ExprCode, base: usize, span: Span) -> Result<Seq> {
        match self.eval(code, base)? {
            Value::Seq(seq) => Ok(seq),
            other => self.fault(span, format!("{} is no sequence", self.shown(&other))),
        }
    }

    /// A set.
    pub(crate) fn eval_set(&mut self, code: &'p ExprCode, base: usize, span: Span) -> Result<Set> {
        match self.eval(code, base)? {
            Value::Set(set) => Ok(set),
            other => self.fault(span, format!("{} is no set", self.shown(&other))),
        }
    }

    fn eval_global(&mut self, id: u32) -> Result<Value> {
        if let Some(value) = &self.state.globals[id as usize]
            && matches!(value, Value::Function(_) | Value::Int(_) | Value::Set(_))
        {
            return Ok(value.clone());
        }
        let global = &self.program.globals[id as usize];
        match global.kind {
            GlobalKind::Function(code) => {
                let function = Value::Function(Arc::new(Function::Closure {
                    code,
                    captured: Arc::from([]),
                    given: Arc::from([]),
                }));
                self.state.globals[id as usize] = Some(function.clone());
                Ok(function)
            }
            GlobalKind::Value(_) if global.is_process => {
                Ok(Value::Process(self.global_process(id)))
            }
            GlobalKind::Value(lazy) => self.global_value(id, lazy),
            GlobalKind::Pending => self.fault(global.span, "this definition was not compiled"),
        }
    }

    /// What a definition without parameters is worth, evaluated once.
    pub(crate) fn global_value(&mut self, id: u32, lazy: LazyId) -> Result<Value> {
        if let Some(value) = &self.state.globals[id as usize] {
            return Ok(value.clone());
        }
        if std::mem::replace(&mut self.state.is_busy[id as usize], true) {
            let global = &self.program.globals[id as usize];
            let words = format!("to evaluate `{}`, it has to be evaluated", global.name);
            return self.fault(global.span, words);
        }
        let result = self.run_lazy(lazy, &[]);
        self.state.is_busy[id as usize] = false;
        let value = result?;
        self.state.globals[id as usize] = Some(value.clone());
        Ok(value)
    }

    fn group(&self, place: usize) -> Arc<DefinitionGroup> {
        match &self.state.stack[place] {
            Value::Group(group) => group.clone(),
            other => unreachable!("a group is in its slot, not {}", other.kind()),
        }
    }

    /// What a member of a group is worth.
    pub(crate) fn eval_member(
        &mut self,
        group: &Arc<DefinitionGroup>,
        index: u32,
    ) -> Result<Value> {
        let program = self.program;
        let member = &program.groups[group.id.index()].members[index as usize];
        match &member.kind {
            MemberKind::Function(site) => Ok(Value::Function(Arc::new(Function::Closure {
                code: site.id,
                captured: self.capture_member(group, &site.from),
                given: Arc::from([]),
            }))),
            MemberKind::Value(_) if member.is_process => {
                Ok(Value::Process(self.member_process(group, index)?))
            }
            MemberKind::Value(_) => self.member_value(group, index),
        }
    }

    /// What a member without parameters is worth, evaluated once.
    pub(crate) fn member_value(
        &mut self,
        group: &Arc<DefinitionGroup>,
        index: u32,
    ) -> Result<Value> {
        if let Some(value) = group.cells[index as usize].get() {
            return Ok(value.clone());
        }
        let program = self.program;
        let member = &program.groups[group.id.index()].members[index as usize];
        let MemberKind::Value(site) = &member.kind else {
            unreachable!("a member without parameters");
        };
        let key = (Arc::as_ptr(group).addr(), index);
        if self.state.busy_members.contains(&key) {
            let span = program.lazies[site.id.index()].span;
            let words = format!("to evaluate `{}`, it has to be evaluated", member.name);
            return self.fault(span, words);
        }
        self.state.busy_members.push(key);
        let captured = self.capture_member(group, &site.from);
        let result = self.run_lazy(site.id, &captured);
        self.state.busy_members.pop();
        let value = result?;
        // Whoever was first has the same.
        let _ = group.cells[index as usize].set(value.clone());
        Ok(value)
    }

    fn capture_member(&self, group: &Arc<DefinitionGroup>, from: &[u32]) -> Arc<[Value]> {
        let code = &self.program.groups[group.id.index()];
        let own = |slot: &u32| match code.own.iter().position(|o| o == slot) {
            Some(i) => group.captured[i].clone(),
            None => Value::Group(group.clone()),
        };
        from.iter().map(own).collect()
    }

    /// Copies of slots.
    pub fn capture(&self, from: &[u32], base: usize) -> Arc<[Value]> {
        let slots = from
            .iter()
            .map(|slot| &self.state.stack[base + *slot as usize]);
        slots.map(|value| value.seen().clone()).collect()
    }

    fn close(&self, site: &CaptureSite<FnId>, base: usize) -> Value {
        Value::Function(Arc::new(Function::Closure {
            code: site.id,
            captured: self.capture(&site.from, base),
            given: Arc::from([]),
        }))
    }

    /// Puts the definitions of a `let` into their slots.
    pub(crate) fn take_steps(&mut self, steps: &'p [LetStep], base: usize) -> Result<()> {
        for step in steps {
            match step {
                LetStep::Value(slot, code) => {
                    let value = self.delay(code, base)?;
                    self.state.stack[base + *slot as usize] = value;
                }
                LetStep::Group(slot, site) => {
                    let n = self.program.groups[site.id.index()].members.len();
                    let group = DefinitionGroup {
                        id: site.id,
                        captured: self.capture(&site.from, base),
                        cells: (0..n).map(|_| OnceLock::new()).collect(),
                    };
                    self.state.stack[base + *slot as usize] = Value::Group(Arc::new(group));
                }
            }
        }
        Ok(())
    }

    /// The value of an expression that may be put off.
    pub fn delay(&mut self, code: &'p ExprCode, base: usize) -> Result<Value> {
        let todo = match code {
            ExprCode::Slot(slot) => {
                return Ok(self.state.stack[base + *slot as usize].seen().clone());
            }
            ExprCode::Lazy(site) => Todo::Code(site.id, self.capture(&site.from, base)),
            ExprCode::Cheap(inner, site) => match self.cheap(inner, base) {
                Some(value) => return Ok(value),
                None => Todo::Code(site.id, self.capture(&site.from, base)),
            },
            ExprCode::Member(slot, index) => {
                let group = self.group(base + *slot as usize);
                if let Some(value) = group.cells[*index as usize].get() {
                    return Ok(value.clone());
                }
                Todo::Member(group, *index)
            }
            _ => return self.eval(code, base),
        };
        Ok(Value::Thunk(Arc::new(Thunk::new(todo))))
    }

    pub(crate) fn delay_all(&mut self, codes: &'p [ExprCode], base: usize) -> Result<Vec<Value>> {
        codes.iter().map(|code| self.delay(code, base)).collect()
    }

    /// The value of an expression if no more than arithmetic on known numbers is needed, and
    /// nothing goes wrong.
    fn cheap(&mut self, code: &'p ExprCode, base: usize) -> Option<Value> {
        match code {
            ExprCode::Known(value) => Some(value.clone()),
            ExprCode::Slot(slot) => match self.state.stack[base + *slot as usize].seen() {
                Value::Thunk(_) => None,
                value => Some(value.clone()),
            },
            ExprCode::Global(id) => match self.program.globals[*id as usize] {
                ref global if global.is_process => self.eval(code, base).ok(),
                ref global => match global.kind {
                    GlobalKind::Function(_) => self.eval(code, base).ok(),
                    _ => self.state.globals[*id as usize].clone(),
                },
            },
            ExprCode::Binary(op, parts, _) => {
                let (left, right) = (self.cheap(&parts.0, base)?, self.cheap(&parts.1, base)?);
                match (left, right) {
                    (Value::Int(a), Value::Int(b)) => arithmetic(*op, a, b),
                    _ => None,
                }
            }
            ExprCode::Datatype(_) | ExprCode::Events | ExprCode::Term(_) => {
                self.eval(code, base).ok()
            }
            _ => None,
        }
    }

    /// A value with its outermost part worked out.
    pub fn force(&mut self, value: Value) -> Result<Value> {
        match value {
            Value::Thunk(thunk) => self.force_thunk(&thunk),
            value => Ok(value),
        }
    }

    fn force_thunk(&mut self, thunk: &Arc<Thunk>) -> Result<Value> {
        if let Some(value) = thunk.done() {
            return Ok(value.clone());
        }
        let Some(todo) = thunk.take() else {
            return self.fault(self.state.at, "this value is needed to work itself out");
        };
        let kept = todo.clone();
        let result = self.with_room(|machine| machine.work(todo));
        match result {
            Ok(value) => {
                thunk.finish(value.clone());
                Ok(value)
            }
            Err(fault) => {
                thunk.put_back(kept);
                Err(fault)
            }
        }
    }

    fn work(&mut self, todo: Todo) -> Result<Value> {
        match todo {
            Todo::Code(id, captured) => self.run_lazy(id, &captured),
            Todo::Member(group, index) => self.eval_member(&group, index),
            Todo::Append(first, second) => match self.force(first)? {
                Value::Seq(seq) => self.append(seq, second, self.state.at).map(Value::Seq),
                other => self.fault(self.state.at, format!("{} is no sequence", other.kind())),
            },
            Todo::Concat(all) => self.concat(all, self.state.at).map(Value::Seq),
            Todo::From(n) => self.numbers_from(n).map(Value::Seq),
            Todo::Such(id, slots, left) => self.resume_such(id, slots, left),
        }
    }

    /// Evaluates a suspended expression.
    pub(crate) fn run_lazy(&mut self, id: LazyId, captured: &[Value]) -> Result<Value> {
        let program = self.program;
        let lazy = &program.lazies[id.index()];
        let base = self.state.stack.len();
        self.state
            .stack
            .resize(base + lazy.n_slots, Value::nothing());
        for (slot, value) in lazy.own.iter().zip(captured) {
            self.state.stack[base + *slot as usize] = value.clone();
        }
        let result = self.with_room(|machine| machine.eval(&lazy.body, base));
        self.state.stack.truncate(base);
        result
    }
}

/// Arithmetic and comparison; none if the result is out of range or divided by zero.
fn arithmetic(op: BinaryOp, a: i64, b: i64) -> Option<Value> {
    Some(match op {
        BinaryOp::Add => Value::Int(a.checked_add(b)?),
        BinaryOp::Subtract => Value::Int(a.checked_sub(b)?),
        BinaryOp::Multiply => Value::Int(a.checked_mul(b)?),
        // Rounding down, so that the remainder has the sign of the divisor.
        BinaryOp::Divide => Value::Int(floor_divide(a, b)?),
        BinaryOp::Modulo => Value::Int(a.checked_sub(floor_divide(a, b)?.checked_mul(b)?)?),
        BinaryOp::Equal => Value::Bool(a == b),
        BinaryOp::NotEqual => Value::Bool(a != b),
        BinaryOp::Less => Value::Bool(a < b),
        BinaryOp::AtMost => Value::Bool(a <= b),
        BinaryOp::More => Value::Bool(a > b),
        BinaryOp::AtLeast => Value::Bool(a >= b),
        BinaryOp::And | BinaryOp::Or | BinaryOp::Concat => return None,
    })
}

fn floor_divide(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    let is_inexact = quotient.checked_mul(b)? != a;
    Some(quotient - i64::from(is_inexact && (a < 0) != (b < 0)))
}

/// The start of the first text, where there is nothing better to point at.
fn top_span() -> Span {
    Span::new(base::SourceId::new(0), 0..0)
}
