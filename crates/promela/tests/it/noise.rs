//! No text makes a panic, an endless loop or a deep recursion.

use crate::models;
use crate::run::check;

const PIECES: [&str; 84] = [
    "active",
    "assert",
    "atomic",
    "bit",
    "bool",
    "break",
    "byte",
    "c_code",
    "c_expr",
    "D_proctype",
    "do",
    "chan",
    "else",
    "empty",
    "enabled",
    "eval",
    "false",
    "fi",
    "for",
    "full",
    "goto",
    "hidden",
    "if",
    "in",
    "init",
    "inline",
    "int",
    "len",
    "ltl",
    "mtype",
    "never",
    "np_",
    "od",
    "of",
    "pid",
    "printf",
    "priority",
    "proctype",
    "provided",
    "return",
    "run",
    "d_step",
    "select",
    "skip",
    "timeout",
    "trace",
    "typedef",
    "unless",
    "unsigned",
    "xr",
    "x",
    "y",
    "P",
    "T",
    "f",
    "0",
    "1",
    "7",
    "\"s\"",
    "'c'",
    "::",
    "->",
    ";",
    ",",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "=",
    "==",
    "!",
    "?",
    "!!",
    "??",
    ":",
    "..",
    ".",
    "@",
    "\n",
    "&&",
    "+",
    "#define f(x) x",
];

/// A text that declares the names that the pieces use, so that some soup is good.
const START: &str = "typedef T { byte x; chan y }; byte x; chan y = [1] of {byte};\n\
                     inline f(a) { a = 1 } proctype P(byte x0) { L: skip }\n";

#[test]
fn token_soup_is_tame() {
    for seed in 0..3000 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut text = String::new();
        if rng.bool() {
            text += START;
        }
        if rng.bool() {
            text += "init { ";
        }
        for _ in 0..rng.usize(0..60) {
            text += PIECES[rng.usize(..PIECES.len())];
            text += if rng.u8(0..12) == 0 { "\n" } else { " " };
        }
        let said = check(&text);
        let judged = said.model.is_some() == said.errors.is_empty();
        assert!(judged, "seed {seed}\n{text}\n{}", said.drawn);
    }
}

#[test]
fn arbitrary_letters_are_tame() {
    for seed in 0..2000 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let n = rng.usize(0..80);
        let bytes: Vec<u8> = (0..n).map(|_| rng.u8(..)).collect();
        let said = check(&String::from_utf8_lossy(&bytes));
        assert!(
            said.model.is_none() && !said.errors.is_empty(),
            "seed {seed}"
        );
    }
}

#[test]
fn models_cut_anywhere_are_tame() {
    for (name, text) in models::accepted() {
        // Every byte of the small ones, some three hundred of the large ones.
        let step = 1 + text.len() / 300;
        for end in (0..text.len())
            .step_by(step)
            .filter(|&i| text.is_char_boundary(i))
        {
            let said = check(&text[..end]);
            assert!(
                said.model.is_some() || !said.errors.is_empty(),
                "{name} cut at {end}"
            );
        }
    }
}

#[test]
fn models_with_a_word_changed_are_tame() {
    for (i, (name, text)) in models::accepted().iter().enumerate() {
        let words: Vec<&str> = text.split_inclusive(' ').collect();
        for seed in 0..150 {
            let mut rng = fastrand::Rng::with_seed(seed * 1000 + i as u64);
            let mut words = words.clone();
            let (a, b) = (rng.usize(..words.len()), rng.usize(..words.len()));
            match rng.u8(0..3) {
                0 => words.swap(a, b),
                1 => words[a] = words[b],
                _ => drop(words.remove(a)),
            }
            let said = check(&words.concat());
            assert!(
                said.model.is_some() || !said.errors.is_empty(),
                "{name} seed {seed}"
            );
        }
    }
}

#[track_caller]
fn refused_for_depth(text: &str) {
    let said = check(text);
    let deep = |e: &String| e.contains("deep") || e.contains("too many");
    assert!(said.errors.iter().any(deep), "{:?}", said.errors);
}

#[test]
fn nesting_without_end_is_refused() {
    const N: usize = 100_000;
    let (open, close) = ("(".repeat(N), ")".repeat(N));
    refused_for_depth(&format!("byte x; init {{ x = {open}1{close} }}"));
    refused_for_depth(&format!("byte x; ltl {{ {open}x{close} }} init {{ skip }}"));
    refused_for_depth(&format!("byte x; init {{ x = {}1 }}", "! ".repeat(N)));
    refused_for_depth(&format!("byte x; init {{ x = {}1 }}", "1 + ".repeat(N)));
    refused_for_depth(&format!(
        "byte x; init {{ x = {}1{} }}",
        "x[".repeat(N),
        "]".repeat(N)
    ));
    refused_for_depth(&format!(
        "init {{ {} skip {} }}",
        "{".repeat(N),
        "}".repeat(N)
    ));
    refused_for_depth(&format!(
        "init {{ {} skip {} }}",
        "if :: ".repeat(N),
        "fi ".repeat(N)
    ));
    refused_for_depth(&format!(
        "chan c = [1] of {{byte}}; init {{ c?{open}1{close} }}"
    ));
    let mut types = String::from("typedef T0 { byte x };\n");
    for i in 1..1000 {
        types += &format!("typedef T{i} {{ T{} a, b }};\n", i - 1);
    }
    refused_for_depth(&format!("{types} T999 t; init {{ skip }}"));
}

#[test]
fn long_is_not_deep() {
    const N: usize = 20_000;
    let conjunction = format!("byte x; init {{ {}x }}", "x && ".repeat(N));
    assert_eq!(check(&conjunction).errors, [""; 0]);
    let labels: String = (0..2000).map(|i| format!("l{i}: skip;\n")).collect();
    assert_eq!(check(&format!("init {{ {labels} }}")).errors, [""; 0]);
}

#[test]
fn inlines_that_explode_are_stopped() {
    let mut text = String::from("byte x; inline f0() { x = 1; x = 2 }\n");
    for i in 1..40 {
        text += &format!("inline f{i}() {{ f{}(); f{}() }}\n", i - 1, i - 1);
    }
    text += "init { f39() }";
    let said = check(&text);
    assert!(said.errors[0].contains("tokens"), "{:?}", said.errors);
}
