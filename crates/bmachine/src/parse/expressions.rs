//! Formulas, by precedence climbing.
//!
//! From the loosest to the tightest: `;` and `||` (inside brackets only), `=>`, `&` and `or` (the
//! same priority, so `a & b or c` is `(a & b) or c`), `<=>`, comparisons, sets of relations and
//! functions, operators on sets and relations and `|->`, `..`, sums, products, `**`, signs, and
//! what stands behind an operand: `~`, `[S]`, `(x)`, `'a`. All lean to the left but `**`.

use super::{Parsed, Parser};
use crate::ast::{DEPTH_MAX, Expr, ExprKind, Name};
use crate::token::{EMPTY_SET, TokenKind};
use base::{Diagnostic, Span, quote};

/// The priority of what stands between brackets.
const BRACKETED: u8 = 20;
/// The priority of a formula elsewhere.
const FORMULA: u8 = 30;

const INFIX: &[(&[&str], u8)] = &[
    (&[";", "||"], BRACKETED),
    (&["=>"], FORMULA),
    (&["&", "or"], 40),
    (&["<=>"], 60),
    (
        &[
            "=", "/=", ":", "/:", "<:", "/<:", "<<:", "/<<:", "<", "<=", ">", ">=",
        ],
        100,
    ),
    (
        &[
            "<->", "<<->", "<->>", "<<->>", "+->", "-->", ">+>", ">->", "+->>", "-->>", ">+>>",
            ">->>",
        ],
        125,
    ),
    (
        &[
            "\\/", "/\\", "|->", "<|", "<<|", "|>", "|>>", "<+", "><", "^", "->", "<-", "/|\\",
            "\\|/",
        ],
        160,
    ),
    (&[".."], 170),
    (&["+", "-", "\\"], 180),
    (&["*", "/", "mod"], 190),
    (&["**"], 200),
];

/// Words that are formulas by themselves.
const ALONE: [&str; 17] = [
    "TRUE", "FALSE", "BOOL", "INTEGER", "NATURAL", "NATURAL1", "INT", "NAT", "NAT1", "STRING",
    "MAXINT", "MININT", "succ", "pred", "btrue", "bfalse", EMPTY_SET,
];

/// Words with how many operands they take.
const CALLS: [(&str, usize); 36] = [
    ("card", 1),
    ("min", 1),
    ("max", 1),
    ("POW", 1),
    ("POW1", 1),
    ("FIN", 1),
    ("FIN1", 1),
    ("union", 1),
    ("inter", 1),
    ("dom", 1),
    ("ran", 1),
    ("id", 1),
    ("closure", 1),
    ("closure1", 1),
    ("fnc", 1),
    ("rel", 1),
    ("seq", 1),
    ("seq1", 1),
    ("iseq", 1),
    ("iseq1", 1),
    ("perm", 1),
    ("size", 1),
    ("first", 1),
    ("last", 1),
    ("front", 1),
    ("tail", 1),
    ("rev", 1),
    ("conc", 1),
    ("bool", 1),
    ("prj1", 2),
    ("prj2", 2),
    ("iterate", 2),
    ("SIGMA", 0),
    ("PI", 0),
    ("UNION", 0),
    ("INTER", 0),
];

impl Parser {
    /// A predicate or an expression.
    pub(super) fn formula(&mut self) -> Parsed<Expr> {
        self.binary(FORMULA)
    }

    /// The same where `;` and `||` may join relations.
    pub(super) fn bracketed(&mut self) -> Parsed<Expr> {
        self.binary(BRACKETED)
    }

    fn binary(&mut self, least: u8) -> Parsed<Expr> {
        let left = self.unary()?;
        self.binary_from(left, least)
    }

    /// The rest of a formula whose first operand has been read.
    fn binary_from(&mut self, mut left: Expr, least: u8) -> Parsed<Expr> {
        while let Some((mark, priority)) = self.infix().filter(|&(_, p)| p >= least) {
            self.at += 1;
            let right = if mark == "**" {
                self.enter()?;
                let right = self.binary(priority)?;
                self.leave();
                right
            } else {
                self.binary(priority + 1)?
            };
            left = self.joined(mark, left, right)?;
        }
        Ok(left)
    }

    fn infix(&self) -> Option<(&'static str, u8)> {
        let mark = match self.peek()?.kind {
            TokenKind::Mark(mark) => mark,
            TokenKind::Word(word @ ("or" | "mod")) => word,
            _ => return None,
        };
        let row = INFIX.iter().find(|(marks, _)| marks.contains(&mark))?;
        Some((mark, row.1))
    }

