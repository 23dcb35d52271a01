//! What branching time has beside CTL: runs (CTL*), fairness, fixpoints and the past, on processes
//! that are alike, beside an evaluation by the definitions on all states.
//!
//! - Runs: states beside what is true of a run from there on, for each part about time, which must
//!   agree from state to state and keep its promises in a strongly connected part (Lichtenstein and
//!   Pnueli 1985). There are no automata.
//! - Fairness: by the moves of each process in such a part, without symmetry.
//! - The past: states beside whether a way that leads there has made the formula true.
//! - Fixpoints: by the equation, from nothing or everything on.

use crate::explore::ALL;
use crate::temporal::{Crowd, Least, carry};
use check::ctl::{self, Again, Asked, Binary, Fixpoint, Formula, Quantifier, Unary};
use check::temporal::Fairness;
use check::{Identity, Reducer};
use std::collections::{BTreeMap, BTreeSet};
use system::System;
use system::formula::Formula as Linear;

/// Which runs count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fair {
    No,
    Weak,
    Strong,
}

/// All states of a crowd, by number.
struct World {
    letters: Vec<Vec<bool>>,
    /// By state: where moves lead, and whose they are; itself where nothing moves.
    next: Vec<Vec<(Option<u32>, usize)>>,
    able: Vec<BTreeSet<u32>>,
    initial: Vec<usize>,
}

type Set = Vec<bool>;

impl World {
    fn of(crowd: &Crowd) -> World {
        let mut states: Vec<Vec<u8>> = Vec::new();
        crowd.initial(&mut crowd.scratch(), &mut |state| {
            states.push(state.expect("no faults").to_vec())
        });
        let initial = (0..states.len()).collect();
        let mut numbers: BTreeMap<Vec<u8>, usize> = states.iter().cloned().zip(0..).collect();
        let mut world = World {
            letters: Vec::new(),
            next: Vec::new(),
            able: Vec::new(),
            initial,
        };
        while world.next.len() < states.len() {
            let here = world.next.len();
            let state = states[here].clone();
            world.letters.push(crowd.letter(&state));
            let mut next = Vec::new();
            for (step, to) in crowd.all(&state) {
                let new = states.len();
                let number = *numbers.entry(to.clone()).or_insert(new);
                if number == new {
                    states.push(to);
                }
                next.push((Some(crowd.actor(step)), number));
            }
            world
                .able
                .push(next.iter().filter_map(|(by, _)| *by).collect());
            if next.is_empty() {
                next.push((None, here));
            }
            world.next.push(next);
        }
        world
    }

    fn n(&self) -> usize {
        self.next.len()
    }

    fn holds(&self, formula: &Formula, fair: Fair) -> bool {
        let set = self.set(formula, fair, &mut BTreeMap::new());
        self.initial.iter().all(|state| set[*state])
    }

    fn set(&self, formula: &Formula, fair: Fair, env: &mut BTreeMap<u32, Set>) -> Set {
        let all = |value: &dyn Fn(usize) -> bool| (0..self.n()).map(value).collect::<Set>();
        let parts: Vec<Set> = match formula {
            Formula::Fixpoint(..) => Vec::new(),
            other => other
                .parts()
                .iter()
                .map(|f| self.set(f, fair, env))
                .collect(),
        };
        let linear = |quantifier: Quantifier, f: Linear| match quantifier {
            Quantifier::Some => self.some_run(&f, &parts, fair),
            Quantifier::All => {
                let wrong = self.some_run(&Linear::Not(Box::new(f)), &parts, fair);
                wrong.into_iter().map(|wrong| !wrong).collect()
            }
        };
        let atom = |n: u32| Box::new(Linear::Atom(n));
        match formula {
            Formula::Constant(value) => all(&|_| *value),
            Formula::Atom(n) => all(&|s| self.letters[s][*n as usize]),
            Formula::Not(_) => all(&|s| !parts[0][s]),
            Formula::And(..) => all(&|s| parts[0][s] && parts[1][s]),
            Formula::Or(..) => all(&|s| parts[0][s] || parts[1][s]),
            Formula::Implies(..) => all(&|s| !parts[0][s] || parts[1][s]),
            Formula::Iff(..) => all(&|s| parts[0][s] == parts[1][s]),
            Formula::Runs(quantifier, f, _) => linear(*quantifier, (**f).clone()),
            Formula::Unary(quantifier, unary, _) => {
                let f = |s: usize| parts[0][s];
                match unary {
                    Unary::Next => linear(*quantifier, Linear::Next(atom(0))),
                    Unary::Finally => linear(*quantifier, Linear::Eventually(atom(0))),
                    Unary::Globally => linear(*quantifier, Linear::Always(atom(0))),
                    Unary::Yesterday => {
                        self.ways(*quantifier, &|from, _| from.is_some_and(|from| f(from.0)))
                    }
                    Unary::Once => self.ways(*quantifier, &|from, s| {
                        f(s) || from.is_some_and(|from| from.1)
                    }),
                    Unary::Historically => self.ways(*quantifier, &|from, s| {
                        f(s) && from.is_none_or(|from| from.1)
                    }),
                }
            }
            Formula::Binary(quantifier, binary, ..) => match binary {
                Binary::Until => linear(*quantifier, Linear::Until(atom(0), atom(1))),
                Binary::WeakUntil => linear(*quantifier, Linear::WeakUntil(atom(0), atom(1))),
                Binary::Release => linear(*quantifier, Linear::Release(atom(0), atom(1))),
                Binary::Since => self.ways(*quantifier, &|from, s| {
                    parts[1][s] || parts[0][s] && from.is_some_and(|from| from.1)
                }),
            },
            Formula::Fixpoint(which, x, f) => {
                env.insert(*x, vec![*which == Fixpoint::Greatest; self.n()]);
                loop {
                    let next = self.set(f, fair, env);
                    if env.insert(*x, next.clone()) == Some(next.clone()) {
                        return next;
                    }
                }
            }
            Formula::Variable(x) => env[x].clone(),
        }
    }

