//! Where a formula fails along a run.
//!
//! A run that violates a formula may be long, and the formula large. What fails is found by going
//! down from "the formula is false in the first state": for each operator the meaning says which
//! parts have which value in which states, and those are explained in turn, until only atoms are
//! left. Whether a part is true or false is explained both ways, so negations need nothing else.
//!
//! Worked example: `[] (p -> <> q)` on a run where `p` becomes true after step 5 and `q` never.
//!
//! ```text
//! in the first state `[] (p -> <> q)` is false
//! after step 5 `p -> <> q` is false: `p` is true and `<> q` is false
//! from step 5 on `q` is never true (steps 6-9 repeat)
//! ```
//!
//! **Runs that are cut off.** The violation of a safety property shows after finitely many steps,
//! and the run ends there, though it could go on. Parts of the formula then may have no value yet
//! (Kleene's logic: `<> q` is open as long as `q` was not true). Only values that no way to go on
//! changes are used. Where the operators do not show that the formula is false, though it is,
//! as with `[] (p || X [] q) && [] (p || X [] !q)`, that is said and nothing else.

use super::asked::{Entered, enter};
use crate::ltl::{FormulaId, Node, Notation, Pool, print};
use crate::witness::Witness;
use std::collections::HashMap;
use system::formula::Formula;

/// The most reasons that are given.
pub const N_REASONS_MAX: usize = 24;
/// The longest text of a formula.
const FORMULA_MAX: usize = 200;

/// The states of a run as a formula sees them.
#[derive(Clone, Debug)]
pub struct Positions {
    /// By position: which atoms are true.
    letters: Vec<Vec<bool>>,
    /// By position: after how many steps it is reached.
    steps: Vec<usize>,
    /// How many steps there are.
    n_steps: usize,
    /// The position that follows the last one; none if the run could go on in any way.
    loop_from: Option<usize>,
}

impl Positions {
    /// Those of a run, if the atoms have a value in each.
    pub fn of(run: &Witness) -> Option<Positions> {
        let (mut letters, mut steps) = (vec![run.atoms_at_start().to_vec()], vec![0]);
        let n_steps = run.steps().len();
        for (n, step) in run.steps().iter().enumerate() {
            // Within a move there are no positions.
            if step.ends_move || n + 1 == n_steps {
                letters.push(step.atoms.clone());
                steps.push(n + 1);
            }
        }
        let loop_from = match run.loop_from() {
            None => None,
            Some(from) if from == n_steps => Some(steps.len() - 1),
            Some(from) => {
                // The last state is the one at which the loop begins.
                letters.pop();
                steps.pop();
                Some(steps.iter().position(|step| *step == from)?)
            }
        };
        let all = Positions::new((letters, steps), n_steps, loop_from);
        let n_atoms = all.letters[0].len();
        let is_known = all.letters.iter().all(|letter| letter.len() == n_atoms);
        (is_known && n_atoms > 0).then_some(all)
    }

    /// Positions with these atoms, each reached after so many steps of `n_steps`.
    pub fn new(
        (letters, steps): (Vec<Vec<bool>>, Vec<usize>),
        n_steps: usize,
        loop_from: Option<usize>,
    ) -> Positions {
        assert_eq!(letters.len(), steps.len(), "one number a position");
        assert!(!letters.is_empty() && loop_from.is_none_or(|from| from < letters.len()));
        Positions {
            letters,
            steps,
            n_steps,
            loop_from,
        }
    }

    fn after(&self, i: usize) -> Option<usize> {
        if i + 1 < self.letters.len() {
            Some(i + 1)
        } else {
            self.loop_from
        }
    }

    /// The positions from one on, each once, in the order of the run.
    fn from(&self, i: usize) -> Vec<usize> {
        // The loop begins at or before a position of it, and then comes round to that one.
        let again = self.loop_from.map_or(i..i, |from| from.min(i)..i);
        (i..self.letters.len()).chain(again).collect()
    }

