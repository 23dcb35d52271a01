//! Promela-Lite: random texts beside an interpreter of their own, the model of the thesis, and
//! every rule of types with a text that breaks it.

use crate::command::{Folder, json, run};
use std::collections::BTreeSet;

/// A value: a number, a process, or a channel by number; `None` is `null`.
type Value = Option<i64>;

/// A process has parameters `in` (chan{int}), `to` (chan{chan{int}}), `got` (chan{int}), `n` (int),
/// `who` (pid), numbered from 0; globals `g` (int) and `last` (pid) come behind them.
#[derive(Clone, Copy, Debug)]
enum Guard {
    /// A number compared: `n` or `g`, the sign, and with what.
    Number(usize, &'static str, i64),
    Me(usize, bool),
    IsNull(bool),
    Full(usize, bool),
    Empty(usize, bool),
    Length(usize, i64),
}

#[derive(Clone, Copy, Debug)]
enum Update {
    Skip,
    Add(usize, i64),
    Set(usize, i64),
    Me(usize),
    Forget,
    Keep,
    /// Sends `n` to `in` or `got`, or `in` or `got` to `to`; by channel and value.
    Send(usize, usize),
    Receive(usize, usize),
}

#[derive(Clone, Debug)]
struct Statement {
    guards: Vec<Guard>,
    /// A condition that is negated as a whole.
    not: bool,
    updates: Vec<Update>,
}

const NAMES: [&str; 7] = ["in", "to", "got", "n", "who", "g", "last"];

#[derive(Clone, Debug)]
struct Program {
    statements: Vec<Statement>,
    n_processes: usize,
}

impl Program {
    fn random(rng: &mut fastrand::Rng) -> Program {
        let statement = |rng: &mut fastrand::Rng| {
            let guard = |rng: &mut fastrand::Rng| match rng.u8(0..7) {
                0 | 1 => {
                    let sign = ["==", "!=", "<", "<=", ">", ">="][rng.usize(0..6)];
                    Guard::Number([3, 5][rng.usize(0..2)], sign, rng.i64(0..3))
                }
                2 => Guard::Me([4, 6][rng.usize(0..2)], rng.bool()),
                3 => Guard::IsNull(rng.bool()),
                4 => Guard::Full(rng.usize(0..3), rng.bool()),
                5 => Guard::Empty(rng.usize(0..3), rng.bool()),
                _ => Guard::Length(rng.usize(0..3), rng.i64(0..2)),
            };
            let mut guards: Vec<Guard> = (0..rng.usize(1..3)).map(|_| guard(rng)).collect();
            let not = rng.u8(0..4) == 0;
            let mut updates = Vec::new();
            match rng.u8(0..4) {
                0 if !not => {
                    let channel = rng.usize(0..3);
                    let value = if channel == 1 {
                        [0, 2][rng.usize(0..2)]
                    } else {
                        3
                    };
                    guards.push(Guard::Full(channel, true));
                    updates.push(Update::Send(channel, value));
                }
                1 if !not => {
                    let channel = rng.usize(0..3);
                    guards.push(Guard::Empty(channel, true));
                    updates.push(Update::Receive(channel, if channel == 1 { 2 } else { 3 }));
                }
                _ => {}
            }
            for _ in 0..rng.usize(1..3) {
                let n = [3, 5][rng.usize(0..2)];
                updates.push(match rng.u8(0..6) {
                    0 => Update::Skip,
                    1 => Update::Add(n, rng.i64(-1..2)),
                    2 => Update::Set(n, rng.i64(0..3)),
                    3 => Update::Me([4, 6][rng.usize(0..2)]),
                    4 => Update::Forget,
                    _ => Update::Keep,
                });
            }
            Statement {
                guards,
                not,
                updates,
            }
        };
        Program {
            statements: (0..rng.usize(2..5)).map(|_| statement(rng)).collect(),
            n_processes: rng.usize(1..3),
        }
    }

