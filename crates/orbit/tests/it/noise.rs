//! Arbitrary input never makes a panic: the exit code is 0, 1 or 2, and an error has a message.

use crate::command::run;

/// Bytes that look a little like the real thing.
fn noise(seed: u64, pieces: &[&[u8]]) -> Vec<u8> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut bytes = Vec::new();
    for _ in 0..rng.usize(0..40) {
        match rng.u8(0..8) {
            0 => bytes.push(rng.u8(..)),
            _ => bytes.extend_from_slice(pieces[rng.usize(..pieces.len())]),
        }
    }
    bytes
}

#[track_caller]
fn assert_tame(line: &str, input: &[u8], seed: u64) {
    let (code, out, err) = run(line, input);
    let shown = String::from_utf8_lossy(input);
    assert!(
        matches!(code, 0..=2),
        "seed {seed}: code {code} for {shown:?}\n{err}"
    );
    let explained = code != 2 || err.contains("error: ");
    assert!(
        explained,
        "seed {seed}: no message for {shown:?}\n{out}{err}"
    );
    assert!(
        !err.contains('\x1b'),
        "seed {seed}: an escape got through for {shown:?}"
    );
}

#[test]
fn generators_may_be_any_bytes() {
    let pieces: [&[u8]; 14] = [
        b"(",
        b")",
        b"(1 2)",
        b"(1 2 3)(4 5)",
        b" ",
        b",",
        b"7",
        b"0",
        b"-1",
        b"#",
        b"\n",
        b"\r\n",
        b"\t",
        "é".as_bytes(),
    ];
    for seed in 0..150 {
        assert_tame("group -", &noise(seed, &pieces), seed);
    }
}

#[test]
fn graphs_may_be_any_bytes() {
    let pieces: [&[u8]; 14] = [
        b"p edge 3 2\n",
        b"e 1 2\n",
        b"e 2 3\n",
        b"a 1 3 7\n",
        b"n 1 1\n",
        b"c \n",
        b"e",
        b" ",
        b"1",
        b"99999999999999999999",
        b"\n",
        b"\r",
        b"\x1b[31m",
        b"\0",
    ];
    for seed in 0..150 {
        let mut input = if seed % 2 == 0 {
            b"p edge 4 3\n".to_vec()
        } else {
            Vec::new()
        };
        input.extend(noise(seed, &pieces));
        assert_tame("graph -", &input, seed);
    }
}

#[test]
fn formulas_may_be_any_bytes() {
    let pieces: [&[u8]; 14] = [
        b"[] ",
        b"<> ",
        b" U ",
        b" && ",
        b" -> ",
        b"!",
        b"(",
        b")",
        b"p",
        b"q ",
        b"X",
        b"\"",
        b"(x == 1)",
        b"\x1b[31m",
    ];
    for seed in 0..150 {
        assert_tame("ltl -", &noise(seed, &pieces), seed);
    }
}
