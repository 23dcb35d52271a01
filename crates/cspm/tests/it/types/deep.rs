//! Large and deep scripts: answers or messages, never a broken stack.

use super::{Said, check_with};

/// As deep as the parser reads, with a little to spare for what is around.
const DEPTH: usize = cspm::ast::DEPTH_MAX as usize - 20;

/// Finds types on a small stack; reading has a large one, since it is not tested here.
fn check(text: &str) -> Said {
    const READING: usize = 64 << 20;
    let text = text.to_owned();
    let thread = std::thread::Builder::new().stack_size(READING);
    let whole = thread.spawn(move || {
        let mut sources = base::Sources::new();
        let main = sources.add("m.csp", text.as_str());
        let mut found = base::Diagnostics::new();
        let script = cspm::read(main, &mut sources, &mut |_| None, &mut found);
        if let Some(script) = script {
            let small = std::thread::Builder::new().stack_size(1 << 20);
            let typed = small.spawn(move || {
                let mut found = base::Diagnostics::new();
                cspm::check(&script, &mut found).is_some()
            });
            let typed = typed.expect("a thread").join();
            assert!(typed.is_ok(), "a megabyte was not enough");
        }
        check_with("m.csp", &text, &mut |_| None)
    });
    whole.expect("a thread").join().expect("an answer")
}

fn nested(open: &str, inside: &str, close: &str, depth: usize) -> String {
    format!(
        "x = {}{inside}{}\n",
        open.repeat(depth),
        close.repeat(depth)
    )
}

#[test]
fn deep_expressions_are_checked() {
    let prefix = format!("channel a\nx = {}STOP\n", "a -> ".repeat(DEPTH));
    let choice = format!("x = {}STOP\n", "STOP [] ".repeat(DEPTH));
    for text in [
        nested("(", "1", ")", DEPTH),
        nested("not ", "true", "", DEPTH),
        nested("if true then 1 else (", "1", ")", DEPTH / 3),
        nested("let y = 1 within (", "1", ")", DEPTH / 3),
        nested("(\\ y @ ", "1", ")", DEPTH / 3),
        nested("head(", "<>", ")", DEPTH / 3),
        prefix,
        choice,
    ] {
        let said = check(&text);
        assert!(said.is_read, "{}", said.drawn);
        assert!(said.errors.is_empty(), "{}", said.drawn);
    }
}

#[test]
fn types_that_are_too_deep_are_reported() {
    let text = nested("<", "1", ">", DEPTH);
    let said = check(&text);
    assert!(said.is_read, "{}", said.drawn);
    let mut chain = String::from("x0 = 1\n");
    for i in 1..2000 {
        chain += &format!("x{i} = <x{}>\n", i - 1);
    }
    let said = check(&chain);
    assert!(said.errors.len() <= 1, "{}", said.drawn);
    let mut inside = String::from("f(x0) = let\n");
    for i in 1..2000 {
        inside += &format!("  x{i} = <x{}>\n", i - 1);
    }
    inside += "within x1999\ny = f(1)\nz = f(2) == f(3)\n";
    let said = check(&inside);
    assert_eq!(said.errors.len(), 1, "{}", said.drawn);
    assert!(said.errors[0].contains("too large"), "{}", said.drawn);
}

#[test]
fn types_of_exponential_size_are_reported() {
    let mut text = String::from("f0(x) = (x, x)\n");
    for i in 1..60 {
        text += &format!("f{i}(x) = f{}(f{}(x))\n", i - 1, i - 1);
    }
    let said = check(&text);
    assert!(
        said.errors.iter().all(|e| e.contains("too large")),
        "{}",
        said.drawn
    );
    assert!(!said.errors.is_empty());
    let mut text = String::from("x0(y) = y\n");
    for i in 1..40 {
        text += &format!("x{i}(y) = (x{}(y), x{}(y))\n", i - 1, i - 1);
    }
    text += "z = x39(1) == x39(2)\n";
    let said = check(&text);
    assert!(
        said.errors.iter().all(|e| e.contains("too large")),
        "{}",
        said.drawn
    );
}

#[test]
fn long_chains_of_definitions_are_checked() {
    let mut text = String::new();
    for i in 0..6_000 {
        text += &format!("x{i} = x{} + 1\n", i + 1);
    }
    text += "x6000 = 1\n";
    let said = check(&text);
    assert!(said.errors.is_empty(), "{}", said.drawn);
    let ring = text.replace("x6000 = 1", "x6000 = x0");
    let said = check(&ring);
    assert!(said.errors.is_empty(), "{}", said.drawn);
}
