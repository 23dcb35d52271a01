//! Expressions and patterns as text.

use super::{BracketContext, ScriptListing};
use crate::ast::{
    BinaryOp, BracketElements, Expr, ExprKind, Pattern, PatternKind, Process, ReplicatedOp,
    Statement, UnaryOp,
};
use crate::parse::level;

impl ScriptListing {
    /// An expression, in brackets if what stands around it asks for them.
    pub(super) fn expr(&mut self, expr: &Expr, around: BracketContext) {
        let is_low = level_of(expr) < around.lowest;
        let is_taken = match (taken_from(expr), around.follow) {
            (Some(from), Some(follow)) => follow >= from,
            _ => false,
        };
        let is_end = self.in_angles && matches!(expr.kind, ExprKind::Binary(BinaryOp::More, ..));
        let is_negative = matches!(expr.kind, ExprKind::Number(n) if n < 0);
        if is_low || is_taken || is_end || is_negative {
            self.open("(", |l| {
                l.bracketed(|l| l.bare(expr, BracketContext::NOTHING))
            });
            self.put(")");
        } else {
            self.bare(expr, around);
        }
    }

    fn any(&mut self, expr: &Expr) {
        self.expr(expr, BracketContext::NOTHING);
    }

    fn list(&mut self, all: &[Expr]) {
        self.joined(all, ", ", |l, e| l.any(e));
    }

    fn bare(&mut self, expr: &Expr, around: BracketContext) {
        match &expr.kind {
            ExprKind::Name(name) => self.name(name),
            ExprKind::Number(n) => self.put(&n.to_string()),
            ExprKind::Bool(b) => self.put(if *b { "true" } else { "false" }),
            ExprKind::Char(c) => self.char(*c),
            ExprKind::Text(text) => self.text(text),
            ExprKind::Brackets(inside) => self.in_brackets(std::slice::from_ref(inside)),
            ExprKind::Tuple(items) => {
                self.open("(", |l| l.bracketed(|l| l.list(items)));
                self.put(")");
            }
            ExprKind::Sequence(elements) => self.sequence(elements),
            ExprKind::Set(elements) => {
                self.open("{", |l| l.bracketed(|l| l.elements(elements)));
                self.put("}");
            }
            ExprKind::Closure(elements) => {
                self.put("{| ");
                self.bracketed(|l| l.elements(elements));
                self.put(" |}");
            }
            ExprKind::Map(pairs) => self.map(pairs),
            ExprKind::Apply(function, arguments) => {
                self.expr(
                    function,
                    BracketContext::before(level::TIGHTEST, level::TIGHTEST),
                );
                self.open("(", |l| l.bracketed(|l| l.list(arguments)));
                self.put(")");
            }
            ExprKind::Lambda(patterns, body) => {
                self.put("\\ ");
                self.joined(patterns, ", ", |l, p| l.pattern(p, 0));
                self.put(" @ ");
                self.expr(body, around.right(level::LOWEST));
            }
            ExprKind::Let(decls, body) => {
                self.let_within(decls);
                self.expr(body, around.right(level::LOWEST));
            }
            ExprKind::If(condition, yes, no) => {
                self.put("if ");
                self.any(condition);
                self.put(" then ");
                self.any(yes);
                self.put(" else ");
                self.expr(no, around.right(level::LOWEST));
            }
            ExprKind::Unary(op, operand) => self.unary(*op, operand, around),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, around),
            ExprKind::Dot(left, right) => {
                self.expr(left, BracketContext::before(level::DOT + 1, level::DOT));
                self.put(".");
                self.expr(right, around.right(level::DOT));
            }
            ExprKind::Process(process) => self.process(process, around),
        }
    }

    fn in_brackets(&mut self, inside: &[Box<Expr>]) {
        self.open("(", |l| {
            l.bracketed(|l| l.joined(inside, ", ", |l, e| l.any(e)));
        });
        self.put(")");
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr, around: BracketContext) {
        let (mark, lowest) = match op {
            UnaryOp::Minus => ("-", level::ADD + 1),
            UnaryOp::Not => ("not ", level::NOT + 1),
            UnaryOp::Length => ("#", level::LENGTH + 1),
        };
        self.open(mark, |l| l.expr(operand, around.right(lowest)));
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, around: BracketContext) {
        let (mark, own) = spelling(op);
        let lowest = if own == level::COMPARE { own + 1 } else { own };
        self.expr(left, BracketContext::before(lowest, own));
        self.put(" ");
        self.put(mark);
        self.put(" ");
        self.expr(right, around.right(own + 1));
    }

    fn sequence(&mut self, elements: &BracketElements) {
        if matches!(elements, BracketElements::List(items) if items.is_empty()) {
            return self.put("<>");
        }
        let outside = std::mem::replace(&mut self.in_angles, true);
        self.open("<", |l| l.elements(elements));
        self.in_angles = outside;
        self.put(">");
    }

    pub(super) fn elements(&mut self, elements: &BracketElements) {
        match elements {
            BracketElements::List(items) => self.list(items),
            BracketElements::Range(first, last) => self.range(first, last.as_deref()),
            BracketElements::Such(items, such) => {
                self.list(items);
                self.such(such);
            }
            BracketElements::RangeSuch(first, last, such) => {
                self.range(first, last.as_deref());
                self.such(such);
            }
        }
    }

    fn range(&mut self, first: &Expr, last: Option<&Expr>) {
        self.any(first);
        self.put("..");
        if let Some(last) = last {
            self.any(last);
        }
    }

    /// ` | x <- s, b`, or nothing.
    pub(super) fn such(&mut self, such: &[Statement]) {
        if !such.is_empty() {
            self.put(" | ");
            self.statements(such, " <- ");
        }
    }

    pub(super) fn statements(&mut self, all: &[Statement], from: &str) {
        self.joined(all, ", ", |l, statement| match statement {
            Statement::From(pattern, set) => {
                l.pattern(pattern, 0);
                l.put(from);
                l.any(set);
            }
            Statement::If(condition) => l.any(condition),
        });
    }

    fn map(&mut self, pairs: &[(Expr, Expr)]) {
        self.put("(| ");
        self.bracketed(|l| l.pairs(pairs, " => "));
        self.put(" |)");
    }

    pub(super) fn pairs(&mut self, pairs: &[(Expr, Expr)], arrow: &str) {
        self.joined(pairs, ", ", |l, (from, to)| {
            l.any(from);
            l.put(arrow);
            l.any(to);
        });
    }

    /// A pattern, in brackets if it stands below `lowest`.
    pub(super) fn pattern(&mut self, pattern: &Pattern, lowest: u8) {
        let own = match &pattern.kind {
            PatternKind::Both(..) => 2,
            PatternKind::Dot(..) => level::DOT,
            PatternKind::Concat(..) => level::CONCAT,
            _ => level::TIGHTEST,
        };
        if own < lowest {
            self.put("(");
            self.bare_pattern(pattern);
            self.put(")");
        } else {
            self.bare_pattern(pattern);
        }
    }

    fn bare_pattern(&mut self, pattern: &Pattern) {
        let list = |l: &mut Self, items: &[Pattern]| l.joined(items, ", ", |l, p| l.pattern(p, 0));
        let mut two = |left: &Pattern, mark: &str, right: &Pattern, lowest: (u8, u8)| {
            self.pattern(left, lowest.0);
            self.put(mark);
            self.pattern(right, lowest.1);
        };
        match &pattern.kind {
            PatternKind::Both(left, right) => two(left, " @@ ", right, (2, 3)),
            PatternKind::Dot(left, right) => two(left, ".", right, (level::DOT + 1, level::DOT)),
            PatternKind::Concat(left, right) => {
                two(left, "^", right, (level::CONCAT, level::CONCAT + 1));
            }
            PatternKind::Name(name) => self.name(name),
            PatternKind::Any => self.put("_"),
            PatternKind::Number(n) => self.put(&n.to_string()),
            PatternKind::Bool(b) => self.put(if *b { "true" } else { "false" }),
            PatternKind::Char(c) => self.char(*c),
            PatternKind::Text(text) => self.text(text),
            PatternKind::Tuple(items) => {
                self.put("(");
                list(self, items);
                self.put(")");
            }
            PatternKind::Sequence(items) if items.is_empty() => self.put("<>"),
            PatternKind::Sequence(items) => {
                self.open("<", |l| list(l, items));
                self.put(">");
            }
            PatternKind::Set(items) => {
                self.open("{", |l| list(l, items));
                self.put("}");
            }
        }
    }
}

