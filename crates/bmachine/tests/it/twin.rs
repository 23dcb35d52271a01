//! What closed terms are worth, beside a second evaluation that follows the definitions.
//!
//! A random term is made together with its value: a number, a set of numbers or a set of pairs, in
//! plain trees. The machine then claims that the term equals what is written down for the value.
//! Variables with known values take the place of some numbers, so that terms are not worked out
//! when the machine is compiled.

use crate::plain::{Setting, program};
use crate::run::machine;
use bmachine::value::Value;
use std::collections::BTreeSet;

type Numbers = BTreeSet<i64>;
type Pairs = BTreeSet<(i64, i64)>;

/// The values of the variables `k` and `l`.
const K: i64 = 2;
const L: i64 = -1;

struct Maker {
    rng: fastrand::Rng,
}

impl Maker {
    fn literal(&mut self) -> (String, i64) {
        match self.rng.usize(0..6) {
            0 => ("k".to_owned(), K),
            1 => ("l".to_owned(), L),
            _ => {
                let n = self.rng.i64(-2..=4);
                (format!("({n})"), n)
            }
        }
    }

    fn number(&mut self, depth: usize) -> (String, i64) {
        if depth == 0 {
            return self.literal();
        }
        let made = match self.rng.usize(0..9) {
            0..3 => {
                let ((a, x), (b, y)) = (self.number(depth - 1), self.number(depth - 1));
                match self.rng.usize(0..5) {
                    0 => Some((format!("({a} + {b})"), x + y)),
                    1 => Some((format!("({a} - {b})"), x - y)),
                    2 => Some((format!("({a} * {b})"), x * y)),
                    3 => (y != 0).then(|| (format!("({a} / {b})"), x / y)),
                    _ => (x >= 0 && y > 0).then(|| (format!("({a} mod {b})"), x % y)),
                }
            }
            3..6 => {
                let (s, set) = self.numbers(depth - 1);
                match self.rng.usize(0..4) {
                    0 => Some((format!("card({s})"), set.len() as i64)),
                    1 => set.first().map(|least| (format!("min({s})"), *least)),
                    2 => set.last().map(|most| (format!("max({s})"), *most)),
                    _ => Some((format!("(SIGMA(x).(x : {s} | x))"), set.iter().sum())),
                }
            }
            6 => {
                let (r, pairs) = self.pairs(depth - 1);
                Some((format!("card({r})"), pairs.len() as i64))
            }
            _ => {
                let (r, pairs) = self.pairs(depth - 1);
                let (a, x) = self.number(depth - 1);
                let values: Vec<i64> = image(&pairs, &Numbers::from([x])).into_iter().collect();
                match values.as_slice() {
                    [only] => Some((format!("{r}({a})"), *only)),
                    _ => None,
                }
            }
        };
        // Numbers stay small, so that no set becomes large.
        made.filter(|(_, n)| n.abs() < 12)
            .unwrap_or_else(|| self.literal())
    }

    fn listed(&mut self) -> (String, Numbers) {
        let all: Vec<(String, i64)> = (0..self.rng.usize(1..4)).map(|_| self.literal()).collect();
        let words: Vec<&str> = all.iter().map(|(word, _)| &**word).collect();
        let text = format!("{{{}}}", words.join(", "));
        (text, all.iter().map(|(_, n)| *n).collect())
    }

