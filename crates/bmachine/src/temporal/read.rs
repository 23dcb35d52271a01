//! The reader of formulas: letters and words into a tree, by recursive descent.

use super::{
    BinaryTemporal, Count, Fair, FormulaTree, PathQuantifier, StateFormula, UnaryTemporal,
};
use crate::ast::{Expr, Name};
use crate::{lex, parse};
use base::{Diagnostic, Diagnostics, Span, quote};
use std::ops::Range;

/// How deep operators and parentheses may be nested.
const DEPTH_MAX: usize = 150;
/// How many letters a formula may have.
const LENGTH_MAX: usize = 20_000;

/// The tree of a text, and what is wrong with it.
pub(super) fn read(
    text: &str,
    is_linear: bool,
    place: (Span, Option<usize>),
) -> (Option<FormulaTree>, Vec<Diagnostic>) {
    let mut reader = FormulaReader {
        text,
        is_linear,
        place,
        at: 0,
        depth: 0,
        wrong: Vec::new(),
    };
    if text.len() > LENGTH_MAX {
        let message = format!("a formula has at most {LENGTH_MAX} letters");
        reader.wrong.push(Diagnostic::error(place.0, message));
        return (None, reader.wrong);
    }
    let tree = reader.whole();
    (tree.ok(), reader.wrong)
}

/// An error was noted.
struct Reported;

type Parsed<T> = Result<T, Reported>;

struct FormulaReader<'t> {
    text: &'t str,
    is_linear: bool,
    /// Where the text stands, and at which byte of its source it begins if that is known.
    place: (Span, Option<usize>),
    at: usize,
    depth: usize,
    wrong: Vec<Diagnostic>,
}

/// Signs and words for connectives, longer ones before those that they begin with.
const CONNECTIVES: [(&str, char); 14] = [
    ("<=>", '='),
    ("<->", '='),
    ("⇔", '='),
    ("=>", '>'),
    ("->", '>'),
    ("⇒", '>'),
    ("&&", '&'),
    ("&", '&'),
    ("∧", '&'),
    ("and", '&'),
    ("||", '|'),
    ("∨", '|'),
    ("or", '|'),
    ("implies", '>'),
];

/// Words for operators of linear time.
const WORDS: [(&str, char); 14] = [
    ("globally", 'G'),
    ("always", 'G'),
    ("eventually", 'F'),
    ("finally", 'F'),
    ("next", 'X'),
    ("until", 'U'),
    ("stronguntil", 'U'),
    ("weakuntil", 'W'),
    ("release", 'R'),
    ("since", 'S'),
    ("trigger", 'T'),
    ("historically", 'H'),
    ("once", 'O'),
    ("yesterday", 'Y'),
];

fn is_in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

