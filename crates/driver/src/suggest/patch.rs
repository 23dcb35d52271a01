//! Two texts as a unified diff.
//!
//! Changes that are proposed stay within their lines, so that a line of the one text stands where
//! it stood in the other. Where the numbers of lines differ after all, everything between the first
//! and the last difference is one piece.
//!
//! Worked example: `a`, `b`, `c` and `a`, `B`, `c` give `@@ -1,3 +1,3 @@` and the lines ` a`, `-b`,
//! `+B`, ` c`.

use std::fmt::Write;
use std::ops::Range;

/// How many lines are shown around a difference.
const N_AROUND: usize = 3;

/// The difference of two texts of a file; empty if there is none.
pub fn unified(name: &str, before: &str, after: &str) -> String {
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let new: Vec<&str> = after.split_inclusive('\n').collect();
    let changed = changed(&old, &new);
    let mut out = String::new();
    if changed.is_empty() {
        return out;
    }
    // A blank in a name would end it.
    let name = if name.contains(' ') {
        format!("{name}\t")
    } else {
        name.to_owned()
    };
    let _ = write!(out, "--- {name}\n+++ {name}\n");
    let mut hunk: Vec<Piece> = Vec::new();
    for piece in changed {
        if let Some(last) = hunk.last()
            && piece.old.start > last.old.end + 2 * N_AROUND
        {
            put(&hunk, (&old, &new), &mut out);
            hunk.clear();
        }
        hunk.push(piece);
    }
    put(&hunk, (&old, &new), &mut out);
    out
}

/// Lines of the one text in the place of lines of the other.
struct Piece {
    old: Range<usize>,
    new: Range<usize>,
}

fn changed(old: &[&str], new: &[&str]) -> Vec<Piece> {
    if old.len() == new.len() {
        let mut all: Vec<Piece> = Vec::new();
        for n in (0..old.len()).filter(|n| old[*n] != new[*n]) {
            match all.last_mut().filter(|last| last.old.end == n) {
                Some(last) => (last.old.end, last.new.end) = (n + 1, n + 1),
                None => all.push(Piece {
                    old: n..n + 1,
                    new: n..n + 1,
                }),
            }
        }
        return all;
    }
    let n_first = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let rest = old[n_first..].iter().rev().zip(new[n_first..].iter().rev());
    let n_last = rest.take_while(|(a, b)| a == b).count();
    vec![Piece {
        old: n_first..old.len() - n_last,
        new: n_first..new.len() - n_last,
    }]
}

/// Pieces that are near each other, with the lines around them.
fn put(pieces: &[Piece], (old, new): (&[&str], &[&str]), out: &mut String) {
    let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else {
        return;
    };
    let n_before = first.old.start.min(N_AROUND);
    let n_after = (old.len() - last.old.end).min(N_AROUND);
    let place = |from: usize, to: usize| {
        let (start, end) = (from - n_before, to + n_after);
        // A piece without lines is behind the line that it names.
        format!("{},{}", start + usize::from(end > start), end - start)
    };
    let (a, b) = (
        place(first.old.start, last.old.end),
        place(first.new.start, last.new.end),
    );
    let _ = writeln!(out, "@@ -{a} +{b} @@");
    let mut at = first.old.start - n_before;
    for piece in pieces {
        lines(' ', &old[at..piece.old.start], out);
        lines('-', &old[piece.old.clone()], out);
        lines('+', &new[piece.new.clone()], out);
        at = piece.old.end;
    }
    lines(' ', &old[at..last.old.end + n_after], out);
}

fn lines(sign: char, all: &[&str], out: &mut String) {
    for line in all {
        let _ = write!(out, "{sign}{line}");
        if !line.ends_with('\n') {
            out.push_str("\n\\ No newline at end of file\n");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text after a patch: what `patch` does, without its leniency.
    fn patched(before: &str, patch: &str) -> String {
        let old: Vec<&str> = before.split_inclusive('\n').collect();
        let (mut at, mut out) = (0, String::new());
        let mut rows = patch.split_inclusive('\n').skip(2).peekable();
        while let Some(row) = rows.next() {
            let bare = rows.peek().is_some_and(|next| next.starts_with('\\'));
            let line = row[1..].trim_end_matches(|c| bare && c == '\n');
            if let Some(head) = row.strip_prefix("@@ -") {
                let (start, rest) = head.split_once(',').expect("a start");
                let n: usize = rest
                    .split(' ')
                    .next()
                    .and_then(|n| n.parse().ok())
                    .expect("n");
                let start: usize = start.parse().expect("a number");
                let start = start - usize::from(n > 0);
                out.push_str(&old[at..start].concat());
                at = start;
            } else if row.starts_with('+') {
                out.push_str(line);
            } else if row.starts_with([' ', '-']) {
                assert_eq!(old[at], line, "{patch}");
                out.push_str(if row.starts_with(' ') { line } else { "" });
                at += 1;
            }
        }
        out + &old[at..].concat()
    }

    #[test]
    fn a_patch_makes_the_one_text_of_the_other() {
        let mut random = 1_u64;
        let mut next = |n: u64| {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (random >> 33) % n
        };
        for _ in 0..2000 {
            let n = next(30);
            let mut text =
                |n: u64| -> Vec<String> { (0..n).map(|_| format!("{}\n", next(4))).collect() };
            let old = text(n);
            let mut new = old.clone();
            for line in &mut new {
                if next(6) == 0 {
                    *line = "new\n".to_owned();
                }
            }
            if next(4) == 0 {
                new.insert(next(n + 1) as usize, "more\n".to_owned());
            }
            let (mut old, mut new) = (old.concat(), new.concat());
            if next(3) == 0 {
                old.pop();
                new.pop();
            }
            let patch = unified("x", &old, &new);
            assert_eq!(patched(&old, &patch), new, "{old:?}\n{patch}");
        }
    }
}
