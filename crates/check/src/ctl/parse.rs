//! Formulas of branching time from text, with every mistake at its place.
//!
//! | weakest first | spellings |
//! |---|---|
//! | leads to, `AG (f -> AF g)` | `-->` |
//! | equivalence | `<->` `<=>` |
//! | implication, from the right | `->` `=>` |
//! | or | `\|\|` `or` |
//! | and | `&&` `and` |
//! | before one formula | `!` `not`, `AX` `AF` `AG` `EX` `EF` `EG`, `A[]` `A<>` `E[]` `E<>` |
//! | around two | `A[f U g]` `E[f U g]`, with parentheses too; `W`, and `R` or `V`, like `U` |
//! | of the past | `AY` `AO` `AH` `EY` `EO` `EH`, `A[f since g]` `E[f since g]` |
//! | around runs | `A(ψ)` `E(ψ)`, where ψ is of linear time (`parse::path`) |
//! | fixpoints | `mu X. f`, `nu X. f`: `f` goes on to what closes around it |
//!
//! What has none of these operators of time in it is an atom, as large as it can be, and its text
//! is for whoever knows the language of the model: in `AG (x > 0 && !y)` there is one atom,
//! `x > 0 && !y`. A text is taken apart at its connectives only where one of its parts is about
//! time, or where a connective is spelled as no modelling language of ours spells it: `=>`, `and`.
//! `A` and `E` are quantifiers only before brackets with `U`, `W`, `R` or nothing in them, and
//! before `<>`; `A[1]@critical` is an atom. What stands in braces is an atom, whatever it says.
//!
//! Worked example: `AG x > 0 && !y` is `(AG (x > 0)) && !y`, for `AG` is stronger than `&&`.
//!
//! Depth and size are limited, so that the recursion has an end that is known.

mod path;

use base::{Diagnostic, Diagnostics, SourceId, Sources, Span, quote};
use path::PathOperator;
use std::ops::Range;
use system::branching::{Binary, Fixpoint, Formula, Quantifier, Unary};

/// How deep operators and parentheses may be nested.
pub const DEPTH_MAX: usize = 200;
/// How many words and signs a formula may have.
pub const TOKENS_MAX: usize = 4000;
/// How many atoms a formula may have.
pub const ATOMS_MAX: usize = 64;

/// A formula that was read.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The formula.
    pub formula: Formula,
    /// Its atoms, by number.
    pub atoms: Vec<AtomText>,
}

/// An atom as it was written.
#[derive(Clone, Debug)]
pub struct AtomText {
    /// Its text, without parentheses around all of it.
    pub text: String,
    /// Where it stands first.
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// A connective of two formulas, by strength.
    LeadsTo,
    Iff,
    Implies,
    Or,
    And,
    Not,
    /// `AG` and the like.
    Quantified(Quantifier, Unary),
    /// `A` or `E`.
    Letter(Quantifier),
    /// `U`, `W`, `R`, which count only in the brackets of a quantifier.
    Joining(Binary),
    /// `X`, `F`, `G` and words of the past, likewise.
    Path(PathOperator),
    /// `mu`, `nu`.
    Fixpoint(Fixpoint),
    /// A variable, by the token where it is bound.
    Variable(u32),
    Diamond,
    Open,
    Close,
    /// Anything else.
    Other,
}

struct Token {
    kind: Kind,
    range: Range<usize>,
    /// Whether the text must be taken apart because of it.
    parts: bool,
    /// Of a bracket, where its twin is.
    twin: usize,
    /// Whether it is a square bracket.
    is_square: bool,
    /// Whether it is no word, and no bracket.
    is_sign: bool,
}

/// Signs, longest first, and whether only formulas have them.
const SIGNS: [(&str, Kind, bool); 17] = [
    ("<->", Kind::Iff, false),
    ("<=>", Kind::Iff, true),
    ("-->", Kind::LeadsTo, true),
    ("->", Kind::Implies, false),
    ("=>", Kind::Implies, true),
    ("||", Kind::Or, false),
    ("&&", Kind::And, false),
    ("<>", Kind::Diamond, false),
    ("==", Kind::Other, false),
    ("!=", Kind::Other, false),
    ("<=", Kind::Other, false),
    (">=", Kind::Other, false),
    ("!", Kind::Not, false),
    ("(", Kind::Open, false),
    (")", Kind::Close, false),
    ("[", Kind::Open, false),
    ("]", Kind::Close, false),
];

