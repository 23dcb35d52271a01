//! Processes as text.

use super::expressions::{is_hiding, own_level};
use super::{BracketContext, ScriptListing};
use crate::ast::{Expr, ExprKind, PrefixField, Process, ProcessOp, ReplicatedOp};
use crate::parse::level;

impl ScriptListing {
    pub(super) fn process(&mut self, process: &Process, around: BracketContext) {
        match process {
            Process::Prefix {
                event,
                fields,
                then,
            } => {
                self.expr(event, BracketContext::before(level::FIELD, level::FIELD));
                fields.iter().for_each(|field| self.field(field));
                self.put(" -> ");
                self.expr(then, around.right(level::PREFIX));
            }
            Process::Guard(condition, then) => {
                self.expr(
                    condition,
                    BracketContext::before(level::FIELD, level::PREFIX),
                );
                self.put(" & ");
                self.expr(then, around.right(level::PREFIX));
            }
            Process::Binary(op, left, right) => {
                let own = level_of(op);
                self.left(left, own);
                self.operator(op);
                self.expr(right, around.right(own + 1));
            }
            Process::Hide(process, events) => self.hidden(process, " \\ ", events, around),
            Process::Project(process, events) => self.hidden(process, " |\\ ", events, around),
            Process::Rename {
                process,
                pairs,
                such,
            } => {
                self.expr(
                    process,
                    BracketContext::before(level::TIGHTEST, level::TIGHTEST),
                );
                self.put(" [[ ");
                self.bracketed(|l| {
                    l.pairs(pairs, " <- ");
                    l.such(such);
                });
                self.put(" ]]");
            }
            Process::Link {
                left,
                pairs,
                such,
                right,
            } => {
                self.left(left, level::PARALLEL);
                self.ties(pairs, such);
                self.expr(right, around.right(level::PARALLEL + 1));
            }
            Process::Replicated { op, over, body } => self.replicated(op, over, body, around),
        }
    }

    /// The left process of an operator of level `own`: one that hides needs no brackets there.
    fn left(&mut self, left: &Expr, own: u8) {
        let lowest = if own == level::PARALLEL { own + 1 } else { own };
        let is_fit = match &left.kind {
            ExprKind::Process(process) => is_hiding(process) || own_level(process) >= lowest,
            _ => true,
        };
        let lowest = if is_fit {
            level::LOWEST
        } else {
            level::TIGHTEST + 1
        };
        self.expr(left, BracketContext::before(lowest, own));
    }

    fn hidden(&mut self, process: &Expr, mark: &str, events: &Expr, around: BracketContext) {
        self.expr(process, BracketContext::before(level::HIDE, level::HIDE));
        self.put(mark);
        self.expr(events, around.right(level::PREFIX));
    }

    fn operator(&mut self, op: &ProcessOp) {
        let mut with = |open: &str, events: &Expr, close: &str| {
            self.put(open);
            self.bracketed(|l| l.expr(events, BracketContext::NOTHING));
            self.put(close);
        };
        match op {
            ProcessOp::Parallel(events) => with(" [| ", events, " |] "),
            ProcessOp::Exception(events) => with(" [| ", events, " |> "),
            ProcessOp::SyncExternal(events) => with(" [+ ", events, " +] "),
            ProcessOp::SyncInterrupt(events) => with(" /+ ", events, " +\\ "),
            ProcessOp::Alphabetised(left, right) => {
                with(" [ ", left, " || ");
                with("", right, " ] ");
            }
            ProcessOp::External => self.put(" [] "),
            ProcessOp::Internal => self.put(" |~| "),
            ProcessOp::Then => self.put(" ; "),
            ProcessOp::Interrupt => self.put(" /\\ "),
            ProcessOp::Slide => self.put(" [> "),
            ProcessOp::Interleave => self.put(" ||| "),
        }
    }

    fn ties(&mut self, pairs: &[(Expr, Expr)], such: &[crate::ast::Statement]) {
        self.put(" [ ");
        self.bracketed(|l| {
            l.pairs(pairs, " <-> ");
            l.such(such);
        });
        self.put(" ] ");
    }

    fn field(&mut self, field: &PrefixField) {
        let value = BracketContext::before(level::FIELD + 1, level::FIELD);
        let (mark, pattern, from) = match field {
            PrefixField::Output(output) => {
                self.put("!");
                return self.expr(output, value);
            }
            PrefixField::Input(pattern, from) => ("?", pattern, from),
            PrefixField::Choose(pattern, from) => ("$", pattern, from),
        };
        self.put(mark);
        self.pattern(pattern, 0);
        if let Some(from) = from {
            self.put(" : ");
            self.expr(from, value);
        }
    }

    fn replicated(
        &mut self,
        op: &ReplicatedOp,
        over: &[crate::ast::Statement],
        body: &Expr,
        around: BracketContext,
    ) {
        let mut lowest = level::LOWEST;
        let events = |l: &mut Self, open: &str, events: &Expr, close: &str| {
            l.put(open);
            l.bracketed(|l| l.expr(events, BracketContext::NOTHING));
            l.put(close);
        };
        match op {
            ReplicatedOp::External => self.put("[] "),
            ReplicatedOp::Internal => self.put("|~| "),
            ReplicatedOp::Then => self.put("; "),
            ReplicatedOp::Interleave => self.put("||| "),
            ReplicatedOp::Parallel(set) => events(self, "[| ", set, " |] "),
            ReplicatedOp::SyncExternal(set) => events(self, "[+ ", set, " +] "),
            ReplicatedOp::Link(pairs, such) => {
                self.ties(pairs, such);
            }
            ReplicatedOp::Alphabetised(_) => self.put("|| "),
        }
        self.statements(over, " : ");
        self.put(" @ ");
        if let ReplicatedOp::Alphabetised(set) = op {
            events(self, "[ ", set, " ] ");
            lowest = level::PARALLEL + 1;
        }
        self.expr(body, around.right(lowest));
    }
}

pub(super) fn level_of(op: &ProcessOp) -> u8 {
    match op {
        ProcessOp::External | ProcessOp::SyncExternal(_) => level::EXTERNAL,
        ProcessOp::Internal => level::INTERNAL,
        ProcessOp::Then => level::THEN,
        ProcessOp::Interrupt | ProcessOp::SyncInterrupt(_) => level::INTERRUPT,
        ProcessOp::Slide => level::SLIDE,
        ProcessOp::Interleave => level::INTERLEAVE,
        ProcessOp::Parallel(_) | ProcessOp::Alphabetised(..) | ProcessOp::Exception(_) => {
            level::PARALLEL
        }
    }
}
