//! What single predicates are: true, false, undefined, or cut because not all was tried.

use crate::plain::{Setting, program};
use crate::run::machine;
use bmachine::eval::{Trouble, TroubleKind};
use bmachine::value::Value;

/// What a predicate is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    True,
    False,
    Undefined,
    Cut(String),
}

/// What predicates are that may speak of `k`, a variable that is 2, and `l`, one that is -1;
/// `MAXINT` is 3.
pub fn answers(predicates: &[String]) -> Vec<Answer> {
    let text = format!(
        "MACHINE m VARIABLES k, l INVARIANT k : INTEGER & l : INTEGER
         INITIALISATION k := 2 || l := -1 ASSERTIONS {} END",
        predicates.join(";\n")
    );
    let program = program(&machine(&text), &Setting::default()).expect("a program");
    let mut answers = vec![Answer::True; predicates.len()];
    program.assertions(&[Value::Int(2), Value::Int(-1)], &mut |which, trouble| {
        answers[which] = trouble.map_or(Answer::False, told);
    });
    answers
}

fn told(trouble: &Trouble) -> Answer {
    match &trouble.kind {
        TroubleKind::Undefined(_) => Answer::Undefined,
        TroubleKind::NoList
        | TroubleKind::NoBound(_)
        | TroubleKind::TooLarge
        | TroubleKind::TooMuchWork
        | TroubleKind::OutOfTime => Answer::Cut(trouble.to_string()),
        other => panic!("{other:?} where a predicate is asked"),
    }
}

#[track_caller]
fn expect(predicates: &[&str], is_expected: impl Fn(&Answer) -> bool) {
    let texts: Vec<String> = predicates.iter().map(|p| (*p).to_owned()).collect();
    for (text, answer) in texts.iter().zip(answers(&texts)) {
        assert!(is_expected(&answer), "{text} is {answer:?}");
    }
}

#[track_caller]
fn all_true(predicates: &[&str]) {
    expect(predicates, |answer| *answer == Answer::True);
    let contrary: Vec<String> = predicates.iter().map(|p| format!("not({p})")).collect();
    for (text, answer) in contrary.iter().zip(answers(&contrary)) {
        assert_eq!(answer, Answer::False, "{text}");
    }
}

#[track_caller]
fn all_cut(predicates: &[&str]) {
    let is_cut = |answer: &Answer| matches!(answer, Answer::Cut(_));
    expect(predicates, is_cut);
    let contrary: Vec<String> = predicates.iter().map(|p| format!("not({p})")).collect();
    for (text, answer) in contrary.iter().zip(answers(&contrary)) {
        assert!(is_cut(&answer), "{text} is {answer:?}");
    }
}

#[test]
fn what_ranges_over_infinitely_many_values_is_decided_by_one_of_them_or_not_at_all() {
    all_true(&[
        "#n.(n : NATURAL & n * n = 9)",
        "not(!n.(n : NATURAL => n * n /= 9))",
        "#s.(s : seq(0..1) & size(s) > 2)",
        "#s.(s <: NATURAL & 2 : s & card(s) = 2)",
    ]);
    all_cut(&[
        "#n.(n : NATURAL & (n * n) mod 4 = 2)",
        "!n.(n : NATURAL => (n * n) mod 4 /= 2)",
        "#s.(s : seq(0..1) & size(s) mod 2 = 1 & size(s) mod 4 = 2)",
        "SIGMA(n).(n : NATURAL & (n * n) mod 4 = 2 | n) = 0",
        "{n | n : NATURAL & (n * n) mod 4 = 2} = {}",
        "card({n | n : NATURAL & (n * n) mod 4 = 2}) = 0",
        "#s.(s <: NATURAL & (card(s) * card(s)) mod 4 = 2)",
    ]);
}