    fn text(&self) -> String {
        let channel = |c: usize| NAMES[c];
        let guard = |guard: &Guard| match *guard {
            Guard::Number(x, sign, value) => format!("{} {sign} {value}", NAMES[x]),
            Guard::Me(x, is) => format!("{} {} _pid", NAMES[x], if is { "==" } else { "!=" }),
            Guard::IsNull(is) => format!("got {} null", if is { "==" } else { "!=" }),
            Guard::Full(c, is) => format!("{}nfull({})", if is { "" } else { "!" }, channel(c)),
            Guard::Empty(c, is) => format!("{}nempty({})", if is { "" } else { "!" }, channel(c)),
            Guard::Length(c, n) => format!("len({}) > {n}", channel(c)),
        };
        let update = |update: &Update| match *update {
            Update::Skip => "skip".to_owned(),
            Update::Add(x, n) => format!("{} = ({} + {n}) * 1", NAMES[x], NAMES[x]),
            Update::Set(x, n) => format!("{} = {n}", NAMES[x]),
            Update::Me(x) => format!("{} = _pid", NAMES[x]),
            Update::Forget => "got = null".to_owned(),
            Update::Keep => "got = in".to_owned(),
            Update::Send(c, value) => format!("{}!{}", channel(c), NAMES[value]),
            Update::Receive(c, target) => format!("{}?{}", channel(c), NAMES[target]),
        };
        let statements = self.statements.iter().map(|s| {
            let all: Vec<String> = s.guards.iter().map(guard).collect();
            let all = all.join(" && ");
            let all = if s.not { format!("!({all})") } else { all };
            let updates: Vec<String> = s.updates.iter().map(update).collect();
            format!(
                "  :: atomic {{ n < 3 && n > -3 && g < 3 && g > -3 && {all} -> {} }}\n",
                updates.join("; ")
            )
        });
        let runs = (0..self.n_processes).map(|p| format!("run P(a_{p}, b, null, 0, 0)"));
        let channels = (0..self.n_processes).map(|p| format!("chan a_{p} = [2] of {{int}};\n"));
        format!(
            "{}chan b = [1] of {{chan{{int}}}};\nint g = 0;\npid last = 0;\n\
             proctype P(chan{{int}} in; chan{{rec X . chan{{int}}}} to; chan{{int}} got; int n; \
             pid who)\n{{\n  do\n{}  od\n}}\ninit {{ atomic {{ {} }} }}\n",
            channels.collect::<String>(),
            statements.collect::<String>(),
            runs.collect::<Vec<String>>().join("; ")
        )
    }

    /// How many states can be reached.
    fn n_states(&self) -> usize {
        let n = self.n_processes;
        let own = |p: usize| vec![Some(p as i64), Some(n as i64), None, Some(0), Some(0)];
        let first = State {
            processes: (0..n).map(own).collect(),
            globals: [0, 0],
            channels: vec![Vec::new(); n + 1],
        };
        let (mut seen, mut open) = (BTreeSet::new(), vec![first]);
        while let Some(state) = open.pop() {
            if !seen.insert(state.clone()) {
                continue;
            }
            for p in 0..n {
                for statement in &self.statements {
                    open.extend(state.after(p, statement));
                }
            }
        }
        seen.len()
    }
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    processes: Vec<Vec<Value>>,
    globals: [i64; 2],
    channels: Vec<Vec<Value>>,
}

impl State {
    fn number(&self, p: usize, x: usize) -> i64 {
        match x {
            5 | 6 => self.globals[x - 5],
            _ => self.processes[p][x].expect("a number"),
        }
    }

    fn set(&mut self, p: usize, x: usize, value: i64) {
        match x {
            5 | 6 => self.globals[x - 5] = value,
            _ => self.processes[p][x] = Some(value),
        }
    }

    /// How many messages are in a channel, and how many there may be; nothing for `null`.
    fn room(&self, p: usize, x: usize) -> Option<(usize, usize)> {
        let channel = self.processes[p][x]? as usize;
        let is_last = channel == self.channels.len() - 1;
        Some((self.channels[channel].len(), if is_last { 1 } else { 2 }))
    }

    fn allows(&self, p: usize, guard: &Guard) -> bool {
        match *guard {
            Guard::Number(x, sign, value) => {
                let n = self.number(p, x);
                match sign {
                    "==" => n == value,
                    "!=" => n != value,
                    "<" => n < value,
                    "<=" => n <= value,
                    ">" => n > value,
                    _ => n >= value,
                }
            }
            Guard::Me(x, is) => (self.number(p, x) == p as i64 + 1) == is,
            Guard::IsNull(is) => self.processes[p][2].is_none() == is,
            Guard::Full(x, is) => self.room(p, x).is_some_and(|(n, max)| n < max) == is,
            Guard::Empty(x, is) => self.room(p, x).is_some_and(|(n, _)| n > 0) == is,
            Guard::Length(x, least) => self.room(p, x).map_or(0, |(n, _)| n as i64) > least,
        }
    }

