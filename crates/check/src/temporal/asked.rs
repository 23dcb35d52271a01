//! From what is asked of infinite runs to a claim that a search can use.
//!
//! A formula is violated by a run that satisfies its negation, so its claim is the automaton of the
//! negation. If the formula is a safety property, a claim with a bad state is made instead: the
//! states of it that a search meets are fewer, and the run it finds is a shortest one.
//!
//! Worked example: `[] p` becomes a claim of two states: stay under `p`, and under `!p` go to the
//! bad one. `<> p` becomes a claim of one state that accepts, and stays there under `!p`.

use super::past::{self, Present};
use super::{Claim, ClaimEdge, ClaimState};
use crate::ltl::{
    self, Cube, FormulaId, Known, Lasso as Word, Limits, Node, Pool, TooLarge, automaton_of,
};
use model::processes::property::Body;
use system::formula::Formula;

/// The most atoms of a formula.
const ATOMS_MAX: usize = 64;
/// What a translation may spend.
const LIMITS: Limits = Limits {
    n_states_max: 20_000,
    n_edges_max: 1_000_000,
    n_steps_max: 200_000_000,
};

/// What is asked, ready for a search.
pub struct Asked {
    /// Accepts the runs that are wrong.
    pub claim: Claim,
    /// Whether moves that change no atom can be left out.
    pub is_stutter_invariant: bool,
    /// The formula, if it is one, for looking at a run without the claim.
    formula: Option<WholeFormula>,
}

/// A formula by which runs are looked at.
enum WholeFormula {
    /// One about what is to come.
    Future(Pool, FormulaId),
    /// One with operators of the past.
    Past(Formula),
}

impl Asked {
    /// What a property asks, which has so many atoms.
    pub fn of(body: &Body, n_atoms: usize) -> Result<Asked, TooLarge> {
        match body {
            Body::Claim(claim) => Ok(Asked {
                claim: joined(claim.clone()),
                is_stutter_invariant: false,
                formula: None,
            }),
            Body::Formula(_) if n_atoms > ATOMS_MAX => Err(TooLarge(format!("{ATOMS_MAX} atoms"))),
            Body::Formula(formula) => of_formula(formula, n_atoms),
        }
    }

    /// Whether a run is wrong whose states have these atoms, the last of them followed by the one
    /// at `loop_from` for ever: by the meaning of the formula, or by plain search in the claim.
    pub fn is_wrong(&self, word: &[Vec<bool>], loop_from: usize) -> bool {
        let (pool, formula) = match &self.formula {
            None => return self.claim.accepts(word, loop_from),
            Some(WholeFormula::Past(formula)) => return !past::holds(formula, word, loop_from),
            Some(WholeFormula::Future(pool, formula)) => (pool, formula),
        };
        let letter = |atoms: &Vec<bool>| {
            let bits = atoms.iter().enumerate();
            bits.fold(0, |letter, (i, atom)| letter | u64::from(*atom) << i)
        };
        let word = Word::new(word.iter().map(letter).collect(), loop_from);
        !word.satisfies(pool, *formula)
    }
}

/// The claim with one way of being wrong: if it has accepting states, its bad ones are accepting
/// too, and never left.
fn joined(mut claim: Claim) -> Claim {
    if claim.is_safety() {
        return claim;
    }
    for (at, state) in claim.states.iter_mut().enumerate() {
        if std::mem::take(&mut state.is_bad) {
            state.is_accepting = true;
            state.edges = vec![ClaimEdge {
                literals: Vec::new(),
                target: at as u16,
            }];
        }
    }
    claim
}

/// A formula in a pool, with operators of the past made present.
struct Entry {
    pool: Pool,
    formula: FormulaId,
    /// What holds of the atoms that were added.
    axioms: FormulaId,
    n_atoms: usize,
    n_added: usize,
}

impl Entry {
    fn of(formula: &Formula, n_atoms: usize) -> Result<Entry, TooLarge> {
        let mut pool = Pool::new();
        let present = Present::of(formula, n_atoms);
        if present.n_atoms > ATOMS_MAX {
            let limit = format!("{ATOMS_MAX} atoms and operators of the past");
            return Err(TooLarge(limit));
        }
        let formula = enter(&mut pool, &present.formula, Entered::Plain);
        let axioms = enter(&mut pool, &Formula::And(present.axioms), Entered::Plain);
        Ok(Entry {
            pool,
            formula,
            axioms,
            n_atoms,
            n_added: present.n_atoms - n_atoms,
        })
    }