#[test]
fn a_cut_part_does_not_hide_what_decides() {
    let cut = "#n.(n : NATURAL & (n * n) mod 4 = 2)";
    let both_orders = |connective: &str, other: &str| {
        [
            format!("({cut}) {connective} {other}"),
            format!("{other} {connective} ({cut})"),
        ]
    };
    for text in both_orders("or", "k = 2") {
        assert_eq!(
            answers(std::slice::from_ref(&text)),
            [Answer::True],
            "{text}"
        );
    }
    for text in both_orders("&", "k = 3") {
        assert_eq!(
            answers(std::slice::from_ref(&text)),
            [Answer::False],
            "{text}"
        );
    }
    for text in both_orders("&", "k = 2")
        .iter()
        .chain(&both_orders("<=>", "k = 2"))
    {
        let answer = &answers(std::slice::from_ref(text))[0];
        assert!(matches!(answer, Answer::Cut(_)), "{text} is {answer:?}");
    }
    let texts = [
        format!("({cut}) => k = 2"),
        format!("k = 3 => ({cut})"),
        format!("!x.(x : 1..5 & ({cut}) => x < 9)"),
        format!("not(#x.(x : 1..5 & ({cut}) & x = 9))"),
    ];
    for (text, answer) in texts.iter().zip(answers(&texts)) {
        assert_eq!(answer, Answer::True, "{text}");
    }
}

#[test]
fn a_cut_goes_through_everything_that_takes_a_predicate() {
    let cut = "#n.(n : NATURAL & (n * n) mod 4 = 2)";
    let texts = [
        format!("bool({cut}) = TRUE"),
        format!("(IF {cut} THEN 1 ELSE 2 END) = 1"),
        format!("#x.(x : 1..5 & ({cut}))"),
        format!("{{x | x : 1..5 & ({cut})}} = 1..5"),
        format!("card({{x | x : 1..5 & ({cut})}}) = 5"),
        format!("SIGMA(x).(x : 1..5 & ({cut}) | x) = 15"),
        format!("(%x.(x : 1..5 & ({cut}) | x))(1) = 1"),
        format!("#f.(f : 1..2 --> 0..1 & ({cut}) & f(1) = 1)"),
    ];
    for (text, answer) in texts.iter().zip(answers(&texts)) {
        assert!(matches!(answer, Answer::Cut(_)), "{text} is {answer:?}");
    }
}

#[test]
fn an_undefined_part_counts_only_where_all_before_it_is_known() {
    let cut = "#n.(n : NATURAL & (n * n) mod 4 = 2)";
    let texts = [
        format!("1 / (k - 2) = 1 & ({cut})"),
        format!("({cut}) & 1 / (k - 2) = 1"),
        "k = 3 & 1 / (k - 2) = 1".to_owned(),
    ];
    let found = answers(&texts);
    assert_eq!(found[0], Answer::Undefined);
    assert!(matches!(found[1], Answer::Cut(_)), "{:?}", found[1]);
    assert_eq!(found[2], Answer::False);
}

#[test]
fn infinite_sets_are_asked_and_not_listed() {
    all_true(&[
        "5 : {x | x : NATURAL & x > 3}",
        "3 /: {x | x : NATURAL & x > 3}",
        "NATURAL <: INTEGER",
        "NATURAL1 <<: NATURAL",
        "{} /= NATURAL",
        "{1, 2} /= NATURAL",
        "not({x | x : NATURAL & x > 1} = {2})",
        "not({x | x : NATURAL & x > 2} <: NATURAL - {3})",
        "(%x.(x : NATURAL | x + 1))(7) = 8",
        "NATURAL : POW(INTEGER)",
        "NATURAL /: FIN(INTEGER)",
        "NATURAL /: FIN(NATURAL)",
        "{1, 2} : FIN(NATURAL)",
        "not(#s.(s : FIN(NATURAL) & s = NATURAL))",
    ]);
}

#[test]
fn parts_of_infinite_sets_are_no_total_functions_and_no_permutations() {
    all_cut(&[
        "#f.(f : NATURAL --> 0..1 & card(f) = 4)",
        "#f.(f : 0..1 -->> NATURAL & f(0) = 3)",
        "#s.(s : perm(NATURAL) & size(s) = 4)",
    ]);
}

#[test]
fn what_was_tried_is_said() {
    let text = "!n.(n : NATURAL => (n * n) mod 4 /= 2)".to_owned();
    let expected =
        "cannot enumerate `n`: no bound found, only the 41 least values were tried".to_owned();
    assert_eq!(answers(&[text]), [Answer::Cut(expected)]);
}

