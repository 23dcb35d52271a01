//! Expressions, by precedence climbing.
//!
//! From the loosest to the tightest: `->` and `<->` (formulas only), `||`, `&&`, `U W V` (formulas
//! only), `|`, `^`, `&`, equality, order, shifts, sums, products, signs. All lean to the left.
//! Temporal operators with one operand bind as tightly as signs: `[] x == 1` is `([] x) == 1`.

use super::{Parsed, Parser};
use crate::ast::{
    Ask, Binary, DEPTH_MAX, Expr, ExprKind, FormulaIndex, Name, Probe, Reference, ReferencePart,
    TemporalOp, Unary, Until,
};
use crate::place::Place;
use crate::token::TokenKind;
use base::quote;

/// What an operator makes of its operands.
#[derive(Clone, Copy)]
enum Infix {
    Plain(Binary),
    And,
    Or,
    Formula(Until),
}

const INFIX: [(&str, u8, Infix); 24] = [
    ("->", 1, Infix::Formula(Until::Implies)),
    ("<->", 1, Infix::Formula(Until::Equivalent)),
    ("||", 2, Infix::Or),
    ("&&", 3, Infix::And),
    ("U", 4, Infix::Formula(Until::Strong)),
    ("W", 4, Infix::Formula(Until::Weak)),
    ("V", 4, Infix::Formula(Until::Release)),
    ("since", 4, Infix::Formula(Until::Since)),
    ("|", 5, Infix::Plain(Binary::BitOr)),
    ("^", 6, Infix::Plain(Binary::BitXor)),
    ("&", 7, Infix::Plain(Binary::BitAnd)),
    ("==", 8, Infix::Plain(Binary::Equal)),
    ("!=", 8, Infix::Plain(Binary::NotEqual)),
    ("<", 9, Infix::Plain(Binary::Less)),
    ("<=", 9, Infix::Plain(Binary::LessEqual)),
    (">", 9, Infix::Plain(Binary::Greater)),
    (">=", 9, Infix::Plain(Binary::GreaterEqual)),
    ("<<", 10, Infix::Plain(Binary::ShiftLeft)),
    (">>", 10, Infix::Plain(Binary::ShiftRight)),
    ("+", 11, Infix::Plain(Binary::Add)),
    ("-", 11, Infix::Plain(Binary::Subtract)),
    ("*", 12, Infix::Plain(Binary::Multiply)),
    ("/", 12, Infix::Plain(Binary::Divide)),
    ("%", 12, Infix::Plain(Binary::Remainder)),
];