    /// A formula of the pool, simplified, and its automaton over the atoms that are seen.
    fn automaton(&mut self, f: FormulaId) -> Result<(FormulaId, ltl::Buchi), TooLarge> {
        let whole = self.pool.add(Node::And(f, self.axioms));
        let simple = ltl::simplify(&mut self.pool, whole);
        let automaton = automaton_of(&mut self.pool, simple, &LIMITS)?;
        if self.n_added == 0 {
            return Ok((simple, automaton));
        }
        let seen = automaton.only_of(self.n_atoms);
        Ok((simple, ltl::simulation::reduce_buchi(seen, &LIMITS)?))
    }
}

/// An automaton of the words over so many atoms that satisfy a formula.
pub(crate) fn automaton(formula: &Formula, n_atoms: usize) -> Result<ltl::Buchi, TooLarge> {
    let mut entry = Entry::of(formula, n_atoms)?;
    Ok(entry.automaton(entry.formula)?.1)
}

fn of_formula(formula: &Formula, n_atoms: usize) -> Result<Asked, TooLarge> {
    let mut entry = Entry::of(formula, n_atoms)?;
    let f = entry.formula;
    let yes = entry.automaton(f);
    let negation = entry.pool.not(f);
    let (_, no) = entry.automaton(negation)?;
    let pool = entry.pool;
    let traits = match &yes {
        Ok((simple, yes)) => Some(ltl::classify(&pool, *simple, yes, Some(&no), &LIMITS)),
        Err(_) => None,
    };
    let monitor = match (&yes, &traits) {
        (Ok((_, yes)), Some(traits)) if traits.safety == Known::Yes => {
            ltl::monitor(yes, &LIMITS).ok()
        }
        _ => None,
    };
    let claim = match monitor {
        Some(monitor) => watching(&monitor)?,
        None => accepting(&no)?,
    };
    let stutters = traits.is_some_and(|traits| traits.stutter_invariant == Known::Yes);
    let whole = if formula.has_past() {
        WholeFormula::Past(formula.clone())
    } else {
        WholeFormula::Future(pool, f)
    };
    Ok(Asked {
        claim,
        is_stutter_invariant: stutters || !formula.counts_moments(),
        formula: Some(whole),
    })
}

/// How a formula is entered.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Entered {
    /// With the operators that it has.
    Plain,
    /// With implications and equivalences where they were written, and negations where they stand.
    AsWritten,
}

/// Enters a formula.
///
/// # Requires
/// There are no operators of the past in it.
pub(super) fn enter(pool: &mut Pool, formula: &Formula, how: Entered) -> FormulaId {
    let mut two = |a: &Formula, b: &Formula, node: fn(FormulaId, FormulaId) -> Node| {
        let (a, b) = (enter(pool, a, how), enter(pool, b, how));
        pool.add(node(a, b))
    };
    match formula {
        Formula::Until(a, b) => return two(a, b, Node::Until),
        Formula::WeakUntil(a, b) => return two(a, b, Node::WeakUntil),
        Formula::Release(a, b) => return two(a, b, Node::Release),
        Formula::Or(all) if how == Entered::AsWritten => match &all[..] {
            [Formula::And(both), Formula::And(none)] => {
                if let ([a, b], [Formula::Not(not_a), Formula::Not(not_b)]) = (&both[..], &none[..])
                    && (a, b) == (&**not_a, &**not_b)
                {
                    return two(a, b, Node::Iff);
                }
            }
            [Formula::Not(a), b] => return two(a, b, Node::Implies),
            _ => {}
        },
        _ => {}
    }
    let many = |pool: &mut Pool, all: &[Formula], node: fn(FormulaId, FormulaId) -> Node| {
        let all: Vec<FormulaId> = all.iter().map(|f| enter(pool, f, how)).collect();
        all.into_iter().reduce(|a, b| pool.add(node(a, b)))
    };
    let (a, node): (_, fn(FormulaId) -> Node) = match formula {
        Formula::Atom(n) => return pool.atom(*n as usize),
        Formula::And(all) => {
            let joined = many(pool, all, Node::And);
            return joined.unwrap_or_else(|| pool.constant(true));
        }
        Formula::Or(all) => {
            let joined = many(pool, all, Node::Or);
            return joined.unwrap_or_else(|| pool.constant(false));
        }
        Formula::Not(a) if how == Entered::Plain => {
            let a = enter(pool, a, how);
            return pool.not(a);
        }
        Formula::Not(a) => (a, Node::Not),
        Formula::Next(a) => (a, Node::Next),
        Formula::Yesterday(_)
        | Formula::Once(_)
        | Formula::Historically(_)
        | Formula::Since(..) => unreachable!("made present before"),
        Formula::Always(a) => (a, Node::Always),
        Formula::Eventually(a) => (a, Node::Eventually),
        Formula::Until(..) | Formula::WeakUntil(..) | Formula::Release(..) => {
            unreachable!("entered above")
        }
    };
    let a = enter(pool, a, how);
    pool.add(node(a))
}