    fn numbers(&mut self, depth: usize) -> (String, Numbers) {
        if depth == 0 {
            return self.listed();
        }
        let depth = depth - 1;
        match self.rng.usize(0..9) {
            0 => {
                let ((a, x), (b, y)) = (self.number(depth), self.number(depth));
                (format!("({a}..{b})"), (x..=y).collect())
            }
            1..4 => {
                let ((a, s), (b, t)) = (self.numbers(depth), self.numbers(depth));
                match self.rng.usize(0..3) {
                    0 => (format!("({a} \\/ {b})"), &s | &t),
                    1 => (format!("({a} /\\ {b})"), &s & &t),
                    _ => (format!("({a} - {b})"), &s - &t),
                }
            }
            4 => {
                let (a, r) = self.pairs(depth);
                if self.rng.bool() {
                    (format!("dom({a})"), r.iter().map(|p| p.0).collect())
                } else {
                    (format!("ran({a})"), r.iter().map(|p| p.1).collect())
                }
            }
            5 => {
                let ((a, r), (b, s)) = (self.pairs(depth), self.numbers(depth));
                (format!("{a}[{b}]"), image(&r, &s))
            }
            6 => {
                let ((a, s), (b, x)) = (self.numbers(depth), self.number(depth));
                let kept = s.into_iter().filter(|y| *y > x).collect();
                (format!("{{y | y : {a} & y > {b}}}"), kept)
            }
            7 => {
                let (a, s) = self.numbers(depth);
                let all = s.iter().flat_map(|x| [*x, x + 1]).collect();
                (format!("(UNION(x).(x : {a} | {{x, x + 1}}))"), all)
            }
            _ => {
                let ((a, s), (b, t)) = (self.numbers(depth), self.numbers(depth));
                let text = format!("(IF {a} <: {b} THEN {a} ELSE {b} END)");
                let value = if s.is_subset(&t) { s } else { t };
                (text, value)
            }
        }
    }

    fn listed_pairs(&mut self) -> (String, Pairs) {
        let mut made = || (self.literal(), self.literal());
        let all = [made(), made(), made()];
        let words = all.iter().map(|((a, _), (b, _))| format!("{a} |-> {b}"));
        let words: Vec<String> = words.collect();
        let pairs = all.iter().map(|((_, x), (_, y))| (*x, *y)).collect();
        (format!("{{{}}}", words.join(", ")), pairs)
    }

    fn pairs(&mut self, depth: usize) -> (String, Pairs) {
        if depth == 0 {
            return self.listed_pairs();
        }
        let depth = depth - 1;
        match self.rng.usize(0..8) {
            0..3 => {
                let ((a, r), (b, q)) = (self.pairs(depth), self.pairs(depth));
                let is_over = |x: i64| q.iter().any(|p| p.0 == x);
                match self.rng.usize(0..5) {
                    0 => (format!("({a} \\/ {b})"), &r | &q),
                    1 => (format!("({a} /\\ {b})"), &r & &q),
                    2 => (format!("({a} - {b})"), &r - &q),
                    3 => {
                        let kept = r.iter().copied().filter(|p| !is_over(p.0));
                        (format!("({a} <+ {b})"), kept.chain(q.clone()).collect())
                    }
                    _ => (format!("({a} ; {b})"), composed(&r, &q)),
                }
            }
            3 => {
                let (a, r) = self.pairs(depth);
                if self.rng.bool() {
                    (format!("({a}~)"), r.iter().map(|p| (p.1, p.0)).collect())
                } else {
                    (format!("closure1({a})"), closed(r))
                }
            }
            4 | 5 => {
                let ((a, s), (b, r)) = (self.numbers(depth), self.pairs(depth));
                let which = self.rng.usize(0..4);
                let text = match which {
                    0 => format!("({a} <| {b})"),
                    1 => format!("({a} <<| {b})"),
                    2 => format!("({b} |> {a})"),
                    _ => format!("({b} |>> {a})"),
                };
                let is_kept = |p: &(i64, i64)| match which {
                    0 => s.contains(&p.0),
                    1 => !s.contains(&p.0),
                    2 => s.contains(&p.1),
                    _ => !s.contains(&p.1),
                };
                (text, r.into_iter().filter(is_kept).collect())
            }
            6 => {
                let (a, s) = self.numbers(depth);
                if self.rng.bool() {
                    (format!("id({a})"), s.iter().map(|x| (*x, *x)).collect())
                } else {
                    let pairs = s.iter().map(|x| (*x, 3 - x)).collect();
                    (format!("(%x.(x : {a} | 3 - x))"), pairs)
                }
            }
            _ => {
                let ((a, s), (b, t)) = (self.numbers(depth), self.numbers(depth));
                let all = s.iter().flat_map(|x| t.iter().map(move |y| (*x, *y)));
                if self.rng.bool() {
                    (format!("({a} * {b})"), all.collect())
                } else {
                    let text = format!("{{v, w | v : {a} & w : {b} & v < w}}");
                    (text, all.filter(|p| p.0 < p.1).collect())
                }
            }
        }
    }
}

