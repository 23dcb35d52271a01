//! Refinements: our own machines, planted faults, and random pairs of machines beside a plain twin
//! of what a simulation is.

use crate::expect::{lines, parse};
use crate::plain::{Setting, program};
use base::{Diagnostics, Sources};
use bmachine::live::Live;
use bmachine::refine::{Counterexample, Counts, Limits, Missing, Open, Outcome};
use bmachine::refine::{PreconditionReading, Refinement, Verdict};
use bmachine::run::{Program, RunOptions};
use std::fmt::Write;
use std::ops::ControlFlow;
use std::path::Path;
use system::{StepText, System};

/// The first of these files, ready to run, with the others beside it.
fn live(files: &[(&str, &str)]) -> Live {
    let mut sources = Sources::new();
    let mut found = Diagnostics::new();
    let main = sources.add(files[0].0, files[0].1);
    let mut include = |name: &str| {
        let file = files[1..].iter().find(|(n, _)| *n == name)?;
        Some((file.0.to_owned(), file.1.to_owned()))
    };
    let machine = bmachine::read(main, &mut sources, &mut include, &mut found);
    let machine = machine.unwrap_or_else(|| panic!("{:?}\n{}", found.sorted(), files[0].1));
    let options = RunOptions {
        sizes: vec![2; machine.sorts.len()],
        maxint: 3,
        minint: -1,
        work_max: 1 << 24,
        deadline: Default::default(),
    };
    let program = Program::new(machine, &options).unwrap_or_else(|why| panic!("{why:?}"));
    Live::new(program, &sources)
}

/// What a check says that may take all it needs.
fn check(live: &Live, reading: PreconditionReading) -> Outcome {
    let refinement = Refinement::new(live, reading).unwrap_or_else(|why| panic!("{why:?}"));
    let limits = Limits {
        depth_max: None,
        watch: &mut |_| ControlFlow::Continue(()),
    };
    refinement.check(live, limits)
}

/// The verdict in one line, with the run in the words of the refinement.
fn told(files: &[(&str, &str)], reading: PreconditionReading) -> String {
    let live = live(files);
    match check(&live, reading).verdict {
        Verdict::Holds => "holds".to_owned(),
        Verdict::Open(open) => format!("{open:?}"),
        Verdict::Violated(found) => {
            let run: Vec<String> = run(&live, &found).into_iter().map(|s| s.0).collect();
            let beside = found
                .beside
                .iter()
                .map(|(name, value)| format!("{name} = {value}"));
            let beside: Vec<String> = beside.collect();
            let step = found.step.map_or(String::new(), |(step, _)| step);
            let beside = beside.join(", ");
            format!("{:?} [{}] {step} ({beside})", found.missing, run.join("; "))
        }
    }
}

/// The steps of a counterexample as they are taken on the refinement, each with the values of the
/// state after it.
fn run(live: &Live, found: &Counterexample) -> Vec<(String, Vec<String>)> {
    let mut scratch = live.scratch();
    let mut is_initial = false;
    live.initial(&mut scratch, &mut |initial| {
        is_initial |= initial.is_ok_and(|state| state == found.start);
    });
    assert!(is_initial, "no initial state: {found:?}");
    let mut state = found.start.clone();
    let mut all = Vec::new();
    for step in &found.steps {
        let StepText { step: text, .. } = live.step_text(&state, *step);
        let mut next = None;
        let taken = live.follow(&state, &[*step], &mut scratch, &mut |_, state, _| {
            next = Some(state.to_vec());
        });
        assert!(taken, "{text} cannot be taken: {found:?}");
        state = next.expect("a state");
        all.push((text, values(live, &state)));
    }
    all
}

fn values(live: &Live, state: &[u8]) -> Vec<String> {
    let mut values = Vec::new();
    live.describe(state, &mut |_, value| values.push(value.to_owned()));
    values
}

