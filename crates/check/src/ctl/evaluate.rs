//! Which states satisfy which parts of a formula.
//!
//! Parts are evaluated in order, those inside first, each as a set of states in bits. `EX f` is
//! what leads into `f` by an edge. `E[f U g]` grows backwards from `g` over states of `f`. `EG f`
//! shrinks: for each state of `f` its edges into what is left are counted, and a state with none
//! goes, which takes an edge from each state before it. Each of the three looks at an edge once, so
//! that a formula with `k` parts costs `k` times the size of the graph. What is asked of runs, and
//! fixpoints, are evaluated apart ([`super::runs`], [`super::fixpoint`]).
//!
//! Worked example: `0→1, 0→2, 1→0, 2→2`, `p` in 0 and 1, `EG p`: the counts are 1 for 0 and 1 for
//! 1; nothing goes. If `p` were in 0 only, its count would be 0, and nothing would be left.
//!
//! Source: Clarke, Emerson and Sistla 1986. They find `EG` by strongly connected parts; the counts
//! are as fast and need no second search.

use super::fixpoint::FixpointEvaluator;
use super::formula::{Core, Part};
use super::graph::{Edges, Graph, Missing};
use super::runs::{FairRuns, Pairs};
use crate::ltl::Buchi;
use crate::outcome::StopReason;
use crate::temporal::asked::automaton;
use base::memory::Account;

/// A set of states.
#[derive(Clone, Default, Debug)]
pub struct Bits {
    words: Vec<u64>,
}

impl Bits {
    fn new(n: usize, account: &mut Account) -> Result<Bits, StopReason> {
        let mut words = Vec::new();
        account.reserve(&mut words, n.div_ceil(64))?;
        words.resize(n.div_ceil(64), 0);
        Ok(Bits { words })
    }

    /// The states for which it is said.
    fn of(all: &[bool], account: &mut Account) -> Result<Bits, StopReason> {
        let mut bits = Bits::new(all.len(), account)?;
        for (node, _) in all.iter().enumerate().filter(|(_, is)| **is) {
            bits.add(node as u32);
        }
        Ok(bits)
    }

    /// Whether a state is in it.
    pub fn has(&self, node: u32) -> bool {
        self.words[node as usize / 64] >> (node % 64) & 1 == 1
    }

    fn add(&mut self, node: u32) {
        self.words[node as usize / 64] |= 1 << (node % 64);
    }

    fn remove(&mut self, node: u32) {
        self.words[node as usize / 64] &= !(1 << (node % 64));
    }
}

/// The sets of the parts of a formula.
pub struct Evaluation {
    /// By number of the part. Beyond the last state bits may be anything.
    sets: Vec<Bits>,
    /// By number of what is asked of runs: the automaton of it.
    automata: Vec<Buchi>,
}

/// What a formula is evaluated on.
pub struct Base<'a> {
    /// The states.
    pub graph: &'a Graph,
    /// Which runs count; all, if nothing is said.
    pub fair: Option<&'a FairRuns<'a>>,
}

/// How many states there are between two looks at the clock.
const TICKS: usize = 1 << 14;

/// Who is asked from time to time whether to go on.
pub type Tick<'a> = &'a dyn Fn() -> Result<(), StopReason>;

impl Evaluation {
    /// The sets of all parts.
    pub fn of(
        core: &Core,
        base: &Base<'_>,
        account: &mut Account,
        tick: Tick<'_>,
    ) -> Result<Evaluation, Missing> {
        let mut all = Evaluation {
            sets: Vec::new(),
            automata: Vec::new(),
        };
        for run in &core.runs {
            let automaton = automaton(&run.formula, run.atoms.len());
            all.automata.push(automaton.map_err(|_| Missing::Large)?);
        }
        for part in &core.parts {
            tick()?;
            let set = match part {
                Part::Run(number) => {
                    let letters = all.letters(core, *number, base.graph);
                    let pairs = Pairs::new(base.graph, &all.automata[*number], &letters);
                    let starts = pairs.starts(base.fair, account)?;
                    Bits::of(&starts, account)?
                }
                Part::Fixpoint(number) => {
                    let mut evaluator = FixpointEvaluator::new(base.graph, tick);
                    Bits::of(&evaluator.set(&core.fixpoints[*number])?, account)?
                }
                part => all.set(*part, base.graph, account, tick)?,
            };
            all.sets.push(set);
        }
        Ok(all)
    }

    /// By state: which atoms are true of what is asked of runs.
    fn letters(&self, core: &Core, run: usize, graph: &Graph) -> Vec<u64> {
        let atoms = &core.runs[run].atoms;
        let letter = |node: u32| {
            let parts = atoms.iter().enumerate();
            parts.fold(0, |all, (i, part)| {
                all | u64::from(self.holds(*part, node)) << i
            })
        };
        (0..graph.n_states() as u32).map(letter).collect()
    }

    /// A run from a state that is as asked: states on the way, and then again and again.
    pub fn lasso(
        &self,
        core: &Core,
        run: usize,
        (graph, start): (&Graph, u32),
    ) -> Option<(Vec<u32>, Vec<u32>)> {
        let letters = self.letters(core, run, graph);
        Pairs::new(graph, &self.automata[run], &letters).lasso(start)
    }

