//! Scripts with tokens lost, doubled, swapped and replaced: an answer, never a panic.

use super::check_with;
use crate::corpus::{include, scripts};

const OWN: &[&str] = &[
    "datatype T = A | B.{0..1}.T\nsubtype S = A | B.{0}\nnametype N = {0..3}\nchannel c, d : N.T\n\
     channel tock\nP(x) = c?y!A -> d.x!B.0.A -> P(y) [] STOP \\ {| c |}\n\
     f :: Set a => (a) -> {a}\nf(x) = {x}\nQ = ||| i : N @ P(i) [[ c.j <- d.j | j <- N ]]\n\
     assert Q [T= P(0)\nTimed(\\ _ @ 1) {\n  R = WAIT(1) ; R\n}\n",
    "module M(X, g)\n  y = g(X)\nexports\n  channel e : X\n  datatype D = K.X\n  module N(z)\n  \
     exports\n    w = (z, y)\n  endmodule\nendmodule\ninstance I = M({0}, card)\n\
     instance J = I::N(<1>)\nv = (J::w, I::K.0, {| I::e |}, let (a, <b>^_) = J::w within a)\n",
    "f(x.y) = x\ng(<>) = 0\ng(<x>^xs) = x + g(xs)\nh = \\ a, b @ (| a => b |)\n\
     k(b) = if b then productions(c) else {}\nchannel c : Bool.Int\n\
     P = [] x : {0, 1} @ c?y.x -> P\n",
];

/// The text in pieces that are names, numbers or marks.
fn pieces(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for c in text.chars() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        match all.last_mut() {
            Some(last) if is_word(c) && last.chars().all(is_word) => last.push(c),
            _ => all.push(c.to_string()),
        }
    }
    all
}

fn spoil(pieces: &[String], random: &mut fastrand::Rng) -> String {
    let mut all = pieces.to_vec();
    for _ in 0..random.usize(1..4) {
        let (i, j) = (random.usize(0..all.len()), random.usize(0..all.len()));
        match random.u8(0..4) {
            0 => drop(all.remove(i)),
            1 => all.insert(i, all[j].clone()),
            2 => all.swap(i, j),
            _ => all[i] = all[j].clone(),
        }
        if all.is_empty() {
            break;
        }
    }
    all.concat()
}

#[test]
fn spoilt_scripts_are_answered() {
    let mut texts: Vec<(String, String, u64)> = Vec::new();
    for text in OWN {
        texts.push(("own".into(), (*text).into(), 400));
    }
    for found in scripts().unwrap_or_default() {
        if found.text.len() < 4000 {
            texts.push((found.name, found.text, 12));
        }
    }
    let (mut n_read, mut n_bad) = (0, 0);
    for (name, text, n_seeds) in &texts {
        let pieces = pieces(text);
        if pieces.is_empty() {
            continue;
        }
        for seed in 0..*n_seeds {
            let mut random = fastrand::Rng::with_seed(seed);
            let spoilt = spoil(&pieces, &mut random);
            let mut include = |asked: &str| include(name, asked);
            let said = check_with(name, &spoilt, &mut include);
            n_read += usize::from(said.is_read);
            n_bad += usize::from(said.is_read && !said.errors.is_empty());
            let words = "cannot be found";
            let is_ours = said.errors.iter().any(|error| error.ends_with(words));
            assert!(!is_ours, "{name}, seed {seed}: {}\n{spoilt}", said.drawn);
            if said.is_read {
                let agree = said.typed.is_some() == said.errors.is_empty();
                assert!(agree, "{name}, seed {seed}:\n{spoilt}");
            }
        }
    }
    assert!(
        n_read > 100 && n_bad > 50,
        "{n_read} read, {n_bad} of them bad"
    );
}