#[test]
fn numbers_have_no_bound() {
    all_true(&[
        "2 ** 63 - 1 = 9223372036854775807",
        "2 ** 63 = 9223372036854775808",
        "-(2 ** 63) = -9223372036854775808",
        "-(2 ** 64) < -(2 ** 63)",
        "k ** 100 > k ** 99 & k ** 99 /= k ** 100",
        "k ** 100 / k ** 98 = 4",
        "k ** 100 mod (k ** 99 + 1) = k ** 99 - 1",
        "(k ** 64 - k ** 63) / k ** 62 = k",
        "-(k ** 65) / k ** 64 = -2",
        "0xffffffffffffffffffff = k ** 80 - 1",
        "k ** 70 : NATURAL & k ** 70 /: NAT & -(k ** 70) /: NATURAL",
        "{k ** 70, 3, -(k ** 70)} = {3, -(k ** 70)} \\/ {k ** 70, 3}",
        "max({k ** 70, 3, k ** 71}) = k ** 71 & min({k ** 70, -(k ** 70)}) = -(k ** 70)",
        "card({k ** 70, k ** 70 + 1, k ** 70}) = 2",
        "5 : 0 .. k ** 70 & k ** 71 /: 0 .. k ** 70",
        "card(1 .. k ** 70) = k ** 70",
        "SIGMA(x).(x : 1..3 | k ** 70) = 3 * k ** 70",
        "PI(x).(x : 1..70 | k) = k ** 70",
        "{x | x : k ** 70 .. k ** 70 + 2} = {k ** 70, k ** 70 + 1, k ** 70 + 2}",
        "succ(k ** 70) = k ** 70 + 1 & pred(9223372036854775807 + 1) = 9223372036854775807",
        "(%x.(x : INTEGER | x * x))(k ** 40) = k ** 80",
        "{k ** 70 |-> 1}(k ** 70) = 1",
        "card(POW(1..70)) = k ** 70",
        "[k ** 70, 1](1) = k ** 70",
        "!x.(x : {k ** 70, k ** 71} => x > k ** 69)",
        "#x.(x : INTEGER & x = k ** 70 & x > k ** 69)",
    ]);
    all_cut(&[
        "k ** (k ** 70) > 0",
        "k ** 100000000 = 0",
        "SIGMA(x).(x : 0 .. k ** 70 | x) = 0",
        "{x | x : 0 .. k ** 70 & (x * x) mod 4 = 2} = {}",
    ]);
    expect(
        &[
            "k ** 70 / (k - 2) = 0",
            "-(k ** 70) mod 3 = 0",
            "[1, 2] /|\\ (k ** 70) = []",
        ],
        |answer| *answer == Answer::Undefined,
    );
}

#[test]
fn sets_that_are_not_needed_may_be_undefined_or_infinite() {
    all_true(&[
        "not(#(x,y).(x : 2..1 & y : (INTER(z).(z : 1..3 & z > 5 | {z}))))",
        "!(x,y).(x : 5..l & y : (IF k = l THEN 2..5 ELSE NATURAL END) => x = y)",
        "not(#f.(f : {-1} -->> {2, -2} & f = iterate({0} * NATURAL1, -1)))",
    ]);
}

#[test]
fn bounds_are_read_off_predicates() {
    all_true(&[
        "#n.(n : NATURAL & n * n = 144)",
        "not(#n.(n : NATURAL & n * n = 143))",
        "{n | n : INTEGER & n * n = 144} = {-12, 12}",
        "{n | n : INTEGER & n ** 3 = 27 & n > 0} = {3}",
        "not(#(p,q).(p : NATURAL1 & q : NATURAL1 & p * q = 37 & p > 1 & q > 1))",
        "not(!(p,q).(p : NATURAL1 & q : NATURAL1 & p * q = 35 => p = 1 or q = 1))",
        "{p | p : INTEGER & #q.(q : INTEGER & p * q = -6)} = {-6, -3, -2, -1, 1, 2, 3, 6}",
        "SIGMA(n).(n : NATURAL & n * n <= 10 | n) = 6",
        "{n | n : INTEGER & 3 * n + 2 = 14} = {4}",
        "{n | n : NATURAL & n / 3 = 2} = {6, 7, 8}",
        "{n | n : INTEGER & n / 3 = 0} = -2..2",
        "{n | n : INTEGER & n / 3 = -2} = {-8, -7, -6}",
        "card({n | n : NATURAL & (n < 5 or n = 9)}) = 6",
        "card({n | n : INTEGER & (k = 3 or n : 1..4) & (k = 2 or n = 9)}) = 4",
        "!n.(n : NATURAL => n >= 0)",
        "!n.(n : NATURAL => n + 1 : NATURAL1)",
        "!n.(n : NATURAL => n * n >= 0)",
        "!n.(n : INTEGER => n * n >= 0)",
        "!(n,m).(n : NATURAL & m : NATURAL => n + m : NATURAL)",
        "!n.(n : INTEGER & n /: NATURAL => n < 0)",
        "not(!n.(n : NATURAL => n < 35))",
        "#n.(n : NATURAL & n > 1000 & n mod 7 = 0)",
    ]);
}

