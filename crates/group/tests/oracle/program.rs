//! When a program of others is run, and how.

use std::io::Write;
use std::process::{Command, Stdio};

/// A program on the search path and the Debian package it comes in.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    pub name: &'static str,
    pub package: &'static str,
}

pub const GAP: Program = Program {
    name: "gap",
    package: "gap-core",
};

pub const DREADNAUT: Program = Program {
    name: "dreadnaut",
    package: "nauty",
};

pub const BLISS: Program = Program {
    name: "bliss",
    package: "bliss",
};

#[derive(Debug, PartialEq, Eq)]
enum Decision {
    Run,
    Skip(String),
    Fail(String),
}

impl Program {
    /// The first seed of `test` if it shall run; otherwise says why it does not. Fails if the
    /// program is demanded and missing.
    pub fn seed_of(self, test: &str) -> Option<u64> {
        let is_demanded = std::env::var("ORBIT_ORACLES").is_ok_and(|v| v == "1");
        match self.decide(is_demanded) {
            Decision::Run => {
                let text = std::env::var("ORBIT_ORACLE_SEED").unwrap_or_else(|_| "0".to_owned());
                let seed = text.parse().expect("ORBIT_ORACLE_SEED is a number");
                say(&format!("{test}: compares with {}, seed {seed}", self.name));
                Some(seed)
            }
            Decision::Skip(why) => {
                say(&format!("{test}: skipped: {why}"));
                None
            }
            Decision::Fail(why) => panic!("{test}: {why}"),
        }
    }

    fn decide(self, is_demanded: bool) -> Decision {
        let Program { name, package } = self;
        match (is_demanded, self.is_found()) {
            (true, true) => Decision::Run,
            (true, false) => Decision::Fail(format!(
                "ORBIT_ORACLES=1 is set, but `{name}` is not found: install the package {package}"
            )),
            (false, true) => Decision::Skip(format!("set ORBIT_ORACLES=1 to compare with {name}")),
            (false, false) => Decision::Skip(format!(
                "install the package {package} and set ORBIT_ORACLES=1 to compare with {name}"
            )),
        }
    }

    fn is_found(self) -> bool {
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path).any(|folder| folder.join(self.name).is_file())
    }

    /// What the program prints, both streams, when `input` is its standard input.
    pub fn output(self, arguments: &[&str], input: &str) -> String {
        let mut child = Command::new(self.name)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|e| panic!("{} does not start: {e}", self.name));
        let mut stdin = child.stdin.take().expect("a pipe");
        // Both pipes are bounded: who writes all before reading may wait for ever.
        let output = std::thread::scope(|scope| {
            scope.spawn(move || {
                // A program that stops early leaves questions unanswered, and that is a difference.
                let _ = stdin.write_all(input.as_bytes());
            });
            child.wait_with_output()
        });
        let output = output.unwrap_or_else(|e| panic!("{} was lost: {e}", self.name));
        let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.push_str(&String::from_utf8_lossy(&output.stderr));
        text
    }
}

/// Writes a line to standard error, past the capturing of output by the test runner: a test that
/// was skipped must not look like one that passed.
pub fn say(line: &str) {
    writeln!(std::io::stderr(), "{line}").expect("standard error is open");
}

/// Answers marked by lines `@number`, in order of the numbers `0..n`; each is all that follows up
/// to the next mark.
pub fn marked_answers(output: &str, n: usize) -> Vec<Option<String>> {
    let mut answers: Vec<Option<String>> = vec![None; n];
    for part in output.split("\n@").skip(1) {
        let digits = part.chars().take_while(char::is_ascii_digit).count();
        if let Ok(i) = part[..digits].parse::<usize>() {
            assert!(i < n, "an answer to a question that was not put: {part}");
            answers[i] = Some(part[digits..].trim().to_owned());
        }
    }
    answers
}

const MISSING: Program = Program {
    name: "a-program-that-nobody-has",
    package: "some-package",
};

#[test]
fn a_missing_program_that_is_demanded_fails_and_names_its_package() {
    let Decision::Fail(why) = MISSING.decide(true) else {
        panic!("it was not noticed that a program is missing");
    };
    assert!(why.ends_with("install the package some-package"), "{why}");
}

#[test]
fn a_skipped_test_says_why() {
    let Decision::Skip(why) = MISSING.decide(false) else {
        panic!("nobody asked for this program");
    };
    assert!(why.contains("ORBIT_ORACLES=1"), "{why}");
}

#[test]
fn answers_are_told_apart_and_missing_ones_noticed() {
    let output = "noise\n@0 [ 1,\n 2 ]\n@2 true\n";
    let answers = marked_answers(output, 3);
    let expected = [Some("[ 1,\n 2 ]".to_owned()), None, Some("true".to_owned())];
    assert_eq!(answers, expected);
}
