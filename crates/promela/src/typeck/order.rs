//! Whether the order of the rounds of a loop over a scalarset can matter.
//!
//! **Problem.** A loop takes the members of a scalarset in some order. If what it leaves behind
//! depends on the order, members are not interchangeable: `for (j in t) { k = j }` would make the
//! last one special.
//!
//! **Idea.** A body passes if each thing it writes is of one of three kinds, the same kind
//! throughout the body:
//! - *owned*: an element with the index `j`, and read with the index `j` only. Rounds write to
//!   different elements and see only their own.
//! - *gathered*: `x = x && e`, or with `||`, `+`, `-`, `*`, `&`, `|` or `^`, or `x++`, always
//!   with the same operator (sums and differences are one), and not read otherwise. The operators
//!   commute, also with what storing leaves of a number.
//! - *constant*: the same number in every assignment, and not read in the body.
//!
//! Besides, a body neither blocks nor leaves the loop: no sends, receives, `goto`, `break`, and
//! conditions only as guards of an `if` that can always go on. `run` passes: which process number
//! goes with which member depends on the order, but process numbers name nothing by themselves.
//!
//! **Worked example.** `if :: j != i -> ok = ok && flag[j] < k :: else fi`: `ok` is gathered; `i`,
//! `j`, `k` and `flag` are only read. With `flag[j] = ok` beside it, `ok` is read: refused.
//!
//! **Departures.** C. N. Ip and D. Dill (1993) ask for order independence and do not check it. This
//! is a sufficient test; a variable that is set and then used in each round is refused, because it
//! keeps the value of the last round. Whether a fault (a division by 0) happens is not looked at.
//!
//! **Cost.** Quadratic in the number of accesses of the body.

use super::Checker;
use crate::ast::Binary;
use crate::place::Place;
use crate::typed::{
    Access, Expr, ExprKind, Initial, Predefined, Sequence, Stmt, StmtKind, Target, VariableId,
    operands,
};

/// How something is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WrittenForm {
    /// Its own element in each round: at which of the indices of the access `j` stands.
    Owned(usize),
    /// Joined with what it was.
    Gathered(CommutativeOp),
    /// This number.
    Constant(i32),
}

/// An operator whose order of operands does not matter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CommutativeOp {
    And,
    Or,
    Sum,
    Product,
    BitAnd,
    BitOr,
    BitXor,
}

/// What a body does.
struct Scan<'a> {
    counter: VariableId,
    /// What is written, and how.
    writes: Vec<(&'a Access, WrittenForm, Place)>,
    reads: Vec<&'a Access>,
    /// Counters of loops inside, while inside of them, and what they are afterwards.
    inner: Vec<VariableId>,
    counted: Vec<(VariableId, i32, Place)>,
    runs: bool,
    counts_processes: bool,
    /// The first thing that is refused, and why.
    problem: Option<(Place, &'static str)>,
}

const CHANGED: &str = "this depends on the order in which members come";
const BLOCKS: &str = "a loop over a scalarset must not wait";
const JUMPS: &str = "a loop over a scalarset goes through all members";

impl Checker<'_> {
    /// Reports if the order in which `counter` goes through the members can matter to `body`.
    pub(super) fn check_order(&mut self, counter: &Access, body: &Sequence) -> Option<()> {
        let mut scan = Scan {
            counter: counter.variable,
            writes: Vec::new(),
            reads: Vec::new(),
            inner: Vec::new(),
            counted: Vec::new(),
            runs: false,
            counts_processes: false,
            problem: None,
        };
        for statement in &body.statements {
            scan.statement(statement, &self.variables);
        }
        scan.compare();
        let Some((place, message)) = scan.problem else {
            return Some(());
        };
        let error = self.origins.error(place, message);
        let note = match message {
            CHANGED => {
                "each round may change what belongs to its own member, join into a variable that \
                 it does not read otherwise (`x = x && e`, `x = x + e`), or set one to the same \
                 number as all others"
            }
            BLOCKS => "conditions may stand at the start of the options of an `if` with an `else`",
            _ => "`break` and `goto` would leave some of them out",
        };
        self.report(error.note(note));
        None
    }
}

impl<'a> Scan<'a> {
    fn refuse(&mut self, place: Place, why: &'static str) {
        self.problem.get_or_insert((place, why));
    }

