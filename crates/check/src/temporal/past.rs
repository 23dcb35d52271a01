//! Operators of the past: what a formula with some of them means, and a formula without.
//!
//! Whether `f` was true at the moment before, once, always, or since `g` is known as a run goes on.
//! So each such part gets an atom of its own, which nobody sees, and an *axiom* that says what its
//! value is: by the axioms each word has exactly one way to choose these atoms. A word satisfies
//! the formula if and only if, with the atoms chosen so, it satisfies the formula in which they
//! stand for the parts. An automaton for that, in which edges no longer ask for these atoms, is one
//! for the formula. It chooses their values by itself, and what it chose wrongly is not accepted.
//!
//! | part | axiom for its atom `y` |
//! |---|---|
//! | yesterday `f` | `!y && [] (X y <-> f)` |
//! | once `f` | `(y <-> f) && [] (X y <-> (X f \|\| y))` |
//! | historically `f` | `(y <-> f) && [] (X y <-> (X f && y))` |
//! | `f` since `g` | `(y <-> g) && [] (X y <-> (X g \|\| (X f && y)))` |
//!
//! Worked example: `[] (q -> once p)` becomes `[] (q -> y)`, with the axiom of `y`. Its negation
//! has an automaton that stays under `!p` with `y` false until `q` comes.
//!
//! **On a word that repeats** what was once may change while the loop is gone through first. With
//! every level of past operators one turn more is enough: from then on all that the operands are
//! repeats, and a value that is carried through one whole turn stays.

use system::formula::Formula;

/// A formula without past, and what is to be known of its further atoms.
pub(super) struct Present {
    /// The formula.
    pub formula: Formula,
    /// What holds of the further atoms.
    pub axioms: Vec<Formula>,
    /// How many atoms there are now.
    pub n_atoms: usize,
    /// By part with an operator of the past, made present inside: its atom.
    known: Vec<(Formula, u32)>,
}

impl Present {
    /// The same formula over atoms up to `n_atoms` and further ones.
    pub(super) fn of(formula: &Formula, n_atoms: usize) -> Present {
        let mut present = Present {
            formula: Formula::And(Vec::new()),
            axioms: Vec::new(),
            n_atoms,
            known: Vec::new(),
        };
        present.formula = present.made(formula);
        present
    }

    fn made(&mut self, formula: &Formula) -> Formula {
        let mut go = |f: &Formula| Box::new(self.made(f));
        let inside = match formula {
            Formula::Atom(n) => Formula::Atom(*n),
            Formula::Not(f) => Formula::Not(go(f)),
            Formula::And(all) => Formula::And(all.iter().map(|f| *go(f)).collect()),
            Formula::Or(all) => Formula::Or(all.iter().map(|f| *go(f)).collect()),
            Formula::Next(f) => Formula::Next(go(f)),
            Formula::Always(f) => Formula::Always(go(f)),
            Formula::Eventually(f) => Formula::Eventually(go(f)),
            Formula::Until(f, g) => Formula::Until(go(f), go(g)),
            Formula::WeakUntil(f, g) => Formula::WeakUntil(go(f), go(g)),
            Formula::Release(f, g) => Formula::Release(go(f), go(g)),
            Formula::Yesterday(f) => Formula::Yesterday(go(f)),
            Formula::Once(f) => Formula::Once(go(f)),
            Formula::Historically(f) => Formula::Historically(go(f)),
            Formula::Since(f, g) => Formula::Since(go(f), go(g)),
        };
        let is_past = matches!(
            inside,
            Formula::Yesterday(_)
                | Formula::Once(_)
                | Formula::Historically(_)
                | Formula::Since(..)
        );
        if is_past { self.named(inside) } else { inside }
    }

    /// The atom of a part.
    fn named(&mut self, part: Formula) -> Formula {
        if let Some((_, atom)) = self.known.iter().find(|(known, _)| *known == part) {
            return Formula::Atom(*atom);
        }
        let atom = self.n_atoms as u32;
        self.n_atoms += 1;
        let y = || Formula::Atom(atom);
        let next = |f: &Formula| Formula::Next(Box::new(f.clone()));
        let (first, later) = match &part {
            Formula::Yesterday(f) => (Formula::Or(Vec::new()), (**f).clone()),
            Formula::Once(f) => ((**f).clone(), Formula::Or(vec![next(f), y()])),
            Formula::Historically(f) => ((**f).clone(), Formula::And(vec![next(f), y()])),
            Formula::Since(f, g) => {
                let goes_on = Formula::And(vec![next(f), y()]);
                ((**g).clone(), Formula::Or(vec![next(g), goes_on]))
            }
            _ => unreachable!("an operator of the past"),
        };
        self.axioms.push(iff(y(), first));
        let always = iff(next(&y()), later);
        self.axioms.push(Formula::Always(Box::new(always)));
        self.known.push((part, atom));
        y()
    }
}

