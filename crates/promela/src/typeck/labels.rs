//! Labels and jumps.
//!
//! A label belongs to its process and block. A jump goes to the label of its own block if there is
//! one; else to the first declared of those in enclosing blocks; else to the last declared anywhere
//! in the process. That order is SPIN's. A jump cannot enter or leave a `d_step`.

use super::Checker;
use crate::ast;
use crate::place::Place;
use crate::typed::{Label, LabelId, Sequence, Stmt, StmtKind};
use base::quote;
use std::collections::HashMap;
use std::rc::Rc;

/// The labels and jumps of one process.
#[derive(Default)]
pub(super) struct Jumps {
    labels: Vec<Label>,
    /// The labels of a name, in the order of the text.
    by_name: HashMap<Rc<str>, Vec<LabelId>>,
    jumps: Vec<Jump>,
}

impl Jumps {
    /// Where the first label of a name stands that `is_meant`.
    pub fn place_of(&self, name: &str, is_meant: &dyn Fn(&Label) -> bool) -> Option<Place> {
        let label = self.named(name).find(|(_, label)| is_meant(label));
        label.map(|(_, label)| label.name.place)
    }

    /// The labels of a name, in the order of the text.
    fn named(&self, name: &str) -> impl DoubleEndedIterator<Item = (LabelId, &Label)> {
        let ids = self.by_name.get(name).map_or(&[][..], Vec::as_slice);
        ids.iter().map(|id| (*id, &self.labels[id.index()]))
    }

    fn add(&mut self, label: Label) -> LabelId {
        let id = LabelId::new(self.labels.len());
        self.by_name
            .entry(label.name.text.clone())
            .or_default()
            .push(id);
        self.labels.push(label);
        id
    }

    /// Where a jump goes.
    fn target_of(&self, jump: &Jump) -> Option<LabelId> {
        let named = || self.named(&jump.name.text);
        let same = named().rfind(|(_, l)| l.scope == jump.scope);
        let around = || named().find(|(_, l)| jump.scope.starts_with(&l.scope));
        let target = same.or_else(around).or_else(|| named().next_back());
        target.map(|(id, _)| id)
    }
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
            let is_here = |l: &Label| l.scope == self.body.path;
            if let Some(first) = self.body.jumps.place_of(&name.text, &is_here) {
                let message = format!("the label {} is there twice", quote(&name.text));
                self.error_beside(name.place, message, first, "first here");
                continue;
            }
            let label = Label {
                name,
                scope: self.body.path.clone(),
                d_step: self.body.d_step,
            };
            ids.push(self.body.jumps.add(label));
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
        let all = std::mem::take(&mut self.body.jumps);
        let mut targets = Vec::new();
        for jump in &all.jumps {
            let target = all.target_of(jump);
            match target.map(|id| &all.labels[id.index()]) {
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
        all.labels
    }
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