/// Words, likewise.
const WORDS: [(&str, Kind, bool); 31] = [
    ("AX", Kind::Quantified(Quantifier::All, Unary::Next), true),
    (
        "AF",
        Kind::Quantified(Quantifier::All, Unary::Finally),
        true,
    ),
    (
        "AG",
        Kind::Quantified(Quantifier::All, Unary::Globally),
        true,
    ),
    ("EX", Kind::Quantified(Quantifier::Some, Unary::Next), true),
    (
        "EF",
        Kind::Quantified(Quantifier::Some, Unary::Finally),
        true,
    ),
    (
        "EG",
        Kind::Quantified(Quantifier::Some, Unary::Globally),
        true,
    ),
    (
        "AY",
        Kind::Quantified(Quantifier::All, Unary::Yesterday),
        true,
    ),
    ("AO", Kind::Quantified(Quantifier::All, Unary::Once), true),
    (
        "AH",
        Kind::Quantified(Quantifier::All, Unary::Historically),
        true,
    ),
    (
        "EY",
        Kind::Quantified(Quantifier::Some, Unary::Yesterday),
        true,
    ),
    ("EO", Kind::Quantified(Quantifier::Some, Unary::Once), true),
    (
        "EH",
        Kind::Quantified(Quantifier::Some, Unary::Historically),
        true,
    ),
    ("X", Kind::Path(PathOperator::Next), false),
    ("F", Kind::Path(PathOperator::Eventually), false),
    ("G", Kind::Path(PathOperator::Always), false),
    ("yesterday", Kind::Path(PathOperator::Yesterday), false),
    ("once", Kind::Path(PathOperator::Once), false),
    (
        "historically",
        Kind::Path(PathOperator::Historically),
        false,
    ),
    ("since", Kind::Joining(Binary::Since), false),
    ("mu", Kind::Fixpoint(Fixpoint::Least), false),
    ("nu", Kind::Fixpoint(Fixpoint::Greatest), false),
    ("A", Kind::Letter(Quantifier::All), false),
    ("E", Kind::Letter(Quantifier::Some), false),
    ("U", Kind::Joining(Binary::Until), false),
    ("W", Kind::Joining(Binary::WeakUntil), false),
    ("R", Kind::Joining(Binary::Release), false),
    ("V", Kind::Joining(Binary::Release), false),
    ("and", Kind::And, true),
    ("or", Kind::Or, true),
    ("not", Kind::Not, true),
    ("imply", Kind::Implies, true),
];

/// Connectives, weakest first.
const CONNECTIVES: [Kind; 5] = [Kind::LeadsTo, Kind::Iff, Kind::Implies, Kind::Or, Kind::And];

/// The formula in a text, or `None` if `found` says why there is none.
pub fn parse(sources: &Sources, source: SourceId, found: &mut Diagnostics) -> Option<Parsed> {
    parse_from(sources, (source, 0), found)
}

