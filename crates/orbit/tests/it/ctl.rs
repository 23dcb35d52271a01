//! `orbit check --ctl`: verdicts of our models, with symmetry and without; what is shown and told;
//! random models, rewritten and as they are.

use crate::command::{json, run};
use crate::symmetry::random;
use base::{Diagnostic, Diagnostics, Sources};
use check::ctl::{Answer, Binary, Formula, Missing, Quantifier, Unary};
use check::{Identity, Reducer};
use model::Machine;
use model::processes::passes::{Moves, keep_branches};
use model::processes::property::Property;
use promela::lower::{Ends, FullChannels, lower_all};
use reduce::canonical::Canonical;
use serde_json::Value;

/// Models with formulas and whether they hold.
const MODELS: [(&str, &[(&str, bool)]); 7] = [
    (
        "readers_writers.pml",
        &[
            ("AG EF (n_writing == 1)", true),
            ("AG EF (n_reading == 3)", true),
            ("A[] !(n_writing == 1 && n_reading > 0)", true),
            ("AF (n_writing == 1)", false),
            ("EG (n_writing == 0)", true),
            ("AG (n_waiting == 2 -> AX (n_reading <= 3))", true),
            ("E[n_waiting == 0 U n_reading == 3]", true),
            ("A[n_writing == 0 W n_waiting > 0]", true),
            ("A[n_writing == 0 U n_waiting > 0]", false),
            ("n_waiting == 2 --> n_writing == 1", true),
            ("EF AG (n_writing == 0)", false),
        ],
    ),
    (
        "dining.pml",
        &[
            ("AG EF (n_eating == 1)", false),
            ("AG (EX true)", true),
            ("EF AG (n_eating == 0)", true),
            ("AG (n_eating <= 1)", true),
            ("E[n_eating == 0 R !taken[0]]", true),
            ("E[n_eating == 1 R !taken[0]]", true),
            ("A[n_eating == 1 R !taken[0]]", false),
        ],
    ),
    (
        "-D BUTLER dining.pml",
        &[
            ("AG EF (n_eating == 1)", true),
            ("AF (n_eating == 1)", true),
        ],
    ),
    (
        "peterson.pml",
        &[
            ("AG EF (n_critical == 1)", true),
            ("AG (flag[0] -> EF user[0]@critical)", true),
            ("AG (flag[0] -> AF user[0]@critical)", false),
            ("EF (flag[0] && flag[1] && EX flag[0])", true),
            ("AG AF (n_critical == 1)", true),
        ],
    ),
    (
        "mutex_counters.pml",
        &[("AG EF true", true), ("EF EX false", false)],
    ),
    (
        "ring.pml",
        &[
            ("AF (n_leaders == 1)", true),
            ("EG (n_leaders == 0)", false),
        ],
    ),
    (
        "pool.pml",
        &[("AG EF (n_awake == 0)", true), ("EF (n_awake == 3)", true)],
    ),
];

#[test]
fn models_have_their_verdicts_with_symmetry_and_without() {
    for (model, formulas) in MODELS {
        let model = match model.rsplit_once(' ') {
            Some((flags, name)) => format!("{flags} ../../models/promela/{name}"),
            None => format!("../../models/promela/{model}"),
        };
        for (formula, holds) in formulas {
            for flags in ["", "--no-symmetry", "--plain"] {
                let line = format!("check --ctl '{formula}' {flags} {model}");
                let said = json(&line, b"");
                let verdict = if *holds { "holds" } else { "violated" };
                let property = branching(&said);
                assert_eq!(property["verdict"], verdict, "{line}\n{said:#}");
                // What is wrong is always shown.
                assert!(*holds || property["witness"].is_object(), "{line}");
            }
        }
    }
}

/// The formula among the properties of an answer.
fn branching(said: &Value) -> Value {
    let properties = said["properties"].as_array().expect("a list");
    let mut formulas = properties.iter().filter(|p| p["kind"] == "ctl");
    formulas.next().expect("a formula").clone()
}

