//! Sending and receiving.

use super::{Parsed, Parser};
use crate::ast::{Pattern, Receive, Reference, Send, StmtKind};

impl Parser<'_> {
    /// `c!a,b` after the channel; also `c!a(b)`, which means the same.
    pub(super) fn send(&mut self, channel: Reference) -> Parsed<StmtKind> {
        let sorted = self.bump().is("!!");
        let mut fields = vec![self.expr()?];
        if self.eat("(") {
            fields.push(self.expr()?);
            while self.eat(",") {
                fields.push(self.expr()?);
            }
            self.expect(")")?;
        } else {
            while self.eat(",") {
                fields.push(self.expr()?);
            }
        }
        Ok(StmtKind::Send(Send {
            channel,
            fields,
            sorted,
        }))
    }

    /// `c?a,b` or `c?<a,b>` after the channel.
    pub(super) fn receive(&mut self, channel: Reference) -> Parsed<StmtKind> {
        let random = self.bump().is("??");
        let keep = self.eat("<");
        let mut fields = Vec::new();
        self.patterns(&mut fields)?;
        if keep {
            self.expect(">")?;
        }
        Ok(StmtKind::Receive(Receive {
            channel,
            fields,
            random,
            keep,
        }))
    }

    /// `c?[a,b]` after the channel.
    pub(super) fn poll(&mut self, channel: Reference) -> Parsed<Receive> {
        let random = self.bump().is("??");
        self.expect("[")?;
        let mut fields = Vec::new();
        self.patterns(&mut fields)?;
        self.expect("]")?;
        Ok(Receive {
            channel,
            fields,
            random,
            keep: true,
        })
    }

    /// `a, eval(e), 3`; a list in parentheses counts as written out.
    fn patterns(&mut self, fields: &mut Vec<Pattern>) -> Parsed<()> {
        self.enter()?;
        loop {
            if self.eat("(") {
                self.patterns(fields)?;
                self.expect(")")?;
                break;
            }
            let pattern = self.pattern()?;
            fields.push(pattern);
            if !self.eat(",") {
                if self.eat("(") {
                    self.patterns(fields)?;
                    self.expect(")")?;
                }
                break;
            }
        }
        self.leave();
        Ok(())
    }

    fn pattern(&mut self) -> Parsed<Pattern> {
        let place = self.here();
        if let Some(value) = self.peek_constant() {
            self.bump();
            return Ok(Pattern::Number(value, place));
        }
        if self.eat("-") {
            let value = self.constant("a number")?;
            return Ok(Pattern::Number(value.wrapping_neg(), self.since(place)));
        }
        if self.eat_word("eval") {
            self.expect("(")?;
            let value = self.expr()?;
            self.expect(")")?;
            return Ok(Pattern::Eval(value));
        }
        self.reference("a variable, a constant or `eval(…)`")
            .map(Pattern::Reference)
    }
}
