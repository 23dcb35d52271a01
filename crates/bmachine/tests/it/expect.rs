//! What the headers of our machines expect.
//!
//! ```text
//! expect: --default-set-size 3 --set-size KEY=4 --no-deadlock full 1416 states 3288 transitions; \
//!         reduced 5 states 61 transitions; holds; refinement holds (guards)
//! ```
//!
//! Flags are those of `orbit check`. `full` is without symmetry; transitions, and either part as a
//! whole, may be left out. The root of ProB is no state here; set-ups and initialisations are
//! states and transitions. Where the verdict is `violated (KIND)` or `goal`, counts are those of a
//! search that goes on, and `in 4 moves` is the length of a shortest run, set-up and initialisation
//! included. `bench:` lines are like `expect:` lines and too long for tests.
//!
//! Machines to be refused have `refuse: 12 POW(Name) INTEGER`: there is an error in that line, if
//! one is given, in whose message all those words are. `fail:` is the same for what is found only
//! when the machine is run, and `unknown:` for what cannot be tried in full.

/// What a line expects.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Expected {
    /// For sets that nothing else is said about.
    pub default_size: Option<usize>,
    /// For single sets.
    pub sizes: Vec<(String, usize)>,
    /// Whether states without moves are nothing wrong.
    pub no_deadlock: bool,
    /// States, and transitions if they are given, without symmetry.
    pub full: Option<(u64, Option<u64>)>,
    /// The same with symmetry.
    pub reduced: Option<(u64, Option<u64>)>,
    /// The kind of what is wrong, or `goal`; `None` if all is well.
    pub wrong: Option<String>,
    /// How many moves the shortest run to it has.
    pub n_moves: Option<u64>,
    /// Whether it is a refinement, and how preconditions are read for that.
    pub refinement: Vec<(bool, String)>,
}

/// What `words`, the part of a line after `expect:`, say; `None` if it is no such line.
pub fn parse(words: &str) -> Option<Expected> {
    let mut expected = Expected::default();
    let mut has_verdict = false;
    for (number, part) in words.split(';').enumerate() {
        let mut part: Vec<&str> = part.split_whitespace().collect();
        if number == 0 {
            let n_flags = flags(&part, &mut expected)?;
            part.drain(..n_flags);
        }
        match part.as_slice() {
            ["full", rest @ ..] => expected.full = Some(counts(rest)?),
            ["reduced", rest @ ..] => expected.reduced = Some(counts(rest)?),
            ["refinement", word, reading] => {
                let holds = ["violated", "holds"].iter().position(|w| w == word)? == 1;
                let reading = reading.strip_prefix('(')?.strip_suffix(')')?;
                expected.refinement.push((holds, reading.to_owned()));
            }
            ["holds"] => has_verdict = true,
            ["violated", kind, rest @ ..] => {
                has_verdict = true;
                let kind = kind.strip_prefix('(')?.strip_suffix(')')?;
                expected.wrong = Some(kind.to_owned());
                expected.n_moves = moves(rest)?;
            }
            ["goal", rest @ ..] => {
                has_verdict = true;
                expected.wrong = Some("goal".to_owned());
                expected.n_moves = moves(rest)?;
            }
            _ => return None,
        }
    }
    has_verdict.then_some(expected)
}

/// Takes in the flags at the start, and says how many words they are.
fn flags(words: &[&str], expected: &mut Expected) -> Option<usize> {
    let mut at = 0;
    while let Some(flag) = words.get(at).filter(|word| word.starts_with("--")) {
        match (*flag, words.get(at + 1)) {
            ("--no-deadlock", _) => expected.no_deadlock = true,
            ("--default-set-size", Some(n)) => expected.default_size = Some(n.parse().ok()?),
            ("--set-size", Some(word)) => {
                let (name, n) = word.split_once('=')?;
                expected.sizes.push((name.to_owned(), n.parse().ok()?));
            }
            _ => return None,
        }
        at += if *flag == "--no-deadlock" { 1 } else { 2 };
    }
    Some(at)
}

/// `120 states 300 transitions`
fn counts(words: &[&str]) -> Option<(u64, Option<u64>)> {
    match words {
        [n, "states", m, "transitions"] => Some((n.parse().ok()?, Some(m.parse().ok()?))),
        [n, "states"] => Some((n.parse().ok()?, None)),
        _ => None,
    }
}

/// `in 4 moves`, or nothing.
fn moves(words: &[&str]) -> Option<Option<u64>> {
    match words {
        [] => Some(None),
        ["in", n, "moves"] => Some(Some(n.parse().ok()?)),
        _ => None,
    }
}

/// The lines of a header with that word, `expect` or `refuse` and so on, after it.
pub fn lines<'a>(text: &'a str, word: &str) -> Vec<&'a str> {
    let marked = format!("{word}:");
    let rest = |line: &'a str| {
        let line = line.trim_start().trim_start_matches('*').trim_start();
        line.strip_prefix(&marked).map(str::trim)
    };
    text.lines().filter_map(rest).collect()
}

#[test]
fn expectations_are_understood() {
    let line = "--default-set-size 3 --set-size KEY=4 --no-deadlock full 9 states 37 transitions; \
                reduced 5 states; violated (invariant) in 4 moves; refinement holds (guards)";
    let expected = Expected {
        default_size: Some(3),
        sizes: vec![("KEY".to_owned(), 4)],
        no_deadlock: true,
        full: Some((9, Some(37))),
        reduced: Some((5, None)),
        wrong: Some("invariant".to_owned()),
        n_moves: Some(4),
        refinement: vec![(true, "guards".to_owned())],
    };
    assert_eq!(parse(line), Some(expected));
    let goal = parse("goal in 10 moves").expect("a line");
    assert_eq!(
        (goal.wrong.as_deref(), goal.n_moves),
        (Some("goal"), Some(10))
    );
    for wrong in [
        "",
        "full 9 states",
        "full nine states; holds",
        "--size 3 full 9 states; holds",
        "holds in 4 moves",
        "violated invariant",
        "refinement holds",
    ] {
        assert_eq!(parse(wrong), None, "{wrong}");
    }
    let text = "/*\n * expect: holds\n * expected: no\n */\nMACHINE expect\n";
    assert_eq!(lines(text, "expect"), ["holds"]);
}
