//! The plain meaning of a formula, on the unreduced system, where that is small.
//!
//! Everything here is made anew: the states that can be reached are those of the system without
//! symmetry, kept whole; every operator is evaluated by its own equation, until nothing changes.
//! It shares neither the graph nor the few operators nor the algorithms of the evaluation that it
//! is held against.
//!
//! | operator | set `Z` | equation |
//! |---|---|---|
//! | `F f` | least | `f ∨ pre(Z)` |
//! | `G f` | greatest | `f ∧ pre(Z)` |
//! | `f U g` | least | `g ∨ (f ∧ pre(Z))` |
//! | `f W g` | greatest | `g ∨ (f ∧ pre(Z))` |
//! | `f R g` | greatest | `g ∧ (f ∨ pre(Z))` |
//!
//! Here `pre(Z)` are the states all of whose successors are in `Z`, for `A`, or one of them, for
//! `E`. A state without moves follows itself.
//!
//! Worked example: `0→1, 1→1`, `AF p` with `p` in 1: {1}, then {0, 1}, then nothing changes.

use std::collections::HashMap;
use std::ops::ControlFlow;
use system::System;
use system::branching::{Binary, Fixpoint, Formula, Quantifier, Unary};

/// The most states that are looked at.
pub const STATES_MAX: usize = 20_000;
/// The most looks at edges.
const LOOKS_MAX: usize = 20_000_000;

/// What can be reached from some states.
pub struct Plain {
    edges: Vec<Vec<usize>>,
    letters: Vec<Vec<bool>>,
    n_starts: usize,
    n_looks: usize,
    /// What variables of fixpoints stand for.
    variables: HashMap<u32, Vec<bool>>,
}

impl Plain {
    /// What can be reached from these states; `None` if that is too much, or something goes wrong.
    pub fn from(system: &dyn System, starts: &[Vec<u8>], states_max: usize) -> Option<Plain> {
        let mut scratch = system.scratch();
        let mut numbers: HashMap<Vec<u8>, usize> = HashMap::new();
        let mut states: Vec<Vec<u8>> = Vec::new();
        for start in starts {
            if !numbers.contains_key(start) {
                numbers.insert(start.clone(), states.len());
                states.push(start.clone());
            }
        }
        let n_starts = states.len();
        let mut plain = Plain {
            edges: Vec::new(),
            letters: Vec::new(),
            n_starts,
            n_looks: 0,
            variables: HashMap::new(),
        };
        while let Some(state) = states.get(plain.edges.len()).cloned() {
            let mut letter = Vec::new();
            system.atoms(&state, &mut scratch, &mut letter).ok()?;
            plain.letters.push(letter);
            let (mut edges, mut lost) = (Vec::new(), false);
            system.successors(&state, &mut scratch, &mut |mv| {
                let Some(after) = mv.state.filter(|_| states.len() <= states_max) else {
                    lost = true;
                    return ControlFlow::Break(());
                };
                let next = states.len();
                let number = *numbers.entry(after.to_vec()).or_insert(next);
                if number == next {
                    states.push(after.to_vec());
                }
                edges.push(number);
                ControlFlow::Continue(())
            });
            if lost || states.len() > states_max {
                return None;
            }
            if edges.is_empty() {
                edges.push(plain.edges.len());
            }
            plain.edges.push(edges);
        }
        Some(plain)
    }

    /// How many states there are.
    pub fn n_states(&self) -> usize {
        self.edges.len()
    }

    /// Whether a formula is true of all the states it began with; `None` if that takes too long.
    pub fn holds(&mut self, formula: &Formula) -> Option<bool> {
        self.n_looks = 0;
        let set = self.set(formula)?;
        Some(set[..self.n_starts].iter().all(|value| *value))
    }

    fn set(&mut self, formula: &Formula) -> Option<Vec<bool>> {
        let both = |plain: &mut Plain, f, g, join: fn(bool, bool) -> bool| {
            let (f, g) = (plain.set(f)?, plain.set(g)?);
            Some(f.into_iter().zip(g).map(|(f, g)| join(f, g)).collect())
        };
        match formula {
            Formula::Constant(value) => Some(vec![*value; self.n_states()]),
            Formula::Atom(n) => {
                let atom = |letter: &Vec<bool>| letter.get(*n as usize).copied();
                self.letters.iter().map(atom).collect()
            }
            Formula::Not(f) => Some(self.set(f)?.into_iter().map(|f| !f).collect()),
            Formula::And(f, g) => both(self, f, g, |f, g| f && g),
            Formula::Or(f, g) => both(self, f, g, |f, g| f || g),
            Formula::Implies(f, g) => both(self, f, g, |f, g| !f || g),
            Formula::Iff(f, g) => both(self, f, g, |f, g| f == g),
            Formula::Unary(quantifier, unary, f) => {
                let f = self.set(f)?;
                match unary {
                    Unary::Next => Some(
                        (0..self.n_states())
                            .map(|s| self.pre(*quantifier, s, &f))
                            .collect(),
                    ),
                    Unary::Finally => self.fixpoint(*quantifier, false, &|s, pre| f[s] || pre),
                    Unary::Globally => self.fixpoint(*quantifier, true, &|s, pre| f[s] && pre),
                    past => self.reached(*quantifier, *past, &f),
                }
            }
            Formula::Binary(quantifier, binary, f, g) => {
                let (f, g) = (self.set(f)?, self.set(g)?);
                let until = |s: usize, pre: bool| g[s] || (f[s] && pre);
                let release = |s: usize, pre: bool| g[s] && (f[s] || pre);
                match binary {
                    Binary::Until => self.fixpoint(*quantifier, false, &until),
                    Binary::WeakUntil => self.fixpoint(*quantifier, true, &until),
                    Binary::Release => self.fixpoint(*quantifier, true, &release),
                    Binary::Since => self.since(*quantifier, &f, &g),
                }
            }
            Formula::Fixpoint(which, x, f) => self.equation(*which, *x, f),
            Formula::Variable(x) => self.variables.get(x).cloned(),
            // Runs need an automaton; there is none here.
            Formula::Runs(..) => None,
        }
    }

