//! Reasons why formulas fail along runs: what they name is so, and each follows from what it says.

use check::ltl::{FormulaId, Lasso, Node, Notation, Pool};
use check::temporal::why::{Claimed, Positions, Reason, why};
use system::formula::Formula;

const N_ATOMS: u32 = 3;

fn random(rng: &mut fastrand::Rng, depth: usize) -> Formula {
    if depth == 0 || rng.usize(0..6) == 0 {
        return Formula::Atom(rng.u32(0..N_ATOMS));
    }
    let kind = rng.usize(0..11);
    let mut part = || random(rng, depth - 1);
    match kind {
        0 => Formula::Not(part().into()),
        1 => Formula::And(vec![part(), part(), part()]),
        2 => Formula::Or(vec![part(), part()]),
        3 => Formula::Next(part().into()),
        4 => Formula::Always(part().into()),
        5 => Formula::Eventually(part().into()),
        6 => Formula::Until(part().into(), part().into()),
        7 => Formula::WeakUntil(part().into(), part().into()),
        8 => Formula::Release(part().into(), part().into()),
        9 => Formula::Or(vec![Formula::Not(part().into()), part()]),
        _ => {
            let (a, b) = (part(), part());
            let none = [&a, &b].map(|f| Formula::Not(f.clone().into()));
            Formula::Or(vec![Formula::And(vec![a, b]), Formula::And(none.into())])
        }
    }
}

/// What parts of a formula are by what is claimed alone: nothing else is known of any state.
struct Known<'a> {
    pool: &'a Pool,
    premises: &'a [Claimed],
    n: usize,
    loop_from: Option<usize>,
}

impl Known<'_> {
    /// The value of a part at each position, as far as it follows.
    fn values(&self, f: FormulaId) -> Vec<Option<bool>> {
        let node = self.pool.node(f);
        let parts: Vec<Vec<Option<bool>>> = node.parts().map(|part| self.values(part)).collect();
        let after = |i: usize| {
            if i + 1 < self.n {
                Some(i + 1)
            } else {
                self.loop_from
            }
        };
        let claimed = |i: usize| {
            let mut fitting = self.premises.iter();
            let fitting = fitting.find(|c| c.formula == f && c.at.contains(&i));
            fitting.map(|claimed| claimed.holds)
        };
        let not = |a: Option<bool>| a.map(|a| !a);
        let any = |a: Option<bool>, b: Option<bool>| match (a, b) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        };
        let both = |a, b| not(any(not(a), not(b)));
        // Round and round from what is so if the loop never brings anything else.
        let run = |last: Option<bool>| {
            let mut values = vec![last; self.n];
            for _ in 0..=self.n {
                for i in (0..self.n).rev() {
                    let later = after(i).and_then(|next| values[next]);
                    let part = |n: usize| parts[n][i];
                    let computed = match node {
                        Node::True => Some(true),
                        Node::False => Some(false),
                        Node::Atom(_) => None,
                        Node::Not(_) => not(part(0)),
                        Node::And(..) => both(part(0), part(1)),
                        Node::Or(..) => any(part(0), part(1)),
                        Node::Implies(..) => any(not(part(0)), part(1)),
                        Node::Iff(..) => part(0).zip(part(1)).map(|(a, b)| a == b),
                        Node::Next(_) => after(i).and_then(|next| parts[0][next]),
                        Node::Always(_) => both(part(0), later),
                        Node::Eventually(_) => any(part(0), later),
                        Node::Until(..) | Node::WeakUntil(..) => any(part(1), both(part(0), later)),
                        Node::Release(..) | Node::StrongRelease(..) => {
                            both(part(1), any(part(0), later))
                        }
                    };
                    values[i] = claimed(i).or(computed);
                }
            }
            values
        };
        let is_greatest = matches!(
            node,
            Node::Always(_) | Node::WeakUntil(..) | Node::Release(..)
        );
        run(self.loop_from.map(|_| is_greatest))
    }
}

struct Run {
    letters: Vec<Vec<bool>>,
    loop_from: Option<usize>,
}

impl Run {
    fn random(rng: &mut fastrand::Rng) -> Run {
        let n = rng.usize(1..7);
        let letters = (0..n).map(|_| (0..N_ATOMS).map(|_| rng.bool()).collect());
        Run {
            letters: letters.collect(),
            loop_from: (rng.usize(0..4) > 0).then(|| rng.usize(0..n)),
        }
    }

    fn positions(&self) -> Positions {
        let n = self.letters.len();
        let steps = (0..n).collect();
        Positions::new((self.letters.clone(), steps), n, self.loop_from)
    }