    /// What is said of the loop.
    fn note(&self) -> String {
        let Some(from) = self.loop_from else {
            return String::new();
        };
        match (self.steps[from] + 1, self.n_steps) {
            (first, last) if first > last => " (nothing moves any more)".to_owned(),
            (first, last) if first == last => format!(" (step {first} repeats)"),
            (first, last) => format!(" (steps {first}-{last} repeat)"),
        }
    }
}

/// Something that a part of the formula is at some positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claimed {
    /// The part.
    pub formula: FormulaId,
    /// The positions.
    pub at: Vec<usize>,
    /// Whether it is true there.
    pub holds: bool,
}

/// A reason why the formula fails.
#[derive(Clone, Debug)]
pub struct Reason {
    /// After how many steps.
    pub step: usize,
    /// The part of the formula that is explained.
    pub formula: String,
    /// In words.
    pub text: String,
    /// What is explained: the formula has this value at this position.
    pub claimed: Claimed,
    /// What it follows from, by the meaning of the outermost operator. Empty where nothing more is
    /// said.
    pub premises: Vec<Claimed>,
}

/// Why a formula is false of a run, from the formula down to its atoms; empty if it is not, or if
/// it speaks of the past.
pub fn why(
    formula: &Formula,
    run: &Positions,
    atoms: &[String],
    notation: Notation,
) -> (Pool, Vec<Reason>) {
    let mut pool = Pool::new();
    if formula.has_past() {
        return (pool, Vec::new());
    }
    let root = enter(&mut pool, formula, Entered::AsWritten);
    let mut explainer = Explainer {
        pool: &pool,
        run,
        atoms,
        notation,
        values: HashMap::new(),
        reasons: Vec::new(),
    };
    match explainer.value(root, 0) {
        Some(false) => explainer.explain(root, 0, false),
        None => {
            let text = format!(
                "{} is false however the run goes on",
                explainer.quoted(root)
            );
            explainer.push((root, 0, false), text, Vec::new());
        }
        Some(true) => {}
    }
    let reasons = explainer.reasons;
    (pool, reasons)
}

/// A part of the formula, a position, and its value there.
type Case = (FormulaId, usize, bool);

struct Explainer<'a> {
    pool: &'a Pool,
    run: &'a Positions,
    atoms: &'a [String],
    notation: Notation,
    /// By part: its value at each position, if nothing can change it.
    values: HashMap<FormulaId, Vec<Option<bool>>>,
    reasons: Vec<Reason>,
}

