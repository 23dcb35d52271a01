//! No text makes a panic, an endless loop or a deep recursion.

use crate::run::{Said, check, check_files};

const PIECES: &[&str] = &[
    "MACHINE",
    "REFINEMENT",
    "REFINES",
    "SEES",
    "INCLUDES",
    "PROMOTES",
    "SETS",
    "CONSTANTS",
    "PROPERTIES",
    "DEFINITIONS",
    "VARIABLES",
    "INVARIANT",
    "ASSERTIONS",
    "INITIALISATION",
    "OPERATIONS",
    "VALUES",
    "END",
    "BEGIN",
    "PRE",
    "THEN",
    "SELECT",
    "WHEN",
    "ELSE",
    "IF",
    "ELSIF",
    "CHOICE",
    "OR",
    "ANY",
    "WHERE",
    "LET",
    "BE",
    "IN",
    "VAR",
    "CASE",
    "OF",
    "EITHER",
    "WHILE",
    "DO",
    "VARIANT",
    "skip",
    "x",
    "y",
    "f",
    "S",
    "e",
    "D",
    "P",
    "op",
    "zz",
    "N",
    "0",
    "1",
    "7",
    "\"s\"",
    "TRUE",
    "BOOL",
    "INTEGER",
    "MAXINT",
    "btrue",
    "card",
    "dom",
    "bool",
    "rec",
    "struct",
    "prj1",
    "SIGMA",
    "UNION",
    "not",
    "or",
    "mod",
    "&",
    "=>",
    "<=>",
    "=",
    "/=",
    ":",
    "<:",
    "<",
    "..",
    "+",
    "-",
    "*",
    "/",
    "**",
    "|->",
    "-->",
    "<->",
    "\\/",
    "/\\",
    "\\",
    "<|",
    "|>>",
    "<+",
    "^",
    "->",
    "<-",
    ":=",
    "::",
    "<--",
    "||",
    ";",
    ",",
    ".",
    "|",
    "!",
    "#",
    "%",
    "~",
    "'",
    "$",
    "==",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "∈",
    "∅",
    "·",
    "•",
    "@",
    "'''",
    "/*",
    "//",
    "\n",
];

/// A text that declares the names that the pieces use, so that some soup is good.
const START: &str = "MACHINE m SETS S; T = {e} DEFINITIONS D == 1; P(a, b) == a = b;\n\
                     Q(a) == x := a CONSTANTS f PROPERTIES f : S --> S VARIABLES x, y\n\
                     INVARIANT x : INTEGER & y <: S INITIALISATION x := 1 || y := {}\n";

#[track_caller]
fn judged(said: &Said, what: &str) {
    let is_judged = said.machine.is_some() == said.errors.is_empty();
    assert!(is_judged, "{what}\n{}", said.drawn);
}

#[test]
fn token_soup_is_tame() {
    let mut n_good = 0;
    for seed in 0..3000 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut text = String::new();
        if rng.u8(0..8) > 0 {
            text += START;
        }
        text += [
            "ASSERTIONS ",
            "OPERATIONS op = ",
            "OPERATIONS op(z) = x := ",
            "",
        ][rng.usize(0..4)];
        for _ in 0..rng.usize(0..12) {
            text += PIECES[rng.usize(..PIECES.len())];
            text += " ";
        }
        if rng.bool() {
            text += " END";
        }
        let said = check(&text);
        judged(&said, &format!("seed {seed}\n{text}"));
        n_good += usize::from(said.machine.is_some());
    }
    assert!(n_good > 10, "{n_good} texts were good");
}

#[test]
fn arbitrary_letters_are_tame() {
    for seed in 0..2000 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let n = rng.usize(0..80);
        let bytes: Vec<u8> = (0..n).map(|_| rng.u8(..)).collect();
        let said = check(&String::from_utf8_lossy(&bytes));
        assert!(
            said.machine.is_none() && !said.errors.is_empty(),
            "seed {seed}"
        );
    }
}