    /// Whether a part is true of a state.
    pub fn holds(&self, part: usize, node: u32) -> bool {
        self.sets[part].has(node)
    }

    fn set(
        &self,
        part: Part,
        graph: &Graph,
        account: &mut Account,
        tick: Tick<'_>,
    ) -> Result<Bits, StopReason> {
        let n = graph.n_states();
        let mut out = Bits::new(n, account)?;
        let words = out.words.iter_mut();
        match part {
            Part::True => words.for_each(|word| *word = u64::MAX),
            Part::Atom(atom) => {
                for (node, letter) in graph.letters.iter().enumerate() {
                    if letter >> atom & 1 == 1 {
                        out.add(node as u32);
                    }
                }
            }
            Part::Not(f) => {
                let with = words.zip(&self.sets[f].words);
                with.for_each(|(word, f)| *word = !f);
            }
            Part::And(f, g) => {
                let with = words.zip(&self.sets[f].words).zip(&self.sets[g].words);
                with.for_each(|((word, f), g)| *word = f & g);
            }
            Part::Or(f, g) => {
                let with = words.zip(&self.sets[f].words).zip(&self.sets[g].words);
                with.for_each(|((word, f), g)| *word = f | g);
            }
            Part::Next(f) => {
                for node in 0..n as u32 {
                    if graph.next.of(node).iter().any(|to| self.holds(f, *to)) {
                        out.add(node);
                    }
                }
            }
            Part::First => graph.initial.iter().for_each(|node| out.add(*node)),
            Part::Before(f) => {
                for node in 0..n as u32 {
                    if graph.back.of(node).iter().any(|from| self.holds(f, *from)) {
                        out.add(node);
                    }
                }
            }
            Part::Until(f, g) => {
                let from: Vec<u32> = self.nodes(g, graph).collect();
                self.grow(f, (from, &graph.back), (account, tick), &mut out)?;
            }
            Part::Since(f, g) => {
                let from: Vec<u32> = self.nodes(g, graph).collect();
                self.grow(f, (from, &graph.next), (account, tick), &mut out)?;
            }
            Part::SomeHistory(f) => {
                let first = graph.initial.iter().copied();
                let from: Vec<u32> = first.filter(|node| self.holds(f, *node)).collect();
                self.grow(f, (from, &graph.next), (account, tick), &mut out)?;
            }
            Part::Run(_) | Part::Fixpoint(_) => unreachable!("evaluated apart"),
            Part::Globally(f) => self.globally(f, graph, (account, tick), &mut out)?,
        }
        Ok(out)
    }

    /// The states of which a part is true.
    fn nodes(&self, part: usize, graph: &Graph) -> impl Iterator<Item = u32> + use<'_> {
        (0..graph.n_states() as u32).filter(move |node| self.holds(part, *node))
    }

    /// All that edges lead to from some states, over states of `f`: for `E[f U g]` backwards from
    /// `g`, for what is past forwards.
    fn grow(
        &self,
        f: usize,
        (from, edges): (Vec<u32>, &Edges),
        (account, tick): (&mut Account, Tick<'_>),
        out: &mut Bits,
    ) -> Result<(), StopReason> {
        let mut open: Vec<u32> = Vec::new();
        for node in from {
            out.add(node);
            account.push(&mut open, node)?;
        }
        let mut n = 0_usize;
        while let Some(node) = open.pop() {
            n += 1;
            if n.is_multiple_of(TICKS) {
                tick()?;
            }
            for &next in edges.of(node) {
                if self.holds(f, next) && !out.has(next) {
                    out.add(next);
                    account.push(&mut open, next)?;
                }
            }
        }
        account.give(base::memory::vec_bytes(&open));
        Ok(())
    }

    /// `EG f`: `f` without the states that have no edge into what is left.
    fn globally(
        &self,
        f: usize,
        graph: &Graph,
        (account, tick): (&mut Account, Tick<'_>),
        out: &mut Bits,
    ) -> Result<(), StopReason> {
        let (mut counts, mut open): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
        account.reserve(&mut counts, graph.n_states())?;
        for node in 0..graph.n_states() as u32 {
            let inside = graph.next.of(node).iter().filter(|to| self.holds(f, **to));
            let count = inside.count() as u32;
            counts.push(count);
            if self.holds(f, node) {
                out.add(node);
                if count == 0 {
                    account.push(&mut open, node)?;
                }
            }
        }
        let mut n = 0_usize;
        while let Some(node) = open.pop() {
            n += 1;
            if n.is_multiple_of(TICKS) {
                tick()?;
            }
            out.remove(node);
            for &before in graph.back.of(node) {
                let count = &mut counts[before as usize];
                *count -= 1;
                if *count == 0 && self.holds(f, before) {
                    account.push(&mut open, before)?;
                }
            }
        }
        account.give(base::memory::vec_bytes(&counts) + base::memory::vec_bytes(&open));
        Ok(())
    }
}