    fn statement(&mut self, statement: &'a Stmt, variables: &'a [crate::typed::Variable]) {
        let place = statement.place;
        match &statement.kind {
            StmtKind::Assign(Target::Access(access), value) => self.assign(access, value, place),
            StmtKind::Initialise(id) => {
                let value = match &variables[id.index()].initial {
                    Initial::Zero => Some(0),
                    Initial::Value(value) => number(value),
                    Initial::List(values) => values.first().copied(),
                    Initial::Channel(_) | Initial::Instance => None,
                };
                match value {
                    Some(value) => self.counted.push((*id, value, place)),
                    None => self.refuse(place, CHANGED),
                }
            }
            StmtKind::Condition(value) => match &value.kind {
                ExprKind::Number(1) => {}
                ExprKind::Run(..) => {
                    self.runs = true;
                    self.expr(value);
                }
                _ => self.refuse(place, BLOCKS),
            },
            StmtKind::Assert(value) => self.expr(value),
            StmtKind::Print(..) | StmtKind::PrintName(_) | StmtKind::Else => {}
            StmtKind::Atomic(inner) | StmtKind::DStep(inner) | StmtKind::Block(inner) => {
                self.sequence(inner, variables);
            }
            StmtKind::If(options) => self.options(options, place, variables),
            StmtKind::For(counter, low, high, body) => {
                let last = number(low).and(number(high));
                match last {
                    Some(last) => {
                        self.counted
                            .push((counter.variable, last.wrapping_add(1), place));
                    }
                    None => self.refuse(place, CHANGED),
                }
                self.inner.push(counter.variable);
                self.sequence(body, variables);
                self.inner.pop();
            }
            StmtKind::Send(_) | StmtKind::Receive(_) => self.refuse(place, BLOCKS),
            StmtKind::Break | StmtKind::Goto(..) => self.refuse(place, JUMPS),
            _ => self.refuse(place, CHANGED),
        }
    }

    fn sequence(&mut self, sequence: &'a Sequence, variables: &'a [crate::typed::Variable]) {
        for statement in &sequence.statements {
            self.statement(statement, variables);
        }
    }

    fn options(
        &mut self,
        options: &'a [Sequence],
        place: Place,
        variables: &'a [crate::typed::Variable],
    ) {
        let mut goes_on = false;
        for option in options {
            let Some((first, rest)) = option.statements.split_first() else {
                goes_on = true;
                continue;
            };
            match &first.kind {
                StmtKind::Condition(value) if !matches!(value.kind, ExprKind::Run(..)) => {
                    goes_on |= number(value) == Some(1);
                    self.expr(value);
                }
                _ => {
                    goes_on = true;
                    self.statement(first, variables);
                }
            }
            for statement in rest {
                self.statement(statement, variables);
            }
        }
        if !goes_on {
            self.refuse(place, BLOCKS);
        }
    }

    fn assign(&mut self, access: &'a Access, value: &'a Expr, place: Place) {
        for index in indices(access) {
            self.expr(index);
        }
        if access.variable == self.counter || self.inner.contains(&access.variable) {
            self.refuse(place, CHANGED);
        }
        let form = match self.owned(access) {
            Some(at) => {
                self.expr(value);
                Some(WrittenForm::Owned(at))
            }
            None => match (number(value), gathered(access, value)) {
                (Some(n), _) => Some(WrittenForm::Constant(n)),
                (_, Some((join, rest))) => {
                    rest.into_iter().for_each(|e| self.expr(e));
                    Some(WrittenForm::Gathered(join))
                }
                _ => None,
            },
        };
        match form {
            Some(form) => self.writes.push((access, form, place)),
            None => self.refuse(place, CHANGED),
        }
    }

    /// At which index the loop variable stands.
    fn owned(&self, access: &Access) -> Option<usize> {
        indices(access).position(|index| match &index.kind {
            ExprKind::Read(read) => {
                read.variable == self.counter && read.index.is_none() && read.fields.is_empty()
            }
            _ => false,
        })
    }