/// The same for the text from a place on; what stands before it is not looked at.
///
/// # Requires
/// A character begins at the place.
pub fn parse_from(
    sources: &Sources,
    (source, from): (SourceId, usize),
    found: &mut Diagnostics,
) -> Option<Parsed> {
    let text = sources.get(source).text();
    let mut tokens = lex(text, (source, from), found)?;
    pair(&mut tokens, source, text, found)?;
    mark(&mut tokens);
    bind(&mut tokens, text);
    let mut parser = Parser {
        text,
        source,
        tokens,
        found,
        atoms: Vec::new(),
    };
    let all = 0..parser.tokens.len();
    let formula = parser.formula(all.clone(), 0)?;
    parser.unmixed(&formula, all)?;
    Some(Parsed {
        formula,
        atoms: parser.atoms,
    })
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// How long a text in quotes or braces is, its end included; `None` if it has none.
fn enclosed(rest: &str) -> Option<usize> {
    if let Some(quoted) = rest.strip_prefix('"') {
        return quoted.find('"').map(|n| n + 2);
    }
    let mut depth = 0;
    for (i, c) in rest.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return Some(i + 1),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

fn lex(
    text: &str,
    (source, from): (SourceId, usize),
    found: &mut Diagnostics,
) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut at = from;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        let (kind, parts, n) = if is_word(c) {
            let n = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            let word = WORDS.iter().find(|(word, ..)| *word == &rest[..n]);
            let (kind, parts) = word.map_or((Kind::Other, false), |row| (row.1, row.2));
            (kind, parts, n)
        } else if c == '"' || c == '{' {
            let Some(n) = enclosed(rest) else {
                let span = Span::new(source, at..text.len());
                found.push(Diagnostic::error(span, "this is not closed"));
                return None;
            };
            (Kind::Other, false, n)
        } else {
            let sign = SIGNS.iter().find(|(sign, ..)| rest.starts_with(sign));
            sign.map_or((Kind::Other, false, c.len_utf8()), |row| {
                (row.1, row.2, row.0.len())
            })
        };
        tokens.push(Token {
            kind,
            range: at..at + n,
            parts,
            twin: 0,
            is_square: c == '[',
            is_sign: !is_word(c) && !"\"{([".contains(c),
        });
        at += n;
        if tokens.len() > TOKENS_MAX {
            let span = Span::new(source, at..text.len());
            let message = format!("a formula has at most {TOKENS_MAX} words and signs");
            found.push(Diagnostic::error(span, message).saying("one too many"));
            return None;
        }
    }
    Some(tokens)
}

/// Finds the twin of each bracket.
fn pair(tokens: &mut [Token], source: SourceId, text: &str, found: &mut Diagnostics) -> Option<()> {
    let mut open: Vec<usize> = Vec::new();
    for i in 0..tokens.len() {
        let here = Span::new(source, tokens[i].range.clone());
        match tokens[i].kind {
            Kind::Open => open.push(i),
            Kind::Close => {
                let Some(twin) = open.pop() else {
                    found.push(Diagnostic::error(here, "this closes no bracket"));
                    return None;
                };
                let signs = (
                    &text[tokens[twin].range.clone()],
                    &text[tokens[i].range.clone()],
                );
                if !matches!(signs, ("(", ")") | ("[", "]")) {
                    let other = Span::new(source, tokens[twin].range.clone());
                    let message = "this closes a bracket of another kind";
                    found.push(Diagnostic::error(here, message).and(other, "opened here"));
                    return None;
                }
                (tokens[i].twin, tokens[twin].twin) = (twin, i);
            }
            _ => {}
        }
    }
    let Some(last) = open.pop() else {
        return Some(());
    };
    let span = Span::new(source, tokens[last].range.clone());
    found.push(Diagnostic::error(span, "this bracket is not closed"));
    None
}

/// Marks fixpoints and the variables that they bind; all other `mu` and `nu` are words.
fn bind(tokens: &mut [Token], text: &str) {
    for i in 0..tokens.len() {
        if !matches!(tokens[i].kind, Kind::Fixpoint(_)) {
            continue;
        }
        let word = |at: usize| {
            tokens
                .get(at)
                .map_or("", |token| &text[token.range.clone()])
        };
        let name = word(i + 1).to_owned();
        if !name.starts_with(|c: char| c.is_alphabetic()) || word(i + 2) != "." {
            tokens[i].kind = Kind::Other;
            continue;
        }
        tokens[i].parts = true;
        let mut at = i + 1;
        while at < tokens.len() && tokens[at].kind != Kind::Close {
            let end = match tokens[at].kind {
                Kind::Open => tokens[at].twin,
                _ => at,
            };
            for token in &mut tokens[at..=end] {
                if text[token.range.clone()] == *name {
                    token.kind = Kind::Variable(i as u32);
                    token.parts = true;
                }
            }
            at = end + 1;
        }
    }
}

