//! Calls: functions applied to arguments.
//!
//! A function waits until it has all its lists of arguments. One that gives a process is not run:
//! the call is put off. Any other is run; a call in the last place of its body is handed back, so
//! that loops take no stack.

use super::code::ExprCode;
use super::fault::Result;
use super::machine::Evaluator;
use crate::value::{FnId, Function, Value};
use base::Span;
use std::sync::Arc;

/// What a call comes to: a value, or another call in its last place.
enum CallResult {
    Value(Value),
    Call(Arc<Function>, Vec<Value>, Span),
}

impl<'p> Evaluator<'p> {
    /// The function of a call and its arguments, put off.
    pub fn prepare(
        &mut self,
        function: &'p ExprCode,
        arguments: &'p [ExprCode],
        base: usize,
        span: Span,
    ) -> Result<(Arc<Function>, Vec<Value>)> {
        let function = match self.eval(function, base)? {
            Value::Function(function) => function,
            other => return self.fault(span, format!("{} is no function", self.shown(&other))),
        };
        Ok((function, self.delay_all(arguments, base)?))
    }

    /// A function applied to arguments.
    pub fn call(
        &mut self,
        function: Arc<Function>,
        arguments: Vec<Value>,
        span: Span,
    ) -> Result<Value> {
        let (mut function, mut arguments, mut at) = (function, arguments, span);
        loop {
            match self.with_room(|machine| machine.call_once(&function, arguments, at))? {
                CallResult::Value(value) => return Ok(value),
                CallResult::Call(next, given, span) => {
                    (function, arguments, at) = (next, given, span)
                }
            }
        }
    }

    fn call_once(
        &mut self,
        function: &Arc<Function>,
        arguments: Vec<Value>,
        span: Span,
    ) -> Result<CallResult> {
        self.state.at = span;
        self.state.n_calls_left = self.state.n_calls_left.saturating_sub(1);
        if self.state.n_calls_left == 0 {
            return self.fault(span, "the limit on calls is reached");
        }
        let (code, captured, given) = match &**function {
            Function::Closure {
                code,
                captured,
                given,
            } => (*code, captured, given),
            Function::BuiltIn(which) => {
                return self
                    .call_built_in(*which, arguments, span)
                    .map(CallResult::Value);
            }
            Function::Image(map) => {
                let set = self.image(map, arguments, span)?;
                return Ok(CallResult::Value(Value::Set(set)));
            }
        };
        let program = self.program;
        let body = &program.functions[code.index()];
        let all = match self.collect_lists(code, given, arguments, span)? {
            Ok(all) => all,
            Err(given) => {
                return Ok(CallResult::Value(Value::Function(Arc::new(
                    Function::Closure {
                        code,
                        captured: captured.clone(),
                        given,
                    },
                ))));
            }
        };
        if body.is_process {
            return self
                .process_call(code, captured, all)
                .map(Value::Process)
                .map(CallResult::Value);
        }
        self.run_function(code, captured, all, span)
    }

    /// The arguments of all lists, or what was given so far if a list is missing.
    fn collect_lists(
        &mut self,
        code: FnId,
        given: &Arc<[Value]>,
        arguments: Vec<Value>,
        span: Span,
    ) -> Result<std::result::Result<Vec<Value>, Arc<[Value]>>> {
        let body = &self.program.functions[code.index()];
        if *body.lists == [arguments.len()] && given.is_empty() {
            return Ok(Ok(arguments));
        }
        let mut n_before = 0;
        let mut lists = body.lists.iter();
        let mut next = lists.next();
        // Lists are told apart by length alone; a list of none is only ever the whole call.
        while n_before < given.len() {
            n_before += next.copied().unwrap_or(1);
            next = lists.next();
        }
        if next != Some(&arguments.len()) {
            let (name, n) = (&body.name, next.copied().unwrap_or(0));
            let words = format!(
                "`{name}` takes {n} arguments here and is given {}",
                arguments.len()
            );
            return self.fault(span, words);
        }
        let is_last = lists.next().is_none();
        let all: Vec<Value> = given.iter().cloned().chain(arguments).collect();
        Ok(if is_last { Ok(all) } else { Err(all.into()) })
    }

    /// Runs the body of a function up to a value or a call in its last place.
    fn run_function(
        &mut self,
        code: FnId,
        captured: &[Value],
        arguments: Vec<Value>,
        span: Span,
    ) -> Result<CallResult> {
        let program = self.program;
        let body = &program.functions[code.index()];
        let base = self.state.stack.len();
        let n_arguments = arguments.len();
        self.state.stack.extend(arguments);
        self.state
            .stack
            .resize(base + body.n_slots, Value::nothing());
        for (slot, value) in body.own.iter().zip(captured) {
            self.state.stack[base + *slot as usize] = value.clone();
        }
        let result = self.run_clauses(code, n_arguments, base, span);
        self.state.stack.truncate(base);
        result.map_err(|fault| fault.called(span, &body.name))
    }

    fn run_clauses(&mut self, code: FnId, n: usize, base: usize, span: Span) -> Result<CallResult> {
        let program = self.program;
        let body = &program.functions[code.index()];
        for clause in &body.clauses {
            let mut fits = true;
            for (i, pattern) in clause.patterns.iter().enumerate() {
                let value = self.state.stack[base + i].clone();
                if !self.matches(pattern, value, base)? {
                    fits = false;
                    break;
                }
            }
            if fits {
                return self.eval_last(&clause.body, base);
            }
        }
        let arguments: Vec<Value> = self.state.stack[base..base + n].to_vec();
        let shown: Vec<String> = arguments.iter().map(|v| self.shown(v)).collect();
        let words = format!("no equation of `{}` fits ({})", body.name, shown.join(", "));
        self.fault(span, words)
    }

    /// Evaluates in the last place of a body: a call there is handed back.
    fn eval_last(&mut self, code: &'p ExprCode, base: usize) -> Result<CallResult> {
        match code {
            ExprCode::If(parts, span) => {
                let (condition, yes, no) = &**parts;
                let branch = if self.eval_bool(condition, base, *span)? {
                    yes
                } else {
                    no
                };
                self.eval_last(branch, base)
            }
            ExprCode::Let(steps, body) => {
                self.take_steps(steps, base)?;
                self.eval_last(body, base)
            }
            ExprCode::Apply(function, arguments, span) => {
                let (function, arguments) = self.prepare(function, arguments, base, *span)?;
                Ok(CallResult::Call(function, arguments, *span))
            }
            _ => self.eval(code, base).map(CallResult::Value),
        }
    }

    /// Evaluates the body of a call of a process.
    pub(crate) fn run_process(
        &mut self,
        code: FnId,
        captured: &[Value],
        arguments: &[Value],
    ) -> Result<Value> {
        let span = self.state.at;
        let outcome = self
            .with_room(|machine| machine.run_function(code, captured, arguments.to_vec(), span))?;
        match outcome {
            CallResult::Value(value) => self.force(value),
            CallResult::Call(function, arguments, span) => self.call(function, arguments, span),
        }
    }
}
