//! What a random machine does, by the meaning of B alone: states are plain data, everything is
//! tried, and nothing of the project is used.
//!
//! Undefined is a third truth value. Connectives are evaluated from left to right. In guards (what
//! an operation starts with, `SELECT`, `ANY`, `IF`) an undefined part does not hold, and a
//! disjunction holds if any part does; negations are pushed inwards first, as they are there.

use super::text::{Elem, Link, Machine, Num, Operation, Pred, Subst};
use std::collections::{BTreeMap, HashSet};

/// A state of both machines.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct State {
    c: usize,
    x: i64,
    y: i64,
    /// By element of `S`: whether `v` has it, and what `f` makes of it.
    v: [bool; 3],
    f: [Option<i64>; 3],
    g: [Option<usize>; 2],
}

/// What is bound around a part of the text.
#[derive(Clone, Copy, Default)]
struct Bound {
    p: usize,
    m: i64,
    l: usize,
}

/// What went wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wrong {
    Undefined,
    Precondition,
    Assertion,
}

/// How a part is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    Strict,
    Guard,
}

type Value<T> = Result<T, Wrong>;

/// What exploring found, by property: `holds`, `violated` or `unknown`; and how many states there
/// are.
pub struct Explored {
    pub verdicts: BTreeMap<&'static str, &'static str>,
    pub n_states: usize,
}

/// Explores a machine; `None` if it has too many states.
pub fn explore(machine: &Machine, n_max: usize) -> Option<Explored> {
    let mut run = Run {
        machine,
        is_violated: [false; 4],
        is_open: [false; 4],
        states: HashSet::new(),
        open: Vec::new(),
    };
    run.start();
    while let Some(state) = run.open.pop() {
        if run.states.len() > n_max {
            return None;
        }
        run.expand(state);
    }
    let names = ["invariant", "deadlock", "assertions", "faults"];
    let verdicts = names.iter().zip(run.is_violated).enumerate();
    let verdicts = verdicts.map(|(n, (name, is_violated))| {
        let verdict = if is_violated {
            "violated"
        } else if run.is_open[n] {
            "unknown"
        } else {
            "holds"
        };
        (*name, verdict)
    });
    Some(Explored {
        verdicts: verdicts.collect(),
        n_states: run.states.len(),
    })
}

const INVARIANT: usize = 0;
const DEADLOCK: usize = 1;
const ASSERTIONS: usize = 2;
const FAULTS: usize = 3;

struct Run<'m> {
    machine: &'m Machine,
    is_violated: [bool; 4],
    /// Whether it was undefined somewhere whether the property holds.
    is_open: [bool; 4],
    states: HashSet<State>,
    open: Vec<State>,
}

