//! `orbit ltl`, in all its formats.
//!
//! What is printed in the Hanoi format is read again by a reader of its own, and the automaton that
//! comes out is asked about words whose truth is known by the definition. With `ORBIT_ORACLES=1`,
//! never claims are given to SPIN, and sizes are held beside those of its own translation.

use crate::command::{Folder, json, orbit, run};
use base::{Diagnostics, Sources};
use check::ltl::{Buchi, Cube, Edge, Lasso, Pool, parse};
use snapbox::str;
use std::io::Write;

#[test]
fn a_response_property() {
    orbit("ltl '[] (p -> <> q)'")
        .assert()
        .code(0)
        .stderr_eq(str![])
        .stdout_eq(str![[r#"
formula         [] (p -> <> q)
simplified      [] (<> q || !p)
states          2, 1 accepting
transitions     4
deterministic   yes
weak            no
safety          no
co-safety       no
stutter         invariant: it does not count repeated states

state 0  initial, accepting
  !p || q -> 0
  p && !q -> 1
state 1
  q -> 0
  !q -> 1

"#]]);
}

#[test]
fn an_object_has_everything() {
    let object = json("ltl '[] (p -> X q)' --format dot", b"");
    assert_eq!(object["safety"], true);
    assert_eq!(object["co_safety"], false);
    assert_eq!(object["stutter_invariant"], false);
    assert_eq!(object["n_monitor_states"], 2);
    assert_eq!(object["atoms"], serde_json::json!(["p", "q"]));
    assert_eq!(object["accepting"], serde_json::json!([true, true]));
    assert_eq!(object["transitions"][2]["guard"], "!p && q");
    let text = object["text"].as_str().expect("the text asked for");
    assert!(text.starts_with("digraph"), "{text}");
}

#[test]
fn a_negation_is_that_of_the_whole() {
    let object = json("ltl 'p U q' --negate", b"");
    assert_eq!(object["formula"], "!(p U q)");
    assert_eq!(object["simplified"], "!p V !q");
    assert_eq!(object["safety"], true);
}

#[test]
fn formulas_without_words_or_without_limits_are_told() {
    let none = json("ltl 'p && !p'", b"");
    assert_eq!(
        (&none["simplified"], &none["empty"]),
        (&"false".into(), &true.into())
    );
    let all = json("ltl 'p || !p'", b"");
    assert_eq!(
        (&all["n_states"], &all["complete"]),
        (&1.into(), &true.into())
    );
}

#[test]
fn a_formula_too_large_is_unknown() {
    let many: Vec<String> = (0..14).map(|i| format!("[] (p{i} -> <> q{i})")).collect();
    let line = format!("ltl '{}'", many.join(" && "));
    let (code, out, _) = run(&line, b"");
    assert_eq!(code, 3, "{out}");
    assert!(out.contains("the formula is too large"), "{out}");
    assert_eq!(json(&line, b"")["stop_reason"], "size");
}

#[test]
fn pictures_are_well_formed() {
    let (code, svg, _) = run("ltl '[] (p && (x < 1) -> <> q)' --format svg", b"");
    assert_eq!(code, 0);
    assert!(
        svg.starts_with("<svg ") && svg.ends_with("</svg>\n"),
        "{svg}"
    );
    assert!(svg.contains("(x &lt; 1)") && !svg.contains("&& "), "{svg}");
    assert_eq!(svg.matches("data-node=").count(), 2);
    assert_eq!(svg.matches(" accepting\"").count(), 1);
    assert_eq!(svg.matches("data-from=").count(), 4);
    let (_, dot, _) = run("ltl '\"a b\" U q' --format dot", b"");
    assert!(dot.contains("label=\"\\\"a b\\\" && !q\""), "{dot}");
}

const FORMULAS: [&str; 10] = [
    "[] (p -> <> q)",
    "p U q",
    "[] <> p && [] <> q",
    "<> [] p || q",
    "X (p W q)",
    "!(p U (q U p))",
    "p <-> X q",
    "false",
    "true || p && q",
    "[] (p -> p U (q && X p)) && <> q",
];

#[test]
fn what_is_printed_for_other_tools_is_read_again() {
    for text in FORMULAS {
        // Both atoms, in this order.
        let text = format!("(p || q || true) && ({text})");
        let (code, out, err) = run(&format!("ltl '{text}' --format hoa"), b"");
        assert_eq!(code, 0, "{err}");
        let buchi = from_hoa(&out);
        assert_eq!(disagreement(&text, &buchi), None, "{text}\n{out}");
    }
}

#[test]
fn a_printed_automaton_that_is_wrong_is_noticed() {
    let text = "(p || q || true) && (p U q)";
    let (_, out, _) = run(&format!("ltl '{text}' --format hoa"), b"");
    for (right, wrong) in [("[1] 1", "[0] 1"), ("{0}", ""), ("Start: 0", "Start: 1")] {
        assert!(out.contains(right), "{right} is not in\n{out}");
        let buchi = from_hoa(&out.replace(right, wrong));
        assert_ne!(disagreement(text, &buchi), None, "{wrong} is not noticed");
    }
}

/// A word on which automaton and formula differ.
fn disagreement(text: &str, buchi: &Buchi) -> Option<Lasso> {
    let mut sources = Sources::new();
    let source = sources.add("formula", text);
    let (mut pool, mut found) = (Pool::new(), Diagnostics::new());
    let parsed = parse(&sources, source, &mut pool, &mut found).expect("a formula");
    assert_eq!(parsed.atoms, ["p", "q"]);
    (0..300).find_map(|seed| {
        let mut rng = fastrand::Rng::with_seed(seed);
        let n = rng.usize(1..7);
        let letters = (0..n).map(|_| rng.u64(..4)).collect();
        let word = Lasso::new(letters, rng.usize(..n));
        (buchi.accepts(&word) != word.satisfies(&pool, parsed.formula)).then_some(word)
    })
}

/// A reader of the part of the format that we write.
fn from_hoa(text: &str) -> Buchi {
    let after = |key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(key));
        line.unwrap_or_else(|| panic!("no {key} in\n{text}")).trim()
    };
    let n: usize = after("States:").parse().expect("a number");
    let start: usize = after("Start:").parse().expect("a number");
    assert_eq!(after("Acceptance:"), "1 Inf(0)");
    let mut buchi = Buchi {
        accepting: vec![false; n],
        edges: vec![Vec::new(); n],
    };
    let mut state = 0;
    let body = text.lines().skip_while(|line| *line != "--BODY--").skip(1);
    for line in body.take_while(|line| *line != "--END--") {
        if let Some(rest) = line.strip_prefix("State: ") {
            let mut words = rest.split_whitespace();
            state = words.next().expect("a state").parse().expect("a number");
            buchi.accepting[state] = words.next() == Some("{0}");
            continue;
        }
        let (labels, target) = line[1..].split_once("] ").expect("a label");
        for label in labels.split(" | ") {
            let literals = label.split('&').filter(|literal| *literal != "t");
            let guard = literals.fold(Cube::ALL, |cube, literal| {
                let atom = literal.trim_start_matches('!').parse().expect("an atom");
                let literal = Cube::literal(atom, !literal.starts_with('!'));
                cube.and(literal).expect("no atom both ways")
            });
            buchi.edges[state].push(Edge {
                guard,
                target: target.parse().expect("a state"),
                marks: 0,
            });
        }
    }
    // Ours starts at state 0.
    buchi.edges.swap(0, start);
    buchi.accepting.swap(0, start);
    for edge in buchi.edges.iter_mut().flatten() {
        edge.target = match edge.target {
            0 => start,
            target if target == start => 0,
            target => target,
        };
    }
    buchi
}

#[test]
fn a_never_claim_has_the_form_that_spin_reads() {
    let (_, claim, _) = run("ltl '[] <> (x == 1)' --negate --format never", b"");
    assert_eq!(
        claim,
        "never {  /* ![] <> (x == 1) */\n\
         T0_init:\n\tdo\n\t:: (true) -> goto T0_init\n\
         \t:: (!(x == 1)) -> goto accept_S1\n\tod;\n\
         accept_S1:\n\tdo\n\t:: (!(x == 1)) -> goto accept_S1\n\tod;\n}\n"
    );
}

/// SPIN reads every claim, and its own have no fewer states.
#[test]
fn spin_reads_our_claims_and_makes_no_smaller_ones() {
    if std::env::var("ORBIT_ORACLES").is_ok_and(|v| v == "1") {
        compare_with_spin();
    } else {
        let words = "ltl: skipped: set ORBIT_ORACLES=1 to compare with spin\n";
        let said = std::io::stderr().write_all(words.as_bytes());
        assert!(said.is_ok(), "standard error is closed");
    }
}

fn compare_with_spin() {
    let folder = Folder::new("claims");
    for (i, text) in FORMULAS.iter().filter(|t| !t.contains('X')).enumerate() {
        let (_, claim, _) = run(&format!("ltl '{text}' --format never"), b"");
        let model = format!("bit p, q;\nactive proctype A() {{ p = 1; q = 1 }}\n{claim}");
        let path = folder.write(&format!("{i}.pml"), model);
        let spin = std::process::Command::new("spin")
            .args(["-a", &path])
            .current_dir(folder.path("."))
            .output()
            .expect("spin is installed");
        let said = String::from_utf8_lossy(&spin.stdout).into_owned();
        assert!(
            spin.status.success() && !said.contains("rror"),
            "{text}\n{said}"
        );
        let own = std::process::Command::new("spin")
            .args(["-f", text])
            .current_dir(folder.path("."))
            .output()
            .expect("spin is installed");
        let own = String::from_utf8_lossy(&own.stdout).into_owned();
        let labels = own.lines().filter(|line| line.ends_with(':'));
        let n_spin = labels
            .filter(|l| !l.ends_with("init:") || l.starts_with("T0"))
            .count();
        let ours = json(&format!("ltl '{text}'"), b"");
        let n_ours = ours["n_states"].as_u64().expect("a number") as usize;
        assert!(
            n_ours <= n_spin.max(1),
            "{text}: {n_ours} states beside\n{own}"
        );
    }
}
