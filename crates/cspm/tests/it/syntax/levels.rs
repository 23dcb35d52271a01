//! Which operator binds tighter, against brackets written by hand.

use super::tree::tree;
use crate::script::read;

/// Both texts are the same tree.
#[track_caller]
fn same(text: &str, bracketed: &str) {
    assert_eq!(tree(text), tree(bracketed), "{text}");
}

#[test]
fn values() {
    same("a + b * c - d", "(a + (b * c)) - d");
    same("a * b / c % d", "((a * b) / c) % d");
    same("-a + b", "(-a) + b");
    same("-a * b", "-(a * b)");
    same("- - a", "-(-a)");
    same("#s + 1", "(#s) + 1");
    same("#s ^ t", "#(s ^ t)");
    same("a ^ b ^ c", "(a ^ b) ^ c");
    same("not a == b", "not (a == b)");
    same("not a and b or c", "((not a) and b) or c");
    same("a or b and c", "a or (b and c)");
    same("a + 1 == b * 2 and c", "((a + 1) == (b * 2)) and c");
    same(
        "a ^ if b then c else d ^ e",
        "a ^ (if b then c else (d ^ e))",
    );
    same("f(x)(y) + g(z)", "((f(x))(y)) + (g(z))");
    same("let y = 1 within y + 2", "let y = 1 within (y + 2)");
    same("\\ y, z @ y + z", "\\ y, z @ (y + z)");
    same("-f(x) ^ s", "-((f(x)) ^ s)");
}

#[test]
fn dots_bind_looser_than_operators_on_values() {
    same("c.a + 1", "c.(a + 1)");
    same("c.d.e", "c.(d.e)");
    same("a.b == c.d", "a.((b == c).d)");
    same("a.b or c", "a.(b or c)");
    same("c.f(y)", "c.(f(y))");
    same("a.-1", "a.(-1)");
    same("enter.(j+1)%5?y -> P", "(enter.((j+1)%5))?y -> P");
}

#[test]
fn processes() {
    same("a -> b -> P", "a -> (b -> P)");
    same("a -> P [] b -> Q", "(a -> P) [] (b -> Q)");
    same("a -> P ; Q", "(a -> P) ; Q");
    same("b & a -> P [] Q", "(b & (a -> P)) [] Q");
    same("y == 1 & P", "(y == 1) & P");
    same("P [] Q |~| R", "(P [] Q) |~| R");
    same("P ; Q [> R", "(P ; Q) [> R");
    same("P [> Q /\\ R", "(P [> Q) /\\ R");
    same("P /\\ Q [] R", "(P /\\ Q) [] R");
    same("P /+ A +\\ Q [+ A +] R", "(P /+ A +\\ Q) [+ A +] R");
    same("P |~| Q [| A |] R", "(P |~| Q) [| A |] R");
    same(
        "P [| A |] Q ||| R [ A || B ] S",
        "(P [| A |] Q) ||| (R [ A || B ] S)",
    );
    same("P ||| Q ||| R", "(P ||| Q) ||| R");
    same("P [] Q [] R", "(P [] Q) [] R");
    same("a -> P [[ a <- b ]]", "a -> (P [[ a <- b ]])");
    same(
        "P [[ a <- b ]] [[ b <- c ]]",
        "(P [[ a <- b ]]) [[ b <- c ]]",
    );
    same(
        "P [a <-> b, c <-> d] Q |~| R",
        "P [a <-> b, c <-> d] (Q |~| R)",
    );
    same("P [| A |> a -> Q", "P [| A |> (a -> Q)");
}

#[test]
fn fields() {
    same("c.1?y:S!z.w$v -> P", "(c.1)?y:(S)!(z.w)$v -> P");
    same("c?y.z:A.B -> P", "c?(y.z):(A.B) -> P");
    same("c!y+1?z -> P", "c!(y+1)?z -> P");
    same("c?<h>^t -> P", "c?(<h>^t) -> P");
    assert_eq!(tree("c?y:S!z$w -> P"), "(-> c ?y:S !z $w: P)");
    assert_eq!(tree("c?_ -> P"), "(-> c ?_: P)");
}

#[test]
fn hiding_ends_where_another_operator_follows() {
    same("P ||| Q \\ A", "(P ||| Q) \\ A");
    same("P \\ A ||| Q", "(P \\ A) ||| Q");
    same("P \\ A [] Q ||| R", "((P \\ A) [] Q) ||| R");
    same("P \\ A ||| Q [] R", "(P \\ A) ||| (Q [] R)");
    same("P ||| Q \\ A [] R", "((P ||| Q) \\ A) [] R");
    same("P \\ A \\ B", "(P \\ A) \\ B");
    same("P \\ A ||| Q \\ B", "((P \\ A) ||| Q) \\ B");
    same("a -> P \\ A", "(a -> P) \\ A");
    same(
        "P [| A |] Q \\ H [| B |] R",
        "((P [| A |] Q) \\ H) [| B |] R",
    );
    same("P |\\ A ; Q", "(P |\\ A) ; Q");
}

#[test]
fn replicated_operators_take_all_that_follows() {
    same("||| y : S @ P ||| Q", "||| y : S @ (P ||| Q)");
    same(
        "P [] [] y : S @ a -> Q [] R",
        "P [] ([] y : S @ ((a -> Q) [] R))",
    );
    same("[| A |] y : S @ P \\ H", "[| A |] y : S @ (P \\ H)");
    same("; y : <1, 2> @ P ; Q", "; y : <1, 2> @ (P ; Q)");
    same("|| y : S @ [A] P ||| Q", "(|| y : S @ [A] P) ||| Q");
    same("|| y : S @ [A] P \\ H", "(|| y : S @ [A] P) \\ H");
    same("|| y : S @ [A] P [] Q", "|| y : S @ [A] (P [] Q)");
    same(
        "[a <-> b] y : <1> @ P ||| Q",
        "[a <-> b] y : <1> @ (P ||| Q)",
    );
    same("(|~| y : S @ P)", "|~| y : S @ P");
}

#[test]
fn a_bare_greater_ends_a_sequence() {
    same("<1> ^ <2, 3>", "(<1>) ^ (<2, 3>)");
    same("<2, 1> > <1, 2>", "(<2, 1>) > (<1, 2>)");
    same("<y | y <- s, y < 2>", "<y | y <- s, (y < 2)>");
    same("< > > <>", "(<>) > (<>)");
    same("<<>, <1>>", "<(<>), (<1>)>");
    same("<f(a > b), {a > b}>", "<(f(a > b)), ({a > b})>");
    assert!(!read("x = <y | y <- s, y > 2>").errors.is_empty());
    assert!(read("x = <y | y <- s, (y > 2)>").errors.is_empty());
}

#[test]
fn what_does_not_associate_needs_brackets() {
    for (text, words) in [
        ("P [| A |] Q [| B |] R", "parallel operators in a row"),
        ("P [A||B] Q [C||D] R", "parallel operators in a row"),
        ("|| y : S @ [A] P [| B |] Q", "parallel operators in a row"),
        ("a == b == c", "comparisons do not follow"),
        ("a < b <= c", "comparisons do not follow"),
    ] {
        let errors = read(&format!("x = {text}")).errors;
        assert!(errors.len() == 1 && errors[0].contains(words), "{errors:?}");
    }
}

#[test]
fn a_wrong_grouping_would_be_noticed() {
    assert_ne!(tree("a.b == c"), tree("(a.b) == c"));
    assert_ne!(tree("-a * b"), tree("(-a) * b"));
}
