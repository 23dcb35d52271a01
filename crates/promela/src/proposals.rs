//! Changes of a text that may give its model more symmetry.
//!
//! They are made on the text as it is written, before macros and inlines: what is proposed must be
//! a change of the file. So the text is read anew, only as deeply as statements nest ([`bodies`]),
//! and a proposal that does not fit what the text means is found out when it is tried.
//!
//! Three kinds are known. A loop or a row of statements is put inside `atomic`, so that no other
//! process moves in the middle and their order does not matter. A number that is a member of a sort
//! and means "none" gives way to one that is no member ([`values`]). A process that ends stays at a
//! last `end: false`.
//!
//! Worked example: `i = 0; do :: i < N -> a[i] = 0; i++ :: else -> break od` with a line of the
//! loop. The loop is the innermost around the line, it has a `break`, and the assignment before it
//! is to a variable of the loop; so `atomic {` goes before `i = 0`, and `}` behind `od`.

mod bodies;
mod values;

use crate::lex::lex;
use crate::token::Token;
use base::{SourceId, Sources};
use bodies::{Bodies, Kind, Process, Statement};
use model::proposal::{Edit, Proposal, ProposalKind};
use std::ops::RangeInclusive;

/// What others see of a block in which they do not move.
const UNSEEN: &str = "no other process moves in the middle of it any more";
/// What others see of processes that are made together.
const TOGETHER: &str = "no process moves before all are made";
/// What it means that a process stays.
const STAYS: &str = "its number is not given to another process, and who waits for its end waits \
                     for ever";

/// Changes near these lines of the text; 0 is no line.
pub fn proposals(text: &str, lines: &[u32]) -> Vec<Proposal> {
    let text = Text::new(text);
    let bodies = Bodies::of(&text.tokens);
    let mut near = Near {
        text: &text,
        all: Vec::new(),
    };
    for line in lines {
        for process in &bodies.processes {
            near.of_maker(process, *line);
            near.of_list(&process.body, *line);
        }
        near.all.extend(values::proposals(&text, *line));
    }
    for process in &bodies.processes {
        near.stays(process);
    }
    let mut all: Vec<Proposal> = Vec::new();
    for one in near.all {
        if !all.iter().any(|other| other.edits == one.edits) {
            all.push(one);
        }
    }
    all
}

/// A text as tokens, and its lines.
struct Text {
    sources: Sources,
    source: SourceId,
    /// Those of directives left out.
    tokens: Vec<Token>,
    /// Those of directives.
    directives: Vec<Token>,
}

impl Text {
    fn new(text: &str) -> Text {
        let mut sources = Sources::new();
        let source = sources.add("", text);
        let mut in_directive = false;
        let (directives, tokens) = lex(source, text).into_iter().partition(|token| {
            if token.starts_line {
                in_directive = token.is("#");
            }
            in_directive
        });
        Text {
            sources,
            source,
            tokens,
            directives,
        }
    }

    /// The line of a byte.
    fn line_at(&self, at: usize) -> u32 {
        let source = self.sources.get(self.source);
        u32::try_from(source.position(at).line).unwrap_or(0)
    }

    /// The line of a token.
    fn line(&self, token: usize) -> u32 {
        self.line_at(self.tokens[token].place.span.range().start)
    }

    /// Whether tokens have something in a line.
    fn covers(&self, tokens: &RangeInclusive<usize>, line: u32) -> bool {
        (self.line(*tokens.start())..=self.line(*tokens.end())).contains(&line)
    }

    fn is_name(&self, token: usize, name: &str) -> bool {
        self.tokens.get(token).is_some_and(|t| t.is_name(name))
    }

    fn is(&self, token: usize, mark: &str) -> bool {
        self.tokens.get(token).is_some_and(|t| t.is(mark))
    }

    /// These tokens inside `atomic`.
    fn undivided(&self, tokens: &RangeInclusive<usize>) -> Vec<Edit> {
        let start = self.tokens[*tokens.start()].place.span.range().start;
        let end = self.tokens[*tokens.end()].place.span.range().end;
        vec![Edit::insert(start, "atomic { "), Edit::insert(end, " }")]
    }
}

/// What is proposed so far.
struct Near<'t> {
    text: &'t Text,
    all: Vec<Proposal>,
}

