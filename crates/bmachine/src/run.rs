//! Running a machine: valuations of its constants, initial states, and what its operations make of
//! a state.
//!
//! A [`Program`] is a machine whose given sets have sizes, compiled once: predicates have their
//! plans, substitutions their code. It is asked by many threads at once.
//!
//! The parameters of an operation are solved together with all that it starts with: its
//! precondition, the guards of `SELECT` and `ANY` that follow. So typing predicates bound them, and
//! `x = y + 1` costs one candidate. For each solution the rest is executed in all ways
//! ([`execute`]). Outcomes that agree in arguments, results and the new state are one event.
//!
//! Constants with infinite values, such as `%x.(x : NATURAL | x * x)`, are not part of states: they
//! follow from the others, and [`Program::complete`] computes them again.

pub(crate) mod evaluated;
pub mod execute;
pub(crate) mod explain;
pub(crate) mod given;
pub(crate) mod members;
mod named;
pub mod sizes;
mod starts;
pub(crate) mod subst;
pub(crate) mod watch;

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use base::{Diagnostic, Span};
use model::values::{Field, Signature, Sort};

use crate::cells::ExchangeClasses;
use crate::eval::code::{Pr, Storage};
use crate::eval::compile::Compiler;
use crate::eval::deadline::Deadline;
use crate::eval::list::{EnumerationFlow, GO_ON};
use crate::eval::{Context, Eval, Fault, Trouble, TroubleKind, World};
use crate::solve::{self, ConstraintProblem, Unknown};
use crate::typed::{self, OperationId, SubstKind};
use crate::value::{Set, Value};
pub use execute::Wrong;
use execute::{Called, Executor, Writes, Wrongs, leniently};
use subst::{Leading, Sub, Substitutions};

/// What a machine is run with.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// How many members each given set has, by [`typed::SortId`].
    pub sizes: Vec<usize>,
    /// `MAXINT`.
    pub maxint: i64,
    /// `MININT`.
    pub minint: i64,
    /// How many candidates may be tried for one answer.
    pub work_max: u64,
    /// How long one answer may take.
    pub deadline: Arc<Deadline>,
}

/// Which valuations of the constants are set up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChosenSetups {
    /// All of them.
    All,
    /// At least one of those that differ in the names of elements of deferred sets only, as ProB
    /// sets up constants ([`named`]).
    Named,
}

/// How much of what was asked for has been given.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Extent {
    /// Why not all of it, if so.
    pub cut: Option<Trouble>,
    /// The ways that went wrong or were given up; all others have been given.
    pub wrong: Vec<Wrong>,
    /// What was undefined in guards, and hence taken to be false.
    pub undefined: Vec<Trouble>,
}

impl Extent {
    /// Whether all of it has been given, and nothing went wrong.
    pub fn is_complete(&self) -> bool {
        self.cut.is_none() && self.wrong.is_empty()
    }

    /// The same, or the first thing that went wrong.
    pub fn sound(self) -> Result<Extent, Trouble> {
        match self.wrong.into_iter().next() {
            Some(wrong) => Err(wrong.trouble),
            None => Ok(Extent {
                wrong: Vec::new(),
                ..self
            }),
        }
    }
}

/// One way to take an operation.
#[derive(Clone, Copy, Debug)]
pub struct Execution<'e> {
    /// By parameter.
    pub arguments: &'e [Value],
    /// By variable of the `ANY` that it starts with, if these tell transitions apart.
    pub choices: &'e [Value],
    /// By result.
    pub results: &'e [Value],
    /// Constants and variables afterwards.
    pub globals: &'e [Value],
}

/// A machine that can be run.
pub struct Program {
    machine: typed::Machine,
    signature: Signature,
    world: World,
    work_max: u64,
    n_slots: usize,
    /// What constants must satisfy.
    properties: ConstraintProblem,
    /// The same and what names elements of deferred sets, if there is such.
    named: Option<ConstraintProblem>,
    /// The elements that are named so.
    naming: Vec<(typed::SortId, usize)>,
    /// The same as the properties, for those that are not in states.
    derived: Option<ConstraintProblem>,
    /// By constant: whether states hold it.
    is_stored: Vec<bool>,
    initialisation: Sub,
    called_initially: Vec<Called>,
    operations: Vec<Operation>,
    called: Vec<Called>,
    invariant: Vec<Pr>,
    assertions: Vec<Pr>,
    gluing: Vec<Pr>,
    goal: Option<Pr>,
    /// By formula of the machine: its atoms.
    watches: Vec<Vec<watch::CompiledAtom>>,
    /// By formula of the machine: to what runs have to be fair.
    owed: Vec<Vec<watch::Owed>>,
}

