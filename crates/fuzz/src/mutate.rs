//! Changes of a text: what hands and programs do to files, and what nobody would do.

use crate::seeds::{InputKind, Seed};
use fastrand::Rng;

/// Words that mean something to the languages, and numbers at the edges.
const WORDS: [&str; 74] = [
    "if",
    "fi",
    "do",
    "od",
    "::",
    "else",
    "->",
    "break",
    "goto",
    "atomic",
    "d_step",
    "unless",
    "timeout",
    "run",
    "skip",
    "assert",
    "printf",
    "chan",
    "byte",
    "bit",
    "int",
    "hidden",
    "mtype",
    "typedef",
    "inline",
    "proctype",
    "init",
    "never",
    "ltl",
    "active",
    "provided",
    "priority",
    "select",
    "for",
    "#define",
    "#include",
    "#if",
    "#endif",
    "MACHINE",
    "SETS",
    "VARIABLES",
    "INVARIANT",
    "INITIALISATION",
    "OPERATIONS",
    "PRE",
    "THEN",
    "ANY",
    "WHERE",
    "END",
    "CHOICE",
    "OR",
    "SELECT",
    "WHILE",
    "VARIANT",
    "POW",
    "NATURAL",
    "INTEGER",
    "{}",
    "|->",
    "+->",
    ":=",
    "channel",
    "datatype",
    "assert",
    "[T=",
    "[FD=",
    "|~|",
    "[]",
    "|||",
    "\\",
    "let",
    "within",
    "STOP",
    "SKIP",
];
const NUMBERS: [&str; 14] = [
    "0",
    "1",
    "-1",
    "2",
    "255",
    "256",
    "65536",
    "2147483647",
    "2147483648",
    "-2147483648",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "99999999999999999999999999999999999999",
];
const PAIRS: [(&str, &str); 6] = [
    ("(", ")"),
    ("{", "}"),
    ("[", "]"),
    ("if :: ", " fi"),
    ("do :: ", " od"),
    ("!", ""),
];

/// A text after one to five changes.
pub fn mutated(seed: &Seed, all: &[Seed], rng: &mut Rng) -> Vec<u8> {
    let mut text = seed.text.clone();
    for _ in 0..rng.usize(0..6) {
        change(&mut text, seed.kind, all, rng);
    }
    text
}

fn change(text: &mut Vec<u8>, kind: InputKind, all: &[Seed], rng: &mut Rng) {
    let at = rng.usize(0..=text.len());
    match rng.u8(0..16) {
        0 => {
            text.insert(at, rng.u8(..));
        }
        1 => {
            if let Some(byte) = text.get_mut(at) {
                *byte ^= 1 << rng.u8(0..8);
            }
        }
        2 => {
            let end = (at + rng.usize(0..40)).min(text.len());
            text.drain(at..end);
        }
        3 => {
            let end = (at + rng.usize(0..200)).min(text.len());
            let part = text[at..end].to_vec();
            put(text, at, &part);
        }
        4 => text.truncate(at),
        5 => put(
            text,
            at,
            format!(" {} ", WORDS[rng.usize(0..WORDS.len())]).as_bytes(),
        ),
        6 | 7 => replace_number(text, NUMBERS[rng.usize(0..NUMBERS.len())], rng),
        8 => splice(text, kind, all, rng),
        9 => nest(text, at, rng),
        10 => exchange_lines(text, rng),
        11 => replace_word(text, WORDS[rng.usize(0..WORDS.len())], rng),
        12 => put(text, 0, b"\xEF\xBB\xBF"),
        13 => *text = with_carriage_returns(text),
        14 => put(text, at, &[0xE9, b' ', 0xFC]),
        _ => copy_word(text, rng),
    }
}

fn put(text: &mut Vec<u8>, at: usize, part: &[u8]) {
    text.splice(at..at, part.iter().copied());
}

/// The places of words: runs of letters, digits and `_`.
fn words(text: &[u8], is_part: impl Fn(u8) -> bool) -> Vec<(usize, usize)> {
    let (mut all, mut from) = (Vec::new(), None);
    for (at, byte) in text.iter().chain([&b' ']).enumerate() {
        match (is_part(*byte), from) {
            (true, None) => from = Some(at),
            (false, Some(start)) => {
                all.push((start, at));
                from = None;
            }
            _ => {}
        }
    }
    all
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn replace_number(text: &mut Vec<u8>, number: &str, rng: &mut Rng) {
    let all = words(text, |byte| byte.is_ascii_digit());
    if let Some(&(from, to)) = rng.choice(&all) {
        text.splice(from..to, number.bytes());
    }
}

fn replace_word(text: &mut Vec<u8>, word: &str, rng: &mut Rng) {
    let all = words(text, is_word);
    if let Some(&(from, to)) = rng.choice(&all) {
        text.splice(from..to, word.bytes());
    }
}

/// A word of the text in the place of another.
fn copy_word(text: &mut Vec<u8>, rng: &mut Rng) {
    let all = words(text, is_word);
    if let (Some(&(a, b)), Some(&(from, to))) = (rng.choice(&all), rng.choice(&all)) {
        let word = text[a..b].to_vec();
        text.splice(from..to, word);
    }
}

/// Lines of another text of the kind.
fn splice(text: &mut Vec<u8>, kind: InputKind, all: &[Seed], rng: &mut Rng) {
    let others: Vec<&Seed> = all.iter().filter(|seed| seed.kind == kind).collect();
    let Some(other) = rng.choice(&others) else {
        return;
    };
    let lines: Vec<&[u8]> = other.text.split_inclusive(|byte| *byte == b'\n').collect();
    let from = rng.usize(0..lines.len().max(1));
    let part: Vec<u8> = lines
        .iter()
        .skip(from)
        .take(rng.usize(1..12))
        .copied()
        .flatten()
        .copied()
        .collect();
    let at = rng.usize(0..=text.len());
    put(text, at, &part);
}

/// Many brackets around what stands there, or many of one thing in a row.
fn nest(text: &mut Vec<u8>, at: usize, rng: &mut Rng) {
    let (open, close) = PAIRS[rng.usize(0..PAIRS.len())];
    let n = [3, 50, 1000, 30_000][rng.usize(0..4)];
    let end = (at + rng.usize(0..20)).min(text.len());
    put(text, end, close.repeat(n).as_bytes());
    put(text, at, open.repeat(n).as_bytes());
}

fn exchange_lines(text: &mut Vec<u8>, rng: &mut Rng) {
    let mut lines: Vec<Vec<u8>> = text
        .split_inclusive(|byte| *byte == b'\n')
        .map(<[u8]>::to_vec)
        .collect();
    if lines.len() > 1 {
        let (a, b) = (rng.usize(0..lines.len()), rng.usize(0..lines.len()));
        lines.swap(a, b);
        *text = lines.concat();
    }
}

fn with_carriage_returns(text: &[u8]) -> Vec<u8> {
    let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
    lines.join(&b"\r\n"[..])
}