/// Somebody may die with the key in hand.
const KEY: &str = "bool held; byte n_down;\n\
    active [3] proctype client()\n\
    {\n\
    \tdo\n\
    \t:: atomic { !held -> held = true };\n\
    \t\tif :: held = false :: break fi\n\
    \tod;\n\
    down:\n\
    \tn_down++\n\
    }\n";

fn key(formula: &str) -> Value {
    json(&format!("check --ctl '{formula}' -"), KEY.as_bytes())
}

#[test]
fn symmetry_is_used_and_what_an_atom_costs_is_told() {
    let said = key("AG EF !held");
    assert_eq!(said["verdict"], "violated");
    let property = branching(&said);
    assert_eq!(
        (&property["group_order"], &property["name"]),
        (&"6".into(), &"AG EF (!held)".into())
    );
    let less = key("AG EF client[0]@ill").clone();
    assert!(
        less["verdict"].is_null(),
        "an unknown label is refused: {less}"
    );
    let said = key("EF client[0]@down");
    let property = branching(&said);
    assert_eq!(property["group_order"], "1", "{said:#}");
    assert_eq!(property["group_without_it"], "6", "{said:#}");
}

#[test]
fn runs_end_where_the_rest_is_said_in_words() {
    let said = key("AG EF !held");
    let property = branching(&said);
    let message = property["message"].as_str().expect("a message");
    assert_eq!(
        message,
        "violated: at the end of this run `EF (!held)` is false: no run leads there"
    );
    assert_eq!(property["witness"]["moves"], 2, "{said:#}");
    assert_eq!(property["witness"]["loop_from"], Value::Null);
    let said = key("AF (n_down == 1)");
    let property = branching(&said);
    let message = property["message"].as_str().expect("a message");
    assert!(
        message.contains("for ever in states where `n_down == 1` is false"),
        "{message}"
    );
    assert!(property["witness"]["loop_from"].is_number(), "{said:#}");
    let said = key("EF (n_down == 1)");
    let property = branching(&said);
    assert_eq!(
        (&property["verdict"], &property["n_seen"]),
        (&"holds".into(), &1.into())
    );
    assert!(property["witness"].is_object());
    // That nothing can be is shown by nothing but the start.
    let said = key("EF (n_down == 2)");
    let property = branching(&said);
    let message = property["message"].as_str().expect("a message");
    assert!(
        message.contains("in the initial state `EF (n_down == 2)` is false"),
        "{message}"
    );
    let again = said["self_check"].as_str().expect("words");
    assert!(again.contains("without symmetry"), "{again}");
}

#[test]
fn mistakes_are_told_in_the_formula() {
    for (formula, words, place) in [
        ("AG (hold == 1)", "hold", "--ctl:1:5"),
        ("AG EF (held == )", "", "--ctl:1:"),
        ("AG (p", "this bracket is not closed", "--ctl:1:4"),
        ("AG [] held", "", "--ctl:1:4"),
        (
            "EF (held -> <> held)",
            "an operator of linear time",
            "--ctl:1:5",
        ),
        ("EF {held}", "without braces", "--ctl:1:4"),
        ("", "a formula is missing here", "--ctl:1:1"),
    ] {
        let (code, out, err) = run(&format!("check --ctl '{formula}' -"), KEY.as_bytes());
        assert_eq!((code, &*out), (2, ""), "{formula}: {err}");
        assert!(
            err.contains(words) && err.contains(place),
            "{formula}: {err}"
        );
    }
}

