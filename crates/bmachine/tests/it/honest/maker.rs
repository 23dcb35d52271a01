//! Random formulas of B: numbers, sets of numbers, relations between numbers, sets of sets.
//!
//! Every formula is typed as it is made. Sets are infinite now and then, and bound variables range
//! over such sets as well, so that many formulas can be decided only in part.

use super::formula::{Binding, E, P};
use fastrand::Rng;

/// What a bound variable is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    Numbers,
    Pairs,
}

pub struct Maker {
    rng: Rng,
    /// Bound variables around the place that is being made.
    scope: Vec<(usize, Kind)>,
    next: usize,
}

fn boxed(e: E) -> Box<E> {
    Box::new(e)
}

impl Maker {
    pub fn new(seed: u64) -> Maker {
        Maker {
            rng: Rng::with_seed(seed),
            scope: vec![(0, Kind::Number), (1, Kind::Number)],
            next: 2,
        }
    }

    fn pick(&mut self, all: &[&'static str]) -> &'static str {
        all[self.rng.usize(0..all.len())]
    }

    fn variable(&mut self, kind: Kind) -> Option<E> {
        let all: Vec<usize> = self
            .scope
            .iter()
            .filter(|v| v.1 == kind)
            .map(|v| v.0)
            .collect();
        self.rng.choice(all).map(E::Var)
    }

    /// Variables of a kind over sets, and what is made where they are bound.
    fn bind<T>(
        &mut self,
        kinds: &[Kind],
        depth: usize,
        made: impl FnOnce(&mut Maker) -> T,
    ) -> (Binding, T) {
        let mut bound = Vec::new();
        for kind in kinds {
            let range = match kind {
                Kind::Number => self.numbers(depth),
                Kind::Numbers => E::One(self.pick(&["POW", "POW1", "FIN"]), boxed(self.few())),
                Kind::Pairs => self.arrow(),
            };
            bound.push((self.next, range));
            self.next += 1;
        }
        let n = self.scope.len();
        let variables = bound.iter().zip(kinds);
        self.scope
            .extend(variables.map(|((v, _), kind)| (*v, *kind)));
        let made = made(self);
        self.scope.truncate(n);
        (bound, made)
    }

    /// A small set of numbers.
    fn few(&mut self) -> E {
        match self.rng.u8(0..8) {
            0 => E::Known("NATURAL"),
            1 => E::Known("(1..0)"),
            2 => E::SetOf(vec![self.leaf(), self.leaf()]),
            _ => {
                let low = self.rng.i64(-1..2);
                let high = low + self.rng.i64(0..3);
                E::Two("..", boxed(E::Int(low)), boxed(E::Int(high)))
            }
        }
    }

    fn arrow(&mut self) -> E {
        let op = self.pick(&["<->", "+->", "-->", ">+>", ">->", "+->>", "-->>", ">->>"]);
        E::Two(op, boxed(self.few()), boxed(self.few()))
    }

    fn leaf(&mut self) -> E {
        match self.rng.u8(0..3) {
            0 => self.variable(Kind::Number).expect("there are two"),
            _ => E::Int(self.rng.i64(-3..9)),
        }
    }

    pub fn number(&mut self, depth: usize) -> E {
        if depth == 0 || self.rng.u8(0..4) == 0 {
            return self.leaf();
        }
        let depth = depth - 1;
        match self.rng.u8(0..16) {
            0..=6 => {
                let op = self.pick(&["+", "-", "*", "+", "-", "*", "/", "mod", "**"]);
                let right = match op {
                    "**" => E::Int(self.rng.i64(-1..5)),
                    _ => self.number(depth),
                };
                E::Two(op, boxed(self.number(depth)), boxed(right))
            }
            7 => E::One("-", boxed(self.number(depth))),
            8 | 9 => {
                let op = self.pick(&["card", "min", "max"]);
                E::One(op, boxed(self.numbers(depth)))
            }
            10 => E::One(
                self.pick(&["size", "first", "last"]),
                boxed(self.sequence(depth)),
            ),
            11 | 12 => E::Apply(boxed(self.pairs(depth)), boxed(self.number(depth))),
            13 => {
                let op = self.pick(&["SIGMA", "PI"]);
                let (bound, (p, e)) = self.bind(&[Kind::Number], depth, |maker| {
                    (maker.predicate(depth), maker.number(depth))
                });
                E::Each(op, bound, Box::new(p), boxed(e))
            }
            14 => {
                let op = self.pick(&["prj1", "prj2"]);
                let sets = (self.numbers(0), self.numbers(0));
                let argument = E::Two("|->", boxed(self.leaf()), boxed(self.leaf()));
                let function = E::Call(op, boxed(sets.0), boxed(sets.1));
                E::Apply(boxed(function), boxed(argument))
            }
            _ => {
                let p = Box::new(self.predicate(depth));
                E::If(p, boxed(self.number(depth)), boxed(self.number(depth)))
            }
        }
    }

    pub fn numbers(&mut self, depth: usize) -> E {
        if depth == 0 || self.rng.u8(0..4) == 0 {
            return match self.rng.u8(0..9) {
                0..=2 => E::Known(self.pick(&["NATURAL", "NATURAL1", "INTEGER"])),
                3 => E::Known(self.pick(&["NAT", "INT", "(1..0)"])),
                4 => self.variable(Kind::Numbers).unwrap_or(E::Known("NAT")),
                5 => E::SetOf(vec![self.leaf(), self.leaf()]),
                _ => E::Two("..", boxed(self.leaf()), boxed(self.leaf())),
            };
        }
        let depth = depth - 1;
        match self.rng.u8(0..12) {
            0..=3 => {
                let op = self.pick(&["\\/", "/\\", "-"]);
                E::Two(op, boxed(self.numbers(depth)), boxed(self.numbers(depth)))
            }
            4 => E::One(self.pick(&["dom", "ran"]), boxed(self.pairs(depth))),
            5 => E::Image(boxed(self.pairs(depth)), boxed(self.numbers(depth))),
            6..=8 => {
                let made = self.bind(&[Kind::Number], depth, |maker| maker.predicate(depth));
                E::Such(made.0, Box::new(made.1))
            }
            9 => {
                let all = (0..self.rng.usize(1..3)).map(|_| self.numbers(depth));
                let sets = E::SetOf(all.collect());
                E::One(self.pick(&["union", "inter"]), boxed(sets))
            }
            10 => {
                let op = self.pick(&["UNION", "INTER"]);
                let (bound, (p, e)) = self.bind(&[Kind::Number], depth, |maker| {
                    (maker.predicate(depth), maker.numbers(depth))
                });
                E::Each(op, bound, Box::new(p), boxed(e))
            }
            _ => {
                let p = Box::new(self.predicate(depth));
                E::If(p, boxed(self.numbers(depth)), boxed(self.numbers(depth)))
            }
        }
    }

    fn sequence(&mut self, depth: usize) -> E {
        if depth == 0 || self.rng.u8(0..3) == 0 {
            return match self.rng.u8(0..6) {
                0 => E::Known("((1..0) * (1..0))"),
                1 => self.pairs(0),
                _ => E::SeqOf((0..self.rng.usize(1..4)).map(|_| self.leaf()).collect()),
            };
        }
        let depth = depth - 1;
        match self.rng.u8(0..6) {
            0 => E::Two(
                "^",
                boxed(self.sequence(depth)),
                boxed(self.sequence(depth)),
            ),
            1 => E::Two("<-", boxed(self.sequence(depth)), boxed(self.leaf())),
            2 => E::Two("->", boxed(self.leaf()), boxed(self.sequence(depth))),
            3 => {
                let op = self.pick(&["/|\\", "\\|/"]);
                E::Two(op, boxed(self.sequence(depth)), boxed(self.leaf()))
            }
            _ => E::One(
                self.pick(&["front", "tail", "rev"]),
                boxed(self.sequence(depth)),
            ),
        }
    }

    pub fn pairs(&mut self, depth: usize) -> E {
        if depth == 0 || self.rng.u8(0..4) == 0 {
            if let (Some(v), true) = (self.variable(Kind::Pairs), self.rng.bool()) {
                return v;
            }
            let pair = |maker: &mut Maker| E::Two("|->", boxed(maker.leaf()), boxed(maker.leaf()));
            return E::SetOf((0..self.rng.usize(1..4)).map(|_| pair(self)).collect());
        }
        let depth = depth - 1;
        let two = |op: &'static str, a: E, b: E| E::Two(op, boxed(a), boxed(b));
        match self.rng.u8(0..13) {
            0 | 1 => {
                let op = self.pick(&["\\/", "/\\", "-", "<+", ";"]);
                two(op, self.pairs(depth), self.pairs(depth))
            }
            2 => E::One(self.pick(&["~", "closure1"]), boxed(self.pairs(depth))),
            3 | 4 => {
                let (set, relation) = (self.numbers(depth), self.pairs(depth));
                match self.pick(&["<|", "<<|", "|>", "|>>"]) {
                    op @ ("<|" | "<<|") => two(op, set, relation),
                    op => two(op, relation, set),
                }
            }
            5 => E::One("id", boxed(self.numbers(depth))),
            6 => two("*", self.numbers(depth), self.numbers(depth)),
            7 => self.sequence(depth),
            8 => {
                let n = E::Int(self.rng.i64(-1..4));
                E::Call("iterate", boxed(self.pairs(depth)), boxed(n))
            }
            9 | 10 => {
                let (bound, (p, e)) = self.bind(&[Kind::Number], depth, |maker| {
                    (maker.predicate(depth), maker.number(depth))
                });
                E::Lambda(bound, Box::new(p), boxed(e))
            }
            _ => {
                let kinds = [Kind::Number, Kind::Number];
                let (bound, p) = self.bind(&kinds, depth, |maker| maker.predicate(depth));
                E::Such(bound, Box::new(p))
            }
        }
    }

    pub fn predicate(&mut self, depth: usize) -> P {
        if depth == 0 {
            let op = self.pick(&["=", "/=", "<", "<=", ">", ">="]);
            return P::Compare(op, self.leaf(), self.leaf());
        }
        let depth = depth - 1;
        match self.rng.u8(0..20) {
            0..=3 => {
                let op = self.pick(&["=", "/=", "<", "<=", ">", ">=", "="]);
                P::Compare(op, self.number(depth), self.number(depth))
            }
            4 | 5 => P::Compare(
                self.pick(&[":", "/:"]),
                self.number(depth),
                self.numbers(depth),
            ),
            6 | 7 => {
                let op = self.pick(&["<:", "/<:", "=", "/=", "<<:"]);
                P::Compare(op, self.numbers(depth), self.numbers(depth))
            }
            8 | 9 => self.about_pairs(depth),
            10 => {
                let set = E::One(
                    self.pick(&["POW", "POW1", "FIN", "FIN1"]),
                    boxed(self.numbers(depth)),
                );
                P::Compare(self.pick(&[":", "/:"]), self.numbers(depth), set)
            }
            11..=13 => {
                let op = self.pick(&["&", "or", "=>", "<=>", "&"]);
                let parts = (self.predicate(depth), self.predicate(depth));
                P::Join(op, Box::new(parts.0), Box::new(parts.1))
            }
            14 => P::Not(Box::new(self.predicate(depth))),
            15 => {
                let truth = E::Known(self.pick(&["TRUE", "FALSE"]));
                P::Compare("=", E::BoolOf(Box::new(self.predicate(depth))), truth)
            }
            _ => self.quantified(depth),
        }
    }

    fn about_pairs(&mut self, depth: usize) -> P {
        let relation = self.pairs(depth);
        match self.rng.u8(0..6) {
            0 | 1 => P::Compare(self.pick(&["=", "<:", "/="]), relation, self.pairs(depth)),
            2 => {
                let pair = E::Two("|->", boxed(self.number(depth)), boxed(self.number(depth)));
                P::Compare(self.pick(&[":", "/:"]), pair, relation)
            }
            3 => {
                let op = self.pick(&["seq", "seq1", "iseq", "iseq1", "perm"]);
                let set = E::One(op, boxed(self.numbers(depth)));
                P::Compare(self.pick(&[":", "/:"]), relation, set)
            }
            4 => {
                let op = self.pick(&["><", "||"]);
                let made =
                    |maker: &mut Maker| E::Two(op, boxed(maker.pairs(0)), boxed(maker.pairs(0)));
                P::Compare("=", made(self), made(self))
            }
            _ => {
                let op = self.pick(&["<->", "+->", "-->", ">+>", ">->", "+->>", "-->>", ">->>"]);
                let sets = (self.numbers(depth), self.numbers(depth));
                let set = E::Two(op, boxed(sets.0), boxed(sets.1));
                P::Compare(self.pick(&[":", "/:"]), relation, set)
            }
        }
    }

    fn quantified(&mut self, depth: usize) -> P {
        let kinds: &[Kind] = match self.rng.u8(0..10) {
            0 => &[Kind::Numbers],
            1 => &[Kind::Pairs],
            2 | 3 => &[Kind::Number, Kind::Number],
            _ => &[Kind::Number],
        };
        let is_forall = self.rng.bool();
        let (bound, p) = self.bind(kinds, depth, |maker| maker.predicate(depth + 1));
        if is_forall {
            P::Forall(bound, Box::new(p))
        } else {
            P::Exists(bound, Box::new(p))
        }
    }
}