impl Near<'_> {
    fn put(&mut self, tokens: &RangeInclusive<usize>, words: &str, judge: &'static str) {
        // What may be left at any time cannot be moved as a whole.
        if self.text.is_name(tokens.end() + 1, "unless") {
            return;
        }
        self.all.push(Proposal {
            kind: ProposalKind::Undivided,
            subject: String::new(),
            words: words.to_owned(),
            judge,
            line: self.text.line(*tokens.start()),
            edits: self.text.undivided(tokens),
        });
    }

    /// Statements of a list that have something in this line; whether a loop was among them.
    fn of_list(&mut self, list: &[Statement], line: u32) -> bool {
        let mut has_loop = false;
        for (k, statement) in list.iter().enumerate() {
            if !self.text.covers(&statement.tokens, line) || statement.kind == Kind::Undivided {
                continue;
            }
            for inner in &statement.lists {
                has_loop |= self.of_list(inner, line);
            }
            match statement.kind {
                Kind::Loop if !has_loop => {
                    self.of_loop(list, k);
                    has_loop = true;
                }
                Kind::Assignment => {
                    let rest = list[k..].iter();
                    let n = rest.take_while(|s| s.kind == Kind::Assignment).count();
                    if list.get(k + n).is_some_and(|s| s.kind == Kind::Loop) {
                        self.of_loop(list, k + n);
                    }
                    self.of_row(list, k);
                }
                Kind::Select => {
                    let words = "put the choice inside atomic";
                    self.put(&statement.tokens, words, UNSEEN);
                }
                Kind::Run => self.of_row(list, k),
                _ => {}
            }
        }
        has_loop
    }

    /// A loop that ends, with the assignment before it to a variable of it.
    fn of_loop(&mut self, list: &[Statement], k: usize) {
        let statement = &list[k];
        if !statement.ends {
            return;
        }
        let (first, last) = (*statement.tokens.start(), *statement.tokens.end());
        let tokens = &self.text.tokens;
        let starts = k
            .checked_sub(1)
            .map(|before| &list[before])
            .filter(|before| {
                let name = tokens[*before.tokens.start()].name();
                before.kind == Kind::Assignment
                    && name.is_some_and(|name| tokens[first..=last].iter().any(|t| t.is_name(name)))
            });
        let first = starts.map_or(first, |before| *before.tokens.start());
        self.put(&(first..=last), "put the loop inside atomic", UNSEEN);
    }

    /// The simple statements around one of them, if it has such neighbours.
    fn of_row(&mut self, list: &[Statement], k: usize) {
        let is_simple = |s: &&Statement| matches!(s.kind, Kind::Assignment | Kind::Run);
        let n_before = list[..k].iter().rev().take_while(is_simple).count();
        let n_after = list[k + 1..].iter().take_while(is_simple).count();
        if n_before + n_after > 0 {
            let first = *list[k - n_before].tokens.start();
            let last = *list[k + n_after].tokens.end();
            let words = "put the row of statements inside atomic";
            self.put(&(first..=last), words, UNSEEN);
        }
    }

    /// Everything from the first `run` of a process to its last, if the line is among it.
    fn of_maker(&mut self, process: &Process, line: u32) {
        let makes = |s: &Statement| {
            let mut tokens = self.text.tokens[s.tokens.clone()].iter();
            tokens.any(|t| t.is_name("run"))
        };
        let list = &process.body;
        let (Some(first), Some(last)) = (list.iter().position(makes), list.iter().rposition(makes))
        else {
            return;
        };
        let is_one_block = first == last && list[first].kind == Kind::Undivided;
        let before = list[..first].iter().rev();
        let n = before.take_while(|s| s.kind == Kind::Assignment).count();
        let tokens = *list[first - n].tokens.start()..=*list[last].tokens.end();
        if !is_one_block && self.text.covers(&tokens, line) {
            self.put(&tokens, "make all processes in one atomic block", TOGETHER);
        }
    }

    /// A process type that ends stays in its last state.
    fn stays(&mut self, process: &Process) {
        let (Some(name), Some(last)) = (&process.name, process.body.last()) else {
            return;
        };
        let tokens = &self.text.tokens[process.tokens.clone()];
        let goes_on = last.kind == Kind::Loop && !last.ends;
        if goes_on || tokens.iter().any(|t| t.is_name(LAST)) {
            return;
        }
        let end = self.text.tokens[*last.tokens.end()].place.span.range().end;
        self.all.push(Proposal {
            kind: ProposalKind::Stays,
            subject: name.to_string(),
            words: format!("let {name} stay where it ends"),
            judge: STAYS,
            line: self.text.line_at(end),
            edits: vec![Edit::insert(end, format!("; {LAST}: false"))],
        });
    }
}

/// The label of a last state in which a process may stay.
const LAST: &str = "end_stays";

#[cfg(test)]
mod tests {
    use super::*;
    use model::proposal::edited;

    const MODEL: &str = "\
#define NONE 0
byte owner = NONE, a[3];
inline clear(x) { i = 0; do :: i < x -> a[i] = 0; i++ :: else -> break od }
proctype P(byte me) {
  byte i
end: do
  :: atomic { owner == NONE -> owner = me }
     for (i : 0 .. 2) { a[i] = 0 }
     L: if :: a[me] == 1 -> goto L :: else fi
     select (i : 0 .. 2)
     clear(3); owner = NONE
  :: { a[0] = 0; a[1] = 0; a[2] = 0 } unless { owner == 3 }
  od
}
init { run P(0); run P(1); run P(2) }
";

    /// The changes near a line, each as the first line that changes.
    fn changes(line: u32) -> Vec<String> {
        let all = proposals(MODEL, &[line]).into_iter().map(|one| {
            let text = edited(MODEL, &one.edits).expect("edits that go together");
            let mut lines = text.lines().zip(MODEL.lines());
            let (new, _) = lines.find(|(a, b)| a != b).expect("a difference");
            new.trim().to_owned()
        });
        all.collect()
    }

    #[test]
    fn each_kind_of_statement_has_its_change() {
        let init = "init { atomic { run P(0); run P(1); run P(2) } }";
        assert_eq!(changes(15), [init]);
        assert_eq!(changes(8), ["atomic { for (i : 0 .. 2) { a[i] = 0 } }"]);
        assert_eq!(changes(10), ["atomic { select (i : 0 .. 2) }"]);
        let row = ":: { atomic { a[0] = 0; a[1] = 0; a[2] = 0 } } unless { owner == 3 }";
        assert_eq!(changes(12)[..1], [row]);
        let body = "inline clear(x) { atomic { i = 0; do :: i < x -> a[i] = 0; i++ :: else -> \
                    break od } }";
        assert_eq!(changes(3)[..1], [body]);
        assert_eq!(changes(7), ["#define NONE 255"]);
    }

    #[test]
    fn any_beginning_of_a_text_is_read() {
        for end in 0..MODEL.len() {
            let text = &MODEL[..end];
            for line in 0..=17 {
                for one in proposals(text, &[line]) {
                    assert!(edited(text, &one.edits).is_some(), "{text}");
                }
            }
        }
        let deep = format!("init {{ {} }}", "{ do :: ".repeat(100_000));
        assert_eq!(proposals(&deep, &[1]), []);
    }
}
