//! `anyRef`: a statement that stands for one statement for each member of a sort.
//!
//! `anyRef(p)` in an assignment, a send, a receive or a condition makes it a choice, with one
//! option for each instance of `p`, or for each member of the scalarset `p`. Two of them in one
//! statement are chosen independently. Worked example, with two servers:
//!
//! ```text
//! server[anyRef(server)].q!req     if :: server[0].q!req :: server[1].q!req fi
//! ```
//!
//! The statement is checked once, with [`ExprKind::Chosen`] in place of the members; then it is
//! copied, and they are filled in. In a `d_step`, where the first option is always taken, there is
//! no choice: it is refused there.
//!
//! Source: F. Derepas and P. Gastin (2001), section 2.3. For scalarsets this is ours: without it no
//! member could ever be chosen.

use super::{Checker, Global};
use crate::ast;
use crate::place::Place;
use crate::typed::{
    Access, Expr, ExprKind, Pattern, Receive, Sequence, SortId, Stmt, StmtKind, Target, Value,
};

/// The most options that one statement may stand for.
const OPTIONS_MAX: usize = 4096;

impl Checker<'_> {
    /// `anyRef(p)`
    pub(super) fn any_ref(&mut self, name: &ast::Name, place: Place) -> Option<Expr> {
        let sort = match self.names.get(&name.text).map(|d| d.what) {
            Some(Global::Scalarset(sort)) => sort,
            _ => self.sort_of_process(name)?,
        };
        if self.body.d_step.is_some() {
            let error = self
                .origins
                .error(place, "`anyRef` cannot stand in a `d_step`");
            self.report(error.note("there the first option is always taken; use `atomic`"));
            return None;
        }
        let Some(choices) = &mut self.body.choices else {
            let error = self.origins.error(place, "`anyRef` cannot stand here");
            let note = "it makes a choice of the assignment, send, receive or condition around it";
            self.report(error.note(note));
            return None;
        };
        choices.push(sort);
        let kind = ExprKind::Chosen(choices.len() - 1);
        let value = Value::Member(sort);
        Some(Expr { kind, value, place })
    }

    /// The statement, or one option for each way to choose.
    pub(super) fn spread_choices(
        &mut self,
        kind: StmtKind,
        choices: &[SortId],
        place: Place,
    ) -> Option<StmtKind> {
        if choices.is_empty() {
            return Some(kind);
        }
        let sizes = choices
            .iter()
            .map(|s| self.sorts[s.index()].n_members as usize);
        let n_options = sizes.clone().fold(1, usize::saturating_mul);
        if n_options > OPTIONS_MAX {
            let message = format!("this is a choice of more than {OPTIONS_MAX} options");
            self.error(place, message);
            return None;
        }
        let sizes: Vec<usize> = sizes.collect();
        let mut options = Vec::new();
        for n in 0..n_options {
            let mut rest = n;
            let mut values = vec![0; sizes.len()];
            for (value, size) in values.iter_mut().zip(&sizes).rev() {
                *value = (rest % size) as i32;
                rest /= size;
            }
            let mut kind = kind.clone();
            choose(&mut kind, &values);
            let labels = Vec::new();
            let statement = Stmt {
                labels,
                kind,
                place,
            };
            let statements = vec![statement];
            options.push(Sequence { statements, place });
        }
        Some(StmtKind::If(options))
    }
}

/// Puts these members for what is still to be chosen.
fn choose(kind: &mut StmtKind, values: &[i32]) {
    match kind {
        StmtKind::Assign(to, value) => {
            if let Target::Access(access) = to {
                fill_indices(access, values);
            }
            fill(value, values);
        }
        StmtKind::Condition(value) => fill(value, values),
        StmtKind::Send(send) => {
            fill_indices(&mut send.channel, values);
            send.fields.iter_mut().for_each(|e| fill(e, values));
        }
        StmtKind::Receive(receive) => fill_receive(receive, values),
        _ => unreachable!("only these can choose"),
    }
}

fn fill(expr: &mut Expr, values: &[i32]) {
    match &mut expr.kind {
        ExprKind::Chosen(n) => expr.kind = ExprKind::Number(values[*n]),
        ExprKind::Read(access) | ExprKind::Probe(_, access) => fill_indices(access, values),
        ExprKind::Unary(_, a)
        | ExprKind::Ask(_, a)
        | ExprKind::Temporal(_, a)
        | ExprKind::Member(_, a) => fill(a, values),
        ExprKind::Binary(_, a, b) | ExprKind::Until(_, a, b) => {
            fill(a, values);
            fill(b, values);
        }
        ExprKind::And(all) | ExprKind::Or(all) | ExprKind::Run(_, all, _) => {
            all.iter_mut().for_each(|e| fill(e, values));
        }
        ExprKind::Choice(parts) => parts.iter_mut().for_each(|e| fill(e, values)),
        ExprKind::Poll(receive) => fill_receive(receive, values),
        ExprKind::RemoteLabel(_, instance, _) => {
            instance.iter_mut().for_each(|e| fill(e, values));
        }
        ExprKind::RemoteVariable(_, instance, index) => {
            instance
                .iter_mut()
                .chain(index)
                .for_each(|e| fill(e, values));
        }
        ExprKind::Number(_)
        | ExprKind::Predefined(_)
        | ExprKind::Timeout
        | ExprKind::NonProgress
        | ExprKind::Anything => {}
    }
}

fn fill_indices(access: &mut Access, values: &[i32]) {
    let fields = access.fields.iter_mut().filter_map(|f| f.index.as_mut());
    let all = access.index.iter_mut().chain(fields);
    all.for_each(|e| fill(e, values));
}

fn fill_receive(receive: &mut Receive, values: &[i32]) {
    fill_indices(&mut receive.channel, values);
    for field in &mut receive.fields {
        match field {
            Pattern::Store(Target::Access(access)) => fill_indices(access, values),
            Pattern::Store(_) => {}
            Pattern::Match(value) => fill(value, values),
        }
    }
}