/// An operation as it is taken from outside.
struct Operation {
    name: String,
    /// Parameters first.
    problem: ConstraintProblem,
    /// The same, where the parameters have values.
    given: ConstraintProblem,
    /// The arguments that the precondition allows.
    calls: ConstraintProblem,
    parameters: Vec<Unknown>,
    /// Variables whose values tell transitions apart.
    choices: Vec<Unknown>,
    results: Vec<Unknown>,
    rest: Sub,
    /// Whether two outcomes may be the same.
    may_repeat: bool,
    span: Span,
}

/// Where the execution of an operation starts.
enum EntryPoint<'p> {
    /// With what it starts with: preconditions are guards.
    Guards(&'p ConstraintProblem),
    /// With the whole body: preconditions must hold.
    Body(&'p Sub),
}

impl Program {
    /// The machine, made ready.
    pub fn new(machine: typed::Machine, options: &RunOptions) -> Result<Program, Vec<Diagnostic>> {
        let machine = members::written_out(machine, &options.sizes);
        let world = World {
            carriers: carriers(&machine, options)?,
            maxint: options.maxint,
            minint: options.minint,
            deadline: Arc::clone(&options.deadline),
        };
        let mut compiler = Compiler::new(&machine, &world);
        let n_slots = compiler.n_slots();
        let n_constants = machine.n_constants;
        compiler.seek(0..n_constants);
        let conjuncts = compiler.conjuncts(&machine.properties, true);
        let unknowns: Vec<Unknown> = (0..n_constants)
            .map(|c| compiler.unknown_global(c))
            .collect();
        let span = machine.initialisation.span;
        let naming = naming(&machine, options);
        let named = (!naming.is_empty()).then(|| {
            let mut conjuncts = conjuncts.clone();
            conjuncts.extend(compiler.conjuncts(&naming, true));
            ConstraintProblem::new(unknowns.clone(), conjuncts, span, &world)
        });
        let properties = ConstraintProblem::new(unknowns, conjuncts, span, &world);
        compiler.seek(n_constants..machine.globals.len());
        let called_initially = called(&mut compiler, &machine);
        let initialisation = Substitutions {
            compiler: &mut compiler,
            machine: &machine,
        }
        .subst(&machine.initialisation);
        compiler.seek(0..0);
        let called = called(&mut compiler, &machine);
        let prepared = |operation| prepare(operation, &mut compiler, &machine, &world);
        let operations = machine.operations.iter().map(prepared).collect();
        let mut all = |preds: &[typed::Pred]| -> Vec<Pr> {
            preds.iter().map(|p| compiler.pred(p, true)).collect()
        };
        let invariant = all(&machine.invariant);
        let assertions = all(&machine.assertions);
        let gluing = all(&machine.gluing);
        let goal = machine.goal.as_ref().map(|p| compiler.pred(p, true));
        let (watches, owed) = watch::all(&machine, &mut compiler);
        let mut program = Program {
            signature: Signature::default(),
            work_max: options.work_max,
            n_slots,
            properties,
            naming: named::elements(&naming),
            named,
            derived: None,
            is_stored: vec![true; n_constants],
            initialisation,
            called_initially,
            operations,
            called,
            invariant,
            assertions,
            gluing,
            goal,
            watches,
            owed,
            world,
            machine,
        };
        program.leave_out_infinite();
        program.signature = program.make_signature(options);
        Ok(program)
    }

    /// What states are made of. Constants with infinite values are not.
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// The machine.
    pub fn machine(&self) -> &typed::Machine {
        &self.machine
    }

    /// Whether setting up is a step of its own, as ProB counts: there are constants, or properties
    /// of the sizes of given sets.
    pub fn has_setup(&self) -> bool {
        self.machine.n_constants > 0 || sizes::speaks_of_sizes(&self.machine)
    }

    /// By constant: whether states hold it.
    pub fn is_stored(&self) -> &[bool] {
        &self.is_stored
    }

    /// All constants, given those that states hold.
    pub fn complete(&self, stored: &[Value]) -> Result<Vec<Value>, Trouble> {
        let Some(derived) = &self.derived else {
            return Ok(stored.to_vec());
        };
        let mut context = self.context(Vec::new());
        let mut stored = stored.iter();
        for (unknown, is_stored) in self.properties.unknowns.iter().zip(&self.is_stored) {
            if *is_stored {
                context.frame[unknown.slot] = stored.next().cloned();
            }
        }
        let mut found = None;
        let flow = solve::each(&mut context, derived, &mut |context| {
            found = Some(self.constants_in(context));
            Ok(ControlFlow::Break(()))
        });
        let _ = flow.map_err(|fault| self.trouble(fault))?;
        found.ok_or_else(|| Trouble {
            kind: TroubleKind::NoValue("a constant".to_owned()),
            span: derived.span,
        })
    }

    /// `MININT` and `MAXINT`.
    pub fn numbers(&self) -> (i64, i64) {
        (self.world.minint, self.world.maxint)
    }

    /// How long its answers may take.
    pub fn deadline(&self) -> &Deadline {
        &self.world.deadline
    }

    /// Whether [`ChosenSetups::Named`] may be fewer than all.
    pub fn has_names(&self) -> bool {
        self.named.is_some()
    }

    /// Calls `out` with each way to take an operation in a state.
    pub fn events(
        &self,
        operation: OperationId,
        globals: &[Value],
        out: &mut dyn FnMut(Execution) -> ControlFlow<()>,
    ) -> Extent {
        self.events_up_to(operation, None, globals, out)
    }

    /// The same for one way at least of those that exchanges within cells make of each other.
    ///
    /// # Requires
    /// The exchanges fix the state.
    pub(crate) fn events_up_to(
        &self,
        operation: OperationId,
        cells: Option<&Arc<ExchangeClasses>>,
        globals: &[Value],
        out: &mut dyn FnMut(Execution) -> ControlFlow<()>,
    ) -> Extent {
        let operation = &self.operations[operation.index()];
        let mut context = self.context(globals.to_vec());
        context.cells = cells.cloned();
        let from = EntryPoint::Guards(&operation.problem);
        self.outcomes(operation, from, context, globals, out)
    }

    /// Whether two ways to take an operation may differ in nothing but the state after them.
    pub(crate) fn may_repeat(&self, operation: OperationId) -> bool {
        self.operations[operation.index()].may_repeat
    }

    /// Whether ways to take an operation that exchanges make of each other can be counted from one
    /// of them: what tells them apart is simple.
    pub(crate) fn is_simple(&self, operation: OperationId, cells: &ExchangeClasses) -> bool {
        let operation = &self.operations[operation.index()];
        let parts = [
            &operation.parameters,
            &operation.choices,
            &operation.results,
        ];
        let mut types = parts.into_iter().flatten().map(|unknown| &unknown.ty);
        types.all(|ty| cells.is_simple(ty))
    }

    /// The variables of an operation whose values tell transitions apart besides its arguments.
    pub fn choices(&self, operation: OperationId) -> &[Unknown] {
        &self.operations[operation.index()].choices
    }

    /// Calls `out` with each outcome of an operation in a state.
    fn outcomes(
        &self,
        operation: &Operation,
        from: EntryPoint<'_>,
        mut context: Context<'_>,
        globals: &[Value],
        out: &mut dyn FnMut(Execution) -> ControlFlow<()>,
    ) -> Extent {
        let wrongs = Wrongs::new(&operation.parameters, &operation.choices, operation.span);
        let executor = Executor {
            called: &self.called,
            name: &operation.name,
            wrongs: &wrongs,
        };
        let mut found: HashSet<[Vec<Value>; 4]> = HashSet::new();
        let mut after = globals.to_vec();
        let mut tell = |context: &Context, writes: &Writes| -> Eval<EnumerationFlow> {
            let value = |unknown: &Unknown| context.frame[unknown.slot].clone();
            let arguments: Vec<Value> = operation.parameters.iter().filter_map(value).collect();
            let choices: Vec<Value> = operation.choices.iter().filter_map(value).collect();
            let results = results_of(operation, writes)?;
            for (place, value) in writes.iter() {
                if let Storage::Global(global) = place {
                    self.storable(*global, Some(value))?;
                }
            }
            for (place, value) in writes.iter() {
                if let Storage::Global(global) = place {
                    after[*global] = value.clone();
                }
            }
            let is_new = !operation.may_repeat
                || found.insert([
                    arguments.clone(),
                    choices.clone(),
                    results.clone(),
                    after.clone(),
                ]);
            let flow = if is_new {
                out(Execution {
                    arguments: &arguments,
                    choices: &choices,
                    results: &results,
                    globals: &after,
                })
            } else {
                GO_ON
            };
            for (place, _) in writes.iter() {
                if let Storage::Global(global) = place {
                    after[*global] = globals[*global].clone();
                }
            }
            Ok(flow)
        };
        let mut done = |context: &mut Context, writes: &mut Writes| {
            let flow = tell(context, writes);
            executor.caught(context, flow)
        };
        let flow = match from {
            EntryPoint::Guards(problem) => leniently(&mut context, problem, &mut |context| {
                executor.execute(context, &operation.rest, &mut Vec::new(), &mut done)
            }),
            EntryPoint::Body(body) => {
                executor.execute(&mut context, body, &mut Vec::new(), &mut done)
            }
        };
        extent(context, flow, wrongs)
    }

    /// Calls `out` with each conjunct of the invariant that does not hold, or is undefined.
    pub fn invariant(&self, globals: &[Value], out: &mut dyn FnMut(usize, Option<&Trouble>)) {
        self.ask(&self.invariant, globals, out);
    }

    /// Calls `out` with each assertion that does not hold, or is undefined.
    pub fn assertions(&self, globals: &[Value], out: &mut dyn FnMut(usize, Option<&Trouble>)) {
        self.ask(&self.assertions, globals, out);
    }

    /// Whether the goal holds; `None` if there is none.
    pub fn goal(&self, globals: &[Value]) -> Option<Result<bool, Trouble>> {
        let goal = self.goal.as_ref()?;
        let mut context = self.context(globals.to_vec());
        let holds = context.holds(goal).map_err(|fault| self.trouble(fault));
        Some(holds).filter(|holds| !is_lost(holds.as_ref().err()))
    }

    fn ask(&self, preds: &[Pr], globals: &[Value], out: &mut dyn FnMut(usize, Option<&Trouble>)) {
        let mut context = self.context(globals.to_vec());
        for (which, pred) in preds.iter().enumerate() {
            context.work = 0;
            match context.holds(pred) {
                Ok(true) => {}
                Ok(false) => out(which, None),
                Err(fault) => {
                    let trouble = self.trouble(fault);
                    if !is_lost(Some(&trouble)) {
                        out(which, Some(&trouble));
                    }
                }
            }
        }
    }

    /// How many constants and variables states hold; those that only a refined machine has come
    /// after them.
    fn n_globals(&self) -> usize {
        self.machine.globals.len() - self.machine.n_abstract
    }

    fn context(&self, globals: Vec<Value>) -> Context<'_> {
        let mut context = Context::new(&self.world, globals, self.n_slots);
        context.work_max = self.work_max;
        context
    }

    fn constants_in(&self, context: &Context) -> Vec<Value> {
        let unknowns = self.properties.unknowns.iter();
        unknowns
            .map(|unknown| context.frame[unknown.slot].clone().expect("solved"))
            .collect()
    }

    fn trouble(&self, fault: Fault) -> Trouble {
        match fault {
            Fault::Trouble(trouble) => *trouble,
            Fault::Unknown => Trouble {
                kind: TroubleKind::NoValue("a variable".to_owned()),
                span: self.machine.initialisation.span,
            },
        }
    }

    /// What a variable becomes, if states can hold it.
    fn storable(&self, global: usize, value: Option<&Value>) -> Eval<Value> {
        let global = &self.machine.globals[global];
        let name = || global.name.clone();
        match value {
            None => Err(Fault::new(TroubleKind::NoValue(name()), global.span)),
            Some(value) if has_symbolic(value) => {
                Err(Fault::new(TroubleKind::NotStorable(name()), global.span))
            }
            Some(value) => Ok(value.clone()),
        }
    }

    /// Finds the constants that have infinite values, by looking at the first valuation.
    fn leave_out_infinite(&mut self) {
        let mut context = self.context(Vec::new());
        let mut first = Vec::new();
        let flow = solve::each(&mut context, &self.properties, &mut |context| {
            first = self.constants_in(context);
            Ok(ControlFlow::Break(()))
        });
        // What goes wrong goes wrong again when valuations are asked for, and is said then.
        if flow.is_err() || !first.iter().any(has_symbolic) {
            return;
        }
        self.is_stored = first.iter().map(|value| !has_symbolic(value)).collect();
        let unknowns = self.properties.unknowns.iter().zip(&self.is_stored);
        let unknowns = unknowns.filter(|(_, is_stored)| !**is_stored);
        self.derived = Some(ConstraintProblem::new(
            unknowns.map(|(unknown, _)| unknown.clone()).collect(),
            self.properties.conjuncts.clone(),
            self.properties.span,
            &self.world,
        ));
    }

    fn make_signature(&self, options: &RunOptions) -> Signature {
        let sorts = self.machine.sorts.iter().zip(&options.sizes);
        let sorts = sorts.map(|(sort, size)| Sort {
            name: sort.name.clone(),
            members: match &sort.elements {
                Some(names) => names.clone(),
                None => (1..=*size).map(|n| format!("{}{n}", sort.name)).collect(),
            },
            is_named: sort.elements.is_some(),
        });
        let field = |global: &typed::Global| Field {
            name: global.name.clone(),
            ty: global.ty.clone(),
        };
        let globals = &self.machine.globals[..self.n_globals()];
        let (constants, variables) = globals.split_at(self.machine.n_constants);
        let constants = constants.iter().zip(&self.is_stored);
        let constants = constants.filter(|(_, is_stored)| **is_stored);
        Signature {
            sorts: sorts.collect(),
            constants: constants.map(|(global, _)| field(global)).collect(),
            variables: variables.iter().map(field).collect(),
        }
    }
}