/// A machine with many forms in it.
const FORMS: &str = "MACHINE m(P, k) CONSTRAINTS k : 1..3 SETS S; T = {t1, t2}\n\
    DEFINITIONS two == 2; A(x) == #y.(y : x); put(v, e) == v := e; GOAL == x > two\n\
    CONSTANTS c, g PROPERTIES c : S <-> T & g = %x.(x : 1..k | x + 1) & A({1}) & card(P) = 2\n\
    VARIABLES x, f, r, q INVARIANT x : INTEGER & f : S --> BOOL & r : struct(a:INTEGER, b:S)\n\
    & q : seq(T) & (x > 1 => !s.(s : S & f(s) = TRUE => c[{s}] /= {}))\n\
    ASSERTIONS x >= 0; SIGMA(i).(i : 1..2 | i) = 3\n\
    INITIALISATION x := 1 || f := S * {FALSE} || r :: struct(a:{1}, b:S) || q := []\n\
    OPERATIONS a(s) = PRE s : S THEN f(s) := bool(x = 1) || q := q <- t1 END;\n\
    n <-- b = BEGIN n := size(q); put(x, IF x = 1 THEN 2 ELSE 3 END) END;\n\
    d = ANY s, t WHERE s |-> t : c THEN CASE t OF EITHER t1 THEN r'b := s ELSE skip END END END;\n\
    e = SELECT x = 1 THEN CHOICE x :: {1, 2} OR x : (x > x$0 & x < 5) END\n\
    WHEN x = 2 THEN skip END\n\
    END";

#[test]
fn machines_cut_anywhere_are_tame() {
    let whole = check(FORMS);
    assert_eq!(whole.errors, [""; 0], "{}", whole.drawn);
    for end in (0..FORMS.len()).filter(|&i| FORMS.is_char_boundary(i)) {
        judged(&check(&FORMS[..end]), &format!("cut at {end}"));
    }
}

#[test]
fn machines_with_a_word_changed_are_tame() {
    let words: Vec<&str> = FORMS.split_inclusive([' ', '(', ')', '{', '}']).collect();
    let mut n_good = 0;
    for seed in 0..1000 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut words = words.clone();
        let (a, b) = (rng.usize(..words.len()), rng.usize(..words.len()));
        match rng.u8(0..4) {
            0 => words.swap(a, b),
            1 => words[a] = words[b],
            2 => words[a] = PIECES[rng.usize(..PIECES.len())],
            _ => drop(words.remove(a)),
        }
        let said = check(&words.concat());
        judged(&said, &format!("seed {seed}"));
        n_good += usize::from(said.machine.is_some());
    }
    assert!(n_good > 5, "{n_good} texts were good");
}

#[track_caller]
fn refused_for_depth(text: &str) {
    let said = check(text);
    let deep = |e: &String| e.contains("deep") || e.contains("too large");
    assert!(said.errors.iter().any(deep), "{:?}", said.errors);
}

fn property(formula: &str) -> String {
    format!("MACHINE m PROPERTIES {formula} END")
}

#[test]
fn nesting_without_end_is_refused() {
    const N: usize = 5000;
    let (open, close) = ("(".repeat(N), ")".repeat(N));
    refused_for_depth(&property(&format!("{open}1=1{close}")));
    for (before, after) in [
        ("POW(", ")"),
        ("{", "}"),
        ("[", "]"),
        ("{x|x=", "}"),
        ("{x·(", "|x)}"),
        ("- ", ""),
        ("1 + ", ""),
        ("2 ** ", ""),
        ("f(", ")"),
        ("r[", "]"),
        ("bool(1=", ")"),
        ("IF 1=1 THEN ", " ELSE 1 END"),
        ("IF 1=1 THEN 1 ELSE ", " END"),
        ("LET x BE x = ", " IN x END"),
        ("rec(a:", ")"),
        ("SIGMA(x).(x=1|", ")"),
    ] {
        let text = format!("{}1{}", before.repeat(N), after.repeat(N));
        refused_for_depth(&property(&format!("1 = {text}")));
    }
    for (before, after) in [
        ("not(", ")"),
        ("#x.(", ")"),
        ("1=1 => ", ""),
        ("1=1 <=> ", ""),
    ] {
        let text = format!("{}1=1{}", before.repeat(N), after.repeat(N));
        refused_for_depth(&property(&text));
    }
    for (before, after) in [
        ("BEGIN ", " END"),
        ("IF 1=1 THEN ", " END"),
        ("IF 1=1 THEN skip ELSE ", " END"),
        ("ANY x WHERE x=1 THEN ", " END"),
        ("VAR x IN ", " END"),
    ] {
        let text = format!("{} skip {}", before.repeat(N), after.repeat(N));
        refused_for_depth(&format!("MACHINE m INITIALISATION {text} END"));
    }
}

