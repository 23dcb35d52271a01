//! What substitutions are executed from: as the typed machine has them, with code in place of
//! expressions and predicates.

use base::Span;

use crate::eval::code::{Ex, Pr, Storage};
use crate::eval::compile::Compiler;
use crate::solve::ConstraintProblem;
use crate::typed::{self, AssignedVar, LocalId, OperationId, Selector, SubstKind};

/// A substitution.
#[derive(Clone, Debug)]
pub struct Sub {
    pub kind: SubKind,
    pub span: Span,
}

/// The kinds of substitutions.
#[derive(Clone, Debug)]
pub enum SubKind {
    /// Nothing changes.
    Skip,
    /// All targets at once.
    Assign(Vec<(Target, Ex)>),
    /// The targets are an element of the set.
    Element(Vec<Target>, Ex),
    /// The places are what the slots are in a solution.
    Such(Vec<(Storage, usize)>, ConstraintProblem),
    /// All read what was before.
    Parallel(Vec<Sub>),
    /// Each reads what those before it wrote.
    Sequence(Vec<Sub>),
    /// The predicates must hold.
    Demand(Demand, Vec<Pr>, Box<Sub>),
    /// Any branch whose guard holds, or else the last.
    Select(Vec<(Vec<Pr>, Sub)>, Option<Box<Sub>>),
    /// The first branch whose condition holds, or else the last, or else nothing.
    If(Vec<(Vec<Pr>, Sub)>, Option<Box<Sub>>),
    /// Any of them.
    Choice(Vec<Sub>),
    /// For any solution.
    Any(ConstraintProblem, Box<Sub>),
    /// Slots get values in order.
    Let(Vec<(usize, Ex)>, Box<Sub>),
    /// Slots have no values at first.
    Var(Vec<usize>, Box<Sub>),
    /// The first branch with a value that is equal, or else the last, or else nothing.
    Case(Ex, Vec<(Vec<Ex>, Sub)>, Option<Box<Sub>>),
    /// As long as the condition holds.
    While(Box<Loop>),
    /// An operation is called.
    Call(OperationId, Vec<Ex>, Vec<Target>),
}

/// What is said if a predicate does not hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Demand {
    /// A precondition does not hold where the operation is called.
    Precondition,
    /// An assertion does not hold.
    Assertion,
}

/// A loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// As long as these hold.
    pub condition: Vec<Pr>,
    /// This is done.
    pub body: Sub,
    /// Holds before and after.
    pub invariant: Pr,
    /// Falls, and never below zero.
    pub variant: Ex,
}

/// What is assigned to.
#[derive(Clone, Debug)]
pub struct Target {
    /// A variable.
    pub place: Storage,
    /// The way into its value.
    pub path: Vec<SelectorCode>,
    /// The variable's name.
    pub name: String,
    pub span: Span,
}

/// A step into a value.
#[derive(Clone, Debug)]
pub enum SelectorCode {
    /// The value of a function at an argument.
    At(Ex),
    /// A field of a record.
    Field(usize),
}

/// Turns substitutions of a machine into what is executed.
pub struct Substitutions<'c, 'm> {
    /// For expressions and predicates.
    pub compiler: &'c mut Compiler<'m>,
    /// The machine.
    pub machine: &'m typed::Machine,
}

impl Substitutions<'_, '_> {
    /// The substitution.
    pub fn subst(&mut self, subst: &typed::Subst) -> Sub {
        let kind = match &subst.kind {
            SubstKind::Skip => SubKind::Skip,
            SubstKind::Assign(targets, values) => {
                let pairs = targets.iter().zip(values);
                let pairs = pairs.map(|(t, e)| (self.target(t), self.compiler.expr(e)));
                SubKind::Assign(pairs.collect())
            }
            SubstKind::BecomesElement(targets, set) => {
                SubKind::Element(self.targets(targets), self.compiler.expr(set))
            }
            SubstKind::BecomesSuch(vars, locals, pred) => {
                let problem = self.compiler.problem(locals, &[pred], true);
                let slots = problem.unknowns.iter().map(|u| u.slot);
                let places = vars.iter().map(|var| self.place(*var));
                SubKind::Such(places.zip(slots).collect(), problem)
            }
            SubstKind::Parallel(all) => SubKind::Parallel(self.substs(all)),
            SubstKind::Sequence(all) => SubKind::Sequence(self.substs(all)),
            SubstKind::Pre(pred, body) => self.demand(Demand::Precondition, pred, body),
            SubstKind::Assert(pred, body) => self.demand(Demand::Assertion, pred, body),
            SubstKind::Select(branches, other) => {
                SubKind::Select(self.branches(branches), self.option(other))
            }
            SubstKind::If(branches, other) => {
                SubKind::If(self.branches(branches), self.option(other))
            }
            SubstKind::Choice(all) => SubKind::Choice(self.substs(all)),
            SubstKind::Any(locals, pred, body) => {
                let problem = self.compiler.problem(locals, &[pred], true);
                SubKind::Any(problem, Box::new(self.subst(body)))
            }
            SubstKind::Let(bound, body) => {
                let bound = self.compiler.bindings(bound);
                SubKind::Let(bound, Box::new(self.subst(body)))
            }
            SubstKind::Var(locals, body) => {
                let slots = locals.iter().map(|local| self.compiler.declare(*local));
                SubKind::Var(slots.collect(), Box::new(self.subst(body)))
            }
            SubstKind::Case(value, branches, other) => {
                let value = self.compiler.expr(value);
                let branches = branches.iter().map(|(values, body)| {
                    let values = values.iter().map(|v| self.compiler.expr(v)).collect();
                    (values, self.subst(body))
                });
                let branches = branches.collect();
                SubKind::Case(value, branches, self.option(other))
            }
            SubstKind::While { .. } => SubKind::While(Box::new(self.repetition(&subst.kind))),
            SubstKind::Call {
                operation,
                arguments,
                results,
            } => {
                let arguments = arguments.iter().map(|a| self.compiler.expr(a)).collect();
                SubKind::Call(*operation, arguments, self.targets(results))
            }
        };
        let span = subst.span;
        Sub { kind, span }
    }