/// What names elements of deferred sets where constants are set up as ProB does.
fn naming(machine: &typed::Machine, options: &RunOptions) -> Vec<typed::Pred> {
    if machine.settings.sets_up_all {
        return Vec::new();
    }
    named::conjuncts(machine, &options.sizes)
}

fn carriers(machine: &typed::Machine, options: &RunOptions) -> Result<Vec<Value>, Vec<Diagnostic>> {
    let mut carriers = Vec::new();
    let mut found = Vec::new();
    for (index, sort) in machine.sorts.iter().enumerate() {
        let size = options.sizes[index];
        if sort.elements.as_ref().is_some_and(|e| e.len() != size) {
            let message = format!(
                "the enumerated set `{}` cannot have {size} elements",
                sort.name
            );
            found.push(Diagnostic::error(sort.span, message));
        }
        let id = typed::SortId::new(index);
        let members = (0..size).map(|member| Value::member(id, member));
        carriers.push(Value::Set(Set::from_vec(members.collect())));
    }
    if found.is_empty() {
        Ok(carriers)
    } else {
        Err(found)
    }
}

fn called<'m>(compiler: &mut Compiler<'m>, machine: &'m typed::Machine) -> Vec<Called> {
    let operations = machine.operations.iter();
    let called = operations.map(|operation| Called {
        name: operation.name.clone(),
        parameters: operation.parameters.iter().map(|l| l.index()).collect(),
        results: operation.results.iter().map(|l| l.index()).collect(),
        body: Substitutions { compiler, machine }.subst(&operation.body),
    });
    called.collect()
}

