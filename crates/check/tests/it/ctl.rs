//! Branching time on processes that are alike: the quotient against the meaning of formulas on sets
//! of whole states; laws; runs that show the answer; and faults that must be noticed.

use crate::explore::ALL;
use crate::temporal::{Atom, Crowd, Holder, Least, Refer, Rule, taking_turns};
use check::ctl::{self, Again, Answer, Binary, Formula, Missing, Quantifier, Unary};
use check::temporal::Fairness;
use check::{Identity, Options, Reducer, StopReason, Witness};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, Ordering};
use system::{Fault, FaultText, Initial, Move, Rest, Scratch, StepText, System, Taken};

type State = Vec<u8>;
type Set = BTreeSet<State>;

/// All states of a crowd, and what follows each: itself, where nothing moves.
struct Whole<'a> {
    crowd: &'a Crowd,
    next: BTreeMap<State, Set>,
    initial: Vec<State>,
}

impl<'a> Whole<'a> {
    fn of(crowd: &'a Crowd) -> Whole<'a> {
        let mut initial = Vec::new();
        crowd.initial(&mut crowd.scratch(), &mut |state| {
            initial.push(state.expect("no faults").to_vec())
        });
        let mut whole = Whole {
            crowd,
            next: BTreeMap::new(),
            initial: initial.clone(),
        };
        while let Some(state) = initial.pop() {
            if whole.next.contains_key(&state) {
                continue;
            }
            let mut next: Set = crowd.all(&state).into_iter().map(|(_, to)| to).collect();
            if next.is_empty() {
                next.insert(state.clone());
            }
            initial.extend(next.iter().cloned());
            whole.next.insert(state, next);
        }
        whole
    }

    fn those(&self, which: impl Fn(&State) -> bool) -> Set {
        self.next.keys().filter(|s| which(s)).cloned().collect()
    }

    /// The states from which a run can go to one of `to`, through states of `through` alone.
    fn can_come(&self, through: &Set, to: &Set) -> Set {
        let mut set = to.clone();
        loop {
            let more = self.those(|s| {
                set.contains(s) || (through.contains(s) && !self.next[s].is_disjoint(&set))
            });
            if more == set {
                return set;
            }
            set = more;
        }
    }

    /// The states from which a run can stay in `set` for ever.
    fn can_stay(&self, set: &Set) -> Set {
        // A run of finitely many states stays for ever if it comes to a state it can come back to.
        let returns = |s: &State| {
            set.contains(s)
                && self.next[s].iter().any(|t| {
                    let here = BTreeSet::from([s.clone()]);
                    set.contains(t) && self.can_come(set, &here).contains(t)
                })
        };
        let cycles = self.those(returns);
        let stays = self.can_come(set, &cycles);
        stays.intersection(set).cloned().collect()
    }

    fn set(&self, formula: &Formula) -> Set {
        let not = |set: &Set| self.those(|s| !set.contains(s));
        let all = || self.those(|_| true);
        let both = |f: &Set, g: &Set| f.intersection(g).cloned().collect::<Set>();
        let either = |f: &Set, g: &Set| f.union(g).cloned().collect::<Set>();
        match formula {
            Formula::Constant(value) => self.those(|_| *value),
            Formula::Atom(n) => self.those(|s| self.crowd.letter(s)[*n as usize]),
            Formula::Not(f) => not(&self.set(f)),
            Formula::And(f, g) => both(&self.set(f), &self.set(g)),
            Formula::Or(f, g) => either(&self.set(f), &self.set(g)),
            Formula::Implies(f, g) => either(&not(&self.set(f)), &self.set(g)),
            Formula::Iff(f, g) => {
                let (f, g) = (self.set(f), self.set(g));
                self.those(|s| f.contains(s) == g.contains(s))
            }
            Formula::Unary(Quantifier::Some, unary, f) => {
                let f = self.set(f);
                match unary {
                    Unary::Next => self.those(|s| !self.next[s].is_disjoint(&f)),
                    Unary::Finally => self.can_come(&all(), &f),
                    Unary::Globally => self.can_stay(&f),
                    past => unreachable!("{past:?} has tests of its own"),
                }
            }
            // No run does the opposite.
            Formula::Unary(Quantifier::All, unary, f) => {
                let bad = not(&self.set(f));
                not(&match unary {
                    Unary::Next => self.those(|s| !self.next[s].is_disjoint(&bad)),
                    Unary::Finally => self.can_stay(&bad),
                    Unary::Globally => self.can_come(&all(), &bad),
                    past => unreachable!("{past:?} has tests of its own"),
                })
            }
            Formula::Binary(quantifier, binary, f, g) => {
                let (f, g) = (self.set(f), self.set(g));
                let some = |binary: Binary, f: &Set, g: &Set| match binary {
                    Binary::Until => self.can_come(f, g),
                    Binary::WeakUntil => either(&self.can_come(f, g), &self.can_stay(f)),
                    Binary::Release => either(&self.can_come(g, &both(f, g)), &self.can_stay(g)),
                    Binary::Since => unreachable!("it has tests of its own"),
                };
                match (quantifier, binary) {
                    (Quantifier::Some, binary) => some(*binary, &f, &g),
                    (_, Binary::Since) => unreachable!("it has tests of its own"),
                    (_, Binary::Until) => not(&some(Binary::Release, &not(&f), &not(&g))),
                    (_, Binary::Release) => not(&some(Binary::Until, &not(&f), &not(&g))),
                    // A run that fails leaves `f` before `g` has come.
                    (_, Binary::WeakUntil) => {
                        not(&self.can_come(&not(&g), &both(&not(&f), &not(&g))))
                    }
                }
            }
            other => unreachable!("{other:?} has tests of its own"),
        }
    }

    fn holds(&self, formula: &Formula) -> bool {
        let set = self.set(formula);
        self.initial.iter().all(|state| set.contains(state))
    }
}

const UNARY: [Unary; 3] = [Unary::Next, Unary::Finally, Unary::Globally];
const BINARY: [Binary; 3] = [Binary::Until, Binary::WeakUntil, Binary::Release];

fn random(rng: &mut fastrand::Rng, depth: u32) -> Formula {
    let part = |rng: &mut fastrand::Rng| Box::new(random(rng, depth.saturating_sub(1)));
    let quantifier = [Quantifier::All, Quantifier::Some][rng.usize(0..2)];
    match rng.u8(0..if depth == 0 { 4 } else { 16 }) {
        0 => Formula::Constant(rng.bool()),
        1..4 => Formula::Atom(rng.u32(0..2)),
        4 => Formula::Not(part(rng)),
        5 => Formula::And(part(rng), part(rng)),
        6 => Formula::Or(part(rng), part(rng)),
        7 => Formula::Implies(part(rng), part(rng)),
        8 => Formula::Iff(part(rng), part(rng)),
        9..13 => Formula::Unary(quantifier, UNARY[rng.usize(0..3)], part(rng)),
        _ => Formula::Binary(quantifier, BINARY[rng.usize(0..3)], part(rng), part(rng)),
    }
}

fn least(n: usize) -> Least {
    Least {
        n,
        last: Vec::new(),
    }
}

fn answer(
    system: &dyn System,
    reducer: &mut dyn Reducer,
    formula: &Formula,
) -> Result<(Answer, u64), String> {
    let asked = ctl::Asked {
        formula,
        fairness: &Fairness::None,
    };
    let outcome = ctl::check(system, reducer, &asked, &ALL, &mut |_| {});
    let outcome = outcome.map_err(|broken| broken.to_string())?;
    let n_states = outcome.counts.n_states;
    let answer = outcome.answer.map_err(|missing| format!("{missing:?}"));
    Ok((answer?, n_states))
}

#[test]
fn the_quotient_says_what_formulas_mean() {
    let (mut n_true, mut n_false, mut n_runs, mut n_loops, mut n_smaller) = (0, 0, 0, 0, 0);
    for seed in 0..1000 {
        let rng = &mut fastrand::Rng::with_seed(seed);
        let crowd = Crowd::random(rng);
        let whole = Whole::of(&crowd);
        let formula = random(rng, 3);
        let holds = whole.holds(&formula);
        *if holds { &mut n_true } else { &mut n_false } += 1;
        let say = |why: String| panic!("seed {seed} {formula:?}: {why}");
        let (full, n_full) = answer(&crowd, &mut Identity, &formula).unwrap_or_else(say);
        assert_eq!(full.holds, holds, "seed {seed} {formula:?}, no reduction");
        assert_eq!(n_full, whole.next.len() as u64, "seed {seed}");
        let mut least = least(crowd.n);
        let (reduced, n_reduced) = answer(&crowd, &mut least, &formula).unwrap_or_else(say);
        assert_eq!(reduced.holds, holds, "seed {seed} {formula:?}, reduced");
        assert_eq!(reduced.again, Again::All(whole.next.len()));
        n_smaller += usize::from(n_reduced < n_full);
        if let Some(shown) = &reduced.shown {
            n_runs += 1;
            n_loops += usize::from(shown.witness.loop_from().is_some());
            assert_eq!(shown.witness.loop_from().is_some(), shown.end.is_none());
        }
    }
    let all = [n_true, n_false, n_runs, n_loops, n_smaller];
    assert!(all.iter().all(|n| *n > 100), "{all:?}");
}

#[test]
fn laws() {
    let not = |f: &Formula| Formula::Not(Box::new(f.clone()));
    let two = |join: fn(Box<Formula>, Box<Formula>) -> Formula, f: &Formula, g: &Formula| {
        join(Box::new(f.clone()), Box::new(g.clone()))
    };
    let one = |q, u, f: &Formula| Formula::Unary(q, u, Box::new(f.clone()));
    for seed in 0..150 {
        let rng = &mut fastrand::Rng::with_seed(seed);
        let crowd = Crowd::random(rng);
        let (f, g) = (random(rng, 2), random(rng, 2));
        for q in [Quantifier::All, Quantifier::Some] {
            let other = match q {
                Quantifier::All => Quantifier::Some,
                Quantifier::Some => Quantifier::All,
            };
            let until = |b| Formula::Binary(q, b, Box::new(f.clone()), Box::new(g.clone()));
            let next = |f: &Formula| one(q, Unary::Next, f);
            let yes = Formula::Constant(true);
            let dual = |b, f: &Formula, g: &Formula| {
                not(&Formula::Binary(
                    other,
                    b,
                    Box::new(not(f)),
                    Box::new(not(g)),
                ))
            };
            let equal = [
                (
                    one(q, Unary::Globally, &f),
                    not(&one(other, Unary::Finally, &not(&f))),
                ),
                (next(&f), not(&one(other, Unary::Next, &not(&f)))),
                (
                    one(q, Unary::Finally, &f),
                    Formula::Binary(q, Binary::Until, Box::new(yes), Box::new(f.clone())),
                ),
                (until(Binary::Until), dual(Binary::Release, &f, &g)),
                (until(Binary::Release), dual(Binary::Until, &f, &g)),
                // Now, or next.
                (
                    until(Binary::Until),
                    two(
                        Formula::Or,
                        &g,
                        &two(Formula::And, &f, &next(&until(Binary::Until))),
                    ),
                ),
                (
                    until(Binary::WeakUntil),
                    two(
                        Formula::Or,
                        &g,
                        &two(Formula::And, &f, &next(&until(Binary::WeakUntil))),
                    ),
                ),
            ];
            for (left, right) in equal {
                let law = one(
                    Quantifier::All,
                    Unary::Globally,
                    &two(Formula::Iff, &left, &right),
                );
                let (said, _) = answer(&crowd, &mut least(crowd.n), &law)
                    .unwrap_or_else(|why| panic!("seed {seed} {law:?}: {why}"));
                assert!(said.holds, "seed {seed} {law:?}");
            }
        }
    }
}

fn atom(n: u32) -> Box<Formula> {
    Box::new(Formula::Atom(n))
}

fn unary(quantifier: Quantifier, unary: Unary, f: Formula) -> Formula {
    Formula::Unary(quantifier, unary, Box::new(f))
}

/// A run, and what is so at its end.
type Shown = (Witness, Option<(Formula, bool)>);

fn shown(crowd: &Crowd, formula: &Formula) -> (bool, Option<Shown>) {
    let (answer, _) = answer(crowd, &mut least(crowd.n), formula).expect("an answer");
    let shown = answer.shown.map(|shown| (shown.witness, shown.end));
    (answer.holds, shown)
}

#[test]
fn a_loop_of_representatives_is_gone_round_until_it_closes() {
    let (crowd, _) = taking_turns();
    // Somebody is at it again and again; the run that shows it has both at it.
    let at_it = unary(Quantifier::All, Unary::Finally, *atom(0));
    let (holds, run) = shown(&crowd, &unary(Quantifier::Some, Unary::Globally, at_it));
    assert!(holds);
    let (run, end) = run.expect("a run");
    assert_eq!(end, None);
    let from = run.loop_from().expect("a loop");
    let actors: BTreeSet<u32> = run.steps()[from..].iter().map(|s| s.text.number).collect();
    assert_eq!((run.steps().len() - from, actors.len()), (4, 2));
}

/// Each goes from 0 to 1 and back, or for good to 2.
fn may_be_stuck() -> Crowd {
    let rule = |from, to| Rule {
        from,
        to,
        holder: Holder::Any,
        other: None,
        refer: Refer::Keep,
    };
    Crowd {
        n: 3,
        rules: vec![rule(0, 1), rule(1, 0), rule(1, 2)],
        atoms: vec![Atom::Some(1), Atom::Some(0)],
    }
}

#[test]
fn that_a_state_cannot_be_left_again_is_shown_by_a_run_to_it() {
    let crowd = may_be_stuck();
    let recover = unary(Quantifier::Some, Unary::Finally, *atom(1));
    let always = unary(Quantifier::All, Unary::Globally, recover.clone());
    let (holds, run) = shown(&crowd, &always);
    assert!(!holds);
    let (run, end) = run.expect("a run");
    // All three go to 1 and on to 2, or two of them do and the third is at 1, which can go back.
    assert_eq!((run.n_moves(), end), (6, Some((recover, false))));
    // Where nothing moves any more, it goes on without moving.
    let rest = unary(Quantifier::All, Unary::Finally, *atom(1));
    let (holds, run) = shown(
        &crowd,
        &unary(
            Quantifier::Some,
            Unary::Finally,
            Formula::Not(Box::new(rest)),
        ),
    );
    assert!(holds);
    let (run, end) = run.expect("a run");
    assert_eq!((run.loop_from(), end), (Some(run.steps().len()), None));
}

#[test]
fn universal_truths_have_no_run_and_existential_ones_have() {
    let crowd = may_be_stuck();
    let possible = unary(Quantifier::Some, Unary::Next, *atom(0));
    let (holds, run) = shown(&crowd, &possible);
    assert_eq!((holds, run.map(|(run, _)| run.n_moves())), (true, Some(1)));
    let inevitable = unary(Quantifier::All, Unary::Next, *atom(0));
    let (holds, run) = shown(&crowd, &inevitable);
    assert!(holds && run.is_none());
    // What is wrong at once has a run without moves.
    let (holds, run) = shown(&crowd, &atom(0));
    let (run, end) = run.expect("a run");
    assert_eq!(
        (holds, run.n_moves(), end),
        (false, 0, Some((*atom(0), false)))
    );
}

#[test]
fn an_atom_that_symmetries_change_is_noticed() {
    let noticed = (0..400).any(|seed| {
        let rng = &mut fastrand::Rng::with_seed(seed);
        let mut crowd = Crowd::random(rng);
        crowd.atoms[0] = Atom::First(1);
        let formula = random(rng, 3);
        answer(&crowd, &mut least(crowd.n), &formula).is_err()
    });
    assert!(noticed);
}

/// A system that can do less from some question on, so that what was evaluated, here `EG`, is not
/// what the system does.
struct Forgetful {
    crowd: Crowd,
    left: AtomicU32,
}

impl System for Forgetful {
    fn scratch(&self) -> Scratch {
        Scratch::new(())
    }

