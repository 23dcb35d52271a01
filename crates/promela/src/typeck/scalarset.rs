//! Scalarsets: a type of `n` interchangeable values, and loops over all of them.
//!
//! `scalarset id[3]` declares a type whose variables hold one of three members or, as 3, none of
//! them; they start as none. `byte st[id]` is an array with one element for each member, and only
//! members index it. What else can be done with members is in [`super::members`].
//!
//! **Loops.** Members have no names, so what goes through all of them is a loop, in one of these
//! forms, inside `atomic` or `d_step`:
//!
//! ```text
//! for (j in id) { … }     for (j in st) { … }     for (j : 0 .. 2) { … }
//! j = 0; do :: j < 3 -> …; j++ :: else -> break od
//! j = 0; do :: j == 3 -> break :: j < 3 -> …; j++ od
//! ```
//!
//! All mean the same: `j` counts through the members and is undefined afterwards. The order must
//! not matter, which [`super::order`] looks at; in between no state is stored that shows `j`.
//!
//! Source: SymmSpin (D. Bošnački, D. Dams, L. Holenderski, 2000), as described by A. Donaldson
//! (2007), section 3.3.2: its `scalar PID[N]` stands in a file of its own, and its default value is
//! the number of members. The rules are those of C. N. Ip and D. Dill (1993).

use super::{Checker, DeclaredName, Global};
use crate::ast::{self, Binary, ExprKind as AstExpr, Reference, StmtKind as AstStmt};
use crate::place::Place;
use crate::typed::{
    Access, Expr, ExprKind, Sequence, Sort, SortId, SortKind, StmtKind, Type, Value, VariableId,
};
use base::quote;