fn prepare<'m>(
    operation: &typed::Operation,
    compiler: &mut Compiler<'m>,
    machine: &'m typed::Machine,
    world: &World,
) -> Operation {
    let leading = Leading::of(&operation.body);
    let parameters: Vec<Unknown> = operation
        .parameters
        .iter()
        .map(|l| compiler.unknown(*l))
        .collect();
    let mut unknowns = parameters.clone();
    unknowns.extend(leading.locals.iter().map(|l| compiler.unknown(*l)));
    let conjuncts = compiler.conjuncts(&leading.preds, true);
    let (own, span) = (unknowns.split_off(parameters.len()), operation.span);
    let choices = if machine.settings.shows_choices {
        own.clone()
    } else {
        Vec::new()
    };
    let given = ConstraintProblem::new(own.clone(), conjuncts.clone(), span, world);
    unknowns.extend(own);
    let problem = ConstraintProblem::new(unknowns, conjuncts, span, world);
    let demanded = compiler.conjuncts(subst::preconditions(&operation.body), true);
    let calls = ConstraintProblem::new(parameters.clone(), demanded, span, world);
    let results = operation
        .results
        .iter()
        .map(|l| compiler.unknown(*l))
        .collect();
    let may_repeat = !leading.locals.is_empty() || is_choosing(leading.rest, machine);
    let rest = Substitutions { compiler, machine }.subst(leading.rest);
    Operation {
        name: operation.name.clone(),
        problem,
        given,
        calls,
        parameters,
        choices,
        results,
        rest,
        may_repeat,
        span,
    }
}