    fn initial(&self, scratch: &mut Scratch, out: &mut dyn FnMut(Initial<'_>)) {
        self.crowd.initial(scratch, out);
    }

    fn successors(
        &self,
        state: &[u8],
        _: &mut Scratch,
        out: &mut dyn FnMut(Move<'_>) -> ControlFlow<()>,
    ) -> Rest {
        let left = self.left.load(Ordering::Relaxed);
        self.left.store(left.saturating_sub(1), Ordering::Relaxed);
        // Who is at 1 cannot go back any more.
        let mut keep = |mv: Move<'_>| match mv.state {
            Some(after) if left == 0 && after.contains(&0) && state.contains(&1) => {
                ControlFlow::Continue(())
            }
            _ => out(mv),
        };
        self.crowd.successors(state, &mut self.scratch(), &mut keep)
    }

    fn atoms(&self, state: &[u8], _: &mut Scratch, out: &mut Vec<bool>) -> Result<(), Fault> {
        self.crowd.atoms(state, &mut self.scratch(), out)
    }

    fn follow(
        &self,
        state: &[u8],
        steps: &[Taken],
        _: &mut Scratch,
        out: &mut dyn FnMut(Taken, &[u8], &str),
    ) -> bool {
        self.crowd.follow(state, steps, &mut self.scratch(), out)
    }

    fn step_text(&self, state: &[u8], step: Taken) -> StepText {
        self.crowd.step_text(state, step)
    }

    fn describe(&self, state: &[u8], out: &mut dyn FnMut(&str, &str)) {
        self.crowd.describe(state, out);
    }

    fn locations(&self, _: &[u8], _: &mut dyn FnMut(&str, &str)) {}

    fn fault_text(&self, fault: Fault) -> FaultText {
        self.crowd.fault_text(fault)
    }

    fn covered<'a>(&self, _: &'a Scratch) -> &'a [bool] {
        &[]
    }

