//! What kind of property a formula is.
//!
//! - *Safety*: whatever violates it does so after finitely many letters. It is one if no word that
//!   the automaton can follow for ever, accepted or not, violates the formula.
//! - *Co-safety*: its negation is a safety property; finitely many letters are enough to satisfy
//!   it.
//! - *Stutter-invariant*: it does not matter how often a letter is repeated before the next comes.
//!   It is if no word of it becomes one of its negation by repeating letters, nor the other way
//!   round. Every word is its shortest form with letters repeated, so that this is enough.
//!
//! Where the text of the simplified formula shows the answer, nothing is computed: no `U` and no
//! `<>` make safety, no `R` and no `[]` co-safety, no `X` stutter invariance. Otherwise automata
//! are asked (after Alpern and Schneider 1987, and Michaud and Duret-Lutz 2015), which gives exact
//! answers where the formula is small, and [`Known::Unknown`] where it is not.
//!
//! Worked example: `<> (p && X !p)` has an `X` and is stutter-invariant: it says that `p` holds
//! some time and stops later.

use super::automaton::{Buchi, Edge};
use super::cube::Cube;
use super::formula::{FormulaId, Node, Pool};
use super::product::intersect;
use super::{Limits, Steps, TooLarge};

/// An answer, if there is one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Known {
    /// It is so.
    Yes,
    /// It is not so.
    No,
    /// The question was too large.
    Unknown,
}

/// What kind of property a formula is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Traits {
    /// Violations show after finitely many letters.
    pub safety: Known,
    /// Satisfaction shows after finitely many letters.
    pub co_safety: Known,
    /// Repeating letters changes nothing.
    pub stutter_invariant: Known,
}

/// How many letters are spelled out, at most.
const N_STUTTER_ATOMS_MAX: u32 = 5;
/// How many edges with letters spelled out there may be.
const N_STUTTER_EDGES_MAX: usize = 20_000;

/// What kind of property a formula is.
///
/// # Requires
/// The formula is simplified; `yes` is the automaton of it and `no` that of its negation, as
/// [`super::automaton_of`] makes them, if it is not too large.
pub fn classify(
    pool: &Pool,
    f: FormulaId,
    yes: &Buchi,
    no: Option<&Buchi>,
    limits: &Limits,
) -> Traits {
    let nodes: Vec<Node> = pool.parts_of(f).iter().map(|p| pool.node(*p)).collect();
    let none = |is: fn(&Node) -> bool| !nodes.iter().any(is);
    let steps = || Steps::new(limits.n_steps_max);
    let by_text = |text: bool, asked: &dyn Fn(&Buchi) -> Result<bool, TooLarge>| match (text, no) {
        (true, _) => Known::Yes,
        (false, None) => Known::Unknown,
        (false, Some(no)) => match asked(no) {
            Ok(true) => Known::Yes,
            Ok(false) => Known::No,
            Err(_) => Known::Unknown,
        },
    };
    Traits {
        safety: by_text(
            none(|n| matches!(n, Node::Until(..) | Node::Eventually(_))),
            &|no| Ok(!intersect(&closure(yes), no, &mut steps())?),
        ),
        co_safety: by_text(
            none(|n| matches!(n, Node::Release(..) | Node::Always(_))),
            &|no| Ok(!intersect(&closure(no), yes, &mut steps())?),
        ),
        stutter_invariant: by_text(none(|n| matches!(n, Node::Next(_))), &|no| {
            let there = intersect(&stuttering(yes, no)?, no, &mut steps())?;
            Ok(!there && !intersect(&stuttering(no, yes)?, yes, &mut steps())?)
        }),
    }
}

/// The automaton that accepts what this one can follow for ever.
fn closure(buchi: &Buchi) -> Buchi {
    Buchi {
        accepting: vec![true; buchi.n_states()],
        edges: buchi.edges.clone(),
    }
}

/// The automaton of the words in which letters are repeated any number of times; it spells out the
/// letters over the atoms of both automata.
fn stuttering(buchi: &Buchi, other: &Buchi) -> Result<Buchi, TooLarge> {
    let atoms = buchi.atoms() | other.atoms();
    if atoms.count_ones() > N_STUTTER_ATOMS_MAX {
        return Err(TooLarge(format!("{N_STUTTER_ATOMS_MAX} atoms")));
    }
    let bits: Vec<u64> = (0..64).map(|i| 1 << i).filter(|b| atoms & b != 0).collect();
    let letters: Vec<u64> = (0..1_usize << bits.len())
        .map(|n| {
            let chosen = bits.iter().enumerate().filter(|(i, _)| n >> i & 1 == 1);
            chosen.fold(0, |all, (_, bit)| all | bit)
        })
        .collect();
    let n = buchi.n_states();
    if buchi.n_edges() * letters.len() > N_STUTTER_EDGES_MAX {
        return Err(TooLarge(format!("{N_STUTTER_EDGES_MAX} edges")));
    }
    let mut accepting = buchi.accepting.clone();
    accepting.extend(vec![false; n * letters.len()]);
    let mut edges = vec![Vec::new(); accepting.len()];
    for (l, letter) in letters.iter().enumerate() {
        let guard = Cube {
            yes: *letter,
            no: atoms & !letter,
        };
        // Either on to the target, or waiting before it for the same letter.
        let ways = |target: usize| {
            [target, n + l * n + target].map(|target| Edge {
                guard,
                target,
                marks: 0,
            })
        };
        for (s, from) in buchi.edges.iter().enumerate() {
            for edge in from.iter().filter(|e| e.guard.holds(*letter)) {
                edges[s].extend(ways(edge.target));
            }
            edges[n + l * n + s].extend(ways(s));
        }
    }
    Ok(Buchi { accepting, edges })
}
