//! Operators of processes, on the ladder of `expressions.rs`, and their replicated forms.
//!
//! Worked example: `c?x:S!y -> P [| A |] Q \ H`. `c` is an operand, `?` starts its fields, `->`
//! takes the rest of its level, `P`; `[|` binds looser and takes the prefix as its left process;
//! `\` binds looser still and hides in all of it.

use super::{Parsed, Parser, level};
use crate::ast::{Expr, ExprKind, PrefixField, Process, ProcessOp, ReplicatedOp, Statement};
use crate::token::TokenKind;
use base::Span;

/// What stands between `[` and `]` of two processes.
enum SyncBrackets {
    /// `A || B`
    Alphabets(Expr, Expr),
    /// `a <-> b | x <- S`
    Ties(Vec<(Expr, Expr)>, Vec<Statement>),
}

impl Parser<'_> {
    /// `left` with the process operator that is next and what stands behind it.
    pub(super) fn process_operation(&mut self, start: Span, left: Expr, found: u8) -> Parsed<Expr> {
        let below = self.height;
        let Some(TokenKind::Mark(mark)) = self.kind() else {
            return Err(self.expected("an operator"));
        };
        let mark = *mark;
        if let Some(op) = level::process(mark) {
            self.at += 1;
            return self.binary_process(start, left, op, found);
        }
        match mark {
            "?" | "!" | "$" | "->" => self.prefix(start, left),
            "&" => {
                self.at += 1;
                let then = self.expr(level::PREFIX)?;
                self.process(start, below.max(self.height), Process::Guard(left, then))
            }
            "\\" | "|\\" => {
                self.at += 1;
                // What is hidden ends where an operator of processes follows.
                let events = self.expr(level::PREFIX)?;
                let process = match mark {
                    "\\" => Process::Hide(left, events),
                    _ => Process::Project(left, events),
                };
                self.process(start, below.max(self.height), process)
            }
            "[|" => {
                let open = self.bump().span;
                let events = self.bracketed(|p| p.expr(level::LOWEST))?;
                let op = if self.eat("|>") {
                    ProcessOp::Exception(events)
                } else {
                    self.close("|]", "[|", open)?;
                    ProcessOp::Parallel(events)
                };
                self.height = self.height.max(below);
                self.binary_process(start, left, op, found)
            }
            "[+" => {
                let events = self.events("[+", "+]")?;
                self.height = self.height.max(below);
                self.binary_process(start, left, ProcessOp::SyncExternal(events), found)
            }
            "/+" => {
                let events = self.events("/+", "+\\")?;
                self.height = self.height.max(below);
                self.binary_process(start, left, ProcessOp::SyncInterrupt(events), found)
            }
            _ => self.linked_or_alphabetised(start, left),
        }
    }

    /// A set between two marks.
    fn events(&mut self, opener: &str, closer: &str) -> Parsed<Expr> {
        let open = self.expect(opener)?;
        let events = self.bracketed(|p| p.expr(level::LOWEST))?;
        self.close(closer, opener, open)?;
        Ok(events)
    }

    /// The right process of an operator that associates to the left, or not at all.
    fn binary_process(
        &mut self,
        start: Span,
        left: Expr,
        op: ProcessOp,
        found: u8,
    ) -> Parsed<Expr> {
        let below = self.height;
        let right = self.expr(found + 1)?;
        let process = Process::Binary(op, left, right);
        self.process(start, below.max(self.height), process)
    }

    fn process(&mut self, start: Span, below: u16, process: Process) -> Parsed<Expr> {
        self.node(start, below, ExprKind::Process(Box::new(process)))
    }

    /// `P [ A || B ] Q` or `P [ a <-> b | x <- S ] Q`.
    fn linked_or_alphabetised(&mut self, start: Span, left: Expr) -> Parsed<Expr> {
        let below = self.height;
        let open = self.bump().span;
        let inside = self.bracketed(Parser::alphabets_or_ties)?;
        self.close("]", "[", open)?;
        self.height = self.height.max(below);
        match inside {
            SyncBrackets::Alphabets(first, second) => {
                let op = ProcessOp::Alphabetised(first, second);
                self.binary_process(start, left, op, level::PARALLEL)
            }
            SyncBrackets::Ties(pairs, such) => {
                let below = self.height;
                let right = self.expr(level::PARALLEL + 1)?;
                let process = Process::Link {
                    left,
                    pairs,
                    such,
                    right,
                };
                self.process(start, below.max(self.height), process)
            }
        }
    }

    fn alphabets_or_ties(&mut self) -> Parsed<SyncBrackets> {
        let first = self.expr(level::LOWEST)?;
        let below = self.height;
        if self.eat("||") {
            let second = self.expr(level::LOWEST)?;
            self.height = self.height.max(below);
            return Ok(SyncBrackets::Alphabets(first, second));
        }
        if !self.is("<->") {
            return Err(self.expected("`||` or `<->`"));
        }
        let pairs = self.pairs_from(first, "<->")?;
        Ok(SyncBrackets::Ties(pairs, self.such()?))
    }

    /// `a <- b, c <- d`, where the first `a` is read already.
    fn pairs_from(&mut self, first: Expr, arrow: &str) -> Parsed<Vec<(Expr, Expr)>> {
        let mut tallest = self.height;
        let mut pairs = Vec::new();
        let mut from = first;
        loop {
            self.expect(arrow)?;
            let to = self.expr(level::LOWEST)?;
            tallest = tallest.max(self.height);
            pairs.push((from, to));
            if !self.eat(",") {
                self.height = tallest;
                return Ok(pairs);
            }
            from = self.expr(level::LOWEST)?;
            tallest = tallest.max(self.height);
        }
    }

    /// `P [[ a <- b, c <- d | x <- S ]]`; without pairs, as FDR 2 allowed, nothing is renamed.
    pub(super) fn renaming(&mut self, start: Span, process: Expr) -> Parsed<Expr> {
        let below = self.height;
        let open = self.bump().span;
        self.height = 0;
        let (mut pairs, mut such) = (Vec::new(), Vec::new());
        if !self.is("]]") {
            (pairs, such) = self.bracketed(|p| {
                let first = p.expr(level::LOWEST)?;
                let pairs = p.pairs_from(first, "<-")?;
                Ok((pairs, p.such()?))
            })?;
        }
        self.close("]]", "[[", open)?;
        let process = Process::Rename {
            process,
            pairs,
            such,
        };
        self.process(start, below.max(self.height), process)
    }

    /// `c!x?y:S$z -> P`, where `c` is read already.
    fn prefix(&mut self, start: Span, event: Expr) -> Parsed<Expr> {
        let mut tallest = self.height;
        let mut fields = Vec::new();
        while !self.is("->") {
            fields.push(self.field()?);
            tallest = tallest.max(self.height);
        }
        self.at += 1;
        let then = self.expr(level::PREFIX)?;
        let process = Process::Prefix {
            event,
            fields,
            then,
        };
        self.process(start, tallest.max(self.height), process)
    }

    /// `!e`, `?p:S` or `$p:S`.
    fn field(&mut self) -> Parsed<PrefixField> {
        if self.eat("!") {
            return Ok(PrefixField::Output(self.expr(level::FIELD + 1)?));
        }
        let is_input = self.is("?");
        if !is_input && !self.is("$") {
            return Err(self.expected("`->` or a field of the event"));
        }
        self.at += 1;
        let pattern = self.pattern()?;
        let below = self.height;
        let mut from = None;
        if self.eat(":") {
            from = Some(self.expr(level::FIELD + 1)?);
            self.height = self.height.max(below);
        }
        Ok(if is_input {
            PrefixField::Input(pattern, from)
        } else {
            PrefixField::Choose(pattern, from)
        })
    }

    /// `op x : S, y : T @ P`
    pub(super) fn replicated(&mut self, start: Span) -> Parsed<Expr> {
        let Some(TokenKind::Mark(mark)) = self.kind() else {
            return Err(self.expected("an expression"));
        };
        let mark = *mark;
        self.height = 0;
        let op = match mark {
            "||" => return self.alphabetised(start),
            "[|" => ReplicatedOp::Parallel(self.events("[|", "|]")?),
            "[+" => ReplicatedOp::SyncExternal(self.events("[+", "+]")?),
            "[" => self.ties()?,
            _ => {
                let op = match mark {
                    "[]" => ReplicatedOp::External,
                    "|~|" => ReplicatedOp::Internal,
                    ";" => ReplicatedOp::Then,
                    "|||" => ReplicatedOp::Interleave,
                    _ => return Err(self.expected("an expression")),
                };
                self.at += 1;
                op
            }
        };
        let mut tallest = self.height;
        let over = self.statements()?;
        tallest = tallest.max(self.height);
        self.at_sign(start, mark)?;
        let body = self.expr(level::LOWEST)?;
        let process = Process::Replicated { op, over, body };
        self.process(start, tallest.max(self.height), process)
    }

    /// `[ a <-> b | x <- S ]` before generators.
    fn ties(&mut self) -> Parsed<ReplicatedOp> {
        let open = self.bump().span;
        let (pairs, such) = self.bracketed(|p| {
            let first = p.expr(level::LOWEST)?;
            let pairs = p.pairs_from(first, "<->")?;
            Ok((pairs, p.such()?))
        })?;
        self.close("]", "[", open)?;
        Ok(ReplicatedOp::Link(pairs, such))
    }

    /// `|| x : S @ [ A(x) ] P(x)`. It binds like the other parallel operators, not like the other
    /// replicated ones: `|| x : S @ [A] P ||| Q` is `(|| x : S @ [A] P) ||| Q`.
    fn alphabetised(&mut self, start: Span) -> Parsed<Expr> {
        self.at += 1;
        let over = self.statements()?;
        let mut tallest = self.height;
        self.at_sign(start, "||")?;
        let events = self.events("[", "]")?;
        tallest = tallest.max(self.height);
        let body = self.expr(level::PARALLEL + 1)?;
        if self.is("[|") || self.is("[") {
            return Err(self.unclear(level::PARALLEL));
        }
        let op = ReplicatedOp::Alphabetised(events);
        let process = Process::Replicated { op, over, body };
        self.process(start, tallest.max(self.height), process)
    }

    fn at_sign(&mut self, start: Span, mark: &str) -> Parsed<Span> {
        if self.is("@") {
            return Ok(self.bump().span);
        }
        let opener = self
            .opened(mark, start)
            .replacen("the", "the replicated", 1);
        Err(self.expected_after(&format!("`@` for {opener}"), start))
    }
}
