//! Formulas from text, with every mistake at its place.
//!
//! | weakest first | spellings |
//! |---|---|
//! | equivalence | `<->` `<=>` `equivalent` |
//! | implication, from the right | `->` `=>` `implies` |
//! | or | `\|\|` `\|` `or` `\/` |
//! | and | `&&` `&` `and` `/\` |
//! | from the left | `U` `until` `stronguntil`, `W` `weakuntil`, `V` `R` `release`, `M` |
//! | before one formula | `!` `not`, `X` `next`, `[]` `G` `always`, `<>` `F` `eventually` |
//!
//! `GF p` is `G F p`: a word of the letters G, F and X alone is these operators. Everything else
//! that is a word is an atom. What is in double quotes is an atom, whatever it says. What is in
//! parentheses and has a sign that temporal logic does not know, such as `(x == 1)`, is an atom,
//! too.
//!
//! SPIN reads `p U q U r` from the left and `p -> q -> r` as well; most others read the second from
//! the right. Such chains get a warning that says how they are read.
//!
//! Depth and size are limited, so that the recursion below has an end that is known.

use super::formula::{FormulaId, Node, Pool};
use base::{Diagnostic, Diagnostics, SourceId, Sources, Span, quote};
use std::ops::Range;

/// How deep operators and parentheses may be nested.
pub const DEPTH_MAX: usize = 200;
/// How many words and signs a formula may have.
pub const TOKENS_MAX: usize = 4000;

/// A formula that was read, and the texts of its atoms by number.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The formula.
    pub formula: FormulaId,
    /// The atoms as they are printed: a word, or text in quotes or in parentheses.
    pub atoms: Vec<String>,
}

/// What a stretch of text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Iff,
    Implies,
    Or,
    And,
    Until,
    WeakUntil,
    Release,
    StrongRelease,
    Not,
    Next,
    Always,
    Eventually,
    True,
    False,
    Word,
    Quoted,
    Open,
    Close,
    /// A sign that is none of ours: the text around it is an atom if it is in parentheses.
    Foreign,
    End,
}

struct Token {
    kind: Kind,
    range: Range<usize>,
}

/// Signs, longest first.
const SIGNS: [(&str, Kind); 26] = [
    ("<->", Kind::Iff),
    ("<=>", Kind::Iff),
    ("->", Kind::Implies),
    ("=>", Kind::Implies),
    ("||", Kind::Or),
    ("\\/", Kind::Or),
    ("&&", Kind::And),
    ("/\\", Kind::And),
    ("[]", Kind::Always),
    ("<>", Kind::Eventually),
    ("==", Kind::Foreign),
    ("!=", Kind::Foreign),
    ("<=", Kind::Foreign),
    (">=", Kind::Foreign),
    ("<<", Kind::Foreign),
    (">>", Kind::Foreign),
    ("!", Kind::Not),
    ("~", Kind::Not),
    ("|", Kind::Or),
    ("&", Kind::And),
    ("(", Kind::Open),
    (")", Kind::Close),
    ("<", Kind::Foreign),
    (">", Kind::Foreign),
    ("=", Kind::Foreign),
    ("-", Kind::Foreign),
];

/// Words that are operators; those of one letter included.
const WORDS: [(&str, Kind); 25] = [
    ("U", Kind::Until),
    ("until", Kind::Until),
    ("stronguntil", Kind::Until),
    ("W", Kind::WeakUntil),
    ("weakuntil", Kind::WeakUntil),
    ("V", Kind::Release),
    ("R", Kind::Release),
    ("release", Kind::Release),
    ("M", Kind::StrongRelease),
    ("X", Kind::Next),
    ("next", Kind::Next),
    ("G", Kind::Always),
    ("always", Kind::Always),
    ("F", Kind::Eventually),
    ("eventually", Kind::Eventually),
    ("implies", Kind::Implies),
    ("equivalent", Kind::Iff),
    ("and", Kind::And),
    ("or", Kind::Or),
    ("not", Kind::Not),
    ("true", Kind::True),
    ("false", Kind::False),
    ("1", Kind::True),
    ("0", Kind::False),
    ("strongrelease", Kind::StrongRelease),
];

