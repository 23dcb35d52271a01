//! A number that means "none", and is a member of the sort whose members a variable holds.
//!
//! Worked example: processes 0, 1 and 2, `byte owner` that starts with 0, `owner == 0` where nobody
//! owns, `owner = _pid` and `owner = 0` afterwards. Number 0 is a process too. Every 0 that `owner`
//! is set to or compared with becomes 255, and its first value is said.

use super::Text;
use crate::token::{Token, TokenKind};
use model::proposal::{Edit, Proposal, ProposalKind};
use std::ops::Range;
use std::rc::Rc;

/// What has to hold for the change to mean the same.
const JUDGE: &str = "the number must mean that there is none wherever the variable has it, and \
                     nothing may count with it";

/// Changes of what variables hold that meet a number in this line; of all variables if it is 0.
pub fn proposals(text: &Text, line: u32) -> Vec<Proposal> {
    let all: Vec<Met> = (1..text.tokens.len())
        .filter_map(|at| met(text, at))
        .collect();
    let mut asked: Vec<(&Rc<str>, i64)> = Vec::new();
    for met in &all {
        let is_asked = line == 0 || text.line(met.at) == line;
        if is_asked && !asked.contains(&(&met.name, met.value)) {
            asked.push((&met.name, met.value));
        }
    }
    let mut proposals = Vec::new();
    for (name, value) in asked {
        let of: Vec<&Met> = all
            .iter()
            .filter(|m| m.name == *name && m.value == value)
            .collect();
        proposals.extend(of_variable(text, name, value, (&of, &all)));
    }
    proposals
}

/// A variable that is set to a number, or compared with one.
struct Met {
    /// The token of the operator.
    at: usize,
    name: Rc<str>,
    value: i64,
    is_compared: bool,
    /// The macro that stands for the number, if one does.
    by: Option<Rc<str>>,
}

/// What the operator at `at` does, if it is between a variable and a number.
fn met(text: &Text, at: usize) -> Option<Met> {
    let (before, operator, after) = (
        text.tokens.get(at - 1)?,
        text.tokens.get(at)?,
        text.tokens.get(at + 1)?,
    );
    let is_compared = operator.is("==") || operator.is("!=");
    if !is_compared && !operator.is("=") {
        return None;
    }
    let name = before.name().filter(|name| &***name != "_pid")?;
    if at > 1 && text.is(at - 2, ".") {
        return None;
    }
    // What follows would make it another number.
    let goes_on = [
        "+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "(", "[", ".", "@",
    ];
    if goes_on.iter().any(|mark| text.is(at + 2, mark)) {
        return None;
    }
    let by = after.name().cloned();
    let value = match &by {
        Some(name) => number(&macro_body(text, name)?)?.0,
        None => number(after)?.0,
    };
    Some(Met {
        at,
        name: name.clone(),
        value,
        is_compared,
        by,
    })
}

/// The number that a token is, and where.
fn number(token: &Token) -> Option<(i64, Range<usize>)> {
    match &token.kind {
        TokenKind::Number(digits) => Some((digits.parse().ok()?, token.place.span.range())),
        _ => None,
    }
}

/// What `#define NAME` stands for, if that is one token.
fn macro_body(text: &Text, name: &str) -> Option<Token> {
    let tokens = &text.directives;
    let at = (2..tokens.len()).find(|at| {
        tokens[*at].is_name(name) && tokens[at - 1].is_name("define") && tokens[at - 2].is("#")
    })?;
    let body = tokens.get(at + 1).filter(|body| !body.starts_line)?;
    let ends = tokens.get(at + 2).is_none_or(|next| next.starts_line);
    ends.then(|| body.clone())
}

/// The number of a variable by another one everywhere, if it is ever compared with it.
fn of_variable(
    text: &Text,
    name: &Rc<str>,
    value: i64,
    (of, all): (&[&Met], &[Met]),
) -> Option<Proposal> {
    of.iter().find(|met| met.is_compared)?;
    let declared = declared(text, name)?;
    let none = match declared.kind {
        "byte" | "pid" => 255,
        _ => -1,
    };
    // It must not mean something already.
    let is_used = |met: &Met| met.name == *name && met.value == none;
    if value == none || all.iter().any(is_used) {
        return None;
    }
    let mut edits = Vec::new();
    for met in of {
        match &met.by {
            Some(by) => {
                let uses = text.tokens.iter().filter(|token| token.is_name(by)).count();
                let known = all.iter().filter(|met| met.by.as_ref() == Some(by)).count();
                if uses != known {
                    return None;
                }
                let piece = number(&macro_body(text, by)?)?.1;
                edits.push(Edit::replace(piece, format!("{none}")));
            }
            None => {
                let piece = number(&text.tokens[met.at + 1])?.1;
                edits.push(Edit::replace(piece, format!("{none}")));
            }
        }
    }
    if declared.starts_with_none && value == 0 {
        let end = text.tokens[declared.at].place.span.range().end;
        edits.push(Edit::insert(end, format!(" = {none}")));
    }
    edits.sort();
    edits.dedup();
    let line = edits.iter().map(|edit| text.line_at(edit.start)).min()?;
    Some(Proposal {
        kind: ProposalKind::Value,
        subject: name.to_string(),
        words: format!("let `{name}` be {none} in place of {value} where it is none of them"),
        judge: JUDGE,
        line,
        edits,
    })
}

/// Where a variable is declared.
struct Declared {
    at: usize,
    kind: &'static str,
    /// Whether it has no first value.
    starts_with_none: bool,
}

/// The one declaration of a scalar with this name.
fn declared(text: &Text, name: &str) -> Option<Declared> {
    let kinds = ["byte", "pid", "short", "int"];
    let mut found = None;
    for (at, token) in text.tokens.iter().enumerate() {
        let Some(kind) = kinds.iter().find(|kind| token.is_name(kind)) else {
            continue;
        };
        let mut i = at + 1;
        // Names up to the end of the declaration; first values may have commas in brackets only.
        let mut is_first = true;
        while let Some(token) = text.tokens.get(i).filter(|t| !t.is(";") && !t.is(")")) {
            let begins = is_first || text.is(i - 1, ",");
            if begins && token.is_name(name) && !text.is(i + 1, "[") {
                if found.is_some() {
                    return None;
                }
                found = Some(Declared {
                    at: i,
                    kind,
                    starts_with_none: !text.is(i + 1, "="),
                });
            }
            is_first = false;
            i += 1;
            if text.is(i, "{") || text.is(i, "}") {
                break;
            }
        }
    }
    found
}
