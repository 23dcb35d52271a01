//! Random trees, made without a thought of brackets: their text means them.

use super::tree::{plain, tree};
use base::{SourceId, Span};
use cspm::ast::{
    BinaryOp, BracketElements, Clause, Decl, DeclKind, Expr, ExprKind, Function, Name, Pattern,
    PatternKind, PrefixField, Process, ProcessOp, ReplicatedOp, Statement, UnaryOp,
};

struct Maker {
    rng: fastrand::Rng,
}

impl Maker {
    fn span(&self) -> Span {
        Span::new(SourceId::new(0), 0..0)
    }

    fn name(&mut self) -> Name {
        let modules = match self.rng.u8(0..10) {
            0 => vec!["M".into()],
            _ => Vec::new(),
        };
        let all = ["a", "b'", "P", "f", "x_1", "S"];
        Name {
            modules,
            text: all[self.rng.usize(..all.len())].into(),
            span: self.span(),
        }
    }

    fn plain_name(&mut self) -> Name {
        let mut name = self.name();
        name.modules.clear();
        name
    }

    fn expr(&mut self, depth: u8) -> Expr {
        let kind = match depth {
            0 => self.leaf(),
            _ => self.branch(depth - 1),
        };
        Expr {
            kind,
            span: self.span(),
        }
    }

    fn boxed(&mut self, depth: u8) -> Box<Expr> {
        Box::new(self.expr(depth))
    }

    fn leaf(&mut self) -> ExprKind {
        match self.rng.u8(0..8) {
            0 => ExprKind::Number(self.rng.i64(0..9)),
            1 => ExprKind::Bool(self.rng.bool()),
            2 => ExprKind::Char(['c', '\'', '\\', '\n'][self.rng.usize(0..4)]),
            3 => ExprKind::Text(["", "\"", "a\\b", "-- {-"][self.rng.usize(0..4)].into()),
            4 => ExprKind::Sequence(BracketElements::List(Vec::new())),
            _ => ExprKind::Name(self.name()),
        }
    }

    fn branch(&mut self, depth: u8) -> ExprKind {
        match self.rng.u8(0..22) {
            0 => ExprKind::Tuple(vec![self.expr(depth), self.expr(depth)]),
            1 | 2 => ExprKind::Sequence(self.elements(depth)),
            3 => ExprKind::Set(self.elements(depth)),
            4 => ExprKind::Closure(BracketElements::List(self.list(depth))),
            5 => ExprKind::Map(self.pairs(depth, 0)),
            6 | 7 => ExprKind::Apply(self.boxed(depth), self.list(depth)),
            8 => ExprKind::Lambda(vec![self.pattern(1)], self.boxed(depth)),
            9 => ExprKind::Let(self.decls(depth), self.boxed(depth)),
            10 => ExprKind::If(self.boxed(depth), self.boxed(depth), self.boxed(depth)),
            11 | 12 => {
                let all = [UnaryOp::Minus, UnaryOp::Not, UnaryOp::Length];
                ExprKind::Unary(all[self.rng.usize(0..3)], self.boxed(depth))
            }
            13..=15 => {
                let all = [
                    BinaryOp::Add,
                    BinaryOp::Subtract,
                    BinaryOp::Multiply,
                    BinaryOp::Equal,
                    BinaryOp::Less,
                    BinaryOp::More,
                    BinaryOp::AtLeast,
                    BinaryOp::And,
                    BinaryOp::Or,
                    BinaryOp::Concat,
                ];
                let op = all[self.rng.usize(..all.len())];
                ExprKind::Binary(op, self.boxed(depth), self.boxed(depth))
            }
            16 => ExprKind::Dot(self.boxed(depth), self.boxed(depth)),
            _ => ExprKind::Process(Box::new(self.process(depth))),
        }
    }

    fn list(&mut self, depth: u8) -> Vec<Expr> {
        let n = self.rng.usize(0..3);
        (0..n).map(|_| self.expr(depth)).collect()
    }

    fn pairs(&mut self, depth: u8, least: usize) -> Vec<(Expr, Expr)> {
        let n = self.rng.usize(least..3);
        (0..n)
            .map(|_| (self.expr(depth), self.expr(depth)))
            .collect()
    }

    fn elements(&mut self, depth: u8) -> BracketElements {
        let last = self.rng.bool().then(|| self.boxed(depth));
        match self.rng.u8(0..5) {
            0 => BracketElements::Range(self.boxed(depth), last),
            1 => BracketElements::Such(self.list(depth), self.statements(depth, 1)),
            2 => BracketElements::RangeSuch(self.boxed(depth), last, self.statements(depth, 1)),
            _ => BracketElements::List(self.list(depth)),
        }
    }

    fn statements(&mut self, depth: u8, least: usize) -> Vec<Statement> {
        let n = self.rng.usize(least..3);
        let mut one = || {
            if self.rng.bool() {
                Statement::From(self.pattern(2), self.expr(depth))
            } else {
                Statement::If(self.expr(depth))
            }
        };
        (0..n).map(|_| one()).collect()
    }