impl Parser<'_> {
    /// An expression in which `full` and its like may be joined by `&&` and `||`.
    pub(super) fn full_expr(&mut self) -> Parsed<Expr> {
        self.binary(1)
    }

    /// An expression without `full` and its like.
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        let expr = self.binary(1)?;
        self.plain(&expr)?;
        Ok(expr)
    }

    fn binary(&mut self, least: u8) -> Parsed<Expr> {
        let left = self.unary()?;
        self.binary_from(left, least)
    }

    /// The rest of an expression whose first operand has been read.
    pub(super) fn binary_from(&mut self, mut left: Expr, least: u8) -> Parsed<Expr> {
        while let Some((mark, precedence, infix)) = self.infix().filter(|&(_, p, _)| p >= least) {
            match infix {
                Infix::And | Infix::Or => {
                    let mut operands = vec![left];
                    while self.eat(mark) {
                        operands.push(self.binary(precedence + 1)?);
                    }
                    left = self.joined(infix, operands)?;
                }
                Infix::Plain(_) | Infix::Formula(_) => {
                    self.bump();
                    let right = self.binary(precedence + 1)?;
                    left = self.pair(infix, left, right)?;
                }
            }
        }
        Ok(left)
    }

    fn infix(&mut self) -> Option<(&'static str, u8, Infix)> {
        let TokenKind::Mark(mark) = self.peek()?.kind else {
            return None;
        };
        let row = INFIX.into_iter().find(|&(m, ..)| m == mark)?;
        (self.in_formula || !matches!(row.2, Infix::Formula(_))).then_some(row)
    }

    fn pair(&mut self, infix: Infix, left: Expr, right: Expr) -> Parsed<Expr> {
        self.plain(&left)?;
        self.plain(&right)?;
        let place = self.origins.join(left.place, right.place);
        let depth = left.depth.max(right.depth);
        let (left, right) = (Box::new(left), Box::new(right));
        let kind = match infix {
            Infix::Formula(until) => ExprKind::Until(until, left, right),
            Infix::Plain(binary) => ExprKind::Binary(binary, left, right),
            Infix::And | Infix::Or => unreachable!("these take lists"),
        };
        self.node(kind, place, depth)
    }

    fn joined(&mut self, infix: Infix, operands: Vec<Expr>) -> Parsed<Expr> {
        let ends = operands.first().zip(operands.last()).expect("operands");
        let place = self.origins.join(ends.0.place, ends.1.place);
        let depth = operands.iter().map(|e| e.depth).max().expect("operands");
        let probe = operands.iter().any(|e| e.probe);
        let kind = match infix {
            Infix::And => ExprKind::And(operands),
            _ => ExprKind::Or(operands),
        };
        let mut node = self.node(kind, place, depth)?;
        node.probe = probe;
        Ok(node)
    }

    /// An expression over operands of at most this depth.
    pub(super) fn node(&mut self, kind: ExprKind, place: Place, depth: u16) -> Parsed<Expr> {
        if depth >= DEPTH_MAX {
            let message = format!("this expression is more than {DEPTH_MAX} operators deep");
            return Err(self.error(place, message));
        }
        Ok(Expr {
            kind,
            place,
            depth: depth + 1,
            probe: false,
        })
    }

    /// Refuses an operand in which `full` or its like stands.
    fn plain(&mut self, operand: &Expr) -> Parsed<()> {
        if !operand.probe {
            return Ok(());
        }
        let message = "`full`, `empty`, `nfull` and `nempty` may be joined by `&&` and `||` only";
        let error = self.origins.error(operand.place, message);
        let note =
            "instead of `!full(c)` write `nfull(c)`, instead of `!empty(c)` write `nempty(c)`";
        Err(self.report(error.note(note)))
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let Some(TokenKind::Mark(mark)) = self.peek().map(|t| t.kind.clone()) else {
            return self.primary();
        };
        let temporal = match mark {
            "[]" => Some(TemporalOp::Always),
            "<>" => Some(TemporalOp::Eventually),
            "X" => Some(TemporalOp::Next),
            "yesterday" => Some(TemporalOp::Yesterday),
            "once" => Some(TemporalOp::Once),
            "historically" => Some(TemporalOp::Historically),
            _ => None,
        };
        let sign = match mark {
            "!" => Some(Unary::Not),
            "~" => Some(Unary::Complement),
            "-" => Some(Unary::Minus),
            _ => None,
        };
        if temporal.is_none() && sign.is_none() {
            return self.primary();
        }
        let start = self.bump().place;
        self.enter()?;
        let operand = self.unary()?;
        self.leave();
        self.plain(&operand)?;
        let place = self.origins.join(start, operand.place);
        let depth = operand.depth;
        let operand = Box::new(operand);
        let kind = match (temporal, sign) {
            (Some(temporal), _) => ExprKind::Temporal(temporal, operand),
            (None, sign) => ExprKind::Unary(sign.expect("one of the two"), operand),
        };
        self.node(kind, place, depth)
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let place = self.here();
        if let Some(TokenKind::Member(name, value)) = self.peek().map(|t| t.kind.clone()) {
            return self.about_member(FormulaIndex { name, value });
        }
        if self.is("(") {
            return self.parenthesised();
        }
        if let Some(value) = self.peek_constant() {
            self.bump();
            return self.node(ExprKind::Number(value), place, 0);
        }
        let Some(word) = self.peek().and_then(|t| t.name().cloned()) else {
            return Err(self.expected("an expression"));
        };
        match &*word {
            "run" => self.run(),
            "len" => self.probe(Probe::Length),
            "full" => self.probe(Probe::Full),
            "empty" => self.probe(Probe::Empty),
            "nfull" => self.probe(Probe::NotFull),
            "nempty" => self.probe(Probe::NotEmpty),
            "enabled" => self.ask(Ask::Enabled),
            "pc_value" => self.ask(Ask::PcValue),
            "get_priority" => self.ask(Ask::Priority),
            "anyRef" if self.begins_any_ref() => self.any_ref(),
            "timeout" => {
                self.bump();
                self.node(ExprKind::Timeout, place, 0)
            }
            "np_" => {
                self.bump();
                self.node(ExprKind::NonProgress, place, 0)
            }
            "c_expr" => {
                self.embedded_c();
                self.node(ExprKind::Number(1), place, 0)
            }
            _ => {
                let reference = self.reference("an expression")?;
                self.after_reference(reference)
            }
        }
    }

    /// `(e)` or `(a -> b : c)`
    fn parenthesised(&mut self) -> Parsed<Expr> {
        let start = self.bump().place;
        self.enter()?;
        let first = self.full_expr()?;
        let expr = if !self.in_formula && self.eat("->") {
            self.plain(&first)?;
            let yes = self.expr()?;
            self.expect(":")?;
            let no = self.expr()?;
            self.expect(")")?;
            self.choice(start, [first, yes, no])?
        } else if self.is(":") && is_implication(&first) {
            self.bump();
            let ExprKind::Until(_, condition, yes) = first.kind else {
                unreachable!("an implication")
            };
            let no = self.expr()?;
            self.expect(")")?;
            self.choice(start, [*condition, *yes, no])?
        } else {
            self.expect(")")?;
            first
        };
        self.leave();
        Ok(expr)
    }

    fn choice(&mut self, start: Place, three: [Expr; 3]) -> Parsed<Expr> {
        let place = self.since(start);
        let depth = three.iter().map(|e| e.depth).max().unwrap_or(0);
        self.node(ExprKind::Choice(Box::new(three)), place, depth)
    }

    /// What a quantifier says of one member, in parentheses.
    fn about_member(&mut self, index: FormulaIndex) -> Parsed<Expr> {
        let start = self.bump().place;
        self.enter()?;
        let inside = self.full_expr()?;
        self.expect(")")?;
        self.leave();
        self.plain(&inside)?;
        let place = self.origins.join(start, inside.place);
        let depth = inside.depth;
        self.node(ExprKind::Member(index, Box::new(inside)), place, depth)
    }

    /// `run p(arguments) priority n`
    fn run(&mut self) -> Parsed<Expr> {
        let start = self.bump().place;
        let name = self.name("the name of a process")?;
        self.expect("(")?;
        let mut arguments = Vec::new();
        while !self.is(")") {
            arguments.push(self.expr()?);
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")")?;
        let priority = self.priority()?;
        let depth = arguments.iter().map(|e| e.depth).max().unwrap_or(0);
        let place = self.since(start);
        self.node(ExprKind::Run(name, arguments, priority), place, depth)
    }

    fn probe(&mut self, probe: Probe) -> Parsed<Expr> {
        let start = self.bump().place;
        self.expect("(")?;
        let channel = self.reference("a channel")?;
        self.expect(")")?;
        let place = self.since(start);
        let depth = depth_of(&channel);
        let mut node = self.node(ExprKind::Probe(probe, channel), place, depth)?;
        node.probe = probe != Probe::Length;
        Ok(node)
    }

    fn ask(&mut self, ask: Ask) -> Parsed<Expr> {
        let start = self.bump().place;
        self.expect("(")?;
        let process = self.expr()?;
        self.expect(")")?;
        let place = self.since(start);
        let depth = process.depth;
        self.node(ExprKind::Ask(ask, Box::new(process)), place, depth)
    }

    /// `a[i].b`
    pub(super) fn reference(&mut self, wanted: &str) -> Parsed<Reference> {
        let start = self.here();
        let mut parts = vec![self.part(wanted)?];
        while self.eat(".") {
            parts.push(self.part("the name of a field")?);
        }
        let place = self.since(start);
        Ok(Reference { parts, place })
    }

    fn part(&mut self, wanted: &str) -> Parsed<ReferencePart> {
        let name = self.name(wanted)?;
        if self.inlines.contains_key(&name.text) {
            let message = format!(
                "{} is an inline; a call of it is a statement",
                quote(&name.text)
            );
            return Err(self.error(name.place, message));
        }
        let index = if self.is("[") {
            self.bump();
            self.enter()?;
            let index = self.expr()?;
            self.leave();
            self.expect("]")?;
            Some(Box::new(index))
        } else {
            None
        };
        Ok(ReferencePart { name, index })
    }

    /// What begins with a reference: a variable, a poll, a remote reference.
    pub(super) fn after_reference(&mut self, reference: Reference) -> Parsed<Expr> {
        let place = reference.place;
        let depth = depth_of(&reference);
        let polls = self.is("?") || self.is("??");
        if polls && self.peek_raw(1).is_some_and(|t| t.is("[")) {
            let poll = self.poll(reference)?;
            let place = self.since(place);
            return self.node(ExprKind::Poll(Box::new(poll)), place, depth);
        }
        let single = reference.parts.len() == 1;
        let is_process = single && self.processes.contains(&reference.parts[0].name.text);
        if single && self.eat("@") {
            let (process, index) = process_of(reference);
            let label = self.name("a label")?;
            let place = self.since(place);
            return self.node(ExprKind::RemoteLabel(process, index, label), place, depth);
        }
        if is_process && self.eat(":") {
            let (process, index) = process_of(reference);
            let variable = Box::new(self.part("the name of a variable")?);
            let place = self.since(place);
            return self.node(
                ExprKind::RemoteVariable(process, index, variable),
                place,
                depth,
            );
        }
        self.node(ExprKind::Reference(reference), place, depth)
    }
}

/// Whether `->` is what an expression of a formula was made with last: before `:` it chooses.
fn is_implication(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Until(Until::Implies, ..))
}

/// The depth of the deepest index of a reference.
fn depth_of(reference: &Reference) -> u16 {
    let indices = reference.parts.iter().filter_map(|p| p.index.as_ref());
    indices.map(|e| e.depth).max().unwrap_or(0)
}

fn process_of(reference: Reference) -> (Name, Option<Box<Expr>>) {
    let part = reference
        .parts
        .into_iter()
        .next()
        .expect("a reference has a part");
    (part.name, part.index)
}