    fn joined(&mut self, mark: &'static str, left: Expr, right: Expr) -> Parsed<Expr> {
        let span = left.span.to(right.span);
        let (deep_left, deep_right) = (left.depth, right.depth);
        // Long conjunctions are wide, not deep.
        let kind = match (mark, left.kind) {
            ("&", ExprKind::And(mut all)) | ("or", ExprKind::Or(mut all)) => {
                all.push(right);
                let depth = deep_left.max(deep_right + 1);
                let kind = if mark == "&" {
                    ExprKind::And(all)
                } else {
                    ExprKind::Or(all)
                };
                return self.node(kind, span, depth - 1);
            }
            ("&", kind) => ExprKind::And(vec![Expr { kind, ..left }, right]),
            ("or", kind) => ExprKind::Or(vec![Expr { kind, ..left }, right]),
            (_, kind) => ExprKind::Infix(mark, Box::new(Expr { kind, ..left }), Box::new(right)),
        };
        self.node(kind, span, deep_left.max(deep_right))
    }

    /// A formula over operands of at most this depth.
    fn node(&mut self, kind: ExprKind, span: Span, depth: u16) -> Parsed<Expr> {
        if depth >= DEPTH_MAX {
            let message = format!("this formula is more than {DEPTH_MAX} operators deep");
            return Err(self.error(span, message));
        }
        Ok(Expr {
            kind,
            span,
            depth: depth + 1,
        })
    }

    fn leaf(&mut self, kind: ExprKind, span: Span) -> Parsed<Expr> {
        self.node(kind, span, 0)
    }

    /// A formula over these operands, from `start` to the token before.
    fn over(&mut self, start: Span, depth: u16, kind: ExprKind) -> Parsed<Expr> {
        let span = self.since(start);
        self.node(kind, span, depth)
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let start = self.here();
        if self.eat("-") {
            self.enter()?;
            let operand = self.unary()?;
            self.leave();
            let depth = operand.depth;
            return self.over(start, depth, ExprKind::Minus(Box::new(operand)));
        }
        if self.eat_word("not") {
            self.expect("(")?;
            self.enter()?;
            let operand = self.formula()?;
            self.leave();
            self.expect(")")?;
            let depth = operand.depth;
            return self.over(start, depth, ExprKind::Not(Box::new(operand)));
        }
        self.postfix()
    }

    /// An operand and what stands behind it.
    pub(super) fn postfix(&mut self) -> Parsed<Expr> {
        let operand = self.primary()?;
        self.postfix_from(operand)
    }

    fn postfix_from(&mut self, mut left: Expr) -> Parsed<Expr> {
        loop {
            let (start, depth) = (left.span, left.depth);
            left = if self.eat("~") {
                self.over(start, depth, ExprKind::Inverse(Box::new(left)))?
            } else if self.is("(") {
                self.at += 1;
                let arguments = self.list(")")?;
                let depth = deepest(&arguments).max(depth);
                self.over(start, depth, ExprKind::Apply(Box::new(left), arguments))?
            } else if self.is("[") {
                self.at += 1;
                self.enter()?;
                let set = self.bracketed()?;
                self.leave();
                self.expect("]")?;
                let depth = depth.max(set.depth);
                self.over(start, depth, ExprKind::Image(Box::new(left), Box::new(set)))?
            } else if self.eat("'") {
                let field = self.name("the name of a field")?;
                self.over(start, depth, ExprKind::Field(Box::new(left), field))?
            } else {
                return Ok(left);
            };
        }
    }

    /// Formulas between commas up to a closing bracket, which is taken.
    pub(super) fn list(&mut self, close: &str) -> Parsed<Vec<Expr>> {
        self.enter()?;
        let mut all = vec![self.bracketed()?];
        while self.eat(",") {
            all.push(self.bracketed()?);
        }
        self.leave();
        self.expect(close)?;
        Ok(all)
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let Some(token) = self.peek().cloned() else {
            return Err(self.expected("a formula"));
        };
        let span = token.span;
        match token.kind {
            TokenKind::Number(n) => {
                self.at += 1;
                self.leaf(ExprKind::Int(n), span)
            }
            TokenKind::Big(n) => {
                self.at += 1;
                self.leaf(ExprKind::Big(n), span)
            }
            TokenKind::Text(text) => {
                self.at += 1;
                self.leaf(ExprKind::Text(text), span)
            }
            TokenKind::Name(_) => self.name_or_old(),
            TokenKind::Word(word) => self.word(word),
            TokenKind::Mark(mark) => match mark {
                "(" => self.parenthesised(),
                "{" => self.set(),
                "[" => self.sequence(),
                "<>" => {
                    self.at += 1;
                    self.leaf(ExprKind::Seq(Vec::new()), span)
                }
                "!" | "#" => self.quantified(mark),
                "%" => self.quantified_value(mark),
                _ => Err(self.expected("a formula")),
            },
            TokenKind::Stray(_) | TokenKind::Bad(_) => Err(self.expected("a formula")),
        }
    }