    fn pattern(&mut self, depth: u8) -> Pattern {
        let kind = match depth {
            0 => match self.rng.u8(0..5) {
                0 => PatternKind::Any,
                1 => PatternKind::Number(self.rng.i64(-3..3)),
                2 => PatternKind::Bool(true),
                3 => PatternKind::Text("a\"".into()),
                _ => PatternKind::Name(self.plain_name()),
            },
            _ => {
                let first = self.pattern(depth - 1);
                let second = self.pattern(depth - 1);
                match self.rng.u8(0..6) {
                    0 => PatternKind::Concat(Box::new(first), Box::new(second)),
                    1 => PatternKind::Dot(Box::new(first), Box::new(second)),
                    2 => PatternKind::Both(Box::new(first), Box::new(second)),
                    3 => PatternKind::Tuple(vec![first, second]),
                    4 => PatternKind::Sequence(vec![first]),
                    _ => PatternKind::Set(vec![first, second]),
                }
            }
        };
        Pattern {
            kind,
            span: self.span(),
        }
    }

    fn decls(&mut self, depth: u8) -> Vec<Decl> {
        let n = self.rng.usize(1..3);
        let mut one = |i: usize| {
            let clause = Clause {
                parameters: vec![vec![self.pattern(1)]; self.rng.usize(0..2)],
                body: self.expr(depth),
                span: self.span(),
            };
            let mut name = self.plain_name();
            name.text = format!("f{i}").into();
            Decl {
                kind: DeclKind::Function(Function {
                    name,
                    clauses: vec![clause],
                }),
                span: self.span(),
            }
        };
        (0..n).map(&mut one).collect()
    }

    fn process(&mut self, depth: u8) -> Process {
        match self.rng.u8(0..12) {
            0 | 1 => Process::Prefix {
                event: self.expr(depth),
                fields: self.fields(depth),
                then: self.expr(depth),
            },
            2 => Process::Guard(self.expr(depth), self.expr(depth)),
            3 => Process::Hide(self.expr(depth), self.expr(depth)),
            4 => Process::Project(self.expr(depth), self.expr(depth)),
            5 => Process::Rename {
                process: self.expr(depth),
                pairs: self.pairs(depth, 1),
                such: self.statements(depth, 0),
            },
            6 => Process::Link {
                left: self.expr(depth),
                pairs: self.pairs(depth, 1),
                such: self.statements(depth, 0),
                right: self.expr(depth),
            },
            7 | 8 => Process::Replicated {
                op: self.replicated(depth),
                over: self.statements(depth, 1),
                body: self.expr(depth),
            },
            _ => Process::Binary(self.operator(depth), self.expr(depth), self.expr(depth)),
        }
    }

    fn fields(&mut self, depth: u8) -> Vec<PrefixField> {
        let n = self.rng.usize(0..3);
        let mut one = || {
            let set = self.rng.bool().then(|| self.expr(depth));
            match self.rng.u8(0..3) {
                0 => PrefixField::Output(self.expr(depth)),
                1 => PrefixField::Input(self.pattern(1), set),
                _ => PrefixField::Choose(self.pattern(1), set),
            }
        };
        (0..n).map(|_| one()).collect()
    }

    fn operator(&mut self, depth: u8) -> ProcessOp {
        match self.rng.u8(0..11) {
            0 => ProcessOp::External,
            1 => ProcessOp::Internal,
            2 => ProcessOp::Then,
            3 => ProcessOp::Interrupt,
            4 => ProcessOp::Slide,
            5 => ProcessOp::Interleave,
            6 => ProcessOp::Parallel(self.expr(depth)),
            7 => ProcessOp::Alphabetised(self.expr(depth), self.expr(depth)),
            8 => ProcessOp::Exception(self.expr(depth)),
            9 => ProcessOp::SyncExternal(self.expr(depth)),
            _ => ProcessOp::SyncInterrupt(self.expr(depth)),
        }
    }

    fn replicated(&mut self, depth: u8) -> ReplicatedOp {
        match self.rng.u8(0..8) {
            0 => ReplicatedOp::External,
            1 => ReplicatedOp::Internal,
            2 => ReplicatedOp::Then,
            3 => ReplicatedOp::Interleave,
            4 => ReplicatedOp::Parallel(self.expr(depth)),
            5 => ReplicatedOp::Alphabetised(self.expr(depth)),
            6 => ReplicatedOp::Link(self.pairs(depth, 1), self.statements(depth, 0)),
            _ => ReplicatedOp::SyncExternal(self.expr(depth)),
        }
    }
}

#[test]
fn the_text_of_a_random_tree_means_the_tree() {
    for seed in 0..1500 {
        let rng = fastrand::Rng::with_seed(seed);
        let mut maker = Maker { rng };
        let depth = maker.rng.u8(1..5);
        let made = maker.expr(depth);
        let text = cspm::listing::expr(&made);
        let said = crate::script::read(&format!("x = {text}"));
        assert!(said.script.is_some(), "seed {seed}\n{text}\n{}", said.drawn);
        assert_eq!(tree(&text), plain(&made), "seed {seed}\n{text}");
    }
}