impl<'t> FormulaReader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn span(&self, range: Range<usize>) -> Span {
        match self.place {
            (all, None) => all,
            (all, Some(from)) => Span::new(all.source, from + range.start..from + range.end),
        }
    }

    fn error<T>(&mut self, range: Range<usize>, message: impl Into<String>) -> Parsed<T> {
        let span = self.span(range);
        self.wrong.push(Diagnostic::error(span, message));
        Err(Reported)
    }

    /// Says what was expected instead of what comes next.
    fn expected<T>(&mut self, what: &str) -> Parsed<T> {
        self.skip_space();
        let at = self.at;
        let Some(c) = self.rest().chars().next() else {
            return self.error(at..at, format!("expected {what}, and the formula ends"));
        };
        let word = self.word();
        let found = if word.is_empty() {
            &self.rest()[..c.len_utf8()]
        } else {
            word
        };
        self.error(
            at..at + found.len(),
            format!("expected {what}, found {}", quote(found)),
        )
    }

    /// The letters and digits that come next; nothing is taken.
    fn word(&self) -> &'t str {
        let rest = self.rest();
        &rest[..rest.find(|c| !is_in_word(c)).unwrap_or(rest.len())]
    }

    /// Takes a sign if it comes next.
    fn eat(&mut self, sign: &str) -> bool {
        self.skip_space();
        let there = self.rest().starts_with(sign);
        self.at += if there { sign.len() } else { 0 };
        there
    }

    /// Takes a connective of one of these kinds if it comes next.
    fn connective(&mut self, kinds: &str) -> Option<char> {
        self.skip_space();
        let rest = self.rest();
        let (sign, kind) = CONNECTIVES.iter().find(|(sign, _)| {
            let is_word = sign.starts_with(|c: char| c.is_ascii_alphabetic());
            if is_word {
                self.word() == *sign
            } else {
                rest.starts_with(sign)
            }
        })?;
        if !kinds.contains(*kind) {
            return None;
        }
        self.at += sign.len();
        Some(*kind)
    }

    /// The operator of time that comes next, and how long it is; nothing is taken.
    fn operator(&mut self) -> Option<(char, usize)> {
        self.skip_space();
        let word = self.word();
        if self.is_linear {
            if let Some((word, letter)) = WORDS.iter().find(|(w, _)| *w == word) {
                return Some((*letter, word.len()));
            }
            if let Some(sign) = ["<>", "[]"].iter().find(|s| self.rest().starts_with(**s)) {
                return Some((if *sign == "<>" { 'F' } else { 'G' }, 2));
            }
        }
        let letters = if self.is_linear {
            "GFXUWRSTHOY"
        } else {
            "AEGFXUWR"
        };
        if matches!(word, "WEF" | "SEF") || self.is_fairness() {
            return None;
        }
        // In `Ge(op)` the last letter belongs to what follows.
        let of_time = word.trim_end_matches('e');
        let all = !of_time.is_empty() && of_time.chars().all(|c| letters.contains(c));
        let first = of_time.chars().next().filter(|_| all)?;
        Some((first, 1))
    }

    fn is_fairness(&self) -> bool {
        let starts = ["WF(", "SF(", "wf(", "sf("];
        starts.iter().any(|s| self.rest().starts_with(s))
    }

    fn whole(&mut self) -> Parsed<FormulaTree> {
        let tree = self.formula()?;
        self.skip_space();
        if self.rest().is_empty() {
            Ok(tree)
        } else {
            self.expected("an operator or the end")
        }
    }

    fn formula(&mut self) -> Parsed<FormulaTree> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            let at = self.at;
            let message = format!("this is more than {DEPTH_MAX} levels deep");
            return self.error(at..at, message);
        }
        let mut tree = self.implication()?;
        while self.connective("=").is_some() {
            tree = FormulaTree::Iff(Box::new(tree), Box::new(self.implication()?));
        }
        self.depth -= 1;
        Ok(tree)
    }

    fn implication(&mut self) -> Parsed<FormulaTree> {
        let mut tree = self.junction()?;
        while self.connective(">").is_some() {
            tree = FormulaTree::Implies(Box::new(tree), Box::new(self.junction()?));
        }
        Ok(tree)
    }

    fn junction(&mut self) -> Parsed<FormulaTree> {
        let mut tree = self.joined()?;
        while let Some(kind) = self.connective("&|") {
            let next = Box::new(self.joined()?);
            tree = match kind {
                '&' => FormulaTree::And(Box::new(tree), next),
                _ => FormulaTree::Or(Box::new(tree), next),
            };
        }
        Ok(tree)
    }

    /// Formulas with `U` and the like between them, of linear time.
    fn joined(&mut self) -> Parsed<FormulaTree> {
        let mut tree = self.single()?;
        while self.is_linear {
            let Some(binary) = self.binary()? else {
                break;
            };
            let next = self.single()?;
            tree = FormulaTree::Binary(None, binary, Box::new(tree), Box::new(next));
        }
        Ok(tree)
    }

    fn binary(&mut self) -> Parsed<Option<BinaryTemporal>> {
        let Some((letter, n)) = self.operator() else {
            return Ok(None);
        };
        let binary = match letter {
            'U' => BinaryTemporal::Until,
            'W' => BinaryTemporal::WeakUntil,
            'R' => BinaryTemporal::Release,
            'S' => BinaryTemporal::Since,
            'T' => BinaryTemporal::Trigger,
            _ => return Ok(None),
        };
        self.at += n;
        Ok(Some(binary))
    }

    fn single(&mut self) -> Parsed<FormulaTree> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            let at = self.at;
            let message = format!("this is more than {DEPTH_MAX} levels deep");
            return self.error(at..at, message);
        }
        let tree = self.single_inside();
        self.depth -= 1;
        tree
    }

    fn single_inside(&mut self) -> Parsed<FormulaTree> {
        self.skip_space();
        if let Some(quantifier) = self.quantifier() {
            return self.quantified(quantifier);
        }
        let word = self.word();
        if word == "not" || self.rest().starts_with(['!', '¬']) {
            let first = self.rest().chars().next().map_or(0, char::len_utf8);
            self.at += if word == "not" { 3 } else { first };
            return Ok(FormulaTree::Not(Box::new(self.single()?)));
        }
        if self.eat("(") {
            let tree = self.formula()?;
            return if self.eat(")") {
                Ok(tree)
            } else {
                self.expected("`)`")
            };
        }
        match self.operator() {
            None => self.leaf(),
            Some((letter, n)) if self.is_linear => self.linear(letter, n),
            Some((letter, n)) => self.branching(letter, n),
        }
    }

    /// What `#x.` or `!x.` says, if that comes next; nothing is taken.
    fn quantifier(&self) -> Option<PathQuantifier> {
        let signs = [
            ("#", PathQuantifier::Some),
            ("!", PathQuantifier::All),
            ("∃", PathQuantifier::Some),
            ("∀", PathQuantifier::All),
        ];
        let rest = self.rest();
        signs.into_iter().find_map(|(sign, quantifier)| {
            let rest = rest.strip_prefix(sign)?.trim_start();
            let n = rest.find(|c| !is_in_word(c)).unwrap_or(rest.len());
            let is_one = n > 0 && rest[n..].trim_start().starts_with('.');
            is_one.then_some(quantifier)
        })
    }

    /// `#x.(f)` or `!x.(f)`.
    fn quantified(&mut self, quantifier: PathQuantifier) -> Parsed<FormulaTree> {
        self.at += self.rest().chars().next().map_or(0, char::len_utf8);
        self.skip_space();
        let (start, word) = (self.at, self.word());
        self.at += word.len();
        let name = Name {
            text: word.into(),
            span: self.span(start..self.at),
        };
        self.eat(".");
        if !self.eat("(") {
            return self.expected("`(`");
        }
        let inside = Box::new(self.formula()?);
        if self.eat(")") {
            Ok(FormulaTree::Quantified(quantifier, name, inside))
        } else {
            self.expected("`)`")
        }
    }

    fn linear(&mut self, letter: char, n: usize) -> Parsed<FormulaTree> {
        let unary = match letter {
            'G' => UnaryTemporal::Globally,
            'F' => UnaryTemporal::Finally,
            'X' => UnaryTemporal::Next,
            'H' => UnaryTemporal::Historically,
            'O' => UnaryTemporal::Once,
            'Y' => UnaryTemporal::Yesterday,
            _ => return self.expected("a formula"),
        };
        self.at += n;
        Ok(FormulaTree::Unary(None, unary, Box::new(self.single()?)))
    }

    /// What comes after `A` or `E`.
    fn branching(&mut self, letter: char, n: usize) -> Parsed<FormulaTree> {
        let path = match letter {
            'A' => PathQuantifier::All,
            'E' => PathQuantifier::Some,
            _ => return self.expected("a formula, which begins with `A` or `E` if it is of time"),
        };
        let start = self.at;
        self.at += n;
        let unary = match self.operator().map(|(letter, _)| letter) {
            Some('X') => UnaryTemporal::Next,
            Some('F') => UnaryTemporal::Finally,
            Some('G') => UnaryTemporal::Globally,
            _ => return self.until(path),
        };
        self.at += 1;
        self.skip_space();
        if unary == UnaryTemporal::Next && self.rest().starts_with('[') {
            let step = self.enclosed()?;
            let step = self.in_b(step)?;
            let span = self.span(start..self.at);
            let f = Box::new(self.single()?);
            return match path {
                PathQuantifier::Some => Ok(FormulaTree::ByStep(step, f, span)),
                // After each such step, if there are any: none leads elsewhere.
                PathQuantifier::All => {
                    let elsewhere = Box::new(FormulaTree::Not(f));
                    Ok(FormulaTree::Not(Box::new(FormulaTree::ByStep(
                        step, elsewhere, span,
                    ))))
                }
            };
        }
        Ok(FormulaTree::Unary(
            Some(path),
            unary,
            Box::new(self.single()?),
        ))
    }

    /// `f U g` after `A` or `E`, also in parentheses.
    fn until(&mut self, path: PathQuantifier) -> Parsed<FormulaTree> {
        let is_open = self.eat("(");
        let left = if is_open {
            self.formula()?
        } else {
            self.single()?
        };
        let closed = is_open && self.eat(")");
        let Some(binary) = self.binary()? else {
            return self.expected("`U`, `W` or `R`");
        };
        let right = if is_open && !closed {
            self.formula()?
        } else {
            self.single()?
        };
        if is_open && !closed && !self.eat(")") {
            return self.expected("`)`");
        }
        Ok(FormulaTree::Binary(
            Some(path),
            binary,
            Box::new(left),
            Box::new(right),
        ))
    }

    /// The range inside brackets that come next, which are taken.
    fn enclosed(&mut self) -> Parsed<Range<usize>> {
        let start = self.at;
        let mut depth = 0_usize;
        for (i, c) in self.text[start..].char_indices() {
            match c {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                self.at = start + i + c.len_utf8();
                return Ok(start + 1..start + i);
            }
        }
        self.error(start..start + 1, "this bracket is not closed")
    }

    /// What a part of the text says in B.
    fn in_b(&mut self, range: Range<usize>) -> Parsed<Expr> {
        let text = &self.text[range.clone()];
        let source = self.place.0.source;
        let mut tokens = lex::lex(source, text);
        for token in &mut tokens {
            let inside = token.span.range();
            token.span = self.span(range.start + inside.start..range.start + inside.end);
        }
        let end = self.span(range.end..range.end);
        let mut found = Diagnostics::new();
        let formula = parse::formula_of(source, tokens, end.start as usize, &mut found);
        self.wrong.extend(found.sorted());
        formula.ok_or(Reported)
    }

    fn leaf(&mut self) -> Parsed<FormulaTree> {
        let start = self.at;
        let leaf = if self.rest().starts_with('{') {
            let inside = self.enclosed()?;
            StateFormula::Pred(self.in_b(inside)?)
        } else if self.rest().starts_with('[') {
            if !self.is_linear {
                let message = "what the next step is depends on the run: `EX[op] f` says that one \
                               is `op` and leads to `f`";
                return self.error(start..start + 1, message);
            }
            let inside = self.enclosed()?;
            StateFormula::Next(self.in_b(inside)?)
        } else {
            match self.named()? {
                Ok(leaf) => leaf,
                Err(constant) => return Ok(FormulaTree::Constant(constant)),
            }
        };
        Ok(FormulaTree::Leaf(leaf, self.span(start..self.at)))
    }

    /// What begins with a word: a leaf, or `true` or `false`.
    fn named(&mut self) -> Parsed<Result<StateFormula, bool>> {
        let word = self.word();
        let at = self.at;
        self.at += word.len();
        let is_open = self.rest().starts_with('(');
        let leaf = match word {
            "true" | "false" => return Ok(Err(word == "true")),
            "e" if is_open => {
                let inside = self.enclosed()?;
                StateFormula::Enabled(self.in_b(inside)?)
            }
            "deadlock" | "deterministic" | "controller" if is_open => {
                let count = match word {
                    "deadlock" => Count::None,
                    "deterministic" => Count::AtMostOne,
                    _ => Count::One,
                };
                StateFormula::Count(count, self.operations()?)
            }
            "deadlock" => StateFormula::Dead,
            "sink" => StateFormula::Sink,
            "goal" => StateFormula::Goal,
            "WF" | "wf" | "SF" | "sf" if is_open && self.is_linear => {
                let inside = self.enclosed()?;
                StateFormula::Fair(fair(word), Some(self.in_b(inside)?))
            }
            "WEF" | "SEF" if self.is_linear => StateFormula::Fair(fair(word), None),
            "current" | "error" | "Av" | "available" => {
                let message = format!("{} is not supported", quote(word));
                return self.error(at..at + word.len(), message);
            }
            _ => {
                self.at = at;
                return self.expected("a formula");
            }
        };
        Ok(Ok(leaf))
    }

    /// Operations in parentheses, with commas between them.
    fn operations(&mut self) -> Parsed<Vec<Expr>> {
        let inside = self.enclosed()?;
        let (mut all, mut depth, mut from) = (Vec::new(), 0_i32, inside.start);
        let text = &self.text[..inside.end];
        for (i, c) in text.char_indices().skip_while(|(i, _)| *i < inside.start) {
            match c {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth -= 1,
                ',' if depth == 0 => {
                    all.push(self.in_b(from..i)?);
                    from = i + 1;
                }
                _ => {}
            }
        }
        all.push(self.in_b(from..inside.end)?);
        Ok(all)
    }
}

fn fair(word: &str) -> Fair {
    if word.starts_with(['W', 'w']) {
        Fair::Weak
    } else {
        Fair::Strong
    }
}