impl Explainer<'_> {
    fn value(&mut self, f: FormulaId, i: usize) -> Option<bool> {
        self.evaluate(f);
        self.values[&f][i]
    }

    /// Makes the values of a part.
    fn evaluate(&mut self, f: FormulaId) {
        if self.values.contains_key(&f) {
            return;
        }
        let node = self.pool.node(f);
        let parts: Vec<FormulaId> = node.parts().collect();
        parts.iter().for_each(|part| self.evaluate(*part));
        let part = |n: usize, i: usize| self.values[&parts[n]][i];
        let n = self.run.letters.len();
        // What holds for ever is true until the contrary is seen, what must come is false; where
        // the run could go on in any way nothing is known beyond its end.
        let is_greatest = matches!(
            node,
            Node::Always(_) | Node::WeakUntil(..) | Node::Release(..)
        );
        let mut values = vec![self.run.loop_from.map(|_| is_greatest); n];
        loop {
            let before = values.clone();
            for i in (0..n).rev() {
                let next = self.run.after(i);
                let later = next.and_then(|next| values[next]);
                let a = || part(0, i);
                let b = || part(1, i);
                values[i] = match node {
                    Node::True => Some(true),
                    Node::False => Some(false),
                    Node::Atom(atom) => Some(self.run.letters[i][atom.index()]),
                    Node::Not(_) => not(a()),
                    Node::And(..) => and(a(), b()),
                    Node::Or(..) => or(a(), b()),
                    Node::Implies(..) => or(not(a()), b()),
                    Node::Iff(..) => a().zip(b()).map(|(a, b)| a == b),
                    Node::Next(_) => next.and_then(|next| part(0, next)),
                    Node::Always(_) => and(a(), later),
                    Node::Eventually(_) => or(a(), later),
                    Node::Until(..) | Node::WeakUntil(..) => or(b(), and(a(), later)),
                    Node::Release(..) | Node::StrongRelease(..) => and(b(), or(a(), later)),
                };
            }
            if values == before {
                break;
            }
        }
        self.values.insert(f, values);
    }

    /// Says why a part has its value, and then why its parts have theirs.
    fn explain(&mut self, f: FormulaId, i: usize, holds: bool) {
        let is_known = |reason: &Reason| {
            let claimed = &reason.claimed;
            (claimed.formula, &claimed.at[..], claimed.holds) == (f, &[i], holds)
        };
        if self.reasons.len() >= N_REASONS_MAX || self.reasons.iter().any(is_known) {
            return;
        }
        let case = (f, i, holds);
        if let Some((stays, next)) = self.strong_next(f) {
            return self.next_or_stays(case, stays, next);
        }
        match self.pool.node(f) {
            Node::True | Node::False | Node::Atom(_) => {
                let text = self.said(case, "");
                self.push(case, text, Vec::new());
            }
            Node::Not(a) => self.by(case, &[(a, i, !holds)]),
            Node::And(..) | Node::Or(..) => {
                let parts = self.operands(f);
                let all: Vec<Case> = parts.into_iter().map(|part| (part, i, holds)).collect();
                if matches!(self.pool.node(f), Node::And(..)) == holds {
                    self.by(case, &all)
                } else {
                    self.by_one(case, &all)
                }
            }
            Node::Implies(a, b) if holds => self.by_one(case, &[(a, i, false), (b, i, true)]),
            Node::Implies(a, b) => self.by(case, &[(a, i, true), (b, i, false)]),
            Node::Iff(a, b) => {
                let cases = [a, b].map(|part| (part, i, self.value(part, i) == Some(true)));
                self.by(case, &cases);
            }
            Node::Next(a) => self.next(case, a, Vec::new()),
            Node::Always(a) | Node::Eventually(a) => {
                let is_always = matches!(self.pool.node(f), Node::Always(_));
                if is_always == holds {
                    self.throughout(case, a)
                } else {
                    self.some_time(case, a)
                }
            }
            Node::Until(a, b) | Node::WeakUntil(a, b) => self.until(case, (a, b)),
            Node::Release(a, b) | Node::StrongRelease(a, b) => self.release(case, (a, b)),
        }
    }

    /// A part has the value in the next state; what else it rests on.
    fn next(&mut self, case: Case, part: FormulaId, mut premises: Vec<Claimed>) {
        let (_, i, holds) = case;
        let next = self.run.after(i).expect("its value is known");
        let (g, value) = self.stripped(part, holds);
        let words = format!(": {} is {value} in the next state", self.quoted(g));
        let text = self.said(case, &words);
        premises.push(claimed(g, vec![next], value));
        self.push(case, text, premises);
        self.go_on((g, next, value));
    }

    /// In ProB's notation, `X f` and `[op]` are false where nothing can be done: they come as
    /// `not deadlock & X f`. The atom, and `f`.
    fn strong_next(&self, f: FormulaId) -> Option<(FormulaId, FormulaId)> {
        let Node::And(a, b) = self.pool.node(f) else {
            return None;
        };
        let (Node::Not(stays), Node::Next(next)) = (self.pool.node(a), self.pool.node(b)) else {
            return None;
        };
        let is_deadlock = matches!(self.pool.node(stays), Node::Atom(atom)
            if self.atoms.get(atom.index()).is_some_and(|text| text == DEADLOCK));
        (self.notation == Notation::Prob && is_deadlock).then_some((stays, next))
    }

    fn next_or_stays(&mut self, case: Case, stays: FormulaId, next: FormulaId) {
        let (_, i, _) = case;
        match self.value(stays, i) {
            Some(false) => self.next(case, next, vec![claimed(stays, vec![i], false)]),
            _ => self.by(case, &[(stays, i, true)]),
        }
    }

    /// All of these together are the reason.
    fn by(&mut self, case: Case, cases: &[Case]) {
        let cases: Vec<Case> = cases
            .iter()
            .map(|&(part, i, value)| {
                let (part, value) = self.stripped(part, value);
                (part, i, value)
            })
            .collect();
        let words = cases
            .iter()
            .map(|&(part, _, value)| format!("{} is {value}", self.quoted(part)));
        let words = format!(": {}", words.collect::<Vec<String>>().join(" and "));
        let text = self.said(case, &words);
        let premises = cases
            .iter()
            .map(|&(part, i, value)| claimed(part, vec![i], value));
        self.push(case, text, premises.collect());
        cases.into_iter().for_each(|case| self.go_on(case));
    }

    /// One of these is the reason: an atom if there is one, else the first.
    fn by_one(&mut self, case: Case, cases: &[Case]) {
        let is_so = |&&(part, i, value): &&Case| self.values[&part][i] == Some(value);
        let fitting: Vec<Case> = cases.iter().filter(is_so).copied().collect();
        let plain = fitting.iter().find(|case| {
            let (part, _) = self.stripped(case.0, true);
            self.is_plain(part)
        });
        let chosen = plain.or(fitting.first()).copied();
        self.by(case, &[chosen.expect("one of them is the reason")]);
    }

    /// A part has the value at every position from here on.
    fn throughout(&mut self, case: Case, part: FormulaId) {
        let (_, i, holds) = case;
        let (g, value) = self.stripped(part, holds);
        let ever = if value { "always" } else { "never" };
        let text = format!(
            "{} {} is {ever} true{}",
            self.since(i),
            self.quoted(g),
            self.run.note()
        );
        self.push(case, text, vec![claimed(g, self.run.from(i), value)]);
    }

    /// A part has the value at some position, of which the first is taken.
    fn some_time(&mut self, case: Case, part: FormulaId) {
        let (_, i, holds) = case;
        let places = self.run.from(i);
        let at = places
            .into_iter()
            .find(|&j| self.values[&part][j] == Some(holds));
        let at = at.expect("some position is the reason");
        let (g, value) = self.stripped(part, holds);
        let words = if self.is_plain(g) {
            format!(": {} is {value} {}", self.quoted(g), self.place(at, i))
        } else {
            String::new()
        };
        let text = self.said(case, &words);
        self.push(case, text, vec![claimed(g, vec![at], value)]);
        self.go_on((g, at, value));
    }

    /// `a U b` or `a W b`.
    fn until(&mut self, case: Case, (a, b): (FormulaId, FormulaId)) {
        let (_, i, holds) = case;
        let places = self.run.from(i);
        let is = |part: FormulaId, j: usize, value: bool| self.values[&part][j] == Some(value);
        // True: b comes, and a holds before. False: a ends, and b was not there up to then.
        let ends = |n: &usize| {
            if holds {
                is(b, places[*n], true)
            } else {
                is(a, places[*n], false)
            }
        };
        let lasts = |n: usize| {
            if holds {
                is(a, places[n], true)
            } else {
                is(b, places[n], false)
            }
        };
        let end = (0..places.len()).find(ends);
        let end = end.filter(|end| (0..*end + usize::from(!holds)).all(lasts));
        match (end, holds) {
            (Some(end), true) => self.up_to(case, (b, places[end]), (a, &places[..end])),
            (Some(end), false) => self.up_to(case, (a, places[end]), (b, &places[..=end])),
            (None, true) => self.ever(case, a, places),
            (None, false) => self.ever(case, b, places),
        }
    }

    /// `a R b`, or the same with `a` some time.
    fn release(&mut self, case: Case, (a, b): (FormulaId, FormulaId)) {
        let (_, i, holds) = case;
        let places = self.run.from(i);
        let is = |part: FormulaId, j: usize, value: bool| self.values[&part][j] == Some(value);
        // True: a comes, and b holds up to then. False: b ends, and a was not there before.
        let ends = |n: &usize| {
            if holds {
                is(a, places[*n], true)
            } else {
                is(b, places[*n], false)
            }
        };
        let lasts = |n: usize| {
            if holds {
                is(b, places[n], true)
            } else {
                is(a, places[n], false)
            }
        };
        let end = (0..places.len()).find(ends);
        let end = end.filter(|end| (0..*end + usize::from(holds)).all(lasts));
        match (end, holds) {
            (Some(end), true) => self.up_to(case, (a, places[end]), (b, &places[..=end])),
            (Some(end), false) => self.up_to(case, (b, places[end]), (a, &places[..end])),
            (None, true) => self.ever(case, b, places),
            (None, false) => self.ever(case, a, places),
        }
    }

    /// One part has the value at a position, and another one up to there.
    fn up_to(
        &mut self,
        case: Case,
        (end, at): (FormulaId, usize),
        (lasting, places): (FormulaId, &[usize]),
    ) {
        let (_, i, holds) = case;
        let (end, value) = self.stripped(end, holds);
        let mut words = format!(": {} is {value} {}", self.quoted(end), self.place(at, i));
        let mut premises = vec![claimed(end, vec![at], value)];
        if !places.is_empty() {
            let (lasting, value) = self.stripped(lasting, holds);
            words += &match places.contains(&at) {
                true => format!(", and {} is {value} up to then", self.quoted(lasting)),
                false => format!(", and {} is {value} before", self.quoted(lasting)),
            };
            premises.push(claimed(lasting, places.to_vec(), value));
        }
        let text = self.said(case, &words);
        self.push(case, text, premises);
        self.go_on((end, at, value));
    }

    /// A part has the value for ever.
    fn ever(&mut self, case: Case, part: FormulaId, places: Vec<usize>) {
        let (g, value) = self.stripped(part, case.2);
        let ever = if value { "always" } else { "never" };
        let note = self.run.note();
        let words = format!(": {} is {ever} true from there on{note}", self.quoted(g));
        let text = self.said(case, &words);
        self.push(case, text, vec![claimed(g, places, value)]);
    }

    /// Explains what is no atom.
    fn go_on(&mut self, (part, i, value): Case) {
        if !self.is_plain(part) {
            self.explain(part, i, value);
        }
    }

    fn push(&mut self, (f, i, holds): Case, text: String, premises: Vec<Claimed>) {
        self.reasons.push(Reason {
            step: self.run.steps[i],
            formula: self.text(f),
            text,
            claimed: claimed(f, vec![i], holds),
            premises,
        });
    }

    /// The operands of a row of one operator.
    fn operands(&self, f: FormulaId) -> Vec<FormulaId> {
        let is_and = matches!(self.pool.node(f), Node::And(..));
        match self.pool.node(f) {
            Node::And(a, b) | Node::Or(a, b) => {
                let same = |part: FormulaId| match self.pool.node(part) {
                    _ if self.strong_next(part).is_some() => false,
                    Node::And(..) => is_and,
                    Node::Or(..) => !is_and,
                    _ => false,
                };
                let parts = [a, b].into_iter();
                let parts = parts.flat_map(|part| {
                    if same(part) {
                        self.operands(part)
                    } else {
                        vec![part]
                    }
                });
                parts.collect()
            }
            _ => vec![f],
        }
    }

    /// The part without negations in front, and the value that it then has.
    fn stripped(&self, mut f: FormulaId, mut value: bool) -> (FormulaId, bool) {
        while let Node::Not(inner) = self.pool.node(f) {
            (f, value) = (inner, !value);
        }
        (f, value)
    }

    fn is_plain(&self, f: FormulaId) -> bool {
        matches!(self.pool.node(f), Node::Atom(_) | Node::True | Node::False)
    }

    /// That a part has its value at a position, and why.
    fn said(&self, (f, i, holds): Case, why: &str) -> String {
        format!("{} {} is {holds}{why}", self.place(i, i), self.quoted(f))
    }

    /// Where a position is, seen from another.
    fn place(&self, at: usize, from: usize) -> String {
        let again = if at < from {
            " when the loop comes round"
        } else {
            ""
        };
        match self.run.steps[at] {
            0 => format!("in the first state{again}"),
            step => format!("after step {step}{again}"),
        }
    }

    fn since(&self, i: usize) -> String {
        match self.run.steps[i] {
            0 => "from the first state on".to_owned(),
            step => format!("from step {step} on"),
        }
    }

    /// The formula as it was written: `X f` and `[op]` in place of what they mean.
    fn shown(&self, f: FormulaId, pool: &mut Pool, names: &mut Vec<String>) -> FormulaId {
        let node = self.pool.node(f);
        if let Some((_, next)) = self.strong_next(f) {
            if let Node::Atom(atom) = self.pool.node(next)
                && let Some(step) = self.atoms[atom.index()].strip_prefix(AFTER)
                && names.len() < Pool::N_ATOMS_MAX
            {
                names.push(format!("[{step}]"));
                return pool.atom(names.len() - 1);
            }
            let next = self.shown(next, pool, names);
            return pool.add(Node::Next(next));
        }
        let parts: Vec<FormulaId> = (node.parts())
            .map(|part| self.shown(part, pool, names))
            .collect();
        let made = match (node, &parts[..]) {
            (Node::Not(_), &[a]) => Node::Not(a),
            (Node::Next(_), &[a]) => Node::Next(a),
            (Node::Always(_), &[a]) => Node::Always(a),
            (Node::Eventually(_), &[a]) => Node::Eventually(a),
            (Node::And(..), &[a, b]) => Node::And(a, b),
            (Node::Or(..), &[a, b]) => Node::Or(a, b),
            (Node::Implies(..), &[a, b]) => Node::Implies(a, b),
            (Node::Iff(..), &[a, b]) => Node::Iff(a, b),
            (Node::Until(..), &[a, b]) => Node::Until(a, b),
            (Node::WeakUntil(..), &[a, b]) => Node::WeakUntil(a, b),
            (Node::Release(..), &[a, b]) => Node::Release(a, b),
            (Node::StrongRelease(..), &[a, b]) => Node::StrongRelease(a, b),
            _ => node,
        };
        pool.add(made)
    }

    fn quoted(&self, f: FormulaId) -> String {
        format!("`{}`", self.text(f))
    }

    fn text(&self, f: FormulaId) -> String {
        if let Node::Atom(atom) = self.pool.node(f)
            && let Some(text) = self.atoms.get(atom.index())
        {
            return text.clone();
        }
        let (mut shown, mut names) = (Pool::new(), self.atoms.to_vec());
        let f = self.shown(f, &mut shown, &mut names);
        // An atom may be as long as an expression can be.
        for name in &mut names {
            if name.contains(' ') && !is_enclosed(name) {
                *name = format!("({name})");
            }
        }
        print(&shown, f, &names, self.notation, FORMULA_MAX)
    }
}

/// What ProB's formulas call a state in which nothing can be done, and one that a step led to.
const DEADLOCK: &str = "deadlock";
const AFTER: &str = "after ";

/// Whether a text is in braces or the like that end where it ends.
fn is_enclosed(text: &str) -> bool {
    let mut depth = 0_i32;
    let n = text.chars().count();
    let opens = text.starts_with(['(', '{', '[']);
    opens
        && text.chars().enumerate().all(|(i, c)| {
            depth += match c {
                '(' | '{' | '[' => 1,
                ')' | '}' | ']' => -1,
                _ => 0,
            };
            depth > 0 || i + 1 == n
        })
}

fn claimed(formula: FormulaId, at: Vec<usize>, holds: bool) -> Claimed {
    Claimed { formula, at, holds }
}

fn not(a: Option<bool>) -> Option<bool> {
    a.map(|a| !a)
}

fn and(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn or(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    not(and(not(a), not(b)))
}
