//! Scripts that make no sense are evaluated, or refused, without a panic.

use super::Loaded;
use crate::script::read;
use cspm::eval::Script;
use cspm::process::Terms;
use cspm::value::Value;

/// A script with most constructs, whose pieces are mixed.
const PIECES: &[&str] = &[
    "datatype T = A | B.{0..1} | C.T.T\n",
    "subtype S = B.{0}\n",
    "channel a, b\n",
    "channel c : {0..2}.Bool\n",
    "channel d : T\n",
    "transparent normal\n",
    "nametype N = {0..1}.{0..1}\n",
    "f(0) = 1\nf(n) = n * f(n - 1)\n",
    "g(<>) = {}\ng(<x>^xs) = union({x}, g(xs))\n",
    "h(B.n) = n\nh(C.x.y) = h(x) + h(y)\nh(A) = 0\n",
    "x = f(5) + h(B.1)\n",
    "y = <(p, q) | p <- <1..3>, q <- <p..3>, p != q>\n",
    "z = {| c.1, d |}\n",
    "m = (| 1 => {2}, 2 => {} |)\n",
    "(u, <v>^w) = (1, <2, 3>)\n",
    "P(n) = c?k!true -> P(n + k) [] n > 3 & a -> STOP\n",
    "Q = let R(k) = c$k -> R(k) |~| SKIP within R(1)\n",
    "U = P(0) [| {| c |} |] Q \\ {a}\n",
    "V = ||| i : {0..2} @ c.i?_ -> normal(V)\n",
    "W = || i : {0..1} @ [{c.i.true, a}] P(i)\n",
    "X = U [[ a <- b, c.0 <- c.1 ]] /\\ Q [| {b} |> STOP\n",
    "Y = STOP [ a <-> b ] ; i : <0, 1> @ d!B.i -> SKIP\n",
    "assert P(0) [T= Q\n",
    "print card(Events)\n",
    "module M(k)\nexports\nchannel e : {0..k}\nt = k + 1\nendmodule\ninstance I = M(2)\n",
    "i = I::t\n",
];

/// Words that are put where they do not belong.
const WORDS: &[&str] = &[
    "0", "1", "x", "P", "A", "c", "{}", "<>", "STOP", "{0..1}", "<1..>", "Int", "f", "B", "-", "+",
    ".", "true", "\"t\"", "Events", "a", "m", "{|c|}", "_", "(1, 2)",
];

fn evaluate_all(text: &str) -> usize {
    let Some(ast) = read(text).script else {
        return 0;
    };
    let Ok(mut script) = Script::load(&ast) else {
        return 0;
    };
    script.limit_calls(20_000);
    let names: Vec<String> = script.names().map(str::to_owned).collect();
    let mut terms = Terms::default();
    script.prints(&mut terms);
    script.assertions(&mut terms);
    let mut loaded = Loaded { script, terms };
    let mut n = 0;
    for name in names {
        let value = loaded.evaluate(&name);
        if let Ok(value) = &value {
            n += 1;
            assert!(!loaded.script.show(value, &loaded.terms).is_empty());
        }
        if let Ok(Value::Process(term)) = value {
            let _ = loaded.explore(term, 30);
        }
    }
    n
}

#[test]
fn no_script_makes_the_evaluator_panic() {
    let mut n_values = 0;
    for seed in 0..400 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut text: String = PIECES
            .iter()
            .filter(|_| random.u32(0..10) > 0)
            .copied()
            .collect();
        for _ in 0..random.usize(..4) {
            let tokens: Vec<usize> = text
                .char_indices()
                .filter(|(_, c)| c.is_alphanumeric() || "{<(".contains(*c))
                .map(|(i, _)| i)
                .collect();
            let at = tokens[random.usize(..tokens.len())];
            let word = WORDS[random.usize(..WORDS.len())];
            text.replace_range(at..at + 1, word);
        }
        n_values += evaluate_all(&text);
    }
    assert!(
        n_values > 1000,
        "{n_values} values: the texts are too odd to try anything"
    );
}

#[test]
fn deep_nesting_is_no_trouble() {
    let deep = |open: &str, inner: &str, close: &str, n: usize| {
        format!("x = {}{inner}{}\n", open.repeat(n), close.repeat(n))
    };
    for n in [50, 390] {
        let texts = [
            deep("(", "1", ")", n),
            deep("<", "1", ">", n),
            deep("{", "1", "}", n),
            deep("1 + (", "1", ")", n / 2),
            deep("if true then ", "1", " else 2", n / 2),
            deep("let y = 1 within ", "y", "", n / 2),
            deep("STOP [] (", "STOP", ")", n / 2),
        ];
        for text in texts {
            let n_values = evaluate_all(&text);
            assert!(n_values <= 1, "{text}");
        }
    }
}

#[test]
fn long_chains_of_what_is_put_off_are_dropped() {
    let text = "late(n, k) = if n == 0 then k else late(n - 1, keep(k))\nkeep(k) = k\n\
                x = let y = late(300000, 1) within 2\nz = (\\ p @ 3)(late(300000, <1>))\n\
                list(n) = if n == 0 then <> else <n>^list(n - 1)\nw = length(list(100000))\n";
    assert!(evaluate_all(text) >= 3);
}
