//! What a comment of a model expects.
//!
//! `orbit: expect VERDICT [PROPERTY] [states=N] [FLAGS…]`, in a comment of any language, one a
//! line.
//! The verdict is `holds`, `violated`, `refused` for a model that is wrong, or `accepted` for a
//! text that is right and of which nothing is asked. The property is a
//! name or a kind as `orbit check` tells them. The flags are those of `orbit check` that write no
//! file. A model without such a line is expected to hold.

use base::{Diagnostic, Diagnostics, SourceId, Sources, Span, quote};
use std::ops::Range;

/// What is expected of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expectation {
    /// The line where that stands, from 1; 0 if it stands nowhere.
    pub line: usize,
    /// The verdict.
    pub verdict: Expected,
    /// Which property has it, by name or kind; all of them, or any of them, if none is named.
    pub property: Option<String>,
    /// How many states are stored.
    pub n_states: Option<u64>,
    /// What is typed besides.
    pub flags: Vec<String>,
}

/// A verdict that can be expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expected {
    /// Everything that is asked holds.
    Holds,
    /// Something is violated.
    Violated,
    /// The model is wrong, and that is said.
    Refused,
    /// The text is right; nothing else is asked.
    Accepted,
}

impl Expected {
    /// In one word.
    pub fn word(self) -> &'static str {
        match self {
            Expected::Holds => "holds",
            Expected::Violated => "violated",
            Expected::Refused => "refused",
            Expected::Accepted => "accepted",
        }
    }

    fn of(word: &str) -> Option<Expected> {
        let all = [
            Expected::Holds,
            Expected::Violated,
            Expected::Refused,
            Expected::Accepted,
        ];
        all.into_iter().find(|one| one.word() == word)
    }
}

impl Expectation {
    /// That of a model which says nothing.
    pub fn silent() -> Expectation {
        Expectation {
            line: 0,
            verdict: Expected::Holds,
            property: None,
            n_states: None,
            flags: Vec::new(),
        }
    }

    /// In words.
    pub fn words(&self) -> String {
        let property = self.property.as_ref();
        let property = property.map(|name| format!(" {name}"));
        let states = self.n_states.map(|n| format!(" states={n}"));
        let parts = [property, states].into_iter().flatten().collect::<String>();
        format!("{}{parts}", self.verdict.word())
    }
}

/// What a line begins with.
const MARK: &str = "orbit: expect";
/// How comments end.
const ENDS: [&str; 3] = ["*/", "-}", "*)"];
/// Flags that write files, open something, or change what is printed.
const REFUSED: [&str; 14] = [
    "--trail",
    "--html",
    "--json",
    "--output",
    "-o",
    "--diagram",
    "--checkpoint",
    "--resume",
    "--disk",
    "--progress",
    "--quiet",
    "--parse-only",
    "--help",
    "-h",
];

/// What a text expects, line by line; that it holds if it says nothing. Mistakes are `found`.
pub fn expectations(
    source: SourceId,
    sources: &Sources,
    found: &mut Diagnostics,
) -> Vec<Expectation> {
    let before = found.n_errors();
    let mut all = said(source, sources, found);
    if all.is_empty() && found.n_errors() == before {
        all.push(Expectation::silent());
    }
    all
}

/// The same, and nothing for a text that says nothing.
pub fn said(source: SourceId, sources: &Sources, found: &mut Diagnostics) -> Vec<Expectation> {
    let text = sources.get(source);
    let mut all = Vec::new();
    for (n, (range, line)) in text.lines().enumerate() {
        let Some(at) = line.find(MARK) else {
            continue;
        };
        let rest = &line[at + MARK.len()..];
        let end = ENDS.iter().filter_map(|end| rest.find(end)).min();
        let start = range.start + at + MARK.len();
        let place = Span::new(source, start..start + end.unwrap_or(rest.len()));
        all.extend(
            written(place, n + 1, sources)
                .map_err(|why| found.push(why))
                .ok(),
        );
    }
    all
}

/// The expectation that is written at a place, on that line.
pub fn written(place: Span, line: usize, sources: &Sources) -> Result<Expectation, Diagnostic> {
    of_text(sources.text(place), line, &|at| {
        let start = place.start as usize;
        Span::new(place.source, start + at.start..start + at.end)
    })
}

/// The expectation of a text that stands on a line; `place` says where a part of it stands.
pub fn of_text(
    text: &str,
    line: usize,
    place: &dyn Fn(Range<usize>) -> Span,
) -> Result<Expectation, Diagnostic> {
    expectation(line, &words(text))
        .map_err(|Mistake { at, message }| Diagnostic::error(place(at), message))
}

