//! The preprocessor: what tokens are left, and what is said.

use crate::run::{check_files, tokens};

#[track_caller]
fn becomes(text: &str, expected: &str) {
    let (tokens, errors) = tokens(&[("m.pml", text)], &[]);
    assert_eq!(
        (tokens.as_str(), errors.as_slice()),
        (expected, &[][..]),
        "{text}"
    );
}

#[track_caller]
fn says(text: &str, expected: &[&str]) {
    let (_, said) = tokens(&[("m.pml", text)], &[]);
    assert_eq!(said, expected, "{text}");
}

#[test]
fn macros_without_parameters() {
    becomes("#define N 3\nN N", "3 3");
    becomes("#define N\na N b", "a b");
    becomes("#define A B\n#define B C\nA", "C");
    becomes("#define N 1\n#undef N\nN", "N");
    becomes("#define N 1 \\\n + 2\nN", "1 + 2");
    becomes("\"N\" 'N' // N\n#define N 1\n/* N */", "\"N\" 'N'");
}

#[test]
fn macros_with_parameters() {
    becomes(
        "#define F(x) (x+1)\nF(2) F((2,3)) F",
        "( 2 + 1 ) ( ( 2 , 3 ) + 1 ) F",
    );
    becomes("#define F(x,y) y x\nF(a b,\nc)", "c a b");
    becomes("#define F() f\nF() F( )", "f f");
    becomes("#define F(x) x\nF() F(F(a))", "a");
    becomes("#define F (x)\nF", "( x )");
    becomes("#define F(x) G x\n#define G(y) [y]\nF((a))", "[ a ]");
    becomes("#define S(x) #x\nS(a + \"b\")", "\"a + \\\"b\\\"\"");
    becomes("#define C(x,y) x##y z##x\n#define a no\nC(a,b)", "ab za");
}

#[test]
fn macros_that_name_themselves_end() {
    becomes("#define x x + 1\nx", "x + 1");
    becomes("#define a b\n#define b a\na b", "a b");
    becomes("#define f(x) x f\nf(1)(2)", "1 f ( 2 )");
    becomes("#define f(x) f(x)\nf(f(1))", "f ( f ( 1 ) )");
}

#[test]
fn conditions() {
    becomes("#if 1\na\n#else\nb\n#endif", "a");
    becomes(
        "#if 0\na\n#elif 2 > 1\nb\n#elif 1\nc\n#else\nd\n#endif",
        "b",
    );
    becomes("#ifdef X\na\n#endif\n#ifndef X\nb\n#endif", "b");
    becomes(
        "#define X 3\n#if defined(X) && defined Y == 0 && X*2 == 6\na\n#endif",
        "a",
    );
    becomes(
        "#if 0\n#if 1\na\n#else\nb\n#endif\nc ' \" #\n#error no\n#endif\nd",
        "d",
    );
    becomes("#if 0 && 1/0\na\n#endif\n#if 1 ? 2 : 1/0\nb\n#endif", "b");
    becomes(
        "#if !defined(X) && -1 < 0 && ~0 == -1 && (1 << 4 | 1) == 0x11\na\n#endif",
        "a",
    );
    becomes(
        "#if 010 == 8 && 3 == 3UL && 'a' == 97 && nothing == 0\na\n#endif",
        "a",
    );
}

#[test]
fn what_has_no_effect() {
    becomes("#pragma once\n#ident \"z\"\n#\na", "a");
}

#[test]
fn macros_with_any_number_of_arguments() {
    becomes(
        "#define F(...) [__VA_ARGS__]\nF() F(a) F(a,b)",
        "[ ] [ a ] [ a , b ]",
    );
    becomes(
        "#define F(x,...) x[__VA_ARGS__]\nF(a) F(a,) F(a,b,(c,d))",
        "a [ ] a [ ] a [ b , ( c , d ) ]",
    );
    becomes(
        "#define F(x,y...) x(y)\n#define b c\nF(a,b,b)",
        "a ( c , c )",
    );
    becomes(
        "#define F(x,...) x , ## __VA_ARGS__ ;\nF(a) F(a,b,c)",
        "a ; a , b , c ;",
    );
    becomes("#define S(...) #__VA_ARGS__\nS(a, b)", "\"a, b\"");
    becomes(
        "#define F(x,...) G(__VA_ARGS__)\n#define G(x,y) y x\nF(1,2,3)",
        "3 2",
    );
    says(
        "#define F(..., x) x",
        &["1:14: `)` is expected after `...`"],
    );
    says(
        "#define F(x, y, ...) x\nF(a)",
        &["2:1: the macro `F` takes 3 arguments, here are 1"],
    );
}

