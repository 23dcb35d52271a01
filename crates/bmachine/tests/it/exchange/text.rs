//! Random machines over an enumerated set `E = {aa, bb, cc}`, as text.
//!
//! All have the same variables, `v <: E`, `f : E +-> 0..1`, `x : E` and `r`, a record of an element
//! and a number, so that everything has a type by its form. Much is said twice, once with `aa` and
//! `bb` exchanged, so that many machines are symmetric; `f(e)` is undefined outside of the domain,
//! so that order counts in many places.

use fastrand::Rng;

/// A text with `aa` and `bb` exchanged.
pub fn mirrored(text: &str) -> String {
    let held = text.replace("aa", "??");
    held.replace("bb", "aa").replace("??", "bb")
}

/// A machine, part by part.
#[derive(Clone, Debug)]
pub struct Parts {
    pub invariant: Vec<String>,
    pub assertions: Vec<String>,
    pub goal: Option<String>,
    pub start: String,
    pub operations: Vec<String>,
}

pub struct Maker {
    rng: Rng,
    /// How many variables are bound around the place that is being made, all elements.
    n_bound: usize,
}

impl Maker {
    pub fn new(seed: u64) -> Maker {
        Maker {
            rng: Rng::with_seed(seed),
            n_bound: 0,
        }
    }

    fn is_one_in(&mut self, n: u8) -> bool {
        self.rng.u8(..n) == 0
    }

    pub fn machine(&mut self) -> Parts {
        let n = self.rng.usize(..3);
        let invariant = (0..n).map(|_| self.fair_pred(2)).collect();
        let n = self.rng.usize(..2);
        let assertions = (0..n).map(|_| self.fair_pred(1)).collect();
        let goal = self.is_one_in(3).then(|| self.fair_pred(1));
        let start = self.fair_subst(1);
        let n = self.rng.usize(1..3);
        let operations = (0..n).map(|_| self.operation()).collect();
        Parts {
            invariant,
            assertions,
            goal,
            start,
            operations,
        }
    }

    fn operation(&mut self) -> String {
        if self.is_one_in(2) {
            return format!("= {}", self.fair_subst(2));
        }
        self.n_bound += 1;
        let (pre, body) = (self.fair_pred(1), self.fair_subst(2));
        self.n_bound -= 1;
        format!("(l0) = PRE l0 : E & ({pre}) THEN {body} END")
    }

    /// Mostly one that `aa` and `bb` may be exchanged in.
    fn fair_pred(&mut self, depth: u8) -> String {
        if self.is_one_in(16) {
            return self.pred(depth);
        }
        let p = self.pred(depth.saturating_sub(1));
        let q = mirrored(&p);
        match self.rng.u8(..12) {
            0..=3 => format!("(({p}) & ({q}))"),
            4..=6 => format!("(({p}) or ({q}))"),
            7 => format!("(({p}) <=> ({q}))"),
            8 => self.fair_atom(),
            9 => format!("not(({p}) & ({q}))"),
            10 => {
                let other = self.pred(0);
                format!("(({p}) & ({other}) & ({q}) & ({}))", mirrored(&other))
            }
            _ => format!("(({p}) => ({q}))"),
        }
    }

    /// A comparison of what is mostly symmetric.
    fn fair_atom(&mut self) -> String {
        let set = self.fair_set(1);
        let n = self.number();
        let m = mirrored(&n);
        match self.rng.u8(..7) {
            0 => format!("v <: {set}"),
            1 => format!("{set} <: dom(f)"),
            2 => format!("{} = {set}", self.set(0)),
            3 => format!("{{{n}, {m}}} <: {{0}}"),
            4 => format!("1 : {{{n}}} \\/ {{{m}}}"),
            5 => format!("1 : {{{n}}} /\\ {{{m}}}"),
            _ => format!("{n} = {m}"),
        }
    }

    fn fair_set(&mut self, depth: u8) -> String {
        let s = self.set(depth.saturating_sub(1));
        let t = mirrored(&s);
        let e = self.elem();
        match self.rng.u8(..6) {
            0 | 1 => format!("{{{e}, {}}}", mirrored(&e)),
            2 => format!("({s} \\/ {t})"),
            3 => format!("({s} /\\ {t})"),
            4 => format!("({s} - {t})"),
            _ => format!("({s} \\/ v \\/ {t})"),
        }
    }

    fn fair_subst(&mut self, depth: u8) -> String {
        if self.is_one_in(16) {
            return self.subst(depth);
        }
        let s = self.subst(depth.saturating_sub(1));
        let t = mirrored(&s);
        let p = self.pred(0);
        let q = mirrored(&p);
        match self.rng.u8(..16) {
            0..=3 => format!("CHOICE {s} OR {t} END"),
            4..=6 => format!("SELECT {p} THEN {s} WHEN {q} THEN {t} END"),
            7 => format!("SELECT {p} THEN {s} WHEN {q} THEN {t} ELSE skip END"),
            8 | 9 => format!("CASE x OF EITHER aa THEN {s} OR bb THEN {t} END END"),
            10 => format!(
                "CASE {} OF EITHER aa THEN {s} OR bb THEN {t} END END",
                self.elem()
            ),
            11 => format!("IF {p} THEN {s} ELSIF {q} THEN {t} END"),
            12 => format!("BEGIN {s} ; {t} END"),
            13 => format!(
                "IF {} THEN v := {} END",
                self.fair_pred(1),
                self.fair_set(1)
            ),
            14 => format!(
                "BEGIN v := {} || x :: {} END",
                self.fair_set(1),
                self.fair_set(1)
            ),
            _ => format!("v := {}", self.fair_set(1)),
        }
    }