impl Run<'_> {
    fn wrong(&mut self, wrong: Wrong) {
        let at = match wrong {
            Wrong::Undefined | Wrong::Precondition => FAULTS,
            Wrong::Assertion => ASSERTIONS,
        };
        self.is_violated[at] = true;
    }

    fn meet(&mut self, state: State) {
        if self.states.insert(state) {
            self.open.push(state);
        }
    }

    fn start(&mut self) {
        let constants = if self.machine.has_constant {
            0..self.machine.n_elements
        } else {
            0..1
        };
        for c in constants {
            let first = State {
                c,
                x: 0,
                y: 0,
                v: [false; 3],
                f: [None; 3],
                g: [None; 2],
            };
            let found = self.outcomes(first, Bound::default(), &self.machine.start.clone());
            // Before it has variables, a machine with constants is in a state, too.
            if !found && self.machine.has_constant {
                self.is_violated[DEADLOCK] = true;
            }
        }
    }

    /// Takes a substitution; whether anything came of it.
    fn outcomes(&mut self, state: State, bound: Bound, subst: &Subst) -> bool {
        let (mut after, mut wrong) = (Vec::new(), Vec::new());
        let n = self.machine.n_elements;
        execute(n, At { state, bound }, subst, &mut wrong, &mut |s| {
            after.push(s)
        });
        let any = !after.is_empty() || !wrong.is_empty();
        after.into_iter().for_each(|state| self.meet(state));
        wrong.into_iter().for_each(|wrong| self.wrong(wrong));
        any
    }

    fn expand(&mut self, state: State) {
        let machine = self.machine;
        let at = At {
            state,
            bound: Bound::default(),
        };
        for conjunct in machine.invariant.iter().flat_map(conjuncts) {
            match holds(machine.n_elements, at, conjunct, true, Reading::Strict) {
                Ok(true) => {}
                Ok(false) => self.is_violated[INVARIANT] = true,
                Err(wrong) => {
                    self.is_open[INVARIANT] = true;
                    self.wrong(wrong);
                }
            }
        }
        for assertion in &machine.assertions {
            match holds(machine.n_elements, at, assertion, true, Reading::Strict) {
                Ok(true) => {}
                Ok(false) => self.is_violated[ASSERTIONS] = true,
                Err(wrong) => {
                    self.is_open[ASSERTIONS] = true;
                    self.wrong(wrong);
                }
            }
        }
        let mut moves = false;
        for operation in &machine.operations {
            moves |= self.operation(state, operation);
        }
        if matches!(machine.link, Link::Sees | Link::Uses) && state.y < 2 {
            self.meet(State {
                y: state.y + 1,
                ..state
            });
            moves = true;
        }
        if matches!(machine.link, Link::Sees | Link::Uses | Link::Promotes) {
            match state.y {
                0 => self.wrong(Wrong::Undefined),
                _ => self.meet(State { y: 0, ..state }),
            }
            moves = true;
        }
        self.is_violated[DEADLOCK] |= !moves;
    }

    fn operation(&mut self, state: State, operation: &Operation) -> bool {
        let elements = if operation.has_elem {
            self.machine.n_elements
        } else {
            1
        };
        let numbers = if operation.has_num { 2 } else { 1 };
        let mut any = false;
        for p in 0..elements {
            for m in 0..numbers {
                let bound = Bound { p, m, l: 0 };
                any |= self.leading(state, bound, &operation.pre, &operation.body);
            }
        }
        any
    }

    /// What an operation starts with is a guard, also `PRE`.
    fn leading(&mut self, state: State, bound: Bound, guard: &Pred, body: &Subst) -> bool {
        let n = self.machine.n_elements;
        if holds(n, At { state, bound }, guard, true, Reading::Guard) != Ok(true) {
            return false;
        }
        match body {
            Subst::Pre(pred, inner) => self.leading(state, bound, pred, inner),
            Subst::Select(branches) if branches.len() == 1 => {
                self.leading(state, bound, &branches[0].0, &branches[0].1)
            }
            Subst::Any(pred, inner) => {
                let mut any = false;
                for l in 0..n {
                    any |= self.leading(state, Bound { l, ..bound }, pred, inner);
                }
                any
            }
            other => self.outcomes(state, bound, other),
        }
    }
}

/// A state, and what the names mean that are bound there.
#[derive(Clone, Copy)]
struct At {
    state: State,
    bound: Bound,
}

fn conjuncts(pred: &Pred) -> Vec<&Pred> {
    match pred {
        Pred::And(a, b) => [conjuncts(a), conjuncts(b)].concat(),
        other => vec![other],
    }
}

fn number(at: At, num: &Num) -> Value<i64> {
    let At { state, bound } = at;
    Ok(match num {
        Num::Literal(n) => *n,
        Num::X => state.x,
        Num::Y => state.y,
        Num::Parameter => bound.m,
        Num::Card => state.v.iter().filter(|is_in| **is_in).count() as i64,
        Num::Apply(e) => state.f[element(at, e)?].ok_or(Wrong::Undefined)?,
        Num::Add(a, b) => (number(at, a)? + number(at, b)?) % 3,
        Num::Divide(a, b) => {
            let (a, b) = (number(at, a)?, number(at, b)?);
            a.checked_div(b).ok_or(Wrong::Undefined)?
        }
    })
}

fn element(at: At, elem: &Elem) -> Value<usize> {
    let At { state, bound } = at;
    match elem {
        Elem::Constant => Ok(state.c),
        Elem::Parameter => Ok(bound.p),
        Elem::Local => Ok(bound.l),
        Elem::Apply(e) => state.g[*e].ok_or(Wrong::Undefined),
    }
}