/// A word, and where it stands in its line.
struct Word {
    text: String,
    at: Range<usize>,
}

/// What is wrong with a line, and where.
struct Mistake {
    at: Range<usize>,
    message: String,
}

/// The words of a line; quotes keep some together.
fn words(line: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut word: Option<Word> = None;
    let mut quote = None;
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (Some(open), c) if open == c => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_with(|| Word::at(at));
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => {
                let word = word.get_or_insert_with(|| Word::at(at));
                word.text.push(c);
                word.at.end = at + c.len_utf8();
            }
        }
    }
    words.extend(word);
    words
}

impl Word {
    fn at(at: usize) -> Word {
        Word {
            text: String::new(),
            at: at..at + 1,
        }
    }
}

fn expectation(line: usize, words: &[Word]) -> Result<Expectation, Mistake> {
    let wrong = |word: &Word, message: String| Mistake {
        at: word.at.clone(),
        message,
    };
    let Some((first, rest)) = words.split_first() else {
        return Err(Mistake {
            at: 0..0,
            message: "`orbit: expect` needs a verdict: holds, violated, refused or accepted"
                .to_owned(),
        });
    };
    let verdict = Expected::of(&first.text).ok_or_else(|| {
        let word = quote(&first.text);
        let message = format!("{word} is no verdict: write holds, violated, refused or accepted");
        wrong(first, message)
    })?;
    let mut expectation = Expectation {
        line,
        verdict,
        ..Expectation::silent()
    };
    let n_own = rest
        .iter()
        .take_while(|word| !word.text.starts_with('-'))
        .count();
    let (own, flags) = rest.split_at(n_own);
    for word in own {
        if let Some(number) = word.text.strip_prefix("states=") {
            let number = number
                .parse()
                .map_err(|_| wrong(word, format!("{} is no number of states", quote(number))))?;
            expectation.n_states = Some(number);
        } else if expectation.property.is_none() {
            expectation.property = Some(word.text.clone());
        } else {
            let message = format!("{} is a second property; one is named", quote(&word.text));
            return Err(wrong(word, message));
        }
    }
    for word in flags {
        let name = word.text.split('=').next().unwrap_or("");
        if REFUSED.contains(&name) {
            let message = format!("{} is no flag for an expectation", quote(name));
            return Err(wrong(word, message));
        }
        expectation.flags.push(word.text.clone());
    }
    Ok(expectation)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<Expectation>, Vec<String>) {
        let (mut sources, mut found) = (Sources::new(), Diagnostics::new());
        let source = sources.add("m.pml", text);
        let all = expectations(source, &sources, &mut found);
        let messages = found.sorted().iter().map(|d| d.message.clone()).collect();
        (all, messages)
    }

    #[test]
    fn a_text_that_says_nothing_is_expected_to_hold() {
        assert_eq!(read("init { skip }"), (vec![Expectation::silent()], vec![]));
    }

    #[test]
    fn each_line_is_an_expectation_in_the_comments_of_every_language() {
        let text = "/* orbit: expect violated assertions -D N=3 --ltl '[] p' */\n\
                    // orbit: expect holds states=12\n\
                    -- orbit: expect refused\n\
                    {- orbit: expect violated 'P [T= Q' -p 2 -} x";
        let (all, wrong) = read(text);
        assert_eq!(wrong, Vec::<String>::new());
        let words: Vec<String> = all.iter().map(Expectation::words).collect();
        let expected = [
            "violated assertions",
            "holds states=12",
            "refused",
            "violated P [T= Q",
        ];
        assert_eq!(words, expected);
        assert_eq!(all[0].flags, ["-D", "N=3", "--ltl", "[] p"]);
        assert_eq!(all[3].flags, ["-p", "2"]);
        assert_eq!(all[3].line, 4);
    }

    #[test]
    fn mistakes_are_told_and_leave_no_expectation() {
        for (line, part) in [
            ("orbit: expect", "needs a verdict"),
            ("orbit: expect maybe", "is no verdict"),
            ("orbit: expect holds states=x", "is no number"),
            ("orbit: expect violated a b", "is a second property"),
            (
                "orbit: expect holds --trail=x",
                "is no flag for an expectation",
            ),
            (
                "orbit: expect holds --html x",
                "is no flag for an expectation",
            ),
        ] {
            let (all, wrong) = read(line);
            assert!(all.is_empty(), "{line}");
            assert!(
                wrong.len() == 1 && wrong[0].contains(part),
                "{line}: {wrong:?}"
            );
        }
    }
}
