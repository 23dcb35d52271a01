//! Labels and jumps.
//!
//! A label belongs to its process and block. A jump goes to the label of its own block if there is
//! one; else to the first declared of those in enclosing blocks; else to the last declared anywhere
//! in the process. That order is SPIN's. A jump cannot enter or leave a `d_step`.

use super::Checker;
use crate::ast;
use crate::typed::{Label, LabelId, Sequence, Stmt, StmtKind};
use base::quote;

/// The labels and jumps of one process.
#[derive(Default)]
pub(super) struct Jumps {
    pub labels: Vec<Label>,
    pub jumps: Vec<Jump>,
}

/// One `goto`.
pub(super) struct Jump {
    name: ast::Name,
    scope: Vec<u32>,
    d_step: Option<u32>,
}

impl Checker<'_> {
    /// Takes the labels of a statement in.
    pub(super) fn labels(&mut self, names: Vec<ast::Name>) -> Vec<LabelId> {
        let mut ids = Vec::new();
        for name in names {
            if let Some(first) = self.visible(&name.text) {
                let message = format!(
                    "{} is declared already, so it is no label",
                    quote(&name.text)
                );
                self.error_beside(name.place, message, first, "here");
                continue;
            }
            let same = |l: &&Label| l.name.text == name.text && l.scope == self.body.path;
            if let Some(first) = self
                .body
                .jumps
                .labels
                .iter()
                .find(same)
                .map(|l| l.name.place)
            {
                let message = format!("the label {} is there twice", quote(&name.text));
                self.error_beside(name.place, message, first, "first here");
                continue;
            }
            ids.push(LabelId::new(self.body.jumps.labels.len()));
            self.body.jumps.labels.push(Label {
                name,
                scope: self.body.path.clone(),
                d_step: self.body.d_step,
            });
        }
        ids
    }

    /// `goto`
    pub(super) fn goto(&mut self, name: ast::Name) -> StmtKind {
        if let Some(declared) = self.visible(&name.text) {
            let message = format!("{} is no label", quote(&name.text));
            self.error_beside(name.place, message, declared, "it is declared here");
        }
        self.body.jumps.jumps.push(Jump {
            name: name.clone(),
            scope: self.body.path.clone(),
            d_step: self.body.d_step,
        });
        StmtKind::Goto(name, None)
    }

    /// Looks up the labels of all jumps of a process, in the order of the text.
    pub(super) fn settle_jumps(&mut self, body: &mut Sequence) -> Vec<Label> {
        let Jumps { labels, jumps } = std::mem::take(&mut self.body.jumps);
        let mut targets = Vec::new();
        for jump in &jumps {
            let target = target_of(jump, &labels);
            match target.map(|id| &labels[id.index()]) {
                None => {
                    let message = format!("there is no label {}", quote(&jump.name.text));
                    self.error(jump.name.place, message);
                }
                Some(label) if label.d_step != jump.d_step => {
                    let message = "a jump cannot enter or leave a `d_step`".to_owned();
                    let to = label.name.place;
                    self.error_beside(jump.name.place, message, to, "the label");
                }
                Some(_) => {}
            }
            targets.push(target);
        }
        let mut targets = targets.into_iter();
        visit(body, &mut |statement| {
            if let StmtKind::Goto(_, target) = &mut statement.kind {
                *target = targets.next().flatten();
            }
        });
        labels
    }
}

fn target_of(jump: &Jump, labels: &[Label]) -> Option<LabelId> {
    let named = || {
        labels
            .iter()
            .enumerate()
            .filter(|(_, l)| l.name.text == jump.name.text)
    };
    let same = named().rfind(|(_, l)| l.scope == jump.scope);
    let around = || named().find(|(_, l)| jump.scope.starts_with(&l.scope));
    let target = same.or_else(around).or_else(|| named().next_back());
    target.map(|(i, _)| LabelId::new(i))
}

/// Calls `look` on every statement, in the order of the text.
fn visit(sequence: &mut Sequence, look: &mut dyn FnMut(&mut Stmt)) {
    for statement in &mut sequence.statements {
        visit_one(statement, look);
    }
}

fn visit_one(statement: &mut Stmt, look: &mut dyn FnMut(&mut Stmt)) {
    look(statement);
    match &mut statement.kind {
        StmtKind::Unless(main, escape) => {
            visit_one(main, look);
            visit_one(escape, look);
        }
        StmtKind::Atomic(inner) | StmtKind::DStep(inner) | StmtKind::Block(inner) => {
            visit(inner, look);
        }
        StmtKind::If(options) | StmtKind::Do(options) => {
            for option in options {
                visit(option, look);
            }
        }
        StmtKind::For(_, _, _, inner)
        | StmtKind::ForArray(_, _, inner)
        | StmtKind::ForChannel(_, _, inner) => visit(inner, look),
        _ => {}
    }
}
