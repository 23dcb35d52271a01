//! Which names a piece of text mentions, and in which order local definitions can be made.
//!
//! Names that are shadowed inside count as mentioned: the result only decides which definitions of
//! a `let` are treated as needing each other, and taking a few too many together does no harm.

use crate::ast::{
    BracketElements, Decl, DeclKind, Expr, ExprKind, Name, Pattern, PatternKind, PrefixField,
    Process, ProcessOp, ReplicatedOp, Statement,
};
use std::collections::HashSet;
use std::sync::Arc;

/// Names mentioned so far.
pub type MentionedNames = HashSet<Arc<str>>;

/// The names in a pattern that may be variables, in the order of the text.
pub fn candidates<'a>(pattern: &'a Pattern, names: &mut Vec<&'a Name>) {
    match &pattern.kind {
        PatternKind::Name(name) => {
            if name.modules.is_empty() {
                names.push(name);
            }
        }
        PatternKind::Tuple(parts) | PatternKind::Sequence(parts) | PatternKind::Set(parts) => {
            parts.iter().for_each(|part| candidates(part, names));
        }
        PatternKind::Concat(a, b) | PatternKind::Dot(a, b) | PatternKind::Both(a, b) => {
            candidates(a, names);
            candidates(b, names);
        }
        PatternKind::Any
        | PatternKind::Number(_)
        | PatternKind::Bool(_)
        | PatternKind::Char(_)
        | PatternKind::Text(_) => {}
    }
}

/// The declarations of a `let`, those of timed sections in it among them.
pub fn flattened(decls: &[Decl]) -> Vec<&Decl> {
    let mut all = Vec::new();
    for decl in decls {
        match &decl.kind {
            DeclKind::Timed { decls, .. } => all.extend(flattened(decls)),
            _ => all.push(decl),
        }
    }
    all
}

/// Adds the names that an expression mentions.
pub fn in_expr(expr: &Expr, names: &mut MentionedNames) {
    match &expr.kind {
        ExprKind::Name(name) => {
            if name.modules.is_empty() {
                names.insert(name.text.clone());
            }
        }
        ExprKind::Number(_) | ExprKind::Bool(_) | ExprKind::Char(_) | ExprKind::Text(_) => {}
        ExprKind::Brackets(e) | ExprKind::Unary(_, e) => in_expr(e, names),
        ExprKind::Tuple(parts) => in_all(parts, names),
        ExprKind::Sequence(elements) | ExprKind::Set(elements) | ExprKind::Closure(elements) => {
            in_elements(elements, names);
        }
        ExprKind::Map(pairs) => in_pairs(pairs, names),
        ExprKind::Apply(function, arguments) => {
            in_expr(function, names);
            in_all(arguments, names);
        }
        ExprKind::Lambda(_, body) => in_expr(body, names),
        ExprKind::Let(decls, body) => {
            decls.iter().for_each(|decl| in_decl(decl, names));
            in_expr(body, names);
        }
        ExprKind::If(a, b, c) => [a, b, c].into_iter().for_each(|e| in_expr(e, names)),
        ExprKind::Binary(_, a, b) | ExprKind::Dot(a, b) => {
            in_expr(a, names);
            in_expr(b, names);
        }
        ExprKind::Process(process) => in_process(process, names),
    }
}

/// Adds the names that a local declaration mentions.
pub(crate) fn in_decl(decl: &Decl, names: &mut MentionedNames) {
    match &decl.kind {
        DeclKind::Function(function) => {
            function
                .clauses
                .iter()
                .for_each(|c| in_expr(&c.body, names));
        }
        DeclKind::Let { value, .. } => in_expr(value, names),
        DeclKind::Timed { durations, decls } => {
            durations.iter().for_each(|e| in_expr(e, names));
            decls.iter().for_each(|decl| in_decl(decl, names));
        }
        _ => {}
    }
}

fn in_all(exprs: &[Expr], names: &mut MentionedNames) {
    exprs.iter().for_each(|e| in_expr(e, names));
}

fn in_pairs(pairs: &[(Expr, Expr)], names: &mut MentionedNames) {
    for (a, b) in pairs {
        in_expr(a, names);
        in_expr(b, names);
    }
}

fn in_statements(statements: &[Statement], names: &mut MentionedNames) {
    for statement in statements {
        match statement {
            Statement::From(_, source) => in_expr(source, names),
            Statement::If(condition) => in_expr(condition, names),
        }
    }
}