#[test]
fn infinite_functions_are_known_by_their_bounds_and_forms() {
    all_true(&[
        "%x.(x : NATURAL | x * x + 1) : NATURAL --> NATURAL1",
        "%x.(x : NATURAL | x + 1) : NATURAL >-> NATURAL1",
        "%x.(x : NATURAL | x - 1) /: NATURAL --> NATURAL",
        "%x.(x : INTEGER | x * x) /: INTEGER >-> INTEGER",
        "%x.(x : NATURAL | x) /: NATURAL1 --> NATURAL",
        "%x.(x : NATURAL & x > 3 | x) : NATURAL +-> NATURAL",
        "%x.(x : NATURAL | x) /: seq(NATURAL)",
        "succ : INTEGER >->> INTEGER",
        "49 : ran(%x.(x : NATURAL | x * x))",
        "-1 /: ran(%x.(x : NATURAL | x * x))",
        "{x | x : NATURAL & x > 3} <: NATURAL1",
        "{x | x : NATURAL & x > 3} /= {4, 5}",
        "7 : UNION(x).(x : NATURAL | {x, x + 1})",
    ]);
    all_cut(&[
        "%x.(x : NATURAL | x / 2) : NATURAL -->> NATURAL",
        "50 : ran(%x.(x : NATURAL | (x * x) mod 4 + 48))",
    ]);
}

#[test]
fn what_is_just_not_too_deep_is_evaluated() {
    let repeated = |n: usize, open: &str, middle: &str, close: &str| {
        format!("{}{middle}{}", open.repeat(n), close.repeat(n))
    };
    let mut quantifiers = "k = 2".to_owned();
    let mut sets = "{k}".to_owned();
    let mut functions = "k".to_owned();
    for i in 0..30 {
        quantifiers = format!("#x{i}.(x{i} : 1..2 & {quantifiers})");
        sets = format!("{{y{i} | y{i} : NATURAL & y{i} : {sets}}}");
        functions = format!("(%z{i}.(z{i} : INTEGER | z{i} + 0))({functions})");
    }
    all_true(&[
        &format!("{}k = 582", "k + ".repeat(290)),
        &format!("{} = 192", repeated(95, "(k + ", "k", ")")),
        &format!("{} : INTEGER", repeated(45, "(-", "k", ")")),
        &format!("{}NATURAL = NATURAL", "NATURAL \\/ ".repeat(280)),
        &format!("k : {}NATURAL", "NATURAL /\\ ".repeat(280)),
        &format!("k : {}NATURAL", "NATURAL1 \\/ ".repeat(280)),
        &quantifiers,
        &format!("k : {sets}"),
        &format!("{functions} = k"),
        &format!("{}TRUE{} = TRUE", "bool(".repeat(60), " = TRUE)".repeat(60)),
    ]);
}

#[test]
fn what_would_take_too_much_memory_is_cut() {
    let pairs = |n: usize| format!("%i.(i : 1..{n} | k)");
    all_cut(&[
        &format!("card(({}) || ({})) = 0", pairs(1100), pairs(1100)),
        &format!("card(({}) ; ({{k}} * (1..1100))) = 0", pairs(1100)),
        "card(closure1(%i.(i : 1..9000 | i + 1))) = 0",
        "#s.(s : seq(0..1) & size(s) < 100000 & size(s) mod 2 = 1 & size(s) mod 4 = 2)",
        "#s.(s : iseq(1..1500) & size(s) mod 2 = 1 & size(s) mod 4 = 2)",
    ]);
    all_true(&[
        &format!("card(({}) || ({})) = 400", pairs(20), pairs(20)),
        "card((%i.(i : 1..3000 | i + 1)) ; (%i.(i : 1..3000 | i + 1))) = 2999",
        "card(closure1(%i.(i : 1..30 | i + 1))) = 465",
    ]);
}