fn image(pairs: &Pairs, set: &Numbers) -> Numbers {
    let pairs = pairs.iter().filter(|p| set.contains(&p.0));
    pairs.map(|p| p.1).collect()
}

fn composed(r: &Pairs, q: &Pairs) -> Pairs {
    let all = r.iter().flat_map(|a| q.iter().map(move |b| (*a, *b)));
    let met = all.filter(|(a, b)| a.1 == b.0);
    met.map(|(a, b)| (a.0, b.1)).collect()
}

fn closed(mut r: Pairs) -> Pairs {
    loop {
        let more = &r | &composed(&r, &r);
        if more == r {
            return r;
        }
        r = more;
    }
}

/// A set as it is written; the empty one by what has its type.
fn written<T>(set: &BTreeSet<T>, empty: &str, word: impl Fn(&T) -> String) -> String {
    if set.is_empty() {
        empty.to_owned()
    } else {
        let words: Vec<String> = set.iter().map(word).collect();
        format!("{{{}}}", words.join(", "))
    }
}

/// Equations between terms and their values.
fn equations(seed: u64) -> Vec<String> {
    let mut maker = Maker {
        rng: fastrand::Rng::with_seed(seed),
    };
    let numbers = |set: &Numbers| written(set, "1..0", |n| format!("({n})"));
    let pairs = |set: &Pairs| {
        written(set, "(1..0) * (1..0)", |p| {
            format!("({}) |-> ({})", p.0, p.1)
        })
    };
    let mut all = Vec::new();
    for _ in 0..8 {
        let (text, n) = maker.number(3);
        all.push(format!("{text} = ({n})"));
        let (text, set) = maker.numbers(3);
        all.push(format!("{text} = {}", numbers(&set)));
        let (text, set) = maker.pairs(3);
        all.push(format!("{text} = {}", pairs(&set)));
    }
    all
}

/// The equations that do not hold.
fn wrong(equations: &[String]) -> Vec<String> {
    let text = format!(
        "MACHINE m VARIABLES k, l INVARIANT k : INTEGER & l : INTEGER
         INITIALISATION k := {K} || l := {L} ASSERTIONS {} END",
        equations.join(";\n")
    );
    let program = program(&machine(&text), &Setting::default()).expect("a program");
    let mut wrong = Vec::new();
    program.assertions(&[Value::Int(K), Value::Int(L)], &mut |which, trouble| {
        wrong.push(format!("{} {trouble:?}", equations[which]));
    });
    wrong
}

#[test]
fn terms_are_worth_what_their_definitions_say() {
    for seed in 0..250 {
        let wrong = wrong(&equations(seed));
        assert!(wrong.is_empty(), "seed {seed}:\n{}", wrong.join("\n"));
    }
}

#[test]
fn a_wrong_value_is_found_out() {
    for seed in 0..20 {
        let mut equations = equations(seed);
        for at in [0, 1, 2] {
            let right = equations[at].clone();
            let more = ["+ 1", "\\/ {77}", "\\/ {77 |-> 77}"][at];
            equations[at] = format!("{right} {more}");
            assert_eq!(wrong(&equations).len(), 1, "seed {seed}: {}", equations[at]);
            equations[at] = right;
        }
    }
}