    /// The run with some way to go on, if it has an open end.
    fn word(&self, rng: &mut fastrand::Rng) -> Lasso {
        let letter = |atoms: &Vec<bool>| {
            let bits = atoms.iter().enumerate();
            bits.fold(0, |letter, (i, atom)| letter | u64::from(*atom) << i)
        };
        let mut letters: Vec<u64> = self.letters.iter().map(letter).collect();
        if let Some(from) = self.loop_from {
            return Lasso::new(letters, from);
        }
        letters.extend((0..rng.usize(1..4)).map(|_| rng.u64(0..1 << N_ATOMS)));
        let from = rng.usize(self.letters.len()..letters.len());
        Lasso::new(letters, from)
    }
}

/// Checks one reason, whose claims are about `run`.
fn check(reason: &Reason, pool: &Pool, run: &Run, word: &Lasso, told: &str) {
    for claimed in reason.premises.iter().chain([&reason.claimed]) {
        let values = word.values(pool, claimed.formula);
        for &at in &claimed.at {
            assert_eq!(
                values[at], claimed.holds,
                "{told}: {} {claimed:?}",
                reason.text
            );
        }
    }
    if reason.premises.is_empty() {
        return;
    }
    let known = Known {
        pool,
        premises: &reason.premises,
        n: run.letters.len(),
        loop_from: run.loop_from,
    };
    let at = reason.claimed.at[0];
    let follows = known.values(reason.claimed.formula)[at];
    assert_eq!(
        follows,
        Some(reason.claimed.holds),
        "{told}: {}",
        reason.text
    );
}

#[test]
fn what_reasons_name_is_so_and_each_follows_from_its_premises() {
    let (mut n_reasons, mut n_open, mut n_given_up, mut deepest) = (0, 0, 0, 0);
    for seed in 0..20_000 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let formula = random(&mut rng, 4);
        let run = Run::random(&mut rng);
        let names: Vec<String> = ["p", "q", "r"].map(str::to_owned).into();
        let (pool, reasons) = why(&formula, &run.positions(), &names, Notation::Spin);
        let told = format!(
            "seed {seed}: {formula:?} on {:?} {:?}",
            run.letters, run.loop_from
        );
        let word = run.word(&mut rng);
        let Some(first) = reasons.first() else {
            // Nothing is false that could be explained.
            let (pool, all) = why(
                &Formula::Not(formula.into()),
                &run.positions(),
                &names,
                Notation::Spin,
            );
            let root = all.first().expect("it is true").claimed.formula;
            assert!(!word.satisfies(&pool, root), "{told}");
            continue;
        };
        let is_given_up = first.premises.is_empty() && first.text.ends_with("goes on");
        n_given_up += usize::from(is_given_up);
        n_open += usize::from(run.loop_from.is_none());
        if is_given_up {
            assert!(run.loop_from.is_none() && reasons.len() == 1, "{told}");
            continue;
        }
        assert_eq!((first.step, first.claimed.holds), (0, false), "{told}");
        deepest = deepest.max(reasons.len());
        n_reasons += reasons.len();
        for (n, reason) in reasons.iter().enumerate() {
            check(reason, &pool, &run, &word, &told);
            // It explains something that one before rests on.
            let is_premise = |c: &Claimed| {
                let claimed = &reason.claimed;
                (c.formula, &c.at, c.holds) == (claimed.formula, &claimed.at, claimed.holds)
            };
            let before = reasons[..n]
                .iter()
                .flat_map(|r| &r.premises)
                .any(is_premise);
            assert!(n == 0 || before, "{told}: {}", reason.text);
        }
        if reasons.len() < 20 {
            explained(&reasons, &pool, &told);
        }
    }
    assert!(
        n_reasons > 10_000 && n_open > 500 && deepest > 6,
        "{n_reasons} {n_open} {deepest}"
    );
    assert!(n_given_up > 100, "{n_given_up}");
}

/// What a reason rests on at one place is an atom, or has a reason; what it rests on at several is
/// the end.
fn explained(reasons: &[Reason], pool: &Pool, told: &str) {
    for premise in reasons.iter().flat_map(|reason| &reason.premises) {
        let is_atom = matches!(
            pool.node(premise.formula),
            Node::Atom(_) | Node::True | Node::False
        );
        let has_reason = reasons.iter().any(|reason| reason.claimed == *premise);
        assert!(
            is_atom || has_reason || is_range(premise, reasons),
            "{told}: {premise:?}"
        );
    }
}