/// A refinement of our own, with the machines beside it.
fn model(name: &str, setting: &Setting) -> Live {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/b");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).ok();
    let mut sources = Sources::new();
    let mut found = Diagnostics::new();
    let main = sources.add(name, read(name).expect("a model"));
    let mut include = |name: &str| Some((name.to_owned(), read(name)?));
    let machine = bmachine::read(main, &mut sources, &mut include, &mut found);
    let machine = machine.unwrap_or_else(|| panic!("{name}: {:?}", found.sorted()));
    let program = program(&machine, setting).unwrap_or_else(|why| panic!("{name}: {why}"));
    Live::new(program, &sources)
}

#[test]
fn headers_say_whether_machines_refine() {
    let full = std::env::var_os("ORBIT_CORPUS_FULL").is_some_and(|set| set == "1");
    let n_max = if full { 200_000 } else { 100 };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/b");
    let files = std::fs::read_dir(&folder).expect("our models");
    let names = files.map(|file| file.expect("a file").file_name().into_string());
    let mut names: Vec<String> = names.map(|name| name.expect("a name")).collect();
    names.retain(|name| name.ends_with(".ref"));
    names.sort();
    let mut n_checked = 0;
    for name in names {
        let text = std::fs::read_to_string(folder.join(&name)).expect("a model");
        for line in lines(&text, "expect") {
            let expected = parse(line).unwrap_or_else(|| panic!("{name}: {line}"));
            if expected.full.is_some_and(|(n, _)| n > n_max) {
                continue;
            }
            let setting = Setting {
                default_size: expected.default_size,
                sizes: expected.sizes.clone(),
            };
            for (holds, reading) in &expected.refinement {
                let reading = match reading.as_str() {
                    "guards" => PreconditionReading::Guards,
                    "preconditions" => PreconditionReading::Classical,
                    other => panic!("{name}: {other}"),
                };
                let live = model(&name, &setting);
                let verdict = check(&live, reading).verdict;
                let is_right = match &verdict {
                    Verdict::Holds => *holds,
                    Verdict::Violated(found) => {
                        run(&live, found);
                        !holds
                    }
                    Verdict::Open(_) => false,
                };
                assert!(is_right, "{name}: {line}\n{reading:?}: {verdict:?}");
                n_checked += 1;
            }
        }
    }
    assert!(n_checked >= 12, "only {n_checked} were small enough");
}

/// A set of at most two names.
const BOOK: (&str, &str) = (
    "M.mch",
    "MACHINE M SETS S VARIABLES db INVARIANT db <: S INITIALISATION db := {} OPERATIONS \
     add = ANY s WHERE s : S & s /: db THEN db := db \\/ {s} END; \
     r <-- get = r := card(db) END",
);

/// Its size as a number, with that guard of `add`.
fn size(guard: &str, result: &str, invariant: &str) -> String {
    format!(
        "REFINEMENT R REFINES M VARIABLES n INVARIANT n : NATURAL & {invariant} \
         INITIALISATION n := 0 OPERATIONS \
         add = SELECT {guard} THEN n := n + 1 END; r <-- get = r := {result}; \
         idle = skip END"
    )
}

#[test]
fn a_refinement_is_violated_where_a_step_has_no_match() {
    let says = |guard: &str, result: &str, invariant: &str| {
        let text = size(guard, result, invariant);
        told(&[("R.ref", &text), BOOK], PreconditionReading::Guards)
    };
    assert_eq!(says("n < 2", "n", "n = card(db)"), "holds");
    assert_eq!(
        says("n < 4", "n", "n = card(db)"),
        "Step [add; add; add] add (M.db = {S1,S2})"
    );
    assert_eq!(
        says("n < 2", "n * n", "n = card(db)"),
        "Step [add; add; 4 <-- get] 4 <-- get (M.db = {S1,S2})"
    );
    assert_eq!(says("n < 2", "n", "n = card(db) + 1"), "Start []  ()");
    assert_eq!(
        says("n < 2", "n", "n = card(db) & db /= S"),
        "Step [add; add] add (M.db = {S1})"
    );
}

