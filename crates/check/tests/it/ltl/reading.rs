//! Text to formulas and back.

use super::{random, read};
use base::{Diagnostics, Sources};
use check::ltl::print::{Notation, print};
use check::ltl::{Pool, parse};

/// The formula printed again, and how many warnings there were.
fn printed(text: &str) -> (String, usize) {
    let mut sources = Sources::new();
    let source = sources.add("formula", text);
    let (mut pool, mut found) = (Pool::new(), Diagnostics::new());
    let parsed = parse(&sources, source, &mut pool, &mut found);
    let parsed = parsed.unwrap_or_else(|| panic!("{text} is refused"));
    let shown = print(&pool, parsed.formula, &parsed.atoms, Notation::Spin, 10_000);
    (shown, found.sorted().len())
}

/// The messages for a text that is wrong, with the first byte of each.
fn refused(text: &str) -> Vec<(u32, String)> {
    let mut sources = Sources::new();
    let source = sources.add("formula", text);
    let (mut pool, mut found) = (Pool::new(), Diagnostics::new());
    let parsed = parse(&sources, source, &mut pool, &mut found);
    assert!(parsed.is_none(), "{text} is accepted");
    let found = found.sorted().into_iter();
    found.map(|d| (d.labels[0].span.start, d.message)).collect()
}

#[test]
fn parentheses_are_those_that_are_needed() {
    let same = [
        "[] (p -> <> q)",
        "p U q",
        "(p U q) U r",
        "p U (q U r)",
        "!(p U q) && r",
        "p && q || r && s",
        "(p || q) && r",
        "p -> q || r",
        "(p -> q) -> r",
        "[] <> p",
        "(p <-> q) <-> r",
        "[] (x == 1)",
        "(a[0] > b.c && d) U \"U\"",
        "X X !p",
        "p W q && r V s || p M q",
        "true U false",
    ];
    for text in same {
        assert_eq!(printed(text), (text.to_owned(), 0));
    }
    let other = [
        ("[](((p)))", "[] p"),
        ("((p && q)) && r", "p && q && r"),
        ("p&&(q||r)", "p && (q || r)"),
        ("GF p", "[] <> p"),
        ("XXG p", "X X [] p"),
        ("always eventually p implies q", "[] <> p -> q"),
        ("p until q weakuntil r", "(p U q) W r"),
        ("p stronguntil q or not r and s", "p U q || !r && s"),
        ("p release q equivalent next r", "p V q <-> X r"),
        ("p R q | ~r & s", "p V q || !r && s"),
        ("p => q <=> r", "p -> q <-> r"),
        ("p \\/ q /\\ r", "p || q && r"),
        ("1 U 0", "true U false"),
        ("[] ( x==1 ) && (x == 2)", "[] (x==1) && (x == 2)"),
        ("[] \"p\" && p", "[] \"p\" && \"p\""),
        ("p strongrelease q", "p M q"),
    ];
    for (text, shown) in other {
        assert_eq!(printed(text).0, shown, "{text}");
    }
}

#[test]
fn chains_are_read_as_said_and_warned_of() {
    assert_eq!(printed("p U q U r"), ("(p U q) U r".to_owned(), 1));
    assert_eq!(printed("p -> q -> r"), ("p -> (q -> r)".to_owned(), 1));
    assert_eq!(printed("p -> (q -> r)").1, 0);
    assert_eq!(printed("(p U q) U r").1, 0);
}

#[test]
fn what_is_printed_is_read_again() {
    for seed in 0..2000 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut pool = Pool::new();
        let f = random::formula(&mut pool, &mut rng, 9, 3);
        let names = ["p0", "p1", "p2"].map(str::to_owned);
        let text = print(&pool, f, &names, Notation::Spin, 10_000);
        // The names in order first, so that they get the same numbers.
        let both = format!("(p0 || p1 || p2 || true) && ({text})");
        let again = read(&mut pool, &both);
        for _ in 0..10 {
            let word = random::word(&mut rng, 3);
            let (a, b) = (word.satisfies(&pool, f), word.satisfies(&pool, again));
            assert_eq!(a, b, "seed {seed}: {text}");
        }
        let mut shown = printed(&text).0;
        assert_eq!(shown, printed(&shown).0, "seed {seed}");
        shown.retain(|c| c != ' ');
        assert_eq!(shown, text.replace(' ', ""), "seed {seed}");
    }
}

#[test]
fn mistakes_have_places() {
    let cases = [
        ("", 0, "a formula is missing here; the formula ends"),
        ("p U", 3, "a formula is missing here; the formula ends"),
        ("p && && q", 5, "a formula is missing here, at `&&`"),
        ("p q", 2, "an operator is missing here, at `q`"),
        ("(p", 2, "expected `)`; the formula ends"),
        ("p)", 1, "this closes no parenthesis, at `)`"),
        ("[] x == 1", 5, "an operator is missing here, at `==`"),
        ("[] \"p", 3, "this quote is not closed"),
        ("\"\"", 0, "an atom without text"),
        ("([] x == 1)", 6, "expected `)`, at `==`"),
        ("é && ?", 6, "a formula is missing here, at `?`"),
    ];
    for (text, place, message) in cases {
        assert_eq!(refused(text), [(place, message.to_owned())], "{text}");
    }
}

#[test]
fn size_depth_and_atoms_are_limited() {
    let deep = format!("{}p{}", "(".repeat(100_000), ")".repeat(100_000));
    assert!(refused(&deep)[0].1.contains("4000 words and signs"));
    let deep = format!("{}p{}", "(".repeat(900), ")".repeat(900));
    assert!(refused(&deep)[0].1.contains("nested more than 200 deep"));
    let deep = format!("{}p", "! ".repeat(900));
    assert!(refused(&deep)[0].1.contains("nested more than 200 deep"));
    let deep = format!("{}p", "p -> ".repeat(900));
    assert!(refused(&deep)[0].1.contains("nested more than 200 deep"));
    let many: Vec<String> = (0..70).map(|i| format!("p{i}")).collect();
    assert!(
        refused(&many.join(" && "))[0]
            .1
            .contains("at most 64 atoms")
    );
    let long = vec!["p"; 1000].join(" && ");
    assert_eq!(printed(&long).0, long, "length alone is no trouble");
}

#[test]
fn what_is_astronomically_long_is_cut() {
    let mut pool = Pool::new();
    let mut f = pool.atom(0);
    for _ in 0..100 {
        f = pool.add(check::ltl::Node::Iff(f, f));
    }
    let text = print(&pool, f, &[], Notation::Spin, 50);
    assert!(text.ends_with('…') && text.len() < 200, "{text}");
}