fn iff(f: Formula, g: Formula) -> Formula {
    let not = |f: &Formula| Formula::Not(Box::new(f.clone()));
    let none = Formula::And(vec![not(&f), not(&g)]);
    Formula::Or(vec![Formula::And(vec![f, g]), none])
}

/// Whether a run satisfies a formula whose states have these atoms, the last of them followed by
/// the one at `loop_from` for ever.
pub(crate) fn holds(formula: &Formula, letters: &[Vec<bool>], loop_from: usize) -> bool {
    let turn = &letters[loop_from..];
    let n_more = turn.len() * depth(formula);
    let more = turn.iter().cycle().take(n_more);
    let unrolled = Unrolled {
        letters: letters.iter().chain(more).collect(),
        loop_from: loop_from + n_more,
    };
    unrolled.values(formula)[0]
}

/// How deep operators of the past are nested.
fn depth(formula: &Formula) -> usize {
    let inside = formula.parts().into_iter().map(depth).max().unwrap_or(0);
    let own = matches!(
        formula,
        Formula::Yesterday(_) | Formula::Once(_) | Formula::Historically(_) | Formula::Since(..)
    );
    inside + usize::from(own)
}

/// A word whose loop was gone through often enough.
struct Unrolled<'a> {
    letters: Vec<&'a Vec<bool>>,
    loop_from: usize,
}

