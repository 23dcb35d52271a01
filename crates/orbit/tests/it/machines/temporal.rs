//! Formulas of temporal logic over B machines: by hand, beside plain evaluators that know runs that
//! end, with symmetry beside without, and wrong ones with their places.

use crate::command::{Folder, json, run};
use serde_json::{Value, json};

/// Verdicts of the formulas of a machine, by name, in order.
fn verdicts(line: &str) -> Vec<(String, String)> {
    let told = json(line, b"");
    let all = told["properties"].as_array().expect("a list").iter();
    let formulas = all.filter(|p| p["kind"] == "ltl" || p["kind"] == "ctl");
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    formulas
        .map(|p| (word(&p["name"]), word(&p["verdict"])))
        .collect()
}

/// A machine with these formulas, the linear ones first.
fn with_formulas(machine: &str, linear: &[String], branching: &[String]) -> String {
    let mut all = Vec::new();
    for (kind, formulas) in [("LTL", linear), ("CTL", branching)] {
        let numbered = formulas.iter().enumerate();
        all.extend(numbered.map(|(n, f)| format!("ASSERT_{kind}_{n} == \"{f}\"")));
    }
    machine.replace("@", &format!("DEFINITIONS {}", all.join(";\n")))
}

/// Counts from 0 to 3, where it ends; it may go back to 0 and leave out a number.
const STEPS: &str = "\
MACHINE steps
@
VARIABLES x INVARIANT x : 0..3 INITIALISATION x := 0
OPERATIONS
  inc = SELECT x < 3 THEN x := x + 1 END;
  leap(n) = SELECT x = 1 & n : 2..3 THEN x := n END;
  back = SELECT x = 2 THEN x := 0 END
END
";

/// The steps of that machine: from, by, to. Taking `leap(2)` is like `inc`, and has another name.
const EDGES: [(usize, &str, usize); 6] = [
    (0, "inc", 1),
    (1, "inc", 2),
    (2, "inc", 3),
    (1, "leap(2)", 2),
    (1, "leap(3)", 3),
    (2, "back", 0),
];