#[test]
fn what_is_just_not_too_deep_is_read() {
    let sum = format!("c = {}1", "1 + ".repeat(290));
    let brackets = format!("c = {}1{}", "(1 + ".repeat(95), ")".repeat(95));
    let sets = format!("d = {}1{}", "{".repeat(90), "}".repeat(90));
    let mut negations = String::from("1=1");
    for i in 0..90 {
        negations = format!("not(#x{i}.(x{i} = c & {negations}))");
        if i > 45 {
            break;
        }
    }
    let text = format!(
        "MACHINE m CONSTANTS c, d PROPERTIES {sum} & {brackets} & {sets} & {negations} END"
    );
    assert_eq!(check(&text).errors, [""; 0]);
}

#[test]
fn long_is_not_deep() {
    const N: usize = 5000;
    let conjunction = property(&format!("{}1=1", "1=1 & ".repeat(N)));
    assert_eq!(check(&conjunction).errors, [""; 0]);
    let set = property(&format!("1 : {{{}1}}", "1, ".repeat(N)));
    assert_eq!(check(&set).errors, [""; 0]);
    let parallel: String = (0..1000).map(|_| "skip || ").collect();
    let text = format!("MACHINE m INITIALISATION {parallel} skip END");
    assert_eq!(check(&text).errors, [""; 0]);
}

#[test]
fn definitions_that_explode_are_stopped() {
    let mut text = String::from("MACHINE m DEFINITIONS d0 == 1 = 1");
    for i in 1..60 {
        text += &format!("; d{i} == d{} & d{}", i - 1, i - 1);
    }
    refused_for_depth(&format!("{text} PROPERTIES d59 END"));
    let mut text = String::from("MACHINE m DEFINITIONS d0(x) == x");
    for i in 1..1000 {
        text += &format!("; d{i}(x) == d{}(x)", i - 1);
    }
    refused_for_depth(&format!("{text} PROPERTIES d999(1=1) END"));
    refused_for_depth(&format!("{text} PROPERTIES d999(1) = 1 END"));
}

#[test]
fn types_that_explode_are_stopped() {
    let names: Vec<String> = (0..200).map(|i| format!("c{i}")).collect();
    let mut pairs = String::from("c0 = 1");
    let mut sets = String::from("c0 = 1");
    for i in 1..200 {
        pairs += &format!(" & c{i} = (c{}, c{})", i - 1, i - 1);
        sets += &format!(" & c{i} = {{c{}}}", i - 1);
    }
    for properties in [pairs, sets] {
        let names = names.join(", ");
        refused_for_depth(&format!(
            "MACHINE m CONSTANTS {names} PROPERTIES {properties} END"
        ));
    }
}

#[test]
fn machines_without_end_are_stopped() {
    let chain: Vec<(String, String)> = (0..600)
        .map(|i| {
            (
                format!("M{i}.mch"),
                format!("MACHINE M{i} SEES M{} END", i + 1),
            )
        })
        .collect();
    let files: Vec<(&str, &str)> = chain
        .iter()
        .map(|(n, t)| (n.as_str(), t.as_str()))
        .collect();
    let said = check_files(&files);
    assert!(said.errors[0].contains("deep"), "{:?}", said.errors);
}

#[test]
fn copies_that_explode_are_stopped() {
    let mut files = vec![("M40.mch".to_owned(), "MACHINE M40 END".to_owned())];
    for i in (0..40).rev() {
        let next = i + 1;
        let text = format!("MACHINE M{i} INCLUDES a.M{next}, b.M{next} END");
        files.insert(0, (format!("M{i}.mch"), text));
    }
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(n, t)| (n.as_str(), t.as_str()))
        .collect();
    let said = check_files(&files);
    assert!(
        said.errors[0].contains("too many copies"),
        "{:?}",
        said.errors
    );
}

#[test]
fn calls_that_explode_are_walked_once() {
    let mut files = vec![(
        "M40.mch".to_owned(),
        "MACHINE M40 VARIABLES x INVARIANT x = 1 INITIALISATION x := 1\n\
         OPERATIONS o40 = x := 1 END"
            .to_owned(),
    )];
    for i in (0..40).rev() {
        let next = i + 1;
        let text = format!(
            "MACHINE M{i} INCLUDES M{next} OPERATIONS o{i} = BEGIN o{next}; o{next} END END"
        );
        files.insert(0, (format!("M{i}.mch"), text));
    }
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(n, t)| (n.as_str(), t.as_str()))
        .collect();
    let said = check_files(&files);
    assert_eq!(said.errors, [""; 0], "{}", said.drawn);
}