impl Checker<'_> {
    /// `scalarset name[size]`
    pub(super) fn scalarset(&mut self, scalarset: ast::Scalarset) {
        let ast::Scalarset { name, size } = scalarset;
        let n = self.constant(&size);
        let n_members = match n.map(u32::try_from) {
            Some(Ok(n @ 1..=255)) => n,
            Some(_) => {
                let n = n.unwrap_or(0);
                self.error(
                    size.place,
                    format!("a scalarset has 1 to 255 members, not {n}"),
                );
                1
            }
            None => 1,
        };
        if !self.is_free(&name) {
            return;
        }
        let (text, place) = (name.text.clone(), name.place);
        let kind = SortKind::Scalarset;
        let what = Global::Scalarset(self.add_sort(Sort {
            name,
            kind,
            n_members,
        }));
        self.names.insert(text, DeclaredName { what, place });
    }

    /// The scalarset that an expression names.
    pub(super) fn named_scalarset(&self, expr: &ast::Expr) -> Option<SortId> {
        match &expr.kind {
            AstExpr::Reference(reference) => self.scalarset_of(reference),
            _ => None,
        }
    }

    /// The scalarset that a reference names.
    pub(super) fn scalarset_of(&self, reference: &Reference) -> Option<SortId> {
        let name = lone(reference)?;
        match self.names.get(&name.text)?.what {
            Global::Scalarset(sort) if self.lookup(&name.text).is_none() => Some(sort),
            _ => None,
        }
    }

    /// The variable of a loop, if it holds members.
    pub(super) fn member_counter(&self, counter: Option<&Access>) -> Option<Access> {
        let counter = counter.filter(|c| matches!(c.kind, Type::Member(_)));
        counter.cloned()
    }

    /// The scalarset whose members are the indices of a whole array.
    pub(super) fn indices_of(&self, array: &Access) -> Option<SortId> {
        let whole = array.index.is_none() && array.fields.is_empty();
        self.variable(array.variable).index_sort.filter(|_| whole)
    }

    /// An array that is indexed by members is there from the start: a declaration that is a step
    /// sets the first element only.
    pub(super) fn check_late(&mut self, id: VariableId) {
        let variable = self.variable(id);
        if variable.index_sort.is_some() {
            let (name, place) = (quote(&variable.name.text), variable.name.place);
            let message = format!("{name} is indexed by members, and declared after a statement");
            let error = self.origins.error(place, message);
            self.report(error.note("declare it at the start of the process, outside blocks"));
        }
    }

    /// `for (j in t)`: the loop over all members of a scalarset.
    pub(super) fn for_members(
        &mut self,
        counter: Option<Access>,
        sort: SortId,
        body: ast::Sequence,
        place: Place,
    ) -> Option<StmtKind> {
        let in_one_go = self.body.n_atomic > 0;
        let body: Sequence = self.loop_body(body);
        let counter = counter?;
        if counter.kind != Type::Member(sort) {
            let wanted = self.sort_words(sort);
            self.error(counter.place, format!("this does not hold {wanted}"));
            return None;
        }
        if counter.index.is_some() || !counter.fields.is_empty() {
            self.error(counter.place, "a plain variable is needed to count with");
            return None;
        }
        if !in_one_go {
            let message = "a loop over a scalarset stands in `atomic` or `d_step` only";
            let error = self.origins.error(place, message);
            self.report(error.note("otherwise states would show in which order members come"));
            return None;
        }
        self.check_order(&counter, &body)?;
        let number = |n: u32| Expr {
            kind: ExprKind::Number(n as i32),
            value: Value::Number,
            place,
        };
        let n = self.sorts[sort.index()].n_members;
        Some(StmtKind::For(counter, number(0), number(n - 1), body))
    }

    /// `for (j : 0 .. n - 1)` with a variable that holds members.
    pub(super) fn for_range(
        &mut self,
        counter: Access,
        bounds: [ast::Expr; 2],
        body: ast::Sequence,
        place: Place,
    ) -> Option<StmtKind> {
        let Type::Member(sort) = counter.kind else {
            unreachable!("called for members only");
        };
        let declared = &self.sorts[sort.index()];
        let (n, kind) = (declared.n_members as i32, declared.kind);
        if kind != SortKind::Scalarset {
            self.error(counter.place, "references cannot be counted through");
            return None;
        }
        let [low, high] = bounds.map(|e| self.constant(&e));
        if (low?, high?) != (0, n - 1) {
            let name = quote(&self.sorts[sort.index()].name.text.clone());
            let last = n - 1;
            let message = format!("a loop over {name} goes through all of it, 0 .. {last}");
            self.error(place, message);
            return None;
        }
        self.for_members(Some(counter), sort, body, place)
    }

    /// `j = 0; do :: j < n -> …; j++ :: else -> break od` as a `for`, if that is what stands here.
    pub(super) fn joined(&self, start: &ast::Stmt, rounds: &ast::Stmt) -> Option<ast::Stmt> {
        let AstStmt::Assign(counter, value) = &start.kind else {
            return None;
        };
        let name = lone(counter)?;
        let Type::Member(sort) = self.variable(self.lookup(&name.text)?).kind else {
            return None;
        };
        let sort = &self.sorts[sort.index()];
        let (AstStmt::Do(options), Some(0)) = (&rounds.kind, self.literal(value)) else {
            return None;
        };
        let plain = !labelled(start) && !labelled(rounds) && options.len() == 2;
        if sort.kind != SortKind::Scalarset || !plain {
            return None;
        }
        let body = self.rounds(options, name, sort.undefined())?;
        let place = self.origins.join(start.place, rounds.place);
        let over = Reference {
            parts: vec![ast::ReferencePart {
                name: ast::Name {
                    text: sort.name.text.clone(),
                    place: counter.place,
                },
                index: None,
            }],
            place: counter.place,
        };
        let body = ast::Sequence {
            statements: body,
            place,
        };
        let kind = AstStmt::ForIn(counter.clone(), over, body);
        let labels = Vec::new();
        Some(ast::Stmt {
            labels,
            kind,
            place,
        })
    }

    /// The statements between `:: name < n ->` and `name++`, if the other option leaves the loop.
    fn rounds(
        &self,
        options: &[ast::Sequence],
        name: &ast::Name,
        n: i32,
    ) -> Option<Vec<ast::Stmt>> {
        let compares = |s: &ast::Stmt, wanted: Binary| match &s.kind {
            AstStmt::Condition(condition) => match &condition.kind {
                AstExpr::Binary(operator, a, b) => {
                    let counts = matches!(&a.kind, AstExpr::Reference(r) if same(r, name));
                    *operator == wanted && counts && self.literal(b) == Some(n)
                }
                _ => false,
            },
            _ => false,
        };
        let leaves = |option: &ast::Sequence| match option.statements.as_slice() {
            [first, second] => {
                let ends = matches!(first.kind, AstStmt::Else) || compares(first, Binary::Equal);
                ends && matches!(second.kind, AstStmt::Break)
            }
            _ => false,
        };
        let exit = options.iter().position(leaves)?;
        let round = &options[1 - exit].statements;
        let (first, last) = (round.first()?, round.last()?);
        let counts = matches!(&last.kind, AstStmt::Increment(r) if same(r, name));
        if !compares(first, Binary::Less) || !counts || labelled(first) || labelled(last) {
            return None;
        }
        let mut statements = round[1..round.len() - 1].to_vec();
        if statements.is_empty() {
            // A body has a statement; a round without one does nothing.
            let kind = AstStmt::Condition(ast::Expr {
                kind: AstExpr::Number(1),
                place: last.place,
                depth: 1,
                probe: false,
            });
            let (labels, place) = (Vec::new(), last.place);
            statements.push(ast::Stmt {
                labels,
                kind,
                place,
            });
        }
        Some(statements)
    }
}

fn labelled(statement: &ast::Stmt) -> bool {
    !statement.labels.is_empty()
}

/// The name that is all of a reference.
fn lone(reference: &Reference) -> Option<&ast::Name> {
    match reference.parts.as_slice() {
        [part] if part.index.is_none() => Some(&part.name),
        _ => None,
    }
}

fn same(reference: &Reference, name: &ast::Name) -> bool {
    lone(reference).is_some_and(|n| n.text == name.text)
}
