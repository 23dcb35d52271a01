//! Automata as text for other programs: the Hanoi format, Graphviz, never claims.
//!
//! Worked example: under `p && !q || r`, with the atoms p, q, r in this order, an edge of the Hanoi
//! format is labelled `[0&!1 | 2]`.

use super::{FormulaFacts, guard};
use check::ltl::{Cube, Known};
use std::fmt::Write;

/// In the Hanoi omega-automata format, version 1 (Babiak and others 2015).
pub fn hoa(told: &FormulaFacts) -> String {
    let buchi = &told.buchi;
    let mut out = String::from("HOA: v1\n");
    let _ = writeln!(out, "name: {}", quoted(&told.formula));
    let _ = writeln!(out, "tool: \"orbit\" \"{}\"", env!("CARGO_PKG_VERSION"));
    let _ = writeln!(out, "States: {}\nStart: 0", buchi.n_states());
    let _ = write!(out, "AP: {}", told.atoms.len());
    for atom in &told.atoms {
        let _ = write!(out, " {}", quoted(bare(atom)));
    }
    out.push_str("\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n");
    out.push_str("properties: trans-labels explicit-labels state-acc");
    let stutter = told.traits.stutter_invariant;
    let properties = [
        (buchi.is_deterministic(), "deterministic"),
        (buchi.is_complete(), "complete"),
        (buchi.is_weak(), "weak"),
        (stutter == Known::Yes, "stutter-invariant"),
        (stutter == Known::No, "stutter-sensitive"),
    ];
    for (_, property) in properties.iter().filter(|(is, _)| *is) {
        let _ = write!(out, " {property}");
    }
    out.push_str("\n--BODY--\n");
    let transitions = buchi.transitions();
    for state in 0..buchi.n_states() {
        let accepting = if buchi.accepting[state] { " {0}" } else { "" };
        let _ = writeln!(out, "State: {state}{accepting}");
        for (_, target, guards) in transitions.iter().filter(|(s, ..)| *s == state) {
            let labels: Vec<String> = guards.iter().map(|g| label(*g)).collect();
            let _ = writeln!(out, "[{}] {target}", labels.join(" | "));
        }
    }
    out.push_str("--END--\n");
    out
}

/// A cube over numbered atoms.
fn label(cube: Cube) -> String {
    let literals: Vec<String> = (0..64)
        .filter_map(|i| match (cube.yes >> i & 1, cube.no >> i & 1) {
            (1, _) => Some(i.to_string()),
            (_, 1) => Some(format!("!{i}")),
            _ => None,
        })
        .collect();
    if literals.is_empty() {
        "t".to_owned()
    } else {
        literals.join("&")
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// An atom without the quotes or parentheses that it was typed in.
fn bare(atom: &str) -> &str {
    let inside = |open, close| atom.strip_prefix(open)?.strip_suffix(close);
    inside('"', '"').or(inside('(', ')')).unwrap_or(atom)
}

/// For Graphviz.
pub fn dot(told: &FormulaFacts) -> String {
    let mut out = String::from("digraph automaton {\n  rankdir=LR;\n  node [shape=circle];\n");
    out.push_str("  start [shape=point];\n  start -> s0;\n");
    for (state, accepting) in told.buchi.accepting.iter().enumerate() {
        let shape = if *accepting {
            ", shape=doublecircle"
        } else {
            ""
        };
        let _ = writeln!(out, "  s{state} [label=\"{state}\"{shape}];");
    }
    for (source, target, guards) in told.buchi.transitions() {
        let label = quoted(&guard(&guards, &told.atoms));
        let _ = writeln!(out, "  s{source} -> s{target} [label={label}];");
    }
    out.push_str("}\n");
    out
}

/// A never claim: its runs are those that are not to be. Atoms become expressions as they stand.
pub fn never(told: &FormulaFacts) -> String {
    let buchi = &told.buchi;
    let name = |state: usize| {
        let kind = if buchi.accepting[state] {
            "accept"
        } else {
            "T0"
        };
        match state {
            0 => format!("{kind}_init"),
            _ => format!("{kind}_S{state}"),
        }
    };
    // Only atoms could end a comment early.
    let formula = told.formula.replace("*/", "* /");
    let mut out = format!("never {{  /* {formula} */\n");
    let expressions: Vec<String> = told
        .atoms
        .iter()
        .map(|atom| format!("({})", bare(atom)))
        .collect();
    let transitions = buchi.transitions();
    for state in 0..buchi.n_states() {
        let _ = writeln!(out, "{}:", name(state));
        let edges = transitions.iter().filter(|(s, ..)| *s == state);
        let options: Vec<String> = edges
            .map(|(_, target, guards)| {
                let guard = guard(guards, &expressions);
                format!("\t:: ({guard}) -> goto {}\n", name(*target))
            })
            .collect();
        if options.is_empty() {
            out.push_str("\tfalse;\n")
        } else {
            let _ = write!(out, "\tdo\n{}\tod;\n", options.concat());
        }
    }
    out.push_str("}\n");
    out
}