#[test]
fn a_text_knows_where_it_is() {
    // What gcc gives for these lines: an argument is where it is written, a body where it is used.
    becomes(
        "#define ID(x) x\n#define L __LINE__\n#define T(a,b) a b L\n\
         ID(\n__LINE__\n)\nT(ID(L),\nID(\nL)\n)",
        "5 7 9 7",
    );
    becomes(
        "__FILE__\n#line 7 \"a b\"\n__FILE__ __LINE__\n# 3\n__FILE__ __LINE__",
        "\"m.pml\" \"a b\" 7 \"a b\" 3",
    );
    becomes(
        "#define N 20\n#line N\n__LINE__\n#if __LINE__ == 21 && defined(__FILE__)\na\n#endif",
        "20 a",
    );
    let number = "a line number is expected here, and after it a file in quotes";
    says("#line \"x\"", &[&format!("1:2: {number}")]);
    says("# 99999999999", &[&format!("1:3: {number}")]);
}

#[test]
fn messages_tell_the_lines_that_the_text_says() {
    let text = "init { skip }\n#line 40 \"other.pml\"\nbyte x = 1 +;\n";
    let mut sources = base::Sources::new();
    let main = sources.add("m.pml", text);
    let mut found = base::Diagnostics::new();
    let mut none = |_: &mut base::Sources, _: &promela::preprocess::IncludeRequest| {
        Err(base::Diagnostic::unlocated("no file"))
    };
    promela::check(main, &[], &mut sources, &mut none, &mut found);
    let first = &found.sorted()[0];
    let drawn = base::render(first, &sources, base::Colour::Never);
    assert!(drawn.contains("--> other.pml:40:13"), "{drawn}");
    assert!(drawn.contains("40 | byte x = 1 +;"), "{drawn}");
}

#[test]
fn mistakes_in_directives() {
    says("#bogus", &["1:2: there is no directive `bogus`"]);
    says("#define", &["1:2: `#define` needs a name"]);
    says(
        "#define F(x",
        &["1:9: the parameters of this macro are not closed by `)`"],
    );
    says(
        "#define F(x,x) x",
        &["1:13: the parameter `x` is there twice"],
    );
    says(
        "#define F(1) x",
        &["1:11: a parameter of a macro is a name"],
    );
    says(
        "#define F(x y) x",
        &["1:13: `,` or `)` is expected after a parameter"],
    );
    says(
        "#define defined 1",
        &["1:9: `defined` cannot be the name of a macro"],
    );
    says("#undef 1", &["1:2: `#undef` needs the name of a macro"]);
    says(
        "#ifdef\n#endif",
        &["1:2: `#ifdef` needs the name of a macro"],
    );
    says("#if 1", &["1:2: this `#if` has no `#endif`"]);
    says(
        "#endif\n#else",
        &[
            "1:2: this `#endif` has no `#if`",
            "2:2: this `#else` has no `#if`",
        ],
    );
    says(
        "#if 1\n#else\n#else\n#endif",
        &["3:2: this `#else` comes after the `#else`"],
    );
    says("#error stop it", &["1:2: #error stop it"]);
    says("#warning look", &["1:2: #warning look"]);
    says("#include x", &["1:2: `#include` needs a file in quotes"]);
    says(
        "#define N 1\n#define N 1\n#define N 2",
        &["3:9: the macro `N` is defined again"],
    );
}