#[test]
fn what_does_not_go_with_it_is_refused() {
    let line = "check --ctl 'AG held' --spin-compat -";
    let (code, out, err) = run(line, KEY.as_bytes());
    assert_eq!((code, &*out), (2, ""), "{err}");
    assert!(err.contains("does not go with `--ctl`"), "{err}");
    // What is about the search for errors is done there, beside the formula.
    for flag in [
        "--audit",
        "--count-full",
        "--self-check",
        "--search dfs",
        "-l",
    ] {
        let said = json(&format!("check --ctl 'EF held' {flag} -"), KEY.as_bytes());
        assert_eq!(branching(&said)["verdict"], "holds", "{flag}");
        assert_eq!(said["verdict"], "violated", "{flag}: the deadlock is seen");
    }
    for flag in ["--ltl '[] held'", "-p 1"] {
        let line = format!("check --ctl 'AG held' {flag} -");
        assert_eq!(run(&line, KEY.as_bytes()).0, 2, "{flag}");
    }
    let machine = "check --ctl 'AG held' phonebook.mch";
    let (code, _, err) = run(machine, b"");
    assert!(code == 2 && err.contains("--ctl"), "{err}");
}

#[test]
fn limits_and_faults_leave_it_open() {
    let said = |line: &str, text: &str| {
        let said = json(
            &format!("check --ctl 'AG EF (x == 0)' {line} -"),
            text.as_bytes(),
        );
        let formula = branching(&said);
        let words = |field: &str| formula[field].as_str().unwrap_or("").to_owned();
        (words("verdict"), words("reason"))
    };
    let count = "byte x; active proctype P() { do :: x++ od }";
    assert_eq!(said("", count).0, "holds");
    let (verdict, reason) = said("-m 5", count);
    assert_eq!(
        (&*verdict, reason.contains("deeper")),
        ("unknown", true),
        "{reason}"
    );
    let (verdict, reason) = said("--reduce flood", count);
    assert!(
        verdict == "holds" || reason.contains("taken for one"),
        "{verdict} {reason}"
    );
    let wrong = "byte x, a[2]; active proctype P() { do :: x < 3 -> x++; a[x] = 1 od }";
    let (verdict, reason) = said("", wrong);
    assert_eq!(
        (&*verdict, reason.contains("goes wrong in line 1")),
        ("unknown", true),
        "{reason}"
    );
    let text = "byte x, a[2]; active proctype P() { do :: x < 3 -> x++ od }";
    let line = "check --ctl 'AG (a[x] == 0)' -";
    let said = json(line, text.as_bytes());
    let formula = branching(&said);
    let reason = formula["reason"].as_str().unwrap_or("");
    assert!(reason.contains("an atom has no value"), "{said:#}");
}

/// What states may take: of models that are compared, and of the comparison.
const SMALL: u64 = 1 << 18;
const LARGE: u64 = 1 << 28;

/// A model as it was lowered, and its formulas.
fn lowered(text: &str) -> Option<(model::processes::program::Model, Vec<Property>)> {
    let (mut sources, mut found) = (Sources::new(), Diagnostics::new());
    let main = sources.add("model.pml", text);
    let mut none = |_: &mut Sources, request: &promela::preprocess::IncludeRequest| {
        Err(Diagnostic::unlocated(request.path.to_owned()))
    };
    let typed = promela::check(main, &[], &mut sources, &mut none, &mut found)?;
    let options = promela::lower::Options {
        ends: Ends::Step,
        full: FullChannels::Block,
    };
    lower_all(&typed, &sources, &options, &mut found)
}

fn formula(rng: &mut fastrand::Rng, depth: u32) -> Formula {
    let part = |rng: &mut fastrand::Rng| Box::new(formula(rng, depth.saturating_sub(1)));
    let quantifier = [Quantifier::All, Quantifier::Some][rng.usize(0..2)];
    let unary = [Unary::Finally, Unary::Globally, Unary::Next][rng.usize(0..3)];
    let binary = [Binary::Until, Binary::WeakUntil, Binary::Release][rng.usize(0..3)];
    match rng.u8(0..if depth == 0 { 3 } else { 13 }) {
        0..3 => Formula::Atom(rng.u32(0..3)),
        3 => Formula::Not(part(rng)),
        4 => Formula::And(part(rng), part(rng)),
        5 => Formula::Or(part(rng), part(rng)),
        6..11 => Formula::Unary(quantifier, unary, part(rng)),
        _ => Formula::Binary(quantifier, binary, part(rng), part(rng)),
    }
}