/// Marks the letters that are quantifiers; all other `A` and `E` are words like any other.
fn mark(tokens: &mut [Token]) {
    for i in 0..tokens.len() {
        let Kind::Letter(_) = tokens[i].kind else {
            continue;
        };
        let is_quantifier = match tokens.get(i + 1).map(|token| token.kind) {
            Some(Kind::Diamond) => true,
            Some(Kind::Open) => {
                let twin = tokens[i + 1].twin;
                twin == i + 2 || path::is_about_runs(tokens, i + 2..twin)
            }
            _ => false,
        };
        if is_quantifier {
            tokens[i].parts = true
        } else {
            tokens[i].kind = Kind::Other
        }
    }
}

/// The places of a range that are inside no bracket there.
fn top(tokens: &[Token], range: Range<usize>) -> impl Iterator<Item = usize> + '_ {
    let mut at = range.start;
    std::iter::from_fn(move || {
        let here = at;
        if here >= range.end {
            return None;
        }
        at = match tokens[here].kind {
            Kind::Open => tokens[here].twin + 1,
            _ => here + 1,
        };
        Some(here)
    })
}

struct Parser<'a> {
    text: &'a str,
    source: SourceId,
    tokens: Vec<Token>,
    found: &'a mut Diagnostics,
    atoms: Vec<AtomText>,
}