impl Unrolled<'_> {
    fn values(&self, formula: &Formula) -> Vec<bool> {
        let n = self.letters.len();
        let parts: Vec<Vec<bool>> = formula.parts().iter().map(|f| self.values(f)).collect();
        let all = |value: &dyn Fn(usize) -> bool| (0..n).map(value).collect::<Vec<bool>>();
        let f = |i: usize| parts[0][i];
        let g = |i: usize| parts[1][i];
        match formula {
            Formula::Atom(atom) => all(&|i| self.letters[i][*atom as usize]),
            Formula::Not(_) => all(&|i| !f(i)),
            Formula::And(_) => all(&|i| parts.iter().all(|part| part[i])),
            Formula::Or(_) => all(&|i| parts.iter().any(|part| part[i])),
            Formula::Next(_) => all(&|i| f(self.after(i))),
            Formula::Always(_) => self.ahead(true, &|i, later| f(i) && later),
            Formula::Eventually(_) => self.ahead(false, &|i, later| f(i) || later),
            Formula::Until(..) => self.ahead(false, &|i, later| g(i) || f(i) && later),
            Formula::WeakUntil(..) => self.ahead(true, &|i, later| g(i) || f(i) && later),
            Formula::Release(..) => self.ahead(true, &|i, later| g(i) && (f(i) || later)),
            Formula::Yesterday(_) => all(&|i| i > 0 && f(i - 1)),
            Formula::Once(_) => self.behind(false, &|i, before| f(i) || before),
            Formula::Historically(_) => self.behind(true, &|i, before| f(i) && before),
            Formula::Since(..) => self.behind(false, &|i, before| g(i) || f(i) && before),
        }
    }

    fn after(&self, i: usize) -> usize {
        if i + 1 == self.letters.len() {
            self.loop_from
        } else {
            i + 1
        }
    }

    /// The least or greatest solution of what each position says by the one after it.
    fn ahead(&self, greatest: bool, value: &dyn Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut values = vec![greatest; self.letters.len()];
        // Once round for what the loop is worth, and once more for all before it.
        for _ in 0..2 {
            for i in (0..values.len()).rev() {
                values[i] = value(i, values[self.after(i)]);
            }
        }
        values
    }

    /// What each position says by the one before it.
    fn behind(&self, at_start: bool, value: &dyn Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut before = at_start;
        let all = (0..self.letters.len()).map(|i| {
            before = value(i, before);
            before
        });
        all.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::temporal::asked::Asked;
    use model::processes::property::Body;

    /// By the definition of each operator, moment by moment, far into the loop: how far is more
    /// than what the code above goes, and what is beyond is what was a turn before.
    struct ByDefinition<'a> {
        letters: &'a [Vec<bool>],
        loop_from: usize,
        far: usize,
    }

    impl ByDefinition<'_> {
        fn is(&self, f: &Formula, i: usize) -> bool {
            let turn = self.letters.len() - self.loop_from;
            let mut i = i;
            while i >= self.far {
                i -= turn;
            }
            // All moments that can differ from one on.
            let later = i..self.far + turn;
            let is = |f: &Formula, i: usize| self.is(f, i);
            match f {
                Formula::Atom(n) => {
                    let mut at = i;
                    while at >= self.letters.len() {
                        at -= turn;
                    }
                    self.letters[at][*n as usize]
                }
                Formula::Not(f) => !is(f, i),
                Formula::And(all) => all.iter().all(|f| is(f, i)),
                Formula::Or(all) => all.iter().any(|f| is(f, i)),
                Formula::Next(f) => is(f, i + 1),
                Formula::Always(f) => later.clone().all(|j| is(f, j)),
                Formula::Eventually(f) => later.clone().any(|j| is(f, j)),
                Formula::Until(f, g) => {
                    let mut ends = later.clone();
                    ends.any(|j| is(g, j) && (i..j).all(|k| is(f, k)))
                }
                Formula::WeakUntil(f, g) => {
                    let mut ends = later.clone();
                    let comes = ends.any(|j| is(g, j) && (i..j).all(|k| is(f, k)));
                    comes || later.clone().all(|j| is(f, j))
                }
                Formula::Release(f, g) => {
                    let mut all = later.clone();
                    all.all(|j| is(g, j) || (i..j).any(|k| is(f, k)))
                }
                Formula::Yesterday(f) => i > 0 && is(f, i - 1),
                Formula::Once(f) => (0..=i).any(|j| is(f, j)),
                Formula::Historically(f) => (0..=i).all(|j| is(f, j)),
                Formula::Since(f, g) => (0..=i).any(|j| is(g, j) && (j + 1..=i).all(|k| is(f, k))),
            }
        }
    }

    fn random(rng: &mut fastrand::Rng, depth: u32) -> Formula {
        let part = |rng: &mut fastrand::Rng| Box::new(random(rng, depth.saturating_sub(1)));
        match rng.u8(0..if depth == 0 { 1 } else { 13 }) {
            0 => Formula::Atom(rng.u32(0..2)),
            1 => Formula::Not(part(rng)),
            2 => Formula::And(vec![*part(rng), *part(rng)]),
            3 => Formula::Or(vec![*part(rng), *part(rng)]),
            4 => Formula::Next(part(rng)),
            5 => Formula::Always(part(rng)),
            6 => Formula::Eventually(part(rng)),
            7 => Formula::Until(part(rng), part(rng)),
            8 => Formula::WeakUntil(part(rng), part(rng)),
            9 => Formula::Yesterday(part(rng)),
            10 => Formula::Once(part(rng)),
            11 => Formula::Historically(part(rng)),
            _ => Formula::Since(part(rng), part(rng)),
        }
    }

    #[test]
    fn the_past_means_what_is_defined_and_its_claim_accepts_the_rest() {
        let (mut n_past, mut n_safety, mut n_wrong) = (0, 0, 0);
        for seed in 0..700 {
            let rng = &mut fastrand::Rng::with_seed(seed);
            let formula = random(rng, 3);
            if !formula.has_past() {
                continue;
            }
            n_past += 1;
            let asked = Asked::of(&Body::Formula(formula.clone()), 2).expect("a small formula");
            n_safety += usize::from(asked.claim.is_safety());
            for _ in 0..12 {
                let n = rng.usize(1..5);
                let letters: Vec<Vec<bool>> =
                    (0..n).map(|_| vec![rng.bool(), rng.bool()]).collect();
                let loop_from = rng.usize(0..n);
                let told = format!("seed {seed}: {formula:?} {letters:?} {loop_from}");
                let plain = ByDefinition {
                    letters: &letters,
                    loop_from,
                    far: n + 4 * (n - loop_from),
                };
                let expected = plain.is(&formula, 0);
                assert_eq!(holds(&formula, &letters, loop_from), expected, "{told}");
                assert_eq!(asked.is_wrong(&letters, loop_from), !expected, "{told}");
                let accepted = asked.claim.accepts(&letters, loop_from);
                assert_eq!(accepted, !expected, "{told}");
                n_wrong += usize::from(accepted);
                if asked.is_stutter_invariant {
                    let at = rng.usize(0..n);
                    let mut longer = letters.clone();
                    longer.insert(at, letters[at].clone());
                    let from = loop_from + usize::from(at < loop_from);
                    let again = asked.is_wrong(&longer, from);
                    assert_eq!(again, !expected, "{told}: {at} twice");
                }
            }
        }
        assert!(n_past > 300 && n_wrong > 1000, "{n_past} {n_wrong}");
        assert!(n_safety > 50 && n_safety < n_past - 50, "{n_safety}");
    }
}
