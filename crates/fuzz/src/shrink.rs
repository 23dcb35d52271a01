//! Makes a program smaller while something stays true of it.
//!
//! The text is cut into tokens; tokens are taken away in runs that are balanced in brackets and in
//! `if … fi`, `do … od`. First runs between the ends of statements, long ones first, then blocks
//! are replaced by what is in them, parentheses by a number, and last short runs of any tokens.
//! All is tried again until nothing more can go. Texts that are no programs are not kept apart:
//! whoever judges must say that these are not wanted.

/// A token, with the white space before it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Token {
    space: String,
    text: String,
}

/// The smallest text found for which `is_wanted` holds, beginning with one for which it does.
pub fn smaller(text: &str, n_tries_max: usize, is_wanted: &mut dyn FnMut(&str) -> bool) -> String {
    let mut shrinker = Shrinker {
        tokens: tokens(text),
        n_tries: n_tries_max,
        is_wanted,
    };
    loop {
        let before = shrinker.tokens.len();
        shrinker.drop_statements();
        shrinker.open_blocks();
        shrinker.drop_short_runs();
        if shrinker.tokens.len() == before || shrinker.n_tries == 0 {
            return joined(&shrinker.tokens);
        }
    }
}

struct Shrinker<'a> {
    tokens: Vec<Token>,
    n_tries: usize,
    is_wanted: &'a mut dyn FnMut(&str) -> bool,
}

impl Shrinker<'_> {
    /// Keeps fewer tokens if they are still wanted.
    fn keep(&mut self, fewer: Vec<Token>) -> bool {
        if self.n_tries == 0 || fewer == self.tokens {
            return false;
        }
        self.n_tries -= 1;
        let is_wanted = (self.is_wanted)(&joined(&fewer));
        if is_wanted {
            self.tokens = fewer;
        }
        is_wanted
    }

    /// Takes away a run of tokens, if it is balanced.
    fn without(&mut self, from: usize, to: usize) -> bool {
        if from >= to || to > self.tokens.len() || !is_balanced(&self.tokens[from..to]) {
            return false;
        }
        let mut fewer = self.tokens[..from].to_vec();
        fewer.extend_from_slice(&self.tokens[to..]);
        self.keep(fewer)
    }

    /// Takes away runs between the ends of statements and declarations.
    fn drop_statements(&mut self) {
        let mut n_parts = self.ends().len().next_power_of_two();
        while n_parts > 0 {
            let mut at = 0;
            loop {
                let ends = self.ends();
                let Some(&from) = ends.get(at) else { break };
                let to = ends.get(at + n_parts).copied();
                if !to.is_some_and(|to| self.without(from, to)) {
                    at += n_parts.div_ceil(2);
                }
            }
            n_parts /= 2;
        }
        // An option or process with all that is in it is one run, whatever ends within.
        let mut at = 0;
        while at < self.tokens.len() {
            let ends = self.ends().into_iter().filter(|end| *end > at);
            let candidates: Vec<usize> = ends.take(40).collect();
            let gone = candidates.iter().rev().any(|to| self.without(at, *to));
            at += usize::from(!gone);
        }
    }

    /// Where statements, options and declarations begin and end.
    fn ends(&self) -> Vec<usize> {
        let is_end = |t: &Token| [";", "->", "{", "}", "fi", "od"].contains(&t.text.as_str());
        let mut ends = vec![0];
        for (i, token) in self.tokens.iter().enumerate() {
            if is_end(token) || token.text.starts_with('#') {
                ends.push(i + 1);
            } else if ["::", "unless", "}", "fi", "od"].contains(&token.text.as_str()) {
                ends.push(i);
            }
        }
        ends.push(self.tokens.len());
        ends.sort_unstable();
        ends.dedup();
        ends
    }

    /// Replaces blocks by what is in them, and parentheses by a number.
    fn open_blocks(&mut self) {
        let mut at = 0;
        while at < self.tokens.len() {
            let Some(close) = closing(&self.tokens, at) else {
                at += 1;
                continue;
            };
            let is_smaller = self
                .opened(at, close)
                .into_iter()
                .any(|fewer| self.keep(fewer));
            at += usize::from(!is_smaller);
        }
    }

    /// What could stand in the place of a block or of something in parentheses.
    fn opened(&self, at: usize, close: usize) -> Vec<Vec<Token>> {
        let mut all = Vec::new();
        if self.tokens[at].text == "(" && close > at + 1 {
            for number in ["1", "0"] {
                let token = Token {
                    space: " ".to_owned(),
                    text: number.to_owned(),
                };
                all.push([&self.tokens[..at], &[token], &self.tokens[close + 1..]].concat());
            }
        }
        let inside = at + 1 + usize::from(["if", "do"].contains(&&*self.tokens[at].text));
        for from in [at.saturating_sub(1), at] {
            if inside <= close {
                let (before, after) = (&self.tokens[..from], &self.tokens[close + 1..]);
                all.push([before, &self.tokens[inside..close], after].concat());
            }
        }
        all
    }

    /// Takes away short runs of any tokens.
    fn drop_short_runs(&mut self) {
        for length in [8, 5, 4, 3, 2, 1] {
            let mut at = 0;
            while at < self.tokens.len() {
                if !self.without(at, at + length) {
                    at += 1;
                }
            }
        }
    }
}