    /// What is true of all ways to a state, or of one: `value` says it of a way with this last
    /// state, given the state before, if there is one, and what was true of the way up to it.
    fn ways(
        &self,
        quantifier: Quantifier,
        value: &dyn Fn(Option<(usize, bool)>, usize) -> bool,
    ) -> Set {
        let mut seen: BTreeSet<(usize, bool)> = BTreeSet::new();
        let mut open: Vec<(usize, bool)> =
            self.initial.iter().map(|s| (*s, value(None, *s))).collect();
        while let Some(here) = open.pop() {
            if seen.insert(here) {
                let next = self.next[here.0].iter();
                open.extend(next.map(|(_, to)| (*to, value(Some(here), *to))));
            }
        }
        let is = |s: usize| match quantifier {
            Quantifier::Some => seen.contains(&(s, true)),
            Quantifier::All => !seen.contains(&(s, false)),
        };
        (0..self.n()).map(is).collect()
    }

    /// From where a run that counts satisfies a formula whose atoms are true of these states.
    fn some_run(&self, formula: &Linear, atoms: &[Set], fair: Fair) -> Set {
        let mut about_time = Vec::new();
        collect(formula, &mut about_time);
        let truths = 1_usize << about_time.len();
        let table = Truths {
            world: self,
            atoms,
            about_time: &about_time,
        };
        let n = self.n() * truths;
        let mut next: Vec<Vec<(Option<u32>, usize)>> = vec![Vec::new(); n];
        for (s, next) in next.iter_mut().enumerate() {
            for (by, to) in &self.next[s / truths] {
                for truth in 0..truths {
                    let to = to * truths + truth;
                    if table.agree(s, to) {
                        next.push((*by, to));
                    }
                }
            }
        }
        let good = self.good(&next, &table, (0..n).collect(), fair);
        let mut found = vec![false; n];
        good.into_iter().for_each(|s| found[s] = true);
        loop {
            let more: Vec<usize> = (0..n)
                .filter(|s| !found[*s] && next[*s].iter().any(|(_, to)| found[*to]))
                .collect();
            if more.is_empty() {
                break;
            }
            more.into_iter().for_each(|s| found[s] = true);
        }
        let starts = |s: usize| {
            let mut all = (0..truths).map(|truth| s * truths + truth);
            all.any(|s| found[s] && table.value(formula, s))
        };
        (0..self.n()).map(starts).collect()
    }

