//! Quantifiers over members inside of formulas of branching time.
//!
//! One without operators of time in it is an atom, which the language of the model reads. One that
//! has some is written out before the formula is read: `forall` becomes the conjunction over its
//! members, `exists` the disjunction. Each atom is then about one member, and what is searched
//! keeps the symmetries that keep each of them: the labels of subformulas in a quotient are right
//! only for those, even where the formula as a whole treats all members alike.
//!
//! In one place more is kept: a `forall` below `AG` and `AX` alone, as these say something of all
//! states that are reached, is moved to the front, where each member is a question of its own and
//! members that are alike share an answer.
//!
//! Worked examples: `EF (forall i in 0..1: AG p[i])` is `EF ((AG p[0]) && (AG p[1]))`, and
//! `AG (forall i: p[i] -> AF q[i])` is `forall i: AG (p[i] -> AF q[i])`.

use super::typed::is_word;
use std::ops::Range;

/// The most members that a quantifier is written out for.
const MEMBERS_MAX: i64 = 64;
/// The longest formula, written out.
const BYTES_MAX: usize = 100_000;

/// What is wrong with a quantifier, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mistake {
    /// The piece of the text.
    pub at: Range<usize>,
    /// What is wrong.
    pub message: String,
}

/// A quantifier with operators of time in it.
struct Quantified<'t> {
    /// Whether all members are meant, and not some.
    all: bool,
    name: &'t str,
    /// The numbers, if the text says them.
    range: Option<(i64, i64)>,
    /// What is said of each.
    body: Range<usize>,
    /// The quantifier with its formula.
    whole: Range<usize>,
}

/// The formula without quantifiers that have operators of time in them, but for one in front.
pub fn written_out(text: &str) -> Result<String, Mistake> {
    let moved = to_the_front(text);
    let text = moved.as_deref().unwrap_or(text);
    let trimmed = text.len() - text.trim_start().len();
    // What stands in front is answered member by member.
    let from = match head(text, trimmed) {
        Some(head) => head.body.start,
        None => 0,
    };
    let rest = expanded(&text[from..]).map_err(|mistake| Mistake {
        at: mistake.at.start + from..mistake.at.end + from,
        ..mistake
    })?;
    Ok(format!("{}{rest}", &text[..from]))
}

/// The formula with a `forall` in front that stood below `AG` and `AX` alone.
fn to_the_front(text: &str) -> Option<String> {
    let mut operators = String::new();
    let mut rest = text.trim();
    loop {
        if let Some(head) = head(rest, 0).filter(|head| head.all) {
            let is_last = head.whole.end == rest.len() && !operators.is_empty();
            let (quantifier, body) = (&rest[..head.body.start], &rest[head.body.clone()]);
            return (is_last && has_time(body))
                .then(|| format!("{quantifier} {operators}({})", body.trim()));
        }
        let next = rest.strip_prefix("AG").or_else(|| rest.strip_prefix("AX"));
        if let Some(next) = next.filter(|next| next.starts_with([' ', '('])) {
            operators += &format!("{} ", &rest[..2]);
            rest = next.trim_start();
        } else if rest.starts_with('(') && end(rest, 1) == rest.len() - 1 {
            rest = rest[1..rest.len() - 1].trim();
        } else {
            return None;
        }
    }
}

/// The text with all quantifiers written out that have operators of time in them.
fn expanded(text: &str) -> Result<String, Mistake> {
    let mut out = String::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let n = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
        if n == 0 {
            let n = rest.chars().next().map_or(1, char::len_utf8);
            out.push_str(&rest[..n]);
            at += n;
            continue;
        }
        let quantified = head(text, at).filter(|q| has_time(&text[q.body.clone()]));
        let Some(quantified) = quantified else {
            out.push_str(&rest[..n]);
            at += n;
            continue;
        };
        let mistake = |message: String| Mistake {
            at: quantified.whole.start..quantified.body.start,
            message,
        };
        let Some((first, last)) = quantified.range else {
            let name = base::quote(quantified.name);
            let message = format!("{name} needs a range here: `{} in 0..4:`", quantified.name);
            return Err(mistake(message));
        };
        if last < first || last - first >= MEMBERS_MAX {
            return Err(mistake(format!("1 to {MEMBERS_MAX} members are expected")));
        }
        let joint = if quantified.all { " && " } else { " || " };
        let mut parts = Vec::new();
        for value in first..=last {
            let body = replaced(&text[quantified.body.clone()], quantified.name, value);
            parts.push(format!("({})", expanded(&body)?.trim()));
        }
        out += &format!("({})", parts.join(joint));
        if out.len() > BYTES_MAX {
            return Err(mistake("the formula is too long, written out".to_owned()));
        }
        at = quantified.whole.end;
    }
    Ok(out)
}

