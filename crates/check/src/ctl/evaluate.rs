//! Which states satisfy which parts of a formula.
//!
//! Parts are evaluated in order, those inside first, each as a set of states in bits. `EX f` is
//! what leads into `f` by an edge. `E[f U g]` grows backwards from `g` over states of `f`. `EG f`
//! shrinks: for each state of `f` its edges into what is left are counted, and a state with none
//! goes, which takes an edge from each state before it. Each of the three looks at an edge once, so
//! that a formula with `k` parts costs `k` times the size of the graph.
//!
//! Worked example: `0→1, 0→2, 1→0, 2→2`, `p` in 0 and 1, `EG p`: the counts are 1 for 0 and 1 for
//! 1; nothing goes. If `p` were in 0 only, its count would be 0, and nothing would be left.
//!
//! Source: Clarke, Emerson and Sistla 1986. They find `EG` by strongly connected parts; the counts
//! are as fast and need no second search.

use super::formula::{Core, Part};
use super::graph::Graph;
use crate::outcome::StopReason;
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
}

/// How many states there are between two looks at the clock.
const TICKS: usize = 1 << 14;

/// Who is asked from time to time whether to go on.
pub type Tick<'a> = &'a dyn Fn() -> Result<(), StopReason>;

impl Evaluation {
    /// The sets of all parts.
    pub fn of(
        core: &Core,
        graph: &Graph,
        account: &mut Account,
        tick: Tick<'_>,
    ) -> Result<Evaluation, StopReason> {
        let mut all = Evaluation { sets: Vec::new() };
        for part in &core.parts {
            tick()?;
            let set = all.set(*part, graph, account, tick)?;
            all.sets.push(set);
        }
        Ok(all)
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
            Part::Until(f, g) => self.until((f, g), graph, (account, tick), &mut out)?,
            Part::Globally(f) => self.globally(f, graph, (account, tick), &mut out)?,
        }
        Ok(out)
    }

    /// `E[f U g]`: backwards from `g` over `f`.
    fn until(
        &self,
        (f, g): (usize, usize),
        graph: &Graph,
        (account, tick): (&mut Account, Tick<'_>),
        out: &mut Bits,
    ) -> Result<(), StopReason> {
        let mut open: Vec<u32> = Vec::new();
        for node in (0..graph.n_states() as u32).filter(|node| self.holds(g, *node)) {
            out.add(node);
            account.push(&mut open, node)?;
        }
        let mut n = 0_usize;
        while let Some(node) = open.pop() {
            n += 1;
            if n.is_multiple_of(TICKS) {
                tick()?;
            }
            for &before in graph.back.of(node) {
                if self.holds(f, before) && !out.has(before) {
                    out.add(before);
                    account.push(&mut open, before)?;
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