    /// States of strongly connected parts in which promises are kept and who is owed moves.
    fn good(
        &self,
        next: &[Vec<(Option<u32>, usize)>],
        table: &Truths<'_>,
        kept: BTreeSet<usize>,
        fair: Fair,
    ) -> Vec<usize> {
        let mut good = Vec::new();
        let mut left = kept.clone();
        while let Some(&first) = left.iter().next() {
            let part = connected(next, &kept, first);
            left.retain(|s| !part.contains(s));
            let inside = |s: usize| next[s].iter().filter(|(_, to)| part.contains(to));
            if part.iter().all(|s| inside(*s).next().is_none()) || !table.keeps(&part) {
                continue;
            }
            let moved: BTreeSet<u32> = part
                .iter()
                .flat_map(|s| inside(*s))
                .filter_map(|(by, _)| *by)
                .collect();
            let truths = 1 << table.about_time.len();
            let able = |s: &usize| self.able[s / truths].difference(&moved);
            match fair {
                Fair::No => good.extend(&part),
                Fair::Weak => {
                    let mut all: BTreeSet<u32> = (0..8).collect();
                    for s in &part {
                        let owed: BTreeSet<u32> = able(s).copied().collect();
                        all = all.intersection(&owed).copied().collect();
                    }
                    if all.is_empty() {
                        good.extend(&part);
                    }
                }
                Fair::Strong => {
                    let stay: BTreeSet<usize> = part
                        .iter()
                        .copied()
                        .filter(|s| able(s).next().is_none())
                        .collect();
                    if stay.len() == part.len() {
                        good.extend(&part);
                    } else if !stay.is_empty() {
                        good.extend(self.good(next, table, stay, fair));
                    }
                }
            }
        }
        good
    }
}

/// The strongly connected part of a state.
fn connected(
    next: &[Vec<(Option<u32>, usize)>],
    kept: &BTreeSet<usize>,
    first: usize,
) -> BTreeSet<usize> {
    let reach = |edges: &dyn Fn(usize) -> Vec<usize>| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![first]);
        while let Some(s) = open.pop() {
            if kept.contains(&s) && seen.insert(s) {
                open.extend(edges(s));
            }
        }
        seen
    };
    let there = reach(&|s| next[s].iter().map(|(_, to)| *to).collect());
    let mut back: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for &s in &there {
        for (_, to) in &next[s] {
            back.entry(*to).or_default().push(s);
        }
    }
    let here = reach(&|s| back.get(&s).cloned().unwrap_or_default());
    there.intersection(&here).copied().collect()
}

/// The parts of a formula that are about time.
fn collect(formula: &Linear, out: &mut Vec<Linear>) {
    formula.parts().into_iter().for_each(|f| collect(f, out));
    let is_plain = matches!(
        formula,
        Linear::Atom(_) | Linear::Not(_) | Linear::And(_) | Linear::Or(_)
    );
    if !is_plain && !out.contains(formula) {
        out.push(formula.clone());
    }
}

/// States of the world, each beside every truth of the parts about time: a bit for each.
struct Truths<'a> {
    world: &'a World,
    atoms: &'a [Set],
    about_time: &'a [Linear],
}

impl Truths<'_> {
    fn value(&self, formula: &Linear, s: usize) -> bool {
        match formula {
            Linear::Atom(n) => self.atoms[*n as usize][s >> self.about_time.len()],
            Linear::Not(f) => !self.value(f, s),
            Linear::And(all) => all.iter().all(|f| self.value(f, s)),
            Linear::Or(all) => all.iter().any(|f| self.value(f, s)),
            other => {
                let at = self.about_time.iter().position(|f| f == other);
                s >> at.expect("a part") & 1 == 1
            }
        }
    }

    /// Whether what is true here follows from what is true there, and the other way round.
    fn agree(&self, here: usize, there: usize) -> bool {
        assert!(here >> self.about_time.len() < self.world.n());
        self.about_time.iter().all(|f| {
            let later = self.value(f, there);
            let is = |f: &Linear| self.value(f, here);
            self.value(f, here)
                == match f {
                    Linear::Next(f) => self.value(f, there),
                    Linear::Always(f) => is(f) && later,
                    Linear::Eventually(f) => is(f) || later,
                    Linear::Until(f, g) | Linear::WeakUntil(f, g) => is(g) || is(f) && later,
                    Linear::Release(f, g) => is(g) && (is(f) || later),
                    other => unreachable!("{other:?}"),
                }
        })
    }

    /// Whether what must come some time comes within a part.
    fn keeps(&self, part: &BTreeSet<usize>) -> bool {
        let comes = |is: &dyn Fn(usize) -> bool| part.iter().any(|s| is(*s));
        self.about_time.iter().all(|whole| {
            let somewhere = |value: bool| comes(&|s| self.value(whole, s) == value);
            let is = |f: &Linear, s: usize| self.value(f, s);
            match whole {
                Linear::Eventually(f) => !somewhere(true) || comes(&|s| is(f, s)),
                Linear::Until(_, g) => !somewhere(true) || comes(&|s| is(g, s)),
                Linear::Always(f) => !somewhere(false) || comes(&|s| !is(f, s)),
                Linear::WeakUntil(f, g) => !somewhere(false) || comes(&|s| !is(f, s) && !is(g, s)),
                Linear::Release(_, g) => !somewhere(false) || comes(&|s| !is(g, s)),
                _ => true,
            }
        })
    }
}