impl Parser<'_> {
    fn span(&self, token: usize) -> Span {
        let end = self.text.len()..self.text.len();
        let token = self.tokens.get(token);
        Span::new(self.source, token.map_or(end, |token| token.range.clone()))
    }

    fn error<T>(&mut self, token: usize, message: &str) -> Option<T> {
        let span = self.span(token);
        let message = match self.tokens.get(token) {
            None => format!("{message}; the formula ends"),
            Some(token) => format!("{message}, at {}", quote(&self.text[token.range.clone()])),
        };
        self.found.push(Diagnostic::error(span, message));
        None
    }

    fn formula(&mut self, range: Range<usize>, depth: usize) -> Option<Formula> {
        if range.is_empty() {
            return self.error(range.end, "a formula is missing here");
        }
        if depth > DEPTH_MAX {
            let message = format!("operators are nested more than {DEPTH_MAX} deep");
            return self.error(range.start, &message);
        }
        if !self.tokens[range.clone()].iter().any(|token| token.parts) {
            return self.atom(range);
        }
        let is_fixpoint = |i: &usize| matches!(self.tokens[*i].kind, Kind::Fixpoint(_));
        let bound = top(&self.tokens, range.clone()).find(is_fixpoint);
        if let (Some(at), Kind::Fixpoint(fixpoint)) = (bound, self.tokens[range.start].kind)
            && at == range.start
        {
            return self.fixpoint(fixpoint, range, depth);
        }
        for connective in CONNECTIVES {
            // What is behind a fixpoint belongs to it.
            let places: Vec<usize> = top(&self.tokens, range.clone())
                .take_while(|&i| bound.is_none_or(|at| i < at))
                .filter(|&i| self.tokens[i].kind == connective)
                .collect();
            if !places.is_empty() {
                return self.connected(range, connective, &places, depth);
            }
        }
        self.single(range, depth)
    }

    /// Formulas with one connective between them.
    fn connected(
        &mut self,
        range: Range<usize>,
        connective: Kind,
        places: &[usize],
        depth: usize,
    ) -> Option<Formula> {
        let starts = [range.start].into_iter();
        let starts = starts.chain(places.iter().map(|place| place + 1));
        let ends = places.iter().copied().chain([range.end]);
        let mut all = Vec::new();
        for (start, end) in starts.zip(ends) {
            all.push(self.formula(start..end, depth + 1)?);
        }
        match connective {
            Kind::And => Some(balanced(all, Formula::And)),
            Kind::Or => Some(balanced(all, Formula::Or)),
            Kind::Iff => Some(balanced(all, Formula::Iff)),
            _ if all.len() > DEPTH_MAX => {
                let message = format!("operators are nested more than {DEPTH_MAX} deep");
                self.error(range.start, &message)
            }
            Kind::LeadsTo if all.len() > 2 => {
                self.error(places[1], "which of these comes first needs parentheses")
            }
            _ => {
                let last = all.pop()?;
                let implied = all.into_iter().rev().fold(last, |g, f| match connective {
                    Kind::LeadsTo => {
                        let comes = one(Quantifier::All, Unary::Finally, g);
                        let leads = Formula::Implies(Box::new(f), Box::new(comes));
                        one(Quantifier::All, Unary::Globally, leads)
                    }
                    _ => Formula::Implies(Box::new(f), Box::new(g)),
                });
                Some(implied)
            }
        }
    }

    /// A formula without connectives outside brackets, with something about time in it.
    fn single(&mut self, range: Range<usize>, depth: usize) -> Option<Formula> {
        let first = range.start;
        match self.tokens[first].kind {
            Kind::Not => {
                let f = self.formula(first + 1..range.end, depth + 1)?;
                Some(Formula::Not(Box::new(f)))
            }
            Kind::Quantified(quantifier, unary) => {
                let f = self.formula(first + 1..range.end, depth + 1)?;
                Some(one(quantifier, unary, f))
            }
            Kind::Letter(quantifier) => self.quantified(quantifier, range, depth),
            Kind::Variable(number) if range.len() == 1 => Some(Formula::Variable(number)),
            Kind::Open if self.tokens[first].twin + 1 == range.end => {
                self.formula(first + 1..range.end - 1, depth + 1)
            }
            Kind::Open
                if self.tokens[first..self.tokens[first].twin]
                    .iter()
                    .any(|t| t.parts) =>
            {
                self.error(self.tokens[first].twin + 1, "an operator is missing here")
            }
            _ => {
                let inside = range.clone().find(|&i| self.tokens[i].parts);
                let at = inside.unwrap_or(first);
                self.error(at, "an expression cannot have a formula in it")
            }
        }
    }

    /// What comes after `A` or `E` by itself.
    fn quantified(
        &mut self,
        quantifier: Quantifier,
        range: Range<usize>,
        depth: usize,
    ) -> Option<Formula> {
        let open = range.start + 1;
        if self.tokens[open].kind == Kind::Diamond {
            let f = self.formula(open + 1..range.end, depth + 1)?;
            return Some(one(quantifier, Unary::Finally, f));
        }
        let close = self.tokens[open].twin;
        if close == open + 1 {
            let f = self.formula(close + 1..range.end, depth + 1)?;
            return Some(one(quantifier, Unary::Globally, f));
        }
        if close + 1 != range.end {
            return self.error(close + 1, "an operator is missing here");
        }
        path::Runs { parser: self }.of(quantifier, open + 1..close, depth)
    }

    /// `mu X. f` and `nu X. f`.
    fn fixpoint(
        &mut self,
        fixpoint: Fixpoint,
        range: Range<usize>,
        depth: usize,
    ) -> Option<Formula> {
        let first = range.start;
        let f = self.formula(first + 3..range.end, depth + 1)?;
        if !is_positive(&f, first as u32, true) {
            let message = "this variable stands below an odd number of negations, so that there \
                           need be no such set";
            return self.error(first + 1, message);
        }
        Some(Formula::Fixpoint(fixpoint, first as u32, Box::new(f)))
    }

    /// Refuses what cannot stand in one formula with fixpoints.
    fn unmixed(&mut self, formula: &Formula, range: Range<usize>) -> Option<()> {
        if !formula.has_fixpoint() || !(formula.has_past() || formula.has_runs()) {
            return Some(());
        }
        let past = [Unary::Yesterday, Unary::Once, Unary::Historically];
        let mut places = range.filter(|&i| match self.tokens[i].kind {
            Kind::Quantified(_, unary) => past.contains(&unary),
            Kind::Path(_) => true,
            Kind::Joining(binary) => binary == Binary::Since,
            _ => false,
        });
        let at = places.next().unwrap_or(0);
        let message = "a formula with `mu` or `nu` has the operators of CTL beside them, and none \
                       of the past or of linear time";
        self.error(at, message)
    }

    fn atom(&mut self, range: Range<usize>) -> Option<Formula> {
        let mut range = range;
        while self.tokens[range.start].kind == Kind::Open
            && self.tokens[range.start].twin + 1 == range.end
            && range.len() > 2
        {
            range = range.start + 1..range.end - 1;
        }
        let bytes = self.tokens[range.start].range.start..self.tokens[range.end - 1].range.end;
        let text = &self.text[bytes.clone()];
        match text {
            "true" => return Some(Formula::Constant(true)),
            "false" => return Some(Formula::Constant(false)),
            _ => {}
        }
        let known = self.atoms.iter().position(|atom| atom.text == text);
        let number = known.unwrap_or(self.atoms.len());
        if number == ATOMS_MAX {
            let message = format!("a formula has at most {ATOMS_MAX} atoms");
            return self.error(range.start, &message);
        }
        if known.is_none() {
            self.atoms.push(AtomText {
                text: text.to_owned(),
                span: Span::new(self.source, bytes),
            });
        }
        Some(Formula::Atom(number as u32))
    }
}

