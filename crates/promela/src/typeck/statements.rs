//! Statements.

use super::Checker;
use super::declare::{StorageKind, Where, contains_run};
use super::messages::ChannelUse;
use super::references::{Arrays, ReferenceMeaning};
use crate::ast::{self, Binary, Reference};
use crate::place::Place;
use crate::typed::{
    Access, Expr, ExprKind, Initial, Predefined, ProcessKind, ProcessPart, Sequence, Stmt,
    StmtKind, Target, Type, Value,
};
use base::quote;
use std::collections::HashMap;

impl Checker<'_> {
    /// Statements in order; those with errors are left out.
    pub(super) fn sequence(&mut self, sequence: ast::Sequence) -> Sequence {
        let mut statements = Vec::new();
        let mut waiting = sequence.statements.into_iter().peekable();
        while let Some(mut statement) = waiting.next() {
            let next = waiting.peek();
            if let Some(joined) = next.and_then(|next| self.joined(&statement, next)) {
                statement = joined;
                waiting.next();
            }
            self.statement(statement, &mut statements);
        }
        let place = sequence.place;
        Sequence { statements, place }
    }

    /// Statements in a scope of their own.
    fn block(&mut self, sequence: ast::Sequence) -> Sequence {
        self.body.at_start = false;
        self.body.n_blocks += 1;
        self.body.path.push(self.body.n_blocks);
        self.body.scopes.push(HashMap::new());
        let block = self.sequence(sequence);
        self.body.scopes.pop();
        self.body.path.pop();
        block
    }

    fn statement(&mut self, statement: ast::Stmt, out: &mut Vec<Stmt>) {
        let place = statement.place;
        if let ast::StmtKind::Declare(declaration) = statement.kind {
            self.declare_local(declaration, place, out);
            return;
        }
        let labels = self.labels(statement.labels);
        let exclusive = matches!(statement.kind, ast::StmtKind::Exclusive(..));
        self.check_event(&statement.kind, place);
        let chooses = may_choose(&statement.kind);
        self.body.choices = chooses.then(Vec::new);
        let kind = self.statement_kind(statement.kind, place);
        let choices = self.body.choices.take().unwrap_or_default();
        let kind = kind.and_then(|kind| self.spread_choices(kind, &choices, place));
        if !exclusive {
            self.body.at_start = false;
        }
        if let Some(kind) = kind {
            out.push(Stmt {
                labels,
                kind,
                place,
            });
        }
    }

    fn declare_local(&mut self, declaration: ast::Declaration, place: Place, out: &mut Vec<Stmt>) {
        let process = self.body.process.expect("inside a process");
        let at_start = self.body.at_start;
        if declaration.visibility == Some(ast::Visibility::Public) {
            self.declare_public(&declaration, place);
            return;
        }
        if self.body.kind == Some(ProcessKind::Never) {
            self.error(place, "a never claim cannot have variables");
        }
        for id in self.declare_named(declaration, Where::Local(process)) {
            self.body.locals.push(id);
            self.body.order.push(ProcessPart::Own(id));
            if at_start {
                continue;
            }
            self.check_late(id);
            let variable = self.variable(id);
            if let Initial::Channel(_) = variable.initial {
                let name = quote(&variable.name.text);
                let at = variable.name.place;
                let message = format!("the channel {name} is made after the first statement");
                let error = self.origins.error(at, message);
                self.report(error.note("declare it at the start of the process, outside blocks"));
            }
            out.push(Stmt {
                labels: Vec::new(),
                kind: StmtKind::Initialise(id),
                place,
            });
        }
    }

    /// Claims do not act, and traces list sends and receives only.
    fn check_event(&mut self, kind: &ast::StmtKind, place: Place) {
        use ast::StmtKind as S;
        match self.body.kind {
            Some(ProcessKind::Never) => match kind {
                S::Send(_) | S::Receive(_) => {
                    self.error(place, "a never claim can neither send nor receive");
                }
                S::Assign(..) | S::Increment(_) | S::Decrement(_) => {
                    self.warn(place, "a never claim should not change the state");
                }
                _ => {}
            },
            Some(ProcessKind::Trace | ProcessKind::NoTrace) => {
                let event = match kind {
                    S::Send(send) => !send.sorted,
                    S::Receive(receive) => !receive.random && !receive.keep,
                    S::If(_) | S::Do(_) | S::Break | S::Goto(_) => true,
                    _ => false,
                };
                if !event {
                    self.error(place, "a trace lists sends `c!…` and receives `c?…` only");
                }
            }
            _ => {}
        }
    }

    fn statement_kind(&mut self, kind: ast::StmtKind, place: Place) -> Option<StmtKind> {
        use ast::StmtKind as S;
        Some(match kind {
            S::Declare(_) => unreachable!("declarations are not statements here"),
            S::Exclusive(which, channels) => {
                let all: Vec<Option<Access>> = channels.iter().map(|c| self.exclusive(c)).collect();
                StmtKind::Exclusive(which, all.into_iter().collect::<Option<_>>()?)
            }
            S::Unless(main, escape) => self.unless(*main, *escape, place)?,
            S::Assign(reference, value) => self.assign(&reference, value)?,
            S::Increment(reference) => self.step_by(&reference, Binary::Add, place)?,
            S::Decrement(reference) => self.step_by(&reference, Binary::Subtract, place)?,
            S::SetPriority(process, priority) => {
                let (process, priority) = (self.value(process), self.value(priority));
                self.note_identity("the priority of a process by its number", place);
                StmtKind::SetPriority(process?, priority?)
            }
            S::Print(format, arguments) => {
                let all = arguments.into_iter();
                let all: Vec<Option<Expr>> = all.map(|a| self.tested(a, Checker::term)).collect();
                let arguments: Vec<Expr> = all.into_iter().collect::<Option<_>>()?;
                self.check_format(&format, arguments.len(), place);
                StmtKind::Print(format, arguments)
            }
            S::PrintName(value) => StmtKind::PrintName(self.value(value)?),
            S::Assert(condition) => StmtKind::Assert(self.test(condition)?),
            S::Send(send) => StmtKind::Send(self.send(send, place)?),
            S::Receive(receive) => {
                StmtKind::Receive(self.receive(receive, ChannelUse::Acted, place)?)
            }
            S::Condition(condition) => {
                let alone = matches!(condition.kind, ast::ExprKind::Run(..));
                if !alone && contains_run(&condition) {
                    self.error(place, "`run` cannot be part of a larger condition");
                    return None;
                }
                let condition = self.test(condition)?;
                self.warn_if_no_condition(&condition);
                StmtKind::Condition(condition)
            }
            S::Else => StmtKind::Else,
            S::Atomic(inner) => {
                self.body.n_atomic += 1;
                let inner = self.block(inner);
                self.body.n_atomic -= 1;
                StmtKind::Atomic(inner)
            }
            S::DStep(inner) => StmtKind::DStep(self.d_step(inner)),
            S::Block(inner) => StmtKind::Block(self.block(inner)),
            S::If(options) => StmtKind::If(self.options(options)),
            S::Do(options) => StmtKind::Do(self.looped(options)),
            S::For(variable, low, high, body) => {
                return self.for_counted(&variable, [low, high], body, place);
            }
            S::ForIn(variable, over, body) => match self.scalarset_of(&over) {
                Some(sort) => {
                    let counter = self.counter(&variable);
                    self.for_members(counter, sort, body, place)?
                }
                None => self.for_in(&variable, &over, body, place)?,
            },
            S::Select(form, variable, low, high) => self.select(form, &variable, low, high)?,
            S::Break => self.break_out(place)?,
            S::Goto(name) => self.goto(name),
        })
    }

    fn unless(&mut self, main: ast::Stmt, escape: ast::Stmt, place: Place) -> Option<StmtKind> {
        if self.body.d_step.is_some() {
            let message = "`unless` is ignored in a `d_step`: nothing interrupts it";
            self.warn(place, message);
        }
        let (main, escape) = (self.single(main), self.single(escape));
        Some(StmtKind::Unless(Box::new(main?), Box::new(escape?)))
    }

    /// The options of a loop.
    fn looped(&mut self, options: Vec<ast::Sequence>) -> Vec<Sequence> {
        self.body.loops.push(self.body.d_step);
        let options = self.options(options);
        self.body.loops.pop();
        options
    }

    /// A statement that stands alone, as the parts of `unless` do.
    fn single(&mut self, statement: ast::Stmt) -> Option<Stmt> {
        let mut out = Vec::new();
        self.statement(statement, &mut out);
        out.pop()
    }

    fn exclusive(&mut self, channel: &Reference) -> Option<Access> {
        match self.meaning(channel, Arrays::Whole)? {
            ReferenceMeaning::Access(access)
                if matches!(access.kind, Type::Chan | Type::Record(_)) =>
            {
                Some(access)
            }
            _ => {
                let name = quote(&channel.parts[0].name.text);
                self.error(channel.place, format!("{name} is no channel"));
                None
            }
        }
    }

    fn assign(&mut self, reference: &Reference, value: ast::Expr) -> Option<StmtKind> {
        let target = self.target(reference);
        let value = self.any_value(value);
        let (target, value) = (target?, value?);
        if let Target::Priority = target {
            self.check_member(Type::Int, &value)?;
        }
        if let Target::Access(access) = &target {
            let into = if access.fields.is_empty() {
                StorageKind::Variable
            } else {
                StorageKind::Field
            };
            self.check_stored(access.kind, &value, into)?;
            self.check_self_index(access)?;
            if access.kind == Type::Chan && value.value == Value::Channel {
                let (to, from) = (self.access_flow(access), self.flow(&value));
                self.channels.unify(to, from, value.place);
            }
        }
        Some(StmtKind::Assign(target, value))
    }

    /// SPIN refuses `a[a[i]] = …`, because its generated code would read the new value.
    fn check_self_index(&mut self, target: &Access) -> Option<()> {
        // Public variables of one process type are one array here, but not to the modeller.
        if self.variable(target.variable).index_sort.is_some() && !target.fields.is_empty() {
            return Some(());
        }
        let mut index = target.index.as_deref();
        while let Some(Expr {
            kind: ExprKind::Read(inner),
            place,
            ..
        }) = index
        {
            if inner.variable == target.variable {
                let place = *place;
                self.error(
                    place,
                    "an array that is assigned to cannot be indexed by itself",
                );
                return None;
            }
            index = inner.index.as_deref();
        }
        Some(())
    }

    /// `x++` and `x--`
    fn step_by(&mut self, reference: &Reference, by: Binary, place: Place) -> Option<StmtKind> {
        let target = self.target(reference)?;
        let (kind, value) = match &target {
            Target::Access(access) if access.kind == Type::Chan => {
                self.error(place, "a channel cannot be counted up or down");
                return None;
            }
            Target::Access(access) if matches!(access.kind, Type::Member(_)) => {
                self.no_arithmetic(super::expressions::value_of(access.kind), place);
                return None;
            }
            Target::Access(access) => {
                let value = super::expressions::value_of(access.kind);
                (ExprKind::Read(access.clone()), value)
            }
            Target::Priority => (ExprKind::Predefined(Predefined::Priority), Value::Number),
            Target::Nothing => {
                self.error(place, "`_` has no value; it can be written to only");
                return None;
            }
        };
        let read = Expr { kind, value, place };
        let one = Expr {
            kind: ExprKind::Number(1),
            value: Value::Number,
            place,
        };
        let sum = Expr {
            kind: ExprKind::Binary(by, Box::new(read), Box::new(one)),
            value: Value::Number,
            place,
        };
        Some(StmtKind::Assign(target, sum))
    }

    /// A format needs as many values as it has conversions; SPIN does not check it.
    fn check_format(&mut self, format: &str, n_arguments: usize, place: Place) {
        let mut n = 0;
        let mut letters = format.chars();
        while let Some(c) = letters.next() {
            if c == '%' && letters.next() != Some('%') {
                n += 1;
            }
        }
        if n != n_arguments {
            let message = format!("the format asks for {n} values, here are {n_arguments}");
            self.warn(place, message);
        }
    }

    /// The body of a `d_step`. SPIN says that it ignores `unless` in there, which it does inside
    /// blocks and options; where the `d_step` begins with one, it leaves out what follows.
    fn d_step(&mut self, mut inner: ast::Sequence) -> Sequence {
        let outer = self.body.d_step;
        self.body.n_d_steps += 1;
        if outer.is_none() {
            self.body.d_step = Some(self.body.n_d_steps);
        }
        let is_escape = |s: &ast::Stmt| matches!(s.kind, ast::StmtKind::Unless(..));
        if let Some(escape) = inner.statements.iter().find(|s| is_escape(s)) {
            self.error(escape.place, "`unless` cannot stand in a `d_step`");
            inner.statements.retain(|s| !is_escape(s));
        }
        self.body.n_atomic += 1;
        let block = self.block(inner);
        self.body.n_atomic -= 1;
        self.body.d_step = outer;
        block
    }

    fn options(&mut self, options: Vec<ast::Sequence>) -> Vec<Sequence> {
        let mut first_else: Option<Place> = None;
        let mut first_message = None;
        for option in &options {
            let Some(first) = option.statements.first() else {
                continue;
            };
            let met = match &first.kind {
                ast::StmtKind::Else => {
                    let other = *first_else.get_or_insert(first.place);
                    if other != first.place {
                        let message = "there can be one `else` only".to_owned();
                        self.error_beside(first.place, message, other, "the first");
                    }
                    continue;
                }
                ast::StmtKind::Send(_) | ast::StmtKind::Receive(_) => {
                    "`else` beside a send or receive: it is taken when no message can go"
                }
                // Others may fill or empty the channel at any time.
                ast::StmtKind::Condition(e) if e.probe => {
                    "`else` beside a look at a channel that is full or empty at times"
                }
                _ => continue,
            };
            first_message.get_or_insert((first.place, met));
        }
        if let (Some(place), Some((other, message))) = (first_else, first_message) {
            let other = self.origins.outermost(other).span;
            let warning = self.origins.warning(place, message).and(other, "this one");
            self.found.push(warning);
        }
        self.body.at_start = false;
        options.into_iter().map(|o| self.sequence(o)).collect()
    }

    /// The variable of a `for` or `select`: a plain one, no element and no field.
    fn counter(&mut self, reference: &Reference) -> Option<Access> {
        let access = self.scalar(reference)?;
        if access.index.is_some() || !access.fields.is_empty() {
            self.error(reference.place, "a plain variable is needed to count with");
            return None;
        }
        Some(access)
    }

    /// `for (x : a .. b)`
    fn for_counted(
        &mut self,
        variable: &Reference,
        bounds: [ast::Expr; 2],
        body: ast::Sequence,
        place: Place,
    ) -> Option<StmtKind> {
        let variable = self.counter(variable);
        if let Some(counter) = self.member_counter(variable.as_ref()) {
            return self.for_range(counter, bounds, body, place);
        }
        let [low, high] = bounds;
        self.check_range(&low, &high);
        let (low, high) = (self.value(low), self.value(high));
        let body = self.loop_body(body);
        Some(StmtKind::For(variable?, low?, high?, body))
    }

    /// `select (x : a .. b)`
    fn select(
        &mut self,
        form: ast::SelectForm,
        variable: &Reference,
        low: ast::Expr,
        high: ast::Expr,
    ) -> Option<StmtKind> {
        let variable = self.counter(variable);
        if let Some(counter) = self.member_counter(variable.as_ref()) {
            let message = "references and members are not selected by number";
            let error = self.origins.error(counter.place, message);
            self.report(error.note("`anyRef(…)` chooses one of them"));
            return None;
        }
        self.check_range(&low, &high);
        let (low, high) = (self.value(low), self.value(high));
        Some(StmtKind::Select(form, variable?, low?, high?))
    }

    /// A range that is written with constants must not be empty.
    fn check_range(&mut self, low: &ast::Expr, high: &ast::Expr) {
        let (Some(first), Some(last)) = (self.literal(low), self.literal(high)) else {
            return;
        };
        if first > last {
            let place = self.origins.join(low.place, high.place);
            self.error(place, format!("the range from {first} to {last} is empty"));
        }
    }

    pub(super) fn loop_body(&mut self, body: ast::Sequence) -> Sequence {
        self.body.loops.push(self.body.d_step);
        let body = self.block(body);
        self.body.loops.pop();
        body
    }

    /// `for (i in array)`, or `for (record in channel)`.
    fn for_in(
        &mut self,
        variable: &Reference,
        over: &Reference,
        body: ast::Sequence,
        place: Place,
    ) -> Option<StmtKind> {
        let over_meaning = self.meaning(over, Arrays::Whole);
        let variable_meaning = self.meaning(variable, Arrays::Indexed);
        if let (Some(ReferenceMeaning::Access(over)), Some(ReferenceMeaning::Access(counter))) =
            (&over_meaning, &variable_meaning)
            && let Some(sort) = self.indices_of(over)
        {
            let counter = counter.clone();
            return self.for_members(Some(counter), sort, body, place);
        }
        let body = self.loop_body(body);
        let (ReferenceMeaning::Access(over_access), ReferenceMeaning::Access(counter)) =
            (over_meaning?, variable_meaning?)
        else {
            self.error(over.place, "`for (… in …)` needs variables");
            return None;
        };
        let simple = over_access.index.is_none() && over_access.fields.is_empty();
        let is_array = simple && self.variable(over_access.variable).size.is_some();
        let plain = counter.index.is_none() && counter.fields.is_empty();
        match (is_array, over_access.kind, counter.kind) {
            (false, Type::Chan, Type::Record(_)) if plain => {
                let mut fields = Vec::new();
                self.spread(counter.clone(), &mut fields)?;
                let flows: Vec<_> = fields.iter().map(|f| self.access_flow(f)).collect();
                let channel = self.access_flow(&over_access);
                self.channels.message(channel, &flows, over.place);
                Some(StmtKind::ForChannel(counter, over_access, body))
            }
            (true, _, kind)
                if plain && !matches!(kind, Type::Record(_) | Type::Chan | Type::Member(_)) =>
            {
                Some(StmtKind::ForArray(counter, over_access.variable, body))
            }
            _ => {
                let message = "this needs an array and a number, or a channel and a record";
                self.error(over.place, message);
                None
            }
        }
    }

    fn break_out(&mut self, place: Place) -> Option<StmtKind> {
        match self.body.loops.last() {
            None => {
                self.error(place, "`break` stands outside of every loop");
                None
            }
            Some(outside) if *outside != self.body.d_step => {
                self.error(place, "`break` cannot leave a `d_step`");
                None
            }
            Some(_) => Some(StmtKind::Break),
        }
    }
}

/// Whether `anyRef` can stand in such a statement.
fn may_choose(kind: &ast::StmtKind) -> bool {
    use ast::StmtKind as S;
    matches!(
        kind,
        S::Assign(..)
            | S::Increment(_)
            | S::Decrement(_)
            | S::Send(_)
            | S::Receive(_)
            | S::Condition(_)
    )
}