fn small(rng: &mut fastrand::Rng) -> Crowd {
    loop {
        let crowd = Crowd::random(rng);
        if World::of(&crowd).n() <= 40 {
            return crowd;
        }
    }
}

/// A formula of linear time with at most `n_left` operators of time.
fn linear(rng: &mut fastrand::Rng, depth: u32, n_left: &mut u32, n_atoms: u32) -> Linear {
    let choice = rng.u8(0..if depth == 0 { 1 } else { 12 });
    if choice > 3 && *n_left == 0 {
        return Linear::Atom(rng.u32(0..n_atoms));
    }
    *n_left -= u32::from(choice > 3);
    let mut part =
        |rng: &mut fastrand::Rng| Box::new(linear(rng, depth.saturating_sub(1), n_left, n_atoms));
    match choice {
        0 => Linear::Atom(rng.u32(0..n_atoms)),
        1 => Linear::Not(part(rng)),
        2 => Linear::And(vec![*part(rng), *part(rng)]),
        3 => Linear::Or(vec![*part(rng), *part(rng)]),
        4 => Linear::Next(part(rng)),
        5 | 6 => Linear::Always(part(rng)),
        7 | 8 => Linear::Eventually(part(rng)),
        9 => Linear::Until(part(rng), part(rng)),
        10 => Linear::WeakUntil(part(rng), part(rng)),
        _ => Linear::Release(part(rng), part(rng)),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Logic {
    Runs,
    Ctl,
    Past,
    Fixpoints,
}

fn random(rng: &mut fastrand::Rng, depth: u32, logic: Logic, bound: &[u32]) -> Formula {
    let deeper = depth.saturating_sub(1);
    let part = |rng: &mut fastrand::Rng| Box::new(random(rng, deeper, logic, bound));
    let quantifier = [Quantifier::All, Quantifier::Some][rng.usize(0..2)];
    match rng.u8(0..if depth == 0 { 3 } else { 16 }) {
        0 if !bound.is_empty() => Formula::Variable(bound[rng.usize(0..bound.len())]),
        0..3 => Formula::Atom(rng.u32(0..2)),
        // Variables stand below no negation.
        3 => Formula::Not(Box::new(random(rng, deeper, logic, &[]))),
        4 => Formula::And(part(rng), part(rng)),
        5 => Formula::Or(part(rng), part(rng)),
        6 if logic == Logic::Ctl => Formula::Implies(part(rng), part(rng)),
        6 | 7 => Formula::Unary(quantifier, Unary::Next, part(rng)),
        8 | 9 => {
            let unary = [Unary::Finally, Unary::Globally][rng.usize(0..2)];
            Formula::Unary(quantifier, unary, part(rng))
        }
        10 => {
            let binary = [Binary::Until, Binary::WeakUntil, Binary::Release][rng.usize(0..3)];
            Formula::Binary(quantifier, binary, part(rng), part(rng))
        }
        _ => match logic {
            Logic::Ctl => Formula::Unary(quantifier, Unary::Globally, part(rng)),
            Logic::Runs => {
                let f = linear(rng, 3, &mut 3, 2);
                let atoms = vec![*part(rng), *part(rng)];
                Formula::Runs(quantifier, Box::new(f), atoms)
            }
            Logic::Past => match rng.u8(0..4) {
                0 => Formula::Unary(quantifier, Unary::Yesterday, part(rng)),
                1 => Formula::Unary(quantifier, Unary::Once, part(rng)),
                2 => Formula::Unary(quantifier, Unary::Historically, part(rng)),
                _ => Formula::Binary(quantifier, Binary::Since, part(rng), part(rng)),
            },
            Logic::Fixpoints => {
                let which = [Fixpoint::Least, Fixpoint::Greatest][rng.usize(0..2)];
                let x = rng.u32(..);
                let f = random(rng, deeper, logic, &[bound, &[x]].concat());
                Formula::Fixpoint(which, x, Box::new(f))
            }
        },
    }
}

/// The answer with a reducer, and of how many states.
fn answer(
    crowd: &Crowd,
    reducer: &mut dyn Reducer,
    (formula, fair): (&Formula, Fair),
) -> (ctl::Answer, u64) {
    let fairness = match fair {
        Fair::No => Fairness::None,
        Fair::Weak => Fairness::Weak(&carry),
        Fair::Strong => Fairness::Strong(&carry),
    };
    let asked = Asked {
        formula,
        fairness: &fairness,
    };
    let outcome = ctl::check(crowd, reducer, &asked, &ALL, &mut |_| {});
    let outcome = outcome.unwrap_or_else(|broken| panic!("{formula:?}: {broken}"));
    let n_states = outcome.counts.n_states;
    match outcome.answer {
        Ok(answer) => (answer, n_states),
        Err(missing) => panic!("{formula:?}: {missing:?}"),
    }
}

fn least(n: usize) -> Least {
    Least {
        n,
        last: Vec::new(),
    }
}

#[test]
fn runs_are_those_of_the_definition_with_symmetry_and_fairness() {
    let (mut n_true, mut n_false, mut n_shown, mut n_smaller, mut n_fair) = (0, 0, 0, 0, 0);
    for seed in 0..1500 {
        let rng = &mut fastrand::Rng::with_seed(seed);
        let crowd = small(rng);
        let world = World::of(&crowd);
        let logic = if seed % 3 == 0 {
            Logic::Ctl
        } else {
            Logic::Runs
        };
        let formula = random(rng, 3, logic, &[]);
        let all = world.holds(&formula, Fair::No);
        for fair in [Fair::No, Fair::Weak, Fair::Strong] {
            let told = format!("seed {seed} {fair:?} {formula:?}");
            let holds = world.holds(&formula, fair);
            *if holds { &mut n_true } else { &mut n_false } += 1;
            n_fair += usize::from(holds != all);
            let (full, n_full) = answer(&crowd, &mut Identity, (&formula, fair));
            assert_eq!(full.holds, holds, "{told}, no reduction");
            let (reduced, n_reduced) = answer(&crowd, &mut least(crowd.n), (&formula, fair));
            assert_eq!(reduced.holds, holds, "{told}, reduced");
            n_smaller += usize::from(n_reduced < n_full);
            let asked = reduced.shown.and_then(|shown| shown.asked);
            n_shown += usize::from(asked.is_some());
        }
    }
    let all = [n_true, n_false, n_smaller];
    assert!(all.iter().all(|n| *n > 200), "{all:?}");
    assert!(n_shown > 50 && n_fair > 15, "{n_shown} {n_fair}");
}

#[test]
fn the_past_is_how_states_are_reached() {
    let mut n = [0; 2];
    for seed in 0..600 {
        let rng = &mut fastrand::Rng::with_seed(seed);
        let crowd = small(rng);
        let formula = random(rng, 3, Logic::Past, &[]);
        let holds = World::of(&crowd).holds(&formula, Fair::No);
        let (full, _) = answer(&crowd, &mut Identity, (&formula, Fair::No));
        assert_eq!(full.holds, holds, "seed {seed} {formula:?}");
        assert!(
            matches!(full.again, Again::All(_)),
            "seed {seed} {formula:?}"
        );
        n[usize::from(holds)] += 1;
    }
    assert!(n.iter().all(|n| *n > 100), "{n:?}");
}

#[test]
fn fixpoints_are_those_of_the_definition_with_symmetry() {
    let (mut n, mut n_smaller) = ([0; 2], 0);
    for seed in 0..600 {
        let rng = &mut fastrand::Rng::with_seed(seed);
        let crowd = small(rng);
        let formula = random(rng, 4, Logic::Fixpoints, &[]);
        let holds = World::of(&crowd).holds(&formula, Fair::No);
        let (full, n_full) = answer(&crowd, &mut Identity, (&formula, Fair::No));
        let (reduced, n_reduced) = answer(&crowd, &mut least(crowd.n), (&formula, Fair::No));
        assert_eq!(full.holds, holds, "seed {seed} {formula:?}");
        assert_eq!(reduced.holds, holds, "seed {seed} {formula:?}, reduced");
        assert!(
            matches!(reduced.again, Again::All(_)),
            "seed {seed} {formula:?}"
        );
        n[usize::from(holds)] += 1;
        n_smaller += usize::from(n_reduced < n_full);
    }
    assert!(
        n.iter().all(|n| *n > 100) && n_smaller > 100,
        "{n:?} {n_smaller}"
    );
}