/// How an operator of two values is spelled, and its level.
fn spelling(op: BinaryOp) -> (&'static str, u8) {
    let found = level::BINARY.iter().find(|(_, known, _)| *known == op);
    let (mark, _, level) = found.expect("every operator is in the table");
    (mark, *level)
}

/// The level an expression stands on. What hides keeps its level on the left of other operators.
pub(super) fn level_of(expr: &Expr) -> u8 {
    match &expr.kind {
        ExprKind::Binary(op, ..) => spelling(*op).1,
        ExprKind::Dot(..) => level::DOT,
        ExprKind::Process(process) => match left_of(process) {
            Some(left) if starts_hidden(left) => level::HIDE,
            _ => own_level(process),
        },
        _ => level::TIGHTEST,
    }
}

/// Whether an expression, written without brackets, starts with a process that hides events.
fn starts_hidden(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Process(process) => {
            is_hiding(process) || left_of(process).is_some_and(starts_hidden)
        }
        _ => false,
    }
}

pub(super) fn is_hiding(process: &Process) -> bool {
    matches!(process, Process::Hide(..) | Process::Project(..))
}

/// The left process of an operator that hiding may stand left of.
fn left_of(process: &Process) -> Option<&Expr> {
    match process {
        Process::Binary(_, left, _) | Process::Link { left, .. } => Some(left),
        _ => None,
    }
}

/// The level of the operator itself.
pub(super) fn own_level(process: &Process) -> u8 {
    match process {
        Process::Prefix { .. } | Process::Guard(..) => level::PREFIX,
        Process::Binary(op, ..) => super::processes::level_of(op),
        Process::Hide(..) | Process::Project(..) => level::HIDE,
        Process::Link { .. } => level::PARALLEL,
        Process::Rename { .. } | Process::Replicated { .. } => level::TIGHTEST,
    }
}

/// From which level on an operator that follows would be read as part of the expression, for what
/// has no end of its own: `if`, `-x`, a replicated operator.
fn taken_from(expr: &Expr) -> Option<u8> {
    Some(match &expr.kind {
        ExprKind::Lambda(..) | ExprKind::Let(..) | ExprKind::If(..) => level::LOWEST,
        ExprKind::Unary(UnaryOp::Minus, _) => level::ADD + 1,
        ExprKind::Unary(UnaryOp::Not, _) => level::NOT + 1,
        ExprKind::Unary(UnaryOp::Length, _) => level::LENGTH + 1,
        ExprKind::Process(process) => match &**process {
            Process::Replicated { op, .. } => match op {
                ReplicatedOp::Alphabetised(_) => level::PARALLEL,
                _ => level::LOWEST,
            },
            _ => return None,
        },
        _ => return None,
    })
}