/// A random formula.
#[derive(Clone, Debug)]
enum F {
    Is(usize),
    Can(&'static str),
    Takes(&'static str),
    Dead,
    Not(Box<F>),
    And(Box<F>, Box<F>),
    Imp(Box<F>, Box<F>),
    /// `X`, `F`, `G`.
    One(char, Box<F>),
    /// `U`, `W`, `R`.
    Two(char, Box<F>, Box<F>),
    /// Quantified likewise.
    Path(char, Box<F>),
}

const OPERATIONS: [&str; 4] = ["inc", "leap", "leap(3)", "back"];

impl F {
    fn random(rng: &mut fastrand::Rng, depth: u32, is_linear: bool) -> F {
        let part =
            |rng: &mut fastrand::Rng| Box::new(F::random(rng, depth.saturating_sub(1), is_linear));
        let operation = OPERATIONS[rng.usize(..4)];
        match rng.u8(0..if depth == 0 { 4 } else { 11 }) {
            0 => F::Is(rng.usize(0..4)),
            1 => F::Can(operation),
            2 if is_linear => F::Takes(operation),
            2 | 3 => F::Dead,
            4 => F::Not(part(rng)),
            5 => F::And(part(rng), part(rng)),
            6 => F::Imp(part(rng), part(rng)),
            7 | 8 => F::One(['X', 'F', 'G'][rng.usize(..3)], part(rng)),
            _ if is_linear => F::Two(['U', 'W', 'R'][rng.usize(..3)], part(rng), part(rng)),
            9 => F::Two(['U', 'W', 'R'][rng.usize(..3)], part(rng), part(rng)),
            _ => F::Path(['A', 'E'][rng.usize(..2)], part(rng)),
        }
    }

    /// As it is written; in branching time `all` says with which quantifier.
    fn text(&self, quantifier: Option<char>) -> String {
        let of = |f: &F| f.text(quantifier);
        match self {
            F::Is(n) => format!("{{x = {n}}}"),
            F::Can(op) => format!("e({op})"),
            F::Takes(op) => format!("[{op}]"),
            F::Dead => "deadlock".to_owned(),
            F::Not(f) => format!("not({})", of(f)),
            F::And(f, g) => format!("({} & {})", of(f), of(g)),
            F::Imp(f, g) => format!("({} => {})", of(f), of(g)),
            F::Path(path, f) => f.text(Some(*path)),
            F::One(op, f) => format!("{}{op} ({})", text_of(quantifier), of(f)),
            F::Two(op, f, g) => match quantifier {
                None => format!("(({}) {op} ({}))", of(f), of(g)),
                Some(path) => format!("({path} (({}) {op} ({})))", of(f), of(g)),
            },
        }
    }
}

fn text_of(quantifier: Option<char>) -> String {
    quantifier.map(String::from).unwrap_or_default()
}

/// Whether a step is of the kind that a formula names.
fn is_of(step: &str, kind: &str) -> bool {
    step == kind || step.split('(').next() == Some(kind)
}

fn can(x: usize, kind: &str) -> bool {
    let mut edges = EDGES.iter();
    edges.any(|(from, step, _)| *from == x && is_of(step, kind))
}

fn is_dead(x: usize) -> bool {
    EDGES.iter().all(|(from, ..)| *from != x)
}

/// A run: values with the steps that follow them, and where it goes on after the last.
struct Word {
    letters: Vec<(usize, Option<&'static str>)>,
    loop_from: Option<usize>,
}

impl Word {
    fn next(&self, at: usize) -> Option<usize> {
        if at + 1 < self.letters.len() {
            Some(at + 1)
        } else {
            self.loop_from
        }
    }

    /// The places from here on, each at least once.
    fn from(&self, at: usize) -> Vec<usize> {
        let mut all = vec![at];
        let mut here = at;
        while let Some(next) = self
            .next(here)
            .filter(|_| all.len() < 2 * self.letters.len())
        {
            all.push(next);
            here = next;
        }
        all
    }

    fn holds(&self, f: &F, at: usize) -> bool {
        let (x, step) = self.letters[at];
        let until = |f: &F, g: &F, weak: bool| {
            for place in self.from(at) {
                if self.holds(g, place) {
                    return true;
                }
                if !self.holds(f, place) {
                    return false;
                }
            }
            weak
        };
        match f {
            F::Is(n) => x == *n,
            F::Can(op) => can(x, op),
            F::Takes(op) => step.is_some_and(|step| is_of(step, op)),
            F::Dead => is_dead(x),
            F::Not(f) => !self.holds(f, at),
            F::And(f, g) => self.holds(f, at) && self.holds(g, at),
            F::Imp(f, g) => !self.holds(f, at) || self.holds(g, at),
            F::One('X', f) => self.next(at).is_some_and(|next| self.holds(f, next)),
            F::One('Y', f) => at > 0 && self.holds(f, at - 1),
            F::One('O', f) => (0..=at).any(|p| self.holds(f, p)),
            F::One('H', f) => (0..=at).all(|p| self.holds(f, p)),
            F::Two('S', f, g) => {
                let since = |p: usize| (p + 1..=at).all(|k| self.holds(f, k));
                (0..=at).any(|p| self.holds(g, p) && since(p))
            }
            F::Two('T', f, g) => {
                let since = |p: usize| (p + 1..=at).any(|k| self.holds(f, k));
                (0..=at).all(|p| self.holds(g, p) || since(p))
            }
            F::One('F', f) => self.from(at).into_iter().any(|p| self.holds(f, p)),
            F::One(_, f) => self.from(at).into_iter().all(|p| self.holds(f, p)),
            F::Two('U', f, g) => until(f, g, false),
            F::Two('W', f, g) => until(f, g, true),
            F::Two(_, f, g) => {
                let both = F::And(f.clone(), g.clone());
                until(g, &both, true)
            }
            F::Path(_, f) => self.holds(f, at),
        }
    }
}

/// The same run, gone round often enough for what was before to be the same in each turn.
fn unrolled(word: &Word, n_turns: usize) -> Word {
    let mut letters = word.letters.clone();
    let turn = word.loop_from.map_or(&[][..], |from| &word.letters[from..]);
    (0..n_turns).for_each(|_| letters.extend_from_slice(turn));
    Word {
        loop_from: word.loop_from.map(|from| from + n_turns * turn.len()),
        letters,
    }
}

/// All runs that go through the machine's loop at most four times before they end or repeat.
fn words() -> Vec<Word> {
    let mut words = Vec::new();
    let mut open: Vec<Vec<(usize, Option<&'static str>)>> = vec![vec![(0, None)]];
    while let Some(letters) = open.pop() {
        let (x, _) = *letters.last().expect("a letter");
        if is_dead(x) {
            words.push(Word {
                letters,
                loop_from: None,
            });
            continue;
        }
        for (_, step, to) in EDGES.iter().filter(|(from, ..)| *from == x) {
            let mut more = letters.clone();
            more.last_mut().expect("a letter").1 = Some(step);
            for (place, _) in letters.iter().enumerate().filter(|(_, l)| l.0 == *to) {
                words.push(Word {
                    letters: more.clone(),
                    loop_from: Some(place),
                });
            }
            if more.len() <= 9 {
                more.push((*to, None));
                open.push(more);
            }
        }
    }
    words
}

#[test]
fn linear_formulas_mean_what_they_mean_on_runs_that_end_and_runs_that_do_not() {
    let folder = Folder::new("b-ltl-twin");
    let words = words();
    assert!(words.len() > 100, "{}", words.len());
    let mut n_violated = 0;
    for seed in 0..6 {
        let rng = &mut fastrand::Rng::with_seed(seed);
        let formulas: Vec<F> = (0..40).map(|_| F::random(rng, 3, true)).collect();
        let texts: Vec<String> = formulas.iter().map(|f| f.text(None)).collect();
        let path = folder.write("steps.mch", with_formulas(STEPS, &texts, &[]));
        let told = verdicts(&format!("check --no-deadlock {path}"));
        assert_eq!(told.len(), 40, "seed {seed}");
        for ((name, verdict), (formula, text)) in told.iter().zip(formulas.iter().zip(&texts)) {
            let holds = words.iter().all(|word| word.holds(formula, 0));
            n_violated += usize::from(!holds);
            let expected = if holds { "holds" } else { "violated" };
            assert_eq!(verdict, expected, "seed {seed}, {name}: {text}");
        }
    }
    assert!((30..210).contains(&n_violated), "{n_violated}");
}

/// A formula with operators of the past where others were.
fn with_past(rng: &mut fastrand::Rng, f: F) -> F {
    let is_past = rng.bool();
    let mut go = |f: F| Box::new(with_past(rng, f));
    match f {
        F::Not(f) => F::Not(go(*f)),
        F::And(f, g) => F::And(go(*f), go(*g)),
        F::Imp(f, g) => F::Imp(go(*f), go(*g)),
        F::One(op, f) => {
            let past = match op {
                'X' => 'Y',
                'F' => 'O',
                _ => 'H',
            };
            F::One(if is_past { past } else { op }, go(*f))
        }
        F::Two(op, f, g) => {
            let past = if op == 'U' { 'S' } else { 'T' };
            F::Two(if is_past { past } else { op }, go(*f), go(*g))
        }
        F::Path(path, f) => F::Path(path, go(*f)),
        other => other,
    }
}

#[test]
fn the_past_is_that_of_runs_that_end_and_of_runs_that_do_not() {
    let folder = Folder::new("b-past-twin");
    let words = words();
    let words = words.iter().filter(|word| word.letters.len() <= 7);
    let words: Vec<Word> = words.map(|word| unrolled(word, 2)).collect();
    assert!(words.len() > 30, "{}", words.len());
    let mut n_violated = 0;
    for seed in 0..6 {
        let rng = &mut fastrand::Rng::with_seed(seed);
        let mut random = || {
            let f = F::random(rng, 2, true);
            let around = ['G', 'F'][rng.usize(..2)];
            with_past(rng, F::One(around, Box::new(f)))
        };
        let formulas: Vec<F> = (0..40).map(|_| random()).collect();
        let texts: Vec<String> = formulas.iter().map(|f| f.text(None)).collect();
        let path = folder.write("steps.mch", with_formulas(STEPS, &texts, &[]));
        for flags in ["", "--reduce none"] {
            let told = verdicts(&format!("check --no-deadlock {flags} {path}"));
            assert_eq!(told.len(), 40, "seed {seed}");
            for ((_, verdict), (formula, text)) in told.iter().zip(formulas.iter().zip(&texts)) {
                let holds = words.iter().all(|word| word.holds(formula, 0));
                n_violated += usize::from(!holds);
                let expected = if holds { "holds" } else { "violated" };
                assert_eq!(verdict, expected, "seed {seed}: {text}");
            }
        }
    }
    assert!((60..450).contains(&n_violated), "{n_violated}");
}

/// By value of `x`: whether a formula of branching time is true, by its plain meaning.
fn branching(f: &F, path: char) -> [bool; 4] {
    let of = |f: &F| branching(f, path);
    let each = |test: &dyn Fn(usize) -> bool| std::array::from_fn(test);
    let some_next = |set: &[bool; 4], x: usize| {
        let mut edges = EDGES.iter();
        edges.any(|(from, _, to)| *from == x && set[*to])
    };
    // There is a run on which the first holds until the second; weakly: or for ever, or to the end.
    let some_until = |f: &[bool; 4], g: &[bool; 4], weak: bool| {
        let mut set: [bool; 4] = if weak { [true; 4] } else { [false; 4] };
        for _ in 0..8 {
            set = std::array::from_fn(|x| {
                let goes_on = some_next(&set, x) || weak && is_dead(x);
                g[x] || f[x] && goes_on
            });
        }
        set
    };
    let not = |set: [bool; 4]| set.map(|holds| !holds);
    let (yes, no) = ([true; 4], [false; 4]);
    match f {
        F::Is(n) => each(&|x| x == *n),
        F::Can(op) => each(&|x| can(x, op)),
        F::Takes(_) => unreachable!("of linear time"),
        F::Dead => each(&is_dead),
        F::Not(f) => not(of(f)),
        F::And(f, g) => {
            let (f, g) = (of(f), of(g));
            each(&|x| f[x] && g[x])
        }
        F::Imp(f, g) => {
            let (f, g) = (of(f), of(g));
            each(&|x| !f[x] || g[x])
        }
        F::Path(path, f) => branching(f, *path),
        F::One(op, f) => {
            let f = of(f);
            match (path, op) {
                ('E', 'X') => each(&|x| some_next(&f, x)),
                ('E', 'F') => some_until(&yes, &f, false),
                ('E', _) => some_until(&f, &no, true),
                (_, 'X') => {
                    let other = not(f);
                    each(&|x| !some_next(&other, x))
                }
                (_, 'F') => not(some_until(&not(f), &no, true)),
                _ => not(some_until(&yes, &not(f), false)),
            }
        }
        F::Two(op, f, g) => {
            let (f, g) = (of(f), of(g));
            let both: [bool; 4] = std::array::from_fn(|x| f[x] && g[x]);
            let neither: [bool; 4] = std::array::from_fn(|x| !f[x] && !g[x]);
            match (path, op) {
                ('E', 'U') => some_until(&f, &g, false),
                ('E', 'W') => some_until(&f, &g, true),
                ('E', _) => some_until(&g, &both, true),
                (_, 'U') => not(some_until(&not(g), &neither, true)),
                (_, 'W') => not(some_until(&not(g), &neither, false)),
                _ => not(some_until(&not(f), &not(g), false)),
            }
        }
    }
}

#[test]
fn branching_formulas_mean_what_they_mean() {
    let folder = Folder::new("b-ctl-twin");
    let mut n_violated = 0;
    for seed in 0..5 {
        let rng = &mut fastrand::Rng::with_seed(seed);
        let random = |rng: &mut fastrand::Rng| {
            F::Path(
                ['A', 'E'][rng.usize(..2)],
                Box::new(F::random(rng, 3, false)),
            )
        };
        let formulas: Vec<F> = (0..40).map(|_| random(rng)).collect();
        let texts: Vec<String> = formulas.iter().map(|f| f.text(None)).collect();
        let path = folder.write("steps.mch", with_formulas(STEPS, &[], &texts));
        let told = verdicts(&format!("check --no-deadlock {path}"));
        assert_eq!(told.len(), 40, "seed {seed}");
        for ((name, verdict), (formula, text)) in told.iter().zip(formulas.iter().zip(&texts)) {
            let holds = branching(formula, 'A')[0];
            n_violated += usize::from(!holds);
            let expected = if holds { "holds" } else { "violated" };
            assert_eq!(verdict, expected, "seed {seed}, {name}: {text}");
        }
    }
    assert!((30..170).contains(&n_violated), "{n_violated}");
}

/// Processes wait and are served, one at a time; one of them can be made to stop for ever.
const SERVED: &str = "\
MACHINE served
SETS P; Q = {a, b, c}
@
CONSTANTS chief PROPERTIES chief : P & card(P) = 3
VARIABLES waiting, served, off
INVARIANT waiting <: P & served <: P & off <: Q
INITIALISATION waiting := {} || served := {} || off := {}
OPERATIONS
  ask(p) = SELECT p : P - (waiting \\/ served) THEN waiting := waiting \\/ {p} END;
  serve(p) = SELECT p : waiting & served = {} THEN
    waiting := waiting - {p} || served := {p} END;
  leave = SELECT served /= {} THEN served := {} END;
  stop(q) = SELECT q : Q & off = {} & waiting = P THEN off := {q} END
END
";

/// What is said of states and steps.
const ATOMS: [&str; 16] = [
    "{P1 : waiting}",
    "{P2 : served}",
    "{P1 : waiting or P2 : waiting}",
    "{chief : waiting}",
    "{chief = P1}",
    "{a : off}",
    "{off <: {a,b}}",
    "{card(waiting) = 2}",
    "e(serve)",
    "e(serve(P1))",
    "e(serve(chief))",
    "[ask(P3)]",
    "[leave]",
    "deadlock",
    "sink",
    "deterministic(ask,serve)",
];

/// Formulas of linear time, with places for these.
const SHAPES: [&str; 11] = [
    "G @",
    "F @",
    "G F @",
    "F G @",
    "G (@ => F @)",
    "@ U @",
    "@ W @",
    "X @",
    "G (@ => X @)",
    "SF(serve) & SF(leave) => G (@ => F @)",
    "WF(leave) => G F @",
];

/// Formulas of branching time, with places for these.
const PATHS: [&str; 9] = [
    "AG @",
    "EF @",
    "AG EF @",
    "EG @",
    "AF @",
    "E (@ U @)",
    "AX @",
    "EX[ask(P1)] @",
    "A (@ W @)",
];

/// A random formula of one of the shapes.
fn filled(rng: &mut fastrand::Rng, shapes: &[&str], is_linear: bool) -> String {
    let shape = shapes[rng.usize(..shapes.len())];
    let parts: Vec<&str> = shape.split('@').collect();
    let mut text = parts[0].to_owned();
    for part in &parts[1..] {
        let mut atom = ATOMS[rng.usize(..ATOMS.len())];
        while atom.starts_with('[') && !is_linear {
            atom = ATOMS[rng.usize(..ATOMS.len())];
        }
        text += atom;
        text += part;
    }
    text
}

#[test]
fn verdicts_are_the_same_with_symmetry_and_without() {
    let folder = Folder::new("b-ltl-symmetry");
    let (mut n_violated, mut n_smaller) = (0, 0);
    for seed in 0..3 {
        let rng = &mut fastrand::Rng::with_seed(seed);
        let linear: Vec<String> = (0..24).map(|_| filled(rng, &SHAPES, true)).collect();
        let branching: Vec<String> = (0..16).map(|_| filled(rng, &PATHS, false)).collect();
        let path = folder.write("served.mch", with_formulas(SERVED, &linear, &branching));
        let with = verdicts(&format!("check {path}"));
        let without = verdicts(&format!("check --no-symmetry {path}"));
        assert_eq!(with.len(), 40, "seed {seed}");
        for (n, (with, without)) in with.iter().zip(&without).enumerate() {
            let text = linear.iter().chain(&branching).nth(n).expect("a formula");
            assert_eq!(with, without, "seed {seed}: {text}");
            assert_ne!(with.1, "unknown", "seed {seed}: {text}");
            n_violated += usize::from(with.1 == "violated");
        }
        let told = json(&format!("check {path}"), b"");
        let all = told["properties"].as_array().expect("a list").iter();
        let smaller = all.filter(|p| p["group_without_it"] == "36" && p["group_order"] != "36");
        n_smaller += smaller.count();
    }
    assert!((20..115).contains(&n_violated), "{n_violated}");
    assert!(n_smaller > 20, "{n_smaller} formulas cost symmetry");
}

#[test]
fn a_run_that_violates_a_formula_is_shown_with_its_loop() {
    let folder = Folder::new("b-ltl-shown");
    let formulas = ["G ({P1 : waiting} => F {P1 : served})".to_owned()];
    let path = folder.write("served.mch", with_formulas(SERVED, &formulas, &[]));
    let told = json(&format!("check -p ASSERT_LTL_0 {path}"), b"");
    let property = &told["properties"][0];
    assert_eq!(property["verdict"], "violated");
    assert_eq!(property["step"], formulas[0]);
    // P1 stays, so that of six permutations two are left; Q is not named.
    assert_eq!(property["group_without_it"], "36");
    assert_eq!(property["group_order"], "12");
    assert!(property["witness"]["loop_from"].is_u64(), "{property}");
    let (code, out, _) = run(&format!("check -p 7 {path}"), b"");
    assert_eq!(code, 1);
    assert!(
        out.contains("ASSERT_LTL_0 violated: the formula is false of this run"),
        "{out}"
    );
}

#[test]
fn formulas_of_the_command_line_are_checked_beside_the_rest() {
    let folder = Folder::new("b-ltl-typed");
    let path = folder.write("served.mch", SERVED.replace('@', ""));
    let told = json(
        &format!("check --ltl 'G {{card(served) <= 1}}' {path}"),
        b"",
    );
    assert_eq!(told["verdict"], "holds");
    assert_eq!(told["properties"].as_array().map(Vec::len), Some(5));
    assert_eq!(told["properties"][4]["safety"], true);
    let told = json(
        &format!("check --ctl 'AG EF {{waiting = {{}}}}' {path}"),
        b"",
    );
    assert_eq!(told["verdict"], "holds");
    assert_eq!(told["properties"][4]["name"], "command_line");
    let told = json(
        &format!("check --ctl 'AX[ask(P1)] {{P1 : waiting}}' {path}"),
        b"",
    );
    assert_eq!(told["verdict"], "holds");
}

#[test]
fn wrong_formulas_are_told_at_their_places() {
    let folder = Folder::new("b-ltl-wrong");
    let path = folder.write("served.mch", SERVED.replace('@', ""));
    for (flag, formula, words, column) in [
        ("ltl", "G {waitin = P}", "`waitin` is not declared", 4),
        (
            "ltl",
            "G {waiting = 1}",
            "expected POW(P), found INTEGER",
            14,
        ),
        ("ltl", "G (e(ask)", "expected `)`, and the formula ends", 10),
        ("ltl", "G e(asks)", "there is no operation `asks`", 5),
        ("ltl", "G e(leave(P1))", "`leave` has 0 parameters", 5),
        ("ltl", "G e(ask(a))", "expected P, found Q", 9),
        ("ltl", "G {P1 : waiting", "this bracket is not closed", 3),
        ("ltl", "G", "expected a formula, and the formula ends", 2),
        ("ltl", "G foo", "expected a formula, found `foo`", 3),
        (
            "ltl",
            "G {waiting = P} F deadlock",
            "expected an operator or the end",
            17,
        ),
        ("ltl", "{1 = 1} S", "expected a formula, and", 10),
        ("ltl", "G current", "`current` is not supported", 3),
        ("ctl", "AG [leave]", "depends on the run", 4),
        ("ctl", "G {1 = 1}", "begins with `A` or `E`", 1),
        ("ctl", "A {1 = 1}", "expected `U`, `W` or `R`", 10),
        ("ctl", "AG (goal)", "there is no definition GOAL", 5),
    ] {
        let (code, out, err) = run(&format!("check --{flag} '{formula}' {path}"), b"");
        assert_eq!((code, out.as_str()), (2, ""), "{formula}: {err}");
        assert!(err.contains(words), "{formula}: {err}");
        let place = format!("--{flag}:1:{column}");
        assert!(err.contains(&place), "{formula}: {place}: {err}");
    }
    let (code, _, err) = run(&format!("check --fair weak --ltl 'G sink' {path}"), b"");
    assert!(code == 2 && err.contains("WF(op)"), "{err}");
}

#[test]
fn a_wrong_formula_of_a_machine_is_unknown_and_the_rest_is_checked() {
    let folder = Folder::new("b-ltl-unknown");
    let formulas = [
        "G (e(ask) => current)",
        "G {card(served) <= 1}",
        "G {P4 /: waiting}",
        "F {nobody = 1}",
    ];
    let formulas = formulas.map(str::to_owned);
    let path = folder.write("served.mch", with_formulas(SERVED, &formulas, &[]));
    let (code, out, err) = run(&format!("check {path}"), b"");
    assert_eq!(code, 3, "{out}{err}");
    for part in [
        "invariant       holds",
        "ASSERT_LTL_0    unknown: `current` is not supported",
        "ASSERT_LTL_1    holds",
        "ASSERT_LTL_2    unknown: `P4`: `P` has 3 elements",
        "ASSERT_LTL_3    unknown: `nobody` is not declared",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
    assert!(err.contains("so `ASSERT_LTL_0` is not checked"), "{err}");
    assert!(err.contains("served.mch:3:"), "{err}");
}

#[test]
fn what_goes_wrong_on_the_way_leaves_a_formula_open() {
    let folder = Folder::new("b-ltl-lost");
    let text = "\
MACHINE wrong
DEFINITIONS ASSERT_LTL_0 == \"G {x < 9}\"; ASSERT_LTL_1 == \"F {x = 2}\";
  ASSERT_CTL_0 == \"AG {x < 9}\"; ASSERT_LTL_2 == \"G {f(x) = 1}\"
VARIABLES x, f INVARIANT x : 0..3 & f : 0..3 +-> 0..3 INITIALISATION x := 0 || f := {0 |-> 1}
OPERATIONS
  on = SELECT x < 2 THEN x := x + 1 END;
  bad = SELECT x = 1 THEN x := f(x) END;
  stay = SELECT x < 2 THEN skip END
END
";
    let path = folder.write("wrong.mch", text);
    let told = json(&format!("check {path}"), b"");
    let all = told["properties"].as_array().expect("a list").iter();
    let all: Vec<&Value> = all
        .filter(|p| p["kind"] == "ltl" || p["kind"] == "ctl")
        .collect();
    let verdicts: Vec<&Value> = all.iter().map(|p| &p["verdict"]).collect();
    // The last has no value where x is 1, and the second is false whatever goes wrong elsewhere.
    assert_eq!(verdicts, ["unknown", "violated", "unknown", "unknown"]);
    let reason = all[0]["reason"].as_str().expect("a reason");
    assert!(
        reason.starts_with("the machine goes wrong in line 7: "),
        "{reason}"
    );
    assert_eq!(told["verdict"], json!("violated"));
}