fn said(
    machine: &Machine,
    reducer: &mut dyn Reducer,
    formula: &Formula,
    bytes_max: u64,
) -> Result<bool, Missing> {
    let options = check::Options {
        memory_bytes_max: Some(bytes_max),
        order: check::Order::Breadth,
        ..crate::counts::options()
    };
    let asked = check::ctl::Asked {
        formula,
        fairness: &check::temporal::Fairness::None,
    };
    let outcome = check::ctl::check(machine, reducer, &asked, &options, &mut |_| {});
    let outcome = outcome.unwrap_or_else(|broken| panic!("{formula:?}: {broken}"));
    outcome.answer.map(|Answer { holds, .. }| holds)
}

#[test]
fn rewriting_and_symmetry_keep_what_is_asked_of_random_models() {
    let (mut n_compared, mut n_reduced, mut n_true, mut n_next) = (0, 0, 0, 0);
    for seed in 0..150 {
        let atoms = "ltl a { n == 1 }\nltl b { flag[0] == flag[1] }\nltl c { g == h }\n";
        let text = random::text(seed) + "\n" + atoms;
        let Some((mut model, properties)) = lowered(&text) else {
            continue;
        };
        let atoms: Vec<_> = properties.iter().flat_map(|p| p.atoms.clone()).collect();
        if atoms.len() != 3 {
            continue;
        }
        model.atoms = atoms;
        let plain = Machine::new(model.clone());
        let rng = &mut fastrand::Rng::with_seed(seed);
        for _ in 0..4 {
            let formula = formula(rng, 3);
            let moves = if formula.has_next() {
                Moves::Count
            } else {
                Moves::Leave
            };
            let mut less = model.clone();
            keep_branches(&mut less, moves);
            let less = Machine::new(less);
            let Ok(holds) = said(&plain, &mut Identity, &formula, SMALL) else {
                continue;
            };
            n_compared += 1;
            n_true += usize::from(holds);
            n_next += usize::from(formula.has_next());
            let rewritten = said(&less, &mut Identity, &formula, LARGE);
            assert_eq!(rewritten, Ok(holds), "seed {seed} {formula:?}\n{text}");
            let found = reduce::processes::find_largest(&less);
            if let Some(found) = found.filter(|found| !found.certified.group().is_trivial()) {
                let mut canonical = Canonical::new(&found.certified.certified());
                let reduced = said(&less, &mut canonical, &formula, LARGE);
                assert_eq!(
                    reduced,
                    Ok(holds),
                    "seed {seed} {formula:?}, reduced\n{text}"
                );
                n_reduced += 1;
            }
        }
    }
    let all = [n_compared, n_reduced, n_true, n_compared - n_true, n_next];
    assert!(all.iter().all(|n| *n > 25), "{all:?}");
}

/// Clients of one resource; the first may leave.
const CLIENTS: &str = "
bool waiting[3], inside[3];
byte holder = 3;
active [3] proctype client() {
  do
  :: !waiting[_pid] && !inside[_pid] -> waiting[_pid] = true
  :: atomic { waiting[_pid] && holder == 3 ->
              holder = _pid; waiting[_pid] = false; inside[_pid] = true }
  :: atomic { inside[_pid] -> inside[_pid] = false; holder = 3 }
  :: atomic { ODD && !inside[_pid] -> waiting[_pid] = false; break }
  od
}
";

/// The verdict of a formula, and the group that it kept.
fn members_told(text: &str, formula: &str, flags: &str) -> (Value, Value) {
    let line = format!("check - -n -E -A {flags} --ctl '{formula}'");
    let told = json(&line, text.as_bytes());
    let properties = told["properties"].as_array().expect("a list").iter();
    let mut asked = properties.filter(|one| one["kind"] == "ctl");
    let property = asked.next().unwrap_or_else(|| panic!("{told}"));
    (property["verdict"].clone(), property["group_order"].clone())
}