fn in_elements(elements: &BracketElements, names: &mut MentionedNames) {
    match elements {
        BracketElements::List(parts) => in_all(parts, names),
        BracketElements::Range(first, last) => {
            in_expr(first, names);
            last.iter().for_each(|e| in_expr(e, names));
        }
        BracketElements::Such(parts, statements) => {
            in_all(parts, names);
            in_statements(statements, names);
        }
        BracketElements::RangeSuch(first, last, statements) => {
            in_expr(first, names);
            last.iter().for_each(|e| in_expr(e, names));
            in_statements(statements, names);
        }
    }
}

fn in_process(process: &Process, names: &mut MentionedNames) {
    match process {
        Process::Prefix {
            event,
            fields,
            then,
        } => {
            in_expr(event, names);
            for field in fields {
                match field {
                    PrefixField::Output(e) => in_expr(e, names),
                    PrefixField::Input(_, set) | PrefixField::Choose(_, set) => {
                        set.iter().for_each(|e| in_expr(e, names));
                    }
                }
            }
            in_expr(then, names);
        }
        Process::Guard(a, b) | Process::Hide(a, b) | Process::Project(a, b) => {
            in_expr(a, names);
            in_expr(b, names);
        }
        Process::Binary(op, a, b) => {
            in_op(op, names);
            in_expr(a, names);
            in_expr(b, names);
        }
        Process::Rename {
            process,
            pairs,
            such,
        } => {
            in_expr(process, names);
            in_pairs(pairs, names);
            in_statements(such, names);
        }
        Process::Link {
            left,
            pairs,
            such,
            right,
        } => {
            in_expr(left, names);
            in_expr(right, names);
            in_pairs(pairs, names);
            in_statements(such, names);
        }
        Process::Replicated { op, over, body } => {
            in_statements(over, names);
            in_expr(body, names);
            match op {
                ReplicatedOp::Parallel(set)
                | ReplicatedOp::Alphabetised(set)
                | ReplicatedOp::SyncExternal(set) => in_expr(set, names),
                ReplicatedOp::Link(pairs, such) => {
                    in_pairs(pairs, names);
                    in_statements(such, names);
                }
                _ => {}
            }
        }
    }
}

fn in_op(op: &ProcessOp, names: &mut MentionedNames) {
    match op {
        ProcessOp::Parallel(set)
        | ProcessOp::Exception(set)
        | ProcessOp::SyncExternal(set)
        | ProcessOp::SyncInterrupt(set) => in_expr(set, names),
        ProcessOp::Alphabetised(a, b) => {
            in_expr(a, names);
            in_expr(b, names);
        }
        _ => {}
    }
}

/// Things in an order in which each comes after those it needs; those that need each other stand
/// together. `needs[i]` lists what `i` needs. The flag says that a lone thing needs itself.
pub fn layers(needs: &[Vec<usize>]) -> Vec<(Vec<usize>, bool)> {
    // Tarjan's strongly connected components, with a stack of our own.
    let n = needs.len();
    let (mut order, mut low) = (vec![usize::MAX; n], vec![0; n]);
    let (mut open, mut is_open, mut count) = (Vec::new(), vec![false; n], 0);
    let mut found = Vec::new();
    for root in 0..n {
        if order[root] != usize::MAX {
            continue;
        }
        let mut path = vec![(root, 0)];
        while let Some(&mut (v, ref mut next)) = path.last_mut() {
            if *next == 0 {
                order[v] = count;
                low[v] = count;
                count += 1;
                open.push(v);
                is_open[v] = true;
            }
            if let Some(&w) = needs[v].get(*next) {
                *next += 1;
                if order[w] == usize::MAX {
                    path.push((w, 0));
                } else if is_open[w] {
                    low[v] = low[v].min(order[w]);
                }
                continue;
            }
            // A thing that needs nothing must not be opened twice.
            path.pop();
            if let Some(&(u, _)) = path.last() {
                low[u] = low[u].min(low[v]);
            }
            if low[v] == order[v] {
                let start = open.iter().rposition(|&w| w == v).expect("it was opened");
                let mut layer = open.split_off(start);
                layer.iter().for_each(|&w| is_open[w] = false);
                layer.sort_unstable();
                let is_cycle = layer.len() > 1 || needs[v].contains(&v);
                found.push((layer, is_cycle));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_needed_comes_first_and_cycles_stand_together() {
        let found = layers(&[vec![1], vec![2], vec![1], vec![], vec![4]]);
        let expected = vec![
            (vec![1, 2], true),
            (vec![0], false),
            (vec![3], false),
            (vec![4], true),
        ];
        assert_eq!(found, expected);
    }
}