    /// `EY f` and the like.
    fn reached(&mut self, quantifier: Quantifier, unary: Unary, f: &[bool]) -> Option<Vec<bool>> {
        // For all ways: the dual of what some way does.
        let is_all = quantifier == Quantifier::All;
        let f: Vec<bool> = f.iter().map(|f| *f != is_all).collect();
        let found = match (unary, is_all) {
            (Unary::Yesterday, _) => self.history(&|s, ways| {
                let fails = is_all && ways.begins(s);
                fails || (0..f.len()).any(|t| f[t] && ways.leads(t, s))
            })?,
            (Unary::Once, false) | (Unary::Historically, true) => {
                self.history(&|s, ways| f[s] || ways.comes(s))?
            }
            _ => self.history(&|s, ways| f[s] && (ways.begins(s) || ways.comes(s)))?,
        };
        Some(found.into_iter().map(|found| found != is_all).collect())
    }

    /// `E[f since g]`, `A[f since g]`.
    fn since(&mut self, quantifier: Quantifier, f: &[bool], g: &[bool]) -> Option<Vec<bool>> {
        if quantifier == Quantifier::Some {
            return self.history(&|s, ways| g[s] || f[s] && ways.comes(s));
        }
        // It fails on some way: `g` was not so since neither was, or since the beginning.
        let fails = self.history(&|s, ways| {
            let neither = !g[s] && !f[s];
            neither || !g[s] && (ways.begins(s) || ways.comes(s))
        })?;
        Some(fails.into_iter().map(|fails| !fails).collect())
    }

    /// `mu X. f`, `nu X. f`.
    fn equation(&mut self, which: Fixpoint, x: u32, f: &Formula) -> Option<Vec<bool>> {
        let start = vec![which == Fixpoint::Greatest; self.n_states()];
        let around = self.variables.insert(x, start);
        loop {
            self.n_looks += self.n_states();
            let next = self.set(f).filter(|_| self.n_looks <= LOOKS_MAX)?;
            if self.variables.insert(x, next.clone()).as_ref() == Some(&next) {
                match around {
                    Some(around) => self.variables.insert(x, around),
                    None => self.variables.remove(&x),
                };
                return Some(next);
            }
        }
    }

    /// The smallest set that a rule about how states are reached gives again.
    fn history(&mut self, rule: &dyn Fn(usize, &Ways<'_>) -> bool) -> Option<Vec<bool>> {
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.n_states()];
        for (from, edges) in self.edges.iter().enumerate() {
            edges.iter().for_each(|to| before[*to].push(from));
        }
        let mut set = vec![false; self.n_states()];
        loop {
            self.n_looks += self.edges.iter().map(Vec::len).sum::<usize>();
            if self.n_looks > LOOKS_MAX {
                return None;
            }
            let ways = Ways {
                plain: self,
                before: &before,
                set: &set,
            };
            let next: Vec<bool> = (0..set.len()).map(|s| rule(s, &ways)).collect();
            if next == set {
                return Some(set);
            }
            set = next;
        }
    }

    fn pre(&self, quantifier: Quantifier, state: usize, set: &[bool]) -> bool {
        let mut edges = self.edges[state].iter();
        match quantifier {
            Quantifier::All => edges.all(|to| set[*to]),
            Quantifier::Some => edges.any(|to| set[*to]),
        }
    }

    /// The set that a rule gives again, from nothing or from everything on.
    fn fixpoint(
        &mut self,
        quantifier: Quantifier,
        start: bool,
        rule: &dyn Fn(usize, bool) -> bool,
    ) -> Option<Vec<bool>> {
        let mut set = vec![start; self.n_states()];
        let n_edges: usize = self.edges.iter().map(Vec::len).sum();
        loop {
            self.n_looks += n_edges;
            if self.n_looks > LOOKS_MAX {
                return None;
            }
            let mut changed = false;
            // States that follow others mostly have higher numbers.
            for state in (0..self.n_states()).rev() {
                let value = rule(state, self.pre(quantifier, state, &set));
                changed |= value != set[state];
                set[state] = value;
            }
            if !changed {
                return Some(set);
            }
        }
    }
}

/// How states are reached, and what is said of those before so far.
struct Ways<'a> {
    plain: &'a Plain,
    before: &'a [Vec<usize>],
    set: &'a [bool],
}

impl Ways<'_> {
    /// Whether runs begin here.
    fn begins(&self, state: usize) -> bool {
        state < self.plain.n_starts
    }

    /// Whether a state from which a move leads here is in the set.
    fn comes(&self, state: usize) -> bool {
        self.before[state].iter().any(|from| self.set[*from])
    }

    /// Whether a move leads from one state to another.
    fn leads(&self, from: usize, to: usize) -> bool {
        self.before[to].contains(&from)
    }
}