    /// Notes what an expression reads.
    fn expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Read(access) if self.inner.contains(&access.variable) => {}
            ExprKind::Read(access) | ExprKind::Probe(_, access) => self.reads.push(access),
            ExprKind::Poll(poll) => self.reads.push(&poll.channel),
            ExprKind::RemoteVariable(..) | ExprKind::Timeout => self.refuse(expr.place, CHANGED),
            ExprKind::Predefined(Predefined::NProcesses) => self.counts_processes = true,
            _ => {}
        }
        operands(expr, &mut |e| self.expr(e));
    }

    /// Compares all writes with each other and with what is read.
    fn compare(&mut self) {
        if self.runs && self.counts_processes {
            let place = self.reads.first().map(|a| a.place);
            let place = place.or_else(|| self.writes.first().map(|w| w.2));
            if let Some(place) = place {
                self.refuse(place, CHANGED);
            }
        }
        for (access, form, place) in self.writes.clone() {
            let same = |other: &Access| same_variable(access, other);
            let differs = (self.writes.iter()).any(|(other, f, _)| same(other) && *f != form);
            let counted = self.counted.iter().any(|c| c.0 == access.variable);
            let read = self.reads.iter().any(|other| match form {
                WrittenForm::Owned(at) => same(other) && self.owned(other) != Some(at),
                _ => same(other),
            });
            if differs || read || counted {
                self.refuse(place, CHANGED);
            }
        }
        for (variable, value, place) in self.counted.clone() {
            let differs = self.counted.iter().any(|c| c.0 == variable && c.1 != value);
            let read = self.reads.iter().any(|a| a.variable == variable);
            if differs || read {
                self.refuse(place, CHANGED);
            }
        }
    }
}

/// The indices of an access, from the left.
fn indices(access: &Access) -> impl Iterator<Item = &Expr> {
    let fields = access.fields.iter().filter_map(|f| f.index.as_deref());
    access.index.as_deref().into_iter().chain(fields)
}

fn number(expr: &Expr) -> Option<i32> {
    match expr.kind {
        ExprKind::Number(n) => Some(n),
        _ => None,
    }
}

/// Whether two accesses reach the same variable or field, whatever their indices.
fn same_variable(a: &Access, b: &Access) -> bool {
    let fields = |access: &Access| access.fields.iter().map(|f| f.field).collect::<Vec<_>>();
    let (mine, theirs) = (fields(a), fields(b));
    let n = mine.len().min(theirs.len());
    a.variable == b.variable && mine[..n] == theirs[..n]
}

/// Whether two accesses are written alike.
fn same_access(a: &Access, b: &Access) -> bool {
    let same_index = |(a, b): (&Expr, &Expr)| match (&a.kind, &b.kind) {
        (ExprKind::Number(a), ExprKind::Number(b)) => a == b,
        (ExprKind::Read(a), ExprKind::Read(b)) => same_access(a, b),
        _ => false,
    };
    let n_fields = a.fields.len() == b.fields.len();
    let n_indices = indices(a).count() == indices(b).count();
    let same = same_variable(a, b) && n_fields && n_indices;
    same && indices(a).zip(indices(b)).all(same_index)
}

/// The operator by which `value` joins something into `access`, and what it joins.
fn gathered<'a>(access: &Access, value: &'a Expr) -> Option<(CommutativeOp, Vec<&'a Expr>)> {
    let is_own = |e: &&Expr| matches!(&e.kind, ExprKind::Read(a) if same_access(a, access));
    let (join, parts): (CommutativeOp, Vec<&Expr>) = match &value.kind {
        ExprKind::And(all) => (CommutativeOp::And, all.iter().collect()),
        ExprKind::Or(all) => (CommutativeOp::Or, all.iter().collect()),
        ExprKind::Binary(Binary::Subtract, a, b) if is_own(&&**a) => {
            (CommutativeOp::Sum, vec![a, b])
        }
        ExprKind::Binary(operator, a, b) => {
            let join = match operator {
                Binary::Add => CommutativeOp::Sum,
                Binary::Multiply => CommutativeOp::Product,
                Binary::BitAnd => CommutativeOp::BitAnd,
                Binary::BitOr => CommutativeOp::BitOr,
                Binary::BitXor => CommutativeOp::BitXor,
                _ => return None,
            };
            (join, vec![a, b])
        }
        _ => return None,
    };
    let own = parts.iter().position(is_own)?;
    let rest = parts.into_iter().enumerate().filter(|(i, _)| *i != own);
    Some((join, rest.map(|(_, e)| e).collect()))
}