    fn repetition(&mut self, kind: &SubstKind) -> Loop {
        let SubstKind::While {
            condition,
            body,
            invariant,
            variant,
        } = kind
        else {
            unreachable!("called for loops")
        };
        Loop {
            condition: self.compiler.conjuncts([condition], true),
            body: self.subst(body),
            invariant: self.compiler.pred(invariant, true),
            variant: self.compiler.expr(variant),
        }
    }

    fn demand(&mut self, demand: Demand, pred: &typed::Pred, body: &typed::Subst) -> SubKind {
        let conjuncts = self.compiler.conjuncts([pred], true);
        SubKind::Demand(demand, conjuncts, Box::new(self.subst(body)))
    }

    fn substs(&mut self, all: &[typed::Subst]) -> Vec<Sub> {
        all.iter().map(|s| self.subst(s)).collect()
    }

    fn option(&mut self, other: &Option<Box<typed::Subst>>) -> Option<Box<Sub>> {
        other.as_ref().map(|s| Box::new(self.subst(s)))
    }

    fn branches(&mut self, all: &[(typed::Pred, typed::Subst)]) -> Vec<(Vec<Pr>, Sub)> {
        all.iter()
            .map(|(pred, body)| (self.compiler.conjuncts([pred], true), self.subst(body)))
            .collect()
    }

    fn targets(&mut self, all: &[typed::Target]) -> Vec<Target> {
        all.iter().map(|t| self.target(t)).collect()
    }

    fn target(&mut self, target: &typed::Target) -> Target {
        let path = target.path.iter().map(|step| match step {
            Selector::At(argument) => SelectorCode::At(self.compiler.expr(argument)),
            Selector::Field(field) => SelectorCode::Field(*field),
        });
        let path = path.collect();
        let name = match target.var {
            AssignedVar::Global(id) => self.machine.globals[id.index()].name.clone(),
            AssignedVar::Local(id) => self.machine.locals[id.index()].name.clone(),
        };
        Target {
            place: self.place(target.var),
            path,
            name,
            span: target.span,
        }
    }

    fn place(&self, var: AssignedVar) -> Storage {
        match var {
            AssignedVar::Global(id) => self.compiler.global_place(id.index()),
            AssignedVar::Local(id) => Storage::Slot(id.index()),
        }
    }
}

/// What an operation starts with: everything that must hold before anything is done, and the
/// variables it is solved for besides the parameters.
pub struct Leading<'s> {
    /// Variables of `ANY`.
    pub locals: Vec<LocalId>,
    /// Preconditions and guards, in order.
    pub preds: Vec<typed::Pred>,
    /// What is then done.
    pub rest: &'s typed::Subst,
}

impl Leading<'_> {
    /// Takes the preconditions and guards from the start of a body.
    pub fn of(body: &typed::Subst) -> Leading<'_> {
        let (mut locals, mut preds, mut rest) = (Vec::new(), Vec::new(), body);
        loop {
            match &rest.kind {
                SubstKind::Pre(pred, inner) => {
                    preds.push(pred.clone());
                    rest = inner;
                }
                SubstKind::Select(branches, None) if branches.len() == 1 => {
                    preds.push(branches[0].0.clone());
                    rest = &branches[0].1;
                }
                SubstKind::Any(found, pred, inner) => {
                    locals.extend(found.iter().copied());
                    preds.push(pred.clone());
                    rest = inner;
                }
                SubstKind::Let(bound, inner) => {
                    for (local, value) in bound {
                        locals.push(*local);
                        preds.push(equation(*local, value));
                    }
                    rest = inner;
                }
                SubstKind::Select(branches, None) => {
                    // Parameters may be bounded by the guards only; each guard is asked again.
                    let guards = branches.iter().map(|(guard, _)| guard.clone()).collect();
                    preds.push(typed::Pred {
                        kind: typed::PredKind::Or(guards),
                        span: rest.span,
                    });
                    break;
                }
                _ => break,
            }
        }
        Leading {
            locals,
            preds,
            rest,
        }
    }
}

/// The preconditions that a body starts with.
pub fn preconditions(body: &typed::Subst) -> Vec<&typed::Pred> {
    let (mut preds, mut rest) = (Vec::new(), body);
    while let SubstKind::Pre(pred, inner) = &rest.kind {
        preds.push(pred);
        rest = inner;
    }
    preds
}

/// `local = value`.
fn equation(local: LocalId, value: &typed::Expr) -> typed::Pred {
    let local = typed::Expr {
        kind: typed::ExprKind::Local(local),
        ty: value.ty.clone(),
        span: value.span,
    };
    let (local, value) = (Box::new(local), Box::new(value.clone()));
    typed::Pred {
        span: value.span,
        kind: typed::PredKind::Compare(typed::Compare::Equal, local, value),
    }
}