/// The formula in a text, or `None` if `found` says why there is none; `pool` takes it in.
pub fn parse(
    sources: &Sources,
    source: SourceId,
    pool: &mut Pool,
    found: &mut Diagnostics,
) -> Option<Parsed> {
    let text = sources.get(source).text();
    let before = found.n_errors();
    let tokens = lex(text, source, found)?;
    if found.n_errors() > before {
        return None;
    }
    let mut parser = Parser {
        text,
        source,
        tokens,
        at: 0,
        depth: 0,
        pool,
        found,
        atoms: Vec::new(),
    };
    let formula = parser.binary(0)?;
    let rest = parser.tokens[parser.at].kind;
    if rest != Kind::End {
        parser.unexpected(match rest {
            Kind::Close => "this closes no parenthesis",
            _ => "an operator is missing here",
        });
        return None;
    }
    let atoms = parser.atoms.into_iter().map(|(_, shown)| shown).collect();
    Some(Parsed { formula, atoms })
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The words and signs of a text and, last, its end.
fn lex(text: &str, source: SourceId, found: &mut Diagnostics) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let (kind, n) = match c {
            _ if c.is_whitespace() => {
                at += c.len_utf8();
                continue;
            }
            '"' => match rest[1..].find('"') {
                Some(n) => (Kind::Quoted, n + 2),
                None => {
                    let span = Span::new(source, at..text.len());
                    found.push(Diagnostic::error(span, "this quote is not closed"));
                    return None;
                }
            },
            _ if is_word(c) => {
                let n = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                let word = WORDS.iter().find(|(word, _)| *word == &rest[..n]);
                match word {
                    Some((_, kind)) => (*kind, n),
                    // `GF p`: letter by letter.
                    None if rest[..n].bytes().all(|b| b"GFX".contains(&b)) => {
                        let kind = WORDS.iter().find(|(word, _)| *word == &rest[..1]);
                        (kind.map_or(Kind::Word, |(_, kind)| *kind), 1)
                    }
                    None if c.is_ascii_digit() => (Kind::Foreign, n),
                    None => (Kind::Word, n),
                }
            }
            _ => match SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
                Some((sign, kind)) => (*kind, sign.len()),
                None => (Kind::Foreign, c.len_utf8()),
            },
        };
        tokens.push(Token {
            kind,
            range: at..at + n,
        });
        at += n;
        if tokens.len() > TOKENS_MAX {
            let span = Span::new(source, at..text.len());
            let message = format!("a formula has at most {TOKENS_MAX} words and signs");
            found.push(Diagnostic::error(span, message).saying("one too many"));
            return None;
        }
    }
    tokens.push(Token {
        kind: Kind::End,
        range: text.len()..text.len(),
    });
    Some(tokens)
}

struct Parser<'a> {
    text: &'a str,
    source: SourceId,
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    pool: &'a mut Pool,
    found: &'a mut Diagnostics,
    /// What an atom says, with single spaces, and how it is printed.
    atoms: Vec<(String, String)>,
}