fn is_range(premise: &Claimed, reasons: &[Reason]) -> bool {
    let of = reasons.iter().find(|r| r.premises.contains(premise));
    let is_lasting = of.is_some_and(|r| {
        ["never", "always", "up to then", "before"]
            .iter()
            .any(|w| r.text.contains(w))
    });
    premise.at.len() > 1 || is_lasting
}

fn texts(formula: &Formula, run: &Run, notation: Notation) -> Vec<String> {
    let names: Vec<String> = ["x == 1", "q", "r"].map(str::to_owned).into();
    let (_, reasons) = why(formula, &run.positions(), &names, notation);
    reasons.into_iter().map(|reason| reason.text).collect()
}

#[test]
fn reasons_are_told_in_words() {
    let atom = |n: u32| Box::new(Formula::Atom(n));
    let answered = Formula::Or(vec![Formula::Not(atom(0)), Formula::Eventually(atom(1))]);
    let always = Formula::Always(answered.into());
    let run = Run {
        letters: [[0, 0], [0, 1], [1, 0], [0, 0], [1, 0]]
            .map(|atoms| atoms.map(|atom| atom == 1).to_vec())
            .to_vec(),
        loop_from: Some(3),
    };
    let expected = [
        "in the first state `[] ((x == 1) -> <> q)` is false",
        "after step 2 `(x == 1) -> <> q` is false: `x == 1` is true and `<> q` is false",
        "from step 2 on `q` is never true (steps 4-5 repeat)",
    ];
    assert_eq!(texts(&always, &run, Notation::Spin), expected);
    let expected = [
        "in the first state `G ((x == 1) => F q)` is false",
        "after step 2 `(x == 1) => F q` is false: `x == 1` is true and `F q` is false",
        "from step 2 on `q` is never true (steps 4-5 repeat)",
    ];
    assert_eq!(texts(&always, &run, Notation::Prob), expected);
    let until = Formula::Until(atom(1), atom(0));
    let expected = "in the first state `q U (x == 1)` is false: `q` is false in the first state, \
                    and `x == 1` is false up to then";
    assert_eq!(texts(&until, &run, Notation::Spin), [expected]);
    let next = Formula::Next(Formula::Not(atom(1)).into());
    let expected = "in the first state `X !q` is false: `q` is true in the next state";
    assert_eq!(texts(&next, &run, Notation::Spin), [expected]);
}

#[test]
fn where_the_run_could_go_on_only_what_is_certain_is_said() {
    let atom = |n: u32| Box::new(Formula::Atom(n));
    let run = Run {
        letters: vec![vec![true, false, false], vec![false, false, false]],
        loop_from: None,
    };
    // That `q` never comes is not certain; that `x == 1` is not always so is.
    let both = Formula::And(vec![Formula::Eventually(atom(1)), Formula::Always(atom(0))]);
    let expected = [
        "in the first state `<> q && [] (x == 1)` is false: `[] (x == 1)` is false",
        "in the first state `[] (x == 1)` is false: `x == 1` is false after step 1",
    ];
    assert_eq!(texts(&both, &run, Notation::Spin), expected);
    let open = texts(&Formula::Eventually(atom(1)), &run, Notation::Spin);
    assert_eq!(open, ["`<> q` is false however the run goes on"]);
}

#[test]
fn the_next_state_of_prob_is_told_as_it_was_written() {
    let atom = |n: u32| Box::new(Formula::Atom(n));
    let next = |n: u32| {
        let moves = Formula::Not(atom(2));
        Formula::And(vec![moves, Formula::Next(atom(n))])
    };
    let told = |formula: &Formula, run: &Run| {
        let names: Vec<String> = ["{x = 1}", "after up", "deadlock"]
            .map(str::to_owned)
            .into();
        let (_, reasons) = why(formula, &run.positions(), &names, Notation::Prob);
        let texts = reasons.into_iter().map(|reason| reason.text);
        texts.collect::<Vec<String>>()
    };
    let run = Run {
        letters: vec![vec![false, false, false], vec![false, true, true]],
        loop_from: Some(1),
    };
    let expected = "in the first state `X {x = 1}` is false: `{x = 1}` is false in the next state";
    assert_eq!(told(&next(0), &run), [expected]);
    let never = Formula::Not(next(1).into());
    let expected = [
        "in the first state `not [up]` is false: `[up]` is true",
        "in the first state `[up]` is true: `after up` is true in the next state",
    ];
    assert_eq!(told(&never, &run), expected);
    let always = Formula::Always(next(1).into());
    let expected = [
        "in the first state `G [up]` is false",
        "after step 1 `[up]` is false: `deadlock` is true",
    ];
    assert_eq!(told(&always, &run), expected);
}
