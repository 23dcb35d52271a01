//! No text makes a panic, an endless loop or a deep recursion.

use super::printed::fault;
use crate::script::{Said, read, read_files};
use cspm::ast::DEPTH_MAX;

/// A script with many forms in it.
const FORMS: &str = "include \"lib.csp\"\n\
    -- a comment {- with a mark\n\
    datatype T = A | B.{0..2}.T | C'\nsubtype U = A | C'\nnametype N = {0..3}\n\
    channel a, b\nchannel c : N.Bool\ntransparent normal, sbisim\nexternal chase\n\
    f :: (Eq x, Set y) => (x, {y}) -> <x.y>\n\
    f(0, _) = <>\nf(n, {}) = <n>^f(n - 1, {1} {-{- - -}-})\n\
    (p, <q>^r) = (1, <2, 3>)\ng = \\ y, (z, _) @ if y > z then #<y..z> else -y % 2\n\
    P(s) = c?x:N!true$z:{false} -> (x == 1 & a -> P(s) [] b -> SKIP ; STOP)\n\
      |~| (normal(P(s)) [[ a <- b, b <- a | x <- <1..>, (x > 2) ]] \\ {| c.x | x <- N |})\n\
    Q = P(<>) [| {a} |] P(<1>) ||| P(s) [ {a} || {b} ] STOP /\\ STOP [> STOP\n\
    R = (P(1) [| {a} |> Q) [+ {b} +] (Q /+ {} +\\ R)\nS = || i : N @ [{c.i}] P(i)\n\
    T' = [c <-> b | x <- N] i : <1, 2> @ P(i)\nV = P(1) [a <-> b] Q |\\ {a}\n\
    W = let h(0) = 'c'\n        h(n) = \"t\\\"\"\n\
    within ; i : h(0) @ |~| j : N, j != i @ P(j)\n\
    m = (| 1 => 2, 3 => 4 |)\n\
    module M(n)\n  x = n\nexports\n  y = x\nendmodule\ninstance I = M(3)\nz = I::y\n\
    Timed(\\ _ @ 1) {\n  D = a -> D\n}\n\
    assert not P(1) [FD= Q :[tau priority over]: {a}\nassert Q :[deadlock free [F]]\n\
    assert R :[has trace [T]]: <a, b>\nprint f(1, {2})\n";

const PIECES: &[&str] = &[
    "let",
    "within",
    "if",
    "then",
    "else",
    "module",
    "exports",
    "endmodule",
    "instance",
    "Timed",
    "channel",
    "datatype",
    "assert",
    "not",
    "and",
    "or",
    "true",
    "print",
    "include \"lib.csp\"\n",
    "include",
    "P",
    "x",
    "f",
    "M::y",
    "0",
    "99",
    "'c'",
    "\"s\"",
    "(",
    ")",
    "{",
    "}",
    "{|",
    "|}",
    "(|",
    "|)",
    "[[",
    "]]",
    "[|",
    "|]",
    "[",
    "]",
    "[]",
    "[>",
    "[+",
    "+]",
    "/+",
    "+\\",
    "/\\",
    "|\\",
    "|>",
    "||",
    "|||",
    "|~|",
    "->",
    "<-",
    "<->",
    "<>",
    "<",
    ">",
    "==",
    "<=",
    "=>",
    "=>*",
    "=",
    ",",
    ".",
    "..",
    "?",
    "!",
    "$",
    ":",
    "::",
    " :: ",
    "|",
    "_",
    ";",
    "&",
    "\\",
    "@",
    "@@",
    "+",
    "-",
    "#",
    "^",
    "%",
    "'",
    "\"",
    "{-",
    "-}",
    "--",
    ":[deadlock free]",
    ":[",
    "[T=",
    "[FD=",
    "\n",
    "\n",
    "é",
];

fn said(text: &str) -> Said {
    read_files(&[("m.csp", text), ("lib.csp", "k(0) = 1\nk(n) = n")])
}

/// Whether a text was read or refused, and not both; what was read is printed as it is.
#[track_caller]
fn judged(text: &str, what: &str) -> bool {
    let said = said(text);
    let is_judged = said.script.is_some() == said.errors.is_empty();
    assert!(is_judged, "{what}\n{text}\n{}", said.drawn);
    if let Some(script) = &said.script {
        // Definitions of an included file that continue those of the script are told apart by
        // their file alone.
        let fault = fault(script).filter(|_| !text.contains("include"));
        assert_eq!(fault, None, "{what}\n{text}");
    }
    said.script.is_some()
}

#[test]
fn the_forms_are_read() {
    let said = said(FORMS);
    assert!(said.script.is_some(), "{}", said.drawn);
}

#[test]
fn token_soup_is_tame() {
    let mut n_good = 0;
    for seed in 0..2500 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut text = ["x = ", "f(x) = ", "assert ", ""][rng.usize(0..4)].to_owned();
        for _ in 0..rng.usize(0..12) {
            text += PIECES[rng.usize(..PIECES.len())];
            text += [" ", ""][rng.usize(0..2)];
        }
        n_good += usize::from(judged(&text, &format!("seed {seed}")));
    }
    assert!(n_good > 10, "{n_good} texts were good");
}