#[test]
fn preconditions_are_guards_or_not_the_refinements_business() {
    let machine = |pre: &str| {
        format!(
            "MACHINE M VARIABLES x INVARIANT x : 0..3 INITIALISATION x := 0 OPERATIONS \
             up(k) = PRE k : 1..3 & {pre} THEN x := x + k END END"
        )
    };
    let refinement = |pre: &str| {
        format!(
            "REFINEMENT R REFINES M VARIABLES y INVARIANT y : 0..3 & x = y INITIALISATION y := 0 \
             OPERATIONS up(k) = PRE k : 1..3 & {pre} THEN \
             IF y + k <= 3 THEN y := y + k ELSE y := 0 END END END"
        )
    };
    let says = |strong: &str, weak: &str, reading: PreconditionReading| {
        let (machine, refinement) = (machine(strong), refinement(weak));
        told(&[("R.ref", &refinement), ("M.mch", &machine)], reading)
    };
    let (strong, weak) = ("x + k <= 3", "0 = 0");
    assert_eq!(
        says(strong, "y + k <= 3", PreconditionReading::Guards),
        "holds"
    );
    assert_eq!(
        says(strong, "y + k <= 3", PreconditionReading::Classical),
        "holds"
    );
    let all = says(strong, weak, PreconditionReading::Guards);
    assert!(
        all.starts_with("Step [up(1); up(3)] up(3) (M.x = 1)"),
        "{all}"
    );
    assert_eq!(says(strong, weak, PreconditionReading::Classical), "holds");
    // What the machine allows may be forbidden only where preconditions are guards.
    assert_eq!(
        says(strong, "y + k <= 2", PreconditionReading::Guards),
        "holds"
    );
    let call = says(strong, "y + k <= 2", PreconditionReading::Classical);
    assert_eq!(call, "Call [] up(3) (M.x = 0)");
}

#[test]
fn a_violation_may_need_more_than_one_run() {
    let machine = "MACHINE M SETS T = {a, b} VARIABLES t INVARIANT t : T INITIALISATION t :: T \
                   OPERATIONS A = SELECT t = a THEN skip END; B = SELECT t = b THEN skip END END";
    let refinement = "REFINEMENT R REFINES M VARIABLES n INVARIANT n : NATURAL & t : T \
                      INITIALISATION n := 0 OPERATIONS A = skip; B = skip END";
    let says = told(
        &[("R.ref", refinement), ("M.mch", machine)],
        PreconditionReading::Guards,
    );
    // Each step alone has a run of the machine beside it. After one of them the machine is where it
    // has to be, so both together show it.
    assert_eq!(says, "Step [A; B] B (M.t = a)");
    let refinement = "REFINEMENT R REFINES M VARIABLES n INVARIANT n : 0..1 & t : T \
                      INITIALISATION n := 0 OPERATIONS A = SELECT n = 0 THEN n := 1 END; \
                      B = SELECT n = 0 THEN n := 1 END END";
    let says = told(
        &[("R.ref", refinement), ("M.mch", machine)],
        PreconditionReading::Guards,
    );
    assert_eq!(says, "BestStep [A] A (M.t = b)");
}

#[test]
fn operations_must_have_the_shape_of_those_they_refine() {
    let machine = "MACHINE M VARIABLES x INVARIANT x : 0..3 INITIALISATION x := 0 \
                   OPERATIONS up = skip; r <-- get = r := x END";
    let new = |operations: &str, reading: PreconditionReading| {
        let text = format!(
            "REFINEMENT R REFINES M VARIABLES x INVARIANT x : 0..3 INITIALISATION x := 0 \
             OPERATIONS {operations} END"
        );
        let live = live(&[("R.ref", &text), ("M.mch", machine)]);
        match Refinement::new(&live, reading) {
            Ok(refinement) => refinement.refined().to_owned(),
            Err(why) => why.iter().map(|why| why.message.clone()).collect(),
        }
    };
    assert_eq!(new("up = skip", PreconditionReading::Guards), "M");
    assert_eq!(
        new("up = skip", PreconditionReading::Classical),
        "`R` does not have the operation `get` of `M`"
    );
    assert_eq!(
        new(
            "up(k) = PRE k : 0..1 THEN skip END",
            PreconditionReading::Guards
        ),
        "`up` has 0 parameters and 0 results in `M`"
    );
    let alone = live(&[("M.mch", machine)]);
    let why = Refinement::new(&alone, PreconditionReading::Guards)
        .err()
        .expect("an error");
    assert_eq!(why[0].message, "`M` refines nothing");
}