    fn name_or_old(&mut self) -> Parsed<Expr> {
        let name = self.dotted("a formula")?;
        let span = name.span;
        if self.is("$") {
            self.at += 1;
            return match self.peek().map(|t| t.kind.clone()) {
                Some(TokenKind::Number(0)) => {
                    self.at += 1;
                    self.over(span, 0, ExprKind::Old(name))
                }
                _ => Err(self.expected("`0`")),
            };
        }
        self.leaf(ExprKind::Name(name), span)
    }

    fn word(&mut self, word: &'static str) -> Parsed<Expr> {
        let start = self.here();
        if ALONE.contains(&word) {
            self.at += 1;
            return self.leaf(ExprKind::Word(word), start);
        }
        match word {
            "IF" => return self.if_formula(),
            "LET" => return self.let_formula(),
            "rec" | "struct" => return self.record(word),
            "SIGMA" | "PI" | "UNION" | "INTER" => return self.quantified_value(word),
            "REAL" => {
                return Err(self.error(start, "real numbers are not supported"));
            }
            _ => {}
        }
        let Some(&(_, n)) = CALLS.iter().find(|(w, _)| *w == word) else {
            return Err(self.expected("a formula"));
        };
        self.at += 1;
        self.expect("(")?;
        let arguments = self.list(")")?;
        if arguments.len() != n {
            let span = self.since(start);
            let message = format!(
                "{} takes {n} operand{}, not {}",
                quote(word),
                if n == 1 { "" } else { "s" },
                arguments.len()
            );
            return Err(self.error(span, message));
        }
        let depth = deepest(&arguments);
        self.over(start, depth, ExprKind::Call(word, arguments))
    }

    /// `(e)`, `(a, b)`
    fn parenthesised(&mut self) -> Parsed<Expr> {
        let start = self.bump().span;
        let mut all = self.list(")")?;
        let depth = deepest(&all);
        if all.len() == 1
            && let Some(inner) = all.pop()
        {
            return Ok(inner);
        }
        self.over(start, depth, ExprKind::Tuple(all))
    }

    /// `{a, b}`, `{x, y | P}`, `{x · P | E}`
    fn set(&mut self) -> Parsed<Expr> {
        let start = self.bump().span;
        if self.eat("}") {
            return self.over(start, 0, ExprKind::Set(Vec::new()));
        }
        self.enter()?;
        let mut all = vec![self.formula()?];
        while self.eat(",") {
            all.push(self.formula()?);
        }
        let expr = if self.eat("|") {
            let bound = self.as_names(all)?;
            let predicate = self.formula()?;
            self.expect("}")?;
            let depth = predicate.depth;
            self.over(
                start,
                depth,
                ExprKind::Comprehension(bound, Box::new(predicate)),
            )?
        } else if self.eat(".") || self.eat("·") {
            let bound = self.as_names(all)?;
            let parts = self.collected()?;
            self.expect("}")?;
            let depth = deepest(&parts);
            self.over(start, depth, ExprKind::Collected(bound, Box::new(parts)))?
        } else {
            self.expect("}")?;
            let depth = deepest(&all);
            self.over(start, depth, ExprKind::Set(all))?
        };
        self.leave();
        Ok(expr)
    }

    /// `(P | E)` or `P | E`: a bracket may belong to both or to the predicate alone.
    fn collected(&mut self) -> Parsed<[Expr; 2]> {
        let predicate = if self.eat("(") {
            self.enter()?;
            let inner = self.bracketed()?;
            self.leave();
            if self.eat("|") {
                let value = self.bracketed()?;
                self.expect(")")?;
                return Ok([inner, value]);
            }
            self.expect(")")?;
            let operand = self.postfix_from(inner)?;
            self.binary_from(operand, FORMULA)?
        } else {
            self.formula()?
        };
        self.expect("|")?;
        Ok([predicate, self.formula()?])
    }

    fn as_names(&mut self, all: Vec<Expr>) -> Parsed<Vec<Name>> {
        let mut names = Vec::new();
        for expr in all {
            match expr.kind {
                ExprKind::Name(name) if !name.text.contains('.') => names.push(name),
                _ => {
                    let message = "only names can be bound here";
                    return Err(self.error(expr.span, message));
                }
            }
        }
        Ok(names)
    }