/// A text with a few of its characters, tokens or lines changed.
fn changed(text: &str, rng: &mut fastrand::Rng) -> String {
    let mut text = text.to_owned();
    for _ in 0..rng.usize(1..4) {
        let at = text.floor_char_boundary(rng.usize(..=text.len()));
        let end = text.floor_char_boundary((at + rng.usize(0..12)).min(text.len()));
        match rng.u8(0..5) {
            0 => text.replace_range(at..end, ""),
            1 => text.insert_str(at, PIECES[rng.usize(..PIECES.len())]),
            2 => text.truncate(at),
            3 => {
                let piece = text[at..end].to_owned();
                let to = text.floor_char_boundary(rng.usize(..=text.len()));
                text.insert_str(to, &piece);
            }
            _ => text.replace_range(at..end, PIECES[rng.usize(..PIECES.len())]),
        }
    }
    text
}

#[test]
fn changed_scripts_are_tame() {
    let mut n_good = 0;
    for seed in 0..500 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let text = changed(FORMS, &mut rng);
        n_good += usize::from(judged(&text, &format!("seed {seed}")));
    }
    assert!((10..490).contains(&n_good), "{n_good} texts were good");
}

#[test]
fn an_error_deep_inside_leaves_no_trace() {
    // After the error in the map, the `<` that was open is open no longer.
    let text = "x = <(| 1 => |)>\ny = a > b\nz = <P [ a ] Q>\nw = a > b\n";
    let errors = read(text).errors;
    let lines: Vec<&str> = errors.iter().filter_map(|e| e.split(':').next()).collect();
    assert_eq!(lines, ["1", "3"], "{errors:?}");
}

#[test]
fn arbitrary_letters_are_tame() {
    for seed in 0..1500 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let n = rng.usize(0..80);
        let bytes: Vec<u8> = (0..n).map(|_| rng.u8(..)).collect();
        judged(&String::from_utf8_lossy(&bytes), &format!("seed {seed}"));
    }
}

/// Texts that nest, by the number of levels.
fn nests(n: usize) -> Vec<String> {
    let around = |open: &str, middle: &str, close: &str| {
        format!("x = {}{middle}{}", open.repeat(n), close.repeat(n))
    };
    vec![
        around("(", "a", ")"),
        around("<", "a", ">"),
        around("{ ", "a", "}"),
        around("- ", "a", ""),
        around("not ", "a", ""),
        around("a -> ", "P", ""),
        around("a - ", "b", ""),
        around("a.", "b", ""),
        around("P [> ", "Q", ""),
        around("P \\ ", "A", ""),
        around("f(", "a", ")"),
        around("f", "(a)", "(a)"),
        around("P", "[[a<-b]]", "[[a<-b]]"),
        around("if a then b else ", "c", ""),
        around("if ", "a", " then b else c"),
        around("let y = 1 within ", "y", ""),
        around("let y = ", "1", " within y"),
        around("\\ y @ ", "y", ""),
        around("||| y : S @ ", "P", ""),
        around("{a | y <- ", "S", "}"),
        around("(| 1 => ", "a", " |)"),
        format!("{}x{} = y", "(".repeat(n), ")".repeat(n)),
        format!("f({}x{}) = y", "<".repeat(n), ">".repeat(n)),
        format!("f({}x) = y", "a.".repeat(n)),
        format!("f({}x) = y", "a^".repeat(n)),
        format!("f({}x) = y", "a@@".repeat(n)),
        format!("x :: {}a\nx = y", "a => ".repeat(n)),
        format!("x :: {}a{}\nx = y", "{".repeat(n), "}".repeat(n)),
        format!("x :: {}a\nx = y", "a.".repeat(n)),
        format!("x :: {}a\nx = y", "(a) -> ".repeat(n)),
        format!("{}x = y\n{}", "Timed {\n".repeat(n), "}\n".repeat(n)),
        format!(
            "{}{}",
            "module M\nexports\n".repeat(n),
            "endmodule\n".repeat(n)
        ),
    ]
}

#[test]
fn deep_nesting_is_refused_and_shallow_nesting_is_read() {
    let limit = usize::from(DEPTH_MAX);
    for text in nests(limit / 4) {
        let said = read(&text);
        let start: String = text.chars().take(40).collect();
        assert!(said.script.is_some(), "{start}\n{}", said.errors.join("\n"));
        assert_eq!(fault(&said.script.expect("read")), None, "{start}");
    }
    for text in nests(limit + 1).into_iter().chain(nests(limit * 5)) {
        let errors = read(&text).errors;
        let start: String = text.chars().take(40).collect();
        let deep = errors.iter().any(|e| e.contains("levels deep"));
        assert!(deep, "{start}: {:?}", errors.first());
    }
}

#[test]
fn a_chain_in_brackets_counts_with_what_is_around_it() {
    let chain = "a - ".repeat(150);
    let three = format!("x = ((({chain}b) - {chain}b) - {chain}b)");
    let errors = read(&three).errors;
    assert!(
        errors.iter().any(|e| e.contains("levels deep")),
        "{errors:?}"
    );
    let two = format!("x = (({chain}b) - {chain}b)");
    assert!(read(&two).errors.is_empty());
}

#[test]
fn long_rows_of_associative_operators_are_read_and_printed() {
    for operator in ["[]", "|~|", "|||", ";", "and", "or", "^", "+"] {
        for n in [99, 100, 101, 402, 20_000] {
            let text = format!("x = {}", vec!["a"; n].join(&format!(" {operator} ")));
            let said = read(&text);
            assert!(
                said.errors.is_empty(),
                "{n} of {operator}: {:?}",
                said.errors
            );
            if n < 20_000 {
                let script = said.script.expect("read");
                assert_eq!(fault(&script), None, "{n} of {operator}");
            }
        }
    }
}