#[test]
fn quantifiers_inside_mean_what_is_written_out() {
    let formulas = [
        (
            "EF (forall i in 0..2: EX inside[i])",
            "EF ((EX inside[0]) && (EX inside[1]) && (EX inside[2]))",
        ),
        (
            "AG (exists i in 0..2: EX (inside[i] || waiting[i]))",
            "AG ((EX (inside[0] || waiting[0])) || (EX (inside[1] || waiting[1])) || \
             (EX (inside[2] || waiting[2])))",
        ),
        (
            "EF (exists i in 0..2: waiting[i] && EG !inside[i])",
            "EF ((waiting[0] && EG !inside[0]) || (waiting[1] && EG !inside[1]) || \
             (waiting[2] && EG !inside[2]))",
        ),
        (
            "AG (forall i: waiting[i] -> EF inside[i])",
            "AG ((waiting[0] -> EF inside[0]) && (waiting[1] -> EF inside[1]) && \
             (waiting[2] -> EF inside[2]))",
        ),
        (
            "AG (forall i: waiting[i] -> AF inside[i])",
            "AG ((waiting[0] -> AF inside[0]) && (waiting[1] -> AF inside[1]) && \
             (waiting[2] -> AF inside[2]))",
        ),
        (
            "AG (exists i: !inside[i])",
            "AG (!inside[0] || !inside[1] || !inside[2])",
        ),
        (
            "AG ((count i: inside[i]) <= 1 && EF (exists i: inside[i]))",
            "AG (inside[0] + inside[1] + inside[2] <= 1 && \
             EF (inside[0] || inside[1] || inside[2]))",
        ),
        (
            "forall k: AG (exists i in 0..2: EF (waiting[i] && inside[k]))",
            "AG (EF (waiting[0] && inside[0]) || EF (waiting[1] && inside[0]) || \
             EF (waiting[2] && inside[0])) && AG (EF (waiting[0] && inside[1]) || \
             EF (waiting[1] && inside[1]) || EF (waiting[2] && inside[1])) && \
             AG (EF (waiting[0] && inside[2]) || EF (waiting[1] && inside[2]) || \
             EF (waiting[2] && inside[2]))",
        ),
    ];
    let (mut n_true, mut n_false) = (0, 0);
    for odd in ["false", "_pid == 0", "true"] {
        let text = CLIENTS.replace("ODD", odd);
        for (formula, written) in formulas {
            let (with, _) = members_told(&text, formula, "");
            let (without, _) = members_told(&text, formula, "--no-symmetry");
            let (twin, _) = members_told(&text, written, "--no-symmetry");
            assert_eq!((&with, &without), (&twin, &twin), "{odd}: {formula}");
            n_true += usize::from(with == "holds");
            n_false += usize::from(with == "violated");
        }
    }
    assert!(n_true > 3 && n_false > 3, "{n_true} {n_false}");
}

#[test]
fn a_quantifier_inside_keeps_what_its_atoms_keep() {
    let text = CLIENTS.replace("ODD", "false");
    let group = |formula: &str| members_told(&text, formula, "").1;
    assert_eq!(group("AG (exists i: !inside[i])"), "6");
    assert_eq!(group("AG ((count i: inside[i]) <= 1)"), "6");
    // In front each member is asked for by itself.
    assert_eq!(group("AG (forall i: waiting[i] -> EF inside[i])"), "2");
    assert_eq!(group("EF (forall i in 0..2: EX inside[i])"), "1");
}

#[test]
fn a_quantifier_inside_without_a_range_is_refused_at_its_place() {
    let text = CLIENTS.replace("ODD", "false");
    let formula = "EF (forall i: AG inside[i])";
    let (code, _, err) = run(&format!("check - --ctl '{formula}'"), text.as_bytes());
    assert_eq!(code, 2, "{err}");
    assert!(
        err.contains("--ctl:1:5") && err.contains("`i` needs a range here"),
        "{err}"
    );
}