/// The quantifier that begins at `at`, where a word does.
fn head(text: &str, at: usize) -> Option<Quantified<'_>> {
    let all = text[at..].starts_with("forall");
    let rest = text[at..].strip_prefix(if all { "forall" } else { "exists" })?;
    let rest = rest.strip_prefix(char::is_whitespace)?.trim_start();
    let n = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
    let (name, rest) = rest.split_at(n);
    let (range, after) = rest.split_once(':')?;
    let range = range.trim();
    let numbers = range.strip_prefix("in").and_then(|numbers| {
        let (first, last) = numbers.split_once("..")?;
        Some((first.trim().parse().ok()?, last.trim().parse().ok()?))
    });
    if name.is_empty() || !(range.is_empty() || range.starts_with("in")) {
        return None;
    }
    let start = text.len() - after.len();
    let end = end(text, start);
    Some(Quantified {
        all,
        name,
        range: numbers,
        body: start..end,
        whole: at..end,
    })
}

/// Where what begins at `from` ends: before what closes around it.
fn end(text: &str, from: usize) -> usize {
    let mut n_open = 0_usize;
    for (at, c) in text.char_indices().filter(|(at, _)| *at >= from) {
        match c {
            '(' | '[' | '{' => n_open += 1,
            ')' | ']' | '}' if n_open == 0 => return at,
            ')' | ']' | '}' => n_open -= 1,
            _ => {}
        }
    }
    text.len()
}

/// Whether a text has operators of branching time in it.
fn has_time(text: &str) -> bool {
    if text.contains("-->") {
        return true;
    }
    let mut at = 0;
    while let Some(start) = text[at..].find(is_word).map(|n| n + at) {
        let n = text[start..].find(|c: char| !is_word(c));
        let end_of_word = n.map_or(text.len(), |n| n + start);
        let after = text[end_of_word..].trim_start();
        let is_time = match &text[start..end_of_word] {
            "AX" | "AF" | "AG" | "EX" | "EF" | "EG" => true,
            "AY" | "AO" | "AH" | "EY" | "EO" | "EH" => true,
            "mu" | "nu" => is_bound(after),
            "A" | "E" => after.starts_with("<>") || joins(after),
            _ => false,
        };
        if is_time {
            return true;
        }
        at = end_of_word;
    }
    false
}

/// Whether brackets stand here around `U` and the like, or nothing.
fn joins(text: &str) -> bool {
    if !text.starts_with(['[', '(']) {
        return false;
    }
    let inside = &text[1..end(text, 1)];
    let mut words = inside.split(|c: char| !is_word(c));
    let operators = ["U", "W", "R", "V", "since", "X", "F", "G"];
    let is_about_runs = words.any(|word| operators.contains(&word));
    inside.trim().is_empty() || is_about_runs || inside.contains("<>") || inside.contains("[]")
}

/// Whether a name and a dot stand here.
fn is_bound(text: &str) -> bool {
    let n = text.find(|c: char| !is_word(c)).unwrap_or(text.len());
    n > 0 && text[n..].trim_start().starts_with('.')
}

/// The text with a number in the place of a name; but not where it names a field or a label.
fn replaced(text: &str, name: &str, value: i64) -> String {
    let mut out = String::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let is_here = |c: char| is_word(c);
        let n = match rest.find(|c: char| !is_here(c)) {
            Some(0) => rest.chars().next().map_or(1, char::len_utf8),
            Some(n) => n,
            None => rest.len(),
        };
        let before = text[..at].trim_end().chars().next_back();
        if &rest[..n] == name && !matches!(before, Some('.' | '@')) {
            out += &value.to_string();
        } else {
            out.push_str(&rest[..n]);
        }
        at += n;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantifiers_with_time_in_them_are_written_out() {
        let cases = [
            (
                "EF (forall i in 0..1: AG p[i])",
                "EF (((AG p[0]) && (AG p[1])))",
            ),
            (
                "(exists i in 1..2: EX p[i]) && q",
                "(((EX p[1]) || (EX p[2]))) && q",
            ),
            ("AG (exists i: p[i])", "AG (exists i: p[i])"),
            (
                "AG forall i: p[i] -> AF q[i]",
                "forall i: AG (p[i] -> AF q[i])",
            ),
            (
                "AG (AX (forall i in 0..2: EF i.i@i == i))",
                "forall i in 0..2: AG AX (EF i.i@i == i)",
            ),
            (
                "forall k: EF (exists i in 0..1: AG p[i] == p[k])",
                "forall k: EF (((AG p[0] == p[k]) || (AG p[1] == p[k])))",
            ),
            (
                "EF (forall i in 0..1: exists j in 0..1: A[p[i] U i.j])",
                "EF (((((A[p[0] U 0.j]) || (A[p[0] U 0.j]))) && \
                 (((A[p[1] U 1.j]) || (A[p[1] U 1.j])))))",
            ),
            (
                "EF (forall i in 0..1: A[i]@l)",
                "EF (forall i in 0..1: A[i]@l)",
            ),
        ];
        for (text, wanted) in cases {
            assert_eq!(written_out(text).as_deref(), Ok(wanted), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_written_out_is_said_with_its_place() {
        let text = "EF (forall i: AG p[i])";
        let mistake = written_out(text).expect_err("no range");
        assert_eq!(&text[mistake.at], "forall i:");
        assert!(written_out("EF (forall i in 3..2: AG p[i])").is_err());
        assert!(written_out("EF (forall i in 0..99: AG p[i])").is_err());
    }
}