    fn not_covered(&self, _: &[bool]) -> Vec<StepText> {
        Vec::new()
    }
}

#[test]
fn a_verdict_that_the_plain_meaning_does_not_share_is_noticed() {
    let crowd = Crowd {
        n: 2,
        ..may_be_stuck()
    };
    let stays = unary(Quantifier::Some, Unary::Globally, *atom(1));
    let formula = unary(
        Quantifier::Some,
        Unary::Finally,
        Formula::And(atom(0), Box::new(stays)),
    );
    let formulas = [
        formula.clone(),
        unary(Quantifier::All, Unary::Globally, formula),
        unary(Quantifier::All, Unary::Finally, Formula::Not(atom(1))),
    ];
    let said = |formula: &Formula, left: u32| {
        let forgetful = Forgetful {
            crowd: crowd.clone(),
            left: left.into(),
        };
        answer(&forgetful, &mut Identity, formula).map(|(answer, _)| answer.holds)
    };
    let noticed = |formula: &&Formula| (0..100).any(|left| said(formula, left).is_err());
    for formula in &formulas {
        assert!(said(formula, u32::MAX).is_ok());
    }
    assert_eq!(formulas.iter().filter(noticed).count(), formulas.len());
}

#[test]
fn limits_leave_the_answer_open() {
    let crowd = may_be_stuck();
    let formula = unary(Quantifier::All, Unary::Globally, *atom(1));
    let said = |options: &Options<'_>| {
        let asked = ctl::Asked {
            formula: &formula,
            fairness: &Fairness::None,
        };
        let outcome = ctl::check(&crowd, &mut least(3), &asked, options, &mut |_| {});
        outcome.expect("a replay").answer.map(|answer| answer.holds)
    };
    let stopped = |reason| Err(Missing::Stopped(reason));
    assert_eq!(said(&ALL), Ok(false));
    let memory = Options {
        memory_bytes_max: Some(100),
        ..ALL
    };
    assert_eq!(said(&memory), stopped(StopReason::Memory));
    let time = Options {
        clock: base::Clock::of(Some(std::time::Duration::ZERO)),
        ..ALL
    };
    assert_eq!(said(&time), stopped(StopReason::Time));
    let depth = Options {
        depth_max: Some(3),
        ..ALL
    };
    assert_eq!(said(&depth), stopped(StopReason::Depth));
}