#[test]
fn what_cannot_be_computed_leaves_it_open() {
    let says = |gluing: &str, start: &str| {
        let machine = "MACHINE M VARIABLES f INVARIANT f : 0..3 +-> 0..3 \
                       INITIALISATION f := {} OPERATIONS set = f := {0 |-> 1} END";
        let text = format!(
            "REFINEMENT R REFINES M VARIABLES x INVARIANT x : 0..3 & {gluing} \
             INITIALISATION x := {start} OPERATIONS set = x := 1 END"
        );
        told(
            &[("R.ref", &text), ("M.mch", machine)],
            PreconditionReading::Guards,
        )
    };
    assert_eq!(says("(x = 1 => f(0) = 1)", "0"), "holds");
    let open = says("f(0) = 1", "0");
    assert!(
        open.starts_with("Gap(") && open.contains("outside of its domain"),
        "{open}"
    );
    // What is violated whatever the part that is open says is violated.
    assert_eq!(says("x : dom(f)", "0"), "Start []  ()");
}

#[test]
fn limits_leave_it_open() {
    let text = size("n < 2", "n", "n = card(db)");
    let live = live(&[("R.ref", &text), BOOK]);
    let refinement =
        Refinement::new(&live, PreconditionReading::Guards).unwrap_or_else(|why| panic!("{why:?}"));
    let open = |depth_max: Option<u64>, n_pairs_max: u64| {
        let mut watch = |counts: &Counts| {
            if counts.n_pairs > n_pairs_max {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let limits = Limits {
            depth_max,
            watch: &mut watch,
        };
        match refinement.check(&live, limits).verdict {
            Verdict::Open(open) => Some(open),
            Verdict::Holds => None,
            Verdict::Violated(found) => panic!("{found:?}"),
        }
    };
    assert_eq!(open(None, 100), None);
    assert_eq!(open(Some(1), 100), Some(Open::Depth));
    assert_eq!(open(Some(3), 100), None);
    assert_eq!(open(None, 2), Some(Open::Stopped));
    assert_eq!(check(&live, PreconditionReading::Guards).counts.n_pairs, 4);
}

/// A step of a table: operation, argument, result, from, to.
type Row = (usize, usize, usize, usize, usize);

/// What the refinement has to match in a step.
#[derive(Clone, Copy, PartialEq)]
struct StepLabel {
    operation: usize,
    argument: usize,
    result: usize,
}

impl StepLabel {
    fn of(row: &Row) -> StepLabel {
        StepLabel {
            operation: row.0,
            argument: row.1,
            result: row.2,
        }
    }
}

const N: usize = 3;
const OPERATIONS: [&str; 3] = ["A", "B", "E"];

/// A machine as tables.
#[derive(Debug)]
struct Table {
    initial: Vec<usize>,
    rows: Vec<Row>,
    /// Operation, argument, state: where the precondition holds.
    allowed: Vec<(usize, usize, usize)>,
}

impl Table {
    fn random(rng: &mut fastrand::Rng, n_operations: usize, density: f64) -> Table {
        let mut table = Table {
            initial: (0..N).filter(|_| rng.f64() < density).collect(),
            rows: Vec::new(),
            allowed: Vec::new(),
        };
        if table.initial.is_empty() {
            table.initial.push(rng.usize(..N));
        }
        for operation in 0..n_operations {
            for (argument, from) in (0..2).flat_map(|p| (0..N).map(move |s| (p, s))) {
                if rng.f64() < 0.8 {
                    table.allowed.push((operation, argument, from));
                }
                for (result, to) in (0..2).flat_map(|r| (0..N).map(move |s| (r, s))) {
                    if rng.f64() < density {
                        table.rows.push((operation, argument, result, from, to));
                    }
                }
            }
        }
        table
    }

    fn allows(&self, operation: usize, argument: usize, state: usize) -> bool {
        self.allowed.contains(&(operation, argument, state))
    }

    /// Where a step with this label can lead, if the precondition is a guard.
    fn after(&self, label: StepLabel, from: usize) -> Vec<usize> {
        let rows = self.rows.iter();
        rows.filter(|row| StepLabel::of(row) == label && row.3 == from)
            .filter(|_| self.allows(label.operation, label.argument, from))
            .map(|row| row.4)
            .collect()
    }

    /// The clauses of a machine with one variable.
    fn text(&self, variable: &str, n_operations: usize) -> String {
        let list = |all: Vec<String>| format!("{{{}}}", all.join(","));
        let initial = list(self.initial.iter().map(|s| s.to_string()).collect());
        let mut text = format!("INITIALISATION {variable} :: {initial} OPERATIONS ");
        for (operation, name) in OPERATIONS.iter().enumerate().take(n_operations) {
            let allowed = self.allowed.iter().filter(|a| a.0 == operation);
            let allowed = list(allowed.map(|a| format!("{}|->{}", a.1, a.2)).collect());
            let rows = self.rows.iter().filter(|row| row.0 == operation);
            let rows = rows.map(|r| format!("{}|->{}|->{}|->{}", r.1, r.2, r.3, r.4));
            let rows = list(rows.collect());
            let end = if operation + 1 == n_operations {
                ""
            } else {
                ";"
            };
            let _ = write!(
                text,
                "r <-- {name}(p) = PRE p : 0..1 & p |-> {variable} : {allowed} THEN \
                 ANY w, y WHERE w : 0..1 & y : 0..2 & p |-> w |-> {variable} |-> y : {rows} \
                 THEN {variable} := y || r := w END END{end} "
            );
        }
        text + "END"
    }
}

/// Two machines, the first with an operation more, and what glues them.
struct Case {
    own: Table,
    other: Table,
    glued: Vec<(usize, usize)>,
    reading: PreconditionReading,
}

impl Case {
    fn random(seed: u64) -> Case {
        let mut rng = fastrand::Rng::with_seed(seed);
        let pairs = (0..N).flat_map(|c| (0..N).map(move |a| (c, a)));
        let glued = pairs.filter(|_| rng.f64() < 0.7).collect();
        let (sparse, dense) = (0.02 + 0.1 * rng.f64(), 0.3 + 0.6 * rng.f64());
        Case {
            own: Table::random(&mut rng, 3, sparse),
            other: Table::random(&mut rng, 2, dense),
            glued,
            reading: if rng.bool() {
                PreconditionReading::Guards
            } else {
                PreconditionReading::Classical
            },
        }
    }

    fn live(&self) -> Live {
        let machine = "MACHINE M VARIABLES a INVARIANT a : 0..2 ".to_owned();
        let machine = machine + &self.other.text("a", 2);
        let glued = self.glued.iter().map(|(c, a)| format!("{c}|->{a}"));
        let glued: Vec<String> = glued.collect();
        let refinement = format!(
            "REFINEMENT R REFINES M VARIABLES c INVARIANT c : 0..2 & c |-> a : {{{}}} {}",
            glued.join(","),
            self.own.text("c", 3)
        );
        live(&[("R.ref", &refinement), ("M.mch", &machine)])
    }

    /// The states that answer a step; `None` if nothing is owed.
    fn answers(&self, label: StepLabel, to: usize, a: usize) -> Option<Vec<usize>> {
        let is_new = label.operation == 2;
        let is_free = self.reading == PreconditionReading::Classical;
        if !is_new && is_free && !self.other.allows(label.operation, label.argument, a) {
            return None;
        }
        let mut all = if is_new {
            vec![a]
        } else {
            self.other.after(label, a)
        };
        all.retain(|b| self.glued.contains(&(to, *b)));
        Some(all)
    }

    /// Whether a pair has to go, if only `kept` are left.
    fn falls(&self, c: usize, a: usize, kept: &[(usize, usize)]) -> bool {
        let is_classical = self.reading == PreconditionReading::Classical;
        let calls = (0..2).flat_map(|op| (0..2).map(move |p| (op, p)));
        let is_forbidden =
            |(op, p): (usize, usize)| self.other.allows(op, p, a) && !self.own.allows(op, p, c);
        let mut steps = self.own.rows.iter().filter(|row| row.3 == c);
        let unmatched = |row: &Row| {
            let answers = self.answers(StepLabel::of(row), row.4, a);
            self.own.allows(row.0, row.1, c)
                && answers.is_some_and(|all| !all.iter().any(|b| kept.contains(&(row.4, *b))))
        };
        is_classical && { calls }.any(is_forbidden) || steps.any(unmatched)
    }

    /// The definition, read aloud.
    fn holds(&self) -> bool {
        let mut kept = self.glued.clone();
        loop {
            let n = kept.len();
            let all = kept.clone();
            kept.retain(|&(c, a)| !self.falls(c, a, &all));
            if kept.len() == n {
                break;
            }
        }
        let has_partner = |c: &usize| self.other.initial.iter().any(|a| kept.contains(&(*c, *a)));
        self.own.initial.iter().all(has_partner)
    }

    /// Whether a run shows what it is said to show.
    fn is_shown(&self, live: &Live, found: &Counterexample) -> bool {
        let number = |words: &str| words.parse::<usize>().expect("a number");
        let mut c = number(&values(live, &found.start)[0]);
        let mut beside = self.other.initial.clone();
        beside.retain(|a| self.glued.contains(&(c, *a)));
        let mut is_free = false;
        let run = run(live, found);
        for (n, (step, after)) in run.iter().enumerate() {
            let (result, call) = step.split_once(" <-- ").expect("a result");
            let (name, argument) = call.split_once('(').expect("an argument");
            let operation = OPERATIONS.iter().position(|op| *op == name);
            let argument = number(argument.trim_end_matches(')'));
            let label = StepLabel {
                operation: operation.expect("a name"),
                argument,
                result: number(result),
            };
            let to = number(&after[0]);
            assert!(
                self.own.after(label, c).contains(&to),
                "{step} from {c} to {to}"
            );
            let answers: Vec<Option<Vec<usize>>> =
                beside.iter().map(|a| self.answers(label, to, *a)).collect();
            is_free |= answers.iter().any(Option::is_none);
            beside = answers.into_iter().flatten().flatten().collect();
            let is_over = beside.is_empty() && !is_free;
            if is_over && (n + 1 < run.len() || found.missing != Missing::Step) {
                return false;
            }
            c = to;
        }
        match found.missing {
            Missing::Start => run.is_empty() && beside.is_empty(),
            Missing::Step => beside.is_empty() && !is_free && !run.is_empty(),
            Missing::BestStep => !run.is_empty() && (!beside.is_empty() || is_free),
            Missing::Call => {
                let (call, _) = found.step.as_ref().expect("a call");
                let operation = OPERATIONS.iter().position(|op| call.starts_with(op));
                let argument = call.trim_end_matches(')').rsplit('(').next().map(number);
                let (op, p) = (operation.expect("a name"), argument.expect("an argument"));
                let allows = beside.iter().any(|a| self.other.allows(op, p, *a));
                allows && !self.own.allows(op, p, c)
            }
        }
    }
}

#[test]
fn random_refinements_are_as_the_definition_says() {
    let mut seen = [0; 5];
    for seed in 0..400 {
        let case = Case::random(seed);
        let live = case.live();
        let verdict = check(&live, case.reading).verdict;
        let holds = case.holds();
        let kind = match &verdict {
            Verdict::Holds => {
                assert!(holds, "seed {seed}: said to hold");
                0
            }
            Verdict::Open(open) => panic!("seed {seed}: {open:?}"),
            Verdict::Violated(found) => {
                assert!(!holds, "seed {seed}: said to be violated, {found:?}");
                assert!(case.is_shown(&live, found), "seed {seed}: {found:?}");
                match found.missing {
                    Missing::Start => 1,
                    Missing::Step => 2,
                    Missing::BestStep => 3,
                    Missing::Call => 4,
                }
            }
        };
        seen[kind] += 1;
    }
    assert!(
        seen.iter().all(|n| *n > 3),
        "some kinds are too rare: {seen:?}"
    );
}