    /// `[a, b]`, `[]`
    fn sequence(&mut self) -> Parsed<Expr> {
        let start = self.bump().span;
        let all = if self.eat("]") {
            Vec::new()
        } else {
            self.list("]")?
        };
        let depth = deepest(&all);
        self.over(start, depth, ExprKind::Seq(all))
    }

    /// `x, y` or `(x, y)`, and the dot
    fn bound(&mut self) -> Parsed<Vec<Name>> {
        let names = if self.eat("(") {
            let names = self.names("the name of a bound variable")?;
            self.expect(")")?;
            names
        } else {
            self.names("the name of a bound variable")?
        };
        if !self.eat(".") && !self.eat("·") {
            return Err(self.expected("`.`"));
        }
        Ok(names)
    }

    /// `!x.(P)`, `#x.(P)`
    fn quantified(&mut self, mark: &'static str) -> Parsed<Expr> {
        let start = self.bump().span;
        let names = self.bound()?;
        self.expect("(")?;
        self.enter()?;
        let predicate = self.formula()?;
        self.leave();
        self.expect(")")?;
        let depth = predicate.depth;
        let kind = ExprKind::Quantified(mark, names, Box::new(predicate));
        self.over(start, depth, kind)
    }

    /// `%x.(P | E)`, `SIGMA(x).(P | E)` and its like
    fn quantified_value(&mut self, mark: &'static str) -> Parsed<Expr> {
        let start = self.bump().span;
        let names = self.bound()?;
        self.expect("(")?;
        self.enter()?;
        let predicate = self.formula()?;
        self.expect("|")?;
        let mut value = self.bracketed()?;
        if self.is(",") {
            // `%x.(P | a, b)` is written by some for a pair.
            let at = value.span;
            let mut all = vec![value];
            while self.eat(",") {
                all.push(self.bracketed()?);
            }
            let depth = deepest(&all);
            value = self.over(at, depth, ExprKind::Tuple(all))?;
        }
        self.leave();
        self.expect(")")?;
        let depth = predicate.depth.max(value.depth);
        let kind = ExprKind::Over(mark, names, Box::new([predicate, value]));
        self.over(start, depth, kind)
    }

    /// `rec(a: E, b: F)`, `struct(a: S)`
    fn record(&mut self, word: &'static str) -> Parsed<Expr> {
        let start = self.bump().span;
        self.expect("(")?;
        self.enter()?;
        let mut fields: Vec<(Name, Expr)> = Vec::new();
        loop {
            let name = self.name("the name of a field")?;
            self.expect(":")?;
            let value = self.bracketed()?;
            if let Some((first, _)) = fields.iter().find(|(n, _)| n.text == name.text) {
                let message = format!("the field {} is given twice", quote(&name.text));
                let error = Diagnostic::error(name.span, message);
                return Err(self.report(error.and(first.span, "here first")));
            }
            fields.push((name, value));
            if !self.eat(",") {
                break;
            }
        }
        self.leave();
        self.expect(")")?;
        let depth = fields.iter().map(|(_, e)| e.depth).max().unwrap_or(0);
        self.over(start, depth, ExprKind::Record(word, fields))
    }

    /// `IF P THEN a ELSIF Q THEN b ELSE c END`
    fn if_formula(&mut self) -> Parsed<Expr> {
        let start = self.bump().span;
        self.enter()?;
        let condition = self.formula()?;
        self.expect_word("THEN")?;
        let yes = self.formula()?;
        let no = if self.is_word("ELSIF") {
            // The inner one takes the END of all.
            self.if_formula()?
        } else {
            self.expect_word("ELSE")?;
            let no = self.formula()?;
            self.expect_word("END")?;
            no
        };
        self.leave();
        let parts = [condition, yes, no];
        let depth = deepest(&parts);
        self.over(start, depth, ExprKind::If(Box::new(parts)))
    }

    /// `LET x, y BE x = E & y = F IN G END`
    fn let_formula(&mut self) -> Parsed<Expr> {
        let start = self.bump().span;
        self.enter()?;
        let names = self.names("the name of a bound variable")?;
        self.expect_word("BE")?;
        let equations = self.formula()?;
        self.expect_word("IN")?;
        let rest = self.formula()?;
        self.expect_word("END")?;
        self.leave();
        let parts = [equations, rest];
        let depth = deepest(&parts);
        self.over(start, depth, ExprKind::Let(names, Box::new(parts)))
    }
}

fn deepest(all: &[Expr]) -> u16 {
    all.iter().map(|e| e.depth).max().unwrap_or(0)
}