impl Parser<'_> {
    fn kind(&self) -> Kind {
        self.tokens[self.at].kind
    }

    fn span(&self) -> Span {
        Span::new(self.source, self.tokens[self.at].range.clone())
    }

    fn unexpected(&mut self, message: &str) {
        let kind = self.kind();
        let word = quote(&self.text[self.tokens[self.at].range.clone()]);
        let mut diagnostic = match kind {
            Kind::End => Diagnostic::error(self.span(), format!("{message}; the formula ends")),
            _ => Diagnostic::error(self.span(), format!("{message}, at {word}")),
        };
        if kind == Kind::Foreign {
            diagnostic = diagnostic.note(
                "an atom that is more than a word stands in quotes, or alone in parentheses: \
                 [] (x == 1)",
            );
        }
        self.found.push(diagnostic);
    }

    fn enter(&mut self) -> Option<()> {
        self.depth += 1;
        if self.depth <= DEPTH_MAX {
            return Some(());
        }
        let message = format!("operators are nested more than {DEPTH_MAX} deep");
        self.found.push(Diagnostic::error(self.span(), message));
        None
    }

    /// A formula whose outermost operator is at least as strong as `level`.
    fn binary(&mut self, level: u8) -> Option<FormulaId> {
        if level == 5 {
            return self.unary();
        }
        let mut left = self.binary(level + 1)?;
        let mut chained = None;
        loop {
            let (kind, place) = (self.kind(), self.span());
            if strength(kind) != Some(level) {
                return Some(left);
            }
            if let (Some(first), 4) = (chained, level) {
                self.warn_of_chain(first, place, "from the left: (p U q) U r");
            }
            chained = Some(place);
            self.at += 1;
            let right = match kind {
                Kind::Implies => {
                    self.enter()?;
                    let right = self.binary(level)?;
                    self.depth -= 1;
                    if let Node::Implies(..) = self.pool.node(right) {
                        self.warn_of_implications(place);
                    }
                    right
                }
                _ => self.binary(level + 1)?,
            };
            left = self.pool.add(joined(kind, left, right));
        }
    }

    /// Warns of `p -> q -> r`, but not of `p -> (q -> r)`.
    fn warn_of_implications(&mut self, place: Span) {
        if self.tokens[self.at - 1].kind != Kind::Close {
            self.warn_of_chain(place, place, "from the right: p -> (q -> r)");
        }
    }

    fn warn_of_chain(&mut self, first: Span, place: Span, how: &str) {
        let message = format!("a chain of such operators is read {how}");
        let mut warning = Diagnostic::warning(place, message);
        if first != place {
            warning = warning.and(first, "the first of them");
        }
        self.found
            .push(warning.note("parentheses say which is meant; other tools read it otherwise"));
    }

    /// Operators before a formula, and what they stand before.
    fn unary(&mut self) -> Option<FormulaId> {
        let mut operators = Vec::new();
        let depth = self.depth;
        while let Kind::Not | Kind::Next | Kind::Always | Kind::Eventually = self.kind() {
            self.enter()?;
            operators.push(self.kind());
            self.at += 1;
        }
        let mut f = self.primary()?;
        self.depth = depth;
        for operator in operators.into_iter().rev() {
            f = self.pool.add(match operator {
                Kind::Not => Node::Not(f),
                Kind::Next => Node::Next(f),
                Kind::Always => Node::Always(f),
                _ => Node::Eventually(f),
            });
        }
        Some(f)
    }

    fn primary(&mut self) -> Option<FormulaId> {
        let range = self.tokens[self.at].range.clone();
        let text = self.text;
        match self.kind() {
            Kind::True => {
                self.at += 1;
                Some(self.pool.constant(true))
            }
            Kind::False => {
                self.at += 1;
                Some(self.pool.constant(false))
            }
            Kind::Word => {
                self.at += 1;
                let word = &text[range];
                self.atom(word, word.to_owned(), self.at - 1)
            }
            Kind::Quoted => {
                self.at += 1;
                let inside = &text[range.start + 1..range.end - 1];
                self.atom(inside, text[range].to_owned(), self.at - 1)
            }
            Kind::Open => self.parenthesis(),
            _ => {
                self.unexpected("a formula is missing here");
                None
            }
        }
    }

    /// A formula in parentheses, or an atom.
    fn parenthesis(&mut self) -> Option<FormulaId> {
        let open = self.at;
        if let Some(close) = self.atom_until(open) {
            self.at = close + 1;
            let inside = self.tokens[open].range.end..self.tokens[close].range.start;
            let text = self.text[inside].trim();
            return self.atom(text, format!("({text})"), open);
        }
        self.enter()?;
        self.at += 1;
        let f = self.binary(0)?;
        self.depth -= 1;
        if self.kind() != Kind::Close {
            let place = Span::new(self.source, self.tokens[open].range.clone());
            self.unexpected("expected `)`");
            let mut all = std::mem::take(self.found).sorted();
            if let Some(last) = all.pop() {
                all.push(last.and(place, "opened here"));
            }
            self.found.extend(all);
            return None;
        }
        self.at += 1;
        Some(f)
    }

    /// Where the parenthesis at `open` closes, if it holds an atom: a foreign sign directly in it,
    /// and no operator of time anywhere in it.
    fn atom_until(&self, open: usize) -> Option<usize> {
        let (mut depth, mut foreign) = (0, false);
        for (i, token) in self.tokens.iter().enumerate().skip(open) {
            match token.kind {
                Kind::Open => depth += 1,
                Kind::Close if depth == 1 => return foreign.then_some(i),
                Kind::Close => depth -= 1,
                Kind::Foreign => foreign |= depth == 1,
                Kind::Always | Kind::Eventually | Kind::Next | Kind::Until => return None,
                Kind::WeakUntil | Kind::Release | Kind::StrongRelease => return None,
                _ => {}
            }
        }
        None
    }

    fn atom(&mut self, text: &str, shown: String, token: usize) -> Option<FormulaId> {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let place = Span::new(self.source, self.tokens[token].range.clone());
        if text.is_empty() {
            self.found
                .push(Diagnostic::error(place, "an atom without text"));
            return None;
        }
        let known = self.atoms.iter().position(|(known, _)| *known == text);
        let number = known.unwrap_or(self.atoms.len());
        if number == Pool::N_ATOMS_MAX {
            let message = format!("a formula has at most {} atoms", Pool::N_ATOMS_MAX);
            self.found.push(Diagnostic::error(place, message));
            return None;
        }
        if known.is_none() {
            self.atoms.push((text, shown));
        }
        Some(self.pool.atom(number))
    }
}

fn strength(kind: Kind) -> Option<u8> {
    match kind {
        Kind::Iff => Some(0),
        Kind::Implies => Some(1),
        Kind::Or => Some(2),
        Kind::And => Some(3),
        Kind::Until | Kind::WeakUntil | Kind::Release | Kind::StrongRelease => Some(4),
        _ => None,
    }
}

fn joined(kind: Kind, a: FormulaId, b: FormulaId) -> Node {
    match kind {
        Kind::Iff => Node::Iff(a, b),
        Kind::Implies => Node::Implies(a, b),
        Kind::Or => Node::Or(a, b),
        Kind::And => Node::And(a, b),
        Kind::Until => Node::Until(a, b),
        Kind::WeakUntil => Node::WeakUntil(a, b),
        Kind::Release => Node::Release(a, b),
        _ => Node::StrongRelease(a, b),
    }
}