/// Whether a substitution may have several outcomes.
fn is_choosing(subst: &typed::Subst, machine: &typed::Machine) -> bool {
    let any = |all: &[typed::Subst]| all.iter().any(|s| is_choosing(s, machine));
    let option =
        |other: &Option<Box<typed::Subst>>| other.as_ref().is_some_and(|s| is_choosing(s, machine));
    match &subst.kind {
        SubstKind::Skip | SubstKind::Assign(..) => false,
        SubstKind::BecomesElement(..) | SubstKind::BecomesSuch(..) => true,
        SubstKind::Select(..) | SubstKind::Choice(_) | SubstKind::Any(..) => true,
        SubstKind::Parallel(all) | SubstKind::Sequence(all) => any(all),
        SubstKind::Pre(_, body) | SubstKind::Assert(_, body) => is_choosing(body, machine),
        SubstKind::Let(_, body) | SubstKind::Var(_, body) => is_choosing(body, machine),
        SubstKind::If(branches, other) => {
            branches.iter().any(|(_, s)| is_choosing(s, machine)) || option(other)
        }
        SubstKind::Case(_, branches, other) => {
            branches.iter().any(|(_, s)| is_choosing(s, machine)) || option(other)
        }
        SubstKind::While { body, .. } => is_choosing(body, machine),
        SubstKind::Call { operation, .. } => {
            is_choosing(&machine.operations[operation.index()].body, machine)
        }
    }
}