/// What closes what a token opens.
fn closer(open: &str) -> Option<&'static str> {
    match open {
        "(" => Some(")"),
        "[" => Some("]"),
        "{" => Some("}"),
        "if" => Some("fi"),
        "do" => Some("od"),
        _ => None,
    }
}

fn is_balanced(tokens: &[Token]) -> bool {
    let mut open: Vec<&str> = Vec::new();
    for token in tokens {
        if let Some(close) = closer(&token.text) {
            open.push(close);
        } else if [")", "]", "}", "fi", "od"].contains(&token.text.as_str())
            && open.pop() != Some(&token.text)
        {
            return false;
        }
    }
    open.is_empty()
}

/// Where what opens at a place is closed.
fn closing(tokens: &[Token], at: usize) -> Option<usize> {
    closer(&tokens[at].text)?;
    (at + 1..tokens.len()).find(|to| is_balanced(&tokens[at..=*to]))
}

fn tokens(text: &str) -> Vec<Token> {
    let mut all = Vec::new();
    let mut rest = text;
    loop {
        let trimmed = rest.trim_start();
        let space = &rest[..rest.len() - trimmed.len()];
        let Some(first) = trimmed.chars().next() else {
            return all;
        };
        let length = match first {
            '#' => trimmed.find('\n').map_or(trimmed.len(), |end| end + 1),
            '"' => trimmed[1..].find('"').map_or(trimmed.len(), |end| end + 2),
            '/' if trimmed.starts_with("/*") => trimmed.find("*/").map_or(trimmed.len(), |e| e + 2),
            c if c.is_alphanumeric() || c == '_' => {
                let end = trimmed.find(|c: char| !c.is_alphanumeric() && c != '_');
                end.unwrap_or(trimmed.len())
            }
            _ => {
                let pairs = [
                    "::", "->", "..", "++", "--", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>",
                    "!!", "??", "[]", "<>",
                ];
                let is_pair = pairs.iter().any(|pair| trimmed.starts_with(pair));
                if is_pair { 2 } else { first.len_utf8() }
            }
        };
        let comment = trimmed.starts_with("/*");
        if !comment {
            all.push(Token {
                space: space.to_owned(),
                text: trimmed[..length].to_owned(),
            });
        }
        rest = &trimmed[length..];
    }
}

fn joined(tokens: &[Token]) -> String {
    let mut text = String::new();
    for token in tokens {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let touches = text.ends_with(is_word) && token.text.starts_with(is_word);
        match token.space.as_str() {
            _ if text.is_empty() || text.ends_with('\n') => {}
            "" if touches => text.push(' '),
            space => text.push_str(space),
        }
        if token.text.starts_with('#') && !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(&token.text);
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::{is_balanced, joined, smaller, tokens};
    use crate::promela::{Aim, program};

    #[test]
    fn tokens_make_the_text_again() {
        for seed in 0..50 {
            let text = program(seed, Aim::Cycles);
            assert_eq!(joined(&tokens(&text)).trim_end(), text.trim_end(), "{seed}");
        }
    }

    #[test]
    fn what_is_not_needed_goes() {
        let text = "byte x, y; active proctype P() { if :: x = 1; y = (2 + x) :: else -> atomic { \
                    x = 7; skip } fi; y = 3 }\nactive proctype Q() { x = 2 }";
        let mut is_wanted = |text: &str| text.contains("x = 7") && text.contains("proctype P");
        let small = smaller(text, 2000, &mut is_wanted);
        assert!(is_wanted(&small), "{small}");
        assert!(small.len() < 25, "{small}");
    }

    #[test]
    fn tries_are_counted() {
        let text = program(3, Aim::Run);
        let mut n = 0;
        let small = smaller(&text, 10, &mut |_| {
            n += 1;
            false
        });
        assert_eq!((n, small.trim_end()), (10, text.trim_end()));
    }

    #[test]
    fn brackets_and_words_are_balanced() {
        let is = |text: &str| is_balanced(&tokens(text));
        assert!(is("if :: (x) -> a[0] fi"));
        assert!(!is("if :: (x) -> a[0]"));
        assert!(!is("fi if"));
        assert!(!is("( ]"));
    }
}
