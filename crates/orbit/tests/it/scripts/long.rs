//! Long and deep scripts have an answer, or a message with its place; never a broken stack.

use super::verdicts;
use crate::command::{Folder, json, run};

const N: usize = 20_000;

fn row(operator: &str, operand: &str) -> String {
    vec![operand; N].join(operator)
}

#[test]
fn long_rows_are_answered() {
    let folder = Folder::new("script-long");
    let defs: String = (1..N).map(|i| format!("x{i} = x{} + 1\n", i - 1)).collect();
    let lets: String = (1..5000)
        .map(|i| format!("  y{i} = y{} + 1\n", i - 1))
        .collect();
    for (name, text, verdict) in [
        (
            "choice",
            format!(
                "P = {}\nassert P :[deterministic]\n",
                row(" [] ", "a -> STOP")
            ),
            "holds",
        ),
        (
            "internal",
            format!(
                "P = {}\nassert a -> STOP [T= P\n",
                row(" |~| ", "a -> STOP")
            ),
            "holds",
        ),
        (
            "then",
            format!("P = {}\nassert SKIP [FD= P\n", row(" ; ", "SKIP")),
            "holds",
        ),
        (
            "interleaved",
            format!("P = {}\nassert STOP [T= P\n", row(" ||| ", "STOP")),
            "holds",
        ),
        (
            "sum",
            format!("assert {} == {N}\n", row(" + ", "1")),
            "holds",
        ),
        (
            "elements",
            format!("x = <{}>\nassert #x == {N}\n", row(", ", "1")),
            "holds",
        ),
        (
            "definitions",
            format!("x0 = 0\n{defs}assert x{} == 0\n", N - 1),
            "violated",
        ),
        (
            "let",
            format!("x = let y0 = 0\n{lets}within y4999\nassert x == 4999\n"),
            "holds",
        ),
    ] {
        let file = folder.write(&format!("{name}.csp"), format!("channel a\n{text}"));
        let told = json(&format!("check {file}"), b"");
        assert_eq!(verdicts(&told), [verdict], "{name}");
    }
}

#[test]
fn what_is_too_deep_is_refused_with_its_place() {
    let folder = Folder::new("script-deep");
    let around = |open: &str, inside: &str, close: &str| {
        format!(
            "channel a\nx = {}{inside}{}\n",
            open.repeat(N),
            close.repeat(N)
        )
    };
    for (name, text) in [
        ("brackets", around("(", "STOP", ")")),
        ("sequences", around("<", "", ">")),
        ("prefixes", around("a -> ", "STOP", "")),
        ("conditions", around("if false then 0 else ", "1", "")),
        ("lets", around("let y = 1 within ", "y", "")),
        ("lambdas", around("\\ y @ ", "1", "")),
        ("calls", around("f(", "1", ")")),
        ("hiding", around("", "STOP", " \\ {a}")),
        ("comments", around("{- ", "", "")),
        ("modules", "module M\nexports\n".repeat(N)),
    ] {
        let file = folder.write(&format!("{name}.csp"), text);
        for command in ["check", "symmetry"] {
            let (code, _, err) = run(&format!("{command} {file}"), b"");
            assert_eq!(code, 2, "{command} {name}: {err:.200}");
            assert!(
                err.contains(&format!("{name}.csp:")),
                "{command} {name}: {err:.200}"
            );
        }
    }
}
