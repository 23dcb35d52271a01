//! Expressions: one operand, then operators as long as they bind tightly enough.
//!
//! [`Parser::expr`] takes the lowest level it may go down to, and climbs: `a + b * c` is read with
//! an operand `a`, then `+`, whose right operand is read at the level above `+` and so takes
//! `b * c`. Operators of processes are in `processes.rs`; they stand on the same ladder.
//!
//! A prefix such as `-`, `if` or `||| x : S @` may stand where an operand is expected, whatever
//! its own level: `a ^ if b then c else d ^ e` takes all of `d ^ e` into the `else`.

use super::{Parsed, Parser, level};
use crate::ast::{BinaryOp, BracketElements, Expr, ExprKind, Process, UnaryOp};
use crate::token::TokenKind;
use base::Span;

/// Operators of which a row means the same however it is bracketed.
const ASSOCIATIVE: &[&str] = &["[]", "|~|", "|||", ";", "and", "or", "^", "+"];
/// How many operands of such a row are joined from left to right.
const CHAIN_MAX: usize = 100;

/// An expression and the height of its tree.
struct Subtree {
    expr: Expr,
    height: u16,
}

impl Parser<'_> {
    /// An expression of this level or a higher one.
    pub(super) fn expr(&mut self, lowest: u8) -> Parsed<Expr> {
        self.nested(|p| p.climb(lowest))
    }

    fn climb(&mut self, lowest: u8) -> Parsed<Expr> {
        let start = self.here();
        let mut left = self.operand()?;
        // The level of an operator that does not associate and was read last.
        let mut lonely = None;
        while let Some(found) = self.operator_level().filter(|found| *found >= lowest) {
            if lonely == Some(found) {
                return Err(self.unclear(found));
            }
            left = match self.associative() {
                Some(mark) => self.chain(mark, left, found)?,
                None => self.operation(start, left, found)?,
            };
            let is_lonely = matches!(found, level::COMPARE | level::PARALLEL);
            lonely = is_lonely.then_some(found);
        }
        Ok(left)
    }

    /// The level of the operator that is next, if one is.
    fn operator_level(&self) -> Option<u8> {
        let kind = self.kind()?;
        if matches!(kind, TokenKind::Mark(">")) && self.in_angles {
            return None;
        }
        if let Some((_, level)) = level::binary(kind) {
            return Some(level);
        }
        match kind {
            TokenKind::Mark(".") => Some(level::DOT),
            TokenKind::Mark(mark) => level::of_process(mark),
            _ => None,
        }
    }

    /// The operator that is next, if it does not matter how a row of it is bracketed.
    fn associative(&self) -> Option<&'static str> {
        match self.kind()? {
            TokenKind::Mark(mark) | TokenKind::Word(mark) if ASSOCIATIVE.contains(mark) => {
                Some(mark)
            }
            _ => None,
        }
    }

    /// `left` with all that a row of one associative operator joins to it.
    fn chain(&mut self, mark: &'static str, left: Expr, found: u8) -> Parsed<Expr> {
        let mut operands = vec![self.subtree(left)];
        while self.associative() == Some(mark) {
            self.at += 1;
            let right = self.expr(found + 1)?;
            operands.push(self.subtree(right));
        }
        // From left to right, as it is defined; a long row would be too high a tree, and is
        // halved instead.
        while operands.len() > CHAIN_MAX {
            let mut halved = Vec::with_capacity(operands.len().div_ceil(2));
            let mut rest = operands.into_iter();
            while let Some(left) = rest.next() {
                let Some(right) = rest.next() else {
                    halved.push(left);
                    break;
                };
                // In brackets, so that the tree is what its text says.
                let both = self.link(mark, left, right)?;
                self.over(both.height)?;
                let span = both.expr.span;
                let kind = ExprKind::Brackets(Box::new(both.expr));
                halved.push(self.subtree(Expr { kind, span }));
            }
            operands = halved;
        }
        let mut rest = operands.into_iter();
        let mut left = rest.next().expect("there is a first operand");
        for right in rest {
            left = self.link(mark, left, right)?;
        }
        self.height = left.height;
        Ok(left.expr)
    }

    /// What the last production gave.
    fn subtree(&self, expr: Expr) -> Subtree {
        Subtree {
            expr,
            height: self.height,
        }
    }

    /// Two operands and an associative operator between them.
    fn link(&mut self, mark: &'static str, left: Subtree, right: Subtree) -> Parsed<Subtree> {
        let below = left.height.max(right.height);
        let (left, right) = (left.expr, right.expr);
        let span = if left.span.source == right.span.source {
            left.span.to(right.span)
        } else {
            left.span
        };
        let kind = match level::process(mark) {
            Some(op) => ExprKind::Process(Box::new(Process::Binary(op, left, right))),
            None => {
                let op = level::binary(&TokenKind::Mark(mark)).map(|(op, _)| op);
                let op = op.expect("an associative operator joins values or processes");
                ExprKind::Binary(op, Box::new(left), Box::new(right))
            }
        };
        self.over(below)?;
        Ok(self.subtree(Expr { kind, span }))
    }

    /// `left` with the operator that is next and its right operand.
    fn operation(&mut self, start: Span, left: Expr, found: u8) -> Parsed<Expr> {
        let below = self.height;
        if let Some((op, _)) = self.kind().and_then(level::binary) {
            self.at += 1;
            if op == BinaryOp::More {
                // The lexer cannot tell it from the end of a sequence.
                self.skip_newline();
            }
            let right = self.expr(found + 1)?;
            let kind = ExprKind::Binary(op, Box::new(left), Box::new(right));
            return self.node(start, below.max(self.height), kind);
        }
        if self.eat(".") {
            let right = self.expr(level::DOT)?;
            let kind = ExprKind::Dot(Box::new(left), Box::new(right));
            return self.node(start, below.max(self.height), kind);
        }
        self.process_operation(start, left, found)
    }

    /// Reports two operators in a row that do not say how they belong together.
    pub(super) fn unclear(&mut self, found: u8) -> super::Reported {
        let span = self.here();
        let message = match found {
            level::COMPARE => "comparisons do not follow one another: use `and`, or brackets",
            _ => "parallel operators in a row need brackets",
        };
        self.error(span, message)
    }

    /// An operand: something single, with arguments and renamings behind it.
    fn operand(&mut self) -> Parsed<Expr> {
        let start = self.here();
        let mut operand = self.single_expr()?;
        loop {
            if self.is("(") {
                let below = self.height;
                let open = self.bump().span;
                let arguments = self.bracketed(|p| p.list_until(")"))?;
                self.close(")", "(", open)?;
                let kind = ExprKind::Apply(Box::new(operand), arguments);
                operand = self.node(start, below.max(self.height), kind)?;
            } else if self.is("[[") {
                operand = self.renaming(start, operand)?;
            } else {
                return Ok(operand);
            }
        }
    }

    fn single_expr(&mut self) -> Parsed<Expr> {
        let start = self.here();
        let kind = match self.kind() {
            Some(TokenKind::Name(_) | TokenKind::Path(_)) => {
                let name = self.qualified("a name")?;
                return self.node(start, 0, ExprKind::Name(name));
            }
            Some(TokenKind::Number(n)) => ExprKind::Number(*n),
            Some(TokenKind::Char(c)) => ExprKind::Char(*c),
            Some(TokenKind::Text(text)) => ExprKind::Text(text.clone()),
            Some(TokenKind::Word(word)) => match *word {
                "true" => ExprKind::Bool(true),
                "false" => ExprKind::Bool(false),
                "let" => return self.let_within(start),
                "if" => return self.if_then_else(start),
                "not" => return self.unary(start, UnaryOp::Not, level::NOT),
                _ => return Err(self.expected("an expression")),
            },
            Some(TokenKind::Mark(mark)) => {
                let mark = *mark;
                return self.marked(start, mark);
            }
            _ => return Err(self.expected("an expression")),
        };
        self.at += 1;
        self.node(start, 0, kind)
    }

    /// An expression that starts with a mark.
    fn marked(&mut self, start: Span, mark: &str) -> Parsed<Expr> {
        match mark {
            "(" => self.brackets(start),
            "<>" => {
                self.at += 1;
                let kind = ExprKind::Sequence(BracketElements::List(Vec::new()));
                self.node(start, 0, kind)
            }
            "<" => self.sequence(start),
            "{" => self.set(start),
            "{|" => self.closure(start),
            "(|" => self.map(start),
            "-" => self.unary(start, UnaryOp::Minus, level::ADD),
            "#" => self.unary(start, UnaryOp::Length, level::LENGTH),
            "\\" => self.lambda(start),
            "_" => Err(self.error(start, "`_` stands only in patterns")),
            "<-" => {
                let message =
                    "`<-` draws from a set; a sequence that starts with `-` needs a space";
                let error = base::Diagnostic::error(start, message);
                Err(self.report(error.note("write `< -1, 2>`")))
            }
            _ => self.replicated(start),
        }
    }

    /// `(e)` or `(e, f)`.
    fn brackets(&mut self, start: Span) -> Parsed<Expr> {
        let open = self.bump().span;
        let mut items = self.bracketed(|p| p.list_until(")"))?;
        self.close(")", "(", open)?;
        let kind = match items.len() {
            0 => {
                let span = self.since(start);
                return Err(self.error(span, "there is nothing between these brackets"));
            }
            1 => ExprKind::Brackets(Box::new(items.remove(0))),
            _ => ExprKind::Tuple(items),
        };
        self.node(start, self.height, kind)
    }

    /// Expressions between commas up to this mark, perhaps none.
    pub(super) fn list_until(&mut self, closer: &str) -> Parsed<Vec<Expr>> {
        self.height = 0;
        if self.is(closer) {
            return Ok(Vec::new());
        }
        self.list()
    }

    /// Expressions between commas, at least one.
    fn list(&mut self) -> Parsed<Vec<Expr>> {
        let mut items = vec![self.expr(level::LOWEST)?];
        self.more(&mut items)?;
        Ok(items)
    }

    /// Further expressions, each after a comma.
    fn more(&mut self, items: &mut Vec<Expr>) -> Parsed<()> {
        let mut tallest = self.height;
        while self.eat(",") {
            items.push(self.expr(level::LOWEST)?);
            tallest = tallest.max(self.height);
        }
        self.height = tallest;
        Ok(())
    }

    /// `<e, f>`, `<e..>`, `<e | x <- s>`.
    fn sequence(&mut self, start: Span) -> Parsed<Expr> {
        let open = self.bump().span;
        let elements = self.with_angles(true, |p| p.elements(">"))?;
        self.close(">", "<", open)?;
        self.node(start, self.height, ExprKind::Sequence(elements))
    }

    /// `{e, f}`, `{e..f}`, `{e | x <- s}`.
    fn set(&mut self, start: Span) -> Parsed<Expr> {
        let open = self.bump().span;
        let elements = self.bracketed(|p| p.elements("}"))?;
        self.close("}", "{", open)?;
        self.node(start, self.height, ExprKind::Set(elements))
    }

    /// `{| c, d |}`, `{| c.x | x <- s |}`.
    fn closure(&mut self, start: Span) -> Parsed<Expr> {
        let open = self.bump().span;
        let elements = self.bracketed(|p| p.elements("|}"))?;
        if matches!(
            elements,
            BracketElements::Range(..) | BracketElements::RangeSuch(..)
        ) {
            let span = self.since(start);
            return Err(self.error(span, "`..` does not stand between `{|` and `|}`"));
        }
        self.close("|}", "{|", open)?;
        self.node(start, self.height, ExprKind::Closure(elements))
    }

    /// What stands between the brackets of a sequence or set.
    fn elements(&mut self, closer: &str) -> Parsed<BracketElements> {
        self.height = 0;
        if self.is(closer) {
            return Ok(BracketElements::List(Vec::new()));
        }
        if self.is("|") {
            let such = self.such()?;
            return Ok(BracketElements::Such(Vec::new(), such));
        }
        let first = self.expr(level::LOWEST)?;
        if self.eat("..") {
            return self.range(first, closer);
        }
        let mut items = vec![first];
        self.more(&mut items)?;
        if !self.is("|") {
            return Ok(BracketElements::List(items));
        }
        let such = self.such()?;
        Ok(BracketElements::Such(items, such))
    }

    /// What follows `e..`.
    fn range(&mut self, first: Expr, closer: &str) -> Parsed<BracketElements> {
        let below = self.height;
        let mut last = None;
        if !self.is(closer) && !self.is("|") {
            last = Some(Box::new(self.expr(level::LOWEST)?));
            self.height = self.height.max(below);
        }
        let first = Box::new(first);
        if !self.is("|") {
            return Ok(BracketElements::Range(first, last));
        }
        let such = self.such()?;
        Ok(BracketElements::RangeSuch(first, last, such))
    }

    /// `| x <- s, b`, or nothing; the height before it stays counted.
    pub(super) fn such(&mut self) -> Parsed<Vec<crate::ast::Statement>> {
        if !self.eat("|") {
            return Ok(Vec::new());
        }
        let below = self.height;
        let such = self.statements()?;
        self.height = self.height.max(below);
        Ok(such)
    }

    /// `(| k => v |)`
    fn map(&mut self, start: Span) -> Parsed<Expr> {
        let open = self.bump().span;
        let pairs = self.bracketed(Parser::map_pairs)?;
        self.close("|)", "(|", open)?;
        self.node(start, self.height, ExprKind::Map(pairs))
    }

    /// `k => v` between commas, perhaps none.
    fn map_pairs(&mut self) -> Parsed<Vec<(Expr, Expr)>> {
        let mut pairs = Vec::new();
        let mut tallest = 0;
        while !self.is("|)") {
            let key = self.expr(level::LOWEST)?;
            tallest = tallest.max(self.height);
            self.expect("=>")?;
            let value = self.expr(level::LOWEST)?;
            tallest = tallest.max(self.height);
            pairs.push((key, value));
            if !self.eat(",") {
                break;
            }
        }
        self.height = tallest;
        Ok(pairs)
    }

    /// `-e`, `not e`, `#e`.
    fn unary(&mut self, start: Span, op: UnaryOp, level: u8) -> Parsed<Expr> {
        self.at += 1;
        let operand = self.expr(level + 1)?;
        self.node(start, self.height, ExprKind::Unary(op, Box::new(operand)))
    }

    /// `\ x, y @ e`
    fn lambda(&mut self, start: Span) -> Parsed<Expr> {
        self.at += 1;
        let patterns = self.patterns()?;
        let below = self.height;
        self.expect("@")?;
        let body = self.expr(level::LOWEST)?;
        let kind = ExprKind::Lambda(patterns, Box::new(body));
        self.node(start, below.max(self.height), kind)
    }

    /// `let … within e`
    fn let_within(&mut self, start: Span) -> Parsed<Expr> {
        let open = self.bump().span;
        let decls = self.let_decls(open)?;
        let below = self.height;
        let body = self.expr(level::LOWEST)?;
        let kind = ExprKind::Let(decls, Box::new(body));
        self.node(start, below.max(self.height), kind)
    }

    /// `if c then e else f`
    fn if_then_else(&mut self, start: Span) -> Parsed<Expr> {
        let open = self.bump().span;
        let condition = Box::new(self.expr(level::LOWEST)?);
        let mut below = self.height;
        self.close_word("then", "if", open)?;
        let yes = Box::new(self.expr(level::LOWEST)?);
        below = below.max(self.height);
        self.close_word("else", "if", open)?;
        let no = Box::new(self.expr(level::LOWEST)?);
        let kind = ExprKind::If(condition, yes, no);
        self.node(start, below.max(self.height), kind)
    }
}