#[test]
fn mistakes_in_conditions() {
    says(
        "#if\n#endif",
        &["1:2: in this condition a value is missing"],
    );
    says(
        "#if 1/0\n#endif",
        &["1:6: in this condition `/` divides by zero"],
    );
    says(
        "#if (1\n#endif",
        &["1:5: in this condition `(` is not closed by `)`"],
    );
    says(
        "#if 1 2\n#endif",
        &["1:7: in this condition `2` is not expected here"],
    );
    says(
        "#if 1 +\n#endif",
        &["1:2: in this condition a value is missing"],
    );
    says(
        "#if ;\n#endif",
        &["1:5: in this condition `;` is not a value"],
    );
    says(
        "#if 1 ? 2\n#endif",
        &["1:2: in this condition stands where `:` is expected"],
    );
    says(
        "#if 1x\n#endif",
        &["1:2: in this condition a number cannot be read"],
    );
}

#[test]
fn mistakes_in_uses() {
    says(
        "#define F(x) x\nF(1,2)",
        &["2:1: the macro `F` takes 1 arguments, here are 2"],
    );
    says(
        "#define F(x) x\nF(1",
        &["2:1: the use of the macro `F` is not closed"],
    );
    says(
        "a ' b",
        &["1:3: this quote is not part of a character such as `'a'`"],
    );
    says("a § b", &["1:3: the character `§` has no meaning here"]);
}

#[test]
fn files_are_included() {
    let files = [
        ("m.pml", "#include \"a.h\"\nN"),
        ("a.h", "#ifndef A\n#define A\n#include \"b.h\"\n#endif"),
        ("b.h", "#include \"a.h\"\n#define N 7"),
    ];
    assert_eq!(tokens(&files, &[]), ("7".to_owned(), Vec::new()));
}

#[test]
fn files_that_are_missing_or_include_each_other_are_errors() {
    let (_, said) = tokens(&[("m.pml", "\n#include \"no.h\"")], &[]);
    assert_eq!(said, ["2:2: there is no such file"]);
    let files = [("m.pml", "#include \"m.pml\"\n#include \"m.pml\"")];
    let (_, said) = tokens(&files, &[]);
    assert_eq!(
        said,
        ["1:2: files include each other without end, at `m.pml`"]
    );
}

#[test]
fn definitions_from_outside_count() {
    let (left, said) = tokens(&[("m.pml", "N F(3)")], &["N 5", "F(x) x x"]);
    assert_eq!((left.as_str(), said.len()), ("5 3 3", 0));
}

#[test]
fn an_error_in_a_macro_shows_the_use_and_the_definition() {
    let text = "#define INC(v) v = v + one\nbyte x;\ninit { INC(x) }\n";
    let said = check_files(&[("m.pml", text)], &[]);
    let expected = "\
error: `one` is not declared
 --> m.pml:3:8
  |
1 | #define INC(v) v = v + one
  |                        --- in the definition of `INC`
2 | byte x;
3 | init { INC(x) }
  |        ^^^^^^";
    assert_eq!(said.drawn, expected);
}

#[test]
fn explosions_are_stopped() {
    let mut text = String::from("#define A0 x x\n");
    for i in 1..40 {
        text += &format!("#define A{i} A{} A{}\n", i - 1, i - 1);
    }
    text += "A39";
    let (_, said) = tokens(&[("m.pml", &text)], &[]);
    assert_eq!(said, ["41:1: the text is too large after expansion"]);
    let deep = format!("#define F(x) x\n{}1{}", "F(".repeat(2000), ")".repeat(2000));
    let (_, said) = tokens(&[("m.pml", &deep)], &[]);
    assert!(said[0].contains("nested too deeply"), "{said:?}");
    let mut chain = String::from("#define A0 1\n");
    for i in 1..5000 {
        chain += &format!("#define A{i} A{}\n", i - 1);
    }
    let (_, said) = tokens(&[("m.pml", &(chain + "A4999"))], &[]);
    assert!(said[0].contains("nested too deeply"), "{said:?}");
    let deep = format!("#if {}1\n#endif", "(".repeat(100_000));
    let (_, said) = tokens(&[("m.pml", &deep)], &[]);
    assert!(said[0].contains("nested too deeply"), "{said:?}");
}