/// The results of an operation, given what it wrote.
fn results_of(operation: &Operation, writes: &Writes) -> Eval<Vec<Value>> {
    let values = operation.results.iter().map(|result| {
        let no_value = || TroubleKind::NoValue(result.name.clone());
        let value = last(writes, Storage::Slot(result.slot)).cloned();
        value.ok_or_else(|| Fault::new(no_value(), result.span))
    });
    values.collect()
}

/// What became of a request.
fn extent(context: Context, flow: Eval<EnumerationFlow>, wrongs: Wrongs) -> Extent {
    let mut ended = None;
    match flow {
        Ok(_) => {}
        Err(Fault::Trouble(trouble)) if Fault::Trouble(trouble.clone()).is_end() => {
            ended = Some(*trouble);
        }
        Err(fault) => wrongs.note(&context, fault),
    }
    Extent {
        cut: ended.or(context.cut),
        wrong: wrongs.into_list(),
        undefined: context.warnings,
    }
}

/// What is written to a place last.
fn last(writes: &Writes, place: Storage) -> Option<&Value> {
    writes
        .iter()
        .rev()
        .find(|(p, _)| *p == place)
        .map(|(_, v)| v)
}

/// Whether the time was over: that is no matter of the machine.
pub(crate) fn is_lost(trouble: Option<&Trouble>) -> bool {
    trouble.is_some_and(|trouble| trouble.kind == TroubleKind::OutOfTime)
}

/// Whether a value has a part that is not listed.
pub(crate) fn has_symbolic(value: &Value) -> bool {
    match value {
        Value::Symbolic(_) => true,
        Value::Pair(pair) => has_symbolic(&pair.0) || has_symbolic(&pair.1),
        Value::Record(fields) => fields.iter().any(has_symbolic),
        _ => false,
    }
}