    fn elem(&mut self) -> String {
        match self.rng.u8(..8) {
            0..=2 => "aa".to_owned(),
            3 => "bb".to_owned(),
            4 => "cc".to_owned(),
            5 if self.n_bound > 0 => format!("l{}", self.rng.usize(..self.n_bound)),
            6 => "r'k".to_owned(),
            _ => "x".to_owned(),
        }
    }

    fn number(&mut self) -> String {
        match self.rng.u8(..5) {
            0 => self.rng.u8(..2).to_string(),
            1 => "r'n".to_owned(),
            2 => format!("card({})", self.set(0)),
            _ => format!("f({})", self.elem()),
        }
    }

    /// Something with a variable of its own inside.
    fn within(&mut self, made: impl FnOnce(&mut Maker, String) -> String) -> String {
        let name = format!("l{}", self.n_bound);
        self.n_bound += 1;
        let text = made(self, name);
        self.n_bound -= 1;
        text
    }

    fn set(&mut self, depth: u8) -> String {
        match self.rng.u8(..if depth == 0 { 6 } else { 9 }) {
            0 => "v".to_owned(),
            1 => "dom(f)".to_owned(),
            2 => format!("{{{}}}", self.elem()),
            3 | 4 => format!("{{{}, {}}}", self.elem(), self.elem()),
            5 => format!("f~[{{{}}}]", self.number()),
            6 => self.within(|maker, l| format!("{{{l} | {l} : E & {}}}", maker.pred(0))),
            _ => self.fair_set(depth),
        }
    }

    fn pred(&mut self, depth: u8) -> String {
        match self.rng.u8(..if depth == 0 { 7 } else { 11 }) {
            0 => format!("{} : {}", self.elem(), self.set(depth)),
            1 => format!("{} = {}", self.elem(), self.elem()),
            2 => format!("{} = {}", self.number(), self.number()),
            3 => format!("{} |-> 1 : f", self.elem()),
            4 => format!("[{}, {}](1) = {}", self.elem(), self.elem(), self.elem()),
            5 => format!("rec(k: {}, n: {}) = r", self.elem(), self.number()),
            6 => format!("{} <: {}", self.set(depth), self.set(0)),
            7 => self.within(|maker, l| format!("#{l}.({l} : E & {})", maker.pred(depth - 1))),
            8 => self.within(|maker, l| format!("!{l}.({l} : E => {})", maker.pred(depth - 1))),
            9 => format!("not({})", self.pred(depth - 1)),
            _ => self.fair_pred(depth - 1),
        }
    }

    fn subst(&mut self, depth: u8) -> String {
        match self.rng.u8(..if depth == 0 { 7 } else { 10 }) {
            0 => "skip".to_owned(),
            1 => format!("x := {}", self.elem()),
            2 => format!("f({}) := {}", self.elem(), self.number()),
            3 => format!("v := {}", self.set(1)),
            4 => format!("x :: {}", self.set(0)),
            5 => format!("r'k := {}", self.elem()),
            6 => format!("x : (x : E & {})", self.pred(0)),
            7 => self.within(|maker, l| {
                let (p, s) = (maker.pred(0), maker.subst(depth - 1));
                format!("ANY {l} WHERE {l} : E & ({p}) THEN {s} END")
            }),
            8 => {
                let e = self.elem();
                self.within(|maker, l| {
                    format!("LET {l} BE {l} = {e} IN {} END", maker.subst(depth - 1))
                })
            }
            _ => self.fair_subst(depth),
        }
    }
}

impl Parts {
    pub fn text(&self) -> String {
        let all = |preds: &[String]| {
            preds
                .iter()
                .map(|p| format!(" & ({p})"))
                .collect::<String>()
        };
        let assertions = if self.assertions.is_empty() {
            String::new()
        } else {
            format!("ASSERTIONS 0 = 0{}", all(&self.assertions))
        };
        let goal = self
            .goal
            .iter()
            .map(|goal| format!("DEFINITIONS GOAL == ({goal})\n"));
        let operations = self.operations.iter().enumerate();
        let operations = operations.map(|(n, text)| format!("  op{n} {text}"));
        let operations: Vec<String> = operations.collect();
        format!(
            "MACHINE M SETS E = {{aa, bb, cc}}\n{}VARIABLES v, f, x, r\n\
             INVARIANT v <: E & f : E +-> 0..1 & x : E & r : struct(k: E, n: 0..1){}\n\
             {assertions}\n\
             INITIALISATION BEGIN\n\
             v := {{}} ; f := {{}} ; x :: E ; r := rec(k: x, n: 0) ;\n  {}\n\
             END\nOPERATIONS\n{}\nEND\n",
            goal.collect::<String>(),
            all(&self.invariant),
            self.start,
            operations.join(";\n")
        )
    }

    /// The same with one thing changed at random, somewhere.
    pub fn mutated(&self, rng: &mut Rng) -> Parts {
        let mut parts = self.clone();
        let texts = parts.invariant.iter_mut().chain(&mut parts.assertions);
        let texts = texts.chain(&mut parts.goal).chain([&mut parts.start]);
        let mut texts: Vec<&mut String> = texts.chain(&mut parts.operations).collect();
        let changes = [
            ("aa", "bb"),
            ("bb", "cc"),
            ("cc", "aa"),
            ("bb", "aa"),
            (" & ", " or "),
            (" or ", " & "),
            (" \\/ ", " - "),
            ("CHOICE", "CHOICE skip OR"),
        ];
        for _ in 0..50 {
            let n = rng.usize(..texts.len());
            let (from, to) = changes[rng.usize(..changes.len())];
            let places: Vec<usize> = texts[n].match_indices(from).map(|(at, _)| at).collect();
            if let Some(at) = rng.choice(places) {
                texts[n].replace_range(at..at + from.len(), to);
                break;
            }
        }
        parts
    }
}