/// Whether a predicate is `wanted`.
fn holds(n: usize, at: At, pred: &Pred, wanted: bool, reading: Reading) -> Value<bool> {
    let state = at.state;
    let is = match pred {
        Pred::Not(a) => return holds(n, at, a, !wanted, reading),
        Pred::And(a, b) | Pred::Or(a, b) => {
            let is_or = matches!(pred, Pred::Or(..)) == wanted;
            let left = holds(n, at, a, wanted, reading);
            return match (is_or, left) {
                (true, Ok(true)) => Ok(true),
                (false, Ok(false)) => Ok(false),
                (true, Err(wrong)) if reading == Reading::Guard => {
                    match holds(n, at, b, wanted, reading) {
                        Ok(true) => Ok(true),
                        _ => Err(wrong),
                    }
                }
                (_, Err(wrong)) => Err(wrong),
                (_, Ok(_)) => holds(n, at, b, wanted, reading),
            };
        }
        Pred::True => true,
        Pred::Less(a, b) => number(at, a)? < number(at, b)?,
        Pred::Equal(a, b) => number(at, a)? == number(at, b)?,
        Pred::Same(a, b) => element(at, a)? == element(at, b)?,
        Pred::In(e) => state.v[element(at, e)?],
        Pred::Mapped(e) => state.f[element(at, e)?].is_some(),
        Pred::Some(_) if !state.v.contains(&true) => false,
        Pred::Some(e) => match (element(at, e), wanted, reading) {
            (Ok(e), ..) => (0..n).any(|q| state.v[q] && q != e),
            // In a guard what is undefined is no witness.
            (Err(_), true, Reading::Guard) => false,
            (Err(wrong), ..) => return Err(wrong),
        },
        Pred::All => (0..n).all(|q| !state.v[q] || state.f[q].is_some()),
        Pred::Square(k) => {
            let k = number(at, k)?;
            (0..=k).any(|n| n * n == k)
        }
    };
    Ok(is == wanted)
}

/// Calls `then` with the state after each way to take a substitution.
fn execute(n: usize, at: At, subst: &Subst, wrong: &mut Vec<Wrong>, then: &mut dyn FnMut(State)) {
    let guard = |pred: &Pred| holds(n, at, pred, true, Reading::Guard) == Ok(true);
    match subst {
        Subst::Choice(all) => all.iter().for_each(|s| execute(n, at, s, wrong, then)),
        Subst::If(pred, a, b) => {
            let chosen = if guard(pred) { a } else { b };
            execute(n, at, chosen, wrong, then);
        }
        Subst::Select(branches) => {
            for (_, body) in branches.iter().filter(|(pred, _)| guard(pred)) {
                execute(n, at, body, wrong, then);
            }
        }
        Subst::Any(pred, body) => {
            for l in 0..n {
                let at = At {
                    bound: Bound { l, ..at.bound },
                    ..at
                };
                if holds(n, at, pred, true, Reading::Guard) == Ok(true) {
                    execute(n, at, body, wrong, then);
                }
            }
        }
        Subst::Pre(pred, body) | Subst::Assert(pred, body) => {
            let broken = match subst {
                Subst::Pre(..) => Wrong::Precondition,
                _ => Wrong::Assertion,
            };
            match holds(n, at, pred, true, Reading::Strict) {
                Ok(true) => execute(n, at, body, wrong, then),
                Ok(false) => wrong.push(broken),
                Err(undefined) => wrong.push(undefined),
            }
        }
        Subst::Parallel(a, b) => {
            let mut lefts = Vec::new();
            execute(n, at, a, wrong, &mut |left| lefts.push(left));
            for left in lefts {
                execute(n, at, b, wrong, &mut |right| {
                    then(State { x: left.x, ..right })
                });
            }
        }
        Subst::Sequence(a, b) => {
            let mut between = Vec::new();
            execute(n, at, a, wrong, &mut |state| between.push(state));
            for state in between {
                execute(n, At { state, ..at }, b, wrong, then);
            }
        }
        simple => match write(at, simple) {
            Ok(states) => states.into_iter().for_each(then),
            Err(undefined) => wrong.push(undefined),
        },
    }
}

/// The states after a substitution without parts.
fn write(at: At, subst: &Subst) -> Value<Vec<State>> {
    let mut after = at.state;
    match subst {
        Subst::SetX(num) => after.x = number(at, num)?,
        Subst::SetF(e, num) => after.f[element(at, e)?] = Some(number(at, num)?),
        Subst::SetG(e, to) => after.g[*e] = Some(element(at, to)?),
        Subst::Add(e) => after.v[element(at, e)?] = true,
        Subst::Remove(e) => after.v[element(at, e)?] = false,
        Subst::Member(e) => {
            let e = element(at, e)?;
            after.v = [false; 3];
            let mut other = after;
            other.v[e] = true;
            return Ok(vec![after, other]);
        }
        Subst::Call if at.state.y >= 2 => return Err(Wrong::Precondition),
        Subst::Call => after.y += 1,
        _ => {}
    }
    Ok(vec![after])
}