    fn after(&self, p: usize, statement: &Statement) -> Option<State> {
        let in_range = |n: i64| n < 3 && n > -3;
        let all = statement.guards.iter().all(|guard| self.allows(p, guard));
        if !in_range(self.number(p, 3)) || !in_range(self.number(p, 5)) || all == statement.not {
            return None;
        }
        let mut next = self.clone();
        for update in &statement.updates {
            match *update {
                Update::Skip => {}
                Update::Add(x, n) => next.set(p, x, next.number(p, x) + n),
                Update::Set(x, n) => next.set(p, x, n),
                Update::Me(x) => next.set(p, x, p as i64 + 1),
                Update::Forget => next.processes[p][2] = None,
                Update::Keep => next.processes[p][2] = next.processes[p][0],
                Update::Send(x, value) => {
                    let channel = next.processes[p][x].expect("the condition asks") as usize;
                    let value = next.processes[p][value];
                    next.channels[channel].push(value);
                }
                Update::Receive(x, target) => {
                    let channel = next.processes[p][x].expect("the condition asks") as usize;
                    next.processes[p][target] = next.channels[channel].remove(0);
                }
            }
        }
        Some(next)
    }
}

#[test]
fn random_texts_have_the_states_of_the_interpreter() {
    let folder = Folder::new("lite-random");
    let (mut n_states, mut n_larger) = (BTreeSet::new(), 0);
    for seed in 0..300 {
        let program = Program::random(&mut fastrand::Rng::with_seed(seed));
        let expected = program.n_states() as u64;
        let text = program.text();
        let path = folder.write("random.plite", &text);
        let told = json(
            &format!("check --no-deadlock --no-symmetry --plain {path}"),
            b"",
        );
        let found = told["counts"]["states"].as_u64();
        // Before the processes run there is one state more.
        let found = found.unwrap_or_else(|| panic!("seed {seed}: {told}\n{text}"));
        assert_eq!(found, 1 + expected, "seed {seed}\n{text}");
        let told = json(
            &format!("check --no-deadlock --self-check --audit {path}"),
            b"",
        );
        assert_eq!(told["verdict"], "holds", "seed {seed}: {told}\n{text}");
        n_larger += usize::from(expected > 20);
        n_states.insert(expected);
    }
    assert!(
        n_states.len() > 15 && n_larger > 10,
        "{n_states:?} {n_larger}"
    );
}

#[test]
fn the_load_balancer_has_the_group_of_the_thesis() {
    let file = "../../models/promela-lite/loadbalancer.plite";
    let told = json(&format!("symmetry {file}"), b"");
    assert_eq!(told["group_order"], "48", "{told}");
    let line = format!("check --time 20s -m 6 --ltl '[] (blocked_client == 9)' {file}");
    let told = json(&line, b"");
    assert_eq!(told["verdict"], "unknown");
    assert_eq!(told["model"]["language"], "promela-lite");
}

/// A text in which `@` stands for a statement, and `#` for what `init` runs.
const FRAME: &str = "\
chan a = [1] of {int, pid};
chan b = [1] of {rec X . chan{X}};
int g = 0;
pid w = 1;
proctype P(chan{int, pid} c; rec X . chan{X} d; int n; pid p) {
  do
  :: @
  od
}
init { atomic { # } }
";
const RUN: &str = "run P(a, b, 0, 1); run P(null, null, 1, 0)";

/// Statements, the columns where they are wrong, and what is said.
const STATEMENTS: &[(&str, u32, &str)] = &[
    (
        "atomic { p < 2 -> skip }",
        15,
        "this is pid, and int is wanted",
    ),
    (
        "atomic { p == g -> skip }",
        20,
        "this is int, and pid is wanted",
    ),
    (
        "atomic { p == 3 -> skip }",
        20,
        "a pid is a number from 0 to 2",
    ),
    (
        "atomic { n == 0 -> p = p + 1 }",
        29,
        "this is pid, and int is wanted",
    ),
    ("atomic { n == 0 -> a = c }", 25, "`a` is a static channel"),
    ("atomic { n == 0 -> n = null }", 29, "`null` is a channel"),
    (
        "atomic { n == 0 -> c = b }",
        29,
        "and chan{int, pid} is wanted",
    ),
    (
        "atomic { n == 0 -> c!1, 2 }",
        25,
        "must end with `nfull(c)`",
    ),
    (
        "atomic { nfull(c) && n == 0 -> c!1, 2 }",
        37,
        "must end with `nfull(c)`",
    ),
    ("atomic { nfull(c) -> n = 1; c!1, 2 }", 34, "first update"),
    ("atomic { nfull(c) -> c!1 }", 27, "have 2 fields, not 1"),
    (
        "atomic { nempty(c) -> c?n, n }",
        33,
        "`n` receives two fields",
    ),
    (
        "atomic { nempty(c) -> c?p, n }",
        30,
        "this is pid, and int is wanted",
    ),
    ("atomic { nempty(n) -> skip }", 22, "is int and no channel"),
    ("atomic { m == 0 -> skip }", 15, "`m` is not declared"),
    ("atomic { n == 0 -> P = 1 }", 25, "`P` is a process type"),
    ("atomic { n -> skip }", 17, "a comparison is expected"),
    ("atomic { n == 0 -> n = 1 / 2 }", 31, "`/` has no meaning"),
    ("n == 0 -> skip", 6, "`atomic` is expected"),
];

/// The same of what `init` runs.
const RUNS: &[(&str, u32, &str)] = &[
    ("run Q(1)", 21, "there is no process `Q`"),
    ("run P(a, b, 0)", 21, "has 4 parameters, not 3"),
    ("run P(b, b, 0, 1)", 23, "and chan{int, pid} is wanted"),
    (
        "run P(a, b, g, 1)",
        29,
        "starts with numbers, static channels",
    ),
    ("run P(a, b, 0, 9)", 32, "a pid is a number from 0 to 1"),
    ("skip", 17, "`run` is expected"),
];

/// What is changed in the frame, where that is wrong, and what is said.
const DECLARATIONS: &[(&str, &str, &str, &str)] = &[
    ("chan a = [1]", "chan a = [0]", ":1:11", "1 to 255 messages"),
    ("int g = 0", "int a = 0", ":3:5", "`a` is declared twice"),
    (
        "pid w = 1",
        "pid w = 7",
        ":4:9",
        "a pid is a number from 0 to 2",
    ),
    (
        "{rec X . chan{X}};",
        "{rec X . chan{Y}};",
        ":2:18",
        "`Y` is no type",
    ),
    (
        "{rec X . chan{X}};",
        "{rec X . int};",
        ":2:18",
        "before the type of a channel",
    ),
    ("int n;", "int g;", ":5:", "`g` is declared twice"),
    ("chan a = [1]", "chan a = [1", ":1:", "`]` is expected"),
];

#[test]
fn what_breaks_a_rule_is_told_at_its_place() {
    let refused = |text: &str, place: &str, words: &str| {
        let line = "check --parse-only --language promela-lite -";
        let (code, _, err) = run(line, text.as_bytes());
        assert_eq!(code, 2, "{text}\n{err}");
        let is_told = err.contains(place) && err.contains(words);
        assert!(is_told, "{place} {words}\n{text}\n{err}");
    };
    let (code, _, err) = run(
        "check --language promela-lite -",
        FRAME
            .replace(
                '@',
                "atomic { n < 2 && !nfull(c) && nempty(d) -> d?d; n = n + len(a) * 2 }",
            )
            .replace('#', RUN)
            .as_bytes(),
    );
    assert!(code == 1 || code == 0, "{err}");
    for (statement, column, words) in STATEMENTS {
        let text = FRAME.replace('@', statement).replace('#', RUN);
        refused(&text, &format!(":7:{column}"), words);
    }
    let skip = FRAME.replace('@', "atomic { n == 0 -> skip }");
    for (run, column, words) in RUNS {
        refused(&skip.replace('#', run), &format!(":10:{column}"), words);
    }
    for (old, new, place, words) in DECLARATIONS {
        let text = skip.replace('#', RUN).replacen(old, new, 1);
        refused(&text, place, words);
    }
}