/// Whether a variable stands below an even number of negations, or `parity` says an odd one.
fn is_positive(formula: &Formula, variable: u32, parity: bool) -> bool {
    match formula {
        Formula::Variable(x) => *x != variable || parity,
        Formula::Not(f) => is_positive(f, variable, !parity),
        Formula::Implies(f, g) => {
            is_positive(f, variable, !parity) && is_positive(g, variable, parity)
        }
        Formula::Iff(f, g) => [f, g]
            .into_iter()
            .all(|f| is_positive(f, variable, parity) && is_positive(f, variable, !parity)),
        other => other
            .parts()
            .into_iter()
            .all(|f| is_positive(f, variable, parity)),
    }
}

fn one(quantifier: Quantifier, unary: Unary, f: Formula) -> Formula {
    Formula::Unary(quantifier, unary, Box::new(f))
}

/// All of them joined, not deeper than need be.
///
/// # Requires
/// There is at least one.
fn balanced(mut all: Vec<Formula>, join: fn(Box<Formula>, Box<Formula>) -> Formula) -> Formula {
    if all.len() == 1 {
        return all.swap_remove(0);
    }
    let right = all.split_off(all.len() / 2);
    let (left, right) = (balanced(all, join), balanced(right, join));
    join(Box::new(left), Box::new(right))
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Colour;

    /// What is said of a text that is no formula.
    #[derive(Debug)]
    struct Refused {
        said: String,
    }

    fn read(text: &str) -> Result<Parsed, Refused> {
        let mut sources = Sources::new();
        let source = sources.add("--ctl", text.to_owned());
        let mut found = Diagnostics::new();
        parse(&sources, source, &mut found).ok_or_else(|| {
            let all = found.sorted();
            assert!(!all.is_empty(), "{text:?} is refused without a word");
            let said = all.iter();
            let said = said.map(|d| base::render(d, &sources, Colour::Never));
            Refused {
                said: said.collect(),
            }
        })
    }

    /// The formula as it is printed, with all parentheses.
    fn printed(text: &str) -> String {
        let parsed = read(text).unwrap_or_else(|why| panic!("{text}: {why:?}"));
        let atoms: Vec<String> = parsed.atoms.into_iter().map(|atom| atom.text).collect();
        parsed.formula.text(&atoms)
    }

    #[test]
    fn spellings() {
        for (text, meant) in [
            ("AG EF p", "AG EF p"),
            ("A[] E<> p", "AG EF p"),
            ("A [] E <> (x == 0)", "AG EF (x == 0)"),
            ("E [p U q]", "E[p U q]"),
            ("A(p W EX q)", "A[p W EX q]"),
            ("E[p R q] && A[p V q]", "E[p R q] && A[p R q]"),
            ("p --> q", "AG (p -> AF q)"),
            ("not AX p and EG q or EF p", "(!AX p && EG q) || EF p"),
            ("AG x > 0 && AF !y", "AG (x > 0) && AF (!y)"),
            ("AG (x > 0 && !y)", "AG (x > 0 && !y)"),
            ("AG (p => q)", "AG (p -> q)"),
            ("AG (p -> q)", "AG (p -> q)"),
            ("AG p -> AG q -> AG r", "AG p -> (AG q -> AG r)"),
            ("AF true || EX false", "AF true || EX false"),
            ("EF A[1]@critical", "EF (A[1]@critical)"),
            ("EF (A == E)", "EF (A == E)"),
            ("AG ({x = 1 => y} => e(op))", "AG ({x = 1 => y} -> (e(op)))"),
            ("x == 0", "x == 0"),
        ] {
            assert_eq!(printed(text), meant, "{text}");
        }
    }

    #[test]
    fn atoms_are_as_large_as_they_can_be_and_each_is_there_once() {
        let parsed = read("AG (x > 0 && y) && EF ((x > 0 && y)) || AX z").expect("a formula");
        let atoms: Vec<&str> = parsed.atoms.iter().map(|atom| &*atom.text).collect();
        assert_eq!(atoms, ["x > 0 && y", "z"]);
        assert_eq!(parsed.atoms[1].span.range(), 43..44);
    }

    #[test]
    fn mistakes_are_told_at_their_places() {
        for (text, words, column) in [
            ("", "a formula is missing here; the formula ends", 1),
            ("AG", "a formula is missing here; the formula ends", 3),
            ("AG (p", "this bracket is not closed", 4),
            ("AG p)", "this closes no bracket", 5),
            ("E [p U q)", "this closes a bracket of another kind", 9),
            ("E [p U ]", "a formula is missing here, at `]`", 8),
            ("AG p && ", "a formula is missing here; the formula ends", 9),
            (
                "x == AG p",
                "an expression cannot have a formula in it, at `AG`",
                6,
            ),
            ("(AG p) (q)", "an operator is missing here, at `(`", 8),
            ("E [p U q] q", "an operator is missing here, at `q`", 11),
            (
                "E [p U q U r]",
                "each of these needs an `A` or an `E` of its own",
                10,
            ),
            (
                "p --> q --> r",
                "which of these comes first needs parentheses",
                9,
            ),
            ("AG {x = 1", "this is not closed", 4),
        ] {
            let told = read(text).expect_err(text).said;
            assert!(told.contains(words), "{text}: {told}");
            assert!(
                told.contains(&format!("--ctl:1:{column}")),
                "{text}: {told}"
            );
        }
    }

    #[test]
    fn limits_are_told() {
        let deep = format!("{}p{}", "AG (".repeat(300), ")".repeat(300));
        assert!(read(&deep).expect_err("deep").said.contains("200 deep"));
        let chain = vec!["AG p"; 300].join(" -> ");
        assert!(read(&chain).expect_err("a chain").said.contains("200 deep"));
        let wide = vec!["AG p"; 900].join(" || ");
        assert!(read(&wide).is_ok());
        let long = "! ".repeat(5000) + "p";
        assert!(read(&long).expect_err("long").said.contains("4000 words"));
        let atoms: Vec<String> = (0..65).map(|i| format!("AG p{i}")).collect();
        let told = read(&atoms.join(" && ")).expect_err("atoms").said;
        assert!(told.contains("at most 64 atoms"), "{told}");
    }

    #[test]
    fn noise_is_refused_or_read_and_never_more() {
        let words = [
            "AG", "EF", "A", "E", "[", "]", "(", ")", "U", "W", "p", "==", "1", "&&", "->", "!",
            "<>", "-->", "{", "}", "\"", "or", "ä", " ",
        ];
        let mut n_read = 0;
        for seed in 0..20_000 {
            let rng = &mut fastrand::Rng::with_seed(seed);
            let text: Vec<&str> = (0..rng.usize(1..9))
                .map(|_| words[rng.usize(..24)])
                .collect();
            n_read += usize::from(read(&text.join(" ")).is_ok());
        }
        assert!(n_read > 500, "{n_read}");
    }
}