fn edge(guard: Cube, target: usize) -> ClaimEdge {
    let literals = (0..64).filter_map(|atom| {
        let bit = 1_u64 << atom;
        match (guard.yes & bit != 0, guard.no & bit != 0) {
            (true, _) => Some((atom, true)),
            (_, true) => Some((atom, false)),
            _ => None,
        }
    });
    ClaimEdge {
        literals: literals.collect(),
        target: target as u16,
    }
}

fn fits(n_states: usize) -> Result<(), TooLarge> {
    if n_states < usize::from(u16::MAX) {
        Ok(())
    } else {
        Err(TooLarge(format!("{} states", u16::MAX)))
    }
}

/// The claim that an automaton makes.
fn accepting(automaton: &ltl::Buchi) -> Result<Claim, TooLarge> {
    fits(automaton.n_states())?;
    let states = automaton.edges.iter().zip(&automaton.accepting);
    let states = states.map(|(edges, is_accepting)| ClaimState {
        edges: edges.iter().map(|e| edge(e.guard, e.target)).collect(),
        is_accepting: *is_accepting,
        is_bad: false,
    });
    Ok(Claim {
        states: states.collect(),
        initial: 0,
    })
}

/// The claim that goes along with a run until it cannot be mended; its last state is the bad one.
fn watching(monitor: &ltl::Monitor) -> Result<Claim, TooLarge> {
    let bad = monitor.n_states();
    fits(bad)?;
    let states = monitor.edges.iter().map(|edges| ClaimState {
        edges: edges
            .iter()
            .map(|(guard, target)| edge(*guard, target.unwrap_or(bad)))
            .collect(),
        ..ClaimState::default()
    });
    let bad = ClaimState {
        is_bad: true,
        ..ClaimState::default()
    };
    Ok(Claim {
        states: states.chain([bad]).collect(),
        initial: 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atom(n: u32) -> Box<Formula> {
        Box::new(Formula::Atom(n))
    }

    /// A word over two atoms, two bits a letter.
    fn word(rng: &mut fastrand::Rng) -> (Vec<Vec<bool>>, usize) {
        let n = rng.usize(1..7);
        let letters = (0..n).map(|_| vec![rng.bool(), rng.bool()]).collect();
        (letters, rng.usize(0..n))
    }

    fn random(rng: &mut fastrand::Rng, depth: u32, n_atoms: u32) -> Formula {
        let part =
            |rng: &mut fastrand::Rng| Box::new(random(rng, depth.saturating_sub(1), n_atoms));
        match rng.u8(0..if depth == 0 { 1 } else { 14 }) {
            0 => Formula::Atom(rng.u32(0..n_atoms)),
            1 => Formula::Not(part(rng)),
            2 => Formula::And(vec![*part(rng), *part(rng)]),
            3 => Formula::Or(vec![*part(rng), *part(rng)]),
            4 => Formula::Next(part(rng)),
            5 => Formula::Always(part(rng)),
            6 => Formula::Eventually(part(rng)),
            7 => Formula::Until(part(rng), part(rng)),
            8 => Formula::WeakUntil(part(rng), part(rng)),
            9 => Formula::Release(part(rng), part(rng)),
            10 => Formula::Yesterday(part(rng)),
            11 => Formula::Once(part(rng)),
            12 => Formula::Historically(part(rng)),
            _ => Formula::Since(part(rng), part(rng)),
        }
    }

    #[test]
    fn the_claim_of_a_formula_accepts_what_violates_it() {
        let (mut n_safety, mut n_wrong) = (0, 0);
        for seed in 0..600 {
            let rng = &mut fastrand::Rng::with_seed(seed);
            let formula = random(rng, 3, 2);
            let asked = Asked::of(&Body::Formula(formula.clone()), 2).expect("a small formula");
            n_safety += usize::from(asked.claim.is_safety());
            for _ in 0..20 {
                let (letters, loop_from) = word(rng);
                let wrong = asked.is_wrong(&letters, loop_from);
                n_wrong += usize::from(wrong);
                let accepted = asked.claim.accepts(&letters, loop_from);
                assert_eq!(
                    accepted, wrong,
                    "seed {seed}: {formula:?} {letters:?} {loop_from}"
                );
            }
        }
        assert!(n_safety > 100 && n_safety < 500, "{n_safety}");
        assert!(n_wrong > 1000, "{n_wrong}");
    }

    /// A run violates a formula if and only if it violates a conjunct of it.
    #[test]
    fn a_run_violates_a_formula_if_it_violates_a_part() {
        let (mut n_parts, mut n_wrong) = (0, 0);
        for seed in 0..900 {
            let rng = &mut fastrand::Rng::with_seed(seed);
            let n_atoms = 3;
            let whole = random(rng, 4, n_atoms as u32);
            let parts = whole.conjuncts(50);
            if parts.len() == 1 {
                continue;
            }
            n_parts += parts.len();
            let asked = |formula: Formula, n: usize| Asked::of(&Body::Formula(formula), n).ok();
            let Some(whole_asked) = asked(whole.clone(), n_atoms) else {
                continue;
            };
            let renumbered = parts.iter().map(Formula::renumbered);
            let parts = renumbered.map(|(atoms, part)| (asked(part, atoms.len()), atoms));
            let parts: Vec<(Option<Asked>, Vec<u32>)> = parts.collect();
            for _ in 0..20 {
                let n = rng.usize(1..7);
                let letters: Vec<Vec<bool>> = (0..n)
                    .map(|_| (0..n_atoms).map(|_| rng.bool()).collect())
                    .collect();
                let loop_from = rng.usize(0..n);
                let wrong = whole_asked.is_wrong(&letters, loop_from);
                n_wrong += usize::from(wrong);
                let some_part = parts.iter().any(|(part, atoms)| {
                    let own =
                        |letter: &Vec<bool>| atoms.iter().map(|a| letter[*a as usize]).collect();
                    let own: Vec<Vec<bool>> = letters.iter().map(own).collect();
                    let part = part.as_ref().expect("a part is no larger than the whole");
                    part.is_wrong(&own, loop_from)
                });
                assert_eq!(
                    some_part, wrong,
                    "seed {seed}: {whole:?} {letters:?} {loop_from}"
                );
            }
        }
        assert!(n_parts > 300 && n_wrong > 500, "{n_parts} {n_wrong}");
    }

    #[test]
    fn a_claim_that_can_end_and_can_accept_is_wrong_both_ways() {
        let go = |literals: &[(u32, bool)], target| ClaimEdge {
            literals: literals.to_vec(),
            target,
        };
        let state = |edges, is_accepting, is_bad| ClaimState {
            edges,
            is_accepting,
            is_bad,
        };
        let start = vec![go(&[], 0), go(&[(0, true)], 1), go(&[(1, true)], 2)];
        let claim = Claim {
            states: vec![
                state(start, false, false),
                state(vec![go(&[(0, true)], 1)], true, false),
                state(Vec::new(), false, true),
            ],
            initial: 0,
        };
        let asked = Asked::of(&Body::Claim(claim.clone()), 2).expect("small");
        assert!(asked.claim.states.iter().all(|state| !state.is_bad));
        let mut n_wrong = 0;
        for seed in 0..300 {
            let (letters, loop_from) = word(&mut fastrand::Rng::with_seed(seed));
            let wrong = claim.accepts(&letters, loop_from);
            n_wrong += usize::from(wrong);
            assert_eq!(
                asked.claim.accepts(&letters, loop_from),
                wrong,
                "seed {seed}"
            );
        }
        assert!(n_wrong > 50 && n_wrong < 300, "{n_wrong}");
    }

    #[test]
    fn safety_is_seen_and_next_is_not_left_out() {
        let always = Asked::of(&Body::Formula(Formula::Always(atom(0))), 1).expect("small");
        assert!(always.claim.is_safety() && always.is_stutter_invariant);
        let some_time = Asked::of(&Body::Formula(Formula::Eventually(atom(0))), 1).expect("small");
        assert!(!some_time.claim.is_safety() && some_time.is_stutter_invariant);
        let next = Asked::of(&Body::Formula(Formula::Next(atom(0))), 1).expect("small");
        assert!(!next.is_stutter_invariant);
        assert!(Asked::of(&Body::Formula(Formula::Always(atom(0))), 65).is_err());
    }
}
